#include "log.h"

#include <errno.h>
#include <stdlib.h>

#include "run/rules.h"

/* ---- rows ------------------------------------------------------------------------------------ */

#define TIME LOG_COUNT("time", pn_dispatch_event, time, 0)
#define JOB  LOG_COUNT("job", pn_dispatch_event, id, 1)
#define NODE LOG_SMALL("node", pn_dispatch_event, node)

#define AMOUNTS(vector) .type = (vector), .high = PN_DISPATCH_DEMAND_MOST

static const log_field arrive[] = {
    {TIME}, {JOB}, {LOG_FIELD("demands"), AMOUNTS(LOG_VECTORS)}, {0}};
static const log_field task[] = {{TIME},
                                 {JOB},
                                 {LOG_SMALL("stage", pn_dispatch_event, stage)},
                                 {LOG_FROM_1("task", pn_dispatch_event, task)},
                                 {NODE},
                                 {LOG_SMALL("attempt", pn_dispatch_event, attempt)},
                                 {0}};
static const log_field job[] = {{TIME}, {JOB}, {0}};
static const log_field finish[] = {{TIME}, {JOB}, {LOG_YES("finish")}, {0}};
static const log_field node[] = {{TIME}, {NODE}, {0}};
static const log_field move[] = {{TIME}, {JOB}, {NODE}, {0}};
static const log_field resize[] = {
    {TIME},
    {NODE},
    {LOG_FIELD("capacity"), LOG_IN(pn_dispatch_event, capacity), AMOUNTS(LOG_VECTOR)},
    {0}};
static const log_field last_fields[] = {
    {LOG_COUNT("end", dag_log_last, end, 0)},
    {LOG_COUNT_OR("until", dag_log_last, until, 1, PN_DISPATCH_NEVER)},
    {LOG_COUNT("unfinished", dag_log_last, unfinished, 0)},
    {LOG_ENDS(dag_log_last)},
    {0}};

static const log_kind kinds[] = {
    [LOG_LAST] = {"last", "end", last_fields},
    [PN_DISPATCH_ARRIVE] = {"arrive", NULL, arrive},
    [PN_DISPATCH_LAUNCH] = {"launch", NULL, task},
    [PN_DISPATCH_END] = {"end", NULL, task},
    [PN_DISPATCH_KILL] = {"kill", NULL, task},
    [PN_DISPATCH_FAIL] = {"fail", NULL, task},
    [PN_DISPATCH_LOSE] = {"lose", NULL, task},
    [PN_DISPATCH_DROP] = {"drop", NULL, task},
    [PN_DISPATCH_NODE_DOWN] = {"node_down", NULL, node},
    [PN_DISPATCH_NODE_UP] = {"node_up", NULL, node},
    [PN_DISPATCH_JOB_FINISH] = {"finish", "finish", finish},
    [PN_DISPATCH_JOB_CANCEL] = {"cancel", NULL, job},
    [PN_DISPATCH_NODE_RESIZE] = {"node_resize", NULL, resize},
    [PN_DISPATCH_MOVE] = {"move", NULL, move},
};
const log_kinds dag_log_kinds = {LOG_KINDS(kinds)};

/* ---- the first line -------------------------------------------------------------------------- */

static void write_capacity(run_log *log, const pn_dispatch_nodes *nodes, uint32_t resources)
{
    for (uint32_t r = 0; r < resources; r++)
        run_log_write(log, "%s%llu", r == 0 ? "[" : ",", (unsigned long long)nodes->capacity[r]);
    run_log_write(log, "]");
}

/* Writes the nodes; equal neighbours make one group. */
static void write_nodes(run_log *log, const pn_dispatch_config *config)
{
    const pn_dispatch_nodes *nodes = config->nodes;
    uint64_t count = 0;
    run_log_write(log, ",\"nodes\":");
    for (uint32_t i = 0, first = 1; i < config->nodes_count; i++) {
        count += nodes[i].count;
        if (i + 1 < config->nodes_count && dag_nodes_alike(&nodes[i], &nodes[i + 1]))
            continue;
        run_log_write(log, "%s{\"count\":%llu,\"capacity\":", first ? "[" : ",",
                      (unsigned long long)count);
        write_capacity(log, &nodes[i], config->resources);
        if (nodes[i].speed != 0 && nodes[i].speed != 1000)
            run_log_write(log, ",\"speed\":%lu", (unsigned long)nodes[i].speed);
        run_log_write(log, "}");
        count = first = 0;
    }
    run_log_write(log, "]");
}

void dag_log_settings(run_log *log, const dag_settings *settings)
{
    run_log_write_mark(log, ",\"settings\":{", "queues", dag_hash_queues(PN_MIX_START, settings));
    if (settings->failure_count > 0)
        run_log_write_mark(log, ",", "failures", dag_hash_failures(PN_MIX_START, settings));
    run_log_write(log, "}");
}

void dag_log_start(run_log *log, const dag_settings *settings, const pn_dispatch_policy *policy,
                   const pn_dispatch_order *order, const double *params, uint64_t scenario)
{
    const pn_dag_config *config = &settings->config;
    const int scripted = pn_lua_policy_behind_dag(policy) != NULL;
    const char *before;
    run_log_start(log, "dag", policy->name, scenario);
    run_log_write(log, ",\"params\":{");
    before = run_log_params(log, policy->params, policy->param_count, params, scripted, 0, "");
    rules_write(log, &dag_rules, config, before);
    run_log_write(log, "}");
    if (scripted)
        run_log_write(log, ",\"lua\":{\"preempts\":%s,\"limits\":%s}",
                      order->preempts ? "true" : "false", order->limits ? "true" : "false");
    run_log_write_text(log, ",\"resources\":");
    run_log_write_text(log, settings->resource_names);
    write_nodes(log, &config->dispatch);
    if (!log->measured)
        dag_log_settings(log, settings);
    run_log_end_first(log);
}

/* ---- the other lines ------------------------------------------------------------------------- */

static void add_field(run_log_line *line, const char *name, uint64_t number)
{
    run_log_add_text(line, name);
    run_log_add_number(line, number);
}

static void add_task(run_log_line *line, const pn_dispatch_event *event)
{
    add_field(line, ",\"stage\":", event->stage);
    add_field(line, ",\"task\":", (uint64_t)event->task + 1);
    add_field(line, ",\"node\":", event->node);
    add_field(line, ",\"attempt\":", event->attempt);
}

/* Writes {"time":0,"event":"arrive","job":1,"demands":[[2,4],[1,0]]} */
static void write_arrival(run_log *log, const pn_dispatch_event *event,
                          uint64_t (*demands)[PN_DISPATCH_RESOURCES_MAX], uint32_t stages,
                          uint32_t resources)
{
    run_log_line out = {.size = 0};
    add_field(&out, "{\"time\":", event->time);
    add_field(&out, ",\"event\":\"arrive\",\"job\":", event->id);
    run_log_add_text(&out, ",\"demands\":");
    for (uint32_t i = 0; i < stages; i++) {
        for (uint32_t r = 0; r < resources; r++)
            add_field(&out, r > 0 ? "," : i > 0 ? ",[" : "[[", demands[i][r]);
        run_log_add_text(&out, "]");
        run_log_write_line(log, &out);
    }
    run_log_write_text(log, "]}\n");
}

void dag_log_arrival(run_log *log, const pn_dispatch *core, const pn_dispatch_event *event,
                     uint32_t resources)
{
    uint32_t stages = pn_dispatch_demands_get(core, event->place, NULL, 0);
    uint64_t(*demands)[PN_DISPATCH_RESOURCES_MAX] = malloc(stages * sizeof *demands);
    if (!demands) {
        log->broken = ENOMEM;
        return;
    }
    pn_dispatch_demands_get(core, event->place, demands, stages);
    write_arrival(log, event, demands, stages, resources);
    free(demands);
}

void dag_log_resize(run_log *log, const pn_dispatch_event *event, uint32_t resources)
{
    run_log_line out = {.size = 0};
    add_field(&out, "{\"time\":", event->time);
    add_field(&out, ",\"event\":\"node_resize\",\"node\":", event->node);
    for (uint32_t r = 0; r < resources; r++)
        add_field(&out, r > 0 ? "," : ",\"capacity\":[", event->capacity[r]);
    run_log_add_text(&out, "]}\n");
    run_log_write_line(log, &out);
}

void dag_log_event(run_log *log, const pn_dispatch_event *event)
{
    const log_kind *kind = &kinds[event->event];
    run_log_line out = {.size = 0};
    add_field(&out, "{\"time\":", event->time);
    if (event->event == PN_DISPATCH_JOB_FINISH) {
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
    if (kind->fields == move)
        add_field(&out, ",\"node\":", event->node);
    run_log_add_text(&out, "}\n");
    run_log_write_line(log, &out);
}

void dag_log_end(run_log *log, const dag_log_last *last)
{
    run_log_write(log, "{\"end\":%llu,\"unfinished\":%llu", (unsigned long long)last->end,
                  (unsigned long long)last->unfinished);
    if (last->until != PN_DISPATCH_NEVER)
        run_log_write(log, ",\"until\":%llu", (unsigned long long)last->until);
    run_log_write(log, ",\"digest\":\"%016llx\"}\n", (unsigned long long)last->digest);
}
