/* Lines of the slotted model's decision logs, for its checker. */
#include "pinion/models/slotted/run/log.h"
#include "core/verify.h"
#include "pinion/models/slotted/sources/jobs.h"

typedef struct slotted_verify {
    verify verify;
    pn_slotted_claim claim;
    job_list jobs;
    pn_slotted_verifier *verifier;
} slotted_verify;

/* Returns the slotted_verify that begins with this verify. */
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
    double params[PN_PARAMS_MAX];
    if (policy && !verify_params(L, self, policy, params))
        return 0;
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

static void write_settings(run_log *log, const verify *self)
{
    const pn_slotted_claim *claim = &((const slotted_verify *)self)->claim;
    const pn_slotted_config config = {.machines = claim->machines, .reduce = claim->reduce};
    slotted_log_settings(log, &config);
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

static int feed_entry(verify *self)
{
    pn_slotted_decision decision = {.kind = self->reader.event.number};
    log_store(&self->reader.event, &decision);
    if (pn_slotted_verifier_feed(slotted(self)->verifier, &decision) != PN_OK)
        return reject_fault(self);
    self->decisions += decision.kind != PN_SLOTTED_FINISH;
    return 1;
}

static int end(lua_State *L, verify *self)
{
    pn_slotted_verifier *verifier = slotted(self)->verifier;
    slotted_log_last last;
    log_store(&self->reader.event, &last);
    self->digest = last.digest;
    lua_pushinteger(L, (lua_Integer)last.end);
    if ((last.until > 0 && pn_slotted_verifier_stop(verifier, last.until) != PN_OK) ||
        pn_slotted_verifier_end(verifier, last.end, last.digest) != PN_OK)
        return reject_fault(self);
    return 1;
}

static void free_jobs(verify *self)
{
    job_list_free(&slotted(self)->jobs);
}

/* { workload, machines, reduce, log, hash_of } */
static const char *const header[] = {"pinion_log", "model",   "policy",   "scenario", "params",
                                     "lua",        "relaxed", "settings", "jobs",     NULL};

const verify_model verify_slotted = {.size = sizeof(slotted_verify),
                                     .kinds = &slotted_log_kinds,
                                     .header = header,
                                     .end = "slots",
                                     .read = read_settings,
                                     .policy = check_policy,
                                     .promise = verify_work_conserving,
                                     .write_settings = write_settings,
                                     .collect = collect,
                                     .checker_size = checker_size,
                                     .start = start,
                                     .entry = feed_entry,
                                     .last = end,
                                     .free = free_jobs};
