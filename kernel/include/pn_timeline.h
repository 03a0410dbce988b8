/* Timelines: step functions of time, such as the jobs in the system, in constant memory, as exact
 * integrals over a fixed number of buckets of equal width. When a run exceeds the last bucket,
 * buckets are merged in pairs and become twice as wide, so a run of any length fits, and results do
 * not depend on an expected length.
 *
 * A host records the levels whenever they may have changed; pn_<model>_levels_get returns those of
 * a simulation.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 32/88, _validate 68/40, any other 192/152
 * (see docs/embedding.md). */
#ifndef PN_TIMELINE_H
#define PN_TIMELINE_H

#include "pn_base.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* one timeline: it lives at the start of the caller's block */
typedef struct pn_timeline pn_timeline;

enum pn_timeline_clock {
    /* Times and levels are integers; integrals are exact. A level of at most 2^64 - 1 over a span
     * of at most 2^64 - 1 is below 2^128: an integral cannot overflow. */
    PN_TIMELINE_INTEGER = 0,
    /* Times and levels are doubles from 0 to 2^256. Times since the first record and each record's
     * part of a bucket are rounded, and their sum is compensated: beside the rounding of times, an
     * integral is wrong by at most 2^-50 of its value, however many parts it has. Widths are powers
     * of two, and so are exact. */
    PN_TIMELINE_REAL = 1
};

#define PN_TIMELINE_BUCKETS_MAX ((uint32_t)1 << 20)
#define PN_TIMELINE_SERIES_MAX  64

/* Returns the bytes of the block: 16 for each bucket of each series, and less than 2 KB. 0 unless
 * buckets are 2..PN_TIMELINE_BUCKETS_MAX and series 1..PN_TIMELINE_SERIES_MAX. O(1). */
size_t pn_timeline_size(uint32_t buckets, uint32_t series);

/* Lays a timeline without records into `block` (size bytes, aligned to PN_BLOCK_ALIGN), which must
 * outlive it; there is nothing to free. `clock` is of enum pn_timeline_clock. PN_OK,
 * PN_ERR_ARGUMENT, PN_ERR_CONFIG, PN_ERR_SIZE or PN_ERR_ALIGN. O(size). */
int pn_timeline_init(pn_timeline **timeline, void *block, size_t size, uint32_t buckets,
                     uint32_t series, uint32_t clock);

/* Opens a copy of a block. A block is data without pointers: memcpy copies it to another address,
 * or to a file and back on the same ABI. Returns PN_OK, PN_ERR_ARGUMENT, PN_ERR_ALIGN, PN_ERR_SIZE
 * or PN_ERR_BLOCK. O(1). */
int pn_timeline_open(pn_timeline **timeline, void *block, size_t size);

/* Validates a block from outside. Returns PN_OK, what pn_timeline_open returns, or PN_ERR_DAMAGED.
 * After PN_OK no call with the block reads or writes outside it or has undefined behaviour; its
 * integrals may be those of no run. O(size). */
int pn_timeline_validate(const void *block, size_t size);

/* Record the levels that hold from `now` on, one for each series; until `now` those of the last
 * record held. The first record sets the start of the first bucket. So the last record, at the end
 * of a run, may have any levels.
 *
 * Return PN_OK, PN_ERR_ARGUMENT (null; the other clock; a double that is negative, above 2^256 or
 * NaN) or PN_ERR_ORDER (before the last record). O(series), and O(1) for each bucket that the span
 * since the last record touches: over a run O(records + buckets * doublings), of which there are at
 * most 64 with integers. */
int pn_timeline_record(pn_timeline *timeline, uint64_t now, const uint64_t *levels);
int pn_timeline_record_real(pn_timeline *timeline, double now, const double *levels);

typedef struct pn_timeline_about {
    size_t struct_size;              /* bytes that the library knows of it: PN_HAS */
    uint32_t buckets, series, clock; /* as given */
    uint32_t started;                /* 1: there is a record */
    uint32_t used; /* buckets that the records reach into, 0..buckets; the last may be partial */
    /* of PN_TIMELINE_INTEGER: the first and the last record, and the width of a bucket: a power of
     * two. 0 before the first record; the width is 1 at first */
    uint64_t from, now, width;
    /* of PN_TIMELINE_REAL; the width is 0 until some time has passed */
    double from_real, now_real, width_real;
} pn_timeline_about;

/* Write what the timeline is and holds. O(1). */
void pn_timeline_about_into(const pn_timeline *timeline, pn_timeline_about *to, size_t size);
static inline void pn_timeline_about_get(const pn_timeline *timeline, pn_timeline_about *to)
{
    pn_timeline_about_into(timeline, to, sizeof *to);
}

/* Return the integral of a series over a bucket, up to the last record; the mean is the integral
 * divided by the width. 0 beyond the buckets or the series, and with the other clock. O(1). */
pn_wide pn_timeline_integral(const pn_timeline *timeline, uint32_t bucket, uint32_t series);
double pn_timeline_integral_real(const pn_timeline *timeline, uint32_t bucket, uint32_t series);

/* Returns the mean of a series over a bucket, with either clock, as the nearest double or a
 * neighbour of it. O(1). */
double pn_timeline_mean(const pn_timeline *timeline, uint32_t bucket, uint32_t series);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
