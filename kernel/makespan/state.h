/* The inside of a makespan simulation: what the files of this folder share.c share.
 *
 * life.c           life: configuration, carving, jobs, queries
 * times.c     how long stages take: estimates, and durations in fine ticks
 * list.h      the list scheduler of one instant, used twice: by
 * step.c      the run, which names slots and reports, and
 * evaluate.c  the evaluation of an order, which only wants its score
 * plan.c      one call of a policy: the rules in force, its answer, the fine tick
 * view.c      what a policy may ask; Johnson's orders
 * policies.c  the built-in policies that order at once
 * pools.c     … those that split the cluster
 * search.c    … those that search
 * bound.c     lower bounds
 * makespan/exact/policy.c     branch and bound */
#ifndef PN_MAKESPAN_STATE_H
#define PN_MAKESPAN_STATE_H

#include "base/attributes.h"
#include "base/binding.h"
#include "base/bits.h"
#include "pn_makespan.h"
#include "base/wide.h"

enum { PN_MAKESPAN_STAGE_COUNT = 2 };

/* Equal tasks, one after another in a stage's list. */
typedef struct pn_makespan_stretch_entry {
    uint64_t duration;
    uint32_t count;
    uint32_t first; /* index of the first of them in the list */
} pn_makespan_stretch_entry;

/* What was submitted of a stage. */
typedef struct pn_makespan_stage_entry {
    uint64_t work, longest; /* sum and greatest of the durations */
    uint64_t given;         /* its time, when has_given */
    uint32_t stretches;     /* index of the first one in the table */
    uint32_t stretch_count;
    uint32_t tasks;
    uint32_t requested; /* >= 1 */
    uint32_t has_given;
    uint32_t unused;
} pn_makespan_stage_entry;

typedef struct pn_makespan_entry {
    pn_makespan_stage_entry stage[PN_MAKESPAN_STAGE_COUNT];
    uint64_t tag;
    uint32_t group;
    uint32_t unused;
} pn_makespan_entry;

/* The rules in force. */
typedef struct pn_makespan_rules {
    uint32_t stage_time, share, cap, task_order, resplit;
} pn_makespan_rules;

/* Durations on so many slots, where these are not those of the tasks as given: of the stages at the
 * stage level, of the equal tasks with resplit. In 1/ticks of a coarse tick. */
typedef struct pn_makespan_timing {
    uint32_t slots[PN_MAKESPAN_STAGE_COUNT]; /* 0 = not computed */
    uint64_t ticks;
    size_t duration[PN_MAKESPAN_STAGE_COUNT]; /* offsets: uint64_t by job */
} pn_makespan_timing;

enum { PN_MAKESPAN_TIMINGS = 2 }; /* two pools can be compared without computing anything twice */

/* A pool as answered, and its part of the cluster as it runs. */
typedef struct pn_makespan_pool_entry {
    uint32_t nodes;
    uint32_t begin, end; /* its positions in the order */
    /* it has; at the stage level the slots that it stands for */
    uint32_t slots[PN_MAKESPAN_STAGE_COUNT];
    uint32_t slot_base[PN_MAKESPAN_STAGE_COUNT]; /* index of the first one among all */
    uint32_t free[PN_MAKESPAN_STAGE_COUNT];      /* slots; machines at the stage level */
    /* exclusive: the first position whose stage is not complete */
    uint32_t front[PN_MAKESPAN_STAGE_COUNT];
    /* 1 + the only free slot, which then is in no set; 0 = none, or they are in the set */
    uint32_t only[PN_MAKESPAN_STAGE_COUNT];
    uint32_t touched, next_touched; /* see pn_makespan_list */
} pn_makespan_pool_entry;

/* Where a stage of the job at a position stands. */
typedef struct pn_makespan_flow {
    uint64_t duration;   /* of the tasks of the current stretch */
    uint32_t left;       /* of them not started */
    uint32_t task;       /* index of the next one in the list */
    uint32_t next;       /* index of the next stretch in the table */
    uint32_t unstarted;  /* tasks of the stage */
    uint32_t unfinished; /* tasks of the stage */
    uint32_t running;
    uint32_t cap;   /* at most so many run at once */
    uint32_t begun; /* the run: 1 when a task has started */
    uint32_t pool;
} pn_makespan_flow;

/* The time of a stage: num / den coarse ticks. */
typedef struct pn_makespan_span {
    uint64_t num, den;
} pn_makespan_span;

/* Equal tasks of a stage that end together. Small, as heaps of them are most of the work. */
typedef struct pn_makespan_event {
    uint64_t end;
    uint32_t line; /* 2 * position + stage */
    /* how many they are; in the run the slot of the first, the others follow in slot_next */
    uint32_t mark;
} pn_makespan_event;

typedef struct pn_makespan_job_times {
    uint64_t start[PN_MAKESPAN_STAGE_COUNT], finish[PN_MAKESPAN_STAGE_COUNT];
} pn_makespan_job_times;

struct pn_makespan {
    pn_block_head head;
    /* as configured, with what is derived from it where 0 was given; without pointers */
    pn_makespan_config config;
    /* The layout: what follows from the configuration, and where the tables lie, as offsets. */
    uint32_t slots[PN_MAKESPAN_STAGE_COUNT], base_slots[PN_MAKESPAN_STAGE_COUNT];
    uint32_t nodes, pools_max;
    pn_makespan_rules asked; /* 0 = the policy's */
    size_t jobs, stretches, longest_first;
    size_t set_order, set_jobs, set_pools;
    size_t order, pools, position;
    size_t flows, events, kept_events, times, done, sort_room, spans[PN_MAKESPAN_STAGE_COUNT];
    size_t eligible[PN_MAKESPAN_STAGE_COUNT], free_slots[PN_MAKESPAN_STAGE_COUNT],
        slot_next[PN_MAKESPAN_STAGE_COUNT];
    size_t duration[PN_MAKESPAN_STAGE_COUNT]; /* of the run, in fine ticks: uint64_t by job */
    size_t sequence[PN_MAKESPAN_STAGE_COUNT];
    size_t run_tables, run_tables_size; /* those of the run: zero when it begins */
    size_t stretch_room;                /* for sorting the tasks of a stage: twice the stretches */
    size_t stats, stats_stride;
    size_t policy_memory, policy_memory_size; /* of the policy */
    pn_makespan_timing timing[PN_MAKESPAN_TIMINGS];
    uint32_t timing_oldest;
    /* The batch. */
    uint32_t job_count, stretch_count;
    uint64_t work[PN_MAKESPAN_STAGE_COUNT];
    uint32_t has_order;      /* 1: set_order holds one */
    uint32_t set_pool_count; /* 0: none were set */
    /* The plan. */
    pn_binding binding; /* the policy that made it */
    pn_makespan_rules rules;
    uint32_t planned;
    uint32_t pool_count;
    uint32_t sequenced;                               /* 1: tasks start as in the sequences */
    uint32_t sequence_count[PN_MAKESPAN_STAGE_COUNT]; /* tasks in them */
    uint32_t sequence_next[PN_MAKESPAN_STAGE_COUNT];  /* the next one to start */
    uint64_t fine; /* fine ticks to a coarse one; 0 before the plan */
    uint64_t proven, searched, evaluations;
    pn_stream stream;
    /* The run. */
    uint64_t time, makespan;
    uint64_t digest;
    uint64_t total[2]; /* completions, high word first */
    uint64_t instants, started;
    uint32_t finished;
    uint32_t event_count;
    uint32_t begun;
    uint32_t holding; /* jobs of which tasks run: of one stage, as reduces come behind all maps */
};

/* The state of an evaluation when it was about to start the first job behind those that its order
 * had in common with the one evaluated before. Later orders that begin with these jobs go on from
 * there: searches mostly evaluate such orders in a row. Flows, events and the order evaluated last
 * lie in the block. */
typedef struct pn_makespan_prefix {
    uint32_t count;       /* jobs in common; 0 = nothing is kept */
    uint32_t order_count; /* jobs of the order evaluated last */
    uint32_t slots[PN_MAKESPAN_STAGE_COUNT], free[PN_MAKESPAN_STAGE_COUNT];
    uint32_t event_count, finished;
    uint64_t time, makespan, total[2];
} pn_makespan_prefix;

struct pn_makespan_view {
    pn_makespan *sim;
    const pn_makespan_hooks *hooks;
    const pn_makespan_policy *policy;
    pn_binding binding; /* that of the simulation once there is a plan */
    pn_makespan_rules rules;
    uint32_t answered;   /* jobs given a place */
    uint32_t nodes_left; /* not given to a pool */
    uint32_t pool_count;
    uint32_t sequenced, sequence_count[PN_MAKESPAN_STAGE_COUNT];
    uint64_t proven, searched, evaluations;
    uint64_t unpolled; /* work since the host was last asked whether to stop */
    pn_makespan_prefix prefix;
};

static inline const pn_makespan_entry *pn_makespan_entries(const pn_makespan *sim)
{
    return (const pn_makespan_entry *)(const void *)((const unsigned char *)sim + sim->jobs);
}

/* Returns what jobs carry for policies: right before the memory of the policy. */
static inline pn_attributes pn_makespan_attributes_of(const pn_makespan *sim)
{
    return pn_attributes_before(sim, sim->policy_memory, sim->config.jobs_max,
                                sim->config.attributes);
}

static inline const pn_makespan_stage_entry *pn_makespan_stage_of(const pn_makespan *sim,
                                                                  uint32_t job, uint32_t stage)
{
    return &pn_makespan_entries(sim)[job].stage[stage];
}

static inline const pn_makespan_stretch_entry *pn_makespan_stretches(const pn_makespan *sim)
{
    return (const pn_makespan_stretch_entry *)(const void *)((const unsigned char *)sim +
                                                             sim->stretches);
}

/* Returns the stretches in the order in which their tasks start (MK18). */
static inline const pn_makespan_stretch_entry *
pn_makespan_tasks_in_order(const pn_makespan *sim, const pn_makespan_rules *rules)
{
    size_t table = rules->task_order == PN_MAKESPAN_LPT ? sim->longest_first : sim->stretches;
    return (const pn_makespan_stretch_entry *)(const void *)((const unsigned char *)sim + table);
}

/* Returns whether tasks are not those that were given: whole stages, or equal parts of them. */
static inline bool pn_makespan_timed(const pn_makespan *sim, const pn_makespan_rules *rules)
{
    return sim->config.level == PN_MAKESPAN_STAGES || rules->resplit > 0;
}

/* Adds to a sum of two words. */
static inline void pn_makespan_total_add(uint64_t total[2], uint64_t time)
{
    total[1] += time;
    total[0] += total[1] < time;
}

/* times.c */
pn_makespan_span pn_makespan_stage_span(const pn_makespan *sim, uint32_t job, uint32_t stage,
                                        uint32_t time, uint32_t slots);
/* Makes the durations on so many slots, computed unless they are at hand. PN_OK or
 * PN_ERR_OVERFLOW. */
int pn_makespan_timing_make(pn_makespan *sim, const pn_makespan_rules *rules,
                            const uint32_t slots[PN_MAKESPAN_STAGE_COUNT],
                            const pn_makespan_timing **timing);

/* evaluate.c */
int pn_makespan_score_order(pn_makespan_view *view, const uint32_t *jobs, uint32_t count,
                            const uint32_t slots[PN_MAKESPAN_STAGE_COUNT],
                            const pn_makespan_score *best, int total, pn_makespan_score *score);

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_makespan_read_config(pn_makespan_config *own, const pn_makespan_config *given);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_makespan_keep_config(pn_makespan_config *stored, const pn_makespan_config *config);

/* life.c: the layout of a block, with tasks sorted or not and so many bytes of a policy; its size,
 * 0 when that does not fit a size_t */
size_t pn_makespan_carve(const pn_makespan_config *config, bool sorts, size_t room,
                         pn_makespan *sim);
extern const char pn_makespan_magic[8];
/* times from 2^-64 to 2^64 units have cells of their own */
enum { PN_MAKESPAN_COMPLETION_OCTAVE = -64, PN_MAKESPAN_COMPLETION_OCTAVES = 128 };
/* Returns the bytes that its memory takes; SIZE_MAX: too much. */
size_t pn_makespan_policy_bytes(const pn_makespan_policy *policy, uint32_t jobs);
void pn_makespan_count_completion(pn_makespan *sim, uint32_t job, uint64_t time);

/* plan.c */
bool pn_makespan_policy_sane(const pn_makespan_policy *policy);
/* Returns the indices of the stage's stretches, the longest tasks first, ties as listed; valid
 * until the next call. */
const uint32_t *pn_makespan_longest_first(pn_makespan *sim, const pn_makespan_stage_entry *stage);
/* Reads the rules in force under a policy. */
pn_makespan_rules pn_makespan_rules_of(const pn_makespan *sim, const pn_makespan_policy *policy);

#endif
