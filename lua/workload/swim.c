/* Reader of SWIM traces (Chen, Ganapathi, Griffith, Katz 2011): one job per line, fields separated
 * by one TAB, and after these six the paths of input and output:
 *
 *     job0    49    49    740773    2339561    627471
 *     name    submit_s  gap_s  map_input_bytes  shuffle_bytes  output_bytes
 *
 * Plain or gzip'ed alike. In the tandem model a job is submit_s, map_input_bytes and shuffle_bytes,
 * in seconds at the rates that give the stations their loads. The trace knows bytes, the slotted
 * model units; with scale = scale_num / scale_den, all in exact integers:
 *
 *     arrival = 1 + floor(submit / slot_seconds)
 *     maps    = max(1, ceil(scale * map_input / unit))
 *     tasks   = 0 without shuffle, else round(scale * (shuffle + output) / reduce_bytes) within
 *               1 .. max(1, machines / 5): the rule and the cap of SWIM's own replay
 *     reduces = max(tasks, ceil(scale * shuffle / unit)) units in near-equal tasks
 *
 * In the makespan model jobs have as many tasks, with a cap of their own, and a task lasts `start`
 * seconds and those that its share of the job's bytes takes at `rate` bytes a second: scale *
 * map_input for maps, scale * shuffle for reduces, rounded up.
 *
 * In the cluster model, in milliseconds, maps read `unit` bytes each and the last one the rest; a
 * reduce shuffles its share of scale * shuffle and writes its share of scale * output. Its sizes
 * are scale * map_input and scale * shuffle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/gz_lines.h"
#include "base/bounds.h"
#include "cluster.h"
#include "makespan.h"
#include "slotted.h"
#include "swim.h"
#include "tandem.h"

#define FIELDS 6

/* ---- exact arithmetic ------------------------------------------------------------------------ */

/* a * b / divisor with remainder, through 128 bits; 0 when the quotient does not fit. a, b <= 2^54,
 * divisor < 2^63. */
static int multiply_divide(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *quotient,
                           uint64_t *remainder)
{
    uint64_t a_low = a & UINT32_MAX, a_high = a >> 32, b_low = b & UINT32_MAX, b_high = b >> 32;
    uint64_t middle = a_high * b_low + a_low * b_high; /* < 2^55: the high halves are below 2^22 */
    uint64_t low = a_low * b_low, sum = low + (middle << 32);
    uint64_t high = a_high * b_high + (middle >> 32) + (sum < low);
    uint64_t rest = 0, result = 0;
    /* Long division, bit by bit: a few thousand lines are not worth more. */
    for (int i = 127; i >= 0; i--) {
        uint64_t bit = (i >= 64 ? high >> (i - 64) : sum >> i) & 1;
        rest = rest << 1 | bit;
        if (result >> 63)
            return 0;
        result <<= 1;
        if (rest >= divisor) {
            rest -= divisor;
            result |= 1;
        }
    }
    *quotient = result;
    *remainder = rest;
    return 1;
}

/* scale * bytes / size, rounded up or to the nearest (halves up), at most PN_INTEGER_MAX. The
 * product of divisors was checked. */
static int scaled(const swim_mapping *mapping, uint64_t bytes, uint64_t size, int up,
                  uint64_t *result)
{
    uint64_t divisor = mapping->scale_den * size, rest;
    if (!multiply_divide(bytes, mapping->scale_num, divisor, result, &rest))
        return 0;
    if (up ? rest > 0 : rest >= divisor - rest)
        ++*result;
    return *result <= PN_INTEGER_MAX;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int read_number(gz_lines *reader, int index, const char *name, const char *field,
                       uint64_t *value)
{
    char what[200], quoted[GZ_QUOTE_SIZE];
    const char *digit = field;
    *value = 0;
    for (; *digit >= '0' && *digit <= '9' && *value < PN_INTEGER_MAX; digit++)
        *value = 10 * *value + (uint64_t)(*digit - '0');
    if (digit > field && *digit == '\0' && *value < PN_INTEGER_MAX)
        return 1;
    if (*digit == '\r' && digit[1] == '\0')
        return gz_lines_fail(reader,
                             "the line ends with a carriage return (expected a bare line feed)");
    gz_quote(quoted, field);
    snprintf(what, sizeof what,
             "field %d, %s: \"%s\" (expected a decimal integer in 0..9007199254740991)", index + 1,
             name, quoted);
    return gz_lines_fail(reader, what);
}

/* Cuts the line at its TABs; fields after the sixth may hold anything. */
static int read_fields(gz_lines *reader, char *line, uint64_t values[FIELDS])
{
    static const char *const names[FIELDS] = {"the job's name", "submit time in seconds",
                                              "gap in seconds", "map input bytes",
                                              "shuffle bytes",  "output bytes"};
    char *fields[FIELDS];
    int count = 0;
    if (strlen(line) != reader->size)
        return gz_lines_fail(reader, "the line holds a null byte (expected text)");
    for (char *at = line; at && count < FIELDS; count++) {
        char *tab = strchr(at, '\t');
        fields[count] = at;
        if (tab)
            *tab++ = '\0';
        at = tab;
    }
    if (count < FIELDS) {
        char what[100];
        if (reader->size == 0)
            return gz_lines_fail(reader, "the line is blank (expected 6 fields separated by TABs)");
        snprintf(what, sizeof what, "%d field%s (expected at least 6, separated by TABs)", count,
                 count == 1 ? "" : "s");
        return gz_lines_fail(reader, what);
    }
    if (fields[0][0] == '\0')
        return gz_lines_fail(reader, "field 1, the job's name: nothing (expected a name)");
    for (int i = 1; i < FIELDS; i++) {
        int status = read_number(reader, i, names[i], fields[i], &values[i]);
        if (status < 0)
            return status;
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void count_row(swim_summary *summary, uint64_t input, uint64_t shuffle, uint64_t output)
{
    summary->rows++;
    summary->map_only += shuffle == 0;
    summary->all_zero += input == 0 && shuffle == 0 && output == 0;
    summary->no_input += input == 0 && shuffle > 0;
    summary->expanding += shuffle > input;
    summary->no_output += shuffle > 0 && output == 0;
    summary->map_input_bytes += input;
    summary->shuffle_bytes += shuffle;
    summary->output_bytes += output;
}

/* How a row becomes a job of the table: 1, also where it becomes none, or -1 with a message. */
typedef int add_row(gz_lines *reader, const void *how, source *table,
                    const uint64_t values[FIELDS]);

static int out_of_memory(gz_lines *reader)
{
    return gz_lines_fail(reader, "not enough memory for the jobs");
}

/* Reduce tasks of a job that shuffles. A number of tasks that does not even fit is over the cap. */
static uint64_t reduce_tasks(const swim_mapping *mapping, uint64_t shuffle, uint64_t output,
                             uint64_t cap)
{
    uint64_t tasks;
    if (!scaled(mapping, shuffle + output, mapping->reduce_bytes, 0, &tasks) || tasks > cap)
        tasks = cap;
    return tasks > 0 ? tasks : 1;
}

static int add_job(gz_lines *reader, const void *how, source *table, const uint64_t values[FIELDS])
{
    const swim_mapping *mapping = how;
    uint64_t input = values[3], shuffle = values[4], output = values[5], tasks = 0, reduces = 0;
    uint64_t cap = mapping->machines / 5 > 1 ? mapping->machines / 5 : 1;
    pn_slotted_job job = {.arrival = 1 + values[1] / mapping->slot_seconds};
    int fits = scaled(mapping, input, mapping->unit, 1, &job.maps);
    job.maps = job.maps > 0 ? job.maps : 1;
    if (fits && shuffle > 0) {
        tasks = reduce_tasks(mapping, shuffle, output, cap);
        fits = scaled(mapping, shuffle, mapping->unit, 1, &reduces);
        reduces = reduces > tasks ? reduces : tasks;
    }
    if (!fits || job.maps + reduces > PN_INTEGER_MAX)
        return gz_lines_fail(
            reader, "the job has more than 2^53 units (expected a smaller scale or a larger unit)");
    if (!source_table_begin(table, &job) ||
        (tasks > 0 && (!source_table_reduce(table, reduces / tasks + 1, reduces % tasks) ||
                       !source_table_reduce(table, reduces / tasks, tasks - reduces % tasks))))
        return out_of_memory(reader);
    return 1;
}

/* The sizes are bytes until all are known. */
static int add_tandem_job(gz_lines *reader, const void *how, source *table,
                          const uint64_t values[FIELDS])
{
    const swim_loads *loads = how;
    pn_tandem_job job = {
        .arrival = (double)values[1], .map = (double)values[3], .shuffle = (double)values[4]};
    if (values[3] == 0 && values[4] == 0 && loads->drop_zero)
        return 1;
    return source_tandem_table_add(table, &job) ? 1 : out_of_memory(reader);
}

/* Seconds of each of so many tasks that share the bytes; 0 when all of them together pass 2^53. */
static uint64_t task_seconds(const swim_speed *speed, uint64_t bytes, uint64_t tasks)
{
    uint64_t share = (bytes + tasks - 1) / tasks,
             seconds = speed->start + (share + speed->rate - 1) / speed->rate;
    seconds = seconds > 0 ? seconds : 1;
    return seconds <= PN_INTEGER_MAX / tasks ? seconds : 0;
}

static int add_batch_job(gz_lines *reader, const void *how, source *table,
                         const uint64_t values[FIELDS])
{
    const swim_batch *batch = how;
    uint64_t read = 0, shuffled = 0, tasks[2] = {0, 0}, seconds[2] = {1, 1};
    if (reader->line < batch->first || table->count >= batch->jobs)
        return 1;
    if (!scaled(&batch->mapping, values[3], 1, 1, &read) ||
        !scaled(&batch->mapping, values[4], 1, 1, &shuffled))
        return gz_lines_fail(reader, "the job has more than 2^53 bytes (expected a smaller scale)");
    scaled(&batch->mapping, values[3], batch->mapping.unit, 1, &tasks[0]);
    tasks[0] = tasks[0] > 0 ? tasks[0] : 1;
    if (tasks[0] > UINT32_MAX)
        return gz_lines_fail(
            reader,
            "the job has more than 2^32 map tasks (expected a smaller scale or a larger unit)");
    seconds[0] = task_seconds(&batch->map, read, tasks[0]);
    if (values[4] > 0) {
        tasks[1] = reduce_tasks(&batch->mapping, values[4], values[5], batch->tasks_most);
        seconds[1] = task_seconds(&batch->reduce, shuffled, tasks[1]);
    }
    if (seconds[0] == 0 || seconds[1] == 0)
        return gz_lines_fail(reader, "the job's tasks last more than 2^53 seconds (expected a "
                                     "smaller scale or a higher rate)");
    if (!source_makespan_table_begin(table, &(pn_makespan_job){.group = 0}) ||
        !source_makespan_table_tasks(table, PN_MAKESPAN_MAP, seconds[0], (uint32_t)tasks[0]) ||
        !source_makespan_table_tasks(table, PN_MAKESPAN_REDUCE, seconds[1], (uint32_t)tasks[1]))
        return out_of_memory(reader);
    return 1;
}

/* Milliseconds that so many bytes take, rounded up. */
static uint64_t byte_ms(uint64_t bytes, uint64_t rate)
{
    return (bytes * 1000 + rate - 1) / rate;
}

/* All maps but the last read as much as the first; the list is needed when the last reads less. */
static int add_with_last(gz_lines *reader, source *table, pn_cluster_job *job, uint64_t last_ms)
{
    uint64_t *times = malloc(job->maps * sizeof *times);
    int added;
    for (uint32_t i = 0; times && i < job->maps; i++)
        times[i] = i + 1 < job->maps ? job->map_ms : last_ms;
    job->map_times = times;
    added = times && source_cluster_table_add(table, job);
    free(times);
    return added ? 1 : out_of_memory(reader);
}

static int add_cluster_job(gz_lines *reader, const void *how, source *table,
                           const uint64_t values[FIELDS])
{
    const swim_cluster *cluster = how;
    uint64_t unit = cluster->mapping.unit, bytes[3], maps, last;
    pn_cluster_job job = {.submit = values[1] * 1000, .remote_ms = cluster->remote_ms};
    if (reader->line < cluster->first || table->count >= cluster->jobs)
        return 1;
    for (int i = 0; i < 3; i++)
        if (!scaled(&cluster->mapping, values[3 + i], 1, 1, &bytes[i]))
            return gz_lines_fail(reader,
                                 "the job has more than 2^53 bytes (expected a smaller scale)");
    maps = bytes[0] > 0 ? (bytes[0] - 1) / unit + 1 : 1;
    if (maps > LIMIT_JOB_TASKS)
        return gz_lines_fail(
            reader,
            "the job has more than 2^20 map tasks (expected a smaller scale or a larger unit)");
    job.maps = (uint32_t)maps;
    job.input = bytes[0];
    job.intermediate = bytes[1];
    last = cluster->map_start_ms + byte_ms(bytes[0] - (maps - 1) * unit, cluster->map_rate);
    job.map_ms = maps > 1 ? cluster->map_start_ms + byte_ms(unit, cluster->map_rate) : last;
    if (values[4] > 0) {
        job.reduces = (uint32_t)reduce_tasks(&cluster->mapping, values[4], values[5],
                                             cluster->tasks_most);
        job.shuffle_ms = byte_ms((bytes[1] + job.reduces - 1) / job.reduces, cluster->shuffle_rate);
        job.reduce_ms = cluster->reduce_start_ms +
                        byte_ms((bytes[2] + job.reduces - 1) / job.reduces, cluster->write_rate);
    }
    if (job.submit > PN_INTEGER_MAX || job.map_ms > PN_CLUSTER_MOST_MS ||
        job.reduce_ms > PN_CLUSTER_MOST_MS || job.shuffle_ms > PN_CLUSTER_MOST_MS)
        return gz_lines_fail(
            reader, "the job's times pass 2^40 ms (expected a smaller scale or higher rates)");
    if (last < job.map_ms)
        return add_with_last(reader, table, &job, last);
    return source_cluster_table_add(table, &job) ? 1 : out_of_memory(reader);
}

static int read_lines(gz_lines *reader, add_row *add, const void *how, source *table,
                      swim_summary *summary)
{
    uint64_t submitted = 0;
    char *line = NULL;
    int status;
    while ((status = gz_lines_next(reader, &line)) > 0) {
        uint64_t values[FIELDS] = {0};
        if ((status = read_fields(reader, line, values)) < 0)
            return status;
        if (values[1] < submitted) {
            char what[160];
            snprintf(
                what, sizeof what,
                "submit time %llu s lies before that of the line above (expected at least %llu)",
                (unsigned long long)values[1], (unsigned long long)submitted);
            return gz_lines_fail(reader, what);
        }
        submitted = values[1];
        if (summary->rows == LIMIT_JOBS)
            return gz_lines_fail(reader, "the trace goes on (expected at most 10000000 jobs)");
        status = add(reader, how, table, values);
        if (status < 0)
            return status;
        count_row(summary, values[3], values[4], values[5]);
        if (summary->map_input_bytes > INT64_MAX / 2 || summary->shuffle_bytes > INT64_MAX / 2 ||
            summary->output_bytes > INT64_MAX / 2)
            return gz_lines_fail(reader, "the bytes so far pass 2^62 (expected a real trace)");
    }
    if (status == 0 && summary->rows == 0) {
        reader->line = 0;
        return gz_lines_fail(reader, "holds no jobs (expected one job per line)");
    }
    return status;
}

/* All rows into the table. The outcome of read_lines, with the reader closed. */
static int read_file(gz_lines *reader, add_row *add, const void *how, source *table,
                     swim_summary *summary)
{
    int status;
    memset(summary, 0, sizeof *summary);
    if (gz_lines_open(reader) < 0)
        return -1;
    status = read_lines(reader, add, how, table, summary);
    gz_lines_close(reader);
    return status;
}

/* multiply_divide() wants the divisor below 2^63. */
static int check_scale(gz_lines *reader, const swim_mapping *mapping)
{
    if (mapping->scale_den <= INT64_MAX / mapping->unit &&
        mapping->scale_den <= INT64_MAX / mapping->reduce_bytes)
        return 1;
    snprintf(reader->message, SWIM_MESSAGE_SIZE,
             "%s: scale %llu/%llu is too fine for units this large", reader->path,
             (unsigned long long)mapping->scale_num, (unsigned long long)mapping->scale_den);
    return 0;
}

int swim_read(const char *path, const swim_mapping *mapping, source *table, swim_summary *summary,
              char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    int status;
    memset(summary, 0, sizeof *summary);
    if (!check_scale(&reader, mapping))
        return 0;
    status = read_file(&reader, add_job, mapping, table, summary);
    if (status == 0 && !source_table_seal(table))
        status = gz_lines_fail(&reader, "not enough memory for the jobs");
    return status == 0;
}

/* Rows from `first` on; no job is an error. */
static int read_part(gz_lines *reader, add_row *add, const void *how, uint64_t first, source *table,
                     swim_summary *summary)
{
    int status = read_file(reader, add, how, table, summary);
    if (status == 0 && table->count == 0) {
        char what[100];
        snprintf(what, sizeof what, "holds %llu jobs (expected at least %llu, as `first` says)",
                 (unsigned long long)summary->rows, (unsigned long long)first);
        reader->line = 0;
        status = gz_lines_fail(reader, what);
    }
    return status == 0;
}

int swim_read_batch(const char *path, const swim_batch *batch, source *table, swim_summary *summary,
                    char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    memset(summary, 0, sizeof *summary);
    return check_scale(&reader, &batch->mapping) &&
           read_part(&reader, add_batch_job, batch, batch->first, table, summary);
}

int swim_read_cluster(const char *path, const swim_cluster *cluster, source *table,
                      swim_summary *summary, char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    memset(summary, 0, sizeof *summary);
    return check_scale(&reader, &cluster->mapping) &&
           read_part(&reader, add_cluster_job, cluster, cluster->first, table, summary);
}

/* ---- the tandem model ------------------------------------------------------------------------ */

/* The size whose ratio to `map` is the cube root of that of `shuffle`. */
static double rooted(double map, double shuffle)
{
    return map * pn_pow(shuffle / map, 1.0 / 3.0);
}

/* Every ratio shuffle / map becomes its cube root, times what keeps their sum (section 5.2). Jobs
 * that only shuffle have no ratio and stay as they are. */
static void balance(source *table)
{
    double sum = 0.0, of_roots = 0.0;
    for (uint64_t i = 0; i < table->count; i++) {
        const pn_tandem_job *job = source_tandem_table_at(table, i);
        if (job->map > 0.0) {
            sum += job->shuffle;
            of_roots += rooted(job->map, job->shuffle);
        }
    }
    for (uint64_t i = 0; i < table->count && sum > 0.0; i++) {
        pn_tandem_job *job = source_tandem_table_at(table, i);
        if (job->map > 0.0)
            job->shuffle = rooted(job->map, job->shuffle) * (sum / of_roots);
    }
}

int swim_read_tandem(const char *path, const swim_loads *loads, source *table,
                     swim_summary *summary, char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    /* Seconds that a byte takes at a station that is busy for the load's share of the time. */
    double map_second = 0.0, shuffle_second = 0.0;
    if (read_file(&reader, add_tandem_job, loads, table, summary) != 0)
        return 0;
    if (summary->map_input_bytes > 0)
        map_second = loads->map * loads->span / (double)summary->map_input_bytes;
    if (summary->shuffle_bytes > 0)
        shuffle_second = loads->shuffle * loads->span / (double)summary->shuffle_bytes;
    summary->map_rate = map_second > 0.0 ? 1.0 / map_second : 0.0;
    summary->shuffle_rate = shuffle_second > 0.0 ? 1.0 / shuffle_second : 0.0;
    for (uint64_t i = 0; i < table->count; i++) {
        pn_tandem_job *job = source_tandem_table_at(table, i);
        job->map *= map_second;
        job->shuffle *= shuffle_second;
    }
    if (loads->balance)
        balance(table);
    return 1;
}
