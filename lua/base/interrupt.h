/* Ctrl-C and other requests to end: the one mutable global of the host. */
#ifndef PINION_BASE_INTERRUPT_H
#define PINION_BASE_INTERRUPT_H

/* Installs handlers: from now on the first SIGINT, SIGTERM or SIGHUP only sets the flag; a second
 * one ends the process as usual. SIGXFSZ is ignored, so that a write beyond a limit fails with
 * EFBIG; SIGCHLD is not, so that it is known how processes end. */
void interrupt_install(void);
/* Lets SIGTERM and SIGHUP end this process at once: a worker, whose work its parent gives away. */
void interrupt_reset(void);
int interrupt_pending(void);
/* Returns the signal that was caught last; 0: none. */
int interrupt_signal(void);
/* Registers what the first of these signals does besides, of up to four functions each once; they
 * must be safe in a signal handler. */
void interrupt_also(void (*act)(void));

#endif
