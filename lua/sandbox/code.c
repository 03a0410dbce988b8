/* A look at the bytecode Lua made of a function: which of its inner functions assign to locals that
 * outlive the call. Such a local would be a policy's memory that no checkpoint carries.
 *
 * The bytecode is read from what lua_dump writes (format of Lua 5.4, checked by its header). An
 * assignment to a captured local is the instruction SETUPVAL; whose local it is follows from the
 * descriptions of upvalues, which lead from each function to the one around it: */
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define OP_SETUPVAL 10 /* UpValue[B] := R[A] */

/* The header of the bytecode: signature, version 5.4, format 0, a line that text transfers would
 * spoil, the sizes of instructions, integers and floats, and then one integer and one float for the
 * byte order. */
#define HEADER      "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08"
#define HEADER_SIZE (sizeof HEADER - 1)

typedef struct reader {
    lua_State *L;
    const unsigned char *at, *end;
    int main;                  /* locals of the outermost function count as well */
    sandbox_assignment *found; /* so far, on the first line */
} reader;

typedef struct function {
    const struct function *around; /* null for the outermost */
    /* three bytes each: is a local of the function around; its index there; kind */
    const unsigned char *upvalues;
    size_t upvalue_count;
} function;

/* ---- reading --------------------------------------------------------------------------------- */

static void expect(reader *r, int condition)
{
    if (!condition)
        luaL_error(
            r->L, "this Lua writes bytecode in a format that is not known here (expected Lua 5.4)");
}

static const unsigned char *take(reader *r, size_t count, size_t size)
{
    const unsigned char *start = r->at;
    expect(r, count <= (size_t)(r->end - r->at) / size);
    r->at += count * size;
    return start;
}

/* Takes a count: seven bits a byte, the highest first; the last byte is marked. */
static size_t take_count(reader *r)
{
    size_t value = 0;
    unsigned char byte;
    do {
        byte = *take(r, 1, 1);
        expect(r, value <= SIZE_MAX >> 7);
        value = value << 7 | (byte & 0x7F);
    } while (!(byte & 0x80));
    return value;
}

/* Takes a string: the size plus one, or 0 for no string. */
static const char *take_string(reader *r, size_t *size)
{
    size_t stored = take_count(r);
    *size = stored > 0 ? stored - 1 : 0;
    return (const char *)take(r, *size, 1);
}

static void skip_constants(reader *r)
{
    size_t size;
    for (size_t count = take_count(r); count > 0; count--) {
        switch (*take(r, 1, 1)) {
        case 0x00: /* nil */
        case 0x01: /* false */
        case 0x11: /* true */
            break;
        case 0x03: /* integer */
        case 0x13: /* float */
            take(r, 1, 8);
            break;
        case 0x04: /* short string */
        case 0x14: /* long string */
            take_string(r, &size);
            break;
        default:
            expect(r, 0);
        }
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Each instruction has the difference to the line before in a byte, or -128 where it does not fit;
 * then the line is in a list. */
typedef struct lines {
    const signed char *steps;
    size_t step_count;
    const unsigned char *jumps; /* start of the list, of pairs of counts */
    size_t jump_count;
} lines;

static lines take_lines(reader *r)
{
    lines l;
    l.step_count = take_count(r);
    l.steps = (const signed char *)take(r, l.step_count, 1);
    l.jump_count = take_count(r);
    l.jumps = r->at;
    for (size_t i = 0; i < 2 * l.jump_count; i++)
        take_count(r);
    return l;
}

static int line_of(const reader *r, const lines *l, int first_line, size_t instruction)
{
    reader jumps = *r;
    size_t line = (size_t)first_line;
    jumps.at = l->jumps;
    expect(&jumps, instruction < l->step_count);
    for (size_t i = 0; i <= instruction; i++) {
        if (l->steps[i] == -128) {
            expect(&jumps, take_count(&jumps) == i);
            line = take_count(&jumps);
        } else {
            line += (size_t)l->steps[i];
        }
    }
    return (int)line;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Returns whether this upvalue is a variable that outlives the call: one of the outermost
 * function's own upvalues, or, where asked for, one of its locals. */
static int outlives(const reader *r, const function *f, size_t upvalue)
{
    for (;;) {
        expect((reader *)(uintptr_t)r, upvalue < f->upvalue_count);
        if (!f->around)
            return 1;
        if (f->upvalues[3 * upvalue])
            return r->main && !f->around->around;
        upvalue = f->upvalues[3 * upvalue + 1];
        f = f->around;
    }
}

static void note(const reader *r, int line, size_t upvalue, const char *name, size_t name_size)
{
    if (r->found->line > 0 && r->found->line <= line)
        return;
    r->found->line = line;
    if (name_size > 0)
        snprintf(r->found->name, sizeof r->found->name, "%.*s",
                 (int)(name_size < 60 ? name_size : 60), name);
    else
        snprintf(r->found->name, sizeof r->found->name, "upvalue %zu", upvalue + 1);
}

/* Looks at the code. The names of upvalues come last in a function. Notes the assignments to those
 * that outlive the call. */
static void look_at_code(reader *r, const function *f, const unsigned char *code, size_t code_count,
                         const lines *l, int first_line)
{
    const char *names[255] = {NULL};
    size_t sizes[255] = {0}, count = take_count(r);
    expect(r, count <= 255);
    for (size_t i = 0; i < count; i++)
        names[i] = take_string(r, &sizes[i]);
    for (size_t i = 0; i < code_count; i++) {
        uint32_t instruction;
        size_t upvalue;
        memcpy(&instruction, code + 4 * i, 4);
        upvalue = instruction >> 16 & 0xFF;
        if ((instruction & 0x7F) == OP_SETUPVAL && outlives(r, f, upvalue))
            note(r, line_of(r, l, first_line, i), upvalue, names[upvalue], sizes[upvalue]);
    }
}

/* Looks at a function. Recursion is as deep as functions nest in the text, which the compiler
 * limits to less than 200.
 * 200. */
static void look_at_function(reader *r, const function *around)
{
    function f = {around, NULL, 0};
    const unsigned char *code;
    size_t code_count, size;
    int first_line;
    lines l;
    take_string(r, &size); /* the file's name */
    first_line = (int)take_count(r);
    take_count(r); /* last line */
    take(r, 3, 1); /* parameters, variadic, stack size */
    code_count = take_count(r);
    code = take(r, code_count, 4);
    skip_constants(r);
    f.upvalue_count = take_count(r);
    f.upvalues = take(r, f.upvalue_count, 3);
    for (size_t count = take_count(r); count > 0; count--)
        look_at_function(r, &f);
    l = take_lines(r);
    for (size_t count = take_count(r); count > 0; count--) { /* names of locals */
        take_string(r, &size);
        take_count(r);
        take_count(r);
    }
    look_at_code(r, &f, code, code_count, &l, first_line);
}

/* ---- dumping --------------------------------------------------------------------------------- */

typedef struct dump {
    unsigned char *bytes; /* null: only count */
    size_t size;
} dump;

static int write_dump(lua_State *L, const void *bytes, size_t size, void *user)
{
    dump *d = user;
    (void)L;
    if (d->bytes && size > 0)
        memcpy(d->bytes + d->size, bytes, size);
    d->size += size;
    return 0;
}

size_t sandbox_find_assignment(lua_State *L, int index, int main, sandbox_assignment *found)
{
    dump d = {NULL, 0};
    reader r = {L, NULL, NULL, main, found};
    int64_t integer;
    double number;
    found->line = 0;
    lua_pushvalue(L, index);
    lua_dump(L, write_dump, &d, 0);
    d.bytes = lua_newuserdatauv(L, d.size, 0);
    lua_insert(L, -2);
    d.size = 0;
    lua_dump(L, write_dump, &d, 0);
    r.at = d.bytes;
    r.end = d.bytes + d.size;
    expect(&r, memcmp(take(&r, HEADER_SIZE, 1), HEADER, HEADER_SIZE) == 0);
    memcpy(&integer, take(&r, 1, 8), 8);
    memcpy(&number, take(&r, 1, 8), 8);
    expect(&r, integer == 0x5678 && number == 370.5);
    take(&r, 1, 1); /* the number of upvalues, given again in the function */
    look_at_function(&r, NULL);
    expect(&r, r.at == r.end);
    lua_pop(L, 2);
    return d.size;
}
