/* Declared parameters: a number, which its default shows to be an integer or not; a choice among
 * words or between false and true, whose value is an index; or a text. */
#include <math.h>
#include <string.h>

#include "define.h"
#include "internal.h"
#include "shape.h"

static double param_number(lua_State *L, int table, const char *where, const char *field,
                           bool is_float, double missing)
{
    double value = missing;
    if (define_get(L, table, field) != LUA_TNIL) {
        bool legal = lua_type(L, -1) == LUA_TNUMBER && (is_float || lua_isinteger(L, -1));
        value = legal ? lua_tonumber(L, -1) : 0;
        if (!legal || !(fabs(value) <= (is_float ? HUGE_VAL : (double)PN_INTEGER_MAX)))
            define_refuse(L, "%s.%s: must be %s", where, field,
                          is_float ? "a number" : "an integer, |x| <= 2^53");
    }
    lua_pop(L, 1);
    return value;
}

/* Reads a number: the kind of its default says which it takes. */
static void read_number(lua_State *L, pn_param *param, int table, const char *where)
{
    bool is_float = !param->integer;
    double widest = is_float ? HUGE_VAL : (double)PN_INTEGER_MAX;
    param->value = param_number(L, table, where, "default", is_float, 0);
    param->low = param_number(L, table, where, "min", is_float, -widest);
    param->high = param_number(L, table, where, "max", is_float, widest);
    if (!(param->value >= param->low && param->value <= param->high) ||
        !(fabs(param->value) < HUGE_VAL))
        define_refuse(L, "%s.default: must be finite and lie between min and max", where);
}

/* Reads the words of a choice, into the texts' room. */
static int read_words(lua_State *L, define_param *texts, int table, const char *where)
{
    int type = define_get(L, table, "choices"), list = lua_gettop(L);
    lua_Integer count = type == LUA_TTABLE ? sandbox_length(L, list) : 0;
    if (count < 2 || count > DEFINE_CHOICES_MAX || define_has_others(L, list))
        define_refuse(L, "%s.choices: must be a list of 2 to %d words, of which default is one",
                      where, DEFINE_CHOICES_MAX);
    where = lua_pushfstring(L, "%s.choices", where);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        define_name(L, -1, texts->choices[i], where, false);
        texts->names[i] = texts->choices[i];
        if (strcmp(texts->choices[i], "true") == 0 || strcmp(texts->choices[i], "false") == 0)
            define_refuse(
                L, "%s: must be words (a boolean is declared by default = true or false alone)",
                where);
        for (int k = 0; k < i; k++)
            if (strcmp(texts->choices[k], texts->choices[i]) == 0)
                define_refuse(L, "%s: %s is named twice", where, texts->choices[i]);
        lua_pop(L, 1);
    }
    lua_settop(L, list - 1);
    return (int)count;
}

/* Reads a choice among words, or between false and true; its default is on top of the stack. Values
 * are indices. */
static void read_choice(lua_State *L, define_param *texts, pn_param *param, int table,
                        const char *where)
{
    static const char *const limits[] = {"min", "max", "choices", NULL};
    bool truth = lua_type(L, -1) == LUA_TBOOLEAN;
    int value = lua_gettop(L), count = 2;
    for (int i = 0; limits[i]; i++)
        if (define_get(L, table, limits[i]) != LUA_TNIL && (i < 2 || truth))
            define_refuse(L, "%s.%s: goes with a default that is a %s", where, limits[i],
                          i < 2 ? "number" : "word");
    lua_settop(L, value);
    if (truth) {
        texts->names[0] = "false";
        texts->names[1] = "true";
        param->value = lua_toboolean(L, value);
    } else {
        count = read_words(L, texts, table, where);
        param->value = define_word_at(L, value, where, ".default", texts->names);
    }
    param->names = texts->names;
    param->high = count - 1;
}

/* Reads a text whose default is on top of the stack. */
static void read_text(lua_State *L, define_param *texts, const char *where)
{
    size_t size;
    const char *text = lua_tolstring(L, -1, &size);
    if (size >= sizeof texts->text || strlen(text) != size)
        define_refuse(L, "%s.default: must be a text of at most %d bytes", where,
                      (int)sizeof texts->text - 1);
    memcpy(texts->text, text, size + 1);
    texts->is_text = true;
}

static void read_doc(lua_State *L, define_param *texts, int table, const char *where)
{
    size_t size = 0;
    int type = define_get(L, table, "doc");
    const char *doc = type == LUA_TSTRING ? lua_tolstring(L, -1, &size) : "";
    if (type != LUA_TSTRING && type != LUA_TNIL)
        define_refuse(L, "%s.doc: must be a text that says what it does, got a %s", where,
                      luaL_typename(L, -1));
    define_copy_text(texts->doc, DEFINE_TEXT_SIZE, doc, size);
    lua_pop(L, 1);
}

/* Returns whether a number takes integers only: as the field says, else as its default is
 * written. */
static bool is_integer(lua_State *L, int table, const char *where, int value)
{
    bool integer = define_boolean(L, table, lua_pushfstring(L, "%s.", where), "integer",
                                  lua_isinteger(L, value));
    lua_pop(L, 1);
    return integer;
}

/* Refuses what goes with another kind of default. */
static void refuse_field(lua_State *L, int table, const char *where, const char *field,
                         const char *kind)
{
    if (define_get(L, table, field) != LUA_TNIL)
        define_refuse(L, "%s.%s: goes with a default that is a %s", where, field, kind);
    lua_pop(L, 1);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* What the registry keeps under the texts of all parameters of a file: shapes and values by
 * name. */
enum kept { KEPT_SHAPES = 1, KEPT_VALUES };

static void push_kept(lua_State *L, const define_param texts[], int kept)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, texts);
    lua_rawgeti(L, -1, kept);
    lua_remove(L, -2);
}

static void make_kept(lua_State *L, const define_param texts[])
{
    lua_createtable(L, KEPT_VALUES, 0);
    for (int i = KEPT_SHAPES; i <= KEPT_VALUES; i++) {
        lua_newtable(L);
        lua_rawseti(L, -2, i);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, texts);
}

void define_push_table(lua_State *L, const define_param texts[], const char *name)
{
    push_kept(L, texts, KEPT_VALUES);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

void define_set_table(lua_State *L, const define_param texts[], pn_param *param)
{
    int value = lua_gettop(L);
    push_kept(L, texts, KEPT_SHAPES);
    lua_getfield(L, -1, param->name);
    shape_read(L, value + 2, value, lua_pushfstring(L, "params.%s", param->name));
    param->value = shape_hash(L, -1);
    lua_pushcfunction(L, sandbox_freeze_value);
    lua_pushvalue(L, -2);
    lua_call(L, 1, 0);
    push_kept(L, texts, KEPT_VALUES);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, param->name);
    lua_settop(L, value - 1);
}

/* Reads a table whose default is on top of the stack. */
static void read_table(lua_State *L, const define_param all[], define_param *texts, pn_param *param,
                       int table, const char *where)
{
    int top = lua_gettop(L);
    if (define_get(L, table, "shape") == LUA_TNIL)
        define_refuse(L, "%s.shape: is required beside a default that is a table", where);
    shape_check(L, top + 1, lua_pushfstring(L, "%s.shape", where));
    push_kept(L, all, KEPT_SHAPES);
    lua_pushvalue(L, top + 1);
    lua_setfield(L, -2, texts->name);
    texts->is_table = true;
    param->integer = true;
    param->low = 0;
    param->high = (double)PN_INTEGER_MAX;
    lua_pushvalue(L, top);
    define_set_table(L, all, param);
    lua_settop(L, top);
}

/* ---- all kinds ------------------------------------------------------------------------------- */

/* Returns what a default may be, beside a number. */
static const char *other_defaults(int flags)
{
    if (flags & DEFINE_CHOOSES && flags & DEFINE_TABLES)
        return "; or true, false, a word of choices = { ... }, or a table of shape = ...";
    if (flags & DEFINE_TABLES)
        return "; or a table of shape = ...";
    return "; or true, false, or a word of choices = { ... }";
}

static void only_known_fields(lua_State *L, int table, const char *where, int flags)
{
    static const char *const fields[] = {"default", "doc", "integer", "max", "min", NULL};
    const char *known[8] = {NULL};
    int count = 0;
    if (flags & DEFINE_CHOOSES)
        known[count++] = "choices";
    for (int i = 0; fields[i]; i++)
        known[count++] = fields[i];
    if (flags & DEFINE_TABLES)
        known[count++] = "shape";
    define_only_fields(L, table, where, known);
}

static void read_param(lua_State *L, const define_param all[], define_param *texts, pn_param *param,
                       int table, int flags)
{
    bool chooses = (flags & DEFINE_CHOOSES) != 0;
    const char *where = lua_pushfstring(L, "params.%s", texts->name);
    if (lua_type(L, table) != LUA_TTABLE)
        define_refuse(
            L, "%s: must be a table such as { default = 1, doc = \"what it does\" }, got a %s",
            where, luaL_typename(L, table));
    only_known_fields(L, table, lua_pushfstring(L, "%s.", where), flags);
    int type = define_get(L, table, "default"), value = lua_gettop(L);
    bool choice = chooses && (type == LUA_TBOOLEAN || type == LUA_TSTRING);
    bool tabled = (flags & DEFINE_TABLES) != 0 && type == LUA_TTABLE;
    if (type != LUA_TNUMBER && !choice && !tabled)
        define_refuse(
            L, "%s.default: is required (a number; 1 allows integers only, 1.0 any number%s)",
            where, other_defaults(flags));
    read_doc(L, texts, table, where);
    param->name = texts->name;
    param->doc = texts->doc;
    param->integer = type == LUA_TNUMBER && is_integer(L, table, where, value);
    if (type != LUA_TNUMBER)
        refuse_field(L, table, where, "integer", "number");
    bool text = type == LUA_TSTRING && (flags & DEFINE_TEXTS) != 0 &&
                define_get(L, table, "choices") == LUA_TNIL;
    lua_settop(L, value);
    if (text)
        read_text(L, texts, where);
    else if (choice)
        read_choice(L, texts, param, table, where);
    else if (chooses)
        refuse_field(L, table, where, "choices", "word");
    if (type == LUA_TNUMBER)
        read_number(L, param, table, where);
    if (tabled)
        read_table(L, all, texts, param, table, where);
    else if (flags & DEFINE_TABLES)
        refuse_field(L, table, where, "shape", "table");
}

uint32_t define_params(lua_State *L, int table, define_param texts[], pn_param params[],
                       uint32_t most, int flags)
{
    int top = lua_gettop(L), type = define_get(L, table, "params");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        define_refuse(L, "params: must be a table of parameters by name, got a %s",
                      lua_typename(L, type));
    lua_Integer count = type == LUA_TTABLE ? define_sorted_keys(L, top + 1, "params", false) : 0;
    if (count > (lua_Integer)most)
        define_refuse(L, "params: there are %d (expected at most %d)", (int)count, (int)most);
    make_kept(L, texts);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, top + 2, i + 1);
        define_name(L, -1, texts[i].name, "params", false);
        define_get(L, top + 1, texts[i].name);
        read_param(L, texts, &texts[i], &params[i], lua_gettop(L), flags);
        lua_settop(L, top + 2);
    }
    lua_settop(L, top);
    return (uint32_t)count;
}
