/* What a simulated cluster holds in its block, and the view of it that lives on the stack during a
 * call.
 *
 *   block: | pn_cluster | jobs | attempts | failures | sets | lists of jobs | slots that save |
 * the scheduler's own block |
 *
 * The scheduler knows a job by its tag, which is the job's place here, and an attempt by its place
 * among the running ones, which is its place here too. */
#ifndef PN_CLUSTER_STATE_H
#define PN_CLUSTER_STATE_H

#include "base/attributes.h"
#include "base/heap.h"
#include "pn_cluster.h"
#include "base/lists.h"
#include "base/places.h"

/* The lists that a job may have, in the order in which they lie in the store. Times take a word,
 * the others half of one. */
enum pn_cluster_list {
    PN_CLUSTER_LIST_MAP_TIMES,
    PN_CLUSTER_LIST_REDUCE_TIMES,
    PN_CLUSTER_LIST_SHUFFLE_TIMES,
    PN_CLUSTER_LIST_MAP_FACTORS,
    PN_CLUSTER_LIST_REDUCE_FACTORS,
    /* where each map's replicas begin in the next list, and where the last one's end */
    PN_CLUSTER_LIST_BLOCK_STARTS,
    PN_CLUSTER_LIST_BLOCKS,
    PN_CLUSTER_LISTS
};

typedef struct pn_cluster_entry {
    PN_WORD_ALIGN uint64_t id;
    uint64_t list; /* its place in the store */
    uint64_t submit, map_ms, remote_ms, reduce_ms, shuffle_ms, deadline, tag;
    uint64_t est_ms[2], input, intermediate;
    uint32_t maps, reduces, replicas, values;
    /* in words from the start of its list, at most `values`; meaningless where it has none */
    uint32_t at[PN_CLUSTER_LISTS];
    uint8_t lists; /* bits of enum pn_cluster_list; 0 = it has no place in the store */
    uint8_t lost;  /* 1: map outputs were lost just now */
    uint16_t unused;
    uint32_t group;
    uint32_t next; /* in the list of future jobs, or of free places, + 1 */
    uint32_t weight;
    int32_t priority;
} pn_cluster_entry;

PN_WHOLE_WORDS(pn_cluster_entry, id);
enum { PN_CLUSTER_ENTRY_WORDS = sizeof(pn_cluster_entry) / sizeof(uint64_t) };

/* An attempt that runs or is suspended. */
typedef struct pn_cluster_attempt {
    /* kind, task, attempt number: among attempts of a job that end together */
    PN_WORD_ALIGN uint64_t order;
    uint64_t start; /* its launch, later by the time for which it did not work since */
    /* suspended: since; running: it works from then on, as its slot saves a state (CL46) or it
     * restores its own (CL44) before */
    uint64_t since;
    uint64_t saved; /* running: its slot saves a state until then; suspended: 0 */
    /* ms: of a map all of it, of a reduce what follows the shuffle (rd of CL11) */
    uint64_t work;
    uint64_t shuffle_end; /* of a reduce; PN_SCHEDULER_NEVER while maps are missing */
    uint32_t job;
    uint32_t factor; /* permille */
    uint32_t place;  /* in the set of ends */
    uint16_t busy, kind;
    uint32_t progress; /* millionths, as of its last suspension */
    uint32_t suspended;
} pn_cluster_attempt;

PN_WHOLE_WORDS(pn_cluster_attempt, order);
enum {
    PN_CLUSTER_ATTEMPT_WORDS = sizeof(pn_cluster_attempt) / sizeof(uint64_t),
    PN_CLUSTER_ATTEMPT_PLACES = sizeof(pn_cluster_attempt) / sizeof(uint32_t)
};

/* The free slots of a kind on a node that save states (CL46). */
typedef struct pn_cluster_savings {
    PN_WORD_ALIGN pn_heap_state ends; /* time, 0; times that are over may be among them */
    uint64_t first;                   /* of its entries, as many as it has slots */
} pn_cluster_savings;

typedef struct pn_cluster_outage {
    PN_WORD_ALIGN uint64_t id;
    uint64_t recover;
    uint32_t node;
    uint32_t next; /* free place, + 1 */
} pn_cluster_outage;

PN_WHOLE_WORDS(pn_cluster_outage, id);
enum { PN_CLUSTER_OUTAGE_WORDS = sizeof(pn_cluster_outage) / sizeof(uint64_t) };

/* The slots of a kind on all nodes, whose speeds are in permille; all 0 if there are none. */
typedef struct pn_cluster_station {
    PN_WORD_ALIGN uint64_t rate; /* sum of the speeds of the slots */
    uint32_t fastest, slowest;
} pn_cluster_station;

enum { PN_CLUSTER_COLUMNS = 8 };

/* A machine of the lower bound. */
typedef struct pn_cluster_column {
    PN_WORD_ALIGN pn_heap_state due; /* jobs by their release, a time: release, work */
    pn_heap_state queue;             /* jobs by the work that is left: work, 0 */
    pn_wide flow;                    /* of the period: sum over jobs of their time here, in units */
    pn_wide apart;                   /* the same of the times before and after it, in ms */
} pn_cluster_column;

struct pn_cluster {
    pn_block_head head;
    /* as configured, without pointers; the scheduler's part is what its block holds */
    pn_cluster_config config;
    uint64_t patience;
    uint32_t nodes_count, places_max, reduce_slots;
    uint32_t slowest; /* least speed of a node, permille */
    pn_cluster_station stations[2];

    /* tables, as offsets */
    size_t jobs, attempts, speeds, failures, words, end_entries, failure_entries, scheduler;
    size_t columns, column_entries; /* two tables of entries for each column */
    size_t savings, saving_entries; /* the map slots, then the reduce slots of each node */
    pn_lists_state store;
    pn_heap_state ends, outages;
    pn_places job_places, failure_places;
    uint32_t future_first, future_last; /* + 1 */
    uint32_t recoveries;                /* announced and not over */
    /* 1: what was left has been reported as unfinished */
    uint32_t over;

    /* every instant before this one is executed, but for failures while there was no job */
    uint64_t passed;
    uint64_t last_submit; /* of the jobs handed over */
    uint64_t wake;        /* earliest time asked for since the last offers; PN_SCHEDULER_NEVER */
    /* nothing is known to come, and nothing was launched, killed or suspended, since (CL4);
     * PN_SCHEDULER_NEVER */
    uint64_t stuck_since;
    pn_cluster_totals totals;
    uint64_t bound; /* of the periods that are over */
};

typedef struct pn_cluster_view {
    pn_cluster *sim;
    const pn_cluster_hooks *hooks;
    pn_scheduler *core;
    pn_scheduler_hooks core_hooks;
    pn_cluster_entry *jobs;
    pn_cluster_attempt *attempts;
    const uint32_t *speeds;
    pn_cluster_outage *failures;
    pn_lists store;
    pn_heap ends, outages;
    uint64_t now;
    bool lost; /* map outputs were lost just now, of jobs that say so */
} pn_cluster_view;

/* Returns what jobs carry for policies, from submission until they leave: right before the
 * scheduler, which has its own of the jobs that have come. */
static inline pn_attributes pn_cluster_attributes_of(const pn_cluster *sim)
{
    return pn_attributes_before(sim, sim->scheduler, sim->config.scheduler.jobs_max,
                                sim->config.scheduler.attributes);
}

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_cluster_read_config(pn_cluster_config *own, const pn_cluster_config *given);
/* Returns what is wrong with numbers that can be checked without the nodes, or null. */
const char *pn_cluster_numbers_fault(const pn_cluster_config *config);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_cluster_keep_config(pn_cluster_config *stored, const pn_cluster_config *config);
uint32_t pn_cluster_count_of_nodes(const pn_scheduler_config *config);

/* life.c: the tables of a block whose numbers are noted, with a scheduler of so many bytes; the
 * size, 0 when that does not fit a size_t */
size_t pn_cluster_carve(pn_cluster *sim, size_t scheduler);
/* Returns what its scheduler gets of the configuration, as it is really used. */
pn_scheduler_config pn_cluster_core_config(const pn_cluster_config *config);
extern const char pn_cluster_magic[8];
void pn_cluster_view_build(pn_cluster_view *view, pn_cluster *sim, const pn_cluster_hooks *hooks);
pn_scheduler *pn_cluster_core(pn_cluster *sim);
void pn_cluster_release(pn_cluster_view *view, uint32_t job);

/* Returns when the node offers its slots within each cycle of heartbeats (CL5). */
static inline uint64_t pn_cluster_beat_offset(const pn_cluster *sim, uint32_t node)
{
    return node * sim->config.heartbeat_ms / sim->nodes_count;
}

/* Returns the first node whose beat in a cycle is not before this offset; nodes_count when there is
 * none. */
static inline uint32_t pn_cluster_beat_from(const pn_cluster *sim, uint64_t offset)
{
    return (uint32_t)((offset * sim->nodes_count + sim->config.heartbeat_ms - 1) /
                      sim->config.heartbeat_ms);
}

static inline pn_cluster_column *pn_cluster_columns(const pn_cluster *sim)
{
    return pn_at((pn_cluster *)(uintptr_t)sim, sim->columns);
}

/* bound.c: the lower bound; jobs are added in order of submission */
bool pn_cluster_bound_full(pn_cluster *sim, uint64_t submit);
void pn_cluster_bound_add(pn_cluster *sim, const pn_cluster_job *job, uint64_t index);
pn_heap pn_cluster_due(pn_cluster *sim, int column);
pn_heap pn_cluster_queue(pn_cluster *sim, int column);

/* saving.c: slots that save states (CL46) */
static inline bool pn_cluster_saves(const pn_cluster_config *config)
{
    return config->save_ms > 0 || config->save_permille > 0;
}

pn_cluster_savings *pn_cluster_savings_of(const pn_cluster *sim, uint32_t node, uint32_t kind);
pn_heap pn_cluster_saving_ends(pn_cluster *sim, uint32_t node, uint32_t kind);
uint64_t pn_cluster_enter_slot(pn_cluster_view *view, uint32_t node, uint32_t kind);
void pn_cluster_leave_slot(pn_cluster_view *view, uint32_t node, uint32_t kind, uint64_t saved);
void pn_cluster_forget_savings(pn_cluster_view *view, uint32_t node);

/* draw.c: what the model draws, and what jobs list instead */
uint64_t pn_cluster_draw(uint64_t seed, uint32_t purpose, uint64_t job, uint32_t kind,
                         uint32_t task, uint32_t attempt);

/* tasks.c: how long attempts take */
uint64_t pn_cluster_ceil_scale(uint64_t a, uint64_t b, uint64_t c);
void pn_cluster_launch(void *user, const pn_scheduler_task *task);
void pn_cluster_suspend(void *user, const pn_scheduler_task *task);
void pn_cluster_resume(void *user, const pn_scheduler_task *task);
uint32_t pn_cluster_progress(void *user, const pn_scheduler_task *task);
int pn_cluster_fetched(void *user, const pn_scheduler_task *task);
void pn_cluster_settle(pn_cluster_view *view, uint32_t place);
void pn_cluster_unsettle(pn_cluster_view *view);
void pn_cluster_forget(pn_cluster_view *view, uint32_t place, uint32_t node);
bool pn_cluster_fails(const pn_cluster_view *view, const pn_scheduler_task *task);
/* Of whose maps pn_cluster_replicas_of tells. */
typedef struct pn_cluster_where {
    const pn_cluster_view *view;
    uint32_t job;
} pn_cluster_where;
uint32_t pn_cluster_replicas_of(const void *where, uint32_t map, uint32_t *nodes, uint32_t most);

static inline uint64_t pn_cluster_order_of(const pn_scheduler_task *task)
{
    return (uint64_t)task->kind << 56 | (uint64_t)task->task << 32 | task->attempt;
}

static inline const uint64_t *pn_cluster_times(const pn_cluster_view *view, uint32_t job,
                                               enum pn_cluster_list list)
{
    const pn_cluster_entry *entry = &view->jobs[job];
    return entry->lists >> list & 1 ? pn_lists_of(&view->store, job) + entry->at[list] : NULL;
}

static inline const uint32_t *pn_cluster_numbers(const pn_cluster_view *view, uint32_t job,
                                                 enum pn_cluster_list list)
{
    return (const uint32_t *)(const void *)pn_cluster_times(view, job, list);
}

#endif
