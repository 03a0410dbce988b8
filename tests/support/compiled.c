/* Random functions of policies, run in Lua and compiled: each call must return the same values, bit
 * by bit, and leave the same in memory, and where one fails, both must fail with the same words.
 * The functions are those of the tandem model: keys, whose arithmetic is of all kinds, with the
 * numbers at which integers and floats differ; and hooks with loops, which write and set rates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pinion_lua.h"
#include "random.h"
#include "tandem/support/workload.h"

enum { TEXT_MOST = 1 << 14, JOBS = 250, FEW_JOBS = 40, DEPTH = 4 }; /* loops over jobs are long */

static pn_stream *drawn;
static char text[TEXT_MOST];
static size_t length;
static bool in_helper; /* which does not call itself: Lua would not come to an end */

static struct {
    unsigned long functions, compiled, failed;
    uint64_t calls;
} done;

static uint64_t any(uint64_t low, uint64_t high)
{
    return random_uniform(drawn, low, high);
}

static void add(const char *more)
{
    size_t size = strlen(more);
    if (length + size < TEXT_MOST) {
        memcpy(text + length, more, size + 1);
        length += size;
    }
}

static void add_one(const char *const list[], size_t count)
{
    add(list[any(0, count - 1)]);
}
#define ADD_ONE(list) add_one(list, sizeof(list) / sizeof *(list))

/* ---- expressions ----------------------------------------------------------------------------- */

static void add_integer(int depth);
static void add_condition(int depth);

static const char *const NUMBERS[] = {"s:map_size(job)",
                                      "s:shuffle_size(job)",
                                      "s:map_left(job)",
                                      "s:age(job)",
                                      "s:time()",
                                      "s:arrival(job)",
                                      "s:backlog(job)",
                                      "s:in_system()",
                                      "s.params.rate",
                                      "s.params.count",
                                      "s.state.sum",
                                      "s.per_job.noted[job]",
                                      "named(s, job, 'noted', '')",
                                      "named(s, job, 'no', 'ted')",
                                      "s.state.list[2]",
                                      "s.state.list[s.state.at]",
                                      "0.5",
                                      "-1.5",
                                      "0.0",
                                      "-0.0",
                                      "1e308",
                                      "5e-324",
                                      "9007199254740993",
                                      "9007199254740992.0",
                                      "math.huge",
                                      "math.pi",
                                      "x",
                                      "y",
                                      "half",
                                      "s:attribute(job, 'none', 7)",
                                      "table_of.deep.value"};

static void add_number(int depth)
{
    static const char *const operators[] = {" + ", " - ", " * ", " / ", " % ", " // "};
    static const char *const functions[] = {"math.max(", "math.min(", "math.pow(",
                                            "helper(s, job, "};
    static const char *const singles[] = {"math.abs(", "math.floor(", "math.ceil(", "math.sqrt(",
                                          "math.log(", "math.exp(",   "second(s, "};
    uint64_t kind = depth == 0 ? 0 : any(0, 9);
    if (kind <= 2) {
        ADD_ONE(NUMBERS);
    } else if (kind <= 5) {
        add("(");
        add_number(depth - 1);
        ADD_ONE(operators);
        add_number(depth - 1);
        add(")");
    } else if (kind == 6) {
        add_one(functions, sizeof functions / sizeof *functions - in_helper); /* it is the last */
        add_number(depth - 1);
        add(", ");
        add_number(depth - 1);
        add(")");
    } else if (kind == 7) {
        ADD_ONE(singles);
        add_number(depth - 1);
        add(")");
    } else if (kind == 8) {
        add(any(0, 2) == 0 ? "- " : "");
        add_integer(depth - 1);
    } else {
        add("(");
        add_condition(depth - 1);
        add(" and ");
        add_number(depth - 1);
        add(" or ");
        add_number(depth - 1);
        add(")");
    }
}

static void add_integer(int depth)
{
    static const char *const integers[] = {"0",
                                           "1",
                                           "-1",
                                           "3",
                                           "64",
                                           "-70",
                                           "math.maxinteger",
                                           "math.mininteger",
                                           "s:id(job)",
                                           "s:in_system()",
                                           "s.params.count",
                                           "n",
                                           "9007199254740993"};
    static const char *const operators[] = {" + ", " - ", " * ", " // ", " % ",
                                            " & ", " | ", " ~ ", " << ", " >> "};
    uint64_t kind = depth == 0 ? 0 : any(0, 5);
    if (kind <= 1) {
        ADD_ONE(integers);
    } else if (kind <= 4) {
        add("(");
        add_integer(depth - 1);
        ADD_ONE(operators);
        add_integer(depth - 1);
        add(")");
    } else {
        add(any(0, 1) == 0 ? "- " : "~ ");
        add_integer(depth - 1);
    }
}

static void add_condition(int depth)
{
    static const char *const flags[] = {
        "s:mapping(job)", "s:overlap()", "s.params.flag", "s.params.word == 'b'",
        "true",           "nil",         "is_such"};
    static const char *const small[] = {"0", "1", "2.0", "-3"}; /* a part of instructions */
    static const char *const compared[] = {" < ", " <= ", " > ", " >= ", " == ", " ~= "};
    uint64_t kind = depth == 0 ? 0 : any(0, 5);
    if (kind <= 1) {
        ADD_ONE(flags);
    } else if (kind <= 3) {
        uint64_t side = any(0, 3);
        if (side == 0)
            ADD_ONE(small);
        else
            add_number(depth - 1);
        ADD_ONE(compared);
        if (side == 1)
            ADD_ONE(small);
        else
            add_number(depth - 1);
    } else if (kind == 4) {
        add("not (");
        add_condition(depth - 1);
        add(")");
    } else {
        add("(");
        add_condition(depth - 1);
        add(any(0, 1) == 0 ? " and " : " or ");
        add_condition(depth - 1);
        add(")");
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Adds what makes the variables of the expressions, and maybe changes them on some way. */
static void add_statements(int depth)
{
    static const char *const loops[] = {"for i = 1, s:in_system()",
                                        "for i = n % 5, n % 7, 2",
                                        "for i = 7, n % 3, -2",
                                        "for i = 0.5, 3",
                                        "for i = math.maxinteger - 2, math.maxinteger",
                                        "for j = 1, 3 do y = y - j end for i = 1, n & 7",
                                        "for i = 1, 3.5"};
    add("local x, y, n = ");
    add_number(depth - 1);
    add(", ");
    add_number(depth - 1);
    add(", ");
    add_integer(depth - 1);
    add("\n");
    if (any(0, 2) == 0) {
        ADD_ONE(loops);
        add(" do x = x + i * ");
        add_number(depth - 2);
        add(any(0, 2) == 0 ? " if x > 100 then break end end\n" : " end\n");
    }
    for (uint64_t more = any(0, 2); more > 0; more--) {
        add("if ");
        add_condition(depth);
        add(" then x = ");
        add_number(depth);
        add(any(0, 1) == 0 ? " else y = " : " elseif y > x then n = ");
        add_integer(depth);
        add(" end\n");
    }
}

/* Adds a function whose results are keys as often as not: others end the run. */
static void add_key(void)
{
    add("function(s, job)\nlocal x, y, n = 1, 2.5, 3\ndo ");
    add_statements(DEPTH);
    add("if n > 5 then return ");
    add_condition(2);
    add(" and 1 or 2, 3.5 end\nlocal key = ");
    add_number(DEPTH);
    add("\nif key ~= key or key > 9e15 or key < -9e15 then return s:age(job), n & 255 end\n"
        "return key");
    add(any(0, 3) == 0 ? ", x" : any(0, 3) == 0 ? ", s:mapping(job), 4" : "");
    add(" end end");
}

/* Adds what writes, gives and loops: what it may use are x, y, n and a job. */
static void add_act(int depth)
{
    static const char *const writes[] = {
        "s.state.sum = ",
        "s.per_job.noted[job] = ",
        "s.state.list[s.state.at] = ",
        "s.state[x > y and 'sum' or 'other'] = ",
        "x = ",
        "s.state.list[1 + n % 3] = ",
        "s.per_job.noted[s:id(job) % 2 == 0 and job or s:first 'present'] = "};
    static const char *const rates[] = {
        "if s:mapping(job) then s:give_map(job, s:map_idle() / 2) end",
        ("local give = s.give_map if s:mapping(job) then give(s, job, math.min(0.25, "
         "s:map_idle())) "
         "end"),
        "y = s:fill_map('mapping', 0.5)",
        "n = n + s:fill_shuffle 'backlog'",
        "if s:backlog(job) > 0 then s:give_shuffle(job, s:shuffle_idle() / 4) end",
        "s:fill_shuffle('backlog', s:shuffle_idle() / 2)",
        "if n == 77 then s:give_map(job, 3) end",
        "if n == 78 then s:give_shuffle(job) end"};
    static const char *const loops[] = {
        "for job in s:by 'present' do ", "for job in s:by 'mapping' do ",
        "for i = 1, n & 7 do x = x + i ", "local i = 0 while i < (n & 3) do i = i + 1 ",
        ("local i, word = 0, 'a' while true do i = i + 1 "
         "if i > 3 then word = i break end ")};
    uint64_t kind = any(0, depth > 0 ? 5 : 3);
    if (kind <= 1) {
        ADD_ONE(writes);
        add_number(depth);
    } else if (kind <= 3) {
        add("do ");
        ADD_ONE(rates);
        add(" end");
    } else if (kind == 4) {
        add("do ");
        ADD_ONE(loops);
        add_act(depth - 1);
        add("\nif x > 50 then break end ");
        add_act(depth - 1);
        add(" end end");
    } else {
        add("do local i = 0 repeat i = i + 1 local y = i ");
        add_act(depth - 1);
        add(" until i > 2 or y > 2 end");
    }
    add("\n");
}

static void add_acts(const char *head)
{
    add(head);
    add("local x, y, n = 1, 2.5, 3\ndo ");
    add_statements(2);
    for (uint64_t more = any(1, 3); more > 0; more--)
        add_act(3);
    add("end\n");
}

static void add_hooks(void)
{
    add("orders = { mapping = { of = 'mapping', changes = 'served', key = ");
    add_key();
    add(" },\nbacklog = { of = 'backlog' }, present = { of = 'present' } },\n");
    add_acts("finish = function(s, job)\n");
    add("end,\n");
    add_acts("rates = function(s)\nlocal job = s:first 'present'\n");
    add("s:fill_map 'mapping' s:fill_shuffle 'backlog' end,\n");
}

static void add_policy(bool acts)
{
    in_helper = true;
    add("local half, is_such = 0.5, false\n"
        "local table_of = { deep = { value = 3 } }\n"
        "local function named(s, job, cell, rest)\nlocal table = 'deep'\n"
        "return s.per_job[cell .. rest][job] + table_of[table]['val' .. 'ue'] end\n"
        "local function helper(s, job, x, y)\nlocal n = 7\nif ");
    add_condition(2);
    add(" then return ");
    add_number(2);
    add(" end\nreturn ");
    add_number(2);
    in_helper = false;
    add(" end\nlocal function second(s, x)\nreturn x * 2, s:time() end\n"
        "return { name = 'x', model = 'tandem',\n"
        "params = { rate = { default = 0.25, min = 0.0, max = 1.0 },\n"
        "count = { default = 5, min = 0, max = 9 }, flag = { default = true },\n"
        "word = { default = 'a', choices = { 'a', 'b' } } },\n"
        "state = { 'sum', 'at', 'other', list = { more = 3 } }, per_job = { 'noted' },\n"
        "arrive = function(s, job) s.state.sum = s.state.sum + s:map_size(job) "
        "s.state.at = 1 + s:in_system() % 3 s.per_job.noted[job] = s:in_system() end,\n");
    if (acts) {
        add_hooks();
        add("}\n");
        return;
    }
    add("map = { changes = 'served', key = ");
    add_key();
    add(" },\nshuffle = { changes = 'served', key = ");
    add_key();
    add(" } }\n");
}

/* ---- runs ------------------------------------------------------------------------------------ */

typedef struct outcome {
    int status;
    uint64_t digest, calls;
    char message[PN_LUA_MESSAGE_SIZE];
} outcome;

static tandem_workload draw_jobs(uint32_t count)
{
    static pn_tandem_job jobs[JOBS];
    double time = 0;
    for (uint32_t i = 0; i < count; i++) {
        time += (double)any(0, 8) / 4;
        jobs[i] = (pn_tandem_job){
            .arrival = time, .map = (double)any(0, 12) / 4, .shuffle = (double)any(1, 12) / 8};
    }
    return (tandem_workload){count, jobs};
}

static void run(const tandem_workload *work, int compile, outcome *made)
{
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    const char *unfit, *file;
    int line;
    options.compile = compile;
    made->digest = made->calls = 0;
    made->status = pn_lua_policy_load(&policy, "random.lua", text, length, &options, made->message,
                                      sizeof made->message);
    if (made->status != PN_OK) {
        printf("\nFAILED: %s\n%s\n", made->message, text);
        exit(1);
    }
    const pn_tandem_policy *table = pn_lua_policy_tandem(policy);
    pn_tandem_config config = tandem_config(work, 0);
    config.policy = table;
    pn_tandem *sim = tandem_sim(&config);
    pn_tandem_hooks hooks = {.policy = table};
    tandem_submit(sim, work, 0, work->count);
    made->status = pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, 100000);
    made->digest = pn_tandem_digest(sim);
    pn_lua_counts counts = pn_lua_policy_counts(policy);
    made->calls = counts.keys + counts.slots + counts.hooks;
    snprintf(made->message, sizeof made->message, "%s", pn_lua_policy_message(policy));
    for (uint32_t i = 0; compile == PN_LUA_COMPARED; i++) {
        if (!(unfit = pn_lua_policy_unfit(policy, i, &file, &line)))
            break;
        done.functions++;
        done.compiled += unfit[0] == '\0';
    }
    free(sim);
    pn_lua_policy_free(policy);
}

static bool check_instance(pn_stream *stream, uint32_t number, uint32_t which)
{
    static outcome lua, compared, compiled;
    (void)number;
    (void)which;
    drawn = stream;
    length = 0;
    bool acts = any(0, 1) == 0;
    add_policy(acts);
    tandem_workload work = draw_jobs(acts ? FEW_JOBS : JOBS);
    run(&work, PN_LUA_INTERPRETED, &lua);
    run(&work, PN_LUA_COMPARED, &compared);
    run(&work, PN_LUA_COMPILED, &compiled);
    done.calls += compared.calls;
    done.failed += lua.status == PN_ERR_POLICY;
    if (lua.status == compared.status && lua.status == compiled.status &&
        lua.digest == compared.digest && lua.digest == compiled.digest &&
        strcmp(lua.message, compared.message) == 0 && strcmp(lua.message, compiled.message) == 0)
        return true;
    printf("\nFAILED: %s\n  in Lua:   %s, %s\n  compiled: %s, %s\n  both:     %s, %s\n", text,
           pn_status_name(lua.status), lua.message, pn_status_name(compiled.status),
           compiled.message, pn_status_name(compared.status), compared.message);
    return false;
}

static bool report(void)
{
    printf(
        "%lu of %lu functions compiled, %llu calls return the same both ways, %lu runs end by an "
        "error\n",
        done.compiled, done.functions, (unsigned long long)done.calls, done.failed);
    return done.compiled > done.functions / 2 && done.calls > done.functions;
}

const random_check random_compiled = {"compiled", check_instance, report};
