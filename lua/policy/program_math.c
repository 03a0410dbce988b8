/* Functions of math for programs: those of the sandbox (sandbox/math.c) that return one number. */
#include <math.h>

#include "program_number.h"
#include "pn_base.h"

static bool best(const policy_value *given, int count, bool least, policy_value *got)
{
    int at = 0;
    for (int i = 0; i < count; i++) {
        bool is = false;
        if (!policy_is_number(&given[i]) || !(least ? compare(STEP_LT, &given[i], &given[at], &is)
                                                    : compare(STEP_LT, &given[at], &given[i], &is)))
            return false;
        at = is ? i : at;
    }
    *got = given[at];
    return count > 0;
}

static bool do_max(const policy_value *given, int count, policy_value *got)
{
    return best(given, count, false, got);
}

static bool do_min(const policy_value *given, int count, policy_value *got)
{
    return best(given, count, true, got);
}

static bool do_abs(const policy_value *given, int count, policy_value *got)
{
    if (count != 1 || !policy_is_number(given))
        return false;
    int64_t n = given->as.integer;
    *got = given->type == VALUE_FLOAT ? policy_float(fabs(given->as.number))
                                      : policy_integer(n < 0 ? (int64_t)(0 - (uint64_t)n) : n);
    return true;
}

/* Makes an integer where it fits. */
static policy_value integral(double x)
{
    lua_Integer n;
    return lua_numbertointeger(x, &n) ? policy_integer(n) : policy_float(x);
}

static bool do_floor(const policy_value *given, int count, policy_value *got)
{
    if (count != 1 || !policy_is_number(given))
        return false;
    *got = given->type == VALUE_INTEGER ? *given : integral(floor(given->as.number));
    return true;
}

static bool do_ceil(const policy_value *given, int count, policy_value *got)
{
    if (count != 1 || !policy_is_number(given))
        return false;
    *got = given->type == VALUE_INTEGER ? *given : integral(ceil(given->as.number));
    return true;
}

static bool do_function(const policy_value *given, int count, double (*of)(double),
                        policy_value *got)
{
    double x[2];
    if (count != 1 || !to_doubles(given, given, x))
        return false;
    *got = policy_float(of(x[0]));
    return true;
}

static bool do_sqrt(const policy_value *given, int count, policy_value *got)
{
    return do_function(given, count, pn_sqrt, got);
}

static bool do_exp(const policy_value *given, int count, policy_value *got)
{
    return do_function(given, count, pn_exp, got);
}

static bool do_log(const policy_value *given, int count, policy_value *got)
{
    return do_function(given, count, pn_log, got);
}

static bool do_pow(const policy_value *given, int count, policy_value *got)
{
    double x[2];
    if (count != 2 || !to_doubles(given, given + 1, x))
        return false;
    *got = policy_float(pn_pow(x[0], x[1]));
    return true;
}

program_math *program_find_math(lua_CFunction function)
{
    static const struct {
        const char *name;
        program_math *math;
    } known[] = {{"abs", do_abs},     {"ceil", do_ceil}, {"exp", do_exp},
                 {"floor", do_floor}, {"log", do_log},   {"max", do_max},
                 {"min", do_min},     {"pow", do_pow},   {"sqrt", do_sqrt}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (sandbox_math(known[i].name) == function)
            return known[i].math;
    return NULL;
}
