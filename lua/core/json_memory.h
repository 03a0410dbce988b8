/* Reading JSON while memory is short. Jansson's reader passes over some refusals, and then writes
 * behind the end of what it has: so a refusal ends the reading at once. What was read until then is
 * not given back. */
#ifndef PINION_CORE_JSON_MEMORY_H
#define PINION_CORE_JSON_MEMORY_H

#include <jansson.h>

/* Reads as json_load_callback does. Null: the text is wrong, which `error` describes, or memory was
 * refused: then its code is json_error_out_of_memory. */
json_t *json_memory_load(json_load_callback_t read, void *data, size_t flags, json_error_t *error);
/* Reads as json_loadb does, likewise. */
json_t *json_memory_loadb(const char *text, size_t size, size_t flags, json_error_t *error);

#endif
