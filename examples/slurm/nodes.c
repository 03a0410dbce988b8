/* What sinfo shows of the nodes. */
#define _XOPEN_SOURCE 700
#include <stdlib.h>
#include <string.h>

#include "slurm.h"

/* ---- lists of nodes -------------------------------------------------------------------------- */

/* Returns 1 if the digits are a number of "1-3,07,9]"; numbers have the digits of their range. */
static int is_in_ranges(const char *ranges, const char *digits, size_t size)
{
    const unsigned long long number = strtoull(digits, NULL, 10);
    for (; *ranges && *ranges != ']'; ranges += *ranges == ',') {
        char *end;
        const char *start = ranges;
        unsigned long long low = strtoull(ranges, &end, 10), high = low;
        size_t digits_of_low = (size_t)(end - start);
        if (*end == '-')
            high = strtoull(end + 1, &end, 10);
        if (end == start)
            return 0;
        if (number >= low && number <= high && (size == digits_of_low || start[0] != '0'))
            return 1;
        ranges = end;
    }
    return 0;
}

/* Returns 1 if the item, `size` letters such as "n1" or "n[1-3]-x", has the name. */
static int is_in_item(const char *item, size_t size, const char *name)
{
    const char *open = memchr(item, '[', size), *close = memchr(item, ']', size);
    if (!open || !close)
        return strlen(name) == size && strncmp(item, name, size) == 0;
    size_t prefix = (size_t)(open - item), suffix = size - (size_t)(close + 1 - item);
    size_t digits = strspn(name + (strncmp(item, name, prefix) == 0 ? prefix : strlen(name)),
                           "0123456789");
    return digits > 0 && strlen(name) == prefix + digits + suffix &&
           strncmp(name + prefix + digits, close + 1, suffix) == 0 &&
           is_in_ranges(open + 1, name + prefix, digits);
}

int has_node(const char *list, const char *name)
{
    while (*list) {
        int depth = 0;
        size_t size = 0;
        for (; list[size] && (depth > 0 || list[size] != ','); size++)
            depth += (list[size] == '[') - (list[size] == ']');
        if (is_in_item(list, size, name))
            return 1;
        list += size + (list[size] == ',');
    }
    return 0;
}

/* ---- sinfo ----------------------------------------------------------------------------------- */

static sl_node *find_node(sl_host *host, const char *name)
{
    for (uint32_t i = 0; i < host->node_count; i++)
        if (strcmp(host->nodes[i].name, name) == 0)
            return &host->nodes[i];
    return NULL;
}

/* Returns 1 if a node in this state takes tasks. A flag behind the state means that it is being
 * changed or does not answer, but for "-", planned, and "~", which saves power until it is used. */
static int takes_tasks(const char *state)
{
    static const char *const all[] = {"idle", "alloc", "mix", "comp", "plnd"};
    size_t size = strspn(state, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strlen(all[i]) == size && strncmp(state, all[i], size) == 0)
            return strspn(state + size, "-~") == strlen(state + size);
    return 0;
}

/* Names go into commands. */
static int is_name(const char *text)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *text && strlen(text) < NAME_ROOM && strspn(text, letters) == strlen(text);
}

static int add_node(sl_host *host, const char *name, const uint64_t full[RESOURCES])
{
    sl_node *nodes = realloc(host->nodes, (host->node_count + 1) * sizeof *nodes);
    if (!nodes)
        return complain("not enough memory");
    host->nodes = nodes;
    sl_node *node = &nodes[host->node_count++];
    *node = (sl_node){0};
    memcpy(node->name, name, strlen(name) + 1);
    memcpy(node->full, full, sizeof node->full);
    memcpy(node->present, full, sizeof node->present);
    return 0;
}

/* Says once that there are nodes which came later. */
static int say_new(sl_host *host, const char *name)
{
    if (!host->has_new_nodes)
        complain("node %s is new: it is used when the host begins anew, without its state", name);
    host->has_new_nodes = 1;
    return 0;
}

/* Reads "n1<tab>idle<tab>4<tab>4000<tab>". */
static int read_node(sl_host *host, char *line, int is_first)
{
    char *rest = NULL, *name = strtok_r(line, "\t", &rest), *state = strtok_r(NULL, "\t", &rest);
    char *cpus = strtok_r(NULL, "\t", &rest), *memory = strtok_r(NULL, "\t", &rest);
    uint64_t full[RESOURCES];
    if (!memory || !is_name(name) || read_number(cpus, 1, UINT32_MAX, &full[CPUS]) != 0 ||
        read_number(memory, 1, PN_DISPATCH_DEMAND_MOST, &full[MEMORY]) != 0)
        return complain_once("sinfo: not a node (expected name, state, CPUs and memory): %s", line);
    sl_node *node = find_node(host, name);
    if (!node && is_first && host->node_count < NODES_MOST && add_node(host, name, full) == 0)
        node = &host->nodes[host->node_count - 1];
    if (!node)
        return say_new(host, name);
    node->takes = takes_tasks(state);
    for (int r = 0; r < RESOURCES; r++)
        node->now[r] = !node->takes ? 0 : full[r] < node->full[r] ? full[r] : node->full[r];
    node->is_down = strncmp(state, "down", 4) == 0;
    node->was_seen = 1;
    return 0;
}

int read_nodes(sl_host *host)
{
    const sl_options *options = host->options;
    const char *const words[] = {"sinfo",
                                 "--noheader",
                                 "--Node",
                                 "--partition",
                                 options->partition,
                                 "-O",
                                 "NodeList:\t,StateCompact:\t,CPUs:\t,Memory:\t",
                                 NULL};
    const int is_first = host->node_count == 0;
    char *text = run_command(words, NULL, options->timeout_ms), *rest = NULL;
    int status = text ? 0 : -1;
    for (uint32_t i = 0; i < host->node_count; i++)
        host->nodes[i].was_seen = 0;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line && status == 0;
         line = strtok_r(NULL, "\n", &rest))
        status = read_node(host, line, is_first);
    free(text);
    for (uint32_t i = 0; i < host->node_count && status == 0; i++)
        if (!host->nodes[i].was_seen) {
            host->nodes[i].is_down = 1;
            host->nodes[i].takes = 0;
            memset(host->nodes[i].now, 0, sizeof host->nodes[i].now);
        }
    return status == 0 && host->node_count == 0
               ? complain_once("sinfo shows no node of the partition %s", options->partition)
               : status;
}
