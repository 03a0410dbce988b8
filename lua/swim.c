/* Reader of SWIM traces (Chen, Ganapathi, Griffith, Katz 2011): one job per line, fields separated by one TAB:
 *
 *     job0    49    49    740773    2339561    627471
 *     name    submit_s  gap_s  map_input_bytes  shuffle_bytes  output_bytes   [input path  output path …]
 *
 * Plain or gzip'ed alike. In the tandem model a job is submit_s, map_input_bytes and shuffle_bytes, in seconds at the rates that
 * give the stations their loads. The trace knows bytes, the slotted model units; with scale = scale_num / scale_den, all in exact
 * integers: arrival = 1 + floor(submit / slot_seconds) maps    = max(1, ceil(scale * map_input / unit)) tasks   = 0 without
 * shuffle, else round(scale * (shuffle + output) / reduce_bytes) within 1 .. max(1, machines / 5), which is the rule and the cap
 * of SWIM's own replay reduces = max(tasks, ceil(scale * shuffle / unit)) units in near-equal tasks
 *
 * In the makespan model jobs have as many tasks, with a cap of their own, and a task lasts `start` seconds and those that its
 * share of the job's bytes takes at `rate` bytes a second: scale * map_input for maps, scale * shuffle for reduces, rounded up.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "lpinion.h"

#define LINE_SIZE 65536
#define FIELDS    6

typedef struct swim_reader {
    const char *path;
    gzFile file;
    char *message;
    uint64_t line;
    size_t size;          /* of the current line */
    size_t filled, taken; /* bytes of the buffer */
    char buffer[LINE_SIZE];
} swim_reader;

/* ---- exact arithmetic ------------------------------------------------------------------------------- */

/* a * b / divisor with remainder, through 128 bits; 0 when the quotient does not fit. a, b <= 2^54, divisor < 2^63. */
static int multiply_divide(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *quotient, uint64_t *remainder)
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

/* scale * bytes / size, rounded up or to the nearest (halves up), at most PN_INTEGER_MAX. The product of divisors was checked. */
static int scaled(const swim_mapping *mapping, uint64_t bytes, uint64_t size, int up, uint64_t *result)
{
    uint64_t divisor = mapping->scale_den * size, rest;
    if (!multiply_divide(bytes, mapping->scale_num, divisor, result, &rest))
        return 0;
    if (up ? rest > 0 : rest >= divisor - rest)
        ++*result;
    return *result <= PN_INTEGER_MAX;
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static int fail(swim_reader *reader, const char *what)
{
    if (reader->line > 0)
        snprintf(reader->message, SWIM_MESSAGE_SIZE, "%s:%llu: %s", reader->path, (unsigned long long)reader->line, what);
    else
        snprintf(reader->message, SWIM_MESSAGE_SIZE, "%s: %s", reader->path, what);
    return -1;
}

static int fail_read(swim_reader *reader)
{
    char what[200];
    int code, cause = errno;
    const char *text = gzerror(reader->file, &code);
    if (code == Z_ERRNO)
        snprintf(what, sizeof what, "cannot read: %s", strerror(cause));
    else if (code == Z_BUF_ERROR)
        snprintf(what, sizeof what, "the compressed file ends too early (expected all of it: was it cut off?)");
    else {
        size_t prefix = strlen(reader->path); /* zlib puts "PATH: " before its text */
        int named = strncmp(text, reader->path, prefix) == 0 && strlen(text) > prefix + 2;
        snprintf(what, sizeof what, "the compressed file is damaged: %.120s", named ? text + prefix + 2 : text);
    }
    return fail(reader, what);
}

/* 1 with *line (ended by a null, reader->size bytes), 0 at the end of the file, -1 with a message. */
static int next_line(swim_reader *reader, char **line)
{
    for (;;) {
        char *start = reader->buffer + reader->taken;
        char *end = memchr(start, '\n', reader->filled - reader->taken);
        int got;
        if (end) {
            *line = start;
            *end = '\0';
            reader->size = (size_t)(end - start);
            reader->taken += reader->size + 1;
            reader->line++;
            return 1;
        }
        reader->filled -= reader->taken;
        memmove(reader->buffer, start, reader->filled);
        reader->taken = 0;
        if (reader->filled >= LINE_SIZE - 1) {
            reader->line++;
            return fail(reader, "the line is too long (expected at most 65534 characters)");
        }
        errno = 0;
        got = gzread(reader->file, reader->buffer + reader->filled, (unsigned)(LINE_SIZE - 1 - reader->filled));
        if (got < 0)
            return fail_read(reader);
        if (got == 0) {
            int code;
            gzerror(reader->file, &code);
            if (code != Z_OK && code != Z_STREAM_END)
                return fail_read(reader);
            if (reader->filled == 0)
                return 0;
            got = 1; /* the last line may lack its newline */
            reader->buffer[reader->filled] = '\n';
        }
        reader->filled += (size_t)got;
    }
}

/* What a message may quote of a file: one short printable piece. */
static void quote(char text[44], const char *field)
{
    size_t size = 0;
    for (; size < 40 && field[size]; size++)
        text[size] = field[size] >= ' ' && field[size] <= '~' ? field[size] : '?';
    strcpy(text + size, field[size] ? "..." : "");
}

static int read_number(swim_reader *reader, int index, const char *name, const char *field, uint64_t *value)
{
    char what[200], quoted[44];
    const char *digit = field;
    *value = 0;
    for (; *digit >= '0' && *digit <= '9' && *value < PN_INTEGER_MAX; digit++)
        *value = 10 * *value + (uint64_t)(*digit - '0');
    if (digit > field && *digit == '\0' && *value < PN_INTEGER_MAX)
        return 1;
    if (*digit == '\r' && digit[1] == '\0')
        return fail(reader, "the line ends with a carriage return (expected a bare line feed)");
    quote(quoted, field);
    snprintf(what, sizeof what, "field %d, %s: \"%s\" (expected a decimal integer in 0..9007199254740991)", index + 1, name,
             quoted);
    return fail(reader, what);
}

/* Cuts the line at its TABs; fields after the sixth may hold anything. */
static int read_fields(swim_reader *reader, char *line, uint64_t values[FIELDS])
{
    static const char *const names[FIELDS] = {"the job's name",  "submit time in seconds", "gap in seconds",
                                              "map input bytes", "shuffle bytes",          "output bytes"};
    char *fields[FIELDS];
    int count = 0;
    if (strlen(line) != reader->size)
        return fail(reader, "the line holds a null byte (expected text)");
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
            return fail(reader, "the line is blank (expected 6 fields separated by TABs)");
        snprintf(what, sizeof what, "%d field%s (expected at least 6, separated by TABs)", count, count == 1 ? "" : "s");
        return fail(reader, what);
    }
    if (fields[0][0] == '\0')
        return fail(reader, "field 1, the job's name: nothing (expected a name)");
    for (int i = 1; i < FIELDS; i++) {
        int status = read_number(reader, i, names[i], fields[i], &values[i]);
        if (status < 0)
            return status;
    }
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------------- */

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
typedef int add_row(swim_reader *reader, const void *how, source *table, const uint64_t values[FIELDS]);

static int out_of_memory(swim_reader *reader)
{
    return fail(reader, "not enough memory for the jobs");
}

/* Reduce tasks of a job that shuffles. A number of tasks that does not even fit is over the cap. */
static uint64_t reduce_tasks(const swim_mapping *mapping, uint64_t shuffle, uint64_t output, uint64_t cap)
{
    uint64_t tasks;
    if (!scaled(mapping, shuffle + output, mapping->reduce_bytes, 0, &tasks) || tasks > cap)
        tasks = cap;
    return tasks > 0 ? tasks : 1;
}

static int add_job(swim_reader *reader, const void *how, source *table, const uint64_t values[FIELDS])
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
        return fail(reader, "the job has more than 2^53 units (expected a smaller scale or a larger unit)");
    if (!source_table_begin(table, &job) ||
        (tasks > 0 && (!source_table_reduce(table, reduces / tasks + 1, reduces % tasks) ||
                       !source_table_reduce(table, reduces / tasks, tasks - reduces % tasks))))
        return out_of_memory(reader);
    return 1;
}

/* The sizes are bytes until all are known. */
static int add_tandem_job(swim_reader *reader, const void *how, source *table, const uint64_t values[FIELDS])
{
    const swim_loads *loads = how;
    pn_tandem_job job = {.arrival = (double)values[1], .map = (double)values[3], .shuffle = (double)values[4]};
    if (values[3] == 0 && values[4] == 0 && loads->drop_zero)
        return 1;
    return source_tandem_table_add(table, &job) ? 1 : out_of_memory(reader);
}

/* Seconds of each of so many tasks that share the bytes; 0 when all of them together pass 2^53. */
static uint64_t task_seconds(const swim_speed *speed, uint64_t bytes, uint64_t tasks)
{
    uint64_t share = (bytes + tasks - 1) / tasks, seconds = speed->start + (share + speed->rate - 1) / speed->rate;
    seconds = seconds > 0 ? seconds : 1;
    return seconds <= PN_INTEGER_MAX / tasks ? seconds : 0;
}

static int add_batch_job(swim_reader *reader, const void *how, source *table, const uint64_t values[FIELDS])
{
    const swim_batch *batch = how;
    uint64_t read = 0, shuffled = 0, tasks[2] = {0, 0}, seconds[2] = {1, 1};
    if (reader->line < batch->first || table->count >= batch->jobs)
        return 1;
    if (!scaled(&batch->mapping, values[3], 1, 1, &read) || !scaled(&batch->mapping, values[4], 1, 1, &shuffled))
        return fail(reader, "the job has more than 2^53 bytes (expected a smaller scale)");
    scaled(&batch->mapping, values[3], batch->mapping.unit, 1, &tasks[0]);
    tasks[0] = tasks[0] > 0 ? tasks[0] : 1;
    if (tasks[0] > UINT32_MAX)
        return fail(reader, "the job has more than 2^32 map tasks (expected a smaller scale or a larger unit)");
    seconds[0] = task_seconds(&batch->map, read, tasks[0]);
    if (values[4] > 0) {
        tasks[1] = reduce_tasks(&batch->mapping, values[4], values[5], batch->tasks_most);
        seconds[1] = task_seconds(&batch->reduce, shuffled, tasks[1]);
    }
    if (seconds[0] == 0 || seconds[1] == 0)
        return fail(reader, "the job's tasks last more than 2^53 seconds (expected a smaller scale or a higher rate)");
    if (!source_makespan_table_begin(table, &(pn_makespan_job){.group = 0}) ||
        !source_makespan_table_tasks(table, PN_MAKESPAN_MAP, seconds[0], (uint32_t)tasks[0]) ||
        !source_makespan_table_tasks(table, PN_MAKESPAN_REDUCE, seconds[1], (uint32_t)tasks[1]))
        return out_of_memory(reader);
    return 1;
}

static int read_lines(swim_reader *reader, add_row *add, const void *how, source *table, swim_summary *summary)
{
    uint64_t submitted = 0;
    char *line = NULL;
    int status;
    while ((status = next_line(reader, &line)) > 0) {
        uint64_t values[FIELDS] = {0};
        if ((status = read_fields(reader, line, values)) < 0)
            return status;
        if (values[1] < submitted) {
            char what[160];
            snprintf(what, sizeof what, "submit time %llu s lies before that of the line above (expected at least %llu)",
                     (unsigned long long)values[1], (unsigned long long)submitted);
            return fail(reader, what);
        }
        submitted = values[1];
        status = add(reader, how, table, values);
        if (status < 0)
            return status;
        count_row(summary, values[3], values[4], values[5]);
        if (summary->map_input_bytes > INT64_MAX / 2 || summary->shuffle_bytes > INT64_MAX / 2 ||
            summary->output_bytes > INT64_MAX / 2)
            return fail(reader, "the bytes so far pass 2^62 (expected a real trace)");
    }
    if (status == 0 && summary->rows == 0) {
        reader->line = 0;
        return fail(reader, "holds no jobs (expected one job per line)");
    }
    return status;
}

/* All rows into the table. The outcome of read_lines, with the reader closed. */
static int read_file(swim_reader *reader, add_row *add, const void *how, source *table, swim_summary *summary)
{
    int status;
    memset(summary, 0, sizeof *summary);
    errno = 0;
    reader->file = gzopen(reader->path, "rb");
    if (!reader->file) {
        snprintf(reader->message, SWIM_MESSAGE_SIZE, "%s: cannot open: %s", reader->path,
                 errno ? strerror(errno) : "not enough memory");
        return -1;
    }
    status = read_lines(reader, add, how, table, summary);
    gzclose(reader->file);
    return status;
}

/* multiply_divide() wants the divisor below 2^63. */
static int check_scale(swim_reader *reader, const swim_mapping *mapping)
{
    if (mapping->scale_den <= INT64_MAX / mapping->unit && mapping->scale_den <= INT64_MAX / mapping->reduce_bytes)
        return 1;
    snprintf(reader->message, SWIM_MESSAGE_SIZE, "%s: scale %llu/%llu is too fine for units this large", reader->path,
             (unsigned long long)mapping->scale_num, (unsigned long long)mapping->scale_den);
    return 0;
}

int swim_read(const char *path, const swim_mapping *mapping, source *table, swim_summary *summary,
              char message[SWIM_MESSAGE_SIZE])
{
    swim_reader reader = {.path = path, .message = message};
    int status;
    memset(summary, 0, sizeof *summary);
    if (!check_scale(&reader, mapping))
        return 0;
    status = read_file(&reader, add_job, mapping, table, summary);
    if (status == 0 && !source_table_seal(table))
        status = fail(&reader, "not enough memory for the jobs");
    return status == 0;
}

int swim_read_batch(const char *path, const swim_batch *batch, source *table, swim_summary *summary,
                    char message[SWIM_MESSAGE_SIZE])
{
    swim_reader reader = {.path = path, .message = message};
    int status;
    memset(summary, 0, sizeof *summary);
    if (!check_scale(&reader, &batch->mapping))
        return 0;
    status = read_file(&reader, add_batch_job, batch, table, summary);
    if (status == 0 && table->count == 0) {
        char what[100];
        snprintf(what, sizeof what, "holds %llu jobs (expected at least %llu, as `first` says)",
                 (unsigned long long)summary->rows, (unsigned long long)batch->first);
        reader.line = 0;
        status = fail(&reader, what);
    }
    return status == 0;
}

/* ---- the tandem model ------------------------------------------------------------------------------- */

/* The size whose ratio to `map` is the cube root of that of `shuffle`. */
static double rooted(double map, double shuffle)
{
    return map * pn_pow(shuffle / map, 1.0 / 3.0);
}

/* Every ratio shuffle / map becomes its cube root, times what keeps their sum (section 5.2). Jobs that only shuffle have no ratio
 * and stay as they are. */
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

int swim_read_tandem(const char *path, const swim_loads *loads, source *table, swim_summary *summary,
                     char message[SWIM_MESSAGE_SIZE])
{
    swim_reader reader = {.path = path, .message = message};
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
