/* What Slurm is asked for. A request is repeated while the queue does not show its effect, at
 * growing intervals, for a controller may be restarting or refuse it for now. */
#define _XOPEN_SOURCE 700
#include <inttypes.h>
#include <stdlib.h>

#include "slurm.h"

enum {
    SAYS_AT = 16,    /* readings without effect, after which a message says so */
    BATCH_MOST = 500 /* elements; the next reading has the others */
};

/* Returns 1 at the readings 1, 2, 4, 8, … without effect. */
static int is_due(uint32_t *asked)
{
    ++*asked;
    return (*asked & (*asked - 1)) == 0;
}

static void warn(const char *name, uint32_t asked, const char *what)
{
    if (asked == SAYS_AT)
        complain("%s: Slurm does not %s it, after %d readings of its queue", name, what, SAYS_AT);
}

/* Asks for an element: 1; or 0, it is what it should be. A held element has its node before it is
 * released. */
static int ask_for(sl_host *host, const sl_job *job, sl_element *element, FILE *commands)
{
    char name[64];
    element_name(name, job, element);
    if (element->state == BOUND && element->seen == HELD && is_due(&element->asked)) {
        const char *node = host->nodes[host->attempts[element->place].task.node].name;
        fprintf(commands, "update JobId=%s ReqNodeList=%s\nrelease %s\n", name, node, name);
        warn(name, element->asked, "release");
    } else if (element->state == BACK && element->seen == WAITS && is_due(&element->asked)) {
        fprintf(commands, "hold %s\nupdate JobId=%s ReqNodeList=\n", name, name);
        warn(name, element->asked, "hold");
    } else if (element->state == ASTRAY && element->seen == HELD && is_due(&element->asked)) {
        fprintf(commands, "update JobId=%s ReqNodeList=\nrelease %s\n", name, name);
        warn(name, element->asked, "release");
    } else if (element->state == BACK && element->seen == LIVE && element->is_killed &&
               is_due(&element->asked)) {
        fprintf(commands, "requeuehold incomplete %s\n", name); /* not what has ended */
        warn(name, element->asked, "requeue");
    } else {
        return 0;
    }
    return 1;
}

/* A job that is left to Slurm is released once, unconstrained; what is held after that, its user
 * holds. */
static void leave(sl_job *job, FILE *commands)
{
    int held = 0;
    for (uint32_t i = 0; i < job->count; i++)
        held |= job->elements[i].seen == HELD;
    job->was_released |= !held;
    if (!job->was_released && is_due(&job->asked))
        fprintf(commands, "release %" PRIu64 "\n", job->id);
}

int ask_slurm(sl_host *host)
{
    static const char *const words[] = {"scontrol", NULL};
    char *text = NULL, *output = NULL;
    size_t size;
    int count = 0;
    FILE *commands = open_memstream(&text, &size);
    if (!commands)
        return complain("not enough memory");
    for (uint32_t i = 0; i < host->job_count; i++) {
        sl_job *job = &host->jobs[i];
        if (job->state == LEFT)
            leave(job, commands);
        for (uint32_t k = 0; k < job->count && job->state != LEFT && count < BATCH_MOST; k++)
            count += ask_for(host, job, &job->elements[k], commands);
    }
    int status = fclose(commands) == 0 ? 0 : complain("not enough memory");
    if (status == 0 && size > 0) {
        output = run_command(words, text, host->options->timeout_ms);
        status = output ? 0 : -1;
    }
    free(output);
    free(text);
    return status;
}
