/* The validation of stores of lists, see validate.h. */
#ifndef PN_VALIDATE_LISTS_H
#define PN_VALIDATE_LISTS_H

#include "lists.h"

/* Returns whether the lists of a store fill it from the start, each freed or that of an owner below
 * `owners` which knows its place; how many are not freed. */
bool pn_validate_lists(const pn_lists *store, uint32_t owners, uint32_t *lists);
/* Returns the words of an owner's list, which is in the store. */
uint64_t pn_validate_list_size(const pn_lists *store, uint32_t owner);
/* Returns the sum of the hashes (pn_validate_hash) of the places of all lists that are not
 * freed. */
uint64_t pn_validate_lists_tally(const pn_lists *store, uint64_t key);

#endif
