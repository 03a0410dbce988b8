/* Worker processes for Lua: forked copies of this process. Each runs one function and sends lines
 * of text back over a pipe of its own, so that replicas may run on all cores. All that is shared is
 * a counter of the tasks that were taken: a free worker takes the next one. Which one each worker
 * took last is kept beside it, so that a task does not get lost with its worker.
 *
 * A worker ends by _exit: what the parent has buffered for standard output is the parent's to
 * write. When the pool is let go of, whatever still runs is killed; when the parent dies, its
 * workers die too. */
#define _GNU_SOURCE /* sched_getaffinity */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif

#include "binding.h"
#include "base/interrupt.h"
#include "base/progress.h"

#define WORKERS     "pinion.Workers"
#define WORKERS_MAX 256
#define CHUNK       65536
#define TASKS_MAX   ((lua_Integer)1 << 53)

/* In memory that the workers share with their parent. Tasks are 1, 2, …; 0 is none. */
typedef struct counter {
    atomic_llong taken;             /* tasks that were taken, the first ones */
    atomic_llong last[WORKERS_MAX]; /* the task that each worker took last */
} counter;

typedef struct worker {
    pid_t pid;
    int pipe;   /* -1: has ended */
    int told;   /* the end was returned to Lua */
    int status; /* at the end, as waitpid has it; -1: unknown */
    char *text; /* what was read and not yet returned begins at `taken` */
    size_t taken, scanned, size, room;
} worker;

typedef struct workers {
    pid_t owner; /* the process that started them: a worker's copy of another pool is not its own */
    int count;
    int next; /* to be looked at first: no worker may talk the others down */
    lua_Integer tasks;
    counter *shared;
    worker worker[WORKERS_MAX];
} workers;

/* program_path(): the file of the running program, through links; nil where the system does not
 * say. */
static int core_program_path(lua_State *L)
{
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size > 0 && (size_t)size < sizeof path)
        lua_pushlstring(L, path, (size_t)size);
    else
        lua_pushnil(L);
    return 1;
}

static int core_cores(lua_State *L)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        /* those this process may use: a container may have fewer than the machine */
        cores = CPU_COUNT(&set);
#endif
    lua_pushinteger(L, cores > 0 ? (cores < WORKERS_MAX ? cores : WORKERS_MAX) : 1);
    return 1;
}

static int core_pid(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)getpid());
    return 1;
}

/* Postpones collection. A step of a negative size takes the debt of Lua 5.4's collector back. */
void lpinion_postpone_collection(lua_State *L)
{
    int used = lua_gc(L, LUA_GCCOUNT), least = 16384; /* kB */
    lua_gc(L, LUA_GCSTEP, -(used > least ? used : least));
}

/* Pushes the name of this machine. */
static int core_host(lua_State *L)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    lua_pushstring(L, name);
    return 1;
}

/* ---- a worker's side ------------------------------------------------------------------------- */

#ifdef PN_COVERAGE
int __llvm_profile_write_file(void);
#endif

/* Ends the process. _exit writes no counts of coverage, as exit does. */
static _Noreturn void end_process(int code)
{
#ifdef PN_COVERAGE
    __llvm_profile_write_file();
#endif
    _exit(code);
}

/* send(line) */
static int send_line(lua_State *L)
{
    int pipe = (int)lua_tointeger(L, lua_upvalueindex(1));
    size_t size;
    const char *text;
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_pushliteral(L, "\n");
    lua_concat(L, 2);
    text = lua_tolstring(L, 1, &size);
    luaL_argcheck(L, memchr(text, '\n', size) == text + size - 1, 1, "must be one line");
    while (size > 0) {
        ssize_t written = write(pipe, text, size);
        if (written < 0 && errno != EINTR)
            end_process(1); /* the other end of the pipe is closed */
        if (written > 0) {
            text += written;
            size -= (size_t)written;
        }
    }
    return 0;
}

/* take() -> the task to be run next, nil when all were taken. A worker that stands in for a lost
 * one takes that one's task first. */
static int take_task(lua_State *L)
{
    const workers *self = lua_touserdata(L, lua_upvalueindex(1));
    atomic_llong *last = &self->shared->last[lua_tointeger(L, lua_upvalueindex(2))];
    lua_Integer task = lua_tointeger(L, lua_upvalueindex(3));
    lua_pushinteger(L, 0);
    lua_replace(L, lua_upvalueindex(3));
    if (task == 0 && atomic_load(&self->shared->taken) < self->tasks)
        task = (lua_Integer)atomic_fetch_add(&self->shared->taken, 1) + 1;
    if (task == 0 || task > self->tasks) {
        lua_pushnil(L);
        return 1;
    }
    atomic_store(last, task);
    lua_pushinteger(L, task);
    return 1;
}

/* Runs (the function, index, pipe, the workers, the task to begin with): what the function
 * returned. */
static int work(lua_State *L)
{
    lua_Integer index = lua_tointeger(L, 2), first = lua_tointeger(L, 5);
    lua_pushinteger(L, index - 1);
    lua_pushinteger(L, first);
    lua_remove(L, 5);
    lua_pushcclosure(L, take_task, 3);
    lua_insert(L, 3);
    lua_pushcclosure(L, send_line, 1);
    lua_insert(L, 3);
    lua_call(L, 3, 1);
    return 1;
}

/* Becomes a worker; never returns: whatever may raise does so inside the protected call. The
 * function is on top of the stack. */
static void be_worker(lua_State *L, const workers *self, int index, int pipe, lua_Integer task,
                      pid_t parent)
{
    int code = 1;
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        end_process(1);
    interrupt_reset();
    /* A collection writes to every object, and so copies all memory that the worker shares with
     * its parent; for a short task this would take longer than the task. */
    lpinion_postpone_collection(L);
    lua_pushcfunction(L, work);
    lua_insert(L, -2);
    lua_pushinteger(L, index + 1);
    lua_pushinteger(L, pipe);
    lua_pushlightuserdata(L, (void *)self);
    lua_pushinteger(L, task);
    if (lua_pcall(L, 5, 1, 0) == LUA_OK)
        code = (int)lua_tointeger(L, -1);
    end_process(code);
}

/* ---- the parent's side ----------------------------------------------------------------------- */

static void end_worker(worker *one)
{
    close(one->pipe);
    one->pipe = -1;
    one->status = -1;
    while (waitpid(one->pid, &one->status, 0) < 0 && errno == EINTR)
        ;
}

static void end_all(workers *self)
{
    if (self->owner != getpid())
        return;
    for (int i = 0; i < self->count; i++)
        if (self->worker[i].pipe >= 0)
            kill(self->worker[i].pid, SIGKILL);
    for (int i = 0; i < self->count; i++) {
        if (self->worker[i].pipe >= 0)
            end_worker(&self->worker[i]);
        free(self->worker[i].text);
    }
    self->count = 0;
    if (self->shared)
        munmap(self->shared, sizeof *self->shared);
    self->shared = NULL;
}

static int workers_gc(lua_State *L)
{
    end_all(luaL_checkudata(L, 1, WORKERS));
    return 0;
}

/* Forgets siblings: a worker does not own the earlier workers that it inherits: it neither kills
 * them nor waits for them. */
static void forget_siblings(workers *self)
{
    for (int i = 0; i < self->count; i++)
        if (self->worker[i].pipe >= 0)
            close(self->worker[i].pipe);
    self->count = 0;
}

static int open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return 0;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 1;
}

/* Starts the worker at `index`, which begins with `task` unless that is 0. The function is on top
 * of the stack. 0 with errno when there are no more processes or descriptors to have. */
static int start_worker(lua_State *L, workers *self, int index, lua_Integer task)
{
    pid_t parent = getpid(), pid;
    int ends[2];
    if (!open_pipe(ends))
        return 0;
    pid = fork();
    if (pid == 0) {
        close(ends[0]);
        forget_siblings(self);
        progress_show_reading(0); /* the terminal is the parent's */
        be_worker(L, self, index, ends[1], task, parent);
    }
    close(ends[1]);
    if (pid < 0) {
        int why = errno;
        close(ends[0]);
        errno = why;
        return 0;
    }
    self->worker[index] = (worker){.pid = pid, .pipe = ends[0]};
    return 1;
}

/* Pushes the function that the workers run. */
static void push_function(lua_State *L, int pool)
{
    lua_getiuservalue(L, pool, 1);
}

/* Starts all: 0 with errno. */
static int start_all(lua_State *L, workers *self, int pool, int count)
{
    void *shared = mmap(NULL, sizeof *self->shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 0;
    self->shared = shared; /* all zero */
    fflush(NULL);          /* or a file that a worker closes would be written to twice */
    for (; self->count < count; self->count++) {
        push_function(L, pool);
        if (!start_worker(L, self, self->count, 0))
            return 0;
        lua_pop(L, 1);
    }
    return 1;
}

/* workers(count, function(index, send, take) … end[, tasks]) -> pool, or nil and the reason. The
 * function may return an exit code. */
static int core_workers(lua_State *L)
{
    lua_Integer count = luaL_checkinteger(L, 1), tasks = luaL_optinteger(L, 3, 0);
    workers *self;
    luaL_argcheck(L, 1 <= count && count <= WORKERS_MAX, 1, "must be in 1..256");
    luaL_checktype(L, 2, LUA_TFUNCTION);
    luaL_argcheck(L, 0 <= tasks && tasks <= TASKS_MAX, 3, "must be a number of tasks");
    lua_settop(L, 2);
    self = lua_newuserdatauv(L, sizeof *self, 1);
    memset(self, 0, sizeof *self);
    self->owner = getpid();
    self->tasks = tasks;
    luaL_setmetatable(L, WORKERS);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, 3, 1);
    if (!start_all(L, self, 3, (int)count)) {
        const char *why = strerror(errno);
        end_all(self);
        return push_failure(L, why);
    }
    lua_settop(L, 3);
    return 1;
}

/* Returns the index of the worker that argument 2 names, from 0. */
static int worker_at(lua_State *L, const workers *self)
{
    lua_Integer index = luaL_checkinteger(L, 2);
    luaL_argcheck(L, 1 <= index && index <= self->count, 2, "is no worker");
    return (int)index - 1;
}

/* last(index) -> the task that the worker took last; 0: none. */
static int workers_last(lua_State *L)
{
    const workers *self = luaL_checkudata(L, 1, WORKERS);
    lua_pushinteger(L, (lua_Integer)atomic_load(&self->shared->last[worker_at(L, self)]));
    return 1;
}

/* restart(index, task) -> true, or nil and the reason: another worker in place of one that has
 * ended, whose end was told. It begins with the task, unless that is 0. */
static int workers_restart(lua_State *L)
{
    workers *self = luaL_checkudata(L, 1, WORKERS);
    int index = worker_at(L, self);
    worker *one = &self->worker[index];
    lua_Integer task = luaL_checkinteger(L, 3);
    luaL_argcheck(L, one->told, 2, "has not ended");
    luaL_argcheck(L, 0 <= task && task <= self->tasks, 3, "is no task");
    free(one->text);
    one->text = NULL;
    fflush(NULL);
    push_function(L, 1);
    if (!start_worker(L, self, index, task))
        return push_failure(L, strerror(errno));
    lua_pushboolean(L, 1);
    return 1;
}

/* Takes the next line of a worker, without its end; null when there is none yet. */
static const char *take_line(worker *one, size_t *size)
{
    char *from, *end;
    if (one->scanned == one->size)
        return NULL;
    from = one->text + one->taken;
    end = memchr(one->text + one->scanned, '\n', one->size - one->scanned);
    if (!end) {
        one->scanned = one->size;
        return NULL;
    }
    *size = (size_t)(end - from);
    one->taken += *size + 1;
    one->scanned = one->taken;
    return from;
}

/* Reads what is there: 0 when memory is short. */
static int read_more(worker *one)
{
    ssize_t got;
    if (one->taken > 0) {
        memmove(one->text, one->text + one->taken, one->size - one->taken);
        one->size -= one->taken;
        one->scanned -= one->taken;
        one->taken = 0;
    }
    if (one->room - one->size < CHUNK) {
        size_t wanted = 2 * one->room + CHUNK;
        char *larger = realloc(one->text, wanted);
        if (!larger)
            return 0;
        one->text = larger;
        one->room = wanted;
    }
    got = read(one->pipe, one->text + one->size, one->room - one->size);
    if (got > 0)
        one->size += (size_t)got;
    else if (got == 0 || errno != EINTR)
        end_worker(one); /* a line without an end was never finished: it stays unsaid */
    return 1;
}

/* Pushes why a worker ended. nil when it did as it should. */
static void push_end(lua_State *L, int status)
{
    if (status != -1 && WIFSIGNALED(status))
        lua_pushfstring(L, "killed by signal %d (%s)", WTERMSIG(status),
                        strsignal(WTERMSIG(status)));
    else if (status != -1 && WEXITSTATUS(status) != 0)
        lua_pushfstring(L, "exit code %d", WEXITSTATUS(status));
    else
        lua_pushnil(L);
}

/* Pushes what can be returned without waiting: the number of values pushed. */
static int push_ready(lua_State *L, workers *self)
{
    for (int k = 0; k < self->count; k++) {
        int i = (self->next + k) % self->count;
        worker *one = &self->worker[i];
        size_t size;
        const char *line = take_line(one, &size);
        if (!line && (one->pipe >= 0 || one->told))
            continue;
        self->next = i + 1;
        lua_pushinteger(L, i + 1);
        if (line) {
            lua_pushlstring(L, line, size);
            return 2;
        }
        one->told = 1;
        lua_pushboolean(L, 0);
        push_end(L, one->status);
        return 3;
    }
    return 0;
}

/* Waits until a worker has something to say: 0 when memory is short. */
static int wait_for_lines(workers *self, int milliseconds)
{
    struct pollfd pipes[WORKERS_MAX];
    for (int i = 0; i < self->count; i++) /* one that has ended has no pipe: -1 */
        pipes[i] = (struct pollfd){.fd = self->worker[i].pipe, .events = POLLIN};
    if (poll(pipes, (nfds_t)self->count, milliseconds) <= 0)
        return 1; /* nothing, or a signal */
    for (int i = 0; i < self->count; i++)
        if (pipes[i].revents != 0 && !read_more(&self->worker[i]))
            return 0;
    return 1;
}

/* next(seconds) -> index, line | index, false, why (it has ended; why is nil when by itself with
 * exit code 0) | nil (nothing within that time, or a signal came) | false (all have ended). */
static int workers_next(lua_State *L)
{
    workers *self = luaL_checkudata(L, 1, WORKERS);
    lua_Number seconds = luaL_checknumber(L, 2);
    int ready, open = 0;
    luaL_argcheck(L, 0.0 <= seconds && seconds <= 1000.0, 2, "must be in 0..1000");
    ready = push_ready(L, self);
    if (ready)
        return ready;
    for (int i = 0; i < self->count; i++)
        open += self->worker[i].pipe >= 0;
    if (open == 0) {
        lua_pushboolean(L, 0);
        return 1;
    }
    if (!wait_for_lines(self, (int)(seconds * 1000.0)))
        return luaL_error(L, "not enough memory for what the worker processes send");
    ready = push_ready(L, self);
    if (!ready)
        lua_pushnil(L);
    return ready ? ready : 1;
}

void lprocess_open(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"next", workers_next}, {"last", workers_last}, {"restart", workers_restart}, {NULL, NULL}};
    static const luaL_Reg metamethods[] = {
        {"__gc", workers_gc}, {"__close", workers_gc}, {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"cores", core_cores},     {"pid", core_pid},
        {"host", core_host},       {"program_path", core_program_path},
        {"workers", core_workers}, {NULL, NULL}};
    lpinion_type(L, WORKERS, methods, metamethods);
    luaL_setfuncs(L, functions, 0);
}
