/* Checks random instances: tests/tandem/support/check.c. */
#include "support/random.h"

int main(int argc, char **argv)
{
    return random_main(argc, argv, &random_tandem);
}
