/* Lines of a written form. The null behind a line ends every field. */
#include "form.h"

#include <string.h>

int form_make(form *self, const char *text)
{
    size_t size = strlen(text), count = 0, from = 0;
    if (size >= FORM_TEXT_MAX)
        return 0;
    memcpy(self->text, text, size + 1);
    for (size_t at = 0; at <= size; at++) {
        if (text[at] != '%' && text[at] != '\0')
            continue;
        if (text[at] == '%' &&
            (count == FORM_FIELDS_MAX || !strchr("diptlnv", text[at + 1]) || text[at + 1] == '\0'))
            return 0;
        self->parts[count].from = (uint8_t)from;
        self->parts[count].size = (uint8_t)(at - from);
        self->parts[count++].kind = text[at] == '%' ? text[at + 1] : '\0';
        at++;
        from = at + 1;
    }
    return 1;
}

/* ---- fields: where each ends, or null -------------------------------------------------------- */

static int is_digit(char c)
{
    return '0' <= c && c <= '9';
}

static char *take_digits(char *at, int64_t *number)
{
    uint64_t value = 0;
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++) {
        if (value > INT64_MAX / 10)
            return NULL;
        value = 10 * value + (uint64_t)(*at - '0');
        if (value > INT64_MAX)
            return NULL;
    }
    *number = (int64_t)value;
    return at;
}

static char *take_integer(char *at, int64_t *number)
{
    return at[0] == '0' && is_digit(at[1]) ? NULL : take_digits(at, number);
}

static char *skip_digits(char *at)
{
    if (!is_digit(*at))
        return NULL;
    while (is_digit(*at))
        at++;
    return at;
}

static char *take_quotient(char *at, form_field *field)
{
    char *end = skip_digits(at + 1);
    field->text = at + 1;
    if (!end || *end != '/' || !(end = skip_digits(end + 1)) || *end != '"')
        return NULL;
    field->size = (size_t)(end - field->text);
    return end + 1;
}

static char *take_text(char *at, form_field *field, const char *set)
{
    field->text = at;
    if (set)
        at += strspn(at, set);
    else
        while ('a' <= *at && *at <= 'z')
            at++;
    field->size = (size_t)(at - field->text);
    return field->size > 0 ? at : NULL;
}

/* "[[1,2],[3]]" */
static char *take_arrays(char *at, form_field *field)
{
    int64_t number;
    field->text = at;
    if (*at != '[')
        return NULL;
    do {
        if (at[1] != '[')
            return NULL;
        at++;
        do {
            at = take_integer(at + 1, &number);
        } while (at && *at == ',');
        if (!at || *at != ']')
            return NULL;
        at++;
    } while (*at == ',');
    field->size = (size_t)(at + 1 - field->text);
    return *at == ']' ? at + 1 : NULL;
}

static char *take_field(char *at, form_field *field)
{
    field->text = NULL;
    switch (field->kind) {
    case 'd':
        return take_digits(at, &field->number);
    case 'i':
        return take_integer(at, &field->number);
    case 'p':
        return *at == '0' ? NULL : take_digits(at, &field->number);
    case 't':
        return *at == '"' ? take_quotient(at, field) : take_integer(at, &field->number);
    case 'l':
        return take_text(at, field, NULL);
    case 'n':
        return take_text(at, field, "0123456789.e+-");
    default:
        return take_arrays(at, field);
    }
}

int form_match(const form *self, char *line, size_t size, form_field fields[FORM_FIELDS_MAX])
{
    char *at = line, *end = line + size;
    for (int count = 0;; count++) {
        const struct form_part *part = &self->parts[count];
        if ((size_t)(end - at) < part->size || memcmp(at, self->text + part->from, part->size) != 0)
            return -1;
        at += part->size;
        if (!part->kind)
            return at == end ? count : -1;
        fields[count].kind = part->kind;
        at = take_field(at, &fields[count]);
        if (!at)
            return -1;
    }
}
