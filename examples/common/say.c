/* Messages, numbers and texts. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

int complain(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s: ", program_name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}

int read_number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno != 0 || number < low || number > high)
        return -1;
    *value = number;
    return 0;
}

int read_large(const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    if (read_number(text, low, high, value) == 0)
        return 0;
    return complain("%s: expected an integer in %llu..%llu, got %s", what, (unsigned long long)low,
                    (unsigned long long)high, text);
}

int read_small(const char *what, const char *text, uint64_t low, uint64_t high, uint32_t *value)
{
    uint64_t number;
    int status = read_large(what, text, low, high, &number);
    if (status == 0)
        *value = (uint32_t)number;
    return status;
}

void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, file);
    }
    fputc('"', file);
}

const char *put_params(FILE *file, const pn_param *params, uint8_t count, const double *values,
                       int scripted, int words)
{
    const char *before = "";
    for (uint8_t i = 0; i < count; i++) {
        const char *const *names = params[i].names;
        if (values[i] == params[i].value && !scripted)
            continue;
        fputs(before, file);
        put_text(file, params[i].name);
        fputc(':', file);
        before = ",";
        if (names && strcmp(names[0], "false") == 0)
            fputs(names[(size_t)values[i]], file);
        else if (names && words)
            put_text(file, names[(size_t)values[i]]);
        else
            fprintf(file, "%.17g", values[i]);
    }
    return before;
}
