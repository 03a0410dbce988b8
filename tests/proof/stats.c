/* Statistics with any samples that callers may pass, of which any number came before, in cells of
 * any octaves. */
#include "proof.h"

#include "base/stats.c"

enum { OCTAVES = 2, CELLS = OCTAVES * PN_STATS_CELLS_PER_OCTAVE };

typedef struct kept {
    pn_stats stats;
    uint64_t cells[CELLS];
} kept;

static kept one, other;
static pn_batches batches;

static double any_real(void)
{
    return Frama_C_double_interval(0, 1e308);
}

static void make(kept *it, int octave, int integer)
{
    pn_stats_init(&it->stats, octave, OCTAVES, integer);
    it->stats.count = any_long();
    it->stats.mean = any_real();
    it->stats.squares = any_real();
    it->stats.min = any_real();
    it->stats.max = any_real();
    for (int i = 0; i < CELLS; i++)
        it->cells[i] = any_long();
}

void main(void)
{
    int octave = Frama_C_interval(OCTAVE_LOWEST, OCTAVE_HIGHEST), integer = any();
    pn_stats_size(Frama_C_interval(INT32_MIN, INT32_MAX), any_word());
    make(&one, octave, integer);
    make(&other, octave, integer);
    switch (any_below(5)) {
    case 0:
        pn_stats_add(&one.stats, integer ? (double)any_below(UINT32_MAX) : any_real());
        break;
    case 1:
        pn_stats_merge(&one.stats, &other.stats);
        break;
    case 2:
        pn_stats_variance(&one.stats);
        break;
    case 3:
        pn_stats_quantile(&one.stats, Frama_C_double_interval(0, 1));
        break;
    default:
        pn_batches_init(&batches);
        batches.size = Frama_C_unsigned_long_interval(1, UINT64_MAX);
        batches.count = any_below(PN_BATCHES_MAX);
        batches.sum = any_real();
        pn_batches_add(&batches, any_real());
    }
}
