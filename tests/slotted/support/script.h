/* What the tests of policies in Lua share: loading a text that must load, and one small workload to
 * run it on. For tests with cmocka. */
#ifndef LUA_POLICY_H
#define LUA_POLICY_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "slotted/support/pairs.h"
#include "workload.h"

#define FILE_NAME "mine.lua"

static inline pn_lua_policy *load_with(const char *text, const pn_lua_options *options)
{
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy;
    if (pn_lua_policy_load(&policy, FILE_NAME, text, strlen(text), options, message,
                           sizeof message) != PN_OK)
        fail_msg("%s\n%s", message, text);
    assert_string_equal(message, "");
    assert_string_equal(pn_lua_policy_message(policy), "");
    return policy;
}

static inline pn_lua_policy *load(const char *text)
{
    return load_with(text, NULL);
}

/* A text that must not load, with this message. */
static inline void check_refused(const char *text, size_t size, const char *message)
{
    char got[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy = (pn_lua_policy *)(uintptr_t)1;
    int status = pn_lua_policy_load(&policy, FILE_NAME, text, size, NULL, got, sizeof got);
    if (status != PN_ERR_POLICY || strcmp(got, message) != 0)
        fail_msg("%s: '%s'\nwant '%s'\nof %s", pn_status_name(status), got, message, text);
    assert_null(policy);
}

/* What policies print, a line each; and where that goes: pn_lua_options.print with `user` = such
 * lines. */
typedef struct lines {
    char text[4096];
    size_t size;
} lines;

static inline void keep_line(void *user, const char *line)
{
    lines *kept = user;
    assert_in_range(kept->size, 0, sizeof kept->text - 200);
    kept->size += (size_t)snprintf(kept->text + kept->size, 200, "%s\n", line);
}

/* An allocator that refuses its request number `refuse_at`, or all from there on, and knows what is
 * out. */
typedef struct lender {
    uint64_t requests, refuse_at;
    bool for_good;
    size_t lent;
    uint64_t blocks;
} lender;

static inline void *lend(void *user, void *block, size_t old_size, size_t new_size)
{
    lender *own = user;
    if (new_size == 0) {
        own->blocks -= block != NULL;
        own->lent -= block ? old_size : 0;
        free(block);
        return NULL;
    }
    bool grows = !block || new_size > old_size; /* shrinking never fails: Lua relies on it */
    if (grows && ++own->requests >= own->refuse_at &&
        (own->for_good || own->requests == own->refuse_at))
        return NULL;
    own->blocks += block == NULL;
    own->lent += new_size - (block ? old_size : 0);
    void *moved = malloc(new_size); /* always another address */
    if (!moved)
        abort();
    if (block)
        memcpy(moved, block, old_size < new_size ? old_size : new_size);
    free(block);
    return moved;
}

/* Three jobs on four machines: in slot 1 job 1 offers three maps, job 2 one reduce; job 3 comes in
 * slot 3. */
enum { FEW_MACHINES = 4, FEW_JOBS = 3 };

static inline pn_slotted *few_jobs(const pn_slotted_policy *policy, uint32_t reduce)
{
    static const uint64_t pair_of_tasks[] = {2, 2}, task[] = {1};
    static const pn_slotted_job jobs[FEW_JOBS] = {
        {.arrival = 1, .maps = 3, .reduces = pair_of_tasks, .reduce_count = 2},
        {.arrival = 1, .maps = 0, .reduces = task, .reduce_count = 1},
        {.arrival = 3, .maps = 2},
    };
    slotted_workload work = {FEW_JOBS, NULL, NULL};
    pn_slotted_config config = slotted_config(&work, FEW_MACHINES, reduce);
    config.policy = policy;
    pn_slotted *sim = slotted_sim(&config);
    for (size_t i = 0; i < FEW_JOBS; i++)
        assert_int_equal(pn_slotted_submit(sim, &jobs[i], NULL), PN_OK);
    return sim;
}

/* Runs the few jobs; the status in which it ends. */
static inline int run_few(const pn_lua_policy *policy, uint32_t reduce, const double *params)
{
    const pn_slotted_policy *table = pn_lua_policy_slotted(policy);
    pn_slotted *sim = few_jobs(table, reduce);
    int status = pn_slotted_run(sim, &(pn_slotted_hooks){.policy = table, .params = params}, 100);
    free(sim);
    return status;
}

/* Whether the policy gives up over the few jobs, and says this; prints what it says instead. */
static inline bool gives_up(const char *text, const pn_lua_options *options, const char *message)
{
    pn_lua_policy *policy = load_with(text, options);
    int status = run_few(policy, PN_SLOTTED_NONPREEMPTIVE, NULL);
    bool good = status == PN_ERR_POLICY && strcmp(pn_lua_policy_message(policy), message) == 0;
    if (!good)
        print_error("%s: '%s'\nwant '%s'\nof %s\n", pn_status_name(status),
                    pn_lua_policy_message(policy), message, text);
    pn_lua_policy_free(policy);
    return good;
}

#endif
