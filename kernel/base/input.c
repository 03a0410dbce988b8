/* Lines of input logs. Numbers are written so that they are read again to the bit. */
#include "input.h"

uint64_t pn_input_check(uint64_t check, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        check = pn_mix(check, at[i]);
    return check;
}

static void input_put(pn_writer *out, char letter)
{
    if (out->used < out->size)
        out->text[out->used] = letter;
    out->used++;
    out->last = letter;
}

void pn_write_text(pn_writer *out, const char *text)
{
    while (*text)
        input_put(out, *text++);
}

/* Writes a comma if a value stands before, in the same object or array; a line is an object. */
static void input_separate(pn_writer *out)
{
    if (out->last != '{' && out->last != '[' && out->last != ':')
        input_put(out, ',');
}

static void input_hex(pn_writer *out, uint64_t number, int digits)
{
    while (digits-- > 0)
        input_put(out, "0123456789abcdef"[number >> 4 * digits & 15]);
}

void pn_write_string(pn_writer *out, const char *text)
{
    input_separate(out);
    input_put(out, '"');
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter < 0x20) {
            pn_write_text(out, "\\u");
            input_hex(out, letter, 4);
            continue;
        }
        if (letter == '"' || letter == '\\')
            input_put(out, '\\');
        input_put(out, (char)letter);
    }
    input_put(out, '"');
}

void pn_write_name(pn_writer *out, const char *name)
{
    pn_write_string(out, name);
    input_put(out, ':');
}

static void input_decimal(pn_writer *out, uint64_t number)
{
    char digits[20];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (count > 0)
        input_put(out, digits[--count]);
}

void pn_write_number(pn_writer *out, uint64_t number)
{
    input_separate(out);
    if (number <= INT64_MAX) {
        input_decimal(out, number);
        return;
    }
    pn_write_text(out, "\"0x");
    input_hex(out, number, 16);
    input_put(out, '"');
}

void pn_write_real(pn_writer *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    const double most = (double)PN_INTEGER_MAX;
    bool negative = bits >> 63 != 0;
    bool whole = -most <= number && number <= most && number == (double)(int64_t)number;
    uint64_t exponent = bits >> 52 & 0x7FF, fraction = bits & 0xFFFFFFFFFFFFF;
    input_separate(out);
    if (whole && (!negative || number != 0.0)) {
        if (negative)
            input_put(out, '-');
        input_decimal(out, (uint64_t)(number < 0.0 ? -number : number));
        return;
    }
    pn_write_text(out, negative ? "\"-0x" : "\"0x");
    input_put(out, exponent > 0 ? '1' : '0');
    input_put(out, '.');
    input_hex(out, fraction, 13);
    int power = exponent > 0 ? (int)exponent - 1023 : -1022;
    pn_write_text(out, power < 0 ? "p-" : "p+");
    input_decimal(out, (uint64_t)(power < 0 ? -power : power));
    input_put(out, '"');
}

void pn_write_digest(pn_writer *out, uint64_t digest)
{
    input_separate(out);
    input_put(out, '"');
    input_hex(out, digest, 16);
    input_put(out, '"');
}

void pn_write_strings(pn_writer *out, const char *name, const char *const *texts, uint32_t count)
{
    if (count == 0)
        return;
    pn_write_name(out, name);
    input_put(out, '[');
    for (uint32_t i = 0; i < count; i++)
        pn_write_string(out, texts[i] ? texts[i] : "");
    input_put(out, ']');
}

/* Writes an array of the texts of each attribute. */
static void input_labels(pn_writer *out, const pn_input_labels *labels, uint32_t count)
{
    pn_write_name(out, "attribute_texts");
    input_put(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        input_separate(out);
        input_put(out, '[');
        for (uint32_t k = 0; k < labels[i].count; k++)
            pn_write_string(out, labels[i].texts[k]);
        input_put(out, ']');
    }
    input_put(out, ']');
}

void pn_write_reals(pn_writer *out, const char *name, const double *numbers, uint32_t count)
{
    if (!numbers || count == 0)
        return;
    pn_write_name(out, name);
    input_put(out, '[');
    for (uint32_t i = 0; i < count; i++)
        pn_write_real(out, numbers[i]);
    input_put(out, ']');
}

void pn_write_time(pn_writer *out, uint64_t time, const char *event)
{
    pn_write_name(out, "time");
    pn_write_number(out, time);
    pn_write_name(out, "event");
    pn_write_string(out, event);
}

static uint64_t input_entry_of(const pn_field *field, const void *from, uint32_t index)
{
    const unsigned char *at = (const unsigned char *)from + field->offset +
                              (size_t)index * field->size;
    uint32_t small;
    uint64_t large;
    memcpy(&small, at, sizeof small);
    if (field->size == sizeof small)
        return small;
    memcpy(&large, at, sizeof large);
    return large;
}

void pn_write_field(pn_writer *out, const pn_field *field, const void *from)
{
    pn_write_name(out, field->name);
    if (field->count == PN_FIELD_SIGNED) {
        pn_write_real(out, (int32_t)input_entry_of(field, from, 0));
        return;
    }
    if (field->count == 0) {
        pn_write_number(out, input_entry_of(field, from, 0));
        return;
    }
    input_put(out, '[');
    for (uint32_t i = 0; i < field->count; i++)
        pn_write_number(out, input_entry_of(field, from, i));
    input_put(out, ']');
}

static bool input_is_zero(const pn_field *field, const void *from)
{
    bool one = field->count == 0 || field->count == PN_FIELD_SIGNED;
    uint32_t entries = one ? 1 : field->count;
    uint64_t any = 0;
    for (uint32_t i = 0; i < entries; i++)
        any |= input_entry_of(field, from, i);
    return any == 0;
}

void pn_write_fields(pn_writer *out, const pn_field *list, const void *from, bool sparse)
{
    for (; list->name; list++)
        if (!sparse || !input_is_zero(list, from))
            pn_write_field(out, list, from);
}

void pn_write_groups(pn_writer *out, const char *name, const pn_field *fields, const void *groups,
                     size_t size, uint32_t count)
{
    pn_write_name(out, name);
    pn_write_text(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        pn_write_text(out, i > 0 ? ",{" : "{");
        pn_write_fields(out, fields, (const unsigned char *)groups + i * size, true);
        pn_write_text(out, "}");
    }
    pn_write_text(out, "]");
}

void pn_write_policy(pn_writer *out, const char *name, const pn_param *params, uint32_t count,
                     const double *values, const pn_input_about *source)
{
    pn_write_name(out, "policy");
    pn_write_string(out, name);
    pn_write_name(out, "params");
    input_put(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        pn_write_name(out, params[i].name);
        pn_write_real(out, values ? values[i] : params[i].value);
    }
    input_put(out, '}');
    if (!source)
        return;
    if (source->text) {
        pn_write_name(out, "lua");
        pn_write_digest(out, pn_input_check(0, source->text, source->text_size));
    }
    pn_write_strings(out, "attribute_names", source->attributes, source->attributes_count);
    if (PN_HAS(source, labels) && source->labels)
        input_labels(out, source->labels, source->attributes_count);
    pn_write_strings(out, "group_names", source->groups, source->groups_count);
}

size_t pn_write_end(pn_writer *out, uint64_t *check)
{
    enum { REST = sizeof ",\"check\":\"01234567\"}\n" };
    size_t needed = out->used + REST;
    if (needed > out->size)
        return needed;
    *check = pn_input_check(*check, out->text, out->used);
    pn_write_name(out, "check");
    input_put(out, '"');
    input_hex(out, *check & UINT32_MAX, 8);
    pn_write_text(out, "\"}\n");
    input_put(out, '\0');
    PN_ASSERT(out->used == needed);
    return needed;
}
