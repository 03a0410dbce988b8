---@meta

-- ---- the dag model -----------------------------------------------------------------------------
-- Jobs of stages, nodes of several resources.
-- Options, jobs and results, and what a policy's file holds.

---A stage of a job: equal tasks, or tasks of listed durations. Times are integers in milliseconds
---on a node of nominal speed.
---@class pinion.DagStage
---@field tasks? integer how many, 1..2^20; with duration, in place of durations
---@field duration? integer of each task, 0..2^40; 0 lasts 1 ms
---@field durations? integer[] one for each task
---@field demand integer[] what each task holds while it runs: 0..2^40 of each resource, not all 0
---@field parents? integer[] stages of the job, from 0, that must be finished before; they may be behind it
---@field estimate? integer what policies take a task to last, 1..2^40; default: the mean of the durations, rounded up
---@field start_ms? integer from a launch until the work begins, 0..2^40; default: the parameter start_ms
---@field name? string for people

---The same in the dag model: a number of jobs, { jobs = n }, { ms = t } (jobs that arrive before
---that time), or text such as "500ms" or "auto".
---@alias pinion.DagWarmup integer|string|{ jobs: integer?, ms: integer? }

---So many nodes alike.
---@class pinion.DagNodeGroup
---@field count? integer default 1
---@field capacity integer[] 0..2^40 of each resource
---@field speed? integer permille of the nominal speed, default 1000

---@class pinion.DagQueue
---@field name string
---@field weight? integer 1..10^6; default 1
---@field guaranteed? integer permille of the cluster, of all queues at most 1000; default 0
---@field maximum? integer permille of the cluster, not below guaranteed; default 1000

---Nodes, resources and parameters may be missing where the workload suggests them: see
---Workload:default_settings.
---@class pinion.DagRunOptions: pinion.SharedRunOptions
---@field name? string of the scenario; results have it
---@field resources? string[]|string names, or text such as "cpu+memory"; default { "cpu" }
---@field nodes pinion.DagNodeGroup[]|string or text such as "10x16000/65536+2x32000/131072x500": nodes x capacities x speed
---@field queues? pinion.DagQueue[]|string or text such as "prod:3:700:1000+dev": name:weight:guaranteed:maximum; default: those that the jobs name, with equal guarantees
---@field failures? pinion.NodeFailure[]|string or text such as "50000:1:90000": time:node:recovery
---@field until_time? integer stop before this time, ms
---@field warmup? pinion.DagWarmup jobs that the statistics leave out
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none
---@field every? integer ms from one checkpoint to the next; required with checkpoint

---When things happened to a stage. Nil is what has not happened.
---@class pinion.DagStageTimes
---@field ready integer|nil its last parent finished, or the job arrived
---@field start integer|nil first launch of a task
---@field finish integer|nil last task done

---Nil is what has not happened. Times are in ms.
---@class pinion.DagJobRow
---@field id integer from 1, in order of arrival
---@field state "finished"|"unfinished"
---@field arrival integer
---@field first_start integer|nil first launch of a task
---@field finish integer|nil
---@field jct integer|nil completion time: finish - arrival
---@field waiting integer|nil first_start - arrival
---@field alone integer|nil a lower bound of jct: the longest path of the longest tasks, or the work by what the cluster has; nil of a job that is unfinished where until_time or Ctrl-C ended the run
---@field slowdown_permille integer|nil jct * 1000 / alone
---@field deadline integer|nil ms after the arrival
---@field deadline_met boolean|nil nil without a deadline, and of an unfinished job
---@field kills integer of its tasks by the policy
---@field lost integer attempts that went down with their node
---@field stages pinion.DagStageTimes[] by index, from 1
---@field name string|nil
---@field group string|integer|nil
---@field [string] any the attributes of the job, numbers and texts by name

---Of the finished jobs.
---@class pinion.DagGroupResult: pinion.DagGroupColumns
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field jct pinion.FlowTime
---@field waiting pinion.FlowTime
---@field slowdown_permille pinion.FlowTime

---What became of the jobs of a queue.
---@class pinion.DagQueueResult
---@field name string
---@field jobs integer of the workload
---@field finished integer
---@field total_jct integer|number of the finished ones; a float beyond 2^63, as all sums
---@field used number[] as of a result

---Times are in ms. Means and quantiles are of the finished jobs behind the warm-up, counts and sums
---of all jobs.
---@class pinion.DagResult: pinion.DagColumns
---@field name string|nil of the scenario
---@field resources string[]
---@field nodes integer
---@field capacity integer[] of all nodes, by resource
---@field params table<string, any>|nil parameters of the policy, and of the model, that are not its defaults; without the seed
---@field jobs pinion.DagJobRow[]|nil read-only; nil when rows were not kept
---@field jct pinion.FlowTime
---@field waiting pinion.FlowTime
---@field slowdown_permille pinion.FlowTime
---@field groups pinion.DagGroupResult[]|nil in order of first appearance
---@field warmup { jobs: integer?, ms: integer?, auto: boolean? }|nil
local DagResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "jct"|"waiting"|"slowdown_permille"|"arrival"|"first_start"|"finish"|"alone"|"kills"|"lost" only the first three when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function DagResult:quantile(field, q) end

---Nodes, resources and parameters may be missing where the workload suggests them.
---@class pinion.DagCompareOptions: pinion.SharedCompareOptions
---@field name? string
---@field resources? string[]|string
---@field nodes pinion.DagNodeGroup[]|string
---@field queues? pinion.DagQueue[]|string
---@field failures? pinion.NodeFailure[]|string
---@field warmup? pinion.DagWarmup
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none; of one replica
---@field until_time? integer

---@class pinion.DagComparisonGroup: pinion.DagGroupColumns
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field jct pinion.PooledFlowTime
---@field waiting pinion.PooledFlowTime
---@field slowdown_permille pinion.PooledFlowTime

---@class pinion.DagComparisonRow: pinion.DagMeasures
---@field stalled "node"|"node with room"|nil as of a result, of some run
---@field stalls integer|nil … in how many runs
---@field waiting pinion.PooledQuantiles
---@field slowdown_permille pinion.PooledQuantiles
---@field groups pinion.DagComparisonGroup[]|nil
---@field result pinion.DagResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.DagComparison: pinion.SharedComparison
---@field name string|nil
---@field resources string[]
---@field nodes integer
---@field capacity integer[]
---@field lower_bound number|nil of the only replica
---@field warmup { jobs: integer?, ms: integer?, auto: boolean? }|nil
---@field rows pinion.DagComparisonRow[] in the order of the policies

---The same of the dag model; nodes may be missing where they vary.
---@class pinion.DagSweepOptions: pinion.DagCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are nodes ("10x16000/65536", or a list of groups), resources, queues, failures, name, seed, warmup, until_time, workload, "params.NAME" and "workload.NAME"

---With the values of its cell by name: row.nodes, row["params.placement"].
---@class pinion.DagSweepRow: pinion.DagComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.DagSweep: pinion.SharedSweep
---@field rows pinion.DagSweepRow[] one per cell and policy; the last name varies fastest

-- ---- what a policy's file holds ----------------------------------------------------------------

---What the model does for a policy beside its order: order queues in place of jobs, keep queues to
---their maxima, run a virtual cluster beside the real one, call preempt on ticks.
---@alias pinion.DagUse "queues"|"limits"|"virtual"|"preempts"

---When a key may change: never after the job has come, when a stage of the job finishes, when its
---pending tasks change, when its running tasks change, or also from instant to instant while tasks
---of the job run; "growing" is "timed" of a key that does not fall while they run, and costs less.
---With sticky executors all but the first are computed whenever an executor moves (DG35).
---@alias pinion.DagChanges "arrival"|"stage"|"served"|"used"|"timed"|"growing"

---The order of the jobs: the first one with a ready stage that has a pending task and room on a
---node gets the next task.
---@class pinion.DagKey
---@field of fun(s: pinion.DagView, job: pinion.JobHandle): number, number? the key, smallest first: one or two numbers, integers up to 2^53 or finite floats; ties go by id. Larger integers: s:exact
---@field changes pinion.DagChanges

---What a policy's file of the dag model returns. Whatever it leaves out is as fifo does it.
---@class pinion.DagPolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "dag"
---@field summary? string one line; default: the file's first comment
---@field key_name? string what its keys are, with their unit, for explanations and help: "deadline, ms"; at most 127 characters
---@field params? table<string, pinion.TandemParameterDefinition> at most 32
---@field state? (string|pinion.StateArray)[] names of values that s.state holds, and arrays by name; numbers, 0 at first
---@field per_job? string[] names of values that s.per_job holds for each job; 0 when the job comes
---@field uses? (pinion.DagUse|false)[]|fun(params: table<string, any>): (pinion.DagUse|false)[] false stands for nothing
---@field key? pinion.DagKey an order of the jobs; may be left out: by submission
---@field queue_key? fun(s: pinion.DagView, queue: integer): number, number? with "queues": an order of the queues, smallest first, ties by number, whose jobs come by order of submission; computed again when a task of the queue starts or ends
---@field score? fun(s: pinion.DagView, job: pinion.JobHandle, stage: integer, node: integer): number where a task of the stage goes, in place of the parameter placement: the node with room and the smallest score, ties by number. Asked of every node with room
---@field align? fun(s: pinion.DagView, job: pinion.JobHandle, stage: integer, node: integer): integer nodes are filled one after the other, each with the job and stage that suit it best: how well the stage's demand suits the node as it is, 0 to 2^42, larger is better. The key, above 0, is what counts against it: see s:exchange. Not with "queues" or score
---@field preempt? fun(s: pinion.DagView) with "preempts", on ticks: kills, and launches of what has room then
---@field init? fun(s: pinion.DagView) once, before anything else
---@field arrive? fun(s: pinion.DagView, job: pinion.JobHandle) a job has come
---@field leave? fun(s: pinion.DagView, job: pinion.JobHandle) a job is done

---The cluster as a policy sees it. Times are integer ms; stages of a job, nodes and queues are
---numbered from 0, resources and tasks from 1. What is said of durations is by estimates. Work is
---in ms times billionths of the cluster (ppb ms): a task's duration times the largest share of a
---resource that it demands. Shares are in 10^-12. Keys can neither write memory nor draw random
---numbers.
---@class pinion.DagView: pinion.SharedView
local DagView = {}

---@return integer ms
function DagView:now() end

---@return integer jobs in the system
function DagView:in_system() end

---@return integer jobs that can use another sticky executor (DG35); 0 where executors are not sticky
function DagView:wanting() end

---@return integer resources how many resources nodes have
function DagView:resources() end

---@param resource integer from 1
---@return integer amount that all nodes have of it, up or down
function DagView:total(resource) end

---@param resource integer
---@return integer amount the most that one node has of it
function DagView:largest(resource) end

---@return integer nodes of the cluster, up or down
function DagView:nodes() end

---@param node integer from 0
---@param resource integer from 1
---@return integer amount that it has, up or down
function DagView:node_capacity(node, resource) end

---@param node integer
---@param resource integer
---@return integer amount that is free there; 0 while it is down
function DagView:node_free(node, resource) end

---@param node integer
---@return boolean up
function DagView:node_up(node) end

---@param node integer
---@return integer permille of the nominal speed
function DagView:node_speed(node) end

---@return integer queues
function DagView:queues() end

---@param queue integer from 0
---@return integer weight
function DagView:queue_weight(queue) end

---@param queue integer
---@return integer permille of the cluster, the queue's guarantee; 0: none
function DagView:queue_guaranteed(queue) end

---@param queue integer
---@return integer permille of the cluster, the queue's maximum
function DagView:queue_maximum(queue) end

---@param queue integer
---@return integer tasks of its jobs that run
function DagView:queue_running(queue) end

---@param queue integer
---@param resource integer
---@return integer amount that its running tasks hold
function DagView:queue_use(queue, resource) end

---@param queue integer
---@param weight? integer default 1
---@return integer share the largest that its running tasks hold of any resource, divided by the weight, in 10^-12
function DagView:queue_share(queue, weight) end

---@param queue integer
---@param job pinion.JobHandle
---@param stage integer
---@return integer share with one more task of the stage
function DagView:queue_share_with(queue, job, stage) end

---The jobs in the system in order of submission, for a loop.
---@return fun(s: pinion.DagView, job: pinion.JobHandle?): pinion.JobHandle?
---@return pinion.DagView
function DagView:jobs() end

---@param job pinion.JobHandle
---@return integer ms when it came
function DagView:arrival(job) end

---@param job pinion.JobHandle
---@return integer ms after its arrival; 0: none
function DagView:deadline(job) end

---@param job pinion.JobHandle
---@return integer weight 1 where the job has none
function DagView:weight(job) end

---@param job pinion.JobHandle
---@return integer priority the larger first; 0 where the job has none
function DagView:priority(job) end

---@param job pinion.JobHandle
---@return integer queue
function DagView:queue(job) end

---@param job pinion.JobHandle
---@return integer stages
function DagView:stages(job) end

---@param job pinion.JobHandle
---@return integer stages that are not finished
function DagView:stages_left(job) end

---@param job pinion.JobHandle
---@return integer tasks that run
function DagView:running(job) end

---@param job pinion.JobHandle
---@return integer executors that belong to the job; 0 where nodes are none (DG35)
function DagView:executors(job) end

---@param job pinion.JobHandle
---@return integer what fair sharing counts: its running tasks, with sticky executors those that it has
function DagView:holds(job) end

---@param job pinion.JobHandle
---@param resource integer
---@return integer amount that they hold
function DagView:use(job, resource) end

---@param job pinion.JobHandle
---@param weight? integer default 1
---@return integer share the largest that they hold of any resource, divided by the weight, in 10^-12
function DagView:share(job, weight) end

---@param job pinion.JobHandle
---@return integer work of all its tasks, ppb ms
function DagView:work(job) end

---@param job pinion.JobHandle
---@return integer work of its pending tasks, ppb ms
function DagView:left(job) end

---@param job pinion.JobHandle
---@return integer work of its pending tasks, over all resources rather than the largest share, ppb ms
function DagView:left_area(job) end

---@param job pinion.JobHandle
---@return integer ms of the longest path of stages that are not finished, to the job's end
function DagView:path(job) end

---The service that a job has had, ppb ms, as a key: multiples of 2^53, and the rest.
---@param job pinion.JobHandle
---@return integer high
---@return integer low
function DagView:service(job) end

---With "virtual": when the job ends in a cluster that shares itself among the jobs by their
---weights, as a key.
---@param job pinion.JobHandle
---@return integer high
---@return integer low
function DagView:virtual_tag(job) end

---@param job pinion.JobHandle
---@param stage integer from 0
---@return integer tasks of the stage
function DagView:tasks(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer tasks of it that run
function DagView:running_in(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer tasks of it that are done
function DagView:done_in(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer tasks of it that neither run nor are done, also when the stage is not ready
function DagView:pending_in(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return boolean ready whether its parents are finished and its start has come
function DagView:is_ready(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@param resource integer
---@return integer amount that a task of it holds
function DagView:demand(job, stage, resource) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer ms that a task of it takes, as estimated
function DagView:estimate(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer ms of the longest path from the start of the stage to the job's end
function DagView:depth(job, stage) end

---@param job pinion.JobHandle
---@param stage integer
---@return integer ppb the largest share of the cluster's resources that a task of it holds
function DagView:dominant(job, stage) end

---a * b // c of up to 64 bits without overflow; 2^63 - 1 where it is larger.
---@param a integer >= 0
---@param b integer >= 0
---@param c integer >= 1
---@return integer quotient
function DagView:scale(a, b, c) end

---@param x integer >= 1
---@return integer log2 65536 times the logarithm of base 2, rounded down
function DagView:log2(x) end

---An integer of up to 2^63 - 1 as a key that is exact.
---@param x integer >= 0
---@return integer high
---@return integer low
function DagView:exact(x) end

---In init, with align: the pair of job and stage with the largest 1000 a - permille (mean of a p /
---mean of p) gets the node's room, a being the alignment and p the key; default 1000.
---@param permille integer 0..10^6
function DagView:exchange(permille) end

---In preempt, with "queues".
---@param queue integer
---@return pinion.JobHandle|nil job the first of the queue that has a task to start
---@return integer|nil stage not returned where there is no job
function DagView:first_offered(queue) end

---In preempt, with "queues".
---@param job pinion.JobHandle
---@param stage integer
---@return boolean within whether its queue keeps to its maximum with a task more
function DagView:in_maximum(job, stage) end

---In preempt.
---@param job pinion.JobHandle
---@param stage integer
---@return integer|nil node where a task of it would go now; nil: no node has room
function DagView:room(job, stage) end

---In preempt: what runs on a node, the attempt that started last first, for a loop whose body may
---kill: job, stage, task, start in ms, attempt.
---@param node integer
---@return fun(): pinion.JobHandle?, integer?, integer?, integer?, integer?
function DagView:attempts_on(node) end

---In preempt.
---@param node integer
---@param job pinion.JobHandle
---@param stage integer
---@param task integer from 1
---@return boolean may whether it may be killed: max_kills protects a task after so many kills
function DagView:may_kill(node, job, stage, task) end

---In preempt.
---@param node integer
---@param job pinion.JobHandle
---@param stage integer
---@param task integer
---@return integer share of its queue without it, in 10^-12
function DagView:share_without(node, job, stage, task) end

---In preempt: shares reckon without the attempt from now on, as if it were killed.
---@param node integer
---@param job pinion.JobHandle
---@param stage integer
---@param task integer
function DagView:suppose(node, job, stage, task) end

---In preempt: kills what is supposed to be killed.
function DagView:kill_supposed() end

---In preempt: kills none of it, and forgets the supposition.
function DagView:spare_supposed() end

---In preempt.
---@param node integer
---@param job pinion.JobHandle
---@param stage integer
---@param task integer
---@return boolean killed not when max_kills protects it
function DagView:kill(node, job, stage, task) end

---In preempt: launches the first pending task of the stage; an error where it has none, or the node
---has no room for it.
---@param job pinion.JobHandle
---@param stage integer
---@param node integer
function DagView:launch(job, stage, node) end
