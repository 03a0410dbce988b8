/* Faults of policies in Lua: what holds after one, and memory that is refused at any request. A
 * model brings how its simulations start. For tests with cmocka. */
#ifndef LUA_FAULTS_H
#define LUA_FAULTS_H

#include "slotted/support/script.h"

typedef struct fault_model {
    const pn_model *(*kernel)(void);
    /* a simulation that has its jobs, and room for the policy */
    void *(*start)(const struct fault_model *self, const pn_lua_policy *policy);
    /* the model's hooks with this policy, until the next call */
    const void *(*hooks)(const pn_lua_policy *policy, const double *params);
    /* one more call that runs a simulation, or null */
    int (*again)(void *sim, const void *hooks);
    const char *when; /* the model's word for the time in messages, and a space; null: none */
    const void *jobs; /* of the test */
    uint32_t mode;    /* of the test */
} fault_model;

static inline int fault_step(const fault_model *of, void *sim, const pn_lua_policy *policy,
                             const double *params)
{
    return of->kernel()->step(sim, of->hooks(policy, params));
}

static inline int fault_finish(const fault_model *of, void *sim, const pn_lua_policy *policy,
                               const double *params)
{
    return of->kernel()->finish(sim, of->hooks(policy, params));
}

/* Returns the digest of a whole run. */
static inline uint64_t fault_digest(const fault_model *of, const pn_lua_policy *policy,
                                    const double *params)
{
    void *sim = of->start(of, policy);
    assert_int_equal(fault_finish(of, sim, policy, params), PN_DONE);
    uint64_t digest = of->kernel()->digest(sim);
    free(sim);
    return digest;
}

/* ---- a fault ---- */

/* A simulation that runs step by step beside the failing one, of another policy or of its own. */
typedef struct fault_neighbour {
    const pn_lua_policy *policy;
    void *sim;
    uint64_t digest;
    int status;
} fault_neighbour;

static inline fault_neighbour fault_settle(const fault_model *of, const pn_lua_policy *policy)
{
    return (fault_neighbour){
        .policy = policy, .sim = of->start(of, policy), .digest = fault_digest(of, policy, NULL)};
}

static inline void fault_live_on(const fault_model *of, fault_neighbour *n)
{
    if (n->status == PN_OK)
        n->status = fault_step(of, n->sim, n->policy, NULL);
    assert_in_range(n->status, PN_OK, PN_DONE);
}

static inline void fault_check_undisturbed(const fault_model *of, fault_neighbour *n)
{
    while (n->status == PN_OK)
        fault_live_on(of, n);
    assert_int_equal(of->kernel()->digest(n->sim), n->digest);
    free(n->sim);
}

static inline void fault_check_message(const fault_model *of, const char *message, const char *word,
                                       bool names_job)
{
    char fault[64];
    snprintf(fault, sizeof fault, "fault in %s", word);
    if (strncmp(message, FILE_NAME ":", strlen(FILE_NAME ":")) != 0 || !strstr(message, of->when) ||
        !strstr(message, fault) || (names_job && !strstr(message, ": job ")))
        fail_msg("'%s' in %s", message, word);
}

/* After a failure: every further call says so, nothing moves, the message stays. */
static inline void fault_check_over(const fault_model *of, void *sim, const pn_lua_policy *policy,
                                    const double *params)
{
    enum { TOTALS_MOST = 1024 };
    char message[PN_LUA_MESSAGE_SIZE];
    unsigned char totals[TOTALS_MOST], now[TOTALS_MOST];
    uint64_t digest = of->kernel()->digest(sim);
    assert_true(of->kernel()->totals_size <= TOTALS_MOST);
    snprintf(message, sizeof message, "%s", pn_lua_policy_message(policy));
    of->kernel()->totals(sim, totals);
    assert_int_equal(fault_step(of, sim, policy, params), PN_ERR_POLICY);
    assert_int_equal(fault_finish(of, sim, policy, params), PN_ERR_POLICY);
    if (of->again)
        assert_int_equal(of->again(sim, of->hooks(policy, params)), PN_ERR_POLICY);
    of->kernel()->totals(sim, now);
    assert_memory_equal(now, totals, of->kernel()->totals_size);
    assert_int_equal(of->kernel()->digest(sim), digest);
    assert_string_equal(pn_lua_policy_message(policy), message);
}

/* Runs a text that fails in the function `word` beside runs of the same text, without parameters,
 * and of another one. False when it never came to the fault. */
static inline bool fault_run(const fault_model *of, const char *text, const char *unlike,
                             const double *params, const char *word, bool names_job)
{
    pn_lua_policy *policy = load(text), *other = load(unlike);
    fault_neighbour near[] = {fault_settle(of, policy), fault_settle(of, other)};
    void *sim = of->start(of, policy);
    int status = PN_OK;
    while (status == PN_OK) {
        status = fault_step(of, sim, policy, params);
        fault_live_on(of, &near[0]);
        fault_live_on(of, &near[1]);
    }
    if (status == PN_ERR_POLICY) {
        fault_check_message(of, pn_lua_policy_message(policy), word, names_job);
        fault_check_over(of, sim, policy, params);
    } else {
        assert_int_equal(status, PN_DONE);
    }
    fault_check_undisturbed(of, &near[0]);
    fault_check_undisturbed(of, &near[1]);
    free(sim);
    pn_lua_policy_free(policy);
    pn_lua_policy_free(other);
    return status == PN_ERR_POLICY;
}

/* ---- memory ---- */

/* Loads and runs with what `own` lends; true when all went well. Whatever happens, all is given
 * back. */
static inline bool fault_go_hungry(const fault_model *of, const char *text, const double *params,
                                   lender *own, uint64_t digest)
{
    pn_lua_options options = pn_lua_defaults();
    char message[PN_LUA_MESSAGE_SIZE];
    pn_lua_policy *policy = NULL;
    options.allocate = lend;
    options.user = own;
    int status = pn_lua_policy_load(&policy, FILE_NAME, text, strlen(text), &options, message,
                                    sizeof message);
    if (status != PN_OK) {
        assert_null(policy);
        assert_true(status == PN_ERR_SIZE || status == PN_ERR_POLICY);
        assert_string_equal(message, status == PN_ERR_SIZE ? "not enough memory for a Lua state"
                                                           : FILE_NAME ": not enough memory");
    } else {
        void *sim = of->start(of, policy);
        status = fault_finish(of, sim, policy, params);
        const char *said = pn_lua_policy_message(policy), *refused = "not enough memory";
        size_t at = strlen(FILE_NAME ": ");
        if (status == PN_DONE)
            assert_int_equal(of->kernel()->digest(sim), digest);
        else if (status != PN_ERR_POLICY || strncmp(said, FILE_NAME ": ", at) != 0 ||
                 !(of->when ? strstr(said, refused) != NULL : strcmp(said + at, refused) == 0))
            fail_msg("%s: '%s'", pn_status_name(status), said);
        free(sim);
    }
    pn_lua_policy_free(policy);
    assert_int_equal(own->blocks, 0);
    assert_int_equal(own->lent, 0);
    return status == PN_DONE;
}

/* Refuses each request once, when the garbage collector may find what is missing, and from then on,
 * when it cannot. */
static inline void fault_refuse_memory(const fault_model *of, const char *text,
                                       const double *params)
{
    lender all = {.refuse_at = UINT64_MAX};
    pn_lua_policy *policy = load(text);
    uint64_t digest = fault_digest(of, policy, params);
    pn_lua_policy_free(policy);
    assert_true(fault_go_hungry(of, text, params, &all, digest));
    assert_true(all.requests > 500);
    for (uint64_t at = 1; at <= all.requests; at++) {
        lender once = {.refuse_at = at}, for_good = {.refuse_at = at, .for_good = true};
        fault_go_hungry(of, text, params, &once, digest);
        assert_false(fault_go_hungry(of, text, params, &for_good, digest));
    }
}

/* ---- without end ---- */

/* A run of this text with a statement in the function `where` has ended with this status: the
 * message begins with file, line 2 unless it is about memory, and time or job. */
static inline void fault_check_statement(const fault_model *of, pn_lua_policy *policy, int status,
                                         const char *text, bool names_job, const char *message)
{
    char begin[64];
    const char *said = pn_lua_policy_message(policy);
    /* where memory is refused, no line is known */
    bool no_line = strstr(message, "needs more") || strstr(message, "makes a string");
    snprintf(begin, sizeof begin, FILE_NAME ":%s %s",
             no_line ? "" : "2:", names_job ? "job " : of->when);
    if (status != PN_ERR_POLICY || strncmp(said, begin, strlen(begin)) != 0 ||
        !strstr(said, message))
        fail_msg("%s '%s', want '%s… %s'\n%s", pn_status_name(status), said, begin, message, text);
    pn_lua_policy_free(policy);
}

#endif
