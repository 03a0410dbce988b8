/* What a scheduler holds in its block, and the view of it that lives on the stack during a call.
 *
 * The block starts with struct pn_scheduler; everything else is found by offsets stored there. A
 * call from outside builds a view (pointers into this very block), works, and leaves no pointer
 * behind. Links between jobs and between attempts are place + 1, 0 is none.
 *
 * What a job has many of lies in its list in the store:
 *
 *   | tasks: maps, reduces | pending maps | pending reduces | replicas by (node, map) | nodes its
 * maps run or ran on | */
#ifndef PN_SCHEDULER_STATE_H
#define PN_SCHEDULER_STATE_H

#include "base/bits.h"
#include "base/heap.h"
#include "pn_scheduler.h"
#include "base/lists.h"
#include "base/slots.h"
#include "base/wide.h"
#include "fleet/fleet.h"
#include "fleet/samples.h"

enum { PN_SCHEDULER_KINDS = 2 };

enum pn_scheduler_task_state {
    PN_SCHEDULER_TASK_PENDING = 0,
    PN_SCHEDULER_TASK_RUNNING = 1,
    PN_SCHEDULER_TASK_DONE = 2,
    PN_SCHEDULER_TASK_SUSPENDED = 3
};

typedef struct pn_scheduler_task_entry {
    uint64_t ms; /* done: how long the attempt worked */
    /* running, suspended: its place among the attempts, of two the older one's; done: the node */
    uint32_t where;
    uint32_t attempt;       /* of the next or the youngest present one */
    uint32_t first_replica; /* of a map: one of its replicas, + 1 */
    uint16_t failures;
    uint8_t state; /* enum pn_scheduler_task_state */
    uint8_t local; /* of a map that is done */
} pn_scheduler_task_entry;

/* A replica of a map's input. The replicas of a job are sorted by (node, map); `next` belongs to
 * the first of those on a node. */
typedef struct pn_scheduler_replica {
    uint32_t node, task;
    uint32_t next;    /* no replica on this node before this index belongs to a pending map */
    uint32_t sibling; /* another replica of the same map, + 1 */
} pn_scheduler_replica;

/* How many of a job's maps run or have their output on a node: a table of open places, found by
 * hashing the node. */
typedef struct pn_scheduler_host {
    uint32_t node; /* + 1; 0 = the place is empty */
    uint32_t maps; /* may be 0 */
} pn_scheduler_host;

_Static_assert(sizeof(pn_scheduler_task_entry) == 24 && sizeof(pn_scheduler_replica) == 16 &&
                   sizeof(pn_scheduler_host) == 8,
               "whole words");
enum { PN_SCHEDULER_TASK_WORDS = 3, PN_SCHEDULER_REPLICA_WORDS = 2 };

/* An attempt that runs or is suspended. */
typedef struct pn_scheduler_attempt {
    /* of the attempt here, or of the last one: launches here * places + this place */
    uint64_t token;
    uint64_t launch; /* it holds its slot since */
    uint64_t start;  /* it works since; later by the time that it was suspended */
    uint64_t since;  /* it is suspended since */
    uint32_t job, task, node;
    uint32_t kind;
    uint32_t attempt; /* its number */
    uint32_t twin;    /* the other attempt of the task, + 1 */
    /* attempts of the same job and kind that run, in order of launch, or that are suspended; free
     * places are linked by `after` */
    uint32_t before, after;
    uint32_t node_before, node_after; /* those on the same node */
    uint8_t busy;                     /* 1: an attempt is here */
    uint8_t suspended;
    uint8_t copy;  /* 1: another attempt of its task ran when it was launched */
    uint8_t local; /* of a map */
    /* of a reduce, 1: outputs of its job's maps lay here at max(map finish, start) */
    uint8_t outputs;
    uint8_t unused;
    uint16_t suspensions; /* so far, at most 65535 */
} pn_scheduler_attempt;

typedef struct pn_scheduler_node {
    uint32_t slots[PN_SCHEDULER_KINDS], free[PN_SCHEDULER_KINDS];
    uint32_t most[PN_SCHEDULER_KINDS]; /* slots as configured */
    uint32_t over[PN_SCHEDULER_KINDS]; /* attempts that run above its slots (CL40) */
    uint32_t first_attempt[2];         /* that runs (0), that is suspended (1) */
    uint32_t suspended[PN_SCHEDULER_KINDS];
    uint32_t up;
    uint32_t speed; /* permille; only policies look at it */
} pn_scheduler_node;

typedef struct pn_scheduler_entry {
    PN_WORD_ALIGN uint64_t id; /* 0 = the place is free */
    uint64_t list;             /* its place in the store */
    uint64_t tag, submit, deadline;
    uint64_t first_start[PN_SCHEDULER_KINDS]; /* of a map, of a reduce; PN_SCHEDULER_NEVER */
    uint64_t map_finish;
    uint64_t slot_ms;
    uint64_t done_ms[PN_SCHEDULER_KINDS]; /* sum over the tasks that are done */

    uint64_t weight; /* in the shares */
    uint32_t own_weight;
    int32_t priority;
    uint32_t share[PN_SCHEDULER_KINDS];
    pn_key key[PN_SCHEDULER_KINDS];     /* as last computed */
    uint32_t place[PN_SCHEDULER_KINDS]; /* in the set of candidates */
    uint8_t ranked[PN_SCHEDULER_KINDS]; /* which of the two sets: enum pn_scheduler_rank */
    uint8_t late;                       /* 1: it is known to miss its deadline */
    /* 1: it is over, and remembered for the order; 1: it has failed or was cancelled */
    uint8_t ended, failed, unused[3];
    uint64_t skip_since; /* CL16; PN_SCHEDULER_NEVER = it is not delayed */

    uint64_t est_ms[PN_SCHEDULER_KINDS]; /* without what the configuration adds; 0 = not known */
    uint64_t longest[PN_SCHEDULER_KINDS];
    uint64_t input, intermediate;

    uint32_t tasks[PN_SCHEDULER_KINDS], waiting[PN_SCHEDULER_KINDS], running[PN_SCHEDULER_KINDS],
        done[PN_SCHEDULER_KINDS];
    /* of `running`, attempts in slots, those that are the second of their task */
    uint32_t copied[PN_SCHEDULER_KINDS];
    uint32_t suspended[PN_SCHEDULER_KINDS]; /* tasks */
    /* attempts that run (0), that are suspended (1) */
    uint32_t first_attempt[2][PN_SCHEDULER_KINDS], last_attempt[2][PN_SCHEDULER_KINDS];
    uint32_t bits[PN_SCHEDULER_KINDS], replicas, hosts; /* in words from the start of its list */
    uint32_t replica_count;
    uint32_t host_places, hosts_used;
    uint32_t local_maps, colocated_reduces, kills, suspensions, copies, copies_won;
    uint32_t group;
    /* jobs in the system in order of submission; free places are linked by `after` */
    uint32_t before, after;
} pn_scheduler_entry;

PN_WHOLE_WORDS(pn_scheduler_entry, id);
enum {
    PN_SCHEDULER_ENTRY_WORDS = sizeof(pn_scheduler_entry) / sizeof(uint64_t),
    PN_SCHEDULER_ENTRY_PLACES = sizeof(pn_scheduler_entry) / sizeof(uint32_t)
};

/* A job in the order of started_first, and what is estimated of its finish. Blocks for policies
 * that have neither this order nor shares have no memory for it. */
typedef struct pn_scheduler_turn {
    PN_WORD_ALIGN uint64_t started; /* jobs that started before it, + 1; 0 = it has not */
    /* scratch of the forecasts: what its estimate would be, and that of its maps */
    uint64_t expected, maps_end;
    /* recorded finishes: of the times at which slots become free behind it */
    uint32_t groups[PN_SCHEDULER_KINDS];
    uint32_t ahead, behind; /* neighbours in the order, + 1 */
    uint32_t doomed;        /* 1: it would miss its deadline; scratch of late */
    uint32_t unused;
} pn_scheduler_turn;

PN_WHOLE_WORDS(pn_scheduler_turn, started);

/* What a job's tasks and the rest of it take by CL17, as of its last estimate. */
typedef struct pn_scheduler_estimates {
    PN_WORD_ALIGN uint64_t average[PN_SCHEDULER_KINDS];
    uint64_t remaining;
    uint64_t sampled_ms[PN_SCHEDULER_KINDS]; /* scratch */
    uint32_t sampled[PN_SCHEDULER_KINDS];
} pn_scheduler_estimates;

PN_WHOLE_WORDS(pn_scheduler_estimates, average);

/* What a policy has promised a job, and how it restrains it. Blocks for policies that have at most
 * a key and an init have no memory for it. */
typedef struct pn_scheduler_terms {
    /* its estimated finish, when it was submitted and now; PN_SCHEDULER_NEVER */
    PN_WORD_ALIGN uint64_t promise, estimate;
    uint64_t blocker;                   /* who would have missed its deadline; 0 */
    uint64_t opens[PN_SCHEDULER_KINDS]; /* it gets no slot before; 0 = it may have them now */
    uint32_t limit[PN_SCHEDULER_KINDS]; /* most slots that it holds */
    uint32_t held[PN_SCHEDULER_KINDS];  /* its place in the set of those held back */
} pn_scheduler_terms;

PN_WHOLE_WORDS(pn_scheduler_terms, promise);
enum { PN_SCHEDULER_TERMS_PLACES = sizeof(pn_scheduler_terms) / sizeof(uint32_t) };

/* Largest estimate of a task's time, ms. */
#define PN_SCHEDULER_EST_MOST ((uint64_t)1 << 40)

/* Candidates for a kind of slot are in two sets: those of the first precede the others. The first
 * has the jobs below their share, or that have started; all jobs where there are neither shares nor
 * started_first. */
enum pn_scheduler_rank {
    PN_SCHEDULER_BELOW_SHARE = 0,
    PN_SCHEDULER_AT_SHARE = 1,
    PN_SCHEDULER_HAS_STARTED = 0,
    PN_SCHEDULER_HAS_NOT_STARTED = 1,
    PN_SCHEDULER_RANKS = 2
};

/* The functions that a policy may have: their bits in the form. Those from ADMIT on may
 * promise a job something or restrain it. */
enum {
    PN_SCHEDULER_HAS_KEY,
    PN_SCHEDULER_HAS_INIT,
    PN_SCHEDULER_HAS_ADMIT,
    PN_SCHEDULER_HAS_ARRIVE,
    PN_SCHEDULER_HAS_LEAVE,
    PN_SCHEDULER_HAS_ELAPSE,
    PN_SCHEDULER_HAS_PLAN,
    PN_SCHEDULER_HAS_PREEMPT,
    PN_SCHEDULER_HAS_PICK,
    PN_SCHEDULER_HAS_COPY,
    PN_SCHEDULER_FUNCTIONS
};

/* The words of a policy's shape: what the block depends on in its table, beside its parameters. */
typedef struct pn_scheduler_form {
    pn_scheduler_order order;
    pn_scheduler_admission admission;
    uint16_t functions; /* a bit for each that the policy has */
    uint64_t memory;    /* a hash of the sizes of the policy's own memory */
} pn_scheduler_form;

_Static_assert(sizeof(pn_scheduler_form) == PN_SHAPE_WORDS * sizeof(uint64_t), "no padding");

/* Returns whether a policy with these functions may promise a job something or restrain it: its key
 * may not, and when it is bound there is no job. */
static inline bool pn_scheduler_may_agree(uint16_t functions)
{
    return functions >> PN_SCHEDULER_HAS_ADMIT != 0;
}

/* What a policy's function may do just now. */
enum pn_scheduler_phase {
    PN_SCHEDULER_PHASE_OTHER = 0,
    PN_SCHEDULER_PHASE_INIT,
    PN_SCHEDULER_PHASE_PREEMPT,
    PN_SCHEDULER_PHASE_ADMIT,
    PN_SCHEDULER_PHASE_LEAVE
};

/* A question is being answered; and all jobs have been estimated for it. */
enum pn_scheduler_asking {
    PN_SCHEDULER_ASKING_NOTHING = 0,
    PN_SCHEDULER_ASKING,
    PN_SCHEDULER_ASKING_ESTIMATED
};

struct pn_scheduler {
    pn_block_head head;
    /* as configured, with what is derived from it where 0 was given; without pointers */
    pn_scheduler_config config;
    /* places_max: slots and suspended_max; jobs_max: places */
    uint32_t nodes_count, places_max, jobs_max;
    /* 1: there is memory for records; for shares; for a second set of candidates, and turns; for
     * estimates; for terms */
    uint8_t records, shares, orders, estimates, agrees, unused[7];
    uint32_t capacity[PN_SCHEDULER_KINDS]; /* slots as configured: what the tables have room for */

    pn_fleet fleet;

    /* the bound policy */
    pn_scheduler_order order;
    pn_scheduler_admission admission;
    uint8_t picks, admits, copier, preempts; /* 1: the policy has this function */
    uint16_t plans;                          /* 1: ticks and arrivals matter to it */
    uint16_t restrains;                      /* 1: it has limited or held back a job */

    /* tables, as offsets */
    size_t nodes, attempts, jobs, turns, estimated, terms, words, free_nodes[PN_SCHEDULER_KINDS],
        entries[PN_SCHEDULER_KINDS][PN_SCHEDULER_RANKS];
    size_t scratch_jobs, scratch_attempts, walk, rests, replica_nodes;
    pn_fleet_samples samples;
    size_t groups;
    size_t held_entries[PN_SCHEDULER_KINDS];
    /* when slots become free in the forecast at hand */
    size_t times[PN_SCHEDULER_KINDS], counts[PN_SCHEDULER_KINDS];
    /* when slots become free as recorded with each job */
    size_t record_times[PN_SCHEDULER_KINDS], record_counts[PN_SCHEDULER_KINDS];
    pn_lists_state store;
    pn_heap_state candidates[PN_SCHEDULER_KINDS][PN_SCHEDULER_RANKS];
    pn_heap_state held[PN_SCHEDULER_KINDS]; /* jobs that get no slot of the kind before a time */

    /* The order of started_first, as places + 1. */
    uint32_t first_in_order, last_in_order, last_started;
    uint32_t remembered; /* jobs that are over and in the order still */
    uint64_t started;    /* jobs that ever started */
    /* the job, + 1, whose admission the `expected` of all those concerned are from; 0 = none */
    uint32_t foreseen;
    uint32_t asking; /* enum pn_scheduler_asking: nothing may change */
    /* 1: since all jobs were estimated, an attempt took longer than it was to */
    uint32_t overran;

    /* slots that all nodes have now, and those that are up; free ones; attempts above them */
    uint32_t present[PN_SCHEDULER_KINDS], up_slots[PN_SCHEDULER_KINDS],
        free_slots[PN_SCHEDULER_KINDS], over[PN_SCHEDULER_KINDS];
    uint32_t free_nodes_count[PN_SCHEDULER_KINDS]; /* nodes with a free slot */
    uint32_t running;                              /* attempts in slots */
    uint32_t holding;                              /* jobs with attempts in slots */
    uint32_t suspended[PN_SCHEDULER_KINDS], copied[PN_SCHEDULER_KINDS];
    /* 1 + the time for which keys of PN_SCHEDULER_KEYS_TIMED were computed last */
    uint64_t timed[PN_SCHEDULER_KINDS];

    pn_scheduler_totals totals;
};

struct pn_scheduler_view {
    pn_scheduler *s;
    const pn_scheduler_hooks *hooks;
    const pn_scheduler_policy *policy;
    pn_scheduler_node *nodes;
    pn_scheduler_attempt *attempts;
    pn_scheduler_entry *jobs;
    pn_scheduler_turn *turns;          /* of the jobs, where started_first */
    pn_scheduler_estimates *estimated; /* of the jobs, where estimates */
    pn_scheduler_terms *terms;         /* of the jobs, where agrees */
    pn_lists store;
    pn_heap candidates[PN_SCHEDULER_KINDS][PN_SCHEDULER_RANKS], held[PN_SCHEDULER_KINDS];
    uint64_t now;
    uint32_t phase;   /* enum pn_scheduler_phase */
    uint32_t subject; /* the job that the policy admits, or that leaves */
};

/* Returns the jobs in the system in order of submission. */
static inline pn_chain pn_scheduler_system(const pn_scheduler_view *view)
{
    return PN_CHAIN(&view->s->fleet.first_job, &view->s->fleet.last_job, view->jobs, before, after);
}

/* Returns what jobs carry for policies: right before the memory of the policy. */
static inline pn_attributes pn_scheduler_attributes_of(const pn_scheduler *s)
{
    return pn_attributes_before(s, s->fleet.policy_state, s->jobs_max, s->config.attributes);
}

/* Returns the jobs that started before the job, + 1; 0 if it has not started or nothing depends on
 * it. */
static inline uint64_t pn_scheduler_start_number(const pn_scheduler_view *view, uint32_t job)
{
    return view->s->order.started_first ? view->turns[job].started : 0;
}

extern const pn_scheduler_terms pn_scheduler_no_terms;

/* Returns what the policy has agreed with the job. */
static inline const pn_scheduler_terms *pn_scheduler_terms_of(const pn_scheduler_view *view,
                                                              uint32_t job)
{
    return view->s->agrees ? &view->terms[job] : &pn_scheduler_no_terms;
}

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_scheduler_read_config(pn_scheduler_config *own, const pn_scheduler_config *given);
/* Returns what is wrong with numbers that can be checked without the nodes, or null. */
const char *pn_scheduler_numbers_fault(const pn_scheduler_config *config);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_scheduler_keep_config(pn_scheduler_config *stored, const pn_scheduler_config *config);
/* Counts nodes and slots of all entries. Returns false when that is more than there may be. */
bool pn_scheduler_count_nodes(const pn_scheduler_config *config, uint64_t *nodes,
                              uint64_t slots[PN_SCHEDULER_KINDS]);

/* life.c: the tables of a block whose numbers are noted, with so many bytes of a policy's own; the
 * size, 0 when that does not fit a size_t */
size_t pn_scheduler_carve(pn_scheduler *s, size_t policy_bytes);
extern const char pn_scheduler_magic[8];
bool pn_scheduler_slots_fit(const pn_scheduler *s, uint32_t node,
                            const uint32_t slots[PN_SCHEDULER_KINDS]);
void pn_scheduler_view_build(pn_scheduler_view *view, const pn_scheduler *scheduler,
                             const pn_scheduler_hooks *hooks);
size_t pn_scheduler_policy_bytes(const pn_scheduler_policy *policy, uint32_t jobs_max);
bool pn_scheduler_policy_sane(const pn_scheduler_policy *policy);

/* jobs.c: the lists of a job, and where its tasks are */
typedef struct pn_scheduler_shape {
    uint64_t words;
    uint32_t bits[PN_SCHEDULER_KINDS], replicas, hosts;
    uint32_t host_places;
} pn_scheduler_shape;
pn_scheduler_shape pn_scheduler_shape_of(const pn_scheduler *s, uint32_t maps, uint32_t reduces,
                                         uint32_t replicas);
bool pn_scheduler_entry_store(pn_scheduler_view *view, uint32_t job, const pn_scheduler_job *given,
                              uint32_t replicas);
uint32_t pn_scheduler_local_map(const pn_scheduler_view *view, uint32_t job, uint32_t node);
bool pn_scheduler_holds_input(const pn_scheduler_view *view, uint32_t job, uint32_t map,
                              uint32_t node);
uint32_t pn_scheduler_lowest(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
void pn_scheduler_wait(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t task);
void pn_scheduler_unwait(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t task);
uint32_t pn_scheduler_outputs(const pn_scheduler_view *view, uint32_t job, uint32_t node);
uint32_t pn_scheduler_nodes_known(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_next_affine(const pn_scheduler_view *view, uint32_t job, uint32_t from);
void pn_scheduler_host_add(const pn_scheduler_view *view, uint32_t job, uint32_t node);
void pn_scheduler_host_drop(const pn_scheduler_view *view, uint32_t job, uint32_t node);

static inline uint64_t *pn_scheduler_list(const pn_scheduler_view *view, uint32_t job)
{
    return pn_lists_of(&view->store, job);
}

static inline pn_scheduler_task_entry *pn_scheduler_tasks_of(const pn_scheduler_view *view,
                                                             uint32_t job, uint32_t kind)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    return (pn_scheduler_task_entry *)(void *)pn_scheduler_list(view, job) +
           (kind == PN_SCHEDULER_MAP ? 0 : entry->tasks[PN_SCHEDULER_MAP]);
}

static inline bool pn_scheduler_priority_sane(int32_t priority)
{
    return -PN_SCHEDULER_PRIORITY_MOST <= priority && priority <= PN_SCHEDULER_PRIORITY_MOST;
}

/* Returns whether its reduces may take slots (CL11). */
static inline bool pn_scheduler_is_ready(const pn_scheduler *s, const pn_scheduler_entry *job)
{
    uint64_t maps = job->tasks[PN_SCHEDULER_MAP];
    bool after = s->config.reduce_start == PN_SCHEDULER_AFTER_MAPS || s->admission.maps_first;
    uint64_t needed = after ? maps : (maps * s->config.slowstart_permille + 999) / 1000;
    return job->done[PN_SCHEDULER_MAP] >= needed;
}

/* Returns how many more attempts of the kind the job may have in slots (CL42). Reduces leave a slot
 * to the maps that they wait for; where outputs were lost, a map may run above the limit. */
static inline uint64_t pn_scheduler_spare_of(const pn_scheduler *s, const pn_scheduler_entry *job,
                                             uint32_t kind)
{
    uint64_t most = s->config.running_most, maps = job->running[PN_SCHEDULER_MAP],
             reduces = job->running[PN_SCHEDULER_REDUCE];
    if (most == 0)
        return UINT32_MAX;
    if (kind == PN_SCHEDULER_MAP)
        return pn_max(most - pn_min(most, maps + reduces), maps == 0);
    if (job->done[PN_SCHEDULER_MAP] < job->tasks[PN_SCHEDULER_MAP])
        maps = pn_max(maps, 1);
    return most - pn_min(most, maps + reduces);
}

/* Counts the tasks that are pending, reduces if they are ready. */
static inline uint32_t pn_scheduler_waiting_of(const pn_scheduler *s, const pn_scheduler_entry *job,
                                               uint32_t kind)
{
    return kind == PN_SCHEDULER_MAP || pn_scheduler_is_ready(s, job) ? job->waiting[kind] : 0;
}

/* Counts the tasks that may start now. */
static inline uint32_t pn_scheduler_pending_of(const pn_scheduler *s, const pn_scheduler_entry *job,
                                               uint32_t kind)
{
    return (uint32_t)pn_min(pn_scheduler_waiting_of(s, job, kind),
                            pn_scheduler_spare_of(s, job, kind));
}

static inline uint32_t pn_scheduler_need_of(const pn_scheduler *s, const pn_scheduler_entry *job,
                                            uint32_t kind)
{
    uint64_t more = (uint64_t)pn_scheduler_waiting_of(s, job, kind) + job->suspended[kind];
    return job->running[kind] + (uint32_t)pn_min(more, pn_scheduler_spare_of(s, job, kind));
}

/* Returns whether the job may have another slot of the kind: it is not held back, and below its
 * limits. */
static inline bool pn_scheduler_is_open(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    const pn_scheduler *s = view->s;
    const pn_scheduler_entry *entry = &view->jobs[job];
    if (s->restrains &&
        (entry->running[kind] >= view->terms[job].limit[kind] || view->terms[job].opens[kind] != 0))
        return false;
    return s->config.running_most == 0 || pn_scheduler_spare_of(s, entry, kind) > 0;
}

/* orders.c: the candidates */
void pn_scheduler_compute_keys(const pn_scheduler_view *view, uint32_t job);
uint32_t pn_scheduler_rank_of(const pn_scheduler_view *view, uint32_t job, uint32_t kind);
void pn_scheduler_settle(pn_scheduler_view *view, uint32_t job, uint32_t kind);
void pn_scheduler_release(pn_scheduler_view *view);
bool pn_scheduler_is_saturated(const pn_scheduler *s);
void pn_scheduler_announce_opening(const pn_scheduler_view *view);
void pn_scheduler_reorder(pn_scheduler_view *view, uint32_t job, uint32_t kind);
void pn_scheduler_unorder(pn_scheduler_view *view, uint32_t job);
void pn_scheduler_key(pn_scheduler_view *view, uint32_t job);
void pn_scheduler_key_all(pn_scheduler_view *view);
int pn_scheduler_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job);
int pn_scheduler_pick_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place);

/* events.c: around every event; after PN_OK of _begin, pn_fleet_conclude must follow */
int pn_scheduler_refused(const pn_scheduler *s, const pn_scheduler_hooks *hooks);
void pn_scheduler_bind(pn_scheduler_view *view);
void pn_scheduler_pass_input(pn_scheduler *s, const pn_scheduler_hooks *hooks,
                             const pn_scheduler_input *input);
int pn_scheduler_begin(pn_scheduler_view *view, pn_scheduler *s, const pn_scheduler_hooks *hooks,
                       const pn_scheduler_input *input);
void pn_scheduler_plan(pn_scheduler_view *view, uint32_t reason);

/* rules.c: a policy's descriptors */
bool pn_scheduler_rules_in_range(const pn_scheduler_order *order,
                                 const pn_scheduler_admission *admission);
bool pn_scheduler_rules_sane(const pn_scheduler_order *order,
                             const pn_scheduler_admission *admission,
                             const pn_scheduler_policy *policy);
bool pn_scheduler_rules_fit(const pn_scheduler *s, const pn_scheduler_order *order,
                            const pn_scheduler_admission *admission);
uint16_t pn_scheduler_functions_of(const pn_scheduler_policy *policy);

/* queue.c: the order of jobs with deadlines; links are place + 1 */
uint32_t pn_scheduler_following(const pn_scheduler_view *view, uint32_t link);
void pn_scheduler_insert(pn_scheduler_view *view, uint32_t job, uint32_t ahead);
uint32_t pn_scheduler_place_of(const pn_scheduler_view *view, uint32_t job);
void pn_scheduler_start(pn_scheduler_view *view, uint32_t job);
void pn_scheduler_retire(pn_scheduler_view *view, uint32_t job);
bool pn_scheduler_may_reduce(const pn_scheduler_view *view, uint32_t job);

/* admission.c: what is promised to them */
void pn_scheduler_enter(pn_scheduler_view *view, uint32_t job);
bool pn_scheduler_overruns(const pn_scheduler_view *view, uint32_t place);
void pn_scheduler_estimate_again(pn_scheduler_view *view);

/* estimates.c */
void pn_scheduler_estimate_all(pn_scheduler_view *view);
void pn_scheduler_estimate(pn_scheduler_view *view, uint32_t job);

/* shares.c */
void pn_scheduler_divide(pn_scheduler_view *view);

/* attempts.c: attempts begin and end */
void pn_scheduler_node_raise(pn_scheduler_view *view, uint32_t node);
void pn_scheduler_node_lower(pn_scheduler_view *view, uint32_t node);
void pn_scheduler_node_resize(pn_scheduler_view *view, uint32_t node, uint32_t kind,
                              uint32_t slots);
void pn_scheduler_launch(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node);
void pn_scheduler_copy(pn_scheduler_view *view, uint32_t place, uint32_t node);
uint32_t pn_scheduler_suspended_here(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                     uint32_t node);
int pn_scheduler_suspend_at(pn_scheduler_view *view, uint32_t place);
pn_scheduler_task pn_scheduler_task_of(const pn_scheduler_view *view, uint32_t place);
bool pn_scheduler_has_fetched(const pn_scheduler_view *view, uint32_t place);
uint32_t pn_scheduler_attempt_of(const pn_scheduler *s, uint64_t token);
bool pn_scheduler_kill_at(pn_scheduler_view *view, uint32_t place);
void pn_scheduler_end(pn_scheduler_view *view, uint32_t place, uint32_t event);
void pn_scheduler_report_input(const pn_scheduler_view *view, uint32_t job);
void pn_scheduler_rerun(pn_scheduler_view *view, uint32_t job, uint32_t task);

/* record.c: what is reported */
void pn_scheduler_record_of(const pn_scheduler_view *view, uint32_t job, uint32_t state,
                            uint64_t finish, pn_scheduler_record *record);
void pn_scheduler_report(pn_scheduler_view *view, uint32_t event, uint32_t job, uint32_t kind,
                         uint32_t task, uint32_t node, uint32_t attempt, uint32_t place);
void pn_scheduler_report_resize(pn_scheduler_view *view, uint32_t node);
void pn_scheduler_leave(pn_scheduler_view *view, uint32_t job, uint32_t state);
void pn_scheduler_unlink(pn_scheduler_view *view, uint32_t job);
void pn_scheduler_free_place(pn_scheduler_view *view, uint32_t job);

/* Counts the attempts in slots of a kind. */
static inline uint32_t pn_scheduler_in_slots(const pn_scheduler *s, uint32_t kind)
{
    return s->up_slots[kind] - s->free_slots[kind] + s->over[kind];
}

/* Finishes that are forecast; that are recorded. */
static inline bool pn_scheduler_forecasts(const pn_scheduler *s)
{
    return s->admission.finishes == PN_SCHEDULER_FINISHES_FORECAST;
}

static inline bool pn_scheduler_records(const pn_scheduler_admission *admission)
{
    return admission->finishes == PN_SCHEDULER_FINISHES_RECORDED;
}

/* Returns whether every job must say how long its tasks take. */
static inline bool pn_scheduler_needs_estimates(const pn_scheduler *s)
{
    return s->admission.deadlines || s->admission.finishes != PN_SCHEDULER_FINISHES_NONE;
}

#endif
