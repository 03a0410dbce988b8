/* That a refused call changes nothing: the whole block is compared with what it was; and what is to
 * be refused in every model. For tests with cmocka. */
#ifndef KEPT_H
#define KEPT_H

#include "workload.h"

typedef struct kept {
    const void *block;
    size_t size;
    unsigned char *bytes;
} kept;

static inline kept keep(const void *block, size_t size)
{
    kept made = {block, size, workload_room(size)};
    memcpy(made.bytes, block, size);
    return made;
}

static inline void check_unchanged(kept *before)
{
    assert_memory_equal(before->block, before->bytes, before->size);
    free(before->bytes);
}

/* A struct of a later version: it ends in a field that this one does not know, and that is set. */
#define LATER(type)    \
    struct {           \
        type known;    \
        uint64_t more; \
    }

#endif
