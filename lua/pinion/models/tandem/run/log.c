#include "log.h"

#include <string.h>

#define INTEGER_MOST 9007199254740992.0 /* 2^53 */

/* Adds a double >= 0. Integers, which rates and times often are, need no printf. */
static void add_double(run_log_line *line, double value)
{
    if (value <= INTEGER_MOST && value == (double)(uint64_t)value)
        run_log_add_number(line, (uint64_t)value);
    else
        line->size += (size_t)snprintf(line->text + line->size, 32, "%.17g", value);
}

static void format_time(tandem_log_time *last, double time)
{
    run_log_line line = {.size = 0};
    if (last->text[0] != '\0' && last->time == time)
        return;
    add_double(&line, time); /* the rest of the line is zeros */
    memcpy(last->text, line.text, line.size + 1);
    last->time = time;
}

void tandem_log_settings(run_log *log, double speed, uint32_t traditional)
{
    run_log_write(log, ",\"settings\":{\"speed\":%.17g,\"overlap\":%s}", speed,
                  traditional ? "false" : "true");
}

/* Writes the header, which must suffice to check the log: of a policy that is not built in, all
 * parameters and what it promises are said. */
void tandem_log_start(run_log *log, const pn_tandem_config *config, const pn_tandem_policy *policy,
                      const double *params, uint64_t scenario)
{
    const pn_lua_policy *script = pn_lua_policy_behind_tandem(policy);
    run_log_start(log, "tandem", policy->name, scenario);
    run_log_write_params(log, policy->params, policy->param_count, params, script != NULL, 0);
    if (script)
        run_log_write(log, ",\"lua\":{\"work_conserving\":%s}",
                      policy->work_conserving == PN_TANDEM_WORK_CONSERVING ? "true" : "false");
    tandem_log_settings(log, config->speed, config->traditional);
    run_log_end_first(log);
}

static void begin_line(run_log_line *line, tandem_log_time *last, double time, uint64_t id)
{
    format_time(last, time);
    line->size = 0;
    run_log_add_text(line, "{\"time\":");
    run_log_add_text(line, last->text);
    run_log_add_text(line, ",\"job\":");
    run_log_add_number(line, id);
}

void tandem_log_decision(run_log *log, tandem_log_time *last, const pn_tandem_decision *decision)
{
    run_log_line out;
    begin_line(&out, last, decision->time, decision->id);
    run_log_add_text(&out, ",\"map_rate\":");
    add_double(&out, decision->map_rate);
    run_log_add_text(&out, ",\"shuffle_rate\":");
    add_double(&out, decision->shuffle_rate);
    run_log_add_text(&out, "}\n");
    run_log_write_line(log, &out);
}

void tandem_log_finish(run_log *log, tandem_log_time *last, const pn_tandem_finish *finish)
{
    run_log_line out;
    begin_line(&out, last, finish->finish, finish->id);
    run_log_add_text(&out, ",\"finish\":true}\n");
    run_log_write_line(log, &out);
}

void tandem_log_end(run_log *log, double time, double until, uint64_t digest)
{
    run_log_line end = {.size = 0};
    add_double(&end, time);
    if (until > 0.0) {
        run_log_add_text(&end, ",\"until\":");
        add_double(&end, until);
    }
    run_log_end(log, end.text, digest);
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define TIME LOG_REAL("time", pn_tandem_decision, time)
#define JOB  LOG_COUNT("job", pn_tandem_decision, id, 1)

static const log_field rates[] = {{TIME},
                                  {JOB},
                                  {LOG_REAL("map_rate", pn_tandem_decision, map_rate)},
                                  {LOG_REAL("shuffle_rate", pn_tandem_decision, shuffle_rate)},
                                  {0}};
static const log_field finish[] = {{TIME}, {JOB}, {LOG_YES("finish")}, {0}};
static const log_field last_fields[] = {
    {LOG_REAL("end", tandem_log_last, end)},
    {LOG_FIELD("until"), LOG_IN(tandem_log_last, until), .type = LOG_NUMBER, .optional = 1},
    {LOG_ENDS(tandem_log_last)},
    {0}};

static const log_kind kinds[] = {[LOG_LAST] = {"last", "end", last_fields},
                                 [PN_TANDEM_RATES] = {"rates", "map_rate", rates},
                                 [PN_TANDEM_FINISH] = {"finish", "finish", finish}};
const log_kinds tandem_log_kinds = {LOG_KINDS(kinds)};
