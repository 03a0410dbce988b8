/* The hash of a scenario of the tandem model. */
#include "log.h"
#include "pinion/models/tandem/sources/jobs.h"

static uint64_t add_job(uint64_t h, const void *any)
{
    const pn_tandem_job *job = any;
    h = hash_double(h, job->arrival);
    h = hash_double(h, job->map);
    h = hash_double(h, job->shuffle);
    h = hash_double(h, job->estimate_map);
    h = hash_double(h, job->estimate_shuffle);
    h = pn_mix(h, job->group);
    return pn_mix(h, (uint64_t)job->rank[0] << 32 | job->rank[1]);
}

static int hash_jobs(uint64_t *hash, source *work)
{
    pn_tandem_job job;
    *hash = pn_mix(*hash, tandem_source_of(work)->gaps);
    return hash_each_job(hash, work, &job, add_job);
}

const hash_model tandem_hash = {.jobs = hash_jobs};

uint64_t tandem_hash_settings(double speed, uint32_t traditional)
{
    return pn_mix(hash_double(hash_text(PN_MIX_START, "tandem"), speed), traditional);
}
