/* Bytes are a result, as JSON, that `report` reads; tests/fuzz/command.lua judges what commands do
 * with it. */
#include "judged.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return judge_text("tests/fuzz/command.lua", "result", bytes, size);
}
