/* How long each attempt has to take by the rules: what the model draws, where inputs lie, lengths
 * of work. */
#include "state.h"

/* ---- what the model draws (CL8) ---- */

enum draw {
    CLUSTER_LENGTHS_DRAW_FACTOR = 1,
    CLUSTER_LENGTHS_DRAW_REPLICA = 2,
    DRAW_FAILURE = 3,
    DRAW_MOMENT = 4
};

uint32_t pn_cluster_check_kind(const pn_cluster_verifier *v, uint32_t task)
{
    return task >= v->job[v->task[task].job].first[PN_SCHEDULER_REDUCE];
}

/* Returns the index among the job's maps or reduces. */
static uint32_t index_of(const pn_cluster_verifier *v, uint32_t task)
{
    return task - v->job[v->task[task].job].first[pn_cluster_check_kind(v, task)];
}

static uint64_t cluster_draw(const pn_cluster_verifier *v, enum draw purpose, uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    uint64_t hash = pn_mix(pn_mix(PN_MIX_START, v->config.seed), purpose);
    hash = pn_mix(pn_mix(hash, v->task[task].job), pn_cluster_check_kind(v, task));
    return pn_mix(pn_mix(hash, index_of(v, task)), v->attempt[attempt].number);
}

bool pn_cluster_check_will_fail(const pn_cluster_verifier *v, uint32_t attempt)
{
    return cluster_draw(v, DRAW_FAILURE, attempt) % 1000 < v->config.attempt_fail_permille;
}

static uint64_t cluster_lengths_factor_of(const pn_cluster_verifier *v, uint32_t attempt)
{
    const pn_cluster_config *config = &v->config;
    uint32_t task = v->attempt[attempt].task;
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    bool map = pn_cluster_check_kind(v, task) == PN_SCHEDULER_MAP;
    const uint32_t *listed = map ? claim->map_factor : claim->reduce_factor;
    if (listed)
        return listed[index_of(v, task)];
    return config->factor_lo + cluster_draw(v, CLUSTER_LENGTHS_DRAW_FACTOR, attempt) %
                                   ((uint64_t)config->factor_hi - config->factor_lo + 1);
}

static bool drawn_local(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    const pn_cluster_check_task *t = &v->task[task];
    uint64_t input = pn_mix(
        pn_mix(pn_mix(PN_MIX_START, v->config.seed), CLUSTER_LENGTHS_DRAW_REPLICA), t->job);
    input = pn_mix(input, index_of(v, task));
    if (v->replication >= v->node_count)
        return true;
    v->draws++;
    uint32_t found = 0;
    for (uint64_t candidate = 0; found < v->replication; candidate++) {
        uint32_t holder = (uint32_t)(pn_mix(input, candidate) % v->node_count);
        if (holder == node)
            return true;
        found += v->node[holder].stamp != v->draws;
        v->node[holder].stamp = v->draws;
    }
    return false;
}

bool pn_cluster_check_local(pn_cluster_verifier *v, uint32_t task, uint32_t node)
{
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    if (!claim->blocks)
        return drawn_local(v, task, node);
    const uint32_t *holder = claim->blocks + v->task[task].blocks;
    for (uint32_t left = claim->block_counts[index_of(v, task)]; left > 0; left--)
        if (*holder++ == node)
            return true;
    return false;
}

/* ---- durations ---- */

/* Returns ceil(amount * by / over) with amount <= 2^53, 1 <= by <= 2^30, 1 <= over <= 2^20. Never,
 * where no time is so late. */
static uint64_t scaled(uint64_t amount, uint64_t by, uint64_t over)
{
    uint64_t whole = amount / over;
    if (whole > PN_INTEGER_MAX / by)
        return PN_CLUSTER_NEVER_YET;
    return whole * by + (amount % over * by + over - 1) / over;
}

/* Returns, by CL27, how much of so much work an attempt does before it ends one way or the
 * other. */
static uint64_t worked(const pn_cluster_verifier *v, uint32_t attempt, uint64_t work)
{
    if (!v->attempt[attempt].fails || work > PN_INTEGER_MAX)
        return work;
    return pn_max(1, work * (cluster_draw(v, DRAW_MOMENT, attempt) % 1000) / 1000);
}

static uint64_t work_ms(const pn_cluster_verifier *v, uint32_t attempt, uint64_t nominal)
{
    uint32_t speed = v->node[v->attempt[attempt].node].speed;
    return worked(v, attempt,
                  pn_max(1, scaled(nominal, cluster_lengths_factor_of(v, attempt), speed)));
}

uint64_t pn_cluster_check_map_ms(pn_cluster_verifier *v, uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    uint64_t nominal = claim->map_times ? claim->map_times[index_of(v, task)] : claim->map_ms;
    if (!pn_cluster_check_local(v, task, v->attempt[attempt].node))
        nominal += claim->remote_ms;
    return work_ms(v, attempt, nominal);
}

uint64_t pn_cluster_check_reduce_ms(const pn_cluster_verifier *v, uint32_t attempt)
{
    uint32_t task = v->attempt[attempt].task;
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    return work_ms(v, attempt,
                   claim->reduce_times ? claim->reduce_times[index_of(v, task)] : claim->reduce_ms);
}

/* Returns the ms and so many permille of the time that the attempt had worked, these up to 2^53: no
 * time is later. */
static uint64_t with_part(const pn_cluster_check_attempt *a, uint64_t ms, uint64_t permille)
{
    uint64_t part = permille > 0 ? scaled(a->since - a->start, permille, 1000) : 0;
    return ms + pn_min(part, PN_INTEGER_MAX);
}

uint64_t pn_cluster_check_restore_ms(const pn_cluster_verifier *v, uint32_t attempt)
{
    return with_part(&v->attempt[attempt], v->config.restore_ms, v->config.restore_permille);
}

uint64_t pn_cluster_check_save_ms(const pn_cluster_verifier *v, uint32_t attempt)
{
    return with_part(&v->attempt[attempt], v->config.save_ms, v->config.save_permille);
}

uint64_t pn_cluster_check_shuffle_ms(const pn_cluster_verifier *v, uint32_t attempt, uint32_t here)
{
    uint32_t task = v->attempt[attempt].task;
    const pn_cluster_job *claim = pn_cluster_check_claim(v, v->task[task].job);
    uint64_t all = claim->shuffle_times ? claim->shuffle_times[index_of(v, task)]
                                        : claim->shuffle_ms;
    uint64_t remote = claim->maps - here;
    /* floor(all * remote / maps) without a product of 64 bits */
    uint64_t moved = all / claim->maps * remote + all % claim->maps * remote / claim->maps;
    return scaled(moved, cluster_lengths_factor_of(v, attempt), 1000);
}
