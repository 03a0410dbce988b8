/* string.format: %d %i %u %c %x %X %o %e %E %f %F %g %G %s %q %%. No %a, which printf writes as it
 * likes, and no %p. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

typedef struct spec {
    char flags[8]; /* each of "-+ #0" at most once */
    int width;     /* 0..99; 0 = none */
    int precision; /* 0..99; -1 = none */
    char conversion;
} spec;

/* Reads up to two digits. */
static const char *read_number(const char *s, int *number)
{
    *number = 0;
    for (int i = 0; i < 2 && *s >= '0' && *s <= '9'; i++)
        *number = *number * 10 + (*s++ - '0');
    return s;
}

/* Returns the flags that C defines for this conversion. */
static const char *flags_of(char conversion)
{
    if (strchr("di", conversion))
        return "-+ 0";
    if (conversion == 'u')
        return "-0";
    if (strchr("xXo", conversion))
        return "-#0";
    return strchr("csq", conversion) ? "-" : "-+ #0";
}

/* Reads what follows a '%'; returns behind it. The format ends in a zero, at which all of this
 * stops. */
static const char *read_spec(lua_State *L, const char *s, spec *read)
{
    size_t count = 0;
    memset(read, 0, sizeof *read);
    read->precision = -1;
    for (; *s && strchr("-+ #0", *s); s++) {
        if (strchr(read->flags, *s))
            luaL_error(L, "string.format: flag '%c' is repeated", *s);
        read->flags[count++] = *s;
    }
    s = read_number(s, &read->width);
    if (*s == '.')
        s = read_number(s + 1, &read->precision);
    if (*s >= '0' && *s <= '9')
        luaL_error(L, "string.format: width or precision is longer than two digits");
    if (!*s || !strchr("diucxXoeEfFgGsq", *s))
        luaL_error(L,
                   "string.format: '%%%c' is not available in %s (expected one of d i u c x "
                   "X o e E f F g G s q)",
                   *s ? *s : ' ', sandbox_of(L)->words->kind);
    read->conversion = *s;
    if (read->flags[strspn(read->flags, flags_of(*s))] || (*s == 'c' && read->precision >= 0))
        luaL_error(L, "string.format: '%%%c' has a flag or precision that it cannot have", *s);
    return s + 1;
}

/* Adds the text, as wide as asked for. */
static void add_padded(builder *t, const spec *as, const char *bytes, size_t size)
{
    size_t padding = (size_t)as->width > size ? (size_t)as->width - size : 0;
    int left = strchr(as->flags, '-') != NULL;
    if (!left)
        builder_add_char(t, ' ', padding);
    builder_add(t, bytes, size);
    if (left)
        builder_add_char(t, ' ', padding);
}

/* Writes "%", the flags, width and precision, and this conversion, for printf. */
static void printf_form(char form[32], const spec *as, const char *conversion)
{
    int size = snprintf(form, 32, "%%%s", as->flags);
    if (as->width > 0)
        size += snprintf(form + size, 32 - (size_t)size, "%d", as->width);
    if (as->precision >= 0)
        size += snprintf(form + size, 32 - (size_t)size, ".%d", as->precision);
    snprintf(form + size, 32 - (size_t)size, "%s", conversion);
}

#if defined(__GNUC__)
#pragma GCC diagnostic push
/* the form was put together above, of characters from a short list */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif

static void add_integer(lua_State *L, builder *t, const spec *as, int argument)
{
    const char conversion[] = {'l', 'l', as->conversion, '\0'};
    char form[32], shown[128]; /* up to 99 digits, sign and prefix */
    long long value = luaL_checkinteger(L, argument);
    printf_form(form, as, conversion);
    builder_add(t, shown, (size_t)snprintf(shown, sizeof shown, form, value));
}

static void add_float(lua_State *L, builder *t, const spec *as, int argument)
{
    const char conversion[] = {as->conversion, '\0'};
    char form[32], shown[512]; /* up to 309 digits before the point and 99 behind it */
    double value = luaL_checknumber(L, argument);
    if (isnan(value) || isinf(value)) {
        const char *sign = value < 0                ? "-"
                           : strchr(as->flags, '+') ? "+"
                           : strchr(as->flags, ' ') ? " "
                                                    : "";
        snprintf(shown, sizeof shown, "%s%s", isnan(value) ? "" : sign,
                 isnan(value) ? "nan" : "inf");
        add_padded(t, as, shown, strlen(shown));
        return;
    }
    printf_form(form, as, conversion);
    builder_add(t, shown, (size_t)snprintf(shown, sizeof shown, form, value));
}

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Adds a string as Lua source. */
static void add_quoted_string(builder *t, const char *s, size_t size)
{
    char code[8];
    builder_add_char(t, '"', 1);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)s[i];
        int digit_follows = i + 1 < size && s[i + 1] >= '0' && s[i + 1] <= '9';
        if (c == '"' || c == '\\' || c == '\n') {
            builder_add_char(t, '\\', 1);
            builder_add_char(t, s[i], 1);
        } else if (c < ' ' || c == 0x7F) {
            builder_add(t, code,
                        (size_t)snprintf(code, sizeof code, digit_follows ? "\\%03d" : "\\%d", c));
        } else {
            builder_add_char(t, s[i], 1);
        }
    }
    builder_add_char(t, '"', 1);
}

/* Adds a value as Lua source that reads back as the same value. */
static void add_quoted(lua_State *L, builder *t, const spec *as, int argument)
{
    char shown[SANDBOX_NUMBER_SIZE];
    size_t size;
    if (as->flags[0] || as->width > 0 || as->precision >= 0)
        luaL_error(L, "string.format: '%%q' takes no flags, width or precision");
    if (lua_type(L, argument) == LUA_TSTRING) {
        const char *s = lua_tolstring(L, argument, &size);
        sandbox_charge_bytes(L, size);
        add_quoted_string(t, s, size);
        return;
    }
    if (lua_isinteger(L, argument) && lua_tointeger(L, argument) == LUA_MININTEGER) {
        /* its decimal digits would read as a float */
        size = (size_t)snprintf(shown, sizeof shown, "0x8000000000000000");
    } else if (lua_type(L, argument) == LUA_TNUMBER && !lua_isinteger(L, argument)) {
        double value = lua_tonumber(L, argument);
        if (isnan(value))
            size = (size_t)snprintf(shown, sizeof shown, "(0/0)");
        else if (isinf(value))
            size = (size_t)snprintf(shown, sizeof shown, value > 0 ? "1e9999" : "-1e9999");
        else
            size = (size_t)snprintf(shown, sizeof shown, "%.16e", value);
    } else {
        const char *s;
        luaL_argcheck(
            L, lua_isnumber(L, argument) || lua_isnil(L, argument) || lua_isboolean(L, argument),
            argument, "value has no literal form");
        s = sandbox_tostring(L, argument, &size);
        builder_add(t, s, size);
        lua_pop(L, 1);
        return;
    }
    builder_add(t, shown, size);
}

static void add_string(lua_State *L, builder *t, const spec *as, int argument)
{
    size_t size;
    const char *s;
    luaL_checkany(L, argument);
    s = sandbox_tostring(L, argument, &size);
    if (as->precision >= 0 && size > (size_t)as->precision)
        size = (size_t)as->precision;
    sandbox_charge_bytes(L, size);
    add_padded(t, as, s, size);
    lua_pop(L, 1);
}

static int string_format(lua_State *L)
{
    size_t size;
    const char *s = sandbox_text_argument(L, 1, &size), *end = s + size;
    int argument = 1;
    builder t;
    sandbox_charge_bytes(L, size);
    builder_start(&t, L);
    while (s < end) {
        const char *percent = memchr(s, '%', (size_t)(end - s));
        spec as;
        char c;
        if (percent != s) {
            builder_add(&t, s, (size_t)((percent ? percent : end) - s));
            s = percent ? percent : end;
            continue;
        }
        if (*++s == '%') {
            builder_add_char(&t, *s++, 1);
            continue;
        }
        s = read_spec(L, s, &as);
        if (++argument >= t.slot)
            return luaL_argerror(L, argument, "no value");
        sandbox_charge(L, 4);
        switch (as.conversion) {
        case 'c':
            c = (char)(unsigned char)luaL_checkinteger(L, argument);
            add_padded(&t, &as, &c, 1);
            break;
        case 's':
            add_string(L, &t, &as, argument);
            break;
        case 'q':
            add_quoted(L, &t, &as, argument);
            break;
        case 'd':
        case 'i':
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            add_integer(L, &t, &as, argument);
            break;
        default:
            add_float(L, &t, &as, argument);
        }
    }
    builder_finish(&t);
    return 1;
}

void sandbox_open_format(lua_State *L)
{
    static const luaL_Reg functions[] = {{"format", string_format}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
