/* Progress on a terminal: rate and time left, rewritten in place and gone at the end. Silent in a
 * pipe. */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(progress *self, const char *label, int quiet, double now)
{
    self->label = label;
    self->start = now;
    self->shown = now + 0.8; /* the first line appears after a second */
    self->enabled = !quiet && isatty(STDERR_FILENO);
    self->visible = 0;
    self->from = 0;
}

static int reading_shown;

void progress_show_reading(int shown)
{
    reading_shown = shown;
}

void progress_start_reading(progress *self)
{
    progress_start(self, "reading", !reading_shown, progress_clock());
}

static void format_count(char text[16], double count)
{
    static const char *const suffixes[] = {"", " k", " M", " G", " T", " P"};
    int step = 0;
    while (count >= 10000.0 && step < 5) {
        count /= 1000.0;
        step++;
    }
    snprintf(text, 16, "%.*f%s", count < 100.0 && step > 0 ? 1 : 0, count, suffixes[step]);
}

static void format_time(char text[24], double seconds)
{
    if (seconds < 100.0)
        snprintf(text, 24, "%.0f s", seconds);
    else if (seconds < 6000.0)
        snprintf(text, 24, "%.0f min", seconds / 60.0);
    else if (seconds < 360000.0)
        snprintf(text, 24, "%.0f h", seconds / 3600.0);
    else
        snprintf(text, 24, "days");
}

void progress_show(progress *self, uint64_t done, uint64_t total, const char *unit, double now)
{
    char count[16], all[16], rate[16], left[24];
    double per_second;
    if (!self->enabled || now - self->shown < 0.2)
        return;
    self->shown = now;
    self->visible = 1;
    per_second = (double)(done - (done < self->from ? done : self->from)) / (now - self->start);
    format_count(count, (double)done);
    format_count(rate, per_second);
    if (total == 0 || per_second <= 0.0) {
        fprintf(stderr, "\r\033[K%.20s: %s %s, %s/s", self->label, count, unit, rate);
    } else {
        format_count(all, (double)total);
        format_time(left, (double)(total - (done < total ? done : total)) / per_second);
        fprintf(stderr, "\r\033[K%.20s: %s of %s %s, %s/s, %s left", self->label, count, all, unit,
                rate, left);
    }
    fflush(stderr);
}

void progress_clear(progress *self)
{
    if (self->visible)
        fputs("\r\033[K", stderr);
    fflush(stderr);
    self->visible = 0;
}
