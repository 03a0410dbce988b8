/* What the programs of random instances share: PROGRAM [SECONDS [COUNT [SEED[:FIRST]]]]. Instance
 * FIRST, FIRST + 1, … of the seed, at least one, until so many seconds of processor time are over
 * (0: never) or so many are done. Without a seed the time is one; whoever finds something wrong
 * prints what replays it. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef struct random_plan {
    double seconds;
    unsigned long count;
    uint64_t seed;
    uint32_t first;
} random_plan;

static inline random_plan random_read(int argc, char **argv)
{
    char *colon = NULL;
    random_plan plan = {5, 1000000, (uint64_t)time(NULL), 0};
    if (argc > 1)
        plan.seconds = atof(argv[1]);
    if (argc > 2)
        plan.count = strtoul(argv[2], NULL, 10);
    if (argc > 3)
        plan.seed = strtoull(argv[3], &colon, 10);
    if (colon && *colon == ':')
        plan.first = (uint32_t)strtoul(colon + 1, NULL, 10);
    return plan;
}

/* Whether every instance was found good. */
static inline bool random_run(const random_plan *plan,
                              bool (*check)(void *user, uint64_t seed, uint32_t instance),
                              void *user)
{
    clock_t end = clock() + (clock_t)(plan->seconds * CLOCKS_PER_SEC);
    bool good = true;
    for (uint32_t i = 0; i < plan->count && good && (i == 0 || plan->seconds <= 0 || clock() < end);
         i++)
        good = check(user, plan->seed, plan->first + i);
    return good;
}

#endif
