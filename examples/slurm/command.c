/* Commands of Slurm. One that hangs is killed. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "slurm.h"

extern char **environ;

typedef struct stream {
    int descriptor; /* -1: it has ended */
    char *text;
    size_t size, room;
} stream;

static void read_some(stream *self)
{
    if (self->size + 4096 > self->room) {
        size_t room = self->room * 2 + 8192;
        char *text = realloc(self->text, room);
        if (!text) {
            close(self->descriptor); /* the command fails, as its output is not whole */
            self->descriptor = -1;
            return;
        }
        self->text = text;
        self->room = room;
    }
    ssize_t got = read(self->descriptor, self->text + self->size, self->room - self->size - 1);
    if (got == 0 || (got < 0 && errno != EINTR)) {
        close(self->descriptor);
        self->descriptor = -1;
    }
    self->size += got > 0 ? (size_t)got : 0;
    self->text[self->size] = '\0';
}

/* Reads both streams to their ends, until this time. */
static void read_all(stream streams[2], uint64_t until)
{
    for (uint64_t now = clock_ms(); now < until; now = clock_ms()) {
        struct pollfd polled[2] = {{.fd = streams[0].descriptor, .events = POLLIN},
                                   {.fd = streams[1].descriptor, .events = POLLIN}};
        if (streams[0].descriptor < 0 && streams[1].descriptor < 0)
            return;
        if (poll(polled, 2, (int)(until - now)) <= 0)
            continue;
        for (int i = 0; i < 2; i++)
            if (streams[i].descriptor >= 0 && polled[i].revents)
                read_some(&streams[i]);
    }
}

/* Waits for the process, until this time; then kills its group. Returns its status. */
static int wait_until(pid_t pid, uint64_t until)
{
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (clock_ms() >= until)
            kill(-pid, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return status;
}

/* Removes variables by which a user changes what Slurm's commands show: a queue of one user alone
 * would look as if all other jobs had ended. */
static void clean_environment(void)
{
    static const char *const prefixes[] = {"SQUEUE_", "SINFO_", "SCONTROL_", "SLURM_CLUSTERS",
                                           "SLURM_TIME_FORMAT"};
    for (size_t i = 0, k = 0; environ[i]; k = 0) {
        char name[256];
        while (k < sizeof prefixes / sizeof *prefixes &&
               strncmp(environ[i], prefixes[k], strlen(prefixes[k])) != 0)
            k++;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
        if (k == sizeof prefixes / sizeof *prefixes || unsetenv(name) != 0)
            i++;
    }
    setenv("SLURM_BITSTR_LEN", "0", 1); /* lists of elements are not cut */
}

static void become(const char *const *words, FILE *input, int output, int errors)
{
    setpgid(0, 0);
    release_signals();
    clean_environment();
    if ((input && dup2(fileno(input), STDIN_FILENO) < 0) || dup2(output, STDOUT_FILENO) < 0 ||
        dup2(errors, STDERR_FILENO) < 0)
        _exit(127);
    execvp(words[0], (char *const *)words);
    dprintf(STDERR_FILENO, "%s: %s", words[0], strerror(errno));
    _exit(127);
}

static FILE *file_of(const char *text)
{
    FILE *file = tmpfile();
    if (file && (fputs(text, file) < 0 || fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

int complain_once(const char *format, ...)
{
    static char last[1024];
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text[strcspn(text, "\n")] = '\0';
    if (strcmp(text, last) != 0)
        complain("%s", text);
    memcpy(last, text, strlen(text) + 1);
    return -1;
}

static pid_t start(const char *const *words, FILE *input, stream streams[2])
{
    int output[2], errors[2];
    if (pipe(output) != 0)
        return -1;
    if (pipe(errors) != 0) {
        close(output[0]);
        close(output[1]);
        return -1;
    }
    pid_t pid = fork();
    if (pid == 0) {
        close(output[0]);
        close(errors[0]);
        become(words, input, output[1], errors[1]);
    }
    close(output[1]);
    close(errors[1]);
    streams[0].descriptor = output[0];
    streams[1].descriptor = errors[0];
    if (pid > 0)
        setpgid(pid, pid); /* in both, as either may be first */
    return pid;
}

/* Says why the command counts as failed; null: it does not. A batch of commands on its input may
 * fail in part: its messages are shown, and the next reading shows what it did. */
static const char *fault_of(const stream *output, const stream *errors, int status, int is_late,
                            int is_batch)
{
    if (is_late)
        return "does not answer: killed";
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && !is_batch))
        return errors->size > 0 ? errors->text : "failed";
    if (output->size > 0 && output->text[output->size - 1] != '\n' && !is_batch)
        return "the output ends within a line";
    return NULL;
}

char *run_command(const char *const *words, const char *input, uint64_t timeout_ms)
{
    stream streams[2] = {{.descriptor = -1}, {.descriptor = -1}};
    const uint64_t until = clock_ms() + timeout_ms;
    FILE *file = input ? file_of(input) : NULL;
    pid_t pid = input && !file ? -1 : start(words, file, streams);
    const char *fault = "no process";
    if (pid > 0) {
        read_all(streams, until);
        int is_late = streams[0].descriptor >= 0 || streams[1].descriptor >= 0;
        int status = wait_until(pid, is_late ? 0 : until);
        is_late |= clock_ms() >= until;
        fault = fault_of(&streams[0], &streams[1], status, is_late, input != NULL);
    }
    if (fault || streams[1].size > 0)
        complain_once("%s: %s", words[0], fault ? fault : streams[1].text);
    for (int i = 0; i < 2; i++)
        if (streams[i].descriptor >= 0)
            close(streams[i].descriptor);
    if (file)
        fclose(file);
    free(streams[1].text);
    if (!fault)
        return streams[0].text ? streams[0].text : calloc(1, 1);
    free(streams[0].text);
    return NULL;
}
