/* The life of policies in Lua of the tandem model, and their failures: at every call of every
 * function (also of a key that the kernel asks for inside of rates), for want of memory at every
 * request, without end. A failed policy stops its own run for good, says why, and disturbs
 * nobody. */
#include "support/lua_faults.h"
#include "tandem/support/script.h"
#include "tandem/support/pairs.h"

enum { JOBS = 14 };

static const tandem_shape crowded = {.rate = 0.8, .map = 1, .shuffle = 1, .odd = 1};

static pn_tandem *sim_for(const tandem_workload *work, const pn_tandem_policy *policy)
{
    pn_tandem_config config = tandem_config(work, 0);
    config.policy = policy;
    config.seed = 5;
    config.bounds = PN_TANDEM_BOUNDS_FAST;
    pn_tandem *sim = tandem_sim(&config);
    assert_int_equal(tandem_submit(sim, work, 0, work->count), PN_OK);
    return sim;
}

static uint64_t digest_of(const tandem_workload *work, const pn_tandem_policy *policy,
                          const double *params)
{
    pn_tandem *sim = sim_for(work, policy);
    pn_tandem_hooks hooks = {.policy = policy, .params = params};
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_DONE);
    uint64_t digest = pn_tandem_digest(sim);
    free(sim);
    return digest;
}

/* ---- what makes no difference ---------------------------------------------------------------- */

static void budgets_ceilings_and_loading_anew_change_nothing(void **unused)
{
    static pairs all;
    const pn_lua_options options[] = {{PN_LUA_MEMORY, 0, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {PN_LUA_MEMORY, 1000000, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {400000, 100000, NULL, NULL, NULL, PN_LUA_COMPARED}};
    tandem_workload work = tandem_new(40, 77, crowded);
    tandem_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        uint64_t expected = digest_of(&work, pn_lua_policy_tandem(policy), NULL);
        if (!all.list[i].nearly)
            assert_int_equal(digest_of(&work, all.list[i].native, NULL), expected);
        pn_tandem *sim = sim_for(&work, pn_lua_policy_tandem(policy));
        int status = PN_OK;
        while (status == PN_OK) { /* a new one before every step, the old one gone */
            pn_lua_policy_free(policy);
            policy = pair_load(&all.list[i], NULL);
            status = pn_tandem_step(sim,
                                    &(pn_tandem_hooks){.policy = pn_lua_policy_tandem(policy)});
        }
        assert_int_equal(status, PN_DONE);
        assert_int_equal(pn_tandem_digest(sim), expected);
        pn_lua_policy_free(policy);
        free(sim);
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            policy = pair_load(&all.list[i], &options[k]);
            assert_int_equal(digest_of(&work, pn_lua_policy_tandem(policy), NULL), expected);
            pn_lua_policy_free(policy);
        }
    }
    pairs_free(&all);
    tandem_free(&work);
}

static void parameters_arrive(void **unused)
{
    static const char text[] =
        "return { name = 'p', model = 'tandem', map = {}, shuffle = {}, params = {\n"
        "  whole = { default = 3, min = -5, max = 5, doc = 'an integer' }, real = { default = 1.0, "
        "min = -1, doc = 'a float' },\n"
        "  yes = { default = true, doc = 'a boolean' },\n"
        "  word = { default = 'b', choices = { 'a', 'b', 'c' }, doc = 'a word' } }, init = "
        "function(s)\n"
        "    local p = s.params\n"
        "    print(p.real, p.whole, math.type(p.whole), p.word, p.yes) end }";
    enum { REAL, WHOLE, WORD, YES };
    static const struct {
        double real, whole, word, yes;
        const char *line;
    } cases[] = {
        {1, 3, 1, 1, "1.0\t3\tinteger\tb\ttrue"},
        {-0.25, -5, 0, 0, "-0.25\t-5\tinteger\ta\tfalse"},
        {1e300, 5, 2, 1, "1e+300\t5\tinteger\tc\ttrue"},
    };
    static const struct {
        const char *name;
        double value;
    } wrong[] = {{"whole", 1.5}, {"whole", 6}, {"real", -1.5}, {"real", 0.0 / 0.0}, {"word", 3},
                 {"word", 0.5},  {"word", -1}, {"yes", 2},     {"odd", 1}};
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    const pn_tandem_policy *table = pn_lua_policy_tandem(policy);
    assert_int_equal(table->param_count, 4);
    assert_true(!table->params[REAL].integer && !table->params[REAL].names);
    assert_true(table->params[WHOLE].integer);
    assert_string_equal(pn_lua_policy_param(policy, WORD)->names[2], "c");
    assert_null(pn_lua_policy_param(policy, WORD)->names[3]);
    assert_string_equal(table->params[YES].names[1], "true");
    assert_string_equal(table->params[YES].doc, "a boolean");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double params[PN_PARAMS_MAX];
        char line[100];
        pn_lua_policy_defaults(policy, params);
        assert_int_equal(pn_lua_policy_set(policy, params, "real", cases[i].real), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "whole", cases[i].whole), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "word", cases[i].word), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "yes", cases[i].yes), PN_OK);
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            assert_int_equal(pn_lua_policy_set(policy, params, wrong[k].name, wrong[k].value),
                             PN_ERR_ARGUMENT);
        said.size = 0;
        assert_int_equal(run_few_tandem(policy, i == 0 ? NULL : params), PN_DONE);
        snprintf(line, sizeof line, FILE_NAME ":6: time 0: %s\n", cases[i].line);
        assert_string_equal(said.text, line);
    }
    pn_lua_policy_free(policy);
}

/* Where a policy speaks: the time, and the job if the call is about one. */
static void lines_say_where(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'tandem', map = {}, shuffle = {},\n"
        "  arrive = function(s, job) print(s:id(job)) end, wake = function(s) print 'wake' end }";
    static const char want[] = FILE_NAME
        ":2: job 1 at time 0: 1\n" FILE_NAME ":2: job 2 at time 0: 2\n" FILE_NAME
        ":2: time 0: wake\n" FILE_NAME ":2: time 2: wake\n" FILE_NAME
        ":2: job 3 at time 4.25: 3\n" FILE_NAME ":2: time 4.25: wake\n";
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    assert_int_equal(run_few_tandem(policy, NULL), PN_DONE);
    assert_string_equal(said.text, want);
    pn_lua_policy_free(policy);
}

static void a_table_leads_back_to_its_policy(void **unused)
{
    pn_lua_policy *tandem = load(
        "return { name = 'x', model = 'tandem', map = {}, shuffle = {}, ranks = true }");
    pn_lua_policy *slotted = load("return { name = 'x', model = 'slotted', key = 'arrival' }");
    (void)unused;
    assert_ptr_equal(pn_lua_policy_behind_tandem(pn_lua_policy_tandem(tandem)), tandem);
    assert_null(pn_lua_policy_slotted(tandem));
    assert_null(pn_lua_policy_tandem(slotted));
    assert_null(pn_lua_policy_tandem(NULL));
    assert_null(pn_lua_policy_behind_tandem(NULL));
    for (size_t i = 0; pn_tandem_policy_at(i); i++)
        assert_null(pn_lua_policy_behind_tandem(pn_tandem_policy_at(i)));
    assert_true(pn_lua_policy_ranks(tandem));
    assert_false(pn_lua_policy_ranks(slotted));
    pn_lua_policy_free(tandem);
    pn_lua_policy_free(slotted);
}

/* ---- at every call --------------------------------------------------------------------------- */

/* Fails in the function `which`: those that may write when the count in memory reaches `at`; keys
 * and members, which cannot count, from time `after` on for job `who`. */
static const char HEAD[] =
    "local function count(s, which, where)\n"
    "  if s.params.which ~= which then return end\n"
    "  s.state.n = s.state.n + 1\n"
    "  if s.state.n == s.params.at then error('fault in ' .. where) end\n"
    "end\n"
    "local function meet(s, job, which, where)\n"
    "  local p = s.params\n"
    "  if p.which == which and s:time() >= p.after and p.at == s:id(job) then error('fault in ' .. "
    "where) end\n"
    "end\n"
    "local function longest(s, job) meet(s, job, 6, 'key') return s:longest_left(job) end\n"
    "return { name = 'faulty', model = 'tandem', state = { 'n' },\n"
    "  params = { which = { default = 0, doc = '' }, at = { default = 0, doc = '' }, after = { "
    "default = 0.0, doc = '' } },\n"
    "  init = function(s) count(s, 1, 'init') end,\n"
    "  arrive = function(s, job) count(s, 2, 'arrive') end,\n"
    "  finish = function(s, job) count(s, 3, 'finish') end,\n"
    "  wake = function(s) count(s, 4, 'wake') end,\n";
static const char acting[] =
    "  orders = { line = { of = 'mapping', changes = 'served', key = longest },\n"
    "    stored = { of = 'backlog', changes = 'instants', key = longest,\n"
    "      member = function(s, job) meet(s, job, 7, 'member') return s:id(job) % 2 == 0 end },\n"
    "    odd = { of = 'backlog', changes = 'arrival', member = function(s, job) return s:id(job) % "
    "2 == 1 end,\n"
    "      key = function(s, job) meet(s, job, 8, 'nested key') return s:arrival(job) end } },\n"
    "  rates = function(s)\n"
    "    count(s, 5, 'rates')\n"
    "    local job = s:first 'line'\n"
    "    if job then s:give_map(job, s:speed()) end\n"
    "    s:fill_shuffle 'odd' s:fill_shuffle 'stored' end }";

enum { INIT = 1, ARRIVE, FINISH, WAKE, RATES, KEY, MEMBER, NESTED };
enum { PARAM_AFTER, PARAM_AT, PARAM_WHICH };
static const char *const WORDS[] = {"",      "init", "arrive", "finish",    "wake",
                                    "rates", "key",  "member", "nested key"};

static void *start(const fault_model *self, const pn_lua_policy *policy)
{
    return sim_for(self->jobs, pn_lua_policy_tandem(policy));
}

static const void *hooks_of(const pn_lua_policy *policy, const double *params)
{
    static pn_tandem_hooks hooks;
    hooks = (pn_tandem_hooks){.policy = pn_lua_policy_tandem(policy), .params = params};
    return &hooks;
}

static fault_model model_of(const tandem_workload *work)
{
    return (fault_model){pn_tandem_model, start, hooks_of, .when = "time ", .jobs = work};
}

/* False when it never came to the fault. */
static bool run_to_fault(const tandem_workload *work, int which, double at, double after)
{
    char text[4096];
    const fault_model model = model_of(work);
    const double params[] = {[PARAM_AFTER] = after, [PARAM_AT] = at, [PARAM_WHICH] = which};
    snprintf(text, sizeof text, "%s%s", HEAD, acting);
    return fault_run(&model, text,
                     "return { name = 'y', model = 'tandem', map = {}, shuffle = {} }", params,
                     WORDS[which], strchr("afkmn", WORDS[which][0]) != NULL);
}

static void a_fault_at_every_call(void **unused)
{
    static const int least[] = {
        [INIT] = 1, [ARRIVE] = JOBS, [FINISH] = JOBS, [WAKE] = 20, [RATES] = 20};
    tandem_workload work = tandem_new(JOBS, 3, crowded);
    (void)unused;
    for (int which = INIT; which <= RATES; which++) {
        int at = 1;
        while (run_to_fault(&work, which, at, 0))
            at++;
        assert_in_range(at, least[which] + 1, 200);
    }
    for (int which = KEY; which <= NESTED; which++) {
        unsigned faults = 0;
        for (int after = 0; after < 12; after += 2)
            for (int who = 1; who <= JOBS; who++)
                faults += run_to_fault(&work, which, who, after);
        assert_in_range(faults, which == NESTED ? 5 : JOBS, 6 * JOBS);
    }
    tandem_free(&work);
}

/* Whoever would fail after the first at the same instant is not asked any more. */
static void only_the_first_fault_counts(void **unused)
{
    enum { MANY = 50 };
    static const char text[] = "return { name = 'x', model = 'tandem', shuffle = {}, map = { "
                               "changes = 'instants', key = function(s, job)\n"
                               "if s:time() == 0 then return 1 end while true do end end } }";
    pn_lua_options options = pn_lua_defaults();
    pn_tandem_job jobs[MANY];
    tandem_workload work = {MANY, jobs};
    (void)unused;
    options.budget = 50000;
    for (int i = 0; i < MANY; i++)
        jobs[i] = (pn_tandem_job){.arrival = 0, .map = 1};
    pn_lua_policy *policy = load_with(text, &options);
    pn_tandem *sim = sim_for(&work, pn_lua_policy_tandem(policy));
    pn_tandem_hooks hooks = {.policy = pn_lua_policy_tandem(policy)};
    assert_int_equal(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX), PN_ERR_POLICY);
    assert_string_equal(
        pn_lua_policy_message(policy),
        FILE_NAME ":2: job 2 at time 1: used up its budget of 50000 instructions in one call");
    /* on arrival, at time 0, and the one that fails */
    assert_int_equal(pn_lua_policy_counts(policy).keys, 2 * MANY + 1);
    free(sim);
    pn_lua_policy_free(policy);
}

/* A key that fails while a hook serves its order is what the hook fails with, however both run. */
static void a_key_fails_inside_a_hook(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'tandem', state = { 'n' }, orders = {\n"
        "line = { of = 'mapping' }, odd = { of = 'backlog', changes = 'arrival',\n"
        "key = function(s, job)\n"
        "  if s:map_size(job) > 1.5 then return s:arrival(job) / 0 end return 1 end } },\n"
        "rates = function(s)\n"
        "  s.state.n = s.state.n + 1 s:fill_map 'line' s:fill_shuffle 'odd' end }";
    static const int ways[] = {PN_LUA_INTERPRETED, PN_LUA_COMPILED, PN_LUA_COMPARED};
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        pn_lua_options options = pn_lua_defaults();
        options.compile = ways[i];
        assert_true(gives_up_tandem(text, &options,
                                    FILE_NAME
                                    ":3: job 1 at time 0: a key must be one or two finite "
                                    "numbers; a boolean may stand before the second, which is "
                                    "then >= 0, got NaN"));
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Uses tables, strings, choices and nested keys, so that much may fail. */
static const char hungry[] =
    "-- Hungry\n"
    "local function work(s, job) local t = { s:map_left(job), s:shuffle_left(job) } return t[1] + "
    "t[2], #t > 1, t[1] end\n"
    "return { name = 'hungry', model = 'tandem', state = { 'n', ring = { per_job = 1, more = 1 } "
    "}, per_job = { 'mine' },\n"
    "  params = { p = { default = 'b', choices = { 'a', 'b' }, doc = '' }, q = { default = 0.5, "
    "doc = '' } },\n"
    "  orders = { line = { of = 'mapping', changes = 'served', key = work }, all = { of = "
    "'present' },\n"
    "    stored = { of = 'backlog', changes = 'served', key = work } },\n"
    "  arrive = function(s, job) s.per_job.mine[job] = s:random(1, 9) end,\n"
    "  finish = function(s, job) local text = 'job ' .. s:id(job) s.state.n = s.state.n + #text "
    "end,\n"
    "  wake = function(s) return #(s.params.p .. 'x' .. s.state.n) end,\n"
    "  rates = function(s)\n"
    "    local seen = {}\n"
    "    for job in s:by 'all' do seen[#seen + 1] = { job = job, name = 'j' .. job } end\n"
    "    if s:first 'line' then s:give_map(s:first 'line', s:map_idle()) end\n"
    "    s:fill_shuffle 'stored' end }";

static const double hungry_params[] = {0, 0.25};

static void every_request_for_memory_may_fail(void **unused)
{
    tandem_workload work = tandem_new(6, 3, crowded);
    const fault_model model = model_of(&work);
    (void)unused;
    fault_refuse_memory(&model, hungry, hungry_params);
    tandem_free(&work);
}

/* ---- without end ----------------------------------------------------------------------------- */

static const char *const FUNCTIONS[] = {"init",  "arrive", "finish", "wake",
                                        "rates", "key",    "member"};
enum { FUNCTION_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* A definition whose function WHERE holds STATEMENT on line 2. */
static void write_with(char text[1024], const char *where, const char *statement)
{
    static const char orders[] = "line = { of = 'mapping' }, stored = { of = 'backlog' }";
    static const char rates[] = "s:fill_map 'line' s:fill_shuffle 'stored'";
    const char *own = strcmp(where, "key") == 0 ? "changes = 'served', key" : "member";
    if (strcmp(where, "key") == 0 || strcmp(where, "member") == 0)
        snprintf(text, 1024,
                 "return { name = 'x', model = 'tandem', rates = function(s) %s end, orders = { "
                 "%s, more = { of = 'present',\n"
                 "%s = function(s, job) %s return true end } } }",
                 rates, orders, own, statement);
    else if (strcmp(where, "rates") == 0)
        snprintf(text, 1024,
                 "return { name = 'x', model = 'tandem', state = { 'a' }, orders = { %s },\n"
                 "rates = function(s) %s %s end }",
                 orders, statement, rates);
    else
        snprintf(text, 1024,
                 "return { name = 'x', model = 'tandem', orders = { %s },\n"
                 "%s = function(s, job) %s end, rates = function(s) %s end }",
                 orders, where, statement, rates);
}

/* Runs the few jobs. */
static void check_message(const char *where, const char *statement, const pn_lua_options *options,
                          const char *message)
{
    char text[1024];
    const fault_model model = model_of(NULL);
    write_with(text, where, statement);
    pn_lua_policy *policy = load_with(text, options);
    fault_check_statement(&model, policy, run_few_tandem(policy, NULL), text,
                          strchr("afkm", where[0]) != NULL, message);
}

static void endless_loops_end(void **unused)
{
    static const char *const loops[] = {"while true do end", "for i = 1, math.maxinteger do end",
                                        "while true do s:speed() end",
                                        "while true do local x = s.params end"};
    static const char *const kernel_loops[] = {
        "while true do s:fill_map 'line' end",
        "while true do s:fill_shuffle('stored', 0) end",
        "while true do for j in s:by 'line' do end end",
        "while true do s:first 'stored' end",
        "local j while true do j = s:next('line', j) end",
        "while true do s.state.a = s:random(1, 5) end",
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.budget = 20000;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++)
            check_message(FUNCTIONS[i], loops[k], &options,
                          "used up its budget of 20000 instructions in one call");
    for (size_t k = 0; k < sizeof kernel_loops / sizeof kernel_loops[0]; k++)
        check_message("rates", kernel_loops[k], &options,
                      "used up its budget of 20000 instructions in one call");
}

static void count_line(void *user, const char *line)
{
    (void)line;
    ++*(unsigned *)user;
}

/* With many jobs present a step through an order looks at all of them: what an endless loop of such
 * steps costs is bounded by the budget, not by the budget times the jobs. */
static void steps_through_long_orders_are_paid_for(void **unused)
{
    enum { MANY = 5000 };
    static const char text[] = "return { name = 'x', model = 'tandem', orders = { all = { of = "
                               "'present' } }, rates = function(s)\n"
                               "while true do for job in s:by 'all' do print 'again' end end end }";
    unsigned calls = 0;
    pn_lua_options options = pn_lua_defaults();
    tandem_workload work = tandem_new(MANY, 1, (tandem_shape){.rate = 1e9, .map = 1, .shuffle = 1});
    (void)unused;
    options.budget = 1000000;
    options.print = count_line;
    options.user = &calls;
    pn_lua_policy *policy = load_with(text, &options);
    for (size_t i = 0; i < MANY; i++)
        work.jobs[i].arrival = 0;
    pn_tandem *sim = sim_for(&work, pn_lua_policy_tandem(policy));
    assert_int_equal(
        pn_tandem_step(sim, &(pn_tandem_hooks){.policy = pn_lua_policy_tandem(policy)}),
        PN_ERR_POLICY);
    assert_string_equal(pn_lua_policy_message(policy), FILE_NAME
                        ":2: time 0: used up its budget of 1000000 instructions in one call");
    assert_in_range(calls, 100, 2000);
    free(sim);
    pn_lua_policy_free(policy);
    tandem_free(&work);
}

static void balloons_burst(void **unused)
{
    static const char *const balloons[][2] = {
        {"local t = {} for i = 1, math.maxinteger do t[i] = i end",
         "needs more than 1 MiB of memory"},
        {"local t = 'x' while true do t = t .. t end", "makes a string of more than 1000000 bytes"},
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.memory = (size_t)1 << 20;
    options.budget = 0;
    for (int i = 0; i < FUNCTION_COUNT; i++)
        for (size_t k = 0; k < sizeof balloons / sizeof balloons[0]; k++)
            check_message(FUNCTIONS[i], balloons[k][0], &options, balloons[k][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_ceilings_and_loading_anew_change_nothing),
        cmocka_unit_test(parameters_arrive),
        cmocka_unit_test(lines_say_where),
        cmocka_unit_test(a_table_leads_back_to_its_policy),
        cmocka_unit_test(a_fault_at_every_call),
        cmocka_unit_test(only_the_first_fault_counts),
        cmocka_unit_test(a_key_fails_inside_a_hook),
        cmocka_unit_test(every_request_for_memory_may_fail),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(steps_through_long_orders_are_paid_for),
        cmocka_unit_test(balloons_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
