/* The longest path through the stages of a job: stages are gone through in an order in which
 * parents come first, whatever their numbers are. */
#include "path.h"

#include <stdlib.h>
#include <string.h>

/* Of a stage: the longest path to its beginning, where its children begin, how many of its parents
 * are left; and the stages in order. */
typedef struct path_stage {
    double reach;
    size_t children;
    uint32_t left, order;
} path_stage;

static int make_room(void **array, size_t count, size_t *room, size_t element)
{
    while (*room < count)
        if (!source_grow(array, *room, room, element))
            return 0;
    return 1;
}

/* Returns whether it is a stage. What users write is checked later, when the job is handed over. */
static int is_stage(const pn_dag_job *job, uint32_t parent)
{
    return parent < job->stage_count;
}

static size_t edges_of(const pn_dag_job *job)
{
    size_t edges = 0;
    for (uint32_t s = 0; s < job->stage_count; s++)
        edges += job->stages[s].parent_count;
    return edges;
}

/* Lists the children of all stages, those of one behind those of the one ahead of it; stages[count]
 * is where they end. */
static void list_children(const pn_dag_job *job, path_stage *stages, uint32_t *children)
{
    uint32_t count = job->stage_count;
    memset(stages, 0, (count + (size_t)1) * sizeof *stages);
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t i = 0; i < job->stages[s].parent_count; i++)
            if (is_stage(job, job->stages[s].parents[i])) {
                stages[job->stages[s].parents[i]].children++;
                stages[s].left++;
            }
    for (uint32_t s = 1; s <= count; s++)
        stages[s].children += stages[s - 1].children;
    for (uint32_t s = count; s-- > 0;)
        for (uint32_t i = 0; i < job->stages[s].parent_count; i++)
            if (is_stage(job, job->stages[s].parents[i]))
                children[--stages[job->stages[s].parents[i]].children] = s;
}

/* Begins with the stages without parents, which are first in the order; how many there are. */
static uint32_t begin(const pn_dag_job *job, path_stage *stages)
{
    uint32_t ready = 0;
    for (uint32_t s = 0; s < job->stage_count; s++)
        if (stages[s].left == 0)
            stages[ready++].order = s;
    return ready;
}

static double walk(const pn_dag_job *job, const double *lengths, path_stage *stages,
                   const uint32_t *children)
{
    uint32_t ready = begin(job, stages);
    double longest = 0.0;
    for (uint32_t done = 0; done < ready; done++) {
        uint32_t s = stages[done].order;
        double end = stages[s].reach + lengths[s];
        longest = end > longest ? end : longest;
        for (size_t i = stages[s].children; i < stages[s + 1].children; i++) {
            path_stage *child = &stages[children[i]];
            child->reach = end > child->reach ? end : child->reach;
            if (--child->left == 0)
                stages[ready++].order = children[i];
        }
    }
    return ready == job->stage_count ? longest : 0.0;
}

double dag_longest_path(const pn_dag_job *job, const double *lengths, dag_path_room *room)
{
    if (!make_room(&room->stages, job->stage_count + (size_t)1, &room->stage_room,
                   sizeof(path_stage)) ||
        !make_room(&room->edges, edges_of(job) + 1, &room->edge_room, sizeof(uint32_t)))
        return -1.0;
    list_children(job, room->stages, room->edges);
    return walk(job, lengths, room->stages, room->edges);
}

void dag_path_room_free(dag_path_room *room)
{
    free(room->stages);
    free(room->edges);
}
