/* Feeds files, or all files of directories, to a fuzz target: so that a corpus found by fuzzing is
 * checked with any compiler.
 *
 *   build/tests/fuzz/model tests/fuzz/corpus/model
 *
 * The last file named before a crash is the one that caused it. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static unsigned long replayed;

static int name_order(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int replay_file(const char *path, FILE *file)
{
    size_t size = 0;
    size_t room = 1 << 16;
    uint8_t *bytes = malloc(room);
    while (bytes && (size += fread(bytes + size, 1, room - size, file)) == room)
        bytes = realloc(bytes, room *= 2);
    if (!bytes || ferror(file)) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        free(bytes);
        return 1;
    }
    /* The target gets exactly so many bytes, that a sanitizer may see it read one more. */
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, bytes, size);
    free(bytes);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    replayed++;
    return 0;
}

static int replay(const char *path)
{
    struct dirent **names;
    int count = scandir(path, &names, NULL, name_order);
    int failed = 0;
    if (count < 0) {
        FILE *file = fopen(path, "rb");
        if (!file) {
            fprintf(stderr, "replay: cannot open %s\n", path);
            return 1;
        }
        failed = replay_file(path, file);
        fclose(file);
        return failed;
    }
    for (int i = 0; i < count; i++) {
        char inside[4096];
        if (names[i]->d_name[0] != '.' && (size_t)snprintf(inside, sizeof inside, "%s/%s", path,
                                                           names[i]->d_name) < sizeof inside)
            failed |= replay(inside);
        free(names[i]);
    }
    free(names);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i]);
    printf("replay: %lu inputs, no complaint\n", replayed);
    return failed || replayed == 0;
}
