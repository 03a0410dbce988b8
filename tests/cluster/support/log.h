/* Logs of the cluster model, as hosts write them. */
#ifndef CLUSTER_LOG_H
#define CLUSTER_LOG_H

#include <stdbool.h>
#include <stdlib.h>

#include "pinion.h"

typedef struct cluster_log {
    pn_scheduler_event *entry;
    size_t count, room;
} cluster_log;

static inline void cluster_log_add(cluster_log *log, const pn_scheduler_event *event)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 64;
        log->entry = realloc(log->entry, log->room * sizeof *log->entry);
        if (!log->entry)
            abort();
    }
    log->entry[log->count++] = *event;
}

static inline void cluster_log_free(cluster_log *log)
{
    free(log->entry);
    *log = (cluster_log){NULL, 0, 0};
}

/* A hook with `user` = a cluster_log. */
static inline void cluster_log_event(void *user, const pn_scheduler_event *event)
{
    cluster_log_add(user, event);
}

/* The digest as the header defines it. */
static inline uint64_t cluster_log_digest(const cluster_log *log)
{
    uint64_t digest = 0;
    uint64_t sum = 0;
    for (size_t i = 0; i < log->count; i++) {
        const pn_scheduler_event *e = &log->entry[i];
        uint64_t event = pn_mix(pn_mix(pn_mix(PN_MIX_START, e->time), e->event), e->id);
        event = pn_mix(pn_mix(pn_mix(pn_mix(event, e->kind), e->task), e->node), e->attempt);
        bool promise = e->event != PN_SCHEDULER_REJECT && e->estimate != 0 &&
                       e->estimate != PN_SCHEDULER_NEVER;
        if (e->event == PN_SCHEDULER_NODE_RESIZE)
            event = pn_mix(pn_mix(event, e->slots[0]), e->slots[1]);
        sum += promise ? pn_mix(pn_mix(event, e->estimate), e->deadline) : event;
        if (i + 1 == log->count || log->entry[i + 1].time != e->time) {
            digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), e->time), sum);
            sum = 0;
        }
    }
    return digest;
}

/* The last finish. */
static inline uint64_t cluster_log_end(const cluster_log *log)
{
    uint64_t end = 0;
    for (size_t i = 0; i < log->count; i++)
        if (log->entry[i].event == PN_SCHEDULER_JOB_FINISH)
            end = log->entry[i].time;
    return end;
}

/* Of so many jobs, those that have not ended. */
static inline uint64_t cluster_log_unfinished(const cluster_log *log, size_t jobs)
{
    for (size_t i = 0; i < log->count; i++) {
        uint32_t event = log->entry[i].event;
        jobs -= event == PN_SCHEDULER_JOB_FINISH || event == PN_SCHEDULER_JOB_FAIL ||
                event == PN_SCHEDULER_JOB_CANCEL || event == PN_SCHEDULER_REJECT;
    }
    return jobs;
}

#endif
