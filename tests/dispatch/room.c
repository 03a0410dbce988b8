/* Where a demand has room (DG10): the room tree and the spots give the same node as a walk over all
 * nodes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "dispatch/state.h"
#include "support/workload.h"

enum { NODES = 75, CPU = 10, MEMORY = 7, CHANGES = 2000 }; /* three levels, each with a rest */

/* What a demand has beyond the resources of the run is not looked at. */
enum { UNUSED = 1 };

typedef struct cluster {
    pn_dispatch *core;
    pn_dispatch_view view;
    pn_dispatch_hooks hooks;
    uint64_t capacity[NODES][2]; /* all of it is free */
} cluster;

static void start(cluster *c, const pn_dispatch_nodes *nodes, uint32_t count, uint32_t placement)
{
    pn_dispatch_config config = pn_dispatch_defaults();
    *c = (cluster){.hooks = {.policy = pn_dispatch_fifo()}};
    config.nodes = nodes;
    config.nodes_count = count;
    config.resources = 2;
    config.jobs_max = 2;
    config.placement = placement;
    size_t size = pn_dispatch_size(&config);
    assert_int_equal(pn_dispatch_init(&c->core, workload_room(size), size, &config), PN_OK);
    pn_dispatch_view_build(&c->view, c->core, NULL);
}

static void resize(cluster *c, uint32_t node, uint64_t cpu, uint64_t memory)
{
    c->capacity[node][0] = cpu;
    c->capacity[node][1] = memory;
    assert_int_equal(pn_dispatch_resize(c->core, &c->hooks, 0, node, c->capacity[node]), PN_OK);
}

/* Returns the first node from this one on that has room. */
static uint32_t walk_to_room(const cluster *c, const uint64_t *demand, uint32_t from)
{
    for (; from < NODES; from++)
        if (c->capacity[from][0] >= demand[0] && c->capacity[from][1] >= demand[1])
            return from;
    return PN_DISPATCH_NONE;
}

/* Returns the first node with the least score, in millionths of the largest node. */
static uint32_t walk_to_best(const cluster *c, const uint64_t *demand, bool spread)
{
    uint32_t best = PN_DISPATCH_NONE;
    int64_t least = 0;
    for (uint32_t node = walk_to_room(c, demand, 0); node != PN_DISPATCH_NONE;
         node = walk_to_room(c, demand, node + 1)) {
        int64_t score = (int64_t)((c->capacity[node][0] - demand[0]) * 1000000 / CPU +
                                  (c->capacity[node][1] - demand[1]) * 1000000 / MEMORY);
        score = spread ? -score : score;
        if (best == PN_DISPATCH_NONE || score < least) {
            best = node;
            least = score;
        }
    }
    return best;
}

static void check_rooms(uint32_t placement)
{
    static const pn_dispatch_nodes nodes[] = {{{CPU, MEMORY}, NODES, 0}};
    pn_stream stream;
    cluster c;
    start(&c, nodes, 1, placement);
    pn_stream_init(&stream, 31, 0, 0);
    for (uint32_t node = 0; node < NODES; node++)
        resize(&c, node, CPU, MEMORY);
    for (uint32_t i = 0; i < CHANGES; i++) {
        /* Most have little, so that an entry may promise what no node has. */
        bool large = pn_uniform(&stream, 0, 29) == 0;
        resize(&c, (uint32_t)pn_uniform(&stream, 0, NODES - 1),
               pn_uniform(&stream, 0, large ? CPU : 3), pn_uniform(&stream, 0, large ? MEMORY : 3));
        const uint64_t demand[PN_DISPATCH_RESOURCES_MAX] = {pn_uniform(&stream, 1, CPU),
                                                            pn_uniform(&stream, 0, MEMORY), UNUSED};
        uint32_t from = (uint32_t)pn_uniform(&stream, 0, NODES);
        assert_int_equal(pn_dispatch_next_room(&c.view, demand, from),
                         walk_to_room(&c, demand, from));
        if (placement != PN_DISPATCH_FIRST)
            assert_int_equal(pn_dispatch_spot_place(&c.view, demand),
                             walk_to_best(&c, demand, placement == PN_DISPATCH_SPREAD));
        assert_int_equal(pn_dispatch_validate(c.core, pn_dispatch_block_size(c.core)), PN_OK);
    }
    free(c.core);
}

static void nodes_are_those_of_a_walk(void **unused)
{
    (void)unused;
    check_rooms(PN_DISPATCH_FIRST);
    check_rooms(PN_DISPATCH_BEST);
    check_rooms(PN_DISPATCH_SPREAD);
}

/* Checks on which of three nodes a placement puts a task of one of each. */
static void check_place(const pn_dispatch_nodes *nodes, uint32_t placement, uint32_t expected)
{
    const uint64_t demand[PN_DISPATCH_RESOURCES_MAX] = {1, 1, UNUSED};
    cluster c;
    start(&c, nodes, 3, placement);
    assert_int_equal(pn_dispatch_spot_place(&c.view, demand), expected);
    free(c.core);
}

/* What is left over, 1000001 or 1000000 of two millions, is 500000 millionths on both nodes. */
static void leftovers_are_millionths(void **unused)
{
    static const pn_dispatch_nodes nodes[] = {
        {{1000002, 1}, 1, 0}, {{1000001, 1}, 1, 0}, {{2000000, 1}, 1, 0}};
    (void)unused;
    check_place(nodes, PN_DISPATCH_BEST, 0);
    check_place(nodes, PN_DISPATCH_SPREAD, 2);
}

/* Leftovers of 3 and of 2 are 1 millionth and, rounded down, 0 of the largest node. */
static void leftovers_are_rounded_down(void **unused)
{
    static const pn_dispatch_nodes nodes[] = {{{4, 1}, 1, 0}, {{3, 1}, 1, 0}, {{3000000, 1}, 1, 0}};
    (void)unused;
    check_place(nodes, PN_DISPATCH_BEST, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_those_of_a_walk),
        cmocka_unit_test(leftovers_are_millionths),
        cmocka_unit_test(leftovers_are_rounded_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
