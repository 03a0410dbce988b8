/* Compiled functions of policies: each value and operator comes to what it comes to in Lua, also
 * where a program gives up and Lua decides or says what is wrong; and what is not compiled, with
 * the reason. */
#include "slotted/support/script.h"

/* ---- what they compute ----------------------------------------------------------------------- */

/* `got` is what a job's arrival leaves in memory; z is 0, n is 3, t is true. */
static const char HEAD[] =
    "local function named(s, a, b) return s.state[a .. b] end\n"
    "local function twice(x) return x + x end\n"
    "local function word(x) return x and 'fast' or 'slow' end\n"
    "local sq = math.sqrt\n"
    "local function deep(x) return deep(x) end\n"
    "local function far(s) return s end\n"
    "local function several(x) if x then return 1, 2 end return 1 end\n"
    "return { name = 'm', model = 'slotted', state = { 'got', list = { more = 4 } }, per_job = { "
    "'mine' },\n"
    "params = { rate = { default = 0.5, doc = '' } },\n"
    "key = { changes = 'arrival', of = function(s, job) return s:id(job) end },\n"
    "finish = function(s, job) print(s.state.got) end,\n"
    "arrive = function(s, job) local z = s:slot() * 0 local n, t = z + 3, z == 0\n";
static const char TAIL[] = "\nend }";
enum { ARRIVE_LINE = 12 };

typedef struct outcome {
    lines printed;
    char message[PN_LUA_MESSAGE_SIZE];
    int status;
} outcome;

static void assert_compiled(const pn_lua_policy *policy, const char *body)
{
    const char *why, *file;
    int line = 0;
    for (uint32_t i = 0; (why = pn_lua_policy_unfit(policy, i, &file, &line)); i++)
        if (line == ARRIVE_LINE && why[0] != '\0')
            fail_msg("%s: %s", body, why);
}

static void run_body(const char *body, int compile, outcome *got)
{
    char text[2048];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    memset(got, 0, sizeof *got);
    options.compile = compile;
    options.print = keep_line;
    options.user = &got->printed;
    snprintf(text, sizeof text, "%s%s%s", HEAD, body, TAIL);
    policy = load_with(text, &options);
    if (compile != PN_LUA_INTERPRETED)
        assert_compiled(policy, body);
    got->status = run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL);
    strcpy(got->message, pn_lua_policy_message(policy));
    pn_lua_policy_free(policy);
}

/* What the first job to finish prints, or what is said of the job that arrives first, in each of
 * the ways. */
static void check_body(const char *body, const char *want)
{
    static const int ways[] = {PN_LUA_INTERPRETED, PN_LUA_COMPILED, PN_LUA_COMPARED};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        outcome got;
        const char *text = got.message;
        run_body(body, ways[i], &got);
        if (got.status == PN_DONE) {
            got.printed.text[strcspn(got.printed.text, "\n")] = '\0';
            text = strrchr(got.printed.text, ' ');
        } else if (strstr(got.message, "slot 1: ")) {
            text = strstr(got.message, "slot 1: ") + strlen("slot 1:");
        }
        if (!text || strcmp(text + 1, want) != 0)
            fail_msg("%s: '%s' instead of '%s', way %d: %s", body, text, want, ways[i],
                     got.message);
    }
}

static void test_operators(void **state)
{
    static const char *const cases[][2] = {
        /* integers wrap around, and are divided down */
        {"s.state.got = (n - 10) // 2", "-4"},
        {"s.state.got = (n + 4) // -2", "-4"},
        {"s.state.got = (n + 3) // -2", "-3"},
        {"s.state.got = (n - 10) % 2", "1"},
        {"s.state.got = (n + 4) % -2", "-1"},
        {"s.state.got = (n - 10) % -4", "-3"},
        {"s.state.got = (z + math.mininteger) // (z - 1)", "-9223372036854775808"},
        {"s.state.got = (z + math.mininteger) % (z - 1)", "0"},
        {"s.state.got = n // z", "attempt to divide by zero"},
        {"s.state.got = n % z", "attempt to perform 'n%0'"},
        {"s.state.got = (n + 0.5) // 2", "1.0"},
        {"s.state.got = (n + 0.5) % -2", "-0.5"},
        {"s.state.got = (z - 3.5) % 2", "0.5"},
        {"s.state.got = (z - 3.5) % -2", "-1.5"},
        {"s.state.got = (z + 4.0) % -2", "0.0"},
        {"s.state.got = (z + 4.0) % 2", "0.0"},
        {"s.state.got = (z + 3.5) % 2", "1.5"},
        {"s.state.got = (z - 1.0) % math.huge", "inf"},
        {"s.state.got = z / z", "nan"},
        /* bits of integers, and of floats that are some */
        {"s.state.got = n & 2.0", "2"},
        {"s.state.got = (n + 0.0) | 4", "7"},
        {"s.state.got = n ~ 1", "2"},
        {"s.state.got = ~n", "-4"},
        {"s.state.got = ~(n + 0.0)", "-4"},
        {"s.state.got = n << 62", "-4611686018427387904"},
        {"s.state.got = n << 64", "0"},
        {"s.state.got = n << -1", "1"},
        {"s.state.got = n >> -1", "6"},
        {"s.state.got = n >> (z - 64)", "0"},
        {"s.state.got = n & 1.5", "number has no integer representation"},
        {"s.state.got = (n + 0.5) & 1", "number has no integer representation"},
        {"s.state.got = (n + 0.5) << 1", "number has no integer representation"},
        {"s.state.got = n << (z + 1e300)", "number has no integer representation"},
        {"s.state.got = n & t", "attempt to perform bitwise operation on a boolean value (local "
                                "'t')"},
        {"s.state.got = t << n", "attempt to perform bitwise operation on a boolean value (local "
                                 "'t')"},
        {"s.state.got = ~t", "attempt to perform bitwise operation on a boolean value (local "
                             "'t')"},
        /* what is no number */
        {"s.state.got = n + t", "attempt to perform arithmetic on a boolean value (local 't')"},
        {"s.state.got = n / t", "attempt to perform arithmetic on a boolean value (local 't')"},
        {"s.state.got = n % t", "attempt to perform arithmetic on a boolean value (local 't')"},
        {"s.state.got = -t", "attempt to perform arithmetic on a boolean value (local 't')"},
        {"s.state.got = -(n + 0.5)", "-3.5"},
        {"s.state.got = t", "declared memory holds numbers, got boolean"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_body(cases[i][0], cases[i][1]);
}

static void test_comparisons(void **state)
{
    static const char *const cases[][2] = {{"n == t", "0"},
                                           {"t == n", "0"},
                                           {"t == (z == 1)", "0"},
                                           {"t == (z == 0)", "1"},
                                           {"nil == t", "0"},
                                           {"n == nil", "0"},
                                           {"n == 3.0", "1"},
                                           {"z + 9007199254740993 == 9007199254740992.0", "0"},
                                           {"z + 9007199254740993 > 9007199254740992.0", "1"},
                                           {"job == s:id(job)", "1"},
                                           {"s:id(job) + 0.0 == job", "1"},
                                           {"job == nil", "0"},
                                           {"job == job", "1"},
                                           {"job == t", "0"},
                                           {"t == job", "0"},
                                           {"word(t) == 'fast'", "1"},
                                           {"word(t) == 'slow'", "0"},
                                           {"word(t) == n", "0"},
                                           {"n == word(t)", "0"},
                                           {"word(t) == t", "0"},
                                           {"not n", "0"},
                                           {"s.params.rate < n", "1"},
                                           {"n <= s.params.rate", "0"}};
    char body[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(body, sizeof body, "s.state.got = %s and 1 or 0", cases[i][0]);
        check_body(body, cases[i][1]);
    }
    check_body("s.state.got = n < t and 1 or 0", "attempt to compare number with boolean");
    check_body("s.state.got = t <= word(t) and 1 or 0", "attempt to compare boolean with string");
}

static void test_math(void **state)
{
    static const char *const cases[][2] = {
        {"math.max(n, 2.5)", "3"},
        {"math.max(z, 2.5)", "2.5"},
        {"math.max(z, n, 7, 5)", "7"},
        {"math.min(n, 2.5)", "2.5"},
        {"math.min(n)", "3"},
        {"math.max(z + 9007199254740993, 9007199254740992.0)", "9007199254740993"},
        {"math.abs(z - 3)", "3"},
        {"math.abs(z + math.mininteger)", "-9223372036854775808"},
        {"math.abs(z - 2.5)", "2.5"},
        {"math.floor(z - 2.5)", "-3"},
        {"math.floor(n)", "3"},
        {"math.floor(z + 1e300)", "1e+300"},
        {"math.ceil(z - 2.5)", "-2"},
        {"math.ceil(n)", "3"},
        {"math.sqrt(n + 1)", "2.0"},
        {"math.exp(z)", "1.0"},
        {"math.log(z + 1)", "0.0"},
        {"math.pow(n, 2)", "9.0"},
        {"twice(n)", "6"},
        /* arguments that are too few, too many or no numbers are Lua's to judge */
        {"math.floor(2.5, n)", "2"},
        {"math.ceil(2.5, n)", "3"},
        {"math.abs(z - 2, n)", "2"},
        {"math.sqrt(n + 1, n)", "2.0"},
        {"math.pow(n, 2, n)", "9.0"},
        {"math.max()", "bad argument #1 to 'max' (number expected, got no value)"},
        {"math.max(n, t)", "bad argument #2 to 'max' (number expected, got boolean)"},
        {"math.min(t, n)", "bad argument #1 to 'min' (number expected, got boolean)"},
        {"math.abs(t)", "bad argument #1 to 'abs' (number expected, got boolean)"},
        {"math.floor(t)", "bad argument #1 to 'floor' (number expected, got boolean)"},
        {"math.ceil(t)", "bad argument #1 to 'ceil' (number expected, got boolean)"},
        {"math.sqrt(t)", "bad argument #1 to 'sqrt' (number expected, got boolean)"},
        {"math.pow(n, t)", "bad argument #2 to 'pow' (number expected, got boolean)"}};
    char body[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(body, sizeof body, "s.state.got = %s", cases[i][0]);
        check_body(body, cases[i][1]);
    }
}

/* Loops that a program runs, and those that are Lua's: over floats, and without end. */
static void test_loops(void **state)
{
    static const char *const cases[][2] = {
        {"for i = 1, n do s.state.got = s.state.got + i end", "12"},
        {"for i = n, 1, -1 do s.state.got = s.state.got * 2 + i end", "153"},
        {"for i = n, 1 do s.state.got = i end", "0"},
        {"for i = 1, n, 5 do s.state.got = s.state.got + i end", "2"},
        {"for i = 1, n, 0.5 do s.state.got = i end", "3.0"},
        {"for i = 1, 2.5 do s.state.got = i end", "2"},
        {"for i = 1, n, z do s.state.got = i end", "'for' step is zero"},
        {"for i = 1, t do s.state.got = i end", "bad 'for' limit (number expected, got boolean)"},
        {"while t do s.state.got = s.state.got + 1 end",
         "used up its budget of 10000000 instructions in one call"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_body(cases[i][0], cases[i][1]);
}

/* Memory by names and indices that only the run knows. */
static void test_memory(void **state)
{
    static const char *const cases[][2] = {
        {"s.state.list[n] = 7 s.state.got = s.state.list[n]", "7"},
        {"s.state.got = s.state.list[n + 2]", "state.list[5]: the index must be in 1..4"},
        {"s.state.list[z] = 1", "state.list[0]: the index must be in 1..4"},
        {"s.state.list[t] = 1", "bad argument #2 to 'newindex' (number expected, got boolean)"},
        {"s.per_job.mine[job] = 2.5 s.state.got = s.per_job.mine[job]", "2.5"},
        {"s.per_job.mine[job + 0.0] = 2 s.state.got = s.per_job.mine[job]", "2"},
        {"s.per_job.mine[n + 90] = 2", "there is no job 93 in the system (it may have finished)"},
        {"s.state.got = job", "2"},
        {"s.state.list[2] = n s.state.got = s.state.list[2] + s.state.list[1]", "3"},
        {"s.state.got = 5 s.state.got = named(s, 'g', 'ot')", "5"},
        {"s.state[n > 2 and 'got' or 'list'] = n", "3"},
        {"s.state.got = 4 s.state.got = s.state[n > 2 and 'got' or 'list'] + 1", "5"},
        {"s.state[n > 2 and 'out' or 'got'] = n",
         "state.out is not declared (expected a name listed in state = { ... })"},
        {"s.state.got = s.state[n > 2 and 'out' or 'got']",
         "state.out is not declared (expected a name listed in state = { ... })"},
        {"s.state[n > 2 and n or 'got'] = n",
         "state.number is not declared (expected a name listed in state = { ... })"},
        {"s.state.got = s:remaining(n + 90)",
         "there is no job 93 in the system (it may have finished)"},
        {"s.state.got = s:remaining(t)", "remaining: a job is expected, got boolean"},
        {"s.state.got = s:group(job)", "0"},
        {"s.state.got = s:group(t)", "group: a job is expected, got boolean"},
        {"s.state.got = s:group(job + 0)", "0"},
        {"s.state.got = s:attribute(job, 'a', 7)", "7"},
        {"s.state.got = s:attribute(job, 'a', t)",
         "attribute: a number or a text is expected for jobs without the attribute, got boolean"},
        {"s.state.got = s:attribute_number(job, 'a', t)",
         "attribute_number: a number is expected for jobs without the attribute, got boolean"},
        {"s.state.got = s:attribute_number(job, 'a', word(t))",
         "attribute_number: a number is expected for jobs without the attribute, got fast"},
        {"s.state.got = s:attribute_number(job, 'a', 7)", "7"},
        {"s.state.got = s:attribute(t, 'a', 7)", "attribute: a job is expected, got boolean"},
        {"s.state.got = s:attribute(job, n, 7)",
         "attribute: the name of an attribute is expected, got 3"},
        {"s.state.got = s:active(n + 90) and 1 or 0", "0"},
        {"s.state.got = s:active(t) and 1 or 0",
         "active: an integer >= 0 is expected, got boolean"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_body(cases[i][0], cases[i][1]);
}

static char long_text[1 << 15];

/* Repeats a piece of code, with numbers from 1 in place of #, between two others. */
static const char *repeated(const char *before, const char *piece, int times, const char *behind)
{
    char *at = long_text + sprintf(long_text, "%s", before);
    for (int i = 1; i <= times; i++)
        for (const char *c = piece; *c; c++) {
            if (*c == '#')
                at += sprintf(at, "%d", i);
            else
                *at++ = *c;
        }
    strcpy(at, behind);
    return long_text;
}

/* A call costs compiled what it costs in Lua: with any budget both come to the same end. */
static void test_budgets(void **state)
{
    char straight[4000];
    int failed = 0, done = 0;
    (void)state;
    strcpy(straight,
           repeated("for i = 1, 1000 do s.state.got = i end ", "s.state.got = n + 1 ", 100, ""));
    for (uint64_t budget = 10; budget < 6000; budget += 13) {
        char messages[2][PN_LUA_MESSAGE_SIZE], text[8192];
        int status[2];
        snprintf(text, sizeof text, "%s%s%s", HEAD,
                 budget % 2 ? "for i = 1, n do s.state.got = twice(i) + math.max(i, n) end"
                            : straight,
                 TAIL);
        for (int way = 0; way < 2; way++) {
            lines printed = {.size = 0};
            pn_lua_options options = pn_lua_defaults();
            pn_lua_policy *policy;
            options.budget = budget;
            options.compile = way == 0 ? PN_LUA_INTERPRETED : PN_LUA_COMPILED;
            options.print = keep_line;
            options.user = &printed;
            messages[way][0] = '\0';
            status[way] = pn_lua_policy_load(&policy, FILE_NAME, text, strlen(text), &options,
                                             messages[way], PN_LUA_MESSAGE_SIZE);
            if (status[way] != PN_OK)
                continue;
            status[way] = run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL);
            strcpy(messages[way], pn_lua_policy_message(policy));
            pn_lua_policy_free(policy);
        }
        assert_int_equal(status[0], status[1]);
        assert_string_equal(messages[0], messages[1]);
        failed += status[0] == PN_ERR_POLICY;
        done += status[0] == PN_DONE;
    }
    assert_true(failed > 20 && done > 20);
}

/* ---- what is not compiled -------------------------------------------------------------------- */

/* With functions of the file in front, which `body` calls. */
static void check_unfit_with(const char *functions, const char *body, const char *want)
{
    static char text[1 << 16];
    pn_lua_policy *policy;
    const char *why, *file;
    int line = 0;
    snprintf(text, sizeof text, "%s%s%s%s", functions, HEAD, body, TAIL);
    policy = load(text);
    for (uint32_t i = 0; (why = pn_lua_policy_unfit(policy, i, &file, &line)); i++)
        if (line == ARRIVE_LINE && strcmp(why, want) != 0)
            fail_msg("%.100s: '%s' instead of '%s'", body, why, want);
    pn_lua_policy_free(policy);
}

static void check_unfit(const char *body, const char *want)
{
    check_unfit_with("", body, want);
}

static void test_unfit(void **state)
{
    static const char *const cases[][2] = {
        {"for a in n do s.state.got = a end", "it has a loop that is not over integers or jobs"},
        {"for a, b in s:group(job) do s.state.got = a end",
         "it has a loop that is not over integers or jobs"},
        {"for a, b in s:by('mine') do s.state.got = a end",
         "it has a loop that is not over integers or jobs"},
        {"for a in s:by('mine') do s.state.got = a end", ""},
        {"for a in s:by(s) do s.state.got = a end", "it uses the view as a value"},
        {"s.state.got = deep(n)", "it calls itself, or too deep"},
        {"s.state.got = ('a' .. n) == t and 1 or 0", "it makes a text"},
        {"s.state.got = ('a' .. 1) == t and 1 or 0", "it makes a text"},
        {"s.state.got = s:remaining(far(s))", "it uses the view as a value"},
        {"s.state.got = s.remaining(job)", "it calls a method with other arguments"},
        {"s.state.got = -s", "it uses the view as a value"},
        {"s.state.got = not named", "it computes with a text, table or function"},
        {"s.state.got = twice()", ""},
        {"local a, b = twice(n) s.state.got = b and 1 or a", ""},
        {"s.state.got = math.max(several(t))", "its number of results varies"},
        {"s.state.got = math.max(twice(n))", ""},
        {"s.state.got = #math", "it computes with a text, table or function"},
        {"s.state.got = math.pi()", "it calls what is no function of the file"},
        {"s.state.got = math()", "it calls what is no function of the file"},
        {"s.state.got = math.nothing and 1", "it reads a field that its table does not have"},
        {"s[n] = 1", "it writes to a table"},
        {"s.state.list[s] = 1", "it uses the view as a value"},
        {"s.state[s] = 1", "it uses the view as a value"},
        {"s.state.got = s.state.list[s]", "it uses the view as a value"},
        {"s.state.got = s.other", "it uses the view as a table"},
        {"s.state.got = s:other()", "it calls a method that cannot be compiled"},
        {"s.state.got = math.huge.x", "it reads a table"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_unfit(cases[i][0], cases[i][1]);
}

/* What is too long or too much. */
static void test_too_much(void **state)
{
    char ends[2000];
    (void)state;
    check_unfit(repeated("", "s.state.got = n + # ", 200, ""), "it is too long");
    check_unfit(repeated("", "s.state.got = # * 1000.5 ", 70, ""), "it has too many constants");
    check_unfit(repeated("local a", ", b#", 158, " = n"), "it is too long");
    check_unfit(repeated("", "for i = 1, n do s.state.got = i end ", 17, ""),
                "it has too many loops");
    check_unfit(repeated("", "if n == # then s.state.got = # end ", 20, ""), "");
    check_unfit(repeated("", "if n > 1 then s.state.got = n end ", 70, ""),
                "it has too many branches");
    check_unfit_with(
        repeated("local function many(x) ", "if x == # then return # end ", 33, "end "),
        "s.state.got = many(n)", "it has too many branches");
    check_unfit_with(
        repeated("local function many(x) ", "if x == # then return # end ", 20, "end "),
        "s.state.got = many(n)", "");
    check_unfit_with(repeated("local function big(x) ", "x = x + 1 ", 100, "return x end "),
                     "s.state.got = big(n) + big(n) + big(n) + big(n)", "");
    check_unfit_with(repeated("local function big(x) ", "x = x + 1 ", 100, "return x end "),
                     "s.state.got = big(n) + big(n) + big(n) + big(n) + big(n) + big(n)",
                     "it is too long");
    check_unfit_with("local T = {} ", "s.state.got = T.x and 1 or 0",
                     "it reads a field that its table does not have");
    strcpy(ends, repeated("", "s.state.got = n end ", 65, ""));
    check_unfit(repeated("", "if n > 1 then ", 65, ends), "it has too many branches");
    check_unfit(repeated("", "sq(n) ", 151, ""), "it uses too much of the file");
    check_unfit(repeated("", "sq(n) ", 100, ""), "");
    check_unfit(repeated("local a = 'x", "yyyyyyyyyy", 30, "' s.state.got = a == n and 1 or 0"),
                "its texts are too long");
    /* the name of a method behind 256 constants that no code comes to */
    check_unfit(
        repeated("local a goto over ", "a = #.5 ", 300, "::over:: s.state.got = s:remaining(job)"),
        "it calls a method that cannot be compiled");
}

/* The functions of the file that asks print to this host. */
static void drop_line(void *user, const char *line)
{
    (void)user, (void)line;
}

/* A policy whose memory is short when it is compiled is not compiled, or does not load; it decides
 * the same. */
static void test_short_memory(void **state)
{
    unsigned refused = 0, interpreted = 0;
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, "%s%s%s", HEAD, "s.state.got = twice(n)", TAIL);
    for (uint64_t at = 1;; at++) {
        lender own = {.refuse_at = at};
        pn_lua_options options = pn_lua_defaults();
        char message[PN_LUA_MESSAGE_SIZE];
        pn_lua_policy *policy;
        const char *why, *file;
        int line, status;
        options.allocate = lend;
        options.print = drop_line;
        options.user = &own;
        status = pn_lua_policy_load(&policy, FILE_NAME, text, strlen(text), &options, message,
                                    sizeof message);
        if (status == PN_OK) {
            bool is_whole = true;
            for (uint32_t i = 0; (why = pn_lua_policy_unfit(policy, i, &file, &line)); i++)
                if (line == ARRIVE_LINE && why[0] != '\0') {
                    assert_string_equal(why, "memory is short");
                    is_whole = false;
                }
            interpreted += !is_whole;
            own.refuse_at = UINT64_MAX;
            assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
            pn_lua_policy_free(policy);
        }
        refused += status != PN_OK;
        assert_int_equal(own.blocks, 0);
        if (own.requests < at)
            break;
    }
    assert_true(refused > 10 && interpreted > 1);
}

/* Memory that is short in a run ends the run, or Lua finds some: it decides the same. */
static void test_short_memory_in_runs(void **state)
{
    unsigned requests = 0;
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, "%s%s%s", HEAD,
             "s.state.got = twice(n) for i = 1, 4 do s.state.list[i] = i end", TAIL);
    for (uint64_t at = 1;; at++) {
        lender own = {.refuse_at = UINT64_MAX};
        pn_lua_options options = pn_lua_defaults();
        options.allocate = lend;
        options.print = drop_line;
        options.user = &own;
        pn_lua_policy *policy = load_with(text, &options);
        own.refuse_at = own.requests + at;
        int status = run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL);
        bool is_over = own.requests < own.refuse_at;
        assert_true(status == PN_DONE ||
                    (status == PN_ERR_POLICY && strstr(pn_lua_policy_message(policy), "memory")));
        pn_lua_policy_free(policy);
        assert_int_equal(own.blocks, 0);
        if (is_over)
            break;
        requests++;
    }
    assert_true(requests > 0);
}

/* ---- calls that fail ------------------------------------------------------------------------- */

/* A message says where it happened, unless it begins with that. */
static void test_places(void **state)
{
    static const char *const cases[][2] = {{"job 7 at slot 9: odd", "job 7 at slot 9: odd"},
                                           {"slot 9: odd", "slot 9: odd"},
                                           {"job is odd", "job 2 at slot 1: job is odd"},
                                           {"job 7 is odd", "job 2 at slot 1: job 7 is odd"},
                                           {"slots are odd", "job 2 at slot 1: slots are odd"},
                                           {"slot x is odd", "job 2 at slot 1: slot x is odd"}};
    char text[2048], want[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(text, sizeof text,
                 "return { name = 'm', model = 'slotted', key = { changes = 'arrival', of = "
                 "function(s, job) return 1 end }, finish = function() error('%s') end }",
                 cases[i][0]);
        snprintf(want, sizeof want, FILE_NAME ":1: %s", cases[i][1]);
        assert_true(gives_up(text, NULL, want));
    }
}

/* A hook whose call makes another function fail fails with that one's message, once. */
static void test_failing_inside(void **state)
{
    static const char text[] =
        "return { name = 'm', model = 'slotted', state = { 'n' },\n"
        "orders = { mine = { changes = 'served', walk = true,\n"
        "of = function(s, job) if s:attained(job) > 0 then return 0 / 0 end return 1 end } },\n"
        "slot = function(s) s.state.n = s.state.n + 1 s:fill('all', 'mine') end }";
    static const int ways[] = {PN_LUA_INTERPRETED, PN_LUA_COMPILED, PN_LUA_COMPARED};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        pn_lua_options options = pn_lua_defaults();
        options.compile = ways[i];
        assert_true(gives_up(text, &options,
                             FILE_NAME ":3: job 1 at slot 2: a key must be one or two numbers, "
                                       "integers up to 2^53 or finite floats, got NaN"));
    }
}

static void test_interrupted(void **state)
{
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, "%s%s%s", HEAD, "s.state.got = twice(n)", TAIL);
    for (int way = 0; way < 2; way++) {
        lines printed = {.size = 0};
        pn_lua_options options = pn_lua_defaults();
        pn_lua_policy *policy;
        options.compile = way == 0 ? PN_LUA_INTERPRETED : PN_LUA_COMPILED;
        options.print = keep_line;
        options.user = &printed;
        policy = load_with(text, &options);
        assert_false(pn_lua_policy_interrupted(policy));
        pn_lua_interrupt(policy);
        assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_ERR_POLICY);
        assert_true(pn_lua_policy_interrupted(policy));
        assert_non_null(strstr(pn_lua_policy_message(policy), "interrupted"));
        assert_int_equal(printed.size, 0);
        pn_lua_policy_free(policy);
    }
}

/* ---- tables among the parameters ------------------------------------------------------------- */

static const char with_table[] =
    "return { name = 'm', model = 'slotted', state = { 'got' },\n"
    "params = { w = { default = { 3, 4 }, shape = { type = 'list', of = { type = 'number' } },\n"
    "  doc = '' }, rate = { default = 0.5, doc = '' } },\n"
    "key = { changes = 'arrival', of = function(s, job) return s:id(job) * s.params.rate end },\n"
    "finish = function(s, job) print(s.params.w[1]) end }";

typedef struct asking {
    pn_lua_policy *policy;
    int status;
} asking;

static void set_inside(void *user, const char *line)
{
    asking *self = user;
    (void)line;
    self->status = pn_lua_policy_set_table(self->policy, NULL, "w", "{ 5 }", 5, NULL, 0);
}

/* A table is set by name, outside of calls, as a text that fits its shape. */
static void test_tables(void **state)
{
    asking inside = {NULL, PN_OK};
    pn_lua_options options = pn_lua_defaults();
    double params[PN_PARAMS_MAX] = {0.0}, others[PN_PARAMS_MAX] = {0.0};
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    (void)state;
    options.print = set_inside;
    options.user = &inside;
    policy = inside.policy = load_with(with_table, &options);
    pn_lua_policy_defaults(policy, params);
    assert_int_equal(pn_lua_policy_set_table(policy, params, "v", "{ 5 }", 5, message, 100),
                     PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_set_table(policy, params, "rate", "{ 5 }", 5, message, 100),
                     PN_ERR_ARGUMENT);
    assert_string_equal(message, "");
    assert_int_equal(pn_lua_policy_set_table(policy, params, "w", "{ 5", 3, message, 100),
                     PN_ERR_POLICY);
    assert_true(strlen(message) > 0);
    assert_int_equal(pn_lua_policy_set_table(policy, params, "w", "{ 'x' }", 7, message, 100),
                     PN_ERR_POLICY);
    assert_true(strlen(message) > 0);
    assert_string_equal(pn_lua_policy_message(policy), "");
    pn_lua_policy_defaults(policy, others);
    assert_memory_equal(params, others, sizeof params);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, params), PN_DONE);
    assert_int_equal(inside.status, PN_ERR_ARGUMENT); /* in a call of the policy */
    assert_int_equal(pn_lua_policy_set_table(policy, NULL, "w", "{ 5 }", 5, NULL, 0), PN_OK);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, params), PN_ERR_POLICY);
    assert_string_equal(
        pn_lua_policy_message(policy),
        FILE_NAME ": job 1 at slot 1: params.w: the simulation runs with another table than the "
                  "policy has");
    pn_lua_policy_free(policy);
}

/* ---- loading --------------------------------------------------------------------------------- */

static void test_loading(void **state)
{
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    char message[PN_LUA_MESSAGE_SIZE] = "x", text[2048];
    const char *why, *file;
    int line, functions = 0;
    (void)state;
    /* a host may want no message, or the beginning of it */
    assert_int_equal(pn_lua_policy_load(&policy, "a", "return", 6, NULL, NULL, 0), PN_ERR_POLICY);
    assert_int_equal(pn_lua_policy_load(&policy, "a", "return", 6, NULL, message, 0),
                     PN_ERR_POLICY);
    assert_string_equal(message, "x");
    assert_int_equal(pn_lua_policy_load(&policy, "a\x7f\n", "=", 1, NULL, message, 8),
                     PN_ERR_POLICY);
    assert_string_equal(message, "a??:1: ");
    snprintf(text, sizeof text, "%s%s%s", HEAD, "s.state.got = n", TAIL);
    options.compile = PN_LUA_INTERPRETED;
    policy = load_with(text, &options);
    for (uint32_t i = 0; (why = pn_lua_policy_unfit(policy, i, &file, &line)); i++, functions++)
        assert_string_equal(why, "compiling is switched off");
    assert_int_equal(functions, 3);
    pn_lua_policy_free(policy);
}

/* ---- damaged memory -------------------------------------------------------------------------- */

/* Runs a copy of the block in which a word has this value, and two jobs that come later. */
static int run_damaged(const pn_slotted *whole, size_t size, size_t at, uint32_t value,
                       const pn_slotted_hooks *hooks, void *room)
{
    const pn_slotted_job late = {.arrival = 9, .maps = 1};
    pn_slotted *sim;
    int status;
    memcpy(room, whole, size);
    memcpy((char *)room + at, &value, sizeof value);
    if (pn_slotted_validate(room, size) != PN_OK || pn_slotted_open(&sim, room, size) != PN_OK)
        return PN_ERR_DAMAGED;
    status = pn_slotted_run(sim, hooks, 8);
    if (status < 0)
        return status;
    pn_slotted_submit(sim, &late, NULL);
    pn_slotted_submit(sim, &late, NULL);
    return pn_slotted_run(sim, hooks, 50);
}

/* Whatever a word of the block says, where the kernel takes the block the policy decides, or says
 * that its memory is damaged. */
static void test_damaged_memory(void **state)
{
    static const uint32_t values[] = {0, 1, 2, 3, 4, 200, UINT32_MAX};
    unsigned damaged = 0, done = 0;
    pn_lua_options options = pn_lua_defaults();
    char text[2048];
    (void)state;
    options.print = drop_line;
    snprintf(text, sizeof text, "%s%s%s", HEAD,
             "s.per_job.mine[job] = n s.state.got = s:active(n + 90) and 1 or 0", TAIL);
    pn_lua_policy *policy = load_with(text, &options);
    const pn_slotted_policy *table = pn_lua_policy_slotted(policy);
    const pn_slotted_hooks hooks = {.policy = table};
    for (int steps = 0; steps < 2; steps++) {
        pn_slotted *whole = few_jobs(table, PN_SLOTTED_PREEMPTIVE);
        assert_true(steps == 0 || pn_slotted_step(whole, &hooks) == PN_OK);
        size_t size = pn_slotted_block_size(whole);
        void *room = workload_room(size);
        for (size_t at = 0; at + 4 <= size; at += 4)
            for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
                int status = run_damaged(whole, size, at, values[i], &hooks, room);
                done += status == PN_DONE;
                damaged += status == PN_ERR_POLICY &&
                           strstr(pn_lua_policy_message(policy), "the memory is damaged");
            }
        free(room);
        free(whole);
    }
    pn_lua_policy_free(policy);
    assert_true(damaged > 0 && done > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),      cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_math),           cmocka_unit_test(test_loops),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_unfit),          cmocka_unit_test(test_too_much),
        cmocka_unit_test(test_short_memory),   cmocka_unit_test(test_places),
        cmocka_unit_test(test_failing_inside), cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_tables),         cmocka_unit_test(test_loading),
        cmocka_unit_test(test_damaged_memory), cmocka_unit_test(test_short_memory_in_runs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
