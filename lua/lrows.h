/* Per-job rows and streaming statistics as Lua sees them. */
#ifndef PINION_LROWS_H
#define PINION_LROWS_H

#include "lpinion.h"

typedef struct row {
    uint64_t arrival, map_finish;
    uint64_t finish; /* 0 = not finished */
    uint32_t group;
} row;

/* The userdata "pinion.Rows"; row i is that of job i + 1. */
typedef struct rows {
    row *cells;
    size_t count, room;
    uint64_t *sorted; /* flow times in ascending order, made when a quantile is first asked for */
    size_t sorted_count;
    size_t skipped; /* jobs of the warm-up, the first ones: neither quantiles nor counts are of them */
} rows;

rows *rows_push(lua_State *L);
/* For a run, which is plain C: 0 when memory is short. */
int rows_add(rows *self, uint64_t arrival, uint32_t group);
void rows_clear(rows *self);
/* Takes over `count` cells from malloc in place of its own. */
void rows_take(rows *self, row *cells, size_t count);

/* A copy of the statistics as "pinion.Stats". */
void stats_push(lua_State *L, const pn_stats *stats);

#endif
