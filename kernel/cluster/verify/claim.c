/* The checker's own reading of a claim: whether it makes sense, how much memory the checker needs,
 * and its state before the first entry. */
#include "state.h"

enum {
    GROUPS_MOST = 1 << 22,
    CLUSTER_NODES_MOST = 1 << 22,
    CLUSTER_SLOTS_MOST = 1 << 26,
    SLOTS_OF_NODE_MOST = 1 << 16,
    TASKS_MOST = 1 << 24
};

static bool cluster_between(uint64_t value, uint64_t low, uint64_t high)
{
    return low <= value && value <= high;
}

/* ---- nodes and rules ---- */

typedef struct cluster {
    uint64_t nodes, slots[2];
    pn_cluster_config config; /* as this version knows it */
} cluster;

static bool cluster_nodes_valid(const pn_scheduler_config *config, cluster *c)
{
    c->nodes = c->slots[PN_SCHEDULER_MAP] = c->slots[PN_SCHEDULER_REDUCE] = 0;
    if (!config->nodes || !cluster_between(config->nodes_count, 1, GROUPS_MOST))
        return false;
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_scheduler_nodes *group = &config->nodes[i];
        if (!cluster_between(group->count, 1, CLUSTER_NODES_MOST) ||
            group->map_slots > SLOTS_OF_NODE_MOST || group->reduce_slots > SLOTS_OF_NODE_MOST ||
            group->speed > (uint32_t)1 << 20)
            return false;
        c->nodes += group->count;
        c->slots[PN_SCHEDULER_MAP] += (uint64_t)group->count * group->map_slots;
        c->slots[PN_SCHEDULER_REDUCE] += (uint64_t)group->count * group->reduce_slots;
        if (c->nodes > CLUSTER_NODES_MOST ||
            c->slots[PN_SCHEDULER_MAP] + c->slots[PN_SCHEDULER_REDUCE] > CLUSTER_SLOTS_MOST)
            return false;
    }
    return c->slots[PN_SCHEDULER_MAP] > 0 && config->nodes_absent <= c->nodes;
}

static bool cluster_rules_valid(const pn_cluster_config *config)
{
    const pn_scheduler_config *core = &config->scheduler;
    return config->seed <= PN_INTEGER_MAX && config->heartbeat_ms <= PN_CLUSTER_MOST_MS &&
           cluster_between(config->replication, 1, 1 << 16) &&
           cluster_between(config->factor_lo, 1, config->factor_hi) &&
           config->factor_hi <= PN_CLUSTER_FACTOR_MOST && config->attempt_fail_permille <= 1000 &&
           (config->est_extra_ms <= PN_CLUSTER_MOST_MS ||
            config->est_extra_ms == PN_CLUSTER_AUTO) &&
           config->restore_ms <= PN_CLUSTER_MOST_MS && config->restore_permille <= 1 << 20 &&
           config->save_ms <= PN_CLUSTER_MOST_MS && config->save_permille <= 1 << 20 &&
           cluster_between(config->tick_ms, 1, PN_CLUSTER_MOST_MS) && core->nodes_down <= 1 &&
           core->reduce_start <= PN_SCHEDULER_AFTER_MAPS && core->slowstart_permille <= 1000 &&
           core->attempts_max >= 1 && core->running_most <= UINT32_MAX;
}

/* Checks the number of all tasks, which have to be told apart; 0 when the claim makes no sense. */
static bool cluster_claim_valid(const pn_cluster_claim *claim, cluster *c, uint32_t *tasks)
{
    if (!claim || !PN_GIVEN(claim, pn_cluster_claim, failure_count) ||
        !pn_cluster_config_read(&c->config, claim->config) || claim->measured > 1 ||
        claim->preempts > 1 || claim->maps_first > 1 || claim->holds > 1 || claim->deals > 1 ||
        claim->promises > 1 || claim->copies > 1 || !cluster_nodes_valid(&c->config.scheduler, c) ||
        !cluster_rules_valid(&c->config) ||
        (claim->job_count > 0 &&
         (!claim->jobs || !PN_GIVEN(claim->jobs, pn_cluster_job, priority))) ||
        (!claim->failures && claim->failure_count > 0))
        return false;
    uint64_t sum = 0;
    for (size_t i = 0; i < claim->job_count; i++) {
        sum += (uint64_t)pn_cluster_claimed(claim, i)->maps + pn_cluster_claimed(claim, i)->reduces;
        if (sum >= PN_CLUSTER_NOBODY)
            return false;
    }
    *tasks = (uint32_t)sum;
    return claim->job_count < PN_CLUSTER_NOBODY;
}

/* ---- jobs ---- */

static bool times_valid(const uint64_t *times, uint32_t count)
{
    for (uint32_t i = 0; times && i < count; i++)
        if (times[i] > PN_CLUSTER_MOST_MS)
            return false;
    return true;
}

static bool factors_valid(const uint32_t *factors, uint32_t count)
{
    for (uint32_t i = 0; factors && i < count; i++)
        if (!cluster_between(factors[i], 1, PN_CLUSTER_FACTOR_MOST))
            return false;
    return true;
}

/* Checks the nodes of blocks: they exist, each once for a map. */
static bool blocks_valid(pn_cluster_verifier *v, const pn_cluster_job *job)
{
    const uint32_t *holder = job->blocks;
    if (!holder)
        return true;
    if (!job->block_counts)
        return false;
    for (uint32_t map = 0; map < job->maps; map++) {
        v->draws++;
        for (uint32_t left = job->block_counts[map]; left > 0; left--, holder++) {
            if (*holder >= v->node_count || v->node[*holder].stamp == v->draws)
                return false;
            v->node[*holder].stamp = v->draws;
        }
    }
    return true;
}

static bool estimates_valid(const pn_cluster_job *job)
{
    return job->deadline <= PN_INTEGER_MAX && job->est_map_ms <= PN_CLUSTER_MOST_MS &&
           job->est_reduce_ms <= PN_CLUSTER_MOST_MS && job->input <= PN_INTEGER_MAX &&
           job->intermediate <= PN_INTEGER_MAX && job->weight <= PN_SCHEDULER_WEIGHT_MOST &&
           job->priority >= -PN_SCHEDULER_PRIORITY_MOST &&
           job->priority <= PN_SCHEDULER_PRIORITY_MOST;
}

/* Checks a job: what submit would refuse is no workload to hold a log against. */
static int check_job(pn_cluster_verifier *v, size_t index, uint64_t reduce_slots)
{
    const pn_cluster_job *job = pn_cluster_claimed(&v->claim, index);
    if (!cluster_between(job->maps, 1, TASKS_MOST) || job->reduces > TASKS_MOST ||
        (job->reduces > 0 && reduce_slots == 0) || job->submit > PN_INTEGER_MAX ||
        job->map_ms > PN_CLUSTER_MOST_MS || job->remote_ms > PN_CLUSTER_MOST_MS ||
        job->reduce_ms > PN_CLUSTER_MOST_MS || job->shuffle_ms > PN_CLUSTER_MOST_MS ||
        !estimates_valid(job) || !times_valid(job->map_times, job->maps) ||
        !times_valid(job->reduce_times, job->reduces) ||
        !times_valid(job->shuffle_times, job->reduces) ||
        !factors_valid(job->map_factor, job->maps) ||
        !factors_valid(job->reduce_factor, job->reduces) || !blocks_valid(v, job))
        return PN_ERR_JOB;
    if (!v->claim.measured && index > 0 &&
        job->submit < pn_cluster_claimed(&v->claim, index - 1)->submit)
        return PN_ERR_ORDER;
    return PN_OK;
}

static int check_failures(const pn_cluster_claim *claim, uint64_t nodes)
{
    for (size_t i = 0; i < claim->failure_count; i++) {
        const pn_cluster_failure *f = &claim->failures[i];
        if (f->node >= nodes || f->recover <= f->time ||
            (f->recover != PN_SCHEDULER_NEVER ? f->recover : f->time) > PN_INTEGER_MAX)
            return PN_ERR_ARGUMENT;
    }
    return PN_OK;
}

/* ---- memory ---- */

static size_t cluster_claim_carve(const pn_cluster_claim *claim, const cluster *c, uint32_t tasks,
                                  pn_cluster_verifier *v)
{
    pn_arena arena = {0, false};
    uint64_t slots = c->slots[PN_SCHEDULER_MAP] + c->slots[PN_SCHEDULER_REDUCE];
    size_t maps = 0, words = 0;
    for (size_t i = 0; i < claim->job_count; i++) {
        maps += pn_cluster_claimed(claim, i)->maps;
        words += pn_cluster_check_words(pn_cluster_claimed(claim, i)->maps) +
                 pn_cluster_check_words(pn_cluster_claimed(claim, i)->reduces);
    }
    pn_arena_take(&arena, 1, sizeof(pn_cluster_verifier));
    size_t job = pn_arena_take(&arena, claim->job_count, sizeof(pn_cluster_check_job));
    size_t node = pn_arena_take(&arena, (size_t)c->nodes, sizeof(pn_cluster_check_node));
    size_t task = pn_arena_take(&arena, tasks, sizeof(pn_cluster_check_task));
    uint64_t attempts = pn_min(slots + (claim->preempts ? tasks : 0),
                               ((uint64_t)claim->copies + 1) * tasks);
    size_t attempt = pn_arena_take(&arena, (size_t)attempts, sizeof(pn_cluster_check_attempt));
    bool saves = !claim->measured && (c->config.save_ms > 0 || c->config.save_permille > 0);
    size_t slot = pn_arena_take(&arena, saves ? (size_t)slots : 0, sizeof(pn_cluster_check_slot));
    size_t bits = pn_arena_take(&arena, words, sizeof(uint64_t));
    size_t sorted = pn_arena_take(&arena, claim->measured ? 0 : maps, sizeof(uint32_t));
    size_t end = pn_arena_take(&arena, claim->measured ? 0 : (size_t)pn_min(slots, attempts),
                               sizeof(pn_cluster_check_end));
    size_t fates = claim->measured ? 0 : claim->failure_count;
    size_t fate = pn_arena_take(&arena, fates, 2 * sizeof(pn_cluster_check_fate));
    if (v) {
        v->job = pn_at(v, job);
        v->node = pn_at(v, node);
        v->task = pn_at(v, task);
        v->attempt = pn_at(v, attempt);
        v->attempts = (uint32_t)attempts;
        v->slot = pn_at(v, slot);
        v->bits = pn_at(v, bits);
        v->sorted = pn_at(v, sorted);
        v->end = pn_at(v, end);
        v->fate = pn_at(v, fate);
    }
    return pn_arena_size(&arena, 0);
}

size_t pn_cluster_verifier_size(const pn_cluster_claim *claim)
{
    cluster c;
    uint32_t tasks;
    return cluster_claim_valid(claim, &c, &tasks) ? cluster_claim_carve(claim, &c, tasks, NULL) : 0;
}

/* ---- the books before the first entry ---- */

static void cluster_set_up_nodes(pn_cluster_verifier *v)
{
    const pn_scheduler_config *config = &v->config.scheduler;
    uint32_t node = 0, slot = 0;
    for (uint32_t i = 0; i < config->nodes_count; i++)
        for (uint32_t left = config->nodes[i].count; left > 0; left--, node++) {
            uint32_t absent = node >= v->node_count - config->nodes_absent;
            uint32_t maps = absent ? 0 : config->nodes[i].map_slots,
                     reduces = absent ? 0 : config->nodes[i].reduce_slots;
            v->node[node] = (pn_cluster_check_node){
                .free = {(int32_t)maps, (int32_t)reduces},
                .slots = {maps, reduces},
                .most = {config->nodes[i].map_slots, config->nodes[i].reduce_slots},
                .first_slot = {slot, slot + config->nodes[i].map_slots},
                .maps_done = PN_CLUSTER_NOBODY,
                .speed = config->nodes[i].speed ? config->nodes[i].speed : 1000,
                .up = !config->nodes_down};
            slot += config->nodes[i].map_slots + config->nodes[i].reduce_slots;
        }
    for (uint32_t i = 0; i < slot && pn_cluster_check_saves(v); i++)
        v->slot[i] = (pn_cluster_check_slot){0, 0};
}

static void set_up_tasks(pn_cluster_verifier *v, uint32_t job, uint32_t kind)
{
    uint64_t blocks = 0;
    const pn_cluster_job *claim = pn_cluster_claimed(&v->claim, job);
    for (uint32_t i = 0; i < pn_cluster_check_count(v, job, kind); i++) {
        uint32_t task = v->job[job].first[kind] + i;
        v->task[task] = (pn_cluster_check_task){.job = job,
                                                .blocks = blocks,
                                                .attempt = PN_CLUSTER_NOBODY,
                                                .previous = PN_CLUSTER_NOBODY,
                                                .next = PN_CLUSTER_NOBODY};
        pn_cluster_check_pend(v, task);
        if (kind == PN_SCHEDULER_MAP && claim->blocks)
            blocks += claim->block_counts[i];
    }
}

static void cluster_set_up_jobs(pn_cluster_verifier *v)
{
    uint32_t task = 0;
    size_t word = 0, sorted = 0;
    for (uint32_t i = 0; i < v->claim.job_count; i++) {
        pn_cluster_check_job *job = &v->job[i];
        const pn_cluster_job *claim = pn_cluster_claimed(&v->claim, i);
        size_t middle = word + pn_cluster_check_words(claim->maps);
        *job = (pn_cluster_check_job){.map_finish = PN_CLUSTER_NEVER_YET,
                                      .first_word = {word, middle},
                                      .first_sorted = sorted,
                                      .first = {task, task + claim->maps},
                                      .attempts = {PN_CLUSTER_NOBODY, PN_CLUSTER_NOBODY}};
        task += claim->maps + claim->reduces;
        sorted += claim->maps;
        for (; word < middle + pn_cluster_check_words(claim->reduces); word++)
            v->bits[word] = 0;
        set_up_tasks(v, i, PN_SCHEDULER_MAP);
        set_up_tasks(v, i, PN_SCHEDULER_REDUCE);
    }
}

static void set_up_attempts(pn_cluster_verifier *v)
{
    v->attempt_free = PN_CLUSTER_NOBODY;
    for (uint32_t at = v->attempts; at > 0; at--) {
        v->attempt[at - 1] = (pn_cluster_check_attempt){.next = v->attempt_free};
        v->attempt_free = at - 1;
    }
}

/* Orders by CL3: at one time recoveries precede failures, each by node. */
static bool cluster_fate_before(const pn_cluster_check_fate *a, const pn_cluster_check_fate *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->down != b->down ? a->down < b->down : a->node < b->node;
}

static void sift_fate(pn_cluster_check_fate *fate, size_t at, size_t count)
{
    pn_cluster_check_fate moved = fate[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && cluster_fate_before(&fate[child], &fate[child + 1]))
            child++;
        if (!cluster_fate_before(&moved, &fate[child]))
            break;
        fate[at] = fate[child];
        at = child;
    }
    fate[at] = moved;
}

static void cluster_set_up_fates(pn_cluster_verifier *v)
{
    pn_cluster_check_fate *fate = v->fate;
    for (size_t i = 0; i < v->claim.failure_count && !v->claim.measured; i++) {
        const pn_cluster_failure *f = &v->claim.failures[i];
        fate[v->fate_count++] = (pn_cluster_check_fate){f->time, f->node, 1};
        if (f->recover != PN_SCHEDULER_NEVER)
            fate[v->fate_count++] = (pn_cluster_check_fate){f->recover, f->node, 0};
    }
    for (size_t i = v->fate_count / 2; i > 0; i--)
        sift_fate(fate, i - 1, v->fate_count);
    for (size_t left = v->fate_count; left > 1; left--) {
        pn_cluster_check_fate last = fate[0];
        fate[0] = fate[left - 1];
        fate[left - 1] = last;
        sift_fate(fate, 0, left - 1);
    }
}

int pn_cluster_verifier_init(pn_cluster_verifier **verifier, void *block, size_t size,
                             const pn_cluster_claim *claim)
{
    cluster c;
    uint32_t tasks;
    if (!verifier || !block || !cluster_claim_valid(claim, &c, &tasks))
        return PN_ERR_ARGUMENT;
    int status = pn_block_fits(block, size, cluster_claim_carve(claim, &c, tasks, NULL));
    if (status != PN_OK)
        return status;
    pn_cluster_verifier *v = block;
    *v = (pn_cluster_verifier){.config = c.config,
                               .node_count = (uint32_t)c.nodes,
                               .beat_node = (uint32_t)c.nodes,
                               .fault = ""};
    PN_TAKE(&v->claim, claim, pn_cluster_claim, failure_count);
    v->replication = (uint32_t)pn_min(v->config.replication, c.nodes);
    cluster_claim_carve(claim, &c, tasks, v);
    cluster_set_up_nodes(v);
    status = check_failures(claim, c.nodes);
    for (size_t i = 0; i < claim->job_count && status == PN_OK; i++)
        status = check_job(v, i, c.slots[PN_SCHEDULER_REDUCE]);
    if (status != PN_OK)
        return status;
    cluster_set_up_jobs(v);
    set_up_attempts(v);
    cluster_set_up_fates(v);
    *verifier = v;
    return PN_OK;
}
