/* A folder for stores of tests, and the lines that are put into it by hand. */
#ifndef STORE_FOLDER_H
#define STORE_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/index.h"

enum { FOLDER_PATH_SIZE = 4096 };

/* A new folder; the same name until folder_remove. */
static inline const char *folder_make(char folder[FOLDER_PATH_SIZE])
{
    const char *place = getenv("TMPDIR");
    snprintf(folder, FOLDER_PATH_SIZE, "%.3900s/pinion-store-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder))
        abort();
    return folder;
}

/* The path of a file in the folder, until the next call. */
static inline const char *folder_path(const char *folder, const char *name)
{
    static char path[FOLDER_PATH_SIZE + 300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static inline void folder_empty(const char *folder)
{
    DIR *names = opendir(folder);
    const struct dirent *name;
    while (names && (name = readdir(names)))
        if (name->d_name[0] != '.')
            unlink(folder_path(folder, name->d_name));
    if (names)
        closedir(names);
}

static inline void folder_remove(const char *folder)
{
    folder_empty(folder);
    rmdir(folder);
}

/* Puts bytes into a file: behind what is there, or (with O_TRUNC) instead of it. */
static inline void folder_put(const char *folder, const char *name, int how, const void *bytes,
                              size_t size)
{
    int file = open(folder_path(folder, name), O_WRONLY | O_CREAT | how, 0666);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file) != 0)
        abort();
}

/* Key and value as a line with its end; how many bytes. */
static inline size_t line_make(char *to, uint64_t key, const char *value)
{
    char text[STORE_KEY_SIZE];
    store_key_write(text, (store_key){0, key});
    return store_line_write(to, text, value, strlen(value));
}

/* Appends such a line. */
static inline void folder_line(const char *folder, const char *name, uint64_t key,
                               const char *value)
{
    char line[1024];
    folder_put(folder, name, O_APPEND, line, line_make(line, key, value));
}

#endif
