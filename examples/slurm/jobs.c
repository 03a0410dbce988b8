/* Jobs and elements as the host knows them. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

/* ---- the table ------------------------------------------------------------------------------- */

/* Returns the number of jobs with smaller ids. */
static uint32_t place_of(const sl_host *host, uint64_t id)
{
    uint32_t low = 0, high = host->job_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (host->jobs[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

sl_job *find_job(const sl_host *host, uint64_t id)
{
    uint32_t place = place_of(host, id);
    return place < host->job_count && host->jobs[place].id == id ? &host->jobs[place] : NULL;
}

sl_element *find_element(const sl_job *job, int64_t index)
{
    uint32_t low = 0, high = job->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (job->elements[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < job->count && job->elements[low].index == index ? &job->elements[low] : NULL;
}

/* Returns what an element is that the host did not start. */
static sl_element first_state(const sl_row *row)
{
    return (sl_element){.index = row->element,
                        .seen = row->seen,
                        .state = row->seen == HELD   ? FREE
                                 : row->seen == OVER ? ENDED
                                                     : ASTRAY};
}

/* Returns the first held row that is not odd, if there is one. */
static const sl_row *first_held(const sl_row *rows, size_t count)
{
    const sl_row *first = rows;
    for (size_t i = 0; i < count && (first->seen != HELD || first->odd); i++)
        if (rows[i].seen == HELD)
            first = &rows[i];
    return first;
}

sl_job *add_job(sl_host *host, const sl_row *rows, size_t count)
{
    sl_element *elements = calloc(count, sizeof *elements);
    sl_job *jobs = realloc(host->jobs, (host->job_count + 1) * sizeof *jobs);
    host->jobs = jobs ? jobs : host->jobs;
    if (!jobs || !elements) {
        free(elements);
        return NULL;
    }
    sl_job *job = &jobs[place_of(host, rows->job)];
    memmove(job + 1, job, (size_t)(jobs + host->job_count - job) * sizeof *job);
    host->job_count++;
    *job = (sl_job){.id = rows->job, .uid = rows->uid, .elements = elements};
    for (size_t i = 0; i < count; i++)
        elements[job->count++] = first_state(&rows[i]);
    const sl_row *first = first_held(rows, count);
    memcpy(job->demand, first->demand, sizeof job->demand);
    job->limit_ms = first->limit_ms;
    return job;
}

void remove_job(sl_host *host, sl_job *job)
{
    free(job->elements);
    host->job_count--;
    memmove(job, job + 1, (size_t)(host->jobs + host->job_count - job) * sizeof *job);
}

void free_jobs(sl_host *host)
{
    for (uint32_t i = 0; i < host->job_count; i++)
        free(host->jobs[i].elements);
    free(host->jobs);
}

/* ---- elements and attempts ------------------------------------------------------------------- */

void unbind(sl_host *host, sl_element *element, int end)
{
    sl_attempt *attempt = &host->attempts[element->place];
    attempt->state = LAUNCHED;
    attempt->element = NONE;
    attempt->end = end;
    element->has_run = element->is_killed = 0;
    element->asked = 0;
}

static int has_back(const sl_job *job)
{
    for (uint32_t i = 0; i < job->count; i++)
        if (job->elements[i].state == BACK)
            return 1;
    return 0;
}

void bind(sl_host *host, sl_attempt *attempt)
{
    sl_job *job = find_job(host, attempt->task.tag);
    uint32_t i = job->first_free;
    while (i < job->count && job->elements[i].state != FREE)
        i++;
    job->first_free = i;
    if (i < job->count) {
        sl_element *element = &job->elements[i];
        element->state = BOUND;
        element->place = attempt->task.place;
        element->since = host->now;
        element->has_run = element->is_killed = 0;
        element->asked = 0;
        attempt->state = WITH_ELEMENT;
        attempt->element = i;
        host->is_saved = 0;
    } else if (!has_back(job)) {
        attempt->end = FINISHED;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *element_name(char name[64], const sl_job *job, const sl_element *element)
{
    if (element->index == NONE)
        snprintf(name, 64, "%" PRIu64, job->id);
    else
        snprintf(name, 64, "%" PRIu64 "_%" PRId64, job->id, element->index);
    return name;
}

const char *user_name(uint32_t uid)
{
    static char number[16];
    const struct passwd *entry = getpwuid(uid);
    if (entry)
        return entry->pw_name;
    snprintf(number, sizeof number, "%" PRIu32, uid);
    return number;
}

uint32_t queue_of(sl_host *host, uint32_t uid)
{
    uint32_t queue = 0;
    while (queue < host->user_count && host->users[queue] != uid)
        queue++;
    if (queue == USERS_MOST)
        return USERS_MOST - 1;
    if (queue == host->user_count)
        host->users[host->user_count++] = uid;
    return queue;
}
