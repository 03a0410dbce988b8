/* Lower bounds on the total response time, in one pass beside the run (TA19, TA20): SRPT queues of
 * single stations, in which no policy of the tandem queue can have fewer jobs present. A station
 * serves its first job only, so its key falls in place and the heap stays one. */
#include "state.h"

/* The fast bound needs the first two. Of the others three mix both sizes, and the last two together
 * hold each job at the station where it is longer. */
enum { BY_MAP, BY_SHUFFLE, BY_MIX, LONG_MAPS = BY_MIX + 3, LONG_SHUFFLES };

_Static_assert(LONG_SHUFFLES + 1 == PN_TANDEM_COLUMNS && BY_SHUFFLE + 1 == PN_TANDEM_COLUMNS_FAST,
               "all columns are named");

static const uint64_t SIGN = (uint64_t)1 << 63;

void pn_tandem_bound_carve(pn_tandem_bound_state *bound, pn_arena *arena,
                           const pn_tandem_config *config)
{
    static const uint32_t counts[] = {0, PN_TANDEM_COLUMNS_FAST, PN_TANDEM_COLUMNS};
    bound->column_count = counts[config->bounds];
    for (uint32_t k = 0; k < bound->column_count; k++) {
        /* No column holds more jobs than the policy does, but for one that rounding leaves a little
         * work. */
        uint32_t capacity = config->jobs_max + 2;
        bound->columns[k].entries = pn_arena_take(arena, capacity, sizeof(pn_heap_entry));
        bound->columns[k].heap.capacity = capacity;
    }
}

/* Makes a column. The entry's second word is the id, so no ties are left to look up. */
static pn_heap column(pn_tandem *sim, uint32_t k)
{
    static const uint64_t no_ids[1] = {0};
    pn_tandem_column_state *state = &sim->bound.columns[k];
    return (pn_heap){.state = &state->heap, .entry = pn_at(sim, state->entries), .id = no_ids};
}

static double tandem_work_of(const pn_heap *heap)
{
    uint64_t bits = heap->entry[0].word[0] & ~SIGN; /* pn_key_double of what is not negative */
    double work;
    memcpy(&work, &bits, sizeof work);
    return work;
}

static void tandem_insert(pn_tandem *sim, uint32_t k, double work, uint64_t id)
{
    pn_heap heap = column(sim, k);
    const uint64_t words[2] = {pn_key_double(work), id};
    if (!(work > 0.0))
        return;
    /* Only work that a block was made to claim leaves a column more jobs than the policy has. */
    if (heap.state->count < heap.state->capacity)
        pn_heap_push(&heap, 0, words);
    else
        sim->failure = PN_ERR_DAMAGED;
}

/* Integrates over `span`, in which no count changes. */
static void count(pn_tandem_bound_state *bound, double span)
{
    const pn_tandem_column_state *columns = bound->columns;
    pn_tandem_sum_add(&bound->period[0], span * columns[BY_MAP].heap.count);
    pn_tandem_sum_add(&bound->period[1], span * columns[BY_SHUFFLE].heap.count);
    if (bound->column_count <= PN_TANDEM_COLUMNS_FAST)
        return;
    uint32_t most = columns[LONG_MAPS].heap.count + columns[LONG_SHUFFLES].heap.count;
    for (uint32_t k = BY_MAP; k < LONG_MAPS; k++)
        most = columns[k].heap.count > most ? columns[k].heap.count : most;
    pn_tandem_sum_add(&bound->tight, span * most);
}

static void tandem_bound_serve(pn_tandem *sim, uint32_t k, double work, double residue)
{
    pn_heap heap = column(sim, k);
    if (heap.state->count == 0)
        return;
    double left = tandem_work_of(&heap) - work;
    if (left <= residue)
        pn_heap_pop(&heap);
    else
        heap.entry[0].word[0] = pn_key_double(left);
}

/* Returns when the first job departs, from now on; PN_TANDEM_NEVER when there is none. */
static double first_end(pn_tandem *sim)
{
    double span = PN_TANDEM_NEVER;
    for (uint32_t k = 0; k < sim->bound.column_count; k++) {
        pn_heap heap = column(sim, k);
        if (heap.state->count == 0)
            continue;
        double end = tandem_work_of(&heap) / sim->config.speed;
        span = end < span ? end : span;
    }
    return span;
}

/* Runs the columns to `end`, in steps from one departure to the next. Departures within TA21's
 * tolerance of it count. */
static void tandem_pass(pn_tandem *sim, double end)
{
    pn_tandem_bound_state *bound = &sim->bound;
    for (;;) {
        double span = first_end(sim);
        double rest = end - bound->time;
        bool departs = span != PN_TANDEM_NEVER && span <= rest + pn_tandem_coincidence(sim, end);
        span = departs ? span : rest;
        if (!(span > 0.0) && !departs)
            return;
        /* The least there is beside the tolerance ends work that a block was made to claim, so
         * little of it that it takes no time. */
        double residue = departs ? sim->config.speed *
                                       (pn_tandem_coincidence(sim, bound->time + span) + 0x1p-1074)
                                 : 0.0;
        count(bound, span);
        for (uint32_t k = 0; k < bound->column_count; k++)
            tandem_bound_serve(sim, k, sim->config.speed * span, residue);
        bound->time += span;
        if (!departs)
            return;
    }
}

/* Ends a period. It ends when both stations alone would be empty (TA19). */
static void end_period(pn_tandem_bound_state *bound)
{
    if (bound->columns[BY_MAP].heap.count > 0 || bound->columns[BY_SHUFFLE].heap.count > 0)
        return;
    double map = pn_tandem_sum_value(&bound->period[0]);
    double shuffle = pn_tandem_sum_value(&bound->period[1]);
    pn_tandem_sum_add(&bound->fast, map > shuffle ? map : shuffle);
    memset(bound->period, 0, sizeof bound->period);
}

/* Admits a job that arrives. */
void pn_tandem_bound_admit(pn_tandem *sim, const pn_tandem_entry *job)
{
    pn_tandem_bound_state *bound = &sim->bound;
    tandem_pass(sim, job->arrival);
    bound->time = job->arrival;
    end_period(bound);
    tandem_insert(sim, BY_MAP, job->map, job->id);
    tandem_insert(sim, BY_SHUFFLE, job->shuffle, job->id);
    if (bound->column_count <= PN_TANDEM_COLUMNS_FAST)
        return;
    for (uint32_t k = BY_MIX; k < LONG_MAPS; k++) {
        double share = 0.25 * (k - BY_MIX + 1);
        tandem_insert(sim, k, share * job->map + (1.0 - share) * job->shuffle, job->id);
    }
    if (job->map >= job->shuffle)
        tandem_insert(sim, LONG_MAPS, job->map, job->id);
    else
        tandem_insert(sim, LONG_SHUFFLES, job->shuffle, job->id);
}

/* Restarts the columns: the system is empty, so they are, but for rounding; the clock starts
 * again. */
void pn_tandem_bound_restart(pn_tandem *sim)
{
    pn_tandem_bound_state *bound = &sim->bound;
    for (double span = first_end(sim); span != PN_TANDEM_NEVER; span = first_end(sim))
        tandem_pass(sim, bound->time + span);
    end_period(bound);
    bound->time = 0.0;
}

void pn_tandem_bound_get(const pn_tandem *sim, double *fast, double *tight)
{
    const pn_tandem_bound_state *bound = &sim->bound;
    double map = pn_tandem_sum_value(&bound->period[0]);
    double shuffle = pn_tandem_sum_value(&bound->period[1]);
    *fast = pn_tandem_sum_value(&bound->fast) + (map > shuffle ? map : shuffle);
    *tight = pn_tandem_sum_value(&bound->tight);
}
