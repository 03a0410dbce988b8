#include "line.h"

#include <string.h>
#include <zlib.h>

#include "sha256.h"

enum { CRC_SIZE = 8, DIGITS_64 = 16, VERSION_HUGE = 100000000 };

static const char DIGITS[] = "0123456789abcdef";

/* Reads so many lower-case hex digits, at most 16; 0 when they are none. */
static int read_hex(const char *text, int digits, uint64_t *value)
{
    /* Each digit and one more, that other characters have 0. */
    static const unsigned char values[256] = {
        ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
        ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
        ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16};
    uint64_t read = 0;
    for (int i = 0; i < digits; i++) {
        unsigned digit = values[(unsigned char)text[i]];
        if (digit == 0)
            return 0;
        read = read << 4 | (digit - 1);
    }
    *value = read;
    return 1;
}

static void write_hex(char *text, int digits, uint64_t value)
{
    for (int i = 0; i < digits; i++)
        text[i] = DIGITS[value >> (4 * (digits - 1 - i)) & 15];
}

int store_key_read(const char *text, size_t size, store_key *key)
{
    return size == STORE_KEY_SIZE && read_hex(text, DIGITS_64, &key->high) &&
           read_hex(text + DIGITS_64, DIGITS_64, &key->low);
}

void store_key_write(char text[STORE_KEY_SIZE], store_key key)
{
    write_hex(text, DIGITS_64, key.high);
    write_hex(text + DIGITS_64, DIGITS_64, key.low);
}

static uint32_t checksum(const char *text, size_t size)
{
    return (uint32_t)crc32(crc32(0, Z_NULL, 0), (const Bytef *)text, (uInt)size);
}

/* Looks for control characters, eight bytes at a time: a byte below 0x20 borrows into its highest
 * bit. */
static int has_control(const char *text, size_t size)
{
    const uint64_t ones = UINT64_MAX / 255;
    uint64_t found = 0, word;
    for (; size >= sizeof word; text += sizeof word, size -= sizeof word) {
        memcpy(&word, text, sizeof word);
        found |= (word - ones * ' ') & ~word & ones << 7;
    }
    for (; size > 0; text++, size--)
        found |= (unsigned char)*text < ' ';
    return found != 0;
}

/* Returns whether the value begins with a text. */
static int begins(const char *value, size_t size, const char *prefix, size_t with_size)
{
    return size >= with_size && memcmp(value, prefix, with_size) == 0;
}

#define BEGINS(VALUE, SIZE, WITH) begins(VALUE, SIZE, WITH, sizeof(WITH) - 1)

#define STORE_BEGIN  "{\"store\":"
#define FAILED_BEGIN "{\"failed\":"
#define DIGEST_BEGIN "{\"digest\":\""
#define VALUE_BEGIN  ",\"value\":"

static store_kind read_about(const char *value, size_t size, store_line *line)
{
    size_t first = sizeof STORE_BEGIN - 1, at = first;
    uint32_t version = 0;
    if (!BEGINS(value, size, STORE_BEGIN))
        return STORE_WRONG;
    for (; at < size && '0' <= value[at] && value[at] <= '9'; at++)
        if (version < VERSION_HUGE)
            version = 10 * version + (uint32_t)(value[at] - '0');
    line->version = version;
    if (at == first)
        return STORE_WRONG;
    if (version != STORE_VERSION)
        return STORE_FOREIGN;
    return at == first + 1 && at < size && value[at] == ',' ? STORE_ABOUT : STORE_WRONG;
}

/* Returns where the member "value" of an object begins; null: it has none. */
static const char *find_value(const char *text, size_t size)
{
    int depth = 0, is_quoted = 0;
    for (size_t i = 0; i < size; i++) {
        char one = text[i];
        if (is_quoted) {
            i += one == '\\';
            is_quoted = one != '"';
        } else if (depth == 1 && BEGINS(text + i, size - i, VALUE_BEGIN)) {
            return text + i + sizeof VALUE_BEGIN - 1;
        } else {
            is_quoted = one == '"';
            depth += (one == '{' || one == '[') - (one == '}' || one == ']');
        }
    }
    return NULL;
}

/* Returns 1 if the digest is that of the value, which ends the line, or if there is no value. */
static int has_digest(const char *text, size_t size, const char *digest)
{
    const char *value = find_value(text, size);
    const char *end = text + size - 1; /* the object's last brace */
    char found[SHA256_TEXT_SIZE];
    sha256 hash;
    if (!value)
        return 1;
    if (value > end)
        return 0;
    sha256_start(&hash);
    sha256_add(&hash, value, (size_t)(end - value));
    sha256_end(&hash, found);
    return memcmp(found, digest, DIGITS_64) == 0;
}

static store_kind read_unit(const char *value, size_t size, store_line *line)
{
    size_t digest = sizeof DIGEST_BEGIN - 1;
    if (BEGINS(value, size, FAILED_BEGIN))
        return STORE_FAILED;
    if (BEGINS(value, size, DIGEST_BEGIN) && size > digest + DIGITS_64 &&
        read_hex(value + digest, DIGITS_64, &line->digest) && value[digest + DIGITS_64] == '"' &&
        has_digest(value, size, value + digest))
        return STORE_FINISHED;
    return STORE_WRONG;
}

store_kind store_value_read(store_key key, const char *value, size_t size, store_line *line)
{
    *line = (store_line){.key = key, .value = value, .value_size = (uint32_t)size};
    if (size <= STORE_VALUE_MOST && !has_control(value, size))
        line->kind = key.high == 0 && key.low == 0 ? read_about(value, size, line)
                                                   : read_unit(value, size, line);
    return line->kind;
}

store_kind store_line_read(const char *text, size_t size, store_line *line)
{
    const char *body = text + CRC_SIZE + 1;
    uint64_t crc;
    store_key key;
    line->kind = STORE_WRONG;
    if (size < STORE_HEAD_SIZE || size > STORE_LINE_MOST || text[CRC_SIZE] != ' ' ||
        text[STORE_HEAD_SIZE - 1] != ' ' || !read_hex(text, CRC_SIZE, &crc) ||
        !store_key_read(body, STORE_KEY_SIZE, &key) || checksum(body, size - CRC_SIZE - 1) != crc)
        return STORE_WRONG;
    return store_value_read(key, text + STORE_HEAD_SIZE, size - STORE_HEAD_SIZE, line);
}

size_t store_line_write(char *to, const char key[STORE_KEY_SIZE], const char *value, size_t size)
{
    char *body = to + CRC_SIZE + 1;
    memcpy(body, key, STORE_KEY_SIZE);
    body[STORE_KEY_SIZE] = ' ';
    memcpy(to + STORE_HEAD_SIZE, value, size);
    write_hex(to, CRC_SIZE, checksum(body, STORE_KEY_SIZE + 1 + size));
    to[CRC_SIZE] = ' ';
    to[STORE_HEAD_SIZE + size] = '\n';
    return STORE_HEAD_SIZE + size + 1;
}
