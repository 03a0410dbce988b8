/* The hash that ties a decision log to its scenario: what the models share. */
#include "hash.h"

#include <string.h>

#include "base/interrupt.h"

uint64_t hash_text(uint64_t hash, const char *text)
{
    size_t size = strlen(text);
    hash = pn_mix(hash, size);
    for (size_t i = 0; i < size; i++)
        hash = pn_mix(hash, (unsigned char)text[i]);
    return hash;
}

uint64_t hash_double(uint64_t hash, double value)
{
    uint64_t bits;
    value += 0.0;
    memcpy(&bits, &value, sizeof bits);
    return pn_mix(hash, bits);
}

/* Adds the names: attributes make a scenario another one; where there are none the hash is as it
 * was before jobs could have any. */
static uint64_t add_names(uint64_t hash, const source *work)
{
    for (uint32_t i = 0; i < work->attribute_count; i++) {
        hash = hash_text(hash, work->attribute_names[i]);
        for (uint32_t k = 0; work->labels && k < work->labels[i].count; k++)
            hash = hash_text(hash, work->labels[i].texts[k]);
    }
    return hash;
}

static uint64_t add_attributes(uint64_t hash, const source *work, const void *job)
{
    const double *attributes = source_attributes_of(work, job);
    for (uint32_t i = 0; i < work->attribute_count; i++)
        hash = hash_double(hash, attributes[i]);
    return hash;
}

/* Adds the mark of the first `jobs` jobs. When all places are taken, every other mark goes. */
static void add_mark(source_marks *all, uint64_t jobs, uint64_t hash)
{
    if (jobs % all->every != 0)
        return;
    if (all->count == SOURCE_MARKS_MAX) {
        all->count /= 2;
        all->every *= 2;
        for (uint32_t i = 0; i < all->count; i++)
            all->marks[i] = all->marks[2 * i + 1];
    }
    if (jobs % all->every == 0)
        all->marks[all->count++] = (uint32_t)(hash ^ hash >> 32);
}

/* Ends the marks; the last one is that of all jobs. */
static void end_marks(source_marks *all, uint64_t jobs, uint64_t hash)
{
    all->jobs = jobs;
    if (jobs % all->every != 0)
        all->marks[all->count++] = (uint32_t)(hash ^ hash >> 32);
}

int hash_each_job(uint64_t *hash, source *work, void *job,
                  uint64_t (*add)(uint64_t hash, const void *job))
{
    uint64_t h = add_names(*hash, work), mark = add_names(PN_MIX_START, work), count = 0;
    source_marks marks = {.every = 1};
    int answer;
    work->rewind(work);
    while ((answer = source_next(work, job)) == SOURCE_JOB) {
        if ((++count & 0xFFF) == 0 && interrupt_pending())
            return SOURCE_INTERRUPTED;
        h = add_attributes(add(h, job), work, job);
        mark = add_attributes(add(mark, job), work, job);
        add_mark(&marks, count, mark);
    }
    end_marks(&marks, count, mark);
    work->marks = marks;
    *hash = pn_mix(h, count);
    return answer;
}

int hash_scenario(uint64_t *hash, const hash_model *model, const hash_policy *policy, source *work)
{
    uint64_t h = hash_text(*hash, policy->name);
    for (uint8_t i = 0; i < policy->count; i++)
        h = model->param ? model->param(h, &policy->params[i], policy->values[i])
                         : hash_double(h, policy->values[i]);
    *hash = h;
    return model->jobs(hash, work);
}
