/* What the fuzz targets share: the entry that libFuzzer or replay.c calls, bytes taken one by one,
 * and what to do when something does not hold. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef struct input {
    const uint8_t *bytes;
    size_t size;
} input;

/* The next byte; 0 when there are no more. */
static inline unsigned byte(input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->bytes++;
}

static inline void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

#endif
