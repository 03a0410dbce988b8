/* A host that promises: it asks the scheduler core what deadline a job could be given, submits jobs
 * with deadlines, and hears at once, when a node is lost, which of them are late. There is no
 * virtual cluster here: who runs tasks is the host, which in this example only knows how long they
 * take. A host with processes: examples/mapreduce.
 *   cc -Ikernel/include examples/c/deadlines.c build/libpinion.a -o host && ./host */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "pinion.h"

/* Four nodes with two map slots and a reduce slot. */
enum { NODES = 4, SLOTS = NODES * 3, JOBS_MOST = 8, TASKS_MOST = 128 };
static const pn_scheduler_nodes nodes = {.count = NODES, .map_slots = 2, .reduce_slots = 1};

/* All the memory that the core ever uses: these limits need about 14 KiB, exactly
 * pn_scheduler_size(&config) bytes. */
static _Alignas(max_align_t) unsigned char block[1 << 14];

/* Two jobs. No task takes longer than estimated; most take four fifths of that. */
enum { REPORT, MAIL, WORKS };
static const struct work {
    const char *name;
    uint32_t maps, reduces;
    uint64_t est_ms[2];
} works[WORKS] = {{"report", 16, 4, {20000, 30000}}, {"mail", 8, 1, {10000, 10000}}};

static pn_scheduler *core;
static uint64_t now;           /* ms */
static uint64_t came[WORKS];   /* … when the jobs were submitted */
static uint64_t ends[SLOTS];   /* when the attempts end, by their place; 0: none is there */
static uint64_t tokens[SLOTS]; /* which attempts these are */

/* ---- what the core wants and says ------------------------------------------------------------ */

static void launch(void *user, const pn_scheduler_task *task)
{
    (void)user;
    tokens[task->place] = task->token;
    ends[task->place] = now + works[task->tag].est_ms[task->kind] * 4 / 5;
}

static void say(const char *name, const char *what)
{
    printf("%3" PRIu64 " s  %-6s  %s", now / 1000, name, what);
}

static void on_event(void *user, const pn_scheduler_event *event)
{
    static const char *const words[] = {
        [PN_SCHEDULER_ACCEPT] = "accepted",   [PN_SCHEDULER_REJECT] = "rejected",
        [PN_SCHEDULER_LATE] = "LATE",         [PN_SCHEDULER_NODE_UP] = "is back",
        [PN_SCHEDULER_NODE_DOWN] = "is lost", [PN_SCHEDULER_JOB_FINISH] = "finished"};
    const char *what = event->event < sizeof words / sizeof *words ? words[event->event] : NULL;
    (void)user;
    if (!what)
        return;
    say(event->id > 0 ? works[event->tag].name : "a node", what);
    if (event->deadline > 0)
        printf(": estimated finish at %" PRIu64 " s, deadline at %" PRIu64 " s",
               event->estimate / 1000, (came[event->tag] + event->deadline) / 1000);
    putchar('\n');
}

static pn_scheduler_hooks hooks = {.launch = launch, .on_event = on_event};

/* ---- time ------------------------------------------------------------------------------------ */

/* In this story nothing is refused by the core. */
static void must(int status)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s at %" PRIu64 " ms\n", pn_status_name(status), now);
    exit(1);
}

/* Rounds over the nodes until nobody takes a slot. */
static void offer(void)
{
    for (int given = 1; given;) {
        given = 0;
        for (uint32_t node = 0; node < NODES; node++) {
            int status = pn_scheduler_offer(core, &hooks, now, node);
            must(status);
            given |= status == PN_OK;
        }
    }
}

/* The attempt that ends first; SLOTS: none does until then. */
static uint32_t first_end(uint64_t until)
{
    uint32_t first = SLOTS;
    for (uint32_t run = 0; run < SLOTS; run++) {
        if (ends[run] > 0 && ends[run] <= until && (first == SLOTS || ends[run] < ends[first]))
            first = run;
    }
    return first;
}

static void advance(uint64_t until)
{
    for (uint32_t run = first_end(until); run < SLOTS; run = first_end(until)) {
        now = ends[run];
        ends[run] = 0;
        must(pn_scheduler_finished(core, &hooks, now, tokens[run]));
        offer();
    }
    now = until;
}

/* What ran there is gone. The core says at once which jobs are late. */
static void lose_node(uint32_t node)
{
    pn_scheduler_task task;
    for (uint32_t run = 0; run < SLOTS; run++) {
        if (pn_scheduler_task_get(core, run, &task) == PN_OK && task.node == node)
            ends[run] = 0;
    }
    must(pn_scheduler_node_down(core, &hooks, now, node));
    offer();
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static pn_scheduler_job job_of(size_t index, uint64_t deadline)
{
    const struct work *work = &works[index];
    return (pn_scheduler_job){.maps = work->maps,
                              .reduces = work->reduces,
                              .deadline = deadline,
                              .est_ms = {work->est_ms[0], work->est_ms[1]},
                              .tag = index};
}

static void submit(size_t index, uint64_t deadline)
{
    const pn_scheduler_job job = job_of(index, deadline);
    came[index] = now;
    must(pn_scheduler_submit(core, &hooks, now, &job, NULL));
    offer();
}

/* With a deadline far away the job has the last place among those that wait, in nobody's way: the
 * answer says when it would finish there. */
static uint64_t ask(size_t index)
{
    const pn_scheduler_job job = job_of(index, (uint64_t)1 << 40);
    pn_scheduler_answer answer;
    must(pn_scheduler_ask(core, &hooks, now, &job, &answer));
    say(works[index].name, "could be promised");
    printf(" within %" PRIu64 " s\n", (answer.estimate - now) / 1000);
    return answer.estimate - now;
}

/* ---- the story ------------------------------------------------------------------------------- */

static void start(void)
{
    pn_scheduler_config config = pn_scheduler_defaults();
    config.nodes = &nodes;
    config.nodes_count = 1;
    config.jobs_max = JOBS_MOST;
    config.tasks_max = TASKS_MOST;
    config.replicas_max = 1; /* nobody says where inputs lie */
    hooks.policy = pn_scheduler_rtmr_live();
    config.policy = hooks.policy;
    config.maps_per_offer = 1; /* in turn, so that the maps of a job are spread over the nodes */
    if (pn_scheduler_size(&config) > sizeof block)
        fprintf(stderr, "%zu bytes needed\n", pn_scheduler_size(&config));
    must(pn_scheduler_init(&core, block, sizeof block, &config));
}

int main(void)
{
    pn_scheduler_totals totals;
    start();
    submit(REPORT, 75000);
    advance(5000);
    submit(MAIL, 60000);     /* too early: … */
    submit(MAIL, ask(MAIL)); /* … what may it be? */
    advance(12000);
    lose_node(3);
    advance(20000); /* Who was warned has brought it back. */
    must(pn_scheduler_node_up(core, &hooks, now, 3));
    offer();
    advance(200000);
    pn_scheduler_totals_get(core, &totals);
    printf("%" PRIu64 " of %" PRIu64 " jobs accepted, %" PRIu64 " in time, %" PRIu64 " warnings\n",
           totals.accepted, totals.submitted, totals.successful, totals.late);
    return totals.successful == totals.accepted ? 0 : 1;
}

/* It prints:
 *    0 s  report  accepted: estimated finish at 70 s, deadline at 75 s
 *    5 s  mail    rejected: estimated finish at 80 s, deadline at 65 s
 *    5 s  mail    could be promised within 75 s
 *    5 s  mail    accepted: estimated finish at 80 s, deadline at 80 s
 *   12 s  a node  is lost
 *   12 s  report  LATE: estimated finish at 120 s, deadline at 75 s
 *   12 s  mail    LATE: estimated finish at 100 s, deadline at 80 s
 *   20 s  a node  is back
 *   72 s  report  finished
 *   80 s  mail    finished
 *  2 of 3 jobs accepted, 2 in time, 2 warnings
 */
