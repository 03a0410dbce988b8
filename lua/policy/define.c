/* Reads the table that a policy file returned, and refuses whatever it does not understand: what is
 * the same in every model. Runs inside a protected call, which puts the file's name before every
 * fault: "field: what is wrong (what was expected)". Fields are read in a fixed order, so the first
 * fault is always the same one. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "define.h"
#include "view.h"

enum { ENTRIES_MAX = 64 }; /* of any table by name; each has a closer limit of its own */

int define_refuse(lua_State *L, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    return lua_error(L);
}

/* ---- small readers --------------------------------------------------------------------------- */

int define_get(lua_State *L, int table, const char *field)
{
    lua_pushstring(L, field);
    return lua_rawget(L, table);
}

void define_name(lua_State *L, int index, char to[POLICY_NAME_SIZE], const char *what, bool loose)
{
    size_t size = 0;
    const char *name = lua_type(L, index) == LUA_TSTRING ? lua_tolstring(L, index, &size) : NULL;
    const char *legal = loose ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
                              : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    if (!name || size == 0 || size >= POLICY_NAME_SIZE || strspn(name, legal) != size)
        define_refuse(L, "%s: must be a name of 1 to %d letters, digits, _%s", what,
                      POLICY_NAME_SIZE - 1, loose ? ", - and dots" : "");
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

int define_word_at(lua_State *L, int index, const char *where, const char *field,
                   const char *const words[])
{
    const char *word = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    const char *got = word ? word : luaL_typename(L, index);
    push_list(L, words);
    return define_refuse(L, "%s%s: must be one of %s; got %s", where, field, lua_tostring(L, -1),
                         got);
}

int define_word(lua_State *L, int table, const char *where, const char *field,
                const char *const words[], int missing)
{
    int word = define_get(L, table, field) == LUA_TNIL
                   ? missing
                   : define_word_at(L, lua_gettop(L), where, field, words);
    lua_pop(L, 1);
    return word;
}

/* The type of a key of the table at `table` that is no name, the first in the order of bytes; null
 * when there is none. Keys of its list do not count when they are to be skipped. */
static const char *odd_key(lua_State *L, int table, bool skip_list)
{
    const char *odd = NULL;
    lua_Integer length = skip_list ? sandbox_length(L, table) : 0;
    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        lua_Integer place = lua_isinteger(L, -2) ? lua_tointeger(L, -2) : 0;
        bool listed = place >= 1 && place <= length;
        const char *type = luaL_typename(L, -2);
        if (lua_type(L, -2) != LUA_TSTRING && !listed && (!odd || strcmp(type, odd) < 0))
            odd = type;
    }
    return odd;
}

void define_only_fields(lua_State *L, int table, const char *where, const char *const known[])
{
    const char *odd = odd_key(L, table, false);
    if (odd)
        define_refuse(L, "%shas an entry under a %s (expected named fields only)", where, odd);
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
        define_refuse(L, "%s%s: unknown field (did you mean '%s'?)", where, odd, near);
    push_list(L, known);
    define_refuse(L, "%s%s: unknown field (known: %s)", where, odd, lua_tostring(L, -1));
}

lua_Integer define_sorted_keys(lua_State *L, int table, const char *where, bool skip_list)
{
    lua_Integer count = 0;
    const char *odd = odd_key(L, table, skip_list);
    if (odd && skip_list)
        define_refuse(L, "%s: has an entry that is neither in the list nor named", where);
    if (odd)
        define_refuse(L, "%s: must have named entries only, got a %s as a name", where, odd);
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
            define_refuse(L, "%s: has more than %d named entries", where, ENTRIES_MAX);
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

bool define_boolean(lua_State *L, int table, const char *where, const char *field, bool missing)
{
    int type = define_get(L, table, field);
    bool value = type == LUA_TNIL ? missing : lua_toboolean(L, -1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        define_refuse(L, "%s%s: must be true or false, got a %s", where, field,
                      lua_typename(L, type));
    lua_pop(L, 1);
    return value;
}

lua_Integer define_integer(lua_State *L, int table, const char *where, const char *field,
                           lua_Integer low, lua_Integer high, lua_Integer missing)
{
    int integer = 1;
    lua_Integer value = missing;
    if (define_get(L, table, field) != LUA_TNIL) {
        value = lua_tointegerx(L, -1, &integer);
        if (!integer || lua_type(L, -1) != LUA_TNUMBER || value < low || value > high)
            define_refuse(L, "%s%s: must be an integer in %I..%I", where, field, (LUAI_UACINT)low,
                          (LUAI_UACINT)high);
    }
    lua_pop(L, 1);
    return value;
}

bool define_function(lua_State *L, int table, const char *where, const char *field, int which)
{
    int type = define_get(L, table, field);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return false;
    }
    if (type != LUA_TFUNCTION || lua_iscfunction(L, -1))
        define_refuse(L, "%s%s: must be a function, got a %s", where, field,
                      type == LUA_TFUNCTION ? "C function" : lua_typename(L, type));
    lua_rawseti(L, DEFINITION_FUNCTIONS, which + 1);
    return true;
}

/* ---- names ----------------------------------------------------------------------------------- */

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
    int type = define_get(L, DEFINITION, "summary");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        define_refuse(L, "summary: must be a string, got a %s", lua_typename(L, type));
    const char *summary = type == LUA_TSTRING
                              ? lua_tolstring(L, -1, &size)
                              : first_comment(policy->text, policy->text_size, &size);
    copy_text(policy->summary, sizeof policy->summary, summary, size);
    lua_pop(L, 1);
}

#define MODEL_ADDRESS(MODEL, TABLE) &policy_##MODEL##_model,
static const policy_model *const MODELS[] = {POLICY_MODELS(MODEL_ADDRESS)};

/* The model that the definition names; null when it names none that is known. */
static const policy_model *peek_model(lua_State *L)
{
    const char *name = define_get(L, DEFINITION, "model") == LUA_TSTRING ? lua_tostring(L, -1)
                                                                         : NULL;
    const policy_model *model = NULL;
    for (int i = 0; name && i < POLICY_MODELS_COUNT; i++)
        if (strcmp(name, MODELS[i]->name) == 0)
            model = MODELS[i];
    lua_pop(L, 1);
    return model;
}

/* Pushes "a, b or c". */
static const char *push_choice(lua_State *L, const char *const words[])
{
    const char *list = words[0];
    for (int i = 1; words[i]; i++)
        list = lua_pushfstring(L, "%s%s%s", list, words[i + 1] ? ", " : " or ", words[i]);
    return list;
}

static void read_model(lua_State *L)
{
    const char *names[POLICY_MODELS_COUNT + 1] = {NULL};
    for (int i = 0; i < POLICY_MODELS_COUNT; i++)
        names[i] = MODELS[i]->name;
    if (define_get(L, DEFINITION, "model") == LUA_TNIL)
        define_refuse(L, "model: is required (%s)", push_choice(L, names));
    define_word_at(L, lua_gettop(L), "", "model", names);
    lua_pop(L, 1);
}

static void read_names(lua_State *L, pn_lua_policy *policy)
{
    if (define_get(L, DEFINITION, "name") == LUA_TNIL)
        define_refuse(L, "name: is required (1 to %d letters, digits, _, - and dots)",
                      POLICY_NAME_SIZE - 1);
    define_name(L, -1, policy->name, "name", true);
    read_model(L);
    read_summary(L, policy);
    policy->table.names.name = policy->name;
    policy->table.names.summary = policy->summary;
    policy->table.names.source = policy->chunk;
    lua_pop(L, 1);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static double param_number(lua_State *L, int table, const char *where, const char *field,
                           bool is_float, double missing)
{
    double value = missing;
    if (define_get(L, table, field) != LUA_TNIL) {
        bool legal = lua_type(L, -1) == LUA_TNUMBER && (is_float || lua_isinteger(L, -1));
        value = legal ? lua_tonumber(L, -1) : 0;
        if (!legal || !(fabs(value) <= (is_float ? HUGE_VAL : (double)PN_INTEGER_MAX)))
            define_refuse(L, "%s.%s: must be %s", where, field,
                          is_float ? "a number" : "an integer, |x| <= 2^53");
    }
    lua_pop(L, 1);
    return value;
}

/* A number: the kind of its default says which it takes. */
static void read_number(lua_State *L, pn_param *param, int table, const char *where)
{
    bool is_float = !param->integer;
    double widest = is_float ? HUGE_VAL : (double)PN_INTEGER_MAX;
    param->value = param_number(L, table, where, "default", is_float, 0);
    param->low = param_number(L, table, where, "min", is_float, -widest);
    param->high = param_number(L, table, where, "max", is_float, widest);
    if (!(param->value >= param->low && param->value <= param->high) ||
        !(fabs(param->value) < HUGE_VAL))
        define_refuse(L, "%s.default: must be finite and lie between min and max", where);
}

/* The words of a choice, into the policy's own room. */
static int read_words(lua_State *L, policy_param *texts, int table, const char *where)
{
    int type = define_get(L, table, "choices"), list = lua_gettop(L);
    lua_Integer count = type == LUA_TTABLE ? sandbox_length(L, list) : 0;
    if (count < 2 || count > POLICY_CHOICES_MAX || odd_key(L, list, true) ||
        define_sorted_keys(L, list, where, true) > 0)
        define_refuse(L, "%s.choices: must be a list of 2 to %d words, of which default is one",
                      where, POLICY_CHOICES_MAX);
    where = lua_pushfstring(L, "%s.choices", where);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, list, i + 1);
        define_name(L, -1, texts->choices[i], where, false);
        texts->names[i] = texts->choices[i];
        if (strcmp(texts->choices[i], "true") == 0 || strcmp(texts->choices[i], "false") == 0)
            define_refuse(
                L, "%s: must be words (a boolean is declared by default = true or false alone)",
                where);
        for (int k = 0; k < i; k++)
            if (strcmp(texts->choices[k], texts->choices[i]) == 0)
                define_refuse(L, "%s: %s is named twice", where, texts->choices[i]);
        lua_pop(L, 1);
    }
    lua_settop(L, list - 1);
    return (int)count;
}

/* A choice among words, or between false and true; its default is on top of the stack. Values are
 * indices. */
static void read_choice(lua_State *L, policy_param *texts, pn_param *param, int table,
                        const char *where)
{
    static const char *const limits[] = {"min", "max", "choices", NULL};
    bool truth = lua_type(L, -1) == LUA_TBOOLEAN;
    int value = lua_gettop(L), count = 2;
    for (int i = 0; limits[i]; i++)
        if (define_get(L, table, limits[i]) != LUA_TNIL && (i < 2 || truth))
            define_refuse(L, "%s.%s: goes with a default that is a %s", where, limits[i],
                          i < 2 ? "number" : "word");
    lua_settop(L, value);
    if (truth) {
        texts->names[0] = "false";
        texts->names[1] = "true";
        param->value = lua_toboolean(L, value);
    } else {
        count = read_words(L, texts, table, where);
        param->value = define_word_at(L, value, where, ".default", texts->names);
    }
    param->names = texts->names;
    param->high = count - 1;
}

static void read_param(lua_State *L, pn_lua_policy *policy, uint32_t index, int table)
{
    static const char *const fields[] = {"choices", "default", "doc", "max", "min", NULL};
    pn_param *param = &policy->params[index];
    policy_param *texts = &policy->param_texts[index];
    bool chooses = policy->model->chooses;
    const char *where = lua_pushfstring(L, "params.%s", texts->name);
    size_t size = 0;
    if (lua_type(L, table) != LUA_TTABLE)
        define_refuse(
            L, "%s: must be a table such as { default = 1, doc = \"what it does\" }, got a %s",
            where, luaL_typename(L, table));
    define_only_fields(L, table, lua_pushfstring(L, "%s.", where), chooses ? fields : fields + 1);
    int type = define_get(L, table, "default"), value = lua_gettop(L);
    bool choice = chooses && (type == LUA_TBOOLEAN || type == LUA_TSTRING);
    if (type != LUA_TNUMBER && !choice)
        define_refuse(
            L, "%s.default: is required (a number; 1 allows integers only, 1.0 any number%s)",
            where, chooses ? "; or true, false, or a word of choices = { ... }" : "");
    const char *doc = define_get(L, table, "doc") == LUA_TSTRING ? lua_tolstring(L, -1, &size)
                                                                 : NULL;
    if (!doc)
        define_refuse(L, "%s.doc: is required (one line that says what it does)", where);
    copy_text(texts->doc, POLICY_TEXT_SIZE, doc, size);
    param->name = texts->name;
    param->doc = texts->doc;
    param->integer = lua_isinteger(L, value) != 0;
    lua_settop(L, value);
    if (choice)
        read_choice(L, texts, param, table, where);
    else if (chooses && define_get(L, table, "choices") != LUA_TNIL)
        define_refuse(L, "%s.choices: goes with a default that is a word", where);
    else
        read_number(L, param, table, where);
    policy->param_values[index] = param->value;
}

void define_params(lua_State *L, pn_lua_policy *policy)
{
    int top = lua_gettop(L), type = define_get(L, DEFINITION, "params");
    policy->params = (pn_param *)(void *)((char *)&policy->table + policy->model->params);
    if (type != LUA_TNIL && type != LUA_TTABLE)
        define_refuse(L, "params: must be a table of parameters by name, got a %s",
                      lua_typename(L, type));
    lua_Integer count = type == LUA_TTABLE ? define_sorted_keys(L, top + 1, "params", false) : 0;
    if (count > POLICY_PARAMS_MAX)
        define_refuse(L, "params: there are %d (expected at most %d)", (int)count,
                      POLICY_PARAMS_MAX);
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, top + 2, i + 1);
        define_name(L, -1, policy->param_texts[i].name, "params", false);
        define_get(L, top + 1, policy->param_texts[i].name);
        read_param(L, policy, (uint32_t)i, lua_gettop(L));
        lua_settop(L, top + 2);
    }
    policy->param_count = (uint32_t)count;
    lua_settop(L, top);
}

/* ---- declared memory ------------------------------------------------------------------------- */

static void add_cells(lua_State *L, pn_lua_policy *policy, const char *field, enum cell_kind kind,
                      uint32_t per_job, uint32_t more)
{
    policy_cells *cells = &policy->cells[policy->cell_count];
    if (policy->cell_count == POLICY_CELLS_MAX)
        define_refuse(L, "%s: more than %d names in state and per_job together", field,
                      POLICY_CELLS_MAX);
    define_name(L, -1, cells->name, field, false);
    for (uint32_t i = 0; i < policy->cell_count; i++)
        if ((policy->cells[i].kind == CELL_PER_JOB) == (kind == CELL_PER_JOB) &&
            strcmp(policy->cells[i].name, cells->name) == 0)
            define_refuse(L, "%s: %s is named twice", field, cells->name);
    cells->kind = kind;
    cells->per_job = per_job;
    cells->more = more;
    policy->cell_count++;
    lua_pop(L, 1);
}

/* The names in the array part of the table at `table`. */
static void read_name_list(lua_State *L, pn_lua_policy *policy, int table, const char *field,
                           enum cell_kind kind)
{
    lua_Integer count = sandbox_length(L, table);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, table, i);
        add_cells(L, policy, field, kind, 0, 0);
    }
}

static void read_arrays(lua_State *L, pn_lua_policy *policy, int table)
{
    static const char *const fields[] = {"more", "per_job", NULL};
    lua_Integer count = define_sorted_keys(L, table, "state", true);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, keys, i);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, table) != LUA_TTABLE)
            define_refuse(L,
                          "state.%s: must be a table such as { per_job = 2, more = 1 } (an array), "
                          "or a plain name in the list",
                          lua_tostring(L, -2));
        int array = lua_gettop(L);
        const char *where = lua_pushfstring(L, "state.%s.", lua_tostring(L, -2));
        define_only_fields(L, array, where, fields);
        uint32_t per_job = (uint32_t)define_integer(L, array, where, "per_job", 0, 16, 0);
        uint32_t more = (uint32_t)define_integer(L, array, where, "more", 0, 1 << 16, 0);
        if (per_job + more == 0)
            define_refuse(L, "%sper_job: an array needs per_job or more to be at least 1", where);
        lua_settop(L, array - 1);
        add_cells(L, policy, "state", CELL_ARRAY, per_job, more);
    }
    lua_settop(L, keys - 1);
}

void define_memory(lua_State *L, pn_lua_policy *policy)
{
    static const char *const fields[] = {"state", "per_job"};
    for (int i = 0; i < 2; i++) {
        int type = define_get(L, DEFINITION, fields[i]), table = lua_gettop(L);
        if (type != LUA_TNIL && type != LUA_TTABLE)
            define_refuse(L, "%s: must be a list of names such as { \"last\" }, got a %s",
                          fields[i], lua_typename(L, type));
        if (type == LUA_TTABLE)
            read_name_list(L, policy, table, fields[i], i == 0 ? CELL_SINGLE : CELL_PER_JOB);
        if (type == LUA_TTABLE && i == 0)
            read_arrays(L, policy, table);
        if (type == LUA_TTABLE && i == 1 && define_sorted_keys(L, table, "per_job", true) > 0)
            define_refuse(
                L, "per_job: must be a list of names such as { \"credit\" }, got a named entry");
        lua_settop(L, table - 1);
    }
}

/* ---- hooks, orders, all of it ---------------------------------------------------------------- */

bool define_hooks(lua_State *L, pn_lua_policy *policy, const char *finish)
{
    bool begins = define_function(L, DEFINITION, "", "init", FUNCTION_INIT);
    policy->arrives = define_function(L, DEFINITION, "", "arrive", FUNCTION_ARRIVE);
    policy->finishes = define_function(L, DEFINITION, "", finish, FUNCTION_FINISH);
    return begins;
}

void define_orders(lua_State *L, pn_lua_policy *policy, int least, int most, define_order *read)
{
    int type = define_get(L, DEFINITION, "orders"), table = lua_gettop(L);
    if (type != LUA_TTABLE)
        define_refuse(L, "orders: must be a table of orders by name, got a %s",
                      lua_typename(L, type));
    lua_Integer count = define_sorted_keys(L, table, "orders", false);
    if (count < least || count > most)
        define_refuse(L, "orders: there are %d (expected %d to %d)", (int)count, least, most);
    for (int k = 0; k < count; k++) {
        lua_rawgeti(L, table + 1, k + 1);
        define_name(L, -1, policy->order_names[k], "orders", false);
        define_get(L, table, policy->order_names[k]);
        int value = lua_gettop(L);
        read(L, policy, k, value, lua_pushfstring(L, "orders.%s", policy->order_names[k]));
        lua_settop(L, table + 1);
    }
    policy->order_count = (uint32_t)count;
    lua_settop(L, table - 1);
}

/* A model that asks a policy once has no later call for which to remember anything. */
static void refuse_memory(lua_State *L)
{
    static const char *const fields[] = {"state", "per_job"};
    for (int i = 0; i < 2; i++)
        if (define_get(L, DEFINITION, fields[i]) != LUA_TNIL)
            define_refuse(
                L, "%s: a policy of this model is asked once (expected locals inside the function)",
                fields[i]);
    lua_pop(L, 2);
}

int policy_define(lua_State *L)
{
    pn_lua_policy *policy = lua_touserdata(L, DEFINITION_POLICY);
    lua_createtable(L, FUNCTION_COUNT + 1, 0); /* and a few words, in some models */
    policy->model = peek_model(L);
    if (policy->model && !policy->model->remembers)
        refuse_memory(L);
    if (policy->model)
        define_only_fields(L, DEFINITION, "", policy->model->fields);
    read_names(L, policy);
    policy->model->define(L, policy);
    policy_push_view(L, policy);
    lua_pushvalue(L, -1);
    lua_rawseti(L, DEFINITION_FUNCTIONS, FUNCTION_COUNT + 1);
    for (int i = 0; policy->model->words && policy->model->words[i]; i++) {
        lua_pushstring(L, policy->model->words[i]);
        lua_rawseti(L, DEFINITION_FUNCTIONS, FUNCTION_COUNT + 2 + i);
    }
    lua_pushvalue(L, DEFINITION_FUNCTIONS);
    lua_rawsetp(L, LUA_REGISTRYINDEX, policy->cells); /* for calls inside of others */
    for (int i = 0; i < FUNCTION_COUNT; i++)
        lua_rawgeti(L, DEFINITION_FUNCTIONS, i + 1);
    return 1 + FUNCTION_COUNT;
}
