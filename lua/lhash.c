/* The hash that ties a decision log to its scenario: machines, reduces, policy with its parameters, and every job. */
#include <string.h>

#include "interrupt.h"
#include "lpinion.h"

static uint64_t hash_text(uint64_t hash, const char *text)
{
    size_t size = strlen(text);
    hash = pn_mix(hash, size);
    for (size_t i = 0; i < size; i++)
        hash = pn_mix(hash, (unsigned char)text[i]);
    return hash;
}

int hash_jobs(uint64_t *hash, source *work)
{
    uint64_t h = *hash, count = 0;
    pn_slotted_job job;
    int answer;
    work->rewind(work);
    while ((answer = work->next(work, &job)) == SOURCE_JOB) {
        uint64_t tasks = 0;
        if ((++count & 0xFFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        h = pn_mix(h, job.arrival);
        h = pn_mix(h, job.maps);
        for (size_t i = 0; i < job.reduce_count; i++) {
            if (job.reduces[i] > 0) {
                h = pn_mix(h, job.reduces[i]);
                tasks++;
            }
        }
        h = pn_mix(h, tasks);
        h = pn_mix(h, job.estimate_maps);
        h = pn_mix(h, job.estimate_reduces);
        h = pn_mix(h, job.group);
    }
    *hash = pn_mix(h, count);
    return answer;
}

int hash_scenario(uint64_t *hash, source *work, uint32_t machines, uint32_t reduce, const pn_slotted_policy *policy,
                  const int64_t *params)
{
    uint64_t h = hash_text(PN_MIX_START, "slotted");
    h = pn_mix(h, machines);
    h = pn_mix(h, reduce);
    h = hash_text(h, policy->name);
    for (uint8_t i = 0; i < policy->param_count; i++)
        h = pn_mix(h, (uint64_t)params[i]);
    *hash = h;
    return hash_jobs(hash, work);
}

/* All parameters of a policy whose file is not at hand, in the order of their names: they are in the table at `table`. Null, or
 * what is wrong. */
static const char *read_scripted_params(lua_State *L, int table, pn_slotted_policy *policy, int64_t params[PN_PARAMS_MAX])
{
    const char *names[PN_PARAMS_MAX];
    luaL_checktype(L, table, LUA_TTABLE);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        uint8_t at = policy->param_count++;
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (at == PN_PARAMS_MAX || !name || lua_type(L, -1) != LUA_TNUMBER)
            return "more parameters than a policy has, or one that is no number";
        for (; at > 0 && strcmp(names[at - 1], name) > 0; at--) {
            names[at] = names[at - 1];
            params[at] = params[at - 1];
        }
        names[at] = name;
        params[at] = lua_isinteger(L, -1) ? (int64_t)lua_tointeger(L, -1) : pn_lua_float(lua_tonumber(L, -1));
        lua_pop(L, 1);
    }
    return NULL;
}

static int scenario_hash(lua_State *L)
{
    source *work = field_workload(L, 1);
    uint32_t machines = (uint32_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24);
    uint32_t reduce = field_reduce(L, 1);
    const char *name = field_string(L, 1, "policy");
    const pn_slotted_policy *policy = pn_slotted_policy_find(name);
    pn_slotted_policy scripted = {.name = name};
    int64_t params[PN_PARAMS_MAX];
    char text[DIGEST_SIZE];
    const char *fault;
    uint64_t hash;
    int answer;
    lua_getfield(L, 1, "params");
    if (field_boolean(L, 1, "lua")) {
        policy = &scripted;
        fault = read_scripted_params(L, lua_gettop(L), &scripted, params);
    } else if (!policy) {
        fault = lua_pushfstring(L, "no policy is called %s", name);
    } else {
        fault = read_params(L, lua_gettop(L), policy, params);
    }
    if (fault)
        return push_failure(L, fault);
    answer = hash_scenario(&hash, work, machines, reduce, policy, params);
    if (answer != SOURCE_END)
        return push_failure(L, source_stopped(work, answer));
    format_digest(text, hash);
    lua_pushstring(L, text);
    return 1;
}

void lhash_open(lua_State *L)
{
    static const luaL_Reg functions[] = {{"scenario_hash", scenario_hash}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
