/* The sandbox of a policy written in Lua: a Lua state of its own in which only what is on an
 * allow-list exists, with a ceiling on memory and, if wanted, on the instructions of one call. It
 * knows nothing of schedulers: it loads a text that returns a table, freezes what can be reached
 * from that table, and calls functions of it.
 *
 * What a policy computes depends on nothing but its text and what it is called with: not on Lua's
 * hash seed, on addresses, the locale, libm or the budget. And nothing that it does outlives a
 * call: after freezing there is no memory left to write to, so a policy's only memory is the one
 * its host hands it.
 *
 * A policy finds Lua 5.4 without: modules other than the files that its text carries, io, os,
 * debug, coroutines, pcall, finalizers, weak tables, string patterns, random numbers, trigonometry,
 * the operator ^ (math.pow) and arithmetic on strings; and with exact numbers (exact.h). pairs has
 * a defined order, table.sort is stable, metatables are copied when they are set, globals cannot be
 * assigned, nor locals of the file from inside a function. One thing remains that shows the
 * processor: "text" .. NaN has its sign; tostring, print and string.format show none.
 *
 * The budget bounds the time of a call. One unit is one VM instruction, or as much work of another
 * kind: 32 bytes asked of the allocator, an element that a library function touches. While a string
 * of n bytes or a hash table of m nodes exists, an instruction costs n / 1024 + m / 8192 units
 * more, as it may compare that string byte by byte, or meet integer keys that the policy has made
 * collide. A unit takes some nanoseconds, and at worst about 20 microseconds: ten million units
 * take less than 0.1 s of a policy that computes, and a few minutes of one that does its worst.
 * Which instruction a call ends at may differ between processes, as tables are rehashed at
 * different moments; that the others compute the same does not.
 *
 * The stack of box->L, outside of calls: a message handler at index 1, and once a file is loaded
 * its table at SANDBOX_TABLE. Leave these two alone. Up to SANDBOX_SLOTS further values may lie
 * above them; call lua_checkstack (which never raises) for more. Whatever may raise or allocate
 * belongs into sandbox_protect. */
#ifndef PINION_SANDBOX_HOST_H
#define PINION_SANDBOX_HOST_H

#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "pn_strict.h"

#define SANDBOX_MEMORY       ((size_t)64 << 20) /* the ceiling when none is asked for */
#define SANDBOX_MESSAGE_SIZE 1024
/* What separates a text from the files that it carries; see sandbox_load. */
#define SANDBOX_FILE           '\x1c'
#define SANDBOX_FILE_NAME_SIZE 48 /* of a carried file's name, with its final zero */
#define SANDBOX_TABLE          2
#define SANDBOX_SLOTS          32

typedef struct sandbox sandbox;

typedef struct sandbox_limits {
    size_t memory; /* bytes the state may hold; 0 = SANDBOX_MEMORY */
    /* units of one call: VM instructions, memory asked for, work of C functions; 0 = no limit */
    uint64_t budget;
    /* The allocator behind the ceiling, as lua_Alloc; null = realloc and free. For tests of every
     * failure, and hosts without a heap. */
    void *(*allocate)(void *user, void *block, size_t old_size, size_t new_size);
    /* One line that a policy printed, "FILE:LINE: text", without a newline; null = to standard
     * error. */
    void (*print)(void *user, const char *line);
    void *user;
    /* Where a box notes that a call of it runs, and what was there before when it has ended:
     * for a signal handler that interrupts whatever runs. Null = nowhere. */
    sandbox *volatile *running;
} sandbox_limits;

/* How messages speak of a file, and where they send who wants memory or random numbers. */
typedef struct sandbox_words {
    const char *kind;   /* "a policy" */
    const char *random; /* "draw from the simulation's stream with s:random" */
    /* Who writes to a table of the file, to a global, to a local of the file. */
    const char *frozen, *global, *outlives;
} sandbox_words;

extern const sandbox_words sandbox_policy_words; /* of a box that has been told no others */

struct sandbox {
    lua_State *L;
    const sandbox_words *words;
    void *owner; /* the host's own; the sandbox never looks at it */
    /* Writes what the host has to say in front of a line that the policy prints, such as "slot 40:
     * "; null = nothing. */
    void (*context)(const void *owner, char *text, size_t size);
    /* after a failed sandbox_load: 1 = the file is not a policy at all, 0 = it failed while it
     * ran */
    int syntax;
    /* of the last failure: one line without control characters, with file and line */
    char message[SANDBOX_MESSAGE_SIZE];

    /* The rest is the sandbox's own. */
    sandbox_limits limits; /* memory and allocate filled in */
    size_t used;           /* bytes held now */
    uint64_t left;         /* of the budget of the running call */
    int every;             /* instructions from one look at the budget to the next */
    /* Bytes of the longest string and nodes of the largest hash table that the running call has
     * made, or the file. */
    size_t longest, nodes;
    size_t longest_kept, nodes_kept; /* what the file had made */
    /* bytes of the largest array or hash table that the running call has made */
    size_t largest;
    int frozen; /* nothing that a call makes outlives it any more */
    volatile sig_atomic_t interrupted;
    int was_interrupted; /* the last call ended because of sandbox_interrupt */
    /* calls that run: more than one when a C function that a policy called calls back */
    unsigned depth;
    int refused;    /* why the allocator last said no (enum refusal) */
    locale_t plain; /* the "C" locale */
    /* the files that the text carries, while it loads; null = require is not available */
    const char *carried;
    size_t carried_size;
    size_t place;      /* bytes of the "FILE:LINE: " or "FILE: " that message begins with */
    char *chunk;       /* what messages call the file; null before loading */
    size_t chunk_size; /* with its final zero */
};

/* Makes an empty sandbox. `limits` is copied. Null when memory is short, or limits->memory does not
 * even hold the library. */
sandbox *sandbox_new(const sandbox_limits *limits);
void sandbox_free(sandbox *box); /* null is fine */

/* Compiles the text (chunk = what messages call it, as it is: "policies/mine.lua"), runs it, and
 * leaves the one table that it returned at SANDBOX_TABLE. Once per sandbox. Returns 0, or -1 with a
 * message; then the box is only to be freed.
 *
 * The text may carry files that it requires. Behind its own text stands for each of them the
 * character SANDBOX_FILE, its name, an end of line, and the file's text:
 *
 *     local shared = require "./shared" ... <SANDBOX_FILE>shared\nreturn { ... }
 *
 * Messages call it by its name with ".lua", in the folder of `chunk`. */
int sandbox_load(sandbox *box, const char *chunk, const char *text, size_t size);

/* Returns the size of a text without the files that it carries. */
size_t sandbox_own_size(const char *text, size_t size);

/* Returns the file of a function by the `source` of lua_getinfo: the name of a carried file; "" for
 * the text itself, and for functions that are not the policy's. */
const char *sandbox_file_of(const char *source);

/* Writes a message of the box: "FILE:LINE: text", or without the line when it is 0. `file` is as
 * sandbox_file_of has it. */
void sandbox_say(sandbox *box, const char *file, int line, const char *text);

/* Writes "FILE:LINE: " or "FILE: " as in messages, cut when it is longer; returns its length. */
size_t sandbox_write_place(const sandbox *box, const char *file, int line, char *text, size_t size);

/* Pushes the value of an expression, which is compiled as a file is. Returns 0, or -1 with a
 * message. */
int sandbox_evaluate(sandbox *box, const char *text, size_t size);

/* Makes every table that can be reached from the value on top of the stack read-only, in place, and
 * refuses closures that would keep a changing local alive. What C functions of the host keep in
 * upvalues is theirs. The value stays on top. Returns 0, or -1 with a message; then the box is only
 * to be freed. */
int sandbox_freeze(sandbox *box);

/* Calls the function that lies below its `arguments` arguments. On success leaves exactly `results`
 * (>= 0) values in their place and returns 0; else removes them and returns -1 with a message.
 * Starts a new budget, except when a C function called by a policy calls back: such a call is paid
 * from the budget of the outermost one. The box can be used again after a failure. */
int sandbox_call(sandbox *box, int arguments, int results);

/* Runs or continues a coroutine, outside of all calls. `thread` is from lua_newthread(box->L); its
 * function and so many arguments lie on it at first, later the arguments alone. Returns 1 when it
 * has yielded, 0 when it has ended, -1 with a message when it failed; then it cannot be continued.
 * What it yields or returns is dropped: it speaks through C functions. Each stretch from one yield
 * to the next is a call with a budget of its own. */
int sandbox_resume(sandbox *box, lua_State *thread, int arguments);

/* Ends the call that runs, or else the next one, with the message "FILE:LINE: interrupted":
 * at its next instruction, or in a C function when that charges the budget. May be called from a
 * signal handler of the thread that uses the box. */
void sandbox_interrupt(sandbox *box);

/* Runs function(L) with `data` as light userdata for its one argument, protected and unmetered; its
 * results are dropped. Returns 0, or -1 with a message. */
int sandbox_protect(sandbox *box, lua_CFunction function, void *data);

/* ---- for C functions that policies can reach ------------------------------------------------- */

static inline sandbox *sandbox_of(lua_State *L)
{
    return *(sandbox **)lua_getextraspace(L);
}

/* Charges work to the budget of the running call; raises when it is used up. Call it before doing
 * the work. */
void sandbox_charge(lua_State *L, uint64_t units);

/* Returns how many units work in the place of a call may cost: the budget of a call, or what is
 * left of that of the running one; UINT64_MAX without one. */
uint64_t sandbox_affords(const sandbox *box);
/* Charges that work, of no more units than that, to the running call, if there is one. */
void sandbox_spend(sandbox *box, uint64_t units);

/* What the outermost call puts back when it ends. */
typedef struct sandbox_outside {
    locale_t locale;
    sandbox *running;
} sandbox_outside;

/* Begins and ends work in the place of a call which may itself make calls, or may have to be
 * interrupted: these calls share its budget, and box->interrupted says when it is to give up. */
sandbox_outside sandbox_enter(sandbox *box);
void sandbox_leave(sandbox *box, const sandbox_outside *before);

/* Returns a function of the sandbox's math library; null: it has none of that name. */
lua_CFunction sandbox_math(const char *name);

/* Returns the length of the table at `index`, without its metatable: a place that holds something
 * in front of one that does not, or 0 when place 1 is empty. It follows from what is in the table
 * alone, unlike lua_rawlen, which differs between processes where there are holes: doubles a place
 * from 1 until it is empty, then bisects. O(log n), charged. */
lua_Integer sandbox_length(lua_State *L, int index);

/* Goes on raising the failure that a sandbox_call or sandbox_protect inside this C function has
 * just reported, its message as it is. Never returns. */
int sandbox_raise_again(lua_State *L);

#endif
