/* See pairs.h. Each rule is that of tests/dag/pairs/NAME.lua, told again with nothing
 * but the core's interface. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>

static int64_t draw(const pn_dispatch_view *view, int64_t low, int64_t high)
{
    return low + (int64_t)pn_uniform(pn_dispatch_stream(view), 0, (uint64_t)(high - low));
}

/* ---- picky ----------------------------------------------------------------------------------- */

typedef struct picky {
    int64_t turns, gone;
} picky;

static int64_t *credit_of(const pn_dispatch_view *view, uint32_t job)
{
    return (int64_t *)(void *)((picky *)pn_dispatch_state(view) + 1) + job;
}

static int picky_arrive(pn_dispatch_view *view, uint32_t job)
{
    picky *all = pn_dispatch_state(view);
    all->turns++;
    *credit_of(view, job) = draw(view, 0, 3) + pn_dispatch_weight_of(view, job) % 2 +
                            pn_dispatch_stage_count(view, job);
    return PN_OK;
}

static void picky_leave(pn_dispatch_view *view, uint32_t job)
{
    picky *all = pn_dispatch_state(view);
    all->gone += (int64_t)(pn_dispatch_id(view, job) % 7);
}

static void picky_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    int64_t running = pn_dispatch_running(view, job), left = pn_dispatch_stages_left(view, job);
    key->word[0] = pn_key_double((double)((3 * running + left) % 5 - *credit_of(view, job)));
    key->word[1] = pn_key_double(pn_dispatch_queue_of(view, job));
}

static uint64_t picky_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    uint32_t last = pn_dispatch_resources(view) - 1;
    return (pn_dispatch_node_free(view, node, last) - pn_dispatch_demand(view, stage, last)) % 97 +
           pn_dispatch_pending(view, stage) + pn_dispatch_node_speed(view, node) % 3 +
           pn_dispatch_done(view, stage);
}

static const pn_dispatch_policy picky_policy = {
    .name = "picky",
    .order = {.keys = PN_DISPATCH_KEYS_USED},
    .state_bytes = sizeof(picky),
    .state_bytes_per_job = sizeof(int64_t),
    .key = picky_key,
    .arrive = picky_arrive,
    .leave = picky_leave,
    .score = picky_score,
};

/* ---- killer ---------------------------------------------------------------------------------- */

enum { SEEN_MOST = 4096 };

static void killer_queue_key(const pn_dispatch_view *view, uint32_t queue, pn_key *key)
{
    uint64_t running = pn_dispatch_queue_running(view, queue);
    key->word[0] = pn_key_double((double)(running * pn_dispatch_queue_weight(view, queue) % 7));
    key->word[1] = pn_key_double(-(double)pn_dispatch_queue_use(view, queue, 0));
}

/* Attempts are looked at before any is killed. */
static void cull(pn_dispatch_view *view, uint32_t node, int64_t *killed)
{
    uint32_t count = 0, seen[SEEN_MOST], at = PN_DISPATCH_NO_ATTEMPT;
    while (count < SEEN_MOST &&
           (at = pn_dispatch_next_on_node(view, node, at)) != PN_DISPATCH_NO_ATTEMPT)
        seen[count++] = at;
    for (uint32_t i = 0; i < count; i++) {
        pn_dispatch_task task = pn_dispatch_attempt_task(view, seen[i]);
        if (draw(view, 0, 3) != 0 || pn_dispatch_kill(view, seen[i]) != PN_OK)
            continue;
        *killed += 1 + (int64_t)((task.start + task.attempt) % 3);
    }
}

static int killer_preempt(pn_dispatch_view *view)
{
    int64_t *killed = pn_dispatch_state(view);
    int status = PN_OK;
    for (uint32_t node = 0; node < pn_dispatch_nodes_all(view); node++)
        cull(view, node, killed);
    for (uint32_t queue = 0; status == PN_OK && queue < pn_dispatch_queues_all(view); queue++) {
        uint32_t stage = pn_dispatch_first_offered(view, queue);
        uint32_t node = stage == PN_DISPATCH_NO_STAGE ? pn_dispatch_nodes_all(view)
                                                      : pn_dispatch_room(view, stage);
        if (node < pn_dispatch_nodes_all(view) && (*killed + queue) % 2 == 0)
            status = pn_dispatch_launch(view, stage, node);
    }
    return status;
}

static const pn_dispatch_policy killer_policy = {
    .name = "killer",
    .order = {.by_queue = 1, .preempts = 1},
    .state_bytes = sizeof(int64_t),
    .queue_key = killer_queue_key,
    .preempt = killer_preempt,
};

/* ---- all of them ----------------------------------------------------------------------------- */

static const pn_dispatch_policy *const MADE[] = {&picky_policy, &killer_policy};

void dag_pairs_read(pairs *all)
{
    for (size_t i = 0; pn_dispatch_policy_at(i); i++)
        PAIRS_ADD(all, "policies/dag", pn_dispatch_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        PAIRS_ADD(all, "tests/dag/pairs", MADE[i]);
}

double dag_pairs_draw(const pn_param *param, pn_stream *stream)
{
    return param->low + (double)pn_uniform(stream, 0, (uint64_t)(param->high - param->low));
}
