/* What the files of the sandbox share: its bounds, how it fails, how it writes text, and how it
 * sees through frozen tables. */
#ifndef PINION_SANDBOX_INTERNAL_H
#define PINION_SANDBOX_INTERNAL_H

#include <lauxlib.h>

#include "host.h"

/* A limit on everything that one VM instruction can set going, as the budget only looks between
 * instructions. */
#define SANDBOX_STRING_MOST   1000000  /* bytes of one string, however made */
#define SANDBOX_ELEMENTS_MOST 10000000 /* elements one library call may touch */
#define SANDBOX_VALUES_MOST   8000     /* values one library call may return or be given */
/* tables that one look-up may lead through, by __index or by __newindex */
#define SANDBOX_CHAIN_MOST  100
#define SANDBOX_SOURCE_MOST ((size_t)256 << 10)

#define SANDBOX_CODE_MOST ((size_t)64 << 20) /* bytes of bytecode looked through when freezing */

/* Work that C functions do is charged in instructions: about this many bytes are copied in the time
 * of one. */
#define SANDBOX_BYTES_PER_UNIT 32

/* ---- the file (scan.c, code.c) ------------------------------------------------------- */

/* What sandbox_scan writes in the place of the length operator: a power whose base is a string.
 * Strings share a metatable, and its __pow is sandbox_length_operator. It stands wherever '#' may
 * stand and binds as '#' does, as no policy can write '^'. */
#define SANDBOX_LENGTH "\"\"^"

/* One file of those that a text holds. */
typedef struct sandbox_file {
    const char *text;
    size_t size;
    char name[SANDBOX_FILE_NAME_SIZE]; /* as require has it, without "./"; "" = the text's own */
} sandbox_file;

/* Finds what may not be in the text though Lua would take it: raises when found. Writes the text
 * with another operator in the place of each '#' to `rewritten`, unless it is null. Returns the
 * size that this takes. */
size_t sandbox_scan(lua_State *L, const sandbox_file *file, char *rewritten);

/* Pushes the compiled main function of the file. */
void sandbox_compile(lua_State *L, const sandbox_file *file);

/* Returns how many places to set aside for a copy of the table at `index`. */
int sandbox_room(lua_State *L, int index);

/* lua_CFunction of (anything, value): the length of the value as '#' has it. */
int sandbox_length_operator(lua_State *L);

/* Where a function assigns to a local that outlives the call. */
typedef struct sandbox_assignment {
    int line;      /* 0 = nowhere */
    char name[64]; /* cut when longer */
    char file[SANDBOX_FILE_NAME_SIZE];
} sandbox_assignment;

/* Looks through the bytecode of the Lua function at `index` and all functions in it for assignments
 * to upvalues of the function itself, and, when it is the `main` function of the file, to its
 * locals from inside other functions. Finds the one on the first line. Raises when the bytecode is
 * not of the Lua it knows. Returns how many bytes of it there are. */
size_t sandbox_find_assignment(lua_State *L, int index, int main, sandbox_assignment *found);

/* ---- frozen tables (freeze.c) ---------------------------------------------------------------- */

/* lua_CFunction: freezes everything that can be reached from its one argument. */
int sandbox_freeze_value(lua_State *L);
/* Freezes this one table; `refuse` becomes its __newindex. */
void sandbox_freeze_table(lua_State *L, int index, lua_CFunction refuse);
/* Pushes the table that holds what is in the frozen table at `index`, and returns 1; or pushes
 * nothing and returns 0. Policies must never get hold of that table. */
int sandbox_shadow(lua_State *L, int index);
/* Reads from the argument, which must be a table; when it is frozen its stack slot is replaced by
 * what is in it. For reading only. */
void sandbox_reads(lua_State *L, int argument);
/* Writes to the argument, which must be a table that is not frozen. */
void sandbox_writes(lua_State *L, int argument);

/* ---- text (text.c) --------------------------------------------------------------------------- */

#define SANDBOX_NUMBER_SIZE 64

/* Writes the number at `index` as tostring shows it: the same everywhere, NaN without a sign.
 * Returns the length. */
size_t sandbox_number_text(lua_State *L, int index, char text[SANDBOX_NUMBER_SIZE]);
/* Returns the argument, which must be a string, or a number, which is replaced by its text. */
const char *sandbox_text_argument(lua_State *L, int argument, size_t *size);
/* Pushes what tostring returns for the value at `index`: no addresses; __tostring is honoured. */
const char *sandbox_tostring(lua_State *L, int index, size_t *size);

/* A string under construction. It keeps one stack slot for itself: builder_start pushes it,
 * builder_finish replaces it by the string, which must be on top by then. */
typedef struct builder {
    lua_State *L;
    char *bytes;
    size_t size, room;
    int slot;
    char first[256];
} builder;

void builder_start(builder *b, lua_State *L);
void builder_add(builder *b, const char *bytes, size_t size);
void builder_add_char(builder *b, char c, size_t times);
void builder_finish(builder *b);

/* ---- the library ----------------------------------------------------------------------------- */

/* Adds functions to the table on top of the stack, as each of these does. */
void sandbox_open_base(lua_State *L);
void sandbox_open_require(lua_State *L);
void sandbox_open_pairs(lua_State *L);
void sandbox_open_metatable(lua_State *L);
void sandbox_open_table(lua_State *L);
void sandbox_open_sort(lua_State *L);
void sandbox_open_string(lua_State *L);
void sandbox_open_format(lua_State *L);
void sandbox_open_math(lua_State *L);

/* Builds the globals of the state: the whole allow-list. lua_CFunction without arguments. */
int sandbox_open(lua_State *L);

/* Returns the iterator of pairs, whose first upvalue is the table it walks. */
int sandbox_pairs_step(lua_State *L);

/* ---- failing (host.c) ------------------------------------------------------------------------ */

/* Returns the line that runs now, of the innermost function of the policy, and its file as
 * sandbox_file_of names it; 0 and "" when there is none. */
int sandbox_line(lua_State *L, const char **file);

/* Raises an error whose place is this line of this file, whatever runs now. Never returns. */
int sandbox_raise_at(lua_State *L, const char *file, int line, const char *format, ...);

/* Writes the message of a box whose allocator has refused memory. */
void sandbox_say_memory(sandbox *box);

/* Charges for `count` elements, and refuses more than SANDBOX_ELEMENTS_MOST of them: before the
 * work. */
void sandbox_charge_elements(lua_State *L, uint64_t count);
/* Charges for a string of `size` bytes and refuses one of more than SANDBOX_STRING_MOST. */
void sandbox_charge_bytes(lua_State *L, uint64_t size);

/* What error messages begin with inside the state, with the file's name as sandbox_file_of has it,
 * for the handler to put the whole name in their place: Lua itself would cut a long name. Not a
 * character of any text that a policy sees, as policies cannot catch errors. */
#define SANDBOX_MARK "\1"

#endif
