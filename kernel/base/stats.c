/* Streaming statistics: Welford's mean and variance, the extremes, and a histogram whose cells are
 * the leading bits of a double. The exponent and the top six bits of the mantissa, read as one
 * integer, number the cells of all positive doubles in order. */
#include <float.h>
#include "internal.h"

#define CELL_SHIFT     46 /* the bits of a double below its cell number */
#define EXPONENT_BIAS  1023
#define OCTAVE_LOWEST  (-1022)
#define OCTAVE_HIGHEST 1022
#define OCTAVE_END     1024

_Static_assert(PN_STATS_CELLS_PER_OCTAVE == 1 << (52 - CELL_SHIFT),
               "a cell is the top bits of the mantissa");
_Static_assert(sizeof(pn_stats) % sizeof(uint64_t) == 0, "the cells follow the struct aligned");

static inline uint64_t *cells_of(pn_stats *stats)
{
    return (uint64_t *)(void *)(stats + 1);
}

static inline const uint64_t *const_cells_of(const pn_stats *stats)
{
    return (const uint64_t *)(const void *)(stats + 1);
}

static inline uint32_t cell_count(const pn_stats *stats)
{
    return stats->octaves * PN_STATS_CELLS_PER_OCTAVE;
}

/* Returns the cell number, among those of all doubles, of the histogram's first cell. */
static inline uint64_t first_cell(const pn_stats *stats)
{
    return (uint64_t)(stats->first_octave + EXPONENT_BIAS) * PN_STATS_CELLS_PER_OCTAVE;
}

static inline uint32_t cell_index(const pn_stats *stats, double sample)
{
    uint64_t bits;
    memcpy(&bits, &sample, sizeof bits);
    uint64_t cell = bits >> CELL_SHIFT;
    uint64_t first = first_cell(stats);
    uint64_t index = cell < first ? 0 : cell - first;
    return (uint32_t)pn_min(index, cell_count(stats) - 1);
}

/* Returns what stands for the samples of a cell. */
/*@ requires \valid_read(stats);
    assigns \result \from *stats, index;
    ensures \is_finite(\result); */
static double cell_value(const pn_stats *stats, uint32_t index)
{
    uint64_t bits = (first_cell(stats) + index) << CELL_SHIFT | (uint64_t)1 << (CELL_SHIFT - 1);
    double middle;
    memcpy(&middle, &bits, sizeof middle);
    /* Cells below 128 are no wider than 1, so the only integer in one is the floor of its
     * middle. */
    if (stats->integer && middle < (double)PN_INTEGER_MAX)
        middle = (double)(uint64_t)middle;
    return middle;
}

size_t pn_stats_size(int first_octave, unsigned octaves)
{
    if (first_octave < OCTAVE_LOWEST || first_octave > OCTAVE_HIGHEST)
        return 0;
    if (octaves < 1 || octaves > 1024 || octaves > (unsigned)(OCTAVE_END - first_octave))
        return 0;
    return sizeof(pn_stats) + sizeof(uint64_t) * PN_STATS_CELLS_PER_OCTAVE * octaves;
}

void pn_stats_init(pn_stats *stats, int first_octave, unsigned octaves, int integer)
{
    size_t size = pn_stats_size(first_octave, octaves);
    PN_ASSERT(stats && (uintptr_t)stats % sizeof(uint64_t) == 0);
    PN_ASSERT(size > 0);
    memset(stats, 0, size);
    stats->first_octave = first_octave;
    stats->octaves = octaves;
    stats->integer = integer != 0;
}

void pn_stats_add(pn_stats *stats, double sample)
{
    PN_ASSERT(stats && stats->octaves > 0);
    PN_ASSERT(0.0 <= sample && sample <= DBL_MAX); /* fails for NaN */
    PN_ASSERT(!stats->integer || sample >= (double)PN_INTEGER_MAX ||
              (double)(int64_t)sample == sample);

    sample += 0.0; /* -0 becomes 0 */
    if (stats->count == 0)
        stats->min = sample;
    stats->min = sample < stats->min ? sample : stats->min;
    stats->max = sample > stats->max ? sample : stats->max;
    stats->count++;
    double distance = sample - stats->mean;
    stats->mean += distance / (double)stats->count;
    stats->squares += distance * (sample - stats->mean);
    cells_of(stats)[cell_index(stats, sample)]++;
}

void pn_stats_merge(pn_stats *stats, const pn_stats *other)
{
    PN_ASSERT(stats->first_octave == other->first_octave && stats->octaves == other->octaves);
    PN_ASSERT(stats->integer == other->integer);
    if (other->count == 0)
        return;
    if (stats->count == 0) {
        memmove(stats, other, pn_stats_size(other->first_octave, other->octaves));
        return;
    }
    /* The squares about the common mean are those about the two means plus what moving both means
     * costs (Chan, Golub, LeVeque). */
    double ours = (double)stats->count;
    double other_count = (double)other->count;
    double part = other_count / (ours + other_count);
    double distance = other->mean - stats->mean;
    stats->squares += other->squares + distance * distance * ours * part;
    stats->mean += distance * part;
    stats->count += other->count;
    stats->min = other->min < stats->min ? other->min : stats->min;
    stats->max = other->max > stats->max ? other->max : stats->max;

    uint64_t *cells = cells_of(stats);
    const uint64_t *other_cells = const_cells_of(other);
    for (uint32_t i = 0; i < cell_count(stats); i++)
        cells[i] += other_cells[i];
}

double pn_stats_variance(const pn_stats *stats)
{
    PN_ASSERT(stats);
    return stats->count < 2 ? 0.0 : stats->squares / (double)(stats->count - 1);
}

double pn_stats_quantile(const pn_stats *stats, double q)
{
    PN_ASSERT(stats);
    PN_ASSERT(0.0 <= q && q <= 1.0);
    /* The ends are known exactly; with count 0 they are 0. */
    double target = q * (double)stats->count;
    if (target <= 1.0)
        return stats->min;
    if (target > (double)(stats->count - 1))
        return stats->max;

    const uint64_t *cells = const_cells_of(stats);
    uint64_t below = 0;
    uint32_t index = 0;
    for (; index < cell_count(stats) - 1; index++) {
        below += cells[index];
        if ((double)below >= target) /* as ceil(target) <= below */
            break;
    }
    double value = cell_value(stats, index);
    value = value < stats->min ? stats->min : value;
    return value > stats->max ? stats->max : value;
}

/* ---- batch means ---- */

void pn_batches_init(pn_batches *batches)
{
    memset(batches, 0, sizeof *batches);
    batches->size = 1;
}

void pn_batches_add(pn_batches *batches, double sample)
{
    batches->sum += sample;
    if (++batches->filled < batches->size)
        return;
    batches->mean[batches->count++] = batches->sum / (double)batches->size;
    batches->sum = 0;
    batches->filled = 0;
    if (batches->count < PN_BATCHES_MAX)
        return;
    for (uint32_t i = 0; i < PN_BATCHES_MAX / 2; i++)
        batches->mean[i] = (batches->mean[2 * i] + batches->mean[2 * i + 1]) / 2;
    batches->count = PN_BATCHES_MAX / 2;
    batches->size *= 2;
}
