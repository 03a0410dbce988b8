/* Policies in Lua that fail: at every call of every function, for want of memory at every request,
 * by growing without end, by running without end. A failed policy stops its own run for good, says
 * why, and disturbs nobody. */
#include "support/lua_faults.h"

enum { JOBS = 14, MACHINES = 4 };

static const slotted_shape crowded = {.rate = 0.5, .maps = 3, .reduces = 6, .tasks = 3};

static pn_slotted *sim_for(const slotted_workload *work, const pn_slotted_policy *policy,
                           uint32_t reduce)
{
    pn_slotted_config config = slotted_config(work, MACHINES, reduce);
    config.stretches_max = (uint32_t)work->count * SLOTTED_WORKLOAD_TASKS;
    config.policy = policy;
    config.bounds = PN_SLOTTED_BOUNDS_FAST;
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(slotted_submit(sim, work, 0, work->count), PN_OK);
    return sim;
}

static void *start(const fault_model *self, const pn_lua_policy *policy)
{
    return sim_for(self->jobs, pn_lua_policy_slotted(policy), self->mode);
}

static const void *hooks_of(const pn_lua_policy *policy, const double *params)
{
    static pn_slotted_hooks hooks;
    hooks = (pn_slotted_hooks){.policy = pn_lua_policy_slotted(policy), .params = params};
    return &hooks;
}

static int run_a_while(void *sim, const void *hooks)
{
    pn_slotted_totals totals;
    pn_slotted_totals_get(sim, &totals);
    return pn_slotted_run(sim, hooks, totals.slot + 7);
}

static fault_model model_of(const slotted_workload *work, uint32_t reduce)
{
    return (fault_model){pn_slotted_model, start, hooks_of, run_a_while, "slot ", work, reduce};
}

/* ---- at every call --------------------------------------------------------------------------- */

/* Fails in the function `which`: hooks when the count in memory reaches `at`, keys, which cannot
 * count, at slot `at` for job `who`. */
static const char HEAD[] =
    "local function count(s, which, where)\n"
    "  if s.params.which ~= which then return end\n"
    "  s.state.n = s.state.n + 1\n"
    "  if s.state.n == s.params.at then error('fault in ' .. where) end\n"
    "end\n"
    "local function meet(s, job, which, where)\n"
    "  local p = s.params\n"
    "  if p.which == which and p.at == s:slot() and p.who == s:id(job) then error('fault in ' .. "
    "where) end\n"
    "end\n"
    "return { name = 'faulty', model = 'slotted', state = { 'n' }, tick_slots = 3,\n"
    "  params = { which = { default = 0, doc = '' }, at = { default = 0, doc = '' }, who = { "
    "default = 0, doc = '' } },\n"
    "  init = function(s) count(s, 1, 'init') end,\n"
    "  arrive = function(s, job) count(s, 2, 'arrive') end,\n"
    "  finish = function(s, job) count(s, 3, 'finish') end,\n"
    "  tick = function(s) count(s, 4, 'tick') end,\n";
static const char acting[] =
    "  orders = { mine = { changes = 'tick', walk = true,\n"
    "    of = function(s, job) meet(s, job, 6, 'key') return s:remaining(job) end } },\n"
    "  slot = function(s) count(s, 5, 'slot') s:fill('all', 'mine') end }";
static const char sharing[] = "  share = { changes = 'tick', of = function(s, job) meet(s, job, 7, "
                              "'weight') return 1 + s:id(job) % 3 end } }";

enum { INIT = 1, ARRIVE, FINISH, TICK, SLOT, KEY, WEIGHT };
enum { PARAM_AT, PARAM_WHICH, PARAM_WHO };
static const char *const WORDS[] = {"",     "init", "arrive", "finish",
                                    "tick", "slot", "key",    "weight"};

/* False when it never came to the fault. */
static bool run_to_fault(const char *tail, const slotted_workload *work, uint32_t reduce, int which,
                         int64_t at, int64_t who)
{
    char text[2048];
    const fault_model model = model_of(work, reduce);
    const double params[] = {
        [PARAM_AT] = (double)at, [PARAM_WHICH] = which, [PARAM_WHO] = (double)who};
    snprintf(text, sizeof text, "%s%s", HEAD, tail);
    return fault_run(&model, text, "return { name = 'y', model = 'slotted', share = 'equal' }",
                     params, WORDS[which], which != TICK && which != INIT && which != SLOT);
}

static void a_fault_at_every_call_of_a_hook(void **unused)
{
    static const int64_t least[] = {
        [INIT] = 1, [ARRIVE] = JOBS, [FINISH] = JOBS, [TICK] = 5, [SLOT] = 10};
    slotted_workload work = slotted_new(JOBS, 3, crowded);
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        for (int which = INIT; which <= SLOT; which++) {
            int64_t at = 1;
            while (run_to_fault(acting, &work, reduce, which, at, 0))
                at++;
            assert_in_range(at, least[which] + 1, 1000);
        }
    }
    slotted_free(&work);
}

static void a_fault_at_every_key_and_weight(void **unused)
{
    slotted_workload work = slotted_new(JOBS, 3, crowded);
    (void)unused;
    for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
        for (int which = KEY; which <= WEIGHT; which++) {
            unsigned faults = 0;
            for (int64_t slot = 0; slot < 40; slot++)
                for (int64_t who = 1; who <= JOBS; who++)
                    faults += run_to_fault(which == KEY ? acting : sharing, &work, reduce, which,
                                           slot, who);
            assert_in_range(faults, 2 * JOBS, 40 * JOBS);
        }
    }
    slotted_free(&work);
}

/* Whoever would fail after the first in the same slot is not asked any more: the first message
 * stays, and a hundred endless loops cost no more than one. */
static void only_the_first_fault_counts(void **unused)
{
    enum { MANY = 100 };
    static const struct {
        const char *text;
        unsigned keys, hooks; /* called till the end */
        const char *message;
    } cases[] = {
        {"return { name = 'x', model = 'slotted', key = { changes = 'time', of = function(s, job)\n"
         "if s:slot() == 1 then return 1 end while true do end end } }",
         2 * MANY + 1, 0,
         FILE_NAME ":2: job 1 at slot 2: used up its budget of 50000 instructions in one call"},
        {"return { name = 'x', model = 'slotted', key = { changes = 'served', of = function(s, "
         "job)\n"
         "if s:in_maps(job) then return 1 end while true do end end } }",
         MANY + 1, 0,
         FILE_NAME ":2: job 1 at slot 2: used up its budget of 50000 instructions in one call"},
        {"return { name = 'x', model = 'slotted', share = { changes = 'served', of = function(s, "
         "job)\n"
         "if s:in_maps(job) then return 1 end while true do end end } }",
         MANY + 1, 0,
         FILE_NAME ":2: job 1 at slot 2: used up its budget of 50000 instructions in one call"},
        {"return { name = 'x', model = 'slotted', key = 'arrival', finish = function(s, job)\n"
         "while true do end end }",
         0, 1,
         FILE_NAME ":2: job 1 at slot 2: used up its budget of 50000 instructions in one call"},
    };
    static const uint64_t reduce = 1;
    slotted_workload many = {MANY, NULL, NULL};
    pn_lua_options options = pn_lua_defaults();
    options.budget = 50000;
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pn_lua_policy *policy = load_with(cases[i].text, &options);
        const pn_slotted_policy *table = pn_lua_policy_slotted(policy);
        pn_slotted_config config = slotted_config(&many, MANY, PN_SLOTTED_PREEMPTIVE);
        config.policy = table;
        pn_slotted *sim = slotted_sim(&config);
        for (int k = 0; k < MANY; k++)
            assert_int_equal(pn_slotted_submit(sim,
                                               &(pn_slotted_job){.arrival = 1,
                                                                 .maps = 1,
                                                                 .reduces = &reduce,
                                                                 .reduce_count = 1},
                                               NULL),
                             PN_OK);
        assert_int_equal(
            pn_slotted_run(sim, &(pn_slotted_hooks){.policy = table}, PN_SLOTTED_FOREVER),
            PN_ERR_POLICY);
        assert_string_equal(pn_lua_policy_message(policy), cases[i].message);
        assert_int_equal(pn_lua_policy_counts(policy).keys, cases[i].keys);
        assert_int_equal(pn_lua_policy_counts(policy).hooks, cases[i].hooks);
        free(sim);
        pn_lua_policy_free(policy);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Uses tables, strings, closures, prints and parameters, so that much may fail. */
static const char hungry[] =
    "-- Hungry\n"
    "local function work(s, job) local t = { s:maps_left(job), s:reduces_left(job) } return t[1] + "
    "t[2] end\n"
    "return { name = 'hungry', model = 'slotted', state = { 'n', ring = { per_job = 1, more = 1 } "
    "}, per_job = { 'mine' },\n"
    "  params = { p = { default = 1, doc = 'a parameter' }, q = { default = 0.5, doc = 'another' } "
    "},\n"
    "  orders = { mine = { changes = 'served', walk = true, of = work } },\n"
    "  arrive = function(s, job) s.per_job.mine[job] = s:random(1, 9) end,\n"
    "  finish = function(s, job) local text = 'job ' .. s:id(job) s.state.n = s.state.n + #text "
    "end,\n"
    "  slot = function(s)\n"
    "    local seen = {}\n"
    "    for job in s:by 'mine' do seen[#seen + 1] = { job = job, name = 'j' .. job } end\n"
    "    table.sort(seen, function(a, b) return a.job > b.job end)\n"
    "    for _, entry in ipairs(seen) do s:give(entry.job, math.min(s:idle(), s:offer(entry.job))) "
    "end\n"
    "  end }";

static const double hungry_params[] = {2, 0.25};

static void every_request_for_memory_may_fail(void **unused)
{
    slotted_workload work = slotted_new(6, 3, crowded);
    const fault_model model = model_of(&work, PN_SLOTTED_NONPREEMPTIVE);
    (void)unused;
    fault_refuse_memory(&model, hungry, hungry_params);
    slotted_free(&work);
}

/* A failed s.params of one simulation is not shown to the next. */
static void what_failed_for_one_is_right_for_the_next(void **unused)
{
    static const char text[] = "return { name = 'x', model = 'slotted', params = { longish_name_1 "
                               "= { default = 1.5, doc = '' } },\n"
                               "  key = { changes = 'served', of = function(s, job)\n"
                               "    if s.params.longish_name_1 ~= 2.5 then error('wrong ' .. "
                               "s.params.longish_name_1) end return 1 end } }";
    const double params[] = {2.5};
    (void)unused;
    lender all = {.refuse_at = UINT64_MAX};
    pn_lua_options options = pn_lua_defaults();
    options.allocate = lend;
    options.user = &all;
    pn_lua_policy *policy = load_with(text, &options);
    for (uint64_t at = 1; at <= 4; at++) {
        all.refuse_at = all.requests + at;
        all.for_good = true;
        int status = run_few(policy, PN_SLOTTED_PREEMPTIVE, params);
        if (status != PN_DONE && (status != PN_ERR_POLICY ||
                                  !strstr(pn_lua_policy_message(policy), "not enough memory")))
            fail_msg("%s: %s", pn_status_name(status), pn_lua_policy_message(policy));
        all.refuse_at = UINT64_MAX;
        if (run_few(policy, PN_SLOTTED_PREEMPTIVE, params) != PN_DONE)
            fail_msg("%s", pn_lua_policy_message(policy));
        assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_ERR_POLICY);
        assert_string_equal(pn_lua_policy_message(policy),
                            FILE_NAME ":3: job 1 at slot 1: wrong 1.5");
    }
    pn_lua_policy_free(policy);
    assert_int_equal(all.blocks, 0);
}

/* ---- without end ----------------------------------------------------------------------------- */

/* A definition whose function WHERE holds STATEMENT on line 2. */
static void write_with(char text[1024], const char *where, const char *statement)
{
    const char *own_orders =
        "orders = { mine = { by = 'remaining', walk = true }, even = { by = 'share' } },";
    if (strcmp(where, "key") == 0)
        snprintf(text, 1024,
                 "return { name = 'x', model = 'slotted', key = { changes = 'served', of = "
                 "function(s, job)\n%s return 1 end } }",
                 statement);
    else if (strcmp(where, "share") == 0)
        snprintf(text, 1024,
                 "return { name = 'x', model = 'slotted', share = { changes = 'served', of = "
                 "function(s, job)\n%s return 1 end } }",
                 statement);
    else if (strcmp(where, "slot") == 0)
        snprintf(text, 1024,
                 "return { name = 'x', model = 'slotted', %s state = { 'a' }, slot = function(s, "
                 "job)\n%s end }",
                 own_orders, statement);
    else
        snprintf(text, 1024,
                 "return { name = 'x', model = 'slotted', %s state = { 'a' }, %s %s = function(s, "
                 "job)\n%s end,\n"
                 "slot = function(s) s:fill('all', 'mine') end }",
                 own_orders, strcmp(where, "tick") == 0 ? "tick_slots = 1, " : "", where,
                 statement);
}

static const char *const FUNCTIONS[] = {"init", "arrive", "finish", "tick", "slot", "key", "share"};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* Runs the few jobs. */
static void check_message(const char *where, const char *statement, const pn_lua_options *options,
                          const char *message)
{
    char text[1024];
    const fault_model model = model_of(NULL, 0);
    write_with(text, where, statement);
    pn_lua_policy *policy = load_with(text, options);
    fault_check_statement(&model, policy, run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), text,
                          strchr("afks", where[0]) && strcmp(where, "slot") != 0, message);
}

static void endless_loops_end(void **unused)
{
    static const char *const loops[] = {
        "while true do end",
        "repeat until false",
        "for i = 1, math.maxinteger do end",
        "::again:: goto again",
        "while true do s:idle() end",
        "while true do local x = s.params end",
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.budget = 20000;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++)
            check_message(FUNCTIONS[i], loops[k], &options,
                          "used up its budget of 20000 instructions in one call");
}

/* The kernel's loops are paid for too. */
static void endless_use_of_the_kernel_ends(void **unused)
{
    static const char *const loops[] = {
        "while true do s:fill('all', 'mine') end",
        "while true do s:fill('all', 'mine', 0) end",
        "while true do s:fill('map', 'mine') end",
        "while true do s:share('even') end",
        "while true do for job in s:by 'mine' do end end",
        "local job while true do job = s:next_at_least('mine', job, 1) end",
        "while true do s.state.a = s:random(1, 5) end",
        "while true do s.state.a = s:uniform() end",
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.budget = 20000;
    for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++)
        check_message("slot", loops[k], &options,
                      "used up its budget of 20000 instructions in one call");
}

/* On a large cluster a call of the kernel's loops that finds nothing to do still passes by all that
 * was served: what an endless loop of them costs has to be bounded by the budget, not by the budget
 * times the jobs. */
static void count_line(void *user, const char *line)
{
    (void)line;
    ++*(unsigned *)user;
}

static void fruitless_walks_are_paid_for(void **unused)
{
    enum { MANY = 5000 };
    static const char text[] =
        "return { name = 'x', model = 'slotted', orders = { all = 'remaining' }, slot = "
        "function(s)\n"
        "while true do s:fill('all', 'all', s:idle() - 1) print 'again' end end }";
    unsigned calls = 0;
    pn_lua_options options = pn_lua_defaults();
    slotted_workload none = {MANY, NULL, NULL};
    pn_slotted_config config = slotted_config(&none, MANY + 2, PN_SLOTTED_PREEMPTIVE);
    (void)unused;
    options.budget = 1000000;
    options.print = count_line;
    options.user = &calls;
    pn_lua_policy *policy = load_with(text, &options);
    config.policy = pn_lua_policy_slotted(policy);
    pn_slotted *sim = slotted_sim(&config);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 1, .maps = 1}, NULL),
                         PN_OK);
    assert_int_equal(pn_slotted_step(sim, &(pn_slotted_hooks){.policy = config.policy}),
                     PN_ERR_POLICY);
    assert_string_equal(pn_lua_policy_message(policy), FILE_NAME
                        ":2: slot 1: used up its budget of 1000000 instructions in one call");
    assert_in_range(calls, 100, 2000);
    free(sim);
    pn_lua_policy_free(policy);
}

static void balloons_burst(void **unused)
{
    static const char *const balloons[][2] = {
        {"local t = {} for i = 1, math.maxinteger do t[i] = i end",
         "needs more than 1 MiB of memory"},
        {"local t = {} while true do t = { t, t } end", "needs more than 1 MiB of memory"},
        {"local t = 'x' while true do t = t .. t end", "makes a string of more than 1000000 bytes"},
        {"local function f() return 1 + f() end f()", "stack overflow"},
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.memory = (size_t)1 << 20;
    options.budget = 0;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t k = 0; k < 3; k++)
            check_message(FUNCTIONS[i], balloons[k][0], &options, balloons[k][1]);
    options.memory = (size_t)1 << 30; /* Lua's own limit comes first */
    check_message("slot", balloons[3][0], &options, balloons[3][1]);
    check_message("key", balloons[3][0], &options, balloons[3][1]);
}

/* Also before there is a policy at all. */
static void loading_has_the_same_limits(void **unused)
{
    static const char *const texts[][2] = {
        {"while true do end",
         FILE_NAME ":1: used up its budget of 100000 instructions in one call"},
        {"\nlocal t = {} for i = 1, math.maxinteger do t[i] = i end",
         FILE_NAME ": needs more than 1 MiB of memory"},
        {"local t = {} for i = 1, 1000 do t = { t } end return t", NULL},
        {"return setmetatable({}, { __index = function() while true do end end })", NULL},
    };
    pn_lua_options options = {.memory = (size_t)1 << 20, .budget = 100000};
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (i == 1)
            options.budget = 0;
        assert_int_equal(pn_lua_policy_load(&policy, FILE_NAME, texts[i][0], strlen(texts[i][0]),
                                            &options, message, sizeof message),
                         PN_ERR_POLICY);
        if (texts[i][1])
            assert_string_equal(message, texts[i][1]);
        assert_memory_equal(message, FILE_NAME ":", strlen(FILE_NAME ":"));
        options.budget = 100000;
    }
    /* too little for the library itself */
    for (options.memory = 1; options.memory < 60000; options.memory += 1777) {
        int status = pn_lua_policy_load(&policy, FILE_NAME,
                                        "return { name = 'x', model = 'slotted', key = 'arrival' }",
                                        53, &options, message, sizeof message);
        assert_true(status == PN_OK || status == PN_ERR_SIZE || status == PN_ERR_POLICY);
        assert_true(status == PN_OK || message[0] != '\0');
        if (status == PN_OK)
            pn_lua_policy_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_at_every_call_of_a_hook),
        cmocka_unit_test(a_fault_at_every_key_and_weight),
        cmocka_unit_test(only_the_first_fault_counts),
        cmocka_unit_test(every_request_for_memory_may_fail),
        cmocka_unit_test(what_failed_for_one_is_right_for_the_next),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(endless_use_of_the_kernel_ends),
        cmocka_unit_test(fruitless_walks_are_paid_for),
        cmocka_unit_test(balloons_burst),
        cmocka_unit_test(loading_has_the_same_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
