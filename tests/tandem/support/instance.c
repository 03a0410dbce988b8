/* See instance.h. */
#include "instance.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawing ---- */

enum { RANDOM_BITS = 30, POINT = 26 }; /* sizes below 16, in units of 2^-26 */

static double power_of_two(int exponent)
{
    double value = 1;
    for (; exponent > 0; exponent--)
        value *= 2;
    for (; exponent < 0; exponent++)
        value /= 2;
    return value;
}

static double draw_size(pn_stream *stream, bool wide)
{
    double size = (double)random_uniform(stream, 1, UINT64_C(1) << RANDOM_BITS) *
                  power_of_two(-POINT);
    return wide ? size * power_of_two((int)random_uniform(stream, 0, 20) - 10) : size;
}

static double draw_estimate(pn_stream *stream, double size)
{
    switch (random_uniform(stream, 0, 5)) {
    case 0:
        return 0; /* the truth */
    case 1:
        return PN_TANDEM_ESTIMATE_ZERO;
    case 2:
        return draw_size(stream, false);
    default:
        return size > 0 ? size * (0.25 + draw_size(stream, false) / 8) : 0;
    }
}

static double draw_speed(pn_stream *stream)
{
    static const double speeds[] = {1, 1, 1, 1.5, 1.0 / 3, 2, 0.7};
    uint64_t which = random_uniform(stream, 0, sizeof speeds / sizeof speeds[0]);
    return which < sizeof speeds / sizeof speeds[0] ? speeds[which]
                                                    : 0.5 + draw_size(stream, false) / 8;
}

static void draw_job(tandem_instance *drawn, pn_stream *stream, uint32_t i, bool wide)
{
    pn_tandem_job *job = &drawn->jobs[i];
    *job = (pn_tandem_job){
        .tag = i, .map = draw_size(stream, wide), .shuffle = draw_size(stream, wide)};
    uint64_t special = random_uniform(stream, 0, 40);
    if (special <= 3)
        job->map = 0;
    if (special >= 3 && special <= 6)
        job->shuffle = 0;
    if (special == 7)
        job->shuffle = job->map;
    job->rank[0] = (uint32_t)random_uniform(stream, 0, drawn->job_count);
    job->rank[1] = (uint32_t)random_uniform(stream, 0, drawn->job_count);
    if (drawn->estimates) {
        job->estimate_map = draw_estimate(stream, job->map);
        job->estimate_shuffle = draw_estimate(stream, job->shuffle);
    }
}

/* From one arrival to the next; the mean work of a job at a station is 8. */
static double draw_gap(pn_stream *stream, uint64_t pattern)
{
    double gap = draw_size(stream, false);
    uint64_t kind = random_uniform(stream, 0, 7);
    switch (pattern) {
    case 0:
        return 0;
    case 1:
        return kind == 0 ? gap : 0;
    case 2:
        return kind == 0 ? gap * 32 : gap / 2;
    case 3:
        return gap / 4;
    default:
        return gap;
    }
}

static void draw_frame(tandem_instance *drawn, pn_stream *stream, uint32_t jobs_max)
{
    memset(drawn, 0, sizeof *drawn);
    drawn->job_count = (uint32_t)random_uniform(stream, 1, jobs_max);
    drawn->traditional = random_uniform(stream, 0, 2) == 0;
    drawn->estimates = random_uniform(stream, 0, 3) == 0;
    drawn->speed = draw_speed(stream);
}

void tandem_instance_draw(tandem_instance *drawn, pn_stream *stream, uint32_t jobs_max)
{
    draw_frame(drawn, stream, jobs_max);
    bool wide = random_uniform(stream, 0, 4) == 0;
    uint64_t pattern = random_uniform(stream, 0, 5);
    double time = random_uniform(stream, 0, 1) == 0 ? 0 : draw_size(stream, false);
    for (uint32_t i = 0; i < drawn->job_count; i++) {
        draw_job(drawn, stream, i, wide);
        drawn->jobs[i].arrival = time;
        time += draw_gap(stream, pattern);
    }
}

void tandem_instance_draw_tenths(tandem_instance *drawn, pn_stream *stream, uint32_t jobs_max)
{
    draw_frame(drawn, stream, jobs_max);
    drawn->estimates = false;
    drawn->speed = 1;
    uint64_t time = random_uniform(stream, 0, 9);
    for (uint32_t i = 0; i < drawn->job_count; i++) {
        draw_job(drawn, stream, i, false);
        drawn->jobs[i].map = (double)random_uniform(stream, 0, 9) / 10;
        drawn->jobs[i].shuffle = (double)random_uniform(stream, 0, 9) / 10;
        drawn->jobs[i].arrival = (double)time / 10;
        time += random_uniform(stream, 0, 8);
    }
}

/* Into 1..2, but for 0. */
static double alike(double size)
{
    while (size >= 2)
        size /= 2;
    while (size > 0 && size < 1)
        size *= 2;
    return size;
}

void tandem_instance_meet(tandem_instance *changed, pn_stream *stream,
                          const naive_tandem_config *config)
{
    naive_tandem_job jobs[TANDEM_JOBS];
    naive_tandem_times times[TANDEM_JOBS] = {{0}};
    /* arrivals are rounded to more than 64 ulp of the offset then */
    double late = (double)random_uniform(stream, 0, 2) * 1000;
    for (uint32_t i = 0; i < changed->job_count; i++) {
        changed->jobs[i].map = alike(changed->jobs[i].map);
        changed->jobs[i].shuffle = alike(changed->jobs[i].shuffle);
        /* Rates may depend on what sizes are taken for: at a ten-thousandth of the speed the
         * rounding of one time moves the end of a phase by more than 64 ulp. */
        changed->jobs[i].estimate_map = alike(changed->jobs[i].estimate_map);
        changed->jobs[i].estimate_shuffle = alike(changed->jobs[i].estimate_shuffle);
        changed->jobs[i].arrival += late;
    }
    for (uint32_t i = 1; i < changed->job_count; i++) {
        double last = changed->jobs[i - 1].arrival;
        uint64_t far = random_uniform(stream, 0, 3); /* the event after so many others */
        if (changed->jobs[i].arrival < last)
            changed->jobs[i].arrival = last;
        tandem_instance_naive_jobs(changed, jobs);
        naive_tandem_run(config, jobs, i, times);
        double chosen = last;
        while (far-- > 0) {
            double next = PN_TANDEM_NEVER;
            for (uint32_t k = 0; k < i; k++) {
                double ends[2] = {(double)times[k].map_finish, (double)times[k].finish};
                for (int e = 0; e < 2; e++)
                    next = ends[e] > chosen && ends[e] < next ? ends[e] : next;
            }
            chosen = next < PN_TANDEM_NEVER ? next : chosen;
        }
        if (chosen > last)
            changed->jobs[i].arrival = chosen;
    }
}

const double *tandem_instance_params(const pn_tandem_policy *policy, pn_stream *stream,
                                     double params[PN_PARAMS_MAX])
{
    if (random_uniform(stream, 0, 3) == 0)
        return NULL;
    for (int i = 0; i < policy->param_count; i++) {
        const pn_param *param = &policy->params[i];
        uint64_t choices = 0;
        while (param->names && param->names[choices])
            choices++;
        if (choices > 0)
            params[i] = (double)random_uniform(stream, 0, choices - 1);
        else if (param->integer)
            params[i] = param->low + (double)random_uniform(stream, 0, 5);
        else
            params[i] = param->low + (double)random_uniform(stream, 0, 64) / 32;
    }
    return policy->param_count > 0 ? params : NULL;
}

void tandem_instance_print(const tandem_instance *shown)
{
    printf("speed %.17g%s%s\n", shown->speed, shown->traditional ? ", no overlap" : "",
           shown->estimates ? ", sizes misjudged" : "");
    for (uint32_t i = 0; i < shown->job_count; i++) {
        const pn_tandem_job *job = &shown->jobs[i];
        printf("  {.arrival = %.17g, .map = %.17g, .shuffle = %.17g, .rank = {%u, %u}, "
               ".estimate_map = %.17g, "
               ".estimate_shuffle = %.17g},\n",
               job->arrival, job->map, job->shuffle, job->rank[0], job->rank[1], job->estimate_map,
               job->estimate_shuffle);
    }
}

/* ---- the kernel ---- */

/* Where a call of a hook stands: two instants may be rounded to one time, within an instant calls
 * are in order of id. */
typedef struct place {
    double time;
    uint64_t instant, id;
} place;

typedef struct watch {
    const tandem_instance *run;
    tandem_outcome *out;
    pn_tandem *sim;
    pn_tandem_verifier *verifier;
    refusals_table log;
    place decision, finish;       /* the last one */
    double rates[2][TANDEM_JOBS]; /* by the decisions so far */
    bool finished[TANDEM_JOBS];
    const char *fault;
} watch;

static bool in_order(const watch *w, place *last, double time, uint64_t id)
{
    pn_tandem_totals totals;
    pn_tandem_totals_get(w->sim, &totals);
    place now = {time, totals.instants, id};
    bool ordered = now.instant == last->instant
                       ? now.time == last->time && now.id > last->id
                       : now.instant > last->instant && now.time >= last->time;
    *last = now;
    return ordered;
}

static void see_decision(void *user, const pn_tandem_decision *decision)
{
    watch *w = user;
    if (!in_order(w, &w->decision, decision->time, decision->id))
        w->fault = "decisions out of order";
    pn_tandem_verifier_feed(w->verifier, decision);
    refusals_keep(&w->log, decision);
    w->rates[0][decision->id - 1] = decision->map_rate;
    w->rates[1][decision->id - 1] = decision->shuffle_rate;
}

static void see_finish(void *user, const pn_tandem_finish *finish)
{
    watch *w = user;
    const pn_tandem_job *job = &w->run->jobs[finish->id - 1];
    double longest = job->map > job->shuffle ? job->map : job->shuffle;
    pn_tandem_decision entry = {.time = finish->finish, .id = finish->id, .kind = PN_TANDEM_FINISH};
    pn_tandem_verifier_feed(w->verifier, &entry);
    refusals_keep(&w->log, &entry);
    w->finished[finish->id - 1] = true;
    if (!in_order(w, &w->finish, finish->finish, finish->id))
        w->fault = "finishes out of order";
    if (finish->tag != finish->id - 1 || finish->map != job->map || finish->shuffle != job->shuffle)
        w->fault = "a finish with another job's tag or sizes";
    if (finish->slowdown != (longest > 0 ? finish->response_time * w->run->speed / longest : 0))
        w->fault = "a wrong slowdown";
    w->out->map_finish[finish->id - 1] = finish->map_finish;
    w->out->finish[finish->id - 1] = finish->finish;
    w->out->response[finish->id - 1] = finish->response_time;
}

static pn_tandem *moved(pn_tandem *sim)
{
    size_t size = pn_tandem_block_size(sim);
    void *copy = malloc(size);
    pn_tandem *opened = NULL;
    memcpy(copy, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    if (pn_tandem_open(&opened, copy, size) != PN_OK)
        abort();
    return opened;
}

static bool is_about(double value, double wanted)
{
    return value >= wanted * (1 - 1e-9) && value <= wanted * (1 + 1e-9);
}

/* Compares what is in use between two instants with the reports. */
static void check_levels(watch *w, const pn_tandem *sim)
{
    pn_tandem_levels levels;
    double jobs = 0, queue = 0, rates[2] = {0, 0};
    pn_tandem_levels_get(sim, &levels);
    for (uint32_t i = 0; i < w->run->job_count; i++) {
        if (w->run->jobs[i].arrival > levels.time || w->finished[i])
            continue;
        jobs++;
        queue += w->rates[0][i] + w->rates[1][i] == 0;
        rates[0] += w->rates[0][i];
        rates[1] += w->rates[1][i];
    }
    if (levels.jobs != jobs || levels.queue != queue || !is_about(levels.map, rates[0]) ||
        !is_about(levels.shuffle, rates[1]))
        w->fault = "the levels are not those of the reports";
}

/* Runs on, with all the interruptions that were asked for. */
static int run_on(pn_tandem **sim, pn_tandem_hooks *hooks, double until, tandem_manner how)
{
    int status = PN_OK;
    for (uint32_t moves = 1;; moves++) {
        bool by_steps = how.stepping && until == PN_TANDEM_FOREVER;
        status = by_steps ? pn_tandem_step(*sim, hooks)
                          : pn_tandem_run(*sim, hooks, until,
                                          how.move_every > 0 ? how.move_every : UINT64_MAX);
        if (by_steps && status == PN_OK)
            check_levels(hooks->user, *sim);
        if (how.move_every > 0) {
            *sim = moved(*sim);
            if (how.relieve)
                hooks->policy = how.relieve(how.user);
        }
        if ((status != PN_PAUSED && !(by_steps && status == PN_OK)) || moves == how.moves_max)
            return status;
    }
}

static int drive(pn_tandem **sim, const tandem_instance *run, pn_tandem_hooks *hooks,
                 tandem_manner how)
{
    for (uint32_t i = 0; i < run->job_count; i++) {
        pn_tandem_job job = run->jobs[i];
        const double attributes[2] = {(double)(i * 7 % 5), (double)(i % 4) / 2 - 0.5};
        job.attributes = attributes;
        if (how.gaps && i > 0)
            job.arrival -= run->jobs[i - 1].arrival;
        int status = pn_tandem_submit(*sim, &job, NULL);
        if (status == PN_OK && how.one_by_one)
            status = run_on(sim, hooks, PN_TANDEM_ARRIVAL, how);
        if (status < 0)
            return status;
    }
    return run_on(sim, hooks, PN_TANDEM_FOREVER, how);
}

static bool keeps_busy(const pn_tandem_policy *policy, const double *params)
{
    bool defaults = true;
    for (int i = 0; params && i < policy->param_count; i++)
        defaults = defaults && params[i] == policy->params[i].value;
    return policy->work_conserving == PN_TANDEM_WORK_CONSERVING ||
           (policy->work_conserving == PN_TANDEM_WORK_CONSERVING_BY_DEFAULT && defaults);
}

static pn_tandem_config configure(const tandem_instance *run, const pn_tandem_policy *policy,
                                  tandem_manner how)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.speed = run->speed;
    config.traditional = run->traditional;
    config.jobs_max = run->job_count;
    config.gaps = how.gaps;
    config.bounds = how.bounds;
    config.estimates = run->estimates;
    config.ranks = 1;
    config.attributes = run->job_count % 3;
    config.seed = how.seed;
    bool is_built_in = pn_tandem_policy_find(policy->name) == policy;
    config.policy = how.one_by_one || how.relieve || !is_built_in ? policy : NULL;
    return config;
}

void tandem_instance_run(const tandem_instance *run, const pn_tandem_policy *policy,
                         tandem_manner how, tandem_outcome *out)
{
    pn_tandem_config config = configure(run, policy, how);
    memset(out, 0, sizeof *out);
    pn_tandem_claim claim = {.speed = run->speed,
                             .traditional = run->traditional,
                             .work_conserving = keeps_busy(policy, how.params),
                             .jobs = run->jobs,
                             .job_count = run->job_count};
    size_t verifier_size = pn_tandem_verifier_size(&claim);
    void *verifier_block = malloc(verifier_size);
    watch w = {.run = run, .out = out, .log.size = sizeof(pn_tandem_decision), .fault = ""};
    if (pn_tandem_verifier_init(&w.verifier, verifier_block, verifier_size, &claim) != PN_OK)
        abort();

    size_t size = pn_tandem_size(&config);
    if (size == 0 || pn_tandem_init(&w.sim, malloc(size), size, &config) != PN_OK)
        abort();
    pn_tandem_hooks hooks = {.policy = policy,
                             .params = how.params,
                             .on_finish = see_finish,
                             .on_decision = see_decision,
                             .user = &w};
    out->status = drive(&w.sim, run, &hooks, how);

    pn_tandem_totals_get(w.sim, &out->totals);
    out->digest = pn_tandem_digest(w.sim);
    if (pn_tandem_verifier_end(w.verifier, out->totals.last_finish, out->digest) != PN_OK) {
        double time = 0;
        uint64_t id = 0;
        const char *fault = pn_tandem_verifier_fault(w.verifier, &time, &id);
        snprintf(out->fault, sizeof out->fault, "the checker: %s (job %llu at %.17g)", fault,
                 (unsigned long long)id, time);
    }
    if (w.fault[0] != '\0')
        snprintf(out->fault, sizeof out->fault, "%s", w.fault);
    if (refusals_collecting())
        tandem_refusals(&claim, &w.log, out->totals.last_finish, out->digest);
    free((void *)(uintptr_t)w.log.rows);
    free(verifier_block);
    free(w.sim);
}

/* ---- the naive simulator ---- */

static long double seen(const tandem_instance *run, double estimate, double size)
{
    return !run->estimates || estimate == 0      ? size
           : estimate == PN_TANDEM_ESTIMATE_ZERO ? 0
                                                 : estimate;
}

void tandem_instance_naive_jobs(const tandem_instance *run, naive_tandem_job jobs[TANDEM_JOBS])
{
    for (uint32_t i = 0; i < run->job_count; i++) {
        const pn_tandem_job *job = &run->jobs[i];
        jobs[i] = (naive_tandem_job){
            .arrival = job->arrival,
            .map = job->map,
            .shuffle = job->shuffle,
            .estimate_map = seen(run, job->estimate_map, job->map),
            .estimate_shuffle = seen(run, job->estimate_shuffle, job->shuffle),
            .rank = {job->rank[0], job->rank[1]}};
    }
}

naive_tandem_config tandem_instance_naive_config(const tandem_instance *run,
                                                 const pn_tandem_policy *policy,
                                                 const double *params)
{
    naive_tandem_config config = {
        .policy = policy->name, .speed = run->speed, .traditional = run->traditional};
    if (policy->param_count > 0)
        config.param = params ? params[0] : policy->params[0].value;
    return config;
}
