/* Strict floating point for the source file that includes this header, before any function of its
 * own: each operation on doubles is rounded by itself. A compiler may else contract a * b + c into
 * one operation with one rounding, which gives other bits, and whether it does depends on compiler,
 * target and flags. Every source file of the kernel includes this header. A host includes it in its
 * own policies in C where these compute with doubles and must decide alike on every machine.
 *
 * clang, and compilers that call themselves clang: -ffp-contract=fast overrides the sources and
 * must not be given. tcc contracts nothing. Another compiler: define PN_STRICT_FLOATING_POINT to
 * assert that it rounds each operation on doubles to a double. What a compiler cannot know, such as
 * the rounding mode of the process, pn_selftest looks at. */
#ifndef PN_STRICT_H
#define PN_STRICT_H

#include <float.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off") /* gcc does not know the standard's pragma */
#elif defined(__TINYC__) && defined(__x86_64__)
/* It does not say so by FLT_EVAL_METHOD: all in SSE registers, each operation by itself. */
#define PN_STRICT_FLOATING_POINT
#elif !defined(PN_STRICT_FLOATING_POINT)
#error "this compiler may contract a * b + c: see PN_STRICT_FLOATING_POINT in pn_strict.h"
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math and its parts change results: compile without them"
#endif
#if defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "-fassociative-math and -freciprocal-math change results: compile without them"
#endif

/* 0 and 1: doubles are computed as doubles. The registers of x87 and of the 68881 hold more, which
 * shows in results. */
#if !defined(PN_STRICT_FLOATING_POINT) && \
    (!defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2)
#error "doubles have excess precision here: on x86 -msse2 -mfpmath=sse, elsewhere -msoft-float"
#endif

/* SH-4 leaves subnormal numbers to the system, or makes them zero. */
#if !defined(PN_STRICT_FLOATING_POINT) && defined(__SH_FPU_ANY__)
#error "SuperH's floating-point unit is not all of IEEE 754: compile for a machine without it"
#endif

#endif
