/* A lower bound of the total response time of all jobs (CL45), from the true durations of the jobs
 * handed over.
 *
 * A column is one machine as fast as all slots of a kind together, which always serves the job with
 * the least work left: of all schedules it has the smallest total. Its unit of work is a
 * millisecond on a node of speed 1 permille. Beside its time in the column a job has the time that
 * must pass before and after it; a narrow job waits there for nothing but its longest task. */
#include "base/wide.h"
#include "state.h"

/* A job with more work counts as one with so much: a bound may be lower. */
#define WORK_MOST ((uint64_t)1 << 62)

/* A job is narrow in a column if its work would take all slots at most such a share of the time of
 * its longest task, in 32nds. Of a job that is not, all work counts. */
static const uint8_t narrow[] = {0, 1, 8, 32};
enum { WIDTH = 32, KINDS = 2, ATTEMPTS_MOST = 16 };

_Static_assert(KINDS * sizeof narrow == PN_CLUSTER_COLUMNS, "each kind has all of them");

/* The tasks of a kind of one job. */
typedef struct phase {
    uint64_t longest, alone; /* ms: the longest task, and all of them with all slots */
    uint64_t work;
} phase;

static uint64_t cluster_product(uint64_t a, uint64_t b)
{
    uint64_t result;
    return pn_multiply(a, b, WORK_MOST, &result) ? result : WORK_MOST;
}

/* ---- the machines ---- */

/* Returns one of the two heaps of a column. */
static pn_heap cluster_heap_of(pn_cluster *sim, int k, int which, pn_heap_state *state)
{
    static const uint64_t no_ids[1] = {0};
    pn_heap_entry *entries = pn_at(sim, sim->column_entries);
    size_t before = (size_t)(2 * k + which) * (size_t)sim->config.bounds_max;
    return (pn_heap){state, entries + before, NULL, 0, no_ids, 0};
}

pn_heap pn_cluster_due(pn_cluster *sim, int k)
{
    return cluster_heap_of(sim, k, 0, &pn_cluster_columns(sim)[k].due);
}

pn_heap pn_cluster_queue(pn_cluster *sim, int k)
{
    return cluster_heap_of(sim, k, 1, &pn_cluster_columns(sim)[k].queue);
}

static uint64_t column_rate(const pn_cluster *sim, int k)
{
    return sim->stations[k % KINDS].rate;
}

/* Serves for so long, in units. */
static void cluster_serve(pn_cluster *sim, int k, pn_wide time)
{
    pn_wide *flow = &pn_cluster_columns(sim)[k].flow;
    pn_heap queue = pn_cluster_queue(sim, k);
    while (queue.state->count > 0) {
        uint64_t least = queue.entry[0].word[0];
        bool ends = time.high > 0 || time.low >= least;
        uint64_t passed = ends ? least : time.low;
        *flow = pn_wide_sum(*flow, pn_wide_product(passed, queue.state->count));
        if (!ends) {
            queue.entry[0].word[0] -= passed;
            return;
        }
        time = pn_wide_difference(time, (pn_wide){0, passed});
        pn_heap_pop(&queue);
    }
}

/* Runs a column to a time; PN_SCHEDULER_NEVER: until it is empty. */
static void cluster_advance(pn_cluster *sim, int k, uint64_t to)
{
    pn_heap due = pn_cluster_due(sim, k), queue = pn_cluster_queue(sim, k);
    uint64_t rate = column_rate(sim, k), clock = sim->last_submit;
    while (due.state->count > 0 && due.entry[0].word[0] <= to) {
        const uint64_t word[2] = {due.entry[0].word[1], 0};
        cluster_serve(sim, k, pn_wide_product(due.entry[0].word[0] - clock, rate));
        clock = due.entry[0].word[0];
        pn_heap_pop(&due);
        pn_heap_push(&queue, 0, word);
    }
    cluster_serve(sim, k,
                  to == PN_SCHEDULER_NEVER ? (pn_wide){UINT64_MAX, UINT64_MAX}
                                           : pn_wide_product(to - clock, rate));
}

/* ---- periods ---- */

/* Returns the total response time of the period in a column. */
static pn_wide cluster_total_of(const pn_cluster *sim, int k)
{
    const pn_cluster_column *column = &pn_cluster_columns(sim)[k];
    uint64_t rest;
    pn_wide flow = pn_wide_divide(column->flow, pn_max(1, column_rate(sim, k)), &rest);
    return pn_wide_sum(pn_wide_sum(column->apart, flow), (pn_wide){0, rest > 0});
}

/* Ends a period if no column has work left: the largest of the columns counts. */
static void close_period(pn_cluster *sim)
{
    pn_wide most = {0, 0};
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++)
        if (pn_cluster_columns(sim)[k].due.count + pn_cluster_columns(sim)[k].queue.count > 0)
            return;
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++) {
        pn_wide own = cluster_total_of(sim, k);
        most = pn_wide_compare(own, most) > 0 ? own : most;
        pn_cluster_columns(sim)[k].flow = pn_cluster_columns(sim)[k].apart = (pn_wide){0, 0};
    }
    most = pn_wide_sum(most, (pn_wide){0, sim->bound});
    sim->bound = most.high > 0 ? PN_INTEGER_MAX : pn_min(most.low, PN_INTEGER_MAX);
}

uint64_t pn_cluster_bound(pn_cluster *sim)
{
    if (!sim || sim->config.bounds_max == 0)
        return 0;
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++)
        cluster_advance(sim, k, PN_SCHEDULER_NEVER);
    close_period(sim);
    return sim->bound;
}

/* ---- one job ---- */

/* Returns how many attempts of a task there may be (CL8): those killed before max_kills protects
 * it, the next one, and a second one beside it; 0 if that is not known. */
static uint32_t attempts_of_task(const pn_cluster *sim)
{
    const pn_cluster_config *config = &sim->config;
    uint32_t kills = config->scheduler.max_kills;
    bool known = 0 < kills && kills <= ATTEMPTS_MOST - 2 && config->attempt_fail_permille == 0 &&
                 config->failures_max == 0 && config->factor_lo < config->factor_hi;
    return known ? kills + 2 : 0;
}

/* Returns the least factor that an attempt of the task may have. */
static uint32_t least_factor(const pn_cluster *sim, uint64_t job, uint32_t kind, uint32_t task)
{
    const pn_cluster_config *config = &sim->config;
    uint32_t count = attempts_of_task(sim), least = count > 0 ? UINT32_MAX : config->factor_lo;
    for (uint32_t i = 0; i < count; i++)
        least = (uint32_t)pn_min(least, pn_cluster_factor(config->seed, config->factor_lo,
                                                          config->factor_hi, job, kind, task, i));
    return least;
}

/* Returns the time of a task on a node of speed 1000 with its input, if there is one. */
static uint64_t base_of_task(const pn_cluster_job *job, uint32_t kind, uint32_t task)
{
    if (kind == PN_SCHEDULER_REDUCE)
        return job->reduce_times ? job->reduce_times[task] : job->reduce_ms;
    return (job->map_times ? job->map_times[task] : job->map_ms) +
           (job->blocks && job->block_counts[task] == 0 ? job->remote_ms : 0);
}

/* Adds so many tasks, each as long as on the fastest node. On a node of any speed a task takes a
 * whole number of ms, and at least that. */
static void cluster_add_tasks(const pn_cluster_station *station, phase *tasks, uint64_t base,
                              uint64_t factor, uint32_t count)
{
    uint64_t ms = pn_max(1, pn_cluster_ceil_scale(base, factor, station->fastest));
    uint64_t work = pn_max(cluster_product(base, factor), cluster_product(ms, station->slowest));
    tasks->longest = pn_max(tasks->longest, ms);
    tasks->work = pn_min(tasks->work + cluster_product(work, count), WORK_MOST);
}

static phase phase_of(const pn_cluster *sim, const pn_cluster_job *job, uint64_t index,
                      uint32_t kind)
{
    const pn_cluster_station *station = &sim->stations[kind];
    bool is_map = kind == PN_SCHEDULER_MAP;
    uint32_t count = is_map ? job->maps : job->reduces;
    const uint32_t *factors = is_map ? job->map_factor : job->reduce_factor;
    bool listed = is_map ? job->map_times || job->blocks : job->reduce_times != NULL;
    bool alike = !factors && attempts_of_task(sim) == 0 && !listed;
    phase tasks = {0, 0, 0};
    for (uint32_t i = 0; i < count; i += alike ? count : 1)
        cluster_add_tasks(station, &tasks, base_of_task(job, kind, i),
                          factors ? factors[i] : least_factor(sim, index, kind, i),
                          alike ? count : 1);
    if (count > 0)
        tasks.alone = pn_max(tasks.longest,
                             tasks.work / station->rate + (tasks.work % station->rate != 0));
    return tasks;
}

/* Returns the time of the first offer of any node from then on (CL5). */
static uint64_t first_offer(const pn_cluster *sim, uint64_t time)
{
    uint64_t beat = sim->config.heartbeat_ms;
    if (beat == 0)
        return time;
    uint32_t node = pn_cluster_beat_from(sim, time % beat);
    return time - time % beat +
           (node < sim->nodes_count ? pn_cluster_beat_offset(sim, node) : beat);
}

/* Adds a job to a column: its tasks of the kind are there from `release` on, and `apart` is the
 * time before and after them. */
static void cluster_add_part(pn_cluster *sim, int k, const phase *tasks, uint64_t release,
                             uint64_t apart)
{
    uint64_t meanwhile = cluster_product(column_rate(sim, k), tasks->longest);
    bool is_narrow = pn_wide_compare(pn_wide_product(tasks->work, WIDTH),
                                     pn_wide_product(meanwhile, narrow[k / KINDS])) <= 0;
    pn_wide *sum = &pn_cluster_columns(sim)[k].apart;
    pn_heap due = pn_cluster_due(sim, k);
    const uint64_t word[2] = {release, tasks->work};
    *sum = pn_wide_sum(*sum, (pn_wide){0, apart + (is_narrow ? tasks->longest : 0)});
    if (!is_narrow)
        pn_heap_push(&due, 0, word);
}

/* Adds the job with this index (CL8). */
void pn_cluster_bound_add(pn_cluster *sim, const pn_cluster_job *job, uint64_t index)
{
    phase maps = phase_of(sim, job, index, PN_SCHEDULER_MAP);
    phase reduces = phase_of(sim, job, index, PN_SCHEDULER_REDUCE);
    uint64_t release = first_offer(sim, job->submit), wait = release - job->submit;
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++)
        cluster_advance(sim, k, job->submit);
    close_period(sim);
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++)
        if (k % KINDS == PN_SCHEDULER_MAP)
            cluster_add_part(sim, k, &maps, release, wait + reduces.alone);
        else
            cluster_add_part(sim, k, &reduces, release + maps.alone, wait + maps.alone);
}

/* Returns whether a column has no place until after a time: what it serves first is not over
 * then. */
static bool column_full(pn_cluster *sim, int k, uint64_t time)
{
    const pn_heap due = pn_cluster_due(sim, k), queue = pn_cluster_queue(sim, k);
    if (due.state->count + queue.state->count < sim->config.bounds_max)
        return false;
    bool serves = queue.state->count > 0;
    uint64_t start = serves ? sim->last_submit : due.entry[0].word[0];
    const pn_wide work = {0, serves ? queue.entry[0].word[0] : due.entry[0].word[1]};
    return time < start ||
           pn_wide_compare(pn_wide_product(time - start, column_rate(sim, k)), work) < 0;
}

/* Returns whether a job of this submission does not fit into some column. */
bool pn_cluster_bound_full(pn_cluster *sim, uint64_t submit)
{
    for (int k = 0; k < PN_CLUSTER_COLUMNS; k++)
        if (column_full(sim, k, submit))
            return true;
    return false;
}
