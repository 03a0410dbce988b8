/* The inside of the cluster model's checker, which shares no code with the engine:
 *
 * check.c      entries, and what order they keep to
 * attempts.c   … those of attempts
 * tasks.c      the checker's own books: which tasks are pending, how long each attempt takes, what
 *              is lost
 * claim.c      before the first entry: what the claim says, and room for all that */
#ifndef PN_CLUSTER_VERIFY_H
#define PN_CLUSTER_VERIFY_H

#include "pn_cluster.h"

#include "base/arena.h"
#include "base/config.h"

#define PN_CLUSTER_NOBODY    UINT32_MAX /* no task */
#define PN_CLUSTER_NEVER_YET PN_SCHEDULER_NEVER

enum pn_cluster_check_state {
    PN_CLUSTER_CHECK_PENDING,
    PN_CLUSTER_CHECK_RUNNING,
    PN_CLUSTER_CHECK_DONE
};

/* What the log has told of one task. Tasks are numbered job after job, a job's maps before its
 * reduces: that is the order in which those end that end at one time (CL3). */
typedef struct pn_cluster_check_task {
    uint64_t start; /* of the attempt that runs */
    /* a map: entries of the job's `blocks` before its own. A reduce that is fed: when its shuffle
     * ends */
    uint64_t mark;
    uint32_t job, node;
    uint32_t attempt, failures;
    uint32_t previous, next; /* among the maps done on a node, or the job's reduces that run */
    uint32_t place;          /* in the heap of ends, from 1; 0 = its end is open */
    uint8_t state;           /* enum pn_cluster_check_state */
    uint8_t fed;             /* a reduce that runs: the job's maps were all done since its start */
    uint8_t fails;           /* the attempt that runs will fail */
    uint8_t unused;
} pn_cluster_check_task;

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
    uint32_t first[2]; /* tasks */
    uint32_t done[2], running[2];
    uint32_t reduces_running; /* the first of them */
    uint32_t lost;
    uint8_t stage;    /* enum pn_cluster_check_stage */
    uint8_t loss;     /* enum pn_cluster_check_loss */
    uint8_t promised; /* 1: it was given an estimate and has a deadline */
    uint8_t unused[5];
} pn_cluster_check_job;

typedef struct pn_cluster_check_node {
    uint64_t stamp; /* of the last draw of replicas that named it */
    uint32_t free[2];
    uint32_t running;
    uint32_t maps_done; /* the first of them; of jobs without reduces nobody asks */
    uint32_t speed;
    uint32_t up;
} pn_cluster_check_node;

typedef struct pn_cluster_check_end {
    uint64_t time;
    uint32_t task;
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
    uint32_t *sorted; /* nodes of each job's maps in order, valid while its map_finish is known */
    /* pending tasks: 64 to a word, and words that are not 0 the same way, up to one word */
    uint64_t *bits;
    pn_cluster_check_end *end; /* a heap with the soonest first; empty in a measured log */
    pn_cluster_check_fate *fate;
    size_t end_count, fate_count, fate_next;
    uint32_t node_count;
    uint32_t owed;      /* enum pn_cluster_check_owed */
    uint32_t owed_node; /* that fails */
    uint32_t owed_down; /* 1: the log has said that it is down */
    uint32_t owed_judged;
    uint32_t replication; /* nodes of an input that is drawn */
    size_t owed_job;      /* that finishes or fails */
    uint64_t owed_lost;   /* outputs lost with the node and not yet told */
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

static inline const pn_cluster_job *pn_cluster_check_claim(const pn_cluster_verifier *v,
                                                           uint32_t job)
{
    return &v->claim.jobs[job];
}

static inline uint32_t pn_cluster_check_count(const pn_cluster_verifier *v, uint32_t job,
                                              uint32_t kind)
{
    return kind == PN_SCHEDULER_MAP ? v->claim.jobs[job].maps : v->claim.jobs[job].reduces;
}

/* check.c */
/* That the entry's class is in order within its instant, and nothing of the classes before it is
 * missing. */
int pn_cluster_check_enter(pn_cluster_verifier *v, const pn_scheduler_event *e,
                           enum pn_cluster_check_class class);

/* attempts.c: each looks at an entry, and books it when nothing is wrong. */
int pn_cluster_check_feed_launch(pn_cluster_verifier *v, const pn_scheduler_event *e,
                                 uint32_t task);
int pn_cluster_check_feed_end(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task);
int pn_cluster_check_feed_fail(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task);
int pn_cluster_check_feed_drop(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task);
int pn_cluster_check_feed_kill(pn_cluster_verifier *v, const pn_scheduler_event *e, uint32_t task);

/* tasks.c */
size_t pn_cluster_check_words(uint32_t count);
void pn_cluster_check_pend(pn_cluster_verifier *v, uint32_t task);
/* The first pending task of a job; PN_CLUSTER_NOBODY when there is none. */
uint32_t pn_cluster_check_first(const pn_cluster_verifier *v, uint32_t job, uint32_t kind);
uint32_t pn_cluster_check_kind(const pn_cluster_verifier *v, uint32_t task);
/* Whether the node holds a replica of the map's input. O(replicas of the map). */
bool pn_cluster_check_local(pn_cluster_verifier *v, uint32_t task, uint32_t node);
/* Of the first few pending maps of a job the first whose input is on the node; PN_CLUSTER_NOBODY
 * when there is none. */
uint32_t pn_cluster_check_first_local(pn_cluster_verifier *v, uint32_t job, uint32_t node);
void pn_cluster_check_launch(pn_cluster_verifier *v, uint32_t task, uint32_t node);
/* The attempt ends, whatever its end: its slot is free. O(log attempts). */
void pn_cluster_check_stop(pn_cluster_verifier *v, uint32_t task);
/* After the end of its attempt: the task is done; or to be done again. */
void pn_cluster_check_done(pn_cluster_verifier *v, uint32_t task);
void pn_cluster_check_again(pn_cluster_verifier *v, uint32_t task);
/* A map that was done has to be done again. */
void pn_cluster_check_rerun(pn_cluster_verifier *v, uint32_t task);
/* Finds out which outputs are lost with the node; nothing runs there any more. */
void pn_cluster_check_node_down(pn_cluster_verifier *v);
/* The job is over: its maps are not needed any more. O(maps). */
void pn_cluster_check_forget(pn_cluster_verifier *v, uint32_t job);

#endif
