/* A Lua policy of the slotted model, inside: what its declaration said, and the calls between kernel and script.
 *
 * slotted_policy.c         life, and the functions that the kernel calls
 * slotted_policy_define.c  reads the table that the file returned
 * slotted_policy_view.c    the view `s`: what a script may ask and do
 * slotted_policy_state.c   declared memory, as cells in the simulation's block
 * slotted_policy_near.c    the known name nearest to a mistyped one
 *
 * Scripts name jobs by numbers of their own, from 1 on, for as long as they are in the system. The kernel's places would not do:
 * which one a job gets depends on the bounds, and on when it was submitted. */
#ifndef PINION_SLOTTED_POLICY_H
#define PINION_SLOTTED_POLICY_H

#include <lua.h>
#include <lauxlib.h>
#include <stdbool.h>

#include "pinion_lua.h"
#include "sandbox.h"

enum { POLICY_TEXT_SIZE = 128, POLICY_NAME_SIZE = 32, POLICY_CELLS_MAX = 32 };

/* The script's functions lie on the state's stack from here on, nil where there is none. */
enum policy_function {
    FUNCTION_SLOT,
    FUNCTION_INIT,
    FUNCTION_ARRIVE,
    FUNCTION_FINISH,
    FUNCTION_TICK,
    FUNCTION_WEIGHT,
    FUNCTION_KEY, /* … of order 0, 1, … */
    FUNCTION_COUNT = FUNCTION_KEY + PN_ORDERS_MAX
};
enum { STACK_VIEW = SANDBOX_TABLE + 1, STACK_FUNCTIONS };

/* What a script is being asked; decides what it may do. */
enum policy_moment { MOMENT_NONE, MOMENT_KEY, MOMENT_INIT, MOMENT_ARRIVE, MOMENT_FINISH, MOMENT_TICK, MOMENT_SLOT };

/* Declared memory: a single value, an array, or a value per job. */
enum cell_kind { CELL_SINGLE, CELL_ARRAY, CELL_PER_JOB };

typedef struct policy_cells {
    char name[POLICY_NAME_SIZE];
    enum cell_kind kind;
    uint32_t per_job, more; /* an array has per_job * jobs_max + more values */
} policy_cells;

typedef struct policy_order {
    char name[POLICY_NAME_SIZE];
    uint8_t scripted; /* its key is a function of the script */
} policy_order;

struct pn_lua_policy {
    pn_slotted_policy table; /* first: the kernel's pointer to it is ours */
    sandbox *box;
    pn_lua_options options;
    char chunk[PN_LUA_MESSAGE_SIZE / 2]; /* what messages call the file */
    const char *text;                    /* of the file, while it is loaded */
    size_t text_size;
    char name[POLICY_NAME_SIZE], summary[POLICY_TEXT_SIZE];
    char param_names[PN_PARAMS_MAX][POLICY_NAME_SIZE], param_docs[PN_PARAMS_MAX][POLICY_TEXT_SIZE];
    pn_lua_param params[PN_PARAMS_MAX];
    policy_order orders[PN_ORDERS_MAX];
    policy_cells cells[POLICY_CELLS_MAX]; /* singles, then arrays, then those per job; in each by name */
    uint32_t cell_count;
    bool arrives, finishes;              /* the script has these hooks */
    bool keeps_weights;                  /* a hidden word per job, first of all */
    int64_t param_values[PN_PARAMS_MAX]; /* those that s.params shows */
    bool params_shown;                   /* false: it may show others, as showing failed */
    pn_lua_counts counts;

    /* during a call of the script */
    pn_slotted_view *view;
    enum policy_moment moment;
    uint32_t job;       /* whom it is about, PN_NO_JOB = nobody */
    lua_Integer number; /* of that job, for the script; meaningless when it is about nobody */
};

pn_lua_policy *policy_of(lua_State *L);
/* The view of the running call; raises when there is none. */
pn_slotted_view *policy_view(lua_State *L);

/* slotted_policy.c: what the kernel's table points to. */
extern void (*const policy_scripted_keys[PN_ORDERS_MAX])(const pn_slotted_view *view, uint32_t job, pn_key *key);
uint64_t policy_weight(const pn_slotted_view *view, uint32_t job);
int policy_slot(pn_slotted_view *view);
int policy_init(pn_slotted_view *view);
int policy_arrive(pn_slotted_view *view, uint32_t job);
void policy_finish(pn_slotted_view *view, uint32_t job);
int policy_tick(pn_slotted_view *view);

/* slotted_policy_define.c: a C function of (returned table, policy as light userdata) for a protected call; returns the
 * view and FUNCTION_COUNT functions. */
int policy_define(lua_State *L);

/* slotted_policy_view.c: pushes the view. */
void policy_push_view(lua_State *L, pn_lua_policy *policy);
/* The job at this argument as a place; raises unless one is there. */
uint32_t policy_job(lua_State *L, int argument);
/* Shows the running simulation's parameters in s.params; a C function of (policy) for a protected call. */
int policy_show_params(lua_State *L);

/* slotted_policy_state.c: adds `state` and `per_job` to the table on top of the stack. */
void policy_push_memory(lua_State *L, pn_lua_policy *policy);
/* A job comes: its cells are cleared and it gets a number; a job goes: its number is free again. */
void policy_enter_job(const pn_lua_policy *policy, const pn_slotted_view *view, uint32_t job);
void policy_leave_job(const pn_slotted_view *view, uint32_t job);
/* The number of the job in this place, 0 when it has gone; the place of the job with this number, PN_NO_JOB when there is none.
 */
lua_Integer policy_number(const pn_slotted_view *view, uint32_t job);
uint32_t policy_place(const pn_slotted_view *view, lua_Integer number);
void policy_keep_weight(const pn_slotted_view *view, uint32_t job, uint64_t weight);
uint64_t policy_kept_weight(const pn_slotted_view *view, uint32_t job);
/* Tells the kernel, in the policy's table, how much memory there is in the block. */
void policy_size_memory(pn_lua_policy *policy);

/* slotted_policy_near.c: of `known` (ended by null); null when none is near. */
const char *policy_nearest(const char *name, const char *const known[]);

#endif
