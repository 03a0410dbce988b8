/* Keys that the kernel has itself: a function of a script that is one of them is not called, and
 * the kernel's fast ways serve its order. The words of a key are the same in both. */
#include <string.h>

#include "policy/program.h"
#include "policy/view.h"
#include "policy.h"

/* What may be done with X and Y, what is left of the job, so that which of them is returned depends
 * on their order alone: then three runs say it of all numbers. Their sum is a value of no type. */
static const policy_value SUM = {.type = VALUE_OTHER};

static bool is_less(const program_step *step, const policy_value *r)
{
    double x = r[step->b].as.number, y = r[step->c].as.number;
    return step->operation == STEP_LT ? x < y : step->operation == STEP_LE ? x <= y : x == y;
}

static bool is_question(const pn_lua_policy *policy, const program_step *step, const char *name)
{
    const policy_question *question = policy_find_question(policy->model, name, strlen(name));
    return step->with.ask == question->ask;
}

static bool is_math(const program_step *step, const char *name)
{
    return step->with.math == program_find_math(sandbox_math(name));
}

static bool is_float(const policy_value *value)
{
    return value->type == VALUE_FLOAT;
}

/* Returns how many values the program returns of a job with X and Y, from *first on; -1: it does
 * something else. */
static int run(const pn_lua_policy *policy, const struct policy_program *program, policy_value *r,
               const double left[2], int *first)
{
    for (const program_step *step = program->steps;; step++) {
        policy_value *to = &r[step->a];
        const policy_value *x = &r[step->b], *y = &r[step->c];
        bool are_floats = is_float(x) && is_float(y), goes = false;
        switch (step->operation) {
        case STEP_MOVE:
            *to = *x;
            break;
        case STEP_ASK:
            if (x->type != VALUE_JOB)
                return -1;
            if (is_question(policy, step, "map_left"))
                *to = policy_float(left[0]);
            else if (is_question(policy, step, "shuffle_left"))
                *to = policy_float(left[1]);
            else if (is_question(policy, step, "longest_left"))
                *to = policy_float(left[0] > left[1] ? left[0] : left[1]);
            else
                return -1;
            break;
        case STEP_MATH:
            if (step->c != 2 || !is_float(x) || !is_float(x + 1) ||
                !(is_math(step, "max") || is_math(step, "min")))
                return -1;
            step->with.math(x, 2, to);
            break;
        case STEP_ADD:
            /* x and y are what is left at a station: no other two of them have this sum */
            if (!are_floats || x->as.number + y->as.number != left[0] + left[1])
                return -1;
            *to = SUM;
            break;
        case STEP_EQ:
        case STEP_LT:
        case STEP_LE:
            if (!are_floats)
                return -1;
            goes = is_less(step, r) == step->a;
            break;
        case STEP_TEST:
            if (!is_float(x)) /* which is true */
                return -1;
            goes = step->a;
            break;
        case STEP_JUMP:
            goes = true;
            break;
        case STEP_RETURN:
            *first = step->a;
            return step->b;
        default:
            return -1;
        }
        if (goes)
            step = program->steps + step->to - 1;
    }
}

typedef void key_function(const pn_tandem_view *view, uint32_t job, pn_key *key);

/* Returns the kernel's key that the values are, for a job with X and Y; null: none. */
static key_function *key_of(const policy_value *values, int count, const double left[2])
{
    double longest = left[0] > left[1] ? left[0] : left[1];
    if (count == 1 && values[0].type == VALUE_OTHER)
        return pn_tandem_key_sum;
    if (count == 1 && is_float(&values[0]) && values[0].as.number == longest)
        return pn_tandem_key_longest;
    if (count == 2 && is_float(&values[0]) && is_float(&values[1]) &&
        values[0].as.number == left[0] && values[1].as.number == left[1])
        return pn_tandem_key_map;
    return NULL;
}

/* Returns the kernel's key that a program is; null: none. */
static key_function *known_key(const pn_lua_policy *policy, const struct policy_program *program)
{
    static const double tried[][2] = {{1, 2}, {2, 1}, {3, 3}};
    key_function *found = NULL;
    if (program->is_long || program->acts || program->constant_count > 0)
        return NULL;
    for (int i = 0; i < 3; i++) {
        policy_value r[PROGRAM_VALUES] = {{.type = VALUE_NIL}};
        int first = 0;
        r[0] = policy_nil();
        r[1] = policy_job(0);
        r[2] = policy_float(tried[i][0]);
        r[3] = policy_float(tried[i][1]);
        int count = run(policy, program, r, tried[i], &first);
        key_function *key = count < 0 ? NULL : key_of(&r[first], count, tried[i]);
        if (!key || (found && key != found))
            return NULL;
        found = key;
    }
    return found;
}

void tandem_use_known(pn_lua_policy *policy)
{
    pn_tandem_policy *table = &policy->table.tandem;
    for (uint32_t k = 0; k < POLICY_ORDERS_MAX; k++) {
        const struct policy_program *program = policy->programs[FUNCTION_KEY + k];
        key_function *known = program ? known_key(policy, program) : NULL;
        for (uint32_t order = 0; known && order < table->order_count; order++)
            if (table->orders[order].key == tandem_scripted.orders[k].key)
                table->orders[order].key = known;
    }
}
