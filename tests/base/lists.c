/* Lists of words against copies of them: random ones are stored and freed in a store that has no
 * more room than it needs, and each word stays as it was written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/validate.h"
#include "base/validate_lists.h"

enum {
    OWNERS = 9,
    WORDS = 40, /* of all lists at once */
    ROOM = WORDS + OWNERS + WORDS / 4,
    OPERATIONS = 20000
};

typedef struct fixture {
    pn_stream stream;
    pn_lists_state state;
    uint64_t words[ROOM + 1];
    uint64_t place[OWNERS][2];
    pn_lists store;
    /* what the store ought to hold */
    bool present[OWNERS];
    uint64_t size[OWNERS], text[OWNERS][WORDS];
    uint64_t total; /* words of all lists */
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    memset(f, 0, sizeof *f);
    pn_stream_init(&f->stream, seed, 0, 0);
    f->state.capacity = pn_lists_room(WORDS, OWNERS);
    f->store = (pn_lists){&f->state, f->words, &f->place[0][0], 2};
    memset(f->words, 0xFF, sizeof f->words);
}

/* Lists stay where they are while there is room behind the last. */
static void take(fixture *f, uint32_t owner, uint64_t size)
{
    uint64_t before[OWNERS][2], used = f->state.used;
    memcpy(before, f->place, sizeof before);
    pn_lists_take(&f->store, owner, size);
    if (used + size + 1 <= ROOM) {
        assert_int_equal(f->place[owner][0], used + 1);
        before[owner][0] = used + 1;
        assert_memory_equal(before, f->place, sizeof before);
    }
    for (uint64_t i = 0; i < size; i++)
        pn_lists_of(&f->store, owner)[i] = f->text[owner][i] = pn_random64(&f->stream);
    f->present[owner] = true;
    f->size[owner] = size;
    f->total += size;
}

/* The last list leaves no gap. */
static void drop(fixture *f, uint32_t owner)
{
    uint64_t place = f->place[owner][0], used = f->state.used;
    pn_lists_free(&f->store, owner);
    assert_int_equal(f->state.used, place + f->size[owner] == used ? place - 1 : used);
    f->present[owner] = false;
    f->total -= f->size[owner];
}

static void check(const fixture *f)
{
    uint32_t count = 0, found = 0;
    uint64_t tally = 0;
    for (uint32_t i = 0; i < OWNERS; i++) {
        if (!f->present[i])
            continue;
        count++;
        tally += pn_validate_hash(7, f->place[i][0]);
        assert_int_equal(pn_validate_list_size(&f->store, i), f->size[i]);
        assert_memory_equal(pn_lists_of(&f->store, i), f->text[i], f->size[i] * sizeof(uint64_t));
    }
    assert_int_equal(f->state.live, f->total + count);
    assert_true(f->state.used <= ROOM && f->words[ROOM] == UINT64_MAX);
    assert_true(pn_validate_lists(&f->store, OWNERS, &found));
    assert_int_equal(found, count);
    assert_true(pn_validate_lists_tally(&f->store, 7) == tally);
}

static void words_stay_as_they_were_written(void **unused)
{
    static fixture f;
    (void)unused;
    setup(&f, 1);
    for (int i = 0; i < OPERATIONS; i++) {
        uint32_t owner = (uint32_t)pn_uniform(&f.stream, 0, OWNERS - 1);
        uint64_t most = WORDS - f.total;
        if (f.present[owner])
            drop(&f, owner);
        else
            take(&f, owner, pn_uniform(&f.stream, 0, i % 3 == 0 ? most : most / 4));
        check(&f);
    }
}

/* The largest store there may be, and one beyond. */
static void room_for_lists_is_limited(void **unused)
{
    const size_t limit = (size_t)pn_min((uint64_t)1 << PN_LISTS_OWNER_SHIFT, SIZE_MAX / 4);
    (void)unused;
    assert_int_equal(pn_lists_room(0, 0), 0);
    assert_int_equal(pn_lists_room(100, 7), 100 + 7 + 25);
    for (size_t owners = 0; owners < 3; owners++) {
        assert_int_equal(pn_lists_room(limit - owners, owners), limit + (limit - owners) / 4);
        assert_int_equal(pn_lists_room(limit - owners, owners + 1), 0);
    }
    assert_int_equal(pn_lists_room(limit + 1, 0), 0);
    assert_int_equal(pn_lists_room(SIZE_MAX, 1), 0);
    assert_int_equal(pn_lists_room(1, SIZE_MAX), 0);
    assert_int_equal(pn_lists_room(SIZE_MAX / 8, SIZE_MAX / 2), 0);
}

/* Any number that says where lists lie, changed; a head may take in the list behind it, which then
 * is missing. */
static void a_store_of_which_any_head_is_changed_is_refused(void **unused)
{
    static fixture f, kept;
    uint32_t found, count = OWNERS - 2;
    (void)unused;
    setup(&f, 2);
    for (uint32_t owner = 0; owner < OWNERS; owner++)
        take(&f, owner, owner % 4);
    drop(&f, 2);
    drop(&f, 5);
    check(&f);
    kept = f;
    for (uint32_t owner = 0; owner < OWNERS; owner++)
        for (int bit = 0; bit < 64; bit++) {
            uint64_t *head = pn_lists_of(&f.store, owner) - 1;
            *head ^= (uint64_t)1 << bit;
            assert_true(!pn_validate_lists(&f.store, OWNERS, &found) || found < count);
            f = kept;
            f.place[owner][0] ^= (uint64_t)1 << bit;
            assert_int_equal(pn_validate_lists(&f.store, OWNERS, &found), !f.present[owner]);
            f = kept;
        }
    for (uint64_t number = 0; number <= ROOM + 1; number++) {
        f.state.live = number;
        assert_int_equal(pn_validate_lists(&f.store, OWNERS, &found), number == kept.state.live);
        f = kept;
        f.state.used = number;
        assert_int_equal(pn_validate_lists(&f.store, OWNERS, &found), number == kept.state.used);
        f = kept;
        f.state.capacity = number;
        assert_int_equal(pn_validate_lists(&f.store, OWNERS, &found), number >= f.state.used);
        f = kept;
        assert_int_equal(pn_validate_lists(&f.store, (uint32_t)number, &found), number >= OWNERS);
    }
    /* A gap reaches no further than the lists do. */
    drop(&f, OWNERS - 2);
    drop(&f, OWNERS - 1);
    check(&f);
    pn_lists_of(&f.store, OWNERS - 2)[-1]++;
    assert_false(pn_validate_lists(&f.store, OWNERS, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_stay_as_they_were_written),
        cmocka_unit_test(room_for_lists_is_limited),
        cmocka_unit_test(a_store_of_which_any_head_is_changed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
