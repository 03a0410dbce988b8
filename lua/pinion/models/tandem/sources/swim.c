/* SWIM traces as jobs of the tandem model: submit_s, map_input_bytes and shuffle_bytes, in seconds
 * at the rates that give the stations their loads. */
#include "jobs.h"

/* Adds a job. The sizes are bytes until all are known. */
static int add_tandem_job(gz_lines *reader, const void *how, source *table,
                          const uint64_t values[SWIM_FIELDS])
{
    const swim_loads *loads = how;
    pn_tandem_job job = {
        .arrival = (double)values[1], .map = (double)values[3], .shuffle = (double)values[4]};
    if (values[3] == 0 && values[4] == 0 && loads->drop_zero)
        return 1;
    return tandem_table_add(table, &job) ? 1 : swim_out_of_memory(reader);
}

/* Returns the size whose ratio to `map` is the cube root of that of `shuffle`. */
static double rooted(double map, double shuffle)
{
    return map * pn_pow(shuffle / map, 1.0 / 3.0);
}

/* Balances: every ratio shuffle / map becomes its cube root, times what keeps their sum (section
 * 5.2). Jobs that only shuffle have no ratio and stay as they are. */
static void balance(source *table)
{
    double sum = 0.0, of_roots = 0.0;
    for (uint64_t i = 0; i < table->count; i++) {
        const pn_tandem_job *job = tandem_table_at(table, i);
        if (job->map > 0.0) {
            sum += job->shuffle;
            of_roots += rooted(job->map, job->shuffle);
        }
    }
    for (uint64_t i = 0; i < table->count && sum > 0.0; i++) {
        pn_tandem_job *job = tandem_table_at(table, i);
        if (job->map > 0.0)
            job->shuffle = rooted(job->map, job->shuffle) * (sum / of_roots);
    }
}

int swim_read_tandem(const char *path, const swim_loads *loads, source *table,
                     swim_summary *summary, char message[SWIM_MESSAGE_SIZE])
{
    gz_lines reader = {.path = path, .message = message};
    /* Seconds that a byte takes at a station that is busy for the load's share of the time. */
    double map_second = 0.0, shuffle_second = 0.0;
    if (swim_read_file(&reader, add_tandem_job, loads, table, summary) != 0)
        return 0;
    if (summary->map_input_bytes > 0)
        map_second = loads->map * loads->span / (double)summary->map_input_bytes;
    if (summary->shuffle_bytes > 0)
        shuffle_second = loads->shuffle * loads->span / (double)summary->shuffle_bytes;
    summary->map_rate = map_second > 0.0 ? 1.0 / map_second : 0.0;
    summary->shuffle_rate = shuffle_second > 0.0 ? 1.0 / shuffle_second : 0.0;
    for (uint64_t i = 0; i < table->count; i++) {
        pn_tandem_job *job = tandem_table_at(table, i);
        job->map *= map_second;
        job->shuffle *= shuffle_second;
    }
    if (loads->balance)
        balance(table);
    return 1;
}
