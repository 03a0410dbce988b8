/* Compares what Slurm shows with what the host has, and tells the core what has happened. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

enum { MISSING_MOST = 2 }; /* readings in a row without it: an element has ended */

/* ---- elements -------------------------------------------------------------------------------- */

static const sl_node *node_of(const sl_host *host, const sl_element *element)
{
    return &host->nodes[host->attempts[element->place].task.node];
}

static void say(const sl_host *host, const sl_job *job, const sl_element *element, const char *what)
{
    char name[64];
    note(host, "%s: %s", element_name(name, job, element), what);
}

static void set_free(sl_job *job, sl_element *element)
{
    element->state = FREE;
    job->first_free = 0;
}

/* An element that was released and has not started: its node may take nothing any more, or Slurm
 * may have reasons not to start it. */
static void see_waiting(sl_host *host, sl_job *job, sl_element *element, const sl_row *row)
{
    if (row->seen == WAITS && !node_of(host, element)->takes) {
        say(host, job, element, "is taken back: its node takes no tasks now");
        unbind(host, element, FAILED);
        element->state = BACK;
    } else if (host->now - element->since > host->options->patience_ms) {
        char name[64];
        note(host, "%s: is left to Slurm, which does not start it: %s",
             element_name(name, job, element), row->reason);
        unbind(host, element, FAILED);
        element->state = ASTRAY;
    }
}

static void see_bound(sl_host *host, sl_job *job, sl_element *element, const sl_row *row)
{
    if (row->seen == OVER) {
        if (strcmp(row->state, "CD") != 0)
            say(host, job, element, row->state);
        unbind(host, element, FINISHED);
        element->state = ENDED;
    } else if (row->seen == LIVE && *row->nodes &&
               strcmp(row->nodes, node_of(host, element)->name) != 0) {
        say(host, job, element, "runs on a node that the core did not choose");
        unbind(host, element, FAILED);
        element->state = ASTRAY;
    } else if (row->seen == LIVE) {
        element->has_run = 1;
    } else if (!element->has_run) {
        see_waiting(host, job, element, row);
    } else {
        say(host, job, element, "was requeued");
        unbind(host, element, FAILED);
        element->state = BACK;
        if (row->seen == HELD)
            set_free(job, element);
    }
}

/* Returns 1 if what runs is an attempt that was lost or killed and has not left Slurm yet. */
static int is_leaving(const sl_host *host, const sl_element *element, const sl_row *row)
{
    int leaves = element->is_killed || strcmp(row->state, "CG") == 0;
    for (uint32_t i = 0; i < host->node_count && !leaves; i++)
        leaves = host->nodes[i].is_down && strcmp(host->nodes[i].name, row->nodes) == 0;
    return leaves;
}

static void see_other(sl_host *host, sl_job *job, sl_element *element, const sl_row *row)
{
    if (row->seen == HELD && memcmp(row->demand, job->demand, sizeof job->demand) != 0) {
        if (element->state != ASTRAY)
            say(host, job, element, "is left to Slurm: another demand than its job");
        element->state = ASTRAY;
    } else if (row->seen == HELD) {
        set_free(job, element);
    } else if (row->seen == OVER) {
        if (element->state == FREE)
            say(host, job, element, row->state);
        element->state = ENDED;
    } else if (element->state != BACK || (row->seen == LIVE && !is_leaving(host, element, row))) {
        if (element->state != ASTRAY)
            say(host, job, element, "was released, but not by this host");
        element->state = ASTRAY;
    }
}

static void see(sl_host *host, sl_job *job, sl_element *element, const sl_row *row)
{
    element->asked = element->seen == row->seen ? element->asked : 0;
    element->seen = row->seen;
    element->missing = 0;
    if (job->state == LEFT)
        return;
    if (element->state == BOUND)
        see_bound(host, job, element, row);
    else if (element->state != ENDED || row->seen != OVER)
        see_other(host, job, element, row);
}

static void see_rows(sl_host *host, sl_job *job, const sl_row *rows, size_t count)
{
    job->missing = 0;
    for (size_t i = 0; i < count; i++)
        see(host, job, find_element(job, rows[i].element), &rows[i]);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Returns 1 if rows show another job than the one that had this number. */
static int is_other(const sl_job *job, const sl_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].uid != job->uid || !find_element(job, rows[i].element))
            return 1;
    return 0;
}

/* Forgets a job; what runs of it is no longer the host's. */
static int forget(sl_host *host, sl_job *job)
{
    int status = PN_OK;
    note(host, "job %" PRIu64 ": its number belongs to another job now", job->id);
    host->drops = 1;
    if (job->state == IN)
        status = pn_dispatch_cancel(host->core, &host->hooks, host->now, job->core);
    host->drops = 0;
    remove_job(host, job);
    return status;
}

static size_t rows_of_job(const sl_rows *rows, size_t first)
{
    size_t count = 1;
    while (first + count < rows->count && rows->list[first + count].job == rows->list[first].job)
        count++;
    return count;
}

/* Returns 1 if an element is held in the host's partition. */
static int is_offered(const sl_host *host, const sl_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].seen == HELD && has_word(rows[i].partition, host->options->partition))
            return 1;
    return 0;
}

/* Returns why the core cannot decide about the job; null if it can decide about a held element. Of
 * an array all elements are alike when they come; one alone is odd after a change, or because an
 * earlier host had a node for it. */
static const char *odd_of(const sl_host *host, const sl_row *rows, size_t count)
{
    const char *odd = NULL;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].seen != HELD)
            continue;
        const char *own = rows[i].odd;
        if (!own && strcmp(rows[i].partition, host->options->partition) != 0)
            own = "several partitions";
        if (!own)
            return NULL;
        odd = odd ? odd : own;
    }
    return odd;
}

static void leave_job(sl_host *host, sl_job *job, const char *why)
{
    job->state = LEFT;
    note(host, "job %" PRIu64 " of %s is left to Slurm: %s", job->id, user_name(job->uid), why);
}

static int take_job(sl_host *host, const sl_row *rows, size_t count)
{
    const char *odd = odd_of(host, rows, count);
    sl_job *job = add_job(host, rows, count);
    if (!job)
        return complain("not enough memory"), PN_ERR_SIZE;
    if (odd)
        leave_job(host, job, odd);
    see_rows(host, job, rows, count);
    return PN_OK;
}

/* Compares a job with its rows. */
static int see_job(sl_host *host, const sl_row *rows, size_t count)
{
    sl_job *job = find_job(host, rows->job);
    int status = PN_OK;
    if (job && is_other(job, rows, count)) {
        status = forget(host, job);
        job = NULL;
    }
    if (status >= 0 && !job && is_offered(host, rows, count))
        return take_job(host, rows, count);
    if (job)
        see_rows(host, job, rows, count);
    return status;
}

/* Ends elements that a number of readings in a row did not show. */
static void see_missing(sl_host *host, sl_job *job)
{
    const sl_row gone = {.seen = OVER, .state = "is gone from the queue", .nodes = ""};
    for (uint32_t i = 0; i < job->count; i++)
        if (job->elements[i].missing++ == MISSING_MOST)
            see(host, job, &job->elements[i], &gone);
}

static int see_all(sl_host *host, const sl_rows *rows)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < host->job_count; i++)
        host->jobs[i].missing++;
    for (size_t i = 0, count; i < rows->count && status >= 0; i += count) {
        count = rows_of_job(rows, i);
        status = see_job(host, &rows->list[i], count);
    }
    for (uint32_t i = 0; i < host->job_count; i++)
        see_missing(host, &host->jobs[i]);
    for (uint32_t i = host->job_count; i-- > 0;)
        if (host->jobs[i].missing > MISSING_MOST &&
            (host->jobs[i].state == DONE || host->jobs[i].state == LEFT))
            remove_job(host, &host->jobs[i]);
    return status;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Returns 1 if the row holds what the core does not know of. */
static int is_foreign(const sl_host *host, const sl_row *row)
{
    const sl_job *job = find_job(host, row->job);
    const sl_element *element = job ? find_element(job, row->element) : NULL;
    return row->seen == LIVE && !(element && (element->state == BOUND || element->state == BACK));
}

/* Takes from what the nodes have what runs there and is not the core's. */
static void subtract_foreign(sl_host *host, const sl_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const sl_row *row = &rows->list[i];
        uint64_t parts = row->node_count > 0 ? row->node_count : 1;
        if (!is_foreign(host, row))
            continue;
        for (uint32_t k = 0; k < host->node_count; k++)
            for (int r = 0; r < RESOURCES && has_node(row->nodes, host->nodes[k].name); r++) {
                uint64_t *now = &host->nodes[k].now[r], part = (row->demand[r] + parts - 1) / parts;
                *now -= part < *now ? part : *now;
            }
    }
}

static int is_lost(const sl_host *host, uint32_t node)
{
    return host->nodes[node].is_down && pn_dispatch_is_up(host->core, node);
}

static int tell_node(sl_host *host, uint32_t index)
{
    sl_node *node = &host->nodes[index];
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX] = {node->now[CPUS], node->now[MEMORY]};
    if (is_lost(host, index)) {
        note(host, "node %s is down", node->name);
        return pn_dispatch_node_down(host->core, &host->hooks, host->now, index);
    }
    if (node->is_down || memcmp(node->now, node->present, sizeof node->now) == 0)
        return PN_OK;
    memcpy(node->present, node->now, sizeof node->now);
    note(host, "node %s has %" PRIu64 " CPUs and %" PRIu64 " MB", node->name, capacity[CPUS],
         capacity[MEMORY]);
    return pn_dispatch_resize(host->core, &host->hooks, host->now, index, capacity);
}

static int tell_ups(sl_host *host)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < host->node_count && status >= 0; i++)
        if (!host->nodes[i].is_down && !pn_dispatch_is_up(host->core, i)) {
            note(host, "node %s is up", host->nodes[i].name);
            status = pn_dispatch_node_up(host->core, &host->hooks, host->now, i);
        }
    return status;
}

static int tell_nodes(sl_host *host)
{
    int status = tell_ups(host);
    for (uint32_t i = 0; i < host->node_count && status >= 0; i++)
        status = tell_node(host, i);
    return status;
}

/* ---- attempts that have ended ---------------------------------------------------------------- */

/* Orders attempts as an instant does: by job, then by task (DG3). */
static int compare_ends(const void *left, const void *right)
{
    const sl_attempt *a = *(sl_attempt *const *)left, *b = *(sl_attempt *const *)right;
    if (a->task.id != b->task.id)
        return a->task.id < b->task.id ? -1 : 1;
    return a->task.task < b->task.task ? -1 : a->task.task > b->task.task;
}

static int tell_end(sl_host *host, sl_attempt *attempt)
{
    int (*tell)(pn_dispatch *, const pn_dispatch_hooks *, uint64_t,
                uint64_t) = attempt->end == FINISHED ? pn_dispatch_finished : pn_dispatch_failed;
    attempt->state = UNUSED;
    int status = tell(host->core, &host->hooks, host->now, attempt->task.token);
    return status == PN_ERR_STALE ? PN_OK : status;
}

/* Returns the number of ends told, or a status. */
static int tell_ends(sl_host *host)
{
    sl_attempt **ends = calloc(host->places, sizeof *ends);
    int count = 0, status = ends ? PN_OK : PN_ERR_SIZE;
    for (uint32_t i = 0; i < host->places && ends; i++)
        if (host->attempts[i].state != UNUSED && host->attempts[i].end != GOES_ON)
            ends[count++] = &host->attempts[i];
    if (count > 1)
        qsort(ends, (size_t)count, sizeof *ends, compare_ends);
    for (int i = 0; i < count && status >= 0; i++)
        status = tell_end(host, ends[i]);
    free(ends);
    return status < 0 ? status : count;
}

/* Tells of attempts that ended in an instant of their own, if nodes are lost at the same time: an
 * attempt that ended well on a lost node is not lost. */
static int tell_ends_of_lost(sl_host *host)
{
    uint32_t node = 0;
    while (node < host->node_count && !is_lost(host, node))
        node++;
    int status = node < host->node_count ? tell_ends(host) : 0;
    if (status > 0)
        next_instant(host);
    return status;
}

/* ---- jobs that come and go ------------------------------------------------------------------- */

static uint32_t count_state(const sl_job *job, int state)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < job->count; i++)
        count += (int)job->elements[i].state == state;
    return count;
}

static int submit(sl_host *host, sl_job *job, uint32_t tasks)
{
    pn_dispatch_stage stage = {.demand = {job->demand[CPUS], job->demand[MEMORY]},
                               .estimate = job->limit_ms > 0 ? job->limit_ms
                                                             : host->options->estimate_ms,
                               .tasks = tasks};
    const pn_dispatch_job given = {.stages = &stage,
                                   .stage_count = 1,
                                   .queue = queue_of(host, job->uid),
                                   .group = job->uid,
                                   .tag = job->id};
    const char *why = pn_dispatch_fault(host->core, &given, &(uint32_t){0});
    if (why) {
        leave_job(host, job, why);
        return PN_OK;
    }
    int status = pn_dispatch_submit(host->core, &host->hooks, host->now, &given, &job->core);
    if (status == PN_ERR_FULL)
        return PN_OK;
    job->state = IN;
    note(host,
         "job %" PRIu64 " of %s is job %" PRIu64 ": %" PRIu32 " tasks with %" PRIu64
         " CPUs and %" PRIu64 " MB",
         job->id, user_name(job->uid), job->core, tasks, job->demand[CPUS], job->demand[MEMORY]);
    return status;
}

/* Cancels a job without an element that may start or end. Submits one with elements that no job of
 * the core has: a new one, or one whose elements came back after its end. */
static int tell_job(sl_host *host, sl_job *job)
{
    const uint32_t unstarted = count_state(job, FREE);
    if (job->state == IN && count_state(job, ENDED) == job->count)
        return pn_dispatch_cancel(host->core, &host->hooks, host->now, job->core);
    if (job->state == DONE && unstarted > 0)
        job->state = NEW;
    if (job->state == NEW && count_state(job, ENDED) == job->count)
        job->state = DONE;
    return job->state == NEW && unstarted > 0 ? submit(host, job, unstarted) : PN_OK;
}

static int tell_jobs(sl_host *host)
{
    int status = PN_OK;
    for (uint32_t i = 0; i < host->job_count && status >= 0; i++)
        status = tell_job(host, &host->jobs[i]);
    return status;
}

/* ---- decisions ------------------------------------------------------------------------------- */

static int decide(sl_host *host)
{
    int status = PN_OK;
    if (pn_dispatch_wants_ticks(host->core))
        status = pn_dispatch_tick(host->core, &host->hooks, host->now);
    if (status >= 0 || status == PN_ERR_FULL)
        status = pn_dispatch_run(host->core, &host->hooks, host->now, UINT64_MAX);
    return status == PN_ERR_FULL ? PN_OK : status;
}

/* Returns 1 if an attempt got no element and is to end. */
static int bind_all(sl_host *host)
{
    int has_ends = 0;
    for (uint32_t i = 0; i < host->places; i++) {
        sl_attempt *attempt = &host->attempts[i];
        if (attempt->state == LAUNCHED && attempt->end == GOES_ON)
            bind(host, attempt);
        has_ends |= attempt->state == LAUNCHED && attempt->end != GOES_ON;
    }
    return has_ends;
}

int tell_core(sl_host *host, const sl_rows *rows)
{
    next_instant(host);
    const uint64_t before = host->told;
    int status = see_all(host, rows);
    subtract_foreign(host, rows);
    if (status >= 0)
        status = tell_ends_of_lost(host);
    if (status >= 0)
        status = tell_nodes(host);
    if (status >= 0)
        status = tell_ends(host);
    if (status >= 0)
        status = tell_jobs(host);
    if (status >= 0 && (host->told > before || pn_dispatch_wants_ticks(host->core)))
        status = decide(host);
    while (status >= 0 && bind_all(host)) {
        next_instant(host);
        status = tell_ends(host);
        if (status >= 0)
            status = tell_jobs(host);
        if (status >= 0)
            status = decide(host);
    }
    return status < 0 ? status : PN_OK;
}
