---What exported policies need of C beside the kernel's headers: each is written where it is used.
---VIEW and PREFIX stand for the model's.
return {
    { "must", [[
/* Ends the run where a decision was refused. */
static void must(const VIEW *view, int status)
{
    if (status != PN_OK)
        PREFIX_fail(view, status);
}
]] },
    { "some", [[
/* Returns a job, which must be there. */
static uint32_t some(const VIEW *view, uint32_t job)
{
    if (job == PN_NO_JOB)
        PREFIX_fail(view, PN_ERR_POLICY);
    return job == PN_NO_JOB ? 0 : job;
}
]] },
    { "add", [[
/* Integers wrap around, as in Lua. */
static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
]] },
    { "subtract", [[
static int64_t subtract(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}
]] },
    { "multiply", [[
static int64_t multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}
]] },
    { "quotient", [[
/* Divides down, as Lua does. */
static int64_t quotient(const VIEW *view, int64_t a, int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN)) {
        if (b == 0)
            PREFIX_fail(view, PN_ERR_POLICY);
        return a;
    }
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
]] },
    { "rest", [[
static int64_t rest(const VIEW *view, int64_t a, int64_t b)
{
    if (b == 0)
        PREFIX_fail(view, PN_ERR_POLICY);
    if (b == 0 || b == -1)
        return 0;
    return a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0);
}
]] },
    { "floor_of", [[
/* Makes an integer of a number, down. */
static int64_t floor_of(const VIEW *view, double x)
{
    if (!(x >= -9.2e18 && x <= 9.2e18)) {
        PREFIX_fail(view, PN_ERR_POLICY);
        return 0;
    }
    return (int64_t)x - ((double)(int64_t)x > x);
}
]] },
    { "max_int", [[
static int64_t max_int(int64_t a, int64_t b)
{
    return a < b ? b : a;
}
]] },
    { "min_int", [[
static int64_t min_int(int64_t a, int64_t b)
{
    return b < a ? b : a;
}
]] },
    { "max_float", [[
static double max_float(double a, double b)
{
    return a < b ? b : a;
}
]] },
    { "min_float", [[
static double min_float(double a, double b)
{
    return b < a ? b : a;
}
]] },
    { "word", [[
/* Makes a word of a key, which is ordered as numbers are. */
static uint64_t word(const VIEW *view, double x)
{
    if (!(x >= -DBL_MAX && x <= DBL_MAX))
        PREFIX_fail(view, PN_ERR_POLICY);
    return pn_key_double(x);
}
]] },
    { "integer_word", [[
/* The same of an integer, which is exact as a double up to 2^53. */
static uint64_t integer_word(const VIEW *view, int64_t x)
{
    if (x < -(int64_t)PN_INTEGER_MAX || x > (int64_t)PN_INTEGER_MAX)
        PREFIX_fail(view, PN_ERR_POLICY);
    return pn_key_double((double)x);
}
]] },
    { "signed_word", [[
/* A boolean in the sign's place: true goes before false, whatever the number >= 0 behind it. */
static uint64_t signed_word(const VIEW *view, bool goes_first, double x)
{
    if (!(x >= 0 && x <= DBL_MAX))
        PREFIX_fail(view, PN_ERR_POLICY);
    return goes_first ? pn_key_double(x) & UINT64_MAX >> 1 : pn_key_double(x);
}
]] },
    { "amount", [[
/* Returns an amount from 0 to `most`. */
static uint64_t amount(const VIEW *view, int64_t x, int64_t most)
{
    if (x < 0 || x > most)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x < 0 || x > most ? 0 : (uint64_t)x;
}
]] },
    { "below", [[
/* Returns a number below a count. */
static uint32_t below(const VIEW *view, int64_t x, uint64_t count)
{
    if (x < 0 || (uint64_t)x >= count)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x < 0 || (uint64_t)x >= count ? 0 : (uint32_t)x;
}
]] },
    { "known", [[
/* Returns a number that must be known: one below 0 stands for nil. */
static int64_t known(const VIEW *view, int64_t x)
{
    if (x < 0)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x < 0 ? 0 : x;
}
]] },
    { "finite", [[
/* Returns a number that must be finite. */
static int64_t finite(const VIEW *view, int64_t x)
{
    if (x == INT64_MAX || x == INT64_MIN)
        PREFIX_fail(view, PN_ERR_POLICY);
    return x;
}
]] },
    { "saturated", [[
/* Makes an integer of a count that may be larger than the largest. */
static int64_t saturated(uint64_t x)
{
    return x < INT64_MAX ? (int64_t)x : INT64_MAX;
}
]] },
    { "drawn", [[
/* Draws an integer from `low` to `high`. */
static int64_t drawn(const VIEW *view, int64_t low, int64_t high)
{
    if (low > high) {
        PREFIX_fail(view, PN_ERR_POLICY);
        return low;
    }
    uint64_t width = (uint64_t)high - (uint64_t)low;
    return (int64_t)((uint64_t)low + pn_uniform(PREFIX_stream(view), 0, width));
}
]] },
    { "carried", [[
/* Returns an attribute of a job, or another value where jobs have not so many. */
static double carried(const VIEW *view, uint32_t job, uint32_t attribute, double otherwise)
{
    return attribute < PREFIX_attribute_count(view) ? PREFIX_ATTRIBUTE(view, job, attribute)
                                                    : otherwise;
}
]] },
    { "cells", [[
/* What the policy remembers, in the simulation's block: single values and arrays, then a column for
 * each value per job. */
typedef union cell {
    int64_t integer;
    double number;
} cell;

static cell *cells(const VIEW *view)
{
    return (cell *)PREFIX_state(view);
}
]] },
    { "append", [[
/* Makes room for one more entry of a list, whose length is before its entries. */
static cell *append(const VIEW *view, cell *list)
{
    if (list->integer < (int64_t)PREFIX_jobs_max(view))
        return &list[++list->integer];
    PREFIX_fail(view, PN_ERR_POLICY);
    return &list[1];
}
]] },
    { "entry", [[
/* Returns an entry of a list, which begins at 1. */
static cell *entry(const VIEW *view, cell *list, int64_t index)
{
    if (index >= 1 && index <= list->integer)
        return &list[index];
    PREFIX_fail(view, PN_ERR_POLICY);
    list[1].integer = 1; /* which is the first place, in a list of jobs */
    return &list[1];
}
]] },
    { "element", [[
/* Returns an element of an array, which begins at 1. */
static cell *element(const VIEW *view, size_t array, size_t length, int64_t index)
{
    if (index < 1 || (uint64_t)index > length) {
        PREFIX_fail(view, PN_ERR_POLICY);
        index = 1;
    }
    return &cells(view)[array + (size_t)index - 1];
}
]] },
}
