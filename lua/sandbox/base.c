/* The allow-list: the globals of a policy, and the basic functions. Everything that is not put in
 * here does not exist. */
#include <stdio.h>
#include <string.h>

#include "exact.h"
#include "internal.h"

/* ---- errors ---------------------------------------------------------------------------------- */

static int base_assert(lua_State *L)
{
    luaL_checkany(L, 1);
    if (lua_toboolean(L, 1))
        return lua_gettop(L);
    if (lua_gettop(L) == 1)
        return luaL_error(L, "assertion failed!");
    lua_settop(L, 2);
    return lua_error(L);
}

static int base_error(lua_State *L)
{
    lua_Integer level = luaL_optinteger(L, 2, 1);
    lua_settop(L, 1);
    if (lua_type(L, 1) == LUA_TSTRING && level > 0 && level < 200) {
        luaL_where(L, (int)level);
        lua_pushvalue(L, 1);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* ---- values ---------------------------------------------------------------------------------- */

static int base_type(lua_State *L)
{
    luaL_checkany(L, 1);
    lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

static int base_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    sandbox_tostring(L, 1, NULL);
    return 1;
}

/* Returns a digit of bases up to 36, or 36. */
static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A') + 10;
    return 36;
}

static const char *skip_space(const char *s, const char *end)
{
    while (s < end && *s && strchr(" \f\n\r\t\v", *s))
        s++;
    return s;
}

/* Pushes the integer that the whole text spells in this base, wrapped around like Lua's, or nil. */
static void push_in_base(lua_State *L, const char *s, size_t size, unsigned base)
{
    const char *end = s + size;
    lua_Unsigned value = 0;
    int negative;
    s = skip_space(s, end);
    negative = s < end && *s == '-';
    if (negative)
        s++;
    if (s == end || digit(*s) >= base) {
        lua_pushnil(L);
        return;
    }
    for (; s < end && digit(*s) < base; s++)
        value = value * base + digit(*s);
    if (skip_space(s, end) != end)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)(negative ? 0u - value : value));
}

static int base_tonumber(lua_State *L)
{
    size_t size;
    const char *s;
    lua_Integer base;
    if (!lua_isnoneornil(L, 2)) {
        base = luaL_checkinteger(L, 2);
        luaL_checktype(L, 1, LUA_TSTRING);
        luaL_argcheck(L, base >= 2 && base <= 36, 2, "base out of range");
        s = lua_tolstring(L, 1, &size);
        sandbox_charge_bytes(L, size);
        push_in_base(L, s, size, (unsigned)base);
        return 1;
    }
    luaL_checkany(L, 1);
    if (lua_type(L, 1) == LUA_TNUMBER) {
        lua_settop(L, 1);
        return 1;
    }
    s = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &size) : NULL;
    if (s)
        sandbox_charge_bytes(L, size);
    if (!s || lua_stringtonumber(L, s) != size + 1)
        lua_pushnil(L);
    return 1;
}

static int base_select(lua_State *L)
{
    int count = lua_gettop(L);
    lua_Integer from;
    if (lua_type(L, 1) == LUA_TSTRING && strcmp(lua_tostring(L, 1), "#") == 0) {
        lua_pushinteger(L, count - 1);
        return 1;
    }
    from = luaL_checkinteger(L, 1);
    if (from < 0)
        from = count + from;
    else if (from > count)
        from = count;
    luaL_argcheck(L, from >= 1, 1, "index out of range");
    sandbox_charge(L, (uint64_t)(count - from));
    return count - (int)from;
}

static int base_rawequal(lua_State *L)
{
    luaL_checkany(L, 1);
    luaL_checkany(L, 2);
    lua_pushboolean(L, lua_rawequal(L, 1, 2));
    return 1;
}

static int base_rawlen(lua_State *L)
{
    luaL_argcheck(L, lua_istable(L, 1) || lua_type(L, 1) == LUA_TSTRING, 1,
                  "table or string expected");
    if (lua_istable(L, 1))
        sandbox_reads(L, 1);
    lua_pushinteger(L, lua_istable(L, 1) ? sandbox_length(L, 1) : (lua_Integer)lua_rawlen(L, 1));
    return 1;
}

/* ---- print ----------------------------------------------------------------------------------- */

/* Hands over one line, its control characters made harmless. `line` is a copy that may be written
 * to. */
static void print_line(sandbox *box, char *line)
{
    for (char *c = line; *c; c++) {
        if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7F)
            *c = '?';
    }
    if (box->limits.print)
        box->limits.print(box->limits.user, line);
    else
        fprintf(stderr, "%s\n", line);
}

static int base_print(lua_State *L)
{
    sandbox *box = sandbox_of(L);
    const char *file;
    int count = lua_gettop(L);
    char where[SANDBOX_MESSAGE_SIZE], context[96] = "";
    size_t size;
    builder t;
    sandbox_charge(L, 100); /* a system call, most likely */
    builder_start(&t, L);
    int line = sandbox_line(L, &file);
    builder_add(&t, where, sandbox_write_place(box, file, line, where, sizeof where));
    if (box->context)
        box->context(box->owner, context, sizeof context);
    builder_add(&t, context, strlen(context));
    for (int i = 1; i <= count; i++) {
        const char *shown = sandbox_tostring(L, i, &size);
        sandbox_charge_bytes(L, size);
        if (i > 1)
            builder_add_char(&t, '\t', 1);
        builder_add(&t, shown, size);
        lua_pop(L, 1);
    }
    for (size_t i = 0; i < t.size; i++) {
        if (t.bytes[i] == '\0')
            t.bytes[i] = '?';
    }
    builder_add_char(&t, '\0', 1);
    print_line(box, t.bytes);
    return 0;
}

/* ---- globals --------------------------------------------------------------------------------- */

/* Why something that Lua has is missing, where there is more to say. */
static const struct hint {
    const char *name, *text;
} hints[] = {
    {"math.randomseed", "the simulation's streams have their own seed"},
    {"string.match", "there are no patterns; string.find takes plain text"},
    {"string.gmatch", "there are no patterns; string.find takes plain text"},
    {"string.gsub", "there are no patterns; string.find takes plain text"},
    {"next", "use pairs, whose order is defined"},
    {"_G", "there is no table of globals"},
};

/* Serves as __index of the globals and of each library, with its prefix ("math.") for upvalue: a
 * name that does not exist. */
static int absent(lua_State *L)
{
    const char *name;
    if (lua_type(L, 2) != LUA_TSTRING)
        return 0; /* ("text")[1] is nil, as in Lua */
    const sandbox_words *words = sandbox_of(L)->words;
    name = lua_pushfstring(L, "%s%s", lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, 2));
    if (strcmp(name, "math.random") == 0)
        return luaL_error(L, "'%s' is not available in %s (%s)", name, words->kind, words->random);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strcmp(name, hints[i].name) == 0)
            return luaL_error(L, "'%s' is not available in %s (%s)", name, words->kind,
                              hints[i].text);
    }
    return luaL_error(L, "'%s' is not available in %s", name, words->kind);
}

static int refuse_global(lua_State *L)
{
    return luaL_error(L, "assigns to the global '%s' (%s)", lua_tostring(L, 2),
                      sandbox_of(L)->words->global);
}

static int refuse_library(lua_State *L)
{
    return luaL_error(L, "the library's tables are read-only");
}

/* Seals the table on top, which answers `absent` for what it has not, and cannot be written to. */
static void seal(lua_State *L, const char *prefix, lua_CFunction refuse)
{
    lua_createtable(L, 0, 1);
    lua_pushstring(L, prefix);
    lua_pushcclosure(L, absent, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    sandbox_freeze_table(L, -1, refuse);
}

void sandbox_open_base(lua_State *L)
{
    static const luaL_Reg functions[] = {{"assert", base_assert},     {"error", base_error},
                                         {"print", base_print},       {"rawequal", base_rawequal},
                                         {"rawlen", base_rawlen},     {"select", base_select},
                                         {"tonumber", base_tonumber}, {"tostring", base_tostring},
                                         {"type", base_type},         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
    lua_pushliteral(L, LUA_VERSION);
    lua_setfield(L, -2, "_VERSION");
}

int sandbox_open(lua_State *L)
{
    lua_newtable(L); /* the globals */
    sandbox_open_base(L);
    sandbox_open_require(L);
    sandbox_open_pairs(L);
    sandbox_open_metatable(L);

    lua_newtable(L);
    sandbox_open_table(L);
    sandbox_open_sort(L);
    seal(L, "table.", refuse_library);
    lua_setfield(L, -2, "table");

    lua_newtable(L);
    sandbox_open_math(L);
    seal(L, "math.", refuse_library);
    lua_setfield(L, -2, "math");

    lua_newtable(L);
    sandbox_open_string(L);
    sandbox_open_format(L);
    seal(L, "string.", refuse_library);
    lua_pushliteral(L, ""); /* any string: they share one metatable */
    lua_createtable(L, 0, 2);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, sandbox_length_operator);
    lua_setfield(L, -2, "__pow");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    lua_setfield(L, -2, "string");

    exact_open(L);
    lua_setfield(L, -2, "exact");

    seal(L, "", refuse_global);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    return 0;
}
