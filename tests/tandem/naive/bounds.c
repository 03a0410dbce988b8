/* The bounds TA19 and TA20, each as it is defined: runs of SRPT on one machine, then what the
 * definition says about their times. */
#include <math.h>
#include <stdlib.h>

#include "naive.h"

/* When each job of SRPT on one machine departs (ties by id); jobs of size 0 at once. */
static void srpt_departures(long double speed, const long double *arrivals,
                            const long double *sizes, size_t count, long double *departures)
{
    long double *left = calloc(count + 1, sizeof *left);
    long double time = 0;
    for (size_t i = 0; i < count; i++) {
        left[i] = sizes[i];
        departures[i] = arrivals[i];
    }
    for (;;) {
        long double next = INFINITY;
        size_t served = count;
        for (size_t i = 0; i < count; i++) {
            if (arrivals[i] > time)
                next = arrivals[i] < next ? arrivals[i] : next;
            else if (left[i] > 0 && (served == count || left[i] < left[served]))
                served = i;
        }
        if (served == count && next == (long double)INFINITY)
            break;
        if (served == count) {
            time = next;
            continue;
        }
        long double end = time + left[served] / speed;
        if (end <= next + naive_tandem_tolerance(end)) {
            left[served] = 0;
            departures[served] = end;
            time = end < next ? end : next;
        } else {
            left[served] -= (next - time) * speed;
            time = next;
        }
    }
    free(left);
}

long double naive_tandem_srpt(long double speed, const long double *arrivals,
                              const long double *sizes, size_t count)
{
    long double *departures = calloc(count + 1, sizeof *departures);
    long double total = 0;
    srpt_departures(speed, arrivals, sizes, count, departures);
    for (size_t i = 0; i < count; i++)
        total += departures[i] - arrivals[i];
    free(departures);
    return total;
}

enum { STATIONS = 2, COLUMNS = 6 };

/* TA19: a period ends where both runs are empty. */
long double naive_tandem_bound(long double speed, const naive_tandem_job *jobs, size_t count)
{
    long double *arrivals = calloc(count + 1, sizeof *arrivals);
    long double *sizes = calloc(count + 1, sizeof *sizes);
    long double *departures[STATIONS];
    long double bound = 0;
    long double sum[STATIONS] = {0, 0};
    for (int s = 0; s < STATIONS; s++) {
        departures[s] = calloc(count + 1, sizeof *departures[s]);
        for (size_t i = 0; i < count; i++) {
            arrivals[i] = jobs[i].arrival;
            sizes[i] = s == 0 ? jobs[i].map : jobs[i].shuffle;
        }
        srpt_departures(speed, arrivals, sizes, count, departures[s]);
    }
    for (size_t i = 0; i < count; i++) {
        bool both_empty = true;
        for (size_t k = 0; k < i; k++)
            for (int s = 0; s < STATIONS; s++)
                both_empty = both_empty &&
                             departures[s][k] <= arrivals[i] + naive_tandem_tolerance(arrivals[i]);
        if (both_empty) {
            bound += sum[0] > sum[1] ? sum[0] : sum[1];
            sum[0] = 0;
            sum[1] = 0;
        }
        for (int s = 0; s < STATIONS; s++)
            sum[s] += departures[s][i] - arrivals[i];
    }
    bound += sum[0] > sum[1] ? sum[0] : sum[1];
    for (int s = 0; s < STATIONS; s++)
        free(departures[s]);
    free(sizes);
    free(arrivals);
    return bound;
}

static int compare_times(const void *left, const void *right)
{
    long double a = *(const long double *)left;
    long double b = *(const long double *)right;
    return (a > b) - (a < b);
}

/* Column 5 is two machines: map sizes of the jobs with more map than shuffle, shuffle sizes of the
 * others. */
static void column_departures(int column, long double speed, const naive_tandem_job *jobs,
                              size_t count, long double *departures)
{
    static const long double map_part[COLUMNS - 1] = {0, 0.25L, 0.5L, 0.75L, 1};
    long double *arrivals = calloc(count + 1, sizeof *arrivals);
    long double *sizes = calloc(count + 1, sizeof *sizes);
    long double *other = calloc(count + 1, sizeof *other);
    for (size_t i = 0; i < count; i++) {
        arrivals[i] = jobs[i].arrival;
        if (column < COLUMNS - 1)
            sizes[i] = map_part[column] * jobs[i].map + (1 - map_part[column]) * jobs[i].shuffle;
        else
            sizes[i] = jobs[i].map >= jobs[i].shuffle ? jobs[i].map : 0;
    }
    srpt_departures(speed, arrivals, sizes, count, departures);
    if (column == COLUMNS - 1) {
        for (size_t i = 0; i < count; i++)
            sizes[i] = jobs[i].map < jobs[i].shuffle ? jobs[i].shuffle : 0;
        srpt_departures(speed, arrivals, sizes, count, other);
        for (size_t i = 0; i < count; i++)
            departures[i] = sizes[i] > 0 ? other[i] : departures[i];
    }
    free(other);
    free(sizes);
    free(arrivals);
}

/* TA20: between any two neighbouring times at which some count changes, the largest of the six. */
long double naive_tandem_bound_tight(long double speed, const naive_tandem_job *jobs, size_t count)
{
    long double *departures[COLUMNS];
    long double *times = calloc((COLUMNS + 1) * count + 1, sizeof *times);
    size_t time_count = 0;
    long double bound = 0;
    for (size_t i = 0; i < count; i++)
        times[time_count++] = jobs[i].arrival;
    for (int column = 0; column < COLUMNS; column++) {
        departures[column] = calloc(count + 1, sizeof *departures[column]);
        column_departures(column, speed, jobs, count, departures[column]);
        for (size_t i = 0; i < count; i++)
            times[time_count++] = departures[column][i];
    }
    qsort(times, time_count, sizeof *times, compare_times);
    for (size_t t = 0; t + 1 < time_count; t++) {
        unsigned largest = 0;
        for (int column = 0; column < COLUMNS; column++) {
            unsigned present = 0;
            for (size_t i = 0; i < count; i++)
                present += jobs[i].arrival <= times[t] && times[t] < departures[column][i];
            largest = present > largest ? present : largest;
        }
        bound += largest * (times[t + 1] - times[t]);
    }
    for (int column = 0; column < COLUMNS; column++)
        free(departures[column]);
    free(times);
    return bound;
}
