/* Readers of fields, and what is said of those that are wrong. */
#include "define.h"

#include <stdarg.h>
#include <string.h>

#include "base/nearest.h"
#include "host.h"

int define_refuse(lua_State *L, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    return lua_error(L);
}

/* ---- small readers --------------------------------------------------------------------------- */

int define_get(lua_State *L, int table, const char *field)
{
    lua_pushstring(L, field);
    return lua_rawget(L, table);
}

void define_name(lua_State *L, int index, char to[DEFINE_NAME_SIZE], const char *what, bool loose)
{
    size_t size = 0;
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : NULL;
    const char *legal = loose ? DEFINE_LETTERS "-." : DEFINE_LETTERS;
    if (!name || size == 0 || size >= DEFINE_NAME_SIZE || strspn(name, legal) != size)
        define_refuse(L, "%s: must be a name of 1 to %d letters, digits, _%s", what,
                      DEFINE_NAME_SIZE - 1, loose ? ", - and dots" : "");
    memcpy(to, name, size + 1);
}

void define_copy_text(char *to, size_t room, const char *from, size_t size)
{
    if (size >= room) { /* not in the middle of a UTF-8 character */
        size = room - 1;
        while (size > 0 && ((unsigned char)from[size] & 0xC0) == 0x80)
            size--;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)from[i] < ' ' ? ' ' : from[i];
    to[size] = '\0';
}

static void push_list(lua_State *L, const char *const words[])
{
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (int i = 0; words[i]; i++) {
        luaL_addstring(&list, i == 0 ? "" : ", ");
        luaL_addstring(&list, words[i]);
    }
    luaL_pushresult(&list);
}

int define_word_at(lua_State *L, int index, const char *where, const char *field,
                   const char *const words[])
{
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    const char *got = word ? word : luaL_typename(L, index);
    push_list(L, words);
    return define_refuse(L, "%s%s: must be one of %s; got %s", where, field, lua_tostring(L, -1),
                         got);
}

int define_word(lua_State *L, int table, const char *where, const char *field,
                const char *const words[], int missing)
{
    int word = define_get(L, table, field) == LUA_TNIL
                   ? missing
                   : define_word_at(L, lua_gettop(L), where, field, words);
    lua_pop(L, 1);
    return word;
}

bool define_has_others(lua_State *L, int table)
{
    lua_Integer entries = 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1))
        entries++;
    return entries > sandbox_length(L, table);
}

/* Returns what a key is that is no name; null: it is one. */
static const char *odd_kind(lua_State *L, int key)
{
    if (lua_type(L, key) != LUA_TSTRING)
        return luaL_typename(L, key);
    return strlen(lua_tostring(L, key)) < lua_rawlen(L, key) ? "text with a zero byte" : NULL;
}

/* Returns what a key of the table at `table` is that is no name, the first in the order of bytes;
 * null when there is none. Keys of its list do not count when they are to be skipped. */
static const char *odd_key(lua_State *L, int table, bool skip_list)
{
    const char *odd = NULL;
    lua_Integer length = skip_list ? sandbox_length(L, table) : 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        lua_Integer place = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        bool listed = place >= 1 && place <= length;
        const char *kind = odd_kind(L, -2);
        if (kind && !listed && (!odd || strcmp(kind, odd) < 0))
            odd = kind;
    }
    return odd;
}

void define_only_fields(lua_State *L, int table, const char *where, const char *const known[])
{
    const char *odd = odd_key(L, table, false);
    if (odd)
        define_refuse(L, "%shas an entry under a %s (expected named fields only)", where, odd);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        const char *field = lua_tostring(L, -2);
        bool found = false;
        for (int i = 0; known[i] && !found; i++)
            found = strcmp(field, known[i]) == 0;
        if (!found && (!odd || strcmp(field, odd) < 0))
            odd = field;
        lua_pop(L, 1);
    }
    if (!odd)
        return;
    const char *near = nearest_name(odd, known);
    if (near)
        define_refuse(L, "%s%s: unknown field (did you mean '%s'?)", where, odd, near);
    push_list(L, known);
    define_refuse(L, "%s%s: unknown field (known: %s)", where, odd, lua_tostring(L, -1));
}

lua_Integer define_sorted_keys(lua_State *L, int table, const char *where, bool skip_list)
{
    return define_sorted_names(L, table, where, skip_list, DEFINE_ENTRIES_MAX);
}

lua_Integer define_sorted_names(lua_State *L, int table, const char *where, bool skip_list,
                                lua_Integer most)
{
    lua_Integer count = 0;
    const char *odd = odd_key(L, table, skip_list);
    if (odd && skip_list)
        define_refuse(L, "%s: has an entry that is neither in the list nor named", where);
    if (odd)
        define_refuse(L, "%s: must have named entries only, got a %s as a name", where, odd);
    lua_newtable(L);
    int keys = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            continue;
        const char *name = lua_tostring(L, -1);
        lua_Integer at = count++;
        if (count > most)
            define_refuse(L, "%s: has more than %d named entries", where, (int)most);
        for (; at > 0; at--) { /* insertion: there are few */
            lua_rawgeti(L, keys, at);
            if (strcmp(lua_tostring(L, -1), name) < 0) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, keys, at + 1);
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, at + 1);
    }
    return count;
}

bool define_boolean(lua_State *L, int table, const char *where, const char *field, bool missing)
{
    int type = define_get(L, table, field);
    bool value = type == LUA_TNIL ? missing : lua_toboolean(L, -1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        define_refuse(L, "%s%s: must be true or false, got a %s", where, field,
                      lua_typename(L, type));
    lua_pop(L, 1);
    return value;
}

lua_Integer define_integer(lua_State *L, int table, const char *where, const char *field,
                           lua_Integer low, lua_Integer high, lua_Integer missing)
{
    int integer = 1;
    lua_Integer value = missing;
    if (define_get(L, table, field) != LUA_TNIL) {
        value = lua_tointegerx(L, -1, &integer);
        if (!integer || lua_type(L, -1) != LUA_TNUMBER || value < low || value > high)
            define_refuse(L, "%s%s: must be an integer in %I..%I", where, field, (LUAI_UACINT)low,
                          (LUAI_UACINT)high);
    }
    lua_pop(L, 1);
    return value;
}

/* ---- what a file says of itself -------------------------------------------------------------- */

/* Returns the first line that is a comment, without its dashes and final dot. */
static const char *first_comment(const char *text, size_t size, size_t *length)
{
    size_t start = 0, end;
    while (start < size && text[start] != '-') { /* a line before it, such as #!, is skipped */
        while (start < size && text[start] != '\n')
            start++;
        start += start < size;
    }
    while (start < size && (text[start] == '-' || text[start] == ' '))
        start++;
    for (end = start; end < size && text[end] != '\n';)
        end++;
    while (end > start && (text[end - 1] == '.' || text[end - 1] == ' ' || text[end - 1] == '\r'))
        end--;
    *length = end - start;
    return text + start;
}

void define_summary(lua_State *L, int table, const char *text, size_t text_size,
                    char summary[DEFINE_TEXT_SIZE])
{
    size_t size;
    int type = define_get(L, table, "summary");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        define_refuse(L, "summary: must be a string, got a %s", lua_typename(L, type));
    const char *said = type == LUA_TSTRING
                           ? lua_tolstring(L, -1, &size)
                           : first_comment(text, sandbox_own_size(text, text_size), &size);
    define_copy_text(summary, DEFINE_TEXT_SIZE, said, size);
    lua_pop(L, 1);
}

const char *define_push_choice(lua_State *L, const char *const words[])
{
    const char *list = words[0];
    for (int i = 1; words[i]; i++)
        list = lua_pushfstring(L, "%s%s%s", list, words[i + 1] ? ", " : " or ", words[i]);
    return list;
}
