---@meta

-- ---- the cluster model -------------------------------------------------------------------------
-- Nodes with map and reduce slots, tasks and their attempts.
-- Options, jobs and results, and what a policy's file holds.

---The same in the cluster model: a number of jobs, { jobs = n }, { ms = t } (jobs submitted before
---that time), or text such as "500ms" or "auto".
---@alias pinion.ClusterWarmup integer|string|{ jobs: integer?, ms: integer? }

---So many nodes alike.
---@class pinion.NodeGroup
---@field count? integer default 1
---@field map_slots integer
---@field reduce_slots integer
---@field speed? integer permille of the nominal speed, default 1000

---A node goes down, and comes back or does not.
---@class pinion.NodeFailure
---@field time integer ms
---@field node integer from 0
---@field recover? integer ms

---Nodes may be missing, and parameters, where the workload suggests them: see
---Workload:default_settings.
---@class pinion.ClusterRunOptions: pinion.SharedRunOptions
---@field nodes pinion.NodeGroup[]|string or text such as "57x8x2+4x2x1x500": nodes x map slots x reduce slots x speed
---@field failures? pinion.NodeFailure[]|string or text such as "50000:1:90000": time:node:recovery
---@field until_time? integer stop before this time, ms
---@field warmup? pinion.ClusterWarmup jobs that the statistics leave out
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none
---@field every? integer ms from one checkpoint to the next; required with checkpoint

---Nil is what has not happened. Times are in ms.
---@class pinion.ClusterJobRow
---@field id integer from 1, in order of submission
---@field state "finished"|"unfinished"|"failed"|"rejected"
---@field submit integer
---@field first_map_start integer|nil
---@field map_finish integer|nil of the last map, when maps were run again the last time
---@field first_reduce_start integer|nil
---@field finish integer|nil of a failed job when it failed
---@field waiting_time integer|nil first_map_start - submit
---@field execution_time integer|nil finish - first_map_start of a finished job
---@field makespan integer|nil finish - submit of a finished job
---@field deadline integer|nil ms after submit, as agreed when it was accepted
---@field deadline_met boolean|nil nil without a deadline, of a rejected job, and of an unfinished one whose deadline was still to come
---@field promise integer|nil its finish, as estimated when it was accepted; nil of a rejected job, and where the policy estimates none
---@field estimate integer|nil the same, also as estimated when it was rejected; of rows in Lua only, files and tables have it in the log
---@field local_maps integer maps that ran where their input was
---@field colocated_reduces integer reduces with an output of the job's maps on their node
---@field kills integer of its tasks by the policy
---@field slot_ms integer time that its ended attempts held slots
---@field name string|nil
---@field group string|integer|nil
---@field [string] any the attributes of the job, numbers and texts by name

---Of the finished jobs. The mean response time is in_wait + in_maps + in_blocked + in_reduces.
---@class pinion.ClusterGroupResult: pinion.ClusterGroupColumns
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field makespan pinion.FlowTime
---@field waiting_time pinion.FlowTime
---@field execution_time pinion.FlowTime

---What comparisons and sweeps of every model take beside what runs take. Times are in ms. Means and
---quantiles are of the finished jobs behind the warm-up, counts of all jobs.
---@class pinion.ClusterResult: pinion.ClusterColumns
---@field nodes integer
---@field map_slots integer of all nodes
---@field reduce_slots integer
---@field params table<string, any>|nil parameters of the policy, and of the model, that are not its defaults; without the seed
---@field jobs pinion.ClusterJobRow[]|nil read-only; nil when rows were not kept
---@field makespan pinion.FlowTime
---@field waiting_time pinion.FlowTime
---@field execution_time pinion.FlowTime
---@field admits boolean whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates; nil where it admits none
---@field groups pinion.ClusterGroupResult[]|nil in order of first appearance
---@field warmup { jobs: integer?, ms: integer?, auto: boolean? }|nil
local ClusterResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "makespan"|"waiting_time"|"execution_time"|"submit"|"first_map_start"|"map_finish"|"first_reduce_start"|"finish"|"local_maps"|"colocated_reduces"|"kills"|"slot_ms" only the first three when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function ClusterResult:quantile(field, q) end

---Nodes may be missing, and parameters, where the workload suggests them.
---@class pinion.ClusterCompareOptions: pinion.SharedCompareOptions
---@field nodes pinion.NodeGroup[]|string
---@field failures? pinion.NodeFailure[]|string
---@field warmup? pinion.ClusterWarmup
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none; of one replica
---@field until_time? integer

---@class pinion.ClusterComparisonGroup: pinion.ClusterGroupColumns
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field makespan pinion.PooledFlowTime
---@field waiting_time pinion.PooledFlowTime
---@field execution_time pinion.PooledFlowTime

---@class pinion.ClusterComparisonRow: pinion.ClusterMeasures
---@field admits boolean whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates; nil where it admits none
---@field other_jobs boolean|nil true: in some run the policy or the baseline rejected jobs: then their means are of different jobs, and there is no difference, relative or wins
---@field stalled "policy"|"node"|"map slot"|"reduce slot"|nil as of a result, of some run
---@field stalls integer|nil … in how many runs
---@field waiting_time pinion.PooledQuantiles
---@field execution_time pinion.PooledQuantiles
---@field groups pinion.ClusterComparisonGroup[]|nil
---@field result pinion.ClusterResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.ClusterComparison: pinion.SharedComparison
---@field nodes integer
---@field map_slots integer
---@field reduce_slots integer
---@field warmup { jobs: integer?, ms: integer?, auto: boolean? }|nil
---@field admits boolean whether some policy may reject jobs
---@field lower_bound integer|nil of the only replica
---@field rows pinion.ClusterComparisonRow[] in the order of the policies

---The same of the cluster model; nodes may be missing where they vary.
---@class pinion.ClusterSweepOptions: pinion.ClusterCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are nodes ("57x8x2", or a list of groups), failures ("50000:1:90000", or a list), seed, warmup, until_time, workload, "params.NAME" and "workload.NAME"

---With the values of its cell by name: row.nodes, row["params.heartbeat_ms"].
---@class pinion.ClusterSweepRow: pinion.ClusterComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.ClusterSweep: pinion.SharedSweep
---@field admits boolean whether some policy may reject jobs
---@field rows pinion.ClusterSweepRow[] one per cell and policy; the last name varies fastest

---@alias pinion.TaskKind "map"|"reduce"

---What a policy makes use of: estimates of remaining times, by ticks ("estimates"); shares by
---weight, which go before the order ("shares"), and no slot beyond them ("strict"); jobs without a
---local map wait for locality_delay_ms ("delays"); reduces go to nodes with data of their job while
---such a node is free ("colocates"); `elapse` is called between events ("elapses"; a list need not
---say so); what it does on ticks depends on the present alone, and it kills only for tasks that
---wait, so that the last of many ticks in a row is enough while none does, and without preempt also
---while no slot is free for them ("memoryless"); preempt may suspend tasks ("suspends"; not with
---"in_order").
---
---For jobs with deadlines: those that have started come before all others, in the order in which
---they started ("in_order", with a key that changes on "arrival", of which the one for maps counts;
---not with "shares", "delays", "colocates" or pick); reduces start when all maps are done, whatever
---reduce_start says ("maps_first"); slots are kept for the reduces of jobs ahead whose maps are not
---done ("reserves", with these two), one less as in the paper ("reserves_less", beside it), or all
---slots ("reserves_strict", beside it); every job must have a deadline ("deadlines"); finishes are
---foreseen from what runs now ("forecasts", with "in_order" and admit). With `records`: a job's
---predecessor may be one that is over ("keep"), and feedback goes through jobs that are over
---("satu").
---@alias pinion.ClusterUse "estimates"|"shares"|"strict"|"delays"|"colocates"|"elapses"|"memoryless"|"in_order"|"maps_first"|"reserves"|"reserves_less"|"reserves_strict"|"deadlines"|"forecasts"|"keep"|"satu"|"suspends"

---When a key may change: never after the job has come, when a task of its kind starts, ends or is
---pending again, after every plan, or from instant to instant (then it is computed for all
---candidates at every instant with an offer).
---@alias pinion.ClusterChanges "arrival"|"served"|"planned"|"timed"

---The order in which jobs get slots: the first one that has a task for it.
---@class pinion.ClusterKey
---@field of fun(s: pinion.ClusterView, job: pinion.JobHandle, kind: pinion.TaskKind): number, number? the key, smallest first: one or two numbers, integers up to 2^53 or finite floats; ties go by id
---@field changes pinion.ClusterChanges|fun(params: table<string, any>): pinion.ClusterChanges

---What a policy's file of the cluster model returns. Whatever it leaves out is as fifo does it.
---@class pinion.ClusterPolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "cluster"
---@field summary? string one line; default: the file's first comment
---@field key_name? string what its keys are, with their unit, for explanations and help: "deadline, ms"; at most 127 characters
---@field params? table<string, pinion.TandemParameterDefinition> at most 32
---@field state? (string|pinion.StateArray)[] names of values that s.state holds, and arrays by name; numbers, 0 at first
---@field per_job? string[] names of values that s.per_job holds for each job; 0 when the job comes
---@field uses? (pinion.ClusterUse|false)[]|fun(params: table<string, any>): (pinion.ClusterUse|false)[] false stands for nothing
---@field records? boolean true: finishes are foreseen from the times at which slots become free, recorded with each job; with "in_order" and admit
---@field admit? fun(s: pinion.ClusterView, job: pinion.JobHandle): boolean whether the job is taken; asked once when it comes, and by a host that only wants to know; without it all are
---@field key? pinion.ClusterKey an order of the jobs; with pick: the one that s:first and s:by_key walk; may be left out with pick and with "shares" (then: by submission)
---@field pick? fun(s: pinion.ClusterView, node: integer, kind: pinion.TaskKind): pinion.JobHandle? in place of giving slots in the order: the job that gets a slot of this kind on the node; nil: none
---@field plan? fun(s: pinion.ClusterView, reason: "arrival"|"tick"|"finish") after a job has come, at every tick, and when a job has ended; with "shares" it weighs the jobs
---@field preempt? fun(s: pinion.ClusterView, kind: pinion.TaskKind) after the plans of arrivals and ticks, first for maps, then for reduces: kills, and with "suspends" suspends
---@field copy? fun(s: pinion.ClusterView, node: integer, kind: pinion.TaskKind): pinion.JobHandle?, integer? a slot of this kind on the node is free, and no job gets it: the job and the task of it that is launched there a second time; nil: none. The task has one attempt, on another node. Asked again after each copy; there are ticks, at which slots are offered; not with "in_order"
---@field elapse? fun(s: pinion.ClusterView, ms: integer) so many ms have passed since the last event, and this is how things stood meanwhile
---@field init? fun(s: pinion.ClusterView) once, before anything else
---@field arrive? fun(s: pinion.ClusterView, job: pinion.JobHandle) a job has come, and was taken
---@field leave? fun(s: pinion.ClusterView, job: pinion.JobHandle) a job is done, or has failed

---The cluster as a policy sees it. Times are integer ms, nodes are numbered from 0, tasks of a job
---from 1. Keys can neither write memory nor draw random numbers, nor ask for the order that they
---make.
---@class pinion.ClusterView: pinion.SharedView
local ClusterView = {}

---@return integer ms
function ClusterView:now() end

---@return integer jobs in the system
function ClusterView:in_system() end

---@return integer nodes of the cluster, up or down
function ClusterView:nodes() end

---@param kind pinion.TaskKind
---@return integer slots of all nodes, up or down
function ClusterView:capacity(kind) end

---@param kind pinion.TaskKind
---@return integer slots of the nodes that are up
function ClusterView:capacity_up(kind) end

---@param kind pinion.TaskKind
---@return integer slots free on nodes that are up
function ClusterView:free(kind) end

---@param node integer from 0
---@param kind pinion.TaskKind
---@return integer slots free there; 0 while it is down
function ClusterView:node_free(node, kind) end

---@param node integer from 0
---@param kind pinion.TaskKind
---@return integer slots that it has, free or not, up or down
function ClusterView:node_slots(node, kind) end

---@param node integer from 0
---@return integer permille of the nominal speed
function ClusterView:node_speed(node) end

---@param node integer from 0
---@return boolean up
function ClusterView:node_up(node) end

---What runs on a node, the attempt launched last first, for a loop: job, kind, task, start in ms,
---attempt, progress in millionths, whether the task has two attempts.
---@param node integer from 0
---@return fun(): pinion.JobHandle?, pinion.TaskKind?, integer?, integer?, integer?, integer?, boolean?
function ClusterView:attempts_on(node) end

---The jobs in the system in order of submission, for a loop.
---@return fun(s: pinion.ClusterView, job: pinion.JobHandle?): pinion.JobHandle?
---@return pinion.ClusterView
function ClusterView:jobs() end

---The jobs in the system in the order of the policy's keys as last computed, for a loop. O(jobs log
---jobs).
---@param kind pinion.TaskKind
---@return fun(): pinion.JobHandle?
function ClusterView:by_key(kind) end

---@param kind pinion.TaskKind
---@return pinion.JobHandle|nil job the first in the policy's order that has a task of this kind to start, shares aside
function ClusterView:first(kind) end

---@param job pinion.JobHandle
---@return integer ms when it came
function ClusterView:submit(job) end

---@param job pinion.JobHandle
---@return integer ms after its submission, as agreed; 0: none
function ClusterView:deadline(job) end

---@param job pinion.JobHandle
---@return integer weight 1 where the job has none
function ClusterView:weight(job) end

---@param job pinion.JobHandle
---@return integer priority the larger first; 0 where the job has none
function ClusterView:priority(job) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks in all
function ClusterView:tasks(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer attempts that run, one slot each; a task may have two
function ClusterView:running(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks
function ClusterView:done(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that wait, run or are suspended
function ClusterView:unfinished(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that may start now: reduces only when enough maps are done, and at most as many as running_most allows
function ClusterView:pending(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer slots that it could use: attempts that run, pending and suspended tasks, as many as running_most allows
function ClusterView:need(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return boolean may whether running_most allows another attempt of this kind now
function ClusterView:may_run(job, kind) end

---@param job pinion.JobHandle
---@param node integer
---@return boolean local whether the node holds the input of a map that waits
function ClusterView:has_local(job, node) end

---@param job pinion.JobHandle
---@param node integer
---@return boolean affinity whether maps of the job run or ran there, or wait and have their input there
function ClusterView:has_affinity(job, node) end

---With "estimates", as of the job's last one, on arrival or at a tick.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer ms that a task takes
function ClusterView:average(job, kind) end

---With "estimates".
---@param job pinion.JobHandle
---@return integer ms that the job still takes with the whole cluster to itself, as of its last estimate (equation 1 of the hSRTF paper)
function ClusterView:remaining(job) end

---With "estimates".
---@param job pinion.JobHandle
---@param maps integer slots >= 1
---@param reduces integer slots >= 1
---@return integer ms that what is unfinished now takes on so many slots
function ClusterView:remaining_on(job, maps, reduces) end

---With "estimates".
---@param job pinion.JobHandle
---@return integer ms that all its tasks take with the whole cluster to themselves
function ClusterView:alone(job) end

---In plan, with "shares".
---@param job pinion.JobHandle
---@param weight integer in the shares of both kinds; 0 counts as 1, more than 2^62 as that
function ClusterView:weigh(job, weight) end

---With "shares".
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer slots as of the last plan
function ClusterView:share(job, kind) end

---Equal shares, but no job more than it needs (water-filling). O(jobs log jobs).
---@param kind pinion.TaskKind
---@return table<pinion.JobHandle, integer> milli thousandths of a slot, of all slots configured
function ClusterView:fill(kind) end

---@param a integer >= 0
---@param b integer >= 0
---@param c integer >= 1
---@return integer quotient a * b // c without overflow on the way; at most 2^63 - 1
function ClusterView:scale(a, b, c) end

---In preempt: kills running tasks, least progress first, then later start, then higher number.
---Tasks that max_kills_per_task protects are passed over.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param most integer
---@return integer killed
function ClusterView:kill(job, kind, most) end

---The running attempts of a job in order of launch, for a loop: task, node, start in ms, attempt,
---progress in millionths, and whether the task has two attempts. The start of an attempt that was
---suspended is later by the time that it was.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return fun(): integer?, integer?, integer?, integer?, integer?, boolean?
function ClusterView:tasks_running(job, kind) end

---In preempt: kills a running task, of two attempts the older one.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param task integer from 1
---@return boolean killed false: max_kills_per_task protects it
function ClusterView:kill_task(job, kind, task) end

---In preempt, with "suspends": suspends running tasks, in the order of kills. Their slots are free;
---each task keeps its progress, and goes on when the job gets a slot of its node. Tasks with two
---attempts are passed over, and max_kills_per_task protects none.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param most integer
---@return integer suspended
function ClusterView:suspend(job, kind, most) end

---In preempt, with "suspends": suspends a running task.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param task integer from 1
---@return boolean suspended false: it has two attempts, or was suspended too often (max_kills_per_task, with a price of suspensions)
function ClusterView:suspend_task(job, kind, task) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that are suspended
function ClusterView:suspended(job, kind) end

---The suspended tasks of a job in order of suspension, for a loop: as tasks_running has them.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return fun(): integer?, integer?, integer?, integer?, integer?, boolean?
function ClusterView:tasks_suspended(job, kind) end

---O(suspended tasks of the job).
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param node integer from 0
---@return boolean resumes whether a suspended task of the job goes on when the job gets a slot of this node
function ClusterView:resumes(job, kind, node) end

---@param kind pinion.TaskKind
---@return integer tasks that have two attempts now, of all jobs
function ClusterView:copied(kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer ms that a task takes at most, est_extra_ms included; 0: not known
function ClusterView:est(job, kind) end

---In admit, of the job that it is about.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param ms integer that a task takes at most, est_extra_ms not included; 1..2^40
function ClusterView:set_est(job, kind, ms) end

---In admit, of the job that it is about: the deadline to agree on. It is the job's if admit says
---yes. Its key is computed anew.
---@param job pinion.JobHandle
---@param ms integer after its submission, 1..2^53
function ClusterView:set_deadline(job, ms) end

---@param job pinion.JobHandle
---@return integer size of its input; as many as it has maps where the job does not say
function ClusterView:input(job) end

---@param job pinion.JobHandle
---@return integer size of what its maps hand to its reduces; as much as its input where the job does not say
function ClusterView:intermediate(job) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer ms that the longest of its tasks worked that ended well; 0 before
function ClusterView:longest(job, kind) end

---In admit, with "forecasts" or records: what would become of the job, and of those behind it in
---the order, if it were taken. O(slots) with records for each job behind it, with "forecasts"
---O(slots) and for each job in the system. Jobs that are late already block nobody.
---@param job pinion.JobHandle that admit is about
---@return integer|nil finish in ms; nil: none is known, as no slot is up
---@return pinion.JobHandle|nil blocker the first one in the order that would miss its deadline, this one or one behind it; nil: none would
function ClusterView:foresee(job) end

---With "forecasts" or records.
---@param job pinion.JobHandle
---@return integer|nil finish in ms as last computed: when it was taken, or one ahead of it, by feedback, or after a failure; nil: none is known
function ClusterView:estimate(job) end

---In leave, with records: as if the job came now.
---@param job pinion.JobHandle that leave is about
---@return integer|nil finish in ms
function ClusterView:estimate_anew(job) end

---In leave, with records: when slots become free is put right by when they did, for the job that is
---done and those behind it.
---@param job pinion.JobHandle that leave is about; it must not have failed
function ClusterView:feed_back(job) end

---@param job pinion.JobHandle
---@return boolean failed true in leave, where it says so of the job that leave is about
function ClusterView:has_failed(job) end

---From arrive on, and not in keys.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param most? integer slots that it holds at a time; nil: no limit
function ClusterView:limit(job, kind, most) end

---From arrive on, and not in keys.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param time integer ms, up to 2^53: it gets no slot of this kind before
function ClusterView:hold(job, kind, time) end
