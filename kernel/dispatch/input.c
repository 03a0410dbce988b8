/* Input logs of the dispatch core: records its events, and applies recorded ones. */
#include "base/config.h"
#include "base/input.h"
#include "state.h"

/* ---- lines ----------------------------------------------------------------------------------- */

static const pn_field dispatch_config_fields[] = {
    PN_FIELD(pn_dispatch_config, resources),    PN_FIELD(pn_dispatch_config, nodes_down),
    PN_FIELD(pn_dispatch_config, jobs_max),     PN_FIELD(pn_dispatch_config, stages_max),
    PN_FIELD(pn_dispatch_config, edges_max),    PN_FIELD(pn_dispatch_config, attempts_max),
    PN_FIELD(pn_dispatch_config, classes_max),  PN_FIELD(pn_dispatch_config, replica),
    PN_FIELD(pn_dispatch_config, seed),         PN_FIELD(pn_dispatch_config, placement),
    PN_FIELD(pn_dispatch_config, order),        PN_FIELD(pn_dispatch_config, backfill),
    PN_FIELD(pn_dispatch_config, max_kills),    PN_FIELD(pn_dispatch_config, attributes),
    PN_FIELD(pn_dispatch_config, nodes_absent), PN_FIELD(pn_dispatch_config, running_most),
    PN_FIELD(pn_dispatch_config, executors),    {.name = NULL}};

static const pn_field dispatch_nodes_fields[] = {PN_FIELD(pn_dispatch_nodes, count),
                                                 PN_FIELDS(pn_dispatch_nodes, capacity),
                                                 PN_FIELD(pn_dispatch_nodes, speed),
                                                 {.name = NULL}};

static const pn_field dispatch_queue_fields[] = {PN_FIELD(pn_dispatch_queue, weight),
                                                 PN_FIELD(pn_dispatch_queue, guaranteed),
                                                 PN_FIELD(pn_dispatch_queue, maximum),
                                                 {.name = NULL}};

static const pn_field dispatch_job_fields[] = {PN_FIELD(pn_dispatch_job, weight),
                                               PN_FIELD(pn_dispatch_job, queue),
                                               PN_FIELD(pn_dispatch_job, deadline),
                                               PN_FIELD(pn_dispatch_job, tag),
                                               PN_FIELD(pn_dispatch_job, group),
                                               PN_FIELD_OF_INT(pn_dispatch_job, priority),
                                               {.name = NULL}};

static const pn_field dispatch_stage_fields[] = {PN_FIELDS(pn_dispatch_stage, demand),
                                                 PN_FIELD(pn_dispatch_stage, estimate),
                                                 PN_FIELD(pn_dispatch_stage, tasks),
                                                 {.name = NULL}};

static const pn_field dispatch_input_fields[] = {
    PN_FIELD(pn_dispatch_input, node),      PN_FIELD(pn_dispatch_input, token),
    PN_FIELD(pn_dispatch_input, id),        PN_FIELD(pn_dispatch_input, most),
    PN_FIELDS(pn_dispatch_input, capacity), {.name = NULL}};

enum { HAS_NODE = 1, HAS_TOKEN = 2, HAS_ID = 4, HAS_MOST = 8, HAS_CAPACITY = 16 };

static const struct {
    const char *name;
    uint32_t fields;
} dispatch_inputs[] = {
    [PN_DISPATCH_IN_END] = {"end", 0},
    [PN_DISPATCH_IN_SUBMIT] = {"submit", 0},
    [PN_DISPATCH_IN_NODE_UP] = {"node_up", HAS_NODE},
    [PN_DISPATCH_IN_NODE_DOWN] = {"node_down", HAS_NODE},
    [PN_DISPATCH_IN_FINISHED] = {"finished", HAS_TOKEN},
    [PN_DISPATCH_IN_FAILED] = {"failed", HAS_TOKEN},
    [PN_DISPATCH_IN_CANCEL] = {"cancel", HAS_ID},
    [PN_DISPATCH_IN_TICK] = {"tick", 0},
    [PN_DISPATCH_IN_RUN] = {"run", HAS_MOST},
    [PN_DISPATCH_IN_RESIZE] = {"resize", HAS_NODE | HAS_CAPACITY},
};

const char *pn_dispatch_input_name(uint32_t kind, uint32_t *fields)
{
    if (kind >= sizeof dispatch_inputs / sizeof *dispatch_inputs)
        return NULL;
    if (fields)
        *fields = dispatch_inputs[kind].fields;
    return dispatch_inputs[kind].name;
}

const pn_field *pn_dispatch_fields(enum pn_dispatch_part part)
{
    static const pn_field *const parts[] = {[PN_DISPATCH_PART_CONFIG] = dispatch_config_fields,
                                            [PN_DISPATCH_PART_NODES] = dispatch_nodes_fields,
                                            [PN_DISPATCH_PART_QUEUE] = dispatch_queue_fields,
                                            [PN_DISPATCH_PART_JOB] = dispatch_job_fields,
                                            [PN_DISPATCH_PART_STAGE] = dispatch_stage_fields,
                                            [PN_DISPATCH_PART_INPUT] = dispatch_input_fields};
    return parts[part];
}

static void dispatch_write_stage(pn_writer *out, const pn_dispatch_job *job,
                                 const pn_dispatch_stage *stage)
{
    pn_write_text(out, "{");
    pn_write_fields(out, dispatch_stage_fields, stage, true);
    for (uint32_t i = 0; i < stage->parent_count; i++) {
        if (i == 0)
            pn_write_name(out, "parents");
        pn_write_text(out, i == 0 ? "[" : "");
        pn_write_number(out, job->parents[stage->first_parent + i]);
    }
    pn_write_text(out, stage->parent_count > 0 ? "]}" : "}");
}

static void dispatch_write_job(pn_writer *out, const pn_dispatch_input *input)
{
    const pn_dispatch_job *job = input->job;
    pn_write_name(out, "job");
    pn_write_text(out, "{");
    pn_write_fields(out, dispatch_job_fields, job, true);
    pn_write_reals(out, "attributes", job->attributes, input->attributes);
    pn_write_name(out, "stages");
    pn_write_text(out, "[");
    for (uint32_t i = 0; i < job->stage_count; i++) {
        pn_write_text(out, i > 0 ? "," : "");
        dispatch_write_stage(out, job, &job->stages[i]);
    }
    pn_write_text(out, "]}");
}

size_t pn_dispatch_input_line(const pn_dispatch_input *input, uint64_t *check, char *line,
                              size_t size)
{
    pn_writer out = {.text = line, .size = size};
    uint32_t fields = 0;
    const char *name = pn_dispatch_input_name(input->kind, &fields);
    if (!name)
        return 0;
    if (input->most == UINT64_MAX)
        fields &= ~(uint32_t)HAS_MOST;
    pn_write_text(&out, "{");
    pn_write_time(&out, input->now, name);
    for (uint32_t i = 0; dispatch_input_fields[i].name; i++)
        if (fields >> i & 1)
            pn_write_field(&out, &dispatch_input_fields[i], input);
    if (input->job)
        dispatch_write_job(&out, input);
    pn_write_name(&out, "digest");
    pn_write_digest(&out, input->digest);
    return pn_write_end(&out, check);
}

size_t pn_dispatch_input_head(const pn_dispatch_config *config, const pn_dispatch_hooks *hooks,
                              const pn_input_about *source, uint64_t *check, char *line,
                              size_t size)
{
    pn_writer out = {.text = line, .size = size};
    pn_dispatch_config copy;
    if (!hooks || !hooks->policy || pn_dispatch_check(config) ||
        (source && !PN_GIVEN(source, pn_input_about, groups_count)))
        return 0;
    (void)pn_dispatch_config_read(&copy, config);
    pn_write_text(&out, "{\"pinion_inputs\":1,\"model\":\"dag\"");
    pn_write_policy(&out, hooks->policy->name, hooks->policy->params, hooks->policy->param_count,
                    hooks->params, source);
    if (source && source->resources)
        pn_write_strings(&out, "resource_names", source->resources, copy.resources);
    pn_write_name(&out, "config");
    pn_write_text(&out, "{");
    pn_write_fields(&out, dispatch_config_fields, &copy, false);
    pn_write_groups(&out, "nodes", dispatch_nodes_fields, copy.nodes, sizeof *copy.nodes,
                    copy.nodes_count);
    if (copy.queues_count > 0)
        pn_write_groups(&out, "queues", dispatch_queue_fields, copy.queues, sizeof *copy.queues,
                        copy.queues_count);
    pn_write_text(&out, "}");
    return pn_write_end(&out, check);
}

/* ---- telling it again ------------------------------------------------------------------------ */

int pn_dispatch_apply(pn_dispatch *core, const pn_dispatch_hooks *hooks,
                      const pn_dispatch_input *input)
{
    if (!input || !PN_GIVEN(input, pn_dispatch_input, capacity))
        return PN_ERR_ARGUMENT;
    const uint64_t now = input->now;
    switch (input->kind) {
    case PN_DISPATCH_IN_SUBMIT:
        return pn_dispatch_submit(core, hooks, now, input->job, NULL);
    case PN_DISPATCH_IN_NODE_UP:
        return pn_dispatch_node_up(core, hooks, now, input->node);
    case PN_DISPATCH_IN_NODE_DOWN:
        return pn_dispatch_node_down(core, hooks, now, input->node);
    case PN_DISPATCH_IN_FINISHED:
        return pn_dispatch_finished(core, hooks, now, input->token);
    case PN_DISPATCH_IN_FAILED:
        return pn_dispatch_failed(core, hooks, now, input->token);
    case PN_DISPATCH_IN_CANCEL:
        return pn_dispatch_cancel(core, hooks, now, input->id);
    case PN_DISPATCH_IN_TICK:
        return pn_dispatch_tick(core, hooks, now);
    case PN_DISPATCH_IN_RUN:
        return pn_dispatch_run(core, hooks, now, input->most);
    case PN_DISPATCH_IN_RESIZE:
        return pn_dispatch_resize(core, hooks, now, input->node, input->capacity);
    default:
        return PN_ERR_ARGUMENT;
    }
}
