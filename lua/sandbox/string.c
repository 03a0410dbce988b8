/* The string library, without patterns (which can take exponential time) and without binary forms.
 * Letters are ASCII's. */
#include <string.h>

#include "internal.h"

/* Returns the start of a substring as string.sub reads it: from 1, negative from the end. */
static size_t start_position(lua_Integer at, size_t size)
{
    if (at > 0)
        return (size_t)at;
    if (at == 0 || at < -(lua_Integer)size)
        return 1;
    return size + (size_t)at + 1;
}

static size_t end_position(lua_Integer at, size_t size)
{
    if (at > (lua_Integer)size)
        return size;
    if (at >= 0)
        return (size_t)at;
    return at < -(lua_Integer)size ? 0 : size + (size_t)at + 1;
}

static int string_len(lua_State *L)
{
    size_t size;
    sandbox_text_argument(L, 1, &size);
    lua_pushinteger(L, (lua_Integer)size);
    return 1;
}

static int string_sub(lua_State *L)
{
    size_t size, from, to;
    const char *s = sandbox_text_argument(L, 1, &size);
    from = start_position(luaL_checkinteger(L, 2), size);
    to = end_position(luaL_optinteger(L, 3, -1), size);
    if (from > to) {
        lua_pushliteral(L, "");
        return 1;
    }
    sandbox_charge_bytes(L, to - from + 1);
    lua_pushlstring(L, s + from - 1, to - from + 1);
    return 1;
}

static int string_byte(lua_State *L)
{
    size_t size, from, to;
    const char *s = sandbox_text_argument(L, 1, &size);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    from = start_position(first, size);
    to = end_position(luaL_optinteger(L, 3, first), size);
    if (from > to)
        return 0;
    sandbox_charge_elements(L, to - from + 1);
    if (to - from >= SANDBOX_VALUES_MOST)
        return luaL_error(L, "string.byte: too many values (at most %d)", SANDBOX_VALUES_MOST);
    luaL_checkstack(L, (int)(to - from + 1), NULL);
    for (size_t i = from; i <= to; i++)
        lua_pushinteger(L, (unsigned char)s[i - 1]);
    return (int)(to - from + 1);
}

static int string_char(lua_State *L)
{
    int count = lua_gettop(L);
    builder t;
    sandbox_charge_elements(L, (uint64_t)count);
    builder_start(&t, L);
    for (int i = 1; i <= count; i++) {
        lua_Integer c = luaL_checkinteger(L, i);
        luaL_argcheck(L, c >= 0 && c <= 255, i, "value out of range");
        builder_add_char(&t, (char)(unsigned char)c, 1);
    }
    builder_finish(&t);
    return 1;
}

/* Pushes a writable copy of the text at argument 1 in a userdata, charged for. */
static char *copy_argument(lua_State *L, size_t *size)
{
    const char *s = sandbox_text_argument(L, 1, size);
    char *copy;
    sandbox_charge_bytes(L, *size);
    copy = lua_newuserdatauv(L, *size + 1, 0);
    memcpy(copy, s, *size + 1);
    return copy;
}

static int string_lower(lua_State *L)
{
    size_t size;
    char *s = copy_argument(L, &size);
    for (size_t i = 0; i < size; i++) {
        if (s[i] >= 'A' && s[i] <= 'Z')
            s[i] = (char)(s[i] - 'A' + 'a');
    }
    lua_pushlstring(L, s, size);
    return 1;
}

static int string_upper(lua_State *L)
{
    size_t size;
    char *s = copy_argument(L, &size);
    for (size_t i = 0; i < size; i++) {
        if (s[i] >= 'a' && s[i] <= 'z')
            s[i] = (char)(s[i] - 'a' + 'A');
    }
    lua_pushlstring(L, s, size);
    return 1;
}

static int string_reverse(lua_State *L)
{
    size_t size;
    char *s = copy_argument(L, &size);
    for (size_t i = 0; i < size / 2; i++) {
        char swap = s[i];
        s[i] = s[size - 1 - i];
        s[size - 1 - i] = swap;
    }
    lua_pushlstring(L, s, size);
    return 1;
}

static int string_rep(lua_State *L)
{
    size_t size, separator_size = 0;
    const char *s = sandbox_text_argument(L, 1, &size), *separator = "";
    lua_Integer count = luaL_checkinteger(L, 2);
    builder t;
    if (!lua_isnoneornil(L, 3))
        separator = sandbox_text_argument(L, 3, &separator_size);
    /* Even of nothing: the loop below turns this often. */
    if (count > 0)
        sandbox_charge_elements(L, (uint64_t)count);
    if (count > 0 && size + separator_size > 0) {
        if ((uint64_t)count > SANDBOX_STRING_MOST / (size + separator_size) + 1)
            return luaL_error(L, "makes a string of more than %d bytes", SANDBOX_STRING_MOST);
        sandbox_charge_bytes(L, (uint64_t)count * size + (uint64_t)(count - 1) * separator_size);
    }
    builder_start(&t, L);
    for (lua_Integer i = 0; i < count && size + separator_size > 0; i++) {
        if (i > 0)
            builder_add(&t, separator, separator_size);
        builder_add(&t, s, size);
    }
    builder_finish(&t);
    return 1;
}

/* Returns the offset of the first occurrence of `wanted` (not empty), or `size`. Knuth, Morris and
 * Pratt's, as the time must be linear: border[i] is the length of the longest proper prefix of
 * wanted[0..i] that is also its suffix. */
static size_t find_plain(lua_State *L, const char *s, size_t size, const char *wanted,
                         size_t wanted_size)
{
    uint32_t *border = lua_newuserdatauv(L, wanted_size * sizeof *border, 0);
    size_t matched = 0;
    border[0] = 0;
    for (size_t i = 1; i < wanted_size; i++) {
        while (matched > 0 && wanted[i] != wanted[matched])
            matched = border[matched - 1];
        if (wanted[i] == wanted[matched])
            matched++;
        border[i] = (uint32_t)matched;
    }
    matched = 0;
    for (size_t i = 0; i < size; i++) {
        while (matched > 0 && s[i] != wanted[matched])
            matched = border[matched - 1];
        if (s[i] == wanted[matched])
            matched++;
        if (matched == wanted_size)
            return i + 1 - wanted_size;
    }
    return size;
}

static int string_find(lua_State *L)
{
    size_t size, wanted_size, from, at;
    const char *s = sandbox_text_argument(L, 1, &size),
               *wanted = sandbox_text_argument(L, 2, &wanted_size);
    from = start_position(luaL_optinteger(L, 3, 1), size) - 1;
    if (!lua_toboolean(L, 4))
        return luaL_error(L,
                          "string.find: patterns are not available in %s (for plain text "
                          "pass true as 4th argument)",
                          sandbox_of(L)->words->kind);
    if (from > size || wanted_size > size - from) {
        lua_pushnil(L);
        return 1;
    }
    sandbox_charge(L, (size - from + wanted_size) / 4);
    at = wanted_size == 0 ? from : from + find_plain(L, s + from, size - from, wanted, wanted_size);
    if (at == size && wanted_size > 0) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, (lua_Integer)at + 1);
    lua_pushinteger(L, (lua_Integer)(at + wanted_size));
    return 2;
}

void sandbox_open_string(lua_State *L)
{
    static const luaL_Reg functions[] = {{"byte", string_byte},       {"char", string_char},
                                         {"find", string_find},       {"len", string_len},
                                         {"lower", string_lower},     {"rep", string_rep},
                                         {"reverse", string_reverse}, {"sub", string_sub},
                                         {"upper", string_upper},     {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
