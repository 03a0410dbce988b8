/* Processes and their ends. Signals wait until they are asked for, so that none comes between a
 * look and a sleep. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "common.h"

uint64_t clock_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static void wait_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

static void note_signal(int signal_number)
{
    (void)signal_number;
}

/* Children from before the run, of a shell that has become this program. */
enum { EARLIER_MOST = 256 };
static pid_t earlier[EARLIER_MOST];
static int earlier_count;

static int is_earlier(pid_t pid)
{
    int i = 0;
    while (i < earlier_count && earlier[i] != pid)
        i++;
    return i < earlier_count;
}

/* Null where the system does not list them. */
static FILE *list_children(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    return fopen(path, "r");
}

static void note_earlier(void)
{
    long pid;
    FILE *list = list_children();
    while (list && earlier_count < EARLIER_MOST && fscanf(list, "%ld", &pid) == 1)
        earlier[earlier_count++] = (pid_t)pid;
    if (list)
        fclose(list);
}

/* Kills all children of this run, also those that left their group and came here when their parents
 * had ended: how many there are, or -1 where that is not known. */
static int kill_children(void)
{
    long pid;
    int count = 0;
    FILE *list = list_children();
    if (!list)
        return -1;
    while (fscanf(list, "%ld", &pid) == 1)
        if (!is_earlier((pid_t)pid)) {
            kill((pid_t)pid, SIGKILL);
            count++;
        }
    fclose(list);
    return count;
}

void catch_signals(void)
{
    sigset_t set;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    /* signals that would be ignored need not be kept for those who wait for them */
    action.sa_handler = note_signal;
    sigaction(SIGCHLD, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    wait_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    note_earlier();
#ifdef __linux__
    /* what a killed shell leaves behind is ours to wait for */
    prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);
#endif
}

int wait_ms(uint64_t ms)
{
    sigset_t set;
    struct timespec timeout = {.tv_sec = (time_t)(ms / 1000),
                               .tv_nsec = (long)(ms % 1000) * 1000000};
    wait_signals(&set);
    int got = ms == NEVER ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &timeout);
    return got > 0 && got != SIGCHLD;
}

int wait_process(pid_t pid)
{
    int status;
    if (pid < 0)
        return complain("no process: %s", strerror(errno));
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        if (ended < 0)
            return complain("lost process: %s", strerror(errno));
        if (wait_ms(NEVER)) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            return 130;
        }
    }
}

void wait_all(void)
{
    uint64_t until = clock_ms() + 10000;
    for (;;) {
        int left = kill_children();
        pid_t pid = waitpid(-1, NULL, WNOHANG);
        if (pid < 0 || left == 0 || clock_ms() > until)
            return;
        if (pid == 0)
            wait_ms(10);
    }
}

void release_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void kill_group(int signal_number)
{
    (void)signal_number;
    kill(0, SIGKILL);
}

void die_with(pid_t parent)
{
    signal(SIGTERM, kill_group);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0L, 0L, 0L);
#endif
    if (getppid() != parent)
        _exit(127);
}

pid_t reap_group(int *status)
{
    siginfo_t ended = {.si_pid = 0};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid <= 0)
        return 0;
    if (getpgid(ended.si_pid) == ended.si_pid)
        kill(-ended.si_pid, SIGKILL);
    return waitpid(ended.si_pid, status, 0);
}

/* In the leader of a group: runs the shell, and stays to end the group. */
static int lead_shell(const char *command)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return 127;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

pid_t start_shell(const char *command, const char *variable, const char *value)
{
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        release_signals();
        die_with(parent);
        if (variable)
            setenv(variable, value, 1);
        _exit(lead_shell(command));
    }
    if (pid > 0)
        setpgid(pid, pid); /* in both, as either may be first */
    return pid;
}
