/* Pieces of texts: cut at commas, read as numbers, shown in messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/plain.h"
#include "distribution.h"
#include "distribution_pieces.h"

/* ---- numbers --------------------------------------------------------------------------------- */

static size_t digits(piece text, size_t from)
{
    size_t count = 0;
    while (from + count < text.size && text.at[from + count] >= '0' && text.at[from + count] <= '9')
        count++;
    return count;
}

/* Returns whether all of it is a number in decimal notation: strtod would also read "0x10" and
 * "inf". */
static int is_decimal(piece text)
{
    size_t at = 0, whole, part = 0;
    at += text.size > 0 && (text.at[0] == '+' || text.at[0] == '-');
    at += whole = digits(text, at);
    if (at < text.size && text.at[at] == '.') {
        part = digits(text, at + 1);
        at += 1 + part;
    }
    if (whole + part == 0)
        return 0;
    if (at < text.size && (text.at[at] == 'e' || text.at[at] == 'E')) {
        at++;
        at += at < text.size && (text.at[at] == '+' || text.at[at] == '-');
        if (digits(text, at) == 0)
            return 0;
        at += digits(text, at);
    }
    return at == text.size;
}

#define NUMBER_SIZE 128 /* longer numbers are none */

int distribution_read_number(const char *text, size_t size, double *value)
{
    char copy[NUMBER_SIZE];
    if (size >= sizeof copy || !is_decimal((piece){text, size}))
        return 0;
    memcpy(copy, text, size);
    copy[size] = '\0';
    plain locale = plain_begin();
    *value = strtod(copy, NULL);
    plain_end(&locale);
    return 1;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

piece piece_trimmed(piece text)
{
    while (text.size > 0 && is_blank(text.at[0]))
        text = (piece){text.at + 1, text.size - 1};
    while (text.size > 0 && is_blank(text.at[text.size - 1]))
        text.size--;
    return text;
}

/* Cuts the piece before the next comma that is in no parentheses off the front of `rest`, which has
 * no address after the last. */
piece piece_next(piece *rest)
{
    int depth = 0;
    for (size_t i = 0; i < rest->size; i++) {
        char c = rest->at[i];
        depth += (c == '(') - (c == ')');
        if (c == ',' && depth <= 0) {
            piece first = {rest->at, i};
            *rest = (piece){rest->at + i + 1, rest->size - i - 1};
            return piece_trimmed(first);
        }
    }
    piece last = *rest;
    *rest = (piece){NULL, 0};
    return piece_trimmed(last);
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int piece_call(piece text, piece *name, piece *inside)
{
    size_t from;
    *name = (piece){text.at, 0};
    while (name->size < text.size && is_letter(text.at[name->size]))
        name->size++;
    for (from = name->size; from < text.size && is_blank(text.at[from]);)
        from++;
    if (name->size == 0 || from + 1 >= text.size || text.at[from] != '(' ||
        text.at[text.size - 1] != ')')
        return 0;
    *inside = (piece){text.at + from + 1, text.size - from - 2};
    return 1;
}

int piece_is(piece text, const char *name)
{
    return strlen(name) == text.size && memcmp(name, text.at, text.size) == 0;
}

const char *piece_nearest(piece name, const char *const known[])
{
    char copy[PIECE_SHOWN_SIZE]; /* nothing is near a name that is longer */
    size_t most = sizeof copy - 1;
    snprintf(copy, sizeof copy, "%.*s", (int)(name.size < most ? name.size : most), name.at);
    return nearest_name(copy, known);
}

uint32_t piece_count(piece rest)
{
    uint32_t count = 0;
    while (rest.at && count <= 2 * DISTRIBUTION_VALUES_MAX) {
        piece_next(&rest);
        count++;
    }
    return count;
}

/* ---- in messages ----------------------------------------------------------------------------- */

int piece_is_number(piece text)
{
    double unused;
    return distribution_read_number(text.at, text.size, &unused);
}

/* Writes a piece as a message shows it: a number as it is, else in quotes, and not too long. */
const char *piece_shown(piece text, char into[PIECE_SHOWN_SIZE])
{
    size_t most = 40, size = text.size <= most ? text.size : most - 3;
    const char *quote = piece_is_number(text) ? "" : "'";
    while (text.size > most && size > 0 && ((unsigned char)text.at[size] & 0xC0) == 0x80)
        size--; /* not in the middle of a letter */
    snprintf(into, PIECE_SHOWN_SIZE, "%s%.*s%s%s", quote, (int)size, text.at,
             text.size > most ? "..." : "", quote);
    for (char *at = into; *at; at++)
        if ((unsigned char)*at < 32 || *at == 127)
            *at = '?';
    return into;
}
