/* Checks random instances: tests/cluster/support/check.c. */
#include "support/random.h"

int main(int argc, char **argv)
{
    return random_main(argc, argv, &random_cluster);
}
