#include "log.h"

#include "run/rules.h"

void slotted_log_settings(run_log *log, const pn_slotted_config *config)
{
    settings_write(log, pn_slotted_setting_at, config);
}

/* Writes the header, which must suffice to check the log: of a policy that is not built in, all
 * parameters and what it promises are said. */
void slotted_log_start(run_log *log, const pn_slotted_config *config,
                       const pn_slotted_policy *policy, const double *params, uint64_t scenario)
{
    const pn_lua_policy *script = pn_lua_policy_behind(policy);
    run_log_start(log, "slotted", policy->name, scenario);
    run_log_write_params(log, policy->params, policy->param_count, params, script != NULL, 1);
    if (script)
        run_log_write(log, ",\"lua\":{\"work_conserving\":%s}",
                      policy->work_conserving ? "true" : "false");
    if (policy->relaxed)
        run_log_write(log, ",\"relaxed\":true");
    slotted_log_settings(log, config);
    run_log_end_first(log);
}

void slotted_log_decision(run_log *log, const pn_slotted_decision *decision)
{
    run_log_line out;
    out.size = 0;
    run_log_add_text(&out, "{\"slot\":");
    run_log_add_number(&out, decision->slot);
    run_log_add_text(&out, ",\"job\":");
    run_log_add_number(&out, decision->id);
    if (decision->kind != PN_SLOTTED_START) {
        run_log_add_text(&out, decision->kind == PN_SLOTTED_MAP ? ",\"map\":" : ",\"reduce\":");
        run_log_add_number(&out, decision->amount);
        run_log_add_text(&out, "}\n");
    } else {
        run_log_add_text(&out, ",\"start\":[");
        for (uint64_t i = 0; i < decision->amount; i++) {
            if (i > 0)
                run_log_add_text(&out, ",");
            run_log_add_number(&out, decision->first_task + i);
            run_log_write_line(log, &out);
        }
        run_log_add_text(&out, "]}\n");
    }
    run_log_write_line(log, &out);
}

void slotted_log_finish(run_log *log, const pn_slotted_finish *finish)
{
    run_log_line out;
    out.size = 0;
    run_log_add_text(&out, "{\"slot\":");
    run_log_add_number(&out, finish->finish);
    run_log_add_text(&out, ",\"job\":");
    run_log_add_number(&out, finish->id);
    run_log_add_text(&out, ",\"finish\":true}\n");
    run_log_write_line(log, &out);
}

void slotted_log_end(run_log *log, uint64_t slot, uint64_t until, uint64_t digest)
{
    char end[64];
    int size = snprintf(end, sizeof end, "%llu", (unsigned long long)slot);
    if (until > 0)
        snprintf(end + size, sizeof end - (size_t)size, ",\"until\":%llu",
                 (unsigned long long)until);
    run_log_end(log, end, digest);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define SLOT LOG_COUNT("slot", pn_slotted_decision, slot, 1)
#define JOB  LOG_COUNT("job", pn_slotted_decision, id, 1)

static const log_field map[] = {
    {SLOT}, {JOB}, {LOG_COUNT("map", pn_slotted_decision, amount, 1)}, {0}};
static const log_field reduce[] = {
    {SLOT}, {JOB}, {LOG_COUNT("reduce", pn_slotted_decision, amount, 1)}, {0}};
static const log_field start[] = {{SLOT},
                                  {JOB},
                                  {LOG_FIELD("start"), LOG_IN(pn_slotted_decision, first_task),
                                   .count = offsetof(pn_slotted_decision, amount),
                                   .type = LOG_TASKS, .low = 1, .high = UINT32_MAX},
                                  {0}};
static const log_field finish[] = {{SLOT}, {JOB}, {LOG_YES("finish")}, {0}};
static const log_field last_fields[] = {{LOG_COUNT("end", slotted_log_last, end, 0)},
                                        {LOG_COUNT_OR("until", slotted_log_last, until, 1, 0)},
                                        {LOG_ENDS(slotted_log_last)},
                                        {0}};

static const log_kind kinds[] = {[LOG_LAST] = {"last", "end", last_fields},
                                 [PN_SLOTTED_MAP] = {"map", "map", map},
                                 [PN_SLOTTED_REDUCE] = {"reduce", "reduce", reduce},
                                 [PN_SLOTTED_START] = {"start", "start", start},
                                 [PN_SLOTTED_FINISH] = {"finish", "finish", finish}};
const log_kinds slotted_log_kinds = {LOG_KINDS(kinds)};
