/* The view `s` of a policy that admits jobs: what is known of their tasks and finishes, what it may
 * agree on in `admit`, and slots that it keeps from a job. */
#include "policy.h"
#include "policy/view.h"
#include "sandbox/internal.h"

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns an integer in 1..`most`, which `shown` writes. */
static uint64_t range_at(lua_State *L, int argument, uint32_t job, uint64_t most, const char *shown)
{
    int integer;
    lua_Integer value = lua_tointegerx(L, argument, &integer);
    if (!integer || lua_type(L, argument) != LUA_TNUMBER || value < 1 || (uint64_t)value > most) {
        const char *got = view_shown(L, argument);
        luaL_error(L, "%s: an integer in 1..%s is expected, got %s", view_where_call(L, job), shown,
                   got);
    }
    return (uint64_t)value;
}

/* Returns the job at argument 2, which must be the one that the running hook is about. */
static uint32_t hook_job(lua_State *L, const char *hook)
{
    uint32_t job = view_job(L, 2), now = policy_of(L)->now.job;
    if (job != now)
        luaL_error(L, "%s: is about the job that %s was called for", view_where_call(L, now), hook);
    return job;
}

/* Pushes a finish, nil where none is known. */
static int push_finish(lua_State *L, uint64_t finish)
{
    if (finish == PN_SCHEDULER_NEVER)
        lua_pushnil(L);
    else
        lua_pushinteger(L, (lua_Integer)finish);
    return 1;
}

static void need_forecasts(lua_State *L, const pn_scheduler_view *view)
{
    cluster_need(L, pn_scheduler_admission_get(view).finishes != PN_SCHEDULER_FINISHES_NONE,
                 "forecasts", "uses = { \"forecasts\" }, or records = true");
}

/* Charges for a forecast: the core walks slots and jobs faster than a script does. */
static void charge_forecast(lua_State *L, const pn_scheduler_view *view)
{
    uint64_t slots = (uint64_t)pn_scheduler_capacity(view, PN_SCHEDULER_MAP) +
                     pn_scheduler_capacity(view, PN_SCHEDULER_REDUCE);
    sandbox_charge(L, pn_scheduler_active(view) + slots / 4);
}

/* ---- what is known of a job ------------------------------------------------------------------ */

#define ASK_JOB(name, expression)                     \
    static int view_##name(lua_State *L)              \
    {                                                 \
        const pn_scheduler_view *view = view_self(L); \
        uint32_t job = view_job(L, 2);                \
        lua_pushinteger(L, (lua_Integer)expression);  \
        return 1;                                     \
    }

ASK_JOB(est, pn_scheduler_est_ms(view, job, cluster_kind_at(L, 3)))
ASK_JOB(input, pn_scheduler_input_of(view, job))
ASK_JOB(intermediate, pn_scheduler_intermediate_of(view, job))
ASK_JOB(longest, pn_scheduler_longest(view, job, cluster_kind_at(L, 3)))

static int view_has_failed(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    lua_pushboolean(L, pn_scheduler_has_failed(view, view_job(L, 2)));
    return 1;
}

/* ---- in admit -------------------------------------------------------------------------------- */

static int view_set_est(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    cluster_only_in(L, MOMENT_ADMIT, "estimates of tasks are set", "admit");
    uint32_t job = hook_job(L, "admit"), kind = cluster_kind_at(L, 3);
    pn_scheduler_set_est_ms(view, job, kind, range_at(L, 4, job, PN_CLUSTER_MOST_MS, "2^40"));
    return 0;
}

static int view_set_deadline(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    cluster_only_in(L, MOMENT_ADMIT, "deadlines are set", "admit");
    uint32_t job = hook_job(L, "admit");
    pn_scheduler_set_deadline(view, job, range_at(L, 3, job, PN_INTEGER_MAX, "2^53"));
    cluster_check_broken(L);
    return 0;
}

/* Returns the place of the job with this id. */
static uint32_t job_of_id(lua_State *L, const pn_scheduler_view *view, uint64_t id)
{
    uint32_t job = policy_of(L)->now.job;
    if (id == 0 || pn_scheduler_id(view, job) == id)
        return id == 0 ? PN_NO_JOB : job;
    job = pn_scheduler_next(view, PN_NO_JOB);
    while (job != PN_NO_JOB && pn_scheduler_id(view, job) != id)
        job = pn_scheduler_next(view, job);
    return job;
}

static int view_foresee(lua_State *L)
{
    pn_scheduler_view *view = view_self(L);
    pn_scheduler_answer *answer = policy_of(L)->answer;
    cluster_only_in(L, MOMENT_ADMIT, "finishes are foreseen", "admit");
    need_forecasts(L, view);
    uint32_t job = hook_job(L, "admit");
    charge_forecast(L, view);
    pn_scheduler_foresee(view, job, answer);
    cluster_check_broken(L);
    push_finish(L, answer->estimate);
    view_push_job(L, job_of_id(L, view, answer->blocker));
    return 2;
}

/* ---- promises, and putting them right -------------------------------------------------------- */

static int view_estimate(lua_State *L)
{
    const pn_scheduler_view *view = view_self(L);
    need_forecasts(L, view);
    return push_finish(L, pn_scheduler_estimate_of(view, view_job(L, 2)));
}

static pn_scheduler_view *recording_self(lua_State *L, const char *what)
{
    pn_scheduler_view *view = view_self(L);
    cluster_only_in(L, MOMENT_FINISH, what, "leave");
    cluster_need(L, pn_scheduler_admission_get(view).finishes == PN_SCHEDULER_FINISHES_RECORDED,
                 "records", "records = true");
    return view;
}

static int view_estimate_anew(lua_State *L)
{
    pn_scheduler_view *view = recording_self(L, "estimates are made anew");
    uint32_t job = hook_job(L, "leave");
    charge_forecast(L, view);
    return push_finish(L, pn_scheduler_estimate_anew(view, job));
}

static int view_feed_back(lua_State *L)
{
    pn_scheduler_view *view = recording_self(L, "there is feedback");
    uint32_t job = hook_job(L, "leave");
    if (pn_scheduler_has_failed(view, job))
        luaL_error(L, "%s: has failed (there is feedback of jobs that are done)",
                   view_where_call(L, job));
    charge_forecast(L, view);
    pn_scheduler_feed_back(view, job);
    return 0;
}

/* ---- slots that are kept from a job ---------------------------------------------------------- */

static pn_scheduler_view *limiting_self(lua_State *L, const char *what, uint32_t *job)
{
    pn_scheduler_view *view = view_self(L);
    enum policy_moment moment = policy_of(L)->now.moment;
    if (moment == MOMENT_KEY || moment == MOMENT_INIT || moment == MOMENT_ADMIT)
        luaL_error(L, "%s: %s from arrive on, and not in keys", view_where(L), what);
    *job = view_job(L, 2);
    if (moment == MOMENT_FINISH && *job == policy_of(L)->now.job)
        luaL_error(L, "%s: is over", view_where_call(L, *job));
    return view;
}

static int view_limit(lua_State *L)
{
    uint32_t job, most = UINT32_MAX;
    pn_scheduler_view *view = limiting_self(L, "slots are limited", &job);
    uint32_t kind = cluster_kind_at(L, 3);
    if (!lua_isnoneornil(L, 4)) {
        lua_Integer given = view_amount_for(L, 4, job);
        most = given < UINT32_MAX ? (uint32_t)given : UINT32_MAX;
    }
    pn_scheduler_limit(view, job, kind, most);
    cluster_check_broken(L);
    return 0;
}

static int view_hold(lua_State *L)
{
    uint32_t job;
    pn_scheduler_view *view = limiting_self(L, "jobs are held back", &job);
    uint32_t kind = cluster_kind_at(L, 3);
    lua_Integer until = view_amount_for(L, 4, job);
    if (until > (lua_Integer)PN_INTEGER_MAX)
        luaL_error(L, "%s: a time up to 2^53 is expected, got %I", view_where_call(L, job),
                   (LUAI_UACINT)until);
    pn_scheduler_hold(view, job, kind, (uint64_t)until);
    cluster_check_broken(L);
    return 0;
}

const luaL_Reg cluster_admission_methods[] = {
    {"est", view_est},
    {"set_est", view_set_est},
    {"set_deadline", view_set_deadline},
    {"input", view_input},
    {"intermediate", view_intermediate},
    {"longest", view_longest},
    {"foresee", view_foresee},
    {"estimate", view_estimate},
    {"estimate_anew", view_estimate_anew},
    {"feed_back", view_feed_back},
    {"has_failed", view_has_failed},
    {"limit", view_limit},
    {"hold", view_hold},
    {NULL, NULL},
};
