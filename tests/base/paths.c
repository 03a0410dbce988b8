/* Graphs of stages against a search: which parents make sense, where there is a cycle, and the
 * longest path from each stage, of random graphs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/paths.h"

enum { STAGES = 8, PARENTS = 4, ROUNDS = 20000 };

typedef struct graph {
    uint32_t stages, count[STAGES], parent[STAGES][PARENTS];
    uint64_t length[STAGES][2]; /* the first of both counts */
} graph;

static const uint32_t *parents_of(const void *job, uint32_t stage, uint32_t *count)
{
    const graph *g = job;
    *count = g->count[stage];
    return g->parent[stage];
}

static pn_graph as_graph(const graph *g)
{
    return (pn_graph){g, parents_of, g->stages};
}

static bool is_sane(const graph *g, uint32_t stage)
{
    for (uint32_t k = 0; k < g->count[stage]; k++) {
        uint32_t parent = g->parent[stage][k];
        if (parent >= g->stages || parent == stage || pn_among(g->parent[stage], k, parent))
            return false;
    }
    return true;
}

static bool is_parent(const graph *g, uint32_t parent, uint32_t stage)
{
    return pn_among(g->parent[stage], g->count[stage], parent);
}

/* ---- against a search ---- */

/* Takes stages without children out until there are no more; returns whether none is left. */
static bool has_no_cycle(const graph *g)
{
    bool out[STAGES] = {false};
    uint32_t left = g->stages;
    for (uint32_t round = 0; round < g->stages; round++)
        for (uint32_t s = 0; s < g->stages; s++) {
            bool has_child = out[s];
            for (uint32_t child = 0; child < g->stages; child++)
                has_child |= !out[child] && is_parent(g, s, child);
            out[s] |= !has_child;
            left -= !has_child;
        }
    return left == 0;
}

/* Lengthens paths stage by stage, as often as there are stages. */
static void search(const graph *g, uint64_t *longest)
{
    for (uint32_t s = 0; s < g->stages; s++)
        longest[s] = g->length[s][0];
    for (uint32_t round = 0; round < g->stages; round++)
        for (uint32_t s = 0; s < g->stages; s++)
            for (uint32_t child = 0; child < g->stages; child++)
                if (is_parent(g, s, child))
                    longest[s] = pn_max(longest[s],
                                        pn_min(g->length[s][0] + longest[child], PN_PATHS_LONGEST));
}

static void check_paths(const graph *g, const pn_paths_note *notes)
{
    uint64_t longest[STAGES];
    bool done[STAGES] = {false};
    search(g, longest);
    for (uint32_t s = 0; s < g->stages; s++)
        assert_true(notes[s].length == longest[s]);
    for (uint32_t i = 0; i < g->stages; i++) { /* children first */
        uint32_t s = notes[i].queued;
        assert_true(s < g->stages && !done[s]);
        for (uint32_t child = 0; child < g->stages; child++)
            assert_true(done[child] || !is_parent(g, s, child));
        done[s] = true;
    }
}

/* ---- random graphs ---- */

static void draw_lengths(pn_stream *stream, graph *g)
{
    for (uint32_t s = 0; s < g->stages; s++)
        g->length[s][0] = pn_random64(stream) >> pn_uniform(stream, 1, 63);
}

/* Draws parents below `behind`; other stages alone unless `any`. */
static void draw(pn_stream *stream, graph *g, uint32_t behind, bool any)
{
    for (uint32_t s = 0; s < g->stages; s++) {
        uint32_t least = any || s + 1 == g->stages ? 0 : s + 1;
        g->count[s] = (uint32_t)pn_uniform(stream, 0, PARENTS);
        if (!any && least == 0)
            g->count[s] = 0;
        for (uint32_t k = 0; k < g->count[s]; k++)
            g->parent[s][k] = (uint32_t)pn_uniform(stream, least, behind - 1);
    }
}

/* Drops parents until what is left makes sense. */
static void make_sane(graph *g)
{
    for (uint32_t s = 0; s < g->stages; s++)
        while (!is_sane(g, s))
            g->count[s]--;
}

static void parents_are_other_stages_each_once(void **unused)
{
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 1, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        graph g = {.stages = (uint32_t)pn_uniform(&stream, 1, STAGES)};
        pn_paths_note notes[STAGES] = {{0}};
        draw(&stream, &g, g.stages + 1, true);
        const pn_graph as = as_graph(&g);
        for (uint32_t s = 0; s < g.stages; s++)
            assert_int_equal(pn_paths_parents_sane(&as, s, notes), is_sane(&g, s));
    }
}

static void paths_are_those_of_a_search(void **unused)
{
    int cycles = 0;
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 2, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        graph g = {.stages = (uint32_t)pn_uniform(&stream, 1, STAGES)};
        pn_paths_note notes[STAGES + 1] = {{0}};
        notes[g.stages].length = 5; /* which is not written to */
        draw(&stream, &g, g.stages, round % 4 == 0);
        make_sane(&g);
        const pn_graph as = as_graph(&g);
        for (int again = 0; again < 2; again++) {
            draw_lengths(&stream, &g);
            bool sound = pn_paths(&as, g.length[0], 2, notes);
            assert_int_equal(sound, has_no_cycle(&g));
            assert_true(notes[g.stages].length == 5);
            if (sound)
                check_paths(&g, notes);
            cycles += !sound;
        }
    }
    assert_in_range(cycles, ROUNDS / 10, ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_are_other_stages_each_once),
        cmocka_unit_test(paths_are_those_of_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
