/* Ctrl-C, or another request to end, sets a flag that long loops look at between chunks, so that an
 * interrupted run still gives its result so far; it also ends the call of a policy, which may never
 * end by itself. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include "interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t interrupted; /* the signal; 0: none */

enum { ALSO_MOST = 4 };
static void (*volatile also[ALSO_MOST + 1])(void); /* the last stays null */

static void on_interrupt(int signal_number)
{
    interrupted = signal_number;
    for (int i = 0; also[i]; i++)
        also[i]();
}

/* Catches a signal. One that the caller ignores stays ignored, as nohup expects. */
static void catch_end(int signal_number, const struct sigaction *action)
{
    struct sigaction old;
    sigaction(signal_number, NULL, &old);
    if (old.sa_handler != SIG_IGN)
        sigaction(signal_number, action, NULL);
}

void interrupt_reset(void)
{
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
}

void interrupt_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    /* The default action returns at once: a second Ctrl-C ends even a loop that never polls. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    catch_end(SIGTERM, &action);
    catch_end(SIGHUP, &action);
    /* A file that grows beyond the limit is a write that fails, as on a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    /* Where it is ignored, the system forgets how a process has ended. */
    signal(SIGCHLD, SIG_DFL);
}

void interrupt_also(void (*act)(void))
{
    for (int i = 0; i < ALSO_MOST; i++)
        if (!also[i] || also[i] == act) {
            also[i] = act;
            return;
        }
}

int interrupt_pending(void)
{
    return interrupted != 0;
}

int interrupt_signal(void)
{
    return interrupted;
}
