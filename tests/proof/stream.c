/* Draws of any stream. */
#include "proof.h"

#include "base/stream.c"

void main(void)
{
    pn_stream stream;
    pn_stream_init(&stream, any_long(), any_word(), any_word());
    for (int i = 0; i < 4; i++) {
        stream.counter[i] = any_word();
        stream.block[i] = any_word();
    }
    stream.used = any_below(5);
    if (any())
        pn_random32(&stream);
    else
        pn_random64(&stream);
    //@ assert stream.used <= 4;
}
