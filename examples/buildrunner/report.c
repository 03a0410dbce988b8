/* What is told of a run: the table, the decision log and the scenario in Pinion's formats. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <string.h>

#include "buildrunner.h"

/* ---- the table ------------------------------------------------------------------------------- */

static void put_time(uint64_t time)
{
    if (time > PN_INTEGER_MAX)
        printf("  %11s", "-");
    else
        printf("  %11" PRIu64, time);
}

void report_table(const br_plan *plan)
{
    static const char *const states[] = {"not begun", "unfinished", "made", "up to date",
                                         "not made"};
    const pn_dispatch_totals *totals = &result.totals;
    printf("%s on %u slots, times in ms\n%-10s  %11s  %11s  %11s  %11s  %5s  target\n",
           plan->policy_name, plan->slots, "state", "arrival", "first start", "finish", "took",
           "rules");
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const br_job *job = &plan->jobs[i];
        const pn_dispatch_record *it = &job->record;
        const uint64_t none = NEVER;
        int told = it->stage_count > 0;
        printf("%-10s", states[job->state]);
        put_time(told ? it->arrival : none);
        put_time(told ? it->first_start : none);
        put_time(told ? it->finish : none);
        put_time(told && it->finish != none ? it->finish - it->arrival : none);
        printf("  %5u  %s\n", it->stage_count, plan->files[job->target].name);
    }
    printf("commands   %" PRIu64 " started, %" PRIu64 " failed, %" PRIu64 " killed\ndigest     "
           "%016" PRIx64 "\n",
           totals->launches, totals->failures, totals->launches - totals->ends - totals->failures,
           result.digest);
}

/* ---- the decision log ------------------------------------------------------------------------ */

static void put_nodes(FILE *file, const br_plan *plan)
{
    fprintf(file, "\"resources\":[\"slots\"],\"nodes\":[{\"count\":1,\"capacity\":[%u]}]",
            plan->slots);
}

void log_start(const br_plan *plan, const pn_dispatch_order *order)
{
    const int scripted = plan->lua.policy != NULL;
    if (!plan->log)
        return;
    fputs("{\"pinion_log\":1,\"model\":\"dag\",\"policy\":", plan->log);
    put_text(plan->log, plan->policy->name);
    fputs(",\"params\":{", plan->log);
    put_params(plan->log, plan->policy->params, plan->policy->param_count, plan->params, scripted,
               !scripted);
    fputs("}", plan->log);
    if (scripted)
        fprintf(plan->log, ",\"lua\":{\"preempts\":%s,\"limits\":%s}",
                order->preempts ? "true" : "false", order->limits ? "true" : "false");
    fputs(",\"measured\":true,", plan->log);
    put_nodes(plan->log, plan);
    fputs("}\n", plan->log);
}

void log_event(const br_plan *plan, const pn_dispatch_event *event)
{
    static const char *const names[] = {
        [PN_DISPATCH_ARRIVE] = "arrive",    [PN_DISPATCH_LAUNCH] = "launch",
        [PN_DISPATCH_END] = "end",          [PN_DISPATCH_KILL] = "kill",
        [PN_DISPATCH_FAIL] = "fail",        [PN_DISPATCH_LOSE] = "lose",
        [PN_DISPATCH_DROP] = "drop",        [PN_DISPATCH_NODE_DOWN] = "node_down",
        [PN_DISPATCH_NODE_UP] = "node_up",  [PN_DISPATCH_JOB_FINISH] = "",
        [PN_DISPATCH_JOB_CANCEL] = "cancel"};
    FILE *file = plan->log;
    if (!file)
        return;
    fprintf(file, "{\"time\":%" PRIu64, event->time);
    if (event->event == PN_DISPATCH_JOB_FINISH) {
        fprintf(file, ",\"job\":%" PRIu64 ",\"finish\":true}\n", event->id);
        return;
    }
    fprintf(file, ",\"event\":\"%s\",\"job\":%" PRIu64, names[event->event], event->id);
    if (event->event == PN_DISPATCH_ARRIVE) {
        fputs(",\"demands\":[", file);
        for (uint32_t i = 0; i < plan->jobs[event->tag].stage_count; i++)
            fputs(i > 0 ? ",[1]" : "[1]", file);
        fputs("]", file);
    } else if (event->event != PN_DISPATCH_JOB_CANCEL) {
        fprintf(file, ",\"stage\":%u,\"task\":%u,\"node\":%u,\"attempt\":%u", event->stage,
                event->task + 1, event->node, event->attempt);
    }
    fputs("}\n", file);
}

void log_end(const br_plan *plan)
{
    const pn_dispatch_totals *totals = &result.totals;
    if (plan->log)
        fprintf(plan->log,
                "{\"end\":%" PRIu64 ",\"unfinished\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "\"}\n",
                totals->last_finish, totals->submitted - totals->finished, result.digest);
}

/* ---- the scenario ---------------------------------------------------------------------------- */

/* With the time that its commands took, or the guess where they never ended well. */
static void put_stage(FILE *file, const br_plan *plan, const br_job *job, uint32_t index)
{
    const br_file *rule = &plan->files[job->stages[index]];
    const pn_dispatch_stage *about = &job->about[index];
    fprintf(file, "%s\n    {\"name\":", index > 0 ? "," : "");
    put_text(file, rule->name);
    fprintf(file, ",\"durations\":[%" PRIu64 "],\"estimate\":%" PRIu64 ",\"demand\":[1]",
            rule->took > 0 ? rule->took : rule->estimate, about->estimate);
    for (uint32_t i = 0; i < about->parent_count; i++)
        fprintf(file, "%s%u", i > 0 ? "," : ",\"parents\":[",
                job->parents[about->first_parent + i]);
    fputs(about->parent_count > 0 ? "]}" : "}", file);
}

/* The job with stages that was submitted next behind this number; null behind the last. With -k,
 * jobs have the number, and the stages, of their last submission. */
static const br_job *next_job(const br_plan *plan, uint64_t after)
{
    const br_job *next = NULL;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const br_job *job = &plan->jobs[i];
        if (job->record.id > after && job->stage_count > 0 &&
            (!next || job->record.id < next->record.id))
            next = job;
    }
    return next;
}

void write_scenario(FILE *file, const br_plan *plan)
{
    const char *separator = "";
    fputs("{\"model\":\"dag\",\"policy\":", file);
    put_text(file, plan->policy_name);
    fputs(",\"params\":{", file);
    put_params(file, plan->policy->params, plan->policy->param_count, plan->params,
               plan->lua.policy != NULL, 1);
    fputs("},\n ", file);
    put_nodes(file, plan);
    fputs(",\n \"jobs\":[", file);
    for (const br_job *job = next_job(plan, 0); job; job = next_job(plan, job->record.id)) {
        fprintf(file, "%s\n  {\"name\":", separator);
        separator = ",";
        put_text(file, plan->files[job->target].name);
        fprintf(file, ",\"arrival\":%" PRIu64 ",\"stages\":[", job->record.arrival);
        for (uint32_t i = 0; i < job->stage_count; i++)
            put_stage(file, plan, job, i);
        fputs("]}", file);
    }
    fputs("]}\n", file);
}
