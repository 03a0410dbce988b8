/* The state in a file: what the host knows, and the core's block. It replaces the file at once, so
 * there is always a whole one. The input log is cut to what the state knows of it: what was told
 * after that had no effect on Slurm yet. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slurm.h"

typedef struct saved {
    char magic[16];
    uint64_t layout, policy; /* of this program; of the policy and its parameters */
    uint64_t now, clock;     /* ms */
    uint64_t decisions, readings, busy_ns;
    uint64_t log_size, log_check;
    uint64_t size; /* of the block */
    uint32_t node_count, job_count, attempt_count, user_count, has_log;
    uint32_t users[USERS_MOST];
} saved;

static uint64_t mix_text(uint64_t hash, const void *text, size_t size)
{
    return pn_mix(hash, pn_input_check(0, text, size));
}

static uint64_t layout_of(void)
{
    const uint64_t sizes[] = {sizeof(saved), sizeof(sl_node), sizeof(sl_job), sizeof(sl_element),
                              sizeof(sl_attempt)};
    return mix_text(PN_MIX_START, sizes, sizeof sizes);
}

static uint64_t policy_of(const sl_options *options)
{
    const pn_dispatch_policy *policy = options->policy;
    uint64_t hash = mix_text(PN_MIX_START, policy->name, strlen(policy->name));
    hash = mix_text(hash, options->lua.text ? options->lua.text : "", options->lua.size);
    hash = mix_text(hash, options->params, policy->param_count * sizeof *options->params);
    return mix_text(hash, options->partition, strlen(options->partition));
}

/* ---- writing --------------------------------------------------------------------------------- */

static saved head_of(const sl_host *host)
{
    saved head = {.magic = "pinion slurm 1",
                  .layout = layout_of(),
                  .policy = policy_of(host->options),
                  .now = host->now,
                  .clock = clock_ms(),
                  .decisions = host->decisions,
                  .readings = host->readings,
                  .busy_ns = host->busy_ns,
                  .log_check = host->inputs.check,
                  .size = host->size,
                  .node_count = host->node_count,
                  .job_count = host->job_count,
                  .user_count = host->user_count,
                  .has_log = host->has_log != 0};
    if (host->inputs.file)
        head.log_size = (uint64_t)ftello(host->inputs.file);
    for (uint32_t i = 0; i < host->places; i++)
        head.attempt_count += host->attempts[i].state != UNUSED;
    memcpy(head.users, host->users, sizeof head.users);
    return head;
}

static void put_all(FILE *file, const sl_host *host)
{
    const saved head = head_of(host);
    fwrite(&head, sizeof head, 1, file);
    fwrite(host->nodes, sizeof *host->nodes, host->node_count, file);
    for (uint32_t i = 0; i < host->places; i++)
        if (host->attempts[i].state != UNUSED)
            fwrite(&host->attempts[i], sizeof *host->attempts, 1, file);
    for (uint32_t i = 0; i < host->job_count; i++) {
        fwrite(&host->jobs[i], sizeof *host->jobs, 1, file);
        fwrite(host->jobs[i].elements, sizeof(sl_element), host->jobs[i].count, file);
    }
    fwrite(host->block, 1, host->size, file);
}

static int write_file(const char *name, const char *text, size_t size)
{
    const uint64_t check = pn_input_check(0, text, size);
    FILE *file = fopen(name, "wb");
    if (!file)
        return -1;
    int failed = fwrite(text, 1, size, file) != size || fwrite(&check, sizeof check, 1, file) != 1;
    failed |= fflush(file) != 0 || fsync(fileno(file)) != 0;
    failed |= fclose(file) != 0;
    return failed ? -1 : 0;
}

static int replace_file(const char *name, const char *text, size_t size)
{
    char *fresh = malloc(strlen(name) + 5);
    if (!fresh)
        return complain("not enough memory");
    sprintf(fresh, "%s.new", name);
    int status = write_file(fresh, text, size);
    if (status == 0)
        status = rename(fresh, name);
    if (status != 0) {
        complain("%s: %s (nothing is started before the state is saved)", fresh, strerror(errno));
        unlink(fresh);
    }
    free(fresh);
    return status;
}

int flush_log(sl_host *host)
{
    if (!host->has_log || (host->inputs.file && fflush(host->inputs.file) == 0))
        return 0;
    return complain("cannot write the input log: %s (nothing is started without it)",
                    strerror(errno));
}

int lock_state(const char *name)
{
    char *path = malloc(strlen(name) + 6);
    if (!path)
        return complain("not enough memory");
    sprintf(path, "%s.lock", name);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int status = file >= 0 && lockf(file, F_TLOCK, 0) == 0 ? 0 : -1;
    if (status != 0)
        complain("%s: %s (expected a state that no other host uses)", path, strerror(errno));
    free(path);
    return status;
}

int save_state(sl_host *host)
{
    char *text = NULL;
    size_t size;
    if (!host->options->state || (host->told == host->saved && host->is_saved))
        return 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return complain("not enough memory");
    put_all(file, host);
    int status = fclose(file) == 0 ? replace_file(host->options->state, text, size)
                                   : complain("not enough memory");
    free(text);
    if (status == 0) {
        host->saved = host->told;
        host->is_saved = 1;
    }
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    const char *name;
    char *text;
    size_t size, at;
} reader;

static int wrong(const reader *self, const char *what)
{
    return complain("%s: %s (move it and the input log away to begin anew)", self->name, what);
}

/* Copies the next bytes: 0, or -1 where they are not all there. */
static int get(reader *self, void *to, size_t size)
{
    if (self->size - self->at < size)
        return wrong(self, "is too short");
    memcpy(to, self->text + self->at, size);
    self->at += size;
    return 0;
}

static int read_file(reader *self, FILE *file)
{
    uint64_t check;
    size_t room = 0, got;
    do {
        room = room * 2 + (1 << 20);
        char *text = realloc(self->text, room);
        if (!text)
            return complain("not enough memory");
        self->text = text;
        got = fread(text + self->size, 1, room - self->size, file);
        self->size += got;
    } while (got > 0);
    if (self->size < sizeof(saved) + sizeof check)
        return wrong(self, "is too short");
    self->size -= sizeof check;
    memcpy(&check, self->text + self->size, sizeof check);
    return check == pn_input_check(0, self->text, self->size) ? 0 : wrong(self, "is damaged");
}

static int check_head(const reader *self, const sl_host *host, const saved *head)
{
    if (strcmp(head->magic, "pinion slurm 1") != 0 || head->layout != layout_of())
        return wrong(self, "is not a state of this program and version");
    if (head->policy != policy_of(host->options))
        return wrong(self, "belongs to another partition, policy or parameter");
    if (head->has_log != (host->has_log != 0))
        return complain("--inputs: the state %s belongs to a host with%s input log", self->name,
                        head->has_log ? " an" : "out an");
    return 0;
}

static int get_nodes(reader *self, sl_host *host, const saved *head)
{
    sl_node *nodes = realloc(host->nodes, (head->node_count + 1) * sizeof *nodes);
    if (!nodes)
        return complain("not enough memory");
    host->nodes = nodes;
    host->node_count = head->node_count;
    return get(self, nodes, head->node_count * sizeof *nodes);
}

static int get_attempts(reader *self, sl_host *host, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sl_attempt attempt;
        if (get(self, &attempt, sizeof attempt) != 0)
            return -1;
        if (attempt.task.place >= host->places)
            return wrong(self, "is damaged");
        host->attempts[attempt.task.place] = attempt;
    }
    return 0;
}

static int get_jobs(reader *self, sl_host *host, uint32_t count)
{
    host->jobs = calloc(count + 1, sizeof *host->jobs);
    if (!host->jobs)
        return complain("not enough memory");
    for (uint32_t i = 0; i < count; i++) {
        sl_job *job = &host->jobs[i];
        if (get(self, job, sizeof *job) != 0)
            return -1;
        job->elements = calloc(job->count + 1, sizeof *job->elements);
        host->job_count++;
        if (!job->elements)
            return complain("not enough memory");
        if (get(self, job->elements, job->count * sizeof *job->elements) != 0)
            return -1;
    }
    return 0;
}

static int get_block(reader *self, sl_host *host, const saved *head)
{
    if (head->size != host->size || get(self, host->block, host->size) != 0)
        return wrong(self, "is not of this library");
    if (pn_dispatch_open(&host->core, host->block, host->size) != PN_OK ||
        !pn_dispatch_configured(host->core, &host->config))
        return wrong(self, "is not of this library");
    return 0;
}

/* Continues the log behind what the state knows of it. */
static int continue_log(sl_host *host, const saved *head)
{
    FILE *file = host->inputs.file;
    host->inputs.check = head->log_check;
    if (!file)
        return 0;
    if (fseeko(file, 0, SEEK_END) != 0 || (uint64_t)ftello(file) < head->log_size)
        return complain("--inputs: not the log of the state: it is shorter than %" PRIu64 " bytes",
                        head->log_size);
    if (ftruncate(fileno(file), (off_t)head->log_size) != 0 || fseeko(file, 0, SEEK_END) != 0)
        return complain("--inputs: %s", strerror(errno));
    return 0;
}

/* The clock goes on where it was; after a start of the machine from the time of the state. */
static void get_times(sl_host *host, const saved *head)
{
    const uint64_t clock = clock_ms();
    host->now = head->now;
    host->origin = clock - head->now - (clock > head->clock ? clock - head->clock : 0);
    host->decisions = head->decisions;
    host->readings = head->readings;
    host->busy_ns = head->busy_ns;
    host->user_count = head->user_count;
    memcpy(host->users, head->users, sizeof host->users);
}

static int restore(reader *self, sl_host *host)
{
    saved head;
    if (get(self, &head, sizeof head) != 0 || check_head(self, host, &head) != 0 ||
        get_nodes(self, host, &head) != 0 || open_core(host) != 0 ||
        get_attempts(self, host, head.attempt_count) != 0 ||
        get_jobs(self, host, head.job_count) != 0 || get_block(self, host, &head) != 0)
        return -1;
    get_times(host, &head);
    return continue_log(host, &head);
}

int load_state(sl_host *host)
{
    reader self = {.name = host->options->state};
    FILE *file = self.name ? fopen(self.name, "rb") : NULL;
    if (!file)
        return !self.name || errno == ENOENT ? 1 : complain("%s: %s", self.name, strerror(errno));
    int status = read_file(&self, file);
    fclose(file);
    if (status == 0)
        status = restore(&self, host);
    free(self.text);
    return status;
}
