/* What is reported: events with the digest, and jobs. */
#include "state.h"

static void dispatch_fold(pn_dispatch *s, const pn_dispatch_event *event)
{
    uint64_t start = pn_fleet_fold(&s->fleet, event->time);
    uint64_t mixed = pn_mix(pn_mix(pn_mix(start, event->event), event->id), event->stage);
    mixed = pn_mix(pn_mix(pn_mix(mixed, event->task), event->node), event->attempt);
    for (uint32_t r = 0; event->event == PN_DISPATCH_NODE_RESIZE && r < s->config.resources; r++)
        mixed = pn_mix(mixed, event->capacity[r]);
    s->fleet.fold += mixed;
}

uint64_t pn_dispatch_digest(const pn_dispatch *core)
{
    return pn_fleet_digest(&core->fleet);
}

static void dispatch_report(pn_dispatch_view *view, const pn_dispatch_event *event)
{
    dispatch_fold(view->s, event);
    view->s->totals.last_logged = view->now;
    view->s->totals.saturated_ms = view->s->fleet.saturated_ms;
    if (view->hooks->on_event)
        view->hooks->on_event(view->hooks->user, event);
}

/* Tells of a job, or with PN_NO_JOB of a node. */
void pn_dispatch_report(pn_dispatch_view *view, uint32_t event, uint32_t job, uint32_t node)
{
    pn_dispatch_event e = {
        .struct_size = sizeof e, .time = view->now, .event = event, .node = node};
    if (job != PN_NO_JOB) {
        e.id = view->jobs[job].id;
        e.tag = view->jobs[job].tag;
        e.place = job;
    }
    dispatch_report(view, &e);
}

void pn_dispatch_report_resize(pn_dispatch_view *view, uint32_t node)
{
    pn_dispatch_event e = {
        .struct_size = sizeof e, .time = view->now, .event = PN_DISPATCH_NODE_RESIZE, .node = node};
    memcpy(e.capacity, view->nodes[node].capacity, sizeof e.capacity);
    dispatch_report(view, &e);
}

void pn_dispatch_report_attempt(pn_dispatch_view *view, uint32_t event, uint32_t place)
{
    const pn_dispatch_task task = pn_dispatch_task_of(view, place);
    pn_dispatch_event e = {.struct_size = sizeof e,
                           .time = view->now,
                           .id = task.id,
                           .tag = task.tag,
                           .event = event,
                           .stage = task.stage,
                           .task = task.task,
                           .node = task.node,
                           .attempt = task.attempt,
                           .place = place};
    dispatch_report(view, &e);
}

void pn_dispatch_record_of(const pn_dispatch_entry *job, uint32_t state, uint64_t finish,
                           pn_dispatch_record *record)
{
    *record = (pn_dispatch_record){.struct_size = sizeof *record,
                                   .id = job->id,
                                   .tag = job->tag,
                                   .arrival = job->arrival,
                                   .first_start = job->first_start,
                                   .finish = finish,
                                   .deadline = job->deadline,
                                   .kills = job->kills,
                                   .lost = job->lost,
                                   .weight = job->weight,
                                   .queue = job->queue,
                                   .group = job->group,
                                   .state = state,
                                   .stage_count = job->stages};
}
