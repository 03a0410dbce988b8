/* What tests print with where there is no C library: %s, and %u and %x of every width. */
#ifndef STDIO_H
#define STDIO_H
#include <stddef.h>
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int snprintf(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* One place to write to. */
#define stderr             2
#define fprintf(file, ...) ((void)(file), printf(__VA_ARGS__))
#endif
