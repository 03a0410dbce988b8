/* A look at the text before Lua compiles it, at its tokens only: strings and comments are skipped
 * as Lua skips them. Found are the operator '^', whose results come from libm and differ between
 * machines (Lua even folds constants with it), and the name _ENV, through which a policy could put
 * other globals in place of the sandbox's. The operator '#' is replaced by one whose result does
 * not depend on the process (length.c). What Lua would refuse anyway ends the scan: Lua says it
 * better. */
#include <string.h>

#include "internal.h"

typedef struct scanner {
    const char *at, *end, *file;
    int line;
} scanner;

static int is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_name_part(char c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

/* Skips an end of line: "\n", "\r", "\r\n" and "\n\r" count as one. */
static void skip_line_end(scanner *s)
{
    char first = *s->at++;
    if (s->at < s->end && (*s->at == '\n' || *s->at == '\r') && *s->at != first)
        s->at++;
    s->line++;
}

static void skip_char(scanner *s)
{
    if (*s->at == '\n' || *s->at == '\r')
        skip_line_end(s);
    else
        s->at++;
}

/* Returns, at '[', the number of '=' in an opening long bracket, or -1 when it is none. */
static int long_bracket(const scanner *s)
{
    const char *at = s->at + 1;
    while (at < s->end && *at == '=')
        at++;
    return at < s->end && *at == '[' ? (int)(at - s->at) - 1 : -1;
}

/* Skips from an opening long bracket of this level: to behind the closing one. */
static void skip_long(scanner *s, int level)
{
    s->at += level + 2;
    while (s->at < s->end) {
        if (*s->at == ']') {
            const char *at = s->at + 1;
            while (at < s->end && *at == '=')
                at++;
            if (at < s->end && *at == ']' && at - s->at - 1 == level) {
                s->at = at + 1;
                return;
            }
            s->at = at; /* perhaps the bracket that opens the real end */
        } else {
            skip_char(s);
        }
    }
}

/* Skips from "--". */
static void skip_comment(scanner *s)
{
    int level;
    s->at += 2;
    if (s->at < s->end && *s->at == '[') {
        level = long_bracket(s);
        if (level >= 0) {
            skip_long(s, level);
            return;
        }
    }
    while (s->at < s->end && *s->at != '\n' && *s->at != '\r')
        s->at++;
}

/* Skips from a quote. An unfinished string ends the whole scan. */
static void skip_quoted(scanner *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote) {
        if (*s->at == '\n' || *s->at == '\r') {
            s->at = s->end;
        } else if (*s->at == '\\' && s->at + 1 < s->end) {
            s->at++;
            if (*s->at == 'z') {
                s->at++;
                while (s->at < s->end && *s->at && strchr(" \f\n\r\t\v", *s->at))
                    skip_char(s);
            } else {
                skip_char(s);
            }
        } else {
            s->at++;
        }
    }
    if (s->at < s->end)
        s->at++;
}

static void skip_name(lua_State *L, scanner *s)
{
    const char *start = s->at;
    while (s->at < s->end && is_name_part(*s->at))
        s->at++;
    if (s->at - start == 4 && memcmp(start, "_ENV", 4) == 0)
        sandbox_raise_at(L, s->file, s->line, "'_ENV' is not available in %s",
                         sandbox_of(L)->words->kind);
}

static size_t write(char *rewritten, size_t size, const char *bytes, size_t count)
{
    if (rewritten)
        memcpy(rewritten + size, bytes, count);
    return size + count;
}

size_t sandbox_scan(lua_State *L, const sandbox_file *file, char *rewritten)
{
    scanner s = {file->text, file->text + file->size, file->name, 1};
    size_t written = 0;
    while (s.at < s.end) {
        const char *start = s.at;
        char c = *s.at, next = s.at + 1 < s.end ? s.at[1] : '\0';
        if (c == '^')
            sandbox_raise_at(L, s.file, s.line, "'^' is not available in %s (use math.pow)",
                             sandbox_of(L)->words->kind);
        else if (c == '-' && next == '-')
            skip_comment(&s);
        else if (c == '"' || c == '\'')
            skip_quoted(&s);
        else if (c == '[' && long_bracket(&s) >= 0)
            skip_long(&s, long_bracket(&s));
        else if (is_name_start(c))
            skip_name(L, &s);
        else
            skip_char(&s);
        if (c == '#')
            written = write(rewritten, written, SANDBOX_LENGTH, sizeof SANDBOX_LENGTH - 1);
        else
            written = write(rewritten, written, start, (size_t)(s.at - start));
    }
    return written;
}
