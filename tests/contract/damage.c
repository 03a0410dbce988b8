/* Every word of a block, one at a time, becomes every value at which something may change: either
 * validation refuses the block or everything may be done with it. tests/random/damage.c draws what
 * it damages; here nothing is left to chance, so that each condition of the validation is met.
 *
 *   damage [RUNS [MODEL]]     RUNS: stopped runs of each model, whose blocks are damaged */
#include "contract.h"
#include "support/damage.h"

/* SIZE_MOST: bytes of blocks that are swept. PLACES_MOST: bytes of tables that are swept in full.
 * USED_OF: one of so many accepted blocks is used, since that takes longer than validation. */
enum { SIZE_MOST = 82000, PLACES_MOST = 8000, USED_OF = 512, RUNS = 1 };

typedef struct sweep {
    const damage_model *model;
    size_t run;
    damage_case at;
    unsigned char *copy;
    uint64_t tried, accepted, used;
} sweep;

/* Tries a value of `width` bytes at this place of the block. */
static void try_value(sweep *self, size_t place, size_t width, uint64_t value)
{
    const unsigned char *block = self->at.block;
    if (memcmp(self->copy + place, &value, width) == 0)
        return;
    memcpy(self->copy + place, &value, width);
    self->tried++;
    if (self->model->kernel()->validate(self->copy, self->at.size) == PN_OK &&
        self->accepted++ % USED_OF == 0) {
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

static void sweep_model(const damage_model *model, uint64_t runs)
{
    sweep self = {.model = model};
    for (uint32_t instance = 0; self.run < runs; instance++) {
        pn_stream stream;
        bool sound = true;
        self.at = (damage_case){0};
        pn_stream_init(&stream, 20131, instance, 9);
        model->make(&self.at, &stream, &sound);
        assert_true(sound);
        if (self.at.size <= SIZE_MOST) {
            sweep_block(&self);
            self.run++;
        }
        model->free(&self.at);
    }
    assert_true(self.used > 0 && self.accepted < self.tried);
    printf("%s: %llu blocks, %llu of them accepted, %llu of these used\n", model->kernel()->name,
           (unsigned long long)self.tried, (unsigned long long)self.accepted,
           (unsigned long long)self.used);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : RUNS;
    for (size_t i = 0; i < DAMAGE_MODELS; i++)
        if (argc < 3 || strcmp(damage_models[i]->kernel()->name, argv[2]) == 0)
            sweep_model(damage_models[i], runs);
    return 0;
}
