/* A host whose policy is a text in Lua, here examples/policies/patient.lua. It runs in a sandbox: a
 * mistake in it, or an endless loop, is a status and a message, never the end of the host.
 *   cc -Ikernel/include -Ilua/include examples/c/host_with_lua.c \
 *      build/libpinion-lua.a build/libpinion.a $(pkg-config --cflags --libs lua5.4) -lm \
 *      -o host_with_lua && ./host_with_lua examples/policies/patient.lua */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "pinion_lua.h"

static _Alignas(max_align_t) unsigned char block[65536];

static void report(void *user, const pn_slotted_finish *job)
{
    fprintf(user, "job %" PRIu64 " finished in slot %" PRIu64 ", flow time %" PRIu64 "\n", job->id,
            job->finish, job->flow_time);
}

static pn_lua_policy *load(const char *name)
{
    static char text[65536];
    char message[PN_LUA_MESSAGE_SIZE];
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        return NULL;
    }
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    pn_lua_policy *policy;
    if (pn_lua_policy_load(&policy, name, text, size, NULL, message, sizeof message) != PN_OK) {
        fprintf(stderr, "%s\n", message);
        return NULL;
    }
    return policy;
}

/* Four jobs, the first of them large, with this value of the policy's parameter. */
static int run(const pn_lua_policy *policy, double patience)
{
    static const uint64_t long_tasks[] = {9, 9, 9, 9}, short_tasks[] = {2, 2};
    double params[PN_PARAMS_MAX];
    pn_lua_policy_defaults(policy, params);
    if (pn_lua_policy_set(policy, params, "patience", patience) != PN_OK) {
        fprintf(stderr, "expected a policy with a parameter called patience\n");
        return 1;
    }
    pn_slotted_hooks hooks = {.policy = pn_lua_policy_slotted(policy),
                              .params = params,
                              .on_finish = report,
                              .user = stdout};
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = 4;
    config.jobs_max = 64;
    config.policy = hooks.policy; /* its memory is part of the block */

    pn_slotted *sim;
    if (pn_slotted_init(&sim, block, sizeof block, &config) != PN_OK)
        return 1;
    printf("with patience %g:\n", patience);
    for (uint64_t slot = 1; slot <= 4; slot++) {
        pn_slotted_job job = {
            .arrival = slot, .maps = 3, .reduces = short_tasks, .reduce_count = 2};
        if (slot == 1)
            job = (pn_slotted_job){
                .arrival = slot, .maps = 20, .reduces = long_tasks, .reduce_count = 4};
        if (pn_slotted_submit(sim, &job, NULL) != PN_OK)
            return 1;
    }
    int status = pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER);
    if (status == PN_ERR_POLICY)
        fprintf(stderr, "%s\n", pn_lua_policy_message(policy));
    return status == PN_DONE ? 0 : 1;
}

int main(int count, char **arguments)
{
    pn_lua_policy *policy = load(count > 1 ? arguments[1] : "examples/policies/patient.lua");
    if (!policy)
        return 1;
    int failed = run(policy, 0) || run(policy, 100);
    pn_lua_policy_free(policy);
    return failed;
}
