/* The built-in schedulers, written against the public policy interface and nothing else. */
#include "pinion.h"

#include "base/internal.h"
#include "base/settings.h"

#define PAPER "Lin, Zhang, Wierman, Tan 2013"

static const char *const YES_NO[] = {"false", "true", NULL};

/* ---- keys ---- */

/* Orders jobs with more shuffle work than map work first; in order of arrival within both kinds
 * (TA16). */
static void by_johnson(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_tandem_shuffle_size(view, job) >= pn_tandem_map_size(view, job) ? 0 : 1;
}

static void by_map_rank(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_tandem_rank(view, job, 0);
}

static void by_shuffle_rank(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_tandem_rank(view, job, 1);
}

/* ---- what the keys are ---- */

#define MAP_LEFT     "map work left"
#define SHUFFLE_LEFT "shuffle work left"
#define LONGEST_LEFT "the larger of map and shuffle work left"
#define REAL         .form = PN_KEY_REAL
#define SECOND_REAL  .form = PN_KEY_REAL, .word = 1

static const pn_key_part tandem_arrival[] = {{.name = "order of arrival"}, {0}};
static const pn_key_part tandem_line[] = {
    {.name = "order of arrival among those that wait for a share"}, {0}};
static const pn_key_part tandem_shares[] = {
    {.name = "all jobs share the stations at once", .form = PN_KEY_NONE}, {0}};
static const pn_key_part tandem_map[] = {
    {.name = MAP_LEFT, REAL}, {.name = SHUFFLE_LEFT, SECOND_REAL}, {0}};
/* the second word of pn_tandem_key_shuffle */
static const char *const STORED[] = {"has backlog", "", NULL};
static const pn_key_part tandem_shuffle[] = {{.name = SHUFFLE_LEFT, REAL},
                                             {.name = MAP_LEFT, SECOND_REAL, .bits = 63},
                                             {.name = "jobs with backlog go first among equal ones",
                                              .names = STORED,
                                              .form = PN_KEY_WHOLE,
                                              .word = 1,
                                              .shift = 63},
                                             {0}};
static const pn_key_part tandem_sum[] = {{.name = "map and shuffle work left", REAL}, {0}};
static const pn_key_part tandem_longest[] = {{.name = LONGEST_LEFT, REAL}, {0}};
static const pn_key_part tandem_kind[] = {
    {.name = "0: shuffle >= map work, 1: less; then by arrival", .form = PN_KEY_WHOLE}, {0}};
static const pn_key_part tandem_ranks[] = {
    {.name = "rank at the map station", .form = PN_KEY_WHOLE, .orders = "0"},
    {.name = "rank at the shuffle station", .form = PN_KEY_WHOLE, .orders = "1"},
    {0}};
/* ONE_MAPS and ONE_SHUFFLES, TWO_MAPS and TWO_SHUFFLES */
static const pn_key_part tandem_classes[] = {
    {.name = MAP_LEFT ", among jobs with no less of it than shuffle work", REAL, .orders = "02"},
    {.name = SHUFFLE_LEFT, SECOND_REAL, .orders = "02"},
    {.name = SHUFFLE_LEFT ", among jobs with less map work", REAL, .orders = "13"},
    {.name = MAP_LEFT, SECOND_REAL, .bits = 63, .orders = "13"},
    {0}};
static const pn_key_part tandem_backlog[] = {
    {.name = MAP_LEFT " times itself, or, while there is backlog, times " LONGEST_LEFT,
     REAL,
     .orders = "0"},
    {.name = LONGEST_LEFT, REAL, .orders = "1"},
    {0}};
static const pn_key_part tandem_map_alone[] = {
    {.name = MAP_LEFT, REAL, .orders = "0"}, {.name = LONGEST_LEFT, REAL, .orders = "1"}, {0}};

/* ---- one order at each station ---- */

enum { MAPS, SHUFFLES, ALL };

#define TANDEM_ORDERS(map_key, map_changes, shuffle_key, shuffle_changes)         \
    .map = {PN_TANDEM_FIRST, MAPS, 0}, .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0}, \
    .orders = {[MAPS] = {map_key, NULL, map_changes, PN_TANDEM_MAPPING},          \
               [SHUFFLES] = {shuffle_key, NULL, shuffle_changes, PN_TANDEM_BACKLOG}}
#define SAME_ORDERS(key, changes) .order_count = 2, TANDEM_ORDERS(key, changes, key, changes)

const pn_tandem_policy *pn_tandem_fcfs(void)
{
    static const pn_tandem_policy policy = {.name = "fcfs",
                                            .summary = "first come, first served at both stations",
                                            .source = "TA10",
                                            PN_KEYS(tandem_arrival),
                                            .work_conserving = PN_TANDEM_WORK_CONSERVING,
                                            SAME_ORDERS(NULL, PN_TANDEM_ON_ARRIVAL)};
    return &policy;
}

const pn_tandem_policy *pn_tandem_srptmap(void)
{
    static const pn_tandem_policy policy = {.name = "srptmap",
                                            .summary = "least map work left first",
                                            .source = "TA16",
                                            PN_KEYS(tandem_map),
                                            .work_conserving = PN_TANDEM_WORK_CONSERVING,
                                            SAME_ORDERS(pn_tandem_key_map, PN_TANDEM_WHEN_SERVED)};
    return &policy;
}

const pn_tandem_policy *pn_tandem_srptsum(void)
{
    static const pn_tandem_policy policy = {.name = "srptsum",
                                            .summary = "least map and shuffle work left first",
                                            .source = "TA16",
                                            PN_KEYS(tandem_sum),
                                            .work_conserving = PN_TANDEM_WORK_CONSERVING,
                                            SAME_ORDERS(pn_tandem_key_sum, PN_TANDEM_WHEN_SERVED)};
    return &policy;
}

const pn_tandem_policy *pn_tandem_johnson(void)
{
    static const pn_tandem_policy policy = {
        .name = "johnson",
        .summary = "jobs with more shuffle than map work first: least makespan of a batch",
        .source = "TA16",
        PN_KEYS(tandem_kind),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        SAME_ORDERS(by_johnson, PN_TANDEM_ON_ARRIVAL)};
    return &policy;
}

const pn_tandem_policy *pn_tandem_priority(void)
{
    static const pn_tandem_policy policy = {
        .name = "priority",
        .summary = "a fixed order at each station, given by the jobs' ranks",
        .source = "TA16",
        PN_KEYS(tandem_ranks),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        .order_count = 2,
        TANDEM_ORDERS(by_map_rank, PN_TANDEM_ON_ARRIVAL, by_shuffle_rank, PN_TANDEM_ON_ARRIVAL)};
    return &policy;
}

/* ---- maxsrpt (section 4.1, Algorithm 1, TA14) ---- */

static int maxsrpt_init(pn_tandem_view *view)
{
    const pn_tandem_service strict = {PN_TANDEM_STRICT, ALL, 0};
    return pn_tandem_param_value(view, 0) != 0.0 ? PN_OK : pn_tandem_serve(view, 1, strict);
}

const pn_tandem_policy *pn_tandem_maxsrpt(void)
{
    static const pn_tandem_policy policy = {
        .name = "maxsrpt",
        .summary = "least max(map, shuffle) work left first",
        .source = PAPER ", Algorithm 1, TA14",
        PN_KEYS(tandem_longest),
        .work_conserving = PN_TANDEM_WORK_CONSERVING_BY_DEFAULT,
        .order_count = 3,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {[MAPS] = {pn_tandem_key_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                   [SHUFFLES] = {pn_tandem_key_longest, NULL, PN_TANDEM_WHEN_SERVED,
                                 PN_TANDEM_BACKLOG},
                   [ALL] = {pn_tandem_key_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT}},
        .param_count = 1,
        .params = {{"work_conserving", 1, 0, 1, YES_NO, 1,
                    "whether shuffle capacity that the first job cannot use goes to others"}},
        .init = maxsrpt_init};
    return &policy;
}

/* ---- splitsrpt (section 4.2, Algorithm 2, TA15) ---- */

enum { ONE_MAPS, TWO_MAPS, ONE_SHUFFLES, TWO_SHUFFLES, RATIOS, SPLIT_ORDERS };
enum { LEND_NONE, LEND_EMPTY, LEND_FULL };

/* Returns whether a job is in class one: x >= y. */
static int in_one(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_map_size(view, job) >= pn_tandem_shuffle_size(view, job);
}

static int in_two(const pn_tandem_view *view, uint32_t job)
{
    return !in_one(view, job);
}

/* Returns max(x / y, y / x) of the sizes as seen; false when it is infinite. */
static bool imbalance(const pn_tandem_view *view, uint32_t job, double *ratio)
{
    double map = pn_tandem_map_size(view, job);
    double shuffle = pn_tandem_shuffle_size(view, job);
    double larger = map > shuffle ? map : shuffle;
    double smaller = map > shuffle ? shuffle : map;
    if (smaller == 0.0)
        return false;
    *ratio = larger / smaller;
    return true;
}

static int is_finite(const pn_tandem_view *view, uint32_t job)
{
    double ratio;
    return imbalance(view, job, &ratio);
}

static void by_imbalance(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    double ratio = 0.0;
    imbalance(view, job, &ratio);
    key->word[0] = pn_key_double(ratio);
}

/* How many jobs of each class are present, for `lend: empty`. */
typedef struct split_state {
    uint64_t present[2];
} split_state;

static int split_arrive(pn_tandem_view *view, uint32_t job)
{
    split_state *state = pn_tandem_state(view);
    state->present[in_two(view, job)]++;
    return PN_OK;
}

static void split_finish(pn_tandem_view *view, uint32_t job)
{
    split_state *state = pn_tandem_state(view);
    state->present[in_two(view, job)]--;
}

/* Divides the shares of one station: own[0] of class one, own[1] of class two. With `lend`, all
 * that is then idle goes to the class that can use it; one of them at most has work left. */
static void split_station(pn_tandem_view *view,
                          int (*fill)(pn_tandem_view *, uint32_t, double, double *),
                          const uint32_t orders[2], const double own[2], bool lend)
{
    double left[2] = {0.0, 0.0};
    for (int class = 0; class < 2; class ++)
        fill(view, orders[class], own[class], &left[class]);
    for (int class = 0; class < 2; class ++)
        if (lend && left[class] > 0.0)
            fill(view, orders[!class], PN_TANDEM_MOST, NULL);
}

static int splitsrpt(pn_tandem_view *view)
{
    static const uint32_t maps[2] = {ONE_MAPS, TWO_MAPS};
    static const uint32_t shuffles[2] = {ONE_SHUFFLES, TWO_SHUFFLES};
    const split_state *state = pn_tandem_state(view);
    double lend = pn_tandem_param_value(view, 0);
    double speed = pn_tandem_speed(view);
    double less = 0.0;
    double more = speed;
    uint32_t first = pn_tandem_first(view, RATIOS);
    if (first != PN_NO_JOB) {
        double beta = 1.0;
        imbalance(view, first, &beta);
        less = speed / (1.0 + beta);
        more = speed * beta / (1.0 + beta);
    }
    double map_shares[2] = {more, less};
    double shuffle_shares[2] = {less, more};
    if (lend == LEND_EMPTY)
        for (int one = 0; one < 2; one++)
            if (state->present[!one] == 0) {
                map_shares[one] = shuffle_shares[one] = speed;
                map_shares[!one] = shuffle_shares[!one] = 0.0;
                break;
            }
    split_station(view, pn_tandem_fill_map, maps, map_shares, lend == LEND_FULL);
    split_station(view, pn_tandem_fill_shuffle, shuffles, shuffle_shares, lend == LEND_FULL);
    return PN_OK;
}

static const char *const LENDING[] = {"none", "empty", "full", NULL};

const pn_tandem_policy *pn_tandem_splitsrpt(void)
{
    static const pn_tandem_policy policy = {
        .name = "splitsrpt",
        .summary = "map-heavy and shuffle-heavy jobs apart, each by its longer side",
        .source = PAPER ", Algorithm 2, TA15",
        PN_KEYS(tandem_classes),
        .work_conserving = PN_TANDEM_WORK_CONSERVING_BY_DEFAULT,
        .order_count = SPLIT_ORDERS,
        .orders =
            {[ONE_MAPS] = {pn_tandem_key_map, in_one, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
             [TWO_MAPS] = {pn_tandem_key_shuffle, in_two, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
             [ONE_SHUFFLES] = {pn_tandem_key_map, in_one, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG},
             [TWO_SHUFFLES] = {pn_tandem_key_shuffle, in_two, PN_TANDEM_WHEN_SERVED,
                               PN_TANDEM_BACKLOG},
             [RATIOS] = {by_imbalance, is_finite, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_PRESENT}},
        .param_count = 1,
        .params = {{"lend", LEND_FULL, LEND_NONE, LEND_FULL, LENDING, 1,
                    "what goes to the other class: nothing, all of an empty class, all that is not "
                    "used"}},
        .state_bytes = sizeof(split_state),
        .act = splitsrpt,
        .arrive = split_arrive,
        .finish = split_finish};
    return &policy;
}

/* ---- srptshuffle (TA17) ---- */

/* Returns when to wake: the first job with backlog is served what the job being mapped leaves, and
 * may catch up with it. Work that is seen as 0 shrinks no more: then they are level when the one
 * behind is there, too. */
static double srptshuffle_wake(const pn_tandem_view *view)
{
    uint32_t ahead = pn_tandem_first(view, MAPS);
    uint32_t behind = pn_tandem_first(view, SHUFFLES);
    if (ahead == PN_NO_JOB || behind == PN_NO_JOB || ahead == behind)
        return PN_TANDEM_NEVER;
    double ahead_left = pn_tandem_shuffle_left(view, ahead);
    double ahead_rate = pn_tandem_shuffle_rate(view, ahead);
    double behind_left = pn_tandem_shuffle_left(view, behind);
    double behind_rate = pn_tandem_shuffle_rate(view, behind);
    double lead = behind_left - ahead_left;
    double gain = behind_rate - ahead_rate;
    if (!(lead > 0.0) || !(behind_rate > 0.0))
        return PN_TANDEM_NEVER;
    double level = gain > 0.0 ? lead / gain : PN_TANDEM_NEVER;
    double end = behind_left / behind_rate;
    return ahead_left <= ahead_rate * end && end < level ? end : level;
}

const pn_tandem_policy *pn_tandem_srptshuffle(void)
{
    static const pn_tandem_policy policy = {
        .name = "srptshuffle",
        .summary = "least shuffle work left first",
        .source = "TA17",
        PN_KEYS(tandem_shuffle),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        SAME_ORDERS(pn_tandem_key_shuffle, PN_TANDEM_WHEN_SERVED),
        .wake = srptshuffle_wake};
    return &policy;
}

/* ---- sharing (TA11-TA13) ---- */

#define SHARES(map_way, shuffle_way)                                             \
    .order_count = 1, .map = {map_way, MAPS, 0}, .shuffle = {shuffle_way, 0, 0}, \
    .orders = {[MAPS] = {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}}

static int klps_init(pn_tandem_view *view)
{
    const pn_tandem_service shares = {PN_TANDEM_SHARE, MAPS,
                                      (uint32_t)pn_tandem_param_value(view, 0)};
    return pn_tandem_serve(view, 0, shares);
}

#define KLPS_PARAMS                                                                              \
    .param_count = 1,                                                                            \
    .params = {{"k", 100, 1, 4294967294.0, NULL, 1, "jobs that share the map station at once"}}, \
    .init = klps_init

const pn_tandem_policy *pn_tandem_ps(void)
{
    static const pn_tandem_policy policy = {.name = "ps",
                                            .summary = "equal shares of both stations",
                                            .source = "TA11",
                                            PN_KEYS(tandem_shares),
                                            .work_conserving = PN_TANDEM_WORK_CONSERVING,
                                            SHARES(PN_TANDEM_SHARE, PN_TANDEM_SHARE)};
    return &policy;
}

const pn_tandem_policy *pn_tandem_klps(void)
{
    static const pn_tandem_policy policy = {
        .name = "klps",
        .summary = "equal shares of the map station for the first k jobs, of the shuffle for all",
        .source = PAPER ", section 5.2, TA12",
        PN_KEYS(tandem_line),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        SHARES(PN_TANDEM_SHARE, PN_TANDEM_SHARE),
        KLPS_PARAMS};
    return &policy;
}

const pn_tandem_policy *pn_tandem_klps_rigid(void)
{
    static const pn_tandem_policy policy = {
        .name = "klps_rigid",
        .summary = "as klps, but the unused part of a job's shuffle share is lost",
        .source = "TA12",
        PN_KEYS(tandem_line),
        SHARES(PN_TANDEM_SHARE, PN_TANDEM_RIGID),
        KLPS_PARAMS};
    return &policy;
}

const pn_tandem_policy *pn_tandem_fcfs_ps(void)
{
    static const pn_tandem_policy policy = {
        .name = "fcfs_ps",
        .summary = "first come, first served at the map, equal shares of the shuffle",
        .source = PAPER ", section 2.3, TA13",
        PN_KEYS(tandem_line),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        SHARES(PN_TANDEM_FIRST, PN_TANDEM_SHARE)};
    return &policy;
}

/* ---- ours: bsrpt and xmax (TA18) ---- */

/* Orders by backlog: while the shuffle station has work in store, jobs that are short at both
 * stations are mapped first; when it is about to run dry, those that are mapped soonest. */
static void by_backlog(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    double map = pn_tandem_map_left(view, job);
    double longest = pn_tandem_longest_left(view, job);
    bool stored = pn_tandem_backlog_total(view) > pn_tandem_param_value(view, 0) * longest;
    key->word[0] = pn_key_double(map * (stored ? longest : map));
}

const pn_tandem_policy *pn_tandem_bsrpt(void)
{
    static const pn_tandem_policy policy = {
        .name = "bsrpt",
        .summary =
            "shortest at both stations first while there is backlog, else shortest map first",
        .source = "TA18, ours",
        PN_KEYS(tandem_backlog),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        .order_count = 2,
        TANDEM_ORDERS(by_backlog, PN_TANDEM_AT_INSTANTS, pn_tandem_key_longest,
                      PN_TANDEM_WHEN_SERVED),
        .param_count = 1,
        .params = {{"theta", 0.3, 0, 1e300, NULL, 0,
                    "backlog of all jobs, in units of a job's longer side, above which both sides "
                    "count"}}};
    return &policy;
}

static void by_map_alone(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job));
}

const pn_tandem_policy *pn_tandem_xmax(void)
{
    static const pn_tandem_policy policy = {
        .name = "xmax",
        .summary = "shortest map first, shuffle by max(map, shuffle) work left",
        .source = "TA18 with infinite theta, ours",
        PN_KEYS(tandem_map_alone),
        .work_conserving = PN_TANDEM_WORK_CONSERVING,
        .order_count = 2,
        TANDEM_ORDERS(by_map_alone, PN_TANDEM_WHEN_SERVED, pn_tandem_key_longest,
                      PN_TANDEM_WHEN_SERVED)};
    return &policy;
}

/* ---- all of them ---- */

/* in the order in which lists show them */
static const pn_tandem_policy *(*const tandem_policies[])(void) = {
#ifdef PN_TANDEM_POLICIES
    PN_TANDEM_POLICIES,
#else
    pn_tandem_fcfs,    pn_tandem_ps,          pn_tandem_klps,      pn_tandem_klps_rigid,
    pn_tandem_fcfs_ps, pn_tandem_maxsrpt,     pn_tandem_splitsrpt, pn_tandem_srptmap,
    pn_tandem_srptsum, pn_tandem_srptshuffle, pn_tandem_johnson,   pn_tandem_priority,
    pn_tandem_bsrpt,   pn_tandem_xmax,
#endif
};

const pn_tandem_policy *pn_tandem_policy_at(size_t index)
{
    return index < sizeof tandem_policies / sizeof *tandem_policies ? tandem_policies[index]()
                                                                    : NULL;
}

const pn_tandem_policy *pn_tandem_policy_find(const char *name)
{
    const pn_tandem_policy *policy;
    for (size_t i = 0; name && (policy = pn_tandem_policy_at(i)); i++)
        if (pn_means_name(name, policy->name))
            return policy;
    return NULL;
}
