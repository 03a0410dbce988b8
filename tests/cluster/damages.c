/* The checker of the cluster model's logs accepts what every policy does, and damaged logs it does
 * not, even with the digest that goes with the damage. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"

enum { JOBS = 10, DAMAGES = 99 };

static const cluster_shape shapes[] = {
    {.gap_ms = 1500, .maps = 4, .reduces = 2, .task_ms = 1500, .listed = 1, .nodes = CLUSTER_NODES},
    /* crowded */
    {.gap_ms = 500, .maps = 6, .reduces = 3, .task_ms = 800},
    /* urgent */
    {.gap_ms = 700,
     .maps = 4,
     .reduces = 2,
     .task_ms = 1500,
     .listed = 1,
     .nodes = CLUSTER_NODES,
     .deadline = 9},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

enum damage {
    LATER,
    SOONER,
    OTHER_ID,
    OTHER_EVENT,
    OTHER_KIND,
    OTHER_TASK,
    OTHER_NODE,
    OTHER_ATTEMPT,
    DROPPED,
    DUPLICATED,
    DAMAGE_KINDS
};

static const char *const damage_names[] = {"later", "sooner", "id",      "event",   "kind",
                                           "task",  "node",   "attempt", "dropped", "duplicated"};

/* Stable, so that entries of one time stay in their order. */
static void sort_by_time(cluster_log *log)
{
    for (size_t i = 1; i < log->count; i++) {
        pn_scheduler_event moved = log->entry[i];
        size_t k = i;
        for (; k > 0 && log->entry[k - 1].time > moved.time; k--)
            log->entry[k] = log->entry[k - 1];
        log->entry[k] = moved;
    }
}

/* False when this kind of damage does none to this entry. */
static bool damage(cluster_log *log, pn_stream *stream, enum damage kind, size_t at)
{
    pn_scheduler_event *e = &log->entry[at];
    uint64_t some = pn_uniform(stream, 1, 9);
    pn_scheduler_event again = *e;
    switch (kind) {
    case LATER:
        e->time += some;
        break;
    case SOONER:
        if (e->time < some)
            return false;
        e->time -= some;
        break;
    case OTHER_ID:
        e->id = workload_other(stream, e->id, 0, JOBS + 1);
        break;
    case OTHER_EVENT:
        e->event = (uint32_t)workload_other(stream, e->event, 0, PN_SCHEDULER_LATE + 1);
        break;
    case OTHER_KIND:
        e->kind = (uint32_t)workload_other(stream, e->kind, 0, 2);
        break;
    case OTHER_TASK:
        e->task = (uint32_t)workload_other(stream, e->task, 0, 9);
        break;
    case OTHER_NODE:
        e->node = (uint32_t)workload_other(stream, e->node, 0, CLUSTER_NODES);
        break;
    case OTHER_ATTEMPT:
        e->attempt = (uint32_t)workload_other(stream, e->attempt, 0, 3);
        break;
    case DROPPED:
        memmove(e, e + 1, (--log->count - at) * sizeof *e);
        break;
    default:
        cluster_log_add(log, &again);
        break;
    }
    sort_by_time(log);
    return true;
}

/* The entry that tells of the end of what is launched at `at`; log->count when it does not. */
static size_t end_of(const cluster_log *log, size_t at)
{
    const pn_scheduler_event *e = &log->entry[at];
    for (size_t i = at + 1; i < log->count; i++) {
        const pn_scheduler_event *other = &log->entry[i];
        if (other->id == e->id && other->kind == e->kind && other->task == e->task &&
            other->attempt == e->attempt && other->event >= PN_SCHEDULER_END &&
            other->event <= PN_SCHEDULER_DROP)
            return i;
    }
    return log->count;
}

/* What is cut short in a log need not have been; when an attempt starts that does not come to its
 * end, or waits for maps, is free within the rules, and so is who is taken and never gets a slot.
 * Who is late when is for the policy's forecasts to know. */
static bool digest_alone_tells(const cluster_log *log, const pn_cluster_claim *claim, size_t at,
                               enum damage kind)
{
    const pn_scheduler_event *e = &log->entry[at];
    if (claim->config->max_time_ms > 0)
        return true;
    if (e->event == PN_SCHEDULER_REJECT)
        return kind == OTHER_EVENT;
    if (e->event == PN_SCHEDULER_LATE)
        return kind == LATER || kind == SOONER || kind == OTHER_ID || kind == DROPPED;
    if (e->event != PN_SCHEDULER_LAUNCH || (kind != LATER && kind != SOONER))
        return false;
    return e->kind == PN_SCHEDULER_REDUCE || log->entry[end_of(log, at)].event > PN_SCHEDULER_END;
}

static void check_damages(const cluster_log *log, const pn_cluster_claim *claim, uint64_t digest,
                          pn_stream *stream, const char *name)
{
    cluster_log damaged = {NULL, 0, 0};
    uint64_t end = cluster_log_end(log), unfinished = cluster_log_unfinished(log, claim->job_count);
    for (int i = 0; i < DAMAGES; i++) {
        enum damage kind = (enum damage)(i % DAMAGE_KINDS);
        size_t at = pn_uniform(stream, 0, log->count - 1);
        damaged.count = 0;
        for (size_t k = 0; k < log->count; k++)
            cluster_log_add(&damaged, &log->entry[k]);
        if (!damage(&damaged, stream, kind, at))
            continue;
        cluster_verdict as_it_was = cluster_judge(&damaged, claim, end, unfinished, digest);
        cluster_verdict made_to_fit = cluster_judge_as_it_is(&damaged, claim);
        if (as_it_was.status == PN_OK ||
            (made_to_fit.status == PN_OK && !digest_alone_tells(log, claim, at, kind)))
            fail_msg("%s: damage %d (%s of entry %zu, event %u at %llu) was not seen%s", name, i,
                     damage_names[kind], at, log->entry[at].event,
                     (unsigned long long)log->entry[at].time,
                     as_it_was.status == PN_OK ? "" : " by structure alone");
    }
    cluster_log_free(&damaged);
}

static void what_policies_do_is_accepted_and_damages_are_not(void **unused)
{
    pn_stream stream;
    uint64_t rejected = 0, late = 0;
    cluster_variant as;
    (void)unused;
    pn_stream_init(&stream, 3, 0, 0);
    for (size_t o = 0; o < CLUSTER_OPTIONS; o++)
        for (int shape = 0; shape < SHAPES; shape++)
            for (size_t p = 0; cluster_variant_get(p, &as); p++) {
                const pn_scheduler_policy *policy = as.policy;
                cluster_workload work = cluster_new(JOBS, 31 + o, shapes[shape]);
                pn_cluster_config config = cluster_config(&work, &cluster_options[o]);
                cluster_log log = {NULL, 0, 0};
                config.scheduler.policy = policy;
                pn_cluster_hooks hooks = {.policy = policy,
                                          .params = as.params,
                                          .on_event = cluster_log_event,
                                          .user = &log};
                pn_cluster *sim = cluster_done(&work, &config, &hooks);
                pn_cluster_claim claim = cluster_claim(&work, &config, policy);
                pn_cluster_totals totals = cluster_totals(sim);
                uint64_t digest = pn_cluster_digest(sim);
                cluster_verdict v = cluster_judge(&log, &claim, totals.scheduler.last_finish,
                                                  totals.unfinished, digest);
                if (v.status != PN_OK)
                    fail_msg("%s, option %zu, shape %d: \"%s\" at %llu of job %llu", policy->name,
                             o, shape, v.fault, (unsigned long long)v.time,
                             (unsigned long long)v.id);
                check_damages(&log, &claim, digest, &stream, policy->name);
                rejected += totals.scheduler.rejected;
                late += totals.scheduler.late;
                claim.measured = 1; /* who proves less is believed too */
                assert_int_equal(cluster_judge(&log, &claim, totals.scheduler.last_finish,
                                               totals.unfinished, digest)
                                     .status,
                                 PN_OK);
                cluster_log_free(&log);
                free(sim);
                cluster_free(&work);
            }
    assert_true(rejected > 10 && late > 3); /* such entries were among those damaged */
}

/* Pending tasks are found among thousands. */
static void jobs_of_many_tasks_are_followed(void **unused)
{
    const uint64_t day = 86400000;
    pn_cluster_job jobs[] = {{.maps = 5000,
                              .reduces = 300,
                              .map_ms = 300,
                              .remote_ms = 50,
                              .reduce_ms = 400,
                              .shuffle_ms = 90,
                              .deadline = day},
                             {.submit = 4000,
                              .maps = 700,
                              .reduces = 70,
                              .map_ms = 100,
                              .reduce_ms = 100,
                              .deadline = day}};
    cluster_workload work = {.count = 2, .jobs = jobs, .tasks = 6070};
    (void)unused;
    for (size_t o = 3; o <= 4; o++)
        for (size_t p = 0; pn_scheduler_policy_at(p); p++) {
            pn_cluster_config config = cluster_config(&work, &cluster_options[o]);
            cluster_log log = {NULL, 0, 0};
            const pn_cluster_hooks hooks = {
                .policy = pn_scheduler_policy_at(p), .on_event = cluster_log_event, .user = &log};
            const pn_cluster_claim claim = cluster_claim(&work, &config, hooks.policy);
            config.scheduler.policy = hooks.policy;
            config.scheduler.attempts_max = 9; /* or no job would see its end */
            config.factor_lo = 990;
            pn_cluster_totals totals;
            uint64_t digest = cluster_digest(&work, &config, &hooks, &totals);
            assert_int_equal(totals.scheduler.finished + totals.scheduler.rejected, 2);
            cluster_verdict v = cluster_judge(&log, &claim, totals.scheduler.last_finish, 0,
                                              digest);
            if (v.status != PN_OK)
                fail_msg("%s: \"%s\" at %llu of job %llu", hooks.policy->name, v.fault,
                         (unsigned long long)v.time, (unsigned long long)v.id);
            cluster_log_free(&log);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_policies_do_is_accepted_and_damages_are_not),
        cmocka_unit_test(jobs_of_many_tasks_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
