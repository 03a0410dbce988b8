/* See pairs.h. Each rule is that of tests/tandem/pairs/NAME.lua, told again with
 * nothing but the kernel's interface. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- ledger ---------------------------------------------------------------------------------- */

typedef struct ledger {
    int64_t finished, classes[3];
    double spread;
} ledger;

typedef struct ledger_of_job {
    int64_t credit;
    double drawn;
} ledger_of_job;

static ledger_of_job *ledgers(const pn_tandem_view *view)
{
    return (ledger_of_job *)(void *)((ledger *)pn_tandem_state(view) + 1);
}

static void ledger_map_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    const ledger_of_job *own = &ledgers(view)[job];
    key->word[0] = pn_key_double(pn_tandem_map_left(view, job) / (double)(2 + own->credit));
    key->word[1] = pn_key_double(-own->drawn);
}

static void ledger_shuffle_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    const ledger *all = pn_tandem_state(view);
    const ledger_of_job *own = &ledgers(view)[job];
    key->word[0] = pn_key_double(pn_tandem_shuffle_left(view, job) - all->spread * own->drawn);
    key->word[1] = pn_key_double(pn_tandem_age(view, job) -
                                 (double)all->classes[pn_tandem_id(view, job) % 3]);
}

static int ledger_init(pn_tandem_view *view)
{
    ledger *all = pn_tandem_state(view);
    all->spread = 0.5 + pn_uniform01(pn_tandem_stream(view));
    return PN_OK;
}

static int ledger_arrive(pn_tandem_view *view, uint32_t job)
{
    const ledger *all = pn_tandem_state(view);
    ledger_of_job *own = &ledgers(view)[job];
    own->credit = (int64_t)pn_uniform(pn_tandem_stream(view), 0, 4) - 1;
    own->drawn = pn_uniform01(pn_tandem_stream(view)) * all->spread;
    return PN_OK;
}

static void ledger_finish(pn_tandem_view *view, uint32_t job)
{
    ledger *all = pn_tandem_state(view);
    all->classes[pn_tandem_id(view, job) % 3]++;
    all->finished++;
}

static double ledger_wake(const pn_tandem_view *view)
{
    const ledger *all = pn_tandem_state(view);
    uint64_t lucky = pn_uniform(pn_tandem_stream(view), 0, 2);
    for (uint32_t job = 0; job < pn_tandem_jobs_max(view); job++)
        if (pn_tandem_active(view, job) && pn_tandem_id(view, job) % 3 == lucky)
            ledgers(view)[job].credit += 1 + all->classes[lucky] + all->finished % 5;
    uint32_t next = pn_tandem_first(view, pn_tandem_first(view, 0) != PN_NO_JOB ? 0 : 1);
    return (0.25 + pn_tandem_longest_left(view, next)) * all->spread *
           pn_uniform01(pn_tandem_stream(view));
}

static const pn_tandem_policy ledger_policy = {
    .name = "ledger",
    .work_conserving = PN_TANDEM_WORK_CONSERVING,
    .order_count = 2,
    .map = {PN_TANDEM_FIRST, 0, 0},
    .shuffle = {PN_TANDEM_FIRST, 1, 0},
    .orders = {{ledger_map_key, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_MAPPING},
               {ledger_shuffle_key, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}},
    .state_bytes = sizeof(ledger),
    .state_bytes_per_job = sizeof(ledger_of_job),
    .wake = ledger_wake,
    .init = ledger_init,
    .arrive = ledger_arrive,
    .finish = ledger_finish,
};

/* ---- packed ---------------------------------------------------------------------------------- */

static int is_small(const pn_tandem_view *view, uint32_t job)
{
    return pn_tandem_map_size(view, job) + pn_tandem_shuffle_size(view, job) < 2;
}

static int is_large(const pn_tandem_view *view, uint32_t job)
{
    return !is_small(view, job);
}

/* Words in the order of (first, true before false, behind). */
static void pack(pn_key *key, double first, bool goes_first, double behind)
{
    uint64_t bits;
    memcpy(&bits, &behind, sizeof bits);
    key->word[0] = pn_key_double(first);
    key->word[1] = goes_first ? bits : bits + ((uint64_t)1 << 63);
}

static double class_of(const pn_tandem_view *view, uint32_t job)
{
    return is_small(view, job) ? -9007199254740992.0 : 9007199254740992.0;
}

static void packed_small_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    pack(key, class_of(view, job), pn_tandem_backlog(view, job) > 0, 0);
}

static void packed_large_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    pack(key, -pn_tandem_age(view, job), pn_tandem_overlap(view), pn_tandem_map_left(view, job));
}

static void packed_stored_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    pack(key, class_of(view, job), !pn_tandem_mapping(view, job), pn_tandem_backlog(view, job));
}

static int packed_act(pn_tandem_view *view)
{
    double speed = pn_tandem_speed(view), left = 0;
    int status = pn_tandem_fill_map(view, 0, 0.625 * speed, &left);
    if (status == PN_OK)
        status = pn_tandem_fill_map(view, 1, left + 0.375 * speed, NULL);
    if (status == PN_OK)
        status = pn_tandem_fill_map(view, 0, pn_tandem_map_idle(view), NULL);
    if (status == PN_OK)
        status = pn_tandem_fill_shuffle(view, 2, 0.75 * speed, NULL);
    return status == PN_OK ? pn_tandem_fill_shuffle(view, 2, pn_tandem_shuffle_idle(view), NULL)
                           : status;
}

static const pn_tandem_policy packed_policy = {
    .name = "packed",
    .order_count = 3,
    .orders = {{packed_small_key, is_small, PN_TANDEM_WHEN_SERVED, PN_TANDEM_MAPPING},
               {packed_large_key, is_large, PN_TANDEM_AT_INSTANTS, PN_TANDEM_MAPPING},
               {packed_stored_key, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_BACKLOG}},
    .act = packed_act,
};

/* ---- turns ----------------------------------------------------------------------------------- */

enum { TURNS_MOST, TURNS_PART };

static void turns_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_longest_left(view, job));
    key->word[1] = pn_tandem_rank(view, job, 0);
}

static int turns_act(pn_tandem_view *view)
{
    double most = pn_tandem_param_value(view, TURNS_MOST),
           part = pn_tandem_param_value(view, TURNS_PART);
    double given = 0;
    int status = PN_OK;
    for (uint32_t job = pn_tandem_first(view, 0); job != PN_NO_JOB && given < most;
         job = pn_tandem_next(view, 0, job)) {
        if (!pn_tandem_member(view, 1, job))
            continue;
        if ((status = pn_tandem_give_map(view, job, pn_tandem_map_idle(view) * part)) != PN_OK)
            return status;
        given++;
    }
    uint32_t head = pn_tandem_first(view, 1);
    if (head != PN_NO_JOB &&
        (status = pn_tandem_give_map(view, head, pn_tandem_map_idle(view))) != PN_OK)
        return status;
    for (uint32_t job = pn_tandem_first(view, 0);
         job != PN_NO_JOB && pn_tandem_shuffle_idle(view) > 0; job = pn_tandem_next(view, 0, job)) {
        double wanted = pn_tandem_shuffle_idle(view);
        if (pn_tandem_backlog(view, job) == 0)
            wanted = least(wanted, pn_tandem_generation_rate(view, job) -
                                       pn_tandem_shuffle_rate(view, job));
        if ((status = pn_tandem_give_shuffle(view, job, wanted)) != PN_OK)
            return status;
    }
    return status;
}

static const pn_tandem_policy turns_policy = {
    .name = "turns",
    .order_count = 2,
    .orders = {{turns_key, NULL, PN_TANDEM_AT_INSTANTS, PN_TANDEM_PRESENT},
               {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING}},
    .param_count = 2,
    .params = {{"most", 3, 1, 100, NULL, 1, ""}, {"part", 0.5, 0.25, 1, NULL, 0, ""}},
    .act = turns_act,
};

/* ---- chosen ---------------------------------------------------------------------------------- */

enum { CHOSEN_BIAS, CHOSEN_FLIP, CHOSEN_K, CHOSEN_WAY };
enum { CHOSEN_ALL, CHOSEN_LINE, CHOSEN_STORED };

static double sign_of(const pn_tandem_view *view)
{
    return pn_tandem_param_value(view, CHOSEN_FLIP) != 0 ? -1 : 1;
}

static void chosen_all_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    double bias = pn_tandem_param_value(view, CHOSEN_BIAS);
    key->word[0] = pn_key_double(sign_of(view) * pn_tandem_shuffle_left(view, job) +
                                 bias * pn_tandem_arrival(view, job));
}

static void chosen_line_key(const pn_tandem_view *view, uint32_t job, pn_key *key)
{
    key->word[0] = pn_key_double(pn_tandem_map_size(view, job) * sign_of(view));
    key->word[1] = pn_key_double(pn_tandem_param_value(view, CHOSEN_K) *
                                 pn_tandem_shuffle_size(view, job));
}

static int chosen_init(pn_tandem_view *view)
{
    uint8_t way = (uint8_t)pn_tandem_param_value(view, CHOSEN_WAY);
    uint32_t k = (uint32_t)pn_tandem_param_value(view, CHOSEN_K);
    pn_tandem_service map = {way == PN_TANDEM_FIRST ? PN_TANDEM_FIRST : PN_TANDEM_SHARE,
                             CHOSEN_LINE, 0};
    pn_tandem_service shuffle = {way, way == PN_TANDEM_STRICT ? CHOSEN_ALL : CHOSEN_STORED, 0};
    map.limit = way == PN_TANDEM_FIRST ? 0 : k;
    int status = pn_tandem_serve(view, 0, map);
    return status == PN_OK ? pn_tandem_serve(view, 1, shuffle) : status;
}

static const char *const TRUTH[] = {"false", "true", NULL};
static const char *const SERVING[] = {"first", "strict", "share", "rigid", NULL};

static const pn_tandem_policy chosen_policy = {
    .name = "chosen",
    .order_count = 3,
    .map = {PN_TANDEM_FIRST, CHOSEN_LINE, 0},
    .shuffle = {PN_TANDEM_FIRST, CHOSEN_STORED, 0},
    .orders = {{chosen_all_key, NULL, PN_TANDEM_WHEN_SERVED, PN_TANDEM_PRESENT},
               {chosen_line_key, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_MAPPING},
               {NULL, NULL, PN_TANDEM_ON_ARRIVAL, PN_TANDEM_BACKLOG}},
    .param_count = 4,
    .params = {{"bias", 0.25, -4, 4, NULL, 0, ""},
               {"flip", 0, 0, 1, TRUTH, 1, ""},
               {"k", 2, 1, 50, NULL, 1, ""},
               {"way", 0, 0, 3, SERVING, 1, ""}},
    .init = chosen_init,
};

/* ---- all of them ----------------------------------------------------------------------------- */

#define MADE_IN "tests/tandem/pairs"

static const pn_tandem_policy *const MADE[] = {&ledger_policy, &packed_policy, &turns_policy,
                                               &chosen_policy};

/* Scripts that set all rates of a built-in policy by themselves. */
static const char *const BY_RATES[] = {"fcfs",    "ps",    "klps_rigid",
                                       "maxsrpt", "bsrpt", "srptshuffle"};

/* … and that leave the keys to the kernel. */
static const char *const BY_WORDS[] = {"maxsrpt", "srptmap", "srptsum"};

/* Adds a built-in policy in another way: NAME_HOW.lua. */
static pair *add_variant(pairs *all, const char *name, const char *how)
{
    const pn_tandem_policy *native = pn_tandem_policy_find(name);
    char file[32];
    snprintf(file, sizeof file, "%s_%s", name, how);
    return pairs_add(all, MADE_IN, file, PAIR_RULE(native));
}

void tandem_pairs_read(pairs *all)
{
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        PAIRS_ADD(all, "policies/tandem", pn_tandem_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        PAIRS_ADD(all, MADE_IN, MADE[i]);
    for (size_t i = 0; i < sizeof BY_RATES / sizeof BY_RATES[0]; i++)
        add_variant(all, BY_RATES[i], "rates")->nearly = true;
    for (size_t i = 0; i < sizeof BY_WORDS / sizeof BY_WORDS[0]; i++)
        add_variant(all, BY_WORDS[i], "words");
}

double tandem_pairs_draw(const pn_param *param, pn_stream *stream)
{
    uint64_t kind = pn_uniform(stream, 0, 9);
    double value = kind == 0   ? param->low
                   : kind == 1 ? param->high
                               : pn_normal(stream, param->value, 3);
    if (param->names || (param->integer && kind > 1))
        value = param->low +
                (double)pn_uniform(stream, 0, (uint64_t)least(param->high - param->low, 12));
    return value < param->low || value > param->high ? param->value : value;
}
