/* The table of `make bench`: what a unit of work costs in a bare loop, under the built-in policy,
 * under its twin in Lua as it is interpreted and as it is compiled, and in SimPy where that is
 * installed, all in one run; and the bytes of a block for a waiting job. Best of several rounds of
 * processor time. The schedules of built-in policies and twins must be the same. */
#include "bare_cluster.h"
#include "bare_dag.h"
#include "bare_slotted.h"
#include "bare_tandem.h"
#include "pinion_lua.h"
#include "slotted/support/workload.h"
#include "tandem/support/workload.h"

typedef struct extent {
    uint32_t rounds, seeds;
    size_t slotted_jobs; /* of a seed */
    size_t tandem_jobs;
    uint32_t cluster_scale; /* cuts nodes and tasks of the month */
    uint32_t dag_nodes, dag_jobs;
    uint32_t peer_jobs;
} extent;

typedef struct outcome {
    double seconds;
    uint64_t units, digest;
} outcome;

enum { NATIVE, LUA, COMPILED, WAYS };

/* A model's workload, and what runs it. Policies are of the model's type. */
typedef struct subject {
    const char *model;
    const void *work;
    outcome (*run)(const void *work, const void *policy);
    const void *(*find)(const char *name);
    const void *(*of_lua)(const pn_lua_policy *policy);
    double (*job_bytes)(const void *policy);
} subject;

static void need(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "bench: %s\n", what);
        exit(1);
    }
}

/* ---- the policies ---- */

static pn_lua_policy *load_twin(const char *model, const char *name, int compile)
{
    char path[96], message[PN_LUA_MESSAGE_SIZE];
    static char text[1 << 16];
    pn_lua_options options = pn_lua_defaults();
    pn_lua_policy *policy;
    options.compile = compile;
    int length = snprintf(path, sizeof path, "policies/%s/%s.lua", model, name);
    for (int i = 0; i < length; i++)
        path[i] = path[i] == '-' ? '_' : path[i];
    FILE *file = fopen(path, "rb");
    need(file != NULL, path);
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    need(pn_lua_policy_load(&policy, path, text, size, &options, message, sizeof message) == PN_OK,
         message);
    return policy;
}

/* ---- rows ---- */

static void title(void)
{
    printf("%-24s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "ns", "bare", "native", "Lua", "compiled",
           "SimPy", "native/", "Lua/", "compiled", "bytes");
    printf("%-24s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "loop", "", "", "Lua", "", "bare",
           "native", "/native", "/ job");
}

static void put(double value, int digits)
{
    if (value > 0)
        printf(" %8.*f", digits, value);
    else
        printf(" %8s", "-");
}

/* Returns what SimPy takes for a unit; 0 where there is none. */
static double simpy(const char *work, uint32_t jobs)
{
    char command[96];
    double ns = 0;
    snprintf(command, sizeof command, "python3 tests/bench/simpy_queues.py %s %u 2>/dev/null", work,
             jobs);
    FILE *peer = popen(command, "r");
    if (!peer)
        return 0;
    if (fscanf(peer, "%lf", &ns) != 1)
        ns = 0;
    pclose(peer);
    return ns;
}

/* Measures the policy `name` each way and prints its row; `bare`: seconds of a unit in the bare
 * loop, or null; `mode`: of the model, or "". */
static void row(const subject *it, const char *name, const char *mode, uint32_t rounds,
                double (*bare)(const void *work), double peer)
{
    char label[64];
    double ns[WAYS] = {0}, loop = 0;
    const void *native = it->find(name);
    pn_lua_policy *twins[WAYS] = {NULL, load_twin(it->model, name, PN_LUA_INTERPRETED),
                                  load_twin(it->model, name, PN_LUA_COMPILED)};
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t digest = 0;
        if (bare)
            loop = best(loop, 1e9 * bare(it->work));
        for (int way = 0; way < WAYS; way++) {
            outcome made = it->run(it->work, way == NATIVE ? native : it->of_lua(twins[way]));
            need(way == NATIVE || made.digest == digest, "the twin's schedule is another one");
            digest = made.digest;
            ns[way] = best(ns[way], 1e9 * made.seconds / (double)made.units);
        }
    }
    snprintf(label, sizeof label, "  %s%s%s", name, *mode ? ", " : "", mode);
    printf("%-24s", label);
    put(loop, 1);
    for (int way = 0; way < WAYS; way++)
        put(ns[way], 1);
    put(peer, 0);
    put(loop > 0 ? ns[NATIVE] / loop : 0, 2);
    put(ns[LUA] / ns[NATIVE], 2);
    put(ns[COMPILED] / ns[NATIVE], 2);
    printf(" %8.0f\n", it->job_bytes(native));
    fflush(stdout);
    for (int way = LUA; way < WAYS; way++)
        pn_lua_policy_free(twins[way]);
}

/* ---- slotted: exp(5) maps, exp(40) reduces, 100 machines, 2 jobs a slot, 500 slots ---- */

enum { MACHINES = 100, ROOM = 2048 };

typedef struct slotted_subject {
    slotted_workload *works;
    uint32_t seeds, reduce;
} slotted_subject;

static pn_slotted_config slotted_config_of(const pn_slotted_policy *policy, uint32_t reduce)
{
    pn_slotted_config config = pn_slotted_defaults();
    config.machines = MACHINES;
    config.jobs_max = ROOM;
    config.stretches_max = 2 * ROOM;
    config.reduce = reduce;
    config.policy = policy;
    return config;
}

static outcome run_slotted(const void *work, const void *policy)
{
    const slotted_subject *it = work;
    const pn_slotted_hooks hooks = {.policy = policy};
    outcome made = {0, 0, 0};
    for (uint32_t seed = 0; seed < it->seeds; seed++) {
        const slotted_workload *jobs = &it->works[seed];
        pn_slotted_config config = slotted_config_of(policy, it->reduce);
        pn_slotted_totals totals;
        pn_slotted *sim;
        size_t size = pn_slotted_size(&config);
        void *block = block_alloc(size);
        must(pn_slotted_init(&sim, block, size, &config));
        double start = now();
        for (size_t i = 0; i < jobs->count; i++) {
            must(pn_slotted_run(sim, &hooks, jobs->jobs[i].arrival - 1));
            must(pn_slotted_submit(sim, &jobs->jobs[i], NULL));
        }
        must(pn_slotted_run(sim, &hooks, PN_SLOTTED_FOREVER));
        made.seconds += now() - start;
        made.digest = pn_mix(made.digest, pn_slotted_digest(sim));
        pn_slotted_totals_get(sim, &totals);
        made.units += totals.last_finish;
        free(block);
    }
    return made;
}

static double bare_slotted(const void *work)
{
    const slotted_subject *it = work;
    double seconds = 0;
    uint64_t slots = 0;
    for (uint32_t seed = 0; seed < it->seeds; seed++) {
        double start = now();
        slotted_bare_result made = slotted_bare_run(it->works[seed].jobs, it->works[seed].count,
                                                    MACHINES, it->reduce == PN_SLOTTED_PREEMPTIVE,
                                                    1);
        seconds += now() - start;
        slots += made.last;
    }
    return seconds / (double)slots;
}

static const void *find_slotted(const char *name)
{
    return pn_slotted_policy_find(name);
}

static const void *slotted_of_lua(const pn_lua_policy *policy)
{
    return pn_lua_policy_slotted(policy);
}

static double slotted_bytes(const void *policy)
{
    pn_slotted_config config = slotted_config_of(policy, PN_SLOTTED_PREEMPTIVE);
    if (!config.policy->preemptive)
        config.reduce = PN_SLOTTED_NONPREEMPTIVE;
    size_t size = pn_slotted_size(&config);
    config.jobs_max *= 2;
    return (double)(pn_slotted_size(&config) - size) / ROOM;
}

/* A lower bound is no policy that could be written. */
static bool has_twin(const pn_slotted_policy *policy, uint32_t reduce)
{
    return (reduce == PN_SLOTTED_PREEMPTIVE ? policy->preemptive : policy->nonpreemptive) &&
           !policy->relaxed;
}

static void slotted_rows(const extent *scale)
{
    static const char *const modes[] = {
        [PN_SLOTTED_PREEMPTIVE] = "preemptive", [PN_SLOTTED_NONPREEMPTIVE] = ""};
    slotted_subject work = {checked(malloc(scale->seeds * sizeof *work.works)), scale->seeds, 0};
    const subject it = {"slotted", &work, run_slotted, find_slotted, slotted_of_lua, slotted_bytes};
    const pn_slotted_policy *policy;
    for (uint32_t seed = 0; seed < scale->seeds; seed++)
        work.works[seed] = slotted_new(
            scale->slotted_jobs, seed + 1,
            (slotted_shape){.rate = 2, .maps = 5, .reduces = 40, .tasks = 10});
    printf("slotted, a slot\n");
    for (size_t i = 0; (policy = pn_slotted_policy_at(i)); i++)
        for (work.reduce = 0; work.reduce < SLOTTED_MODES; work.reduce++)
            if (has_twin(policy, work.reduce))
                row(&it, policy->name, modes[work.reduce], scale->rounds,
                    strcmp(policy->name, "asrpt") == 0 ? bare_slotted : NULL, 0);
    for (uint32_t seed = 0; seed < scale->seeds; seed++)
        slotted_free(&work.works[seed]);
    free(work.works);
}

/* ---- tandem: log-normal sizes at load .75 (TA22) ---- */

typedef struct tandem_subject {
    tandem_workload jobs;
    tandem_bare_job *bare;
    double (*loop)(const tandem_bare_job *jobs, size_t count);
} tandem_subject;

static void draw_tandem(tandem_subject *it, size_t count)
{
    pn_stream stream;
    double time = 0;
    it->jobs = (tandem_workload){count, checked(calloc(count, sizeof *it->jobs.jobs))};
    it->bare = checked(calloc(count, sizeof *it->bare));
    pn_stream_init(&stream, 1, 0, 0);
    for (size_t i = 0; i < count; i++) {
        time += pn_exponential(&stream, 1 / 0.75);
        double map = pn_lognormal(&stream, 1, 3.65), factor = pn_lognormal(&stream, 1, 3.28);
        it->jobs.jobs[i] = (pn_tandem_job){.arrival = time, .map = map, .shuffle = map * factor};
        it->bare[i] = (tandem_bare_job){.arrival = time, .map = map, .shuffle = map * factor};
    }
}

static pn_tandem_config tandem_config_of(const void *policy)
{
    pn_tandem_config config = pn_tandem_defaults();
    config.jobs_max = 1 << 16;
    config.policy = policy;
    return config;
}

static outcome run_tandem(const void *work, const void *policy)
{
    enum { CHUNK = 256 };
    const tandem_workload *jobs = &((const tandem_subject *)work)->jobs;
    const pn_tandem_hooks hooks = {.policy = policy};
    pn_tandem_config config = tandem_config_of(policy);
    pn_tandem *sim;
    size_t size = pn_tandem_size(&config);
    void *block = block_alloc(size);
    must(pn_tandem_init(&sim, block, size, &config));
    double start = now();
    for (size_t i = 0; i < jobs->count;) {
        for (size_t end = i + CHUNK; i < end && i < jobs->count; i++)
            must(pn_tandem_submit(sim, &jobs->jobs[i], NULL));
        must(pn_tandem_run(sim, &hooks, PN_TANDEM_ARRIVAL, UINT64_MAX));
    }
    must(pn_tandem_run(sim, &hooks, PN_TANDEM_FOREVER, UINT64_MAX));
    outcome made = {now() - start, jobs->count, pn_tandem_digest(sim)};
    free(block);
    return made;
}

static double bare_tandem(const void *work)
{
    const tandem_subject *it = work;
    double start = now();
    need(it->loop(it->bare, it->jobs.count) > 0, "the bare loop failed");
    return (now() - start) / (double)it->jobs.count;
}

static const void *find_tandem(const char *name)
{
    return pn_tandem_policy_find(name);
}

static const void *tandem_of_lua(const pn_lua_policy *policy)
{
    return pn_lua_policy_tandem(policy);
}

static double tandem_bytes(const void *policy)
{
    pn_tandem_config config = tandem_config_of(policy);
    size_t size = pn_tandem_size(&config);
    config.jobs_max *= 2;
    return (double)(pn_tandem_size(&config) - size) / (1 << 16);
}

static double loop_of_sharing(const tandem_bare_job *jobs, size_t count)
{
    return tandem_bare_sharing(jobs, count, SIZE_MAX);
}

static void tandem_rows(const extent *scale)
{
    static const struct {
        const char *name;
        double (*loop)(const tandem_bare_job *jobs, size_t count);
    } rows[] = {{"fcfs", tandem_bare_fcfs}, {"maxsrpt", tandem_bare_maxsrpt},
                {"ps", loop_of_sharing},    {"xmax", NULL},
                {"srptmap", NULL},          {"srptsum", NULL},
                {"srptshuffle", NULL},      {"bsrpt", NULL},
                {"splitsrpt", NULL}};
    tandem_subject work;
    const subject it = {"tandem", &work, run_tandem, find_tandem, tandem_of_lua, tandem_bytes};
    draw_tandem(&work, scale->tandem_jobs);
    printf("tandem, a job\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        work.loop = rows[i].loop;
        row(&it, rows[i].name, "", scale->rounds, work.loop ? bare_tandem : NULL,
            i == 0 ? simpy("fcfs", scale->peer_jobs) : 0);
    }
    for (size_t i = 0; i < work.jobs.count; i++)
        work.jobs.jobs[i].shuffle = work.bare[i].shuffle = 0;
    work.loop = tandem_bare_srpt;
    row(&it, "srptmap", "one station", scale->rounds, bare_tandem, 0);
    free(work.jobs.jobs);
    free(work.bare);
}

/* ---- cluster: a hundredth of a month in a data centre ---- */

static outcome run_cluster(const void *work, const void *policy)
{
    uint32_t scale = *(const uint32_t *)work;
    const pn_scheduler_nodes nodes = {MONTH_NODES / scale, MONTH_MAP_SLOTS, MONTH_REDUCE_SLOTS,
                                      1000};
    pn_cluster_config config = month_config(&nodes, scale, policy);
    const pn_cluster_hooks hooks = {.policy = policy};
    pn_cluster_totals totals;
    pn_cluster *sim;
    size_t size = pn_cluster_size(&config);
    void *block = block_alloc(size);
    must(pn_cluster_init(&sim, block, size, &config));
    double start = now();
    must(month_run(sim, &hooks, scale));
    outcome made = {now() - start, 0, pn_cluster_digest(sim)};
    pn_cluster_totals_get(sim, &totals);
    made.units = totals.scheduler.launches;
    free(block);
    return made;
}

static double bare_cluster(const void *work)
{
    uint32_t scale = *(const uint32_t *)work, nodes = MONTH_NODES / scale;
    cluster_bare it = {.free = {nodes * MONTH_MAP_SLOTS, nodes * MONTH_REDUCE_SLOTS},
                       .room = 1 << 16};
    it.heap = checked(
        malloc((size_t)nodes * (MONTH_MAP_SLOTS + MONTH_REDUCE_SLOTS) * sizeof *it.heap));
    it.jobs = checked(malloc(it.room * sizeof *it.jobs));
    double start = now();
    cluster_bare_month(&it, scale);
    double seconds = now() - start;
    free(it.heap);
    free(it.jobs);
    return seconds / (MONTH_TASKS / scale);
}

static const void *find_cluster(const char *name)
{
    return pn_scheduler_policy_find(name);
}

static const void *cluster_of_lua(const pn_lua_policy *policy)
{
    return pn_lua_policy_cluster(policy);
}

/* Without its tasks. */
static double cluster_bytes(const void *policy)
{
    const pn_scheduler_nodes nodes = {1, 1, 1, 1000};
    pn_cluster_config config = month_config(&nodes, 1, policy);
    size_t size = pn_cluster_size(&config);
    uint32_t jobs = config.scheduler.jobs_max;
    config.scheduler.jobs_max *= 2;
    return (double)(pn_cluster_size(&config) - size) / jobs;
}

static void cluster_rows(const extent *scale)
{
    static const char *const names[] = {"fifo", "fair", "hsrtf-pu", "hsrtf-pr"};
    const subject it = {"cluster",    &scale->cluster_scale, run_cluster,
                        find_cluster, cluster_of_lua,        cluster_bytes};
    printf("cluster, a task\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        row(&it, names[i], "", i < 2 ? scale->rounds : 1, bare_cluster,
            i == 0 ? simpy("slots", scale->peer_jobs / 10) : 0);
}

/* ---- dag: jobs of 1 to 20 stages on nodes of two resources, load .8 ---- */

typedef struct dag_subject {
    uint32_t nodes, jobs;
} dag_subject;

static pn_dag_config dag_config_of(const pn_dispatch_nodes *nodes, const void *policy)
{
    pn_dag_config config = pn_dag_defaults();
    config.dispatch.nodes = nodes;
    config.dispatch.nodes_count = 1;
    config.dispatch.resources = 2;
    config.dispatch.policy = policy;
    config.dispatch.classes_max = 64;
    config.dispatch.attempts_max = nodes->count * (CPU / 500);
    config.dispatch.jobs_max = 4 * nodes->count;
    config.dispatch.stages_max = 11 * config.dispatch.jobs_max + 1000;
    config.dispatch.edges_max = 10 * config.dispatch.jobs_max + 1000;
    return config;
}

static outcome run_dag(const void *work, const void *policy)
{
    const dag_subject *it = work;
    const pn_dispatch_nodes nodes = {.capacity = {CPU, MEMORY}, .count = it->nodes};
    const pn_dag_hooks hooks = {.policy = policy};
    pn_dag_config config = dag_config_of(&nodes, policy);
    dag_source from = dag_source_of(it->nodes, 0.8);
    pn_dag_totals totals;
    pn_dag *sim;
    size_t size = pn_dag_size(&config);
    void *block = block_alloc(size);
    must(pn_dag_init(&sim, block, size, &config));
    double start = now();
    for (uint32_t i = 0; i < it->jobs; i++) {
        pn_dag_job job = dag_next_job(&from);
        if (job.arrival > 0)
            must(pn_dag_run(sim, &hooks, job.arrival - 1, UINT64_MAX));
        must(pn_dag_submit(sim, &job, NULL));
    }
    must(pn_dag_run(sim, &hooks, PN_DAG_FOREVER, UINT64_MAX));
    outcome made = {now() - start, 0, pn_dag_digest(sim)};
    pn_dag_totals_get(sim, &totals);
    made.units = totals.dispatch.launches;
    free(block);
    return made;
}

static double bare_dag(const void *work)
{
    const dag_subject *of = work;
    dag_source from = dag_source_of(of->nodes, 0.8);
    dag_bare it = dag_bare_new(of->nodes, (size_t)of->jobs * STAGES_MOST);
    double start = now();
    for (uint32_t i = 0; i < of->jobs; i++) {
        pn_dag_job job = dag_next_job(&from);
        dag_bare_advance(&it, job.arrival);
        dag_bare_submit(&it, &job);
    }
    dag_bare_advance(&it, UINT64_MAX);
    double seconds = (now() - start) / (double)it.launched;
    dag_bare_free(&it);
    return seconds;
}

static const void *find_dag(const char *name)
{
    return pn_dispatch_policy_find(name);
}

static const void *dag_of_lua(const pn_lua_policy *policy)
{
    return pn_lua_policy_dag(policy);
}

/* Without its stages. */
static double dag_bytes(const void *policy)
{
    const pn_dispatch_nodes nodes = {.capacity = {CPU, MEMORY}, .count = 1000};
    pn_dag_config config = dag_config_of(&nodes, policy);
    size_t size = pn_dag_size(&config);
    config.dispatch.jobs_max += 1000;
    return (double)(pn_dag_size(&config) - size) / 1000;
}

static void dag_rows(const extent *scale)
{
    static const char *const names[] = {"fifo", "fair", "srpt", "las", "cp", "sjf-cp", "drf"};
    const dag_subject work = {scale->dag_nodes, scale->dag_jobs};
    const subject it = {"dag", &work, run_dag, find_dag, dag_of_lua, dag_bytes};
    printf("dag, a task\n");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        row(&it, names[i], "", scale->rounds, bare_dag, 0);
}

/* ---- the machine ---- */

static void machine(void)
{
    char line[256], date[16];
    time_t day = time(NULL);
    FILE *file = fopen("/proc/cpuinfo", "r");
    const char *name = NULL;
    while (file && !name && fgets(line, sizeof line, file))
        name = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&day));
    printf("%s, processor%.*s, %s\n\n", date, name ? (int)strcspn(name, "\n") : 0, name ? name : "",
#if defined(__clang__)
           "clang " __clang_version__
#elif defined(__GNUC__)
           "gcc " __VERSION__
#else
           "another compiler"
#endif
    );
    if (file)
        fclose(file);
}

int main(int count, char **arguments)
{
    const extent small = {1, 1, 100, 1000, 2500, 100, 500, 100};
    const extent whole = {5, 20, 1000, 100000, 100, 1000, 10000, 20000};
    const extent *scale = count > 1 && strcmp(arguments[1], "small") == 0 ? &small : &whole;
    machine();
    title();
    slotted_rows(scale);
    tandem_rows(scale);
    cluster_rows(scale);
    dag_rows(scale);
    return 0;
}
