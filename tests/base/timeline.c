/* Timelines: whatever is recorded, every bucket holds what a recount of all records gives, exactly
 * with integers; however often widths double, wherever the block lies, and at the ends of the
 * range. What is refused changes nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "pinion.h"

enum { RECORDS = 400, SERIES_MOST = 5 };

static uint64_t random_next(uint64_t *state)
{
    return *state = pn_mix(*state, 1);
}

typedef struct history {
    uint64_t times[RECORDS], levels[RECORDS][SERIES_MOST];
    double real_times[RECORDS], real_levels[RECORDS][SERIES_MOST];
    uint32_t count, series;
} history;

static pn_timeline *make(uint32_t buckets, uint32_t series, uint32_t clock)
{
    size_t size = pn_timeline_size(buckets, series);
    void *block = malloc(size);
    pn_timeline *timeline = NULL;
    assert_non_null(block);
    memset(block, 0x5A, size);
    assert_int_equal(pn_timeline_init(&timeline, block, size, buckets, series, clock), PN_OK);
    assert_ptr_equal(timeline, block);
    return timeline;
}

/* The block moves; what it leaves behind is rubbish. */
static pn_timeline *move(pn_timeline *timeline, uint32_t buckets, uint32_t series)
{
    size_t size = pn_timeline_size(buckets, series);
    void *copy = malloc(size);
    pn_timeline *moved = NULL;
    assert_non_null(copy);
    memcpy(copy, timeline, size);
    memset(timeline, 0xA5, size);
    free(timeline);
    assert_int_equal(pn_timeline_validate(copy, size), PN_OK);
    assert_int_equal(pn_timeline_open(&moved, copy, size), PN_OK);
    return moved;
}

/* ---- integers ---- */

/* Adds level * span in steps of one part of the span, for numbers of 128 bits without the kernel's
 * product. */
static pn_wide add_times(pn_wide sum, uint64_t level, uint64_t span)
{
    pn_wide term = {0, level};
    for (; span > 0; span >>= 1) {
        if (span & 1)
            sum = pn_wide_sum(sum, term);
        term = pn_wide_sum(term, term);
    }
    return sum;
}

/* What bucket [from, to) holds by all records. */
static pn_wide recount(const history *all, uint32_t series, uint64_t from, uint64_t to)
{
    pn_wide sum = {0, 0};
    for (uint32_t i = 0; i + 1 < all->count; i++) {
        uint64_t begin = all->times[i] > from ? all->times[i] : from;
        uint64_t end = all->times[i + 1] < to ? all->times[i + 1] : to;
        if (begin < end)
            sum = add_times(sum, all->levels[i][series], end - begin);
    }
    return sum;
}

static void check_integers(const pn_timeline *timeline, const history *all, uint32_t buckets)
{
    pn_timeline_about about;
    pn_timeline_about_get(timeline, &about);
    assert_int_equal(about.started, all->count > 0);
    assert_int_equal(about.width & (about.width - 1), 0);
    if (all->count == 0)
        return;
    uint64_t span = all->times[all->count - 1] - all->times[0];
    assert_int_equal(about.from, all->times[0]);
    assert_int_equal(about.now, all->times[all->count - 1]);
    assert_int_equal(about.used, span > 0 ? (span - 1) / about.width + 1 : 0);
    assert_true(about.used <= buckets);
    /* never wider than needed */
    assert_true(about.width == 1 || (span - 1) / (about.width / 2) >= buckets);
    for (uint32_t b = 0; b < buckets; b++)
        for (uint32_t s = 0; s < all->series; s++) {
            uint64_t from = about.from + b * about.width;
            uint64_t to = from + about.width;
            pn_wide want = b < about.used ? recount(all, s, from, to < from ? UINT64_MAX : to)
                                          : (pn_wide){0, 0};
            pn_wide got = pn_timeline_integral(timeline, b, s);
            if (pn_wide_compare(got, want) != 0)
                fail_msg("bucket %lu of series %lu: %llx:%llx, not %llx:%llx", (unsigned long)b,
                         (unsigned long)s, (unsigned long long)got.high,
                         (unsigned long long)got.low, (unsigned long long)want.high,
                         (unsigned long long)want.low);
        }
}

static void record_integers(uint64_t seed, uint32_t buckets, uint64_t gap_most, uint64_t level_most)
{
    static history all;
    uint64_t state = seed, now = random_next(&state) % 1000;
    all.count = 0;
    all.series = 1 + (uint32_t)(random_next(&state) % SERIES_MOST);
    pn_timeline *timeline = make(buckets, all.series, PN_TIMELINE_INTEGER);
    check_integers(timeline, &all, buckets);
    while (all.count < RECORDS) {
        uint64_t *levels = all.levels[all.count];
        for (uint32_t s = 0; s < all.series; s++)
            levels[s] = random_next(&state) % level_most;
        all.times[all.count] = now;
        assert_int_equal(pn_timeline_record(timeline, now, levels), PN_OK);
        all.count++;
        if (all.count % 37 == 0)
            timeline = move(timeline, buckets, all.series);
        if (all.count % 20 == 0 || all.count < 4)
            check_integers(timeline, &all, buckets);
        uint64_t kind = random_next(&state) % 8;
        now += kind == 0  ? 0
               : kind < 7 ? random_next(&state) % (gap_most / 64 + 1)
                          : random_next(&state) % gap_most;
    }
    check_integers(timeline, &all, buckets);
    free(timeline);
}

static void integers_are_those_of_a_recount(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint32_t buckets = (const uint32_t[]){2, 3, 5, 8, 31, 64}[seed % 6];
        record_integers(seed, buckets, (uint64_t)1 << (seed % 50 + 4), (uint64_t)1 << (seed % 60));
    }
}

/* Times that end with the last bucket need no wider ones. */
static void full_buckets_are_not_merged(void **unused)
{
    (void)unused;
    const uint64_t level = 5;
    pn_timeline *timeline = make(4, 1, PN_TIMELINE_INTEGER);
    pn_timeline_about about;
    assert_int_equal(pn_timeline_record(timeline, 100, &level), PN_OK);
    for (uint64_t end = 4; end <= 64; end *= 2) {
        assert_int_equal(pn_timeline_record(timeline, 100 + end, &level), PN_OK);
        pn_timeline_about_get(timeline, &about);
        assert_int_equal(about.width, end / 4);
        assert_int_equal(about.used, 4);
    }
    free(timeline);
}

/* The largest level over the longest time there is. */
static void nothing_overflows(void **unused)
{
    (void)unused;
    uint64_t most = UINT64_MAX;
    pn_timeline *timeline = make(2, 1, PN_TIMELINE_INTEGER);
    pn_timeline_about about;
    assert_int_equal(pn_timeline_record(timeline, 0, &most), PN_OK);
    assert_int_equal(pn_timeline_record(timeline, most, &most), PN_OK);
    pn_timeline_about_get(timeline, &about);
    assert_true(about.width == (uint64_t)1 << 63);
    assert_int_equal(about.used, 2);
    pn_wide sum = pn_wide_sum(pn_timeline_integral(timeline, 0, 0),
                              pn_timeline_integral(timeline, 1, 0));
    assert_int_equal(pn_wide_compare(sum, pn_wide_product(most, most)), 0);
    timeline = move(timeline, 2, 1);
    assert_int_equal(pn_timeline_record(timeline, most - 1, &most), PN_ERR_ORDER);
    free(timeline);
}

/* ---- reals ---- */

static double recount_real(const history *all, uint32_t series, double from, double to)
{
    double sum = 0.0;
    for (uint32_t i = 0; i + 1 < all->count; i++) {
        double begin = fmax(all->real_times[i] - all->real_times[0], from);
        double end = fmin(all->real_times[i + 1] - all->real_times[0], to);
        if (begin < end)
            sum += all->real_levels[i][series] * (end - begin);
    }
    return sum;
}

static void check_reals(const pn_timeline *timeline, const history *all, uint32_t buckets)
{
    pn_timeline_about about;
    int exponent;
    pn_timeline_about_get(timeline, &about);
    double now = all->real_times[all->count - 1], span = now - all->real_times[0];
    assert_true(about.from_real == all->real_times[0]);
    assert_true(fabs(about.now_real - now) <= 1e-15 * now);
    assert_true(about.width_real == 0.0 ? span == 0.0 : frexp(about.width_real, &exponent) == 0.5);
    assert_true(span <= about.width_real * buckets);
    assert_true(span == 0.0 || span > about.width_real * 0.5 * buckets);
    for (uint32_t b = 0; b < buckets; b++)
        for (uint32_t s = 0; s < all->series; s++) {
            double want = recount_real(all, s, b * about.width_real, (b + 1) * about.width_real);
            double got = pn_timeline_integral_real(timeline, b, s);
            assert_true(fabs(got - want) <= 1e-12 * want);
        }
}

static void reals_are_those_of_a_recount(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        static history all;
        uint64_t state = seed;
        uint32_t buckets = (const uint32_t[]){2, 3, 7, 16, 100}[seed % 5];
        double now = (double)(random_next(&state) % 7), scale = ldexp(1.0, (int)(seed % 80) - 40);
        all.count = 0;
        all.series = 2;
        pn_timeline *timeline = make(buckets, 2, PN_TIMELINE_REAL);
        while (all.count < RECORDS) {
            double *levels = all.real_levels[all.count];
            levels[0] = (double)(random_next(&state) % 100);
            levels[1] = ldexp((double)(random_next(&state) >> 11), -53);
            all.real_times[all.count++] = now;
            assert_int_equal(pn_timeline_record_real(timeline, now, levels), PN_OK);
            if (all.count % 41 == 0)
                timeline = move(timeline, buckets, 2);
            if (all.count % 25 == 0)
                check_reals(timeline, &all, buckets);
            now += random_next(&state) % 5 == 0
                       ? 0.0
                       : scale * ldexp((double)(random_next(&state) >> 11), -50);
        }
        check_reals(timeline, &all, buckets);
        free(timeline);
    }
}

static void buckets_have_a_least_width(void **unused)
{
    const double levels[] = {3.0};
    pn_timeline *timeline = make(8, 1, PN_TIMELINE_REAL);
    pn_timeline_about about;
    (void)unused;
    assert_int_equal(pn_timeline_record_real(timeline, 0.0, levels), PN_OK);
    assert_int_equal(pn_timeline_record_real(timeline, 0x1p-1000, levels), PN_OK);
    pn_timeline_about_into(timeline, &about, sizeof about);
    assert_true(about.width_real == 0x1p-900 && about.used == 1);
    assert_true(pn_timeline_integral_real(timeline, 0, 0) == 0x1.8p-999);
    free(timeline);
}

static void a_bucket_that_is_full_is_the_last(void **unused)
{
    const double levels[] = {3.0};
    pn_timeline *timeline = make(8, 1, PN_TIMELINE_REAL);
    pn_timeline_about about;
    (void)unused;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pn_timeline_record_real(timeline, i, levels), PN_OK);
        pn_timeline_about_into(timeline, &about, sizeof about);
        assert_true(about.used * about.width_real == i);
    }
    free(timeline);
}

/* ---- what is refused ---- */

static void what_is_refused_changes_nothing(void **unused)
{
    (void)unused;
    _Alignas(8) unsigned char block[2048], before[2048];
    pn_timeline *timeline = NULL;
    uint64_t levels[2] = {3, 4};
    double reals[2] = {3.0, 4.0};
    assert_int_equal(pn_timeline_size(1, 1), 0);
    assert_int_equal(pn_timeline_size(PN_TIMELINE_BUCKETS_MAX + 1, 1), 0);
    assert_int_equal(pn_timeline_size(2, 0), 0);
    assert_int_equal(pn_timeline_size(2, PN_TIMELINE_SERIES_MAX + 1), 0);
    size_t size = pn_timeline_size(8, 2);
    assert_true(0 < size && size <= sizeof block);
    assert_int_equal(pn_timeline_init(&timeline, block, size - 1, 8, 2, 0), PN_ERR_SIZE);
    assert_int_equal(pn_timeline_init(&timeline, block + 1, size, 8, 2, 0), PN_ERR_ALIGN);
    assert_int_equal(pn_timeline_init(&timeline, block, size, 8, 2, 2), PN_ERR_CONFIG);
    assert_int_equal(pn_timeline_init(NULL, block, size, 8, 2, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_init(&timeline, NULL, size, 8, 2, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_open(NULL, block, size), PN_ERR_ARGUMENT);
    memset(block, 0, size);
    assert_int_equal(pn_timeline_open(&timeline, block, size), PN_ERR_BLOCK);
    assert_int_equal(pn_timeline_record(NULL, 1, levels), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_record_real(NULL, 1.0, reals), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_init(&timeline, block, size, 8, 2, PN_TIMELINE_INTEGER), PN_OK);
    assert_int_equal(pn_timeline_record(timeline, 10, levels), PN_OK);
    assert_int_equal(pn_timeline_record(timeline, 30, levels), PN_OK);
    memcpy(before, block, size);
    assert_int_equal(pn_timeline_record(timeline, 29, levels), PN_ERR_ORDER);
    assert_int_equal(pn_timeline_record(timeline, 9, levels), PN_ERR_ORDER);
    assert_int_equal(pn_timeline_record(timeline, 31, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_record_real(timeline, 31.0, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_timeline_record_real(timeline, 31.0, reals), PN_ERR_ARGUMENT);
    assert_memory_equal(before, block, size);
    assert_true(pn_timeline_integral_real(timeline, 0, 0) == 0.0);
    assert_int_equal(pn_timeline_integral(timeline, 8, 0).low, 0);
    assert_int_equal(pn_timeline_integral(timeline, 0, 2).low, 0);
    assert_true(pn_timeline_mean(timeline, 0, 1) == 4.0);

    assert_int_equal(pn_timeline_init(&timeline, block, size, 8, 2, PN_TIMELINE_REAL), PN_OK);
    assert_true(pn_timeline_mean(timeline, 0, 1) == 0.0);
    assert_int_equal(pn_timeline_record_real(timeline, 1.0, reals), PN_OK);
    memcpy(before, block, size);
    const double bad[] = {-1.0, NAN, INFINITY, 0x1p257};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double other[2] = {1.0, bad[i]};
        assert_int_equal(pn_timeline_record_real(timeline, bad[i], reals), PN_ERR_ARGUMENT);
        assert_int_equal(pn_timeline_record_real(timeline, 2.0, other), PN_ERR_ARGUMENT);
    }
    assert_int_equal(pn_timeline_record_real(timeline, 0.5, reals), PN_ERR_ORDER);
    assert_memory_equal(before, block, size);
}

/* ---- what is damaged ---- */

enum { BUCKETS = 6, SERIES = 3 };

/* Makes a timeline of so many records, which is sound. */
static pn_timeline *record_some(unsigned char *block, uint32_t clock, int records)
{
    const uint64_t levels[SERIES] = {1, 2, 3};
    const double reals[SERIES] = {1.0, 2.0, 3.0};
    pn_timeline *timeline = NULL;
    size_t size = pn_timeline_size(BUCKETS, SERIES);
    assert_int_equal(pn_timeline_init(&timeline, block, size, BUCKETS, SERIES, clock), PN_OK);
    for (int i = 0; i < records; i++)
        assert_int_equal(clock == PN_TIMELINE_INTEGER
                             ? pn_timeline_record(timeline, (uint64_t)i * 7, levels)
                             : pn_timeline_record_real(timeline, i * 0.7, reals),
                         PN_OK);
    assert_int_equal(pn_timeline_validate(block, size), PN_OK);
    return timeline;
}

/* Does with a damaged timeline all that may be done with it. Returns whether it is refused. */
static bool use_damaged(pn_timeline *timeline, unsigned char *before)
{
    const uint64_t levels[SERIES] = {1, 2, 3};
    const double reals[SERIES] = {1.0, 2.0, 3.0};
    size_t size = pn_timeline_size(BUCKETS, SERIES);
    pn_timeline_about about;
    if (pn_timeline_validate(timeline, size) != PN_OK)
        return true;
    pn_timeline_about_get(timeline, &about);
    assert_true(about.used <= BUCKETS);
    if (about.clock == PN_TIMELINE_INTEGER && about.now > 0) { /* refused: nothing changes */
        memcpy(before, timeline, size);
        int status = pn_timeline_record(timeline, about.now - 1, levels);
        assert_true(status == PN_OK || memcmp(before, timeline, size) == 0);
    }
    pn_timeline_record(timeline, about.now + 1000, levels);
    pn_timeline_record_real(timeline, about.now_real + 1000.0, reals);
    for (uint32_t b = 0; b < BUCKETS; b++)
        pn_timeline_mean(timeline, b, SERIES - 1);
    return false;
}

/* Every bit of a block and many values of its words: what validate lets pass can be recorded into
 * and asked without harm, which the sanitizers watch. */
static void damaged_blocks_do_no_harm(void **unused)
{
    static const int records[] = {0, 1, 20};
    const double reals[] = {0.0, 1.0, -1.0, 6.0, 0x1p-901, 0x1p256, 0x1p257, INFINITY, NAN};
    enum { REALS = sizeof reals / sizeof *reals };
    uint64_t words[REALS + 5] = {1, 3, (uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX};
    memcpy(words + 5, reals, sizeof reals);
    size_t size = pn_timeline_size(BUCKETS, SERIES), refused = 0;
    unsigned char *block = malloc(size), *before = malloc(size);
    (void)unused;
    assert_true(block && before);
    for (uint32_t clock = 0; clock <= PN_TIMELINE_REAL; clock++)
        for (size_t r = 0; r < sizeof records / sizeof *records; r++) {
            for (size_t bit = 0; bit < 8 * size; bit++) {
                pn_timeline *timeline = record_some(block, clock, records[r]);
                block[bit / 8] ^= (unsigned char)(1 << bit % 8);
                refused += use_damaged(timeline, before);
            }
            for (size_t at = 0; at + 8 <= size; at += 8)
                for (size_t i = 0; i < REALS + 5; i++) {
                    pn_timeline *timeline = record_some(block, clock, records[r]);
                    memcpy(block + at, &words[i], 8);
                    refused += use_damaged(timeline, before);
                }
        }
    assert_true(refused > 600);
    assert_int_equal(pn_timeline_validate(block, size - 1) < 0, 1);
    free(before);
    free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_those_of_a_recount),
        cmocka_unit_test(full_buckets_are_not_merged),
        cmocka_unit_test(nothing_overflows),
        cmocka_unit_test(reals_are_those_of_a_recount),
        cmocka_unit_test(buckets_have_a_least_width),
        cmocka_unit_test(a_bucket_that_is_full_is_the_last),
        cmocka_unit_test(what_is_refused_changes_nothing),
        cmocka_unit_test(damaged_blocks_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
