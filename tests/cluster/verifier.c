/* The checker of the cluster model's logs: it has a word for every rule, and it works out by itself
 * how long everything takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/support/workload.h"
#include "support/sweep.h"

/* ---- logs by hand ---- */

#define ENTRY(t, e, i, k, n, o, a)                                                                \
    {                                                                                             \
        .time = (t), .event = PN_SCHEDULER_##e, .id = (i), .kind = (k), .task = (n), .node = (o), \
        .attempt = (a)                                                                            \
    }
#define MAP(t, e, id, task, node, attempt) ENTRY(t, e, id, PN_SCHEDULER_MAP, task, node, attempt)
#define REDUCE(t, e, id, task, node, attempt) \
    ENTRY(t, e, id, PN_SCHEDULER_REDUCE, task, node, attempt)
#define JOB(t, e, id)    ENTRY(t, e, id, 0, 0, 0, 0)
#define NODE(t, e, node) ENTRY(t, e, 0, 0, 0, node, 0)
/* What is expected of a job, and the deadline agreed on, ms after its submission. */
#define BLOCKED(time_, id_, estimate_, deadline_, blocker_)                                  \
    {                                                                                        \
        .time = (time_), .event = PN_SCHEDULER_REJECT, .id = (id_), .estimate = (estimate_), \
        .deadline = (deadline_), .blocker = (blocker_)                                       \
    }
#define EXPECTED(t, e, i, expected, agreed)                                        \
    {                                                                              \
        .time = (t), .event = PN_SCHEDULER_##e, .id = (i), .estimate = (expected), \
        .deadline = (agreed)                                                       \
    }

static const pn_scheduler_nodes two[] = {{2, 1, 1, 1000}}, uneven[] = {{1, 2, 1, 0}, {1, 1, 1, 0}},
                                single[] = {{1, 1, 0, 500}}, double_node[] = {{1, 2, 0, 0}};
static const uint32_t ones[] = {1, 1}, first_node[] = {0, 0};

/* Both inputs of the first job lie on node 0. */
static const pn_cluster_job pair[] = {{.maps = 2,
                                       .reduces = 1,
                                       .map_ms = 10,
                                       .remote_ms = 5,
                                       .reduce_ms = 20,
                                       .shuffle_ms = 8,
                                       .block_counts = ones,
                                       .blocks = first_node},
                                      {.submit = 12, .maps = 1, .map_ms = 4, .remote_ms = 1000}};
static const pn_cluster_job early_pair[] = {{.maps = 2,
                                             .reduces = 1,
                                             .map_ms = 10,
                                             .remote_ms = 5,
                                             .reduce_ms = 20,
                                             .shuffle_ms = 8,
                                             .block_counts = ones,
                                             .blocks = first_node},
                                            {.maps = 1, .map_ms = 4, .remote_ms = 1000}};
static const pn_cluster_job lonely[] = {
    {.submit = 3, .maps = 3, .reduces = 1, .map_ms = 10, .reduce_ms = 6, .shuffle_ms = 4}};
static const pn_cluster_job single_map[] = {{.maps = 1, .map_ms = 9, .reduces = 1}};
static const pn_cluster_job rivals[] = {{.maps = 1, .map_ms = 15},
                                        {.submit = 5, .maps = 1, .map_ms = 5}};
static const pn_cluster_job three_rivals[] = {
    {.maps = 1, .map_ms = 15, .deadline = 35},
    {.submit = 5, .maps = 1, .map_ms = 5, .deadline = 40},
    {.submit = 25, .maps = 1, .map_ms = 5, .deadline = 30}};
static const pn_cluster_job hurried[] = {{.maps = 1, .map_ms = 15, .deadline = 20},
                                         {.submit = 5, .maps = 1, .map_ms = 5}};
static const pn_cluster_job steady[] = {{.maps = 3, .map_ms = 15}};
static const uint64_t unequal[] = {10, 1000000};
static const pn_cluster_job doomed[] = {{.maps = 2, .map_times = unequal}};
static const pn_cluster_job pair_of_maps[] = {{.maps = 2, .reduces = 1}};
static const pn_cluster_job forked[] = {
    {.maps = 1, .reduces = 2, .map_ms = 10, .reduce_ms = 20, .shuffle_ms = 8}};
/* Its reduce has fetched everything long before the node of its map goes down. */
static const pn_cluster_job fetched[] = {{.maps = 1,
                                          .reduces = 1,
                                          .map_ms = 2,
                                          .reduce_ms = 20,
                                          .shuffle_ms = 3,
                                          .block_counts = ones,
                                          .blocks = first_node}};
static const pn_cluster_failure outages[] = {{12, 20, 0}, {5, 18, 1}};

enum { ENTRIES = 24 };

typedef struct sample {
    const pn_scheduler_nodes *nodes;
    const pn_cluster_job *jobs;
    uint32_t job_count, node_groups;
    uint32_t outages, measured, preempts, maps_first, holds, deals, promises, copies, absent;
    uint32_t after_maps, max_kills, fail_permille, attempts_max;
    uint64_t heartbeat_ms, max_time_ms, running_most, restore_ms, save_ms;
    uint32_t maps_per_heartbeat, restore_permille, save_permille;
    pn_scheduler_event entry[ENTRIES]; /* up to the first without an event */
} sample;

#define ON(nodes_, jobs_)                                                                    \
    .nodes = (nodes_), .node_groups = sizeof(nodes_) / sizeof((nodes_)[0]), .jobs = (jobs_), \
    .job_count = sizeof(jobs_) / sizeof((jobs_)[0])

static const sample plain = {
    ON(two, pair),
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(0, LAUNCH, 1, 1, 1, 0),
              MAP(10, END, 1, 0, 0, 0), REDUCE(10, LAUNCH, 1, 0, 0, 0), JOB(12, ACCEPT, 2),
              MAP(12, LAUNCH, 2, 0, 0, 0), MAP(15, END, 1, 1, 1, 0), MAP(16, END, 2, 0, 0, 0),
              JOB(16, JOB_FINISH, 2), REDUCE(35, END, 1, 0, 0, 0), JOB(35, JOB_FINISH, 1)}};
static const sample cut_short = {ON(two, pair), .max_time_ms = 16,
                                 .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                           MAP(0, LAUNCH, 1, 1, 1, 0), MAP(10, END, 1, 0, 0, 0),
                                           REDUCE(10, LAUNCH, 1, 0, 0, 0), JOB(12, ACCEPT, 2),
                                           MAP(12, LAUNCH, 2, 0, 0, 0), MAP(15, END, 1, 1, 1, 0)}};
/* A node takes an attempt and an output with it. */
static const sample outage = {
    ON(two, early_pair), .outages = 1,
    .entry = {JOB(0, ACCEPT, 1), JOB(0, ACCEPT, 2), MAP(0, LAUNCH, 1, 0, 0, 0),
              MAP(0, LAUNCH, 1, 1, 1, 0), MAP(10, END, 1, 0, 0, 0), MAP(10, LAUNCH, 2, 0, 0, 0),
              REDUCE(10, LAUNCH, 1, 0, 1, 0), MAP(12, LOSE, 2, 0, 0, 0), NODE(12, NODE_DOWN, 0),
              MAP(12, RERUN, 1, 0, 0, 0), MAP(15, END, 1, 1, 1, 0), MAP(15, LAUNCH, 1, 0, 1, 1),
              NODE(20, NODE_UP, 0), MAP(20, LAUNCH, 2, 0, 0, 1), MAP(24, END, 2, 0, 0, 1),
              JOB(24, JOB_FINISH, 2), MAP(30, END, 1, 0, 1, 1), REDUCE(50, END, 1, 0, 1, 0),
              JOB(50, JOB_FINISH, 1)}};
/* Nobody needs the output of a job without reduces. */
static const sample kept = {ON(two, doomed), .outages = 1,
                            .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                      MAP(0, LAUNCH, 1, 1, 1, 0), MAP(10, END, 1, 0, 0, 0),
                                      NODE(12, NODE_DOWN, 0), NODE(20, NODE_UP, 0),
                                      MAP(1000000, END, 1, 1, 1, 0), JOB(1000000, JOB_FINISH, 1)}};
/* The only node is away for a while. */
static const sample stranded = {
    ON(single, rivals), .outages = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), JOB(5, ACCEPT, 2),
              NODE(12, NODE_DOWN, 0), MAP(12, LOSE, 1, 0, 0, 0), NODE(20, NODE_UP, 0),
              MAP(20, LAUNCH, 1, 0, 0, 1), MAP(50, END, 1, 0, 0, 1), JOB(50, JOB_FINISH, 1),
              MAP(50, LAUNCH, 2, 0, 0, 0), MAP(60, END, 2, 0, 0, 0), JOB(60, JOB_FINISH, 2)}};
static const sample beats = {
    ON(uneven, lonely), .after_maps = 1, .heartbeat_ms = 10, .maps_per_heartbeat = 1,
    .entry = {JOB(3, ACCEPT, 1), MAP(5, LAUNCH, 1, 0, 1, 0), MAP(10, LAUNCH, 1, 1, 0, 0),
              MAP(15, END, 1, 0, 1, 0), MAP(15, LAUNCH, 1, 2, 1, 0), MAP(20, END, 1, 1, 0, 0),
              MAP(25, END, 1, 2, 1, 0), REDUCE(25, LAUNCH, 1, 0, 1, 0), REDUCE(32, END, 1, 0, 1, 0),
              JOB(32, JOB_FINISH, 1)}};
/* Both nodes beat every millisecond. */
static const sample quick_beats = {
    ON(two, lonely), .heartbeat_ms = 1,
    .entry = {JOB(3, ACCEPT, 1), MAP(3, LAUNCH, 1, 0, 0, 0), MAP(3, LAUNCH, 1, 1, 1, 0),
              MAP(13, END, 1, 0, 0, 0), MAP(13, END, 1, 1, 1, 0), MAP(13, LAUNCH, 1, 2, 0, 0),
              REDUCE(13, LAUNCH, 1, 0, 0, 0), MAP(23, END, 1, 2, 0, 0), REDUCE(29, END, 1, 0, 0, 0),
              JOB(29, JOB_FINISH, 1)}};
static const sample kills = {ON(single, rivals), .preempts = 1, .max_kills = 1,
                             .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                       JOB(5, ACCEPT, 2), MAP(5, KILL, 1, 0, 0, 0),
                                       MAP(5, LAUNCH, 2, 0, 0, 0), MAP(15, END, 2, 0, 0, 0),
                                       JOB(15, JOB_FINISH, 2), MAP(15, LAUNCH, 1, 0, 0, 1),
                                       MAP(45, END, 1, 0, 0, 1), JOB(45, JOB_FINISH, 1)}};
/* One attempt of the job at a time, and no reduce before its maps are done. */
static const sample one_by_one = {
    ON(two, lonely), .running_most = 1,
    .entry = {JOB(3, ACCEPT, 1), MAP(3, LAUNCH, 1, 0, 0, 0), MAP(13, END, 1, 0, 0, 0),
              MAP(13, LAUNCH, 1, 1, 0, 0), MAP(23, END, 1, 1, 0, 0), MAP(23, LAUNCH, 1, 2, 0, 0),
              MAP(33, END, 1, 2, 0, 0), REDUCE(33, LAUNCH, 1, 0, 0, 0), REDUCE(39, END, 1, 0, 0, 0),
              JOB(39, JOB_FINISH, 1)}};
/* The map that was lost runs beside the reduce that waits for it. */
static const sample beside = {
    ON(uneven, single_map), .running_most = 1, .outages = 1, .measured = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(9, END, 1, 0, 0, 0),
              REDUCE(9, LAUNCH, 1, 0, 1, 0), NODE(12, NODE_DOWN, 0), MAP(12, RERUN, 1, 0, 0, 0),
              MAP(12, LAUNCH, 1, 0, 1, 1), MAP(15, END, 1, 0, 1, 1), REDUCE(20, END, 1, 0, 1, 0),
              JOB(20, JOB_FINISH, 1)}};
/* Half of the first map's second 15 ms are left when it resumes. */
static const sample paused = {ON(single, rivals), .preempts = 1,
                              .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                        JOB(5, ACCEPT, 2), MAP(5, SUSPEND, 1, 0, 0, 0),
                                        MAP(5, LAUNCH, 2, 0, 0, 0), MAP(15, END, 2, 0, 0, 0),
                                        JOB(15, JOB_FINISH, 2), MAP(15, RESUME, 1, 0, 0, 0),
                                        MAP(40, END, 1, 0, 0, 0), JOB(40, JOB_FINISH, 1)}};
/* It restores its state for 3 ms, and a fifth of the 5 ms that it has worked. */
static const sample paid = {ON(single, rivals),
                            .preempts = 1,
                            .restore_ms = 3,
                            .restore_permille = 200,
                            .max_kills = 1,
                            .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                      JOB(5, ACCEPT, 2), MAP(5, SUSPEND, 1, 0, 0, 0),
                                      MAP(5, LAUNCH, 2, 0, 0, 0), MAP(15, END, 2, 0, 0, 0),
                                      JOB(15, JOB_FINISH, 2), MAP(15, RESUME, 1, 0, 0, 0),
                                      MAP(44, END, 1, 0, 0, 0), JOB(44, JOB_FINISH, 1)}};
/* Its state is saved for 7 ms, and a fifth of the 5 ms that it has worked: until 13. The map that
 * gets the slot has not worked before it is suspended, and has nothing to save. */
static const sample saved = {
    ON(single, rivals), .preempts = 1, .save_ms = 7, .save_permille = 200,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), JOB(5, ACCEPT, 2),
              MAP(5, SUSPEND, 1, 0, 0, 0), MAP(5, LAUNCH, 2, 0, 0, 0), MAP(10, SUSPEND, 2, 0, 0, 0),
              MAP(10, RESUME, 1, 0, 0, 0), MAP(38, END, 1, 0, 0, 0), JOB(38, JOB_FINISH, 1),
              MAP(38, RESUME, 2, 0, 0, 0), MAP(48, END, 2, 0, 0, 0), JOB(48, JOB_FINISH, 2)}};
static const sample both_paused = {
    ON(double_node, steady), .preempts = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(0, LAUNCH, 1, 1, 0, 0),
              MAP(10, SUSPEND, 1, 0, 0, 0), MAP(10, SUSPEND, 1, 1, 0, 0),
              MAP(10, RESUME, 1, 0, 0, 0), MAP(10, RESUME, 1, 1, 0, 0), MAP(15, END, 1, 0, 0, 0),
              MAP(15, END, 1, 1, 0, 0), MAP(15, LAUNCH, 1, 2, 0, 0), MAP(30, END, 1, 2, 0, 0),
              JOB(30, JOB_FINISH, 1)}};
static const sample copied = {ON(uneven, rivals), .copies = 1, .preempts = 1,
                              .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                        MAP(0, LAUNCH, 1, 0, 1, 1), JOB(5, ACCEPT, 2),
                                        MAP(15, END, 1, 0, 0, 0), MAP(15, CANCEL, 1, 0, 1, 1),
                                        JOB(15, JOB_FINISH, 1), MAP(15, LAUNCH, 2, 0, 0, 0),
                                        MAP(20, END, 2, 0, 0, 0), JOB(20, JOB_FINISH, 2)}};
/* A real host, where the copy is faster, then another pair loses its first attempt, and the one
 * that is left gets a copy and a pause. */
static const sample overtaken = {
    ON(uneven, rivals), .copies = 1, .measured = 1, .preempts = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(3, LAUNCH, 1, 0, 1, 1),
              JOB(5, ACCEPT, 2), MAP(9, END, 1, 0, 1, 1), MAP(9, CANCEL, 1, 0, 0, 0),
              JOB(9, JOB_FINISH, 1), MAP(9, LAUNCH, 2, 0, 0, 0), MAP(9, LAUNCH, 2, 0, 1, 1),
              MAP(11, FAIL, 2, 0, 0, 0), MAP(12, LAUNCH, 2, 0, 0, 2), MAP(13, KILL, 2, 0, 1, 1),
              MAP(14, SUSPEND, 2, 0, 0, 2), MAP(19, RESUME, 2, 0, 0, 2), MAP(20, END, 2, 0, 0, 2),
              JOB(20, JOB_FINISH, 2)}};
/* Reduces wait for all maps, whatever slowstart says; and then until they are let go. */
static const sample gated = {ON(two, lonely), .maps_first = 1, .holds = 1,
                             .entry = {JOB(3, ACCEPT, 1), MAP(3, LAUNCH, 1, 0, 0, 0),
                                       MAP(3, LAUNCH, 1, 1, 1, 0), MAP(13, END, 1, 0, 0, 0),
                                       MAP(13, END, 1, 1, 1, 0), MAP(13, LAUNCH, 1, 2, 0, 0),
                                       MAP(23, END, 1, 2, 0, 0), REDUCE(29, LAUNCH, 1, 0, 0, 0),
                                       REDUCE(36, END, 1, 0, 0, 0), JOB(36, JOB_FINISH, 1)}};
/* Told to be late: when the only node is gone, when it is back, and when another comes, who is not
 * taken. */
static const sample late = {
    ON(single, three_rivals), .outages = 1, .promises = 1,
    .entry = {EXPECTED(0, ACCEPT, 1, 30, 35), MAP(0, LAUNCH, 1, 0, 0, 0),
              EXPECTED(5, ACCEPT, 2, 40, 40), NODE(12, NODE_DOWN, 0), MAP(12, LOSE, 1, 0, 0, 0),
              EXPECTED(12, LATE, 1, PN_SCHEDULER_NEVER, 35), NODE(20, NODE_UP, 0),
              EXPECTED(20, LATE, 2, 60, 40), MAP(20, LAUNCH, 1, 0, 0, 1),
              EXPECTED(25, LATE, 2, 61, 40), EXPECTED(25, LATE, 1, 50, 35),
              BLOCKED(25, 3, 70, 30, 2), MAP(50, END, 1, 0, 0, 1), JOB(50, JOB_FINISH, 1),
              MAP(50, LAUNCH, 2, 0, 0, 0), MAP(60, END, 2, 0, 0, 0), JOB(60, JOB_FINISH, 2)}};
/* Its task took longer than it was to: the finish tells. */
static const sample tardy = {ON(single, hurried), .promises = 1,
                             .entry = {EXPECTED(0, ACCEPT, 1, 20, 20), MAP(0, LAUNCH, 1, 0, 0, 0),
                                       EXPECTED(5, ACCEPT, 2, 40, 0), MAP(30, END, 1, 0, 0, 0),
                                       EXPECTED(30, LATE, 1, 30, 20), JOB(30, JOB_FINISH, 1),
                                       MAP(30, LAUNCH, 2, 0, 0, 0), MAP(40, END, 2, 0, 0, 0),
                                       JOB(40, JOB_FINISH, 2)}};
/* Killed with the tick, and the other not taken. */
static const sample tick_kills = {ON(single, rivals), .preempts = 1,
                                  .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                            JOB(5, REJECT, 2), MAP(10, KILL, 1, 0, 0, 0),
                                            MAP(20, LAUNCH, 1, 0, 0, 1), MAP(50, END, 1, 0, 0, 1),
                                            JOB(50, JOB_FINISH, 1)}};
/* Every attempt fails, at these times. */
#define FIRST  (UINT64_MAX - 2)
#define SECOND (UINT64_MAX - 1)
static const sample failing = {ON(two, doomed), .fail_permille = 1000, .attempts_max = 2,
                               .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                         MAP(0, LAUNCH, 1, 1, 1, 0), MAP(FIRST, FAIL, 1, 0, 0, 0),
                                         MAP(FIRST, LAUNCH, 1, 0, 0, 1),
                                         MAP(SECOND, FAIL, 1, 0, 0, 1),
                                         MAP(SECOND, DROP, 1, 1, 1, 0), JOB(SECOND, JOB_FAIL, 1)}};
/* A real host: other times, another order, and nothing announced. The reduce had fetched everything
 * when the node went down. */
static const sample failing_late = {
    ON(two, doomed), .fail_permille = 1000, .attempts_max = 2, .deals = 1,
    .entry = {EXPECTED(0, ACCEPT, 1, 10, 10), MAP(0, LAUNCH, 1, 0, 0, 0),
              MAP(0, LAUNCH, 1, 1, 1, 0), MAP(FIRST, FAIL, 1, 0, 0, 0),
              EXPECTED(FIRST, LATE, 1, 11, 10), MAP(FIRST, LAUNCH, 1, 0, 0, 1),
              MAP(SECOND, FAIL, 1, 0, 0, 1), MAP(SECOND, DROP, 1, 1, 1, 0),
              JOB(SECOND, JOB_FAIL, 1)}};
static const sample measured = {
    ON(two, pair), .measured = 1,
    .entry = {JOB(7, ACCEPT, 1), MAP(8, LAUNCH, 1, 0, 0, 0), MAP(8, LAUNCH, 1, 1, 1, 0),
              MAP(19, END, 1, 0, 0, 0), REDUCE(19, LAUNCH, 1, 0, 1, 0), MAP(21, FAIL, 1, 1, 1, 0),
              MAP(22, LAUNCH, 1, 1, 1, 1), MAP(30, END, 1, 1, 1, 1), NODE(31, NODE_DOWN, 0),
              JOB(31, ACCEPT, 2), NODE(31, NODE_UP, 0), MAP(31, LAUNCH, 2, 0, 0, 0),
              MAP(31, END, 2, 0, 0, 0), JOB(31, JOB_FINISH, 2), REDUCE(40, END, 1, 0, 1, 0),
              JOB(40, JOB_FINISH, 1)}};
/* … and had not. */
static const sample refetched = {
    ON(two, lonely), .measured = 1,
    .entry = {JOB(1, ACCEPT, 1), MAP(1, LAUNCH, 1, 0, 0, 0), MAP(1, LAUNCH, 1, 1, 1, 0),
              MAP(5, END, 1, 1, 1, 0), MAP(6, END, 1, 0, 0, 0), MAP(6, LAUNCH, 1, 2, 0, 0),
              MAP(9, END, 1, 2, 0, 0), REDUCE(9, LAUNCH, 1, 0, 1, 0), NODE(12, NODE_DOWN, 0),
              MAP(12, RERUN, 1, 2, 0, 0), MAP(12, RERUN, 1, 0, 0, 0), MAP(12, LAUNCH, 1, 0, 1, 1),
              MAP(13, END, 1, 0, 1, 1), MAP(13, LAUNCH, 1, 2, 1, 1), MAP(15, END, 1, 2, 1, 1),
              REDUCE(15, END, 1, 0, 1, 0), JOB(15, JOB_FINISH, 1)}};

/* A host cancels a job that runs, and one that waits. */
static const sample cancelled = {ON(two, pair), .measured = 1,
                                 .entry = {JOB(0, ACCEPT, 1), MAP(1, LAUNCH, 1, 0, 0, 0),
                                           MAP(1, LAUNCH, 1, 1, 1, 0), MAP(4, END, 1, 0, 0, 0),
                                           REDUCE(4, LAUNCH, 1, 0, 0, 0), JOB(5, ACCEPT, 2),
                                           MAP(6, DROP, 1, 1, 1, 0), REDUCE(6, DROP, 1, 0, 0, 0),
                                           JOB(6, JOB_CANCEL, 1), JOB(8, JOB_CANCEL, 2)}};

/* A host takes slots away while attempts are in them, and gives them back. */
#define RESIZE(time_, node_, maps_, reduces_)                                           \
    {                                                                                   \
        .time = (time_), .event = PN_SCHEDULER_NODE_RESIZE, .node = (node_), .slots = { \
            (maps_),                                                                    \
            (reduces_)                                                                  \
        }                                                                               \
    }
static const sample resized = {
    ON(two, pair), .measured = 1, .absent = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(1, LAUNCH, 1, 0, 0, 0), RESIZE(2, 1, 1, 0),
              MAP(2, LAUNCH, 1, 1, 1, 0), RESIZE(3, 0, 0, 1), MAP(4, END, 1, 0, 0, 0),
              REDUCE(4, LAUNCH, 1, 0, 0, 0), RESIZE(5, 1, 0, 0), RESIZE(6, 1, 1, 0),
              MAP(7, END, 1, 1, 1, 0), JOB(8, ACCEPT, 2), MAP(8, LAUNCH, 2, 0, 1, 0),
              REDUCE(9, END, 1, 0, 0, 0), JOB(9, JOB_FINISH, 1), MAP(10, END, 2, 0, 1, 0),
              JOB(10, JOB_FINISH, 2)}};

/* What becomes of other jobs is a reason to be late, and so are slots that go. */
static const sample host_late = {
    ON(two, rivals), .measured = 1, .deals = 1,
    .entry = {EXPECTED(0, ACCEPT, 1, 10, 20), EXPECTED(0, ACCEPT, 2, 12, 20),
              MAP(1, LAUNCH, 1, 0, 0, 0), JOB(3, JOB_CANCEL, 2), EXPECTED(3, LATE, 1, 30, 20),
              RESIZE(4, 1, 0, 1), EXPECTED(4, LATE, 1, 31, 20), MAP(25, END, 1, 0, 0, 0),
              JOB(25, JOB_FINISH, 1)}};
/* The reduce is done when the second node goes down, and the first map is not: no task needs the
 * output there. */
static const sample done_without = {
    ON(two, pair_of_maps), .measured = 1,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(0, LAUNCH, 1, 1, 1, 0),
              MAP(5, END, 1, 0, 0, 0), MAP(5, END, 1, 1, 1, 0), REDUCE(6, LAUNCH, 1, 0, 1, 0),
              NODE(8, NODE_DOWN, 0), MAP(8, RERUN, 1, 0, 0, 0), REDUCE(9, END, 1, 0, 1, 0),
              NODE(10, NODE_DOWN, 1), NODE(11, NODE_UP, 0), MAP(11, LAUNCH, 1, 0, 0, 1),
              MAP(12, END, 1, 0, 0, 1), JOB(12, JOB_FINISH, 1)}};
/* One node after the other. */
static const sample twice_down = {
    ON(two, rivals), .outages = 2,
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 1, 0), MAP(5, LOSE, 1, 0, 1, 0),
              NODE(5, NODE_DOWN, 1), JOB(5, ACCEPT, 2), MAP(5, LAUNCH, 2, 0, 0, 0),
              MAP(10, END, 2, 0, 0, 0), JOB(10, JOB_FINISH, 2), MAP(10, LAUNCH, 1, 0, 0, 1),
              MAP(12, LOSE, 1, 0, 0, 1), NODE(12, NODE_DOWN, 0), NODE(18, NODE_UP, 1),
              MAP(18, LAUNCH, 1, 0, 1, 2), NODE(20, NODE_UP, 0), MAP(33, END, 1, 0, 1, 2),
              JOB(33, JOB_FINISH, 1)}};
static const sample two_reduces = {
    ON(two, forked),
    .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0), MAP(10, END, 1, 0, 0, 0),
              REDUCE(10, LAUNCH, 1, 0, 0, 0), REDUCE(10, LAUNCH, 1, 1, 1, 0),
              REDUCE(30, END, 1, 0, 0, 0), REDUCE(38, END, 1, 1, 1, 0), JOB(38, JOB_FINISH, 1)}};
static const sample all_fetched = {ON(two, fetched), .outages = 1,
                                   .entry = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0),
                                             MAP(2, END, 1, 0, 0, 0), REDUCE(2, LAUNCH, 1, 0, 1, 0),
                                             NODE(12, NODE_DOWN, 0), NODE(20, NODE_UP, 0),
                                             REDUCE(25, END, 1, 0, 1, 0), JOB(25, JOB_FINISH, 1)}};
/* A job of a host fails at once, and another one is not taken. */
static const sample host_fails = {
    ON(two, three_rivals), .measured = 1, .deals = 1, .attempts_max = 1,
    .entry = {JOB(0, ACCEPT, 1), EXPECTED(0, ACCEPT, 2, 8, 8), MAP(1, LAUNCH, 1, 0, 0, 0),
              MAP(1, LAUNCH, 2, 0, 1, 0), MAP(5, FAIL, 1, 0, 0, 0), JOB(5, JOB_FAIL, 1),
              EXPECTED(5, LATE, 2, 9, 8), BLOCKED(6, 3, 70, 30, 2), MAP(9, END, 2, 0, 1, 0),
              JOB(9, JOB_FINISH, 2)}};

static const sample *const samples[] = {
    &twice_down,  &two_reduces, &all_fetched, &host_fails, &host_late,   &done_without, &resized,
    &cancelled,   &plain,       &cut_short,   &outage,     &kept,        &stranded,     &beats,
    &quick_beats, &kills,       &gated,       &late,       &failing,     &failing_late, &measured,
    &refetched,   &tick_kills,  &tardy,       &paused,     &both_paused, &copied,       &overtaken,
    &one_by_one,  &beside,      &paid,        &saved};

static pn_cluster_config config_of(const sample *s)
{
    pn_cluster_config config = pn_cluster_defaults();
    config.scheduler.nodes = s->nodes;
    config.scheduler.nodes_count = s->node_groups;
    config.scheduler.reduce_start = s->after_maps;
    config.scheduler.nodes_absent = s->absent;
    config.scheduler.max_kills = s->max_kills;
    config.scheduler.running_most = s->running_most;
    config.scheduler.attempts_max = s->attempts_max ? s->attempts_max : 4;
    config.attempt_fail_permille = s->fail_permille;
    config.restore_ms = s->restore_ms;
    config.restore_permille = s->restore_permille;
    config.save_ms = s->save_ms;
    config.save_permille = s->save_permille;
    config.heartbeat_ms = s->heartbeat_ms;
    config.maps_per_heartbeat = s->maps_per_heartbeat;
    config.max_time_ms = s->max_time_ms;
    config.tick_ms = 10;
    return config;
}

static pn_cluster_claim claim_of(const sample *s, const pn_cluster_config *config)
{
    return (pn_cluster_claim){.config = config,
                              .measured = s->measured,
                              .preempts = s->preempts,
                              .maps_first = s->maps_first,
                              .deals = s->deals,
                              .promises = s->promises,
                              .holds = s->holds,
                              .copies = s->copies,
                              .jobs = s->jobs,
                              .job_count = s->job_count,
                              .failures = outages,
                              .failure_count = s->outages};
}

/* CL27: after so long the attempt of the first map of `doomed` fails. */
static uint64_t failing_after(uint32_t attempt)
{
    uint64_t hash = pn_mix(pn_mix(pn_mix(pn_mix(PN_MIX_START, 1), 4), 0), 0);
    uint64_t after = unequal[0] * (pn_mix(pn_mix(hash, 0), attempt) % 1000) / 1000;
    return after > 0 ? after : 1;
}

static uint64_t real_time(uint64_t time)
{
    return time == FIRST    ? failing_after(0)
           : time == SECOND ? failing_after(0) + failing_after(1)
                            : time;
}

static void add_entries(cluster_log *log, const pn_scheduler_event *entry, size_t count)
{
    for (size_t i = 0; i < count && entry[i].event != 0; i++) {
        cluster_log_add(log, &entry[i]);
        log->entry[log->count - 1].time = real_time(entry[i].time);
    }
}

static void logs_by_hand_are_accepted(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        pn_cluster_config config = config_of(samples[i]);
        pn_cluster_claim claim = claim_of(samples[i], &config);
        cluster_log log = {NULL, 0, 0};
        add_entries(&log, samples[i]->entry, ENTRIES);
        cluster_verdict v = cluster_judge_as_it_is(&log, &claim);
        if (v.status != PN_OK)
            fail_msg("sample %zu: \"%s\" at %llu of job %llu", i, v.fault,
                     (unsigned long long)v.time, (unsigned long long)v.id);
        cluster_log_free(&log);
    }
}

static void log_event(void *user, const pn_scheduler_event *event)
{
    cluster_log_add(user, event);
}

/* The input of the first map alone lies on the second node, where no map runs: the first node takes
 * the others before, of which many words are between the first pending map and the next one. */
static void maps_far_behind_the_first_are_not_looked_at(void **unused)
{
    enum { MAPS = 600 };
    static const pn_scheduler_nodes nodes[] = {{1, MAPS, 0, 0}, {1, 0, 1, 0}};
    static uint32_t counts[MAPS], blocks[MAPS] = {1};
    cluster_log log = {NULL, 0, 0};
    const pn_cluster_hooks hooks = {
        .policy = pn_scheduler_fifo(), .on_event = log_event, .user = &log};
    const pn_cluster_job job = {
        .maps = MAPS, .map_ms = 10, .block_counts = counts, .blocks = blocks};
    pn_cluster_config config = pn_cluster_defaults();
    (void)unused;
    for (uint32_t map = 0; map < MAPS; map++)
        counts[map] = 1;
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 2;
    config.scheduler.jobs_max = 1;
    config.scheduler.tasks_max = MAPS;
    config.values_max = 2 * MAPS + 1;
    pn_cluster *sim = cluster_sim(&config);
    const pn_cluster_claim claim = {.config = &config, .jobs = &job, .job_count = 1};
    assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
    assert_int_equal(pn_cluster_run(sim, &hooks, PN_CLUSTER_FOREVER, UINT64_MAX), PN_DONE);
    assert_string_equal(cluster_judge_as_it_is(&log, &claim).fault, "");
    assert_int_equal(log.entry[1].task, 1);
    cluster_log_free(&log);
    free(sim);
}

/* ---- which task comes next ---- */

/* So many tasks that the books of pending ones have words of words of words. */
enum { MANY = 4500, SHARING = 3 };

/* A measured log in the making, and in a list what it has told. */
typedef struct turns {
    uint32_t kind, count;  /* of tasks */
    uint32_t holder[MANY]; /* of each map's input: its node */
    bool pending[MANY];
    uint32_t attempt[MANY], node[MANY]; /* the latest */
    pn_cluster_verifier *verifier;
    void *block, *kept;
    size_t size;
    uint64_t time;
} turns;

static uint32_t first_pending(const turns *t)
{
    uint32_t first = 0;
    while (!t->pending[first])
        first++;
    return first;
}

/* CL9, CL10: of at most 64 maps in 8 words from the first one on, which the checker looks at. */
static bool is_its_turn(const turns *t, uint32_t task, uint32_t node)
{
    uint32_t first = first_pending(t), looked = 0;
    if (t->kind == PN_SCHEDULER_REDUCE)
        return task == first;
    for (uint32_t at = first; at < t->count && at / 64 < first / 64 + 8 && looked < 64; at++) {
        if (t->pending[at] && t->holder[at] == node)
            return task == at;
        looked += t->pending[at];
    }
    return task == first || t->holder[task] == node;
}

static int tell_of(turns *t, uint64_t id, uint32_t event, uint32_t kind, uint32_t task,
                   uint32_t node, uint32_t attempt)
{
    const pn_scheduler_event e = {.time = ++t->time,
                                  .event = event,
                                  .id = id,
                                  .kind = kind,
                                  .task = task,
                                  .node = node,
                                  .attempt = attempt};
    return pn_cluster_verifier_feed(t->verifier, &e);
}

static int tell(turns *t, uint32_t event, uint32_t task, uint32_t node)
{
    return tell_of(t, 1, event, t->kind, task, node, t->attempt[task]);
}

static void fail_attempt(turns *t, uint32_t task)
{
    assert_int_equal(tell(t, PN_SCHEDULER_FAIL, task, t->node[task]), PN_OK);
    t->pending[task] = true;
    t->attempt[task]++;
}

/* Launches it if it is its turn; else that is said, and forgotten. */
static bool try_launch(turns *t, uint32_t task, uint32_t node)
{
    uint64_t time, id;
    if (is_its_turn(t, task, node)) {
        assert_int_equal(tell(t, PN_SCHEDULER_LAUNCH, task, node), PN_OK);
        t->pending[task] = false;
        t->node[task] = node;
        return true;
    }
    memcpy(t->kept, t->block, t->size);
    assert_int_equal(tell(t, PN_SCHEDULER_LAUNCH, task, node), PN_ERR_REJECTED);
    assert_string_equal(pn_cluster_verifier_fault(t->verifier, &time, &id),
                        "another task of the job comes first");
    memcpy(t->block, t->kept, t->size);
    return false;
}

/* Launches a task whose turn it is. */
static void launch_some(turns *t, uint32_t node)
{
    uint32_t task = first_pending(t);
    while (!t->pending[task] || !is_its_turn(t, task, node))
        task++;
    assert_true(try_launch(t, task, node));
}

/* Fails some of the attempts that run, near each other or not, tries to launch some of their tasks,
 * and launches them. */
static void fail_and_launch_again(turns *t, pn_stream *stream)
{
    const uint32_t ranges[] = {t->count - 1, 700, 70};
    uint32_t failed[90], left = 0;
    uint32_t first = (uint32_t)pn_uniform(stream, 0, t->count - 1),
             range = ranges[pn_uniform(stream, 0, 2)],
             count = (uint32_t)pn_uniform(stream, 1, pn_uniform(stream, 2, 90));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t task = (first + (uint32_t)pn_uniform(stream, 0, range)) % t->count;
        if (t->pending[task])
            continue;
        fail_attempt(t, task);
        failed[left++] = task;
    }
    for (int i = 0; i < 3; i++) {
        uint32_t task = i == 0 ? failed[pn_uniform(stream, 0, left - 1)] : first_pending(t);
        if (try_launch(t, task, i == 0 ? (uint32_t)pn_uniform(stream, 0, SHARING - 1) : 1)) {
            if (--left == 0)
                return;
            for (uint32_t k = 0; k < left; k++)
                failed[k] = failed[k] == task ? failed[left] : failed[k];
        }
    }
    while (left-- > 0)
        launch_some(t, (uint32_t)pn_uniform(stream, 0, SHARING - 1));
}

/* Whatever is pending, among so many tasks that are not; of another job, too. */
static void check_turns(uint32_t kind, uint32_t count)
{
    const pn_scheduler_nodes nodes[] = {{SHARING, count + 1, count + 2, 0}};
    static uint32_t counts[MANY];
    static turns t;
    pn_cluster_config config = pn_cluster_defaults();
    pn_cluster_job jobs[] = {{.maps = count, .block_counts = counts, .blocks = t.holder},
                             {.maps = 1, .reduces = 2}};
    const pn_cluster_claim claim = {.config = &config, .measured = 1, .jobs = jobs, .job_count = 2};
    const uint32_t map = PN_SCHEDULER_MAP, reduce = PN_SCHEDULER_REDUCE;
    pn_stream stream;
    t = (turns){.kind = kind, .count = count};
    pn_stream_init(&stream, 5, count, kind);
    if (kind == PN_SCHEDULER_REDUCE)
        jobs[0] = (pn_cluster_job){.maps = 1, .reduces = count};
    for (uint32_t task = 0; task < count; task++) {
        counts[task] = 1;
        t.holder[task] = pn_uniform(&stream, 0, 9) == 0;
        t.pending[task] = true;
    }
    config.scheduler.nodes = nodes;
    config.scheduler.nodes_count = 1;
    config.scheduler.slowstart_permille = 0;
    config.scheduler.attempts_max = 65535;
    t.size = pn_cluster_verifier_size(&claim);
    t.block = workload_room(t.size);
    t.kept = workload_room(t.size);
    assert_int_equal(pn_cluster_verifier_init(&t.verifier, t.block, t.size, &claim), PN_OK);
    for (uint64_t id = 1; id <= 2; id++)
        assert_int_equal(tell_of(&t, id, PN_SCHEDULER_ACCEPT, 0, 0, 0, 0), PN_OK);
    assert_int_equal(tell_of(&t, 2, PN_SCHEDULER_LAUNCH, map, 0, 2, 0), PN_OK);
    assert_int_equal(tell_of(&t, 2, PN_SCHEDULER_LAUNCH, reduce, 0, 2, 0), PN_OK);
    for (uint32_t task = 0; task < count; task++)
        if (count > 650 || !try_launch(&t, first_pending(&t), 1))
            launch_some(&t, 1 + task % 2);
    for (int i = 0; i < 80; i++)
        fail_and_launch_again(&t, &stream);
    assert_int_equal(tell_of(&t, 2, PN_SCHEDULER_LAUNCH, reduce, 1, 2, 0), PN_OK);
    assert_int_equal(tell_of(&t, 2, PN_SCHEDULER_FAIL, reduce, 0, 2, 0), PN_OK);
    fail_and_launch_again(&t, &stream);
    assert_int_equal(tell_of(&t, 2, PN_SCHEDULER_LAUNCH, reduce, 0, 2, 1), PN_OK);
    free(t.block);
    free(t.kept);
}

static void the_first_of_many_tasks_comes_next(void **unused)
{
    static const uint32_t counts[] = {64, 65, 650, 64 * 64, 64 * 65, MANY};
    (void)unused;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (uint32_t kind = 0; kind <= PN_SCHEDULER_REDUCE; kind++)
            check_turns(kind, counts[i]);
}

/* A log with some entries taken out and others put in. */
typedef struct mutant {
    const sample *of;
    size_t at, removed;
    const char *fault;
    uint64_t time, id;
    pn_scheduler_event entry[3];
} mutant;

#define NO_KIND        "no such kind of entry"
#define BACK_IN_TIME   "entries must be in order of time"
#define TOO_FAR        "no time is so late"
#define NO_JOB         "no such job"
#define NO_NODE        "no such node"
#define MEANINGLESS    "an entry says what means nothing in it"
#define NO_TASK        "no such task"
#define NOT_HERE       "the job has not come"
#define HAS_ENDED      "the job has ended"
#define NO_ATTEMPT     "no such attempt runs there"
#define OUT_OF_ORDER   "at one time this comes before the last entry"
#define STAYS_UP       "a node does not go down when it has to"
#define STAYS_DOWN     "a node does not come back when it has to"
#define GOES_ON        "an attempt continues after its end"
#define NO_ARRIVAL     "the job does not come when it has to"
#define ARRIVALS       "jobs come in order, each once"
#define IS_UP          "the node is up already"
#define IS_DOWN        "the node is down already"
#define UNTOLD_UP      "nodes come back as announced only"
#define UNTOLD_DOWN    "nodes go down as announced only"
#define TWO_OUTAGES    "nodes go down one after the other"
#define NO_OUTAGE      "attempts are lost, but the node does not go down"
#define OUTLIVES       "an attempt outlives its node"
#define NOT_AGAIN      "a lost output is not made again"
#define NONE_LOST      "an output is lost, but no node goes down"
#define NO_OUTPUT      "no such output"
#define NOT_LOST       "the output is not lost"
#define TOO_LATE       "the job finishes after its work is done"
#define TOO_SOON       "the job finishes before its work is done"
#define STILL_ON       "the job has failed, but continues"
#define NOT_DROPPED    "the job has failed, but its attempts are not dropped"
#define NO_FAILURE     "the job fails without a task that failed too often"
#define NO_DROP        "an attempt is dropped, but its job has not failed"
#define NO_EVENT       "a launch though nothing has happened"
#define OFF_BEAT       "a launch off the node's heartbeat"
#define BEAT_ORDER     "at one time nodes beat in order"
#define ONE_REDUCE     "a beat gives maps, then one reduce at most"
#define MANY_MAPS      "more maps than a beat gives"
#define ON_DOWN        "a launch on a node that is down"
#define NO_SLOT        "more attempts than the node has slots"
#define TOO_MANY       "more attempts of the job run than may"
#define NOT_PENDING    "the task is not pending"
#define GAPS           "attempts are numbered without gaps"
#define NOT_READY      "a reduce starts before it is ready"
#define NOT_ITS_TURN   "another task of the job comes first"
#define MAPS_FIRST     "a reduce ends before the job's maps"
#define OTHER_TIME     "the attempt ends at another time than it should"
#define END_ORDER      "at one time attempts end in order"
#define MUST_FAIL      "the attempt does not fail though it has to"
#define MUST_END       "the attempt fails though it has not to"
#define NO_KILLER      "the policy does not kill"
#define PROTECTED      "the task is protected from kills"
#define NO_PLAN        "a kill though nothing is planned"
#define WEARY          "the task is protected from suspensions"
#define SUSPENDED_KILL "a kill of a suspended attempt"
#define SUSPENDED_END  "a suspended attempt ends"
#define NOT_ALONE      "only a task with one running attempt is suspended"
#define RESUMES_FIRST  "a suspended attempt of the job resumes there first"
#define SAME_NODE      "a second attempt on the node of the first"
#define NO_CANCEL      "an attempt is cancelled, but its task is not done"
#define HOSTS_RESIZE   "only hosts resize nodes"
#define MORE_SLOTS     "more slots than the node may have"
#define SAME_SLOTS     "the node has so many slots already"
#define HOSTS_CANCEL   "only hosts cancel jobs"
#define UNDROPPED      "the job is cancelled, but its attempts are not dropped"
#define NOT_CANCELLED  "attempts are dropped, but their job is not cancelled"
#define BOTH_ON        "the task is done, but its other attempt continues"
#define NO_REASON      "jobs are late though nothing has happened"
#define TOLD_TWICE     "the job is told to be late twice"
#define NOT_AGREED     "the deadline is not the one agreed on"
#define NOT_ITS_OWN    "the deadline is not the job's"
#define NO_PROMISE     "a job is taken without a promise"
#define NO_TIME        "a job is expected to finish before it has begun"
#define NO_HOPE        "a job is taken that is expected too late"
#define BROKEN         "the job breaks its promise, and nobody was told"
#define IN_TIME        "a job is late that is expected in time"
#define NO_BLOCKER     "who is said to block the job is not in the system"
#define RUNNING        "the run ends before an attempt that runs"
#define AWAY           "the run ends before a node comes back"
#define NO_END         "the job does not end"
#define MORE_ENDED     "fewer jobs are unfinished than the log says"
#define OTHER_END      "the end is not the last finish"
#define OTHER_DIGEST   "the digest does not match the entries"

#define NONE           \
    {                  \
        {              \
            .event = 0 \
        }              \
    }

static const mutant mutants[] = {
    {&plain, 0, 1, NO_KIND, 0, 1, {{.id = 1, .event = PN_SCHEDULER_NODE_RESIZE + 1}}},
    {&plain, 0, 1, NO_KIND, 0, 1, {{.id = 1, .event = UINT32_MAX}}},
    {&plain, 5, 1, BACK_IN_TIME, 9, 2, {JOB(9, ACCEPT, 2)}},
    {&plain, 5, 1, TOO_FAR, PN_INTEGER_MAX + 1, 2, {JOB(PN_INTEGER_MAX + 1, ACCEPT, 2)}},
    {&cut_short, 8, 0, TOO_FAR, 16, 2, {MAP(16, END, 2, 0, 0, 0)}},
    {&plain, 0, 1, NO_JOB, 0, 0, {JOB(0, ACCEPT, 0)}},
    {&plain, 0, 1, NO_JOB, 0, 3, {JOB(0, ACCEPT, 3)}},
    {&plain, 0, 1, NO_JOB, 0, UINT64_MAX, {JOB(0, JOB_FINISH, UINT64_MAX)}},
    {&outage, 8, 1, NO_JOB, 12, 1, {{.time = 12, .event = PN_SCHEDULER_NODE_DOWN, .id = 1}}},
    {&plain, 1, 1, NO_NODE, 0, 1, {MAP(0, LAUNCH, 1, 0, 2, 0)}},
    {&outage, 8, 1, NO_NODE, 12, 0, {NODE(12, NODE_DOWN, UINT32_MAX)}},
    {&plain, 0, 1, MEANINGLESS, 0, 1, {ENTRY(0, ACCEPT, 1, 1, 0, 0, 0)}},
    {&plain, 0, 1, MEANINGLESS, 0, 1, {ENTRY(0, ACCEPT, 1, 0, 1, 0, 0)}},
    {&plain, 0, 1, MEANINGLESS, 0, 1, {ENTRY(0, ACCEPT, 1, 0, 0, 1, 0)}},
    {&plain, 0, 1, MEANINGLESS, 0, 1, {ENTRY(0, ACCEPT, 1, 0, 0, 0, 1)}},
    {&outage, 8, 1, MEANINGLESS, 12, 0, {ENTRY(12, NODE_DOWN, 0, 0, 1, 0, 0)}},
    {&late, 5, 1, NO_JOB, 12, 4, {EXPECTED(12, LATE, 4, 50, 35)}},
    {&late, 5, 1, MEANINGLESS, 12, 1, {ENTRY(12, LATE, 1, 0, 0, 0, 1)}},
    {&late, 1, 1, MEANINGLESS, 0, 1, {EXPECTED(0, LAUNCH, 1, 30, 0)}},
    {&late, 3, 1, MEANINGLESS, 12, 0, {EXPECTED(12, NODE_DOWN, 0, 0, 35)}},
    {&late, 13, 1, MEANINGLESS, 50, 1, {EXPECTED(50, JOB_FINISH, 1, 50, 0)}},
    {&plain, 1, 1, NO_TASK, 0, 1, {MAP(0, LAUNCH, 1, 2, 0, 0)}},
    {&plain, 6, 0, NO_TASK, 12, 2, {REDUCE(12, LAUNCH, 2, 0, 0, 0)}},
    {&plain, 1, 1, NO_TASK, 0, 1, {ENTRY(0, LAUNCH, 1, 2, 0, 0, 0)}},
    {&plain, 5, 0, NOT_HERE, 10, 2, {MAP(10, LAUNCH, 2, 0, 1, 0)}},
    {&plain, 10, 0, HAS_ENDED, 16, 2, {MAP(16, LAUNCH, 2, 0, 0, 0)}},
    {&plain, 10, 0, HAS_ENDED, 16, 2, {JOB(16, JOB_FINISH, 2)}},
    {&tick_kills, 3, 0, HAS_ENDED, 5, 2, {MAP(5, LAUNCH, 2, 0, 0, 0)}},
    {&tick_kills, 3, 0, HAS_ENDED, 6, 2, {MAP(6, END, 2, 0, 0, 0)}},
    {&tick_kills, 3, 0, HAS_ENDED, 6, 2, {JOB(6, JOB_FINISH, 2)}},
    {&tick_kills, 3, 0, NO_FAILURE, 6, 2, {JOB(6, JOB_FAIL, 2)}},
    {&late, 12, 0, HAS_ENDED, 25, 3, {EXPECTED(25, LATE, 3, 70, 30)}},
    {&late, 14, 0, HAS_ENDED, 50, 1, {EXPECTED(50, LATE, 1, 70, 35)}},
    {&late, 5, 0, NOT_HERE, 12, 3, {EXPECTED(12, LATE, 3, 70, 30)}},
    {&plain, 3, 1, NO_ATTEMPT, 10, 1, {MAP(10, END, 1, 0, 1, 0)}},
    {&plain, 3, 1, NO_ATTEMPT, 10, 1, {MAP(10, END, 1, 0, 0, 1)}},
    {&plain, 4, 0, NO_ATTEMPT, 10, 1, {MAP(10, END, 1, 0, 0, 0)}},
    {&plain, 3, 0, NO_ATTEMPT, 9, 1, {REDUCE(9, END, 1, 0, 0, 0)}},
    {&plain, 7, 0, OUT_OF_ORDER, 12, 1, {MAP(12, END, 1, 1, 1, 0)}},
    {&outage, 14, 0, OUT_OF_ORDER, 20, 0, {NODE(20, NODE_UP, 0)}},
    {&outage, 7, 3, STAYS_UP, 12, 0, NONE},
    {&outage, 12, 1, STAYS_DOWN, 20, 0, NONE},
    {&plain, 3, 1, GOES_ON, 10, 1, NONE},
    {&plain, 10, 2, GOES_ON, 35, 1, {REDUCE(36, END, 1, 0, 0, 0), JOB(36, JOB_FINISH, 1)}},
    {&plain, 5, 1, NO_ARRIVAL, 12, 2, NONE},
    {&plain, 5, 1, NO_ARRIVAL, 11, 2, {JOB(11, ACCEPT, 2)}},
    {&plain, 5, 2, NO_ARRIVAL, 12, 2, NONE},
    {&plain, 0, 12, NO_ARRIVAL, 0, 1, NONE},
    {&plain, 0, 1, ARRIVALS, 0, 2, {JOB(0, ACCEPT, 2)}},
    {&plain, 1, 0, ARRIVALS, 0, 1, {JOB(0, ACCEPT, 1)}},
    {&plain, 1, 0, ARRIVALS, 0, 1, {JOB(0, REJECT, 1)}},
    {&tick_kills, 3, 0, ARRIVALS, 5, 2, {JOB(5, ACCEPT, 2)}},
    {&tick_kills, 3, 0, ARRIVALS, 5, 2, {JOB(5, REJECT, 2)}},
    {&tick_kills, 2, 1, NO_ARRIVAL, 4, 2, {JOB(4, REJECT, 2)}},
    {&tick_kills, 2, 1, NO_ARRIVAL, 5, 2, NONE},
    {&late, 11, 1, NO_REASON, 25, 0, NONE},
    {&outage, 13, 0, IS_UP, 20, 0, {NODE(20, NODE_UP, 0)}},
    {&outage, 10, 0, IS_DOWN, 13, 0, {NODE(13, NODE_DOWN, 0)}},
    {&outage, 12, 0, UNTOLD_UP, 18, 0, {NODE(18, NODE_UP, 0)}},
    {&plain, 3, 0, UNTOLD_DOWN, 9, 0, {NODE(9, NODE_DOWN, 0)}},
    {&plain, 3, 0, UNTOLD_DOWN, 9, 1, {MAP(9, LOSE, 1, 0, 0, 0)}},
    {&outage, 8, 0, TWO_OUTAGES, 12, 1, {MAP(12, LOSE, 1, 1, 1, 0)}},
    {&outage, 8, 2, NO_OUTAGE, 12, 0, NONE},
    {&outage, 8, 1, NO_OUTAGE, 12, 0, NONE},
    {&outage, 7, 1, OUTLIVES, 12, 0, NONE},
    {&outage, 7, 3, OUTLIVES, 12, 0, {NODE(12, NODE_DOWN, 0)}},
    {&outage, 9, 1, NOT_AGAIN, 12, 0, NONE},
    {&refetched, 10, 1, NOT_AGAIN, 12, 0, NONE},
    {&measured, 7, 1, NOT_AGAIN, 29, 0, {NODE(29, NODE_DOWN, 0)}},
    {&plain, 5, 0, NONE_LOST, 11, 1, {MAP(11, RERUN, 1, 0, 0, 0)}},
    {&outage, 9, 1, NO_OUTPUT, 12, 1, {MAP(12, RERUN, 1, 0, 0, 1)}},
    {&outage, 9, 1, NO_OUTPUT, 12, 1, {MAP(12, RERUN, 1, 0, 1, 0)}},
    {&outage, 9, 1, NO_OUTPUT, 12, 1, {MAP(12, RERUN, 1, 1, 1, 0)}},
    {&outage, 9, 1, NO_OUTPUT, 12, 1, {REDUCE(12, RERUN, 1, 0, 1, 0)}},
    {&outage, 10, 0, NO_OUTPUT, 12, 1, {MAP(12, RERUN, 1, 0, 0, 0)}},
    {&kept, 5, 0, NOT_LOST, 12, 1, {MAP(12, RERUN, 1, 0, 0, 0)}},
    {&refetched, 10, 0, NOT_LOST, 12, 1, {MAP(12, RERUN, 1, 1, 1, 0)}},
    {&plain, 9, 1, TOO_LATE, 16, 2, NONE},
    {&plain, 9, 1, TOO_LATE, 16, 2, {JOB(17, JOB_FINISH, 2)}},
    {&plain, 11, 1, TOO_LATE, 35, 1, NONE},
    {&plain, 8, 0, TOO_SOON, 15, 1, {JOB(15, JOB_FINISH, 1)}},
    {&plain, 0, 0, TOO_SOON, 0, 2, {JOB(0, JOB_FINISH, 2)}},
    {&failing, 6, 2, STILL_ON, SECOND, 1, NONE},
    {&failing, 6, 2, STILL_ON, SECOND, 1, {MAP(SECOND, LAUNCH, 1, 0, 0, 2)}},
    {&failing, 6, 1, NOT_DROPPED, SECOND, 1, NONE},
    {&failing, 4, 0, NO_FAILURE, FIRST, 1, {JOB(FIRST, JOB_FAIL, 1)}},
    {&plain, 3, 0, NO_FAILURE, 9, 1, {JOB(9, JOB_FAIL, 1)}},
    {&plain, 3, 0, NO_DROP, 9, 1, {MAP(9, DROP, 1, 0, 0, 0)}},
    {&late, 12, 0, NO_REASON, 25, 0, {EXPECTED(25, LATE, 1, 50, 35)}},
    {&late, 3, 0, NO_REASON, 7, 0, {EXPECTED(7, LATE, 1, 50, 35)}},
    {&late, 9, 0, OUT_OF_ORDER, 20, 1, {EXPECTED(20, LATE, 1, 50, 35)}},
    {&late, 9, 0, NO_REASON, 21, 0, {EXPECTED(21, LATE, 1, 50, 35), MAP(21, KILL, 1, 0, 0, 1)}},
    {&late, 6, 0, TOLD_TWICE, 12, 1, {EXPECTED(12, LATE, 1, PN_SCHEDULER_NEVER, 35)}},
    {&late, 11, 0, TOLD_TWICE, 25, 2, {EXPECTED(25, LATE, 2, 62, 40)}},
    {&late, 5, 1, NOT_AGREED, 12, 1, {EXPECTED(12, LATE, 1, PN_SCHEDULER_NEVER, 34)}},
    {&late, 5, 1, NOT_AGREED, 12, 1, {JOB(12, LATE, 1)}},
    {&stranded, 5, 0, NOT_AGREED, 12, 1, {EXPECTED(12, LATE, 1, PN_SCHEDULER_NEVER, 0)}},
    {&late, 0, 1, NOT_ITS_OWN, 0, 1, {EXPECTED(0, ACCEPT, 1, 30, 36)}},
    {&late, 11, 1, NOT_ITS_OWN, 25, 3, {BLOCKED(25, 3, 70, 29, 2)}},
    {&plain, 0, 1, NOT_ITS_OWN, 0, 1, {EXPECTED(0, ACCEPT, 1, 30, 36)}},
    {&late, 0, 1, NO_PROMISE, 0, 1, {EXPECTED(0, ACCEPT, 1, PN_SCHEDULER_NEVER, 35)}},
    {&late, 0, 1, NO_PROMISE, 0, 1, {EXPECTED(0, ACCEPT, 1, 0, 35)}},
    {&late, 2, 1, NO_TIME, 5, 2, {EXPECTED(5, ACCEPT, 2, 5, 40)}},
    {&plain, 5, 1, NO_TIME, 12, 2, {EXPECTED(12, ACCEPT, 2, 12, 0)}},
    {&late, 2, 1, NO_HOPE, 5, 2, {EXPECTED(5, ACCEPT, 2, 46, 40)}},
    {&tardy, 4, 1, BROKEN, 30, 1, NONE},
    {&tardy, 4, 1, TOO_LATE, 30, 1, {EXPECTED(30, LATE, 1, 31, 20)}},
    {&tardy, 4, 1, TOO_LATE, 30, 1, {EXPECTED(30, LATE, 2, 30, 40)}},
    {&tardy, 4, 0, TOO_LATE, 30, 1, {EXPECTED(30, LATE, 1, 30, 20)}},
    {&late, 7, 1, IN_TIME, 20, 2, {EXPECTED(20, LATE, 2, 45, 40)}},
    {&late, 7, 1, IN_TIME, 20, 2, {EXPECTED(20, LATE, 2, 0, 40)}},
    {&late, 11, 1, NO_BLOCKER, 25, 3, {BLOCKED(25, 3, 70, 30, 4)}},
    {&late, 11, 1, NO_BLOCKER, 25, 3, {BLOCKED(25, 3, 70, 30, UINT64_MAX)}},
    {&late,
     7,
     1,
     MEANINGLESS,
     20,
     2,
     {{.time = 20,
       .id = 2,
       .event = PN_SCHEDULER_LATE,
       .estimate = 60,
       .deadline = 40,
       .blocker = 2}}},
    {&plain, 0, 1, MEANINGLESS, 0, 1, {{.id = 1, .event = PN_SCHEDULER_ACCEPT, .blocker = 1}}},
    {&late, 4, 0, OUTLIVES, 12, 0, {EXPECTED(12, LATE, 2, PN_SCHEDULER_NEVER, 40)}},
    {&late, 6, 0, STAYS_DOWN, 20, 0, {EXPECTED(20, LATE, 2, 60, 40)}},
    {&late, 13, 0, TOO_LATE, 50, 1, {EXPECTED(50, LATE, 2, 60, 40)}},
    {&failing_late, 3, 0, GOES_ON, FIRST, 1, {EXPECTED(FIRST, LATE, 1, 11, 10)}},
    {&failing_late, 7, 0, STILL_ON, SECOND, 1, {EXPECTED(SECOND, LATE, 1, 11, 10)}},
    {&measured, 3, 0, NOT_AGREED, 9, 1, {EXPECTED(9, LATE, 1, 11, 1)}},
    {&plain, 4, 1, NO_EVENT, 11, 1, {REDUCE(11, LAUNCH, 1, 0, 0, 0)}},
    {&beats, 1, 1, OFF_BEAT, 4, 1, {MAP(4, LAUNCH, 1, 0, 1, 0)}},
    {&beats, 1, 1, OFF_BEAT, 5, 1, {MAP(5, LAUNCH, 1, 0, 0, 0)}},
    {&quick_beats,
     1,
     2,
     BEAT_ORDER,
     3,
     1,
     {MAP(3, LAUNCH, 1, 0, 1, 0), MAP(3, LAUNCH, 1, 1, 0, 0)}},
    {&quick_beats,
     5,
     2,
     ONE_REDUCE,
     13,
     1,
     {REDUCE(13, LAUNCH, 1, 0, 0, 0), MAP(13, LAUNCH, 1, 2, 0, 0)}},
    {&beats, 3, 0, MANY_MAPS, 10, 1, {MAP(10, LAUNCH, 1, 2, 0, 0)}},
    {&outage, 12, 0, ON_DOWN, 15, 2, {MAP(15, LAUNCH, 2, 0, 0, 1)}},
    {&plain, 2, 1, NO_SLOT, 0, 1, {MAP(0, LAUNCH, 1, 1, 0, 0)}},
    {&one_by_one, 2, 0, TOO_MANY, 3, 1, {MAP(3, LAUNCH, 1, 1, 1, 0)}},
    {&one_by_one, 3, 0, TOO_MANY, 13, 1, {REDUCE(13, LAUNCH, 1, 0, 0, 0)}},
    {&one_by_one, 6, 0, TOO_MANY, 23, 1, {REDUCE(23, LAUNCH, 1, 0, 0, 0)}},
    {&plain, 5, 0, NOT_PENDING, 10, 1, {MAP(10, LAUNCH, 1, 0, 0, 0)}},
    {&plain, 1, 1, GAPS, 0, 1, {MAP(0, LAUNCH, 1, 0, 0, 1)}},
    {&outage, 11, 1, GAPS, 15, 1, {MAP(15, LAUNCH, 1, 0, 1, 0)}},
    {&plain, 1, 0, NOT_READY, 0, 1, {REDUCE(0, LAUNCH, 1, 0, 0, 0)}},
    {&beats, 5, 0, NOT_READY, 15, 1, {REDUCE(15, LAUNCH, 1, 0, 1, 0)}},
    {&gated, 6, 0, NOT_READY, 13, 1, {REDUCE(13, LAUNCH, 1, 0, 1, 0)}},
    {&plain, 1, 2, NOT_ITS_TURN, 0, 1, {MAP(0, LAUNCH, 1, 1, 1, 0)}},
    {&plain, 1, 1, NOT_ITS_TURN, 0, 1, {MAP(0, LAUNCH, 1, 1, 0, 0)}},
    {&measured, 1, 2, NOT_ITS_TURN, 8, 1, {MAP(8, LAUNCH, 1, 1, 1, 0)}},
    {&plain, 7, 0, MAPS_FIRST, 14, 1, {REDUCE(14, END, 1, 0, 0, 0)}},
    {&measured, 5, 0, MAPS_FIRST, 20, 1, {REDUCE(20, END, 1, 0, 1, 0)}},
    {&plain, 3, 1, OTHER_TIME, 9, 1, {MAP(9, END, 1, 0, 0, 0)}},
    {&plain, 10, 1, OTHER_TIME, 34, 1, {REDUCE(34, END, 1, 0, 0, 0)}},
    {&quick_beats, 3, 2, END_ORDER, 13, 1, {MAP(13, END, 1, 1, 1, 0), MAP(13, END, 1, 0, 0, 0)}},
    {&failing, 3, 1, MUST_FAIL, FIRST, 1, {MAP(FIRST, END, 1, 0, 0, 0)}},
    {&plain, 3, 1, MUST_END, 10, 1, {MAP(10, FAIL, 1, 0, 0, 0)}},
    {&plain, 6, 0, NO_KILLER, 12, 1, {MAP(12, KILL, 1, 1, 1, 0)}},
    {&kills, 8, 0, PROTECTED, 20, 1, {MAP(20, KILL, 1, 0, 0, 1)}},
    {&kills, 2, 0, NO_PLAN, 4, 1, {MAP(4, KILL, 1, 0, 0, 0)}},
    {&kills, 5, 0, NO_PLAN, 5, 2, {MAP(5, KILL, 2, 0, 0, 0)}},
    /* who is not taken is not planned for */
    {&tick_kills, 3, 0, NO_PLAN, 5, 1, {MAP(5, KILL, 1, 0, 0, 0)}},
    {&plain, 10, 2, RUNNING, 35, 1, NONE},
    {&cut_short, 7, 1, RUNNING, 15, 1, NONE},
    {&stranded, 5, 7, AWAY, 20, 0, NONE},
    {&plain, 3, 0, NO_KILLER, 9, 1, {MAP(9, SUSPEND, 1, 0, 0, 0)}},
    {&paused, 3, 1, NO_PLAN, 7, 1, {MAP(7, SUSPEND, 1, 0, 0, 0)}},
    {&paused, 4, 0, NOT_ALONE, 5, 1, {MAP(5, SUSPEND, 1, 0, 0, 0)}},
    {&paused, 4, 0, SUSPENDED_KILL, 5, 1, {MAP(5, KILL, 1, 0, 0, 0)}},
    {&paused, 5, 0, SUSPENDED_END, 14, 1, {MAP(14, END, 1, 0, 0, 0)}},
    {&paused, 7, 1, NOT_PENDING, 15, 1, {MAP(15, LAUNCH, 1, 0, 0, 1)}},
    {&paused, 7, 1, NO_ATTEMPT, 15, 1, {MAP(15, RESUME, 1, 0, 0, 1)}},
    {&paused, 4, 1, NO_SLOT, 5, 2, {MAP(5, RESUME, 1, 0, 0, 0), MAP(5, LAUNCH, 2, 0, 0, 0)}},
    {&paused, 8, 1, OTHER_TIME, 39, 1, {MAP(39, END, 1, 0, 0, 0)}},
    {&paid, 8, 1, OTHER_TIME, 40, 1, {MAP(40, END, 1, 0, 0, 0)}},
    {&saved, 7, 1, OTHER_TIME, 35, 1, {MAP(35, END, 1, 0, 0, 0)}},
    {&saved, 10, 1, OTHER_TIME, 47, 2, {MAP(47, END, 2, 0, 0, 0)}},
    {&paid, 8, 1, WEARY, 20, 1, {MAP(20, SUSPEND, 1, 0, 0, 0)}},
    {&paused, 8, 2, GOES_ON, 40, 1, {JOB(41, JOB_FINISH, 1)}},
    {&paused, 7, 1, NO_EVENT, 17, 1, {MAP(17, RESUME, 1, 0, 0, 0)}},
    {&both_paused, 5, 1, NOT_ITS_TURN, 10, 1, {MAP(10, RESUME, 1, 1, 0, 0)}},
    {&both_paused, 6, 1, NOT_ITS_TURN, 10, 1, {MAP(10, RESUME, 1, 0, 0, 0)}},
    {&both_paused, 6, 1, RESUMES_FIRST, 10, 1, {MAP(10, LAUNCH, 1, 2, 0, 0)}},
    {&copied, 2, 1, SAME_NODE, 0, 1, {MAP(0, LAUNCH, 1, 0, 0, 1)}},
    {&copied, 2, 1, GAPS, 0, 1, {MAP(0, LAUNCH, 1, 0, 1, 2)}},
    {&copied, 3, 0, NOT_PENDING, 0, 1, {MAP(0, LAUNCH, 1, 0, 0, 2)}},
    {&copied, 4, 0, NOT_ALONE, 5, 1, {MAP(5, SUSPEND, 1, 0, 1, 1)}},
    {&copied, 4, 0, NO_CANCEL, 14, 1, {MAP(14, CANCEL, 1, 0, 1, 1)}},
    {&copied, 4, 1, END_ORDER, 15, 1, {MAP(15, END, 1, 0, 1, 1)}},
    {&copied, 5, 1, BOTH_ON, 15, 1, NONE},
    {&copied, 5, 1, NO_ATTEMPT, 15, 1, {MAP(15, CANCEL, 1, 0, 0, 0)}},
    {&overtaken, 13, 1, SUSPENDED_END, 19, 2, {MAP(19, END, 2, 0, 0, 2)}},
    {&overtaken, 11, 0, NOT_PENDING, 12, 2, {MAP(12, LAUNCH, 2, 0, 0, 3)}},
    {&plain, 4, 0, NOT_PENDING, 10, 1, {MAP(10, LAUNCH, 1, 1, 0, 1)}},
    {&plain, 3, 0, HOSTS_CANCEL, 9, 1, {JOB(9, JOB_CANCEL, 1)}},
    {&cancelled, 6, 2, UNDROPPED, 6, 1, NONE},
    {&cancelled, 7, 1, UNDROPPED, 6, 1, NONE},
    {&cancelled, 8, 1, NOT_CANCELLED, 6, 1, NONE},
    {&cancelled, 8, 1, NOT_CANCELLED, 6, 1, {JOB(6, JOB_CANCEL, 2)}},
    {&cancelled, 8, 1, NOT_CANCELLED, 6, 1, {JOB(6, JOB_FAIL, 1)}},
    {&cancelled, 8, 1, NOT_CANCELLED, 6, 1, {JOB(7, JOB_CANCEL, 1)}},
    {&plain, 3, 0, HOSTS_RESIZE, 9, 0, {RESIZE(9, 0, 0, 0)}},
    {&resized, 2, 1, NO_SLOT, 2, 1, NONE},
    {&resized, 2, 1, MORE_SLOTS, 2, 0, {RESIZE(2, 1, 2, 0)}},
    {&resized, 2, 1, MORE_SLOTS, 2, 0, {RESIZE(2, 1, 1, 2)}},
    {&resized, 2, 1, SAME_SLOTS, 2, 0, {RESIZE(2, 1, 0, 0)}},
    {&resized, 2, 1, NO_NODE, 2, 0, {RESIZE(2, 2, 0, 0)}},
    {&resized, 6, 0, NO_SLOT, 4, 1, {MAP(4, LAUNCH, 1, 1, 0, 0)}},
    {&resized, 8, 1, NO_SLOT, 8, 2, NONE},
    {&resized,
     11,
     1,
     MEANINGLESS,
     8,
     2,
     {{.time = 8, .event = PN_SCHEDULER_LAUNCH, .id = 2, .node = 1, .slots = {1, 0}}}},
    {&resized,
     11,
     1,
     MEANINGLESS,
     8,
     2,
     {{.time = 8, .event = PN_SCHEDULER_LAUNCH, .id = 2, .node = 1, .slots = {0, 1}}}},
    {&resized,
     2,
     1,
     MEANINGLESS,
     2,
     0,
     {{.time = 2, .event = PN_SCHEDULER_NODE_RESIZE, .node = 1, .task = 1}}},
    {&cancelled, 9, 0, HAS_ENDED, 7, 1, {JOB(7, JOB_CANCEL, 1)}},
    {&twice_down, 9, 0, UNTOLD_UP, 12, 0, {NODE(12, NODE_UP, 1)}},
    {&twice_down, 11, 1, UNTOLD_UP, 18, 0, {NODE(18, NODE_UP, 0)}},
    {&twice_down, 13, 0, UNTOLD_DOWN, 20, 0, {NODE(20, NODE_DOWN, 1)}},
    {&two_reduces, 3, 1, NOT_ITS_TURN, 10, 1, {REDUCE(10, LAUNCH, 1, 1, 0, 0)}},
    /* where inputs lie, this host does not say */
    {&refetched, 1, 2, "", 0, 0, {MAP(1, LAUNCH, 1, 1, 1, 0), MAP(1, LAUNCH, 1, 0, 0, 0)}},
    {&all_fetched, 5, 0, NOT_LOST, 12, 1, {MAP(12, RERUN, 1, 0, 0, 0)}},
    {&done_without, 10, 0, NOT_LOST, 10, 1, {MAP(10, RERUN, 1, 1, 1, 0)}},
    {&copied,
     2,
     2,
     NOT_PENDING,
     5,
     1,
     {JOB(5, ACCEPT, 2), MAP(5, SUSPEND, 1, 0, 0, 0), MAP(5, LAUNCH, 1, 0, 1, 1)}},
    {&copied,
     4,
     2,
     NO_CANCEL,
     15,
     2,
     {MAP(10, LAUNCH, 2, 0, 0, 0), MAP(15, END, 1, 0, 0, 0), MAP(15, CANCEL, 2, 0, 0, 0)}},
    {&host_fails, 5, 0, NO_DROP, 5, 2, {MAP(5, DROP, 2, 0, 1, 0)}},
    {&host_fails, 5, 1, NO_FAILURE, 5, 2, {JOB(5, JOB_FAIL, 2)}},
    {&host_fails, 5, 1, STILL_ON, 5, 1, NONE},
    {&host_fails, 7, 1, NO_BLOCKER, 6, 3, {BLOCKED(6, 3, 70, 30, 1)}},
    {&host_late, 3, 1, NO_REASON, 3, 0, NONE},
    {&host_late, 5, 1, NO_REASON, 4, 0, NONE},
    {&outage,
     8,
     1,
     MEANINGLESS,
     12,
     0,
     {{.time = 12, .event = PN_SCHEDULER_NODE_DOWN, .slots = {1, 0}}}},
    {&outage,
     8,
     1,
     MEANINGLESS,
     12,
     0,
     {{.time = 12, .event = PN_SCHEDULER_NODE_DOWN, .slots = {0, 1}}}},
    {&cancelled, 5, 0, NOT_HERE, 5, 2, {JOB(5, JOB_CANCEL, 2)}},
};

static void every_rule_has_its_word(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof mutants / sizeof mutants[0]; i++) {
        const mutant *m = &mutants[i];
        pn_cluster_config config = config_of(m->of);
        pn_cluster_claim claim = claim_of(m->of, &config);
        cluster_log log = {NULL, 0, 0};
        add_entries(&log, m->of->entry, m->at);
        add_entries(&log, m->entry, 3);
        add_entries(&log, m->of->entry + m->at + m->removed, ENTRIES - m->at - m->removed);
        cluster_verdict v = cluster_judge_as_it_is(&log, &claim);
        if (strcmp(v.fault, m->fault) != 0 || v.time != real_time(m->time) || v.id != m->id)
            fail_msg("mutant %zu: \"%s\" at %llu of job %llu instead of \"%s\" at %llu of job %llu",
                     i, v.fault, (unsigned long long)v.time, (unsigned long long)v.id, m->fault,
                     (unsigned long long)m->time, (unsigned long long)m->id);
        cluster_log_free(&log);
    }
}

/* ---- one change of every kind ---- */

/* A log that goes with a claim. */
typedef struct story {
    const sample *of;
    cluster_log log;
    pn_cluster_claim claim;
    uint64_t digest, end, unfinished;
} story;

static const sweep_field entry_fields[] = {
    SWEEP(pn_scheduler_event, time),     SWEEP(pn_scheduler_event, id),
    SWEEP(pn_scheduler_event, event),    SWEEP(pn_scheduler_event, kind),
    SWEEP(pn_scheduler_event, task),     SWEEP(pn_scheduler_event, node),
    SWEEP(pn_scheduler_event, attempt),  SWEEP(pn_scheduler_event, estimate),
    SWEEP(pn_scheduler_event, deadline), SWEEP(pn_scheduler_event, blocker),
    SWEEP(pn_scheduler_event, slots[0]), SWEEP(pn_scheduler_event, slots[1])};

/* What a simulated run could also do, by entry and what is changed of it. */
static const struct {
    const sample *of;
    size_t at;
    const char *what;
} choices[] = {{&cut_short, 4, "node"},   {&cut_short, 4, "dropped"}, {&cut_short, 6, "dropped"},
               {&quick_beats, 6, "time"}, {&late, 5, "dropped"},      {&late, 7, "dropped"},
               {&late, 9, "dropped"},     {&late, 10, "dropped"},     {&failing_late, 4, "dropped"},
               {&tick_kills, 2, "event"}, {&tick_kills, 3, "time"}};

/* Returns whether the changed log may be right. A policy decides which job is to be late, whether a
 * job is taken, and whether slots are used at all. */
static bool is_choice(const story *it, const sweep_change *change)
{
    const char *what = change->field ? change->field->name : change->what;
    if (it->claim.measured || strcmp(what, "estimate") == 0 || strcmp(what, "cut") == 0)
        return true;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].of == it->of && choices[i].at == change->at &&
            strcmp(choices[i].what, what) == 0)
            return true;
    return false;
}

static void judge_entry(void *user, const sweep_change *change)
{
    story *it = user;
    uint64_t fits = cluster_log_digest(&it->log);
    if (fits == it->digest)
        return;
    if (cluster_judge(&it->log, &it->claim, it->end, it->unfinished, it->digest).status == PN_OK)
        fail_msg("%s: not seen by the digest", change->text);
    if (cluster_judge_as_it_is(&it->log, &it->claim).status == PN_OK && !is_choice(it, change))
        fail_msg("%s: not seen in what the log says", change->text);
}

static const char *judge_stopped(const story *it, size_t count, uint64_t until)
{
    pn_cluster_verifier *verifier;
    size_t size = pn_cluster_verifier_size(&it->claim);
    void *block = workload_room(size);
    cluster_log log = it->log;
    int status = pn_cluster_verifier_init(&verifier, block, size, &it->claim);
    log.count = count;
    for (size_t i = 0; i < count && status == PN_OK; i++)
        status = pn_cluster_verifier_feed(verifier, &log.entry[i]);
    if (status == PN_OK)
        status = pn_cluster_verifier_stop(verifier, until);
    if (status == PN_OK)
        status = pn_cluster_verifier_end(verifier, cluster_log_end(&log),
                                         cluster_log_unfinished(&log, it->claim.job_count),
                                         cluster_log_digest(&log));
    const char *fault = pn_cluster_verifier_fault(verifier, NULL, NULL);
    assert_int_equal(*fault == '\0', status == PN_OK);
    if (status != PN_OK)
        assert_int_equal(pn_cluster_verifier_stop(verifier, until), PN_ERR_REJECTED);
    free(block);
    return fault;
}

/* Whenever a run is stopped, its log up to then is right. */
static void check_stops(const story *it)
{
    for (size_t at = 0; at < it->log.count; at++) {
        uint64_t until = it->log.entry[at].time, before = at == 0 ? 0 : it->log.entry[at - 1].time;
        if (until == before)
            continue;
        assert_string_equal(judge_stopped(it, at, until), "");
        assert_string_equal(judge_stopped(it, at, before),
                            "the run continues after it was stopped");
    }
    assert_string_equal(judge_stopped(it, 0, PN_INTEGER_MAX + 1),
                        "the run continues after it was stopped");
}

static void every_change_of_a_log_is_found(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        pn_cluster_config config = config_of(samples[i]);
        story it = {.of = samples[i], .claim = claim_of(samples[i], &config)};
        add_entries(&it.log, samples[i]->entry, ENTRIES);
        it.digest = cluster_log_digest(&it.log);
        it.end = cluster_log_end(&it.log);
        it.unfinished = cluster_log_unfinished(&it.log, it.claim.job_count);
        cluster_log_add(&it.log, &samples[i]->entry[0]); /* room for one more */
        it.log.count--;
        sweep_entries(&(sweep_log){it.log.entry, &it.log.count, sizeof it.log.entry[0],
                                   entry_fields, sizeof entry_fields / sizeof entry_fields[0],
                                   judge_entry, &it});
        assert_int_equal(cluster_judge_as_it_is(&it.log, &it.claim).status, PN_OK);
        check_stops(&it);
        cluster_log_free(&it.log);
    }
}

/* ---- what is seen at the end only ---- */

static void check_end(const sample *s, const cluster_log *log, uint64_t end, uint64_t unfinished,
                      uint64_t digest, const char *fault)
{
    pn_cluster_config config = config_of(s);
    pn_cluster_claim claim = claim_of(s, &config);
    claim.job_count = log->count == 0 ? 0 : claim.job_count;
    cluster_verdict v = cluster_judge(log, &claim, end, unfinished, digest);
    assert_string_equal(v.fault, fault);
}

static void the_end_and_the_digest_must_fit(void **unused)
{
    cluster_log log = {NULL, 0, 0};
    (void)unused;
    add_entries(&log, plain.entry, ENTRIES);
    uint64_t digest = cluster_log_digest(&log);
    check_end(&plain, &log, 35, 0, digest, "");
    check_end(&plain, &log, 34, 0, digest, OTHER_END);
    check_end(&plain, &log, 0, 0, digest, OTHER_END);
    check_end(&plain, &log, 35, 1, digest, MORE_ENDED);
    check_end(&plain, &log, 35, UINT64_MAX, digest, MORE_ENDED);
    for (int bit = 0; bit < 64; bit++)
        check_end(&plain, &log, 35, 0, digest ^ (uint64_t)1 << bit, OTHER_DIGEST);
    log.count = 0;
    check_end(&plain, &log, 0, 0, 0, "");
    check_end(&plain, &log, 0, 0, 1, OTHER_DIGEST);
    add_entries(&log, cut_short.entry, ENTRIES);
    check_end(&cut_short, &log, 0, 2, cluster_log_digest(&log), "");
    check_end(&cut_short, &log, 0, 1, cluster_log_digest(&log), NO_END);
    cluster_log_free(&log);
}

/* ---- durations ---- */

__extension__ typedef unsigned __int128 wide;

static uint64_t wide_ceil(uint64_t a, uint64_t b, uint64_t over)
{
    uint64_t length = (uint64_t)(((wide)a * b + over - 1) / over);
    return length > 0 ? length : 1;
}

/* A single map, then a reduce on the same node or another one. */
static const char *judge_job(const pn_cluster_config *config, const pn_cluster_job *job,
                             uint64_t map, uint64_t reduce, uint32_t reduce_node)
{
    const pn_scheduler_event entries[] = {JOB(0, ACCEPT, 1),
                                          MAP(0, LAUNCH, 1, 0, 0, 0),
                                          MAP(map, END, 1, 0, 0, 0),
                                          REDUCE(map, LAUNCH, 1, 0, reduce_node, 0),
                                          REDUCE(map + reduce, END, 1, 0, reduce_node, 0),
                                          JOB(map + reduce, JOB_FINISH, 1)};
    pn_cluster_claim claim = {.config = config, .jobs = job, .job_count = 1};
    cluster_log log = {NULL, 0, 0};
    add_entries(&log, entries, 6);
    const char *fault = cluster_judge_as_it_is(&log, &claim).fault;
    cluster_log_free(&log);
    return fault;
}

static void attempts_last_as_long_as_the_rules_say(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 5, 0, 0);
    for (int i = 0; i < 3000; i++) {
        uint64_t most = pn_uniform(&stream, 0, 2) == 0 ? PN_CLUSTER_MOST_MS / 1024 : 50;
        pn_scheduler_nodes nodes = {2, 1, 1, (uint32_t)pn_uniform(&stream, 100, 1 << 12)};
        uint32_t factors[2] = {(uint32_t)pn_uniform(&stream, 1, 1 << 12),
                               (uint32_t)pn_uniform(&stream, 1, 1 << 12)};
        uint32_t holder = (uint32_t)pn_uniform(&stream, 0, 1), count = 1,
                 on = (uint32_t)pn_uniform(&stream, 0, 1);
        uint64_t times[3] = {pn_uniform(&stream, 0, most), pn_uniform(&stream, 0, most),
                             pn_uniform(&stream, 0, most)};
        pn_cluster_job job = {.maps = 1,
                              .reduces = 1,
                              .remote_ms = pn_uniform(&stream, 0, most),
                              .block_counts = &count,
                              .blocks = &holder,
                              .map_factor = &factors[0],
                              .reduce_factor = &factors[1],
                              .map_times = &times[0],
                              .reduce_times = &times[1],
                              .shuffle_times = &times[2]};
        pn_cluster_config config = pn_cluster_defaults();
        config.scheduler.nodes = &nodes;
        config.scheduler.nodes_count = 1;
        config.factor_lo = config.factor_hi = 77; /* lists win */
        config.tick_ms = 1;
        uint64_t map = wide_ceil(times[0] + (holder == 0 ? 0 : job.remote_ms), factors[0],
                                 nodes.speed);
        uint64_t shuffle = on == 0 || times[2] == 0 ? 0 : wide_ceil(times[2], factors[1], 1000);
        uint64_t reduce = shuffle + wide_ceil(times[1], factors[1], nodes.speed);
        assert_string_equal(judge_job(&config, &job, map, reduce, on), "");
        assert_string_equal(judge_job(&config, &job, map, reduce - 1, on),
                            reduce > 1 ? OTHER_TIME : OUT_OF_ORDER);
        assert_string_equal(judge_job(&config, &job, map, reduce + 1, on), GOES_ON);
        assert_string_equal(judge_job(&config, &job, map + 1, reduce, on), GOES_ON);
    }
}

/* Judges a job of one map, far from its input, that does this at a time. */
static const char *judge_map(const pn_cluster_config *config, uint64_t ms, uint32_t does,
                             uint64_t time)
{
    static const uint32_t factor = 1 << 12;
    const pn_cluster_job job = {.maps = 1,
                                .map_ms = ms,
                                .remote_ms = ms,
                                .map_factor = &factor,
                                .block_counts = ones,
                                .blocks = first_node};
    const pn_scheduler_event entries[] = {
        JOB(0, ACCEPT, 1),
        MAP(0, LAUNCH, 1, 0, 1, 0),
        {.time = time, .event = does, .id = 1, .node = 1},
        {.time = time,
         .event = does == PN_SCHEDULER_END ? PN_SCHEDULER_JOB_FINISH : PN_SCHEDULER_JOB_FAIL,
         .id = 1}};
    const pn_cluster_claim claim = {.config = config, .jobs = &job, .job_count = 1};
    cluster_log log = {NULL, 0, 0};
    add_entries(&log, entries, 4);
    const char *fault = cluster_judge_as_it_is(&log, &claim).fault;
    cluster_log_free(&log);
    return fault;
}

/* CL27: which attempts fail, and when; and the last moment of all. */
static void attempts_fail_by_their_draw(void **unused)
{
    static const pn_scheduler_nodes slow[] = {{2, 1, 0, 1}};
    (void)unused;
    for (uint32_t shift = 0; shift <= 40; shift += 8)
        for (uint64_t seed = 0; seed < 20; seed++) {
            pn_cluster_config config = pn_cluster_defaults();
            uint64_t drawn[2]; /* whether and when */
            for (uint64_t i = 0; i < 2; i++) {
                drawn[i] = pn_mix(pn_mix(pn_mix(PN_MIX_START, seed), 3 + i), 0);
                drawn[i] = pn_mix(pn_mix(pn_mix(drawn[i], 0), 0), 0) % 1000;
            }
            uint64_t ms = (uint64_t)1 << shift, works = 2 * ms << 12,
                     fails = works * drawn[1] / 1000;
            fails = fails > 0 ? fails : 1;
            config.seed = seed;
            config.scheduler.nodes = slow;
            config.scheduler.nodes_count = 1;
            config.scheduler.attempts_max = 1;
            config.attempt_fail_permille = (uint32_t)drawn[0];
            assert_string_equal(judge_map(&config, ms, PN_SCHEDULER_END, works), "");
            assert_string_equal(judge_map(&config, ms, PN_SCHEDULER_FAIL, works), MUST_END);
            config.attempt_fail_permille++;
            assert_string_equal(judge_map(&config, ms, PN_SCHEDULER_FAIL, fails), "");
            assert_string_equal(judge_map(&config, ms, PN_SCHEDULER_FAIL, fails + 1), GOES_ON);
        }
}

/* Each part of a ms that a state takes is a whole one. */
static void parts_of_a_ms_count(void **unused)
{
    const sample *const all[] = {&paid, &saved};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        sample changed = *all[i];
        changed.restore_permille = changed.restore_permille > 0;
        changed.save_permille = changed.save_permille > 0;
        pn_cluster_config config = config_of(&changed);
        pn_cluster_claim claim = claim_of(&changed, &config);
        cluster_log log = {NULL, 0, 0};
        add_entries(&log, changed.entry, ENTRIES);
        assert_string_equal(cluster_judge_as_it_is(&log, &claim).fault, "");
        cluster_log_free(&log);
    }
}

/* ---- claims ---- */

static void check_claim(const pn_cluster_claim *claim, int expected)
{
    uint64_t block[512];
    pn_cluster_verifier *verifier = NULL;
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, sizeof block, claim), expected);
    if (expected == PN_ERR_ARGUMENT)
        assert_true(pn_cluster_verifier_size(claim) == 0);
    assert_null(verifier);
}

static void claims_make_sense(void **unused)
{
    const pn_cluster_config good = config_of(&plain);
    const pn_cluster_claim fine = claim_of(&plain, &good);
    (void)unused;
    assert_true(pn_cluster_verifier_size(&fine) > 0 && pn_cluster_verifier_size(&fine) <= 4096);
    check_claim(NULL, PN_ERR_ARGUMENT);
#define WRONG(change)                         \
    do {                                      \
        pn_cluster_claim claim = fine;        \
        change;                               \
        check_claim(&claim, PN_ERR_ARGUMENT); \
    } while (0)
    WRONG(claim.config = NULL);
    WRONG(claim.measured = 2);
    WRONG(claim.preempts = 2);
    WRONG(claim.maps_first = 2);
    WRONG(claim.deals = 2);
    WRONG(claim.promises = 2);
    WRONG(claim.holds = 2);
    WRONG(claim.copies = 2);
    WRONG(claim.struct_size = 1);
    WRONG(claim.jobs = &(pn_cluster_job){.struct_size = 1});
    WRONG(claim.jobs = NULL);
    WRONG((claim.failures = NULL, claim.failure_count = 1));
#undef WRONG
#define WRONG(field, value)                   \
    do {                                      \
        pn_cluster_config config = good;      \
        pn_cluster_claim claim = fine;        \
        config.field = value;                 \
        claim.config = &config;               \
        check_claim(&claim, PN_ERR_ARGUMENT); \
    } while (0)
    WRONG(struct_size, 0);
    WRONG(scheduler.nodes, NULL);
    WRONG(scheduler.nodes_count, 0);
    WRONG(scheduler.nodes_down, 2);
    WRONG(scheduler.reduce_start, 2);
    WRONG(scheduler.slowstart_permille, 1001);
    WRONG(scheduler.attempts_max, 0);
    WRONG(scheduler.nodes_absent, 3);
    WRONG(scheduler.running_most, (uint64_t)UINT32_MAX + 1);
    WRONG(seed, PN_INTEGER_MAX + 1);
    WRONG(heartbeat_ms, PN_CLUSTER_MOST_MS + 1);
    WRONG(replication, 0);
    WRONG(factor_lo, 0);
    WRONG(factor_lo, 1001);
    WRONG(factor_hi, PN_CLUSTER_FACTOR_MOST + 1);
    WRONG(attempt_fail_permille, 1001);
    WRONG(est_extra_ms, PN_CLUSTER_MOST_MS + 1);
    WRONG(restore_ms, PN_CLUSTER_MOST_MS + 1);
    WRONG(restore_permille, (1 << 20) + 1);
    WRONG(save_ms, PN_CLUSTER_MOST_MS + 1);
    WRONG(save_permille, (1 << 20) + 1);
    WRONG(tick_ms, 0);
#undef WRONG
    static const pn_scheduler_nodes wrong[][1] = {{{0, 1, 1, 0}},
                                                  {{1, 0, 1, 0}},
                                                  {{1, 65537, 1, 0}},
                                                  {{1, 1, 65537, 0}},
                                                  {{1, 1, 1, (1 << 20) + 1}},
                                                  {{(1 << 22) + 1, 1, 0, 0}},
                                                  {{4096, 65536, 0, 0}}};
    pn_cluster_config config = good;
    pn_cluster_claim claim = fine;
    claim.config = &config;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        config.scheduler.nodes = wrong[i];
        check_claim(&claim, PN_ERR_ARGUMENT);
    }
    static const pn_scheduler_nodes many[] = {{1 << 21, 1, 0, 0}, {(1 << 21) + 1, 1, 0, 0}};
    config.scheduler.nodes = many;
    config.scheduler.nodes_count = 2;
    check_claim(&claim, PN_ERR_ARGUMENT);
}

static int taken(const pn_cluster_claim *claim)
{
    size_t size = pn_cluster_verifier_size(claim);
    if (size > (size_t)1 << 26)
        return PN_PAUSED;
    void *block = workload_room(size > 0 ? size : 8);
    pn_cluster_verifier *verifier;
    int status = pn_cluster_verifier_init(&verifier, block, size, claim);
    free(block);
    return status;
}

/* Returns PN_OK if the engine takes configuration, jobs and failures, PN_PAUSED if they need too
 * much. */
static int engine_takes(const pn_cluster_claim *claim)
{
    pn_cluster *sim;
    if (pn_cluster_check(claim->config))
        return PN_ERR_ARGUMENT;
    size_t size = pn_cluster_size(claim->config);
    if (size > (size_t)1 << 26)
        return PN_PAUSED;
    void *block = workload_room(size);
    int status = pn_cluster_init(&sim, block, size, claim->config);
    for (size_t i = 0; i < claim->failure_count && status == PN_OK; i++)
        status = pn_cluster_fail(sim, claim->failures[i].time, claim->failures[i].node,
                                 claim->failures[i].recover);
    for (size_t i = 0; i < claim->job_count && status == PN_OK; i++)
        status = pn_cluster_submit(sim, &claim->jobs[i], NULL);
    free(block);
    return status == PN_ERR_FULL ? PN_PAUSED : status;
}

/* Claims are taken and refused as the engine takes and refuses configurations, jobs and
 * failures. */
static void judge_claim(void *user, const sweep_change *change)
{
    const pn_cluster_claim *claim = user;
    int expected = engine_takes(claim), status = taken(claim);
    bool known = expected != PN_PAUSED && status != PN_PAUSED;
    if (known && (status == PN_OK) != (expected == PN_OK))
        fail_msg("%s: %s instead of %s", change->text, pn_status_name(status),
                 pn_status_name(expected));
}

static const sweep_field config_fields[] = {SWEEP(pn_cluster_config, struct_size),
                                            SWEEP(pn_cluster_config, scheduler.struct_size),
                                            SWEEP_POINTS(pn_cluster_config, scheduler.nodes),
                                            SWEEP(pn_cluster_config, scheduler.reduce_start),
                                            SWEEP(pn_cluster_config, scheduler.slowstart_permille),
                                            SWEEP(pn_cluster_config, scheduler.running_most),
                                            SWEEP(pn_cluster_config, seed),
                                            SWEEP(pn_cluster_config, heartbeat_ms),
                                            SWEEP(pn_cluster_config, replication),
                                            SWEEP(pn_cluster_config, factor_lo),
                                            SWEEP(pn_cluster_config, factor_hi),
                                            SWEEP(pn_cluster_config, attempt_fail_permille),
                                            SWEEP(pn_cluster_config, est_extra_ms),
                                            SWEEP(pn_cluster_config, tick_ms),
                                            SWEEP(pn_cluster_config, restore_ms),
                                            SWEEP(pn_cluster_config, restore_permille),
                                            SWEEP(pn_cluster_config, save_ms),
                                            SWEEP(pn_cluster_config, save_permille)};
static const sweep_field node_fields[] = {
    SWEEP(pn_scheduler_nodes, count), SWEEP(pn_scheduler_nodes, map_slots),
    SWEEP(pn_scheduler_nodes, reduce_slots), SWEEP(pn_scheduler_nodes, speed)};
static const sweep_field job_fields[] = {
    SWEEP(pn_cluster_job, submit),     SWEEP(pn_cluster_job, maps),
    SWEEP(pn_cluster_job, reduces),    SWEEP(pn_cluster_job, map_ms),
    SWEEP(pn_cluster_job, remote_ms),  SWEEP(pn_cluster_job, reduce_ms),
    SWEEP(pn_cluster_job, shuffle_ms), SWEEP(pn_cluster_job, deadline),
    SWEEP(pn_cluster_job, est_map_ms), SWEEP(pn_cluster_job, est_reduce_ms),
    SWEEP(pn_cluster_job, input),      SWEEP(pn_cluster_job, intermediate),
    SWEEP(pn_cluster_job, weight),     SWEEP(pn_cluster_job, priority)};
static const sweep_field failure_fields[] = {SWEEP(pn_cluster_failure, time),
                                             SWEEP(pn_cluster_failure, recover),
                                             SWEEP(pn_cluster_failure, node)};

#define SWEEP_WITH(record, at, fields, judge, user) \
    sweep_record(record, at, fields, sizeof(fields) / sizeof((fields)[0]), judge, user)

static void claims_are_taken_or_not(void **unused)
{
    pn_scheduler_nodes nodes[] = {{2, 1, 1, 1000}, {1, 2, 0, 500}};
    pn_cluster_job jobs[] = {{.submit = 3, .maps = 2, .reduces = 1},
                             {.submit = 5, .maps = 3, .reduces = 0}};
    pn_cluster_failure failure = {12, 20, 1};
    struct {
        pn_cluster_config config;
        uint64_t beyond; /* a field that no version knows */
    } given = {pn_cluster_defaults(), 1};
    pn_cluster_claim claim = {.config = &given.config,
                              .jobs = jobs,
                              .job_count = 2,
                              .failures = &failure,
                              .failure_count = 1};
    (void)unused;
    given.config.scheduler.nodes = nodes;
    given.config.scheduler.nodes_count = 2;
    given.config.scheduler.jobs_max = 2;
    given.config.scheduler.tasks_max = 1 << 17;
    given.config.scheduler.replicas_max = 1 << 10;
    given.config.failures_max = 1;
    assert_int_equal(engine_takes(&claim), PN_OK);
    assert_int_equal(taken(&claim), PN_OK);
    SWEEP_WITH(&given.config, 0, config_fields, judge_claim, &claim);
    for (size_t i = 0; i < 2; i++)
        SWEEP_WITH(&nodes[i], i, node_fields, judge_claim, &claim);
    for (size_t i = 0; i < 2; i++)
        SWEEP_WITH(&jobs[i], i, job_fields, judge_claim, &claim);
    SWEEP_WITH(&failure, 0, failure_fields, judge_claim, &claim);
}

static void jobs_and_failures_make_sense(void **unused)
{
    static const uint32_t beyond[] = {0, 2}, twice[] = {1, 1}, pairs[] = {2, 0}, zero[] = {1, 0};
    static const uint64_t forever[] = {0, PN_CLUSTER_MOST_MS + 1};
    const pn_cluster_config config = config_of(&plain);
    const pn_cluster_job good = {.submit = 5, .maps = 2, .reduces = 2};
    pn_cluster_job jobs[2] = {good, good};
    pn_cluster_failure failure = {5, 6, 1};
    pn_cluster_claim claim = {
        .config = &config, .jobs = jobs, .job_count = 2, .failures = &failure, .failure_count = 1};
    uint64_t block[512];
    pn_cluster_verifier *verifier;
    (void)unused;
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, sizeof block, &claim), PN_OK);
#define WRONG(field, value, status)  \
    do {                             \
        jobs[1].field = value;       \
        check_claim(&claim, status); \
        jobs[1] = good;              \
    } while (0)
    WRONG(maps, 0, PN_ERR_JOB);
    WRONG(submit, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(submit, 4, PN_ERR_ORDER);
    WRONG(map_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(remote_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(reduce_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(shuffle_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(deadline, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(est_map_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(est_reduce_ms, PN_CLUSTER_MOST_MS + 1, PN_ERR_JOB);
    WRONG(input, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(intermediate, PN_INTEGER_MAX + 1, PN_ERR_JOB);
    WRONG(map_times, forever, PN_ERR_JOB);
    WRONG(reduce_times, forever, PN_ERR_JOB);
    WRONG(shuffle_times, forever, PN_ERR_JOB);
    WRONG(map_factor, zero, PN_ERR_JOB);
    WRONG(reduce_factor, zero, PN_ERR_JOB);
    WRONG(blocks, twice, PN_ERR_JOB); /* without counts */
    jobs[0].block_counts = ones;
    jobs[0].blocks = beyond;
    check_claim(&claim, PN_ERR_JOB);
    jobs[0].block_counts = pairs;
    jobs[0].blocks = twice;
    check_claim(&claim, PN_ERR_JOB);
    jobs[0] = good;
#undef WRONG
    static const pn_cluster_failure wrong[] = {
        {5, 6, 2}, {5, 5, 1}, {5, 4, 1}, {PN_INTEGER_MAX + 1, UINT64_MAX, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        failure = wrong[i];
        verifier = NULL;
        assert_int_equal(pn_cluster_verifier_init(&verifier, block, sizeof block, &claim),
                         PN_ERR_ARGUMENT);
        assert_null(verifier);
    }
    /* a cluster without reduce slots */
    const pn_cluster_config narrow = config_of(&kills);
    claim = (pn_cluster_claim){.config = &narrow, .jobs = jobs, .job_count = 2};
    check_claim(&claim, PN_ERR_JOB);
}

static void what_cannot_be_is_refused(void **unused)
{
    const pn_cluster_config config = config_of(&plain);
    const pn_cluster_claim claim = claim_of(&plain, &config);
    size_t size = pn_cluster_verifier_size(&claim);
    unsigned char *block = workload_room(size + 8), *before = workload_room(size + 8);
    pn_cluster_verifier *verifier = NULL;
    const pn_scheduler_event first = JOB(0, ACCEPT, 1);
    uint64_t time, id;
    (void)unused;
    memset(block, 0x5A, size + 8);
    memset(before, 0x5A, size + 8);
    assert_int_equal(pn_cluster_verifier_init(NULL, block, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_init(&verifier, NULL, size, &claim), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, size, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, size - 1, &claim), PN_ERR_SIZE);
    assert_int_equal(pn_cluster_verifier_init(&verifier, block + 4, size, &claim), PN_ERR_ALIGN);
    assert_null(verifier);
    assert_memory_equal(block, before, size + 8);
    assert_int_equal(pn_cluster_verifier_init(&verifier, block, size, &claim), PN_OK);
    assert_memory_equal(block + size, before, 8);
    assert_int_equal(pn_cluster_verifier_feed(NULL, &first), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_feed(verifier, NULL), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_stop(NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_end(NULL, 0, 0, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_cluster_verifier_feed(
                         verifier, &(pn_scheduler_event){.struct_size = 1, .event = 1, .id = 1}),
                     PN_ERR_ARGUMENT);
    assert_string_equal(pn_cluster_verifier_fault(verifier, NULL, NULL), "");
    assert_int_equal(pn_cluster_verifier_feed(verifier, &first), PN_OK);
    assert_int_equal(pn_cluster_verifier_feed(verifier, &first), PN_ERR_REJECTED);
    assert_string_equal(pn_cluster_verifier_fault(verifier, &time, &id), ARRIVALS);
    assert_true(time == 0 && id == 1);
    free(block);
    free(before);
}

/* ---- large numbers ---- */

/* What takes longer than there is time goes on for ever; more tasks than can be told apart are no
 * claim. */
static void numbers_do_not_run_over(void **unused)
{
    static const pn_scheduler_nodes slowest[] = {{1, 1, 0, 1}};
    static const uint32_t largest[] = {PN_CLUSTER_FACTOR_MOST};
    static pn_cluster_job many[300];
    const pn_cluster_job endless = {.maps = 1, .map_ms = PN_CLUSTER_MOST_MS, .map_factor = largest};
    const pn_cluster_job submitted_later = {
        .submit = 3, .maps = 1, .map_ms = PN_CLUSTER_MOST_MS, .map_factor = largest};
    const pn_scheduler_event entries[] = {JOB(0, ACCEPT, 1), MAP(0, LAUNCH, 1, 0, 0, 0)};
    uint64_t room[8];
    pn_cluster_verifier *verifier;
    pn_cluster_config config = config_of(&plain);
    pn_cluster_claim claim = {.config = &config, .jobs = &endless, .job_count = 1};
    cluster_log log = {NULL, 0, 0};
    (void)unused;
    config.scheduler.nodes = slowest;
    add_entries(&log, entries, 2);
    assert_string_equal(cluster_judge_as_it_is(&log, &claim).fault, "");
    for (size_t i = 0; i < 2; i++)
        log.entry[i].time = submitted_later.submit;
    claim.jobs = &submitted_later;
    assert_string_equal(cluster_judge_as_it_is(&log, &claim).fault, "");
    config.attempt_fail_permille = 1000; /* and fails never */
    assert_string_equal(cluster_judge_as_it_is(&log, &claim).fault, "");
    cluster_log_free(&log);
    claim.failures = outages;
    claim.failure_count = SIZE_MAX;
    assert_int_equal(pn_cluster_verifier_size(&claim), 0);
    assert_int_equal(pn_cluster_verifier_init(&verifier, room, sizeof room, &claim), PN_ERR_CONFIG);
    claim.failure_count = 0;
    const pn_cluster_job too_wide = {.maps = 1, .reduces = ((uint32_t)1 << 24) + 1};
    claim.jobs = &too_wide;
    config.scheduler.nodes = two;
    size_t size = pn_cluster_verifier_size(&claim);
    void *wide_block = malloc(size); /* a gigabyte that is not touched */
    if (wide_block)
        assert_int_equal(pn_cluster_verifier_init(&verifier, wide_block, size, &claim), PN_ERR_JOB);
    free(wide_block);
    for (size_t i = 0; i < 300; i++)
        many[i].maps = (uint32_t)1 << 24;
    claim.jobs = many;
    claim.job_count = 300;
    check_claim(&claim, PN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_by_hand_are_accepted),
        cmocka_unit_test(maps_far_behind_the_first_are_not_looked_at),
        cmocka_unit_test(the_first_of_many_tasks_comes_next),
        cmocka_unit_test(every_rule_has_its_word),
        cmocka_unit_test(every_change_of_a_log_is_found),
        cmocka_unit_test(the_end_and_the_digest_must_fit),
        cmocka_unit_test(attempts_last_as_long_as_the_rules_say),
        cmocka_unit_test(attempts_fail_by_their_draw),
        cmocka_unit_test(parts_of_a_ms_count),
        cmocka_unit_test(claims_make_sense),
        cmocka_unit_test(claims_are_taken_or_not),
        cmocka_unit_test(jobs_and_failures_make_sense),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(numbers_do_not_run_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
