/* A host that drives the dispatch core of the dag model itself, as one with real machines does: it
 * tells what happens, asks for decisions, and here lets every task take as long as it was said to.
 *   cc -Ikernel/include examples/c/dag.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

static _Alignas(max_align_t) unsigned char block[1 << 17];

/* Four nodes with 8 cores and 32 GiB, in millicores and MiB. */
static const pn_dispatch_nodes nodes[] = {{.capacity = {8000, 32768}, .count = 4}};

/* A query: two scans, a join that waits for both, and an aggregation. */
static const uint32_t parents[] = {0, 1, 2};
static const pn_dispatch_stage stages[] = {
    {.demand = {1000, 2048}, .estimate = 4000, .tasks = 24},
    {.demand = {1000, 2048}, .estimate = 2000, .tasks = 8},
    {.demand = {2000, 8192}, .estimate = 3000, .tasks = 12, .first_parent = 0, .parent_count = 2},
    {.demand = {1000, 1024}, .estimate = 500, .tasks = 2, .first_parent = 2, .parent_count = 1},
};
static const pn_dispatch_job query = {
    .stages = stages, .parents = parents, .stage_count = 4, .parents_count = 3};

/* What a host knows of the attempts that run, by their places. */
enum { PLACES = 64 };

typedef struct host {
    pn_dispatch_task running[PLACES];
    uint64_t ends[PLACES]; /* 0: nothing runs there */
} host;

static void launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    h->running[task->place] = *task;
    h->ends[task->place] = task->start + stages[task->stage].estimate;
}

static void finished(void *user, const pn_dispatch_record *job)
{
    (void)user;
    printf("job %" PRIu64 " took %" PRIu64 " ms; its stages were ready after", job->id,
           job->finish - job->arrival);
    for (uint32_t s = 0; s < job->stage_count; s++)
        printf(" %" PRIu64, job->stages[s].ready - job->arrival);
    printf(" ms\n");
}

/* The attempt that ends first; PLACES when none runs. */
static uint32_t next_end(const host *h)
{
    uint32_t next = PLACES;
    for (uint32_t place = 0; place < PLACES; place++)
        if (h->ends[place] > 0 && (next == PLACES || h->ends[place] < h->ends[next]))
            next = place;
    return next;
}

static int run(const pn_dispatch_policy *policy)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    host h = {.ends = {0}};
    const pn_dispatch_hooks hooks = {
        .policy = policy, .launch = launch, .on_finish = finished, .user = &h};
    pn_dispatch *core;
    config.nodes = nodes;
    config.nodes_count = 1;
    config.resources = 2;
    config.jobs_max = 4;
    config.attempts_max = PLACES;
    config.policy = policy;
    int status = pn_dispatch_init(&core, block, sizeof block, &config);
    if (status != PN_OK) {
        const char *field = pn_dispatch_check(&config);
        fprintf(stderr, "%s: %s; %zu bytes needed\n", pn_status_name(status), field ? field : "",
                pn_dispatch_size(&config));
        return status;
    }
    printf("%s\n", policy->name);
    for (int i = 0; i < 3 && status >= 0; i++)
        status = pn_dispatch_submit(core, &hooks, 0, &query, NULL);
    if (status >= 0)
        status = pn_dispatch_run(core, &hooks, 0, UINT64_MAX);
    for (uint32_t place = next_end(&h); place < PLACES && status >= 0; place = next_end(&h)) {
        uint64_t now = h.ends[place];
        /* all that ends now, then one dispatch */
        for (; status >= 0 && place < PLACES && h.ends[place] == now; place = next_end(&h)) {
            h.ends[place] = 0;
            status = pn_dispatch_finished(core, &hooks, now, h.running[place].token);
        }
        if (status >= 0)
            status = pn_dispatch_run(core, &hooks, now, UINT64_MAX);
    }
    return status;
}

int main(void)
{
    int status = run(pn_dispatch_fifo());
    if (status >= 0)
        status = run(pn_dispatch_drf());
    if (status < 0)
        fprintf(stderr, "%s\n", pn_status_name(status));
    return status < 0;
}

/* It prints:
 *  fifo
 *  job 1 took 7500 ms; its stages were ready after 0 0 4000 7000 ms
 *  job 2 took 16500 ms; its stages were ready after 0 0 11000 16000 ms
 *  job 3 took 19500 ms; its stages were ready after 0 0 16000 19000 ms
 *  drf
 *  job 1 took 18500 ms; its stages were ready after 0 0 12000 18000 ms
 *  job 3 took 21500 ms; its stages were ready after 0 0 12000 21000 ms
 *  job 2 took 21500 ms; its stages were ready after 0 0 12000 21000 ms
 */
