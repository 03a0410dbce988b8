/* The orders of the bound policy: what they need in the block, who is a member, and when a key is
 * computed again. */
#include "base/config.h"
#include "state.h"

/* ---- what makes sense ---- */

static bool members_sane(uint8_t members)
{
    return members == PN_TANDEM_MAPPING || members == PN_TANDEM_BACKLOG ||
           members == PN_TANDEM_PRESENT;
}

static bool tandem_orders_sane(const pn_tandem_policy *policy)
{
    for (int k = 0; k < policy->order_count; k++)
        if (policy->orders[k].changes > PN_TANDEM_AT_INSTANTS ||
            !members_sane(policy->orders[k].members))
            return false;
    return true;
}

static bool order_holds(const pn_tandem_policy *policy, uint8_t order, uint8_t members)
{
    return order < policy->order_count && policy->orders[order].members == members &&
           !policy->orders[order].member;
}

bool pn_tandem_service_sane(const pn_tandem_policy *policy, uint32_t station,
                            pn_tandem_service service)
{
    if (station == PN_TANDEM_MAP_STATION) {
        if (!order_holds(policy, service.order, PN_TANDEM_MAPPING))
            return false;
        bool fixed = !policy->orders[service.order].key ||
                     policy->orders[service.order].changes == PN_TANDEM_ON_ARRIVAL;
        return service.way == PN_TANDEM_FIRST || (service.way == PN_TANDEM_SHARE && fixed);
    }
    switch (service.way) {
    case PN_TANDEM_FIRST:
        return order_holds(policy, service.order, PN_TANDEM_BACKLOG);
    case PN_TANDEM_STRICT:
        return order_holds(policy, service.order, PN_TANDEM_PRESENT);
    default:
        return service.way == PN_TANDEM_SHARE || service.way == PN_TANDEM_RIGID;
    }
}

bool pn_tandem_policy_sane(const pn_tandem_policy *policy)
{
    if (!PN_GIVEN(policy, pn_tandem_policy, finish) || !pn_name_sane(policy->name) ||
        policy->work_conserving > PN_TANDEM_WORK_CONSERVING_BY_DEFAULT)
        return false;
    if (policy->order_count > PN_TANDEM_ORDERS_MAX ||
        !pn_params_sane(policy->params, policy->param_count))
        return false;
    if (!tandem_orders_sane(policy))
        return false;
    return policy->act ||
           (pn_tandem_service_sane(policy, PN_TANDEM_MAP_STATION, policy->map) &&
            pn_tandem_service_sane(policy, PN_TANDEM_SHUFFLE_STATION, policy->shuffle));
}

/* ---- memory ---- */

/* Lays out what one policy needs from `offset` on and returns the end. With a simulation given, the
 * offsets are noted there. Called for sizing (every policy the block must have memory for) and for
 * binding (the one that moves in). */
size_t pn_tandem_room(const pn_tandem_policy *policy, const pn_tandem_config *config,
                      pn_tandem *sim, size_t offset)
{
    pn_arena arena = {offset, false};
    for (int k = 0; k < policy->order_count; k++) {
        size_t entries = pn_arena_take(&arena, config->jobs_max, sizeof(pn_heap_entry));
        if (sim) {
            sim->orders[k] = (pn_heap_state){.capacity = config->jobs_max};
            sim->order_entries[k] = entries;
        }
    }
    size_t own = pn_arena_take(&arena, policy->state_bytes, 1);
    pn_arena_take(&arena, config->jobs_max, policy->state_bytes_per_job);
    if (sim)
        sim->policy_state = own;
    return pn_arena_size(&arena, SIZE_MAX);
}

/* Records which orders the kernel keeps: all when the policy may ask for them, else those that a
 * station serves by. */
void pn_tandem_orders_use(pn_tandem *sim, const pn_tandem_policy *policy)
{
    for (int k = 0; k < policy->order_count; k++)
        sim->used[k] = policy->act || policy->wake;
    if (policy->act)
        return;
    sim->used[sim->services[PN_TANDEM_MAP_STATION].order] = 1;
    const pn_tandem_service *shuffle = &sim->services[PN_TANDEM_SHUFFLE_STATION];
    if (shuffle->way == PN_TANDEM_FIRST || shuffle->way == PN_TANDEM_STRICT)
        sim->used[shuffle->order] = 1;
}

/* ---- membership ---- */

pn_key pn_tandem_key_of(const pn_tandem_view *view, uint32_t order, uint32_t job)
{
    pn_key key = {{0, view->jobs[job].id}};
    if (view->sim->failure == 0)
        view->policy->orders[order].key(view, job, &key);
    return key;
}

/* Asks the orders which of them take an arriving job. */
void pn_tandem_accept(pn_tandem_view *view, uint32_t job)
{
    uint8_t accepted = 0;
    for (int k = 0; k < view->policy->order_count; k++) {
        const pn_tandem_order *order = &view->policy->orders[k];
        bool takes = !order->member || (view->sim->failure == 0 && order->member(view, job));
        accepted |= (uint8_t)(takes << k);
    }
    view->jobs[job].accepted = accepted;
}

void pn_tandem_enter(pn_tandem_view *view, uint32_t members, uint32_t job)
{
    for (int i = 0; i < view->order_count[members]; i++) {
        uint32_t k = view->order_list[members][i];
        uint64_t word[2];
        if (!(view->jobs[job].accepted >> k & 1))
            continue;
        pn_tandem_words(view, k, job, word);
        pn_heap_push(&view->heaps[k], job, word);
    }
}

void pn_tandem_leave(pn_tandem_view *view, uint32_t members, uint32_t job)
{
    for (int i = 0; i < view->order_count[members]; i++) {
        uint32_t k = view->order_list[members][i];
        if (view->jobs[job].accepted >> k & 1)
            pn_heap_remove(&view->heaps[k], job);
    }
}

/* Renews the key of a job that was served. */
void pn_tandem_rekey(pn_tandem_view *view, uint32_t job)
{
    for (int i = 0; i < view->renewed_count; i++) {
        uint32_t k = view->renewed[i];
        uint64_t word[2];
        if (!pn_heap_has(&view->heaps[k], job))
            continue;
        pn_tandem_words(view, k, job, word);
        pn_heap_update(&view->heaps[k], job, word);
    }
}

/* Computes all keys again that change at instants. */
void pn_tandem_renew(pn_tandem_view *view)
{
    view->sim->backlog_summed = 0;
    for (int k = 0; k < view->policy->order_count; k++) {
        if (!view->sim->used[k] || view->policy->orders[k].changes != PN_TANDEM_AT_INSTANTS ||
            !view->policy->orders[k].key)
            continue;
        const pn_heap *heap = &view->heaps[k];
        for (uint32_t i = 0; i < heap->state->count; i++) {
            pn_key key = pn_tandem_key_of(view, (uint32_t)k, heap->entry[i].item);
            memcpy(heap->entry[i].word, key.word, sizeof key.word);
        }
        pn_heap_rebuild(heap);
    }
}
