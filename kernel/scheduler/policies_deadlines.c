/* The built-in policies for jobs with deadlines, written against the public policy interface and
 * nothing else: RTMR as its paper has it (CL20-CL25), with forecasts of our own in place of records
 * (CL28-CL33), and the Deadline Constraint scheduler (CL26). */
#include "base/internal.h"
#include "base/settings.h"
#include "pn_scheduler.h"

static const char *const SCHEDULER_POLICIES_DEADLINES_FALSE_TRUE[] = {"false", "true", NULL};
static const char *const SCHEDULER_ORDERS[] = {"EDF", "FIFO", NULL};
static const char *const ESTIMATES[] = {"given", "learnt", "learnt_by_speed", NULL};
static const char *const RESERVES[] = {"ge", "gt", "strict", NULL};
static const char *const FC_ESTIMATES[] = {"recorded", "recompute", NULL};
static const char *const FC_COMPLETED_JOBS[] = {"skip", "satu", NULL};
static const char *const PREDS[] = {"drop", "keep", NULL};
static const char *const REDUCE_STARTS[] = {"asap", "srmax", NULL};

static bool is_set(const pn_scheduler_view *view, uint32_t param)
{
    return pn_scheduler_param_value(view, param) != 0.0;
}

static uint64_t scheduler_due(const pn_scheduler_view *view, uint32_t job)
{
    return pn_scheduler_submit_of(view, job) + pn_scheduler_deadline_of(view, job);
}

/* ---- estimates learnt from the jobs that finished (RTMR, IV.A) ---- */

enum { MILLION = 1000000 };

/* Per million: the longest map and reduce so far, for a unit of their input; the largest part of a
 * job's input that its maps handed on. 0: nothing is known. */
typedef struct learnt {
    uint64_t map, reduce, ratio;
} learnt;

/* Returns more than a * b / c, up to 2^62: what a policy in Lua can count as well. */
static uint64_t above(uint64_t a, uint64_t b, uint64_t c)
{
    return pn_min(pn_scheduler_scale(a, b, c), (uint64_t)1 << 62) + 1;
}

/* Returns ceil(a * b / c) of products that pass 64 bits; saturates. */
static uint64_t parts(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t whole = pn_scheduler_scale(a, b, c);
    return whole == UINT64_MAX ? whole : whole + (a * b != whole * c);
}

/* Returns the longest task of a kind; by speed, as if it had run on the fastest node and the next
 * will run on the slowest. O(nodes). */
static uint64_t scheduler_longest(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                  bool by_speed)
{
    uint64_t ms = pn_scheduler_longest(view, job, kind), fastest = 0, slowest = UINT32_MAX;
    if (!by_speed)
        return ms;
    for (uint32_t node = 0; node < pn_scheduler_all_nodes(view); node++) {
        fastest = pn_max(fastest, pn_scheduler_node_speed(view, node));
        slowest = pn_min(slowest, pn_scheduler_node_speed(view, node));
    }
    return parts(ms, fastest, slowest);
}

enum { LEARNT_BY_SPEED = 2 };

static void scheduler_update(pn_scheduler_view *view, uint32_t job, uint32_t estimates)
{
    learnt *sums = pn_scheduler_state(view);
    bool by_speed = pn_scheduler_param_value(view, estimates) == (double)LEARNT_BY_SPEED;
    uint64_t input = pn_scheduler_input_of(view, job),
             intermediate = pn_scheduler_intermediate_of(view, job);
    uint64_t maps = pn_scheduler_tasks(view, job, PN_SCHEDULER_MAP),
             reduces = pn_scheduler_tasks(view, job, PN_SCHEDULER_REDUCE);
    sums->map = pn_max(sums->map, above(scheduler_longest(view, job, PN_SCHEDULER_MAP, by_speed),
                                        maps * MILLION, input));
    sums->ratio = pn_max(sums->ratio, above(intermediate, MILLION, input));
    if (reduces > 0)
        sums->reduce = pn_max(sums->reduce,
                              above(scheduler_longest(view, job, PN_SCHEDULER_REDUCE, by_speed),
                                    reduces * MILLION, intermediate));
}

/* Sets the estimate of a newcomer, which is in range. */
static void scheduler_policies_deadlines_estimate(pn_scheduler_view *view, uint32_t job,
                                                  uint32_t kind, uint64_t rate)
{
    uint64_t tasks = pn_scheduler_tasks(view, job, kind);
    uint64_t ms = above(rate, pn_scheduler_input_of(view, job), tasks * MILLION);
    (void)pn_scheduler_set_est_ms(view, job, kind, pn_min(ms, (uint64_t)1 << 40));
}

static void estimate_as_learnt(pn_scheduler_view *view, uint32_t job)
{
    const learnt *sums = pn_scheduler_state(view);
    if (sums->map > 0)
        scheduler_policies_deadlines_estimate(view, job, PN_SCHEDULER_MAP, sums->map);
    if (sums->reduce > 0 && pn_scheduler_tasks(view, job, PN_SCHEDULER_REDUCE) > 0)
        scheduler_policies_deadlines_estimate(view, job, PN_SCHEDULER_REDUCE,
                                              above(sums->reduce, sums->ratio, MILLION));
}

/* ---- RTMR ---- */

enum { ORDER, FEEDBACK, THETA, RESERVE, FC_ESTIMATE, FC_COMPLETED, PRED, RTMR_ESTIMATES };
enum { SECOND_ESTIMATES = 1 }; /* the same parameter of rtmr-live and dc */

/* Computes the key of CL21. */
static void order_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = pn_scheduler_submit_of(view, job);
    if (is_set(view, ORDER))
        return;
    key->word[1] = key->word[0];
    key->word[0] = scheduler_due(view, job);
}

static int rtmr_init(pn_scheduler_view *view)
{
    static const uint8_t reserves[] = {PN_SCHEDULER_RESERVE_ALL, PN_SCHEDULER_RESERVE_LESS,
                                       PN_SCHEDULER_RESERVE_STRICT};
    pn_scheduler_admission admission = pn_scheduler_admission_get(view);
    admission.reserve = reserves[(int)pn_scheduler_param_value(view, RESERVE)];
    admission.ended_predecessors = is_set(view, PRED);
    admission.ended_feedback = is_set(view, FC_COMPLETED);
    return pn_scheduler_set_rules(view, NULL, &admission);
}

static int scheduler_policies_deadlines_admit(pn_scheduler_view *view, uint32_t job,
                                              uint32_t estimates, pn_scheduler_answer *answer)
{
    if (is_set(view, estimates))
        estimate_as_learnt(view, job);
    return pn_scheduler_foresee(view, job, answer);
}

static int rtmr_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    return scheduler_policies_deadlines_admit(view, job, RTMR_ESTIMATES, answer);
}

/* Applies CL25: it ended at another time than was expected, or too late. */
static void rtmr_leave(pn_scheduler_view *view, uint32_t job)
{
    if (pn_scheduler_has_failed(view, job))
        return;
    if (is_set(view, RTMR_ESTIMATES))
        scheduler_update(view, job, RTMR_ESTIMATES);
    if (!is_set(view, FEEDBACK))
        return;
    uint64_t now = pn_scheduler_now(view);
    uint64_t expected = is_set(view, FC_ESTIMATE) ? pn_scheduler_estimate_anew(view, job)
                                                  : pn_scheduler_estimate_of(view, job);
    uint64_t off = expected > now ? expected - now : now - expected;
    if (off > (uint64_t)pn_scheduler_param_value(view, THETA) || now > scheduler_due(view, job))
        pn_scheduler_feed_back(view, job);
}

static int live_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    return scheduler_policies_deadlines_admit(view, job, SECOND_ESTIMATES, answer);
}

/* ---- Deadline Constraint ---- */

enum { REDUCE_START };

/* Behind what is learnt, of each job: the fewest map slots that are enough, and the latest time at
 * which its reduces may start. */
typedef struct dc_job {
    uint64_t maps, reduces_start;
} dc_job;

static dc_job *dc_jobs(const pn_scheduler_view *view)
{
    return (dc_job *)(void *)((learnt *)pn_scheduler_state(view) + 1);
}

static void dc_key(const pn_scheduler_view *view, uint32_t job, uint32_t kind, pn_key *key)
{
    (void)kind;
    key->word[0] = scheduler_due(view, job);
    key->word[1] = pn_scheduler_submit_of(view, job);
}

/* Returns the map slots that jobs in the system may still ask for, until each holds as many as it
 * needs. */
static uint64_t dc_owed(const pn_scheduler_view *view, uint32_t but)
{
    uint64_t owed = 0;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job)) {
        uint64_t running = pn_scheduler_running(view, job, PN_SCHEDULER_MAP);
        uint64_t wanted = pn_min(dc_jobs(view)[job].maps,
                                 pn_scheduler_need(view, job, PN_SCHEDULER_MAP));
        owed += job != but && wanted > running ? wanted - running : 0;
    }
    return owed;
}

/* Returns the reduce slots that these jobs are to have at this time. */
static uint64_t dc_taken(const pn_scheduler_view *view, uint32_t but, uint64_t time)
{
    uint64_t taken = 0;
    for (uint32_t job = pn_scheduler_next(view, PN_NO_JOB); job != PN_NO_JOB;
         job = pn_scheduler_next(view, job))
        if (job != but && dc_jobs(view)[job].reduces_start <= time &&
            time < scheduler_due(view, job))
            taken += pn_scheduler_tasks(view, job, PN_SCHEDULER_REDUCE);
    return taken;
}

static int dc_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    uint64_t maps = pn_scheduler_tasks(view, job, PN_SCHEDULER_MAP),
             reduces = pn_scheduler_tasks(view, job, PN_SCHEDULER_REDUCE);
    uint64_t slots = pn_scheduler_capacity(view, PN_SCHEDULER_REDUCE),
             deadline = pn_scheduler_deadline_of(view, job);
    if (is_set(view, SECOND_ESTIMATES))
        estimate_as_learnt(view, job);
    uint64_t last = reduces > 0 ? pn_scheduler_est_ms(view, job, PN_SCHEDULER_REDUCE) : 0;
    answer->accepted = 0;
    answer->blocker = pn_scheduler_id(view, job);
    if (deadline <= last || reduces > slots)
        return PN_OK;
    uint64_t window = deadline - last, start = pn_scheduler_submit_of(view, job) + window;
    uint64_t fewest = parts(maps, pn_scheduler_est_ms(view, job, PN_SCHEDULER_MAP), window);
    uint64_t free = pn_scheduler_free(view, PN_SCHEDULER_MAP), owed = dc_owed(view, job);
    if (free < owed || free - owed < fewest || dc_taken(view, job, start) + reduces > slots)
        return PN_OK;
    dc_jobs(view)[job] = (dc_job){fewest, start};
    answer->accepted = 1;
    answer->blocker = 0;
    return PN_OK;
}

static int dc_arrive(pn_scheduler_view *view, uint32_t job)
{
    const dc_job *entry = &dc_jobs(view)[job];
    pn_scheduler_limit(view, job, PN_SCHEDULER_MAP, (uint32_t)entry->maps);
    if (is_set(view, REDUCE_START) && pn_scheduler_tasks(view, job, PN_SCHEDULER_REDUCE) > 0)
        pn_scheduler_hold(view, job, PN_SCHEDULER_REDUCE, entry->reduces_start);
    return PN_OK;
}

/* Learns of a leave, for the policies that only learn then. */
static void leave_learning(pn_scheduler_view *view, uint32_t job)
{
    if (is_set(view, SECOND_ESTIMATES) && !pn_scheduler_has_failed(view, job))
        scheduler_update(view, job, SECOND_ESTIMATES);
}

/* ---- what the keys are ---- */

#define DEADLINE   "deadline, ms"
#define SUBMISSION "submission, ms"

static const char *const STARTED[] = {"has started", "", NULL};
static const pn_key_part scheduler_order_parts[] = {
    {.name = DEADLINE, .form = PN_KEY_WHOLE, .choice = 1},
    {.name = SUBMISSION, .form = PN_KEY_WHOLE, .word = 1, .choice = 1},
    {.name = SUBMISSION, .form = PN_KEY_WHOLE, .choice = 2},
    {.name = "jobs that have started go first, in that order",
     .names = STARTED,
     .form = PN_KEY_RANK,
     .alone = 1},
    {0}};
static const pn_key_part scheduler_dc_parts[] = {
    {.name = DEADLINE, .form = PN_KEY_WHOLE},
    {.name = SUBMISSION, .form = PN_KEY_WHOLE, .word = 1},
    {0}};

/* ---- the tables ---- */

#define ORDER_PARAM                                                                 \
    {                                                                               \
        "order", 0, 0, 1, SCHEDULER_ORDERS, 0,                                      \
            "of jobs that have not started: by deadline, or as they were submitted" \
    }
#define ESTIMATES_PARAM                                                               \
    {                                                                                 \
        "estimates", 0, 0, 2, ESTIMATES, 0,                                           \
            "of tasks: the jobs' own, or what the longest so far make of their sizes" \
    }

const pn_scheduler_policy *pn_scheduler_rtmr(void)
{
    static const pn_scheduler_policy policy = {
        .name = "rtmr",
        .summary = "accepts jobs whose deadlines it can promise, and reserves slots for them; as "
                   "published, with corrections",
        .source = "RTMR, IV, Algorithms I-VI; CL20-CL25",
        PN_KEYS(scheduler_order_parts),
        .order = {.started_first = 1},
        .admission = {.deadlines = 1,
                      .finishes = PN_SCHEDULER_FINISHES_RECORDED,
                      .maps_first = 1,
                      .reserve = PN_SCHEDULER_RESERVE_ALL},
        .param_count = 8,
        .params = {ORDER_PARAM,
                   {"feedback", 1, 0, 1, SCHEDULER_POLICIES_DEADLINES_FALSE_TRUE, 0,
                    "estimates are put right when a job ends at another time than expected"},
                   {"theta_ms", 30000, 0, 9007199254740992.0, NULL, 1, "... by more than this"},
                   {"reserve", 0, 0, 2, RESERVES, 0,
                    "slots kept for jobs ahead: all that they need, one less (as published), or "
                    "all there are"},
                   {"fc_estimate", 0, 0, 1, FC_ESTIMATES, 0,
                    "feedback compares with the estimate as recorded, or made anew (as published)"},
                   {"fc_completed", 0, 0, 1, FC_COMPLETED_JOBS, 0,
                    "feedback passes over jobs behind that are over, or goes through them"},
                   {"pred", 0, 0, 1, PREDS, 0,
                    "what is ahead of a job: those that are not over, or all"},
                   ESTIMATES_PARAM},
        .state_bytes = sizeof(learnt),
        .key = order_key,
        .init = rtmr_init,
        .admit = rtmr_admit,
        .leave = rtmr_leave,
    };
    return &policy;
}

const pn_scheduler_policy *pn_scheduler_rtmr_live(void)
{
    static const pn_scheduler_policy policy = {
        .name = "rtmr-live",
        .summary = "as rtmr, but it estimates from the running tasks, knows failed nodes, and "
                   "reports late jobs",
        .source = "RTMR, IV; CL21, CL24, CL28-CL33",
        PN_KEYS(scheduler_order_parts),
        .order = {.started_first = 1},
        .admission = {.deadlines = 1,
                      .finishes = PN_SCHEDULER_FINISHES_FORECAST,
                      .maps_first = 1,
                      .reserve = PN_SCHEDULER_RESERVE_ALL},
        .param_count = 2,
        .params = {ORDER_PARAM, ESTIMATES_PARAM},
        .state_bytes = sizeof(learnt),
        .key = order_key,
        .admit = live_admit,
        .leave = leave_learning,
    };
    return &policy;
}

const pn_scheduler_policy *pn_scheduler_dc(void)
{
    static const pn_scheduler_policy policy = {
        .name = "dc",
        .summary = "Deadline Constraint: accepts a job if the fewest map slots it needs are free "
                   "now and its reduce slots are free in time",
        .source = "Kc and Anyanwu 2010; RTMR, III; CL26",
        PN_KEYS(scheduler_dc_parts),
        .admission = {.deadlines = 1, .maps_first = 1},
        .param_count = 2,
        .params = {{"dc_reduce_start", 0, 0, 1, REDUCE_STARTS, 0,
                    "reduces start as soon as the maps are done, or as late as they may"},
                   ESTIMATES_PARAM},
        .state_bytes = sizeof(learnt),
        .state_bytes_per_job = sizeof(dc_job),
        .key = dc_key,
        .admit = dc_admit,
        .arrive = dc_arrive,
        .leave = leave_learning,
    };
    return &policy;
}
