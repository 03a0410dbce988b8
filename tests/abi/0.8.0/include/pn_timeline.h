/* What happened over time, in constant memory: step functions, such as the jobs in the system, as
 * exact integrals over a fixed number of buckets of equal width. When a run outgrows the last
 * bucket, buckets are merged in pairs and are twice as wide from then on, so a run of any length
 * fits and no result depends on how long it was to be.
 *
 * A host records the levels whenever they may have changed; those of a simulation come from its
 * model's pn_<model>_levels_get.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: _init 32/88, _validate 68/40, any other 200/152
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

/* Bytes of the block; 0 unless buckets are 2..PN_TIMELINE_BUCKETS_MAX and series
 * 1..PN_TIMELINE_SERIES_MAX. 16 bytes for each bucket of each series, and less than 2 KB. O(1). */
size_t pn_timeline_size(uint32_t buckets, uint32_t series);

/* Lays a timeline without records into `block` (size bytes, aligned to PN_BLOCK_ALIGN), which must
 * outlive it; there is nothing to free. `clock` is of enum pn_timeline_clock. PN_OK,
 * PN_ERR_ARGUMENT, PN_ERR_CONFIG, PN_ERR_SIZE or PN_ERR_ALIGN. O(size). */
int pn_timeline_init(pn_timeline **timeline, void *block, size_t size, uint32_t buckets,
                     uint32_t series, uint32_t clock);

/* A block is data without pointers: copy it with memcpy, to another address or to a file and back
 * on the same ABI, and open the copy. That is a snapshot. PN_OK, or PN_ERR_ARGUMENT, PN_ERR_ALIGN,
 * PN_ERR_SIZE, PN_ERR_BLOCK. O(1). */
int pn_timeline_open(pn_timeline **timeline, void *block, size_t size);

/* Whether a block may be worked with, whoever wrote it: what pn_timeline_open says, or
 * PN_ERR_DAMAGED. After PN_OK no call with it reads or writes outside of it or meets undefined
 * behaviour; that its integrals are those of some run is not promised. O(size). */
int pn_timeline_validate(const void *block, size_t size);

/* From `now` on the levels are these, one for each series; until then they were those of the record
 * before. The first record says where time begins: its `now` is the start of the first bucket. So
 * the last record of a run, at its end, may have any levels.
 *
 * PN_OK, PN_ERR_ARGUMENT (null; the other clock; a double that is negative, above 2^256 or NaN) or
 * PN_ERR_ORDER (before the last record). O(series) and O(1) for each bucket that the span since the
 * last record touches: over a run O(records + buckets * doublings), of which there are at most 64
 * with integers. */
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

/* O(1) */
void pn_timeline_about_into(const pn_timeline *timeline, pn_timeline_about *to, size_t size);
static inline void pn_timeline_about_get(const pn_timeline *timeline, pn_timeline_about *to)
{
    pn_timeline_about_into(timeline, to, sizeof *to);
}

/* The integral of a series over a bucket, up to the last record: its mean is the integral by the
 * width. Beyond the buckets, the series, and with the other clock it is 0. O(1). */
pn_wide pn_timeline_integral(const pn_timeline *timeline, uint32_t bucket, uint32_t series);
double pn_timeline_integral_real(const pn_timeline *timeline, uint32_t bucket, uint32_t series);

/* The mean of a series over a bucket of either clock, as the nearest double or a neighbour of it.
 * O(1). */
double pn_timeline_mean(const pn_timeline *timeline, uint32_t bucket, uint32_t series);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
