/* What a function reads: values of the file, which are what they are for good, as its tables and
 * locals are frozen when it has been loaded (sandbox/freeze.c); the view; parameters; memory. */
#include <string.h>

#include "view.h"
#include "sandbox/internal.h"
#include "translate.h"

/* ---- what is in the file --------------------------------------------------------------------- */

void translate_take_value(translator *t, int a)
{
    lua_State *L = t->L;
    int type = lua_type(L, -1);
    if (type == LUA_TNUMBER) {
        translate_load(t, a,
                       lua_isinteger(L, -1) ? policy_integer(lua_tointeger(L, -1))
                                            : policy_float(lua_tonumber(L, -1)));
    } else if (type == LUA_TBOOLEAN) {
        translate_load(t, a, policy_boolean(lua_toboolean(L, -1)));
    } else if (type == LUA_TNIL) {
        translate_load(t, a, policy_nil());
    } else if (lua_gettop(L) < STACK_MOST) {
        translate_set(t, a, IS_OF_FILE, lua_gettop(L)); /* where it stays */
        return;
    } else {
        translate_refuse(t, "it uses too much of the file");
    }
    lua_pop(L, 1);
}

/* Takes a field of the table at this place of Lua's stack. */
static void take_field(translator *t, int a, int table, const bytecode_constant *name)
{
    lua_State *L = t->L;
    lua_pushlstring(L, name->text, name->size);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    if (lua_isnil(L, -1) && sandbox_shadow(L, table)) {
        lua_replace(L, -2);
        lua_insert(L, -2);
        lua_rawget(L, -2);
    }
    lua_remove(L, -2);
    if (lua_isnil(L, -1)) {
        translate_refuse(t, "it reads a field that its table does not have");
        lua_pop(L, 1);
    } else {
        translate_take_value(t, a);
    }
}

static bool is_name(const bytecode_constant *name, const char *word)
{
    return name->size == strlen(word) && memcmp(name->text, word, name->size) == 0;
}

/* Keeps a text in the program, once. Null: it has no room, or zeros. */
static const char *keep_text(struct policy_program *program, const bytecode_constant *text)
{
    char *end = program->texts + program->text_size;
    for (char *at = program->texts; at < end; at += strlen(at) + 1)
        if (is_name(text, at))
            return at;
    if (text->size >= PROGRAM_TEXTS - program->text_size ||
        memchr(text->text, '\0', text->size) != NULL)
        return NULL;
    memcpy(end, text->text, text->size);
    end[text->size] = '\0';
    program->text_size += (uint32_t)text->size + 1;
    return end;
}

/* Finds a text among the model's words and the names of orders, which are known by their places;
 * null: it is none of them. */
static const char *known_text(const pn_lua_policy *policy, const bytecode_constant *text)
{
    const char *const *words = policy->model->words;
    for (int i = 0; words && words[i]; i++)
        if (is_name(text, words[i]))
            return words[i];
    for (uint32_t i = 0; i < policy->order_count; i++)
        if (is_name(text, policy->order_names[i]))
            return policy->order_names[i];
    return NULL;
}

static void take_text(translator *t, int a, const bytecode_constant *text)
{
    const char *word = known_text(t->policy, text);
    const char *kept = word ? word : keep_text(t->program, text);
    if (kept)
        translate_load(t, a, policy_text(kept));
    else
        translate_refuse(t, "its texts are too long");
}

void translate_concatenate(translator *t, int a, int count)
{
    char text[PROGRAM_TEXTS];
    size_t size = 0;
    for (int i = 0; i < count; i++) {
        const policy_value *part = translate_known(t, a + i);
        size_t more = part && part->type == VALUE_TEXT ? strlen(part->as.text) : sizeof text;
        if (more >= sizeof text - size) {
            translate_refuse(t, "it makes a text");
            return;
        }
        memcpy(text + size, part->as.text, more);
        size += more;
    }
    take_text(t, a, &(bytecode_constant){.type = LUA_TSTRING, .text = text, .size = size});
}

void translate_take_constant(translator *t, int a, const bytecode_constant *k)
{
    if (k->type == LUA_TSTRING)
        take_text(t, a, k);
    else if (k->type == LUA_TNUMBER)
        translate_load(t, a, k->is_integer ? policy_integer(k->integer) : policy_float(k->number));
    else
        translate_load(t, a, k->type == LUA_TNIL ? policy_nil() : policy_boolean((int)k->integer));
}

/* ---- the view -------------------------------------------------------------------------------- */

/* Takes a method; false: it cannot be compiled. */
static bool take_method(translator *t, int a, const bytecode_constant *name)
{
    const policy_question *question = NULL;
    int i = 0;
    if (name->type == LUA_TSTRING)
        question = policy_find_question(t->policy->model, name->text, name->size);
    while (i < t->question_count && t->questions[i] != question)
        i++;
    if (!question || i == QUESTIONS)
        return false;
    t->questions[i] = question;
    t->question_count += i == t->question_count;
    translate_set(t, a, IS_QUESTION, i);
    return true;
}

static void take_view_field(translator *t, int a, const bytecode_constant *name)
{
    if (is_name(name, "params"))
        translate_set(t, a, IS_PARAMS, 0);
    else if (is_name(name, "state"))
        translate_set(t, a, IS_STATE, 0);
    else if (is_name(name, "per_job"))
        translate_set(t, a, IS_PER_JOB, 0);
    else if (!take_method(t, a, name))
        translate_refuse(t, "it uses the view as a table");
}

static void take_param(translator *t, int a, const bytecode_constant *name)
{
    const pn_lua_policy *policy = t->policy;
    uint32_t i = 0;
    while (i < policy->param_count && !is_name(name, policy->params[i].name))
        i++;
    const pn_param *param = &policy->params[i];
    if (i == policy->param_count || policy->param_texts[i].is_table) {
        translate_refuse(t, "it reads a parameter that is a table");
        return;
    }
    translate_emit(t, STEP_PARAM, a, (int)i,
                   policy_is_float(param)                  ? VALUE_FLOAT
                   : !param->names                         ? VALUE_INTEGER
                   : strcmp(param->names[0], "false") == 0 ? VALUE_TRUE
                                                           : VALUE_TEXT);
    translate_set(t, a, IS_VALUE, 0);
}

uint32_t translate_find_cells(const pn_lua_policy *policy, bool per_job,
                              const bytecode_constant *name)
{
    uint32_t i = 0;
    while (i < policy->cell_count && !(is_name(name, policy->cells[i].name) &&
                                       (policy->cells[i].kind == CELL_PER_JOB) == per_job))
        i++;
    return i;
}

static void take_cells(translator *t, int a, bool per_job, const bytecode_constant *name)
{
    const pn_lua_policy *policy = t->policy;
    uint32_t i = translate_find_cells(policy, per_job, name);
    if (i == policy->cell_count) {
        translate_refuse(t, "it reads memory that is not declared");
    } else if (policy->cells[i].kind == CELL_SINGLE) {
        translate_emit(t, STEP_STATE, a, (int)i, 0);
        translate_set(t, a, IS_VALUE, 0);
    } else {
        translate_set(t, a, IS_CELLS, (int)i);
    }
}

void translate_get_field(translator *t, int a, int b, const bytecode_constant *name)
{
    known table = t->now.registers[b];
    if (table.kind == IS_VIEW)
        take_view_field(t, a, name);
    else if (table.kind == IS_PARAMS)
        take_param(t, a, name);
    else if (table.kind == IS_STATE || table.kind == IS_PER_JOB)
        take_cells(t, a, table.kind == IS_PER_JOB, name);
    else if (table.kind == IS_OF_FILE && lua_istable(t->L, table.which))
        take_field(t, a, table.which, name);
    else
        translate_refuse(t, "it reads a table");
}

void translate_get_element(translator *t, int a, int b, int index)
{
    const policy_value *name = translate_known(t, index);
    if (name && name->type == VALUE_TEXT) {
        translate_get_field(t, a, b,
                            &(bytecode_constant){.type = LUA_TSTRING,
                                                 .text = name->as.text,
                                                 .size = strlen(name->as.text)});
        return;
    }
    known table = t->now.registers[b];
    if (table.kind != IS_CELLS && table.kind != IS_STATE) {
        translate_refuse(t, "it reads a table");
    } else if (translate_need(t, index)) {
        if (table.kind == IS_CELLS)
            translate_emit(t, STEP_CELL, a, table.which, index);
        else
            translate_emit(t, STEP_NAMED, a, index, 0);
        translate_set(t, a, IS_VALUE, 0);
    }
}

void translate_get_method(translator *t, int a, int b, const bytecode_constant *name)
{
    known of = t->now.registers[b];
    if (of.kind == IS_VIEW && take_method(t, a, name))
        translate_set(t, a + 1, IS_VIEW, 0);
    else
        translate_refuse(t, of.kind == IS_VIEW ? "it calls a method that cannot be compiled"
                                               : "it calls a method of a value");
}
