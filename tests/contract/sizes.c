/* The bytes of a block, by each setting: those of a configuration with everything switched on, in
 * which one setting has another value. A table that grows without need is memory that hosts lack.
 *
 *   sizes                                   compares with tests/golden/sizes.txt
 *   sizes --update >tests/golden/sizes.txt  renews it, deliberately */
#include "contract.h"
#include "support/golden.h"

/* Sizes of a setting: those of the model's first case in words, all of them as a hash. */
typedef struct tally {
    char list[GOLDEN_LINE - 50];
    size_t length;
    uint64_t hash;
} tally;

/* Notes the sizes by some values of the setting; 0 where these do not go with the others. */
static void note_sizes(tally *self, const contract_model *model, const contract_case *of,
                       const pn_setting *setting, bool listed)
{
    static const uint64_t above[] = {0, 1, 2, 5, 64, 1000};
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        contract_case changed = *of;
        uint64_t value = setting->low + above[i];
        if (value > setting->high)
            break;
        contract_put(changed.config, setting, value);
        size_t size = model->kernel()->size(changed.config);
        self->hash = pn_mix(self->hash, size);
        if (listed)
            self->length += (size_t)snprintf(self->list + self->length,
                                             sizeof self->list - self->length, "%s %llu %zu",
                                             i > 0 ? "," : "", (unsigned long long)value, size);
    }
}

static void print_setting(golden *file, const contract_model *model, const pn_setting *setting)
{
    tally sizes = {.hash = PN_MIX_START};
    contract_case of;
    for (size_t index = 0; model->make(index, &of); index++) {
        note_sizes(&sizes, model, &of, setting, index == 0);
        model->drop(&of);
    }
    golden_line(file, "%s, %.*s:%s; of all cases %016llx\n", model->kernel()->name,
                (int)strcspn(setting->range, ":"), setting->range, sizes.list,
                (unsigned long long)sizes.hash);
}

int main(int argc, char **argv)
{
    golden file = golden_of("tests/golden/sizes.txt", argc, argv);
    for (size_t i = 0; contract_models[i]; i++) {
        const pn_setting *setting;
        for (size_t k = 0; (setting = contract_models[i]->kernel()->setting_at(k)); k++)
            print_setting(&file, contract_models[i], setting);
    }
    return file.differs ? 1 : 0;
}
