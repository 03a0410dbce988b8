/* Lines of the makespan model's decision logs, for its checker. The slots, the rules and the pools
 * are those of the log's first line; the scenario's hash ties all but the pools to it, and the
 * pools have to fit the schedule. */
#include <stdlib.h>
#include <string.h>

#include "sandbox/exact.h"
#include "model.h"
#include "core/verify.h"
#include "pinion/models/makespan/sources/jobs.h"

typedef struct makespan_verify {
    verify verify;
    pn_makespan_claim claim;
    makespan_rules rules;
    pn_makespan_job *jobs;
    pn_makespan_pool *pools;
    uint64_t *ids; /* of the pools' jobs */
    pn_makespan_verifier *verifier;
    uint64_t ticks;    /* fine, to the unit of time */
    uint64_t finished; /* jobs, so far */
} makespan_verify;

/* Returns the makespan_verify that begins with this verify. */
static makespan_verify *makespan(verify *self)
{
    return (makespan_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    field_makespan_rules(L, 1, &makespan(self)->rules);
}

static int read_promise(verify *self, const json_t *promises)
{
    return json_is_true(promises) ? 1 : verify_reject(self, "field \"lua\": expected true");
}

/* Reads the index of the field's word in `words`, from `first` on; 0 with a fault. */
static int read_word(verify *self, const char *name, const char *const *words, uint32_t first,
                     uint32_t *index)
{
    const char *word = verify_string(self, name);
    if (!word)
        return 0;
    for (uint32_t i = first; words[i]; i++) {
        if (strcmp(word, words[i]) == 0) {
            *index = i;
            return 1;
        }
    }
    return verify_reject(self, "field \"%s\": unknown word \"%.40s\"", name, word);
}

/* Reads the same of a field that is called like its setting. */
static int read_choice(verify *self, const char *name, uint32_t first, uint32_t *index)
{
    return read_word(self, name, makespan_names(name), first, index);
}

static int read_small(verify *self, const char *name, json_int_t low, uint32_t *number)
{
    uint64_t value;
    if (!verify_integer(self, name, low, &value))
        return 0;
    *number = (uint32_t)value;
    return value <= PN_MAKESPAN_SLOTS_MOST
               ? 1
               : verify_reject(self, "field \"%s\": expected at most 2^24", name);
}

/* Ticks may be finer than a double can count. */
static int read_ticks(verify *self, uint64_t *ticks)
{
    const json_t *field = json_object_get(self->entry, "ticks");
    if (!json_is_integer(field) || json_integer_value(field) < 1 ||
        (uint64_t)json_integer_value(field) > PN_MAKESPAN_MOST)
        return verify_reject(self, "field \"ticks\": expected an integer in 1..2^62");
    *ticks = (uint64_t)json_integer_value(field);
    if (*ticks % makespan_source_of(self->work)->ticks != 0)
        return verify_reject(
            self, "field \"ticks\": expected a multiple of %llu, in which the scenario counts",
            (unsigned long long)makespan_source_of(self->work)->ticks);
    return 1;
}

static int read_rules(verify *self)
{
    makespan_verify *replay = makespan(self);
    makespan_rules *rules = &replay->rules;
    uint32_t level;
    if (!read_choice(self, "level", 0, &level))
        return 0;
    if (level != rules->level)
        return verify_reject(self, "a log of level %s (the scenario's is %s)",
                             makespan_names("level")[level], makespan_names("level")[rules->level]);
    return read_small(self, "map_slots", 1, &rules->map_slots) &&
           read_small(self, "reduce_slots", 1, &rules->reduce_slots) &&
           read_ticks(self, &replay->ticks) &&
           read_choice(self, "stage_time", 1, &rules->stage_time) &&
           read_choice(self, "share", 1, &rules->share) &&
           read_choice(self, "cap", 1, &rules->cap) &&
           read_choice(self, "task_order", 1, &rules->task_order) &&
           read_small(self, "resplit", 0, &rules->resplit);
}

static int out_of_memory(verify *self)
{
    return verify_reject(self, "not enough memory for the pools");
}

/* Reads whether the ids of one pool are integers >= 1; they go to `ids`. */
static int read_pool(const json_t *entry, pn_makespan_pool *pool, uint64_t *ids)
{
    const json_t *nodes = json_object_get(entry, "nodes"), *jobs = json_object_get(entry, "jobs");
    if (json_object_size(entry) != 2 || !json_is_integer(nodes) || !json_is_array(jobs) ||
        json_integer_value(nodes) < 1 || json_integer_value(nodes) > 1 << 24)
        return 0;
    *pool = (pn_makespan_pool){(uint32_t)json_integer_value(nodes), (uint32_t)json_array_size(jobs),
                               ids};
    for (size_t i = 0; i < json_array_size(jobs); i++) {
        const json_t *id = json_array_get(jobs, i);
        if (!json_is_integer(id) || json_integer_value(id) < 1)
            return 0;
        ids[i] = (uint64_t)json_integer_value(id);
    }
    return 1;
}

static int read_pools(verify *self)
{
    makespan_verify *replay = makespan(self);
    const json_t *list = json_object_get(self->entry, "pools");
    size_t count = json_array_size(list), jobs = 0;
    if (!list)
        return verify_has(self, "nodes")
                   ? verify_reject(self, "field \"nodes\": expected \"pools\" beside it")
                   : 1;
    if (count < 1)
        return verify_reject(self, "field \"pools\": expected an array of pools");
    if (!read_small(self, "nodes", 1, &replay->claim.nodes))
        return 0;
    for (size_t i = 0; i < count; i++)
        jobs += json_array_size(json_object_get(json_array_get(list, i), "jobs"));
    replay->pools = calloc(count, sizeof *replay->pools);
    replay->ids = calloc(jobs + 1, sizeof *replay->ids);
    if (!replay->pools || !replay->ids)
        return out_of_memory(self);
    jobs = 0;
    for (size_t i = 0; i < count; i++) {
        if (!read_pool(json_array_get(list, i), &replay->pools[i], replay->ids + jobs))
            return verify_reject(
                self, "field \"pools[%zu]\": expected {\"nodes\": n, \"jobs\": [id, …]}", i + 1);
        jobs += replay->pools[i].count;
    }
    replay->claim.pool_count = count;
    return 1;
}

static int check_policy(lua_State *L, verify *self, const void *policy)
{
    double params[PN_PARAMS_MAX];
    if (policy && !verify_params(L, self, policy, params))
        return 0;
    return read_rules(self) && read_pools(self);
}

static void push_rules(lua_State *L, verify *self)
{
    const makespan_rules *rules = &makespan(self)->rules;
    lua_createtable(L, 0, 9);
    set_integer(L, "map_slots", rules->map_slots);
    set_integer(L, "reduce_slots", rules->reduce_slots);
    set_integer(L, "resplit", rules->resplit);
    set_string(L, "stage_time", makespan_names("stage_time")[rules->stage_time]);
    set_string(L, "share", makespan_names("share")[rules->share]);
    set_string(L, "cap", makespan_names("cap")[rules->cap]);
    set_string(L, "task_order", makespan_names("task_order")[rules->task_order]);
}

static void write_settings(run_log *log, const verify *self)
{
    makespan_log_settings(log, &((const makespan_verify *)self)->rules);
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int collect(verify *self)
{
    self->jobs = (size_t)self->work->count;
    makespan(self)->jobs = makespan_table_jobs(self->work);
    if (makespan(self)->jobs)
        return SOURCE_END;
    strcpy(self->work->fault, "not enough memory to hold all jobs at once");
    return SOURCE_FAULT;
}

/* Suspects the pools where the checker does not start: all else was looked at when it was read. */
static void suspect_pools(verify *self)
{
    if (makespan(self)->pools)
        verify_reject(
            self, "field \"pools\": they do not share out the jobs and the slots of the scenario");
}

static size_t checker_size(verify *self)
{
    makespan_verify *replay = makespan(self);
    pn_makespan_claim *claim = &replay->claim;
    size_t size;
    claim->map_slots = replay->rules.map_slots;
    claim->reduce_slots = replay->rules.reduce_slots;
    claim->base_map_slots = replay->rules.base_map_slots;
    claim->base_reduce_slots = replay->rules.base_reduce_slots;
    claim->level = replay->rules.level;
    claim->stage_time = replay->rules.stage_time;
    claim->share = replay->rules.share;
    claim->cap = replay->rules.cap;
    claim->resplit = replay->rules.resplit;
    claim->ticks = replay->ticks / makespan_source_of(self->work)->ticks;
    claim->jobs = replay->jobs;
    claim->job_count = self->jobs;
    claim->pools = replay->pools;
    size = pn_makespan_verifier_size(claim);
    if (size == 0)
        suspect_pools(self);
    return size;
}

static int start(verify *self, size_t size)
{
    int status = pn_makespan_verifier_init(&makespan(self)->verifier, self->block, size,
                                           &makespan(self)->claim);
    if (status != PN_OK)
        suspect_pools(self);
    return status;
}

static int reject_fault(verify *self)
{
    uint64_t time = 0, id = 0;
    const char *fault = pn_makespan_verifier_fault(makespan(self)->verifier, &time, &id);
    double at = (double)time / (double)makespan(self)->ticks;
    if (id > 0)
        return verify_reject(self, "%s (time %.15g, job %llu)", fault, at, (unsigned long long)id);
    return verify_reject(self, "%s (time %.15g)", fault, at);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Converts a time in units to fine ticks; `name` is its field. */
static int convert(verify *self, const char *name, pn_exact value, uint64_t *time)
{
    uint64_t ticks = makespan(self)->ticks, per;
    if (ticks % (uint64_t)value.den == 0) {
        per = ticks / (uint64_t)value.den;
        *time = (uint64_t)value.num * per;
        if ((uint64_t)value.num <= PN_MAKESPAN_MOST / per)
            return 1;
    }
    return verify_reject(self, "field \"%s\": is no multiple of 1/%llu, or too large", name,
                         (unsigned long long)ticks);
}

/* Reads an entry. Its first field is its time, or the start of a task, whose end is the second. */
static int read_entry(verify *self, makespan_log_entry *entry)
{
    const log_event *event = &self->reader.event;
    pn_makespan_decision *decision = &entry->decision;
    memset(entry, 0, sizeof *entry);
    decision->kind = event->number;
    log_store(event, entry);
    if (!convert(self, event->kind->fields[0].name, entry->start, &decision->start))
        return 0;
    decision->end = decision->start;
    return event->number != PN_MAKESPAN_START_MAP ||
           convert(self, event->kind->fields[1].name, entry->end, &decision->end);
}

static int feed_entry(verify *self)
{
    makespan_log_entry entry;
    int is_finish = self->reader.event.number == PN_MAKESPAN_FINISH;
    if (!read_entry(self, &entry))
        return 0;
    if (pn_makespan_verifier_feed(makespan(self)->verifier, &entry.decision) != PN_OK)
        return reject_fault(self);
    self->decisions += !is_finish;
    makespan(self)->finished += (uint64_t)is_finish;
    return 1;
}

/* Ends. A log that ends before its jobs do is well formed: one of a run that was stopped. */
static int end(lua_State *L, verify *self)
{
    const makespan_verify *replay = makespan(self);
    char text[EXACT_TEXT_SIZE];
    makespan_log_entry last;
    if (!read_entry(self, &last))
        return 0;
    self->digest = last.digest;
    lua_pushlstring(L, text, (size_t)exact_write(text, last.start));
    if (replay->finished < self->jobs)
        return verify_reject(self,
                             "%llu of %zu jobs finish: the run was ended before the others "
                             "(--until), or lines are missing",
                             (unsigned long long)replay->finished, self->jobs);
    return pn_makespan_verifier_end(replay->verifier, last.decision.start, last.digest) == PN_OK
               ? 1
               : reject_fault(self);
}

static void release(verify *self)
{
    makespan_verify *replay = makespan(self);
    free(replay->jobs);
    free(replay->pools);
    free(replay->ids);
    replay->jobs = NULL;
    replay->pools = NULL;
    replay->ids = NULL;
}

/* { workload, map_slots, reduce_slots, level, log, hash_of } */
static const char *const header[] = {"pinion_log", "model", "policy",    "scenario",     "params",
                                     "lua",        "level", "map_slots", "reduce_slots", "ticks",
                                     "stage_time", "share", "cap",       "task_order",   "resplit",
                                     "nodes",      "pools", "settings",  "jobs",         NULL};

const verify_model verify_makespan = {.size = sizeof(makespan_verify),
                                      .kinds = &makespan_log_kinds,
                                      .header = header,
                                      .choices = 1,
                                      .end = "makespan",
                                      .read = read_settings,
                                      .policy = check_policy,
                                      .promise = read_promise,
                                      .push_rules = push_rules,
                                      .write_settings = write_settings,
                                      .collect = collect,
                                      .checker_size = checker_size,
                                      .start = start,
                                      .entry = feed_entry,
                                      .last = end,
                                      .free = release};
