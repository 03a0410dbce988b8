/* What the benchmarks share: a clock, memory, and giving up. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "pinion.h"

/* Processor time: what else the machine does matters less. */
static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The lower of two times, 0 being none. */
static inline double best(double a, double b)
{
    return a == 0 || b < a ? b : a;
}

static inline void *checked(void *p)
{
    if (!p) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return p;
}

/* A large block is read all over, so it goes onto huge pages where the system grants them, as any
 * host would do. */
static inline void *block_alloc(size_t size)
{
    enum { HUGE = 2 << 20 };
    if (size < HUGE)
        return checked(aligned_alloc(64, (size + 63) / 64 * 64));
    size = (size + HUGE - 1) / HUGE * HUGE;
    void *block = checked(aligned_alloc(HUGE, size));
#if defined(MADV_HUGEPAGE)
    madvise(block, size, MADV_HUGEPAGE);
#endif
    return block;
}

static inline void must(int status)
{
    if (status < 0) {
        fprintf(stderr, "bench: %s\n", pn_status_name(status));
        exit(1);
    }
}

#endif
