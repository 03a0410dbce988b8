/* Reads what lua_dump writes of a function: the bytecode of Lua 5.4, checked by its header. */
#ifndef PINION_SANDBOX_BYTECODE_H
#define PINION_SANDBOX_BYTECODE_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytecode_reader {
    lua_State *L; /* raises what is not as expected */
    const unsigned char *at, *end;
} bytecode_reader;

/* A function up to those inside it. */
typedef struct bytecode {
    int first_line, parameters, is_variadic, registers;
    const unsigned char *code; /* instructions of four bytes */
    size_t code_count, constant_count, upvalue_count, function_count;
    bytecode_reader constants; /* at the first */
    /* three bytes each: is a local of the function around; its index there; kind */
    const unsigned char *upvalues;
} bytecode;

typedef struct bytecode_constant {
    int type; /* LUA_TNIL, LUA_TBOOLEAN, LUA_TNUMBER, LUA_TSTRING */
    int is_integer;
    int64_t integer; /* a boolean too */
    double number;
    const char *text; /* `size` bytes */
    size_t size;
} bytecode_constant;

/* Takes `count` things of `size` bytes. */
const unsigned char *bytecode_take(bytecode_reader *reader, size_t count, size_t size);
size_t bytecode_take_count(bytecode_reader *reader);
/* Takes a text; size 0: there is none. */
const char *bytecode_take_text(bytecode_reader *reader, size_t *size);
bytecode_constant bytecode_take_constant(bytecode_reader *reader);
/* Raises unless the bytes are as Lua 5.4 writes them. */
void bytecode_expect(const bytecode_reader *reader, int condition);

/* Takes what precedes the outermost function. */
void bytecode_take_header(bytecode_reader *reader);
/* Takes the function; those inside it follow. */
bytecode bytecode_take_function(bytecode_reader *reader);

#endif
