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

/* What a double loses of each term is kept beside it, also when buckets are merged. */
static void small_terms_are_not_lost_beside_a_large_one(void **unused)
{
    double level = 0x1p60;
    pn_timeline *timeline = make(2, 1, PN_TIMELINE_REAL);
    (void)unused;
    for (int now = 0; now <= 513; now++) {
        assert_int_equal(pn_timeline_record_real(timeline, now, &level), PN_OK);
        level = 1.0;
    }
    assert_true(pn_timeline_integral_real(timeline, 0, 0) == 0x1p60 + 512); /* of 511 */
    assert_true(pn_timeline_integral_real(timeline, 1, 0) == 1.0);
    assert_true(pn_timeline_mean(timeline, 0, 0) == 0x1p51 + 1);
    free(timeline);
}

/* The same of a bucket that becomes part of the one before it. */
static void small_terms_are_merged(void **unused)
{
    double level = 0.0;
    pn_timeline *timeline = make(2, 1, PN_TIMELINE_REAL);
    (void)unused;
    for (int quarter = 0; quarter <= 12; quarter++) {
        level = quarter < 4 ? 0.0 : quarter == 4 ? 0x1p62 : 512.0;
        assert_int_equal(pn_timeline_record_real(timeline, quarter * 0.25, &level), PN_OK);
    }
    assert_true(pn_timeline_integral_real(timeline, 0, 0) == 0x1p60 + 512); /* of 384 */
    assert_true(pn_timeline_integral_real(timeline, 1, 0) == 512.0);
    free(timeline);
}

static void every_series_that_there_may_be_has_its_own_cells(void **unused)
{
    enum { MOST = PN_TIMELINE_SERIES_MAX };
    uint64_t levels[MOST];
    double reals[MOST];
    (void)unused;
    pn_timeline *timeline = make(4, MOST, PN_TIMELINE_INTEGER);
    pn_timeline *real = make(4, MOST, PN_TIMELINE_REAL);
    for (uint32_t s = 0; s < MOST; s++)
        reals[s] = (double)(levels[s] = UINT64_MAX - s);
    for (uint32_t now = 0; now <= 16; now++) {
        assert_int_equal(pn_timeline_record(timeline, now, levels), PN_OK);
        assert_int_equal(pn_timeline_record_real(real, now, reals), PN_OK);
    }
    for (uint32_t b = 0; b < 4; b++)
        for (uint32_t s = 0; s < MOST; s++) {
            assert_int_equal(pn_wide_compare(pn_timeline_integral(timeline, b, s),
                                             pn_wide_product(levels[s], 4)),
                             0);
            assert_true(pn_timeline_integral_real(real, b, s) == 4 * reals[s]);
            assert_true(pn_timeline_mean(timeline, b, s) == reals[s]);
            assert_true(pn_timeline_mean(real, b, s) == reals[s]);
        }
    free(timeline);
    free(real);
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
        assert_true(i > 0 || about.used == 0);
        assert_true(i == 0 ? about.width_real == 0.0 : about.width_real * 4 < i);
    }
    free(timeline);
}

/* ---- what is refused ---- */

/* A head, what is known of the records, a level of each series there may be, and the cells. */
static void a_block_has_the_bytes_of_its_cells_and_a_head(void **unused)
{
    static const uint32_t counts[][2] = {
        {2, 1}, {PN_TIMELINE_BUCKETS_MAX, 1}, {3, PN_TIMELINE_SERIES_MAX}};
    (void)unused;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(pn_timeline_size(counts[i][0], counts[i][1]),
                         64 + PN_TIMELINE_SERIES_MAX * sizeof(uint64_t) +
                             (size_t)counts[i][0] * counts[i][1] * sizeof(pn_wide));
}

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
    const pn_wide none[] = {pn_timeline_integral(timeline, 8, 0),
                            pn_timeline_integral(timeline, 0, 2)};
    for (size_t i = 0; i < 2; i++)
        assert_true(none[i].high == 0 && none[i].low == 0);
    assert_true(pn_timeline_mean(timeline, 0, 1) == 4.0);

    assert_int_equal(pn_timeline_init(&timeline, block, size, 8, 2, PN_TIMELINE_REAL), PN_OK);
    assert_true(pn_timeline_mean(timeline, 0, 1) == 0.0);
    assert_int_equal(pn_timeline_record_real(timeline, 1.0, reals), PN_OK);
    memcpy(before, block, size);
    const double bad[] = {-1.0, NAN, INFINITY, 0x1p257};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double first[2] = {bad[i], 1.0}, second[2] = {1.0, bad[i]};
        assert_int_equal(pn_timeline_record_real(timeline, bad[i], reals), PN_ERR_ARGUMENT);
        assert_int_equal(pn_timeline_record_real(timeline, 2.0, first), PN_ERR_ARGUMENT);
        assert_int_equal(pn_timeline_record_real(timeline, 2.0, second), PN_ERR_ARGUMENT);
    }
    assert_int_equal(pn_timeline_record_real(timeline, 0.5, reals), PN_ERR_ORDER);
    assert_memory_equal(before, block, size);
    const double behind[3] = {0x1p256, 0.0, NAN}; /* a level of no series */
    assert_int_equal(pn_timeline_record_real(timeline, 2.0, behind), PN_OK);
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

/* Behind the head: where a block has its clock and whether it has started, and its times. */
enum { CLOCK = 32, STARTED = 36, FROM = 40, LAST = 48, WIDTH = 56, LEVEL = 64 };

static void check_sound(const unsigned char *block, bool sound, size_t row)
{
    size_t size = pn_timeline_size(BUCKETS, SERIES);
    int status = pn_timeline_validate(block, size);
    if (status != (sound ? PN_OK : PN_ERR_DAMAGED))
        fail_msg("row %zu: %s", row, pn_status_name(status));
}

static void integer_times_agree_with_each_other(void **unused)
{
    static const struct {
        uint64_t from, last, width;
        uint32_t clock, started;
        bool sound;
    } rows[] = {
        {0, 0, 1, 0, 0, true},
        {7, 0, 1, 0, 1, true},
        {7, 1, 1, 0, 0, false},
        {7, 1, 1, 0, 2, false},
        {7, 1, 1, 2, 1, false},
        {7, 0, 0, 0, 1, false},
        {7, 0, (uint64_t)1 << 40, 0, 1, true},
        {7, 1, 8, 0, 1, true},
        {7, 0, 3, 0, 1, false},
        {7, 6, 1, 0, 1, true},
        {7, 7, 1, 0, 1, false},
        {7, 48, 8, 0, 1, true},
        {7, 49, 8, 0, 1, false},
        {UINT64_MAX - 5, 5, 1, 0, 1, true},
        {UINT64_MAX - 5, 6, 1, 0, 1, false},
        {0, UINT64_MAX, (uint64_t)1 << 62, 0, 1, true},
        {0, UINT64_MAX, (uint64_t)1 << 63, 0, 1, true},
        {1, UINT64_MAX, (uint64_t)1 << 63, 0, 1, false},
    };
    _Alignas(8) unsigned char block[2048];
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        record_some(block, PN_TIMELINE_INTEGER, 1);
        memcpy(block + CLOCK, &rows[i].clock, 4);
        memcpy(block + STARTED, &rows[i].started, 4);
        memcpy(block + FROM, &rows[i].from, 8);
        memcpy(block + LAST, &rows[i].last, 8);
        memcpy(block + WIDTH, &rows[i].width, 8);
        check_sound(block, rows[i].sound, i);
        if (!rows[i].sound)
            continue;
        pn_timeline_about about;
        pn_timeline_about_get((const pn_timeline *)(const void *)block, &about);
        assert_int_equal(about.used, rows[i].last > 0 ? (rows[i].last - 1) / rows[i].width + 1 : 0);
    }
}

static void real_times_agree_with_each_other(void **unused)
{
    static const struct {
        double from, last, width, level;
        bool sound;
    } rows[] = {
        {0.0, 0.0, 0.0, 0.0, true},
        {0.0, 1.0, 0.0, 0.0, false},
        {0.0, 6.0, 1.0, 0.0, true},
        {0.0, 6.5, 1.0, 0.0, false},
        {0.0, 0.0, 1.0, 0.0, true},
        {0.0, -1.0, 1.0, 0.0, false},
        {0.0, NAN, 1.0, 0.0, false},
        {0.0, 0x1p-900, 0x1p-900, 0.0, true},
        {0.0, 0x1p-900, 0x1p-901, 0.0, false},
        {0.0, 0x1p256, 0x1p256, 0.0, true},
        {0.0, 0x1p256, 0x1p257, 0.0, false},
        {0.0, 0x1.1p256, 0x1p256, 0.0, false},
        {0.0, 1.0, NAN, 0.0, false},
        {0x1p256, 1.0, 1.0, 0.0, true},
        {0x1.1p256, 1.0, 1.0, 0.0, false},
        {-1.0, 1.0, 1.0, 0.0, false},
        {0.0, 1.0, 1.0, 0x1p256, true},
        {0.0, 1.0, 1.0, 0x1.1p256, false},
        {0.0, 1.0, 1.0, NAN, false},
    };
    const double behind = INFINITY; /* a level of no series */
    _Alignas(8) unsigned char block[2048];
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t s = 0; s < SERIES; s++) {
            record_some(block, PN_TIMELINE_REAL, 1);
            memcpy(block + FROM, &rows[i].from, 8);
            memcpy(block + LAST, &rows[i].last, 8);
            memcpy(block + WIDTH, &rows[i].width, 8);
            memcpy(block + LEVEL + 8 * s, &rows[i].level, 8);
            memcpy(block + LEVEL + (size_t)8 * SERIES, &behind, 8);
            check_sound(block, rows[i].sound, i);
        }
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
        cmocka_unit_test(small_terms_are_not_lost_beside_a_large_one),
        cmocka_unit_test(small_terms_are_merged),
        cmocka_unit_test(every_series_that_there_may_be_has_its_own_cells),
        cmocka_unit_test(buckets_have_a_least_width),
        cmocka_unit_test(a_bucket_that_is_full_is_the_last),
        cmocka_unit_test(a_block_has_the_bytes_of_its_cells_and_a_head),
        cmocka_unit_test(what_is_refused_changes_nothing),
        cmocka_unit_test(integer_times_agree_with_each_other),
        cmocka_unit_test(real_times_agree_with_each_other),
        cmocka_unit_test(damaged_blocks_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
