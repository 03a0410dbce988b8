/* Processes of arrivals as people write them: poisson(2), mmpp(1,50,9,5),
 * batches(0.2,zipf(1,9)). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals.h"
#include "distribution_pieces.h"

#define MOST ((double)PN_INTEGER_MAX)

typedef struct argument {
    const char *name;
    double most;
    int open; /* above 0; else 0 too */
} argument;

static const argument a_rate = {"rate", MOST, 1}, a_gap = {"gap", MOST, 1},
                      an_amplitude = {"amplitude", 1.0, 0}, a_period = {"period", MOST, 1},
                      a_state_rate = {"rate", MOST, 0}, a_mean = {"mean", MOST, 1},
                      a_time = {"time", MOST, 0};

typedef struct rule {
    const char *name, *form;
    const argument *arguments[3]; /* of kinds that take numbers alone */
} rule;

static const rule rules[ARRIVALS_KINDS] = {
    [ARRIVALS_POISSON] = {"poisson", "poisson(rate)", {&a_rate}},
    [ARRIVALS_REGULAR] = {"regular", "regular(gap)", {&a_gap}},
    [ARRIVALS_RENEWAL] = {"renewal", "renewal(distribution)", {NULL}},
    [ARRIVALS_MMPP] = {"mmpp", "mmpp(rate1,mean1,rate2,mean2,...)", {NULL}},
    [ARRIVALS_DIURNAL] = {"diurnal",
                          "diurnal(rate,amplitude,period)",
                          {&a_rate, &an_amplitude, &a_period}},
    [ARRIVALS_RATES] = {"rates", "rates(time1:rate1;time2:rate2;...[,period])", {NULL}},
    [ARRIVALS_BATCHES] = {"batches", "batches(rate,distribution)", {NULL}}};

/* 0, so that callers can return it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static int
fail(char *message, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(message, DISTRIBUTION_MESSAGE_SIZE, format, values);
    va_end(values);
    return 0;
}

static int wrong_form(char *message, const arrival_process *p)
{
    return fail(message, "%s: must have the form %s", rules[p->kind].name, rules[p->kind].form);
}

static int read_argument(char *message, const arrival_process *p, piece text,
                         const argument *expected, double *value)
{
    char got[PIECE_SHOWN_SIZE];
    if (distribution_read_number(text.at, text.size, value) && *value <= expected->most &&
        (*value > 0.0 || (!expected->open && *value == 0.0)))
        return 1;
    return fail(message, "%s: %s must be a number %s 0 and <= %.0f, got %s", rules[p->kind].name,
                expected->name, expected->open ? ">" : ">=", expected->most,
                piece_shown(text, got));
}

static int parse_numbers(char *message, piece inside, arrival_process *into)
{
    const rule *entry = &rules[into->kind];
    double *const values[3] = {&into->a, &into->b, &into->c};
    uint32_t count = 0;
    while (count < 3 && entry->arguments[count])
        count++;
    if (piece_count(inside) != count)
        return wrong_form(message, into);
    for (uint32_t i = 0; i < count; i++)
        if (!read_argument(message, into, piece_next(&inside), entry->arguments[i], values[i]))
            return 0;
    return 1;
}

static int parse_draw(char *message, piece text, enum distribution_use use, arrival_process *into)
{
    char inner[DISTRIBUTION_MESSAGE_SIZE];
    if (distribution_parse(text.at, text.size, use, &into->draw, inner))
        return 1;
    return fail(message, "%s: %.*s", rules[into->kind].name, DISTRIBUTION_MESSAGE_SIZE - 32, inner);
}

/* Parses a renewal process. Gaps that are all 0 would not let time go on. */
static int parse_renewal(char *message, piece inside, arrival_process *into)
{
    if (piece_count(inside) != 1)
        return wrong_form(message, into);
    if (!parse_draw(message, inside, DISTRIBUTION_FACTORS, into))
        return 0;
    return distribution_mean(&into->draw) != 0.0 ? 1 : fail(message, "renewal: the mean gap is 0");
}

static int parse_batches(char *message, piece inside, arrival_process *into)
{
    piece rate = piece_next(&inside);
    if (piece_count(inside) != 1)
        return wrong_form(message, into);
    return read_argument(message, into, rate, &a_rate, &into->a) &&
           parse_draw(message, inside, DISTRIBUTION_SIZES, into);
}

static int make_room(char *message, arrival_process *into, uint32_t count)
{
    into->count = count;
    into->first = calloc((size_t)count + 1, sizeof *into->first);
    into->second = calloc((size_t)count + 1, sizeof *into->second);
    into->before = calloc((size_t)count + 1, sizeof *into->before);
    if (into->first && into->second && into->before)
        return 1;
    return fail(message, "not enough memory for the arrivals");
}

/* States that follow each other a million times without an arrival would take too long, and so many
 * periods are not told from one another. */
#define RARE 1e-6

static int parse_mmpp(char *message, piece inside, arrival_process *into)
{
    uint32_t pieces = piece_count(inside), states = pieces / 2;
    double arrivals = 0.0;
    if (pieces % 2 > 0)
        return wrong_form(message, into);
    if (states > ARRIVALS_STATES_MAX)
        return fail(message, "mmpp: must have at most %d states, got %u", ARRIVALS_STATES_MAX,
                    states);
    if (!make_room(message, into, states))
        return 0;
    for (uint32_t i = 0; i < states; i++) {
        if (!read_argument(message, into, piece_next(&inside), &a_state_rate, &into->first[i]) ||
            !read_argument(message, into, piece_next(&inside), &a_mean, &into->second[i]))
            return 0;
        arrivals += into->first[i] * into->second[i];
    }
    return arrivals >= RARE
               ? 1
               : fail(message, "mmpp: must have an arrival in a million rounds of the states");
}

/* ---- rates ----------------------------------------------------------------------------------- */

/* Cuts "time:rate" off the front of what is left between semicolons. */
static piece next_pair(piece *rest)
{
    const char *end = memchr(rest->at, ';', rest->size);
    piece pair = {rest->at, end ? (size_t)(end - rest->at) : rest->size};
    *rest = end ? (piece){end + 1, rest->size - pair.size - 1} : (piece){NULL, 0};
    return piece_trimmed(pair);
}

static uint32_t count_pairs(piece rest)
{
    uint32_t count = 0;
    while (rest.at && count <= ARRIVALS_RATES_MAX) {
        next_pair(&rest);
        count++;
    }
    return count;
}

static int read_pair(char *message, piece pair, arrival_process *into, uint32_t i)
{
    const char *colon = pair.size > 0 ? memchr(pair.at, ':', pair.size) : NULL;
    char got[PIECE_SHOWN_SIZE];
    piece time, rate;
    if (!colon)
        return fail(message, "rates: must be a list such as 0:1;8:5;20:2, got %s",
                    piece_shown(pair, got));
    time = piece_trimmed((piece){pair.at, (size_t)(colon - pair.at)});
    rate = piece_trimmed((piece){colon + 1, pair.size - (size_t)(colon - pair.at) - 1});
    if (!read_argument(message, into, time, &a_time, &into->first[i]) ||
        !read_argument(message, into, rate, &a_state_rate, &into->second[i]))
        return 0;
    if (i == 0 && into->first[i] > 0.0)
        return fail(message, "rates: the first time must be 0, got %s", piece_shown(time, got));
    if (i > 0 && !(into->first[i] > into->first[i - 1]))
        return fail(message, "rates: times must increase, got %s", piece_shown(time, got));
    if (i > 0)
        into->before[i] = into->before[i - 1] +
                          into->second[i - 1] * (into->first[i] - into->first[i - 1]);
    return 1;
}

static int check_period(char *message, const arrival_process *p, int has_period)
{
    uint32_t last = p->count - 1;
    if (!has_period)
        return p->second[last] > 0.0
                   ? 1
                   : fail(message,
                          "rates: the last rate stays, and must be > 0 (or a period follows)");
    if (!(p->c > p->first[last]))
        return fail(message, "rates: the period must be above the last time");
    return p->before[last] + p->second[last] * (p->c - p->first[last]) >= RARE
               ? 1
               : fail(message, "rates: must have an arrival in a million periods");
}

static int parse_rates(char *message, piece inside, arrival_process *into)
{
    piece list = piece_next(&inside);
    int has_period = inside.at != NULL;
    uint32_t count = list.size > 0 ? count_pairs(list) : 0;
    if (count == 0 || (has_period && piece_count(inside) != 1))
        return wrong_form(message, into);
    if (count > ARRIVALS_RATES_MAX)
        return fail(message, "rates: must have at most %d rates", ARRIVALS_RATES_MAX);
    if (!make_room(message, into, count))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (!read_pair(message, next_pair(&list), into, i))
            return 0;
    if (has_period && !read_argument(message, into, piece_next(&inside), &a_period, &into->c))
        return 0;
    return check_period(message, into, has_period);
}

/* ---- one process ----------------------------------------------------------------------------- */

static int parse_diurnal(char *message, piece inside, arrival_process *into)
{
    if (!parse_numbers(message, inside, into))
        return 0;
    return into->a * into->c >= RARE
               ? 1
               : fail(message, "diurnal: must have an arrival in a million periods");
}

static int parse_inside(char *message, piece inside, arrival_process *into)
{
    switch (into->kind) {
    case ARRIVALS_RENEWAL:
        return parse_renewal(message, inside, into);
    case ARRIVALS_BATCHES:
        return parse_batches(message, inside, into);
    case ARRIVALS_MMPP:
        return parse_mmpp(message, inside, into);
    case ARRIVALS_RATES:
        return parse_rates(message, inside, into);
    case ARRIVALS_DIURNAL:
        return parse_diurnal(message, inside, into);
    default:
        return parse_numbers(message, inside, into);
    }
}

static int find_kind(char *message, piece name, enum arrival_kind *kind)
{
    static const char *const names[] = {"batches", "diurnal", "mmpp",    "poisson",
                                        "rates",   "regular", "renewal", NULL};
    char got[PIECE_SHOWN_SIZE];
    const char *near;
    for (int i = 0; i < ARRIVALS_KINDS; i++) {
        *kind = (enum arrival_kind)i;
        if (piece_is(name, rules[i].name))
            return 1;
    }
    near = piece_nearest(name, names);
    if (near)
        return fail(message, "unknown process %s (did you mean '%s'?)", piece_shown(name, got),
                    near);
    return fail(message,
                "unknown process %s (known: batches, diurnal, mmpp, poisson, rates, regular, "
                "renewal)",
                piece_shown(name, got));
}

int arrival_process_parse(const char *text, size_t size, arrival_process *into,
                          char message[DISTRIBUTION_MESSAGE_SIZE])
{
    piece whole = piece_trimmed((piece){text, size}), name, inside;
    char got[PIECE_SHOWN_SIZE];
    *into = (arrival_process){.draw = {.kind = DISTRIBUTION_CONSTANT}};
    if (!piece_call(whole, &name, &inside))
        return fail(message, "must be a process such as poisson(2) or mmpp(1,50,9,5), got %s",
                    piece_shown(whole, got));
    if (!find_kind(message, name, &into->kind))
        return 0;
    if (parse_inside(message, inside, into))
        return 1;
    arrival_process_release(into);
    return 0;
}
