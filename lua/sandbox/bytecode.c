/* Bytecode as lua_dump writes it. */
#include "bytecode.h"

#include <lauxlib.h>
#include <string.h>

/* The header: signature, version 5.4, format 0, a line that text transfers would spoil, the sizes
 * of instructions, integers and floats, and then one integer and one float for the byte order. */
#define HEADER      "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08"
#define HEADER_SIZE (sizeof HEADER - 1)

void bytecode_expect(const bytecode_reader *reader, int condition)
{
    if (!condition)
        luaL_error(
            reader->L,
            "this Lua writes bytecode in a format that is not known here (expected Lua 5.4)");
}

const unsigned char *bytecode_take(bytecode_reader *reader, size_t count, size_t size)
{
    const unsigned char *start = reader->at;
    bytecode_expect(reader, count <= (size_t)(reader->end - reader->at) / size);
    reader->at += count * size;
    return start;
}

/* Takes a count: seven bits a byte, the highest first; the last byte is marked. */
size_t bytecode_take_count(bytecode_reader *reader)
{
    size_t value = 0;
    unsigned char byte;
    do {
        byte = *bytecode_take(reader, 1, 1);
        bytecode_expect(reader, value <= SIZE_MAX >> 7);
        value = value << 7 | (byte & 0x7F);
    } while (!(byte & 0x80));
    return value;
}

/* Takes a string: the size plus one, or 0 for no string. */
const char *bytecode_take_text(bytecode_reader *reader, size_t *size)
{
    size_t stored = bytecode_take_count(reader);
    *size = stored > 0 ? stored - 1 : 0;
    return (const char *)bytecode_take(reader, *size, 1);
}

bytecode_constant bytecode_take_constant(bytecode_reader *reader)
{
    bytecode_constant constant = {.type = LUA_TNIL};
    switch (*bytecode_take(reader, 1, 1)) {
    case 0x00: /* nil */
        break;
    case 0x11: /* true */
        constant.integer = 1;
        constant.type = LUA_TBOOLEAN;
        break;
    case 0x01: /* false */
        constant.type = LUA_TBOOLEAN;
        break;
    case 0x03: /* integer */
        constant.type = LUA_TNUMBER;
        constant.is_integer = 1;
        memcpy(&constant.integer, bytecode_take(reader, 1, 8), 8);
        break;
    case 0x13: /* float */
        constant.type = LUA_TNUMBER;
        memcpy(&constant.number, bytecode_take(reader, 1, 8), 8);
        break;
    case 0x04: /* short string */
    case 0x14: /* long string */
        constant.type = LUA_TSTRING;
        constant.text = bytecode_take_text(reader, &constant.size);
        break;
    default:
        bytecode_expect(reader, 0);
    }
    return constant;
}

void bytecode_take_header(bytecode_reader *reader)
{
    int64_t integer;
    double number;
    bytecode_expect(reader,
                    memcmp(bytecode_take(reader, HEADER_SIZE, 1), HEADER, HEADER_SIZE) == 0);
    memcpy(&integer, bytecode_take(reader, 1, 8), 8);
    memcpy(&number, bytecode_take(reader, 1, 8), 8);
    bytecode_expect(reader, integer == 0x5678 && number == 370.5);
    bytecode_take(reader, 1, 1); /* the number of upvalues, given again in the function */
}

bytecode bytecode_take_function(bytecode_reader *reader)
{
    bytecode f;
    size_t size;
    bytecode_take_text(reader, &size); /* the file's name */
    f.first_line = (int)bytecode_take_count(reader);
    bytecode_take_count(reader); /* last line */
    f.parameters = *bytecode_take(reader, 1, 1);
    f.is_variadic = *bytecode_take(reader, 1, 1);
    f.registers = *bytecode_take(reader, 1, 1);
    f.code_count = bytecode_take_count(reader);
    f.code = bytecode_take(reader, f.code_count, 4);
    f.constant_count = bytecode_take_count(reader);
    f.constants = *reader;
    for (size_t i = 0; i < f.constant_count; i++)
        bytecode_take_constant(reader);
    f.upvalue_count = bytecode_take_count(reader);
    f.upvalues = bytecode_take(reader, f.upvalue_count, 3);
    f.function_count = bytecode_take_count(reader);
    return f;
}
