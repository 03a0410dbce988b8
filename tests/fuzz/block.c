/* Bytes become a block from a stranger: that of a real run, named by a model and a number, with
 * changes of its state; or, with the highest bit of the first byte, the bytes as they are. It is
 * sealed, so that the seal is right, unsealed, and validated. What is accepted runs, with the
 * policy of that run, and is asked everything: tests/random/damage does both. */
#include "fuzz.h"
#include "support/damage.h"

enum { RUNS = 128 }; /* of each model, each made once */

static const damage_case *run_of(unsigned model, unsigned number)
{
    static damage_case made[DAMAGE_MODELS][RUNS];
    damage_case *run = &made[model][number];
    if (!run->block) {
        bool sound = true;
        pn_stream stream;
        pn_stream_init(&stream, 2026, number, 11);
        damage_models[model]->make(run, &stream, &sound);
        must(sound, "a run leaves a sound block");
    }
    return run;
}

/* A multiple of `width` below `size`. */
static size_t place(input *in, size_t size, size_t width)
{
    size_t number = byte(in);
    number |= (size_t)byte(in) << 8;
    number |= (size_t)byte(in) << 16;
    return number % (size / width) * width;
}

/* A change, often in the model's struct. */
static void change(input *in, const damage_model *model, unsigned char *block, size_t size)
{
    unsigned how = byte(in);
    size_t width = (size_t)1 << how % 4;
    size_t at = place(in, how >= 128 && model->head < size ? model->head : size, width);
    uint64_t word = 0;
    memcpy(&word, block + at, width); /* the low bytes where those come first */
    switch (how / 4 % 5) {
    case 0:
        word = damage_words[byte(in) % DAMAGE_WORDS];
        break;
    case 1:
        word += byte(in) - (uint64_t)128;
        break;
    case 2:
        word ^= (uint64_t)1 << byte(in) % 64;
        break;
    case 3: /* what stands elsewhere */
        memcpy(&word, block + place(in, size, width), width);
        break;
    default:
        for (size_t i = 0; i < width; i++)
            word = word << 8 | byte(in);
    }
    memcpy(block + at, &word, width);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, size};
    unsigned char seal[PN_SEAL_SIZE];
    unsigned first = byte(&in), which = first % 128 % DAMAGE_MODELS;
    const damage_model *model = damage_models[which];
    damage_case at = *run_of(which, byte(&in) % RUNS);
    if (first >= 128)
        at.size = in.size;
    unsigned char *block = damage_copy(first >= 128 ? in.bytes : at.block, at.size);
    while (first < 128 && in.size > 0)
        change(&in, model, block, at.size);
    if (pn_seal(block, at.size, seal) == PN_OK)
        must(pn_unseal(block, at.size, seal) == PN_OK, "a sealed block is the one that was sealed");
    if (model->kernel()->validate(block, at.size) == PN_OK)
        model->use(&at, block);
    free(block);
    return 0;
}
