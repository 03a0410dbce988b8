/* The naive dag model: from the scenario to jobs in order, nodes one by one, queues, and what
 * policies see of durations. */
#include <stdlib.h>
#include <string.h>

#include "model.h"

void *naive_dag_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

void *naive_dag_grown(void *memory, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return memory;
    *room = *room > 0 ? 2 * *room : 64;
    memory = realloc(memory, *room * size);
    if (!memory)
        abort();
    return memory;
}

bool naive_dag_find_policy(const char *name, enum policy *policy)
{
    static const char *const names[POLICIES] = {
        [FIFO] = "fifo", [FAIR] = "fair", [DRF] = "drf",      [CAPACITY] = "capacity",
        [CP] = "cp",     [SRPT] = "srpt", [WFAIR] = "wfair",  [SJF_CP] = "sjf-cp",
        [HFSP] = "hfsp", [LAS] = "las",   [TETRIS] = "tetris"};
    for (int p = 0; p < POLICIES; p++)
        if (strcmp(name, names[p]) == 0) {
            *policy = (enum policy)p;
            return true;
        }
    return false;
}

naive_dag_params naive_dag_defaults(void)
{
    return (naive_dag_params){.backfill = true,
                              .seed = 1,
                              .factor_lo = 1000,
                              .factor_hi = 1000,
                              .est_lo = 1000,
                              .est_hi = 1000,
                              .alpha_permille = -1000,
                              .tetris_m_permille = 1000,
                              .tick_ms = 3000,
                              .max_kills_per_task = 3};
}

/* ---- the hash of CL8 ---- */

static uint64_t mix(size_t count, const uint64_t *words)
{
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < count; i++) {
        h ^= words[i];
        h *= 0xBF58476D1CE4E5B9u;
        h ^= h >> 27;
        h *= 0x94D049BB133111EBu;
        h ^= h >> 31;
    }
    return h;
}

static wide between(uint32_t lo, uint32_t hi, uint64_t hash)
{
    return (wide)lo + (wide)(hash % (hi - lo + 1));
}

/* ---- nodes and queues (DG2) ---- */

static void build_nodes(model *m)
{
    const naive_dag_scenario *s = m->scenario;
    for (uint32_t g = 0; g < s->group_count; g++)
        m->node_count += s->nodes[g].count;
    m->nodes = naive_dag_zeroed(m->node_count, sizeof *m->nodes);
    node *n = m->nodes;
    for (uint32_t g = 0; g < s->group_count; g++)
        for (uint32_t i = 0; i < s->nodes[g].count; i++)
            *n++ = (node){.given = &s->nodes[g], .up = true};
    for (uint32_t i = 0; i < m->node_count; i++)
        for (uint32_t r = 0; r < m->resources; r++) {
            m->cap[r] += m->nodes[i].given->capacity[r];
            m->largest[r] = wide_most(m->largest[r], m->nodes[i].given->capacity[r]);
        }
}

static uint32_t find_label(const model *m, uint32_t label)
{
    uint32_t q = 0;
    while (q < m->queue_count && m->queues[q].label != label)
        q++;
    return q;
}

static void queues_of_labels(model *m)
{
    m->queues = naive_dag_zeroed(m->job_count, sizeof *m->queues);
    for (uint32_t i = 0; i < m->job_count; i++) {
        uint32_t q = find_label(m, m->jobs[i].given->queue);
        if (q == m->queue_count)
            m->queues[m->queue_count++].label = m->jobs[i].given->queue;
        m->jobs[i].queue = q;
    }
    for (uint32_t q = 0; q < m->queue_count; q++)
        m->queues[q].given = (naive_dag_queue){1, 1000 / m->queue_count, 1000};
}

static void build_queues(model *m)
{
    if (m->scenario->queue_count == 0) {
        queues_of_labels(m);
    } else {
        m->queue_count = m->scenario->queue_count;
        m->queues = naive_dag_zeroed(m->queue_count, sizeof *m->queues);
        for (uint32_t q = 0; q < m->queue_count; q++)
            m->queues[q] = (queue){.given = m->scenario->queues[q], .label = q};
        for (uint32_t i = 0; i < m->job_count; i++)
            m->jobs[i].queue = m->jobs[i].given->queue;
    }
    for (uint32_t q = 0; q < m->queue_count; q++)
        m->queues[q].index = q;
}

/* ---- jobs ---- */

wide naive_dag_length(const model *m, const job *j, const stage *s, uint32_t index, uint32_t speed)
{
    const naive_dag_params *p = m->params;
    const naive_dag_stage *given = s->given;
    uint64_t words[] = {p->seed, 1, j->id, s->index, index, 0};
    wide f = between(p->factor_lo, p->factor_hi, mix(6, words));
    wide duration = given->durations ? given->durations[index] : given->duration;
    wide start = given->start_ms != NEVER ? given->start_ms : p->start_ms;
    return start + wide_most(1, wide_divide_up(duration * f, speed));
}

/* DG6 */
static wide estimate_of(const model *m, const job *j, const stage *s)
{
    const naive_dag_params *p = m->params;
    const naive_dag_stage *given = s->given;
    uint64_t words[] = {p->seed, 2, j->id, s->index};
    wide g = between(p->est_lo, p->est_hi, mix(4, words));
    wide base = given->estimate;
    wide sum = 0;
    wide start = given->start_ms != NEVER ? given->start_ms : p->start_ms;
    for (uint32_t i = 0; i < given->tasks; i++)
        sum += given->durations ? given->durations[i] : given->duration;
    if (base == 0)
        base = wide_most(1, wide_divide_up(sum, given->tasks));
    return start + wide_most(1, wide_divide_up(base * g, 1000));
}

static void build_stage(const model *m, const job *j, stage *s)
{
    s->ready = s->start = s->finish = NEVER;
    s->tasks = naive_dag_zeroed(s->given->tasks, sizeof *s->tasks);
    s->in_state[PENDING] = s->given->tasks;
    s->estimate = estimate_of(m, j, s);
    for (uint32_t r = 0; r < m->resources; r++) {
        wide part = wide_divide_up(s->given->demand[r] * PPB, m->cap[r]);
        s->sigma = wide_most(s->sigma, part);
        s->omega += part;
    }
}

/* DG8: longer paths are looked for until there is none. */
static void build_down(job *j)
{
    bool changed = true;
    for (uint32_t s = 0; s < j->stage_count; s++)
        j->stages[s].down = j->stages[s].estimate;
    while (changed) {
        changed = false;
        for (uint32_t s = j->stage_count; s-- > 0;) {
            const naive_dag_stage *given = j->stages[s].given;
            for (uint32_t p = 0; p < given->parent_count; p++) {
                stage *parent = &j->stages[given->parents[p]];
                wide down = parent->estimate + j->stages[s].down;
                changed = changed || down > parent->down;
                parent->down = wide_most(parent->down, down);
            }
        }
    }
}

static void build_job(const model *m, job *j)
{
    j->stage_count = j->given->stage_count;
    j->stages = naive_dag_zeroed(j->stage_count, sizeof *j->stages);
    j->first_start = j->finish = NEVER;
    for (uint32_t s = 0; s < j->stage_count; s++) {
        j->stages[s].given = &j->given->stages[s];
        j->stages[s].index = s;
        build_stage(m, j, &j->stages[s]);
    }
    build_down(j);
}

static int by_arrival(const void *a, const void *b)
{
    const job *x = a;
    const job *y = b;
    if (x->given->arrival != y->given->arrival)
        return x->given->arrival < y->given->arrival ? -1 : 1;
    return x->file < y->file ? -1 : 1;
}

static size_t build_jobs(model *m)
{
    size_t stages = 0;
    m->job_count = m->scenario->job_count;
    m->jobs = naive_dag_zeroed(m->job_count, sizeof *m->jobs);
    for (uint32_t i = 0; i < m->job_count; i++)
        m->jobs[i] = (job){.given = &m->scenario->jobs[i], .file = i};
    qsort(m->jobs, m->job_count, sizeof *m->jobs, by_arrival);
    for (uint32_t i = 0; i < m->job_count; i++) {
        m->jobs[i].id = i;
        build_job(m, &m->jobs[i]);
        stages += m->jobs[i].stage_count;
    }
    return stages;
}

void naive_dag_build(model *m, const naive_dag_scenario *scenario)
{
    *m = (model){
        .scenario = scenario, .params = &scenario->params, .resources = scenario->resource_count};
    build_nodes(m);
    m->pairs = naive_dag_zeroed(build_jobs(m), sizeof *m->pairs);
    build_queues(m);
}

void naive_dag_destroy(model *m)
{
    for (uint32_t i = 0; i < m->job_count; i++) {
        for (uint32_t s = 0; s < m->jobs[i].stage_count; s++)
            free(m->jobs[i].stages[s].tasks);
        free(m->jobs[i].stages);
    }
    free(m->jobs);
    free(m->nodes);
    free(m->queues);
    free(m->running);
    free(m->pairs);
}

/* ---- sums over stages (DG8) ---- */

wide naive_dag_work(const job *j)
{
    wide sum = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        sum += j->stages[s].given->tasks * j->stages[s].estimate * j->stages[s].sigma;
    return sum;
}

wide naive_dag_volume(const job *j)
{
    wide sum = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        sum += j->stages[s].given->tasks * j->stages[s].estimate * j->stages[s].omega;
    return sum;
}

wide naive_dag_left_work(const job *j)
{
    wide sum = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        sum += j->stages[s].in_state[PENDING] * j->stages[s].estimate * j->stages[s].sigma;
    return sum;
}

wide naive_dag_left_volume(const job *j)
{
    wide sum = 0;
    for (uint32_t s = 0; s < j->stage_count; s++)
        sum += j->stages[s].in_state[PENDING] * j->stages[s].estimate * j->stages[s].omega;
    return sum;
}

bool naive_dag_is_over(const job *j)
{
    for (uint32_t s = 0; s < j->stage_count; s++)
        if (j->stages[s].finish == NEVER)
            return false;
    return true;
}

/* ---- DG30 ---- */

static bool is_too_large(const model *m, const job *j)
{
    const wide limit = (wide)1 << 62;
    if (naive_dag_volume(j) >= limit)
        return true;
    for (uint32_t r = 0; r < m->resources; r++)
        if (naive_dag_area(m, j, r) >= limit)
            return true;
    return naive_dag_alone(m, j) > (wide)1 << 53; /* alone_j >= cp_j */
}

uint32_t naive_dag_too_large(const naive_dag_scenario *scenario)
{
    model m;
    uint32_t first = scenario->job_count;
    naive_dag_build(&m, scenario);
    for (uint32_t i = 0; i < m.job_count; i++)
        if (m.jobs[i].file < first && is_too_large(&m, &m.jobs[i]))
            first = m.jobs[i].file;
    naive_dag_destroy(&m);
    return first;
}
