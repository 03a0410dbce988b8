/* The life of policies in Lua of the makespan model, and their failures: at every question and
 * every value that they are asked for, for want of memory at every request, without end, when the
 * host says stop. A policy that fails says why, and leaves a batch that another policy can plan as
 * if nothing had been. */
#include "support/lua_faults.h"
#include "makespan/support/script.h"
#include "makespan/support/pairs.h"

static const makespan_shape odd_shape = {.tasks = 4, .longest = 20, .odd = 1};

static pn_makespan *sim_for(const makespan_batch *batch, const pn_makespan_policy *policy,
                            uint32_t level)
{
    pn_makespan_config config = makespan_config(batch, (makespan_rules){.level = level}, 6, 4);
    config.seed = 5;
    config.policy = policy;
    pn_makespan *sim = makespan_sim(&config);
    assert_int_equal(makespan_submit(sim, batch), PN_OK);
    return sim;
}

/* What a policy that must succeed makes of the simulation, which is freed. */
static uint64_t digest_of(pn_makespan *sim, const pn_makespan_policy *policy, const double *params)
{
    pn_makespan_hooks hooks = {.policy = policy, .params = params};
    assert_int_equal(pn_makespan_run(sim, &hooks, PN_MAKESPAN_FOREVER, UINT64_MAX), PN_DONE);
    uint64_t digest = pn_makespan_digest(sim);
    free(sim);
    return digest;
}

/* ---- what makes no difference ---------------------------------------------------------------- */

static void budgets_ceilings_and_loading_anew_change_nothing(void **unused)
{
    static pairs all;
    const pn_lua_options options[] = {{PN_LUA_MEMORY, 0, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {PN_LUA_MEMORY, 3000000, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {400000, 2000000, NULL, NULL, NULL, PN_LUA_COMPARED}};
    makespan_batch batch = makespan_new(7, 77, odd_shape);
    makespan_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        if (all.list[i].native == pn_makespan_given_order() ||
            all.list[i].native == pn_makespan_fixed_pools())
            continue;
        for (uint32_t level = PN_MAKESPAN_STAGES; level <= PN_MAKESPAN_TASKS; level++) {
            uint64_t expected = digest_of(sim_for(&batch, all.list[i].native, level),
                                          all.list[i].native, NULL);
            for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
                pn_lua_policy *policy = pair_load(&all.list[i], &options[k]);
                pn_makespan *sim = sim_for(&batch, pn_lua_policy_makespan(policy), level);
                assert_int_equal(
                    pn_makespan_plan(
                        sim, &(pn_makespan_hooks){.policy = pn_lua_policy_makespan(policy)}),
                    PN_OK);
                pn_lua_policy_free(policy); /* another one still decides */
                policy = pair_load(&all.list[i], NULL);
                assert_int_equal(digest_of(sim, pn_lua_policy_makespan(policy), NULL), expected);
                pn_lua_policy_free(policy);
            }
        }
    }
    pairs_free(&all);
    makespan_free(&batch);
}

static void parameters_arrive(void **unused)
{
    static const char text[] =
        "return { name = 'p', model = 'makespan', params = {\n"
        "  whole = { default = 3, min = -5, max = 5, doc = 'an integer' }, real = { default = 1.0, "
        "min = -1, doc = 'a float' },\n"
        "  yes = { default = true, doc = 'a boolean' },\n"
        "  word = { default = 'b', choices = { 'a', 'b', 'c' }, doc = 'a word' } }, order = "
        "function(s)\n"
        "    local p = s.params\n"
        "    print(p.real, p.whole, math.type(p.whole), p.word, p.yes) return { 1, 2, 3 } end }";
    static lines said;
    double params[PN_PARAMS_MAX];
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    assert_int_equal(pn_lua_policy_makespan(policy)->param_count, 4);
    assert_int_equal(run_few_batch(policy, PN_MAKESPAN_TASKS, NULL), PN_DONE);
    pn_lua_policy_defaults(policy, params);
    assert_int_equal(pn_lua_policy_set(policy, params, "real", 0.25), PN_OK);
    assert_int_equal(pn_lua_policy_set(policy, params, "whole", -5), PN_OK);
    assert_int_equal(pn_lua_policy_set(policy, params, "word", 2), PN_OK);
    assert_int_equal(pn_lua_policy_set(policy, params, "yes", 0), PN_OK);
    assert_int_equal(pn_lua_policy_set(policy, params, "word", 3), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_set(policy, params, "whole", 0.5), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_set(policy, params, "odd", 1), PN_ERR_ARGUMENT);
    assert_int_equal(run_few_batch(policy, PN_MAKESPAN_TASKS, params), PN_DONE);
    assert_string_equal(said.text, FILE_NAME ":6: 1.0\t3\tinteger\tb\ttrue\n" FILE_NAME
                                             ":6: 0.25\t-5\tinteger\tc\tfalse\n");
    pn_lua_policy_free(policy);
}

static void a_table_leads_back_to_its_policy(void **unused)
{
    pn_lua_policy *makespan = load(
        "return { name = 'x', model = 'makespan', order = function() return {} end }");
    pn_lua_policy *tandem = load("return { name = 'x', model = 'tandem', map = {}, shuffle = {} }");
    (void)unused;
    assert_ptr_equal(pn_lua_policy_behind_makespan(pn_lua_policy_makespan(makespan)), makespan);
    assert_null(pn_lua_policy_tandem(makespan));
    assert_null(pn_lua_policy_slotted(makespan));
    assert_null(pn_lua_policy_makespan(tandem));
    assert_null(pn_lua_policy_makespan(NULL));
    assert_null(pn_lua_policy_behind_makespan(NULL));
    for (size_t i = 0; pn_makespan_policy_at(i); i++)
        assert_null(pn_lua_policy_behind_makespan(pn_makespan_policy_at(i)));
    pn_lua_policy_free(makespan);
    pn_lua_policy_free(tandem);
}

/* ---- a batch that survives ------------------------------------------------------------------- */

/* Fails when its count of questions comes to `at`: in the order of evaluations, in a value for
 * Johnson's rule, after the last. */
static const char FAULTY[] =
    "return { name = 'faulty', model = 'makespan', params = { at = { default = 0, doc = '' }, "
    "pools = { "
    "default = true, doc = '' } },\n"
    "  pools = function(s)\n"
    "    local n = 0\n"
    "    local function count() n = n + 1 if n == s.params.at then error('fault ' .. n) end end\n"
    "    local function value(job) count() return job end\n"
    "    local order = s:johnson { map = value, reduce = value }\n"
    "    for _ = 1, 3 do count() order = s:evaluate(order) and { table.unpack(order) } end\n"
    "    count()\n"
    "    local half = #order // 2\n"
    "    return { { nodes = 1, jobs = { table.unpack(order, 1, half) } },\n"
    "             { nodes = s:nodes() - 1, jobs = { table.unpack(order, half + 1) } },\n"
    "             n + 1 == s.params.at and { nodes = 1, jobs = { 1 } } or nil } end }";

static void a_failed_plan_leaves_nothing_behind(void **unused)
{
    enum { JOBS = 5, QUESTIONS = 2 * JOBS + 3 + 1 };
    makespan_batch batch = makespan_new(JOBS, 3, odd_shape);
    pn_lua_policy *policy = load(FAULTY),
                  *other = load("return { name = 'o', model = 'makespan', order = function(s)\n"
                                "return s:johnson { estimate = 'fluid' } end }");
    const pn_makespan_policy *table = pn_lua_policy_makespan(policy),
                             *after = pn_lua_policy_makespan(other);
    (void)unused;
    uint64_t plain = digest_of(sim_for(&batch, table, PN_MAKESPAN_TASKS), table, NULL);
    uint64_t expected = digest_of(sim_for(&batch, after, PN_MAKESPAN_TASKS), after, NULL);
    for (int at = 1; at <= QUESTIONS + 1; at++) {
        double params[PN_PARAMS_MAX];
        char message[100];
        snprintf(message, sizeof message,
                 at <= QUESTIONS ? FILE_NAME ":4: fault %d" : FILE_NAME ":2: pools: pool 3: ", at);
        pn_lua_policy_defaults(policy, params);
        assert_int_equal(pn_lua_policy_set(policy, params, "at", at), PN_OK);
        pn_makespan_hooks hooks = {.policy = table, .params = params};
        pn_makespan *sims[2] = {sim_for(&batch, table, PN_MAKESPAN_TASKS),
                                sim_for(&batch, table, PN_MAKESPAN_TASKS)};
        for (int i = 0; i < 2; i++) {
            for (int twice = 0; twice < 2; twice++)
                assert_int_equal(pn_makespan_step(sims[i], &hooks), PN_ERR_POLICY);
            if (strncmp(pn_lua_policy_message(policy), message, strlen(message)) != 0)
                fail_msg("'%s', want '%s'", pn_lua_policy_message(policy), message);
            assert_int_equal(pn_makespan_ticks(sims[i]), 0);
            assert_int_equal(pn_makespan_pools(sims[i]), 0);
        }
        assert_int_equal(digest_of(sims[0], after, NULL), expected);
        assert_int_equal(digest_of(sims[1], table, NULL), plain);
    }
    pn_lua_policy_free(policy);
    pn_lua_policy_free(other);
    makespan_free(&batch);
}

static int stop_after(void *user)
{
    int *left = user;
    return (*left)-- <= 0;
}

static void the_host_may_stop_a_search(void **unused)
{
    static const char text[] = "return { name = 'x', model = 'makespan', order = function(s)\n"
                               "local order = s:johnson { estimate = 'fluid' }\n"
                               "for _ = 1, 1000000 do s:evaluate(order) end return order end }";
    makespan_batch batch = makespan_new(40, 3, odd_shape);
    pn_lua_options options = pn_lua_defaults();
    int left = 1;
    (void)unused;
    options.budget = 0;
    pn_lua_policy *policy = load_with(text, &options);
    const pn_makespan_policy *table = pn_lua_policy_makespan(policy);
    pn_makespan *sim = sim_for(&batch, table, PN_MAKESPAN_TASKS);
    pn_makespan_hooks hooks = {.policy = table, .stop = stop_after, .user = &left};
    assert_int_equal(pn_makespan_plan(sim, &hooks), PN_ERR_STOPPED);
    assert_string_equal(pn_lua_policy_message(policy), FILE_NAME ":3: stopped");
    assert_int_equal(pn_makespan_plan(sim, &(pn_makespan_hooks){.policy = pn_makespan_uaas()}),
                     PN_OK);
    free(sim);
    pn_lua_policy_free(policy);
    makespan_free(&batch);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Uses tables, strings, exact numbers, scores and closures, so that much may fail. */
static const char hungry[] = "-- Hungry\n"
                             "return { name = 'hungry', model = 'makespan', params = { p = { "
                             "default = 'b', choices = { 'a', 'b' }, doc = '' } },\n"
                             "  pools = function(s)\n"
                             "    local value, pools = {}, {}\n"
                             "    for job = 1, s:jobs() do value[job] = s:work(job, 'map') / 3 + "
                             "exact '1/2' * #s:stretches(job, 'reduce') end\n"
                             "    local order = s:johnson { map = value, reduce = function(job) "
                             "return s:estimate(job, 'reduce', 'waves') end }\n"
                             "    local text = s.params.p .. s:evaluate(order):makespan() .. "
                             "tostring(s:evaluate(order, { best = s:evaluate(order) }))\n"
                             "    for job = 1, s:jobs() do pools[1 + #text % 2] = pools[1 + #text "
                             "% 2] or { nodes = 2, jobs = order } end\n"
                             "    return { pools[1] or pools[2] } end }";

static void *start(const fault_model *self, const pn_lua_policy *policy)
{
    return sim_for(self->jobs, pn_lua_policy_makespan(policy), self->mode);
}

static const void *hooks_of(const pn_lua_policy *policy, const double *params)
{
    static pn_makespan_hooks hooks;
    hooks = (pn_makespan_hooks){.policy = pn_lua_policy_makespan(policy), .params = params};
    return &hooks;
}

static void every_request_for_memory_may_fail(void **unused)
{
    makespan_batch batch = makespan_new(4, 3, odd_shape);
    const fault_model model = {pn_makespan_model, start, hooks_of, .jobs = &batch,
                               .mode = PN_MAKESPAN_TASKS};
    (void)unused;
    fault_refuse_memory(&model, hungry, NULL);
    makespan_free(&batch);
}

/* ---- without end ----------------------------------------------------------------------------- */

static void endless_loops_end(void **unused)
{
    static const char *const loops[] = {
        "while true do end",
        "while true do s:work(1, 'map') end",
        "while true do s:evaluate { 1, 2, 3 } end",
        "while true do s:johnson { estimate = 'fluid' } end",
        "s:johnson { map = function(job) while true do end end, reduce = {} }",
        "local x = exact(1) while true do x = -x end",
        "while true do s:stretches(1, 'map') end",
        "while true do s:random(1, 5) end",
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.budget = 20000;
    for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'makespan', order = function(s)\n%s end }",
                 loops[i]);
        assert_true(gives_up_batch(
            text, &options, FILE_NAME ":2: used up its budget of 20000 instructions in one call"));
    }
}

static void balloons_burst(void **unused)
{
    static const char *const balloons[][2] = {
        {"local t = {} for i = 1, math.maxinteger do t[i] = exact(i) end",
         FILE_NAME ": needs more than 1 MiB of memory"},
        {"local t = {} for i = 1, math.maxinteger do t[i] = s:evaluate { 1 } end",
         FILE_NAME ": needs more than 1 MiB of memory"},
        {"local t = 'x' while true do t = t .. exact '1/3' .. t end",
         FILE_NAME ": needs more than 1 MiB of memory"},
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.memory = (size_t)1 << 20;
    options.budget = 0;
    for (size_t i = 0; i < sizeof balloons / sizeof balloons[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'makespan', order = function(s)\n%s end }",
                 balloons[i][0]);
        assert_true(gives_up_batch(text, &options, balloons[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_ceilings_and_loading_anew_change_nothing),
        cmocka_unit_test(parameters_arrive),
        cmocka_unit_test(a_table_leads_back_to_its_policy),
        cmocka_unit_test(a_failed_plan_leaves_nothing_behind),
        cmocka_unit_test(the_host_may_stop_a_search),
        cmocka_unit_test(every_request_for_memory_may_fail),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(balloons_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
