/* Workloads of the tandem model in Lua: makers, jobs, and what can be said of all jobs together. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "core/workload.h"
#include "pinion/models/tandem/sources/jobs.h"

/* ---- totals ---------------------------------------------------------------------------------- */

/* What is counted of every job. */
enum quantity { QUANTITY_MAP, QUANTITY_SHUFFLE, QUANTITY_RATIO, QUANTITY_LONGEST, QUANTITIES };

static const char *const quantity_names[QUANTITIES] = {"map", "shuffle", "ratio", "longest"};

typedef struct tandem_totals {
    counted quantities[QUANTITIES];
    uint64_t jobs, map_only, shuffle_only, empty, map_heavy;
    double first_arrival, last_arrival;
} tandem_totals;

static void count_job(tandem_totals *totals, const pn_tandem_job *job, double arrival)
{
    totals->jobs++;
    totals->map_only += job->map > 0.0 && job->shuffle == 0.0;
    totals->shuffle_only += job->map == 0.0 && job->shuffle > 0.0;
    totals->empty += job->map == 0.0 && job->shuffle == 0.0;
    totals->map_heavy += job->map >= job->shuffle;
    counted_add(&totals->quantities[QUANTITY_MAP], job->map);
    counted_add(&totals->quantities[QUANTITY_SHUFFLE], job->shuffle);
    counted_add(&totals->quantities[QUANTITY_LONGEST],
                job->map > job->shuffle ? job->map : job->shuffle);
    if (job->map > 0.0)
        counted_add(&totals->quantities[QUANTITY_RATIO], job->shuffle / job->map);
    if (totals->jobs == 1)
        totals->first_arrival = arrival;
    totals->last_arrival = arrival;
}

static int collect(tandem_totals *totals, source *work)
{
    gap_sum sum = {0};
    pn_tandem_job job;
    int answer;
    work->rewind(work);
    while ((answer = source_next(work, &job)) == SOURCE_JOB) {
        if ((totals->jobs & 0xFFFF) == 0xFFFF && interrupt_pending())
            return SOURCE_INTERRUPTED;
        count_job(totals, &job,
                  tandem_source_of(work)->gaps ? gap_sum_add(&sum, job.arrival) : job.arrival);
    }
    return answer;
}

static int push_totals(lua_State *L, source *work)
{
    tandem_totals totals = {.jobs = 0};
    int answer;
    workload_count_quantities(L, totals.quantities, QUANTITIES);
    answer = collect(&totals, work);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    lua_createtable(L, 0, 11);
    set_integer(L, "jobs", totals.jobs);
    set_integer(L, "map_only", totals.map_only);
    set_integer(L, "shuffle_only", totals.shuffle_only);
    set_integer(L, "empty", totals.empty);
    set_integer(L, "map_heavy", totals.map_heavy);
    for (enum quantity i = 0; i < QUANTITIES; i++)
        workload_set_counted(L, quantity_names[i], &totals.quantities[i]);
    if (totals.jobs > 0) {
        set_number(L, "first_arrival", totals.first_arrival);
        set_number(L, "last_arrival", totals.last_arrival);
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Pushes the next job. Arrivals are times, whatever the source gives. */
static const char *push_next(lua_State *L, const source *work, void *any, void *sum)
{
    pn_tandem_job *job = any;
    if (tandem_source_of(work)->gaps)
        job->arrival = gap_sum_add(sum, job->arrival);
    workload_push_fields(L, &tandem_job, job);
    return NULL;
}

static int push_jobs(lua_State *L, source *work, lua_Integer limit)
{
    gap_sum sum = {0};
    pn_tandem_job job;
    return workload_push_jobs(L, work, limit, &job, push_next, &sum);
}

static int push_job_at(lua_State *L, source *work, uint64_t index)
{
    workload_push_fields(L, &tandem_job, tandem_table_at(work, index));
    return 1;
}

/* ---- makers ---------------------------------------------------------------------------------- */

static int make_tandem_table(lua_State *L)
{
    workload *self = workload_begin_table(L);
    self->work = tandem_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    return workload_read_table(L, &tandem_job, self->work,
                               &(workload_table){.add = tandem_table_add});
}

/* { map, ratio or shuffle, load, jobs, balance, batch, seed, replica }: also returns what follows
 * from them. */
static int make_lin(lua_State *L)
{
    lin_shape shape = {.load = 0.0};
    lin_facts facts;
    workload *self;
    const char *fault = workload_distribution(L, "map", &shape.map, DISTRIBUTION_FACTORS);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    shape.independent = lua_getfield(L, 1, "ratio") == LUA_TNIL;
    lua_pop(L, 1);
    shape.jobs = (uint64_t)field_integer(L, 1, "jobs", 1, (lua_Integer)PN_INTEGER_MAX);
    shape.balance = (uint8_t)field_boolean(L, 1, "balance");
    shape.batch = (uint8_t)field_boolean(L, 1, "batch");
    if (!shape.batch)
        shape.load = field_number(L, 1, "load");
    if (!fault)
        fault = workload_distribution(L, shape.independent ? "shuffle" : "ratio", &shape.other,
                                      DISTRIBUTION_FACTORS);
    if (!fault)
        fault = lin_check(&shape, &facts);
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    self->work = tandem_lin_new(&shape, seed, replica);
    if (!self->work)
        return workload_out_of_memory(L);
    lua_createtable(L, 0, 3);
    set_number(L, "map", facts.map);
    set_number(L, "shuffle", facts.shuffle);
    set_number(L, "rate", facts.rate);
    return 2;
}

/* Makes blocks of an array of { arrival, step, map, shuffle, count, group }: stretches of equal
 * jobs, in order of arrival. */
static int make_blocks(lua_State *L)
{
    workload *self;
    block *blocks;
    lua_Integer stretches;
    double last = 0.0;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    stretches = luaL_len(L, 1);
    blocks = lua_newuserdatauv(L, ((size_t)stretches + 1) * sizeof *blocks, 0);
    lua_pushnil(L); /* index 3: the block that is being read */
    for (lua_Integer i = 0; i < stretches; i++) {
        lua_geti(L, 1, i + 1);
        luaL_argcheck(L, lua_istable(L, -1), 1, "must be an array of blocks");
        lua_replace(L, 3);
        blocks[i] = (block){
            .arrival = field_amount(L, 3, "arrival"),
            .step = field_amount(L, 3, "step"),
            .map = field_amount(L, 3, "map"),
            .shuffle = field_amount(L, 3, "shuffle"),
            .count = (uint64_t)field_integer(L, 3, "count", 1, (lua_Integer)PN_INTEGER_MAX / 64),
            .group = (uint32_t)field_integer_or(L, 3, "group", 0, (lua_Integer)UINT32_MAX - 1, 0)};
        luaL_argcheck(L, blocks[i].arrival >= last, 1,
                      "arrival: must not decrease from block to block");
        last = blocks[i].arrival + (double)(blocks[i].count - 1) * blocks[i].step;
    }
    self = workload_push(L);
    self->work = tandem_blocks_new(blocks, (size_t)stretches);
    return self->work ? 1 : workload_out_of_memory(L);
}

static double field_positive(lua_State *L, const char *name)
{
    double value = field_number(L, 1, name);
    luaL_argcheck(L, value > 0.0 && value <= PN_TANDEM_MOST, 1,
                  lua_pushfstring(L, "%s: must be > 0", name));
    return value;
}

/* { path, load, shuffle_load, span, drop_zero, balance }: also returns what was counted, and the
 * stations' rates. */
static int make_swim_tandem(lua_State *L)
{
    const char *path = field_string(L, 1, "path");
    swim_loads loads = {.map = field_positive(L, "load"),
                        .shuffle = field_positive(L, "shuffle_load"),
                        .span = field_positive(L, "span"),
                        .drop_zero = field_boolean(L, 1, "drop_zero"),
                        .balance = field_boolean(L, 1, "balance")};
    char message[SWIM_MESSAGE_SIZE];
    swim_summary summary;
    workload *self = workload_push(L);
    self->work = tandem_table_new();
    if (!self->work)
        return workload_out_of_memory(L);
    if (!swim_read_tandem(path, &loads, self->work, &summary, message))
        return push_failure(L, message);
    workload_push_summary(L, &summary, self->work->count);
    set_number(L, "map_rate", summary.map_rate);
    set_number(L, "shuffle_rate", summary.shuffle_rate);
    return 2;
}

/* Reads the ids in the array on top of the stack, which get ranks in its order. */
static void read_ranks(lua_State *L, source *ranks, int station, size_t count)
{
    lua_Integer listed = luaL_len(L, -1);
    for (lua_Integer i = 1; i <= listed; i++) {
        lua_Integer id;
        lua_geti(L, -1, i);
        id = lua_tointeger(L, -1);
        luaL_argcheck(L, id >= 1 && (uint64_t)id <= count, 1,
                      "map, shuffle: must be arrays of job ids");
        tandem_ranks_set(ranks, (size_t)id - 1, station, (uint32_t)i - 1);
        lua_pop(L, 1);
    }
}

/* { workload, count, map, shuffle }: the same jobs with the places in line that the arrays map and
 * shuffle give their ids; those that are in none of them, ids above `count` too, come last. */
static int make_ranks(lua_State *L)
{
    static const char *const stations[] = {"map", "shuffle"};
    source *truth = field_workload(L, 1, &core_tandem);
    size_t count = (size_t)field_integer(L, 1, "count", 0, INT32_MAX);
    workload *self = workload_push(L);
    lua_getfield(L, 1, "workload"); /* keeps the jobs alive */
    lua_setiuservalue(L, -2, 1);
    self->work = tandem_ranks_new(truth, count);
    if (!self->work)
        return workload_out_of_memory(L);
    for (int station = 0; station < 2; station++) {
        if (lua_getfield(L, 1, stations[station]) != LUA_TNIL)
            read_ranks(L, self->work, station, count);
        lua_pop(L, 1);
    }
    return 1;
}

static void scripted(source *self, const pn_lua_workload *script)
{
    ((tandem_source *)self)->gaps = pn_lua_workload_gaps(script) != 0;
}

static const luaL_Reg makers[] = {{"workload_tandem_table", make_tandem_table},
                                  {"workload_lin", make_lin},
                                  {"workload_blocks", make_blocks},
                                  {"workload_swim_tandem", make_swim_tandem},
                                  {"workload_ranks", make_ranks},
                                  {NULL, NULL}};

const workload_model workload_tandem = {.is_table = tandem_is_table,
                                        .totals = push_totals,
                                        .job = &tandem_job,
                                        .at = push_job_at,
                                        .jobs = push_jobs,
                                        .makers = makers,
                                        .with_errors = tandem_error_new,
                                        .changes = &changed_tandem,
                                        .scripted = scripted};
