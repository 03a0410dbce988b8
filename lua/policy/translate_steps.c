/* Steps, constants and jumps of a program in the making. */
#include <string.h>

#include "translate.h"

void translate_refuse(translator *t, const char *why)
{
    if (!t->why)
        t->why = why;
}

/* ---- steps ----------------------------------------------------------------------------------- */

program_step *translate_emit(translator *t, enum program_operation operation, int a, int b, int c)
{
    struct policy_program *program = t->program;
    if (program->step_count == PROGRAM_STEPS) {
        translate_refuse(t, "it is too long");
        return &t->nowhere;
    }
    program_step *step = &program->steps[program->step_count++];
    *step = (program_step){
        (uint8_t)operation, (uint8_t)a, (uint8_t)b, (uint8_t)c, 0, t->cost, {NULL}};
    t->cost = 0;
    return step;
}

int translate_constant(translator *t, policy_value value)
{
    struct policy_program *program = t->program;
    uint32_t i = 0;
    while (i < program->constant_count && memcmp(&program->constants[i], &value, sizeof value) != 0)
        i++;
    if (i == PROGRAM_CONSTANTS) {
        translate_refuse(t, "it has too many constants");
        return PROGRAM_REGISTERS;
    }
    program->constants[i] = value;
    program->constant_count += i == program->constant_count;
    return PROGRAM_REGISTERS + (int)i;
}

void translate_load(translator *t, int a, policy_value value)
{
    int constant = translate_constant(t, value);
    translate_emit(t, STEP_MOVE, a, constant, 0);
    translate_set(t, a, IS_VALUE, 1 + constant - PROGRAM_REGISTERS);
}

void translate_forget_constants(translator *t)
{
    for (int r = 0; r < PROGRAM_REGISTERS; r++)
        if (t->now.registers[r].kind == IS_VALUE)
            t->now.registers[r].which = 0;
}

int translate_undo_move(translator *t, int a)
{
    struct policy_program *program = t->program;
    uint32_t last = program->step_count - 1;
    if (program->step_count == 0 || t->last_target == program->step_count ||
        program->steps[last].operation != STEP_MOVE || program->steps[last].a != a)
        return a;
    t->cost = (uint16_t)(t->cost + program->steps[last].cost);
    program->step_count = last;
    return program->steps[last].b;
}

bool translate_meet(state *held, const state *other)
{
    bool less = false;
    for (int r = 0; r < PROGRAM_REGISTERS; r++) {
        known *at = &held->registers[r], with = other->registers[r];
        bool are_values = at->kind == IS_VALUE && with.kind == IS_VALUE;
        if (at->kind == IS_UNKNOWN || (at->kind == with.kind && at->which == with.which) ||
            (are_values && at->which == 0))
            continue;
        *at = (known){are_values ? IS_VALUE : IS_UNKNOWN, 0};
        less = true;
    }
    return less;
}

bool translate_need(translator *t, int a)
{
    if (a >= PROGRAM_REGISTERS || t->now.registers[a].kind == IS_VALUE)
        return true;
    translate_refuse(t, t->now.registers[a].kind == IS_OF_FILE
                            ? "it computes with a text, table or function"
                            : "it uses the view as a value");
    return false;
}

/* ---- jumps ----------------------------------------------------------------------------------- */

void translate_reach(translator *t, frame *f, size_t target, const state *at)
{
    for (int i = f->first_jump; i < t->jump_count; i++) {
        if (t->jumps[i].target != target)
            continue;
        translate_meet(&t->jumps[i].at, at);
        return;
    }
    if (t->jump_count == STATES) {
        translate_refuse(t, "it has too many branches");
        return;
    }
    t->jumps[t->jump_count].target = target;
    t->jumps[t->jump_count++].at = *at;
}

void translate_fix(translator *t, frame *f, size_t target)
{
    if (f->fix_count == STATES) {
        translate_refuse(t, "it has too many branches");
        return;
    }
    f->fixes[f->fix_count].step = (uint16_t)t->program->step_count;
    f->fixes[f->fix_count++].target = (uint16_t)target;
}

void translate_go(translator *t, frame *f, enum program_operation operation, int a, int b, int c,
                  size_t target)
{
    if (f->loops[target] != 0 && f->loops[target] != LOOP_AHEAD) {
        translate_go_back(t, f, operation, a, b, c, target);
        return;
    }
    translate_fix(t, f, target);
    translate_emit(t, operation, a, b, c);
    translate_reach(t, f, target, &t->now);
}

bool translate_arrive(translator *t, frame *f, size_t pc, bool falls)
{
    int i = f->first_jump;
    while (i < t->jump_count && t->jumps[i].target != pc)
        i++;
    if (i < t->jump_count) {
        if (falls) {
            if (t->cost > 0) /* of this way alone */
                translate_emit(t, STEP_MOVE, 0, 0, 0);
            translate_reach(t, f, pc, &t->now);
        }
        t->cost = 0;
        t->now = t->jumps[i].at;
        t->last_target = t->program->step_count;
        t->jumps[i] = t->jumps[--t->jump_count];
        falls = true;
    }
    f->places[pc] = (uint16_t)t->program->step_count;
    return falls;
}
