/* Places of tables: those that are free, and lists of those in use. Links are members of a table's
 * entries; each is a place + 1, 0 is none. */
#ifndef PN_PLACES_H
#define PN_PLACES_H

#include "internal.h"

/* ---- free places ---- */

/* The part that lives in the block: the first free place, as a link, and places ever used. */
typedef struct pn_places {
    uint32_t free, used;
} pn_places;

/* The same member of all entries of a table. */
typedef struct pn_links {
    uint32_t *first; /* of place 0 */
    size_t stride;   /* from one place to the next, in uint32_t */
} pn_links;

#define PN_LINKS(table, member)                                 \
    (pn_links)                                                  \
    {                                                           \
        &(table)[0].member, sizeof(table)[0] / sizeof(uint32_t) \
    }

static inline uint32_t *pn_link_of(pn_links links, uint32_t place)
{
    return links.first + place * links.stride;
}

/* Takes a place; the caller knows that there is one. */
static inline uint32_t pn_place_take(pn_places *places, pn_links links)
{
    if (places->free == 0)
        return places->used++;
    uint32_t place = places->free - 1;
    places->free = *pn_link_of(links, place);
    return place;
}

static inline void pn_place_free(pn_places *places, pn_links links, uint32_t place)
{
    *pn_link_of(links, place) = places->free;
    places->free = place + 1;
}

/* ---- lists of places ---- */

/* A list that is linked both ways; `last` is null where only the first one is known. */
typedef struct pn_chain {
    uint32_t *first, *last;
    pn_links before, after;
} pn_chain;

#define PN_CHAIN(first, last, table, before, after)                  \
    (pn_chain)                                                       \
    {                                                                \
        first, last, PN_LINKS(table, before), PN_LINKS(table, after) \
    }

/* Puts a place behind that of a link, 0 = first of all. */
static inline void pn_chain_insert(pn_chain chain, uint32_t place, uint32_t before)
{
    uint32_t *link = before != 0 ? pn_link_of(chain.after, before - 1) : chain.first;
    uint32_t after = *link;
    *pn_link_of(chain.before, place) = before;
    *pn_link_of(chain.after, place) = after;
    *link = place + 1;
    if (after != 0)
        *pn_link_of(chain.before, after - 1) = place + 1;
    else if (chain.last)
        *chain.last = place + 1;
}

static inline void pn_chain_append(pn_chain chain, uint32_t place)
{
    pn_chain_insert(chain, place, *chain.last);
}

/* Takes a place out; its own links stay as they are. */
static inline void pn_chain_remove(pn_chain chain, uint32_t place)
{
    uint32_t before = *pn_link_of(chain.before, place), after = *pn_link_of(chain.after, place);
    *(before != 0 ? pn_link_of(chain.after, before - 1) : chain.first) = after;
    if (after != 0)
        *pn_link_of(chain.before, after - 1) = before;
    else if (chain.last)
        *chain.last = before;
}

#endif
