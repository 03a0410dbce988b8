/* Processes of arrivals: their rates and how counts disperse against theory, rates by time against
 * the share of arrivals in each stretch, texts, order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/arrivals.h"

static uint64_t seed;

static arrival_process read(const char *text)
{
    char message[DISTRIBUTION_MESSAGE_SIZE] = "";
    arrival_process made;
    int is_read = arrival_process_parse(text, strlen(text), &made, message);
    if (!is_read)
        print_error("%s: %s\n", text, message);
    assert_true(is_read);
    return made;
}

/* ---- counts ---------------------------------------------------------------------------------- */

#define WINDOWS 20000
#define Z       6.0

typedef struct counts {
    double mean, variance; /* of arrivals in a window */
} counts;

/* Goes through the windows; what comes before time `from` is not counted. */
static counts count_windows(arrival_process *process, double from, double window, uint32_t purpose)
{
    static double count[WINDOWS];
    pn_stream stream;
    counts found = {0.0, 0.0};
    double time, last = 0.0;
    memset(count, 0, sizeof count);
    pn_stream_init(&stream, seed, 0, purpose);
    arrival_process_start(process, &stream);
    while ((time = arrival_process_next(process, &stream)) < from + WINDOWS * window) {
        assert_true(time >= last);
        last = time;
        if (time >= from)
            count[(size_t)((time - from) / window)]++;
    }
    for (int i = 0; i < WINDOWS; i++)
        found.mean += count[i] / WINDOWS;
    for (int i = 0; i < WINDOWS; i++)
        found.variance += (count[i] - found.mean) * (count[i] - found.mean) / (WINDOWS - 1);
    return found;
}

/* Dispersion of the counts of an interrupted or modulated Poisson process of two states in windows
 * of this length (Fischer and Meier-Hellstern 1993). */
static double mmpp_dispersion(double rate1, double mean1, double rate2, double mean2, double window)
{
    double leave1 = 1.0 / mean1, leave2 = 1.0 / mean2, both = leave1 + leave2;
    double most = 2.0 * (rate1 - rate2) * (rate1 - rate2) * leave1 * leave2 /
                  (both * both * (rate1 * leave2 + rate2 * leave1));
    return 1.0 + most * (1.0 - (1.0 - exp(-both * window)) / (both * window));
}

static void test_dispersion(void **state)
{
    const struct {
        const char *text;
        double rate, dispersion, window, slack; /* of the dispersion, which theory gives for long */
    } cases[] = {
        {"poisson(2)", 2.0, 1.0, 50.0, 0.0},
        {"poisson(0.001)", 0.001, 1.0, 1e5, 0.0},
        {"renewal(exp(4))", 0.25, 1.0, 400.0, 0.0},
        {"renewal(gamma(4,0.5))", 0.5, 0.25, 400.0, 0.03},
        {"renewal(hyperexp(0.9,1,0.1,9))", 1.0 / 1.8, 2.0 * 9.0 / 3.24 - 1.0, 900.0, 0.05},
        {"renewal(uniform(0,2))", 1.0, 1.0 / 3.0, 200.0, 0.03},
        {"mmpp(3,7)", 3.0, 1.0, 30.0, 0.0},
        {"mmpp(1,50,9,5)", 95.0 / 55.0, mmpp_dispersion(1, 50, 9, 5, 60), 60.0, 0.0},
        {"mmpp(0,20,4,10)", 4.0 / 3.0, mmpp_dispersion(0, 20, 4, 10, 90), 90.0, 0.0},
        {"batches(0.2,constant(5))", 1.0, 5.0, 200.0, 0.0},
        {"batches(0.5,uniform(1,9))", 2.5, (25.0 + 80.0 / 12.0) / 5.0, 100.0, 0.0},
        {"diurnal(2,0,10)", 2.0, 1.0, 10.0, 0.0},
        {"diurnal(2,1,10)", 2.0, 1.0, 50.0, 0.0}, /* whole periods */
        {"rates(0:2)", 2.0, 1.0, 50.0, 0.0},
        {"rates(0:1;8:5;20:2,24)", 76.0 / 24.0, 1.0, 24.0, 0.0},
        {"rates(0:0;3:4;5:0,10)", 0.8, 1.0, 50.0, 0.0},
    };
    (void)state;
    for (uint32_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        arrival_process process = read(cases[k].text);
        double mean = cases[k].rate * cases[k].window;
        /* Renewal processes begin with an arrival, and settle. */
        counts found = count_windows(&process, 10.0 * cases[k].window, cases[k].window, k);
        double error = Z * sqrt(mean * cases[k].dispersion / WINDOWS);
        double spread = Z * cases[k].dispersion * sqrt(2.5 / WINDOWS) +
                        cases[k].slack * cases[k].dispersion;
        double dispersion = found.variance / found.mean;
        /* Counts of neighbouring windows depend on each other where states outlast them. */
        if (strncmp(cases[k].text, "mmpp", 4) == 0)
            error *= 2.0, spread *= 3.0;
        if (!(fabs(found.mean - mean) <= error + 1e-9 * mean) ||
            !(fabs(dispersion - cases[k].dispersion) <= spread))
            fail_msg("seed %llu: %s: mean %.6g, expected %.6g; dispersion %.6g, expected %.6g",
                     (unsigned long long)seed, cases[k].text, found.mean, mean, dispersion,
                     cases[k].dispersion);
        arrival_process_release(&process);
    }
}

static void test_regular(void **state)
{
    arrival_process process = read("regular(2.5)");
    pn_stream stream;
    (void)state;
    pn_stream_init(&stream, seed, 1, 0);
    arrival_process_start(&process, &stream);
    for (int i = 1; i <= 100000; i++)
        assert_true(arrival_process_next(&process, &stream) == 2.5 * i);
    arrival_process_release(&process);
}

/* ---- rates by time --------------------------------------------------------------------------- */

/* The number of arrivals in each of `cells` equal parts of the period, against what the rate adds
 * up to there. */
static void check_phases(const char *text, double period, int cells,
                         double (*expected)(double from, double to), uint32_t purpose)
{
    arrival_process process = read(text);
    double found[48] = {0.0}, square = 0.0, end = 20000.0 * period, time;
    pn_stream stream;
    int degrees = -1;
    pn_stream_init(&stream, seed, 2, purpose);
    arrival_process_start(&process, &stream);
    while ((time = arrival_process_next(&process, &stream)) < end)
        found[(int)(fmod(time, period) / period * cells) % cells]++;
    for (int i = 0; i < cells; i++) {
        double wanted = 20000.0 * expected(period * i / cells, period * (i + 1) / cells);
        if (wanted == 0.0) {
            assert_true(found[i] == 0.0);
            continue;
        }
        square += (found[i] - wanted) * (found[i] - wanted) / wanted;
        degrees++;
    }
    if (!(fabs(square - degrees - 1) <= Z * sqrt(2.0 * degrees + 2.0) + Z))
        fail_msg("seed %llu: %s: chi square %.1f with %d degrees", (unsigned long long)seed, text,
                 square, degrees);
    arrival_process_release(&process);
}

static double of_sine(double from, double to)
{
    double turn = 6.283185307179586 / 10.0;
    return 2.0 * (to - from + 0.8 / turn * (cos(turn * from) - cos(turn * to)));
}

static double of_rates(double from, double to)
{
    static const double times[] = {0.0, 8.0, 20.0, 24.0}, rates[] = {0.0, 5.0, 0.5};
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += rates[i] * fmax(0.0, fmin(to, times[i + 1]) - fmax(from, times[i]));
    return sum;
}

static void test_phases(void **state)
{
    (void)state;
    check_phases("diurnal(2,0.8,10)", 10.0, 40, of_sine, 0);
    check_phases("rates(0:0;8:5;20:0.5,24)", 24.0, 48, of_rates, 1);
}

/* After the last time its rate stays. */
static void test_last_rate_stays(void **state)
{
    arrival_process process = read("rates( 0:0 ; 1e6:1e3 ;1000001:2 )");
    pn_stream stream;
    int early = 0, late = 0;
    double time;
    (void)state;
    pn_stream_init(&stream, seed, 3, 0);
    arrival_process_start(&process, &stream);
    while ((time = arrival_process_next(&process, &stream)) < 1051001.0) {
        assert_true(time >= 1e6);
        early += time < 1000001.0;
        late += time >= 1000001.0;
    }
    assert_true(abs(early - 1000) < 200 && abs(late - 102000) < 2000);
    arrival_process_release(&process);
}

/* Arrivals at the end of a period but for rounding are neither a period early nor late. */
static void test_rounded_periods(void **state)
{
    int below = 0, above = 0;
    (void)state;
    for (uint32_t k = 1; k < 4000; k++) {
        arrival_process process = read("rates(0:1,1)");
        pn_stream stream;
        double level, rest;
        pn_stream_init(&stream, seed, k, 5);
        level = pn_exponential(&stream, 1.0);
        process.c = k % 2 ? level / k : nextafter(level / k, INFINITY);
        pn_stream_init(&stream, seed, k, 5);
        arrival_process_start(&process, &stream);
        assert_true(fabs(arrival_process_next(&process, &stream) - level) <= 1e-15 * level);
        rest = level - process.c * floor(level / process.c);
        below += rest < 0.0;
        above += rest >= process.c;
        arrival_process_release(&process);
    }
    assert_true(below > 0 && above > 0);
}

/* A batch too large to count lasts for as long as jobs may. */
static void test_endless_batch(void **state)
{
    arrival_process process = read("batches(1,pareto(0.001,1e15))");
    pn_stream stream;
    double first;
    (void)state;
    pn_stream_init(&stream, seed, 6, 0);
    arrival_process_start(&process, &stream);
    first = arrival_process_next(&process, &stream);
    for (int i = 0; i < 1000; i++)
        assert_true(arrival_process_next(&process, &stream) == first);
    assert_int_equal(process.left, PN_INTEGER_MAX - 1001);
    arrival_process_release(&process);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void test_messages(void **state)
{
    static const char *const cases[][2] = {
        {"poison(2)", "unknown process 'poison' (did you mean 'poisson'?)"},
        {"q(2)", "unknown process 'q' (known: batches, diurnal, mmpp, poisson, rates, regular, "
                 "renewal)"},
        {"5", "must be a process such as poisson(2) or mmpp(1,50,9,5), got 5"},
        {"poisson(0)", "poisson: rate must be a number > 0 and <= 9007199254740992, got 0"},
        {"poisson(1,2)", "poisson: must have the form poisson(rate)"},
        {"diurnal(1,1.5,3)", "diurnal: amplitude must be a number >= 0 and <= 1, got 1.5"},
        {"diurnal(2,0,1e-7)", "diurnal: must have an arrival in a million periods"},
        {"renewal(expo(2))", "renewal: unknown distribution 'expo' (did you mean 'exp'?)"},
        {"renewal(0)", "renewal: the mean gap is 0"},
        {"mmpp(1,2,3)", "mmpp: must have the form mmpp(rate1,mean1,rate2,mean2,...)"},
        {"mmpp(0,2,0,3)", "mmpp: must have an arrival in a million rounds of the states"},
        {"rates()", "rates: must have the form rates(time1:rate1;time2:rate2;...[,period])"},
        {"rates(0:1;2)", "rates: must be a list such as 0:1;8:5;20:2, got 2"},
        {"rates(1:1)", "rates: the first time must be 0, got 1"},
        {"rates(0:1;5:2;5:3)", "rates: times must increase, got 5"},
        {"rates(0:1;5:0)", "rates: the last rate stays, and must be > 0 (or a period follows)"},
        {"rates(0:1;5:0,5)", "rates: the period must be above the last time"},
        {"rates(0:0,5)", "rates: must have an arrival in a million periods"},
        {"_(2)", "must be a process such as poisson(2) or mmpp(1,50,9,5), got '_(2)'"},
        {"batches(1)", "batches: must have the form batches(rate,distribution)"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[DISTRIBUTION_MESSAGE_SIZE];
        arrival_process made;
        assert_false(arrival_process_parse(cases[i][0], strlen(cases[i][0]), &made, message));
        assert_string_equal(message, cases[i][1]);
    }
}

/* More states and rates than there may be. */
static void test_too_many(void **state)
{
    enum { RATES = ARRIVALS_RATES_MAX + 1, LONG = 6 + 2 * RATES };
    static char text[LONG];
    char message[DISTRIBUTION_MESSAGE_SIZE];
    arrival_process made;
    size_t size = 5;
    (void)state;
    memcpy(text, "mmpp(", size);
    for (int i = 0; i <= 2 * ARRIVALS_STATES_MAX; i++, size += 2)
        memcpy(text + size, "1,", 2);
    memcpy(text + size, "1)", 2);
    assert_false(arrival_process_parse(text, size + 2, &made, message));
    assert_string_equal(message, "mmpp: must have at most 256 states, got 257");
    memset(text, ';', LONG);
    memcpy(text, "rates(", 6);
    text[LONG - 1] = ')';
    assert_false(arrival_process_parse(text, LONG, &made, message));
    assert_string_equal(message, "rates: must have at most 1048576 rates");
}

/* Damaged texts are refused or give arrivals in order; sanitizers see the rest. */
static void test_random_texts(void **state)
{
    static const char *const texts[] = {"poisson(2)",
                                        "regular(5)",
                                        "renewal(mixture(0.5,exp(2),0.5,uniform(1,9)))",
                                        "mmpp(1,50,9,5)",
                                        "diurnal(2,0.8,24)",
                                        "rates(0:1;8:5;20:2,24)",
                                        "rates(0:1;8:5.5)",
                                        "batches(0.2,zipf(1,9))"};
    static const char letters[] = "(),;:.0123456789e+- xz\n";
    pn_stream stream, draws;
    (void)state;
    pn_stream_init(&stream, seed, 4, 0);
    for (int i = 0; i < 40000; i++) {
        const char *text = texts[pn_uniform(&stream, 0, sizeof texts / sizeof texts[0] - 1)];
        char damaged[100], message[DISTRIBUTION_MESSAGE_SIZE];
        size_t size = strlen(text);
        arrival_process made;
        memcpy(damaged, text, size);
        for (uint64_t left = pn_uniform(&stream, 1, 3); left > 0; left--) {
            uint64_t at = pn_uniform(&stream, 0, size - 1);
            damaged[at] = letters[pn_uniform(&stream, 0, sizeof letters - 1)];
        }
        size -= pn_uniform(&stream, 0, 9) == 0;
        if (!arrival_process_parse(damaged, size, &made, message))
            continue;
        pn_stream_init(&draws, seed, 4, 1);
        arrival_process_start(&made, &draws);
        double last = 0.0;
        for (int k = 0; k < 5; k++) {
            double time = arrival_process_next(&made, &draws);
            assert_true(time >= last);
            last = time;
        }
        arrival_process_release(&made);
    }
}

/* An argument is the seed to repeat. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispersion),      cmocka_unit_test(test_regular),
        cmocka_unit_test(test_phases),          cmocka_unit_test(test_last_rate_stays),
        cmocka_unit_test(test_rounded_periods), cmocka_unit_test(test_endless_batch),
        cmocka_unit_test(test_too_many),        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_random_texts)};
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
