/* State is data: a block that is copied to another address, written to a file and read back, or
 * forked ends as if nothing had happened, in every model, with every policy. A stopped block is
 * always a valid one, and a call with null changes nothing. */
#include <stdio.h>

#include "contract.h"

enum { GROUPS = 3 }; /* of every case */

typedef struct outcome {
    uint64_t digest, statistics;
    unsigned char totals[CONTRACT_TOTALS];
} outcome;

static uint64_t fold(uint64_t hash, const pn_stats *stats)
{
    const unsigned char *bytes = (const unsigned char *)stats;
    size_t size = pn_stats_size(stats->first_octave, stats->octaves);
    for (size_t i = 0; i < size; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < sizeof word ? size - i : sizeof word);
        hash = pn_mix(hash, word);
    }
    return hash;
}

static void note(const contract_model *model, const void *sim, outcome *out)
{
    out->digest = model->kernel()->digest(sim);
    assert_true(model->kernel()->totals_size <= CONTRACT_TOTALS);
    memset(out->totals, 0, CONTRACT_TOTALS);
    model->kernel()->totals(sim, out->totals);
    out->statistics = fold(PN_MIX_START, model->kernel()->statistics(sim, PN_ALL_GROUPS));
    for (uint32_t group = 0; group < GROUPS; group++)
        out->statistics = fold(out->statistics, model->kernel()->statistics(sim, group));
}

static void check_same(const outcome *a, const outcome *b)
{
    assert_true(a->digest == b->digest && a->statistics == b->statistics);
    assert_memory_equal(a->totals, b->totals, CONTRACT_TOTALS);
}

/* Calls it for every case of every model that runs by itself. */
static void for_cases(void (*check)(const contract_model *model, const contract_case *of))
{
    for (size_t i = 0; contract_models[i]; i++) {
        contract_case of;
        size_t cases = 0;
        if (!contract_models[i]->feed)
            continue;
        for (; contract_models[i]->make(cases, &of); cases++) {
            check(contract_models[i], &of);
            contract_models[i]->drop(&of);
        }
        assert_true(cases > 0);
    }
}

/* ---- questions ---- */

static void check_questions(const contract_model *model, const contract_case *of)
{
    const pn_model *kernel = model->kernel();
    size_t size = kernel->size(of->config);
    unsigned char *block = contract_room(size), *before = contract_room(size);
    void *sim = NULL;
    outcome answer;
    int status = PN_OK;
    assert_int_equal(kernel->init(&sim, block, size, of->config), PN_OK);
    assert_int_equal(model->feed(sim, of), PN_OK);
    do {
        memcpy(before, block, size);
        kernel->totals(sim, answer.totals);
        kernel->statistics(sim, PN_ALL_GROUPS);
        if (kernel->configured)
            kernel->configured(sim, of->config);
        kernel->policy_name(sim);
        assert_memory_equal(block, before, size);
        for (unsigned steps = 0; steps < 16 && status == PN_OK; steps++)
            status = kernel->step(sim, of->hooks);
    } while (status == PN_OK);
    assert_int_equal(status, PN_DONE);
    free(block);
    free(before);
}

/* So a block that is sealed may be asked before it is unsealed. */
static void questions_change_no_byte(void **unused)
{
    (void)unused;
    for_cases(check_questions);
}

/* ---- moving: between two rooms, one of which starts at an odd multiple of 8 ---- */

typedef struct home {
    const contract_model *model;
    unsigned char *room[2];
    int now;
    void *sim;
} home;

static home settle(const contract_model *model, const contract_case *of)
{
    size_t size = model->kernel()->size(of->config);
    home h = {model, {contract_room(size + 8), contract_room(size + 8)}, 0, NULL};
    assert_int_equal(model->kernel()->init(&h.sim, h.room[0], size, of->config), PN_OK);
    assert_int_equal(model->feed(h.sim, of), PN_OK);
    return h;
}

static void leave(home *h)
{
    free(h->room[0]);
    free(h->room[1]);
}

/* The old bytes are scribbled over: a pointer left behind would find rubbish. */
static void move_by_copy(home *h)
{
    size_t size = h->model->kernel()->block_size(h->sim);
    unsigned char *next = h->room[1 - h->now] + (h->now == 0 ? 8 : 0);
    h->now = 1 - h->now;
    memcpy(next, h->sim, size);
    memset(h->sim, 0xA5, size);
    h->sim = NULL;
    assert_int_equal(h->model->kernel()->open(&h->sim, next, size), PN_OK);
}

static void move_by_file(home *h)
{
    size_t size = h->model->kernel()->block_size(h->sim);
    void *block = h->sim;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(block, 1, size, file), size);
    memset(block, 0xA5, size);
    rewind(file);
    assert_int_equal(fread(block, 1, size, file), size);
    fclose(file);
    h->sim = NULL;
    assert_int_equal(h->model->kernel()->open(&h->sim, block, size), PN_OK);
}

static void run_moving(const contract_model *model, const contract_case *of, unsigned every,
                       void (*move)(home *h), outcome *out)
{
    home h = settle(model, of);
    unsigned steps = 0;
    int status;
    move(&h); /* before anything is bound */
    while ((status = model->kernel()->step(h.sim, of->hooks)) == PN_OK)
        if (++steps % every == 0)
            move(&h);
    assert_int_equal(status, PN_DONE);
    note(model, h.sim, out);
    leave(&h);
}

static void check_moving(const contract_model *model, const contract_case *of)
{
    outcome straight, moved;
    home h = settle(model, of);
    assert_int_equal(model->kernel()->finish(h.sim, of->hooks), PN_DONE);
    note(model, h.sim, &straight);
    leave(&h);
    run_moving(model, of, 1, move_by_copy, &moved);
    check_same(&straight, &moved);
    run_moving(model, of, 7, move_by_copy, &moved);
    check_same(&straight, &moved);
    run_moving(model, of, 50, move_by_file, &moved);
    check_same(&straight, &moved);
}

static void moved_blocks_resume(void **unused)
{
    (void)unused;
    for_cases(check_moving);
}

/* ---- forks: now and then a copy runs to the end by itself, and the original does not notice -- */

static void check_forks(const contract_model *model, const contract_case *of)
{
    home h = settle(model, of);
    size_t size = model->kernel()->block_size(h.sim);
    void *copy = contract_room(size);
    outcome first, last;
    unsigned forks = 0;
    int status = PN_OK;
    for (unsigned steps = 0; status == PN_OK; steps++) {
        if (steps % 9 == 0) {
            void *fork = NULL;
            memcpy(copy, h.sim, size);
            assert_int_equal(model->kernel()->validate(copy, size), PN_OK);
            assert_int_equal(model->kernel()->open(&fork, copy, size), PN_OK);
            assert_int_equal(model->kernel()->finish(fork, of->hooks), PN_DONE);
            note(model, fork, forks == 0 ? &first : &last);
            if (forks++ > 0)
                check_same(&first, &last);
        }
        status = model->kernel()->step(h.sim, of->hooks);
    }
    assert_int_equal(status, PN_DONE);
    note(model, h.sim, &last);
    check_same(&first, &last);
    assert_int_equal(model->kernel()->validate(h.sim, size), PN_OK);
    free(copy);
    leave(&h);
}

static void forks_end_alike(void **unused)
{
    (void)unused;
    for_cases(check_forks);
}

/* ---- the end is the end, and calls without sense change nothing ---- */

static void check_end(const contract_model *model, const contract_case *of)
{
    const contract_case nothing = {.hooks = NULL};
    home h = settle(model, of);
    size_t size = model->kernel()->block_size(h.sim);
    unsigned char *before = contract_room(size);
    memcpy(before, h.sim, size);
    assert_int_equal(model->kernel()->step(NULL, of->hooks), PN_ERR_ARGUMENT);
    assert_int_equal(model->kernel()->step(h.sim, nothing.hooks), PN_ERR_ARGUMENT);
    assert_memory_equal(before, h.sim, size);
    assert_int_equal(model->kernel()->finish(h.sim, of->hooks), PN_DONE);
    memcpy(before, h.sim, size);
    assert_int_equal(model->kernel()->step(h.sim, of->hooks), PN_DONE);
    assert_int_equal(model->kernel()->finish(h.sim, of->hooks), PN_DONE);
    assert_memory_equal(before, h.sim, size);
    free(before);
    leave(&h);
}

static void a_run_that_is_over_stays_so(void **unused)
{
    (void)unused;
    for_cases(check_end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_change_no_byte),
        cmocka_unit_test(moved_blocks_resume),
        cmocka_unit_test(forks_end_alike),
        cmocka_unit_test(a_run_that_is_over_stays_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
