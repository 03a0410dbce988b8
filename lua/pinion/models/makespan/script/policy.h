/* A policy in Lua of the makespan model, inside.
 *
 * policy.c   the function that the kernel calls, and the answer that it gets
 * define.c   reads the definition
 * view.c     the view `s`: what a script may ask of the batch
 * search.c   what the kernel does for it: Johnson's orders, the evaluation of an order
 *
 * Scripts name jobs by their ids, 1 … n; the kernel by places, id - 1. All times that scripts see
 * are exact numbers, in units of time. */
#ifndef PINION_MAKESPAN_SCRIPT_POLICY_H
#define PINION_MAKESPAN_SCRIPT_POLICY_H

#include "sandbox/exact.h"
#include "policy/state.h"

extern const char *const makespan_fields[];
void makespan_define(lua_State *L, pn_lua_policy *policy);

/* Words of the kernel's enums, in their order, ended by a null. */
/* times from PN_MAKESPAN_GIVEN on */
extern const char *const makespan_stages[], *const makespan_times[];

extern const luaL_Reg makespan_methods[];
int makespan_johnson(lua_State *L);
int makespan_evaluate(lua_State *L);

/* ---- room for lists of jobs ---- */

/* In the policy's memory of the block: as many entries as there are jobs. */
typedef struct makespan_room {
    pn_exact *value[2]; /* by job: what an order by Johnson's rule compares */
    uint32_t *jobs;     /* the current list, of places */
    uint32_t *seen;     /* by job: the list that last named it */
    uint32_t *list;     /* number of the current list */
} makespan_room;

#define MAKESPAN_ROOM         sizeof(uint64_t)
#define MAKESPAN_ROOM_PER_JOB (2 * sizeof(pn_exact) + 2 * sizeof(uint32_t))

makespan_room makespan_room_of(const pn_makespan_view *view);
/* Begins a list: no job has been named. */
void makespan_begin_list(const pn_makespan_view *view, const makespan_room *room);

/* Reads job ids from the table at `index` behind the `count` jobs that the list has; how many it
 * has then. `what` goes before messages: "evaluate: ". */
uint32_t makespan_read_jobs(lua_State *L, const pn_makespan_view *view, int index, const char *what,
                            uint32_t count);
/* Pushes a list of ids. */
void makespan_push_jobs(lua_State *L, const uint32_t *jobs, uint32_t count);

/* ---- arguments ---- */

/* Returns the view; raises where a script may only ask for values. */
pn_makespan_view *makespan_self(lua_State *L);
/* Returns the index of the string at `index` among words; raises with "what must be one of …". */
int makespan_word(lua_State *L, int index, const char *what, const char *const words[]);
/* Returns a number of slots at `index`, at most what the cluster has for the stage, and that for
 * nil. */
uint32_t makespan_slots_at(lua_State *L, const pn_makespan_view *view, int index, const char *what,
                           uint32_t stage);
/* Returns the place of the job with the id at this argument. */
uint32_t makespan_job_at(lua_State *L, const void *view, int argument);
/* Pushes a time given in coarse ticks, in units of time. */
void makespan_push_time(lua_State *L, const pn_makespan_view *view, pn_exact ticks);

#endif
