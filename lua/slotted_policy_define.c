/* Reads the table that a policy file returned, and refuses whatever it does not understand. Runs inside a protected call, which
 * puts the file's name before every fault: "field: what is wrong (what was expected)". Fields are read in a fixed order, so the
 * first fault is always the same one. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "slotted_policy.h"

enum { ENTRIES_MAX = 64 }; /* of any table by name; each has a closer limit of its own */

/* The arguments, and a table of the functions found so far. */
enum { ARGUMENT_TABLE = 1, ARGUMENT_POLICY, FUNCTIONS };

/* The format is lua_pushvfstring's. Never returns. */
static int refuse(lua_State *L, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    return lua_error(L);
}

/* ---- small readers -------------------------------------------------------------------------------- */

/* Pushes the field of the table at `table`; its type. */
static int get(lua_State *L, int table, const char *field)
{
    lua_pushstring(L, field);
    return lua_rawget(L, table);
}

/* Copies a short name of letters, digits and _-. (dots and dashes only when `loose`). */
static void copy_name(lua_State *L, int index, char to[POLICY_NAME_SIZE], const char *what, bool loose)
{
    size_t size = 0;
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : NULL;
    const char *legal = loose ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
                              : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (!name || size == 0 || size >= POLICY_NAME_SIZE || strspn(name, legal) != size)
        refuse(L, "%s: must be a name of 1 to %d letters, digits, _%s", what, POLICY_NAME_SIZE - 1, loose ? ", - and dots" : "");
    memcpy(to, name, size + 1);
}

static void copy_text(char *to, size_t room, const char *from, size_t size)
{
    if (size >= room) { /* not in the middle of a UTF-8 character */
        size = room - 1;
        while (size > 0 && ((unsigned char)from[size] & 0xC0) == 0x80)
            size--;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = (unsigned char)from[i] < ' ' ? ' ' : from[i];
    to[size] = '\0';
}

static void push_list(lua_State *L, const char *const words[])
{
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (int i = 0; words[i]; i++) {
        luaL_addstring(&list, i == 0 ? "" : ", ");
        luaL_addstring(&list, words[i]);
    }
    luaL_pushresult(&list);
}

/* The index among `words` (ended by null) of the string at `index`. */
static int word_at(lua_State *L, int index, const char *where, const char *field, const char *const words[])
{
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    const char *got = word ? word : luaL_typename(L, index);
    push_list(L, words);
    return refuse(L, "%s%s: must be one of %s; got %s", where, field, lua_tostring(L, -1), got);
}

/* The same for a field of the table at `table`; `missing` when it is nil. */
static int get_word(lua_State *L, int table, const char *where, const char *field, const char *const words[], int missing)
{
    int word = get(L, table, field) == LUA_TNIL ? missing : word_at(L, lua_gettop(L), where, field, words);
    lua_pop(L, 1);
    return word;
}

/* The type of a key of the table at `table` that is no name, the first in the order of bytes; null when there is none. Keys of
 * its list do not count when they are to be skipped. */
static const char *odd_key(lua_State *L, int table, bool skip_list)
{
    const char *odd = NULL;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        lua_Integer place = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        bool listed = skip_list && place >= 1 && place <= (lua_Integer)lua_rawlen(L, table);
        const char *type = luaL_typename(L, -2);
        if (lua_type(L, -2) != LUA_TSTRING && !listed && (!odd || strcmp(type, odd) < 0))
            odd = type;
    }
    return odd;
}

/* Refuses fields of the table at `table` that are not among `known`. The one named is the first in the order of bytes. */
static void only_fields(lua_State *L, int table, const char *where, const char *const known[])
{
    const char *odd = odd_key(L, table, false);
    if (odd)
        refuse(L, "%shas an entry under a %s (expected named fields only)", where, odd);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        const char *field = lua_tostring(L, -2);
        bool found = false;
        for (int i = 0; known[i] && !found; i++)
            found = strcmp(field, known[i]) == 0;
        if (!found && (!odd || strcmp(field, odd) < 0))
            odd = field;
        lua_pop(L, 1);
    }
    if (!odd)
        return;
    const char *near = policy_nearest(odd, known);
    if (near)
        refuse(L, "%s%s: unknown field (did you mean '%s'?)", where, odd, near);
    push_list(L, known);
    refuse(L, "%s%s: unknown field (known: %s)", where, odd, lua_tostring(L, -1));
}

/* Pushes an array of the string keys of the table at `table` in the order of bytes; their number. Keys of other types are
 * refused, or only those that do not belong to its list. */
static lua_Integer sorted_keys(lua_State *L, int table, const char *where, bool skip_list)
{
    lua_Integer count = 0;
    const char *odd = odd_key(L, table, skip_list);
    if (odd && skip_list)
        refuse(L, "%s: has an entry that is neither in the list nor named", where);
    if (odd)
        refuse(L, "%s: must have named entries only, got a %s as a name", where, odd);
    lua_newtable(L);
    int keys = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING)
            continue;
        const char *name = lua_tostring(L, -1);
        lua_Integer at = count++;
        if (count > ENTRIES_MAX)
            refuse(L, "%s: has more than %d named entries", where, ENTRIES_MAX);
        for (; at > 0; at--) { /* insertion: there are few */
            lua_rawgeti(L, keys, at);
            if (strcmp(lua_tostring(L, -1), name) < 0) {
                lua_pop(L, 1);
                break;
            }
            lua_rawseti(L, keys, at + 1);
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, keys, at + 1);
    }
    return count;
}

static bool get_boolean(lua_State *L, int table, const char *where, const char *field, bool missing)
{
    int type = get(L, table, field);
    bool value = type == LUA_TNIL ? missing : lua_toboolean(L, -1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        refuse(L, "%s%s: must be true or false, got a %s", where, field, lua_typename(L, type));
    lua_pop(L, 1);
    return value;
}

static lua_Integer get_integer(lua_State *L, int table, const char *where, const char *field, lua_Integer low, lua_Integer high,
                               lua_Integer missing)
{
    int integer = 1;
    lua_Integer value = missing;
    if (get(L, table, field) != LUA_TNIL) {
        value = lua_tointegerx(L, -1, &integer);
        if (!integer || lua_type(L, -1) != LUA_TNUMBER || value < low || value > high)
            refuse(L, "%s%s: must be an integer in %I..%I", where, field, (LUAI_UACINT)low, (LUAI_UACINT)high);
    }
    lua_pop(L, 1);
    return value;
}

/* Keeps the function in the field of the table at `table`, when there is one, as number `which` of those to return. */
static bool get_function(lua_State *L, int table, const char *where, const char *field, int which)
{
    int type = get(L, table, field);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TFUNCTION || lua_iscfunction(L, -1))
        refuse(L, "%s%s: must be a function, got a %s", where, field,
               type == LUA_TFUNCTION ? "C function" : lua_typename(L, type));
    lua_rawseti(L, FUNCTIONS, which + 1);
    return true;
}

/* ---- names, modes ----------------------------------------------------------------------------------- */

/* The first line that is a comment, without its dashes and final dot. */
static const char *first_comment(const char *text, size_t size, size_t *length)
{
    size_t start = 0, end;
    while (start < size && text[start] != '-') { /* a line before it, such as #!, is skipped */
        while (start < size && text[start] != '\n')
            start++;
        start += start < size;
    }
    while (start < size && (text[start] == '-' || text[start] == ' '))
        start++;
    for (end = start; end < size && text[end] != '\n';)
        end++;
    while (end > start && (text[end - 1] == '.' || text[end - 1] == ' ' || text[end - 1] == '\r'))
        end--;
    *length = end - start;
    return text + start;
}

/* The idea in one line: the field, else the first comment of the file. */
static void read_summary(lua_State *L, pn_lua_policy *policy)
{
    size_t size;
    int type = get(L, ARGUMENT_TABLE, "summary");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        refuse(L, "summary: must be a string, got a %s", lua_typename(L, type));
    const char *summary =
        type == LUA_TSTRING ? lua_tolstring(L, -1, &size) : first_comment(policy->text, policy->text_size, &size);
    copy_text(policy->summary, sizeof policy->summary, summary, size);
    lua_pop(L, 1);
}

static void read_names(lua_State *L, pn_lua_policy *policy)
{
    static const char *const models[] = {"slotted", NULL};
    get(L, ARGUMENT_TABLE, "name");
    copy_name(L, -1, policy->name, "name", true);
    if (get(L, ARGUMENT_TABLE, "model") == LUA_TNIL)
        refuse(L, "model: is required (slotted)");
    word_at(L, lua_gettop(L), "", "model", models);
    read_summary(L, policy);
    policy->table.name = policy->name;
    policy->table.summary = policy->summary;
    policy->table.source = policy->chunk;
    lua_pop(L, 2);
}

static void read_modes(lua_State *L, pn_slotted_policy *table)
{
    static const char *const modes[] = {"preemptive", "nonpreemptive", NULL};
    int type = get(L, ARGUMENT_TABLE, "modes");
    table->preemptive = table->nonpreemptive = type == LUA_TNIL;
    if (type != LUA_TNIL && type != LUA_TTABLE)
        refuse(L, "modes: must be an array of preemptive, nonpreemptive; got a %s", lua_typename(L, type));
    for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        if (word_at(L, lua_gettop(L), "", "modes", modes) == 0)
            table->preemptive = 1;
        else
            table->nonpreemptive = 1;
        lua_pop(L, 1);
    }
    if (!table->preemptive && !table->nonpreemptive)
        refuse(L, "modes: must name at least one of preemptive, nonpreemptive");
    lua_pop(L, 1);
}

static void read_virtual(lua_State *L, pn_slotted_policy *table)
{
    static const char *const runs[] = {"estimates", "truth", NULL};
    static const uint8_t run_kinds[] = {PN_VIRTUAL_ESTIMATES, PN_VIRTUAL_TRUTH};
    static const char *const loads[] = {"slot", "cumulative", NULL};
    static const uint8_t load_kinds[] = {PN_LOAD_SLOT, PN_LOAD_CUMULATIVE};
    int run = get_word(L, ARGUMENT_TABLE, "", "virtual", runs, -1);
    table->virtual_run = run < 0 ? PN_VIRTUAL_NONE : run_kinds[run];
    table->load = load_kinds[get_word(L, ARGUMENT_TABLE, "", "load", loads, 0)];
}

/* ---- parameters --------------------------------------------------------------------------------------- */

static double param_number(lua_State *L, int table, const char *where, const char *field, bool is_float, double missing)
{
    double value = missing;
    if (get(L, table, field) != LUA_TNIL) {
        bool legal = lua_type(L, -1) == LUA_TNUMBER && (is_float || lua_isinteger(L, -1));
        value = legal ? lua_tonumber(L, -1) : 0;
        if (!legal || !(fabs(value) <= (is_float ? HUGE_VAL : (double)PN_INTEGER_MAX)))
            refuse(L, "%s.%s: must be %s", where, field, is_float ? "a number" : "an integer, |x| <= 2^53");
    }
    lua_pop(L, 1);
    return value;
}

static void read_param(lua_State *L, pn_lua_policy *policy, uint32_t index, int table)
{
    static const char *const fields[] = {"default", "doc", "max", "min", NULL};
    pn_lua_param *param = &policy->params[index];
    pn_slotted_param *kernel = &policy->table.params[index];
    const char *where = lua_pushfstring(L, "params.%s", policy->param_names[index]);
    size_t size = 0;
    if (lua_type(L, table) != LUA_TTABLE)
        refuse(L, "%s: must be a table such as { default = 1, doc = \"what it does\" }, got a %s", where,
               luaL_typename(L, table));
    only_fields(L, table, lua_pushfstring(L, "%s.", where), fields);
    if (get(L, table, "default") != LUA_TNUMBER)
        refuse(L, "%s.default: is required (a number; 1 allows integers only, 1.0 any number)", where);
    param->is_float = !lua_isinteger(L, -1);
    const char *doc = get(L, table, "doc") == LUA_TSTRING ? lua_tolstring(L, -1, &size) : NULL;
    if (!doc)
        refuse(L, "%s.doc: is required (one line that says what it does)", where);
    copy_text(policy->param_docs[index], POLICY_TEXT_SIZE, doc, size);
    double widest = param->is_float ? HUGE_VAL : (double)PN_INTEGER_MAX;
    param->value = param_number(L, table, where, "default", param->is_float, 0);
    param->low = param_number(L, table, where, "min", param->is_float, -widest);
    param->high = param_number(L, table, where, "max", param->is_float, widest);
    if (!(param->value >= param->low && param->value <= param->high) || !(fabs(param->value) < HUGE_VAL))
        refuse(L, "%s.default: must be finite and lie between min and max", where);
    kernel->name = param->name = policy->param_names[index];
    kernel->doc = param->doc = policy->param_docs[index];
    /* The order of bits is not that of floats: their range is checked where values come from, not by the kernel. */
    kernel->value = param->is_float ? pn_lua_float(param->value) : (int64_t)param->value;
    kernel->low = param->is_float ? INT64_MIN : (int64_t)param->low;
    kernel->high = param->is_float ? INT64_MAX : (int64_t)param->high;
}

static void read_params(lua_State *L, pn_lua_policy *policy)
{
    int top = lua_gettop(L), type = get(L, ARGUMENT_TABLE, "params");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        refuse(L, "params: must be a table of parameters by name, got a %s", lua_typename(L, type));
    lua_Integer count = type == LUA_TTABLE ? sorted_keys(L, top + 1, "params", false) : 0;
    if (count > PN_PARAMS_MAX)
        refuse(L, "params: there are %d (expected at most %d)", (int)count, PN_PARAMS_MAX);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, top + 2, i + 1);
        copy_name(L, -1, policy->param_names[i], "params", false);
        get(L, top + 1, policy->param_names[i]);
        read_param(L, policy, (uint32_t)i, lua_gettop(L));
        lua_settop(L, top + 2);
    }
    policy->table.param_count = (uint8_t)count;
    lua_settop(L, top);
}

/* ---- declared memory ------------------------------------------------------------------------------------ */

static void add_cells(lua_State *L, pn_lua_policy *policy, const char *field, enum cell_kind kind, uint32_t per_job,
                      uint32_t more)
{
    policy_cells *cells = &policy->cells[policy->cell_count];
    if (policy->cell_count == POLICY_CELLS_MAX)
        refuse(L, "%s: more than %d names in state and per_job together", field, POLICY_CELLS_MAX);
    copy_name(L, -1, cells->name, field, false);
    for (uint32_t i = 0; i < policy->cell_count; i++)
        if ((policy->cells[i].kind == CELL_PER_JOB) == (kind == CELL_PER_JOB) && strcmp(policy->cells[i].name, cells->name) == 0)
            refuse(L, "%s: %s is named twice", field, cells->name);
    cells->kind = kind;
    cells->per_job = per_job;
    cells->more = more;
    policy->cell_count++;
    lua_pop(L, 1);
}

/* The names in the array part of the table at `table`. */
static void read_name_list(lua_State *L, pn_lua_policy *policy, int table, const char *field, enum cell_kind kind)
{
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, table); i++) {
        lua_rawgeti(L, table, i);
        add_cells(L, policy, field, kind, 0, 0);
    }
}

static void read_arrays(lua_State *L, pn_lua_policy *policy, int table)
{
    static const char *const fields[] = {"more", "per_job", NULL};
    lua_Integer count = sorted_keys(L, table, "state", true);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, table) != LUA_TTABLE)
            refuse(L, "state.%s: must be a table such as { per_job = 2, more = 1 } (an array), or a plain name in the list",
                   lua_tostring(L, -2));
        int array = lua_gettop(L);
        const char *where = lua_pushfstring(L, "state.%s.", lua_tostring(L, -2));
        only_fields(L, array, where, fields);
        uint32_t per_job = (uint32_t)get_integer(L, array, where, "per_job", 0, 16, 0);
        uint32_t more = (uint32_t)get_integer(L, array, where, "more", 0, 1 << 16, 0);
        if (per_job + more == 0)
            refuse(L, "%sper_job: an array needs per_job or more to be at least 1", where);
        lua_settop(L, array - 1);
        add_cells(L, policy, "state", CELL_ARRAY, per_job, more);
    }
    lua_settop(L, keys - 1);
}

static void read_memory(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"state", "per_job"};
    for (int i = 0; i < 2; i++) {
        int type = get(L, ARGUMENT_TABLE, fields[i]), table = lua_gettop(L);
        if (type != LUA_TNIL && type != LUA_TTABLE)
            refuse(L, "%s: must be a list of names such as { \"last\" }, got a %s", fields[i], lua_typename(L, type));
        if (type == LUA_TTABLE)
            read_name_list(L, policy, table, fields[i], i == 0 ? CELL_SINGLE : CELL_PER_JOB);
        if (type == LUA_TTABLE && i == 0)
            read_arrays(L, policy, table);
        if (type == LUA_TTABLE && i == 1 && sorted_keys(L, table, "per_job", true) > 0)
            refuse(L, "per_job: must be a list of names such as { \"credit\" }, got a named entry");
        lua_settop(L, table - 1);
    }
    policy->keeps_weights = policy->table.weight != NULL;
    policy_size_memory(policy);
}

/* ---- orders ---------------------------------------------------------------------------------------------- */

static const char *const KEYS[] = {"arrival", "remaining", "most_remaining", "share", NULL};
enum { KEY_ARRIVAL, KEY_REMAINING, KEY_MOST_REMAINING, KEY_SHARE };

static const char *const JOBS[] = {"all", "map", "reduce", "load", "unfinished", NULL};
static const uint8_t JOBS_MEMBERS[] = {PN_WITH_MAPS | PN_WITH_REDUCES, PN_WITH_MAPS, PN_WITH_REDUCES, PN_WITH_LOAD,
                                       PN_WITH_MAPS | PN_WITH_REDUCES | PN_WITH_RUNNING};

static const char *const CHANGES[] = {"served", "arrival", "time", "tick", NULL};
static const uint8_t CHANGES_KERNEL[] = {PN_CHANGES_WHEN_SERVED, PN_CHANGES_ON_ARRIVAL, PN_CHANGES_WITH_TIME, PN_CHANGES_ON_TICK};

static void use_key(pn_slotted_order *order, int key)
{
    static void (*const functions[])(const pn_slotted_view *, uint32_t, pn_key *) = {
        [KEY_ARRIVAL] = NULL,
        [KEY_REMAINING] = pn_slotted_key_remaining,
        [KEY_MOST_REMAINING] = pn_slotted_key_most_remaining,
        [KEY_SHARE] = pn_slotted_share_key,
    };
    order->key = functions[key];
    order->changes = key == KEY_ARRIVAL ? PN_CHANGES_ON_ARRIVAL : PN_CHANGES_WHEN_SERVED;
}

/* What orders the jobs: a key by name, a function for the key, or shares with or without a function for the weights. */
static void read_key(lua_State *L, pn_lua_policy *policy, int k, int value, const char *where, bool share)
{
    pn_slotted_order *order = &policy->table.orders[k];
    int key = share ? KEY_SHARE : get_word(L, value, where, "by", KEYS, -1);
    bool scripted = get_function(L, value, where, "of", key == KEY_SHARE ? FUNCTION_WEIGHT : FUNCTION_KEY + k);
    if (scripted && key >= 0 && key != KEY_SHARE)
        refuse(L, "%sof: there is a key already, by = \"%s\" (expected one of the two)", where, KEYS[key]);
    if (!scripted && key < 0)
        refuse(L, "%sof: is required (a function of s and job that returns the key), or by = \"remaining\" and the like", where);
    if (scripted && key == KEY_SHARE && policy->table.weight)
        refuse(L, "%sof: another order has weights already", where);
    if (scripted && key == KEY_SHARE)
        policy->table.weight = policy_weight;
    if (key >= 0)
        use_key(order, key);
    else
        order->key = policy_scripted_keys[k];
    policy->orders[k].scripted = scripted;
    int changes = get_word(L, value, where, "changes", CHANGES, -1);
    if (scripted && changes < 0)
        refuse(L, "%schanges: is required (when the result of `of` may change: arrival, served, tick or time)", where);
    if (!scripted && changes >= 0)
        refuse(L, "%schanges: goes with `of` (the kernel knows when its own keys change)", where);
    if (scripted)
        order->changes = CHANGES_KERNEL[changes];
    if (key == KEY_SHARE && order->changes == PN_CHANGES_ON_ARRIVAL) /* weights may stay; the machines held beside them do not */
        order->changes = PN_CHANGES_WHEN_SERVED;
}

/* The order that the value at `value` declares: a word, or a table. `share`: its keys are shares. */
static void read_order(lua_State *L, pn_lua_policy *policy, int k, int value, const char *name, bool share)
{
    static const char *const fields[] = {"by", "changes", "jobs", "of", "walk", NULL};
    static const char *const equal[] = {"equal", NULL};
    pn_slotted_order *order = &policy->table.orders[k];
    const char *where = lua_pushfstring(L, "%s.", name);
    order->members = JOBS_MEMBERS[0];
    if (lua_type(L, value) == LUA_TSTRING) {
        int word = word_at(L, value, "", name, share ? equal : KEYS);
        use_key(order, share ? KEY_SHARE : word);
        return;
    }
    if (lua_type(L, value) != LUA_TTABLE)
        refuse(L, "%s: must be a word (%s) or a table such as { changes = \"served\", of = function(s, job) ... end }, got a %s",
               name, share ? "equal" : "arrival, remaining, most_remaining, share", luaL_typename(L, value));
    only_fields(L, value, where, share ? fields + 1 : fields);
    read_key(L, policy, k, value, where, share);
    order->members = JOBS_MEMBERS[get_word(L, value, where, "jobs", JOBS, 0)];
    order->fit = get_boolean(L, value, where, "walk", false);
    if (order->fit && (order->key == pn_slotted_share_key || order->members == PN_WITH_LOAD))
        refuse(L, "%swalk: an order of shares or of loads cannot be walked", where);
    if (order->members == PN_WITH_LOAD && policy->table.virtual_run == PN_VIRTUAL_NONE)
        refuse(L, "%sjobs: \"load\" needs virtual = \"estimates\" or \"truth\"", where);
}

static void read_named_orders(lua_State *L, pn_lua_policy *policy)
{
    int type = get(L, ARGUMENT_TABLE, "orders"), table = lua_gettop(L);
    if (type == LUA_TNIL) { /* what a short script expects to find */
        strcpy(policy->orders[0].name, "remaining");
        use_key(&policy->table.orders[0], KEY_REMAINING);
        policy->table.orders[0].members = JOBS_MEMBERS[0];
        policy->table.orders[0].fit = 1;
        policy->table.order_count = 1;
        return;
    }
    if (type != LUA_TTABLE)
        refuse(L, "orders: must be a table of orders by name, got a %s", lua_typename(L, type));
    lua_Integer count = sorted_keys(L, table, "orders", false);
    if (count < 1 || count > PN_ORDERS_MAX)
        refuse(L, "orders: there are %d (expected 1 to %d)", (int)count, PN_ORDERS_MAX);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, table + 1, k + 1);
        copy_name(L, -1, policy->orders[k].name, "orders", false);
        get(L, table, policy->orders[k].name);
        int value = lua_gettop(L);
        read_order(L, policy, k, value, lua_pushfstring(L, "orders.%s", policy->orders[k].name), false);
        lua_settop(L, table + 1);
    }
    policy->table.order_count = (uint8_t)count;
    int shares = 0;
    for (int k = 0; k < count; k++)
        shares += policy->table.orders[k].key == pn_slotted_share_key;
    if (policy->table.weight && shares > 1) /* the kernel weighs a job the same in all of them */
        refuse(L, "orders: there are %d of shares (expected one, as it has weights)", shares);
}

/* Which of the three forms it takes. */
static void read_form(lua_State *L, pn_lua_policy *policy)
{
    bool acts = get_function(L, ARGUMENT_TABLE, "", "slot", FUNCTION_SLOT);
    int key = get(L, ARGUMENT_TABLE, "key"), at = lua_gettop(L), share = get(L, ARGUMENT_TABLE, "share");
    if (acts + (key != LUA_TNIL) + (share != LUA_TNIL) != 1)
        refuse(L, "must have exactly one of key, share and slot (an order, shares, or code that hands out machines)");
    if (acts) {
        read_named_orders(L, policy);
    } else {
        if (get(L, ARGUMENT_TABLE, "orders") != LUA_TNIL)
            refuse(L, "orders: go with slot (a key or a share is the only order)");
        strcpy(policy->orders[0].name, key != LUA_TNIL ? "key" : "share");
        read_order(L, policy, 0, key != LUA_TNIL ? at : at + 1, policy->orders[0].name, key == LUA_TNIL);
        if (policy->table.orders[0].key == pn_slotted_share_key && key != LUA_TNIL)
            refuse(L, "key: shares are declared by share = \"equal\" or share = { of = ... }");
        if ((policy->table.orders[0].members & JOBS_MEMBERS[0]) != JOBS_MEMBERS[0])
            refuse(L, "%s.jobs: must be all or unfinished (nobody would serve the others)", policy->orders[0].name);
        policy->table.order_count = 1;
    }
    policy->table.act = acts ? policy_slot : NULL;
    policy->table.work_conserving = get_boolean(L, ARGUMENT_TABLE, "", "work_conserving", !acts);
    lua_settop(L, FUNCTIONS);
}

static void read_hooks(lua_State *L, pn_lua_policy *policy)
{
    pn_slotted_policy *table = &policy->table;
    table->init = get_function(L, ARGUMENT_TABLE, "", "init", FUNCTION_INIT) ? policy_init : NULL;
    policy->arrives = get_function(L, ARGUMENT_TABLE, "", "arrive", FUNCTION_ARRIVE);
    policy->finishes = get_function(L, ARGUMENT_TABLE, "", "finish", FUNCTION_FINISH);
    table->arrive = policy_arrive;
    table->finish = policy_finish;
    table->tick = get_function(L, ARGUMENT_TABLE, "", "tick", FUNCTION_TICK) ? policy_tick : NULL;
    table->tick_slots = (uint64_t)get_integer(L, ARGUMENT_TABLE, "", "tick_slots", 0, (lua_Integer)PN_INTEGER_MAX, 0);
    bool ticks = table->tick != NULL;
    for (int k = 0; k < table->order_count; k++)
        ticks = ticks || table->orders[k].changes == PN_CHANGES_ON_TICK;
    if (ticks && table->tick_slots == 0)
        refuse(L, "tick_slots: is required with tick or changes = \"tick\" (slots between two ticks, >= 1)");
    if (!ticks && table->tick_slots > 0)
        refuse(L, "tick_slots: nothing happens on a tick (expected a function tick, or an order with changes = \"tick\")");
}

int policy_define(lua_State *L)
{
    static const char *const fields[] = {
        "arrive",  "finish", "init", "key",   "load",    "model", "modes",      "name",    "orders",          "params",
        "per_job", "share",  "slot", "state", "summary", "tick",  "tick_slots", "virtual", "work_conserving", NULL};
    pn_lua_policy *policy = lua_touserdata(L, ARGUMENT_POLICY);
    lua_createtable(L, FUNCTION_COUNT, 0);
    only_fields(L, ARGUMENT_TABLE, "", fields);
    read_names(L, policy);
    read_modes(L, &policy->table);
    read_virtual(L, &policy->table);
    read_params(L, policy);
    read_form(L, policy);
    read_memory(L, policy);
    read_hooks(L, policy);
    policy_push_view(L, policy);
    for (int i = 0; i < FUNCTION_COUNT; i++)
        lua_rawgeti(L, FUNCTIONS, i + 1);
    return 1 + FUNCTION_COUNT;
}
