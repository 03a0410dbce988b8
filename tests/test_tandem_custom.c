/* Policies of one's own, through the public interface: built-in ones written anew in other forms must lead to their schedules,
 * what the view tells must be what the hooks saw, and however a run is driven, its policy must not notice. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "tandem_workload.h"

enum { JOBS = 80, SEEDS = 6 };

static const tandem_shape shapes[] = {
    {.rate = 0.75, .map = 1, .shuffle = 1, .odd = 1},
    {.rate = 0.75, .map = 0.8, .shuffle = 1.1, .estimates = 1},
    {.rate = 0.7, .map = 1.2, .shuffle = 1, .grain = 2, .odd = 1}, /* many ties */
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- comparing ---- */

static pn_tandem_config config_for(const tandem_workload *work, const tandem_shape *shape, const pn_tandem_policy *policy,
                                   uint32_t traditional)
{
    pn_tandem_config config = tandem_config(work, traditional);
    config.estimates = shape->estimates;
    config.policy = policy;
    config.speed = 1.5;
    config.seed = 99;
    config.replica = 3;
    return config;
}

enum comparison { SAME_DIGEST, SAME_TOTAL, SAME_TOTAL_IF_EXACT /* without misjudged jobs */ };

/* Two policies on all workloads; where rates are reached by other roundings, totals agree if there are no ties. */
static void check_same(const pn_tandem_policy *a, const double *a_params, const pn_tandem_policy *b, const double *b_params,
                       enum comparison how)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        for (int s = 0; s < SHAPES; s++)
            for (uint32_t traditional = 0; traditional <= 1; traditional++) {
                if (how == SAME_TOTAL_IF_EXACT && shapes[s].estimates)
                    continue;
                tandem_workload work = tandem_new(JOBS, seed, shapes[s]);
                pn_tandem_config config = config_for(&work, &shapes[s], a, traditional);
                pn_tandem_totals totals[2];
                uint64_t digest = tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = a, .params = a_params}, &totals[0]);
                config.policy = b;
                uint64_t other = tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = b, .params = b_params}, &totals[1]);
                if (how == SAME_DIGEST && digest != other)
                    fail_msg("%s and %s differ: seed %llu, shape %d, traditional %u", a->name, b->name, (unsigned long long)seed,
                             s, traditional);
                double difference = fabs(totals[0].total_response_time - totals[1].total_response_time);
                if (how != SAME_DIGEST && shapes[s].grain == 0 && difference > 1e-10 * totals[0].total_response_time)
                    fail_msg("%s and %s differ by %g: seed %llu, shape %d, traditional %u", a->name, b->name, difference,
                             (unsigned long long)seed, s, traditional);
                tandem_free(&work);
            }
}

/* ---- srptmap ---- */

enum { MAPS, SHUFFLES, ALL };

static void by_map_then_shuffle(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job));
    key->word[1] = pn_key_double(pn_tandem_shuffle_left(view, job));
}

static int fill_both(pn_tandem_view *view)
{
    double left = -1;
    int status = pn_tandem_fill_map(view, MAPS, PN_TANDEM_MOST, &left);
    assert_true(left == (pn_tandem_first(view, MAPS) == PN_NO_JOB ? PN_TANDEM_MOST : PN_TANDEM_MOST - pn_tandem_speed(view)));
    assert_true(pn_tandem_map_idle(view) == (pn_tandem_first(view, MAPS) == PN_NO_JOB ? pn_tandem_speed(view) : 0));
    return status == PN_OK ? pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL) : status;
}

/* S7 and S8 job by job along an order of all that are present. */
static int give_along(pn_tandem_view *view)
{
    double capacity = pn_tandem_speed(view);
    int status = PN_OK;
    uint32_t job = pn_tandem_first(view, 0);
    while (job != PN_NO_JOB && !pn_tandem_mapping(view, job))
        job = pn_tandem_next(view, 0, job);
    if (job != PN_NO_JOB)
        status = pn_tandem_give_map(view, job, capacity);
    for (job = pn_tandem_first(view, 0); job != PN_NO_JOB && status == PN_OK; job = pn_tandem_next(view, 0, job)) {
        double room = pn_tandem_backlog(view, job) > 0 ? capacity : pn_tandem_generation_rate(view, job);
        double given = room < capacity ? room : capacity;
        status = pn_tandem_give_shuffle(view, job, given);
        capacity -= given;
    }
    return status;
}

static void srptmap_in_other_words(void **unused)
{
    pn_tandem_policy served = {.name = "served",
                               .order_count = 2,
                               .map = {PN_TANDEM_FIRST, MAPS, 0},
                               .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
                               .orders = {{by_map_then_shuffle, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                                          {by_map_then_shuffle, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}}};
    pn_tandem_policy along = {.name = "along",
                              .order_count = 1,
                              .orders = {{by_map_then_shuffle, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT}},
                              .act = give_along};
    (void)unused;
    check_same(&pn_tandem_srptmap, NULL, &served, NULL, SAME_DIGEST);
    served.orders[MAPS].changes = PN_TANDEM_AT_INSTANTS;
    check_same(&pn_tandem_srptmap, NULL, &served, NULL, SAME_DIGEST);
    served.orders[SHUFFLES].changes = PN_TANDEM_AT_INSTANTS;
    check_same(&pn_tandem_srptmap, NULL, &served, NULL, SAME_DIGEST);
    served.act = fill_both;
    check_same(&pn_tandem_srptmap, NULL, &served, NULL, SAME_DIGEST);
    served.orders[MAPS].changes = PN_TANDEM_WHEN_SERVED;
    check_same(&pn_tandem_srptmap, NULL, &served, NULL, SAME_DIGEST);
    check_same(&pn_tandem_srptmap, NULL, &along, NULL, SAME_DIGEST);
    along.orders[0].changes = PN_TANDEM_AT_INSTANTS;
    check_same(&pn_tandem_srptmap, NULL, &along, NULL, SAME_DIGEST);

    /* the test is only worth something if another order leads elsewhere */
    tandem_workload work = tandem_new(JOBS, 1, shapes[0]);
    pn_tandem_config config = config_for(&work, &shapes[0], NULL, 0);
    assert_true(tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = &pn_tandem_srptmap}, NULL) !=
                tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = &pn_tandem_srptsum}, NULL));
    tandem_free(&work);
}

/* ---- fcfs: without a key, by a key that says nothing, by equal ranks, last come first served by its id ---- */

static void by_nothing(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    assert_true(key->word[0] == 0 && key->word[1] == pn_tandem_id(view, job));
}

static void fcfs_in_other_words(void **unused)
{
    const pn_tandem_policy nothing = {.name = "nothing",
                                      .order_count = 2,
                                      .map = {PN_TANDEM_FIRST, MAPS, 0},
                                      .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
                                      .orders = {{by_nothing, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                                                 {by_nothing, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG}}};
    const pn_tandem_policy one = {.name = "one",
                                  .order_count = 1,
                                  .map = {PN_TANDEM_SHARE, MAPS, 1},
                                  .shuffle = {PN_TANDEM_SHARE, 0, 0},
                                  .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}}};
    (void)unused;
    check_same(&pn_tandem_fcfs, NULL, &nothing, NULL, SAME_DIGEST);
    check_same(&pn_tandem_fcfs_ps, NULL, &one, NULL, SAME_DIGEST);
}

/* ---- maxsrpt, with pn_tandem_serve ---- */

static void by_longest(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job));
}

static int init_that_serves(pn_tandem_view *view)
{
    const pn_tandem_service first_map = {PN_TANDEM_FIRST, MAPS, 0}, first_shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0};
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
    assert_int_equal(pn_tandem_serve(view, 0, (pn_tandem_service){PN_TANDEM_SHARE, MAPS, 0}), PN_ERR_ARGUMENT); /* keys change */
    assert_int_equal(pn_tandem_serve(view, 0, first_map), PN_OK);
    assert_int_equal(pn_tandem_serve(view, 1, strict), PN_OK);
    return pn_tandem_param_value(view, 0) != 0 ? pn_tandem_serve(view, 1, first_shuffle) : PN_OK;
}

static void maxsrpt_in_other_words(void **unused)
{
    static const double choices[] = {0, 1};
    const pn_tandem_policy served = {.name = "served",
                                     .order_count = 3,
                                     .map = {PN_TANDEM_FIRST, MAPS, 0},
                                     .shuffle = {PN_TANDEM_RIGID, 0, 0}, /* changed by init */
                                     .orders = {{by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
                                                {by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG},
                                                {by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT}},
                                     .param_count = 1,
                                     .params = {{"choice", 0, 0, 1, NULL, 1, ""}},
                                     .init = init_that_serves};
    (void)unused;
    for (int i = 0; i <= 1; i++)
        check_same(&pn_tandem_maxsrpt, &choices[i], &served, &choices[i], SAME_DIGEST);
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
        if ((!after || split_before(after, &key)) && (best == PN_NO_JOB || split_before(&key, &best_key))) {
            best = job;
            best_key = key;
        }
    }
    return best;
}

/* S7 and S8 inside a class; what is left of the capacity. */
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
        assert_int_equal(station == 0 ? pn_tandem_give_map(view, job, given) : pn_tandem_give_shuffle(view, job, given), PN_OK);
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
    const pn_tandem_policy split = {
        .name = "split", .param_count = 1, .params = {{"lending", 0, 0, 1, NULL, 1, ""}}, .act = split_act};
    (void)unused;
    /* Without lending, a job that seems to have no shuffle work would wait for ever. */
    check_same(&pn_tandem_splitsrpt, none, &split, none, SAME_TOTAL_IF_EXACT);
    check_same(&pn_tandem_splitsrpt, full, &split, lending, SAME_TOTAL);
}

/* ---- sharing, set by hand ---- */

static double level_of(const pn_tandem_view *view, bool rigid)
{
    double rest = pn_tandem_speed(view);
    bool fixed[JOBS] = {false};
    for (;;) {
        uint32_t open = 0, all = 0;
        for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
            bool wants =
                pn_tandem_active(view, job) && (pn_tandem_backlog(view, job) > 0 || pn_tandem_generation_rate(view, job) > 0);
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

/* Parameters: how many jobs share the map station, whether what is left of shuffle shares is lost. */
static int share_act(pn_tandem_view *view)
{
    uint32_t limit = (uint32_t)pn_tandem_param_value(view, 0), sharing = 0;
    bool rigid = pn_tandem_param_value(view, 1) != 0;
    uint32_t served[JOBS];
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB && sharing < limit; job = pn_tandem_next(view, 0, job))
        served[sharing++] = job;
    for (uint32_t i = 0; i < sharing; i++)
        assert_int_equal(pn_tandem_give_map(view, served[i], pn_tandem_speed(view) / sharing), PN_OK);
    double level = level_of(view, rigid);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        double generated = pn_tandem_generation_rate(view, job);
        double rate = pn_tandem_backlog(view, job) > 0 ? level : generated < level ? generated : level;
        assert_int_equal(pn_tandem_give_shuffle(view, job, rate), PN_OK);
    }
    return PN_OK;
}

static void sharing_in_other_words(void **unused)
{
    static const double all[] = {JOBS, 0}, three[] = {3, 0}, three_rigid[] = {3, 1}, one[] = {1, 0};
    const pn_tandem_policy shared = {.name = "shared",
                                     .order_count = 1,
                                     .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
                                     .param_count = 2,
                                     .params = {{"limit", 1, 1, JOBS, NULL, 1, ""}, {"rigid", 0, 0, 1, NULL, 1, ""}},
                                     .act = share_act};
    (void)unused;
    check_same(&pn_tandem_ps, NULL, &shared, all, SAME_TOTAL);
    check_same(&pn_tandem_klps, three, &shared, three, SAME_TOTAL);
    check_same(&pn_tandem_klps_rigid, three, &shared, three_rigid, SAME_TOTAL);
    check_same(&pn_tandem_fcfs_ps, NULL, &shared, one, SAME_TOTAL);
}

/* Shares of the map station in an order of one's own: those in front push others out. */
static void by_size(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_size(view, job) + pn_tandem_shuffle_size(view, job));
}

static void shares_by_a_key(void **unused)
{
    static const double two[] = {2, 0}, two_rigid[] = {2, 1};
    pn_tandem_policy by_hand = {.name = "by_hand",
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

/* One station by shares, the other by an order. */
static int mixed_act(pn_tandem_view *view)
{
    uint32_t sharing = 0;
    for (uint32_t job = pn_tandem_first(view, MAPS); job != PN_NO_JOB; job = pn_tandem_next(view, MAPS, job))
        sharing++;
    for (uint32_t job = pn_tandem_first(view, MAPS); job != PN_NO_JOB; job = pn_tandem_next(view, MAPS, job))
        assert_int_equal(pn_tandem_give_map(view, job, pn_tandem_speed(view) / sharing), PN_OK);
    return pn_tandem_fill_shuffle(view, SHUFFLES, PN_TANDEM_MOST, NULL);
}

static void shares_of_one_station_alone(void **unused)
{
    pn_tandem_policy served = {.name = "served",
                               .order_count = 2,
                               .map = {PN_TANDEM_SHARE, MAPS, 0},
                               .shuffle = {PN_TANDEM_FIRST, SHUFFLES, 0},
                               .orders = {{NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
                                          {by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}}};
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

/* Looking again does not change what is right, whatever the engine. (Misjudged jobs may overtake each other between instants.) */
static void waking_up_changes_nothing(void **unused)
{
    static const pn_tandem_policy *const policies[] = {&pn_tandem_fcfs, &pn_tandem_maxsrpt,    &pn_tandem_splitsrpt,
                                                       &pn_tandem_ps,   &pn_tandem_klps_rigid, &pn_tandem_srptmap};
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
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB; job = pn_tandem_next(view, 0, job))
        if (pn_tandem_age(view, job) >= 1)
            return pn_tandem_give_map(view, job, pn_tandem_speed(view));
    return PN_OK;
}

static double wake_after_delay(const pn_tandem_view *view)
{
    double least = PN_TANDEM_NEVER;
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB; job = pn_tandem_next(view, 0, job)) {
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
    const pn_tandem_policy policy = {.name = "delay",
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

/* The least is 64 ulp, so that time goes on. */
static void impatience_has_a_limit(void **unused)
{
    pn_tandem_policy policy = pn_tandem_fcfs;
    pn_tandem_config config = pn_tandem_defaults();
    pn_tandem_totals totals;
    (void)unused;
    policy.name = "impatient";
    policy.wake = wake_at_once;
    config.jobs_max = 2;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 0, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_submit(sim, &(pn_tandem_job){.arrival = 0.75, .map = 1}, NULL), PN_OK);
    assert_int_equal(pn_tandem_run(sim, &(pn_tandem_hooks){.policy = &policy}, 0.75, 10000), PN_PAUSED);
    pn_tandem_totals_get(sim, &totals);
    assert_true(totals.instants == 10000 && totals.time > 0 && totals.time < 0.75);
    free(sim);
}

/* ---- what is to be seen ---- */

typedef struct watch {
    const tandem_workload *work;
    bool estimates, traditional;
    uint64_t events; /* mixed: every call with its time and job */
    unsigned acts, inits, arrived, finished, told;
} watch;

/* In the block: what was done for each job, by the rates that were set. */
typedef struct effort {
    double mapped, shuffled, map_rate, shuffle_rate;
} effort;

typedef struct memory {
    double time;
    uint64_t arrived, finished;
} memory;

static effort *effort_of(const pn_tandem_view *view, uint32_t job)
{
    return (effort *)(void *)((memory *)pn_tandem_state(view) + 1) + job;
}

static void note(watch *w, uint64_t call, double time, uint64_t id)
{
    w->events = pn_mix(pn_mix(pn_mix(w->events, call), tandem_bits(time)), id);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9;
}

/* Work goes on between calls. */
static void catch_up(pn_tandem_view *view)
{
    memory *own = pn_tandem_state(view);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        effort *e = effort_of(view, job);
        e->mapped += e->map_rate * (pn_tandem_time(view) - own->time);
        e->shuffled += e->shuffle_rate * (pn_tandem_time(view) - own->time);
    }
    own->time = pn_tandem_time(view);
}

static double left_of(double size, double done)
{
    return size > done ? size - done : 0;
}

static double estimate_of(double estimate, double truth)
{
    return estimate == 0 ? truth : estimate == PN_TANDEM_ESTIMATE_ZERO ? 0 : estimate;
}

static void check_job(const pn_tandem_view *view, uint32_t job)
{
    const watch *w = pn_tandem_user(view);
    const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
    const effort *e = effort_of(view, job);
    double x = w->estimates ? estimate_of(told->estimate_map, told->map) : told->map;
    double y = w->estimates ? estimate_of(told->estimate_shuffle, told->shuffle) : told->shuffle;
    double map_left = left_of(x, e->mapped), shuffle_left = left_of(y, e->shuffled);
    bool mapped = !pn_tandem_mapping(view, job);
    double generated = mapped ? told->shuffle : w->traditional ? 0 : told->shuffle * (e->mapped / told->map);
    assert_true(pn_tandem_active(view, job));
    assert_true(pn_tandem_arrival(view, job) == told->arrival);
    assert_true(near(pn_tandem_age(view, job), pn_tandem_time(view) - told->arrival));
    assert_true(pn_tandem_map_size(view, job) == x && pn_tandem_shuffle_size(view, job) == y);
    assert_true(near(pn_tandem_map_left(view, job), map_left) && near(pn_tandem_shuffle_left(view, job), shuffle_left));
    assert_true(near(pn_tandem_longest_left(view, job), map_left > shuffle_left ? map_left : shuffle_left));
    assert_true(near(pn_tandem_backlog(view, job), generated - e->shuffled) && pn_tandem_backlog(view, job) >= 0);
    assert_true(mapped ? near(e->mapped, told->map) : e->mapped < told->map);
    assert_true(pn_tandem_rank(view, job, 0) == told->rank[0] && pn_tandem_rank(view, job, 1) == told->rank[1]);
}

static void check_view(pn_tandem_view *view)
{
    const memory *own = pn_tandem_state(view);
    const watch *w = pn_tandem_user(view);
    double backlog = 0;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++)
        if (pn_tandem_active(view, job))
            backlog += pn_tandem_backlog(view, job);
    assert_true(near(pn_tandem_backlog_total(view), backlog));
    assert_true(pn_tandem_speed(view) == 1.5 && pn_tandem_overlap(view) == !w->traditional);
    assert_int_equal(pn_tandem_in_system(view), own->arrived - own->finished);
    assert_string_equal(pn_tandem_policy_of(view)->name, "watching");
    assert_false(pn_tandem_active(view, pn_tandem_jobs_max(view)));
    assert_false(pn_tandem_active(view, PN_NO_JOB));
}

static int watch_init(pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    const memory *own = pn_tandem_state(view);
    assert_int_equal(w->arrived + w->acts, 0);
    assert_int_equal(w->inits++, 0);
    assert_true((uintptr_t)own % 8 == 0 && own->time == 0 && own->arrived == 0 && own->finished == 0);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        const effort *e = effort_of(view, job);
        assert_true(e->mapped == 0 && e->shuffled == 0 && e->map_rate == 0 && e->shuffle_rate == 0);
        assert_false(pn_tandem_active(view, job));
    }
    check_view(view);
    note(w, 1, 0, 0);
    return PN_OK;
}

/* Hooks of an instant come before its rates: those until now are still to be counted. */
static int watch_arrive(pn_tandem_view *view, uint32_t job)
{
    watch *w = pn_tandem_user(view);
    memory *own = pn_tandem_state(view);
    catch_up(view);
    *effort_of(view, job) = (effort){0, 0, 0, 0};
    own->arrived++;
    w->arrived++;
    assert_int_equal(pn_tandem_id(view, job), own->arrived);
    assert_true(pn_tandem_arrival(view, job) <= pn_tandem_time(view) && near(pn_tandem_age(view, job), 0));
    check_job(view, job);
    assert_true(pn_tandem_map_rate(view, job) == 0 && pn_tandem_generation_rate(view, job) == 0);
    for (uint32_t order = 0; order < 3; order++)
        assert_false(pn_tandem_member(view, order, job)); /* it is about to join */
    note(w, 2, pn_tandem_time(view), pn_tandem_id(view, job) ^ pn_random64(pn_tandem_stream(view)));
    return PN_OK;
}

static void watch_finish(pn_tandem_view *view, uint32_t job)
{
    watch *w = pn_tandem_user(view);
    memory *own = pn_tandem_state(view);
    const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
    catch_up(view);
    effort *e = effort_of(view, job);
    assert_true(near(e->mapped, told->map) && near(e->shuffled, told->shuffle));
    assert_true(pn_tandem_backlog(view, job) == 0 && !pn_tandem_mapping(view, job));
    assert_int_equal(w->finished++, w->told);
    own->finished++;
    *e = (effort){0, 0, 0, 0};
    for (uint32_t order = 0; order < 3; order++)
        assert_false(pn_tandem_member(view, order, job)); /* it has left */
    note(w, 3, pn_tandem_time(view), pn_tandem_id(view, job));
}

static int odd_ids(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_id(view, job) % 2;
}

/* An order holds whom it should, sorted. */
static void check_order(pn_tandem_view *view, uint32_t order)
{
    const pn_tandem_order *o = &pn_tandem_policy_of(view)->orders[order];
    uint32_t count = 0, listed = 0;
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        bool belongs = pn_tandem_active(view, job) && (!o->member || o->member(view, job)) &&
                       (o->members == PN_TANDEM_MAPPING   ? pn_tandem_mapping(view, job)
                        : o->members == PN_TANDEM_BACKLOG ? pn_tandem_backlog(view, job) > 0
                                                          : 1);
        assert_int_equal(pn_tandem_member(view, order, job), belongs);
        count += belongs;
    }
    pn_key last = {{0, 0}};
    for (uint32_t job = pn_tandem_first(view, order); job != PN_NO_JOB; job = pn_tandem_next(view, order, job)) {
        pn_key key = {{0, pn_tandem_id(view, job)}};
        if (o->key)
            o->key(view, job, &key);
        else
            key.word[0] = key.word[1];
        assert_true(listed == 0 || key.word[0] > last.word[0] || (key.word[0] == last.word[0] && key.word[1] >= last.word[1]));
        assert_true(pn_tandem_member(view, order, job));
        last = key;
        listed++;
    }
    assert_int_equal(listed, count);
}

/* Half of the capacity in one order, the rest in another. */
static int watch_act(pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    double half = pn_tandem_speed(view) / 2, left = -1, rates[2] = {0, 0};
    w->acts++;
    catch_up(view);
    check_view(view);
    assert_true(pn_tandem_in_system(view) > 0 && pn_tandem_map_idle(view) == 1.5 && pn_tandem_shuffle_idle(view) == 1.5);
    for (uint32_t order = 0; order < 4; order++)
        check_order(view, order);
    assert_int_equal(pn_tandem_fill_map(view, 0, half, &left), PN_OK);
    assert_true(left == (pn_tandem_first(view, 0) == PN_NO_JOB ? half : 0));
    assert_int_equal(pn_tandem_fill_map(view, 1, PN_TANDEM_MOST, NULL), PN_OK);
    assert_int_equal(pn_tandem_fill_shuffle(view, 2, half, &left), PN_OK);
    assert_true(left >= 0 && near(half - left, 1.5 - pn_tandem_shuffle_idle(view)));
    assert_int_equal(pn_tandem_fill_shuffle(view, 3, PN_TANDEM_MOST, NULL), PN_OK);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++) {
        if (!pn_tandem_active(view, job))
            continue;
        check_job(view, job);
        effort *e = effort_of(view, job);
        e->map_rate = pn_tandem_map_rate(view, job);
        e->shuffle_rate = pn_tandem_shuffle_rate(view, job);
        rates[0] += e->map_rate;
        rates[1] += e->shuffle_rate;
        const pn_tandem_job *told = &w->work->jobs[pn_tandem_id(view, job) - 1];
        double generated = e->map_rate == 0 || w->traditional ? 0 : e->map_rate * (told->shuffle / told->map);
        assert_true(near(pn_tandem_generation_rate(view, job), generated));
        assert_true(pn_tandem_backlog(view, job) > 0 || e->shuffle_rate <= pn_tandem_generation_rate(view, job));
    }
    assert_true(near(rates[0], 1.5 - pn_tandem_map_idle(view)) && near(rates[1], 1.5 - pn_tandem_shuffle_idle(view)));
    assert_true(pn_tandem_map_idle(view) == 0 || pn_tandem_first(view, 1) == PN_NO_JOB);
    note(w, 4, pn_tandem_time(view), w->acts);
    return PN_OK;
}

static double watch_wake(const pn_tandem_view *view)
{
    watch *w = pn_tandem_user(view);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++)
        if (pn_tandem_active(view, job))
            assert_true(pn_tandem_map_rate(view, job) == effort_of(view, job)->map_rate &&
                        pn_tandem_shuffle_rate(view, job) == effort_of(view, job)->shuffle_rate);
    note(w, 5, pn_tandem_time(view), 0);
    return w->acts % 4 == 0 ? 0.125 : PN_TANDEM_NEVER;
}

static void watch_told(void *user, const pn_tandem_finish *finish)
{
    watch *w = user;
    assert_int_equal(++w->told, w->finished);
    note(w, 6, finish->finish, finish->id);
}

static const pn_tandem_policy watching = {
    .name = "watching",
    .order_count = 4,
    .orders = {{by_map_then_shuffle, odd_ids, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
               {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
               {by_longest, odd_ids, PN_TANDEM_AT_INSTANTS, PN_TANDEM_BACKLOG},
               {by_longest, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}},
    .state_bytes = sizeof(memory),
    .state_bytes_per_job = sizeof(effort),
    .act = watch_act,
    .wake = watch_wake,
    .init = watch_init,
    .arrive = watch_arrive,
    .finish = watch_finish,
};

enum { AT_ONCE, STEP_BY_STEP, STREAMED, MOVED, WAYS };

static pn_tandem *moved(pn_tandem *sim)
{
    size_t size = pn_tandem_block_size(sim);
    pn_tandem *opened = NULL;
    void *copy = workload_room(size);
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    assert_int_equal(pn_tandem_open(&opened, copy, size), PN_OK);
    return opened;
}

static uint64_t watch_run(const tandem_workload *work, const pn_tandem_config *config, const pn_tandem_hooks *hooks, int way)
{
    pn_tandem *sim = tandem_sim(config);
    int status = PN_OK;
    for (size_t i = 0; i < work->count; i++) {
        assert_int_equal(tandem_submit(sim, work, i, i + 1), PN_OK);
        if (way == STREAMED || way == MOVED)
            assert_in_range(pn_tandem_run(sim, hooks, PN_TANDEM_ARRIVAL, UINT64_MAX), PN_OK, PN_DONE);
        if (way == MOVED)
            sim = moved(sim);
    }
    while (status == PN_OK) {
        status = way == AT_ONCE ? pn_tandem_run(sim, hooks, PN_TANDEM_FOREVER, UINT64_MAX) : pn_tandem_step(sim, hooks);
        if (way == MOVED)
            sim = moved(sim);
    }
    assert_int_equal(status, PN_DONE);
    uint64_t digest = pn_tandem_digest(sim);
    free(sim);
    return digest;
}

static void the_view_tells_the_truth_however_a_run_is_driven(void **unused)
{
    (void)unused;
    for (int s = 0; s < SHAPES; s++)
        for (uint32_t traditional = 0; traditional <= 1; traditional++) {
            tandem_workload work = tandem_new(JOBS, 62, shapes[s]);
            pn_tandem_config config = config_for(&work, &shapes[s], &watching, traditional);
            uint64_t digest = 0, events = 0;
            for (int way = 0; way < WAYS; way++) {
                watch w = {.work = &work, .estimates = shapes[s].estimates, .traditional = traditional};
                pn_tandem_hooks hooks = {.policy = &watching, .on_finish = watch_told, .user = &w};
                uint64_t found = watch_run(&work, &config, &hooks, way);
                assert_true(way == 0 || (found == digest && w.events == events));
                assert_true(w.inits == 1 && w.arrived == JOBS && w.finished == JOBS && w.told == JOBS && w.acts > JOBS);
                digest = found;
                events = w.events;
            }
            tandem_free(&work);
        }
}

/* ---- random numbers ---- */

typedef struct draws {
    uint64_t mixed;
    unsigned count;
} draws;

static int drawing_arrive(pn_tandem_view *view, uint32_t job)
{
    draws *d = pn_tandem_user(view);
    (void)job;
    d->mixed = pn_mix(d->mixed, pn_random64(pn_tandem_stream(view)));
    d->count++;
    return PN_OK;
}

/* Seed and replica name the stream; what purpose a policy's stream has is the kernel's affair, but it is the same everywhere. */
static void the_stream_is_that_of_seed_and_replica(void **unused)
{
    enum { POLICY_PURPOSE = 64 };
    pn_tandem_policy policy = pn_tandem_fcfs;
    tandem_workload work = tandem_new(JOBS, 63, shapes[0]);
    (void)unused;
    policy.name = "drawing";
    policy.arrive = drawing_arrive;
    for (uint64_t seed = 0; seed <= 2; seed++)
        for (uint32_t replica = 0; replica <= 2; replica++) {
            pn_tandem_config config = config_for(&work, &shapes[0], &policy, 0);
            draws d = {0, 0};
            config.seed = seed;
            config.replica = replica;
            tandem_digest(&work, &config, &(pn_tandem_hooks){.policy = &policy, .user = &d}, NULL);
            pn_stream stream;
            uint64_t expected = 0;
            pn_stream_init(&stream, seed, replica, POLICY_PURPOSE);
            for (unsigned i = 0; i < d.count; i++)
                expected = pn_mix(expected, pn_random64(&stream));
            assert_int_equal(d.count, JOBS);
            assert_true(d.mixed == expected);
        }
    tandem_free(&work);
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
        cmocka_unit_test(shares_of_one_station_alone),
        cmocka_unit_test(waking_up_changes_nothing),
        cmocka_unit_test(waking_up_at_a_time_of_its_own),
        cmocka_unit_test(impatience_has_a_limit),
        cmocka_unit_test(the_view_tells_the_truth_however_a_run_is_driven),
        cmocka_unit_test(the_stream_is_that_of_seed_and_replica),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
