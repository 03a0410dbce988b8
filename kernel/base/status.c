/* The names of versions and status codes. A switch rather than a table, so that the compiler sees a
 * code that was forgotten and the values may have holes. */
#include "internal.h"

const char *pn_version(void)
{
    return PN_VERSION;
}

const char *pn_status_name(int status)
{
    switch ((enum pn_status)status) {
#define NAME(code) \
    case code:     \
        return #code
        NAME(PN_OK);
        NAME(PN_DONE);
        NAME(PN_PAUSED);
        NAME(PN_ERR_ARGUMENT);
        NAME(PN_ERR_CONFIG);
        NAME(PN_ERR_SIZE);
        NAME(PN_ERR_ALIGN);
        NAME(PN_ERR_FULL);
        NAME(PN_ERR_LATE);
        NAME(PN_ERR_ORDER);
        NAME(PN_ERR_JOB);
        NAME(PN_ERR_BUSY);
        NAME(PN_ERR_POLICY);
        NAME(PN_ERR_MODE);
        NAME(PN_ERR_INFEASIBLE);
        NAME(PN_ERR_OVERFLOW);
        NAME(PN_ERR_BLOCK);
        NAME(PN_ERR_REJECTED);
        NAME(PN_ERR_STOPPED);
        NAME(PN_ERR_DAMAGED);
        NAME(PN_ERR_STALE);
        NAME(PN_ERR_SEAL);
        NAME(PN_ERR_VERSION);
        NAME(PN_ERR_ROUNDING);
        NAME(PN_ERR_SUBNORMAL);
        NAME(PN_ERR_CONTRACTED);
        NAME(PN_ERR_ARITHMETIC);
#undef NAME
    }
    return "PN_ERR_UNKNOWN";
}
