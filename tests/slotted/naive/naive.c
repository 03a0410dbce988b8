/* The reference simulation of every slotted policy. Each slot is computed from scratch in three
 * steps: read the state at its start, let the policy fill in what each job is given, then execute
 * the gifts. */
#include "naive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct job_state {
    const naive_job *job;
    int64_t total_reduces;
    int64_t m, r;       /* true work left; r includes the rest of running tasks (SL7) */
    int64_t ran;        /* units, counted one slot after the other (SL36) */
    int64_t *task_left; /* non-preemptive: units left per task, zero-length tasks dropped (SL3) */
    int task_count;
    /* tasks start in index order (SL9), so tasks 0 .. started-1 are the started ones */
    int started;
    /* Read once at the start of each slot (SL5). */
    bool active; /* arrived and unfinished */
    int64_t offer, pinned;
    int64_t shown_m, shown_r; /* what the policies take for m and r (SL30, SL31) */
    /* Decided in this slot. */
    int64_t give_maps, give_reduces;
    bool flagged, skipped;
    /* The virtual SRPT of this job (SL10). */
    int64_t virtual_m, virtual_r, virtual_maps_total;
    int64_t map_load, virtual_reduces; /* what it runs in this slot (SL12) */
} job_state;

typedef struct ranked {
    int64_t group, key;
    int id;
} ranked;

typedef struct piece {
    int id;
    int64_t left;
} piece;

typedef struct slot_model {
    const naive_slotted_config *config;
    job_state *jobs;
    int job_count;
    int64_t slot;
    int64_t d; /* machines still free in this slot (SL8) */
    int64_t d_at_start;
    ranked *order; /* the policy's order of this slot */
    int order_count;
    ranked *virtual_order; /* the virtual SRPT's order of this slot */
    int virtual_count;
    piece *queue; /* reduce pieces of DSRPT, first come first served (SL17) */
    size_t queue_head, queue_count, queue_capacity;
} slot_model;

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    int by_group = (a->group > b->group) - (a->group < b->group);
    int by_key = (a->key > b->key) - (a->key < b->key);
    int by_id = (a->id > b->id) - (a->id < b->id); /* every tie goes to the smaller id (SL1) */
    return by_group != 0 ? by_group : by_key != 0 ? by_key : by_id;
}

static void read_slot_start(slot_model *model)
{
    int64_t pinned = 0;
    for (int i = 0; i < model->job_count; i++) {
        job_state *s = &model->jobs[i];
        s->active = s->job->arrival <= model->slot && s->m + s->r > 0; /* SL2 */
        s->pinned = 0;
        for (int k = 0; k < s->started; k++) {
            s->pinned += s->task_left[k] > 0;
        }
        pinned += s->pinned;
        /* SL6: a job with maps left offers only maps, even if all of them run in this slot. */
        s->offer = s->m > 0                       ? s->m
                   : model->config->nonpreemptive ? s->task_count - s->started
                                                  : s->r;
        /* SL30 */
        s->shown_m = s->m == 0 ? 0 : max_of(0, s->job->estimate_maps - (s->job->maps - s->m));
        /* SL31 */
        s->shown_r = max_of(0, s->job->estimate_reduces - (s->total_reduces - s->r));
        s->give_maps = 0;
        s->give_reduces = 0;
        s->flagged = false;
        s->skipped = false;
    }
    model->d = model->config->machines - pinned; /* SL8 */
    model->d_at_start = model->d;
    model->order_count = 0;
}

/* SL10-SL13: the virtual SRPT, which never learns what really ran (SL24). It steps in every slot,
 * also when the real system is empty. */
static void step_virtual_srpt(slot_model *model)
{
    model->virtual_count = 0;
    for (int i = 0; i < model->job_count; i++) {
        job_state *s = &model->jobs[i];
        s->map_load = 0;
        s->virtual_reduces = 0;
        if (s->job->arrival <= model->slot && s->virtual_m + s->virtual_r > 0) {
            model->virtual_order[model->virtual_count++] = (ranked){0, s->virtual_m + s->virtual_r,
                                                                    i};
        }
    }
    qsort(model->virtual_order, (size_t)model->virtual_count, sizeof *model->virtual_order,
          compare_ranked);
    int64_t d = model->config->machines; /* SL10: all machines in both modes */
    for (int p = 0; p < model->virtual_count; p++) {
        job_state *s = &model->jobs[model->virtual_order[p].id];
        s->map_load = min_of(s->virtual_m, d);
        s->virtual_m -= s->map_load;
        s->virtual_maps_total += s->map_load;
        d -= s->map_load;
        if (s->virtual_m == 0) { /* SL11: maps and reduces of one job may share a slot here */
            s->virtual_reduces = min_of(s->virtual_r, d);
            s->virtual_r -= s->virtual_reduces;
            d -= s->virtual_reduces;
        }
    }
}

/* Gives a job at most the amount, the rest of its offer and the free machines; SL6 says of which
 * kind. */
static void give(slot_model *model, job_state *s, int64_t amount)
{
    amount = min_of(amount, min_of(model->d, s->offer - s->give_maps - s->give_reduces));
    if (s->m > 0) {
        s->give_maps += amount;
    } else {
        s->give_reduces += amount;
    }
    model->d -= amount;
}

static void give_all(slot_model *model, job_state *s)
{
    give(model, s, s->offer);
}

static job_state *at(slot_model *model, int position)
{
    return &model->jobs[model->order[position].id];
}

static void greedy(slot_model *model)
{
    for (int p = 0; p < model->order_count; p++) {
        give_all(model, at(model, p));
    }
}

/* Puts the active jobs in the order of the policy. The sizes are the shown ones (SL32). */
static void sort_for_policy(slot_model *model, const char *policy)
{
    const int64_t *w = model->config->params;
    model->order_count = 0;
    for (int i = 0; i < model->job_count; i++) {
        const job_state *s = &model->jobs[i];
        if (!s->active) {
            continue;
        }
        int64_t in_maps = s->m > 0; /* phase tests are the truth (SL32) */
        ranked rank = {0, s->shown_m + s->shown_r, i};
        if (strcmp(policy, "fifo") == 0) {
            rank.key = 0; /* SL14 */
        } else if (strcmp(policy, "lrpt") == 0) {
            rank.key = -rank.key; /* SL15 */
        } else if (strcmp(policy, "rfirst") == 0) {
            rank.group = in_maps; /* SL26 */
        } else if (strcmp(policy, "idx") == 0) {
            /* SL26 */
            rank.key = w[0] * s->shown_m + w[1] * s->shown_r + w[2] * in_maps + w[3] * s->offer;
        } else if (strcmp(policy, "srpt_aged") == 0) {
            rank.key -= w[0] * (model->slot - s->job->arrival); /* SL34 */
        } else if (strcmp(policy, "served") == 0) {
            rank.group = s->ran; /* SL36 */
            rank.key = -(s->job->estimate_maps + s->job->estimate_reduces);
        } else if (strcmp(policy, "psrpt") == 0) {
            rank.group = s->flagged ? 0 : 1; /* SL28, order O once the flags are set */
        }
        model->order[model->order_count++] = rank;
    }
    qsort(model->order, (size_t)model->order_count, sizeof *model->order, compare_ranked);
}

/* SL16: one machine at a time to the job that holds the fewest, running reduces counted. */
static void decide_fair(slot_model *model)
{
    while (model->d > 0) {
        job_state *best = NULL;
        int64_t best_held = 0;
        for (int i = 0; i < model->job_count; i++) {
            job_state *s = &model->jobs[i];
            int64_t held = s->pinned + s->give_maps + s->give_reduces;
            if (!s->active || s->give_maps + s->give_reduces == s->offer) {
                continue;
            }
            if (best == NULL || held < best_held) {
                best = s;
                best_held = held;
            }
        }
        if (best == NULL) {
            return;
        }
        give(model, best, 1);
    }
}

static void append_piece(slot_model *model, int id, int64_t amount)
{
    if (model->queue_count == model->queue_capacity) {
        model->queue_capacity = model->queue_capacity * 2 + 16;
        model->queue = realloc(model->queue, model->queue_capacity * sizeof *model->queue);
        assert(model->queue != NULL);
    }
    model->queue[model->queue_count++] = (piece){id, amount};
}

/* SL17: the maps of the virtual SRPT, then the queue, and only then the new pieces join the
 * queue. */
static void decide_dsrpt(slot_model *model)
{
    for (int i = 0; i < model->job_count; i++) {
        model->jobs[i].give_maps = model->jobs[i].map_load;
        model->d -= model->jobs[i].map_load;
    }
    while (model->d > 0 && model->queue_head < model->queue_count) {
        piece *head = &model->queue[model->queue_head];
        int64_t amount = min_of(head->left, model->d);
        head->left -= amount;
        model->jobs[head->id].give_reduces += amount;
        model->d -= amount;
        if (head->left == 0) {
            model->queue_head++;
        }
    }
    for (int p = 0; p < model->virtual_count; p++) {
        int id = model->virtual_order[p].id;
        if (model->jobs[id].virtual_reduces > 0) {
            append_piece(model, id, model->jobs[id].virtual_reduces);
        }
    }
}

/* SRPT as a policy reports the virtual run itself (SL13), with all machines in both modes
 * (SL10). */
static void decide_srpt(slot_model *model)
{
    for (int i = 0; i < model->job_count; i++) {
        job_state *s = &model->jobs[i];
        s->give_maps = s->map_load;
        s->give_reduces = s->virtual_reduces;
        model->d -= s->give_maps + s->give_reduces;
    }
}

/* SL19-SL25. The three groups are the lines 8-26, 27-39 and 40-52 of Algorithm 1. */
static void decide_asrpt(slot_model *model)
{
    bool catch_up = strcmp(model->config->policy, "asrpt_cu") == 0;
    sort_for_policy(model, "asrpt"); /* SL19 */
    for (int p = 0; p < model->order_count; p++) {
        job_state *s = at(model, p);
        int64_t load = s->map_load;
        if (catch_up) { /* SL25, SL33 */
            load = max_of(0, s->virtual_maps_total - (s->job->maps - s->m));
        }
        if (s->m > 0) {
            give(model, s, load); /* SL21: a load above the real maps is not made up for */
        }
    }
    for (int p = 0; p < model->order_count; p++) {
        /* SL22: at the start of the slot; m changes only in execution */
        if (at(model, p)->m == 0) {
            give_all(model, at(model, p));
        }
    }
    for (int p = 0; p < model->order_count; p++) {
        if (at(model, p)->m > 0) {
            give_all(model, at(model, p)); /* SL23: give() limits it to the rest */
        }
    }
}

/* SL27 */
static void decide_dsptf(slot_model *model)
{
    sort_for_policy(model, "dsptf");
    for (int p = 0; p < model->order_count; p++) {
        if (at(model, p)->offer <= model->d) {
            give_all(model, at(model, p));
        }
    }
    greedy(model);
}

/* SL28 */
static void decide_psrpt(slot_model *model)
{
    int64_t machines = model->config->machines;
    int64_t budget = 2 * model->d;
    sort_for_policy(model, "dspt");
    for (int p = 0; p < model->order_count && budget > 0; p++) {
        job_state *s = at(model, p);
        s->flagged = s->m > 0 && 2 * s->shown_m <= s->shown_r && 4 * s->shown_m <= machines;
        budget -= max_of(1, s->shown_m + s->shown_r); /* SL32 */
    }
    sort_for_policy(model, "psrpt");
    if (!model->config->nonpreemptive) {
        greedy(model);
        return;
    }
    for (int p = 0; p < model->order_count; p++) {
        job_state *s = at(model, p);
        if (s->offer <= model->d) {
            give_all(model, s);
        } else if (4 * s->offer <= machines) {
            s->skipped = true;
        } else {
            give(model, s, model->d);
            break;
        }
    }
    for (int p = 0; p < model->order_count; p++) {
        if (at(model, p)->skipped) {
            give_all(model, at(model, p));
        }
    }
}

static void decide_by_order(slot_model *model)
{
    sort_for_policy(model, model->config->policy);
    greedy(model);
}

typedef void policy_function(slot_model *model);

static const struct {
    const char *name;
    policy_function *decide;
} policies[] = {
    {"fifo", decide_by_order},      {"lrpt", decide_by_order},   {"dspt", decide_by_order},
    {"rfirst", decide_by_order},    {"idx", decide_by_order},    {"fair", decide_fair},
    {"srpt", decide_srpt},          {"dsrpt", decide_dsrpt},     {"asrpt", decide_asrpt},
    {"asrpt_cu", decide_asrpt},     {"dsptf", decide_dsptf},     {"psrpt", decide_psrpt},
    {"srpt_aged", decide_by_order}, {"served", decide_by_order},
};

static policy_function *find_policy(const naive_slotted_config *config)
{
    if (config->nonpreemptive && strcmp(config->policy, "dsrpt") == 0) {
        return NULL; /* SL17 */
    }
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
        if (strcmp(config->policy, policies[i].name) == 0) {
            return policies[i].decide;
        }
    }
    return NULL;
}

static void report(const slot_model *model, int kind, int id, int64_t amount)
{
    if (model->config->on_decision != NULL && (amount > 0 || kind == NAIVE_FINISH)) {
        model->config->on_decision(model->config->user, model->slot, kind, (int64_t)id + 1, amount);
    }
}

/* SL9. The asserts guard the reference against itself: capacity, offers and the map-reduce
 * dependency. */
static void execute(slot_model *model, naive_times *times)
{
    bool shadow = strcmp(model->config->policy, "srpt") == 0;
    bool by_task = model->config->nonpreemptive && !shadow;
    int64_t used = 0;
    for (int i = 0; i < model->job_count; i++) {
        job_state *s = &model->jobs[i];
        if (!s->active) {
            assert(s->give_maps == 0 && s->give_reduces == 0);
            continue;
        }
        assert(s->give_maps >= 0 && s->give_maps <= s->m && s->give_reduces >= 0);
        assert(shadow || s->m == 0 || s->give_reduces == 0);
        used += s->give_maps + s->give_reduces;
        report(model, NAIVE_MAP, i, s->give_maps);
        report(model, by_task ? NAIVE_START : NAIVE_REDUCE, i, s->give_reduces);
        s->m -= s->give_maps;
        s->ran += s->give_maps;
        if (s->give_maps > 0 && s->m == 0) {
            times[i].map_finish = model->slot; /* SL4 */
        }
        if (by_task) {
            assert(s->give_reduces <= s->task_count - s->started);
            s->started += (int)s->give_reduces;
            for (int k = 0; k < s->started; k++) {
                if (s->task_left[k] > 0) {
                    s->task_left[k]--;
                    s->r--;
                    s->ran++;
                }
            }
        } else {
            assert(s->give_reduces <= s->r);
            s->r -= s->give_reduces;
            s->ran += s->give_reduces;
        }
        if (s->m + s->r == 0) {
            times[i].finish = model->slot; /* SL4 */
            report(model, NAIVE_FINISH, i, 0);
        }
    }
    assert(used <= model->d_at_start && model->d == model->d_at_start - used);
    (void)used;
}

/* SL35: no machine is free, and some job would have used more than it got. */
static bool is_saturated(const slot_model *model)
{
    bool waits = false;
    for (int i = 0; i < model->job_count; i++) {
        const job_state *s = &model->jobs[i];
        waits = waits || (s->active && s->give_maps + s->give_reduces < s->offer);
    }
    return waits && model->d == 0;
}

/* Copies the job without its zero-length tasks (SL3); false if the job has no work. */
static bool load_job(job_state *s, const naive_job *job, bool exact_virtual)
{
    s->job = job;
    s->m = job->maps;
    s->task_left = calloc((size_t)job->reduce_count + 1, sizeof *s->task_left);
    assert(s->task_left != NULL);
    for (int k = 0; k < job->reduce_count; k++) {
        if (job->reduces[k] > 0) {
            s->task_left[s->task_count++] = job->reduces[k];
            s->total_reduces += job->reduces[k];
        }
    }
    s->r = s->total_reduces;
    /* SL33: the bound and its delayed schedule know the truth, the helper inside asrpt only the
     * estimates. */
    s->virtual_m = exact_virtual ? job->maps : job->estimate_maps;
    s->virtual_r = exact_virtual ? s->total_reduces : job->estimate_reduces;
    return s->m + s->r > 0;
}

int64_t naive_slotted_run(const naive_slotted_config *config, const naive_job *jobs, int job_count,
                          naive_times *times)
{
    policy_function *decide = find_policy(config);
    if (decide == NULL) {
        return -1;
    }
    slot_model model = {.config = config, .job_count = job_count};
    size_t count = (size_t)job_count + 1; /* one more, because calloc(0) may return NULL */
    model.jobs = calloc(count, sizeof *model.jobs);
    model.order = calloc(count, sizeof *model.order);
    model.virtual_order = calloc(count, sizeof *model.virtual_order);
    assert(model.jobs != NULL && model.order != NULL && model.virtual_order != NULL);
    bool exact_virtual = strcmp(config->policy, "srpt") == 0 ||
                         strcmp(config->policy, "dsrpt") == 0;
    int64_t total = 0;
    for (int i = 0; i < job_count; i++) {
        if (!load_job(&model.jobs[i], &jobs[i], exact_virtual)) {
            total = -1; /* SL3 */
        }
        /* SL4: right when M = 0 */
        times[i] = (naive_times){jobs[i].arrival - 1, jobs[i].arrival - 1};
    }
    for (bool busy = total == 0 && job_count > 0; busy;) {
        model.slot++; /* SL1 */
        read_slot_start(&model);
        step_virtual_srpt(&model); /* SL18: before the policy looks at MapLoad */
        decide(&model);
        if (config->saturated != NULL) {
            *config->saturated += is_saturated(&model);
        }
        execute(&model, times);
        busy = false;
        for (int i = 0; i < job_count; i++) {
            busy = busy || model.jobs[i].m + model.jobs[i].r > 0; /* SL5 */
        }
    }
    for (int i = 0; i < job_count; i++) {
        if (total >= 0) {
            total += times[i].finish - jobs[i].arrival + 1; /* SL4 */
        }
        free(model.jobs[i].task_left);
    }
    free(model.queue);
    free(model.virtual_order);
    free(model.order);
    free(model.jobs);
    return total;
}
