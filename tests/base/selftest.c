/* The self-test: it passes here, and it says what is wrong when the thread rounds otherwise or
 * makes subnormal numbers zero, as libraries do behind a host's back. What compilers can do wrong
 * is in scripts/check/selftest.sh. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fenv.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "pn_base.h"

static void this_build_on_this_machine_is_sound(void **state)
{
    (void)state;
    assert_int_equal(pn_selftest(), PN_OK);
}

static void another_rounding_is_found(void **state)
{
    static const int modes[] = {
#ifdef FE_UPWARD
        FE_UPWARD,
#endif
#ifdef FE_DOWNWARD
        FE_DOWNWARD,
#endif
#ifdef FE_TOWARDZERO
        FE_TOWARDZERO,
#endif
        FE_TONEAREST};
    (void)state;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(fesetround(modes[i]), 0);
        int status = pn_selftest();
        fesetround(FE_TONEAREST);
        assert_int_equal(status, modes[i] == FE_TONEAREST ? PN_OK : PN_ERR_ROUNDING);
    }
}

static void lost_subnormal_numbers_are_found(void **state)
{
    (void)state;
#if defined(__SSE2__)
    enum { RESULTS = 1 << 15, OPERANDS = 1 << 6 }; /* flush to zero, denormals are zero */
    static const unsigned modes[] = {RESULTS, OPERANDS, RESULTS | OPERANDS};
    unsigned kept = _mm_getcsr();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        _mm_setcsr(kept | modes[i]);
        int status = pn_selftest();
        _mm_setcsr(kept);
        assert_int_equal(status, PN_ERR_SUBNORMAL);
    }
    assert_int_equal(pn_selftest(), PN_OK);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(this_build_on_this_machine_is_sound),
                                       cmocka_unit_test(another_rounding_is_found),
                                       cmocka_unit_test(lost_subnormal_numbers_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
