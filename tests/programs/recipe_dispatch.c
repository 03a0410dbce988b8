/* The loop that pn_dispatch.h opens with, as recipe_scheduler.c has that of pn_scheduler.h. */
#include <stdio.h>
#include <stdlib.h>
#include "pn_dispatch.h"

enum { JOBS = 6, PLACES = 64 };
enum { HOST_NOTHING, HOST_JOB, HOST_DONE, HOST_FAILED };

typedef struct host_message {
    int what;
    uint64_t token;
    pn_dispatch_job job;
} host_message;

typedef struct host {
    uint64_t time;
    uint32_t jobs; /* that have come */
    struct {
        uint64_t token, end;
        int fails;
    } running[PLACES];
    uint32_t finished, waits;
} host;

static uint64_t host_now(const host *h)
{
    return h->time;
}

static int host_expects_jobs(const host *h)
{
    return h->jobs < JOBS;
}

static void host_check(int status)
{
    if (status < 0 && status != PN_ERR_STALE) {
        printf("%s\n", pn_status_name(status));
        exit(1);
    }
}

/* A job comes every 3 s; attempts take 7 s and more. */
static host_message host_wait(host *h, uint64_t until)
{
    static const uint32_t parents[] = {0};
    static const pn_dispatch_stage stages[] = {
        {.demand = {1}, .estimate = 7000, .tasks = 4},
        {.demand = {2}, .estimate = 7000, .tasks = 1, .parent_count = 1}};
    uint64_t next = host_expects_jobs(h) ? 3000 * (uint64_t)h->jobs : UINT64_MAX;
    uint32_t first = PLACES;
    for (uint32_t i = 0; i < PLACES; i++)
        if (h->running[i].token != 0 && h->running[i].end < next) {
            first = i;
            next = h->running[i].end;
        }
    host_message m = {.what = HOST_NOTHING};
    h->waits++;
    if (until < next) {
        h->time = until > h->time ? until : h->time;
        return m;
    }
    if (next == UINT64_MAX) {
        printf("waits for ever\n");
        exit(1);
    }
    h->time = next > h->time ? next : h->time;
    if (first == PLACES) {
        m.what = HOST_JOB;
        m.job = (pn_dispatch_job){.stages = stages,
                                  .parents = parents,
                                  .stage_count = 2,
                                  .parents_count = 1,
                                  .queue = h->jobs % 2};
        h->jobs++;
        return m;
    }
    m.what = h->running[first].fails ? HOST_FAILED : HOST_DONE;
    m.token = h->running[first].token;
    h->running[first].token = 0;
    return m;
}

static host_message host_poll(host *h)
{
    return host_wait(h, h->time);
}

#include RECIPE

static void on_launch(void *user, const pn_dispatch_task *task)
{
    host *h = user;
    h->running[task->place].token = task->token;
    h->running[task->place].end = h->time + 7000 + 1000 * task->task;
    h->running[task->place].fails = task->task == 1 && task->attempt == 0;
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    ((host *)user)->running[task->place].token = 0;
}

static void on_finish(void *user, const pn_dispatch_record *job)
{
    ((host *)user)->finished += job->state == PN_DISPATCH_FINISHED;
}

int main(void)
{
    static const pn_dispatch_nodes nodes[] = {{{2}, 3, 0}};
    static const pn_dispatch_queue queues[] = {{.guaranteed = 700}, {.guaranteed = 100}};
    static const double preempts[] = {1, 0, 0, 0, 0, 0, 0, 0};
    for (size_t i = 0; pn_dispatch_policy_at(i); i++) {
        host h = {.time = 0};
        const pn_dispatch_policy *policy = pn_dispatch_policy_at(i);
        const pn_dispatch_hooks hooks = {
            .policy = policy,
            .params = policy == pn_dispatch_capacity_queues() ? preempts : NULL,
            .launch = on_launch,
            .kill = on_kill,
            .on_finish = on_finish,
            .user = &h};
        pn_dispatch_config config = pn_dispatch_defaults();
        config.nodes = nodes;
        config.nodes_count = 1;
        config.queues = queues;
        config.queues_count = 2;
        config.jobs_max = JOBS;
        config.attempts_max = PLACES;
        size_t size = pn_dispatch_size(&config);
        void *block = malloc(size);
        pn_dispatch *core;
        host_check(pn_dispatch_init(&core, block, size, &config));
        serve(&h, core, &hooks);
        if (h.finished != JOBS || h.waits > 1000) {
            printf("%s: %u jobs, %u waits\n", policy->name, h.finished, h.waits);
            return 1;
        }
        printf("%s\n", policy->name);
        free(block);
    }
    return 0;
}
