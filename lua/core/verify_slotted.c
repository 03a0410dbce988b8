/* Lines of the slotted model's decision logs, for its checker. */
#include <string.h>

#include "verify.h"
#include "workload/slotted.h"

typedef struct slotted_verify {
    verify verify;
    pn_slotted_claim claim;
    job_list jobs;
    pn_slotted_verifier *verifier;
    uint64_t end;
} slotted_verify;

/* A slotted_verify begins with its verify. */
static slotted_verify *slotted(verify *self)
{
    return (slotted_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    pn_slotted_claim *claim = &slotted(self)->claim;
    claim->machines = field_setting(L, &core_slotted, "machines");
    claim->reduce = field_setting(L, &core_slotted, "reduce");
}

static int check_policy(lua_State *L, verify *self, const void *any)
{
    const pn_slotted_policy *policy = any;
    uint32_t relaxed = verify_has(self, "relaxed") ? 1 : 0;
    (void)L;
    if (policy)
        self->work_conserving = policy->work_conserving;
    slotted(self)->claim.relaxed = policy && policy->relaxed;
    if (relaxed && !verify_true(self, "relaxed"))
        return 0;
    if (relaxed != slotted(self)->claim.relaxed)
        return verify_reject(self,
                             relaxed ? "field \"relaxed\": policy %s is no relaxation"
                                     : "field \"relaxed\" is missing: policy %s is a relaxation",
                             verify_string(self, "policy"));
    return 1;
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int collect(verify *self)
{
    job_list *jobs = &slotted(self)->jobs;
    int answer = job_list_collect(jobs, self->work);
    self->jobs = jobs->count;
    return answer;
}

static size_t checker_size(verify *self)
{
    pn_slotted_claim *claim = &slotted(self)->claim;
    claim->work_conserving = self->work_conserving;
    claim->jobs = slotted(self)->jobs.jobs;
    claim->job_count = self->jobs;
    return pn_slotted_verifier_size(claim);
}

static int start(verify *self, size_t size)
{
    return pn_slotted_verifier_init(&slotted(self)->verifier, self->block, size,
                                    &slotted(self)->claim);
}

static int reject_fault(verify *self)
{
    uint64_t slot = 0, id = 0;
    const char *fault = pn_slotted_verifier_fault(slotted(self)->verifier, &slot, &id);
    if (id > 0)
        return verify_reject(self, "%s (slot %llu, job %llu)", fault, (unsigned long long)slot,
                             (unsigned long long)id);
    if (slot > 0)
        return verify_reject(self, "%s (slot %llu)", fault, (unsigned long long)slot);
    return verify_reject(self, "%s", fault);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* [3,4,5]: tasks are started in the order of their numbers. */
static int read_start(verify *self, pn_slotted_decision *decision)
{
    const json_t *tasks = json_object_get(self->entry, "start");
    json_int_t first = json_integer_value(json_array_get(tasks, 0)); /* 0 when it is no integer */
    decision->kind = PN_SLOTTED_START;
    decision->amount = json_array_size(tasks);
    if (decision->amount == 0 || first < 1 || first > UINT32_MAX)
        return verify_reject(self, "field \"start\": expected an array of task numbers");
    decision->first_task = (uint32_t)first;
    for (size_t i = 0; i < decision->amount; i++) {
        const json_t *task = json_array_get(tasks, i);
        if (!json_is_integer(task) || json_integer_value(task) != first + (json_int_t)i)
            return verify_reject(self,
                                 "field \"start\": expected task numbers one after the other");
    }
    return 1;
}

static int read_decision(verify *self, pn_slotted_decision *decision)
{
    static const char *const names[] = {"slot", "job", "map", "reduce", "start", "finish", NULL};
    int kinds = 0;
    memset(decision, 0, sizeof *decision);
    if (!verify_fields(self, names) || !verify_integer(self, "slot", 1, &decision->slot) ||
        !verify_integer(self, "job", 1, &decision->id))
        return 0;
    for (int i = 2; names[i]; i++)
        kinds += verify_has(self, names[i]);
    if (kinds != 1)
        return verify_reject(self, "expected one of \"map\", \"reduce\", \"start\", \"finish\"");
    if (verify_has(self, "start"))
        return read_start(self, decision);
    if (verify_has(self, "finish")) {
        decision->kind = PN_SLOTTED_FINISH;
        return verify_true(self, "finish");
    }
    decision->kind = verify_has(self, "map") ? PN_SLOTTED_MAP : PN_SLOTTED_REDUCE;
    return verify_integer(self, decision->kind == PN_SLOTTED_MAP ? "map" : "reduce", 1,
                          &decision->amount);
}

static int feed_entry(verify *self)
{
    pn_slotted_decision decision;
    if (!read_decision(self, &decision))
        return 0;
    if (pn_slotted_verifier_feed(slotted(self)->verifier, &decision) != PN_OK)
        return reject_fault(self);
    self->decisions += decision.kind != PN_SLOTTED_FINISH;
    return 1;
}

static int push_end(lua_State *L, verify *self)
{
    uint64_t *end = &slotted(self)->end;
    uint64_t until;
    if (!verify_integer(self, "end", 0, end))
        return 0;
    if (verify_has(self, "until")) {
        if (!verify_integer(self, "until", 1, &until))
            return 0;
        if (pn_slotted_verifier_stop(slotted(self)->verifier, until) != PN_OK)
            return reject_fault(self);
    }
    lua_pushinteger(L, (lua_Integer)*end);
    return 1;
}

static int finish(verify *self, uint64_t digest)
{
    return pn_slotted_verifier_end(slotted(self)->verifier, slotted(self)->end, digest) == PN_OK ||
           reject_fault(self);
}

static void free_jobs(verify *self)
{
    job_list_free(&slotted(self)->jobs);
}

/* { workload, machines, reduce, log, hash_of } */
static const char *const header[] = {"pinion_log", "model", "policy",  "scenario",
                                     "params",     "lua",   "relaxed", NULL};
static const char *const last[] = {"end", "until", "digest", NULL};

const verify_model verify_slotted = {.size = sizeof(slotted_verify),
                                     .header = header,
                                     .end = "slots",
                                     .read = read_settings,
                                     .policy = check_policy,
                                     .promise = verify_work_conserving,
                                     .collect = collect,
                                     .checker_size = checker_size,
                                     .start = start,
                                     .entry = feed_entry,
                                     .last = last,
                                     .push_end = push_end,
                                     .finish = finish,
                                     .free = free_jobs};
