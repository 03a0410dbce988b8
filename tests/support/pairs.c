/* See pairs.h. */
#include "support/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

/* ---- reading them ---- */

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 4096, count = 0;
    char *text = malloc(room + 1);
    while (text && (count += fread(text + count, 1, room - count, file)) == room)
        text = realloc(text, (room *= 2) + 1);
    fclose(file);
    if (!text)
        abort();
    text[count] = '\0';
    *size = count;
    return text;
}

pair *pairs_add(pairs *all, const char *folder, const char *file, pair rule)
{
    if (all->count == PAIRS_MAX)
        abort();
    pair *made = &all->list[all->count++];
    *made = rule;
    size_t start = (size_t)snprintf(made->path, sizeof made->path, "%s/", folder);
    snprintf(made->path + start, sizeof made->path - start, "%s.lua", file);
    for (char *c = made->path + start; *c; c++)
        *c = *c == '-' ? '_' : *c;
    made->text = read_file(made->path, &made->size);
    if (!made->text) {
        printf("\nFAILED: %s cannot be read: every policy has its twin in Lua\n", made->path);
        exit(1);
    }
    return made;
}

void pairs_free(pairs *all)
{
    for (int i = 0; i < all->count; i++)
        free(all->list[i].text);
    all->count = 0;
}

pn_lua_policy *pair_load(const pair *of, const pn_lua_options *options)
{
    static const char *const attributes[] = {"deadline", "weight"}; /* where jobs have any */
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    int status = pn_lua_policy_load(&policy, of->path, of->text, of->size, options, message,
                                    sizeof message);
    if (status == PN_OK && pn_lua_policy_attributes(policy, attributes, 2) == PN_OK)
        return policy;
    printf("\nFAILED: %s: %s\n", pn_status_name(status), message);
    exit(1);
}

/* ---- parameters ---- */

/* Returns the script's parameter of this name, whose range may be narrower than that in C. */
static const pn_param *find_param(const pair *of, const pn_lua_policy *script, const char *name)
{
    for (uint32_t i = 0; pn_lua_policy_param(script, i); i++)
        if (strcmp(pn_lua_policy_param(script, i)->name, name) == 0)
            return pn_lua_policy_param(script, i);
    printf("\nFAILED: %s has no parameter %s\n", of->path, name);
    exit(1);
}

static void set(const pair *of, const pn_lua_policy *script, uint32_t index, double value,
                pair_params *made)
{
    made->native[index] = value;
    if (pn_lua_policy_set(script, made->script, of->params[index].name, value) != PN_OK) {
        printf("\nFAILED: %s does not take %s = %.17g\n", of->path, of->params[index].name, value);
        exit(1);
    }
}

void pair_draw(const pair *of, const pn_lua_policy *script, pn_stream *stream,
               double (*draw)(const pn_param *param, pn_stream *stream), pair_params *drawn)
{
    double values[PN_PARAMS_MAX];
    for (uint32_t i = 0; i < of->param_count; i++)
        values[i] = draw(find_param(of, script, of->params[i].name), stream);
    bool given = of->param_count > 0 && pn_uniform(stream, 0, 4) > 0;
    pn_lua_policy_defaults(script, drawn->script);
    for (uint32_t i = 0; i < of->param_count; i++)
        set(of, script, i, given ? values[i] : of->params[i].value, drawn);
    drawn->given_native = given ? drawn->native : NULL;
    drawn->given_script = given ? drawn->script : NULL;
}

/* ---- programs ---- */

enum { FRESH_EVERY = 32 };

/* What a program works on. */
typedef struct work {
    const pair_check *check;
    side sides[PAIRS_MAX];
    int count;
    unsigned long instances;
} work;

static unsigned long loads;
static uint64_t budget;

static void load(side *s, unsigned which)
{
    pn_lua_options options = pn_lua_defaults();
    options.budget = which == 0 ? 0 : budget; /* it changes nothing */
    options.compile = which == 0 ? PN_LUA_COMPARED : PN_LUA_COMPILED;
    pn_lua_policy_free(s->scripts[which]);
    s->scripts[which] = pair_load(s->of, &options);
    loads++;
}

const pn_lua_policy *side_relieve(side *s)
{
    s->turn = (s->turn + 1) % PAIR_STATES;
    if (s->fresh)
        load(s, s->turn);
    return s->scripts[s->turn];
}

bool side_fail(const side *s, const double *params, const char *what)
{
    printf("\nFAILED: %s (%s", what, s->of->path);
    for (uint32_t i = 0; i < s->of->param_count; i++)
        printf(", %s = %.17g", s->of->params[i].name, params ? params[i] : s->of->params[i].value);
    printf(")\n");
    for (int i = 0; i < PAIR_STATES; i++)
        if (pn_lua_policy_message(s->scripts[i])[0] != '\0')
            printf("  %s\n", pn_lua_policy_message(s->scripts[i]));
    return false;
}

static bool check_instance(void *user, uint64_t seed, uint32_t number)
{
    work *self = user;
    pn_stream stream;
    pn_stream_init(&stream, seed, number, 2);
    for (int i = 0; i < self->count; i++)
        self->sides[i].fresh = (number + (uint32_t)i) % FRESH_EVERY == 0;
    self->instances++;
    return self->check->instance(self->sides, self->count, &stream, number);
}

int pairs_main(int argc, char **argv, const pair_check *check)
{
    random_plan plan = random_read(argc, argv);
    static pairs all;
    static work self;
    check->read(&all);
    self.check = check;
    budget = check->budget;
    self.count = all.count;
    for (int i = 0; i < all.count; i++) {
        self.sides[i].of = &all.list[i];
        for (unsigned k = 0; k < PAIR_STATES; k++)
            load(&self.sides[i], k);
    }
    bool good = random_run(&plan, check_instance, &self);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k < PAIR_STATES; k++)
            pn_lua_policy_free(self.sides[i].scripts[k]);
    pairs_free(&all);
    if (!good)
        return 1;
    printf("random_%s_twins: seed %llu: %lu instances, %d policies in C and Lua, %lu states "
           "loaded: ",
           check->model, (unsigned long long)plan.seed, self.instances, self.count, loads);
    check->report();
    return 0;
}
