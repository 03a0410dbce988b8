/* Kernel against naive model on random scenarios of the cluster model: every policy with random parameters under random rules,
 * equal down to each event, a content checker, one digest however the run is cut and the block is moved.
 *
 *   random_cluster [SECONDS [COUNT [SEED]]]     see random.h */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_instance.h"
#include "random.h"

typedef struct counts {
    unsigned long instances, runs, events;
} counts;

static bool fail(const cluster_instance *run, const char *manner, const char *what)
{
    printf("FAILED: %s: %s\n", manner, what);
    cluster_instance_print(run);
    return false;
}

static bool check_manner(const cluster_instance *run, const char *manner, cluster_manner how, naive_cluster_result *want,
                         pn_cluster_totals *held)
{
    char what[240];
    cluster_outcome out;
    bool good = true;
    cluster_instance_run(run, how, &out);
    if (out.status != PN_DONE)
        good = fail(run, manner, pn_status_name(out.status));
    else if (out.fault[0] != '\0')
        good = fail(run, manner, out.fault);
    else if (!cluster_instance_agree(&out.result, want, what, sizeof what))
        good = fail(run, manner, what);
    naive_cluster_free(&out.result);
    *held = out.totals;
    return good;
}

/* However the run is cut, and wherever the block lies, it is the same one. */
static bool check_policy(const cluster_instance *run, pn_stream *stream, counts *done)
{
    naive_cluster_result want;
    pn_cluster_totals held; /* in the run before */
    bool good = true;
    uint32_t often = (uint32_t)pn_uniform(stream, 1, 4);
    uint32_t now_and_then = (uint32_t)pn_uniform(stream, 1, 20);
    const struct {
        const char *name;
        cluster_manner how;
    } manners[] = {
        {"in one go", {.stepping = false}},
        {"step by step", {.stepping = true, .roomy = true}},
        {"moved", {.roomy = true, .move_every = often}},
        {"job by job", {.one_by_one = true}},
        {"job by job, in tables that just fit", {.one_by_one = true, .fitting = &held, .move_every = now_and_then}},
    };
    naive_cluster_run(&run->scenario, &want);
    for (size_t i = 0; good && i < sizeof manners / sizeof manners[0]; i++)
        good = check_manner(run, manners[i].name, manners[i].how, &want, &held);
    done->runs++;
    done->events += want.event_count;
    naive_cluster_free(&want);
    return good;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    counts *done = user;
    static const uint32_t jobs_max[] = {2, 3, 4, 5, 7, 12};
    static cluster_instance run;
    pn_stream stream;
    bool good = true;
    pn_stream_init(&stream, seed, number, 1);
    cluster_instance_draw(&run, &stream, jobs_max[number % 6]);
    done->instances++;
    for (int i = 0; good && pn_scheduler_policies[i]; i++) {
        cluster_instance_choose(&run, &stream, pn_scheduler_policies[i]->name);
        good = check_policy(&run, &stream, done);
    }
    if (!good)
        printf("replay with: random_cluster 0 1 %llu:%u\n", (unsigned long long)seed, number);
    return good;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    counts done = {0, 0, 0};
    if (!random_run(&plan, check_instance, &done))
        return 1;
    printf("random_cluster: seed %llu: %lu instances, %lu policy runs agree in %lu events\n", (unsigned long long)plan.seed,
           done.instances, done.runs, done.events);
    return 0;
}
