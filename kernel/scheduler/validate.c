/* Whether a block from outside may be worked with, see slotted/validate.c. Nodes, attempts, jobs
 * and their lists are compared with one another: every link leads both ways, every count is counted
 * again. */
#include "state.h"
#include "base/validate.h"
#include "base/validate_lists.h"

typedef struct scheduler_validation {
    pn_scheduler *s; /* the block, which is only read */
    pn_scheduler_view view;
    uint64_t key;
} scheduler_validation;

/* ---- the layout ---- */

static bool scheduler_numbers_sound(const pn_scheduler *s)
{
    const pn_scheduler_config *config = &s->config;
    uint32_t slots = s->places_max - config->suspended_max;
    return config->struct_size == sizeof *config && !config->nodes && config->nodes_count == 0 &&
           !config->policy && !pn_scheduler_numbers_fault(config) && 1 <= s->nodes_count &&
           s->nodes_count <= (uint32_t)1 << 22 && config->suspended_max < s->places_max &&
           slots <= (uint32_t)1 << 26 && s->capacity[0] >= 1 && s->capacity[0] <= slots &&
           s->capacity[1] == slots - s->capacity[0] && s->records <= 1 && s->shares <= 1 &&
           s->orders <= 1 && s->estimates <= 1 && s->agrees <= 1 && s->shares <= s->orders &&
           s->jobs_max == config->jobs_max + s->records && config->tasks_max > 0 &&
           config->nodes_absent <= s->nodes_count;
}

static bool scheduler_same_layout(const pn_scheduler *s, const pn_scheduler *fresh)
{
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++)
            if (s->candidates[kind][rank].capacity != fresh->candidates[kind][rank].capacity)
                return false;
        if (s->held[kind].capacity != fresh->held[kind].capacity)
            return false;
    }
    return s->fleet.policy_state == fresh->fleet.policy_state &&
           s->store.capacity == fresh->store.capacity &&
           PN_SAME_PART(pn_scheduler, nodes, store, s, fresh);
}

/* Lays the block out again from its own numbers. */
static bool scheduler_layout_sound(const pn_scheduler *s)
{
    const size_t from = offsetof(pn_scheduler, config), to = offsetof(pn_scheduler, fleet);
    if (!scheduler_numbers_sound(s) || s->fleet.policy_size > s->head.size)
        return false;
    pn_scheduler fresh;
    memset(&fresh, 0, sizeof fresh);
    memcpy((unsigned char *)&fresh + from, (const unsigned char *)s + from, to - from);
    return pn_scheduler_carve(&fresh, s->fleet.policy_size) == s->head.size &&
           scheduler_same_layout(s, &fresh);
}

/* ---- the policy, and numbers ---- */

static int any_admit(pn_scheduler_view *view, uint32_t job, pn_scheduler_answer *answer)
{
    (void)view;
    (void)job;
    (void)answer;
    return PN_OK;
}

static int any_pick(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *job)
{
    (void)view;
    (void)node;
    (void)kind;
    (void)job;
    return PN_OK;
}

static int any_copy(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    return any_pick(view, node, kind, place);
}

static bool scheduler_unbound_sound(const pn_scheduler *s)
{
    return pn_validate_zeros(&s->order, sizeof s->order) &&
           pn_validate_zeros(&s->admission, sizeof s->admission) && s->picks == 0 &&
           s->plans == 0 && s->admits == 0 && s->copier == 0 && s->preempts == 0 &&
           s->restrains == 0 && s->fleet.job_places.used == 0 && s->fleet.attempt_places.used == 0;
}

static bool scheduler_has(const pn_scheduler_form *form, uint32_t function)
{
    return form->functions >> function & 1;
}

/* Checks that what was noted of the policy when it was bound is what its shape says, see shape_of
 * in events.c. */
static bool scheduler_bound_sound(const pn_scheduler *s)
{
    pn_scheduler_form form;
    memcpy(&form, s->fleet.binding.shape, sizeof form);
    bool picks = scheduler_has(&form, PN_SCHEDULER_HAS_PICK),
         admits = scheduler_has(&form, PN_SCHEDULER_HAS_ADMIT),
         copier = scheduler_has(&form, PN_SCHEDULER_HAS_COPY),
         preempts = scheduler_has(&form, PN_SCHEDULER_HAS_PREEMPT);
    bool plans = copier || scheduler_has(&form, PN_SCHEDULER_HAS_PLAN) || preempts ||
                 s->order.estimates || s->order.keys == PN_SCHEDULER_KEYS_PLANNED;
    pn_scheduler_policy policy = {.admission = form.admission,
                                  .admit = admits ? any_admit : NULL,
                                  .pick = picks ? any_pick : NULL,
                                  .copy = copier ? any_copy : NULL};
    if (form.functions >> PN_SCHEDULER_FUNCTIONS != 0 ||
        !pn_scheduler_rules_in_range(&form.order, &form.admission) ||
        !pn_scheduler_rules_in_range(&s->order, &s->admission))
        return false;
    if (s->picks != picks || s->admits != admits || s->plans != plans || s->copier != copier ||
        s->preempts != preempts || s->restrains > s->agrees || (copier && !s->config.copies) ||
        (pn_scheduler_may_agree(form.functions) && !s->agrees))
        return false;
    return pn_scheduler_rules_fit(s, &s->order, &s->admission) &&
           (s->fleet.failure != 0 || pn_scheduler_rules_sane(&s->order, &s->admission, &policy));
}

static bool scheduler_policy_sound(const pn_scheduler *s)
{
    if (!pn_fleet_sound(&s->fleet, s->totals.time, s->totals.saturated_ms))
        return false;
    return pn_binding_is_bound(&s->fleet.binding) ? scheduler_bound_sound(s)
                                                  : scheduler_unbound_sound(s);
}

static bool scheduler_counts_sound(const pn_scheduler *s)
{
    const pn_scheduler_totals *totals = &s->totals;
    uint64_t suspended = (uint64_t)s->suspended[0] + s->suspended[1];
    if (s->fleet.attempt_places.used > s->places_max ||
        s->running + suspended > s->fleet.attempt_places.used ||
        suspended > s->config.suspended_max ||
        (!s->config.copies && s->copied[0] + s->copied[1] > 0) ||
        s->fleet.job_places.used > s->jobs_max || s->asking != 0)
        return false;
    if (totals->in_system > s->config.jobs_max ||
        s->remembered >
            s->fleet.job_places.used - pn_min(totals->in_system, s->fleet.job_places.used))
        return false;
    return totals->in_system <= s->fleet.job_places.used && totals->submitted <= PN_INTEGER_MAX &&
           totals->tasks_held <= s->config.tasks_max &&
           totals->replicas_held <= s->config.replicas_max;
}

/* ---- nodes and attempts ---- */

/* Checks that both of two attempts lead to each other, and are of the same task on different
 * nodes. */
static bool twin_sound(const scheduler_validation *self, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &self->view.attempts[place];
    if (attempt->twin == 0)
        return true;
    if (attempt->twin > self->s->fleet.attempt_places.used || attempt->suspended)
        return false;
    const pn_scheduler_attempt *twin = &self->view.attempts[attempt->twin - 1];
    return twin->busy && twin->twin == place + 1 && twin->job == attempt->job &&
           twin->kind == attempt->kind && twin->task == attempt->task &&
           twin->node != attempt->node;
}

static bool scheduler_attempt_sound(const scheduler_validation *self, uint32_t place)
{
    const pn_scheduler_attempt *attempt = &self->view.attempts[place];
    if (attempt->busy > 1 || attempt->suspended > attempt->busy || attempt->copy > attempt->busy ||
        attempt->local > attempt->busy ||
        (attempt->token != 0 && attempt->token % self->s->places_max != place))
        return false;
    if (!attempt->busy)
        return true;
    return attempt->token != 0 && attempt->job < self->s->fleet.job_places.used &&
           attempt->kind < PN_SCHEDULER_KINDS && attempt->node < self->s->nodes_count &&
           self->view.nodes[attempt->node].up && self->view.jobs[attempt->job].id != 0 &&
           !self->view.jobs[attempt->job].ended &&
           attempt->task < self->view.jobs[attempt->job].tasks[attempt->kind] &&
           attempt->outputs <= 1 && attempt->launch <= self->s->totals.time &&
           attempt->since <= self->s->totals.time &&
           attempt->start <= (attempt->suspended ? attempt->since : self->s->totals.time) &&
           twin_sound(self, place);
}

static bool scheduler_attempts_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    uint32_t busy = 0;
    uint64_t free = 0;
    for (uint32_t place = 0; place < s->places_max; place++) {
        if (!scheduler_attempt_sound(self, place) ||
            (place >= s->fleet.attempt_places.used && self->view.attempts[place].busy))
            return false;
        busy += self->view.attempts[place].busy;
        free -= place < s->fleet.attempt_places.used && !self->view.attempts[place].busy
                    ? pn_validate_hash(self->key, place)
                    : 0;
    }
    return busy == s->running + s->suspended[0] + s->suspended[1] &&
           pn_validate_free(&s->fleet.attempt_places, PN_LINKS(self->view.attempts, after),
                            s->places_max, busy, self->key, &free) &&
           free == 0;
}

/* Checks one of the two lists of attempts on a node, counted by kind. */
static bool listed_on(const scheduler_validation *self, uint32_t node, uint32_t suspended,
                      uint32_t *all, uint32_t count[PN_SCHEDULER_KINDS])
{
    uint32_t before = 0;
    for (uint32_t link = self->view.nodes[node].first_attempt[suspended]; link != 0;
         before = link, link = self->view.attempts[link - 1].node_after) {
        if (link > self->s->fleet.attempt_places.used ||
            ++*all > self->s->fleet.attempt_places.used)
            return false;
        const pn_scheduler_attempt *attempt = &self->view.attempts[link - 1];
        if (!attempt->busy || attempt->suspended != suspended || attempt->node != node ||
            attempt->node_before != before)
            return false;
        count[attempt->kind]++;
    }
    return true;
}

/* Checks the attempts on a node, and what those that run leave of its slots. */
static bool scheduler_node_sound(const scheduler_validation *self, uint32_t node, uint32_t *all)
{
    const pn_scheduler_node *entry = &self->view.nodes[node];
    uint32_t count[PN_SCHEDULER_KINDS] = {0, 0}, suspended[PN_SCHEDULER_KINDS] = {0, 0};
    if (!listed_on(self, node, 0, all, count) || !listed_on(self, node, 1, all, suspended))
        return false;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (entry->most[kind] > 65536 || entry->slots[kind] > entry->most[kind] ||
            entry->over[kind] > entry->most[kind] || entry->suspended[kind] != suspended[kind] ||
            (entry->free[kind] > 0 && entry->over[kind] > 0) ||
            count[kind] > (entry->up ? entry->most[kind] : 0) ||
            (entry->up ? entry->free[kind] + count[kind] != entry->slots[kind] + entry->over[kind]
                       : entry->free[kind] + entry->over[kind] > 0))
            return false;
    return entry->up <= 1 && 1 <= entry->speed && entry->speed <= (uint32_t)1 << 20;
}

static bool scheduler_nodes_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    uint64_t most[PN_SCHEDULER_KINDS] = {0, 0}, slots[PN_SCHEDULER_KINDS] = {0, 0},
             up[PN_SCHEDULER_KINDS] = {0, 0}, free[PN_SCHEDULER_KINDS] = {0, 0},
             over[PN_SCHEDULER_KINDS] = {0, 0};
    uint32_t all = 0, nodes[PN_SCHEDULER_KINDS] = {0, 0};
    for (uint32_t node = 0; node < s->nodes_count; node++) {
        const pn_scheduler_node *entry = &self->view.nodes[node];
        if (!scheduler_node_sound(self, node, &all))
            return false;
        for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
            const uint64_t *bits = pn_at(self->s, s->free_nodes[kind]);
            if (pn_validate_bit(bits, node) != (entry->free[kind] > 0))
                return false;
            most[kind] += entry->most[kind];
            slots[kind] += entry->slots[kind];
            over[kind] += entry->over[kind];
            up[kind] += entry->up ? entry->slots[kind] : 0;
            free[kind] += entry->free[kind];
            nodes[kind] += entry->free[kind] > 0;
        }
    }
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (most[kind] != s->capacity[kind] || slots[kind] != s->present[kind] ||
            over[kind] != s->over[kind] || up[kind] != s->up_slots[kind] ||
            free[kind] != s->free_slots[kind] || nodes[kind] != s->free_nodes_count[kind] ||
            !pn_validate_bits(pn_at(self->s, s->free_nodes[kind]), s->nodes_count))
            return false;
    return all == s->running + s->suspended[0] + s->suspended[1];
}

/* ---- the lists of a job ---- */

static bool shape_sound(const scheduler_validation *self, uint32_t job)
{
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    const uint32_t most = (uint32_t)1 << 24;
    if (entry->tasks[0] < 1 || entry->tasks[0] > most || entry->tasks[1] > most ||
        entry->replica_count > self->s->config.replicas_max)
        return false;
    pn_scheduler_shape shape = pn_scheduler_shape_of(self->s, entry->tasks[0], entry->tasks[1],
                                                     entry->replica_count);
    return pn_same_bytes(entry->bits, shape.bits, sizeof entry->bits) &&
           entry->replicas == shape.replicas && entry->hosts == shape.hosts &&
           entry->host_places == shape.host_places &&
           pn_validate_list_size(&self->view.store, job) == shape.words;
}

static bool task_sound(const scheduler_validation *self, uint32_t job, uint32_t kind,
                       uint32_t index)
{
    const pn_scheduler_task_entry *task = &pn_scheduler_tasks_of(&self->view, job, kind)[index];
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    const uint64_t *bits = pn_scheduler_list(&self->view, job) + entry->bits[kind];
    if (task->state > PN_SCHEDULER_TASK_SUSPENDED || task->local > 1 ||
        pn_validate_bit(bits, index) != (task->state == PN_SCHEDULER_TASK_PENDING))
        return false;
    if (kind == PN_SCHEDULER_MAP && task->first_replica > entry->replica_count)
        return false;
    if (task->state == PN_SCHEDULER_TASK_DONE)
        return task->where < self->s->nodes_count;
    if (task->state == PN_SCHEDULER_TASK_PENDING)
        return true;
    if (task->where >= self->s->fleet.attempt_places.used)
        return false;
    const pn_scheduler_attempt *attempt = &self->view.attempts[task->where];
    return attempt->busy && attempt->job == job && attempt->kind == kind &&
           attempt->task == index &&
           attempt->suspended == (task->state == PN_SCHEDULER_TASK_SUSPENDED);
}

static bool tasks_sound(const scheduler_validation *self, uint32_t job, uint32_t kind)
{
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    uint32_t count[PN_SCHEDULER_TASK_SUSPENDED + 1] = {0, 0, 0, 0};
    for (uint32_t i = 0; i < entry->tasks[kind]; i++) {
        if (!task_sound(self, job, kind, i))
            return false;
        count[pn_scheduler_tasks_of(&self->view, job, kind)[i].state]++;
    }
    return count[PN_SCHEDULER_TASK_PENDING] == entry->waiting[kind] &&
           count[PN_SCHEDULER_TASK_RUNNING] + entry->copied[kind] == entry->running[kind] &&
           count[PN_SCHEDULER_TASK_SUSPENDED] == entry->suspended[kind] &&
           count[PN_SCHEDULER_TASK_DONE] == entry->done[kind] &&
           pn_validate_bits(pn_scheduler_list(&self->view, job) + entry->bits[kind],
                            entry->tasks[kind]);
}

/* Checks the replicas by (node, map); those of one map are linked from the last to the first, so
 * that every chain ends. */
static bool replicas_sound(const scheduler_validation *self, uint32_t job)
{
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    const pn_scheduler_replica *all = (const void *)(pn_scheduler_list(&self->view, job) +
                                                     entry->replicas);
    for (uint32_t i = 0; i < entry->replica_count; i++) {
        if (all[i].node >= self->s->nodes_count || all[i].task >= entry->tasks[PN_SCHEDULER_MAP] ||
            all[i].sibling > i || all[i].next > entry->replica_count)
            return false;
        if (i > 0 && (all[i].node < all[i - 1].node ||
                      (all[i].node == all[i - 1].node && all[i].task <= all[i - 1].task)))
            return false;
    }
    return true;
}

/* Returns where a search for the node ends, see host_find in jobs.c; one place is empty, so it
 * does. */
static uint32_t host_of(const pn_scheduler_host *hosts, uint32_t places, uint32_t node)
{
    uint32_t at = (uint32_t)((uint64_t)(node * 2654435769u) * places >> 32);
    while (hosts[at].node != 0 && hosts[at].node != node + 1)
        at = at + 1 == places ? 0 : at + 1;
    return at;
}

/* Checks the table of nodes by the maps that run or ran there: each is found where it is, and the
 * maps are those of the tasks. */
static bool hosts_sound(const scheduler_validation *self, uint32_t job)
{
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    const pn_scheduler_host *hosts = (const void *)(pn_scheduler_list(&self->view, job) +
                                                    entry->hosts);
    const pn_scheduler_task_entry *maps = pn_scheduler_tasks_of(&self->view, job, PN_SCHEDULER_MAP);
    uint32_t used = 0;
    uint64_t tally = 0;
    for (uint32_t i = 0; i < entry->host_places; i++) {
        if (hosts[i].node > self->s->nodes_count || (hosts[i].node == 0 && hosts[i].maps != 0))
            return false;
        used += hosts[i].node != 0;
        tally += hosts[i].node != 0 ? hosts[i].maps * pn_validate_hash(self->key, hosts[i].node - 1)
                                    : 0;
    }
    if (used != entry->hosts_used || used >= entry->host_places)
        return false;
    for (uint32_t i = 0; i < entry->host_places; i++)
        if (hosts[i].node != 0 && host_of(hosts, entry->host_places, hosts[i].node - 1) != i)
            return false;
    for (uint32_t i = 0; i < entry->tasks[PN_SCHEDULER_MAP]; i++)
        if (maps[i].state == PN_SCHEDULER_TASK_DONE)
            tally -= pn_validate_hash(self->key, maps[i].where);
    for (uint32_t suspended = 0; suspended <= 1; suspended++)
        for (uint32_t link = entry->first_attempt[suspended][PN_SCHEDULER_MAP]; link != 0;
             link = self->view.attempts[link - 1].after)
            tally -= pn_validate_hash(self->key, self->view.attempts[link - 1].node);
    return tally == 0;
}

/* Checks one of a job's two lists of attempts of a kind. */
static bool job_attempts_sound(const scheduler_validation *self, uint32_t job, uint32_t kind,
                               uint32_t suspended)
{
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    uint32_t before = 0, count = 0, twins = 0,
             expected = suspended ? entry->suspended[kind] : entry->running[kind];
    for (uint32_t link = entry->first_attempt[suspended][kind]; link != 0;
         before = link, link = self->view.attempts[link - 1].after) {
        if (link > self->s->fleet.attempt_places.used || ++count > expected)
            return false;
        const pn_scheduler_attempt *attempt = &self->view.attempts[link - 1];
        if (!attempt->busy || attempt->suspended != suspended || attempt->job != job ||
            attempt->kind != kind || attempt->before != before)
            return false;
        twins += attempt->twin != 0;
    }
    return count == expected && before == entry->last_attempt[suspended][kind] &&
           (suspended || twins == 2 * entry->copied[kind]);
}

/* ---- jobs ---- */

/* Checks how a job is limited and held back. */
static bool terms_sound(const scheduler_validation *self, uint32_t place, uint32_t kind)
{
    const pn_scheduler_terms *it = &self->view.terms[place];
    if (!self->s->agrees)
        return true;
    return (it->held[kind] != 0) == (it->opens[kind] != 0) &&
           (self->s->restrains || (it->limit[kind] == UINT32_MAX && it->opens[kind] == 0));
}

/* Checks where a job is among the candidates for a kind of slot. */
static bool standing_sound(const scheduler_validation *self, uint32_t place, uint32_t kind)
{
    const pn_scheduler *s = self->s;
    const pn_scheduler_entry *job = &self->view.jobs[place];
    bool candidate = pn_scheduler_is_open(&self->view, place, kind) &&
                     (pn_scheduler_pending_of(s, job, kind) > 0 || job->suspended[kind] > 0);
    return (job->place[kind] != 0) == candidate && terms_sound(self, place, kind) &&
           (!candidate || job->ranked[kind] == pn_scheduler_rank_of(&self->view, place, kind));
}

static bool promises_sound(const pn_scheduler *s, const pn_scheduler_entry *job)
{
    bool known = job->est_ms[0] > 0 && (job->tasks[1] == 0 || job->est_ms[1] > 0);
    return job->est_ms[0] <= PN_SCHEDULER_EST_MOST && job->est_ms[1] <= PN_SCHEDULER_EST_MOST &&
           (known || !pn_scheduler_needs_estimates(s));
}

static bool scheduler_job_sound(const scheduler_validation *self, uint32_t job)
{
    const pn_scheduler *s = self->s;
    const pn_scheduler_entry *entry = &self->view.jobs[job];
    bool mapped = entry->done[PN_SCHEDULER_MAP] == entry->tasks[PN_SCHEDULER_MAP];
    if (entry->id > s->totals.submitted ||
        (entry->group != 0 && entry->group >= s->config.groups_max) ||
        entry->submit > s->totals.time || entry->deadline > PN_INTEGER_MAX || entry->input < 1 ||
        entry->input > PN_INTEGER_MAX || entry->intermediate < 1 ||
        entry->intermediate > PN_INTEGER_MAX || entry->weight < 1 ||
        entry->weight > (uint64_t)1 << 62 || entry->own_weight < 1 ||
        entry->own_weight > PN_SCHEDULER_WEIGHT_MOST ||
        !pn_scheduler_priority_sane(entry->priority))
        return false;
    if (!promises_sound(s, entry) || !shape_sound(self, job) || !replicas_sound(self, job))
        return false;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (!tasks_sound(self, job, kind) || !job_attempts_sound(self, job, kind, 0) ||
            !job_attempts_sound(self, job, kind, 1) || !standing_sound(self, job, kind))
            return false;
    if ((entry->map_finish != PN_SCHEDULER_NEVER) != mapped ||
        (mapped && entry->map_finish > s->totals.time))
        return false;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (entry->first_start[kind] > s->totals.time &&
            (entry->first_start[kind] != PN_SCHEDULER_NEVER ||
             entry->running[kind] + entry->suspended[kind] + entry->done[kind] > 0))
            return false;
    return hosts_sound(self, job);
}

/* Checks a place whose job is over or that is free: it is in no set. */
static bool in_no_set(const scheduler_validation *self, uint32_t place)
{
    const pn_scheduler_entry *job = &self->view.jobs[place];
    const pn_scheduler_terms *it = &self->view.terms[place];
    return job->place[0] == 0 && job->place[1] == 0 &&
           (!self->s->agrees || (it->held[0] == 0 && it->held[1] == 0));
}

/* Checks the jobs in the system, in order of submission. Each attempt is in a list of its job:
 * there are as many in all lists together. */
static bool scheduler_system_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    uint32_t before = 0, count = 0, holding = 0;
    uint64_t tasks = 0, replicas = 0, running = 0, suspended[PN_SCHEDULER_KINDS] = {0, 0},
             copied[PN_SCHEDULER_KINDS] = {0, 0};
    for (uint32_t link = s->fleet.first_job; link != 0;
         before = link, link = self->view.jobs[link - 1].after) {
        if (link > s->fleet.job_places.used || ++count > s->totals.in_system)
            return false;
        const pn_scheduler_entry *entry = &self->view.jobs[link - 1];
        if (entry->id == 0 || entry->ended || entry->before != before)
            return false;
        tasks += (uint64_t)entry->tasks[0] + entry->tasks[1];
        replicas += entry->replica_count;
        running += (uint64_t)entry->running[0] + entry->running[1];
        holding += entry->running[0] + entry->running[1] > 0;
        for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
            suspended[kind] += entry->suspended[kind];
            copied[kind] += entry->copied[kind];
        }
    }
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++)
        if (suspended[kind] != s->suspended[kind] || copied[kind] != s->copied[kind])
            return false;
    return count == s->totals.in_system && before == s->fleet.last_job &&
           tasks == s->totals.tasks_held && replicas == s->totals.replicas_held &&
           running == s->running && holding == s->holding;
}

/* Checks the order of jobs with deadlines: those that have started first. */
static bool scheduler_order_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    uint32_t before = 0, count = 0,
             expected = s->order.started_first ? s->totals.in_system + s->remembered : 0;
    bool met = s->last_started == 0;
    for (uint32_t link = s->first_in_order; link != 0;
         before = link, link = self->view.turns[link - 1].behind) {
        if (link > s->fleet.job_places.used || ++count > expected)
            return false;
        if (self->view.jobs[link - 1].id == 0 || self->view.turns[link - 1].ahead != before ||
            self->view.turns[link - 1].doomed > 1)
            return false;
        met |= link == s->last_started;
    }
    return count == expected && before == s->last_in_order && met;
}

/* Checks the slots recorded with a job: a heap of groups that are as many slots as there are. */
static bool record_sound(const scheduler_validation *self, uint32_t job, uint32_t kind)
{
    const pn_scheduler *s = self->s;
    const uint64_t *times = (const uint64_t *)pn_at(self->s, s->record_times[kind]) +
                            (size_t)job * s->capacity[kind];
    const uint32_t *counts = (const uint32_t *)pn_at(self->s, s->record_counts[kind]) +
                             (size_t)job * s->capacity[kind];
    uint64_t slots = 0;
    if (self->view.turns[job].groups[kind] > s->capacity[kind])
        return false;
    for (uint32_t i = 0; i < self->view.turns[job].groups[kind]; i++) {
        if (counts[i] == 0 || times[i] > PN_SLOTS_LAST || (i > 0 && times[i] < times[(i - 1) / 2]))
            return false;
        slots += counts[i];
    }
    return slots == s->capacity[kind];
}

static bool is_present(const scheduler_validation *self, uint32_t job)
{
    return self->view.jobs[job].id != 0 && self->view.jobs[job].ended == 0;
}

/* Checks that each list of the store is that of a present job. */
static bool scheduler_store_sound(const scheduler_validation *self)
{
    uint32_t lists, wanted = 0;
    uint64_t tally = 0;
    if (!pn_validate_lists(&self->view.store, self->s->fleet.job_places.used, &lists))
        return false;
    for (uint32_t job = 0; job < self->s->fleet.job_places.used; job++) {
        bool wants = is_present(self, job);
        wanted += wants;
        tally += wants ? pn_validate_hash(self->key, self->view.jobs[job].list) : 0;
    }
    return wanted == lists && tally == pn_validate_lists_tally(&self->view.store, self->key);
}

static bool scheduler_jobs_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    uint32_t in_system = 0, remembered = 0;
    uint64_t free = 0;
    if (!scheduler_store_sound(self) || !scheduler_system_sound(self))
        return false;
    for (uint32_t job = 0; job < s->fleet.job_places.used; job++) {
        const pn_scheduler_entry *entry = &self->view.jobs[job];
        bool present = is_present(self, job);
        if (entry->ended > 1 || entry->failed > 1 || entry->late > 1)
            return false;
        if (present ? !scheduler_job_sound(self, job) : !in_no_set(self, job))
            return false;
        if (entry->id != 0 && pn_scheduler_records(&s->admission) &&
            (!record_sound(self, job, 0) || !record_sound(self, job, 1)))
            return false;
        in_system += present;
        remembered += entry->id != 0 && entry->ended;
        free -= entry->id == 0 ? pn_validate_hash(self->key, job) : 0;
    }
    return in_system == s->totals.in_system && remembered == s->remembered &&
           pn_validate_free(&s->fleet.job_places, PN_LINKS(self->view.jobs, after), s->jobs_max,
                            in_system + remembered, self->key, &free) &&
           free == 0 && scheduler_order_sound(self);
}

/* ---- sets ---- */

static bool sets_sound(const scheduler_validation *self)
{
    const pn_scheduler *s = self->s;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        uint32_t candidates = 0, held = 0;
        for (uint32_t rank = 0; rank < PN_SCHEDULER_RANKS; rank++) {
            const pn_heap *heap = &self->view.candidates[kind][rank];
            if (!pn_validate_heap(heap, s->fleet.job_places.used))
                return false;
            for (uint32_t i = 0; i < heap->state->count; i++)
                if (self->view.jobs[heap->entry[i].item].ranked[kind] != rank)
                    return false;
            candidates += heap->state->count;
        }
        if (!pn_validate_heap(&self->view.held[kind], s->fleet.job_places.used))
            return false;
        for (uint32_t job = 0; job < s->fleet.job_places.used; job++) {
            candidates -= self->view.jobs[job].place[kind] != 0;
            held += self->s->agrees && self->view.terms[job].held[kind] != 0;
        }
        if (candidates != 0 || held != s->held[kind].count)
            return false;
    }
    return true;
}

int pn_scheduler_validate(const void *block, size_t size)
{
    scheduler_validation self;
    int status = pn_block_check(block, size, pn_scheduler_magic, sizeof(pn_scheduler));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.s = (pn_scheduler *)(uintptr_t)block;
    if (!scheduler_layout_sound(self.s) || !scheduler_policy_sound(self.s) ||
        !scheduler_counts_sound(self.s) ||
        !pn_fleet_samples_sound(&self.s->samples, block, self.s->config.groups_max))
        return PN_ERR_DAMAGED;
    pn_scheduler_view_build(&self.view, self.s, NULL);
    self.key = pn_validate_key(block, (size_t)self.s->head.size);
    bool sound = scheduler_attempts_sound(&self) && scheduler_nodes_sound(&self) &&
                 scheduler_jobs_sound(&self) &&
                 pn_attributes_sound(pn_scheduler_attributes_of(self.s),
                                     self.s->fleet.job_places.used) &&
                 sets_sound(&self);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
