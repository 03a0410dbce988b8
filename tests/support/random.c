/* See random.h. */
#include "random.h"

#include <stdio.h>

/* ---- drawing ---- */

static struct {
    const pn_stream *stream;
    const uint8_t *bytes;
    size_t size;
} driven;

void random_drive(const pn_stream *stream, const uint8_t *bytes, size_t size)
{
    driven.stream = stream;
    driven.bytes = bytes;
    driven.size = size;
}

/* Returns as many bytes as numbers up to `last` need, the first one lowest. */
static uint64_t take(uint64_t last)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && last >> shift > 0 && driven.size > 0; shift += 8) {
        value |= (uint64_t)*driven.bytes++ << shift;
        driven.size--;
    }
    return value;
}

/* The stream advances in any case, so that its copies differ. */
uint64_t random_uniform(pn_stream *stream, uint64_t low, uint64_t high)
{
    uint64_t drawn = pn_uniform(stream, low, high), last = high - low;
    if (stream != driven.stream || driven.size == 0)
        return drawn;
    uint64_t value = take(last);
    return low + (last == UINT64_MAX ? value : value % (last + 1));
}

/* ---- programs ---- */

random_plan random_read(int argc, char **argv)
{
    char *colon = NULL;
    random_plan plan = {argv[0], 5, 1000000, (uint64_t)time(NULL), 0};
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

bool random_run(const random_plan *plan,
                bool (*check)(void *user, uint64_t seed, uint32_t instance), void *user)
{
    clock_t end = clock() + (clock_t)(plan->seconds * CLOCKS_PER_SEC);
    bool good = true;
    for (uint32_t i = 0; i < plan->count && good && (i == 0 || plan->seconds <= 0 || clock() < end);
         i++) {
        good = check(user, plan->seed, plan->first + i);
        if (!good)
            printf("replay with: %s 0 1 %llu:%lu\n", plan->program, (unsigned long long)plan->seed,
                   (unsigned long)(plan->first + i));
    }
    return good;
}

typedef struct run {
    const random_check *check;
    unsigned long instances;
} run;

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    run *self = user;
    pn_stream stream;
    pn_stream_init(&stream, seed, number, 1);
    self->instances++;
    return self->check->instance(&stream, number, RANDOM_ALL_POLICIES);
}

int random_main(int argc, char **argv, const random_check *check)
{
    random_plan plan = random_read(argc, argv);
    run self = {check, 0};
    printf("random_%s: seed %llu", check->name, (unsigned long long)plan.seed);
    fflush(stdout); /* before anything goes wrong */
    if (!random_run(&plan, check_instance, &self))
        return 1;
    printf(", %lu instances: ", self.instances);
    return check->report() ? 0 : 1;
}
