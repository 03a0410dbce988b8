/* Loops. The code is read once, from front to back, so what registers hold where a loop begins must
 * be known before its end is read: at first it is taken for what they hold before the loop. Where
 * less is known at its end, the function is translated again with that. */
#include "translate.h"

static const char TRY_AGAIN[] = "a loop holds less than was known";

void translate_begin_loop(translator *t, frame *f, size_t pc)
{
    int loop = t->loop_count++;
    if (loop == LOOPS) {
        translate_refuse(t, "it has too many loops");
        return;
    }
    if (t->cost > 0) /* of what precedes it */
        translate_emit(t, STEP_MOVE, 0, 0, 0);
    translate_forget_constants(t);
    if (loop < t->loops_known)
        translate_meet(&t->now, &t->loops[loop]);
    else
        t->loops_known = loop + 1;
    t->loops[loop] = t->now;
    f->loops[pc] = (uint8_t)(loop + 1);
    f->places[pc] = (uint16_t)t->program->step_count;
    t->last_target = t->program->step_count;
    t->program->is_long = true;
}

program_step *translate_go_back(translator *t, frame *f, enum program_operation operation, int a,
                                int b, int c, size_t target)
{
    int loop = f->loops[target] - 1;
    program_step *step = translate_emit(t, operation, a, b, c);
    step->to = f->places[target];
    if (translate_meet(&t->loops[loop], &t->now)) {
        t->loops_known = loop + 1; /* what is in it may be other than it was */
        translate_refuse(t, TRY_AGAIN);
    }
    return step;
}

bool translate_try_again(translator *t)
{
    if (t->why != TRY_AGAIN)
        return false;
    t->why = NULL;
    t->depth = -1;
    t->cost = 0;
    t->question_count = t->jump_count = t->loop_count = 0;
    t->last_target = 0;
    return true;
}

void translate_begin_walk(translator *t, int a, int arguments)
{
    int which = t->now.registers[a].which;
    if (arguments < 2)
        translate_load(t, a + 1, policy_nil());
    else if (translate_need(t, a + 2))
        translate_emit(t, STEP_MOVE, a + 1, a + 2, 0);
    translate_set(t, a + 1, IS_VALUE, 0);
    translate_load(t, a + 2, policy_nil());
    translate_set(t, a, IS_WALK, which);
}
