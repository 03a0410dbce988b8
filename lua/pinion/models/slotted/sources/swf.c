/* Traces in the Standard Workload Format as jobs of the slotted model: maps for all the time of the
 * job's processors, in slots, rounded up. */
#include "jobs.h"

/* Returns the units, below 2^60 ms, as processors and times are bounded. */
static uint64_t units(uint64_t processors, uint64_t time_ms, uint64_t slot_ms)
{
    return (processors * time_ms + slot_ms - 1) / slot_ms;
}

source *slotted_swf_new(const swf_trace *trace, uint64_t slot_ms, int estimates)
{
    source *table = slotted_table_new();
    int added = table != NULL;
    for (size_t i = 0; added && i < trace->count; i++) {
        const swf_job *from = &trace->jobs[i];
        pn_slotted_job job = {.arrival = 1 + from->submit_ms / slot_ms,
                              .maps = units(from->processors, from->run_ms, slot_ms),
                              .group = swf_group(trace, from)};
        if (estimates)
            job.estimate_maps = units(from->processors, from->asked_ms, slot_ms);
        added = slotted_table_begin(table, &job);
    }
    if (added && slotted_table_seal(table))
        return table;
    source_free(table);
    return NULL;
}
