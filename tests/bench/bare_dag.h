/* What the dag model is measured against: a bare list scheduler, which has no keys and records no
 * decisions and no digest; and the jobs of both, of 1 to 20 stages with two tasks each on average
 * and 32 different demands. */
#ifndef BARE_DAG_H
#define BARE_DAG_H

#include "bench.h"

enum { NODES = 10000, JOBS = 1000000, CPU = 16000, MEMORY = 65536, STAGES_MOST = 20 };

/* ---- the workload ---- */

typedef struct dag_source {
    pn_stream stream;
    uint32_t stages_most;
    uint64_t arrival; /* in thousandths of a ms */
    uint64_t gap;     /* mean, the same */
    pn_dag_stage stages[STAGES_MOST];
    uint32_t parents[STAGES_MOST][2];
} dag_source;

/* A job takes 10.5 * 2 tasks of 30 s with 1.9 of 16 cores in the mean. */
static inline dag_source dag_source_of(uint32_t nodes, double load)
{
    double job_ms = 21.0 * 30000 * 1875 / CPU / nodes;
    dag_source made = {.stages_most = STAGES_MOST, .gap = (uint64_t)(1000 * job_ms / load)};
    pn_stream_init(&made.stream, 5, 0, 0);
    return made;
}

static inline void dag_draw_stage(dag_source *from, uint32_t stage)
{
    pn_dag_stage *it = &from->stages[stage];
    *it = (pn_dag_stage){.demand = {(uint64_t)500 << pn_uniform(&from->stream, 0, 3),
                                    512 * pn_uniform(&from->stream, 1, 8)},
                         .duration = pn_uniform(&from->stream, 1000, 59000),
                         .parents = from->parents[stage],
                         .tasks = (uint32_t)pn_uniform(&from->stream, 1, 3)};
    if (stage > 0)
        from->parents[stage][it->parent_count++] = (uint32_t)pn_uniform(&from->stream, 0,
                                                                        stage - 1);
}

static inline pn_dag_job dag_next_job(dag_source *from)
{
    uint32_t count = (uint32_t)pn_uniform(&from->stream, 1, from->stages_most);
    for (uint32_t i = 0; i < count; i++)
        dag_draw_stage(from, i);
    from->arrival += pn_uniform(&from->stream, 0, 2 * from->gap);
    return (pn_dag_job){
        .arrival = from->arrival / 1000, .stages = from->stages, .stage_count = count};
}

/* ---- the bare list scheduler ---- */

/* Stages in order of arrival, tasks on the next node with room, and nobody passes the first. */
typedef struct dag_bare_stage {
    uint64_t demand[2], ms;
    uint32_t tasks, done, parent, children; /* of the job: first of its children + 1, next one */
    uint32_t sibling;
} dag_bare_stage;

typedef struct dag_bare_end {
    uint64_t time;
    uint32_t stage, node;
} dag_bare_end;

typedef struct dag_bare {
    uint64_t (*free)[2];
    dag_bare_stage *stages;
    uint32_t *ready;
    dag_bare_end *heap;
    uint32_t nodes, cursor;
    size_t ends, stage_count, first, last, launched;
} dag_bare;

static inline void dag_bare_push(dag_bare *it, dag_bare_end end)
{
    size_t at = it->ends++;
    for (; at > 0 && it->heap[(at - 1) / 2].time > end.time; at = (at - 1) / 2)
        it->heap[at] = it->heap[(at - 1) / 2];
    it->heap[at] = end;
}

static inline dag_bare_end dag_bare_pop(dag_bare *it)
{
    dag_bare_end top = it->heap[0], moved = it->heap[--it->ends];
    size_t at = 0, child;
    for (; (child = 2 * at + 1) < it->ends; at = child) {
        child += child + 1 < it->ends && it->heap[child + 1].time < it->heap[child].time;
        if (it->heap[child].time >= moved.time)
            break;
        it->heap[at] = it->heap[child];
    }
    it->heap[at] = moved;
    return top;
}

static inline bool dag_bare_fits(const dag_bare *it, const dag_bare_stage *stage, uint32_t node)
{
    return it->free[node][0] >= stage->demand[0] && it->free[node][1] >= stage->demand[1];
}

static inline void dag_bare_dispatch(dag_bare *it, uint64_t time)
{
    while (it->first < it->last) {
        dag_bare_stage *stage = &it->stages[it->ready[it->first]];
        uint32_t tried = 0;
        while (tried < it->nodes && !dag_bare_fits(it, stage, it->cursor)) {
            it->cursor = (it->cursor + 1) % it->nodes;
            tried++;
        }
        if (tried == it->nodes)
            return;
        it->free[it->cursor][0] -= stage->demand[0];
        it->free[it->cursor][1] -= stage->demand[1];
        dag_bare_push(it, (dag_bare_end){time + stage->ms, it->ready[it->first], it->cursor});
        it->launched++;
        if (--stage->tasks == 0)
            it->first++;
    }
}

static inline void dag_bare_end_of(dag_bare *it, dag_bare_end end)
{
    dag_bare_stage *stage = &it->stages[end.stage];
    it->free[end.node][0] += stage->demand[0];
    it->free[end.node][1] += stage->demand[1];
    if (--stage->done == 0)
        for (uint32_t child = stage->children; child != 0; child = it->stages[child - 1].sibling)
            it->ready[it->last++] = child - 1;
}

static inline void dag_bare_advance(dag_bare *it, uint64_t until)
{
    while (it->ends > 0 && it->heap[0].time < until) {
        uint64_t time = it->heap[0].time;
        while (it->ends > 0 && it->heap[0].time == time)
            dag_bare_end_of(it, dag_bare_pop(it));
        dag_bare_dispatch(it, time);
    }
}

static inline void dag_bare_submit(dag_bare *it, const pn_dag_job *job)
{
    uint32_t base = (uint32_t)it->stage_count;
    for (uint32_t i = 0; i < job->stage_count; i++) {
        const pn_dag_stage *from = &job->stages[i];
        dag_bare_stage *to = &it->stages[it->stage_count++];
        *to = (dag_bare_stage){
            {from->demand[0], from->demand[1]}, from->duration, from->tasks, from->tasks, 0, 0, 0};
        if (from->parent_count == 0) {
            it->ready[it->last++] = base + i;
            continue;
        }
        dag_bare_stage *parent = &it->stages[base + from->parents[0]];
        to->sibling = parent->children;
        parent->children = base + i + 1;
    }
    dag_bare_dispatch(it, job->arrival);
}

static inline dag_bare dag_bare_new(uint32_t nodes, size_t stages)
{
    dag_bare it = {.nodes = nodes};
    it.free = checked(malloc(nodes * sizeof *it.free));
    it.stages = checked(malloc(stages * sizeof *it.stages));
    it.ready = checked(malloc(stages * sizeof *it.ready));
    it.heap = checked(malloc((size_t)nodes * (CPU / 500) * sizeof *it.heap));
    for (uint32_t n = 0; n < nodes; n++) {
        it.free[n][0] = CPU;
        it.free[n][1] = MEMORY;
    }
    return it;
}

static inline void dag_bare_free(dag_bare *it)
{
    free(it->free);
    free(it->stages);
    free(it->ready);
    free(it->heap);
}

#endif
