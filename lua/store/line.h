/* Lines of a store: `CRC KEY VALUE`. CRC is zlib's crc32 of the bytes of "KEY VALUE", in 8 hex
 * digits; KEY is 128 bits in 32 hex digits (all lower-case); VALUE is JSON without control
 * characters. Each line proves itself: what a torn write, a full disk or two writers in one file
 * leave behind is found and skipped, and costs nothing but itself. */
#ifndef PINION_STORE_LINE_H
#define PINION_STORE_LINE_H

#include <stddef.h>
#include <stdint.h>

#define STORE_VERSION    1
#define STORE_KEY_SIZE   32
#define STORE_HEAD_SIZE  42                                   /* what stands before the value */
#define STORE_VALUE_MOST 67108864                             /* 64 MiB */
#define STORE_LINE_MOST  (STORE_HEAD_SIZE + STORE_VALUE_MOST) /* without its end */

typedef struct store_key {
    uint64_t high, low; /* both 0: the line is about those that follow it in its file */
} store_key;

/* Failed and finished in the order in which they are preferred. */
typedef enum store_kind {
    STORE_WRONG,   /* no line of a store */
    STORE_FOREIGN, /* about lines of another version of the store */
    STORE_ABOUT,   /* who wrote what follows: {"store":1, */
    STORE_FAILED,  /* {"failed": */
    STORE_FINISHED /* {"digest":" and 16 hex digits */
} store_kind;

typedef struct store_line {
    store_kind kind;
    store_key key;
    uint64_t digest;     /* of a finished unit */
    uint32_t version;    /* of a line about others */
    const char *value;   /* within the text that was read */
    uint32_t value_size; /* bytes */
} store_line;

/* Reads 32 hex digits; 0 when they are none. */
int store_key_read(const char *text, size_t size, store_key *key);
void store_key_write(char text[STORE_KEY_SIZE], store_key key);

/* Reads what a value is that has this key; its kind is in `line` too. */
store_kind store_value_read(store_key key, const char *value, size_t size, store_line *line);

/* Reads a line without its end. */
store_kind store_line_read(const char *text, size_t size, store_line *line);

/* Writes the line and its end; there is room for STORE_HEAD_SIZE + size + 1 bytes. How many. */
size_t store_line_write(char *to, const char key[STORE_KEY_SIZE], const char *value, size_t size);

#endif
