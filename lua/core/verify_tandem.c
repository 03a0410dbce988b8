/* Lines of the tandem model's decision logs, for its checker. */
#include <string.h>

#include "verify.h"
#include "workload/tandem.h"

typedef struct tandem_verify {
    verify verify;
    pn_tandem_claim claim;
    tandem_job_list jobs;
    pn_tandem_verifier *verifier;
    double end;
} tandem_verify;

/* A tandem_verify begins with its verify. */
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

/* The policy keeps a promise that it makes for its default parameters only when it has these. */
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

static int read_decision(verify *self, pn_tandem_decision *decision)
{
    static const char *const rates[] = {"time", "job", "map_rate", "shuffle_rate", NULL};
    static const char *const finish[] = {"time", "job", "finish", NULL};
    memset(decision, 0, sizeof *decision);
    decision->kind = verify_has(self, "finish") ? PN_TANDEM_FINISH : PN_TANDEM_RATES;
    if (!verify_fields(self, decision->kind == PN_TANDEM_FINISH ? finish : rates) ||
        !verify_number(self, "time", &decision->time) ||
        !verify_integer(self, "job", 1, &decision->id))
        return 0;
    if (decision->kind == PN_TANDEM_FINISH)
        return verify_true(self, "finish");
    return verify_number(self, "map_rate", &decision->map_rate) &&
           verify_number(self, "shuffle_rate", &decision->shuffle_rate);
}

static int feed_entry(verify *self)
{
    pn_tandem_decision decision;
    if (!read_decision(self, &decision))
        return 0;
    if (pn_tandem_verifier_feed(tandem(self)->verifier, &decision) != PN_OK)
        return reject_fault(self);
    self->decisions += decision.kind != PN_TANDEM_FINISH;
    return 1;
}

static int push_end(lua_State *L, verify *self)
{
    double *end = &tandem(self)->end;
    double until;
    if (!verify_number(self, "end", end))
        return 0;
    if (verify_has(self, "until")) {
        if (!verify_number(self, "until", &until))
            return 0;
        if (pn_tandem_verifier_stop(tandem(self)->verifier, until) != PN_OK)
            return reject_fault(self);
    }
    lua_pushnumber(L, *end);
    return 1;
}

static int finish(verify *self, uint64_t digest)
{
    return pn_tandem_verifier_end(tandem(self)->verifier, tandem(self)->end, digest) == PN_OK ||
           reject_fault(self);
}

static void free_jobs(verify *self)
{
    tandem_job_list_free(&tandem(self)->jobs);
}

/* { workload, speed, traditional, log, hash_of } */
static const char *const header[] = {"pinion_log", "model", "policy", "scenario",
                                     "params",     "lua",   NULL};
static const char *const last[] = {"end", "until", "digest", NULL};

const verify_model verify_tandem = {.size = sizeof(tandem_verify),
                                    .header = header,
                                    .choices = 1,
                                    .end = "time",
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
