/* What policies in Lua may not do, and what they are told: definitions that are refused, decisions
 * that are infeasible, results of the wrong kind, and the view used where it must not be. Messages
 * are compared whole. */
#include "slotted/support/script.h"

/* ---- definitions ----------------------------------------------------------------------------- */

#define KNOWN                                                                                  \
    "arrive, finish, init, key, key_name, load, model, modes, name, orders, params, per_job, " \
    "share, slot, "                                                                            \
    "state, summary, tick, "                                                                   \
    "tick_slots, virtual, work_conserving"
#define FIELDS "name = 'x', model = 'slotted', "
#define KEY    "key = 'arrival'"
#define OF     "of = function(s, job) return 1 end"
#define SLOT   "slot = function(s) end"

/* The fields of a definition, and the message behind the file's name. */
static const struct {
    const char *fields, *message;
} DEFINITIONS[] = {
    {"model = 'slotted', " KEY, "name: is required (1 to 31 letters, digits, _, - and dots)"},
    {"name = '', model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 'a b', model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 'a\\0b', model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 'a/b', model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 7, model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 'abcdefghijabcdefghijabcdefghij12', model = 'slotted', " KEY,
     "name: must be a name of 1 to 31 letters, digits, _, - and dots"},
    {"name = 'x', " KEY, "model: is required (slotted, tandem, makespan, cluster or dag)"},
    {"name = 'x', model = 'fluid', " KEY,
     "model: must be one of slotted, tandem, makespan, cluster, dag; got fluid"},
    {"name = 'x', model = 1, " KEY,
     "model: must be one of slotted, tandem, makespan, cluster, dag; got number"},
    {FIELDS "summary = 5, " KEY, "summary: must be a string, got a number"},
    {FIELDS "modes = 'preemptive', " KEY,
     "modes: must be an array of preemptive, nonpreemptive; got a string"},
    {FIELDS "modes = {}, " KEY, "modes: must name at least one of preemptive, nonpreemptive"},
    {FIELDS "modes = { 'both' }, " KEY,
     "modes: must be one of preemptive, nonpreemptive; got both"},
    {FIELDS "modes = { 'preemptive', 1 }, " KEY,
     "modes: must be one of preemptive, nonpreemptive; got number"},
    {FIELDS "kye = 1, " KEY, "kye: unknown field (did you mean 'key'?)"},
    {FIELDS "Tick_Slot = 1, " KEY, "Tick_Slot: unknown field (did you mean 'tick_slots'?)"},
    {FIELDS "zoo = 1, " KEY, "zoo: unknown field (known: " KNOWN ")"},
    {FIELDS "a_name_longer_than_any_that_is_known = 1, " KEY,
     "a_name_longer_than_any_that_is_known: unknown field (known: " KNOWN ")"},
    {FIELDS "zoo = 1, ant = 1, " KEY, "ant: unknown field (known: " KNOWN ")"},
    {FIELDS "1, " KEY, "has an entry under a number (expected named fields only)"},
    {FIELDS "[true] = 1, " KEY, "has an entry under a boolean (expected named fields only)"},
    {FIELDS "[print] = 1, [{}] = 1, [true] = 1, [1.5] = 1, " KEY,
     "has an entry under a boolean (expected named fields only)"},
    {FIELDS "virtual = 'yes', " KEY, "virtual: must be one of estimates, truth; got yes"},
    {FIELDS "virtual = true, " KEY, "virtual: must be one of estimates, truth; got boolean"},
    {FIELDS "load = 'all', " KEY, "load: must be one of slot, cumulative; got all"},
    {FIELDS "work_conserving = 1, " KEY, "work_conserving: must be true or false, got a number"},

    {"name = 'x', model = 'slotted'", "must have exactly one of key, share and slot (an order, "
                                      "shares, or code that hands out machines)"},
    {FIELDS KEY ", " SLOT, "must have exactly one of key, share and slot (an order, shares, or "
                           "code that hands out machines)"},
    {FIELDS KEY ", share = 'equal'", "must have exactly one of key, share and slot (an order, "
                                     "shares, or code that hands out machines)"},
    {FIELDS "slot = 1", "slot: must be a function, got a number"},
    {FIELDS "slot = math.floor", "slot: must be a function, got a C function"},
    {FIELDS "key = 1", "key: must be a word (arrival, remaining, most_remaining, share) or a table "
                       "such as { changes = \"served\", "
                       "of = function(s, job) ... end }, got a number"},
    {FIELDS "key = function(s, job) return 1 end",
     "key: must be a word (arrival, remaining, most_remaining, share) or a table such as { changes "
     "= \"served\", "
     "of = function(s, job) ... end }, got a function"},
    {FIELDS "key = 'work'",
     "key: must be one of arrival, remaining, most_remaining, share; got work"},
    {FIELDS "key = 'share'",
     "key: shares are declared by share = \"equal\" or share = { of = ... }"},
    {FIELDS "key = { by = 'share' }",
     "key: shares are declared by share = \"equal\" or share = { of = ... }"},
    {FIELDS "key = {}", "key.of: is required (a function of s and job that returns the key), or by "
                        "= \"remaining\" and the like"},
    {FIELDS "key = { changes = 'served' }", "key.of: is required (a function of s and job that "
                                            "returns the key), or by = \"remaining\" and the like"},
    {FIELDS "key = { of = 1 }", "key.of: must be a function, got a number"},
    {FIELDS "key = { " OF " }", "key.changes: is required (when the result of `of` may change: "
                                "arrival, served, tick or time)"},
    {FIELDS "key = { changes = 'never', " OF " }",
     "key.changes: must be one of served, arrival, time, tick; got never"},
    {FIELDS "key = { by = 'remaining', changes = 'served', " OF " }",
     "key.of: there is a key already, by = \"remaining\" (expected one of the two)"},
    {FIELDS "key = { by = 'remaining', changes = 'time' }",
     "key.changes: goes with `of` (the kernel knows when its own keys change)"},
    {FIELDS "key = { of = function() end, changes = 'served', job = 'map' }",
     "key.job: unknown field (did you mean 'jobs'?)"},
    {FIELDS "key = { by = 'remaining', jobs = 'maps' }",
     "key.jobs: must be one of all, map, reduce, load, unfinished; got maps"},
    {FIELDS "key = { by = 'remaining', walk = 1 }",
     "key.walk: must be true or false, got a number"},
    {FIELDS "key = { by = 'remaining', jobs = 'load' }",
     "key.jobs: \"load\" needs virtual = \"estimates\" or \"truth\""},
    {FIELDS "share = 'fair'", "share: must be one of equal; got fair"},
    {FIELDS "share = 3", "share: must be a word (equal) or a table such as { changes = \"served\", "
                         "of = function(s, job) ... end }, got a number"},
    {FIELDS "share = { by = 'remaining' }",
     "share.by: unknown field (known: changes, jobs, of, walk)"},
    {FIELDS "share = { " OF " }", "share.changes: is required (when the result of `of` may change: "
                                  "arrival, served, tick or time)"},
    {FIELDS "share = { walk = true }",
     "share.walk: an order of shares or of loads cannot be walked"},
    {FIELDS "orders = { a = 'arrival' }, " KEY,
     "orders: go with slot (a key or a share is the only order)"},
    {FIELDS "orders = 'remaining', " SLOT,
     "orders: must be a table of orders by name, got a string"},
    {FIELDS "orders = {}, " SLOT, "orders: there are 0 (expected 1 to 4)"},
    {FIELDS "orders = { a = 'arrival', b = 'arrival', c = 'arrival', d = 'arrival', e = 'arrival' "
            "}, " SLOT,
     "orders: there are 5 (expected 1 to 4)"},
    {FIELDS "orders = { 'arrival' }, " SLOT,
     "orders: must have named entries only, got a number as a name"},
    {FIELDS "orders = { ['a b'] = 'arrival' }, " SLOT,
     "orders: must be a name of 1 to 31 letters, digits, _"},
    {FIELDS "orders = { a = 'arival' }, " SLOT,
     "orders.a: must be one of arrival, remaining, most_remaining, share; got arival"},
    {FIELDS "orders = { a = { by = 'share', walk = true } }, " SLOT,
     "orders.a.walk: an order of shares or of loads cannot be walked"},
    {FIELDS
     "virtual = 'truth', orders = { a = { by = 'remaining', jobs = 'load', walk = true } }, " SLOT,
     "orders.a.walk: an order of shares or of loads cannot be walked"},
    {FIELDS "orders = { a = { by = 'share', changes = 'served', " OF
            " }, b = { by = 'share', changes = 'served', " OF " } }, " SLOT,
     "orders.b.of: another order has weights already"},
    {FIELDS "orders = { a = { by = 'share', changes = 'served', " OF " }, b = 'share' }, " SLOT,
     "orders: there are 2 of shares (expected one, as it has weights)"},
    {FIELDS "key = { by = 'remaining', jobs = 'map' }",
     "key.jobs: must be all or unfinished (other jobs would never be served)"},
    {FIELDS "virtual = 'truth', key = { by = 'remaining', jobs = 'load' }",
     "key.jobs: must be all or unfinished (other jobs would never be served)"},
    {FIELDS "share = { jobs = 'reduce', changes = 'served', " OF " }",
     "share.jobs: must be all or unfinished (other jobs would never be served)"},

    {FIELDS "params = 1, " KEY, "params: must be a table of parameters by name, got a number"},
    {FIELDS "params = { 1 }, " KEY, "params: must have named entries only, got a number as a name"},
    {FIELDS "params = { a = 1 }, " KEY,
     "params.a: must be a table such as { default = 1, doc = \"what it does\" }, got a number"},
    {FIELDS "params = { a = { doc = '' } }, " KEY,
     "params.a.default: is required (a number; 1 allows integers only, 1.0 any number; "
     "or a table of shape = ...)"},
    {FIELDS "params = { a = { default = '1', doc = '' } }, " KEY,
     "params.a.default: is required (a number; 1 allows integers only, 1.0 any number; "
     "or a table of shape = ...)"},
    {FIELDS "params = { a = { default = 1, doc = 2 } }, " KEY,
     "params.a.doc: must be a text that says what it does, got a number"},
    {FIELDS "params = { a = { default = 1, doc = '', mx = 2 } }, " KEY,
     "params.a.mx: unknown field (did you mean 'max'?)"},
    {FIELDS "params = { a = { default = 1, doc = '', min = 2 } }, " KEY,
     "params.a.default: must be finite and lie between min and max"},
    {FIELDS "params = { a = { default = 1.0, doc = '', max = 0.5 } }, " KEY,
     "params.a.default: must be finite and lie between min and max"},
    {FIELDS "params = { a = { default = 1, doc = '', max = 2.5 } }, " KEY,
     "params.a.max: must be an integer, |x| <= 2^53"},
    {FIELDS "params = { a = { default = 1 << 54, doc = '' } }, " KEY,
     "params.a.default: must be an integer, |x| <= 2^53"},
    {FIELDS "params = { a = { default = math.mininteger, doc = '' } }, " KEY,
     "params.a.default: must be an integer, |x| <= 2^53"},
    {FIELDS "params = { a = { default = 1/0, doc = '' } }, " KEY,
     "params.a.default: must be finite and lie between min and max"},
    {FIELDS "params = { a = { default = 0/0, doc = '' } }, " KEY,
     "params.a.default: must be a number"},
    {FIELDS "params = { a = { default = 0.5, doc = '', min = 0/0 } }, " KEY,
     "params.a.min: must be a number"},
    {FIELDS "params = { ['a-b'] = { default = 1, doc = '' } }, " KEY,
     "params: must be a name of 1 to 31 letters, digits, _"},
    {FIELDS "params = { a={}, b={}, c={}, d={}, e={}, f={}, g={}, h={}, i={}, j={}, k={}, l={}, "
            "m={}, n={}, o={}, p={},"
            " q={}, r={}, s={}, t={}, u={}, v={}, w={}, x={}, y={}, z={}, A={}, B={}, C={}, D={}, "
            "E={}, F={}, G={} }, " KEY,
     "params: there are 33 (expected at most 32)"},

    {FIELDS "state = 'a', " KEY,
     "state: must be a list of names such as { \"last\" }, got a string"},
    {FIELDS "state = { 1 }, " KEY, "state: must be a name of 1 to 31 letters, digits, _"},
    {FIELDS "state = { 'a', 'b', 'a' }, " KEY, "state: a is named twice"},
    {FIELDS "state = { 'a', a = { more = 1 } }, " KEY, "state: a is named twice"},
    {FIELDS "state = { a = 5 }, " KEY, "state.a: must be a table such as { per_job = 2, more = 1 } "
                                       "(an array), or a plain name in the list"},
    {FIELDS "state = { a = {} }, " KEY,
     "state.a.per_job: an array needs per_job or more to be at least 1"},
    {FIELDS "state = { a = { per_job = 65 } }, " KEY,
     "state.a.per_job: must be an integer in 0..16"},
    {FIELDS "state = { a = { more = -1 } }, " KEY, "state.a.more: must be an integer in 0..65536"},
    {FIELDS "state = { a = { more = 1.5 } }, " KEY, "state.a.more: must be an integer in 0..65536"},
    {FIELDS "state = { a = { size = 5 } }, " KEY,
     "state.a.size: unknown field (known: more, per_job)"},
    {FIELDS "state = { [0] = 'a' }, " KEY,
     "state: has an entry that is neither in the list nor named"},
    {FIELDS "per_job = { 'a', 'a' }, " KEY, "per_job: a is named twice"},
    {FIELDS "per_job = { a = 1 }, " KEY,
     "per_job: must be a list of names such as { \"credit\" }, got a named entry"},
    {FIELDS "per_job = 1, " KEY,
     "per_job: must be a list of names such as { \"last\" }, got a number"},

    {FIELDS "init = 1, " KEY, "init: must be a function, got a number"},
    {FIELDS "arrive = {}, " KEY, "arrive: must be a function, got a table"},
    {FIELDS "finish = 'f', " KEY, "finish: must be a function, got a string"},
    {FIELDS "tick = 1, " KEY, "tick: must be a function, got a number"},
    {FIELDS "tick = function(s) end, " KEY,
     "tick_slots: is required with tick or changes = \"tick\" (slots between two ticks, >= 1)"},
    {FIELDS "key = { changes = 'tick', " OF " }",
     "tick_slots: is required with tick or changes = \"tick\" (slots between two ticks, >= 1)"},
    {FIELDS "tick_slots = 5, " KEY, "tick_slots: nothing happens on a tick (expected a function "
                                    "tick, or an order with changes = \"tick\")"},
    {FIELDS "tick_slots = -1, tick = function(s) end, " KEY,
     "tick_slots: must be an integer in 0..9007199254740992"},
    {FIELDS "tick_slots = 1.5, tick = function(s) end, " KEY,
     "tick_slots: must be an integer in 0..9007199254740992"},
    {FIELDS "tick_slots = '5', tick = function(s) end, " KEY,
     "tick_slots: must be an integer in 0..9007199254740992"},
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

/* A limit is said before the work that a huge table would make. */
static void huge_definitions_end_soon(void **unused)
{
    static const char *const texts[][2] = {
        {"local t = {} for i = 1, 100000 do t['n' .. i] = 1 end return { " FIELDS KEY
         ", params = t }",
         FILE_NAME ": params: has more than 64 named entries"},
        {"local t = {} for i = 1, 100000 do t['n' .. i] = 1 end return { " FIELDS KEY
         ", state = t }",
         FILE_NAME ": state: has more than 64 named entries"},
        {"local t = {} for i = 1, 100000 do t['n' .. i] = 1 end return { " FIELDS SLOT
         ", orders = t }",
         FILE_NAME ": orders: has more than 64 named entries"},
        {"local t = {} for i = 1, 100000 do t[i] = 'n' .. i end return { " FIELDS KEY
         ", state = t }",
         FILE_NAME ": state: more than 32 names in state and per_job together"},
        {"local t = {} for i = 1, 100000 do t[i] = 'n' .. i end return { " FIELDS KEY
         ", per_job = t }",
         FILE_NAME ": per_job: more than 32 names in state and per_job together"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_refused(texts[i][0], strlen(texts[i][0]), texts[i][1]);
}

/* ---- decisions ------------------------------------------------------------------------------- */

#define AT_2 FILE_NAME ":2: "

/* The body of the function slot, on line 2, over the few jobs, and the message behind file and
 * line. */
static const struct {
    const char *body, *message;
} DECISIONS[] = {
    {"s:give(1, 5)", "job 1 at slot 1: asked for 5 machines, 4 are idle"},
    {"return s:give(1, 5)", "job 1 at slot 1: asked for 5 machines, 4 are idle"},
    {"s:give(1, 4)", "job 1 at slot 1: asked for 4 machines, it can use 3 for its maps"},
    {"s:give(1, 2) s:give(1, 2)",
     "job 1 at slot 1: asked for 2 machines, it can use 1 for its maps"},
    {"s:give(1, 3) s:give(2, 1) s:give(1, 1)", "job 1 at slot 1: asked for 1 machine, 0 are idle"},
    {"s:give(2, 2)", "job 2 at slot 1: asked for 2 machines, it can use 1 for its reduces"},
    {"s:map(1, 4)", "job 1 at slot 1: asked for 4 machines, it can use 3 for its maps"},
    {"s:map(2, 1)", "job 2 at slot 1: has no map work left"},
    {"s:reduce(1, 1)", "job 1 at slot 1: its reduces wait for 3 map units"},
    {"s:reduce(2, 2)", "job 2 at slot 1: asked for 2 machines, it can use 1 for its reduces"},
    {"s:reduce(2, 1) s:reduce(2, 1)",
     "job 2 at slot 1: asked for 1 machine, it can use 0 for its reduces"},
    {"s:give(1, math.maxinteger)",
     "job 1 at slot 1: asked for 9223372036854775807 machines, 4 are idle"},
    {"s:give(1, 1 << 53)", "job 1 at slot 1: asked for 9007199254740992 machines, 4 are idle"},
    {"s:give(1, 1 << 32)", "job 1 at slot 1: asked for 4294967296 machines, 4 are idle"},
    {"s:give(1, -1)", "job 1 at slot 1: give: an integer >= 0 is expected, got -1"},
    {"s:give(1, math.mininteger)",
     "job 1 at slot 1: give: an integer >= 0 is expected, got -9223372036854775808"},
    {"s:give(1, 1.5)", "job 1 at slot 1: give: an integer >= 0 is expected, got 1.5"},
    {"s:give(1, 1e300)", "job 1 at slot 1: give: an integer >= 0 is expected, got 1e+300"},
    {"s:give(1, 0/0)", "job 1 at slot 1: give: an integer >= 0 is expected, got NaN"},
    {"s:give(1, '1')", "job 1 at slot 1: give: an integer >= 0 is expected, got 1"},
    {"s:give(1, nil)", "job 1 at slot 1: give: an integer >= 0 is expected, got nil"},
    {"s:give(1)", "job 1 at slot 1: give: an integer >= 0 is expected, got no value"},
    {"s:give(1, {})", "job 1 at slot 1: give: an integer >= 0 is expected, got table"},
    {"s:give(0, 1)", "slot 1: there is no job 0 in the system (it may have finished)"},
    {"s:give(-1, 1)", "slot 1: there is no job -1 in the system (it may have finished)"},
    {"s:give(3, 1)", "slot 1: there is no job 3 in the system (it may have finished)"},
    {"s:give(4, 1)", "slot 1: there is no job 4 in the system (it may have finished)"},
    {"s:give(1 << 32 | 1, 1)",
     "slot 1: there is no job 4294967297 in the system (it may have finished)"},
    {"s:give(math.maxinteger, 1)",
     "slot 1: there is no job 9223372036854775807 in the system (it may have finished)"},
    {"s:give(math.mininteger, 1)",
     "slot 1: there is no job -9223372036854775808 in the system (it may have finished)"},
    {"s:give(1.5, 1)", "slot 1: give: a job is expected, got number"},
    {"s:give('1', 1)", "slot 1: give: a job is expected, got string"},
    {"s:give(nil, 1)", "slot 1: give: a job is expected, got nil"},
    {"s:give()", "slot 1: give: a job is expected, got no value"},
    {"s:give(s, 1)", "slot 1: give: a job is expected, got userdata"},
    {"s.give(1, 1)", "slot 1: the view comes first: call it as s:name(...)"},
    {"s.idle()", "slot 1: the view comes first: call it as s:name(...)"},
    {"if s:slot() == 2 then s:maps_left(2) end",
     "slot 2: there is no job 2 in the system (it may have finished)"},
    {"if s:slot() == 1 then s.state.old = 2 else s:give(s.state.old, 1) end",
     "slot 2: there is no job 2 in the system (it may have finished)"},
    {"if s:slot() == 2 then s.per_job.mark[2] = 1 end",
     "slot 2: there is no job 2 in the system (it may have finished)"},

    {"s:fill('maps', 'remaining')",
     "slot 1: fill(what, order): what must be all, map, reduce or load, got maps"},
    {"s:fill(nil, 'remaining')",
     "slot 1: fill(what, order): what must be all, map, reduce or load, got nil"},
    {"s:fill({}, 'remaining')",
     "slot 1: fill(what, order): what must be all, map, reduce or load, got table"},
    {"s:fill('all', 'mine')", "slot 1: there is no order 'mine' (declare it in orders = { ... })"},
    {"s:fill('all')", "slot 1: fill: the name of an order is expected, got no value"},
    {"s:fill('all', 1)", "slot 1: there is no order '1' (declare it in orders = { ... })"},
    {"s:fill('load', 'remaining')", "slot 1: order 'remaining' is not for load alone (declare it "
                                    "with jobs = \"load\", or with walk = true)"},
    {"s:fill('all', 'remaining', -1)", "slot 1: fill: an integer >= 0 is expected, got -1"},
    {"s:fill('all', 'remaining', 0.5)", "slot 1: fill: an integer >= 0 is expected, got 0.5"},
    {"s:share('remaining')",
     "slot 1: order 'remaining' is not one of shares (declare it with by = \"share\")"},
    {"s:next_at_least('remaining', 3, 1)",
     "slot 1: there is no job 3 in the system (it may have finished)"},
    {"s:next_at_least('remaining', nil, -1)",
     "slot 1: next_at_least: an integer >= 0 is expected, got -1"},
    {"s:next_at_most('remaining')",
     "slot 1: next_at_most: an integer >= 0 is expected, got no value"},
    {"for job in s:by 'other' do end",
     "slot 1: there is no order 'other' (declare it in orders = { ... })"},
    {"if s:slot() == 2 then local step = s:by 'remaining' step(s, 2) end",
     "slot 2: there is no job 2 in the system (it may have finished)"},
    {"s:served_at(1)", "slot 1: served_at(1): there are 0"},
    {"s:served_at(0)", "slot 1: served_at(0): there are 0"},
    {"s:served_at(0.5)", "slot 1: served_at: an integer >= 0 is expected, got 0.5"},
    {"s:map(2, 0) s:map(2, 1)", "job 2 at slot 1: has no map work left"},
    {"s:random(5, 4)", "slot 1: random(low, high) needs low <= high, got 5 and 4"},
    {"s:random(1)", "slot 1: bad argument #2 to 'random' (number expected, got no value)"},
    {"s:random(1.5, 2)",
     "slot 1: bad argument #1 to 'random' (number has no integer representation)"},
    {"s:active('1')", "slot 1: active: an integer >= 0 is expected, got 1"},

    {"s.other = 1",
     "slot 1: the view is read-only (declare memory in state = { ... } and write s.state.name)"},
    {"s.idle = nil",
     "slot 1: the view is read-only (declare memory in state = { ... } and write s.state.name)"},
    {"s[1] = 1",
     "slot 1: the view is read-only (declare memory in state = { ... } and write s.state.name)"},
    {"s.params.a = 1",
     "slot 1: the view is read-only (declare memory in state = { ... } and write s.state.name)"},
    {"local x = s.params.b", "slot 1: there is no parameter 'b' (declare it in params = { ... })"},
    {"s:remainning(1)", "slot 1: the view has no 'remainning' (did you mean 'remaining'?)"},
    {"local x = s.perjob", "slot 1: the view has no 'perjob' (did you mean 'per_job'?)"},
    {"local x = s.later", "slot 1: the view has no 'later'"},
    {"local x = s[1]", "slot 1: the view has no '1'"},
    {"local x = s[{}]", "slot 1: the view has no 'table'"},
    {"s:later()", "slot 1: the view has no 'later'"},
    {"local x = s.state.new",
     "slot 1: state.new is not declared (expected a name listed in state = { ... })"},
    {"s.state.new = 1",
     "slot 1: state.new is not declared (expected a name listed in state = { ... })"},
    {"s.state[1] = 1",
     "slot 1: state.number is not declared (expected a name listed in state = { ... })"},
    {"s.state.old = 'x'", "slot 1: declared memory holds numbers, got string"},
    {"s.state.old = '1'", "slot 1: declared memory holds numbers, got string"},
    {"s.state.old = nil", "slot 1: declared memory holds numbers, got nil"},
    {"s.state.old = s", "slot 1: declared memory holds numbers, got userdata"},
    {"s.state.many = 1", "slot 1: state.many has many values: give it an index"},
    {"s.state.many[0] = 1", "slot 1: state.many[0]: the index must be in 1..5"},
    {"s.state.many[6] = 1", "slot 1: state.many[6]: the index must be in 1..5"},
    {"local x = s.state.many[math.maxinteger]",
     "slot 1: state.many[9223372036854775807]: the index must be in 1..5"},
    {"local x = s.state.many[math.mininteger]",
     "slot 1: state.many[-9223372036854775808]: the index must be in 1..5"},
    {"s.state.many[1] = true", "slot 1: declared memory holds numbers, got boolean"},
    {"s.per_job.mark = 1", "slot 1: per_job.mark has many values: give it an index"},
    {"s.per_job[1].mark = 1",
     "slot 1: per_job is indexed by name, then by job: s.per_job.name[job]"},
    {"s:give(1, 3) s:give(2, 2)", "job 2 at slot 1: asked for 2 machines, 1 is idle"},
    {"s.per_job.none[1] = 1",
     "slot 1: per_job.none is not declared (expected a name listed in per_job = { ... })"},
    {"s.per_job.mark[0] = 1", "slot 1: there is no job 0 in the system (it may have finished)"},
    {"s.per_job.mark['1'] = 1", "slot 1: a job is expected, got string"},
    {"s.per_job.mark[1] = {}", "slot 1: declared memory holds numbers, got table"},
    {"KEPT[1] = s",
     "slot 1: this table is read-only once the file is loaded (declare memory in state = { ... })"},

    {"error 'boom'", "slot 1: boom"},
    {"error('12 machines')", "slot 1: 12 machines"},
    {"error(': colon')", "slot 1: : colon"},
    {"error('job 7 is odd')", "slot 1: job 7 is odd"},
    {"error('slot of mine')", "slot 1: slot of mine"},
    {"error('job 7 at slot 1: is odd')", "job 7 at slot 1: is odd"},
    {"local x = nil + 1", "slot 1: attempt to perform arithmetic on a nil value"},
};

static void decisions_that_are_infeasible(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof DECISIONS / sizeof DECISIONS[0]; i++) {
        char text[1024], message[1024];
        snprintf(text, sizeof text,
                 "local KEPT <const> = {} return { name = 'x', model = 'slotted', state = { 'old', "
                 "many = { per_job = 1, more = "
                 "2 } }, "
                 "per_job = { 'mark' }, params = { a = { default = 1, doc = '' } }, slot = "
                 "function(s)\ndo %s end\n"
                 "s:fill('all', 'remaining') end, init = function(s) local kept = KEPT end }",
                 DECISIONS[i].body);
        snprintf(message, sizeof message, AT_2 "%s", DECISIONS[i].message);
        good = gives_up(text, NULL, message) && good;
    }
    assert_true(good);
}

/* ---- results of keys and weights ------------------------------------------------------------- */

#define NO_KEY    "a key must be one or two numbers, integers up to 2^53 or finite floats, got "
#define NO_WEIGHT "a share's weight must be an integer in 1..1048576, got "

/* What the function returns, and the message behind file, line, job and slot. */
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
        {"print", NO_KEY "function"},
        {"0/0", NO_KEY "NaN"},
        {"-(0/0)", NO_KEY "NaN"},
        {"1/0", NO_KEY "inf"},
        {"-1/0", NO_KEY "-inf"},
        {"1 << 60", NO_KEY "1152921504606846976"},
        {"(1 << 53) + 1", NO_KEY "9007199254740993"},
        {"-(1 << 53) - 1", NO_KEY "-9007199254740993"},
        {"math.mininteger", NO_KEY "-9223372036854775808"},
        {"1, '2'", NO_KEY "string"},
        {"1, 0/0", NO_KEY "NaN"},
        {"1, false", NO_KEY "boolean"},
        {"1, 1 << 60", NO_KEY "1152921504606846976"},
        {"nil, 1", NO_KEY "nil"},
        {"{}, {}", NO_KEY "table"},
},
  WEIGHTS[] = {
      {"nil", NO_WEIGHT "nil"},
      {"", NO_WEIGHT "nil"},
      {"0", NO_WEIGHT "0"},
      {"-1", NO_WEIGHT "-1"},
      {"1.5", NO_WEIGHT "1.5"},
      {"(1 << 20) + 1", NO_WEIGHT "1048577"},
      {"1 << 21", NO_WEIGHT "2097152"},
      {"1 << 60", NO_WEIGHT "1152921504606846976"},
      {"'x'", NO_WEIGHT "string"},
      {"'5'", NO_WEIGHT "string"},
      {"{}", NO_WEIGHT "table"},
      {"0/0", NO_WEIGHT "NaN"},
      {"1/0", NO_WEIGHT "inf"},
      {"true", NO_WEIGHT "boolean"},
      {"2, 3", "returns a second value (expected one), got 3"},
};

#define KEYED                                                                                     \
    "return { name = 'x', model = 'slotted', key = { changes = 'served',\nof = function(s, job) " \
    "return %s end } }"
#define SHARED                                                                                 \
    "return { name = 'x', model = 'slotted', share = { changes = 'served',\nof = function(s, " \
    "job) return %s end } }"

static bool ends_with(const char *format, const char *result, const char *said)
{
    char text[512], message[512];
    snprintf(text, sizeof text, format, result);
    snprintf(message, sizeof message, AT_2 "job 1 at slot 1: %s", said);
    return gives_up(text, NULL, message);
}

static void surplus_results(void **unused)
{
    (void)unused;
    assert_true(ends_with(KEYED, "1, 2, 3", "returns a third value (expected at most two), got 3"));
    assert_true(ends_with(KEYED, "5, nil, 'x'",
                          "returns a third value (expected at most two), got string"));
    assert_true(
        gives_up("return { name = 'x', model = 'slotted', slot = function(s)\nreturn 1 end }", NULL,
                 FILE_NAME ":1: slot 1: returns a value (expected none), got 1"));
    assert_true(gives_up("return { name = 'x', model = 'slotted', key = 'arrival',\narrive = "
                         "function(s, job) return job end }",
                         NULL, AT_2 "job 1 at slot 1: returns a value (expected none), got 1"));
}

static void results_of_the_wrong_kind(void **unused)
{
    (void)unused;
    bool good = true;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        good = ends_with(KEYED, KEYS[i].result, KEYS[i].message) && good;
    for (size_t i = 0; i < sizeof WEIGHTS / sizeof WEIGHTS[0]; i++)
        good = ends_with(SHARED, WEIGHTS[i].result, WEIGHTS[i].message) && good;
    assert_true(good);
}

/* The limits themselves are fine, and nil behind the results. */
static void results_at_the_limits(void **unused)
{
    static const char *const keys[] = {"1 << 53",       "-(1 << 53)", "-0.0",
                                       "1e308, -1e308", "1, 2, nil",  "5, nil"};
    static const char *const weights[] = {"1", "1 << 20", "3.0", "2, nil"};
    (void)unused;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0] + sizeof weights / sizeof weights[0]; i++) {
        char text[512];
        size_t k = i - sizeof keys / sizeof keys[0];
        bool key = i < sizeof keys / sizeof keys[0];
        snprintf(text, sizeof text, key ? KEYED : SHARED, key ? keys[i] : weights[k]);
        pn_lua_policy *policy = load(text);
        assert_int_equal(run_few(policy, PN_SLOTTED_NONPREEMPTIVE, NULL), PN_DONE);
        assert_string_equal(pn_lua_policy_message(policy), "");
        pn_lua_policy_free(policy);
    }
}

/* ---- the right thing at the wrong time ------------------------------------------------------- */

/* A statement in each of the functions, and its message there; the job at hand stands in it as
 * JOB. */
static const struct {
    const char *statement, *in_key, *in_hooks, *in_arrive, *in_tick;
} MOMENTS[] = {
    {"s:give(JOB, 1)", "machines can only be given in slot", "machines can only be given in slot",
     "machines can only be given in slot", "machines can only be given in slot"},
    {"s:map(JOB, 0)", "machines can only be given in slot", "machines can only be given in slot",
     "machines can only be given in slot", "machines can only be given in slot"},
    {"s:reduce(JOB, 0)", "machines can only be given in slot", "machines can only be given in slot",
     "machines can only be given in slot", "machines can only be given in slot"},
    {"s:fill('all', 'mine')", "machines can only be given in slot",
     "machines can only be given in slot", "machines can only be given in slot",
     "machines can only be given in slot"},
    {"s:share('mine')", "machines can only be given in slot", "machines can only be given in slot",
     "machines can only be given in slot", "machines can only be given in slot"},
    {"s.state.a = 1",
     "a key or share cannot write to memory (write in slot, arrive, finish, tick or init)", NULL,
     NULL, NULL},
    {"s.state.b[1] = 1",
     "a key or share cannot write to memory (write in slot, arrive, finish, tick or init)", NULL,
     NULL, NULL},
    {"s.per_job.c[JOB] = 1",
     "a key or share cannot write to memory (write in slot, arrive, finish, tick or init)",
     "there is no job 1 in the system (it may have finished)", NULL, NULL},
    {"s:random(1, 2)", "a key or share cannot be random (draw in arrive, and keep it in per_job)",
     NULL, NULL, NULL},
    {"s:uniform()", "a key or share cannot be random (draw in arrive, and keep it in per_job)",
     NULL, NULL, NULL},
    {"for j in s:by 'mine' do end", "orders can only be used in slot and tick",
     "orders can only be used in slot and tick", "orders can only be used in slot and tick", NULL},
    {"s:next_at_most('mine', nil, 1)", "orders can only be used in slot and tick",
     "orders can only be used in slot and tick", "orders can only be used in slot and tick", NULL},
};

static void check_moment(const char *field, const char *statement, const char *message,
                         const char *job, bool key)
{
    char text[1024], said[512], local[128];
    snprintf(local, sizeof local, "local JOB = %s", job);
    if (key)
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'slotted', state = { 'a', b = { more = 1 } }, "
                 "per_job = { 'c' },\n"
                 "orders = { mine = { walk = true, changes = 'served', of = function(s, job) %s %s "
                 "return 1 end } },\n"
                 "slot = function(s) s:fill('all', 'mine') end }",
                 local, statement);
    else
        snprintf(text, sizeof text,
                 "return { name = 'x', model = 'slotted', state = { 'a', b = { more = 1 } }, "
                 "per_job = { 'c' },\n"
                 "%s = function(s, job) %s %s end, orders = { mine = { by = 'remaining', walk = "
                 "true } }, %s\n"
                 "slot = function(s) s:fill('all', 'mine') end }",
                 field, local, statement, strcmp(field, "tick") == 0 ? "tick_slots = 2, " : "");
    pn_lua_policy *policy = load(text);
    int status = run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL);
    snprintf(said, sizeof said, "%s", pn_lua_policy_message(policy));
    if (message && (status != PN_ERR_POLICY || !strstr(said, message) ||
                    strncmp(said, AT_2, strlen(AT_2)) != 0))
        fail_msg("%s in %s: '%s', want '%s'", statement, field, said, message);
    if (!message && status != PN_DONE)
        fail_msg("%s in %s: '%s'", statement, field, said);
    pn_lua_policy_free(policy);
}

static void the_right_thing_at_the_wrong_time(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof MOMENTS / sizeof MOMENTS[0]; i++) {
        check_moment("key", MOMENTS[i].statement, MOMENTS[i].in_key, "job", true);
        check_moment("init", MOMENTS[i].statement, MOMENTS[i].in_hooks, "1", false);
        check_moment("arrive", MOMENTS[i].statement, MOMENTS[i].in_arrive, "job", false);
        check_moment("finish", MOMENTS[i].statement, MOMENTS[i].in_arrive, "job", false);
    }
    /* its first tick, when job 1 is there */
    for (size_t i = 0; i < sizeof MOMENTS / sizeof MOMENTS[0]; i++)
        check_moment("tick", MOMENTS[i].statement, MOMENTS[i].in_tick, "s:active(1) and 1 or 3",
                     false);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whatever the file is called, messages are one line without control characters, begin with that
 * name, and are ended in time. */
static void odd_names_and_long_messages(void **unused)
{
    static const char *const names[][2] = {{"a\nb.lua", "a?b.lua:1: slot 1: boom"},
                                           {"a\x1b[31m", "a?[31m:1: slot 1: boom"},
                                           {"7:8: ", "7:8: :1: slot 1: boom"},
                                           {"", ":1: slot 1: boom"},
                                           {"%s%n", "%s%n:1: slot 1: boom"}};
    static const char boom[] =
        "return { name = 'x', model = 'slotted', slot = function(s) error 'boom' end }";
    static const char large[] = "return { name = 'x', model = 'slotted', slot = function(s) "
                                "error(string.rep('x', 5000)) end }";
    char longest[3000], small[8], message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(pn_lua_policy_load(&policy, names[i][0], boom, strlen(boom), NULL, message,
                                            sizeof message),
                         PN_OK);
        assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_ERR_POLICY);
        assert_string_equal(pn_lua_policy_message(policy), names[i][1]);
        pn_lua_policy_free(policy);
    }
    memset(longest, 'n', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_int_equal(
        pn_lua_policy_load(&policy, longest, large, strlen(large), NULL, message, sizeof message),
        PN_OK);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_ERR_POLICY);
    assert_int_equal(strlen(pn_lua_policy_message(policy)), PN_LUA_MESSAGE_SIZE - 1);
    assert_non_null(strstr(pn_lua_policy_message(policy), "n:1: slot 1: xxx"));
    pn_lua_policy_free(policy);
    assert_int_equal(pn_lua_policy_load(&policy, "mine.lua", "x", 1, NULL, small, sizeof small),
                     PN_ERR_POLICY);
    assert_string_equal(small, "mine.lu");
    assert_int_equal(pn_lua_policy_load(&policy, "mine.lua", "x", 1, NULL, NULL, 0), PN_ERR_POLICY);
    assert_int_equal(pn_lua_policy_load(NULL, "mine.lua", "x", 1, NULL, NULL, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_load(&policy, NULL, "x", 1, NULL, NULL, 0), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_load(&policy, "mine.lua", NULL, 1, NULL, NULL, 0),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_load(&policy, "mine.lua", NULL, 0, NULL, NULL, 0),
                     PN_ERR_POLICY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions_that_are_refused),
        cmocka_unit_test(huge_definitions_end_soon),
        cmocka_unit_test(decisions_that_are_infeasible),
        cmocka_unit_test(results_of_the_wrong_kind),
        cmocka_unit_test(surplus_results),
        cmocka_unit_test(results_at_the_limits),
        cmocka_unit_test(the_right_thing_at_the_wrong_time),
        cmocka_unit_test(odd_names_and_long_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
