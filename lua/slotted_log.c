/* Lines are put together by hand in a small buffer: printf would take most of the time of a logged run. */
#define _POSIX_C_SOURCE 200809L
#include "slotted_log.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

typedef struct line {
    size_t size;
    char text[128];
} line;

static void add_text(line *self, const char *text)
{
    size_t size = strlen(text);
    memcpy(self->text + self->size, text, size);
    self->size += size;
}

static void add_number(line *self, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        self->text[self->size++] = digits[--count];
}

static void write_text(slotted_log *log, const char *text, size_t size)
{
    if (log->broken)
        return;
    errno = 0;
    if (fwrite(text, 1, size, log->file) != size)
        log->broken = errno ? errno : EIO;
}

static void write_format(slotted_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void write_format(slotted_log *log, const char *format, ...)
{
    char text[256] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text(log, text, strlen(text));
}

static void write_line(slotted_log *log, line *self)
{
    write_text(log, self->text, self->size);
    self->size = 0;
}

int slotted_log_open(slotted_log *log, const char *path)
{
    errno = 0;
    log->file = fopen(path, "w");
    log->broken = log->file ? 0 : errno;
    return log->file != NULL;
}

static void wipe(slotted_log *log)
{
    errno = 0;
    if (fflush(log->file) != 0 || fseek(log->file, 0, SEEK_SET) != 0 || ftruncate(fileno(log->file), 0) != 0)
        log->broken = log->unwipeable = errno ? errno : EIO;
}

void slotted_log_start(slotted_log *log, const pn_slotted_policy *policy, const int64_t *params, uint64_t scenario)
{
    const char *before = ",\"params\":{";
    if (log->started)
        wipe(log);
    log->started = 1;
    write_format(log, "{\"pinion_log\":1,\"model\":\"slotted\",\"policy\":\"%s\",\"scenario\":\"%016llx\"", policy->name,
                 (unsigned long long)scenario);
    for (uint8_t i = 0; i < policy->param_count; i++) {
        if (params[i] == policy->params[i].value)
            continue;
        write_format(log, "%s\"%s\":%lld", before, policy->params[i].name, (long long)params[i]);
        before = ",";
    }
    if (before[1] == '\0')
        write_format(log, "}");
    write_format(log, policy->relaxed ? ",\"relaxed\":true}\n" : "}\n");
}

void slotted_log_decision(slotted_log *log, const pn_slotted_decision *decision)
{
    line out = {0};
    if (log->broken)
        return;
    add_text(&out, "{\"slot\":");
    add_number(&out, decision->slot);
    add_text(&out, ",\"job\":");
    add_number(&out, decision->id);
    if (decision->kind != PN_START) {
        add_text(&out, decision->kind == PN_MAP ? ",\"map\":" : ",\"reduce\":");
        add_number(&out, decision->amount);
        add_text(&out, "}\n");
    } else {
        add_text(&out, ",\"start\":[");
        for (uint64_t i = 0; i < decision->amount; i++) {
            if (i > 0)
                add_text(&out, ",");
            add_number(&out, decision->first_task + i);
            write_line(log, &out);
        }
        add_text(&out, "]}\n");
    }
    write_line(log, &out);
}

void slotted_log_finish(slotted_log *log, const pn_slotted_finish *finish)
{
    line out = {0};
    add_text(&out, "{\"slot\":");
    add_number(&out, finish->finish);
    add_text(&out, ",\"job\":");
    add_number(&out, finish->id);
    add_text(&out, ",\"finish\":true}\n");
    write_line(log, &out);
}

void slotted_log_end(slotted_log *log, uint64_t slot, uint64_t digest)
{
    write_format(log, "{\"end\":%llu,\"digest\":\"%016llx\"}\n", (unsigned long long)slot, (unsigned long long)digest);
}

void slotted_log_close(slotted_log *log)
{
    if (!log->file)
        return;
    errno = 0;
    if (fclose(log->file) != 0 && !log->broken)
        log->broken = errno ? errno : EIO;
    log->file = NULL;
}
