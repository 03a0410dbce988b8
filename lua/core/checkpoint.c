/* The userdata "pinion.Checkpoint", and what ties a checkpoint to its machine, its jobs and its
 * files. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "model.h"

#define CHECKPOINT "pinion.Checkpoint"

checkpoint *field_checkpoint(lua_State *L, int table, const char *name)
{
    checkpoint *self = NULL;
    if (lua_getfield(L, table, name) != LUA_TNIL) {
        self = luaL_testudata(L, -1, CHECKPOINT);
        /* A run takes the parts out: the same one cannot be gone on from twice. */
        if (!self || !self->parts[CHECKPOINT_BLOCK])
            luaL_argerror(
                L, table,
                lua_pushfstring(L, "%s: must be a " CHECKPOINT " that no run has taken", name));
    }
    lua_pop(L, 1);
    return self;
}

static int checkpoint_gc(lua_State *L)
{
    checkpoint_free(luaL_checkudata(L, 1, CHECKPOINT));
    return 0;
}

/* The path's checkpoint and its first line; nil and what is wrong with it. */
static int core_checkpoint_read(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    char message[CHECKPOINT_MESSAGE_SIZE];
    checkpoint *self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, CHECKPOINT);
    if (!checkpoint_read(self, path, message))
        return push_failure(L, message);
    lua_pushstring(L, self->line);
    return 2;
}

static int core_checkpoint_may_replace(lua_State *L)
{
    char message[CHECKPOINT_MESSAGE_SIZE];
    if (!checkpoint_may_replace(luaL_checkstring(L, 1), message))
        return push_failure(L, message);
    lua_pushboolean(L, 1);
    return 1;
}

/* Whether there is a file of this name, whatever it is. */
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

/* Blocks and rows are memory as it lies here: byte order, width, and the shape of every table of a
 * small block. */
static int core_checkpoint_abi(lua_State *L)
{
    const uint16_t probe = 1;
    uint64_t shape = PN_MIX_START;
    unsigned char first;
    char text[80];
    memcpy(&first, &probe, 1);
    for (const core_model *const *model = core_models; *model; model++)
        if ((*model)->block_size)
            shape = pn_mix(shape, (*model)->state_size);
    for (const core_model *const *model = core_models; *model; model++)
        if ((*model)->block_size)
            shape = pn_mix(pn_mix(shape, rows_stride((*model)->run->rows)), (*model)->block_size());
    snprintf(text, sizeof text, "%s-endian, %zu bits, layout %08lx", first ? "little" : "big",
             8 * sizeof(void *), (unsigned long)(shape >> 32));
    lua_pushstring(L, text);
    return 1;
}

/* The hash of the jobs alone, without machines and policy; nil and why not. */
static int core_jobs_hash(lua_State *L)
{
    uint64_t hash = PN_MIX_START;
    char text[DIGEST_SIZE];
    source *work = field_any_workload(L, 1);
    int answer = core_models[work->model]->hash->jobs(&hash, work);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    format_digest(text, hash);
    lua_pushstring(L, text);
    return 1;
}

/* Bytes of a file and their hash; nil and why not. */
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

void lcheckpoint_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", checkpoint_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"checkpoint_read", core_checkpoint_read},
                                         {"checkpoint_may_replace", core_checkpoint_may_replace},
                                         {"checkpoint_abi", core_checkpoint_abi},
                                         {"jobs_hash", core_jobs_hash},
                                         {"file_fingerprint", core_file_fingerprint},
                                         {"file_exists", core_file_exists},
                                         {"directory", core_directory},
                                         {NULL, NULL}};
    lpinion_type(L, CHECKPOINT, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
