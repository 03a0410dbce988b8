/* The sandbox as its host sees it: the allocator with the ceiling, the budget, the one protected
 * call, and what failures say. */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define HANDLER 1 /* stack index of the message handler */
/* instructions between two looks at the budget, divided by the price of one */
#define HOOK_EVERY 1000
/* One instruction may compare the longest string of the call, and may walk through all nodes of the
 * largest hash table, when the policy has chosen keys that collide. Its price is one unit, and
 * another one for so many bytes or nodes. */
#define STRING_PER_UNIT 1024
#define NODES_PER_UNIT  8192
#define NODE_SIZE       24 /* bytes of a node in Lua 5.4 where pointers have 8 */
/* Extra arguments that are not charged for, and how many functions are looked at. Who hides them
 * deeper at each look has to spend his instructions on going there. */
#define EXTRA_FREE   256
#define EXTRA_LEVELS 8

enum refusal { REFUSED_NOTHING, REFUSED_CEILING, REFUSED_STRING, REFUSED_HOST };

/* Error values that only C can raise: light userdata with these addresses. The handler knows what
 * to say for each, so that failing needs no memory. */
static const char budget_used_up, interrupted, said_already;

const sandbox_words sandbox_policy_words = {
    .kind = "a policy",
    .random = "draw from the simulation's stream with s:random",
    .frozen = "declare memory in state = { ... }",
    .global = "declare it local, or as memory in state = { ... }",
    .outlives = "declare it in state = { ... }, which checkpoints carry"};

/* ---- memory ---------------------------------------------------------------------------------- */

static void *allocate_from_heap(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

static void *refuse(sandbox *box, enum refusal why)
{
    box->refused = (int)why;
    return NULL;
}

static void on_count(lua_State *L, lua_Debug *frame);
static void on_interrupt(lua_State *L, lua_Debug *frame);

static uint64_t price_of(const sandbox *box)
{
    return 1 + box->longest / STRING_PER_UNIT + box->nodes / NODES_PER_UNIT;
}

/* Sets the hook that ends the running call when it has to end. Counting begins anew. */
static void arm(sandbox *box)
{
    uint64_t every = HOOK_EVERY / price_of(box);
    box->every = every > 1 ? (int)every : 1;
    if (box->interrupted)
        lua_sethook(box->L, on_interrupt, LUA_MASKCOUNT, 1);
    else if (box->limits.budget > 0)
        lua_sethook(box->L, on_count, LUA_MASKCOUNT, box->left > 0 ? box->every : 1);
    else
        lua_sethook(box->L, NULL, 0, 0);
}

/* Charges work where nothing can be raised: when the budget is used up, the next instruction ends
 * the call. */
static void charge_quietly(sandbox *box, uint64_t units)
{
    if (box->limits.budget == 0 || box->left == 0)
        return;
    box->left -= units < box->left ? units : box->left;
    if (box->left == 0)
        arm(box);
}

uint64_t sandbox_affords(const sandbox *box)
{
    uint64_t left = box->depth > 0 ? box->left : box->limits.budget;
    return box->limits.budget == 0 ? UINT64_MAX : left / price_of(box);
}

void sandbox_spend(sandbox *box, uint64_t units)
{
    if (box->depth > 0)
        charge_quietly(box, units * price_of(box));
}

/* Counts nodes. A hash table's nodes come as one new block without a type, and are a power of two.
 * Other blocks may look so, too: then some instructions are dearer than they need be. */
static size_t nodes_in(size_t size)
{
    size_t nodes = size / NODE_SIZE;
    if (sizeof(void *) == 8 && (size % NODE_SIZE != 0 || (nodes & (nodes - 1)) != 0))
        return 0;
    return nodes;
}

/* Notes what makes instructions dearer from now on. Those since the last look are charged at once,
 * as counting begins anew. */
static void note_block(sandbox *box, int type, size_t size)
{
    uint64_t price = price_of(box);
    if (type <= 0 && size > box->largest)
        box->largest = size;
    if (type == LUA_TSTRING && size > box->longest)
        box->longest = size;
    else if (type == 0 && nodes_in(size) > box->nodes)
        box->nodes = nodes_in(size);
    if (price_of(box) != price && box->depth > 0 && box->limits.budget > 0) {
        charge_quietly(box, HOOK_EVERY);
        arm(box);
    }
}

/* Does all that Lua does to memory: copying a string, moving a table's elements when it grows or is
 * rehashed, is about as much work as the bytes it asks for. A rehash asks for the array again, also
 * when its size stays. Freeing is part of making. */
static void *allocate(void *user, void *block, size_t old_size, size_t new_size)
{
    sandbox *box = user;
    /* 0: none, as arrays and nodes have none; -1: an array, most likely */
    int type = block ? -1 : (int)old_size;
    /* Strings grow by a single instruction (s .. s), so the budget cannot hold them; for a new
     * block Lua says what it is for. */
    if (!block && old_size == LUA_TSTRING && new_size > SANDBOX_STRING_MOST + 64)
        return refuse(box, REFUSED_STRING);
    if (!block)
        old_size = 0;
    if (new_size > old_size && new_size - old_size > box->limits.memory - box->used) {
        /* Lua collects all garbage now and asks again. That takes time, so who lives close to the
         * ceiling pays for it. */
        charge_quietly(box, box->used / 1024);
        return refuse(box, REFUSED_CEILING);
    }
    block = box->limits.allocate(box->limits.user, block, old_size, new_size);
    if (new_size > 0 && !block)
        return refuse(box, REFUSED_HOST);
    box->used += new_size - old_size;
    if (new_size > 0) {
        charge_quietly(box, (old_size + new_size) / SANDBOX_BYTES_PER_UNIT);
        note_block(box, type, new_size);
    }
    return block;
}

/* ---- what failures say ----------------------------------------------------------------------- */

const char *sandbox_file_of(const char *source)
{
    size_t mark = sizeof SANDBOX_MARK - 1;
    return strncmp(source, "=" SANDBOX_MARK, mark + 1) == 0 ? source + mark + 1 : "";
}

int sandbox_line(lua_State *L, const char **file)
{
    lua_Debug frame;
    for (int level = 0; lua_getstack(L, level, &frame); level++) {
        lua_getinfo(L, "lS", &frame);
        *file = sandbox_file_of(frame.source);
        if (frame.currentline > 0)
            return frame.currentline;
    }
    *file = "";
    return 0;
}

size_t sandbox_write_place(const sandbox *box, const char *file, int line, char *text, size_t size)
{
    const char *chunk = box->chunk ? box->chunk : "policy", *folder = strrchr(chunk, '/');
    char number[16] = "";
    int written;
    if (line > 0)
        snprintf(number, sizeof number, "%d:", line);
    if (file[0] == '\0')
        written = snprintf(text, size, "%s:%s ", chunk, number);
    else
        written = snprintf(text, size, "%.*s%s.lua:%s ", folder ? (int)(folder + 1 - chunk) : 0,
                           chunk, file, number);
    return written < (int)size ? (size_t)written : size - 1;
}

void sandbox_say(sandbox *box, const char *file, int line, const char *text)
{
    size_t size = sizeof box->message;
    box->place = sandbox_write_place(box, file, line, box->message, size);
    size_t room = size - box->place;
    if (snprintf(box->message + box->place, room, "%s", text) >= (int)room)
        memcpy(box->message + size - 4, "...", 4);
    for (char *c = box->message; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';
    }
}

/* Writes a message about the whole text. */
static void say(sandbox *box, const char *text)
{
    sandbox_say(box, "", 0, text);
}

/* Writes a message about what runs now. */
static void say_here(lua_State *L, sandbox *box, const char *text)
{
    const char *file;
    int line = sandbox_line(L, &file);
    sandbox_say(box, file, line, text);
}

/* Writes the ceiling in the largest unit that divides it, as "64 MiB". */
static void say_ceiling(sandbox *box)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    size_t amount = box->limits.memory;
    unsigned unit = 0;
    char text[80];
    while (unit < 3 && amount % 1024 == 0) {
        amount /= 1024;
        unit++;
    }
    snprintf(text, sizeof text, "needs more than %zu %s of memory", amount, units[unit]);
    say(box, text);
}

void sandbox_say_memory(sandbox *box)
{
    char text[80];
    if (box->refused == REFUSED_STRING) {
        snprintf(text, sizeof text, "makes a string of more than %d bytes", SANDBOX_STRING_MOST);
        say(box, text);
    } else if (box->refused == REFUSED_CEILING) {
        say_ceiling(box);
    } else {
        say(box, "not enough memory");
    }
}

/* Writes a message; one that begins with the mark, a file and a line keeps them; any other gets the
 * line that runs now. */
static void say_string(lua_State *L, sandbox *box, const char *text)
{
    size_t mark = sizeof SANDBOX_MARK - 1, size = strcspn(text, ":");
    char file[SANDBOX_FILE_NAME_SIZE], *end;
    if (strncmp(text, SANDBOX_MARK, mark) == 0 && text[size] == ':' && size - mark < sizeof file) {
        long line = strtol(text + size + 1, &end, 10);
        memcpy(file, text + mark, size - mark);
        file[size - mark] = '\0';
        if (line > 0 && strncmp(end, ": ", 2) == 0) {
            sandbox_say(box, file, (int)line, end + 2);
            return;
        }
    }
    say_here(L, box, text);
}

/* Writes the message for the error value at `index` of the thread that failed, without memory and
 * without running any of the policy's code. */
static void say_error(lua_State *L, sandbox *box, int index)
{
    const void *address = lua_touserdata(L, index);
    char text[SANDBOX_NUMBER_SIZE + 64];
    if (lua_type(L, index) == LUA_TSTRING) {
        say_string(L, box, lua_tostring(L, index));
    } else if (lua_type(L, index) == LUA_TNUMBER) {
        sandbox_number_text(L, index, text);
        say_here(L, box, text);
    } else if (address == &budget_used_up) {
        snprintf(text, sizeof text, "used up its budget of %llu instructions in one call",
                 (unsigned long long)box->limits.budget);
        say_here(L, box, text);
    } else if (address == &interrupted) {
        say_here(L, box, "interrupted");
    } else if (address != &said_already) {
        snprintf(text, sizeof text, "error value of type %s", lua_typename(L, lua_type(L, index)));
        say_here(L, box, text);
    }
}

int sandbox_raise_at(lua_State *L, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    lua_pushfstring(L, SANDBOX_MARK "%s:%d: ", file, line);
    va_start(arguments, format);
    lua_pushvfstring(L, format, arguments);
    va_end(arguments);
    lua_concat(L, 2);
    return lua_error(L);
}

static int on_error(lua_State *L)
{
    say_error(L, sandbox_of(L), 1);
    return 1;
}

int sandbox_raise_again(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&said_already);
    return lua_error(L);
}

/* ---- the budget ------------------------------------------------------------------------------ */

/* Ends the call for the host; the host's next call finds everything as usual. */
static void raise_interrupted(lua_State *L, sandbox *box)
{
    box->interrupted = 0;
    box->was_interrupted = 1;
    arm(box);
    lua_pushlightuserdata(L, (void *)(uintptr_t)&interrupted);
    lua_error(L);
}

static void on_interrupt(lua_State *L, lua_Debug *frame)
{
    (void)frame;
    raise_interrupted(L, sandbox_of(L));
}

/* Does a signal handler's work: the flag first, as the hook may be set anew at any moment. */
void sandbox_interrupt(sandbox *box)
{
    box->interrupted = 1;
    lua_sethook(box->L, on_interrupt, LUA_MASKCOUNT, 1);
}

void sandbox_charge(lua_State *L, uint64_t units)
{
    sandbox *box = sandbox_of(L);
    if (box->interrupted)
        raise_interrupted(L, box);
    if (units > box->left) {
        box->left = 0;
        lua_pushlightuserdata(L, (void *)(uintptr_t)&budget_used_up);
        lua_error(L);
    }
    box->left -= units;
}

void sandbox_charge_elements(lua_State *L, uint64_t count)
{
    sandbox_charge(L, count);
    if (count > SANDBOX_ELEMENTS_MOST)
        luaL_error(L, "more than %d elements in one call", SANDBOX_ELEMENTS_MOST);
}

void sandbox_charge_bytes(lua_State *L, uint64_t size)
{
    sandbox_charge(L, size / SANDBOX_BYTES_PER_UNIT);
    if (size > SANDBOX_STRING_MOST)
        luaL_error(L, "makes a string of more than %d bytes", SANDBOX_STRING_MOST);
}

/* Returns how long the longest list of extra arguments (...) is among the functions that run now,
 * to a power of two; 0 when short. */
static uint64_t extra_arguments(lua_State *L)
{
    int longest = EXTRA_FREE;
    lua_Debug frame;
    for (int level = 0; level < EXTRA_LEVELS && lua_getstack(L, level, &frame); level++) {
        while (lua_getlocal(L, &frame, -longest)) { /* a stack ends long before an int does */
            lua_pop(L, 1);
            longest *= 2;
        }
    }
    return longest > EXTRA_FREE ? (uint64_t)longest : 0;
}

/* Counts. Any instruction since the last look may have copied all extra arguments: f(...) does. */
static void on_count(lua_State *L, lua_Debug *frame)
{
    sandbox *box = sandbox_of(L);
    uint64_t count = (uint64_t)box->every;
    (void)frame;
    sandbox_charge(L, count * price_of(box) + (extra_arguments(L) * count + 9) / 10);
}

/* Starts counting anew, from the same point of the hook's period, so that where a call ends depends
 * on this call alone. Without a budget there is no hook, and the amount is never used up. */
static void start_budget(sandbox *box)
{
    box->left = box->limits.budget > 0 ? box->limits.budget : UINT64_MAX;
    box->was_interrupted = 0;
    if (box->frozen) { /* before, what one call makes may outlive it */
        box->longest = box->longest_kept;
        box->nodes = box->nodes_kept;
        box->largest = 0;
    }
    if (box->limits.budget > 0 || box->interrupted)
        arm(box);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int failed(sandbox *box, int status)
{
    if (status == LUA_ERRMEM)
        sandbox_say_memory(box);
    else if (status != LUA_ERRRUN)
        /* LUA_ERRERR: so deep that the handler did not fit any more */
        say(box, "stack overflow");
    return -1;
}

/* Calls inside a C function, where stack index 1 is an argument of that function: a nested call
 * brings its own handler. */
static int call_nested(sandbox *box, int arguments, int results)
{
    lua_State *L = box->L;
    int handler = lua_gettop(L) - arguments, status;
    if (!lua_checkstack(L, 1)) {
        lua_pop(L, arguments + 1);
        return LUA_ERRMEM;
    }
    lua_pushcfunction(L, on_error);
    lua_insert(L, handler);
    status = lua_pcall(L, arguments, results, handler);
    lua_remove(L, handler);
    if (status != LUA_OK)
        lua_pop(L, 1);
    return status;
}

/* Enters: the "C" locale is set for the thread, as Lua compares strings with strcoll and writes
 * numbers with printf. */
static inline sandbox_outside enter(sandbox *box)
{
    sandbox_outside before = {uselocale(box->plain), NULL};
    if (box->limits.running) {
        before.running = *box->limits.running;
        *box->limits.running = box;
    }
    box->depth = 1;
    return before;
}

static inline void leave(sandbox *box, const sandbox_outside *before)
{
    box->depth = 0;
    if (box->limits.running)
        *box->limits.running = before->running;
    uselocale(before->locale);
}

sandbox_outside sandbox_enter(sandbox *box)
{
    if (box->depth++ > 0)
        return (sandbox_outside){0};
    start_budget(box);
    return enter(box);
}

void sandbox_leave(sandbox *box, const sandbox_outside *before)
{
    if (--box->depth == 0)
        leave(box, before);
}

static inline int call_outermost(sandbox *box, int arguments, int results)
{
    lua_State *L = box->L;
    sandbox_outside before = enter(box);
    int status = lua_pcall(L, arguments, results, HANDLER);
    leave(box, &before);
    if (status != LUA_OK)
        lua_pop(L, 1);
    return status;
}

int sandbox_call(sandbox *box, int arguments, int results)
{
    int status;
    if (box->depth > 0) {
        status = call_nested(box, arguments, results);
    } else {
        start_budget(box);
        status = call_outermost(box, arguments, results);
    }
    return status == LUA_OK ? 0 : failed(box, status);
}

int sandbox_resume(sandbox *box, lua_State *thread, int arguments)
{
    lua_State *main = box->L;
    sandbox_outside before = enter(box);
    int status, results;
    box->L = thread; /* whose instructions are counted, and interrupted */
    start_budget(box);
    status = lua_resume(thread, main, arguments, &results);
    box->L = main;
    if (status == LUA_ERRRUN)
        say_error(thread, box, -1); /* numbers too, in the "C" locale */
    leave(box, &before);
    if (status == LUA_OK || status == LUA_YIELD) {
        lua_pop(thread, results);
        return status == LUA_YIELD;
    }
    return failed(box, status);
}

/* Calls like sandbox_call without results, but free: what an outer call has left stays as it is. */
static int call_free(sandbox *box)
{
    uint64_t left = box->left;
    int status;
    box->left = UINT64_MAX;
    status = box->depth > 0 ? call_nested(box, 1, 0) : call_outermost(box, 1, 0);
    box->left = left;
    return status == LUA_OK ? 0 : failed(box, status);
}

int sandbox_protect(sandbox *box, lua_CFunction function, void *data)
{
    if (!lua_checkstack(box->L, 2))
        return failed(box, LUA_ERRMEM);
    lua_pushcfunction(box->L, function);
    lua_pushlightuserdata(box->L, data);
    return call_free(box);
}

int sandbox_freeze(sandbox *box)
{
    if (!lua_checkstack(box->L, 2))
        return failed(box, LUA_ERRMEM);
    lua_pushcfunction(box->L, sandbox_freeze_value);
    lua_pushvalue(box->L, -2);
    if (call_free(box) != 0)
        return -1;
    box->frozen = 1;
    box->longest_kept = box->longest;
    box->nodes_kept = box->nodes;
    return 0;
}

/* ---- loading --------------------------------------------------------------------------------- */

static int load(lua_State *L)
{
    sandbox *box = sandbox_of(L);
    sandbox_compile(L, lua_touserdata(L, 1));
    box->syntax = 0;
    lua_call(L, 0, LUA_MULTRET);
    if (lua_gettop(L) != 2 || lua_type(L, 2) != LUA_TTABLE) {
        box->syntax = 1;
        if (lua_gettop(L) > 2)
            return luaL_error(L, "returned %d values (expected one table)", lua_gettop(L) - 1);
        return luaL_error(L, "returned %s (expected a table)",
                          lua_gettop(L) == 1 ? "nothing" : luaL_typename(L, 2));
    }
    return 1;
}

int sandbox_load(sandbox *box, const char *chunk, const char *text, size_t size)
{
    size_t own = sandbox_own_size(text, size);
    sandbox_file file = {size > 0 ? text : "", own, ""}; /* an empty text may be null */
    box->syntax = 1;
    box->chunk_size = strlen(chunk) + 1;
    box->chunk = box->limits.allocate(box->limits.user, NULL, 0, box->chunk_size);
    if (!box->chunk) {
        snprintf(box->message, sizeof box->message, "%s: not enough memory", chunk);
        return -1;
    }
    memcpy(box->chunk, chunk, box->chunk_size);
    box->carried = file.text + own;
    box->carried_size = size - own;
    lua_settop(box->L, HANDLER);
    lua_pushcfunction(box->L, load);
    lua_pushlightuserdata(box->L, &file);
    int status = sandbox_call(box, 1, 1);
    box->carried = NULL;
    return status;
}

static int evaluate(lua_State *L)
{
    sandbox_file *given = lua_touserdata(L, 1), file = {0};
    lua_pushliteral(L, "return ");
    lua_pushlstring(L, given->text, given->size);
    lua_concat(L, 2);
    file.text = lua_tolstring(L, -1, &file.size);
    sandbox_compile(L, &file);
    lua_call(L, 0, 1);
    return 1;
}

int sandbox_evaluate(sandbox *box, const char *text, size_t size)
{
    sandbox_file file = {text, size, ""};
    if (!lua_checkstack(box->L, 2))
        return failed(box, LUA_ERRMEM);
    lua_pushcfunction(box->L, evaluate);
    lua_pushlightuserdata(box->L, &file);
    return sandbox_call(box, 1, 1);
}

/* ---- life ------------------------------------------------------------------------------------ */

sandbox *sandbox_new(const sandbox_limits *limits)
{
    sandbox_limits filled = *limits;
    sandbox *box;
    if (filled.memory == 0)
        filled.memory = SANDBOX_MEMORY;
    if (!filled.allocate)
        filled.allocate = allocate_from_heap;
    box = filled.allocate(filled.user, NULL, 0, sizeof *box);
    if (!box)
        return NULL;
    memset(box, 0, sizeof *box);
    box->limits = filled;
    box->words = &sandbox_policy_words;
    box->left = UINT64_MAX;
    box->every = HOOK_EVERY;
    box->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    box->L = lua_newstate(allocate, box);
    if (!box->plain || !box->L) {
        sandbox_free(box);
        return NULL;
    }
    *(sandbox **)lua_getextraspace(box->L) = box;
    lua_pushcfunction(box->L, on_error);
    if (!lua_checkstack(box->L, SANDBOX_SLOTS + LUA_MINSTACK) ||
        sandbox_protect(box, sandbox_open, NULL) != 0) {
        sandbox_free(box);
        return NULL;
    }
    return box;
}

void sandbox_free(sandbox *box)
{
    sandbox_limits limits;
    if (!box)
        return;
    if (box->L)
        lua_close(box->L);
    if (box->plain)
        freelocale(box->plain);
    limits = box->limits;
    if (box->chunk)
        limits.allocate(limits.user, box->chunk, box->chunk_size, 0);
    limits.allocate(limits.user, box, sizeof *box, 0);
}
