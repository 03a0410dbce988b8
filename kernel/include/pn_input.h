/* Input logs: what a host told a core, event by event, and what the core asked back. Replayed into
 * a fresh core they give the same decisions, so that what happened to real machines becomes a test:
 * `pinion verify INPUT.log` does it, and pn_scheduler_apply and pn_dispatch_apply in a program.
 *
 * A log is text, one JSON object a line: a head with the configuration and the policy, each event
 * that the core accepted, and an end. Whoever writes it takes the lines from
 * pn_scheduler_input_head, pn_scheduler_input_line and their like of the dispatch core, which do no
 * I/O.
 *
 * Every line ends with a check of all lines so far, every event begins with the core's digest
 * before it: a changed log and a core that decides otherwise are both found, and told apart, at the
 * first line. A log may be cut off behind any line, as by a crash.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 20/8 (see docs/embedding.md). */
#ifndef PN_INPUT_H
#define PN_INPUT_H

#include "pn_base.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* One number that may be negative, an int32_t. */
#define PN_FIELD_SIGNED UINT16_MAX

/* A number, or an array of numbers, in a struct, as lines have it: whoever reads lines needs no
 * list of fields of its own. */
typedef struct pn_field {
    const char *name;
    uint32_t offset; /* bytes, in its struct */
    uint16_t size;   /* of an entry: 4 (uint32_t) or 8 (uint64_t) */
    uint16_t count;  /* entries of an array; 0 = one number; or PN_FIELD_SIGNED */
} pn_field;

/* The texts that the numbers 0, 1, … of an attribute stand for; a count of 0: it is a number. */
typedef struct pn_input_labels {
    const char *const *texts;
    uint32_t count;
} pn_input_labels;

/* What a head says beside configuration and hooks. Zero what is not needed. */
typedef struct pn_input_about {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* The text of a policy in Lua, of which the head has the hash; null: no such policy. */
    const char *text;
    size_t text_size;
    /* Names, as pn_lua_policy_attributes and pn_lua_policy_groups take them; and of the dispatch
     * core's resources, null or config.resources of them. */
    const char *const *attributes, *const *groups, *const *resources;
    uint32_t attributes_count, groups_count;
    const pn_input_labels
        *labels; /* of each attribute, as pn_lua_policy_labels takes them; or null */
} pn_input_about;

/* The check behind these bytes, where `check` is that before them, 0 at first. Also the hash of a
 * policy's text. O(size). */
uint64_t pn_input_check(uint64_t check, const void *bytes, size_t size);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
