#include "slotted_log.h"

/* The header must suffice to check the log: of a policy that is not built in, all parameters and
 * what it promises are said. */
void slotted_log_start(run_log *log, const pn_slotted_policy *policy, const double *params,
                       uint64_t scenario)
{
    const pn_lua_policy *behind = pn_lua_policy_behind(policy);
    run_log_start(log, "slotted", policy->name, scenario);
    run_log_write_params(log, policy->params, policy->param_count, params, behind != NULL, 1);
    if (behind)
        run_log_write(log, ",\"lua\":{\"work_conserving\":%s}",
                      policy->work_conserving ? "true" : "false");
    run_log_write(log, policy->relaxed ? ",\"relaxed\":true}\n" : "}\n");
}

void slotted_log_decision(run_log *log, const pn_slotted_decision *decision)
{
    run_log_line out;
    if (log->broken)
        return;
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
