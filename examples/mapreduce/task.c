/* What the process of an attempt does: fetch its input where that lies on other nodes, run the
 * command of its job on it, and part what that writes. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mapreduce.h"

/* ---- in the process -------------------------------------------------------------------------- */

static void set_number(const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    setenv(name, text, 1);
}

static int append_file(int to, const char *path)
{
    char bytes[1 << 16];
    ssize_t size;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return complain("%s: %s", path, strerror(errno));
    while ((size = read(from, bytes, sizeof bytes)) > 0) {
        for (ssize_t at = 0, written; at < size; at += written) {
            written = write(to, bytes + at, (size_t)(size - at));
            if (written < 0)
                return complain("cannot write what was fetched: %s", strerror(errno));
        }
    }
    close(from);
    return size == 0 ? 0 : complain("%s: cannot read", path);
}

/* A map fetches its block, a reduce its part of the output of every map. */
static int fetch(const mr_plan *plan, const mr_attempt *attempt)
{
    const pn_scheduler_task *task = &attempt->task;
    const mr_job *job = &plan->jobs[task->tag];
    char path[PATH_ROOM];
    if (task->kind == MAP)
        return append_file(attempt->fetched,
                           block_path(path, plan, attempt->source, task->id, task->task));
    for (uint32_t map = 0; map < job->maps; map++) {
        if (append_file(attempt->fetched,
                        part_path(path, plan, job->home[map], task->id, map, task->task)) != 0)
            return -1;
    }
    return 0;
}

/* The hash of the first field of a line. */
static uint64_t hash_field(const char *line)
{
    uint64_t hash = PN_MIX_START;
    for (line += strspn(line, " \t"); *line && !strchr(" \t\n", *line); line++)
        hash = pn_mix(hash, (unsigned char)*line);
    return hash;
}

/* Lines with the same first field go to the same one of `parts` files. */
static int part_lines(FILE *lines, const char *directory, uint32_t parts)
{
    FILE **files = calloc(parts, sizeof *files);
    char path[PATH_ROOM + 24], *line = NULL;
    size_t room = 0;
    ssize_t size;
    int failed = !files;
    for (uint32_t i = 0; i < parts && !failed; i++) {
        snprintf(path, sizeof path, "%s/part-%u", directory, i + 1);
        files[i] = fopen(path, "wb");
        failed = !files[i];
    }
    while (!failed && (size = getline(&line, &room, lines)) > 0) {
        FILE *file = files[parts > 1 ? hash_field(line) % parts : 0];
        failed = fwrite(line, 1, (size_t)size, file) != (size_t)size;
    }
    for (uint32_t i = 0; files && i < parts; i++)
        failed |= files[i] && fclose(files[i]) != 0;
    free(line);
    free(files);
    return failed ? complain("%s: cannot write the output: %s", directory, strerror(errno)) : 0;
}

static void become_command(const char *command, int input, int output)
{
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    close(output);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    complain("/bin/sh: %s", strerror(errno));
    _exit(127);
}

static int run_command(const char *command, int input, const char *directory, uint32_t parts)
{
    int ends[2], status;
    if (pipe(ends) != 0)
        return complain("no pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become_command(command, input, ends[1]);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "rb");
    if (pid < 0 || !lines)
        return complain("no process: %s", strerror(errno));
    int parted = part_lines(lines, directory, parts);
    fclose(lines);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return parted == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

static int do_task(const mr_plan *plan, const mr_attempt *attempt)
{
    const pn_scheduler_task *task = &attempt->task;
    const mr_job *job = &plan->jobs[task->tag];
    char path[PATH_ROOM];
    set_number("PINION_JOB", task->id);
    set_number("PINION_TASK", task->task + 1);
    set_number("PINION_ATTEMPT", task->attempt);
    set_number("PINION_NODE", task->node);
    if (attempt->fetched >= 0 && fetch(plan, attempt) != 0)
        return -1;
    return run_command(job->command[task->kind], attempt->input, attempt_path(path, plan, task),
                       task->kind == MAP && job->reduces > 1 ? job->reduces : 1);
}

/* ---- in the host ----------------------------------------------------------------------------- */

static uint64_t size_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static uint64_t size_of_input(const mr_plan *plan, const mr_attempt *attempt)
{
    const pn_scheduler_task *task = &attempt->task;
    const mr_job *job = &plan->jobs[task->tag];
    char path[PATH_ROOM];
    uint64_t size = 0;
    if (task->kind == MAP)
        return size_of(block_path(path, plan, attempt->source, task->id, task->task));
    for (uint32_t map = 0; map < job->maps; map++)
        size += size_of(part_path(path, plan, job->home[map], task->id, map, task->task));
    return size;
}

/* The host opens the files, so that it shares their offsets with the process: these say how much is
 * fetched and read. */
static int open_files(const mr_plan *plan, mr_attempt *attempt)
{
    const pn_scheduler_task *task = &attempt->task;
    char directory[PATH_ROOM], path[PATH_ROOM + 8];
    attempt->fetched = -1;
    if (mkdir(attempt_path(directory, plan, task), 0777) != 0)
        return complain("%s: %s", directory, strerror(errno));
    if (task->kind == MAP && task->local) {
        block_path(path, plan, attempt->source, task->id, task->task);
    } else {
        snprintf(path, sizeof path, "%s/input", directory);
        attempt->fetched = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (attempt->fetched < 0)
            return complain("%s: %s", path, strerror(errno));
    }
    attempt->input = open(path, O_RDONLY | O_CLOEXEC);
    return attempt->input >= 0 ? 0 : complain("%s: %s", path, strerror(errno));
}

int task_start(const mr_plan *plan, mr_attempt *attempt)
{
    attempt->input = attempt->fetched = -1;
    attempt->bytes = size_of_input(plan, attempt);
    if (open_files(plan, attempt) != 0)
        return -1;
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        return complain("no process: %s", strerror(errno));
    if (pid == 0) {
        setpgid(0, 0);
        release_signals();
        die_with(parent);
        _exit(do_task(plan, attempt) == 0 ? 0 : 1);
    }
    setpgid(pid, pid); /* in both, as either may be first */
    attempt->pid = pid;
    attempt->state = WORKS;
    return 0;
}

void task_close(mr_attempt *attempt)
{
    if (attempt->fetched >= 0)
        close(attempt->fetched);
    if (attempt->input >= 0)
        close(attempt->input);
    attempt->fetched = attempt->input = -1;
    attempt->stopped = 0;
    attempt->state = NONE;
}

int task_commit(const mr_plan *plan, const mr_attempt *attempt)
{
    const pn_scheduler_task *task = &attempt->task;
    const mr_job *job = &plan->jobs[task->tag];
    char directory[PATH_ROOM], from[PATH_ROOM + 8], to[PATH_ROOM];
    attempt_path(directory, plan, task);
    if (task->kind == MAP && job->reduces > 0) {
        snprintf(from, sizeof from, "%s", directory);
        done_path(to, plan, task->node, task->id, task->task);
    } else {
        snprintf(from, sizeof from, "%s/part-1", directory);
        output_path(to, plan, task->id, task->task);
    }
    if (rename(from, to) != 0)
        return complain("%s: %s", to, strerror(errno));
    remove_all(directory);
    return 0;
}
