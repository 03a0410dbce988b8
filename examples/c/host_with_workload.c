/* A host that takes its jobs from a workload in Lua, here examples/workloads/diurnal.lua: one at a
 * time, into a block of fixed size.
 *   cc -Ikernel/include -Ilua/include examples/c/host_with_workload.c \
 *      build/libpinion-lua.a build/libpinion.a $(pkg-config --cflags --libs lua5.4) -lm \
 *      -o host_with_workload && ./host_with_workload examples/workloads/diurnal.lua */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion_lua.h"

static _Alignas(max_align_t) unsigned char block[1 << 20];

static pn_lua_workload *load(const char *name)
{
    static char text[65536];
    char message[PN_LUA_MESSAGE_SIZE];
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        return NULL;
    }
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    pn_lua_workload *jobs;
    if (pn_lua_workload_load(&jobs, name, text, size, NULL, message, sizeof message) != PN_OK) {
        fprintf(stderr, "%s\n", message);
        return NULL;
    }
    return jobs;
}

/* Runs to the slot before each arrival, submits, and at the end runs until all is done. */
static int feed(pn_slotted *sim, const pn_slotted_hooks *hooks, pn_lua_workload *jobs)
{
    pn_slotted_job job;
    int status = pn_lua_workload_start(jobs, 1, 0);
    if (status == PN_OK)
        status = pn_lua_workload_next_slotted(jobs, &job);
    while (status == 1) {
        status = pn_slotted_run(sim, hooks, job.arrival - 1);
        if (status >= 0)
            status = pn_slotted_submit(sim, &job, NULL);
        if (status >= 0)
            status = pn_lua_workload_next_slotted(jobs, &job);
    }
    if (status == PN_ERR_POLICY)
        fprintf(stderr, "%s\n", pn_lua_workload_message(jobs));
    return status < 0 ? status : pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER);
}

static int run(pn_lua_workload *jobs, double load)
{
    pn_slotted_hooks hooks = {.policy = pn_slotted_asrpt()};
    pn_slotted_config config = pn_slotted_defaults();
    pn_slotted_totals totals;
    uint32_t attributes;
    pn_slotted *sim;
    pn_lua_workload_attributes(jobs, &attributes);
    config.machines = 40;
    config.jobs_max = 2048;
    config.attributes = attributes;
    config.groups_max = 3; /* two groups, and 0 for none */
    if (pn_lua_workload_set(jobs, "load", load) != PN_OK ||
        pn_lua_workload_set(jobs, "jobs", 5000) != PN_OK ||
        pn_slotted_init(&sim, block, sizeof block, &config) != PN_OK ||
        feed(sim, &hooks, jobs) != PN_DONE)
        return 1;
    pn_slotted_totals_get(sim, &totals);
    printf("load %.1f: %" PRIu64 " jobs, mean flow time %.2f slots\n", load, totals.finished,
           (double)totals.total_flow_time / (double)totals.finished);
    return 0;
}

int main(int count, char **arguments)
{
    pn_lua_workload *jobs = load(count > 1 ? arguments[1] : "examples/workloads/diurnal.lua");
    if (!jobs)
        return 1;
    int failed = run(jobs, 0.5) || run(jobs, 0.8);
    pn_lua_workload_free(jobs);
    return failed;
}
