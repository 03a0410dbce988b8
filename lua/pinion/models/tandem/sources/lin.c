/* The synthetic workload of Lin, Zhang, Wierman, Tan (2013), section 5.3, and its kin (TA22):
 * Poisson arrivals; a job's map size is drawn from one distribution, and from another the ratio
 * shuffle / map, or the shuffle size itself. The rate is such that the station with more work has
 * the load asked for.
 *
 * Gaps, map sizes and ratios come from a stream each, (seed, replica, 0..2), so that the same seed
 * gives the same sizes at every load, in every order of options, and the same gaps but for their
 * scale. Nothing grows with the number of jobs. */
#include <stdio.h>
#include <stdlib.h>

#include "jobs.h"

/* What is drawn of each job, each quantity from its own stream. */
enum lin_quantity { LIN_GAP, LIN_MAP, LIN_OTHER, LIN_QUANTITIES };

#define LIN_AHEAD 256 /* jobs drawn at once */

typedef struct lin_source {
    tandem_source head;
    prepared_factor factors[LIN_QUANTITIES];
    double scale; /* of a balanced size */
    uint64_t seed, made;
    uint32_t replica;
    uint8_t independent, batch;
    /* the cube root of every ratio is taken; of log-normal ones it is in the factor already */
    uint8_t rooted;
    pn_stream streams[LIN_QUANTITIES];
    double drawn[LIN_QUANTITIES][LIN_AHEAD]; /* of the jobs made / LIN_AHEAD * LIN_AHEAD and on */
} lin_source;

int source_amount(double *amount)
{
    if (!(*amount >= 0.0 && *amount <= PN_TANDEM_MOST))
        return 0;
    if (*amount < PN_TANDEM_LEAST)
        *amount = 0.0;
    return 1;
}

static int beyond(source *base, uint64_t number, const char *what)
{
    snprintf(base->fault, sizeof base->fault, "job %llu: its %s, drawn at random, passes 2^256",
             (unsigned long long)number, what);
    return SOURCE_FAULT;
}

static double shuffle_of(const lin_source *self, double map, double drawn)
{
    if (!self->rooted)
        return self->independent ? drawn : map * drawn;
    if (map == 0.0)
        return 0.0;
    return self->scale * map * pn_pow(self->independent ? drawn / map : drawn, 1.0 / 3.0);
}

static int lin_next(source *base, void *into)
{
    pn_tandem_job *job = into;
    lin_source *self = (lin_source *)base;
    uint64_t left = base->count - self->made;
    size_t at = self->made % LIN_AHEAD;
    double gap = 0.0, map, shuffle;
    if (left == 0)
        return SOURCE_END;
    self->made++;
    for (int i = self->batch ? LIN_MAP : LIN_GAP; at == 0 && i < LIN_QUANTITIES; i++)
        prepared_factor_fill(&self->factors[i], &self->streams[i], self->drawn[i],
                             left < LIN_AHEAD ? (size_t)left : LIN_AHEAD);
    if (!self->batch)
        gap = self->drawn[LIN_GAP][at];
    map = self->drawn[LIN_MAP][at];
    shuffle = shuffle_of(self, map, self->drawn[LIN_OTHER][at]);
    if (!source_amount(&gap))
        return beyond(base, self->made, "gap to the job before it");
    if (!source_amount(&map))
        return beyond(base, self->made, "map size");
    if (!source_amount(&shuffle))
        return beyond(base, self->made, "shuffle size");
    *job = (pn_tandem_job){.arrival = gap, .map = map, .shuffle = shuffle};
    return SOURCE_JOB;
}

static void lin_rewind(source *base)
{
    lin_source *self = (lin_source *)base;
    for (uint32_t i = 0; i < LIN_QUANTITIES; i++)
        pn_stream_init(&self->streams[i], self->seed, self->replica, i);
    self->made = 0;
}

static void lin_destroy(source *base)
{
    lin_source *self = (lin_source *)base;
    for (int i = 0; i < LIN_QUANTITIES; i++)
        prepared_factor_release(&self->factors[i]);
    free(self);
}

/* Returns E y of the unbalanced shape, in *of_root the mean of x * (y / x)^(1/3). */
static double shuffle_mean(const lin_shape *shape, double *of_root)
{
    double map = distribution_moment(&shape->map, 3), other = distribution_moment(&shape->other, 3);
    double root = distribution_moment(&shape->other, 1),
           part = shape->independent ? distribution_moment(&shape->map, 2) : map;
    *of_root = root < 0.0 || part < 0.0 ? -1.0 : root * part;
    return shape->independent ? other : map * other;
}

const char *lin_check(const lin_shape *shape, lin_facts *facts)
{
    double of_root, most;
    facts->map = distribution_moment(&shape->map, 3);
    facts->shuffle = shuffle_mean(shape, &of_root);
    facts->rate = 0.0;
    if (shape->balance && of_root < 0.0)
        return "balance: the cube root of a normal or Poisson variate has no mean in closed form";
    if (shape->balance &&
        !(of_root > 0.0 && of_root <= PN_TANDEM_MOST && facts->shuffle <= PN_TANDEM_MOST))
        return "balance: a mean of 0 or infinity cannot be kept";
    if (shape->batch)
        return NULL;
    if (!(shape->load > 0.0 && shape->load <= PN_TANDEM_MOST))
        return "load: must be > 0";
    most = facts->map > facts->shuffle ? facts->map : facts->shuffle;
    if (!(most <= PN_TANDEM_MOST))
        return "load: the mean size is infinite, so that no rate of arrivals gives this load";
    if (!(most / shape->load >= PN_TANDEM_LEAST && most / shape->load <= PN_TANDEM_MOST))
        return "load: the mean size is 0 or out of range, so that no rate of arrivals gives this "
               "load";
    facts->rate = shape->load / most;
    return NULL;
}

source *tandem_lin_new(const lin_shape *shape, uint64_t seed, uint32_t replica)
{
    lin_source *self = calloc(1, sizeof *self);
    lin_facts facts;
    double of_root;
    if (!self)
        return NULL;
    self->head.base.model = SOURCE_TANDEM;
    self->head.base.next = lin_next;
    self->head.base.rewind = lin_rewind;
    self->head.base.destroy = lin_destroy;
    self->head.base.count = shape->jobs;
    self->head.gaps = 1;
    lin_check(shape, &facts);
    self->batch = shape->batch;
    self->independent = shape->independent;
    self->seed = seed;
    self->replica = replica;
    prepared_factor_init(
        &self->factors[LIN_GAP],
        &(distribution){DISTRIBUTION_EXP, shape->batch ? 0.0 : 1.0 / facts.rate, 0.0, NULL});
    prepared_factor_init(&self->factors[LIN_MAP], &shape->map);
    prepared_factor_init(&self->factors[LIN_OTHER], &shape->other);
    if (shape->balance && !shape->independent && shape->other.kind == DISTRIBUTION_LOGNORMAL) {
        /* The cube root of a log-normal variate is one, and its mean is kept by the drift. */
        self->factors[LIN_OTHER].sigma /= 3.0;
        self->factors[LIN_OTHER].drift /= 9.0;
    } else if (shape->balance) {
        self->rooted = 1;
        self->scale = shuffle_mean(shape, &of_root) / of_root;
    }
    lin_rewind(&self->head.base);
    return &self->head.base;
}
