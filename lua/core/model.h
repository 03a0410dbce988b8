/* What a model brings to the binding: one table, behind which stands all that differs between
 * models. The tables of a model's workloads and of its checker are in headers of their own. */
#ifndef PINION_CORE_MODEL_H
#define PINION_CORE_MODEL_H

#include "binding.h"
#include "run/common.h"
#include "run/hash.h"
#include "run/rules.h"

/* The policies of a model; `policy` is the kernel's table of one, of the model's own type. */
typedef struct policy_kind {
    /* Sets what only policies of this model have, in the table on top of the stack; may be null. */
    void (*set)(lua_State *L, const void *policy);
    /* What jobs in this order of a policy wait for, "" where that may be anything; null behind the
     * last order. */
    const char *(*order)(const void *policy, uint32_t index);
    int says_range; /* 1: what is said of a parameter out of range names the range */
    /* Pushes a copy of a log's parameters at `table` without those that are the model's own; null:
     * all are the policy's. */
    void (*push_own_params)(lua_State *L, int table);
} policy_kind;

/* `order` of a model whose policies all have these. */
#define CORE_ORDERS(...)                                                      \
    static const char *policy_order(const void *policy, uint32_t index)       \
    {                                                                         \
        static const char *const orders[] = {__VA_ARGS__};                    \
        (void)policy;                                                         \
        return index < sizeof orders / sizeof *orders ? orders[index] : NULL; \
    }

/* The runs of a model. `self` is its own run, which begins with a run_base. */
typedef struct run_kind {
    const run_model *model;
    const row_shape *rows;
    /* Reads the argument table at index 1, where the workload has been read; null, or what is wrong
     * with the user's choice, on top of the stack. The table holds what the model's core.request
     * made of its settings, and what every run is asked: workload, policy, params, lua_policy,
     * bounds, keep_jobs, groups, estimates, seed, replica, log, quiet, label, checkpoint, every,
     * resume, about, the end of the run (settings.until_option), and a warm-up: warmup_jobs, or
     * warmup_ and the model's unit of time. run_read reads those that need nothing of the model; a
     * model that does not read another must refuse it in Lua (settings.lacks). */
    const char *(*read)(lua_State *L, run_base *self);
    /* Sets the model's results in the table on top of the stack. */
    void (*set)(lua_State *L, const run_base *self);
    /* The orders of a policy, and the kernel's ranking by one of them. */
    uint32_t orders;
    uint32_t (*ranking)(const run_base *self, uint32_t order, pn_ranked *ranked, uint32_t most);
    const char *weighted_mean; /* what it calls that of the times of its jobs */
    /* Whether the row of this index belongs to the warm-up, as those before it do: jobs are in
     * order of arrival. Null in a batch, which has no warm-up, nor numbers in the system. */
    int (*is_warmup)(const run_base *self, size_t index);
} run_kind;

struct workload_model;
struct verify_model;

struct core_model {
    const char *name;
    const pn_model *(*kernel)(void); /* the kernel's table of the model */
    /* The model's functions in pinion.core, which have the model as upvalue 1: core_run,
     * core_verify, core_scenario_hash by their names, and what else only this model has. */
    const luaL_Reg *functions;
    const policy_kind *policies;
    const run_kind *run;
    const struct workload_model *workload;
    const struct verify_model *verify;
    /* The hash of the settings in the argument table at index 1; null, or what is wrong with
     * them. */
    const char *(*hash_settings)(lua_State *L, uint64_t *hash);
    const hash_model *hash;
    /* The bytes of a small block that has every table, for the layout of checkpoints; null in
     * models that it does not cover. */
    size_t (*block_size)(void);
    const model_rules *rules; /* null: the model has none */
};

#define CORE_MODEL_PARTS(SOURCE, NAME, JOB)             \
    extern const core_model core_##NAME;                \
    extern const struct workload_model workload_##NAME; \
    extern const struct verify_model verify_##NAME;
SOURCE_OF_MODELS(CORE_MODEL_PARTS)

/* All of them, by enum source_model, ended by a null. */
extern const core_model *const core_models[];

/* Returns the model whose function runs. */
const core_model *core_model_of(lua_State *L);
/* Returns the model of this name, null when there is none. */
const core_model *core_model_find(const char *name);

/* ---- what a model's functions are ------------------------------------------------------------ */

/* Makes a whole run: the result table, or nil, "usage" or "run", and a message. */
int core_run(lua_State *L);
/* { workload, log, hash_of, and the model's } -> summary, or nil, message, kind. hash_of(policy,
 * params, scripted, rules) gives the hash that the scenario has with this policy; or nil and the
 * reason. */
int core_verify(lua_State *L);
/* { workload, policy, params, lua, and the model's settings } -> what decision logs call
 * "scenario", or nil and why there is none. */
int core_scenario_hash(lua_State *L);

/* ---- policies (policy.c) --------------------------------------------------------------------- */

/* Returns the built-in policy of this name; null when there is none. */
const void *core_policy_find(const core_model *model, const char *name);
/* Returns the kernel's table of the policy that the argument table at index 1 names: the one
 * written in Lua in field "lua_policy", which keeps it alive, or the built-in one called "policy".
 * `values` get those of its parameters in field "params". Null with *fault, on top of the stack. */
const void *core_read_policy(lua_State *L, const core_model *model, double values[],
                             const char **fault);
/* Returns the policy in field "lua_policy" of the argument table at index 1; null when it is
 * missing. */
const pn_lua_policy *core_lua_policy(lua_State *L);
/* Tells the policy in field "lua_policy" of the argument table at index 1, if there is one, what
 * the jobs of the workload carry. */
void core_name_jobs(lua_State *L, const source *work);
/* Returns the values of a policy's parameters: those in the table at `table` (which may also hold
 * other policies' parameters), the defaults elsewhere. Choices are given by their words, true and
 * false as such. Null, or a message on top of the stack. */
const char *core_read_params(lua_State *L, int table, const core_model *model, const void *policy,
                             double values[]);

/* ---- rules (rules.c) ------------------------------------------------------------------------- */

/* settings(model) -> the settings of scenario files: an array of the rules by rank, and the others
 * by name. Each has name, doc, value (the default), and low and high, or choices; perhaps
 * automatic. */
int core_settings(lua_State *L);
/* Reads a setting of scenario files, which is not a rule, from the argument table at index 1. */
uint32_t field_setting(lua_State *L, const core_model *model, const char *name);
/* Sets the rules that the table at `table` names in the model's configuration; it may also hold
 * other parameters. Null, or a message on top of the stack. */
const char *rules_read(lua_State *L, int table, const model_rules *rules, void *config);
/* Pushes a table of the rules in this configuration. */
void rules_push(lua_State *L, const model_rules *rules, const void *config);
/* Pushes a copy of the parameters at `table` without the rules: a model's push_own_params. */
void rules_push_others(lua_State *L, int table, const model_rules *rules);

/* ---- for runs (run.c, rows.c, checkpoint.c) -------------------------------------------------- */

/* Reads what every run is asked. */
void run_read(lua_State *L, run_base *self);
/* Sets statistics, over all jobs and by group; get(sim, group). */
typedef const pn_stats *run_stats(const void *sim, uint32_t group);
void run_set_stats(lua_State *L, const void *sim, run_stats *get, uint32_t groups, const char *all,
                   const char *by_group);
/* Sets "batches": { size, means }. */
void run_set_batches(lua_State *L, const pn_batches *batches);

/* Pushes the userdata "pinion.Rows". */
rows *rows_push(lua_State *L, const row_shape *shape);
/* Pushes a copy of the statistics as "pinion.Stats". */
void stats_push(lua_State *L, const pn_stats *stats);

/* Returns the checkpoint in a field of the table at `table`, which keeps it alive; null when there
 * is none. */
checkpoint *field_checkpoint(lua_State *L, int table, const char *name);

#endif
