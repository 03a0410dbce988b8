/* What the files of the translator share: what is known while a function is translated.
 *
 * translate_steps.c  steps, constants and jumps
 * translate_reads.c  what is in the file, the view and memory
 * translate_writes.c memory
 * translate_calls.c  methods, math, and functions of the file in their place
 * translate_loops.c  loops, of which all times through are alike
 * translate.c        instructions and whole functions */
#ifndef PINION_POLICY_TRANSLATE_H
#define PINION_POLICY_TRANSLATE_H

#include "program.h"
#include "sandbox/bytecode.h"

enum {
    CODE_MOST = 512, /* instructions of a function */
    DEPTH_MOST = 6,  /* of functions that call each other */
    STATES = 64,     /* that jumps lead to, at a time */
    EXITS = 32,
    LOOPS = 16, /* of a function with those that it calls */
    TRIES = 200,
    QUESTIONS = 64,
    STACK_MOST = 150 /* values of the file that are looked at */
};

/* What a register holds. */
enum kind {
    IS_UNKNOWN, /* nothing that may be used */
    IS_VALUE,   /* `which`: 1 + the number of the constant that it is; 0: only the run knows it */
    IS_VIEW,
    IS_PARAMS,
    IS_STATE,
    IS_PER_JOB,
    IS_CELLS,    /* an array of `state`, or a column of `per_job` */
    IS_QUESTION, /* a method of the view */
    IS_WALK,     /* what a method returned for a loop over jobs */
    IS_OF_FILE   /* a table, function or text, on the stack of Lua */
};

typedef struct known {
    uint16_t kind, which; /* without a gap: states are compared as bytes */
} known;

typedef struct state {
    known registers[PROGRAM_REGISTERS];
} state;

/* A state that jumps bring to an instruction. */
typedef struct jump {
    size_t target;
    state at;
} jump;

/* Where results of a function go: to registers of the calling function, or out of the program. */
typedef struct destination {
    int first; /* < 0: out of the program */
    int count; /* that are wanted; < 0: all, of which all ways through the function give as many */
    bool is_open; /* all were wanted */
    int exit_count;
    uint16_t exits[EXITS]; /* steps that jump behind the function */
} destination;

typedef struct translator {
    lua_State *L;
    pn_lua_policy *policy;
    int function;
    struct policy_program *program;
    program_step nowhere; /* for a step without room */
    const char *why;      /* it does not fit; null: it does so far */
    int depth;
    uint16_t cost; /* of instructions without a step, since the last step */
    const policy_question *questions[QUESTIONS];
    int question_count;
    state now;
    int jump_count;
    uint32_t last_target; /* the step that the last jump known so far leads to */
    int open_end;         /* the register behind all the values that a call has passed on */
    /* Of loops, in the order in which they are met: those of this try, and of which it is known
     * what registers hold where they begin. */
    int loop_count, loops_known;
    /* The rest stays from function to function. */
    jump jumps[STATES];
    state loops[LOOPS];
    unsigned char *dumps[DEPTH_MOST];
    size_t dump_sizes[DEPTH_MOST], dump_rooms[DEPTH_MOST];
} translator;

/* A function that is being translated. */
typedef struct frame {
    bytecode code;
    int base, closure;
    int first_jump; /* its first in translator.jumps */
    destination *to;
    uint16_t places[CODE_MOST + 1]; /* the step of each instruction */
    struct {
        uint16_t step, target;
    } fixes[STATES];
    int fix_count;
    /* where loops begin: 1 + the number of the loop once it is met, else LOOP_AHEAD; 0: nowhere */
    uint8_t loops[CODE_MOST];
} frame;
enum { LOOP_AHEAD = 255 };

/* Notes why the function does not fit: the first reason. */
void translate_refuse(translator *t, const char *why);

/* ---- translate_steps.c ----------------------------------------------------------------------- */

program_step *translate_emit(translator *t, enum program_operation operation, int a, int b, int c);
/* Returns the register of a constant. */
int translate_constant(translator *t, policy_value value);
/* Notes what a register holds. */
static inline void translate_set(translator *t, int a, enum kind kind, int which)
{
    t->now.registers[a] = (known){(uint16_t)kind, (uint16_t)which};
}
/* Returns the constant that a register holds; null: only the run knows what it holds. */
static inline const policy_value *translate_known(const translator *t, int a)
{
    known held = a < PROGRAM_REGISTERS ? t->now.registers[a] : (known){IS_UNKNOWN, 0};
    return held.kind == IS_VALUE && held.which > 0 ? &t->program->constants[held.which - 1] : NULL;
}
/* Forgets which constants registers hold: where a loop begins, they may change in it. */
void translate_forget_constants(translator *t);
/* Emits that a register gets a constant. */
void translate_load(translator *t, int a, policy_value value);
/* Removes the last step if it moved a value to this register. Returns the register that the value
 * came from, else this one. */
int translate_undo_move(translator *t, int a);
/* Refuses what is computed with unless it is a value. */
bool translate_need(translator *t, int a);
/* Keeps in `held` what both states have in common. Returns whether that is less than it was. */
bool translate_meet(state *held, const state *other);
/* Notes that an instruction is reached with this state: what differs is unknown there. */
void translate_reach(translator *t, frame *f, size_t target, const state *at);
/* Emits a step that may go to an instruction, further on or where a loop begins. */
void translate_go(translator *t, frame *f, enum program_operation operation, int a, int b, int c,
                  size_t target);
/* Notes that the next step to be emitted goes to an instruction. */
void translate_fix(translator *t, frame *f, size_t target);
/* Sets the state at an instruction: what all jumps to it, and the current state when `falls`, have
 * in common. Returns whether the instruction is reached. */
bool translate_arrive(translator *t, frame *f, size_t pc, bool falls);

/* ---- translate_reads.c ----------------------------------------------------------------------- */

/* Takes the value on top of Lua's stack, which is one of the file for good. */
void translate_take_value(translator *t, int a);
void translate_take_constant(translator *t, int a, const bytecode_constant *k);
/* Joins so many texts from register a on, all of them constants, as Lua's operator does. */
void translate_concatenate(translator *t, int a, int count);
/* Reads register b into a: by name; by an index in a register; a method of the view. */
void translate_get_field(translator *t, int a, int b, const bytecode_constant *name);
void translate_get_element(translator *t, int a, int b, int index);
void translate_get_method(translator *t, int a, int b, const bytecode_constant *name);

/* Returns the number of the cells of this name; cell_count: there are none. */
uint32_t translate_find_cells(const pn_lua_policy *policy, bool per_job,
                              const bytecode_constant *name);

/* ---- translate_writes.c ---------------------------------------------------------------------- */

/* Writes register `value` into table a: by name; by an index in a register. */
void translate_set_field(translator *t, int a, const bytecode_constant *name, int value);
void translate_set_element(translator *t, int a, int index, int value);

/* ---- translate_loops.c ----------------------------------------------------------------------- */

/* Begins a loop at an instruction: registers hold there what they hold each time. */
void translate_begin_loop(translator *t, frame *f, size_t pc);
/* Emits a step that may go back to where a loop begins. Where registers hold less then than was
 * known there, the whole function is to be translated again. */
program_step *translate_go_back(translator *t, frame *f, enum program_operation operation, int a,
                                int b, int c, size_t target);
/* Returns whether the function is to be translated again, and begins anew. */
bool translate_try_again(translator *t);
/* Begins a loop over jobs: in place of what the method of register a returns. */
void translate_begin_walk(translator *t, int a, int arguments);

/* ---- translate_calls.c ----------------------------------------------------------------------- */

/* Emits what hands over results, `count` from a register on: out of the program, or to what called
 * the function, and a jump behind it. */
void translate_give_results(translator *t, destination *to, int first, int count);
/* Translates a call whose results go to register a on; wanted < 0: all of them. */
void translate_call(translator *t, int a, int arguments, int wanted);
/* Translates a call in the place of a return: its results are those of the function. */
void translate_tail_call(translator *t, int a, int arguments, destination *to);

/* ---- translate.c ----------------------------------------------------------------------------- */

/* Translates the function at a place of Lua's stack, whose registers are those from `base` on and
 * hold its arguments; arguments < 0: all of its parameters are given. */
void translate_function(translator *t, int closure, int base, int arguments, destination *to);

#endif
