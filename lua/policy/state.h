/* A policy in Lua, inside: what the models share.
 *
 * life.c     life, the calls of the script, and what is said when one fails
 * define.c   reads what every definition may hold: names, parameters, memory, hooks
 * params.c   values of parameters
 * view.c     what every view `s` offers
 * labels.c   attributes and groups of jobs, by name
 * memory.c   declared memory, as cells in the simulation's block
 * export.c   the policy in C: its table and the methods, for pinion/export
 * program*.[ch], translate*.[ch]  compiled functions
 * models.h   the models, and which files hold what is a model's own: the functions that its kernel
 *            calls, its forms of definition, and its view
 *
 * Scripts name jobs by numbers of their own, from 1 on, for as long as they are in the system. The
 * kernel's places would not do: which one a job gets depends on the bounds, and on when it was
 * submitted. */
#ifndef PINION_POLICY_STATE_H
#define PINION_POLICY_STATE_H

#include <lua.h>
#include <lauxlib.h>
#include <stdbool.h>

#include "pinion_lua.h"
#include "models.h"
#include "sandbox/define.h"
#include "sandbox/host.h"
#include "value.h"

enum {
    POLICY_TEXT_SIZE = DEFINE_TEXT_SIZE,
    POLICY_NAME_SIZE = DEFINE_NAME_SIZE,
    POLICY_CELLS_MAX = 32,
    POLICY_PARAMS_MAX = PN_PARAMS_MAX,
    POLICY_ORDERS_MAX = 6 /* as many as the model with most has */
};

/* The script's functions lie on the state's stack from here on, nil where there is none. */
enum policy_function {
    FUNCTION_INIT,
    FUNCTION_ARRIVE,
    FUNCTION_FINISH, /* finish; leave */
    FUNCTION_ACT,    /* slot; rates; order or pools; pick */
    FUNCTION_TIME,   /* tick; wake; elapse */
    FUNCTION_WEIGHT,
    FUNCTION_PLAN,
    FUNCTION_PREEMPT,
    FUNCTION_COPY,
    FUNCTION_ADMIT,
    FUNCTION_USES, /* these two are asked once, for what parameters decide */
    FUNCTION_CHANGES,
    FUNCTION_KEY, /* of order 0, and of the others behind it */
    FUNCTION_MEMBER = FUNCTION_KEY + POLICY_ORDERS_MAX,
    FUNCTION_COUNT = FUNCTION_MEMBER + POLICY_ORDERS_MAX
};
enum { STACK_VIEW = SANDBOX_TABLE + 1, STACK_FUNCTIONS };
_Static_assert(1 + FUNCTION_COUNT < SANDBOX_SLOTS - 4, "a call must find room above them");

/* Bits of the functions for keys and for members. */
#define POLICY_KEYS    (((1u << POLICY_ORDERS_MAX) - 1) << FUNCTION_KEY)
#define POLICY_MEMBERS (((1u << POLICY_ORDERS_MAX) - 1) << FUNCTION_MEMBER)
/* Bits of the functions that run once, which are not compiled. */
#define POLICY_ONCE (1u << FUNCTION_INIT | 1u << FUNCTION_USES | 1u << FUNCTION_CHANGES)
_Static_assert(FUNCTION_COUNT <= 32, "a bit for each");

/* What a script is being asked; decides what it may do. */
enum policy_moment {
    MOMENT_NONE,
    MOMENT_KEY, /* a key, a weight or whether a job is a member: only asks */
    MOMENT_INIT,
    MOMENT_ADMIT,
    MOMENT_ARRIVE,
    MOMENT_FINISH,
    MOMENT_TIME,
    MOMENT_PLAN,
    MOMENT_PREEMPT,
    MOMENT_ACT
};

/* Declared memory: a single value, an array, or a value per job. */
enum cell_kind { CELL_SINGLE, CELL_ARRAY, CELL_PER_JOB };

typedef struct policy_cells {
    char name[POLICY_NAME_SIZE];
    enum cell_kind kind;
    uint32_t per_job, more; /* an array has per_job * jobs_max + more values */
} policy_cells;

/* Serves a method with `takes` values, nil for those that were left out: `gives` values. False with
 * nothing changed: only Lua can serve it, or say what is wrong. */
typedef bool policy_ask(pn_lua_policy *policy, void *view, const policy_value *given,
                        policy_value *got);

/* What a method does: what policy_model.take_back undoes, or nothing reads, is an act. */
enum policy_way { POLICY_ASKS, POLICY_ACTS, POLICY_WALKS };

/* A method of the view, for Lua and for programs. A list of them ends with a row without a name. */
typedef struct policy_question {
    const char *name;
    lua_CFunction method;
    policy_ask *ask;
    uint8_t takes, gives;
    uint8_t way; /* enum policy_way */
    /* For export.c, as text in C: the declarations of the arguments, in order, and the answer, an
     * expression of `view` and these arguments. Null, or no answer: the method is not exported. */
    const char *const *in_c;
} policy_question;

/* What the shared files must know of a model: its words, its tables, and its kernel's functions, of
 * a view without a type. */
typedef struct policy_model {
    const char *name;
    const char *time_word;     /* before a time: "slot"; in its place when there is no write_time */
    const char *world;         /* what a view shows: "the cluster" */
    const char *asking;        /* the functions that only ask: "a key or share" */
    const char *drawing;       /* where to draw random numbers in their place */
    const char *ordering;      /* the functions that may use orders: "slot and tick" */
    const char *writing;       /* those that may write: "slot, arrive, …" */
    const char *const *fields; /* of a definition, in the order of bytes */
    const policy_question *questions; /* of the view, beside the shared ones; null = none */
    const luaL_Reg *methods;          /* its other methods */
    const luaL_Reg *more_methods;     /* null = there are none */
    const char *const *words; /* that calls hand to the script, ended by a null; null = none */
    lua_CFunction step;       /* of a walk through an order; upvalue 1 is its number */
    bool chooses;             /* parameters may also be booleans and words */
    bool remembers;           /* jobs arrive and leave, and there is memory from call to call */

    /* Reads a definition, except for its names, which have been read. */
    void (*define)(lua_State *L, pn_lua_policy *policy);
    size_t params; /* offset of the parameters in the kernel's table */
    double (*param_value)(const void *view, uint32_t index);
    pn_stream *(*stream)(const void *view);
    /* what a job carries */
    uint32_t (*group)(const void *view, uint32_t job);
    uint32_t (*attribute_count)(const void *view);
    double (*attribute)(const void *view, uint32_t job, uint32_t index);
    /* the place of the job at an argument of a method; null: view_job */
    uint32_t (*job_at)(lua_State *L, const void *view, int argument);

    /* The rest is null in a model that asks a policy once. Writes the time behind its word. */
    void (*write_time)(const pn_lua_policy *policy, const void *view, char *text, size_t size);
    uint64_t (*id)(const void *view, uint32_t job);
    uint32_t (*jobs_max)(const void *view);
    int (*active)(const void *view, uint32_t job);
    void *(*state)(const void *view);
    void (*fail)(const void *view, int status);
    /* undoes what acts of the running call did, so that it can be made again; null: nothing has to
     * be undone */
    void (*take_back)(void *view);
    /* takes what the kernel has itself in place of compiled functions; null: nothing */
    void (*use_known)(pn_lua_policy *policy);
    /* writes the kernel's table in C, but for what export.c writes of all; null: policies of this
     * model are not exported */
    void (*write_c)(const pn_lua_policy *policy, luaL_Buffer *out);
} policy_model;

#define POLICY_DECLARE(MODEL, TABLE) extern const policy_model policy_##MODEL##_model;
POLICY_MODELS(POLICY_DECLARE)

/* A call of the script. Loops of the kernel that a script calls may ask it for keys: then there is
 * one inside another. */
typedef struct policy_frame {
    void *view;
    enum policy_moment moment;
    uint32_t job;       /* the job that it is about, PN_NO_JOB = none */
    lua_Integer number; /* of that job, for the script; meaningless without a job */
    uint32_t stage;     /* of that job, as its place + 1; 0 = none (dag) */
} policy_frame;

struct pn_lua_policy {
    policy_table table; /* first: the kernel's pointer to it is ours */
    const policy_model *model;
    sandbox *box;
    pn_lua_options options;
    char chunk[PN_LUA_MESSAGE_SIZE / 2]; /* what messages call the file */
    const char *text;                    /* of the file, while it is loaded */
    size_t text_size;
    char name[POLICY_NAME_SIZE], summary[POLICY_TEXT_SIZE];
    char key_name[POLICY_TEXT_SIZE]; /* what its keys are; "": it does not say */
    define_param param_texts[POLICY_PARAMS_MAX];
    pn_param *params; /* in the kernel's table */
    uint32_t param_count;
    char order_names[POLICY_ORDERS_MAX][POLICY_NAME_SIZE];
    uint32_t order_count;
    /* singles, then arrays, then those per job; in each by name */
    policy_cells cells[POLICY_CELLS_MAX];
    uint32_t cell_count;
    uint32_t own_words;                 /* the model's own per job, ahead of all cells */
    bool sized_keys[POLICY_ORDERS_MAX]; /* the key takes what is left of the job, too */
    bool names_jobs;                    /* functions for keys or members get a job */
    bool ranks;                         /* asks for the ranks of jobs */
    /* the script has these hooks; the first is noted in the cluster model */
    bool begins, arrives, finishes;
    bool admits; /* jobs have their numbers before they arrive */
    bool pools;  /* it answers with pools, not with an order */
    /* functions of the parameters say what it makes use of, when keys change */
    bool asks_uses, asks_changes;
    uint32_t uses;                          /* what it makes use of beside: bits of the model */
    int status;                             /* what a decision that fails ends with */
    double param_values[POLICY_PARAMS_MAX]; /* those that s.params shows */
    bool params_shown;                      /* false: it may show others, as showing failed */
    /* What the host calls the attributes of jobs: strings of the Lua state, which holds them. */
    const char *attribute_keys[PN_ATTRIBUTES_MAX];
    uint32_t attribute_count;
    uint32_t label_counts[PN_ATTRIBUTES_MAX]; /* 0: the attribute is a number */
    uint32_t group_count;
    uint32_t *group_ranks; /* by the kernel's number of a group; null: groups have no names */
    pn_lua_counts counts;
    struct policy_program *programs[FUNCTION_COUNT]; /* null: Lua is called */
    const char *unfit[FUNCTION_COUNT];               /* why a function has no program */
    bool has_tables;                                 /* among its parameters */
    struct policy_change *changes;                   /* of memory, by the programs that run */
    uint32_t change_count, change_room;
    uint64_t charged; /* by an act of the program that runs, in units of the budget */
    bool acted;       /* that program did something that the model's take_back undoes */

    policy_frame now; /* the call of the script that runs; its view is null outside of calls */
    void *answer;     /* of a call of admit: the answer to the kernel */
    bool broken;      /* a call that the kernel made inside another one has failed */
};

static inline pn_lua_policy *policy_of(lua_State *L)
{
    return sandbox_of(L)->owner;
}

/* Returns the view of the running call; raises when there is none. */
void *policy_view(lua_State *L);

/* ---- life.c: calls --------------------------------------------------------------------------- */

/* Enters a call, in the place of outer; scripts can only give in their own function, where the
 * kernel's view is not const. */
static inline pn_lua_policy *policy_enter(const void *table, const void *view,
                                          enum policy_moment moment, uint32_t job,
                                          policy_frame *outer)
{
    pn_lua_policy *policy = (pn_lua_policy *)(uintptr_t)table;
    *outer = policy->now;
    policy->now = (policy_frame){(void *)(uintptr_t)view, moment, job, 0, 0};
    return policy;
}

static inline void policy_leave(pn_lua_policy *policy, const policy_frame *outer)
{
    policy->now = *outer;
}

/* Loads as pn_lua_policy_load; the sandbox notes its calls, that of the file too, in *running,
 * which may be null. */
int policy_load_watched(pn_lua_policy **policy, const char *name, const char *text, size_t size,
                        const pn_lua_options *options, sandbox *volatile *running, char *message,
                        size_t message_size);

/* Pushes the script's function, the view and, if there is one, the job: as many arguments for
 * sandbox_call, or -1. */
int policy_push_call(pn_lua_policy *policy, int function);
/* Calls a function, compiled or in Lua, with the view, the job of the call, if it is about one, and
 * `count` values more: `results` values, at most three, nil where it returned fewer. 0, or -1. */
int policy_ask_for(pn_lua_policy *policy, int function, const policy_value *given, int count,
                   policy_value *values, int results);
/* Puts into the message what is wrong with a result of a function, as if the script had said so on
 * the line on which it begins; null: the value is not shown. */
void policy_complain(pn_lua_policy *policy, int function, const char *what,
                     const policy_value *value);
/* Ends a call that failed: the simulation stops, the message stays. PN_ERR_POLICY. */
int policy_give_up(pn_lua_policy *policy, const policy_frame *outer);
/* Makes a whole call without results. PN_OK, or as policy_give_up. */
int policy_act(const void *table, const void *view, int function, enum policy_moment moment,
               uint32_t job);
/* Tells that a job arrives or leaves: the script's hook, if it has one, and the job's number. */
int policy_arrive(const void *table, const void *view, uint32_t job);
void policy_finish(const void *table, const void *view, uint32_t job);
/* Maps a number to a word that is ordered as numbers are. False when it is none, or too large to be
 * exact. */
bool policy_key_word(const policy_value *value, uint64_t *word);
/* Asks a function for a key of one or two numbers. 0, or -1. */
int policy_ask_key(pn_lua_policy *policy, int function, const policy_value *given, int count,
                   pn_key *key);
/* Asks for an integer, which may be a float: `rule` says in a complaint what it should have been.
 * 0, or -1. */
int policy_ask_integer(pn_lua_policy *policy, int function, const policy_value *given, int count,
                       int64_t least, int64_t most, const char *rule, int64_t *integer);
/* Ends a call with policy_leave, or, where it has failed, policy_give_up. */
static inline void policy_end(pn_lua_policy *policy, const policy_frame *outer, bool good)
{
    if (good)
        policy_leave(policy, outer);
    else
        policy_give_up(policy, outer);
}
/* Writes the fewest digits that read back as the same double. */
void policy_write_double(const pn_lua_policy *policy, double value, char *text, size_t size);

/* The functions of a model's kernel that differ in nothing but the types of their arguments: those
 * that policy_model names, as MODEL_id and so on, and the hooks for the kernel's table. The first
 * part also serves kernels whose policies have no `act`, such as the scheduler core. */
#define POLICY_KERNEL_JOBS(MODEL)                                      \
    static uint64_t MODEL##_id(const void *view, uint32_t job)         \
    {                                                                  \
        return pn_##MODEL##_id(view, job);                             \
    }                                                                  \
    static uint32_t MODEL##_jobs_max(const void *view)                 \
    {                                                                  \
        return pn_##MODEL##_jobs_max(view);                            \
    }                                                                  \
    static void *MODEL##_state(const void *view)                       \
    {                                                                  \
        return pn_##MODEL##_state(view);                               \
    }                                                                  \
    static pn_stream *MODEL##_stream(const void *view)                 \
    {                                                                  \
        return pn_##MODEL##_stream(view);                              \
    }                                                                  \
    static double MODEL##_param(const void *view, uint32_t index)      \
    {                                                                  \
        return pn_##MODEL##_param_value(view, index);                  \
    }                                                                  \
    static int MODEL##_arrive(pn_##MODEL##_view *view, uint32_t job)   \
    {                                                                  \
        return policy_arrive(pn_##MODEL##_policy_of(view), view, job); \
    }                                                                  \
    static void MODEL##_finish(pn_##MODEL##_view *view, uint32_t job)  \
    {                                                                  \
        policy_finish(pn_##MODEL##_policy_of(view), view, job);        \
    }
#define POLICY_KERNEL(MODEL)                                                              \
    POLICY_KERNEL_JOBS(MODEL)                                                             \
    static int MODEL##_active(const void *view, uint32_t job)                             \
    {                                                                                     \
        return pn_##MODEL##_active(view, job);                                            \
    }                                                                                     \
    static void MODEL##_fail(const void *view, int status)                                \
    {                                                                                     \
        pn_##MODEL##_fail(view, status);                                                  \
    }                                                                                     \
    static int MODEL##_init(pn_##MODEL##_view *view)                                      \
    {                                                                                     \
        return policy_act(pn_##MODEL##_policy_of(view), view, FUNCTION_INIT, MOMENT_INIT, \
                          PN_NO_JOB);                                                     \
    }                                                                                     \
    static int MODEL##_act(pn_##MODEL##_view *view)                                       \
    {                                                                                     \
        return policy_act(pn_##MODEL##_policy_of(view), view, FUNCTION_ACT, MOMENT_ACT,   \
                          PN_NO_JOB);                                                     \
    }
#define POLICY_KERNEL_OF(MODEL)                                               \
    .id = MODEL##_id, .jobs_max = MODEL##_jobs_max, .active = MODEL##_active, \
    .state = MODEL##_state, .stream = MODEL##_stream, .fail = MODEL##_fail,   \
    .param_value = MODEL##_param, .params = offsetof(pn_##MODEL##_policy, params)

/* What jobs carry, where the kernel's functions have these names behind that of the model. */
#define POLICY_CARRIED(MODEL, GROUP, ATTRIBUTE)                                             \
    static uint32_t MODEL##_carried_group(const void *view, uint32_t job)                   \
    {                                                                                       \
        return pn_##MODEL##_##GROUP(view, job);                                             \
    }                                                                                       \
    static uint32_t MODEL##_carried_count(const void *view)                                 \
    {                                                                                       \
        return pn_##MODEL##_attribute_count(view);                                          \
    }                                                                                       \
    static double MODEL##_carried_attribute(const void *view, uint32_t job, uint32_t index) \
    {                                                                                       \
        return pn_##MODEL##_##ATTRIBUTE(view, job, index);                                  \
    }
#define POLICY_CARRIED_OF(MODEL)                                              \
    .group = MODEL##_carried_group, .attribute_count = MODEL##_carried_count, \
    .attribute = MODEL##_carried_attribute

/* The public functions that lead from a policy to the table that its model's kernel takes, null
 * when it is of another model, and back. Tables that were made here are named by a text inside the
 * policy. */
#define POLICY_PUBLIC(MODEL, TABLE, BEHIND)                                                      \
    const TABLE *pn_lua_policy_##MODEL(const pn_lua_policy *policy)                              \
    {                                                                                            \
        return policy && policy->model == &policy_##MODEL##_model ? &policy->table.MODEL : NULL; \
    }                                                                                            \
    const pn_lua_policy *BEHIND(const TABLE *table)                                              \
    {                                                                                            \
        const pn_lua_policy *policy = (const pn_lua_policy *)table;                              \
        return table && table->name == policy->name ? policy : NULL;                             \
    }

/* ---- labels.c -------------------------------------------------------------------------------- */

extern const luaL_Reg policy_label_methods[]; /* of every view */
extern const policy_question policy_label_questions[];
/* Frees what is known of groups. */
void policy_forget_groups(pn_lua_policy *policy);

/* ---- params.c -------------------------------------------------------------------------------- */

static inline bool policy_is_float(const pn_param *param)
{
    return !param->integer && !param->names;
}

/* Pushes a value as scripts see it. */
void policy_push_param(lua_State *L, const pn_param *param, double value);

/* ---- define.c -------------------------------------------------------------------------------- */

/* Returns a C function of (returned table, policy as light userdata) for a protected call; returns
 * the view and FUNCTION_COUNT functions. */
int policy_define(lua_State *L);

/* ---- export.c -------------------------------------------------------------------------------- */

/* Pushes a table of what pinion/export makes C of; nil where policies of the model are not
 * exported. 1. */
int policy_push_export(lua_State *L, const pn_lua_policy *policy);
/* Writes a field of the kernel's table, as one line: a number, unless it is 0; a word. */
void export_number(luaL_Buffer *out, const char *name, uint64_t value);
void export_word(luaL_Buffer *out, const char *name, const char *word);

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Adds `state` and `per_job` to the table on top of the stack. */
void policy_push_memory(lua_State *L, pn_lua_policy *policy);
/* Computes the bytes in the block: in all, and per place of the job table. */
void policy_size_memory(const pn_lua_policy *policy, size_t *bytes, size_t *bytes_per_job);
/* Clears the cells of a new job. A job that arrives gets a number; that of a job that leaves is
 * free again, and is given next. */
void policy_clear_job(const pn_lua_policy *policy, const void *view, uint32_t job);
/* Enters the job, or a complaint: false */
bool policy_enter_job(const pn_lua_policy *policy, const void *view, uint32_t job);
void policy_leave_job(const pn_lua_policy *policy, const void *view, uint32_t job);
/* Returns the number of the job in this place, 0 when it has left; the place of the job with this
 * number, PN_NO_JOB when there is none. */
lua_Integer policy_number(const pn_lua_policy *policy, const void *view, uint32_t job);
uint32_t policy_place(const pn_lua_policy *policy, const void *view, lua_Integer number);
/* Reads a single value of `state`; a value of an array or column, by index or job. False: only Lua
 * can say what is wrong. */
policy_value policy_read_state(const pn_lua_policy *policy, const void *view, uint32_t index);
bool policy_read_cell(const pn_lua_policy *policy, const void *view, uint32_t index,
                      const policy_value *at, policy_value *value);
/* Writes them likewise, a job as its number. False also where memory is short: what is written is
 * noted, and policy_take_back undoes all that was noted behind the first `kept` changes. */
bool policy_write_state(pn_lua_policy *policy, uint32_t index, const policy_value *value);
bool policy_write_cell(pn_lua_policy *policy, uint32_t index, const policy_value *at,
                       const policy_value *value);
void policy_take_back(pn_lua_policy *policy, uint32_t kept);
void policy_forget_changes(pn_lua_policy *policy);
/* Returns the cell of `state` that a name stands for; -1: there is no single value of that name. */
int policy_find_state(const pn_lua_policy *policy, const char *name);
/* Returns a sum of all that memory holds. */
uint64_t policy_sum_memory(const pn_lua_policy *policy);
/* Returns the model's own words of a job. */
uint64_t *policy_own_words(const pn_lua_policy *policy, const void *view, uint32_t job);

#endif
