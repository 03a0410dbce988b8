/* Build tool: writes files into a C file that the program is linked with.
 *
 *     embed OUT.c embedded_files pinion.cli=lua/pinion/cli/init.lua
 * argparse=/usr/share/lua/5.4/argparse.lua …
 *
 * OUT.c defines embedded_files (or another table of lua/core/embedded.h). Chunk names are the
 * module's path, so that messages read pinion/cli.lua:12: wherever the program was built. Those of
 * embedded_files, which every command loads, are there as code too, with the lines for messages. */
#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *path)
{
    fprintf(stderr, "embed: %s: %s\n", path, strerror(errno));
    return 1;
}

static int write_text(FILE *out, const char *path, int number)
{
    FILE *in = fopen(path, "rb");
    int c, column = 0;
    if (!in)
        return fail(path);
    fprintf(out, "\nstatic const unsigned char file_%d[] = {", number);
    while ((c = getc(in)) != EOF)
        fprintf(out, "%s%d,", column++ % 32 == 0 ? "\n" : "", c);
    fprintf(out, "0};\n");
    c = ferror(in) ? fail(path) : 0;
    fclose(in);
    return c;
}

static int write_piece(lua_State *L, const void *piece, size_t size, void *out)
{
    (void)L;
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%d,%s", ((const unsigned char *)piece)[i], i % 32 == 31 ? "\n" : "");
    return 0;
}

static int write_code(FILE *out, lua_State *L, const char *path, const char *chunk, int number)
{
    luaL_Buffer text;
    FILE *in = fopen(path, "rb");
    size_t count;
    if (!in)
        return fail(path);
    luaL_buffinit(L, &text);
    while ((count = fread(luaL_prepbuffer(&text), 1, LUAL_BUFFERSIZE, in)) > 0)
        luaL_addsize(&text, count);
    fclose(in);
    luaL_pushresult(&text);
    if (luaL_loadbufferx(L, lua_tostring(L, -1), lua_rawlen(L, -1), chunk, "t") != LUA_OK) {
        fprintf(stderr, "embed: %s\n", lua_tostring(L, -1));
        return 1;
    }
    fprintf(out, "\nstatic const unsigned char code_%d[] = {\n", number);
    lua_dump(L, write_piece, out, 0);
    fprintf(out, "0};\n");
    lua_settop(L, 0);
    return 0;
}

/* "pinion.cli" is pinion/cli.lua; a package is its init.lua. */
static void name_chunk(char *chunk, size_t room, const char *name, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    int package = strcmp(slash ? slash + 1 : path, "init.lua") == 0;
    snprintf(chunk, room, "=%.*s%s.lua", (int)size, name, package ? "/init" : "");
    for (size_t i = 0; i < size && chunk[i + 1] != '\0'; i++)
        chunk[i + 1] = chunk[i + 1] == '.' ? '/' : chunk[i + 1];
}

/* Writes the bytes of one NAME=FILE to `out`, and its entry of the table to `table`. */
static int write_file(FILE *out, FILE *table, lua_State *L, const char *argument, int number)
{
    const char *equals = strchr(argument, '=');
    char chunk[512];
    if (!equals) {
        fprintf(stderr, "embed: %s: expected NAME=FILE\n", argument);
        return 2;
    }
    name_chunk(chunk, sizeof chunk, argument, (size_t)(equals - argument), equals + 1);
    fprintf(table, "    {\"%.*s\", \"%s\", file_%d, sizeof file_%d - 1, ", (int)(equals - argument),
            argument, chunk, number, number);
    if (L)
        fprintf(table, "code_%d, sizeof code_%d - 1},\n", number, number);
    else
        fprintf(table, "NULL, 0},\n");
    if (L && write_code(out, L, equals + 1, chunk, number) != 0)
        return 1;
    return write_text(out, equals + 1, number);
}

int main(int count, char **arguments)
{
    FILE *out, *table = tmpfile();
    lua_State *L = NULL;
    int status = 0;
    if (count < 3) {
        fputs("usage: embed OUT.c SYMBOL NAME=FILE...\n", stderr);
        return 2;
    }
    out = fopen(arguments[1], "wb");
    if (!out || !table)
        return fail(arguments[1]);
    fprintf(out, "/* Written by scripts/build/embed.c. */\n#include \"core/embedded.h\"\n");
    if (strcmp(arguments[2], "embedded_files") == 0) {
        L = luaL_newstate();
        fprintf(out, "\nconst char embedded_lua[] = \"%s\";\n", lua_ident);
    }
    for (int i = 3; i < count && status == 0; i++)
        status = write_file(out, table, L, arguments[i], i);
    fprintf(out, "\nconst embedded_file %s[] = {\n", arguments[2]);
    rewind(table);
    for (int c; (c = getc(table)) != EOF;)
        putc(c, out);
    fprintf(out, "    {NULL, NULL, NULL, 0, NULL, 0}};\n");
    fclose(table);
    if (L)
        lua_close(L);
    if (fclose(out) != 0 && status == 0)
        status = fail(arguments[1]);
    if (status != 0)
        remove(arguments[1]); /* make must not take half a file for a whole one */
    return status;
}
