/* Reads the definition of a policy of the makespan model: its answer, an order or pools, and the
 * rules that are its own. */
#include "policy.h"
#include "policy/define.h"

const char *const makespan_times[] = {"given", "waves_req", "waves", "capped", "fluid", NULL};
static const char *const SHARES[] = {"conserving", "exclusive", NULL};
static const char *const CAPS[] = {"none", "requested", NULL};
static const char *const TASK_ORDERS[] = {"listed", "lpt", NULL};
static const char *const LEVELS[] = {"stage", "task", NULL};

/* Reads a rule; the kernel counts from 1; 0 stands for what the definition does not say. */
static uint8_t read_rule(lua_State *L, const char *field, const char *const words[])
{
    return (uint8_t)(1 + define_word(L, DEFINITION, "", field, words, -1));
}

const char *const makespan_fields[] = {"cap",        "level",   "model",      "name",
                                       "order",      "params",  "pools",      "share",
                                       "stage_time", "summary", "task_order", NULL};

void makespan_define(lua_State *L, pn_lua_policy *policy)
{
    pn_makespan_policy *table = &policy->table.makespan;
    define_own_params(L, policy);
    table->param_count = (uint8_t)policy->param_count;
    policy->pools = define_function(L, DEFINITION, "", "pools", FUNCTION_ACT);
    if (define_function(L, DEFINITION, "", "order", FUNCTION_ACT) == policy->pools)
        define_refuse(L, "must have either order (a function that returns job ids) or pools (one "
                         "that returns pools of them)");
    table->stage_time = read_rule(L, "stage_time", makespan_times);
    table->share = read_rule(L, "share", SHARES);
    table->cap = read_rule(L, "cap", CAPS);
    table->task_order = read_rule(L, "task_order", TASK_ORDERS);
    table->level = read_rule(L, "level", LEVELS);
}
