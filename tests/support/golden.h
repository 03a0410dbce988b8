/* Lines that must come out as a golden file has them. Such a file is renewed deliberately:
 *   PROGRAM --update >FILE */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct golden {
    const char *path;
    bool update; /* print, and compare nothing */
    bool differs;
} golden;

enum { GOLDEN_LINE = 200 };

static inline golden golden_of(const char *path, int argc, char **argv)
{
    return (golden){.path = path, .update = argc > 1 && strcmp(argv[1], "--update") == 0};
}

/* Whether blocks are laid out here as on x86-64, where the files are made. */
static inline bool golden_layout(void)
{
    const struct {
        uint32_t narrow;
        uint64_t wide;
    } mixed = {1, 0};
    return sizeof mixed == 16 && *(const unsigned char *)&mixed == 1;
}

/* Returns whether the file has this line. */
static inline bool golden_has(const golden *self, const char *line)
{
    char known[GOLDEN_LINE];
    bool found = false;
    FILE *file = fopen(self->path, "r");
    if (!file)
        return false;
    while (!found && fgets(known, sizeof known, file))
        found = strcmp(known, line) == 0;
    fclose(file);
    return found;
}

/* Prints a line, and says on stderr if the file lacks it. */
__attribute__((format(printf, 2, 3))) static inline void golden_line(golden *self, const char *form,
                                                                     ...)
{
    char line[GOLDEN_LINE];
    va_list values;
    va_start(values, form);
    int length = vsnprintf(line, sizeof line, form, values);
    va_end(values);
    if (length < 0 || length >= GOLDEN_LINE)
        abort();
    fputs(line, stdout);
    if (self->update || !golden_layout() || golden_has(self, line))
        return;
    fprintf(stderr, "%s has another line\n", self->path);
    self->differs = true;
}

#endif
