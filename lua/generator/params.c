/* Parameters of a generator: numbers as they are, choices by index, texts beside them. */
#include <math.h>
#include <string.h>

#include "state.h"

static bool is_float(const pn_param *param)
{
    return !param->integer && !param->names;
}

static void push_value(lua_State *L, const define_param *texts, const pn_param *param, double value)
{
    if (texts->is_text)
        lua_pushstring(L, texts->text);
    else if (is_float(param))
        lua_pushnumber(L, value);
    else if (!param->names)
        lua_pushinteger(L, (lua_Integer)value);
    else if (strcmp(param->names[0], "false") == 0)
        lua_pushboolean(L, value > 0);
    else
        lua_pushstring(L, param->names[(int)value]);
}

void generator_push_params(lua_State *L, const pn_lua_workload *self)
{
    lua_createtable(L, 0, (int)self->param_count);
    for (uint32_t i = 0; i < self->param_count; i++) {
        push_value(L, &self->param_texts[i], &self->params[i], self->param_values[i]);
        lua_setfield(L, -2, self->params[i].name);
    }
}

static int find(const pn_lua_workload *self, const char *name)
{
    for (uint32_t i = 0; i < self->param_count; i++)
        if (strcmp(self->params[i].name, name) == 0)
            return (int)i;
    return -1;
}

uint32_t pn_lua_workload_params(const pn_lua_workload *self)
{
    return self->param_count;
}

const pn_param *pn_lua_workload_param(const pn_lua_workload *self, uint32_t index)
{
    return &self->params[index];
}

const char *pn_lua_workload_param_text(const pn_lua_workload *self, uint32_t index)
{
    return self->param_texts[index].is_text ? self->param_texts[index].text : NULL;
}

int pn_lua_workload_set(pn_lua_workload *self, const char *name, double value)
{
    int i = self && name ? find(self, name) : -1;
    const pn_param *param = i < 0 ? NULL : &self->params[i];
    bool in_range = param && isfinite(value) && param->low <= value && value <= param->high;
    if (!in_range || self->param_texts[i].is_text || (!is_float(param) && value != floor(value)))
        return PN_ERR_ARGUMENT;
    self->param_values[i] = value;
    self->surveyed = false;
    return PN_OK;
}

static int word_of(const pn_param *param, const char *text)
{
    for (int i = 0; param->names && param->names[i]; i++)
        if (strcmp(param->names[i], text) == 0)
            return i;
    return -1;
}

int pn_lua_workload_set_text(pn_lua_workload *self, const char *name, const char *text)
{
    int i = self && name && text ? find(self, name) : -1;
    int word = i < 0 ? -1 : word_of(&self->params[i], text);
    if (i >= 0 && self->param_texts[i].is_text && strlen(text) < DEFINE_TEXT_SIZE)
        strcpy(self->param_texts[i].text, text);
    else if (word >= 0)
        self->param_values[i] = word;
    else
        return PN_ERR_ARGUMENT;
    self->surveyed = false;
    return PN_OK;
}
