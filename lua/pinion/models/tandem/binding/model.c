/* The tandem model for Lua. */
#include "core/model.h"
#include "core/verify.h"
#include "core/workload.h"
#include "pinion/models/tandem/run/run.h"

/* ---- the result ------------------------------------------------------------------------------ */

static const pn_stats *response_times(const void *sim, uint32_t group)
{
    return pn_tandem_response_times(sim, group);
}

static const pn_stats *slowdowns(const void *sim, uint32_t group)
{
    return pn_tandem_slowdowns(sim, group);
}

/* Sets "slowdown_buckets": an array of { count, sum, squares } by size of job, the last of all
 * larger ones. */
static void set_buckets(lua_State *L, const tandem_run *self)
{
    if (self->config.buckets_max == 0)
        return;
    lua_createtable(L, (int)self->config.buckets_max + 1, 0);
    for (uint32_t i = 0; i <= self->config.buckets_max; i++) {
        const pn_tandem_bucket *bucket = pn_tandem_slowdown_bucket(self->run.sim, i);
        lua_createtable(L, 0, 3);
        set_integer(L, "count", bucket->count);
        set_number(L, "sum", bucket->sum);
        set_number(L, "squares", bucket->squares);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "slowdown_buckets");
}

static void set_result(lua_State *L, const run_base *run)
{
    const tandem_run *self = (const tandem_run *)run;
    const pn_tandem_totals *totals = &self->totals;
    uint64_t arrived = totals->finished + totals->in_system;
    char digest[DIGEST_SIZE];
    format_digest(digest, pn_tandem_digest(self->run.sim));
    /* Jobs are submitted ahead of their arrival; where the run ends before that, nothing is known
     * of them. */
    set_integer(L, "submitted", arrived);
    if (run->rows && run->rows->count > arrived)
        run->rows->count = (size_t)arrived;
    set_integer(L, "finished", totals->finished);
    set_integer(L, "in_system", totals->in_system);
    set_number(L, "total_response_time", totals->total_response_time);
    set_number(L, "mean_in_system", totals->mean_in_system);
    if (totals->finished > 0)
        set_number(L, "makespan", totals->last_finish - totals->first_arrival);
    set_number(L, "time", totals->time);
    set_number(L, "map_busy", totals->map_busy);
    set_number(L, "shuffle_busy", totals->shuffle_busy);
    set_integer(L, "instants", totals->instants);
    set_integer(L, "decisions", totals->decisions);
    set_integer(L, "heap_moves", totals->heap_moves);
    set_integer(L, "peak_jobs", totals->in_system_max);
    set_string(L, "digest", digest);
    set_boolean(L, "complete", run->fed_all && totals->finished == totals->submitted);
    if (run->all_done && self->config.bounds != PN_TANDEM_BOUNDS_NONE)
        set_number(L, "lower_bound", totals->lower_bound);
    if (run->all_done && self->config.bounds == PN_TANDEM_BOUNDS_TIGHT)
        set_number(L, "lower_bound_tight", totals->lower_bound_tight);
    run_set_stats(L, self->run.sim, response_times, self->config.groups_max, "response_times",
                  "group_response_times");
    run_set_stats(L, self->run.sim, slowdowns, self->config.groups_max, "slowdowns",
                  "group_slowdowns");
    run_set_batches(L, pn_tandem_batches(self->run.sim));
    set_buckets(L, self);
}

static int is_warmup(const run_base *run, size_t index)
{
    const pn_tandem_config *config = &((const tandem_run *)run)->config;
    return index < config->warmup_jobs ||
           rows_at(run->rows, index)->values[0].real < config->warmup_time;
}

/* ---- the request ----------------------------------------------------------------------------- */

static const char *read_request(lua_State *L, run_base *run)
{
    /* as enum pn_tandem_bounds */
    static const char *const bounds[] = {"none", "fast", "tight", NULL};
    tandem_run *self = (tandem_run *)run;
    const char *fault;
    pn_tandem_config *config = &self->config;
    *config = pn_tandem_defaults();
    config->speed = field_number_or(L, 1, "speed", 1.0);
    config->traditional = (uint32_t)field_boolean(L, 1, "traditional");
    config->groups_max = (uint32_t)field_integer_or(L, 1, "groups", 0, (lua_Integer)1 << 20, 0);
    config->estimates = (uint32_t)field_boolean(L, 1, "estimates");
    config->ranks = 1;
    config->attributes = run->work->attribute_count;
    config->statistics = 1;
    config->buckets_max = (uint32_t)field_integer_or(L, 1, "buckets", 0, (lua_Integer)1 << 24, 0);
    config->bucket_width = field_number_or(L, 1, "bucket_width", 0.0);
    config->warmup_jobs = field_count(L, 1, "warmup_jobs");
    config->warmup_time = field_number_or(L, 1, "warmup_time", 0.0);
    config->seed = (uint64_t)field_integer_or(L, 1, "seed", INT64_MIN, INT64_MAX, 1);
    config->replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    lua_getfield(L, 1, "bounds");
    config->bounds = (uint32_t)luaL_checkoption(L, -1, "fast", bounds);
    run->until = field_number_or(L, 1, "until_time", (double)INFINITY);
    run_read(L, run);
    self->policy = core_read_policy(L, &core_tandem, self->params, &fault);
    return fault;
}

static uint32_t ranking(const run_base *run, uint32_t order, pn_ranked *ranked, uint32_t most)
{
    return pn_tandem_ranking(run->sim, order, ranked, most);
}

static const run_kind runs = {.model = &tandem_model,
                              .rows = &tandem_rows,
                              .read = read_request,
                              .orders = PN_TANDEM_ORDERS_MAX,
                              .ranking = ranking,
                              .weighted_mean = "weighted_mean_response_time",
                              .set = set_result,
                              .is_warmup = is_warmup};

/* ---- policies -------------------------------------------------------------------------------- */

static void set_policy(lua_State *L, const void *any)
{
    const pn_tandem_policy *policy = any;
    const pn_lua_policy *script = pn_lua_policy_behind_tandem(policy);
    set_boolean(L, "work_conserving", policy->work_conserving == PN_TANDEM_WORK_CONSERVING);
    set_boolean(L, "work_conserving_by_default", policy->work_conserving != PN_TANDEM_NO_PROMISE);
    set_boolean(L, "relaxed", 0);
    set_boolean(L, "ranks", script ? pn_lua_policy_ranks(script) : policy == pn_tandem_priority());
}

static const char *policy_order(const void *any, uint32_t index)
{
    const pn_tandem_policy *policy = any;
    if (index >= policy->order_count)
        return NULL;
    uint8_t members = policy->orders[index].members;
    return members == PN_TANDEM_MAPPING ? "map" : members == PN_TANDEM_BACKLOG ? "shuffle" : "";
}

static const policy_kind policies = {.set = set_policy, .order = policy_order};

/* ---- the hash of a scenario, checkpoints ----------------------------------------------------- */

static const char *hash_settings(lua_State *L, uint64_t *hash)
{
    double speed = field_number(L, 1, "speed");
    *hash = tandem_hash_settings(speed, (uint32_t)field_boolean(L, 1, "traditional"));
    return NULL;
}

static size_t small_block(void)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 5;
    config.groups_max = config.estimates = config.statistics = 1;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    config.buckets_max = 3;
    config.bucket_width = 1.0;
    return pn_tandem_size(&config);
}

/* ---- the model ------------------------------------------------------------------------------- */

static const luaL_Reg functions[] = {{"tandem_run", core_run},
                                     {"tandem_verify", core_verify},
                                     {"tandem_scenario_hash", core_scenario_hash},
                                     {NULL, NULL}};

const core_model core_tandem = {.name = "tandem",
                                .kernel = pn_tandem_model,
                                .functions = functions,
                                .policies = &policies,
                                .run = &runs,
                                .workload = &workload_tandem,
                                .verify = &verify_tandem,
                                .hash_settings = hash_settings,
                                .hash = &tandem_hash,
                                .block_size = small_block};
