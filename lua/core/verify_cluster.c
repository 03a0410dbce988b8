/* Lines of the cluster model's decision logs, for its checker. */
#include <stdlib.h>
#include <string.h>

#include "run/cluster_log.h"
#include "cluster.h"
#include "verify.h"
#include "workload/cluster.h"

typedef struct cluster_verify {
    verify verify;
    /* nodes and failures of the scenario; the rules are the log's, of a measured log the
     * scenario's */
    cluster_settings settings;
    pn_scheduler_nodes *nodes; /* of the log */
    pn_cluster_claim claim;
    cluster_job_list jobs;
    pn_cluster_verifier *verifier;
    uint64_t time, end; /* of the last entry; of the last line */
    uint64_t until;     /* the run was stopped before it; PN_SCHEDULER_NEVER */
} cluster_verify;

/* A cluster_verify begins with its verify. */
static cluster_verify *cluster(verify *self)
{
    return (cluster_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    field_cluster_settings(L, 1, &cluster(self)->settings);
    cluster(self)->until = PN_SCHEDULER_NEVER;
}

/* {"preempts":true} or false, and "maps_first":true and "copies":true where that is so. The log
 * does not say what such a policy holds back. */
static int read_promise(verify *self, const json_t *about)
{
    pn_cluster_claim *claim = &cluster(self)->claim;
    const json_t *preempts = json_object_get(about, "preempts"),
                 *first = json_object_get(about, "maps_first"),
                 *copies = json_object_get(about, "copies");
    if (!json_is_object(about) ||
        json_object_size(about) != (size_t)1 + (first != NULL) + (copies != NULL) ||
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

/* A group of nodes as the log has it; 0 when it is none. */
static int read_group(const json_t *entry, pn_scheduler_nodes *group)
{
    return json_is_object(entry) && read_number(entry, "count", 1, 1, &group->count) &&
           read_number(entry, "map_slots", 0, 0, &group->map_slots) &&
           read_number(entry, "reduce_slots", 0, 0, &group->reduce_slots) &&
           read_number(entry, "speed", 1, 1000, &group->speed);
}

/* Whether two lists of groups are the same nodes, however they are grouped. */
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
    cluster_verify *own = cluster(self);
    pn_scheduler_config *config = &own->settings.config.scheduler;
    const json_t *list = json_object_get(self->entry, "nodes");
    size_t groups = json_array_size(list);
    if (!json_is_array(list))
        return verify_reject(self, "field \"nodes\": expected an array of groups of nodes");
    own->nodes = calloc(groups + 1, sizeof *own->nodes);
    if (!own->nodes)
        return verify_reject(self, "not enough memory for the nodes");
    for (size_t i = 0; i < groups; i++)
        if (!read_group(json_array_get(list, i), &own->nodes[i]))
            return verify_reject(
                self,
                "field \"nodes[%zu]\": expected {\"count\":n,\"map_slots\":n,\"reduce_slots\":n}",
                i + 1);
    if (!same_nodes(own->nodes, groups, config->nodes, config->nodes_count))
        return verify_reject(self, "field \"nodes\": they are not those of the scenario");
    if (!self->measured && verify_has(self, "nodes_absent"))
        return verify_reject(self, "field \"nodes_absent\": only of a measured log");
    return !verify_has(self, "nodes_absent") ||
           verify_small(self, "nodes_absent", 0, UINT32_MAX, &config->nodes_absent);
}

/* The rules are in the table of the log's parameters on top of the stack; those of a measured log
 * in the scenario's. */
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

/* Those of the log belong into the scenario's hash. */
static void push_rules(lua_State *L, verify *self)
{
    lua_createtable(L, 0, 1);
    rules_push(L, &cluster_rules, &cluster(self)->settings.config);
    lua_setfield(L, -2, "rules");
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
    cluster_verify *own = cluster(self);
    own->claim.config = &own->settings.config;
    own->claim.measured = self->measured;
    own->claim.jobs = own->jobs.jobs;
    own->claim.job_count = self->jobs;
    own->claim.failures = own->settings.failures;
    own->claim.failure_count = own->settings.failure_count;
    return pn_cluster_verifier_size(&own->claim);
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

static int read_kind(verify *self, uint32_t *kind)
{
    const char *word = verify_string(self, "kind");
    if (!word)
        return 0;
    *kind = strcmp(word, "reduce") == 0 ? PN_SCHEDULER_REDUCE : PN_SCHEDULER_MAP;
    return *kind == PN_SCHEDULER_REDUCE || strcmp(word, "map") == 0
               ? 1
               : verify_reject(self, "field \"kind\": expected map or reduce, got \"%.40s\"", word);
}

static int read_task(verify *self, pn_scheduler_event *event)
{
    static const char *const fields[] = {"time", "event", "job",     "kind",
                                         "task", "node",  "attempt", NULL};
    if (!verify_fields(self, fields) || !verify_integer(self, "job", 1, &event->id) ||
        !read_kind(self, &event->kind) ||
        !verify_small(self, "task", 1, UINT32_MAX, &event->task) ||
        !verify_small(self, "node", 0, UINT32_MAX, &event->node) ||
        !verify_small(self, "attempt", 0, UINT32_MAX, &event->attempt))
        return 0;
    event->task--;
    return 1;
}

static int read_node(verify *self, pn_scheduler_event *event)
{
    static const char *const fields[] = {"time", "event", "node", NULL};
    return verify_fields(self, fields) && verify_small(self, "node", 0, UINT32_MAX, &event->node);
}

static int read_resize(verify *self, pn_scheduler_event *event)
{
    static const char *const fields[] = {"time",      "event",        "node",
                                         "map_slots", "reduce_slots", NULL};
    return verify_fields(self, fields) && verify_small(self, "node", 0, UINT32_MAX, &event->node) &&
           verify_small(self, "map_slots", 0, UINT32_MAX, &event->slots[0]) &&
           verify_small(self, "reduce_slots", 0, UINT32_MAX, &event->slots[1]);
}

static int read_job(verify *self, pn_scheduler_event *event)
{
    static const char *const named[] = {"time", "event", "job", NULL}, *const finish[] = {
                                                                           "time", "job", "finish",
                                                                           NULL};
    int finishes = event->event == PN_SCHEDULER_JOB_FINISH;
    return verify_fields(self, finishes ? finish : named) &&
           verify_integer(self, "job", 1, &event->id) && (!finishes || verify_true(self, "finish"));
}

/* An estimate that is not there is not known, and a deadline or a blocker that is not there is
 * none. */
static int read_estimate(verify *self, pn_scheduler_event *event)
{
    static const char *const fields[] = {"time",     "event",   "job", "estimate",
                                         "deadline", "blocker", NULL};
    event->estimate = PN_SCHEDULER_NEVER;
    return verify_fields(self, fields) && verify_integer(self, "job", 1, &event->id) &&
           (!verify_has(self, "estimate") ||
            verify_integer(self, "estimate", 0, &event->estimate)) &&
           (!verify_has(self, "deadline") ||
            verify_integer(self, "deadline", 1, &event->deadline)) &&
           (!verify_has(self, "blocker") || verify_integer(self, "blocker", 1, &event->blocker));
}

/* Of enum pn_scheduler_event_kind; 0 with a fault. */
static uint32_t read_event(verify *self)
{
    const char *word;
    if (verify_has(self, "finish"))
        return PN_SCHEDULER_JOB_FINISH;
    word = verify_string(self, "event");
    for (uint32_t i = 1; word && i <= PN_SCHEDULER_NODE_RESIZE; i++)
        if (cluster_event_names[i] && strcmp(cluster_event_names[i], word) == 0)
            return i;
    if (word)
        verify_reject(self, "field \"event\": unknown word \"%.40s\"", word);
    return 0;
}

static int read_entry(verify *self, pn_scheduler_event *event)
{
    memset(event, 0, sizeof *event);
    event->event = read_event(self);
    if (event->event == 0 || !verify_integer(self, "time", 0, &event->time))
        return 0;
    if (cluster_event_of_task(event->event))
        return read_task(self, event);
    if (event->event == PN_SCHEDULER_NODE_DOWN || event->event == PN_SCHEDULER_NODE_UP)
        return read_node(self, event);
    if (event->event == PN_SCHEDULER_NODE_RESIZE)
        return read_resize(self, event);
    if (cluster_event_estimates(event->event))
        return read_estimate(self, event);
    return read_job(self, event);
}

static int feed_entry(verify *self)
{
    pn_scheduler_event event;
    if (!read_entry(self, &event))
        return 0;
    if (pn_cluster_verifier_feed(cluster(self)->verifier, &event) != PN_OK)
        return reject_fault(self);
    cluster(self)->time = event.time;
    self->decisions += event.event == PN_SCHEDULER_LAUNCH || event.event == PN_SCHEDULER_KILL;
    return 1;
}

static int push_end(lua_State *L, verify *self)
{
    cluster_verify *own = cluster(self);
    if (!verify_integer(self, "end", 0, &own->end) ||
        !verify_integer(self, "unfinished", 0, &self->unfinished))
        return 0;
    if (verify_has(self, "until")) {
        if (!verify_integer(self, "until", 1, &own->until))
            return 0;
        if (own->until <= own->time)
            return verify_reject(self, "the run continues after \"until\"");
        if (pn_cluster_verifier_stop(own->verifier, own->until) != PN_OK)
            return reject_fault(self);
    }
    lua_pushinteger(L, (lua_Integer)own->end);
    return 1;
}

static uint64_t arrival_of(const verify *self, size_t job)
{
    return ((const cluster_verify *)self)->jobs.jobs[job].submit;
}

static int finish(verify *self, uint64_t digest)
{
    const cluster_verify *own = cluster(self);
    uint64_t unfinished = self->unfinished +
                          verify_not_handed_over(self, own->until, own->settings.config.max_time_ms,
                                                 arrival_of);
    return pn_cluster_verifier_end(own->verifier, own->end, unfinished, digest) == PN_OK ||
           reject_fault(self);
}

static void free_own(verify *self)
{
    cluster_verify *own = cluster(self);
    cluster_job_list_free(&own->jobs);
    free(own->nodes);
    own->nodes = NULL;
}

/* { workload, nodes, failures, rules, log, hash_of } */
static const char *const header[] = {"pinion_log", "model", "policy",   "scenario",     "params",
                                     "lua",        "nodes", "measured", "nodes_absent", NULL};
static const char *const last[] = {"end", "unfinished", "until", "digest", NULL};

const verify_model verify_cluster = {.size = sizeof(cluster_verify),
                                     .header = header,
                                     .choices = 1,
                                     .end = "end",
                                     .read = read_settings,
                                     .policy = check_policy,
                                     .promise = read_promise,
                                     .push_rules = push_rules,
                                     .collect = collect,
                                     .checker_size = checker_size,
                                     .start = start,
                                     .entry = feed_entry,
                                     .last = last,
                                     .push_end = push_end,
                                     .finish = finish,
                                     .free = free_own};
