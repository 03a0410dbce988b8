/* Policies in Lua that admit jobs: what they see and may agree on, what they are told where they
 * may not, that asking leaves nothing behind, and what they remember of a job from the question to
 * its arrival. */
#include "cluster/support/script.h"

#define AT_2      FILE_NAME ":2: "
#define FORECASTS "uses = { 'in_order', 'maps_first', 'reserves', 'deadlines', 'forecasts' }"
#define DUE                                                                                      \
    "key = { changes = 'arrival', of = function(s, job) return s:submit(job) + s:deadline(job) " \
    "end }"
#define TAKE "admit = function(s, job) return true end"

/* ---- answers --------------------------------------------------------------------------------- */

static void answers_of_the_wrong_kind(void **unused)
{
    static const char *const answers[][2] = {
        {"", "nil"},         {"nil", "nil"},  {"1", "1"},        {"0.5", "0.5"},
        {"'yes'", "string"}, {"{}", "table"}, {"s", "userdata"}, {"0/0", "NaN"}};
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        char text[256], said[256];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'cluster', " CLUSTER_KEY
                 ",\nadmit = function(s, job) return %s end }",
                 answers[i][0]);
        snprintf(said, sizeof said,
                 AT_2 "job 1 at time 0: admit must return true (the job is taken) or false, got %s",
                 answers[i][1]);
        good = gives_up_cluster(text, NULL, said) && good;
    }
    assert_true(good);
}

/* ---- the right thing at the wrong time ------------------------------------------------------- */

/* A statement in admit, on line 2, and the message behind the line. Job 1 is the first to ask; job
 * 2 does when job 1 was taken. */
static const struct {
    const char *uses, *statement, *message;
} STATEMENTS[] = {
    {FORECASTS, "s:set_est(job, 'map', 0)",
     "job 1 at time 0: set_est: an integer in 1..2^40 is expected, got 0"},
    {FORECASTS, "s:set_est(job, 'map', (1 << 40) + 1)",
     "job 1 at time 0: set_est: an integer in 1..2^40 is expected, got 1099511627777"},
    {FORECASTS, "s:set_est(job, 'reduce', 1.5)",
     "job 1 at time 0: set_est: an integer in 1..2^40 is expected, got 1.5"},
    {FORECASTS, "s:set_est(job, 'reduce')",
     "job 1 at time 0: set_est: an integer in 1..2^40 is expected, got no value"},
    {FORECASTS, "s:set_est(job, 'maps', 5)",
     "job 1 at time 0: set_est: the kind must be map or reduce, got maps"},
    {FORECASTS, "s:set_est(job)",
     "job 1 at time 0: set_est: the kind must be map or reduce, got no value"},
    {FORECASTS, "s:set_deadline(job, 0)",
     "job 1 at time 0: set_deadline: an integer in 1..2^53 is expected, got 0"},
    {FORECASTS, "s:set_deadline(job, (1 << 53) + 1)",
     "job 1 at time 0: set_deadline: an integer in 1..2^53 is expected, got 9007199254740993"},
    {FORECASTS, "s:set_deadline(job, '5')",
     "job 1 at time 0: set_deadline: an integer in 1..2^53 is expected, got 5"},
    {FORECASTS, "s:set_deadline(5, 5)",
     "job 1 at time 0: there is no job 5 in the system (it may have finished)"},
    {FORECASTS, "if job > 1 then s:set_deadline(1, 9) end",
     "job 2 at time 0: set_deadline: is about the job that admit was called for"},
    {FORECASTS, "if job > 1 then s:set_est(1, 'map', 9) end",
     "job 2 at time 0: set_est: is about the job that admit was called for"},
    {FORECASTS, "if job > 1 then s:foresee(1) end",
     "job 2 at time 0: foresee: is about the job that admit was called for"},
    {FORECASTS, "s:foresee()", "job 1 at time 0: foresee: a job is expected, got no value"},
    {FORECASTS, "s:est(job)", "job 1 at time 0: est: the kind must be map or reduce, got no value"},
    {FORECASTS, "s:longest(job, 'all')",
     "job 1 at time 0: longest: the kind must be map or reduce, got all"},
    {FORECASTS, "s:limit(job, 'map', 1)",
     "job 1 at time 0: slots are limited from arrive on, and not in keys"},
    {FORECASTS, "s:hold(job, 'map', 1)",
     "job 1 at time 0: jobs are held back from arrive on, and not in keys"},
    {FORECASTS, "s:feed_back(job)", "job 1 at time 0: there is feedback only in leave"},
    {FORECASTS, "s:estimate_anew(job)", "job 1 at time 0: estimates are made anew only in leave"},
    {FORECASTS, "s:forsee(job)",
     "job 1 at time 0: the view has no 'forsee' (did you mean 'foresee'?)"},
    {FORECASTS, "s:feedback(job)",
     "job 1 at time 0: the view has no 'feedback' (did you mean 'feed_back'?)"},
    {FORECASTS, "s:kill(job, 'map', 1)", "job 1 at time 0: tasks are killed only in preempt"},
    {FORECASTS, "error 'no'", "job 1 at time 0: no"},
    {"uses = { 'in_order' }", "s:foresee(job)",
     "job 1 at time 0: there are no forecasts (declare uses = { \"forecasts\" }, or records = "
     "true)"},
    {"uses = { 'in_order' }", "s:estimate(job)",
     "job 1 at time 0: there are no forecasts (declare uses = { \"forecasts\" }, or records = "
     "true)"},
};

static void what_admit_may_not_do(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof STATEMENTS / sizeof STATEMENTS[0]; i++) {
        char text[512], said[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'cluster', " DUE
                 ", %s,\nadmit = function(s, job) do %s end return true end }",
                 STATEMENTS[i].uses, STATEMENTS[i].statement);
        snprintf(said, sizeof said, AT_2 "%s", STATEMENTS[i].message);
        good = gives_up_cluster(text, NULL, said) && good;
    }
    assert_true(good);
}

#define NO_SETTING "are set only in admit"
#define NO_FORESEE "finishes are foreseen only in admit"
#define NO_LIMIT   "slots are limited from arrive on, and not in keys"
#define NO_HOLD    "jobs are held back from arrive on, and not in keys"
#define NO_FEEDING "there is feedback only in leave"
#define NO_ANEW    "estimates are made anew only in leave"
#define GONE       "there is no job 1 in the system (it may have finished)"

/* A statement in other functions than admit, and its message there; null: it goes well. */
static const struct {
    const char *statement, *in_key, *in_init, *in_arrive, *in_leave, *in_plan;
} MOMENTS[] = {
    {"s:set_est(job, 'map', 5)", NO_SETTING, NO_SETTING, NO_SETTING, NO_SETTING, NO_SETTING},
    {"s:set_deadline(job, 5)", NO_SETTING, NO_SETTING, NO_SETTING, NO_SETTING, NO_SETTING},
    {"s:foresee(job)", NO_FORESEE, NO_FORESEE, NO_FORESEE, NO_FORESEE, NO_FORESEE},
    {"s:limit(job, 'map', 3)", NO_LIMIT, NO_LIMIT, NULL, "limit: is over", NULL},
    {"s:limit(job, 'map', nil)", NO_LIMIT, NO_LIMIT, NULL, "limit: is over", NULL},
    {"s:limit(job, 'map', 1 << 60)", NO_LIMIT, NO_LIMIT, NULL, "limit: is over", NULL},
    {"s:limit(job, 'map', -1)", NO_LIMIT, NO_LIMIT, "limit: an integer >= 0 is expected, got -1",
     "limit: is over", "limit: an integer >= 0 is expected, got -1"},
    {"s:hold(job, 'reduce', s:now() + 5)", NO_HOLD, NO_HOLD, NULL, "hold: is over", NULL},
    {"s:hold(job, 'reduce', 0)", NO_HOLD, NO_HOLD, NULL, "hold: is over", NULL},
    {"s:hold(job, 'reduce')", NO_HOLD, NO_HOLD, "hold: an integer >= 0 is expected, got no value",
     "hold: is over", "hold: an integer >= 0 is expected, got no value"},
    {"s:hold(job, 'map', (1 << 53) + 1)", NO_HOLD, NO_HOLD,
     "hold: a time up to 2^53 is expected, got 9007199254740993", "hold: is over",
     "hold: a time up to 2^53 is expected, got 9007199254740993"},
    {"s:feed_back(job)", NO_FEEDING, NO_FEEDING, NO_FEEDING, NULL, NO_FEEDING},
    {"s:estimate_anew(job)", NO_ANEW, NO_ANEW, NO_ANEW, NULL, NO_ANEW},
    {"s:estimate(job)", NULL, GONE, NULL, NULL, NULL},
    {"s:est(job, 'map')", NULL, GONE, NULL, NULL, NULL},
    {"s:input(job)", NULL, GONE, NULL, NULL, NULL},
    {"s:intermediate(job)", NULL, GONE, NULL, NULL, NULL},
    {"s:longest(job, 'reduce')", NULL, GONE, NULL, NULL, NULL},
    {"s:has_failed(job)", NULL, GONE, NULL, NULL, NULL},
};

/* With records; JOB is what the function finds out of itself. */
static void check_moment(const char *function, const char *statement, const char *message,
                         const char *job)
{
    bool in_key = strcmp(function, "key") == 0;
    char text[1024], said[512];
    snprintf(text, sizeof text,
             "return { name = 'x', model = 'cluster', records = true, uses = { 'in_order' }, " TAKE
             ", %s\n"
             "%s = %sfunction(s, job) job = %s if job then %s end %s end%s }",
             in_key ? "" : DUE ",", function, in_key ? "{ changes = 'arrival', of = " : "", job,
             statement, in_key ? "return 1" : "", in_key ? " }" : "");
    pn_lua_policy *policy = load(text);
    int status = run_few_cluster(policy, NULL);
    snprintf(said, sizeof said, "%s", pn_lua_policy_message(policy));
    if (message && (status != PN_ERR_POLICY || !strstr(said, message) ||
                    strncmp(said, AT_2, strlen(AT_2)) != 0))
        fail_msg("%s in %s: '%s', want '%s'", statement, function, said, message);
    if (!message && status != PN_DONE)
        fail_msg("%s in %s: %s '%s'", statement, function, pn_status_name(status), said);
    pn_lua_policy_free(policy);
}

static void the_right_thing_at_the_wrong_time(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof MOMENTS / sizeof MOMENTS[0]; i++) {
        check_moment("key", MOMENTS[i].statement, MOMENTS[i].in_key, "job");
        check_moment("init", MOMENTS[i].statement, MOMENTS[i].in_init, "1");
        check_moment("arrive", MOMENTS[i].statement, MOMENTS[i].in_arrive, "job");
        check_moment("leave", MOMENTS[i].statement, MOMENTS[i].in_leave, "job");
        check_moment("plan", MOMENTS[i].statement, MOMENTS[i].in_plan, "s:first 'map'");
    }
}

/* What belongs to records is not there without, and a job that has failed feeds nothing back. */
static void records_that_are_not_there(void **unused)
{
    static const struct {
        const char *uses, *statement, *message;
    } cases[] = {
        {FORECASTS, "s:feed_back(job)", "time 1000: there are no records (declare records = true)"},
        {FORECASTS, "s:estimate_anew(job)",
         "time 1000: there are no records (declare records = true)"},
        {"records = true, uses = { 'in_order' }", "for other in s:jobs() do s:feed_back(other) end",
         "feed_back: is about the job that leave was called for"},
        {"records = true, uses = { 'in_order' }",
         "for other in s:jobs() do s:estimate_anew(other) end",
         "estimate_anew: is about the job that leave was called for"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'cluster', " DUE ", " TAKE
                 ", %s,\nleave = function(s, job) %s end }",
                 cases[i].uses, cases[i].statement);
        pn_lua_policy *policy = load(text);
        assert_int_equal(run_few_cluster(policy, NULL), PN_ERR_POLICY);
        const char *words = strstr(cases[i].message, "there are");
        if (!strstr(pn_lua_policy_message(policy), words ? words : cases[i].message))
            fail_msg("'%s', want '%s'", pn_lua_policy_message(policy), cases[i].message);
        pn_lua_policy_free(policy);
    }
}

static void a_failed_job_feeds_nothing_back(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'cluster', records = true, uses = { 'in_order' }, " DUE
        ", " TAKE ",\n"
        "leave = function(s, job) print(s:has_failed(job)) s:feed_back(job) end }";
    static lines said;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
    pn_cluster_config config = few_cluster_config(table);
    config.attempt_fail_permille = 1000;
    config.scheduler.attempts_max = 1;
    pn_cluster *sim = cluster_sim(&config);
    assert_int_equal(pn_cluster_submit(sim, &few_cluster_jobs[0], NULL), PN_OK);
    assert_int_equal(
        pn_cluster_run(sim, &(pn_cluster_hooks){.policy = table}, PN_CLUSTER_FOREVER, UINT64_MAX),
        PN_ERR_POLICY);
    assert_non_null(strstr(said.text, "true"));
    assert_non_null(strstr(pn_lua_policy_message(policy),
                           "feed_back: has failed (there is feedback of jobs that are done)"));
    free(sim);
    pn_lua_policy_free(policy);
}

/* ---- what the view says ---------------------------------------------------------------------- */

static void check_says(const char *text, const char *const want[], size_t count)
{
    static lines said;
    char expected[sizeof said.text];
    size_t size = 0;
    pn_lua_options options = pn_lua_defaults();
    options.print = keep_line;
    options.user = &said;
    said.size = 0;
    pn_lua_policy *policy = load_with(text, &options);
    for (size_t i = 0; i < count; i++)
        size += (size_t)snprintf(expected + size, sizeof expected - size, FILE_NAME "%s\n",
                                 want[i]);
    int status = run_few_cluster(policy, NULL);
    if (status != PN_DONE)
        fail_msg("%s: %s", pn_status_name(status), pn_lua_policy_message(policy));
    assert_string_equal(said.text, expected);
    pn_lua_policy_free(policy);
}

/* Job 1 has all slots: maps to 1000, reduces of 9500 after that. Job 2 goes ahead of it; behind job
 * 2, whose maps need 800, the last map of job 1 ends at 1800 and its reduces at 11300. At 4250
 * these run since 1700: both slots are taken to 11200, and job 3 ends 5000 later. In fact the
 * reduces fetch from the other node only: 333 ms of 500 the longer one. */
static void the_view_tells_the_truth(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'cluster', " FORECASTS ", " DUE ",\n"
        "admit = function(s, job) print(s:est(job, 'map'), s:est(job, 'reduce'), s:input(job), "
        "s:intermediate(job), "
        "s:foresee(job))\n"
        "  for it in s:jobs() do print(s:id(it), s:estimate(it)) end return true end,\n"
        "leave = function(s, job) print(s:longest(job, 'map'), s:longest(job, 'reduce'), "
        "s:has_failed(job)) end }";
    static const char *const want[] = {
        ":2: job 1 at time 0: 1000\t9500\t3\t3\t10500\tnil",
        ":3: job 1 at time 0: 1\tnil",
        ":2: job 2 at time 0: 800\t1\t2\t2\t800\tnil",
        ":3: job 2 at time 0: 1\t10500",
        ":3: job 2 at time 0: 2\tnil",
        ":4: job 2 at time 700: 700\t0\tfalse",
        ":2: job 3 at time 4250: 3000\t5000\t4\t4\t16200\tnil",
        ":3: job 3 at time 4250: 1\t11300",
        ":3: job 3 at time 4250: 3\tnil",
        ":4: job 1 at time 11033: 1000\t9333\tfalse",
        ":4: job 3 at time 15866: 3000\t5000\tfalse",
    };
    (void)unused;
    check_says(text, want, sizeof want / sizeof want[0]);
}

/* Job 2 would not make 500 ms: it is named. With one that is later than that of job 1 it goes
 * behind it: one map slot is left for both of its maps. */
static void deadlines_are_agreed_on(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'cluster', " FORECASTS ", " DUE ",\n"
        "admit = function(s, job) if s:id(job) ~= 2 then s:foresee(job) return true end\n"
        "  s:set_deadline(job, 500) print(s:foresee(job))\n"
        "  s:set_deadline(job, 60001) print(s:deadline(job), s:foresee(job))\n"
        "  s:set_est(job, 'map', 70000) print(s:est(job, 'map'), s:foresee(job))\n"
        "  s:set_deadline(job, 71000) print(s:foresee(job)) return true end,\n"
        "arrive = function(s, job) print(s:deadline(job), s:est(job, 'map')) end }";
    static const char *const want[] = {
        ":7: job 1 at time 0: 60000\t1000",      ":3: job 2 at time 0: 800\t2",
        ":4: job 2 at time 0: 60001\t1600\tnil", ":5: job 2 at time 0: 70000\t71000\t2",
        ":6: job 2 at time 0: 71000\tnil",       ":7: job 2 at time 0: 71000\t70000",
        ":7: job 3 at time 4250: 40000\t3000",
    };
    (void)unused;
    check_says(text, want, sizeof want / sizeof want[0]);
}

/* ---- questions ------------------------------------------------------------------------------- */

/* Takes some; what admit notes of a job is there from its arrival on, and until admit has noted
 * something there is nothing. */
static const char ASKED[] =
    "return { name = 'x', model = 'cluster', per_job = { 'mine' }, " FORECASTS ",\n"
    "key = { changes = 'arrival', of = function(s, job) return s.per_job.mine[job] // 8 end },\n"
    "admit = function(s, job)\n"
    "  if s.per_job.mine[job] ~= 0 then error 'something is left of another job' end\n"
    "  s.per_job.mine[job] = 8 * s:random(1, 3) + job\n"
    "  local _, blocker = s:foresee(job)\n"
    "  return not blocker end,\n"
    "arrive = function(s, job) if s.per_job.mine[job] % 8 ~= job then error 'nothing is left' end\n"
    "  for it in s:jobs() do s:limit(it, 'map', s:active(it) and 3 or 0) end end }";

enum { ASKING_JOBS = 30, ASKING_SLOTS = 16 };

/* When the attempts at each place end; 0 = none runs there. */
typedef struct host {
    uint64_t now, end[ASKING_SLOTS], token[ASKING_SLOTS];
    uint32_t rejected;
} host;

static void on_launch(void *user, const pn_scheduler_task *task)
{
    host *own = user;
    own->token[task->place] = task->token;
    own->end[task->place] = own->now + 100 + (37 * task->id + 11 * task->task) % 300;
}

static void on_finish(void *user, const pn_scheduler_record *job)
{
    host *own = user;
    own->rejected += job->state == PN_SCHEDULER_REJECTED;
}

static pn_scheduler *host_scheduler(const pn_scheduler_policy *policy)
{
    static const pn_scheduler_nodes nodes = {.count = 2, .map_slots = 2, .reduce_slots = 1};
    pn_scheduler_config config = pn_scheduler_defaults();
    pn_scheduler *scheduler;
    config.nodes = &nodes;
    config.nodes_count = 1;
    config.jobs_max = 7;
    config.policy = policy;
    size_t size = pn_scheduler_size(&config);
    assert_int_equal(pn_scheduler_init(&scheduler, workload_room(size), size, &config), PN_OK);
    return scheduler;
}

/* Asks `times` before each submission, about the same job and about another one. */
static uint64_t asking_digest(const pn_lua_policy *policy, int times, uint32_t *rejected)
{
    const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
    pn_scheduler *scheduler = host_scheduler(table);
    host own = {0};
    pn_scheduler_hooks hooks = {
        .policy = table, .launch = on_launch, .on_finish = on_finish, .user = &own};
    for (uint64_t i = 0; own.now < 100 * ASKING_JOBS + 10000; own.now += 10) {
        for (uint32_t run = 0; run < ASKING_SLOTS; run++)
            if (own.end[run] > 0 && own.end[run] <= own.now) {
                own.end[run] = 0;
                assert_int_equal(pn_scheduler_finished(scheduler, &hooks, own.now, own.token[run]),
                                 PN_OK);
            }
        if (own.now % 100 == 0 && i < ASKING_JOBS) {
            pn_scheduler_job job = {.maps = 2 + (uint32_t)(i * 7 % 5),
                                    .reduces = i % 2,
                                    .deadline = 700 + 150 * (i % 6),
                                    .est_ms = {400, 400}};
            pn_scheduler_job other = {.maps = 9, .deadline = 5000, .est_ms = {1, 1}};
            pn_scheduler_answer answer, foretold;
            for (int k = 0; k < times; k++) {
                assert_int_equal(
                    pn_scheduler_ask(scheduler, &hooks, own.now, k % 2 ? &job : &other, &foretold),
                    PN_OK);
                assert_int_equal(foretold.id, i + 1);
            }
            assert_int_equal(pn_scheduler_submit(scheduler, &hooks, own.now, &job, &answer), PN_OK);
            if (times > 0 && times % 2 == 0) /* the last question was about this one */
                assert_memory_equal(&answer, &foretold, sizeof answer);
            i++;
        }
        for (uint32_t node = 0; node < 2; node++)
            assert_true(pn_scheduler_offer(scheduler, &hooks, own.now, node) >= 0);
    }
    assert_int_equal(pn_scheduler_jobs(scheduler), 0);
    uint64_t digest = pn_scheduler_digest(scheduler);
    *rejected = own.rejected;
    free(scheduler);
    return digest;
}

static void asking_leaves_nothing_behind(void **unused)
{
    pn_lua_policy *policy = load(ASKED);
    uint32_t rejected, again;
    (void)unused;
    uint64_t digest = asking_digest(policy, 0, &rejected);
    assert_in_range(rejected, 3, ASKING_JOBS - 3);
    for (int times = 1; times <= 4; times++) {
        assert_int_equal(asking_digest(policy, times, &again), digest);
        assert_int_equal(again, rejected);
    }
    pn_lua_policy_free(policy);
}

/* A question that fails ends the simulation as any call does, and says about which job. */
static void questions_may_fail(void **unused)
{
    pn_lua_policy *policy = load("return { name = 'x', model = 'cluster', " CLUSTER_KEY
                                 ",\nadmit = function(s, job) return job end }");
    const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
    pn_scheduler *scheduler = host_scheduler(table);
    host own = {0};
    pn_scheduler_hooks hooks = {.policy = table, .launch = on_launch, .user = &own};
    pn_scheduler_job job = {.maps = 1};
    pn_scheduler_answer answer;
    (void)unused;
    assert_int_equal(pn_scheduler_ask(scheduler, &hooks, 5, &job, &answer), PN_ERR_POLICY);
    assert_string_equal(
        pn_lua_policy_message(policy),
        AT_2 "job 1 at time 5: admit must return true (the job is taken) or false, got 1");
    assert_int_equal(pn_scheduler_submit(scheduler, &hooks, 5, &job, &answer), PN_ERR_POLICY);
    free(scheduler);
    pn_lua_policy_free(policy);
}

/* The host is told who stands in the way: the job itself where a policy says no for reasons of its
 * own. */
static void answers_name_a_blocker(void **unused)
{
    static const struct {
        const char *fields;
        uint32_t accepted;
        uint64_t estimate, blocker;
    } cases[] = {
        {CLUSTER_KEY ", admit = function(s, job) return false end", 0, PN_SCHEDULER_NEVER, 1},
        {CLUSTER_KEY ", admit = function(s, job) return true end", 1, PN_SCHEDULER_NEVER, 0},
        {DUE ", " FORECASTS ", admit = function(s, job) s:foresee(job) return true end", 1, 805, 1},
        {DUE ", " FORECASTS ", admit = function(s, job) s:foresee(job) return false end", 0, 805,
         1},
        {DUE ", " FORECASTS
             ", admit = function(s, job) s:set_deadline(job, 900) s:foresee(job) return false end",
         0, 805, 1},
        {DUE ", " FORECASTS
             ", admit = function(s, job) s:set_deadline(job, 900) s:foresee(job) return true end",
         1, 805, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { name = 'x', model = 'cluster', %s }",
                 cases[i].fields);
        pn_lua_policy *policy = load(text);
        const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
        pn_scheduler *scheduler = host_scheduler(table);
        host own = {0};
        pn_scheduler_hooks hooks = {.policy = table, .launch = on_launch, .user = &own};
        pn_scheduler_job job = {.maps = 8, .deadline = 600, .est_ms = {400, 0}};
        pn_scheduler_answer foretold, answer;
        assert_int_equal(pn_scheduler_ask(scheduler, &hooks, 5, &job, &foretold), PN_OK);
        assert_int_equal(pn_scheduler_submit(scheduler, &hooks, 5, &job, &answer), PN_OK);
        assert_memory_equal(&answer, &foretold, sizeof answer);
        assert_int_equal(answer.accepted, cases[i].accepted);
        assert_int_equal(answer.estimate, cases[i].estimate);
        assert_int_equal(answer.blocker, cases[i].blocker);
        assert_int_equal(answer.deadline, strstr(text, "900") && answer.accepted ? 900 : 600);
        free(scheduler);
        pn_lua_policy_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_of_the_wrong_kind),
        cmocka_unit_test(what_admit_may_not_do),
        cmocka_unit_test(the_right_thing_at_the_wrong_time),
        cmocka_unit_test(records_that_are_not_there),
        cmocka_unit_test(a_failed_job_feeds_nothing_back),
        cmocka_unit_test(the_view_tells_the_truth),
        cmocka_unit_test(deadlines_are_agreed_on),
        cmocka_unit_test(asking_leaves_nothing_behind),
        cmocka_unit_test(questions_may_fail),
        cmocka_unit_test(answers_name_a_blocker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
