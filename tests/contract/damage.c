/* Every word of a block, one at a time, becomes every value at which something may change: either
 * validation refuses the block or everything may be done with it. tests/random/damage.c draws what
 * it damages; here nothing is left to chance, so that each condition of the validation is met. All
 * verdicts of the first runs are those of tests/golden/verdicts.txt, so that no check is lost whose
 * lack does no harm at once.
 *
 *   damage [RUNS [MODEL]]     RUNS: stopped runs of each model, whose blocks are damaged; golden:
 *                             those whose verdicts are in the file
 *   damage --update >tests/golden/verdicts.txt     renews the verdicts, deliberately */
#include "contract.h"
#include "support/damage.h"
#include "support/golden.h"

/* SIZE_MOST: bytes of blocks that are swept. PLACES_MOST: bytes of tables that are swept in full.
 * USED_OF: one of so many accepted blocks is used, since that takes longer than validation. WHOLE:
 * runs in which all values are tried, in the golden ones behind them one of TRIED_OF, limits among
 * them. */
enum {
    SIZE_MOST = 82000,
    PLACES_MOST = 8000,
    USED_OF = 512,
    RUNS = 1,
    WHOLE = 4,
    TRIED_OF = 6,
    GOLDEN_RUNS = 24,
    LINE = 100
};

typedef struct sweep {
    golden *file;
    const damage_model *model;
    size_t run;
    uint64_t verdicts; /* of the run, a hash */
    uint64_t drawn;    /* decides what is tried */
    damage_case at;
    unsigned char *copy;
    uint64_t tried, accepted, used;
} sweep;

static bool is_whole(const sweep *self)
{
    return self->run < WHOLE || self->run >= GOLDEN_RUNS;
}

/* Tries a value of `width` bytes at this place of the block. */
static void try_value(sweep *self, size_t place, size_t width, uint64_t value)
{
    const unsigned char *block = self->at.block;
    self->drawn = pn_mix(self->drawn, place);
    if (memcmp(self->copy + place, &value, width) == 0 ||
        (!is_whole(self) && self->drawn % TRIED_OF != 0))
        return;
    memcpy(self->copy + place, &value, width);
    self->tried++;
    bool sound = self->model->kernel()->validate(self->copy, self->at.size) == PN_OK;
    self->verdicts = pn_mix(self->verdicts, sound);
    if (sound && self->accepted++ % USED_OF == 0) {
        unsigned char *other = damage_copy(self->copy, self->at.size);
        self->model->use(&self->at, other);
        free(other);
        self->used++;
    }
    memcpy(self->copy + place, block + place, width);
}

/* Returns the number of this width at a place. */
static uint64_t number_at(const sweep *self, size_t place, size_t width)
{
    uint64_t number = 0;
    memcpy(&number, (const unsigned char *)self->at.block + place, width);
    return number;
}

/* Tries all values of a number: those of the table, those next to its own, those of the numbers
 * before and after it. Of a number that is 0, as most are where tables are not full, fewer. */
static void sweep_number(sweep *self, size_t place, size_t width)
{
    uint64_t own = number_at(self, place, width);
    for (uint64_t by = 1; by <= 4; by++) {
        try_value(self, place, width, own + by);
        try_value(self, place, width, own - by);
        if (own == 0 && place >= self->model->head)
            return;
        if (place >= by * width)
            try_value(self, place, width, number_at(self, place - by * width, width));
        if (place + (by + 1) * width <= self->at.size)
            try_value(self, place, width, number_at(self, place + by * width, width));
    }
    for (size_t i = 0; i < DAMAGE_WORDS; i++)
        if (width == 8 || damage_words[i] >> 8 * width == 0)
            try_value(self, place, width, damage_words[i]);
    for (size_t i = 0; i < 2 * DAMAGE_LIMITS && !is_whole(self); i++)
        if (width == 8 || damage_limits[i / 2] >> 8 * width == 0)
            try_value(self, place, width, damage_limits[i / 2] + i % 2);
}

/* Returns whether a run has this place swept: all of the model's struct, and in large tables, whose
 * entries are alike, some places that are other ones in every run. */
static bool is_swept(const sweep *self, size_t place, size_t width)
{
    size_t one_of = 1 + self->at.size / PLACES_MOST;
    return place < self->model->head || (place / width + self->run) % one_of == 0;
}

static void sweep_block(sweep *self)
{
    self->copy = damage_copy(self->at.block, self->at.size);
    for (size_t width = 1; width <= 8; width = width == 1 ? 4 : 2 * width)
        for (size_t place = 0; place + width <= self->at.size; place += width)
            if (is_swept(self, place, width) && (width > 1 || number_at(self, place, 1) != 0))
                sweep_number(self, place, width);
    free(self->copy);
}

static void sweep_run(sweep *self)
{
    uint64_t tried = self->tried, accepted = self->accepted;
    self->verdicts = PN_MIX_START;
    sweep_block(self);
    if (self->run < GOLDEN_RUNS)
        golden_line(
            self->file, "%s, run %zu: %llu blocks, %llu accepted, verdicts %016llx\n",
            self->model->kernel()->name, self->run, (unsigned long long)(self->tried - tried),
            (unsigned long long)(self->accepted - accepted), (unsigned long long)self->verdicts);
}

static void sweep_model(golden *file, const damage_model *model, uint64_t runs)
{
    sweep self = {.file = file, .model = model};
    for (uint32_t instance = 0; self.run < runs; instance++) {
        pn_stream stream;
        bool sound = true;
        self.at = (damage_case){0};
        pn_stream_init(&stream, 20131, instance, 9);
        model->make(&self.at, &stream, &sound);
        assert_true(sound);
        if (self.at.size <= SIZE_MOST) {
            sweep_run(&self);
            self.run++;
        }
        model->free(&self.at);
    }
    assert_true(self.used > 0 && self.accepted < self.tried);
}

int main(int argc, char **argv)
{
    golden file = golden_of("tests/golden/verdicts.txt", argc, argv);
    uint64_t runs = RUNS;
    if (argc > 1)
        runs = file.update || strcmp(argv[1], "golden") == 0 ? GOLDEN_RUNS
                                                             : strtoull(argv[1], NULL, 10);
    for (size_t i = 0; i < DAMAGE_MODELS; i++)
        if (argc < 3 || strcmp(damage_models[i]->kernel()->name, argv[2]) == 0)
            sweep_model(&file, damage_models[i], runs);
    return file.differs ? 1 : 0;
}
