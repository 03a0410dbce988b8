/* Nodes that get other slots while jobs run: they drain, go, and come back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/support/host.h"

static const pn_scheduler_nodes broad[] = {{2, 3, 2, 0}};

static void resize(host *h, uint64_t now, uint32_t node, uint32_t maps, uint32_t reduces)
{
    assert_int_equal(pn_scheduler_resize(h->s, &h->hooks, now, node, maps, reduces), PN_OK);
    assert_int_equal(pn_scheduler_validate(h->s, pn_scheduler_block_size(h->s)), PN_OK);
}

static pn_scheduler_levels levels_of(const host *h)
{
    pn_scheduler_levels levels;
    pn_scheduler_levels_get(h->s, &levels);
    return levels;
}

static void attempts_above_the_slots_go_on(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_scheduler_fifo(), broad);
    come(&h, 0, job_of(9, 0, 0, 0, 0));
    offer(&h, 0, 0, PN_OK);
    resize(&h, 1, 0, 1, 2);
    const pn_scheduler_event *e = &h.log.entry[h.log.count - 1];
    assert_true(e->event == PN_SCHEDULER_NODE_RESIZE && e->node == 0 && e->slots[0] == 1 &&
                e->slots[1] == 2 && e->time == 1);
    size_t told = h.log.count;
    resize(&h, 1, 0, 1, 2); /* it has them */
    assert_int_equal(h.log.count, told);
    assert_true(levels_of(&h).map == 3 && totals_of(&h).map_slots == 4);
    for (uint32_t task = 0; task < 2; task++) {
        offer(&h, 2, 0, PN_DONE);
        assert_int_equal(pn_scheduler_next_free(h.s, MAP, 0), 1);
        finish(&h, 2, 1, MAP, task);
        assert_int_equal(pn_scheduler_free_slots(h.s, 0, MAP), 0);
    }
    finish(&h, 3, 1, MAP, 2);
    offer(&h, 3, 0, PN_OK);
    offer(&h, 3, 0, PN_DONE);
    resize(&h, 4, 0, 3, 2);
    offer(&h, 4, 0, PN_OK);
    offer(&h, 4, 0, PN_DONE);
    assert_int_equal(levels_of(&h).map, 3);
    stop(&h);
}

/* A slot that comes back is that of an attempt above the slots first. */
static void growing_ends_a_drain(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_scheduler_fifo(), broad);
    come(&h, 0, job_of(9, 0, 0, 0, 0));
    offer(&h, 0, 0, PN_OK);
    resize(&h, 1, 0, 0, 0);
    resize(&h, 2, 0, 2, 0);
    offer(&h, 2, 0, PN_DONE);
    finish(&h, 3, 1, MAP, 0);
    offer(&h, 3, 0, PN_DONE);
    finish(&h, 4, 1, MAP, 1);
    offer(&h, 4, 0, PN_OK);
    stop(&h);
}

/* Nobody is up there at first; outputs of a node without slots are there, those of a node that
 * fails are not. */
static void nodes_come_and_go(void **unused)
{
    pn_scheduler_config config = config_for(pn_scheduler_fifo(), two);
    (void)unused;
    host h;
    config.nodes_absent = 3;
    assert_string_equal(pn_scheduler_check(&config), "nodes_absent: 0..number of nodes");
    config.nodes_absent = 2;
    set_up(&h, pn_scheduler_fifo(), &config);
    come(&h, 0, job_of(1, 0, 1, 0, 0)); /* though there is no slot for it now */
    assert_true(totals_of(&h).map_slots == 0 && pn_scheduler_is_up(h.s, 1));
    offer(&h, 0, 0, PN_DONE);
    assert_int_equal(pn_scheduler_next_wanted(h.s, MAP, 0), 2);
    resize(&h, 1, 1, 1, 0);
    assert_int_equal(pn_scheduler_next_wanted(h.s, MAP, 0), 1);
    offer(&h, 1, 1, PN_OK);
    resize(&h, 2, 0, 0, 1);
    finish(&h, 3, 1, MAP, 0);
    resize(&h, 4, 1, 0, 0);
    offer(&h, 5, 0, PN_OK);
    assert_true(h.launched.kind == REDUCE && h.launched.node == 0);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 6, 1), PN_OK);
    assert_int_equal(totals_of(&h).reruns, 1);
    resize(&h, 7, 1, 1, 0); /* while it is down */
    offer(&h, 7, 1, PN_DONE);
    assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 8, 1), PN_OK);
    offer(&h, 8, 1, PN_OK);
    finish(&h, 9, 1, MAP, 0);
    finish(&h, 10, 1, REDUCE, 0);
    assert_int_equal(totals_of(&h).finished, 1);
    stop(&h);
}

static void lost_attempts_need_no_slot(void **unused)
{
    (void)unused;
    host h;
    start(&h, pn_scheduler_fifo(), broad);
    come(&h, 0, job_of(3, 0, 0, 0, 0));
    offer(&h, 0, 0, PN_OK);
    resize(&h, 1, 0, 1, 1);
    assert_int_equal(pn_scheduler_node_down(h.s, &h.hooks, 2, 0), PN_OK);
    assert_int_equal(pn_scheduler_validate(h.s, pn_scheduler_block_size(h.s)), PN_OK);
    assert_int_equal(pn_scheduler_node_up(h.s, &h.hooks, 3, 0), PN_OK);
    assert_int_equal(pn_scheduler_free_slots(h.s, 0, MAP), 1);
    stop(&h);
}

/* Shares are of the slots that there are: twice the slots, twice the share. */
static void shares_follow_the_slots(void **unused)
{
    static const pn_scheduler_policy sharing = {.name = "sharing",
                                                .order = {.shares = PN_SCHEDULER_SHARES_STRICT}};
    (void)unused;
    host h;
    start(&h, &sharing, broad);
    resize(&h, 0, 1, 0, 0);
    come(&h, 0, job_of(9, 0, 0, 0, 0));
    come(&h, 0, job_of(9, 0, 0, 0, 0)); /* 2 and 1 slots */
    offer(&h, 1, 0, PN_OK);
    assert_true(run_of(&h, 2, MAP, 0) != PN_SCHEDULER_NO_ATTEMPT &&
                run_of(&h, 2, MAP, 1) == PN_SCHEDULER_NO_ATTEMPT);
    assert_false(pn_scheduler_wants(h.s, MAP));
    resize(&h, 2, 1, 3, 0);
    assert_true(pn_scheduler_wants(h.s, MAP));
    offer(&h, 2, 1, PN_OK);
    assert_true(run_of(&h, 2, MAP, 2) != PN_SCHEDULER_NO_ATTEMPT);
    stop(&h);
}

/* Promises count with the slots that there will be: of two maps above one slot the one that ends
 * first frees none. */
static void promises_know_of_drains(void **unused)
{
    static const pn_scheduler_nodes one[] = {{1, 2, 0, 0}};
    (void)unused;
    host h;
    start(&h, pn_scheduler_rtmr_live(), one);
    check_answer(come(&h, 0, job_of(1, 100, 0, 0, 5000)), 1, 1, 100, 5000, 0);
    check_answer(come(&h, 0, job_of(1, 300, 0, 0, 5000)), 2, 1, 300, 5000, 0);
    offer(&h, 0, 0, PN_OK);
    offer(&h, 0, 0, PN_DONE);
    check_answer(come(&h, 10, job_of(1, 50, 0, 0, 5000)), 3, 1, 150, 5000, 0);
    resize(&h, 20, 0, 1, 0);
    check_answer(come(&h, 20, job_of(1, 50, 0, 0, 5000)), 4, 1, 400, 5000, 0);
    resize(&h, 30, 0, 0, 0);
    assert_int_equal(totals_of(&h).late, 2); /* whoever has not started */
    resize(&h, 40, 0, 2, 0);
    check_answer(come(&h, 40, job_of(1, 50, 0, 0, 5000)), 5, 1, 250, 5000, 0);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attempts_above_the_slots_go_on),
        cmocka_unit_test(growing_ends_a_drain),
        cmocka_unit_test(nodes_come_and_go),
        cmocka_unit_test(lost_attempts_need_no_slot),
        cmocka_unit_test(shares_follow_the_slots),
        cmocka_unit_test(promises_know_of_drains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
