/* Signals that ask the process to end. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/interrupt.h"

static int calls[5];

#define ACT(i)               \
    static void act##i(void) \
    {                        \
        calls[i]++;          \
    }
ACT(0)
ACT(1)
ACT(2)
ACT(3)
ACT(4)

/* One that is ignored stays so. The first of the others sets the flag and calls each function
 * that was registered once, up to four of them. */
static void the_first_signal_is_noted(void **state)
{
    static void (*const acts[])(void) = {act0, act1, act0, act2, act3, act4, act3};
    (void)state;
    signal(SIGHUP, SIG_IGN);
    interrupt_install();
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        interrupt_also(acts[i]);
    raise(SIGHUP);
    assert_false(interrupt_pending());
    assert_int_equal(interrupt_signal(), 0);
    raise(SIGTERM);
    assert_true(interrupt_pending());
    assert_int_equal(interrupt_signal(), SIGTERM);
    raise(SIGINT);
    assert_int_equal(interrupt_signal(), SIGINT);
    for (int i = 0; i < 5; i++)
        assert_int_equal(calls[i], i < 4 ? 2 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_signal_is_noted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
