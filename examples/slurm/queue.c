/* What squeue shows. A reading is refused as a whole when a line of it is not understood: who acts
 * on half of a queue takes the other half for ended. */
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

/* The columns, each with a tab behind it. None holds a text that users choose freely. */
#define TAB ":\t,"
static const char columns[] = "ArrayJobID" TAB "ArrayTaskID" TAB "StateCompact" TAB
                              "PriorityLong" TAB "tres-alloc" TAB "Partition" TAB "UserID" TAB
                              "TimeLimit" TAB "StartTime" TAB "NodeList" TAB "ReqNodes" TAB
                              "OverSubscribe" TAB "Feature" TAB "Reservation" TAB "Dependency" TAB
                              "Licenses" TAB "tres-per-job" TAB "tres-per-node" TAB
                              "tres-per-socket" TAB "tres-per-task" TAB "HetJobID" TAB "Reason:\t";
enum {
    JOB,
    ELEMENT,
    STATE,
    PRIORITY,
    TRES,
    PARTITION,
    USER,
    LIMIT,
    START,
    NODES,
    REQUIRED,
    SHARING,
    FEATURES,
    RESERVATION,
    DEPENDENCY,
    LICENSES,
    PER_JOB,
    PER_NODE,
    PER_SOCKET,
    PER_TASK,
    HET_JOB,
    REASON,
    FIELDS
};

/* ---- fields ---------------------------------------------------------------------------------- */

static int is_none(const char *text)
{
    return !*text || strcmp(text, "(null)") == 0 || strcmp(text, "N/A") == 0;
}

/* Returns 1 if the words, each between blanks, have this one. */
static int is_among(const char *words, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = strstr(words, word); size > 0 && at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || !at[size]))
            return 1;
    return 0;
}

static int read_state(char *const *field, sl_row *row)
{
    row->state = field[STATE];
    if (is_among("PD RH RD SE", field[STATE]))
        row->seen = strcmp(field[PRIORITY], "0") == 0 ? HELD : WAITS;
    else if (is_among("RQ RF", field[STATE]))
        row->seen = WAITS;
    else if (is_among("R CG CF S ST SI SO RS", field[STATE]))
        row->seen = LIVE;
    else if (is_among("BF CA CD DL F NF OOM PR RV TO", field[STATE]))
        row->seen = OVER;
    else
        return -1;
    return 0;
}

/* Reads an amount of memory such as 500M or 1.50G; MB, rounded up. */
static uint64_t read_memory(const char *text)
{
    static const char units[] = "KMGTP";
    char *end;
    double amount = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (const char *it = units + 1; unit && it < unit; it++)
        amount *= 1024;
    if (unit == units)
        amount /= 1024;
    return amount > 0 && amount < 1e15 ? (uint64_t)ceil(amount) : 0;
}

/* Reads "cpu=2,mem=100M,node=1". The column of nodes shows a guess in place of their number. */
static void read_demand(const char *text, sl_row *row)
{
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, "cpu=", 4) == 0)
            row->demand[CPUS] = strtoull(at + 4, NULL, 10);
        else if (strncmp(at, "mem=", 4) == 0)
            row->demand[MEMORY] = read_memory(at + 4);
        else if (strncmp(at, "node=", 5) == 0)
            row->node_count = strtoull(at + 5, NULL, 10);
    }
}

/* Reads a time limit: [days-][[hours:]minutes:]seconds; 0: none. */
static uint64_t read_limit(const char *text)
{
    uint64_t days = 0, sum = 0;
    if (*text < '0' || *text > '9')
        return 0;
    for (;; text++) {
        char *end;
        uint64_t number = strtoull(text, &end, 10);
        if (*end == '-')
            days = number;
        else
            sum = sum * 60 + number;
        if (end == text || !*end)
            break;
        text = end;
    }
    sum += days * 24 * 3600;
    return sum < ((uint64_t)1 << 30) ? sum * 1000 : (uint64_t)1 << 40;
}

static const char *odd_of(char *const *field, const sl_row *row)
{
    const struct {
        int is_odd;
        const char *what;
    } all[] = {
        {row->node_count != 1, "more than one node"},
        {row->demand[CPUS] == 0, "no CPUs"},
        {!is_none(field[START]), "a time to begin"},
        {!is_none(field[REQUIRED]), "nodes by name"},
        {strcmp(field[SHARING], "OK") != 0, "whole or shared nodes"},
        {!is_none(field[FEATURES]), "features of nodes"},
        {!is_none(field[RESERVATION]), "a reservation"},
        {!is_none(field[DEPENDENCY]), "a dependency"},
        {!is_none(field[LICENSES]), "licenses"},
        {!is_none(field[PER_JOB]) || !is_none(field[PER_NODE]) || !is_none(field[PER_SOCKET]) ||
             !is_none(field[PER_TASK]),
         "other resources than CPUs and memory"},
        {!is_none(field[HET_JOB]) && strcmp(field[HET_JOB], "0") != 0, "several parts"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_odd)
            return all[i].what;
    return NULL;
}

int has_word(const char *list, const char *word)
{
    const size_t size = strlen(word);
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strncmp(list, word, size) == 0 && (list[size] == ',' || !list[size]))
            return 1;
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int split(char *line, char *field[FIELDS])
{
    for (int i = 0; i < FIELDS; i++) {
        field[i] = line;
        line = strchr(line, '\t');
        if (!line)
            return -1;
        *line++ = '\0';
    }
    return *line ? -1 : 0;
}

static int read_row(char *line, sl_row *row)
{
    char *field[FIELDS];
    uint64_t element, uid;
    *row = (sl_row){.element = NONE};
    if (split(line, field) != 0 || read_number(field[JOB], 1, UINT64_MAX, &row->job) != 0 ||
        read_number(field[USER], 0, UINT32_MAX, &uid) != 0 || read_state(field, row) != 0)
        return -1;
    if (read_number(field[ELEMENT], 0, UINT32_MAX, &element) == 0)
        row->element = (int64_t)element;
    else if (!is_none(field[ELEMENT]))
        return -1;
    row->uid = (uint32_t)uid;
    read_demand(field[TRES], row);
    row->limit_ms = read_limit(field[LIMIT]);
    row->partition = field[PARTITION];
    row->nodes = field[NODES];
    row->reason = field[REASON];
    row->odd = odd_of(field, row);
    return 0;
}

static int compare_rows(const void *left, const void *right)
{
    const sl_row *a = left, *b = right;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return a->element < b->element ? -1 : a->element > b->element;
}

static size_t count_lines(const char *text)
{
    size_t count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static int read_rows(sl_rows *rows)
{
    size_t count = count_lines(rows->text);
    rows->list = calloc(count + 1, sizeof *rows->list);
    if (!rows->list)
        return complain("not enough memory");
    for (char *line = rows->text, *next; rows->count < count; line = next) {
        char *end = strchr(line, '\n');
        next = end + 1;
        *end = '\0';
        if (read_row(line, &rows->list[rows->count++]) != 0)
            return complain_once(
                "squeue:%zu: not a row of the queue (expected %d fields with a number, "
                "a state and a user that are known)",
                rows->count, FIELDS);
    }
    qsort(rows->list, count, sizeof *rows->list, compare_rows);
    return 0;
}

int read_queue(const sl_options *options, sl_rows *rows)
{
    const char *const words[] = {"squeue",       "--noheader", "--all", "--array",
                                 "--states=all", "-O",         columns, NULL};
    *rows = (sl_rows){.text = run_command(words, NULL, options->timeout_ms)};
    return rows->text && read_rows(rows) == 0 ? 0 : -1;
}

void free_queue(sl_rows *rows)
{
    free(rows->text);
    free(rows->list);
    *rows = (sl_rows){0};
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void mark(sl_rows *rows, uint64_t job, const char *odd)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].job == job)
            rows->list[i].odd = odd;
}

/* A line has the array's elements, of which "%5" says how many may run, and the excluded nodes. */
int read_limits(const sl_options *options, sl_rows *rows)
{
    const char *const words[] = {"squeue", "--noheader", "--all", "--states=pending",
                                 "-o",     "%F\t%K\t%x", NULL};
    char *text = run_command(words, NULL, options->timeout_ms), *rest = NULL;
    if (!text)
        return -1;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *elements = line + strcspn(line, "\t"), *excluded;
        uint64_t job;
        elements += *elements == '\t';
        excluded = elements + strcspn(elements, "\t");
        if (elements > line)
            elements[-1] = '\0';
        if (read_number(line, 1, UINT64_MAX, &job) != 0 || *excluded != '\t')
            continue;
        if (memchr(elements, '%', (size_t)(excluded - elements)))
            mark(rows, job, "a limit on its running elements");
        else if (excluded[1])
            mark(rows, job, "nodes that it excludes");
    }
    free(text);
    return 0;
}
