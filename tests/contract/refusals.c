/* What the checkers say of changed logs (support/refusals.h): status, words, time and job of each
 * verdict are those of tests/golden/refusals.txt, so that no rule of a checker is lost whose lack
 * no other test shows.
 *
 *   refusals [MODEL]
 *   refusals --update >tests/golden/refusals.txt     renews the verdicts, deliberately */
#include <stdlib.h>
#include <string.h>

#include "pinion.h"
#include "support/golden.h"
#include "support/random.h"
#include "support/refusals.h"

/* LOGS: of each model. PARTS: of them with a line of their own. */
enum { LOGS = 250000, PARTS = 5 };

static void judge_model(golden *file, const random_check *model)
{
    uint32_t number = 0;
    for (int part = 0; part < PARTS; part++) {
        refusals told = {.verdicts = PN_MIX_START};
        refusals_collect(&told);
        for (; told.tried < LOGS / PARTS; number++) {
            pn_stream stream;
            pn_stream_init(&stream, 20131, number, 9);
            if (!model->instance(&stream, number, RANDOM_ALL_POLICIES))
                exit(1);
        }
        refusals_collect(NULL);
        golden_line(file, "%s, part %d: %llu logs, %llu refused, verdicts %016llx\n", model->name,
                    part, (unsigned long long)told.tried, (unsigned long long)told.refused,
                    (unsigned long long)told.verdicts);
    }
}

int main(int argc, char **argv)
{
    static const random_check *const models[] = {&random_slotted, &random_tandem, &random_makespan,
                                                 &random_cluster, &random_dag};
    golden file = golden_of("tests/golden/refusals.txt", argc, argv);
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (argc < 2 || file.update || strcmp(models[i]->name, argv[1]) == 0)
            judge_model(&file, models[i]);
    return file.differs ? 1 : 0;
}
