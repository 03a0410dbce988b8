/* What policies in Lua of the tandem model may not do, and what they are told: definitions that are
 * refused, rates that are infeasible, results of the wrong kind, and the view used where it must
 * not be. Messages are compared whole. */
#include "tandem/support/script.h"

/* ---- definitions ----------------------------------------------------------------------------- */

#define KNOWN                                                                                   \
    "arrive, finish, init, key_name, map, model, name, orders, params, per_job, ranks, rates, " \
    "shuffle, "                                                                                 \
    "state, summary, wake, "                                                                    \
    "work_conserving"
#define FIELDS "name = 'x', model = 'tandem', "
#define SERVES "map = {}, shuffle = {}"
#define KEY    "key = function(s, job) return 1 end"
#define RATES  "rates = function(s) end"
#define EITHER                                                                                \
    "must have either map and shuffle (how the stations serve) or rates (code that sets the " \
    "rates)"

/* The fields of a definition, and the message behind the file's name. */
static const struct {
    const char *fields, *message;
} DEFINITIONS[] = {
    {"name = 'x', map = {}", "model: is required (slotted, tandem, makespan, cluster or dag)"},
    {"name = 'x', model = 'fluid', map = {}",
     "model: must be one of slotted, tandem, makespan, cluster, dag; got fluid"},
    {"model = 'tandem', " SERVES, "name: is required (1 to 31 letters, digits, _, - and dots)"},
    {FIELDS "summary = 5, " SERVES, "summary: must be a string, got a number"},
    {FIELDS "slot = 1, " SERVES, "slot: unknown field (known: " KNOWN ")"},
    {FIELDS "shufle = {}, map = {}", "shufle: unknown field (did you mean 'shuffle'?)"},
    {FIELDS "tick_slots = 1, " SERVES, "tick_slots: unknown field (known: " KNOWN ")"},
    {FIELDS "work_conserving = 1, " SERVES,
     "work_conserving: must be true, false or \"by default\", got a number"},
    {FIELDS "work_conserving = 'always', " SERVES,
     "work_conserving: must be one of by default; got always"},
    {FIELDS "ranks = 1, " SERVES, "ranks: must be true or false, got a number"},

    {FIELDS "state = {}", EITHER},
    {FIELDS "map = {}", EITHER},
    {FIELDS "shuffle = {}", EITHER},
    {FIELDS "map = {}, " RATES, EITHER},
    {FIELDS "shuffle = {}, " RATES, EITHER},
    {FIELDS SERVES ", " RATES, EITHER},
    {FIELDS "rates = 1", "rates: must be a function, got a number"},
    {FIELDS "rates = math.floor", "rates: must be a function, got a C function"},
    {FIELDS "wake = 1, " SERVES, "wake: must be a function, got a number"},
    {FIELDS "init = 1, " SERVES, "init: must be a function, got a number"},
    {FIELDS "arrive = {}, " SERVES, "arrive: must be a function, got a table"},
    {FIELDS "finish = 'f', " SERVES, "finish: must be a function, got a string"},

    {FIELDS "map = 'id', shuffle = {}",
     "map: must be a table such as { changes = \"served\", key = function(s, job) ... end } or { "
     "serve = \"share\" }, got a "
     "string"},
    {FIELDS "map = {}, shuffle = function(s, job) return 1 end",
     "shuffle: must be a table such as { changes = \"served\", key = function(s, job) ... end } or "
     "{ serve = \"share\" }, got a "
     "function"},
    {FIELDS "map = { 1 }, shuffle = {}",
     "map.has an entry under a number (expected named fields only)"},
    {FIELDS "map = { of = 'mapping' }, shuffle = {}",
     "map.of: unknown field (known: changes, key, limit, order, serve)"},
    {FIELDS "map = { serves = 'first' }, shuffle = {}",
     "map.serves: unknown field (did you mean 'serve'?)"},
    {FIELDS "map = { serve = 'strict' }, shuffle = {}",
     "map.serve: must be one of first, share; got strict"},
    {FIELDS "map = {}, shuffle = { serve = 'fair' }",
     "shuffle.serve: must be one of first, strict, share, rigid; got fair"},
    {FIELDS "map = {}, shuffle = { serve = true }",
     "shuffle.serve: must be one of first, strict, share, rigid; got boolean"},
    {FIELDS "map = { limit = 5 }, shuffle = {}",
     "map.limit: goes with serve = \"share\" (how many jobs share the station at once)"},
    {FIELDS "map = {}, shuffle = { serve = 'share', limit = 5 }",
     "shuffle.limit: unknown field (known: changes, key, order, serve)"},
    {FIELDS "map = { serve = 'share', limit = 0 }, shuffle = {}",
     "map.limit: must be an integer in 1..4294967295"},
    {FIELDS "map = { serve = 'share', limit = 2.5 }, shuffle = {}",
     "map.limit: must be an integer in 1..4294967295"},
    {FIELDS "map = { key = 'arrival' }, shuffle = {}",
     "map.key: must be one of id, longest, map, sum, shuffle; got arrival"},
    {FIELDS "map = { key = 1 }, shuffle = {}", "map.key: must be a function, got a number"},
    {FIELDS "map = { key = math.abs, changes = 'served' }, shuffle = {}",
     "map.key: must be a function, got a C function"},
    {FIELDS "map = { " KEY " }, shuffle = {}",
     "map.changes: is required (when the key may change: arrival, served or instants)"},
    {FIELDS "map = { " KEY ", changes = 'time' }, shuffle = {}",
     "map.changes: must be one of arrival, served, instants; got time"},
    {FIELDS "map = { changes = 'served' }, shuffle = {}",
     "map.changes: goes with a function for the key (the kernel knows when its own keys change)"},
    {FIELDS "map = { key = 'id', changes = 'arrival' }, shuffle = {}",
     "map.changes: goes with a function for the key (the kernel knows when its own keys change)"},
    {FIELDS "map = { member = print }, shuffle = {}",
     "map.member: unknown field (known: changes, key, limit, order, serve)"},
    {FIELDS "orders = { mine = { of = 'mapping', member = true } }, " RATES,
     "orders.mine.member: must be a function, got a boolean"},
    {FIELDS "orders = { mine = { of = 'mapping', member = function() return true end } }, map = { "
            "order = 'mine' }, shuffle = {}",
     "map.order: 'mine' has a member function (jobs that it leaves out would never be served)"},
    {FIELDS "map = { serve = 'share', " KEY ", changes = 'served' }, shuffle = {}",
     "map.serve: a share needs an order that never changes (changes = \"arrival\", or key = "
     "\"id\")"},
    {FIELDS "map = { key = 'sum', changes = 'served' }, shuffle = {}",
     "map.changes: goes with a function for the key (the kernel knows when its own keys change)"},
    {FIELDS "map = { serve = 'share', key = 'longest' }, shuffle = {}",
     "map.serve: a share needs an order that never changes (changes = \"arrival\", or key = "
     "\"id\")"},
    {FIELDS "map = {}, shuffle = { serve = 'share', key = 'id' }",
     "shuffle.key: goes with serve = \"first\" or \"strict\" (all jobs share, in no order)"},
    {FIELDS "map = { order = 'mine' }, shuffle = {}",
     "map.order: must be the name of an order in orders = { ... }, got mine"},
    {FIELDS "map = { order = 1 }, shuffle = {}",
     "map.order: must be the name of an order in orders = { ... }, got number"},
    {FIELDS "orders = { mine = { of = 'present' } }, map = { order = 'mine' }, shuffle = {}",
     "map.order: 'mine' is of present (expected an order of mapping)"},
    {FIELDS "orders = { mine = { of = 'present' } }, map = {}, shuffle = { order = 'mine' }",
     "shuffle.order: 'mine' is of present (expected an order of backlog)"},
    {FIELDS "orders = { mine = { of = 'backlog' } }, map = {}, shuffle = { serve = 'strict', order "
            "= 'mine' }",
     "shuffle.order: 'mine' is of backlog (expected an order of present)"},
    {FIELDS
     "orders = { mine = { of = 'mapping' } }, map = { order = 'mine', key = 'id' }, shuffle = {}",
     "map.key: there is an order already, by its name (expected one of the two)"},
    {FIELDS "orders = { mine = { of = 'mapping' } }, map = { order = 'mine', changes = 'served' }, "
            "shuffle = {}",
     "map.changes: there is an order already, by its name (expected one of the two)"},

    {FIELDS "orders = 1, " RATES, "orders: must be a table of orders by name, got a number"},
    {FIELDS "orders = { 1 }, " RATES,
     "orders: must have named entries only, got a number as a name"},
    {FIELDS "orders = { ['a b'] = {} }, " RATES,
     "orders: must be a name of 1 to 31 letters, digits, _"},
    {FIELDS "orders = { a = 'id' }, " RATES,
     "orders.a: must be a table such as { of = \"mapping\", changes = \"served\", key = "
     "function(s, job) ... end }, got a string"},
    {FIELDS "orders = { a = {} }, " RATES,
     "orders.a.of: is required (which jobs stand in it: mapping, backlog or present)"},
    {FIELDS "orders = { a = { of = 'all' } }, " RATES,
     "orders.a.of: must be one of mapping, backlog, present; got all"},
    {FIELDS "orders = { a = { of = 'present', serve = 'first' } }, " RATES,
     "orders.a.serve: unknown field (known: changes, key, member, of)"},
    {FIELDS "orders = { a = { of = 'present', " KEY " } }, " RATES,
     "orders.a.changes: is required (when the key may change: arrival, served or instants)"},
    {FIELDS "orders = { map = { of = 'present' } }, " SERVES,
     "orders.map: map has an order of its own, which is called so (expected order = \"map\" "
     "there)"},
    {FIELDS "orders = { a={of='present'}, b={of='present'}, c={of='present'}, d={of='present'}, "
            "e={of='present'} }, " SERVES,
     "orders: there are more than 6 with those of map and shuffle"},
    {FIELDS "orders = { a={}, b={}, c={}, d={}, e={}, f={}, g={} }, " RATES,
     "orders: there are 7 (expected 0 to 6)"},

    {FIELDS "params = 1, " SERVES, "params: must be a table of parameters by name, got a number"},
    {FIELDS "params = { a = { doc = '' } }, " SERVES,
     "params.a.default: is required (a number; 1 allows integers only, 1.0 any number; or true, "
     "false, a word of choices = { ... }, or a table of shape = ...)"},
    {FIELDS "params = { a = { default = {}, doc = '' } }, " SERVES,
     "params.a.shape: is required beside a default that is a table"},
    {FIELDS "params = { a = { default = true, doc = 2 } }, " SERVES,
     "params.a.doc: must be a text that says what it does, got a number"},
    {FIELDS "params = { a = { default = true, doc = '', min = 0 } }, " SERVES,
     "params.a.min: goes with a default that is a number"},
    {FIELDS
     "params = { a = { default = 'b', doc = '', choices = { 'a', 'b' }, max = 1 } }, " SERVES,
     "params.a.max: goes with a default that is a number"},
    {FIELDS "params = { a = { default = true, doc = '', choices = { 'a', 'b' } } }, " SERVES,
     "params.a.choices: goes with a default that is a word"},
    {FIELDS "params = { a = { default = 1, doc = '', choices = { 'a', 'b' } } }, " SERVES,
     "params.a.choices: goes with a default that is a word"},
    {FIELDS "params = { a = { default = 'a', doc = '' } }, " SERVES,
     "params.a.choices: must be a list of 2 to 8 words, of which default is one"},
    {FIELDS "params = { a = { default = 'a', doc = '', choices = { 'a' } } }, " SERVES,
     "params.a.choices: must be a list of 2 to 8 words, of which default is one"},
    {FIELDS
     "params = { a = { default = 'a', doc = '', choices = { 'a', b = 'c', 'd' } } }, " SERVES,
     "params.a.choices: must be a list of 2 to 8 words, of which default is one"},
    {FIELDS "params = { a = { default = 'a', doc = '', choices = { "
            "'a','b','c','d','e','f','g','h','i' } } }, " SERVES,
     "params.a.choices: must be a list of 2 to 8 words, of which default is one"},
    {FIELDS "params = { a = { default = 'a', doc = '', choices = { 'a', 1 } } }, " SERVES,
     "params.a.choices: must be a name of 1 to 31 letters, digits, _"},
    {FIELDS "params = { a = { default = 'a', doc = '', choices = { 'a', 'a' } } }, " SERVES,
     "params.a.choices: a is named twice"},
    {FIELDS
     "params = { a = { default = 'false', doc = '', choices = { 'false', 'true' } } }, " SERVES,
     "params.a.choices: must be words (a boolean is declared by default = true or false alone)"},
    {FIELDS "params = { a = { default = 'c', doc = '', choices = { 'a', 'b' } } }, " SERVES,
     "params.a.default: must be one of a, b; got c"},
    {FIELDS "params = { a = { default = 1, doc = '', max = 2.5 } }, " SERVES,
     "params.a.max: must be an integer, |x| <= 2^53"},
    {FIELDS "params = { a = { default = 0.5, doc = '', min = 0/0 } }, " SERVES,
     "params.a.min: must be a number"},
    {FIELDS "params = { a = { default = 1/0, doc = '' } }, " SERVES,
     "params.a.default: must be finite and lie between min and max"},
    {FIELDS "state = { 'a', 'a' }, " SERVES, "state: a is named twice"},
    {FIELDS "per_job = { a = 1 }, " SERVES,
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

/* What is left out means something. */
static void definitions_that_are_short(void **unused)
{
    static const struct {
        const char *fields;
        uint8_t work_conserving, order_count;
    } cases[] = {
        {SERVES, PN_TANDEM_WORK_CONSERVING, 2},
        {"map = { serve = 'share' }, shuffle = { serve = 'share' }", PN_TANDEM_WORK_CONSERVING, 1},
        {"map = { key = 'longest' }, shuffle = { key = 'shuffle' }", PN_TANDEM_WORK_CONSERVING, 2},
        {"map = { serve = 'share', limit = 2 }, shuffle = { serve = 'rigid' }",
         PN_TANDEM_NO_PROMISE, 1},
        {"map = {}, shuffle = { serve = 'strict' }", PN_TANDEM_NO_PROMISE, 2},
        {SERVES ", work_conserving = false", PN_TANDEM_NO_PROMISE, 2},
        {SERVES ", work_conserving = 'by default'", PN_TANDEM_WORK_CONSERVING_BY_DEFAULT, 2},
        {"orders = { a = { of = 'mapping' }, b = { of = 'backlog' } }, map = { order = 'a' }, "
         "shuffle = { order = 'b' }",
         PN_TANDEM_WORK_CONSERVING, 2},
        {"orders = { line = { of = 'mapping' }, stored = { of = 'backlog' } }, "
         "rates = function(s) s:fill_map 'line' s:fill_shuffle 'stored' end",
         PN_TANDEM_NO_PROMISE, 2},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "return { name = 'x', model = 'tandem', %s }", cases[i].fields);
        pn_lua_policy *policy = load(text);
        assert_null(pn_lua_policy_slotted(policy));
        assert_int_equal(pn_lua_policy_tandem(policy)->work_conserving, cases[i].work_conserving);
        assert_int_equal(pn_lua_policy_tandem(policy)->order_count, cases[i].order_count);
        if (run_few_tandem(policy, NULL) != PN_DONE)
            fail_msg("%s: '%s'", text, pn_lua_policy_message(policy));
        pn_lua_policy_free(policy);
    }
}

/* ---- rates ----------------------------------------------------------------------------------- */

#define AT_2 FILE_NAME ":2: "

/* The body of the function rates, on line 2, over the few jobs, and the message behind file and
 * line. */
static const struct {
    const char *body, *message;
} RATES_SET[] = {
    {"s:give_map(1, 1.5)", "job 1 at time 0: asked for a map rate of 1.5, 1 is left"},
    {"s:give_map(1, 0.75) s:give_map(1, 0.75)",
     "job 1 at time 0: asked for a map rate of 0.75, 0.25 is left"},
    {"s:give_map(2, 0.5)", "job 2 at time 0: has no map work left"},
    {"s:give_map(1, -1)", "job 1 at time 0: give_map: a rate >= 0 is expected, got -1"},
    {"s:give_map(1, 0/0)", "job 1 at time 0: give_map: a rate >= 0 is expected, got NaN"},
    {"s:give_map(1, 1/0)", "job 1 at time 0: give_map: a rate >= 0 is expected, got inf"},
    {"s:give_map(1, '1')", "job 1 at time 0: give_map: a rate >= 0 is expected, got 1"},
    {"s:give_map(1)", "job 1 at time 0: give_map: a rate >= 0 is expected, got no value"},
    {"s:give_shuffle(2, 1.25)", "job 2 at time 0: asked for a shuffle rate of 1.25, 1 is left"},
    {"s:give_shuffle(1, 0.25)", "job 1 at time 0: asked for a shuffle rate of 0.25, without "
                                "backlog it can use 0 (map rates are set first)"},
    {"s:give_map(1, 1) s:give_shuffle(1, 0.125) s:give_shuffle(1, 0.5)",
     "job 1 at time 0: asked for a shuffle rate of 0.5, without backlog it can use 0.375 (map "
     "rates are set first)"},
    {"s:give_shuffle(2, {})", "job 2 at time 0: give_shuffle: a rate >= 0 is expected, got table"},
    {"s:give_map(0, 1)", "time 0: there is no job 0 in the system (it may have finished)"},
    {"s:give_map(3, 1)", "time 0: there is no job 3 in the system (it may have finished)"},
    {"s:give_map('1', 1)", "time 0: give_map: a job is expected, got string"},
    {"s.give_map(1, 1)", "time 0: the view comes first: call it as s:name(...)"},
    {"if s:time() > 4 then s:give_map(1, 0.5) end",
     "time 4.25: there is no job 1 in the system (it may have finished)"},
    {"if s:time() > 4 then s:give_map(s:first 'line', 2) end",
     "job 3 at time 4.25: asked for a map rate of 2, 1 is left"},

    {"s:fill_map('mine')", "time 0: there is no order 'mine' (declare it in orders = { ... })"},
    {"s:fill_map()", "time 0: fill_map: the name of an order is expected, got no value"},
    {"s:fill_map('stored')", "time 0: order 'stored' is of backlog (expected one of mapping)"},
    {"s:fill_shuffle('line')", "time 0: order 'line' is of mapping (expected one of backlog)"},
    {"s:fill_shuffle('all', 1)", "time 0: order 'all' is of present (expected one of backlog)"},
    {"s:fill_map('line', -1)", "time 0: fill_map: a rate >= 0 is expected, got -1"},
    {"s:fill_shuffle('stored', 0/0)", "time 0: fill_shuffle: a rate >= 0 is expected, got NaN"},
    {"s:first(1)", "time 0: there is no order '1' (declare it in orders = { ... })"},
    {"for job in s:by 'none' do end",
     "time 0: there is no order 'none' (declare it in orders = { ... })"},
    {"s:next('line', 2)", "job 2 at time 0: does not stand in the order 'line'"},
    {"s:next('line', 7)", "time 0: there is no job 7 in the system (it may have finished)"},
    {"s:member('line')", "time 0: member: a job is expected, got no value"},
    {"s:rank(1, 'map')", "time 0: jobs have no ranks (declare ranks = true)"},
    {"s:rank(1, 'reduce')", "time 0: the station must be map or shuffle, got reduce"},
    {"s:rank(1)", "time 0: the station must be map or shuffle, got no value"},
    {"s:serve('map', { serve = 'share' })",
     "time 0: how a station serves can only be changed in init"},
    {"s:active('1')", "time 0: active: an integer >= 0 is expected, got 1"},
    {"s.state.old = 'x'", "time 0: declared memory holds numbers, got string"},
    {"s:longest_lft(1)", "time 0: the view has no 'longest_lft' (did you mean 'longest_left'?)"},
    {"s:slot()", "time 0: the view has no 'slot' (did you mean 'time'?)"},
    {"s.params.b = 1",
     "time 0: the view is read-only (declare memory in state = { ... } and write s.state.name)"},
    {"local x = s.params.b", "time 0: there is no parameter 'b' (declare it in params = { ... })"},
    {"error 'boom'", "time 0: boom"},
    {"error('time of mine')", "time 0: time of mine"},
    {"error('job 7 at time 0.5: is odd')", "job 7 at time 0.5: is odd"},
    {"error('job 7 at slot 1: is odd')", "time 0: job 7 at slot 1: is odd"},
};

static void rates_that_are_infeasible(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof RATES_SET / sizeof RATES_SET[0]; i++) {
        char text[1024], message[1024];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'tandem', state = { 'old' }, params = { a = { "
                 "default = 1, doc = '' } },\n"
                 "rates = function(s) do %s end\n s:fill_map 'line' s:fill_shuffle 'stored' end,\n"
                 "orders = { line = { of = 'mapping' }, stored = { of = 'backlog' }, all = { of = "
                 "'present' } } }",
                 RATES_SET[i].body);
        snprintf(message, sizeof message, AT_2 "%s", RATES_SET[i].message);
        good = gives_up_tandem(text, NULL, message) && good;
    }
    assert_true(good);
}

/* In a time that no short decimal fraction is. */
static void messages_show_the_time_exactly(void **unused)
{
    static const char text[] =
        "return { name = 'x', model = 'tandem', map = {}, shuffle = {}, state = { 'n' },\n"
        "wake = function(s) if s:time() > 0 then error 'late' end return 1 / 3 end }";
    (void)unused;
    assert_true(gives_up_tandem(text, NULL, AT_2 "time 0.3333333333333333: late"));
}

/* ---- services changed in init ---------------------------------------------------------------- */

static const struct {
    const char *body, *message;
} SERVICES[] = {
    {"s:serve('reduce', {})", "time 0: the station must be map or shuffle, got reduce"},
    {"s:serve('map')", "time 0: bad argument #2 to 'serve' (table expected, got no value)"},
    {"s:serve('map', { server = 'share' })",
     "time 0: map.server: unknown field (did you mean 'serve'?)"},
    {"s:serve('map', { serve = 'strict' })",
     "time 0: map.serve: must be one of first, share; got strict"},
    {"s:serve('map', { serve = 'share' })", "time 0: map.serve: a share needs an order that never "
                                            "changes (changes = \"arrival\", or key = \"id\")"},
    {"s:serve('map', { limit = 3 })",
     "time 0: map.limit: goes with serve = \"share\" (how many jobs share the station at once)"},
    {"s:serve('map', { order = 'none' })",
     "time 0: map.order: must be the name of an order in orders = { ... }, got none"},
    {"s:serve('map', { order = 'all' })",
     "time 0: map.order: 'all' is of present (expected an order of mapping)"},
    {"s:serve('map', { key = 'id' })",
     "time 0: map.key: unknown field (known: limit, order, serve)"},
    {"s:serve('shuffle', { serve = 'strict' })",
     "time 0: shuffle.order: 'shuffle' is of backlog (expected an order of present)"},
    {"s:serve('shuffle', { serve = 'strict', order = 'all' })",
     "time 0: would leave shuffle idle (declare work_conserving = false or \"by default\")"},
    {"s:serve('shuffle', { serve = 'rigid' })",
     "time 0: would leave shuffle idle (declare work_conserving = false or \"by default\")"},
};

static void services_that_do_not_fit(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof SERVICES / sizeof SERVICES[0]; i++) {
        char text[1024], message[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'tandem', orders = { all = { of = 'present' } }, "
                 "shuffle = {},\n"
                 "init = function(s) %s end,\nmap = { changes = 'served', " KEY " } }",
                 SERVICES[i].body);
        snprintf(message, sizeof message, AT_2 "%s", SERVICES[i].message);
        good = gives_up_tandem(text, NULL, message) && good;
    }
    good = gives_up_tandem("return { name = 'x', model = 'tandem', rates = function(s) end,\n"
                           "init = function(s) s:serve('map', {}) end }",
                           NULL,
                           AT_2 "time 0: rates sets the rates, no station serves by itself") &&
           good;
    assert_true(good);
}

/* ---- results --------------------------------------------------------------------------------- */

#define NO_KEY                                                                                  \
    "a key must be one or two finite numbers; a boolean may stand before the second, which is " \
    "then >= 0, got "
#define NO_WAKE "wake must return in what time, >= 0, or nil for never, got "

static const struct {
    const char *result, *message;
} KEYS[] =
    {
        {"nil", NO_KEY "nil"},
        {"", NO_KEY "nil"},
        {"true", NO_KEY "boolean"},
        {"'1'", NO_KEY "string"},
        {"{}", NO_KEY "table"},
        {"s", NO_KEY "userdata"},
        {"0/0", NO_KEY "NaN"},
        {"1/0", NO_KEY "inf"},
        {"-1/0", NO_KEY "-inf"},
        {"1 << 60", NO_KEY "1152921504606846976"},
        {"1, 0/0", NO_KEY "NaN"},
        {"1, '2'", NO_KEY "string"},
        {"1, {}", NO_KEY "table"},
        {"nil, 1", NO_KEY "nil"},
        {"1, true, 0/0", NO_KEY "NaN"},
        {"1, true, -0.5", NO_KEY "-0.5"},
        {"1, false, -1", NO_KEY "-1"},
        {"1, false, true", NO_KEY "boolean"},
        {"1, true, 1/0", NO_KEY "inf"},
        {"1, 2, 3", NO_KEY "3"},
        {"1, 2, true", NO_KEY "boolean"},
        {"1, nil, 3", NO_KEY "3"},
        {"1, true, 3, 'x'", "returns a fourth value (expected at most three), got string"},
},
  WAKES[] =
      {
          {"-1", NO_WAKE "-1"},
          {"0/0", NO_WAKE "NaN"},
          {"'1'", NO_WAKE "string"},
          {"{}", NO_WAKE "table"},
          {"true", NO_WAKE "boolean"},
          {"-1/0", NO_WAKE "-inf"},
          {"7, 8", "returns a second value (expected one), got 8"},
},
  MEMBERS[] = {
      {"nil", "member must return true or false, got nil"},
      {"", "member must return true or false, got nil"},
      {"1", "member must return true or false, got 1"},
      {"'true'", "member must return true or false, got string"},
};

#define MAPPED                                                                           \
    "return { name = 'x', model = 'tandem', shuffle = {}, map = { changes = 'served',\n" \
    "key = function(s, job) return %s end } }"
#define NAMED                                                                                 \
    "return { name = 'x', model = 'tandem', " RATES ", orders = { mine = { of = 'present',\n" \
    "member = function(s, job) return %s end } } }"

static bool ends_with(const char *format, const char *result, const char *said)
{
    char text[512], message[512];
    snprintf(text, sizeof text, format, result);
    snprintf(message, sizeof message, AT_2 "job 1 at time 0: %s", said);
    return gives_up_tandem(text, NULL, message);
}

static void results_of_the_wrong_kind(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        good = ends_with(MAPPED, KEYS[i].result, KEYS[i].message) && good;
    for (size_t i = 0; i < sizeof MEMBERS / sizeof MEMBERS[0]; i++)
        good = ends_with(NAMED, MEMBERS[i].result, MEMBERS[i].message) && good;
    for (size_t i = 0; i < sizeof WAKES / sizeof WAKES[0]; i++) {
        char text[512], message[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'tandem', map = {}, shuffle = {},\nwake = "
                 "function(s) return %s end }",
                 WAKES[i].result);
        snprintf(message, sizeof message, AT_2 "time 0: %s", WAKES[i].message);
        good = gives_up_tandem(text, NULL, message) && good;
    }
    assert_true(good);
}

static void results_at_the_limits(void **unused)
{
    static const char *const keys[] = {"1 << 53",         "-(1 << 53)",    "-0.0",
                                       "1e308, -1e308",   "5, nil",        "1, true",
                                       "1, false, nil",   "1, true, 0",    "1, false, -0.0",
                                       "-1, true, 1e308", "1, 2, nil, nil"};
    static const char *const wakes[] = {"0.5", "1/0", "nil", "", "1e300", "7, nil", "1 << 62"};
    (void)unused;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] + sizeof wakes / sizeof wakes[0]; i++) {
        char text[512];
        size_t k = i - sizeof keys / sizeof keys[0];
        if (i < sizeof keys / sizeof keys[0])
            snprintf(text, sizeof text, MAPPED, keys[i]);
        else
            snprintf(text, sizeof text,
                     "return { name = 'x', model = 'tandem', map = {}, shuffle = {}, wake = "
                     "function(s) return %s end }",
                     wakes[k]);
        pn_lua_policy *policy = load(text);
        if (run_few_tandem(policy, NULL) != PN_DONE)
            fail_msg("%s: '%s'", text, pn_lua_policy_message(policy));
        assert_string_equal(pn_lua_policy_message(policy), "");
        pn_lua_policy_free(policy);
    }
}

/* True goes before false, then the number behind it counts: whatever its size. */
static void booleans_sort_in_keys(void **unused)
{
    static const struct {
        const char *first, *second; /* what jobs 1 and 2 return */
        uint64_t first_served;
    } cases[] = {
        {"1, true, 1e300", "1, false, 0", 1}, {"1, false, 0", "1, true, 1e300", 2},
        {"1, true, 2", "1, true, 1", 2},      {"1, false, 1", "1, false, 2", 1},
        {"1, false, 0", "2, true, 0", 1},     {"1, true", "1, true", 1},
        {"1, false", "1, true", 2},           {"1, true, 0", "1, true", 1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'tandem', shuffle = {}, map = { changes = "
                 "'arrival', key = function(s, job)\n"
                 "if s:id(job) == 1 then return %s else return %s end end } }",
                 cases[i].first, cases[i].second);
        pn_lua_policy *policy = load(text);
        pn_tandem_hooks hooks = {.policy = pn_lua_policy_tandem(policy)};
        pn_tandem_job jobs[2] = {{.map = 1}, {.map = 1}};
        tandem_workload work = {2, jobs};
        pn_tandem_config config = tandem_config(&work, 0);
        pn_tandem_totals totals;
        config.policy = hooks.policy;
        config.warmup_jobs = cases[i].first_served == 1 ? 0 : 1;
        config.statistics = 1;
        pn_tandem *sim = tandem_sim(&config);
        assert_int_equal(tandem_submit(sim, &work, 0, 2), PN_OK);
        assert_int_equal(pn_tandem_run(sim, &hooks, 1.5, 100), PN_OK);
        pn_tandem_totals_get(sim, &totals);
        assert_int_equal(totals.finished, 1);
        if (pn_tandem_response_times(sim, PN_ALL_GROUPS)->count != 1)
            fail_msg("%s before %s?", cases[i].first, cases[i].second);
        free(sim);
        pn_lua_policy_free(policy);
    }
}

/* ---- the right thing at the wrong time ------------------------------------------------------- */

#define NO_RATES  "rates can only be set in rates"
#define NO_ORDERS "orders can only be used in rates and wake"
#define NO_WRITE \
    "a key or member cannot write to memory (write in rates, wake, arrive, finish or init)"
#define NO_LUCK  "a key or member cannot be random (draw in arrive, and keep it in per_job)"
#define GONE     "there is no job 1 in the system (it may have finished)"
#define NO_SERVE "how a station serves can only be changed in init"

/* A statement in each of the functions, and its message there; the job at hand stands in it as
 * JOB. */
static const struct {
    const char *statement, *in_key, *in_init, *in_arrive, *in_wake;
} MOMENTS[] = {
    {"s:give_map(JOB, 0)", NO_RATES, NO_RATES, NO_RATES, NO_RATES},
    {"s:give_shuffle(JOB, 0)", NO_RATES, NO_RATES, NO_RATES, NO_RATES},
    {"s:fill_map('line')", NO_RATES, NO_RATES, NO_RATES, NO_RATES},
    {"s:fill_shuffle('stored')", NO_RATES, NO_RATES, NO_RATES, NO_RATES},
    {"s:serve('map', {})", NO_SERVE, "rates sets the rates, no station serves by itself", NO_SERVE,
     NO_SERVE},
    {"s.state.a = 1", NO_WRITE, NULL, NULL, NULL},
    {"s.per_job.c[JOB] = 1", NO_WRITE, GONE, NULL, NULL},
    {"s:random(1, 2)", NO_LUCK, NULL, NULL, NULL},
    {"s:uniform()", NO_LUCK, NULL, NULL, NULL},
    {"for j in s:by 'line' do end", NO_ORDERS, NO_ORDERS, NO_ORDERS, NULL},
    {"s:first 'line'", NO_ORDERS, NO_ORDERS, NO_ORDERS, NULL},
    {"s:member('line', JOB)", NO_ORDERS, NO_ORDERS, NO_ORDERS, NULL},
};

static void check_moment(const char *function, const char *statement, const char *message,
                         const char *job)
{
    static const char frame[] =
        "return { name = 'x', model = 'tandem', state = { 'a' }, per_job = { 'c' },\n"
        "%s\norders = { stored = { of = 'backlog' }, line = { of = 'mapping' } },\n"
        "rates = function(s) s:fill_map 'line' s:fill_shuffle 'stored' end }";
    static const char order_frame[] =
        "return { name = 'x', model = 'tandem', state = { 'a' }, per_job = { 'c' }, orders = {\n"
        "line = { of = 'mapping', %s }, stored = { of = 'backlog' } },\n"
        "rates = function(s) s:fill_map 'line' s:fill_shuffle 'stored' end }";
    bool in_key = strcmp(function, "key") == 0, in_member = strcmp(function, "member") == 0;
    char text[1024], body[512], said[512];
    snprintf(body, sizeof body, "%s%s = function(s, job) local JOB = %s %s %s end%s",
             in_key ? "changes = 'served', " : "", function, job, statement,
             in_key      ? "return 1"
             : in_member ? "return true"
                         : "",
             in_key || in_member ? "" : ",");
    snprintf(text, sizeof text, in_key || in_member ? order_frame : frame, body);
    pn_lua_policy *policy = load(text);
    int status = run_few_tandem(policy, NULL);
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
        check_moment("member", MOMENTS[i].statement, MOMENTS[i].in_key, "job");
        check_moment("init", MOMENTS[i].statement, MOMENTS[i].in_init, "1");
        check_moment("arrive", MOMENTS[i].statement, MOMENTS[i].in_arrive, "job");
        check_moment("finish", MOMENTS[i].statement, MOMENTS[i].in_arrive, "job");
        check_moment("wake", MOMENTS[i].statement, MOMENTS[i].in_wake,
                     "s:active(1) and 1 or s:active(2) and 2 or 3");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_are_refused),
        cmocka_unit_test(definitions_that_are_short),
        cmocka_unit_test(rates_that_are_infeasible),
        cmocka_unit_test(messages_show_the_time_exactly),
        cmocka_unit_test(services_that_do_not_fit),
        cmocka_unit_test(results_of_the_wrong_kind),
        cmocka_unit_test(results_at_the_limits),
        cmocka_unit_test(booleans_sort_in_keys),
        cmocka_unit_test(the_right_thing_at_the_wrong_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
