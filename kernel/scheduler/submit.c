/* Jobs are submitted: which are refused, what the policy answers, and the question what it would
 * answer. */
#include "base/config.h"
#include "state.h"

/* Looks at the replicas of every map: how many there are, or PN_ERR_JOB. Leaves no trace in the
 * block. */
static int scheduler_count_replicas(pn_scheduler *s, const pn_scheduler_job *job, uint64_t *count)
{
    uint32_t *nodes = pn_at(s, s->replica_nodes);
    bool sane = true;
    *count = 0;
    for (uint32_t map = 0; job->replicas && sane && map < job->maps; map++) {
        uint32_t found = job->replicas(job->where, map, nodes, s->config.replicas_of_map);
        sane = found <= s->config.replicas_of_map && pn_distinct(nodes, found, s->nodes_count);
        memset(nodes, 0, pn_min(found, s->config.replicas_of_map) * sizeof *nodes);
        *count += found;
    }
    return sane ? PN_OK : PN_ERR_JOB;
}

static bool job_sane(const pn_scheduler *s, const pn_scheduler_job *job)
{
    const uint32_t most = (uint32_t)1 << 24;
    return job->maps >= 1 && job->maps <= most && job->reduces <= most &&
           (job->reduces == 0 || s->capacity[PN_SCHEDULER_REDUCE] > 0) &&
           job->deadline <= PN_INTEGER_MAX && job->input <= PN_INTEGER_MAX &&
           job->intermediate <= PN_INTEGER_MAX &&
           job->est_ms[PN_SCHEDULER_MAP] <= PN_SCHEDULER_EST_MOST &&
           job->est_ms[PN_SCHEDULER_REDUCE] <= PN_SCHEDULER_EST_MOST &&
           job->weight <= PN_SCHEDULER_WEIGHT_MOST && pn_scheduler_priority_sane(job->priority) &&
           pn_attributes_sane(job->attributes, s->config.attributes);
}

/* Returns whether a policy that promises something knows enough of the job. */
static bool promisable(const pn_scheduler *s, const pn_scheduler_job *job)
{
    bool estimated = job->est_ms[PN_SCHEDULER_MAP] > 0 &&
                     (job->reduces == 0 || job->est_ms[PN_SCHEDULER_REDUCE] > 0);
    return (job->deadline > 0 || !s->admission.deadlines) &&
           (estimated || !pn_scheduler_needs_estimates(s));
}

static int scheduler_job_refused(pn_scheduler *s, const pn_scheduler_job *job, uint64_t *replicas)
{
    const pn_scheduler_totals *totals = &s->totals;
    if (job->group != 0 && job->group >= s->config.groups_max)
        return PN_ERR_ARGUMENT;
    if (!job_sane(s, job) || !promisable(s, job))
        return PN_ERR_JOB;
    if (totals->submitted == PN_INTEGER_MAX)
        return PN_ERR_OVERFLOW;
    if (totals->in_system == s->config.jobs_max ||
        totals->in_system + s->remembered == s->jobs_max ||
        job->maps + job->reduces > s->config.tasks_max - totals->tasks_held)
        return PN_ERR_FULL;
    s->head.busy = 1;
    int status = scheduler_count_replicas(s, job, replicas);
    s->head.busy = 0;
    if (status == PN_OK && *replicas > s->config.replicas_max - totals->replicas_held)
        status = PN_ERR_FULL;
    return status;
}

static void drop_job(pn_scheduler_view *view, uint32_t place)
{
    pn_lists_free(&view->store, place);
    pn_scheduler_free_place(view, place);
}

/* Stores the job where nothing leads to it yet: *place, or PN_ERR_JOB when its replicas are others
 * than they were before. */
static int scheduler_store_job(pn_scheduler_view *view, const pn_scheduler_job *given, uint64_t now,
                               uint32_t replicas, uint32_t *place)
{
    pn_scheduler *s = view->s;
    *place = pn_place_take(&s->fleet.job_places, PN_LINKS(view->jobs, after));
    pn_scheduler_entry *job = &view->jobs[*place];
    *job = (pn_scheduler_entry){
        .id = s->totals.submitted + 1,
        .tag = given->tag,
        .submit = now,
        .deadline = given->deadline,
        .first_start = {PN_SCHEDULER_NEVER, PN_SCHEDULER_NEVER},
        .map_finish = PN_SCHEDULER_NEVER,
        .skip_since = PN_SCHEDULER_NEVER,
        .weight = pn_max(given->weight, 1),
        .own_weight = (uint32_t)pn_max(given->weight, 1),
        .priority = given->priority,
        .est_ms = {given->est_ms[PN_SCHEDULER_MAP], given->est_ms[PN_SCHEDULER_REDUCE]},
        .input = given->input > 0 ? given->input : given->maps,
        .tasks = {given->maps, given->reduces},
        .group = given->group};
    if (s->orders)
        view->turns[*place] = (pn_scheduler_turn){0};
    if (s->estimates)
        view->estimated[*place] = (pn_scheduler_estimates){0};
    if (s->agrees)
        view->terms[*place] = pn_scheduler_no_terms;
    job->intermediate = given->intermediate > 0 ? given->intermediate : job->input;
    if (s->config.attributes > 0)
        pn_attributes_put(pn_scheduler_attributes_of(s), *place, given->attributes);
    s->head.busy = 1;
    bool stored = pn_scheduler_entry_store(view, *place, given, replicas);
    s->head.busy = 0;
    if (stored)
        return PN_OK;
    drop_job(view, *place);
    return PN_ERR_JOB;
}

/* Adds a stored job to those in the system. */
static void add_job(pn_scheduler_view *view, uint32_t place)
{
    pn_scheduler *s = view->s;
    pn_scheduler_totals *totals = &s->totals;
    const pn_scheduler_entry *job = &view->jobs[place];
    pn_chain_append(pn_scheduler_system(view), place);
    if (totals->first_submit == PN_SCHEDULER_NEVER)
        totals->first_submit = job->submit;
    totals->submitted++;
    totals->in_system++;
    totals->tasks_held += job->tasks[PN_SCHEDULER_MAP] + job->tasks[PN_SCHEDULER_REDUCE];
    totals->replicas_held += job->replica_count;
    totals->in_system_max = (uint32_t)pn_max(totals->in_system_max, totals->in_system);
    totals->tasks_held_max = (uint32_t)pn_max(totals->tasks_held_max, totals->tasks_held);
    totals->replicas_held_max = (uint32_t)pn_max(totals->replicas_held_max, totals->replicas_held);
}

/* Answers the job, which is in the tables and nowhere else yet. */
static void scheduler_submit_admit(pn_scheduler_view *view, uint32_t job,
                                   pn_scheduler_answer *answer)
{
    pn_scheduler *s = view->s;
    pn_scheduler_entry *entry = &view->jobs[job];
    uint64_t wished = entry->deadline;
    *answer = (pn_scheduler_answer){.id = entry->id, .accepted = 1, .estimate = PN_SCHEDULER_NEVER};
    if (view->policy->admit) {
        pn_scheduler_compute_keys(view, job);
        view->phase = PN_SCHEDULER_PHASE_ADMIT;
        view->subject = job;
        if (s->fleet.failure == 0)
            pn_fleet_note_failure(&view->s->fleet, view->policy->admit(view, job, answer));
        view->phase = PN_SCHEDULER_PHASE_OTHER;
    }
    if (!answer->accepted)
        entry->deadline = wished;
    answer->id = entry->id;
    answer->deadline = entry->deadline;
    if (s->agrees) {
        view->terms[job].promise = view->terms[job].estimate = answer->estimate;
        view->terms[job].blocker = answer->blocker;
    }
}

static void accept(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler *s = view->s;
    s->totals.accepted++;
    pn_scheduler_report(view, PN_SCHEDULER_ACCEPT, job, 0, 0, 0, 0, 0);
    if (s->order.started_first)
        pn_scheduler_enter(view, job);
    if (view->policy->arrive && s->fleet.failure == 0)
        pn_fleet_note_failure(&view->s->fleet, view->policy->arrive(view, job));
    if (s->order.estimates)
        pn_scheduler_estimate(view, job);
    pn_scheduler_key(view, job);
    pn_scheduler_plan(view, PN_SCHEDULER_ON_ARRIVAL);
}

/* Forgets a job: the tables are as if it had never been submitted. */
static void forget(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_unorder(view, job);
    pn_scheduler_unlink(view, job);
    drop_job(view, job);
}

static void scheduler_reject(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_record record;
    double attributes[PN_ATTRIBUTES_MAX];
    view->s->totals.rejected++;
    pn_scheduler_report(view, PN_SCHEDULER_REJECT, job, 0, 0, 0, 0, 0);
    pn_scheduler_record_of(view, job, PN_SCHEDULER_REJECTED, PN_SCHEDULER_NEVER, &record);
    record.attributes = pn_attributes_copy(pn_scheduler_attributes_of(view->s), job, attributes);
    forget(view, job);
    if (view->hooks->on_finish)
        view->hooks->on_finish(view->hooks->user, &record);
}

/* Returns whether this job may be submitted, or asked about. What the policy wants to know of it is
 * certain only when it is bound, which this does, as any event. */
static int consider(pn_scheduler_view *view, pn_scheduler *s, const pn_scheduler_hooks *hooks,
                    const pn_scheduler_input *input, uint64_t *replicas)
{
    const pn_scheduler_job *job = input->job;
    bool given = job && PN_GIVEN(job, pn_scheduler_job, priority);
    int status = given ? pn_scheduler_refused(s, hooks) : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        status = scheduler_job_refused(s, job, replicas);
    if (status == PN_OK)
        status = pn_scheduler_ready(s, hooks);
    if (status == PN_OK)
        status = pn_fleet_time_refused(s->totals.time, input->now);
    if (status != PN_OK)
        return status;
    pn_scheduler_view_build(view, s, hooks);
    if (!pn_binding_is_bound(&s->fleet.binding)) {
        s->head.busy = 1;
        pn_scheduler_bind(view);
        s->head.busy = 0;
        if (s->fleet.failure != 0)
            pn_scheduler_pass_input(s, hooks, input);
    }
    return s->fleet.failure == 0 && !promisable(s, job) ? PN_ERR_JOB : s->fleet.failure;
}

int pn_scheduler_submit(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                        const pn_scheduler_job *job, pn_scheduler_answer *answer)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_SUBMIT, .now = now, .job = job};
    pn_scheduler_view view;
    pn_scheduler_answer said;
    uint64_t replicas;
    uint32_t place;
    int status = consider(&view, scheduler, hooks, &input, &replicas);
    if (status == PN_OK)
        status = scheduler_store_job(&view, job, now, (uint32_t)replicas, &place);
    if (status != PN_OK)
        return status;
    status = pn_scheduler_begin(&view, scheduler, hooks, &input);
    PN_ASSERT(status == PN_OK); /* as it was considered */
    add_job(&view, place);
    scheduler_submit_admit(&view, place, &said);
    if (said.accepted)
        accept(&view, place);
    else
        scheduler_reject(&view, place);
    if (answer)
        *answer = said;
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}

/* Asks about a job, which is taken into the tables and out again; what is counted and drawn
 * meanwhile is put back. */
int pn_scheduler_ask(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks, uint64_t now,
                     const pn_scheduler_job *job, pn_scheduler_answer *answer)
{
    const pn_scheduler_input input = {.kind = PN_SCHEDULER_IN_ASK, .now = now, .job = job};
    pn_scheduler *s = scheduler;
    pn_scheduler_view view;
    uint64_t replicas;
    uint32_t place;
    int status = answer ? consider(&view, s, hooks, &input, &replicas) : PN_ERR_ARGUMENT;
    if (status == PN_OK)
        status = scheduler_store_job(&view, job, now, (uint32_t)replicas, &place);
    if (status != PN_OK)
        return status;
    pn_scheduler_pass_input(s, hooks, &input);
    s->head.busy = 1;
    view.now = now;
    pn_scheduler_totals totals = s->totals;
    pn_stream stream = s->fleet.stream;
    s->asking = PN_SCHEDULER_ASKING;
    add_job(&view, place);
    scheduler_submit_admit(&view, place, answer);
    forget(&view, place);
    s->asking = PN_SCHEDULER_ASKING_NOTHING;
    s->foreseen = 0;
    s->fleet.stream = stream;
    s->totals = totals;
    return pn_fleet_conclude(&view.s->fleet, &view.s->head, PN_OK);
}
