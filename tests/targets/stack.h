/* How much stack was used: on the Cortex-M3, by painting what lies below the stack pointer. */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>

#ifdef __ARM_ARCH_7M__
void stack_paint(void);
size_t stack_used(void);
#else
static inline void stack_paint(void)
{
}
static inline size_t stack_used(void)
{
    return 0;
}
#endif

#endif
