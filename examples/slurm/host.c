/* The loop: a reading of Slurm's queue becomes events of an instant, the core decides, the state is
 * saved, and then the decisions are sent to Slurm. So a host that is killed at any point continues
 * with what Slurm has not done yet. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slurm.h"

void note(const sl_host *host, const char *format, ...)
{
    va_list arguments;
    printf("%" PRIu64 ".%03u ", host->now / 1000, (unsigned)(host->now % 1000));
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

void next_instant(sl_host *host)
{
    uint64_t now = clock_ms() - host->origin;
    host->now = now > host->now ? now : host->now + 1;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void on_launch(void *user, const pn_dispatch_task *task)
{
    sl_host *host = user;
    host->decisions++;
    host->attempts[task->place] = (sl_attempt){.task = *task, .state = LAUNCHED, .element = NONE};
}

/* Frees the attempt; its element, which no longer has one. */
static sl_element *take_attempt(sl_host *host, uint32_t place)
{
    sl_attempt *attempt = &host->attempts[place];
    sl_job *job = find_job(host, attempt->task.tag);
    int has = attempt->state == WITH_ELEMENT;
    attempt->state = UNUSED;
    return has && job ? &job->elements[attempt->element] : NULL;
}

static void on_kill(void *user, const pn_dispatch_task *task)
{
    sl_host *host = user;
    sl_element *element = take_attempt(host, task->place);
    if (element && !host->drops) {
        element->state = BACK;
        element->asked = 0;
        element->is_killed = 1;
    }
}

static void on_event(void *user, const pn_dispatch_event *event)
{
    sl_host *host = user;
    if (event->event != PN_DISPATCH_LOSE)
        return;
    sl_element *element = take_attempt(host, event->place);
    if (element) {
        element->state = BACK;
        element->is_killed = 0;
        element->asked = 0;
    }
}

static void on_finish(void *user, const pn_dispatch_record *record)
{
    sl_host *host = user;
    sl_job *job = find_job(host, record->tag);
    if (job)
        job->state = DONE;
    note(host, "job %" PRIu64 " (%" PRIu64 ") %s after %" PRIu64 " ms", record->id, record->tag,
         record->state == PN_DISPATCH_FINISHED ? "has ended" : "was cancelled",
         host->now - record->arrival);
}

static size_t input_line_of(const void *from, uint64_t *check, char *line, size_t size)
{
    return pn_dispatch_input_line(from, check, line, size);
}

static void on_input(void *user, const pn_dispatch_input *input)
{
    sl_host *host = user;
    host->told++;
    put_input(&host->inputs, input_line_of, input);
}

/* ---- the core -------------------------------------------------------------------------------- */

static size_t input_head_of(const void *from, uint64_t *check, char *line, size_t size)
{
    static const char *const resources[] = {"cpu", "memory"};
    const sl_host *host = from;
    const lua_file *lua = &host->options->lua;
    const pn_input_about about = {
        .text = lua->text, .text_size = lua->size, .resources = resources};
    return pn_dispatch_input_head(&host->config, &host->hooks, &about, check, line, size);
}

static void configure(sl_host *host, const pn_dispatch_queue queues[USERS_MOST])
{
    uint64_t cpus = 0;
    for (uint32_t i = 0; i < host->node_count; i++) {
        const uint64_t *full = host->nodes[i].full;
        host->config_nodes[i] = (pn_dispatch_nodes){.count = 1};
        memcpy(host->config_nodes[i].capacity, full, sizeof host->nodes[i].full);
        cpus += full[CPUS];
    }
    host->config = pn_dispatch_defaults();
    host->config.nodes = host->config_nodes;
    host->config.nodes_count = host->node_count;
    host->config.resources = RESOURCES;
    host->config.queues = queues;
    host->config.queues_count = USERS_MOST;
    host->config.jobs_max = host->config.stages_max = JOBS_MOST;
    host->config.attempts_max = (uint32_t)(2 * cpus < 1 << 27 ? 2 * cpus + JOBS_MOST : 1 << 28);
    host->config.policy = host->options->policy;
}

int open_core(sl_host *host)
{
    static const pn_dispatch_queue queues[USERS_MOST];
    host->config_nodes = calloc(host->node_count, sizeof *host->config_nodes);
    if (!host->config_nodes)
        return complain("not enough memory");
    configure(host, queues);
    host->size = pn_dispatch_size(&host->config);
    if (host->size == 0)
        return complain("%s", pn_dispatch_check(&host->config));
    host->block = calloc(1, host->size);
    host->places = host->config.attempts_max;
    host->attempts = calloc(host->places, sizeof *host->attempts);
    if (!host->block || !host->attempts ||
        pn_dispatch_init(&host->core, host->block, host->size, &host->config) != PN_OK)
        return complain("not enough memory");
    return 0;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static uint64_t clock_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Returns 1 if there is a job that the host has not seen. */
static int has_news(const sl_host *host, const sl_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].seen == HELD && !find_job(host, rows->list[i].job) &&
            has_word(rows->list[i].partition, host->options->partition))
            return 1;
    return 0;
}

/* Reads all that is needed, or nothing: -1. */
static int look(sl_host *host, sl_rows *rows)
{
    if (read_queue(host->options, rows) != 0 || read_nodes(host) != 0)
        return -1;
    return has_news(host, rows) ? read_limits(host->options, rows) : 0;
}

/* Returns PN_OK also when Slurm does not answer; the core's status; or PN_ERR_STOPPED, as the input
 * log cannot be written. */
static int turn(sl_host *host)
{
    sl_rows rows = {0};
    int status = PN_OK;
    if (look(host, &rows) == 0) {
        uint64_t start = clock_ns();
        status = tell_core(host, &rows);
        host->busy_ns += clock_ns() - start;
        host->readings++;
        if (status >= 0 && flush_log(host) != 0)
            status = PN_ERR_STOPPED;
        if (status >= 0 && save_state(host) == 0)
            ask_slurm(host);
    }
    free_queue(&rows);
    return status;
}

/* Sleeps for the time between two readings; 1 when it is time to go. The end of a command, which is
 * a signal too, does not shorten it. */
static int pause_between(uint64_t ms)
{
    const uint64_t until = clock_ms() + ms;
    for (uint64_t now = clock_ms(); now < until; now = clock_ms())
        if (wait_ms(until - now))
            return 1;
    return 0;
}

static int loop(sl_host *host)
{
    int status;
    do
        status = turn(host);
    while (status >= 0 && !pause_between(host->options->poll_ms));
    if (status == PN_ERR_POLICY && host->options->lua.policy)
        complain_of_lua(&host->options->lua);
    else if (status < 0 && status != PN_ERR_STOPPED)
        complain("%s at %" PRIu64 " ms", pn_status_name(status), host->now);
    return status < 0;
}

/* Waits for the first answer of Slurm: 0; or 1, it is time to go. */
static int await_nodes(sl_host *host)
{
    while (read_nodes(host) != 0)
        if (pause_between(host->options->poll_ms))
            return 1;
    return 0;
}

/* Begins with the nodes that there are now, and an empty log. The state comes first: a log without
 * one cannot be continued. 1: it is time to go. */
static int begin_anew(sl_host *host)
{
    FILE *log = host->inputs.file;
    if (log && (fseeko(log, 0, SEEK_END) != 0 || ftello(log) != 0))
        return complain("--inputs: the file is not empty, and there is no state of it to continue "
                        "(expected another file)");
    if (await_nodes(host) != 0)
        return 1;
    return open_core(host) == 0 ? save_state(host) : -1;
}

/* Continues from the state, or begins anew. */
static int begin(sl_host *host)
{
    host->hooks = (pn_dispatch_hooks){.policy = host->options->policy,
                                      .params = host->options->params,
                                      .launch = on_launch,
                                      .kill = on_kill,
                                      .on_finish = on_finish,
                                      .on_event = on_event,
                                      .on_input = on_input,
                                      .user = host};
    host->origin = clock_ms();
    host->has_log = host->inputs.file != NULL;
    if (host->options->state && lock_state(host->options->state) != 0)
        return -1;
    int status = load_state(host);
    if (status == 1)
        status = begin_anew(host);
    if (status == 0 && host->inputs.check == 0)
        put_input(&host->inputs, input_head_of, host);
    return status;
}

int run_host(sl_host *host)
{
    int status = begin(host);
    status = status == 0 ? loop(host) : status < 0;
    if (host->core)
        note(host, "%" PRIu64 " decisions at %" PRIu64 " readings, %.1f ms; digest %016" PRIx64,
             host->decisions, host->readings, (double)host->busy_ns / 1e6,
             pn_dispatch_digest(host->core));
    free_jobs(host);
    free(host->nodes);
    free(host->config_nodes);
    free(host->attempts);
    free(host->block);
    return status;
}
