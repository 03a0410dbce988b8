/* See settings.h. */
#include "settings.h"

uint64_t pn_setting_get(const pn_setting *setting, const void *config)
{
    const unsigned char *at = (const unsigned char *)config + setting->offset;
    uint32_t narrow;
    uint64_t wide;
    if (setting->size == sizeof narrow) {
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, at, sizeof wide);
    return wide;
}

void pn_settings_default(const pn_setting *rows, size_t count, void *config)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char *at = (unsigned char *)config + rows[i].offset;
        uint64_t wide = rows[i].value;
        if (rows[i].size == sizeof wide)
            memcpy(at, &wide, sizeof wide);
        else
            memcpy(at, &rows[i].value, sizeof rows[i].value);
    }
}

void pn_settings_copy(const pn_setting *rows, size_t count, void *to, const void *from)
{
    for (size_t i = 0; i < count; i++)
        memcpy((unsigned char *)to + rows[i].offset, (const unsigned char *)from + rows[i].offset,
               rows[i].size);
}

const char *pn_settings_check(const pn_setting *rows, size_t count, const void *config)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = pn_setting_get(&rows[i], config);
        if ((value < rows[i].low || value > rows[i].high) &&
            (!rows[i].automatic || value != UINT64_MAX))
            return rows[i].range;
    }
    return NULL;
}
