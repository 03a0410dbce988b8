/* A policy in Lua of the cluster model, inside.
 *
 * policy.c      the functions that the scheduler core calls
 * define.c      reads the definition, and what a policy makes use of
 * view.c        the view `s`: what a script may ask of the cluster, shares, kills,
 *               suspensions
 * export.c      the table in C
 * admission.c   what it may ask of jobs with deadlines: estimates, promises, limits
 *
 * Scripts count tasks from 1, as the log does, and nodes from 0. All that they see is integers. */
#ifndef PINION_CLUSTER_SCRIPT_POLICY_H
#define PINION_CLUSTER_SCRIPT_POLICY_H

#include "policy/state.h"

/* Every function of the core's table that calls a script: what a policy has is taken from here. */
extern const pn_scheduler_policy cluster_scripted;

extern const char *const cluster_fields[];
void cluster_define(lua_State *L, pn_lua_policy *policy);

extern const char *const cluster_kinds[]; /* of tasks, by number, ended by a null */

/* What a policy makes use of: a bit for each word of its `uses`, and what other fields say. */
enum cluster_use {
    USES_ESTIMATES = 1 << 0,
    USES_SHARES = 1 << 1,
    USES_DELAYS = 1 << 2,
    USES_COLOCATES = 1 << 3,
    USES_STRICT = 1 << 4,
    USES_ELAPSES = 1 << 5,
    USES_MEMORYLESS = 1 << 6,
    USES_IN_ORDER = 1 << 7,
    USES_MAPS_FIRST = 1 << 8,
    USES_RESERVES = 1 << 9,
    USES_RESERVES_LESS = 1 << 10,
    USES_DEADLINES = 1 << 11,
    USES_FORECASTS = 1 << 12,
    USES_KEEP = 1 << 13,
    USES_SATU = 1 << 14,
    USES_SUSPENDS = 1 << 15,
    USES_RESERVES_STRICT = 1 << 16,
    USES_CHANGES_SHIFT = 17,
    USES_CHANGES = 3 << USES_CHANGES_SHIFT, /* `key.changes`: enum pn_scheduler_keys */
    USES_RECORDS = 1 << 19                  /* the field `records` */
};

/* Returns the bits for the words of the list at `index`, of what it makes use of, and for the word
 * of when keys change; `where` stands before messages. */
uint32_t cluster_read_uses(lua_State *L, int index, const char *where);
uint32_t cluster_read_changes(lua_State *L, int index, const char *where);
/* Refuses a policy that makes use of what it has no function for, or of what excludes each other,
 * or that decides nothing. */
void cluster_check_uses(lua_State *L, const pn_lua_policy *policy, const char *where,
                        uint32_t uses);
/* Writes the descriptors that mean the same to the core. */
void cluster_describe(uint32_t uses, pn_scheduler_order *order, pn_scheduler_admission *admission);

/* Own words of a job: what s:fill writes. */
#define CLUSTER_OWN_WORDS 1

void cluster_write_c(const pn_lua_policy *policy, luaL_Buffer *out);
extern const policy_question cluster_questions[];
extern const luaL_Reg cluster_methods[], cluster_admission_methods[];

/* ---- view.c: for methods --------------------------------------------------------------------- */

uint32_t cluster_kind_at(lua_State *L, int argument);
/* Raises outside of the function `hook`: "tasks are killed only in preempt". */
void cluster_only_in(lua_State *L, enum policy_moment moment, const char *what, const char *hook);
/* Raises unless the policy has them: "there are no shares (declare uses = { "shares" })". */
void cluster_need(lua_State *L, bool has, const char *what, const char *declare);
/* Checks for a broken call: what the core did may have asked the script for a key, and that may
 * have failed: then this fails too. */
void cluster_check_broken(lua_State *L);

#endif
