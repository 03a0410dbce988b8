/* The command line. See buildrunner.h. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>

#include "buildrunner.h"

const char program_name[] = "buildrunner";

static const char usage[] =
    "usage: buildrunner [OPTION...] FILE [TARGET...]\n"
    "Makes targets by the rules of FILE, a plain part of what make reads: by default the first "
    "one.\n"
    "\n"
    "  -j N                     commands that run at a time (default: 2)\n"
    "  -k                       after a failure, still make the targets that do not need what "
    "failed\n"
    "  --retries N              how often a command that fails is run again (default: 0)\n"
    "  --policy NAME|FILE.lua   a policy of the dag model (default: cp)\n"
    "  --param NAME=VALUE       a parameter of the policy\n"
    "  --check                  check at the end that all targets are up to date\n"
    "  --log FILE               the decision log, for pinion verify, gantt and explain\n"
    "  --inputs FILE            the input log: all events passed to the core; pinion verify "
    "replays "
    "it\n"
    "  --scenario FILE          the run as a scenario, with the measured times, for pinion verify "
    "and compare\n"
    "Processes that a rule leaves in the background are killed when its commands end, and those "
    "that "
    "left\ntheir process group when the run ends, where the system lists children.\n"
    "Exit status: 0 done; 1 a target was not made; 2 wrong usage; 130 after Ctrl-C.\n";

enum { LOG, INPUTS, SCENARIO, OUTPUTS };

typedef struct program {
    br_plan plan;
    const char *policy;
    output_file outputs[OUTPUTS];
    const char **params, **targets;
    int param_count, target_count, check;
} program;

/* ---- options --------------------------------------------------------------------------------- */

/* An option with a value. */
static int set_option(program *self, const char *name, const char *value)
{
    const struct {
        const char *name, **text;
        uint32_t *number, low;
    } options[] = {
        {.name = "--policy", .text = &self->policy},
        {.name = "--log", .text = &self->outputs[LOG].name},
        {.name = "--inputs", .text = &self->outputs[INPUTS].name},
        {.name = "--scenario", .text = &self->outputs[SCENARIO].name},
        {.name = "-j", .number = &self->plan.slots, .low = 1},
        {.name = "--retries", .number = &self->plan.retries},
    };
    if (strcmp(name, "--param") == 0) {
        self->params[self->param_count++] = value;
        return 0;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(name, options[i].name) != 0)
            continue;
        if (options[i].number)
            return read_small(name, value, options[i].low, 10000, options[i].number);
        *options[i].text = value;
        return 0;
    }
    return complain("unknown option: %s (--help lists them)", name);
}

/* 1: there is nothing to run. */
static int read_options(program *self, int count, char **arguments)
{
    self->params = calloc((size_t)count, sizeof *self->params);
    self->targets = calloc((size_t)count, sizeof *self->targets);
    if (!self->params || !self->targets)
        return complain("not enough memory");
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(word, "-k") == 0)
            self->plan.keeps_going = 1;
        else if (strcmp(word, "--check") == 0)
            self->check = 1;
        else if (word[0] != '-' && !self->plan.name)
            self->plan.name = word;
        else if (word[0] != '-')
            self->targets[self->target_count++] = word;
        else if (i + 1 == count)
            return complain("%s: unknown, or its value is missing (--help lists all)", word);
        else if (set_option(self, word, arguments[++i]) != 0)
            return -1;
    }
    if (!self->plan.name)
        return complain("no file of rules (--help says more)");
    self->plan.policy_name = self->policy;
    return choose_dag_policy(self->policy, &self->plan.policy, &self->plan.lua, self->plan.params,
                             self->params, self->param_count);
}

/* ---- targets --------------------------------------------------------------------------------- */

static int add_job(br_plan *plan, uint32_t target)
{
    for (uint32_t i = 0; i < plan->job_count; i++)
        if (plan->jobs[i].target == target)
            return 0;
    plan->jobs[plan->job_count++] = (br_job){.target = target};
    return look(plan, target);
}

static int read_targets(program *self)
{
    br_plan *plan = &self->plan;
    plan->jobs = calloc((size_t)self->target_count + 1, sizeof *plan->jobs);
    if (!plan->jobs)
        return complain("not enough memory");
    for (int i = 0; i < self->target_count; i++) {
        uint32_t target = file_of(plan, self->targets[i]);
        if (target == FILES_MOST)
            return complain("not enough memory");
        if (add_job(plan, target) != 0)
            return -1;
    }
    if (self->target_count > 0)
        return 0;
    uint32_t first = first_target(plan);
    return first == FILES_MOST ? complain("%s: no rules", plan->name) : add_job(plan, first);
}

/* Whether everything that was made is as new as what it needs: 0, or 1. */
static int check_targets(br_plan *plan)
{
    int stale = 0;
    look_again(plan);
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const br_file *target = &plan->files[plan->jobs[i].target];
        if (plan->jobs[i].state != MADE && plan->jobs[i].state != FRESH)
            continue;
        if (look(plan, plan->jobs[i].target) != 0 || (target->state == DUE && !target->is_phony)) {
            complain("%s is out of date, although its rules were run", target->name);
            stale = 1;
        }
    }
    return stale;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int save_scenario(program *self)
{
    output_file *scenario = &self->outputs[SCENARIO];
    if (begin_output(scenario))
        write_scenario(scenario->file, &self->plan);
    return close_output(scenario);
}

/* Opens them such that none is the file of rules, the policy, or a file that rules name. */
static int open_all(program *self)
{
    const br_plan *plan = &self->plan;
    const char **reads = calloc((size_t)plan->file_count + 3, sizeof *reads);
    uint32_t count = 0;
    if (!reads)
        return complain("not enough memory"), 1;
    reads[count++] = plan->name;
    if (plan->lua.text)
        reads[count++] = self->policy;
    for (uint32_t i = 0; i < plan->file_count; i++)
        reads[count++] = plan->files[i].name;
    int status = open_outputs(self->outputs, OUTPUTS, reads);
    free(reads);
    return status;
}

static int run(program *self)
{
    br_plan *plan = &self->plan;
    int opened = open_all(self);
    if (opened != 0)
        return opened;
    plan->log = begin_output(&self->outputs[LOG]);
    plan->inputs.file = begin_output(&self->outputs[INPUTS]);
    int status = host_run(plan);
    if (status >= 0)
        log_end(plan);
    int failed = close_output(&self->outputs[LOG]) != 0;
    failed |= close_output(&self->outputs[INPUTS]) != 0;
    failed |= (status < 0 ? close_output(&self->outputs[SCENARIO]) : save_scenario(self)) != 0;
    if (status < 0)
        return 1;
    report_table(plan);
    if (self->check && status != 130)
        failed |= check_targets(plan) != 0;
    return failed ? 1 : status;
}

int main(int count, char **arguments)
{
    static program self = {
        .plan = {.slots = 2},
        .policy = "cp",
        .outputs = {{.option = "--log"}, {.option = "--inputs"}, {.option = "--scenario"}}};
    int status = read_options(&self, count, arguments);
    if (status == 0)
        status = read_rules(&self.plan);
    if (status == 0)
        status = read_targets(&self);
    if (status == 0) {
        catch_signals();
        status = run(&self);
    } else {
        status = status > 0 ? 0 : 2;
    }
    free_plan(&self.plan);
    free_lua(&self.plan.lua);
    free_inputs(&self.plan.inputs);
    free(self.params);
    free(self.targets);
    fflush(stdout);
    return status;
}
