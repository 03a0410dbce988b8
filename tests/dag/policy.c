/* What policies in Lua of the dag model may not do, and what they are told: definitions that are
 * refused, results of the wrong kind, the view used where it must not be, and what it shows.
 * Messages are compared whole. */
#include "dag/support/script.h"

#define KNOWN                                                                            \
    "align, arrive, init, key, key_name, leave, model, name, params, per_job, preempt, " \
    "queue_key, score, "                                                                 \
    "state, summary, uses"
#define FIELDS "name = 'x', model = 'dag', "
#define WORDS  "queues, limits, virtual, preempts"
#define OF     "of = function(s, job) return 1 end"
#define ALIGN  "align = function(s, job, stage, node) return 1 end"
#define QUEUES "queue_key = function(s, queue) return queue end"

/* ---- definitions ----------------------------------------------------------------------------- */

/* The fields of a definition, and the message behind the file's name. */
static const struct {
    const char *fields, *message;
} DEFINITIONS[] = {
    {"model = 'dag'", "name: is required (1 to 31 letters, digits, _, - and dots)"},
    {FIELDS "finish = 1", "finish: unknown field (known: " KNOWN ")"},
    {FIELDS "scores = 1", "scores: unknown field (did you mean 'score'?)"},
    {FIELDS "score = 1", "score: must be a function, got a number"},
    {FIELDS "align = {}", "align: must be a function, got a table"},
    {FIELDS "queue_key = 'q'", "queue_key: must be a function, got a string"},
    {FIELDS "preempt = true", "preempt: must be a function, got a boolean"},
    {FIELDS "key = 'id'", "key: must be a table such as { changes = \"served\", of = function(s, "
                          "job) ... end }, got a string"},
    {FIELDS "key = {}", "key.of: is required (a function of s and job that returns the key)"},
    {FIELDS "key = { " OF " }", "key.changes: is required (when the key may change: arrival, "
                                "stage, served, used, timed or growing)"},
    {FIELDS "key = { " OF ", changes = 'tick' }",
     "key.changes: must be one of arrival, stage, served, used, timed, growing; got tick"},
    {FIELDS "uses = 'queues'", "uses: must be a list of words such as { \"queues\" }, got a "
                               "string"},
    {FIELDS "uses = { 'queue' }", "uses: must be one of " WORDS "; got queue"},
    {FIELDS "uses = { queues = true }", "uses: must be a list of at most 8 words, without names"},
    {FIELDS "uses = { 'queues' }", "uses: \"queues\" needs a function queue_key (an order of the "
                                   "queues), and excludes align"},
    {FIELDS "uses = { 'limits' }, " QUEUES,
     "uses: \"limits\" goes with \"queues\" (these keep to their maxima)"},
    {FIELDS "uses = { 'preempts' }", "uses: \"preempts\" needs a function preempt"},
    {FIELDS ALIGN, "uses: align needs a key that does not change with time (what alignment is "
                   "exchanged for), and excludes score"},
    {FIELDS ALIGN ", key = { changes = 'timed', " OF " }",
     "uses: align needs a key that does not change with time (what alignment is exchanged for), "
     "and excludes score"},
    {FIELDS ALIGN ", " DAG_KEY ", score = function(s) return 1 end",
     "uses: align needs a key that does not change with time (what alignment is exchanged for), "
     "and excludes score"},
};

static void definitions_that_are_refused(void **unused)
{
    char text[600], message[600];
    (void)unused;
    for (size_t i = 0; i < sizeof DEFINITIONS / sizeof DEFINITIONS[0]; i++) {
        int size = snprintf(text, sizeof text, "return { %s }", DEFINITIONS[i].fields);
        snprintf(message, sizeof message, FILE_NAME ": %s", DEFINITIONS[i].message);
        check_refused(text, (size_t)size, message);
    }
}

static void the_shortest_definition_is_first_come_first_served(void **unused)
{
    (void)unused;
    pn_lua_policy *policy = load("return { name = 'x', model = 'dag' }");
    assert_non_null(pn_lua_policy_dag(policy));
    assert_null(pn_lua_policy_cluster(policy));
    assert_ptr_equal(pn_lua_policy_behind_dag(pn_lua_policy_dag(policy)), policy);
    assert_null(pn_lua_policy_behind_dag(pn_dispatch_fifo()));
    assert_int_equal(run_few_dags(policy), PN_DONE);
    pn_lua_policy_free(policy);
}

/* ---- results of the wrong kind, the right thing at the wrong time ---------------------------- */

#define KEYED(body) \
    "return { " FIELDS "key = { changes = 'used', of = function(s, job)\n" body "\nend } }"
#define TICKED(body) \
    "return { " FIELDS DAG_KEY ", uses = { 'preempts' }, preempt = function(s)\n" body "\nend }"

static const struct {
    const char *text, *message;
} FAILURES[] = {
    {KEYED("return s:pending(job)"),
     "mine.lua:2: job 1 at time 0: the view has no 'pending' (did you mean 'pending_in'?)"},
    {KEYED("return s:attained(job)"),
     "mine.lua:2: job 1 at time 0: the view has no 'attained' (did you mean 'service'?)"},
    {KEYED("return 'first'"), "mine.lua:1: job 1 at time 0: a key must be one or two numbers, "
                              "integers up to 2^53 or finite floats, got string"},
    {KEYED("return s:work(job) * 1000000"),
     "mine.lua:1: job 1 at time 0: a key must be one or two numbers, integers up to 2^53 or finite "
     "floats, got 2242424246000000000"},
    {KEYED("return s:demand(job, 2, 1)"),
     "mine.lua:2: job 1 at time 0: demand: there is no stage 2 (there are 2, from 0)"},
    {KEYED("return s:demand(job, 1, 3)"),
     "mine.lua:2: job 1 at time 0: demand: there is no resource 3 (there are 2, from 1)"},
    {KEYED("return s:total(math.mininteger)"),
     "mine.lua:2: job 1 at time 0: total: an integer >= 0 is expected, got -9223372036854775808"},
    {KEYED("return s:node_free(2, 1)"),
     "mine.lua:2: job 1 at time 0: node_free: there is no node 2 (there are 2, from 0)"},
    {KEYED("return s:queue_weight(7)"),
     "mine.lua:2: job 1 at time 0: queue_weight: there is no queue 7 (there are 2, from 0)"},
    {KEYED("return s:log2(0)"), "mine.lua:2: job 1 at time 0: log2(x) is of x >= 1, got 0"},
    {KEYED("return s:share(job, 0)"),
     "mine.lua:2: job 1 at time 0: share: a weight from 1 to 1000000 is expected, got 0"},
    {KEYED("return s:log2(0.5)"),
     "mine.lua:2: job 1 at time 0: log2: an integer >= 0 is expected, got 0.5"},
    {KEYED("return s:exact(0.5)"),
     "mine.lua:2: job 1 at time 0: exact: an integer >= 0 is expected, got 0.5"},
    {KEYED("return s:exact(-1)"),
     "mine.lua:2: job 1 at time 0: exact: an integer >= 0 is expected, got -1"},
    {KEYED("return s:total(0)"),
     "mine.lua:2: job 1 at time 0: total: there is no resource 0 (there are 2, from 1)"},
    {KEYED("return s:total(0.5)"),
     "mine.lua:2: job 1 at time 0: total: an integer >= 0 is expected, got 0.5"},
    {KEYED("return s:share(job, 1000001)"), "mine.lua:2: job 1 at time 0: share: a weight from 1 "
                                            "to 1000000 is expected, got 1000001"},
    {KEYED("return s:share(0.5)"),
     "mine.lua:2: job 1 at time 0: share: a job is expected, got number"},
    {KEYED("return s:queue_share(7)"),
     "mine.lua:2: job 1 at time 0: queue_share: there is no queue 7 (there are 2, from 0)"},
    {KEYED("return s:queue_share(0, 0)"), "mine.lua:2: job 1 at time 0: queue_share: a weight from "
                                          "1 to 1000000 is expected, got 0"},
    {KEYED("return s:service(0.5)"),
     "mine.lua:2: job 1 at time 0: service: a job is expected, got number"},
    {KEYED("return s:scale(1 << 62, 1 << 20, 1)"),
     "mine.lua:1: job 1 at time 0: a key must be one or two numbers, integers up to 2^53 or finite "
     "floats, got 9223372036854775807"},
    {KEYED("s:exchange(5)"),
     "mine.lua:2: job 1 at time 0: alignments are exchanged as init says, and no other"},
    {KEYED("return s:room(job, 0)"), "mine.lua:2: job 1 at time 0: attempts are killed, and tasks "
                                     "launched, only in preempt"},
    {"return { " FIELDS "score = function(s, job, stage, node) return nil end }",
     "mine.lua:1: job 1 at time 0: score must return a number, an integer up to 2^53 or a finite "
     "float (the smallest score gets the task), got nil"},
    {"return { " FIELDS "score = function() error 'no score' end }",
     "mine.lua:1: job 1 at time 0: no score"},
    {"return { " FIELDS "score = function(s, job, stage) return s:tasks(job, 0.5) end }",
     "mine.lua:1: job 1 at time 0: tasks: an integer >= 0 is expected, got 0.5"},
    {"return { " FIELDS DAG_KEY ", align = function() return -1 end }",
     "mine.lua:1: job 1 at time 0: align must return an integer from 0 to 2^42, got -1"},
    {"return { " FIELDS "key = { changes = 'served', of = function() return 0.5 end }, " ALIGN " }",
     "mine.lua:1: job 1 at time 0: with align, a key must be an integer >= 0 (what alignment is "
     "exchanged for), got 0.5"},
    {TICKED("s:kill(0, 1, 0, 9)"), "mine.lua:2: job 1 at time 700: kill: its task 9 of stage 0 "
                                   "does not run on node 0"},
    {TICKED("s:launch(1, 1, 0)"), "mine.lua:2: job 1 at time 700: launch: stage 1 has no task for "
                                  "node 0, or no room there"},
    {TICKED("s:first_offered(0)"),
     "mine.lua:2: time 700: queues have no order (declare uses = { \"queues\" })"},
    {"return { " FIELDS DAG_KEY ", init = function(s) s:exchange(2000000) end }",
     "mine.lua:1: time 0: exchange: expected 0 to 1000000 permille, got 2000000"},
    {"return { " FIELDS QUEUES ", uses = function(params) return { 'queue' } end }",
     "mine.lua:1: time 0: uses: must be one of " WORDS "; got queue"},
    {"return { " FIELDS "uses = function(params) return { false, false, false, false, false, "
     "false, false, false, false } end }",
     "mine.lua:1: time 0: uses: must be a list of at most 8 words, without names"},
    {"return { " FIELDS "uses = function(params) return {}, 1 end }",
     "mine.lua:1: time 0: returns a second value (expected one)"},
    {"return { " FIELDS "uses = function(params) return { true } end }",
     "mine.lua:1: time 0: uses: must be one of " WORDS "; got boolean"},
    {"return { " FIELDS "uses = function(params) return { 'queues' } end }",
     "mine.lua:1: time 0: uses: \"queues\" needs a function queue_key (an order of the queues), "
     "and excludes align"},
};

static void what_cannot_be_ends_the_run(void **unused)
{
    bool good = true;
    (void)unused;
    for (size_t i = 0; i < sizeof FAILURES / sizeof FAILURES[0]; i++)
        good &= gives_up_dag(FAILURES[i].text, FAILURES[i].message);
    assert_true(good);
}

/* ---- the view -------------------------------------------------------------------------------- */

/* Everything that it shows of the first job on its arrival, and of attempts on the first tick. */
static const char *const TELLER =
    "local function all(...) print(table.concat({ ... }, ' ')) end\n"
    "return { " FIELDS "uses = { 'virtual', 'preempts', 'queues' }, state = { 'told' }, " QUEUES
    ",\n"
    "arrive = function(s, job)\n"
    "  if s:id(job) > 1 then return end\n"
    "  all(s:now(), s:in_system(), s:resources(), s:total(1), s:total(2), s:largest(2))\n"
    "  all(s:nodes(), s:node_capacity(1, 2), s:node_free(0, 1), s:node_speed(1))\n"
    "  all(s:queues(), s:queue_weight(0), s:queue_guaranteed(1), s:queue_maximum(0))\n"
    "  all(s:arrival(job), s:deadline(job), s:weight(job), s:queue(job), s:stages(job),\n"
    "      s:stages_left(job))\n"
    "  all(s:work(job), s:left(job), s:left_area(job), s:path(job))\n"
    "  all(s:tasks(job, 1), s:estimate(job, 1), s:depth(job, 0), s:dominant(job, 0))\n"
    "  all(s:demand(job, 1, 2), s:pending_in(job, 0), s:running_in(job, 0), s:done_in(job, 0))\n"
    "  all(tostring(s:is_ready(job, 0)), tostring(s:is_ready(job, 1)),\n"
    "      tostring(s:node_up(0)))\n"
    "  all(s:scale(7, 5, 3), s:scale(1 << 62, 4, 1), s:log2(8), s:exact(9007199254740993))\n"
    "end,\n"
    "preempt = function(s)\n"
    "  if s.state.told > 0 then return end\n"
    "  s.state.told = 1\n"
    "  for job in s:jobs() do\n"
    "    all(s:id(job), s:running(job), s:use(job, 1), s:share(job), s:service(job))\n"
    "    all(s:virtual_tag(job))\n"
    "  end\n"
    "  all(s:queue_running(0), s:queue_use(0, 2), s:queue_share(0), s:queue_share_with(0, 1, 0))\n"
    "  for job, stage, task, start, attempt in s:attempts_on(1) do\n"
    "    all(s:id(job), stage, task, start, attempt, tostring(s:may_kill(1, job, stage, task)))\n"
    "  end\n"
    "  local job, stage = s:first_offered(1)\n"
    "  all(s:id(job), stage, tostring(s:room(job, stage)), tostring(s:in_maximum(job, stage)))\n"
    "end }";

/* Work: 5 * 1000 * 181818182 + 2 * 2000 * 333333334 ppb ms, of totals 6 and 11. After 700 ms five
 * tasks of job 1 run, and one of job 2, whose next has no room. */
#define FIRST "mine.lua:1: job 1 at time 0: "
#define THEN  "mine.lua:1: time 700: "
static const char *const TOLD = FIRST
    "0 1 2 6 11 8\n" FIRST "2 3 4 500\n" FIRST "2 3 200 900\n" FIRST "0 9000 2 0 2 2\n" FIRST
    "2242424246000 2242424246000 4166666673000 3000\n" FIRST "2 2000 3000 181818182\n" FIRST
    "3 5 0 0\n" FIRST "true false true\n" FIRST "11 9223372036854775807 196608 1 1\n" THEN
    "1 5 5 909090909090 0 636363637000\n" THEN "0 1121212123000\n" THEN
    "2 1 1 166666666666 0 116666666900\n" THEN "0 1000000002000\n" THEN
    "5 10 909090909090 1090909090909\n" THEN "2 0 1 0 0 true\n" THEN "1 0 5 0 0 true\n" THEN
    "2 0 nil true\n";

static void the_view_tells_the_truth(void **unused)
{
    (void)unused;
    lines kept = {.size = 0};
    pn_lua_options options = pn_lua_defaults();
    options.print = keep_line;
    options.user = &kept;
    pn_lua_policy *policy = load_with(TELLER, &options);
    if (run_few_dags(policy) != PN_DONE)
        fail_msg("%s", pn_lua_policy_message(policy));
    assert_string_equal(kept.text, TOLD);
    pn_lua_policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_are_refused),
        cmocka_unit_test(the_shortest_definition_is_first_come_first_served),
        cmocka_unit_test(what_cannot_be_ends_the_run),
        cmocka_unit_test(the_view_tells_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
