/* Ctrl-C: the one mutable global of the host. */
#ifndef PINION_BASE_INTERRUPT_H
#define PINION_BASE_INTERRUPT_H

/* From now on the first SIGINT only sets the flag; a second one ends the process as usual. */
void interrupt_install(void);
int interrupt_pending(void);
/* What the first SIGINT does besides, of up to four functions each once; they must be safe in a
 * signal handler. */
void interrupt_also(void (*act)(void));

#endif
