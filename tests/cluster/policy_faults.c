/* Failures of policies in Lua of the cluster model: at every call of every function (also of a key
 * that the core asks for while tasks are killed), for want of memory at every request, without end.
 * A failed policy stops its own run for good, says why, and disturbs nobody. */
#include "cluster/support/script.h"
#include "support/lua_faults.h"

static void *start(const fault_model *self, const pn_lua_policy *policy)
{
    return (self->mode ? few_cluster : crowded_cluster)(pn_lua_policy_cluster(policy));
}

static const void *hooks_of(const pn_lua_policy *policy, const double *params)
{
    static pn_cluster_hooks hooks;
    hooks = (pn_cluster_hooks){.policy = pn_lua_policy_cluster(policy), .params = params};
    return &hooks;
}

static const fault_model crowd = {pn_cluster_model, start, hooks_of, .when = "time "},
                         few = {pn_cluster_model, start, hooks_of, .when = "time ", .mode = 1};

/* ---- at every call --------------------------------------------------------------------------- */

/* Fails in the function `which`: those that may write when the count in memory reaches `at`; keys,
 * which cannot count, from time `after` on for job `at`; those of `kill`, while a task of it is
 * being killed. */
static const char FAULTY[] =
    "local function count(s, which, where)\n"
    "  if s.params.which ~= which then return end\n"
    "  s.state.n = s.state.n + 1\n"
    "  if s.state.n == s.params.at then error('fault in ' .. where) end\n"
    "end\n"
    "return { name = 'faulty', model = 'cluster', state = { 'n', 'killing' }, uses = { 'shares', "
    "'estimates' },\n"
    "  params = { which = { default = 0, doc = '' }, at = { default = 0, doc = '' }, after = { "
    "default = 0, doc = '' } },\n"
    "  init = function(s) count(s, 1, 'init') end,\n"
    "  arrive = function(s, job) count(s, 2, 'arrive') end,\n"
    "  leave = function(s, job) count(s, 3, 'leave') end,\n"
    "  admit = function(s, job) count(s, 9, 'admit') return s:id(job) % 7 > 0 end,\n"
    "  elapse = function(s, ms) count(s, 4, 'elapse') end,\n"
    "  plan = function(s, reason) count(s, 5, 'plan') for job in s:jobs() do s:weigh(job, 1 + "
    "s:id(job) % 4) end end,\n"
    "  preempt = function(s, kind)\n"
    "    count(s, 6, 'preempt')\n"
    "    s.state.killing = 1\n"
    "    for job in s:jobs() do\n"
    "      local above = s:running(job, kind) - s:share(job, kind)\n"
    "      if above > 0 then s:kill(job, kind, above) end\n"
    "    end\n"
    "    s.state.killing = 0\n"
    "  end,\n"
    "  key = { changes = 'served', of = function(s, job, kind)\n"
    "    local p = s.params\n"
    "    if p.at == s:id(job) and s:now() >= p.after then\n"
    "      if p.which == 7 then error 'fault in key' end\n"
    "      if p.which == 8 and s.state.killing > 0 then error 'fault in nested key' end\n"
    "    end\n"
    "    return s:running(job, kind)\n"
    "  end } }";

enum { INIT = 1, ARRIVE, LEAVE, ELAPSE, PLANNING, PREEMPT, KEY, NESTED, ADMIT };
enum { PARAM_AFTER, PARAM_AT, PARAM_WHICH };
static const char *const NAMES[] = {"",     "init",    "arrive", "leave",      "elapse",
                                    "plan", "preempt", "key",    "nested key", "admit"};

/* False when it never came to the fault. */
static bool run_to_fault(int which, double at, double after)
{
    const double params[] = {[PARAM_AFTER] = after, [PARAM_AT] = at, [PARAM_WHICH] = which};
    return fault_run(&crowd, FAULTY, "return { name = 'y', model = 'cluster', " CLUSTER_KEY " }",
                     params, NAMES[which], strchr("akln", NAMES[which][0]) != NULL);
}

static void a_fault_at_every_call(void **unused)
{
    static const int least[] = {
        [INIT] = 1,      [ARRIVE] = CROWD - 1, [LEAVE] = CROWD - 1, [ELAPSE] = 30,
        [PLANNING] = 25, [PREEMPT] = 30,       [ADMIT] = CROWD};
    (void)unused;
    for (int which = INIT; which <= ADMIT; which++) {
        if (which == KEY || which == NESTED)
            continue;
        int at = 1, stride = which < ELAPSE || which == ADMIT ? 1 : 7;
        while (run_to_fault(which, at, 0))
            at += stride;
        assert_in_range(at, least[which] + 1, 400);
    }
    for (int which = KEY; which <= NESTED; which++) {
        unsigned faults = 0;
        for (int after = 0; after < 20000; after += 6000)
            for (int who = 1; who <= CROWD; who += 2)
                faults += run_to_fault(which, who, after);
        assert_in_range(faults, which == NESTED ? 3 : CROWD / 2, 4 * CROWD);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Uses tables, strings, choices, loops and kills, so that much may fail. */
static const char hungry[] =
    "-- Hungry\n"
    "return { name = 'hungry', model = 'cluster', state = { 'n', ring = { per_job = 1, more = 1 } "
    "}, per_job = { 'mine' },\n"
    "  params = { p = { default = 'b', choices = { 'a', 'b' }, doc = '' }, q = { default = 0.5, "
    "doc = '' } },\n"
    "  uses = function(p) return { 'shares', 'estimates', p.p == 'b' and 'strict' } end,\n"
    "  key = { changes = function(p) return 'serv' .. 'ed' end, of = function(s, job, kind)\n"
    "    local t = { s:pending(job, kind), kind .. s:id(job) } return t[1], #t[2] end },\n"
    "  admit = function(s, job) local t = { s:est(job, 'map') .. ' ms' } s.per_job.mine[job] = "
    "#t[1] s:set_est(job, 'map', 7)\n"
    "    s:set_deadline(job, 50000) return #t == 1 end,\n"
    "  arrive = function(s, job) s.per_job.mine[job] = s.per_job.mine[job] + s:random(1, 9) "
    "s:limit(job, 'map', 3) end,\n"
    "  leave = function(s, job) local text = 'job ' .. s:id(job) s.state.n = s.state.n + #text "
    "end,\n"
    "  elapse = function(s, ms) local milli = s:fill 'map' for job in s:jobs() do s.state.n = "
    "(s.state.n + milli[job]) % 99 end "
    "end,\n"
    "  plan = function(s, reason) local order = {}\n"
    "    for job in s:by_key 'map' do order[#order + 1] = { job = job, name = 'j' .. job } end\n"
    "    for i, it in ipairs(order) do s:weigh(it.job, i + #it.name + #reason + #s.params.p) end "
    "end,\n"
    "  preempt = function(s, kind) for job in s:jobs() do\n"
    "    local tasks = {} for task, node in s:tasks_running(job, kind) do tasks[#tasks + 1] = task "
    "end\n"
    "    if #tasks > s:share(job, kind) then s:kill_task(job, kind, tasks[1]) end end end }";

static const double hungry_params[] = {0, 0.25};

static void every_request_for_memory_may_fail(void **unused)
{
    (void)unused;
    fault_refuse_memory(&few, hungry, hungry_params);
}

/* ---- without end ----------------------------------------------------------------------------- */

static const char *const FUNCTIONS[] = {"init", "admit",   "arrive", "leave", "elapse",
                                        "plan", "preempt", "pick",   "key"};
enum { FUNCTIONS_COUNT = sizeof FUNCTIONS / sizeof FUNCTIONS[0] };

/* A definition whose function WHERE holds STATEMENT on line 2. */
static void write_with(char text[1024], const char *where, const char *statement)
{
    bool key = strcmp(where, "key") == 0, pick = strcmp(where, "pick") == 0,
         admit = strcmp(where, "admit") == 0;
    snprintf(text, 1024,
             "return { name = 'x', model = 'cluster', state = { 'a' }, %s\n%s = %sfunction(s, job, "
             "kind) %s %s end%s }",
             key || pick ? "" : CLUSTER_KEY ",", where, key ? "{ changes = 'served', of = " : "",
             statement,
             key     ? "return 1"
             : pick  ? "return s:first(kind)"
             : admit ? "return true"
                     : "",
             key ? " }" : "");
}

/* Runs the few jobs. */
static void check_message(const char *where, const char *statement, const pn_lua_options *options,
                          const char *message)
{
    char text[1024];
    write_with(text, where, statement);
    pn_lua_policy *policy = load_with(text, options);
    fault_check_statement(&few, policy, run_few_cluster(policy, NULL), text,
                          strchr("akl", where[0]) != NULL, message);
}

static void endless_loops_end(void **unused)
{
    static const char *const loops[] = {
        "while true do end", "for i = 1, math.maxinteger do end", "while true do s:now() end",
        "while true do local x = s.params end", "while true do s:scale(1 << 60, 1 << 60, 3) end"};
    static const char *const kernel_loops[] = {
        "while true do s:first 'map' end",
        "while true do s:fill 'map' end",
        "while true do for j in s:by_key 'reduce' do end end",
        "while true do for j in s:jobs() do end end",
        ("while true do local j = s:first 'map' if j then for t in s:tasks_running(j, 'map') do "
         "end end end"),
        "while true do s.state.a = s:random(1, 5) end",
    };
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.budget = 20000;
    for (int i = 0; i < FUNCTIONS_COUNT; i++)
        for (size_t k = 0; k < sizeof loops / sizeof loops[0]; k++)
            check_message(FUNCTIONS[i], loops[k], &options,
                          "used up its budget of 20000 instructions in one call");
    for (size_t k = 0; k < sizeof kernel_loops / sizeof kernel_loops[0]; k++)
        check_message("plan", kernel_loops[k], &options,
                      "used up its budget of 20000 instructions in one call");
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
    for (int i = 0; i < FUNCTIONS_COUNT; i++)
        for (size_t k = 0; k < sizeof balloons / sizeof balloons[0]; k++)
            check_message(FUNCTIONS[i], balloons[k][0], &options, balloons[k][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_at_every_call),
        cmocka_unit_test(every_request_for_memory_may_fail),
        cmocka_unit_test(endless_loops_end),
        cmocka_unit_test(balloons_burst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
