/* Lines are put together by hand in a small buffer: printf would take most of the time of a logged run. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "slotted_log.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
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

/* A log is told by its first line. */
static int is_log_of(FILE *file, uint64_t scenario)
{
    char first[512], hash[32];
    snprintf(hash, sizeof hash, "\"%016llx\"", (unsigned long long)scenario);
    return fgets(first, sizeof first, file) && strncmp(first, "{\"pinion_log\":", 14) == 0 && strstr(first, hash);
}

static const char *cut_back(slotted_log *log, uint64_t scenario, uint64_t bytes)
{
    struct stat about;
    if (fstat(fileno(log->file), &about) != 0)
        return strerror(errno);
    if (!S_ISREG(about.st_mode) || !is_log_of(log->file, scenario))
        return "is not the log of this run (expected the one that the run began)";
    if ((uint64_t)about.st_size < bytes || fseeko(log->file, (off_t)bytes - 1, SEEK_SET) != 0 || getc(log->file) != '\n')
        return "is shorter than it was, or another one (expected the log as it was when the checkpoint was written, or longer)";
    if (fseeko(log->file, (off_t)bytes, SEEK_SET) != 0 || ftruncate(fileno(log->file), (off_t)bytes) != 0)
        return strerror(errno);
    return NULL;
}

const char *slotted_log_resume(slotted_log *log, const char *path, uint64_t scenario, uint64_t bytes)
{
    const char *fault;
    log->file = fopen(path, "r+");
    if (!log->file)
        return strerror(errno);
    fault = cut_back(log, scenario, bytes);
    log->started = 1;
    if (!fault)
        return NULL;
    fclose(log->file);
    log->file = NULL;
    return fault;
}

int slotted_log_is_plain(const slotted_log *log)
{
    struct stat about;
    return fstat(fileno(log->file), &about) == 0 && S_ISREG(about.st_mode);
}

int slotted_log_sync(slotted_log *log, uint64_t *bytes)
{
    off_t position = -1;
    errno = 0;
    if (!log->broken && fflush(log->file) == 0 && fsync(fileno(log->file)) == 0)
        position = ftello(log->file);
    if (position < 0 && !log->broken)
        log->broken = errno ? errno : EIO;
    *bytes = position < 0 ? 0 : (uint64_t)position;
    return position >= 0;
}

static void wipe(slotted_log *log)
{
    errno = 0;
    if (fflush(log->file) != 0 || fseek(log->file, 0, SEEK_SET) != 0 || ftruncate(fileno(log->file), 0) != 0)
        log->broken = log->unwipeable = errno ? errno : EIO;
}

/* The double of these bits, so that it reads as a float again. */
static void write_float(slotted_log *log, int64_t bits)
{
    char text[40];
    double number;
    memcpy(&number, &bits, sizeof number);
    snprintf(text, sizeof text, "%.17g", number);
    write_format(log, strpbrk(text, ".e") ? "%s" : "%s.0", text);
}

/* The header must suffice to check the log: of a policy that is not built in, all parameters and what it promises are said. */
void slotted_log_start(slotted_log *log, const pn_slotted_policy *policy, const int64_t *params, uint64_t scenario)
{
    const pn_lua_policy *behind = pn_lua_policy_behind(policy);
    const char *before = ",\"params\":{";
    if (log->started)
        wipe(log);
    log->started = 1;
    write_format(log, "{\"pinion_log\":1,\"model\":\"slotted\",\"policy\":\"%s\",\"scenario\":\"%016llx\"", policy->name,
                 (unsigned long long)scenario);
    for (uint8_t i = 0; i < policy->param_count; i++) {
        if (!behind && params[i] == policy->params[i].value)
            continue;
        write_format(log, "%s\"%s\":", before, policy->params[i].name);
        if (behind && pn_lua_policy_param(behind, i).is_float)
            write_float(log, params[i]);
        else
            write_format(log, "%lld", (long long)params[i]);
        before = ",";
    }
    if (before[1] == '\0')
        write_format(log, "}");
    if (behind)
        write_format(log, ",\"lua\":{\"work_conserving\":%s}", policy->work_conserving ? "true" : "false");
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
