/* Policies in Lua, and parameters of any. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

int is_lua(const char *name)
{
    size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, ".lua") == 0;
}

int load_lua(lua_file *self, const char *name)
{
    enum { MOST = 1 << 20 };
    char message[PN_LUA_MESSAGE_SIZE];
    FILE *file = fopen(name, "rb");
    if (!file)
        return complain("%s: %s", name, strerror(errno));
    self->text = malloc(MOST);
    self->size = self->text ? fread(self->text, 1, MOST, file) : 0;
    fclose(file);
    if (!self->text)
        return complain("not enough memory");
    if (pn_lua_policy_load(&self->policy, name, self->text, self->size, NULL, message,
                           sizeof message) == PN_OK)
        return 0;
    return complain("%s", message);
}

void free_lua(lua_file *self)
{
    pn_lua_policy_free(self->policy);
    free(self->text);
}

void complain_of_lua(const lua_file *self)
{
    const char *message = pn_lua_policy_message(self->policy);
    complain("%s",
             message[0] ? message : "the core refuses the policy, a parameter may be out of range");
}

/* A number, or the word of a choice. */
static int read_param(const pn_param *param, const char *text, double *value)
{
    char *end;
    for (int i = 0; param->names && param->names[i]; i++) {
        if (strcmp(text, param->names[i]) == 0) {
            *value = i;
            return 0;
        }
    }
    double number = strtod(text, &end);
    if (param->names || end == text || *end || !(number >= param->low && number <= param->high) ||
        (param->integer && number != (double)(int64_t)number))
        return complain("%s: not a value it may have: %s", param->name, text);
    *value = number;
    return 0;
}

int set_policy_param(const pn_param *params, uint8_t count, double *values, const char *text)
{
    size_t size = strcspn(text, "=");
    if (text[size] != '=')
        return complain("--param: expected NAME=VALUE, got %s", text);
    for (uint8_t i = 0; i < count; i++)
        if (strlen(params[i].name) == size && strncmp(params[i].name, text, size) == 0)
            return read_param(&params[i], text + size + 1, &values[i]);
    return 1;
}

int choose_dag_policy(const char *name, const pn_dispatch_policy **policy, lua_file *file,
                      double *values, const char *const *params, int param_count)
{
    const pn_dispatch_policy *found = pn_dispatch_policy_find(name);
    if (!found && !is_lua(name))
        return complain("unknown policy: %s (expected a built-in one, or a file that ends in .lua)",
                        name);
    if (!found && load_lua(file, name) != 0)
        return -1;
    if (!found)
        found = pn_lua_policy_dag(file->policy);
    if (!found)
        return complain("%s: a policy of another model (expected model = \"dag\")", name);
    *policy = found;
    for (uint8_t i = 0; i < found->param_count; i++)
        values[i] = found->params[i].value;
    for (int i = 0; i < param_count; i++) {
        int status = set_policy_param(found->params, found->param_count, values, params[i]);
        if (status != 0)
            return status < 0 ? -1
                              : complain("--param: policy %s has no such parameter: %s",
                                         found->name, params[i]);
    }
    return 0;
}
