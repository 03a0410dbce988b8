/* The virtual SRPT run: jobs without dependencies, preemptive, on all machines (SL10-SL12). It
 * bounds every schedule from below (Lemma 1) and tells ASRPT which maps to prefer. Its cost is one
 * heap operation per job entered or finished and one step per job served. */
#include "state.h"

static void slotted_srpt_key_of(const pn_slotted_view *view, const pn_slotted_shadow *shadow,
                                uint32_t job, uint64_t word[2])
{
    word[0] = pn_slotted_work(shadow, job)->maps + pn_slotted_work(shadow, job)->reduces;
    word[1] = view->jobs[job].id;
}

void pn_slotted_shadow_enter(pn_slotted_view *view, pn_slotted_shadow *shadow, uint32_t job)
{
    pn_slotted_shadow_work *work = pn_slotted_work(shadow, job);
    work->maps = view->jobs[job].maps;
    work->reduces = view->jobs[job].reduces;
    if (shadow->state->estimates) {
        work->maps += (uint64_t)view->misjudged[job].maps;
        work->reduces += (uint64_t)view->misjudged[job].reduces;
    }
    if (work->maps + work->reduces == 0)
        return; /* as far as the run can tell, there is nothing to do */
    uint64_t word[2];
    slotted_srpt_key_of(view, shadow, job, word);
    pn_heap_push(&shadow->heap, job, word);
    view->jobs[job].holders++;
}

/* Returns the units left of the first job's phase at hand; while these fill all machines, the run
 * serves nothing else. */
static uint64_t *first_units(const pn_slotted_shadow *shadow)
{
    pn_slotted_shadow_work *work = pn_slotted_work(shadow, shadow->heap.entry[0].item);
    return work->maps > 0 ? &work->maps : &work->reduces;
}

uint64_t pn_slotted_virtual_quiet(const pn_slotted_view *view, const pn_slotted_shadow *shadow)
{
    /* The last unit stays for a proper step, so that a job completes in one. */
    return shadow->heap.state->count > 0 ? (*first_units(shadow) - 1) / view->sim->config.machines
                                         : PN_SLOTTED_FOREVER;
}

/* Makes many steps at once, through quiet slots up to `slot`. Before a slot whose policy failed,
 * the run has passed them already. */
void pn_slotted_shadow_pass(pn_slotted_view *view, pn_slotted_shadow *shadow, uint64_t slot)
{
    if (slot <= shadow->state->slot)
        return;
    uint64_t units = (slot - shadow->state->slot) * view->sim->config.machines;
    shadow->state->slot = slot;
    if (shadow->heap.state->count == 0)
        return;
    uint32_t job = shadow->heap.entry[0].item;
    PN_ASSERT(*first_units(shadow) > units);
    *first_units(shadow) -= units;
    shadow->heap.entry[0].word[0] -= units;
    if (shadow == view->policy_shadow)
        pn_slotted_order_overdue(view, job);
}

/* Serves SL11: the shortest first, each its maps, then its reduces; map and reduce of one job may
 * share a slot. */
void pn_slotted_shadow_step(pn_slotted_view *view, pn_slotted_shadow *shadow)
{
    uint64_t idle = view->sim->config.machines;
    uint32_t served = 0;
    uint32_t completed = 0;
    while (idle > 0 && shadow->heap.state->count > 0) {
        uint32_t job = shadow->heap.entry[0].item;
        pn_slotted_shadow_work *work = pn_slotted_work(shadow, job);
        uint64_t maps = pn_min(work->maps, idle);
        uint64_t reduces = pn_min(work->reduces, idle - maps); /* none while maps are left */
        shadow->served[served++] = (pn_slotted_served){job, (uint32_t)maps, (uint32_t)reduces};
        work->maps -= maps;
        work->reduces -= reduces;
        idle -= maps + reduces;
        if (work->maps + work->reduces == 0) {
            pn_heap_pop(&shadow->heap);
            shadow->state->total_flow_time += view->slot - view->jobs[job].arrival + 1;
            completed++;
        } else {
            /* Less is left of it than before, so the first stays first: its key changes in
             * place. */
            shadow->heap.entry[0].word[0] = work->maps + work->reduces;
        }
    }
    shadow->state->slot = view->slot;
    shadow->state->served_count = served;
    shadow->state->completed_count = completed;
}

/* Takes the last step back. Only the first job in the heap can have been served in part, and giving
 * it its work back leaves it first: it was first before the step, and all that were before it are
 * pushed again. */
void pn_slotted_shadow_undo(pn_slotted_view *view, pn_slotted_shadow *shadow)
{
    shadow->state->slot--;
    for (uint32_t i = shadow->state->served_count; i-- > 0;) {
        const pn_slotted_served *served = &shadow->served[i];
        pn_slotted_shadow_work *work = pn_slotted_work(shadow, served->job);
        bool completed = i < shadow->state->completed_count;
        uint64_t word[2];
        work->maps += served->maps;
        work->reduces += served->reduces;
        slotted_srpt_key_of(view, shadow, served->job, word);
        if (completed) {
            pn_heap_push(&shadow->heap, served->job, word);
            shadow->state->total_flow_time -= view->slot - view->jobs[served->job].arrival + 1;
        } else {
            shadow->heap.entry[0].word[0] = word[0];
        }
    }
}
