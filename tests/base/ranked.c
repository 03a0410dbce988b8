/* The first of a set in order, against a search through the whole set; however many are kept. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/ranked.h"

enum { JOBS = 60, ROUNDS = 200 };

static bool before(const pn_ranked *a, const pn_ranked *b)
{
    const uint64_t left[] = {a->rank, a->key.word[0], a->key.word[1], a->queue};
    const uint64_t right[] = {b->rank, b->key.word[0], b->key.word[1], b->queue};
    for (int i = 0; i < 4; i++)
        if (left[i] != right[i])
            return left[i] < right[i];
    return a->priority != b->priority ? a->priority > b->priority : a->id < b->id;
}

/* Few values each, so that ties are the rule; ids in no order. */
static void draw(pn_stream *stream, pn_ranked *jobs)
{
    for (uint32_t i = 0; i < JOBS; i++)
        jobs[i] = (pn_ranked){
            .id = (uint64_t)(i * 37 % JOBS) + 1,
            .key = {{pn_uniform(stream, 0, 3) * (UINT64_MAX / 3), pn_uniform(stream, 0, 2)}},
            .rank = (uint32_t)pn_uniform(stream, 0, 1),
            .queue = (uint32_t)pn_uniform(stream, 0, 1),
            .priority = (int32_t)pn_uniform(stream, 0, 2) - 1};
}

static void the_first_are_those_that_a_search_finds(void **unused)
{
    pn_ranked jobs[JOBS], kept[JOBS + 2];
    pn_stream stream;
    (void)unused;
    pn_stream_init(&stream, 5, 0, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t most = (uint32_t)pn_uniform(&stream, 0, JOBS + 1);
        pn_ranking ranking = {kept, most, 0};
        draw(&stream, jobs);
        kept[most].id = UINT64_MAX; /* which is not written to */
        for (uint32_t i = 0; i < JOBS; i++)
            pn_ranking_add(&ranking, &jobs[i]);
        assert_int_equal(pn_ranking_end(&ranking), JOBS);
        assert_true(kept[most].id == UINT64_MAX);
        for (uint32_t i = 0; i < JOBS; i++) {
            uint32_t place = 0;
            for (uint32_t k = 0; k < JOBS; k++)
                place += before(&jobs[k], &jobs[i]);
            if (place < most)
                assert_int_equal(kept[place].id, jobs[i].id);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_are_those_that_a_search_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
