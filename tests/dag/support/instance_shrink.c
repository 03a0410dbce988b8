/* See instance.h: making a scenario that shows something smaller. */
#include "instance.h"

#include <string.h>

#include "support/workload.h"

/* An instance's contents can be put back, as its lists lie beside it. */
typedef struct shrinking {
    dag_instance *it;
    dag_instance *saved;
    dag_sight sight;
    void *user;
    bool changed;
} shrinking;

/* Keeps what was changed since the last call, or puts it back. */
static bool keep(shrinking *s)
{
    bool shows = s->it->scenario.job_count > 0 && s->sight(&s->it->scenario, s->user);
    if (shows) {
        *s->saved = *s->it;
        s->changed = true;
    } else {
        *s->it = *s->saved;
    }
    return shows;
}

static void drop_job(dag_instance *it, uint32_t job)
{
    uint32_t last = --it->scenario.job_count;
    for (uint32_t j = job; j < last; j++) {
        it->jobs[j] = it->jobs[j + 1];
        memcpy(it->stages[j], it->stages[j + 1], sizeof it->stages[j]);
        memcpy(it->parents[j], it->parents[j + 1], sizeof it->parents[j]);
        memcpy(it->durations[j], it->durations[j + 1], sizeof it->durations[j]);
        it->jobs[j].stages = it->stages[j];
        for (uint32_t i = 0; i < DAG_STAGES; i++) {
            it->stages[j][i].parents = it->parents[j][i];
            if (it->stages[j][i].durations)
                it->stages[j][i].durations = it->durations[j][i];
        }
    }
}

/* Without its last stage, which nobody may wait for any more. */
static void drop_stage(dag_instance *it, uint32_t job)
{
    uint32_t last = --it->jobs[job].stage_count;
    for (uint32_t i = 0; i < last; i++) {
        naive_dag_stage *stage = &it->stages[job][i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < stage->parent_count; k++)
            if (it->parents[job][i][k] != last)
                it->parents[job][i][kept++] = it->parents[job][i][k];
        stage->parent_count = kept;
    }
}

static void lessen64(shrinking *s, uint64_t *number, uint64_t plain)
{
    if (*number == plain)
        return;
    *number = plain;
    if (keep(s) || *number <= plain)
        return;
    *number -= (*number - plain + 1) / 2;
    keep(s);
}

static void lessen32(shrinking *s, uint32_t *number, uint32_t plain)
{
    if (*number == plain)
        return;
    *number = plain;
    keep(s);
}

static void shrink_stage(shrinking *s, naive_dag_stage *stage)
{
    lessen32(s, &stage->tasks, 1);
    if (stage->tasks > 1) {
        stage->tasks--;
        keep(s);
    }
    stage->durations = NULL;
    keep(s);
    lessen64(s, &stage->duration, 1);
    lessen64(s, &stage->estimate, 0);
    lessen64(s, &stage->start_ms, NAIVE_DAG_NEVER);
    bool executors = s->it->scenario.params.executors != NAIVE_DAG_NONE;
    for (uint32_t r = executors; r < s->it->scenario.resource_count; r++) {
        uint64_t before = stage->demand[r], any = 0;
        for (uint32_t k = 0; k < s->it->scenario.resource_count; k++)
            any += k == r ? 0 : stage->demand[k];
        lessen64(s, &stage->demand[r], any > 0 || before == 0 ? 0 : 1);
    }
    if (stage->parent_count > 0) {
        stage->parent_count--;
        keep(s);
    }
}

static void shrink_jobs(shrinking *s)
{
    for (uint32_t j = s->it->scenario.job_count; j-- > 0;) {
        drop_job(s->it, j);
        keep(s);
    }
    for (uint32_t j = 0; j < s->it->scenario.job_count; j++) {
        naive_dag_job *job = &s->it->jobs[j];
        while (job->stage_count > 1) {
            drop_stage(s->it, j);
            if (!keep(s))
                break;
        }
        lessen64(s, &job->arrival, 0);
        lessen32(s, &job->weight, 1);
        job->priority = 0;
        keep(s);
        lessen32(s, &job->queue, 0);
        lessen64(s, &job->deadline, NAIVE_DAG_NEVER);
        for (uint32_t i = 0; i < job->stage_count; i++)
            shrink_stage(s, &s->it->stages[j][i]);
    }
}

static void shrink_rest(shrinking *s)
{
    naive_dag_scenario *scenario = &s->it->scenario;
    const naive_dag_params plain = naive_dag_defaults();
    while (scenario->failure_count > 0) {
        scenario->failure_count--;
        if (!keep(s))
            break;
    }
    for (uint32_t g = 0; g < scenario->group_count; g++) {
        lessen32(s, &s->it->nodes[g].count, 1);
        lessen32(s, &s->it->nodes[g].speed, 1000);
    }
    scenario->params.factor_lo = scenario->params.factor_hi = 1000;
    keep(s);
    scenario->params.est_lo = scenario->params.est_hi = 1000;
    keep(s);
    scenario->params.placement = plain.placement;
    keep(s);
    scenario->params.order = plain.order;
    keep(s);
    scenario->params.backfill = plain.backfill;
    keep(s);
    lessen64(s, &scenario->params.start_ms, 0);
    lessen64(s, &scenario->params.move_ms, 0);
    lessen64(s, &scenario->params.fresh_ms, 0);
    lessen64(s, &scenario->params.max_time_ms, 0);
}

void dag_instance_shrink(dag_instance *instance, dag_sight sight, void *user)
{
    shrinking s = {.it = instance, .sight = sight, .user = user, .changed = true};
    s.saved = workload_room(sizeof *s.saved);
    *s.saved = *instance;
    for (int round = 0; round < 20 && s.changed; round++) {
        s.changed = false;
        shrink_jobs(&s);
        shrink_rest(&s);
    }
    free(s.saved);
}
