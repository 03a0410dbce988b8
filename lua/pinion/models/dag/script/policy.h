/* A policy in Lua of the dag model, inside.
 *
 * policy.c    the functions that the dispatch core calls
 * define.c    reads the definition, and what a policy makes use of
 * export.c   the table in C
 * view.c      the view `s`: what a script may ask of nodes, queues, jobs and stages
 * preempt.c   what it may do on ticks: suppose, kill, launch
 *
 * Scripts count tasks and resources from 1, as lists of Lua do; nodes, queues and stages from 0, as
 * scenarios and logs do. All that they see is integers. */
#ifndef PINION_DAG_SCRIPT_POLICY_H
#define PINION_DAG_SCRIPT_POLICY_H

#include "policy/state.h"

/* Every function of the core's table that calls a script: what a policy has is taken from here. */
extern const pn_dispatch_policy dag_scripted;

extern const char *const dag_fields[];
void dag_define(lua_State *L, pn_lua_policy *policy);

/* What a policy makes use of: a bit for each word of its `uses`. */
enum dag_use {
    USES_QUEUES = 1 << 0,
    USES_LIMITS = 1 << 1,
    USES_VIRTUAL = 1 << 2,
    USES_PREEMPTS = 1 << 3,
    USES_CHANGES_SHIFT = 8,
    USES_CHANGES = 7 << USES_CHANGES_SHIFT /* `key.changes`: enum pn_dispatch_keys */
};

/* Returns the bits for the words of the list at `index`, of what it makes use of; `where` stands
 * before messages. */
uint32_t dag_read_uses(lua_State *L, int index, const char *where);
/* Refuses a policy that makes use of what it has no function for, or of what excludes each
 * other. */
void dag_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where, uint32_t uses);
/* Returns the descriptor that means the same to the core. */
pn_dispatch_order dag_describe(const pn_lua_policy *policy, uint32_t uses);

void dag_write_c(const pn_lua_policy *policy, luaL_Buffer *out);
extern const policy_question dag_questions[];
extern const luaL_Reg dag_methods[], dag_preempt_methods[];

/* ---- view.c: for methods --------------------------------------------------------------------- */

/* Returns the node, or the queue, at an argument; the stage of the job at `argument` whose index is
 * behind it, as its place. */
uint32_t dag_node_at(lua_State *L, const pn_dispatch_view *view, int argument);
uint32_t dag_queue_at(lua_State *L, const pn_dispatch_view *view, int argument);
uint32_t dag_stage_at(lua_State *L, const pn_dispatch_view *view, int argument);
/* Pushes an integer, the largest one in place of what is above it; 1. */
int dag_push_saturated(lua_State *L, uint64_t value);

#endif
