/* The file of rules: a plain part of what make reads. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "buildrunner.h"

uint32_t file_of(br_plan *plan, const char *name)
{
    for (uint32_t i = 0; i < plan->file_count; i++)
        if (strcmp(plan->files[i].name, name) == 0)
            return i;
    br_file *files = realloc(plan->files, (plan->file_count + 1) * sizeof *files);
    char *copy = strdup(name);
    plan->files = files ? files : plan->files;
    if (!files || !copy || plan->file_count == FILES_MOST) {
        free(copy);
        return FILES_MOST;
    }
    files[plan->file_count] = (br_file){.name = copy};
    return plan->file_count++;
}

uint32_t first_target(const br_plan *plan)
{
    for (uint32_t i = 0; i < plan->file_count; i++)
        if (plan->files[i].line > 0 && plan->files[i].name[0] != '.')
            return i;
    return FILES_MOST;
}

void free_plan(br_plan *plan)
{
    for (uint32_t i = 0; i < plan->file_count; i++) {
        free(plan->files[i].name);
        free(plan->files[i].needs);
        free(plan->files[i].command);
    }
    for (uint32_t i = 0; i < plan->job_count; i++) {
        free(plan->jobs[i].stages);
        free(plan->jobs[i].about);
        free(plan->jobs[i].parents);
    }
    free(plan->files);
    free(plan->jobs);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Targets that the lines of commands belong to, as files; and where we are. */
typedef struct reader {
    br_plan *plan;
    unsigned line;
    uint32_t *targets;
    uint32_t target_count;
} reader;

static int wrong(const reader *self, const char *what, const char *text)
{
    return complain("%s:%u: %s: %s", self->plan->name, self->line, what, text);
}

static int add_need(br_file *file, uint32_t need)
{
    uint32_t *needs = realloc(file->needs, (file->need_count + 1) * sizeof *needs);
    if (!needs)
        return complain("not enough memory");
    file->needs = needs;
    needs[file->need_count++] = need;
    return 0;
}

/* The names of a line, each with `take`. */
static int each_name(reader *self, char *text, int (*take)(reader *self, uint32_t file))
{
    for (char *name = strtok(text, " \t"); name; name = strtok(NULL, " \t")) {
        uint32_t file = file_of(self->plan, name);
        if (strpbrk(name, "%*?$|:;=&"))
            return wrong(self, "no plain name of a file (patterns and variables are not read)",
                         name);
        if (file == FILES_MOST)
            return wrong(self, "too many files, or not enough memory", name);
        if (take(self, file) != 0)
            return -1;
    }
    return 0;
}

static int take_target(reader *self, uint32_t file)
{
    uint32_t *targets = realloc(self->targets, (self->target_count + 1) * sizeof *targets);
    if (!targets)
        return complain("not enough memory");
    self->targets = targets;
    targets[self->target_count++] = file;
    if (self->plan->files[file].line == 0)
        self->plan->files[file].line = self->line;
    return 0;
}

static int take_need(reader *self, uint32_t need)
{
    for (uint32_t i = 0; i < self->target_count; i++) {
        br_file *target = &self->plan->files[self->targets[i]];
        if (strcmp(target->name, ".PHONY") == 0)
            self->plan->files[need].is_phony = 1;
        if (add_need(target, need) != 0)
            return -1;
    }
    return 0;
}

static int read_rule(reader *self, char *text)
{
    char *colon = strchr(text, ':');
    if (!colon || strspn(text, " \t") == (size_t)(colon - text))
        return wrong(self, "expected TARGET: NEEDED FILES", text);
    *colon = '\0';
    self->target_count = 0;
    if (each_name(self, text, take_target) != 0)
        return -1;
    return each_name(self, colon + 1, take_need);
}

/* $@, $< and $^ are the target, the first that it needs and all of these; $$ is a dollar. */
static int expand(const reader *self, FILE *out, const br_file *target, const char *text)
{
    for (; *text; text++) {
        if (*text != '$') {
            fputc(*text, out);
            continue;
        }
        text++;
        if (*text == '$')
            fputc('$', out);
        else if (*text == '@')
            fputs(target->name, out);
        else if (*text == '<' && target->need_count > 0)
            fputs(self->plan->files[target->needs[0]].name, out);
        else if (*text == '^')
            for (uint32_t i = 0; i < target->need_count; i++)
                fprintf(out, "%s%s", i > 0 ? " " : "", self->plan->files[target->needs[i]].name);
        else
            return wrong(self, "there are no variables but $@, $<, $^ and $$", text - 1);
    }
    fputc('\n', out);
    return 0;
}

/* Behind the target's commands so far. */
static int add_command(const reader *self, br_file *target, const char *text)
{
    char *command = NULL;
    size_t size;
    FILE *out = open_memstream(&command, &size);
    if (!out)
        return complain("not enough memory");
    fputs(target->command ? target->command : "set -e\n", out);
    int status = expand(self, out, target, text);
    if (fclose(out) != 0 || status != 0) {
        free(command);
        return status != 0 ? status : complain("not enough memory");
    }
    free(target->command);
    target->command = command;
    return 0;
}

static int read_command(reader *self, const char *text)
{
    text += strspn(text, " \t");
    text += *text == '@'; /* nothing is shown anyway */
    if (self->target_count == 0)
        return wrong(self, "a command without a target", text);
    if (*text == '-' || *text == '+')
        return wrong(self, "commands begin with no sign but @", text);
    for (uint32_t i = 0; i < self->target_count && *text; i++)
        if (add_command(self, &self->plan->files[self->targets[i]], text) != 0)
            return -1;
    return 0;
}

/* A line, with those that continue it. */
static int read_line(reader *self, char *line)
{
    size_t blank = strspn(line, " \t");
    if (line[0] == '\t')
        return read_command(self, line + 1);
    if (line[blank] == '\0' || line[blank] == '#')
        return 0;
    line[strcspn(line, "#")] = '\0';
    return read_rule(self, line);
}

/* Reads a line into *whole, joined with the next one where it ends with a backslash; 0 at the
 * end, -1 with a message. */
static int next_line(const reader *self, FILE *file, char **whole, unsigned *lines)
{
    char *line = NULL, *text = NULL;
    size_t room = 0, size;
    ssize_t read;
    int status = 0;
    FILE *out = open_memstream(&text, &size);
    int more = 1;
    *lines = 0;
    while (out && more && (read = getline(&line, &room, file)) > 0) {
        if (memchr(line, '\0', (size_t)read)) {
            status = complain("%s:%u: a null byte (expected text)", self->plan->name,
                              self->line + *lines);
            break;
        }
        ++*lines;
        line[strcspn(line, "\r\n")] = '\0';
        size_t length = strlen(line);
        more = length > 0 && line[length - 1] == '\\';
        line[length - (size_t)more] = more ? ' ' : '\0';
        fwrite(line, 1, length, out);
    }
    free(line);
    if (!out || fclose(out) != 0)
        return complain("not enough memory");
    *whole = text;
    return status != 0 ? status : *lines > 0;
}

int read_rules(br_plan *plan)
{
    reader self = {.plan = plan, .line = 1};
    FILE *file = fopen(plan->name, "rb");
    int more = file ? 1 : complain("%s: %s", plan->name, strerror(errno));
    while (more > 0) {
        unsigned lines;
        char *text = NULL;
        more = next_line(&self, file, &text, &lines);
        if (more > 0 && read_line(&self, text) != 0)
            more = -1;
        self.line += lines;
        free(text);
    }
    if (file)
        fclose(file);
    free(self.targets);
    return more;
}
