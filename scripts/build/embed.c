/* Build tool: writes files into a C file that the program is linked with.
 *
 *     embed OUT.c embedded_files pinion.cli=lua/pinion/cli/init.lua
 * argparse=/usr/share/lua/5.4/argparse.lua …
 *
 * OUT.c defines embedded_files (or another table of lua/core/embedded.h). Chunk names are the
 * module's path, so that messages read pinion/cli.lua:12: wherever the program was built. Those of
 * embedded_files, which every command loads, are there as code too, with the lines for messages;
 * `embed --text OUT.c …` writes none, for a machine that is not this one, and no comments. */
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#define CHUNK_SIZE 512

static int fail(const char *path)
{
    fprintf(stderr, "embed: %s: %s\n", path, strerror(errno));
    return 1;
}

/* Pushes the text of a file as a string. */
static int push_file(lua_State *L, const char *path)
{
    luaL_Buffer text;
    FILE *in = fopen(path, "rb");
    size_t count;
    int failed;
    if (!in)
        return fail(path);
    luaL_buffinit(L, &text);
    while ((count = fread(luaL_prepbuffer(&text), 1, LUAL_BUFFERSIZE, in)) > 0)
        luaL_addsize(&text, count);
    failed = ferror(in) ? fail(path) : 0;
    fclose(in);
    luaL_pushresult(&text);
    return failed;
}

/* Returns where a quoted string or a long bracket ends that begins here; here, if none does. */
static const char *skip_string(const char *at, const char *end)
{
    const char *close = at + 1;
    if (*at == '"' || *at == '\'') {
        while (close < end && *close != *at)
            close += *close == '\\' ? 2 : 1;
        return close + 1;
    }
    while (*at == '[' && close < end && *close == '=')
        close++;
    if (*at != '[' || close == end || *close != '[')
        return at;
    for (size_t level = (size_t)(close - at) - 1; close < end; close++) {
        if (*close == ']' && strspn(close + 1, "=") == level && close[level + 1] == ']')
            return close + level + 2;
    }
    return end;
}

/* Puts the text on top of the stack without comments at the ends of lines in place of it. */
static void strip_comments(lua_State *L)
{
    const char *at = lua_tostring(L, -1), *end = at + lua_rawlen(L, -1);
    luaL_Buffer kept;
    luaL_buffinit(L, &kept);
    while (at < end) {
        const char *after = skip_string(at, end);
        if (after > at) {
            luaL_addlstring(&kept, at, (size_t)(after - at));
            at = after;
        } else if (strncmp(at, "--", 2) == 0 && skip_string(at + 2, end) == at + 2) {
            at += strcspn(at, "\n");
        } else {
            luaL_addchar(&kept, *at++);
        }
    }
    luaL_pushresult(&kept);
}

static int write_bytes(lua_State *L, const void *bytes, size_t size, void *out)
{
    (void)L;
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%d,%s", ((const unsigned char *)bytes)[i], i % 32 == 31 ? "\n" : "");
    return 0;
}

/* Writes "=pinion/cli.lua" for pinion.cli; a package is its init.lua. */
static void name_chunk(char *chunk, size_t room, const char *argument)
{
    const char *path = strchr(argument, '=') + 1, *slash = strrchr(path, '/');
    int size = (int)(path - argument) - 1;
    int package = strcmp(slash ? slash + 1 : path, "init.lua") == 0;
    snprintf(chunk, room, "=%.*s%s.lua", size, argument, package ? "/init" : "");
    for (int i = 1; i <= size && chunk[i] != '\0'; i++)
        chunk[i] = chunk[i] == '.' ? '/' : chunk[i];
}

/* Compiles the text on top of the stack. */
static int write_code(FILE *out, lua_State *L, const char *argument, int number)
{
    char chunk[CHUNK_SIZE];
    name_chunk(chunk, sizeof chunk, argument);
    if (luaL_loadbufferx(L, lua_tostring(L, -1), lua_rawlen(L, -1), chunk, "t") != LUA_OK) {
        fprintf(stderr, "embed: %s\n", lua_tostring(L, -1));
        return 1;
    }
    fprintf(out, "\nstatic const unsigned char code_%d[] = {\n", number);
    lua_dump(L, write_bytes, out, 0);
    fprintf(out, "0};\n");
    return 0;
}

static int write_file(FILE *out, lua_State *L, const char *argument, int number, int compiled,
                      int text)
{
    const char *equals = strchr(argument, '=');
    int status;
    if (!equals) {
        fprintf(stderr, "embed: %s: expected NAME=FILE\n", argument);
        return 2;
    }
    if ((status = push_file(L, equals + 1)) != 0)
        return status;
    if (text)
        strip_comments(L);
    fprintf(out, "\nstatic const unsigned char file_%d[] = {\n", number);
    write_bytes(L, lua_tostring(L, -1), lua_rawlen(L, -1), out);
    fprintf(out, "0};\n");
    if (compiled)
        status = write_code(out, L, argument, number);
    lua_settop(L, 0);
    return status;
}

static void write_entry(FILE *out, const char *argument, int number, int compiled)
{
    char chunk[CHUNK_SIZE];
    name_chunk(chunk, sizeof chunk, argument);
    fprintf(out, "    {\"%.*s\", \"%s\", file_%d, sizeof file_%d - 1, ",
            (int)strcspn(argument, "="), argument, chunk, number, number);
    if (compiled)
        fprintf(out, "code_%d, sizeof code_%d - 1},\n", number, number);
    else
        fprintf(out, "NULL, 0},\n");
}

int main(int count, char **arguments)
{
    lua_State *L = luaL_newstate();
    FILE *out;
    int status = 0, is_library, compiled, text = count > 1 && strcmp(arguments[1], "--text") == 0;
    count -= text;
    arguments += text;
    if (!L || count < 3) {
        fputs("usage: embed [--text] OUT.c SYMBOL NAME=FILE...\n", stderr);
        return 2;
    }
    out = fopen(arguments[1], "wb");
    if (!out)
        return fail(arguments[1]);
    is_library = strcmp(arguments[2], "embedded_files") == 0;
    compiled = is_library && !text;
    fprintf(out, "/* Written by scripts/build/embed.c. */\n#include \"core/embedded.h\"\n");
    if (is_library)
        fprintf(out, "\nconst char embedded_lua[] = \"%s\";\n", lua_ident);
    for (int i = 3; i < count && status == 0; i++)
        status = write_file(out, L, arguments[i], i, compiled, text && is_library);
    fprintf(out, "\nconst embedded_file %s[] = {\n", arguments[2]);
    for (int i = 3; i < count && status == 0; i++)
        write_entry(out, arguments[i], i, compiled);
    fprintf(out, "    {NULL, NULL, NULL, 0, NULL, 0}};\n");
    lua_close(L);
    if (fclose(out) != 0 && status == 0)
        status = fail(arguments[1]);
    if (status != 0)
        remove(arguments[1]); /* make must not take half a file for a whole one */
    return status;
}
