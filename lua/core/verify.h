/* Replaying decision logs: what the models share. A model's replay begins with a `verify` and
 * brings a verify_model. */
#ifndef PINION_CORE_VERIFY_H
#define PINION_CORE_VERIFY_H

#include <jansson.h>

#include "model.h"
#include "run/log_reader.h"

typedef struct verify verify;

/* Functions that return an int return 1, or 0 with a fault, unless they say otherwise. */
typedef struct verify_model {
    size_t size;               /* of its replay */
    const log_kinds *kinds;    /* of the lines behind the first */
    const char *const *header; /* fields of a log's first line, ended by a null */
    int choices;               /* 1: parameters may also be words, true and false */
    const char *end;           /* what the summary calls the time of the last line */
    /* Reads the argument table at index 1, where the workload has been read. */
    void (*read)(lua_State *L, verify *self);
    /* Looks at the first line's policy, the kernel's table of it; null: it is written in Lua. The
     * table of its parameters is on top of the stack. Sets self->work_conserving, which of a policy
     * in Lua is set. */
    int (*policy)(lua_State *L, verify *self, const void *policy);
    /* Looks at what the first line says of a policy written in Lua, before `policy`. */
    int (*promise)(verify *self, const json_t *about);
    /* Pushes what else of the first line the hash needs to know, as a table; may be null. */
    void (*push_rules)(lua_State *L, verify *self);
    /* Writes the field "settings" that the scenario's own log has. */
    void (*write_settings)(run_log *log, const verify *self);
    /* Collects the jobs and sets their number: an answer of the source. */
    int (*collect)(verify *self);
    /* The bytes that the kernel's checker needs, 0 when it cannot start; its start in self->block,
     * a status of the kernel. Both with a fault when the log's first line is why they fail. */
    size_t (*checker_size)(verify *self);
    int (*start)(verify *self, size_t size);
    /* Gives a line between the first and the last to the checker: self->reader.event. */
    int (*entry)(verify *self);
    /* The last one: ends the checker, sets self->digest, pushes the time that the line names. */
    int (*last)(lua_State *L, verify *self);
    void (*free)(verify *self); /* safe to call twice */
} verify_model;

struct verify {
    const core_model *core;
    const verify_model *model; /* of `core` */
    source *work;
    const char *path;
    log_reader reader;
    uint64_t line; /* that a fault is about */
    json_t *entry; /* the first line */
    void *block;
    uint32_t work_conserving; /* what the policy promises */
    uint32_t measured;        /* 1: the log is that of a real host */
    size_t jobs;
    uint64_t decisions;
    uint64_t unfinished; /* jobs, as the last line says */
    uint64_t digest;     /* as it says, too */
    char other[128];     /* not empty: the log is of another scenario, whose hash it names */
    char differs[300];   /* not empty: what its first line says otherwise of the scenario */
    char fault[600];
};

/* ---- for the models -------------------------------------------------------------------------- */

/* Returns 0 always. */
int verify_reject(verify *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads, of the first line, an integer in low..2^53; 0 with a fault. */
int verify_integer(verify *self, const char *name, json_int_t low, uint64_t *value);
/* Returns whether there is such a field; whether it is true. */
int verify_has(const verify *self, const char *name);
int verify_true(verify *self, const char *name);
/* Reads a string, null with a fault. */
const char *verify_string(verify *self, const char *name);
/* Reads an integer in low..most that 32 bits hold. */
int verify_small(verify *self, const char *name, json_int_t low, uint32_t most, uint32_t *value);
/* Reads {"work_conserving":true} or false, for a model's `promise`. */
int verify_work_conserving(verify *self, const json_t *promises);
/* Reads the values of the policy's parameters, which are in the table on top of the stack. */
int verify_params(lua_State *L, verify *self, const void *policy, double values[]);
/* Returns the jobs not handed over. A run counts the jobs of a source whose number is not known as
 * it hands them over: those that arrive when it has ended are not among the unfinished ones. How
 * many these are, of a run that was ended before `until`, or by its scenario's `most` (0 = none); 0
 * where the number is known. */
uint64_t verify_not_handed_over(const verify *self, uint64_t until, uint64_t most,
                                uint64_t (*arrival)(const verify *self, size_t job));
/* Sets self->differs: compares the settings and the marks of the jobs that the first line may have
 * with those of the scenario, whose hash has been asked for. 0 with a fault. */
int verify_compare(verify *self);
/* Returns a field of an object that has none of these names (ended by a null); null: there is
 * none. */
const char *verify_unknown(json_t *object, const char *const *names);

#endif
