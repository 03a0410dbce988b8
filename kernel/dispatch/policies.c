/* The built-in policies of the dag model and the list of them, written against the public policy
 * interface and nothing else. */
#include "base/internal.h"
#include "base/settings.h"
#include "pn_dispatch.h"

static const char *const DISPATCH_FALSE_TRUE[] = {"false", "true", NULL};

/* Orders jobs of a higher priority first, whatever the key is, which is far below 2^107 (DG32). */
static void dispatch_behind_priority(const pn_dispatch_view *view, uint32_t job, pn_wide value,
                                     pn_key *key)
{
    const uint64_t most = ((uint64_t)1 << 43) - 1;
    int32_t priority = pn_dispatch_priority_of(view, job);
    key->word[0] = (uint64_t)(PN_DISPATCH_PRIORITY_MOST - priority) << 43 |
                   pn_min(value.high, most);
    key->word[1] = value.low;
}

static pn_wide one_word(uint64_t value)
{
    return (pn_wide){0, value};
}

static void put_wide(pn_key *key, pn_wide value)
{
    key->word[0] = value.high;
    key->word[1] = value.low;
}

/* ---- order of submission (DG14) ---- */

static void fifo_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(view, job, one_word(0), key);
}

/* ---- shares of jobs or queues (DG15, DG16) ---- */

static const char *const SHARE_BY[] = {"job", "queue", NULL};
enum { SHARE_BY_PARAM };

#define SHARE_BY_DOC                                                                          \
    {                                                                                         \
        "share_by", 0, 0, 1, SHARE_BY, 1,                                                     \
            "job: jobs share the cluster; queue: queues do, and their jobs come by order of " \
            "submission"                                                                      \
    }

static int shares_init(pn_dispatch_view *view)
{
    const pn_dispatch_order by_queue = {.by_queue = 1};
    return pn_dispatch_param_value(view, SHARE_BY_PARAM) == 0.0
               ? PN_OK
               : pn_dispatch_set_order(view, &by_queue);
}

static const uint64_t SCALE = 1000000000000;

static void dispatch_fair_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(
        view, job,
        pn_dispatch_scale(pn_dispatch_holds(view, job), SCALE, pn_dispatch_weight_of(view, job)),
        key);
}

static void fair_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    put_wide(key, pn_dispatch_scale(pn_dispatch_queue_running(view, queue), SCALE,
                                    pn_dispatch_queue_weight(view, queue)));
}

static void drf_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(
        view, job, one_word(pn_dispatch_share(view, job, pn_dispatch_weight_of(view, job))), key);
}

static void drf_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    key->word[0] = pn_dispatch_queue_share(view, queue, PN_DISPATCH_NO_STAGE,
                                           pn_dispatch_queue_weight(view, queue));
}

/* ---- capacity (DG17, DG18) ---- */

enum { PREEMPT_PARAM };

static int capacity_init(pn_dispatch_view *view)
{
    pn_dispatch_order order = pn_dispatch_policy_of(view)->order;
    order.preempts = pn_dispatch_param_value(view, PREEMPT_PARAM) != 0.0;
    return pn_dispatch_set_order(view, &order);
}

/* Computes how much of its guarantee a queue uses; those without one come last. */
static void capacity_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    uint64_t share = pn_dispatch_queue_share(view, queue, PN_DISPATCH_NO_STAGE, 1);
    uint64_t guaranteed = pn_dispatch_queue_guaranteed(view, queue);
    key->word[0] = guaranteed == 0;
    key->word[1] = guaranteed > 0 ? share * 1000 / guaranteed : share;
}

static uint64_t guarantee_of(const pn_dispatch_view *view, uint32_t queue)
{
    return pn_dispatch_queue_guaranteed(view, queue) * SCALE / 1000;
}

/* Returns the first stage of a queue, if tasks may be killed for it: it has no room, and the queue
 * would stay within its guarantee. */
static uint32_t claim_of(const pn_dispatch_view *view, uint32_t queue)
{
    uint32_t stage = pn_dispatch_first_offered(view, queue);
    if (stage == PN_DISPATCH_NO_STAGE || !pn_dispatch_in_maximum(view, stage) ||
        pn_dispatch_queue_share(view, queue, stage, 1) > guarantee_of(view, queue) ||
        pn_dispatch_room(view, stage) < pn_dispatch_nodes_all(view))
        return PN_DISPATCH_NO_STAGE;
    return stage;
}

/* Returns whether the attempt may be killed for a queue: it belongs to another one, which is above
 * its guarantee and not below it without the attempt; then it is supposed to be killed. */
static bool dispatch_takes(pn_dispatch_view *view, uint32_t attempt, uint32_t queue)
{
    uint32_t stage = pn_dispatch_attempt_stage(view, attempt);
    uint32_t other = pn_dispatch_queue_of(view, pn_dispatch_stage_job(view, stage));
    uint64_t guarantee = guarantee_of(view, other);
    if (other == queue || !pn_dispatch_may_kill(view, attempt) ||
        pn_dispatch_queue_share(view, other, PN_DISPATCH_NO_STAGE, 1) <= guarantee ||
        pn_dispatch_share_without(view, attempt) < guarantee)
        return false;
    pn_dispatch_suppose(view, attempt);
    return true;
}

/* Returns whether a task would have room where so much is used; a resource of which more is used
 * than there is, as the node drains, has room for none that asks for it. */
static bool fits_beside(const pn_dispatch_view *view, uint32_t stage, uint32_t node,
                        const uint64_t *used)
{
    for (uint32_t r = 0; r < pn_dispatch_resources(view); r++) {
        uint64_t demand = pn_dispatch_demand(view, stage, r);
        if (demand > 0 && used[r] + demand > pn_dispatch_node_capacity(view, node, r))
            return false;
    }
    return true;
}

static bool holds(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    static const uint64_t nothing[PN_DISPATCH_RESOURCES_MAX] = {0};
    return pn_dispatch_node_is_up(view, node) && fits_beside(view, stage, node, nothing);
}

/* Supposes that what may be killed on a node is, one after the other until the stage has room:
 * whether it has. */
static bool find_victims(pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    uint64_t used[PN_DISPATCH_RESOURCES_MAX];
    uint32_t queue = pn_dispatch_queue_of(view, pn_dispatch_stage_job(view, stage));
    if (!holds(view, stage, node))
        return false;
    for (uint32_t r = 0; r < pn_dispatch_resources(view); r++)
        used[r] = pn_dispatch_node_used(view, node, r);
    for (uint32_t attempt = pn_dispatch_next_on_node(view, node, PN_DISPATCH_NO_ATTEMPT);
         attempt != PN_DISPATCH_NO_ATTEMPT && !fits_beside(view, stage, node, used);
         attempt = pn_dispatch_next_on_node(view, node, attempt)) {
        if (!dispatch_takes(view, attempt, queue))
            continue;
        for (uint32_t r = 0; r < pn_dispatch_resources(view); r++)
            used[r] -= pn_dispatch_demand(view, pn_dispatch_attempt_stage(view, attempt), r);
    }
    return fits_beside(view, stage, node, used);
}

/* Kills for a stage on the first node where that makes room: 1 when it was launched there. Nothing
 * is killed where no attempt can be launched for want of a place. */
static int claim(pn_dispatch_view *view, uint32_t stage)
{
    for (uint32_t node = 0; node < pn_dispatch_nodes_all(view); node++) {
        bool enough = find_victims(view, stage, node), full = !pn_dispatch_launchable(view, stage);
        if (!enough || full)
            pn_dispatch_spare_supposed(view);
        if (!enough)
            continue;
        if (full)
            return PN_ERR_FULL;
        pn_dispatch_kill_supposed(view);
        int status = pn_dispatch_launch(view, stage, node);
        return PN_ALWAYS(status == PN_OK) ? 1 : status;
    }
    return 0;
}

/* Returns the queue behind `after`, in the order of their keys, that tasks may be killed for;
 * pn_dispatch_queues_all at the end. */
static uint32_t next_claimant(const pn_dispatch_view *view, uint32_t after)
{
    uint32_t best = pn_dispatch_queues_all(view);
    pn_key best_key = {{0, 0}}, last = {{0, 0}}, key;
    if (after < best)
        capacity_queue_key(view, after, &last);
    for (uint32_t queue = 0; queue < pn_dispatch_queues_all(view); queue++) {
        capacity_queue_key(view, queue, &key);
        bool follows = after == pn_dispatch_queues_all(view) ||
                       pn_words_before(last.word, key.word) ||
                       (!pn_words_before(key.word, last.word) && queue > after);
        if (follows &&
            (best == pn_dispatch_queues_all(view) || pn_words_before(key.word, best_key.word)) &&
            claim_of(view, queue) != PN_DISPATCH_NO_STAGE) {
            best = queue;
            best_key = key;
        }
    }
    return best;
}

/* Makes one repetition: 1 when a task was launched, and another one follows. */
static int preempt_once(pn_dispatch_view *view)
{
    uint32_t end = pn_dispatch_queues_all(view);
    for (uint32_t queue = next_claimant(view, end); queue != end;
         queue = next_claimant(view, queue)) {
        int status = claim(view, claim_of(view, queue));
        if (status != 0)
            return status;
    }
    return 0;
}

static int capacity_preempt(pn_dispatch_view *view)
{
    int status = 1;
    while (status == 1)
        status = preempt_once(view);
    return status;
}

/* ---- sizes and paths (DG19-DG21) ---- */

static void sjf_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(view, job, one_word(pn_dispatch_work(view, job)), key);
}

static const char *const CP_FIRST[] = {"longest", "shortest", NULL};
enum { CP_FIRST_PARAM };

static void cp_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    uint64_t path = pn_dispatch_path(view, job);
    bool longest = pn_dispatch_param_value(view, CP_FIRST_PARAM) == 0.0;
    dispatch_behind_priority(view, job, one_word(longest ? UINT64_MAX - path : path), key);
}

static void srpt_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(view, job, one_word(pn_dispatch_left(view, job)), key);
}

/* ---- weighted fair (DG22) ---- */

enum { ALPHA_PARAM };

/* Returns floor(a / 1000) */
static int64_t thousandth(int64_t a)
{
    return a >= 0 ? a / 1000 : -((-a + 999) / 1000);
}

static void wfair_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    const int64_t offset = (int64_t)1 << 62;
    uint64_t share = pn_dispatch_share(view, job, 1);
    int64_t alpha = (int64_t)pn_dispatch_param_value(view, ALPHA_PARAM);
    if (share == 0) {
        dispatch_behind_priority(view, job, one_word(0), key);
        return;
    }
    int64_t log = (int64_t)pn_dispatch_log2(share) -
                  (int64_t)pn_dispatch_log2(pn_dispatch_weight_of(view, job)) -
                  thousandth(alpha * (int64_t)pn_dispatch_log2(pn_dispatch_work(view, job)));
    dispatch_behind_priority(view, job, (pn_wide){1, (uint64_t)(log + offset)}, key);
}

/* ---- Tetris (DG23) ---- */

enum { TETRIS_M_PARAM };

static int tetris_init(pn_dispatch_view *view)
{
    return pn_dispatch_exchange(view, (uint32_t)pn_dispatch_param_value(view, TETRIS_M_PARAM));
}

static void tetris_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    key->word[1] = pn_dispatch_left_area(view, job);
}

/* Returns the product of demand and what is free, in millionths of the node. */
static uint64_t tetris_align(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < pn_dispatch_resources(view); r++) {
        uint64_t capacity = pn_dispatch_node_capacity(view, node, r);
        if (capacity > 0)
            sum += pn_dispatch_demand(view, stage, r) * 1000000 / capacity *
                   (pn_dispatch_node_free(view, node, r) * 1000000 / capacity);
    }
    return sum;
}

/* ---- HFSP and attained service (DG24, DG25) ---- */

static void hfsp_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(view, job, pn_dispatch_virtual_tag(view, job), key);
}

static void las_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    dispatch_behind_priority(view, job, pn_dispatch_service(view, job), key);
}

/* ---- what the keys are ---- */

#define FIRST_PRIORITY .form = PN_KEY_PRIORITY, .base = PN_DISPATCH_PRIORITY_MOST, .shift = 43
#define PER_WEIGHT     " for its weight"
#define CLUSTER_MS     "ms of the whole cluster"
#define SHARES         .unit = 1000000000000.0 /* SCALE */
#define WORKS          .unit = 1000000000.0    /* of the whole cluster */
#define BY_JOB         .choice = 1
#define BY_QUEUE       .choice = 2

static const pn_key_part dispatch_submission[] = {
    {FIRST_PRIORITY}, {.name = "order of arrival"}, {0}};
/* A queue has a key while a task of it fits. */
static const char *const FITS[] = {"", "no task of its queue fits", NULL};
static const pn_key_part dispatch_fair_parts[] = {
    {FIRST_PRIORITY, BY_JOB},
    {.name = "running tasks" PER_WEIGHT, .form = PN_KEY_WIDE, .bits = 43, SHARES, BY_JOB},
    {.name = "running tasks of its queue" PER_WEIGHT, .form = PN_KEY_WIDE, SHARES, BY_QUEUE},
    {.names = FITS, .form = PN_KEY_RANK, .alone = 1, BY_QUEUE},
    {0}};
static const pn_key_part dispatch_drf_parts[] = {
    {FIRST_PRIORITY, BY_JOB},
    {.name = "dominant share" PER_WEIGHT, .form = PN_KEY_WHOLE, .word = 1, SHARES, BY_JOB},
    {.name = "dominant share of its queue" PER_WEIGHT, .form = PN_KEY_WHOLE, SHARES, BY_QUEUE},
    {.names = FITS, .form = PN_KEY_RANK, .alone = 1, BY_QUEUE},
    {0}};
static const char *const GUARANTEED[] = {"", "no guarantee", NULL};
static const pn_key_part dispatch_guarantee[] = {
    {.name = "share of the guarantee that its queue uses", .form = PN_KEY_WHOLE, .word = 1, SHARES},
    {.names = GUARANTEED, .form = PN_KEY_WHOLE},
    {.names = FITS, .form = PN_KEY_RANK, .alone = 1},
    {0}};
static const pn_key_part dispatch_total_work[] = {
    {FIRST_PRIORITY},
    {.name = "work of the job, " CLUSTER_MS, .form = PN_KEY_WHOLE, .word = 1, WORKS},
    {0}};
static const pn_key_part dispatch_path[] = {
    {FIRST_PRIORITY},
    {.name = "critical path, ms, the longest first",
     .form = PN_KEY_FALLING,
     .word = 1,
     .base = UINT64_MAX,
     .choice = 1},
    {.name = "critical path, ms", .form = PN_KEY_WHOLE, .word = 1, .choice = 2},
    {0}};
static const pn_key_part dispatch_pending_work[] = {
    {FIRST_PRIORITY},
    {.name = "pending work, " CLUSTER_MS, .form = PN_KEY_WHOLE, .word = 1, WORKS},
    {0}};
static const char *const HOLDS[] = {"holds nothing", "", NULL};
static const pn_key_part dispatch_shares[] = {
    {FIRST_PRIORITY},
    {.name = "log2 of its share against what it should be",
     .form = PN_KEY_WHOLE,
     .word = 1,
     .base = (uint64_t)1 << 62,
     .unit = 65536},
    {.names = HOLDS, .form = PN_KEY_WHOLE, .bits = 43, .alone = 1},
    {0}};
static const pn_key_part dispatch_packing[] = {
    {.name = "nodes are filled one by one with the tasks that suit them", .form = PN_KEY_NONE},
    {0}};
static const pn_key_part dispatch_virtual_end[] = {
    {FIRST_PRIORITY},
    {.name = "end in the virtual cluster, ms of a job of weight 1",
     .form = PN_KEY_WIDE,
     .bits = 43,
     WORKS},
    {0}};
static const pn_key_part dispatch_attained[] = {
    {FIRST_PRIORITY},
    {.name = "attained service, " CLUSTER_MS, .form = PN_KEY_WIDE, .bits = 43, WORKS},
    {0}};

/* ---- the tables ---- */

const pn_dispatch_policy *pn_dispatch_fifo(void)
{
    static const pn_dispatch_policy policy = {
        .name = "fifo",
        .summary = "first come, first served",
        .source = "Hadoop, Spark; DG14",
        PN_KEYS(dispatch_submission),
        .key = fifo_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_fair(void)
{
    static const pn_dispatch_policy policy = {
        .name = "fair",
        .summary = "fewest running tasks for its weight first",
        .source = "Zaharia et al. 2010; Hadoop Fair Scheduler; DG15",
        PN_KEYS(dispatch_fair_parts),
        .order = {.keys = PN_DISPATCH_KEYS_USED},
        .param_count = 1,
        .params = {SHARE_BY_DOC},
        .init = shares_init,
        .key = dispatch_fair_key,
        .queue_key = fair_queue_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_drf(void)
{
    static const pn_dispatch_policy policy = {
        .name = "drf",
        .summary = "dominant resource fairness: the smallest dominant share first",
        .source = "Ghodsi et al. 2011, Algorithm 1; DG16",
        PN_KEYS(dispatch_drf_parts),
        .order = {.keys = PN_DISPATCH_KEYS_USED},
        .param_count = 1,
        .params = {SHARE_BY_DOC},
        .init = shares_init,
        .key = drf_key,
        .queue_key = drf_queue_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_capacity_queues(void)
{
    static const pn_dispatch_policy policy = {
        .name = "capacity",
        .summary =
            "queues with guarantees and maxima, the one that uses least of its guarantee first",
        .source = "Hadoop CapacityScheduler; DG17, DG18",
        PN_KEYS(dispatch_guarantee),
        .order = {.by_queue = 1, .limits = 1},
        .param_count = 1,
        .params = {{"preempt", 0, 0, 1, DISPATCH_FALSE_TRUE, 1,
                    "kill tasks of queues above their guarantee for those below"}},
        .init = capacity_init,
        .queue_key = capacity_queue_key,
        .preempt = capacity_preempt,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_sjf_cp(void)
{
    static const pn_dispatch_policy policy = {
        .name = "sjf-cp",
        .summary = "the least total work first",
        .source = "Mao et al. 2019, baseline 2; DG19",
        PN_KEYS(dispatch_total_work),
        .key = sjf_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_cp(void)
{
    static const pn_dispatch_policy policy = {
        .name = "cp",
        .summary = "the longest critical path first",
        .source = "Graham 1969; Mao et al. 2019; DG20",
        PN_KEYS(dispatch_path),
        .order = {.keys = PN_DISPATCH_KEYS_STAGES},
        .param_count = 1,
        .params = {{"cp_first", 0, 0, 1, CP_FIRST, 1, "which path goes first"}},
        .key = cp_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_srpt(void)
{
    static const pn_dispatch_policy policy = {
        .name = "srpt",
        .summary = "the least pending work first",
        .source = "Schrage 1968; Grandl et al. 2014; DG21",
        PN_KEYS(dispatch_pending_work),
        .order = {.keys = PN_DISPATCH_KEYS_SERVED},
        .key = srpt_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_wfair(void)
{
    static const pn_dispatch_policy policy = {
        .name = "wfair",
        .summary = "shares in proportion to a power of the total work",
        .source = "Mao et al. 2019, baseline 5; DG22",
        PN_KEYS(dispatch_shares),
        .order = {.keys = PN_DISPATCH_KEYS_USED},
        .param_count = 1,
        .params = {{"alpha_permille", -1000, -4000, 4000, NULL, 1, "the power, permille"}},
        .key = wfair_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_tetris(void)
{
    static const pn_dispatch_policy policy = {
        .name = "tetris",
        .summary = "packs nodes one by one: best alignment, minus the job's remaining work",
        .source = "Grandl et al. 2014, 3.2-3.3; DG23",
        PN_KEYS(dispatch_packing),
        .order = {.keys = PN_DISPATCH_KEYS_SERVED, .packs = 1},
        .param_count = 1,
        .params = {{"tetris_m_permille", 1000, 0, 1000000, NULL, 1,
                    "what remaining work counts against alignment, permille"}},
        .init = tetris_init,
        .key = tetris_key,
        .align = tetris_align,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_hfsp(void)
{
    static const pn_dispatch_policy policy = {
        .name = "hfsp",
        .summary = "in the order in which jobs would finish under processor sharing",
        .source = "Pastorelli et al. 2013; Friedman and Henderson 2003; DG24",
        PN_KEYS(dispatch_virtual_end),
        .order = {.virtual_run = 1},
        .key = hfsp_key,
    };
    return &policy;
}

const pn_dispatch_policy *pn_dispatch_las(void)
{
    static const pn_dispatch_policy policy = {
        .name = "las",
        .summary = "the least attained service first",
        .source = "Gu et al. 2019, Tiresias; Chowdhury and Stoica 2015, Aalo; DG25",
        PN_KEYS(dispatch_attained),
        .order = {.keys = PN_DISPATCH_KEYS_GROWING},
        .key = las_key,
    };
    return &policy;
}

/* in the order in which lists show them */
static const pn_dispatch_policy *(*const dispatch_policies[])(void) = {
#ifdef PN_DISPATCH_POLICIES
    PN_DISPATCH_POLICIES,
#else
    pn_dispatch_fifo,   pn_dispatch_fair, pn_dispatch_drf,  pn_dispatch_capacity_queues,
    pn_dispatch_sjf_cp, pn_dispatch_cp,   pn_dispatch_srpt, pn_dispatch_wfair,
    pn_dispatch_tetris, pn_dispatch_hfsp, pn_dispatch_las,
#endif
};

const pn_dispatch_policy *pn_dispatch_policy_at(size_t index)
{
    return index < sizeof dispatch_policies / sizeof *dispatch_policies ? dispatch_policies[index]()
                                                                        : NULL;
}

const pn_dispatch_policy *pn_dispatch_policy_find(const char *name)
{
    const pn_dispatch_policy *policy;
    for (size_t i = 0; name && (policy = pn_dispatch_policy_at(i)); i++)
        if (pn_means_name(name, policy->name))
            return policy;
    return NULL;
}
