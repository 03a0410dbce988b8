/* The userdata "pinion.Workload": a source with a Lua handle. */
#include <stdio.h>
#include <string.h>

#include "base/interrupt.h"
#include "workload.h"

#define WORKLOAD "pinion.Workload"

static source *check_workload(lua_State *L)
{
    workload *self = luaL_checkudata(L, 1, WORKLOAD);
    luaL_argcheck(L, self->work, 1, "the workload was never finished");
    return self->work;
}

source *field_any_workload(lua_State *L, int table)
{
    workload *self;
    luaL_checktype(L, table, LUA_TTABLE);
    lua_getfield(L, table, "workload");
    self = luaL_testudata(L, -1, WORKLOAD);
    if (!self || !self->work)
        luaL_argerror(L, table, "workload: must be a " WORKLOAD);
    lua_pop(L, 1);
    return self->work;
}

static const char *model_of(const source *work)
{
    return work->next ? "slotted" : work->next_tandem ? "tandem" : work->next_makespan ? "makespan" : "cluster";
}

/* The jobs must be of this model. */
static source *field_model(lua_State *L, int table, const char *model)
{
    source *work = field_any_workload(L, table);
    if (strcmp(model_of(work), model) != 0)
        luaL_argerror(L, table, lua_pushfstring(L, "workload: its jobs are of the %s model", model_of(work)));
    return work;
}

source *field_workload(lua_State *L, int table)
{
    return field_model(L, table, "slotted");
}

source *field_tandem_workload(lua_State *L, int table)
{
    return field_model(L, table, "tandem");
}

source *field_makespan_workload(lua_State *L, int table)
{
    return field_model(L, table, "makespan");
}

source *field_cluster_workload(lua_State *L, int table)
{
    return field_model(L, table, "cluster");
}

int workload_interrupted(lua_Integer jobs)
{
    return (jobs & 0xFF) == 0 && interrupt_pending();
}

workload *workload_push(lua_State *L)
{
    workload *self = lua_newuserdatauv(L, sizeof *self, 1);
    self->work = NULL;
    luaL_setmetatable(L, WORKLOAD);
    return self;
}

static int workload_gc(lua_State *L)
{
    workload *self = luaL_checkudata(L, 1, WORKLOAD);
    if (self->work)
        self->work->destroy(self->work);
    self->work = NULL;
    return 0;
}

static int workload_tostring(lua_State *L)
{
    const source *work = check_workload(L);
    if (work->count == SOURCE_UNKNOWN)
        lua_pushliteral(L, "workload (generated)");
    else
        lua_pushfstring(L, "workload of %I jobs", (LUAI_UACINT)work->count);
    return 1;
}

/* ---- methods ---------------------------------------------------------------------------------------- */

static int workload_count(lua_State *L)
{
    const source *work = check_workload(L);
    if (work->count == SOURCE_UNKNOWN)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)work->count);
    return 1;
}

/* Of the makespan model: of its durations, to the unit of time; nil in other models. */
static int workload_ticks(lua_State *L)
{
    const source *work = check_workload(L);
    if (work->next_makespan)
        lua_pushinteger(L, (lua_Integer)work->ticks);
    else
        lua_pushnil(L);
    return 1;
}

/* Of the cluster model, what the jobs need of a cluster: so many nodes, as one lists the last of them; whether any has reduces.
 */
static int workload_needs(lua_State *L)
{
    const source *work = check_workload(L);
    lua_pushinteger(L, (lua_Integer)work->nodes);
    lua_pushboolean(L, work->reduces);
    return 2;
}

/* ---- statistics --------------------------------------------------------------------------------------- */

/* The histograms reach from 2^-64 to 2^64; what lies outside counts in their last cells. */
#define FIRST_OCTAVE (-64)
#define OCTAVES      128
#define FIRST_LEAST  0x1p-64 /* 2^FIRST_OCTAVE */

void workload_count_quantities(lua_State *L, counted *quantities, int count)
{
    size_t size = pn_stats_size(FIRST_OCTAVE, OCTAVES);
    char *room = lua_newuserdatauv(L, (size_t)count * size, 0);
    for (int i = 0; i < count; i++) {
        quantities[i] = (counted){(pn_stats *)(void *)(room + (size_t)i * size), 0.0};
        pn_stats_init(quantities[i].stats, FIRST_OCTAVE, OCTAVES, 0);
    }
}

void counted_add(counted *quantity, double amount)
{
    pn_stats_add(quantity->stats, amount);
    quantity->sum += amount;
}

void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* Zeros are in the first cell, which stands for what is in its middle. */
static double quantile(const pn_stats *stats, double q)
{
    double value = pn_stats_quantile(stats, q);
    return value < 2.0 * FIRST_LEAST ? stats->min : value;
}

void workload_set_counted(lua_State *L, const char *name, const counted *quantity)
{
    const pn_stats *stats = quantity->stats;
    lua_createtable(L, 0, 9);
    set_integer(L, "count", stats->count);
    set_number(L, "sum", quantity->sum);
    set_number(L, "mean", stats->mean);
    set_number(L, "sd", pn_sqrt(pn_stats_variance(stats)));
    set_number(L, "min", stats->min);
    set_number(L, "p50", quantile(stats, 0.5));
    set_number(L, "p90", quantile(stats, 0.9));
    set_number(L, "p99", quantile(stats, 0.99));
    set_number(L, "max", stats->max);
    lua_setfield(L, -2, name);
}

/* ---- jobs --------------------------------------------------------------------------------------------- */

static int workload_totals(lua_State *L)
{
    source *work = check_workload(L);
    uint64_t jobs = 0, maps = 0, reduces = 0, tasks = 0, map_only = 0, first = 0, last = 0;
    pn_slotted_job job;
    int answer;
    if (work->next_tandem)
        return workload_tandem_totals(L, work);
    if (work->next_makespan)
        return workload_makespan_totals(L, work);
    if (work->next_cluster)
        return workload_cluster_totals(L, work);
    work->rewind(work);
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        uint64_t units = 0;
        if ((++jobs & 0xFFFF) == 0 && interrupt_pending())
            return push_failure(L, "interrupted");
        for (size_t i = 0; i < job.reduce_count; i++) {
            units += job.reduces[i];
            tasks += job.reduces[i] > 0;
            if (units > PN_INTEGER_MAX)
                break;
        }
        maps += job.maps;
        reduces += units;
        if (units > PN_INTEGER_MAX || maps > INT64_MAX / 2 || reduces > INT64_MAX / 2)
            return push_failure(L, "the workload has too much work to add up");
        map_only += units == 0;
        first = first ? first : job.arrival;
        last = job.arrival;
    }
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    lua_createtable(L, 0, 7);
    set_integer(L, "jobs", jobs);
    set_integer(L, "maps", maps);
    set_integer(L, "reduces", reduces);
    set_integer(L, "reduce_tasks", tasks);
    set_integer(L, "map_only", map_only);
    if (jobs > 0) {
        set_integer(L, "first_arrival", first);
        set_integer(L, "last_arrival", last);
    }
    return 1;
}

static void set_estimate(lua_State *L, const char *name, uint64_t estimate)
{
    if (estimate != 0)
        set_integer(L, name, estimate == PN_SLOTTED_ESTIMATE_ZERO ? 0 : estimate);
}

static void push_job(lua_State *L, const pn_slotted_job *job)
{
    lua_createtable(L, 0, 6);
    set_integer(L, "arrival", job->arrival);
    set_integer(L, "maps", job->maps);
    set_integer(L, "group", job->group);
    set_estimate(L, "estimate_maps", job->estimate_maps);
    set_estimate(L, "estimate_reduces", job->estimate_reduces);
    lua_createtable(L, (int)job->reduce_count, 0);
    for (size_t i = 0; i < job->reduce_count; i++) {
        lua_pushinteger(L, (lua_Integer)job->reduces[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "reduces");
}

static int workload_job(lua_State *L)
{
    source *work = check_workload(L);
    lua_Integer index = luaL_checkinteger(L, 2);
    pn_slotted_job job;
    luaL_argcheck(L,
                  source_is_table(work) || source_is_tandem_table(work) || work->next_makespan || source_is_cluster_table(work),
                  1, "a generated workload knows its jobs only in order, see jobs()");
    luaL_argcheck(L, 1 <= index && (uint64_t)index <= work->count, 2, "no job of this number");
    if (work->next_tandem) {
        workload_push_tandem_job(L, source_tandem_table_at(work, (uint64_t)index - 1));
        return 1;
    }
    if (work->next_makespan)
        return workload_makespan_job(L, work, (uint64_t)index - 1);
    if (work->next_cluster) {
        pn_cluster_job listed;
        source_cluster_table_at(work, (uint64_t)index - 1, &listed);
        workload_push_cluster_job(L, &listed);
        return 1;
    }
    source_table_at(work, (uint64_t)index - 1, &job);
    push_job(L, &job);
    return 1;
}

static int workload_jobs(lua_State *L)
{
    source *work = check_workload(L);
    lua_Integer limit = luaL_checkinteger(L, 2), made = 0;
    pn_slotted_job job;
    int answer;
    if (work->next_tandem)
        return workload_tandem_jobs(L, work, limit);
    if (work->next_makespan)
        return workload_makespan_jobs(L, work, limit);
    if (work->next_cluster)
        return workload_cluster_jobs(L, work, limit);
    work->rewind(work);
    lua_newtable(L);
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        if (made == limit)
            return push_failure(L, lua_pushfstring(L, "the workload has more than %I jobs", (LUAI_UACINT)limit));
        push_job(L, &job);
        lua_rawseti(L, -2, ++made);
        if (workload_interrupted(made))
            return push_failure(L, "interrupted");
    }
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    return 1;
}

/* ---- makers ----------------------------------------------------------------------------------------- */

int workload_out_of_memory(lua_State *L)
{
    return luaL_error(L, "not enough memory for the workload");
}

/* An estimate of 0 is a size of its own; one that is missing equals the truth. */
static uint64_t field_estimate(lua_State *L, int table, const char *name)
{
    lua_Integer value = field_integer_or(L, table, name, 0, (lua_Integer)PN_INTEGER_MAX, -1);
    return value < 0 ? 0 : value == 0 ? PN_SLOTTED_ESTIMATE_ZERO : (uint64_t)value;
}

static void read_reduces(lua_State *L, source *table)
{
    lua_getfield(L, 2, "reduces");
    if (!lua_isnil(L, -1)) {
        luaL_argcheck(L, lua_istable(L, -1), 1, "reduces: must be an array");
        for (lua_Integer i = 1, count = luaL_len(L, -1); i <= count; i++) {
            lua_Integer units;
            lua_geti(L, -1, i);
            units = lua_tointeger(L, -1);
            luaL_argcheck(L, lua_isinteger(L, -1) && units >= 0, 1, "reduces: must be integers >= 0");
            lua_pop(L, 1);
            if (!source_table_reduce(table, (uint64_t)units, 1))
                workload_out_of_memory(L);
        }
    }
    lua_pop(L, 1);
}

static int make_table(lua_State *L)
{
    workload *self;
    lua_Integer count, arrival = 1;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    count = luaL_len(L, 1);
    lua_pushnil(L); /* index 2: the job that is being read */
    self = workload_push(L);
    self->work = source_table_new();
    for (lua_Integer i = 1; self->work && i <= count; i++) {
        pn_slotted_job job = {0};
        if (workload_interrupted(i))
            return push_failure(L, "interrupted");
        lua_geti(L, 1, i);
        lua_replace(L, 2);
        arrival = field_integer(L, 2, "arrival", arrival, (lua_Integer)PN_INTEGER_MAX);
        job.arrival = (uint64_t)arrival;
        job.maps = (uint64_t)field_integer_or(L, 2, "maps", 0, (lua_Integer)PN_INTEGER_MAX, 0);
        job.group = (uint32_t)field_integer_or(L, 2, "group", 0, (lua_Integer)UINT32_MAX - 1, 0);
        job.estimate_maps = field_estimate(L, 2, "estimate_maps");
        job.estimate_reduces = field_estimate(L, 2, "estimate_reduces");
        if (!source_table_begin(self->work, &job))
            return workload_out_of_memory(L);
        read_reduces(L, self->work);
    }
    if (!self->work || !source_table_seal(self->work))
        return workload_out_of_memory(L);
    return 1;
}

const char *workload_distribution(lua_State *L, const char *name, distribution *sizes, const char *(*check)(const distribution *))
{
    const char *fault;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_getfield(L, 1, name);
    luaL_argcheck(L, lua_istable(L, -1), 1, lua_pushfstring(L, "%s: must be a distribution", name));
    lua_getfield(L, -1, "kind");
    sizes->kind = (enum distribution_kind)luaL_checkoption(L, -1, NULL, distribution_names);
    lua_getfield(L, -2, "a");
    sizes->a = luaL_checknumber(L, -1);
    lua_getfield(L, -3, "b");
    sizes->b = luaL_optnumber(L, -1, 0.0);
    lua_pop(L, 4);
    fault = check(sizes);
    return fault ? lua_pushfstring(L, "%s: %s", name, fault) : NULL;
}

static const char *read_distribution(lua_State *L, const char *name, distribution *sizes)
{
    return workload_distribution(L, name, sizes, distribution_check);
}

static int make_zheng(lua_State *L)
{
    distribution maps, reduces;
    workload *self;
    const char *fault = read_distribution(L, "maps", &maps);
    double rate = field_number(L, 1, "rate");
    uint64_t slots = (uint64_t)field_integer(L, 1, "slots", 1, (lua_Integer)PN_INTEGER_MAX);
    uint32_t tasks = (uint32_t)field_integer_or(L, 1, "tasks", 1, ZHENG_TASKS_MAX, 10);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    if (!fault)
        fault = read_distribution(L, "reduces", &reduces);
    if (!fault && !(rate >= 0.0 && rate <= 1e6))
        fault = "rate: must be in 0..1000000 jobs a slot";
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = source_zheng_new(&maps, &reduces, rate, slots, tasks, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static const char *check_chance(lua_State *L, const char *name, double chance)
{
    return chance >= 0.0 && chance <= 1.0 ? NULL : lua_pushfstring(L, "%s: must be in 0..1", name);
}

static int make_bursts(lua_State *L)
{
    bursts_shape shape;
    workload *self;
    const char *fault = read_distribution(L, "maps", &shape.maps[BURSTS_SMALL]);
    uint64_t slots = (uint64_t)field_integer(L, 1, "slots", 1, (lua_Integer)PN_INTEGER_MAX);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    shape.chance = field_number(L, 1, "chance");
    shape.burst = (uint64_t)field_integer(L, 1, "burst", 1, BURSTS_JOBS_MAX);
    shape.giant = field_number(L, 1, "giant");
    shape.tasks = (uint32_t)field_integer_or(L, 1, "tasks", 1, BURSTS_TASKS_MAX, 10);
    if (!fault)
        fault = read_distribution(L, "reduces", &shape.reduces[BURSTS_SMALL]);
    if (!fault)
        fault = read_distribution(L, "giant_maps", &shape.maps[BURSTS_GIANT]);
    if (!fault)
        fault = read_distribution(L, "giant_reduces", &shape.reduces[BURSTS_GIANT]);
    if (!fault)
        fault = check_chance(L, "chance", shape.chance);
    if (!fault)
        fault = check_chance(L, "giant", shape.giant);
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = source_bursts_new(&shape, slots, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

static int make_facebook(lua_State *L)
{
    distribution length;
    workload *self;
    const char *fault = read_distribution(L, "reduce_length", &length);
    uint64_t jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX);
    double gap = field_number(L, 1, "gap");
    lua_Integer bins = field_integer(L, 1, "bins", 6, 9);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    luaL_argcheck(L, bins == 6 || bins == 9, 1, "bins: must be 6 or 9");
    if (!fault && !(gap >= 0.0 && gap <= (double)PN_INTEGER_MAX))
        fault = "gap: must be in 0..2^53 slots";
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = source_facebook_new(jobs, gap, (uint32_t)bins, &length, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

/* { workload, factor, seed, replica }: the same jobs with errors in their sizes. */
static int make_error(lua_State *L)
{
    source *truth = field_any_workload(L, 1);
    distribution factor;
    workload *self;
    const char *fault = workload_distribution(L, "factor", &factor, distribution_check_factor);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    if (!fault && (truth->next_makespan || truth->next_cluster))
        fault = lua_pushfstring(L, "the %s model has no errors in sizes", model_of(truth));
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    lua_getfield(L, 1, "workload"); /* keeps the true jobs alive */
    lua_setiuservalue(L, -2, 1);
    self->work = source_error_new(truth, &factor, seed, replica);
    return self->work ? 1 : workload_out_of_memory(L);
}

void workload_push_summary(lua_State *L, const swim_summary *summary, uint64_t jobs)
{
    lua_createtable(L, 0, 12);
    set_integer(L, "rows", summary->rows);
    set_integer(L, "jobs", jobs);
    set_integer(L, "map_only", summary->map_only);
    set_integer(L, "all_zero", summary->all_zero);
    set_integer(L, "no_input", summary->no_input);
    set_integer(L, "expanding", summary->expanding);
    set_integer(L, "no_output", summary->no_output);
    set_integer(L, "map_input_bytes", summary->map_input_bytes);
    set_integer(L, "shuffle_bytes", summary->shuffle_bytes);
    set_integer(L, "output_bytes", summary->output_bytes);
}

static int make_swim(lua_State *L)
{
    const char *path = field_string(L, 1, "path");
    lua_Integer most = (lua_Integer)PN_INTEGER_MAX;
    swim_mapping mapping = {
        .slot_seconds = (uint64_t)field_integer_or(L, 1, "slot_seconds", 1, most, 10),
        .unit = (uint64_t)field_integer_or(L, 1, "unit", 1, most, 134217728),
        .reduce_bytes = (uint64_t)field_integer_or(L, 1, "reduce_bytes", 1, most, 1073741824),
        .scale_num = (uint64_t)field_integer_or(L, 1, "scale_num", 1, most, 1),
        .scale_den = (uint64_t)field_integer_or(L, 1, "scale_den", 1, most, 100),
        .machines = (uint64_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24),
    };
    char message[SWIM_MESSAGE_SIZE];
    swim_summary summary;
    workload *self = workload_push(L);
    self->work = source_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    if (!swim_read(path, &mapping, self->work, &summary, message))
        return push_failure(L, message);
    workload_push_summary(L, &summary, self->work->count);
    return 2;
}

void lworkload_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"count", workload_count},
                                       {"ticks", workload_ticks},
                                       {"needs", workload_needs},
                                       {"totals", workload_totals},
                                       {"job", workload_job},
                                       {"jobs", workload_jobs},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", workload_gc}, {"__close", workload_gc}, {"__tostring", workload_tostring}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"workload_table", make_table},
                                         {"workload_zheng", make_zheng},
                                         {"workload_bursts", make_bursts},
                                         {"workload_facebook", make_facebook},
                                         {"workload_swim", make_swim},
                                         {"workload_error", make_error},
                                         {NULL, NULL}};
    lpinion_type(L, WORKLOAD, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
    workload_tandem_open(L);
    workload_makespan_open(L);
    workload_cluster_open(L);
    workload_deadlines_open(L);
}
