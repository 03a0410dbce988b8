/* What a simulation of the dag model holds in its block, and the view of it that lives on the stack
 * during a call.
 *
 *   block: | pn_dag | tables | lists of jobs | the core's own block |
 *
 * The core knows a job by its tag, which is the job's place here, and an attempt by its place among
 * the attempts, which is its place here too. What a job has many of lies in its list in the store,
 * from its submission until it leaves:
 *
 *   | stages as the core wants them | the truth of each | parents | listed durations | */
#ifndef PN_DAG_STATE_H
#define PN_DAG_STATE_H

#include "base/attributes.h"
#include "base/heap.h"
#include "base/lists.h"
#include "base/paths.h"
#include "base/places.h"
#include "base/wide.h"
#include "fleet/samples.h"
#include "pn_dag.h"

/* What policies are not told of a stage. */
typedef struct pn_dag_truth {
    /* ms of each task; or where the first of its listed ones lies, in words from the start of the
     * job's list */
    uint64_t duration;
    uint64_t start; /* doubled; odd: durations are listed */
} pn_dag_truth;

enum {
    PN_DAG_STAGE_WORDS = sizeof(pn_dispatch_stage) / sizeof(uint64_t),
    PN_DAG_TRUTH_WORDS = sizeof(pn_dag_truth) / sizeof(uint64_t)
};
_Static_assert(sizeof(pn_dispatch_stage) % 8 == 0 && sizeof(pn_dag_truth) == 16, "whole words");

typedef struct pn_dag_entry {
    PN_WORD_ALIGN uint64_t id; /* 0 = the place is free */
    uint64_t list;             /* its place in the store */
    uint64_t arrival, deadline, tag;
    uint64_t path, alone;
    uint32_t weight, queue, group;
    uint32_t stages, edges, durations;
    uint32_t next; /* in the list of future jobs, or of free places, + 1 */
    int32_t priority;
} pn_dag_entry;

PN_WHOLE_WORDS(pn_dag_entry, id);
enum { PN_DAG_ENTRY_WORDS = sizeof(pn_dag_entry) / sizeof(uint64_t) };

/* An attempt that runs. */
typedef struct pn_dag_attempt {
    PN_WORD_ALIGN uint64_t order; /* stage, then task: among attempts of a job that end together */
    uint64_t token;
    uint32_t place; /* in the set of ends */
    uint32_t unused;
} pn_dag_attempt;

PN_WHOLE_WORDS(pn_dag_attempt, order);
enum {
    PN_DAG_ATTEMPT_WORDS = sizeof(pn_dag_attempt) / sizeof(uint64_t),
    PN_DAG_ATTEMPT_PLACES = sizeof(pn_dag_attempt) / sizeof(uint32_t)
};

/* A failure of a node, or a recovery. */
typedef struct pn_dag_outage {
    PN_WORD_ALIGN uint64_t id;
    uint32_t node;
    uint32_t next; /* free place, + 1 */
} pn_dag_outage;

PN_WHOLE_WORDS(pn_dag_outage, id);
enum { PN_DAG_OUTAGE_WORDS = sizeof(pn_dag_outage) / sizeof(uint64_t) };

/* What an executor still has to do before it works for the job to which it belongs (DG36). */
typedef struct pn_dag_executor {
    uint64_t arrives; /* when it is there, ms */
    uint64_t fresh;   /* 1 until it runs its first task of the job */
} pn_dag_executor;

/* Nodes alike that are listed one behind the other. */
typedef struct pn_dag_kind {
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
    uint64_t speed;
} pn_dag_kind;

/* One machine for each resource, on which the jobs' areas are served, the least first (DG28). */
typedef struct pn_dag_machine {
    pn_heap_state left; /* of its jobs: areas, by what is left */
    pn_wide area;       /* of all jobs handed over */
    pn_wide ahead;      /* the most that arrival * capacity was above the area of those before */
    pn_wide flow;       /* total flow time so far, in its own unit */
    pn_places places;
} pn_dag_machine;

/* A job in a machine. */
typedef struct pn_dag_part {
    PN_WORD_ALIGN uint64_t id;
    uint32_t next; /* free place, + 1 */
    uint32_t unused;
} pn_dag_part;

PN_WHOLE_WORDS(pn_dag_part, id);
enum { PN_DAG_PART_WORDS = sizeof(pn_dag_part) / sizeof(uint64_t) };

struct pn_dag {
    pn_block_head head;
    /* as configured, without pointers; the core's part is what its block holds */
    pn_dag_config config;
    uint32_t nodes_count, queues_count;
    uint32_t kinds_count; /* entries of nodes */
    uint32_t unused_count;
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];

    /* tables, as offsets */
    size_t jobs, attempts, speeds, kinds, executors, outages, words, end_entries, outage_entries,
        notes, times, lengths, parts[PN_DISPATCH_RESOURCES_MAX],
        part_entries[PN_DISPATCH_RESOURCES_MAX], walk, groups, core;
    pn_fleet_samples samples;
    pn_lists_state store;
    pn_heap_state ends, failures;
    pn_dag_machine machines[PN_DISPATCH_RESOURCES_MAX];
    pn_places job_places, outage_places;
    uint32_t future_first, future_last; /* + 1 */
    uint32_t over;                      /* 1: what was left has been reported as unfinished */
    int32_t failed;                     /* a table of the core was full; or PN_OK */

    /* every instant before this one is executed, but for failures while there was no job */
    uint64_t passed;
    uint64_t last_arrival; /* of the jobs handed over */
    pn_wide alone;         /* sum over all jobs handed over */
    uint64_t last_alone;   /* the latest arrival + alone */
    uint64_t slowdowns, unused;
    pn_wide slowdown_capped, slowdown_squares; /* of Jain's index (DG27) */
    pn_dag_totals totals;
};

typedef struct pn_dag_view {
    pn_dag *sim;
    const pn_dag_hooks *hooks;
    pn_dispatch *core;
    pn_dispatch_hooks core_hooks;
    pn_dag_entry *jobs;
    pn_dag_attempt *attempts;
    const uint32_t *speeds;
    const pn_dag_kind *kinds;
    pn_dag_executor *executors;
    pn_dag_outage *outages;
    pn_lists store;
    pn_heap ends, failures;
    uint64_t now;
} pn_dag_view;

/* Returns what jobs carry for policies, from submission until they leave: right before the core,
 * which has its own of the jobs that have arrived. */
static inline pn_attributes pn_dag_attributes_of(const pn_dag *sim)
{
    return pn_attributes_before(sim, sim->core, sim->config.dispatch.jobs_max,
                                sim->config.dispatch.attributes);
}

/* Returns the parts of a job's list. */
static inline pn_dispatch_stage *pn_dag_stages_of(const pn_dag_view *view, uint32_t job)
{
    return (pn_dispatch_stage *)(void *)pn_lists_of(&view->store, job);
}

static inline pn_dag_truth *pn_dag_truths_of(const pn_dag_view *view, uint32_t job)
{
    uint64_t before = (uint64_t)PN_DAG_STAGE_WORDS * view->jobs[job].stages;
    return (pn_dag_truth *)(void *)(pn_lists_of(&view->store, job) + before);
}

static inline uint64_t pn_dag_parents_at(const pn_dag_entry *job)
{
    return (uint64_t)(PN_DAG_STAGE_WORDS + PN_DAG_TRUTH_WORDS) * job->stages;
}

static inline uint64_t pn_dag_list_words(const pn_dag_entry *job)
{
    return pn_dag_parents_at(job) + (job->edges + 1) / 2 + job->durations;
}

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_dag_read_config(pn_dag_config *own, const pn_dag_config *given);
/* Returns what is wrong with numbers that can be checked without the nodes, or null. */
const char *pn_dag_numbers_fault(const pn_dag_config *config);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_dag_keep_config(pn_dag_config *stored, const pn_dag_config *config);
uint32_t pn_dag_count_of_nodes(const pn_dispatch_config *config);

/* life.c: the tables of a block whose numbers are noted, with a core of so many bytes; the size, 0
 * when that does not fit a size_t */
size_t pn_dag_carve(pn_dag *sim, size_t core);
/* Returns what its core gets of the configuration, as it is really used. */
pn_dispatch_config pn_dag_core_config(const pn_dag_config *config);
extern const char pn_dag_magic[8];
void pn_dag_view_build(pn_dag_view *view, const pn_dag *sim, const pn_dag_hooks *hooks);
pn_dispatch *pn_dag_core(const pn_dag *sim);

/* truth.c: durations, and what jobs would take alone */
/* Returns the ms of an attempt of a task with this duration on a node of this speed (DG5) */
uint64_t pn_dag_ms(uint64_t start, uint64_t duration, uint64_t factor, uint64_t speed);
uint64_t pn_dag_task_ms(const pn_dag_view *view, uint32_t job, const pn_dispatch_task *task);
uint64_t pn_dag_start(const pn_dag *sim, const pn_dag_stage *given);
/* What the next job would take alone; what is wrong with it, with the stage, or null. */
typedef struct pn_dag_alone {
    uint64_t path, ms, areas[PN_DISPATCH_RESOURCES_MAX];
} pn_dag_alone;
const char *pn_dag_measure(const pn_dag_view *view, const pn_dag_job *job, const pn_graph *graph,
                           pn_dag_alone *alone, uint32_t *stage);
uint64_t pn_dag_estimate(const pn_dag *sim, const pn_dag_stage *given, uint64_t id, uint32_t stage);

/* submit.c */
void pn_dag_release(pn_dag_view *view, uint32_t job);
void pn_dag_core_job(const pn_dag_view *view, uint32_t place, pn_dispatch_job *job);

/* bounds.c */
bool pn_dag_bounds_full(const pn_dag *sim, uint64_t arrival, const uint64_t *areas);
void pn_dag_bounds_add(pn_dag *sim, uint64_t arrival, const uint64_t *areas);
void pn_dag_bounds_get(const pn_dag *sim, pn_dag_totals *totals);
pn_heap pn_dag_parts(const pn_dag *sim, uint32_t resource);

/* record.c */
void pn_dag_report(pn_dag_view *view, const pn_dispatch_record *job, uint32_t place);
void pn_dag_report_left(pn_dag_view *view, const pn_dispatch_record *job, uint32_t place);
void pn_dag_report_future(pn_dag_view *view, uint32_t place);

#endif
