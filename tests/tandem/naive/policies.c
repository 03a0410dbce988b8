/* The policies of the naive tandem simulator: each sets all rates of an instant by looking at every
 * job. */
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* All jobs, or one class of TA15: more map than shuffle, or less. */
enum { EVERY = 0, MAP_HEAVY = 1, SHUFFLE_HEAVY = 2 };

typedef void key_function(const model *m, const job_state *s, long double key[KEYS]);

/* ---- what a policy sees ---- */

long double naive_tandem_true_y(const model *m, const job_state *s)
{
    if (s->x == 0)
        return s->b;
    return m->config->traditional ? s->job->shuffle : s->b + s->x * (s->job->shuffle / s->job->map);
}

/* The estimate less the work done; with an exact estimate the work left, which is rounded less. */
static long double left(long double estimate, long double size, long double size_left,
                        long double done)
{
    return estimate == size ? size_left : most(0, estimate - done);
}

static long double map_left(const job_state *s)
{
    return left(s->job->estimate_map, s->job->map, s->x, s->mapped);
}

static long double shuffle_left(const model *m, const job_state *s)
{
    return left(s->job->estimate_shuffle, s->job->shuffle, naive_tandem_true_y(m, s), s->shuffled);
}

static long double longest_left(const model *m, const job_state *s)
{
    return most(map_left(s), shuffle_left(m, s));
}

/* ---- orders ---- */

static int compare_states(const void *left_place, const void *right_place)
{
    const job_state *a = *(job_state *const *)left_place;
    const job_state *b = *(job_state *const *)right_place;
    for (int i = 0; i < KEYS; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return (a > b) - (a < b); /* TA9: they stand in order of id */
}

static void line_up(model *m, key_function *key)
{
    for (size_t i = 0; i < m->present; i++) {
        memset(m->order[i]->key, 0, sizeof m->order[i]->key);
        key(m, m->order[i], m->order[i]->key);
    }
    qsort(m->order, m->present, sizeof(job_state *), compare_states);
}

static void key_id(const model *m, const job_state *s, long double key[KEYS])
{
    (void)m, (void)s, (void)key;
}

static void key_max(const model *m, const job_state *s, long double key[KEYS])
{
    key[0] = longest_left(m, s);
}

static void key_map(const model *m, const job_state *s, long double key[KEYS])
{
    key[0] = map_left(s);
    key[1] = shuffle_left(m, s);
}

static void key_sum(const model *m, const job_state *s, long double key[KEYS])
{
    key[0] = map_left(s) + shuffle_left(m, s);
}

/* TA17: a job that has just caught another stands beside it, and the rest of the key decides. */
static void key_shuffle(const model *m, const job_state *s, long double key[KEYS])
{
    const job_state *beside = s;
    while (beside->caught) /* which leads towards the front */
        beside = beside->caught;
    key[0] = shuffle_left(m, beside);
    key[1] = s->b > 0 ? 0 : 1;
    key[2] = map_left(s);
}

/* TA15: the classes do not compete for one share, so that one order holds both. */
static void key_split(const model *m, const job_state *s, long double key[KEYS])
{
    if (s->class == MAP_HEAVY)
        key_map(m, s, key);
    else
        key_shuffle(m, s, key);
}

static void key_johnson(const model *m, const job_state *s, long double key[KEYS])
{
    (void)m;
    key[0] = s->job->estimate_shuffle >= s->job->estimate_map ? 0 : 1;
}

static void key_rank_map(const model *m, const job_state *s, long double key[KEYS])
{
    (void)m;
    key[0] = s->job->rank[0];
}

static void key_rank_shuffle(const model *m, const job_state *s, long double key[KEYS])
{
    (void)m;
    key[0] = s->job->rank[1];
}

static void key_xmax(const model *m, const job_state *s, long double key[KEYS])
{
    (void)m;
    key[0] = map_left(s) * map_left(s);
}

static void key_bsrpt(const model *m, const job_state *s, long double key[KEYS])
{
    long double backlog = 0;
    for (size_t i = 0; i < m->present; i++)
        backlog += m->order[i]->b;
    long double l = longest_left(m, s);
    key[0] = map_left(s) * (backlog > m->config->param * l ? l : map_left(s));
}

/* ---- ways of serving ---- */

static void give_map(const model *m, job_state *s, long double rate)
{
    s->p += rate;
    s->g = m->config->traditional ? 0 : s->p * (s->job->shuffle / s->job->map);
}

/* TA7. */
static void map_first(const model *m, int class, long double capacity)
{
    for (size_t i = 0; i < m->present; i++) {
        job_state *s = m->order[i];
        if (s->x > 0 && (class == EVERY || s->class == class)) {
            give_map(m, s, capacity);
            return;
        }
    }
}

/* The first `limit` jobs of the order that have map work share the station (TA11, TA12). */
static void map_share(const model *m, long double limit)
{
    long double sharing = 0;
    for (size_t i = 0; i < m->present; i++)
        sharing += m->order[i]->x > 0 ? 1 : 0;
    sharing = least(sharing, limit);
    long double served = 0;
    for (size_t i = 0; i < m->present && served < sharing; i++) {
        if (m->order[i]->x > 0) {
            give_map(m, m->order[i], m->c / sharing);
            served++;
        }
    }
}

/* TA8; returns what is left of the capacity. */
static long double shuffle_first(const model *m, int class, long double capacity)
{
    for (size_t i = 0; i < m->present; i++) {
        job_state *s = m->order[i];
        if (class != EVERY && s->class != class)
            continue;
        if (s->b > 0) {
            s->q += capacity;
            return 0;
        }
        if (capacity < s->g - s->q) {
            s->q += capacity;
            return 0;
        }
        capacity -= s->g - s->q;
        s->q = s->g;
    }
    return capacity;
}

static bool shuffling(const job_state *s)
{
    return s->b > 0 || s->g > 0;
}

/* TA12: equal shares of which the unused part is lost. */
static void shuffle_rigid(const model *m)
{
    long double sharing = 0;
    for (size_t i = 0; i < m->present; i++)
        sharing += shuffling(m->order[i]) ? 1 : 0;
    for (size_t i = 0; i < m->present; i++) {
        job_state *s = m->order[i];
        if (shuffling(s))
            s->q = s->b > 0 ? m->c / sharing : least(m->c / sharing, s->g);
    }
}

/* TA11: water-filling. The smallest cap is taken as long as it fits; then all others get the
 * same. */
static void shuffle_share(const model *m)
{
    long double rest = m->c;
    bool *settled = calloc(m->present + 1, sizeof *settled);
    for (;;) {
        long double waiting = 0;
        size_t smallest = m->present;
        for (size_t i = 0; i < m->present; i++) {
            job_state *s = m->order[i];
            if (settled[i] || !shuffling(s))
                continue;
            waiting++;
            if (s->b == 0 && (smallest == m->present || s->g < m->order[smallest]->g))
                smallest = i;
        }
        if (smallest == m->present || m->order[smallest]->g * waiting > rest) {
            for (size_t i = 0; i < m->present; i++)
                if (!settled[i] && shuffling(m->order[i]))
                    m->order[i]->q = rest / waiting;
            break;
        }
        m->order[smallest]->q = m->order[smallest]->g;
        rest -= m->order[smallest]->g;
        settled[smallest] = true;
    }
    free(settled);
}

/* ---- policies ---- */

static void by_one_order(model *m, key_function *key)
{
    line_up(m, key);
    map_first(m, EVERY, m->c);
    shuffle_first(m, EVERY, m->c);
}

static void fcfs(model *m)
{
    by_one_order(m, key_id);
}

static void ps(model *m)
{
    line_up(m, key_id);
    map_share(m, NEVER);
    shuffle_share(m);
}

static void klps(model *m)
{
    line_up(m, key_id);
    map_share(m, m->config->param);
    shuffle_share(m);
}

static void klps_rigid(model *m)
{
    line_up(m, key_id);
    map_share(m, m->config->param);
    shuffle_rigid(m);
}

static void fcfs_ps(model *m)
{
    line_up(m, key_id);
    map_first(m, EVERY, m->c);
    shuffle_share(m);
}

static void maxsrpt(model *m)
{
    line_up(m, key_max);
    map_first(m, EVERY, m->c);
    if (m->config->param != 0) {
        shuffle_first(m, EVERY, m->c);
    } else {
        job_state *head = m->order[0];
        head->q = head->b > 0 ? m->c : least(m->c, head->g);
    }
}

/* max(x/y, y/x) of the sizes as seen (TA15). */
static long double imbalance(const job_state *s)
{
    long double x = s->job->estimate_map;
    long double y = s->job->estimate_shuffle;
    return x == 0 || y == 0 ? NEVER : most(x / y, y / x);
}

static void splitsrpt(model *m)
{
    long double beta = NEVER;
    bool here[3] = {false, false, false};
    bool mapping[3] = {false, false, false};
    for (size_t i = 0; i < m->present; i++) {
        job_state *s = m->order[i];
        s->class = s->job->estimate_map >= s->job->estimate_shuffle ? MAP_HEAVY : SHUFFLE_HEAVY;
        beta = least(beta, imbalance(s));
        here[s->class] = true;
        mapping[s->class] = mapping[s->class] || s->x > 0;
    }
    long double small = beta == NEVER ? 0 : m->c / (1 + beta);
    long double large = beta == NEVER ? m->c : m->c * beta / (1 + beta);
    long double map_share_of[3] = {0, large, small};
    long double shuffle_share_of[3] = {0, small, large};
    line_up(m, key_split);
    for (int class = MAP_HEAVY; class <= SHUFFLE_HEAVY; class ++) {
        int other = MAP_HEAVY + SHUFFLE_HEAVY - class;
        bool lent = m->config->param == NAIVE_LEND_FULL    ? !mapping[other]
                    : m->config->param == NAIVE_LEND_EMPTY ? !here[other]
                                                           : false;
        map_first(m, class, lent ? map_share_of[class] + map_share_of[other] : map_share_of[class]);
    }
    bool alone = m->config->param == NAIVE_LEND_EMPTY && here[MAP_HEAVY] != here[SHUFFLE_HEAVY];
    long double rest[3] = {0, 0, 0};
    for (int class = MAP_HEAVY; class <= SHUFFLE_HEAVY; class ++) {
        int other = MAP_HEAVY + SHUFFLE_HEAVY - class;
        rest[other] = shuffle_first(
            m, class, shuffle_share_of[class] + (alone ? shuffle_share_of[other] : 0));
    }
    if (m->config->param == NAIVE_LEND_FULL) {
        shuffle_first(m, MAP_HEAVY, rest[MAP_HEAVY]);
        shuffle_first(m, SHUFFLE_HEAVY, rest[SHUFFLE_HEAVY]);
    }
}

static void srptmap(model *m)
{
    by_one_order(m, key_map);
}

static void srptsum(model *m)
{
    by_one_order(m, key_sum);
}

long double naive_tandem_catching(const model *m, const job_state *before, const job_state *behind)
{
    long double ahead = shuffle_left(m, before);
    long double after = shuffle_left(m, behind);
    if (behind->q == 0 || after == 0)
        return NEVER;
    long double at_zero = after / behind->q;
    long double meet = behind->q > before->q ? (after - ahead) / (behind->q - before->q) : NEVER;
    return ahead <= before->q * at_zero ? least(at_zero, meet) : meet;
}

static void srptshuffle(model *m)
{
    by_one_order(m, key_shuffle);
    for (size_t i = 0; i < m->present; i++)
        m->order[i]->caught = NULL;
    for (size_t i = 0; i < m->present; i++)
        for (size_t k = i + 1; k < m->present; k++)
            m->crossing = least(m->crossing, naive_tandem_catching(m, m->order[i], m->order[k]));
}

static void johnson(model *m)
{
    by_one_order(m, key_johnson);
}

static void priority(model *m)
{
    line_up(m, key_rank_map);
    map_first(m, EVERY, m->c);
    line_up(m, key_rank_shuffle);
    shuffle_first(m, EVERY, m->c);
}

static void xmax(model *m)
{
    line_up(m, key_xmax);
    map_first(m, EVERY, m->c);
    line_up(m, key_max);
    shuffle_first(m, EVERY, m->c);
}

static void bsrpt(model *m)
{
    line_up(m, key_bsrpt);
    map_first(m, EVERY, m->c);
    line_up(m, key_max);
    shuffle_first(m, EVERY, m->c);
}

static const struct {
    const char *name;
    void (*set_rates)(model *m);
} policies[] = {
    {"fcfs", fcfs},           {"ps", ps},
    {"klps", klps},           {"klps_rigid", klps_rigid},
    {"fcfs_ps", fcfs_ps},     {"maxsrpt", maxsrpt},
    {"splitsrpt", splitsrpt}, {"srptmap", srptmap},
    {"srptsum", srptsum},     {"srptshuffle", srptshuffle},
    {"johnson", johnson},     {"priority", priority},
    {"bsrpt", bsrpt},         {"xmax", xmax},
};

bool naive_tandem_set_rates(model *m)
{
    m->crossing = NEVER;
    for (size_t i = 0; i < m->present; i++) {
        m->order[i]->p = 0;
        m->order[i]->g = 0;
        m->order[i]->q = 0;
    }
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        if (strcmp(policies[i].name, m->config->policy) != 0)
            continue;
        if (m->present > 0)
            policies[i].set_rates(m);
        return true;
    }
    return false;
}
