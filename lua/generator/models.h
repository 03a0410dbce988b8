/* The models of which a generator in Lua may make jobs: the one list of them. */
#ifndef PINION_GENERATOR_MODELS_H
#define PINION_GENERATOR_MODELS_H

#include "pinion.h"

/* A name, and the kernel's job. */
#define GENERATOR_MODELS(MODEL)      \
    MODEL(slotted, pn_slotted_job)   \
    MODEL(tandem, pn_tandem_job)     \
    MODEL(makespan, pn_makespan_job) \
    MODEL(cluster, pn_cluster_job)   \
    MODEL(dag, pn_dag_job)

#define GENERATOR_JOB(MODEL, JOB) JOB MODEL;
typedef union generator_job {
    GENERATOR_MODELS(GENERATOR_JOB)
} generator_job;

#define GENERATOR_COUNT(MODEL, JOB) +1
enum { GENERATOR_MODELS_COUNT = GENERATOR_MODELS(GENERATOR_COUNT) };

#endif
