/* Pinion: what would this scheduler have done to this workload?
 *
 * This header includes all others. Which one to read depends on what you write.
 *
 * A host, a program that runs simulations or schedules real tasks:
 *   pn_base.h      version, limits, status codes, the self-test, random streams, own log/exp/pow,
 *                  variates, statistics
 *   pn_model.h     one table of functions for each model, for programs that run any of them
 *   pn_slotted.h   the slotted model: flow time in integer slots (Zheng, Shroff, Sinha 2013)
 *   pn_tandem.h    the tandem model: overlapping map and shuffle, exact event times (Lin, Zhang,
 *                  Wierman, Tan 2013)
 *   pn_makespan.h  the makespan model: the order and the pools of a batch, exact fractions (Tian,
 *                  Luo, Tian, Chen)
 *   pn_scheduler.h the scheduler core of the cluster model, which hosts with real machines drive
 *   pn_cluster.h   the cluster model: nodes, heartbeats, locality, failures in milliseconds (the
 *                  hSRTF paper)
 *   pn_dispatch.h  the dispatch core of the dag model, which hosts with real machines drive
 *   pn_dag.h       the dag model: jobs of stages, nodes of several resources, in milliseconds
 *   pn_timeline.h  levels over time, of any model, in constant memory
 *   pn_seal.h      seals, which show whether a stored block is unchanged
 * A policy in C:
 *   pn_slotted_policy.h, pn_tandem_policy.h, pn_makespan_policy.h
 *   pn_scheduler_policy.h (cluster model), pn_dispatch_policy.h (dag model)
 *   pn_strict.h    strict floating point, for policies that compute with doubles
 * A log of the events that a core receives, and its replay:
 *   pn_input.h     input logs of both cores
 *
 * The kernel never allocates, never reads a clock or a file, keeps no mutable global, and needs
 * nothing from the C library but memcpy, memmove, memset and memcmp (and abort, unless PN_NO_ASSERT
 * is defined). Floating point: compile hosts as they like; the library itself is compiled with
 * -ffp-contract=off. */
#ifndef PINION_H
#define PINION_H

#include "pn_base.h"
#include "pn_cluster.h"
#include "pn_dag.h"
#include "pn_dispatch.h"
#include "pn_dispatch_policy.h"
#include "pn_input.h"
#include "pn_makespan.h"
#include "pn_makespan_policy.h"
#include "pn_model.h"
#include "pn_scheduler.h"
#include "pn_scheduler_policy.h"
#include "pn_seal.h"
#include "pn_slotted.h"
#include "pn_slotted_policy.h"
#include "pn_tandem.h"
#include "pn_tandem_policy.h"
#include "pn_timeline.h"

#endif
