/* The sandbox of which a call runs, for Ctrl-C: a policy's or a workload's. A process runs one at a
 * time. */
#ifndef PINION_CORE_SANDBOXES_H
#define PINION_CORE_SANDBOXES_H

#include "sandbox/host.h"

extern sandbox *volatile sandbox_running;

#endif
