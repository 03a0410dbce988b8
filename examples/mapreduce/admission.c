/* Jobs come: what the core is told of them, and what it answers. Who waits for an answer has it at
 * once, on standard error: a job that is accepted or rejected where the policy decides about that,
 * and one that is late, as soon as something went wrong. */
#include <string.h>

#include "mapreduce.h"

/* ---- what is said ---------------------------------------------------------------------------- */

/* "job 3 (short sort): rejected at 250 ms: estimated finish 4200 ms, deadline 3250 ms" */
static void say(const mr_job *job, const char *what, uint64_t time, uint64_t estimate,
                uint64_t deadline)
{
    const char *before = ": ";
    fprintf(stderr, "mapreduce: job %llu (%s): %s at %llu ms", (unsigned long long)job->record.id,
            job->name, what, (unsigned long long)time);
    /* Some policies do not estimate, and beyond all times there are nothing is known. */
    if (estimate <= PN_INTEGER_MAX) {
        fprintf(stderr, "%sestimated finish %llu ms", before, (unsigned long long)estimate);
        before = ", ";
    }
    if (deadline > 0)
        fprintf(stderr, "%sdeadline %llu ms", before,
                (unsigned long long)(job->record.submit + deadline));
}

static void say_answer(const mr_plan *plan, const mr_job *job, const pn_scheduler_answer *answer)
{
    say(job, answer->accepted ? "accepted" : "rejected", job->record.submit, answer->estimate,
        answer->deadline);
    if (!answer->accepted && answer->blocker > 0 && answer->blocker != answer->id)
        fprintf(stderr, "; job %llu (%s) would miss its own", (unsigned long long)answer->blocker,
                plan->jobs[answer->blocker - 1].name);
    fputc('\n', stderr);
}

void say_late(const mr_plan *plan, const pn_scheduler_event *event)
{
    say(&plan->jobs[event->tag], "late", event->time, event->estimate, event->deadline);
    fputc('\n', stderr);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static uint32_t replicas_of(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    const uint32_t *replicas = *(const uint32_t *const *)where;
    memcpy(nodes, replicas + (size_t)map * most, most * sizeof *nodes);
    return most;
}

int submit_job(mr_plan *plan, pn_scheduler *core, const pn_scheduler_hooks *hooks, uint64_t now,
               uint32_t index)
{
    mr_job *job = &plan->jobs[index];
    const pn_scheduler_job given = {.maps = job->maps,
                                    .reduces = job->reduces,
                                    .replicas = replicas_of,
                                    .where = &job->replicas,
                                    .deadline = job->deadline,
                                    .est_ms = {job->est_ms[MAP], job->est_ms[REDUCE]},
                                    .input = (uint64_t)job->maps * job->kib,
                                    .tag = index};
    pn_scheduler_answer answer;
    int status = pn_scheduler_submit(core, hooks, now, &given, &answer);
    if (status != PN_OK)
        return status;
    job->record.id = answer.id;
    job->record.submit = now;
    if (plan->policy->admit)
        say_answer(plan, job, &answer);
    return PN_OK;
}

int is_successful(const pn_scheduler_record *job)
{
    return job->state == PN_SCHEDULER_FINISHED &&
           (job->deadline == 0 || job->finish - job->submit <= job->deadline);
}
