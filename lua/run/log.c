#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- lines ----------------------------------------------------------------------------------- */

void run_log_add_text(run_log_line *line, const char *text)
{
    size_t size = strlen(text);
    memcpy(line->text + line->size, text, size);
    line->size += size;
}

void run_log_add_number(run_log_line *line, uint64_t number)
{
    char digits[20];
    size_t count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        line->text[line->size++] = digits[--count];
}

static void write_text(run_log *log, const char *text, size_t size)
{
    if (log->broken)
        return;
    errno = EIO; /* unless the system says more */
    if (fwrite(text, 1, size, log->file) != size)
        log->broken = errno;
}

static void write_param(run_log *log, const pn_param *param, double value, int scripted, int marked)
{
    const char *name = param->names ? param->names[(size_t)value] : NULL;
    char number[40];
    if (name && strcmp(param->names[0], "false") == 0) {
        run_log_write(log, "%s", name);
    } else if (name && !scripted) {
        run_log_write(log, "\"%s\"", name);
    } else if (marked && param->integer) {
        run_log_write(log, "%lld", (long long)value);
    } else {
        snprintf(number, sizeof number, "%.17g", value);
        run_log_write(log, marked && !strpbrk(number, ".e") ? "%s.0" : "%s", number);
    }
}

const char *run_log_params(run_log *log, const pn_param params[], uint8_t count,
                           const double values[], int scripted, int marked, const char *before)
{
    for (uint8_t i = 0; i < count; i++) {
        if (!scripted && values[i] == params[i].value)
            continue;
        run_log_write(log, "%s\"%s\":", before, params[i].name);
        write_param(log, &params[i], values[i], scripted, marked);
        before = ",";
    }
    return before;
}

void run_log_write_params(run_log *log, const pn_param params[], uint8_t count,
                          const double values[], int scripted, int marked)
{
    const char *first = ",\"params\":{";
    if (run_log_params(log, params, count, values, scripted, marked, first) != first)
        run_log_write(log, "}");
}

void run_log_write_text(run_log *log, const char *text)
{
    write_text(log, text, strlen(text));
}

void run_log_write(run_log *log, const char *format, ...)
{
    char text[256] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text(log, text, strlen(text));
}

void run_log_write_line(run_log *log, run_log_line *line)
{
    write_text(log, line->text, line->size);
    line->size = 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

int run_log_open(run_log *log, const char *path)
{
    log->broken = output_open(&log->place, path);
    log->file = log->place.file;
    /* A plain file that is written in place still holds what it held. */
    log->started = log->file && !log->place.beside && run_log_is_plain(log);
    return log->file != NULL;
}

/* Returns whether it is a log of the model, which its first line tells. */
static int is_log_of(FILE *file, uint64_t scenario)
{
    char first[512], hash[32];
    snprintf(hash, sizeof hash, "\"%016llx\"", (unsigned long long)scenario);
    return fgets(first, sizeof first, file) && strncmp(first, "{\"pinion_log\":", 14) == 0 &&
           strstr(first, hash);
}

/* Returns the system's reason where the file could not be read, or else what its bytes show. */
static const char *refusal(const run_log *log, const char *shown)
{
    return ferror(log->file) ? strerror(errno) : shown;
}

static const char *cut_back(run_log *log, uint64_t scenario, uint64_t bytes)
{
    if (!run_log_is_plain(log) || !is_log_of(log->file, scenario))
        return refusal(log, "is not the log of this run (expected the one that the run began)");
    if (fseeko(log->file, (off_t)(bytes - 1), SEEK_SET) != 0)
        return strerror(errno);
    if (getc(log->file) != '\n')
        return refusal(log, "is shorter than it was, or another one (expected the log as it was "
                            "when the checkpoint was written, or longer)");
    if (fseeko(log->file, (off_t)bytes, SEEK_SET) != 0 ||
        ftruncate(fileno(log->file), (off_t)bytes) != 0)
        return strerror(errno);
    return NULL;
}

const char *run_log_resume(run_log *log, const char *path, uint64_t scenario, uint64_t bytes)
{
    const char *fault;
    log->file = fopen(path, "r+");
    if (!log->file)
        return strerror(errno);
    log->place.file = log->file;
    fault = cut_back(log, scenario, bytes);
    log->started = 1;
    if (!fault)
        return NULL;
    run_log_discard(log);
    return fault;
}

int run_log_is_plain(const run_log *log)
{
    struct stat info;
    return fstat(fileno(log->file), &info) == 0 && S_ISREG(info.st_mode);
}

int run_log_sync(run_log *log, uint64_t *bytes)
{
    off_t position = 0;
    errno = EIO;
    if (!log->broken && (fflush(log->file) != 0 || fsync(fileno(log->file)) != 0 ||
                         (position = ftello(log->file)) < 0))
        log->broken = errno;
    if (!log->broken)
        log->broken = output_place(&log->place);
    *bytes = log->broken ? 0 : (uint64_t)position;
    return !log->broken;
}

static void wipe(run_log *log)
{
    errno = EIO;
    if (fseek(log->file, 0, SEEK_SET) != 0 || ftruncate(fileno(log->file), 0) != 0)
        log->broken = log->unwipeable = errno;
}

void run_log_commit(run_log *log)
{
    int status = log->file && !log->broken ? output_commit(&log->place) : 0;
    log->broken = log->broken ? log->broken : status;
    run_log_discard(log);
}

void run_log_discard(run_log *log)
{
    output_discard(&log->place);
    log->file = NULL;
}

/* ---- its first and its last line ------------------------------------------------------------- */

void run_log_start(run_log *log, const char *model, const char *policy, uint64_t scenario)
{
    if (log->started)
        wipe(log);
    log->started = 1;
    run_log_write(log, "{\"pinion_log\":1,\"model\":\"%s\",\"policy\":\"%s\"", model, policy);
    if (log->measured)
        run_log_write(log, ",\"measured\":true");
    else
        run_log_write(log, ",\"scenario\":\"%016llx\"", (unsigned long long)scenario);
}

void run_log_end_first(run_log *log)
{
    const source_marks *jobs = log->jobs;
    if (jobs) {
        run_log_write(log, ",\"jobs\":{\"count\":%llu,\"every\":%llu,\"marks\":\"",
                      (unsigned long long)jobs->jobs, (unsigned long long)jobs->every);
        for (uint32_t i = 0; i < jobs->count; i++)
            run_log_write(log, "%08lx", (unsigned long)jobs->marks[i]);
        run_log_write(log, "\"}");
    }
    run_log_write(log, "}\n");
}

void run_log_write_mark(run_log *log, const char *before, const char *name, uint64_t hash)
{
    run_log_write(log, "%s\"%s\":\"#%08lx\"", before, name,
                  (unsigned long)(uint32_t)(hash ^ hash >> 32));
}

void run_log_end(run_log *log, const char *end, uint64_t digest)
{
    run_log_write(log, "{\"end\":%s,\"digest\":\"%016llx\"}\n", end, (unsigned long long)digest);
}
