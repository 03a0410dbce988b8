/* What a machine without a C library has: a place to write to, an end, and room for malloc. */
#ifndef MACHINE_H
#define MACHINE_H
#include <stddef.h>
#include <stdint.h>
void machine_write(const char *text, size_t size);
_Noreturn void machine_exit(int status);
extern uintptr_t machine_heap; /* the first free byte */
#endif
