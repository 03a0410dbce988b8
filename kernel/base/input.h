/* Lines of input logs, into the caller's bytes: nothing is written behind these, but all is
 * counted. */
#ifndef PN_BASE_INPUT_H
#define PN_BASE_INPUT_H

#include "internal.h"
#include "pn_input.h"

typedef struct pn_writer {
    char *text;
    size_t size, used; /* bytes there are; that the line needs so far */
    char last;         /* written */
} pn_writer;

#define PN_FIELD(type, member)                                          \
    {                                                                   \
#member, offsetof(type, member), sizeof(((type *)0)->member), 0 \
    }
#define PN_FIELD_OF_INT(type, member)                                                 \
    {                                                                                 \
#member, offsetof(type, member), sizeof(((type *)0)->member), PN_FIELD_SIGNED \
    }
#define PN_FIELDS(type, member)                                          \
    {                                                                    \
#member, offsetof(type, member), sizeof(((type *)0)->member[0]), \
            sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]) \
    }

/* Writes brackets, and whatever else is JSON by itself. */
void pn_write_text(pn_writer *out, const char *text);
/* Writes a member's name, behind a comma where another one is before it. */
void pn_write_name(pn_writer *out, const char *name);
/* Writes a value; entries of arrays get their commas, and lists are left out where they are empty.
 * A number above 2^63 - 1 is a string, in hexadecimal digits; so is one that is no integer: as C
 * writes it with %a, which is exact. */
void pn_write_string(pn_writer *out, const char *text);
void pn_write_number(pn_writer *out, uint64_t number);
void pn_write_real(pn_writer *out, double number);
void pn_write_digest(pn_writer *out, uint64_t digest);
void pn_write_strings(pn_writer *out, const char *name, const char *const *texts, uint32_t count);
void pn_write_reals(pn_writer *out, const char *name, const double *numbers, uint32_t count);
/* Writes what events begin with. */
void pn_write_time(pn_writer *out, uint64_t time, const char *event);
/* Writes the field of a struct, also when it is 0; all fields of a list that a null name ends, but
 * for those that are 0 where `sparse`. */
void pn_write_field(pn_writer *out, const pn_field *field, const void *from);
void pn_write_fields(pn_writer *out, const pn_field *list, const void *from, bool sparse);
/* Writes `count` structs of so many bytes, as an array of objects. */
void pn_write_groups(pn_writer *out, const char *name, const pn_field *fields, const void *groups,
                     size_t size, uint32_t count);
/* Writes what heads have in common: the policy with its parameters, and what else is said of it. */
void pn_write_policy(pn_writer *out, const char *name, const pn_param *params, uint32_t count,
                     const double *values, const pn_input_about *source);
/* Ends the line, with its check; the bytes that it needs. Of a line that has them *check becomes
 * that of the next. */
size_t pn_write_end(pn_writer *out, uint64_t *check);

#endif
