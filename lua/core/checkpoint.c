/* The userdata "pinion.Checkpoint", and what ties a checkpoint to its machine, its jobs and its
 * files. */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define CHECKPOINT "pinion.Checkpoint"

checkpoint *field_checkpoint(lua_State *L, int table, const char *name)
{
    checkpoint *self = NULL;
    if (lua_getfield(L, table, name) != LUA_TNIL) {
        self = luaL_testudata(L, -1, CHECKPOINT);
        /* A run takes the parts out: no two runs resume from the same one. */
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

/* Pushes the path's checkpoint and its first line; nil and what is wrong with it. */
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

/* Pushes the layout: blocks and rows are memory as it lies here: byte order, width, and the shape
 * of every table of a small block. */
static int core_checkpoint_abi(lua_State *L)
{
    const uint16_t probe = 1;
    uint64_t shape = PN_MIX_START;
    unsigned char first;
    char text[80];
    memcpy(&first, &probe, 1);
    for (const core_model *const *model = core_models; *model; model++)
        if ((*model)->block_size)
            shape = pn_mix(shape, (*model)->run->model->state_bytes);
    for (const core_model *const *model = core_models; *model; model++)
        if ((*model)->block_size)
            shape = pn_mix(pn_mix(shape, rows_bytes((*model)->run->rows, 0)),
                           (*model)->block_size());
    snprintf(text, sizeof text, "%s-endian, %zu bits, layout %08lx", first ? "little" : "big",
             8 * sizeof(void *), (unsigned long)(shape >> 32));
    lua_pushstring(L, text);
    return 1;
}

/* Pushes the hash of the jobs alone, without machines and policy; nil and why not. */
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

void lcheckpoint_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", checkpoint_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"checkpoint_read", core_checkpoint_read},
                                         {"checkpoint_may_replace", core_checkpoint_may_replace},
                                         {"checkpoint_abi", core_checkpoint_abi},
                                         {"jobs_hash", core_jobs_hash},
                                         {NULL, NULL}};
    lpinion_type(L, CHECKPOINT, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
