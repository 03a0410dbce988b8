/* Decision logs: each line that the program writes is read by its row, into the same struct. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pinion/models/cluster/run/log.h"
#include "pinion/models/dag/run/log.h"
#include "pinion/models/slotted/run/log.h"
#include "pinion/models/tandem/run/log.h"

enum { ROUNDS = 2000, RESOURCES = 3 };

typedef union any_event {
    pn_slotted_decision slotted;
    pn_tandem_decision tandem;
    pn_scheduler_event cluster;
    pn_dispatch_event dag;
    cluster_log_last cluster_last;
    dag_log_last dag_last;
    unsigned char bytes[256];
} any_event;

static uint64_t seed;

/* A number of any size in low..high. */
static uint64_t draw(uint64_t low, uint64_t high)
{
    uint64_t number = seed = pn_mix(seed, 1);
    number >>= number % 64;
    return low + (high - low < number ? number % (high - low + 1) : number);
}

static void put(any_event *to, size_t offset, size_t size, uint64_t number)
{
    uint32_t narrow = (uint32_t)number;
    memcpy(to->bytes + offset, size == sizeof narrow ? (void *)&narrow : (void *)&number, size);
}

static void draw_field(const log_field *field, any_event *to)
{
    double real = (double)draw(0, UINT32_MAX) / 7;
    if (field->type == LOG_INTEGER || field->type == LOG_ORDINAL)
        put(to, field->offset, field->size,
            field->optional && draw(0, 1)
                ? field->missing
                : draw(field->low, field->high) - (field->type == LOG_ORDINAL));
    else if (field->type == LOG_WORD)
        put(to, field->offset, field->size, draw(field->low, field->low + 1));
    else if (field->type == LOG_NUMBER)
        memcpy(to->bytes + field->offset, &real, sizeof real);
    else if (field->type == LOG_DIGEST)
        put(to, field->offset, field->size, draw(0, UINT64_MAX));
    else if (field->type == LOG_TASKS)
        put(to, field->offset, field->size, draw(1, 1000));
    if (field->type == LOG_TASKS)
        put(to, field->count, sizeof(uint64_t), draw(1, 30));
    for (size_t r = 0; field->type == LOG_VECTOR && r < RESOURCES; r++)
        put(to, field->offset + 8 * r, 8, draw(field->low, field->high));
}

/* Writes random lines of a kind and compares what is read. `base` has the number of the kind. */
static void check_kind(const log_kinds *kinds, uint32_t number, const any_event *base,
                       void (*write)(run_log *log, const any_event *event))
{
    for (int round = 0; round < ROUNDS; round++) {
        any_event wrote = *base, got = *base;
        log_event event;
        char *line = NULL;
        size_t size = 0;
        run_log log = {.file = open_memstream(&line, &size)};
        assert_non_null(log.file);
        for (const log_field *field = kinds->kinds[number].fields; field->name; field++)
            draw_field(field, &wrote);
        write(&log, &wrote);
        fclose(log.file);
        assert_int_equal(line[size - 1], '\n');
        if (log_read(&event, kinds, line, size, NULL) != 1)
            fail_msg("%s: %s", line, event.fault);
        assert_int_equal(event.number, number);
        log_store(&event, &got);
        if (memcmp(&wrote, &got, sizeof got) != 0)
            fail_msg("is read otherwise: %s", line);
        free(line);
    }
}

/* ---- what is written ------------------------------------------------------------------------- */

static void write_slotted(run_log *log, const any_event *event)
{
    slotted_log_decision(log, &event->slotted);
}

static void test_slotted(void **state)
{
    (void)state;
    for (uint32_t kind = PN_SLOTTED_MAP; kind < PN_SLOTTED_FINISH; kind++) {
        any_event base = {.bytes = {0}};
        base.slotted.kind = kind;
        check_kind(&slotted_log_kinds, kind, &base, write_slotted);
    }
}

static void write_tandem(run_log *log, const any_event *event)
{
    tandem_log_time last = {0};
    tandem_log_decision(log, &last, &event->tandem);
}

static void test_tandem(void **state)
{
    any_event base = {.bytes = {0}};
    (void)state;
    base.tandem.kind = PN_TANDEM_RATES;
    check_kind(&tandem_log_kinds, PN_TANDEM_RATES, &base, write_tandem);
}

static void write_cluster(run_log *log, const any_event *event)
{
    cluster_log_event(log, &event->cluster);
}

static void write_cluster_last(run_log *log, const any_event *event)
{
    cluster_log_end(log, &event->cluster_last);
}

static void test_cluster(void **state)
{
    any_event base = {.bytes = {0}};
    (void)state;
    check_kind(&cluster_log_kinds, LOG_LAST, &base, write_cluster_last);
    for (uint32_t kind = PN_SCHEDULER_ACCEPT; kind <= PN_SCHEDULER_NODE_RESIZE; kind++) {
        base.cluster.event = kind;
        check_kind(&cluster_log_kinds, kind, &base, write_cluster);
    }
}

static void write_dag(run_log *log, const any_event *event)
{
    if (event->dag.event == PN_DISPATCH_NODE_RESIZE)
        dag_log_resize(log, &event->dag, RESOURCES);
    else
        dag_log_event(log, &event->dag);
}

static void write_dag_last(run_log *log, const any_event *event)
{
    dag_log_end(log, &event->dag_last);
}

static void test_dag(void **state)
{
    any_event base = {.bytes = {0}};
    (void)state;
    check_kind(&dag_log_kinds, LOG_LAST, &base, write_dag_last);
    for (uint32_t kind = PN_DISPATCH_LAUNCH; kind <= PN_DISPATCH_NODE_RESIZE; kind++) {
        base.dag.event = kind;
        check_kind(&dag_log_kinds, kind, &base, write_dag);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slotted),
                                       cmocka_unit_test(test_tandem),
                                       cmocka_unit_test(test_cluster), cmocka_unit_test(test_dag)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
