/* What is told of a run: the table, the decision log and the scenario in Pinion's formats, and
 * whether the results are right. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mapreduce.h"

/* ---- the table ------------------------------------------------------------------------------- */

static const char *state_name(uint32_t state)
{
    static const char *const names[] = {"unfinished", "finished", "failed", "rejected"};
    return names[state];
}

/* Beyond all times there are, nothing is known. */
static void put_time(uint64_t time, int width)
{
    if (time > PN_INTEGER_MAX)
        printf("  %*s", width, "-");
    else
        printf("  %*" PRIu64, width, time);
}

/* Whether deadlines matter in this run. */
static int has_deadlines(const mr_plan *plan)
{
    for (uint32_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].deadline > 0)
            return 1;
    }
    return plan->policy->admit != NULL;
}

static void put_job(const mr_job *job, int deadlines)
{
    const pn_scheduler_record *it = &job->record;
    printf("%3" PRIu64 "  %10s", it->id, state_name(it->state));
    put_time(it->submit, 6);
    put_time(it->first_map_start, 15);
    put_time(it->map_finish, 10);
    put_time(it->first_reduce_start, 18);
    put_time(it->finish, 6);
    if (deadlines)
        put_time(it->promise, 7);
    put_time(it->state == PN_SCHEDULER_FINISHED ? it->finish - it->submit : NEVER, 8);
    if (deadlines) {
        put_time(it->deadline > 0 ? it->deadline : NEVER, 8);
        printf("  %12s", it->deadline == 0 || it->finish == NEVER ? "-"
                         : is_successful(it)                      ? "yes"
                                                                  : "no");
    }
    printf("  %10" PRIu32 "  %5" PRIu32 "  %s\n", it->local_maps, it->kills, job->name);
}

static double ratio(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : 0.0;
}

/* As `pinion simulate --jobs-detail` prints it. */
static void put_jobs(const mr_plan *plan)
{
    int deadlines = has_deadlines(plan);
    printf("job  %10s  %6s  %15s  %10s  %18s  %6s%s  %8s%s  %10s  %5s  name\n", "state", "submit",
           "first_map_start", "map_finish", "first_reduce_start", "finish",
           deadlines ? "  promise" : "", "makespan", deadlines ? "  deadline  deadline_met" : "",
           "local_maps", "kills");
    for (uint32_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].record.id > 0)
            put_job(&plan->jobs[i], deadlines);
    }
    if (deadlines)
        puts("promise: the finish estimated at submission; deadline: ms after submission");
}

/* A mean over jobs, if there are any. */
static void put_mean(const char *words, uint64_t sum, uint64_t jobs, const char *unit)
{
    if (jobs > 0)
        printf("%-21s%.1f%s\n", words, ratio(sum, jobs), unit);
    else
        printf("%-21s-\n", words);
}

static void put_percent(const char *words, uint64_t part, uint64_t whole, const char *of)
{
    if (whole > 0)
        printf("%-21s%.1f %% of the %s\n", words, 100.0 * ratio(part, whole), of);
    else
        printf("%-21s-\n", words);
}

void report_table(const mr_plan *plan, const mr_result *result)
{
    const pn_scheduler_totals *totals = &result->totals;
    const pn_scheduler_group *sums = &result->sums;
    uint64_t jobs = totals->finished,
             span = jobs > 0 ? totals->last_finish - totals->first_submit : 0;
    printf("%s on %u nodes, %" PRIu64 " map and %" PRIu64 " reduce slots\n", plan->policy_name,
           plan->nodes.count, totals->map_slots, totals->reduce_slots);
    printf("jobs finished        %" PRIu64 " of %" PRIu64 "\n", jobs, totals->submitted);
    put_mean("mean response time", totals->total_makespan, jobs, " ms");
    put_mean("mean waiting time", totals->total_waiting, jobs, "");
    put_mean("mean execution time", totals->total_execution, jobs, "");
    if (jobs > 0)
        printf("response time is     waiting %.1f + maps %.1f + blocked %.1f + reduces %.1f ms\n",
               ratio(sums->in_wait, jobs), ratio(sums->in_maps, jobs),
               ratio(sums->in_blocked, jobs), ratio(sums->in_reduces, jobs));
    if (has_deadlines(plan)) {
        put_percent("accepted", totals->accepted, totals->submitted, "jobs");
        put_percent("successful", totals->successful, totals->accepted, "accepted jobs");
    }
    /* Where jobs are admitted, those that were in time count (CL14). */
    put_percent("utilisation", plan->policy->admit ? totals->successful_slot_ms : totals->slot_ms,
                (totals->map_slots + totals->reduce_slots) * span,
                plan->policy->admit ? "slots, by successful jobs" : "slots");
    put_percent("locality", totals->local_maps, totals->finished_maps, "maps");
    printf("attempts             %" PRIu64 ": %" PRIu64 " killed, %" PRIu64 " failed, %" PRIu64
           " lost\n",
           totals->launches, totals->kills, totals->failures, totals->lost);
    printf("span                 %" PRIu64 " ms\ndigest               %016" PRIx64 "\n\n", span,
           result->digest);
    put_jobs(plan);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_nodes(FILE *file, const mr_plan *plan)
{
    fprintf(file, "\"nodes\":[{\"count\":%u,\"map_slots\":%u,\"reduce_slots\":%u}]",
            plan->nodes.count, plan->nodes.map_slots, plan->nodes.reduce_slots);
}

/* ---- the decision log ------------------------------------------------------------------------ */

void log_start(FILE *file, const mr_plan *plan)
{
    const int scripted = plan->lua.policy != NULL;
    fputs("{\"pinion_log\":1,\"model\":\"cluster\",\"policy\":", file);
    put_text(file, plan->policy->name);
    fputs(",\"params\":{", file);
    put_params(file, plan->policy->params, plan->policy->param_count, plan->params, scripted,
               !scripted);
    fputs("}", file);
    if (scripted)
        fprintf(file, ",\"lua\":{\"preempts\":%s%s%s}", plan->policy->preempt ? "true" : "false",
                plan->policy->admission.maps_first ? ",\"maps_first\":true" : "",
                plan->policy->copy ? ",\"copies\":true" : "");
    fputs(",\"measured\":true,", file);
    put_nodes(file, plan);
    fputs("}\n", file);
}

void log_event(void *user, const pn_scheduler_event *event)
{
    static const char *const names[] = {
        [PN_SCHEDULER_ACCEPT] = "accept",       [PN_SCHEDULER_REJECT] = "reject",
        [PN_SCHEDULER_LAUNCH] = "launch",       [PN_SCHEDULER_END] = "end",
        [PN_SCHEDULER_KILL] = "kill",           [PN_SCHEDULER_FAIL] = "fail",
        [PN_SCHEDULER_LOSE] = "lose",           [PN_SCHEDULER_DROP] = "drop",
        [PN_SCHEDULER_RERUN] = "rerun",         [PN_SCHEDULER_NODE_DOWN] = "node_down",
        [PN_SCHEDULER_NODE_UP] = "node_up",     [PN_SCHEDULER_JOB_FINISH] = "",
        [PN_SCHEDULER_JOB_FAIL] = "job_failed", [PN_SCHEDULER_LATE] = "late",
        [PN_SCHEDULER_SUSPEND] = "suspend",     [PN_SCHEDULER_RESUME] = "resume",
        [PN_SCHEDULER_CANCEL] = "cancel",       [PN_SCHEDULER_JOB_CANCEL] = "job_cancelled"};
    const int is_answer = event->event == PN_SCHEDULER_ACCEPT ||
                          event->event == PN_SCHEDULER_REJECT || event->event == PN_SCHEDULER_LATE;
    FILE *file = user;
    int of_task = (event->event >= PN_SCHEDULER_LAUNCH && event->event <= PN_SCHEDULER_RERUN) ||
                  (event->event >= PN_SCHEDULER_SUSPEND && event->event <= PN_SCHEDULER_CANCEL);
    fprintf(file, "{\"time\":%" PRIu64, event->time);
    if (event->event == PN_SCHEDULER_JOB_FINISH) {
        fprintf(file, ",\"job\":%" PRIu64 ",\"finish\":true}\n", event->id);
        return;
    }
    fprintf(file, ",\"event\":\"%s\"", names[event->event]);
    if (event->id > 0)
        fprintf(file, ",\"job\":%" PRIu64, event->id);
    if (of_task)
        fprintf(file, ",\"kind\":\"%s\",\"task\":%u", event->kind == MAP ? "map" : "reduce",
                event->task + 1);
    if (of_task || event->id == 0)
        fprintf(file, ",\"node\":%u", event->node);
    if (of_task)
        fprintf(file, ",\"attempt\":%u", event->attempt);
    if (is_answer && event->estimate <= PN_INTEGER_MAX)
        fprintf(file, ",\"estimate\":%" PRIu64, event->estimate);
    if (is_answer && event->deadline > 0)
        fprintf(file, ",\"deadline\":%" PRIu64, event->deadline);
    if (event->blocker > 0)
        fprintf(file, ",\"blocker\":%" PRIu64, event->blocker);
    fputs("}\n", file);
}

void log_end(FILE *file, const mr_result *result)
{
    const pn_scheduler_totals *totals = &result->totals;
    uint64_t unfinished = totals->accepted - totals->finished - totals->failed;
    fprintf(file,
            "{\"end\":%" PRIu64 ",\"unfinished\":%" PRIu64 ",\"digest\":\"%016" PRIx64 "\"}\n",
            totals->last_finish, unfinished, result->digest);
}

/* ---- the scenario ---------------------------------------------------------------------------- */

/* As measured; a task that never succeeded counts as the mean of those that did, and of a rejected
 * job as its estimate. */
static void put_times(FILE *file, const mr_job *job, uint32_t kind, uint32_t tasks)
{
    uint64_t sum = 0, count = 0;
    for (uint32_t i = 0; i < tasks; i++) {
        sum += job->times[kind][i];
        count += job->times[kind][i] > 0;
    }
    const uint64_t usual = count > 0                                    ? sum / count
                           : job->record.state == PN_SCHEDULER_REJECTED ? job->est_ms[kind]
                                                                        : 1;
    for (uint32_t i = 0; i < tasks; i++) {
        uint64_t time = job->times[kind][i];
        fprintf(file, "%s%" PRIu64, i > 0 ? "," : "", time > 0 ? time : usual);
    }
}

static void put_blocks(FILE *file, const mr_plan *plan, const mr_job *job)
{
    for (uint32_t map = 0; map < job->maps; map++) {
        fputs(map > 0 ? ",[" : "[", file);
        for (uint32_t i = 0; i < plan->copies; i++)
            fprintf(file, "%s%u", i > 0 ? "," : "", job->replicas[map * plan->copies + i]);
        fputs("]", file);
    }
}

static void put_deadline(FILE *file, const mr_job *job)
{
    uint64_t input = (uint64_t)job->maps * job->kib;
    if (job->deadline == 0)
        return;
    fprintf(file, ",\"deadline\":%" PRIu64 ",\"est_map_ms\":%" PRIu64, job->deadline,
            job->est_ms[MAP]);
    if (job->reduces > 0)
        fprintf(file, ",\"est_reduce_ms\":%" PRIu64, job->est_ms[REDUCE]);
    if (input > 0)
        fprintf(file, ",\"input\":%" PRIu64, input);
}

static void put_scenario_job(FILE *file, const mr_plan *plan, const mr_job *job)
{
    fputs("{\"name\":", file);
    put_text(file, job->name);
    fprintf(file, ",\"submit\":%" PRIu64 ",\"maps\":%u,\"reduces\":%u", job->record.submit,
            job->maps, job->reduces);
    put_deadline(file, job);
    fputs(",\"map_times\":[", file);
    put_times(file, job, MAP, job->maps);
    if (job->reduces > 0) {
        fputs("],\"reduce_times\":[", file);
        put_times(file, job, REDUCE, job->reduces);
    }
    fputs("],\"blocks\":[", file);
    put_blocks(file, plan, job);
    fputs("]}", file);
}

/* An outage ends with the next return of the same node. */
static void put_failures(FILE *file, const mr_plan *plan)
{
    const char *between = "\"failures\":[";
    for (uint32_t i = 0; i < plan->outage_count && plan->outages[i].time != NEVER; i++) {
        const mr_outage *down = &plan->outages[i];
        uint32_t back = i + 1;
        if (down->up)
            continue;
        while (back < plan->outage_count && plan->outages[back].node != down->node)
            back++;
        fprintf(file, "%s{\"time\":%" PRIu64 ",\"node\":%u", between, down->time, down->node);
        if (back < plan->outage_count && plan->outages[back].time != NEVER)
            fprintf(file, ",\"recover\":%" PRIu64, plan->outages[back].time);
        fputs("}", file);
        between = ",";
    }
    if (between[1] == '\0')
        fputs("],\n ", file);
}

void write_scenario(FILE *file, const mr_plan *plan)
{
    const char *between = "";
    fputs("{\"model\":\"cluster\",\"policy\":", file);
    put_text(file, plan->policy_name);
    fputs(",\n \"params\":{", file);
    const char *before = put_params(file, plan->policy->params, plan->policy->param_count,
                                    plan->params, plan->lua.policy != NULL, 1);
    for (int i = 0; i < SETTINGS; i++) {
        const mr_setting *it = &plan->settings[i];
        if (it->value == it->usual)
            continue;
        fprintf(file, "%s\"%s\":%" PRIu64, before, it->name, it->value);
        before = ",";
    }
    fprintf(file, "},\n \"seed\":%" PRIu64 ",\n ", plan->seed);
    put_nodes(file, plan);
    fputs(",\n ", file);
    put_failures(file, plan);
    fputs("\"jobs\":[", file);
    for (uint32_t i = 0; i < plan->job_count; i++) {
        if (plan->jobs[i].record.id == 0)
            continue;
        fprintf(file, "%s\n  ", between);
        put_scenario_job(file, plan, &plan->jobs[i]);
        between = ",";
    }
    fputs("]}\n", file);
}

/* ---- the check ------------------------------------------------------------------------------- */

/* Blocks through the maps' command, then the reduces', in one process each; sorted, as parts have
 * no order among each other. */
static char *check_command(const mr_plan *plan, const mr_job *job)
{
    char *text = NULL;
    size_t size;
    FILE *command = open_memstream(&text, &size);
    unsigned long long id = job->record.id;
    if (!command)
        return NULL;
    /* As a last attempt: a command may make its first ones fail. */
    fprintf(command, "export PINION_ATTEMPT=%u\ncd \"$PINION_DIR\" || exit 1\ncat",
            (unsigned)plan->settings[ATTEMPTS_MAX].value - 1);
    for (uint32_t map = 0; map < job->maps; map++)
        fprintf(command, " node%u/blocks/job%llu-map%u", job->replicas[map * plan->copies], id,
                map + 1);
    fprintf(command, " | {\n%s\n} | ", job->command[MAP]);
    if (job->reduces > 0)
        fprintf(command, "{\n%s\n} | ", job->command[REDUCE]);
    fprintf(command,
            "sort >expected && cat output/job%llu/part-* | sort | cmp -s - expected\nsame=$?\nrm "
            "-f expected\nexit $same",
            id);
    return fclose(command) == 0 ? text : NULL;
}

static int check_job(const mr_plan *plan, const mr_job *job)
{
    char *command = check_command(plan, job);
    if (!command)
        return complain("not enough memory");
    int status = wait_process(start_shell(command, "PINION_DIR", plan->directory));
    free(command);
    if (status == 0 || status == 1)
        printf("job %" PRIu64 " (%s): %s\n", job->record.id, job->name,
               status == 0 ? "results are right" : "RESULTS ARE WRONG");
    return status;
}

int check_results(const mr_plan *plan)
{
    int result = 0;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const mr_job *job = &plan->jobs[i];
        if (!job->ended || job->record.state != PN_SCHEDULER_FINISHED)
            continue;
        int status = check_job(plan, job);
        if (status != 0 && status != 1)
            return status;
        result |= status;
    }
    return result;
}
