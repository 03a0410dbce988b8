/* The lists of a job: its tasks, which of them are pending, where the inputs of its maps lie, and
 * on which nodes they ran. None of what follows looks at all tasks of a job, except where a table
 * is made anew. */
#include "state.h"
#include "base/sort.h"

/* ---- shape ---- */

/* Returns where the lists of a job begin: below 2^32, as there are at most 2^24 tasks of a kind and
 * 2^30 replicas. */
pn_scheduler_shape pn_scheduler_shape_of(const pn_scheduler *s, uint32_t maps, uint32_t reduces,
                                         uint32_t replicas)
{
    pn_scheduler_shape shape;
    uint64_t at = (uint64_t)PN_SCHEDULER_TASK_WORDS * ((uint64_t)maps + reduces);
    shape.bits[PN_SCHEDULER_MAP] = (uint32_t)at;
    at += pn_bits_words(maps);
    shape.bits[PN_SCHEDULER_REDUCE] = (uint32_t)at;
    at += pn_bits_words(reduces);
    shape.replicas = (uint32_t)at;
    at += PN_SCHEDULER_REPLICA_WORDS * (uint64_t)replicas;
    shape.hosts = (uint32_t)at;
    /* Each attempt of a map counts on one node; half as many places more, and one that stays empty,
     * let a search end soon. */
    uint32_t most = (uint32_t)pn_min(s->config.copies ? 2 * maps : maps, s->nodes_count);
    shape.host_places = most + most / 2 + 2;
    shape.words = at + shape.host_places;
    return shape;
}

static pn_scheduler_replica *replicas_of(const pn_scheduler_view *view, uint32_t job)
{
    return (pn_scheduler_replica *)(void *)(pn_scheduler_list(view, job) +
                                            view->jobs[job].replicas);
}

static pn_scheduler_host *hosts_of(const pn_scheduler_view *view, uint32_t job)
{
    return (pn_scheduler_host *)(void *)(pn_scheduler_list(view, job) + view->jobs[job].hosts);
}

static pn_bits scheduler_bits_of(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    return pn_bits_at(pn_scheduler_list(view, job) + entry->bits[kind], entry->tasks[kind]);
}

/* ---- replicas ---- */

/* Returns the index of the first replica on the node, or of where it would be. */
static uint32_t replica_first(const pn_scheduler_replica *replicas, uint32_t count, uint32_t node)
{
    uint32_t low = 0;
    for (uint32_t high = count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (replicas[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void replica_link(pn_scheduler_replica *replicas, uint32_t count,
                         pn_scheduler_task_entry *maps)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (replicas[i].node != replicas[first].node)
            first = i;
        replicas[first].next = first;
        replicas[i].sibling = maps[replicas[i].task].first_replica;
        maps[replicas[i].task].first_replica = i + 1;
    }
}

uint32_t pn_scheduler_local_map(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    if (view->jobs[job].waiting[PN_SCHEDULER_MAP] == 0)
        return UINT32_MAX;
    pn_scheduler_replica *replicas = replicas_of(view, job);
    const pn_scheduler_task_entry *maps = pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP);
    uint32_t count = view->jobs[job].replica_count, first = replica_first(replicas, count, node);
    if (first == count || replicas[first].node != node)
        return UINT32_MAX;
    uint32_t next = replicas[first].next;
    while (next < count && replicas[next].node == node &&
           maps[replicas[next].task].state != PN_SCHEDULER_TASK_PENDING)
        next++;
    replicas[first].next = next;
    return next < count && replicas[next].node == node ? replicas[next].task : UINT32_MAX;
}

/* Returns whether the input of this map lies on the node. O(replicas of the map). */
bool pn_scheduler_holds_input(const pn_scheduler_view *view, uint32_t job, uint32_t map,
                              uint32_t node)
{
    const pn_scheduler_replica *replicas = replicas_of(view, job);
    for (uint32_t i = pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP)[map].first_replica; i != 0;
         i = replicas[i - 1].sibling)
        if (replicas[i - 1].node == node)
            return true;
    return false;
}

/* ---- pending tasks ---- */

uint32_t pn_scheduler_lowest(const pn_scheduler_view *view, uint32_t job, uint32_t kind)
{
    pn_bits bits = scheduler_bits_of(view, job, kind);
    return pn_bits_next(&bits, 0);
}

/* Puts a pending map where it may be the first again on each node that has its input. */
void pn_scheduler_wait(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t task)
{
    pn_bits bits = scheduler_bits_of(view, job, kind);
    pn_scheduler_task_entry *entry = &pn_scheduler_tasks_of(view, job, kind)[task];
    entry->state = PN_SCHEDULER_TASK_PENDING;
    view->jobs[job].waiting[kind]++;
    pn_bits_set(&bits, task);
    if (kind == PN_SCHEDULER_REDUCE)
        return;
    pn_scheduler_replica *replicas = replicas_of(view, job);
    for (uint32_t i = entry->first_replica; i != 0; i = replicas[i - 1].sibling) {
        uint32_t first = replica_first(replicas, view->jobs[job].replica_count,
                                       replicas[i - 1].node);
        replicas[first].next = (uint32_t)pn_min(replicas[first].next, i - 1);
    }
}

void pn_scheduler_unwait(const pn_scheduler_view *view, uint32_t job, uint32_t kind, uint32_t task)
{
    pn_bits bits = scheduler_bits_of(view, job, kind);
    PN_ASSERT(view->jobs[job].waiting[kind] > 0);
    view->jobs[job].waiting[kind]--;
    pn_bits_clear(&bits, task);
}

/* ---- nodes that maps run or ran on ---- */

/* Returns the place of the node, or the empty one where a search for it ends. */
static pn_scheduler_host *host_find(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    pn_scheduler_host *hosts = hosts_of(view, job);
    uint32_t places = view->jobs[job].host_places;
    uint32_t at = (uint32_t)((uint64_t)(node * 2654435769u) * places >> 32);
    while (hosts[at].node != 0 && hosts[at].node != node + 1)
        at = at + 1 == places ? 0 : at + 1;
    return &hosts[at];
}

/* Counts a map on its node; the table has a place for it. */
static void host_count(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    pn_scheduler_host *host = host_find(view, job, node);
    view->jobs[job].hosts_used += host->node == 0;
    host->node = node + 1;
    host->maps++;
}

/* Forgets the nodes that no longer count. O(maps). */
static void host_rebuild(const pn_scheduler_view *view, uint32_t job)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    const pn_scheduler_task_entry *maps = pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP);
    memset(hosts_of(view, job), 0, entry->host_places * sizeof(pn_scheduler_host));
    entry->hosts_used = 0;
    for (uint32_t i = 0; i < entry->tasks[PN_SCHEDULER_MAP]; i++)
        if (maps[i].state == PN_SCHEDULER_TASK_DONE)
            host_count(view, job, maps[i].where);
    for (uint32_t suspended = 0; suspended <= 1; suspended++)
        for (uint32_t link = entry->first_attempt[suspended][PN_SCHEDULER_MAP]; link != 0;
             link = view->attempts[link - 1].after)
            host_count(view, job, view->attempts[link - 1].node);
}

uint32_t pn_scheduler_outputs(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    return host_find(view, job, node)->maps;
}

/* Adds a host. The map itself is not yet among those that run. */
void pn_scheduler_host_add(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    if (entry->hosts_used + 1 == entry->host_places && host_find(view, job, node)->node == 0)
        host_rebuild(view, job);
    PN_ASSERT(entry->hosts_used + 1 < entry->host_places || host_find(view, job, node)->node != 0);
    host_count(view, job, node);
}

void pn_scheduler_host_drop(const pn_scheduler_view *view, uint32_t job, uint32_t node)
{
    pn_scheduler_host *host = host_find(view, job, node);
    PN_ASSERT(host->node == node + 1 && host->maps > 0);
    host->maps--;
}

/* Returns at least as many as there are nodes with inputs or outputs of the job's maps. */
uint32_t pn_scheduler_nodes_known(const pn_scheduler_view *view, uint32_t job)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    return entry->host_places + (entry->waiting[PN_SCHEDULER_MAP] > 0 ? entry->replica_count : 0);
}

static bool reduce_free(const pn_scheduler_view *view, uint32_t node)
{
    return view->nodes[node].free[PN_SCHEDULER_REDUCE] > 0;
}

/* Returns the first of these nodes >= from with a free reduce slot, nodes when there is none: maps
 * run or ran there, or a pending one has its input there. */
uint32_t pn_scheduler_next_affine(const pn_scheduler_view *view, uint32_t job, uint32_t from)
{
    const pn_scheduler_entry *entry = &view->jobs[job];
    const pn_scheduler_host *hosts = hosts_of(view, job);
    const pn_scheduler_replica *replicas = replicas_of(view, job);
    uint32_t next = view->s->nodes_count;
    for (uint32_t i = 0; i < entry->host_places; i++)
        if (hosts[i].maps > 0 && hosts[i].node > from && hosts[i].node <= next &&
            reduce_free(view, hosts[i].node - 1))
            next = hosts[i].node - 1;
    if (entry->waiting[PN_SCHEDULER_MAP] == 0)
        return next;
    for (uint32_t i = replica_first(replicas, entry->replica_count, from);
         i < entry->replica_count && replicas[i].node < next; i++)
        if ((i == 0 || replicas[i].node != replicas[i - 1].node) &&
            reduce_free(view, replicas[i].node) &&
            pn_scheduler_local_map(view, job, replicas[i].node) != UINT32_MAX)
            return replicas[i].node;
    return next;
}

/* ---- storing ---- */

/* Stores the replicas. A replica takes two words and its key one: the keys are sorted within the
 * room of the replicas, which are then laid out of the keys in its second half, from the front and
 * never over one that is still needed. False when the host answers otherwise than when the replicas
 * were counted, so that there are more or fewer of them, or other nodes. */
static bool store_replicas(pn_scheduler_view *view, uint32_t job, const pn_scheduler_job *given,
                           uint32_t replicas)
{
    uint32_t *nodes = pn_at(view->s, view->s->replica_nodes);
    uint64_t *keys = pn_scheduler_list(view, job) + view->jobs[job].replicas;
    pn_scheduler_replica *all = replicas_of(view, job);
    size_t at = 0;
    for (uint32_t map = 0; replicas > 0 && map < given->maps; map++) {
        uint32_t count = given->replicas(given->where, map, nodes, view->s->config.replicas_of_map);
        bool sane = count <= view->s->config.replicas_of_map && count <= replicas - at &&
                    pn_distinct(nodes, count, view->s->nodes_count);
        for (uint32_t i = 0; sane && i < count; i++)
            keys[at++] = (uint64_t)nodes[i] << 32 | map;
        memset(nodes, 0, pn_min(count, view->s->config.replicas_of_map) * sizeof *nodes);
        if (!sane)
            return false;
    }
    if (at != replicas)
        return false;
    if (pn_sort_by_upper(keys, replicas, keys + replicas) == keys)
        memcpy(keys + replicas, keys, replicas * sizeof *keys);
    for (uint32_t i = 0; i < replicas; i++) {
        uint64_t key = keys[replicas + i];
        all[i] = (pn_scheduler_replica){(uint32_t)(key >> 32), (uint32_t)key, 0, 0};
    }
    view->jobs[job].replica_count = replicas;
    replica_link(all, replicas, pn_scheduler_tasks_of(view, job, PN_SCHEDULER_MAP));
    return true;
}

bool pn_scheduler_entry_store(pn_scheduler_view *view, uint32_t job, const pn_scheduler_job *given,
                              uint32_t replicas)
{
    pn_scheduler_entry *entry = &view->jobs[job];
    pn_scheduler_shape shape = pn_scheduler_shape_of(view->s, given->maps, given->reduces,
                                                     replicas);
    pn_lists_take(&view->store, job, shape.words);
    memset(pn_scheduler_list(view, job), 0, shape.words * sizeof(uint64_t));
    memcpy(entry->bits, shape.bits, sizeof entry->bits);
    entry->replicas = shape.replicas;
    entry->hosts = shape.hosts;
    entry->host_places = shape.host_places;
    if (!store_replicas(view, job, given, replicas))
        return false;
    for (uint32_t kind = 0; kind < PN_SCHEDULER_KINDS; kind++) {
        pn_bits bits = scheduler_bits_of(view, job, kind);
        for (uint32_t i = 0; i < entry->tasks[kind]; i++)
            pn_bits_set(&bits, i);
        entry->waiting[kind] = entry->tasks[kind];
    }
    return true;
}
