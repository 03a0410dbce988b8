/* Runs compiled functions, with Lua's meaning to the bit: integers wrap around, floats are doubles,
 * and what mixes both is compared exactly. */
#include <math.h>
#include <string.h>

#include "program_number.h"

/* ---- numbers --------------------------------------------------------------------------------- */

/* Reads an integer, or a float that is one, as operators on bits do. False where it is none. */
static bool to_integer(const policy_value *x, uint64_t *bits)
{
    lua_Integer integer = x->as.integer;
    if (x->type == VALUE_FLOAT &&
        (floor(x->as.number) != x->as.number || !lua_numbertointeger(x->as.number, &integer)))
        return false;
    *bits = (uint64_t)integer;
    return policy_is_number(x);
}

/* Returns a value as Lua has it: of a job its number. */
static policy_value to_lua(const pn_lua_policy *policy, const policy_value *x)
{
    if (x->type != VALUE_JOB)
        return *x;
    return policy_integer(policy_number(policy, policy->now.view, (uint32_t)x->as.integer));
}

static bool are_equal(const pn_lua_policy *policy, const policy_value *x, const policy_value *y,
                      bool *is)
{
    if (policy_is_number(x) && policy_is_number(y))
        return compare(STEP_EQ, x, y, is);
    if (policy_is_number(x) || policy_is_number(y)) {
        policy_value left = to_lua(policy, x), right = to_lua(policy, y);
        *is = false;
        if (policy_is_number(&left) && policy_is_number(&right))
            compare(STEP_EQ, &left, &right, is); /* a job's number is small */
        return true;
    }
    *is = x->type == y->type;
    if (*is && x->type == VALUE_JOB)
        *is = x->as.integer == y->as.integer;
    else if (*is && x->type == VALUE_TEXT)
        *is = x->as.text == y->as.text || strcmp(x->as.text, y->as.text) == 0;
    return true;
}

static bool shift(const policy_value *x, const policy_value *y, bool left, policy_value *to)
{
    uint64_t bits, by;
    if (!to_integer(x, &bits) || !to_integer(y, &by))
        return false;
    int64_t places = (int64_t)by;
    if (places <= -64 || places >= 64) {
        bits = 0;
    } else {
        places = left ? places : -places;
        bits = places >= 0 ? bits << places : bits >> -places;
    }
    *to = policy_integer((int64_t)bits);
    return true;
}

/* Divides integers, down. */
static bool divide(int operation, const policy_value *x, const policy_value *y, policy_value *to)
{
    int64_t a = x->as.integer, b = y->as.integer;
    if (b == 0)
        return false;
    if (b == -1) { /* the least integer has no opposite */
        *to = policy_integer(operation == STEP_IDIV ? (int64_t)(0 - (uint64_t)a) : 0);
        return true;
    }
    int64_t quotient = a / b, rest = a % b;
    bool down = rest != 0 && (rest ^ b) < 0;
    *to = policy_integer(operation == STEP_IDIV ? quotient - down : down ? rest + b : rest);
    return true;
}

static double modulo(double a, double b)
{
    double rest = fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Serves the operators that the loop does not. */
static bool calculate(int operation, const policy_value *x, const policy_value *y, policy_value *to)
{
    uint64_t bits[2];
    double of[2];
    switch (operation) {
    case STEP_MOD:
    case STEP_IDIV:
        if (are_integers(x, y))
            return divide(operation, x, y, to);
        if (!to_doubles(x, y, of))
            return false;
        *to = policy_float(operation == STEP_MOD ? modulo(of[0], of[1]) : floor(of[0] / of[1]));
        return true;
    case STEP_SHL:
    case STEP_SHR:
        return shift(x, y, operation == STEP_SHL, to);
    default: /* on bits; no program has powers */
        if (!to_integer(x, &bits[0]) || !to_integer(y, &bits[1]))
            return false;
        bits[0] = operation == STEP_BAND  ? bits[0] & bits[1]
                  : operation == STEP_BOR ? bits[0] | bits[1]
                                          : bits[0] ^ bits[1];
        *to = policy_integer((int64_t)bits[0]);
        return true;
    }
}

/* ---- running --------------------------------------------------------------------------------- */

/* Begins a loop over integers, of which there are some or none; false: it is not over integers. In
 * the place of the last is how many follow from then on. */
static bool begin_loop(policy_value *loop, bool *some)
{
    int64_t first = loop[0].as.integer, last = loop[1].as.integer, step = loop[2].as.integer;
    if (!are_integers(&loop[0], &loop[1]) || loop[2].type != VALUE_INTEGER || step == 0)
        return false;
    *some = step > 0 ? first <= last : first >= last;
    if (!*some)
        return true;
    uint64_t more = step > 0 ? ((uint64_t)last - (uint64_t)first) / (uint64_t)step
                             : ((uint64_t)first - (uint64_t)last) / (0 - (uint64_t)step);
    loop[1].as.integer = (int64_t)more;
    loop[3] = loop[0];
    return true;
}

/* Goes on to the next of a loop, if there is one. */
static bool next_of_loop(policy_value *loop)
{
    if (loop[1].as.integer == 0)
        return false;
    loop[1].as.integer = (int64_t)((uint64_t)loop[1].as.integer - 1);
    loop[0].as.integer = (int64_t)((uint64_t)loop[0].as.integer + (uint64_t)loop[2].as.integer);
    loop[3] = loop[0];
    return true;
}

#define GIVE_UP_UNLESS(decided) \
    if (!(decided))             \
        return -1;              \
    break

/* Adds, subtracts or multiplies. */
#define CALCULATE(sign)                                                                        \
    if (are_integers(x, y)) {                                                                  \
        *to = policy_integer((int64_t)((uint64_t)x->as.integer sign(uint64_t) y->as.integer)); \
    } else if (to_doubles(x, y, of)) {                                                         \
        *to = policy_float(of[0] sign of[1]);                                                  \
    } else {                                                                                   \
        return -1;                                                                             \
    }                                                                                          \
    break

/* Goes on at `to`. Backwards it may go without end. */
#define GO_TO                                                                           \
    do {                                                                                \
        if (steps + step->to <= step && (*spent > affords || policy->box->interrupted)) \
            return -1;                                                                  \
        step = steps + step->to - 1;                                                    \
    } while (0)

#define GO_IF(decided) \
    if (!(decided))    \
        return -1;     \
    if (is == step->a) \
        GO_TO;         \
    break

static int find_state(const pn_lua_policy *policy, const policy_value *name)
{
    return name->type == VALUE_TEXT ? policy_find_state(policy, name->as.text) : -1;
}

/* Runs the steps. The index of the first value that it returns, and the number of them; -1: it
 * gives up. */
static int run(pn_lua_policy *policy, const struct policy_program *program, policy_value *r,
               uint64_t affords, uint64_t *spent, int *count)
{
    void *view = policy->now.view;
    const program_step *const steps = program->steps;
    double of[2];
    bool is = false;
    int cell;
    for (const program_step *step = steps;; step++) {
        policy_value *to = &r[step->a];
        const policy_value *x = &r[step->b], *y = &r[step->c];
        *spent += step->cost;
        switch (step->operation) {
        case STEP_MOVE:
            *to = *x;
            break;
        case STEP_ADD:
            CALCULATE(+);
        case STEP_SUB:
            CALCULATE(-);
        case STEP_MUL:
            CALCULATE(*);
        case STEP_DIV:
            if (!to_doubles(x, y, of))
                return -1;
            *to = policy_float(of[0] / of[1]);
            break;
        case STEP_MINUS:
            if (x->type == VALUE_INTEGER)
                *to = policy_integer((int64_t)(0 - (uint64_t)x->as.integer));
            else if (x->type == VALUE_FLOAT)
                *to = policy_float(-x->as.number);
            else
                return -1;
            break;
        case STEP_BNOT:
            if (x->type != VALUE_INTEGER)
                return -1;
            *to = policy_integer((int64_t) ~(uint64_t)x->as.integer);
            break;
        case STEP_NOT:
            *to = policy_boolean(!policy_is_true(x));
            break;
        case STEP_EQ:
            GO_IF(are_equal(policy, x, y, &is));
        case STEP_LT:
        case STEP_LE:
            GO_IF(compare(step->operation, x, y, &is));
        case STEP_TEST:
            is = policy_is_true(x);
            GO_IF(true);
        case STEP_JUMP:
            GO_TO;
            break;
        case STEP_FOR:
            if (!begin_loop(to, &is))
                return -1;
            if (!is)
                GO_TO;
            break;
        case STEP_NEXT:
            if (next_of_loop(to))
                GO_TO;
            break;
        case STEP_WALK:
            policy->charged = 0;
            if (!step->with.ask(policy, view, to, to + 3))
                return -1;
            *spent += policy->charged;
            to[1] = to[3];
            if (to[3].type != VALUE_NIL)
                GO_TO;
            break;
        case STEP_ASK:
            GIVE_UP_UNLESS(step->with.ask(policy, view, x, to));
        case STEP_ACT:
            policy->charged = 0;
            if (!step->with.ask(policy, view, x, to))
                return -1;
            policy->acted = true;
            *spent += policy->charged;
            break;
        case STEP_MATH:
            GIVE_UP_UNLESS(step->with.math(x, step->c, to));
        case STEP_PARAM:
            of[0] = policy->model->param_value(view, step->b);
            *to = step->c == VALUE_FLOAT     ? policy_float(of[0])
                  : step->c == VALUE_INTEGER ? policy_integer((int64_t)of[0])
                  : step->c == VALUE_TEXT ? policy_text(policy->params[step->b].names[(int)of[0]])
                                          : policy_boolean(of[0] > 0);
            break;
        case STEP_STATE:
            *to = policy_read_state(policy, view, step->b);
            break;
        case STEP_CELL:
            GIVE_UP_UNLESS(policy_read_cell(policy, view, step->b, y, to));
        case STEP_NAMED:
            if ((cell = find_state(policy, x)) < 0)
                return -1;
            *to = policy_read_state(policy, view, (uint32_t)cell);
            break;
        case STEP_SET_STATE:
            GIVE_UP_UNLESS(policy_write_state(policy, step->b, y));
        case STEP_SET_NAMED:
            if ((cell = find_state(policy, x)) < 0)
                return -1;
            GIVE_UP_UNLESS(policy_write_state(policy, (uint32_t)cell, y));
        case STEP_SET_CELL:
            GIVE_UP_UNLESS(policy_write_cell(policy, step->a, x, y));
        case STEP_RETURN:
            *count = step->b;
            return step->a;
        default:
            GIVE_UP_UNLESS(calculate(step->operation, x, y, to));
        }
    }
}

/* Returns whether tables among the parameters are those of this simulation; Lua refuses others. */
static bool has_its_tables(const pn_lua_policy *policy)
{
    for (uint32_t i = 0; i < policy->param_count; i++)
        if (policy->param_texts[i].is_table &&
            policy->model->param_value(policy->now.view, i) != policy->params[i].value)
            return false;
    return true;
}

/* Runs the program whose registers are filled. False: it gives up, or a call in it has failed. */
static bool come_to_end(pn_lua_policy *policy, const struct policy_program *program,
                        policy_value *r, policy_value *values, int results)
{
    uint64_t affords = sandbox_affords(policy->box), spent = 0;
    int returned, first = run(policy, program, r, affords, &spent, &returned);
    if (first < 0 || (program->acts && policy->broken) || returned > results || spent > affords)
        return false;
    for (int i = 0; i < results; i++) {
        values[i] = i < returned ? to_lua(policy, &r[first + i]) : policy_nil();
        if (values[i].type >= VALUE_TEXT) /* for a message, which Lua has to make */
            return false;
    }
    sandbox_spend(policy->box, spent);
    return true;
}

void policy_undo_program(pn_lua_policy *policy, uint32_t kept)
{
    policy_take_back(policy, kept);
    if (policy->acted && policy->model->take_back)
        policy->model->take_back(policy->now.view);
    policy->acted = false;
}

enum program_end policy_run_program(pn_lua_policy *policy, int function, const policy_value *given,
                                    int count, policy_value *values, int results)
{
    struct policy_program *program = policy->programs[function];
    policy_value r[PROGRAM_VALUES];
    sandbox_outside outside = {0};
    uint32_t kept = policy->change_count;
    if (policy->box->interrupted || (policy->has_tables && !has_its_tables(policy)) ||
        program->misses == PROGRAM_MISSES)
        return PROGRAM_GAVE_UP;
    int filled = 1;
    r[0] = policy_nil(); /* the view is no value */
    if (policy->now.job != PN_NO_JOB)
        r[filled++] = policy_job(policy->now.job);
    for (int i = 0; i < count; i++)
        r[filled++] = given[i];
    while (filled <= (int)program->parameters)
        r[filled++] = policy_nil();
    memcpy(r + PROGRAM_REGISTERS, program->constants, program->constant_count * sizeof r[0]);
    policy->acted = policy->acted && !program->acts;
    bool is_call = program->is_long || program->acts;
    if (is_call)
        outside = sandbox_enter(policy->box);
    bool ended = come_to_end(policy, program, r, values, results);
    if (is_call)
        sandbox_leave(policy->box, &outside);
    program->misses = ended ? 0 : program->misses + 1;
    if (ended)
        return PROGRAM_DONE;
    if (program->acts)
        policy_undo_program(policy, kept);
    return program->acts && policy->broken ? PROGRAM_FAILED : PROGRAM_GAVE_UP;
}
