/* A look at the bytecode Lua made of a function: which of its inner functions assign to locals that
 * outlive the call. Such a local would be a policy's memory that no checkpoint carries.
 *
 * An assignment to a captured local is the instruction SETUPVAL; whose local it is follows from the
 * descriptions of upvalues, which lead from each function to the one around it. */
#include <stdio.h>
#include <string.h>

#include "bytecode.h"
#include "internal.h"

#define OP_SETUPVAL 10 /* UpValue[B] := R[A] */

typedef struct search {
    bytecode_reader reader;
    int main;                  /* locals of the outermost function count as well */
    sandbox_assignment *found; /* so far, on the first line */
} search;

typedef struct function {
    const struct function *around; /* null for the outermost */
    bytecode code;
} function;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Each instruction has the difference to the line before in a byte, or -128 where it does not fit;
 * then the line is in a list. */
typedef struct lines {
    const signed char *steps;
    size_t step_count;
    const unsigned char *jumps; /* start of the list, of pairs of counts */
    size_t jump_count;
} lines;

static lines take_lines(bytecode_reader *r)
{
    lines l;
    l.step_count = bytecode_take_count(r);
    l.steps = (const signed char *)bytecode_take(r, l.step_count, 1);
    l.jump_count = bytecode_take_count(r);
    l.jumps = r->at;
    for (size_t i = 0; i < 2 * l.jump_count; i++)
        bytecode_take_count(r);
    return l;
}

static int line_of(const bytecode_reader *r, const lines *l, int first_line, size_t instruction)
{
    bytecode_reader jumps = *r;
    size_t line = (size_t)first_line;
    jumps.at = l->jumps;
    bytecode_expect(&jumps, instruction < l->step_count);
    for (size_t i = 0; i <= instruction; i++) {
        if (l->steps[i] == -128) {
            bytecode_expect(&jumps, bytecode_take_count(&jumps) == i);
            line = bytecode_take_count(&jumps);
        } else {
            line += (size_t)l->steps[i];
        }
    }
    return (int)line;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Returns whether this upvalue is a variable that outlives the call: one of the outermost
 * function's own upvalues, or, where asked for, one of its locals. */
static int outlives(const search *s, const function *f, size_t upvalue)
{
    for (;;) {
        bytecode_expect(&s->reader, upvalue < f->code.upvalue_count);
        if (!f->around)
            return 1;
        if (f->code.upvalues[3 * upvalue])
            return s->main && !f->around->around;
        upvalue = f->code.upvalues[3 * upvalue + 1];
        f = f->around;
    }
}

static void note(const search *s, int line, const char *name, size_t name_size)
{
    if (s->found->line > 0 && s->found->line <= line)
        return;
    s->found->line = line;
    snprintf(s->found->name, sizeof s->found->name, "%.*s", (int)(name_size < 60 ? name_size : 60),
             name);
}

/* Looks at the code. The names of upvalues come last in a function. Notes the assignments to those
 * that outlive the call. */
static void look_at_code(search *s, const function *f, const lines *l)
{
    const char *names[255] = {NULL};
    size_t sizes[255] = {0}, count = bytecode_take_count(&s->reader);
    bytecode_expect(&s->reader, count <= 255);
    for (size_t i = 0; i < count; i++)
        names[i] = bytecode_take_text(&s->reader, &sizes[i]);
    for (size_t i = 0; i < f->code.code_count; i++) {
        uint32_t instruction;
        size_t upvalue;
        memcpy(&instruction, f->code.code + 4 * i, 4);
        upvalue = instruction >> 16 & 0xFF;
        if ((instruction & 0x7F) == OP_SETUPVAL && outlives(s, f, upvalue))
            note(s, line_of(&s->reader, l, f->code.first_line, i), names[upvalue], sizes[upvalue]);
    }
}

/* Looks at a function. Recursion is as deep as functions nest in the text, which the compiler
 * limits to less than 200. */
static void look_at_function(search *s, const function *around)
{
    function f = {around, bytecode_take_function(&s->reader)};
    size_t size;
    for (size_t i = 0; i < f.code.function_count; i++)
        look_at_function(s, &f);
    lines l = take_lines(&s->reader);
    for (size_t count = bytecode_take_count(&s->reader); count > 0; count--) { /* locals' names */
        bytecode_take_text(&s->reader, &size);
        bytecode_take_count(&s->reader);
        bytecode_take_count(&s->reader);
    }
    look_at_code(s, &f, &l);
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
    if (d->bytes)
        memcpy(d->bytes + d->size, bytes, size);
    d->size += size;
    return 0;
}

size_t sandbox_find_assignment(lua_State *L, int index, int main, sandbox_assignment *found)
{
    lua_Debug about;
    dump d = {NULL, 0};
    search s = {{L, NULL, NULL}, main, found};
    found->line = 0;
    lua_pushvalue(L, index);
    lua_pushvalue(L, -1);
    lua_getinfo(L, ">S", &about);
    snprintf(found->file, sizeof found->file, "%s", sandbox_file_of(about.source));
    lua_dump(L, write_dump, &d, 0);
    d.bytes = lua_newuserdatauv(L, d.size, 0);
    lua_insert(L, -2);
    d.size = 0;
    lua_dump(L, write_dump, &d, 0);
    s.reader.at = d.bytes;
    s.reader.end = d.bytes + d.size;
    bytecode_take_header(&s.reader);
    look_at_function(&s, NULL);
    bytecode_expect(&s.reader, s.reader.at == s.reader.end);
    lua_pop(L, 2);
    return d.size;
}
