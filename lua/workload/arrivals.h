/* Processes of arrivals. They need the kernel alone: no source, no file, no Lua. */
#ifndef PINION_WORKLOAD_ARRIVALS_H
#define PINION_WORKLOAD_ARRIVALS_H

#include "distribution.h"

enum arrival_kind {
    ARRIVALS_POISSON, /* rate a */
    ARRIVALS_REGULAR, /* one every a */
    ARRIVALS_RENEWAL, /* gaps from `draw` */
    /* Poisson at the rate of a state; the states follow each other in turn, each for an exponential
     * time, and the first is drawn as it is found in the long run */
    ARRIVALS_MMPP,
    /* Poisson at rate a * (1 + b * sin(2 pi t / c)) */
    ARRIVALS_DIURNAL,
    /* Poisson at rates by time; c: the period, 0 where the last rate stays */
    ARRIVALS_RATES,
    ARRIVALS_BATCHES, /* Poisson at rate a, as many at once as `draw` says */
    ARRIVALS_KINDS
};

#define ARRIVALS_STATES_MAX 256     /* of mmpp */
#define ARRIVALS_RATES_MAX  1048576 /* of rates */

typedef struct arrival_process {
    enum arrival_kind kind;
    double a, b, c;
    distribution draw;
    uint32_t count;
    /* mmpp: rates and mean times of the states; rates: from when on they hold and the rates, and
     * the arrivals before that, in the mean; `count` of each, its own to release */
    double *first, *second, *before;
    /* where it is: all that _start sets */
    double time, level; /* level: arrivals so far in this period, in the mean */
    double until;       /* of this state */
    uint64_t rounds, left;
    uint32_t state;
} arrival_process;

/* Reads a text such as "poisson(2)" or "rates(0:1;8:5;20:2,24)". 1, or 0 with a message. What was
 * read is to be released. */
int arrival_process_parse(const char *text, size_t size, arrival_process *into,
                          char message[DISTRIBUTION_MESSAGE_SIZE]);
void arrival_process_release(arrival_process *self);

/* Goes to time 0, before the first arrival. */
void arrival_process_start(arrival_process *self, pn_stream *stream);
/* Returns the time of the next arrival: it never decreases, and may be infinite. */
double arrival_process_next(arrival_process *self, pn_stream *stream);

/* Gaps between arrivals, summed as the engine of the tandem model sums them: as far as two doubles
 * go, unrounded. */
typedef struct gap_sum {
    double high, low;
} gap_sum;

/* Returns the time of an arrival so long after the one before. */
double gap_sum_add(gap_sum *sum, double gap);

#endif
