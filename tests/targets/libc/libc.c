/* The few functions that the kernel and its tests need where there is no C library. Compiled with
 * -fno-builtin, so that no loop here becomes a call of itself. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

/* ---- bytes and texts ---- */

void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *at = to;
    const unsigned char *source = from;
    for (size_t i = 0; i < size; i++)
        at[i] = source[i];
    return to;
}

void *memmove(void *to, const void *from, size_t size)
{
    unsigned char *at = to;
    const unsigned char *source = from;
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, size);
    for (size_t i = size; i-- > 0;)
        at[i] = source[i];
    return to;
}

void *memset(void *to, int byte, size_t size)
{
    unsigned char *at = to;
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)byte;
    return to;
}

int memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *left = a, *right = b;
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size])
        size++;
    return size;
}

int strcmp(const char *a, const char *b)
{
    size_t size = strlen(a);
    return memcmp(a, b, (size < strlen(b) ? size : strlen(b)) + 1);
}

char *strstr(const char *text, const char *part)
{
    size_t size = strlen(part);
    for (size_t left = strlen(text); left >= size; left--, text++)
        if (memcmp(text, part, size) == 0)
            return (char *)(uintptr_t)text;
    return NULL;
}

/* ---- room: pieces of a power of two; those given back wait by size ---- */

typedef union piece {
    struct {
        union piece *next;
        unsigned order;
    } head;
    _Alignas(16) unsigned char unused[16];
} piece;

static piece *waiting[8 * sizeof(size_t)];

void *malloc(size_t size)
{
    unsigned order = 5;
    while ((size_t)1 << order < size + sizeof(piece))
        order++;
    piece *found = waiting[order];
    if (found) {
        waiting[order] = found->head.next;
    } else {
        found = (piece *)((machine_heap + 15) / 16 * 16);
        machine_heap = (uintptr_t)found + ((size_t)1 << order);
#ifdef __wasm__
        size_t pages = (machine_heap + 65535) / 65536, here = __builtin_wasm_memory_size(0);
        if (pages > here && __builtin_wasm_memory_grow(0, pages - here) == SIZE_MAX)
            return NULL;
#endif
    }
    found->head.order = order;
    return found + 1;
}

void free(void *pointer)
{
    if (!pointer)
        return;
    piece *given = (piece *)pointer - 1;
    given->head.next = waiting[given->head.order];
    waiting[given->head.order] = given;
}

void *realloc(void *pointer, size_t size)
{
    void *made = malloc(size);
    if (pointer && made) {
        size_t old = ((size_t)1 << ((piece *)pointer - 1)->head.order) - sizeof(piece);
        memcpy(made, pointer, old < size ? old : size);
        free(pointer);
    }
    return made;
}

/* ---- printing ---- */

typedef struct output {
    char *text;
    size_t size, used;
} output;

static void put(output *to, char byte)
{
    if (to->used + 1 < to->size)
        to->text[to->used++] = byte;
}

static void put_number(output *to, unsigned long long value, unsigned base, unsigned width)
{
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0 || count < width);
    while (count > 0)
        put(to, digits[--count]);
}

static unsigned long long number_of(va_list *arguments, bool is_long, bool is_size)
{
    return is_long   ? va_arg(*arguments, unsigned long long)
           : is_size ? va_arg(*arguments, size_t)
                     : va_arg(*arguments, unsigned);
}

static void put_all(output *to, const char *format, va_list *arguments)
{
    for (; *format; format++) {
        if (*format != '%') {
            put(to, *format);
            continue;
        }
        unsigned width = 0;
        while (*++format >= '0' && *format <= '9')
            width = 10 * width + (unsigned)(*format - '0');
        bool is_size = *format == 'z', is_long = *format == 'l';
        while (*format == 'z' || *format == 'l')
            format++;
        if (*format == 's')
            for (const char *text = va_arg(*arguments, const char *); *text; text++)
                put(to, *text);
        else if (*format == 'u' || *format == 'x')
            put_number(to, number_of(arguments, is_long, is_size), *format == 'x' ? 16 : 10, width);
        else
            abort();
    }
    to->text[to->used] = 0;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    output to = {text, size, 0};
    va_list arguments;
    va_start(arguments, format);
    put_all(&to, format, &arguments);
    va_end(arguments);
    return (int)to.used;
}

int printf(const char *format, ...)
{
    char line[256];
    output to = {line, sizeof line, 0};
    va_list arguments;
    va_start(arguments, format);
    put_all(&to, format, &arguments);
    va_end(arguments);
    machine_write(line, to.used);
    return (int)to.used;
}

void abort(void)
{
    machine_write("abort\n", 6);
    machine_exit(134);
}
