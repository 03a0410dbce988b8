/* See instance.h: making a scenario that shows something smaller. */
#include "instance.h"

#include <string.h>

/* ---- what can be plainer ---- */

/* A number, truth or list of the scenario and its plainest value; numbers may also come closer to
 * that. */
typedef struct knob {
    void *at;
    size_t size;
    uint64_t plain;
    bool is_number;
} knob;

enum { KNOBS_MOST = 32 + 3 * CLUSTER_GROUPS + 2 * CLUSTER_FAILURES + 18 * CLUSTER_JOBS };

typedef struct knobs {
    knob all[KNOBS_MOST];
    size_t count;
} knobs;

static uint64_t value_of(knob k)
{
    /* of a narrower one, the low end of it: the machines that run this are little-endian */
    uint64_t value = 0;
    memcpy(&value, k.at, k.size);
    return value;
}

static void add_number(knobs *to, void *at, size_t size, uint64_t plain)
{
    to->all[to->count++] = (knob){at, size, plain, true};
}

static void add_other(knobs *to, void *at, size_t size, uint64_t plain)
{
    to->all[to->count++] = (knob){at, size, plain, false};
}

static void add_rules(knobs *to, naive_cluster_scenario *s)
{
    pn_cluster_config *c = &s->config;
    naive_cluster_deadlines *d = &s->deadlines;
    bool *truths[] = {&d->by_submission,       &d->feedback, &d->recompute, &d->satu,    &d->keep,
                      &d->wait_for_the_latest, &d->learnt,   &d->by_speed,  &s->suspend, &s->copies,
                      &d->reserve_strict};
    add_number(to, &c->heartbeat_ms, sizeof c->heartbeat_ms, c->heartbeat_ms > 0);
    add_number(to, &c->maps_per_heartbeat, sizeof c->maps_per_heartbeat, 0);
    add_number(to, &c->replication, sizeof c->replication, 1);
    add_number(to, &c->attempt_fail_permille, sizeof c->attempt_fail_permille, 0);
    add_number(to, &c->restore_ms, sizeof c->restore_ms, 0);
    add_number(to, &c->restore_permille, sizeof c->restore_permille, 0);
    add_number(to, &c->save_ms, sizeof c->save_ms, 0);
    add_number(to, &c->save_permille, sizeof c->save_permille, 0);
    add_number(to, &d->theta_ms, sizeof d->theta_ms, 0);
    add_number(to, &s->copy_after_ms, sizeof s->copy_after_ms, 0);
    add_number(to, &c->seed, sizeof c->seed, 1);
    add_other(to, &c->factor_lo, sizeof c->factor_lo, c->factor_hi);
    add_other(to, &c->factor_hi, sizeof c->factor_hi, c->factor_lo);
    if (c->est_extra_ms != PN_CLUSTER_AUTO)
        add_number(to, &c->est_extra_ms, sizeof c->est_extra_ms, 0);
    for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++)
        add_other(to, truths[i], sizeof *truths[i], false);
}

static void add_job(knobs *to, pn_cluster_job *job, uint64_t earliest)
{
    uint64_t *numbers[] = {&job->map_ms,     &job->remote_ms,   &job->reduce_ms,
                           &job->shuffle_ms, &job->est_map_ms,  &job->est_reduce_ms,
                           &job->input,      &job->intermediate};
    add_number(to, &job->submit, sizeof job->submit, earliest);
    add_number(to, &job->deadline, sizeof job->deadline, job->deadline > 0);
    add_number(to, &job->maps, sizeof job->maps, 1);
    add_number(to, &job->reduces, sizeof job->reduces, 0);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(to, numbers[i], sizeof *numbers[i], 0);
    add_other(to, &job->weight, sizeof job->weight, 0);
    add_other(to, &job->priority, sizeof job->priority, 0);
    add_other(to, &job->blocks, sizeof job->blocks, 0);
    add_other(to, &job->map_factor, sizeof job->map_factor, 0);
    add_other(to, &job->reduce_factor, sizeof job->reduce_factor, 0);
    add_other(to, &job->map_times, sizeof job->map_times, 0);
    add_other(to, &job->reduce_times, sizeof job->reduce_times, 0);
    add_other(to, &job->shuffle_times, sizeof job->shuffle_times, 0);
}

static void collect(knobs *to, cluster_instance *run)
{
    naive_cluster_scenario *s = &run->scenario;
    to->count = 0;
    add_rules(to, s);
    for (uint32_t g = 0; g < s->config.scheduler.nodes_count; g++) {
        pn_scheduler_nodes *group = &run->nodes[g];
        add_number(to, &group->count, sizeof group->count, 1);
        add_number(to, &group->map_slots, sizeof group->map_slots, 0);
        add_number(to, &group->reduce_slots, sizeof group->reduce_slots, 0);
        add_other(to, &group->speed, sizeof group->speed, 1000);
    }
    for (size_t i = 0; i < s->failure_count; i++) {
        add_number(to, &run->failures[i].time, sizeof run->failures[i].time, 0);
        add_other(to, &run->failures[i].recover, sizeof run->failures[i].recover,
                  PN_SCHEDULER_NEVER);
    }
    for (size_t i = 0; i < s->job_count; i++)
        add_job(to, &run->jobs[i], i > 0 ? run->jobs[i - 1].submit : 0);
}

/* ---- trying ---- */

/* What shrinking changes. */
typedef struct saved {
    naive_cluster_scenario scenario;
    pn_scheduler_nodes nodes[CLUSTER_GROUPS];
    pn_cluster_job jobs[CLUSTER_JOBS];
    pn_cluster_failure failures[CLUSTER_FAILURES];
} saved;

static void save(const cluster_instance *run, saved *to)
{
    to->scenario = run->scenario;
    memcpy(to->nodes, run->nodes, sizeof to->nodes);
    memcpy(to->jobs, run->jobs, sizeof to->jobs);
    memcpy(to->failures, run->failures, sizeof to->failures);
}

static void restore(cluster_instance *run, const saved *from)
{
    run->scenario = from->scenario;
    memcpy(run->nodes, from->nodes, sizeof run->nodes);
    memcpy(run->jobs, from->jobs, sizeof run->jobs);
    memcpy(run->failures, from->failures, sizeof run->failures);
}

static bool has_its_nodes(const cluster_instance *run, const pn_cluster_job *job)
{
    const uint32_t *next = job->blocks;
    for (uint32_t m = 0; next && m < job->maps; m++)
        for (uint32_t c = 0; c < job->block_counts[m]; c++)
            if (*next++ >= cluster_instance_nodes(run))
                return false;
    return true;
}

static bool is_scenario(const cluster_instance *run)
{
    const naive_cluster_scenario *s = &run->scenario;
    bool good = s->job_count > 0 && s->config.factor_lo <= s->config.factor_hi &&
                cluster_instance_slots(run, PN_SCHEDULER_MAP) > 0;
    for (size_t i = 0; i < s->failure_count; i++)
        good = good && run->failures[i].node < cluster_instance_nodes(run) &&
               run->failures[i].time < run->failures[i].recover;
    for (size_t i = 0; i < s->job_count; i++)
        good = good && (i == 0 || run->jobs[i].submit >= run->jobs[i - 1].submit) &&
               has_its_nodes(run, &run->jobs[i]) &&
               (run->jobs[i].reduces == 0 || cluster_instance_slots(run, PN_SCHEDULER_REDUCE) > 0);
    return good;
}

/* The sight and who sees it. */
typedef struct witness {
    cluster_sight sight;
    void *user;
} witness;

/* Takes the change back unless the scenario still shows it. */
static bool keep_change(cluster_instance *run, const saved *before, const witness *of)
{
    if (is_scenario(run) && of->sight(run, of->user))
        return true;
    restore(run, before);
    return false;
}

static bool turn(cluster_instance *run, knob k, uint64_t value, const witness *of)
{
    static saved before;
    if (value == value_of(k))
        return false;
    save(run, &before);
    memcpy(k.at, &value, k.size);
    return keep_change(run, &before, of);
}

static bool turn_all(cluster_instance *run, const witness *of)
{
    static knobs found;
    bool any = false;
    collect(&found, run);
    for (size_t i = 0; i < found.count; i++) {
        knob k = found.all[i];
        uint64_t value = value_of(k);
        if (turn(run, k, k.plain, of)) {
            any = true;
            continue;
        }
        if (!k.is_number || value <= k.plain)
            continue;
        any = turn(run, k, k.plain + (value - k.plain) / 2, of) || any;
        any = turn(run, k, value_of(k) - (value_of(k) > k.plain), of) || any;
    }
    return any;
}

/* Takes out each element of a list that the scenario can do without. */
static bool leave_out(cluster_instance *run, void *list, size_t size,
                      size_t (*count)(cluster_instance *run, bool less), const witness *of)
{
    static saved before;
    bool any = false;
    for (size_t i = count(run, false); i-- > 0;) {
        char *at = (char *)list + i * size;
        save(run, &before);
        memmove(at, at + size, (count(run, true) - i) * size);
        any = keep_change(run, &before, of) || any;
    }
    return any;
}

static size_t count_jobs(cluster_instance *run, bool less)
{
    return run->scenario.job_count -= less;
}

static size_t count_failures(cluster_instance *run, bool less)
{
    return run->scenario.failure_count -= less;
}

static size_t count_groups(cluster_instance *run, bool less)
{
    return run->scenario.config.scheduler.nodes_count -= less;
}

void cluster_instance_shrink(cluster_instance *run, cluster_sight sight, void *user)
{
    const witness of = {sight, user};
    for (bool any = true; any;) {
        any = leave_out(run, run->jobs, sizeof run->jobs[0], count_jobs, &of);
        any = leave_out(run, run->failures, sizeof run->failures[0], count_failures, &of) || any;
        any = leave_out(run, run->nodes, sizeof run->nodes[0], count_groups, &of) || any;
        any = turn_all(run, &of) || any;
    }
}
