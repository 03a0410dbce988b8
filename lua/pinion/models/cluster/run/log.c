#include "log.h"

#include "run/rules.h"

/* ---- rows ------------------------------------------------------------------------------------ */

#define TIME LOG_COUNT("time", pn_scheduler_event, time, 0)
#define JOB  LOG_COUNT("job", pn_scheduler_event, id, 1)
#define NODE LOG_SMALL("node", pn_scheduler_event, node)

static const char *const stages[] = {"map", "reduce", NULL};
static const log_field task[] = {{TIME},
                                 {JOB},
                                 {LOG_FIELD("kind"), LOG_IN(pn_scheduler_event, kind),
                                  .type = LOG_WORD, .low = PN_SCHEDULER_MAP, .words = stages},
                                 {LOG_FROM_1("task", pn_scheduler_event, task)},
                                 {NODE},
                                 {LOG_SMALL("attempt", pn_scheduler_event, attempt)},
                                 {0}};
/* A finish beyond all times is not known; a deadline or a blocker of 0 is none. */
static const log_field promise[] = {
    {TIME},
    {JOB},
    {LOG_COUNT_OR("estimate", pn_scheduler_event, estimate, 0, PN_SCHEDULER_NEVER)},
    {LOG_COUNT_OR("deadline", pn_scheduler_event, deadline, 1, 0)},
    {LOG_COUNT_OR("blocker", pn_scheduler_event, blocker, 1, 0)},
    {0}};
static const log_field job[] = {{TIME}, {JOB}, {0}};
static const log_field finish[] = {{TIME}, {JOB}, {LOG_YES("finish")}, {0}};
static const log_field node[] = {{TIME}, {NODE}, {0}};
static const log_field resize[] = {{TIME},
                                   {NODE},
                                   {LOG_SMALL("map_slots", pn_scheduler_event, slots[0])},
                                   {LOG_SMALL("reduce_slots", pn_scheduler_event, slots[1])},
                                   {0}};
static const log_field last_fields[] = {
    {LOG_COUNT("end", cluster_log_last, end, 0)},
    {LOG_COUNT_OR("until", cluster_log_last, until, 1, PN_SCHEDULER_NEVER)},
    {LOG_COUNT("unfinished", cluster_log_last, unfinished, 0)},
    {LOG_ENDS(cluster_log_last)},
    {0}};

static const log_kind kinds[] = {
    [LOG_LAST] = {"last", "end", last_fields},
    [PN_SCHEDULER_ACCEPT] = {"accept", NULL, promise},
    [PN_SCHEDULER_REJECT] = {"reject", NULL, promise},
    [PN_SCHEDULER_LAUNCH] = {"launch", NULL, task},
    [PN_SCHEDULER_END] = {"end", NULL, task},
    [PN_SCHEDULER_KILL] = {"kill", NULL, task},
    [PN_SCHEDULER_FAIL] = {"fail", NULL, task},
    [PN_SCHEDULER_LOSE] = {"lose", NULL, task},
    [PN_SCHEDULER_DROP] = {"drop", NULL, task},
    [PN_SCHEDULER_RERUN] = {"rerun", NULL, task},
    [PN_SCHEDULER_NODE_DOWN] = {"node_down", NULL, node},
    [PN_SCHEDULER_NODE_UP] = {"node_up", NULL, node},
    [PN_SCHEDULER_JOB_FINISH] = {"finish", "finish", finish},
    [PN_SCHEDULER_JOB_FAIL] = {"job_failed", NULL, job},
    [PN_SCHEDULER_LATE] = {"late", NULL, promise},
    [PN_SCHEDULER_SUSPEND] = {"suspend", NULL, task},
    [PN_SCHEDULER_RESUME] = {"resume", NULL, task},
    [PN_SCHEDULER_CANCEL] = {"cancel", NULL, task},
    [PN_SCHEDULER_JOB_CANCEL] = {"job_cancelled", NULL, job},
    [PN_SCHEDULER_NODE_RESIZE] = {"node_resize", NULL, resize},
};
const log_kinds cluster_log_kinds = {LOG_KINDS(kinds)};

/* ---- the first line -------------------------------------------------------------------------- */

/* Writes the nodes; equal neighbours make one group. */
static void write_nodes(run_log *log, const pn_scheduler_config *config)
{
    const pn_scheduler_nodes *nodes = config->nodes;
    uint64_t count = 0;
    run_log_write(log, ",\"nodes\":");
    for (uint32_t i = 0, first = 1; i < config->nodes_count; i++) {
        count += nodes[i].count;
        if (i + 1 < config->nodes_count && cluster_nodes_alike(&nodes[i], &nodes[i + 1]))
            continue;
        run_log_write(log, "%s{\"count\":%llu,\"map_slots\":%lu,\"reduce_slots\":%lu",
                      first ? "[" : ",", (unsigned long long)count,
                      (unsigned long)nodes[i].map_slots, (unsigned long)nodes[i].reduce_slots);
        if (nodes[i].speed != 0 && nodes[i].speed != 1000)
            run_log_write(log, ",\"speed\":%lu", (unsigned long)nodes[i].speed);
        run_log_write(log, "}");
        count = first = 0;
    }
    run_log_write(log, "]");
}

void cluster_log_settings(run_log *log, const pn_cluster_failure *failures, size_t count)
{
    if (count == 0)
        return;
    run_log_write_mark(log, ",\"settings\":{", "failures",
                       cluster_hash_failures(PN_MIX_START, failures, count));
    run_log_write(log, "}");
}

void cluster_log_start(run_log *log, const pn_cluster_config *config,
                       const pn_cluster_failure *failures, size_t failure_count,
                       const pn_scheduler_policy *policy, const double *params, uint64_t scenario)
{
    const int scripted = pn_lua_policy_behind_cluster(policy) != NULL;
    const char *before;
    run_log_start(log, "cluster", policy->name, scenario);
    run_log_write(log, ",\"params\":{");
    before = run_log_params(log, policy->params, policy->param_count, params, scripted, 0, "");
    rules_write(log, &cluster_rules, config, before);
    run_log_write(log, "}");
    if (scripted)
        run_log_write(log, ",\"lua\":{\"preempts\":%s%s%s}", policy->preempt ? "true" : "false",
                      policy->admission.maps_first ? ",\"maps_first\":true" : "",
                      policy->copy ? ",\"copies\":true" : "");
    write_nodes(log, &config->scheduler);
    cluster_log_settings(log, failures, failure_count);
    run_log_end_first(log);
}

/* ---- the other lines ------------------------------------------------------------------------- */

static void add_field(run_log_line *line, const char *name, uint64_t number)
{
    run_log_add_text(line, name);
    run_log_add_number(line, number);
}

static void add_task(run_log_line *line, const pn_scheduler_event *event)
{
    run_log_add_text(line, event->kind == PN_SCHEDULER_MAP ? ",\"kind\":\"map\""
                                                           : ",\"kind\":\"reduce\"");
    add_field(line, ",\"task\":", (uint64_t)event->task + 1);
    add_field(line, ",\"node\":", event->node);
    add_field(line, ",\"attempt\":", event->attempt);
}

/* Adds what is known of them: beyond all times there are, nothing is. */
static void add_estimate(run_log_line *line, const pn_scheduler_event *event)
{
    if (event->estimate <= PN_INTEGER_MAX)
        add_field(line, ",\"estimate\":", event->estimate);
    if (event->deadline > 0)
        add_field(line, ",\"deadline\":", event->deadline);
    if (event->blocker > 0)
        add_field(line, ",\"blocker\":", event->blocker);
}

void cluster_log_event(run_log *log, const pn_scheduler_event *event)
{
    const log_kind *kind = &kinds[event->event];
    run_log_line out;
    out.size = 0;
    add_field(&out, "{\"time\":", event->time);
    if (event->event == PN_SCHEDULER_JOB_FINISH) {
        add_field(&out, ",\"job\":", event->id);
        run_log_add_text(&out, ",\"finish\":true}\n");
        run_log_write_line(log, &out);
        return;
    }
    run_log_add_text(&out, ",\"event\":\"");
    run_log_add_text(&out, kind->name);
    if (event->id > 0)
        add_field(&out, "\",\"job\":", event->id);
    else
        add_field(&out, "\",\"node\":", event->node);
    if (kind->fields == task)
        add_task(&out, event);
    if (kind->fields == promise)
        add_estimate(&out, event);
    if (kind->fields == resize) {
        add_field(&out, ",\"map_slots\":", event->slots[0]);
        add_field(&out, ",\"reduce_slots\":", event->slots[1]);
    }
    run_log_add_text(&out, "}\n");
    run_log_write_line(log, &out);
}

void cluster_log_end(run_log *log, const cluster_log_last *last)
{
    run_log_write(log, "{\"end\":%llu,\"unfinished\":%llu", (unsigned long long)last->end,
                  (unsigned long long)last->unfinished);
    if (last->until != PN_SCHEDULER_NEVER)
        run_log_write(log, ",\"until\":%llu", (unsigned long long)last->until);
    run_log_write(log, ",\"digest\":\"%016llx\"}\n", (unsigned long long)last->digest);
}
