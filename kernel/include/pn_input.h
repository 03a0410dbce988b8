/* Input logs: the events that a host passes to a core, and the host's answers to questions of the
 * core. A fresh core that receives the same inputs makes the same decisions, so a log turns what
 * happened on real machines into a test: `pinion verify INPUTS` replays it, and so do
 * pn_scheduler_apply and pn_dispatch_apply in a program.
 *
 * A log is text with one JSON object per line: a head with the configuration and the policy, each
 * event that the core accepted, and an end. pn_scheduler_input_head, pn_scheduler_input_line and
 * the corresponding functions of the dispatch core write these lines into a buffer; the host writes
 * them to a file.
 *
 * Every line ends with a check of all lines up to it, and every event contains the core's digest
 * before it. So a replay distinguishes a changed log from a core that decides differently, at the
 * first line that shows it. A log may end after any line, as after a crash.
 * Stack, worst case, in bytes on Cortex-M3/x86-64: any call 1740/2200 (see docs/embedding.md). */
#ifndef PN_INPUT_H
#define PN_INPUT_H

#include "pn_dispatch.h"
#include "pn_scheduler.h"

#ifdef __cplusplus
extern "C" {
#endif
#if defined(__GNUC__)
/* the shared library shows what the public headers declare, and nothing else */
#pragma GCC visibility push(default)
#endif

/* The count of a field that is one number and may be negative, an int32_t. */
#define PN_FIELD_SIGNED UINT16_MAX

/* A number or an array of numbers in a struct, as lines contain it. Readers of lines use these
 * rows in place of their own list of fields. */
typedef struct pn_field {
    const char *name;
    uint32_t offset; /* bytes, in its struct */
    uint16_t size;   /* of an entry: 4 (uint32_t) or 8 (uint64_t) */
    uint16_t count;  /* entries of an array; 0 = one number; or PN_FIELD_SIGNED */
} pn_field;

/* The texts that the numbers 0, 1, … of an attribute stand for; count 0 = it is a number. */
typedef struct pn_input_labels {
    const char *const *texts;
    uint32_t count;
} pn_input_labels;

/* What a head contains besides the configuration and the policy. Leave at 0 what you do not use. */
typedef struct pn_input_about {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    /* the text of a policy in Lua, whose hash the head contains; null = a policy in C */
    const char *text;
    size_t text_size;
    /* Names, in the form of pn_lua_policy_attributes and pn_lua_policy_groups; resources of the
     * dispatch core: null, or config.resources names. */
    const char *const *attributes, *const *groups, *const *resources;
    uint32_t attributes_count, groups_count;
    /* of each attribute, in the form of pn_lua_policy_labels; or null */
    const pn_input_labels *labels;
} pn_input_about;

/* Returns the check after these bytes, given the check before them, which is 0 at first. The hash
 * of a policy's text is its check. O(size). */
uint64_t pn_input_check(uint64_t check, const void *bytes, size_t size);

/* ---- the scheduler core ---------------------------------------------------------------------- */

/* Kinds of input. A log does not contain events that were refused, as they changed nothing. It
 * contains the event in which a policy gives up: its replay returns the same status, and it is the
 * last one. */
enum pn_scheduler_input_kind {
    PN_SCHEDULER_IN_END = 0, /* the log is complete: the host writes it, with the digest */
    PN_SCHEDULER_IN_SUBMIT = 1,
    PN_SCHEDULER_IN_ASK = 2, /* binds the policy, and may change the policy's memory */
    PN_SCHEDULER_IN_NODE_UP = 3,
    PN_SCHEDULER_IN_NODE_DOWN = 4,
    PN_SCHEDULER_IN_OFFER = 5,
    PN_SCHEDULER_IN_STARTED = 6,
    PN_SCHEDULER_IN_FINISHED = 7,
    PN_SCHEDULER_IN_FAILED = 8,
    PN_SCHEDULER_IN_WAKE = 9,
    PN_SCHEDULER_IN_TICK = 10,
    /* answers of the host to the event before them, in the order of the questions */
    PN_SCHEDULER_IN_PROGRESS = 11,
    PN_SCHEDULER_IN_FETCHED = 12,
    PN_SCHEDULER_IN_CANCEL = 13,
    PN_SCHEDULER_IN_RESIZE = 14
};

struct pn_scheduler_input {
    size_t struct_size; /* sizeof the struct, or 0: see pn_base.h */
    uint64_t now;       /* ms; of an answer: the core's time */
    uint64_t token;     /* of the attempt, if the input is about one; else 0 */
    uint64_t digest;    /* of the core before the event */
    uint32_t kind;      /* enum pn_scheduler_input_kind */
    uint32_t node;      /* if the input is about one; else 0 */
    /* the answer; of an attempt that finished, 1 = the core asked `fetched` first, and the answer
     * was yes */
    uint32_t value;
    uint32_t attributes; /* of the job */
    /* Of IN_SUBMIT and IN_ASK, else null; valid during the call. Its `replicas` may be called once
     * more, map by map, with room for `replicas_most` nodes in `nodes`. */
    const pn_scheduler_job *job;
    uint32_t *nodes;
    uint32_t replicas_most;
    uint32_t map_slots, reduce_slots; /* of IN_RESIZE; else 0 */
    uint32_t unused;
    uint64_t id; /* of the cancelled job; else 0 */
};

/* Passes the input to the core and returns what the event's function returns. PN_ERR_ARGUMENT for
 * answers, which the hooks give, and for the end. */
int pn_scheduler_apply(pn_scheduler *scheduler, const pn_scheduler_hooks *hooks,
                       const pn_scheduler_input *input);

/* Write the first line of the log of a fresh core with this configuration and these hooks (`about`
 * may be null), and the line of an input. They write the line, its newline and a zero if it has at
 * most `size` bytes, and return the number of its bytes: if that is larger than `size`, call again
 * with a larger buffer. *check is 0 before the first line; each call advances it. The first one
 * returns 0 if the configuration is invalid or the hooks have no policy. O(bytes). */
size_t pn_scheduler_input_head(const pn_scheduler_config *config, const pn_scheduler_hooks *hooks,
                               const pn_input_about *about, uint64_t *check, char *line,
                               size_t size);
size_t pn_scheduler_input_line(const pn_scheduler_input *input, uint64_t *check, char *line,
                               size_t size);

/* Structs whose fields lines contain. */
enum pn_scheduler_part {
    PN_SCHEDULER_PART_CONFIG = 0, /* pn_scheduler_config */
    PN_SCHEDULER_PART_NODES = 1,  /* pn_scheduler_nodes */
    PN_SCHEDULER_PART_JOB = 2,    /* pn_scheduler_job, without replicas and attributes */
    PN_SCHEDULER_PART_INPUT = 3   /* pn_scheduler_input, without time, event and job */
};

/* Returns the name of a kind in lines, or null after the last kind. *fields (may be null) receives
 * the fields of pn_scheduler_input that lines of this kind contain: bit i is field i. O(1). */
const char *pn_scheduler_input_name(uint32_t kind, uint32_t *fields);

/* Returns the fields of a struct; the name after the last one is null. O(1). */
const pn_field *pn_scheduler_fields(enum pn_scheduler_part part);

/* ---- the dispatch core ----------------------------------------------------------------------- */

/* Kinds of input, as those of the scheduler core. */
enum pn_dispatch_input_kind {
    PN_DISPATCH_IN_END = 0,
    PN_DISPATCH_IN_SUBMIT = 1,
    PN_DISPATCH_IN_NODE_UP = 2,
    PN_DISPATCH_IN_NODE_DOWN = 3,
    PN_DISPATCH_IN_FINISHED = 4,
    PN_DISPATCH_IN_FAILED = 5,
    PN_DISPATCH_IN_CANCEL = 6,
    PN_DISPATCH_IN_TICK = 7,
    PN_DISPATCH_IN_RUN = 8,
    PN_DISPATCH_IN_RESIZE = 9
};

struct pn_dispatch_input {
    size_t struct_size;  /* sizeof the struct, or 0: see pn_base.h */
    uint64_t now;        /* ms */
    uint64_t token;      /* of the attempt, if the input is about one; else 0 */
    uint64_t id;         /* of the cancelled job; else 0 */
    uint64_t most;       /* attempts that IN_RUN may launch; else 0 */
    uint64_t digest;     /* of the core before the event */
    uint32_t kind;       /* enum pn_dispatch_input_kind */
    uint32_t node;       /* if the input is about one; else 0 */
    uint32_t attributes; /* of the job */
    uint32_t unused;
    const pn_dispatch_job *job; /* of IN_SUBMIT, else null; valid during the call */
    uint64_t capacity[PN_DISPATCH_RESOURCES_MAX]; /* of IN_RESIZE; else 0 */
};

/* Passes the input to the core, as pn_scheduler_apply does. */
int pn_dispatch_apply(pn_dispatch *core, const pn_dispatch_hooks *hooks,
                      const pn_dispatch_input *input);

/* Write lines, as pn_scheduler_input_head and pn_scheduler_input_line do. A line has no "most" if
 * that is UINT64_MAX. */
size_t pn_dispatch_input_head(const pn_dispatch_config *config, const pn_dispatch_hooks *hooks,
                              const pn_input_about *about, uint64_t *check, char *line,
                              size_t size);
size_t pn_dispatch_input_line(const pn_dispatch_input *input, uint64_t *check, char *line,
                              size_t size);

/* Structs whose fields lines contain. */
enum pn_dispatch_part {
    PN_DISPATCH_PART_CONFIG = 0, /* pn_dispatch_config */
    PN_DISPATCH_PART_NODES = 1,  /* pn_dispatch_nodes */
    PN_DISPATCH_PART_QUEUE = 2,  /* pn_dispatch_queue */
    PN_DISPATCH_PART_JOB = 3,    /* pn_dispatch_job, without stages and attributes */
    PN_DISPATCH_PART_STAGE = 4,  /* pn_dispatch_stage, without parents */
    PN_DISPATCH_PART_INPUT = 5   /* pn_dispatch_input, without time, event and job */
};

/* Return the name of a kind and the fields of a struct, as pn_scheduler_input_name and
 * pn_scheduler_fields do. */
const char *pn_dispatch_input_name(uint32_t kind, uint32_t *fields);
const pn_field *pn_dispatch_fields(enum pn_dispatch_part part);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
