/* A generator in Lua: its life, one job after the other, and what is said when the script fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/internal.h"
#include "state.h"

/* ---- what the state keeps -------------------------------------------------------------------- */

/* Pushes the one table, in the registry under the generator's address. */
void generator_push_kept(lua_State *L, const pn_lua_workload *self, int kept)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, self);
    lua_rawgeti(L, -1, kept);
    lua_remove(L, -2);
}

void generator_keep(lua_State *L, const pn_lua_workload *self, int kept)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, self);
    lua_insert(L, -2);
    lua_rawseti(L, -2, kept);
    lua_pop(L, 1);
}

/* ---- what messages say ----------------------------------------------------------------------- */

/* Returns the length of the "FILE: " or "FILE:LINE: " that a message begins with, 0 when it begins
 * with neither. A message of the host's state has a line, or no file. */
static size_t place_of(const pn_lua_workload *self, const char *message)
{
    const char *end = message;
    if (self->box)
        return self->box->place;
    while ((end = strchr(end, ':'))) {
        size_t digits = strspn(++end, "0123456789");
        if (digits > 0 && strncmp(end + digits, ": ", 2) == 0)
            return (size_t)(end + digits + 2 - message);
    }
    return 0;
}

/* Writes in the message which job it is about, unless it says so already. */
static void locate(pn_lua_workload *self)
{
    char text[PN_LUA_MESSAGE_SIZE];
    size_t place = place_of(self, self->message);
    if (strncmp(self->message + place, "job ", 4) == 0)
        return;
    strcpy(text, self->message + place);
    snprintf(self->message + place, sizeof self->message - place, "job %llu: %s",
             (unsigned long long)self->made + 1, text);
}

static int fail(pn_lua_workload *self, const char *message)
{
    snprintf(self->message, sizeof self->message, "%s", message);
    locate(self);
    self->failed = true;
    self->was_interrupted = self->box && self->box->was_interrupted;
    return PN_ERR_POLICY;
}

/* ---- the host's state ------------------------------------------------------------------------ */

/* Returns the error value on top of the stack, without running anything of the script's. */
static const char *error_text(lua_State *L)
{
    return lua_type(L, -1) == LUA_TSTRING
               ? lua_tostring(L, -1)
               : lua_pushfstring(L, "error value of type %s", luaL_typename(L, -1));
}

/* Protects as sandbox_protect, in whichever state. */
static int protect(pn_lua_workload *self, lua_CFunction function, void *data)
{
    if (self->box)
        return sandbox_protect(self->box, function, data) == 0 ? PN_OK
                                                               : fail(self, self->box->message);
    lua_pushcfunction(self->L, function);
    lua_pushlightuserdata(self->L, data);
    if (lua_pcall(self->L, 1, 0, 0) == LUA_OK)
        return PN_OK;
    fail(self, error_text(self->L));
    lua_settop(self->L, 0);
    return PN_ERR_POLICY;
}

/* Resumes a function of the host: it may yield by itself, and run what calls it again. */
static int resume_function(pn_lua_workload *self, int arguments)
{
    int status, results;
    if (*self->nested == GENERATOR_NESTED_MAX)
        return fail(self, "workloads run workloads inside one another without an end (expected "
                          "at most 8 deep)");
    ++*self->nested;
    status = lua_resume(self->thread, self->L, arguments, &results);
    --*self->nested;
    if (status != LUA_OK && status != LUA_YIELD)
        return fail(self, error_text(self->thread));
    lua_pop(self->thread, results);
    if (status == LUA_YIELD && !self->offered)
        return fail(self, "generate yields by itself (expected g:job, which does)");
    return status == LUA_YIELD;
}

/* Resumes: 1 after a job, 0 at the end, or the failure. */
static int resume(pn_lua_workload *self, int arguments)
{
    int status;
    self->running = true;
    self->offered = false;
    if (self->box) {
        status = sandbox_resume(self->box, self->thread, arguments);
        status = status < 0 ? fail(self, self->box->message) : status;
    } else {
        status = resume_function(self, arguments);
    }
    self->running = false;
    return status;
}

/* ---- one job after the other ----------------------------------------------------------------- */

static int refuse_write(lua_State *L)
{
    return luaL_error(L, "the parameters are read-only");
}

/* lua_CFunction of (generator): a new coroutine, on which lie its function and `g`. */
static int begin(lua_State *L)
{
    pn_lua_workload *self = lua_touserdata(L, 1);
    generator_push_kept(L, self, KEPT_METHODS);
    generator_push_params(L, self);
    if (self->box)
        sandbox_freeze_table(L, -1, refuse_write);
    lua_setfield(L, -2, "params");
    lua_pushinteger(L, (lua_Integer)self->seed);
    lua_setfield(L, -2, "seed");
    lua_pushinteger(L, (lua_Integer)self->replica);
    lua_setfield(L, -2, "replica");
    self->thread = lua_newthread(L); /* with the extra space of the state's first coroutine */
    *(sandbox **)lua_getextraspace(self->thread) = self->box ? self->box : &self->unlimited;
    generator_keep(L, self, KEPT_THREAD);
    luaL_checkstack(self->thread, 2, NULL);
    generator_push_kept(L, self, KEPT_GENERATE);
    generator_push_kept(L, self, KEPT_SELF);
    lua_xmove(L, self->thread, 2);
    return 0;
}

/* Runs from the first job on; 1 with a job, 0 when there is none, or a failure. */
static int first(pn_lua_workload *self)
{
    int status;
    self->made = 0;
    self->latest = 0;
    self->resources = 0;
    self->times = TIMES_UNKNOWN;
    self->estimates = self->estimates_declared;
    self->ended = self->failed = self->pending = self->was_interrupted = false;
    self->message[0] = '\0';
    pn_stream_init(&self->self->draws.stream, self->seed, self->replica, 0);
    status = protect(self, begin, self);
    if (status == PN_OK)
        status = resume(self, 1);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* lua_CFunction of (generator): numbers the groups in the order of their names. */
static int sort_groups(lua_State *L)
{
    pn_lua_workload *self = lua_touserdata(L, 1);
    const char **names = generator_list_room(L, self, GENERATOR_LISTS_MAX - 1,
                                             (size_t)self->group_count + 1, sizeof *names);
    uint32_t count = 0;
    generator_push_kept(L, self, KEPT_GROUPS);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        names[count++] = lua_tostring(L, -2);
    qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 0; i < count; i++) {
        lua_pushinteger(L, (lua_Integer)i + 1);
        lua_setfield(L, -2, names[i]);
    }
    self->group_names = names;
    return 0;
}

/* lua_CFunction of (generator): no groups. */
static int forget_groups(lua_State *L)
{
    pn_lua_workload *self = lua_touserdata(L, 1);
    lua_newtable(L);
    generator_keep(L, self, KEPT_GROUPS);
    self->group_count = 0;
    return 0;
}

/* What declare_groups is called with. */
typedef struct declaration {
    pn_lua_workload *self;
    lua_State *from; /* the list is on top of its stack */
} declaration;

/* lua_CFunction of (declaration). */
static int declare_groups(lua_State *L)
{
    declaration *said = lua_touserdata(L, 1);
    lua_Integer count = (lua_Integer)lua_rawlen(said->from, -1);
    lua_createtable(L, 0, (int)count);
    for (lua_Integer i = 1; i <= count; i++) {
        size_t size;
        lua_rawgeti(said->from, -1, i);
        const char *name = lua_tolstring(said->from, -1, &size);
        lua_pushlstring(L, name ? name : "", name ? size : 0);
        lua_pop(said->from, 1);
        lua_pushinteger(L, i);
        lua_rawset(L, -3);
    }
    generator_keep(L, said->self, KEPT_GROUPS);
    said->self->group_count = (uint32_t)count;
    said->self->groups_known = true;
    said->self->surveyed = false;
    return 0;
}

int generator_declare_groups(pn_lua_workload *self, lua_State *L)
{
    declaration said = {self, L};
    return protect(self, declare_groups, &said);
}

/* Collects groups. The names of those that are not declared are those of all jobs, where the first
 * job has one. */
static int collect_groups(pn_lua_workload *self)
{
    int status = protect(self, forget_groups, self);
    self->collecting = true;
    if (status == PN_OK)
        status = first(self);
    for (bool named = self->group_count > 0; named && status == 1;)
        status = resume(self, 0);
    self->collecting = false;
    return status < 0 ? status : PN_OK;
}

static int survey(pn_lua_workload *self)
{
    int status = PN_OK;
    if (self->surveyed)
        return PN_OK;
    if (!self->groups_declared && !self->groups_known)
        status = collect_groups(self);
    if (status == PN_OK)
        status = protect(self, sort_groups, self);
    self->surveyed = status == PN_OK;
    return status;
}

int pn_lua_workload_start(pn_lua_workload *self, uint64_t seed, uint32_t replica)
{
    int status;
    if (!self)
        return PN_ERR_ARGUMENT;
    self->surveyed = self->surveyed && self->seed == seed && self->replica == replica;
    self->seed = seed;
    self->replica = replica;
    self->failed = true; /* until it has begun */
    status = survey(self);
    if (status == PN_OK)
        status = first(self);
    if (status < 0)
        return status;
    self->pending = status == 1;
    self->ended = status == 0;
    return PN_OK;
}

/* Returns the next job, or null with 0 at the end or a failure in *status. */
static const generator_job *next(pn_lua_workload *self, const generator_model *model, int *status)
{
    *status = PN_ERR_ARGUMENT;
    if (!self || self->model != model || !self->thread)
        return NULL;
    if (self->failed) {
        *status = PN_ERR_POLICY;
        return NULL;
    }
    *status = self->pending ? 1 : self->ended ? 0 : resume(self, 0);
    self->pending = false;
    self->ended = *status == 0;
    return *status == 1 ? &self->job : NULL;
}

#define NEXT(MODEL, JOB)                                                         \
    int pn_lua_workload_next_##MODEL(pn_lua_workload *workload, JOB *job)        \
    {                                                                            \
        int status;                                                              \
        const generator_job *made = next(workload, &generator_##MODEL, &status); \
        if (made && job)                                                         \
            *job = made->MODEL;                                                  \
        return status;                                                           \
    }
GENERATOR_MODELS(NEXT)

/* ---- asking ---------------------------------------------------------------------------------- */

const char *pn_lua_workload_model(const pn_lua_workload *self)
{
    return self->model->name;
}

const char *pn_lua_workload_name(const pn_lua_workload *self)
{
    return self->name;
}

const char *pn_lua_workload_summary(const pn_lua_workload *self)
{
    return self->summary;
}

const char *const *pn_lua_workload_groups(const pn_lua_workload *self, uint32_t *count)
{
    *count = self->surveyed ? self->group_count : 0;
    return self->surveyed ? self->group_names : NULL;
}

const char *const *pn_lua_workload_attributes(const pn_lua_workload *self, uint32_t *count)
{
    *count = self->attribute_count;
    return self->attribute_names;
}

const char *const *pn_lua_workload_labels(const pn_lua_workload *self, uint32_t attribute,
                                          uint32_t *count)
{
    *count = attribute < self->attribute_count ? self->labels[attribute].count : 0;
    return *count > 0 ? self->labels[attribute].texts : NULL;
}

int pn_lua_workload_estimates(const pn_lua_workload *self)
{
    return self->estimates;
}

int pn_lua_workload_gaps(const pn_lua_workload *self)
{
    return self->times == TIMES_GAPS;
}

uint32_t pn_lua_workload_resources(const pn_lua_workload *self)
{
    return self->resources;
}

const char *const *pn_lua_workload_queues(const pn_lua_workload *self, uint32_t *count)
{
    *count = self->queue_count;
    return self->queue_names;
}

uint64_t pn_lua_workload_ticks(const pn_lua_workload *self)
{
    return self->ticks;
}

const char *pn_lua_workload_message(const pn_lua_workload *self)
{
    return self->message;
}

void pn_lua_workload_interrupt(pn_lua_workload *self)
{
    sandbox_interrupt(self->box);
}

int pn_lua_workload_interrupted(const pn_lua_workload *self)
{
    return self->was_interrupted;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void *allocate_by_libc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

/* lua_CFunction of (generator): of the host's state, nothing of it is left. */
static int forget(lua_State *L)
{
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, lua_touserdata(L, 1));
    return 0;
}

/* Retires `g`, which the host's script may have kept, and which neither draws nor takes jobs from
 * now on. */
static void retire(generator_self *g)
{
    static const bool closed = false;
    if (!g)
        return;
    g->draws.open = &closed;
    g->workload = NULL;
}

void pn_lua_workload_free(pn_lua_workload *self)
{
    if (!self)
        return;
    pn_lua_options options = self->options;
    if (self->box) {
        sandbox_free(self->box);
    } else if (self->L) {
        retire(self->self);
        protect(self, forget, self);
    }
    options.allocate(options.user, self, sizeof *self, 0);
}

static pn_lua_workload *new_workload(const char *name, const pn_lua_options *options)
{
    pn_lua_options chosen = options ? *options : pn_lua_defaults();
    chosen.allocate = chosen.allocate ? chosen.allocate : allocate_by_libc;
    pn_lua_workload *made = chosen.allocate(chosen.user, NULL, 0, sizeof *made);
    if (!made)
        return NULL;
    memset(made, 0, sizeof *made);
    made->options = chosen;
    snprintf(made->chunk, sizeof made->chunk, "%s", name);
    for (char *c = made->chunk; *c; c++) /* as in the sandbox's messages */
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? '?' : *c;
    return made;
}

/* Writes what a line that the script prints is about. */
static void write_context(const void *owner, char *text, size_t size)
{
    const pn_lua_workload *self = owner;
    text[0] = '\0';
    if (self->thread)
        snprintf(text, size, "job %llu: ", (unsigned long long)self->made + 1);
}

/* lua_CFunction of (generator): the table in which the state keeps what it needs. */
static int make_kept(lua_State *L)
{
    lua_createtable(L, KEPT_LISTS + GENERATOR_LISTS_MAX, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, lua_touserdata(L, 1));
    return 0;
}

static int load(pn_lua_workload *self, const char *text, size_t size)
{
    sandbox *box = self->box;
    if (sandbox_load(box, self->chunk, text, size) != 0 ||
        sandbox_protect(box, make_kept, self) != 0)
        return -1;
    self->text = text;
    self->text_size = size;
    lua_pushcfunction(box->L, generator_define);
    lua_pushvalue(box->L, SANDBOX_TABLE);
    lua_pushlightuserdata(box->L, self);
    if (sandbox_call(box, 2, 0) != 0)
        return -1;
    self->text = NULL;
    lua_pushvalue(box->L, SANDBOX_TABLE);
    if (sandbox_freeze(box) != 0)
        return -1;
    lua_pop(box->L, 1);
    return 0;
}

static const sandbox_words words = {
    .kind = "a workload",
    .random = "draw with g:random, g:uniform and the like",
    .frozen = "make a table inside generate",
    .global = "declare it local",
    .outlives = "declare it inside generate, which every replica begins anew"};

static void say(char *message, size_t message_size, const char *text)
{
    if (message && message_size > 0)
        snprintf(message, message_size, "%s", text);
}

int pn_lua_workload_load(pn_lua_workload **self, const char *name, const char *text, size_t size,
                         const pn_lua_options *options, char *message, size_t message_size)
{
    return generator_load_watched(self, name, text, size, options, NULL, message, message_size);
}

int generator_load_watched(pn_lua_workload **self, const char *name, const char *text, size_t size,
                           const pn_lua_options *options, sandbox *volatile *running, char *message,
                           size_t message_size)
{
    if (!self || !name || (!text && size > 0))
        return PN_ERR_ARGUMENT;
    *self = NULL;
    say(message, message_size, "");
    pn_lua_workload *made = new_workload(name, options);
    if (made) {
        const pn_lua_options *chosen = &made->options;
        sandbox_limits limits = {chosen->memory, chosen->budget, chosen->allocate,
                                 chosen->print,  chosen->user,   running};
        made->box = sandbox_new(&limits);
    }
    if (!made || !made->box) {
        say(message, message_size, "not enough memory for a Lua state");
        pn_lua_workload_free(made);
        return PN_ERR_SIZE;
    }
    made->L = made->box->L;
    made->box->owner = made;
    made->box->context = write_context;
    made->box->words = &words;
    if (load(made, text, size) != 0) {
        say(message, message_size, made->box->message);
        pn_lua_workload_free(made);
        return PN_ERR_POLICY;
    }
    *self = made;
    return PN_OK;
}

/* Returns the one counter of a state, which stays until the state is closed. */
static int *nested_in(lua_State *L)
{
    static const char key;
    int *nested;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &key) != LUA_TUSERDATA) {
        lua_pop(L, 1);
        nested = lua_newuserdatauv(L, sizeof *nested, 0);
        *nested = 0;
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
    }
    nested = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return nested;
}

pn_lua_workload *generator_of_state(lua_State *L, const char *name)
{
    int *nested = nested_in(L);
    pn_lua_workload *made = new_workload(name, NULL);
    int definition = lua_gettop(L);
    if (!made) {
        lua_pushliteral(L, "not enough memory");
        return NULL;
    }
    made->nested = nested;
    made->unlimited.left = UINT64_MAX;
    made->unlimited.words = &words;
    lua_createtable(L, KEPT_LISTS + GENERATOR_LISTS_MAX, 0);
    made->L = lua_newthread(L); /* of this workload alone, and so never busy */
    *(sandbox **)lua_getextraspace(made->L) = &made->unlimited;
    lua_rawseti(L, -2, KEPT_LISTS + GENERATOR_LISTS_MAX);
    lua_rawsetp(L, LUA_REGISTRYINDEX, made);
    lua_pushcfunction(made->L, generator_define);
    lua_pushvalue(L, definition);
    lua_xmove(L, made->L, 1);
    lua_pushlightuserdata(made->L, made);
    if (lua_pcall(made->L, 2, 0, 0) == LUA_OK) {
        lua_settop(L, definition - 1);
        return made;
    }
    lua_pushfstring(L, "%s: %s", made->chunk, error_text(made->L));
    pn_lua_workload_free(made);
    return NULL;
}
