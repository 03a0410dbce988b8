/* Each variate has the moments of its distribution (five standard errors, fixed seeds), takes its
 * documented draws, and reproduces its golden digest. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pn_base.h"

#define DRAWS 200000

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Every variate with usual parameters, as one function: for the digests and the counts of draws. */
enum variate {
    UNIFORM01,
    UNIFORM,
    EXPONENTIAL,
    POISSON,
    NORMAL,
    LOGNORMAL,
    PARETO,
    EMPIRICAL,
    VARIATES
};

static const char *const variate_names[VARIATES] = {
    "uniform01", "uniform", "exponential", "poisson", "normal", "lognormal", "pareto", "empirical"};
static const uint64_t weights_so_far[] = {0, 3, 3, 10, 11, 11};

static double draw(enum variate variate, pn_stream *stream)
{
    switch (variate) {
    case UNIFORM01:
        return pn_uniform01(stream);
    case UNIFORM:
        return (double)pn_uniform(stream, 5, 1004);
    case EXPONENTIAL:
        return pn_exponential(stream, 3.5);
    case POISSON:
        return (double)pn_poisson(stream, 30.0);
    case NORMAL:
        return pn_normal(stream, -2.0, 5.0);
    case LOGNORMAL:
        return pn_lognormal(stream, 1.0, 3.65);
    case PARETO:
        return pn_pareto(stream, 1.5, 2.0);
    case EMPIRICAL:
        return (double)pn_empirical(stream, weights_so_far, 6);
    case VARIATES:
        break;
    }
    fail();
    return 0.0;
}

/* Checks the sample mean and variance of DRAWS numbers; `kurtosis` = fourth central moment /
 * variance^2 gives the latter's error. */
static void check_moments(const char *name, const double *samples, double mean, double variance,
                          double kurtosis)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        sum += samples[i];
        squares += (samples[i] - mean) * (samples[i] - mean);
    }
    double mean_error = fabs(sum / DRAWS - mean) / sqrt(variance / DRAWS);
    double variance_error = fabs(squares / DRAWS - variance) /
                            (variance * sqrt((kurtosis - 1.0) / DRAWS));
    if (!(mean_error < 5.0 && variance_error < 5.0))
        fail_msg("%s: mean is %g sigma off, variance %g sigma", name, mean_error, variance_error);
}

/* What chi square passes as rarely as a normal variate passes five sigma (Wilson and Hilferty: its
 * cube root is nearly normal). */
static double chi_square_limit(double freedom)
{
    double variance = 2.0 / (9.0 * freedom);
    return freedom * pow(1.0 - variance + 5.0 * sqrt(variance), 3.0);
}

static double samples[DRAWS];

static void uniform01_has_its_moments_and_stays_inside(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 21, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        samples[i] = pn_uniform01(&stream);
        assert_true(0.0 < samples[i] && samples[i] < 1.0);
    }
    check_moments("uniform01", samples, 0.5, 1.0 / 12, 1.8);

    /* The extreme words, put into the block by hand. */
    stream.used = 0;
    memset(stream.block, 0, sizeof stream.block);
    assert_true(pn_uniform01(&stream) == 0x1p-53);
    memset(stream.block, 0xFF, sizeof stream.block);
    assert_true(pn_uniform01(&stream) == 1.0 - 0x1p-53);
}

static void uniform_over_small_ranges_passes_chi_square(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 22, 0, 0);
    for (unsigned cells = 2; cells <= 40; cells++) {
        unsigned counts[40] = {0};
        for (int i = 0; i < 20000; i++) {
            uint64_t value = pn_uniform(&stream, 100, 99 + cells);
            assert_in_range(value, 100, 99 + cells);
            counts[value - 100]++;
        }
        double expected = 20000.0 / cells;
        double chi_square = 0.0;
        for (unsigned i = 0; i < cells; i++)
            chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
        assert_true(chi_square < chi_square_limit(cells - 1.0));
    }
}

static void uniform_takes_any_range(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 23, 0, 0);
    assert_true(pn_uniform(&stream, 0, 0) == 0);
    assert_true(pn_uniform(&stream, UINT64_MAX, UINT64_MAX) == UINT64_MAX);
    assert_true(pn_uniform(&stream, UINT64_MAX - 1, UINT64_MAX) >= UINT64_MAX - 1);
    for (int i = 0; i < 100; i++) {
        pn_stream copy = stream;
        assert_true(pn_uniform(&stream, 0, UINT64_MAX) == pn_random64(&copy));
    }
    /* Where no group is incomplete, nothing is thrown away. */
    for (int bits = 1; bits < 64; bits++) {
        uint64_t last = UINT64_MAX >> bits;
        pn_stream copy = stream;
        for (int i = 0; i < 20; i++)
            assert_true(pn_uniform(&stream, 0, last) == (pn_random64(&copy) & last));
    }
    /* Three quarters of 2^64: a remainder alone would give the first third of the range half of the
     * time. */
    int first_third = 0;
    for (int i = 0; i < 90000; i++) {
        uint64_t value = pn_uniform(&stream, 7, 6 + 3 * (UINT64_C(1) << 62));
        assert_true(7 <= value && value <= 6 + 3 * (UINT64_C(1) << 62));
        first_third += value < 7 + (UINT64_C(1) << 62);
    }
    assert_in_range(first_third, 30000 - 707, 30000 + 707);
}

static void exponential_has_its_moments(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 24, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        samples[i] = pn_exponential(&stream, 3.5);
        assert_true(samples[i] > 0.0);
    }
    check_moments("exponential", samples, 3.5, 3.5 * 3.5, 9.0);
    assert_true(bits_of(pn_exponential(&stream, 0.0)) == 0);
}

static void poisson_has_its_moments(void **state)
{
    (void)state;
    static const double means[] = {0.5, 2.0, 15.999, 16.0, 30.0, 1000.0};
    pn_stream stream;
    pn_stream_init(&stream, 25, 0, 0);
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        for (int i = 0; i < DRAWS; i++)
            samples[i] = (double)pn_poisson(&stream, means[m]);
        check_moments("poisson", samples, means[m], means[m], 3.0 + 1.0 / means[m]);
    }
    assert_true(pn_poisson(&stream, 0.0) == 0);
    double large = (double)pn_poisson(&stream, 1e6);
    assert_true(fabs(large - 1e6) < 5e3);
}

static void poisson_passes_chi_square(void **state)
{
    (void)state;
    static const double means[] = {0.5, 2.0, 30.0};
    pn_stream stream;
    pn_stream_init(&stream, 26, 0, 0);
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        unsigned counts[100] = {0};
        for (int i = 0; i < DRAWS; i++)
            counts[pn_poisson(&stream, means[m]) % 100]++;
        double probability = exp(-means[m]);
        double chi_square = 0.0, freedom = -1.0;
        for (unsigned k = 0; k < 100; k++) {
            double expected = DRAWS * probability;
            if (expected >= 10.0) {
                chi_square += (counts[k] - expected) * (counts[k] - expected) / expected;
                freedom++;
            }
            probability *= means[m] / (k + 1.0);
        }
        assert_true(chi_square < chi_square_limit(freedom));
    }
}

/* The distribution function has to pass the uniform: to reach it is not enough. */
static void a_uniform_that_is_a_probability_belongs_to_the_next_number(void **state)
{
    (void)state;
    int reached = 0;
    for (int i = 1; i < 40; i++) {
        double mean = i / 64.0, none = pn_exp(-mean); /* P(X = 0) is above 1/2 */
        uint64_t cell = (uint64_t)(none * 0x1p53);
        if (cell % 2 == 0) /* no uniform is as large */
            continue;
        pn_stream stream;
        pn_stream_init(&stream, 0, 0, 0);
        stream.used = 0;
        stream.block[0] = (uint32_t)(cell / 2 << 12);
        stream.block[1] = (uint32_t)(cell / 2 >> 20);
        pn_stream copy = stream;
        assert_true(pn_uniform01(&copy) == none);
        assert_true(pn_poisson(&stream, mean) == 1);
        reached++;
    }
    assert_in_range(reached, 10, 39);
}

static void the_extreme_uniforms_give_finite_variates(void **state)
{
    (void)state;
    for (int variate = 0; variate < VARIATES; variate++) {
        for (int ones = 0; ones < 2; ones++) {
            pn_stream stream;
            pn_stream_init(&stream, 0, 0, 0);
            stream.used = 0;
            memset(stream.block, ones ? 0xFF : 0, sizeof stream.block);
            double value = draw((enum variate)variate, &stream);
            assert_true(-1e30 < value && value < 1e30);
        }
    }
}

static void normal_has_its_moments(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 27, 0, 0);
    for (int i = 0; i < DRAWS; i++)
        samples[i] = pn_normal(&stream, -2.0, 5.0);
    check_moments("normal", samples, -2.0, 25.0, 3.0);
    assert_true(pn_normal(&stream, 7.25, 0.0) == 7.25);
}

static void lognormal_has_its_moments_and_those_of_its_logarithm(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 28, 0, 0);
    double variance = log(1.0 + 0.25); /* of the logarithm, for mean 3 and standard deviation 1.5 */
    double kurtosis = exp(4 * variance) + 2 * exp(3 * variance) + 3 * exp(2 * variance) - 3;
    for (int i = 0; i < DRAWS; i++)
        samples[i] = pn_lognormal(&stream, 3.0, 1.5);
    check_moments("lognormal", samples, 3.0, 2.25, kurtosis);

    variance = log(1.0 + 3.65 * 3.65); /* too heavy a tail for the sample's own moments */
    for (int i = 0; i < DRAWS; i++)
        samples[i] = log(pn_lognormal(&stream, 1.0, 3.65));
    check_moments("log of lognormal", samples, -variance / 2, variance, 3.0);

    assert_true(pn_lognormal(&stream, 0.1, 0.0) == 0.1);
    for (int i = 0; i < DRAWS; i++) /* 1 + 1e-18 is 1: a plain log(1 + ratio^2) would give 0 */
        samples[i] = (pn_lognormal(&stream, 1.0, 1e-9) - 1.0) * 1e9;
    check_moments("nearly constant lognormal", samples, 0.0, 1.0, 3.0);
}

static void pareto_is_exponential_in_its_logarithm(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 29, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        double value = pn_pareto(&stream, 1.5, 2.0);
        assert_true(value >= 2.0);
        samples[i] = log(value / 2.0);
    }
    check_moments("log of pareto", samples, 1.0 / 1.5, 1.0 / 2.25, 9.0);
}

static void empirical_follows_its_weights_and_never_draws_a_zero_weight(void **state)
{
    (void)state;
    static const unsigned weights[] = {0, 3, 0, 7, 1, 0};
    pn_stream stream;
    pn_stream_init(&stream, 30, 0, 0);
    unsigned counts[6] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[pn_empirical(&stream, weights_so_far, 6)]++;
    for (int i = 0; i < 6; i++) {
        double p = weights[i] / 11.0;
        assert_true(fabs(counts[i] - DRAWS * p) <= 5.0 * sqrt(DRAWS * p * (1.0 - p)));
    }
    assert_int_equal(pn_empirical(&stream, &(uint64_t){1}, 1), 0);
    assert_int_equal(pn_empirical(&stream, (uint64_t[]){0, UINT64_MAX}, 2), 1);
}

static void one_variate_takes_one_draw_and_poisson_one_per_piece(void **state)
{
    (void)state;
    for (int variate = 0; variate < VARIATES; variate++) {
        pn_stream stream, copy;
        pn_stream_init(&stream, 31, 0, 0);
        copy = stream;
        draw((enum variate)variate, &stream);
        int draws = variate == POISSON ? 2 : 1; /* its mean is 30 */
        for (int i = 0; i < draws; i++)
            pn_random64(&copy);
        assert_memory_equal(&stream, &copy, sizeof stream);
    }
}

static void normal_quantile_matches_known_values(void **state)
{
    (void)state;
    static const struct {
        double p, quantile;
    } known[] = {
        /* by 400 digits of erfc, for the double nearest to p */
        {0.6, 0.2533471031357997},        {0.75, 0.6744897501960817},
        {0.9, 1.2815515655446006},        {0.07, -1.4757910281791706},
        {0.975, 1.9599639845400538},      {0.99, 2.3263478740408408},
        {0.999, 3.090232306167813},       {1e-3, -3.0902323061678136},
        {1e-6, -4.753424308822899},       {1e-10, -6.361340902404057},
        {1e-12, -7.034483825301132},      {1e-20, -9.262340089798407},
        {1e-100, -21.273453560965326},    {1e-300, -37.0470962993612},
        {0x1p-1074, -38.467405617144344},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(pn_normal_quantile(known[i].p) / known[i].quantile - 1.0) < 1e-15);
    assert_true(bits_of(pn_normal_quantile(0.5)) == 0);
    assert_true(pn_normal_quantile(0.0) == -INFINITY);
    assert_true(pn_normal_quantile(1.0) == INFINITY);
}

/* Where two of the three formulas meet, the inner one holds: they differ in the last bit. */
static void normal_quantile_has_the_bits_of_the_inner_formula(void **state)
{
    (void)state;
    assert_true(pn_normal_quantile(0.075) == -0x1.7085226d3e523p+0);
    const double border = 0x1.e8a37a45fc301p-37;
    assert_true(pn_sqrt(-pn_log(border)) == 5.0);
    assert_true(pn_normal_quantile(border) == -0x1.aa1b1c13ee525p+2);
}

static void normal_quantile_is_odd_about_one_half_and_grows(void **state)
{
    (void)state;
    double previous = -INFINITY;
    for (int i = 1; i < 4096; i++) {
        double p = i / 4096.0;
        double quantile = pn_normal_quantile(p);
        assert_true(quantile > previous);
        assert_true(quantile == -pn_normal_quantile(1.0 - p));
        previous = quantile;
    }
}

static void variates_have_the_golden_digests(void **state)
{
    (void)state;
    static const uint64_t golden[VARIATES] = {
        UINT64_C(0x2D6953CDEC05FA94), UINT64_C(0x08FBF4A82390A112), UINT64_C(0xC4179BADFACA22AC),
        UINT64_C(0xF311E02FD3F07571), UINT64_C(0xAA713DF91D678CDB), UINT64_C(0x02B4E7D156FB13CA),
        UINT64_C(0xF38B60934561ED9F), UINT64_C(0xF85430E902DEBB1C)};
    int wrong = 0;
    for (int variate = 0; variate < VARIATES; variate++) {
        pn_stream stream;
        pn_stream_init(&stream, 32, 0, (uint32_t)variate);
        uint64_t digest = PN_MIX_START;
        for (int i = 0; i < 100000; i++)
            digest = pn_mix(digest, bits_of(draw((enum variate)variate, &stream)));
        if (digest != golden[variate]) {
            print_error("the digest of pn_%s is now 0x%016" PRIX64 "\n", variate_names[variate],
                        digest);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform01_has_its_moments_and_stays_inside),
        cmocka_unit_test(uniform_over_small_ranges_passes_chi_square),
        cmocka_unit_test(uniform_takes_any_range),
        cmocka_unit_test(exponential_has_its_moments),
        cmocka_unit_test(poisson_has_its_moments),
        cmocka_unit_test(poisson_passes_chi_square),
        cmocka_unit_test(a_uniform_that_is_a_probability_belongs_to_the_next_number),
        cmocka_unit_test(the_extreme_uniforms_give_finite_variates),
        cmocka_unit_test(normal_has_its_moments),
        cmocka_unit_test(lognormal_has_its_moments_and_those_of_its_logarithm),
        cmocka_unit_test(pareto_is_exponential_in_its_logarithm),
        cmocka_unit_test(empirical_follows_its_weights_and_never_draws_a_zero_weight),
        cmocka_unit_test(one_variate_takes_one_draw_and_poisson_one_per_piece),
        cmocka_unit_test(normal_quantile_matches_known_values),
        cmocka_unit_test(normal_quantile_has_the_bits_of_the_inner_formula),
        cmocka_unit_test(normal_quantile_is_odd_about_one_half_and_grows),
        cmocka_unit_test(variates_have_the_golden_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
