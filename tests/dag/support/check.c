/* Kernel against naive model on random scenarios of the dag model: every policy under random
 * parameters, equal down to each event, a content checker, one digest however the run is cut and
 * the block is moved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instance.h"
#include "support/random.h"

typedef struct counts {
    unsigned long runs, events, kills, lost, unfinished;
} counts;

static counts done;

/* What is wrong when it is run in this manner; "" when nothing is. */
static void compare(const naive_dag_scenario *run, dag_manner how, dag_outcome *out,
                    naive_dag_result *want, char *what, size_t size)
{
    what[0] = '\0';
    dag_instance_run(run, want, how, out);
    if (out->status != PN_DONE)
        snprintf(what, size, "%s", pn_status_name(out->status));
    else if (dag_instance_agree(out, want, what, size) && out->fault[0] != '\0')
        snprintf(what, size, "%s", out->fault);
}

/* Whether the naive model takes the scenario, which shrinking may spoil. */
static bool is_scenario(const naive_dag_scenario *run)
{
    for (uint32_t r = 0; r < run->resource_count; r++) {
        uint64_t sum = 0;
        for (uint32_t g = 0; g < run->group_count; g++)
            sum += run->nodes[g].capacity[r];
        if (sum == 0)
            return false;
    }
    return naive_dag_too_large(run) == run->job_count;
}

static bool still_differs(const naive_dag_scenario *run, void *user)
{
    char what[300];
    dag_outcome out;
    naive_dag_result want;
    if (!is_scenario(run))
        return false;
    naive_dag_run(run, &want);
    compare(run, *(dag_manner *)user, &out, &want, what, sizeof what);
    naive_dag_free(&out.result);
    naive_dag_free(&want);
    return what[0] != '\0';
}

/* The smallest scenario that shows it, with what the kernel and the naive model make of it. */
static void show(dag_instance *run, dag_manner how)
{
    char what[300];
    dag_outcome out;
    naive_dag_result want;
    dag_instance_shrink(run, still_differs, &how);
    naive_dag_run(&run->scenario, &want);
    compare(&run->scenario, how, &out, &want, what, sizeof what);
    printf("smaller: %s\n", what);
    dag_instance_print(&run->scenario);
    printf("got:\n");
    dag_events_print(&out.result);
    printf("want:\n");
    dag_events_print(&want);
    naive_dag_free(&out.result);
    naive_dag_free(&want);
}

static bool check_manner(dag_instance *run, const char *manner, dag_manner how,
                         naive_dag_result *want, pn_dag_totals *held)
{
    char what[300];
    dag_outcome out;
    compare(&run->scenario, how, &out, want, what, sizeof what);
    naive_dag_free(&out.result);
    *held = out.totals;
    if (what[0] == '\0')
        return true;
    printf("\nFAILED: %s: %s\n", manner, what);
    dag_instance_print(&run->scenario);
    fflush(stdout); /* the rest may take a while */
    if (!how.fitting)
        show(run, how);
    return false;
}

/* However the run is cut, and wherever the block lies, it is the same one. */
static bool check_policy(dag_instance *run, pn_stream *stream)
{
    naive_dag_result want;
    pn_dag_totals held; /* in the run before */
    bool good = true;
    uint32_t often = (uint32_t)random_uniform(stream, 1, 4);
    uint32_t now_and_then = (uint32_t)random_uniform(stream, 1, 20);
    const struct {
        const char *name;
        dag_manner how;
    } manners[] = {
        {"in one go", {.stepping = false}},
        {"step by step", {.stepping = true}},
        {"moved", {.move_every = often}},
        {"job by job", {.one_by_one = true}},
        {"job by job, in tables that just fit",
         {.one_by_one = true, .fitting = &held, .move_every = now_and_then}},
    };
    naive_dag_run(&run->scenario, &want);
    for (size_t i = 0; good && i < sizeof manners / sizeof manners[0]; i++)
        good = check_manner(run, manners[i].name, manners[i].how, &want, &held);
    done.runs++;
    done.events += want.event_count;
    done.kills += want.totals.kills;
    done.lost += want.totals.lost_attempts;
    done.unfinished += want.totals.jobs - want.totals.finished;
    naive_dag_free(&want);
    return good;
}

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t policy)
{
    static const uint32_t jobs_most[] = {2, 3, 4, 5, 7, DAG_JOBS};
    static dag_instance run;
    bool good = true;
    dag_instance_draw(&run, stream, jobs_most[number % 6]);
    if (!is_scenario(&run.scenario))
        return true;
    for (size_t i = 0; good && pn_dispatch_policy_at(i); i++) {
        if (!random_takes(policy, i))
            continue;
        run.scenario.policy = pn_dispatch_policy_at(i)->name;
        good = check_policy(&run, stream);
    }
    return good;
}

static bool report(void)
{
    printf("%lu policy runs agree in %lu events; %lu kills, %lu attempts lost, %lu jobs "
           "unfinished\n",
           done.runs, done.events, done.kills, done.lost, done.unfinished);
    return true;
}

const random_check random_dag = {"dag", check_instance, report};
