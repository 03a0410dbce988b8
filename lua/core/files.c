/* Files in Lua: lines of plain and gzip'ed ones, outputs that appear whole or not at all, which
 * paths lead to one file, and what is in it; and the texts inside the program. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/gz_lines.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "binding.h"
#include "embedded.h"

#define LINES  "pinion.Lines"
#define OUTPUT "pinion.Output"

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct lines_box {
    gz_lines lines;
    char message[GZ_MESSAGE_SIZE];
    char path[1]; /* as long as it is */
} lines_box;

static int lines_close(lua_State *L)
{
    lines_box *box = luaL_checkudata(L, 1, LINES);
    gz_lines_close(&box->lines);
    return 0;
}

/* (path): a function-like value that gives the file's lines, or nil and a message. */
static int lines_open(lua_State *L)
{
    size_t size;
    const char *path = luaL_checklstring(L, 1, &size);
    lines_box *box = lua_newuserdatauv(L, sizeof *box + size, 0);
    memcpy(box->path, path, size + 1);
    box->lines.path = box->path;
    box->lines.message = box->message;
    box->lines.longest = 0;
    box->lines.file = NULL;
    box->lines.buffer = NULL;
    box->lines.progress = (progress){.enabled = 0};
    luaL_setmetatable(L, LINES);
    return gz_lines_open(&box->lines) > 0 ? 1 : push_failure(L, box->message);
}

/* Pushes the next line and its number; nothing at the end of the file; or nil and a message. */
static int lines_next(lua_State *L)
{
    lines_box *box = luaL_checkudata(L, 1, LINES);
    char *line;
    int status;
    luaL_argcheck(L, box->lines.file, 1, "the file is closed");
    status = gz_lines_next(&box->lines, &line);
    if (status < 0)
        return push_failure(L, box->message);
    if (status == 0)
        return 0;
    lua_pushlstring(L, line, box->lines.size);
    lua_pushinteger(L, (lua_Integer)box->lines.line);
    return 2;
}

/* ---- outputs --------------------------------------------------------------------------------- */

static int push_error(lua_State *L, int status)
{
    return push_failure(L, strerror(status));
}

static output *check_open(lua_State *L)
{
    output *self = luaL_checkudata(L, 1, OUTPUT);
    luaL_argcheck(L, self->file, 1, "the file is closed");
    return self;
}

/* (path): the file, or nil and why not. */
static int core_output(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    output *self = lua_newuserdatauv(L, sizeof *self, 0);
    int status;
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, OUTPUT);
    status = output_open(self, path);
    status = status ? status : output_empty(self);
    return status ? push_error(L, status) : 1;
}

static int push_done(lua_State *L, int status)
{
    if (status)
        return push_error(L, status);
    lua_pushboolean(L, 1);
    return 1;
}

/* (path): true, or nil and why it cannot be written. */
static int core_output_check(lua_State *L)
{
    return push_done(L, output_check(luaL_checkstring(L, 1)));
}

/* (text): true, or nil and why not. */
static int write_text(lua_State *L)
{
    output *self = check_open(L);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    return push_done(L, output_write(self, text, size));
}

/* Pushes where another program may write the file's bytes before it is committed. */
static int path_of(lua_State *L)
{
    const output *self = check_open(L);
    lua_pushstring(L, self->beside ? self->beside : self->target);
    return 1;
}

static int commit(lua_State *L)
{
    return push_done(L, output_commit(check_open(L)));
}

static int discard(lua_State *L)
{
    output_discard(luaL_checkudata(L, 1, OUTPUT));
    return 0;
}

/* ---- any file -------------------------------------------------------------------------------- */

/* (path, or the number of an open descriptor): a text that is equal for paths that lead to one
 * plain file; nil for what is none. */
static int core_file_identity(lua_State *L)
{
    char text[OUTPUT_IDENTITY_SIZE];
    int is_number = lua_isinteger(L, 1);
    int status = is_number ? output_identity_of((int)lua_tointeger(L, 1), text)
                           : output_identity(luaL_checkstring(L, 1), text);
    if (status || text[0] == '\0')
        return 0;
    lua_pushstring(L, text);
    return 1;
}

/* Pushes whether there is a file of this name, whatever it is. */
static int core_file_exists(lua_State *L)
{
    lua_pushboolean(L, access(luaL_checkstring(L, 1), F_OK) == 0 || errno != ENOENT);
    return 1;
}

static int core_directory(lua_State *L)
{
    char path[4096];
    if (!getcwd(path, sizeof path))
        return push_failure(L, strerror(errno));
    lua_pushstring(L, path);
    return 1;
}

/* Pushes the bytes of a file and their hash; nil and why not. */
static int core_file_fingerprint(lua_State *L)
{
    FILE *file = fopen(luaL_checkstring(L, 1), "rb");
    uint64_t hash = PN_MIX_START, bytes = 0;
    char text[DIGEST_SIZE];
    unsigned char chunk[16384];
    size_t read;
    int broken;
    if (!file)
        return push_failure(L, strerror(errno));
    errno = 0;
    while ((read = fread(chunk, 1, sizeof chunk, file)) > 0 && !interrupt_pending()) {
        for (size_t i = 0; i < read; i++)
            hash = pn_mix(hash, chunk[i]);
        bytes += read;
    }
    broken = ferror(file);
    fclose(file);
    if (broken || read > 0)
        return push_failure(L, broken ? strerror(errno ? errno : EIO) : "interrupted");
    format_digest(text, hash);
    lua_pushinteger(L, (lua_Integer)bytes);
    lua_pushstring(L, text);
    return 2;
}

/* Pushes the hash of a text, as that of a file that holds it. */
static int core_text_fingerprint(lua_State *L)
{
    size_t size;
    const char *bytes = luaL_checklstring(L, 1, &size);
    uint64_t hash = PN_MIX_START;
    char text[DIGEST_SIZE];
    for (size_t i = 0; i < size; i++)
        hash = pn_mix(hash, (unsigned char)bytes[i]);
    format_digest(text, hash);
    lua_pushstring(L, text);
    return 1;
}

/* (name): a text of pages, see lua/page; nil when there is none of this name. */
static int core_asset(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const embedded_file *file = embedded_assets;
    while (file->name && strcmp(file->name, name) != 0)
        file++;
    if (!file->name)
        return 0;
    lua_pushlstring(L, (const char *)file->bytes, file->size);
    return 1;
}

/* (path): true, or nil and why there is no such folder. Makes those above it, too. */
static int core_make_folder(lua_State *L)
{
    size_t size;
    const char *given = luaL_checklstring(L, 1, &size);
    char *path = lua_newuserdatauv(L, size + 1, 0);
    struct stat found;
    memcpy(path, given, size + 1);
    for (size_t i = 1; i <= size; i++)
        if (path[i] == '/' || path[i] == '\0') {
            path[i] = '\0';
            int cause = mkdir(path, 0777) != 0 ? errno : 0;
            if (cause && cause != EEXIST && stat(path, &found) != 0)
                return push_failure(L, strerror(cause));
            path[i] = given[i];
        }
    if (stat(path, &found) != 0)
        return push_failure(L, strerror(errno));
    if (!S_ISDIR(found.st_mode))
        return push_failure(L, "is not a folder");
    lua_pushboolean(L, 1);
    return 1;
}

void lfiles_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg lines_metamethods[] = {
        {"__gc", lines_close}, {"__close", lines_close}, {"__call", lines_next}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"write", write_text},
                                       {"path", path_of},
                                       {"commit", commit},
                                       {"discard", discard},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", discard}, {"__close", discard}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"gz_lines", lines_open},
                                         {"output", core_output},
                                         {"output_check", core_output_check},
                                         {"file_identity", core_file_identity},
                                         {"file_exists", core_file_exists},
                                         {"file_fingerprint", core_file_fingerprint},
                                         {"text_fingerprint", core_text_fingerprint},
                                         {"directory", core_directory},
                                         {"asset", core_asset},
                                         {"make_folder", core_make_folder},
                                         {NULL, NULL}};
    lpinion_type(L, LINES, none, lines_metamethods);
    lpinion_type(L, OUTPUT, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
