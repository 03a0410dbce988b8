/* Forking a simulation: copy the block, try a future in the copy, throw it away. Here a host asks,
 * before it admits a large job, what that would do to the jobs already in the system. cc
 * -Ikernel/include examples/c/what_if.c build/libpinion.a -o what_if && ./what_if */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "pinion.h"

static _Alignas(max_align_t) unsigned char block[65536];
static _Alignas(max_align_t) unsigned char copy[65536];

static uint64_t total_flow_time(pn_slotted *sim, const pn_slotted_hooks *hooks)
{
    pn_slotted_totals totals;
    if (pn_slotted_run(sim, hooks, PN_SLOTTED_FOREVER) != PN_DONE)
        return 0;
    pn_slotted_totals_get(sim, &totals);
    return totals.total_flow_time;
}

int main(void)
{
    static const uint64_t tasks[] = {6, 6};
    static const uint64_t large[] = {40, 40, 40, 40};
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 4;
    config.jobs_max = 64;
    config.policy = pn_slotted_fifo();

    pn_slotted *sim;
    pn_slotted_hooks hooks = {.policy = pn_slotted_fifo()};
    if (pn_slotted_init(&sim, block, sizeof block, &config) != PN_OK)
        return 1;
    for (uint64_t slot = 1; slot <= 9; slot += 2) {
        pn_slotted_job job = {.arrival = slot, .maps = 8, .reduces = tasks, .reduce_count = 2};
        if (pn_slotted_submit(sim, &job, NULL) != PN_OK)
            return 1;
    }
    pn_slotted_run(sim, &hooks, 10);

    pn_slotted *fork;
    memcpy(copy, block, pn_slotted_block_size(sim));
    if (pn_slotted_open(&fork, copy, sizeof copy) != PN_OK)
        return 1;
    pn_slotted_job candidate = {.arrival = 11, .maps = 20, .reduces = large, .reduce_count = 4};
    if (pn_slotted_submit(fork, &candidate, NULL) != PN_OK)
        return 1;

    uint64_t with = total_flow_time(fork, &hooks);
    uint64_t without = total_flow_time(sim, &hooks);
    printf("total flow time without the large job %" PRIu64 ", with it %" PRIu64 "\n", without,
           with);
    return with > without ? 0 : 1;
}
