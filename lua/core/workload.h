/* What the files behind the userdata "pinion.Workload" share. */
#ifndef PINION_CORE_WORKLOAD_H
#define PINION_CORE_WORKLOAD_H

#include <lauxlib.h>

#include "model.h"
#include "workload/fields.h"
#include "workload/swf.h"
#include "workload/swim.h"
#include "workload/distribution.h"

typedef struct workload {
    source *work; /* null only while it is being made */
} workload;

/* Pushes a workload. The handle is made before the source, which goes into it at once: an error in
 * between frees both. */
workload *workload_push(lua_State *L);
int workload_out_of_memory(lua_State *L);
/* Returns whether Ctrl-C was pressed, asked now and then in a loop over so many jobs. */
int workload_interrupted(lua_Integer jobs);

/* Reads field `name` of argument 1: a text, or a table with one as its field `text`. Null, or what
 * is wrong with it, on top of the stack. What holds the distribution is left there: a source keeps
 * a copy of its own. */
const char *workload_distribution(lua_State *L, const char *name, distribution *into,
                                  enum distribution_use use);
void ldistribution_open(lua_State *L);
void lchanged_open(lua_State *L);
void lswf_open(lua_State *L);

/* Pushes a table of what a trace reader counted. */
void workload_push_summary(lua_State *L, const swim_summary *summary, uint64_t jobs);

/* Pushes a job of the model as a table; null, or why there is none. `state` is what the model keeps
 * from job to job. */
typedef const char *workload_push_job(lua_State *L, const source *work, void *job, void *state);
/* Pushes an array of all jobs, at most `limit`, or nil and why there is none; `job` is where the
 * source puts each of them. With a function as argument 3 each job goes to it, until it returns
 * false, and the array is empty. */
int workload_push_jobs(lua_State *L, source *work, lua_Integer limit, void *job,
                       workload_push_job *push, void *state);

/* ---- jobs by the rows of their fields (workload_jobs.c) -------------------------------------- */

/* What the rows do not say of a table of jobs. */
typedef struct workload_table {
    /* a copy; 0 when memory is short; null: `read` adds it */
    int (*add)(source *table, const void *job);
    /* Reads the fields that only this model has from the table at stack index `at`; null: there are
     * none. */
    void (*read)(lua_State *L, int at, source *table, void *job);
} workload_table;

/* Takes the arguments of a maker: the array of jobs at index 1, by arrival, and one of the model's.
 * Lays out the stack; the source goes into the workload that is returned, on top of it. */
workload *workload_begin_table(lua_State *L);
/* Reads the jobs into the source. What a maker returns. */
int workload_read_table(lua_State *L, const job_model *model, source *table,
                        const workload_table *into);
/* Pushes a table of a job's fields, but for those that are the model's own. */
void workload_push_fields(lua_State *L, const job_model *model, const void *job);
/* Reads 0 or an amount of the tandem model in the table there; 0 when missing. */
double field_amount(lua_State *L, int table, const char *name);
/* job_fields(model) -> the rows of its jobs' fields, in the order of csv columns. */
int core_job_fields(lua_State *L);
/* job_checker(model) -> a function (job) -> a table of the numbers that are as the rows say, and
 * the numbers of the rows of which the job has something else: for messages, lists, and attributes
 * of the same name. */
int core_job_checker(lua_State *L);

/* Statistics of a quantity that jobs have. */
typedef struct counted {
    pn_stats *stats;
    double sum;
} counted;

/* Makes room for so many, in a userdata on top of the stack that keeps it. */
void workload_count_quantities(lua_State *L, counted *quantities, int count);
void counted_add(counted *quantity, double amount);
/* Sets them as a table in the table on top of the stack. */
void workload_set_counted(lua_State *L, const char *name, const counted *quantity);

/* What jobs need of a cluster: nodes, as one lists the last of them; 1: there may be reduces. */
typedef struct cluster_needs {
    uint64_t nodes;
    int reduces;
} cluster_needs;

/* What each model brings: the methods totals, job and jobs, which find their source and their
 * arguments checked, and its makers. */
typedef struct workload_model {
    const job_model *job;
    int (*is_table)(const source *work); /* whether jobs can be had by number */
    int (*totals)(lua_State *L, source *work);
    int (*at)(lua_State *L, source *work, uint64_t index);
    int (*jobs)(lua_State *L, source *work, lua_Integer limit);
    const luaL_Reg *makers;
    /* The same jobs with errors in their sizes, null when memory is short; null: the model has no
     * such errors. */
    source *(*with_errors)(source *truth, const distribution *factor, uint64_t seed,
                           uint32_t replica);
    const struct changed_model *changes; /* changed.h; null: its jobs do not arrive */
    /* A script whose jobs the source has is about to make the first: sets what stands in front of
     * the model's sources; null: nothing does. */
    void (*scripted)(source *self, const pn_lua_workload *script);
    uint64_t (*ticks)(const source *work);      /* null: times are not in ticks */
    cluster_needs (*needs)(const source *work); /* null: there is no cluster */
    /* A batch is planned with all its jobs known, so that a script makes them at once: an empty
     * table for them, null when memory is short, and what adds a copy of a job to it, 0 when memory
     * is short. Null: jobs of scripts are made one by one. */
    source *(*batch)(uint64_t ticks);
    int (*add)(source *table, const void *job);
    /* The jobs of a trace in the Standard Workload Format, as the argument table at index 1 says;
     * null when memory is short. Null: the model reads none. */
    source *(*of_swf)(lua_State *L, const swf_trace *trace);
} workload_model;

#endif
