/* Directories and inputs of the nodes. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mapreduce.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/* The plan's directory is short enough for all that comes behind it. */
static const char *below(char path[PATH_ROOM], const mr_plan *plan, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static const char *below(char path[PATH_ROOM], const mr_plan *plan, const char *format, ...)
{
    va_list arguments;
    int size = snprintf(path, PATH_ROOM, "%s/", plan->directory);
    va_start(arguments, format);
    vsnprintf(path + size, PATH_ROOM - (size_t)size, format, arguments);
    va_end(arguments);
    return path;
}

const char *block_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                       uint32_t map)
{
    return below(path, plan, "node%u/blocks/job%llu-map%u", node, (unsigned long long)id, map + 1);
}

const char *attempt_path(char path[PATH_ROOM], const mr_plan *plan, const pn_scheduler_task *task)
{
    return below(path, plan, "node%u/job%llu-%s%u.%u", task->node, (unsigned long long)task->id,
                 task->kind == MAP ? "map" : "reduce", task->task + 1, task->attempt);
}

const char *done_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                      uint32_t map)
{
    return below(path, plan, "node%u/job%llu-map%u", node, (unsigned long long)id, map + 1);
}

const char *part_path(char path[PATH_ROOM], const mr_plan *plan, uint32_t node, uint64_t id,
                      uint32_t map, uint32_t reduce)
{
    return below(path, plan, "node%u/job%llu-map%u/part-%u", node, (unsigned long long)id, map + 1,
                 reduce + 1);
}

const char *output_path(char path[PATH_ROOM], const mr_plan *plan, uint64_t id, uint32_t part)
{
    return below(path, plan, "output/job%llu/part-%u", (unsigned long long)id, part + 1);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

enum {
    WORDS = 5000,
    LETTERS_MOST = 12,
    WORDS_OF_LINE = 10,
    LINE_ROOM = WORDS_OF_LINE * (LETTERS_MOST + 1) + 1
};

static void make_words(char words[WORDS][LETTERS_MOST + 1], uint64_t seed)
{
    static const char *const letters[] = {"bcdfghklmnprstvwz", "aeiou"};
    pn_stream stream;
    pn_stream_init(&stream, seed, 0, 0);
    for (int i = 0; i < WORDS; i++) {
        uint64_t size = pn_uniform(&stream, 2, LETTERS_MOST);
        for (uint64_t k = 0; k < size; k++)
            words[i][k] = letters[k % 2][pn_uniform(&stream, 0, strlen(letters[k % 2]) - 1)];
        words[i][size] = '\0';
    }
}

/* Frequent words are many times as frequent as rare ones. */
static size_t make_line(char line[LINE_ROOM], char words[WORDS][LETTERS_MOST + 1],
                        pn_stream *stream)
{
    size_t size = 0;
    for (int i = 0; i < WORDS_OF_LINE; i++) {
        double u = pn_uniform01(stream);
        const char *word = words[(int)(WORDS * u * u * u)];
        size_t letters = strlen(word);
        memcpy(line + size, word, letters);
        line[size + letters] = i + 1 < WORDS_OF_LINE ? ' ' : '\n';
        size += letters + 1;
    }
    return size;
}

static char *make_block(const mr_plan *plan, uint64_t id, uint32_t map,
                        char words[WORDS][LETTERS_MOST + 1], size_t *size)
{
    size_t wanted = (size_t)plan->jobs[id - 1].kib * 1024;
    char *text = malloc(wanted + LINE_ROOM);
    pn_stream stream;
    if (!text)
        return NULL;
    pn_stream_init(&stream, plan->seed, (uint32_t)id, map + 1);
    *size = 0;
    while (*size < wanted)
        *size += make_line(text + *size, words, &stream);
    return text;
}

static int write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return complain("%s: %s", path, strerror(errno));
    size_t written = fwrite(text, 1, size, file);
    if (fclose(file) != 0 || written != size)
        return complain("%s: cannot write", path);
    return 0;
}

static int make_inputs(const mr_plan *plan, uint64_t id, char words[WORDS][LETTERS_MOST + 1])
{
    const mr_job *job = &plan->jobs[id - 1];
    char path[PATH_ROOM];
    for (uint32_t map = 0; map < job->maps; map++) {
        size_t size = 0;
        char *text = make_block(plan, id, map, words, &size);
        int status = text ? 0 : complain("not enough memory");
        for (uint32_t i = 0; i < plan->copies && status == 0; i++)
            status = write_file(
                block_path(path, plan, job->replicas[map * plan->copies + i], id, map), text, size);
        free(text);
        if (status != 0)
            return status;
    }
    return 0;
}

/* ---- directories ----------------------------------------------------------------------------- */

static int make_directory(const char *path)
{
    return mkdir(path, 0777) == 0 ? 0 : complain("%s: %s", path, strerror(errno));
}

static int make_directories(const mr_plan *plan)
{
    char path[PATH_ROOM];
    for (uint32_t node = 0; node < plan->nodes.count; node++) {
        if (make_directory(below(path, plan, "node%u", node)) != 0 ||
            make_directory(below(path, plan, "node%u/blocks", node)) != 0)
            return -1;
    }
    if (make_directory(below(path, plan, "output")) != 0)
        return -1;
    for (uint32_t id = 1; id <= plan->job_count; id++) {
        if (make_directory(below(path, plan, "output/job%u", id)) != 0)
            return -1;
    }
    return 0;
}

int make_cluster(const mr_plan *plan)
{
    static char words[WORDS][LETTERS_MOST + 1];
    if (make_directories(plan) != 0)
        return -1;
    make_words(words, plan->seed);
    for (uint32_t id = 1; id <= plan->job_count; id++) {
        if (make_inputs(plan, id, words) != 0)
            return -1;
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *where)
{
    (void)about, (void)type, (void)where;
    remove(path);
    return 0;
}

void remove_all(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
