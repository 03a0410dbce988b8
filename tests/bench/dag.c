/* Speed and memory of the dag model: ten thousand nodes of two resources, jobs of 1 to 20 stages
 * with two tasks each on average and 32 different demands, beside a bare list scheduler in the same
 * run. Once with a load that the cluster bears, once with ten times that, so that jobs pile up; and
 * on few nodes with so many jobs waiting all the time, a hundred to a million: what a task costs
 * must not depend on how many these are. Nor may it on how many tasks a node gets in one
 * millisecond, or on how many demands a job has. */
#define _DEFAULT_SOURCE
#include "bare_dag.h"

static double bench_reference(uint32_t nodes, uint32_t jobs, double load)
{
    dag_source from = dag_source_of(nodes, load);
    dag_bare it = dag_bare_new(nodes, (size_t)jobs * STAGES_MOST);
    double start = now();
    for (uint32_t i = 0; i < jobs; i++) {
        pn_dag_job job = dag_next_job(&from);
        dag_bare_advance(&it, job.arrival);
        dag_bare_submit(&it, &job);
    }
    dag_bare_advance(&it, UINT64_MAX);
    double seconds = now() - start;
    printf("  %-14s %9s %11u %8.1f %12.0f\n", "bare reference", "", jobs, seconds,
           (double)it.launched / seconds);
    dag_bare_free(&it);
    return seconds;
}

/* ---- the model ---- */

static int run_jobs(pn_dag *sim, const pn_dag_hooks *hooks, dag_source *from, uint32_t jobs)
{
    for (uint32_t i = 0; i < jobs; i++) {
        pn_dag_job job = dag_next_job(from);
        int status = job.arrival > 0 ? pn_dag_run(sim, hooks, job.arrival - 1, UINT64_MAX) : PN_OK;
        if (status >= 0)
            status = pn_dag_submit(sim, &job, NULL);
        if (status < 0)
            return status;
    }
    return pn_dag_run(sim, hooks, PN_DAG_FOREVER, UINT64_MAX);
}

/* Room grows as it does in the front end: what was too small is doubled, and the run begins
 * again. */
static void bench_policy(const pn_dispatch_policy *policy, uint32_t nodes, uint32_t jobs,
                         double load, double reference)
{
    pn_dispatch_nodes all = {.capacity = {CPU, MEMORY}, .count = nodes};
    pn_dag_config config = pn_dag_defaults();
    pn_dag_hooks hooks = {.policy = policy};
    int status = PN_ERR_FULL;
    config.dispatch.nodes = &all;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.policy = policy;
    config.dispatch.classes_max = 64;
    config.dispatch.attempts_max = nodes * (CPU / 500);
    config.dispatch.jobs_max = load > 1 ? jobs : nodes;
    while (status == PN_ERR_FULL) {
        pn_dag_totals totals;
        pn_dag *sim;
        dag_source from = dag_source_of(nodes, load);
        config.dispatch.stages_max = 11 * config.dispatch.jobs_max + 1000;
        config.dispatch.edges_max = 10 * config.dispatch.jobs_max + 1000;
        size_t size = pn_dag_size(&config);
        void *block = block_alloc(size);
        must(pn_dag_init(&sim, block, size, &config));
        double start = now();
        status = run_jobs(sim, &hooks, &from, jobs);
        double seconds = now() - start;
        pn_dag_totals_get(sim, &totals);
        if (status == PN_DONE)
            printf("  %-14s %8.2fx %11llu %8.1f %12.0f %8.0f %9.0f   %u jobs at most\n",
                   policy->name, seconds / reference, (unsigned long long)totals.dispatch.finished,
                   seconds, (double)totals.dispatch.launches / seconds, (double)size / (1 << 20),
                   (double)totals.dispatch.total_jct.low / (double)totals.dispatch.finished / 1000,
                   totals.jobs_held_max);
        free(block);
        config.dispatch.jobs_max *= 2;
    }
    must(status == PN_DONE ? PN_OK : status);
}

/* ---- jobs that wait ---- */

enum { FEW_NODES = 10, STEP_MS = 1000, TASKS = 200000 };

/* Jobs of one or two stages, so that a million of them find room. */
static dag_source small_jobs(void)
{
    dag_source made = {.stages_most = 2};
    pn_stream_init(&made.stream, 5, 0, 0);
    return made;
}

/* Both: as many jobs as are missing come every second, so that so many are there all the time.
 * Microseconds for a task, behind the first second. */
static double bare_waiting(uint32_t waiting)
{
    dag_source from = small_jobs();
    dag_bare it = dag_bare_new(FEW_NODES, 2 * ((size_t)waiting + TASKS));
    double start = 0;
    size_t before = 0;
    for (uint64_t time = 0; it.launched < before + TASKS; time += STEP_MS) {
        dag_bare_advance(&it, time);
        while (it.last - it.first < waiting) {
            pn_dag_job job = dag_next_job(&from);
            job.arrival = time;
            dag_bare_submit(&it, &job);
        }
        if (time == 0) {
            start = now();
            before = it.launched;
        }
    }
    double seconds = now() - start;
    dag_bare_free(&it);
    return 1e6 * seconds / TASKS;
}

typedef struct waited {
    double us; /* for a task */
    size_t size;
} waited;

static waited policy_waiting(const pn_dispatch_policy *policy, uint32_t waiting)
{
    pn_dispatch_nodes all = {.capacity = {CPU, MEMORY}, .count = FEW_NODES};
    pn_dag_config config = pn_dag_defaults();
    pn_dag_hooks hooks = {.policy = policy};
    pn_dag_totals totals = {.time = 0};
    dag_source from = small_jobs();
    pn_dag *sim;
    double start = 0;
    uint64_t before = 0;
    config.dispatch.nodes = &all;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.policy = policy;
    config.dispatch.classes_max = 64;
    config.dispatch.attempts_max = FEW_NODES * (CPU / 500);
    config.dispatch.jobs_max = waiting;
    config.dispatch.stages_max = 2 * waiting;
    config.dispatch.edges_max = waiting;
    size_t size = pn_dag_size(&config);
    void *block = block_alloc(size);
    must(pn_dag_init(&sim, block, size, &config));
    for (uint64_t time = 0; totals.dispatch.launches < before + TASKS; time += STEP_MS) {
        if (time > 0)
            must(pn_dag_run(sim, &hooks, time - 1, UINT64_MAX));
        pn_dag_totals_get(sim, &totals);
        for (uint32_t held = totals.jobs_held; held < waiting; held++) {
            pn_dag_job job = dag_next_job(&from);
            job.arrival = time;
            must(pn_dag_submit(sim, &job, NULL));
        }
        if (time == 0) {
            must(pn_dag_run(sim, &hooks, time, UINT64_MAX));
            pn_dag_totals_get(sim, &totals);
            before = totals.dispatch.launches;
            start = now();
        }
    }
    double seconds = now() - start;
    free(block);
    return (waited){1e6 * seconds / (double)(totals.dispatch.launches - before), size};
}

static void waiting_table(uint32_t most)
{
    const pn_dispatch_policy *const policies[] = {pn_dispatch_fifo(), pn_dispatch_srpt(),
                                                  pn_dispatch_drf(), pn_dispatch_tetris()};
    enum { POLICIES = sizeof policies / sizeof policies[0] };
    printf("  %10s %8s", "waiting", "bare");
    for (int i = 0; i < POLICIES; i++)
        printf(" %8s %7s", policies[i]->name, "of bare");
    printf(" %12s\n", "bytes / job");
    for (uint32_t waiting = 100; waiting <= most; waiting *= 10) {
        double reference = bare_waiting(waiting);
        waited run = {0, 0};
        printf("  %10u %8.2f", waiting, reference);
        for (int i = 0; i < POLICIES; i++) {
            run = policy_waiting(policies[i], waiting);
            printf(" %8.2f %6.1fx", run.us, run.us / reference);
        }
        printf(" %12.0f\n", (double)run.size / waiting);
    }
}

/* ---- much at once ---- */

enum { MANY = PN_DISPATCH_STAGES_MOST };

static double us_a_launch(const pn_dispatch_job *jobs, uint32_t count, uint32_t tasks,
                          const pn_dispatch_policy *policy)
{
    const pn_dispatch_nodes node = {.capacity = {(uint64_t)1 << 40}, .count = 1};
    const pn_dispatch_hooks hooks = {.policy = policy};
    pn_dispatch_config config = pn_dispatch_defaults();
    pn_dispatch *core;
    config.nodes = &node;
    config.nodes_count = 1;
    config.policy = policy;
    config.jobs_max = count;
    config.stages_max = MANY;
    config.attempts_max = tasks;
    size_t size = pn_dispatch_size(&config);
    void *block = block_alloc(size);
    must(pn_dispatch_init(&core, block, size, &config));
    double start = now();
    for (uint32_t i = 0; i < count; i++)
        must(pn_dispatch_submit(core, &hooks, 0, &jobs[i], NULL));
    must(pn_dispatch_run(core, &hooks, 0, UINT64_MAX));
    double seconds = now() - start;
    free(block);
    return 1e6 * seconds / tasks;
}

/* Two jobs of n / 2 tasks, of which the second one goes first. */
static double same_ms(uint32_t n)
{
    const pn_dispatch_stage stages[] = {{.demand = {1}, .estimate = 10, .tasks = n / 2},
                                        {.demand = {1}, .estimate = 5, .tasks = n / 2}};
    const pn_dispatch_job jobs[] = {{.stages = &stages[0], .stage_count = 1},
                                    {.stages = &stages[1], .stage_count = 1}};
    return us_a_launch(jobs, 2, n, pn_dispatch_sjf_cp());
}

/* A job of n stages with n different demands. */
static double many_demands(uint32_t n)
{
    static pn_dispatch_stage stages[MANY];
    for (uint32_t i = 0; i < n; i++)
        stages[i] = (pn_dispatch_stage){.demand = {i + 1}, .estimate = 10, .tasks = 1};
    const pn_dispatch_job job = {.stages = stages, .stage_count = n};
    return us_a_launch(&job, 1, n, pn_dispatch_fifo());
}

/* Jobs of ten tasks, most with a demand of their own, that all wait for one node. */
static double own_demands(uint32_t n)
{
    const pn_dispatch_nodes node = {.capacity = {CPU, MEMORY}, .count = 1};
    pn_dag_config config = pn_dag_defaults();
    pn_dag_hooks hooks = {.policy = pn_dispatch_fifo()};
    pn_stream stream;
    pn_dag *sim;
    pn_stream_init(&stream, 5, 0, 0);
    config.dispatch.nodes = &node;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.policy = hooks.policy;
    config.dispatch.jobs_max = config.dispatch.stages_max = config.dispatch.classes_max = n;
    config.dispatch.attempts_max = CPU;
    size_t size = pn_dag_size(&config);
    void *block = block_alloc(size);
    must(pn_dag_init(&sim, block, size, &config));
    for (uint32_t i = 0; i < n; i++) {
        const pn_dag_stage stage = {
            .demand = {pn_uniform(&stream, 100, CPU / 4), pn_uniform(&stream, 100, MEMORY / 4)},
            .duration = pn_uniform(&stream, 1, 1000),
            .tasks = 10};
        const pn_dag_job job = {.stages = &stage, .stage_count = 1};
        must(pn_dag_submit(sim, &job, NULL));
    }
    double start = now();
    int status = pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX);
    double seconds = now() - start;
    must(status == PN_DONE ? PN_OK : status);
    free(block);
    return 1e6 * seconds / (10 * n);
}

static void much_table(void)
{
    const uint32_t n = MANY / 4, few = 1000;
    printf("  %-52s %10u %10u\n", "n", n, 4 * n);
    printf("  %-52s %10.2f %10.2f\n", "n launches in one ms on a node, sjf-cp", same_ms(n),
           same_ms(4 * n));
    printf("  %-52s %10.2f %10.2f\n", "a job of n stages, each with its own demand, fifo",
           many_demands(n), many_demands(4 * n));
    printf("  %-52s %10u %10u\n", "n", few, 4 * few);
    printf("  %-52s %10.2f %10.2f\n", "n jobs that wait, each with its own demand, fifo",
           own_demands(few), own_demands(4 * few));
}

/* ---- memory ---- */

static size_t size_with(uint32_t jobs, uint32_t stages, uint32_t edges, uint32_t attempts)
{
    pn_dispatch_nodes all = {.capacity = {CPU, MEMORY}, .count = NODES};
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = &all;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.policy = pn_dispatch_drf();
    config.dispatch.classes_max = 64;
    config.dispatch.jobs_max = jobs;
    config.dispatch.stages_max = stages;
    config.dispatch.edges_max = edges;
    config.dispatch.attempts_max = attempts;
    return pn_dag_size(&config);
}

/* Bytes that one more of each takes. A task takes memory while it runs, or waits to run again. */
static void memory(void)
{
    enum { N = 100000 };
    double base = (double)size_with(N, N, N, N);
    printf(
        "  bytes: %.0f a job, %.0f a stage, %.0f an edge, %.0f a running task, 0 a pending one\n",
        ((double)size_with(2 * N, N, N, N) - base) / N,
        ((double)size_with(N, 2 * N, N, N) - base) / N,
        ((double)size_with(N, N, 2 * N, N) - base) / N,
        ((double)size_with(N, N, N, 2 * N) - base) / N);
}

static void table(uint32_t nodes, uint32_t jobs, double load, bool all)
{
    printf("  %-14s %9s %11s %8s %12s %8s %9s\n", "", "of bare", "jobs", "s", "tasks / s", "MiB",
           "JCT");
    double reference = bench_reference(nodes, jobs, load);
    const pn_dispatch_policy *const few[] = {pn_dispatch_fifo(), pn_dispatch_srpt(),
                                             pn_dispatch_drf(), NULL};
    const pn_dispatch_policy *policy;
    for (uint32_t i = 0; (policy = all ? pn_dispatch_policy_at(i) : few[i]); i++)
        bench_policy(policy, nodes, jobs, load, reference);
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    uint32_t nodes = small ? 100 : NODES, jobs = small ? 2000 : JOBS;
    if (argc > 1 && strcmp(argv[1], "waiting") == 0) {
        waiting_table(1000000);
        return 0;
    }
    printf("dag: %u jobs of 1 to 20 stages on %u nodes, load 0.8 (JCT: mean, s)\n", jobs, nodes);
    table(nodes, jobs, 0.8, false);
    printf("\n... a tenth of the jobs, load 10\n");
    table(nodes, jobs / 10, 10, false);
    printf("\n... %d tasks on %d nodes while so many jobs wait: microseconds a task\n", TASKS,
           FEW_NODES);
    waiting_table(small ? 1000 : 1000000);
    printf("\n... much at once: microseconds a launch\n");
    much_table();
    printf("\n... memory\n");
    memory();
    printf("\n... every policy on a hundredth of nodes and jobs, load 1.1\n");
    table(nodes / 10, jobs / 100, 1.1, true);
    return 0;
}
