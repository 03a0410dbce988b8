/* Checks random functions of policies: tests/support/compiled.c. */
#include "support/random.h"

int main(int argc, char **argv)
{
    return random_main(argc, argv, &random_compiled);
}
