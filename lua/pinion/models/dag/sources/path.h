/* The longest path through the stages of a job. */
#ifndef PINION_DAG_SOURCES_PATH_H
#define PINION_DAG_SOURCES_PATH_H

#include "jobs.h"

/* Room that is kept from job to job; zeroed at first. */
typedef struct dag_path_room {
    void *stages, *edges;
    size_t stage_room, edge_room;
} dag_path_room;

/* Returns the largest sum of lengths[stage] along parents and children; 0 where stages wait for
 * each other in a circle, and no path ends. -1 when memory is short. O(stages + edges). */
double dag_longest_path(const pn_dag_job *job, const double *lengths, dag_path_room *room);
void dag_path_room_free(dag_path_room *room);

#endif
