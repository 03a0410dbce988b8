/* All lists that CALLS calls make, of OWNERS owners and any sizes that fit; they are sound. */
#include "proof.h"

#include "base/lists.c"
#include "base/validate_lists.c"

enum { OWNERS = 3, STRIDE = 2, SIZE_MOST = 2, WORDS = 6, CALLS = 4 };

static pn_lists_state state = {0, 0, WORDS};
static uint64_t words[WORDS], places[OWNERS * STRIDE];

/* Takes or frees: the caller knows that it fits, and who has a list. */
static void call(const pn_lists *lists, bool *has, uint32_t owner, uint64_t size)
{
    if (*has) {
        pn_lists_free(lists, owner);
        *has = false;
    } else if (size + 1 <= WORDS - state.live) {
        pn_lists_take(lists, owner, size);
        *has = true;
        for (uint64_t i = 0; i < size; i++)
            pn_lists_of(lists, owner)[i] = any_long();
    }
    //@ assert state.used <= WORDS && state.live <= state.used;
}

void main(void)
{
    const pn_lists lists = {&state, words, places, STRIDE};
    bool has[OWNERS] = {false};
    pn_lists_room(any_long(), any_long());
    for (int i = 0; i < CALLS; i++) {
        uint32_t owner = each_below(OWNERS);
        call(&lists, &has[owner], owner, each_below(SIZE_MOST + 1));
    }
    uint32_t count, owner = each_below(OWNERS);
    bool sound = pn_validate_lists(&lists, OWNERS, &count);
    //@ assert sound;
    pn_validate_lists_tally(&lists, any_long());
    if (has[owner])
        pn_validate_list_size(&lists, owner);
}
