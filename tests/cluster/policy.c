/* What policies in Lua of the cluster model may not do, and what they are told: definitions that
 * are refused, decisions that cannot be, results of the wrong kind, and the view used where it must
 * not be. Messages are compared whole. */
#include "cluster/support/script.h"

/* ---- definitions ----------------------------------------------------------------------------- */

#define KNOWN                                                                                 \
    "admit, arrive, copy, elapse, init, key, key_name, leave, model, name, params, per_job, " \
    "pick, plan, "                                                                            \
    "preempt, "                                                                               \
    "records, state, summary, uses"
#define FIELDS "name = 'x', model = 'cluster', "
#define OF     "of = function(s, job, kind) return 1 end"
#define PLAN   "plan = function(s, reason) end"
#define PICK   "pick = function(s, node, kind) return s:first(kind) end"
#define NO_FORM \
    "must have key (an order of the jobs), pick (code that gives out slots) or \"shares\" in uses"
#define WORDS                                                                                   \
    "estimates, shares, delays, colocates, strict, elapses, memoryless, in_order, maps_first, " \
    "reserves, reserves_less, "                                                                 \
    "deadlines, "                                                                               \
    "forecasts, keep, satu, suspends, reserves_strict"
#define ADMIT "admit = function(s, job) return true end"

#define NO_RECORDS \
    "uses: records = true needs \"in_order\" and a function admit (it asks s:foresee)"
#define NO_FORECASTS \
    "uses: \"forecasts\" need \"in_order\" and a function admit (it asks s:foresee)"
#define NO_KEEPING \
    "uses: \"keep\" and \"satu\" go with records = true (they say how records are used)"
#define NO_ORDERED_KEY \
    "uses: \"in_order\" needs a key with changes = \"arrival\" (a job that waits keeps its place)"
#define ORDER_ALONE                                                                            \
    "uses: \"in_order\" excludes \"shares\", \"delays\", \"colocates\" and pick (slots go to " \
    "jobs in their order)"
#define NO_RESERVING                                                                               \
    "uses: \"reserves\" goes with \"in_order\" and \"maps_first\" (slots are kept for reduces of " \
    "jobs ahead)"

/* The fields of a definition, and the message behind the file's name. */
static const struct {
    const char *fields, *message;
} DEFINITIONS[] = {
    {"model = 'cluster'", "name: is required (1 to 31 letters, digits, _, - and dots)"},
    {FIELDS "summary = 5", "summary: must be a string, got a number"},
    {FIELDS "finish = 1", "finish: unknown field (known: " KNOWN ")"},
    {FIELDS "use = {}", "use: unknown field (did you mean 'uses'?)"},
    {FIELDS "plans = 1", "plans: unknown field (did you mean 'plan'?)"},
    {FIELDS "init = 1", "init: must be a function, got a number"},
    {FIELDS "arrive = {}", "arrive: must be a function, got a table"},
    {FIELDS "leave = 'f'", "leave: must be a function, got a string"},
    {FIELDS "plan = true", "plan: must be a function, got a boolean"},
    {FIELDS "preempt = math.abs", "preempt: must be a function, got a C function"},
    {FIELDS "pick = 'first'", "pick: must be a function, got a string"},
    {FIELDS "elapse = 1", "elapse: must be a function, got a number"},

    {FIELDS "key = 'id'", "key: must be a table such as { changes = \"served\", of = function(s, "
                          "job, kind) ... end }, got a string"},
    {FIELDS "key = {}", "key.of: is required (a function of s, job and kind that returns the key)"},
    {FIELDS "key = { of = 1 }", "key.of: must be a function, got a number"},
    {FIELDS "key = { " OF " }",
     "key.changes: is required (when the key may change: arrival, served, planned or timed)"},
    {FIELDS "key = { " OF ", changes = 'tick' }",
     "key.changes: must be one of arrival, served, planned, timed; got tick"},
    {FIELDS "key = { " OF ", changes = 1 }",
     "key.changes: must be one of arrival, served, planned, timed; got number"},
    {FIELDS "key = { " OF ", changes = print }",
     "key.changes: must be a function, got a C function"},
    {FIELDS "key = { " OF ", by = 'id', changes = 'served' }",
     "key.by: unknown field (known: changes, of)"},

    {FIELDS "uses = 'estimates'",
     "uses: must be a list of words such as { \"estimates\" }, got a string"},
    {FIELDS "uses = { 'estimate' }", "uses: must be one of " WORDS "; got estimate"},
    {FIELDS "uses = { true }", "uses: must be one of " WORDS "; got boolean"},
    {FIELDS "uses = { shares = true }", "uses: must be a list of at most 24 words, without names"},
    {FIELDS "uses = { 'shares' }", "uses: \"shares\" need a function plan (it weighs the jobs)"},
    {FIELDS "uses = { 'strict' }, " PLAN,
     "uses: \"strict\" goes with \"shares\" (no job gets slots above its share)"},
    {FIELDS "uses = { 'elapses' }", "uses: \"elapses\" needs a function elapse"},
    {FIELDS "uses = { 'delays' }, " PICK,
     "uses: \"delays\", \"colocates\" and \"strict\" go with an order (pick decides by itself)"},
    {FIELDS "uses = { 'shares', 'strict' }, " PLAN ", " PICK,
     "uses: \"delays\", \"colocates\" and \"strict\" go with an order (pick decides by itself)"},
    {FIELDS "uses = { false, false, false, false, false, false, false, false, false, false, false, "
            "false, false, false, false, false, false, false, false, false, false, false, false, "
            "false, false }",
     "uses: must be a list of at most 24 words, without names"},
    {FIELDS "uses = math.abs", "uses: must be a function, got a C function"},

    {FIELDS "uses = {}", NO_FORM},
    {FIELDS "init = function(s) end", NO_FORM},
    {FIELDS "preempt = function(s, kind) end", NO_FORM},
    {FIELDS "uses = { 'estimates' }, " PLAN, NO_FORM},

    {FIELDS "admit = true, " CLUSTER_KEY, "admit: must be a function, got a boolean"},
    {FIELDS "record = true, " CLUSTER_KEY, "record: unknown field (did you mean 'records'?)"},
    {FIELDS "records = 1, " ADMIT ", " CLUSTER_KEY, "records: must be true or false, got a number"},
    {FIELDS "records = true, uses = { 'in_order' }, " CLUSTER_KEY,
     "records: needs a function admit (it asks s:foresee)"},
    {FIELDS "records = true, " ADMIT ", " CLUSTER_KEY, NO_RECORDS},
    {FIELDS "uses = { 'in_order', 'records' }, " ADMIT ", " CLUSTER_KEY,
     "uses: records is a separate field (expected records = true)"},
    {FIELDS "uses = { 'keep' }, " CLUSTER_KEY, NO_KEEPING},
    {FIELDS "uses = { 'in_order', 'forecasts', 'satu' }, " ADMIT ", " CLUSTER_KEY, NO_KEEPING},
    {FIELDS "uses = { 'forecasts' }, " ADMIT ", " CLUSTER_KEY, NO_FORECASTS},
    {FIELDS "uses = { 'in_order', 'forecasts' }, " CLUSTER_KEY, NO_FORECASTS},
    {FIELDS "records = true, uses = { 'in_order', 'forecasts' }, " ADMIT ", " CLUSTER_KEY,
     "uses: \"forecasts\" and records = true exclude each other"},
    {FIELDS "uses = { 'in_order' }", NO_ORDERED_KEY},
    {FIELDS "uses = { 'in_order' }, key = { " OF ", changes = 'served' }", NO_ORDERED_KEY},
    {FIELDS "uses = { 'in_order' }, key = { " OF ", changes = 'timed' }", NO_ORDERED_KEY},
    {FIELDS "uses = { 'in_order', 'delays' }, " CLUSTER_KEY, ORDER_ALONE},
    {FIELDS "uses = { 'in_order', 'colocates' }, " CLUSTER_KEY, ORDER_ALONE},
    {FIELDS "uses = { 'in_order', 'shares' }, " PLAN ", " CLUSTER_KEY, ORDER_ALONE},
    {FIELDS "uses = { 'in_order' }, " PICK ", " CLUSTER_KEY, ORDER_ALONE},
    {FIELDS "uses = { 'reserves' }, " CLUSTER_KEY, NO_RESERVING},
    {FIELDS "uses = { 'reserves', 'maps_first' }, " CLUSTER_KEY, NO_RESERVING},
    {FIELDS "uses = { 'reserves', 'in_order' }, " CLUSTER_KEY, NO_RESERVING},
    {FIELDS "uses = { 'reserves_less', 'in_order', 'maps_first' }, " CLUSTER_KEY,
     "uses: \"reserves_less\" goes with \"reserves\" (it keeps one slot less)"},

    {FIELDS "params = 1", "params: must be a table of parameters by name, got a number"},
    {FIELDS "params = { a = { default = true, doc = 2 } }",
     "params.a.doc: must be a text that says what it does, got a number"},
    {FIELDS "params = { a = { default = 'b', doc = '', choices = { 'a' } } }",
     "params.a.choices: must be a list of 2 to 8 words, of which default is one"},
    {FIELDS "state = { 'a', 'a' }", "state: a is named twice"},
    {FIELDS "per_job = { a = 1 }",
     "per_job: must be a list of names such as { \"credit\" }, got a named entry"},
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

/* What is left out means something; the descriptors are those of the core's table. */
static void definitions_that_are_short(void **unused)
{
    static const struct {
        const char *fields;
        pn_scheduler_order order;
        pn_scheduler_admission admission;
    } cases[] = {
        {CLUSTER_KEY, {0}, {0}},
        {CLUSTER_KEY ", uses = {}", {0}, {0}},
        {CLUSTER_KEY ", uses = { false, 'delays', false }", {.delays = 1}, {0}},
        {CLUSTER_KEY ", uses = { 'memoryless' }", {.memoryless = 1}, {0}},
        {CLUSTER_KEY ", uses = { 'estimates', 'colocates' }",
         {.estimates = 1, .colocates = 1},
         {0}},
        {"uses = { 'shares' }, " PLAN, {.shares = PN_SCHEDULER_SHARES_CONSERVING}, {0}},
        {"uses = { 'shares', 'strict' }, " PLAN, {.shares = PN_SCHEDULER_SHARES_STRICT}, {0}},
        {CLUSTER_KEY ", elapse = function(s, ms) end", {.elapses = 1}, {0}},
        {"key = { " OF ", changes = 'served' }", {.keys = PN_SCHEDULER_KEYS_SERVED}, {0}},
        {"key = { " OF ", changes = 'planned' }, uses = { 'estimates' }",
         {.keys = PN_SCHEDULER_KEYS_PLANNED, .estimates = 1},
         {0}},
        {"key = { " OF ", changes = 'timed' }", {.keys = PN_SCHEDULER_KEYS_TIMED}, {0}},
        {PICK, {0}, {0}},
        {PICK ", uses = { 'estimates' }", {.estimates = 1}, {0}},
        {PICK ", " CLUSTER_KEY, {0}, {0}}, /* the order that s:first and s:by_key walk */
        {CLUSTER_KEY ", uses = function(params) return { params.a and 'estimates' } end, params = "
                     "{ a = { default = true, doc = '' } }",
         {0},
         {0}},
        {PLAN ", uses = function(params) return { 'shares' } end", {0}, {0}},
        {"key = { " OF ", changes = function() return 'timed' end }, elapse = function(s, ms) end, "
         "uses = function() return {} end",
         {.elapses = 1},
         {0}},
        {CLUSTER_KEY ", preempt = function(s, kind) end", {0}, {0}},
        {CLUSTER_KEY ", " ADMIT, {0}, {0}},
        {PICK ", uses = { 'maps_first', 'deadlines' }", {0}, {.maps_first = 1, .deadlines = 1}},
        {CLUSTER_KEY ", uses = { 'in_order', 'maps_first', 'reserves' }",
         {.started_first = 1},
         {.maps_first = 1, .reserve = PN_SCHEDULER_RESERVE_ALL}},
        {CLUSTER_KEY ", uses = { 'in_order', 'maps_first', 'reserves', 'reserves_less' }",
         {.started_first = 1},
         {.maps_first = 1, .reserve = PN_SCHEDULER_RESERVE_LESS}},
        {CLUSTER_KEY ", " ADMIT ", uses = { 'in_order', 'forecasts' }",
         {.started_first = 1},
         {.finishes = PN_SCHEDULER_FINISHES_FORECAST}},
        {CLUSTER_KEY ", " ADMIT ", records = true, uses = { 'in_order', 'keep' }",
         {.started_first = 1},
         {.finishes = PN_SCHEDULER_FINISHES_RECORDED, .ended_predecessors = 1}},
        {CLUSTER_KEY ", " ADMIT ", records = true, uses = { 'in_order', 'satu' }",
         {.started_first = 1},
         {.finishes = PN_SCHEDULER_FINISHES_RECORDED, .ended_feedback = 1}},
        {CLUSTER_KEY ", " ADMIT ", records = true, uses = function() return { 'in_order' } end",
         {.started_first = 1},
         {.finishes = PN_SCHEDULER_FINISHES_RECORDED}},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { name = 'x', model = 'cluster', %s }",
                 cases[i].fields);
        pn_lua_policy *policy = load(text);
        assert_null(pn_lua_policy_slotted(policy));
        const pn_scheduler_policy *table = pn_lua_policy_cluster(policy);
        assert_memory_equal(&table->order, &cases[i].order, sizeof table->order);
        assert_memory_equal(&table->admission, &cases[i].admission, sizeof table->admission);
        if (run_few_cluster(policy, NULL) != PN_DONE)
            fail_msg("%s: '%s'", text, pn_lua_policy_message(policy));
        pn_lua_policy_free(policy);
    }
}

/* ---- plans, kills, picks --------------------------------------------------------------------- */

#define AT_2    FILE_NAME ":2: "
#define NO_JOB3 "there is no job 3 in the system (it may have finished)"

/* The body of plan, on line 2, over the few jobs, and the message behind file and line. */
static const struct {
    const char *body, *message;
} PLANS[] =
    {
        {"s:weigh(1, -1)", "job 1 at time 0: weigh: an integer >= 0 is expected, got -1"},
        {"s:weigh(1, 0.5)", "job 1 at time 0: weigh: an integer >= 0 is expected, got 0.5"},
        {"s:weigh(1, 0/0)", "job 1 at time 0: weigh: an integer >= 0 is expected, got NaN"},
        {"s:weigh(1)", "job 1 at time 0: weigh: an integer >= 0 is expected, got no value"},
        {"s:weigh(3, 1)", "time 0: " NO_JOB3},
        {"s:weigh('1', 1)", "time 0: weigh: a job is expected, got string"},
        {"s.weigh(1, 1)", "time 0: the view comes first: call it as s:name(...)"},
        {"s:kill(1, 'map', 1)", "time 0: tasks are killed only in preempt"},
        {"s:kill_task(1, 'map', 1)", "time 0: tasks are killed only in preempt"},
        {"s:capacity()", "time 0: capacity: the kind must be map or reduce, got no value"},
        {"s:capacity('maps')", "time 0: capacity: the kind must be map or reduce, got maps"},
        {"s:free(1)", "time 0: free: the kind must be map or reduce, got 1"},
        {"s:running(1)", "time 0: running: the kind must be map or reduce, got no value"},
        {"s:running('map', 1)", "time 0: running: a job is expected, got string"},
        {"s:node_free(2, 'map')", "time 0: node_free: there is no node 2 (there are 2, from 0)"},
        {"s:node_free(-1, 'map')", "time 0: node_free: an integer >= 0 is expected, got -1"},
        {"s:node_slots(2, 'map')", "time 0: node_slots: there is no node 2 (there are 2, from 0)"},
        {"s:node_slots(1, 'x')", "time 0: node_slots: the kind must be map or reduce, got x"},
        {"s:node_speed(7)", "time 0: node_speed: there is no node 7 (there are 2, from 0)"},
        {"s:node_up()", "time 0: node_up: an integer >= 0 is expected, got no value"},
        {"s:attempts_on(2)", "time 0: attempts_on: there is no node 2 (there are 2, from 0)"},
        {"s:has_local(1, 2)", "time 0: has_local: there is no node 2 (there are 2, from 0)"},
        {"s:has_affinity(1, 1 << 40)",
         "time 0: has_affinity: there is no node 1099511627776 (there are 2, from 0)"},
        {"s:remaining_on(1, 0, 1)",
         "job 1 at time 0: remaining_on: a number of slots >= 1 is expected, got 0"},
        {"s:remaining_on(1, 1)",
         "job 1 at time 0: remaining_on: an integer >= 0 is expected, got no value"},
        {"s:scale(1, 2, 0)", "time 0: scale(a, b, c) divides by c >= 1, got 0"},
        {"s:scale(1, -2, 3)", "time 0: scale: an integer >= 0 is expected, got -2"},
        {"s:fill('both')", "time 0: fill: the kind must be map or reduce, got both"},
        {"for job in s:by_key() do end",
         "time 0: by_key: the kind must be map or reduce, got no value"},
        {"for job in s:jobs() do s:submit(job + 5) end",
         "time 0: there is no job 6 in the system (it may have finished)"},
        {"for t in s:tasks_running(1, 'node') do end",
         "time 0: tasks_running: the kind must be map or reduce, got node"},
        {"if s:now() >= 2000 then s:done(2, 'map') end",
         "time 2000: there is no job 2 in the system (it may have finished)"},
        {"if reason == 'tick' and s:now() > 2000 then s:done(7, 'map') end",
         "time 4000: there is no job 7 in the system (it may have finished)"},
        {"s:slot()", "time 0: the view has no 'slot' (did you mean 'now'?)"},
        {"s:remainin(1)", "time 0: the view has no 'remainin' (did you mean 'remaining'?)"},
        {"s.state.old = 'x'", "time 0: declared memory holds numbers, got string"},
        {"s.params.b = 1", "time 0: the view is read-only (declare memory in state = { ... } and "
                           "write s.state.name)"},
        {"local x = s.params.b",
         "time 0: there is no parameter 'b' (declare it in params = { ... })"},
        {"error 'boom'", "time 0: boom"},
        {"error('job 7 at time 5: is odd')", "job 7 at time 5: is odd"},
},
  KILLS[] =
      {
          {"s:kill(1, 'map', -1)", "job 1 at time 0: kill: an integer >= 0 is expected, got -1"},
          {"s:kill(1, 'map')", "job 1 at time 0: kill: an integer >= 0 is expected, got no value"},
          {"s:kill(9, 'map', 1)", "time 0: there is no job 9 in the system (it may have finished)"},
          {"s:kill(1, 'all', 1)", "time 0: kill: the kind must be map or reduce, got all"},
          {"s:kill_task(1, 'map', 1)", "job 1 at time 0: its map task 1 does not run"},
          {"s:kill_task(1, 'reduce', 0)", "job 1 at time 0: its reduce task 0 does not run"},
          {"if s:now() >= 4000 then s:kill_task(1, 'reduce', 3) end",
           "job 1 at time 4000: its reduce task 3 does not run"},
          {"if s:now() >= 4000 then s:kill_task(1, 'reduce', 1) s:kill_task(1, 'reduce', 1) end",
           "job 1 at time 4000: its reduce task 1 does not run"},
          {"s:weigh(1, 1)", "time 0: jobs are weighed only in plan"},
},
  PICKS[] = {
      {"return 9", "time 0: pick: there is no job 9 in the system (it may have finished)"},
      {"return 0", "time 0: pick: there is no job 0 in the system (it may have finished)"},
      {"return 1, 2", "time 0: returns a second value (expected one), got 2"},
      {"return '1'", "time 0: pick must return a job, or nil, got string"},
      {"return true", "time 0: pick must return a job, or nil, got boolean"},
      {"return {}", "time 0: pick must return a job, or nil, got table"},
      {"return 1.5", "time 0: pick must return a job, or nil, got 1.5"},
      {"return 0/0", "time 0: pick must return a job, or nil, got NaN"},
      {"return kind == 'map' and 1 or nil", "time 0: pick: job 1 has no map task that may start"},
      {"s:weigh(1, 1)", "time 0: jobs are weighed only in plan"},
      {"s:kill(1, kind, 1)", "time 0: tasks are killed only in preempt"},
      {"s:node_free(node + 2, kind)",
       "time 0: node_free: there is no node 2 (there are 2, from 0)"},
};

static bool ends_so(const char *fields, const char *function, const char *body, const char *said)
{
    char text[1024], message[512];
    snprintf(text, sizeof text,
             "return { name = 'x', model = 'cluster', state = { 'old' }, params = { a = { default "
             "= 1, doc = '' } }, %s\n"
             "%s do %s end end }",
             fields, function, body);
    snprintf(message, sizeof message, AT_2 "%s", said);
    return gives_up_cluster(text, NULL, message);
}

static void decisions_that_cannot_be(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof PLANS / sizeof PLANS[0]; i++)
        good = ends_so("uses = { 'shares', 'estimates' },", "plan = function(s, reason)",
                       PLANS[i].body, PLANS[i].message) &&
               good;
    for (size_t i = 0; i < sizeof KILLS / sizeof KILLS[0]; i++)
        good = ends_so("uses = { 'shares' }, plan = function() end,", "preempt = function(s, kind)",
                       KILLS[i].body, KILLS[i].message) &&
               good;
    for (size_t i = 0; i < sizeof PICKS / sizeof PICKS[0]; i++)
        good = ends_so("", "pick = function(s, node, kind)", PICKS[i].body, PICKS[i].message) &&
               good;
    assert_true(good);
}

/* What was not asked for is not there. */
static void what_is_not_used_is_refused(void **unused)
{
    static const struct {
        const char *body, *message;
    } cases[] = {
        {"s:weigh(1, 1)", "there are no shares (declare uses = { \"shares\" })"},
        {"s:share(1, 'map')", "there are no shares (declare uses = { \"shares\" })"},
        {"s:average(1, 'map')", "there are no estimates (declare uses = { \"estimates\" })"},
        {"s:remaining(1)", "there are no estimates (declare uses = { \"estimates\" })"},
        {"s:remaining_on(1, 1, 1)", "there are no estimates (declare uses = { \"estimates\" })"},
        {"s:alone(1)", "there are no estimates (declare uses = { \"estimates\" })"},
    };
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char said[256];
        snprintf(said, sizeof said, "time 0: %s", cases[i].message);
        good = ends_so(CLUSTER_KEY ",", "plan = function(s, reason)", cases[i].body, said) && good;
    }
    assert_true(good);
}

/* ---- results --------------------------------------------------------------------------------- */

#define NO_KEY "a key must be one or two numbers, integers up to 2^53 or finite floats, got "

static void results_of_the_wrong_kind(void **unused)
{
    static const struct {
        const char *result, *message;
    } keys[] = {
        {"nil", NO_KEY "nil"},       {"true", NO_KEY "boolean"},
        {"'1'", NO_KEY "string"},    {"{}", NO_KEY "table"},
        {"0/0", NO_KEY "NaN"},       {"1/0", NO_KEY "inf"},
        {"1, 0/0", NO_KEY "NaN"},    {"1 << 60", NO_KEY "1152921504606846976"},
        {"1, '2'", NO_KEY "string"},
    };
    static const struct {
        const char *body, *message;
    } uses[] = {
        {"uses = function() return 1 end",
         "uses: must be a list of words such as { \"estimates\" }, got a number"},
        {"uses = function() return { 'estimates' }, 2 end",
         "returns a second value (expected one)"},
        {"uses = function() end",
         "uses: must be a list of words such as { \"estimates\" }, got nil"},
        {"uses = function() return { 'estimates' } end", NO_FORM},
        {"uses = function() return { 'share' } end", "uses: must be one of " WORDS "; got share"},
        {"uses = function() return { 'shares' } end",
         "uses: \"shares\" need a function plan (it weighs the jobs)"},
        {"uses = function() return { 'elapses' } end", "uses: \"elapses\" needs a function elapse"},
        {"uses = function(params) return params.b end",
         "there is no parameter 'b' (declare it in params = { ... })"},
        {"uses = function(params) params.a = 1 end",
         "the view is read-only (declare memory in state = { ... } and write s.state.name)"},
        {"key = { " OF ", changes = function() return 'often' end }",
         "key.changes: must be one of arrival, served, planned, timed; got often"},
        {"uses = function() return { 'in_order' } end, key = { " OF ", changes = 'served' }",
         NO_ORDERED_KEY},
        {"uses = { 'in_order' }, key = { " OF ", changes = function() return 'timed' end }",
         NO_ORDERED_KEY},
        {"uses = function() return { 'keep' } end, " CLUSTER_KEY, NO_KEEPING},
        {"uses = function() return {} end, records = true, " ADMIT ", " CLUSTER_KEY, NO_RECORDS},
        {"uses = function() return { 'in_order', 'forecasts' } end, " CLUSTER_KEY, NO_FORECASTS},
        {"key = { " OF ", changes = function() end }",
         "key.changes: must be one of arrival, served, planned, timed; got nil"},
    };
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[512], message[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'cluster', key = { changes = 'served',\nof = "
                 "function(s, job) return %s end } }",
                 keys[i].result);
        snprintf(message, sizeof message, AT_2 "job 1 at time 0: %s", keys[i].message);
        good = gives_up_cluster(text, NULL, message) && good;
    }
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++) {
        char text[512], message[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'cluster', params = { a = { default = 1, doc = '' } "
                 "},\n%s }",
                 uses[i].body);
        snprintf(message, sizeof message, AT_2 "time 0: %s", uses[i].message);
        good = gives_up_cluster(text, NULL, message) && good;
    }
    assert_true(good);
}

/* ---- the right thing at the wrong time ------------------------------------------------------- */

#define NO_WEIGHT "jobs are weighed only in plan"
#define NO_KILL   "tasks are killed only in preempt"
#define NO_WRITE                                                                                   \
    "a key cannot write to memory (write in admit, plan, preempt, pick, elapse, arrive, leave or " \
    "init)"
#define NO_LUCK  "a key cannot be random (draw in arrive, and keep it in per_job)"
#define NO_ORDER "a key cannot ask for the order (it makes the order)"
#define GONE     "there is no job 1 in the system (it may have finished)"

/* A statement in each of the functions, and its message there; the job at hand stands in it as
 * JOB. */
static const struct {
    const char *statement, *in_key, *in_init, *in_hooks, *in_plan, *in_preempt;
} MOMENTS[] = {
    {"s:weigh(JOB, 0)", NO_WEIGHT, NO_WEIGHT, NO_WEIGHT, NULL, NO_WEIGHT},
    {"s:kill(JOB, 'map', 1)", NO_KILL, NO_KILL, NO_KILL, NO_KILL, NULL},
    {"s:kill_task(JOB, 'map', 1)", NO_KILL, NO_KILL, NO_KILL, NO_KILL,
     "its map task 1 does not run"},
    {"s.state.a = 1", NO_WRITE, NULL, NULL, NULL, NULL},
    {"s.per_job.c[JOB] = 1", NO_WRITE, GONE, NULL, NULL, NULL},
    {"s:random(1, 2)", NO_LUCK, NULL, NULL, NULL, NULL},
    {"s:uniform()", NO_LUCK, NULL, NULL, NULL, NULL},
    {"for j in s:by_key 'map' do s:id(j) end", NO_ORDER, NULL, NULL, NULL, NULL},
    {"s:first 'reduce'", NO_ORDER, NULL, NULL, NULL, NULL},
    {"s:fill 'map'", NO_ORDER, NULL, NULL, NULL, NULL},
    {"for j in s:jobs() do s:need(j, 'map') end", NULL, NULL, NULL, NULL, NULL},
    {"s:share(JOB, 'map')", NULL, GONE, NULL, NULL, NULL},
    {"for t, n, b, a, p in s:tasks_running(JOB, 'map') do end", NULL, GONE, NULL, NULL, NULL},
};

static void check_moment(const char *function, const char *statement, const char *message,
                         const char *job)
{
    bool in_key = strcmp(function, "key") == 0, in_plan = strcmp(function, "plan") == 0;
    char text[1024], said[512];
    snprintf(text, sizeof text,
             "return { name = 'x', model = 'cluster', state = { 'a' }, per_job = { 'c' }, uses = { "
             "'shares' },\n"
             "%s = %sfunction(s, job) local JOB = %s if JOB then %s end %s end%s %s }",
             function, in_key ? "{ changes = 'served', of = " : "", job, statement,
             in_key ? "return 1" : "", in_key ? " }," : ",",
             in_plan ? "" : "plan = function() end");
    pn_lua_policy *policy = load(text);
    int status = run_few_cluster(policy, NULL);
    snprintf(said, sizeof said, "%s", pn_lua_policy_message(policy));
    if (message && (status != PN_ERR_POLICY || !strstr(said, message) ||
                    strncmp(said, AT_2, strlen(AT_2)) != 0))
        fail_msg("%s in %s: '%s', want '%s'", statement, function, said, message);
    if (!message && status != PN_DONE)
        fail_msg("%s in %s: '%s'", statement, function, said);
    pn_lua_policy_free(policy);
}

static void the_right_thing_at_the_wrong_time(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof MOMENTS / sizeof MOMENTS[0]; i++) {
        check_moment("key", MOMENTS[i].statement, MOMENTS[i].in_key, "job");
        check_moment("init", MOMENTS[i].statement, MOMENTS[i].in_init, "1");
        check_moment("arrive", MOMENTS[i].statement, MOMENTS[i].in_hooks, "job");
        check_moment("leave", MOMENTS[i].statement, MOMENTS[i].in_hooks, "job");
        check_moment("elapse", MOMENTS[i].statement, MOMENTS[i].in_hooks, "s:first 'map'");
        check_moment("plan", MOMENTS[i].statement, MOMENTS[i].in_plan, "s:first 'map'");
        check_moment("preempt", MOMENTS[i].statement, MOMENTS[i].in_preempt, "s:first 'map'");
    }
}

/* ---- what the view says ---------------------------------------------------------------------- */

/* At 4250, when job 3 comes, job 2 is gone. The maps of job 1 ended at 1700, as job 2 goes first;
 * its reduces hold both slots since 1000, and work since 1700, 2550 of 9000 ms. */
static void the_view_tells_the_truth(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'cluster', uses = { 'estimates', 'shares' }, key = { changes "
        "= 'arrival',\n"
        "of = function(s, job, kind) return -s:id(job) end }, plan = function(s, reason)\n"
        "  if s:now() ~= 4250 then return end\n"
        "  print(reason, s:in_system(), s:nodes(), s:capacity 'map', s:capacity_up 'reduce', "
        "s:free 'map', s:free 'reduce')\n"
        "  for job in s:jobs() do print(s:id(job), s:submit(job), s:group(job), s:deadline(job), "
        "s:tasks(job, 'map'),\n"
        "    s:done(job, 'map'), s:running(job, 'reduce'), s:unfinished(job, 'reduce'), "
        "s:pending(job, 'reduce'), s:need(job, "
        "'map')) end\n"
        "  for job in s:by_key 'map' do print(s:id(job), s:average(job, 'map'), s:remaining(job), "
        "s:alone(job)) end\n"
        "  for task, node, start, attempt, progress in s:tasks_running(1, 'reduce') do print(task, "
        "node, start, attempt, "
        "progress) end\n"
        "  local milli = s:fill 'reduce' for job in s:jobs() do print(milli[job]) end\n"
        "  print(s:scale(1 << 62, 6, 4), s:scale(math.maxinteger, 3, 1), s:scale(7, 3, 2))\n"
        "  for node = 0, 1 do print(node, s:node_slots(node, 'map'), s:node_slots(node, "
        "'reduce'),\n"
        "    s:node_speed(node), s:node_up(node))\n"
        "    for job, kind, task, start, attempt, progress in s:attempts_on(node) do\n"
        "      print(s:id(job), kind, task, start, attempt, progress) end end end }";
    static const char *const want[] = {
        ":4: time 4250: arrival\t2\t2\t4\t2\t4\t0",
        ":5: time 4250: 1\t0\t0\t60000\t3\t3\t2\t2\t0\t0",
        ":5: time 4250: 3\t4250\t1\t40000\t4\t0\t0\t1\t0\t4",
        ":7: time 4250: 3\t1000\t7223\t7223",
        ":7: time 4250: 1\t1000\t5955\t6955",
        ":8: time 4250: 1\t0\t1000\t0\t522221",
        ":8: time 4250: 2\t1\t1000\t0\t522221",
        ":9: time 4250: 2000",
        ":9: time 4250: 0",
        ":10: time 4250: 6917529027641081856\t9223372036854775807\t10",
        ":11: time 4250: 0\t2\t1\t1000\ttrue",
        ":14: time 4250: 1\treduce\t1\t1000\t0\t522221",
        ":11: time 4250: 1\t2\t1\t1000\ttrue",
        ":14: time 4250: 1\treduce\t2\t1000\t0\t522221",
    };
    static lines said;
    char expected[sizeof said.text];
    size_t size = 0;
    pn_lua_options options = pn_lua_defaults();
    (void)unused;
    options.print = keep_line;
    options.user = &said;
    pn_lua_policy *policy = load_with(text, &options);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        size += (size_t)snprintf(expected + size, sizeof expected - size, FILE_NAME "%s\n",
                                 want[i]);
    assert_int_equal(run_few_cluster(policy, NULL), PN_DONE);
    assert_string_equal(said.text, expected);
    pn_lua_policy_free(policy);
}

/* Whether it suspends is asked of policies of any model. */
static void only_a_policy_of_the_model_suspends(void **unused)
{
    (void)unused;
    pn_lua_policy *other = load("return { name = 'x', model = 'dag' }");
    assert_int_equal(pn_lua_policy_suspends(NULL), 0);
    assert_int_equal(pn_lua_policy_suspends(other), 0);
    pn_lua_policy_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_policy_of_the_model_suspends),
        cmocka_unit_test(definitions_that_are_refused),
        cmocka_unit_test(definitions_that_are_short),
        cmocka_unit_test(decisions_that_cannot_be),
        cmocka_unit_test(what_is_not_used_is_refused),
        cmocka_unit_test(results_of_the_wrong_kind),
        cmocka_unit_test(the_right_thing_at_the_wrong_time),
        cmocka_unit_test(the_view_tells_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
