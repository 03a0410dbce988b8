/* Translates functions of a policy from Lua's bytecode to programs.
 *
 * The translator reads the code once, from front to back; again when it learns more of a loop.
 * What a register holds that is no value (the view, a method, a table of the file) is known at each
 * instruction, and needs no step at run time. */
#include <string.h>

#include "sandbox/internal.h"
#include "translate.h"

/* Instructions of Lua 5.4, those that are known here. */
enum opcode {
    OP_MOVE = 0,
    OP_LOADI = 1,
    OP_LOADF = 2,
    OP_LOADK = 3,
    OP_LOADFALSE = 5,
    OP_LFALSESKIP = 6,
    OP_LOADTRUE = 7,
    OP_LOADNIL = 8,
    OP_GETUPVAL = 9,
    OP_GETTABUP = 11,
    OP_GETTABLE = 12,
    OP_GETI = 13,
    OP_GETFIELD = 14,
    OP_SETTABLE = 16,
    OP_SETI = 17,
    OP_SETFIELD = 18,
    OP_SELF = 20,
    OP_ADDI = 21,
    OP_ADDK = 22, /* to BXORK: the operators up to BXOR, except for shifts */
    OP_BXORK = 31,
    OP_SHRI = 32,
    OP_SHLI = 33,
    OP_ADD = 34, /* to SHR: all operators */
    OP_SHR = 45,
    OP_UNM = 49,
    OP_BNOT = 50,
    OP_NOT = 51,
    OP_CONCAT = 53,
    OP_CLOSE = 54,
    OP_JMP = 56,
    OP_EQ = 57,
    OP_LT = 58,
    OP_LE = 59,
    OP_EQK = 60,
    OP_EQI = 61,
    OP_LTI = 62,
    OP_LEI = 63,
    OP_GTI = 64,
    OP_GEI = 65,
    OP_TEST = 66,
    OP_TESTSET = 67,
    OP_CALL = 68,
    OP_TAILCALL = 69,
    OP_RETURN = 70,
    OP_RETURN0 = 71,
    OP_RETURN1 = 72,
    OP_FORLOOP = 73,
    OP_FORPREP = 74,
    OP_TFORPREP = 75,
    OP_TFORCALL = 76,
    OP_TFORLOOP = 77
};

/* ---- instructions ---------------------------------------------------------------------------- */

static bytecode_constant constant_of(const frame *f, size_t index)
{
    bytecode_reader at = f->code.constants;
    bytecode_expect(&at, index < f->code.constant_count);
    for (size_t i = 0; i < index; i++)
        bytecode_take_constant(&at);
    return bytecode_take_constant(&at);
}

/* The parts of an instruction. */
typedef struct parts {
    int op, a, b, c, k;
    int sb, sc, sbx, sj;
    int raw_b, raw_c, bx;
} parts;

static parts take_apart(const frame *f, size_t pc)
{
    uint32_t i;
    memcpy(&i, f->code.code + 4 * pc, 4);
    parts p = {.op = i & 0x7F,
               .a = f->base + (int)(i >> 7 & 0xFF),
               .k = i >> 15 & 1,
               .raw_b = (int)(i >> 16 & 0xFF),
               .raw_c = (int)(i >> 24),
               .bx = (int)(i >> 15),
               .sj = (int)(i >> 7) - ((1 << 24) - 1)};
    p.b = f->base + p.raw_b;
    p.c = f->base + p.raw_c;
    p.sb = p.raw_b - 127;
    p.sc = p.raw_c - 127;
    p.sbx = p.bx - ((1 << 16) - 1);
    return p;
}

/* Emits an operator; its place in Lua's list of them is that in the list of steps. */
static void operate(translator *t, int number, int a, int b, int c)
{
    if (!translate_need(t, b) || !translate_need(t, c))
        return;
    if (STEP_ADD + number == STEP_POW)
        translate_refuse(t, "it uses #");
    translate_emit(t, (enum program_operation)(STEP_ADD + number), a, b, c);
    translate_set(t, a, IS_VALUE, 0);
}

/* Returns the step of a comparison. */
static enum program_operation operation_of(int op)
{
    return op == OP_EQ || op == OP_EQK || op == OP_EQI   ? STEP_EQ
           : op == OP_LT || op == OP_LTI || op == OP_GTI ? STEP_LT
                                                         : STEP_LE;
}

/* Translates a comparison; the instruction behind it is a jump. */
static void compare(translator *t, frame *f, const parts *p, size_t pc)
{
    int left = p->a, right = p->b;
    if (p->op == OP_EQK) {
        bytecode_constant k = constant_of(f, (size_t)p->raw_b);
        right = PROGRAM_REGISTERS - 1; /* behind all that a function may use */
        translate_take_constant(t, right, &k);
    } else if (p->op >= OP_EQI) {
        /* C says whether the number was written as a float */
        right = translate_constant(t, p->raw_c ? policy_float(p->sb) : policy_integer(p->sb));
    }
    if (!translate_need(t, left) || !translate_need(t, right))
        return;
    if (p->op == OP_GTI || p->op == OP_GEI) {
        int swap = left;
        left = right;
        right = swap;
    }
    parts next = take_apart(f, pc + 1);
    translate_go(t, f, operation_of(p->op), p->k, left, right, pc + 2 + (size_t)next.sj);
    translate_reach(t, f, pc + 2, &t->now);
}

/* Translates `and`, `or`, `if`; the instruction behind it is a jump. */
static void test(translator *t, frame *f, const parts *p, size_t pc)
{
    int tested = p->op == OP_TEST ? p->a : p->b;
    parts next = take_apart(f, pc + 1);
    size_t target = pc + 2 + (size_t)next.sj;
    if (!translate_need(t, tested))
        return;
    if (p->op == OP_TEST) {
        translate_go(t, f, STEP_TEST, p->k, tested, 0, target);
        translate_reach(t, f, pc + 2, &t->now);
        return;
    }
    translate_reach(t, f, pc + 2, &t->now);
    translate_fix(t, f, pc + 2); /* over the move */
    translate_emit(t, STEP_TEST, !p->k, tested, 0);
    translate_emit(t, STEP_MOVE, p->a, tested, 0);
    translate_set(t, p->a, IS_VALUE, 0);
    translate_go(t, f, STEP_JUMP, 0, 0, 0, target);
}

/* Returns how many arguments a call has: maybe all that the call before has passed on. */
static int argument_count(const translator *t, const parts *p)
{
    return p->raw_b == 0 ? t->open_end - p->a - 1 : p->raw_b - 1;
}

/* Translates what only moves values. */
static bool load(translator *t, frame *f, const parts *p)
{
    bytecode_constant k;
    switch (p->op) {
    case OP_MOVE:
        if (t->now.registers[p->b].kind == IS_VALUE)
            translate_emit(t, STEP_MOVE, p->a, p->b, 0);
        t->now.registers[p->a] = t->now.registers[p->b];
        return true;
    case OP_LOADI:
        translate_load(t, p->a, policy_integer(p->sbx));
        return true;
    case OP_LOADF:
        translate_load(t, p->a, policy_float(p->sbx));
        return true;
    case OP_LOADK:
        k = constant_of(f, (size_t)p->bx);
        translate_take_constant(t, p->a, &k);
        return true;
    case OP_LOADFALSE:
        translate_load(t, p->a, policy_boolean(0));
        return true;
    case OP_LOADTRUE:
        translate_load(t, p->a, policy_boolean(1));
        return true;
    case OP_LOADNIL:
        for (int i = 0; i <= p->raw_b; i++)
            translate_load(t, p->a + i, policy_nil());
        return true;
    default:
        return false;
    }
}

/* Translates what reads the file's values, tables and the view. */
static bool get(translator *t, frame *f, const parts *p)
{
    bytecode_constant k = {.type = LUA_TNIL};
    if (p->op == OP_GETTABUP || p->op == OP_GETFIELD || (p->op == OP_SELF && p->k))
        k = constant_of(f, (size_t)p->raw_c);
    switch (p->op) {
    case OP_GETUPVAL:
    case OP_GETTABUP:
        lua_getupvalue(t->L, f->closure, p->raw_b + 1);
        translate_take_value(t, p->a);
        if (p->op == OP_GETTABUP)
            translate_get_field(t, p->a, p->a, &k);
        return true;
    case OP_GETTABLE:
        translate_get_element(t, p->a, p->b, p->c);
        return true;
    case OP_GETI:
        translate_get_element(t, p->a, p->b, translate_constant(t, policy_integer(p->raw_c)));
        return true;
    case OP_GETFIELD:
        translate_get_field(t, p->a, p->b, &k);
        return true;
    case OP_SELF:
        translate_get_method(t, p->a, p->b, &k);
        return true;
    default:
        return false;
    }
}

/* Translates what writes to memory. */
static bool set(translator *t, frame *f, const parts *p)
{
    bytecode_constant name, k;
    int value = p->c;
    if (p->op != OP_SETTABLE && p->op != OP_SETI && p->op != OP_SETFIELD)
        return false;
    if (p->k) {
        k = constant_of(f, (size_t)p->raw_c);
        value = PROGRAM_REGISTERS - 1; /* behind all that a function may use */
        translate_take_constant(t, value, &k);
    }
    if (p->op == OP_SETFIELD) {
        name = constant_of(f, (size_t)p->raw_b);
        translate_set_field(t, p->a, &name, value);
    } else {
        int index = p->op == OP_SETI ? translate_constant(t, policy_integer(p->raw_b)) : p->b;
        translate_set_element(t, p->a, index, value);
    }
    return true;
}

/* Translates what begins and ends loops of `for`, over numbers and over jobs. */
static bool loop(translator *t, frame *f, const parts *p, size_t pc)
{
    switch (p->op) {
    case OP_FORPREP:
        for (int i = 0; i < 3; i++)
            translate_need(t, p->a + i);
        translate_forget_constants(t);
        translate_go(t, f, STEP_FOR, p->a, 0, 0, pc + 2 + (size_t)p->bx);
        translate_set(t, p->a + 3, IS_VALUE, 0);
        return true;
    case OP_FORLOOP:
        translate_go_back(t, f, STEP_NEXT, p->a, 0, 0, pc + 1 - (size_t)p->bx);
        return true;
    case OP_TFORPREP: /* its body comes first, the step to the next job behind it */
        translate_go(t, f, STEP_JUMP, 0, 0, 0, pc + 1 + (size_t)p->bx);
        translate_set(t, p->a + 4, IS_VALUE, 0);
        return true;
    case OP_TFORCALL:
        if (t->now.registers[p->a].kind != IS_WALK || p->raw_c != 1)
            translate_refuse(t, "it has a loop that is not over integers or jobs");
        translate_set(t, p->a + 4, IS_VALUE, 0);
        return true;
    case OP_TFORLOOP: { /* of a walk, as the call before it was */
        const policy_question *walk = t->questions[t->now.registers[p->a].which];
        translate_go_back(t, f, STEP_WALK, p->a + 1, 0, 0, pc + 1 - (size_t)p->bx)->with.ask =
            walk->ask;
        return true;
    }
    default:
        return p->op == OP_CLOSE; /* of a loop over jobs: there is nothing to be closed */
    }
}

/* Translates an instruction. Returns whether the one behind it is reached from it, and moves *pc on
 * where that is not the next. */
static bool translate_one(translator *t, frame *f, size_t *pc)
{
    parts p = take_apart(f, *pc);
    bytecode_constant k;
    t->cost++;
    if (load(t, f, &p) || get(t, f, &p) || set(t, f, &p) || loop(t, f, &p, *pc))
        return true;
    if (p.op >= OP_ADDI && p.op <= OP_SHR) { /* the next is for values with metatables */
        ++*pc;
        if (p.op == OP_ADDI) {
            operate(t, 0, p.a, p.b, translate_constant(t, policy_integer(p.sc)));
        } else if (p.op == OP_SHRI) {
            operate(t, STEP_SHR - STEP_ADD, p.a, p.b, translate_constant(t, policy_integer(p.sc)));
        } else if (p.op == OP_SHLI) {
            operate(t, STEP_SHL - STEP_ADD, p.a, translate_constant(t, policy_integer(p.sc)), p.b);
        } else if (p.op >= OP_ADD) {
            operate(t, p.op - OP_ADD, p.a, p.b, p.c);
        } else {
            k = constant_of(f, (size_t)p.raw_c);
            operate(t, p.op - OP_ADDK, p.a, p.b,
                    translate_constant(t, k.is_integer ? policy_integer(k.integer)
                                                       : policy_float(k.number)));
        }
        return true;
    }
    if (p.op >= OP_EQ && p.op <= OP_TESTSET) {
        if (p.op <= OP_GEI)
            compare(t, f, &p, *pc);
        else
            test(t, f, &p, *pc);
        ++*pc;
        return false;
    }
    switch (p.op) {
    case OP_LFALSESKIP:
        translate_load(t, p.a, policy_boolean(0));
        translate_go(t, f, STEP_JUMP, 0, 0, 0, *pc + 2);
        return false;
    case OP_UNM:
    case OP_BNOT:
    case OP_NOT:
        if (translate_need(t, p.b))
            translate_emit(t,
                           p.op == OP_UNM    ? STEP_MINUS
                           : p.op == OP_BNOT ? STEP_BNOT
                                             : STEP_NOT,
                           p.a, p.b, 0);
        translate_set(t, p.a, IS_VALUE, 0);
        return true;
    case OP_CONCAT:
        translate_concatenate(t, p.a, p.raw_b);
        return true;
    case OP_JMP:
        translate_go(t, f, STEP_JUMP, 0, 0, 0, *pc + 1 + (size_t)p.sj);
        return false;
    case OP_CALL:
        translate_call(t, p.a, argument_count(t, &p), p.raw_c - 1);
        return true;
    case OP_TAILCALL:
        translate_tail_call(t, p.a, argument_count(t, &p), f->to);
        return false;
    case OP_RETURN:
        translate_give_results(t, f->to, p.a, p.raw_b == 0 ? t->open_end - p.a : p.raw_b - 1);
        return false;
    case OP_RETURN0:
        translate_give_results(t, f->to, p.a, 0);
        return false;
    case OP_RETURN1:
        translate_give_results(t, f->to, p.a, 1);
        return false;
    default:
        translate_refuse(t,
                         "it makes a table, a text or a function, or has a loop that is not over "
                         "integers or jobs");
    }
    return false;
}

/* ---- functions ------------------------------------------------------------------------------- */

static int write_dump(lua_State *L, const void *bytes, size_t size, void *user)
{
    translator *t = user;
    const pn_lua_options *host = &t->policy->options;
    size_t at = t->dump_sizes[t->depth], room = t->dump_rooms[t->depth];
    (void)L;
    if (room - at < size) {
        size_t more = 2 * (at + size);
        unsigned char *moved = host->allocate(host->user, t->dumps[t->depth], room, more);
        if (!moved)
            return 1;
        t->dumps[t->depth] = moved;
        t->dump_rooms[t->depth] = more;
    }
    memcpy(t->dumps[t->depth] + at, bytes, size);
    t->dump_sizes[t->depth] += size;
    return 0;
}

/* Reads the code of the function at a place of the stack. False where it cannot be translated. */
static bool read_function(translator *t, frame *f)
{
    bytecode_reader reader = {.L = t->L};
    t->dump_sizes[t->depth] = 0;
    lua_pushvalue(t->L, f->closure);
    int failed = lua_dump(t->L, write_dump, t, 1);
    lua_pop(t->L, 1);
    if (failed) {
        translate_refuse(t, "memory is short");
        return false;
    }
    reader.at = t->dumps[t->depth];
    reader.end = reader.at + t->dump_sizes[t->depth];
    bytecode_take_header(&reader);
    f->code = bytecode_take_function(&reader);
    if (f->code.function_count > 0)
        translate_refuse(t, "it makes a function");
    else if (f->code.is_variadic)
        translate_refuse(t, "it takes any number of arguments");
    else if (f->code.code_count > CODE_MOST ||
             f->base + f->code.registers + PROGRAM_RESULTS > PROGRAM_REGISTERS)
        translate_refuse(t, "it is too long");
    return !t->why;
}

/* Finds where loops begin: where instructions go back to. */
static void find_loops(frame *f)
{
    for (size_t pc = 0; pc < f->code.code_count; pc++) {
        parts p = take_apart(f, pc);
        if (p.op == OP_FORLOOP || p.op == OP_TFORLOOP)
            f->loops[pc + 1 - (size_t)p.bx] = LOOP_AHEAD;
        else if (p.op == OP_JMP && p.sj < 0)
            f->loops[pc + 1 + (size_t)p.sj] = LOOP_AHEAD;
    }
}

/* Notes what the parameters of the whole program are: the view, and values. */
static void give_parameters(translator *t, int count)
{
    translate_set(t, 0, count > 0 ? IS_VIEW : IS_UNKNOWN, 0);
    for (int i = 1; i < count; i++)
        translate_set(t, i, IS_VALUE, 0);
    t->program->parameters = count > 0 ? (uint32_t)count - 1 : 0;
}

void translate_function(translator *t, int closure, int base, int arguments, destination *to)
{
    frame f = {.base = base, .closure = closure, .to = to, .first_jump = t->jump_count};
    bool falls = true;
    if (t->depth + 1 == DEPTH_MOST) {
        translate_refuse(t, "it calls itself, or too deep");
        return;
    }
    t->depth++;
    if (read_function(t, &f)) {
        find_loops(&f);
        for (int i = arguments; arguments >= 0 && i < f.code.parameters; i++)
            translate_load(t, base + i, policy_nil());
        if (arguments < 0)
            give_parameters(t, f.code.parameters);
        for (size_t pc = 0; pc < f.code.code_count && !t->why; pc++) {
            falls = translate_arrive(t, &f, pc, falls);
            if (falls && f.loops[pc] != 0)
                translate_begin_loop(t, &f, pc);
            if (falls)
                falls = translate_one(t, &f, &pc);
        }
        for (int i = 0; i < f.fix_count && !t->why; i++)
            t->program->steps[f.fixes[i].step].to = f.places[f.fixes[i].target];
    }
    t->jump_count = f.first_jump;
    t->depth--;
}

static size_t program_size(const struct policy_program *program)
{
    return sizeof *program + program->step_count * sizeof program->steps[0];
}

/* Translates a function of the policy; lua_CFunction of a translator. */
static int translate_whole(lua_State *L)
{
    translator *t = lua_touserdata(L, 1);
    int tries = 0;
    t->L = L;
    lua_rawgetp(L, LUA_REGISTRYINDEX, t->policy->cells);
    lua_rawgeti(L, -1, t->function + 1);
    lua_remove(L, -2);
    if (!lua_isfunction(L, -1) || !lua_checkstack(L, STACK_MOST + 20))
        return 0;
    int closure = lua_gettop(L);
    do {
        destination out = {.first = -1};
        lua_settop(L, closure);
        memset(t->program, 0, sizeof *t->program);
        memset(&t->now, 0, sizeof t->now);
        translate_function(t, closure, 0, -1, &out);
    } while (translate_try_again(t) && ++tries < TRIES);
    if (!t->why)
        t->policy->programs[t->function] = t->program;
    t->policy->unfit[t->function] = t->why;
    return 0;
}

/* Makes a translator ready for the next function: its room for code stays. */
static void begin(translator *t, pn_lua_policy *policy, int function, struct policy_program *room)
{
    memset(t, 0, offsetof(translator, jumps));
    t->depth = -1;
    t->policy = policy;
    t->function = function;
    t->program = room;
}

/* Returns a copy that takes no more memory than it needs; null: memory is short. */
static struct policy_program *copy_program(const pn_lua_policy *policy,
                                           const struct policy_program *program)
{
    const pn_lua_options *host = &policy->options;
    struct policy_program *copy = host->allocate(host->user, NULL, 0, program_size(program));
    if (!copy)
        return NULL;
    memcpy(copy, program, program_size(program));
    for (uint32_t i = 0; i < copy->constant_count; i++) {
        policy_value *value = &copy->constants[i];
        if (value->type == VALUE_TEXT && value->as.text >= program->texts &&
            value->as.text < program->texts + PROGRAM_TEXTS)
            value->as.text = copy->texts + (value->as.text - program->texts);
    }
    return copy;
}

void policy_forget_programs(pn_lua_policy *policy)
{
    const pn_lua_options *host = &policy->options;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (policy->programs[i])
            host->allocate(host->user, policy->programs[i], program_size(policy->programs[i]), 0);
        policy->programs[i] = NULL;
        policy->unfit[i] = NULL;
    }
}

void policy_compile(pn_lua_policy *policy)
{
    const pn_lua_options *host = &policy->options;
    size_t most = sizeof(struct policy_program) + PROGRAM_STEPS * sizeof(program_step);
    translator *t = host->allocate(host->user, NULL, 0, sizeof *t);
    struct policy_program *room = t ? host->allocate(host->user, NULL, 0, most) : NULL;
    if (t)
        memset(t, 0, sizeof *t);
    for (int i = 0; policy->model->remembers && i < FUNCTION_COUNT; i++) {
        if (POLICY_ONCE >> i & 1)
            continue;
        policy->unfit[i] = "memory is short";
        if (!room)
            continue;
        begin(t, policy, i, room);
        if (sandbox_protect(policy->box, translate_whole, t) != 0)
            policy->box->message[0] = '\0';
        if (policy->programs[i] && !(policy->programs[i] = copy_program(policy, room)))
            policy->unfit[i] = "memory is short";
    }
    for (int i = 0; t && i < DEPTH_MOST; i++)
        if (t->dumps[i])
            host->allocate(host->user, t->dumps[i], t->dump_rooms[i], 0);
    if (room)
        host->allocate(host->user, room, most, 0);
    if (t)
        host->allocate(host->user, t, sizeof *t, 0);
}
