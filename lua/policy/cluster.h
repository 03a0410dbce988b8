/* A policy in Lua of the cluster model, inside.
 *
 * cluster.c             the functions that the scheduler core calls
 * cluster_define.c      reads the definition, and what a policy makes use of
 * cluster_view.c        the view `s`: what a script may ask of the cluster, shares, kills
 * cluster_admission.c   what it may ask of jobs with deadlines: estimates, promises, limits
 *
 * Scripts count tasks from 1, as the log does, and nodes from 0. All that they see is integers. */
#ifndef PINION_POLICY_CLUSTER_H
#define PINION_POLICY_CLUSTER_H

#include "state.h"

/* Every function of the core's table that calls a script: what a policy has is taken from here. */
extern const pn_scheduler_policy cluster_scripted;

extern const char *const cluster_fields[];
void cluster_define(lua_State *L, pn_lua_policy *policy);

extern const char *const cluster_kinds[]; /* of tasks, by number, ended by a null */

/* Bits for the words of the list at `index`, of what it makes use of, and for the word of when keys
 * change; `where` stands before messages. */
uint32_t cluster_read_uses(lua_State *L, int index, const char *where);
uint32_t cluster_read_changes(lua_State *L, int index, const char *where);
/* Refuses a policy that makes use of what it has no function for, or of what excludes each other,
 * or that decides nothing. */
void cluster_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where,
                        uint32_t uses);

/* Own words of a job: what s:fill writes. */
#define CLUSTER_OWN_WORDS 1

extern const luaL_Reg cluster_methods[], cluster_admission_methods[];

/* ---- cluster_view.c: for methods ------------------------------------------------------------- */

uint32_t cluster_kind_at(lua_State *L, int argument);
/* Raises outside of the function `hook`: "tasks are killed only in preempt". */
void cluster_only_in(lua_State *L, enum policy_moment moment, const char *what, const char *hook);
/* Raises where none of these bits is in use: "there are no shares (declare uses = { "shares"
 * })". */
void cluster_need_use(lua_State *L, const pn_scheduler_view *view, uint32_t uses, const char *what,
                      const char *declare);
/* What the core did may have asked the script for a key, and that may have failed: then this fails
 * too. */
void cluster_check_broken(lua_State *L);

#endif
