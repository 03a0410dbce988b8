/* A make in small, and a host of the dispatch core (pn_dispatch.h) with real processes: it reads a
 * file of rules, and the core says which command starts next. A target that is asked for is a job,
 * each rule that it needs and that is not up to date is a stage of it with one task, the rule's
 * commands, which takes one of N slots. README.md says what such a file may hold.
 *
 * main.c    options
 * rules.c   the file of rules
 * plan.c    what is out of date, and which rules a target needs
 * host.c    the loop: ends of processes become events to the core, its decisions become processes
 * report.c  the table, the decision log, the scenario
 * ../common what it shares with the other host
 *
 *   make build/buildrunner
 * or
 *   cc -std=c11 -Ikernel/include -Ilua/include examples/buildrunner/?*.c examples/common/?*.c \
 *      build/libpinion-lua.a build/libpinion.a $(pkg-config --cflags --libs lua5.4) -lm \
 *      -o buildrunner && ./buildrunner -j 4 FILE */
#ifndef BUILDRUNNER_H
#define BUILDRUNNER_H

#include "../common/common.h"

enum { FILES_MOST = 1 << 16 };

/* A file that rules name: a target, or what one needs. */
typedef struct br_file {
    char *name;
    uint32_t line;   /* of its rule; 0: it has none */
    uint32_t *needs; /* files, in the order of the rule */
    uint32_t need_count;
    char *command; /* for sh -c; null: none */
    int is_phony;  /* a name only: always out of date */
    /* CLEAN: there is nothing to do for it; DUE: its commands are to run, and it belongs to no
     * job; TAKEN: to one that is in the system */
    enum { UNSEEN, SEEING, CLEAN, DUE, TAKEN, DONE, FAILED } state;
    uint64_t newest; /* ns: when it changed last; without commands, when what it needs did */
    uint64_t estimate, took; /* ms */
    uint32_t failures;       /* of its commands */
    uint32_t stage;          /* index in its job */
    uint32_t mark;           /* of the last walk that came here */
} br_file;

/* A target that was asked for. */
typedef struct br_job {
    uint32_t target;
    /* WAITS: for rules of other jobs, or not looked at yet; FRESH: there was nothing to do */
    enum { WAITS, RUNS, MADE, FRESH, MISSED } state;
    uint32_t *stages; /* files */
    uint32_t stage_count;
    pn_dispatch_stage *about; /* of the stages, and their parents */
    uint32_t *parents;
    uint32_t parents_count;
    pn_dispatch_record record;
    int is_broken; /* commands of its failed for the last time, and it is to be cancelled */
} br_job;

typedef struct br_plan {
    const char *name; /* of the file of rules */
    br_file *files;
    uint32_t file_count, mark;
    br_job *jobs;
    uint32_t job_count;
    uint32_t slots, retries;
    int keeps_going;
    const char *policy_name; /* as the user wrote it */
    const pn_dispatch_policy *policy;
    double params[PN_PARAMS_MAX];
    lua_file lua; /* where the policy is written in Lua */
    input_log inputs;
    FILE *log;
} br_plan;

/* Functions that return an int return 0, or -1 with a message on standard error, unless they say
 * otherwise. */

/* ---- rules.c --------------------------------------------------------------------------------- */

int read_rules(br_plan *plan);
/* The file of this name, which is new where there is none; FILES_MOST without memory. */
uint32_t file_of(br_plan *plan, const char *name);
/* The first target of the file of rules; FILES_MOST when there is none. */
uint32_t first_target(const br_plan *plan);
void free_plan(br_plan *plan);

/* ---- plan.c ---------------------------------------------------------------------------------- */

/* Says which files that the target needs are out of date: CLEAN or DUE. */
int look(br_plan *plan, uint32_t target);
/* Forgets what was seen, but for what failed. */
void look_again(br_plan *plan);
/* BLOCKED: another job has a rule that this one needs; NOTHING: no rule is left to run. */
enum { BLOCKED, NOTHING, READY };
/* Collects the job's stages: the rules that it needs and no other job has, except those that depend
 * on a failed rule. Unless it returns READY, the job keeps those that it had; -1 without memory. */
int gather(br_plan *plan, br_job *job);

/* ---- host.c ---------------------------------------------------------------------------------- */

/* Runs all jobs: 0; 1 when a target was not made; 130 after Ctrl-C; -1. */
int host_run(br_plan *plan);
/* The numbers of the core when it is over. */
typedef struct br_result {
    pn_dispatch_totals totals;
    uint64_t digest;
} br_result;
extern br_result result;

/* ---- report.c -------------------------------------------------------------------------------- */

void report_table(const br_plan *plan);
void log_start(const br_plan *plan, const pn_dispatch_order *order);
void log_event(const br_plan *plan, const pn_dispatch_event *event);
void log_end(const br_plan *plan);
void write_scenario(FILE *file, const br_plan *plan);

#endif
