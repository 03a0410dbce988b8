/* The command line. See mapreduce.h. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mapreduce.h"

static const char usage[] =
    "usage: mapreduce [OPTION...]\n"
    "Runs MapReduce jobs of shell commands over generated text, as processes on nodes that are "
    "directories.\n"
    "\n"
    "  --policy NAME|FILE.lua   a policy of the cluster model (default: hsrtf-pup)\n"
    "  --param NAME=VALUE       a parameter of the policy or the model: tick_ms, default_task_ms, "
    "locality_delay_ms, slowstart_permille,\n"
    "                           input_ratio_permille, max_kills_per_task, attempts_max, "
    "est_extra_ms\n"
    "  --jobs FILE              a job per line, fields separated by tabs: ARRIVAL(ms) NAME MAPS "
    "REDUCES KIB KIND\n"
    "                           KIND is count or sort, or two fields: the commands of the maps and "
    "of the reduces\n"
    "                           ARRIVAL+DEADLINE or ARRIVAL+DEADLINE,MAP,REDUCE: a job with a "
    "deadline, and with estimates\n"
    "                           (default: a few jobs that count and sort)\n"
    "  --deadline MS            the deadline of all other jobs, from their arrival (default: "
    "none); "
    "rtmr, rtmr-live, dc need one\n"
    "  --est-map MS             the estimated longest time of their maps (default: 10000)\n"
    "  --est-reduce MS          and of their reduces (default: 10000); --param estimates=learnt "
    "replaces both by the times of\n"
    "                           finished jobs\n"
    "  --nodes N                nodes (default: 3)\n"
    "  --map-slots N            map slots of each node (default: 2)\n"
    "  --reduce-slots N         reduce slots of each node (default: 1)\n"
    "  --replication N          nodes that hold each input (default: 2)\n"
    "  --seed N                 the seed of the text and of its places (default: 1)\n"
    "  --down NODE,FROM[,TO]    the node fails at FROM ms, which ends its processes and loses its "
    "map outputs, and recovers at TO\n"
    "  --dir DIR                a new directory for everything, kept with its results (default: a "
    "temporary one)\n"
    "  --log FILE               the decision log, for pinion verify and pinion gantt\n"
    "  --inputs FILE            the input log: all events passed to the core; pinion verify "
    "replays "
    "it\n"
    "  --scenario FILE          the run as a scenario, with the measured times, for pinion verify "
    "and pinion simulate\n"
    "  --check                  compare the results with those of one process for each job\n"
    "Standard error reports each job with a deadline as accepted or rejected when it arrives, and "
    "as "
    "late once that is certain.\n"
    "Exit status: 0 done; 1 a job failed or its results are wrong; 2 wrong usage; 3 a job was "
    "rejected or missed its\n"
    "deadline; 130 after Ctrl-C.\n";

enum { LOG, INPUTS, SCENARIO, OUTPUTS };

typedef struct program {
    mr_plan plan;
    const char *policy, *jobs, *directory;
    output_file outputs[OUTPUTS];
    const char **params, **downs;
    int param_count, down_count, check;
    char temporary[PATH_ROOM];
} program;

const char program_name[] = "mapreduce";

/* ---- the policy ------------------------------------------------------------------------------ */

static int choose_policy(program *self)
{
    mr_plan *plan = &self->plan;
    plan->policy_name = self->policy;
    plan->policy = pn_scheduler_policy_find(self->policy);
    if (!plan->policy && !is_lua(self->policy))
        return complain("unknown policy: %s (expected a built-in one, or a file that ends in .lua)",
                        self->policy);
    if (!plan->policy && load_lua(&plan->lua, self->policy) != 0)
        return -1;
    if (!plan->policy)
        plan->policy = pn_lua_policy_cluster(plan->lua.policy);
    if (!plan->policy)
        return complain("%s: a policy of another model (expected model = \"cluster\")",
                        self->policy);
    for (uint8_t i = 0; i < plan->policy->param_count; i++)
        plan->params[i] = plan->policy->params[i].value;
    return 0;
}

static int set_param(program *self, const char *text)
{
    mr_plan *plan = &self->plan;
    size_t size = strcspn(text, "=");
    int status = set_policy_param(plan->policy->params, plan->policy->param_count, plan->params,
                                  text);
    if (status <= 0)
        return status;
    for (int i = 0; i < SETTINGS; i++) {
        mr_setting *it = &plan->settings[i];
        if (strlen(it->name) != size || strncmp(it->name, text, size) != 0)
            continue;
        return read_large(it->name, text + size + 1, it->low, it->high, &it->value);
    }
    return complain("--param: neither %s nor the model has this one: %s", plan->policy->name, text);
}

/* ---- nodes that go down ---------------------------------------------------------------------- */

/* Behind those that are due no later. */
static void add_outage(mr_plan *plan, uint64_t due, uint64_t node, int up)
{
    uint32_t at = plan->outage_count++;
    for (; at > 0 && plan->outages[at - 1].due > due; at--)
        plan->outages[at] = plan->outages[at - 1];
    plan->outages[at] = (mr_outage){.due = due, .time = NEVER, .node = (uint32_t)node, .up = up};
}

/* NODE,FROM or NODE,FROM,TO */
static int read_outage(mr_plan *plan, const char *text)
{
    unsigned long long node, from, to;
    int used = 0, ends = sscanf(text, "%7llu,%15llu%n,%15llu%n", &node, &from, &used, &to, &used);
    if (ends < 2 || text[used] || (ends == 3 && to <= from))
        return complain("--down: expected a node, when it goes down and when it comes back, got %s",
                        text);
    if (node >= plan->nodes.count)
        return complain("--down: there is no node %llu (expected 0..%u), got %s", node,
                        plan->nodes.count - 1, text);
    add_outage(plan, from, node, 0);
    if (ends == 3)
        add_outage(plan, to, node, 1);
    return 0;
}

/* ---- options --------------------------------------------------------------------------------- */

static void set_defaults(program *self)
{
    static const mr_setting settings[SETTINGS] = {
        [TICK_MS] = {"tick_ms", 200, 10000, 1, (uint64_t)1 << 40},
        [DEFAULT_TASK_MS] = {"default_task_ms", 100, 10000, 1, (uint64_t)1 << 40},
        [LOCALITY_DELAY_MS] = {"locality_delay_ms", 0, 0, 0, (uint64_t)1 << 40},
        [SLOWSTART_PERMILLE] = {"slowstart_permille", 50, 50, 0, 1000},
        [INPUT_RATIO_PERMILLE] = {"input_ratio_permille", 1000, 1000, 0, 1 << 20},
        [MAX_KILLS] = {"max_kills_per_task", 3, 3, 0, 1 << 20},
        [ATTEMPTS_MAX] = {"attempts_max", 4, 4, 1, 65535},
        [EST_EXTRA_MS] = {"est_extra_ms", 0, 0, 0, (uint64_t)1 << 40},
    };
    memset(self, 0, sizeof *self);
    memcpy(self->plan.settings, settings, sizeof settings);
    self->plan.nodes = (pn_scheduler_nodes){.count = 3, .map_slots = 2, .reduce_slots = 1};
    self->plan.copies = 2;
    self->plan.seed = 1;
    self->plan.est_ms[MAP] = self->plan.est_ms[REDUCE] = 10000;
    self->policy = "hsrtf-pup";
    self->outputs[LOG].option = "--log";
    self->outputs[INPUTS].option = "--inputs";
    self->outputs[SCENARIO].option = "--scenario";
}

/* An option with a value. */
static int set_option(program *self, const char *name, const char *value)
{
    mr_plan *plan = &self->plan;
    const struct {
        const char *name;
        const char **text;
        uint32_t *number;
        uint64_t *large, low, high;
    } options[] = {
        {.name = "--policy", .text = &self->policy},
        {.name = "--jobs", .text = &self->jobs},
        {.name = "--dir", .text = &self->directory},
        {.name = "--log", .text = &self->outputs[LOG].name},
        {.name = "--inputs", .text = &self->outputs[INPUTS].name},
        {.name = "--scenario", .text = &self->outputs[SCENARIO].name},
        {.name = "--nodes", .number = &plan->nodes.count, .low = 1, .high = 1000},
        {.name = "--map-slots", .number = &plan->nodes.map_slots, .low = 1, .high = 1000},
        {.name = "--reduce-slots", .number = &plan->nodes.reduce_slots, .low = 0, .high = 1000},
        {.name = "--replication", .number = &plan->copies, .low = 1, .high = 1000},
        {.name = "--seed", .large = &plan->seed, .high = PN_INTEGER_MAX},
        {.name = "--deadline", .large = &plan->deadline, .low = 1, .high = PN_INTEGER_MAX / 2},
        {.name = "--est-map", .large = &plan->est_ms[MAP], .low = 1, .high = EST_MOST},
        {.name = "--est-reduce", .large = &plan->est_ms[REDUCE], .low = 1, .high = EST_MOST},
    };
    if (strcmp(name, "--param") == 0) {
        self->params[self->param_count++] = value;
        return 0;
    }
    if (strcmp(name, "--down") == 0) {
        self->downs[self->down_count++] = value;
        return 0;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(name, options[i].name) != 0)
            continue;
        if (options[i].text)
            *options[i].text = value;
        else if (options[i].number)
            return read_small(name, value, options[i].low, options[i].high, options[i].number);
        else
            return read_large(name, value, options[i].low, options[i].high, options[i].large);
        return 0;
    }
    return complain("unknown option: %s (--help lists them)", name);
}

/* 1: there is nothing to run. */
static int read_options(program *self, int count, char **arguments)
{
    self->params = calloc((size_t)count, sizeof *self->params);
    self->downs = calloc((size_t)count, sizeof *self->downs);
    self->plan.outages = calloc((size_t)count, sizeof *self->plan.outages);
    if (!self->params || !self->downs || !self->plan.outages)
        return complain("not enough memory");
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(arguments[i], "--check") == 0) {
            self->check = 1;
            continue;
        }
        if (i + 1 == count)
            return complain("%s: unknown, or its value is missing (--help lists all)",
                            arguments[i]);
        if (set_option(self, arguments[i], arguments[i + 1]) != 0)
            return -1;
        i++;
    }
    if (self->plan.copies > self->plan.nodes.count)
        self->plan.copies = self->plan.nodes.count;
    if (choose_policy(self) != 0)
        return -1;
    for (int i = 0; i < self->param_count; i++) {
        if (set_param(self, self->params[i]) != 0)
            return -1;
    }
    for (int i = 0; i < self->down_count; i++) {
        if (read_outage(&self->plan, self->downs[i]) != 0)
            return -1;
    }
    return read_jobs(&self->plan, self->jobs);
}

/* ---- the run --------------------------------------------------------------------------------- */

static int make_place(program *self)
{
    const char *parent = getenv("TMPDIR");
    if (self->directory) {
        self->plan.directory = self->directory;
        if (strlen(self->directory) > PATH_ROOM / 2)
            return complain("--dir: too long");
        return mkdir(self->directory, 0777) == 0
                   ? 0
                   : complain("%s: %s", self->directory, strerror(errno));
    }
    int size = snprintf(self->temporary, PATH_ROOM / 2, "%s/mapreduce-XXXXXX",
                        parent && *parent ? parent : "/tmp");
    if (size >= PATH_ROOM / 2 || !mkdtemp(self->temporary))
        return complain("no temporary directory: %s", strerror(errno));
    self->plan.directory = self->temporary;
    return 0;
}

static int save_scenario(program *self)
{
    output_file *scenario = &self->outputs[SCENARIO];
    if (begin_output(scenario))
        write_scenario(scenario->file, &self->plan);
    return close_output(scenario);
}

static int open_all(program *self)
{
    const char *reads[3] = {0};
    int count = 0;
    if (self->jobs)
        reads[count++] = self->jobs;
    if (self->plan.lua.text)
        reads[count++] = self->policy;
    return open_outputs(self->outputs, OUTPUTS, reads);
}

/* With the log, if one is wanted. What was done until a Ctrl-C is reported all the same. */
static int run_jobs(program *self)
{
    mr_plan *plan = &self->plan;
    mr_result result;
    FILE *log = begin_output(&self->outputs[LOG]);
    plan->inputs.file = begin_output(&self->outputs[INPUTS]);
    const pn_scheduler_hooks hooks = {.on_event = log ? log_event : NULL, .user = log};
    if (log)
        log_start(log, plan);
    int status = host_run(plan, &hooks, &result);
    if (log && status >= 0)
        log_end(log, &result);
    int failed = close_output(&self->outputs[LOG]) != 0;
    failed |= close_output(&self->outputs[INPUTS]) != 0;
    if (status == PN_ERR_POLICY && plan->lua.policy)
        complain_of_lua(&plan->lua);
    failed |= status < 0;
    failed |= (failed ? close_output(&self->outputs[SCENARIO]) : save_scenario(self)) != 0;
    if (failed)
        return -1;
    report_table(plan, &result);
    return status;
}

static int run(program *self)
{
    if (make_place(self) != 0)
        return 1;
    int opened = open_all(self);
    if (opened != 0) {
        rmdir(self->plan.directory);
        return opened;
    }
    int status = make_cluster(&self->plan) == 0 ? run_jobs(self) : -1;
    if (self->check && (status == 0 || status == 1 || status == 3)) {
        int checked = check_results(&self->plan);
        status = checked != 0 ? checked : status;
    }
    for (int i = 0; i < OUTPUTS; i++)
        close_output(&self->outputs[i]);
    if (!self->directory)
        remove_all(self->temporary);
    return status < 0 ? 1 : status;
}

static void free_all(program *self)
{
    free_jobs(&self->plan);
    free(self->plan.outages);
    free(self->params);
    free(self->downs);
    free_lua(&self->plan.lua);
    free_inputs(&self->plan.inputs);
}

int main(int count, char **arguments)
{
    static program self;
    set_defaults(&self);
    setenv("LC_ALL", "C", 1); /* the commands of a job sort alike, wherever they run */
    int status = read_options(&self, count, arguments);
    if (status == 0) {
        catch_signals();
        status = run(&self);
    } else {
        status = status > 0 ? 0 : 2;
    }
    free_all(&self);
    fflush(stdout);
    return status;
}
