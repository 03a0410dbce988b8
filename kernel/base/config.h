/* Configurations across versions of the library. A host hands over the struct that its header knew,
 * with its size in the first member. New fields are appended, from the size of the struct before
 * them on, and mean by 0 what was before them; so an older host's struct is shorter and gets
 * defaults for what it lacks, and a newer host's is longer and accepted as long as what this
 * library does not know is 0. */
#ifndef PN_CONFIG_H
#define PN_CONFIG_H

#include "internal.h"

/* Writes the first bytes of `own` to a host's struct, zeros behind it where that is longer, and its
 * size into its first member. */
static inline void pn_config_give(void *to, size_t size, const void *own, size_t own_size)
{
    memset(to, 0, size);
    memcpy(to, own, size < own_size ? size : own_size);
    if (size >= sizeof size)
        memcpy(to, &size, sizeof size);
}

/* Reads a part of a host's struct of this size over the defaults in `own`: false when it is shorter
 * than that of the first version ever, or says something that this version does not know. */
static inline bool pn_config_read(void *own, size_t own_size, size_t least, const void *given,
                                  size_t size)
{
    const unsigned char *bytes = given;
    if (size < least || size > (size_t)1 << 16)
        return false;
    for (size_t i = own_size; i < size; i++)
        if (bytes[i] != 0)
            return false;
    memcpy(own, given, size < own_size ? size : own_size);
    return true;
}

/* Behind the last member of the first version, as it was aligned then. */
#define PN_CONFIG_LEAST(type, last)                                                             \
    ((offsetof(type, last) + sizeof(((type *)0)->last) + _Alignof(type) - 1) / _Alignof(type) * \
     _Alignof(type))

/* Those that others read too: over the defaults, without looking at ranges. */
struct pn_scheduler_config;
struct pn_cluster_config;
bool pn_scheduler_config_read(struct pn_scheduler_config *own,
                              const struct pn_scheduler_config *given);
bool pn_cluster_config_read(struct pn_cluster_config *own, const struct pn_cluster_config *given);
struct pn_dispatch_config;
struct pn_dag_config;
bool pn_dispatch_config_read(struct pn_dispatch_config *own,
                             const struct pn_dispatch_config *given);
bool pn_dag_config_read(struct pn_dag_config *own, const struct pn_dag_config *given);

#endif
