#include "log.h"

#include "run/rules.h"

const char *const *makespan_names(const char *setting)
{
    return setting_called(pn_makespan_setting_at, setting)->rule->names;
}

/* ---- the first line -------------------------------------------------------------------------- */

/* Writes the parameters that differ from the policy's own; of a policy that is not built in,
 * all. */
static void write_params(run_log *log, const pn_makespan_policy *policy, const double *params)
{
    const pn_lua_policy *script = pn_lua_policy_behind_makespan(policy);
    run_log_write_params(log, policy->params, policy->param_count, params, script != NULL, 0);
    if (script)
        run_log_write(log, ",\"lua\":true");
}

int makespan_has_pools(const pn_makespan *sim, uint32_t map_slots)
{
    pn_makespan_pool_plan pool;
    pn_makespan_pool_get(sim, 0, &pool);
    return pn_makespan_pools(sim) > 1 || pool.map_slots < map_slots;
}

/* Writes the nodes of the cluster, and the pools that are made of them. Jobs stand pool by pool in
 * the order. */
static void write_pools(run_log *log, const pn_makespan *sim, uint32_t map_slots)
{
    uint32_t pools = pn_makespan_pools(sim), at = 0;
    pn_makespan_pool_plan first;
    pn_makespan_pool_get(sim, 0, &first);
    run_log_write(log, ",\"nodes\":%lu",
                  (unsigned long)((uint64_t)first.nodes * map_slots / first.map_slots));
    for (uint32_t i = 0; i < pools; i++) {
        pn_makespan_pool_plan pool;
        pn_makespan_pool_get(sim, i, &pool);
        run_log_write(log, "%s{\"nodes\":%lu,\"jobs\":[", i == 0 ? ",\"pools\":[" : ",",
                      (unsigned long)pool.nodes);
        for (uint32_t k = 0; k < pool.count; k++)
            run_log_write(log, "%s%llu", k == 0 ? "" : ",",
                          (unsigned long long)pn_makespan_order(sim, at++));
        run_log_write(log, i + 1 < pools ? "]}" : "]}]");
    }
}

void makespan_log_settings(run_log *log, const makespan_rules *rules)
{
    run_log_write(log, ",\"settings\":{\"map_slots\":%lu,\"reduce_slots\":%lu}",
                  (unsigned long)rules->base_map_slots, (unsigned long)rules->base_reduce_slots);
}

void makespan_log_start(run_log *log, const pn_makespan *sim, const makespan_log_about *header)
{
    pn_makespan_totals rules;
    pn_makespan_totals_get(sim, &rules);
    run_log_start(log, "makespan", header->policy->name, header->scenario);
    write_params(log, header->policy, header->params);
    run_log_write(log, ",\"level\":\"%s\",\"map_slots\":%lu,\"reduce_slots\":%lu,\"ticks\":%llu",
                  makespan_names("level")[header->level], (unsigned long)header->map_slots,
                  (unsigned long)header->reduce_slots, (unsigned long long)pn_makespan_ticks(sim));
    run_log_write(log,
                  ",\"stage_time\":\"%s\",\"share\":\"%s\",\"cap\":\"%s\",\"task_order\":\"%s\","
                  "\"resplit\":%lu",
                  makespan_names("stage_time")[rules.stage_time],
                  makespan_names("share")[rules.share], makespan_names("cap")[rules.cap],
                  makespan_names("task_order")[rules.task_order], (unsigned long)rules.resplit);
    if (makespan_has_pools(sim, header->map_slots))
        write_pools(log, sim, header->map_slots);
    makespan_log_settings(log, header->rules);
    run_log_end_first(log);
}

/* ---- the other lines ------------------------------------------------------------------------- */

static void add_time(run_log_line *line, uint64_t time, uint64_t ticks)
{
    pn_exact value;
    pn_exact_make(&value, (int64_t)time, (int64_t)ticks);
    if (value.den == 1) {
        run_log_add_number(line, (uint64_t)value.num);
        return;
    }
    run_log_add_text(line, "\"");
    run_log_add_number(line, (uint64_t)value.num);
    run_log_add_text(line, "/");
    run_log_add_number(line, (uint64_t)value.den);
    run_log_add_text(line, "\"");
}

static void add_field(run_log_line *line, const char *name, uint64_t number)
{
    run_log_add_text(line, name);
    run_log_add_number(line, number);
}

void makespan_log_decision(run_log *log, const pn_makespan_decision *decision, uint64_t ticks)
{
    run_log_line out = {.size = 0};
    run_log_add_text(&out, "{\"start\":");
    add_time(&out, decision->start, ticks);
    run_log_add_text(&out, ",\"end\":");
    add_time(&out, decision->end, ticks);
    add_field(&out, ",\"job\":", decision->id);
    run_log_add_text(&out, decision->kind == PN_MAKESPAN_START_MAP ? ",\"kind\":\"map\""
                                                                   : ",\"kind\":\"reduce\"");
    add_field(&out, ",\"task\":", (uint64_t)decision->task + 1);
    add_field(&out, ",\"slot\":", (uint64_t)decision->slot + 1);
    run_log_add_text(&out, "}\n");
    run_log_write_line(log, &out);
}

void makespan_log_finish(run_log *log, const pn_makespan_finish *finish, uint64_t ticks)
{
    run_log_line out = {.size = 0};
    run_log_add_text(&out, "{\"time\":");
    add_time(&out, finish->finish, ticks);
    add_field(&out, ",\"job\":", finish->id);
    run_log_add_text(&out, ",\"finish\":true}\n");
    run_log_write_line(log, &out);
}

void makespan_log_end(run_log *log, uint64_t time, uint64_t ticks, uint64_t digest)
{
    run_log_line end = {.size = 0};
    add_time(&end, time, ticks);
    end.text[end.size] = '\0';
    run_log_end(log, end.text, digest);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define JOB                   LOG_COUNT("job", makespan_log_entry, decision.id, 1)
#define TIME_AT(text, member) LOG_FIELD(text), LOG_IN(makespan_log_entry, member), .type = LOG_EXACT

static const char *const stages[] = {"map", "reduce", NULL};
static const log_field task[] = {{TIME_AT("start", start)},
                                 {TIME_AT("end", end)},
                                 {JOB},
                                 {LOG_FIELD("kind"), LOG_IN(makespan_log_entry, decision.kind),
                                  .type = LOG_WORD, .low = PN_MAKESPAN_START_MAP, .words = stages},
                                 {LOG_FROM_1("task", makespan_log_entry, decision.task)},
                                 {LOG_FROM_1("slot", makespan_log_entry, decision.slot)},
                                 {0}};
static const log_field finish[] = {{TIME_AT("time", start)}, {JOB}, {LOG_YES("finish")}, {0}};
static const log_field last[] = {{TIME_AT("end", start)}, {LOG_ENDS(makespan_log_entry)}, {0}};

static const log_kind kinds[] = {[LOG_LAST] = {"last", "end", last},
                                 [PN_MAKESPAN_START_MAP] = {"task", "start", task},
                                 [PN_MAKESPAN_FINISH] = {"finish", "finish", finish}};
const log_kinds makespan_log_kinds = {LOG_KINDS(kinds)};
