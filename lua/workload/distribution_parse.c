/* Distributions as people write them: exp(5), uniform(1,9), mixture(0.9,exp(2),0.1,exp(50)). A bare
 * number is a constant. Distributions in distributions are read by as many calls as they are
 * deep. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "distribution.h"
#include "distribution_pieces.h"

/* ---- kinds ----------------------------------------------------------------------------------- */

#define MOST ((double)PN_INTEGER_MAX)

/* A number in parentheses: its range, whether the lower end is excluded, whether it is whole. */
typedef struct argument {
    const char *name;
    double low, high;
    uint8_t open, whole;
} argument;

/* The numbers that a kind takes; none: a list of its own form. */
typedef struct rule {
    const char *name, *form;
    int count;
    argument arguments[2];
} rule;

static const rule rules[DISTRIBUTION_KINDS] = {
    [DISTRIBUTION_EXP] = {"exp", "exp(mean)", 1, {{"mean", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_UNIFORM] = {"uniform",
                              "uniform(low,high)",
                              2,
                              {{"low", 1.0, MOST, 0, 1}, {"high", 1.0, MOST, 0, 1}}},
    [DISTRIBUTION_LOGNORMAL] = {"lognormal",
                                "lognormal(mean,sd)",
                                2,
                                {{"mean", 0.0, MOST, 1, 0}, {"sd", 0.0, MOST, 0, 0}}},
    [DISTRIBUTION_NORMAL] = {"normal",
                             "normal(mean,sd)",
                             2,
                             {{"mean", 0.0, MOST, 0, 0}, {"sd", 0.0, MOST, 0, 0}}},
    [DISTRIBUTION_PARETO] = {"pareto",
                             "pareto(shape,scale)",
                             2,
                             {{"shape", 0.0, 1000.0, 1, 0}, {"scale", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_POISSON] = {"poisson", "poisson(mean)", 1, {{"mean", 0.0, 1e6, 0, 0}}},
    [DISTRIBUTION_CONSTANT] = {"constant", "constant(value)", 1, {{"value", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_WEIBULL] = {"weibull",
                              "weibull(shape,scale)",
                              2,
                              {{"shape", 0.0, 1000.0, 1, 0}, {"scale", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_GAMMA] = {"gamma",
                            "gamma(shape,scale)",
                            2,
                            {{"shape", 0.01, 1e6, 0, 0}, {"scale", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_ERLANG] = {"erlang",
                             "erlang(k,mean)",
                             2,
                             {{"k", 1.0, 1e6, 0, 1}, {"mean", 0.0, MOST, 1, 0}}},
    [DISTRIBUTION_ZIPF] = {"zipf",
                           "zipf(s,n)",
                           2,
                           {{"s", 0.0, 100.0, 0, 0}, {"n", 1.0, 1e6, 0, 1}}},
    [DISTRIBUTION_HYPEREXP] = {"hyperexp", "hyperexp(p1,mean1,p2,mean2,...)", 0, {{0}}},
    [DISTRIBUTION_EMPIRICAL] = {"empirical", "empirical(value1,value2,...)", 0, {{0}}},
    [DISTRIBUTION_MIXTURE] = {"mixture",
                              "mixture(p1,distribution1,p2,distribution2,...)",
                              0,
                              {{0}}},
    [DISTRIBUTION_TRUNCATED] = {"truncated", "truncated(distribution,low,high)", 0, {{0}}}};

/* A distribution of factors differs in what its bounds and values may be. */
static const argument real_bounds[2] = {{"low", 0.0, MOST, 0, 0}, {"high", 0.0, MOST, 0, 0}};
static const argument real_value = {"value", 0.0, MOST, 0, 0};
static const argument list_probability = {"probability", 0.0, 1.0, 0, 0};
static const argument list_mean = {"mean", 0.0, MOST, 1, 0};

/* Other names of kinds. */
static const struct {
    const char *name;
    enum distribution_kind kind;
} aliases[] = {{"exponential", DISTRIBUTION_EXP},
               {"hyperexponential", DISTRIBUTION_HYPEREXP},
               {"truncate", DISTRIBUTION_TRUNCATED}};

#define ALIASES (sizeof aliases / sizeof aliases[0])

const char *distribution_name(enum distribution_kind kind)
{
    return rules[kind].name;
}

int distribution_numbers(enum distribution_kind kind)
{
    return rules[kind].count;
}

/* ---- messages -------------------------------------------------------------------------------- */

typedef struct parser {
    enum distribution_use use;
    uint32_t values; /* numbers of all parts so far */
    int depth;
    char *message;
} parser;

/* 0, so that callers can return it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static int
fail(parser *self, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(self->message, DISTRIBUTION_MESSAGE_SIZE, format, values);
    va_end(values);
    return 0;
}

/* Puts a kind and which of its parts in front of what is wrong with the part. */
static int fail_part(parser *self, enum distribution_kind kind, uint32_t part)
{
    char inner[DISTRIBUTION_MESSAGE_SIZE];
    memcpy(inner, self->message, sizeof inner);
    return fail(self, "%s: distribution %u: %.*s", rules[kind].name, part + 1,
                DISTRIBUTION_MESSAGE_SIZE - 64, inner);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Limits are whole numbers but for one. */
static void write_range(char *into, size_t size, const argument *arg)
{
    if (arg->whole && arg->high >= MOST)
        snprintf(into, size, "an integer >= %.0f", arg->low);
    else if (arg->whole)
        snprintf(into, size, "an integer in %.0f..%.0f", arg->low, arg->high);
    else
        snprintf(into, size, "a number %s %.*f and <= %.0f",
                 arg->open ? ">" : ">=", arg->low == (double)(int)arg->low ? 0 : 2, arg->low,
                 arg->high);
}

static int read_argument(parser *self, enum distribution_kind kind, piece text, const argument *arg,
                         double *value)
{
    char range[80], got[PIECE_SHOWN_SIZE];
    int is_read = distribution_read_number(text.at, text.size, value);
    double x = *value;
    if (is_read && x <= arg->high && (x > arg->low || (!arg->open && x == arg->low)) &&
        (!arg->whole || (double)(uint64_t)x == x))
        return 1;
    write_range(range, sizeof range, arg);
    if (is_read && arg->whole && arg->high >= MOST && x > MOST)
        snprintf(range, sizeof range, "an integer <= %.0f (2^53)", MOST);
    return fail(self, "%s: %s must be %s, got %s", rules[kind].name, arg->name, range,
                piece_shown(text, got));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Begins a body with room for so many numbers, cumulative probabilities and parts. */
static int begin_body(parser *self, distribution *into, uint32_t numbers, uint32_t count,
                      uint32_t parts)
{
    distribution_body *body = calloc(1, sizeof *body);
    into->body = body;
    self->values += numbers > count ? numbers : count;
    if (self->values > DISTRIBUTION_VALUES_MAX) {
        free(body);
        into->body = NULL;
        return fail(self, "%s: holds more than %d numbers", rules[into->kind].name,
                    DISTRIBUTION_VALUES_MAX);
    }
    if (body) {
        body->copies = 1;
        body->count = count;
        body->numbers = calloc((size_t)numbers + 1, sizeof *body->numbers);
        body->cumulative = calloc((size_t)count + 1, sizeof *body->cumulative);
        body->part = calloc((size_t)parts + 1, sizeof *body->part);
    }
    if (body && body->numbers && body->cumulative && body->part)
        return 1;
    return fail(self, "not enough memory for the distribution");
}

/* Accumulates from weights to what pick() looks up; the sum must be 1 but for rounding, unless it
 * may be anything. */
static int accumulate(parser *self, const distribution *d, int any_sum)
{
    distribution_body *body = d->body;
    double sum = 0.0;
    for (uint32_t i = 0; i < body->count; i++)
        body->cumulative[i] = sum += body->cumulative[i];
    if (!any_sum && !(sum > 1.0 - 1e-6 && sum < 1.0 + 1e-6))
        return fail(self, "%s: the probabilities must add up to 1, got %.9g", rules[d->kind].name,
                    sum);
    for (uint32_t i = 0; i < body->count; i++)
        body->cumulative[i] /= sum;
    body->cumulative[body->count - 1] = 1.0;
    return 1;
}

/* ---- kinds of their own form ----------------------------------------------------------------- */

static int parse(parser *self, piece text, distribution *into);

static int wrong_form(parser *self, enum distribution_kind kind)
{
    return fail(self, "%s: must have the form %s", rules[kind].name, rules[kind].form);
}

/* Counts, of so many pieces, which are pairs, the pairs. */
static int count_pairs(parser *self, enum distribution_kind kind, piece inside, uint32_t *pairs)
{
    uint32_t pieces = piece_count(inside);
    *pairs = pieces / 2;
    if (pieces % 2 > 0)
        return wrong_form(self, kind);
    if (*pairs > DISTRIBUTION_PARTS_MAX)
        return fail(self, "%s: must have at most %d parts, got %u", rules[kind].name,
                    DISTRIBUTION_PARTS_MAX, *pairs);
    return 1;
}

static int parse_hyperexp(parser *self, piece inside, distribution *into)
{
    uint32_t pairs;
    if (!count_pairs(self, into->kind, inside, &pairs) ||
        !begin_body(self, into, 2 * pairs, pairs, 0))
        return 0;
    for (uint32_t i = 0; i < 2 * pairs; i++)
        if (!read_argument(self, into->kind, piece_next(&inside),
                           i % 2 == 0 ? &list_probability : &list_mean, &into->body->numbers[i]))
            return 0;
    for (uint32_t i = 0; i < pairs; i++)
        into->body->cumulative[i] = into->body->numbers[2 * i];
    return accumulate(self, into, 0);
}

/* Parses a distribution in another one. */
static int parse_part(parser *self, piece text, distribution *into, uint32_t part)
{
    distribution_body *body = into->body;
    if (self->depth == DISTRIBUTION_DEPTH_MAX)
        return fail(self, "%s: must be at most %d distributions deep", rules[into->kind].name,
                    DISTRIBUTION_DEPTH_MAX);
    if (text.size == 0)
        return wrong_form(self, into->kind);
    self->depth++;
    if (!parse(self, text, &body->part[part]))
        return fail_part(self, into->kind, part);
    body->parts = part + 1;
    self->depth--;
    return 1;
}

static int parse_mixture(parser *self, piece inside, distribution *into)
{
    uint32_t pairs;
    if (!count_pairs(self, into->kind, inside, &pairs) ||
        !begin_body(self, into, pairs, pairs, pairs))
        return 0;
    for (uint32_t i = 0; i < pairs; i++) {
        double *number = &into->body->numbers[i];
        if (!read_argument(self, into->kind, piece_next(&inside), &list_probability, number) ||
            !parse_part(self, piece_next(&inside), into, i))
            return 0;
        into->body->cumulative[i] = *number;
    }
    return accumulate(self, into, 0);
}

static int parse_truncated(parser *self, piece inside, distribution *into)
{
    piece part = piece_next(&inside);
    if (piece_count(inside) != 2)
        return wrong_form(self, into->kind);
    if (!begin_body(self, into, 0, 0, 1) || !parse_part(self, part, into, 0) ||
        !read_argument(self, into->kind, piece_next(&inside), &real_bounds[0], &into->a) ||
        !read_argument(self, into->kind, piece_next(&inside), &real_bounds[1], &into->b))
        return 0;
    if (into->a > into->b)
        return fail(self, "truncated: low must not be above high");
    return 1;
}

static int parse_empirical(parser *self, piece inside, distribution *into)
{
    const argument *arg = self->use == DISTRIBUTION_FACTORS
                              ? &real_value
                              : &rules[DISTRIBUTION_CONSTANT].arguments[0];
    uint32_t count = piece_count(inside);
    if (!begin_body(self, into, count, 0, 0))
        return 0;
    into->body->count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!read_argument(self, into->kind, piece_next(&inside), arg, &into->body->numbers[i]))
            return 0;
    return 1;
}

static int make_zipf(parser *self, distribution *into)
{
    uint32_t count = (uint32_t)into->b;
    if (!begin_body(self, into, 0, count, 0))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        into->body->cumulative[i] = pn_pow(1.0 + (double)i, -into->a);
    return accumulate(self, into, 1);
}

/* ---- one distribution ------------------------------------------------------------------------ */

static const argument *argument_of(const parser *self, enum distribution_kind kind, int index)
{
    if (self->use == DISTRIBUTION_FACTORS && kind == DISTRIBUTION_UNIFORM)
        return &real_bounds[index];
    if (self->use == DISTRIBUTION_FACTORS && kind == DISTRIBUTION_CONSTANT)
        return &real_value;
    return &rules[kind].arguments[index];
}

static int parse_numbers(parser *self, piece inside, distribution *into)
{
    const rule *entry = &rules[into->kind];
    if ((int)piece_count(inside) != entry->count)
        return fail(self, "takes %d argument%s: %s", entry->count, entry->count == 1 ? "" : "s",
                    entry->form);
    for (int i = 0; i < entry->count; i++)
        if (!read_argument(self, into->kind, piece_next(&inside), argument_of(self, into->kind, i),
                           i == 0 ? &into->a : &into->b))
            return 0;
    if (into->kind == DISTRIBUTION_UNIFORM && into->a > into->b)
        return fail(self, "uniform: low must not be above high");
    if (into->kind == DISTRIBUTION_LOGNORMAL && into->b / into->a > PN_LOGNORMAL_RATIO_MOST)
        return fail(self, "lognormal: sd must be at most %g times the mean",
                    PN_LOGNORMAL_RATIO_MOST);
    return into->kind == DISTRIBUTION_ZIPF ? make_zipf(self, into) : 1;
}

static int parse_inside(parser *self, piece inside, distribution *into)
{
    switch (into->kind) {
    case DISTRIBUTION_HYPEREXP:
        return parse_hyperexp(self, inside, into);
    case DISTRIBUTION_EMPIRICAL:
        return parse_empirical(self, inside, into);
    case DISTRIBUTION_MIXTURE:
        return parse_mixture(self, inside, into);
    case DISTRIBUTION_TRUNCATED:
        return parse_truncated(self, inside, into);
    default:
        return parse_numbers(self, inside, into);
    }
}

/* Says that the kind is unknown, and the names in the order of the alphabet; with the nearest one
 * where there is one. */
static int unknown_kind(parser *self, piece name)
{
    static const char *const names[] = {"constant", "empirical", "erlang",    "exp",
                                        "gamma",    "hyperexp",  "lognormal", "mixture",
                                        "normal",   "pareto",    "poisson",   "truncated",
                                        "uniform",  "weibull",   "zipf",      NULL};
    char list[200], got[PIECE_SHOWN_SIZE];
    const char *near = piece_nearest(name, names);
    size_t size = 0;
    if (near)
        return fail(self, "unknown distribution %s (did you mean '%s'?)", piece_shown(name, got),
                    near);
    for (int i = 0; names[i]; i++)
        size += (size_t)snprintf(list + size, sizeof list - size, "%s%s", i > 0 ? ", " : "",
                                 names[i]);
    return fail(self, "unknown distribution %s (known: %s)", piece_shown(name, got), list);
}

static int find_kind(parser *self, piece name, enum distribution_kind *kind)
{
    for (int i = 0; i < DISTRIBUTION_KINDS; i++) {
        *kind = (enum distribution_kind)i;
        if (piece_is(name, rules[i].name))
            return 1;
    }
    for (size_t i = 0; i < ALIASES; i++) {
        *kind = aliases[i].kind;
        if (piece_is(name, aliases[i].name))
            return 1;
    }
    return unknown_kind(self, name);
}

/* Parses; what was made so far is released when the rest is wrong. */
static int parse(parser *self, piece text, distribution *into)
{
    piece whole = piece_trimmed(text), name, inside;
    char got[PIECE_SHOWN_SIZE];
    *into = (distribution){DISTRIBUTION_CONSTANT, 0.0, 0.0, NULL};
    if (piece_is_number(whole))
        return parse_numbers(self, whole, into);
    if (!piece_call(whole, &name, &inside))
        return fail(self, "must be a distribution such as exp(5) or uniform(1,9), got %s",
                    piece_shown(whole, got));
    if (!find_kind(self, name, &into->kind))
        return 0;
    if (parse_inside(self, inside, into))
        return 1;
    distribution_release(into);
    return 0;
}

int distribution_parse(const char *text, size_t size, enum distribution_use use, distribution *into,
                       char message[DISTRIBUTION_MESSAGE_SIZE])
{
    parser self = {.use = use, .depth = 1, .message = message};
    return parse(&self, (piece){text, size}, into);
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct writer {
    char *into;
    size_t room, size;
} writer;

static void write_text(writer *self, const char *text)
{
    for (; *text; text++, self->size++)
        if (self->size + 1 < self->room)
            self->into[self->size] = *text;
}

static int reads_back(double value, int digits)
{
    char text[40];
    double back = 0.0;
    snprintf(text, sizeof text, "%.*g", digits, value);
    distribution_read_number(text, strlen(text), &back);
    return back == value;
}

/* Writes a number of 0..MOST, with the fewest digits that read back as the same one and a point in
 * every locale. */
static void write_number(writer *self, double value)
{
    char text[40];
    int digits = 15;
    if ((double)(uint64_t)value == value) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
        write_text(self, text);
        return;
    }
    plain locale = plain_begin();
    while (digits < 17 && !reads_back(value, digits))
        digits++;
    snprintf(text, sizeof text, "%.*g", digits, value);
    plain_end(&locale);
    write_text(self, text);
}

static void write_distribution(writer *self, const distribution *d);

static void write_list(writer *self, const distribution *d)
{
    const distribution_body *body = d->body;
    uint32_t numbers = d->kind == DISTRIBUTION_HYPEREXP ? 2 * body->count : body->count;
    if (d->kind == DISTRIBUTION_TRUNCATED) {
        write_distribution(self, &body->part[0]);
        write_text(self, ",");
        write_number(self, d->a);
        write_text(self, ",");
        write_number(self, d->b);
        return;
    }
    for (uint32_t i = 0; i < numbers; i++) {
        write_text(self, i > 0 ? "," : "");
        write_number(self, body->numbers[i]);
        if (d->kind == DISTRIBUTION_MIXTURE) {
            write_text(self, ",");
            write_distribution(self, &body->part[i]);
        }
    }
}

static void write_distribution(writer *self, const distribution *d)
{
    write_text(self, rules[d->kind].name);
    write_text(self, "(");
    if (rules[d->kind].count == 0)
        write_list(self, d);
    if (rules[d->kind].count > 0)
        write_number(self, d->a);
    if (rules[d->kind].count > 1) {
        write_text(self, ",");
        write_number(self, d->b);
    }
    write_text(self, ")");
}

size_t distribution_text(const distribution *d, char *into, size_t room)
{
    writer self = {into, room, 0};
    write_distribution(&self, d);
    if (room > 0)
        into[self.size < room ? self.size : room - 1] = '\0';
    return self.size;
}
