/* Damaged blocks: whatever the bytes of a block are changed to, either its validation refuses it or
 * everything may be done with it: no sanitizer finds anything, no assert fails, nothing runs for
 * ever. And no sound block is refused.
 *
 *   random_damage [SECONDS [COUNT [SEED[:FIRST] [MODEL]]]]     COUNT damaged blocks in all
 *
 * Each instance is a run that stopped somewhere, and many blocks damaged from it. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <unistd.h>

#include "support/damage.h"
#include "support/random.h"

enum { MUTANTS = 100 };

typedef struct tally {
    const char *only; /* a model, or null */
    uint64_t mutants, accepted;
} tally;

/* What replays the instance at hand, for when it ends the program. */
static char replay[200];

static void die(int signal_number)
{
    ssize_t written = write(STDERR_FILENO, replay, strlen(replay));
    (void)written;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
static void die_sanitized(void)
{
    ssize_t written = write(STDERR_FILENO, replay, strlen(replay));
    (void)written;
}
#endif

static uint64_t interesting(pn_stream *stream, uint64_t old)
{
    uint64_t kind = pn_uniform(stream, 0, 9);
    if (kind < 4)
        return damage_words[pn_uniform(stream, 0, DAMAGE_WORDS - 1)];
    if (kind == 4)
        return pn_random64(stream);
    if (kind == 5)
        return old ^ (uint64_t)1 << pn_uniform(stream, 0, 63);
    if (kind == 6)
        return pn_uniform(stream, 0, 70);
    return kind < 9 ? old + pn_uniform(stream, 0, 8) - 4 : ~old;
}

/* A place in the block: often in the model's struct, and more often where there is something at
 * all. */
static size_t somewhere(pn_stream *stream, const damage_model *model, const unsigned char *block,
                        size_t size, size_t width)
{
    size_t at = 0;
    for (int tries = 0; tries < 4; tries++) {
        size_t most = pn_uniform(stream, 0, 2) == 0 && model->head < size ? model->head : size;
        at = (size_t)pn_uniform(stream, 0, most / width - 1) * width;
        for (size_t i = 0; i < width; i++)
            if (block[at + i] != 0)
                return at;
    }
    return at;
}

static void damage(pn_stream *stream, const damage_model *model, unsigned char *block, size_t size)
{
    size_t width = (size_t)1 << pn_uniform(stream, 0, 3);
    size_t at = somewhere(stream, model, block, size, width);
    uint64_t word = 0;
    if (pn_uniform(stream, 0, 5) == 0) { /* something that stands elsewhere */
        memmove(block + at, block + somewhere(stream, model, block, size, width), width);
        return;
    }
    memcpy(&word, block + at, width); /* the low bytes where those come first */
    word = interesting(stream, word);
    memcpy(block + at, &word, width);
}

static void mutants(tally *self, const damage_model *model, pn_stream *stream,
                    const damage_case *at)
{
    for (int i = 0; i < MUTANTS; i++) {
        unsigned char *copy = damage_copy(at->block, at->size);
        uint64_t changes = pn_uniform(stream, 0, 2) > 0 ? 1 : pn_uniform(stream, 2, 5);
        for (uint64_t k = 0; k < changes; k++)
            damage(stream, model, copy, at->size);
        self->mutants++;
        alarm(20); /* SIGALRM ends what would run for ever */
        if (model->kernel()->validate(copy, at->size) == PN_OK) {
            self->accepted++;
            model->use(at, copy);
        }
        free(copy);
    }
    alarm(0);
}

static bool check(void *user, uint64_t seed, uint32_t instance)
{
    tally *self = user;
    pn_stream stream;
    damage_case at = {0};
    bool sound = true;
    pn_stream_init(&stream, seed, instance, 9);
    const damage_model *model = damage_models[pn_uniform(&stream, 0, DAMAGE_MODELS - 1)];
    for (size_t i = 0; self->only && i < DAMAGE_MODELS; i++)
        if (strcmp(damage_models[i]->kernel()->name, self->only) == 0)
            model = damage_models[i];
    snprintf(replay, sizeof replay, "%s: replay with: build/tests/random/damage 0 1 %llu:%lu %s\n",
             model->kernel()->name, (unsigned long long)seed, (unsigned long)instance,
             self->only ? self->only : "");
    model->make(&at, &stream, &sound);
    if (!sound)
        fprintf(stderr, "a sound block was refused: %s", replay);
    else
        mutants(self, model, &stream, &at);
    model->free(&at);
    return sound;
}

int main(int argc, char **argv)
{
    random_plan plan = random_read(argc, argv);
    tally self = {.only = argc > 4 ? argv[4] : NULL};
    struct sigaction action = {.sa_handler = die};
    sigaction(SIGABRT, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(die_sanitized);
#endif
    plan.count = (plan.count + MUTANTS - 1) / MUTANTS;
    bool good = random_run(&plan, check, &self);
    printf("seed %llu: %llu damaged blocks, %llu of them accepted and used\n",
           (unsigned long long)plan.seed, (unsigned long long)self.mutants,
           (unsigned long long)self.accepted);
    return good ? 0 : 1;
}
