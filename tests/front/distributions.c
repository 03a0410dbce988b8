/* Distributions: a million draws of each against their mean and variance, texts that are read and
 * written, texts of chance and of malice, sizes against factors, copies. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "workload/distribution.h"

static uint64_t seed;

static distribution read(const char *text, enum distribution_use use)
{
    char message[DISTRIBUTION_MESSAGE_SIZE] = "";
    distribution made;
    int is_read = distribution_parse(text, strlen(text), use, &made, message);
    if (!is_read)
        print_error("%s: %s\n", text, message);
    assert_true(is_read);
    return made;
}

static const char *refused(const char *text, enum distribution_use use)
{
    static char message[DISTRIBUTION_MESSAGE_SIZE];
    distribution made;
    assert_false(distribution_parse(text, strlen(text), use, &made, message));
    assert_null(made.body);
    return message;
}

/* ---- moments --------------------------------------------------------------------------------- */

#define DRAWS 1000000
#define Z     6.0

/* The variance of a variance needs a fourth moment; `!` in front says that there is none, or that a
 * million draws do not show it. */
static const char *const settings[] = {
    "exp(2.5)",
    "uniform(0.25,3)",
    "lognormal(2,0.5)",
    "!lognormal(1,3.65)",
    "normal(3,0.25)",
    "normal(1,2)",
    "!pareto(2.5,0.75)",
    "pareto(6,2)",
    "poisson(0.3)",
    "poisson(3)",
    "poisson(90)",
    "constant(7)",
    "weibull(1,3)",
    "weibull(0.5,2)",
    "weibull(7,2)",
    "!weibull(0.2,1)",
    "gamma(0.05,3)",
    "gamma(0.5,2)",
    "gamma(1,2)",
    "gamma(2.5,0.1)",
    "gamma(1000,3)",
    "erlang(1,4)",
    "erlang(3,4)",
    "erlang(100,1)",
    "hyperexp(1,3)",
    "hyperexp(0.9,1,0.1,20)",
    "hyperexp(0.5,1,0.3,2,0.2,40)",
    "hyperexp(0,1,1,2)",
    "zipf(0,6)",
    "zipf(1.1,1000)",
    "!zipf(2,20000)",
    "zipf(5,3)",
    "empirical(3)",
    "empirical(1,2,2,50,0.5)",
    "mixture(0.7,exp(2),0.3,uniform(5,9))",
    "mixture(0.5,constant(1),0.5,mixture(0.2,gamma(3,2),0.8,zipf(1,9)))",
    "mixture(0.4,normal(0,2),0.6,normal(1,1))",
    "truncated(exp(2),0,3)",
    "truncated(exp(2),5,1000)",
    "truncated(exp(2),200,201)",
    "truncated(weibull(0.3,1),2,50)",
    "truncated(weibull(4,3),0,2)",
    "truncated(pareto(1.1,1),2,1000)",
    "truncated(pareto(1,1),0,1000)",
    "truncated(pareto(2,1),0.5,90)",
    "truncated(uniform(0,9),3,20)",
    "truncated(normal(3,2),0,10)",
    "truncated(normal(3,2),1,2)",
    "truncated(normal(3,2),10,40)",
    "truncated(normal(30,2),0,22)",
    "truncated(lognormal(2,4),1,100)",
    "truncated(lognormal(2,4),0,0.5)",
    "truncated(lognormal(2,0.5),4,9)",
    "truncated(gamma(0.5,2),0.1,3)",
    "truncated(gamma(20,2),30,50)",
    "truncated(gamma(0.02,2),0,3)",
    "truncated(erlang(4,8),0,6)",
    "truncated(poisson(6),3,8)",
    "truncated(poisson(60),50,65)",
    "truncated(zipf(1,100),5,20)",
    "truncated(empirical(1,2,3,4,90),1.5,4)",
    "truncated(hyperexp(0.9,1,0.1,20),2,30)",
    "truncated(mixture(0.5,exp(2),0.5,exp(20)),1,30)",
    "truncated(truncated(exp(5),1,30),4,9)",
    "mixture(0.5,truncated(pareto(1.5,1),1,500),0.5,exp(2))",
};

#define SETTINGS (sizeof settings / sizeof settings[0])

typedef struct sums {
    double mean, variance, fourth; /* about the mean */
} sums;

static sums draw_sums(const distribution *of, double *draws, uint32_t purpose)
{
    pn_stream stream;
    sums s = {0.0, 0.0, 0.0};
    pn_stream_init(&stream, seed, 0, purpose);
    for (int i = 0; i < DRAWS; i++)
        s.mean += draws[i] = distribution_factor(of, &stream);
    s.mean /= DRAWS;
    for (int i = 0; i < DRAWS; i++) {
        double square = (draws[i] - s.mean) * (draws[i] - s.mean);
        s.variance += square;
        s.fourth += square * square;
    }
    s.variance /= DRAWS - 1;
    s.fourth /= DRAWS;
    return s;
}

static void test_moments(void **state)
{
    double *draws = malloc(DRAWS * sizeof *draws);
    int wrong = 0;
    (void)state;
    assert_non_null(draws);
    for (uint32_t k = 0; k < SETTINGS; k++) {
        int light = settings[k][0] != '!';
        distribution of = read(settings[k] + !light, DISTRIBUTION_FACTORS);
        double mean = distribution_mean(&of), variance = distribution_variance(&of), error, spread;
        sums s = draw_sums(&of, draws, k);
        error = sqrt(variance / DRAWS) + 1e-6 * mean;
        spread = sqrt((s.fourth - s.variance * s.variance) / DRAWS) + 2e-5 * variance;
        if (!(fabs(s.mean - mean) <= Z * error) ||
            (light && !(fabs(s.variance - variance) <= Z * spread + 1e-9 * mean * mean))) {
            print_error("seed %llu: %s: mean %.9g, expected %.9g; variance %.9g, expected %.9g\n",
                        (unsigned long long)seed, settings[k], s.mean, mean, s.variance, variance);
            wrong++;
        }
        distribution_release(&of);
    }
    free(draws);
    assert_int_equal(wrong, 0);
}

/* -1: nothing lies between the limits. */
static void test_odd_moments(void **state)
{
    static const struct {
        const char *text;
        double mean, variance;
    } cases[] = {{"pareto(1,1)", INFINITY, INFINITY},
                 {"pareto(0.5,1)", INFINITY, INFINITY},
                 {"pareto(2,1)", 2.0, INFINITY},
                 {"mixture(0.5,pareto(1,1),0.5,exp(1))", INFINITY, INFINITY},
                 {"mixture(0,pareto(1,1),1,exp(3))", 3.0, 9.0},
                 {"truncated(normal(1,1),2000,3000)", -1.0, -1.0},
                 {"mixture(1,erlang(2,5))", 5.0, 12.5},
                 {"mixture(1,constant(5),0,truncated(constant(5),1,3))", 5.0, 0.0},
                 {"mixture(1,truncated(constant(5),1,3))", -1.0, -1.0},
                 {"weibull(0.001,1)", INFINITY, INFINITY},
                 {"zipf(2,1)", 1.0, 0.0},
                 {"truncated(constant(5),1,3)", -1.0, -1.0},
                 {"truncated(pareto(2,5),1,3)", -1.0, -1.0},
                 {"truncated(lognormal(5,0),1,9)", 5.0, 0.0},
                 {"truncated(lognormal(5,0),6,9)", -1.0, -1.0},
                 {"truncated(lognormal(5,0),1,4)", -1.0, -1.0},
                 {"truncated(normal(5,0),1,9)", 5.0, 0.0},
                 {"truncated(normal(5,0),6,9)", -1.0, -1.0},
                 {"truncated(normal(5,0),1,4)", -1.0, -1.0},
                 {"truncated(poisson(0),0,5)", 0.0, 0.0},
                 {"truncated(poisson(0),1,5)", -1.0, -1.0},
                 {"truncated(uniform(3,3),1,9)", 3.0, 0.0},
                 {"truncated(uniform(0,9),3,6)", 4.5, 0.75},
                 {"truncated(empirical(0.1,0.1,0.1),0,100)", 0.1, 0.0}, /* not below, by rounding */
                 {"truncated(truncated(exp(5),1,4),5,9)", -1.0, -1.0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        distribution of = read(cases[i].text, DISTRIBUTION_FACTORS);
        double mean = distribution_mean(&of), variance = distribution_variance(&of);
        assert_true(mean == cases[i].mean || fabs(mean - cases[i].mean) < 1e-12);
        assert_true(variance == cases[i].variance || fabs(variance - cases[i].variance) < 1e-12);
        assert_true(variance == -1.0 || variance >= 0.0);
        distribution_release(&of);
    }
}

/* What no draw shows, against sums and integrals of 60 digits: limits far beside the peak, and the
 * same values in another form. */
static void test_truncated_moments(void **state)
{
    static const struct {
        const char *text;
        double mean, variance;
    } cases[] = {{"truncated(gamma(2,1),200,200.5)", 200.2293557183306, 0.020578017426610935},
                 {"truncated(gamma(100,1),1,20)", 19.754551804231074, 0.058451325822057185},
                 {"truncated(gamma(100,1),19.99,20)", 19.995032926098343, 8.33267598503894e-06},
                 {"truncated(poisson(3),0.5,10)", 3.154676877612548, 2.641135448267558},
                 {"truncated(poisson(3),1,10)", 3.154676877612548, 2.641135448267558},
                 {"truncated(poisson(10000.5),1,20000)", 10000.5, 10000.5},
                 {"truncated(exp(5),2,3)", 2.483344433873017, 0.083166930847044},
                 {"truncated(truncated(exp(5),1,9),2,3)", 2.483344433873017, 0.083166930847044}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        distribution of = read(cases[i].text, DISTRIBUTION_FACTORS);
        double mean = distribution_mean(&of), variance = distribution_variance(&of);
        assert_true(fabs(mean - cases[i].mean) <= 1e-9 * mean);
        /* a difference of squares */
        assert_true(fabs(variance - cases[i].variance) <= 1e-12 * mean * mean);
        distribution_release(&of);
    }
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* A size is the factor of the same numbers of the stream, rounded up to 1 and more. */
static void test_sizes_are_rounded_factors(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < SETTINGS; k++) {
        const char *text = settings[k] + (settings[k][0] == '!');
        distribution of;
        pn_stream one, other;
        if (strstr(text, "uniform")) /* has integers as sizes */
            continue;
        of = read(text, DISTRIBUTION_FACTORS);
        pn_stream_init(&one, seed, 1, k);
        pn_stream_init(&other, seed, 1, k);
        for (int i = 0; i < 2000; i++) {
            double factor = distribution_factor(&of, &one);
            uint64_t size = distribution_draw(&of, &other);
            assert_true(size == (factor <= 1.0 ? 1 : (uint64_t)ceil(factor)));
        }
        distribution_release(&of);
    }
}

static void test_uniform_sizes(void **state)
{
    distribution of = read("truncated(uniform(1,9),2.5,4.5)", DISTRIBUTION_SIZES),
                 far = read("truncated(uniform(1,9),20,30)", DISTRIBUTION_SIZES),
                 none = read("truncated(uniform(1,9),2.2,2.8)", DISTRIBUTION_SIZES),
                 mixed = read("mixture(0.5,uniform(3,4),0.5,7)", DISTRIBUTION_SIZES);
    int seen[10] = {0};
    pn_stream stream;
    (void)state;
    pn_stream_init(&stream, seed, 2, 0);
    for (int i = 0; i < 3000; i++) {
        seen[distribution_draw(&of, &stream)]++;
        assert_int_equal(distribution_draw(&far, &stream), 20);
        assert_int_equal(distribution_draw(&none, &stream), 3); /* no integer lies there */
    }
    assert_true(seen[3] > 1200 && seen[4] > 1200 && seen[3] + seen[4] == 3000);
    for (int i = 0; i < 3000; i++)
        seen[distribution_draw(&mixed, &stream)]++;
    assert_true(seen[3] > 1800 && seen[7] > 1300 && seen[3] + seen[4] + seen[7] == 6000);
    distribution_release(&of);
    distribution_release(&far);
    distribution_release(&none);
    distribution_release(&mixed);
}

/* Whatever is drawn lies between the limits, and a hopeless case ends. */
static void test_truncated_stays_between(void **state)
{
    static const char *const hopeless[] = {
        "truncated(exp(1),5000,6000)",     "truncated(normal(1,1),2000,3000)",
        "truncated(lognormal(1,1),0,0)",   "truncated(pareto(900,1),1e9,1e10)",
        "truncated(weibull(900,1),5,6)",   "truncated(poisson(1),4000,5000)",
        "truncated(gamma(2,1),1e6,1e7)",   "truncated(constant(3),4,5)",
        "truncated(empirical(1,9),4,5)",   "truncated(normal(5,0),6,7)",
        "truncated(lognormal(5,0),6,7)",   "truncated(uniform(1,2),3,4)",
        "truncated(exp(1),3,3)",           "truncated(exp(0.0000001),9e15,9e15)",
        "truncated(zipf(1,3),0,0.5)",      "truncated(hyperexp(1,1),1e5,1e6)",
        "truncated(truncated(1,2,3),4,5)", "truncated(weibull(0.001,1),0,9e15)"};
    (void)state;
    for (size_t k = 0; k < sizeof hopeless / sizeof hopeless[0]; k++) {
        distribution of = read(hopeless[k], DISTRIBUTION_FACTORS);
        pn_stream stream;
        pn_stream_init(&stream, seed, 3, (uint32_t)k);
        for (int i = 0; i < 100; i++) {
            double x = distribution_factor(&of, &stream);
            assert_true(of.a <= x && x <= of.b);
        }
        assert_true(distribution_mean(&of) >= 0.0 || distribution_mean(&of) == -1.0);
        assert_true(distribution_variance(&of) >= 0.0 || distribution_variance(&of) == -1.0);
        distribution_release(&of);
    }
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* text -> distribution -> text is a fixed point, and draws the same. */
static void check_text(const char *text, size_t size, enum distribution_use use)
{
    char message[DISTRIBUTION_MESSAGE_SIZE], *first, *second;
    distribution of, again;
    size_t length;
    pn_stream one, other;
    if (!distribution_parse(text, size, use, &of, message)) {
        assert_null(of.body);
        assert_true(strlen(message) > 0 && strlen(message) < sizeof message);
        return;
    }
    length = distribution_text(&of, NULL, 0);
    first = malloc(length + 1);
    second = malloc(length + 1);
    assert_true(first && second);
    assert_int_equal(distribution_text(&of, first, length + 1), length);
    if (!distribution_parse(first, length, use, &again, message))
        fail_msg("seed %llu: %.*s: %s: %s", (unsigned long long)seed, (int)size, text, first,
                 message);
    assert_int_equal(distribution_text(&again, second, length + 1), length);
    assert_string_equal(first, second);
    pn_stream_init(&one, seed, 4, 0);
    pn_stream_init(&other, seed, 4, 0);
    for (int i = 0; i < 3; i++)
        assert_true(distribution_draw(&of, &one) == distribution_draw(&again, &other));
    free(first);
    free(second);
    distribution_release(&of);
    distribution_release(&again);
}

/* A text of a random distribution, now and then with a piece that is wrong. */
static size_t random_text(pn_stream *stream, char *into, size_t room, int depth)
{
    static const char *const pieces[] = {"exp(",     "uniform(",   "lognormal(", "normal(",
                                         "pareto(",  "poisson(",   "constant(",  "gamma(",
                                         "erlang(",  "weibull(",   "hyperexp(",  "zipf(",
                                         "mixture(", "truncated(", "truncate(",  "exponential(",
                                         ")",        ",",          "0.5,",       "0.25,",
                                         "1,",       "3",          "7.25",       "1e3",
                                         "-1",       "empirical(", "nan",        " ",
                                         ".",        "e",          "0.1",        "9007199254740993",
                                         "(",        "exp(2)",     "1,exp(2)"};
    size_t size = 0;
    for (int i = 0; i < depth; i++) {
        const char *piece = pieces[pn_uniform(stream, 0, sizeof pieces / sizeof pieces[0] - 1)];
        if (size + strlen(piece) < room)
            size += (size_t)snprintf(into + size, room - size, "%s", piece);
    }
    return size;
}

/* A setting with one character changed, lost or doubled. */
static size_t damaged_text(pn_stream *stream, char *into, size_t room)
{
    static const char letters[] = "(),.0123456789e+- xz#\xc3\n";
    const char *text = settings[pn_uniform(stream, 0, SETTINGS - 1)];
    size_t size = (size_t)snprintf(into, room, "%s", text), at = pn_uniform(stream, 0, size - 1);
    char letter = letters[pn_uniform(stream, 0, sizeof letters - 1)];
    uint64_t how = pn_uniform(stream, 0, 2);
    if (how == 0)
        into[at] = letter; /* also a null */
    if (how == 1)
        memmove(into + at, into + at + 1, size-- - at);
    if (how == 2) {
        memmove(into + at + 1, into + at, size - at);
        into[at] = letter;
        size++;
    }
    return size;
}

static void test_random_texts(void **state)
{
    char text[400];
    pn_stream stream;
    (void)state;
    pn_stream_init(&stream, seed, 5, 0);
    for (uint32_t k = 0; k < SETTINGS; k++) {
        const char *setting = settings[k] + (settings[k][0] == '!');
        check_text(setting, strlen(setting), DISTRIBUTION_FACTORS);
    }
    for (int i = 0; i < 60000; i++) {
        size_t size = i % 2 ? random_text(&stream, text, sizeof text, 1 + i % 17)
                            : damaged_text(&stream, text, sizeof text - 1);
        check_text(text, size, i % 4 < 2 ? DISTRIBUTION_SIZES : DISTRIBUTION_FACTORS);
    }
}

static void test_hostile_texts(void **state)
{
    enum { LONG = 3000000 };
    char *text = malloc(LONG), message[DISTRIBUTION_MESSAGE_SIZE];
    distribution of;
    (void)state;
    assert_non_null(text);
    memset(text, '(', LONG);
    assert_false(distribution_parse(text, LONG, DISTRIBUTION_SIZES, &of, message));
    memcpy(text, "empirical(", 10);
    for (size_t i = 10; i < LONG; i += 2)
        memcpy(text + i, "7,", 2);
    text[LONG - 1] = ')';
    assert_false(distribution_parse(text, LONG, DISTRIBUTION_SIZES, &of, message));
    assert_non_null(strstr(message, "more than 1048576 numbers"));
    for (size_t i = 0; i + 10 < LONG; i += 10)
        memcpy(text + i, "mixture(1,", 10);
    assert_false(distribution_parse(text, LONG, DISTRIBUTION_SIZES, &of, message));
    memset(text, '1', LONG);
    assert_false(distribution_parse(text, LONG, DISTRIBUTION_SIZES, &of, message));
    assert_false(distribution_parse("", 0, DISTRIBUTION_SIZES, &of, message));
    memset(text, ',', LONG);
    memcpy(text, "mixture(", 8);
    text[LONG - 1] = ')'; /* pieces are counted up to twice as many as numbers may be */
    assert_false(distribution_parse(text, LONG, DISTRIBUTION_SIZES, &of, message));
    assert_string_equal(message, "mixture: must have the form "
                                 "mixture(p1,distribution1,p2,distribution2,...)");
    free(text);
}

static void test_messages(void **state)
{
    static const char *const cases[][2] = {
        {"weibul(1,2)", "unknown distribution 'weibul' (did you mean 'weibull'?)"},
        {"qqq(1)", "unknown distribution 'qqq' (known: constant, empirical, erlang, exp, gamma, "
                   "hyperexp, lognormal, mixture, normal, pareto, poisson, truncated, uniform, "
                   "weibull, zipf)"},
        {"gamma(2)", "takes 2 arguments: gamma(shape,scale)"},
        {"gamma(0,1)", "gamma: shape must be a number >= 0.01 and <= 1000000, got 0"},
        {"erlang(1.5,1)", "erlang: k must be an integer in 1..1000000, got 1.5"},
        {"uniform(1,1e17)", "uniform: high must be an integer <= 9007199254740992 (2^53), got "
                            "1e17"},
        {"hyperexp(0.5,1)", "hyperexp: the probabilities must add up to 1, got 0.5"},
        {"hyperexp(0.5,1,0.5)", "hyperexp: must have the form hyperexp(p1,mean1,p2,mean2,...)"},
        {"hyperexp(2,1)", "hyperexp: probability must be a number >= 0 and <= 1, got 2"},
        {"mixture(1,exp(0))", "mixture: distribution 1: exp: mean must be a number > 0 and <= "
                              "9007199254740992, got 0"},
        {"exp_(5)", "must be a distribution such as exp(5) or uniform(1,9), got 'exp_(5)'"},
        {"EXP(5)", "unknown distribution 'EXP' (did you mean 'exp'?)"},
        {"exp{5}", "must be a distribution such as exp(5) or uniform(1,9), got 'exp{5}'"},
        {"lognormal(0.1e-150,10)", "lognormal: sd must be at most 1e+150 times the mean"},
        {"exp[5]", "must be a distribution such as exp(5) or uniform(1,9), got 'exp[5]'"},
        {"exponentialexponentialexponentialexponentialexp(1)",
         "unknown distribution 'exponentialexponentialexponentialexpo...' (known: constant, "
         "empirical, erlang, exp, gamma, hyperexp, lognormal, mixture, normal, pareto, poisson, "
         "truncated, uniform, weibull, zipf)"},
        {"truncated(exp(1),3,2)", "truncated: low must not be above high"},
        {"truncated(exp(1),3)", "truncated: must have the form truncated(distribution,low,high)"},
        {"empirical(1,x)", "empirical: value must be a number > 0 and <= 9007199254740992, got "
                           "'x'"},
        {"mixture(1,mixture(1,mixture(1,mixture(1,2))))",
         "mixture: distribution 1: mixture: distribution 1: mixture: distribution 1: mixture: must "
         "be at most 4 distributions deep"}};
    char many[8 + 257 * 4 + 2] = "hyperexp";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(refused(cases[i][0], DISTRIBUTION_SIZES), cases[i][1]);
    for (size_t i = 0; i < 257; i++)
        memcpy(many + 8 + 4 * i, i == 0 ? "(0,1" : ",0,1", 4);
    many[8 + 257 * 4] = ')';
    assert_string_equal(refused(many, DISTRIBUTION_SIZES),
                        "hyperexp: must have at most 256 parts, got 257");
}

/* Writes what there is room for, with a null behind it. */
static void test_short_room(void **state)
{
    distribution of = read("truncated(zipf(1.5,9),1,2.25)", DISTRIBUTION_FACTORS);
    char text[] = "..............";
    (void)state;
    assert_int_equal(distribution_text(&of, text, 10), 29);
    assert_string_equal(text, "truncated");
    assert_string_equal(text + 10, "....");
    distribution_release(&of);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* The list lives as long as the last of its copies; sanitizers see the rest. */
static void test_copies(void **state)
{
    distribution of = read("mixture(0.5,empirical(4),0.5,zipf(1,3))", DISTRIBUTION_SIZES);
    distribution copy = distribution_keep(&of);
    prepared_factor prepared;
    pn_stream stream;
    double draws[100];
    (void)state;
    prepared_factor_init(&prepared, &copy);
    distribution_release(&of);
    distribution_release(&of); /* which holds nothing any more */
    distribution_release(&copy);
    pn_stream_init(&stream, seed, 6, 0);
    prepared_factor_fill(&prepared, &stream, draws, 100);
    for (int i = 0; i < 100; i++)
        assert_true(draws[i] >= 1.0 && draws[i] <= 4.0);
    prepared_factor_release(&prepared);
}

/* An argument is the seed to repeat. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_moments),
                                       cmocka_unit_test(test_odd_moments),
                                       cmocka_unit_test(test_truncated_moments),
                                       cmocka_unit_test(test_sizes_are_rounded_factors),
                                       cmocka_unit_test(test_uniform_sizes),
                                       cmocka_unit_test(test_truncated_stays_between),
                                       cmocka_unit_test(test_random_texts),
                                       cmocka_unit_test(test_hostile_texts),
                                       cmocka_unit_test(test_messages),
                                       cmocka_unit_test(test_short_room),
                                       cmocka_unit_test(test_copies)};
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
