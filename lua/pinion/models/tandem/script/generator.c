/* Jobs of the tandem model. */
#include "generator/state.h"

enum { ARRIVAL, GAP };

static const char *const fields[] = {"arrival", "gap", NULL};

/* Reads an arrival: every job says when it arrives, or every job how long after the one ahead of
 * it: the engine sums gaps more exactly than a script can. */
static void read(lua_State *L, pn_lua_workload *self)
{
    pn_tandem_job *job = &self->job.tandem;
    bool gap = generator_has(L, GAP);
    int field = gap ? GAP : ARRIVAL;
    if (self->made == 1)
        self->times = gap ? TIMES_GAPS : TIMES_ARRIVALS;
    if (gap == generator_has(L, ARRIVAL) || gap != (self->times == TIMES_GAPS))
        generator_refuse(L, self, field,
                         "expected either arrival or gap, the same one in every job");
    job->arrival = generator_amount(L, self, field);
    if (!gap && job->arrival < self->latest)
        generator_refuse(L, self, field,
                         "is before the job ahead of it (expected jobs in the order of their "
                         "arrival, %f or later)",
                         self->latest);
    self->latest = job->arrival;
}

const generator_model generator_tandem = {
    .name = "tandem", .job = &tandem_job, .fields = fields, .estimates = true, .read = read};
