/* See refusals.h. */
#include "refusals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/damage.h"

/* CHANGES: of a case that are tried, about. NUMBER_WAYS: to change a number. */
enum { CHANGES = 150, NUMBER_WAYS = 10, SIZE_MOST = 1 << 22 };
/* what may happen to an entry; the log ends before it, or the run was stopped at its time, too */
enum { ENDED, LEFT_OUT, DOUBLED, SWAPPED, STOPPED, ENTRY_WAYS };

static refusals *collected;

void refusals_collect(refusals *to)
{
    collected = to;
}

bool refusals_collecting(void)
{
    return collected != NULL;
}

void refusals_keep(refusals_table *table, const void *row)
{
    if (!collected)
        return;
    if ((table->count & (table->count - 1)) == 0) { /* room for a power of two is used up */
        size_t room = table->count > 0 ? 2 * table->count : 1;
        table->rows = realloc((void *)(uintptr_t)table->rows, room * table->size);
        if (!table->rows)
            abort();
    }
    memcpy((unsigned char *)(uintptr_t)table->rows + table->count++ * table->size, row,
           table->size);
}

void *refusals_block(size_t size)
{
    return size > 0 && size <= SIZE_MOST ? workload_room(size) : NULL;
}

/* ---- numbers ---- */

static unsigned char *row_of(const refusals_table *table, size_t row)
{
    return (unsigned char *)(uintptr_t)table->rows + row * table->size;
}

static uint64_t read_number(const unsigned char *at, size_t width)
{
    uint64_t wide = 0;
    uint32_t narrow = 0;
    memcpy(width == sizeof wide ? (void *)&wide : (void *)&narrow, at, width);
    return width == sizeof wide ? wide : narrow;
}

static uint64_t number_at(const refusals_table *table, size_t row, const refusals_field *field)
{
    return read_number(row_of(table, row) + field->offset, field->width);
}

static void write_number(unsigned char *at, size_t width, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    memcpy(at, width == sizeof number ? (void *)&number : (void *)&narrow, width);
}

static uint64_t times_two(uint64_t number, int kind)
{
    double value;
    if (kind != REFUSALS_REAL)
        return 2 * number;
    memcpy(&value, &number, sizeof value);
    value *= 2;
    memcpy(&number, &value, sizeof value);
    return number;
}

/* Returns one of the values that are tried in place of the number; way 0..NUMBER_WAYS - 1. */
static uint64_t changed(const refusals_table *table, size_t row, const refusals_field *field,
                        int way)
{
    uint64_t own = number_at(table, row, field), by = collected->drawn;
    const uint64_t values[NUMBER_WAYS] = {
        own + 1,
        own - 1,
        row + 1 < table->count ? number_at(table, row + 1, field) : own,
        row > 0 ? number_at(table, row - 1, field) : own,
        times_two(own, field->kind),
        0,
        own + 2 + by % 8,
        own - 2 - by % 8,
        damage_words[by % DAMAGE_WORDS],
        damage_limits[by % DAMAGE_LIMITS] + by / DAMAGE_LIMITS % 2};
    return values[way];
}

/* ---- changes ---- */

static void note_verdict(const refusals_verdict *of)
{
    collected->tried++;
    collected->refused += of->status != 0;
    collected->verdicts = pn_mix(pn_mix(collected->verdicts, of->size), (uint64_t)of->status);
    for (const char *letter = of->fault; *letter != '\0'; letter++)
        collected->verdicts = pn_mix(collected->verdicts, (unsigned char)*letter);
    collected->verdicts = pn_mix(pn_mix(collected->verdicts, of->time), of->id);
}

static void judge(const refusals_case *of)
{
    refusals_verdict verdict = of->judge(of);
    note_verdict(&verdict);
}

/* Returns whether a change is one of those that are tried, of so many in all. */
static bool is_drawn(uint64_t of)
{
    collected->drawn = pn_mix(collected->drawn, 1);
    return collected->drawn >> 8 < (UINT64_MAX >> 8) / of * CHANGES || of <= CHANGES;
}

static void change_number(const refusals_case *of, const refusals_table *table, size_t row,
                          const refusals_field *field, int way)
{
    unsigned char *at = row_of(table, row) + field->offset;
    uint64_t own = read_number(at, field->width), other = changed(table, row, field, way);
    if (field->width < sizeof other)
        other = (uint32_t)other;
    if (other == own || (field->kind == REFUSALS_LESSER && other > own))
        return;
    write_number(at, field->width, other);
    judge(of);
    write_number(at, field->width, own);
}

static void swap_rows(refusals_table *log, size_t a, size_t b)
{
    for (size_t i = 0; i < log->size; i++) {
        unsigned char moved = row_of(log, a)[i];
        row_of(log, a)[i] = row_of(log, b)[i];
        row_of(log, b)[i] = moved;
    }
}

static void judge_part(const refusals_case *of, size_t count, bool stops)
{
    refusals_case part = *of;
    part.log.count = count;
    part.stops = stops;
    judge(&part);
}

static void change_entry(const refusals_case *of, size_t row, int way)
{
    refusals_case other = *of;
    refusals_table *log = &other.log;
    size_t behind = (log->count - row - 1) * log->size;
    if (way == ENDED || way == STOPPED) {
        judge_part(of, row, way == STOPPED);
        return;
    }
    log->rows = memcpy(workload_room((log->count + 1) * log->size), log->rows,
                       log->count * log->size);
    if (way == LEFT_OUT) {
        log->count--;
        memmove(row_of(log, row), row_of(log, row + 1), behind);
    } else if (way == DOUBLED) {
        log->count++;
        memmove(row_of(log, row + 1), row_of(log, row), behind + log->size);
    } else if (row + 1 < log->count) {
        swap_rows(log, row, row + 1);
    }
    judge(&other);
    free((void *)(uintptr_t)log->rows);
}

static size_t count_fields(const refusals_table *table)
{
    size_t count = 0;
    while (table->fields[count].kind != 0)
        count++;
    return count;
}

static void change_table(const refusals_case *of, const refusals_table *table, uint64_t changes)
{
    for (size_t row = 0; row < table->count; row++)
        for (const refusals_field *field = table->fields; field->kind != 0; field++)
            for (int way = 0; way < NUMBER_WAYS; way++)
                if (is_drawn(changes))
                    change_number(of, table, row, field, way);
}

void refusals_judge(refusals_case *of)
{
    uint64_t changes = of->log.count * (count_fields(&of->log) * NUMBER_WAYS + ENTRY_WAYS);
    for (size_t i = 0; i < REFUSALS_TABLES && of->tables[i].count > 0; i++)
        changes += of->tables[i].count * count_fields(&of->tables[i]) * NUMBER_WAYS;
    judge(of);
    change_table(of, &of->log, changes);
    for (size_t i = 0; i < REFUSALS_TABLES && of->tables[i].count > 0; i++)
        change_table(of, &of->tables[i], changes);
    for (size_t row = 0; row < of->log.count; row++)
        for (int way = 0; way < ENTRY_WAYS; way++)
            if (is_drawn(changes))
                change_entry(of, row, way);
}
