/* Input logs of the scheduler core: records its events, and applies recorded ones. */
#include "base/config.h"
#include "base/input.h"
#include "state.h"

/* ---- lines ----------------------------------------------------------------------------------- */

static const pn_field scheduler_config_fields[] = {
    PN_FIELD(pn_scheduler_config, nodes_down),
    PN_FIELD(pn_scheduler_config, jobs_max),
    PN_FIELD(pn_scheduler_config, tasks_max),
    PN_FIELD(pn_scheduler_config, replicas_max),
    PN_FIELD(pn_scheduler_config, replicas_of_map),
    PN_FIELD(pn_scheduler_config, groups_max),
    PN_FIELD(pn_scheduler_config, statistics),
    PN_FIELD(pn_scheduler_config, warmup_jobs),
    PN_FIELD(pn_scheduler_config, warmup_ms),
    PN_FIELD(pn_scheduler_config, replica),
    PN_FIELD(pn_scheduler_config, seed),
    PN_FIELD(pn_scheduler_config, reduce_start),
    PN_FIELD(pn_scheduler_config, slowstart_permille),
    PN_FIELD(pn_scheduler_config, maps_per_offer),
    PN_FIELD(pn_scheduler_config, attempts_max),
    PN_FIELD(pn_scheduler_config, max_kills),
    PN_FIELD(pn_scheduler_config, locality_delay_ms),
    PN_FIELD(pn_scheduler_config, default_task_ms),
    PN_FIELD(pn_scheduler_config, input_ratio_permille),
    PN_FIELDS(pn_scheduler_config, extra_ms),
    PN_FIELD(pn_scheduler_config, attributes),
    PN_FIELD(pn_scheduler_config, suspended_max),
    PN_FIELD(pn_scheduler_config, copies),
    PN_FIELD(pn_scheduler_config, nodes_absent),
    PN_FIELD(pn_scheduler_config, running_most),
    PN_FIELD(pn_scheduler_config, suspensions_max),
    {.name = NULL}};

static const pn_field scheduler_nodes_fields[] = {PN_FIELD(pn_scheduler_nodes, count),
                                                  PN_FIELD(pn_scheduler_nodes, map_slots),
                                                  PN_FIELD(pn_scheduler_nodes, reduce_slots),
                                                  PN_FIELD(pn_scheduler_nodes, speed),
                                                  {.name = NULL}};

static const pn_field scheduler_job_fields[] = {PN_FIELD(pn_scheduler_job, maps),
                                                PN_FIELD(pn_scheduler_job, reduces),
                                                PN_FIELD(pn_scheduler_job, deadline),
                                                PN_FIELDS(pn_scheduler_job, est_ms),
                                                PN_FIELD(pn_scheduler_job, input),
                                                PN_FIELD(pn_scheduler_job, intermediate),
                                                PN_FIELD(pn_scheduler_job, tag),
                                                PN_FIELD(pn_scheduler_job, group),
                                                PN_FIELD(pn_scheduler_job, weight),
                                                PN_FIELD_OF_INT(pn_scheduler_job, priority),
                                                {.name = NULL}};

static const pn_field scheduler_input_fields[] = {PN_FIELD(pn_scheduler_input, node),
                                                  PN_FIELD(pn_scheduler_input, token),
                                                  PN_FIELD(pn_scheduler_input, value),
                                                  PN_FIELD(pn_scheduler_input, id),
                                                  PN_FIELD(pn_scheduler_input, map_slots),
                                                  PN_FIELD(pn_scheduler_input, reduce_slots),
                                                  {.name = NULL}};

enum { WITH_NODE = 1, WITH_TOKEN = 2, WITH_VALUE = 4, WITH_ID = 8, WITH_SLOTS = 16 | 32 };

static const struct {
    const char *name;
    uint32_t fields;
} scheduler_inputs[] = {
    [PN_SCHEDULER_IN_END] = {"end", 0},
    [PN_SCHEDULER_IN_SUBMIT] = {"submit", 0},
    [PN_SCHEDULER_IN_ASK] = {"ask", 0},
    [PN_SCHEDULER_IN_NODE_UP] = {"node_up", WITH_NODE},
    [PN_SCHEDULER_IN_NODE_DOWN] = {"node_down", WITH_NODE},
    [PN_SCHEDULER_IN_OFFER] = {"offer", WITH_NODE},
    [PN_SCHEDULER_IN_STARTED] = {"started", WITH_TOKEN},
    [PN_SCHEDULER_IN_FINISHED] = {"finished", WITH_TOKEN},
    [PN_SCHEDULER_IN_FAILED] = {"failed", WITH_TOKEN},
    [PN_SCHEDULER_IN_WAKE] = {"wake", 0},
    [PN_SCHEDULER_IN_TICK] = {"tick", 0},
    [PN_SCHEDULER_IN_PROGRESS] = {"progress", WITH_TOKEN | WITH_VALUE},
    [PN_SCHEDULER_IN_FETCHED] = {"fetched", WITH_TOKEN | WITH_VALUE},
    [PN_SCHEDULER_IN_CANCEL] = {"cancel", WITH_ID},
    [PN_SCHEDULER_IN_RESIZE] = {"resize", WITH_NODE | WITH_SLOTS},
};

const char *pn_scheduler_input_name(uint32_t kind, uint32_t *fields)
{
    if (kind >= sizeof scheduler_inputs / sizeof *scheduler_inputs)
        return NULL;
    if (fields)
        *fields = scheduler_inputs[kind].fields;
    return scheduler_inputs[kind].name;
}

const pn_field *pn_scheduler_fields(enum pn_scheduler_part part)
{
    static const pn_field *const parts[] = {[PN_SCHEDULER_PART_CONFIG] = scheduler_config_fields,
                                            [PN_SCHEDULER_PART_NODES] = scheduler_nodes_fields,
                                            [PN_SCHEDULER_PART_JOB] = scheduler_job_fields,
                                            [PN_SCHEDULER_PART_INPUT] = scheduler_input_fields};
    return parts[part];
}

static bool is_answer(uint32_t kind)
{
    return kind == PN_SCHEDULER_IN_PROGRESS || kind == PN_SCHEDULER_IN_FETCHED;
}

static void write_replicas(pn_writer *out, const pn_scheduler_input *input)
{
    const pn_scheduler_job *job = input->job;
    if (!job->replicas)
        return;
    pn_write_name(out, "replicas");
    pn_write_text(out, "[");
    for (uint32_t map = 0; map < job->maps; map++) {
        uint32_t found = job->replicas(job->where, map, input->nodes, input->replicas_most);
        pn_write_text(out, map > 0 ? ",[" : "[");
        for (uint32_t i = 0; i < found && i < input->replicas_most; i++)
            pn_write_number(out, input->nodes[i]);
        pn_write_text(out, "]");
    }
    pn_write_text(out, "]");
}

static void scheduler_write_job(pn_writer *out, const pn_scheduler_input *input)
{
    pn_write_name(out, "job");
    pn_write_text(out, "{");
    pn_write_fields(out, scheduler_job_fields, input->job, true);
    pn_write_reals(out, "attributes", input->job->attributes, input->attributes);
    write_replicas(out, input);
    pn_write_text(out, "}");
}

size_t pn_scheduler_input_line(const pn_scheduler_input *input, uint64_t *check, char *line,
                               size_t size)
{
    pn_writer out = {.text = line, .size = size};
    uint32_t fields;
    const char *name = pn_scheduler_input_name(input->kind, &fields);
    if (!name)
        return 0;
    pn_write_text(&out, "{");
    pn_write_time(&out, input->now, name);
    for (uint32_t i = 0; scheduler_input_fields[i].name; i++)
        if (fields >> i & 1)
            pn_write_field(&out, &scheduler_input_fields[i], input);
    if (input->job)
        scheduler_write_job(&out, input);
    if (!is_answer(input->kind)) {
        pn_write_name(&out, "digest");
        pn_write_digest(&out, input->digest);
    }
    return pn_write_end(&out, check);
}

size_t pn_scheduler_input_head(const pn_scheduler_config *config, const pn_scheduler_hooks *hooks,
                               const pn_input_about *source, uint64_t *check, char *line,
                               size_t size)
{
    pn_writer out = {.text = line, .size = size};
    pn_scheduler_config copy;
    if (!hooks || !hooks->policy || pn_scheduler_check(config) ||
        (source && !PN_GIVEN(source, pn_input_about, groups_count)))
        return 0;
    (void)pn_scheduler_config_read(&copy, config);
    const char *const answers[] = {"progress", "fetched", "suspend"};
    const bool has[] = {hooks->progress != NULL, hooks->fetched != NULL, hooks->suspend != NULL};
    pn_write_text(&out, "{\"pinion_inputs\":1,\"model\":\"cluster\"");
    pn_write_policy(&out, hooks->policy->name, hooks->policy->params, hooks->policy->param_count,
                    hooks->params, source);
    pn_write_name(&out, "hooks");
    pn_write_text(&out, "[");
    for (int i = 0; i < 3; i++)
        if (has[i])
            pn_write_string(&out, answers[i]);
    pn_write_text(&out, "]");
    pn_write_name(&out, "config");
    pn_write_text(&out, "{");
    pn_write_fields(&out, scheduler_config_fields, &copy, false);
    pn_write_groups(&out, "nodes", scheduler_nodes_fields, copy.nodes, sizeof *copy.nodes,
                    copy.nodes_count);
    pn_write_text(&out, "}");
    return pn_write_end(&out, check);
}

/* ---- telling it again ------------------------------------------------------------------------ */

int pn_scheduler_apply(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks,
                       const pn_scheduler_input *input)
{
    pn_scheduler_answer answer;
    if (!input || !PN_GIVEN(input, pn_scheduler_input, id))
        return PN_ERR_ARGUMENT;
    const uint64_t now = input->now;
    switch (input->kind) {
    case PN_SCHEDULER_IN_SUBMIT:
        return pn_scheduler_submit(scheduler, hooks, now, input->job, &answer);
    case PN_SCHEDULER_IN_ASK:
        return pn_scheduler_ask(scheduler, hooks, now, input->job, &answer);
    case PN_SCHEDULER_IN_NODE_UP:
        return pn_scheduler_node_up(scheduler, hooks, now, input->node);
    case PN_SCHEDULER_IN_NODE_DOWN:
        return pn_scheduler_node_down(scheduler, hooks, now, input->node);
    case PN_SCHEDULER_IN_OFFER:
        return pn_scheduler_offer(scheduler, hooks, now, input->node);
    case PN_SCHEDULER_IN_STARTED:
        return pn_scheduler_started(scheduler, hooks, now, input->token);
    case PN_SCHEDULER_IN_FINISHED:
        return pn_scheduler_finished(scheduler, hooks, now, input->token);
    case PN_SCHEDULER_IN_FAILED:
        return pn_scheduler_failed(scheduler, hooks, now, input->token);
    case PN_SCHEDULER_IN_WAKE:
        return pn_scheduler_wake(scheduler, hooks, now);
    case PN_SCHEDULER_IN_TICK:
        return pn_scheduler_tick(scheduler, hooks, now);
    case PN_SCHEDULER_IN_CANCEL:
        return pn_scheduler_cancel(scheduler, hooks, now, input->id);
    case PN_SCHEDULER_IN_RESIZE:
        return pn_scheduler_resize(scheduler, hooks, now, input->node, input->map_slots,
                                   input->reduce_slots);
    default:
        return PN_ERR_ARGUMENT;
    }
}
