/* Scenarios of the naive dag model from JSON, with what DG30 refuses. */
#ifndef NAIVE_DAG_JSON_H
#define NAIVE_DAG_JSON_H

#include <jansson.h>

#include "naive.h"

typedef struct naive_dag_document {
    naive_dag_scenario scenario; /* texts of it belong to the JSON, lists to this document */
    const char **queues;         /* names by the `queue` of jobs: an index or a label */
    uint32_t queue_count;
    char refused[120]; /* the path of the field that is refused; "" = the scenario as a whole */
    void **blocks;     /* memory of the lists */
    size_t block_count, block_room;
} naive_dag_document;

/* False when it is refused. The document is to be forgotten in any case. */
bool naive_dag_read(naive_dag_document *into, const json_t *from);
void naive_dag_forget(naive_dag_document *document);

#endif
