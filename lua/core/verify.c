/* Replays a decision log through the kernel's checker, line by line. Reading is strict: a log is a
 * proof, and what no rule allows in it is a fault. */
#define _POSIX_C_SOURCE 200809L
#include "verify.h"
#include "json_memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"

#define VERIFY "pinion.Verify"

static int verify_gc(lua_State *L)
{
    verify *self = luaL_checkudata(L, 1, VERIFY);
    log_reader_close(&self->reader);
    json_decref(self->entry);
    self->entry = NULL;
    self->model->free(self);
    free(self->block);
    self->block = NULL;
    return 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

int verify_reject(verify *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->fault, sizeof self->fault, format, arguments);
    va_end(arguments);
    return 0;
}

/* Rejects: the file has ended, or could not be read. */
static int reject_end(verify *self, int status, const char *what)
{
    if (status == 0) {
        self->line++;
        return verify_reject(self, "%s", what);
    }
    return verify_reject(self, "%s", log_reader_fault(&self->reader));
}

/* Reads the first line into self->entry. 0 with a fault. */
static int read_first(verify *self)
{
    json_error_t error;
    char *line;
    int status = log_reader_line(&self->reader, &line);
    if (status <= 0)
        return reject_end(self, status, "the log is empty (expected its first line)");
    self->line = 1;
    self->entry = json_memory_loadb(line, self->reader.lines.size, JSON_REJECT_DUPLICATES, &error);
    if (!self->entry && json_error_code(&error) == json_error_out_of_memory)
        return verify_reject(self, "not enough memory to read it");
    if (!self->entry)
        return verify_reject(self, "not valid JSON: %.100s (expected one JSON object)", error.text);
    return json_is_object(self->entry)
               ? 1
               : verify_reject(self, "not an object (expected one JSON object)");
}

int verify_integer(verify *self, const char *name, json_int_t low, uint64_t *value)
{
    const json_t *field = json_object_get(self->entry, name);
    if (!field)
        return verify_reject(self, "field \"%s\" is missing", name);
    if (!json_is_integer(field) || json_integer_value(field) < low ||
        (uint64_t)json_integer_value(field) > PN_INTEGER_MAX)
        return verify_reject(self, "field \"%s\": expected an integer in %lld..2^53", name,
                             (long long)low);
    *value = (uint64_t)json_integer_value(field);
    return 1;
}

int verify_small(verify *self, const char *name, json_int_t low, uint32_t most, uint32_t *value)
{
    uint64_t number;
    if (!verify_integer(self, name, low, &number))
        return 0;
    *value = (uint32_t)number;
    return number <= most ? 1
                          : verify_reject(self, "field \"%s\": expected at most %lu", name,
                                          (unsigned long)most);
}

int verify_has(const verify *self, const char *name)
{
    return json_object_get(self->entry, name) != NULL;
}

int verify_true(verify *self, const char *name)
{
    return json_is_true(json_object_get(self->entry, name))
               ? 1
               : verify_reject(self, "field \"%s\": expected true", name);
}

const char *verify_string(verify *self, const char *name)
{
    const json_t *field = json_object_get(self->entry, name);
    if (!json_is_string(field))
        verify_reject(self, field ? "field \"%s\": expected a string" : "field \"%s\" is missing",
                      name);
    return json_string_value(field); /* null unless a string */
}

/* Reads 16 lower-case hex digits. */
static int entry_digest(verify *self, const char *name, uint64_t *digest)
{
    const char *text = verify_string(self, name);
    if (!text)
        return 0;
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return verify_reject(self, "field \"%s\": expected 16 hex digits", name);
    *digest = strtoull(text, NULL, 16);
    return 1;
}

uint64_t verify_not_handed_over(const verify *self, uint64_t until, uint64_t most,
                                uint64_t (*arrival)(const verify *self, size_t job))
{
    uint64_t end = most > 0 && most < until ? most : until, count = 0;
    if (self->work->count != SOURCE_UNKNOWN)
        return 0;
    for (size_t i = 0; i < self->jobs; i++)
        count += arrival(self, i) >= end;
    return count;
}

const char *verify_unknown(json_t *object, const char *const *names)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        int known = 0;
        for (int i = 0; names[i]; i++)
            known |= strcmp(names[i], json_object_iter_key(at)) == 0;
        if (!known)
            return json_object_iter_key(at);
    }
    return NULL;
}

/* ---- all lines but the first ----------------------------------------------------------------- */

/* Checks that nothing follows the last line. */
static int check_end(verify *self)
{
    char *line;
    int status = log_reader_line(&self->reader, &line);
    self->line = self->reader.lines.line;
    if (status < 0)
        return reject_end(self, status, NULL);
    return status == 0 ? 1
                       : verify_reject(self, "something follows the last line (expected the end of "
                                             "the log)");
}

/* Pushes the time that the last line names; 0 with a fault. */
static int replay(lua_State *L, verify *self)
{
    for (;;) {
        int status = log_reader_next(&self->reader);
        self->line = self->reader.lines.line;
        if (status <= 0)
            return reject_end(
                self, status,
                "the log ends without its last line (expected \"end\" and \"digest\")");
        if (self->reader.event.number == LOG_LAST)
            return self->model->last(L, self) && check_end(self);
        if (!self->model->entry(self))
            return 0;
    }
}

/* ---- the first line -------------------------------------------------------------------------- */

/* Pushes a parameter's value; 0 when it is none. */
static int push_param(lua_State *L, const verify *self, const json_t *value)
{
    json_type type = json_typeof(value);
    if (!self->model->choices && type != JSON_INTEGER && type != JSON_REAL)
        return 0;
    switch (type) {
    case JSON_INTEGER:
        lua_pushinteger(L, json_integer_value(value));
        return 1;
    case JSON_REAL:
        lua_pushnumber(L, json_real_value(value));
        return 1;
    case JSON_TRUE:
    case JSON_FALSE:
        lua_pushboolean(L, type == JSON_TRUE);
        return 1;
    case JSON_STRING:
        lua_pushstring(L, json_string_value(value));
        return 1;
    default:
        return 0;
    }
}

/* Pushes the table of the policy's parameters; 0 with a fault. */
static int push_params(lua_State *L, verify *self)
{
    json_t *params = json_object_get(self->entry, "params");
    lua_newtable(L);
    if (params && !json_is_object(params))
        return verify_reject(self, "field \"params\": expected an object");
    for (void *at = json_object_iter(params); at; at = json_object_iter_next(params, at)) {
        if (!push_param(L, self, json_object_iter_value(at)))
            return verify_reject(self, "field \"params.%.40s\": expected a number%s",
                                 json_object_iter_key(at),
                                 self->model->choices ? ", a word, true or false" : "");
        lua_setfield(L, -2, json_object_iter_key(at));
    }
    return 1;
}

/* Returns whether it is work-conserving. A policy written in Lua is known by what the log says of
 * it. */
int verify_work_conserving(verify *self, const json_t *promises)
{
    const json_t *promise = json_object_get(promises, "work_conserving");
    if (!json_is_object(promises) || json_object_size(promises) != 1 || !json_is_boolean(promise))
        return verify_reject(self, "field \"lua\": expected {\"work_conserving\":true} or false");
    self->work_conserving = json_is_true(promise);
    return 1;
}

/* Compares the log's scenario to the given one, unless the log names none. Another one is noted:
 * how far the log fits says more. The policy's name is at `params` - 1, the parameters above it. 0
 * with a fault. */
static int compare_scenario(lua_State *L, verify *self, int params, int scripted)
{
    const char *hash;
    if (self->measured && !verify_has(self, "scenario"))
        return 1;
    lua_getfield(L, 1, "hash_of");
    lua_pushvalue(L, params - 1);
    lua_pushvalue(L, params);
    lua_pushboolean(L, scripted);
    if (self->model->push_rules)
        self->model->push_rules(L, self);
    else
        lua_pushnil(L);
    lua_call(L, 4, 2);
    hash = lua_tostring(L, -2);
    if (!hash)
        return verify_reject(
            self, "%.300s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "the scenario has no hash");
    if (!verify_compare(self))
        return 0;
    if (self->differs[0] != '\0')
        return verify_reject(self, "the log belongs to another scenario: %s", self->differs);
    if (strcmp(hash, verify_string(self, "scenario")) != 0)
        snprintf(self->other, sizeof self->other,
                 "the log belongs to scenario %.40s (expected %.40s)",
                 verify_string(self, "scenario"), hash);
    return 1;
}

/* Reads whether there is a hash of the scenario, or none is needed, and it is one. */
static int read_scenario(verify *self)
{
    uint64_t hash;
    self->measured = (uint32_t)verify_has(self, "measured");
    if (self->measured && !verify_true(self, "measured"))
        return 0;
    return (self->measured && !verify_has(self, "scenario")) ||
           entry_digest(self, "scenario", &hash);
}

/* Returns whether a parameter is one of the policy, or a rule of the model. */
static int is_param(const core_model *core, const pn_policy_about *policy, const char *name)
{
    model_rule rule;
    for (uint8_t i = 0; i < policy->param_count; i++)
        if (strcmp(policy->params[i].name, name) == 0)
            return 1;
    for (uint32_t rank = 1; core->rules && rule_at(core->rules, rank, &rule); rank++)
        if (strcmp(rule.setting->rule->name, name) == 0)
            return 1;
    return 0;
}

int verify_params(lua_State *L, verify *self, const void *policy, double values[])
{
    const pn_policy_about info = self->core->kernel()->policy_about(policy);
    json_t *params = json_object_get(self->entry, "params");
    for (void *at = json_object_iter(params); at; at = json_object_iter_next(params, at))
        if (!is_param(self->core, &info, json_object_iter_key(at)))
            return verify_reject(self, "field \"params.%.40s\": policy %s has no such parameter",
                                 json_object_iter_key(at), info.name);
    const char *fault = core_read_params(L, lua_gettop(L), self->core, policy, values);
    return fault ? verify_reject(self, "%.300s", fault) : 1;
}

/* Reads the policy; the table of its parameters is on top of the stack. 0 with a fault. */
static int read_policy(lua_State *L, verify *self, const char *name, int scripted)
{
    const void *policy = scripted ? NULL : core_policy_find(self->core, name);
    if (!scripted && !policy)
        return verify_reject(self, "a log of policy %.40s, which does not exist", name);
    return self->model->policy(L, self, policy);
}

/* Pushes the policy's name. 0 with a fault. */
static int read_header(lua_State *L, verify *self)
{
    const char *name, *model;
    const json_t *promises;
    uint64_t version;
    int params;
    if (!read_first(self))
        return 0;
    name = verify_unknown(self->entry, self->model->header);
    if (name)
        return verify_reject(self, "unknown field \"%.40s\"", name);
    if (!verify_integer(self, "pinion_log", 0, &version))
        return 0;
    model = verify_string(self, "model");
    name = verify_string(self, "policy");
    if (!model || !name || !read_scenario(self))
        return 0;
    lua_pushstring(L, name); /* the result, as the line does not last */
    params = lua_gettop(L) + 1;
    if (!push_params(L, self))
        return 0;
    if (version != 1)
        return verify_reject(self, "a log of version %llu (expected 1)",
                             (unsigned long long)version);
    if (strcmp(model, self->core->name) != 0)
        return verify_reject(self, "a log of model %.40s (expected %s)", model, self->core->name);
    promises = json_object_get(self->entry, "lua");
    if (promises && !self->model->promise(self, promises))
        return 0;
    if (!read_policy(L, self, name, promises != NULL))
        return 0;
    lua_settop(L, params);
    if (!compare_scenario(L, self, params, promises != NULL))
        return 0;
    lua_settop(L, params - 1);
    return 1;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static const char *kind_of_fault(void)
{
    return interrupt_pending() ? "interrupted" : "run";
}

static int fail(lua_State *L, const verify *self)
{
    lua_pushnil(L);
    lua_pushfstring(L, "%s:%I: %s", self->path, (LUAI_UACINT)self->line, self->fault);
    lua_pushstring(L, kind_of_fault());
    return 3;
}

static int fail_early(lua_State *L, const char *kind, const char *message)
{
    lua_pushnil(L);
    lua_pushstring(L, message);
    lua_pushstring(L, kind);
    return 3;
}

static int start_checker(verify *self)
{
    size_t size = self->model->checker_size(self);
    self->block = size ? malloc(size) : NULL;
    return self->block && self->model->start(self, size) == PN_OK;
}

/* Fails: a log of another scenario: says where it does not fit this one. `fits`: 1 when all of it
 * does. */
static int fail_other(lua_State *L, verify *self, int fits)
{
    char why[sizeof self->fault];
    snprintf(why, sizeof why, "%s", self->fault);
    if (fits)
        verify_reject(self,
                      "%s: all lines fit the given one, so what differs is not in the log "
                      "(compared are jobs, settings, the policy and its parameters)",
                      self->other);
    else
        verify_reject(self, "%s: of the given one, line %llu would be wrong: %.300s", self->other,
                      (unsigned long long)self->line, why);
    self->line = 1;
    return fail(L, self);
}

/* Pushes the summary. The policy's name is on the stack, the end above it. */
static int push_summary(lua_State *L, const verify *self)
{
    char text[DIGEST_SIZE];
    int end = lua_gettop(L);
    lua_createtable(L, 0, 6);
    lua_pushvalue(L, end - 1);
    lua_setfield(L, -2, "policy");
    lua_pushvalue(L, end);
    lua_setfield(L, -2, self->model->end);
    set_integer(L, "decisions", self->decisions);
    set_integer(L, "jobs", self->jobs);
    set_integer(L, "unfinished", self->unfinished);
    set_boolean(L, "measured", self->measured != 0);
    format_digest(text, self->digest);
    set_string(L, "digest", text);
    return 1;
}

int core_verify(lua_State *L)
{
    const core_model *core = core_model_of(L);
    const verify_model *model = core->verify;
    verify *self;
    int answer;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    self = lua_newuserdatauv(L, model->size, 0); /* index 2 */
    memset(self, 0, model->size);
    self->core = core;
    self->model = model;
    luaL_setmetatable(L, VERIFY);
    self->work = field_workload(L, 1, core);
    model->read(L, self);
    lua_getfield(L, 1, "hash_of");
    luaL_argcheck(L, lua_isfunction(L, -1), 1, "hash_of: must be a function");
    lua_pop(L, 1);
    self->path = field_string(L, 1, "log");
    if (log_reader_open(&self->reader, self->path, model->kinds) < 0)
        return fail_early(L, "usage", self->reader.message);
    if (!read_header(L, self))
        return fail(L, self);
    answer = model->collect(self);
    if (answer != SOURCE_END)
        return fail_early(L, kind_of_fault(), source_stopped(self->work, answer));
    int is_started = start_checker(self);
    if (!is_started && self->other[0] != '\0') {
        verify_reject(self, "%s", self->other);
        return fail(L, self);
    }
    if (!is_started)
        return self->fault[0] != '\0' ? fail(L, self)
                                      : fail_early(L, "run",
                                                   "the checker cannot start: a job of the "
                                                   "scenario is out of range, or memory is short");
    answer = replay(L, self);
    progress_clear(&self->reader.lines.progress);
    if (self->other[0] != '\0' && !interrupt_pending())
        return fail_other(L, self, answer);
    return answer ? push_summary(L, self) : fail(L, self);
}

void lverify_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", verify_gc}, {NULL, NULL}};
    lpinion_type(L, VERIFY, none, metamethods);
}
