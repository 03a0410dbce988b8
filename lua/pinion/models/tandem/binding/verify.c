/* Lines of the tandem model's decision logs, for its checker. */
#include "pinion/models/tandem/run/log.h"
#include "core/verify.h"
#include "pinion/models/tandem/sources/jobs.h"

typedef struct tandem_verify {
    verify verify;
    pn_tandem_claim claim;
    tandem_job_list jobs;
    pn_tandem_verifier *verifier;
} tandem_verify;

/* Returns the tandem_verify that begins with this verify. */
static tandem_verify *tandem(verify *self)
{
    return (tandem_verify *)self;
}

/* ---- the first line -------------------------------------------------------------------------- */

static void read_settings(lua_State *L, verify *self)
{
    pn_tandem_claim *claim = &tandem(self)->claim;
    claim->speed = field_number(L, 1, "speed");
    claim->traditional = (uint32_t)field_boolean(L, 1, "traditional");
}

/* Returns whether the parameters are the defaults: the policy keeps a promise that it makes for its
 * default parameters only when it has these. */
static int has_defaults(const pn_tandem_policy *policy, const double *params)
{
    for (uint8_t i = 0; i < policy->param_count; i++)
        if (params[i] != policy->params[i].value)
            return 0;
    return 1;
}

static int check_policy(lua_State *L, verify *self, const void *any)
{
    const pn_tandem_policy *policy = any;
    double params[PN_PARAMS_MAX];
    if (!policy)
        return 1;
    if (!verify_params(L, self, policy, params))
        return 0;
    self->work_conserving = policy->work_conserving == PN_TANDEM_WORK_CONSERVING ||
                            (policy->work_conserving == PN_TANDEM_WORK_CONSERVING_BY_DEFAULT &&
                             has_defaults(policy, params));
    return 1;
}

static void write_settings(run_log *log, const verify *self)
{
    const pn_tandem_claim *claim = &((const tandem_verify *)self)->claim;
    tandem_log_settings(log, claim->speed, claim->traditional);
}

/* ---- the checker ----------------------------------------------------------------------------- */

static int collect(verify *self)
{
    tandem_job_list *jobs = &tandem(self)->jobs;
    int answer = tandem_job_list_collect(jobs, self->work);
    self->jobs = jobs->count;
    return answer;
}

static size_t checker_size(verify *self)
{
    pn_tandem_claim *claim = &tandem(self)->claim;
    claim->work_conserving = self->work_conserving;
    claim->jobs = tandem(self)->jobs.jobs;
    claim->job_count = self->jobs;
    return pn_tandem_verifier_size(claim);
}

static int start(verify *self, size_t size)
{
    return pn_tandem_verifier_init(&tandem(self)->verifier, self->block, size,
                                   &tandem(self)->claim);
}

static int reject_fault(verify *self)
{
    double time = 0.0;
    uint64_t id = 0;
    const char *fault = pn_tandem_verifier_fault(tandem(self)->verifier, &time, &id);
    if (id > 0)
        return verify_reject(self, "%s (time %.17g, job %llu)", fault, time,
                             (unsigned long long)id);
    return verify_reject(self, "%s (time %.17g)", fault, time);
}

/* ---- entries --------------------------------------------------------------------------------- */

static int feed_entry(verify *self)
{
    pn_tandem_decision decision = {.kind = self->reader.event.number};
    log_store(&self->reader.event, &decision);
    if (pn_tandem_verifier_feed(tandem(self)->verifier, &decision) != PN_OK)
        return reject_fault(self);
    self->decisions += decision.kind != PN_TANDEM_FINISH;
    return 1;
}

static int end(lua_State *L, verify *self)
{
    pn_tandem_verifier *verifier = tandem(self)->verifier;
    tandem_log_last last;
    log_store(&self->reader.event, &last);
    self->digest = last.digest;
    lua_pushnumber(L, last.end);
    if ((last.until > 0.0 && pn_tandem_verifier_stop(verifier, last.until) != PN_OK) ||
        pn_tandem_verifier_end(verifier, last.end, last.digest) != PN_OK)
        return reject_fault(self);
    return 1;
}

static void free_jobs(verify *self)
{
    tandem_job_list_free(&tandem(self)->jobs);
}

/* { workload, speed, traditional, log, hash_of } */
static const char *const header[] = {"pinion_log", "model",    "policy", "scenario", "params",
                                     "lua",        "settings", "jobs",   NULL};

const verify_model verify_tandem = {.size = sizeof(tandem_verify),
                                    .kinds = &tandem_log_kinds,
                                    .header = header,
                                    .choices = 1,
                                    .end = "time",
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
