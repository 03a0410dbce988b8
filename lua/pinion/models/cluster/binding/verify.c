/* Lines of the cluster model's decision logs, for its checker. */
#include <stdlib.h>

#include "pinion/models/cluster/run/log.h"
#include "model.h"
#include "core/verify.h"
#include "pinion/models/cluster/sources/jobs.h"

typedef struct cluster_verify {
    verify verify;
    /* nodes and failures of the scenario; the rules are the log's, of a measured log the
     * scenario's */
    cluster_settings settings;
    pn_scheduler_nodes *nodes; /* of the log */
    pn_cluster_claim claim;
    cluster_job_list jobs;
    pn_cluster_verifier *verifier;
    uint64_t time; /* of the last entry */
} cluster_verify;

/* Returns the cluster_verify that begins with this verify. */
static cluster_verify *cluster(verify *self)
{
    return (cluster_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    field_cluster_settings(L, 1, &cluster(self)->settings);
}

/* Reads {"preempts":true} or false, and "maps_first":true and "copies":true where that is so. The
 * log does not say what such a policy holds back. */
static int read_promise(verify *self, const json_t *promises)
{
    pn_cluster_claim *claim = &cluster(self)->claim;
    const json_t *preempts = json_object_get(promises, "preempts"),
                 *first = json_object_get(promises, "maps_first"),
                 *copies = json_object_get(promises, "copies");
    if (!json_is_object(promises) ||
        json_object_size(promises) != (size_t)1 + (first != NULL) + (copies != NULL) ||
        !json_is_boolean(preempts) || (first && !json_is_true(first)) ||
        (copies && !json_is_true(copies)))
        return verify_reject(self, "field \"lua\": expected {\"preempts\":true} or false, and "
                                   "\"maps_first\":true, \"copies\":true or nothing");
    claim->preempts = json_is_true(preempts);
    claim->maps_first = first != NULL;
    claim->copies = copies != NULL;
    claim->holds = 1;
    claim->deals = 1;
    return 1;
}

static void set_promise(pn_cluster_claim *claim, const pn_scheduler_policy *policy)
{
    claim->preempts = policy->preempt != NULL;
    claim->copies = policy->copy != NULL;
    claim->maps_first = policy->admission.maps_first;
    claim->holds = policy == pn_scheduler_dc();
    claim->promises = policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE;
}

static int read_number(const json_t *entry, const char *name, json_int_t low, uint32_t missing,
                       uint32_t *value)
{
    const json_t *field = json_object_get(entry, name);
    json_int_t number = field ? json_integer_value(field) : missing;
    *value = (uint32_t)number;
    return (!field || json_is_integer(field)) && number >= low && number <= UINT32_MAX;
}

/* Reads a group of nodes as the log has it; 0 when it is none. */
static int read_group(json_t *entry, pn_scheduler_nodes *group)
{
    static const char *const names[] = {"count", "map_slots", "reduce_slots", "speed", NULL};
    return json_is_object(entry) && !verify_unknown(entry, names) &&
           read_number(entry, "count", 1, 1, &group->count) &&
           read_number(entry, "map_slots", 0, 0, &group->map_slots) &&
           read_number(entry, "reduce_slots", 0, 0, &group->reduce_slots) &&
           read_number(entry, "speed", 1, 1000, &group->speed);
}

/* Returns whether two lists of groups are the same nodes, however they are grouped. */
static int same_nodes(const pn_scheduler_nodes *a, size_t a_count, const pn_scheduler_nodes *b,
                      size_t b_count)
{
    uint64_t a_left = 0, b_left = 0; /* of the current groups */
    for (size_t i = 0, k = 0;;) {
        uint64_t both;
        if (a_left == 0 && i == a_count)
            return b_left == 0 && k == b_count;
        if (a_left == 0)
            a_left = a[i++].count;
        if (b_left == 0 && k == b_count)
            return 0;
        if (b_left == 0)
            b_left = b[k++].count;
        if (!cluster_nodes_alike(&a[i - 1], &b[k - 1]))
            return 0;
        both = a_left < b_left ? a_left : b_left;
        a_left -= both;
        b_left -= both;
    }
}

static int check_nodes(verify *self)
{
    cluster_verify *replay = cluster(self);
    pn_scheduler_config *config = &replay->settings.config.scheduler;
    const json_t *list = json_object_get(self->entry, "nodes");
    size_t groups = json_array_size(list);
    if (!json_is_array(list))
        return verify_reject(self, "field \"nodes\": expected an array of groups of nodes");
    replay->nodes = calloc(groups + 1, sizeof *replay->nodes);
    if (!replay->nodes)
        return verify_reject(self, "not enough memory for the nodes");
    for (size_t i = 0; i < groups; i++)
        if (!read_group(json_array_get(list, i), &replay->nodes[i]))
            return verify_reject(
                self,
                "field \"nodes[%zu]\": expected {\"count\":n,\"map_slots\":n,\"reduce_slots\":n}",
                i + 1);
    if (!same_nodes(replay->nodes, groups, config->nodes, config->nodes_count))
        return verify_reject(self, "field \"nodes\": they are not those of the scenario");
    if (!self->measured && verify_has(self, "nodes_absent"))
        return verify_reject(self, "field \"nodes_absent\": only of a measured log");
    return !verify_has(self, "nodes_absent") ||
           verify_small(self, "nodes_absent", 0, UINT32_MAX, &config->nodes_absent);
}

/* Reads the rules, which are in the table of the log's parameters on top of the stack; those of a
 * measured log in the scenario's. */
static int read_rules(lua_State *L, verify *self)
{
    pn_cluster_config *config = &cluster(self)->settings.config;
    const char *fault;
    if (self->measured)
        lua_getfield(L, 1, "rules");
    fault = read_cluster_rules(L, lua_gettop(L), config);
    if (fault)
        return verify_reject(self, "%.300s", fault);
    config->scheduler.jobs_max = 1; /* capacities mean nothing */
    config->scheduler.replicas_of_map = cluster_source_of(self->work)->replicas > 1
                                            ? cluster_source_of(self->work)->replicas
                                            : 1;
    fault = pn_cluster_check(config);
    return fault ? verify_reject(self, "out of range: %s", fault) : 1;
}

static int check_policy(lua_State *L, verify *self, const void *policy)
{
    double params[PN_PARAMS_MAX];
    if (policy) {
        if (!verify_params(L, self, policy, params))
            return 0;
        set_promise(&cluster(self)->claim, policy);
    }
    return check_nodes(self) && read_rules(L, self);
}

/* Pushes the rules. Those of the log belong into the scenario's hash. */
static void push_rules(lua_State *L, verify *self)
{
    lua_createtable(L, 0, 1);
    rules_push(L, &cluster_rules, &cluster(self)->settings.config);
    lua_setfield(L, -2, "rules");
}

static void write_settings(run_log *log, const verify *self)
{
    const cluster_verify *replay = (const cluster_verify *)self;
    cluster_log_settings(log, replay->settings.failures, replay->settings.failure_count);
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int collect(verify *self)
{
    cluster_job_list *jobs = &cluster(self)->jobs;
    int answer = cluster_job_list_collect(jobs, self->work);
    self->jobs = jobs->count;
    return answer;
}

static size_t checker_size(verify *self)
{
    cluster_verify *replay = cluster(self);
    replay->claim.config = &replay->settings.config;
    replay->claim.measured = self->measured;
    replay->claim.jobs = replay->jobs.jobs;
    replay->claim.job_count = self->jobs;
    replay->claim.failures = replay->settings.failures;
    replay->claim.failure_count = replay->settings.failure_count;
    return pn_cluster_verifier_size(&replay->claim);
}

static int start(verify *self, size_t size)
{
    return pn_cluster_verifier_init(&cluster(self)->verifier, self->block, size,
                                    &cluster(self)->claim);
}

static int reject_fault(verify *self)
{
    uint64_t time = 0, id = 0;
    const char *fault = pn_cluster_verifier_fault(cluster(self)->verifier, &time, &id);
    if (id > 0)
        return verify_reject(self, "%s (time %llu, job %llu)", fault, (unsigned long long)time,
                             (unsigned long long)id);
    return verify_reject(self, "%s (time %llu)", fault, (unsigned long long)time);
}

/* ---- entries --------------------------------------------------------------------------------- */

static int feed_entry(verify *self)
{
    pn_scheduler_event event = {.event = self->reader.event.number};
    log_store(&self->reader.event, &event);
    if (pn_cluster_verifier_feed(cluster(self)->verifier, &event) != PN_OK)
        return reject_fault(self);
    cluster(self)->time = event.time;
    self->decisions += event.event == PN_SCHEDULER_LAUNCH || event.event == PN_SCHEDULER_KILL;
    return 1;
}

static int stop(verify *self, uint64_t until)
{
    if (until == PN_SCHEDULER_NEVER)
        return 1;
    if (until <= cluster(self)->time)
        return verify_reject(self, "the run continues after \"until\"");
    pn_cluster_verifier_stop(cluster(self)->verifier, until);
    return 1;
}

static uint64_t arrival_of(const verify *self, size_t job)
{
    return ((const cluster_verify *)self)->jobs.jobs[job].submit;
}

static int end(lua_State *L, verify *self)
{
    const cluster_verify *replay = cluster(self);
    cluster_log_last last;
    log_store(&self->reader.event, &last);
    self->digest = last.digest;
    self->unfinished = last.unfinished;
    lua_pushinteger(L, (lua_Integer)last.end);
    if (!stop(self, last.until))
        return 0;
    last.unfinished += verify_not_handed_over(self, last.until, replay->settings.config.max_time_ms,
                                              arrival_of);
    return pn_cluster_verifier_end(replay->verifier, last.end, last.unfinished, last.digest) ==
                   PN_OK
               ? 1
               : reject_fault(self);
}

static void release(verify *self)
{
    cluster_verify *replay = cluster(self);
    cluster_job_list_free(&replay->jobs);
    free(replay->nodes);
    replay->nodes = NULL;
}

/* { workload, nodes, failures, rules, log, hash_of } */
static const char *const header[] = {"pinion_log",   "model",    "policy", "scenario",
                                     "params",       "lua",      "nodes",  "measured",
                                     "nodes_absent", "settings", "jobs",   NULL};

const verify_model verify_cluster = {.size = sizeof(cluster_verify),
                                     .kinds = &cluster_log_kinds,
                                     .header = header,
                                     .choices = 1,
                                     .end = "end",
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
