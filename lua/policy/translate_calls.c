/* Calls: of methods of the view, of math, and of functions of the file, which are translated in
 * their place. */
#include "translate.h"

void translate_give_results(translator *t, destination *to, int first, int count)
{
    if (count > PROGRAM_RESULTS)
        translate_refuse(t, "it returns many values");
    for (int i = 0; i < count; i++)
        translate_need(t, first + i);
    if (to->first < 0) {
        translate_emit(t, STEP_RETURN, first, count, 0);
        return;
    }
    if (to->count < 0)
        to->count = count;
    else if (to->is_open && to->count != count)
        translate_refuse(t, "its number of results varies");
    for (int i = 0; i < to->count; i++)
        translate_emit(t, STEP_MOVE, to->first + i,
                       i < count ? first + i : translate_constant(t, policy_nil()), 0);
    if (to->exit_count == EXITS) {
        translate_refuse(t, "it has too many branches");
        return;
    }
    to->exits[to->exit_count++] = (uint16_t)t->program->step_count;
    translate_emit(t, STEP_JUMP, 0, 0, 0);
}

/* Calls a method of the view: register a holds it, the view is behind it. Returns how many values
 * lie in a and behind it then; a loop over jobs lies there as two. */
static int call_method(translator *t, int a, int arguments)
{
    const policy_question *question = t->questions[t->now.registers[a].which];
    if (t->now.registers[a + 1].kind != IS_VIEW || arguments > 1 + question->takes)
        translate_refuse(t, "it calls a method with other arguments");
    if (question->way == POLICY_WALKS) {
        translate_begin_walk(t, a, arguments);
        return 2;
    }
    for (int i = arguments; i < 1 + question->takes; i++)
        translate_load(t, a + 1 + i, policy_nil());
    for (int i = 0; i < question->takes; i++)
        translate_need(t, a + 2 + i);
    int first = question->takes == 1 ? translate_undo_move(t, a + 2) : a + 2;
    bool acts = question->way == POLICY_ACTS;
    translate_emit(t, acts ? STEP_ACT : STEP_ASK, a, first, 0)->with.ask = question->ask;
    t->program->acts = t->program->acts || acts;
    for (int i = 0; i < question->gives; i++)
        translate_set(t, a + i, IS_VALUE, 0);
    return question->gives;
}

/* Calls a function of the sandbox's math. */
static int call_math(translator *t, int a, int arguments, program_math *math)
{
    for (int i = 0; i < arguments; i++)
        translate_need(t, a + 1 + i);
    t->cost = (uint16_t)(t->cost + arguments);
    translate_emit(t, STEP_MATH, a, a + 1, arguments)->with.math = math;
    translate_set(t, a, IS_VALUE, 0);
    return 1;
}

/* Calls what register a holds; `to` is where results of a function of the file go. Returns how many
 * values lie in a and behind it then; -1: they are where they should go. */
static int call(translator *t, int a, int arguments, destination *to)
{
    known what = t->now.registers[a];
    if (what.kind == IS_QUESTION)
        return call_method(t, a, arguments);
    if (what.kind != IS_OF_FILE || !lua_isfunction(t->L, what.which)) {
        translate_refuse(t, "it calls what is no function of the file");
        return 0;
    }
    if (lua_iscfunction(t->L, what.which)) {
        program_math *math = program_find_math(lua_tocfunction(t->L, what.which));
        if (math)
            return call_math(t, a, arguments, math);
        translate_refuse(t, "it calls a function of Lua");
        return 0;
    }
    translate_function(t, what.which, a + 1, arguments, to);
    return -1;
}

void translate_call(translator *t, int a, int arguments, int wanted)
{
    destination to = {.first = a, .count = wanted, .is_open = wanted < 0};
    int count = call(t, a, arguments, &to);
    known walk = t->now.registers[a];
    if (count < 0 && to.exit_count == 0)
        translate_refuse(t, "it calls a function that does not return");
    for (int i = 0; i < to.exit_count; i++)
        t->program->steps[to.exits[i]].to = (uint16_t)t->program->step_count;
    if (to.exit_count > 0)
        t->last_target = t->program->step_count;
    if (wanted < 0)
        wanted = count < 0 ? to.count : count;
    for (int i = count; i < wanted && count >= 0; i++)
        translate_load(t, a + i, policy_nil());
    for (int i = 0; i < wanted; i++)
        translate_set(t, a + i, IS_VALUE, 0);
    if (walk.kind == IS_WALK && count == 2)
        translate_set(t, a, IS_WALK, walk.which);
    t->open_end = a + wanted;
}

void translate_tail_call(translator *t, int a, int arguments, destination *to)
{
    int count = call(t, a, arguments, to);
    if (count >= 0)
        translate_give_results(t, to, a, count);
}
