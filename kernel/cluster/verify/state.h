/* The inside of the cluster model's checker, which shares no code with the engine:
 *
 * check.c      entries, and what order they keep to
 * attempts.c   entries of attempts
 * tasks.c      the checker's own books of tasks and attempts: when each has to end, what is lost
 * pending.c    its books of pending tasks
 * lengths.c    how long attempts take by the rules
 * claim.c      before the first entry: what the claim says, and room for all that */
#ifndef PN_CLUSTER_VERIFY_H
#define PN_CLUSTER_VERIFY_H

#include "pn_cluster.h"

#include "base/arena.h"
#include "base/config.h"

#define PN_CLUSTER_NOBODY    UINT32_MAX /* no task, no attempt */
#define PN_CLUSTER_NEVER_YET PN_SCHEDULER_NEVER

enum pn_cluster_check_state {
    PN_CLUSTER_CHECK_PENDING,
    PN_CLUSTER_CHECK_HELD, /* it has attempts, in slots or suspended */
    PN_CLUSTER_CHECK_DONE
};

/* What the log has told of one task. Tasks are numbered job after job, a job's maps before its
 * reduces: that is the order in which those end that end at one time (CL3). */
typedef struct pn_cluster_check_task {
    uint64_t blocks; /* of a map: entries of the job's `blocks` before its own */
    uint32_t job;
    uint32_t node;    /* done: where */
    uint32_t attempt; /* held: one of its attempts */
    uint32_t used;    /* numbers that its attempts have had so far, from 0 */
    uint32_t failures;
    uint32_t previous, next; /* of a map that is done: among those on its node */
    uint8_t state;           /* enum pn_cluster_check_state */
    uint8_t unused[3];
} pn_cluster_check_task;

/* An attempt in a slot or suspended; places come from a pool. */
typedef struct pn_cluster_check_attempt {
    uint64_t start;       /* its launch, later by the time for which it did not work since */
    uint64_t since;       /* suspended: since; else it works from then on */
    uint64_t suspensions; /* so far */
    uint64_t mark; /* of a reduce that is fed: when its shuffle ends; else PN_CLUSTER_NEVER_YET */
    uint32_t task, node;
    uint32_t number;
    uint32_t twin;           /* the other attempt of its task; PN_CLUSTER_NOBODY */
    uint32_t previous, next; /* among those of its job and kind; free places are linked by `next` */
    uint32_t place;          /* in the heap of ends, from 1; 0 = its end is open */
    uint32_t slot;           /* that it is in, where slots may save states */
    uint8_t suspended;
    uint8_t fed;   /* of a reduce: the job's maps were all done when it was last looked at */
    uint8_t fails; /* it will fail */
    uint8_t unused[5];
} pn_cluster_check_attempt;

typedef struct pn_cluster_check_slot {
    uint64_t saved; /* it saves a state until then (CL46) */
    uint64_t used;  /* 1: by an attempt */
} pn_cluster_check_slot;

enum pn_cluster_check_stage {
    PN_CLUSTER_CHECK_TO_COME,
    PN_CLUSTER_CHECK_IN_SYSTEM,
    PN_CLUSTER_CHECK_ENDED
};

/* What becomes of a job's outputs on a node that fails; a measured log may leave it open. */
enum pn_cluster_check_loss {
    PN_CLUSTER_CHECK_KEPT,
    PN_CLUSTER_CHECK_LOST,
    PN_CLUSTER_CHECK_EITHER
};

typedef struct pn_cluster_check_job {
    /* when it was accepted, and the deadline agreed on then, ms after that; 0 = none */
    uint64_t submit, deadline;
    uint64_t late;         /* number of the estimation that told it to be late */
    uint64_t map_finish;   /* F; PN_CLUSTER_NEVER_YET while maps are missing */
    uint64_t node_failure; /* number of the node failure that `loss` and `lost` are about */
    size_t first_word[2];
    size_t first_sorted;
    uint32_t first[2];         /* tasks */
    uint32_t done[2], held[2]; /* tasks */
    uint32_t in_slots[2];      /* attempts */
    uint32_t attempts[2];      /* the first of them */
    uint32_t lost;
    uint8_t stage;    /* enum pn_cluster_check_stage */
    uint8_t loss;     /* enum pn_cluster_check_loss */
    uint8_t promised; /* 1: it was given an estimate and has a deadline */
    uint8_t unused[5];
} pn_cluster_check_job;

typedef struct pn_cluster_check_node {
    uint64_t stamp;    /* of the last draw of replicas that named it */
    int32_t free[2];   /* below 0: attempts above its slots, which goes on until they end */
    uint32_t slots[2]; /* now */
    uint32_t most[2];  /* as configured */
    uint32_t first_slot[2];
    uint32_t suspended[2];
    uint32_t attempts;  /* in slots or suspended */
    uint32_t maps_done; /* the first of them; of jobs without reduces nobody asks */
    uint32_t speed;
    uint32_t up;
} pn_cluster_check_node;

typedef struct pn_cluster_check_end {
    uint64_t time;
    uint32_t attempt;
    uint32_t unused;
} pn_cluster_check_end;

/* A node fails or recovers, if it is up or down then. */
typedef struct pn_cluster_check_fate {
    uint64_t time;
    uint32_t node;
    uint32_t down;
} pn_cluster_check_fate;

/* What has to follow before anything else may. */
enum pn_cluster_check_owed {
    PN_CLUSTER_OWED_NOTHING,
    PN_CLUSTER_OWED_FINISH,
    PN_CLUSTER_OWED_FAILURE,
    PN_CLUSTER_OWED_REMOVAL, /* a host cancels the job */
    PN_CLUSTER_OWED_CANCEL,
    PN_CLUSTER_OWED_NODE_DOWN,
    PN_CLUSTER_OWED_ARRIVAL
};

/* CL3: the order of entries within an instant. Wake-ups leave no entry. */
enum pn_cluster_check_class {
    PN_CLUSTER_CLASS_NODE_UP,
    PN_CLUSTER_CLASS_NODE_DOWN,
    PN_CLUSTER_CLASS_END,
    PN_CLUSTER_CLASS_ARRIVAL,
    PN_CLUSTER_CLASS_TICK,
    PN_CLUSTER_CLASS_BEAT
};

struct pn_cluster_verifier {
    pn_cluster_claim claim;
    pn_cluster_config config; /* the claim's, as this version knows it */
    pn_cluster_check_job *job;
    pn_cluster_check_node *node;
    pn_cluster_check_task *task;
    pn_cluster_check_attempt *attempt;
    pn_cluster_check_slot *slot; /* of each node its map slots, then its reduce slots */
    uint32_t *sorted; /* nodes of each job's maps in order, valid while its map_finish is known */
    /* pending tasks: 64 to a word, and words that are not 0 the same way, up to one word */
    uint64_t *bits;
    pn_cluster_check_end *end; /* a heap with the soonest first; empty in a measured log */
    pn_cluster_check_fate *fate;
    size_t end_count, fate_count, fate_next;
    uint32_t node_count;
    uint32_t attempts;     /* places */
    uint32_t attempt_free; /* the first free one; PN_CLUSTER_NOBODY */
    uint32_t owed;         /* enum pn_cluster_check_owed */
    uint32_t owed_node;    /* that fails */
    uint32_t owed_down;    /* 1: the log has said that it is down */
    uint32_t replication;  /* nodes of an input that is drawn */
    uint32_t owed_attempt; /* that is cancelled, as the other one of its task has ended */
    uint32_t owed_winner;  /* node of that other one */
    size_t owed_job;       /* that finishes, fails or is cancelled */
    uint64_t owed_lost;    /* outputs lost with the node and not yet told */
    uint64_t node_failures, draws;
    uint64_t estimations;  /* that told jobs to be late */
    size_t arrived, ended; /* jobs */
    uint64_t time;         /* of the entries at hand */
    uint64_t entries;      /* at that time */
    uint32_t last;         /* kind of the last entry of that time; 0: none */
    uint32_t unused;
    uint64_t fold, digest;
    uint64_t last_finish;
    /* Of the instant at hand. */
    uint32_t class;              /* enum pn_cluster_check_class: of the last entry */
    uint32_t happened;           /* something but launches */
    uint32_t accepted;           /* kills may follow a job's arrival */
    uint32_t beat_node;          /* that was given tasks last; node_count: none */
    uint32_t beat_maps, reduced; /* what it was given */
    const char *fault;
    uint64_t fault_time, fault_id;
};

static inline int pn_cluster_check_reject(pn_cluster_verifier *v, const char *fault, uint64_t time,
                                          uint64_t id)
{
    v->fault = fault;
    v->fault_time = time;
    v->fault_id = id;
    return PN_ERR_REJECTED;
}

PN_CLAIMED(cluster, priority)

static inline const pn_cluster_job *pn_cluster_check_claim(const pn_cluster_verifier *v,
                                                           uint32_t job)
{
    return pn_cluster_claimed(&v->claim, job);
}

static inline uint32_t pn_cluster_check_count(const pn_cluster_verifier *v, uint32_t job,
                                              uint32_t kind)
{
    return kind == PN_SCHEDULER_MAP ? pn_cluster_claimed(&v->claim, job)->maps
                                    : pn_cluster_claimed(&v->claim, job)->reduces;
}

/* check.c */
/* Checks that the entry's class is in order within its instant, and nothing of the classes before
 * it is missing. */
int pn_cluster_check_enter(pn_cluster_verifier *v, const pn_scheduler_event *e,
                           enum pn_cluster_check_class class);

static inline uint64_t pn_cluster_check_later(uint64_t time, uint64_t by)
{
    return time > PN_CLUSTER_NEVER_YET - by ? PN_CLUSTER_NEVER_YET : time + by;
}

/* attempts.c: each looks at an entry, and books it when nothing is wrong. */
int pn_cluster_check_feed_launch(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t task);
int pn_cluster_check_feed_resume(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t attempt);
int pn_cluster_check_feed_suspend(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                  uint32_t attempt);
int pn_cluster_check_feed_end(pn_cluster_verifier *v, const pn_scheduler_event *e,
                              uint32_t attempt);
int pn_cluster_check_feed_cancel(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t attempt);
int pn_cluster_check_feed_fail(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt);
int pn_cluster_check_feed_drop(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt);
int pn_cluster_check_feed_kill(pn_cluster_verifier *v, const pn_scheduler_event *e,
                               uint32_t attempt);

/* Gives up an attempt that is over; the task is to be done again unless another one is there. */
void pn_cluster_check_give_up(pn_cluster_verifier *v, uint32_t attempt);

/* pending.c */
size_t pn_cluster_check_words(uint32_t count);
/* Puts the task, without attempts now, among those to be done; or no longer. */
void pn_cluster_check_pend(pn_cluster_verifier *v, uint32_t task);
void pn_cluster_check_unpend(pn_cluster_verifier *v, uint32_t task);
/* Returns the first pending task of a job that has one. */
uint32_t pn_cluster_check_first(const pn_cluster_verifier *v, uint32_t job, uint32_t kind);
/* Returns, of the first few pending maps of a job that has one, the first whose input is on the
 * node; PN_CLUSTER_NOBODY when there is none. */
uint32_t pn_cluster_check_first_local(pn_cluster_verifier *v, uint32_t job, uint32_t node);

/* lengths.c */
uint32_t pn_cluster_check_kind(const pn_cluster_verifier *v, uint32_t task);
/* Returns whether the node holds a replica of the map's input. O(replicas of the map). */
bool pn_cluster_check_local(pn_cluster_verifier *v, uint32_t task, uint32_t node);
bool pn_cluster_check_will_fail(const pn_cluster_verifier *v, uint32_t attempt);
/* Returns the length of a map, from its launch to its end; of a reduce, from the end of its
 * shuffle, and that shuffle itself when so many of the outputs are on its node. */
uint64_t pn_cluster_check_map_ms(pn_cluster_verifier *v, uint32_t attempt);
uint64_t pn_cluster_check_reduce_ms(const pn_cluster_verifier *v, uint32_t attempt);
uint64_t pn_cluster_check_shuffle_ms(const pn_cluster_verifier *v, uint32_t attempt, uint32_t here);
/* Returns, by CL44, for how long a suspended attempt restores its state, and, by CL46, for how long
 * its slot saves it. */
uint64_t pn_cluster_check_restore_ms(const pn_cluster_verifier *v, uint32_t attempt);
uint64_t pn_cluster_check_save_ms(const pn_cluster_verifier *v, uint32_t attempt);

/* Returns whether slots may save states; the checker knows the slots only then. */
static inline bool pn_cluster_check_saves(const pn_cluster_verifier *v)
{
    return !v->claim.measured && (v->config.save_ms > 0 || v->config.save_permille > 0);
}

/* tasks.c */
/* Returns the attempt of this number of the task on the node; PN_CLUSTER_NOBODY when there is
 * none. */
uint32_t pn_cluster_check_attempt_of(const pn_cluster_verifier *v, uint32_t task, uint32_t node,
                                     uint32_t number);
/* Returns, of the job's suspended attempts of a kind on the node, the one with the lowest task;
 * PN_CLUSTER_NOBODY when there is none. O(1) where the node has none, else O(attempts of the job).
 * / */
uint32_t pn_cluster_check_suspended_on(const pn_cluster_verifier *v, uint32_t job, uint32_t kind,
                                       uint32_t node);
/* Enters an attempt that begins: the first of a pending task, or the second of one with one. O(log
 * attempts), and O(slots of the node) where they may save states. */
void pn_cluster_check_launch(pn_cluster_verifier *v, uint32_t task, uint32_t node);
void pn_cluster_check_suspend(pn_cluster_verifier *v, uint32_t attempt);
void pn_cluster_check_resume(pn_cluster_verifier *v, uint32_t attempt);
/* Takes out an attempt that is over, whatever its end. O(log attempts). */
void pn_cluster_check_stop(pn_cluster_verifier *v, uint32_t attempt);
/* Marks the task, without attempts now, as done on that node. */
void pn_cluster_check_done(pn_cluster_verifier *v, uint32_t task, uint32_t node);
/* Puts a map that was done among those to be done again. */
void pn_cluster_check_rerun(pn_cluster_verifier *v, uint32_t task);
/* Finds out which outputs are lost with the node; nothing runs there any more. */
void pn_cluster_check_node_down(pn_cluster_verifier *v);
/* Forgets what the slots of a node that has failed were saving. O(slots of the node). */
void pn_cluster_check_forget_savings(pn_cluster_verifier *v, uint32_t node);
/* Forgets a job that is over: its maps are not needed any more. O(maps). */
void pn_cluster_check_forget(pn_cluster_verifier *v, uint32_t job);

#endif
