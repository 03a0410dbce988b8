#include "json_memory.h"

#include <setjmp.h>

static _Thread_local jmp_buf *reading; /* null: nothing is being read */
static json_malloc_t allocate;         /* what the process had before; null: not asked for yet */

static void *allocate_or_end(size_t size)
{
    void *block = allocate(size);
    if (!block && reading)
        longjmp(*reading, 1);
    return block;
}

static void install(void)
{
    json_free_t release;
    if (allocate)
        return;
    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(allocate_or_end, release);
}

/* Reads by the callback, or without one the text. */
static json_t *load(json_load_callback_t read, void *data, const char *text, size_t size,
                    size_t flags, json_error_t *error)
{
    jmp_buf refused;
    json_t *root = NULL;
    install();
    reading = &refused;
    if (setjmp(refused) == 0)
        root = read ? json_load_callback(read, data, flags, error)
                    : json_loadb(text, size, flags, error);
    else
        error->text[JSON_ERROR_TEXT_LENGTH - 1] = json_error_out_of_memory;
    reading = NULL;
    return root;
}

json_t *json_memory_load(json_load_callback_t read, void *data, size_t flags, json_error_t *error)
{
    return load(read, data, NULL, 0, flags, error);
}

json_t *json_memory_loadb(const char *text, size_t size, size_t flags, json_error_t *error)
{
    return load(NULL, NULL, text, size, flags, error);
}
