/* One call of any function of kernel/base/places.h on a table of any links that are in range, which
 * need be no lists. They are then in range again. */
#include "proof.h"

#include "base/places.h"

enum { PLACES = 5 };

typedef struct entry {
    uint64_t other;
    uint32_t before, after;
} entry;

static entry table[PLACES];
static uint32_t first, last;
static pn_places places;

void main(void)
{
    uint32_t place = any_below(PLACES);
    for (int i = 0; i < PLACES; i++) {
        table[i].before = any_below(PLACES + 1);
        table[i].after = any_below(PLACES + 1);
    }
    first = any_below(PLACES + 1);
    last = any_below(PLACES + 1);
    places = (pn_places){any_below(PLACES + 1), any_below(PLACES)};
    pn_chain chain = PN_CHAIN(&first, any() ? &last : NULL, table, before, after);
    switch (any_below(5)) {
    case 0:
        pn_place_take(&places, PN_LINKS(table, after));
        break;
    case 1:
        pn_place_free(&places, PN_LINKS(table, after), place);
        break;
    case 2:
        pn_chain_insert(chain, place, any_below(PLACES + 1));
        break;
    case 3:
        if (chain.last)
            pn_chain_append(chain, place);
        break;
    default:
        pn_chain_remove(chain, place);
    }
    //@ assert first <= PLACES && last <= PLACES && places.free <= PLACES && places.used <= PLACES;
    for (int i = 0; i < PLACES; i++) {
        //@ assert table[i].before <= PLACES && table[i].after <= PLACES;
    }
}
