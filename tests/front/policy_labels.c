/* Attributes and groups by name, for C hosts: what pn_lua_policy_attributes and
 * pn_lua_policy_groups say is what a policy sees, from whatever block the numbers come. */
#include <stdio.h>

#include "slotted/support/script.h"

enum { JOBS = 40, COUNT = 3, GROUPS = 4 };

/* Says of every job what it is told, when it arrives and when its key is computed. */
static const char telling[] =
    "return { name = 'telling', model = 'slotted',\n"
    "  key = { changes = 'served', of = function(s, job) return s:attribute(job, 'b', 0), "
    "s:attribute_number(job, 'b', 0) end },\n"
    "  finish = function(s, job)\n"
    "    print(s:id(job), s:attribute(job, 'a', -1), s:attribute(job, 'b', -1),\n"
    "      s:attribute(job, 'c', -1), s:group(job), s:group_name(job), #s:groups(), "
    "#s:attributes())\n"
    "  end }";

/* A host that keeps what the policy prints. */
typedef struct heard {
    char lines[JOBS + 1][160];
    size_t count;
} heard;

static void hear(void *user, const char *line)
{
    heard *h = user;
    assert_true(h->count <= JOBS);
    const char *text = strrchr(line, ':'); /* behind the place */
    snprintf(h->lines[h->count++], sizeof h->lines[0], "%s", text ? text + 2 : line);
}

static pn_lua_policy *loaded(const char *text, heard *h)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    options.print = hear;
    options.user = h;
    if (pn_lua_policy_load(&policy, "labels.lua", text, strlen(text), &options, message,
                           sizeof message) != PN_OK)
        fail_msg("%s", message);
    return policy;
}

static pn_slotted *sim_of(const pn_lua_policy *policy, uint64_t attributes)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 2;
    config.jobs_max = JOBS;
    config.groups_max = GROUPS;
    config.attributes = attributes;
    config.policy = pn_lua_policy_slotted(policy);
    return slotted_sim(&config);
}

static void submit(pn_slotted *sim, uint64_t id, const double values[COUNT])
{
    const pn_slotted_job job = {
        .arrival = 1 + id / 3, .maps = 1 + id % 3, .group = id % GROUPS, .attributes = values};
    assert_int_equal(pn_slotted_submit(sim, &job, NULL), PN_OK);
}

/* ---- what is seen is what was given ---------------------------------------------------------- */

/* From another address at every step; nothing of the old bytes is left. */
static pn_slotted *moved(pn_slotted *sim)
{
    size_t size = pn_slotted_block_size(sim);
    pn_slotted *next;
    void *room = workload_room(size);
    memcpy(room, sim, size);
    memset(sim, 0xA5, size);
    free(sim);
    assert_int_equal(pn_slotted_validate(room, size), PN_OK);
    assert_int_equal(pn_slotted_open(&next, room, size), PN_OK);
    return next;
}

static void finish(pn_slotted *sim, const pn_lua_policy *policy, bool moving)
{
    const pn_slotted_hooks hooks = {.policy = pn_lua_policy_slotted(policy)};
    int status;
    while ((status = pn_slotted_step(sim, &hooks)) == PN_OK)
        sim = moving ? moved(sim) : sim;
    if (status != PN_DONE)
        fail_msg("%s", pn_lua_policy_message(policy));
    free(sim);
}

/* With the sort order of groups 9, 10, b, none: as the kernel numbers them "b", "10", none, "9". */
static void check_line(const char *line, double all[][COUNT], uint64_t seed)
{
    static const char *const groups[GROUPS] = {"3\tb", "2\t10", "0\tnil", "1\t9"};
    char want[160];
    unsigned long long id = strtoull(line, NULL, 10);
    assert_true(1 <= id && id <= JOBS);
    char values[COUNT][40];
    for (int k = 0; k < COUNT; k++) {
        snprintf(values[k], sizeof values[k], "%.14g", all[id - 1][k]);
        if (!strpbrk(values[k], ".e"))
            strcat(values[k], ".0");
    }
    snprintf(want, sizeof want, "%llu\t%s\t%s\t%s\t%s\t3\t3", id, values[0], values[1], values[2],
             groups[id % GROUPS]);
    if (strcmp(line, want) != 0)
        fail_msg("seed %llu: got \"%s\", want \"%s\"", (unsigned long long)seed, line, want);
}

static void every_view_sees_what_was_given(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        /* texts of the host's own, gone when the policy is asked */
        char a[] = "a", b[] = "b", c[] = "c";
        heard plain = {.count = 0}, forked = {.count = 0};
        pn_lua_policy *policy = loaded(telling, &plain), *other = loaded(telling, &forked);
        pn_stream stream;
        double all[JOBS][COUNT];
        pn_stream_init(&stream, seed, 0, 0);
        pn_lua_policy *const both[] = {policy, other};
        for (int i = 0; i < 2; i++) {
            assert_int_equal(
                pn_lua_policy_attributes(both[i], (const char *const[]){a, b, c}, COUNT), PN_OK);
            assert_int_equal(
                pn_lua_policy_groups(both[i], (const char *const[]){b, "10", NULL, "9"}, GROUPS),
                PN_OK);
        }
        memset(a, 'x', 1);
        memset(b, 'x', 1);
        memset(c, 'x', 1);
        pn_slotted *sim = sim_of(policy, COUNT);
        for (uint64_t id = 1; id <= JOBS; id++) {
            for (int k = 0; k < COUNT; k++)
                all[id - 1][k] = (double)pn_uniform(&stream, 0, 4000) / 8 - 100;
            submit(sim, id, all[id - 1]);
        }
        /* a fork, which another policy of the same text carries on with */
        size_t size = pn_slotted_block_size(sim);
        pn_slotted *fork;
        void *room = workload_room(size);
        memcpy(room, sim, size);
        assert_int_equal(pn_slotted_open(&fork, room, size), PN_OK);
        finish(fork, other, true);
        finish(sim, policy, false);
        assert_int_equal(plain.count, JOBS);
        assert_int_equal(forked.count, JOBS);
        for (int i = 0; i < JOBS; i++) {
            check_line(plain.lines[i], all, seed);
            assert_string_equal(plain.lines[i], forked.lines[i]);
        }
        pn_lua_policy_free(policy);
        pn_lua_policy_free(other);
    }
}

/* ---- without names, and with others ---------------------------------------------------------- */

static void run_one(pn_lua_policy *policy, uint64_t attributes)
{
    const double values[COUNT] = {1.5, 2.5, 3.5};
    pn_slotted *sim = sim_of(policy, attributes);
    submit(sim, 3, values);
    finish(sim, policy, false);
}

static void names_are_the_hosts_affair(void **unused)
{
    heard h = {.count = 0};
    pn_lua_policy *policy = loaded(telling, &h);
    (void)unused;
    /* numbers, as nobody has named anything */
    run_one(policy, COUNT);
    assert_string_equal(h.lines[0], "1\t-1\t-1\t-1\t3\tnil\t0\t0");
    assert_int_equal(pn_lua_policy_attributes(policy, (const char *const[]){"c", "a"}, 2), PN_OK);
    assert_int_equal(pn_lua_policy_groups(policy, (const char *const[]){"z", "y", "z", "y"}, 4),
                     PN_OK);
    run_one(policy, COUNT);
    assert_string_equal(h.lines[1], "1\t2.5\t-1\t1.5\t1\ty\t2\t2");
    /* a block with less than is named; a group that is not named */
    assert_int_equal(pn_lua_policy_groups(policy, (const char *const[]){"z"}, 1), PN_OK);
    run_one(policy, 1);
    assert_string_equal(h.lines[2], "1\t-1\t-1\t1.5\t0\tnil\t1\t2");
    assert_int_equal(pn_lua_policy_attributes(policy, NULL, 0), PN_OK);
    assert_int_equal(pn_lua_policy_groups(policy, NULL, 0), PN_OK);
    run_one(policy, 0);
    assert_string_equal(h.lines[3], "1\t-1\t-1\t-1\t3\tnil\t0\t0");
    pn_lua_policy_free(policy);
}

/* A number that stands for no text is one, as are all when the attributes are named again. */
static void numbers_stand_for_texts(void **unused)
{
    static const char shows[] =
        "return { name = 'shows', model = 'slotted', key = 'arrival',\n"
        "  finish = function(s, job)\n"
        "    for _, name in ipairs(s:attributes()) do\n"
        "      print(s:attribute(job, name), s:attribute_number(job, name))\n"
        "    end\n"
        "  end }";
    const double values[COUNT] = {1.0, 0.5, 2.0};
    heard h = {.count = 0};
    pn_lua_policy *policy = loaded(shows, &h);
    const char *const names[] = {"a", "b", "c"}, *const labels[] = {"none", "ann"};
    (void)unused;
    assert_int_equal(pn_lua_policy_attributes(policy, names, COUNT), PN_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(pn_lua_policy_labels(policy, i, labels, 2), PN_OK);
    for (int again = 0; again < 2; again++) {
        pn_slotted *sim = sim_of(policy, COUNT);
        submit(sim, 3, values);
        finish(sim, policy, false);
        assert_int_equal(pn_lua_policy_attributes(policy, names, COUNT), PN_OK);
    }
    assert_string_equal(h.lines[0], "ann\t1.0");
    assert_string_equal(h.lines[1], "0.5\t0.5");
    assert_string_equal(h.lines[2], "2.0\t2.0");
    assert_string_equal(h.lines[3], "1.0\t1.0");
    pn_lua_policy_free(policy);
}

static void what_makes_no_sense_is_refused(void **unused)
{
    const char *const holes[] = {"a", NULL};
    const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    heard h = {.count = 0};
    pn_lua_policy *policy = loaded(telling, &h);
    (void)unused;
    assert_int_equal(pn_lua_policy_attributes(NULL, holes, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_attributes(policy, NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_attributes(policy, holes, 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_attributes(policy, many, 9), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_attributes(policy, many, 8), PN_OK);
    assert_int_equal(pn_lua_policy_labels(NULL, 0, holes, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_labels(policy, 8, many, 9), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_labels(policy, 7, holes, 2), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_labels(policy, 7, NULL, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_labels(policy, 7, NULL, 0), PN_OK);
    assert_int_equal(pn_lua_policy_groups(NULL, holes, 1), PN_ERR_ARGUMENT);
    assert_int_equal(pn_lua_policy_groups(policy, NULL, 1), PN_ERR_ARGUMENT);
    pn_lua_policy_free(policy);
}

/* More names than the ceiling on the policy's memory allows. */
static void short_memory_is_told(void **unused)
{
    enum { MANY = 20000 };
    static char texts[MANY][32];
    static const char *names[MANY];
    char message[PN_LUA_MESSAGE_SIZE];
    heard h = {.count = 0};
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    (void)unused;
    options.memory = 400000;
    options.print = hear;
    options.user = &h;
    assert_int_equal(pn_lua_policy_load(&policy, "labels.lua", telling, sizeof telling - 1,
                                        &options, message, sizeof message),
                     PN_OK);
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "a group with number %d", i);
        names[i] = texts[i];
    }
    assert_int_equal(pn_lua_policy_groups(policy, names, MANY), PN_ERR_SIZE);
    /* it goes on without */
    run_one(policy, 0);
    assert_string_equal(h.lines[0], "1\t-1\t-1\t-1\t3\tnil\t0\t0");
    assert_int_equal(pn_lua_policy_groups(policy, names, 10), PN_OK);
    assert_int_equal(pn_lua_policy_groups(policy, names, MANY), PN_ERR_SIZE);
    run_one(policy, 0);
    assert_string_equal(h.lines[1], h.lines[0]);
    pn_lua_policy_free(policy);
}

/* Names are kept, or there is no memory for them; then the policy has those that it had. */
static void names_without_memory(void **unused)
{
    static const char text[] = "return { name = 'm', model = 'slotted', key = { changes = "
                               "'arrival', of = function(s, job) return s:id(job) end } }";
    static const char *const names[] = {"a", "b"};
    (void)unused;
    for (int what = 0; what < 3; what++) {
        unsigned refused = 0;
        for (uint64_t at = 1;; at++) {
            lender own = {.refuse_at = UINT64_MAX, .for_good = true};
            pn_lua_options options = pn_lua_defaults();
            options.allocate = lend;
            options.user = &own;
            pn_lua_policy *policy = load_with(text, &options);
            if (what == 1)
                assert_int_equal(pn_lua_policy_attributes(policy, names, 1), PN_OK);
            own.refuse_at = own.requests + at;
            int status = what == 0   ? pn_lua_policy_attributes(policy, names, 2)
                         : what == 1 ? pn_lua_policy_labels(policy, 0, names, 2)
                                     : pn_lua_policy_groups(policy, names, 2);
            assert_true(status == PN_OK || status == PN_ERR_SIZE);
            own.refuse_at = UINT64_MAX;
            assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
            pn_lua_policy_free(policy);
            assert_int_equal(own.blocks, 0);
            if (status == PN_OK)
                break;
            refused++;
        }
        assert_true(refused > 0);
    }
}

/* Whole numbers come first, by size; what only looks like one is a text. */
static void groups_in_order(void **unused)
{
    heard h = {.count = 0};
    static const char text[] =
        "return { name = 'm', model = 'slotted', key = { changes = 'arrival', of = function(s, "
        "job) "
        "return 1 end }, finish = function(s, job) if s:id(job) > 1 then return end local l = "
        "s:groups() for i = 1, #l do print(l[i]) end end }";
    static const char *const names[] = {"07", "10", "0", "", "9", "00", "9"};
    static const char *const sorted[] = {"0", "9", "10", "", "00", "07"};
    (void)unused;
    pn_lua_policy *policy = loaded(text, &h);
    assert_int_equal(pn_lua_policy_groups(policy, names, 7), PN_OK);
    assert_int_equal(run_few(policy, PN_SLOTTED_PREEMPTIVE, NULL), PN_DONE);
    assert_int_equal(h.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(h.lines[i], sorted[i]);
    pn_lua_policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_without_memory),
        cmocka_unit_test(groups_in_order),
        cmocka_unit_test(every_view_sees_what_was_given),
        cmocka_unit_test(names_are_the_hosts_affair),
        cmocka_unit_test(numbers_stand_for_texts),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(short_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
