/* Replays a decision log through the kernel's checker, line by line. Reading is strict: a log is a proof, and a proof with a
 * surprise in it is none. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interrupt.h"
#include "lpinion.h"
#include "progress.h"

#define VERIFY "pinion.Verify"

typedef struct verify {
    const char *path;
    FILE *file;
    char *text; /* of the current line; the room is getline's */
    size_t text_room;
    uint64_t line;
    json_t *entry; /* the line, read */
    job_list jobs;
    void *block;
    pn_slotted_verifier *verifier;
    uint64_t decisions;
    progress progress; /* in bytes */
    uint64_t read, bytes;
    char fault[400];
    pn_slotted_policy scripted; /* stands for a policy written in Lua */
    char scripted_name[32];
} verify;

static int verify_gc(lua_State *L)
{
    verify *self = luaL_checkudata(L, 1, VERIFY);
    if (self->file)
        fclose(self->file);
    free(self->text);
    json_decref(self->entry);
    job_list_free(&self->jobs);
    free(self->block);
    memset(self, 0, sizeof *self);
    return 0;
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static int reject(verify *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always 0. */
static int reject(verify *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(self->fault, sizeof self->fault, format, arguments);
    va_end(arguments);
    return 0;
}

/* Reads the next line into self->entry. 1; 0 with a fault, also at the end of the file. */
static int next_entry(verify *self)
{
    json_error_t error;
    ssize_t size;
    json_decref(self->entry);
    self->entry = NULL;
    self->line++;
    errno = 0;
    size = getline(&self->text, &self->text_room, self->file);
    if (size < 0) {
        if (ferror(self->file) || errno != 0)
            return reject(self, "cannot read: %s", strerror(errno));
        return reject(self, self->line == 1 ? "the log is empty (expected its first line)"
                                            : "the log ends without its last line (expected \"end\" and \"digest\")");
    }
    self->read += (uint64_t)size;
    if (strspn(self->text, " \t\r\n") == (size_t)size)
        return reject(self, "the line is blank (expected one JSON object)");
    self->entry = json_loadb(self->text, (size_t)size, JSON_REJECT_DUPLICATES, &error);
    if (!self->entry)
        return reject(self, "not valid JSON: %.100s (expected one JSON object)", error.text);
    return json_is_object(self->entry) ? 1 : reject(self, "not an object (expected one JSON object)");
}

static int at_end(verify *self)
{
    return getc(self->file) == EOF && !ferror(self->file);
}

/* An integer >= low from the entry; 0 with a fault. */
static int entry_integer(verify *self, const char *name, json_int_t low, uint64_t *value)
{
    const json_t *field = json_object_get(self->entry, name);
    if (!field)
        return reject(self, "field \"%s\" is missing", name);
    if (!json_is_integer(field) || json_integer_value(field) < low || (uint64_t)json_integer_value(field) > PN_INTEGER_MAX)
        return reject(self, "field \"%s\": expected an integer in %lld..2^53", name, (long long)low);
    *value = (uint64_t)json_integer_value(field);
    return 1;
}

static const char *entry_string(verify *self, const char *name)
{
    const json_t *field = json_object_get(self->entry, name);
    if (!json_is_string(field))
        reject(self, field ? "field \"%s\": expected a string" : "field \"%s\" is missing", name);
    return json_string_value(field); /* null unless a string */
}

/* 16 lower-case hex digits. */
static int entry_digest(verify *self, const char *name, uint64_t *digest)
{
    const char *text = entry_string(self, name);
    if (!text)
        return 0;
    if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return reject(self, "field \"%s\": expected 16 hex digits", name);
    *digest = strtoull(text, NULL, 16);
    return 1;
}

/* Every field has one of these names (ended by a null); 0 with a fault. */
static int entry_fields(verify *self, const char *const *names)
{
    for (void *at = json_object_iter(self->entry); at; at = json_object_iter_next(self->entry, at)) {
        int known = 0;
        for (int i = 0; names[i]; i++)
            known |= strcmp(names[i], json_object_iter_key(at)) == 0;
        if (!known)
            return reject(self, "unknown field \"%.40s\"", json_object_iter_key(at));
    }
    return 1;
}

/* ---- entries ---------------------------------------------------------------------------------------- */

/* [3,4,5]: tasks are started in the order of their numbers. */
static int read_start(verify *self, pn_slotted_decision *decision)
{
    const json_t *tasks = json_object_get(self->entry, "start");
    json_int_t first = json_integer_value(json_array_get(tasks, 0)); /* 0 when it is no integer */
    decision->kind = PN_START;
    decision->amount = json_array_size(tasks);
    if (decision->amount == 0 || first < 1 || first > UINT32_MAX)
        return reject(self, "field \"start\": expected an array of task numbers");
    decision->first_task = (uint32_t)first;
    for (size_t i = 0; i < decision->amount; i++) {
        const json_t *task = json_array_get(tasks, i);
        if (!json_is_integer(task) || json_integer_value(task) != first + (json_int_t)i)
            return reject(self, "field \"start\": expected task numbers one after the other");
    }
    return 1;
}

static int read_decision(verify *self, pn_slotted_decision *decision)
{
    static const char *const names[] = {"slot", "job", "map", "reduce", "start", "finish", NULL};
    int kinds = 0;
    memset(decision, 0, sizeof *decision);
    if (!entry_fields(self, names) || !entry_integer(self, "slot", 1, &decision->slot) ||
        !entry_integer(self, "job", 1, &decision->id))
        return 0;
    for (int i = 2; names[i]; i++)
        kinds += json_object_get(self->entry, names[i]) != NULL;
    if (kinds != 1)
        return reject(self, "expected one of \"map\", \"reduce\", \"start\", \"finish\"");
    if (json_object_get(self->entry, "start"))
        return read_start(self, decision);
    if (json_object_get(self->entry, "finish")) {
        decision->kind = PN_FINISH;
        return json_is_true(json_object_get(self->entry, "finish")) ? 1 : reject(self, "field \"finish\": expected true");
    }
    decision->kind = json_object_get(self->entry, "map") ? PN_MAP : PN_REDUCE;
    return entry_integer(self, decision->kind == PN_MAP ? "map" : "reduce", 1, &decision->amount);
}

static int reject_fault(verify *self)
{
    uint64_t slot = 0, id = 0;
    const char *fault = pn_slotted_verifier_fault(self->verifier, &slot, &id);
    if (id > 0)
        return reject(self, "%s (slot %llu, job %llu)", fault, (unsigned long long)slot, (unsigned long long)id);
    if (slot > 0)
        return reject(self, "%s (slot %llu)", fault, (unsigned long long)slot);
    return reject(self, "%s", fault);
}

/* Now and then: 0 when it is time to stop. */
static int poll(verify *self)
{
    progress_show(&self->progress, self->read, self->bytes, "bytes", progress_clock());
    return interrupt_pending() ? reject(self, "interrupted") : 1;
}

/* All lines after the first; 0 with a fault. */
static int replay(verify *self, uint64_t *end, uint64_t *digest)
{
    static const char *const last[] = {"end", "digest", NULL};
    while (next_entry(self)) {
        pn_slotted_decision decision;
        if ((self->line & 0xFFF) == 0 && !poll(self))
            return 0;
        if (json_object_get(self->entry, "end")) {
            if (!entry_fields(self, last) || !entry_integer(self, "end", 0, end) || !entry_digest(self, "digest", digest))
                return 0;
            if (pn_slotted_verifier_end(self->verifier, *end, *digest) != PN_OK)
                return reject_fault(self);
            self->line++;
            return at_end(self) ? 1 : reject(self, "something follows the last line (expected the end of the log)");
        }
        if (!read_decision(self, &decision))
            return 0;
        if (pn_slotted_verifier_feed(self->verifier, &decision) != PN_OK)
            return reject_fault(self);
        self->decisions += decision.kind != PN_FINISH;
    }
    return 0;
}

/* ---- the first line --------------------------------------------------------------------------------- */

/* Pushes the table of its parameters; 0 with a fault. */
static int push_params(lua_State *L, verify *self)
{
    json_t *params = json_object_get(self->entry, "params");
    lua_newtable(L);
    if (params && !json_is_object(params))
        return reject(self, "field \"params\": expected an object");
    for (void *at = json_object_iter(params); at; at = json_object_iter_next(params, at)) {
        const json_t *value = json_object_iter_value(at);
        if (!json_is_number(value))
            return reject(self, "field \"params.%.40s\": expected a number", json_object_iter_key(at));
        if (json_is_integer(value))
            lua_pushinteger(L, json_integer_value(value));
        else
            lua_pushnumber(L, json_real_value(value));
        lua_setfield(L, -2, json_object_iter_key(at));
    }
    return 1;
}

/* A policy written in Lua is known by what the log says of it; null with a fault when that is not right. */
static const pn_slotted_policy *scripted_policy(verify *self, const json_t *about, const char *name)
{
    const json_t *promise = json_object_get(about, "work_conserving");
    if (!json_is_object(about) || json_object_size(about) != 1 || !json_is_boolean(promise))
        return reject(self, "field \"lua\": expected {\"work_conserving\":true} or false"), NULL;
    snprintf(self->scripted_name, sizeof self->scripted_name, "%s", name);
    self->scripted = (pn_slotted_policy){.name = self->scripted_name, .work_conserving = json_is_true(promise)};
    return &self->scripted;
}

/* The policy of the log, with its scenario compared to what hash_of (at index 2) says; null with a fault. Pushes a few values. */
static const pn_slotted_policy *read_header(lua_State *L, verify *self)
{
    static const char *const names[] = {"pinion_log", "model", "policy", "scenario", "params", "lua", "relaxed", NULL};
    const pn_slotted_policy *policy;
    const json_t *about;
    const char *name, *model, *hash;
    uint64_t version, digest;
    int relaxed;
    if (!next_entry(self) || !entry_fields(self, names) || !entry_integer(self, "pinion_log", 0, &version))
        return NULL;
    model = entry_string(self, "model");
    name = entry_string(self, "policy");
    if (!model || !name || !entry_digest(self, "scenario", &digest) || !push_params(L, self))
        return NULL;
    if (version != 1)
        return reject(self, "a log of version %llu (expected 1)", (unsigned long long)version), NULL;
    if (strcmp(model, "slotted") != 0)
        return reject(self, "a log of model %.40s (expected slotted)", model), NULL;
    about = json_object_get(self->entry, "lua");
    policy = about ? scripted_policy(self, about, name) : pn_slotted_policy_find(name);
    if (!policy && about)
        return NULL;
    if (!policy)
        return reject(self, "a log of policy %.40s, which does not exist", name), NULL;
    relaxed = json_object_get(self->entry, "relaxed") != NULL;
    if (relaxed && !json_is_true(json_object_get(self->entry, "relaxed")))
        return reject(self, "field \"relaxed\": expected true"), NULL;
    if (relaxed != policy->relaxed)
        return reject(self,
                      policy->relaxed ? "field \"relaxed\" is missing: policy %s is a relaxation"
                                      : "field \"relaxed\": policy %s is no relaxation",
                      name),
               NULL;
    lua_pushvalue(L, 2);
    lua_pushstring(L, name);
    lua_pushvalue(L, -3);
    lua_pushboolean(L, about != NULL);
    lua_call(L, 3, 2);
    hash = lua_tostring(L, -2);
    if (!hash)
        return reject(self, "%.300s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "the scenario has no hash"), NULL;
    if (strcmp(hash, entry_string(self, "scenario")) != 0)
        return reject(self, "the log belongs to scenario %s (expected %.40s)", entry_string(self, "scenario"), hash), NULL;
    return policy;
}

/* ---- all of it --------------------------------------------------------------------------------------- */

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

/* 0 when it has none, as a pipe. */
static uint64_t file_size(FILE *file)
{
    struct stat status;
    return fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

static int start_checker(verify *self, const pn_slotted_claim *claim)
{
    size_t size = pn_slotted_verifier_size(claim);
    self->block = size ? malloc(size) : NULL;
    return self->block && pn_slotted_verifier_init(&self->verifier, self->block, size, claim) == PN_OK;
}

/* { workload, machines, reduce, log, hash_of } -> summary, or nil, message, kind */
static int core_slotted_verify(lua_State *L)
{
    source *work = field_workload(L, 1);
    pn_slotted_claim claim = {.machines = (uint32_t)field_integer(L, 1, "machines", 1, (lua_Integer)1 << 24),
                              .reduce = field_reduce(L, 1)};
    const char *path = field_string(L, 1, "log");
    const pn_slotted_policy *policy;
    uint64_t end = 0, digest = 0;
    char text[DIGEST_SIZE];
    verify *self;
    int answer;
    lua_settop(L, 1);
    lua_getfield(L, 1, "hash_of");
    luaL_argcheck(L, lua_isfunction(L, 2), 1, "hash_of: must be a function");
    self = lua_newuserdatauv(L, sizeof *self, 0);
    memset(self, 0, sizeof *self);
    luaL_setmetatable(L, VERIFY);
    self->path = path;
    errno = 0;
    self->file = fopen(path, "r");
    if (!self->file)
        return fail_early(L, "usage", lua_pushfstring(L, "%s: cannot open: %s", path, strerror(errno)));
    policy = read_header(L, self);
    if (!policy)
        return fail(L, self);
    answer = job_list_collect(&self->jobs, work);
    if (answer != SOURCE_END)
        return fail_early(L, kind_of_fault(), source_stopped(work, answer));
    claim.relaxed = policy->relaxed;
    claim.work_conserving = policy->work_conserving;
    claim.jobs = self->jobs.jobs;
    claim.job_count = self->jobs.count;
    if (!start_checker(self, &claim))
        return fail_early(L, "run", "the checker cannot start: a job of the scenario is out of range, or memory is short");
    progress_start(&self->progress, "verify", 0, progress_clock());
    self->bytes = file_size(self->file);
    answer = replay(self, &end, &digest);
    progress_clear(&self->progress);
    if (!answer)
        return fail(L, self);
    lua_createtable(L, 0, 5);
    set_integer(L, "decisions", self->decisions);
    set_integer(L, "jobs", self->jobs.count);
    set_integer(L, "slots", end);
    lua_pushstring(L, policy->name);
    lua_setfield(L, -2, "policy");
    format_digest(text, digest);
    lua_pushstring(L, text);
    lua_setfield(L, -2, "digest");
    return 1;
}

void lverify_open(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg metamethods[] = {{"__gc", verify_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"slotted_verify", core_slotted_verify}, {NULL, NULL}};
    lpinion_type(L, VERIFY, none, metamethods);
    luaL_setfuncs(L, functions, 0);
}
