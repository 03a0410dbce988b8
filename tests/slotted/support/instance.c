/* See instance.h. */
#include "instance.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawing ---- */

static uint64_t draw_size(pn_stream *stream, uint64_t max)
{
    uint64_t scale = random_uniform(stream, 0, 3);
    return random_uniform(stream, 0, scale == 0 ? max : scale == 1 ? 1 + max / 4 : 1 + max / 16);
}

static uint64_t draw_estimate(pn_stream *stream, uint64_t max)
{
    uint64_t kind = random_uniform(stream, 0, 3);
    uint64_t size = draw_size(stream, 2 * max);
    return kind == 0 ? 0 : size == 0 ? PN_SLOTTED_ESTIMATE_ZERO : size;
}

static void draw_job(slotted_instance *drawn, pn_stream *stream, slotted_instance_limits limits,
                     uint32_t i)
{
    pn_slotted_job *job = &drawn->jobs[i];
    uint64_t uniform_tasks = random_uniform(stream, 0, 1);
    *job = (pn_slotted_job){
        .maps = draw_size(stream, limits.size_max), .reduces = drawn->reduces[i], .tag = i};
    job->reduce_count = random_uniform(stream, 0, SLOTTED_TASKS);
    uint64_t length = draw_size(stream, limits.size_max / 2);
    for (size_t k = 0; k < job->reduce_count; k++) {
        drawn->reduces[i][k] = length;
        if (!uniform_tasks)
            length = draw_size(stream, limits.size_max / 2);
    }
    uint64_t work = job->maps;
    for (size_t k = 0; k < job->reduce_count; k++)
        work += drawn->reduces[i][k];
    if (work == 0)
        job->maps = 1;
    if (drawn->estimates) {
        job->estimate_maps = draw_estimate(stream, limits.size_max);
        job->estimate_reduces = draw_estimate(stream, limits.size_max);
    }
}

static int by_arrival(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;
    return (*x > *y) - (*x < *y);
}

void slotted_instance_draw(slotted_instance *drawn, pn_stream *stream,
                           slotted_instance_limits limits)
{
    uint64_t arrivals[SLOTTED_JOBS];
    memset(drawn, 0, sizeof *drawn);
    drawn->machines = (uint32_t)random_uniform(stream, 1, limits.machines_max);
    drawn->job_count = (uint32_t)random_uniform(stream, 1, limits.jobs_max);
    drawn->estimates = random_uniform(stream, 0, 3) == 0;
    uint64_t span = random_uniform(stream, 1, limits.arrival_max);
    for (uint32_t i = 0; i < drawn->job_count; i++)
        arrivals[i] = random_uniform(stream, 1, span);
    qsort(arrivals, drawn->job_count, sizeof arrivals[0], by_arrival);
    for (uint32_t i = 0; i < drawn->job_count; i++) {
        draw_job(drawn, stream, limits, i);
        drawn->jobs[i].arrival = arrivals[i];
    }
}

void slotted_instance_print(const slotted_instance *shown)
{
    printf("machines %u%s\n", shown->machines, shown->estimates ? ", sizes misjudged" : "");
    for (uint32_t i = 0; i < shown->job_count; i++) {
        const pn_slotted_job *job = &shown->jobs[i];
        printf("  job %u: arrival %llu, maps %llu, reduces", i + 1,
               (unsigned long long)job->arrival, (unsigned long long)job->maps);
        for (size_t k = 0; k < job->reduce_count; k++)
            printf(" %llu", (unsigned long long)shown->reduces[i][k]);
        printf(", estimates %llu %llu\n", (unsigned long long)job->estimate_maps,
               (unsigned long long)job->estimate_reduces);
    }
}

/* ---- the kernel ---- */

typedef struct watch {
    slotted_outcome *out;
    pn_slotted_verifier *verifier;
    refusals_table log;
    uint64_t last_slot, last_id;
    bool ordered;
} watch;

static void see_decision(void *user, const pn_slotted_decision *decision)
{
    watch *w = user;
    if (decision->slot < w->last_slot ||
        (decision->slot == w->last_slot && decision->id < w->last_id))
        w->ordered = false;
    w->last_slot = decision->slot;
    w->last_id = decision->id;
    pn_slotted_verifier_feed(w->verifier, decision);
    refusals_keep(&w->log, decision);
}

static void see_finish(void *user, const pn_slotted_finish *finish)
{
    watch *w = user;
    pn_slotted_decision entry = {
        .slot = finish->finish, .id = finish->id, .kind = PN_SLOTTED_FINISH};
    pn_slotted_verifier_feed(w->verifier, &entry);
    refusals_keep(&w->log, &entry);
    if (finish->tag != finish->id - 1 || finish->flow_time != finish->finish - finish->arrival + 1)
        w->ordered = false;
    w->out->map_finish[finish->id - 1] = finish->map_finish;
    w->out->finish[finish->id - 1] = finish->finish;
}

static pn_slotted *moved(pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    void *copy = malloc(size);
    pn_slotted *opened = NULL;
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    if (pn_slotted_open(&opened, copy, size) != PN_OK)
        abort();
    return opened;
}

static int submit(pn_slotted *sim, const slotted_instance *run, uint32_t *next)
{
    return pn_slotted_submit(sim, &run->jobs[(*next)++], NULL);
}

/* The block goes to another address, and another policy may go on. */
static void move(pn_slotted **sim, pn_slotted_hooks *hooks, slotted_manner how)
{
    *sim = moved(*sim);
    if (how.relieve)
        hooks->policy = how.relieve(how.user);
}

static int drive(pn_slotted **sim, const slotted_instance *run, pn_slotted_hooks *hooks,
                 slotted_manner how)
{
    uint32_t next = 0, steps = 0, last;
    int status = PN_OK;
    while (status == PN_OK && next < run->job_count) {
        if (how.streaming)
            status = pn_slotted_run(*sim, hooks, run->jobs[next].arrival - 1);
        if (status == PN_OK || status == PN_DONE)
            status = submit(*sim, run, &next);
        if (how.move_every > 0 && ++steps % how.move_every == 0)
            move(sim, hooks, how);
    }
    last = how.steps_max > 0 ? steps + how.steps_max : UINT32_MAX;
    while (status == PN_OK && steps < last) {
        status = pn_slotted_step(*sim, hooks);
        if (++steps % (how.move_every > 0 ? how.move_every : UINT32_MAX) == 0)
            move(sim, hooks, how);
    }
    return status;
}

void slotted_instance_run(const slotted_instance *run, const pn_slotted_policy *policy,
                          uint32_t reduce, slotted_manner how, slotted_outcome *out)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = run->machines;
    config.jobs_max = run->job_count;
    config.stretches_max = run->job_count * SLOTTED_TASKS;
    config.reduce = reduce;
    config.bounds = how.bounds;
    config.estimates = run->estimates;
    config.seed = how.seed;
    bool is_built_in = pn_slotted_policy_find(policy->name) == policy;
    config.policy = how.streaming || how.relieve || !is_built_in ? policy : NULL;
    memset(out, 0, sizeof *out);

    pn_slotted_claim claim = {.machines = run->machines,
                              .reduce = reduce,
                              .relaxed = policy->relaxed,
                              .work_conserving = policy->work_conserving,
                              .jobs = run->jobs,
                              .job_count = run->job_count};
    size_t verifier_size = pn_slotted_verifier_size(&claim);
    void *verifier_block = malloc(verifier_size);
    watch w = {.out = out, .ordered = true, .log.size = sizeof(pn_slotted_decision)};
    if (pn_slotted_verifier_init(&w.verifier, verifier_block, verifier_size, &claim) != PN_OK)
        abort();

    size_t size = pn_slotted_size(&config);
    pn_slotted *sim;
    if (size == 0 || pn_slotted_init(&sim, malloc(size), size, &config) != PN_OK)
        abort();
    pn_slotted_hooks hooks = {.policy = policy,
                              .params = how.params,
                              .on_finish = see_finish,
                              .on_decision = see_decision,
                              .user = &w};
    out->status = drive(&sim, run, &hooks, how);

    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    out->total = totals.total_flow_time;
    out->lower_bound = totals.lower_bound;
    out->decisions = totals.decisions;
    out->slots_run = totals.slots_run;
    out->slots_saturated = totals.slots_saturated;
    out->digest = pn_slotted_digest(sim);
    pn_slotted_verifier_end(w.verifier, totals.last_finish, out->digest);
    out->fault = w.ordered ? pn_slotted_verifier_fault(w.verifier, NULL, NULL)
                           : "hooks called out of order";
    if (refusals_collecting())
        slotted_refusals(&claim, &w.log, totals.last_finish, out->digest);
    free((void *)(uintptr_t)w.log.rows);
    free(verifier_block);
    free(sim);
}

/* ---- the naive simulator ---- */

static void naive_jobs(const slotted_instance *run, naive_job *jobs)
{
    for (uint32_t i = 0; i < run->job_count; i++) {
        const pn_slotted_job *job = &run->jobs[i];
        int64_t sum = 0;
        for (size_t k = 0; k < job->reduce_count; k++)
            sum += (int64_t)run->reduces[i][k];
        jobs[i] = (naive_job){.arrival = (int64_t)job->arrival,
                              .maps = (int64_t)job->maps,
                              .reduces = (const int64_t *)run->reduces[i],
                              .reduce_count = (int)job->reduce_count,
                              .estimate_maps = (int64_t)job->maps,
                              .estimate_reduces = sum};
        if (run->estimates && job->estimate_maps != 0)
            jobs[i].estimate_maps = job->estimate_maps == PN_SLOTTED_ESTIMATE_ZERO
                                        ? 0
                                        : (int64_t)job->estimate_maps;
        if (run->estimates && job->estimate_reduces != 0)
            jobs[i].estimate_reduces = job->estimate_reduces == PN_SLOTTED_ESTIMATE_ZERO
                                           ? 0
                                           : (int64_t)job->estimate_reduces;
    }
}

typedef struct folding {
    uint64_t slot, sum, digest;
} folding;

static void fold_slot(folding *f)
{
    if (f->sum != 0)
        f->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, f->digest), f->slot), f->sum);
    f->sum = 0;
}

static void fold_decision(void *user, int64_t slot, int kind, int64_t job, int64_t amount)
{
    folding *f = user;
    if ((uint64_t)slot != f->slot)
        fold_slot(f);
    f->slot = (uint64_t)slot;
    f->sum += pn_mix(
        pn_mix(pn_mix(pn_mix(PN_MIX_START, (uint64_t)slot), (uint64_t)kind), (uint64_t)job),
        (uint64_t)amount);
}

bool slotted_instance_naive(const slotted_instance *run, const char *policy, uint32_t reduce,
                            const double *params, slotted_outcome *out)
{
    naive_job jobs[SLOTTED_JOBS];
    naive_times times[SLOTTED_JOBS];
    folding f = {0, 0, 0};
    int64_t saturated = 0;
    naive_jobs(run, jobs);
    naive_slotted_config config = {.machines = run->machines,
                                   .nonpreemptive = reduce == PN_SLOTTED_NONPREEMPTIVE,
                                   .policy = policy,
                                   .saturated = &saturated,
                                   .on_decision = fold_decision,
                                   .user = &f};
    const pn_slotted_policy *table = pn_slotted_policy_find(policy);
    for (int i = 0; table && i < table->param_count; i++)
        config.params[i] = (int64_t)(params ? params[i] : table->params[i].value);
    memset(out, 0, sizeof *out);
    int64_t total = naive_slotted_run(&config, jobs, (int)run->job_count, times);
    if (total < 0)
        return false;
    fold_slot(&f);
    out->total = (uint64_t)total;
    out->slots_saturated = (uint64_t)saturated;
    out->digest = f.digest;
    for (uint32_t i = 0; i < run->job_count; i++) {
        out->map_finish[i] = (uint64_t)times[i].map_finish;
        out->finish[i] = (uint64_t)times[i].finish;
    }
    return true;
}

uint64_t slotted_instance_lb2(const slotted_instance *run, uint32_t reduce)
{
    size_t size = pn_slotted_bound_size(run->job_count);
    void *workspace = malloc(size);
    uint64_t total = 0;
    if (pn_slotted_bound_tight(workspace, size, run->machines, reduce, run->jobs, run->job_count,
                               NULL, NULL, &total) != PN_OK)
        abort();
    free(workspace);
    return total;
}

int64_t slotted_instance_naive_lb2(const slotted_instance *run, uint32_t reduce)
{
    naive_job jobs[SLOTTED_JOBS];
    naive_jobs(run, jobs);
    return naive_slotted_lb2(run->machines, reduce == PN_SLOTTED_NONPREEMPTIVE, jobs,
                             (int)run->job_count);
}

int64_t slotted_instance_naive_optimum(const slotted_instance *run, uint32_t reduce)
{
    naive_job jobs[SLOTTED_JOBS];
    naive_jobs(run, jobs);
    return naive_slotted_optimum(run->machines, reduce == PN_SLOTTED_NONPREEMPTIVE, jobs,
                                 (int)run->job_count);
}
