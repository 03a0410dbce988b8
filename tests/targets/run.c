/* Runs every scenario to its end, in a static block, and prints "name digest block stack" for each:
 * bytes of the block and, where the machine lets it be seen, bytes of stack that the run touched.
 */
#include <stdio.h>

#include "scenarios.h"
#include "stack.h"

static _Alignas(8) unsigned char block[SCENARIO_BLOCK];

static int run(const scenario *it)
{
    size_t size = 0;
    stack_paint();
    int status = it->begin(block, &size);
    while (status == PN_OK)
        status = it->step(block, size);
    size_t stack = stack_used();
    if (status != PN_DONE) {
        printf("%s: %s, %u bytes\n", it->name, pn_status_name(status), (unsigned)size);
        return 1;
    }
    printf("%s %016llx %u %u\n", it->name, (unsigned long long)it->digest(block, size),
           (unsigned)size, (unsigned)stack);
    return 0;
}

int main(void)
{
    int failed = pn_selftest() != PN_OK;
    for (const scenario *it = scenarios; it->name; it++)
        failed |= run(it);
    return failed;
}
