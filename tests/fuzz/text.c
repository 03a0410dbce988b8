/* Bytes are a text of one of the small languages that C reads: lines of stores, distributions,
 * processes of arrivals, numbers. What is accepted and written again must be the same; what is
 * refused must have a message of one line. */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "store/line.h"
#include "workload/arrivals.h"

enum { TEXT = 1 << 16, DRAWS = 20 };

static void check_message(const char *message)
{
    size_t size = strlen(message);
    must(size > 5 && size < DISTRIBUTION_MESSAGE_SIZE, "a refusal has a message");
    must(!strchr(message, '\n'), "a message is one line");
}

static void check_line(const char *text, size_t size)
{
    static char again[TEXT];
    store_line line;
    store_kind kind = store_line_read(text, size, &line);
    must(kind == line.kind || kind == STORE_WRONG, "a line has one kind");
    if (kind == STORE_WRONG || size >= sizeof again)
        return;
    must(line.value + line.value_size == text + size, "the value is the rest of the line");
    char key[STORE_KEY_SIZE];
    store_key_write(key, line.key);
    size_t written = store_line_write(again, key, line.value, line.value_size);
    must(written == size + 1 && memcmp(again, text, size) == 0, "a line is written as it was");
}

static void check_distribution(const char *text, size_t size, enum distribution_use use)
{
    static char texts[2][TEXT];
    char message[DISTRIBUTION_MESSAGE_SIZE];
    distribution read, again;
    pn_stream stream;
    if (!distribution_parse(text, size, use, &read, message)) {
        check_message(message);
        return;
    }
    size_t length = distribution_text(&read, texts[0], TEXT);
    if (length < TEXT) {
        must(distribution_parse(texts[0], length, use, &again, message), "its own text is one");
        must(distribution_text(&again, texts[1], TEXT) == length &&
                 memcmp(texts[0], texts[1], length) == 0,
             "its own text is the same again");
        distribution_release(&again);
    }
    pn_stream_init(&stream, 1, 1, 1);
    for (int i = 0; i < DRAWS; i++) {
        if (use == DISTRIBUTION_SIZES)
            must(distribution_draw(&read, &stream) <= PN_INTEGER_MAX, "a size is in its range");
        else
            must(distribution_factor(&read, &stream) >= 0, "a factor is a number, and not below 0");
    }
    distribution_release(&read);
}

static void check_arrivals(const char *text, size_t size)
{
    char message[DISTRIBUTION_MESSAGE_SIZE];
    arrival_process read;
    pn_stream stream;
    double last = 0;
    if (!arrival_process_parse(text, size, &read, message)) {
        check_message(message);
        return;
    }
    pn_stream_init(&stream, 1, 1, 1);
    arrival_process_start(&read, &stream);
    for (int i = 0; i < DRAWS; i++) {
        double next = arrival_process_next(&read, &stream);
        must(next >= last, "arrivals do not go back in time");
        last = next;
    }
    arrival_process_release(&read);
}

static void check_decimal(const uint8_t *bytes, size_t size)
{
    char text[DECIMAL_SIZE];
    double x, again;
    memcpy(&x, bytes, size < sizeof x ? size : sizeof x);
    if (size < sizeof x || !isfinite(x))
        return;
    size_t length = decimal_write(text, x);
    text[length] = '\0';
    again = strtod(text, NULL);
    must(memcmp(&x, &again, sizeof x) == 0, "a number reads back as it was");
    must(strpbrk(text, ".e") != NULL, "a float is written as one");
}

/* Characters are of 1 to 4 bytes and no longer than what is left. */
static void check_utf8(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t its = utf8_size(bytes + at, size - at);
        must(its <= 4 && its <= size - at, "a character is within its text");
        must(its != 1 || bytes[at] < 128, "one byte is ASCII");
        at += its > 0 ? its : 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, size};
    unsigned what = byte(&in) % 6;
    const char *text = (const char *)in.bytes;
    switch (what) {
    case 0:
        check_line(text, in.size);
        break;
    case 1:
        check_distribution(text, in.size, DISTRIBUTION_SIZES);
        break;
    case 2:
        check_distribution(text, in.size, DISTRIBUTION_FACTORS);
        break;
    case 3:
        check_arrivals(text, in.size);
        break;
    case 4:
        check_decimal(in.bytes, in.size);
        break;
    default:
        check_utf8(in.bytes, in.size);
    }
    return 0;
}
