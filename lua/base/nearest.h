/* The known name nearest to a mistyped one. */
#ifndef PINION_BASE_NEAREST_H
#define PINION_BASE_NEAREST_H

/* Returns the nearest name, null when none is near. `known` is ended by a null. */
const char *nearest_name(const char *name, const char *const known[]);

#endif
