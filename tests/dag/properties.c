/* What must hold in the dag model beside its rules: what dominant resource fairness promises
 * (Ghodsi et al. 2011, section 3), that it is fair where there is one resource, tags of HFSP as
 * exact weighted processor sharing has them, floors of Tetris's scores, and bounds below every
 * run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dag/support/instance.h"

enum { RANDOM = 1500, SEED = 2011 };

/* ---- running ---- */

static pn_stream stream_of(uint32_t number)
{
    pn_stream stream;
    pn_stream_init(&stream, SEED, number, 1);
    return stream;
}

static void require(bool what, const char *text, const dag_instance *on)
{
    if (what)
        return;
    dag_instance_print(&on->scenario);
    fail_msg("%s: %s", on->scenario.policy, text);
}

/* Both outcomes are to be freed. */
static void run(const dag_instance *given, dag_manner how, naive_dag_result *want, dag_outcome *out)
{
    naive_dag_run(&given->scenario, want);
    dag_instance_run(&given->scenario, want, how, out);
    require(out->status == PN_DONE && out->fault[0] == '\0', out->fault, given);
}

static void done_with(naive_dag_result *want, dag_outcome *out)
{
    naive_dag_free(want);
    naive_dag_free(&out->result);
}

/* ---- dominant resource fairness ---- */

enum { MANY = 400, LONG = 1000000 };

/* One node; jobs of one stage whose tasks are more than fit, and do not end while it is looked at:
 * what is launched at time 0 is what progressive filling gives. */
static void draw_divided(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    dag_instance_draw(to, stream, DAG_JOBS);
    s->params = naive_dag_defaults();
    s->params.max_time_ms = 1;
    s->failure_count = s->queue_count = 0;
    s->policy = "drf";
    s->group_count = 1;
    to->nodes[0] = (naive_dag_nodes){.count = 1, .speed = 1000};
    for (uint32_t r = 0; r < s->resource_count; r++)
        to->nodes[0].capacity[r] = pn_uniform(stream, 20, 200);
    for (uint32_t j = 0; j < s->job_count; j++) {
        naive_dag_stage *stage = &to->stages[j][0];
        *stage = (naive_dag_stage){.tasks = MANY, .duration = LONG, .start_ms = 0};
        for (uint32_t r = 0; r < s->resource_count; r++)
            stage->demand[r] = pn_uniform(stream, r == 0 ? 1 : 0, to->nodes[0].capacity[r] / 5);
        to->jobs[j] = (naive_dag_job){
            .weight = 1, .deadline = NAIVE_DAG_NEVER, .stages = stage, .stage_count = 1};
    }
}

static void count_launches(const naive_dag_result *result, uint32_t launched[DAG_JOBS])
{
    memset(launched, 0, DAG_JOBS * sizeof launched[0]);
    for (size_t i = 0; i < result->event_count; i++)
        launched[result->events[i].job] += result->events[i].kind == NAIVE_DAG_LAUNCH;
}

/* The share of the cluster that a task of the job holds of a resource. */
static double part(const dag_instance *of, uint32_t job, uint32_t resource)
{
    return (double)of->stages[job][0].demand[resource] / (double)of->nodes[0].capacity[resource];
}

static double dominant(const dag_instance *of, uint32_t job)
{
    double largest = 0;
    for (uint32_t r = 0; r < of->scenario.resource_count; r++)
        if (part(of, job, r) > largest)
            largest = part(of, job, r);
    return largest;
}

/* How many tasks of a job would run on what `tasks` tasks of another one hold. */
static double tasks_on(const dag_instance *of, uint32_t job, uint32_t other, double tasks)
{
    double least = 1e9;
    for (uint32_t r = 0; r < of->scenario.resource_count; r++) {
        double demand = part(of, job, r), held = tasks * part(of, other, r);
        if (demand > 0 && held / demand < least)
            least = held / demand;
    }
    return least;
}

/* Let j's next task not fit for want of r. Then more than 1 - d_j of r is in use; each job i holds
 * at most its dominant share s_i of it, and s_i <= s_j + d_i, since its last task was launched
 * while its share was the smallest. Hence n s_j + (sum of all d) >= 1: sharing incentive up to the
 * mean task. What another job k then holds of j's dominant resource is no more than s_j + d_k, and
 * what it gets afterwards is less than one demand of j in r: no envy up to 1 + d_k / d_j tasks. */
static void test_drf_promises(void **unused)
{
    static dag_instance drawn;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream = stream_of(number);
        naive_dag_result want;
        dag_outcome out;
        uint32_t launched[DAG_JOBS], jobs;
        double all = 0;
        draw_divided(&drawn, &stream);
        jobs = drawn.scenario.job_count;
        run(&drawn, (dag_manner){.stepping = false}, &want, &out);
        count_launches(&out.result, launched);
        for (uint32_t j = 0; j < jobs; j++)
            all += dominant(&drawn, j);
        for (uint32_t j = 0; j < jobs; j++) {
            double own = dominant(&drawn, j), share = launched[j] * own;
            require(launched[j] < MANY, "the cluster is full", &drawn);
            require(jobs * share + all >= 1 - 1e-9, "sharing incentive", &drawn);
            for (uint32_t k = 0; k < jobs; k++)
                require(tasks_on(&drawn, j, k, launched[k]) <=
                            launched[j] + 1 + dominant(&drawn, k) / own + 1e-9,
                        "no envy", &drawn);
        }
        done_with(&want, &out);
    }
}

static void leave_one_resource(dag_instance *of)
{
    size_t others = (NAIVE_DAG_RESOURCES - 1) * sizeof(uint64_t);
    of->scenario.resource_count = 1;
    for (uint32_t g = 0; g < of->scenario.group_count; g++)
        memset(of->nodes[g].capacity + 1, 0, others);
    for (uint32_t j = 0; j < of->scenario.job_count; j++)
        for (uint32_t i = 0; i < of->jobs[j].stage_count; i++)
            memset(of->stages[j][i].demand + 1, 0, others);
}

/* Where there is one resource, and every task takes as much of it, drf and fair are the same. */
static void test_drf_is_fair_for_one_resource(void **unused)
{
    static dag_instance drawn;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream = stream_of(number);
        naive_dag_result fair, drf;
        dag_outcome out;
        char what[300];
        uint64_t demand;
        dag_instance_draw(&drawn, &stream, DAG_JOBS);
        leave_one_resource(&drawn);
        demand = pn_uniform(&stream, 1, drawn.nodes[0].capacity[0]);
        for (uint32_t j = 0; j < drawn.scenario.job_count; j++)
            for (uint32_t i = 0; i < drawn.jobs[j].stage_count; i++)
                drawn.stages[j][i].demand[0] = demand;
        drawn.scenario.params.executors = NAIVE_DAG_NONE; /* demands are smaller */
        drawn.scenario.params.move_ms = drawn.scenario.params.fresh_ms = 0;
        drawn.scenario.policy = "fair";
        naive_dag_run(&drawn.scenario, &fair);
        drawn.scenario.policy = "drf";
        run(&drawn, (dag_manner){.stepping = false}, &drf, &out);
        require(dag_instance_agree(&out, &fair, what, sizeof what), what, &drawn);
        naive_dag_free(&fair);
        done_with(&drf, &out);
    }
}

/* ---- hfsp ---- */

typedef struct tags {
    double of[DAG_JOBS];
    uint64_t work[DAG_JOBS], arrival[DAG_JOBS];
    uint32_t weight[DAG_JOBS], count;
} tags;

static tags noted; /* by the policy below */

static int note_tag(pn_dispatch_view *view, uint32_t job)
{
    tags *to = &noted;
    pn_wide tag = pn_dispatch_virtual_tag(view, job);
    uint32_t place = (uint32_t)pn_dispatch_id(view, job) - 1;
    to->of[place] = (double)tag.high * 18446744073709551616.0 + (double)tag.low;
    to->work[place] = pn_dispatch_work(view, job);
    to->arrival[place] = pn_dispatch_now(view);
    to->weight[place] = pn_dispatch_weight_of(view, job);
    to->count += to->count == place;
    return PN_OK;
}

static const pn_dispatch_policy TAGGED = {
    .name = "tagged", .order = {.virtual_run = 1}, .arrive = note_tag};

/* When each job ends in a cluster that shares itself exactly, in virtual time: the cluster serves
 * 10^9 a ms, each job by its weight. */
static double exact_tag(const tags *given, uint32_t job)
{
    double left[DAG_JOBS] = {0}, served = 0, now = 0;
    for (uint32_t next = 0;;) {
        double weights = 0, least = 1e300, until = 1e300;
        uint32_t first = DAG_JOBS;
        while (next <= job && (double)given->arrival[next] <= now) {
            left[next] = served + (double)given->work[next] / given->weight[next];
            if (next == job)
                return left[next];
            next++;
        }
        for (uint32_t j = 0; j < next; j++)
            if (left[j] > served)
                weights += given->weight[j];
        for (uint32_t j = 0; j < next; j++)
            if (left[j] > served && left[j] < least)
                least = left[j], first = j;
        until = (double)given->arrival[next];
        if (first < DAG_JOBS && now + (least - served) * weights / 1e9 <= until) {
            now += (least - served) * weights / 1e9;
            served = least;
        } else {
            served += weights > 0 ? (until - now) * 1e9 / weights : 0;
            now = until;
        }
    }
}

/* Times of the virtual cluster are whole ms, rounded up, so a job may leave 1 ms late: each of
 * those before it moves the tag by 10^9 at most. */
static void test_hfsp_tags(void **unused)
{
    static dag_instance drawn;
    double worst = 0;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream = stream_of(number);
        naive_dag_result want;
        dag_outcome out;
        noted.count = 0;
        dag_instance_draw(&drawn, &stream, DAG_JOBS);
        drawn.scenario.policy = "fifo";
        drawn.scenario.failure_count = 0;
        drawn.scenario.params.max_time_ms = 0;
        run(&drawn, (dag_manner){.unchecked = true, .policy = &TAGGED}, &want, &out);
        require(noted.count == drawn.scenario.job_count, "all jobs have come", &drawn);
        for (uint32_t j = 0; j < noted.count; j++) {
            double apart = noted.of[j] - exact_tag(&noted, j);
            worst = apart > worst ? apart : -apart > worst ? -apart : worst;
            require(apart <= 1e9 * j + 16 && -apart <= 1e9 * j + 16, "a tag", &drawn);
        }
        done_with(&want, &out);
    }
    printf("hfsp: tags and exact sharing are at most %.3f ms of the cluster apart\n", worst / 1e9);
}

/* ---- packing ---- */

enum { CAPACITY = 1000000 };

/* One node that a first job fills but for a few units, and small tasks for these: alignments are so
 * small that floored quotients of DG23 are equal, or just not, for work that differs by a unit. */
static void draw_crowded(dag_instance *to, pn_stream *stream)
{
    naive_dag_scenario *s = &to->scenario;
    uint64_t room = pn_uniform(stream, 1, 6);
    dag_instance_draw(to, stream, DAG_JOBS);
    s->params = naive_dag_defaults();
    s->params.max_time_ms = 0;
    s->params.tetris_m_permille = (uint32_t)pn_uniform(stream, 0, 3000);
    s->failure_count = s->queue_count = 0;
    s->policy = "tetris";
    s->group_count = s->resource_count = 1;
    to->nodes[0] = (naive_dag_nodes){.count = 1, .speed = 1000, .capacity = {CAPACITY}};
    for (uint32_t j = 0; j < s->job_count; j++) {
        naive_dag_stage *stage = &to->stages[j][0];
        *stage = (naive_dag_stage){.tasks = j == 0 ? 1 : (uint32_t)pn_uniform(stream, 1, 2),
                                   .duration = j == 0 ? LONG : pn_uniform(stream, 1, 8)};
        stage->demand[0] = j == 0 ? CAPACITY - room : pn_uniform(stream, 1, room > 1 ? 2 : 1);
        to->jobs[j] = (naive_dag_job){.arrival = j > 0,
                                      .weight = 1,
                                      .deadline = NAIVE_DAG_NEVER,
                                      .stages = stage,
                                      .stage_count = 1};
    }
}

static void test_packing_of_nearly_equal_scores(void **unused)
{
    static dag_instance drawn;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM; number++) {
        pn_stream stream = stream_of(number);
        naive_dag_result want;
        dag_outcome out;
        char what[200] = "";
        draw_crowded(&drawn, &stream);
        run(&drawn, (dag_manner){.unchecked = true}, &want, &out);
        require(dag_instance_agree(&out, &want, what, sizeof what), what, &drawn);
        done_with(&want, &out);
    }
}

/* ---- bounds ---- */

static void test_bounds_are_below_every_run(void **unused)
{
    static dag_instance drawn;
    (void)unused;
    for (uint32_t number = 0; number < RANDOM / 3; number++) {
        pn_stream stream = stream_of(number);
        dag_instance_draw(&drawn, &stream, DAG_JOBS);
        drawn.scenario.params.max_time_ms = 0;
        for (size_t i = 0; pn_dispatch_policy_at(i); i++) {
            naive_dag_result want;
            dag_outcome out;
            drawn.scenario.policy = pn_dispatch_policy_at(i)->name;
            run(&drawn, (dag_manner){.stepping = false}, &want, &out);
            const naive_dag_totals *got = &out.result.totals;
            if (got->finished == got->jobs)
                require(got->bound_total_jct <= got->total_jct &&
                            got->bound_makespan <= got->makespan,
                        "a bound is above the run", &drawn);
            for (uint32_t j = 0; j < out.result.record_count; j++)
                require(!out.result.records[j].finished ||
                            out.result.records[j].jct >= out.result.records[j].alone,
                        "no job is faster than alone", &drawn);
            done_with(&want, &out);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drf_promises),
        cmocka_unit_test(test_drf_is_fair_for_one_resource),
        cmocka_unit_test(test_hfsp_tags),
        cmocka_unit_test(test_packing_of_nearly_equal_scores),
        cmocka_unit_test(test_bounds_are_below_every_run),
    };
    printf("seed %d\n", SEED);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
