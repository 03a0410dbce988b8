/* Bytes are the text of a scenario file. The front end must refuse it with a message that a user
 * understands, or run it; tests/fuzz/json.lua is the judge. */
#include "judged.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return judge_text("tests/fuzz/json.lua", "", bytes, size);
}
