/* What a dispatch core holds in its block, and the view of it that lives on the stack during a
 * call.
 *
 * The block starts with struct pn_dispatch; everything else is found by offsets stored there. A
 * call from outside builds a view (pointers into this very block), works, and leaves no pointer
 * behind. Links between entries of a table are place + 1, 0 is none.
 *
 * Who is first (DG9) is found without looking at those who wait:
 *
 *   lane     a queue, where the policy orders queues; else all jobs are in lane 0
 *   class    the stages in the system with the same demand (and, by queue, in the same queue)
 *   bundle   the offered stages of one job in a class, in the order of DG11
 *
 * A lane has a tree of its classes by their first bundle and by the first stage of this, a class a
 * tree of its bundles by the keys of their jobs, a bundle a tree of its stages. So the first stage
 * of the first bundle of the first class comes first of all: classes that the same job is first in
 * are beside one another, in the order of its stages.
 *
 * A class whose demand has room on no node, or is over its queue's maximum, is aside until a node,
 * or its queue, has more room than before. Its lane's tree tells those that are active from those
 * aside by what they offer, and finds the next one aside by its demand of the first resource. So
 * stages that do not fit cost nothing until then, however many wait; and of those that fit then,
 * only the first one comes back, and when it has been served the next. */
#ifndef PN_DISPATCH_STATE_H
#define PN_DISPATCH_STATE_H

#include "check.h"
#include "base/heap.h"
#include "base/paths.h"
#include "base/tree.h"
#include "base/wide.h"
#include "fleet/fleet.h"
#include "pn_dispatch.h"

/* No place in a table. */
#define PN_DISPATCH_NONE UINT32_MAX

/* Parts of a whole cluster in DG8 and DG24, and in the shares of DG16. */
enum { PN_DISPATCH_PPB = 1000000000 };
#define PN_DISPATCH_SHARES ((uint64_t)1000000000000)
/* Estimated work of a job stays below this, ppb ms. */
#define PN_DISPATCH_WORK_END ((uint64_t)1 << 62)

/* So many nodes that have more room than before are known by their numbers. */
enum { PN_DISPATCH_GROWN_MOST = 8 };

/* Nodes of the room tree have so many children; 8^7 is more than there are nodes. */
enum { PN_DISPATCH_ROOM_ARITY = 8, PN_DISPATCH_ROOM_LEVELS = 8 };

typedef struct pn_dispatch_stage_entry {
    PN_WORD_ALIGN uint64_t number; /* its job's id, 0 = the place is free */
    uint64_t estimate, depth;
    pn_dispatch_times times;
    pn_tree_state returned; /* tasks to run again, as places of attempts, by index */
    uint32_t job, index, tasks;
    uint32_t fresh; /* tasks below this have been launched */
    uint32_t running, done;
    uint32_t parents_left; /* parents that are not finished */
    uint32_t first_edge;   /* to the stages that wait for it */
    uint32_t next;         /* the next one of its job by index; free places are linked by it */
    uint32_t lower;        /* the next one of its job by depth */
    uint32_t class;
    uint32_t bundle; /* + 1; 0 = it is not offered */
} pn_dispatch_stage_entry;

PN_WHOLE_WORDS(pn_dispatch_stage_entry, number);
enum { PN_DISPATCH_STAGE_WORDS = sizeof(pn_dispatch_stage_entry) / sizeof(uint64_t) };

typedef struct pn_dispatch_edge {
    uint32_t child; /* a stage that waits */
    uint32_t next;
} pn_dispatch_edge;

typedef struct pn_dispatch_bundle {
    PN_WORD_ALIGN uint64_t id; /* of the job; 0 = the place is free */
    pn_tree_state stages;
    uint32_t job, class;
    uint32_t before, after; /* those of its job; free places are linked by `after` */
} pn_dispatch_bundle;

PN_WHOLE_WORDS(pn_dispatch_bundle, id);
enum { PN_DISPATCH_BUNDLE_WORDS = sizeof(pn_dispatch_bundle) / sizeof(uint64_t) };

enum pn_dispatch_aside {
    PN_DISPATCH_ACTIVE = 0,
    PN_DISPATCH_NO_ROOM = 1,
    PN_DISPATCH_OVER_MAXIMUM = 2
};

/* The id of a job and what orders one of its stages among the others. */
enum { PN_DISPATCH_HEAD_WORDS = 3 };

typedef struct pn_dispatch_class {
    /* of the job and its stage that are first in it, as its lane knows them */
    PN_WORD_ALIGN uint64_t head[PN_DISPATCH_HEAD_WORDS];
    uint64_t demand[PN_DISPATCH_RESOURCES_MAX];
    uint64_t sigma, omega; /* DG8 */
    pn_wide left;          /* with packs: sum of p over its offered stages */
    uint64_t aligned;      /* scratch of the same: with the node at hand */
    pn_tree_state bundles;
    uint32_t stages;  /* in the system; 0 = the place is free */
    uint32_t offered; /* of these */
    uint32_t queue;   /* where the policy orders queues; else 0 */
    uint32_t next;    /* with the same hash, or free */
    uint32_t aside;   /* enum pn_dispatch_aside */
    uint32_t unused;
} pn_dispatch_class;

/* What a class offers to the tree of its lane: an active one the most, one over its queue's maximum
 * the least, and one that waits for a node its demand of the first resource between them. */
#define PN_DISPATCH_OFFER_ACTIVE UINT64_MAX
#define PN_DISPATCH_OFFER_OVER   1
static inline uint64_t pn_dispatch_offer_of(uint64_t demand)
{
    return demand + PN_DISPATCH_OFFER_OVER + 1;
}

static inline uint64_t pn_dispatch_class_offer(const pn_dispatch_class *class)
{
    return class->aside == PN_DISPATCH_ACTIVE    ? PN_DISPATCH_OFFER_ACTIVE
           : class->aside == PN_DISPATCH_NO_ROOM ? pn_dispatch_offer_of(class->demand[0])
                                                 : PN_DISPATCH_OFFER_OVER;
}

PN_WHOLE_WORDS(pn_dispatch_class, head);
enum { PN_DISPATCH_CLASS_WORDS = sizeof(pn_dispatch_class) / sizeof(uint64_t) };

typedef struct pn_dispatch_lane {
    PN_WORD_ALIGN uint64_t number; /* of the queue */
    uint64_t use[PN_DISPATCH_RESOURCES_MAX];
    uint64_t supposed[PN_DISPATCH_RESOURCES_MAX]; /* what attempts supposed to be killed hold */
    pn_tree_state classes;                        /* with offered stages */
    pn_dispatch_queue_totals totals;
    uint32_t weight, guaranteed, maximum, running;
    uint32_t place;    /* in the heap of lanes */
    uint32_t relieved; /* 1: classes over its maximum may have room again; with limits */
} pn_dispatch_lane;

PN_WHOLE_WORDS(pn_dispatch_lane, number);
enum {
    PN_DISPATCH_LANE_WORDS = sizeof(pn_dispatch_lane) / sizeof(uint64_t),
    PN_DISPATCH_LANE_PLACES = sizeof(pn_dispatch_lane) / sizeof(uint32_t)
};

typedef struct pn_dispatch_entry {
    PN_WORD_ALIGN uint64_t id; /* 0 = the place is free */
    uint64_t tag, arrival, deadline, first_start, kills, lost;
    uint64_t work, left, left_area; /* W, left_W, left_P of DG8 */
    uint64_t later;                 /* tasks of stages that are not ready */
    uint64_t use[PN_DISPATCH_RESOURCES_MAX];
    /* attained service is base + rate * now, modulo 2^128 (DG25) */
    pn_wide base;
    uint64_t rate;
    pn_wide tag_virtual; /* F of DG24 */
    pn_key key;          /* as last computed */
    uint32_t weight, queue, group;
    int32_t priority;
    uint32_t stages, stages_left, running;
    uint32_t first_stage; /* by index */
    uint32_t highest;     /* the deepest stage that is not finished */
    uint32_t first_bundle;
    uint32_t before, after; /* jobs in order of submission; free places are linked by `after` */
    uint32_t run_before, run_after; /* jobs with running tasks */
    uint32_t executors;             /* that belong to it */
    uint32_t unused;
} pn_dispatch_entry;

PN_WHOLE_WORDS(pn_dispatch_entry, id);
enum { PN_DISPATCH_ENTRY_WORDS = sizeof(pn_dispatch_entry) / sizeof(uint64_t) };

enum pn_dispatch_attempt_state {
    PN_DISPATCH_IDLE = 0,
    PN_DISPATCH_RUNNING = 1,
    PN_DISPATCH_RETURNED = 2 /* its task waits to run again */
};

typedef struct pn_dispatch_attempt {
    /* of the attempt here, or of the last one: launches here * places + this place */
    PN_WORD_ALIGN uint64_t token;
    uint64_t start;
    uint32_t stage, task, attempt, node;
    uint32_t before, after; /* those on its node; free places are linked by `after` */
    uint32_t state;         /* enum pn_dispatch_attempt_state */
    uint32_t supposed;      /* the next one that is supposed to be killed, + 1 */
} pn_dispatch_attempt;

PN_WHOLE_WORDS(pn_dispatch_attempt, token);
enum { PN_DISPATCH_ATTEMPT_WORDS = sizeof(pn_dispatch_attempt) / sizeof(uint64_t) };

typedef struct pn_dispatch_node {
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX]; /* now */
    uint64_t most[PN_DISPATCH_RESOURCES_MAX];     /* as configured */
    uint64_t used[PN_DISPATCH_RESOURCES_MAX];     /* may be above its capacity (DG31) */
    uint32_t speed;                               /* permille; only policies look at it */
    uint32_t up;
    uint32_t first_attempt; /* latest start first, then higher job, stage, task; but */
    uint32_t mixed;         /* from the first one to this one, if any, latest launch first */
} pn_dispatch_node;

/* To which job a node belongs as an executor (DG35): to none when the id is 0, or when the job with
 * this id has left. */
typedef struct pn_dispatch_executor {
    uint64_t id;
    uint32_t job;
    uint32_t stage; /* whose task it ran last for the job, + 1; 0 = it ran none */
} pn_dispatch_executor;

/* Nodes with equal free vectors. */
typedef struct pn_dispatch_spot {
    uint64_t room[PN_DISPATCH_RESOURCES_MAX];
    pn_tree_state nodes; /* no nodes: the place is free */
    uint32_t next;       /* with the same hash, or free */
    uint32_t place;      /* in the list of spots */
} pn_dispatch_spot;

/* So many nodes alike, as configured. */
typedef struct pn_dispatch_kind {
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
} pn_dispatch_kind;

/* A job in the virtual cluster (DG24). */
typedef struct pn_dispatch_shade {
    PN_WORD_ALIGN uint64_t id; /* of the job; 0 = the place is free */
    uint32_t weight;
    uint32_t next; /* free places */
} pn_dispatch_shade;

PN_WHOLE_WORDS(pn_dispatch_shade, id);
enum { PN_DISPATCH_SHADE_WORDS = sizeof(pn_dispatch_shade) / sizeof(uint64_t) };

typedef struct pn_dispatch_virtual {
    pn_wide level;   /* V */
    uint64_t time;   /* vt */
    uint64_t weight; /* S */
    pn_heap_state order;
    pn_places places;
} pn_dispatch_virtual;

/* The functions that a policy may have: their bits in the form. */
enum {
    PN_DISPATCH_HAS_KEY,
    PN_DISPATCH_HAS_QUEUE_KEY,
    PN_DISPATCH_HAS_INIT,
    PN_DISPATCH_HAS_ARRIVE,
    PN_DISPATCH_HAS_LEAVE,
    PN_DISPATCH_HAS_SCORE,
    PN_DISPATCH_HAS_ALIGN,
    PN_DISPATCH_HAS_PREEMPT,
    PN_DISPATCH_FUNCTIONS
};

/* The words of a policy's shape: what the block depends on in its table, beside its parameters. */
typedef struct pn_dispatch_form {
    pn_dispatch_order order;
    uint64_t functions; /* a bit for each that the policy has */
    uint64_t memory;    /* a hash of the sizes of the policy's own memory */
} pn_dispatch_form;

_Static_assert(sizeof(pn_dispatch_form) == PN_SHAPE_WORDS * sizeof(uint64_t), "no padding");

/* What a policy's function may do just now. */
enum pn_dispatch_phase {
    PN_DISPATCH_PHASE_OTHER = 0,
    PN_DISPATCH_PHASE_INIT,
    PN_DISPATCH_PHASE_PREEMPT
};

struct pn_dispatch {
    pn_block_head head;
    /* as configured, with what is derived from it where 0 was given; without pointers */
    pn_dispatch_config config;
    uint32_t nodes_count, queues_count;
    uint32_t kinds_count; /* entries of nodes */
    uint32_t virtual_run; /* 1: there is memory for a virtual run */
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX], largest[PN_DISPATCH_RESOURCES_MAX];

    pn_fleet fleet;

    /* the bound policy */
    pn_dispatch_order order;
    uint32_t exchange; /* permille, with packs */

    /* tables, as offsets */
    size_t nodes, kinds, room, queues, lane_entries, jobs, stages, stage_nodes, edges, bundles,
        bundle_nodes, classes, class_nodes, buckets, attempts, attempt_nodes, shades, shade_entries,
        notes, times, sorted, spots, spot_nodes, node_spots, spot_buckets, spot_list, executors;
    uint32_t buckets_count, spot_buckets_count; /* powers of two */
    uint32_t room_levels;                       /* the nodes themselves are level 0 */
    uint32_t room_start[PN_DISPATCH_ROOM_LEVELS], room_count[PN_DISPATCH_ROOM_LEVELS];

    pn_heap_state lanes;
    pn_dispatch_virtual virtual;

    pn_places stage_places, edge_places, bundle_places, class_places, spot_places;
    uint32_t first_running;
    uint32_t spots_count; /* in use */
    uint32_t stirred;     /* 1: something happened since the last tick */
    /* nodes that have more room, for which classes aside have not come back yet; more than
     * PN_DISPATCH_GROWN_MOST: any nodes */
    uint32_t grown_count;
    uint32_t grown[PN_DISPATCH_GROWN_MOST];
    uint32_t holding;                           /* jobs with running tasks */
    uint64_t in_use[PN_DISPATCH_RESOURCES_MAX]; /* what all running tasks hold */
    uint64_t offered;                           /* stages that are offered */

    pn_dispatch_totals totals;
};

struct pn_dispatch_view {
    pn_dispatch *s;
    const pn_dispatch_hooks *hooks;
    const pn_dispatch_policy *policy;
    pn_dispatch_node *nodes;
    uint64_t *room;
    pn_dispatch_lane *queues;
    pn_dispatch_entry *jobs;
    pn_dispatch_stage_entry *stages;
    pn_dispatch_edge *edges;
    pn_dispatch_bundle *bundles;
    pn_dispatch_class *classes;
    uint32_t *buckets;
    pn_dispatch_spot *spots; /* null where placement is PN_DISPATCH_FIRST */
    uint32_t *node_spots, *spot_buckets, *spot_list;
    pn_dispatch_executor *executors; /* null where nodes are none */
    pn_dispatch_attempt *attempts;
    pn_tree_node *stage_nodes, *bundle_nodes, *class_nodes, *attempt_nodes, *spot_nodes;
    pn_heap lanes;
    uint64_t now;
    uint32_t phase;   /* enum pn_dispatch_phase */
    uint32_t wanting; /* jobs that want an executor, while one moves; else 0 */
    /* attempts that are supposed to be killed, the first and the last, + 1 */
    uint32_t supposed_first, supposed_last;
};

/* Returns what jobs carry for policies: right before the memory of the policy. */
static inline pn_attributes pn_dispatch_attributes_of(const pn_dispatch *s)
{
    return pn_attributes_before(s, s->fleet.policy_state, s->config.jobs_max, s->config.attributes);
}

/* Returns the trees, each a set of one table's entries. */
static inline pn_tree pn_dispatch_stages_of(const pn_dispatch_view *view, uint32_t bundle)
{
    return (pn_tree){&view->bundles[bundle].stages, view->stage_nodes, &view->stages[0].number,
                     PN_DISPATCH_STAGE_WORDS, 0};
}

static inline pn_tree pn_dispatch_bundles_of(const pn_dispatch_view *view, uint32_t class)
{
    return (pn_tree){&view->classes[class].bundles, view->bundle_nodes, &view->bundles[0].id,
                     PN_DISPATCH_BUNDLE_WORDS, 0};
}

static inline pn_tree pn_dispatch_classes_of(const pn_dispatch_view *view, uint32_t lane)
{
    return (pn_tree){&view->queues[lane].classes, view->class_nodes, view->classes[0].head,
                     PN_DISPATCH_CLASS_WORDS, PN_DISPATCH_HEAD_WORDS - 1};
}

/* Returns whether a class of the lane is active. */
static inline bool pn_dispatch_lane_waits(const pn_dispatch_view *view, uint32_t lane)
{
    uint32_t root = view->queues[lane].classes.root;
    return root != 0 && view->class_nodes[root - 1].most == PN_DISPATCH_OFFER_ACTIVE;
}

/* Returns the first active class of a lane behind one, or PN_TREE_NONE: of all. */
static inline uint32_t pn_dispatch_next_active(const pn_dispatch_view *view, uint32_t lane,
                                               uint32_t after)
{
    pn_tree classes = pn_dispatch_classes_of(view, lane);
    return pn_tree_next_at_least(&classes, after, PN_DISPATCH_OFFER_ACTIVE);
}

static inline pn_tree pn_dispatch_returned_of(const pn_dispatch_view *view, uint32_t stage)
{
    return (pn_tree){&view->stages[stage].returned, view->attempt_nodes, &view->attempts[0].token,
                     PN_DISPATCH_ATTEMPT_WORDS, 0};
}

/* Returns the trees of nodes, which have no ids of their own: any words do, as their keys are all
 * different. */
static inline pn_tree pn_dispatch_nodes_of(const pn_dispatch_view *view, uint32_t spot)
{
    return (pn_tree){&view->spots[spot].nodes, view->spot_nodes, &view->nodes[0].capacity[0],
                     sizeof(pn_dispatch_node) / sizeof(uint64_t), 0};
}

/* Returns what orders the jobs of a queue, where the policy orders queues, before their ids
 * (DG32). */
static inline uint64_t pn_dispatch_precedence(const pn_dispatch_entry *job)
{
    return (uint64_t)(PN_DISPATCH_PRIORITY_MOST - job->priority);
}

static inline uint32_t pn_dispatch_pending_of(const pn_dispatch_stage_entry *stage)
{
    return stage->tasks - stage->fresh + stage->returned.count;
}

static inline bool pn_dispatch_stage_ready(const pn_dispatch_stage_entry *stage)
{
    return stage->parents_left == 0;
}

/* Returns whether executors stay with their jobs (DG35). */
static inline bool pn_dispatch_sticky(const pn_dispatch *s)
{
    return s->config.executors == PN_DISPATCH_EXECUTORS_STICKY;
}

/* Returns whether another task of the job may run (DG33). */
static inline bool pn_dispatch_may_run(const pn_dispatch *s, const pn_dispatch_entry *job)
{
    return s->config.running_most == 0 || job->running < s->config.running_most;
}

/* Reads a host's configuration over the defaults. Returns what is wrong with it, or null. */
const char *pn_dispatch_read_config(pn_dispatch_config *own, const pn_dispatch_config *given);
/* Returns what is wrong with numbers that can be checked without the nodes, or null. */
const char *pn_dispatch_numbers_fault(const pn_dispatch_config *config);
/* Copies to zeros what a block keeps: no pointers, no padding, and what the kernel chooses where 0
 * is given. */
void pn_dispatch_keep_config(pn_dispatch_config *stored, const pn_dispatch_config *config);
/* Counts nodes and their capacity of each resource. Returns false when an entry is out of range. */
bool pn_dispatch_count_nodes(const pn_dispatch_config *config, uint32_t *count, uint64_t *capacity);
/* Returns the maximum of a queue in permille, which is all unless it is given. */
uint32_t pn_dispatch_maximum_of(const pn_dispatch_queue *queue);

/* life.c: the tables of a block whose numbers are noted, for a policy's own of so many bytes; the
 * size, 0 when that does not fit a size_t */
size_t pn_dispatch_carve(pn_dispatch *s, size_t policy_bytes);
extern const char pn_dispatch_magic[8];
void pn_dispatch_view_build(pn_dispatch_view *view, const pn_dispatch *core,
                            const pn_dispatch_hooks *hooks);
size_t pn_dispatch_policy_bytes(const pn_dispatch_policy *policy, uint32_t jobs_max);
bool pn_dispatch_policy_sane(const pn_dispatch_policy *policy);
bool pn_dispatch_order_sane(const pn_dispatch_order *order, const pn_dispatch_policy *policy);

/* room.c: what is free on nodes, and where a demand has room */
uint64_t *pn_dispatch_free_of(const pn_dispatch_view *view, uint32_t node);
bool pn_dispatch_fits(const pn_dispatch_view *view, const uint64_t *demand, uint32_t node);
/* Notes that its capacity, what is used of it, or whether it is up has changed. */
void pn_dispatch_room_changed(const pn_dispatch_view *view, uint32_t node);
/* Returns the first node >= from with room; PN_DISPATCH_NONE. */
uint32_t pn_dispatch_next_room(const pn_dispatch_view *view, const uint64_t *demand, uint32_t from);
uint32_t pn_dispatch_place(const pn_dispatch_view *view, uint32_t stage);

/* spots.c: nodes with equal free vectors */
uint32_t pn_dispatch_spot_find(const pn_dispatch_view *view, const uint64_t *room);
void pn_dispatch_spot_changed(const pn_dispatch_view *view, uint32_t node);
uint32_t pn_dispatch_spot_place(const pn_dispatch_view *view, const uint64_t *demand);

/* graph.c: what is asked of a job before it is stored */
const char *pn_dispatch_graph_fault(pn_dispatch *s, const pn_dispatch_job *job, uint32_t *stage);
uint64_t pn_dispatch_edges_of(const pn_dispatch_job *job);
bool pn_dispatch_paths(const pn_dispatch_job *job, pn_paths_note *notes);
void pn_dispatch_rates(const pn_dispatch *s, const uint64_t *demand, uint64_t *sigma,
                       uint64_t *omega);

/* classes.c: who is first */
uint32_t pn_dispatch_class_find(const pn_dispatch_view *view, const uint64_t *demand,
                                uint32_t queue);
bool pn_dispatch_class_take(const pn_dispatch_view *view, const uint64_t *demand, uint32_t queue);
void pn_dispatch_class_drop(const pn_dispatch_view *view, uint32_t class);
void pn_dispatch_offer(const pn_dispatch_view *view, uint32_t stage);
void pn_dispatch_withdraw(const pn_dispatch_view *view, uint32_t stage);
void pn_dispatch_reorder_stage(const pn_dispatch_view *view, uint32_t stage);
void pn_dispatch_fix_key(const pn_dispatch_view *view, uint32_t job);
void pn_dispatch_rekey(const pn_dispatch_view *view, uint32_t job);
void pn_dispatch_rekey_queue(const pn_dispatch_view *view, uint32_t queue);
/* Sets a class aside, which has offers, or activates it: enum pn_dispatch_aside. */
void pn_dispatch_set_aside(const pn_dispatch_view *view, uint32_t class, uint32_t reason);
/* Notes that a node has more room than before, and so has a queue or PN_DISPATCH_NONE. */
void pn_dispatch_more_room(const pn_dispatch_view *view, uint32_t node, uint32_t queue);
/* Brings back, of the classes aside that have room since then, the first of each lane unless an
 * active one precedes it: those behind it can wait. Where that takes too many looks at others, all
 * come back once. */
void pn_dispatch_revive_firsts(const pn_dispatch_view *view);
/* Brings back all of them. O(classes aside). */
void pn_dispatch_revive(const pn_dispatch_view *view);
uint32_t pn_dispatch_first_pair(const pn_dispatch_view *view);
/* Returns the first stage that the job offers; PN_DISPATCH_NO_STAGE. O(its bundles). */
uint32_t pn_dispatch_first_of_job(const pn_dispatch_view *view, uint32_t job);
/* Computes the key of a job that may have nothing to offer. */
pn_key pn_dispatch_key_now(const pn_dispatch_view *view, uint32_t job);
/* Returns the first offered stage of a queue, also of classes that are aside. */
uint32_t pn_dispatch_first_of_queue(const pn_dispatch_view *view, uint32_t queue);
/* Returns the head of the class that the bundle is first in. */
void pn_dispatch_head_of(const pn_dispatch_view *view, uint32_t bundle,
                         uint64_t head[PN_DISPATCH_HEAD_WORDS]);
/* Returns whether one offered stage of a job precedes another one of the same job (DG11). */
bool pn_dispatch_stage_before(const pn_dispatch_view *view, uint32_t a, uint32_t b);
bool pn_dispatch_within_maximum(const pn_dispatch_view *view, uint32_t class);

/* attempts.c */
void pn_dispatch_attempt_free(const pn_dispatch_view *view, uint32_t place);
void pn_dispatch_start(pn_dispatch_view *view, uint32_t stage, uint32_t node);
/* Launches the next task of a stage in a run of at most *most launches. Returns PN_OK, PN_ERR_FULL,
 * or PN_PAUSED if there were so many. */
int pn_dispatch_give(pn_dispatch_view *view, uint32_t stage, uint32_t node, uint64_t *most);
/* Ends the attempt with this event; what the end of its stage and job follow from it. */
void pn_dispatch_end(pn_dispatch_view *view, uint32_t place, uint32_t event);
void pn_dispatch_order_attempts(const pn_dispatch_view *view, uint32_t node);
pn_dispatch_task pn_dispatch_task_of(const pn_dispatch_view *view, uint32_t place);
/* Returns the place of the running attempt with this token; PN_DISPATCH_NO_ATTEMPT */
uint32_t pn_dispatch_attempt_of(const pn_dispatch *s, uint64_t token);

/* jobs.c: jobs come and leave */
void pn_dispatch_stage_opens(pn_dispatch_view *view, uint32_t stage);
void pn_dispatch_stage_closes(pn_dispatch_view *view, uint32_t stage);
void pn_dispatch_leave(pn_dispatch_view *view, uint32_t job, uint32_t state);

/* executors.c: nodes that belong to jobs */
/* Returns whether orders of this kind know sticky executors, if these are. */
bool pn_dispatch_executors_suit(const pn_dispatch *s, const pn_dispatch_order *order);
/* Returns the job to which the executor belongs; PN_NO_JOB. */
uint32_t pn_dispatch_owner_of(const pn_dispatch_view *view, uint32_t node);
/* Notes that a task of the stage starts there: the executor moves to its job if need be. */
void pn_dispatch_executor_serves(pn_dispatch_view *view, uint32_t stage, uint32_t node);
/* Notes that the node is out of use: it belongs to no job. */
void pn_dispatch_executor_leaves(const pn_dispatch_view *view, uint32_t node);
int pn_dispatch_serve_executors(pn_dispatch_view *view, uint64_t *most);

/* pack.c: node by node */
int pn_dispatch_pack(pn_dispatch_view *view, uint64_t *most);

/* virtual.c */
bool pn_dispatch_virtual_full(const pn_dispatch_view *view);
void pn_dispatch_virtual_join(const pn_dispatch_view *view, uint32_t job);
pn_heap pn_dispatch_shades(const pn_dispatch *s);

/* events.c: around every event */
void pn_dispatch_pass_input(pn_dispatch *s, const pn_dispatch_hooks *hooks,
                            const pn_dispatch_input *input);
int pn_dispatch_begin(pn_dispatch_view *view, pn_dispatch *s, const pn_dispatch_hooks *hooks,
                      const pn_dispatch_input *input);
void pn_dispatch_bind(pn_dispatch_view *view, pn_dispatch *s, const pn_dispatch_hooks *hooks);
int pn_dispatch_refused(const pn_dispatch *s, const pn_dispatch_hooks *hooks);

/* record.c */
void pn_dispatch_report(pn_dispatch_view *view, uint32_t event, uint32_t job, uint32_t node);
void pn_dispatch_report_resize(pn_dispatch_view *view, uint32_t node);
void pn_dispatch_report_attempt(pn_dispatch_view *view, uint32_t event, uint32_t place);
void pn_dispatch_record_of(const pn_dispatch_entry *job, uint32_t state, uint64_t finish,
                           pn_dispatch_record *record);

#endif
