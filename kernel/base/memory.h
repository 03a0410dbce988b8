/* All that the kernel calls from outside besides abort. A compiler without a C library brings no
 * <string.h>, so they are declared here. Compilers make calls of them by themselves, and of memcmp,
 * from copies and comparisons. */
#ifndef PN_MEMORY_H
#define PN_MEMORY_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

#endif
