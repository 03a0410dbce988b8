/* Bytes become the text of a workload in Lua. If it is one, its first jobs are made with little
 * memory and a small budget, by two Lua states that take turns, and by one of them once more from
 * the first job on. What must hold: all three make the same jobs or meet the same failure; jobs
 * arrive in order and have what their model needs; nobody holds more memory than allowed, and in
 * the end nobody holds any. */
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"
#include "pinion_lua.h"

enum { JOBS = 32, STATES = 2 };
enum { MEMORY = 256 << 10, BUDGET = 10000, BESIDE = 128 << 10 };

static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    size_t *mine = user;
    *mine += new_size - (block ? old_size : 0);
    must(*mine <= MEMORY + BESIDE, "a workload holds no more memory than it may");
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void print(void *user, const char *line)
{
    (void)user;
    must(line[0] != '\0', "a line that is printed names its file");
}

static pn_lua_workload *load(const char *text, size_t size, size_t *held,
                             char message[PN_LUA_MESSAGE_SIZE])
{
    pn_lua_options options = pn_lua_defaults();
    pn_lua_workload *made;
    options.memory = MEMORY;
    options.budget = BUDGET;
    options.allocate = allocate;
    options.print = print;
    options.user = held;
    int status = pn_lua_workload_load(&made, "fuzz.lua", text, size, &options, message,
                                      PN_LUA_MESSAGE_SIZE);
    must(status == PN_OK || status == PN_ERR_POLICY, "a text is a workload or is none");
    must((status == PN_OK) == (made != NULL) && (status == PN_OK) == (message[0] == '\0'),
         "and if none there is a reason");
    return made;
}

/* ---- jobs ---- */

static uint64_t mix_list(uint64_t digest, const uint64_t *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++)
        digest = pn_mix(digest, list[i]);
    return digest;
}

static uint64_t mix_double(uint64_t digest, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return pn_mix(digest, word);
}

static int next_slotted(pn_lua_workload *from, uint64_t *digest, double *latest)
{
    pn_slotted_job job;
    int status = pn_lua_workload_next_slotted(from, &job);
    if (status != 1)
        return status;
    must(job.arrival >= 1 && (double)job.arrival >= *latest, "jobs arrive in order");
    *latest = (double)job.arrival;
    *digest = pn_mix(pn_mix(pn_mix(*digest, job.arrival), job.maps), job.group);
    *digest = mix_list(*digest, job.reduces, job.reduce_count);
    return 1;
}

static int next_tandem(pn_lua_workload *from, uint64_t *digest, double *latest)
{
    pn_tandem_job job;
    int status = pn_lua_workload_next_tandem(from, &job);
    if (status != 1)
        return status;
    must(job.map >= 0 && job.shuffle >= 0 && job.arrival >= 0, "sizes are not negative");
    must(pn_lua_workload_gaps(from) || job.arrival >= *latest, "jobs arrive in order");
    *latest = job.arrival;
    *digest = mix_double(mix_double(mix_double(*digest, job.arrival), job.map), job.shuffle);
    return 1;
}

static int next_makespan(pn_lua_workload *from, uint64_t *digest, double *latest)
{
    pn_makespan_job job;
    int status = pn_lua_workload_next_makespan(from, &job);
    (void)latest;
    for (int s = 0; status == 1 && s < 2; s++)
        for (uint32_t i = 0; i < job.stage[s].stretch_count; i++) {
            must(job.stage[s].stretches[i].count > 0, "a stretch has tasks");
            *digest = pn_mix(pn_mix(*digest, job.stage[s].stretches[i].duration),
                             job.stage[s].stretches[i].count);
        }
    return status;
}

static int next_cluster(pn_lua_workload *from, uint64_t *digest, double *latest)
{
    pn_cluster_job job;
    int status = pn_lua_workload_next_cluster(from, &job);
    if (status != 1)
        return status;
    must(job.maps >= 1 && (double)job.submit >= *latest, "jobs arrive in order");
    *latest = (double)job.submit;
    *digest = pn_mix(pn_mix(pn_mix(*digest, job.submit), job.maps), job.map_ms);
    *digest = mix_list(*digest, job.map_times, job.maps);
    *digest = mix_list(*digest, job.reduce_times, job.reduces);
    return 1;
}

static int next_dag(pn_lua_workload *from, uint64_t *digest, double *latest)
{
    pn_dag_job job;
    int status = pn_lua_workload_next_dag(from, &job);
    if (status != 1)
        return status;
    must((double)job.arrival >= *latest, "jobs arrive in order");
    must(job.stage_count >= 1, "a job has a stage");
    *latest = (double)job.arrival;
    *digest = pn_mix(*digest, job.arrival);
    for (uint32_t s = 0; s < job.stage_count; s++) {
        const pn_dag_stage *stage = &job.stages[s];
        must(stage->tasks >= 1, "a stage has a task");
        for (uint32_t i = 0; i < stage->parent_count; i++)
            must(stage->parents[i] < job.stage_count, "parents are stages of the job");
        *digest = pn_mix(pn_mix(*digest, stage->tasks), stage->duration);
        *digest = mix_list(*digest, stage->durations, stage->durations ? stage->tasks : 0);
    }
    return 1;
}

/* ---- making them ---- */

typedef int next_job(pn_lua_workload *from, uint64_t *digest, double *latest);

static next_job *next_of(const pn_lua_workload *from)
{
    const char *model = pn_lua_workload_model(from);
    return strcmp(model, "slotted") == 0    ? next_slotted
           : strcmp(model, "tandem") == 0   ? next_tandem
           : strcmp(model, "makespan") == 0 ? next_makespan
           : strcmp(model, "cluster") == 0  ? next_cluster
                                            : next_dag;
}

typedef struct outcome {
    int status;
    uint64_t digest;
    double latest;
    char message[PN_LUA_MESSAGE_SIZE];
} outcome;

static void begin(pn_lua_workload *from, outcome *o)
{
    memset(o, 0, sizeof *o);
    o->digest = PN_MIX_START;
    o->status = pn_lua_workload_start(from, 7, 1) == PN_OK ? 1 : PN_ERR_POLICY;
}

static void step(pn_lua_workload *from, outcome *o)
{
    if (o->status == 1)
        o->status = next_of(from)(from, &o->digest, &o->latest);
}

static void end(const pn_lua_workload *from, outcome *o)
{
    snprintf(o->message, sizeof o->message, "%s", pn_lua_workload_message(from));
    must((o->status < 0) == (o->message[0] != '\0'), "a failure has a message");
}

/* Where a call meets its ceiling or its budget may differ from state to state. */
static bool met_a_limit(const outcome *o)
{
    return strstr(o->message, "needs more than") || strstr(o->message, "used up its budget");
}

static void compare(const outcome *a, const outcome *b)
{
    if (met_a_limit(a) || met_a_limit(b))
        return;
    must(a->status == b->status && a->digest == b->digest, "the same text makes the same jobs");
    must(strcmp(a->message, b->message) == 0, "and meets the same failure");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char messages[STATES][PN_LUA_MESSAGE_SIZE];
    size_t held[STATES] = {0};
    pn_lua_workload *made[STATES];
    outcome outcomes[STATES + 1];
    for (int i = 0; i < STATES; i++)
        made[i] = load((const char *)bytes, size, &held[i], messages[i]);
    if (made[0] && made[1]) {
        for (int i = 0; i < STATES; i++)
            begin(made[i], &outcomes[i]);
        for (int k = 0; k < STATES * JOBS; k++)
            step(made[k % STATES], &outcomes[k % STATES]);
        for (int i = 0; i < STATES; i++)
            end(made[i], &outcomes[i]);
        begin(made[0], &outcomes[STATES]);
        for (int k = 0; k < JOBS; k++)
            step(made[0], &outcomes[STATES]);
        end(made[0], &outcomes[STATES]);
        compare(&outcomes[0], &outcomes[1]);
        compare(&outcomes[0], &outcomes[STATES]);
    }
    for (int i = 0; i < STATES; i++) {
        pn_lua_workload_free(made[i]);
        must(held[i] == 0, "in the end nobody holds memory");
    }
    return 0;
}
