/* The Lua files inside the program, and the policies and the parts of pages inside program and
 * module; the tables are written by scripts/build/embed.c at build time. */
#ifndef PINION_CORE_EMBEDDED_H
#define PINION_CORE_EMBEDDED_H

#include <lua.h>
#include <stddef.h>

typedef struct embedded_file {
    const char *name;  /* of the module: "pinion.cli" */
    const char *chunk; /* in messages: "=pinion/cli.lua" */
    const unsigned char *bytes;
    size_t size;
    /* What Lua's compiler made of them when the program was built; null: nothing. */
    const unsigned char *code;
    size_t code_size;
} embedded_file;

extern const char embedded_lua[]; /* whose compiler it was: lua_ident */

/* Each is ended by a null name. */
extern const embedded_file embedded_files[];
extern const embedded_file embedded_policies[]; /* "policies.slotted.fifo" */
extern const embedded_file embedded_assets[];   /* "page.css" */

/* Puts them and pinion.core into package.preload. */
void preload_modules(lua_State *L);

#endif
