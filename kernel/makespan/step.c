/* The run: one instant after the other, with slots, decisions, finishes and the digest. */
#include "list.h"
#include "base/sort.h"

/* ---- between the block and the handle ---- */

static pn_makespan_list open_run(pn_makespan *sim, const pn_makespan_hooks *hooks)
{
    pn_makespan_list list = {.sim = sim,
                             .rules = &sim->rules,
                             .events = pn_at(sim, sim->events),
                             .event_count = sim->event_count,
                             .exclusive = sim->rules.share == PN_MAKESPAN_EXCLUSIVE,
                             .flows = pn_at(sim, sim->flows),
                             .stretches = pn_makespan_tasks_in_order(sim, &sim->rules),
                             .pools = pn_at(sim, sim->pools),
                             .limit = PN_MAKESPAN_MOST,
                             .time = sim->time,
                             .makespan = sim->makespan,
                             .total = {sim->total[0], sim->total[1]},
                             .finished = sim->finished,
                             .hooks = hooks,
                             .order = pn_at(sim, sim->order),
                             .times = pn_at(sim, sim->times),
                             .done = pn_at(sim, sim->done)};
    for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++) {
        list.eligible[k] = pn_bits_at(pn_at(sim, sim->eligible[k]), sim->job_count);
        list.free_slots[k] = pn_bits_at(pn_at(sim, sim->free_slots[k]), sim->slots[k]);
        list.slot_next[k] = pn_at(sim, sim->slot_next[k]);
        list.duration[k] = pn_makespan_timed(sim, &sim->rules) ? pn_at(sim, sim->duration[k])
                                                               : NULL;
    }
    return list;
}

static void close_run(pn_makespan *sim, const pn_makespan_list *list)
{
    sim->event_count = list->event_count;
    sim->time = list->time;
    sim->makespan = list->makespan;
    sim->total[0] = list->total[0];
    sim->total[1] = list->total[1];
    sim->finished = list->finished;
    sim->instants++;
}

/* ---- decisions ---- */

static uint64_t mix_decision(const pn_makespan_list *list, uint64_t kind, uint64_t id,
                             uint64_t amount)
{
    return pn_mix(pn_mix(pn_mix(list->fold_start, kind), id), amount);
}

/* Returns the free slot with the lowest number. On a busy cluster slots come back one by one and go
 * at once: then there is no need to put them into the set. */
static uint32_t makespan_take(const pn_makespan_list *list, pn_makespan_pool_entry *pool,
                              uint32_t stage)
{
    uint32_t slot = pool->only[stage];
    pool->only[stage] = 0;
    if (slot != 0)
        return slot - 1;
    slot = pn_bits_next(&list->free_slots[stage], pool->slot_base[stage]);
    PN_ASSERT(slot != PN_BITS_NONE);
    pn_bits_clear(&list->free_slots[stage], slot);
    return slot;
}

static void give_back(const pn_makespan_list *list, pn_makespan_pool_entry *pool, uint32_t stage,
                      uint32_t slot, uint32_t others)
{
    if (others == 0) {
        pool->only[stage] = slot + 1;
        return;
    }
    if (pool->only[stage] != 0)
        pn_bits_set(&list->free_slots[stage], pool->only[stage] - 1);
    pool->only[stage] = 0;
    pn_bits_set(&list->free_slots[stage], slot);
}

uint32_t pn_makespan_list_note(pn_makespan_list *list, uint32_t line, uint64_t end, uint32_t count)
{
    uint32_t position = line / 2, stage = line % 2, job = list->order[position],
             last = PN_BITS_NONE, first = PN_BITS_NONE;
    pn_makespan_flow *flow = &list->flows[line];
    uint32_t kind = stage == PN_MAKESPAN_MAP ? PN_MAKESPAN_START_MAP : PN_MAKESPAN_START_REDUCE;
    pn_makespan_decision decision = {.struct_size = sizeof decision,
                                     .start = list->time,
                                     .end = end,
                                     .id = (uint64_t)job + 1,
                                     .kind = kind,
                                     .task = flow->task};
    list->fold += count * mix_decision(list, kind, decision.id, end - list->time);
    list->sim->started += count;
    list->sim->holding += flow->running == 0;
    if (!flow->begun)
        list->times[position].start[stage] = list->time;
    flow->begun = 1;
    for (uint32_t i = 0; i < count; i++, decision.task++) {
        uint32_t slot = makespan_take(list, &list->pools[flow->pool], stage);
        list->slot_next[stage][slot] = PN_BITS_NONE;
        if (last == PN_BITS_NONE)
            first = slot;
        else
            list->slot_next[stage][last] = slot;
        last = decision.slot = slot;
        if (list->hooks->on_decision)
            list->hooks->on_decision(list->hooks->user, &decision);
    }
    return first;
}

uint32_t pn_makespan_list_release(const pn_makespan_list *list, pn_makespan_pool_entry *pool,
                                  uint32_t stage, uint32_t slot)
{
    uint32_t count = 0;
    for (; slot != PN_BITS_NONE; slot = list->slot_next[stage][slot], count++)
        give_back(list, pool, stage, slot, pool->free[stage] + count);
    return count;
}

/* ---- sequences of tasks ---- */

/* Puts the next task of the sequence in the shape that pn_makespan_list_start takes: a stretch of
 * its own. */
static void aim(const pn_makespan_list *list, const pn_makespan_task *task, uint32_t stage,
                pn_makespan_flow *flow)
{
    const pn_makespan_stage_entry *entry = pn_makespan_stage_of(list->sim, task->job, stage);
    const pn_makespan_stretch_entry *stretch = pn_makespan_stretches(list->sim) + entry->stretches;
    uint32_t low = 0, high = entry->stretch_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (stretch[middle].first <= task->task)
            low = middle;
        else
            high = middle;
    }
    flow->duration = stretch[low].duration;
    flow->left = 1;
    flow->task = task->task;
}

static void makespan_follow(pn_makespan_list *list, uint32_t stage)
{
    pn_makespan *sim = list->sim;
    const pn_makespan_task *sequence = pn_at(sim, sim->sequence[stage]);
    const uint32_t *position = pn_at(sim, sim->position);
    pn_makespan_pool_entry *pool = &list->pools[0];
    while (pool->free[stage] > 0 && sim->sequence_next[stage] < sim->sequence_count[stage]) {
        const pn_makespan_task *task = &sequence[sim->sequence_next[stage]];
        uint32_t at = position[task->job];
        if (stage == PN_MAKESPAN_REDUCE && !pn_makespan_list_complete(list, at, 0))
            return;
        aim(list, task, stage, &list->flows[2 * at + stage]);
        pool->free[stage] -= pn_makespan_list_start(list, 2 * at + stage, 1, true);
        sim->sequence_next[stage]++;
    }
}

void pn_makespan_list_follow(pn_makespan_list *list)
{
    for (uint32_t stage = 0; stage < PN_MAKESPAN_STAGE_COUNT && list->sim->sequenced; stage++)
        makespan_follow(list, stage);
}

/* ---- the beginning ---- */

static void makespan_begin(pn_makespan_list *list)
{
    pn_makespan *sim = list->sim;
    for (uint32_t i = 0; i < sim->pool_count; i++) {
        pn_makespan_pool_entry *pool = &list->pools[i];
        for (uint32_t position = pool->begin; position < pool->end; position++)
            pn_makespan_list_put(list, i, position, list->order[position]);
        for (uint32_t k = 0; k < PN_MAKESPAN_STAGE_COUNT; k++)
            for (uint32_t slot = 0; slot < pool->free[k]; slot++)
                pn_bits_set(&list->free_slots[k], pool->slot_base[k] + slot);
        if (!sim->sequenced)
            pn_makespan_list_open(list, pool);
    }
    for (uint32_t i = 0; i < sim->pool_count; i++)
        pn_makespan_list_pass(list, i, true);
    pn_makespan_list_follow(list);
    sim->begun = 1;
}

/* ---- the end of an instant ---- */

static bool by_place(const void *context, uint32_t a, uint32_t b)
{
    const uint32_t *order = context;
    return order[a] < order[b];
}

static void makespan_report(pn_makespan_list *list)
{
    pn_makespan *sim = list->sim;
    const pn_makespan_entry *jobs = pn_makespan_entries(sim);
    if (list->done_count > 1)
        pn_sort_by(list->done, list->done_count, pn_at(sim, sim->sort_room), by_place, list->order);
    for (uint32_t i = 0; i < list->done_count; i++) {
        const pn_makespan_job_times *times = &list->times[list->done[i]];
        uint32_t place = list->order[list->done[i]];
        pn_makespan_finish finish = {.struct_size = sizeof finish,
                                     .id = (uint64_t)place + 1,
                                     .tag = jobs[place].tag,
                                     .map_start = times->start[0],
                                     .map_finish = times->finish[0],
                                     .reduce_start = times->start[1],
                                     .finish = times->finish[1],
                                     .group = jobs[place].group};
        if (sim->config.attributes > 0)
            finish.attributes = pn_attributes_of(pn_makespan_attributes_of(sim), place);
        list->fold += mix_decision(list, PN_MAKESPAN_FINISH, finish.id, 0);
        pn_makespan_count_completion(sim, place, list->time);
        if (list->hooks->on_finish)
            list->hooks->on_finish(list->hooks->user, &finish);
    }
    if (list->fold != 0)
        sim->digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, sim->digest), list->time), list->fold);
}

/* ---- stepping ---- */

/* Returns whether an event is due now. Where there is a hole none is: what starts fills it. Where
 * there is none there are events: a batch begins with a task, and the last event leaves a hole. */
static bool is_due(const pn_makespan_list *list)
{
    return !list->hole && list->events[0].end == list->time;
}

/* Executes MK16: all that ends now, then the slots that this freed; again while tasks of no length
 * end at once. Where nothing has ended nothing can start. */
static void end_and_start(pn_makespan_list *list)
{
    while (is_due(list) && !list->over) {
        pn_makespan_list_end_due(list, true);
        while (list->touched) {
            uint32_t index = list->touched - 1;
            list->touched = list->pools[index].next_touched;
            pn_makespan_list_pass(list, index, true);
        }
        pn_makespan_list_follow(list);
    }
}

/* Executes an instant. Hooks find the simulation as it was after the instant before. */
static void instant(pn_makespan_list *list)
{
    pn_makespan *sim = list->sim;
    list->time = sim->begun ? pn_makespan_list_next_time(list) : 0;
    list->fold_start = pn_mix(PN_MIX_START, list->time);
    list->fold = 0;
    list->done_count = 0;
    if (!sim->begun)
        makespan_begin(list);
    end_and_start(list);
    pn_makespan_list_fill_hole(list);
    makespan_report(list);
    close_run(sim, list);
}

int pn_makespan_run(pn_makespan *sim, const pn_makespan_hooks *hooks, uint64_t until,
                    uint64_t instants)
{
    int status = pn_makespan_plan(sim, hooks);
    if (status != PN_OK)
        return status;
    pn_makespan_list list = open_run(sim, hooks);
    sim->head.busy = 1;
    for (; status == PN_OK && sim->finished < sim->job_count; instants--) {
        /* Only durations that a block was made to claim lead to no end, or beyond all time. */
        if (list.over || (sim->begun && list.event_count == 0))
            status = PN_ERR_DAMAGED;
        else if ((sim->begun ? list.events[0].end : 0) >= until)
            break;
        else if (instants == 0)
            status = PN_PAUSED;
        else
            instant(&list);
    }
    sim->head.busy = 0;
    return status == PN_OK && sim->finished == sim->job_count ? PN_DONE : status;
}

/* Steps as the others do: PN_OK when an instant was executed, PN_DONE when there was none left. */
int pn_makespan_step(pn_makespan *sim, const pn_makespan_hooks *hooks)
{
    int status = pn_makespan_plan(sim, hooks);
    if (status != PN_OK)
        return status;
    if (sim->finished == sim->job_count)
        return PN_DONE;
    status = pn_makespan_run(sim, hooks, PN_MAKESPAN_FOREVER, 1);
    return status < 0 ? status : PN_OK;
}
