/* The slotted model for Lua. */
#include <string.h>

#include "core/verify.h"
#include "core/workload.h"
#include "pinion/models/slotted/run/run.h"

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *flow_times(const void *sim, uint32_t group)
{
    return pn_slotted_flow_times(sim, group);
}

/* Sets the share of the slots that were saturated (SL35): up to the last finish, or up to the end
 * of the run if jobs are left. */
static void set_saturation(lua_State *L, const pn_slotted_totals *totals)
{
    uint64_t last = totals->in_system > 0 ? totals->slot : totals->last_finish;
    if (totals->relaxed || totals->first_arrival == 0)
        return;
    uint64_t slots = last - totals->first_arrival + 1;
    set_number(L, "saturation", (double)totals->slots_saturated / (double)slots);
}

static void set_result(lua_State *L, const run_base *run)
{
    const slotted_run *self = (const slotted_run *)run;
    const pn_slotted_totals *totals = &self->totals;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_slotted_digest(self->run.sim));
    set_integer(L, "submitted", totals->submitted);
    set_integer(L, "finished", totals->finished);
    set_integer(L, "in_system", totals->in_system);
    set_integer(L, "total_flow_time", totals->total_flow_time);
    set_integer(L, "slots", totals->last_finish);
    set_integer(L, "slots_run", totals->slots_run);
    set_integer(L, "units_run", totals->units_run);
    set_integer(L, "decisions", totals->decisions);
    set_integer(L, "heap_moves", totals->heap_moves);
    set_integer(L, "peak_jobs", totals->jobs_held_max);
    set_saturation(L, totals);
    set_string(L, "digest", digest);
    set_boolean(L, "relaxed", self->policy->relaxed);
    set_boolean(L, "complete", run->fed_all && totals->finished == totals->submitted);
    if (run->all_done && self->config.bounds == PN_SLOTTED_BOUNDS_FAST)
        set_integer(L, "lower_bound", totals->lower_bound);
    if (run->all_done && self->tight && !run->interrupted)
        set_integer(L, "lower_bound_tight", self->lower_bound_tight);
    run_set_stats(L, self->run.sim, flow_times, self->config.groups_max, "flow_times",
                  "group_flow_times");
    run_set_batches(L, pn_slotted_batches(self->run.sim));
}

static int is_warmup(const run_base *run, size_t index)
{
    const pn_slotted_config *config = &((const slotted_run *)run)->config;
    return index < config->warmup_jobs ||
           rows_at(run->rows, index)->values[0].integer <= config->warmup_slots;
}

/* ---- the request ----------------------------------------------------------------------------- */

static const char *read_request(lua_State *L, run_base *run)
{
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    slotted_run *self = (slotted_run *)run;
    const char *fault;
    int bound;
    self->config = pn_slotted_defaults();
    self->config.machines = field_setting(L, &core_slotted, "machines");
    self->config.reduce = field_setting(L, &core_slotted, "reduce");
    self->config.groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20,
                                                         0);
    self->config.estimates = (uint32_t)field_boolean(L, 1, "estimates");
    self->config.statistics = 1;
    self->config.attributes = run->work->attribute_count;
    self->config.warmup_jobs = field_count(L, 1, "warmup_jobs");
    self->config.warmup_slots = field_count(L, 1, "warmup_slots");
    self->config.seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    self->config.replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    lua_getfield(L, 1, "bounds");
    bound = luaL_checkoption(L, -1, "fast", bounds);
    self->config.bounds = bound == 0 ? PN_SLOTTED_BOUNDS_NONE : PN_SLOTTED_BOUNDS_FAST;
    self->tight = bound == 2;
    run->until = field_number_or(L, 1, "until_slot", (double)INFINITY);
    run_read(L, run);
    self->policy = core_read_policy(L, &core_slotted, self->params, &fault);
    return fault;
}

static uint32_t ranking(const run_base *run, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    return pn_slotted_ranking(run->sim, order, ranked, most);
}

static const run_kind runs = {.model = &slotted_model,
                              .rows = &slotted_rows,
                              .read = read_request,
                              .orders = PN_SLOTTED_ORDERS_MAX,
                              .ranking = ranking,
                              .weighted_mean = "weighted_mean_flow_time",
                              .set = set_result,
                              .is_warmup = is_warmup};

/* ---- policies -------------------------------------------------------------------------------- */

static void set_policy(lua_State *L, const void *any)
{
    const pn_slotted_policy *policy = any;
    set_boolean(L, "preemptive", policy->preemptive);
    set_boolean(L, "nonpreemptive", policy->nonpreemptive);
    set_boolean(L, "work_conserving", policy->work_conserving);
    set_boolean(L, "relaxed", policy->relaxed);
}

static const char *policy_order(const void *any, uint32_t index)
{
    const pn_slotted_policy *policy = any;
    return index < policy->order_count ? "" : NULL;
}

static const policy_kind policies = {.set = set_policy, .order = policy_order, .says_range = 1};

/* ---- the hash of a scenario, checkpoints ----------------------------------------------------- */

static const char *hash_settings(lua_State *L, uint64_t *hash)
{
    uint32_t machines = field_setting(L, &core_slotted, "machines");
    *hash = slotted_hash_settings(machines, field_setting(L, &core_slotted, "reduce"));
    return NULL;
}

static size_t small_block(void)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 3;
    config.jobs_max = 5;
    config.stretches_max = 7;
    config.groups_max = config.estimates = config.statistics = 1;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    return pn_slotted_size(&config);
}

/* ---- the model ------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {{"slotted_run", core_run},
                                     {"slotted_verify", core_verify},
                                     {"slotted_scenario_hash", core_scenario_hash},
                                     {NULL, NULL}};

const core_model core_slotted = {.name = "slotted",
                                 .kernel = pn_slotted_model,
                                 .functions = functions,
                                 .policies = &policies,
                                 .run = &runs,
                                 .workload = &workload_slotted,
                                 .verify = &verify_slotted,
                                 .hash_settings = hash_settings,
                                 .hash = &slotted_hash,
                                 .block_size = small_block};
