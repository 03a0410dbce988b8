#ifndef STDLIB_H
#define STDLIB_H
#include <stddef.h>
void *malloc(size_t size);
void *realloc(void *pointer, size_t size);
void free(void *pointer);
_Noreturn void abort(void);
#endif
