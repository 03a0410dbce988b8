/* Pieces of texts that stand for distributions and processes. */
#ifndef PINION_WORKLOAD_DISTRIBUTION_PIECES_H
#define PINION_WORKLOAD_DISTRIBUTION_PIECES_H

#include <stddef.h>
#include <stdint.h>

typedef struct piece {
    const char *at; /* null: nothing is left */
    size_t size;
} piece;

int piece_is_blank(char c);
/* Returns whether all of it is a number in decimal notation. */
int piece_is_number(piece text);
/* Returns the piece without blanks around it. */
piece piece_trimmed(piece text);
/* Cuts the piece before the next comma that is in no parentheses off the front of `rest`, which has
 * no address after the last. */
piece piece_next(piece *rest);
/* Counts pieces between such commas; counting ends far beyond what a distribution may hold. */
uint32_t piece_count(piece rest);

#define PIECE_SHOWN_SIZE 48

/* Writes a piece as a message shows it: a number as it is, else in quotes, and not too long. */
const char *piece_shown(piece text, char into[PIECE_SHOWN_SIZE]);

#endif
