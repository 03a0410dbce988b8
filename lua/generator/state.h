/* A generator of jobs in Lua, inside: what the models share.
 *
 * life.c     life, one job after the other, and what is said when the script fails
 * define.c   reads a definition: names, parameters, groups, attributes
 * params.c   values of parameters
 * draws.c    random numbers, of `g` and of streams by themselves
 * view.c     the rest of `g`: jobs, streams, pieces
 * fields.c   reads the fields of a job
 * models.h   the models; what is a model's own is in models/MODEL/script
 *
 * The script is a coroutine, which yields with each job: memory does not grow with their number,
 * and to start again is to begin a new one. It runs in a sandbox, or, where the host has a Lua
 * state itself and its function is to make the jobs, in that state. */
#ifndef PINION_GENERATOR_STATE_H
#define PINION_GENERATOR_STATE_H

#include "draws.h"
#include "models.h"
#include "pinion_lua.h"
#include "sandbox/define.h"
#include "sandbox/host.h"
#include "workload/fields.h"

enum {
    GENERATOR_PARAMS_MAX = 32,
    GENERATOR_FIELDS_MAX = 32,   /* of a job */
    GENERATOR_LISTS_MAX = 6,     /* of a job */
    GENERATOR_GROUPS_MAX = 4096, /* labels of an attribute, too */
    GENERATOR_QUEUES_MAX = 4096,
    GENERATOR_NESTED_MAX = 8,    /* each begins to count C calls anew, and the C stack ends */
    GENERATOR_JOBS_MAX = 1 << 30 /* a script that makes more will never end */
};

/* What the state keeps for a generator, in one table of its registry. */
enum generator_kept {
    KEPT_GENERATE = 1, /* the script's function */
    KEPT_SELF,         /* `g` */
    KEPT_METHODS,      /* what g.name finds */
    KEPT_THREAD,
    KEPT_KEYS,   /* names of a job's fields: as long as they are kept their addresses stay */
    KEPT_GROUPS, /* the number of a group by its name */
    KEPT_LABELS, /* by the number of an attribute: its labels, and the number of each */
    KEPT_QUEUES, /* their names, and the array of these */
    KEPT_LISTS   /* the first of the blocks of memory for lists */
};

/* Stack of g:job: g, the job's table, then the values of its fields in the model's order. */
enum { JOB_TABLE = 2, JOB_FIELDS };

typedef struct generator_model {
    const char *name;
    const job_model *job;      /* the rows of its fields */
    const char *const *fields; /* read by `read`, ended by null; a row of this name is not */
    bool ticks;                /* durations are in parts of a unit of time: field "ticks" */
    bool queues;               /* jobs are in queues: field "queues" */
    bool estimates;            /* policies may be told wrong sizes: field "estimates" */
    /* Reads its own fields into generator->job, where all others are, and checks fields against
     * each other; null: there is no need. */
    void (*read)(lua_State *L, pn_lua_workload *self);
} generator_model;

#define GENERATOR_DECLARE(MODEL, JOB) extern const generator_model generator_##MODEL;
GENERATOR_MODELS(GENERATOR_DECLARE)

typedef struct generator_list {
    void *bytes; /* in the state */
    size_t room;
} generator_list;

typedef struct generator_labels {
    const char *const *texts;
    uint32_t count; /* 0: the attribute is a number */
} generator_labels;

struct pn_lua_workload {
    const generator_model *model;
    sandbox *box; /* null: the script runs in the host's state */
    /* Then the coroutines that are the generator's own take this for theirs: what reads tables for
     * sandboxed scripts finds no limits there. */
    sandbox unlimited;
    lua_State *L; /* of the sandbox, or a coroutine of the host's state that nothing else uses */
    pn_lua_options options;
    char chunk[PN_LUA_MESSAGE_SIZE / 2]; /* what messages call the file */
    const char *text;                    /* of the file, while it is loaded */
    size_t text_size;
    char name[DEFINE_NAME_SIZE], summary[DEFINE_TEXT_SIZE];

    define_param param_texts[GENERATOR_PARAMS_MAX]; /* .text: the value of a text */
    pn_param params[GENERATOR_PARAMS_MAX];
    double param_values[GENERATOR_PARAMS_MAX];
    uint32_t param_count;

    const char *const *group_names; /* sorted; in the state */
    uint32_t group_count;
    bool groups_declared; /* by the definition, */
    bool groups_known;    /* or otherwise: there is no need to collect them */
    char attributes[PN_ATTRIBUTES_MAX][DEFINE_NAME_SIZE]; /* sorted */
    const char *attribute_names[PN_ATTRIBUTES_MAX];
    double attribute_defaults[PN_ATTRIBUTES_MAX], attribute_values[PN_ATTRIBUTES_MAX];
    uint32_t attribute_count;
    /* of attributes that are texts, with their default first; in the state */
    generator_labels labels[PN_ATTRIBUTES_MAX];
    int group_by;   /* the attribute whose labels are the groups; -1: jobs name theirs */
    uint64_t ticks; /* of a duration, to the unit of time */
    const char *const *queue_names; /* of the definition; in the state */
    uint32_t queue_count;
    uint32_t resources; /* entries of a demand, as the first job has them; 0: not known yet */

    uint64_t seed;
    uint32_t replica;
    bool surveyed;   /* the names of groups are those of this seed and replica */
    bool collecting; /* groups that are met are noted, and nothing else */
    bool estimates, estimates_declared;
    enum { TIMES_UNKNOWN, TIMES_ARRIVALS, TIMES_GAPS } times;
    bool pending; /* there is a job that was not returned yet */
    bool ended, failed, was_interrupted;
    bool running; /* the script's function: only then `g` draws and takes jobs */
    bool offered; /* it yielded with a job, not by itself */
    int *nested;  /* of the host's state: how many functions run inside one another */

    lua_State *thread;           /* null before the first start */
    struct generator_self *self; /* `g` */
    /* of fields: the model's own, those of rows, attributes; and the rows */
    const char *keys[GENERATOR_FIELDS_MAX + 1];
    const job_field *rows[GENERATOR_FIELDS_MAX + 1];
    int key_count, group_key, attribute_key;
    generator_list lists[GENERATOR_LISTS_MAX];
    uint64_t made; /* jobs so far, that which is being read too */
    double latest; /* arrival of the job ahead */
    generator_job job;
    char message[PN_LUA_MESSAGE_SIZE];
};

/* `g` in Lua. Draws find its stream first. A script may keep it longer than there is a
 * generator. */
typedef struct generator_self {
    draws draws;
    pn_lua_workload *workload; /* null: it is gone */
} generator_self;

/* ---- life.c ---------------------------------------------------------------------------------- */

/* Loads as pn_lua_workload_load; the sandbox notes its calls in *running, which may be null. */
int generator_load_watched(pn_lua_workload **self, const char *name, const char *text, size_t size,
                           const pn_lua_options *options, sandbox *volatile *running, char *message,
                           size_t message_size);
/* Makes a generator of the definition on top of the stack, a table, whose function runs in this
 * state, or in a coroutine of it. Null with the reason on top of the stack; else nothing is there.
 * The caller frees it before the state is closed. */
pn_lua_workload *generator_of_state(lua_State *L, const char *name);
/* Declares the groups of its jobs, those of the list of names on top of the stack of `L`, which may
 * be another state, as if they were declared. PN_OK, or PN_ERR_POLICY with a message. */
int generator_declare_groups(pn_lua_workload *self, lua_State *L);
/* Pushes what the state keeps under this number. */
void generator_push_kept(lua_State *L, const pn_lua_workload *self, int kept);
/* Replaces it by the value on top of the stack, which is popped. */
void generator_keep(lua_State *L, const pn_lua_workload *self, int kept);

/* ---- define.c -------------------------------------------------------------------------------- */

/* Returns whether the string there is no UTF-8 text or has a zero byte: names are C strings, and
 * written to JSON. */
bool generator_odd_group(lua_State *L, int index);
/* lua_CFunction of (definition, generator as light userdata). */
int generator_define(lua_State *L);

/* ---- params.c -------------------------------------------------------------------------------- */

/* Pushes a table of their values. */
void generator_push_params(lua_State *L, const pn_lua_workload *self);

/* ---- view.c ---------------------------------------------------------------------------------- */

/* Makes `g`, and keeps it and its methods. */
void generator_make_self(lua_State *L, pn_lua_workload *self);
/* lua_CFunction: g:job { … }. */
int generator_job_method(lua_State *L);

/* ---- fields.c: for g:job, at the field with this index --------------------------------------- */

/* Lays the values of the fields of the table at JOB_TABLE from JOB_FIELDS on; refuses others. */
void generator_spread_fields(lua_State *L, pn_lua_workload *self);
/* Raises "job N: FIELD: …"; the format is lua_pushvfstring's. */
int generator_refuse(lua_State *L, const pn_lua_workload *self, int field, const char *format, ...);
bool generator_has(lua_State *L, int field);
/* Returns an integer, also where it is written as a float; `missing` when the field is not
 * there. */
uint64_t generator_integer(lua_State *L, const pn_lua_workload *self, int field, uint64_t low,
                           uint64_t high, uint64_t missing);
/* Returns the same of the value at `index`, which must be there; false when it is none. */
bool generator_integer_at(lua_State *L, int index, uint64_t low, uint64_t high, uint64_t *value);
/* Shows the value there in a message: never an address. */
const char *generator_shown(lua_State *L, int index);
/* Returns a time that must not be before that of the job ahead, rounded up to an integer >=
 * least. */
uint64_t generator_arrival(lua_State *L, pn_lua_workload *self, int field, uint64_t least);
/* Returns how many values the list has; raises when it is none. */
size_t generator_list_length(lua_State *L, const pn_lua_workload *self, int field, size_t most);
/* Returns element k, from 1 on, of that list. */
uint64_t generator_element(lua_State *L, const pn_lua_workload *self, int field, size_t k,
                           uint64_t low, uint64_t high);
/* Returns memory for a list of this job, until the next job has one of the same number. */
void *generator_list_room(lua_State *L, pn_lua_workload *self, int list, size_t count,
                          size_t element);
/* Reads the fields of rows into generator->job, except for group. */
void generator_read_rows(lua_State *L, pn_lua_workload *self);
/* Pushes the field of this name, which is there. */
int generator_field(const pn_lua_workload *self, const char *name);
/* Returns an amount as the tandem model takes it; 0 when missing. */
double generator_amount(lua_State *L, const pn_lua_workload *self, int field);

#endif
