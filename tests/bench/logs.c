/* What reading a long decision log costs: the program's explain, diff and timeline, each as a
 * process of its own, with its processor time and the most memory that it has held. The program
 * lies beside this one in the build; PINION names another. */
#define _DEFAULT_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_SIZE = 1024, WORDS_MAX = 24, JOBS = 200000, JOBS_SMALL = 300 };

static char program[PATH_SIZE], folder[] = "/tmp/pinion-logs-XXXXXX";
static char first[PATH_SIZE], second[PATH_SIZE];

static void remove_all(void)
{
    unlink(first);
    unlink(second);
    rmdir(folder);
}

static void give_up(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    remove_all();
    exit(1);
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Runs the program with these words, which end with a null, without its output. */
static struct rusage run(const char *const *words)
{
    char *arguments[WORDS_MAX];
    struct rusage usage = {0};
    int status, count = 0;
    pid_t child;
    arguments[count++] = program;
    while (*words && count < WORDS_MAX - 1)
        arguments[count++] = (char *)(uintptr_t)*words++;
    arguments[count] = NULL;
    child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        execv(program, arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        give_up("the program failed");
    return usage;
}

static void write_log(const char *path, const char *policy, int jobs)
{
    char spec[100];
    const char *const words[] = {"simulate",
                                 "--model",
                                 "dag",
                                 "--workload",
                                 spec,
                                 "--set",
                                 "nodes=40x16000/65536",
                                 "--set",
                                 "resources=cpu+memory",
                                 "--policy",
                                 policy,
                                 "--log",
                                 path,
                                 "--no-jobs",
                                 "--quiet",
                                 NULL};
    snprintf(spec, sizeof spec, "dag,jobs=%d,load=.7,depth=2,width=1,tasks=uniform(1,4)", jobs);
    run(words);
}

/* How many lines a log has; and the time of its end. */
static long lines_of(const char *path, long *end)
{
    char line[256];
    FILE *file = fopen(path, "r");
    long lines = 0;
    while (file && fgets(line, sizeof line, file)) {
        lines += strchr(line, '\n') != NULL;
        if (strncmp(line, "{\"end\":", 7) == 0)
            *end = strtol(line + 7, NULL, 10);
    }
    if (file)
        fclose(file);
    return lines;
}

static void measure(const char *what, const char *const *words)
{
    struct rusage usage = run(words);
    printf("%-16s %8.2f s %8ld MB\n", what, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
           usage.ru_maxrss / 1024);
}

static void find_program(const char *self)
{
    const char *named = getenv("PINION"), *slash = strrchr(self, '/');
    if (named)
        snprintf(program, sizeof program, "%s", named);
    else
        snprintf(program, sizeof program, "%.*s/../../pinion", slash ? (int)(slash - self) : 1,
                 slash ? self : ".");
}

int main(int argc, char **argv)
{
    bool small = argc > 1 && strcmp(argv[1], "small") == 0;
    int jobs = small ? JOBS_SMALL : JOBS;
    long lines, end = 0;
    char job[24], time[24];
    find_program(argv[0]);
    if (!mkdtemp(folder))
        give_up("no folder for logs");
    snprintf(first, sizeof first, "%s/fifo.log", folder);
    snprintf(second, sizeof second, "%s/srpt.log", folder);
    write_log(first, "fifo", jobs);
    write_log(second, "srpt", jobs);
    snprintf(job, sizeof job, "%d", jobs / 2);
    lines = lines_of(first, &end);
    if (end == 0)
        give_up("a log without its end");
    snprintf(time, sizeof time, "%ld", end / 2);
    printf("logs of the dag model, %d jobs, %ld lines\n", jobs, lines);
    measure("explain --job", (const char *const[]){"explain", first, "--job", job, NULL});
    measure("explain --time", (const char *const[]){"explain", first, "--time", time, NULL});
    measure("diff", (const char *const[]){"diff", first, second, NULL});
    measure("timeline", (const char *const[]){"timeline", first, NULL});
    remove_all();
    return 0;
}
