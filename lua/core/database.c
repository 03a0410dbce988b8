/* SQLite data bases in Lua: a new one that is written in one go, and questions to one that is
 * there. A build without SQLite has neither function. */
#define _POSIX_C_SOURCE 200809L
#include "binding.h"

#ifdef PINION_SQLITE

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

#define DATABASE        "pinion.Database"
#define STATEMENTS_MOST 8

typedef struct database {
    sqlite3 *handle;
    sqlite3_stmt *statements[STATEMENTS_MOST];
    int count;
} database;

static database *check_database(lua_State *L)
{
    database *self = luaL_checkudata(L, 1, DATABASE);
    luaL_argcheck(L, self->handle, 1, "the database is closed");
    return self;
}

/* Pushes nil and why not: what the system says where it is the system's doing. */
static int push_why(lua_State *L, sqlite3 *handle)
{
    int code = handle ? sqlite3_errcode(handle) : SQLITE_NOMEM;
    int is_system = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
    int cause = is_system ? sqlite3_system_errno(handle) : code == SQLITE_FULL ? ENOSPC : 0;
    return push_failure(L, cause    ? strerror(cause)
                           : handle ? sqlite3_errmsg(handle)
                                    : sqlite3_errstr(code));
}

static int push_done(lua_State *L, const database *self, int status)
{
    if (status != SQLITE_OK)
        return push_why(L, self->handle);
    lua_pushboolean(L, 1);
    return 1;
}

static int database_close(lua_State *L)
{
    database *self = luaL_checkudata(L, 1, DATABASE);
    for (int i = 0; i < self->count; i++)
        sqlite3_finalize(self->statements[i]);
    sqlite3_close(self->handle);
    memset(self, 0, sizeof *self);
    return 0;
}

/* Opens the file without locks, which not every file system has: no other process opens a file
 * that is being written. SQLITE_OK, or what failed, of which the handle knows more. */
static int open_file(database *self, const char *path, int flags)
{
    return sqlite3_open_v2(path, &self->handle, flags, "unix-none");
}

static database *push_database(lua_State *L)
{
    database *self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, DATABASE);
    return self;
}

/* (path of an empty file): the data base, or nil and why not. */
static int core_database(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    database *self = push_database(L);
    int status = open_file(self, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    return status == SQLITE_OK ? 1 : push_why(L, self->handle);
}

/* (sql): runs statements; true, or nil and why not. */
static int database_execute(lua_State *L)
{
    const database *self = check_database(L);
    return push_done(L, self, sqlite3_exec(self->handle, luaL_checkstring(L, 2), NULL, NULL, NULL));
}

/* (sql): the number of a statement for `insert`, or nil and why not. */
static int database_prepare(lua_State *L)
{
    database *self = check_database(L);
    const char *sql = luaL_checkstring(L, 2);
    luaL_argcheck(L, self->count < STATEMENTS_MOST, 2, "too many statements");
    if (sqlite3_prepare_v2(self->handle, sql, -1, &self->statements[self->count], NULL))
        return push_why(L, self->handle);
    self->count++;
    lua_pushinteger(L, self->count);
    return 1;
}

/* Binds the value at this index of the stack, where it stays while the statement runs. */
static int bind(lua_State *L, sqlite3_stmt *statement, int place, int index)
{
    size_t size;
    const char *text;
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
        return sqlite3_bind_int(statement, place, lua_toboolean(L, index));
    case LUA_TNUMBER:
        return lua_isinteger(L, index)
                   ? sqlite3_bind_int64(statement, place, lua_tointeger(L, index))
                   : sqlite3_bind_double(statement, place, lua_tonumber(L, index));
    case LUA_TSTRING:
        text = lua_tolstring(L, index, &size);
        return sqlite3_bind_text64(statement, place, text, size, SQLITE_STATIC, SQLITE_UTF8);
    default: /* nil, and null of JSON */
        return sqlite3_bind_null(statement, place);
    }
}

/* (statement, value, …): one row; what is missing is NULL. true, or nil and why not. */
static int database_insert(lua_State *L)
{
    const database *self = check_database(L);
    lua_Integer number = luaL_checkinteger(L, 2);
    sqlite3_stmt *statement;
    int places, status = SQLITE_OK;
    luaL_argcheck(L, 1 <= number && number <= self->count, 2, "no statement of this number");
    statement = self->statements[number - 1];
    places = sqlite3_bind_parameter_count(statement);
    for (int place = 1; place <= places && status == SQLITE_OK; place++)
        status = bind(L, statement, place, place + 2);
    if (status == SQLITE_OK) {
        sqlite3_step(statement);
        status = sqlite3_reset(statement);
    }
    return push_done(L, self, status);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void push_column(lua_State *L, sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        lua_pushinteger(L, sqlite3_column_int64(statement, column));
        break;
    case SQLITE_FLOAT:
        lua_pushnumber(L, sqlite3_column_double(statement, column));
        break;
    case SQLITE_NULL:
        lua_pushboolean(L, 0);
        break;
    default: {
        const char *text = (const char *)sqlite3_column_text(statement, column);
        lua_pushlstring(L, text ? text : "", (size_t)sqlite3_column_bytes(statement, column));
    }
    }
}

/* (path, sql): the rows that the question gives, as arrays, with false for NULL; or nil and why
 * there are none. */
static int core_database_rows(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1), *sql = luaL_checkstring(L, 2);
    database *self = push_database(L);
    int status = open_file(self, path, SQLITE_OPEN_READONLY);
    if (status == SQLITE_OK)
        status = sqlite3_prepare_v2(self->handle, sql, -1, &self->statements[0], NULL);
    if (status != SQLITE_OK)
        return push_why(L, self->handle);
    self->count = 1; /* closed with the data base */
    lua_newtable(L);
    while ((status = sqlite3_step(self->statements[0])) == SQLITE_ROW) {
        int columns = sqlite3_column_count(self->statements[0]);
        lua_createtable(L, columns, 0);
        for (int column = 0; column < columns; column++) {
            push_column(L, self->statements[0], column);
            lua_rawseti(L, -2, column + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    return status == SQLITE_DONE ? 1 : push_why(L, self->handle);
}

void ldatabase_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"execute", database_execute},
                                       {"prepare", database_prepare},
                                       {"insert", database_insert},
                                       {"close", database_close},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", database_close}, {"__close", database_close}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"database", core_database}, {"database_rows", core_database_rows}, {NULL, NULL}};
    lpinion_type(L, DATABASE, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}

#else

void ldatabase_open(lua_State *L)
{
    (void)L;
}

#endif
