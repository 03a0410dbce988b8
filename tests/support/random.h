/* Random instances: what is drawn for them, and the programs that check them,
 *
 *   build/tests/ROOM/random [SECONDS [COUNT [SEED[:FIRST]]]]
 *
 * Such a program checks instance FIRST, FIRST + 1, … of the seed, at least one, until so many
 * seconds of processor time are over (0: never) or so many are done. Without a seed it takes the
 * time. It prints what replays a failure. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "pn_base.h"

/* ---- drawing ---- */

/* Takes the next numbers of this stream from bytes, as long as there are any, and then from the
 * stream. At most one stream is driven; a copy of it is not. */
void random_drive(const pn_stream *stream, const uint8_t *bytes, size_t size);

/* Returns a number of low..high: of the bytes that drive the stream, or as pn_uniform. */
uint64_t random_uniform(pn_stream *stream, uint64_t low, uint64_t high);

/* ---- checks of instances ---- */

#define RANDOM_ALL_POLICIES UINT32_MAX

typedef struct random_check {
    const char *name;
    /* Draws an instance of the kind that the number names, and checks one policy, by its place, or
     * all; false: it has printed what is wrong. */
    bool (*instance)(pn_stream *stream, uint32_t number, uint32_t policy);
    /* Prints what has been checked; false: too little for a proof. */
    bool (*report)(void);
} random_check;

/* All checks; a new one is added behind the others, for the fuzzer numbers them. */
#define RANDOM_CHECKS(EACH) \
    EACH(slotted) EACH(tandem) EACH(makespan) EACH(cluster) EACH(dag) EACH(fickle) EACH(compiled)
#define RANDOM_DECLARE(NAME) extern const random_check random_##NAME;
RANDOM_CHECKS(RANDOM_DECLARE)
#undef RANDOM_DECLARE

/* Returns true if the policy at this place is to be checked. */
static inline bool random_takes(uint32_t policy, size_t place)
{
    return policy == RANDOM_ALL_POLICIES || policy == place;
}

/* ---- programs ---- */

typedef struct random_plan {
    const char *program; /* as it was called */
    double seconds;
    unsigned long count;
    uint64_t seed;
    uint32_t first;
} random_plan;

random_plan random_read(int argc, char **argv);

/* Returns true if every instance was found good. */
bool random_run(const random_plan *plan,
                bool (*check)(void *user, uint64_t seed, uint32_t instance), void *user);

/* Runs the program of a check; returns its exit status. */
int random_main(int argc, char **argv, const random_check *check);

#endif
