/* See instance.h. */
#include "instance.h"
#include "support/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STARTS = NAIVE_MAKESPAN_JOBS * 2 * NAIVE_MAKESPAN_TASKS,
    LOG = STARTS + NAIVE_MAKESPAN_JOBS
};

/* ---- drawing ---- */

static unsigned draw(pn_stream *stream, unsigned low, unsigned high)
{
    return (unsigned)random_uniform(stream, low, high);
}

static bool one_in(pn_stream *stream, unsigned n)
{
    return draw(stream, 1, n) == 1;
}

/* Numbers up to which all are drawn. */
typedef struct sizes {
    unsigned slots, tasks, common, rare; /* durations are common or rare */
    long long unit;                      /* of time, in the parts that durations are made of */
} sizes;

static fraction draw_duration(pn_stream *stream, const sizes *most)
{
    if (one_in(stream, 12))
        return fraction_whole(0);
    return fraction_make(draw(stream, 1, one_in(stream, 3) ? most->rare : most->common),
                         most->unit);
}

static void draw_stage(naive_makespan_stage *stage, pn_stream *stream, const sizes *most)
{
    enum { ABSENT, EMPTY, TIME, BOTH, EMPTY_WITH_TIME, TASKS };
    unsigned kind = draw(stream, ABSENT, TASKS + 4);
    memset(stage, 0, sizeof *stage);
    stage->listed = kind != ABSENT && kind != TIME;
    stage->has_time = kind >= TIME && kind <= EMPTY_WITH_TIME;
    if (one_in(stream, 2))
        stage->requested = draw(stream, 1, most->slots + 1);
    if (stage->has_time)
        stage->time = draw_duration(stream, most);
    if (kind != BOTH && kind < TASKS)
        return;
    stage->count = draw(stream, 1, most->tasks);
    for (size_t i = 0; i < stage->count; i++)
        stage->tasks[i] = i > 0 && one_in(stream, 3) ? stage->tasks[i - 1]
                                                     : draw_duration(stream, most);
}

static bool works(const naive_makespan_job *job)
{
    bool any = false;
    for (int k = 0; k < 2; k++) {
        const naive_makespan_stage *stage = &job->stage[k];
        any = any || (!stage->listed && stage->has_time && stage->time.num > 0);
        for (size_t i = 0; i < stage->count; i++)
            any = any || stage->tasks[i].num > 0;
    }
    return any;
}

static void shuffle(size_t *jobs, size_t count, pn_stream *stream)
{
    for (size_t i = 0; i < count; i++)
        jobs[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t k = draw(stream, 0, (unsigned)i - 1);
        size_t job = jobs[k];
        jobs[k] = jobs[i - 1];
        jobs[i - 1] = job;
    }
}

static unsigned nodes_of(const naive_makespan_config *config)
{
    unsigned nodes = config->slots[0] < config->slots[1] ? config->slots[0] : config->slots[1];
    while (config->slots[0] % nodes != 0 || config->slots[1] % nodes != 0)
        nodes--;
    return config->nodes > 0 ? config->nodes : nodes;
}

/* Pools for fixed_pools, no more than jobs and one; the last one may be left for the rules to find
 * (MK25), and its nodes for nobody when it has no jobs. */
static void draw_pools(makespan_instance *drawn, pn_stream *stream)
{
    naive_makespan_config *config = &drawn->config;
    size_t jobs[NAIVE_MAKESPAN_JOBS];
    unsigned nodes = nodes_of(config);
    size_t next = 0;
    shuffle(jobs, drawn->count, stream);
    while (nodes > 0) {
        naive_makespan_pool *pool = &config->pools[config->pool_count++];
        pool->nodes = config->pool_count > drawn->count ? nodes : draw(stream, 1, nodes);
        nodes -= pool->nodes;
        pool->count = nodes == 0 ? drawn->count - next
                                 : draw(stream, 0, (unsigned)(drawn->count - next));
        memcpy(pool->jobs, jobs + next, pool->count * sizeof *jobs);
        next += pool->count;
    }
    if (config->pool_count > 1 && one_in(stream, 2))
        config->pool_count--;
}

static void draw_rules(naive_makespan_config *config, pn_stream *stream, const sizes *most)
{
    for (int k = 0; k < 2; k++) {
        config->slots[k] = draw(stream, 1, most->slots);
        if (one_in(stream, 4))
            config->base_slots[k] = draw(stream, 1, most->slots + 1);
    }
    if (one_in(stream, 3))
        config->slots[NAIVE_REDUCE] = config->slots[NAIVE_MAP]; /* as many nodes as that */
    config->level = one_in(stream, 3) ? NAIVE_STAGES : NAIVE_TASKS;
    if (one_in(stream, 2))
        config->stage_time = draw(stream, NAIVE_GIVEN, NAIVE_FLUID);
    config->share = draw(stream, 0, NAIVE_EXCLUSIVE);
    config->cap = draw(stream, 0, NAIVE_CAP_REQUESTED);
    config->task_order = draw(stream, 0, NAIVE_LPT);
    if (one_in(stream, 4))
        config->resplit = draw(stream, 1, 3);
    if (one_in(stream, 3) && nodes_of(config) % 2 == 0)
        config->nodes = nodes_of(config) / 2;
}

void makespan_instance_draw(makespan_instance *drawn, pn_stream *stream, uint32_t jobs_max)
{
    static const long long units[] = {1, 1, 1, 2, 3, 10};
    sizes most = one_in(stream, 4) ? (sizes){8, 8, 30, 60, 1} : (sizes){4, 5, 5, 12, 1};
    most.unit = units[draw(stream, 0, 5)];
    memset(drawn, 0, sizeof *drawn);
    draw_rules(&drawn->config, stream, &most);
    drawn->count = draw(stream, 1, jobs_max);
    for (size_t i = 0; i < drawn->count; i++) {
        do
            for (int k = 0; k < 2; k++)
                draw_stage(&drawn->jobs[i].stage[k], stream, &most);
        while (!works(&drawn->jobs[i]));
    }
    shuffle(drawn->config.order, drawn->count, stream);
    draw_pools(drawn, stream);
}

bool makespan_instance_choose(makespan_instance *drawn, pn_stream *stream,
                              const pn_makespan_policy *policy)
{
    drawn->config.policy = policy->name;
    for (int i = 0; i < policy->param_count; i++) {
        const pn_param *param = &policy->params[i];
        unsigned choices = 0;
        char number[16];
        if (one_in(stream, 2))
            continue;
        while (param->names && param->names[choices])
            choices++;
        snprintf(number, sizeof number, "%u", draw(stream, 1, 30));
        if (!naive_makespan_set(&drawn->config, param->name,
                                choices > 0 ? param->names[draw(stream, 0, choices - 1)] : number))
            return false;
    }
    return true;
}

/* ---- printing ---- */

static void print_fraction(fraction value)
{
    printf(value.den == 1 ? "%lld" : "\"%lld/%lld\"", value.num, value.den);
}

static void print_stage(const naive_makespan_stage *stage, const char *plural, const char *singular)
{
    if (stage->listed) {
        printf("\"%s\": [", plural);
        for (size_t i = 0; i < stage->count; i++) {
            printf(i > 0 ? ", " : "");
            print_fraction(stage->tasks[i]);
        }
        printf("], ");
    }
    if (stage->has_time) {
        printf("\"%s_time\": ", singular);
        print_fraction(stage->time);
        printf(", ");
    }
    if (stage->requested > 0)
        printf("\"%s_slots\": %u, ", singular, stage->requested);
}

void makespan_instance_print(const makespan_instance *shown)
{
    const naive_makespan_config *c = &shown->config;
    printf("%s at level %u, %u x %u slots (base %u x %u), nodes %u, stage_time %u, share %u, cap "
           "%u, task_order %u, resplit %u\n"
           "estimate %u, tie %u, start %u, max_evals %u, bp_partition %u, bp_size %u, bp_sort %u, "
           "bp_allow_single %u\norder",
           c->policy, c->level, c->slots[0], c->slots[1], c->base_slots[0], c->base_slots[1],
           c->nodes, c->stage_time, c->share, c->cap, c->task_order, c->resplit, c->estimate,
           c->tie, c->start, c->max_evals, c->bp_partition, c->bp_size, c->bp_sort, c->bp_single);
    for (size_t i = 0; i < shown->count; i++)
        printf(" %zu", c->order[i] + 1);
    for (size_t p = 0; p < c->pool_count; p++) {
        printf("; pool of %u nodes:", c->pools[p].nodes);
        for (size_t i = 0; i < c->pools[p].count; i++)
            printf(" %zu", c->pools[p].jobs[i] + 1);
    }
    printf("\n");
    for (size_t i = 0; i < shown->count; i++) {
        printf("  { ");
        print_stage(&shown->jobs[i].stage[NAIVE_MAP], "maps", "map");
        print_stage(&shown->jobs[i].stage[NAIVE_REDUCE], "reduces", "reduce");
        printf("\"name\": \"J%zu\" },\n", i + 1);
    }
}

/* ---- what the kernel is given ---- */

typedef struct batch {
    uint64_t ticks; /* to the unit of time */
    pn_makespan_job jobs[NAIVE_MAKESPAN_JOBS];
    pn_makespan_stretch stretches[NAIVE_MAKESPAN_JOBS][2][NAIVE_MAKESPAN_TASKS];
    uint32_t stretch_count; /* of all stages */
} batch;

static uint64_t in_ticks(const batch *b, fraction value)
{
    return (uint64_t)value.num * (b->ticks / (uint64_t)value.den);
}

uint64_t makespan_instance_ticks(const makespan_instance *run)
{
    long long ticks = 1;
    for (size_t i = 0; i < run->count; i++) {
        for (int k = 0; k < 2; k++) {
            const naive_makespan_stage *stage = &run->jobs[i].stage[k];
            if (stage->has_time)
                ticks = fraction_common(ticks, stage->time.den);
            for (size_t t = 0; t < stage->count; t++)
                ticks = fraction_common(ticks, stage->tasks[t].den);
        }
    }
    return (uint64_t)ticks;
}

static uint32_t pack(const batch *b, const naive_makespan_stage *stage,
                     pn_makespan_stretch *stretches, bool single)
{
    uint32_t count = 0;
    for (size_t t = 0; t < stage->count; t++) {
        uint64_t duration = in_ticks(b, stage->tasks[t]);
        if (!single && count > 0 && stretches[count - 1].duration == duration)
            stretches[count - 1].count++;
        else
            stretches[count++] = (pn_makespan_stretch){duration, 1};
    }
    return count;
}

static void make_batch(batch *b, const makespan_instance *run, const makespan_manner *how)
{
    b->stretch_count = 0;
    b->ticks = makespan_instance_ticks(run) * (how->scale > 0 ? how->scale : 1);
    for (size_t i = 0; i < run->count; i++) {
        b->jobs[i] = (pn_makespan_job){.tag = 1000 + i, .group = (uint32_t)i % 2};
        for (int k = 0; k < 2; k++) {
            const naive_makespan_stage *stage = &run->jobs[i].stage[k];
            uint32_t count = pack(b, stage, b->stretches[i][k], how->single);
            b->jobs[i].stage[k] = (pn_makespan_stage_of_job){
                .stretches = b->stretches[i][k],
                .stretch_count = count,
                .requested = stage->requested,
                .time = stage->has_time ? in_ticks(b, stage->time) : 0,
                .has_time = stage->has_time,
                .empty = stage->listed && count == 0};
            b->stretch_count += count > 0 ? count : stage->has_time;
        }
    }
}

static pn_makespan_config configure(const makespan_instance *run, const batch *b,
                                    const pn_makespan_policy *policy, bool roomy)
{
    const naive_makespan_config *c = &run->config;
    pn_makespan_config config = pn_makespan_defaults();
    config.map_slots = c->slots[NAIVE_MAP];
    config.reduce_slots = c->slots[NAIVE_REDUCE];
    config.base_map_slots = c->base_slots[NAIVE_MAP];
    config.base_reduce_slots = c->base_slots[NAIVE_REDUCE];
    config.level = c->level == NAIVE_TASKS ? PN_MAKESPAN_TASKS : PN_MAKESPAN_STAGES;
    config.jobs_max = (uint32_t)run->count + (roomy ? 7 : 0);
    config.stretches_max = b->stretch_count + (roomy ? 7 : 0);
    config.groups_max = 2;
    config.statistics = 1;
    config.ticks = b->ticks;
    config.nodes = c->nodes;
    config.stage_time = c->stage_time;
    config.share = c->share;
    config.cap = c->cap;
    config.task_order = c->task_order;
    config.resplit = c->resplit;
    config.policy = roomy && pn_makespan_policy_find(policy->name) ? NULL : policy;
    return config;
}

/* Of a choice the word that says what is said already. */
static void choose_params(const naive_makespan_config *config, const pn_makespan_policy *policy,
                          double *params)
{
    for (int i = 0; i < policy->param_count; i++) {
        const pn_param *param = &policy->params[i];
        unsigned said = naive_makespan_get(config, param->name);
        params[i] = said > 0 && !param->names ? said : param->value;
        for (int w = 0; said > 0 && param->names && param->names[w]; w++) {
            naive_makespan_config tried = {.policy = policy->name};
            naive_makespan_set(&tried, param->name, param->names[w]);
            if (naive_makespan_get(&tried, param->name) == said)
                params[i] = w;
        }
    }
}

/* The jobs, and what given_order and fixed_pools answer. */
static int hand_over(pn_makespan *sim, const makespan_instance *run, const batch *b)
{
    int status = PN_OK;
    uint64_t ids[NAIVE_MAKESPAN_JOBS][NAIVE_MAKESPAN_JOBS];
    pn_makespan_pool pools[NAIVE_MAKESPAN_JOBS];
    const naive_makespan_config *c = &run->config;
    for (size_t i = 0; i < run->count && status == PN_OK; i++) {
        status = pn_makespan_submit(sim, &b->jobs[i], NULL);
        ids[0][i] = c->order[i] + 1;
    }
    if (status == PN_OK)
        status = pn_makespan_set_order(sim, ids[0], run->count);
    for (size_t p = 0; p < c->pool_count; p++) {
        for (size_t i = 0; i < c->pools[p].count; i++)
            ids[p][i] = c->pools[p].jobs[i] + 1;
        pools[p] = (pn_makespan_pool){c->pools[p].nodes, (uint32_t)c->pools[p].count, ids[p]};
    }
    if (c->pool_count > 0 && status == PN_OK)
        status = pn_makespan_set_pools(sim, pools, c->pool_count);
    return status;
}

/* ---- what the kernel reports ---- */

typedef struct watch {
    void *asked;
    const makespan_instance *run;
    makespan_outcome *out;
    pn_makespan *sim;
    size_t log_count;
    pn_makespan_decision log[LOG]; /* finishes too, as of kind PN_MAKESPAN_FINISH */
    uint64_t finishes;
} watch;

void *makespan_instance_asked(const pn_makespan_view *view)
{
    const watch *w = pn_makespan_user(view);
    return w->asked;
}

static void complain(makespan_outcome *out, const char *format, ...)
{
    va_list arguments;
    if (out->fault[0] != '\0')
        return;
    va_start(arguments, format);
    vsnprintf(out->fault, sizeof out->fault, format, arguments);
    va_end(arguments);
}

static uint64_t moment(const pn_makespan_decision *entry)
{
    return entry->kind == PN_MAKESPAN_FINISH ? entry->end : entry->start;
}

static void append(watch *w, pn_makespan_decision entry)
{
    if (w->log_count == LOG) {
        complain(w->out, "more decisions than tasks");
        return;
    }
    if (w->log_count > 0 && moment(&w->log[w->log_count - 1]) > moment(&entry))
        complain(w->out, "reports out of order");
    w->log[w->log_count++] = entry;
}

static void see_decision(void *user, const pn_makespan_decision *decision)
{
    watch *w = user;
    uint64_t ticks = pn_makespan_ticks(w->sim);
    uint32_t k = decision->kind == PN_MAKESPAN_START_MAP ? NAIVE_MAP : NAIVE_REDUCE;
    append(w, *decision);
    if (decision->id == 0 || decision->id > w->run->count ||
        decision->task >= NAIVE_MAKESPAN_TASKS || decision->end < decision->start) {
        complain(w->out, "a decision out of range");
        return;
    }
    naive_makespan_times *times = &w->out->result.times[decision->id - 1];
    times->started[k]++;
    times->task_start[k][decision->task] = fraction_make((long long)decision->start,
                                                         (long long)ticks);
    times->task_length[k][decision->task] = fraction_make(
        (long long)(decision->end - decision->start), (long long)ticks);
}

static void see_finish(void *user, const pn_makespan_finish *finish)
{
    watch *w = user;
    long long ticks = (long long)pn_makespan_ticks(w->sim);
    pn_makespan_decision entry = {
        .start = finish->finish, finish->finish, finish->id, PN_MAKESPAN_FINISH, 0, 0};
    const pn_makespan_decision *last = w->log_count > 0 ? &w->log[w->log_count - 1] : NULL;
    if (last && last->kind == PN_MAKESPAN_FINISH && last->end == finish->finish &&
        last->id >= finish->id)
        complain(w->out, "finishes out of order");
    append(w, entry);
    w->finishes++;
    if (finish->id == 0 || finish->id > w->run->count || finish->tag != 1000 + finish->id - 1 ||
        finish->group != (finish->id - 1) % 2) {
        complain(w->out, "a finish with another job's id, tag or group");
        return;
    }
    naive_makespan_times *times = &w->out->result.times[finish->id - 1];
    times->map_start = fraction_make((long long)finish->map_start, ticks);
    times->map_finish = fraction_make((long long)finish->map_finish, ticks);
    times->reduce_start = fraction_make((long long)finish->reduce_start, ticks);
    times->finish = fraction_make((long long)finish->finish, ticks);
}

/* As the header defines it. */
static uint64_t digest_of(const watch *w)
{
    uint64_t digest = 0;
    for (size_t i = 0; i < w->log_count;) {
        uint64_t time = moment(&w->log[i]);
        uint64_t sum = 0;
        for (; i < w->log_count && moment(&w->log[i]) == time; i++) {
            const pn_makespan_decision *entry = &w->log[i];
            uint64_t mixed = pn_mix(pn_mix(pn_mix(PN_MIX_START, time), entry->kind), entry->id);
            sum += pn_mix(mixed, entry->end - entry->start);
        }
        digest = pn_mix(pn_mix(pn_mix(PN_MIX_START, digest), time), sum);
    }
    return digest;
}

/* ---- the checker ---- */

static void verify(watch *w, const pn_makespan_config *config, const batch *b)
{
    uint64_t ids[NAIVE_MAKESPAN_JOBS];
    pn_makespan_pool pools[NAIVE_MAKESPAN_JOBS];
    const pn_makespan_totals *totals = &w->out->totals;
    uint32_t pool_count = pn_makespan_pools(w->sim);
    size_t next = 0;
    bool split = pool_count > 1; /* or a part of the cluster is left without jobs */
    for (uint32_t p = 0; p < pool_count; p++) {
        pn_makespan_pool_plan plan;
        pn_makespan_pool_get(w->sim, p, &plan);
        pools[p] = (pn_makespan_pool){plan.nodes, plan.count, ids + next};
        split = split || plan.map_slots != config->map_slots ||
                plan.reduce_slots != config->reduce_slots;
        for (uint32_t i = 0; i < plan.count; i++, next++)
            ids[next] = pn_makespan_order(w->sim, (uint32_t)next);
    }
    pn_makespan_claim claim = {.map_slots = config->map_slots,
                               .reduce_slots = config->reduce_slots,
                               .base_map_slots = config->base_map_slots,
                               .base_reduce_slots = config->base_reduce_slots,
                               .nodes = config->nodes,
                               .level = config->level,
                               .stage_time = totals->stage_time,
                               .share = totals->share,
                               .cap = totals->cap,
                               .resplit = totals->resplit,
                               .ticks = pn_makespan_ticks(w->sim) / config->ticks,
                               .jobs = b->jobs,
                               .job_count = w->run->count,
                               .pools = split ? pools : NULL,
                               .pool_count = split ? pool_count : 0};
    size_t size = pn_makespan_verifier_size(&claim);
    void *block = malloc(size > 0 ? size : 1);
    pn_makespan_verifier *verifier = NULL;
    if (size == 0 || pn_makespan_verifier_init(&verifier, block, size, &claim) != PN_OK) {
        complain(w->out, "the checker refuses the claim");
        free(block);
        return;
    }
    for (size_t i = 0; i < w->log_count; i++)
        pn_makespan_verifier_feed(verifier, &w->log[i]);
    if (pn_makespan_verifier_end(verifier, totals->makespan, w->out->digest) != PN_OK) {
        uint64_t time = 0;
        uint64_t id = 0;
        const char *fault = pn_makespan_verifier_fault(verifier, &time, &id);
        complain(w->out, "the checker: %s (job %llu at tick %llu)", fault, (unsigned long long)id,
                 (unsigned long long)time);
    }
    if (refusals_collecting())
        makespan_refusals(&claim, &(refusals_table){.rows = w->log, .count = w->log_count},
                          totals->makespan, w->out->digest);
    free(block);
}

/* ---- the run ---- */

static void move(watch *w)
{
    size_t size = pn_makespan_block_size(w->sim);
    void *copy = malloc(size);
    memcpy(copy, w->sim, size);
    memset(w->sim, 0xA5, size);
    free(w->sim);
    if (pn_makespan_open(&w->sim, copy, size) != PN_OK)
        abort();
}

/* Returns how many slots an entry of the log takes. */
static uint64_t slots_of(const watch *w, const pn_makespan_decision *entry, bool stages)
{
    pn_makespan_pool_plan plan;
    if (!stages)
        return 1;
    pn_makespan_pool_get(w->sim, entry->slot, &plan);
    return entry->kind == PN_MAKESPAN_START_MAP ? plan.map_slots : plan.reduce_slots;
}

/* Compares what is in use between two instants with the reports. */
static void check_levels(watch *w, bool stages)
{
    pn_makespan_levels levels;
    uint64_t in_use[2] = {0, 0}, holding = 0;
    bool holds[NAIVE_MAKESPAN_JOBS] = {false};
    pn_makespan_levels_get(w->sim, &levels);
    for (size_t i = 0; i < w->log_count; i++) {
        const pn_makespan_decision *entry = &w->log[i];
        if (entry->kind == PN_MAKESPAN_FINISH || entry->end <= levels.time)
            continue;
        in_use[entry->kind == PN_MAKESPAN_START_REDUCE] += slots_of(w, entry, stages);
        holding += !holds[entry->id - 1];
        holds[entry->id - 1] = true;
    }
    if (levels.jobs != w->run->count - w->finishes || levels.queue != levels.jobs - holding ||
        levels.map != in_use[0] || levels.reduce != in_use[1])
        complain(w->out, "the levels are not those of the reports");
}

static int drive(watch *w, const pn_makespan_hooks *hooks, const makespan_manner *how, bool stages)
{
    int status = how->planned ? pn_makespan_plan(w->sim, hooks) : PN_OK;
    if (status != PN_OK)
        return status;
    for (;;) {
        if (how->move_every > 0)
            move(w);
        status = how->stepping
                     ? pn_makespan_step(w->sim, hooks)
                     : pn_makespan_run(w->sim, hooks, PN_MAKESPAN_FOREVER,
                                       how->move_every > 0 ? how->move_every : UINT64_MAX);
        if (how->stepping && status == PN_OK)
            check_levels(w, stages);
        if (status != PN_PAUSED && !(how->stepping && status == PN_OK))
            return status;
    }
}

static fraction from_exact(pn_exact value)
{
    return value.den > 0 ? fraction_make(value.num, value.den) : fraction_whole(-1);
}

static void read_plan(watch *w)
{
    naive_makespan_result *result = &w->out->result;
    size_t next = 0;
    result->pool_count = pn_makespan_pools(w->sim);
    for (uint32_t p = 0; p < result->pool_count && p < NAIVE_MAKESPAN_JOBS; p++) {
        naive_makespan_pool *pool = &result->pools[p];
        pn_makespan_pool_plan plan;
        pn_makespan_pool_get(w->sim, p, &plan);
        *pool = (naive_makespan_pool){
            .nodes = plan.nodes, .slots = {plan.map_slots, plan.reduce_slots}, .count = plan.count};
        for (size_t i = 0; i < plan.count && next < w->run->count; i++, next++) {
            result->order[next] = (size_t)pn_makespan_order(w->sim, (uint32_t)next) - 1;
            pool->jobs[i] = result->order[next];
        }
    }
}

static void read_results(watch *w, const pn_makespan_config *config)
{
    naive_makespan_result *result = &w->out->result;
    const pn_makespan_totals *totals = &w->out->totals;
    const pn_stats *completions = pn_makespan_completions(w->sim, PN_ALL_GROUPS);
    pn_exact bound = {0, 0};
    int status = pn_makespan_bound(w->sim, &bound);
    result->slots[NAIVE_MAP] = config->map_slots;
    result->slots[NAIVE_REDUCE] = config->reduce_slots;
    read_plan(w);
    result->makespan = fraction_make((long long)totals->makespan,
                                     (long long)pn_makespan_ticks(w->sim));
    result->total_completion = from_exact(totals->total_completion);
    result->has_bound = status == PN_OK;
    result->bound = from_exact(bound);
    result->evaluations = (unsigned)totals->evaluations;
    if (status != PN_OK && status != PN_DONE)
        complain(w->out, "the bound: %s", pn_status_name(status));
    if (totals->submitted != w->run->count || totals->finished != w->run->count ||
        w->finishes != w->run->count)
        complain(w->out, "a wrong number of jobs");
    if (totals->tasks_started + w->finishes != w->log_count)
        complain(w->out, "tasks_started is not the number of decisions");
    if (totals->time != totals->makespan)
        complain(w->out, "the last instant is not the last finish");
    if (!completions || completions->count != w->run->count)
        complain(w->out, "completion times are missing");
    if (strcmp(pn_makespan_policy_name(w->sim), w->run->config.policy) != 0)
        complain(w->out, "another policy's name");
    if (w->out->digest != digest_of(w))
        complain(w->out, "the digest is not that of the reports");
}

void makespan_instance_run(const makespan_instance *run, makespan_manner how, makespan_outcome *out)
{
    const pn_makespan_policy *policy = how.policy ? how.policy
                                                  : pn_makespan_policy_find(run->config.policy);
    double params[PN_PARAMS_MAX];
    batch *b = malloc(sizeof *b);
    watch *w = calloc(1, sizeof *w);
    memset(out, 0, sizeof *out);
    w->asked = how.asked;
    w->run = run;
    w->out = out;
    make_batch(b, run, &how);
    pn_makespan_config config = configure(run, b, policy, how.roomy);
    size_t size = pn_makespan_size(&config);
    if (size == 0 || pn_makespan_init(&w->sim, malloc(size), size, &config) != PN_OK)
        abort();
    choose_params(&run->config, policy, params);
    pn_makespan_hooks hooks = {.policy = policy,
                               .params = how.params ? how.params : params,
                               .on_finish = see_finish,
                               .on_decision = see_decision,
                               .user = w};
    out->status = hand_over(w->sim, run, b);
    if (out->status == PN_OK)
        out->status = drive(w, &hooks, &how, config.level == PN_MAKESPAN_STAGES);
    pn_makespan_totals_get(w->sim, &out->totals);
    out->digest = pn_makespan_digest(w->sim);
    if (out->status == PN_DONE) {
        read_results(w, &config);
        verify(w, &config, b);
    }
    free(w->sim);
    free(w);
    free(b);
}

void makespan_instance_search_ratio(const makespan_instance *run, makespan_manner how,
                                    unsigned total, makespan_outcome *best)
{
    makespan_instance *tried = malloc(sizeof *tried);
    makespan_outcome *out = malloc(sizeof *out);
    bool any = false;
    *tried = *run;
    total = total > 0 ? total : run->config.slots[0] + run->config.slots[1];
    for (int k = 0; k < 2; k++)
        if (tried->config.base_slots[k] == 0)
            tried->config.base_slots[k] = run->config.slots[k];
    for (unsigned maps = 1; maps < total; maps++) {
        tried->config.slots[NAIVE_MAP] = maps;
        tried->config.slots[NAIVE_REDUCE] = total - maps;
        if (run->config.nodes > 0 &&
            (maps % run->config.nodes != 0 || (total - maps) % run->config.nodes != 0))
            continue;
        makespan_instance_run(tried, how, out);
        bool well = out->status == PN_DONE && out->fault[0] == '\0';
        if (!any || !well || fraction_less(out->result.makespan, best->result.makespan))
            *best = *out;
        any = true;
        if (!well)
            break;
    }
    free(out);
    free(tried);
}

/* ---- comparing ---- */

static bool same(char *what, size_t size, const char *name, size_t job, fraction got, fraction want)
{
    if (fraction_equal(got, want))
        return true;
    snprintf(what, size, "%s of job %zu: got %lld/%lld, want %lld/%lld", name, job, got.num,
             got.den, want.num, want.den);
    return false;
}

static bool same_number(char *what, size_t size, const char *name, size_t job, size_t got,
                        size_t want)
{
    return same(what, size, name, job, fraction_whole((long long)got),
                fraction_whole((long long)want));
}

static bool same_plan(const makespan_instance *run, const naive_makespan_result *got,
                      const naive_makespan_result *want, char *what, size_t size)
{
    if (!same_number(what, size, "number of pools", 0, got->pool_count, want->pool_count))
        return false;
    for (size_t p = 0; p < want->pool_count; p++) {
        const naive_makespan_pool *a = &got->pools[p];
        const naive_makespan_pool *b = &want->pools[p];
        if (!same_number(what, size, "nodes of a pool", p, a->nodes, b->nodes) ||
            !same_number(what, size, "map slots of a pool", p, a->slots[0], b->slots[0]) ||
            !same_number(what, size, "reduce slots of a pool", p, a->slots[1], b->slots[1]) ||
            !same_number(what, size, "jobs of a pool", p, a->count, b->count))
            return false;
    }
    for (size_t i = 0; i < run->count; i++)
        if (!same_number(what, size, "order: the place", i + 1, got->order[i] + 1,
                         want->order[i] + 1))
            return false;
    return true;
}

static bool same_tasks(const naive_makespan_times *got, const naive_makespan_times *want,
                       size_t job, char *what, size_t size)
{
    for (int k = 0; k < 2; k++) {
        if (!same_number(what, size, k == NAIVE_MAP ? "maps started" : "reduces started", job,
                         got->started[k], want->started[k]))
            return false;
        for (size_t t = 0; t < want->started[k]; t++)
            if (got->task_start[k][t].den == 0 ||
                !same(what, size, "start of a task", job, got->task_start[k][t],
                      want->task_start[k][t]) ||
                !same(what, size, "length of a task", job, got->task_length[k][t],
                      want->task_length[k][t]))
                return false;
    }
    return true;
}

bool makespan_instance_agree(const makespan_instance *run, const naive_makespan_result *got,
                             const naive_makespan_result *want, char *what, size_t size)
{
    if (!same_plan(run, got, want, what, size))
        return false;
    for (size_t i = 0; i < run->count; i++) {
        const naive_makespan_times *a = &got->times[i];
        const naive_makespan_times *b = &want->times[i];
        if (!same(what, size, "map_start", i + 1, a->map_start, b->map_start) ||
            !same(what, size, "map_finish", i + 1, a->map_finish, b->map_finish) ||
            !same(what, size, "reduce_start", i + 1, a->reduce_start, b->reduce_start) ||
            !same(what, size, "finish", i + 1, a->finish, b->finish) ||
            !same_tasks(a, b, i + 1, what, size))
            return false;
    }
    return same(what, size, "makespan", 0, got->makespan, want->makespan) &&
           same(what, size, "total completion", 0, got->total_completion, want->total_completion) &&
           same_number(what, size, "whether there is a bound", 0, got->has_bound,
                       want->has_bound) &&
           (!want->has_bound || same(what, size, "lower bound", 0, got->bound, want->bound)) &&
           (want->evaluations == 0 ||
            same_number(what, size, "evaluations", 0, got->evaluations, want->evaluations));
}
