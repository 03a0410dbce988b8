/* The price of writing a workload in Lua: simple jobs a second, and the built-in workload of rule
 * SL29 beside its twin in examples/workloads/, which makes the same jobs, in the same run; with the
 * budget of instructions on and off. Best of several rounds. */
#define _DEFAULT_SOURCE
#include "bench.h"

#include "pinion_lua.h"
#include "pinion/models/slotted/sources/jobs.h"

static double jobs = 400000; /* about so many */
static int rounds = 5;

static const char simple[] =
    "return { name = 'simple', model = 'slotted', params = { slots = { default = 1 } },\n"
    "  generate = function(g)\n"
    "    for slot = 1, g.params.slots do g:job { arrival = slot, maps = 3, reduces = 5 } end\n"
    "  end }";

typedef struct outcome {
    double seconds;
    uint64_t jobs, digest;
} outcome;

static void count(outcome *made, const pn_slotted_job *job)
{
    made->jobs++;
    made->digest = pn_mix(pn_mix(made->digest, job->arrival), job->maps);
    for (size_t k = 0; k < job->reduce_count; k++)
        made->digest = pn_mix(made->digest, job->reduces[k]);
}

static outcome from_c(void)
{
    distribution maps = {DISTRIBUTION_EXP, 5.0, 0.0, NULL},
                 reduces = {DISTRIBUTION_EXP, 40.0, 0.0, NULL},
                 tasks = {DISTRIBUTION_CONSTANT, 10.0, 0.0, NULL};
    source *work = checked(slotted_zheng_new(&(slotted_sizes){&maps, &reduces, &tasks}, 2.0,
                                             (uint64_t)jobs / 2, 1, 0));
    outcome made = {now(), 0, PN_MIX_START};
    pn_slotted_job job;
    while (work->next(work, &job) == SOURCE_JOB)
        count(&made, &job);
    made.seconds = now() - made.seconds;
    work->destroy(work);
    return made;
}

static outcome from_lua(const char *text, size_t size, uint64_t budget, double slots)
{
    pn_lua_options options = pn_lua_defaults();
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_workload *work;
    pn_slotted_job job;
    int status;
    options.budget = budget;
    if (pn_lua_workload_load(&work, "bench", text, size, &options, message, sizeof message) ||
        pn_lua_workload_set(work, "slots", slots)) {
        fprintf(stderr, "bench: %s\n", message);
        exit(1);
    }
    outcome made = {now(), 0, PN_MIX_START};
    status = pn_lua_workload_start(work, 1, 0);
    while (status >= 0 && (status = pn_lua_workload_next_slotted(work, &job)) == 1)
        count(&made, &job);
    made.seconds = now() - made.seconds;
    if (status < 0) {
        fprintf(stderr, "bench: %s\n", pn_lua_workload_message(work));
        exit(1);
    }
    pn_lua_workload_free(work);
    return made;
}

/* Keeps the faster of two, which must have made the same jobs. */
static void keep(outcome *best_so_far, outcome made)
{
    if (best_so_far->jobs > 0 && best_so_far->digest != made.digest) {
        fprintf(stderr, "bench: the jobs differ\n");
        exit(1);
    }
    made.seconds = best(best_so_far->seconds, made.seconds);
    *best_so_far = made;
}

static void show(const char *what, const outcome *made, const outcome *beside)
{
    printf("  %-44s %9.0f jobs/s", what, (double)made->jobs / made->seconds);
    if (beside)
        printf("  %6.1f times the time of C", made->seconds / beside->seconds);
    printf("\n");
}

int main(int argument_count, char **arguments)
{
    static char text[65536];
    FILE *file = fopen("examples/workloads/zheng.lua", "rb");
    outcome simple_on = {0}, simple_off = {0}, c = {0}, on = {0}, off = {0};
    size_t size = file ? fread(text, 1, sizeof text, file) : 0;
    if (!file || fclose(file) != 0) {
        fprintf(stderr, "bench: examples/workloads/zheng.lua is missing\n");
        return 1;
    }
    if (argument_count > 1 && strcmp(arguments[1], "small") == 0) {
        jobs = 4000;
        rounds = 1;
    }
    for (int round = 0; round < rounds; round++) {
        keep(&c, from_c());
        keep(&on, from_lua(text, size, PN_LUA_BUDGET, jobs / 2));
        keep(&off, from_lua(text, size, 0, jobs / 2));
        keep(&simple_on, from_lua(simple, sizeof simple - 1, PN_LUA_BUDGET, jobs));
        keep(&simple_off, from_lua(simple, sizeof simple - 1, 0, jobs));
    }
    if (c.digest != on.digest || c.digest != off.digest) {
        fprintf(stderr, "bench: the twin makes other jobs\n");
        return 1;
    }
    printf("workloads in Lua, about %.0f jobs, best of %d rounds\n", jobs, rounds);
    show("simple jobs", &simple_on, NULL);
    show("simple jobs, without a budget", &simple_off, NULL);
    show("zheng in C", &c, NULL);
    show("zheng in Lua", &on, &c);
    show("zheng in Lua, without a budget", &off, &c);
    return 0;
}
