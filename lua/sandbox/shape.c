/* Shapes of values that are tables: declarations, values, hashes. Recursion is as deep as tables
 * nest, which is limited. */
#include "shape.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "define.h"
#include "internal.h"

enum type { NUMBER, INTEGER, BOOLEAN, STRING, LIST, MAP, RECORD };

static const char *const types[] = {"number", "integer", "boolean", "string",
                                    "list",   "map",     "record",  NULL};

#define STRING_MOST 200 /* bytes of a text or a name */

/* ---- declarations ---------------------------------------------------------------------------- */

/* Pushes the field of a shape, whether its table is frozen or not; its type. */
static int get(lua_State *L, int shape, const char *field)
{
    lua_getfield(L, shape, field);
    return lua_type(L, -1);
}

static enum type type_of(lua_State *L, int shape, const char *where)
{
    enum type type;
    if (lua_type(L, shape) == LUA_TSTRING)
        return (enum type)define_word_at(L, shape, where, "", types);
    if (lua_type(L, shape) != LUA_TTABLE)
        define_refuse(L,
                      "%s: must be a shape such as \"number\" or { type = \"list\", of = "
                      "\"number\" }, got a %s",
                      where, luaL_typename(L, shape));
    get(L, shape, "type");
    type = (enum type)define_word_at(L, lua_gettop(L), where, ".type", types);
    lua_pop(L, 1);
    return type;
}

static void check(lua_State *L, int shape, const char *where, int depth);

static void check_limits(lua_State *L, int shape, enum type type, const char *where)
{
    static const char *const limits[] = {"min", "max"};
    for (int i = 0; i < 2; i++) {
        if (get(L, shape, limits[i]) != LUA_TNIL && (type > INTEGER || !lua_isnumber(L, -1)))
            define_refuse(L, "%s.%s: %s", where, limits[i],
                          type > INTEGER ? "goes with numbers" : "must be a number");
        lua_pop(L, 1);
    }
}

static void check_fields(lua_State *L, int shape, const char *where, int depth)
{
    if (get(L, shape, "fields") != LUA_TTABLE)
        define_refuse(L, "%s.fields: is required (a table of shapes by name)", where);
    int fields = lua_gettop(L);
    lua_Integer count = define_sorted_keys(L, fields, where, false);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, fields + 1, i);
        const char *path = lua_pushfstring(L, "%s.%s", where, lua_tostring(L, -1));
        lua_getfield(L, fields, lua_tostring(L, -2));
        check(L, lua_gettop(L), path, depth);
        lua_settop(L, fields + 1);
    }
    lua_settop(L, fields - 1);
}

static void check(lua_State *L, int shape, const char *where, int depth)
{
    static const char *const known[] = {"default", "fields",   "max",  "min",
                                        "of",      "optional", "type", NULL};
    int top = lua_gettop(L);
    enum type type = type_of(L, shape, where);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (type >= LIST && depth == SHAPE_DEPTH_MAX)
        define_refuse(L, "%s: tables nest deeper than %d", where, SHAPE_DEPTH_MAX);
    if (lua_type(L, shape) == LUA_TSTRING && type >= LIST)
        define_refuse(L, "%s: must say what it holds, such as { type = \"%s\", %s }", where,
                      types[type], type == RECORD ? "fields = { ... }" : "of = \"number\"");
    if (lua_type(L, shape) == LUA_TTABLE) {
        define_only_fields(L, shape, lua_pushfstring(L, "%s.", where), known);
        check_limits(L, shape, type, where);
        if (type == RECORD) {
            check_fields(L, shape, where, depth + 1);
        } else if (type >= LIST) {
            const char *path = lua_pushfstring(L, "%s.of", where);
            get(L, shape, "of");
            check(L, lua_gettop(L), path, depth + 1);
        }
    }
    lua_settop(L, top);
    if (lua_type(L, shape) == LUA_TTABLE && get(L, shape, "default") != LUA_TNIL)
        shape_read(L, shape, top + 1, lua_pushfstring(L, "%s.default", where));
    lua_settop(L, top);
}

void shape_check(lua_State *L, int shape, const char *where)
{
    check(L, lua_absindex(L, shape), where, 0);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const char *shown(lua_State *L, int value)
{
    if (lua_type(L, value) == LUA_TSTRING)
        return lua_pushfstring(L, "'%s'", lua_tostring(L, value));
    if (lua_type(L, value) == LUA_TBOOLEAN)
        return lua_toboolean(L, value) ? "true" : "false";
    if (lua_type(L, value) == LUA_TNUMBER) {
        lua_pushvalue(L, value);
        return lua_tostring(L, -1);
    }
    return luaL_typename(L, value);
}

static double limit(lua_State *L, int shape, const char *field, double missing)
{
    double value = missing;
    if (lua_type(L, shape) == LUA_TTABLE && get(L, shape, field) == LUA_TNUMBER)
        value = lua_tonumber(L, -1);
    if (lua_type(L, shape) == LUA_TTABLE)
        lua_pop(L, 1);
    return value;
}

static void read_number(lua_State *L, int shape, int value, const char *where, enum type type)
{
    double low = limit(L, shape, "min", -HUGE_VAL), high = limit(L, shape, "max", HUGE_VAL);
    double number = lua_tonumber(L, value);
    int integer = 0;
    lua_Integer whole = lua_tointegerx(L, value, &integer);
    bool good = lua_type(L, value) == LUA_TNUMBER && isfinite(number) && low <= number &&
                number <= high && (type == NUMBER || (integer && fabs(number) <= 0x1p53));
    if (!good && (isfinite(low) || isfinite(high)))
        define_refuse(L, "%s: must be %s in %f..%f, got %s", where,
                      type == NUMBER ? "a number" : "an integer", low, high, shown(L, value));
    if (!good)
        define_refuse(L, "%s: must be %s, got %s", where,
                      type == NUMBER ? "a finite number" : "an integer", shown(L, value));
    if (type == NUMBER)
        lua_pushnumber(L, number + 0.0);
    else
        lua_pushinteger(L, whole);
}

static void read_plain(lua_State *L, int value, const char *where, enum type type)
{
    if (type == BOOLEAN && lua_type(L, value) != LUA_TBOOLEAN)
        define_refuse(L, "%s: must be true or false, got %s", where, shown(L, value));
    if (type == STRING && (lua_type(L, value) != LUA_TSTRING || lua_rawlen(L, value) > STRING_MOST))
        define_refuse(L, "%s: must be a text of at most %d bytes, got %s", where, STRING_MOST,
                      lua_type(L, value) == LUA_TSTRING ? "a longer one" : shown(L, value));
    lua_pushvalue(L, value);
}

static void need_table(lua_State *L, int value, const char *where, const char *what)
{
    if (lua_type(L, value) != LUA_TTABLE)
        define_refuse(L, "%s: must be %s, got %s", where, what, shown(L, value));
}

static void read_list(lua_State *L, int shape, int value, const char *where)
{
    need_table(L, value, where, "a list");
    lua_Integer count = sandbox_length(L, value);
    if (define_has_others(L, value))
        define_refuse(L, "%s: must be a list, and has named entries", where);
    if (count > SHAPE_ENTRIES_MAX)
        define_refuse(L, "%s: has more than %d elements", where, SHAPE_ENTRIES_MAX);
    lua_createtable(L, (int)count, 0);
    int made = lua_gettop(L);
    get(L, shape, "of");
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, value, i);
        shape_read(L, made + 1, made + 2, lua_pushfstring(L, "%s[%I]", where, (LUAI_UACINT)i));
        lua_rawseti(L, made, i);
        lua_settop(L, made + 1);
    }
    lua_settop(L, made);
}

/* Pushes the names of a table's entries, sorted, and returns how many there are. */
static lua_Integer names_of(lua_State *L, int value, const char *where)
{
    return define_sorted_names(L, value, where, false, SHAPE_ENTRIES_MAX);
}

static void read_map(lua_State *L, int shape, int value, const char *where)
{
    need_table(L, value, where, "a table of named entries");
    lua_newtable(L);
    int made = lua_gettop(L);
    lua_Integer count = names_of(L, value, where);
    get(L, shape, "of");
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, made + 1, i);
        const char *name = lua_tostring(L, -1);
        if (lua_rawlen(L, -1) > STRING_MOST)
            define_refuse(L, "%s: a name has more than %d bytes", where, STRING_MOST);
        lua_pushvalue(L, -1);
        lua_rawget(L, value);
        shape_read(L, made + 2, made + 4, lua_pushfstring(L, "%s.%s", where, name));
        lua_setfield(L, made, name);
        lua_settop(L, made + 2);
    }
    lua_settop(L, made);
}

/* Pushes a message about a field that is missing: its default, nil when it may be missing, or a
 * fault. */
static void push_missing(lua_State *L, int shape, const char *where)
{
    bool table = lua_type(L, shape) == LUA_TTABLE;
    if (table && get(L, shape, "default") != LUA_TNIL) {
        shape_read(L, shape, lua_gettop(L), where);
        return;
    }
    if (table && get(L, shape, "optional") != LUA_TNIL && lua_toboolean(L, -1)) {
        lua_pushnil(L);
        return;
    }
    define_refuse(L, "%s: is required", where);
}

static void refuse_unknown(lua_State *L, int value, int fields, const char *where)
{
    const char *known[DEFINE_ENTRIES_MAX + 1] = {NULL};
    lua_Integer count = define_sorted_keys(L, fields, where, false), names;
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        known[i - 1] = lua_tostring(L, -1); /* the list keeps it */
        lua_pop(L, 1);
    }
    names = names_of(L, value, where);
    for (lua_Integer i = 1; i <= names; i++) {
        lua_rawgeti(L, -1, i);
        const char *name = lua_tostring(L, -1), *near = nearest_name(name, known);
        lua_getfield(L, fields, name);
        if (lua_isnil(L, -1))
            define_refuse(
                L, near ? "%s.%s: unknown field (did you mean '%s'?)" : "%s.%s: unknown field",
                where, name, near);
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
}

static void read_record(lua_State *L, int shape, int value, const char *where)
{
    need_table(L, value, where, "a table of named entries");
    lua_newtable(L);
    int made = lua_gettop(L);
    get(L, shape, "fields");
    if (sandbox_shadow(L, made + 1))
        lua_replace(L, made + 1);
    refuse_unknown(L, value, made + 1, where);
    lua_Integer count = define_sorted_keys(L, made + 1, where, false);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, made + 2, i);
        const char *name = lua_tostring(L, -1), *path;
        path = lua_pushfstring(L, "%s.%s", where, name);
        lua_getfield(L, made + 1, name); /* its shape, at made + 5 */
        lua_pushstring(L, name);
        if (lua_rawget(L, value) != LUA_TNIL)
            shape_read(L, made + 5, made + 6, path);
        else
            push_missing(L, made + 5, path);
        lua_setfield(L, made, name);
        lua_settop(L, made + 2);
    }
    lua_settop(L, made);
}

void shape_read(lua_State *L, int shape, int value, const char *where)
{
    enum type type = type_of(L, shape, where);
    int top = lua_gettop(L);
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    if (sandbox_shadow(L, value))
        value = lua_gettop(L); /* what is in a table of the file */
    switch (type) {
    case NUMBER:
    case INTEGER:
        read_number(L, shape, value, where, type);
        break;
    case BOOLEAN:
    case STRING:
        read_plain(L, value, where, type);
        break;
    case LIST:
        read_list(L, shape, value, where);
        break;
    case MAP:
        read_map(L, shape, value, where);
        break;
    default: /* RECORD */
        read_record(L, shape, value, where);
    }
    lua_copy(L, -1, top + 1);
    lua_settop(L, top + 1);
}

/* ---- hashes ---------------------------------------------------------------------------------- */

static uint64_t mix_text(uint64_t hash, const char *text, size_t size)
{
    hash = pn_mix(hash, size);
    for (size_t i = 0; i < size; i++)
        hash = pn_mix(hash, (unsigned char)text[i]);
    return hash;
}

static uint64_t mix(lua_State *L, uint64_t hash, int value)
{
    int top = lua_gettop(L);
    size_t size;
    const char *text;
    uint64_t word;
    double number;
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    hash = pn_mix(hash, (uint64_t)lua_type(L, value));
    switch (lua_type(L, value)) {
    case LUA_TBOOLEAN:
        return pn_mix(hash, (uint64_t)lua_toboolean(L, value));
    case LUA_TSTRING:
        text = lua_tolstring(L, value, &size);
        return mix_text(hash, text, size);
    case LUA_TNUMBER:
        number = lua_tonumber(L, value);
        memcpy(&word, &number, sizeof word);
        return pn_mix(hash, word);
    default:
        break;
    }
    lua_Integer length = sandbox_length(L, value), names;
    hash = pn_mix(hash, (uint64_t)length);
    for (lua_Integer i = 1; i <= length; i++) {
        lua_rawgeti(L, value, i);
        hash = mix(L, hash, lua_gettop(L));
        lua_pop(L, 1);
    }
    names = define_sorted_names(L, value, "", true, SHAPE_ENTRIES_MAX);
    for (lua_Integer i = 1; i <= names; i++) {
        lua_rawgeti(L, -1, i);
        text = lua_tolstring(L, -1, &size);
        hash = mix_text(hash, text, size);
        lua_pushvalue(L, -1);
        lua_rawget(L, value);
        hash = mix(L, hash, lua_gettop(L));
        lua_pop(L, 2);
    }
    lua_settop(L, top);
    return hash;
}

double shape_hash(lua_State *L, int value)
{
    return (double)(mix(L, PN_MIX_START, lua_absindex(L, value)) >> 11);
}
