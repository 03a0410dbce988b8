/* The jobs: from a file, or a few that come with the program. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mapreduce.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

static const struct kind {
    const char *name, *map, *reduce;
} kinds[] = {
    /* How often each word occurs: the maps count those of their block, the reduces add up. */
    {"count", "tr -cs A-Za-z '\\n' | sort | uniq -c | awk '{ print $2, $1 }'",
     "awk '{ count[$1] += $2 } END { for (word in count) print word, count[word] }'"},
    /* Lines in order. */
    {"sort", "sort", "sort"},
};

/* A long job first, short ones behind it: who waits for whom is the policy's affair. */
static const char demo[] = "0\tlong count\t24\t3\t512\tcount\n"
                           "150\tshort sort\t2\t1\t128\tsort\n"
                           "250\tshort count\t2\t1\t128\tcount\n"
                           "350\tsort\t8\t2\t384\tsort\n"
                           "450\tshort count\t3\t1\t64\tcount\n"
                           "600\tshort sort\t1\t1\t64\tsort\n";

enum { FIELDS = 7, JOBS_MOST = 10000, TASKS_MOST = 10000, KIB_MOST = 1 << 20 };

/* Cuts a line at its tabs, in place. */
static int cut(char *line, char *fields[FIELDS])
{
    int count = 0;
    for (char *at = line; at && count <= FIELDS; count++) {
        char *next = strchr(at, '\t');
        if (count < FIELDS)
            fields[count] = at;
        if (next)
            *next++ = '\0';
        at = next;
    }
    return count;
}

static int set_commands(mr_job *job, char *fields[FIELDS], int count, const char *here)
{
    const char *map = fields[FIELDS - 2], *reduce = count == FIELDS ? fields[FIELDS - 1] : NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !reduce; i++) {
        if (strcmp(map, kinds[i].name) == 0) {
            map = kinds[i].map;
            reduce = kinds[i].reduce;
        }
    }
    if (!reduce)
        return complain("%sunknown kind of job: %s (expected count or sort, or two commands)", here,
                        map);
    job->name = strdup(fields[1]);
    job->command[MAP] = strdup(map);
    job->command[REDUCE] = strdup(reduce);
    return job->name && job->command[MAP] && job->command[REDUCE] ? 0
                                                                  : complain("not enough memory");
}

/* A number of a job. `here`, as below: the place of its line, in front of messages. */
static int read_field(const char *here, const char *what, const char *text, uint32_t low,
                      uint32_t high, uint32_t *value)
{
    uint64_t number;
    if (read_number(text, low, high, &number) != 0)
        return complain("%s%s: expected an integer in %u..%u, got %s", here, what, low, high, text);
    *value = (uint32_t)number;
    return 0;
}

/* WHEN, WHEN+DEADLINE or WHEN+DEADLINE,MAP,REDUCE. */
static int read_when(mr_job *job, char *text, const char *here)
{
    const struct {
        uint64_t *value, low, high;
        char end;
    } parts[] = {{&job->due, 0, PN_INTEGER_MAX / 2, '+'},
                 {&job->deadline, 1, PN_INTEGER_MAX / 2, ','},
                 {&job->est_ms[MAP], 1, EST_MOST, ','},
                 {&job->est_ms[REDUCE], 1, EST_MOST, '\0'}};
    char *next = text;
    int count = 0;
    for (; next; count++) {
        char *at = next;
        next = parts[count].end != '\0' ? strchr(at, parts[count].end) : NULL;
        if (next)
            *next++ = '\0';
        if (read_number(at, parts[count].low, parts[count].high, parts[count].value) != 0)
            return complain("%swhen: expected ms, got %s", here, at);
    }
    return count != 3
               ? 0
               : complain(
                     "%swhen: expected the longest time of a reduce, too: WHEN+DEADLINE,MAP,REDUCE",
                     here);
}

/* What the job does not have of its own. */
static int complete_deadline(const mr_plan *plan, mr_job *job, const char *name, const char *here)
{
    job->deadline = job->deadline > 0 ? job->deadline : plan->deadline;
    for (int kind = MAP; kind <= REDUCE; kind++)
        job->est_ms[kind] = job->est_ms[kind] > 0 ? job->est_ms[kind] : plan->est_ms[kind];
    if (job->deadline == 0 && plan->policy->admission.deadlines)
        return complain(
            "%s%s has no deadline, and policy %s needs one (--deadline gives one to all)", here,
            name, plan->policy->name);
    return 0;
}

static int read_job(mr_plan *plan, char *line, const char *here)
{
    char *fields[FIELDS];
    int count = cut(line, fields);
    if (count != FIELDS - 1 && count != FIELDS)
        return complain("%sa job needs 6 or 7 fields, apart by tabs, got %d", here, count);
    if (plan->job_count == JOBS_MOST)
        return complain("%smore than %d jobs", here, JOBS_MOST);
    mr_job *jobs = realloc(plan->jobs, (plan->job_count + 1) * sizeof *jobs);
    if (!jobs)
        return complain("not enough memory");
    plan->jobs = jobs;
    mr_job *job = &jobs[plan->job_count++];
    memset(job, 0, sizeof *job);
    if (read_when(job, fields[0], here) != 0 ||
        complete_deadline(plan, job, fields[1], here) != 0 ||
        read_field(here, "maps", fields[2], 1, TASKS_MOST, &job->maps) != 0 ||
        read_field(here, "reduces", fields[3], 0, TASKS_MOST, &job->reduces) != 0 ||
        read_field(here, "kib", fields[4], 0, KIB_MOST, &job->kib) != 0)
        return -1;
    if (job->reduces > 0 && plan->nodes.reduce_slots == 0)
        return complain("%s%s has reduces, and no node has slots for them", here, fields[1]);
    return set_commands(job, fields, count, here);
}

static int by_due(const void *a, const void *b)
{
    const mr_job *left = a, *right = b;
    return left->due < right->due ? -1 : left->due > right->due;
}

/* Equal times keep their order. */
static void sort_jobs(mr_plan *plan)
{
    for (uint32_t i = 1; i < plan->job_count; i++) {
        mr_job moved = plan->jobs[i];
        uint32_t at = i;
        for (; at > 0 && by_due(&plan->jobs[at - 1], &moved) > 0; at--)
            plan->jobs[at] = plan->jobs[at - 1];
        plan->jobs[at] = moved;
    }
}

/* The model draws the places of inputs in the same way (CL8). */
static int place_inputs(const mr_plan *plan, uint32_t index)
{
    mr_job *job = &plan->jobs[index];
    job->replicas = calloc((size_t)job->maps * plan->copies, sizeof *job->replicas);
    job->home = calloc(job->maps, sizeof *job->home);
    job->times[MAP] = calloc(job->maps, sizeof *job->times[MAP]);
    job->times[REDUCE] = calloc(job->reduces + 1, sizeof *job->times[REDUCE]);
    if (!job->replicas || !job->home || !job->times[MAP] || !job->times[REDUCE])
        return complain("not enough memory");
    for (uint32_t map = 0; map < job->maps; map++)
        pn_cluster_replicas(plan->seed, index, map, plan->copies, plan->nodes.count,
                            job->replicas + (size_t)map * plan->copies);
    return 0;
}

int read_jobs(mr_plan *plan, const char *name)
{
    char *line = NULL, here[PATH_ROOM] = "";
    unsigned number = 0;
    size_t room = 0;
    ssize_t size;
    int status = 0;
    FILE *file = name ? fopen(name, "rb")
                      : fmemopen((void *)(uintptr_t)demo, sizeof demo - 1, "rb");
    if (!file)
        return complain("%s: %s", name, strerror(errno));
    while (status == 0 && (size = getline(&line, &room, file)) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        number++;
        if (name)
            snprintf(here, sizeof here, "%s:%u: ", name, number);
        if (line[0] != '\0' && line[0] != '#')
            status = read_job(plan, line, here);
    }
    free(line);
    fclose(file);
    sort_jobs(plan);
    for (uint32_t i = 0; i < plan->job_count && status == 0; i++)
        status = place_inputs(plan, i);
    return status == 0 && plan->job_count == 0 ? complain("%s: no jobs", name) : status;
}

void free_jobs(mr_plan *plan)
{
    for (uint32_t i = 0; i < plan->job_count; i++) {
        mr_job *job = &plan->jobs[i];
        free(job->name);
        free(job->command[MAP]);
        free(job->command[REDUCE]);
        free(job->replicas);
        free(job->home);
        free(job->times[MAP]);
        free(job->times[REDUCE]);
    }
    free(plan->jobs);
}
