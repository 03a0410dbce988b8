/* Stores of finished units in Lua: what is appended to a file, and what is read of a folder; and
 * SHA-256, by which units are known. */
#include <errno.h>
#include <string.h>

#include "base/interrupt.h"
#include "binding.h"
#include "store/index.h"
#include "store/sha256.h"
#include "store/writer.h"

#define WRITER "pinion.StoreWriter"
#define INDEX  "pinion.StoreIndex"
#define SCAN   "pinion.StoreScan"

static int push_reason(lua_State *L, int status)
{
    return push_failure(L, status == ECANCELED ? "interrupted"
                           : status == ENOMEM  ? "not enough memory"
                                               : strerror(status));
}

static int push_done(lua_State *L, int status)
{
    if (status)
        return push_reason(L, status);
    lua_pushboolean(L, 1);
    return 1;
}

/* Returns a text that C can read to its end. */
static const char *check_path(lua_State *L, int argument)
{
    size_t size;
    const char *path = luaL_checklstring(L, argument, &size);
    luaL_argcheck(L, strlen(path) == size, argument, "must not contain a null byte");
    return path;
}

/* ---- SHA-256 --------------------------------------------------------------------------------- */

/* (text): 64 hex digits. */
static int core_sha256(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 1, &size);
    char text[SHA256_TEXT_SIZE];
    sha256 hash;
    sha256_start(&hash);
    sha256_add(&hash, bytes, size);
    sha256_end(&hash, text);
    lua_pushstring(L, text);
    return 1;
}

/* (path): 64 hex digits, or nil and why not. */
static int core_sha256_file(lua_State *L)
{
    char text[SHA256_TEXT_SIZE];
    int status = sha256_file(check_path(L, 1), text);
    if (status == EINVAL)
        return push_failure(L, "is not a file");
    if (status)
        return push_reason(L, status);
    lua_pushstring(L, text);
    return 1;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* (path): the writer of a new file, or nil and why not. */
static int core_store_writer(lua_State *L)
{
    const char *path = check_path(L, 1);
    store_writer *self = lua_newuserdatauv(L, sizeof *self, 0);
    int status;
    memset(self, 0, sizeof *self);
    self->descriptor = -1;
    luaL_setmetatable(L, WRITER);
    status = store_writer_open(self, path);
    return status ? push_reason(L, status) : 1;
}

static store_writer *check_writer(lua_State *L)
{
    store_writer *self = luaL_checkudata(L, 1, WRITER);
    luaL_argcheck(L, self->descriptor >= 0, 1, "the writer is closed");
    luaL_argcheck(L, store_writer_is_own(self), 1, "the writer belongs to another process");
    return self;
}

static store_key check_key(lua_State *L, int argument)
{
    size_t size;
    const char *text = luaL_checklstring(L, argument, &size);
    store_key key = {0, 0};
    luaL_argcheck(L, store_key_read(text, size, &key), argument,
                  "must be 32 lower-case hex digits");
    return key;
}

/* append(key, value): true, or nil and why the line may be lost. */
static int writer_append(lua_State *L)
{
    store_writer *self = check_writer(L);
    store_key key = check_key(L, 2);
    size_t size;
    const char *value = luaL_checklstring(L, 3, &size);
    store_line line;
    luaL_argcheck(L, !memchr(value, '\n', size), 3, "must be one line");
    luaL_argcheck(L, store_value_read(key, value, size, &line) >= STORE_ABOUT, 3,
                  "must be a value of a store, at most 64 MiB without control characters");
    return push_done(L, store_writer_append(self, lua_tostring(L, 2), value, size));
}

/* sync(): true, or nil and why not. */
static int writer_sync(lua_State *L)
{
    return push_done(L, store_writer_sync(check_writer(L)));
}

/* close(): true, or nil and why what was written may be lost. */
static int writer_close(lua_State *L)
{
    store_writer *self = luaL_checkudata(L, 1, WRITER);
    luaL_argcheck(L, self->descriptor < 0 || store_writer_is_own(self), 1,
                  "the writer belongs to another process");
    return push_done(L, store_writer_close(self));
}

static int writer_discard(lua_State *L)
{
    store_writer_close(luaL_checkudata(L, 1, WRITER));
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* (folder): the index, or nil and why not. */
static int core_store_open(lua_State *L)
{
    const char *folder = check_path(L, 1);
    store_index *self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, INDEX);
    if (store_index_open(self, folder) == 0)
        return 1;
    push_failure(L, store_index_message(self));
    store_index_close(self);
    return 2;
}

static store_index *check_index(lua_State *L)
{
    store_index *self = luaL_checkudata(L, 1, INDEX);
    luaL_argcheck(L, self->folder, 1, "the store is closed");
    return self;
}

static int index_close(lua_State *L)
{
    store_index *self = luaL_checkudata(L, 1, INDEX);
    luaL_argcheck(L, self->scans == 0, 1, "the store is being listed");
    store_index_close(self);
    return 0;
}

static int index_gc(lua_State *L)
{
    store_index_close(luaL_checkudata(L, 1, INDEX));
    return 0;
}

/* Returns the name of a file of a store. */
static const char *check_name(lua_State *L, int argument)
{
    const char *name = check_path(L, argument);
    luaL_argcheck(L, store_is_file_name(name), argument, "must be a file's name, NAME.units");
    return name;
}

/* refresh(name): true, or nil and why not. */
static int index_refresh(lua_State *L)
{
    store_index *self = check_index(L);
    const char *name = lua_isnoneornil(L, 2) ? NULL : check_name(L, 2);
    if (store_index_refresh(self, name) != 0)
        return push_failure(L, store_index_message(self));
    return push_done(L, 0);
}

/* get(key): the value and the file's name; nil. */
static int index_get(lua_State *L)
{
    store_index *self = check_index(L);
    store_found found;
    if (!store_index_get(self, check_key(L, 2), &found))
        return 0;
    lua_pushlstring(L, found.value, found.size);
    lua_pushstring(L, found.file);
    return 2;
}

/* state(key): "finished", "failed", nil. */
static int index_state(lua_State *L)
{
    static const char *const words[] = {[STORE_FAILED] = "failed", [STORE_FINISHED] = "finished"};
    lua_pushstring(L, words[store_index_state(check_index(L), check_key(L, 2))]);
    return 1;
}

/* about(file): the value of its first line about others; nil. */
static int index_about(lua_State *L)
{
    store_index *self = check_index(L);
    store_found found;
    if (!store_index_about(self, check_name(L, 2), &found))
        return 0;
    lua_pushlstring(L, found.value, found.size);
    return 1;
}

static int index_counts(lua_State *L)
{
    const store_index *self = check_index(L);
    uint64_t bytes = 0, lines = 0, torn = 0, wrong = 0;
    for (uint32_t i = 0; i < self->file_count; i++) {
        bytes += self->files[i].bytes;
        lines += self->files[i].lines;
        torn += self->files[i].is_torn;
        wrong += self->files[i].wrong;
    }
    lua_createtable(L, 0, 9);
    set_integer(L, "files", self->file_count);
    set_integer(L, "bytes", bytes);
    set_integer(L, "lines", lines);
    set_integer(L, "units", self->kinds[STORE_FINISHED]);
    set_integer(L, "failed", self->kinds[STORE_FAILED]);
    set_integer(L, "duplicates", self->duplicates);
    set_integer(L, "torn", torn);
    set_integer(L, "wrong", wrong);
    set_integer(L, "disagreements", self->disagreements);
    return 1;
}

/* left_out(): which file could not be opened, and why; nil: none. */
static int index_left_out(lua_State *L)
{
    const char *text = store_index_left_out(check_index(L));
    if (text[0] == '\0')
        return 0;
    lua_pushstring(L, text);
    return 1;
}

/* files(): an array, in the order of their names. */
static int index_files(lua_State *L)
{
    const store_index *self = check_index(L);
    lua_newtable(L);
    for (uint32_t i = 0; i < self->file_count; i++) {
        const store_file *file = &self->files[self->order[i]];
        lua_createtable(L, 0, 6);
        set_string(L, "name", file->name);
        set_integer(L, "bytes", file->bytes);
        set_integer(L, "lines", file->lines);
        set_integer(L, "torn", file->is_torn);
        set_integer(L, "wrong", file->wrong);
        set_integer(L, "modified", (uint64_t)file->modified);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static void push_key(lua_State *L, store_key key)
{
    char text[STORE_KEY_SIZE];
    store_key_write(text, key);
    lua_pushlstring(L, text, sizeof text);
}

static void set_digest(lua_State *L, const char *name, uint64_t digest)
{
    char text[DIGEST_SIZE];
    format_digest(text, digest);
    set_string(L, name, text);
}

/* disagreements(most): an array of at most so many. */
static int index_disagreements(lua_State *L)
{
    const store_index *self = check_index(L);
    lua_Integer most = luaL_optinteger(L, 2, STORE_DISAGREEMENTS_MOST);
    luaL_argcheck(L, most >= 0, 2, "must be at least 0");
    most = most < STORE_DISAGREEMENTS_MOST ? most : STORE_DISAGREEMENTS_MOST;
    lua_newtable(L);
    for (lua_Integer i = 0; i < most && (uint64_t)i < self->disagreements; i++) {
        const store_disagreement *found = &self->disagreeing[i];
        lua_createtable(L, 0, 5);
        push_key(L, found->key);
        lua_setfield(L, -2, "key");
        set_string(L, "file", self->files[found->file].name);
        set_string(L, "other", self->files[found->other_file].name);
        set_digest(L, "digest", found->digest);
        set_digest(L, "other_digest", found->other_digest);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* ---- all units ------------------------------------------------------------------------------- */

static int scan_close(lua_State *L)
{
    store_scan_end(luaL_checkudata(L, 1, SCAN));
    return 0;
}

/* Calls f, at argument 2, with the unit of the scan and what stands at `about`. Whether it goes
 * on. */
static int call_with_unit(lua_State *L, const store_scan *scan, int about)
{
    int goes_on;
    lua_pushvalue(L, 2);
    push_key(L, scan->line.key);
    lua_pushlstring(L, scan->line.value, scan->line.value_size);
    lua_pushstring(L, scan->file);
    lua_pushvalue(L, about);
    lua_call(L, 4, 1);
    goes_on = !lua_isboolean(L, -1) || lua_toboolean(L, -1);
    lua_pop(L, 1);
    return goes_on;
}

/* each(f): f(key, value, file, about) of each kept line, until it returns false. True, or nil and
 * why not all. */
static int index_each(lua_State *L)
{
    enum { ABOUT = 4 };
    store_index *self = check_index(L);
    store_scan *scan;
    const char *file = NULL;
    int status;
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    scan = lua_newuserdatauv(L, sizeof *scan, 0);
    memset(scan, 0, sizeof *scan);
    scan->descriptor = -1;
    luaL_setmetatable(L, SCAN);
    lua_toclose(L, 3);
    lua_pushnil(L);
    store_scan_begin(scan, self);
    while ((status = store_scan_next(scan)) > 0) {
        int is_about = scan->line.kind == STORE_ABOUT;
        if (is_about)
            lua_pushlstring(L, scan->line.value, scan->line.value_size);
        else if (scan->file != file)
            lua_pushnil(L);
        if (is_about || scan->file != file)
            lua_replace(L, ABOUT);
        file = scan->file;
        if (!is_about && !call_with_unit(L, scan, ABOUT))
            break;
    }
    return status < 0 ? push_failure(L, store_index_message(self)) : push_done(L, 0);
}

void lstore_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg writer_methods[] = {
        {"append", writer_append}, {"sync", writer_sync}, {"close", writer_close}, {NULL, NULL}};
    static const luaL_Reg writer_metamethods[] = {
        {"__gc", writer_discard}, {"__close", writer_discard}, {NULL, NULL}};
    static const luaL_Reg index_methods[] = {{"refresh", index_refresh},
                                             {"get", index_get},
                                             {"state", index_state},
                                             {"counts", index_counts},
                                             {"disagreements", index_disagreements},
                                             {"files", index_files},
                                             {"left_out", index_left_out},
                                             {"each", index_each},
                                             {"about", index_about},
                                             {NULL, NULL}};
    static const luaL_Reg index_metamethods[] = {
        {"__gc", index_gc}, {"__close", index_close}, {NULL, NULL}};
    static const luaL_Reg scan_metamethods[] = {
        {"__gc", scan_close}, {"__close", scan_close}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"sha256", core_sha256},
                                         {"sha256_file", core_sha256_file},
                                         {"store_writer", core_store_writer},
                                         {"store_open", core_store_open},
                                         {NULL, NULL}};
    lpinion_type(L, WRITER, writer_methods, writer_metamethods);
    lpinion_type(L, INDEX, index_methods, index_metamethods);
    lpinion_type(L, SCAN, none, scan_metamethods);
    luaL_setfuncs(L, functions, 0);
}
