/* What policies in Lua of the makespan model are shown, what they may not do, and what they are
 * told: definitions that are refused, questions that make no sense, answers that are no plan.
 * Messages are compared whole. */
#include "makespan/support/script.h"

#define AT_2 FILE_NAME ":2: "

/* ---- definitions ----------------------------------------------------------------------------- */

#define KNOWN \
    "cap, level, model, name, order, params, pools, share, stage_time, summary, task_order"
#define FIELDS "name = 'x', model = 'makespan', "
#define ORDER  "order = function(s) return { 1, 2, 3 } end"
#define POOLS  "pools = function(s) return { { nodes = 2, jobs = { 1, 2, 3 } } } end"
#define EITHER                                                                                   \
    "must have either order (a function that returns job ids) or pools (one that returns pools " \
    "of them)"

/* The fields of a definition, and the message behind the file's name. */
static const struct {
    const char *fields, *message;
} DEFINITIONS[] = {
    {"model = 'makespan', " ORDER, "name: is required (1 to 31 letters, digits, _, - and dots)"},
    {FIELDS "orders = {}, " ORDER, "orders: unknown field (did you mean 'order'?)"},
    {FIELDS "init = print, " ORDER, "init: unknown field (known: " KNOWN ")"},
    {FIELDS "summary = 'nothing'", EITHER},
    {FIELDS ORDER ", " POOLS, EITHER},
    {FIELDS "order = { 1, 2 }", "order: must be a function, got a table"},
    {FIELDS "pools = 1", "pools: must be a function, got a number"},
    {FIELDS "order = print", "order: must be a function, got a C function"},
    {FIELDS ORDER ", cap = 'all'", "cap: must be one of none, requested; got all"},
    {FIELDS ORDER ", cap = 2", "cap: must be one of none, requested; got number"},
    {FIELDS ORDER ", share = 'fair'", "share: must be one of conserving, exclusive; got fair"},
    {FIELDS ORDER ", task_order = 'spt'", "task_order: must be one of listed, lpt; got spt"},
    {FIELDS ORDER ", stage_time = 'exact'",
     "stage_time: must be one of given, waves_req, waves, capped, fluid; got exact"},
    {FIELDS ORDER ", level = 'tasks'", "level: must be one of stage, task; got tasks"},
    {FIELDS ORDER ", state = { 'a' }",
     "state: a policy of this model is asked once (expected locals inside the function)"},
    {FIELDS ORDER ", per_job = {}",
     "per_job: a policy of this model is asked once (expected locals inside the function)"},
    {FIELDS ORDER ", params = { a = { default = {}, doc = '' } }",
     "params.a.shape: is required beside a default that is a table"},
};

static void definitions_that_are_refused(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof DEFINITIONS / sizeof DEFINITIONS[0]; i++) {
        char text[1024], message[1024];
        size_t size = (size_t)snprintf(text, sizeof text, "return { %s }", DEFINITIONS[i].fields);
        snprintf(message, sizeof message, FILE_NAME ": %s", DEFINITIONS[i].message);
        check_refused(text, size, message);
    }
}

/* What is left out is the kernel's default; what is said stands in the table. */
static void definitions_say_the_rules(void **unused)
{
    pn_lua_policy *plain = load("return { " FIELDS ORDER " }");
    pn_lua_policy *full = load("return { " FIELDS POOLS
                               ", stage_time = 'fluid', share = 'exclusive', cap = 'requested', "
                               "task_order = 'lpt', level = 'task' }");
    const pn_makespan_policy *a = pn_lua_policy_makespan(plain), *b = pn_lua_policy_makespan(full);
    (void)unused;
    assert_int_equal(a->stage_time + a->share + a->cap + a->task_order + a->level, 0);
    assert_int_equal(b->stage_time, PN_MAKESPAN_FLUID);
    assert_int_equal(b->share, PN_MAKESPAN_EXCLUSIVE);
    assert_int_equal(b->cap, PN_MAKESPAN_CAP_REQUESTED);
    assert_int_equal(b->task_order, PN_MAKESPAN_LPT);
    assert_int_equal(b->level, 1 + PN_MAKESPAN_TASKS);
    assert_int_equal(run_few_batch(plain, PN_MAKESPAN_STAGES, NULL), PN_DONE);
    assert_int_equal(run_few_batch(full, PN_MAKESPAN_TASKS, NULL), PN_DONE);
    assert_int_equal(run_few_batch(full, PN_MAKESPAN_STAGES, NULL), PN_ERR_MODE);
    pn_lua_policy_free(plain);
    pn_lua_policy_free(full);
}

/* ---- the view -------------------------------------------------------------------------------- */

/* Expressions and what print makes of them, at the task level. */
static const struct {
    const char *expression, *shown;
} SHOWN[] = {
    {"s:jobs(), s:slots 'map', s:slots 'reduce', s:nodes(), s:level()", "3\t4\t2\t2\ttask"},
    {"s:tasks(1, 'map'), s:tasks(1, 'reduce'), s:tasks(3, 'map'), s:tasks(3, 'reduce')",
     "3\t1\t4\t0"},
    {"s:work(1, 'map'), s:work(2, 'reduce'), s:work(3, 'map'), s:work(3, 'reduce')", "4\t1\t10\t0"},
    {"s:longest(1, 'map'), s:longest(2, 'reduce'), s:longest(3, 'reduce')", "3/2\t1/2\t0"},
    {"s:requested(1, 'map'), s:requested(2, 'reduce'), s:requested(3, 'map')", "2\t2\t4"},
    {"s:estimate(1, 'map', 'waves_req'), s:estimate(1, 'map', 'waves'), s:estimate(1, 'map', "
     "'waves', 1)",
     "5/2\t3/2\t4"},
    {"s:estimate(1, 'map', 'capped'), s:estimate(1, 'map', 'fluid'), s:estimate(1, 'map', 'fluid', "
     "3)",
     "2\t1\t4/3"},
    {"s:estimate(3, 'map', 'given'), s:estimate(3, 'reduce', 'given'), s:estimate(2.0, 'map', "
     "'given')",
     "5/2\t0\t1"},
    {"#s:stretches(1, 'map'), s:stretches(1, 'map')[1].count, s:stretches(1, 'map')[2].duration, "
     "#s:stretches(3, 'reduce')",
     "2\t2\t1\t0"},
    {"type(s:work(1, 'map')), s:work(1, 'map') == exact(4), s:work(1, 'map') < 5, s:work(1, 'map') "
     "/ 3 + 1",
     "userdata\ttrue\ttrue\t7/3"},
    {"table.concat(s:johnson { estimate = 'fluid' }, ' ')", "2 1 3"},
    {"table.concat(s:johnson { estimate = 'waves_req', tie = 'mkjr', jobs = { 3, 2 } }, ' ')",
     "2 3"},
    {"table.concat(s:johnson { map = { 1, 2, 3 }, reduce = { 3, 2, 1 } }, ' ')", "1 2 3"},
    {"table.concat(s:johnson { map = { 1, 2, 3 }, reduce = function(job) return exact(1) / job "
     "end, jobs = { 3, 1, 2 } }, ' ')",
     "1 2 3"},
    {"s:evaluate { 1, 2, 3 }, s:evaluate({ 1, 2, 3 }):makespan(), s:evaluate({ 1 "
     "}):total_completion()",
     "4\t4\t7/2"},
    {"s:evaluate({}):makespan(), s:evaluate({ 2 }, { map_slots = 1, reduce_slots = 1 })", "0\t2"},
    {"s:evaluate({ 1 }, { best = s:evaluate { 1 } }), s:evaluate({ 1 }, { best = s:evaluate { 1 }, "
     "total = true })",
     "nil\tnil"},
    {"s:evaluate { 2 } < s:evaluate { 1 }, s:evaluate { 2 } >= s:evaluate { 1 }, s:evaluate { 1 } "
     "== s:evaluate { 1 }",
     "true\tfalse\ttrue"},
    {"s:evaluate { 2 }:better(s:evaluate { 1 }), s:evaluate { 1 }:better(s:evaluate { 1 })",
     "true\tfalse"},
    {"s:order_set(), s:pools_set()", "nil\tnil"},
    {"s:random(3, 3), math.type(s:uniform())", "3\tfloat"},
};

static void views_show_the_batch(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof SHOWN / sizeof SHOWN[0]; i++) {
        static lines said;
        char text[1024], line[256];
        pn_lua_options options = pn_lua_defaults();
        options.print = keep_line;
        options.user = &said;
        said.size = 0;
        snprintf(text, sizeof text,
                 "return { " FIELDS "order = function(s)\nprint(%s) return { 3, 1, 2 } end }",
                 SHOWN[i].expression);
        snprintf(line, sizeof line, AT_2 "%s\n", SHOWN[i].shown);
        pn_lua_policy *policy = load_with(text, &options);
        if (run_few_batch(policy, PN_MAKESPAN_TASKS, NULL) != PN_DONE)
            fail_msg("%s: '%s'", text, pn_lua_policy_message(policy));
        assert_string_equal(said.text, line);
        pn_lua_policy_free(policy);
    }
}

static void answers_that_are_given_are_shown(void **unused)
{
    static const char text[] = "return { " FIELDS "pools = function(s)\n"
                               "  local pools = s:pools_set()\n"
                               "  print(table.concat(s:order_set(), ' '), #pools, pools[1].nodes, "
                               "pools[1].jobs[1], #pools[2].jobs, pools[2].nodes)\n"
                               "  return pools end }";
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    pn_makespan_hooks hooks = {.policy = pn_lua_policy_makespan(policy)};
    pn_makespan *sim = few_batch(hooks.policy, PN_MAKESPAN_TASKS);
    assert_int_equal(pn_makespan_set_order(sim, (const uint64_t[]){2, 3, 1}, 3), PN_OK);
    assert_int_equal(
        pn_makespan_set_pools(sim, &(pn_makespan_pool){1, 1, (const uint64_t[]){3}}, 1), PN_OK);
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_OK);
    assert_string_equal(said.text, FILE_NAME ":3: 2 3 1\t2\t1\t3\t2\t1\n");
    assert_int_equal(pn_makespan_pools(sim), 2);
    assert_int_equal(pn_makespan_order(sim, 0), 3);
    free(sim);
    pn_lua_policy_free(policy);
}

/* ---- questions that make no sense ------------------------------------------------------------ */

#define NO_STAGE "the stage must be map or reduce, got "
#define NO_VALUE "johnson: map of job 2 must be an exact number or an integer, >= 0, got "

static const struct {
    const char *statement, *message;
} QUESTIONS[] = {
    {"s:slots()", NO_STAGE "no value"},
    {"s:slots('shuffle')", NO_STAGE "shuffle"},
    {"s:work(1, 2)", NO_STAGE "2"},
    {"s:work('1', 'map')", "a job id is expected, got 1"},
    {"s:work(1.5, 'map')", "a job id is expected, got 1.5"},
    {"s:work(0/0, 'map')", "a job id is expected, got NaN"},
    {"s:work({}, 'map')", "a job id is expected, got table"},
    {"s:work(0, 'map')", "there is no job 0 (there are 3)"},
    {"s:work(4, 'map')", "there is no job 4 (there are 3)"},
    {"s.work(1, 'map')", "the view comes first: call it as s:name(...)"},
    {"s:works(1, 'map')", "the view has no 'works' (did you mean 'work'?)"},
    {"s:time()", "the view has no 'time'"},
    {"s.state.a = 1", "the view has no 'state'"},
    {"s.work = 1", "the view is read-only"},
    {"s.params.k = 1", "the view is read-only"},
    {"return s.params.k", "there is no parameter 'k' (declare it in params = { ... })"},
    {"s:estimate(1, 'map')",
     "the estimate must be given, waves_req, waves, capped or fluid, got no value"},
    {"s:estimate(1, 'map', 'exact')",
     "the estimate must be given, waves_req, waves, capped or fluid, got exact"},
    {"s:estimate(1, 'map', 'fluid', 0)", "slots must be an integer in 1..4, got 0"},
    {"s:estimate(1, 'reduce', 'fluid', 3)", "slots must be an integer in 1..2, got 3"},
    {"s:estimate(1, 'map', 'fluid', 1.5)", "slots must be an integer in 1..4, got 1.5"},
    {"s:estimate(1, 'map', 'fluid', 's')", "slots must be an integer in 1..4, got s"},
    {"s:random(2, 1)", "the plan: random(low, high) needs low <= high, got 2 and 1"},

    {"s:johnson()", "bad argument #1 to 'johnson' (table expected, got no value)"},
    {"s:johnson { map = function(job) return job, 2 end, reduce = { 1, 2, 3 } }",
     "johnson: map of job 1: the function returns a second value (expected one)"},
    {"s:johnson {}", "johnson: estimate must be given, waves_req, waves, capped or fluid, got nil"},
    {"s:johnson { estimates = 'fluid' }",
     "johnson: estimates: unknown field (did you mean 'estimate'?)"},
    {"s:johnson { estimate = 'exact' }",
     "johnson: estimate must be given, waves_req, waves, capped or fluid, got exact"},
    {"s:johnson { estimate = 'fluid', tie = 'id' }", "johnson: tie must be alg21 or mkjr, got id"},
    {"s:johnson { estimate = 'fluid', map_slots = 5 }",
     "map_slots must be an integer in 1..4, got 5"},
    {"s:johnson { estimate = 'fluid', reduce_slots = 0 }",
     "reduce_slots must be an integer in 1..2, got 0"},
    {"s:johnson { estimate = 'fluid', jobs = 3 }",
     "johnson: jobs must be a list of job ids, got 3"},
    {"s:johnson { estimate = 'fluid', jobs = { 1, 2, 1 } }", "johnson: jobs: job 1 is named twice"},
    {"s:johnson { estimate = 'fluid', jobs = { 1, 5 } }",
     "johnson: jobs: there is no job 5 (there are 3)"},
    {"s:johnson { map = { 1, 2, 3 } }",
     "johnson: reduce must be a function of a job, or a table by job id, got nil"},
    {"s:johnson { map = 1, reduce = {} }",
     "johnson: map must be a function of a job, or a table by job id, got 1"},
    {"s:johnson { map = {}, reduce = {}, estimate = 'fluid' }",
     "johnson: estimate goes without map and reduce (these say how long the stages are)"},
    {"s:johnson { map = {}, reduce = {}, map_slots = 2 }",
     "johnson: map_slots goes without map and reduce (these say how long the stages are)"},
    {"s:johnson { map = { 1, 2.5 }, reduce = {} }", NO_VALUE "2.5"},
    {"s:johnson { map = { 1 }, reduce = {} }", NO_VALUE "nil"},
    {"s:johnson { map = { 1, -1 }, reduce = {} }", NO_VALUE "-1"},
    {"s:johnson { map = { 1, exact '-1/2' }, reduce = {} }", NO_VALUE "-1/2"},
    {"s:johnson { map = { 1, {} }, reduce = {} }", NO_VALUE "table"},
    {"s:johnson { map = function(job) return job == 1 and 0 or '1' end, reduce = {} }",
     NO_VALUE "1"},
    {"s:johnson { map = function(job) error('odd job ' .. job) end, reduce = {} }", "odd job 1"},
    {"s:johnson { map = function(job) return #s:johnson { estimate = 'fluid' } end, reduce = {} }",
     "a value cannot search (search before, and keep the result in a local)"},
    {"s:johnson { map = function(job) return s:evaluate { 1 }:makespan() end, reduce = {} }",
     "a value cannot search (search before, and keep the result in a local)"},
    {"s:johnson { map = function(job) return s:random(1, 5) end, reduce = {} }",
     "the plan: a value cannot be random (draw before, and keep it in a list)"},

    {"s:johnson { reduce = { 1, 2, 3 } }",
     "johnson: map must be a function of a job, or a table by job id, got nil"},
    {"s:evaluate({ 1 }, { reduce_slots = 1 }):better(s:evaluate { 1 })",
     "better: the scores are of different numbers of slots (compare makespans, a < b)"},
    {"s:evaluate()", "bad argument #1 to 'evaluate' (table expected, got no value)"},
    {"s:evaluate { 1, 1 }", "evaluate: job 1 is named twice"},
    {"s:evaluate { 1, 2, 3, 1 }", "evaluate: job 1 is named twice"},
    {"s:evaluate { 1, 4 }", "evaluate: there is no job 4 (there are 3)"},
    {"s:evaluate { 'a' }", "evaluate: a job id is expected, got a"},
    {"s:evaluate({ 1 }, 5)", "bad argument #2 to 'evaluate' (table expected, got number)"},
    {"s:evaluate({ 1 }, { slots = 5 })",
     "evaluate: slots: unknown field (known: best, map_slots, reduce_slots, total)"},
    {"s:evaluate({ 1 }, { best = 5 })", "evaluate: best must be a score, got 5"},
    {"s:evaluate({ 1 }, { best = exact(5) })", "evaluate: best must be a score, got userdata"},
    {"s:evaluate({ 1 }, { total = 1 })", "evaluate: total must be true or false, got 1"},
    {"s:evaluate({ 1 }, { map_slots = 5 })", "map_slots must be an integer in 1..4, got 5"},
    {"s:evaluate({ 1 }, { best = s:evaluate({ 1 }, { map_slots = 1 }), total = true })",
     "evaluate: best is of other numbers of slots (total compares on the same slots only)"},
    {"s:evaluate({ 1 }):better(s:evaluate({ 1 }, { map_slots = 1 }))",
     "better: the scores are of different numbers of slots (compare makespans, a < b)"},
    {"s:evaluate({ 1 }):number()",
     "a score has no 'number' (known: better, makespan, total_completion)"},
    {"return s:evaluate { 1 } < 5", "a score is expected, got number"},
    {"s:evaluate { 1 }:better(5)", "a score is expected, got number"},
    {"s:evaluate { 1 }.best = 5", "attempt to index a pinion.Score value"},
    {"return s:work(1, 'map') + 0.5", "exact numbers compute with integers and exact numbers, got "
                                      "a float (use :number(), or exact(...) of it)"},
    {"return s:work(1, 'map') / 0", "an exact number is divided by 0"},
};

static void questions_that_make_no_sense(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof QUESTIONS / sizeof QUESTIONS[0]; i++) {
        char text[1024], message[512];
        snprintf(text, sizeof text,
                 "return { " FIELDS "order = function(s)\ndo %s end return { 1, 2, 3 } end }",
                 QUESTIONS[i].statement);
        snprintf(message, sizeof message, AT_2 "%s", QUESTIONS[i].message);
        good = gives_up_batch(text, NULL, message) && good;
    }
    assert_true(good);
}

/* ---- answers that are no plan ---------------------------------------------------------------- */

static const struct {
    const char *field, *result, *message;
} ANSWERS[] = {
    {"order", "nil", "must return a list of job ids, got nil"},
    {"order", "", "must return a list of job ids, got nil"},
    {"order", "s", "must return a list of job ids, got userdata"},
    {"order", "{}", "job 1 is missing"},
    {"order", "{ 3, 1 }", "job 2 is missing"},
    {"order", "{ 3, 1, 2, 3 }", "job 3 is named twice"},
    {"order", "{ 1, 1, 2 }", "job 1 is named twice"},
    {"order", "{ 1, 2, 4 }", "there is no job 4 (there are 3)"},
    {"order", "{ 1, 2, 0 }", "there is no job 0 (there are 3)"},
    {"order", "{ 1, 2, '3' }", "a job id is expected, got 3"},
    {"order", "{ 1, 2, 2.5 }", "a job id is expected, got 2.5"},
    {"order", "{ 1, 2, s }", "a job id is expected, got userdata"},
    {"order", "{ nodes = 2, jobs = { 1, 2, 3 } }", "job 1 is missing"},
    {"order", "{ 3, 1, 2 }, 1", "returns a second value (expected one)"},
    {"pools", "nil", "must return a list of pools { nodes = 1, jobs = { ids } }, got nil"},
    {"pools", "{}", "job 1 is missing"},
    {"pools", "{ 1, 2, 3 }", "pool 1: must be a table { nodes = 1, jobs = { ids } }, got number"},
    {"pools", "{ { jobs = { 1 } } }", "pool 1: nodes must be an integer >= 1, got nil"},
    {"pools", "{ { nodes = 0, jobs = { 1 } } }", "pool 1: nodes must be an integer >= 1, got 0"},
    {"pools", "{ { nodes = 1.5, jobs = { 1 } } }",
     "pool 1: nodes must be an integer >= 1, got 1.5"},
    {"pools", "{ { nodes = {}, jobs = { 1 } } }",
     "pool 1: nodes must be an integer >= 1, got table"},
    {"pools", "{ { nodes = 3, jobs = { 1 } } }", "pool 1: asked for 3 nodes, 2 are left"},
    {"pools", "{ { nodes = 1, jobs = { 1 } }, { nodes = 2, jobs = {} } }",
     "pool 2: asked for 2 nodes, 1 are left"},
    {"pools", "{ { nodes = 2 } }", "pool 1: jobs must be a list of job ids, got nil"},
    {"pools", "{ { nodes = 2, jobs = 1 } }", "pool 1: jobs must be a list of job ids, got number"},
    {"pools", "{ { nodes = 1, jobs = { 1, 2 } }, { nodes = 1, jobs = { 2, 3 } } }",
     "pool 2: job 2 is named twice"},
    {"pools", "{ { nodes = 1, jobs = { 1, 3 } }, { nodes = 1, jobs = {} } }", "job 2 is missing"},
    {"pools", "{ {}, {}, {}, {}, {} }",
     "there are 5 pools (expected at most 4, one more than jobs)"},
    {"pools",
     "{ setmetatable({}, { __index = function(_, k) return k == 'nodes' and 1 or { 1 } end }) }",
     "job 2 is missing"},
    {"pools", "{ { nodes = 1, jobs = { 1, 5 } } }", "pool 1: there is no job 5 (there are 3)"},
};

static void answers_that_are_no_plan(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof ANSWERS / sizeof ANSWERS[0]; i++) {
        char text[512], message[512];
        snprintf(text, sizeof text, "return { " FIELDS "\n%s = function(s) return %s end }",
                 ANSWERS[i].field, ANSWERS[i].result);
        snprintf(message, sizeof message, AT_2 "%s: %s", ANSWERS[i].field, ANSWERS[i].message);
        good = gives_up_batch(text, NULL, message) && good;
    }
    assert_true(good);
}

/* A list may be a constant of the file, have floats for ids, or be read through a metatable's
 * fields. */
static void answers_in_other_clothes(void **unused)
{
    static const char *const texts[] = {
        /* a node is left alone */
        "return { " FIELDS "pools = function(s) return { { nodes = 1, jobs = { 3, 1, 2 } } } end }",
        "local ORDER = { 3, 1, 2 } return { " FIELDS "order = function(s) return ORDER end }",
        "return { " FIELDS "order = function(s) return { 3.0, 1, 2, n = 3 }, nil end }",
        "local POOLS = { { nodes = 2, jobs = { 3, 1, 2 } } } return { " FIELDS
        "pools = function(s) return POOLS end }",
        "local POOL = { nodes = 2, jobs = { 3, 1, 2 } }\n"
        "return { " FIELDS
        "pools = function(s) return { setmetatable({}, { __index = POOL }) } end }",
        "return { " FIELDS "pools = function(s) return { { nodes = 1, jobs = { 3, 1 } }, { nodes = "
        "1, jobs = { 2 } } } end }",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        pn_lua_policy *policy = load(texts[i]);
        pn_makespan_hooks hooks = {.policy = pn_lua_policy_makespan(policy)};
        pn_makespan *sim = few_batch(hooks.policy, PN_MAKESPAN_TASKS);
        if (pn_makespan_plan(sim, &hooks) != PN_OK)
            fail_msg("%s: '%s'", texts[i], pn_lua_policy_message(policy));
        assert_int_equal(pn_makespan_order(sim, 0), 3);
        assert_int_equal(pn_makespan_order(sim, 1), 1);
        assert_int_equal(pn_makespan_order(sim, 2), 2);
        free(sim);
        pn_lua_policy_free(policy);
    }
}

/* What a metatable of the answer asks for is too late. */
static void answers_cannot_search(void **unused)
{
    static const char text[] =
        "return { " FIELDS "pools = function(s)\n"
        "  local meta = { __index = function(_, key)\n"
        "    return s:evaluate { 1, 2, 3 } end }\n"
        "  return { { nodes = 1, jobs = { 1 } }, setmetatable({}, meta) } end }";
    (void)unused;
    assert_true(gives_up_batch(
        text, NULL,
        FILE_NAME ":3: a value cannot search (search before, and keep the result in a local)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_are_refused),
        cmocka_unit_test(definitions_say_the_rules),
        cmocka_unit_test(views_show_the_batch),
        cmocka_unit_test(answers_that_are_given_are_shown),
        cmocka_unit_test(questions_that_make_no_sense),
        cmocka_unit_test(answers_that_are_no_plan),
        cmocka_unit_test(answers_in_other_clothes),
        cmocka_unit_test(answers_cannot_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
