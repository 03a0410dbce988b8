/* The Lua files inside the program; the table is written by scripts/embed.c at build time. */
#ifndef PINION_EMBEDDED_H
#define PINION_EMBEDDED_H

#include <lua.h>
#include <stddef.h>

typedef struct embedded_file {
    const char *name;  /* of the module: "pinion.cli" */
    const char *chunk; /* in messages: "=pinion/cli.lua" */
    const unsigned char *bytes;
    size_t size;
} embedded_file;

extern const embedded_file embedded_files[]; /* ended by a null name */

/* Puts them and pinion.core into package.preload. */
void preload_modules(lua_State *L);

#endif
