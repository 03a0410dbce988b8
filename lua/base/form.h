/* Lines of a written form: such as a program writes again and again, which are taken apart without
 * a text for each of their parts. */
#ifndef PINION_BASE_FORM_H
#define PINION_BASE_FORM_H

#include <stddef.h>
#include <stdint.h>

#define FORM_FIELDS_MAX 8
#define FORM_TEXT_MAX   160

/* A form is a text with fields:
 *   %d  digits                                  a number
 *   %i  the same without needless zeros         a number
 *   %p  the same, and not 0                     a number
 *   %t  %i, or "p/q" of digits, in quotes       a number, or p/q as a text without the quotes
 *   %l  small letters                           a text
 *   %n  what a decimal number consists of       a text
 *   %v  arrays of numbers as %i in an array     a text
 * Numbers are at most 2^63-1. Behind a field that may go on stands what cannot belong to it. */
typedef struct form {
    char text[FORM_TEXT_MAX];
    struct form_part {
        uint8_t from, size; /* of what stands before the field */
        char kind;          /* 0: the end of the form */
    } parts[FORM_FIELDS_MAX + 1];
} form;

typedef struct form_field {
    char kind;
    int64_t number;
    char *text; /* null: it is a number */
    size_t size;
} form_field;

/* Whether the text is a form: at most so long, with so many fields. */
int form_make(form *self, const char *text);
/* Whether the line of `size` bytes, which a null ends, is of this form from end to end; how many
 * fields it has, or -1. O(size). */
int form_match(const form *self, char *line, size_t size, form_field fields[FORM_FIELDS_MAX]);

#endif
