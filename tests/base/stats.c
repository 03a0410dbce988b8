/* Streaming statistics against what sorting all samples gives, and at the edges: no sample, one,
 * and samples outside the cells. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pn_base.h"

#define SAMPLES 10007 /* a prime: no quantile of round q falls on a rank exactly */

static double samples[SAMPLES];
static double sorted[SAMPLES];

/* In a block of exactly the documented size, so that a sanitizer sees a cell too many. */
static pn_stats *new_stats(int first_octave, unsigned octaves, int integer)
{
    pn_stats *stats = malloc(pn_stats_size(first_octave, octaves));
    assert_non_null(stats);
    pn_stats_init(stats, first_octave, octaves, integer);
    return stats;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_samples(void)
{
    memcpy(sorted, samples, sizeof samples);
    qsort(sorted, SAMPLES, sizeof *sorted, compare);
}

static double exact_quantile(double q)
{
    double rank = ceil(q * SAMPLES);
    return sorted[rank < 1.0 ? 0 : (size_t)rank - 1];
}

static void fill(int distribution)
{
    pn_stream stream;
    pn_stream_init(&stream, 41, 0, (uint32_t)distribution);
    for (int i = 0; i < SAMPLES; i++) {
        switch (distribution) {
        case 0:
            samples[i] = pn_uniform01(&stream);
            break;
        case 1:
            samples[i] = pn_exponential(&stream, 1000.0);
            break;
        case 2:
            samples[i] = pn_lognormal(&stream, 1.0, 3.65);
            break;
        case 3:
            samples[i] = pn_pareto(&stream, 0.5, 1e-3);
            break;
        case 4:
            samples[i] = 12345.678;
            break;
        default: /* two far heaps */
            samples[i] = i % 3 ? 1e-5 * (1.0 + pn_uniform01(&stream))
                               : 1e9 * (1.0 + pn_uniform01(&stream));
        }
    }
    sort_samples();
}

static void every_quantile_is_within_one_percent_of_sorting(void **state)
{
    (void)state;
    for (int distribution = 0; distribution < 6; distribution++) {
        fill(distribution);
        pn_stats *stats = new_stats(-40, 100, 0);
        for (int i = 0; i < SAMPLES; i++)
            pn_stats_add(stats, samples[i]);
        for (int i = 0; i <= 2000; i++) {
            double q = i / 2000.0;
            double exact = exact_quantile(q);
            double got = pn_stats_quantile(stats, q);
            if (!(fabs(got - exact) <= exact / 128.0))
                fail_msg("distribution %d: quantile %g is %g, should be %g", distribution, q, got,
                         exact);
        }
        assert_true(stats->min == sorted[0] && stats->max == sorted[SAMPLES - 1]);
        assert_true(pn_stats_quantile(stats, 0.0) == sorted[0]);
        assert_true(pn_stats_quantile(stats, 1.0) == sorted[SAMPLES - 1]);
        free(stats);
    }
}

static void mean_and_variance_are_those_of_two_passes(void **state)
{
    (void)state;
    for (int distribution = 0; distribution < 6; distribution++) {
        fill(distribution);
        /* where the sum of squares alone would lose everything */
        double offset = distribution == 0 ? 1e8 : 0.0;
        pn_stats *stats = new_stats(-40, 100, 0);
        long double sum = 0.0L, squares = 0.0L;
        for (int i = 0; i < SAMPLES; i++) {
            samples[i] += offset;
            pn_stats_add(stats, samples[i]);
            sum += (long double)samples[i];
        }
        long double mean = sum / SAMPLES;
        for (int i = 0; i < SAMPLES; i++)
            squares += ((long double)samples[i] - mean) * ((long double)samples[i] - mean);
        double variance = (double)(squares / (SAMPLES - 1));
        assert_int_equal(stats->count, SAMPLES);
        assert_true(fabs(stats->mean - (double)mean) <= 1e-12 * (double)mean);
        assert_true(fabs(pn_stats_variance(stats) - variance) <= 1e-7 * variance + 1e-12);
        free(stats);
    }
}

static void small_integers_come_back_exactly(void **state)
{
    (void)state;
    for (int first_octave = -20; first_octave <= -1; first_octave++) {
        pn_stats *stats = new_stats(first_octave, (unsigned)(7 - first_octave), 1);
        pn_stream stream;
        pn_stream_init(&stream, 42, 0, 0);
        for (int i = 0; i < SAMPLES; i++) {
            samples[i] = (double)pn_uniform(&stream, 0, 127);
            pn_stats_add(stats, samples[i]);
        }
        sort_samples();
        for (int i = 0; i <= 2000; i++)
            assert_true(pn_stats_quantile(stats, i / 2000.0) == exact_quantile(i / 2000.0));
        free(stats);
    }
}

static void large_integers_come_back_as_integers_within_one_percent(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(-1, 55, 1);
    pn_stream stream;
    pn_stream_init(&stream, 43, 0, 0);
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (double)(pn_uniform(&stream, 1, PN_INTEGER_MAX) >> pn_uniform(&stream, 0, 52));
        pn_stats_add(stats, samples[i]);
    }
    sort_samples();
    for (int i = 0; i <= 2000; i++) {
        double exact = exact_quantile(i / 2000.0);
        double got = pn_stats_quantile(stats, i / 2000.0);
        assert_true(got == floor(got));
        assert_true(fabs(got - exact) <= exact / 128.0);
    }
    free(stats);
}

/* From 2^53 on cells have whole numbers only. */
static void integers_beyond_those_of_a_double_come_back_within_one_percent(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(0, 64, 1);
    for (int i = 0; i < 3; i++)
        pn_stats_add(stats, 0x1.23p60 + i * 0x1p59);
    double got = pn_stats_quantile(stats, 0.5);
    assert_true(got == floor(got) && fabs(got - 0x1.a3p60) <= 0x1.a3p60 / 128.0);
    free(stats);
}

static void merging_equals_adding_all(void **state)
{
    (void)state;
    fill(2);
    static const int parts[][3] = {{0, 0, SAMPLES},
                                   {0, SAMPLES, SAMPLES},
                                   {1, 2, SAMPLES},
                                   {3000, 6000, SAMPLES},
                                   {SAMPLES - 1, SAMPLES, SAMPLES}};
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        pn_stats *all = new_stats(-30, 60, 0);
        pn_stats *merged = new_stats(-30, 60, 0);
        int begin = 0;
        for (int part = 0; part < 3; part++) {
            pn_stats *piece = new_stats(-30, 60, 0);
            for (int i = begin; i < parts[p][part]; i++) {
                pn_stats_add(piece, samples[i]);
                pn_stats_add(all, samples[i]);
            }
            begin = parts[p][part];
            pn_stats_merge(merged, piece);
            free(piece);
        }
        assert_true(merged->count == all->count);
        assert_true(merged->min == all->min && merged->max == all->max);
        assert_memory_equal(merged + 1, all + 1, pn_stats_size(-30, 60) - sizeof *all);
        assert_true(fabs(merged->mean - all->mean) <= 1e-13 * all->mean);
        assert_true(fabs(pn_stats_variance(merged) - pn_stats_variance(all)) <=
                    1e-12 * pn_stats_variance(all));
        free(merged);
        free(all);
    }
}

static void merging_nothing_with_nothing_leaves_nothing(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(-2, 3, 0);
    pn_stats *other = new_stats(-2, 3, 0);
    pn_stats_merge(stats, other);
    assert_memory_equal(stats, other, pn_stats_size(-2, 3));
    assert_true(stats->count == 0);
    free(stats);
    free(other);
}

static void without_samples_everything_is_zero(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(-10, 20, 0);
    assert_true(stats->count == 0 && stats->mean == 0.0 && stats->min == 0.0 && stats->max == 0.0);
    assert_true(pn_stats_variance(stats) == 0.0);
    for (int i = 0; i <= 4; i++)
        assert_true(pn_stats_quantile(stats, i / 4.0) == 0.0);
    free(stats);
}

static void a_single_sample_is_every_quantile(void **state)
{
    (void)state;
    static const double values[] = {0.0, 0x1p-1074, 1e-300, 0.1, 1.0, 3.3, 1e300, DBL_MAX};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        pn_stats *stats = new_stats(-10, 20, 0);
        pn_stats_add(stats, values[v]);
        assert_true(stats->mean == values[v] && stats->min == values[v] && stats->max == values[v]);
        assert_true(pn_stats_variance(stats) == 0.0);
        for (int i = 0; i <= 4; i++)
            assert_true(pn_stats_quantile(stats, i / 4.0) == values[v]);
        free(stats);
    }
}

/* The rank is an integer, and the cells up to that of its sample hold exactly so many. */
static void a_quantile_is_the_sample_of_its_rank(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(0, 6, 1);
    for (int i = 1; i <= 8; i++)
        pn_stats_add(stats, i);
    for (int i = 1; i <= 8; i++)
        assert_true(pn_stats_quantile(stats, i / 8.0) == i);
    free(stats);
}

/* Cells of these are wider than what lies between the samples. */
static void quantiles_lie_between_the_extremes(void **state)
{
    (void)state;
    static const double values[] = {1.001, 1.014};
    for (int v = 0; v < 2; v++) {
        pn_stats *stats = new_stats(0, 2, 0);
        for (int i = 0; i < 4; i++)
            pn_stats_add(stats, values[v]);
        for (int i = 0; i <= 8; i++)
            assert_true(pn_stats_quantile(stats, i / 8.0) == values[v]);
        pn_stats_add(stats, 3.0);
        assert_true(pn_stats_quantile(stats, 0.2) == values[v]);
        free(stats);
    }
}

static void two_samples_have_a_variance(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(0, 3, 0);
    pn_stats_add(stats, 1.0);
    assert_true(pn_stats_variance(stats) == 0.0);
    pn_stats_add(stats, 3.0);
    assert_true(pn_stats_variance(stats) == 2.0);
    free(stats);
}

static void every_cell_is_merged(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(0, 1, 0), *other = new_stats(0, 1, 0);
    const uint64_t *cells = (const uint64_t *)(stats + 1);
    for (int i = 0; i < 64; i++) {
        pn_stats_add(stats, 1.0 + i / 64.0);
        pn_stats_add(other, 1.0 + i / 64.0);
    }
    pn_stats_merge(stats, other);
    for (int i = 0; i < 64; i++)
        assert_int_equal(cells[i], 2);
    free(other);
    free(stats);
}

static void samples_outside_the_cells_count_in_the_outermost(void **state)
{
    (void)state;
    pn_stats *stats = new_stats(0, 1, 0); /* 1 to 2 */
    static const double values[] = {-0.0, 0x1p-1074, 0.5, 1.0, 1.5, 1.999, 2.0, 1e9, 1e300};
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        pn_stats_add(stats, values[v]);
    const uint64_t *cells = (const uint64_t *)(stats + 1);
    assert_int_equal(cells[0], 4);
    assert_int_equal(cells[32], 1);
    assert_int_equal(cells[63], 4);
    assert_true(stats->min == 0.0 && !signbit(stats->min) && stats->max == 1e300);
    assert_true(pn_stats_quantile(stats, 0.3) == 1.0 + 1.0 / 128);
    assert_true(pn_stats_quantile(stats, 0.8) == 2.0 - 1.0 / 128);
    free(stats);
}

static void the_whole_range_of_doubles_is_possible(void **state)
{
    (void)state;
    static const struct {
        int first_octave;
        unsigned octaves;
    } ranges[] = {{-1022, 1024}, {0, 1024}, {1022, 2}, {1022, 1}, {-1022, 1}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++) {
        pn_stats *stats = new_stats(ranges[r].first_octave, ranges[r].octaves, 0);
        pn_stats_add(stats, 0.0);
        pn_stats_add(stats, DBL_MIN);
        pn_stats_add(stats, 1.0);
        pn_stats_add(stats, DBL_MAX);
        for (int i = 0; i <= 8; i++) {
            double quantile = pn_stats_quantile(stats, i / 8.0);
            assert_true(0.0 <= quantile && quantile <= DBL_MAX);
        }
        free(stats);
    }
}

static void illegal_octave_ranges_have_no_size(void **state)
{
    (void)state;
    assert_int_equal(pn_stats_size(0, 1), sizeof(pn_stats) + 64 * sizeof(uint64_t));
    assert_int_equal(pn_stats_size(-1022, 1024), sizeof(pn_stats) + 1024 * 64 * sizeof(uint64_t));
    assert_int_equal(pn_stats_size(1022, 2), sizeof(pn_stats) + 2 * 64 * sizeof(uint64_t));
    assert_int_equal(pn_stats_size(0, 0), 0);
    assert_int_equal(pn_stats_size(-1022, 1025), 0);
    assert_int_equal(pn_stats_size(-1023, 1), 0);
    assert_int_equal(pn_stats_size(1023, 1), 0);
    assert_int_equal(pn_stats_size(1, 1024), 0);
    assert_int_equal(pn_stats_size(INT32_MIN, UINT32_MAX), 0);
    assert_int_equal(pn_stats_size(INT32_MAX, UINT32_MAX), 0);
}

/* ---- batch means ---- */

/* After `count` samples: batches of the smallest power of two that makes fewer than PN_BATCHES_MAX
 * of them. With integers every sum and every mean is exact, however often batches were merged. */
static void check_batches(const pn_batches *batches, const double *sample, uint64_t count,
                          double error)
{
    uint64_t size = 1;
    while (count / size >= PN_BATCHES_MAX)
        size *= 2;
    assert_int_equal(batches->size, size);
    assert_int_equal(batches->count, count / size);
    assert_int_equal(batches->filled, count % size);
    for (uint64_t i = 0; i <= batches->count; i++) {
        double sum = 0.0;
        for (uint64_t k = i * size; k < (i + 1) * size && k < count; k++)
            sum += sample[k];
        double exact = i < batches->count ? sum / (double)size : sum;
        double got = i < batches->count ? batches->mean[i] : batches->sum;
        assert_true(fabs(got - exact) <= error * fabs(exact));
    }
}

static void batches_of_integers_are_exact(void **state)
{
    (void)state;
    pn_batches batches, copy;
    pn_stream stream;
    pn_stream_init(&stream, 45, 0, 0);
    memset(&batches, 0xA5, sizeof batches);
    pn_batches_init(&batches);
    check_batches(&batches, samples, 0, 0.0);
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (double)(pn_uniform(&stream, 1, UINT64_C(1) << 39) >>
                              pn_uniform(&stream, 0, 38));
        memcpy(&copy, &batches, sizeof copy); /* a copy ends as its original does */
        pn_batches_add(&batches, samples[i]);
        pn_batches_add(&copy, samples[i]);
        assert_memory_equal(&copy, &batches, sizeof batches);
        if (i < 600 || i % 97 == 0 || i == SAMPLES - 1)
            check_batches(&batches, samples, (uint64_t)i + 1, 0.0);
    }
    assert_int_equal(batches.size, 256);
}

static void batches_of_anything_are_as_exact_as_doubles(void **state)
{
    (void)state;
    for (int distribution = 0; distribution < 6; distribution++) {
        pn_batches batches;
        double sum;
        fill(distribution);
        pn_batches_init(&batches);
        for (int i = 0; i < SAMPLES; i++)
            pn_batches_add(&batches, samples[i]);
        check_batches(&batches, samples, SAMPLES, 1e-13);
        sum = batches.sum;
        for (uint32_t i = 0; i < batches.count; i++)
            sum += batches.mean[i] * (double)batches.size;
        pn_stats *stats = new_stats(-40, 100, 0);
        for (int i = 0; i < SAMPLES; i++)
            pn_stats_add(stats, samples[i]);
        assert_true(fabs(sum / SAMPLES - stats->mean) <= 1e-12 * stats->mean);
        free(stats);
    }
}

/* The memory of a long run: sizes double on, the number of batches stays between half and all. */
static void batches_double_for_ever(void **state)
{
    (void)state;
    pn_batches batches;
    pn_batches_init(&batches);
    for (uint32_t i = 0; i < UINT32_C(1) << 20; i++) {
        pn_batches_add(&batches, 3.0);
        assert_true(batches.count < PN_BATCHES_MAX &&
                    (batches.size == 1 || batches.count >= PN_BATCHES_MAX / 2));
    }
    assert_int_equal(batches.size, (UINT32_C(1) << 20) / (PN_BATCHES_MAX / 2));
    assert_int_equal(batches.count, PN_BATCHES_MAX / 2);
    for (uint32_t i = 0; i < batches.count; i++)
        assert_true(batches.mean[i] == 3.0);
}

static void statistics_have_the_golden_digest(void **state)
{
    (void)state;
    const uint64_t golden = UINT64_C(0x0A94CA7B6722A4CC);
    pn_stats *stats = new_stats(-30, 60, 0);
    pn_stream stream;
    pn_stream_init(&stream, 44, 0, 0);
    for (int i = 0; i < 100000; i++)
        pn_stats_add(stats, pn_lognormal(&stream, 1.0, 3.65));
    double results[] = {stats->mean, pn_stats_variance(stats),      stats->min,
                        stats->max,  pn_stats_quantile(stats, 0.5), pn_stats_quantile(stats, 0.99)};
    uint64_t digest = PN_MIX_START;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        uint64_t bits;
        memcpy(&bits, &results[i], sizeof bits);
        digest = pn_mix(digest, bits);
    }
    free(stats);
    if (digest != golden)
        print_error("the digest of pn_stats is now 0x%016" PRIX64 "\n", digest);
    assert_true(digest == golden);
}

static void batches_from_outside_are_looked_at(void **state)
{
    pn_batches batches;
    (void)state;
    pn_batches_init(&batches);
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    for (int i = 0; i < 1000; i++)
        pn_batches_add(&batches, i);
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    const pn_batches sound = batches;
    const struct {
        uint64_t size, filled;
        uint32_t count;
        double mean, sum;
    } damaged[] = {
        {sound.size, sound.filled, PN_BATCHES_MAX, 1.0, 1.0},
        {0, 0, sound.count, 1.0, 1.0},
        {sound.size + 1, sound.filled, sound.count, 1.0, 1.0},
        {(uint64_t)1 << 63, sound.filled, sound.count, 1.0, 1.0},
        {sound.size, sound.size, sound.count, 1.0, 1.0},
        {sound.size, sound.filled, PN_BATCHES_MAX / 2 - 1, 1.0, 1.0},
        {sound.size, sound.filled, sound.count, INFINITY, 1.0},
        {sound.size, sound.filled, sound.count, 1.0, NAN},
    };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        batches = sound;
        batches.size = damaged[i].size;
        batches.filled = damaged[i].filled;
        batches.count = damaged[i].count;
        batches.mean[0] = damaged[i].mean;
        batches.sum = damaged[i].sum;
        assert_int_equal(pn_batches_validate(&batches), PN_ERR_DAMAGED);
    }
    for (uint32_t i = 0; i < sound.count; i++) {
        batches = sound;
        batches.mean[i] = NAN;
        assert_int_equal(pn_batches_validate(&batches), PN_ERR_DAMAGED);
    }
    batches = sound;
    batches.size = 1;
    batches.filled = 0;
    batches.count = 1; /* of single samples, few are sound */
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    batches = sound; /* what is behind half of them is not read */
    batches.count = PN_BATCHES_MAX / 2;
    batches.mean[PN_BATCHES_MAX / 2] = NAN;
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    batches = sound;
    batches.size = PN_INTEGER_MAX;
    assert_int_equal(pn_batches_validate(&batches), PN_OK);
    batches.size *= 2;
    assert_int_equal(pn_batches_validate(&batches), PN_ERR_DAMAGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_quantile_is_within_one_percent_of_sorting),
        cmocka_unit_test(mean_and_variance_are_those_of_two_passes),
        cmocka_unit_test(small_integers_come_back_exactly),
        cmocka_unit_test(large_integers_come_back_as_integers_within_one_percent),
        cmocka_unit_test(integers_beyond_those_of_a_double_come_back_within_one_percent),
        cmocka_unit_test(merging_equals_adding_all),
        cmocka_unit_test(merging_nothing_with_nothing_leaves_nothing),
        cmocka_unit_test(without_samples_everything_is_zero),
        cmocka_unit_test(a_single_sample_is_every_quantile),
        cmocka_unit_test(a_quantile_is_the_sample_of_its_rank),
        cmocka_unit_test(quantiles_lie_between_the_extremes),
        cmocka_unit_test(two_samples_have_a_variance),
        cmocka_unit_test(every_cell_is_merged),
        cmocka_unit_test(samples_outside_the_cells_count_in_the_outermost),
        cmocka_unit_test(the_whole_range_of_doubles_is_possible),
        cmocka_unit_test(illegal_octave_ranges_have_no_size),
        cmocka_unit_test(batches_of_integers_are_exact),
        cmocka_unit_test(batches_of_anything_are_as_exact_as_doubles),
        cmocka_unit_test(batches_double_for_ever),
        cmocka_unit_test(statistics_have_the_golden_digest),
        cmocka_unit_test(batches_from_outside_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
