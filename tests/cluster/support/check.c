/* Kernel against naive model on random scenarios of the cluster model: every policy with random
 * parameters under random rules, equal down to each event, a content checker, one digest however
 * the run is cut and the block is moved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "support/random.h"

typedef struct counts {
    unsigned long runs, events;
    unsigned long accepted, rejected, fired, late; /* by policies that admit jobs */
} counts;

static counts done;

/* What is wrong when it is run in this manner; "" when nothing is. */
static void compare(const cluster_instance *run, cluster_manner how, cluster_outcome *out,
                    naive_cluster_result *want, char *what, size_t size)
{
    what[0] = '\0';
    cluster_instance_run(run, how, out);
    if (out->status != PN_DONE)
        snprintf(what, size, "%s", pn_status_name(out->status));
    else if (cluster_instance_agree(&out->result, want, what, size) && out->fault[0] != '\0')
        snprintf(what, size, "%s", out->fault);
    if (what[0] == '\0' && out->result.totals.finished == run->scenario.job_count &&
        out->result.lower_bound > out->result.totals.total_makespan)
        snprintf(what, size, "the lower bound is above the run");
}

static bool still_differs(const cluster_instance *run, void *user)
{
    char what[240];
    cluster_outcome out;
    naive_cluster_result want;
    naive_cluster_run(&run->scenario, &want);
    compare(run, *(cluster_manner *)user, &out, &want, what, sizeof what);
    naive_cluster_free(&out.result);
    naive_cluster_free(&want);
    return what[0] != '\0';
}

/* The smallest scenario that shows it, with what the kernel and the naive model make of it. */
static void show(cluster_instance *run, cluster_manner how)
{
    char what[240];
    cluster_outcome out;
    naive_cluster_result want;
    cluster_instance_shrink(run, still_differs, &how);
    naive_cluster_run(&run->scenario, &want);
    compare(run, how, &out, &want, what, sizeof what);
    printf("smaller: %s\n", what);
    cluster_instance_print(run);
    printf("got:\n");
    cluster_instance_print_events(&out.result);
    printf("want:\n");
    cluster_instance_print_events(&want);
    naive_cluster_free(&out.result);
    naive_cluster_free(&want);
}

static bool check_manner(cluster_instance *run, const char *manner, cluster_manner how,
                         naive_cluster_result *want, pn_cluster_totals *held)
{
    char what[240];
    cluster_outcome out;
    compare(run, how, &out, want, what, sizeof what);
    naive_cluster_free(&out.result);
    *held = out.totals;
    if (what[0] == '\0')
        return true;
    printf("\nFAILED: %s: %s\n", manner, what);
    cluster_instance_print(run);
    fflush(stdout); /* the rest may take a while */
    if (!how.fitting)
        show(run, how);
    return false;
}

static void run_naively(const cluster_instance *run, naive_cluster_result *result)
{
    naive_cluster_run(&run->scenario, result);
}

/* However the run is cut, and wherever the block lies, it is the same one. */
static bool check_policy(cluster_instance *run, pn_stream *stream)
{
    naive_cluster_result want;
    pn_cluster_totals held; /* in the run before */
    bool good = true;
    uint32_t often = (uint32_t)random_uniform(stream, 1, 4);
    uint32_t now_and_then = (uint32_t)random_uniform(stream, 1, 20);
    const struct {
        const char *name;
        cluster_manner how;
    } manners[] = {
        {"in one go", {.stepping = false}},
        {"step by step", {.stepping = true, .roomy = true}},
        {"moved", {.roomy = true, .move_every = often}},
        {"job by job", {.one_by_one = true}},
        {"job by job, in tables that just fit",
         {.one_by_one = true, .fitting = &held, .move_every = now_and_then}},
    };
    uint64_t deadlines[CLUSTER_JOBS]; /* tight ones may be far away for other policies */
    const pn_scheduler_policy *policy = pn_scheduler_policy_find(run->scenario.policy);
    for (size_t i = 0; i < run->scenario.job_count; i++)
        deadlines[i] = run->jobs[i].deadline;
    if (policy->admission.finishes != PN_SCHEDULER_FINISHES_NONE &&
        random_uniform(stream, 1, 3) == 1)
        cluster_instance_tighten(run, stream, run_naively);
    naive_cluster_run(&run->scenario, &want);
    for (size_t i = 0; good && i < sizeof manners / sizeof manners[0]; i++)
        good = check_manner(run, manners[i].name, manners[i].how, &want, &held);
    for (size_t i = 0; good && i < run->scenario.job_count; i++)
        run->jobs[i].deadline = deadlines[i];
    done.runs++;
    done.events += want.event_count;
    done.accepted += pn_scheduler_policy_find(run->scenario.policy)->admit ? want.totals.accepted
                                                                           : 0;
    done.rejected += want.totals.rejected;
    done.fired += want.totals.feedback_fired;
    done.late += want.totals.late;
    naive_cluster_free(&want);
    return good;
}

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t policy)
{
    static const uint32_t jobs_max[] = {2, 3, 4, 5, 7, 12};
    static cluster_instance run;
    bool good = true;
    cluster_instance_draw(&run, stream, jobs_max[number % 6]);
    for (size_t i = 0; good && pn_scheduler_policy_at(i); i++) {
        if (!random_takes(policy, i))
            continue;
        cluster_instance_choose(&run, stream, pn_scheduler_policy_at(i)->name);
        good = check_policy(&run, stream);
    }
    return good;
}

static bool report(void)
{
    printf("%lu policy runs agree in %lu events; %lu jobs accepted, %lu rejected, %lu times "
           "feedback, %lu late\n",
           done.runs, done.events, done.accepted, done.rejected, done.fired, done.late);
    return true;
}

const random_check random_cluster = {"cluster", check_instance, report};
