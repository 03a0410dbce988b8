/* See instance.h: random scenarios, and how they are shown. */
#include "instance.h"
#include "support/random.h"

#include <stdio.h>
#include <string.h>

static uint64_t draw(pn_stream *stream, uint64_t low, uint64_t high)
{
    return random_uniform(stream, low, high);
}

static bool one_in(pn_stream *stream, uint64_t count)
{
    return draw(stream, 1, count) == 1;
}

static bool fits(const dag_instance *of, const uint64_t *demand)
{
    for (uint32_t g = 0; g < of->scenario.group_count; g++) {
        bool holds = true;
        for (uint32_t r = 0; r < of->scenario.resource_count; r++)
            holds &= of->nodes[g].capacity[r] >= demand[r];
        if (holds)
            return true;
    }
    return false;
}

/* Nodes so large that a task takes nearly all of one, or a millionth: alignments are small. */
enum { FINE = 1000000 };

/* ---- nodes and queues ---- */

static void draw_nodes(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    bool wide = one_in(stream, 6), fine = one_in(stream, 6), slow = one_in(stream, 3);
    s->resource_count = (uint32_t)draw(stream, 1, one_in(stream, 3) ? 4 : 2);
    s->group_count = (uint32_t)draw(stream, 1, DAG_GROUPS - 1);
    for (uint32_t g = 0; g < s->group_count; g++) {
        naive_dag_nodes *it = &to->nodes[g];
        *it = (naive_dag_nodes){.count = (uint32_t)draw(stream, 1, one_in(stream, 8) ? 20 : 3),
                                .speed = slow ? (uint32_t)draw(stream, 1, 3000) : 1000};
        for (uint32_t r = 0; r < s->resource_count; r++)
            it->capacity[r] = wide   ? draw(stream, 0, (uint64_t)1 << 40)
                              : fine ? FINE + draw(stream, 0, 3)
                                     : draw(stream, g == 0 ? 1 : 0, 8);
    }
    for (uint32_t r = 0; r < s->resource_count; r++)
        to->nodes[0].capacity[r] += to->nodes[0].capacity[r] == 0;
}

static void draw_queues(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    uint32_t left = 1000;
    s->queue_count = one_in(stream, 3) ? 0 : (uint32_t)draw(stream, 1, DAG_QUEUES);
    for (uint32_t q = 0; q < s->queue_count; q++) {
        naive_dag_queue *it = &to->queues[q];
        it->weight = (uint32_t)draw(stream, 1, one_in(stream, 4) ? 1000000 : 3);
        it->guaranteed = one_in(stream, 4) ? 0 : (uint32_t)draw(stream, 0, left);
        it->maximum = one_in(stream, 2)
                          ? 1000
                          : (uint32_t)draw(stream, it->guaranteed > 0 ? it->guaranteed : 1, 1000);
        left -= it->guaranteed;
    }
}

/* ---- jobs ---- */

enum { STAGES_USUAL = 6 };

static void draw_demand(dag_instance *to, pn_stream *stream, naive_dag_stage *stage)
{
    const naive_dag_scenario *s = &to->scenario;
    const naive_dag_nodes *on = &to->nodes[draw(stream, 0, s->group_count - 1)];
    bool light = one_in(stream, 2);
    do {
        uint64_t any = 0;
        for (uint32_t r = 0; r < s->resource_count; r++) {
            uint64_t most = light ? (on->capacity[r] + 3) / 4 : on->capacity[r];
            stage->demand[r] = draw(stream, 0, most);
            if (on->capacity[r] >= FINE && on->capacity[r] <= FINE + 3)
                stage->demand[r] = light ? draw(stream, 0, 2)
                                         : on->capacity[r] - draw(stream, 0, 9);
            any |= stage->demand[r];
        }
        if (any == 0) {
            on = &to->nodes[0];
            stage->demand[draw(stream, 0, s->resource_count - 1)] = 1;
        }
    } while (!fits(to, stage->demand));
}

static void draw_stage(dag_instance *to, pn_stream *stream, uint32_t job, uint32_t stage,
                       uint64_t longest)
{
    naive_dag_stage *it = &to->stages[job][stage];
    uint32_t count = to->jobs[job].stage_count;
    *it = (naive_dag_stage){.tasks = (uint32_t)draw(stream, 1, one_in(stream, 3) ? DAG_TASKS : 3),
                            .duration = draw(stream, 0, longest),
                            .parents = to->parents[job][stage],
                            .start_ms = one_in(stream, 6) ? draw(stream, 0, 4) : NAIVE_DAG_NEVER,
                            .estimate = one_in(stream, 4) ? draw(stream, 1, longest + 1) : 0};
    if (one_in(stream, 4)) {
        it->durations = to->durations[job][stage];
        for (uint32_t t = 0; t < it->tasks; t++)
            to->durations[job][stage][t] = draw(stream, 0, longest);
    }
    draw_demand(to, stream, it);
    /* Edges go in one direction of a hidden order, forward or backward. */
    for (uint32_t other = 0; other < count; other++)
        if ((job % 2 ? other < stage : other > stage) && one_in(stream, 3))
            to->parents[job][stage][it->parent_count++] = other;
    if (stage > 0 && one_in(stream, 2)) /* the same demand again */
        memcpy(it->demand, to->stages[job][0].demand, sizeof it->demand);
}

static void draw_jobs(dag_instance *to, pn_stream *stream, uint32_t jobs_most)
{
    naive_dag_scenario *s = &to->scenario;
    bool weighted = one_in(stream, 2), together = one_in(stream, 4);
    uint64_t longest = one_in(stream, 3) ? 3 : 20, spread = one_in(stream, 2) ? 10 : 60;
    s->job_count = (uint32_t)draw(stream, 1, jobs_most);
    for (uint32_t j = 0; j < s->job_count; j++) {
        naive_dag_job *it = &to->jobs[j];
        *it = (naive_dag_job){
            .arrival = together ? 0 : draw(stream, 0, spread),
            .weight = weighted ? (uint32_t)draw(stream, 1, one_in(stream, 5) ? 1000000 : 4) : 1,
            .queue = (uint32_t)draw(stream, 0, s->queue_count > 0 ? s->queue_count - 1 : 2),
            .deadline = one_in(stream, 3) ? draw(stream, 1, 60) : NAIVE_DAG_NEVER,
            .stages = to->stages[j],
            .stage_count = (uint32_t)draw(stream, 1, one_in(stream, 2) ? STAGES_USUAL : 2)};
        for (uint32_t i = 0; i < it->stage_count; i++)
            draw_stage(to, stream, j, i, longest);
        pn_stream ranks = *stream; /* what else is drawn stays as it was */
        if (one_in(&ranks, 3))
            it->priority = (int32_t)draw(&ranks, 0, 4) - 2;
    }
}

/* ---- much at once ---- */

/* Mostly small ones, so that a node holds many of them. */
static void draw_own_demand(dag_instance *to, pn_stream *stream, naive_dag_stage *stage)
{
    uint64_t part = one_in(stream, 4) ? 1 : 20;
    for (uint32_t r = 0; r < to->scenario.resource_count; r++)
        stage->demand[r] = draw(stream, r == 0, to->nodes[0].capacity[r] / part);
}

/* Little of the first resource and most of the second: of many such stages few run beside others.
 */
static void draw_crowded_demand(dag_instance *to, pn_stream *stream, naive_dag_stage *stage)
{
    memset(stage->demand, 0, sizeof stage->demand);
    stage->demand[0] = draw(stream, 1, to->nodes[0].capacity[0] / 10);
    stage->demand[1] = to->nodes[0].capacity[1] - draw(stream, 0, to->nodes[0].capacity[1] / 3);
}

/* Jobs of many stages that are ready together, most with demands of their own, and nodes on which
 * many tasks start in a millisecond. */
static void broaden(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    bool together = one_in(stream, 2);
    pn_stream crowds = *stream; /* what else is drawn stays as it was */
    bool crowded = s->resource_count > 1 && one_in(&crowds, 3);
    for (uint32_t g = 0; g < s->group_count; g++)
        for (uint32_t r = 0; r < s->resource_count; r++)
            to->nodes[g].capacity[r] = draw(stream, 20, 200);
    for (uint32_t j = 0; j < s->job_count; j++) {
        to->jobs[j].arrival = together ? 0 : to->jobs[j].arrival;
        to->jobs[j].stage_count = (uint32_t)draw(stream, 1, DAG_STAGES);
        for (uint32_t i = 0; i < to->jobs[j].stage_count; i++) {
            naive_dag_stage *it = &to->stages[j][i];
            draw_stage(to, stream, j, i, 10);
            it->tasks = it->durations ? it->tasks : (uint32_t)draw(stream, 1, 2 * DAG_TASKS);
            if (!one_in(stream, 4))
                it->parent_count = 0;
            if (!one_in(stream, 4))
                draw_own_demand(to, stream, it);
            if (crowded && !one_in(&crowds, 6))
                draw_crowded_demand(to, &crowds, it);
        }
    }
}

/* ---- the rest ---- */

static void draw_failures(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    uint32_t nodes = 0;
    for (uint32_t g = 0; g < s->group_count; g++)
        nodes += to->nodes[g].count;
    s->failure_count = one_in(stream, 2) ? 0 : (uint32_t)draw(stream, 1, DAG_FAILURES);
    for (uint32_t i = 0; i < s->failure_count; i++) {
        naive_dag_failure *it = &to->failures[i];
        it->time = draw(stream, 0, 60);
        it->node = (uint32_t)draw(stream, 0, nodes - 1);
        it->recover = one_in(stream, 4) ? NAIVE_DAG_NEVER : draw(stream, it->time + 1, 90);
    }
}

static void draw_factors(pn_stream *stream, uint32_t *lo, uint32_t *hi)
{
    *lo = *hi = 1000;
    if (one_in(stream, 2))
        return;
    *lo = (uint32_t)draw(stream, 1, 1500);
    *hi = (uint32_t)draw(stream, *lo, 3000);
}

static void draw_params(dag_instance *to, pn_stream *stream)
{
    naive_dag_params *p = &to->scenario.params;
    *p = naive_dag_defaults();
    p->placement = (enum naive_dag_placement)draw(stream, 0, 2);
    p->order = (enum naive_dag_order)draw(stream, 0, 3);
    p->backfill = !one_in(stream, 3);
    p->share_by_queue = one_in(stream, 2);
    p->seed = draw(stream, 0, 5);
    draw_factors(stream, &p->factor_lo, &p->factor_hi);
    draw_factors(stream, &p->est_lo, &p->est_hi);
    p->start_ms = one_in(stream, 3) ? draw(stream, 0, 3) : 0;
    p->shortest_first = one_in(stream, 2);
    p->alpha_permille = (int32_t)draw(stream, 0, 8000) - 4000;
    if (one_in(stream, 2))
        p->alpha_permille = -1000;
    p->tetris_m_permille = (uint32_t)draw(stream, 0, one_in(stream, 3) ? 1000000 : 3000);
    if (one_in(stream, 5))
        p->tetris_m_permille = 0;
    p->preempt = !one_in(stream, 3);
    p->tick_ms = draw(stream, 1, 12);
    p->max_kills_per_task = (uint32_t)draw(stream, 0, 3);
    p->max_time_ms = one_in(stream, 5) ? draw(stream, 1, 60) : 0;
}

/* Makes nodes executors: what a task needs of the first resource is more than half of what a node
 * has, and every node has what it needs of the others. */
static void make_executors(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    uint64_t most = 0;
    for (uint32_t g = 0; g < s->group_count; g++)
        most = to->nodes[g].capacity[0] > most ? to->nodes[g].capacity[0] : most;
    for (uint32_t r = 1; r < s->resource_count; r++)
        for (uint32_t g = 1; g < s->group_count; g++)
            to->nodes[0].capacity[r] = to->nodes[g].capacity[r] > to->nodes[0].capacity[r]
                                           ? to->nodes[g].capacity[r]
                                           : to->nodes[0].capacity[r];
    for (uint32_t g = 0; g < s->group_count; g++) {
        memcpy(to->nodes[g].capacity, to->nodes[0].capacity, sizeof to->nodes[g].capacity);
        to->nodes[g].capacity[0] = most;
    }
    for (uint32_t j = 0; j < s->job_count; j++)
        for (uint32_t i = 0; i < to->jobs[j].stage_count; i++)
            to->stages[j][i].demand[0] = draw(stream, most / 2 + 1, most);
}

/* From streams of their own: what else is drawn stays as it was. */
static void draw_executors(dag_instance *to, pn_stream stream)
{
    naive_dag_params *p = &to->scenario.params;
    (void)pn_uniform(&stream, 0, 1);
    if (!one_in(&stream, 3))
        return;
    p->executors = one_in(&stream, 3) ? NAIVE_DAG_FREE : NAIVE_DAG_STICKY;
    p->order = one_in(&stream, 2) ? NAIVE_DAG_READY : p->order;
    p->move_ms = one_in(&stream, 2) ? draw(&stream, 1, 6) : 0;
    p->fresh_ms = one_in(&stream, 2) ? draw(&stream, 1, 4) : 0;
    make_executors(to, &stream);
}

static void draw_running_most(dag_instance *to, pn_stream stream)
{
    to->scenario.params.running_most = one_in(&stream, 4) ? (uint32_t)draw(&stream, 1, 5) : 0;
}

void dag_instance_draw(dag_instance *drawn, pn_stream *stream, uint32_t jobs_most)
{
    memset(drawn, 0, sizeof *drawn);
    drawn->scenario.nodes = drawn->nodes;
    drawn->scenario.queues = drawn->queues;
    drawn->scenario.jobs = drawn->jobs;
    drawn->scenario.failures = drawn->failures;
    draw_params(drawn, stream);
    draw_nodes(drawn, stream);
    draw_queues(drawn, stream);
    draw_jobs(drawn, stream, jobs_most);
    draw_failures(drawn, stream);
    if (one_in(stream, 8))
        broaden(drawn, stream);
    draw_running_most(drawn, *stream);
    draw_executors(drawn, *stream);
}

/* ---- shown ---- */

static void print_vector(const naive_dag_scenario *s, const uint64_t *vector)
{
    for (uint32_t r = 0; r < s->resource_count; r++)
        printf("%s%llu", r > 0 ? " " : "", (unsigned long long)vector[r]);
}

static void print_stage(const naive_dag_scenario *s, const naive_dag_stage *stage)
{
    printf("    stage: %u tasks of %llu, demand ", stage->tasks,
           (unsigned long long)stage->duration);
    print_vector(s, stage->demand);
    printf(", estimate %llu, start %lld, parents", (unsigned long long)stage->estimate,
           (long long)stage->start_ms);
    for (uint32_t i = 0; i < stage->parent_count; i++)
        printf(" %u", stage->parents[i]);
    for (uint32_t i = 0; stage->durations && i < stage->tasks; i++)
        printf("%s%llu", i > 0 ? " " : ", durations ", (unsigned long long)stage->durations[i]);
    printf("\n");
}

static void print_params(const naive_dag_params *p)
{
    printf("  placement %d order %d backfill %d by queue %d seed %llu factor %u-%u est %u-%u "
           "start %llu\n",
           p->placement, p->order, p->backfill, p->share_by_queue, (unsigned long long)p->seed,
           p->factor_lo, p->factor_hi, p->est_lo, p->est_hi, (unsigned long long)p->start_ms);
    printf("  executors %d move %llu fresh %llu\n", p->executors, (unsigned long long)p->move_ms,
           (unsigned long long)p->fresh_ms);
    printf("  shortest %d alpha %d m %u preempt %d tick %llu max_kills %u max_time %llu most %u\n",
           p->shortest_first, p->alpha_permille, p->tetris_m_permille, p->preempt,
           (unsigned long long)p->tick_ms, p->max_kills_per_task,
           (unsigned long long)p->max_time_ms, p->running_most);
}

void dag_instance_print(const naive_dag_scenario *s)
{
    printf("policy %s\n", s->policy);
    print_params(&s->params);
    for (uint32_t g = 0; g < s->group_count; g++) {
        printf("  %u nodes of ", s->nodes[g].count);
        print_vector(s, s->nodes[g].capacity);
        printf(", speed %u\n", s->nodes[g].speed);
    }
    for (uint32_t q = 0; q < s->queue_count; q++)
        printf("  queue of weight %u, guaranteed %u, maximum %u\n", s->queues[q].weight,
               s->queues[q].guaranteed, s->queues[q].maximum);
    for (uint32_t j = 0; j < s->job_count; j++) {
        const naive_dag_job *job = &s->jobs[j];
        printf("  job at %llu of weight %u, priority %d, queue %u, deadline %lld\n",
               (unsigned long long)job->arrival, job->weight, job->priority, job->queue,
               (long long)job->deadline);
        for (uint32_t i = 0; i < job->stage_count; i++)
            print_stage(s, &job->stages[i]);
    }
    for (uint32_t i = 0; i < s->failure_count; i++)
        printf("  node %u fails at %llu until %lld\n", s->failures[i].node,
               (unsigned long long)s->failures[i].time, (long long)s->failures[i].recover);
}
