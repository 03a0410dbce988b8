/* Timelines: a table of cells, a row of all series for each bucket.
 *
 *   | pn_timeline, with the levels since the last record | cells: series of bucket 0 | … 1 | … |
 *
 * A cell is an integer of two words, or a sum of doubles with its unevaluated error. Time is kept
 * since the first record. Cells behind the last record are zero, so a merge of pairs only has to
 * look at those before it. */
#include "arena.h"
#include "config.h"
#include "pn_timeline.h"
#include "wide.h"

/* As pn_wide and pn_timeline_sum. */
typedef union pn_timeline_cell {
    pn_wide integer;
    struct pn_timeline_sum {
        double high, low;
    } real;
} pn_timeline_cell;

typedef union pn_timeline_level {
    uint64_t integer;
    double real;
} pn_timeline_level;

struct pn_timeline {
    pn_block_head head;
    uint32_t buckets, series, clock, started;
    pn_timeline_level from;  /* the first record */
    pn_timeline_level last;  /* the last one, since the first */
    pn_timeline_level width; /* a power of two; 0 of reals until time has passed */
    pn_timeline_level level[PN_TIMELINE_SERIES_MAX];
};

_Static_assert(sizeof(pn_timeline_cell) == 16 && sizeof(pn_timeline_level) == 8, "whole words");

static const char magic[8] = {'p', 'n', 't', 'i', 'm', 'e', '0', '1'};

static const double MOST = 0x1p256;
/* Narrower buckets are not needed to tell doubles of times apart. */
static const double WIDTH_LEAST = 0x1p-900;

/* ---- life ---- */

static const pn_timeline_cell *cells(const pn_timeline *timeline)
{
    return (const pn_timeline_cell *)(const void *)(timeline + 1);
}

/* Returns the series of a bucket. */
static pn_timeline_cell *row_of(pn_timeline *timeline, uint32_t bucket)
{
    return (pn_timeline_cell *)(void *)(timeline + 1) + (size_t)bucket * timeline->series;
}

size_t pn_timeline_size(uint32_t buckets, uint32_t series)
{
    pn_arena arena = {0, false};
    if (buckets < 2 || buckets > PN_TIMELINE_BUCKETS_MAX || series < 1 ||
        series > PN_TIMELINE_SERIES_MAX)
        return 0;
    pn_arena_take(&arena, 1, sizeof(pn_timeline));
    pn_arena_take(&arena, (size_t)buckets * series, sizeof(pn_timeline_cell));
    return pn_arena_size(&arena, 0);
}

int pn_timeline_init(pn_timeline **timeline, void *block, size_t size, uint32_t buckets,
                     uint32_t series, uint32_t clock)
{
    size_t needed = pn_timeline_size(buckets, series);
    if (!timeline || !block)
        return PN_ERR_ARGUMENT;
    int status = clock > PN_TIMELINE_REAL ? PN_ERR_CONFIG : pn_block_fits(block, size, needed);
    if (status != PN_OK)
        return status;
    memset(block, 0, needed);
    pn_timeline *empty = block;
    memcpy(empty->head.magic, magic, sizeof magic);
    empty->head.layout = sizeof(pn_timeline);
    empty->head.size = needed;
    empty->buckets = buckets;
    empty->series = series;
    empty->clock = clock;
    if (clock == PN_TIMELINE_INTEGER)
        empty->width.integer = 1;
    *timeline = empty;
    return PN_OK;
}

int pn_timeline_open(pn_timeline **timeline, void *block, size_t size)
{
    int status = timeline ? pn_block_check(block, size, magic, sizeof(pn_timeline))
                          : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        *timeline = block;
    return status;
}

static bool is_real(double value)
{
    return 0.0 <= value && value <= MOST;
}

static bool real_width_sound(const pn_timeline *timeline)
{
    double width = timeline->width.real, last = timeline->last.real;
    if (width == 0.0)
        return last == 0.0;
    return WIDTH_LEAST <= width && width <= MOST && last <= width * timeline->buckets;
}

static bool times_sound(const pn_timeline *timeline)
{
    if (!timeline->started && timeline->last.integer != 0)
        return false;
    if (timeline->clock == PN_TIMELINE_REAL)
        return is_real(timeline->from.real) && is_real(timeline->last.real) &&
               real_width_sound(timeline);
    uint64_t width = timeline->width.integer;
    return width > 0 && (width & (width - 1)) == 0 &&
           timeline->last.integer <= UINT64_MAX - timeline->from.integer &&
           (timeline->last.integer == 0 ||
            (timeline->last.integer - 1) / width < timeline->buckets);
}

int pn_timeline_validate(const void *block, size_t size)
{
    const pn_timeline *timeline = block;
    int status = pn_block_check(block, size, magic, sizeof(pn_timeline));
    if (status != PN_OK)
        return status;
    if (timeline->clock > PN_TIMELINE_REAL || timeline->started > 1 ||
        timeline->head.size != pn_timeline_size(timeline->buckets, timeline->series) ||
        !times_sound(timeline))
        return PN_ERR_DAMAGED;
    for (uint32_t s = 0; timeline->clock == PN_TIMELINE_REAL && s < timeline->series; s++)
        if (!is_real(timeline->level[s].real))
            return PN_ERR_DAMAGED;
    return PN_OK;
}

/* ---- merging ---- */

static void add_real(pn_timeline_cell *cell, double term)
{
    double total = cell->real.high + term, back = total - cell->real.high;
    cell->real.low += (cell->real.high - (total - back)) + (term - back);
    cell->real.high = total;
}

/* Makes buckets twice as wide: each pair becomes one bucket, in place; the first stays. */
static void timeline_merge(pn_timeline *timeline)
{
    for (uint32_t b = 1; b < timeline->buckets; b++) {
        const pn_timeline_cell *from = row_of(timeline, b);
        pn_timeline_cell *to = row_of(timeline, b / 2);
        for (uint32_t s = 0; s < timeline->series; s++) {
            pn_timeline_cell moved = from[s];
            if (b % 2 == 0) {
                to[s] = moved;
            } else if (timeline->clock == PN_TIMELINE_REAL) {
                add_real(&to[s], moved.real.high);
                to[s].real.low += moved.real.low;
            } else {
                to[s].integer = pn_wide_sum(to[s].integer, moved.integer);
            }
        }
    }
    uint32_t kept = (timeline->buckets + 1) / 2;
    memset(row_of(timeline, kept), 0,
           (size_t)(timeline->buckets - kept) * timeline->series * sizeof(pn_timeline_cell));
}

/* ---- integers ---- */

static void fill(pn_timeline *timeline, uint64_t from, uint64_t to)
{
    uint64_t width = timeline->width.integer;
    for (uint64_t at = from; at < to;) {
        uint64_t bucket = at / width, left = width - at % width;
        uint64_t span = pn_min(left, to - at);
        pn_timeline_cell *row = row_of(timeline, (uint32_t)bucket);
        for (uint32_t s = 0; s < timeline->series; s++)
            row[s].integer = pn_wide_sum(row[s].integer,
                                         pn_wide_product(timeline->level[s].integer, span));
        at += span;
    }
}

int pn_timeline_record(pn_timeline *timeline, uint64_t now, const uint64_t *levels)
{
    if (!timeline || !levels || timeline->clock != PN_TIMELINE_INTEGER)
        return PN_ERR_ARGUMENT;
    uint64_t from = timeline->started ? timeline->from.integer : now, end = now - from;
    if (now < from || end < timeline->last.integer)
        return PN_ERR_ORDER;
    timeline->from.integer = from;
    while (end > 0 && (end - 1) / timeline->width.integer >= timeline->buckets) {
        timeline_merge(timeline);
        timeline->width.integer *= 2;
    }
    fill(timeline, timeline->last.integer, end);
    timeline->started = 1;
    timeline->last.integer = end;
    for (uint32_t s = 0; s < timeline->series; s++)
        timeline->level[s].integer = levels[s];
    return PN_OK;
}

/* ---- reals ---- */

/* Returns the smallest power of two, within limits, so that the buckets reach to `end` > 0. */
static double first_width(double end, uint32_t buckets)
{
    double width = 1.0;
    while (width * buckets < end)
        width *= 2.0;
    while (width > WIDTH_LEAST && width * 0.5 * buckets >= end)
        width *= 0.5;
    return width;
}

/* Returns the bucket that `at` lies in; the quotient by a power of two is exact. */
static uint32_t bucket_of(const pn_timeline *timeline, double at)
{
    double place = at / timeline->width.real;
    return place < timeline->buckets ? (uint32_t)place : timeline->buckets - 1;
}

static void fill_real(pn_timeline *timeline, double from, double to)
{
    double at = from;
    for (uint32_t b = bucket_of(timeline, from); at < to; b++) {
        double edge = (b + 1.0) * timeline->width.real;
        double end = edge < to ? edge : to;
        pn_timeline_cell *row = row_of(timeline, b);
        for (uint32_t s = 0; s < timeline->series; s++)
            add_real(&row[s], timeline->level[s].real * (end - at));
        at = end;
    }
}

int pn_timeline_record_real(pn_timeline *timeline, double now, const double *levels)
{
    if (!timeline || !levels || timeline->clock != PN_TIMELINE_REAL || !is_real(now))
        return PN_ERR_ARGUMENT;
    for (uint32_t s = 0; s < timeline->series; s++)
        if (!is_real(levels[s]))
            return PN_ERR_ARGUMENT;
    double end = timeline->started ? now - timeline->from.real : 0.0;
    if (end < timeline->last.real)
        return PN_ERR_ORDER;
    if (!timeline->started)
        timeline->from.real = now;
    if (end > 0.0 && timeline->width.real == 0.0)
        timeline->width.real = first_width(end, timeline->buckets);
    while (end > timeline->width.real * timeline->buckets) {
        timeline_merge(timeline);
        timeline->width.real *= 2.0;
    }
    fill_real(timeline, timeline->last.real, end);
    timeline->started = 1;
    timeline->last.real = end;
    for (uint32_t s = 0; s < timeline->series; s++)
        timeline->level[s].real = levels[s];
    return PN_OK;
}

/* ---- queries ---- */

static uint32_t used_of(const pn_timeline *timeline)
{
    if (timeline->clock == PN_TIMELINE_INTEGER)
        return timeline->last.integer > 0
                   ? (uint32_t)((timeline->last.integer - 1) / timeline->width.integer) + 1
                   : 0;
    if (timeline->last.real == 0.0)
        return 0;
    uint32_t bucket = bucket_of(timeline, timeline->last.real);
    return timeline->last.real > bucket * timeline->width.real ? bucket + 1 : bucket;
}

void pn_timeline_about_into(const pn_timeline *timeline, pn_timeline_about *to, size_t size)
{
    pn_timeline_about state = {.buckets = timeline->buckets,
                               .series = timeline->series,
                               .clock = timeline->clock,
                               .started = timeline->started,
                               .used = used_of(timeline)};
    if (timeline->clock == PN_TIMELINE_INTEGER) {
        state.from = timeline->from.integer;
        state.now = timeline->from.integer + timeline->last.integer;
        state.width = timeline->width.integer;
    } else {
        state.from_real = timeline->from.real;
        state.now_real = timeline->from.real + timeline->last.real;
        state.width_real = timeline->width.real;
    }
    pn_config_fill(to, size, &state, sizeof state);
}

static bool has(const pn_timeline *timeline, uint32_t bucket, uint32_t series, uint32_t clock)
{
    return timeline->clock == clock && bucket < timeline->buckets && series < timeline->series;
}

pn_wide pn_timeline_integral(const pn_timeline *timeline, uint32_t bucket, uint32_t series)
{
    if (!has(timeline, bucket, series, PN_TIMELINE_INTEGER))
        return (pn_wide){0, 0};
    return cells(timeline)[(size_t)bucket * timeline->series + series].integer;
}

double pn_timeline_integral_real(const pn_timeline *timeline, uint32_t bucket, uint32_t series)
{
    if (!has(timeline, bucket, series, PN_TIMELINE_REAL))
        return 0.0;
    const pn_timeline_cell *cell = &cells(timeline)[(size_t)bucket * timeline->series + series];
    return cell->real.high + cell->real.low;
}

double pn_timeline_mean(const pn_timeline *timeline, uint32_t bucket, uint32_t series)
{
    if (timeline->clock == PN_TIMELINE_REAL)
        return timeline->width.real > 0.0
                   ? pn_timeline_integral_real(timeline, bucket, series) / timeline->width.real
                   : 0.0;
    pn_wide integral = pn_timeline_integral(timeline, bucket, series);
    return ((double)integral.high * 0x1p64 + (double)integral.low) /
           (double)timeline->width.integer;
}
