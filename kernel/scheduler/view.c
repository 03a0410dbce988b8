/* What a policy may ask and do. */
#include "base/config.h"
#include "state.h"
#include "base/sort.h"

/* ---- the call ---- */

uint64_t pn_scheduler_now(const pn_scheduler_view *view)
{
    return view->now;
}

double pn_scheduler_param_value(const pn_scheduler_view *view, uint32_t index)
{
    PN_ASSERT(index < PN_PARAMS_MAX);
    return view->s->fleet.binding.params[index];
}

void *pn_scheduler_state(const pn_scheduler_view *view)
{
    return pn_at(view->s, view->s->fleet.policy_state);
}

pn_stream *pn_scheduler_stream(const pn_scheduler_view *view)
{
    return &view->s->fleet.stream;
}

const pn_scheduler_policy *pn_scheduler_policy_of(const pn_scheduler_view *view)
{
    return view->policy;
}

void *pn_scheduler_user(const pn_scheduler_view *view)
{
    return view->hooks->policy_user;
}

pn_scheduler_order pn_scheduler_order_get(const pn_scheduler_view *view)
{
    return view->s->order;
}

pn_scheduler_admission pn_scheduler_admission_get(const pn_scheduler_view *view)
{
    return view->s->admission;
}

int pn_scheduler_set_rules(pn_scheduler_view *view, const pn_scheduler_order *order,
                           const pn_scheduler_admission *admission)
{
    pn_scheduler *s = view->s;
    pn_scheduler_order new_order = order ? *order : s->order;
    pn_scheduler_admission new_admission = admission ? *admission : s->admission;
    if (view->phase != PN_SCHEDULER_PHASE_INIT ||
        !pn_scheduler_rules_in_range(&new_order, &new_admission) ||
        !pn_scheduler_rules_fit(s, &new_order, &new_admission) ||
        !pn_scheduler_rules_sane(&new_order, &new_admission, view->policy))
        return PN_ERR_ARGUMENT;
    s->order = new_order;
    s->admission = new_admission;
    return PN_OK;
}

void pn_scheduler_give_up(const pn_scheduler_view *view, int status)
{
    pn_fleet_note_failure(&view->s->fleet, status);
}

/* ---- the cluster ---- */

uint32_t pn_scheduler_all_nodes(const pn_scheduler_view *view)
{
    return view->s->nodes_count;
}

uint32_t pn_scheduler_capacity(const pn_scheduler_view *view, uint32_t kind)
{
    return view->s->present[kind];
}

uint32_t pn_scheduler_capacity_up(const pn_scheduler_view *view, uint32_t kind)
{
    return view->s->up_slots[kind];
}

uint32_t pn_scheduler_free(const pn_scheduler_view *view, uint32_t kind)
{
    return view->s->free_slots[kind];
}

uint32_t pn_scheduler_node_free(const pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    return pn_scheduler_free_slots(view->s, node, kind);
}

uint32_t pn_scheduler_node_slots(const pn_scheduler_view *view, uint32_t node, uint32_t kind)
{
    PN_ASSERT(node < view->s->nodes_count && kind < PN_SCHEDULER_KINDS);
    return view->nodes[node].slots[kind];
}

int pn_scheduler_node_is_up(const pn_scheduler_view *view, uint32_t node)
{
    return pn_scheduler_is_up(view->s, node);
}

uint32_t pn_scheduler_node_speed(const pn_scheduler_view *view, uint32_t node)
{
    PN_ASSERT(node < view->s->nodes_count);
    return view->nodes[node].speed;
}

/* ---- jobs ---- */

uint32_t pn_scheduler_weight_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].own_weight;
}

int32_t pn_scheduler_priority_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].priority;
}

uint32_t pn_scheduler_jobs_max(const pn_scheduler_view *view)
{
    return view->s->jobs_max;
}

uint32_t pn_scheduler_active(const pn_scheduler_view *view)
{
    return view->s->totals.in_system;
}

/* Returns the place of a link, which is the place + 1. */
static uint32_t linked(uint32_t link)
{
    return link == 0 ? UINT32_MAX : link - 1;
}

uint32_t pn_scheduler_next(const pn_scheduler_view *view, uint32_t after)
{
    return linked(after == PN_NO_JOB ? view->s->fleet.first_job : view->jobs[after].after);
}

uint64_t pn_scheduler_id(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].id;
}

uint32_t pn_scheduler_group_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].group;
}

uint32_t pn_scheduler_attribute_count(const pn_scheduler_view *view)
{
    return (uint32_t)view->s->config.attributes;
}

double pn_scheduler_attribute_of(const pn_scheduler_view *view, uint32_t job, uint32_t index)
{
    return pn_attributes_get(pn_scheduler_attributes_of(view->s), job, index);
}

uint64_t pn_scheduler_submit_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].submit;
}

uint64_t pn_scheduler_deadline_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].deadline;
}

uint32_t pn_scheduler_tasks(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].tasks[kind];
}

uint32_t pn_scheduler_running(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].running[kind];
}

uint32_t pn_scheduler_suspended(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].suspended[kind];
}

uint32_t pn_scheduler_done(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].done[kind];
}

uint32_t pn_scheduler_unfinished(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].tasks[kind] - view->jobs[job].done[kind];
}

uint32_t pn_scheduler_pending(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return pn_scheduler_pending_of(view->s, &view->jobs[job], kind);
}

uint32_t pn_scheduler_need(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return pn_scheduler_need_of(view->s, &view->jobs[job], kind);
}

int pn_scheduler_may_run(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return pn_scheduler_spare_of(view->s, &view->jobs[job], kind) > 0;
}

int pn_scheduler_has_local(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    return pn_scheduler_local_map(view, job, node) != UINT32_MAX;
}

int pn_scheduler_resumes(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t node)
{
    return pn_scheduler_may_run(view, job, kind) &&
           pn_scheduler_suspended_here(view, job, kind, node) != PN_SCHEDULER_NO_ATTEMPT;
}

int pn_scheduler_has_affinity(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    return pn_scheduler_outputs(view, job, node) > 0 ||
           pn_scheduler_local_map(view, job, node) != UINT32_MAX;
}

/* ---- attempts ---- */

uint32_t pn_scheduler_next_attempt(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                   uint32_t after)
{
    return linked(after == PN_SCHEDULER_NO_ATTEMPT ? view->jobs[job].first_attempt[0][kind]
                                                   : view->attempts[after].after);
}

uint32_t pn_scheduler_next_suspended(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                     uint32_t after)
{
    return linked(after == PN_SCHEDULER_NO_ATTEMPT ? view->jobs[job].first_attempt[1][kind]
                                                   : view->attempts[after].after);
}

int pn_scheduler_attempt_suspended(const pn_scheduler_view *view, uint32_t place)
{
    return view->attempts[place].suspended;
}

uint32_t pn_scheduler_attempt_twin(const pn_scheduler_view *view, uint32_t place)
{
    return linked(view->attempts[place].twin);
}

uint32_t pn_scheduler_task_attempt(const pn_scheduler_view *view, uint32_t job, uint32_t kind,
                                   uint32_t task)
{
    if (task >= view->jobs[job].tasks[kind])
        return PN_SCHEDULER_NO_ATTEMPT;
    const pn_scheduler_task_entry *entry = &pn_scheduler_tasks_of(view, job, kind)[task];
    return entry->state == PN_SCHEDULER_TASK_RUNNING || entry->state == PN_SCHEDULER_TASK_SUSPENDED
               ? entry->where
               : PN_SCHEDULER_NO_ATTEMPT;
}

uint32_t pn_scheduler_copied(const pn_scheduler_view *view, uint32_t kind)
{
    return view->s->copied[kind];
}

uint32_t pn_scheduler_next_on_node(const pn_scheduler_view *view, uint32_t node, uint32_t after)
{
    PN_ASSERT(node < view->s->nodes_count);
    return linked(after == PN_SCHEDULER_NO_ATTEMPT ? view->nodes[node].first_attempt[0]
                                                   : view->attempts[after].node_after);
}

uint32_t pn_scheduler_attempt_job(const pn_scheduler_view *view, uint32_t place)
{
    return view->attempts[place].job;
}

void pn_scheduler_attempt_task_into(const pn_scheduler_view *view, uint32_t place,
                                    pn_scheduler_task *to, size_t size)
{
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    pn_config_fill(to, size, &task, sizeof task);
}

uint32_t pn_scheduler_attempt_progress(const pn_scheduler_view *view, uint32_t place)
{
    if (!view->hooks->progress)
        return 0;
    pn_scheduler_task task = pn_scheduler_task_of(view, place);
    uint32_t done = (uint32_t)pn_min(view->hooks->progress(view->hooks->user, &task), 1000000);
    if (view->hooks->on_input) /* asked of every attempt at every tick */
        pn_scheduler_pass_input(view->s, view->hooks,
                                &(pn_scheduler_input){.kind = PN_SCHEDULER_IN_PROGRESS,
                                                      .now = view->now,
                                                      .token = task.token,
                                                      .value = done});
    return done;
}

/* ---- kills and suspensions ---- */

typedef struct victims {
    const pn_scheduler_view *view;
    const uint32_t *progress; /* by place of the attempt */
} victims;

/* Orders by CL19b: least progress, then later start, then higher index. */
static bool victim_before(const void *context, uint32_t a, uint32_t b)
{
    const victims *list = context;
    const pn_scheduler_attempt *left = &list->view->attempts[a], *right = &list->view->attempts[b];
    if (list->progress[a] != list->progress[b])
        return list->progress[a] < list->progress[b];
    return left->start != right->start ? left->start > right->start : left->task > right->task;
}

/* Lists the job's running attempts in that order. */
static uint32_t *list_victims(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t *count)
{
    uint32_t *attempts = pn_at(view->s, view->s->scratch_attempts),
             *room = attempts + view->s->places_max, *progress = room + view->s->places_max;
    victims list = {view, progress};
    *count = 0;
    for (uint32_t link = view->jobs[job].first_attempt[0][kind]; link != 0;
         link = view->attempts[link - 1].after) {
        progress[link - 1] = pn_scheduler_attempt_progress(view, link - 1);
        attempts[(*count)++] = link - 1;
    }
    pn_sort_by(attempts, *count, room, victim_before, &list);
    return attempts;
}

static bool may_preempt(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->phase == PN_SCHEDULER_PHASE_PREEMPT && job < view->s->jobs_max &&
           view->jobs[job].id != 0 && kind < PN_SCHEDULER_KINDS;
}

static bool may_preempt_at(const pn_scheduler_view *view, uint32_t place)
{
    return view->phase == PN_SCHEDULER_PHASE_PREEMPT && place < view->s->places_max &&
           view->attempts[place].busy && !view->attempts[place].suspended;
}

int pn_scheduler_kill(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most,
                      uint32_t *killed)
{
    uint32_t count, done = 0;
    if (killed)
        *killed = 0;
    if (!may_preempt(view, job, kind))
        return PN_ERR_INFEASIBLE;
    if (most == 0)
        return PN_OK;
    const uint32_t *attempts = list_victims(view, job, kind, &count);
    for (uint32_t i = 0; i < count && done < most; i++)
        done += pn_scheduler_kill_at(view, attempts[i]);
    if (killed)
        *killed = done;
    return PN_OK;
}

int pn_scheduler_kill_attempt(pn_scheduler_view *view, uint32_t place)
{
    if (!may_preempt_at(view, place))
        return PN_ERR_INFEASIBLE;
    return pn_scheduler_kill_at(view, place) ? PN_OK : PN_DONE;
}

/* Returns whether there is a host that suspends, and no order that counts on tasks that run
 * (CL34). */
static bool may_suspend(const pn_scheduler_view *view)
{
    return view->hooks->suspend && !view->s->order.started_first;
}

int pn_scheduler_suspend(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most,
                         uint32_t *suspended)
{
    uint32_t count, done = 0;
    int status = PN_OK;
    if (suspended)
        *suspended = 0;
    if (!may_preempt(view, job, kind) || !may_suspend(view))
        return PN_ERR_INFEASIBLE;
    if (most == 0)
        return PN_OK;
    const uint32_t *attempts = list_victims(view, job, kind, &count);
    for (uint32_t i = 0; i < count && done < most && status >= 0; i++) {
        status = pn_scheduler_suspend_at(view, attempts[i]);
        done += status == PN_OK;
    }
    if (suspended)
        *suspended = done;
    return status < 0 ? status : PN_OK;
}

int pn_scheduler_suspend_attempt(pn_scheduler_view *view, uint32_t place)
{
    return may_preempt_at(view, place) && may_suspend(view) ? pn_scheduler_suspend_at(view, place)
                                                            : PN_ERR_INFEASIBLE;
}

/* ---- jobs with deadlines ---- */

uint64_t pn_scheduler_est_ms(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    uint64_t est = view->jobs[job].est_ms[kind];
    return est > 0 ? est + view->s->config.extra_ms[kind] : 0;
}

/* Notes a change of the newcomer: its key may depend on what has changed, and its forecast is
 * void. */
static void change_newcomer(pn_scheduler_view *view)
{
    view->s->foreseen = 0;
    pn_scheduler_compute_keys(view, view->subject);
}

int pn_scheduler_set_est_ms(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint64_t ms)
{
    if (ms < 1 || ms > PN_SCHEDULER_EST_MOST)
        return PN_ERR_ARGUMENT;
    if (view->phase != PN_SCHEDULER_PHASE_ADMIT || job != view->subject)
        return PN_ERR_INFEASIBLE;
    view->jobs[job].est_ms[kind] = ms;
    change_newcomer(view);
    return PN_OK;
}

int pn_scheduler_set_deadline(pn_scheduler_view *view, uint32_t job, uint64_t ms)
{
    if (ms < 1 || ms > PN_INTEGER_MAX)
        return PN_ERR_ARGUMENT;
    if (view->phase != PN_SCHEDULER_PHASE_ADMIT || job != view->subject)
        return PN_ERR_INFEASIBLE;
    view->jobs[job].deadline = ms;
    change_newcomer(view);
    return PN_OK;
}

uint64_t pn_scheduler_input_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].input;
}

uint64_t pn_scheduler_intermediate_of(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].intermediate;
}

uint64_t pn_scheduler_longest(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    return view->jobs[job].longest[kind];
}

uint64_t pn_scheduler_estimate_of(const pn_scheduler_view *view, uint32_t job)
{
    return pn_scheduler_terms_of(view, job)->estimate;
}

int pn_scheduler_has_failed(const pn_scheduler_view *view, uint32_t job)
{
    return view->jobs[job].failed;
}

int pn_scheduler_asked(const pn_scheduler_view *view)
{
    return view->s->asking != PN_SCHEDULER_ASKING_NOTHING;
}

/* Returns whether the job may be restrained, in a block with memory for it. A job that is over, or
 * was never accepted, has no slots; and a question changes only the job that it is about. */
static bool may_restrain(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    if (!view->s->agrees || kind >= PN_SCHEDULER_KINDS || job >= view->s->jobs_max ||
        view->jobs[job].id == 0 || view->jobs[job].ended)
        return false;
    return !view->s->asking || job == view->subject;
}

/* Settles a job unless it is being admitted and in no set yet. */
static void settle_unless_new(pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    if (job != view->subject || view->phase != PN_SCHEDULER_PHASE_ADMIT)
        pn_scheduler_settle(view, job, kind);
}

void pn_scheduler_limit(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t most)
{
    if (!may_restrain(view, job, kind))
        return;
    view->s->restrains = 1;
    view->terms[job].limit[kind] = most;
    settle_unless_new(view, job, kind);
}

void pn_scheduler_hold(pn_scheduler_view *view, uint32_t job, uint32_t kind, uint64_t until)
{
    if (!may_restrain(view, job, kind))
        return;
    pn_scheduler_terms *it = &view->terms[job];
    view->s->restrains = 1;
    until = until > PN_INTEGER_MAX ? PN_SCHEDULER_NEVER : until;
    const uint64_t word[2] = {until, 0};
    if (it->held[kind] != 0)
        pn_heap_remove(&view->held[kind], job);
    it->opens[kind] = until > view->now ? until : 0;
    if (it->opens[kind] != 0)
        pn_heap_push(&view->held[kind], job, word);
    settle_unless_new(view, job, kind);
    pn_scheduler_announce_opening(view);
}
