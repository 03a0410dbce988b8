/* The jobs of another source with other arrivals, a sample of them, the same ones scaled, or in
 * groups by size; for the models whose jobs arrive. Each wraps the source that it is made of, which
 * must outlive it and is read along with it. */
#ifndef PINION_WORKLOAD_CHANGED_H
#define PINION_WORKLOAD_CHANGED_H

#include "arrivals.h"
#include "distribution.h"
#include "source.h"

/* Purposes of streams, behind those of errors and deadlines. */
#define SOURCE_ARRIVAL_STREAM  34
#define SOURCE_RESAMPLE_STREAM 35

/* ---- what a model brings --------------------------------------------------------------------- */

/* Room for the scaled lists of a job. */
typedef struct changed_lists {
    uint64_t *values;
    size_t room, used;
} changed_lists;

enum changed_answer { CHANGED = 1, CHANGED_TOO_LARGE = 0, CHANGED_NO_MEMORY = -1 };

typedef struct changed_model {
    size_t head_bytes; /* of what all its sources begin with */
    /* Of a source with other arrivals than those of the one that it was copied from: what is not
     * known of it any more; may be null. */
    void (*forget)(source *self);
    /* 1: arrivals are gaps; null: they never are */
    int (*has_gaps)(const source *self);
    int whole;           /* 1: times are integers */
    const char *latest;  /* what an arrival may not pass */
    const char *largest; /* what a size may not pass */
    /* Between the model's arrival and a time that begins at 0; 0 when it is out of range. */
    double (*time)(const void *job);
    int (*move)(void *job, double time);
    /* All sizes of a job, estimates too. */
    enum changed_answer (*scale)(void *job, double factor, changed_lists *lists);
    /* A table of all jobs that are left in a source; null when memory is short, else with the
     * source's last answer. */
    source *(*copy)(source *truth, int *answer);
    void (*at)(source *table, uint64_t index, void *job);
    /* Its work where the model has units of work, else its number of tasks. */
    double (*size)(const void *job);
    uint32_t *(*group)(void *job);
} changed_model;

/* Returns the nearest integer to size * factor, of at least 1 where the size is; 0 beyond `most`.
 * Larger sizes never become smaller ones. */
int changed_size(uint64_t *size, double factor, uint64_t most);
/* Returns memory for so many more values, which stays where it is until the next job; null when
 * memory is short. `used` is 0 at the begin of each job, and all room that it needs is asked for at
 * once. */
uint64_t *changed_room(changed_lists *lists, size_t count);

/* ---- the sources ----------------------------------------------------------------------------- */

/* Makes a source of the model whose jobs they are. Their arrivals in turn are those of the process,
 * which becomes the source's own also when memory is short: null. */
source *changed_arrivals_new(const changed_model *model, source *truth,
                             const arrival_process *process, uint64_t seed, uint32_t replica);

enum resample_form {
    RESAMPLE_JOBS,   /* one by one; they all arrive when the first one did */
    RESAMPLE_KEEP,   /* one by one, at the arrivals of the source, which begin again behind it */
    RESAMPLE_BLOCKS, /* stretches of time, as long as the source or until there are enough jobs */
    RESAMPLE_WINDOWS /* one of the equal stretches of time that have jobs, which begins at 0 */
};

typedef struct resample_plan {
    enum resample_form form;
    uint64_t jobs;    /* blocks: 0: as long as the source */
    double length;    /* of a block, > 0; rounded up where times are integers */
    uint64_t windows; /* that the source is cut into */
    uint64_t seed;
    uint32_t replica;
} resample_plan;

/* Makes a sample of its jobs; null with a message. The source lasts from its first arrival to its
 * last one, and for the mean gap between arrivals beyond that. Blocks begin at any time of it; what
 * passes its end goes on at its begin. */
source *changed_resample_new(const changed_model *model, source *truth, const resample_plan *plan,
                             char message[DISTRIBUTION_MESSAGE_SIZE]);
/* Returns the index that job `i` of the sample has in the source. */
uint64_t changed_resample_index(const source *sample, uint64_t i);
/* Returns how many windows have jobs; 0 for other samples. */
uint64_t changed_resample_windows(const source *sample);

/* Makes a source with distances between arrivals times `arrivals`, sizes times `sizes`; 1: as they
 * are. The first arrival stays. */
source *changed_scale_new(const changed_model *model, source *truth, double arrivals, double sizes);

#define CHANGED_BOUNDS_MAX 16

/* Makes a source whose jobs are in groups by their size: the number of bounds, ascending, that it
 * reaches. */
source *changed_sized_new(const changed_model *model, source *truth, const double *bounds,
                          uint32_t count);

#endif
