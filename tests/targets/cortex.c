/* A Cortex-M3 without a C library, under qemu-system-arm: start, output and end by semihosting, and
 * how much stack was used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libc/machine.h"
#include "stack.h"

extern unsigned char data_from[], data_start[], data_size[], bss_start[], bss_end[], heap_start[];
extern uint32_t stack_start[], stack_end[];

int main(void);
void reset(void);
uintptr_t machine_heap;

static void semihost(uint32_t call, const void *argument)
{
    register uint32_t r0 __asm__("r0") = call;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void machine_write(const char *text, size_t size)
{
    char line[257];
    memcpy(line, text, size);
    line[size] = 0;
    semihost(0x04, line); /* SYS_WRITE0 */
}

void machine_exit(int status)
{
    const uint32_t argument[] = {0x20026, (uint32_t)status};
    semihost(0x20, argument); /* SYS_EXIT_EXTENDED, ADP_Stopped_ApplicationExit */
    for (;;)
        ;
}

/* ---- the stack ---- */

enum { PAINT = 0x5AC3A53C };

static uint32_t *top(void)
{
    uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

static uint32_t *painted_to;

__attribute__((noinline)) void stack_paint(void)
{
    painted_to = top();
    for (uint32_t *at = stack_start; at < painted_to; at++)
        *at = PAINT;
}

__attribute__((noinline)) size_t stack_used(void)
{
    uint32_t *at = stack_start;
    while (at < painted_to && *at == PAINT)
        at++;
    return (size_t)(painted_to - at) * sizeof *at;
}

/* ---- start ---- */

void reset(void)
{
    memcpy(data_start, data_from, (size_t)data_size);
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    machine_heap = (uintptr_t)heap_start;
    machine_exit(main());
}

static void fault(void)
{
    abort();
}

__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    void (*handlers[15])(void);
} vectors = {stack_end, {reset, fault, fault, fault, fault, fault}};
