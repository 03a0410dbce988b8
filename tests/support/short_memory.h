/* Memory that is short when a test says so: malloc, calloc, realloc and free of the C library, of
 * which those allocations fail that come after so many others. For one test program, which defines
 * _GNU_SOURCE. Where they belong to a sanitizer, or cannot be replaced, SHORT_MEMORY is 0, and the
 * program is that of this file: it says that it is left out. */
#ifndef PINION_TESTS_SHORT_MEMORY_H
#define PINION_TESTS_SHORT_MEMORY_H

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || !defined(__GLIBC__)
#define SHORT_MEMORY 0

int main(void)
{
    printf("left out: malloc belongs to the sanitizer, or cannot be replaced\n");
    return 77;
}
#else
#define SHORT_MEMORY 1

static long left = -1; /* allocations until one fails, and all behind it; -1: none does */
static long held;      /* blocks that are not freed */
static long asked;     /* allocations so far */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

static int may_have(void)
{
    asked++;
    if (left == 0) {
        errno = ENOMEM;
        return 0;
    }
    left -= left > 0;
    return 1;
}

static void *count(void *block)
{
    held += block != NULL;
    return block;
}

void *malloc(size_t size)
{
    return may_have() ? count(__libc_malloc(size)) : NULL;
}

void *calloc(size_t things, size_t size)
{
    return may_have() ? count(__libc_calloc(things, size)) : NULL;
}

void *realloc(void *block, size_t size)
{
    void *larger = may_have() ? __libc_realloc(block, size) : NULL;
    held += larger && !block;
    return larger;
}

void free(void *block)
{
    held -= block != NULL;
    __libc_free(block);
}

#endif
#endif
