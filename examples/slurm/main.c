/* The command line. See slurm.h. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

const char program_name[] = "slurm";

static const char usage[] =
    "usage: slurm --partition NAME [OPTION...]\n"
    "Starts the held jobs of a partition of Slurm in the order of a policy, until a signal ends "
    "it.\n"
    "\n"
    "  --partition NAME         the partition: its held jobs, and its nodes\n"
    "  --policy NAME|FILE.lua   a policy of the dag model (default: drf)\n"
    "  --param NAME=VALUE       a parameter of the policy\n"
    "  --inputs FILE            the input log: all events passed to the core; pinion verify, "
    "explain and compare read it\n"
    "  --state FILE             the state, from which a host that was stopped or killed continues\n"
    "  --poll MS                time between two readings of the queue (default: 1000)\n"
    "  --timeout MS             time after which a command of Slurm is killed (default: 30000)\n"
    "  --patience MS            time after which an element that Slurm does not start is left to "
    "it (default: 300000)\n"
    "  --estimate MS            what policies take a task to last whose job has no time limit "
    "(default: 3600000)\n"
    "Without a state, or if its file does not exist, it begins anew: with what the queue shows.\n"
    "Jobs stay as they are when it ends. It needs the rights of an operator of Slurm.\n"
    "Exit status: 0 after SIGINT, SIGTERM or SIGHUP; 1 an error; 2 wrong usage.\n";

typedef struct program {
    sl_options options;
    output_file log;
    const char **params;
    int param_count;
} program;

static int set_option(program *self, const char *name, const char *value)
{
    const struct {
        const char *name, **text;
        uint64_t *number, high;
    } options[] = {
        {.name = "--partition", .text = &self->options.partition},
        {.name = "--policy", .text = &self->options.policy_name},
        {.name = "--inputs", .text = &self->log.name},
        {.name = "--state", .text = &self->options.state},
        {.name = "--poll", .number = &self->options.poll_ms, .high = 3600000},
        {.name = "--timeout", .number = &self->options.timeout_ms, .high = 3600000},
        {.name = "--patience", .number = &self->options.patience_ms, .high = (uint64_t)1 << 40},
        {.name = "--estimate", .number = &self->options.estimate_ms, .high = (uint64_t)1 << 40},
    };
    if (strcmp(name, "--param") == 0) {
        self->params[self->param_count++] = value;
        return 0;
    }
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (strcmp(name, options[i].name) != 0)
            continue;
        if (options[i].number)
            return read_large(name, value, 1, options[i].high, options[i].number);
        *options[i].text = value;
        return 0;
    }
    return complain("unknown option: %s (--help lists them)", name);
}

/* 1: there is nothing to run. */
static int read_options(program *self, int count, char **arguments)
{
    self->params = calloc((size_t)count, sizeof *self->params);
    if (!self->params)
        return complain("not enough memory");
    for (int i = 1; i < count; i++) {
        const char *word = arguments[i];
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (word[0] != '-' || i + 1 == count)
            return complain("%s: unknown, or its value is missing (--help lists all)", word);
        if (set_option(self, word, arguments[++i]) != 0)
            return -1;
    }
    if (!self->options.partition)
        return complain("--partition is required (--help says more)");
    return choose_dag_policy(self->options.policy_name, &self->options.policy, &self->options.lua,
                             self->options.params, self->params, self->param_count);
}

static int run(program *self)
{
    const char *reads[3] = {self->options.state}; /* those that are given, then null */
    if (self->options.lua.text)
        reads[self->options.state != NULL] = self->options.policy_name;
    sl_host host = {.options = &self->options};
    int status = open_outputs(&self->log, 1, reads);
    if (status != 0)
        return status;
    host.inputs.file = self->log.file;
    catch_signals();
    status = run_host(&host);
    self->log.is_new &= host.inputs.check == 0;
    free_inputs(&host.inputs);
    return close_output(&self->log) != 0 ? 1 : status;
}

int main(int count, char **arguments)
{
    static program self = {.options = {.policy_name = "drf",
                                       .poll_ms = 1000,
                                       .timeout_ms = 30000,
                                       .patience_ms = 300000,
                                       .estimate_ms = 3600000},
                           .log = {.option = "--inputs"}};
    int status = read_options(&self, count, arguments);
    status = status == 0 ? run(&self) : status > 0 ? 0 : 2;
    free_lua(&self.options.lua);
    free(self.params);
    fflush(stdout);
    return status;
}
