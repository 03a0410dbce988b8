/* Jobs of the slotted model. */
#include "generator/state.h"

enum { REDUCES, TASKS };

static const char *const fields[] = {"reduces", "tasks", NULL};

enum { LIST_REDUCES };
#define TASKS_MOST ((uint64_t)1 << 24)

/* Cuts a number of units, in near-equal tasks: the larger first. */
static void cut(lua_State *L, pn_lua_workload *self, pn_slotted_job *job)
{
    uint64_t units = generator_integer(L, self, REDUCES, 0, PN_INTEGER_MAX, 0);
    uint64_t tasks = generator_integer(L, self, TASKS, 1, TASKS_MOST, 1), *pieces;
    tasks = tasks < units ? tasks : units;
    pieces = generator_list_room(L, self, LIST_REDUCES, (size_t)tasks, sizeof *pieces);
    for (uint64_t i = 0; i < tasks; i++)
        pieces[i] = units / tasks + (i < units % tasks ? 1 : 0);
    job->reduces = pieces;
    job->reduce_count = (size_t)tasks;
}

static void read_list(lua_State *L, pn_lua_workload *self, pn_slotted_job *job)
{
    size_t count = generator_list_length(L, self, REDUCES, (size_t)TASKS_MOST);
    uint64_t *reduces = generator_list_room(L, self, LIST_REDUCES, count, sizeof *reduces);
    if (generator_has(L, TASKS))
        generator_refuse(L, self, TASKS,
                         "goes with a number of reduces (reduces is a list of "
                         "tasks already)");
    for (size_t k = 0; k < count; k++)
        reduces[k] = generator_element(L, self, REDUCES, k + 1, 0, PN_INTEGER_MAX);
    job->reduces = reduces;
    job->reduce_count = count;
}

static void check_work(lua_State *L, const pn_lua_workload *self, const pn_slotted_job *job)
{
    uint64_t units = job->maps;
    for (size_t k = 0; k < job->reduce_count && units <= PN_INTEGER_MAX; k++)
        units += job->reduces[k];
    if (units == 0)
        generator_refuse(L, self, -1, "has no work (expected maps or reduces)");
    if (units > PN_INTEGER_MAX)
        generator_refuse(L, self, -1, "has more than 2^53 units of work");
}

static void read(lua_State *L, pn_lua_workload *self)
{
    pn_slotted_job *job = &self->job.slotted;
    if (lua_type(L, JOB_FIELDS + REDUCES) == LUA_TTABLE)
        read_list(L, self, job);
    else
        cut(L, self, job);
    check_work(L, self, job);
}

const generator_model generator_slotted = {
    .name = "slotted", .job = &slotted_job, .fields = fields, .estimates = true, .read = read};
