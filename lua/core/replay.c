/* Replays an input log, event by event. Lua reads the lines; here they become inputs of a core,
 * which decides again. What the core writes of an event must be the line that it was read from, so
 * nothing in a line is overlooked. */
#define _POSIX_C_SOURCE 200809L
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#define REPLAY "pinion.Replay"

static int replay_gc(lua_State *L)
{
    replay *self = luaL_checkudata(L, 1, REPLAY);
    run_log_discard(&self->log);
    free(self->block);
    free(self->answers);
    free(self->line);
    self->block = NULL;
    self->answers = NULL;
    self->line = NULL;
    return 0;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Pops the number on top of the stack: an integer, or one in hexadecimal digits. */
static int pop_word(lua_State *L, uint16_t size, uint64_t *value)
{
    int is_integer = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 0;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    *value = (uint64_t)lua_tointeger(L, -1);
    if (strncmp(text, "0x", 2) == 0 && lua_stringtonumber(L, text) != 0) {
        is_integer = lua_isinteger(L, -1);
        *value = (uint64_t)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is_integer && (size == sizeof(uint64_t) || *value <= UINT32_MAX);
}

/* Pops one that need be no integer. */
static int pop_real(lua_State *L, double *value)
{
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    int is_number = lua_type(L, -1) == LUA_TNUMBER;
    *value = is_number ? lua_tonumber(L, -1) : 0.0;
    if (strstr(text, "0x") && lua_stringtonumber(L, text) != 0) {
        is_number = 1;
        *value = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is_number;
}

static void store(void *to, const pn_field *field, uint32_t index, uint64_t value)
{
    unsigned char *at = (unsigned char *)to + field->offset + index * field->size;
    uint32_t small = (uint32_t)value;
    if (field->size == sizeof small)
        memcpy(at, &small, sizeof small);
    else
        memcpy(at, &value, sizeof value);
}

static const char *field_fault(lua_State *L, const char *place, const pn_field *field)
{
    const char *most = field->size == sizeof(uint32_t) ? "2^32 - 1" : "2^64 - 1";
    if (field->count == 0)
        return lua_pushfstring(L, "%s%s: expected an integer in 0..%s", place, field->name, most);
    return lua_pushfstring(L, "%s%s: expected an array of %d integers in 0..%s", place, field->name,
                           (int)field->count, most);
}

/* Takes the value of the field on top of the stack, and pops it. */
static const char *take_field(lua_State *L, const char *place, const pn_field *field, void *to)
{
    uint64_t value;
    int list = lua_gettop(L);
    if (field->count == PN_FIELD_SIGNED) {
        lua_Integer number = lua_isinteger(L, list) ? lua_tointeger(L, list) : INT64_MAX;
        if (number < INT32_MIN || number > INT32_MAX)
            return lua_pushfstring(L, "%s%s: expected an integer in -2^31..2^31 - 1", place,
                                   field->name);
        store(to, field, 0, (uint32_t)number);
        lua_pop(L, 1);
        return NULL;
    }
    if (field->count == 0) {
        if (!pop_word(L, field->size, &value))
            return field_fault(L, place, field);
        store(to, field, 0, value);
        return NULL;
    }
    if (!lua_istable(L, list) || lua_rawlen(L, list) != field->count)
        return field_fault(L, place, field);
    for (uint32_t i = 0; i < field->count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        if (!pop_word(L, field->size, &value))
            return field_fault(L, place, field);
        store(to, field, i, value);
    }
    lua_pop(L, 1);
    return NULL;
}

static const char *unknown_field(lua_State *L, int table, const char *place, const pn_field *list,
                                 const char *const *others)
{
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        int is_known = 0;
        for (const pn_field *field = list; field->name; field++)
            is_known |= strcmp(field->name, name) == 0;
        for (int i = 0; others[i]; i++)
            is_known |= strcmp(others[i], name) == 0;
        if (!is_known)
            return lua_pushfstring(L, "%sunknown field \"%s\"", place, name);
        lua_pop(L, 1);
    }
    return NULL;
}

const char *replay_fields(lua_State *L, int table, const char *place, const pn_field *list,
                          const char *const *others, void *to)
{
    const char *fault = others ? unknown_field(L, table, place, list, others) : NULL;
    for (; !fault && list->name; list++) {
        if (lua_getfield(L, table, list->name) == LUA_TNIL)
            lua_pop(L, 1);
        else
            fault = take_field(L, place, list, to);
    }
    return fault;
}

const char *replay_groups(lua_State *L, int table, const char *name, const pn_field *fields,
                          size_t size, void **list, uint32_t *count)
{
    static const char *const none[] = {NULL};
    int type = lua_getfield(L, table, name), from = lua_gettop(L);
    const char *fault = NULL;
    *list = NULL;
    *count = 0;
    if (type == LUA_TNIL)
        return NULL;
    lua_Unsigned length = type == LUA_TTABLE ? lua_rawlen(L, from) : 0;
    if (length == 0 || length > (1 << 22))
        return lua_pushfstring(L, "%s: expected an array of objects", name);
    unsigned char *to = lua_newuserdatauv(L, (size_t)length * size, 0);
    memset(to, 0, (size_t)length * size);
    lua_pushvalue(L, -1);
    lua_setfield(L, 1, name);
    *list = to;
    *count = (uint32_t)length;
    for (uint32_t i = 0; i < *count && !fault; i++) {
        const char *place = lua_pushfstring(L, "%s[%d].", name, (int)i + 1);
        if (lua_rawgeti(L, from, (lua_Integer)i + 1) != LUA_TTABLE)
            return lua_pushfstring(L, "%s: expected an array of objects", name);
        fault = replay_fields(L, lua_gettop(L), place, fields, none, to + i * size);
        if (!fault)
            lua_pop(L, 2);
    }
    return fault;
}

uint32_t replay_size(lua_State *L, const char *measure, uint64_t configured)
{
    lua_Integer needed = field_integer(L, 1, measure, 1, UINT32_MAX);
    return (uint32_t)(configured < (uint64_t)needed ? configured : (uint64_t)needed);
}

const char *replay_block(lua_State *L, replay *self, size_t size)
{
    lua_Integer most = field_integer(L, 1, "memory", 1, INT64_MAX);
    if (size > (uint64_t)most)
        return lua_pushfstring(L,
                               "config: the core takes %I bytes with these nodes and tables "
                               "(expected at most %I, or --memory)",
                               (LUAI_UACINT)size, (LUAI_UACINT)most);
    self->block = malloc(size);
    return self->block ? NULL : lua_pushstring(L, "not enough memory for the core");
}

const char *replay_reals(lua_State *L, int table, const char *name, uint32_t count,
                         const double **list)
{
    int type = lua_getfield(L, table, name), from = lua_gettop(L);
    *list = NULL;
    if (type == LUA_TNIL)
        return NULL;
    if (type != LUA_TTABLE || lua_rawlen(L, from) != count)
        return lua_pushfstring(L, "%s: expected an array of %d numbers", name, (int)count);
    double *to = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *to, 0);
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, from, (lua_Integer)i + 1);
        if (!pop_real(L, &to[i]))
            return lua_pushfstring(L, "%s: expected an array of %d numbers", name, (int)count);
    }
    *list = to;
    return NULL;
}

const char *replay_numbers(lua_State *L, int table, uint32_t **list, uint32_t *count)
{
    uint64_t value;
    int is_list = lua_istable(L, table);
    lua_Unsigned length = is_list ? lua_rawlen(L, table) : 0;
    *list = NULL;
    *count = (uint32_t)length;
    if (!is_list || length > (1 << 24))
        return lua_pushstring(L, "expected an array of integers");
    *list = lua_newuserdatauv(L, ((size_t)length + 1) * sizeof **list, 0);
    for (uint32_t i = 0; i < *count; i++) {
        lua_rawgeti(L, table, (lua_Integer)i + 1);
        if (!pop_word(L, sizeof(uint32_t), &value))
            return lua_pushstring(L, "expected an array of integers");
        (*list)[i] = (uint32_t)value;
    }
    return NULL;
}

/* ---- what the core says and asks ------------------------------------------------------------- */

void replay_hear(replay *self, const void *input)
{
    static const char end[] = ",\"check\"";
    uint64_t check = 0;
    size_t size = self->model->write(input, &check, self->line, self->line_room);
    self->is_heard = 1;
    if (size > self->line_room) {
        char *line = realloc(self->line, size);
        self->is_short = !line;
        if (!line)
            return;
        self->line = line;
        self->line_room = size;
        self->model->write(input, &check, line, size);
    }
    self->is_same = size > self->text_size + sizeof end &&
                    memcmp(self->line, self->text, self->text_size) == 0 &&
                    memcmp(self->line + self->text_size, end, sizeof end - 1) == 0;
}

uint32_t replay_answer_of(replay *self, uint32_t kind, uint64_t token)
{
    const replay_answer *answer = self->answers + self->next_answer;
    if (self->is_lost || self->next_answer == self->answers_count || answer->kind != kind ||
        answer->token != token) {
        self->is_lost = 1;
        return 0;
    }
    self->next_answer++;
    return answer->value;
}

int replay_logs(replay *self)
{
    self->decisions += !self->is_lost;
    return self->log.file && !self->is_lost;
}

/* ---- the head -------------------------------------------------------------------------------- */

static const char *read_params(lua_State *L, replay *self, int head)
{
    pn_policy_about info = self->core->kernel()->policy_about(self->policy);
    if (lua_getfield(L, head, "params") != LUA_TTABLE)
        return lua_pushstring(L, "params: expected an object");
    int params = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, params) != 0) {
        uint8_t i = 0;
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        while (i < info.param_count && strcmp(info.params[i].name, name) != 0)
            i++;
        if (i == info.param_count)
            return lua_pushfstring(L, "params.%s: policy %s has no such parameter", name,
                                   info.name);
        if (!pop_real(L, &self->params[i]))
            return lua_pushfstring(L, "params.%s: expected a number", name);
    }
    return NULL;
}

/* Reads an array of texts on top of the stack, in memory that is left there. */
static const char *read_names_on_top(lua_State *L, const char *name, uint32_t most,
                                     const char ***names, uint32_t *count)
{
    int list = lua_gettop(L), type = lua_type(L, list);
    *count = type == LUA_TTABLE ? (uint32_t)lua_rawlen(L, list) : 0;
    if ((type != LUA_TNIL && type != LUA_TTABLE) || *count > most)
        return lua_pushfstring(L, "%s: expected an array of at most %d texts", name, (int)most);
    *names = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof **names, 0);
    for (uint32_t i = 0; i < *count; i++) {
        if (lua_rawgeti(L, list, (lua_Integer)i + 1) != LUA_TSTRING)
            return lua_pushfstring(L, "%s: expected an array of texts", name);
        (*names)[i] = lua_tostring(L, -1); /* the array keeps it alive */
        lua_pop(L, 1);
    }
    return NULL;
}

static const char *read_names(lua_State *L, int head, const char *name, uint32_t most,
                              const char ***names, uint32_t *count)
{
    lua_getfield(L, head, name);
    return read_names_on_top(L, name, most, names, count);
}

/* Reads field "attribute_texts": arrays of the texts of each attribute. */
static const char *read_texts(lua_State *L, pn_lua_policy *policy, int head, uint32_t attributes)
{
    int type = lua_getfield(L, head, "attribute_texts"), list = lua_gettop(L);
    if (type == LUA_TNIL)
        return NULL;
    if (type != LUA_TTABLE || lua_rawlen(L, list) != attributes)
        return "attribute_texts: expected an array of texts for each attribute";
    for (uint32_t i = 0; i < attributes; i++) {
        const char **texts;
        uint32_t count;
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        const char *fault = read_names_on_top(L, "attribute_texts", 1 << 20, &texts, &count);
        if (fault)
            return fault;
        if (pn_lua_policy_labels(policy, i, texts, count) != PN_OK)
            return "not enough memory for the texts of attributes";
        lua_settop(L, list);
    }
    return NULL;
}

/* Names what the jobs' numbers are called. */
static const char *name_jobs(lua_State *L, const replay *self, int head)
{
    pn_lua_policy *policy = (pn_lua_policy *)(uintptr_t)self->lua;
    const char **attributes, **groups;
    uint32_t attribute_count, group_count;
    const char *fault = read_names(L, head, "attribute_names", PN_ATTRIBUTES_MAX, &attributes,
                                   &attribute_count);
    if (!fault)
        fault = read_names(L, head, "group_names", 1 << 20, &groups, &group_count);
    if (fault || !policy)
        return fault;
    if (pn_lua_policy_attributes(policy, attributes, attribute_count) != PN_OK ||
        pn_lua_policy_groups(policy, groups, group_count) != PN_OK)
        return lua_pushstring(L, "not enough memory for the names of attributes and groups");
    return read_texts(L, policy, head, attribute_count);
}

static const char *start(lua_State *L, replay *self)
{
    const char *fault;
    self->policy = core_read_policy(L, self->core, self->params, &fault);
    if (fault)
        return fault;
    self->lua = core_lua_policy(L);
    luaL_argcheck(L, lua_getfield(L, 1, "head") == LUA_TTABLE, 1, "head: must be a table");
    int head = lua_gettop(L);
    fault = read_params(L, self, head);
    if (!fault)
        fault = name_jobs(L, self, head);
    if (fault)
        return fault;
    if (lua_getfield(L, head, "config") != LUA_TTABLE)
        return lua_pushstring(L, "config: expected an object");
    return self->model->start(L, self, head, lua_gettop(L));
}

int core_replay(lua_State *L, const replay_model *model)
{
    const char *fault, *path;
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    path = field_string_or_null(L, 1, "log");
    replay *self = lua_newuserdatauv(L, model->size, 1); /* index 2 */
    memset(self, 0, model->size);
    self->core = core_model_of(L);
    self->model = model;
    luaL_setmetatable(L, REPLAY);
    lua_pushvalue(L, 1); /* which keeps the policy alive */
    lua_setiuservalue(L, 2, 1);
    if (path && !run_log_open(&self->log, path))
        return push_failure(L, lua_pushfstring(L, "%s: %s", path, strerror(self->log.broken)));
    self->log.measured = 1;
    fault = start(L, self);
    if (fault)
        return push_failure(L, fault);
    lua_settop(L, 2);
    return 1;
}

/* ---- events ---------------------------------------------------------------------------------- */

static const char *read_kind(lua_State *L, replay *self, int entry, uint32_t *kind,
                             uint32_t *fields)
{
    const char *name, *known;
    lua_getfield(L, entry, "event");
    name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (!name)
        return lua_pushstring(L, "event: expected a text");
    for (*kind = 0; (known = self->model->kind_name(*kind, fields)); ++*kind)
        if (strcmp(known, name) == 0)
            return NULL;
    return lua_pushfstring(L, "event: unknown: %s", name);
}

/* Reads the fields that a line of its kind has. */
static const char *read_input(lua_State *L, replay *self, int entry, uint32_t kind, uint32_t fields,
                              void **input)
{
    static const pn_field time = {"time", 0, sizeof(uint64_t), 0};
    const pn_field *field = self->model->input_fields();
    uint64_t now = UINT64_MAX;
    const char *fault = NULL;
    lua_getfield(L, entry, "time");
    fault = take_field(L, "", &time, &now);
    *input = self->model->input(self, now, kind);
    for (; !fault && field->name; field++, fields >>= 1)
        if ((fields & 1) && lua_getfield(L, entry, field->name) != LUA_TNIL)
            fault = take_field(L, "", field, *input);
    return fault;
}

/* Reads the job, the only field that is a table. */
static const char *read_job(lua_State *L, replay *self, int entry)
{
    return lua_getfield(L, entry, "job") == LUA_TTABLE
               ? self->model->read_job(L, self, lua_gettop(L))
               : NULL;
}

static const char *check_digest(lua_State *L, const replay *self, int entry)
{
    char digest[DIGEST_SIZE];
    const char *text;
    format_digest(digest, self->model->digest(self));
    lua_getfield(L, entry, "digest");
    text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "none";
    if (strcmp(digest, text) == 0)
        return NULL;
    return lua_pushfstring(L,
                           "the core decided otherwise before this event: its digest is %s "
                           "(expected %s, as in the host)",
                           digest, text);
}

/* Returns what was wrong with the event that the core has been told. */
static const char *check_event(lua_State *L, const replay *self, int status)
{
    const char *said = self->lua ? pn_lua_policy_message(self->lua) : "";
    if (!self->is_heard)
        return lua_pushfstring(L, "the core refuses the event: %s%s%s", pn_status_name(status),
                               *said ? ": " : "", said);
    if (self->is_short)
        return lua_pushstring(L, "not enough memory to compare the event");
    if (!self->is_same)
        return lua_pushfstring(L, "not what a core writes of this event (expected %s)", self->line);
    if (self->is_lost)
        return lua_pushfstring(L,
                               "the core asks what the log does not answer (%d of %d answers fit)",
                               (int)self->next_answer, (int)self->answers_count);
    if (self->next_answer < self->answers_count)
        return lua_pushfstring(L, "the core asks only %d of %d answers", (int)self->next_answer,
                               (int)self->answers_count);
    return NULL;
}

/* Adds an answer to the next event: nil, or what is wrong with it. */
static int replay_answer_add(lua_State *L)
{
    static const pn_field list[] = {{"token", offsetof(replay_answer, token), 8, 0},
                                    {"value", offsetof(replay_answer, value), 4, 0},
                                    {NULL, 0, 0, 0}};
    static const char *const others[] = {"event", "time", "check", NULL};
    replay *self = luaL_checkudata(L, 1, REPLAY);
    replay_answer answer = {0};
    uint32_t fields;
    luaL_checktype(L, 2, LUA_TTABLE);
    const char *fault = read_kind(L, self, 2, &answer.kind, &fields);
    if (!fault)
        fault = replay_fields(L, 2, "", list, others, &answer);
    if (!fault && self->answers_count == self->answers_room) {
        size_t room = 2 * self->answers_room + 16;
        replay_answer *answers = realloc(self->answers, room * sizeof *answers);
        if (!answers)
            return luaL_error(L, "not enough memory");
        self->answers = answers;
        self->answers_room = room;
    }
    if (!fault)
        self->answers[self->answers_count++] = answer;
    lua_pushstring(L, fault);
    return 1;
}

/* (entry, text of the line up to its check): the status of the event; or nil, what is wrong, and
 * "lost" where nothing is but that answers are missing behind those there are. */
static int replay_tell(lua_State *L)
{
    replay *self = luaL_checkudata(L, 1, REPLAY);
    uint32_t kind = 0, fields = 0;
    void *input;
    luaL_checktype(L, 2, LUA_TTABLE);
    self->text = luaL_checklstring(L, 3, &self->text_size);
    const char *fault = read_kind(L, self, 2, &kind, &fields);
    if (!fault)
        fault = read_input(L, self, 2, kind, fields, &input);
    if (!fault)
        fault = read_job(L, self, 2);
    if (!fault)
        fault = check_digest(L, self, 2);
    if (fault)
        return push_failure(L, fault);
    int status = PN_OK;
    self->is_heard = self->is_same = self->is_short = 0;
    self->next_answer = 0;
    if (kind == 0)
        replay_hear(self, input);
    else
        status = self->model->apply(self);
    size_t count = self->answers_count;
    fault = check_event(L, self, status);
    self->answers_count = 0;
    self->events += kind != 0;
    if (!fault) {
        lua_pushstring(L, pn_status_name(status));
        return 1;
    }
    push_failure(L, fault);
    lua_pushstring(L, self->is_lost && self->next_answer == count ? "lost" : "wrong");
    return 3;
}

static int replay_digest(lua_State *L)
{
    const replay *self = luaL_checkudata(L, 1, REPLAY);
    char digest[DIGEST_SIZE];
    format_digest(digest, self->model->digest(self));
    lua_pushstring(L, digest);
    return 1;
}

static int replay_events(lua_State *L)
{
    const replay *self = luaL_checkudata(L, 1, REPLAY);
    lua_pushinteger(L, (lua_Integer)self->events);
    return 1;
}

static int replay_decisions(lua_State *L)
{
    const replay *self = luaL_checkudata(L, 1, REPLAY);
    lua_pushinteger(L, (lua_Integer)self->decisions);
    return 1;
}

/* Ends the decision log; nil, or why it cannot be written. */
static int replay_finish(lua_State *L)
{
    replay *self = luaL_checkudata(L, 1, REPLAY);
    if (!self->log.file)
        return 0;
    self->model->log_end(self);
    run_log_commit(&self->log);
    if (!self->log.broken)
        return 0;
    lua_pushstring(L, strerror(self->log.broken));
    return 1;
}

/* (check, bytes): the check behind them. */
static int core_input_check(lua_State *L)
{
    size_t size;
    uint64_t check = (uint64_t)luaL_checkinteger(L, 1);
    const char *text = luaL_checklstring(L, 2, &size);
    lua_pushinteger(L, (lua_Integer)pn_input_check(check, text, size));
    return 1;
}

void lreplay_open(lua_State *L)
{
    static const luaL_Reg methods[] = {{"answer", replay_answer_add},
                                       {"tell", replay_tell},
                                       {"digest", replay_digest},
                                       {"events", replay_events},
                                       {"decisions", replay_decisions},
                                       {"finish", replay_finish},
                                       {"close", replay_gc},
                                       {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", replay_gc}, {"__close", replay_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {{"input_check", core_input_check}, {NULL, NULL}};
    lpinion_type(L, REPLAY, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
