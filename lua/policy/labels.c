/* What jobs carry beside what their model knows of them, as the view `s` shows it: attributes by
 * name, and groups by name. The names come from the host, which knows what the simulation's jobs
 * carry.
 *
 * Groups have their numbers in the order of their names, and not in that in which a workload
 * happens to bring them: s:group(job) is 1 for the first name, 0 for no group. Names that are whole
 * numbers come first, by value, the others in the order of bytes. */
#include <stdlib.h>
#include <string.h>

#include "sandbox/internal.h"
#include "view.h"

/* ---- names, in the policy's own state -------------------------------------------------------- */

/* Returns the address under which the registry has a list of names. */
static const void *attributes_key(const pn_lua_policy *policy)
{
    return policy->attribute_keys;
}

static const void *groups_key(const pn_lua_policy *policy)
{
    return &policy->group_ranks;
}

/* Returns the address under which it has the same list as scripts get it, which is read-only. */
static const void *shown_attributes_key(const pn_lua_policy *policy)
{
    return &policy->attribute_count;
}

static const void *shown_groups_key(const pn_lua_policy *policy)
{
    return &policy->group_count;
}

typedef struct names {
    pn_lua_policy *policy;
    const char *const *names;
    uint32_t count;
    const void *key, *shown_key;
} names;

static void push_list(lua_State *L, const names *all)
{
    lua_createtable(L, (int)all->count, 0);
    for (uint32_t i = 0; i < all->count; i++) {
        lua_pushstring(L, all->names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

/* Returns a lua_CFunction of light userdata: puts the lists into the registry. */
static int keep_names(lua_State *L)
{
    const names *all = lua_touserdata(L, 1);
    push_list(L, all);
    lua_rawsetp(L, LUA_REGISTRYINDEX, all->key);
    lua_pushcfunction(L, sandbox_freeze_value);
    push_list(L, all);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, all->shown_key);
    lua_call(L, 1, 0);
    return 0;
}

static int keep(const names *all)
{
    return sandbox_protect(all->policy->box, keep_names, (void *)(uintptr_t)all) == 0 ? PN_OK
                                                                                      : PN_ERR_SIZE;
}

/* ---- attributes ------------------------------------------------------------------------------ */

int pn_lua_policy_attributes(pn_lua_policy *policy, const char *const given[], uint32_t count)
{
    if (!policy || count > PN_ATTRIBUTES_MAX || (count > 0 && !given))
        return PN_ERR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++)
        if (!given[i])
            return PN_ERR_ARGUMENT;
    const names all = {policy, given, count, attributes_key(policy), shown_attributes_key(policy)};
    policy->attribute_count = 0;
    memset(policy->label_counts, 0, sizeof policy->label_counts);
    if (keep(&all) != PN_OK)
        return PN_ERR_SIZE;
    lua_State *L = policy->box->L;
    lua_rawgetp(L, LUA_REGISTRYINDEX, attributes_key(policy));
    for (uint32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        policy->attribute_keys[i] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    policy->attribute_count = count;
    return PN_OK;
}

int pn_lua_policy_labels(pn_lua_policy *policy, uint32_t attribute, const char *const labels[],
                         uint32_t count)
{
    if (!policy || attribute >= policy->attribute_count || (count > 0 && !labels))
        return PN_ERR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++)
        if (!labels[i])
            return PN_ERR_ARGUMENT;
    const names all = {policy, labels, count, &policy->attribute_keys[attribute],
                       &policy->label_counts[attribute]};
    policy->label_counts[attribute] = 0;
    if (keep(&all) != PN_OK)
        return PN_ERR_SIZE;
    policy->label_counts[attribute] = count;
    return PN_OK;
}

/* Returns the number of the attribute of this name, as far as the simulation has it; -1: none. Lua
 * keeps one copy of a short string, so that equal ones are nearly always found by their address. */
static int attribute_of(const pn_lua_policy *policy, const void *view, const char *name)
{
    uint32_t has = policy->model->attribute_count(view);
    uint32_t count = policy->attribute_count < has ? policy->attribute_count : has;
    for (uint32_t i = 0; i < count; i++)
        if (policy->attribute_keys[i] == name)
            return (int)i;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(policy->attribute_keys[i], name) == 0)
            return (int)i;
    return -1;
}

static int refuse_attribute(lua_State *L, const char *name)
{
    const pn_lua_policy *policy = policy_of(L);
    const char *where = view_where(L);
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (uint32_t i = 0; i < policy->attribute_count; i++) {
        luaL_addstring(&list, i == 0 ? "" : ", ");
        luaL_addstring(&list, policy->attribute_keys[i]);
    }
    if (policy->attribute_count == 0)
        luaL_addstring(&list, "none");
    luaL_pushresult(&list);
    return luaL_error(L, "%s: the jobs have no attribute '%s' (they have %s)", where, name,
                      lua_tostring(L, -1));
}

static uint32_t job_at(lua_State *L, const void *view, int argument)
{
    const policy_model *model = policy_of(L)->model;
    return model->job_at ? model->job_at(L, view, argument) : view_job(L, argument);
}

/* Pushes the value of an attribute: its text, where it has one. */
static void push_text(lua_State *L, const pn_lua_policy *policy, uint32_t index, double value)
{
    double count = (double)policy->label_counts[index];
    if (!(value >= 0.0 && value < count && value == (double)(lua_Integer)value)) {
        lua_pushnumber(L, value);
        return;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &policy->attribute_keys[index]);
    lua_rawgeti(L, -1, (lua_Integer)value + 1);
}

/* Pushes the attribute of (job, name, default): the attribute as a text, where it is one and `text`
 * says so. */
static int push_attribute(lua_State *L, bool text)
{
    const void *view = view_self(L);
    const pn_lua_policy *policy = policy_of(L);
    uint32_t job = job_at(L, view, 2);
    if (lua_type(L, 3) != LUA_TSTRING)
        view_expected(L, 3, policy->now.job, "the name of an attribute is expected");
    const char *name = lua_tostring(L, 3);
    int index = attribute_of(policy, view, name);
    double value = index >= 0 ? policy->model->attribute(view, job, (uint32_t)index) : 0.0;
    if (index >= 0 && text)
        push_text(L, policy, (uint32_t)index, value);
    else if (index >= 0)
        lua_pushnumber(L, value);
    else if (lua_isnoneornil(L, 4))
        return refuse_attribute(L, name);
    else if (lua_type(L, 4) != LUA_TNUMBER && !(text && lua_type(L, 4) == LUA_TSTRING))
        view_expected(L, 4, policy->now.job,
                      text ? "a number or a text is expected for jobs without the attribute"
                           : "a number is expected for jobs without the attribute");
    else
        lua_settop(L, 4);
    return 1;
}

/* Answers for a program: numbers, Lua has the texts. */
static bool ask_either(const pn_lua_policy *policy, const void *view, const policy_value *given,
                       bool text, policy_value *got)
{
    if (given[0].type != VALUE_JOB || given[1].type != VALUE_TEXT)
        return false;
    int index = attribute_of(policy, view, given[1].as.text);
    *got = given[2];
    if (index < 0)
        return policy_is_number(got);
    double value = policy->model->attribute(view, (uint32_t)given[0].as.integer, (uint32_t)index);
    *got = policy_float(value);
    return !text || !(value >= 0.0 && value < (double)policy->label_counts[index]);
}

static bool ask_attribute(pn_lua_policy *policy, void *view, const policy_value *given,
                          policy_value *got)
{
    return ask_either(policy, view, given, true, got);
}

static bool ask_attribute_number(pn_lua_policy *policy, void *view, const policy_value *given,
                                 policy_value *got)
{
    return ask_either(policy, view, given, false, got);
}

static int view_attribute(lua_State *L)
{
    return push_attribute(L, true);
}

static int view_attribute_number(lua_State *L)
{
    return push_attribute(L, false);
}

/* Pushes the list under this key, where the host has given the names in it. */
static int push_shown(lua_State *L, bool given, const void *key)
{
    if (given)
        lua_rawgetp(L, LUA_REGISTRYINDEX, key);
    else
        lua_newtable(L);
    return 1;
}

static int view_attributes(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    view_self(L);
    return push_shown(L, policy->attribute_count > 0, shown_attributes_key(policy));
}

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_whole(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && name[digits] == '\0' && (name[0] != '0' || digits == 1);
}

static int compare_names(const void *left, const void *right)
{
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    bool a_whole = is_whole(a), b_whole = is_whole(b);
    if (a_whole != b_whole)
        return a_whole ? -1 : 1;
    if (a_whole && strlen(a) != strlen(b))
        return strlen(a) < strlen(b) ? -1 : 1;
    return strcmp(a, b);
}

/* Sorts the names that there are, each once; how many they are. */
static uint32_t sort_names(const char **sorted, const char *const given[], uint32_t count)
{
    uint32_t filled = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (given[i])
            sorted[filled++] = given[i];
    if (filled > 1)
        qsort((void *)sorted, filled, sizeof *sorted, compare_names);
    for (uint32_t i = 0; i < filled; i++)
        if (kept == 0 || strcmp(sorted[kept - 1], sorted[i]) != 0)
            sorted[kept++] = sorted[i];
    return kept;
}

static uint32_t rank_of(const char *const *sorted, uint32_t count, const char *name)
{
    const char *const *found = name ? bsearch((const void *)&name, (const void *)sorted, count,
                                              sizeof *sorted, compare_names)
                                    : NULL;
    return found ? (uint32_t)(found - sorted) + 1 : 0;
}

static void *resize(const pn_lua_policy *policy, void *old, size_t old_size, size_t size)
{
    return policy->options.allocate(policy->options.user, old, old_size, size);
}

void policy_forget_groups(pn_lua_policy *policy)
{
    if (policy->group_ranks)
        resize(policy, policy->group_ranks, policy->group_count * sizeof(uint32_t), 0);
    policy->group_ranks = NULL;
    policy->group_count = 0;
}

int pn_lua_policy_groups(pn_lua_policy *policy, const char *const given[], uint32_t count)
{
    if (!policy || (count > 0 && !given))
        return PN_ERR_ARGUMENT;
    policy_forget_groups(policy);
    size_t bytes = count * sizeof(char *);
    const char **sorted = count > 0 ? resize(policy, NULL, 0, bytes) : NULL;
    uint32_t *ranks = count > 0 ? resize(policy, NULL, 0, count * sizeof *ranks) : NULL;
    uint32_t kept = sorted ? sort_names(sorted, given, count) : 0;
    const names all = {policy, sorted, kept, groups_key(policy), shown_groups_key(policy)};
    int status = count > 0 && (!sorted || !ranks) ? PN_ERR_SIZE : keep(&all);
    for (uint32_t i = 0; status == PN_OK && i < count; i++)
        ranks[i] = rank_of(sorted, kept, given[i]);
    if (sorted)
        resize(policy, (void *)sorted, bytes, 0);
    if (status == PN_OK && ranks) {
        policy->group_ranks = ranks;
        policy->group_count = count;
    } else if (ranks) {
        resize(policy, ranks, count * sizeof *ranks, 0);
    }
    return status;
}

/* Returns the group. Without names a group's number is the kernel's. */
static uint32_t group_of(const pn_lua_policy *policy, const void *view, uint32_t job)
{
    uint32_t group = policy->model->group(view, job);
    if (!policy->group_ranks)
        return group;
    return group < policy->group_count ? policy->group_ranks[group] : 0;
}

static bool ask_group(pn_lua_policy *policy, void *view, const policy_value *given,
                      policy_value *got)
{
    if (given[0].type != VALUE_JOB)
        return false;
    *got = policy_integer(group_of(policy, view, (uint32_t)given[0].as.integer));
    return true;
}

static int view_group(lua_State *L)
{
    const void *view = view_self(L);
    lua_pushinteger(L, group_of(policy_of(L), view, job_at(L, view, 2)));
    return 1;
}

static int view_group_name(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    const void *view = view_self(L);
    uint32_t group = group_of(policy, view, job_at(L, view, 2));
    if (!policy->group_ranks || group == 0) {
        lua_pushnil(L);
    } else {
        lua_rawgetp(L, LUA_REGISTRYINDEX, groups_key(policy));
        lua_rawgeti(L, -1, group);
    }
    return 1;
}

static int view_groups(lua_State *L)
{
    const pn_lua_policy *policy = policy_of(L);
    view_self(L);
    return push_shown(L, policy->group_ranks != NULL, shown_groups_key(policy));
}

const policy_question policy_label_questions[] = {VIEW_ASKED_BY_HAND(attribute, 3, 1),
                                                  VIEW_ASKED_BY_HAND(attribute_number, 3, 1),
                                                  VIEW_ASKED_BY_HAND(group, 1, 1), VIEW_ASKED_END};

const luaL_Reg policy_label_methods[] = {{"attributes", view_attributes},
                                         {"group_name", view_group_name},
                                         {"groups", view_groups},
                                         {NULL, NULL}};
