/* Reads lines of decision logs by the rows of their kinds: a scan that finds the fields of a line,
 * then one look at each row. */
#include "log_rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pn_dispatch.h"

#define TOKENS_MAX (LOG_FIELDS_MAX + 4)

enum token_type { INTEGER, REAL, TEXT, TRUE, ARRAY, OTHER };

typedef struct token {
    const char *key, *text; /* of a text without its quotes */
    size_t key_size, size;
    uint64_t number; /* of an INTEGER */
    enum token_type type;
} token;

typedef struct tokens {
    token all[TOKENS_MAX];
    uint32_t count;
} tokens;

static int refuse(log_event *event, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns -1 always. */
static int refuse(log_event *event, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(event->fault, sizeof event->fault, format, arguments);
    va_end(arguments);
    return -1;
}

/* ---- the scan: each function returns where its part ends, or null ---------------------------- */

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
    return at;
}

static int is_digit(char c)
{
    return '0' <= c && c <= '9';
}

static const char *skip_digits(const char *at)
{
    if (!is_digit(*at))
        return NULL;
    while (is_digit(*at))
        at++;
    return at;
}

/* Scans behind the integer part. */
static const char *scan_fraction(const char *at)
{
    if (*at == '.')
        at = skip_digits(at + 1);
    if (!at || (*at != 'e' && *at != 'E'))
        return at;
    at++;
    return skip_digits(*at == '+' || *at == '-' ? at + 1 : at);
}

static const char *scan_number(const char *at, token *to)
{
    uint64_t value = 0;
    const char *end = at + (*at == '-');
    int fits = end == at;
    if (end[0] == '0' && is_digit(end[1]))
        return NULL;
    for (at = end; is_digit(*end); end++) {
        fits = fits && value <= (INT64_MAX - 9) / 10;
        value = 10 * value + (uint64_t)(*end - '0');
    }
    to->number = value;
    to->type = fits && *end != '.' && *end != 'e' && *end != 'E' ? INTEGER : REAL;
    return end == at ? NULL : scan_fraction(end);
}

/* Scans behind the first quote. */
static const char *scan_text(const char *at, const char **text, size_t *size)
{
    *text = at;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < ' ')
            return NULL;
        if (*at == '\\' && (unsigned char)*++at < ' ')
            return NULL;
    }
    *size = (size_t)(at - *text);
    return at + 1;
}

/* Scans an array or an object, whose inside no one has looked at. */
static const char *scan_nested(const char *at, token *to)
{
    uint64_t depth = 0;
    const char *text;
    size_t size;
    to->type = *at == '[' ? ARRAY : OTHER;
    for (;;) {
        if (*at == '\0')
            return NULL;
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        at = *at == '"' ? scan_text(at + 1, &text, &size) : at + 1;
        if (!at || depth == 0)
            return at;
    }
}

static const char *scan_literal(const char *at, token *to)
{
    static const char *const literals[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        size_t size = strlen(literals[i]);
        to->type = i == 0 ? TRUE : OTHER;
        if (strncmp(at, literals[i], size) == 0)
            return at + size;
    }
    return NULL;
}

static const char *scan_value(const char *at, token *to)
{
    const char *end;
    if (*at == '"') {
        to->type = TEXT;
        return scan_text(at + 1, &to->text, &to->size);
    }
    if (is_digit(*at) || *at == '-')
        end = scan_number(at, to);
    else if (*at == '[' || *at == '{')
        end = scan_nested(at, to);
    else
        end = scan_literal(at, to);
    to->text = at;
    to->size = end ? (size_t)(end - at) : 0;
    return end;
}

/* Scans "key":value, and blanks behind it. */
static const char *scan_field(const char *at, token *to)
{
    if (*at != '"' || !(at = scan_text(at + 1, &to->key, &to->key_size)))
        return NULL;
    at = skip_blanks(at);
    if (*at != ':' || !(at = scan_value(skip_blanks(at + 1), to)))
        return NULL;
    return skip_blanks(at);
}

/* Scans from behind the first brace up to the end of the line. */
static const char *scan_fields(const char *at, tokens *all)
{
    for (all->count = 0; all->count < TOKENS_MAX;) {
        at = scan_field(skip_blanks(at), &all->all[all->count]);
        if (!at || (*at != ',' && *at != '}'))
            return NULL;
        all->count++;
        if (*at++ == '}')
            return skip_blanks(at);
    }
    return NULL;
}

static int scan(log_event *event, const char *line, size_t size, tokens *all)
{
    const char *at = skip_blanks(line);
    if (at == line + size)
        return refuse(event, "the line is blank (expected one JSON object)");
    if (*at != '{')
        return refuse(event, "not an object (expected one JSON object)");
    if (scan_fields(at + 1, all) != line + size)
        return refuse(event, "not valid JSON, or more than %d fields (expected one JSON object)",
                      TOKENS_MAX);
    return 1;
}

static int is_called(const token *field, const char *name, size_t length)
{
    return field->key_size == length && memcmp(field->key, name, length) == 0;
}

/* Finds a field. Fields mostly come in the order of their rows: the search starts at `from`. */
static const token *find(const tokens *all, const char *name, size_t length, uint32_t from)
{
    for (uint32_t i = from; i < all->count; i++)
        if (is_called(&all->all[i], name, length))
            return &all->all[i];
    for (uint32_t i = 0; i < from && i < all->count; i++)
        if (is_called(&all->all[i], name, length))
            return &all->all[i];
    return NULL;
}

/* ---- values: 1, or 0 when the field does not hold one ---------------------------------------- */

static int is_in(const log_field *field, uint64_t number)
{
    return field->low <= number && number <= field->high;
}

static int read_integer(const log_field *field, const token *from, log_value *to)
{
    to->number = from->number;
    return from->type == INTEGER && is_in(field, from->number);
}

static int read_number(const log_field *field, const token *from, log_value *to)
{
    (void)field;
    to->is_integer = from->type == INTEGER;
    to->real = to->is_integer ? (double)from->number : strtod(from->text, NULL);
    to->number = from->number;
    return to->is_integer || (from->type == REAL && from->text[0] != '-' && to->real < HUGE_VAL);
}

/* Reads the digits of a number in 1..2^62, without needless zeros; null: there is none. */
static const char *read_digits(const char *at, uint64_t *number)
{
    for (*number = 0; is_digit(*at) && *number <= ((uint64_t)1 << 62) / 10; at++)
        *number = 10 * *number + (uint64_t)(*at - '0');
    return *number > 0 && *number <= (uint64_t)1 << 62 && !is_digit(*at) ? at : NULL;
}

static int read_quotient(const token *from, log_value *to)
{
    const char *at = from->text;
    pn_exact lowest = {0, 0};
    if (*at == '0' || !(at = read_digits(at, &to->number)) || at[0] != '/' || at[1] == '0')
        return 0;
    at = read_digits(at + 1, &to->other);
    if (at != from->text + from->size || to->other < 2)
        return 0;
    pn_exact_make(&lowest, (int64_t)to->number, (int64_t)to->other);
    return lowest.den == (int64_t)to->other;
}

static int read_exact(const log_field *field, const token *from, log_value *to)
{
    (void)field;
    to->is_integer = from->type == INTEGER;
    to->number = from->number;
    to->other = 1;
    return to->is_integer || (from->type == TEXT && read_quotient(from, to));
}

static int read_word(const log_field *field, const token *from, log_value *to)
{
    for (to->number = 0; from->type == TEXT && field->words[to->number]; to->number++) {
        const char *word = field->words[to->number];
        if (strncmp(word, from->text, from->size) == 0 && word[from->size] == '\0') {
            to->text = word;
            to->size = from->size;
            to->number += field->low;
            return 1;
        }
    }
    return 0;
}

static int read_true(const log_field *field, const token *from, log_value *to)
{
    (void)field;
    to->number = 1;
    return from->type == TRUE;
}

static int read_digest(const log_field *field, const token *from, log_value *to)
{
    (void)field;
    if (from->type != TEXT || from->size != 16 || strspn(from->text, "0123456789abcdef") != 16)
        return 0;
    to->number = strtoull(from->text, NULL, 16);
    return 1;
}

/* Reads a number of an array, and blanks behind it: where it ends, or null. */
static const char *read_element(const char *at, uint64_t *number)
{
    token element;
    at = skip_blanks(at);
    if (!is_digit(*at) || !(at = scan_number(at, &element)) || element.type != INTEGER)
        return NULL;
    *number = element.number;
    return skip_blanks(at);
}

static int read_tasks(const log_field *field, const token *from, log_value *to)
{
    const char *at = from->text;
    to->other = 0;
    if (from->type != ARRAY)
        return 0;
    do {
        uint64_t task;
        if (!(at = read_element(at + 1, &task)) || !is_in(field, task))
            return 0;
        if (to->other == 0)
            to->number = task;
        if (task != to->number + to->other++)
            return 0;
    } while (*at == ',');
    return *at == ']';
}

const char *log_read_vector(const char *at, uint64_t *numbers, uint32_t most, uint32_t *count)
{
    *count = 0;
    at = skip_blanks(at);
    if (*at != '[')
        return NULL;
    do {
        if (*count == most || !(at = read_element(at + 1, &numbers[*count])))
            return NULL;
        ++*count;
    } while (*at == ',');
    return *at == ']' ? skip_blanks(at + 1) : NULL;
}

static const char *check_vector(const log_field *field, const char *at)
{
    uint64_t numbers[PN_DISPATCH_RESOURCES_MAX];
    uint32_t count;
    at = log_read_vector(at, numbers, PN_DISPATCH_RESOURCES_MAX, &count);
    for (uint32_t i = 0; at && i < count; i++)
        if (!is_in(field, numbers[i]))
            return NULL;
    return at;
}

static int read_vector(const log_field *field, const token *from, log_value *to)
{
    (void)to;
    return from->type == ARRAY && check_vector(field, from->text) != NULL;
}

static int read_vectors(const log_field *field, const token *from, log_value *to)
{
    const char *at = from->text;
    (void)to;
    if (from->type != ARRAY)
        return 0;
    do
        at = check_vector(field, at + 1);
    while (at && *at == ',');
    return at && *at == ']';
}

static int (*const readers[])(const log_field *field, const token *from, log_value *to) = {
    [LOG_INTEGER] = read_integer, [LOG_ORDINAL] = read_integer, [LOG_NUMBER] = read_number,
    [LOG_EXACT] = read_exact,     [LOG_WORD] = read_word,       [LOG_TRUE] = read_true,
    [LOG_DIGEST] = read_digest,   [LOG_TASKS] = read_tasks,     [LOG_VECTOR] = read_vector,
    [LOG_VECTORS] = read_vectors};

/* ---- what is wrong with a field -------------------------------------------------------------- */

/* Writes "9", "2^53"; of bounds up to 2^63. */
static void write_bound(char text[24], uint64_t bound)
{
    int bits = 0;
    while ((uint64_t)1 << bits < bound)
        bits++;
    if (bits >= 24 && (uint64_t)1 << bits == bound)
        snprintf(text, 24, "2^%d", bits);
    else
        snprintf(text, 24, "%llu", (unsigned long long)bound);
}

static void write_words(char *text, size_t size, const char *const *words)
{
    text[0] = '\0';
    for (int i = 0; words[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, i > 0 ? " or %s" : "%s", words[i]);
    }
}

/* Shows a value as the line has it, or the beginning of a long one. */
static const char *shown(const token *value, char text[48])
{
    int quotes = value->type == TEXT, cut = value->size > 40;
    snprintf(text, 48, "%s%.*s%s", quotes ? "\"" : "", cut ? 37 : (int)value->size, value->text,
             cut      ? "..."
             : quotes ? "\""
                      : "");
    return text;
}

static int refuse_field(log_event *event, const log_field *field, const token *from)
{
    static const char *const expected[] = {
        [LOG_NUMBER] = "a number >= 0",
        [LOG_EXACT] = "an integer >= 0 or \"p/q\" in lowest terms",
        [LOG_TRUE] = "true",
        [LOG_DIGEST] = "16 hex digits",
        [LOG_TASKS] = "an array of task numbers, one after the other",
        [LOG_VECTOR] = "an array with a number for each resource",
        [LOG_VECTORS] = "an array of arrays with a number for each resource"};
    char text[80], high[24], value[48];
    write_bound(high, field->high);
    if (field->type == LOG_INTEGER || field->type == LOG_ORDINAL)
        snprintf(text, sizeof text, "an integer in %llu..%s", (unsigned long long)field->low, high);
    else if (field->type == LOG_WORD)
        write_words(text, sizeof text, field->words);
    else
        snprintf(text, sizeof text, "%s", expected[field->type]);
    return refuse(event, "field \"%s\": expected %s, got %s", field->name, text,
                  shown(from, value));
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static int choose(log_event *event, const log_kinds *kinds, uint32_t number)
{
    event->number = number;
    event->kind = &kinds->kinds[number];
    return 1;
}

static int refuse_kind(log_event *event, const log_kinds *kinds)
{
    char marks[160] = "";
    for (uint32_t i = 1; i <= kinds->count; i++) {
        const log_kind *kind = &kinds->kinds[i % kinds->count];
        size_t used = strlen(marks);
        if (kind->mark)
            snprintf(marks + used, sizeof marks - used, "%s\"%s\"", used > 0 ? ", " : "",
                     kind->mark);
        else if (kind->name)
            return refuse(event, "field \"event\" is missing");
    }
    return refuse(event, "expected one of %s", marks);
}

/* Finds the kind of a line that says it by "event". */
static int choose_event(log_event *event, const log_kinds *kinds, const token *said)
{
    char word[48];
    for (uint32_t i = 1; said->type == TEXT && i < kinds->count; i++) {
        const log_kind *kind = &kinds->kinds[i];
        if (kind->name && !kind->mark && strncmp(kind->name, said->text, said->size) == 0 &&
            kind->name[said->size] == '\0')
            return choose(event, kinds, i);
    }
    return refuse(event, "field \"event\": unknown word %s", shown(said, word));
}

static int choose_kind(log_event *event, const log_kinds *kinds, const tokens *all)
{
    const token *said = find(all, "event", 5, 1);
    if (said)
        return choose_event(event, kinds, said);
    for (uint32_t i = 1; i <= kinds->count; i++) {
        const log_kind *kind = &kinds->kinds[i % kinds->count];
        if (kind->mark && find(all, kind->mark, strlen(kind->mark), 2))
            return choose(event, kinds, i % kinds->count);
    }
    return refuse_kind(event, kinds);
}

static int is_wanted(const log_event *event, const tokens *all, const log_filter *filter)
{
    const token *job;
    if (filter->kinds && !(filter->kinds >> event->number & 1))
        return 0;
    if (filter->job == 0)
        return 1;
    job = find(all, "job", 3, 1);
    return job && job->type == INTEGER && job->number == filter->job;
}

/* ---- the line -------------------------------------------------------------------------------- */

/* Refuses a line that has a field that no row has read. */
static int refuse_rest(log_event *event, const tokens *all)
{
    for (uint32_t i = 0;; i++) {
        const token *field = &all->all[i];
        const log_field *row = event->kind->fields;
        int size = field->key_size < 40 ? (int)field->key_size : 40;
        if (find(all, field->key, field->key_size, 0) != field)
            return refuse(event, "field \"%.*s\" occurs twice", size, field->key);
        while (row->name && !is_called(field, row->name, row->length))
            row++;
        if (!row->name && (event->kind->mark || !is_called(field, "event", 5)))
            return refuse(event, "unknown field \"%.*s\" in a line of %s", size, field->key,
                          event->kind->name);
    }
}

static int read_field(log_event *event, const log_field *field, const token *from, log_value *to)
{
    to->is_there = from != NULL;
    if (!from) {
        to->number = field->missing;
        to->real = (double)field->missing;
        return field->optional ? 1 : refuse(event, "field \"%s\" is missing", field->name);
    }
    to->text = from->text;
    to->size = from->size;
    return readers[field->type](field, from, to) ? 1 : refuse_field(event, field, from);
}

int log_read(log_event *event, const log_kinds *kinds, const char *line, size_t size,
             const log_filter *filter)
{
    tokens all;
    uint32_t used, from;
    if (scan(event, line, size, &all) < 0 || choose_kind(event, kinds, &all) < 0)
        return -1;
    if (filter && !is_wanted(event, &all, filter))
        return 0;
    used = event->kind->mark ? 0 : 1;
    from = 0;
    for (uint32_t i = 0; event->kind->fields[i].name; i++) {
        const log_field *field = &event->kind->fields[i];
        const token *found = find(&all, field->name, field->length, from);
        if (read_field(event, field, found, &event->values[i]) < 0)
            return -1;
        used += found != NULL;
        from = found ? (uint32_t)(found - all.all) + 1 : from;
    }
    return used == all.count ? 1 : refuse_rest(event, &all);
}

/* ---- members --------------------------------------------------------------------------------- */

static void store(const log_field *field, const log_value *value, unsigned char *to)
{
    uint64_t number = value->number - (field->type == LOG_ORDINAL);
    uint32_t narrow = (uint32_t)number, count;
    uint64_t vector[PN_DISPATCH_RESOURCES_MAX] = {0};
    pn_exact exact = {(int64_t)value->number, (int64_t)value->other};
    double real = value->real;
    if (field->type == LOG_VECTOR)
        log_read_vector(value->text, vector, PN_DISPATCH_RESOURCES_MAX, &count);
    if (field->type == LOG_EXACT)
        memcpy(to + field->offset, &exact, sizeof exact);
    else if (field->type == LOG_NUMBER)
        memcpy(to + field->offset, &real, sizeof real);
    else if (field->type == LOG_VECTOR)
        memcpy(to + field->offset, vector, sizeof vector);
    else if (field->size == sizeof narrow)
        memcpy(to + field->offset, &narrow, sizeof narrow);
    else
        memcpy(to + field->offset, &number, sizeof number);
    if (field->type == LOG_TASKS)
        memcpy(to + field->count, &value->other, sizeof value->other);
}

void log_store(const log_event *event, void *members)
{
    for (uint32_t i = 0; event->kind->fields[i].name; i++)
        if (event->kind->fields[i].size > 0)
            store(&event->kind->fields[i], &event->values[i], members);
}
