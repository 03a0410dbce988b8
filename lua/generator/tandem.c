/* Jobs of the tandem model. */
#include "pn_strict.h"
#include "state.h"

enum { ARRIVAL, GAP, MAP, SHUFFLE, ESTIMATE_MAP, ESTIMATE_SHUFFLE };

static const char *const fields[] = {"arrival",          "gap", "map", "shuffle", "estimate_map",
                                     "estimate_shuffle", NULL};

/* As the model takes it: below 2^-256 it counts as 0, and 2^256 is the most. */
static double amount(lua_State *L, const pn_lua_workload *self, int field)
{
    double value = generator_amount(L, self, field, 0.0);
    if (value > 0x1p256)
        generator_refuse(L, self, field, "must be at most 2^256");
    return value < 0x1p-256 ? 0.0 : value;
}

/* Every job says when it arrives, or every job how long after the one ahead of it: the engine sums
 * gaps more exactly than a script can. */
static void read_arrival(lua_State *L, pn_lua_workload *self, pn_tandem_job *job)
{
    bool gap = generator_has(L, GAP);
    int field = gap ? GAP : ARRIVAL;
    if (self->made == 1)
        self->times = gap ? TIMES_GAPS : TIMES_ARRIVALS;
    if (gap == generator_has(L, ARRIVAL) || gap != (self->times == TIMES_GAPS))
        generator_refuse(L, self, field,
                         "expected either arrival or gap, the same one in every job");
    job->arrival = amount(L, self, field);
    if (!gap && job->arrival < self->latest)
        generator_refuse(L, self, field,
                         "is before the job ahead of it (expected jobs in the order of their "
                         "arrival, %f or later)",
                         self->latest);
    self->latest = job->arrival;
}

static double estimate(lua_State *L, pn_lua_workload *self, int field)
{
    if (!generator_has(L, field))
        return 0.0;
    generator_note_estimates(L, self, field);
    double size = amount(L, self, field);
    return size == 0.0 ? PN_TANDEM_ESTIMATE_ZERO : size;
}

static void read(lua_State *L, pn_lua_workload *self)
{
    pn_tandem_job *job = &self->job.tandem;
    *job = (pn_tandem_job){.arrival = 0.0};
    read_arrival(L, self, job);
    job->map = amount(L, self, MAP);
    job->shuffle = amount(L, self, SHUFFLE);
    job->estimate_map = estimate(L, self, ESTIMATE_MAP);
    job->estimate_shuffle = estimate(L, self, ESTIMATE_SHUFFLE);
}

GENERATOR_SET(tandem)

const generator_model generator_tandem = {
    .name = "tandem", .fields = fields, .estimates = true, .read = read, .set = set};
