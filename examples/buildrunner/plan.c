/* What is out of date, and which rules a target needs. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "buildrunner.h"

/* ---- out of date ----------------------------------------------------------------------------- */

/* ns; 0 when there is no such file. */
static uint64_t changed_at(const char *name, uint64_t *bytes)
{
    struct stat about;
    *bytes = 0;
    if (stat(name, &about) != 0)
        return 0;
    *bytes = (uint64_t)about.st_size;
    return (uint64_t)about.st_mtim.tv_sec * 1000000000 + (uint64_t)about.st_mtim.tv_nsec;
}

/* A guess, for policies that go by it: what is larger takes longer. */
static uint64_t guess_ms(uint64_t bytes)
{
    return 10 + bytes / 100;
}

static int look_at_needs(br_plan *plan, uint32_t index, uint64_t *newest, uint64_t *bytes,
                         int *is_stale)
{
    for (uint32_t i = 0; i < plan->files[index].need_count; i++) {
        uint32_t need = plan->files[index].needs[i];
        if (plan->files[need].state == SEEING)
            return complain("%s:%u: %s needs %s, which needs it", plan->name,
                            plan->files[index].line, plan->files[index].name,
                            plan->files[need].name);
        if (look(plan, need) != 0)
            return -1;
        uint64_t size;
        changed_at(plan->files[need].name, &size);
        *bytes += size;
        *is_stale |= plan->files[need].state == DUE;
        if (plan->files[need].newest > *newest)
            *newest = plan->files[need].newest;
    }
    return 0;
}

int look(br_plan *plan, uint32_t index)
{
    br_file *file = &plan->files[index];
    uint64_t newest = 0, bytes = 0, own, size;
    int is_stale = 0;
    if (file->state != UNSEEN)
        return 0;
    file->state = SEEING;
    if (look_at_needs(plan, index, &newest, &bytes, &is_stale) != 0)
        return -1;
    own = changed_at(file->name, &size);
    if (file->line == 0 && own == 0)
        return complain("%s: there is no file %s, and no rule for it", plan->name, file->name);
    /* A rule without commands stands for what it needs. */
    if (!file->command && file->line > 0) {
        file->newest = own > newest ? own : newest;
        file->state = is_stale ? DUE : CLEAN;
        return 0;
    }
    is_stale |= file->is_phony || own == 0 || own < newest;
    file->newest = own;
    file->estimate = guess_ms(bytes);
    file->state = file->command && is_stale ? DUE : CLEAN;
    return 0;
}

void look_again(br_plan *plan)
{
    for (uint32_t i = 0; i < plan->file_count; i++)
        if (plan->files[i].state != FAILED)
            plan->files[i].state = UNSEEN;
}

/* ---- what a target needs --------------------------------------------------------------------- */

/* A walk from a target, needs first. */
typedef struct walk {
    br_plan *plan;
    br_job *job;
    int is_blocked, is_short; /* of memory */
    uint32_t parents_room;
} walk;

static void gather_stages(walk *self, uint32_t index)
{
    br_file *file = &self->plan->files[index];
    if (file->mark == self->plan->mark)
        return;
    file->mark = self->plan->mark;
    self->is_blocked |= file->state == TAKEN;
    if (file->state != DUE)
        return;
    for (uint32_t i = 0; i < file->need_count; i++) {
        gather_stages(self, file->needs[i]);
        if (self->plan->files[file->needs[i]].state == FAILED)
            file->state = FAILED;
    }
    if (!file->command || file->state == FAILED)
        return;
    file->stage = self->job->stage_count;
    self->job->stages[self->job->stage_count++] = index;
}

static void add_parent(walk *self, uint32_t stage)
{
    br_job *job = self->job;
    if (job->parents_count == self->parents_room) {
        uint32_t room = 2 * self->parents_room + 64;
        uint32_t *parents = realloc(job->parents, room * sizeof *parents);
        self->is_short |= !parents;
        if (!parents)
            return;
        job->parents = parents;
        self->parents_room = room;
    }
    job->parents[job->parents_count++] = stage;
}

/* The stages right before one: through rules without commands. */
static void gather_parents(walk *self, uint32_t index)
{
    const br_file *file = &self->plan->files[index];
    for (uint32_t i = 0; i < file->need_count; i++) {
        br_file *need = &self->plan->files[file->needs[i]];
        if (need->mark == self->plan->mark || need->state != DUE)
            continue;
        need->mark = self->plan->mark;
        if (need->command)
            add_parent(self, need->stage);
        else
            gather_parents(self, file->needs[i]);
    }
}

static void free_stages(br_job *job)
{
    free(job->stages);
    free(job->about);
    free(job->parents);
}

/* Gives the job these stages. */
static void take_stages(br_plan *plan, br_job *job, const br_job *made)
{
    free_stages(job);
    job->stages = made->stages;
    job->about = made->about;
    job->parents = made->parents;
    job->stage_count = made->stage_count;
    job->parents_count = made->parents_count;
    for (uint32_t i = 0; i < job->stage_count; i++)
        plan->files[job->stages[i]].state = TAKEN;
}

static int describe(walk *self)
{
    br_job *job = self->job;
    job->about = calloc((size_t)job->stage_count + 1, sizeof *job->about);
    self->is_short = !job->about;
    for (uint32_t i = 0; i < job->stage_count && !self->is_short; i++) {
        uint32_t first = job->parents_count;
        self->plan->mark++;
        gather_parents(self, job->stages[i]);
        job->about[i] = (pn_dispatch_stage){.demand = {1},
                                            .estimate = self->plan->files[job->stages[i]].estimate,
                                            .tasks = 1,
                                            .first_parent = first,
                                            .parent_count = job->parents_count - first};
    }
    return self->is_short ? complain("not enough memory") : 0;
}

int gather(br_plan *plan, br_job *job)
{
    br_job made = {.target = job->target};
    walk self = {.plan = plan, .job = &made};
    made.stages = calloc(plan->file_count, sizeof *made.stages);
    if (!made.stages)
        return complain("not enough memory");
    plan->mark++;
    gather_stages(&self, job->target);
    int status = self.is_blocked ? BLOCKED : made.stage_count == 0 ? NOTHING : READY;
    if (status == READY)
        status = describe(&self) == 0 ? READY : -1;
    if (status == READY)
        take_stages(plan, job, &made);
    else
        free_stages(&made);
    return status;
}
