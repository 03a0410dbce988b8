/* Build tool: writes texts of Lua files into a C file that the program is linked with.
 *
 *     embed OUT.c embedded_files pinion.cli=lua/pinion/cli/init.lua
 * argparse=/usr/share/lua/5.4/argparse.lua …
 *
 * OUT.c defines embedded_files (or embedded_policies) of lua/core/embedded.h. Chunk names are the
 * module's path, so that messages read pinion/cli.lua:12: wherever the program was built. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int fail(const char *path)
{
    fprintf(stderr, "embed: %s: %s\n", path, strerror(errno));
    return 1;
}

static int write_bytes(FILE *out, const char *path, int number)
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

/* "pinion.cli" is pinion/cli.lua; a package is its init.lua. */
static void write_entry(FILE *out, const char *name, size_t size, const char *path, int number)
{
    const char *slash = strrchr(path, '/');
    int package = strcmp(slash ? slash + 1 : path, "init.lua") == 0;
    fprintf(out, "    {\"%.*s\", \"=", (int)size, name);
    for (size_t i = 0; i < size; i++)
        putc(name[i] == '.' ? '/' : name[i], out);
    fprintf(out, "%s.lua\", file_%d, sizeof file_%d - 1},\n", package ? "/init" : "", number,
            number);
}

int main(int count, char **arguments)
{
    FILE *out;
    int status = 0;
    if (count < 3) {
        fputs("usage: embed OUT.c SYMBOL NAME=FILE...\n", stderr);
        return 2;
    }
    out = fopen(arguments[1], "wb");
    if (!out)
        return fail(arguments[1]);
    fprintf(out, "/* Written by scripts/build/embed.c. */\n#include \"core/embedded.h\"\n");
    for (int i = 3; i < count && status == 0; i++) {
        const char *equals = strchr(arguments[i], '=');
        if (!equals) {
            fprintf(stderr, "embed: %s: expected NAME=FILE\n", arguments[i]);
            status = 2;
        } else {
            status = write_bytes(out, equals + 1, i);
        }
    }
    fprintf(out, "\nconst embedded_file %s[] = {\n", arguments[2]);
    for (int i = 3; i < count && status == 0; i++) {
        const char *equals = strchr(arguments[i], '=');
        write_entry(out, arguments[i], (size_t)(equals - arguments[i]), equals + 1, i);
    }
    fprintf(out, "    {NULL, NULL, NULL, 0}};\n");
    if (fclose(out) != 0 && status == 0)
        status = fail(arguments[1]);
    if (status != 0)
        remove(arguments[1]); /* make must not take half a file for a whole one */
    return status;
}
