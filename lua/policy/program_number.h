/* Numbers of Lua in programs. */
#ifndef PINION_POLICY_PROGRAM_NUMBER_H
#define PINION_POLICY_PROGRAM_NUMBER_H

#include "program.h"

/* Returns whether comparing the double is comparing the integer. */
static inline bool is_exact(int64_t integer)
{
    return -(int64_t)PN_INTEGER_MAX <= integer && integer <= (int64_t)PN_INTEGER_MAX;
}

static inline bool are_integers(const policy_value *x, const policy_value *y)
{
    return (x->type | y->type) == VALUE_INTEGER;
}

/* Converts both to floats; false where one is no number. */
static inline bool to_doubles(const policy_value *x, const policy_value *y, double of[2])
{
    if (!policy_is_number(x) || !policy_is_number(y))
        return false;
    of[0] = x->type == VALUE_FLOAT ? x->as.number : (double)x->as.integer;
    of[1] = y->type == VALUE_FLOAT ? y->as.number : (double)y->as.integer;
    return true;
}

/* Compares numbers; false where that is Lua's: other values, and floats beside integers that are no
 * doubles. */
static inline bool compare(int operation, const policy_value *x, const policy_value *y, bool *is)
{
    double of[2];
    if (are_integers(x, y)) {
        int64_t a = x->as.integer, b = y->as.integer;
        *is = operation == STEP_LT ? a < b : operation == STEP_LE ? a <= b : a == b;
        return true;
    }
    if (!to_doubles(x, y, of) || (x->type == VALUE_INTEGER && !is_exact(x->as.integer)) ||
        (y->type == VALUE_INTEGER && !is_exact(y->as.integer)))
        return false;
    *is = operation == STEP_LT   ? of[0] < of[1]
          : operation == STEP_LE ? of[0] <= of[1]
                                 : of[0] == of[1];
    return true;
}

#endif
