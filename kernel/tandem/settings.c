/* Settings of the tandem model: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_tandem_config, member, least, most, otherwise)
#define FLAG(member)                    PN_FLAG(pn_tandem_config, member, 0)
#define CHOICE(member, last, constants) PN_CHOICE(pn_tandem_config, member, last, constants)

static const pn_setting tandem_settings[] = {
    {FLAG(traditional)},
    {NUMBER(jobs_max, 1, 268435456, 0)},
    {FLAG(gaps)},
    {NUMBER(groups_max, 0, 1048576, 0)},
    {CHOICE(bounds, PN_TANDEM_BOUNDS_TIGHT,
            "PN_TANDEM_BOUNDS_NONE, PN_TANDEM_BOUNDS_FAST or PN_TANDEM_BOUNDS_TIGHT")},
    {FLAG(statistics)},
    {NUMBER(buckets_max, 0, 16777216, 0)},
    {FLAG(no_digest)},
    {FLAG(estimates)},
    {FLAG(ranks)},
    PN_ATTRIBUTES_SETTING(pn_tandem_config)};

void pn_tandem_defaults_into(pn_tandem_config *config, size_t size)
{
    pn_tandem_config defaults = {.struct_size = sizeof defaults, .speed = 1.0};
    pn_settings_default(PN_ROWS(tandem_settings), &defaults);
    pn_config_give(config, size, &defaults, sizeof defaults);
}

void pn_tandem_keep_config(pn_tandem_config *stored, const pn_tandem_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(tandem_settings), stored, config);
    stored->speed = config->speed;
    stored->bucket_width = config->bucket_width;
    stored->warmup_jobs = config->warmup_jobs;
    stored->warmup_time = config->warmup_time;
    stored->seed = config->seed;
    stored->replica = config->replica;
}

const pn_setting *pn_tandem_setting_at(size_t index)
{
    return PN_SETTING_AT(tandem_settings, index);
}

bool pn_tandem_amount_sane(double amount)
{
    return (PN_TANDEM_LEAST <= amount && amount <= PN_TANDEM_MOST) || amount == 0.0;
}

static const char *tandem_fault_of(const pn_tandem_config *config)
{
    const char *wrong = pn_settings_check(PN_ROWS(tandem_settings), config);
    if (wrong)
        return wrong;
    if (!(0x1p-64 <= config->speed && config->speed <= 0x1p64))
        return "speed: 2^-64..2^64";
    if (config->buckets_max > 0 &&
        (config->bucket_width == 0.0 || !pn_tandem_amount_sane(config->bucket_width)))
        return "bucket_width: 2^-256..2^256";
    if (!pn_tandem_amount_sane(config->warmup_time))
        return "warmup_time: 0 or 2^-256..2^256";
    if (config->policy && !pn_tandem_policy_sane(config->policy))
        return "policy: a name of 1..31 bytes, at most 6 orders of known members, at most 8 "
               "parameters with defaults in range, "
               "and "
               "act or services that fit their orders";
    return NULL;
}

PN_CONFIG_READER(static, tandem, policy)
PN_CONFIG_CHECKER(tandem)
