/* Reader of the Standard Workload Format of the Parallel Workloads Archive (Feitelson): a job in a
 * line, 18 numbers separated by blanks, -1 where nothing is known; lines that begin with ';' are
 * comments. Plain or gzip'ed alike. Each model makes its own jobs of them (swf.c among its
 * sources).
 *
 * Numbers are read in thousandths, so that seconds become milliseconds exactly: the format speaks
 * of integers, and archives also have times with decimals. */
#include "swf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bounds.h"

/* Fields by number, from 1 as the format counts them. */
enum field {
    NUMBER = 1,
    SUBMIT = 2,
    RUN = 4,
    ALLOCATED = 5,
    CPU = 6,
    REQUESTED = 8,
    ASKED = 9,
    STATUS = 11
};

static const char *const field_names[SWF_FIELDS] = {
    "job number",     "submit time",      "wait time",   "run time",
    "processors",     "average CPU time", "used memory", "requested processors",
    "requested time", "requested memory", "status",      "user",
    "group",          "executable",       "queue",       "partition",
    "preceding job",  "think time"};

/* ---- numbers --------------------------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads what follows the point, in thousandths, to the nearest, halves up. */
static const char *read_decimals(const char *at, int64_t *thousandths)
{
    int64_t worth = 100;
    *thousandths = 0;
    for (int place = 0; is_digit(*at); at++, place++) {
        if (place < 3)
            *thousandths += worth * (*at - '0');
        else if (place == 3)
            *thousandths += *at >= '5';
        worth /= 10;
    }
    return at;
}

/* Reads where the number ends, and its value in thousandths; null when there is none below 2^53. */
static const char *read_number(const char *at, int64_t *value)
{
    int negative = *at == '-';
    int64_t whole = 0, decimals = 0;
    const char *digits;
    at += negative;
    digits = at;
    for (; is_digit(*at); at++)
        if ((whole = 10 * whole + (*at - '0')) >= (int64_t)PN_INTEGER_MAX)
            return NULL;
    if (at == digits)
        return NULL;
    if (*at == '.') {
        if (!is_digit(at[1]))
            return NULL;
        at = read_decimals(at + 1, &decimals);
    }
    *value = 1000 * whole + decimals;
    if (negative)
        *value = -*value;
    return *at == '\0' || is_blank(*at) ? at : NULL;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int fail_field(gz_lines *reader, int field, const char *text, const char *expected)
{
    char reason[200], quoted[GZ_QUOTE_SIZE], piece[GZ_QUOTE_SIZE];
    size_t size = 0;
    for (; size < sizeof piece - 1 && text[size] && !is_blank(text[size]); size++)
        piece[size] = text[size];
    piece[size] = '\0';
    gz_quote(quoted, piece);
    snprintf(reason, sizeof reason, "field %d, %s: \"%s\" (expected %s)", field,
             field_names[field - 1], quoted, expected);
    return gz_lines_fail(reader, reason);
}

/* Checks that a number is whole: only times and averages have decimals. */
static int is_whole(int field)
{
    return field == NUMBER || field == ALLOCATED || field == REQUESTED ||
           (field >= STATUS && field < SWF_FIELDS);
}

static int fail_count(gz_lines *reader, const char *line)
{
    char reason[100];
    int count = 0;
    for (const char *at = line; *at; at++)
        count += !is_blank(*at) && (at == line || is_blank(at[-1]));
    snprintf(reason, sizeof reason, "%d field%s (expected %d numbers, separated by blanks)", count,
             count == 1 ? "" : "s", SWF_FIELDS);
    return gz_lines_fail(reader, reason);
}

/* Reads the values in thousandths. */
static int read_fields(gz_lines *reader, const char *line, int64_t values[SWF_FIELDS])
{
    const char *at = line;
    for (int field = 1; field <= SWF_FIELDS; field++) {
        const char *end;
        while (is_blank(*at))
            at++;
        if (*at == '\0')
            return fail_count(reader, line);
        end = read_number(at, &values[field - 1]);
        if (!end)
            return fail_field(reader, field, at, "a number below 2^53, -1 where it is not known");
        if (is_whole(field) && values[field - 1] % 1000 != 0)
            return fail_field(reader, field, at, "an integer, -1 where it is not known");
        at = end;
    }
    while (is_blank(*at))
        at++;
    return *at == '\0' ? 1 : fail_count(reader, line);
}

/* Returns whether the line is a job's: comments and blank lines are not. */
static int is_job(const char *line)
{
    while (is_blank(*line))
        line++;
    return *line != '\0' && *line != ';';
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int64_t value_of(const int64_t values[SWF_FIELDS], int field)
{
    return values[field - 1];
}

static uint32_t status_bit(int64_t status)
{
    if (status < 0)
        return SWF_STATUS_BIT(-1);
    return status <= 5 ? SWF_STATUS_BIT((int)status) : SWF_STATUS_OTHER;
}

/* Returns whether statuses 2..4 mean one execution of a job that has a line of its own for all of
 * them. */
static int is_execution(int64_t status)
{
    return status >= 2 && status <= 4;
}

/* Returns what the row is counted as where it is left out; null: it is a job. */
static uint64_t *left_out(swf_summary *summary, const swf_request *request,
                          const int64_t values[SWF_FIELDS])
{
    int64_t status = value_of(values, STATUS) / 1000;
    if (is_execution(status))
        return &summary->executions;
    if (!(request->statuses & status_bit(status)))
        return &summary->other_status;
    if (value_of(values, SUBMIT) < 0)
        return &summary->unplaced;
    if (value_of(values, RUN) <= 0)
        return &summary->no_run;
    if (value_of(values, ALLOCATED) <= 0 && value_of(values, REQUESTED) <= 0)
        return &summary->no_processors;
    return NULL;
}

static int out_of_memory(gz_lines *reader)
{
    return gz_lines_fail(reader, "not enough memory for the jobs");
}

/* Returns an attribute as a double, which is exact where the field is whole. */
static double attribute_of(int64_t thousandths)
{
    return thousandths % 1000 == 0 ? (double)(thousandths / 1000) : (double)thousandths / 1000.0;
}

static int add_attributes(swf_trace *trace, const swf_request *request,
                          const int64_t values[SWF_FIELDS])
{
    for (uint32_t i = 0; i < request->attribute_count; i++) {
        void *array = trace->attributes;
        int grown = source_grow(&array, trace->attribute_count, &trace->attribute_room,
                                sizeof *trace->attributes);
        trace->attributes = array;
        if (!grown)
            return 0;
        trace->attributes[trace->attribute_count++] = attribute_of(
            value_of(values, request->attribute_fields[i]));
    }
    return 1;
}

static int add_job(gz_lines *reader, swf_trace *trace, const swf_request *request,
                   const swf_job *job, const int64_t values[SWF_FIELDS])
{
    void *array = trace->jobs;
    int grown = source_grow(&array, trace->count, &trace->room, sizeof *trace->jobs);
    trace->jobs = array;
    if (!grown || !add_attributes(trace, request, values))
        return out_of_memory(reader);
    if (trace->count > 0 && job->submit_ms < trace->jobs[trace->count - 1].submit_ms)
        trace->summary.unsorted++;
    trace->jobs[trace->count] = *job;
    trace->jobs[trace->count].place = (uint32_t)trace->count;
    trace->count++;
    return 1;
}

static int check_job(gz_lines *reader, const int64_t values[SWF_FIELDS], int64_t processors,
                     int64_t submit)
{
    if (submit < 0 || submit > (int64_t)PN_INTEGER_MAX)
        return gz_lines_fail(reader, "the job is submitted before the first part begins, or after "
                                     "2^53 ms (expected parts in order)");
    if (value_of(values, RUN) > (int64_t)PN_CLUSTER_MOST_MS ||
        value_of(values, ASKED) > (int64_t)PN_CLUSTER_MOST_MS)
        return gz_lines_fail(reader, "the job runs, or asks for, more than 2^40 ms");
    if (processors > LIMIT_JOB_TASKS)
        return gz_lines_fail(reader, "the job has more than 2^20 processors");
    return 1;
}

static int take_job(gz_lines *reader, swf_trace *trace, const swf_request *request,
                    int64_t shift_ms, const int64_t values[SWF_FIELDS])
{
    int is_allocated = value_of(values, ALLOCATED) > 0;
    int64_t processors = value_of(values, is_allocated ? ALLOCATED : REQUESTED) / 1000;
    int64_t asked = value_of(values, ASKED), submit = value_of(values, SUBMIT) + shift_ms;
    int64_t group = request->group_field ? value_of(values, request->group_field) / 1000 : -1;
    swf_job job = {.submit_ms = (uint64_t)submit,
                   .run_ms = (uint64_t)value_of(values, RUN),
                   .asked_ms = asked > 0 ? (uint64_t)asked : 0,
                   .group = group < 0 ? -1 : group};
    if (check_job(reader, values, processors, submit) < 0)
        return -1;
    job.processors = (uint32_t)processors;
    trace->summary.requested += !is_allocated;
    trace->summary.processor_ms += job.processors * job.run_ms;
    if (trace->summary.processor_ms > INT64_MAX / 2)
        return gz_lines_fail(reader, "the processors' time so far passes 2^62 ms (expected a real "
                                     "trace)");
    return add_job(reader, trace, request, &job, values);
}

static int read_row(gz_lines *reader, swf_trace *trace, const swf_request *request,
                    int64_t shift_ms, uint64_t row, const char *line)
{
    int64_t values[SWF_FIELDS];
    uint64_t *count;
    if (read_fields(reader, line, values) < 0)
        return -1;
    if (row < request->first)
        return 1;
    if (trace->summary.rows++ == LIMIT_JOBS)
        return gz_lines_fail(reader, "the trace has more jobs (expected at most 10000000)");
    count = left_out(&trace->summary, request, values);
    if (!count)
        return take_job(reader, trace, request, shift_ms, values);
    ++*count;
    return 1;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads: 1, 0 at the end of the part or of the rows that are wanted, or -1 with a message. */
static int read_lines(gz_lines *reader, swf_trace *trace, const swf_request *request,
                      int64_t shift_ms, uint64_t *rows)
{
    char *line = NULL;
    int status = 1;
    while (status > 0 && trace->summary.rows < request->jobs &&
           (status = gz_lines_next(reader, &line)) > 0) {
        if (strlen(line) != reader->size)
            return gz_lines_fail(reader, "the line holds a null byte (expected text)");
        if (is_job(line))
            status = read_row(reader, trace, request, shift_ms, ++*rows, line);
    }
    return status;
}

static int read_parts(const swf_request *request, swf_trace *trace, gz_lines *reader,
                      uint64_t *rows)
{
    for (size_t i = 0; i < request->part_count; i++) {
        int status;
        reader->path = request->parts[i].path;
        if (gz_lines_open(reader) < 0)
            return -1;
        status = read_lines(reader, trace, request, request->parts[i].shift_ms, rows);
        gz_lines_close(reader);
        if (status < 0)
            return -1;
    }
    reader->path = request->parts[0].path;
    reader->line = 0;
    return 0;
}

/* Checks that there is a job; a trace without jobs says why. */
static int check_any(gz_lines *reader, const swf_request *request, const swf_summary *summary,
                     uint64_t rows)
{
    char reason[160];
    if (rows == 0)
        return gz_lines_fail(reader, "holds no jobs (expected one in each line, as 18 numbers)");
    if (summary->rows == 0)
        snprintf(reason, sizeof reason, "holds %llu jobs (expected at least %llu, as `first` says)",
                 (unsigned long long)rows, (unsigned long long)request->first);
    else
        snprintf(reason, sizeof reason,
                 "none of its %llu jobs is left (expected one that ran on processors, and has the "
                 "status that `status` says)",
                 (unsigned long long)summary->rows);
    return gz_lines_fail(reader, reason);
}

/* ---- order and groups ------------------------------------------------------------------------ */

static int compare_submissions(const void *left, const void *right)
{
    const swf_job *a = left, *b = right;
    if (a->submit_ms != b->submit_ms)
        return a->submit_ms < b->submit_ms ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static int compare_values(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

static int find_groups(gz_lines *reader, swf_trace *trace, int field)
{
    size_t kept = 0;
    trace->groups = malloc(trace->count * sizeof *trace->groups);
    if (!trace->groups)
        return out_of_memory(reader);
    for (size_t i = 0; i < trace->count; i++)
        trace->groups[i] = trace->jobs[i].group;
    qsort(trace->groups, trace->count, sizeof *trace->groups, compare_values);
    for (size_t i = 0; i < trace->count; i++)
        if (kept == 0 || trace->groups[i] != trace->groups[kept - 1])
            trace->groups[kept++] = trace->groups[i];
    trace->group_count = kept;
    if (kept > SWF_GROUPS_MAX) {
        char reason[160];
        snprintf(reason, sizeof reason,
                 "field %d, %s: %zu different ones (expected at most %d groups, as statistics are "
                 "kept of each)",
                 field, field_names[field - 1], kept, SWF_GROUPS_MAX);
        return gz_lines_fail(reader, reason);
    }
    return 1;
}

uint32_t swf_group(const swf_trace *trace, const swf_job *job)
{
    const int64_t *found = trace->group_count > 0
                               ? bsearch(&job->group, trace->groups, trace->group_count,
                                         sizeof *trace->groups, compare_values)
                               : NULL;
    return found ? (uint32_t)(found - trace->groups) : 0;
}

/* ---- traces ---------------------------------------------------------------------------------- */

int swf_read(const swf_request *request, swf_trace *trace, char message[GZ_MESSAGE_SIZE])
{
    gz_lines reader = {.message = message};
    uint64_t rows = 0;
    memset(trace, 0, sizeof *trace);
    if (read_parts(request, trace, &reader, &rows) < 0)
        return 0;
    if (trace->count == 0)
        return check_any(&reader, request, &trace->summary, rows) > 0;
    if (trace->summary.unsorted > 0)
        qsort(trace->jobs, trace->count, sizeof *trace->jobs, compare_submissions);
    return !request->group_field || find_groups(&reader, trace, request->group_field) > 0;
}

void swf_free(swf_trace *trace)
{
    free(trace->jobs);
    free(trace->attributes);
    free(trace->groups);
    memset(trace, 0, sizeof *trace);
}

int swf_carry(const swf_trace *trace, source *table, const char *const *attributes,
              const char *const *groups)
{
    size_t each = trace->attribute_count / trace->count;
    double *all;
    if (!source_carry(table, attributes, (uint32_t)each, groups, (uint32_t)trace->group_count))
        return 0;
    if (each == 0)
        return 1;
    all = source_attributes_room(table);
    for (size_t i = 0; all && i < trace->count; i++)
        memcpy(all + i * each, trace->attributes + trace->jobs[i].place * each, each * sizeof *all);
    return all != NULL;
}
