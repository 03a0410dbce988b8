/* Bytes drive the random stream of an instance: the first one names what is checked, a model
 * against its naive twin, a fickle host, or a sound block that is used; the second the kind of
 * instance, and the third the policy. When there are no more bytes, a fixed stream goes on. */
#include "fuzz.h"
#include "support/damage.h"

#define CHECK(NAME) &random_##NAME,
static const random_check *const checks[] = {RANDOM_CHECKS(CHECK)};
enum { CHECKS = sizeof checks / sizeof checks[0] };

static void use_block(pn_stream *stream, const damage_model *model)
{
    damage_case run = {0};
    bool sound = true;
    model->make(&run, stream, &sound);
    must(sound, "a run leaves a sound block");
    model->use(&run, run.block);
    model->free(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, size};
    unsigned what = byte(&in) % (CHECKS + DAMAGE_MODELS), number = byte(&in), policy = byte(&in);
    pn_stream stream;
    pn_stream_init(&stream, 0, 0, 1);
    random_drive(&stream, in.bytes, in.size);
    if (what < CHECKS)
        must(checks[what]->instance(&stream, number, policy % 16), checks[what]->name);
    else
        use_block(&stream, damage_models[what - CHECKS]);
    return 0;
}
