/* What readers of files take at most, so that no file can use up the machine. All of these bounds
 * are here; docs/limits.md says them too. In Lua they are fields of core.limits. */
#ifndef PINION_BASE_BOUNDS_H
#define PINION_BASE_BOUNDS_H

#define LIMIT_LINE         16777216   /* bytes of a line, or of a csv record; 16 MiB */
#define LIMIT_VALUE        134217728  /* bytes of one value of a Rumen trace; 128 MiB */
#define LIMIT_FILE         1073741824 /* bytes of a scenario, a csv file or a policy; 1 GiB */
#define LIMIT_CORE         268435456  /* bytes of the core of an input log, by default; 256 MiB */
#define LIMIT_JOBS         10000000   /* of a file or a list */
#define LIMIT_LISTED_TASKS 50000000   /* with a time each, of a trace or of a random batch */
#define LIMIT_JOB_TASKS    1048576    /* of each kind in a job of the cluster model */
#define LIMIT_BATCH_TASKS  1000000000 /* of all jobs of the makespan model */

#endif
