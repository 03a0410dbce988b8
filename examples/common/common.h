/* What hosts with real processes share: the command line, policies, processes, and the log of what
 * they tell their core. Functions that return an int return 0, or -1 with a message on standard
 * error, unless they say otherwise. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "pinion_lua.h"

#define NEVER UINT64_MAX

/* ---- say.c ----------------------------------------------------------------------------------- */

/* What messages begin with: the program defines it. */
extern const char program_name[];
/* Says what is wrong: -1. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* without a message */
int read_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);
int read_large(const char *what, const char *text, uint64_t low, uint64_t high, uint64_t *value);
/* high <= UINT32_MAX */
int read_small(const char *what, const char *text, uint64_t low, uint64_t high, uint32_t *value);

/* A text as JSON has it. */
void put_text(FILE *file, const char *text);
/* The parameters that are not their defaults, as an object's fields, and what goes before the next
 * one; of a policy in Lua all, in a decision log its words by their numbers. */
const char *put_params(FILE *file, const pn_param *params, uint8_t count, const double *values,
                       int scripted, int words);

/* ---- outputs.c ------------------------------------------------------------------------------- */

/* A file that a run writes, perhaps at its end only. */
typedef struct output_file {
    const char *option, *name; /* null: none is wanted */
    FILE *file;                /* null: it is not open */
    int is_new;                /* and nothing is written yet */
} output_file;

/* Opens all that are wanted, and leaves what they hold. Refuses a file that is one of those which
 * are read (a null pointer is behind the last), or one of the others. 0; 1 where a file cannot be
 * opened, 2 where it is refused: then nothing has changed. */
int open_outputs(output_file *outputs, int count, const char *const *reads);
/* Empties the file, which is going to be written; null where none is wanted. */
FILE *begin_output(output_file *output);
/* Closes the file, and removes a new one into which nothing was written. */
int close_output(output_file *output);

/* ---- policy.c -------------------------------------------------------------------------------- */

/* A policy in Lua, with its text. */
typedef struct lua_file {
    pn_lua_policy *policy; /* null: there is none */
    char *text;
    size_t size;
} lua_file;

/* Whether it is called like a file in Lua. */
int is_lua(const char *name);
int load_lua(lua_file *file, const char *name);
void free_lua(lua_file *file);
/* Why the core refused the policy, or the policy gave up. */
void complain_of_lua(const lua_file *file);
/* Sets the parameter that "NAME=VALUE" names: a number, or the word of a choice. 0; 1 where there
 * is none of this name; -1. */
int set_policy_param(const pn_param *params, uint8_t count, double *values, const char *text);
/* Finds a policy of the dag model: a built-in one by its name, or one in a file, which is loaded;
 * with its parameters, of which some are set as above. */
int choose_dag_policy(const char *name, const pn_dispatch_policy **policy, lua_file *file,
                      double *values, const char *const *params, int param_count);

/* ---- process.c ------------------------------------------------------------------------------- */

/* Of a clock that only goes forward. */
uint64_t clock_ms(void);
/* From here on, signals wait until they are asked for. */
void catch_signals(void);
/* Sleeps until a signal or for so many ms; 1 when it is time to go. */
int wait_ms(uint64_t ms);
/* Waits for a process that was started here: its exit status, 130 after Ctrl-C. */
int wait_process(pid_t pid);
/* At the end of a run: kills what it started and has left its group, where the system lists
 * children, and waits for all that were killed. These are gone soon, more than 10 s they are not
 * worth. */
void wait_all(void);
/* In a new process: signals as a program expects them. */
void release_signals(void);
/* In the leader of a new group: the group is killed when the parent dies, where the system can do
 * that. */
void die_with(pid_t parent);
/* Takes a process that has ended, if there is one, and kills what it left in the group that it led:
 * its pid, or 0. */
pid_t reap_group(int *status);
/* Starts sh -c `command` in a process group of its own, with this variable in its environment
 * (null: none). Its pid, or -1. */
pid_t start_shell(const char *command, const char *variable, const char *value);

/* ---- inputs.c -------------------------------------------------------------------------------- */

/* An input log, which pinion.h writes line by line. */
typedef struct input_log {
    FILE *file; /* null: none is wanted */
    uint64_t check;
    char *line;
    size_t room;
} input_log;

/* Writes a line of the kernel's, asking for it again when it needs more bytes. */
typedef size_t input_line(const void *from, uint64_t *check, char *line, size_t size);
void put_input(input_log *log, input_line *write, const void *from);
void free_inputs(input_log *log);

#endif
