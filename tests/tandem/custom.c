/* Policies of one's own, through the public interface: built-in ones written anew in other forms
 * must lead to their schedules, what the view tells must be what the hooks saw, and however a run
 * is driven, its policy must not notice. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tandem/support/workload.h"

enum { JOBS = 80, SEEDS = 6 };

static const tandem_shape shapes[] = {
    {.rate = 0.75, .map = 1, .shuffle = 1, .odd = 1},
    {.rate = 0.75, .map = 0.8, .shuffle = 1.1, .estimates = 1},
    {.rate = 0.7, .map = 1.2, .shuffle = 1, .grain = 2, .odd = 1}, /* many ties */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- comparing ---- */

static pn_tandem_config config_for(const tandem_workload *work, const tandem_shape *shape,
                                   const pn_tandem_policy *policy, uint32_t traditional)
{
    pn_tandem_config config = tandem_config(work, traditional);
    config.estimates = shape->estimates;
    config.policy = policy;
    config.speed = 1.5;
    return config;
}

enum comparison { SAME_DIGEST, SAME_TOTAL, SAME_TOTAL_IF_EXACT /* without misjudged jobs */ };

/* Two policies on all workloads; where rates are reached by other roundings, totals agree if there
 * are no ties. */
static void check_same(const pn_tandem_policy *a, const double *a_params, const pn_tandem_policy *b,
                       const double *b_params, enum comparison how)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int s = 0; s < SHAPES; s++)
            for (uint32_t traditional = 0; traditional <= 1; traditional++) {
                if (how == SAME_TOTAL_IF_EXACT && shapes[s].estimates)
                    continue;
                tandem_workload work = tandem_new(JOBS, seed, shapes[s]);
                pn_tandem_config config = config_for(&work, &shapes[s], a, traditional);
                pn_tandem_totals totals[2];
                uint64_t digest = tandem_digest(&work, &config,
                                                &(pn_tandem_hooks){.policy = a, .params = a_params},
                                                &totals[0]);
                config.policy = b;
                uint64_t other = tandem_digest(&work, &config,
                                               &(pn_tandem_hooks){.policy = b, .params = b_params},
                                               &totals[1]);
                if (how == SAME_DIGEST && digest != other)
                    fail_msg("%s and %s differ: seed %llu, shape %d, traditional %u", a->name,
                             b->name, (unsigned long long)seed, s, traditional);
                double difference = fabs(totals[0].total_response_time -
                                         totals[1].total_response_time);
                if (how != SAME_DIGEST && shapes[s].grain == 0 &&
                    difference > 1e-10 * totals[0].total_response_time)
                    fail_msg("%s and %s differ by %g: seed %llu, shape %d, traditional %u", a->name,
                             b->name, difference, (unsigned long long)seed, s, traditional);
                tandem_free(&work);
            }
}

/* ---- srptmap ---- */

enum { MAPS, SHUFFLES, ALL };

static int fill_both(pn_tandem_view *view)
{
    double left = -1;
    int status = pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, &left);
    assert_true(left == (pn_tandem_first(view, MAPS) == PN_NO_JOB
                             ? PN_TANDEM_MOST
                             : PN_TANDEM_MOST - pn_tandem_speed(view)));
    assert_true(pn_tandem_map_idle(view) ==
                (pn_tandem_first(view, MAPS) == PN_NO_JOB ? pn_tandem_speed(view) : 0));
    return status == PN_OK ? pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL) : status;
}

/* TA7 and TA8 job by job along an order of all that are present. */
static int give_along(pn_tandem_view *view)
{
    double capacity = pn_tandem_speed(view);
    int status = PN_OK;
    uint32_t job = pn_tandem_first(view, 0);
    while (job != PN_NO_JOB && !pn_tandem_mapping(view, job))
        job = pn_tandem_next(view, 0, job);
    if (job != PN_NO_JOB)
        status = pn_tandem_give_map(view, job, capacity);
    for (job = pn_tandem_first(view, 0); job != PN_NO_JOB && status == PN_OK;
         job = pn_tandem_next(view, 0, job)) {
        double room = pn_tandem_backlog(view, job) > 0 ? capacity
                                                       : pn_tandem_generation_rate(view, job);
        double given = room < capacity ? room : capacity;
        status = pn_tandem_give_shuffle(view, job, given);
        capacity -= given;
    }
    return status;
}

static void srptmap_in_other_words(void **unused)
{
    pn_tandem_policy served = {
        .name = "served",
        .order_count = 2,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{tandem_by_map, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                   {tandem_by_map, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}}};
    pn_tandem_policy along = {
        .name = "along",
        .order_count = 1,
        .orders = {{tandem_by_map, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT}},
        .act = give_along};
    (void)unused;
    check_same(pn_tandem_srptmap(), NULL, &served, NULL, SAME_DIGEST);
    served.orders[MAPS].changes = PN_TANDEM_AT_INSTANTS;
    check_same(pn_tandem_srptmap(), NULL, &served, NULL, SAME_DIGEST);
    served.orders[SHUFFLES].changes = PN_TANDEM_AT_INSTANTS;
    check_same(pn_tandem_srptmap(), NULL, &served, NULL, SAME_DIGEST);
    served.act = fill_both;
    check_same(pn_tandem_srptmap(), NULL, &served, NULL, SAME_DIGEST);
    served.orders[MAPS].changes = PN_TANDEM_WHEN_SERVED;
    check_same(pn_tandem_srptmap(), NULL, &served, NULL, SAME_DIGEST);
    check_same(pn_tandem_srptmap(), NULL, &along, NULL, SAME_DIGEST);
    along.orders[0].changes = PN_TANDEM_AT_INSTANTS;
    check_same(pn_tandem_srptmap(), NULL, &along, NULL, SAME_DIGEST);

    /* the test is only worth something if another order leads elsewhere */
    tandem_workload work = tandem_new(JOBS, 1, shapes[0]);
    pn_tandem_config config = config_for(&work, &shapes[0], NULL, 0);
    assert_true(
        tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = pn_tandem_srptmap()}, NULL) !=
        tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = pn_tandem_srptsum()}, NULL));
    tandem_free(&work);
}

/* ---- fcfs: without a key, by a key that says nothing, by equal ranks, last come first served by
 * its id  */

static void by_nothing(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    assert_true(key->word[0] == 0 && key->word[1] == pn_tandem_id(view, job));
}

static void fcfs_in_other_words(void **unused)
{
    const pn_tandem_policy nothing = {
        .name = "nothing",
        .order_count = 2,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{by_nothing, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {by_nothing, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG}}};
    const pn_tandem_policy one = {
        .name = "one",
        .order_count = 1,
        .map = {PN_TANDEM_SHARE, MAPS, 1},
        .shuffle = {PN_TANDEM_SHARE, 0, 0},
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}}};
    (void)unused;
    check_same(pn_tandem_fcfs(), NULL, &nothing, NULL, SAME_DIGEST);
    check_same(pn_tandem_fcfs_ps(), NULL, &one, NULL, SAME_DIGEST);
}

/* ---- maxsrpt, with pn_tandem_serve ---- */

static int init_that_serves(pn_tandem_view *view)
{
    const pn_tandem_service first_map = {PN_TANDEM_FIRST, MAPS, 0},
                            first_shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0};
    const pn_tandem_service strict = {PN_TANDEM_STRICT, ALL, 0};
    const pn_tandem_service wrong[] = {{PN_TANDEM_FIRST, ALL, 0},
                                       {PN_TANDEM_STRICT, MAPS, 0},
                                       {PN_TANDEM_STRICT, SHUFFLES, 0},
                                       {PN_TANDEM_FIRST, 3, 0},
                                       {4, MAPS, 0},
                                       {255, 255, 0}};
    for (uint32_t station = 0; station <= 3; station++)
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
            assert_int_equal(pn_tandem_serve(view, station, wrong[i]), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_serve(view, 0, first_shuffle), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_serve(view, 1, first_map), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_serve(view, 0, strict), PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_serve(view, 2, first_map), PN_ERR_ARGUMENT);
    /* keys change */
    assert_int_equal(pn_tandem_serve(view, 0, (pn_tandem_service){PN_TANDEM_SHARE, MAPS, 0}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_tandem_serve(view, 0, first_map), PN_OK);
    assert_int_equal(pn_tandem_serve(view, 1, strict), PN_OK);
    return pn_tandem_param_value(view, 0) != 0 ? pn_tandem_serve(view, 1, first_shuffle) : PN_OK;
}

static void maxsrpt_in_other_words(void **unused)
{
    static const double choices[] = {0, 1};
    const pn_tandem_policy served = {
        .name = "served",
        .order_count = 3,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_RIGID, 0, 0}, /* changed by init */
        .orders = {{tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                   {tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG},
                   {tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT}},
        .param_count = 1,
        .params = {{"choice", 0, 0, 1, NULL, 1, ""}},
        .init = init_that_serves};
    (void)unused;
    for (int i = 0; i <= 1; i++)
        check_same(pn_tandem_maxsrpt(), &choices[i], &served, &choices[i], SAME_DIGEST);
}

/* ---- splitsrpt, looking at every place ---- */

enum { ONE, TWO };

/* Smaller first; ties by id. */
typedef struct split_key {
    double part[3];
    uint64_t id;
} split_key;

static int class_of(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_map_size(view, job) >= pn_tandem_shuffle_size(view, job) ? ONE : TWO;
}

static split_key split_key_of(const pn_tandem_view *view, uint32_t job)
{
    double x = pn_tandem_map_left(view, job), y = pn_tandem_shuffle_left(view, job);
    uint64_t id = pn_tandem_id(view, job);
    if (class_of(view, job) == ONE)
        return (split_key){{x, y, 0}, id};
    return (split_key){{y, pn_tandem_backlog(view, job) > 0 ? 0 : 1, x}, id};
}

static bool split_before(const split_key *a, const split_key *b)
{
    for (int i = 0; i < 3; i++)
        if (a->part[i] != b->part[i])
            return a->part[i] < b->part[i];
    return a->id < b->id;
}

/* The next job of a class after one key; PN_NO_JOB when there is none. */
static uint32_t split_next(const pn_tandem_view *view, int class, const split_key *after)
{
    uint32_t best = PN_NO_JOB;
    split_key best_key = {{0, 0, 0}, 0};
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job) || class_of(view, job) != class)
            continue;
        split_key key = split_key_of(view, job);
        if ((!after || split_before(after, &key)) &&
            (best == PN_NO_JOB || split_before(&key, &best_key))) {
            best = job;
            best_key = key;
        }
    }
    return best;
}

/* TA7 and TA8 inside a class; what is left of the capacity. */
static double split_serve(pn_tandem_view *view, int class, int station, double capacity)
{
    uint32_t job = split_next(view, class, NULL);
    while (job != PN_NO_JOB && capacity > 0) {
        split_key key = split_key_of(view, job);
        double room = capacity;
        if (station == 0)
            room = pn_tandem_mapping(view, job) ? capacity : 0;
        else if (pn_tandem_backlog(view, job) == 0)
            room = pn_tandem_generation_rate(view, job) - pn_tandem_shuffle_rate(view, job);
        double given = room < capacity ? room : capacity;
        assert_int_equal(station == 0 ? pn_tandem_give_map(view, job, given)
                                      : pn_tandem_give_shuffle(view, job, given),
                         PN_OK);
        capacity -= given;
        job = split_next(view, class, &key);
    }
    return capacity;
}

static int split_act(pn_tandem_view *view)
{
    double speed = pn_tandem_speed(view), beta = INFINITY;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        double x = pn_tandem_map_size(view, job), y = pn_tandem_shuffle_size(view, job);
        double ratio = x == 0 || y == 0 ? INFINITY : x > y ? x / y : y / x;
        beta = ratio < beta ? ratio : beta;
    }
    double less = speed / (1 + beta);
    double more = beta == INFINITY ? speed : speed * beta / (1 + beta);
    for (int station = 0; station < 2; station++) {
        double left_one = split_serve(view, ONE, station, station == 0 ? more : less);
        double left_two = split_serve(view, TWO, station, station == 0 ? less : more);
        if (pn_tandem_param_value(view, 0) == 0)
            continue;
        split_serve(view, TWO, station, left_one);
        split_serve(view, ONE, station, left_two);
    }
    return PN_OK;
}

static void splitsrpt_in_other_words(void **unused)
{
    static const double none[] = {0}, full[] = {2}, lending[] = {1};
    const pn_tandem_policy split = {.name = "split",
                                    .param_count = 1,
                                    .params = {{"lending", 0, 0, 1, NULL, 1, ""}},
                                    .act = split_act};
    (void)unused;
    /* Without lending, a job that seems to have no shuffle work would wait for ever. */
    check_same(pn_tandem_splitsrpt(), none, &split, none, SAME_TOTAL_IF_EXACT);
    check_same(pn_tandem_splitsrpt(), full, &split, lending, SAME_TOTAL);
}

/* ---- sharing, set by hand ---- */

static double level_of(const pn_tandem_view *view, bool rigid)
{
    double rest = pn_tandem_speed(view);
    bool fixed[JOBS] = {false};
    for (;;) {
        uint32_t open = 0, all = 0;
        for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
            bool wants = pn_tandem_active(view, job) && (pn_tandem_backlog(view, job) > 0 ||
                                                         pn_tandem_generation_rate(view, job) > 0);
            open += wants && !fixed[job];
            all += wants;
        }
        if (open == 0)
            return pn_tandem_speed(view); /* enough for all of them */
        double level = rigid ? rest / all : rest / open;
        bool changed = false;
        for (uint32_t job = 0; job < pn_tandem_jobs_max(view) && !rigid; job++) {
            if (fixed[job] || !pn_tandem_active(view, job) || pn_tandem_backlog(view, job) > 0)
                continue;
            double generated = pn_tandem_generation_rate(view, job);
            if (generated == 0 || generated > level)
                continue;
            fixed[job] = changed = true;
            rest -= generated;
        }
        if (!changed)
            return level;
    }
}

/* Parameters: how many jobs share the map station, whether what is left of shuffle shares is
 * lost. */
static int share_act(pn_tandem_view *view)
{
    uint32_t limit = (uint32_t)pn_tandem_param_value(view, 0), sharing = 0;
    bool rigid = pn_tandem_param_value(view, 1) != 0;
    uint32_t served[JOBS];
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB && sharing < limit;
         job = pn_tandem_next(view, 0, job))
        served[sharing++] = job;
    for (uint32_t i = 0; i < sharing; i++)
        assert_int_equal(pn_tandem_give_map(view, served[i], pn_tandem_speed(view) / sharing),
                         PN_OK);
    double level = level_of(view, rigid);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        double generated = pn_tandem_generation_rate(view, job);
        double rate = pn_tandem_backlog(view, job) > 0 ? level
                      : generated < level              ? generated
                                                       : level;
        assert_int_equal(pn_tandem_give_shuffle(view, job, rate), PN_OK);
    }
    return PN_OK;
}

static void sharing_in_other_words(void **unused)
{
    static const double all[] = {JOBS, 0}, three[] = {3, 0}, three_rigid[] = {3, 1}, one[] = {1, 0};
    const pn_tandem_policy shared = {
        .name = "shared",
        .order_count = 1,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
        .param_count = 2,
        .params = {{"limit", 1, 1, JOBS, NULL, 1, ""}, {"rigid", 0, 0, 1, NULL, 1, ""}},
        .act = share_act};
    (void)unused;
    check_same(pn_tandem_ps(), NULL, &shared, all, SAME_TOTAL);
    check_same(pn_tandem_klps(), three, &shared, three, SAME_TOTAL);
    check_same(pn_tandem_klps_rigid(), three, &shared, three_rigid, SAME_TOTAL);
    check_same(pn_tandem_fcfs_ps(), NULL, &shared, one, SAME_TOTAL);
}

/* Shares of the map station in an order of one's own: those in front push others out. */
static void by_size(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_size(view, job) + pn_tandem_shuffle_size(view, job));
}

static void shares_by_a_key(void **unused)
{
    static const double two[] = {2, 0}, two_rigid[] = {2, 1};
    pn_tandem_policy by_hand = {
        .name = "by_hand",
        .order_count = 1,
        .orders = {{by_size, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
        .param_count = 2,
        .params = {{"limit", 1, 1, JOBS, NULL, 1, ""}, {"rigid", 0, 0, 1, NULL, 1, ""}},
        .act = share_act};
    pn_tandem_policy served = by_hand;
    (void)unused;
    served.name = "served";
    served.act = NULL;
    served.map = (pn_tandem_service){PN_TANDEM_SHARE, 0, 2};
    served.shuffle.way = PN_TANDEM_SHARE;
    check_same(&served, NULL, &by_hand, two, SAME_TOTAL);
    served.shuffle.way = PN_TANDEM_RIGID;
    check_same(&served, NULL, &by_hand, two_rigid, SAME_TOTAL);
}

/* Asks between the decisions of a run by shares: the backlogs add up. */
static void arrive_and_ask(const pn_tandem_view *view)
{
    double total = 0.0;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        total += pn_tandem_backlog(view, job);
        assert_true(pn_tandem_shuffle_left(view, job) >= 0.0);
        assert_in_range(pn_tandem_mapping(view, job), 0, 1);
        assert_true(pn_tandem_map_rate(view, job) == 0.0); /* nothing is being decided */
    }
    assert_true(fabs(total - pn_tandem_backlog_total(view)) <= 1e-9 * (1.0 + total));
}

static int asking_arrive(pn_tandem_view *view, uint32_t job)
{
    (void)job;
    arrive_and_ask(view);
    return PN_OK;
}

static void asking_finish(pn_tandem_view *view, uint32_t job)
{
    (void)job;
    arrive_and_ask(view);
}

static int every_second(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_id(view, job) % 2 == 0;
}

/* Hooks that change nothing, and orders that serve no station, change no schedule, whatever engine
 * a run has without them. */
static void what_only_asks_changes_nothing(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_klps(), pn_tandem_fcfs(),
                                                pn_tandem_srptmap(), pn_tandem_maxsrpt()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        for (int what = 0; what < 4; what++) {
            pn_tandem_policy asked = *policies[i];
            if (what == 0)
                asked.arrive = asking_arrive;
            if (what == 1)
                asked.finish = asking_finish;
            if (what >= 2)
                asked.orders[asked.order_count++] = what == 2
                                                        ? (pn_tandem_order){NULL, every_second,
                                                                            PN_TANDEM_ON_ARRIVAL,
                                                                            PN_TANDEM_MAPPING}
                                                        : (pn_tandem_order){NULL, NULL,
                                                                            PN_TANDEM_ON_ARRIVAL,
                                                                            PN_TANDEM_PRESENT};
            check_same(policies[i], NULL, &asked, NULL, SAME_DIGEST);
        }
}

/* The backlogs of the jobs present add up to the total, while a job that arrives is put into one
 * order after the other: these ask. */
static void by_sum_of_backlogs(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    double total = 0.0;
    (void)key;
    assert_true(pn_tandem_active(view, job));
    for (uint32_t other = 0; other < pn_tandem_jobs_max(view); other++)
        total += pn_tandem_active(view, other) ? pn_tandem_backlog(view, other) : 0.0;
    assert_true(fabs(total - pn_tandem_backlog_total(view)) <= 1e-9 * (1.0 + total));
}

static unsigned keys_asked;

/* By id, and counts. */
static void by_id_counted(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    (void)view;
    (void)job;
    (void)key;
    keys_asked++;
}

static double wake_never(const pn_tandem_view *view)
{
    (void)view;
    return PN_TANDEM_NEVER;
}

static void orders_that_ask_see_a_job_once(void **unused)
{
    pn_tandem_policy asking = {
        .name = "asking",
        .order_count = 3,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{by_sum_of_backlogs, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {by_sum_of_backlogs, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG},
                   {by_sum_of_backlogs, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
        .wake = wake_never};
    (void)unused;
    check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
    asking.order_count = 2; /* another engine */
    check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
    asking.orders[MAPS].changes = asking.orders[SHUFFLES].changes = PN_TANDEM_WHEN_SERVED;
    check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
    asking.orders[MAPS].changes = asking.orders[SHUFFLES].changes = PN_TANDEM_AT_INSTANTS;
    check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
    asking.act = fill_both;
    asking.wake = NULL;
    check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
}

/* Whatever happens to the keys of another order. */
static void keys_that_never_change_are_asked_for_once(void **unused)
{
    unsigned once = 0;
    pn_tandem_policy asking = {
        .name = "asking",
        .order_count = 2,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{by_id_counted, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {by_sum_of_backlogs, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
        .wake = wake_never};
    (void)unused;
    for (uint8_t changes = PN_TANDEM_WHEN_SERVED; changes <= PN_TANDEM_AT_INSTANTS; changes++) {
        asking.orders[SHUFFLES].changes = changes;
        keys_asked = 0;
        check_same(pn_tandem_fcfs(), NULL, &asking, NULL, SAME_DIGEST);
        assert_true(keys_asked > 0 && (once == 0 || keys_asked == once));
        once = keys_asked;
    }
}

/* Walks an order of jobs that are to be mapped. */
static double wake_and_ask(const pn_tandem_view *view)
{
    const pn_tandem_policy *policy = pn_tandem_policy_of(view);
    uint32_t order = policy->order_count - 1u, count = 0, last = 0;
    /* Where shares are taken, jobs wait for one in the order. */
    bool shares = !policy->act && policy->shuffle.way >= PN_TANDEM_SHARE;
    for (uint32_t job = pn_tandem_first(view, order); job != PN_NO_JOB;
         job = pn_tandem_next(view, order, job), count++) {
        assert_true(pn_tandem_active(view, job) && pn_tandem_mapping(view, job));
        assert_true(pn_tandem_id(view, job) > last);
        last = (uint32_t)pn_tandem_id(view, job);
    }
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view) && !shares; job++)
        count -= pn_tandem_active(view, job) && pn_tandem_mapping(view, job);
    assert_true(shares || count == 0);
    return PN_TANDEM_NEVER;
}

static void orders_of_who_wakes_up_are_kept(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_klps(), pn_tandem_fcfs(),
                                                pn_tandem_fcfs_ps(), pn_tandem_srptmap(),
                                                pn_tandem_splitsrpt()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        pn_tandem_policy asked = *policies[i];
        asked.wake = wake_and_ask;
        asked.orders[asked.order_count++] = (pn_tandem_order){NULL, NULL, PN_TANDEM_ON_ARRIVAL,
                                                              PN_TANDEM_MAPPING};
        check_same(policies[i], NULL, &asked, NULL, SAME_DIGEST);
    }
}

/* Keys that change at instants are computed again in the orders that serve, if they have any. */
static void orders_without_a_use_are_not_renewed(void **unused)
{
    pn_tandem_policy policy = {
        .name = "idle_order",
        .order_count = 3,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{by_nothing, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_MAPPING},
                   {NULL, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG},
                   {by_nothing, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_PRESENT}}};
    (void)unused;
    check_same(pn_tandem_fcfs(), NULL, &policy, NULL, SAME_DIGEST);
}

/* A share of the shuffle station beside one map, in an order whose keys change. */
static int one_map_act(pn_tandem_view *view)
{
    uint32_t first = pn_tandem_first(view, MAPS);
    bool rigid = pn_tandem_param_value(view, 0) != 0;
    if (first != PN_NO_JOB)
        assert_int_equal(pn_tandem_give_map(view, first, pn_tandem_speed(view)), PN_OK);
    double level = level_of(view, rigid);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        double generated = pn_tandem_generation_rate(view, job);
        bool full = pn_tandem_backlog(view, job) > 0 || generated > level;
        assert_int_equal(pn_tandem_give_shuffle(view, job, full ? level : generated), PN_OK);
    }
    return PN_OK;
}

static void one_map_beside_shares(void **unused)
{
    static const double choices[] = {0, 1};
    pn_tandem_policy served = {
        .name = "served",
        .order_count = 1,
        .map = {PN_TANDEM_FIRST, MAPS, 0},
        .orders = {{tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING}},
        .param_count = 1,
        .params = {{"rigid", 0, 0, 1, NULL, 1, ""}}};
    (void)unused;
    for (int rigid = 0; rigid <= 1; rigid++) {
        served.shuffle.way = rigid ? PN_TANDEM_RIGID : PN_TANDEM_SHARE;
        pn_tandem_policy by_hand = served;
        by_hand.name = "by_hand";
        by_hand.act = one_map_act;
        check_same(&served, &choices[rigid], &by_hand, &choices[rigid], SAME_TOTAL);
    }
}

/* One station by shares, the other by an order. */
static int mixed_act(pn_tandem_view *view)
{
    uint32_t sharing = 0;
    for (uint32_t job = pn_tandem_first(view, MAPS); job != PN_NO_JOB;
         job = pn_tandem_next(view, MAPS, job))
        sharing++;
    for (uint32_t job = pn_tandem_first(view, MAPS); job != PN_NO_JOB;
         job = pn_tandem_next(view, MAPS, job))
        assert_int_equal(pn_tandem_give_map(view, job, pn_tandem_speed(view) / sharing), PN_OK);
    return pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL);
}

static void shares_of_one_station_alone(void **unused)
{
    pn_tandem_policy served = {
        .name = "served",
        .order_count = 2,
        .map = {PN_TANDEM_SHARE, MAPS, 0},
        .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                   {tandem_by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}}};
    pn_tandem_policy by_hand = served;
    (void)unused;
    by_hand.name = "by_hand";
    by_hand.act = mixed_act;
    check_same(&served, NULL, &by_hand, NULL, SAME_TOTAL);
}

/* ---- wake-ups ---- */

static double wake_often(const pn_tandem_view *view)
{
    return 0.0625 * (1 + (double)(pn_tandem_in_system(view) % 3));
}

/* Looking again does not change what is right, whatever the engine. (Misjudged jobs may overtake
 * each other between instants.) */
static void waking_up_changes_nothing(void **unused)
{
    const pn_tandem_policy *const policies[] = {pn_tandem_fcfs(),       pn_tandem_maxsrpt(),
                                                pn_tandem_splitsrpt(),  pn_tandem_ps(),
                                                pn_tandem_klps_rigid(), pn_tandem_srptmap()};
    (void)unused;
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        pn_tandem_policy waking = *policies[i];
        waking.name = "waking";
        waking.wake = wake_often;
        check_same(policies[i], NULL, &waking, NULL, SAME_TOTAL_IF_EXACT);
    }
}

/* Each job is left alone for the first unit of time. */
static int act_with_delay(pn_tandem_view *view)
{
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB;
         job = pn_tandem_next(view, 0, job))
        if (pn_tandem_age(view, job) >= 1)
            return pn_tandem_give_map(view, job, pn_tandem_speed(view));
    return PN_OK;
}

static double wake_after_delay(const pn_tandem_view *view)
{
    double least = PN_TANDEM_NEVER;
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB;
         job = pn_tandem_next(view, 0, job)) {
        double rest = 1 - pn_tandem_age(view, job);
        assert_true(pn_tandem_map_rate(view, job) == 0 || rest <= 0); /* rates can be asked for */
        if (rest > 0 && rest < least)
            least = rest;
    }
    return least;
}

static void finish_with_delay(void *user, const pn_tandem_finish *finish)
{
    double *last = user;
    double start = finish->arrival + 1 > *last ? finish->arrival + 1 : *last;
    *last = start + finish->map / 1.5;
    assert_true(fabs(finish->finish - *last) <= 1e-12 * *last);
}

static void waking_up_at_a_time_of_its_own(void **unused)
{
    const pn_tandem_policy policy = {
        .name = "delay",
        .order_count = 1,
        .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
        .act = act_with_delay,
        .wake = wake_after_delay};
    tandem_workload work = tandem_new(JOBS, 61, shapes[0]);
    pn_tandem_config config = config_for(&work, &shapes[0], &policy, 0);
    double last = 0;
    pn_tandem_hooks hooks = {.policy = &policy, .on_finish = finish_with_delay, .user = &last};
    (void)unused;
    for (size_t i = 0; i < work.count; i++) {
        work.jobs[i].shuffle = 0;
        work.jobs[i].map = work.jobs[i].map > 0 ? work.jobs[i].map : 0.5;
    }
    tandem_digest(&work, &config, &hooks, NULL);
    tandem_free(&work);
}

static double wake_at_once(const pn_tandem_view *view)
{
    (void)view;
    return 5e-324;
}

/* The least is 64 ulp, so that time advances. */
static void impatience_has_a_limit(void **unused)
{
    pn_tandem_policy policy = *pn_tandem_fcfs();
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_totals totals;
    (void)unused;
    policy.name = "impatient";
    policy.wake = wake_at_once;
    config.jobs_max = 2;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 0, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 0.75, .map = 1}, NULL),
                     PN_OK);
    assert_int_equal(pn_tandem_run(sim, &(pn_tandem_hooks){.policy = &policy}, 0.75, 10000),
                     PN_PAUSED);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 10000 && totals.time > 0 && totals.time < 0.75);
    free(sim);
}

/* Wake-ups that change nothing and come at once are given twice the time, again and again, up to
 * 2^40 times the least: a 64th of the time, which is 1 when the work of 1 begins. */
static void impatience_is_answered_with_patience(void **unused)
{
    pn_tandem_policy policy = *pn_tandem_fcfs();
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_totals totals;
    (void)unused;
    policy.name = "impatient";
    policy.wake = wake_at_once;
    config.jobs_max = 1;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 1, .map = 1}, NULL), PN_OK);
    assert_int_equal(
        pn_tandem_run(sim, &(pn_tandem_hooks){.policy = &policy}, PN_TANDEM_FOREVER, 200), PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_in_range(totals.instants, 40 + 32, 40 + 64);
    assert_true(fabs(totals.last_finish - 2) < 1e-12);
    free(sim);
}

/* ---- shares of many ---- */

/* All map alike, and shuffle alike, twice as much: they grow until 40, and end at 80. */
static void many_jobs_share_alike(void **unused)
{
    enum { MANY = 40 };
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_totals totals;
    (void)unused;
    config.jobs_max = MANY;
    pn_tandem *sim = tandem_sim(&config);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.map = 1, .shuffle = 2}, NULL),
                         PN_OK);
    assert_int_equal(pn_tandem_run(sim, &(pn_tandem_hooks){.policy = pn_tandem_ps()},
                                   PN_TANDEM_FOREVER, UINT64_MAX),
                     PN_DONE);
    pn_tandem_totals_get(sim, &totals);
    assert_true(fabs(totals.total_response_time - MANY * 80.0) < 1e-9);
    free(sim);
}

/* Two large jobs generate 3/2 and 1 and are shuffled at 1/2 each. From 1 on eight more are mapped,
 * which leaves a tenth to each, and what was generated is no more than the rounding of their sizes:
 * at the next instant both are shuffled as fast as they generate. */
static void backlogs_end_together(void **unused)
{
    pn_tandem_config config = pn_tandem_defaults();
    tandem_log log = {NULL, 0, 0};
    pn_tandem_hooks hooks = {
        .policy = pn_tandem_ps(), .on_decision = tandem_log_decision, .user = &log};
    (void)unused;
    config.jobs_max = 11;
    pn_tandem *sim = tandem_sim(&config);
    for (int i = 0; i < 11; i++) {
        pn_tandem_job job = {.arrival = i < 10 ? 1 : 2, .map = 9};
        if (i < 2)
            job = (pn_tandem_job){.map = 0x1p100, .shuffle = i == 0 ? 0x1.8p101 : 0x1p101};
        assert_int_equal(pn_tandem_submit(sim, &job, NULL), PN_OK);
    }
    assert_int_equal(pn_tandem_run(sim, &hooks, 3, UINT64_MAX), PN_OK);
    double rates[3] = {0, 0, 0}, maps[3] = {0, 0, 0};
    for (size_t i = 0; i < log.count; i++)
        if (log.entry[i].id <= 2) {
            rates[log.entry[i].id] = log.entry[i].shuffle_rate;
            maps[log.entry[i].id] = log.entry[i].map_rate;
        }
    assert_true(maps[1] == maps[2] && fabs(maps[1] - 1.0 / 11) < 1e-12);
    assert_true(fabs(rates[1] - 3.0 / 11) < 1e-12 && fabs(rates[2] - 2.0 / 11) < 1e-12);
    tandem_log_free(&log);
    free(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(srptmap_in_other_words),
        cmocka_unit_test(fcfs_in_other_words),
        cmocka_unit_test(maxsrpt_in_other_words),
        cmocka_unit_test(splitsrpt_in_other_words),
        cmocka_unit_test(sharing_in_other_words),
        cmocka_unit_test(shares_by_a_key),
        cmocka_unit_test(what_only_asks_changes_nothing),
        cmocka_unit_test(orders_that_ask_see_a_job_once),
        cmocka_unit_test(keys_that_never_change_are_asked_for_once),
        cmocka_unit_test(orders_of_who_wakes_up_are_kept),
        cmocka_unit_test(orders_without_a_use_are_not_renewed),
        cmocka_unit_test(one_map_beside_shares),
        cmocka_unit_test(shares_of_one_station_alone),
        cmocka_unit_test(waking_up_changes_nothing),
        cmocka_unit_test(waking_up_at_a_time_of_its_own),
        cmocka_unit_test(impatience_has_a_limit),
        cmocka_unit_test(impatience_is_answered_with_patience),
        cmocka_unit_test(many_jobs_share_alike),
        cmocka_unit_test(backlogs_end_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
