/* Whether doubles are what the kernel takes them for. What the sources ask for (pn_strict.h), a
 * flag of a compiler may override, and the mode of a thread another library may change: so this is
 * looked at while the program runs. Operands are volatile, or a compiler would compute with them
 * itself, in its own mode; results are stored before they are compared, which takes excess
 * precision away where it is not what is looked for. */
#include "internal.h"

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What no mode of a thread changes and only a wrong build gets wrong stands in PN_ALWAYS;
 * scripts/check/selftest.sh makes such builds. */

/* Adds one and numbers too small to change it or half a unit of its last place; every other
 * rounding gets one of these wrong. */
static bool rounds_to_nearest(void)
{
    volatile double one = 1, next = 1 + 0x1p-52, tiny = 0x1p-60, half = 0x1p-53;
    volatile double above = one + tiny, below = one - tiny, even = one + half, odd = next + half;
    return bits_of(above) == bits_of(1) && bits_of(below) == bits_of(1) &&
           PN_ALWAYS(bits_of(even) == bits_of(1)) &&
           PN_ALWAYS(bits_of(odd) == bits_of(1 + 0x1p-51));
}

/* Tests subnormals as results and as operands. */
static bool keeps_subnormals(void)
{
    volatile double least = 0x1p-1022, half = least / 2, whole = half + half;
    return bits_of(half) == (uint64_t)1 << 51 && bits_of(whole) == (uint64_t)1 << 52;
}

/* Squares a number: the square needs 61 bits, of which a double drops the last. Each is read by
 * itself: of a product that is used twice, compilers make no fused operations. */
static bool rounds_each_operation(void)
{
    volatile double factor = 1 + 0x1p-30, square = 1 + 0x1p-29;
    volatile double rest = factor * factor - square, other = square - factor * factor;
    return PN_ALWAYS(bits_of(rest) << 1 == 0 && bits_of(other) << 1 == 0);
}

static bool computes_known_bits(void)
{
    volatile double two = 2, half = 0.5, large = 1000.125, small = -708.5;
    return PN_ALWAYS(bits_of(pn_log(two)) == UINT64_C(0x3FE62E42FEFA39EF) &&
                     bits_of(pn_log(large)) == UINT64_C(0x401BA1AB5DA570A4) &&
                     bits_of(pn_exp(half)) == UINT64_C(0x3FFA61298E1E069C) &&
                     bits_of(pn_exp(small)) == UINT64_C(0x000E6CF6D08897AC) &&
                     bits_of(pn_pow(large, half)) == UINT64_C(0x403F9FEFCF6A2602) &&
                     bits_of(pn_sqrt(two)) == UINT64_C(0x3FF6A09E667F3BCD));
}

static uint64_t draws(void)
{
    uint64_t hash = PN_MIX_START;
    pn_stream stream;
    pn_stream_init(&stream, 1, 2, 3);
    for (int i = 0; i < 4; i++) {
        hash = pn_mix(hash, pn_uniform(&stream, 1, 6));
        hash = pn_mix(hash, bits_of(pn_exponential(&stream, 10)));
        hash = pn_mix(hash, bits_of(pn_normal(&stream, -1, 3)));
        hash = pn_mix(hash, bits_of(pn_lognormal(&stream, 10, 20)));
        hash = pn_mix(hash, pn_poisson(&stream, 5));
    }
    return hash;
}

static uint64_t statistics(void)
{
    struct {
        pn_stats stats;
        uint64_t cells[PN_STATS_CELLS_PER_OCTAVE];
    } block;
    pn_stats_init(&block.stats, 0, 1, 0);
    for (int i = 0; i < 10; i++)
        pn_stats_add(&block.stats, 1 + i / 10.0);
    uint64_t hash = pn_mix(PN_MIX_START, bits_of(block.stats.mean));
    hash = pn_mix(hash, bits_of(block.stats.squares));
    return pn_mix(hash, bits_of(pn_stats_quantile(&block.stats, 0.7)));
}

/* Adds 1 + 1/2 + 1/3 + … + 1/10. */
static bool adds_fractions(void)
{
    pn_exact sum = {0, 1};
    int status = PN_OK;
    for (int i = 1; i <= 10; i++)
        status |= pn_exact_add(&sum, sum, (pn_exact){1, i});
    return (status == PN_OK) & (sum.num == 7381) & (sum.den == 2520);
}

int pn_selftest(void)
{
    if (!rounds_to_nearest())
        return PN_ERR_ROUNDING;
    if (!keeps_subnormals())
        return PN_ERR_SUBNORMAL;
    if (PN_NEVER(!rounds_each_operation()))
        return PN_ERR_CONTRACTED;
    int wrong = !computes_known_bits() + (draws() != UINT64_C(0x9603700C1B58A586)) +
                (statistics() != UINT64_C(0xD0E93F5EC36FD203)) + !adds_fractions();
    return PN_ALWAYS(wrong == 0) ? PN_OK : PN_ERR_ARITHMETIC;
}
