/* Settings of the dispatch core: their rows, defaults and checks. */
#include "base/config.h"
#include "base/settings.h"
#include "state.h"

enum { DISPATCH_NODES_MOST = 1 << 20, QUEUES_MOST = 4096, CLASSES_DEFAULT = 1 << 16 };

#define NUMBER(member, least, most, otherwise) \
    PN_NUMBER(pn_dispatch_config, member, least, most, otherwise)
#define FLAG(member, otherwise)         PN_FLAG(pn_dispatch_config, member, otherwise)
#define CHOICE(member, last, constants) PN_CHOICE(pn_dispatch_config, member, last, constants)

static const pn_setting dispatch_settings[] = {
    {NUMBER(resources, 1, 4, 1)},
    {FLAG(nodes_down, 0)},
    {NUMBER(jobs_max, 1, 67108864, 0)},
    {NUMBER(stages_max, 0, 268435456, 0)},
    {NUMBER(edges_max, 0, 1073741824, 0)},
    {NUMBER(attempts_max, 0, 268435456, 0)},
    {NUMBER(classes_max, 0, 268435456, 0)},
    {CHOICE(placement, PN_DISPATCH_SPREAD,
            "PN_DISPATCH_FIRST, PN_DISPATCH_BEST or PN_DISPATCH_SPREAD"),
     PN_NAMED(1, "placement", PN_NAMES("first", "best", "spread"), "DG10",
              "node of a task if several have capacity: the first, the fullest or the emptiest")},
    {CHOICE(order, PN_DISPATCH_READY,
            "PN_DISPATCH_DEPTH, PN_DISPATCH_INDEX, PN_DISPATCH_WORK or PN_DISPATCH_READY"),
     PN_NAMED(2, "order", PN_NAMES("depth", "index", "work", "ready"), "DG11",
              "first stage of a job: the longest path, the lowest index, the most pending work or "
              "the first that became ready")},
    {FLAG(backfill, 1),
     PN_NAMED(3, "backfill", PN_NAMES("false", "true"), "DG9",
              "if a stage does not fit, start later ones; false: wait until it fits")},
    {NUMBER(max_kills, 0, 1000000, 3),
     PN_RULE(10, "max_kills_per_task", "DG13",
             "policies that kill: no kill after so many attempts of a task; 0: no limit")},
    {NUMBER(running_most, 0, 4294967295, 0),
     PN_RULE_OF(.rank = 13, .name = "running_most", .later = 1, .source = "DG33",
                .doc = "most running tasks of a job; 0: no limit")},
    {CHOICE(executors, PN_DISPATCH_EXECUTORS_STICKY,
            "PN_DISPATCH_EXECUTORS_NONE, PN_DISPATCH_EXECUTORS_FREE or "
            "PN_DISPATCH_EXECUTORS_STICKY"),
     PN_RULE_OF(.rank = 14, .name = "executors", .names = PN_NAMES("none", "free", "sticky"),
                .later = 1, .source = "DG35",
                .doc = "whether each node is an executor that belongs to a job: free ones move to "
                       "each job whose task they get, sticky ones stay while their job can use "
                       "them")},
    PN_ATTRIBUTES_SETTING(pn_dispatch_config)};
_Static_assert(PN_DISPATCH_RESOURCES_MAX == 4, "as the row of resources says");

void pn_dispatch_defaults_into(pn_dispatch_config *config, size_t size)
{
    pn_dispatch_config defaults = {0};
    pn_settings_default(PN_ROWS(dispatch_settings), &defaults);
    pn_config_give(config, size, &defaults, sizeof defaults);
}

const pn_setting *pn_dispatch_setting_at(size_t index)
{
    return PN_SETTING_AT(dispatch_settings, index);
}

static bool node_in_range(const pn_dispatch_nodes *nodes, uint32_t resources)
{
    for (uint32_t r = 0; r < PN_DISPATCH_RESOURCES_MAX; r++)
        if (nodes->capacity[r] > (r < resources ? PN_DISPATCH_DEMAND_MOST : 0))
            return false;
    return nodes->count >= 1 && nodes->count <= DISPATCH_NODES_MOST && nodes->speed <= 1000000;
}

bool pn_dispatch_count_nodes(const pn_dispatch_config *config, uint32_t *count, uint64_t *capacity)
{
    *count = 0;
    memset(capacity, 0, PN_DISPATCH_RESOURCES_MAX * sizeof *capacity);
    for (uint32_t i = 0; i < config->nodes_count; i++) {
        const pn_dispatch_nodes *nodes = &config->nodes[i];
        if (!node_in_range(nodes, config->resources))
            return false;
        *count += nodes->count;
        for (uint32_t r = 0; r < config->resources; r++)
            capacity[r] += nodes->count * nodes->capacity[r];
        if (*count > DISPATCH_NODES_MOST)
            return false;
    }
    return true;
}

static bool nodes_in_range(const pn_dispatch_config *config)
{
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
    uint32_t count;
    if (!config->nodes || config->nodes_count < 1 ||
        !pn_dispatch_count_nodes(config, &count, capacity))
        return false;
    for (uint32_t r = 0; r < config->resources; r++)
        if (capacity[r] == 0 || capacity[r] > PN_DISPATCH_CAPACITY_MOST)
            return false;
    return true;
}

uint32_t pn_dispatch_maximum_of(const pn_dispatch_queue *queue)
{
    return queue->maximum > 0 ? queue->maximum : 1000;
}

static bool queues_in_range(const pn_dispatch_config *config)
{
    uint64_t guaranteed = 0;
    if (config->queues_count > QUEUES_MOST ||
        (config->queues_count > 0) != (config->queues != NULL))
        return false;
    for (uint32_t q = 0; q < config->queues_count; q++) {
        const pn_dispatch_queue *queue = &config->queues[q];
        guaranteed += queue->guaranteed;
        if (queue->weight > PN_DISPATCH_WEIGHT_MOST || queue->unused != 0 ||
            queue->maximum > 1000 || queue->guaranteed > pn_dispatch_maximum_of(queue))
            return false;
    }
    return guaranteed <= 1000;
}

static uint32_t nodes_of(const pn_dispatch_config *config)
{
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX];
    uint32_t count;
    (void)pn_dispatch_count_nodes(config, &count, capacity);
    return count;
}

static uint32_t dispatch_or_default(uint32_t given, uint64_t otherwise)
{
    return given > 0 ? given : (uint32_t)pn_min(otherwise, (uint32_t)1 << 28);
}

void pn_dispatch_keep_config(pn_dispatch_config *stored, const pn_dispatch_config *config)
{
    stored->struct_size = sizeof *stored;
    pn_settings_copy(PN_ROWS(dispatch_settings), stored, config);
    const uint64_t stages = (uint64_t)16 * config->jobs_max;
    stored->stages_max = dispatch_or_default(config->stages_max, stages);
    stored->edges_max = dispatch_or_default(config->edges_max, (uint64_t)4 * stored->stages_max);
    stored->attempts_max = dispatch_or_default(config->attempts_max,
                                               (uint64_t)64 * nodes_of(config));
    stored->classes_max = dispatch_or_default(config->classes_max,
                                              pn_min(stored->stages_max, CLASSES_DEFAULT));
    stored->nodes_absent = config->nodes_absent;
}

const char *pn_dispatch_numbers_fault(const pn_dispatch_config *config)
{
    return pn_settings_check(PN_ROWS(dispatch_settings), config);
}

static const char *dispatch_fault_of(const pn_dispatch_config *config)
{
    const char *wrong = pn_dispatch_numbers_fault(config);
    if (wrong)
        return wrong;
    if (!nodes_in_range(config))
        return "nodes: at least one entry, each of 1..2^20 nodes, at most 2^20 together; capacity "
               "0..2^40, of each resource 1..2^50 together, of no other; speed 0..10^6";
    if (!queues_in_range(config))
        return "queues: at most 4096, each of weight 0..10^6, guaranteed at most its maximum of "
               "0..1000, guaranteed at most 1000 together";
    if (config->nodes_absent > nodes_of(config))
        return "nodes_absent: 0..number of nodes";
    if (config->policy && !pn_dispatch_policy_sane(config->policy))
        return "policy: a name of 1..31 bytes, an order whose fields are in range and go together, "
               "parameters with defaults in range";
    return NULL;
}

PN_CONFIG_READER(extern, dispatch, attributes)
PN_CONFIG_CHECKER(dispatch)
