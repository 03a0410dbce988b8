/* Lines of the dag model's decision logs, for its checker. */
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "core/json_memory.h"
#include "core/verify.h"
#include "pinion/models/dag/sources/jobs.h"

typedef struct dag_verify {
    verify verify;
    dag_settings settings; /* nodes, queues and failures are the scenario's; the rules the log's */
    const uint32_t *queue_of; /* of the settings, by the number that the source's jobs give */
    pn_dag_claim claim;
    dag_job_list jobs;
    pn_dag_verifier *verifier;
    uint64_t time, finish; /* of the last entry; of the last job that finished */
} dag_verify;

/* Returns the dag_verify that begins with this verify. */
static dag_verify *dag(verify *self)
{
    return (dag_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    dag_verify *replay = dag(self);
    field_dag_settings(L, 1, &replay->settings);
    replay->queue_of = dag_queues_of(L, self->work, &replay->settings);
    luaL_argcheck(L, replay->queue_of, 1, lua_tostring(L, -1));
}

/* Reads {"preempts":true,"limits":false} */
static int read_promise(verify *self, const json_t *promises)
{
    pn_dag_claim *claim = &dag(self)->claim;
    const json_t *preempts = json_object_get(promises, "preempts"),
                 *limits = json_object_get(promises, "limits");
    if (json_object_size(promises) != 2 || !json_is_boolean(preempts) || !json_is_boolean(limits))
        return verify_reject(self, "field \"lua\": expected {\"preempts\":true,\"limits\":true}, "
                                   "or false in place of either");
    claim->preempts = json_is_true(preempts);
    claim->limits = json_is_true(limits);
    return 1;
}

/* Returns the value of the policy's own parameter of this name; 0 where it has none. */
static double own_param(const pn_dispatch_policy *policy, const double *values, const char *name)
{
    for (uint8_t i = 0; i < policy->param_count; i++)
        if (strcmp(policy->params[i].name, name) == 0)
            return values[i];
    return 0.0;
}

static void set_promise(pn_dag_claim *claim, const pn_dispatch_policy *policy, const double *values)
{
    claim->preempts = policy->order.preempts || own_param(policy, values, "preempt") > 0.0;
    claim->limits = policy->order.limits;
}

static int read_number(const json_t *field, json_int_t low, json_int_t high, json_int_t missing,
                       json_int_t *value)
{
    *value = field ? json_integer_value(field) : missing;
    return (!field || json_is_integer(field)) && low <= *value && *value <= high;
}

/* Checks that the resources are those of the scenario. */
static int check_resources(verify *self)
{
    const char *text = dag(self)->settings.resource_names;
    json_error_t error;
    json_t *names = json_memory_loadb(text, strlen(text), 0, &error);
    int same = json_equal(names, json_object_get(self->entry, "resources"));
    if (!names)
        return verify_reject(self, "not enough memory for the names of resources");
    json_decref(names);
    return same ? 1
                : verify_reject(self, "field \"resources\": they are not those of the scenario");
}

/* Reads a group of nodes as the log has it; 0 when it is none. */
static int read_group(json_t *entry, uint32_t resources, pn_dispatch_nodes *group)
{
    static const char *const names[] = {"count", "capacity", "speed", NULL};
    const json_t *capacity = json_object_get(entry, "capacity");
    json_int_t count, speed, amount;
    memset(group, 0, sizeof *group);
    if (!json_is_object(entry) || verify_unknown(entry, names) ||
        json_array_size(capacity) != resources ||
        !read_number(json_object_get(entry, "count"), 1, UINT32_MAX, 1, &count) ||
        !read_number(json_object_get(entry, "speed"), 1, UINT32_MAX, 1000, &speed))
        return 0;
    group->count = (uint32_t)count;
    group->speed = (uint32_t)speed;
    for (uint32_t r = 0; r < resources; r++) {
        if (!read_number(json_array_get(capacity, r), 0, INT64_MAX, -1, &amount))
            return 0;
        group->capacity[r] = (uint64_t)amount;
    }
    return 1;
}

/* Returns whether the next group of the log is the next nodes of the scenario, however these are
 * grouped. */
static int same_nodes(const pn_dispatch_config *config, const json_t *list)
{
    uint32_t at = 0;
    uint64_t left = config->nodes[0].count;
    pn_dispatch_nodes group;
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_group(json_array_get(list, i), config->resources, &group))
            return 0;
        for (uint64_t wanted = group.count; wanted > 0;) {
            while (left == 0 && at < config->nodes_count)
                left = ++at < config->nodes_count ? config->nodes[at].count : 0;
            if (at == config->nodes_count || !dag_nodes_alike(&group, &config->nodes[at]))
                return 0;
            uint64_t both = left < wanted ? left : wanted;
            left -= both;
            wanted -= both;
        }
    }
    return left == 0 && at + 1 >= config->nodes_count;
}

/* Reads the rules, which are in the table of the log's parameters on top of the stack. */
static int read_rules(lua_State *L, verify *self)
{
    pn_dag_config *config = &dag(self)->settings.config;
    const char *fault = read_dag_rules(L, lua_gettop(L), config);
    if (fault)
        return verify_reject(self, "%.300s", fault);
    config->dispatch.jobs_max = 1; /* capacities mean nothing */
    fault = pn_dag_check(config);
    return fault ? verify_reject(self, "out of range: %s", fault) : 1;
}

static int check_policy(lua_State *L, verify *self, const void *policy)
{
    double params[PN_PARAMS_MAX];
    if (policy) {
        if (!verify_params(L, self, policy, params))
            return 0;
        set_promise(&dag(self)->claim, policy, params);
    }
    if (!check_resources(self))
        return 0;
    if (!same_nodes(&dag(self)->settings.config.dispatch, json_object_get(self->entry, "nodes")))
        return verify_reject(self, "field \"nodes\": they are not those of the scenario");
    return read_rules(L, self);
}

/* Pushes the rules. Those of the log belong into the scenario's hash. */
static void push_rules(lua_State *L, verify *self)
{
    lua_createtable(L, 0, 1);
    rules_push(L, &dag_rules, &dag(self)->settings.config);
    lua_setfield(L, -2, "rules");
}

static void write_settings(run_log *log, const verify *self)
{
    dag_log_settings(log, &((const dag_verify *)self)->settings);
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int collect(verify *self)
{
    dag_verify *replay = dag(self);
    int answer = dag_job_list_collect(&replay->jobs, self->work);
    self->measured = 0; /* such a log names no scenario, and keeps all the same to this one */
    self->jobs = replay->jobs.count;
    for (size_t i = 0; i < replay->jobs.count; i++) {
        replay->jobs.jobs[i].queue = replay->queue_of[replay->jobs.jobs[i].queue];
        replay->jobs.jobs[i].group = 0; /* no rule looks at it */
    }
    return answer;
}

static size_t checker_size(verify *self)
{
    dag_verify *replay = dag(self);
    replay->claim.config = &replay->settings.config;
    replay->claim.jobs = replay->jobs.jobs;
    replay->claim.job_count = self->jobs;
    replay->claim.failures = replay->settings.failures;
    replay->claim.failure_count = replay->settings.failure_count;
    return pn_dag_verifier_size(&replay->claim);
}

static int start(verify *self, size_t size)
{
    return pn_dag_verifier_init(&dag(self)->verifier, self->block, size, &dag(self)->claim);
}

static int reject_fault(verify *self)
{
    uint64_t time = 0, id = 0;
    const char *fault = pn_dag_verifier_fault(dag(self)->verifier, &time, &id);
    if (id > 0)
        return verify_reject(self, "%s (time %llu, job %llu)", fault, (unsigned long long)time,
                             (unsigned long long)id);
    return verify_reject(self, "%s (time %llu)", fault, (unsigned long long)time);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Returns whether the demands of a job that arrives are its own. That there is such a job is the
 * checker's to say. */
static int same_demands(verify *self, uint64_t id, const char *list)
{
    const dag_verify *replay = dag(self);
    const pn_dag_job *job = id <= self->jobs ? &replay->jobs.jobs[id - 1] : NULL;
    const size_t size = replay->settings.config.dispatch.resources * sizeof(uint64_t);
    uint64_t demand[PN_DISPATCH_RESOURCES_MAX];
    uint32_t stage = 0, count;
    int same = 1;
    do {
        list = log_read_vector(list + 1, demand, PN_DISPATCH_RESOURCES_MAX, &count);
        same = job && stage < job->stage_count && count * sizeof demand[0] == size &&
               memcmp(demand, job->stages[stage++].demand, size) == 0;
    } while (same && *list == ',');
    return !job || (same && stage == job->stage_count)
               ? 1
               : verify_reject(self, "field \"demands\": they are not those of job %llu",
                               (unsigned long long)id);
}

static int feed_entry(verify *self)
{
    const log_event *line = &self->reader.event;
    pn_dispatch_event event = {.event = line->number};
    log_store(line, &event);
    if (event.event == PN_DISPATCH_ARRIVE && !same_demands(self, event.id, line->values[2].text))
        return 0;
    if (pn_dag_verifier_feed(dag(self)->verifier, &event) != PN_OK)
        return reject_fault(self);
    dag(self)->time = event.time;
    if (event.event == PN_DISPATCH_JOB_FINISH)
        dag(self)->finish = event.time;
    self->decisions += event.event == PN_DISPATCH_LAUNCH || event.event == PN_DISPATCH_KILL;
    return 1;
}

static int stop(verify *self, uint64_t until)
{
    if (until == PN_DISPATCH_NEVER)
        return 1;
    if (until <= dag(self)->time)
        return verify_reject(self, "the run continues after \"until\"");
    return pn_dag_verifier_stop(dag(self)->verifier, until) == PN_OK ? 1 : reject_fault(self);
}

static uint64_t arrival_of(const verify *self, size_t job)
{
    return ((const dag_verify *)self)->jobs.jobs[job].arrival;
}

static int end(lua_State *L, verify *self)
{
    const dag_verify *replay = dag(self);
    dag_log_last last;
    log_store(&self->reader.event, &last);
    self->digest = last.digest;
    self->unfinished = last.unfinished;
    lua_pushinteger(L, (lua_Integer)last.end);
    if (last.end != replay->finish)
        return verify_reject(self, "field \"end\": the last job finishes at %llu",
                             (unsigned long long)replay->finish);
    if (!stop(self, last.until))
        return 0;
    last.unfinished += verify_not_handed_over(self, last.until, replay->settings.config.max_time_ms,
                                              arrival_of);
    return pn_dag_verifier_end(replay->verifier, last.unfinished, NULL, last.digest) == PN_OK
               ? 1
               : reject_fault(self);
}

static void release(verify *self)
{
    dag_job_list_free(&dag(self)->jobs);
}

/* { workload, resources, nodes, queues, failures, rules, log, hash_of } */
static const char *const header[] = {"pinion_log", "model",    "policy",   "scenario",
                                     "params",     "lua",      "measured", "resources",
                                     "nodes",      "settings", "jobs",     NULL};

const verify_model verify_dag = {.size = sizeof(dag_verify),
                                 .kinds = &dag_log_kinds,
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
