/* The naive dag model: scenarios from JSON. A reader answers false as soon as a field is refused,
 * whose path stands in the document then. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "model.h"

#define LATEST ((int64_t)1 << 53)

enum {
    PATH = 100,
    NODES_MOST = 1 << 20,
    QUEUES_MOST = 1 << 12,
    STAGES_MOST = 1 << 16,
    EDGES_MOST = 1 << 20,
    TASKS_MOST = 1 << 20
};

static const int64_t AMOUNT_MOST = (int64_t)1 << 40; /* of a vector, of a duration */
static const wide CAP_MOST = (wide)1 << 50;

/* ---- tools ---- */

__attribute__((format(printf, 2, 3))) static bool refuse(naive_dag_document *d, const char *format,
                                                         ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(d->refused, sizeof d->refused, format, list);
    va_end(list);
    return false;
}

static void *list_of(naive_dag_document *d, size_t count, size_t size)
{
    void *block = naive_dag_zeroed(count, size);
    d->blocks = naive_dag_grown(d->blocks, d->block_count, &d->block_room, sizeof *d->blocks);
    d->blocks[d->block_count++] = block;
    return block;
}

/* An object that is being read, under its path. */
typedef struct source {
    naive_dag_document *document;
    const json_t *object;
    char path[PATH];
} source;

static bool refuse_field(const source *s, const char *name)
{
    return refuse(s->document, "%s%s%s", s->path, s->path[0] != '\0' ? "." : "", name);
}

/* names: separated and enclosed by spaces */
static bool has_only(const source *s, const char *names)
{
    const char *name;
    json_t *value;
    if (!json_is_object(s->object))
        return refuse(s->document, "%s", s->path);
    json_object_foreach((json_t *)s->object, name, value)
    {
        char word[PATH];
        snprintf(word, sizeof word, " %s ", name);
        if (strchr(name, ' ') || !strstr(names, word))
            return refuse(s->document, "%s", s->path);
    }
    return true;
}

static bool is_whole(const json_t *value, int64_t lo, int64_t hi)
{
    return json_is_integer(value) && json_integer_value(value) >= lo &&
           json_integer_value(value) <= hi;
}

/* What is absent leaves the default that stands there. */
static bool read_whole(const source *s, const char *name, int64_t lo, int64_t hi, uint64_t *into)
{
    const json_t *value = json_object_get(s->object, name);
    if (value && !is_whole(value, lo, hi))
        return refuse_field(s, name);
    if (value)
        *into = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_small(const source *s, const char *name, uint32_t lo, uint32_t hi, uint32_t *into)
{
    uint64_t value = *into;
    bool is_read = read_whole(s, name, lo, hi, &value);
    *into = (uint32_t)value;
    return is_read;
}

static bool has(const source *s, const char *name)
{
    return json_object_get(s->object, name) || refuse_field(s, name);
}

static bool read_text(const source *s, const char *name, const char **into)
{
    const json_t *value = json_object_get(s->object, name);
    if (value && !json_is_string(value))
        return refuse_field(s, name);
    if (value)
        *into = json_string_value(value);
    return true;
}

static bool read_truth(const source *s, const char *name, bool *into)
{
    const json_t *value = json_object_get(s->object, name);
    if (value && !json_is_boolean(value))
        return refuse_field(s, name);
    if (value)
        *into = json_is_true(value);
    return true;
}

/* The index of its word; index 0 is the default. */
static bool read_word(const source *s, const char *name, const char *const *words, uint32_t *into)
{
    const char *word = words[0];
    if (!read_text(s, name, &word))
        return false;
    for (uint32_t i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0) {
            *into = i;
            return true;
        }
    return refuse_field(s, name);
}

/* A list that may be absent, then it is null. */
static bool read_list(const source *s, const char *name, size_t least, size_t most, json_t **into)
{
    json_t *list = json_object_get(s->object, name);
    *into = list;
    if (list &&
        (!json_is_array(list) || json_array_size(list) < least || json_array_size(list) > most))
        return refuse_field(s, name);
    return true;
}

static source element(const source *s, const char *name, const json_t *list, size_t i)
{
    source of = {s->document, json_array_get(list, i), ""};
    int length = snprintf(of.path, sizeof of.path, "%s%s%s[%zu]", s->path,
                          s->path[0] != '\0' ? "." : "", name, i);
    if (length < 0 || (size_t)length >= sizeof of.path)
        abort();
    return of;
}

static bool read_numbers(const source *s, const char *name, const json_t *list, int64_t most,
                         uint64_t *into)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        source number = element(s, name, list, i);
        if (!is_whole(number.object, 0, most))
            return refuse(s->document, "%s", number.path);
        into[i] = (uint64_t)json_integer_value(number.object);
    }
    return true;
}

/* capacity, demand */
static bool read_vector(const source *s, const char *name, uint64_t *into)
{
    json_t *list;
    size_t count = s->document->scenario.resource_count;
    return has(s, name) && read_list(s, name, count, count, &list) &&
           read_numbers(s, name, list, AMOUNT_MOST, into);
}

/* ---- resources, nodes, queues, failures ---- */

static bool read_resources(const source *top)
{
    json_t *list;
    if (!read_list(top, "resources", 1, R, &list))
        return false;
    top->document->scenario.resource_count = list ? (uint32_t)json_array_size(list) : 1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        source name = element(top, "resources", list, i);
        if (!json_is_string(name.object))
            return refuse(top->document, "%s", name.path);
        for (size_t k = 0; k < i; k++)
            if (json_equal(name.object, json_array_get(list, k)))
                return refuse(top->document, "resources");
    }
    return true;
}

static bool are_nodes_legal(const source *top)
{
    const naive_dag_scenario *s = &top->document->scenario;
    uint64_t count = 0;
    for (uint32_t g = 0; g < s->group_count; g++)
        count += s->nodes[g].count;
    for (uint32_t r = 0; r < s->resource_count; r++) {
        wide cap = 0;
        for (uint32_t g = 0; g < s->group_count; g++)
            cap += (wide)s->nodes[g].capacity[r] * s->nodes[g].count;
        if (cap == 0 || cap > CAP_MOST)
            return refuse(top->document, "nodes");
    }
    return count <= NODES_MOST || refuse(top->document, "nodes");
}

static bool read_nodes(const source *top)
{
    json_t *list;
    if (!has(top, "nodes") || !read_list(top, "nodes", 1, NODES_MOST, &list))
        return false;
    naive_dag_nodes *nodes = list_of(top->document, json_array_size(list), sizeof *nodes);
    for (size_t i = 0; i < json_array_size(list); i++) {
        source s = element(top, "nodes", list, i);
        nodes[i] = (naive_dag_nodes){.count = 1, .speed = 1000};
        if (!has_only(&s, " count capacity speed ") ||
            !read_small(&s, "count", 1, NODES_MOST, &nodes[i].count) ||
            !read_vector(&s, "capacity", nodes[i].capacity) ||
            !read_small(&s, "speed", 1, 1000000, &nodes[i].speed))
            return false;
    }
    top->document->scenario.nodes = nodes;
    top->document->scenario.group_count = (uint32_t)json_array_size(list);
    return are_nodes_legal(top);
}

/* queue_count when there is none */
static uint32_t find_queue(const naive_dag_document *d, const char *name)
{
    uint32_t q = 0;
    while (q < d->queue_count && strcmp(d->queues[q], name) != 0)
        q++;
    return q;
}

static bool read_queue(const source *s, naive_dag_queue *into)
{
    const char *name = "";
    *into = (naive_dag_queue){1, 0, 1000};
    if (!has_only(s, " name weight guaranteed maximum ") || !read_text(s, "name", &name) ||
        !read_small(s, "weight", 1, 1000000, &into->weight) ||
        !read_small(s, "guaranteed", 0, 1000, &into->guaranteed) ||
        !read_small(s, "maximum", 1, 1000, &into->maximum))
        return false;
    if (name[0] == '\0')
        return refuse_field(s, "name");
    if (into->maximum < into->guaranteed)
        return refuse_field(s, "maximum");
    if (find_queue(s->document, name) < s->document->queue_count)
        return refuse(s->document, "queues");
    s->document->queues[s->document->queue_count++] = name;
    return true;
}

static bool read_queues(const source *top)
{
    naive_dag_document *d = top->document;
    uint32_t guaranteed = 0;
    json_t *list;
    d->queues = list_of(d, QUEUES_MOST, sizeof *d->queues);
    if (!read_list(top, "queues", 1, QUEUES_MOST, &list))
        return false;
    naive_dag_queue *queues = list_of(d, json_array_size(list), sizeof *queues);
    for (size_t i = 0; i < json_array_size(list); i++) {
        source s = element(top, "queues", list, i);
        if (!read_queue(&s, &queues[i]))
            return false;
        guaranteed += queues[i].guaranteed;
    }
    d->scenario.queues = queues;
    d->scenario.queue_count = d->queue_count;
    return guaranteed <= 1000 || refuse(d, "queues");
}

static bool read_failure(const source *s, uint32_t node_count, naive_dag_failure *into)
{
    bool is_forever = json_is_null(json_object_get(s->object, "recover"));
    *into = (naive_dag_failure){.recover = NEVER};
    if (!has_only(s, " time node recover ") || !has(s, "time") || !has(s, "node") ||
        !read_whole(s, "time", 0, LATEST, &into->time) ||
        !read_small(s, "node", 0, node_count - 1, &into->node) ||
        (!is_forever && !read_whole(s, "recover", 0, LATEST, &into->recover)))
        return false;
    return into->recover > into->time || refuse_field(s, "recover");
}

static bool read_failures(const source *top)
{
    naive_dag_scenario *scenario = &top->document->scenario;
    uint32_t node_count = 0;
    json_t *list;
    if (!read_list(top, "failures", 0, SIZE_MAX, &list))
        return false;
    for (uint32_t g = 0; g < scenario->group_count; g++)
        node_count += scenario->nodes[g].count;
    naive_dag_failure *failures = list_of(top->document, json_array_size(list), sizeof *failures);
    for (size_t i = 0; i < json_array_size(list); i++) {
        source s = element(top, "failures", list, i);
        if (!read_failure(&s, node_count, &failures[i]))
            return false;
    }
    scenario->failures = failures;
    scenario->failure_count = (uint32_t)json_array_size(list);
    return true;
}

/* ---- parameters ---- */

static bool read_numbers_of_params(const source *s, naive_dag_params *p)
{
    uint64_t alpha = (uint64_t)(int64_t)p->alpha_permille;
    bool is_read = read_whole(s, "seed", 0, LATEST, &p->seed) &&
                   read_small(s, "factor_lo", 1, 1000000, &p->factor_lo) &&
                   read_small(s, "factor_hi", 1, 1000000, &p->factor_hi) &&
                   read_small(s, "est_lo", 1, 1000000, &p->est_lo) &&
                   read_small(s, "est_hi", 1, 1000000, &p->est_hi) &&
                   read_whole(s, "start_ms", 0, AMOUNT_MOST, &p->start_ms) &&
                   read_whole(s, "alpha_permille", -4000, 4000, &alpha) &&
                   read_small(s, "tetris_m_permille", 0, 1000000, &p->tetris_m_permille) &&
                   read_whole(s, "tick_ms", 1, AMOUNT_MOST, &p->tick_ms) &&
                   read_small(s, "max_kills_per_task", 0, 1000000, &p->max_kills_per_task) &&
                   read_small(s, "running_most", 0, UINT32_MAX, &p->running_most) &&
                   read_whole(s, "move_ms", 0, AMOUNT_MOST, &p->move_ms) &&
                   read_whole(s, "fresh_ms", 0, AMOUNT_MOST, &p->fresh_ms) &&
                   read_whole(s, "max_time_ms", 0, LATEST, &p->max_time_ms);
    p->alpha_permille = (int32_t)(int64_t)alpha;
    return is_read;
}

static bool read_words_of_params(const source *s, naive_dag_params *p)
{
    static const char *const placements[] = {"first", "best", "spread", NULL};
    static const char *const orders[] = {"depth", "index", "work", "ready", NULL};
    static const char *const executors[] = {"none", "free", "sticky", NULL};
    static const char *const shares[] = {"job", "queue", NULL};
    static const char *const firsts[] = {"longest", "shortest", NULL};
    uint32_t placement = 0;
    uint32_t order = 0;
    uint32_t share = 0;
    uint32_t first = 0;
    uint32_t mode = 0;
    bool is_read = read_word(s, "placement", placements, &placement) &&
                   read_word(s, "order", orders, &order) &&
                   read_word(s, "executors", executors, &mode) &&
                   read_word(s, "share_by", shares, &share) &&
                   read_word(s, "cp_first", firsts, &first) &&
                   read_truth(s, "backfill", &p->backfill) && read_truth(s, "preempt", &p->preempt);
    p->placement = (enum naive_dag_placement)placement;
    p->order = (enum naive_dag_order)order;
    p->executors = (enum naive_dag_executors)mode;
    p->share_by_queue = share == 1;
    p->shortest_first = first == 1;
    return is_read;
}

static bool are_params_known(const source *s)
{
    static const char names[] =
        " placement order backfill share_by seed factor_lo factor_hi est_lo est_hi start_ms"
        " cp_first alpha_permille tetris_m_permille preempt tick_ms max_kills_per_task"
        " max_time_ms running_most executors move_ms fresh_ms ";
    const char *name;
    json_t *value;
    if (!json_is_object(s->object))
        return refuse(s->document, "params");
    json_object_foreach((json_t *)s->object, name, value)
    {
        char word[PATH];
        snprintf(word, sizeof word, " %s ", name);
        if (strchr(name, ' ') || !strstr(names, word))
            return refuse_field(s, name);
    }
    return true;
}

static bool read_params(const source *top)
{
    naive_dag_params *p = &top->document->scenario.params;
    source s = {top->document, json_object_get(top->object, "params"), "params"};
    *p = naive_dag_defaults();
    if (!s.object)
        return true;
    if (!are_params_known(&s) || !read_numbers_of_params(&s, p) || !read_words_of_params(&s, p))
        return false;
    return (p->factor_lo <= p->factor_hi && p->est_lo <= p->est_hi) ||
           refuse(top->document, "params");
}

/* ---- stages ---- */

static bool read_durations(const source *s, naive_dag_stage *into)
{
    json_t *list;
    bool is_plain = json_object_get(s->object, "tasks") || json_object_get(s->object, "duration");
    if (!read_list(s, "durations", 1, TASKS_MOST, &list))
        return false;
    if (!list)
        return has(s, "tasks") && has(s, "duration") &&
               read_small(s, "tasks", 1, TASKS_MOST, &into->tasks) &&
               read_whole(s, "duration", 0, AMOUNT_MOST, &into->duration);
    if (is_plain)
        return refuse(s->document, "%s", s->path);
    uint64_t *durations = list_of(s->document, json_array_size(list), sizeof *durations);
    into->durations = durations;
    into->tasks = (uint32_t)json_array_size(list);
    return read_numbers(s, "durations", list, AMOUNT_MOST, durations);
}

static bool fits_on_a_node(const naive_dag_scenario *s, const uint64_t *demand)
{
    for (uint32_t g = 0; g < s->group_count; g++) {
        bool fits = true;
        for (uint32_t r = 0; r < s->resource_count; r++)
            fits = fits && demand[r] <= s->nodes[g].capacity[r];
        if (fits)
            return true;
    }
    return false;
}

static bool read_demand(const source *s, naive_dag_stage *into)
{
    uint64_t all = 0;
    if (!read_vector(s, "demand", into->demand))
        return false;
    for (uint32_t r = 0; r < s->document->scenario.resource_count; r++)
        all |= into->demand[r];
    return (all != 0 && fits_on_a_node(&s->document->scenario, into->demand)) ||
           refuse_field(s, "demand");
}

static bool read_parents(const source *s, uint32_t index, uint32_t stages, naive_dag_stage *into)
{
    json_t *list;
    if (!read_list(s, "parents", 0, SIZE_MAX, &list))
        return false;
    uint32_t *parents = list_of(s->document, json_array_size(list), sizeof *parents);
    bool *is_parent = naive_dag_zeroed(stages, sizeof *is_parent);
    bool is_legal = true;
    for (size_t i = 0; i < json_array_size(list) && is_legal; i++) {
        source parent = element(s, "parents", list, i);
        if (!is_whole(parent.object, 0, (int64_t)stages - 1)) {
            is_legal = refuse(s->document, "%s", parent.path);
            break;
        }
        parents[i] = (uint32_t)json_integer_value(parent.object);
        if (parents[i] == index || is_parent[parents[i]])
            is_legal = refuse_field(s, "parents");
        is_parent[parents[i]] = true;
    }
    free(is_parent);
    into->parents = parents;
    into->parent_count = (uint32_t)json_array_size(list);
    return is_legal;
}

static bool read_stage(const source *s, uint32_t index, uint32_t stages, naive_dag_stage *into)
{
    const char *name;
    *into = (naive_dag_stage){.start_ms = NEVER};
    return has_only(s, " tasks duration durations demand parents estimate start_ms name ") &&
           read_durations(s, into) && read_demand(s, into) &&
           read_parents(s, index, stages, into) &&
           read_whole(s, "estimate", 1, AMOUNT_MOST, &into->estimate) &&
           read_whole(s, "start_ms", 0, AMOUNT_MOST, &into->start_ms) &&
           read_text(s, "name", &name);
}

/* Takes away stages without parents left until there is none; of a cycle, all remain. */
static bool has_cycle(const naive_dag_job *j)
{
    bool *is_gone = naive_dag_zeroed(j->stage_count, sizeof *is_gone);
    uint32_t left = j->stage_count;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t s = 0; s < j->stage_count; s++) {
            bool is_held = is_gone[s];
            for (uint32_t p = 0; p < j->stages[s].parent_count; p++)
                is_held = is_held || !is_gone[j->stages[s].parents[p]];
            if (is_held)
                continue;
            is_gone[s] = changed = true;
            left--;
        }
    }
    free(is_gone);
    return left > 0;
}

static bool read_stages(const source *s, naive_dag_job *into)
{
    size_t edges = 0;
    json_t *list;
    if (!has(s, "stages") || !read_list(s, "stages", 1, STAGES_MOST, &list))
        return false;
    into->stage_count = (uint32_t)json_array_size(list);
    naive_dag_stage *stages = list_of(s->document, into->stage_count, sizeof *stages);
    into->stages = stages;
    for (uint32_t i = 0; i < into->stage_count; i++) {
        source of = element(s, "stages", list, i);
        if (!read_stage(&of, i, into->stage_count, &stages[i]))
            return false;
        edges += stages[i].parent_count;
    }
    return (edges <= EDGES_MOST && !has_cycle(into)) || refuse_field(s, "stages");
}

/* ---- jobs ---- */

static bool read_queue_of_job(const source *s, naive_dag_job *into)
{
    naive_dag_document *d = s->document;
    const char *name = "default";
    if (!read_text(s, "queue", &name))
        return false;
    into->queue = find_queue(d, name);
    if (into->queue < d->queue_count)
        return true;
    if (d->scenario.queue_count > 0 || name[0] == '\0' || d->queue_count == QUEUES_MOST)
        return refuse_field(s, "queue");
    d->queues[d->queue_count++] = name;
    return true;
}

static bool read_job(const source *s, naive_dag_job *into)
{
    const char *label;
    *into = (naive_dag_job){.weight = 1, .deadline = NEVER};
    return has_only(s, " arrival weight priority queue deadline name group stages ") &&
           has(s, "arrival") && read_whole(s, "arrival", 0, LATEST, &into->arrival) &&
           read_small(s, "weight", 1, 1000000, &into->weight) &&
           read_whole(s, "deadline", 0, LATEST, &into->deadline) && read_text(s, "name", &label) &&
           read_text(s, "group", &label) && read_queue_of_job(s, into) && read_stages(s, into);
}

static bool read_jobs(const source *top)
{
    naive_dag_scenario *scenario = &top->document->scenario;
    json_t *list;
    if (!has(top, "jobs") || !read_list(top, "jobs", 1, UINT32_MAX, &list))
        return false;
    scenario->job_count = (uint32_t)json_array_size(list);
    naive_dag_job *jobs = list_of(top->document, scenario->job_count, sizeof *jobs);
    scenario->jobs = jobs;
    for (uint32_t i = 0; i < scenario->job_count; i++) {
        source s = element(top, "jobs", list, i);
        if (!read_job(&s, &jobs[i]))
            return false;
    }
    uint32_t large = naive_dag_too_large(scenario);
    return large == scenario->job_count || refuse(top->document, "jobs[%u]", large);
}

/* ---- the scenario ---- */

static bool read_names(const source *top)
{
    const char *kind = "dag";
    const char *name;
    enum policy policy;
    top->document->scenario.policy = "fifo";
    if (!read_text(top, "model", &kind) || !read_text(top, "name", &name) ||
        !read_text(top, "policy", &top->document->scenario.policy))
        return false;
    if (strcmp(kind, "dag") != 0)
        return refuse_field(top, "model");
    return naive_dag_find_policy(top->document->scenario.policy, &policy) ||
           refuse_field(top, "policy");
}

bool naive_dag_read(naive_dag_document *into, const json_t *from)
{
    source top = {into, from, ""};
    *into = (naive_dag_document){.refused = ""};
    return has_only(&top, " model policy resources nodes queues params jobs failures name ") &&
           read_names(&top) && read_resources(&top) && read_nodes(&top) && read_queues(&top) &&
           read_params(&top) && read_jobs(&top) && read_failures(&top);
}

void naive_dag_forget(naive_dag_document *document)
{
    for (size_t i = 0; i < document->block_count; i++)
        free(document->blocks[i]);
    free(document->blocks);
}
