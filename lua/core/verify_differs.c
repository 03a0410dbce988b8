/* What differs between the scenario of a log and the given one, as far as the first line says it:
 * settings, and where the jobs begin to differ. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"
#include "verify.h"

static void add(verify *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(verify *self, const char *format, ...)
{
    size_t used = strlen(self->differs), size = sizeof self->differs;
    va_list arguments;
    if (used > 0)
        used += (size_t)snprintf(self->differs + used, size - used, "; ");
    if (used >= size)
        return;
    va_start(arguments, format);
    vsnprintf(self->differs + used, size - used, format, arguments);
    va_end(arguments);
}

/* ---- settings -------------------------------------------------------------------------------- */

/* Makes the settings of the given scenario, as its log would have them; null when memory is
 * short. */
static json_t *scenario_settings(const verify *self)
{
    char *text = NULL;
    size_t size = 0;
    json_error_t error;
    run_log log = {.file = open_memstream(&text, &size)};
    json_t *first = NULL, *settings;
    if (!log.file)
        return NULL;
    run_log_write(&log, "{\"first\":true");
    self->model->write_settings(&log, self);
    run_log_write(&log, "}");
    if (fclose(log.file) == 0)
        first = json_memory_loadb(text, size, 0, &error);
    free(text);
    settings = json_incref(json_object_get(first, "settings"));
    json_decref(first);
    return settings || !first ? settings : json_object();
}

static void write_value(const json_t *value, char text[40])
{
    char *written = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    const char *word = json_string_value(value);
    snprintf(text, 40, "%s", word ? word : written ? written : "?");
    free(written);
}

/* Marks tell that lists differ, but not how. */
static void compare_value(verify *self, const char *name, const json_t *stored,
                          const json_t *settings)
{
    char values[2][40];
    if (json_equal(stored, settings))
        return;
    write_value(stored, values[0]);
    write_value(settings, values[1]);
    if (!stored || !settings || values[0][0] == '#')
        add(self, "the %.40s differ", name);
    else
        add(self, "%.40s is %s there, %s here", name, values[0], values[1]);
}

static int compare_settings(verify *self)
{
    json_t *stored = json_object_get(self->entry, "settings"), *settings;
    if (stored && !json_is_object(stored))
        return verify_reject(self, "field \"settings\": expected an object");
    settings = scenario_settings(self);
    if (!settings)
        return verify_reject(self, "not enough memory for the settings");
    for (void *at = json_object_iter(settings); at; at = json_object_iter_next(settings, at))
        compare_value(self, json_object_iter_key(at),
                      json_object_get(stored, json_object_iter_key(at)),
                      json_object_iter_value(at));
    for (void *at = json_object_iter(stored); at; at = json_object_iter_next(stored, at))
        if (!json_object_get(settings, json_object_iter_key(at)))
            compare_value(self, json_object_iter_key(at), json_object_iter_value(at), NULL);
    json_decref(settings);
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Reads {"count":40,"every":4,"marks":"89abcdef…"}; 0 when it is none. */
static int read_marks(const json_t *from, source_marks *to)
{
    const json_t *count = json_object_get(from, "count"), *every = json_object_get(from, "every");
    const char *text = json_string_value(json_object_get(from, "marks"));
    size_t size = text ? strlen(text) : 0;
    if (json_object_size(from) != 3 || !json_is_integer(count) || !json_is_integer(every) ||
        json_integer_value(count) < 1 || json_integer_value(every) < 1 || size == 0 ||
        size % 8 != 0 || strspn(text, "0123456789abcdef") != size)
        return 0;
    to->jobs = (uint64_t)json_integer_value(count);
    to->every = (uint64_t)json_integer_value(every);
    to->count = (uint32_t)(size / 8);
    if (size / 8 > SOURCE_MARKS_MAX + 1 || to->count != (to->jobs - 1) / to->every + 1)
        return 0;
    for (uint32_t i = 0; i < to->count; i++) {
        char digits[9] = {0};
        memcpy(digits, text + (size_t)8 * i, 8);
        to->marks[i] = (uint32_t)strtoul(digits, NULL, 16);
    }
    return 1;
}

/* Returns how many of the first jobs have the same marks. */
static uint64_t same_jobs(const source_marks *a, const source_marks *b)
{
    uint64_t every = a->every > b->every ? a->every : b->every, same = 0;
    uint64_t jobs = a->jobs < b->jobs ? a->jobs : b->jobs;
    while (same + every <= jobs &&
           a->marks[(same + every) / a->every - 1] == b->marks[(same + every) / b->every - 1])
        same += every;
    return same;
}

static void compare_jobs(verify *self, const source_marks *stored, const source_marks *current)
{
    unsigned long long same = same_jobs(stored, current), last = same + stored->every;
    char before[48] = "";
    if (stored->jobs != current->jobs) {
        if (same > 0)
            snprintf(before, sizeof before, " (the first %llu are the same)", same);
        add(self, "the log's scenario has %llu jobs, this one %llu%s",
            (unsigned long long)stored->jobs, (unsigned long long)current->jobs, before);
        return;
    }
    if (stored->every == current->every &&
        memcmp(stored->marks, current->marks, stored->count * sizeof stored->marks[0]) == 0)
        return;
    if (last > stored->jobs)
        last = stored->jobs;
    if (same > 0)
        snprintf(before, sizeof before, "jobs 1..%llu are the same, ", same);
    if (same + 1 == last)
        add(self, "%sjob %llu differs", before, last);
    else
        add(self, "%sone of %s%llu..%llu differs", before, same > 0 ? "" : "jobs ", same + 1, last);
}

int verify_compare(verify *self)
{
    const json_t *jobs = json_object_get(self->entry, "jobs");
    source_marks marks = {0};
    if (jobs && !read_marks(jobs, &marks))
        return verify_reject(self, "field \"jobs\": expected {\"count\":n,\"every\":n,"
                                   "\"marks\":\"8 hex digits each\"}");
    if (!jobs || self->work->marks.jobs == 0)
        return 1;
    if (!compare_settings(self))
        return 0;
    compare_jobs(self, &marks, &self->work->marks);
    return 1;
}
