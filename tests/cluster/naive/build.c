/* See cluster.h: nodes and jobs before anything happens. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* One step of mix (CL8). */
static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = h ^ x;
    h = h * 0xBF58476D1CE4E5B9u;
    h ^= h >> 27;
    h = h * 0x94D049BB133111EBu;
    h ^= h >> 31;
    return h;
}

uint64_t naive_mix(size_t count, const uint64_t *words)
{
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < count; i++)
        h = mixed(h, words[i]);
    return h;
}

void *naive_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        abort();
    return memory;
}

/* ---- building ---- */

static void build_nodes(model *m)
{
    const pn_scheduler_config *c = &m->scenario->config.scheduler;
    for (uint32_t g = 0; g < c->nodes_count; g++)
        m->node_count += c->nodes[g].count;
    m->nodes = naive_zeroed(m->node_count, sizeof *m->nodes);
    uint32_t next = 0;
    for (uint32_t g = 0; g < c->nodes_count; g++) {
        for (uint32_t i = 0; i < c->nodes[g].count; i++) {
            node_state *n = &m->nodes[next++];
            n->slots[MAP] = c->nodes[g].map_slots;
            n->slots[REDUCE] = c->nodes[g].reduce_slots;
            n->speed = c->nodes[g].speed > 0 ? c->nodes[g].speed : 1000; /* CL2 */
            n->up = true;
            for (int kind = MAP; kind <= REDUCE; kind++)
                n->slot[kind] = naive_zeroed(n->slots[kind], sizeof **n->slot);
            m->slots[MAP] += n->slots[MAP];
            m->slots[REDUCE] += n->slots[REDUCE];
        }
    }
}

/* CL8 */
static void draw_replicas(const model *m, job *j, uint32_t map)
{
    uint32_t wanted = (uint32_t)least(m->scenario->config.replication, m->node_count);
    for (uint64_t c = 0; j->replica_count[map] < wanted; c++) {
        const uint64_t words[] = {m->scenario->config.seed, 2, j->index, map, c};
        uint32_t n = (uint32_t)(naive_mix(5, words) % m->node_count);
        if (!naive_holds_input(j, map, n))
            j->replicas[map][j->replica_count[map]++] = n;
    }
}

static void place_input(const model *m, job *j)
{
    const uint32_t *listed = j->given->blocks;
    j->replicas = naive_zeroed(j->count[MAP], sizeof *j->replicas);
    j->replica_count = naive_zeroed(j->count[MAP], sizeof *j->replica_count);
    for (uint32_t i = 0; i < j->count[MAP]; i++) {
        j->replicas[i] = naive_zeroed(m->node_count, sizeof **j->replicas);
        if (!listed) {
            draw_replicas(m, j, i);
            continue;
        }
        j->replica_count[i] = j->given->block_counts[i];
        memcpy(j->replicas[i], listed, j->replica_count[i] * sizeof *listed);
        listed += j->replica_count[i];
    }
}

static void build_jobs(model *m)
{
    m->job_count = (uint32_t)m->scenario->job_count;
    m->jobs = naive_zeroed(m->job_count, sizeof *m->jobs);
    m->order = naive_zeroed(m->job_count, sizeof *m->order);
    m->taken = naive_zeroed(m->job_count, sizeof *m->taken);
    for (uint32_t k = 0; k < m->job_count; k++) {
        job *j = &m->jobs[k];
        j->given = &m->scenario->jobs[k];
        j->index = k;
        j->count[MAP] = j->given->maps;
        j->count[REDUCE] = j->given->reduces;
        j->map_finish = j->finish = j->skip_since = j->promise = NEVER;
        for (int kind = MAP; kind <= REDUCE; kind++) {
            j->tasks[kind] = naive_zeroed(2 * (size_t)j->count[kind], sizeof **j->tasks);
            j->in_state[kind][PENDING] = j->in_state[kind][ABSENT] = j->count[kind];
            for (uint32_t i = j->count[kind]; i < 2 * j->count[kind]; i++)
                j->tasks[kind][i].state = ABSENT;
            j->first_start[kind] = NEVER;
            j->slots_at[kind] = naive_zeroed((size_t)m->slots[kind], sizeof **j->slots_at);
        }
        place_input(m, j);
    }
}

void naive_destroy(model *m)
{
    for (uint32_t k = 0; k < m->job_count; k++) {
        job *j = &m->jobs[k];
        for (uint32_t i = 0; i < j->count[MAP]; i++)
            free(j->replicas[i]);
        free(j->replicas);
        free(j->replica_count);
        free(j->tasks[MAP]);
        free(j->tasks[REDUCE]);
        free(j->slots_at[MAP]);
        free(j->slots_at[REDUCE]);
    }
    free(m->jobs);
    free(m->order);
    free(m->taken);
    for (uint32_t n = 0; n < m->node_count; n++) {
        free(m->nodes[n].slot[MAP]);
        free(m->nodes[n].slot[REDUCE]);
    }
    free(m->nodes);
}

void naive_build(model *m)
{
    build_nodes(m);
    build_jobs(m);
    naive_prepare_deadlines(m);
}
