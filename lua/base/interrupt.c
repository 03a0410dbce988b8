/* Ctrl-C sets a flag that long loops look at between chunks, so that an interrupted run still gives
 * its result so far; it also ends the call of a policy, which may never end by itself. */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t interrupted;

enum { ALSO_MOST = 4 };
static void (*volatile also[ALSO_MOST])(void);

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    for (int i = 0; i < ALSO_MOST && also[i]; i++)
        also[i]();
}

void interrupt_install(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    /* The default comes back at once: whoever presses Ctrl-C twice means it, even inside a loop
     * that never looks. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
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
