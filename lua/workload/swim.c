/* Reader of SWIM traces (Chen, Ganapathi, Griffith, Katz 2011): one job per line, fields separated
 * by one TAB, and after these six the paths of input and output:
 *
 *     job0    49    49    740773    2339561    627471
 *     name    submit_s  gap_s  map_input_bytes  shuffle_bytes  output_bytes
 *
 * Plain or gzip'ed alike. Each model makes its own jobs of the rows (swim.c among its sources). */
#include "swim.h"

#include <stdio.h>
#include <string.h>

#include "base/bounds.h"

/* ---- exact arithmetic ------------------------------------------------------------------------ */

/* Computes a * b / divisor with remainder, through 128 bits; 0 when the quotient does not fit. a, b
 * <= 2^54, divisor < 2^63. */
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

int swim_scaled(const swim_mapping *mapping, uint64_t bytes, uint64_t size, int up,
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
    char reason[200], quoted[GZ_QUOTE_SIZE];
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
    snprintf(reason, sizeof reason,
             "field %d, %s: \"%s\" (expected a decimal integer in 0..9007199254740991)", index + 1,
             name, quoted);
    return gz_lines_fail(reader, reason);
}

/* Cuts the line at its TABs; fields after the sixth may hold anything. */
static int read_fields(gz_lines *reader, char *line, uint64_t values[SWIM_FIELDS])
{
    static const char *const names[SWIM_FIELDS] = {"the job's name", "submit time in seconds",
                                                   "gap in seconds", "map input bytes",
                                                   "shuffle bytes",  "output bytes"};
    char *fields[SWIM_FIELDS];
    int count = 0;
    if (strlen(line) != reader->size)
        return gz_lines_fail(reader, "the line holds a null byte (expected text)");
    for (char *at = line; at && count < SWIM_FIELDS; count++) {
        char *tab = strchr(at, '\t');
        fields[count] = at;
        if (tab)
            *tab++ = '\0';
        at = tab;
    }
    if (count < SWIM_FIELDS) {
        char reason[100];
        if (reader->size == 0)
            return gz_lines_fail(reader, "the line is blank (expected 6 fields separated by TABs)");
        snprintf(reason, sizeof reason, "%d field%s (expected at least 6, separated by TABs)",
                 count, count == 1 ? "" : "s");
        return gz_lines_fail(reader, reason);
    }
    if (fields[0][0] == '\0')
        return gz_lines_fail(reader, "field 1, the job's name: nothing (expected a name)");
    for (int i = 1; i < SWIM_FIELDS; i++) {
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

int swim_out_of_memory(gz_lines *reader)
{
    return gz_lines_fail(reader, "not enough memory for the jobs");
}

uint64_t swim_reduce_tasks(const swim_mapping *mapping, uint64_t shuffle, uint64_t output,
                           uint64_t cap)
{
    uint64_t tasks;
    if (!swim_scaled(mapping, shuffle + output, mapping->reduce_bytes, 0, &tasks) || tasks > cap)
        tasks = cap;
    return tasks > 0 ? tasks : 1;
}

static int read_lines(gz_lines *reader, swim_add_row *add, const void *how, source *table,
                      swim_summary *summary)
{
    uint64_t submitted = 0;
    char *line = NULL;
    int status;
    while ((status = gz_lines_next(reader, &line)) > 0) {
        uint64_t values[SWIM_FIELDS] = {0};
        if ((status = read_fields(reader, line, values)) < 0)
            return status;
        if (values[1] < submitted) {
            char reason[160];
            snprintf(
                reason, sizeof reason,
                "submit time %llu s lies before that of the line above (expected at least %llu)",
                (unsigned long long)values[1], (unsigned long long)submitted);
            return gz_lines_fail(reader, reason);
        }
        submitted = values[1];
        if (summary->rows == LIMIT_JOBS)
            return gz_lines_fail(reader, "the trace has more jobs (expected at most 10000000)");
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

int swim_read_file(gz_lines *reader, swim_add_row *add, const void *how, source *table,
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

/* Checks the scale: multiply_divide() wants the divisor below 2^63. */
int swim_check_scale(gz_lines *reader, const swim_mapping *mapping)
{
    if (mapping->scale_den <= INT64_MAX / mapping->unit &&
        mapping->scale_den <= INT64_MAX / mapping->reduce_bytes)
        return 1;
    snprintf(reader->message, SWIM_MESSAGE_SIZE,
             "%s: scale %llu/%llu is too fine for units this large", reader->path,
             (unsigned long long)mapping->scale_num, (unsigned long long)mapping->scale_den);
    return 0;
}

int swim_read_part(gz_lines *reader, swim_add_row *add, const void *how, uint64_t first,
                   source *table, swim_summary *summary)
{
    int status = swim_read_file(reader, add, how, table, summary);
    if (status == 0 && table->count == 0) {
        char reason[100];
        snprintf(reason, sizeof reason, "holds %llu jobs (expected at least %llu, as `first` says)",
                 (unsigned long long)summary->rows, (unsigned long long)first);
        reader->line = 0;
        status = gz_lines_fail(reader, reason);
    }
    return status == 0;
}
