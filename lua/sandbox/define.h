/* Readers of definitions: of the table that a file in the sandbox returned. All of them run inside
 * a protected call: a fault is raised, "field: what is wrong (what was expected)". `where` is what
 * stands before a field's name ("orders.mine."); `table` and `value` are indices of the stack.
 * Fields are read in a fixed order, so the first fault is always the same one. */
#ifndef PINION_SANDBOX_DEFINE_H
#define PINION_SANDBOX_DEFINE_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "pinion.h"

#define DEFINE_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum {
    DEFINE_NAME_SIZE = 32,
    DEFINE_TEXT_SIZE = 128,
    DEFINE_CHOICES_MAX = 8,
    DEFINE_ENTRIES_MAX = 64 /* of any table by name; each has a closer limit of its own */
};

/* Raises; the format is lua_pushvfstring's. */
int define_refuse(lua_State *L, const char *format, ...);

/* ---- fields (define.c) ----------------------------------------------------------------------- */

/* Pushes the field of a table; its type. */
int define_get(lua_State *L, int table, const char *field);
/* Copies a short name of letters, digits and _; when `loose`, also of - and dots. */
void define_name(lua_State *L, int index, char to[DEFINE_NAME_SIZE], const char *what, bool loose);
/* Copies a text, cut where it does not fit, with blanks for control characters. */
void define_copy_text(char *to, size_t room, const char *from, size_t size);
/* Returns the index among `words` (ended by null) of the string at `index`. */
int define_word_at(lua_State *L, int index, const char *where, const char *field,
                   const char *const words[]);
/* Returns the same index of a field; `missing` when it is nil. */
int define_word(lua_State *L, int table, const char *where, const char *field,
                const char *const words[], int missing);
bool define_boolean(lua_State *L, int table, const char *where, const char *field, bool missing);
lua_Integer define_integer(lua_State *L, int table, const char *where, const char *field,
                           lua_Integer low, lua_Integer high, lua_Integer missing);
/* Refuses fields that are not among `known` (in the order of bytes). The one named is the first in
 * the order of bytes. */
void define_only_fields(lua_State *L, int table, const char *where, const char *const known[]);
/* Pushes an array of a table's string keys in the order of bytes; their number. Keys of other types
 * are refused, or only those that do not belong to its list. */
lua_Integer define_sorted_keys(lua_State *L, int table, const char *where, bool skip_list);
/* Returns the same of a table with so many names at most, which are sorted by insertion. */
lua_Integer define_sorted_names(lua_State *L, int table, const char *where, bool skip_list,
                                lua_Integer most);
/* Returns whether the table at `table` has entries besides those of its list. */
bool define_has_others(lua_State *L, int table);
/* Defines the idea in one line: the field "summary", else the first comment of the file's text. */
void define_summary(lua_State *L, int table, const char *text, size_t text_size,
                    char summary[DEFINE_TEXT_SIZE]);
/* Pushes "a, b or c". */
const char *define_push_choice(lua_State *L, const char *const words[]);

/* ---- declared parameters (param.c) ----------------------------------------------------------- */

/* A parameter's texts, which its pn_param points to. */
typedef struct define_param {
    char name[DEFINE_NAME_SIZE], doc[DEFINE_TEXT_SIZE];
    char choices[DEFINE_CHOICES_MAX][DEFINE_NAME_SIZE];
    const char *names[DEFINE_CHOICES_MAX + 1]; /* of its values, ended by a null */
    bool is_text;                              /* its value is a text, */
    char text[DEFINE_TEXT_SIZE];               /* by default this one */
    bool is_table; /* its value is a table of a declared shape; its pn_param has the hash */
} define_param;

enum define_param_flags {
    DEFINE_CHOOSES = 1, /* parameters may also be booleans and words */
    DEFINE_TEXTS = 2,   /* and texts: words without choices */
    DEFINE_TABLES = 4   /* and tables, of the shape that the field "shape" declares */
};

/* Reads the parameters in the field "params" of the table at `table`, by name, into arrays of
 * `most`; their number. */
uint32_t define_params(lua_State *L, int table, define_param texts[], pn_param params[],
                       uint32_t most, int flags);

/* Pushes the value of a parameter that is a table, which is frozen. `texts` is the array that
 * define_params has filled. */
void define_push_table(lua_State *L, const define_param texts[], const char *name);
/* Sets the value of one: a copy of the value on top of the stack, which is popped. Refuses what is
 * not of its shape. */
void define_set_table(lua_State *L, const define_param texts[], pn_param *param);

#endif
