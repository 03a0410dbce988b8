/* A host that feeds a stream to the tandem queue: jobs come in portions, the block stays as it is
 * however many there are.
 *   cc -Ikernel/include examples/c/tandem.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion.h"

enum { JOBS = 100000, PORTION = 64 };

static _Alignas(max_align_t) unsigned char block[1 << 20];

/* Exponential gaps and sizes. */
static pn_tandem_job draw(pn_stream *stream)
{
    pn_tandem_job job = {0};
    job.arrival = pn_exponential(stream, 1 / 0.75);
    job.map = pn_exponential(stream, 1);
    job.shuffle = pn_exponential(stream, 1);
    return job;
}

int main(void)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 512;
    config.gaps = 1; /* arrivals are gaps: no digit is lost, however long the stream */
    config.statistics = 1;
    config.bounds = PN_TANDEM_BOUNDS_FAST;
    config.policy = pn_tandem_maxsrpt(); /* room for this one alone */

    pn_tandem *sim;
    int status = pn_tandem_init(&sim, block, sizeof block, &config);
    if (status != PN_OK) {
        const char *field = pn_tandem_check(&config);
        fprintf(stderr, "%s: %s; %zu bytes needed\n", pn_status_name(status), field ? field : "",
                pn_tandem_size(&config));
        return 1;
    }

    pn_tandem_hooks hooks = {.policy = pn_tandem_maxsrpt()};
    pn_stream stream;
    pn_stream_init(&stream, 1, 0, 0);
    for (int fed = 0; fed < JOBS && status >= 0;) {
        for (int i = 0; i < PORTION && fed < JOBS && status >= 0; i++, fed++) {
            pn_tandem_job job = draw(&stream);
            status = pn_tandem_submit(sim, &job, NULL);
        }
        if (status >= 0) /* up to the last arrival: what comes after it is not known yet */
            status = pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX);
    }
    if (status >= 0)
        status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX);

    pn_tandem_totals totals;
    pn_tandem_totals_get(sim, &totals);
    const pn_stats *slowdowns = pn_tandem_slowdowns(sim, PN_ALL_GROUPS);
    printf("%s: %" PRIu64 " jobs, mean response time %.3f, %.3f times the bound\n",
           pn_status_name(status), totals.finished,
           totals.total_response_time / (double)totals.finished,
           totals.total_response_time / totals.lower_bound);
    printf("jobs in the system %.3f, slowdown %.3f, digest %016" PRIx64 "\n", totals.mean_in_system,
           slowdowns->mean, pn_tandem_digest(sim));
    return status == PN_DONE ? 0 : 1;
}
