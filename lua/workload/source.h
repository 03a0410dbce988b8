/* A workload source hands out jobs one at a time, in order of arrival, and can start again from the
 * first: that is all the run loop, the hash and the checker need, so a workload of 10^9 jobs never
 * has to be in memory. */
#ifndef PINION_WORKLOAD_SOURCE_H
#define PINION_WORKLOAD_SOURCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pinion.h"
#include "pn_strict.h"

enum source_answer {
    SOURCE_JOB = 1,
    SOURCE_END = 0,
    SOURCE_FAULT = -1,      /* `fault` says why */
    SOURCE_INTERRUPTED = -2 /* the user pressed Ctrl-C while jobs were being looked for */
};

#define SOURCE_UNKNOWN    UINT64_MAX
#define SOURCE_FAULT_SIZE 1024

/* The one list of models: what enum source_model calls it, its name, and the kernel's job. */
#define SOURCE_OF_MODELS(MODEL)                       \
    MODEL(SOURCE_SLOTTED, slotted, pn_slotted_job)    \
    MODEL(SOURCE_TANDEM, tandem, pn_tandem_job)       \
    MODEL(SOURCE_MAKESPAN, makespan, pn_makespan_job) \
    MODEL(SOURCE_CLUSTER, cluster, pn_cluster_job)    \
    MODEL(SOURCE_DAG, dag, pn_dag_job)

#define SOURCE_ENUM(SOURCE, NAME, JOB) SOURCE,
enum source_model { SOURCE_OF_MODELS(SOURCE_ENUM) SOURCE_MODELS };

#define SOURCE_MARKS_MAX 16

/* Marks of all jobs, by which two workloads can be compared: marks[i] is a hash of the first
 * (i + 1) * every jobs, the last one of all. As many are kept that they are evenly spaced. */
typedef struct source_marks {
    uint64_t jobs, every; /* 0: not known */
    uint32_t count;
    uint32_t marks[SOURCE_MARKS_MAX + 1];
} source_marks;

/* The texts that the numbers 0, 1, … of an attribute stand for; a count of 0: it is a number. */
typedef struct source_labels {
    const char *const *texts;
    uint32_t count;
} source_labels;

/* A model's sources begin with a struct of the model's own, which begins with it. */
typedef struct source source;
struct source {
    uint8_t model; /* enum source_model: whose jobs it has */
    /* Writes the next job into `job`, which is of the model's type. Its lists are the source's,
     * valid until the next call. */
    int (*next)(source *self, void *job);
    void (*rewind)(source *self);
    void (*destroy)(source *self); /* frees self too */
    uint64_t count;                /* jobs, or SOURCE_UNKNOWN when only generating tells */
    /* What its jobs carry beside what their model knows of them; null and 0: nothing. The
     * `attributes` of a job are so many numbers, in the order of their names, which is that of
     * bytes. */
    const char *const *attribute_names;
    uint32_t attribute_count;
    const source_labels *labels; /* of each attribute; null: all are numbers */
    /* By the number of a job's group; null there: of jobs without one. 0: groups are plain
     * numbers. */
    uint32_t group_count;
    const char *const *group_names;
    struct source_carried *carried; /* what owns these, see source_carry */
    source_marks marks;             /* as the last scenario's hash has found them, see run/hash.h */
    char fault[SOURCE_FAULT_SIZE];
};

/* Writes the next job, with its size: the kernel reads the fields of this version of its header. */
static inline int source_next(source *self, void *job)
{
#define SOURCE_SIZE(SOURCE, NAME, JOB) [SOURCE] = sizeof(JOB),
    static const size_t sizes[] = {SOURCE_OF_MODELS(SOURCE_SIZE)};
    int answer = self->next(self, job);
    if (answer == SOURCE_JOB)
        memcpy(job, &sizes[self->model], sizeof(size_t)); /* struct_size, the first member */
    return answer;
}

/* What any model's sources begin with, for those that pass on jobs of any model. */
typedef union source_head {
    source base;
    unsigned char bytes[sizeof(source) + 64];
} source_head;

/* A job of any model. */
#define SOURCE_JOB_OF(SOURCE, NAME, JOB) JOB NAME;
typedef union source_any_job {
    SOURCE_OF_MODELS(SOURCE_JOB_OF)
} source_any_job;

/* Frees it with what it carries. Null is fine. */
void source_free(source *self);

/* ---- what jobs carry ------------------------------------------------------------------------- */

/* Gives a source these names, which are copied: once, and no attributes where it names its own. 0
 * when memory is short. */
int source_carry(source *self, const char *const *attributes, uint32_t attribute_count,
                 const char *const *groups, uint32_t group_count);
/* Gives an attribute of the source, which carries names, these labels, which are copied: once. 0
 * when memory is short. */
int source_label(source *self, uint32_t attribute, const char *const *texts, uint32_t count);
/* Returns memory for the attributes of all jobs of a table, which carries their names: once, one
 * job after the other, zero at first; null when memory is short, and then it has none.
 * `source_attributes_at` is what its jobs then have. */
double *source_attributes_room(source *self);
const double *source_attributes_at(const source *self, uint64_t index);
/* Takes over the names of the jobs that it passes on; `from` outlives it. */
void source_carry_on(source *self, const source *from);
/* Returns the attributes of a job, which is of the source's model; null when it has none. */
const double *source_attributes_of(const source *self, const void *job);
/* Returns the number of the attribute with this name; -1: there is none. */
int source_attribute(const source *self, const char *name);

/* Returns why `next` gave no job: SOURCE_FAULT or SOURCE_INTERRUPTED in words. */
const char *source_stopped(const source *self, int answer);

/* Returns SOURCE_FAULT, with that memory is short as its reason. */
int source_out_of_memory(source *self);

/* Cuts `units` into `tasks` pieces that differ by at most 1, the larger first. tasks >= 1. */
void source_split(uint64_t units, uint64_t tasks, uint64_t *pieces);

/* Makes room for one more element at the end of a growing array; 0 when memory is short. */
int source_grow(void **array, size_t count, size_t *room, size_t element);

#endif
