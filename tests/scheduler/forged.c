/* Blocks of the scheduler core that no run has made: attempts that are those of other tasks or of
 * no list, jobs in no list, rules that the policy does not have. Validation refuses them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "scheduler/state.h"
#include "scheduler/support/host.h"
#include "support/forged.h"

/* Begins to forge what has come about. */
static forgery forgery_in(const host *h, pn_scheduler_view *view)
{
    pn_scheduler_view_build(view, h->s, &h->hooks);
    return forgery_of(h->s, pn_scheduler_block_size(h->s), pn_scheduler_validate);
}

static void end(host *h, forgery *f)
{
    cluster_log_free(&h->log);
    forgery_end(f);
}

static void submit(host *h, uint64_t now, uint32_t maps)
{
    const pn_scheduler_job job = job_of(maps, 10, 0, 0, 0);
    assert_int_equal(pn_scheduler_submit(h->s, &h->hooks, now, &job, NULL), PN_OK);
}

/* ---- policies -------------------------------------------------------------------------------- */

static void blocks_without_a_policy_have_none_of_its_marks(void **unused)
{
    pn_scheduler_view view;
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    forgery f = forgery_in(&h, &view);
    REFUSED(f, h.s->preempts = 1);
    end(&h, &f);
}

/* The policy has become one that starts second attempts. */
static void second_attempts_are_of_blocks_with_copies(void **unused)
{
    pn_scheduler_view view;
    pn_scheduler_form form;
    host h;
    (void)unused;
    start(&h, NULL, two);
    h.hooks.policy = pn_scheduler_fifo();
    submit(&h, 0, 1);
    forgery f = forgery_in(&h, &view);
    memcpy(&form, h.s->fleet.binding.shape, sizeof form);
    form.functions |= 1 << PN_SCHEDULER_HAS_COPY;
    REFUSED(f, memcpy(h.s->fleet.binding.shape, &form, sizeof form), h.s->copier = 1,
            h.s->plans = 1);
    end(&h, &f);
}

static int hold(pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_hold(view, job, REDUCE, 100);
    return PN_OK;
}

static void jobs_are_held_back_by_policies_that_restrain(void **unused)
{
    static const pn_scheduler_policy holding = {.name = "holding", .arrive = hold};
    pn_scheduler_view view;
    host h;
    (void)unused;
    start(&h, &holding, two);
    submit(&h, 0, 1);
    forgery f = forgery_in(&h, &view);
    assert_true(h.s->restrains && view.terms[0].opens[REDUCE] == 100);
    REFUSED(f, h.s->restrains = 0);
    end(&h, &f);
}

/* ---- attempts -------------------------------------------------------------------------------- */

/* Starts a second attempt of a task that runs on another node. */
static int copy_first(pn_scheduler_view *view, uint32_t node, uint32_t kind, uint32_t *place)
{
    uint32_t job = pn_scheduler_next(view, PN_NO_JOB);
    uint32_t at = pn_scheduler_next_attempt(view, job, kind, PN_SCHEDULER_NO_ATTEMPT);
    if (pn_scheduler_attempt_task(view, at).node != node)
        *place = at;
    return PN_OK;
}

static void attempts_are_of_tasks_that_run(void **unused)
{
    pn_scheduler_policy copying = *pn_scheduler_fifo();
    pn_scheduler_config config = config_for(NULL, three);
    pn_scheduler_view view;
    host h;
    (void)unused;
    copying.copy = copy_first;
    config.copies = 1;
    set_up(&h, &copying, &config);
    submit(&h, 0, 2);
    for (uint32_t node = 0; node < 3; node++)
        offer(&h, 0, node, PN_OK);
    forgery f = forgery_in(&h, &view);
    pn_scheduler_attempt *attempts = view.attempts;
    pn_scheduler_entry *job = &view.jobs[0];
    pn_scheduler_task_entry *maps = pn_scheduler_tasks_of(&view, 0, MAP);
    assert_true(attempts[0].twin == 3 && attempts[2].twin == 1 && attempts[1].task == 1);
    REFUSED(f, attempts[2].task = 1);
    REFUSED(f, attempts[0].twin = attempts[2].twin = 0);
    /* the second task is done, and its attempt, which runs, is in no list of the job */
    REFUSED(f, maps[1].state = PN_SCHEDULER_TASK_DONE, maps[1].where = 1, job->done[MAP] = 1,
            job->running[MAP] = 2, attempts[0].after = 3, attempts[2].before = 1);
    end(&h, &f);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static void jobs_are_in_the_list_of_the_system(void **unused)
{
    pn_scheduler_view view;
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    submit(&h, 0, 1);
    forgery f = forgery_in(&h, &view);
    pn_scheduler_entry *job = &view.jobs[0];
#define UNLISTED                                    \
    h.s->fleet.first_job = h.s->fleet.last_job = 0, \
    h.s->totals.in_system = h.s->totals.tasks_held = 0, h.s->totals.replicas_held = 0
    REFUSED(f, UNLISTED);
    REFUSED(f, UNLISTED, job->tasks[MAP] = ((uint32_t)1 << 24) + 1);
    REFUSED(f, UNLISTED, job->tasks[REDUCE] = ((uint32_t)1 << 24) + 1);
    REFUSED(f, UNLISTED, job->replica_count = h.s->config.replicas_max + 1);
    uint64_t *head = pn_lists_of(&view.store, 0) - 1;
    REFUSED(f, ++*head, h.s->store.used++, h.s->store.live++);
    /* there is no list where the job says that it has its own */
    REFUSED(f, UNLISTED, h.s->store.live = 0, *head = pn_lists_head_size(*head),
            job->list = (uint64_t)1 << 40);
    end(&h, &f);
}

/* The list of the job that is there becomes that of a free place. */
static void lists_are_those_of_jobs(void **unused)
{
    pn_scheduler_view view;
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    submit(&h, 0, 1);
    submit(&h, 0, 1);
    offer(&h, 0, 0, PN_OK);
    finish(&h, 5, 1, MAP, 0);
    forgery f = forgery_in(&h, &view);
    assert_true(view.jobs[0].id == 0 && view.jobs[1].id == 2);
    uint64_t *head = pn_lists_of(&view.store, 1) - 1;
    REFUSED(f, view.jobs[0].list = view.jobs[1].list++,
            *head = (uint64_t)1 << PN_LISTS_OWNER_SHIFT | pn_lists_head_size(*head));
    end(&h, &f);
}

static void tables_of_hosts_have_an_empty_place(void **unused)
{
    pn_scheduler_view view;
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    submit(&h, 0, 1);
    forgery f = forgery_in(&h, &view);
    pn_scheduler_entry *job = &view.jobs[0];
    pn_scheduler_host *hosts = (void *)(pn_scheduler_list(&view, 0) + job->hosts);
    job->hosts_used = job->host_places;
    for (uint32_t i = 0; i < job->host_places; i++)
        hosts[i].node = 1;
    forgery_check(&f, PN_ERR_DAMAGED, __FILE__, __LINE__);
    end(&h, &f);
}

static void statistics_are_validated(void **unused)
{
    pn_scheduler_config config = config_for(NULL, two);
    pn_scheduler_view view;
    host h;
    (void)unused;
    config.statistics = config.groups_max = 1;
    set_up(&h, pn_scheduler_fifo(), &config);
    forgery f = forgery_in(&h, &view);
    for (uint32_t sample = 0; sample < 3; sample++) {
        REFUSED_OF(f, pn_scheduler_samples(h.s, sample, PN_ALL_GROUPS));
        REFUSED_OF(f, pn_scheduler_samples(h.s, sample, 0));
    }
    end(&h, &f);
}

static void ids_have_an_end(void **unused)
{
    const pn_scheduler_job job = job_of(1, 10, 0, 0, 0);
    host h;
    (void)unused;
    start(&h, pn_scheduler_fifo(), two);
    h.s->totals.submitted = PN_INTEGER_MAX;
    kept before = keep(h.s, pn_scheduler_block_size(h.s));
    assert_int_equal(pn_scheduler_submit(h.s, &h.hooks, 0, &job, NULL), PN_ERR_OVERFLOW);
    check_unchanged(&before);
    stop(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_without_a_policy_have_none_of_its_marks),
        cmocka_unit_test(second_attempts_are_of_blocks_with_copies),
        cmocka_unit_test(jobs_are_held_back_by_policies_that_restrain),
        cmocka_unit_test(attempts_are_of_tasks_that_run),
        cmocka_unit_test(jobs_are_in_the_list_of_the_system),
        cmocka_unit_test(lists_are_those_of_jobs),
        cmocka_unit_test(tables_of_hosts_have_an_empty_place),
        cmocka_unit_test(statistics_are_validated),
        cmocka_unit_test(ids_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
