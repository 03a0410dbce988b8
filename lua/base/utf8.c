/* Characters of UTF-8. */
#include "utf8.h"

size_t utf8_size(const unsigned char *s, size_t left)
{
    static const unsigned char first[4] = {0x00, 0xC2, 0xE0, 0xF0};
    size_t size = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (s[0] < first[size - 1] || s[0] > 0xF4 || size > left)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    /* Too long a form, a surrogate, or beyond U+10FFFF. */
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
        (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return size;
}
