/* A host without Lua runs a policy that was written in Lua: examples/policies/patient.lua.
 *   pinion export examples/policies/patient.lua --output patient.c
 *   cc -Ikernel/include examples/c/host_exported.c patient.c build/libpinion.a -o host && ./host
 * It needs no heap and no files, so that it runs on a microcontroller too (docs/embedding.md). */
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

extern const pn_slotted_policy patient_policy;

static _Alignas(max_align_t) unsigned char block[16384];

static void report(void *user, const pn_slotted_finish *job)
{
    (void)user;
    printf("job %llu: flow time %llu\n", (unsigned long long)job->id,
           (unsigned long long)job->flow_time);
}

int main(void)
{
    static const uint64_t tasks[] = {4, 4, 2};
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 3;
    config.jobs_max = 8;
    config.policy = &patient_policy;
    pn_slotted *sim;
    int status = pn_slotted_init(&sim, block, sizeof block, &config);
    for (uint64_t i = 0; i < 4 && status == PN_OK; i++) {
        pn_slotted_job job = {
            .arrival = 1 + i, .maps = 9 - 2 * i, .reduces = tasks, .reduce_count = 3 - i % 3};
        status = pn_slotted_submit(sim, &job, NULL);
    }
    pn_slotted_hooks hooks = {.policy = &patient_policy, .on_finish = report};
    while (status == PN_OK)
        status = pn_slotted_step(sim, &hooks);
    printf("%s, digest %016llx\n", pn_status_name(status),
           (unsigned long long)pn_slotted_digest(sim));
    return status == PN_DONE ? 0 : 1;
}

/* It prints:
 *  job 1: flow time 7
 *  job 3: flow time 8
 *  job 2: flow time 14
 *  job 4: flow time 17
 *  PN_DONE, digest 258138517062054c
 */
