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

/* Returns what the model of the source brings. */
static const workload_model *model_of(const source *work)
{
    return core_models[work->model]->workload;
}

source *field_workload(lua_State *L, int table, const core_model *model)
{
    source *work = field_any_workload(L, table);
    if (core_models[work->model] != model)
        luaL_argerror(L, table,
                      lua_pushfstring(L, "workload: its jobs are of the %s model",
                                      core_models[work->model]->name));
    return work;
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
    source_free(self->work);
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

/* ---- methods --------------------------------------------------------------------------------- */

static int workload_count(lua_State *L)
{
    const source *work = check_workload(L);
    if (work->count == SOURCE_UNKNOWN)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)work->count);
    return 1;
}

/* Pushes the ticks to the unit of time, of the jobs' durations; nil in models without. */
static int workload_ticks(lua_State *L)
{
    const source *work = check_workload(L);
    const workload_model *model = model_of(work);
    if (model->ticks)
        lua_pushinteger(L, (lua_Integer)model->ticks(work));
    else
        lua_pushnil(L);
    return 1;
}

/* Pushes what the jobs need of a cluster: so many nodes, as one lists the last of them; whether any
 * has reduces. */
static int workload_needs(lua_State *L)
{
    const source *work = check_workload(L);
    const workload_model *model = model_of(work);
    cluster_needs needs = model->needs ? model->needs(work) : (cluster_needs){0, 0};
    lua_pushinteger(L, (lua_Integer)needs.nodes);
    lua_pushboolean(L, needs.reduces);
    return 2;
}

/* ---- statistics ------------------------------------------------------------------------------ */

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

/* Returns a quantile. Zeros are in the first cell, which stands for what is in its middle. */
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

/* ---- what jobs carry ------------------------------------------------------------------------- */

#define LABELS_MAX ((lua_Integer)1 << 20)

/* Returns the strings of the array on top of the stack, false standing for null, in memory on top
 * of it. */
static const char *const *names_on_top(lua_State *L, uint32_t count)
{
    const char **names = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *names, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_geti(L, -2, (lua_Integer)i + 1);
        names[i] = lua_toboolean(L, -1) ? luaL_checkstring(L, -1) : NULL;
        lua_pop(L, 1); /* the array keeps it */
    }
    return names;
}

/* Returns an array of strings in a field, in memory that stays on the stack. */
static const char *const *field_names(lua_State *L, const char *name, uint32_t most,
                                      uint32_t *count)
{
    int type = lua_getfield(L, 1, name);
    *count = type == LUA_TNIL ? 0 : (uint32_t)field_list(L, 1, name, most);
    return names_on_top(L, *count);
}

static int is_value(const source *work, size_t attribute, double value)
{
    uint32_t labels = work->labels ? work->labels[attribute].count : 0;
    return labels == 0 || (value >= 0.0 && value < (double)labels);
}

/* Reads the numbers of all jobs of a table, one job after the other. */
static void read_values(lua_State *L, source *work, double *values)
{
    size_t count = (size_t)work->count * work->attribute_count;
    lua_getfield(L, 1, "values");
    luaL_argcheck(L, lua_istable(L, -1) && (size_t)luaL_len(L, -1) == count, 1,
                  "values: must be one for each attribute of each job");
    for (size_t i = 0; i < count; i++) {
        lua_geti(L, -1, (lua_Integer)i + 1);
        double value = luaL_checknumber(L, -1);
        luaL_argcheck(L, is_value(work, i % work->attribute_count, value), 1,
                      "values: must be the number of a label");
        values[i] = value;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* Reads field "labels": by the number of an attribute an array of texts, or false. */
static void read_labels(lua_State *L, source *work)
{
    if (lua_getfield(L, 1, "labels") == LUA_TNIL) {
        lua_pop(L, 1);
        return;
    }
    for (uint32_t i = 0; i < work->attribute_count; i++) {
        if (lua_geti(L, -1, (lua_Integer)i + 1) == LUA_TTABLE) {
            lua_Integer count = luaL_len(L, -1);
            const char *const *texts;
            luaL_argcheck(L, count <= LABELS_MAX, 1, "labels: too many");
            texts = names_on_top(L, (uint32_t)count);
            for (lua_Integer k = 0; k < count; k++)
                luaL_argcheck(L, texts[k], 1, "labels: must be texts");
            if (!source_label(work, i, texts, (uint32_t)count))
                workload_out_of_memory(L);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* { workload, attributes, labels, values, groups }: what the jobs of a fresh workload carry: the
 * names of attributes, in order, and of a table their values; names of groups, by number, where
 * false stands for jobs without one. */
static int carry(lua_State *L)
{
    source *work = field_any_workload(L, 1);
    uint32_t attributes, groups;
    double *values = NULL; /* 0 each, if what follows is refused */
    const char *const *names = field_names(L, "attributes", PN_ATTRIBUTES_MAX, &attributes);
    const char *const *of_groups = field_names(L, "groups", (uint32_t)1 << 20, &groups);
    luaL_argcheck(L, attributes == 0 || model_of(work)->is_table(work), 1,
                  "attributes: only a table has them");
    luaL_argcheck(L, !work->carried, 1, "workload: carries already what its jobs have");
    for (uint32_t i = 0; i < attributes; i++)
        luaL_argcheck(L, names[i], 1, "attributes: must be names");
    if (!source_carry(work, names, attributes, of_groups, groups) ||
        (attributes > 0 && !(values = source_attributes_room(work))))
        return workload_out_of_memory(L);
    read_labels(L, work);
    if (attributes > 0)
        read_values(L, work, values);
    return 0;
}

static void push_texts(lua_State *L, const char *const *texts, uint32_t count)
{
    lua_createtable(L, (int)count, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushstring(L, texts[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Pushes the names of attributes, nil when there are none; and the labels of texts, an array by the
 * name of the attribute, nil when all are numbers. */
static int workload_attributes(lua_State *L)
{
    const source *work = check_workload(L);
    if (work->attribute_count == 0)
        return 0;
    push_texts(L, work->attribute_names, work->attribute_count);
    if (!work->labels)
        return 1;
    lua_newtable(L);
    for (uint32_t i = 0; i < work->attribute_count; i++)
        if (work->labels[i].count > 0) {
            push_texts(L, work->labels[i].texts, work->labels[i].count);
            lua_setfield(L, -2, work->attribute_names[i]);
        }
    return 2;
}

/* Sets a job's in the table on top of the stack. */
static void set_attributes(lua_State *L, const source *work, const double *attributes)
{
    for (uint32_t i = 0; i < work->attribute_count; i++) {
        double value = attributes ? attributes[i] : 0.0;
        if (work->labels && value < (double)work->labels[i].count)
            set_string(L, work->attribute_names[i], work->labels[i].texts[(size_t)value]);
        else
            set_number(L, work->attribute_names[i], value);
    }
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int workload_totals(lua_State *L)
{
    source *work = check_workload(L);
    return model_of(work)->totals(L, work);
}

static int workload_job(lua_State *L)
{
    source *work = check_workload(L);
    const workload_model *model = model_of(work);
    lua_Integer index = luaL_checkinteger(L, 2);
    luaL_argcheck(L, model->is_table(work), 1,
                  "a generated workload knows its jobs only in order, see jobs()");
    luaL_argcheck(L, 1 <= index && (uint64_t)index <= work->count, 2, "no job of this number");
    int results = model->at(L, work, (uint64_t)index - 1);
    if (results == 1) /* no failure */
        set_attributes(L, work, source_attributes_at(work, (uint64_t)index - 1));
    return results;
}

static int workload_jobs(lua_State *L)
{
    source *work = check_workload(L);
    return model_of(work)->jobs(L, work, luaL_checkinteger(L, 2));
}

/* Where jobs() has a function that gets them one by one, in place of a table of all. */
#define VISITOR 3

/* Hands the job on top of the stack to the visitor; 0 when it wants no more. */
static int visit_job(lua_State *L)
{
    int goes_on;
    lua_pushvalue(L, VISITOR);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    goes_on = lua_isnil(L, -1) || lua_toboolean(L, -1);
    lua_pop(L, 1);
    return goes_on;
}

int workload_push_jobs(lua_State *L, source *work, lua_Integer limit, void *job,
                       workload_push_job *push, void *state)
{
    int visit = lua_isfunction(L, VISITOR), goes_on = 1;
    lua_Integer made = 0;
    int answer = SOURCE_END;
    work->rewind(work);
    lua_newtable(L);
    while (goes_on && (answer = source_next(work, job)) == SOURCE_JOB) {
        const char *fault = NULL;
        made++;
        if (made > limit)
            fault = lua_pushfstring(L, "the workload has more than %I jobs", (LUAI_UACINT)limit);
        else
            fault = push(L, work, job, state);
        if (fault)
            return push_failure(L, fault);
        set_attributes(L, work, source_attributes_of(work, job));
        if (visit)
            goes_on = visit_job(L);
        else
            lua_rawseti(L, -2, made);
        if (workload_interrupted(made))
            return push_failure(L, "interrupted");
    }
    return answer == SOURCE_END || !goes_on ? 1 : push_failure(L, source_stopped(work, answer));
}

/* ---- makers ---------------------------------------------------------------------------------- */

int workload_out_of_memory(lua_State *L)
{
    return luaL_error(L, "not enough memory for the workload");
}

/* { workload, factor, seed, replica }: the same jobs with errors in their sizes. */
static int make_error(lua_State *L)
{
    source *truth = field_any_workload(L, 1);
    distribution factor;
    workload *self;
    const char *fault = workload_distribution(L, "factor", &factor, DISTRIBUTION_FACTORS);
    uint64_t seed = (uint64_t)field_integer(L, 1, "seed", INT64_MIN, INT64_MAX);
    uint32_t replica = (uint32_t)field_integer_or(L, 1, "replica", 0, UINT32_MAX, 0);
    if (!fault && !model_of(truth)->with_errors)
        fault = lua_pushfstring(L, "the %s model has no errors in sizes",
                                core_models[truth->model]->name);
    if (fault)
        return push_failure(L, fault);
    self = workload_push(L);
    lua_getfield(L, 1, "workload"); /* keeps the true jobs alive */
    lua_setiuservalue(L, -2, 1);
    self->work = model_of(truth)->with_errors(truth, &factor, seed, replica);
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

void lworkload_open(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"count", workload_count},   {"ticks", workload_ticks},
        {"needs", workload_needs},   {"attributes", workload_attributes},
        {"totals", workload_totals}, {"job", workload_job},
        {"jobs", workload_jobs},     {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", workload_gc},
                                           {"__close", workload_gc},
                                           {"__tostring", workload_tostring},
                                           {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"workload_error", make_error}, {"workload_carry", carry}, {NULL, NULL}};
    lpinion_type(L, WORKLOAD, methods, metamethods);
    ldistribution_open(L);
    lchanged_open(L);
    lswf_open(L);
    luaL_setfuncs(L, functions, 0);
    for (const core_model *const *model = core_models; *model; model++)
        luaL_setfuncs(L, (*model)->workload->makers, 0);
}
