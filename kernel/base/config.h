/* Structs across versions of the library, as pn_base.h promises ("Structs that grow"). New fields
 * are appended, from the size of the struct before them on, and mean by 0 what was before them. An
 * older host's struct is shorter and gets defaults for what it lacks; a newer host's is longer, and
 * accepted as long as what this library does not know is 0. */
#ifndef PN_CONFIG_H
#define PN_CONFIG_H

#include "internal.h"

/* Writes the first bytes of `current`, a struct of this version, to a host's struct, zeros to the
 * rest of it, and its size to its first member. */
static inline void pn_config_give(void *to, size_t size, const void *current, size_t current_size)
{
    memset(to, 0, size);
    memcpy(to, current, size < current_size ? size : current_size);
    if (size >= sizeof size)
        memcpy(to, &size, sizeof size);
}

/* Reads a part of a host's struct of this size over the defaults in `current`. Returns false if it
 * is shorter than in the first version, or if it sets a field that this version does not know. */
static inline bool pn_config_read(void *current, size_t current_size, size_t least,
                                  const void *given, size_t size)
{
    const unsigned char *bytes = given;
    if (size < least || size > (size_t)1 << 16)
        return false;
    for (size_t i = current_size; i < size; i++)
        if (bytes[i] != 0)
            return false;
    memcpy(current, given, size < current_size ? size : current_size);
    return true;
}

/* Returns whether a struct that a host filled in may be read. Its first member is its size; 0 means
 * the size in the first version, PN_CONFIG_LEAST. Test with PN_HAS before reading a field that
 * was appended later. */
static inline bool pn_given(const void *given, size_t current_size, size_t least)
{
    const unsigned char *bytes = given;
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size == 0 || size == current_size)
        return true;
    if (size < least || size > (size_t)1 << 16)
        return false;
    for (size_t i = current_size; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Copies a struct that a host filled in; fields beyond its end become 0. */
static inline void pn_take(void *current, size_t current_size, const void *given, size_t least)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    size = size > 0 ? size : least;
    memset(current, 0, current_size);
    memcpy(current, given, size < current_size ? size : current_size);
}

/* Returns one of an array of such structs, all of the size of the first one. */
static inline const void *pn_given_at(const void *array, size_t index, size_t least)
{
    size_t size;
    memcpy(&size, array, sizeof size);
    return (const unsigned char *)array + index * (size > 0 ? size : least);
}

/* Writes `current`, a struct that this version fills in, to a host's struct of this size, zeros to
 * the rest of it, and to its first member how many bytes are filled in. */
static inline void pn_config_fill(void *to, size_t size, const void *current, size_t current_size)
{
    size_t known = size < current_size ? size : current_size;
    if (size == current_size) {
        memcpy(to, current, current_size); /* the common case, of a length that compilers know */
    } else {
        memset(to, 0, size);
        memcpy(to, current, known);
    }
    memcpy(to, &known, sizeof known);
}

/* A struct of the kind that lies inside another one, from `inner` on: it is of a version of its
 * own, and what follows it begins where it ends. Sizes are those of this library. */
typedef struct pn_nested {
    size_t inner, inner_size;
    size_t size;
} pn_nested;

#define PN_NESTED(type, member)                                           \
    (pn_nested)                                                           \
    {                                                                     \
        offsetof(type, member), sizeof(((type *)0)->member), sizeof(type) \
    }

/* Does as pn_config_give with all but the inner struct, before which there is only the size. */
static inline void pn_config_give_nested(void *to, size_t size, size_t inner_size,
                                         const void *current, pn_nested nested)
{
    const unsigned char *from = current;
    unsigned char *at = to;
    size_t end = nested.inner + inner_size, rest = size - end;
    size_t current_end = nested.inner + nested.inner_size, current_rest = nested.size - current_end;
    memset(at, 0, nested.inner);
    memcpy(at, &size, sizeof size);
    memset(at + end, 0, rest);
    memcpy(at + end, from + current_end, rest < current_rest ? rest : current_rest);
}

/* Does as pn_config_read with all but the inner struct. */
static inline bool pn_config_read_nested(void *current, size_t least, const void *given,
                                         pn_nested nested)
{
    const unsigned char *from = given;
    size_t size, inner_size, current_end = nested.inner + nested.inner_size;
    memcpy(&size, from, sizeof size);
    if (size < nested.inner + sizeof inner_size)
        return false;
    memcpy(&inner_size, from + nested.inner, sizeof inner_size);
    return inner_size <= size - nested.inner &&
           pn_config_read((unsigned char *)current + current_end, nested.size - current_end,
                          least - current_end, from + nested.inner + inner_size,
                          size - nested.inner - inner_size);
}

/* Does as pn_config_fill with all, the inner struct included. */
static inline void pn_config_fill_nested(void *to, size_t size, size_t inner_size,
                                         const void *current, pn_nested nested)
{
    const unsigned char *from = current;
    unsigned char *at = to;
    size_t end = nested.inner + inner_size, rest = size - end;
    size_t current_end = nested.inner + nested.inner_size, current_rest = nested.size - current_end;
    size_t known = end + (rest < current_rest ? rest : current_rest);
    memset(at, 0, size);
    memcpy(at, from, nested.inner);
    pn_config_fill(at + nested.inner, inner_size, from + nested.inner, nested.inner_size);
    memcpy(at + end, from + current_end, known - end);
    memcpy(at, &known, sizeof known);
}

/* Behind the last member of the first version, as it was aligned then. */
#define PN_CONFIG_LEAST(type, last)                                                             \
    ((offsetof(type, last) + sizeof(((type *)0)->last) + _Alignof(type) - 1) / _Alignof(type) * \
     _Alignof(type))

#define PN_CONFIG_UNKNOWN(model)                         \
    "struct_size: get the configuration from pn_" #model \
    "_defaults(), and set no field that this "           \
    "version does not know"
/* Defines how a model reads a host's configuration over its defaults, of which `last` ends the
 * first version, without a look at ranges. */
#define PN_CONFIG_READER(linkage, model, last)                                                  \
    linkage bool pn_##model##_config_read(pn_##model##_config *current,                         \
                                          const pn_##model##_config *given)                     \
    {                                                                                           \
        *current = pn_##model##_defaults();                                                     \
        bool known = given && pn_config_read(current, sizeof *current,                          \
                                             PN_CONFIG_LEAST(pn_##model##_config, last), given, \
                                             given->struct_size);                               \
        current->struct_size = sizeof *current;                                                 \
        return known;                                                                           \
    }
/* The same of a model over a core, whose configuration is nested in it under the core's name; and
 * what it gives as its defaults. */
#define PN_CONFIG_READER_OVER(core, model, last)                                                  \
    void pn_##model##_defaults_into(pn_##model##_config *config, size_t size, size_t core##_size) \
    {                                                                                             \
        pn_##model##_config rows = {0};                                                           \
        pn_settings_default(PN_ROWS(model##_settings), &rows);                                    \
        pn_config_give_nested(config, size, core##_size, &rows,                                   \
                              PN_NESTED(pn_##model##_config, core));                              \
        pn_##core##_defaults_into(&config->core, core##_size);                                    \
    }                                                                                             \
    bool pn_##model##_config_read(pn_##model##_config *current, const pn_##model##_config *given) \
    {                                                                                             \
        *current = pn_##model##_defaults();                                                       \
        return given &&                                                                           \
               pn_config_read_nested(current, PN_CONFIG_LEAST(pn_##model##_config, last), given,  \
                                     PN_NESTED(pn_##model##_config, core)) &&                     \
               pn_##core##_config_read(&current->core, &given->core);                             \
    }
/* Defines its check, and what reads a configuration and checks it: MODEL_fault_of looks at one that
 * is read. */
#define PN_CONFIG_CHECKER(model)                                                    \
    const char *pn_##model##_read_config(pn_##model##_config *current,              \
                                         const pn_##model##_config *given)          \
    {                                                                               \
        return pn_##model##_config_read(current, given) ? model##_fault_of(current) \
                                                        : PN_CONFIG_UNKNOWN(model); \
    }                                                                               \
    const char *pn_##model##_check(const pn_##model##_config *config)               \
    {                                                                               \
        pn_##model##_config current;                                                \
        return pn_##model##_read_config(&current, config);                          \
    }
#define PN_UNKNOWN_FIELDS \
    "struct_size: sizeof the struct, or 0, and no field set that this version does not know"
#define PN_GIVEN(given, type, last) pn_given(given, sizeof(type), PN_CONFIG_LEAST(type, last))
#define PN_TAKE(current, given, type, last) \
    pn_take(current, sizeof(type), given, PN_CONFIG_LEAST(type, last))

/* The job with this index of a claim: jobs are `last` fields long, or as long as the first says. */
#define PN_CLAIMED(model, last)                                                                 \
    static inline const pn_##model##_job *pn_##model##_claimed(const pn_##model##_claim *claim, \
                                                               size_t index)                    \
    {                                                                                           \
        return pn_given_at(claim->jobs, index, PN_CONFIG_LEAST(pn_##model##_job, last));        \
    }

/* Those that others read too: over the defaults, without looking at ranges. */
struct pn_scheduler_config;
struct pn_cluster_config;
bool pn_scheduler_config_read(struct pn_scheduler_config *current,
                              const struct pn_scheduler_config *given);
bool pn_cluster_config_read(struct pn_cluster_config *current,
                            const struct pn_cluster_config *given);
/* Keeps of a configuration what its block keeps of it. */
void pn_scheduler_keep_config(struct pn_scheduler_config *stored,
                              const struct pn_scheduler_config *config);
struct pn_dispatch_config;
void pn_dispatch_keep_config(struct pn_dispatch_config *stored,
                             const struct pn_dispatch_config *config);
const char *pn_dispatch_numbers_fault(const struct pn_dispatch_config *config);
struct pn_dag_config;
bool pn_dispatch_config_read(struct pn_dispatch_config *current,
                             const struct pn_dispatch_config *given);
bool pn_dag_config_read(struct pn_dag_config *current, const struct pn_dag_config *given);

#endif
