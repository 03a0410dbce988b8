/* The loop that pn_scheduler.h opens with, on machines and a clock made up here. RECIPE is the file
 * that scripts/check/recipes.sh has taken out of the header. Prints the names of the built-in
 * policies. */
#include <stdio.h>
#include <stdlib.h>
#include "pn_scheduler.h"

enum { NODES = 3, JOBS = 6, PLACES = 64 };
enum { HOST_NOTHING, HOST_JOB, HOST_DONE, HOST_FAILED };

typedef struct host_message {
    int what;
    uint64_t token;
    pn_scheduler_job job;
} host_message;

typedef struct host {
    uint64_t time, wake;
    uint32_t jobs; /* that have come */
    struct {
        uint64_t token, end;
        int fails;
    } running[PLACES];
    uint32_t finished, waits;
} host;

static uint32_t on_first_node(const void *where, uint32_t map, uint32_t *nodes, uint32_t most)
{
    (void)where;
    (void)map;
    (void)most;
    nodes[0] = 0;
    return 1;
}

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
    uint64_t next = host_expects_jobs(h) ? 3000 * (uint64_t)h->jobs : UINT64_MAX;
    uint32_t first = PLACES;
    for (uint32_t i = 0; i < PLACES; i++)
        if (h->running[i].token != 0 && h->running[i].end < next) {
            first = i;
            next = h->running[i].end;
        }
    host_message m = {HOST_NOTHING, 0, {.maps = 4, .reduces = 2}};
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
        m.job.replicas = on_first_node;
        m.job.deadline = 1000000;
        m.job.est_ms[0] = m.job.est_ms[1] = 15000;
        h->jobs++;
        return m;
    }
    m.what = h->running[first].fails ? HOST_FAILED : HOST_DONE;
    m.token = h->running[first].token;
    h->running[first].token = 0;
    return m;
}

#include RECIPE

static void on_launch(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    h->running[task->place].token = task->token;
    h->running[task->place].end = task->kind == PN_SCHEDULER_REDUCE && !task->input_complete
                                      ? UINT64_MAX
                                      : h->time + 7000 + 1000 * task->task;
    h->running[task->place].fails = task->task == 1 && task->attempt == 0;
}

static void on_input(void *user, const pn_scheduler_task *task)
{
    host *h = user;
    h->running[task->place].end = task->input_complete ? h->time + 7000 : UINT64_MAX;
}

static void on_kill(void *user, const pn_scheduler_task *task)
{
    ((host *)user)->running[task->place].token = 0;
}

static void on_wake(void *user, uint64_t time)
{
    host *h = user;
    h->wake = time < h->wake ? time : h->wake;
}

static void on_finish(void *user, const pn_scheduler_record *job)
{
    ((host *)user)->finished += job->state == PN_SCHEDULER_FINISHED;
}

int main(void)
{
    static const pn_scheduler_nodes nodes[] = {{NODES, 1, 1, 0}};
    for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
        host h = {.time = 0};
        const pn_scheduler_hooks hooks = {.policy = pn_scheduler_policy_at(i),
                                          .launch = on_launch,
                                          .kill = on_kill,
                                          .wake_at = on_wake,
                                          .on_finish = on_finish,
                                          .input_changed = on_input,
                                          .user = &h};
        pn_scheduler_config config = pn_scheduler_defaults();
        config.nodes = nodes;
        config.nodes_count = 1;
        config.jobs_max = JOBS;
        config.locality_delay_ms = 500;
        config.policy = hooks.policy;
        size_t size = pn_scheduler_size(&config);
        void *block = malloc(size);
        pn_scheduler *s;
        host_check(pn_scheduler_init(&s, block, size, &config));
        serve(&h, s, &hooks);
        pn_scheduler_totals totals;
        pn_scheduler_totals_get(s, &totals);
        if (h.finished != totals.accepted || totals.accepted == 0 || h.waits > 1000) {
            printf("%s: %u of %u jobs, %u waits\n", hooks.policy->name, h.finished,
                   (unsigned)totals.accepted, h.waits);
            return 1;
        }
        printf("%s\n", hooks.policy->name);
        free(block);
    }
    return 0;
}
