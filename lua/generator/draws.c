/* Random numbers for scripts. Every method finds its stream at the beginning of the userdata that
 * it is called on. */
#include "draws.h"

#include <math.h>
#include <string.h>

#include "workload/arrivals.h"

#define STREAM       "pinion.Random"
#define DISTRIBUTION "pinion.Distribution of a script"
#define ARRIVALS     "pinion.Arrivals"

/* Larger means would take long. */
#define POISSON_MOST 1e6

/* Of a distribution or a process; the most that a letter of it stands for; texts that are kept. */
#define TEXT_MOST        4096
#define BYTES_PER_LETTER 32
#define KEPT_MOST        256

void *draws_own(lua_State *L, const char *refusal)
{
    void *self = lua_touserdata(L, 1);
    if (!self || !lua_getmetatable(L, 1) || !lua_rawequal(L, -1, lua_upvalueindex(1)))
        luaL_error(L, "%s", refusal);
    lua_pop(L, 1);
    return self;
}

static pn_stream *open_stream(lua_State *L, draws *from)
{
    if (from->open && !*from->open)
        luaL_error(L, "a generator draws while it makes jobs only (expected pinion.random for a "
                      "stream of one's own)");
    return &from->stream;
}

static pn_stream *stream_of(lua_State *L)
{
    return open_stream(L, draws_own(L, "what draws comes first: call it as g:name(...)"));
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Returns a finite number at this index, which is called `name`. */
static double number(lua_State *L, int index, const char *name)
{
    double value = lua_tonumber(L, index);
    if (lua_type(L, index) != LUA_TNUMBER || !isfinite(value))
        luaL_error(L, "%s: must be a finite number, got %s", name,
                   lua_type(L, index) == LUA_TNUMBER ? "another" : luaL_typename(L, index));
    return value;
}

static void need(lua_State *L, int holds, const char *what)
{
    if (!holds)
        luaL_error(L, "%s", what);
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* Draws an integer. The width of the range fits a word, whatever the signs. */
static int draw_random(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    lua_Integer low = luaL_checkinteger(L, 2), high = luaL_checkinteger(L, 3);
    if (low > high)
        luaL_error(L, "random(low, high) needs low <= high, got %I and %I", (LUAI_UACINT)low,
                   (LUAI_UACINT)high);
    lua_pushinteger(
        L, (lua_Integer)((uint64_t)low + pn_uniform(stream, 0, (uint64_t)high - (uint64_t)low)));
    return 1;
}

static int draw_uniform(lua_State *L)
{
    lua_pushnumber(L, pn_uniform01(stream_of(L)));
    return 1;
}

static int draw_exponential(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double mean = number(L, 2, "exponential(mean)");
    need(L, mean >= 0, "exponential(mean): the mean must be >= 0");
    lua_pushnumber(L, pn_exponential(stream, mean));
    return 1;
}

static int draw_poisson(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double mean = number(L, 2, "poisson(mean)");
    need(L, mean >= 0 && mean <= POISSON_MOST, "poisson(mean): the mean must be in 0..1000000");
    lua_pushinteger(L, (lua_Integer)pn_poisson(stream, mean));
    return 1;
}

static int draw_normal(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double mean = number(L, 2, "normal(mean, sd)"), sd = number(L, 3, "normal(mean, sd)");
    need(L, sd >= 0, "normal(mean, sd): sd >= 0 is needed");
    lua_pushnumber(L, pn_normal(stream, mean, sd));
    return 1;
}

static int draw_lognormal(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double mean = number(L, 2, "lognormal(mean, sd)"), sd = number(L, 3, "lognormal(mean, sd)");
    need(L, mean > 0 && sd >= 0 && sd / mean <= PN_LOGNORMAL_RATIO_MOST,
         "lognormal(mean, sd): mean > 0 and sd >= 0 are needed");
    lua_pushnumber(L, pn_lognormal(stream, mean, sd));
    return 1;
}

static int draw_pareto(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double shape = number(L, 2, "pareto(shape, scale)"),
           scale = number(L, 3, "pareto(shape, scale)");
    need(L, shape > 0 && scale > 0, "pareto(shape, scale): both must be > 0");
    lua_pushnumber(L, pn_pareto(stream, shape, scale));
    return 1;
}

/* Draws true with this probability */
static int draw_chance(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    double p = number(L, 2, "chance(p)");
    need(L, p >= 0 && p <= 1, "chance(p): p must be in 0..1");
    lua_pushboolean(L, pn_uniform01(stream) < p);
    return 1;
}

/* ---- distributions by name ------------------------------------------------------------------- */

static int release_distribution(lua_State *L)
{
    distribution_release(lua_touserdata(L, 1));
    return 0;
}

/* Makes a reading. What is read from a text has lists beside it that the state does not count: as
 * many bytes of its own stand for them, so that a script meets its ceiling and the collector runs
 * in time. Zeros. */
static void *new_reading(lua_State *L, size_t size, size_t text, int values)
{
    void *made;
    if (text > TEXT_MOST)
        luaL_error(L, "a text of %d bytes (expected at most %d)", (int)text, TEXT_MOST);
    made = lua_newuserdatauv(L, size + BYTES_PER_LETTER * text, values);
    memset(made, 0, size);
    return made;
}

/* Makes a distribution. Its fields are set only when it is whole: whatever fails, the collector
 * finds what is to be released. */
static distribution *new_distribution(lua_State *L, size_t text)
{
    distribution *made = new_reading(L, sizeof *made, text, 0);
    if (luaL_newmetatable(L, DISTRIBUTION)) {
        lua_pushcfunction(L, release_distribution);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return made;
}

/* Which reading of a text: those of factors differ in their bounds. Addresses, for the registry. */
static const char texts_of[2];

/* Pushes the table of those that were met, and how many they are: too many begin anew. */
static lua_Integer push_kept(lua_State *L, enum distribution_use use)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &texts_of[use]) == LUA_TTABLE) {
        lua_Integer count = (lua_rawgeti(L, -1, 1), lua_tointeger(L, -1));
        lua_pop(L, 1);
        if (count < KEPT_MOST)
            return count;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &texts_of[use]);
    return 0;
}

/* Reads the text at index 2 and keeps what it says in the table below the top of the stack, in
 * place of the value that is there. */
static void read_distribution(lua_State *L, enum distribution_use use)
{
    char message[DISTRIBUTION_MESSAGE_SIZE];
    size_t size;
    lua_Integer count = push_kept(L, use);
    lua_pushvalue(L, 2);
    const char *text = lua_tolstring(L, -1, &size);
    if (!distribution_parse(text, size, use, new_distribution(L, size), message))
        luaL_error(L, "%s", message);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, text);
    lua_pushinteger(L, count + 1);
    lua_rawseti(L, -4, 1);
}

/* Returns the distribution that the text at index 2 names, read when it is first met. */
static const distribution *distribution_at(lua_State *L, enum distribution_use use)
{
    const distribution *found;
    if (lua_type(L, 2) != LUA_TSTRING && lua_type(L, 2) != LUA_TNUMBER)
        luaL_error(L, "must be a distribution such as \"exp(5)\" or \"uniform(1,9)\", got a %s",
                   luaL_typename(L, 2));
    if (lua_type(L, 2) == LUA_TNUMBER)
        lua_tostring(L, 2); /* a constant, as text */
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &texts_of[use]) == LUA_TTABLE) {
        lua_pushvalue(L, 2);
        lua_rawget(L, -2);
    }
    if (lua_type(L, -1) != LUA_TUSERDATA)
        read_distribution(L, use);
    found = lua_touserdata(L, -1);
    lua_settop(L, 2);
    return found;
}

/* Draws a size: an integer >= 1. */
static int draw_size(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    uint64_t size = distribution_draw(distribution_at(L, DISTRIBUTION_SIZES), stream);
    if (size == 0)
        luaL_error(L, "what was drawn of %s passes 2^53", lua_tostring(L, 2));
    lua_pushinteger(L, (lua_Integer)size);
    return 1;
}

/* Draws a real number >= 0. */
static int draw_real(lua_State *L)
{
    pn_stream *stream = stream_of(L);
    lua_pushnumber(L, distribution_factor(distribution_at(L, DISTRIBUTION_FACTORS), stream));
    return 1;
}

/* Pushes the mean of a distribution before anything is rounded: what a rate of arrivals follows
 * from. */
static int draw_mean(lua_State *L)
{
    stream_of(L);
    double mean = distribution_mean(distribution_at(L, DISTRIBUTION_FACTORS));
    if (mean < 0)
        luaL_error(L, "the mean of %s is not known", lua_tostring(L, 2));
    lua_pushnumber(L, mean);
    return 1;
}

/* ---- times of arrival ------------------------------------------------------------------------ */

/* A process that is under way. Its uservalue is what it draws from. */
typedef struct arrivals {
    arrival_process process;
    draws *from;
} arrivals;

static int release_arrivals(lua_State *L)
{
    arrivals *self = lua_touserdata(L, 1);
    arrival_process_release(&self->process);
    return 0;
}

/* Draws the next arrival. */
static int next_arrival(lua_State *L)
{
    arrivals *self = draws_own(L, "the process comes first: call it as arrivals:next()");
    lua_pushnumber(L, arrival_process_next(&self->process, open_stream(L, self->from)));
    return 1;
}

static void push_arrivals_type(lua_State *L)
{
    if (!luaL_newmetatable(L, ARRIVALS))
        return;
    lua_pushcfunction(L, release_arrivals);
    lua_setfield(L, -2, "__gc");
    lua_newtable(L);
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, next_arrival, 1);
    lua_setfield(L, -2, "next");
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
}

/* Makes a process by its text, from time 0 on; each call of its `next` gives the next time. */
static int make_arrivals(lua_State *L)
{
    char message[DISTRIBUTION_MESSAGE_SIZE];
    pn_stream *stream = stream_of(L);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    arrivals *made = new_reading(L, sizeof *made, size, 1);
    push_arrivals_type(L);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    made->from = lua_touserdata(L, 1);
    if (!arrival_process_parse(text, size, &made->process, message))
        luaL_error(L, "%s", message);
    arrival_process_start(&made->process, stream);
    return 1;
}

/* ---- streams --------------------------------------------------------------------------------- */

void draws_add(lua_State *L, int metatable)
{
    static const luaL_Reg methods[] = {{"random", draw_random},
                                       {"uniform", draw_uniform},
                                       {"exponential", draw_exponential},
                                       {"poisson", draw_poisson},
                                       {"normal", draw_normal},
                                       {"lognormal", draw_lognormal},
                                       {"pareto", draw_pareto},
                                       {"chance", draw_chance},
                                       {"draw", draw_size},
                                       {"real", draw_real},
                                       {"mean", draw_mean},
                                       {"arrivals", make_arrivals},
                                       {NULL, NULL}};
    lua_pushvalue(L, metatable);
    luaL_setfuncs(L, methods, 1);
}

void draws_push_stream(lua_State *L, uint64_t seed, uint32_t replica, uint32_t purpose,
                       const bool *open)
{
    draws *made = lua_newuserdatauv(L, sizeof *made, 0);
    made->open = open;
    pn_stream_init(&made->stream, seed, replica, purpose);
    if (luaL_newmetatable(L, STREAM)) {
        int metatable = lua_gettop(L);
        lua_newtable(L);
        draws_add(L, metatable);
        lua_setfield(L, metatable, "__index");
        lua_pushboolean(L, 0);
        lua_setfield(L, metatable, "__metatable");
    }
    lua_setmetatable(L, -2);
}
