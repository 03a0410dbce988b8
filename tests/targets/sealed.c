/* Blocks that go to another machine under a seal.
 *   sealed write FOLDER    runs half of every scenario, seals its block into FOLDER/NAME, and
 * prints the digest of the whole run sealed read FOLDER     opens these and prints the digest of
 * the run that continues, or why not */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios.h"

static _Alignas(8) unsigned char block[SCENARIO_BLOCK], copy[SCENARIO_BLOCK];

static FILE *file_of(const char *folder, const char *name, const char *mode)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

static void print(const scenario *it, int status, size_t size)
{
    if (status < 0)
        printf("%s %s\n", it->name, pn_status_name(status));
    else
        printf("%s %016llx\n", it->name, (unsigned long long)it->digest(block, size));
}

static int finish(const scenario *it, size_t size, unsigned *steps)
{
    int status = PN_OK;
    for (*steps = 0; status == PN_OK; ++*steps)
        status = it->step(block, size);
    return status;
}

static int write_block(const scenario *it, const char *folder)
{
    unsigned char seal[PN_SEAL_SIZE];
    unsigned steps = 0;
    size_t size = 0;
    int status = it->begin(block, &size);
    memcpy(copy, block, size);
    if (status == PN_OK)
        status = finish(it, size, &steps);
    print(it, status, size);
    memcpy(block, copy, size);
    for (unsigned i = 0; i < steps / 2; i++)
        it->step(block, size);
    int sealed = pn_seal(block, size, seal);
    FILE *file = file_of(folder, it->name, "wb");
    fwrite(seal, 1, sizeof seal, file);
    fwrite(block, 1, size, file);
    return fclose(file) != 0 || sealed != PN_OK || status != PN_DONE || steps < 4;
}

static int read_block(const scenario *it, const char *folder)
{
    unsigned char seal[PN_SEAL_SIZE];
    unsigned steps;
    FILE *file = file_of(folder, it->name, "rb");
    size_t read = fread(seal, 1, sizeof seal, file), size = fread(block, 1, sizeof block, file);
    fclose(file);
    int status = read == sizeof seal ? pn_unseal(block, size, seal) : PN_ERR_SIZE;
    if (status == PN_OK)
        status = finish(it, size, &steps);
    print(it, status, size);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = argc != 3;
    for (const scenario *it = scenarios; argc == 3 && it->name; it++)
        failed |= strcmp(argv[1], "write") == 0 ? write_block(it, argv[2])
                                                : read_block(it, argv[2]);
    return failed;
}
