/* Prints "name digest" lines for named runs of everything that must come out the same everywhere,
 * bit for bit: schedules of all policies, bounds, random streams and variates; and of the
 * declaration of each setting and policy.
 * scripts/check/goldens.sh compares them with tests/golden/digests.txt across compilers. */
#include <string.h>

#include "cluster/support/workload.h"
#include "dag/support/workload.h"
#include "slotted/support/workload.h"
#include "makespan/support/workload.h"
#include "tandem/support/workload.h"

static void line(const char *name, const char *mode, const char *work, uint64_t digest)
{
    printf("%s%s%s%s%s %016llx\n", name, *mode ? "/" : "", mode, *work ? "/" : "", work,
           (unsigned long long)digest);
}

static const char *mode_name(uint32_t reduce)
{
    return reduce == PN_SLOTTED_PREEMPTIVE ? "preemptive" : "nonpreemptive";
}

/* ---- schedules ---- */

typedef struct setting {
    const char *name;
    size_t jobs;
    uint64_t seed;
    uint32_t machines;
    slotted_shape shape;
    const char *policies; /* names with a blank before and behind each; null: all */
} setting;

static const setting settings[] = {
    {"small", 400, 1, 20, {.rate = 0.4, .maps = 5, .reduces = 40, .tasks = 10}, NULL},
    {"misjudged",
     400,
     2,
     20,
     {.rate = 0.4, .maps = 20, .reduces = 20, .tasks = 6, .estimates = 1},
     " asrpt asrpt_cu dspt dsptf psrpt idx "},
    /* The sizes of the paper's figures: 100 machines, two jobs a slot, 90 % load. */
    {"reduce-heavy",
     10000,
     3,
     100,
     {.rate = 2, .maps = 5, .reduces = 40, .tasks = 10},
     " fifo fair asrpt psrpt srpt "},
    {"map-heavy",
     10000,
     4,
     100,
     {.rate = 2, .maps = 30, .reduces = 15, .tasks = 10},
     " lrpt asrpt dsptf "},
};

static bool wanted(const setting *s, const char *policy)
{
    char padded[40];
    snprintf(padded, sizeof padded, " %s ", policy);
    return !s->policies || strstr(s->policies, padded);
}

/* The digest of the schedule, mixed with the totals it led to. */
static uint64_t schedule(const setting *s, const slotted_workload *work,
                         const pn_slotted_policy *policy, uint32_t reduce)
{
    static const double weights[] = {3, 1, -40, 2};
    pn_slotted_config config = slotted_config(work, s->machines, reduce);
    pn_slotted_hooks hooks = {.policy = policy, .params = policy->param_count > 0 ? weights : NULL};
    pn_slotted_totals totals;
    config.stretches_max = 3 * config.jobs_max;
    config.estimates = s->shape.estimates;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    uint64_t digest = slotted_digest(work, &config, &hooks, &totals);
    return pn_mix(pn_mix(digest, totals.total_flow_time), totals.lower_bound);
}

static void bounds(const slotted_workload *work, uint32_t machines, uint32_t reduce)
{
    size_t size = pn_slotted_bound_size(work->count);
    void *workspace = workload_room(size);
    uint64_t total = 0;
    if (pn_slotted_bound_tight(workspace, size, machines, reduce, work->jobs, work->count, NULL,
                               NULL, &total) != PN_OK)
        abort();
    line("lb2", mode_name(reduce), "small", total);
    free(workspace);
}

static void schedules(const setting *s)
{
    static const uint32_t modes[] = {PN_SLOTTED_PREEMPTIVE, PN_SLOTTED_NONPREEMPTIVE};
    slotted_workload work = slotted_new(s->jobs, s->seed, s->shape);
    for (int m = 0; m < SLOTTED_MODES; m++) {
        uint32_t reduce = modes[m];
        for (size_t i = 0; pn_slotted_policy_at(i); i++) {
            const pn_slotted_policy *policy = pn_slotted_policy_at(i);
            if (wanted(s, policy->name) &&
                (reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive))
                line(policy->name, mode_name(reduce), s->name, schedule(s, &work, policy, reduce));
        }
        if (!s->policies)
            bounds(&work, s->machines, reduce);
    }
    slotted_free(&work);
}

/* ---- schedules of the tandem model ---- */

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

typedef struct tandem_setting {
    const char *name;
    size_t jobs;
    uint64_t seed;
    double speed;
    tandem_shape shape;
} tandem_setting;

static const tandem_setting tandem_settings[] = {
    {"small", 400, 5, 1, {.rate = 0.75, .map = 1, .shuffle = 1}},
    {"ties", 400, 6, 1.5, {.rate = 1, .map = 1.2, .shuffle = 1, .grain = 4, .odd = 1}},
    {"misjudged", 400, 7, 1, {.rate = 0.7, .map = 1, .shuffle = 1.1, .odd = 1, .estimates = 1}},
    /* The sizes of section 5.3 (TA22). */
    {"lognormal", 4000, 8, 1, {.rate = 0.75, .map = 1, .shuffle = 1}},
};

/* The digest of the schedule, mixed with every bit of what it led to. */
static uint64_t tandem_schedule(const tandem_setting *s, const tandem_workload *work,
                                const pn_tandem_policy *policy, const double *params,
                                uint32_t traditional)
{
    pn_tandem_config config = tandem_config(work, traditional);
    pn_tandem_hooks hooks = {.policy = policy, .params = params};
    pn_tandem_totals totals;
    config.speed = s->speed;
    config.estimates = s->shape.estimates;
    config.bounds = PN_TANDEM_BOUNDS_TIGHT;
    uint64_t hash = tandem_digest(work, &config, &hooks, &totals);
    hash = pn_mix(pn_mix(hash, bits_of(totals.total_response_time)), bits_of(totals.last_finish));
    hash = pn_mix(pn_mix(hash, bits_of(totals.lower_bound)), bits_of(totals.lower_bound_tight));
    return pn_mix(pn_mix(hash, bits_of(totals.mean_in_system)), totals.instants);
}

static void tandem_schedules(const tandem_setting *s)
{
    /* Beside the defaults. */
    const struct {
        const char *name;
        const pn_tandem_policy *policy;
        double param;
    } variants[] = {
        {"maxsrpt-strict", pn_tandem_maxsrpt(), 0},    {"splitsrpt-none", pn_tandem_splitsrpt(), 0},
        {"splitsrpt-empty", pn_tandem_splitsrpt(), 1}, {"klps-2", pn_tandem_klps(), 2},
        {"klps_rigid-2", pn_tandem_klps_rigid(), 2},   {"bsrpt-0", pn_tandem_bsrpt(), 0}};
    tandem_workload work = tandem_new(s->jobs, s->seed, s->shape);
    if (strcmp(s->name, "lognormal") == 0) {
        pn_stream stream;
        pn_stream_init(&stream, s->seed, 0, 9);
        for (size_t i = 0; i < work.count; i++) {
            work.jobs[i].map = pn_lognormal(&stream, 1, 3.65);
            work.jobs[i].shuffle = work.jobs[i].map * pn_lognormal(&stream, 1, 3.28);
        }
    }
    for (uint32_t traditional = 0; traditional <= 1; traditional++) {
        const char *mode = traditional ? "traditional" : "overlap";
        for (size_t i = 0; pn_tandem_policy_at(i); i++)
            line(pn_tandem_policy_at(i)->name, mode, s->name,
                 tandem_schedule(s, &work, pn_tandem_policy_at(i), NULL, traditional));
        for (size_t i = 0; i < sizeof variants / sizeof variants[0] && s->shape.estimates == 0; i++)
            line(variants[i].name, mode, s->name,
                 tandem_schedule(s, &work, variants[i].policy, &variants[i].param, traditional));
    }
    tandem_free(&work);
}

/* ---- schedules of the cluster model ---- */

typedef struct cluster_setting {
    const char *name;
    size_t jobs;
    uint64_t seed;
    cluster_shape shape;
} cluster_setting;

static const cluster_setting cluster_settings[] = {
    {"small",
     60,
     9,
     {.gap_ms = 900, .maps = 6, .reduces = 3, .task_ms = 2000, .nodes = CLUSTER_NODES}},
    {"listed",
     60,
     10,
     {.gap_ms = 500,
      .maps = 5,
      .reduces = 4,
      .task_ms = 3000,
      .listed = 1,
      .nodes = CLUSTER_NODES}},
};

/* The digest of the schedule, mixed with the totals it led to. */
static uint64_t cluster_schedule(const cluster_workload *work, const cluster_rules *rules,
                                 const cluster_variant *variant)
{
    pn_cluster_config config = cluster_config(work, rules);
    pn_cluster_hooks hooks = {.policy = variant->policy, .params = variant->params};
    pn_cluster_totals totals;
    config.scheduler.policy = variant->policy;
    uint64_t digest = cluster_digest(work, &config, &hooks, &totals);
    digest = pn_mix(pn_mix(digest, totals.scheduler.total_makespan), totals.scheduler.slot_ms);
    return variant->policy->admit ? pn_mix(digest, totals.scheduler.feedback_fired) : digest;
}

static void cluster_schedules(const cluster_setting *s)
{
    cluster_workload work = cluster_new(s->jobs, s->seed, s->shape);
    for (uint32_t option = 0; option < CLUSTER_OPTIONS; option++) {
        cluster_variant variant;
        for (size_t i = 0; cluster_variant_get(i, &variant); i++) {
            char mode[24];
            snprintf(mode, sizeof mode, variant.params ? "rules-%u-%zu" : "rules-%u", option, i);
            line(variant.policy->name, mode, s->name,
                 cluster_schedule(&work, &cluster_options[option], &variant));
        }
    }
    cluster_free(&work);
}

/* ---- schedules of the dag model ---- */

static void dag_line(const dag_workload *work, uint32_t option, const char *name,
                     const pn_dispatch_policy *policy, const double *params)
{
    pn_dag_config config = dag_config(work, &dag_options[option], policy);
    pn_dag_hooks hooks = {.policy = policy, .params = params};
    pn_dag_totals totals = {.time = 0};
    char mode[24];
    uint64_t digest = dag_digest(work, &config, &hooks, &totals);
    digest = pn_mix(pn_mix(digest, totals.dispatch.total_jct.low), totals.bound_total_jct.low);
    snprintf(mode, sizeof mode, "rules-%u", option);
    line(name, mode, "dag", pn_mix(digest, totals.utilisation_permille[0]));
}

static void dag_schedules(void)
{
    dag_workload work = dag_new(60, 11, 900);
    for (uint32_t option = 0; option < DAG_OPTIONS; option++) {
        for (size_t i = 0; pn_dispatch_policy_at(i); i++)
            dag_line(&work, option, pn_dispatch_policy_at(i)->name, pn_dispatch_policy_at(i), NULL);
        for (size_t i = 0; i < DAG_VARIANTS; i++)
            dag_line(&work, option, dag_variants[i].name, dag_variants[i].policy(),
                     &dag_variants[i].param);
    }
    dag_free(&work);
}

/* ---- schedules of the makespan model ---- */

typedef struct makespan_setting {
    const char *name;
    size_t jobs;
    uint64_t seed;
    uint32_t map_slots, reduce_slots;
    uint64_t ticks;
    makespan_shape shape;
} makespan_setting;

static const makespan_setting makespan_settings[] = {
    {"few", 7, 11, 12, 6, 1, {.tasks = 8, .longest = 40}},
    {"odd", 6, 12, 4, 6, 10, {.tasks = 3, .longest = 9, .odd = 1}},
    {"many", 30, 13, 20, 20, 1, {.tasks = 30, .longest = 1000}},
};

static uint64_t mix_exact(uint64_t hash, pn_exact value)
{
    return pn_mix(pn_mix(hash, (uint64_t)value.num), (uint64_t)value.den);
}

/* The digest of the schedule, mixed with what it led to. */
static uint64_t makespan_schedule(const makespan_setting *s, const makespan_batch *batch,
                                  const pn_makespan_policy *policy, makespan_rules rules)
{
    pn_makespan_config config = makespan_config(batch, rules, s->map_slots, s->reduce_slots);
    pn_makespan_hooks hooks = {.policy = policy};
    pn_exact bound = {0, 0};
    config.ticks = s->ticks;
    config.policy = policy;
    pn_makespan *sim = makespan_done(batch, &config, &hooks);
    pn_makespan_totals totals = makespan_totals(sim);
    pn_makespan_bound(sim, &bound);
    uint64_t hash = pn_mix(pn_mix(pn_makespan_digest(sim), pn_makespan_ticks(sim)),
                           totals.makespan);
    hash = mix_exact(mix_exact(mix_exact(hash, totals.total_completion), bound), totals.proven);
    for (uint32_t i = 0; i < batch->count; i++)
        hash = pn_mix(hash, pn_makespan_order(sim, i));
    free(sim);
    return pn_mix(hash, totals.evaluations);
}

static void makespan_schedules(const makespan_setting *s)
{
    static const char *const modes[] = {
        "stage",           "stage-given",           "stage-waves",
        "stage-capped",    "stage-fluid",           "task",
        "task-capped-lpt", "task-exclusive",        "task-exclusive-capped-lpt",
        "task-resplit",    "task-exclusive-resplit"};
    _Static_assert(sizeof modes / sizeof modes[0] == MAKESPAN_OPTIONS, "a name for each");
    makespan_batch batch = makespan_new(s->jobs, s->seed, s->shape);
    for (int mode = 0; mode < MAKESPAN_OPTIONS; mode++)
        for (size_t i = 0; pn_makespan_policy_at(i); i++) {
            const pn_makespan_policy *policy = pn_makespan_policy_at(i);
            if (makespan_decides(policy, makespan_options[mode].level) &&
                (policy != pn_makespan_optimal() || s->jobs <= 8))
                line(policy->name, modes[mode], s->name,
                     makespan_schedule(s, &batch, policy, makespan_options[mode]));
        }
    if (s->jobs <= 8)
        line("exact", "task", s->name,
             makespan_schedule(s, &batch, pn_makespan_exact(),
                               (makespan_rules){.level = PN_MAKESPAN_TASKS}));
    makespan_free(&batch);
}

/* ---- numbers ---- */

static uint64_t draw_words(pn_stream *stream)
{
    return pn_random64(stream);
}

static uint64_t draw_uniform(pn_stream *stream)
{
    return pn_uniform(stream, 3, 1000002);
}

static uint64_t draw_uniform01(pn_stream *stream)
{
    return bits_of(pn_uniform01(stream));
}

static uint64_t draw_exponential(pn_stream *stream)
{
    return bits_of(pn_exponential(stream, 40.0));
}

static uint64_t draw_poisson(pn_stream *stream)
{
    return pn_poisson(stream, 50.5);
}

static uint64_t draw_normal(pn_stream *stream)
{
    return bits_of(pn_normal(stream, -1.0, 3.0));
}

static uint64_t draw_lognormal(pn_stream *stream)
{
    return bits_of(pn_lognormal(stream, 10.0, 25.0));
}

static uint64_t draw_pareto(pn_stream *stream)
{
    return bits_of(pn_pareto(stream, 1.5, 2.0));
}

static uint64_t draw_empirical(pn_stream *stream)
{
    static const uint64_t cumulative[] = {5, 5, 17, 1000, 1001};
    return pn_empirical(stream, cumulative, 5);
}

static uint64_t draw_functions(pn_stream *stream)
{
    double x = pn_exponential(stream, 100.0);
    double y = pn_normal(stream, 0.0, 20.0);
    return bits_of(pn_log(x)) ^ bits_of(pn_exp(y)) * 3 ^ bits_of(pn_pow(x, y)) * 5 ^
           bits_of(pn_sqrt(x)) * 7;
}

static void numbers(const char *name, uint64_t (*draw)(pn_stream *))
{
    pn_stream stream;
    uint64_t hash = PN_MIX_START;
    pn_stream_init(&stream, 20130814, 3, 9);
    for (int i = 0; i < 20000; i++)
        hash = pn_mix(hash, draw(&stream));
    line(name, "", "", hash);
}

/* What the statistics say of a stream of samples, every bit of it. */
static void statistics(void)
{
    size_t size = pn_stats_size(-4, 20);
    pn_stats *stats = workload_room(size);
    pn_stream stream;
    uint64_t hash = PN_MIX_START;
    pn_stats_init(stats, -4, 20, 0);
    pn_stream_init(&stream, 5, 0, 0);
    for (int i = 0; i < 20000; i++)
        pn_stats_add(stats, pn_lognormal(&stream, 30.0, 60.0));
    hash = pn_mix(pn_mix(hash, bits_of(stats->mean)), bits_of(pn_stats_variance(stats)));
    for (int i = 0; i <= 100; i++)
        hash = pn_mix(hash, bits_of(pn_stats_quantile(stats, i / 100.0)));
    line("statistics", "", "", hash);
    free(stats);
}

/* ---- declarations ---- */

static uint64_t text_mixed(uint64_t hash, const char *text)
{
    hash = pn_mix(hash, text != NULL);
    while (text && *text)
        hash = pn_mix(hash, (unsigned char)*text++);
    return hash;
}

static uint64_t names_mixed(uint64_t hash, const char *const *names)
{
    for (; names && *names; names++)
        hash = text_mixed(hash, *names);
    return text_mixed(hash, NULL);
}

/* Range and default of a setting, and what hashes of scenarios know of it. */
static void declared_setting(const char *model, const pn_setting *setting)
{
    uint64_t hash = text_mixed(PN_MIX_START, setting->range);
    const pn_rule *rule = setting->rule;
    char name[64];
    size_t length = 0;
    hash = pn_mix(pn_mix(pn_mix(hash, setting->low), setting->value), setting->high);
    hash = pn_mix(pn_mix(hash, setting->size), setting->automatic);
    if (rule) {
        hash = text_mixed(text_mixed(hash, rule->name), rule->automatic);
        hash = names_mixed(text_mixed(hash, rule->absent), rule->names);
        hash = pn_mix(pn_mix(hash, rule->rank), rule->later);
    }
    while (length + 1 < sizeof name && setting->range[length] != ':')
        length++;
    memcpy(name, setting->range, length);
    name[length] = 0;
    line("setting", model, name, hash);
}

/* Parameters and keys of a policy. */
static void declared_policy(const char *model, pn_policy_about policy)
{
    uint64_t hash = pn_mix(PN_MIX_START, policy.param_count);
    for (int i = 0; i < policy.param_count; i++) {
        const pn_param *param = &policy.params[i];
        hash = names_mixed(text_mixed(hash, param->name), param->names);
        hash = pn_mix(pn_mix(hash, bits_of(param->value)), bits_of(param->low));
        hash = pn_mix(pn_mix(hash, bits_of(param->high)), param->integer);
    }
    for (const pn_key_part *part = policy.keys; part && (part->name || part->form); part++) {
        hash = text_mixed(names_mixed(text_mixed(hash, part->name), part->names), part->orders);
        hash = pn_mix(pn_mix(pn_mix(hash, bits_of(part->unit)), part->base), part->form);
        hash = pn_mix(pn_mix(pn_mix(hash, part->word), part->shift), part->bits);
        hash = pn_mix(pn_mix(hash, part->alone), part->choice);
    }
    line("policy", model, policy.name, hash);
}

/* The policies of a core are those of its model. */
static void declared(const pn_model *model)
{
    const pn_setting *setting;
    const void *policy;
    for (size_t i = 0; (setting = model->setting_at(i)); i++)
        declared_setting(model->name, setting);
    for (size_t i = 0; model->step && (policy = model->policy_at(i)); i++)
        declared_policy(model->name, model->policy_about(policy));
}

int main(void)
{
    numbers("words", draw_words);
    numbers("uniform", draw_uniform);
    numbers("uniform01", draw_uniform01);
    numbers("exponential", draw_exponential);
    numbers("poisson", draw_poisson);
    numbers("normal", draw_normal);
    numbers("lognormal", draw_lognormal);
    numbers("pareto", draw_pareto);
    numbers("empirical", draw_empirical);
    numbers("functions", draw_functions);
    statistics();
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        schedules(&settings[i]);
    for (size_t i = 0; i < sizeof tandem_settings / sizeof tandem_settings[0]; i++)
        tandem_schedules(&tandem_settings[i]);
    for (size_t i = 0; i < sizeof makespan_settings / sizeof makespan_settings[0]; i++)
        makespan_schedules(&makespan_settings[i]);
    for (size_t i = 0; i < sizeof cluster_settings / sizeof cluster_settings[0]; i++)
        cluster_schedules(&cluster_settings[i]);
    dag_schedules();
#define DECLARED(model) declared(pn_##model##_model());
    PN_MODELS(DECLARED)
    return 0;
}
