/* What one would write for a single experiment of the tandem model at speed 1: the bare loops for
 * FCFS, for SRPT at a single station and for MaxSRPT, and an engine for processor sharing that
 * looks at every job present at every event. Each returns the total response time and nothing else:
 * no statistics, no log, no digest. And the generation of the workload by the C library's log,
 * sqrt, sin and cos. The yardsticks of the benchmark. */
#ifndef BARE_TANDEM_H
#define BARE_TANDEM_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct tandem_bare_job {
    double arrival, map, shuffle;
} tandem_bare_job;

/* ---- FCFS: two recurrences (TA10), every job with work for both stations or the map alone ---- */

static inline double tandem_bare_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double tandem_bare_fcfs(const tandem_bare_job *jobs, size_t count)
{
    double mapped = 0;
    double shuffled = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        double start = tandem_bare_max(mapped, jobs[i].arrival);
        double finish = mapped = start + jobs[i].map;
        if (jobs[i].shuffle > 0)
            finish = shuffled = tandem_bare_max(tandem_bare_max(start, shuffled) + jobs[i].shuffle,
                                                mapped);
        total += finish - jobs[i].arrival;
    }
    return total;
}

/* ---- binary heaps of jobs by (key, id) ---- */

typedef struct tandem_bare_entry {
    double key;
    double map, backlog, ratio; /* X, B, y / x */
    double arrival;
    size_t id;
} tandem_bare_entry;

typedef struct tandem_bare_heap {
    tandem_bare_entry *entry;
    size_t count, room;
} tandem_bare_heap;

static inline int tandem_bare_before(const tandem_bare_entry *a, const tandem_bare_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->id < b->id);
}

static inline void tandem_bare_push(tandem_bare_heap *heap, const tandem_bare_entry *entry)
{
    if (heap->count == heap->room) {
        heap->room = heap->room ? 2 * heap->room : 64;
        heap->entry = realloc(heap->entry, heap->room * sizeof *heap->entry);
    }
    size_t i = heap->count++;
    for (; i > 0 && tandem_bare_before(entry, &heap->entry[(i - 1) / 2]); i = (i - 1) / 2)
        heap->entry[i] = heap->entry[(i - 1) / 2];
    heap->entry[i] = *entry;
}

static inline void tandem_bare_pop(tandem_bare_heap *heap)
{
    const tandem_bare_entry *last = &heap->entry[--heap->count];
    size_t i = 0;
    for (size_t child = 1; child < heap->count; child = 2 * i + 1) {
        child += child + 1 < heap->count &&
                 tandem_bare_before(&heap->entry[child + 1], &heap->entry[child]);
        if (!tandem_bare_before(&heap->entry[child], last))
            break;
        heap->entry[i] = heap->entry[child];
        i = child;
    }
    heap->entry[i] = *last;
}

/* ---- SRPT at a single station: the map sizes ---- */

static inline double tandem_bare_srpt(const tandem_bare_job *jobs, size_t count)
{
    tandem_bare_heap heap = {NULL, 0, 0};
    double time = 0;
    double total = 0;
    for (size_t i = 0; i <= count; i++) {
        double arrival = i < count ? jobs[i].arrival : INFINITY;
        while (heap.count > 0 && time + heap.entry[0].key <= arrival) {
            time += heap.entry[0].key;
            total += time - heap.entry[0].arrival;
            tandem_bare_pop(&heap);
        }
        if (i == count)
            break;
        if (heap.count > 0)
            heap.entry[0].key -= arrival - time;
        time = arrival;
        tandem_bare_push(&heap,
                         &(tandem_bare_entry){.key = jobs[i].map, .arrival = arrival, .id = i});
    }
    free(heap.entry);
    return total;
}

/* ---- MaxSRPT, work conserving (TA14) ----
 *
 * Three heaps by (max(X, Y), id): MAPPING holds the jobs with X > 0 and B = 0, BOTH those with X >
 * 0 and B > 0, SHUFFLING those with X = 0 and B > 0. Only first jobs of heaps are served and keys
 * only fall, so that a served job stays where it is; one that has gained or lost its backlog, or
 * its map work, changes heaps. */

enum {
    REFERENCE_MAPPING,
    REFERENCE_BOTH,
    REFERENCE_SHUFFLING,
    REFERENCE_HEAPS,
    REFERENCE_COMPLETE = REFERENCE_HEAPS
};

static inline tandem_bare_entry *tandem_bare_first(tandem_bare_heap *a, tandem_bare_heap *b)
{
    if (a->count == 0)
        return b->count == 0 ? NULL : b->entry;
    return b->count == 0 || tandem_bare_before(a->entry, b->entry) ? a->entry : b->entry;
}

/* A first job at the end of an interval gets its new key in place; when it changes heaps it is
 * taken out, and put into the other one after both served jobs have been looked at: the two stand
 * in different heaps. */
static inline int tandem_bare_settle(tandem_bare_heap *heaps, int from, tandem_bare_entry *moved)
{
    tandem_bare_entry *job = heaps[from].entry;
    job->key = tandem_bare_max(job->map, job->backlog + job->map * job->ratio);
    int to = job->map == 0 ? (job->backlog > 0 ? REFERENCE_SHUFFLING : REFERENCE_COMPLETE)
                           : (job->backlog > 0 ? REFERENCE_BOTH : REFERENCE_MAPPING);
    if (to == from)
        return from;
    *moved = *job;
    tandem_bare_pop(&heaps[from]);
    return to;
}

static inline double tandem_bare_maxsrpt(const tandem_bare_job *jobs, size_t count)
{
    tandem_bare_heap heaps[REFERENCE_HEAPS] = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
    double time = 0;
    double total = 0;
    size_t arrived = 0;
    for (;;) {
        double arrival = arrived < count ? jobs[arrived].arrival : INFINITY;
        tandem_bare_entry *mapped = tandem_bare_first(&heaps[REFERENCE_MAPPING],
                                                      &heaps[REFERENCE_BOTH]);
        tandem_bare_entry *shuffled = tandem_bare_first(&heaps[REFERENCE_SHUFFLING],
                                                        &heaps[REFERENCE_BOTH]);
        double end = arrival - time;
        double map_end = INFINITY;
        double shuffle_end = INFINITY;
        double gain = 0;  /* of the mapped job's backlog */
        double drain = 1; /* of the shuffled job's */
        if (mapped) {
            map_end = mapped->map;
            gain = mapped->ratio;
            if (mapped == shuffled) {
                drain -= gain;
            } else if (mapped->backlog == 0 &&
                       (!shuffled || tandem_bare_before(mapped, shuffled))) {
                double direct = gain < 1 ? gain : 1;
                gain -= direct;
                drain -= direct;
            }
        }
        if (shuffled && drain > 0)
            shuffle_end = shuffled->backlog / drain;
        if (map_end < end)
            end = map_end;
        if (shuffle_end < end)
            end = shuffle_end;
        if (end == INFINITY)
            break;
        time += end;
        double due = end + 0x1p-46 * time; /* what comes so soon comes now */
        int moves = 0;
        tandem_bare_entry moved[2];
        int to[2];
        if (shuffled && mapped != shuffled) {
            int from = shuffled == heaps[REFERENCE_BOTH].entry ? REFERENCE_BOTH
                                                               : REFERENCE_SHUFFLING;
            shuffled->backlog = shuffle_end <= due ? 0 : shuffled->backlog - drain * end;
            to[0] = tandem_bare_settle(heaps, from, &moved[0]);
            moves = to[0] != from;
        }
        if (mapped) {
            int from = mapped == heaps[REFERENCE_BOTH].entry ? REFERENCE_BOTH : REFERENCE_MAPPING;
            mapped->map = map_end <= due ? 0 : mapped->map - end;
            if (mapped != shuffled)
                mapped->backlog += gain * end;
            else
                mapped->backlog = shuffle_end <= due ? 0 : mapped->backlog - drain * end;
            to[moves] = tandem_bare_settle(heaps, from, &moved[moves]);
            moves += to[moves] != from;
        }
        for (int i = 0; i < moves; i++)
            if (to[i] == REFERENCE_COMPLETE)
                total += time - moved[i].arrival;
            else
                tandem_bare_push(&heaps[to[i]], &moved[i]);
        for (; arrived < count && jobs[arrived].arrival <= time + 0x1p-46 * time; arrived++) {
            const tandem_bare_job *job = &jobs[arrived];
            tandem_bare_entry entry = {
                tandem_bare_max(job->map, job->shuffle), job->map, 0, 0, job->arrival, arrived};
            if (job->map > 0)
                entry.ratio = job->shuffle / job->map;
            else
                entry.backlog = job->shuffle;
            if (entry.key > 0)
                tandem_bare_push(&heaps[job->map > 0 ? REFERENCE_MAPPING : REFERENCE_SHUFFLING],
                                 &entry);
        }
    }
    for (int i = 0; i < REFERENCE_HEAPS; i++)
        free(heaps[i].entry);
    return total;
}

/* ---- processor sharing, and k-LPS of the first `limit` jobs (TA11, TA12): O(jobs present) an
 * event  */

typedef struct tandem_bare_present {
    double map, backlog, ratio, arrival;
    double map_rate, generated, shuffle_rate;
    int open; /* not given its shuffle rate yet */
} tandem_bare_present;

/* Equal shares at the map; water-filling at the shuffle: rounds in which whoever generates less
 * than the level gets just that. */
static inline void tandem_bare_share(tandem_bare_present *present, size_t count, size_t limit)
{
    size_t mapping = 0;
    for (size_t i = 0; i < count && mapping < limit; i++)
        mapping += present[i].map > 0;
    double share = 1 / (double)mapping;
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        tandem_bare_present *job = &present[i];
        job->map_rate = job->generated = job->shuffle_rate = 0;
        if (job->map > 0 && mapping > 0) {
            mapping--;
            job->map_rate = share;
            job->generated = share * job->ratio;
        }
        job->open = job->backlog > 0 || job->generated > 0;
        open += (size_t)job->open;
    }
    double rest = 1;
    double level = 0;
    for (size_t before = 0; open > 0 && before != open;) {
        before = open;
        level = rest / (double)open;
        for (size_t i = 0; i < count; i++) {
            tandem_bare_present *job = &present[i];
            if (job->open && job->backlog == 0 && job->generated <= level) {
                job->open = 0;
                job->shuffle_rate = job->generated;
                rest -= job->generated;
                open--;
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        if (present[i].open)
            present[i].shuffle_rate = level;
}

static inline double tandem_bare_sharing(const tandem_bare_job *jobs, size_t count, size_t limit)
{
    tandem_bare_present *present = NULL; /* by (arrival, id) */
    size_t room = 0;
    size_t presents = 0;
    double time = 0;
    double total = 0;
    for (size_t arrived = 0; presents > 0 || arrived < count;) {
        tandem_bare_share(present, presents, limit);
        double end = arrived < count ? jobs[arrived].arrival - time : INFINITY;
        for (size_t i = 0; i < presents; i++) {
            const tandem_bare_present *job = &present[i];
            if (job->map_rate > 0 && job->map < end * job->map_rate)
                end = job->map / job->map_rate;
            if (job->shuffle_rate > job->generated &&
                job->backlog < end * (job->shuffle_rate - job->generated))
                end = job->backlog / (job->shuffle_rate - job->generated);
        }
        time += end;
        double due = end + 0x1p-46 * time; /* what comes so soon comes now */
        size_t kept = 0;
        for (size_t i = 0; i < presents; i++) {
            tandem_bare_present *job = &present[i];
            double gain = job->generated - job->shuffle_rate;
            if (job->map_rate > 0)
                job->map = job->map <= due * job->map_rate ? 0 : job->map - job->map_rate * end;
            if (gain > 0 || job->backlog > 0)
                job->backlog = job->backlog <= -due * gain ? 0 : job->backlog + gain * end;
            if (job->map == 0 && job->backlog == 0)
                total += time - job->arrival;
            else
                present[kept++] = *job;
        }
        presents = kept;
        for (; arrived < count && jobs[arrived].arrival <= time + 0x1p-46 * time; arrived++) {
            const tandem_bare_job *job = &jobs[arrived];
            if (presents == room) {
                room = room ? 2 * room : 64;
                present = realloc(present, room * sizeof *present);
            }
            tandem_bare_present *entry = &present[presents];
            *entry = (tandem_bare_present){.map = job->map, .arrival = job->arrival};
            if (job->map > 0)
                entry->ratio = job->shuffle / job->map;
            else
                entry->backlog = job->shuffle;
            presents += job->map > 0 || job->shuffle > 0;
        }
    }
    free(present);
    return total;
}

/* ---- the workload of section 5.3 (TA22) by the C library's functions, on xoshiro256++ ---- */

typedef struct tandem_bare_stream {
    uint64_t word[4];
} tandem_bare_stream;

static inline uint64_t tandem_bare_rotated(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

/* In [0, 1). */
static inline double tandem_bare_uniform(tandem_bare_stream *stream)
{
    uint64_t *s = stream->word;
    uint64_t result = tandem_bare_rotated(s[0] + s[3], 23) + s[0];
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = tandem_bare_rotated(s[3], 45);
    return (double)(result >> 11) * 0x1p-53;
}

static inline void tandem_bare_seed(tandem_bare_stream *stream, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15u;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        stream->word[i] = z ^ z >> 31;
    }
}

/* Map sizes are log-normal with mean 1 and standard deviation 3.65, their ratios to shuffle sizes
 * with mean 1 and 3.28. */
static inline void tandem_bare_draw(tandem_bare_stream *stream, tandem_bare_job *jobs, size_t count,
                                    double load)
{
    double variance[2] = {log1p(3.65 * 3.65), log1p(3.28 * 3.28)};
    double time = 0;
    for (size_t i = 0; i < count; i++) {
        time -= log(1 - tandem_bare_uniform(stream)) / load;
        double radius = sqrt(-2 * log(1 - tandem_bare_uniform(stream)));
        double angle = 6.283185307179586 * tandem_bare_uniform(stream);
        jobs[i].arrival = time;
        jobs[i].map = exp(sqrt(variance[0]) * radius * cos(angle) - variance[0] / 2);
        jobs[i].shuffle = jobs[i].map *
                          exp(sqrt(variance[1]) * radius * sin(angle) - variance[1] / 2);
    }
}

#endif
