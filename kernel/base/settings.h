/* Settings of configurations, as rows: the range, the default, the message and the words of each
 * stand in its row and nowhere else. */
#ifndef PN_BASE_SETTINGS_H
#define PN_BASE_SETTINGS_H

#include "attributes.h"
#include "internal.h"

/* A row begins with one of these. Its range is `least`..`most`, as the message writes both. */
#define PN_SETTING(type, member, least, most, otherwise)  \
    .low = (least), .high = (most), .value = (otherwise), \
    .offset = (uint16_t)offsetof(type, member), .size = sizeof(((type *)0)->member)
#define PN_NUMBER(type, member, least, most, otherwise) \
    PN_SETTING(type, member, least, most, otherwise), .range = #member ": " #least ".." #most
/* The same up to a power of 2. */
#define PN_POWER(type, member, least, bits, otherwise)                 \
    PN_SETTING(type, member, least, (uint64_t)1 << (bits), otherwise), \
        .range = #member ": " #least "..2^" #bits
#define PN_FLAG(type, member, otherwise) \
    PN_SETTING(type, member, 0, 1, otherwise), .range = #member ": 0 or 1"
/* Constants of an enum up to `last`; `constants` names them for the message. */
#define PN_CHOICE(type, member, last, constants) \
    PN_SETTING(type, member, 0, last, 0), .range = #member ": " constants
/* A row that scenario files know continues with its rule. PN_NO_RULES leaves the rules out: where
 * memory is small, their texts are not needed. */
#ifdef PN_NO_RULES
#define PN_RULE_OF(...) .rule = NULL
#else
#define PN_RULE_OF(...)      \
    .rule = &(const pn_rule) \
    {                        \
        __VA_ARGS__          \
    }
#endif
#define PN_RULE(position, word, rules, text) \
    PN_RULE_OF(.rank = position, .name = word, .source = rules, .doc = text)
/* Of a choice: the names are those of its values, PN_NAMES("no", "yes"). */
#define PN_NAMED(position, word, list, rules, text) \
    PN_RULE_OF(.rank = position, .name = word, .names = list, .source = rules, .doc = text)
#define PN_NAMES(...)     \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

/* A built-in policy, `policy`, ends with the parts of its keys, which PN_NO_RULES leaves out,
 * too. */
#ifdef PN_NO_RULES
#define PN_KEYS(parts) .keys = 0 ? (parts) : NULL
#else
#define PN_KEYS(parts) .struct_size = sizeof policy, .keys = (parts)
#endif

/* The last row of models whose jobs have attributes. */
_Static_assert(PN_ATTRIBUTES_MAX == 8, "as the row says");
#define PN_ATTRIBUTES_SETTING(type)          \
    {                                        \
        PN_NUMBER(type, attributes, 0, 8, 0) \
    }

/* Returns the value of a setting in a configuration. */
uint64_t pn_setting_get(const pn_setting *setting, const void *config);
/* Writes the defaults of the rows, `count` of them. */
void pn_settings_default(const pn_setting *rows, size_t count, void *config);
/* Copies the rows' members, and neither pointers nor padding. */
void pn_settings_copy(const pn_setting *rows, size_t count, void *to, const void *from);
/* Returns the range of the first row whose value is out of it; null when there is none. */
const char *pn_settings_check(const pn_setting *rows, size_t count, const void *config);

#define PN_ROWS(rows) rows, sizeof(rows) / sizeof *(rows)

/* The row with this index, or null. */
#define PN_SETTING_AT(rows, index) ((index) < sizeof(rows) / sizeof *(rows) ? &(rows)[index] : NULL)

#endif
