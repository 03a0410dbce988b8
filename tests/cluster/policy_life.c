/* The life of policies in Lua of the cluster model: what makes no difference to them, forks, hosts
 * without the virtual cluster, what calls cost, parameters, and where messages and tables lead. */
#include "cluster/support/pairs.h"
#include "cluster/support/script.h"

/* ---- what makes no difference ---------------------------------------------------------------- */

static void budgets_ceilings_and_loading_anew_change_nothing(void **unused)
{
    static pairs all;
    const pn_lua_options options[] = {{PN_LUA_MEMORY, 0, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {PN_LUA_MEMORY, 1000000, NULL, NULL, NULL, PN_LUA_COMPARED},
                                      {400000, 100000, NULL, NULL, NULL, PN_LUA_COMPARED}};
    cluster_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        uint64_t expected = crowded_digest(all.list[i].native, NULL);
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        pn_cluster *sim = crowded_cluster(pn_lua_policy_cluster(policy));
        int status = PN_OK;
        while (status == PN_OK) { /* a new one before every step, the old one gone */
            pn_lua_policy_free(policy);
            policy = pair_load(&all.list[i], NULL);
            status = pn_cluster_step(sim,
                                     &(pn_cluster_hooks){.policy = pn_lua_policy_cluster(policy)});
        }
        assert_int_equal(status, PN_DONE);
        assert_int_equal(pn_cluster_digest(sim), expected);
        pn_lua_policy_free(policy);
        free(sim);
        for (size_t k = 0; k < sizeof options / sizeof options[0]; k++) {
            policy = pair_load(&all.list[i], &options[k]);
            assert_int_equal(crowded_digest(pn_lua_policy_cluster(policy), NULL), expected);
            pn_lua_policy_free(policy);
        }
    }
    pairs_free(&all);
}

static pn_cluster *copied(const pn_cluster *sim)
{
    size_t size = pn_cluster_block_size(sim);
    void *block = workload_room(size);
    pn_cluster *opened = NULL;
    memcpy(block, sim, size);
    assert_int_equal(pn_cluster_open(&opened, block, size), PN_OK);
    return opened;
}

/* Both go on by turns with two Lua states that take turns too: all that a policy remembers lies in
 * the block. */
static void forks_go_on_alike(void **unused)
{
    static pairs all;
    cluster_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        pn_lua_policy *scripts[2] = {pair_load(&all.list[i], NULL), pair_load(&all.list[i], NULL)};
        uint64_t expected = crowded_digest(all.list[i].native, NULL);
        for (uint64_t before = 0; before < 60; before += 17) {
            pn_cluster_hooks hooks = {.policy = pn_lua_policy_cluster(scripts[0])};
            pn_cluster *sims[2] = {crowded_cluster(hooks.policy)};
            int status[2];
            status[0] = status[1] = pn_cluster_run(sims[0], &hooks, PN_CLUSTER_FOREVER, before);
            sims[1] = copied(sims[0]);
            for (unsigned turn = 0; status[turn % 2] >= 0 && status[turn % 2] != PN_DONE; turn++) {
                hooks.policy = pn_lua_policy_cluster(scripts[turn / 3 % 2]);
                status[turn % 2] = pn_cluster_step(sims[turn % 2], &hooks);
            }
            for (int k = 0; k < 2; k++) {
                while (status[k] != PN_DONE) {
                    status[k] = pn_cluster_step(sims[k], &hooks);
                    assert_true(status[k] >= 0);
                }
                assert_int_equal(pn_cluster_digest(sims[k]), expected);
                free(sims[k]);
            }
        }
        pn_lua_policy_free(scripts[0]);
        pn_lua_policy_free(scripts[1]);
    }
    pairs_free(&all);
}

/* ---- a host of its own, without the virtual cluster ------------------------------------------ */

enum { HOST_SUSPENDED = 50, HOST_PLACES = 6 + HOST_SUSPENDED, HOST_JOBS = 6 };

/* When the attempts at each place end, 0 = none runs there; how much those that are suspended have
 * left. */
typedef struct host {
    uint64_t now, end[HOST_PLACES], left[HOST_PLACES], token[HOST_PLACES];
    uint64_t told; /* what jobs were told, folded */
} host;

static void on_launch(void *user, const pn_scheduler_task *task)
{
    host *own = user;
    assert_in_range(task->place, 0, HOST_PLACES - 1);
    assert_int_equal(own->end[task->place], 0);
    own->token[task->place] = task->token;
    own->end[task->place] = own->now + 100 +
                            (37 * task->id + 11 * task->task + 5 * task->attempt) % 700;
}

static void on_kill(void *user, const pn_scheduler_task *task)
{
    host *own = user;
    assert_true(own->end[task->place] > 0);
    own->end[task->place] = 0;
}

static void on_suspend(void *user, const pn_scheduler_task *task)
{
    host *own = user;
    assert_true(own->end[task->place] > own->now);
    own->left[task->place] = own->end[task->place] - own->now;
    own->end[task->place] = 0;
}

static void on_resume(void *user, const pn_scheduler_task *task)
{
    host *own = user;
    assert_true(own->end[task->place] == 0 && own->left[task->place] > 0);
    own->end[task->place] = own->now + own->left[task->place];
}

static uint32_t half_done(void *user, const pn_scheduler_task *task)
{
    const host *own = user;
    return own->now > task->start ? 500000 : 0;
}

static uint64_t hosted_digest(const pn_scheduler_policy *policy)
{
    static const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 2, .reduce_slots = 1};
    pn_scheduler_config config = pn_scheduler_defaults();
    pn_scheduler_totals totals;
    pn_scheduler *scheduler;
    host own = {0};
    config.nodes = &nodes;
    config.nodes_count = 1;
    config.jobs_max = HOST_JOBS;
    config.policy = policy;
    config.suspended_max = HOST_SUSPENDED;
    config.copies = policy->copy != NULL;
    config.reduce_start = PN_SCHEDULER_AFTER_MAPS; /* so that a reduce has nothing to wait for */
    size_t size = pn_scheduler_size(&config);
    pn_scheduler_hooks hooks = {.policy = policy,
                                .launch = on_launch,
                                .kill = on_kill,
                                .suspend = on_suspend,
                                .resume = on_resume,
                                .progress = half_done,
                                .user = &own};
    assert_int_equal(pn_scheduler_init(&scheduler, workload_room(size), size, &config), PN_OK);
    do {
        for (uint32_t run = 0; run < HOST_PLACES; run++) {
            bool ended = own.end[run] > 0 && own.end[run] <= own.now;
            own.end[run] = ended ? 0 : own.end[run];
            if (ended)
                assert_int_equal(pn_scheduler_finished(scheduler, &hooks, own.now, own.token[run]),
                                 PN_OK);
        }
        if (own.now % 300 == 0 && own.now / 300 < HOST_JOBS) {
            pn_scheduler_job job = {.maps = 3 + (uint32_t)(own.now / 300),
                                    .reduces = (uint32_t)(own.now / 300 % 3),
                                    .deadline = 3000 + 500 * (own.now % 700),
                                    .est_ms = {800, 800}};
            pn_scheduler_answer asked, told;
            assert_int_equal(pn_scheduler_ask(scheduler, &hooks, own.now, &job, &asked), PN_OK);
            assert_int_equal(pn_scheduler_submit(scheduler, &hooks, own.now, &job, &told), PN_OK);
            assert_memory_equal(&asked, &told, sizeof told);
            own.told = pn_mix(
                pn_mix(pn_mix(pn_mix(own.told, told.accepted), told.estimate), told.deadline),
                told.blocker);
        }
        if (own.now % 500 == 0)
            assert_int_equal(pn_scheduler_tick(scheduler, &hooks, own.now), PN_OK);
        for (uint32_t node = 0; node < 2; node++)
            assert_true(pn_scheduler_offer(scheduler, &hooks, own.now, node) >= 0);
        pn_scheduler_totals_get(scheduler, &totals);
        own.now += 10;
    } while ((totals.submitted < HOST_JOBS || totals.in_system > 0) && own.now < 100000);
    assert_int_equal(totals.finished + totals.rejected, HOST_JOBS);
    uint64_t digest = pn_mix(pn_scheduler_digest(scheduler), own.told);
    free(scheduler);
    return digest;
}

static void a_host_of_its_own(void **unused)
{
    static pairs all;
    cluster_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        assert_int_equal(hosted_digest(pn_lua_policy_cluster(policy)),
                         hosted_digest(all.list[i].native));
        pn_lua_policy_free(policy);
    }
    pairs_free(&all);
}

/* ---- what is the policies' own --------------------------------------------------------------- */

/* A power of one is hsrtf-pr, of none is hsrtf-pr without starvation. */
static void the_exponent_meets_the_built_in_policy(void **unused)
{
    static pairs all;
    int found = 0;
    cluster_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        if (strcmp(all.list[i].name, "hsrtf-starvation") != 0)
            continue;
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        for (int exponent = 0; exponent < 2; exponent++) {
            double params[PN_PARAMS_MAX], native[] = {1, exponent, 1};
            pn_lua_policy_defaults(policy, params);
            assert_int_equal(pn_lua_policy_set(policy, params, "exponent", exponent), PN_OK);
            assert_int_equal(crowded_digest(pn_lua_policy_cluster(policy), params),
                             crowded_digest(pn_scheduler_hsrtf_pr(), native));
        }
        pn_lua_policy_free(policy);
        found++;
    }
    assert_int_equal(found, 1);
    pairs_free(&all);
}

/* Keys and shares are made anew when jobs come and go, and at ticks: never because of a task.
 * Fair's key is what a job holds. */
static void tasks_cost_no_calls(void **unused)
{
    enum { TASKS = 4000, COME = 20 };
    static pairs all;
    cluster_pairs_read(&all);
    (void)unused;
    for (size_t i = 0; pn_scheduler_policy_at(i); i++) {
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
        pn_cluster_config config = few_cluster_config(table);
        config.scheduler.jobs_max = COME;
        config.scheduler.tasks_max = COME * TASKS;
        config.tick_ms = 10000;
        config.max_time_ms = 0;
        pn_cluster *sim = cluster_sim(&config);
        for (uint64_t k = 0; k < COME; k++) {
            pn_cluster_job job = {
                .submit = k * 500, .maps = TASKS / COME, .map_ms = 10, .deadline = 100000};
            assert_int_equal(pn_cluster_submit(sim, &job, NULL), PN_OK);
        }
        assert_int_equal(pn_cluster_run(sim, &(pn_cluster_hooks){.policy = table},
                                        PN_CLUSTER_FOREVER, UINT64_MAX),
                         PN_DONE);
        pn_lua_counts calls = pn_lua_policy_counts(policy);
        if (strcmp(table->name, "fair") == 0)
            assert_in_range(calls.keys, 2 * TASKS, 4 * TASKS + 8 * COME);
        else
            assert_in_range(calls.keys + calls.hooks, 2 * COME, 20 * COME);
        free(sim);
        pn_lua_policy_free(policy);
    }
    pairs_free(&all);
}

/* Estimates of 30000 years: weights of 0, sums of 0, products beyond 64 bits. */
static void estimates_beyond_all_bounds(void **unused)
{
    static pairs all;
    cluster_pairs_read(&all);
    (void)unused;
    for (int i = 0; i < all.count; i++) {
        pn_lua_policy *policy = pair_load(&all.list[i], NULL);
        const pn_scheduler_policy *both[2] = {all.list[i].native, pn_lua_policy_cluster(policy)};
        uint64_t digests[2];
        for (int k = 0; k < 2; k++) {
            pn_cluster_config config = few_cluster_config(both[k]);
            config.scheduler.default_task_ms = PN_CLUSTER_MOST_MS;
            config.scheduler.tasks_max = config.scheduler.suspended_max = 50000;
            pn_cluster *sim = cluster_sim(&config);
            for (uint64_t job = 0; job < FEW_CLUSTER_JOBS; job++) {
                pn_cluster_job given = {.submit = 300 * job,
                                        .maps = 5000,
                                        .reduces = 1 + (uint32_t)job,
                                        .map_ms = 9 + job,
                                        .deadline = 100000};
                assert_int_equal(pn_cluster_submit(sim, &given, NULL), PN_OK);
            }
            assert_int_equal(pn_cluster_run(sim, &(pn_cluster_hooks){.policy = both[k]},
                                            PN_CLUSTER_FOREVER, UINT64_MAX),
                             PN_DONE);
            digests[k] = pn_cluster_digest(sim);
            free(sim);
        }
        assert_int_equal(digests[0], digests[1]);
        pn_lua_policy_free(policy);
    }
    pairs_free(&all);
}

static void parameters_arrive(void **unused)
{
    static const char text[] =
        "return { name = 'p', model = 'cluster', params = {\n"
        "  whole = { default = 3, min = -5, max = 5, doc = 'an integer' }, real = { default = 1.0, "
        "min = -1, doc = 'a float' },\n"
        "  yes = { default = true, doc = 'a boolean' },\n"
        "  word = { default = 'b', choices = { 'a', 'b', 'c' }, doc = 'a word' } },\n"
        "  " CLUSTER_KEY ", uses = function(p) print(p.whole, p.word) return {} end,\n"
        "  init = function(s) local p = s.params\n"
        "    print(p.real, p.whole, math.type(p.whole), p.word, p.yes) end }";
    static const struct {
        double real, whole, word, yes;
        const char *first, *second;
    } cases[] = {
        {1, 3, 1, 1, "3\tb", "1.0\t3\tinteger\tb\ttrue"},
        {-0.25, -5, 0, 0, "-5\ta", "-0.25\t-5\tinteger\ta\tfalse"},
        {1e300, 5, 2, 1, "5\tc", "1e+300\t5\tinteger\tc\ttrue"},
    };
    static const struct {
        const char *name;
        double value;
    } wrong[] = {{"whole", 1.5}, {"whole", 6}, {"real", -1.5}, {"word", 3},
                 {"word", 0.5},  {"yes", 2},   {"odd", 1}};
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    assert_int_equal(pn_lua_policy_cluster(policy)->param_count, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double params[PN_PARAMS_MAX];
        char want[200];
        pn_lua_policy_defaults(policy, params);
        assert_int_equal(pn_lua_policy_set(policy, params, "real", cases[i].real), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "whole", cases[i].whole), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "word", cases[i].word), PN_OK);
        assert_int_equal(pn_lua_policy_set(policy, params, "yes", cases[i].yes), PN_OK);
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            assert_int_equal(pn_lua_policy_set(policy, params, wrong[k].name, wrong[k].value),
                             PN_ERR_ARGUMENT);
        said.size = 0;
        assert_int_equal(run_few_cluster(policy, i == 0 ? NULL : params), PN_DONE);
        snprintf(want, sizeof want, FILE_NAME ":5: time 0: %s\n" FILE_NAME ":7: time 0: %s\n",
                 cases[i].first, cases[i].second);
        assert_string_equal(said.text, want);
    }
    pn_lua_policy_free(policy);
}

/* Where a policy speaks: the time, and the job if the call is about one. */
static void lines_say_where(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'cluster', arrive = function(s, job) print(s:id(job)) end,\n"
        "  leave = function(s, job) print 'gone' end,\n"
        "  plan = function(s, reason) if reason ~= 'tick' then print(reason) end end, " CLUSTER_KEY
        " }";
    static const char want[] = FILE_NAME
        ":1: job 1 at time 0: 1\n" FILE_NAME ":3: time 0: arrival\n" FILE_NAME
        ":1: job 2 at time 0: 2\n" FILE_NAME ":3: time 0: arrival\n" FILE_NAME
        ":2: job 2 at time 1400: gone\n" FILE_NAME ":3: time 1400: finish\n";
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    assert_int_equal(run_few_cluster(policy, NULL), PN_DONE);
    said.text[sizeof want - 1] = '\0';
    assert_string_equal(said.text, want);
    pn_lua_policy_free(policy);
}

static void a_table_leads_back_to_its_policy(void **unused)
{
    pn_lua_policy *cluster = load("return { name = 'x', model = 'cluster', " CLUSTER_KEY " }");
    pn_lua_policy *slotted = load("return { name = 'x', model = 'slotted', key = 'arrival' }");
    (void)unused;
    assert_ptr_equal(pn_lua_policy_behind_cluster(pn_lua_policy_cluster(cluster)), cluster);
    assert_null(pn_lua_policy_slotted(cluster));
    assert_null(pn_lua_policy_tandem(cluster));
    assert_null(pn_lua_policy_makespan(cluster));
    assert_null(pn_lua_policy_cluster(slotted));
    assert_null(pn_lua_policy_cluster(NULL));
    assert_null(pn_lua_policy_behind_cluster(NULL));
    for (size_t i = 0; pn_scheduler_policy_at(i); i++)
        assert_null(pn_lua_policy_behind_cluster(pn_scheduler_policy_at(i)));
    pn_lua_policy_free(cluster);
    pn_lua_policy_free(slotted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_ceilings_and_loading_anew_change_nothing),
        cmocka_unit_test(forks_go_on_alike),
        cmocka_unit_test(a_host_of_its_own),
        cmocka_unit_test(the_exponent_meets_the_built_in_policy),
        cmocka_unit_test(tasks_cost_no_calls),
        cmocka_unit_test(estimates_beyond_all_bounds),
        cmocka_unit_test(parameters_arrive),
        cmocka_unit_test(lines_say_where),
        cmocka_unit_test(a_table_leads_back_to_its_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
