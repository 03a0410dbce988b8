/* The smallest host: one block of memory, three jobs, a report per finished job.
 *   cc -Ikernel/include examples/c/host.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

static _Alignas(max_align_t) unsigned char block[65536];

static void report(void *user, const pn_slotted_finish *job)
{
    fprintf(user,
            "job %" PRIu64 " (tag %" PRIu64 "): arrived in slot %" PRIu64 ", finished in %" PRIu64
            ", flow time %" PRIu64 "\n",
            job->id, job->tag, job->arrival, job->finish, job->flow_time);
}

int main(void)
{
    static const uint64_t tasks[] = {4, 4, 2};
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 3;
    config.jobs_max = 64;

    pn_slotted *sim;
    int status = pn_slotted_init(&sim, block, sizeof block, &config);
    if (status != PN_OK) {
        fprintf(stderr, "%s: %s; %zu bytes needed\n", pn_status_name(status),
                pn_slotted_check(&config), pn_slotted_size(&config));
        return 1;
    }

    pn_slotted_hooks hooks = {.policy = pn_slotted_asrpt(), .on_finish = report, .user = stdout};
    for (uint64_t tag = 7; tag < 10; tag++) {
        pn_slotted_job job = {
            .arrival = tag - 6, .maps = 5, .reduces = tasks, .reduce_count = 3, .tag = tag};
        status = pn_slotted_submit(sim, &job, NULL);
        if (status != PN_OK)
            return 1;
    }
    while ((status = pn_slotted_step(sim, &hooks)) == PN_OK) {
    }
    printf("%s, digest %016" PRIx64 "\n", pn_status_name(status), pn_slotted_digest(sim));
    return status == PN_DONE ? 0 : 1;
}
