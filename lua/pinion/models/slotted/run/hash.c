/* The hash of a scenario of the slotted model. */
#include <string.h>

#include "log.h"

static uint64_t add_job(uint64_t h, const void *any)
{
    const pn_slotted_job *job = any;
    uint64_t tasks = 0;
    h = pn_mix(h, job->arrival);
    h = pn_mix(h, job->maps);
    for (size_t i = 0; i < job->reduce_count; i++) {
        if (job->reduces[i] > 0) {
            h = pn_mix(h, job->reduces[i]);
            tasks++;
        }
    }
    h = pn_mix(h, tasks);
    h = pn_mix(h, job->estimate_maps);
    h = pn_mix(h, job->estimate_reduces);
    return pn_mix(h, job->group);
}

static int hash_jobs(uint64_t *hash, source *work)
{
    pn_slotted_job job;
    return hash_each_job(hash, work, &job, add_job);
}

/* Hashes a parameter. In the slotted model integers go in as such, floats by their bits as they
 * are. */
static uint64_t hash_param(uint64_t hash, const pn_param *param, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return pn_mix(hash, param->integer ? (uint64_t)(int64_t)value : bits);
}

const hash_model slotted_hash = {.param = hash_param, .jobs = hash_jobs};

uint64_t slotted_hash_settings(uint32_t machines, uint32_t reduce)
{
    return pn_mix(pn_mix(hash_text(PN_MIX_START, "slotted"), machines), reduce);
}
