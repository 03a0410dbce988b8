/* The life of policies in Lua: the budget changes nothing, they may be loaded anew in mid-run,
 * copies of the block carry what they remember, parameters arrive, and one of them serves many
 * simulations. */
#include <math.h>

#include "slotted/support/script.h"

enum { JOBS = 60, MACHINES = 9 };

static const slotted_shape crowded = {.rate = 0.4, .maps = 5, .reduces = 14, .tasks = 5};

static slotted_workload crowd(void)
{
    return slotted_new(JOBS, 77, crowded);
}

static pn_slotted_config config_for(const slotted_workload *work, const pn_slotted_policy *policy,
                                    uint32_t reduce)
{
    pn_slotted_config config = slotted_config(work, MACHINES, reduce);
    config.stretches_max = JOBS * SLOTTED_WORKLOAD_TASKS;
    config.policy = policy;
    config.seed = 5;
    return config;
}

static pn_slotted *sim_for(const slotted_workload *work, const pn_slotted_policy *policy,
                           uint32_t reduce)
{
    pn_slotted_config config = config_for(work, policy, reduce);
    pn_slotted *sim = slotted_sim(&config);
    assert_int_equal(slotted_submit(sim, work, 0, work->count), PN_OK);
    return sim;
}

/* To the end; the digest. */
static uint64_t digest_of(const slotted_workload *work, const pn_slotted_policy *policy,
                          uint32_t reduce, const double *params)
{
    pn_slotted *sim = sim_for(work, policy, reduce);
    pn_slotted_hooks hooks = {.policy = policy, .params = params};
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    uint64_t digest = pn_slotted_digest(sim);
    free(sim);
    return digest;
}

static bool has_mode(const pn_slotted_policy *policy, uint32_t reduce)
{
    return reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive;
}

/* ---- what makes no difference ---------------------------------------------------------------- */

static void budgets_and_ceilings_change_nothing(void **unused)
{
    static pairs all;
    const pn_lua_options options[] = {{PN_LUA_MEMORY, 0, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {PN_LUA_MEMORY, 1000000, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {400000, 100000, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {0, UINT64_MAX, NULL, NULL, NULL, PN_LUA_COMPARED}};
    slotted_workload work = crowd();
    slotted_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            if (!has_mode(all.list[i].native, reduce))
                continue;
            uint64_t expected = digest_of(&work, all.list[i].native, reduce, NULL);
            for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
                pn_lua_policy *policy = pair_load(&all.list[i], &options[k]);
                assert_int_equal(digest_of(&work, pn_lua_policy_slotted(policy), reduce, NULL),
                                 expected);
                pn_lua_policy_free(policy);
            }
        }
    }
    pairs_free(&all);
    slotted_free(&work);
}

/* A new pn_lua_policy before every step, the old one gone. */
static void loaded_anew_before_every_step(void **unused)
{
    static pairs all;
    slotted_workload work = crowd();
    slotted_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        for (uint32_t reduce = 0; reduce < SLOTTED_MODES; reduce++) {
            if (!has_mode(all.list[i].native, reduce))
                continue;
            pn_lua_policy *policy = pair_load(&all.list[i], NULL);
            pn_slotted *sim = sim_for(&work, pn_lua_policy_slotted(policy), reduce);
            int status = PN_OK;
            while (status == PN_OK) {
                pn_lua_policy *next = pair_load(&all.list[i], NULL);
                pn_lua_policy_free(policy);
                policy = next;
                status = pn_slotted_step(
                    sim, &(pn_slotted_hooks){.policy = pn_lua_policy_slotted(policy)});
            }
            assert_int_equal(status, PN_DONE);
            assert_int_equal(pn_slotted_digest(sim),
                             digest_of(&work, all.list[i].native, reduce, NULL));
            pn_lua_policy_free(policy);
            free(sim);
        }
    }
    pairs_free(&all);
    slotted_free(&work);
}

/* ---- what the block carries ------------------------------------------------------------------ */

/* A policy that counts in every kind of memory and prints it all at the end. */
static const char counting[] =
    "return { name = 'counting', model = 'slotted', state = { 'n', 'x', seen = { per_job = 1, more "
    "= "
    "2 } }, per_job = { 'mine' },\n"
    "  arrive = function(s, job) s.per_job.mine[job] = s.per_job.mine[job] + s:id(job) end,\n"
    "  finish = function(s, job) local q = s.state q.n = q.n + s.per_job.mine[job] q.x = q.x + "
    "0.5\n"
    "    q.seen[1 + q.n % (s:jobs_max() + 2)] = q.n\n"
    "    local sum = 0 for i = 1, s:jobs_max() + 2 do sum = sum + q.seen[i] end\n"
    "    print(s:slot(), s:id(job), q.n, q.x, sum, s:random(1, 1000000)) end,\n"
    "  key = 'remaining' }";

static pn_slotted *copied(const pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    pn_slotted *opened = NULL;
    void *copy = workload_room(size);
    memcpy(copy, sim, size);
    assert_int_equal(pn_slotted_open(&opened, copy, size), PN_OK);
    return opened;
}

/* At every step a fork is continued to its end by another policy; what it says is the rest of what
 * is said without forks. */
static void forks_carry_all_memory(void **unused)
{
    static lines whole, before, after;
    slotted_workload work = crowd();
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    whole.size = before.size = 0;
    options.print = keep_line;
    options.user = &whole;
    pn_lua_policy *policy = load_with(counting, &options);
    digest_of(&work, pn_lua_policy_slotted(policy), PN_SLOTTED_NONPREEMPTIVE, NULL);
    pn_lua_policy_free(policy);

    options.user = &before;
    policy = load_with(counting, &options);
    options.user = &after;
    pn_lua_policy *other = load_with(counting, &options);
    pn_slotted *sim = sim_for(&work, pn_lua_policy_slotted(policy), PN_SLOTTED_NONPREEMPTIVE);
    int status = PN_OK;
    while (status == PN_OK) {
        pn_slotted *fork = copied(sim);
        after.size = 0;
        assert_int_equal(pn_slotted_run(fork,
                                        &(pn_slotted_hooks){.policy = pn_lua_policy_slotted(other)},
                                        PN_SLOTTED_FOREVER),
                         PN_DONE);
        free(fork);
        assert_int_equal(before.size + after.size, whole.size);
        assert_memory_equal(before.text, whole.text, before.size);
        assert_memory_equal(after.text, whole.text + before.size, after.size);
        status = pn_slotted_step(sim, &(pn_slotted_hooks){.policy = pn_lua_policy_slotted(policy)});
    }
    assert_int_equal(status, PN_DONE);
    assert_true(whole.size > JOBS * 10);
    pn_lua_policy_free(policy);
    pn_lua_policy_free(other);
    free(sim);
    slotted_free(&work);
}

/* Places are used again; what an earlier job left there is gone. */
static void a_new_job_starts_from_zero(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'slotted', per_job = { 'a', 'b' },\n"
        "  arrive = function(s, job)\n"
        "    if s.per_job.a[job] ~= 0 or math.type(s.per_job.b[job]) ~= 'integer' then error 'not "
        "cleared' end\n"
        "    s.per_job.a[job], s.per_job.b[job] = 7, 0.5 end, key = 'arrival' }";
    pn_lua_policy *policy = load(text);
    slotted_workload one = {1, NULL, NULL};
    pn_slotted_config config = config_for(&one, pn_lua_policy_slotted(policy),
                                          PN_SLOTTED_PREEMPTIVE);
    pn_slotted_hooks hooks = {.policy = pn_lua_policy_slotted(policy)};
    pn_slotted *sim = slotted_sim(&config);
    (void)unused;
    for (uint64_t i = 0; i < 20; i++) {
        assert_int_equal(
            pn_slotted_submit(sim, &(pn_slotted_job){.arrival = 1 + 2 * i, .maps = 1}, NULL),
            PN_OK);
        if (pn_slotted_run(sim, &hooks, 2 + 2 * i) != PN_DONE)
            fail_msg("%s", pn_lua_policy_message(policy));
    }
    free(sim);
    pn_lua_policy_free(policy);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static const char with_params[] =
    "return { name = 'p', model = 'slotted', params = {\n"
    "  whole = { default = 3, min = -5, max = 5, doc = 'an integer' }, real = { default = 1.0, min "
    "= -1, doc = 'a float' },\n"
    "  any = { default = 0, doc = 'any integer' } },\n"
    "  init = function(s) local p = s.params\n\n"
    "    print(p.any, p.real, p.whole, math.type(p.any), math.type(p.real)) end, key = 'arrival' }";

static void parameters_arrive(void **unused)
{
    static const struct {
        int64_t any, whole;
        double real;
        const char *line;
    } cases[] = {
        {0, 3, 1.0, "0\t1.0\t3\tinteger\tfloat"},
        {INT64_C(1) << 53, -5, -0.25, "9007199254740992\t-0.25\t-5\tinteger\tfloat"},
        {-(INT64_C(1) << 53), 5, 1e300, "-9007199254740992\t1e+300\t5\tinteger\tfloat"},
    };
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(with_params, &options);
    const pn_slotted_policy *table = pn_lua_policy_slotted(policy);
    assert_int_equal(table->param_count, 3);
    assert_string_equal(pn_lua_policy_param(policy, 0)->name, "any");
    assert_string_equal(pn_lua_policy_param(policy, 1)->name, "real");
    assert_string_equal(pn_lua_policy_param(policy, 1)->doc, "a float");
    assert_false(pn_lua_policy_param(policy, 1)->integer);
    assert_true(pn_lua_policy_param(policy, 1)->low == -1 &&
                pn_lua_policy_param(policy, 1)->high == HUGE_VAL);
    assert_true(pn_lua_policy_param(policy, 1)->value == 1);
    assert_ptr_equal(pn_lua_policy_param(policy, 1), &table->params[1]);
    assert_string_equal(pn_lua_policy_param(policy, 2)->name, "whole");
    assert_true(pn_lua_policy_param(policy, 2)->integer);
    assert_true(table->params[2].value == 3);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double params[PN_PARAMS_MAX];
        pn_lua_policy_defaults(policy, params);
        assert_true(params[2] == 3);
        assert_int_equal(pn_lua_policy_set(policy, params, "any", (double)cases[i].any), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "real", cases[i].real), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "whole", (double)cases[i].whole), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "whole", 1.5), PN_ERR_ARGUMENT);
        assert_int_equal(pn_lua_policy_set(policy, params, "real", -1.5), PN_ERR_ARGUMENT);
        assert_int_equal(pn_lua_policy_set(policy, params, "odd", 1), PN_ERR_ARGUMENT);
        char line[100];
        said.size = 0;
        assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, i == 0 ? NULL : params), PN_DONE);
        snprintf(line, sizeof line, FILE_NAME ":6: slot 1: %s\n", cases[i].line);
        assert_string_equal(said.text, line);
    }
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0, 1, 6}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0, 1, -6}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0x1p53 + 2, 1, 0}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0.5, 1, 0}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0, -1.5, 0}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0, HUGE_VAL, 0}),
                     PN_ERR_ARGUMENT);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, (const double[]){0, NAN, 0}),
                     PN_ERR_ARGUMENT);
    assert_string_equal(pn_lua_policy_message(policy), "");
    pn_lua_policy_free(policy);
}

/* ---- one policy, many simulations ------------------------------------------------------------ */

static void one_policy_serves_two_simulations_in_turn(void **unused)
{
    static pairs all;
    const double params[2][3] = {{0.5, -2, -1}, {-3.5, 1, 0.25}};
    slotted_workload work = crowd();
    slotted_pairs_read(&all);
    int slopes = 0;
    (void)unused;
    while (slopes < all.count && strcmp(all.list[slopes].name, "slopes") != 0)
        slopes++;
    assert_int_not_equal(slopes, all.count);
    pn_lua_policy *policy = pair_load(&all.list[slopes], NULL);
    const pn_slotted_policy *table = pn_lua_policy_slotted(policy),
                            *native = all.list[slopes].native;
    pn_slotted *sims[2] = {sim_for(&work, table, PN_SLOTTED_PREEMPTIVE),
                           sim_for(&work, table, PN_SLOTTED_NONPREEMPTIVE)};
    int status[2] = {PN_OK, PN_OK};
    while (status[0] == PN_OK || status[1] == PN_OK)
        for (int i = 0; i < 2; i++)
            if (status[i] == PN_OK)
                status[i] = pn_slotted_step(
                    sims[i], &(pn_slotted_hooks){.policy = table, .params = params[i]});
    assert_int_equal(pn_slotted_digest(sims[0]),
                     digest_of(&work, native, PN_SLOTTED_PREEMPTIVE, params[0]));
    assert_int_equal(pn_slotted_digest(sims[1]),
                     digest_of(&work, native, PN_SLOTTED_NONPREEMPTIVE, params[1]));
    assert_int_not_equal(digest_of(&work, native, PN_SLOTTED_PREEMPTIVE, params[0]),
                         digest_of(&work, native, PN_SLOTTED_PREEMPTIVE, params[1]));
    free(sims[0]);
    free(sims[1]);
    pn_lua_policy_free(policy);
    pairs_free(&all);
    slotted_free(&work);
}

/* on_finish comes between calls of the script: from there the same policy may serve another
 * simulation. */
typedef struct inner {
    const pn_slotted_policy *policy;
    const slotted_workload *work;
    uint64_t digest;
    unsigned runs;
} inner;

static void run_another(void *user, const pn_slotted_finish *finish)
{
    inner *own = user;
    if (finish->id % 10 != 0)
        return;
    assert_int_equal(digest_of(own->work, own->policy, PN_SLOTTED_PREEMPTIVE, NULL), own->digest);
    own->runs++;
}

static void a_hook_may_run_another_simulation(void **unused)
{
    static const char text[] = "return { name = 'x', model = 'slotted', state = { 'n' }, finish = "
                               "function(s, job) s.state.n = s.state.n + s:id(job) "
                               "end,\n"
                               "  key = { changes = 'time', of = function(s, job) return "
                               "(s:id(job) + s.state.n) % 7, s:remaining(job) end } }";
    slotted_workload work = crowd();
    pn_lua_policy *policy = load(text);
    const pn_slotted_policy *table = pn_lua_policy_slotted(policy);
    inner own = {.policy = table,
                 .work = &work,
                 .digest = digest_of(&work, table, PN_SLOTTED_PREEMPTIVE, NULL)};
    pn_slotted *sim = sim_for(&work, table, PN_SLOTTED_PREEMPTIVE);
    pn_slotted_hooks hooks = {.policy = table, .on_finish = run_another, .user = &own};
    (void)unused;
    assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
    assert_int_equal(own.runs, JOBS / 10);
    assert_int_equal(pn_slotted_digest(sim), own.digest);
    free(sim);
    pn_lua_policy_free(policy);
    slotted_free(&work);
}

/* ---- odds and ends --------------------------------------------------------------------------- */

static void a_table_leads_back_to_its_policy(void **unused)
{
    pn_lua_policy *policy = load(counting);
    (void)unused;
    assert_ptr_equal(pn_lua_policy_behind(pn_lua_policy_slotted(policy)), policy);
    assert_null(pn_lua_policy_behind(pn_slotted_fifo()));
    assert_null(pn_lua_policy_behind(pn_slotted_srpt()));
    assert_null(pn_lua_policy_behind(NULL));
    assert_null(pn_lua_policy_slotted(NULL));
    pn_lua_policy_free(policy);
    pn_lua_policy_free(NULL);
}

/* A mode in which the policy is not defined is no failure of the script. */
static void a_policy_may_be_for_one_mode(void **unused)
{
    pn_lua_policy *policy = load(
        "return { name = 'x', model = 'slotted', modes = { 'nonpreemptive' }, key = 'arrival' }");
    (void)unused;
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_ERR_MODE);
    assert_string_equal(pn_lua_policy_message(policy), "");
    assert_int_equal(run_few(policy, PN_SLOTTED_NONPREEMPTIVE, NULL), PN_DONE);
    pn_lua_policy_free(policy);
}

/* Not a byte behind the text is read, whatever it holds. */
static void texts_end_where_they_end(void **unused)
{
    static const char whole[] =
        "-- An idea\nreturn { name = 'x', model = 'slotted', key = 'arrival' }";
    char message[PN_LUA_MESSAGE_SIZE];
    (void)unused;
    for (size_t size = 0; size < sizeof whole; size++) {
        char *text = workload_room(size);
        pn_lua_policy *policy = NULL;
        memcpy(text, whole, size);
        int status = pn_lua_policy_load(&policy, FILE_NAME, text, size, NULL, message,
                                        sizeof message);
        free(text);
        assert_int_equal(status, size >= sizeof whole - 1 ? PN_OK : PN_ERR_POLICY);
        if (status == PN_OK) {
            assert_string_equal(pn_lua_policy_slotted(policy)->summary, "An idea");
            assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
        } else {
            assert_memory_equal(message, FILE_NAME, strlen(FILE_NAME));
        }
        pn_lua_policy_free(policy);
    }
}

static void the_summary_is_the_first_comment(void **unused)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"-- Short.\n", "Short"},
        {"#!/usr/bin/env pinion\n-- After a mark.\n", "After a mark"},
        {"local x = 1\n--- Three dashes\n", "Three dashes"},
        {"--\n-- second\n", ""},
        {"-- tab\there \x1b[31m\n", "tab here  [31m"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%sreturn { name = 'x', model = 'slotted', key = 'arrival' }",
                 cases[i][0]);
        pn_lua_policy *policy = load(text);
        assert_string_equal(pn_lua_policy_slotted(policy)->summary, cases[i][1]);
        pn_lua_policy_free(policy);
    }
}

/* Whole ranges of integers, and those of one number. */
static void random_numbers_of_any_range(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'slotted', key = 'arrival', init = function(s)\n"
        "  local least, most, low, high = math.mininteger, math.maxinteger, false, false\n"
        "  for i = 1, 200 do\n"
        "    local n = s:random(least, most)\n"
        "    low, high = low or n < 0, high or n > 0\n"
        "    if s:random(most, most) ~= most or s:random(least, least) ~= least then error 'one "
        "number' end\n"
        "    local d = s:random(-1, 1)\n"
        "    if d < -1 or d > 1 or math.type(d) ~= 'integer' then error 'small' end\n"
        "    local x = s:uniform()\n"
        "    if not (x > 0 and x < 1) then error 'uniform' end\n"
        "  end\n"
        "  if not (low and high) then error 'not the whole range' end\n"
        "end }";
    pn_lua_policy *policy = load(text);
    (void)unused;
    if (run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL) != PN_DONE)
        fail_msg("%s", pn_lua_policy_message(policy));
    pn_lua_policy_free(policy);
}

/* Names jobs by their numbers, the last one first: nothing but arrivals and finishes may decide
 * which number a job gets. */
static void numbers_do_not_show_how_a_run_is_made(void **unused)
{
    (void)unused;
    static const char text[] =
        "return { name = 'last', model = 'slotted', virtual = 'estimates',\n"
        "  key = { changes = 'arrival', of = function(s, job) return -job end } }";
    static const slotted_shape misjudged = {
        .rate = 0.1, .maps = 8, .reduces = 8, .tasks = 2, .estimates = 1};
    pn_lua_policy *policy = load(text);
    slotted_workload work = slotted_new(400, 5, misjudged);
    uint64_t want = 0;
    for (uint32_t way = 0; way < 16; way++) {
        pn_slotted_config config = slotted_config(&work, 4, PN_SLOTTED_NONPREEMPTIVE);
        pn_slotted_hooks hooks = {.policy = pn_lua_policy_slotted(policy)};
        config.bounds = way & 1 ? PN_SLOTTED_BOUNDS_FAST : PN_SLOTTED_BOUNDS_NONE;
        /* what the virtual run makes of the sizes decides nothing here */
        config.estimates = way >> 1 & 1;
        config.jobs_max += way * 100;
        config.policy = hooks.policy;
        pn_slotted *sim = slotted_sim(&config);
        /* each job when it comes, the rest of the time in pieces */
        for (size_t i = 0; i < work.count && way >= 4; i++) {
            uint64_t piece = way, slot = 0, before = work.jobs[i].arrival - 1;
            for (slot = i > 0 ? work.jobs[i - 1].arrival : 1; slot < before; slot += piece)
                assert_true(pn_slotted_run(sim, &hooks, slot) >= 0);
            assert_int_equal(slotted_submit(sim, &work, i, i + 1), PN_OK);
        }
        if (way < 4) /* all ahead */
            assert_int_equal(slotted_submit(sim, &work, 0, work.count), PN_OK);
        assert_int_equal(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER), PN_DONE);
        want = way == 0 ? pn_slotted_digest(sim) : want;
        assert_true(pn_slotted_digest(sim) == want);
        free(sim);
    }
    slotted_free(&work);
    pn_lua_policy_free(policy);
}

/* Calls of the script are counted by kind; the kernel's own keys call nothing. */
static void calls_are_counted(void **unused)
{
    pn_lua_policy *policy = load("return { name = 'x', model = 'slotted', key = 'remaining' }");
    (void)unused;
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
    pn_lua_counts counts = pn_lua_policy_counts(policy);
    assert_int_equal(counts.keys + counts.slots + counts.hooks, 0);
    pn_lua_policy_free(policy);
    policy = load("return { name = 'x', model = 'slotted', init = function(s) end, arrive = "
                  "function(s, job) end, finish = "
                  "function(s) end,\n"
                  "  key = { changes = 'arrival', of = function(s, job) return s:id(job) end } }");
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
    counts = pn_lua_policy_counts(policy);
    assert_int_equal(counts.keys, FEW_JOBS);
    assert_int_equal(counts.hooks, 1 + 2 * FEW_JOBS);
    assert_int_equal(counts.slots, 0);
    pn_lua_policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_and_ceilings_change_nothing),
        cmocka_unit_test(loaded_anew_before_every_step),
        cmocka_unit_test(forks_carry_all_memory),
        cmocka_unit_test(a_new_job_starts_from_zero),
        cmocka_unit_test(parameters_arrive),
        cmocka_unit_test(one_policy_serves_two_simulations_in_turn),
        cmocka_unit_test(a_hook_may_run_another_simulation),
        cmocka_unit_test(a_table_leads_back_to_its_policy),
        cmocka_unit_test(a_policy_may_be_for_one_mode),
        cmocka_unit_test(texts_end_where_they_end),
        cmocka_unit_test(the_summary_is_the_first_comment),
        cmocka_unit_test(random_numbers_of_any_range),
        cmocka_unit_test(numbers_do_not_show_how_a_run_is_made),
        cmocka_unit_test(calls_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
