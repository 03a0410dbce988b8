/* Slots that become free (kernel/base/slots.h) against a plain list of them, task by task as the
 * listings of the RTMR paper have it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/slots.h"

enum { MOST = 12 };

typedef struct plain {
    uint64_t time[MOST]; /* ascending */
    uint32_t count;
} plain;

typedef struct both {
    plain plain;
    uint64_t time[MOST];
    uint32_t count[MOST];
    pn_slots slots;
} both;

/* Puts a time in place of the first. */
static void replace_first(plain *it, uint64_t time)
{
    uint32_t at = 0;
    for (; at + 1 < it->count && it->time[at + 1] < time; at++)
        it->time[at] = it->time[at + 1];
    it->time[at] = time;
}

static void add(both *it, uint64_t time)
{
    uint32_t at = it->plain.count++;
    for (; at > 0 && it->plain.time[at - 1] > time; at--)
        it->plain.time[at] = it->plain.time[at - 1];
    it->plain.time[at] = time;
    pn_slots_append(&it->slots, time);
}

/* Starts with some slots that become free in a range. What is behind them is not read. */
static void start(both *it, pn_stream *stream, uint64_t first, uint64_t range)
{
    uint32_t count = (uint32_t)pn_uniform(stream, 1, MOST);
    it->plain.count = 0;
    it->slots = (pn_slots){it->time, it->count, 0};
    for (uint32_t i = 0; i < MOST; i++) {
        it->time[i] = first;
        it->count[i] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        add(it, first + pn_uniform(stream, 0, range));
    pn_slots_heap(&it->slots);
}

static void assert_same(const both *it, uint64_t from)
{
    plain found = {.count = 0};
    for (uint32_t i = 0; i < it->slots.groups; i++) {
        assert_true(it->count[i] > 0 && (i == 0 || it->time[(i - 1) / 2] <= it->time[i]));
        for (uint32_t k = 0; k < it->count[i]; k++) {
            uint32_t at = found.count++;
            for (; at > 0 && found.time[at - 1] > it->time[i]; at--)
                found.time[at] = found.time[at - 1];
            found.time[at] = it->time[i];
        }
    }
    assert_int_equal(found.count, it->plain.count);
    for (uint32_t i = 0; i < found.count; i++)
        assert_int_equal(pn_max(found.time[i], from), pn_max(it->plain.time[i], from));
}

/* Algorithms II and III. */
static uint64_t plain_run(plain *it, uint64_t from, uint32_t tasks, uint64_t ms)
{
    uint64_t end = 0;
    for (; tasks > 0; tasks--) {
        end = pn_min(pn_max(it->time[0], from) + ms, PN_SLOTS_LAST);
        replace_first(it, end);
    }
    return end;
}

/* Few tasks and many, on slots that become free together and far apart, and near the last time:
 * each way to run them gives the same slots. */
static void test_runs(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 1, 0, 0);
    for (int i = 0; i < 30000; i++) {
        uint64_t range = (uint64_t)1 << pn_uniform(&stream, 0, 14);
        uint64_t first = i % 8 > 0 ? 0 : PN_SLOTS_LAST - range * pn_uniform(&stream, 1, 32);
        both it;
        start(&it, &stream, first, range);
        for (int k = 0; k < 4; k++) {
            uint64_t from = pn_min(first + pn_uniform(&stream, 0, 2 * range), PN_SLOTS_LAST),
                     ms = pn_uniform(&stream, 1, 1 + range / 2);
            uint32_t tasks = (uint32_t)pn_uniform(&stream, 1,
                                                  (uint64_t)4 << pn_uniform(&stream, 0, 9));
            assert_int_equal(pn_slots_execute(&it.slots, from, tasks, ms),
                             plain_run(&it.plain, from, tasks, ms));
            assert_same(&it, 0);
        }
    }
}

/* Algorithm VI puts the time at which each task ended, in order, in place of the first. To whoever
 * asks from then on, that is the same as one slot that is free now where none was. */
static void test_ended(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 2, 0, 0);
    for (int i = 0; i < 30000; i++) {
        uint64_t range = (uint64_t)1 << pn_uniform(&stream, 0, 8),
                 now = pn_uniform(&stream, 0, range), ended = 0;
        both it;
        start(&it, &stream, 0, 2 * range);
        /* Some become free together. */
        uint32_t before = (uint32_t)pn_uniform(&stream, 1, MOST);
        uint64_t from = pn_uniform(&stream, 0, 2 * range);
        pn_slots_execute(&it.slots, from, before, 1);
        plain_run(&it.plain, from, before, 1);
        for (uint64_t tasks = pn_uniform(&stream, 1, 40); tasks > 0; tasks--) {
            ended = pn_uniform(&stream, ended, now);
            replace_first(&it.plain, ended);
        }
        pn_slots_ended(&it.slots, now);
        assert_same(&it, now);
    }
}

/* Those that were free before are one group that is free now. */
static void test_pass(void **state)
{
    (void)state;
    pn_stream stream;
    pn_stream_init(&stream, 3, 0, 0);
    for (int i = 0; i < 30000; i++) {
        uint64_t range = (uint64_t)1 << pn_uniform(&stream, 0, 6),
                 now = pn_uniform(&stream, 0, range + 1);
        both it;
        start(&it, &stream, 0, range);
        assert_int_equal(pn_slots_last(&it.slots), it.plain.time[it.plain.count - 1]);
        uint32_t later = 0;
        for (uint32_t k = 0; k < it.plain.count; k++) {
            later += it.plain.time[k] > now;
            it.plain.time[k] = pn_max(it.plain.time[k], now);
        }
        pn_slots_pass(&it.slots, now);
        assert_same(&it, 0);
        assert_int_equal(it.slots.groups, later + (later < it.plain.count));
        assert_int_equal(pn_slots_last(&it.slots), it.plain.time[it.plain.count - 1]);
    }
}

static void test_copies_and_cleared_slots(void **state)
{
    (void)state;
    both it = {.slots = {it.time, it.count, 0}};
    uint64_t time[3] = {0, 0, 99};
    uint32_t count[3] = {0, 0, 98};
    pn_slots copy = {time, count, 3};
    assert_int_equal(pn_slots_last(&it.slots), 0);
    add(&it, 4);
    add(&it, PN_SLOTS_LAST + 1);
    pn_slots_copy(&copy, &it.slots);
    assert_true(copy.groups == 2 && time[0] == 4 && time[1] == PN_SLOTS_LAST);
    assert_true(count[0] == 1 && count[1] == 1 && time[2] == 99 && count[2] == 98);
    pn_slots_clear(&copy, 6, 5);
    assert_true(copy.groups == 1 && time[0] == 6 && count[0] == 5);
    pn_slots_clear(&copy, 7, 1);
    assert_true(copy.groups == 1 && time[0] == 7 && count[0] == 1);
    pn_slots_clear(&copy, 6, 0);
    assert_int_equal(copy.groups, 0);
}

static void test_no_slots(void **state)
{
    (void)state;
    pn_slots none = {NULL, NULL, 0};
    pn_slots_pass(&none, 7);
    pn_slots_ended(&none, 7);
    assert_true(pn_slots_execute(&none, 7, 3, 2) == UINT64_MAX);
}

/* In closed form: task by task these would take minutes. */
static void test_many(void **state)
{
    (void)state;
    both it = {.slots = {it.time, it.count, 0}};
    const uint32_t tasks = (uint32_t)1 << 24;
    add(&it, 0);
    add(&it, 5);
    add(&it, 7);
    for (uint64_t i = 1; i <= 300; i++)
        pn_slots_execute(&it.slots, 0, tasks, 100);
    /* Three tasks every 100 ms: 300 * 2^24 is a multiple of three. */
    assert_int_equal(it.time[0], (uint64_t)100 * tasks * 100);
    assert_int_equal(it.slots.groups, 3);
}

/* More slots than tasks are left after the first round. */
static void test_many_slots(void **state)
{
    (void)state;
    both it = {.slots = {it.time, it.count, 0}};
    pn_slots_clear(&it.slots, 5, 1000);
    assert_int_equal(pn_slots_execute(&it.slots, 0, 1900, 10), 25);
    assert_true(it.slots.groups == 2 && it.time[0] == 15 && it.time[1] == 25);
    assert_true(it.count[0] == 100 && it.count[1] == 900);
}

/* Times stop at the last one, however many tasks there are and however long they take. */
static void test_saturates(void **state)
{
    (void)state;
    both it = {.slots = {it.time, it.count, 0}};
    const uint64_t longest = (uint64_t)1 << 41;
    add(&it, 0);
    add(&it, PN_INTEGER_MAX);
    for (int i = 0; i < 3; i++)
        pn_slots_execute(&it.slots, PN_INTEGER_MAX, (uint32_t)1 << 24, longest);
    assert_int_equal(pn_slots_execute(&it.slots, 0, (uint32_t)1 << 24, longest), PN_SLOTS_LAST);
    assert_int_equal(pn_slots_execute(&it.slots, 0, 1, 1), PN_SLOTS_LAST);
    for (uint32_t i = 0; i < it.slots.groups; i++)
        assert_true(it.time[i] <= PN_SLOTS_LAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),     cmocka_unit_test(test_ended),
        cmocka_unit_test(test_pass),     cmocka_unit_test(test_copies_and_cleared_slots),
        cmocka_unit_test(test_many),     cmocka_unit_test(test_many_slots),
        cmocka_unit_test(test_no_slots), cmocka_unit_test(test_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
