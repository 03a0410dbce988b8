/* Shared inside the kernel only: the assert and the smallest helpers. */
#ifndef PN_INTERNAL_H
#define PN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pn_base.h"

/* A broken invariant is a bug in the kernel (or a block scribbled over): stop before it becomes a wrong number.
 * On in release builds; a host may define PN_ASSERT itself, or PN_NO_ASSERT. Conditions have no side effects. */
#ifndef PN_ASSERT
#ifdef PN_NO_ASSERT
#define PN_ASSERT(condition) ((void)0)
#else
_Noreturn void abort(void);
#define PN_ASSERT(condition) ((condition) ? (void)0 : abort())
#endif
#endif

static inline uint64_t pn_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t pn_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
