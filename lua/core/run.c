/* Runs of any model for Lua: from an argument table to a result table. */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define RUN "pinion.Run"

/* ---- the request ----------------------------------------------------------------------------- */

void run_read(lua_State *L, run_base *self)
{
    self->quiet = field_boolean(L, 1, "quiet");
    self->log_path = field_string_or_null(L, 1, "log");
    self->checkpoint.path = field_string_or_null(L, 1, "checkpoint");
    self->checkpoint.resume = field_checkpoint(L, 1, "resume");
    if (self->checkpoint.path)
        self->checkpoint.about = field_string(L, 1, "about");
    /* Only a stream can skip jobs. */
    luaL_argcheck(L, self->model->skip || (!self->checkpoint.path && !self->checkpoint.resume), 1,
                  "checkpoint: a batch has none");
    if (self->checkpoint.path)
        self->every = field_number(L, 1, "every");
    luaL_argcheck(L, !self->checkpoint.path || self->every > 0.0, 1, "every: must be > 0");
    self->timeline_buckets = (uint32_t)field_integer_or(L, 1, "timeline", 2,
                                                        PN_TIMELINE_BUCKETS_MAX, 0);
    self->label = field_string_or_null(L, 1, "label");
    self->label = self->label ? self->label : field_string(L, 1, "policy");
}

/* ---- the result ------------------------------------------------------------------------------ */

void run_set_stats(lua_State *L, const void *sim, run_stats *get, uint32_t groups, const char *all,
                   const char *by_group)
{
    stats_push(L, get(sim, PN_ALL_GROUPS));
    lua_setfield(L, -2, all);
    lua_createtable(L, (int)groups, 0);
    for (uint32_t i = 0; i < groups; i++) {
        stats_push(L, get(sim, i));
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, by_group);
}

/* Pushes the means of full batches as an array. */
static void push_means(lua_State *L, const pn_batches *batches)
{
    lua_createtable(L, (int)batches->count, 2);
    for (uint32_t i = 0; i < batches->count; i++) {
        lua_pushnumber(L, batches->mean[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void run_set_batches(lua_State *L, const pn_batches *batches)
{
    lua_createtable(L, 0, 2);
    set_integer(L, "size", batches->size);
    push_means(L, batches);
    lua_setfield(L, -2, "means");
    lua_setfield(L, -2, "batches");
}

static void skip_warmup(const run_kind *kind, const run_base *self)
{
    rows *kept = self->rows;
    kept->skipped = 0;
    while (kept->skipped < kept->count && kind->is_warmup(self, kept->skipped))
        kept->skipped++;
}

static void set_weighted_mean(lua_State *L, const run_kind *kind, const run_base *self)
{
    double mean;
    if (run_weighted_mean(self, &mean))
        set_number(L, kind->weighted_mean, mean);
}

/* Sets "timeline": { from, width, means by series and bucket }, with the buckets that the run
 * reached; times are the kernel's. */
static void set_timeline(lua_State *L, const pn_timeline *timeline)
{
    pn_timeline_about info;
    pn_timeline_about_get(timeline, &info);
    int real = info.clock == PN_TIMELINE_REAL;
    lua_createtable(L, 0, 3);
    set_number(L, "from", real ? info.from_real : (double)info.from);
    set_number(L, "width", real ? info.width_real : (double)info.width);
    lua_createtable(L, (int)info.series, 0);
    for (uint32_t s = 0; s < info.series; s++) {
        lua_createtable(L, (int)info.used, 0);
        for (uint32_t b = 0; b < info.used; b++) {
            lua_pushnumber(L, pn_timeline_mean(timeline, b, s));
            lua_rawseti(L, -2, (lua_Integer)b + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)s + 1);
    }
    lua_setfield(L, -2, "means");
    lua_setfield(L, -2, "timeline");
}

/* Pushes "number_in_system": the means that arrivals saw, with "jobs" of them in each. The rows are
 * at index `rows_index`, nil there when none were kept; so are the answers, when nothing was
 * asked. */
static void push_result(lua_State *L, const run_kind *kind, const run_base *self, int rows_index,
                        int answers_index)
{
    lua_createtable(L, 0, 28);
    set_integer(L, "jobs_max", self->state->jobs_max);
    set_integer(L, "block_bytes", self->block_bytes);
    set_boolean(L, "interrupted", self->interrupted);
    set_boolean(L, "saved", self->saved);
    kind->set(L, self);
    set_weighted_mean(L, kind, self);
    if (kind->is_warmup) {
        push_means(L, &self->state->in_system);
        set_integer(L, "jobs", self->state->in_system.size);
        lua_setfield(L, -2, "number_in_system");
    }
    if (self->timeline)
        set_timeline(L, self->timeline);
    if (kind->is_warmup && self->rows)
        skip_warmup(kind, self);
    lua_pushvalue(L, rows_index);
    lua_setfield(L, -2, "rows");
    lua_pushvalue(L, answers_index);
    lua_setfield(L, -2, "answers");
}

static int push_refusal(lua_State *L, const char *kind, const char *message)
{
    lua_pushnil(L);
    lua_pushstring(L, kind);
    lua_pushstring(L, message);
    return 3;
}

/* ---- what is asked on the way ---------------------------------------------------------------- */

typedef struct inquiry {
    lua_State *L;
    const run_kind *kind;
    int answers; /* where they are on the stack */
    uint32_t most;
    uint64_t job;
} inquiry;

static void push_ranked(lua_State *L, const pn_ranked *ranked, uint32_t place)
{
    lua_createtable(L, 0, 6);
    set_integer(L, "job", ranked->id);
    set_integer(L, "place", place);
    set_integer(L, "high", ranked->key.word[0]);
    set_integer(L, "low", ranked->key.word[1]);
    set_integer(L, "rank", ranked->rank);
    set_integer(L, "queue", ranked->queue);
}

/* Pushes the first of the order, and the job that is asked about as "own". */
static void push_order(const inquiry *questions, const run_base *run, uint32_t order)
{
    lua_State *L = questions->L;
    uint32_t count = questions->kind->ranking(run, order, NULL, 0);
    pn_ranked *ranked = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *ranked, 0);
    questions->kind->ranking(run, order, ranked, count);
    lua_createtable(L, (int)(count < questions->most ? count : questions->most), 2);
    set_integer(L, "count", count);
    for (uint32_t i = 0; i < count; i++) {
        if (i < questions->most) {
            push_ranked(L, &ranked[i], i + 1);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        if (ranked[i].id == questions->job) {
            push_ranked(L, &ranked[i], i + 1);
            lua_setfield(L, -2, "own");
        }
    }
    lua_remove(L, -2);
}

static void answer(run_base *run, size_t index)
{
    const inquiry *questions = run->questions.user;
    lua_createtable(questions->L, (int)questions->kind->orders, 0);
    for (uint32_t order = 0; order < questions->kind->orders; order++) {
        push_order(questions, run, order);
        lua_rawseti(questions->L, -2, (lua_Integer)order + 1);
    }
    lua_rawseti(questions->L, questions->answers, (lua_Integer)index + 1);
}

/* Reads "questions" of the argument table: { times, deciding, most, job }, where `most` jobs of
 * each order are listed. Leaves the times and the table of answers on the stack. */
static void read_questions(lua_State *L, run_base *self, inquiry *questions)
{
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (lua_getfield(L, 1, "questions") == LUA_TNIL) {
        questions->answers = lua_gettop(L);
        return;
    }
    int table = lua_gettop(L);
    luaL_argcheck(L, lua_istable(L, table), 1, "questions: must be a table");
    size_t count = (size_t)field_list(L, table, "times", 1 << 24);
    double *times = lua_newuserdatauv(L, (count + 1) * sizeof *times, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, table + 1, (lua_Integer)i + 1);
        times[i] = luaL_checknumber(L, -1);
        luaL_argcheck(L, times[i] >= (i > 0 ? times[i - 1] : 0.0) && times[i] <= 0x1p53, 1,
                      "questions: times must be in order, from 0 on");
        lua_pop(L, 1);
    }
    questions->most = (uint32_t)field_integer(L, table, "most", 0, INT32_MAX);
    questions->job = (uint64_t)field_integer_or(L, table, "job", 1, (lua_Integer)PN_INTEGER_MAX, 0);
    self->questions = (run_questions){.times = times,
                                      .count = count,
                                      .deciding = field_boolean(L, table, "deciding"),
                                      .ask = answer,
                                      .user = questions};
    lua_createtable(L, (int)count, 0);
    questions->answers = lua_gettop(L);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static int run_gc(lua_State *L)
{
    run_free(luaL_checkudata(L, 1, RUN));
    return 0;
}

/* Names the rows; the names outlive the workload. */
static void name_rows(rows *kept, const source *work)
{
    kept->attribute_count = work->attribute_count;
    for (uint32_t i = 0; i < work->attribute_count; i++)
        snprintf(kept->attribute_names[i], ROW_NAME_SIZE, "%s", work->attribute_names[i]);
}

int core_run(lua_State *L)
{
    const core_model *model = core_model_of(L);
    const run_kind *kind = model->run;
    run_base *self;
    enum run_outcome outcome;
    const char *fault;
    inquiry questions = {.L = L, .kind = kind};
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    /* index 2: holds all memory of the run, whatever happens */
    self = lua_newuserdatauv(L, kind->model->run_bytes, 0);
    memset(self, 0, kind->model->run_bytes);
    run_make(self, kind->model);
    luaL_setmetatable(L, RUN);
    if (field_boolean(L, 1, "keep_jobs"))
        self->rows = rows_push(L, kind->rows); /* index 3 */
    else
        lua_pushnil(L);
    self->work = field_workload(L, 1, model);
    if (self->rows)
        name_rows(self->rows, self->work);
    fault = kind->read(L, self);
    if (fault)
        return push_refusal(L, "usage", fault);
    core_name_jobs(L, self->work);
    read_questions(L, self, &questions);
    outcome = run_go(self);
    if (outcome != RUN_DONE)
        push_refusal(L, outcome == RUN_USAGE ? "usage" : "run", self->message);
    else
        push_result(L, kind, self, 3, questions.answers);
    run_free(self); /* at once: blocks are large and the collector sees only the handle */
    return outcome != RUN_DONE ? 3 : 1;
}

/* Returns seed, replica: the seed of what a model draws itself in a replica; the first has the seed
 * itself. */
static int core_replica_seed(lua_State *L)
{
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 1), replica = (uint64_t)luaL_checkinteger(L, 2);
    lua_pushinteger(L, (lua_Integer)(replica == 0 ? seed
                                                  : pn_mix(pn_mix(PN_MIX_START, seed), replica) &
                                                        (PN_INTEGER_MAX - 1)));
    return 1;
}

void lrun_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"replica_seed", core_replica_seed}, {NULL, NULL}};
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", run_gc}, {NULL, NULL}};
    lpinion_type(L, RUN, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
