/* Policies of the tandem model, for their authors: the table of a policy, its orders, services,
 * hooks and memory, and the functions by which it reads the simulation and sets rates. Hosts that
 * use the built-in policies need pn_tandem.h alone.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 392/400 (see docs/embedding.md). */
#ifndef PN_TANDEM_POLICY_H
#define PN_TANDEM_POLICY_H

#include "pn_tandem.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* What a policy sees of the simulation, valid during the call only. */
typedef struct pn_tandem_view pn_tandem_view;

/* A policy is a constant table. It determines how each station serves, in one of two ways:
 *   service  map and shuffle each name an order and a way of serving by it; the kernel sets all
 *            rates;
 *   act      code that sets rates at each instant with the calls below.
 *
 * An order is a set of jobs that the kernel keeps sorted by (key, id). Jobs that wait cost nothing:
 * a key is computed again only as declared. */
enum pn_tandem_changes {
    /* the key depends on the job's own state: again at the end of each interval in which it is
     * served */
    PN_TANDEM_WHEN_SERVED = 0,
    /* the key never changes: computed when the job joins the order for the first time */
    PN_TANDEM_ON_ARRIVAL = 1,
    /* the keys of all members change: all again at every instant, O(members) */
    PN_TANDEM_AT_INSTANTS = 2
};

enum pn_tandem_members {
    PN_TANDEM_MAPPING = 1, /* jobs with X > 0 */
    PN_TANDEM_BACKLOG = 2, /* jobs with B > 0 */
    PN_TANDEM_PRESENT = 4  /* all jobs arrived and not complete; excludes the other two */
};

/* Ways of serving. c is the capacity, g a job's generation rate. */
enum pn_tandem_way {
    /* Map: all of c to the first job of the order (TA7). Shuffle: the order is walked with what is
     * left of c; a job with B > 0 takes all that is left, one with B = 0 at most g (TA8). */
    PN_TANDEM_FIRST = 0,
    /* Shuffle only, order of PN_TANDEM_PRESENT: the first job alone is served, at c, or at most g
       when B = 0 (TA14). */
    PN_TANDEM_STRICT = 1,
    /* Map: equal shares among the first `limit` jobs of the order, whose keys never change. Shuffle
     * (needs no order): equal shares of c among all jobs with B > 0 or g > 0, where a job with B =
     * 0 takes at most g and what it leaves goes to the others: water-filling (TA11, TA12). */
    PN_TANDEM_SHARE = 2,
    /* Shuffle only: as PN_TANDEM_SHARE, but what a job leaves is lost (TA12). */
    PN_TANDEM_RIGID = 3
};

typedef struct pn_tandem_service {
    uint8_t way; /* enum pn_tandem_way */
    /* index into orders; a map order holds PN_TANDEM_MAPPING, a shuffle order of PN_TANDEM_FIRST
     * holds PN_TANDEM_BACKLOG */
    uint8_t order;
    uint32_t limit; /* of a map share; 0 = no limit */
} pn_tandem_service;

/* Jobs are named by their place in the table during a policy's call, none by PN_NO_JOB. Nothing may
 * be decided by the place: pn_tandem_id is the job's own. */
#define PN_TANDEM_ORDERS_MAX 6

typedef struct pn_tandem_order {
    /* doubles go in by pn_key_double; null: by id */
    void (*key)(const pn_tandem_view *view, uint32_t job, pn_key *key);
    /* whether the job belongs here at all, asked once, at its arrival; null: every job does, as in
     * every order of a service */
    int (*member)(const pn_tandem_view *view, uint32_t job);
    uint8_t changes; /* enum pn_tandem_changes */
    uint8_t members; /* enum pn_tandem_members, one of them */
} pn_tandem_order;

/* Whether the policy promises that no station idles while it could work: the map station while some
 * X > 0, the shuffle station while some B > 0 or below the sum of all g. The checker holds it to
 * that. */
enum pn_tandem_promise {
    PN_TANDEM_NO_PROMISE = 0,
    PN_TANDEM_WORK_CONSERVING = 1,
    PN_TANDEM_WORK_CONSERVING_BY_DEFAULT = 2 /* with the default parameters */
};

struct pn_tandem_policy {
    size_t struct_size;             /* sizeof the struct, or 0: see pn_base.h */
    const char *name;               /* at most 31 bytes */
    const char *summary;            /* one line */
    const char *source;             /* paper section or rule */
    uint8_t work_conserving;        /* enum pn_tandem_promise */
    uint8_t order_count;            /* 0..PN_TANDEM_ORDERS_MAX */
    uint8_t param_count;            /* 0..PN_PARAMS_MAX */
    pn_tandem_service map, shuffle; /* ignored when act is given */
    pn_tandem_order orders[PN_TANDEM_ORDERS_MAX];
    pn_param params[PN_PARAMS_MAX];
    /* The policy's own memory in the block, zero at first: so many bytes, and so many more for each
     * place of the job table (jobs_max of them, one after the other). */
    size_t state_bytes, state_bytes_per_job;
    /* sets the rates of an instant with the calls below, all being 0 at first; PN_OK, or an error
     * that ends the run. Asked when a job is present. */
    int (*act)(pn_tandem_view *view);
    /* After the rates are set: in what time from now they shall be set anew, though nothing may
     * happen; 0 or PN_TANDEM_NEVER = not before something does. Within 2^16 ulp of the present time
     * it counts as 64 ulp at least, and in a row of such each as twice the one before: something
     * has to change. */
    double (*wake)(const pn_tandem_view *view);

    /* Hooks, each may be null. */
    /* once, before anything else; may change the services */
    int (*init)(pn_tandem_view *view);
    /* the job is about to join the orders, in order of id */
    int (*arrive)(pn_tandem_view *view, uint32_t job);
    /* it is complete and has left the orders; by id */
    void (*finish)(pn_tandem_view *view, uint32_t job);
    /* What its keys are, for people; null: it does not say. Of a library's policies to be read
     * behind PN_HAS. */
    const pn_key_part *keys;
};

/* What a policy may ask, O(1) each. Sizes and what is left of them are seen with estimates in place
 * of the truth: left = max(0, estimate - work done). Membership, B and rates are the truth. */

double pn_tandem_time(const pn_tandem_view *view);  /* since the start */
double pn_tandem_speed(const pn_tandem_view *view); /* c */
int pn_tandem_overlap(const pn_tandem_view *view);
uint32_t pn_tandem_jobs_max(const pn_tandem_view *view);  /* places are 0..jobs_max-1 */
uint32_t pn_tandem_in_system(const pn_tandem_view *view); /* jobs arrived and not complete */
/* Returns 1 if this place, any number, holds a job that has arrived and is not complete. */
int pn_tandem_active(const pn_tandem_view *view, uint32_t job);
double pn_tandem_param_value(const pn_tandem_view *view, uint32_t index); /* of policy->params */
/* the policy's own bytes, aligned to 8 */
void *pn_tandem_state(const pn_tandem_view *view);
/* the policy's random numbers, in the block */
pn_stream *pn_tandem_stream(const pn_tandem_view *view);
/* the table that came with the call */
const pn_tandem_policy *pn_tandem_policy_of(const pn_tandem_view *view);
void *pn_tandem_user(const pn_tandem_view *view); /* hooks->user */
uint64_t pn_tandem_id(const pn_tandem_view *view, uint32_t job);
double pn_tandem_arrival(const pn_tandem_view *view, uint32_t job);
uint32_t pn_tandem_group(const pn_tandem_view *view, uint32_t job);
uint32_t pn_tandem_attribute_count(const pn_tandem_view *view); /* config.attributes */
/* index < pn_tandem_attribute_count */
double pn_tandem_attribute(const pn_tandem_view *view, uint32_t job, uint32_t index);
/* time since its arrival, exact where times are rounded */
double pn_tandem_age(const pn_tandem_view *view, uint32_t job);
double pn_tandem_map_size(const pn_tandem_view *view, uint32_t job);     /* x as seen */
double pn_tandem_shuffle_size(const pn_tandem_view *view, uint32_t job); /* y as seen */
double pn_tandem_map_left(const pn_tandem_view *view, uint32_t job);     /* X as seen */
/* Y as seen; without overlap y until mapped (TA4) */
double pn_tandem_shuffle_left(const pn_tandem_view *view, uint32_t job);
double pn_tandem_longest_left(const pn_tandem_view *view, uint32_t job); /* L = max(X, Y) as seen */
double pn_tandem_backlog(const pn_tandem_view *view, uint32_t job);      /* B */
/* the sum of B over all jobs */
double pn_tandem_backlog_total(const pn_tandem_view *view);
int pn_tandem_mapping(const pn_tandem_view *view, uint32_t job); /* X > 0, in truth */
/* 0 map, 1 shuffle; 0 without ranks */
uint32_t pn_tandem_rank(const pn_tandem_view *view, uint32_t job, uint32_t station);
/* Return the rates as set so far in act, and in wake; 0 elsewhere. */
double pn_tandem_map_rate(const pn_tandem_view *view, uint32_t job);
double pn_tandem_shuffle_rate(const pn_tandem_view *view, uint32_t job);
double pn_tandem_generation_rate(const pn_tandem_view *view, uint32_t job); /* g */

/* Write keys that many policies share; a null key orders by id. The kernel computes them faster
 * than others. */
void pn_tandem_key_longest(const pn_tandem_view *view, uint32_t job, pn_key *key); /* L */
void pn_tandem_key_map(const pn_tandem_view *view, uint32_t job, pn_key *key);     /* X, then Y */
void pn_tandem_key_sum(const pn_tandem_view *view, uint32_t job, pn_key *key);     /* X + Y */
/* Y, then jobs with B > 0, then X */
void pn_tandem_key_shuffle(const pn_tandem_view *view, uint32_t job, pn_key *key);

/* Return the first job of an order, PN_NO_JOB if it is empty; and 1 if a job is in the order. For
 * act and wake. While both stations share, an order of PN_TANDEM_MAPPING contains the jobs that
 * wait for a share. O(1). */
uint32_t pn_tandem_first(const pn_tandem_view *view, uint32_t order);
int pn_tandem_member(const pn_tandem_view *view, uint32_t order, uint32_t job);
/* Returns the next member after `job` in the order, PN_NO_JOB after the last. O(members): a loop
 * over k of n jobs costs O(k n). */
uint32_t pn_tandem_next(const pn_tandem_view *view, uint32_t order, uint32_t job);

/* Sets how a station (0 map, 1 shuffle) serves, in place of the table. For init only. Returns PN_OK
 * or PN_ERR_ARGUMENT. */
int pn_tandem_serve(pn_tandem_view *view, uint32_t station, pn_tandem_service service);

/* Add to the rate of the job. For act only. Return PN_OK, or PN_ERR_INFEASIBLE: a rate that is
 * negative or not finite, more than is left of the station's capacity (but for 64 ulp of it), a job
 * with X = 0, or a job with B = 0 above its g (set map rates first). O(1). */
int pn_tandem_give_map(pn_tandem_view *view, uint32_t job, double rate);
int pn_tandem_give_shuffle(pn_tandem_view *view, uint32_t job, double rate);
/* Takes back all rates that were set at this instant. For act only. O(jobs served). */
void pn_tandem_take_back(pn_tandem_view *view);
/* Return what is left of the capacity of each station. */
double pn_tandem_map_idle(const pn_tandem_view *view);
double pn_tandem_shuffle_idle(const pn_tandem_view *view);

/* Serve by an order as PN_TANDEM_FIRST does, with at most `capacity` and what is left of the
 * station's. For act only. A map order has PN_TANDEM_MAPPING, a shuffle order PN_TANDEM_BACKLOG; of
 * the jobs that generate without backlog those count that the order's `member` accepts. *left (may
 * be null) receives the unused part of `capacity`. Return PN_OK, PN_ERR_INFEASIBLE, or the status
 * with which a key gave up. O(1), a shuffle O(d log d) for d jobs that are mapped. */
int pn_tandem_fill_map(pn_tandem_view *view, uint32_t order, double capacity, double *left);
int pn_tandem_fill_shuffle(pn_tandem_view *view, uint32_t order, double capacity, double *left);

/* Ends the run: this step and every later one return `status` (< 0). For functions of the policy
 * that cannot return an error. */
void pn_tandem_fail(const pn_tandem_view *view, int status);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
