/* A value of Lua outside of Lua: what functions of a policy take and return. Numbers lie as cells
 * of declared memory do (memory.c). */
#ifndef PINION_POLICY_VALUE_H
#define PINION_POLICY_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "pn_base.h"

enum value_type {
    VALUE_INTEGER,
    VALUE_FLOAT,
    VALUE_FALSE,
    VALUE_TRUE,
    VALUE_NIL,
    VALUE_TEXT, /* without a zero in it; lives as long as the policy */
    VALUE_JOB,  /* a job by its place, where Lua has its number; only within a program */
    VALUE_OTHER /* its type in Lua: LUA_TSTRING and so on; only in results */
};

typedef struct policy_value {
    union {
        int64_t integer;
        double number;
        const char *text;
    } as;
    uint64_t type; /* enum value_type */
} policy_value;

static inline policy_value policy_integer(int64_t integer)
{
    return (policy_value){.as.integer = integer, .type = VALUE_INTEGER};
}

/* Makes an integer of a count that may be larger than Lua's largest. */
static inline policy_value policy_saturated(uint64_t count)
{
    return policy_integer(count < INT64_MAX ? (int64_t)count : INT64_MAX);
}

static inline policy_value policy_float(double number)
{
    return (policy_value){.as.number = number, .type = VALUE_FLOAT};
}

static inline policy_value policy_boolean(int is_true)
{
    return (policy_value){.type = is_true ? VALUE_TRUE : VALUE_FALSE};
}

static inline policy_value policy_nil(void)
{
    return (policy_value){.type = VALUE_NIL};
}

static inline policy_value policy_text(const char *text)
{
    policy_value value = {.as.integer = 0, .type = VALUE_TEXT}; /* all bits of the payload */
    value.as.text = text;
    return value;
}

/* Makes a job, or nil of PN_NO_JOB. */
static inline policy_value policy_job(uint32_t place)
{
    return (policy_value){.as.integer = place, .type = place == PN_NO_JOB ? VALUE_NIL : VALUE_JOB};
}

static inline bool policy_is_number(const policy_value *value)
{
    return value->type <= VALUE_FLOAT;
}

static inline bool policy_is_true(const policy_value *value)
{
    return value->type != VALUE_NIL && value->type != VALUE_FALSE;
}

#endif
