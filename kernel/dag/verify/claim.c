/* The checker's own reading of a claim: whether it makes sense, how much memory the checker needs,
 * and its state before the first entry. */
#include "state.h"

static bool dag_between(uint64_t value, uint64_t low, uint64_t high)
{
    return low <= value && value <= high;
}

static uint64_t dag_claim_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* ---- how long tasks take ---- */

static uint64_t dag_factor_of(const pn_dag_verifier *v, uint32_t job, uint32_t stage, uint32_t task)
{
    uint64_t hash = pn_mix(pn_mix(pn_mix(PN_MIX_START, v->config.seed), 1), job);
    hash = pn_mix(pn_mix(pn_mix(hash, stage), task), 0);
    return v->config.factor_lo + hash % (v->config.factor_hi - v->config.factor_lo + 1);
}

uint64_t pn_dag_check_ms(const pn_dag_verifier *v, uint32_t job, uint32_t stage, uint32_t task,
                         uint64_t speed)
{
    const pn_dag_stage *given = &pn_dag_claimed(&v->claim, job)->stages[stage];
    uint64_t duration = given->durations ? given->durations[task] : given->duration;
    uint64_t work = dag_claim_up(duration * dag_factor_of(v, job, stage, task), speed);
    uint64_t start = given->start_ms == PN_DAG_AUTO ? v->config.start_ms : given->start_ms;
    return start + (work > 0 ? work : 1);
}

/* ---- what the claim says ---- */

typedef struct sizes {
    pn_dag_config config; /* as this version knows it */
    uint64_t nodes, stages, edges, tasks;
} sizes;

static bool dag_nodes_valid(const pn_dispatch_config *config, sizes *s)
{
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX] = {0};
    if (!config->nodes || !dag_between(config->resources, 1, PN_DISPATCH_RESOURCES_MAX))
        return false;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_dispatch_nodes *group = &config->nodes[i];
        s->nodes += group->count;
        if (group->count < 1 || group->speed > 1000000 || s->nodes > (uint32_t)1 << 20)
            return false;
        for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
            if (group->capacity[r] > (r < config->resources ? PN_DISPATCH_DEMAND_MOST : 0))
                return false;
            capacity[r] += group->count * group->capacity[r];
        }
    }
    for (uint32_t r = 0; r < config->resources; r++)
        if (!dag_between(capacity[r], 1, PN_DISPATCH_CAPACITY_MOST))
            return false;
    return config->nodes_absent <= s->nodes;
}

static bool dag_queues_valid(const pn_dispatch_config *config)
{
    if ((config->queues_count == 0) != (config->queues == NULL) || config->queues_count > 4096)
        return false;
    for (uint32_t i = 0; i < config->queues_count; i++)
        if (config->queues[i].maximum > 1000)
            return false;
    return true;
}

static bool dag_rules_valid(const pn_dag_config *config)
{
    return config->seed <= PN_INTEGER_MAX && dag_between(config->factor_lo, 1, config->factor_hi) &&
           config->factor_hi <= PN_DAG_FACTOR_MOST && config->start_ms <= PN_DAG_MOST_MS &&
           dag_between(config->tick_ms, 1, PN_DAG_MOST_MS) &&
           config->max_time_ms <= PN_INTEGER_MAX && config->dispatch.nodes_down == 0 &&
           config->dispatch.running_most <= UINT32_MAX &&
           config->dispatch.executors <= PN_DISPATCH_EXECUTORS_STICKY &&
           config->move_ms <= PN_DAG_MOST_MS && config->fresh_ms <= PN_DAG_MOST_MS;
}

static void count_stages(const pn_dag_job *job, sizes *s)
{
    s->stages += job->stage_count;
    for (uint32_t i = 0; job->stages && i < job->stage_count; i++) {
        s->edges += job->stages[i].parent_count;
        s->tasks += job->stages[i].tasks;
    }
}

static bool dag_claim_valid(const pn_dag_claim *claim, sizes *s)
{
    *s = (sizes){.nodes = 0};
    if (!claim || !PN_GIVEN(claim, pn_dag_claim, failure_count) ||
        !pn_dag_config_read(&s->config, claim->config) || claim->preempts > 1 ||
        claim->limits > 1 || !dag_nodes_valid(&s->config.dispatch, s) ||
        !dag_queues_valid(&s->config.dispatch) || !dag_rules_valid(&s->config) ||
        (claim->job_count > 0 && (!claim->jobs || !PN_GIVEN(claim->jobs, pn_dag_job, priority))) ||
        (!claim->failures && claim->failure_count > 0) || claim->job_count >= PN_DAG_CHECK_NONE)
        return false;
    for (size_t i = 0; i < claim->job_count; i++)
        count_stages(pn_dag_claimed(claim, i), s);
    return s->stages < PN_DAG_CHECK_NONE && s->edges < PN_DAG_CHECK_NONE;
}

/* ---- room ---- */

static uint32_t queues_of(const sizes *s)
{
    uint32_t count = s->config.dispatch.queues_count;
    return count > 0 ? count : 1;
}

/* Lays out the verifier; with a null one it only measures. */
static size_t dag_claim_carve(const pn_dag_claim *claim, const sizes *s, pn_dag_verifier *v)
{
    pn_arena arena = {0, false};
    size_t stages = (size_t)s->stages;
    pn_arena_take(&arena, 1, sizeof *v);
    size_t node = pn_arena_take(&arena, (size_t)s->nodes, sizeof *v->node);
    size_t queue = pn_arena_take(&arena, queues_of(s), sizeof *v->queue);
    size_t job = pn_arena_take(&arena, claim->job_count, sizeof *v->job);
    size_t stage = pn_arena_take(&arena, stages, sizeof *v->stage);
    size_t task = pn_arena_take(&arena, (size_t)pn_min(s->tasks, SIZE_MAX), sizeof *v->task);
    size_t class = pn_arena_take(&arena, stages, sizeof *v->class);
    size_t fate = pn_arena_take(&arena, claim->failure_count, 2 * sizeof *v->fate);
    size_t children = pn_arena_take(&arena, (size_t)s->edges, sizeof *v->children);
    size_t grown = pn_arena_take(&arena, (size_t)s->nodes, sizeof *v->grown);
    size_t sorted = pn_arena_take(&arena, stages, sizeof *v->sorted);
    if (v) {
        v->node = pn_at(v, node);
        v->queue = pn_at(v, queue);
        v->job = pn_at(v, job);
        v->stage = pn_at(v, stage);
        v->task = pn_at(v, task);
        v->class = pn_at(v, class);
        v->fate = pn_at(v, fate);
        v->children = pn_at(v, children);
        v->grown = pn_at(v, grown);
        v->sorted = v->waiting = pn_at(v, sorted);
    }
    return pn_arena_size(&arena, 0);
}

size_t pn_dag_verifier_size(const pn_dag_claim *claim)
{
    sizes s;
    return dag_claim_valid(claim, &s) ? dag_claim_carve(claim, &s, NULL) : 0;
}

/* ---- nodes and their fates ---- */

static void dag_set_up_nodes(pn_dag_verifier *v)
{
    const pn_dispatch_config *config = &v->config.dispatch;
    uint32_t node = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t left = config->nodes[i].count; left > 0; left--, node++) {
            const pn_dispatch_nodes *group = &config->nodes[i];
            v->node[node] = (pn_dag_check_node){.speed = group->speed ? group->speed : 1000,
                                                .up = 1};
            for (uint32_t r = 0; r < v->resources; r++) {
                v->node[node].free[r] = node < v->present_count ? group->capacity[r] : 0;
                v->capacity[r] += group->capacity[r];
            }
        }
    for (uint32_t q = 0; q < v->queue_count; q++)
        v->queue[q] = (pn_dag_check_queue){.shrunk = 0};
}

/* Orders by DG3: at one time recoveries precede failures, each by node. */
static bool dag_fate_before(const pn_dag_verifier *v, uint32_t a, uint32_t b)
{
    const pn_dag_check_fate *left = &v->fate[a], *right = &v->fate[b];
    if (left->time != right->time)
        return left->time < right->time;
    return left->down != right->down ? left->down < right->down : left->node < right->node;
}

static void swap_fates(pn_dag_verifier *v, uint32_t a, uint32_t b)
{
    pn_dag_check_fate spare = v->fate[a];
    v->fate[a] = v->fate[b];
    v->fate[b] = spare;
}

static bool stage_before(const pn_dag_verifier *v, uint32_t a, uint32_t b)
{
    const pn_dag_stage *left = pn_dag_check_given(v, v->sorted[a]),
                       *right = pn_dag_check_given(v, v->sorted[b]);
    uint32_t queue[2] = {pn_dag_claimed(&v->claim, v->stage[v->sorted[a]].job)->queue,
                         pn_dag_claimed(&v->claim, v->stage[v->sorted[b]].job)->queue};
    for (uint32_t r = 0; r < v->resources; r++)
        if (left->demand[r] != right->demand[r])
            return left->demand[r] < right->demand[r];
    return queue[0] < queue[1];
}

static void swap_stages(pn_dag_verifier *v, uint32_t a, uint32_t b)
{
    uint32_t kept = v->sorted[a];
    v->sorted[a] = v->sorted[b];
    v->sorted[b] = kept;
}

/* What is sorted: things by number, which can be compared and swapped. */
typedef struct dag_sorting {
    bool (*before)(const pn_dag_verifier *v, uint32_t a, uint32_t b);
    void (*swap)(pn_dag_verifier *v, uint32_t a, uint32_t b);
} dag_sorting;

static void dag_sift(pn_dag_verifier *v, dag_sorting by, uint32_t at, uint32_t count)
{
    for (uint64_t child = 2 * (uint64_t)at + 1; child < count; child = 2 * (uint64_t)at + 1) {
        if (child + 1 < count && by.before(v, (uint32_t)child, (uint32_t)child + 1))
            child++;
        if (!by.before(v, at, (uint32_t)child))
            return;
        by.swap(v, at, (uint32_t)child);
        at = (uint32_t)child;
    }
}

/* Sorts by a heap. */
static void dag_sort(pn_dag_verifier *v, dag_sorting by, uint32_t count)
{
    for (uint32_t i = count / 2; i > 0; i--)
        dag_sift(v, by, i - 1, count);
    for (uint32_t left = count; left > 1; left--) {
        by.swap(v, 0, left - 1);
        dag_sift(v, by, 0, left - 1);
    }
}

static int dag_set_up_fates(pn_dag_verifier *v)
{
    for (size_t i = 0; i < v->claim.failure_count; i++) {
        const pn_dag_failure *f = &v->claim.failures[i];
        bool recovers = f->recover != PN_DAG_CHECK_NEVER;
        if (f->node >= v->node_count || f->recover <= f->time ||
            (recovers ? f->recover : f->time) > PN_INTEGER_MAX)
            return PN_ERR_ARGUMENT;
        v->fate[v->fate_count++] = (pn_dag_check_fate){f->time, f->node, 1};
        if (recovers)
            v->fate[v->fate_count++] = (pn_dag_check_fate){f->recover, f->node, 0};
    }
    dag_sort(v, (dag_sorting){dag_fate_before, swap_fates}, (uint32_t)v->fate_count);
    return PN_OK;
}

/* ---- jobs ---- */

static bool durations_valid(const pn_dag_stage *stage)
{
    for (uint32_t i = 0; stage->durations && i < stage->tasks; i++)
        if (stage->durations[i] > PN_DAG_MOST_MS)
            return false;
    return stage->duration <= PN_DAG_MOST_MS &&
           (stage->start_ms <= PN_DAG_MOST_MS || stage->start_ms == PN_DAG_AUTO);
}

static bool stage_valid(const pn_dag_stage *stage, uint32_t resources)
{
    uint64_t any = 0;
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++) {
        if (stage->demand[r] > (r < resources ? PN_DISPATCH_DEMAND_MOST : 0))
            return false;
        any |= stage->demand[r];
    }
    return any > 0 && dag_between(stage->tasks, 1, PN_DISPATCH_TASKS_MOST) &&
           durations_valid(stage) && (stage->parents || stage->parent_count == 0);
}

static bool job_valid(const pn_dag_verifier *v, size_t job)
{
    const pn_dag_job *given = pn_dag_claimed(&v->claim, job);
    if (!given->stages || !dag_between(given->stage_count, 1, PN_DISPATCH_STAGES_MOST) ||
        given->arrival > PN_INTEGER_MAX || given->queue >= v->queue_count ||
        (job > 0 && given->arrival < pn_dag_claimed(&v->claim, job - 1)->arrival))
        return false;
    for (uint32_t s = 0; s < given->stage_count; s++) {
        const pn_dag_stage *stage = &given->stages[s];
        if (!stage_valid(stage, v->resources))
            return false;
        for (uint32_t k = 0; k < stage->parent_count; k++) {
            if (stage->parents[k] >= given->stage_count || stage->parents[k] == s)
                return false;
            for (uint32_t before = 0; before < k; before++)
                if (stage->parents[before] == stage->parents[k])
                    return false;
        }
    }
    return true;
}

/* Sets up the stages of a job, and of each its children. */
static void set_up_stages(pn_dag_verifier *v, uint32_t job, uint32_t *stages, uint32_t *edges,
                          size_t *tasks)
{
    const pn_dag_job *given = pn_dag_claimed(&v->claim, job);
    uint32_t first = *stages;
    for (uint32_t s = 0; s < given->stage_count; s++) {
        v->stage[first + s] = (pn_dag_check_stage){.first_task = *tasks,
                                                   .ready = PN_DAG_CHECK_NEVER,
                                                   .start = PN_DAG_CHECK_NEVER,
                                                   .finish = PN_DAG_CHECK_NEVER,
                                                   .job = job,
                                                   .waits = given->stages[s].parent_count};
        v->job[job].later += given->stages[s].tasks;
        for (uint32_t t = 0; t < given->stages[s].tasks; t++)
            v->task[(*tasks)++] = (pn_dag_check_task){.state = PN_DAG_CHECK_PENDING};
    }
    for (uint32_t s = 0; s < given->stage_count; s++)
        for (uint32_t k = 0; k < given->stages[s].parent_count; k++)
            v->stage[first + given->stages[s].parents[k]].child_count++;
    for (uint32_t s = 0; s < given->stage_count; s++) {
        v->stage[first + s].first_child = *edges;
        *edges += v->stage[first + s].child_count;
        v->stage[first + s].child_count = 0;
    }
    for (uint32_t s = 0; s < given->stage_count; s++)
        for (uint32_t k = 0; k < given->stages[s].parent_count; k++) {
            pn_dag_check_stage *parent = &v->stage[first + given->stages[s].parents[k]];
            v->children[parent->first_child + parent->child_count++] = first + s;
        }
    *stages += given->stage_count;
}

/* ---- what a job takes alone (DG28) ---- */

static uint64_t fastest(const pn_dag_verifier *v, const uint64_t *demand)
{
    const pn_dispatch_config *config = &v->config.dispatch;
    uint64_t best = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        uint64_t speed = config->nodes[i].speed ? config->nodes[i].speed : 1000;
        for (uint32_t r = 0; r < v->resources; r++)
            if (config->nodes[i].capacity[r] < demand[r])
                speed = 0;
        best = speed > best ? speed : best;
    }
    return best;
}

/* Measures a stage: the longest task, and the areas of all of them; false when no node has the
 * capacity or there is too much work. */
static bool measure_stage(const pn_dag_verifier *v, uint32_t job, uint32_t stage, uint64_t *longest,
                          pn_wide *areas)
{
    const pn_dag_stage *given = &pn_dag_claimed(&v->claim, job)->stages[stage];
    uint64_t speed = fastest(v, given->demand);
    *longest = 0;
    for (uint32_t t = 0; t < given->tasks && speed > 0; t++) {
        uint64_t ms = pn_dag_check_ms(v, job, stage, t, speed);
        *longest = ms > *longest ? ms : *longest;
        for (uint32_t r = 0; r < v->resources; r++)
            areas[r] = pn_wide_sum(areas[r], pn_wide_product(ms, given->demand[r]));
    }
    for (uint32_t r = 0; r < v->resources; r++)
        if (areas[r].high > 0 || areas[r].low >> 62 != 0)
            return false;
    return speed > 0;
}

/* Measures the stages from the roots on, in the order in which their parents are all done; each
 * `ready` is the longest path before it meanwhile. False when there is a cycle, or more work than
 * there may be. */
static bool dag_measure_job(pn_dag_verifier *v, uint32_t job)
{
    pn_dag_check_job *entry = &v->job[job];
    const pn_dag_job *given = pn_dag_claimed(&v->claim, job);
    pn_wide areas[PN_DISPATCH_RESOURCES_MAX] = {{0, 0}};
    uint32_t *order = v->sorted, queued = 0, first = entry->first_stage;
    for (uint32_t s = 0; s < given->stage_count; s++) {
        v->stage[first + s].ready = 0;
        if (v->stage[first + s].waits == 0)
            order[queued++] = first + s;
    }
    for (uint32_t i = 0; i < queued; i++) {
        const pn_dag_check_stage *stage = &v->stage[order[i]];
        uint64_t longest;
        if (!measure_stage(v, job, order[i] - first, &longest, areas))
            return false;
        uint64_t end = stage->ready + longest;
        if (end > PN_INTEGER_MAX)
            return false;
        entry->path = end > entry->path ? end : entry->path;
        for (uint32_t k = 0; k < stage->child_count; k++) {
            pn_dag_check_stage *child = &v->stage[v->children[stage->first_child + k]];
            child->ready = end > child->ready ? end : child->ready;
            if (--child->waits == 0)
                order[queued++] = v->children[stage->first_child + k];
        }
    }
    entry->alone = entry->path;
    for (uint32_t r = 0; r < v->resources; r++)
        if (areas[r].low > 0 && dag_claim_up(areas[r].low, v->capacity[r]) > entry->alone)
            entry->alone = dag_claim_up(areas[r].low, v->capacity[r]);
    for (uint32_t s = 0; s < given->stage_count; s++) {
        v->stage[first + s].ready = PN_DAG_CHECK_NEVER;
        v->stage[first + s].waits = given->stages[s].parent_count;
    }
    return queued == given->stage_count && entry->alone <= PN_INTEGER_MAX;
}

static int dag_set_up_jobs(pn_dag_verifier *v)
{
    uint32_t stages = 0, edges = 0;
    size_t tasks = 0;
    for (uint32_t i = 0; i < v->claim.job_count; i++) {
        if (!job_valid(v, i))
            return PN_ERR_JOB;
        v->job[i] = (pn_dag_check_job){
            .first_start = PN_DAG_CHECK_NEVER, .finish = PN_DAG_CHECK_NEVER, .first_stage = stages};
        set_up_stages(v, i, &stages, &edges, &tasks);
        if (!dag_measure_job(v, i))
            return PN_ERR_JOB;
    }
    return PN_OK;
}

static void set_up_classes(pn_dag_verifier *v)
{
    for (uint32_t s = 0; s < v->stage_count; s++)
        v->sorted[s] = s;
    dag_sort(v, (dag_sorting){stage_before, swap_stages}, v->stage_count);
    for (uint32_t i = 0; i < v->stage_count; i++) {
        uint32_t stage = v->sorted[i];
        if (i == 0 || stage_before(v, i - 1, i))
            v->class[v->class_count++] = (pn_dag_check_class){
                .demand = pn_dag_check_given(v, stage)->demand,
                .queue = pn_dag_claimed(&v->claim, v->stage[stage].job)->queue};
        v->stage[stage].class = v->class_count - 1;
    }
}

int pn_dag_verifier_init(pn_dag_verifier **verifier, void *block, size_t size,
                         const pn_dag_claim *claim)
{
    sizes s;
    if (!verifier || !block || !dag_claim_valid(claim, &s))
        return PN_ERR_ARGUMENT;
    int status = pn_block_fits(block, size, dag_claim_carve(claim, &s, NULL));
    if (status != PN_OK)
        return status;
    pn_dag_verifier *v = block;
    *v = (pn_dag_verifier){.config = s.config,
                           .node_count = (uint32_t)s.nodes,
                           .present_count = (uint32_t)s.nodes - s.config.dispatch.nodes_absent,
                           .queue_count = queues_of(&s),
                           .stage_count = (uint32_t)s.stages,
                           .resources = s.config.dispatch.resources,
                           .time_limit = s.config.max_time_ms > 0 ? s.config.max_time_ms
                                                                  : PN_INTEGER_MAX,
                           .closing = PN_DAG_CHECK_NONE,
                           .fault = ""};
    PN_TAKE(&v->claim, claim, pn_dag_claim, failure_count);
    dag_claim_carve(claim, &s, v);
    dag_set_up_nodes(v);
    status = dag_set_up_fates(v);
    if (status == PN_OK)
        status = dag_set_up_jobs(v);
    if (status != PN_OK)
        return status;
    set_up_classes(v);
    *verifier = v;
    return PN_OK;
}
