/* One call of a policy: the rules in force, its answer, and the tick in which the run will be
 * told. */
#include "base/config.h"
#include "state.h"
#include "base/sort.h"

/* ---- policies ---- */

bool pn_makespan_policy_sane(const pn_makespan_policy *policy)
{
    if (!PN_GIVEN(policy, pn_makespan_policy, decide) || !pn_name_sane(policy->name) ||
        !policy->decide || !pn_params_sane(policy->params, policy->param_count))
        return false;
    return policy->stage_time <= PN_MAKESPAN_FLUID && policy->share <= PN_MAKESPAN_EXCLUSIVE &&
           policy->cap <= PN_MAKESPAN_CAP_REQUESTED && policy->task_order <= PN_MAKESPAN_LPT &&
           policy->level <= 2;
}

static uint32_t makespan_first_of(uint32_t a, uint32_t b, uint32_t c)
{
    return a ? a : b ? b : c;
}

pn_makespan_rules pn_makespan_rules_of(const pn_makespan *sim, const pn_makespan_policy *policy)
{
    const pn_makespan_rules *asked = &sim->asked;
    return (pn_makespan_rules){
        .stage_time = makespan_first_of(asked->stage_time, policy->stage_time,
                                        PN_MAKESPAN_WAVES_REQUESTED),
        .share = makespan_first_of(asked->share, policy->share, PN_MAKESPAN_CONSERVING),
        .cap = makespan_first_of(asked->cap, policy->cap, PN_MAKESPAN_CAP_NONE),
        .task_order = makespan_first_of(asked->task_order, policy->task_order, PN_MAKESPAN_LISTED),
        .resplit = asked->resplit,
    };
}

/* ---- tasks, longest first ---- */

static bool longer(const void *context, uint32_t a, uint32_t b)
{
    const pn_makespan_stretch_entry *stretches = context;
    return stretches[a].duration > stretches[b].duration;
}

/* Sorts the longest first. The sort is stable and what it sorts is listed in order: ties go by
 * index (MK18). */
const uint32_t *pn_makespan_longest_first(pn_makespan *sim, const pn_makespan_stage_entry *stage)
{
    uint32_t *index = pn_at(sim, sim->stretch_room);
    for (uint32_t i = 0; i < stage->stretch_count; i++)
        index[i] = i;
    pn_sort_by(index, stage->stretch_count, index + stage->stretch_count, longer,
               pn_makespan_stretches(sim) + stage->stretches);
    return index;
}

static void sort_stage(pn_makespan *sim, const pn_makespan_stage_entry *stage)
{
    const pn_makespan_stretch_entry *listed = pn_makespan_stretches(sim) + stage->stretches;
    pn_makespan_stretch_entry *sorted = (pn_makespan_stretch_entry *)pn_at(sim,
                                                                           sim->longest_first) +
                                        stage->stretches;
    const uint32_t *index = pn_makespan_longest_first(sim, stage);
    for (uint32_t i = 0; i < stage->stretch_count; i++)
        sorted[i] = listed[index[i]];
}

static void sort_tasks(pn_makespan *sim)
{
    for (uint32_t job = 0; job < sim->job_count; job++)
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
            sort_stage(sim, pn_makespan_stage_of(sim, job, k));
}

/* ---- asking the host ---- */

/* Events between two questions: some ten milliseconds. */
enum { STOP_EVERY = 100000 };

int pn_makespan_stop_asked(pn_makespan_view *view, uint64_t work)
{
    view->unpolled += work;
    if (view->unpolled < STOP_EVERY || !view->hooks->stop)
        return 0;
    view->unpolled = 0;
    view->sim->evaluations = view->evaluations; /* the progress that hosts read */
    view->sim->searched = view->searched;
    return view->hooks->stop(view->hooks->user) != 0;
}

/* ---- the answer ---- */

static int makespan_plan_give(pn_makespan_view *view, uint32_t nodes, const uint32_t *jobs,
                              uint32_t count)
{
    pn_makespan *sim = view->sim;
    uint32_t *order = pn_at(sim, sim->order), *position = pn_at(sim, sim->position);
    pn_makespan_pool_entry *pools = pn_at(sim, sim->pools);
    if (nodes == 0 || nodes > view->nodes_left || count > sim->job_count - view->answered ||
        view->pool_count == sim->pools_max)
        return PN_ERR_INFEASIBLE;
    uint32_t begin = view->answered, given = 0;
    while (given < count && jobs[given] < sim->job_count && position[jobs[given]] == PN_NO_JOB) {
        position[jobs[given]] = begin + given;
        order[begin + given] = jobs[given];
        given++;
    }
    if (given < count) {
        while (given-- > 0)
            position[jobs[given]] = PN_NO_JOB;
        return PN_ERR_INFEASIBLE;
    }
    pools[view->pool_count++] = (pn_makespan_pool_entry){
        .nodes = nodes, .begin = begin, .end = begin + count};
    view->answered += count;
    view->nodes_left -= nodes;
    return PN_OK;
}

int pn_makespan_give_pool(pn_makespan_view *view, uint32_t nodes, const uint32_t *jobs,
                          uint32_t count)
{
    return view->sequenced ? PN_ERR_INFEASIBLE : makespan_plan_give(view, nodes, jobs, count);
}

int pn_makespan_give_order(pn_makespan_view *view, const uint32_t *jobs, uint32_t count)
{
    if (view->pool_count > 0 || count != view->sim->job_count)
        return PN_ERR_INFEASIBLE;
    return makespan_plan_give(view, view->sim->nodes, jobs, count);
}

void pn_makespan_prove(pn_makespan_view *view, uint64_t proven, uint64_t searched)
{
    view->proven = proven;
    view->searched = searched;
}

/* Returns whether the sequence names every task of the stage once. `seen`: a bit for each task, in
 * order of jobs. */
static bool names_all(const pn_makespan *sim, uint32_t stage, const pn_makespan_task *tasks,
                      uint32_t count, const pn_bits *seen, uint32_t *first)
{
    uint32_t all = 0;
    for (uint32_t job = 0; job < sim->job_count; job++) {
        first[job] = all;
        all += pn_makespan_stage_of(sim, job, stage)->tasks;
        if (all > PN_MAKESPAN_SEQUENCE_MAX)
            return false;
    }
    if (count != all)
        return false;
    pn_bits_empty(seen, PN_MAKESPAN_SEQUENCE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        if (tasks[i].job >= sim->job_count ||
            tasks[i].task >= pn_makespan_stage_of(sim, tasks[i].job, stage)->tasks)
            return false;
        uint32_t member = first[tasks[i].job] + tasks[i].task;
        if (pn_bits_next(seen, member) == member)
            return false;
        pn_bits_set(seen, member);
    }
    return true;
}

/* Orders the jobs by when their first tasks start: maps, then reduces of jobs without maps. */
static void order_by_start(const pn_makespan *sim,
                           const pn_makespan_task *const tasks[PN_MAKESPAN_STAGE_COUNT],
                           const uint32_t count[PN_MAKESPAN_STAGE_COUNT], const pn_bits *seen,
                           uint32_t *order)
{
    uint32_t ordered = 0;
    pn_bits_empty(seen, sim->job_count);
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
        for (uint32_t i = 0; i < count[k]; i++)
            if (pn_bits_next(seen, tasks[k][i].job) != tasks[k][i].job) {
                pn_bits_set(seen, tasks[k][i].job);
                order[ordered++] = tasks[k][i].job;
            }
}

int pn_makespan_give_tasks(pn_makespan_view *view, const pn_makespan_task *maps, uint32_t map_count,
                           const pn_makespan_task *reduces, uint32_t reduce_count)
{
    pn_makespan *sim = view->sim;
    const pn_makespan_task *tasks[PN_MAKESPAN_STAGE_COUNT] = {maps, reduces};
    uint32_t count[PN_MAKESPAN_STAGE_COUNT] = {map_count, reduce_count};
    uint32_t *room = pn_at(sim, sim->sort_room);
    uint64_t words[(PN_MAKESPAN_SEQUENCE_MAX + 63) / 64 + 2];
    pn_bits seen = pn_bits_at(words, PN_MAKESPAN_SEQUENCE_MAX);
    if (view->pool_count > 0 || pn_makespan_timed(sim, &view->rules))
        return PN_ERR_INFEASIBLE;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
        if (!names_all(sim, k, tasks[k], count[k], &seen, room))
            return PN_ERR_INFEASIBLE;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        if (count[k] > 0) /* else it may be null */
            memcpy(pn_at(sim, sim->sequence[k]), tasks[k], count[k] * sizeof *tasks[k]);
        view->sequence_count[k] = count[k];
    }
    /* nothing is evaluated any more */
    seen = pn_bits_at(pn_at(sim, sim->eligible[0]), sim->job_count);
    order_by_start(sim, tasks, count, &seen, room);
    view->sequenced = 1;
    return makespan_plan_give(view, sim->nodes, room, sim->job_count);
}

/* ---- the fine tick ---- */

static void settle_pools(pn_makespan *sim, uint32_t pool_count)
{
    pn_makespan_pool_entry *pools = pn_at(sim, sim->pools);
    uint32_t base[PN_MAKESPAN_STAGE_COUNT] = {0, 0};
    for (uint32_t i = 0; i < pool_count; i++)
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
            pools[i].slots[k] = sim->slots[k] / sim->nodes * pools[i].nodes;
            pools[i].free[k] = sim->config.level == PN_MAKESPAN_STAGES ? 1 : pools[i].slots[k];
            pools[i].slot_base[k] = base[k];
            base[k] += pools[i].free[k];
        }
}

/* Copies the durations of a pool's jobs in its own ticks and brings the tick of all pools to one
 * that suits it too. */
static int take_durations(pn_makespan *sim, const pn_makespan_rules *rules,
                          const pn_makespan_pool_entry *pool, uint64_t *fine)
{
    const uint32_t *order = pn_at(sim, sim->order);
    const pn_makespan_timing *timing;
    int status = pn_makespan_timing_make(sim, rules, pool->slots, &timing);
    if (status != PN_OK || !pn_lcm(fine, timing->ticks, PN_MAKESPAN_MOST))
        return PN_ERR_OVERFLOW;
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        const uint64_t *from = pn_at(sim, timing->duration[k]);
        uint64_t *to = pn_at(sim, sim->duration[k]);
        for (uint32_t i = pool->begin; i < pool->end; i++)
            to[order[i]] = from[order[i]];
    }
    return PN_OK;
}

/* Refines from its own ticks to the finest; no schedule is longer than all pieces one after
 * another. */
static bool refine(pn_makespan *sim, const pn_makespan_rules *rules,
                   const pn_makespan_pool_entry *pool, uint64_t fine, uint64_t *left)
{
    const uint32_t *order = pn_at(sim, sim->order);
    const pn_makespan_timing *timing = NULL;
    pn_makespan_timing_make(sim, rules, pool->slots, &timing);
    PN_ASSERT(timing); /* as it was made for take_durations */
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        uint64_t *duration = pn_at(sim, sim->duration[k]);
        uint64_t pieces = sim->config.level == PN_MAKESPAN_STAGES
                              ? 1
                              : (uint64_t)rules->resplit * pool->slots[k];
        for (uint32_t i = pool->begin; i < pool->end; i++) {
            if (!pn_multiply(duration[order[i]], fine / timing->ticks, *left / pieces,
                             &duration[order[i]]))
                return false;
            *left -= duration[order[i]] * pieces;
        }
    }
    return true;
}

static int make_fine(pn_makespan *sim, const pn_makespan_view *view, uint64_t *fine)
{
    const pn_makespan_pool_entry *pools = pn_at(sim, sim->pools);
    uint64_t left = PN_MAKESPAN_MOST, ticks;
    *fine = 1;
    if (pn_makespan_timed(sim, &view->rules)) {
        for (uint32_t i = 0; i < view->pool_count; i++)
            if (take_durations(sim, &view->rules, &pools[i], fine) != PN_OK)
                return PN_ERR_OVERFLOW;
        for (uint32_t i = 0; i < view->pool_count; i++)
            if (!refine(sim, &view->rules, &pools[i], *fine, &left))
                return PN_ERR_OVERFLOW;
    }
    return pn_multiply(*fine, sim->config.ticks, PN_MAKESPAN_MOST, &ticks) ? PN_OK
                                                                           : PN_ERR_OVERFLOW;
}

/* ---- the plan ---- */

static int makespan_decide(pn_makespan *sim, pn_makespan_view *view)
{
    uint32_t *position = pn_at(sim, sim->position);
    for (uint32_t job = 0; job < sim->job_count; job++)
        position[job] = PN_NO_JOB;
    for (uint32_t i = 0; i < PN_MAKESPAN_TIMINGS; i++)
        sim->timing[i].slots[0] = 0;
    memset(pn_at(sim, sim->policy_memory), 0, sim->policy_memory_size);
    pn_stream_init(&sim->stream, sim->config.seed, sim->config.replica, PN_POLICY_STREAM);
    if (view->rules.task_order == PN_MAKESPAN_LPT)
        sort_tasks(sim);
    int status = view->policy->decide(view);
    if (status != PN_OK)
        return status < 0 ? status : PN_ERR_POLICY;
    if (view->answered != sim->job_count)
        return PN_ERR_INFEASIBLE;
    settle_pools(sim, view->pool_count);
    return PN_OK;
}

static void adopt(pn_makespan *sim, const pn_makespan_view *view, uint64_t fine)
{
    sim->binding = view->binding;
    sim->rules = view->rules;
    if (view->sequenced) {
        sim->rules.share = PN_MAKESPAN_CONSERVING;
        sim->rules.cap = PN_MAKESPAN_CAP_NONE;
    }
    sim->pool_count = view->pool_count;
    sim->sequenced = view->sequenced;
    memcpy(sim->sequence_count, view->sequence_count, sizeof sim->sequence_count);
    sim->proven = view->proven;
    sim->searched = view->searched;
    sim->evaluations = view->evaluations;
    sim->fine = fine;
    sim->planned = 1;
}

/* Fills in what a plan depends on in a policy's table, besides what the policy decides. */
static void makespan_shape_of(const pn_makespan_policy *policy, uint64_t shape[PN_SHAPE_WORDS])
{
    shape[0] = policy->stage_time | (uint64_t)policy->share << 8 | (uint64_t)policy->cap << 16 |
               (uint64_t)policy->task_order << 24 | (uint64_t)policy->level << 32;
    shape[1] = policy->state_bytes;
    shape[2] = policy->state_bytes_per_job;
}

/* Returns why these hooks are refused; else PN_OK, and the policy's binding. */
static int refuse(const pn_makespan *sim, const pn_makespan_hooks *hooks, pn_binding *binding)
{
    if (!sim || !hooks || !PN_GIVEN(hooks, pn_makespan_hooks, user))
        return PN_ERR_ARGUMENT;
    if (sim->head.busy)
        return PN_ERR_BUSY;
    if (!hooks->policy || !pn_makespan_policy_sane(hooks->policy))
        return PN_ERR_POLICY;
    pn_bindable bindable = {
        hooks->policy->name, hooks->policy->params, hooks->params, hooks->policy->param_count, {0}};
    makespan_shape_of(hooks->policy, bindable.shape);
    if (!pn_binding_make(binding, &bindable))
        return PN_ERR_ARGUMENT;
    if (sim->planned)
        return pn_binding_is_of(&sim->binding, &bindable) ? PN_OK : PN_ERR_POLICY;
    if (hooks->policy->level != 0 && hooks->policy->level - 1U != sim->config.level)
        return PN_ERR_MODE;
    if (pn_makespan_policy_bytes(hooks->policy, sim->config.jobs_max) > sim->policy_memory_size)
        return PN_ERR_POLICY;
    if (pn_makespan_rules_of(sim, hooks->policy).task_order == PN_MAKESPAN_LPT &&
        sim->longest_first == 0)
        return PN_ERR_POLICY;
    return PN_OK;
}

int pn_makespan_plan(pn_makespan *sim, const pn_makespan_hooks *hooks)
{
    pn_binding binding;
    int status = refuse(sim, hooks, &binding);
    if (status != PN_OK || sim->planned)
        return status;
    pn_makespan_view view = {.sim = sim,
                             .hooks = hooks,
                             .policy = hooks->policy,
                             .binding = binding,
                             .nodes_left = sim->nodes};
    uint64_t fine = 1;
    view.rules = pn_makespan_rules_of(sim, hooks->policy);
    if (sim->job_count > 0) {
        sim->head.busy = 1;
        status = makespan_decide(sim, &view);
        sim->head.busy = 0;
        if (status == PN_OK)
            status = make_fine(sim, &view, &fine);
        /* The evaluations leave their marks in the tables of the run, which begin as they are
         * carved. */
        memset(pn_at(sim, sim->run_tables), 0, sim->run_tables_size);
    }
    sim->evaluations = sim->searched = 0;
    if (status == PN_OK)
        adopt(sim, &view, fine);
    return status;
}
