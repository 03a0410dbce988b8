/* Replaying input logs: what the two cores share. A model's replay begins with a `replay` and
 * brings a replay_model. */
#ifndef PINION_CORE_REPLAY_H
#define PINION_CORE_REPLAY_H

#include "model.h"
#include "run/log.h"

typedef struct replay replay;

/* Functions that return a text return null, or what is wrong, on top of the stack. */
typedef struct replay_model {
    size_t size; /* of its replay */
    /* Reads the configuration in the table at `config`, and what else of the head at `head` only
     * this model has; lays the core into self->block, which must be freed. */
    const char *(*start)(lua_State *L, replay *self, int head, int config);
    const char *(*kind_name)(uint32_t kind, uint32_t *fields);
    const pn_field *(*input_fields)(void);
    /* The input as it is before a line of this kind is read, with the core's digest: the struct to
     * read into. */
    void *(*input)(replay *self, uint64_t now, uint32_t kind);
    /* Reads the job in the table at `job`, and leaves it on the stack. */
    const char *(*read_job)(lua_State *L, replay *self, int job);
    size_t (*write)(const void *input, uint64_t *check, char *line, size_t size);
    int (*apply)(replay *self);
    uint64_t (*digest)(const replay *self);
    /* The last line of the decision log. */
    void (*log_end)(replay *self);
} replay_model;

/* An answer of the host. */
typedef struct replay_answer {
    uint64_t token;
    uint32_t kind, value;
} replay_answer;

struct replay {
    const core_model *core;
    const replay_model *model;
    const void *policy;       /* the kernel's table */
    const pn_lua_policy *lua; /* behind it; null: it is built in */
    double params[PN_PARAMS_MAX];
    void *block;
    run_log log;
    replay_answer *answers; /* to the event at hand */
    size_t answers_count, answers_room, next_answer;
    const char *text; /* the event's line up to its check, and how long it is */
    size_t text_size;
    char *line; /* what the core writes of it */
    size_t line_room;
    int is_heard, is_same; /* the core has accepted the event; and wrote the same line */
    int is_short;          /* memory was refused for that line */
    int is_lost;           /* it asked what the log has no answer to */
    uint64_t decisions, events;
};

/* ---- for the models -------------------------------------------------------------------------- */

/* Reads fields of the table at `table` into a struct; what the table does not have stays as it is.
 * Where `others` are given, a list of names, every field has one of these names or is in `list`. */
const char *replay_fields(lua_State *L, int table, const char *place, const pn_field *list,
                          const char *const *others, void *to);
/* Reads an array of such structs in a field of the configuration, in memory that lives as long as
 * the replay; *count 0 and *list null where there is no such field. */
const char *replay_groups(lua_State *L, int table, const char *name, const pn_field *fields,
                          size_t size, void **list, uint32_t *count);
/* Returns a table's size: as configured, or what the log can need if that is less, its "lines",
 * "bytes" or "tasks". A core with more places decides the same. */
uint32_t replay_size(lua_State *L, const char *measure, uint64_t configured);
/* Makes self->block, `size` bytes for the core, at most "memory". */
const char *replay_block(lua_State *L, replay *self, size_t size);
/* Reads so many numbers in a field, in memory that is left on the stack; null where it is
 * missing. */
const char *replay_reals(lua_State *L, int table, const char *name, uint32_t count,
                         const double **list);
/* Reads an array of small integers, the same way. */
const char *replay_numbers(lua_State *L, int table, uint32_t **list, uint32_t *count);
/* Takes an event that the core has accepted. */
void replay_hear(replay *self, const void *input);
/* Returns the answer to a question; 0 where the log has another one, or none. */
uint32_t replay_answer_of(replay *self, uint32_t kind, uint64_t token);
/* Returns whether decisions go to the log: a replay that is lost decides at random. */
int replay_logs(replay *self);

/* { head, policy, lua_policy, log, lines, bytes, tasks, memory, resource_names (dag) } -> replay;
 * or nil and what is wrong. */
int core_replay(lua_State *L, const replay_model *model);
int core_cluster_replay(lua_State *L);
int core_dag_replay(lua_State *L);

#endif
