/* Pieces of texts that stand for distributions and processes. */
#ifndef PINION_WORKLOAD_DISTRIBUTION_PIECES_H
#define PINION_WORKLOAD_DISTRIBUTION_PIECES_H

#include <stddef.h>
#include <stdint.h>

typedef struct piece {
    const char *at; /* null: nothing is left */
    size_t size;
} piece;

/* Returns whether all of it is a number in decimal notation. */
int piece_is_number(piece text);
/* Returns the piece without blanks around it. */
piece piece_trimmed(piece text);
/* Cuts the piece before the next comma that is in no parentheses off the front of `rest`, which has
 * no address after the last. */
piece piece_next(piece *rest);
/* Cuts "name(inside)", with blanks before the parenthesis at most; 0: it has another form. */
int piece_call(piece text, piece *name, piece *inside);
int piece_is(piece text, const char *name);
/* Returns the name that is nearest to a mistyped one; null: none is near. */
const char *piece_nearest(piece name, const char *const known[]);
/* Counts pieces between such commas; counting ends far beyond what a distribution may hold. */
uint32_t piece_count(piece rest);

#define PIECE_SHOWN_SIZE 48

/* Writes a piece as a message shows it: a number as it is, else in quotes, and not too long. */
const char *piece_shown(piece text, char into[PIECE_SHOWN_SIZE]);

#endif
