/* Reading JSON where memory may be refused. Jansson's reader ignores some refusals and then writes
 * behind the end of a buffer. Here the first refusal ends the reading; the memory of what was read
 * before is not freed. */
#ifndef PINION_CORE_JSON_MEMORY_H
#define PINION_CORE_JSON_MEMORY_H

#include <jansson.h>

/* Reads as json_load_callback does. Null: the text is wrong, which `error` describes, or memory was
 * refused: then its code is json_error_out_of_memory. */
json_t *json_memory_load(json_load_callback_t read, void *data, size_t flags, json_error_t *error);
/* Reads as json_loadb does, likewise. */
json_t *json_memory_loadb(const char *text, size_t size, size_t flags, json_error_t *error);

#endif
