/* See pairs.h. Each rule is that of tests/dag/pairs/NAME.lua, told again with nothing
 * but the core's interface. */
#include "pairs.h"

#include <stdio.h>
#include <stdlib.h>

#include "slotted/support/pairs.h"

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

/* Names have dashes where those of files have underscores. */
static void add(dag_pair pairs[DAG_PAIRS_MAX], int *count, const char *folder,
                const pn_dispatch_policy *native)
{
    dag_pair *made = &pairs[(*count)++];
    int name = snprintf(made->path, sizeof made->path, "%s/", folder);
    snprintf(made->path + name, sizeof made->path - (size_t)name, "%s.lua", native->name);
    for (char *c = made->path + name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    made->native = native;
    made->text = *count < DAG_PAIRS_MAX ? pairs_read_file(made->path, &made->size) : NULL;
    if (!made->text) {
        printf("FAILED: %s cannot be read: every policy has its twin in Lua\n", made->path);
        exit(1);
    }
}

int dag_pairs_read(dag_pair pairs[DAG_PAIRS_MAX])
{
    int count = 0;
    for (size_t i = 0; pn_dispatch_policy_at(i); i++)
        add(pairs, &count, "policies/dag", pn_dispatch_policy_at(i));
    for (size_t i = 0; i < sizeof MADE / sizeof MADE[0]; i++)
        add(pairs, &count, "tests/dag/pairs", MADE[i]);
    return count;
}

void dag_pairs_free(dag_pair pairs[DAG_PAIRS_MAX], int count)
{
    for (int i = 0; i < count; i++)
        free(pairs[i].text);
}

pn_lua_policy *dag_pairs_load(const dag_pair *of, const pn_lua_options *options)
{
    return pairs_load_text(of->path, of->text, of->size, options);
}

static void set(const dag_pair *of, const pn_lua_policy *script, uint32_t index, double value,
                dag_pair_params *params)
{
    const char *name = of->native->params[index].name;
    params->native[index] = value;
    if (pn_lua_policy_set(script, params->script, name, value) != PN_OK) {
        printf("FAILED: %s does not take %s = %g\n", of->path, name, value);
        exit(1);
    }
}

dag_pair_params dag_pairs_params(const dag_pair *of, const pn_lua_policy *script, pn_stream *stream)
{
    dag_pair_params params = {{0}, {0}};
    bool drawn = pn_uniform(stream, 0, 4) > 0;
    for (uint32_t i = 0; i < of->native->param_count; i++) {
        const pn_param *param = &of->native->params[i];
        uint64_t width = (uint64_t)(param->high - param->low);
        set(of, script, i, drawn ? param->low + (double)pn_uniform(stream, 0, width) : param->value,
            &params);
    }
    return params;
}
