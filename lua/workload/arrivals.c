/* Times of arrivals. Rates that change are passed through by what they add up to, so that a stretch
 * without arrivals costs no more than another. */
#include "arrivals.h"

#include <stdlib.h>

void arrival_process_release(arrival_process *self)
{
    distribution_release(&self->draw);
    free(self->first);
    free(self->second);
    free(self->before);
    self->first = self->second = self->before = NULL;
}

/* ---- states that modulate -------------------------------------------------------------------- */

static void start_states(arrival_process *self, pn_stream *stream)
{
    double all = 0.0, uniform = pn_uniform01(stream), passed = 0.0;
    for (uint32_t i = 0; i < self->count; i++)
        all += self->second[i];
    self->state = 0;
    for (uint32_t i = 0; i + 1 < self->count; i++) {
        passed += self->second[i] / all;
        self->state += uniform >= passed;
    }
    self->until = pn_exponential(stream, self->second[self->state]);
}

static double next_in_states(arrival_process *self, pn_stream *stream)
{
    double wanted = pn_exponential(stream, 1.0);
    for (;;) { /* the parser sees to it that arrivals are not too rare */
        double rate = self->first[self->state], expected = rate * (self->until - self->time);
        if (wanted < expected)
            return self->time += wanted / rate;
        wanted -= expected;
        self->time = self->until;
        self->state = (self->state + 1) % self->count;
        self->until += pn_exponential(stream, self->second[self->state]);
    }
}

/* ---- rates by time --------------------------------------------------------------------------- */

/* Moves on by an exponential number of mean arrivals; whole periods are counted apart. The parser
 * sees to it that they are not too many. */
static void pass(arrival_process *self, pn_stream *stream, double of_period)
{
    uint64_t periods;
    double rest;
    self->level += pn_exponential(stream, 1.0);
    if (!(self->level >= of_period))
        return;
    periods = (uint64_t)(self->level / of_period);
    rest = self->level - of_period * (double)periods; /* in 0..of_period but for rounding */
    self->rounds += periods + (rest >= of_period);
    self->level = rest > 0.0 && rest < of_period ? rest : 0.0;
}

/* Returns sin(pi x)^2, 0 <= x <= 1, by its series about 0. */
static double sine_square(double x)
{
    double y = 3.141592653589793 * (x > 0.5 ? 1.0 - x : x), term = y, sum = y;
    for (int k = 2; k <= 22; k += 2) {
        term *= -y * y / (double)(k * (k + 1));
        sum += term;
    }
    return sum * sum;
}

/* Finds the next arrival by bisection of what the rate has added up to. */
static double next_diurnal(arrival_process *self, pn_stream *stream)
{
    double low = 0.0, high = self->c;
    pass(self, stream, self->a * self->c);
    for (int step = 0; step < 54; step++) {
        double middle = 0.5 * (low + high);
        double swing = self->b * self->c * sine_square(middle / self->c) / 3.141592653589793;
        if (self->a * (middle + swing) < self->level)
            low = middle;
        else
            high = middle;
    }
    return (double)self->rounds * self->c + high;
}

/* Returns the last rate that begins with no more arrivals than these. */
static uint32_t rate_at(const arrival_process *self)
{
    uint32_t low = 0, high = self->count - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (self->before[middle] <= self->level)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static double next_by_rates(arrival_process *self, pn_stream *stream)
{
    uint32_t last = self->count - 1, i;
    if (self->c > 0.0)
        pass(self, stream, self->before[last] + self->second[last] * (self->c - self->first[last]));
    else
        self->level += pn_exponential(stream, 1.0);
    i = rate_at(self); /* above 0: where a rate is 0, the next one begins with as many arrivals */
    return (double)self->rounds * self->c + self->first[i] +
           (self->level - self->before[i]) / self->second[i];
}

/* ---- all ------------------------------------------------------------------------------------- */

void arrival_process_start(arrival_process *self, pn_stream *stream)
{
    self->time = self->level = self->until = 0.0;
    self->rounds = self->left = 0;
    self->state = 0;
    if (self->kind == ARRIVALS_MMPP)
        start_states(self, stream);
}

static double next_in_batches(arrival_process *self, pn_stream *stream)
{
    if (self->left == 0) {
        self->time += pn_exponential(stream, 1.0 / self->a);
        self->left = distribution_draw(&self->draw, stream);
        self->left = self->left > 0 ? self->left : PN_INTEGER_MAX;
    }
    self->left--;
    return self->time;
}

double arrival_process_next(arrival_process *self, pn_stream *stream)
{
    switch (self->kind) {
    case ARRIVALS_POISSON:
        return self->time += pn_exponential(stream, 1.0 / self->a);
    case ARRIVALS_REGULAR:
        return self->a * (double)++self->rounds;
    case ARRIVALS_RENEWAL:
        return self->time += distribution_factor(&self->draw, stream);
    case ARRIVALS_MMPP:
        return next_in_states(self, stream);
    case ARRIVALS_DIURNAL:
        return self->time = next_diurnal(self, stream);
    case ARRIVALS_RATES:
        return self->time = next_by_rates(self, stream);
    default: /* ARRIVALS_BATCHES */
        return next_in_batches(self, stream);
    }
}

double gap_sum_add(gap_sum *sum, double gap)
{
    double high = sum->high + gap, of_gap = high - sum->high;
    double rest = (sum->high - (high - of_gap)) + (gap - of_gap) + sum->low;
    sum->high = high + rest;
    sum->low = rest - (sum->high - high);
    return sum->high;
}
