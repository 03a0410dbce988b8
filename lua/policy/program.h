/* Compiled functions: steps over registers of values. translate.c makes them from Lua's bytecode
 * when the policy is loaded, program_run.c runs them.
 *
 * Where a program cannot decide as Lua would (an error, a text, a job that is not there) it gives
 * up: all that it has changed is undone, and the function is called in Lua, which then says what is
 * wrong with file and line. */
#ifndef PINION_POLICY_PROGRAM_H
#define PINION_POLICY_PROGRAM_H

#include "state.h"

enum {
    PROGRAM_REGISTERS = 160, /* of the function and of those it calls */
    PROGRAM_CONSTANTS = 64,  /* registers behind these */
    PROGRAM_VALUES = PROGRAM_REGISTERS + PROGRAM_CONSTANTS,
    PROGRAM_STEPS = 512,
    PROGRAM_TEXTS = 256, /* bytes */
    PROGRAM_RESULTS = 3,
    PROGRAM_MISSES = 32 /* calls in which it gives up, one after the other, until it is left */
};

enum program_operation {
    STEP_MOVE,
    STEP_ADD, /* a = b op c; in the order of Lua's instructions */
    STEP_SUB,
    STEP_MUL,
    STEP_MOD,
    STEP_POW,
    STEP_DIV,
    STEP_IDIV,
    STEP_BAND,
    STEP_BOR,
    STEP_BXOR,
    STEP_SHL,
    STEP_SHR,
    STEP_MINUS, /* a = op b */
    STEP_BNOT,
    STEP_NOT,
    STEP_EQ, /* goes to `to` when (b op c) == a */
    STEP_LT,
    STEP_LE,
    STEP_TEST, /* goes to `to` when (b is true) == a */
    STEP_JUMP,
    STEP_FOR,   /* begins a loop over integers from a on: first, last, step, and then the variable;
                 * goes to `to` when there are none */
    STEP_NEXT,  /* goes to `to` with the next of them */
    STEP_WALK,  /* the same of a loop over jobs: argument, job before, -, job = with.ask(a, …) */
    STEP_ASK,   /* a = with.ask(b, …) */
    STEP_ACT,   /* the same, with effects */
    STEP_MATH,  /* a = with.math(b, … c of them) */
    STEP_PARAM, /* a = parameter b, of type c; VALUE_TEXT: its name of a choice */
    STEP_STATE, /* a = cell b */
    STEP_NAMED, /* a = cell of the name b */
    STEP_CELL,  /* a = cell c of column b */
    STEP_SET_STATE, /* cell b = c */
    STEP_SET_NAMED, /* cell of the name b = c */
    STEP_SET_CELL,  /* cell b of column a = c */
    STEP_RETURN     /* the values from a on, b of them */
};

/* Serves math.*: false: Lua decides. */
typedef bool program_math(const policy_value *given, int count, policy_value *got);

typedef struct program_step {
    uint8_t operation, a, b, c;
    uint16_t to;
    uint16_t cost; /* instructions of Lua that it stands for */
    union {
        policy_ask *ask;
        program_math *math;
    } with;
} program_step;

struct policy_program {
    uint32_t step_count, constant_count, text_size;
    uint32_t parameters;
    uint32_t misses;    /* since it last came to its end */
    bool is_long, acts; /* it has loops; it changes something */
    policy_value constants[PROGRAM_CONSTANTS];
    char texts[PROGRAM_TEXTS]; /* that constants point to */
    program_step steps[];
};

/* Translates the policy's functions, except for those that run once. For those that do not fit,
 * policy->unfit says why. Memory is the host's, not the sandbox's. */
void policy_compile(pn_lua_policy *policy);
void policy_forget_programs(pn_lua_policy *policy);

/* Runs the program of a function, which has one, with the job of the call and the values given:
 * `results` values; a job is its number there. PROGRAM_FAILED: a call in it has failed, and its
 * message says why. What it changed in memory is policy->changes. */
enum program_end { PROGRAM_DONE, PROGRAM_GAVE_UP, PROGRAM_FAILED };
enum program_end policy_run_program(pn_lua_policy *policy, int function, const policy_value *given,
                                    int count, policy_value *values, int results);

/* Undoes what a program with effects has done, but not the first `kept` changes of memory. */
void policy_undo_program(pn_lua_policy *policy, uint32_t kept);

/* Finds the program for a function of the sandbox's math; null: there is none. */
program_math *program_find_math(lua_CFunction function);

#endif
