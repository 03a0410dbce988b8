/* Attempts start and end: what they hold, and what follows for their stage, job, queue and node. */
#include "state.h"

/* ---- attempts on a node ---- */

static bool dispatch_later(const pn_dispatch_view *view, const pn_dispatch_attempt *a,
                           const pn_dispatch_attempt *b)
{
    const pn_dispatch_stage_entry *left = &view->stages[a->stage], *right = &view->stages[b->stage];
    if (a->start != b->start)
        return a->start > b->start;
    if (left->number != right->number)
        return left->number > right->number;
    return left->index != right->index ? left->index > right->index : a->task > b->task;
}

static pn_chain chain_of_node(const pn_dispatch_view *view, uint32_t node)
{
    return PN_CHAIN(&view->nodes[node].first_attempt, NULL, view->attempts, before, after);
}

/* Links an attempt in front of all, where it belongs unless others that started in this millisecond
 * precede it: a launch must not pass these, and few ask for the order. */
static void link_to_node(const pn_dispatch_view *view, uint32_t place)
{
    const pn_dispatch_attempt *attempt = &view->attempts[place];
    pn_dispatch_node *node = &view->nodes[attempt->node];
    pn_chain_insert(chain_of_node(view, attempt->node), place, 0);
    if (node->mixed == 0 && attempt->after != 0 &&
        dispatch_later(view, &view->attempts[attempt->after - 1], attempt))
        node->mixed = place + 1;
}

/* Merges two lists that are in order and end with 0; only `after` is linked. */
static uint32_t dispatch_merge(const pn_dispatch_view *view, uint32_t a, uint32_t b)
{
    uint32_t first = 0, *end = &first;
    while (a != 0 && b != 0) {
        bool takes_b = dispatch_later(view, &view->attempts[b - 1], &view->attempts[a - 1]);
        uint32_t *from = takes_b ? &b : &a;
        *end = *from;
        end = &view->attempts[*from - 1].after;
        *from = *end;
    }
    *end = a != 0 ? a : b;
    return first;
}

/* Sorts by merging: `sorted[i]` is a list of 2^i or nothing, and merging them adds as a counter
 * does. */
static uint32_t dispatch_sort(const pn_dispatch_view *view, uint32_t link)
{
    uint32_t sorted[32] = {0}, all = 0;
    while (link != 0) {
        uint32_t next = view->attempts[link - 1].after, carry = link, i = 0;
        view->attempts[link - 1].after = 0;
        for (; sorted[i] != 0; sorted[i++] = 0)
            carry = dispatch_merge(view, sorted[i], carry);
        sorted[i] = carry;
        link = next;
    }
    for (int i = 0; i < 32; i++)
        all = dispatch_merge(view, sorted[i], all);
    return all;
}

/* Orders by latest start first, then higher job, stage, task: the order in which DG18 kills. O(r
 * log r) for the r attempts there, O(1) where they are in order. */
void pn_dispatch_order_attempts(const pn_dispatch_view *view, uint32_t node)
{
    pn_dispatch_node *entry = &view->nodes[node];
    uint32_t before = 0;
    if (entry->mixed == 0)
        return;
    uint32_t rest = view->attempts[entry->mixed - 1].after;
    view->attempts[entry->mixed - 1].after = 0;
    entry->first_attempt = dispatch_merge(view, dispatch_sort(view, entry->first_attempt), rest);
    entry->mixed = 0;
    for (uint32_t link = entry->first_attempt; link != 0; link = view->attempts[link - 1].after) {
        view->attempts[link - 1].before = before;
        before = link;
    }
}

static void unlink_from_node(const pn_dispatch_view *view, uint32_t place)
{
    pn_dispatch_attempt *attempt = &view->attempts[place];
    if (view->nodes[attempt->node].mixed == place + 1)
        view->nodes[attempt->node].mixed = attempt->before;
    pn_chain_remove(chain_of_node(view, attempt->node), place);
    attempt->before = attempt->after = 0;
}

/* ---- places of attempts ---- */

static uint32_t take_place(const pn_dispatch_view *view)
{
    pn_dispatch_totals *totals = &view->s->totals;
    uint32_t place = pn_place_take(&view->s->fleet.attempt_places, PN_LINKS(view->attempts, after));
    totals->attempts_held++;
    totals->attempts_held_max = (uint32_t)pn_max(totals->attempts_held_max, totals->attempts_held);
    return place;
}

void pn_dispatch_attempt_free(const pn_dispatch_view *view, uint32_t place)
{
    view->attempts[place].state = PN_DISPATCH_IDLE;
    pn_place_free(&view->s->fleet.attempt_places, PN_LINKS(view->attempts, after), place);
    view->s->totals.attempts_held--;
}

/* Takes the lowest pending task of a stage: one that was given back is below all fresh ones. */
static uint32_t take_task(const pn_dispatch_view *view, uint32_t stage)
{
    pn_tree returned = pn_dispatch_returned_of(view, stage);
    uint32_t place = pn_tree_first(&returned);
    if (place != PN_TREE_NONE) {
        pn_tree_remove(&returned, place);
        return place;
    }
    place = take_place(view);
    view->attempts[place].stage = stage;
    view->attempts[place].task = view->stages[stage].fresh++;
    view->attempts[place].attempt = 0;
    return place;
}

static void give_back_task(const pn_dispatch_view *view, uint32_t place)
{
    pn_dispatch_attempt *attempt = &view->attempts[place];
    pn_tree returned = pn_dispatch_returned_of(view, attempt->stage);
    const uint64_t word[2] = {attempt->task, 0};
    attempt->state = PN_DISPATCH_RETURNED;
    attempt->attempt++;
    pn_tree_insert(&returned, place, word, 0);
}

/* ---- what attempts hold ---- */

static void hold(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    const pn_dispatch_class *class = &view->classes[entry->class];
    pn_dispatch_entry *job = &view->jobs[entry->job];
    pn_dispatch_lane *queue = &view->queues[job->queue];
    uint64_t *used = view->nodes[node].used;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        used[r] += class->demand[r];
        job->use[r] += class->demand[r];
        queue->use[r] += class->demand[r];
        view->s->in_use[r] += class->demand[r];
    }
    pn_dispatch_room_changed(view, node);
    job->rate += class->sigma;
    job->base = pn_wide_difference(job->base, pn_wide_product(class->sigma, view->now));
}

/* Adds demand times ms of an attempt that ends, to the sums. */
static void account(const pn_dispatch_view *view, const pn_dispatch_attempt *attempt,
                    uint32_t queue, bool wasted)
{
    pn_dispatch_totals *totals = &view->s->totals;
    pn_dispatch_queue_totals *sums = &view->queues[queue].totals;
    const uint64_t *demand = view->classes[view->stages[attempt->stage].class].demand;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        pn_wide used = pn_wide_product(demand[r], view->now - attempt->start);
        totals->used[r] = pn_wide_sum(totals->used[r], used);
        sums->used[r] = pn_wide_sum(sums->used[r], used);
        if (wasted)
            totals->wasted[r] = pn_wide_sum(totals->wasted[r], used);
    }
}

static void dispatch_release(const pn_dispatch_view *view, uint32_t place)
{
    const pn_dispatch_attempt *attempt = &view->attempts[place];
    const pn_dispatch_stage_entry *stage = &view->stages[attempt->stage];
    const pn_dispatch_class *class = &view->classes[stage->class];
    pn_dispatch_entry *job = &view->jobs[stage->job];
    pn_dispatch_lane *queue = &view->queues[job->queue];
    uint64_t *used = view->nodes[attempt->node].used;
    for (uint32_t r = 0; r < view->s->config.resources; r++) {
        used[r] -= class->demand[r];
        job->use[r] -= class->demand[r];
        queue->use[r] -= class->demand[r];
        view->s->in_use[r] -= class->demand[r];
    }
    pn_dispatch_room_changed(view, attempt->node);
    job->rate -= class->sigma;
    job->base = pn_wide_sum(job->base, pn_wide_product(class->sigma, view->now));
}

/* ---- jobs with running tasks ---- */

static pn_chain running_jobs(const pn_dispatch_view *view)
{
    return PN_CHAIN(&view->s->first_running, NULL, view->jobs, run_before, run_after);
}

static void link_running(const pn_dispatch_view *view, uint32_t job)
{
    pn_chain_insert(running_jobs(view), job, 0);
    view->s->holding++;
}

static void unlink_running(const pn_dispatch_view *view, uint32_t job)
{
    pn_chain_remove(running_jobs(view), job);
    view->jobs[job].run_before = view->jobs[job].run_after = 0;
    view->s->holding--;
}

/* Counts one more, or one less, that runs of the stage. */
static void count_running(const pn_dispatch_view *view, uint32_t stage, uint32_t by)
{
    pn_dispatch_stage_entry *entry = &view->stages[stage];
    pn_dispatch_entry *job = &view->jobs[entry->job];
    entry->running += by;
    job->running += by;
    view->queues[job->queue].running += by;
    view->s->totals.running += by;
    if (by == 1 && job->running == 1)
        link_running(view, entry->job);
    if (by != 1 && job->running == 0)
        unlink_running(view, entry->job);
}

/* Counts the estimated work of one task as pending no longer, or again. */
static void count_left(const pn_dispatch_view *view, uint32_t stage, bool again)
{
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    const pn_dispatch_class *class = &view->classes[entry->class];
    pn_dispatch_entry *job = &view->jobs[entry->job];
    uint64_t work = entry->estimate * class->sigma, area = entry->estimate * class->omega;
    job->left = again ? job->left + work : job->left - work;
    job->left_area = again ? job->left_area + area : job->left_area - area;
}

/* ---- start ---- */

int pn_dispatch_launchable(const pn_dispatch_view *view, uint32_t stage)
{
    return view->stages[stage].returned.count > 0 ||
           view->s->totals.attempts_held < view->s->config.attempts_max;
}

static void note_start(const pn_dispatch_view *view, uint32_t stage)
{
    pn_dispatch_stage_entry *entry = &view->stages[stage];
    pn_dispatch_entry *job = &view->jobs[entry->job];
    if (entry->times.start == PN_DISPATCH_NEVER)
        entry->times.start = view->now;
    if (job->first_start == PN_DISPATCH_NEVER)
        job->first_start = view->now;
}

/* Withdraws what the job offers. */
static void withdraw_all(const pn_dispatch_view *view, uint32_t job)
{
    while (view->jobs[job].first_bundle != 0) {
        pn_tree stages = pn_dispatch_stages_of(view, view->jobs[job].first_bundle - 1);
        pn_dispatch_withdraw(view, pn_tree_first(&stages));
    }
}

/* Offers all that the job has to offer. O(stages of the job). */
static void offer_all(const pn_dispatch_view *view, uint32_t job)
{
    for (uint32_t link = view->jobs[job].first_stage; link != 0;
         link = view->stages[link - 1].next) {
        const pn_dispatch_stage_entry *entry = &view->stages[link - 1];
        if (pn_dispatch_stage_ready(entry) && pn_dispatch_pending_of(entry) > 0)
            pn_dispatch_offer(view, link - 1);
    }
}

/* Applies what a launch changes in the order. */
static void served(const pn_dispatch_view *view, uint32_t stage)
{
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    if (!pn_dispatch_may_run(view->s, &view->jobs[entry->job]))
        withdraw_all(view, entry->job);
    else if (pn_dispatch_pending_of(entry) == 0)
        pn_dispatch_withdraw(view, stage);
    else
        pn_dispatch_reorder_stage(view, stage);
    if (view->s->order.keys >= PN_DISPATCH_KEYS_SERVED)
        pn_dispatch_rekey(view, entry->job);
    pn_dispatch_rekey_queue(view, view->jobs[entry->job].queue);
}

void pn_dispatch_start(pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    pn_dispatch *s = view->s;
    pn_dispatch_executor_serves(view, stage, node);
    uint32_t place = take_task(view, stage);
    pn_dispatch_attempt *attempt = &view->attempts[place];
    attempt->token = pn_fleet_next_token(attempt->token, place, s->config.attempts_max);
    attempt->start = view->now;
    attempt->node = node;
    attempt->state = PN_DISPATCH_RUNNING;
    attempt->supposed = 0;
    link_to_node(view, place);
    hold(view, stage, node);
    count_running(view, stage, 1);
    count_left(view, stage, false);
    note_start(view, stage);
    served(view, stage);
    s->stirred = 1;
    s->totals.launches++;
    pn_dispatch_report_attempt(view, PN_DISPATCH_LAUNCH, place);
    if (view->hooks->launch) {
        pn_dispatch_task task = pn_dispatch_task_of(view, place);
        view->hooks->launch(view->hooks->user, &task);
    }
}

int pn_dispatch_give(pn_dispatch_view *view, uint32_t stage, uint32_t node, uint64_t *most)
{
    if (!pn_dispatch_launchable(view, stage))
        return PN_ERR_FULL;
    if ((*most)-- == 0)
        return PN_PAUSED;
    pn_dispatch_start(view, stage, node);
    return PN_OK;
}

/* ---- end ---- */

static void count_end(const pn_dispatch_view *view, uint32_t event, pn_dispatch_entry *job)
{
    pn_dispatch_totals *totals = &view->s->totals;
    totals->ends += event == PN_DISPATCH_END;
    totals->kills += event == PN_DISPATCH_KILL;
    totals->failures += event == PN_DISPATCH_FAIL;
    totals->lost += event == PN_DISPATCH_LOSE;
    job->kills += event == PN_DISPATCH_KILL;
    job->lost += event == PN_DISPATCH_FAIL || event == PN_DISPATCH_LOSE;
}

/* Applies what an end changes in the order: the task is done, or pending again. */
static void freed(const pn_dispatch_view *view, uint32_t stage, bool again)
{
    const pn_dispatch_stage_entry *entry = &view->stages[stage];
    uint32_t keys = view->s->order.keys;
    uint64_t ran = (uint64_t)view->jobs[entry->job].running + 1;
    if (ran == view->s->config.running_most)
        offer_all(view, entry->job);
    else if (again && entry->bundle == 0)
        pn_dispatch_offer(view, stage);
    else if (again)
        pn_dispatch_reorder_stage(view, stage);
    if (keys >= PN_DISPATCH_KEYS_USED || (again && keys == PN_DISPATCH_KEYS_SERVED))
        pn_dispatch_rekey(view, entry->job);
    pn_dispatch_rekey_queue(view, view->jobs[entry->job].queue);
}

void pn_dispatch_end(pn_dispatch_view *view, uint32_t place, uint32_t event)
{
    pn_dispatch_attempt *attempt = &view->attempts[place];
    uint32_t stage = attempt->stage, node = attempt->node, job = view->stages[stage].job;
    uint32_t queue = view->jobs[job].queue;
    bool done = event == PN_DISPATCH_END;
    pn_dispatch_report_attempt(view, event, place);
    unlink_from_node(view, place);
    dispatch_release(view, place);
    account(view, attempt, queue, !done);
    count_running(view, stage, UINT32_MAX);
    count_end(view, event, &view->jobs[job]);
    if (done) {
        view->stages[stage].done++;
        pn_dispatch_attempt_free(view, place);
    } else {
        give_back_task(view, place);
        count_left(view, stage, true);
    }
    freed(view, stage, !done);
    if (view->nodes[node].capacity[0] == 0)
        pn_dispatch_executor_leaves(view, node);
    pn_dispatch_more_room(view, node, queue);
    if (done && view->stages[stage].done == view->stages[stage].tasks)
        pn_dispatch_stage_closes(view, stage);
}

/* ---- naming attempts ---- */

pn_dispatch_task pn_dispatch_task_of(const pn_dispatch_view *view, uint32_t place)
{
    const pn_dispatch_attempt *attempt = &view->attempts[place];
    const pn_dispatch_stage_entry *stage = &view->stages[attempt->stage];
    return (pn_dispatch_task){.struct_size = sizeof(pn_dispatch_task),
                              .id = stage->number,
                              .tag = view->jobs[stage->job].tag,
                              .start = attempt->start,
                              .token = attempt->token,
                              .stage = stage->index,
                              .task = attempt->task,
                              .attempt = attempt->attempt,
                              .node = attempt->node,
                              .place = place};
}

uint32_t pn_dispatch_attempt_of(const pn_dispatch *s, uint64_t token)
{
    const pn_dispatch_attempt *attempts = pn_at((void *)(uintptr_t)s, s->attempts);
    uint32_t place = (uint32_t)(token % s->config.attempts_max);
    return attempts[place].token == token && attempts[place].state == PN_DISPATCH_RUNNING
               ? place
               : PN_DISPATCH_NO_ATTEMPT;
}
