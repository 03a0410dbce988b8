---@meta pinion
-- The public library, for editors and for the API pages. Nothing here is executed.

---@class pinion
---@field version string
---@field workload pinion.workload
---@field trace pinion.trace
---@field experiment pinion.experiment
local pinion = {}

---What a scheduler sees instead of the true sizes is given by the estimates, where they differ.
---@class pinion.Job
---@field arrival integer slot >= 1 at whose start the job arrives
---@field maps? integer units of map work, default 0
---@field reduces? integer[] units of each reduce task, default none
---@field name? string
---@field group? string|integer statistics are also kept per group
---@field estimate_maps? integer
---@field estimate_reduces? integer sum over the reduce tasks

---A job of the tandem model. Times and sizes are 0 or 2^-256..2^256, or text such as "107/3".
---@class pinion.TandemJob
---@field arrival number|string time >= 0 at which the job arrives
---@field map? number|string map work, default 0
---@field shuffle? number|string shuffle work, default 0; a job without any work is complete when it arrives
---@field name? string
---@field group? string|integer statistics are also kept per group
---@field estimate_map? number|string
---@field estimate_shuffle? number|string

---Equal tasks of a stage in the makespan model.
---@class pinion.EqualTasks
---@field count integer >= 1
---@field duration pinion.ExactLike

---A number that is read exactly: an integer, a float (0.1 is 1/10; at most 15 significant digits),
---text such as "107/3" or "0.1", or a value of pinion.exact.
---@alias pinion.ExactLike integer|number|string|pinion.Exact

---A job of the makespan model. All jobs are there at the start. A stage has its tasks, or a time
---instead: then it is as many tasks of that duration as it requests slots. An empty list is not the
---same as none: { maps = {}, map_time = 3 } has no map tasks, while { map_time = 3 } has those that
---the time stands for.
---@class pinion.MakespanJob
---@field maps? (pinion.ExactLike|pinion.EqualTasks)[]|pinion.EqualTasks durations of the map tasks; {}: there are none; missing: those that map_time stands for, else none
---@field reduces? (pinion.ExactLike|pinion.EqualTasks)[]|pinion.EqualTasks durations of the reduce tasks; {}: there are none; missing: those that reduce_time stands for, else none
---@field map_time? pinion.ExactLike of the whole map stage
---@field reduce_time? pinion.ExactLike of the whole reduce stage
---@field map_slots? integer requested; default: as many as there are map tasks, all where there is map_time only
---@field reduce_slots? integer the same for reduces
---@field name? string unlike those of the other jobs; a job without one is called J and its number, such as J3
---@field group? string|integer statistics are also kept per group

---A job of the cluster model. All times are integers in milliseconds on a node of nominal speed.
---Lists have one value for each task, and stand in place of the time or the factor that all tasks
---would have.
---@class pinion.ClusterJob
---@field submit integer >= 0
---@field maps integer map tasks, >= 1
---@field reduces? integer reduce tasks; default 0
---@field map_ms? integer of a map whose input is on its node; required where there are no map_times
---@field remote_ms? integer more of a map whose input is not there; default 0
---@field reduce_ms? integer work of a reduce behind its shuffle; default 0
---@field shuffle_ms? integer of a reduce that has none of the map outputs on its node; default 0
---@field deadline? integer ms after the submission, >= 1; none when missing
---@field blocks? integer[][] nodes, from 0, that hold the input of each map; missing: drawn
---@field map_times? integer[] in place of map_ms
---@field reduce_times? integer[] in place of reduce_ms
---@field shuffle_times? integer[] in place of shuffle_ms
---@field map_factor? integer[] permille of each map's time; missing: drawn
---@field reduce_factor? integer[] permille of each reduce's times; missing: drawn
---@field est_map_ms? integer how long a scheduler expects a map to take at most, >= 1; missing: derived from the times
---@field est_reduce_ms? integer the same of a reduce, with its shuffle
---@field input? integer size of its input in any unit, >= 1, from which schedulers may learn times; missing: its number of maps
---@field intermediate? integer size of what its maps hand to its reduces; missing: its input
---@field name? string
---@field group? string|integer statistics are also kept per group

---A description of a workload: a generator, a trace, a list. Open to any number of runs.
---@class pinion.Workload
---@field kind "zheng"|"bursts"|"facebook"|"lin"|"theorem2"|"corollary4"|"corollary6"|"nmts"|"rand_many"|"rand_few"|"one_wave"|"t1_like"|"straggler"|"fb_mild"|"fb_lognorm"|"hsrtf"|"rtmr"|"swim"|"rumen"|"google"|"jobs"
---@field models table<string, boolean> of which it makes jobs
---@field random boolean whether seed and replica matter
---@field text string what titles call it
local Workload = {}

---What is known of it without its jobs, by name: means and rate of `lin`; of the instances of
---proofs, what the proof says; of batches of random jobs, what they are drawn from. Empty for other
---workloads.
---@return table<string, number|string>
function Workload:facts() end

---The schedule that the proof compares a policy with: job ids in the order in which both stations
---serve them, for the policy `priority`.
---@return integer[]|nil ids nil: there is none
function Workload:schedule() end

---What a scenario of its jobs could say of the cluster, where the workload is made for one or names
---it: numbers of slots in the makespan model; nodes and params in the cluster model. A trace is
---read for it. Empty for others. Runs, comparisons and sweeps take of it what is not given,
---parameters one by one (a sweep over workloads that of its first one).
---@param model? string default: the only one of which it makes jobs
---@return { map_slots: integer?, reduce_slots: integer?, nodes: table[]?, params: table<string, any>? }
function Workload:default_settings(model) end

---@class pinion.JobsOptions
---@field model? string default: the only one of which it makes jobs, slotted where it can make several
---@field seed? integer over the workload's own
---@field replica? integer which replica of a generator, from 0
---@field machines? integer of the slotted model, for generators that need the number

---Its jobs as a table, which is a workload again: to look at, or to change some of them. At most
---10^6.
---@param options? pinion.JobsOptions
---@return table[] jobs
function Workload:jobs(options) end

---A workload, a SPEC string such as "zheng:0,seed=7" or "lin,load=0.9", or a table of jobs of one
---model.
---@alias pinion.WorkloadLike pinion.Workload|string|pinion.Job[]|pinion.TandemJob[]|pinion.MakespanJob[]|pinion.ClusterJob[]

---What the statistics leave out at the start: a number of jobs, { jobs = n }, { slots = n } (jobs
---arriving in the first n slots), or text such as "500slots". Flow times, their mean and their
---groups are then of the jobs behind it; total_flow_time, bounds, ratios and the digest stay those
---of all jobs.
---@alias pinion.Warmup integer|string|{ jobs: integer?, slots: integer? }

---The same in the tandem model: a number of jobs, { jobs = n }, { time = t } (jobs arriving before
---that time), or text such as "500time".
---@alias pinion.TandemWarmup integer|string|{ jobs: integer?, time: number? }

---So many buckets of equal width for the sizes of jobs, max(map, shuffle), and one for all larger
---jobs; or text such as "400x0.25".
---@alias pinion.SizeBuckets string|{ buckets: integer, width: number }

---The same in the cluster model: a number of jobs, { jobs = n }, { ms = t } (jobs submitted before
---that time), or text such as "500ms".
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

---What runs, comparisons and sweeps of every model take.
---@class pinion.SharedOptions
---@field model? "slotted"|"tandem"|"makespan"|"cluster" default: that of the workload's jobs, slotted where it can make several
---@field budget? integer|false Lua instructions that one call of a policy may take; 0 or false: no limit; default 10000000
---@field memory? integer|string bytes that a policy written in Lua may hold; default "64MiB"
---@field params? table<string, any> parameters of policies, and of the makespan and cluster models: numbers, in all but the slotted model also words, booleans and lists of job ids; those of other policies are ignored
---@field workload pinion.WorkloadLike
---@field bounds? "none"|"fast"|"tight" default fast; the cluster model has none
---@field seed? integer over the workload's own
---@field replica? integer which replica of a generator, from 0; of comparisons the one to run when there is only one
---@field quiet? boolean no progress on standard error
---@field error? pinion.Distribution in the slotted and tandem models: policies see every job's sizes times a random factor of this distribution, one for each job and the same for all policies; jobs with an estimate of their own keep their estimates

---What single runs take beside these.
---@class pinion.SharedRunOptions: pinion.SharedOptions
---@field policy pinion.PolicyReference
---@field keep_jobs? boolean a row per job; default: up to a million jobs
---@field log? string file for the decision log
---@field checkpoint? string not in the makespan model: file that keeps the state of the run; one of a complete run gives the result again
---@field resume? boolean go on from the checkpoint when the file is there; it must be one of this very run

---@class pinion.RunOptions: pinion.SharedRunOptions
---@field machines integer 1..2^24
---@field reduce? "nonpreemptive"|"preemptive" default nonpreemptive
---@field until_slot? integer stop after this slot
---@field warmup? pinion.Warmup jobs that the statistics leave out
---@field every? integer slots from one checkpoint to the next; required with checkpoint

---@class pinion.TandemRunOptions: pinion.SharedRunOptions
---@field speed? number|string capacity of each station, units of work per unit of time; 2^-64..2^64, default 1
---@field overlap? boolean false: a job's shuffle starts when its map is done; default true
---@field until_time? number|string stop before this time
---@field slowdown_by_size? pinion.SizeBuckets keep mean slowdowns by size of job
---@field warmup? pinion.TandemWarmup jobs that the statistics leave out
---@field every? number|string time from one checkpoint to the next; required with checkpoint

---Numbers of slots may be missing where the workload suggests them: see Workload:default_settings.
---@class pinion.MakespanRunOptions: pinion.SharedRunOptions
---@field map_slots integer 1..2^24
---@field reduce_slots integer 1..2^24
---@field level? "stage"|"task" stages as wholes, or tasks on slots; default stage
---@field until_time? pinion.ExactLike stop before this time
---@field warmup? nil a batch has none
---@field every? nil a batch has no checkpoints

---Nodes may be missing, and parameters, where the workload suggests them: see
---Workload:default_settings.
---@class pinion.ClusterRunOptions: pinion.SharedRunOptions
---@field nodes pinion.NodeGroup[]|string or text such as "57x8x2+4x2x1x500": nodes x map slots x reduce slots x speed
---@field failures? pinion.NodeFailure[]|string or text such as "50000:1:90000": time:node:recovery
---@field until_time? integer stop before this time, ms
---@field warmup? pinion.ClusterWarmup jobs that the statistics leave out
---@field every? integer ms from one checkpoint to the next; required with checkpoint

---Statistics of something that is measured of every finished job. Quantiles are exact while rows
---are kept, else (and per group) within 1 %.
---@class pinion.Statistics
---@field mean number|nil
---@field sd number|nil
---@field min number|nil
---@field max number|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil

---Statistics of flow times.
---@class pinion.FlowTime
---@field mean number|nil
---@field sd number|nil
---@field min integer|nil
---@field max integer|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil

---Means of batches of consecutive flow or response times, in order of finish: what they say of the
---mean of one long run, whose times depend on their neighbours.
---@class pinion.Batches
---@field size integer jobs in a batch
---@field count integer batches, at most 63
---@field mean number
---@field half number|nil half width of the 95 % interval; nil below 10 batches
---@field means number[]

---Jobs in the system as arrivals see it (slotted: at the start of an arrival's slot), as means of
---equally many consecutive arrivals; at most 63 of them. The tandem model looks at every arrival at
---first, later at one of 64 and takes it for those around it.
---@class pinion.NumberInSystem
---@field [integer] number
---@field jobs integer arrivals behind each mean

---@class pinion.JobRow
---@field id integer from 1, in order of arrival
---@field arrival integer
---@field map_finish integer|nil slot of the last map unit; arrival - 1 for a job without maps; nil while unfinished
---@field finish integer|nil
---@field flow_time integer|nil finish - arrival + 1
---@field name string|nil
---@field group string|integer|nil

---@class pinion.TandemJobRow
---@field id integer from 1, in order of arrival
---@field arrival number
---@field map_finish number|nil its arrival for a job without map work; nil while unfinished
---@field finish number|nil
---@field response_time number|nil finish - arrival, of times that are not rounded
---@field slowdown number|nil response_time * speed / max(map, shuffle); nil for a job without work, too
---@field name string|nil
---@field group string|integer|nil

---@class pinion.MakespanJobRow
---@field id integer from 1, in order of the list
---@field map_start number|nil nil while not started; of a time that is no integer the nearest double, with NAME_exact beside it
---@field map_start_exact string|nil
---@field map_finish number|nil at the task level both 0 for a job without maps
---@field map_finish_exact string|nil
---@field reduce_start number|nil both map_finish for a job without reduces
---@field reduce_start_exact string|nil
---@field finish number|nil
---@field finish_exact string|nil
---@field name string|nil
---@field group string|integer|nil

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

---@class pinion.GroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.FlowTime

---@class pinion.TandemGroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field response_time pinion.Statistics
---@field slowdown pinion.Statistics

---@class pinion.MakespanGroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field completion_time pinion.Statistics

---Of the finished jobs. The mean makespan is in_wait + in_maps + in_blocked + in_reduces.
---@class pinion.ClusterGroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field makespan pinion.FlowTime
---@field waiting_time pinion.FlowTime
---@field execution_time pinion.FlowTime
---@field locality number|nil local maps / maps
---@field colocation number|nil reduces beside outputs of their job's maps / reduces
---@field kills integer
---@field slot_ms integer
---@field utilisation number|nil slot_ms / (slots x the run's time), as in results
---@field in_wait number|nil mean time until the first map
---@field in_maps number|nil … until the last map
---@field in_blocked number|nil … from then until the first reduce, when that came later
---@field in_reduces number|nil … until the end

---Jobs with from <= max(map, shuffle) < to.
---@class pinion.SlowdownBucket
---@field from number
---@field to number|nil nil in the last: all larger jobs
---@field count integer
---@field mean number|nil mean slowdown
---@field sd number|nil

---What results of every model have.
---@class pinion.SharedResult
---@field model string
---@field policy string
---@field workload string what titles call it
---@field bounds "none"|"fast"|"tight" that were asked for
---@field digest string 16 hex digits; equal schedules have equal digests
---@field pinion string version
---@field seed integer
---@field submitted integer jobs that have arrived
---@field finished integer jobs
---@field complete boolean whether every job has finished
---@field stopped string|nil what ended a run with jobs left, such as "before 900000 ms (until_time)"
---@field relaxed boolean a lower bound rather than a schedule
---@field decisions integer|nil nil in the makespan and cluster models
---@field peak_jobs integer|nil the most jobs in the system at once; nil in the makespan model, as number_in_system
---@field error string|nil distribution of the error in sizes
---@field measured integer finished jobs behind the warm-up
---@field batches pinion.Batches|nil nil before the first job has finished
---@field number_in_system pinion.NumberInSystem|nil
---@field quarters number[]|nil number_in_system in four means; nil below 100 arrivals
---@field growing boolean whether the number in the system was still growing when arrivals ended: means then depend on the length of the run
---@field continue_from string|nil the checkpoint that holds the state in which the run ended
local SharedResult = {}

---Draws a figure with gnuplot: kind "cdf", "convergence" of the mean over the jobs, from batches,
---or in the tandem model "slowdown", by size.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedResult:plot(path, options) end

---@class pinion.Result: pinion.SharedResult
---@field machines integer
---@field reduce string
---@field jobs pinion.JobRow[]|nil read-only; nil when rows were not kept
---@field total_flow_time integer of the finished jobs
---@field mean_flow_time number|nil
---@field lower_bound integer|nil total flow time of SRPT; nil without bounds or when not every job has finished
---@field efficiency_ratio number|nil total_flow_time / lower_bound
---@field lower_bound_tight integer|nil
---@field efficiency_ratio_tight number|nil
---@field slots integer the last finish
---@field flow_time pinion.FlowTime
---@field groups pinion.GroupResult[]|nil in order of first appearance
---@field slots_run integer slots executed, idle ones that were jumped over not counted
---@field units_run integer units of work
---@field warmup { jobs: integer?, slots: integer? }|nil
local Result = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "flow_time"|"arrival"|"map_finish"|"finish" only flow_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function Result:quantile(field, q) end

---@class pinion.TandemResult: pinion.SharedResult
---@field speed number
---@field overlap boolean
---@field params table<string, any>|nil parameters of the policy that are not its defaults
---@field jobs pinion.TandemJobRow[]|nil read-only; nil when rows were not kept
---@field total_response_time number of the finished jobs
---@field mean_response_time number|nil
---@field mean_slowdown number|nil
---@field mean_in_system number time average of the jobs present, from the first arrival to the last event
---@field lower_bound number|nil total response time of SRPT at each station alone; nil without bounds or when not every job has finished
---@field relative_response_time number|nil total_response_time / lower_bound; nil also when the bound is 0
---@field lower_bound_tight number|nil
---@field relative_response_time_tight number|nil
---@field makespan number|nil last finish - first arrival
---@field response_time pinion.Statistics
---@field slowdown pinion.Statistics of the jobs that have one
---@field slowdown_by_size pinion.SlowdownBucket[]|nil
---@field groups pinion.TandemGroupResult[]|nil in order of first appearance
---@field map_busy number work done at the map station
---@field shuffle_busy number work done at the shuffle station
---@field instants integer moments at which something happened
---@field warmup { jobs: integer?, time: number? }|nil
local TandemResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "response_time"|"slowdown"|"arrival"|"map_finish"|"finish" only the first two when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function TandemResult:quantile(field, q) end

---Of a value that is no integer, NAME_exact is the text "p/q" and NAME the nearest double.
---@class pinion.MakespanResult: pinion.SharedResult
---@field map_slots integer of params.search_ratio the best
---@field reduce_slots integer
---@field level "stage"|"task"
---@field params table<string, any>|nil parameters of the policy, and of the model, that are not its defaults
---@field jobs pinion.MakespanJobRow[]|nil read-only; nil when rows were not kept
---@field order integer[] job ids, pool by pool
---@field pools { nodes: integer, map_slots: integer, reduce_slots: integer, jobs: integer[] }[]|nil nil when the whole cluster is one
---@field ratios { map_slots: integer, reduce_slots: integer, makespan: number, makespan_exact: string? }[]|nil of params.search_ratio
---@field makespan number
---@field makespan_exact string|nil
---@field total_completion_time number
---@field total_completion_time_exact string|nil
---@field mean_completion_time number|nil
---@field mean_completion_time_exact string|nil
---@field map_utilisation number|nil
---@field map_utilisation_exact string|nil
---@field reduce_utilisation number|nil
---@field reduce_utilisation_exact string|nil
---@field utilisation number|nil
---@field utilisation_exact string|nil
---@field lower_bound number|nil no schedule ends earlier; nil without bounds or where stage times are given
---@field lower_bound_exact string|nil
---@field gap number|nil makespan / lower_bound - 1
---@field gap_exact string|nil
---@field lower_bound_tight number|nil proven by a search; task level
---@field lower_bound_tight_exact string|nil
---@field gap_tight number|nil
---@field gap_tight_exact string|nil
---@field optimal boolean|nil whether the makespan is the tight bound
---@field proof "level"|"resplit"|"large"|"gave_up"|nil why no tight bound is proven, or perhaps not the best one
---@field stage_time pinion.StageTime|nil stage level: how long a stage takes
---@field completion_time pinion.Statistics
---@field groups pinion.MakespanGroupResult[]|nil in order of first appearance
---@field evaluations integer orders tried by the policy
---@field nodes_searched integer by policy exact
---@field tasks_started integer
---@field instants integer moments at which something happened
local MakespanResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "completion_time"|"map_start"|"map_finish"|"reduce_start"|"finish" only completion_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function MakespanResult:quantile(field, q) end

---What comparisons and sweeps of every model take beside what runs take. Times are in ms. Means and
---quantiles are of the finished jobs behind the warm-up, counts of all jobs.
---@class pinion.ClusterResult: pinion.SharedResult
---@field nodes integer
---@field map_slots integer of all nodes
---@field reduce_slots integer
---@field params table<string, any>|nil parameters of the policy, and of the model, that are not its defaults; without the seed
---@field jobs pinion.ClusterJobRow[]|nil read-only; nil when rows were not kept
---@field total_makespan integer of the finished jobs
---@field mean_makespan number|nil
---@field mean_waiting_time number|nil
---@field mean_execution_time number|nil
---@field makespan pinion.FlowTime
---@field waiting_time pinion.FlowTime
---@field execution_time pinion.FlowTime
---@field accept_ratio number|nil accepted / submitted
---@field success_ratio number|nil successful / accepted
---@field utilisation number|nil share of the slots that attempts held, from the first submission to the last end of a job; where
---the policy may reject jobs, attempts of successful jobs
---@field locality number|nil local maps / maps of the finished jobs
---@field colocation number|nil reduces beside outputs of their job's maps / reduces of the finished jobs
---@field admits boolean whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates; nil where it admits none
---@field accepted integer
---@field rejected integer
---@field late integer|nil jobs that were accepted and then no longer expected to finish in time; of policies that may reject jobs
---@field feedback_fired integer|nil of policy rtmr: how often estimates were put right when a job had finished
---@field successful integer finished, and in time where they have a deadline
---@field failed integer
---@field unfinished integer jobs of the workload that have not ended
---@field stalled "policy"|"node"|"map slot"|"reduce slot"|nil what holds back jobs of a run that nothing else ended: the policy, which
---gives none of the free slots, or that no such slot is up any more
---@field slot_ms integer time that ended attempts held slots, those that utilisation counts
---@field span integer last finish - first submission
---@field kills integer attempts killed by the policy
---@field failures integer attempts that failed
---@field lost integer attempts that went down with their node
---@field reruns integer maps whose outputs were lost
---@field launches integer attempts
---@field in_wait number|nil where the mean makespan went, as in groups
---@field in_maps number|nil
---@field in_blocked number|nil
---@field in_reduces number|nil
---@field groups pinion.ClusterGroupResult[]|nil in order of first appearance
---@field time integer of the last thing that happened
---@field instants integer moments at which something happened
---@field ticks integer times at which the policy estimated
---@field peak_tasks integer the most tasks in the system at once
---@field warmup { jobs: integer?, ms: integer? }|nil
local ClusterResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "makespan"|"waiting_time"|"execution_time"|"submit"|"first_map_start"|"map_finish"|"first_reduce_start"|"finish"|"local_maps"|"colocated_reduces"|"kills"|"slot_ms" only the first three when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function ClusterResult:quantile(field, q) end

---@class pinion.SharedCompareOptions: pinion.SharedOptions
---@field policies? pinion.PolicyReference[] default fifo, fair, lrpt, asrpt, psrpt; of the tandem model fcfs, ps, klps, maxsrpt, splitsrpt, bsrpt; of the makespan model fifo, mk_jr, uaas, balanced_pools, portfolio, neh, local_search; of the cluster model fifo, fair, hsrtf-pu, hsrtf-pr, hsrtf-prp; of workload rtmr there rtmr, rtmr-live, dc, fifo
---@field replicas? integer default 1; more need a generator, or errors in sizes, or in the cluster model anything that it draws: replica 0 has the seed, the others seeds that follow from it
---@field baseline? pinion.PolicyReference the policy that the others are compared to; default the first
---@field processes? integer processes that share the replicas, 1..256; default one per core. Results do not depend on it

---@class pinion.CompareOptions: pinion.SharedCompareOptions
---@field machines integer
---@field reduce? "nonpreemptive"|"preemptive"
---@field warmup? pinion.Warmup
---@field until_slot? integer

---@class pinion.TandemCompareOptions: pinion.SharedCompareOptions
---@field speed? number|string
---@field overlap? boolean
---@field warmup? pinion.TandemWarmup
---@field until_time? number|string
---@field slowdown_by_size? pinion.SizeBuckets

---@class pinion.MakespanCompareOptions: pinion.SharedCompareOptions
---@field map_slots integer
---@field reduce_slots integer
---@field level? "stage"|"task"
---@field warmup? nil
---@field until_time? pinion.ExactLike

---Nodes may be missing, and parameters, where the workload suggests them.
---@class pinion.ClusterCompareOptions: pinion.SharedCompareOptions
---@field nodes pinion.NodeGroup[]|string
---@field failures? pinion.NodeFailure[]|string
---@field warmup? pinion.ClusterWarmup
---@field until_time? integer

---Of replicas, mean is the mean of theirs, and quantiles are of all their jobs pooled.
---@class pinion.PooledFlowTime: pinion.FlowTime
---@field mean_half number|nil half width of the 95 % interval over replicas

---The same of the tandem model, where pooled quantiles are within 1 %.
---@class pinion.PooledStatistics: pinion.Statistics
---@field mean_half number|nil half width of the 95 % interval over replicas

---@class pinion.ComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.PooledFlowTime

---@class pinion.TandemComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field response_time pinion.PooledStatistics
---@field slowdown pinion.PooledStatistics

---@class pinion.MakespanComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field completion_time pinion.PooledStatistics

---@class pinion.ClusterComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field makespan pinion.PooledFlowTime
---@field waiting_time pinion.PooledFlowTime
---@field execution_time pinion.PooledFlowTime
---@field locality number|nil as in results, of all jobs pooled, and the following ones too
---@field colocation number|nil
---@field kills integer
---@field slot_ms integer
---@field utilisation number|nil
---@field in_wait number|nil
---@field in_maps number|nil
---@field in_blocked number|nil
---@field in_reduces number|nil

---With replicas, numbers are means over these, `…_sd` is the standard deviation between them and
---`…_half` the half width of the mean's 95 % interval; quantiles are of all jobs pooled.
---@class pinion.SharedComparisonRow
---@field policy string
---@field relaxed boolean
---@field finished integer jobs over all replicas
---@field measured integer finished jobs behind the warm-up, over all replicas
---@field difference number|nil mean flow or response time minus the baseline's, by replica (common random numbers); nil for the baseline
---@field difference_half number|nil half width of its 95 % interval
---@field relative number|nil mean flow or response time over the baseline's
---@field wins integer|nil replicas with a smaller mean than the baseline's
---@field p50 number|nil of flow or response times
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil
---@field max number|nil
---@field quarters number[]|nil number in the system, averaged over replicas
---@field growing boolean
---@field samples table<string, number[]> the means and ratios of every replica, by name
---@field differences number[] by replica
---@field counts table<number, number>|nil how often each flow or response time occurred (within 1 % where these are many real numbers); nil in sweeps
---@field digest string of the only replica, or the digests of all mixed in their order

---@class pinion.ComparisonRow: pinion.SharedComparisonRow
---@field mean_flow_time number|nil
---@field mean_flow_time_sd number|nil
---@field mean_flow_time_half number|nil
---@field efficiency_ratio number|nil
---@field efficiency_ratio_sd number|nil
---@field efficiency_ratio_half number|nil
---@field efficiency_ratio_tight number|nil
---@field efficiency_ratio_tight_sd number|nil
---@field efficiency_ratio_tight_half number|nil
---@field groups pinion.ComparisonGroup[]|nil
---@field result pinion.Result|nil of the only replica, without rows; nil in sweeps

---@class pinion.TandemComparisonRow: pinion.SharedComparisonRow
---@field mean_response_time number|nil
---@field mean_response_time_sd number|nil
---@field mean_response_time_half number|nil
---@field relative_response_time number|nil
---@field relative_response_time_sd number|nil
---@field relative_response_time_half number|nil
---@field relative_response_time_tight number|nil
---@field relative_response_time_tight_sd number|nil
---@field relative_response_time_tight_half number|nil
---@field mean_slowdown number|nil
---@field mean_slowdown_sd number|nil
---@field mean_slowdown_half number|nil
---@field mean_in_system number
---@field mean_in_system_sd number|nil
---@field mean_in_system_half number|nil
---@field slowdown { p50: number?, p90: number?, p99: number?, p999: number?, max: number? }
---@field slowdown_by_size pinion.SlowdownBucket[]|nil of all jobs pooled
---@field groups pinion.TandemComparisonGroup[]|nil
---@field result pinion.TandemResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.MakespanComparisonRow: pinion.SharedComparisonRow
---@field makespan number
---@field makespan_sd number|nil
---@field makespan_half number|nil
---@field makespan_exact string|nil of the only replica, as the other exact values, order, pools, ratios and chosen
---@field gap number|nil
---@field gap_sd number|nil
---@field gap_half number|nil
---@field gap_exact string|nil
---@field gap_tight number|nil
---@field gap_tight_sd number|nil
---@field gap_tight_half number|nil
---@field gap_tight_exact string|nil
---@field total_completion_time number
---@field total_completion_time_sd number|nil
---@field total_completion_time_half number|nil
---@field total_completion_time_exact string|nil
---@field map_utilisation number|nil
---@field map_utilisation_sd number|nil
---@field map_utilisation_half number|nil
---@field map_utilisation_exact string|nil
---@field reduce_utilisation number|nil
---@field reduce_utilisation_sd number|nil
---@field reduce_utilisation_half number|nil
---@field reduce_utilisation_exact string|nil
---@field mean_completion_time_exact string|nil
---@field utilisation_exact string|nil
---@field lower_bound number|nil of the only replica
---@field lower_bound_exact string|nil
---@field lower_bound_tight number|nil
---@field lower_bound_tight_exact string|nil
---@field complete boolean whether every run finished all jobs
---@field optimal integer|nil replicas in which the schedule is proven to be the best; nil: there is no proof in any
---@field proofs table<string, integer> replicas by what a result has in `proof`
---@field map_slots integer|nil these four where they are the same in all replicas
---@field reduce_slots integer|nil
---@field level "stage"|"task"|nil
---@field stage_time pinion.StageTime|nil
---@field evaluations number
---@field evaluations_sd number|nil
---@field evaluations_half number|nil
---@field order integer[]|nil
---@field pools { nodes: integer, map_slots: integer, reduce_slots: integer, jobs: integer[] }[]|nil
---@field ratios { map_slots: integer, reduce_slots: integer, makespan: number, makespan_exact: string? }[]|nil
---@field chosen { map_slots: integer, reduce_slots: integer }|nil of params.search_ratio
---@field groups pinion.MakespanComparisonGroup[]|nil
---@field result pinion.MakespanResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.ClusterComparisonRow: pinion.SharedComparisonRow
---@field mean_makespan number|nil
---@field mean_makespan_sd number|nil
---@field mean_makespan_half number|nil
---@field mean_waiting_time number|nil
---@field mean_waiting_time_sd number|nil
---@field mean_waiting_time_half number|nil
---@field mean_execution_time number|nil
---@field mean_execution_time_sd number|nil
---@field mean_execution_time_half number|nil
---@field locality number|nil
---@field locality_sd number|nil
---@field locality_half number|nil
---@field utilisation number|nil
---@field utilisation_sd number|nil
---@field utilisation_half number|nil
---@field kills number
---@field kills_sd number|nil
---@field kills_half number|nil
---@field accepted number
---@field accepted_sd number|nil
---@field accepted_half number|nil
---@field rejected number
---@field rejected_sd number|nil
---@field rejected_half number|nil
---@field late number|nil jobs told that they are late; of policies that may reject jobs
---@field late_sd number|nil
---@field late_half number|nil
---@field accept_ratio number|nil
---@field accept_ratio_sd number|nil
---@field accept_ratio_half number|nil
---@field success_ratio number|nil
---@field success_ratio_sd number|nil
---@field success_ratio_half number|nil
---@field admits boolean whether the policy may reject jobs
---@field promises boolean|nil whether it admits jobs by estimates; nil where it admits none
---@field other_jobs boolean|nil true: in some run the policy or the baseline rejected jobs: then their means are of different jobs, and
---there is no difference, relative or wins
---@field stalled "policy"|"node"|"map slot"|"reduce slot"|nil as of a result, of some run
---@field stalls integer|nil … in how many runs
---@field unfinished number
---@field unfinished_sd number|nil
---@field unfinished_half number|nil
---@field waiting_time { p50: number?, p90: number?, p99: number?, p999: number?, max: number? }
---@field execution_time { p50: number?, p90: number?, p99: number?, p999: number?, max: number? }
---@field groups pinion.ClusterComparisonGroup[]|nil
---@field result pinion.ClusterResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.SharedComparison
---@field model string
---@field workload string what titles call it
---@field error string|nil distribution of the error in sizes
---@field bounds "none"|"fast"|"tight" that were asked for
---@field replicas integer
---@field baseline string
---@field growing boolean whether the number in the system was still growing under some policy
---@field seed integer
---@field submitted number jobs of a replica, on average
local SharedComparison = {}

---Writes one row per policy.
---@param path string
function SharedComparison:csv(path) end

---Writes everything as JSON.
---@param path string
function SharedComparison:json(path) end

---@class pinion.PlotOptions
---@field kind? "cdf"|"bars"|"convergence"|"slowdown" default cdf; convergence shows the running mean with its interval over replicas, or over the jobs of one run; slowdown, in the tandem model, the mean slowdown by size of job
---@field of? string cdf: flow_time, in the tandem model response_time (default) or slowdown, in the cluster model makespan (default), waiting_time or execution_time; bars: a field of the rows, by default the ratio when there are bounds; convergence: a mean or a ratio, by default the first mean
---@field group? string of a cdf: the jobs of this group only
---@field log_x? boolean of a cdf; default: when times span more than two decades; of slowdown: default false
---@field title? string

---Draws a figure with gnuplot; its data (.dat) and script (.gp) stay beside it.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedComparison:plot(path, options) end

---@class pinion.Comparison: pinion.SharedComparison
---@field machines integer
---@field reduce string
---@field warmup { jobs: integer?, slots: integer? }|nil
---@field rows pinion.ComparisonRow[] in the order of the policies
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica

---@class pinion.TandemComparison: pinion.SharedComparison
---@field speed number
---@field overlap boolean
---@field warmup { jobs: integer?, time: number? }|nil
---@field rows pinion.TandemComparisonRow[] in the order of the policies
---@field lower_bound number|nil of the only replica
---@field lower_bound_tight number|nil of the only replica

---@class pinion.MakespanComparison: pinion.SharedComparison
---@field map_slots integer
---@field reduce_slots integer
---@field level "stage"|"task"
---@field rows pinion.MakespanComparisonRow[] in the order of the policies
---@field lower_bound number|nil of the only replica, where all policies have the same
---@field lower_bound_tight number|nil

---@class pinion.ClusterComparison: pinion.SharedComparison
---@field nodes integer
---@field map_slots integer
---@field reduce_slots integer
---@field warmup { jobs: integer?, ms: integer? }|nil
---@field admits boolean whether some policy may reject jobs
---@field rows pinion.ClusterComparisonRow[] in the order of the policies

---What pinion.compare takes, and `over`; machines or workload may be missing where they vary.
---@class pinion.SweepOptions: pinion.CompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] arrays of values by name, taken in sorted order, or an array of { name, values }; names are machines, reduce, seed, error, warmup, until_slot, workload, "params.NAME" and "workload.NAME" (an option of the generator)

---The same of the tandem model.
---@class pinion.TandemSweepOptions: pinion.TandemCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are speed, overlap, seed, error, warmup, until_time, workload, "params.NAME" and "workload.NAME"

---The same of the makespan model; map_slots and reduce_slots may be missing where they vary.
---@class pinion.MakespanSweepOptions: pinion.MakespanCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are slots ("30x20": map x reduce slots), map_slots, reduce_slots, level, seed, until_time, workload, "params.NAME" and "workload.NAME"

---The same of the cluster model; nodes may be missing where they vary.
---@class pinion.ClusterSweepOptions: pinion.ClusterCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are nodes ("57x8x2", or a list of groups), failures ("50000:1:90000", or a list), seed, warmup, until_time, workload, "params.NAME" and "workload.NAME"

---With the values of its cell by name: row.machines, row["workload.rate"].
---@class pinion.SweepRow: pinion.ComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---With the values of its cell by name: row.speed, row["workload.load"].
---@class pinion.TandemSweepRow: pinion.TandemComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---With the values of its cell by name: row.slots, row["params.cap"].
---@class pinion.MakespanSweepRow: pinion.MakespanComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---With the values of its cell by name: row.nodes, row["params.heartbeat_ms"].
---@class pinion.ClusterSweepRow: pinion.ClusterComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.SharedSweep
---@field model string
---@field pinion string version
---@field seed integer|nil nil when it varies
---@field bounds "none"|"fast"|"tight" that were asked for
---@field over { name: string, values: any[] }[]
---@field replicas integer
---@field baseline string
---@field growing boolean
local SharedSweep = {}

---Writes one row per cell and policy.
---@param path string
function SharedSweep:csv(path) end

---Writes everything as JSON.
---@param path string
function SharedSweep:json(path) end

---@class pinion.SweepPlotOptions
---@field kind? "lines"
---@field x? string what the axis shows; default: what varies first
---@field of? string a field of the rows; default: the first mean
---@field where? table<string, any> a value for each other thing that varies; without it every value makes curves of its own
---@field log_x? boolean
---@field log_y? boolean
---@field title? string

---Draws a line per policy, with intervals over replicas.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.SweepPlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedSweep:plot(path, options) end

---@class pinion.Sweep: pinion.SharedSweep
---@field rows pinion.SweepRow[] one per cell and policy; the last name varies fastest

---@class pinion.TandemSweep: pinion.SharedSweep
---@field rows pinion.TandemSweepRow[] one per cell and policy; the last name varies fastest

---@class pinion.MakespanSweep: pinion.SharedSweep
---@field rows pinion.MakespanSweepRow[] one per cell and policy; the last name varies fastest

---@class pinion.ClusterSweep: pinion.SharedSweep
---@field admits boolean whether some policy may reject jobs
---@field rows pinion.ClusterSweepRow[] one per cell and policy; the last name varies fastest

---Runs one policy on a workload. Mistakes raise errors that point at the caller's line.
---@param options pinion.RunOptions|pinion.TandemRunOptions|pinion.MakespanRunOptions|pinion.ClusterRunOptions
---@return pinion.Result|pinion.TandemResult|pinion.MakespanResult|pinion.ClusterResult result tostring gives aligned text
function pinion.run(options) end

---Runs several policies on the same workload, over replicas if asked to.
---@param options pinion.CompareOptions|pinion.TandemCompareOptions|pinion.MakespanCompareOptions|pinion.ClusterCompareOptions
---@return pinion.Comparison|pinion.TandemComparison|pinion.MakespanComparison|pinion.ClusterComparison comparison tostring gives aligned text
function pinion.compare(options) end

---Compares policies over a grid of settings: every combination of what varies is a comparison on
---the same random numbers.
---@param options pinion.SweepOptions|pinion.TandemSweepOptions|pinion.MakespanSweepOptions|pinion.ClusterSweepOptions
---@return pinion.Sweep|pinion.TandemSweep|pinion.MakespanSweep|pinion.ClusterSweep sweep tostring gives aligned text
function pinion.sweep(options) end

---@class pinion.PolicyParameter
---@field name string
---@field value number|string|boolean|nil default; nil of a list
---@field low number|nil of numbers
---@field high number|nil of numbers
---@field float boolean|nil of numbers; true: any, false: integers only
---@field choices (string|boolean)[]|nil of a choice: its values
---@field path boolean|nil true: a list, whose messages name the element
---@field list boolean|nil true: a list of job ids
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field label string what results and rows call it: the name, or the file as it was given
---@field summary string
---@field source string
---@field preemptive boolean|nil slotted: defined with preemptive reduces
---@field nonpreemptive boolean|nil slotted: defined with non-preemptive reduces
---@field work_conserving boolean|nil slotted and tandem
---@field work_conserving_by_default boolean|nil tandem: whether it is with its default parameters
---@field relaxed boolean|nil slotted and tandem: a lower bound rather than a schedule
---@field ranks boolean|nil tandem: serves in orders that the run gives (params order_map, order_shuffle)
---@field stage_time pinion.StageTime|nil makespan: this rule and the next three are its own where the scenario says nothing
---@field share "conserving"|"exclusive"|nil makespan
---@field cap "none"|"requested"|nil makespan
---@field task_order "listed"|"lpt"|nil makespan
---@field level "stage"|"task"|nil makespan: the only level that it is for
---@field preempts boolean|nil cluster: may kill tasks
---@field admits boolean|nil cluster: may reject jobs
---@field deadlines boolean|nil cluster: every job must have a deadline
---@field params pinion.PolicyParameter[] of the makespan model also those of the model, which come last
---@field twin string|nil the file of policies/ that says the same in Lua
---@field text string|nil of a policy written in Lua

---A policy made from a text by pinion.policy.
---@class pinion.PolicyText
---@field policy pinion.Policy

---A name of pinion.policies(), the path of a FILE.lua, or what pinion.policy made of a text.
---@alias pinion.PolicyReference string|pinion.PolicyText

---Every policy, or those of a model.
---@param model? string
---@return pinion.Policy[]
function pinion.policies(model) end

---A policy from its source text, to be given as `policy` or in `policies`. It runs in a Lua state
---of its own, so functions and variables of the calling script are not there.
---@param text string what a policy's file would hold
---@return pinion.PolicyText
function pinion.policy(text) end

---An exact number, as the makespan model has them: a fraction of 64-bit integers. Exact numbers
---compute with one another and with integers by + - * / and compare by < and <=; a result that does
---not fit raises an error, and so does a float. a == b asks two exact numbers only, as Lua has it:
---compare with pinion.exact(3), not with 3.
---@class pinion.Exact
---@operator add(pinion.Exact|integer): pinion.Exact
---@operator sub(pinion.Exact|integer): pinion.Exact
---@operator mul(pinion.Exact|integer): pinion.Exact
---@operator div(pinion.Exact|integer): pinion.Exact
---@operator unm: pinion.Exact
local Exact = {}

---@return number nearest float
function Exact:number() end

---@return integer num of the fraction in lowest terms
function Exact:num() end

---@return integer den >= 1
function Exact:den() end

---@return integer floor
function Exact:floor() end

---@return integer ceil
function Exact:ceil() end

---Reads an exact number, between -2^63 and 2^63 - 1 with a denominator below 2^63. tostring writes
---it as "35" or "107/3".
---@param value pinion.Exact|number|string a float of at most 15 digits is the decimal that it says: 0.1 is 1/10; text: "7", "0.1", "107/3"
---@return pinion.Exact
function pinion.exact(value) end

---Draws a decision log of the makespan or the cluster model: what ran where and when. A log that is
---broken off, or names what cannot be, raises an error FILE:LINE: …; what `output` held before
---stays as it was.
---@param log string the file that `log` of a run named
---@param output string ending in .svg, a chart, or in .json, trace events for Perfetto where a unit of time is shown as a second (cluster: a millisecond as itself)
---@param options? { title: string? } default title: the policy and the makespan, or the mean of the jobs'
function pinion.gantt(log, output, options) end

---What experiment scripts need around their runs: many runs side by side, what is said of a sample,
---how a number is held to a reference, tables and figures. The scripts of the papers (`pinion
---paper`) are examples.
---@class pinion.experiment
pinion.experiment = {}

---@class pinion.EachOptions
---@field processes? integer that share the tasks; default: as many as there are cores. Values do not depend on it.
---@field label? string what messages and the progress on standard error call all of it; default "experiment"
---@field unit? string what they call a task; default "task"
---@field quiet? boolean no progress

---The values of `run` for the tasks 1..count, in this order, computed in several processes: a task
---for each seed, say. What a task changes outside its value is lost. An error in a task is raised
---here.
---@param count integer
---@param run fun(task: integer): any numbers, strings, booleans, and tables of them that are sequences or have names as keys
---@param options? pinion.EachOptions
---@return any[] values by task
function pinion.experiment.each(count, run, options) end

---Seconds on a clock that goes on evenly: differences tell how long something took.
---@return number
function pinion.experiment.clock() end

---@class pinion.Sample
---@field count integer
---@field mean number
---@field sd number standard deviation; 0.0 of a single value
---@field half number half width of the 95 % interval of the mean; 0.0 of a single value
---@field min number
---@field max number

---What is said of values that are independent of each other, such as means of runs with different
---seeds.
---@param values number[] at least one
---@return pinion.Sample
function pinion.experiment.summary(values) end

---Half the width of the range around a mean in which one more value lies with 95 %.
---@param count integer values behind the mean, at least 2
---@param sd number their standard deviation
---@return number
function pinion.experiment.range(count, sd) end

---The smallest value that at least the fraction `q` of the counted values do not exceed.
---@param counts table<number, number> how often each value occurred
---@param q number 0..1
---@return number|nil value nil without counts
function pinion.experiment.quantile(counts, q) end

---Points of the distribution function of counted values: all values up to 399 of them, else close
---together where the curve rises and spread over the tail.
---@param counts table<number, number> how often each value occurred
---@return number[][] points value and fraction of the values up to it
function pinion.experiment.distribution(counts) end

---How far the means of two samples may lie apart by chance: three standard errors of their
---difference.
---@param sd number standard deviation of a single value
---@param count integer values behind our mean
---@param reference_count number values behind the reference's
---@param estimated? boolean `sd` is that of our own values: few of them make the tolerance wider
---@return number
function pinion.experiment.tolerance(sd, count, reference_count, estimated) end

---Whether a number is the reference's, within the tolerance and the rounding of printed decimals.
---@param ours number
---@param reference number
---@param tolerance number
---@return boolean
function pinion.experiment.agrees(ours, reference, tolerance) end

---Whether a mean lies above a limit: nil while its 95 % interval covers the limit.
---@param sample { mean: number, half: number } such as pinion.experiment.summary gives
---@param limit number
---@return boolean|nil
function pinion.experiment.above(sample, limit) end

---The verdict on a claim of which some parts held.
---@param held integer
---@param all integer
---@return "holds"|"holds in part"|"fails"
function pinion.experiment.verdict(held, all) end

---The lines of a decision log as they are documented, in their order. Raises an error FILE:LINE: …
---for one that is no JSON.
---@param log string the file that `log` of a run named
---@return table[] entries
function pinion.experiment.decisions(log) end

---@class pinion.Column
---@field key string of a row; its name in CSV and JSON
---@field title? string in text; without one the column is in files only
---@field right? boolean at the right edge, as numbers are
---@field words? boolean in text only
---@field show? fun(value: any, row: table): string default: tostring, "-" for nil

---Rows of numbers and words. tostring gives its text.
---@class pinion.Table
---@field columns pinion.Column[]
---@field rows table[]
local Table = {}

---@return string lines aligned, each ended by a newline; empty when no column has a title
function Table:text() end

---Writes a CSV file: a header, and numbers with all their digits.
---@param path string
function Table:csv(path) end

---@return string json an array of objects on one line, with numbers as in a CSV file and null for nil
function Table:json() end

---A table to print, or to write as CSV and JSON.
---@param columns pinion.Column[]
---@param rows table[] values by the keys of the columns
---@return pinion.Table
function pinion.experiment.table(columns, rows) end

---A value as JSON on one line: floats with the fewest digits that read back the same, null for nil
---and what is not finite, sequences as arrays, and other tables as objects with sorted keys.
---@param value any
---@return string
function pinion.experiment.json(value) end

---@class pinion.FigureOptions
---@field path string ends in .svg, .png or .pdf
---@field data string tabs between columns, "?" for what is missing, two empty lines between blocks
---@field script string gnuplot's commands, which find the data's file in the variable `data`
---@field title? string
---@field width? integer default 720
---@field height? integer default 450

---Draws a figure with gnuplot in the look of all figures here. Data and script are left beside it,
---as .dat and .gp.
---@param options pinion.FigureOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function pinion.experiment.figure(options) end

---Text such as "exp(5)", "uniform(1,9)", "lognormal(10,4)", "normal(10,4)", "pareto(1.5,2)",
---"poisson(3)", or a constant.
---@alias pinion.Distribution string|number

---@class pinion.workload
pinion.workload = {}

---@class pinion.ZhengOptions
---@field setting? integer 0..3: maps and reduces of the paper's figures 5-8; default 0
---@field maps? pinion.Distribution map units of a job
---@field reduces? pinion.Distribution reduce units of a job
---@field rate? number mean arrivals in a slot; default 2
---@field slots? integer slots with arrivals; default 500
---@field tasks? integer reduce tasks of a job, at most; default 10
---@field seed? integer default 1

---Poisson arrivals with random sizes, as in Zheng, Shroff, Sinha (2013).
---@param options? pinion.ZhengOptions
---@return pinion.Workload
function pinion.workload.zheng(options) end

---@class pinion.BurstsOptions
---@field chance? number probability that a slot brings a burst; default 0.01
---@field burst? integer jobs of a burst; default 20
---@field maps? pinion.Distribution map units of a small job; default 1
---@field reduces? pinion.Distribution reduce units of a small job; default 1
---@field giant? number probability that a job is a giant; default 0.05
---@field giant_maps? pinion.Distribution default 2000
---@field giant_reduces? pinion.Distribution default 1
---@field tasks? integer reduce tasks of a job, at most; default 10
---@field slots? integer slots with arrivals; default 10000
---@field seed? integer default 1

---Bursts of small jobs with a few giants among them; "small" and "giant" are the workload's groups.
---With the defaults and 40 machines it is an example inside the model of Zheng, Shroff, Sinha
---(2013) in which ASRPT takes more than twice the flow time of another policy.
---@param options? pinion.BurstsOptions
---@return pinion.Workload
function pinion.workload.bursts(options) end

---@class pinion.FacebookOptions
---@field jobs? integer default 1000
---@field gap? number slotted: mean slots between arrivals; default 4
---@field bins? 6|9 job sizes: 6 up to 200 maps, 9 up to 4800; default 9
---@field map_length? pinion.Distribution makespan: units of a job's map tasks; default 1
---@field reduce_length? pinion.Distribution slotted and makespan: units of a job's reduce tasks; default exp(5)
---@field gap_ms? number cluster: mean ms between submissions; default 14000
---@field map_ms? pinion.Distribution cluster: ms of each map of a job; default 15500
---@field remote_ms? integer cluster: ms more where a map's input is not on its node; default 0
---@field reduce_ms? pinion.Distribution cluster: ms of each reduce of a job, whatever its input; default 4600
---@field reduce_block_ms? integer cluster: ms of a reduce for each block of its share of the input, a map's each; default 7100
---@field shuffle_block_ms? integer cluster: ms of its shuffle for each block; default 0
---@field seed? integer default 1
---@field deadline_factor? pinion.Distribution cluster: deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution cluster: deadline of each job, ms after its submission

---Job sizes of a Facebook cluster in 2009, in bins that are the workload's groups. In the makespan
---model all jobs are there at once.
---@param options? pinion.FacebookOptions
---@return pinion.Workload
function pinion.workload.facebook(options) end

---@class pinion.HsrtfOptions
---@field large? integer jobs; default 3
---@field medium? integer jobs; default 8
---@field small_sort? integer small jobs that sort; default 10
---@field small_wc? integer small jobs that count words; default 10
---@field gap_ms? integer ms from one submission to the next; default 10000
---@field large_maps? integer maps of a large job, one for each block of input; default 256
---@field large_reduces? integer default 32
---@field medium_maps? integer default 64
---@field medium_reduces? integer default 8
---@field small_maps? integer default 1
---@field small_reduces? integer default 1
---@field sort_map_ms? integer ms of a map that sorts; default 76000
---@field wc_map_ms? integer ms of a map that counts words; default 40000
---@field remote_ms? integer ms more where a map's input is not on its node; default 3000
---@field reduce_start_ms? integer ms of each reduce, whatever its input; default 3000
---@field reduce_block_ms? integer ms of a reduce for each block of its share of the input; default 42000
---@field shuffle_block_ms? integer ms of its shuffle for each block; default 12000
---@field wc_output_permille? integer thousandths of a block that counting words makes of one; default 100
---@field deadline_factor? pinion.Distribution deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution deadline of each job, ms after its submission

---Cluster model: the jobs of the paper on hSRTF, table 2, with fitted times. The groups are
---"large", "medium" and "small", the names "sort" and "wordcount". It suggests the paper's cluster
---and parameters.
---@param options? pinion.HsrtfOptions
---@return pinion.Workload
function pinion.workload.hsrtf(options) end

---@class pinion.RtmrOptions
---@field workload? "I"|"II" I: 88 jobs as small as the Facebook benchmark's; II: 89 larger ones; default I
---@field jobs? integer number of jobs, in the same proportions; the paper's when missing
---@field gap_ms? integer mean ms between submissions: 14000, which makes 21 minutes, unless load is given
---@field load? number share of the submission time that the busier kind of slots has work for, factors aside; instead of gap_ms
---@field map_ms? integer ms of a map; default 15500
---@field reduce_ms? integer ms of a reduce, whatever its input; default 4600
---@field reduce_block_ms? integer ms of a reduce for each block, a map's each, of its share of the input; default 7100
---@field est_map_permille? integer estimate of a map, in thousandths of its time; default 1750
---@field est_reduce_permille? integer estimate of a reduce, in thousandths of its time; default 10950
---@field pessimism? number|string factor on both estimates; default 1
---@field drop_reduces_above? integer jobs with more reduces than this are left out
---@field seed? integer default 1
---@field deadline_factor? pinion.Distribution deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution deadline of each job, ms after its submission

---Cluster model: workloads I and II of He, Lu, Swanson (2012), tables III and IV: jobs with
---deadlines. The times of tasks and their estimates are fitted to the paper's results, as it prints
---neither. The groups are its bins of job sizes. It suggests the paper's cluster, and that tasks
---take half of their time at least.
---@param options? pinion.RtmrOptions
---@return pinion.Workload
function pinion.workload.rtmr(options) end

---@class pinion.LinOptions
---@field load? number of the station with more work: the rate of arrivals is load / max(mean map size, mean shuffle size); default 0.75
---@field jobs? integer default 100000
---@field map? pinion.Distribution map size of a job, not rounded; default lognormal(1,3.65)
---@field ratio? pinion.Distribution shuffle / map of a job: lognormal(1,3.28) unless shuffle is given
---@field shuffle? pinion.Distribution shuffle size of a job, independent of its map size; instead of ratio
---@field balance? boolean|string the cube root of every ratio shuffle / map, at the same mean shuffle size; default false
---@field batch? boolean|string all jobs arrive at 0, load then means nothing; default false
---@field seed? integer default 1

---Tandem model: Poisson arrivals with random sizes, as in Lin, Zhang, Wierman, Tan (2013), section
---5.3. The same seed gives the same sizes at every load.
---@param options? pinion.LinOptions
---@return pinion.Workload
function pinion.workload.lin(options) end

---@class pinion.Theorem2Options
---@field k? integer k^3 + k^2 + k + 1 jobs; default 5
---@field case? integer|string 1: small jobs keep coming; 2: large ones; "auto": as is hard for the policy; default auto
---@field against? string the policy that the adversary watches with "auto"; default: the one that runs

---Tandem model: the adversary of theorem 2 of the same paper. The groups are "type 1" and "type 2".
---@param options? pinion.Theorem2Options
---@return pinion.Workload
function pinion.workload.theorem2(options) end

---@class pinion.Corollary4Options
---@field a? number imbalance of the jobs, > 1; default 5
---@field n? integer jobs, an even number; default 20
---@field eps? number less than a - 1; default 0.01

---Tandem model: n/2 jobs (a - eps, 1) and n/2 jobs (1, a) at once, on which maxsrpt is nearly
---2a/(1+a) from the optimum. The groups are "map-heavy" and "shuffle-heavy".
---@param options? pinion.Corollary4Options
---@return pinion.Workload
function pinion.workload.corollary4(options) end

---@class pinion.Corollary6Options
---@field b? number imbalance of the jobs, > 1; default 2
---@field n? integer jobs; default 20

---Tandem model: n - 1 jobs (b, 1) and a job (n - 1, (n - 1) b) at once, on which splitsrpt is
---nearly 1 + 1/b from the optimum. The groups are "small" and "large".
---@param options? pinion.Corollary6Options
---@return pinion.Workload
function pinion.workload.corollary6(options) end

---@class pinion.NmtsOptions
---@field f integer[]|string positive integers, or text such as "1;2"
---@field g integer[]|string as many
---@field h integer[]|string as many; sum h = sum f + sum g

---Tandem model: the reduction of theorem 1. Some schedule has at most the total response time
---`threshold` of the facts if and only if permutations of f and g add up to h. The groups are "F",
---"G", "H" and "E".
---@param options pinion.NmtsOptions
---@return pinion.Workload
function pinion.workload.nmts(options) end

---A batch of random jobs. Families differ in their defaults, which `pinion workload NAME` prints.
---@class pinion.BatchOptions
---@field jobs? integer 1..1000000
---@field maps? pinion.Distribution map tasks of a job
---@field reduces? pinion.Distribution reduce tasks of a job
---@field map_length? pinion.Distribution length of a job's map tasks
---@field reduce_length? pinion.Distribution length of a job's reduce tasks
---@field spread? pinion.Distribution a task lasts its stage's length times this, rounded to a whole number of at least 1
---@field stragglers? number probability that a task is a straggler
---@field times? number a straggler lasts longer by this factor
---@field most? integer tasks of a stage, at most
---@field seed? integer

---Makespan model: 20 jobs of many tasks each, for 60 x 60 slots.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.rand_many(options) end

---Makespan model: 20 jobs of few long tasks each.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.rand_few(options) end

---Makespan model: 20 jobs whose stages are one wave of equal tasks.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.one_wave(options) end

---Makespan model: 8 jobs like those of table 1 of Tian, Luo, Tian, Chen: stages of equal tasks, one
---wave on 60 x 60 slots.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.t1_like(options) end

---Makespan model: 20 jobs with a few tasks that last five times as long.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.straggler(options) end

---Makespan model: 50 jobs with heavy-tailed numbers of nearly equal tasks, for 100 x 50 slots.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.fb_mild(options) end

---Makespan model: the same with heavy-tailed lengths of tasks.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function pinion.workload.fb_lognorm(options) end

---What the program takes as --workload.
---@param spec string
---@return pinion.Workload
function pinion.workload.spec(spec) end

---A list of jobs, checked once for many runs. They are of the tandem model when they have a map or
---shuffle size, of the cluster model when they have a submission.
---@param list pinion.Job[]|pinion.TandemJob[]|pinion.MakespanJob[]|pinion.ClusterJob[]
---@return pinion.Workload
function pinion.workload.jobs(list) end

---@class pinion.trace
pinion.trace = {}

---Options of one model are refused in the other.
---@class pinion.SwimOptions
---@field scale? number|string slotted, makespan and cluster: factor on all bytes, taken as an exact ratio; default 1/100
---@field slot? integer slotted: seconds in a slot; default 10
---@field unit? integer|string slotted: bytes of one unit of work; makespan and cluster: of one map task; default 128MiB
---@field reduce_bytes? integer|string slotted, makespan and cluster: bytes of one reduce task; default 1GiB
---@field load? number tandem: of the map station, whose work is load * span seconds; default 0.75
---@field shuffle_load? number tandem: of the shuffle station; default: load
---@field span? number tandem: seconds of the trace; default 86400
---@field zero? "keep"|"drop" tandem: rows that neither read nor shuffle; default keep
---@field balance? boolean|string tandem: the cube root of every ratio shuffle / map, at the same mean shuffle size; default false
---@field first? integer makespan and cluster: row of the first job; default 1
---@field jobs? integer makespan and cluster: so many rows from there on; all of them when missing
---@field tasks? integer makespan and cluster: reduce tasks of a job, at most; default 100
---@field map_start? integer makespan: seconds that each map task takes to start; default 3
---@field map_rate? integer|string makespan and cluster: bytes that a map task reads in a second; default 4.7MB
---@field reduce_start? integer makespan: seconds that each reduce task takes to start; default 11
---@field reduce_rate? integer|string makespan: bytes that a reduce task shuffles in a second; default 2.9MB
---@field map_start_ms? integer cluster: ms that each map takes to start; default 3300
---@field remote_ms? integer cluster: ms more where a map's input is not on its node; default 0
---@field reduce_start_ms? integer cluster: ms that each reduce takes to start; default 10600
---@field shuffle_rate? integer|string cluster: bytes that a reduce shuffles in a second; default 2.9MB
---@field write_rate? integer|string cluster: bytes that a reduce writes in a second; default 20MB
---@field deadline_factor? pinion.Distribution cluster: deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution cluster: deadline of each job, ms after its submission

---A SWIM trace, plain or gzip. The file is read when a run opens it.
---@param file string
---@param options? pinion.SwimOptions
---@return pinion.Workload
function pinion.trace.swim(file, options) end

---@class pinion.RumenOptions
---@field topology? string the trace's topology file: the nodes; missing: the hosts that the trace names
---@field outcome? "success"|"all" success: jobs that succeeded; all: of the others the tasks that did; default success
---@field blocks? "listed"|"drawn" nodes of the maps' inputs: as the trace lists them, or drawn at random; default listed
---@field remote_ms? integer ms more where a map's input is not on its node; default 0
---@field deadline_factor? pinion.Distribution deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution deadline of each job, ms after its submission

---Cluster model: a Rumen trace, Hadoop's job history as JSON, plain or gzip. Each task takes as
---long as its successful attempt did, a reduce without its waiting for maps. Jobs and tasks that
---did not succeed are dropped and counted. It suggests its hosts as nodes.
---@param file string
---@param options? pinion.RumenOptions
---@return pinion.Workload
function pinion.trace.rumen(file, options) end

---@class pinion.GoogleOptions
---@field deadline_factor? pinion.Distribution deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution deadline of each job, ms after its submission

---Cluster model: task events of Google's cluster trace of 2011, plain or gzip, as jobs of maps
---only. Of the jobs those are taken that are submitted and finish inside the parts, which leaves
---out long ones more often. The groups are the scheduling classes.
---@param file string|string[] the parts in order; in one text joined by +
---@param options? pinion.GoogleOptions
---@return pinion.Workload
function pinion.trace.google(file, options) end

---A csv file with a header of arrival, maps, reduces, name, group, estimate_maps, estimate_reduces;
---of the tandem model: arrival, map, shuffle, name, group, estimate_map, estimate_shuffle; of the
---makespan model: name, group, maps, reduces, map_time, reduce_time, map_slots, reduce_slots, where
---tasks are a list such as 3x5;7 (three of 5 and one of 7), and a lone semicolon the empty list; of
---the cluster model: submit, maps, reduces, map_ms, remote_ms, reduce_ms, shuffle_ms, deadline,
---est_map_ms, est_reduce_ms, input, intermediate, name, group.
---@param path string
---@return pinion.Workload
function pinion.trace.csv(path) end

---The jobs of a scenario file.
---@param path string
---@return pinion.Workload
function pinion.trace.scenario(path) end

-- ---- what a policy's file holds -----------------------------------------------------------------
-- A policy's file returns one pinion.PolicyDefinition, of the tandem model one
-- pinion.TandemPolicyDefinition, of the makespan model one pinion.MakespanPolicyDefinition. Its
-- functions run in a sandbox and get the view `s`.

---Names a job while it is in the system; s:id(job) is its number. Arrives as an integer that is
---used again once the job has gone.
---@alias pinion.JobHandle integer

---When the value of a key or a weight may change: never after the job has arrived, after slots in
---which the job ran, also after every tick, or from slot to slot (then it is computed for every job
---in every slot).
---@alias pinion.Changes "arrival"|"served"|"tick"|"time"

---Which jobs stand in an order: all that offer work, those in their maps, those past their maps
---with reduces to offer, those whose maps the virtual SRPT run has served (see `virtual`, `load`),
---or also those that only have tasks running.
---@alias pinion.OrderJobs "all"|"map"|"reduce"|"load"|"unfinished"

---Keys of the kernel's own.
---@alias pinion.OrderKey "arrival"|"remaining"|"most_remaining"|"share"

---An order of jobs that the kernel keeps. Either `by`, or `of` with `changes`.
---@class pinion.OrderDefinition
---@field by? pinion.OrderKey
---@field of? fun(s: pinion.View, job: pinion.JobHandle): number, number? the key, smallest first: one or two numbers, integers up to 2^53 or finite floats; ties go by id. With by = "share": the weight, an integer in 1..2^20
---@field changes? pinion.Changes when the value of `of` may change
---@field jobs? pinion.OrderJobs default "all"; of a key or share "all" or "unfinished"
---@field walk? boolean true: can be walked and searched (s:by, s:next_at_least, s:next_at_most), a little slower

---An array in the simulation's block: per_job * s:jobs_max() + more values.
---@class pinion.StateArray
---@field per_job? integer 0..16
---@field more? integer 0..2^16

---A parameter, set by `params` or --param.
---@class pinion.ParameterDefinition
---@field default number an integer (1) allows integers only, a float (1.0) any number
---@field doc string one line that says what it does
---@field min? number
---@field max? number

---What a policy's file returns. It takes one of three forms: key, share or slot.
---@class pinion.PolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "slotted"
---@field summary? string one line; default: the file's first comment
---@field modes? ("preemptive"|"nonpreemptive")[] where it is defined; default both
---@field work_conserving? boolean promises that no machine idles while a job offers work (the checker holds it to that); default true for key and share
---@field params? table<string, pinion.ParameterDefinition> at most 8
---@field state? (string|pinion.StateArray)[] names of values that s.state holds, and arrays by name; numbers, 0 at first
---@field per_job? string[] names of values that s.per_job holds for each job; 0 when the job arrives
---@field key? pinion.OrderKey|pinion.OrderDefinition the form of an order: jobs are served greedily in it
---@field share? "equal"|pinion.OrderDefinition the form of shares: machines go one by one to the job that holds the fewest for its weight
---@field slot? fun(s: pinion.View) the form of code: hands out the machines of a slot; called when a machine is idle and a job offers work
---@field orders? table<string, pinion.OrderKey|pinion.OrderDefinition> with slot: at most 4 by name; default { remaining = { by = "remaining", walk = true } }
---@field virtual? "estimates"|"truth" keeps a virtual SRPT run beside the real one, of the sizes as they seem or as they are
---@field load? "slot"|"cumulative" what a job's load is: the maps that virtual SRPT serves in this slot (default), or has served and the real run has not
---@field init? fun(s: pinion.View) once, in the first slot
---@field arrive? fun(s: pinion.View, job: pinion.JobHandle)
---@field finish? fun(s: pinion.View, job: pinion.JobHandle)
---@field tick? fun(s: pinion.View) at the start of the first slot in each stretch of tick_slots slots in which there is something to decide
---@field tick_slots? integer >= 1

---What the views of all models have.
---@class pinion.SharedView
---@field params table<string, any> the parameters' values, read-only: numbers, in the tandem and cluster models also booleans and words
---@field state table<string, any> the declared values and arrays (arrays are indexed from 1)
---@field per_job table<string, table<pinion.JobHandle, number>> the declared values per job
local SharedView = {}

---@return integer most the handles are 1..most; grows when a run has to start again with more room
function SharedView:jobs_max() end

---@param job integer any number
---@return boolean active whether a job of this handle is in the system
function SharedView:active(job) end

---@param job pinion.JobHandle
---@return integer id 1, 2, … by arrival
function SharedView:id(job) end

---An integer from the simulation's own random stream (the workload's seed and replica), the same in
---every run.
---@param low integer
---@param high integer
---@return integer number low..high
function SharedView:random(low, high) end

---@return number number in the open interval (0, 1), from the same stream
function SharedView:uniform() end

---The cluster as a policy sees it, in amounts as they were at the start of the slot. Sizes are
---estimates where jobs carry them. Orders can be used in slot and tick, machines given in slot
---only; keys and weights can neither write memory nor draw random numbers.
---@class pinion.View: pinion.SharedView
local View = {}

---@return integer slot the slot at hand, from 1
function View:slot() end

---@return integer machines of the cluster
function View:machines() end

---@return integer machines not yet given away in this slot; 0 outside of the function slot
function View:idle() end

---@return integer jobs in the system
function View:jobs() end

---@return boolean preemptive whether reduces are
function View:preemptive() end

---@param job pinion.JobHandle
---@return integer slot of its arrival
function View:arrival(job) end

---@param job pinion.JobHandle
---@return boolean in_maps whether map units are left
function View:in_maps(job) end

---@param job pinion.JobHandle
---@return integer units
function View:maps_left(job) end

---@param job pinion.JobHandle
---@return integer units not yet run, those of running tasks included
function View:reduces_left(job) end

---@param job pinion.JobHandle
---@return integer units maps_left + reduces_left
function View:remaining(job) end

---@param job pinion.JobHandle
---@return integer machines it could use at the start of the slot: map units, or reduce units (preemptive) or unstarted reduce tasks
function View:offer(job) end

---@param job pinion.JobHandle
---@return integer machines that its maps can still use in this slot; 0 past its maps
function View:maps_ready(job) end

---@param job pinion.JobHandle
---@return integer machines that its reduces can still use in this slot; 0 while it is in its maps
function View:reduces_ready(job) end

---@param job pinion.JobHandle
---@return integer machines that its running reduce tasks hold
function View:held(job) end

---@param job pinion.JobHandle
---@return integer machines given to it in this slot so far
function View:given(job) end

---@param job pinion.JobHandle
---@return integer units of its load, see `load` of the definition; 0 without a virtual run
function View:load(job) end

---Walks an order: `for job in s:by "mine" do … end`. O(log jobs) a step.
---@param order string
---@return fun(s: pinion.View, job: pinion.JobHandle?): pinion.JobHandle?
---@return pinion.View
function View:by(order) end

---@param order string
---@param after pinion.JobHandle|nil nil: from the first
---@param offer integer
---@return pinion.JobHandle|nil job the next in the order with an offer of at least this many machines; O(log jobs)
function View:next_at_least(order, after, offer) end

---@param order string
---@param after pinion.JobHandle|nil nil: from the first
---@param offer integer
---@return pinion.JobHandle|nil job the next in the order with an offer of 1 to this many machines; O(log jobs)
function View:next_at_most(order, after, offer) end

---@return integer count of the jobs that the virtual SRPT run serves in this slot
function View:served_count() end

---@param index integer 1..served_count(), in SRPT's order
---@return pinion.JobHandle job 0 when it has finished in reality, which s:active tells too
---@return integer maps units
---@return integer reduces units
function View:served_at(index) end

---Gives machines to a job's maps. An infeasible decision raises an error that names the job and the
---slot.
---@param job pinion.JobHandle
---@param machines integer
function View:map(job, machines) end

---Gives machines to a job's reduces: units, or tasks to start.
---@param job pinion.JobHandle
---@param machines integer
function View:reduce(job, machines) end

---Gives machines to whatever the job offers.
---@param job pinion.JobHandle
---@param machines integer
function View:give(job, machines) end

---Goes through an order in the kernel and gives each job as much as it can use, until no machine is
---idle.
---@param what "all"|"map"|"reduce"|"load" "all", or the jobs that the order is for; of an order with walk = true also one phase
---@param order string
---@param limit? integer machines to give at most
---@return integer given machines
function View:fill(what, order, limit) end

---Gives machines one by one to the job of an order of shares that holds the fewest for its weight.
---@param order string
---@param limit? integer machines to give at most
---@return integer given machines
function View:share(order, limit) end

-- ---- … of the tandem model ----------------------------------------------------------------------

---When the value of a key may change: never after the job has arrived, after intervals in which the
---job was served, or from one instant to the next (then it is computed for every member at every
---instant).
---@alias pinion.TandemChanges "arrival"|"served"|"instants"

---Which jobs stand in an order: those with map work left, those with a backlog of shuffle work, or
---all that are not complete.
---@alias pinion.TandemMembers "mapping"|"backlog"|"present"

---The key of an order, smallest first: one or two finite numbers. A boolean may stand before the
---second, which is then >= 0: true goes first. Ties go by id. map_left and shuffle_left are
---s:map_left(job) and s:shuffle_left(job), which most keys are made of.
---@alias pinion.TandemKey fun(s: pinion.TandemView, job: pinion.JobHandle, map_left: number, shuffle_left: number): number, (number|boolean)?, number?

---Keys of the kernel's own, at no cost: ids, which is the order of arrival; the longer side left;
---map work left, then shuffle work; their sum; shuffle work left, then jobs with backlog, then map
---work.
---@alias pinion.TandemKernelKey "id"|"longest"|"map"|"sum"|"shuffle"

---An order of jobs that the kernel keeps.
---@class pinion.TandemOrderDefinition
---@field of pinion.TandemMembers
---@field key? pinion.TandemKernelKey|pinion.TandemKey default "id"
---@field changes? pinion.TandemChanges when the value of a key may change; required with a function
---@field member? fun(s: pinion.TandemView, job: pinion.JobHandle): boolean whether the job belongs here at all, asked once, when it arrives; not of orders that stations serve by

---How the map station serves: all to the first job of an order, or equal shares. The order is one
---by name, or its own, then called "map".
---@class pinion.MapService
---@field serve? "first"|"share" default "first"; a share needs an order that never changes
---@field limit? integer of a share: only the first so many jobs of the order share
---@field order? string one of orders, of "mapping"; instead of key and changes
---@field key? pinion.TandemKernelKey|pinion.TandemKey default "id"
---@field changes? pinion.TandemChanges

---How the shuffle station serves: along an order, where a job without backlog takes no more than
---its maps generate ("first"); only the first of all jobs ("strict"); equal shares, of which a job
---without backlog passes on what it cannot use ("share") or not ("rigid").
---@class pinion.ShuffleService
---@field serve? "first"|"strict"|"share"|"rigid" default "first"; shares need no order
---@field order? string one of orders, of "backlog", for "strict" of "present"; instead of key and changes
---@field key? pinion.TandemKernelKey|pinion.TandemKey default "id"; its own order is called "shuffle"
---@field changes? pinion.TandemChanges

---A parameter, set by `params` or --param.
---@class pinion.TandemParameterDefinition
---@field default number|boolean|string an integer (1) allows integers only, a float (1.0) any number; true or false; or one of choices
---@field doc string one line that says what it does
---@field choices? string[] 2 to 8 words
---@field min? number
---@field max? number

---What a policy's file of the tandem model returns: how both stations serve, or code that sets the
---rates.
---@class pinion.TandemPolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "tandem"
---@field summary? string one line; default: the file's first comment
---@field work_conserving? boolean|"by default" promises that no station idles while it could work (the checker holds it to that), always or with the default parameters; default: what map and shuffle come to, false with rates
---@field params? table<string, pinion.TandemParameterDefinition> at most 8
---@field state? (string|pinion.StateArray)[] names of values that s.state holds, and arrays by name; numbers, 0 at first
---@field per_job? string[] names of values that s.per_job holds for each job; 0 when the job arrives
---@field ranks? boolean true: takes the parameters order_map and order_shuffle, lists of job ids that s:rank tells places in
---@field map? pinion.MapService
---@field shuffle? pinion.ShuffleService
---@field rates? fun(s: pinion.TandemView) instead of map and shuffle: sets the rates of an instant, all being 0 at first; called when a job is present
---@field orders? table<string, pinion.TandemOrderDefinition> at most 6 by name, those of map and shuffle included
---@field wake? fun(s: pinion.TandemView): number? in what time from now the rates shall be set anew though nothing happens; nil: not before something does. The run fails when wake-ups leave the work where it is: no job finished and less than 10^-7 of the work left done in 10^6 instants
---@field init? fun(s: pinion.TandemView) once, before anything else
---@field arrive? fun(s: pinion.TandemView, job: pinion.JobHandle)
---@field finish? fun(s: pinion.TandemView, job: pinion.JobHandle)

---The stations as a policy sees them at an instant. Sizes, and what is left of them, are estimates
---where jobs carry them; backlog and rates are the truth. Orders can be used in rates and wake,
---rates set in rates only; keys and members can neither write memory nor draw random numbers.
---@class pinion.TandemView: pinion.SharedView
local TandemView = {}

---@return number time since the start
function TandemView:time() end

---@return number speed capacity of each station
function TandemView:speed() end

---@return boolean overlap false: a job's shuffle starts when its map is done
function TandemView:overlap() end

---@return integer jobs in the system
function TandemView:in_system() end

---@param job pinion.JobHandle
---@return number time of its arrival
function TandemView:arrival(job) end

---@param job pinion.JobHandle
---@return number time since its arrival
function TandemView:age(job) end

---@param job pinion.JobHandle
---@return number work of its maps in all
function TandemView:map_size(job) end

---@param job pinion.JobHandle
---@return number work of its shuffle in all
function TandemView:shuffle_size(job) end

---@param job pinion.JobHandle
---@return number work of its maps that is left
function TandemView:map_left(job) end

---@param job pinion.JobHandle
---@return number work of its shuffle that is left, generated or not
function TandemView:shuffle_left(job) end

---@param job pinion.JobHandle
---@return number work the larger of map_left and shuffle_left
function TandemView:longest_left(job) end

---@param job pinion.JobHandle
---@return number work of its shuffle that is generated and not done
function TandemView:backlog(job) end

---@return number work the backlog of all jobs
function TandemView:backlog_total() end

---@param job pinion.JobHandle
---@return boolean mapping whether map work is left
function TandemView:mapping(job) end

---@param job pinion.JobHandle
---@param station "map"|"shuffle"
---@return integer rank its place in order_map or order_shuffle; needs ranks = true in the definition
function TandemView:rank(job, station) end

---@param job pinion.JobHandle
---@return number rate at which it is mapped: in rates what is set so far, in wake what is set, 0 elsewhere
function TandemView:map_rate(job) end

---@param job pinion.JobHandle
---@return number rate at which it is shuffled, likewise
function TandemView:shuffle_rate(job) end

---@param job pinion.JobHandle
---@return number rate at which its maps generate shuffle work, likewise
function TandemView:generation_rate(job) end

---@param order string
---@return pinion.JobHandle|nil job the first of the order
function TandemView:first(order) end

---@param order string
---@param job pinion.JobHandle
---@return boolean member whether the job stands in the order
function TandemView:member(order, job) end

---@param order string
---@param after pinion.JobHandle|nil a member; nil: from the first
---@return pinion.JobHandle|nil job the next in the order; O(members)
function TandemView:next(order, after) end

---Walks an order: `for job in s:by "mine" do … end`. O(members) a step.
---@param order string
---@return fun(s: pinion.TandemView, job: pinion.JobHandle?): pinion.JobHandle?
---@return pinion.TandemView
function TandemView:by(order) end

---Adds to the rate at which a job is mapped. An infeasible rate raises an error that names the job
---and the time.
---@param job pinion.JobHandle with map work left
---@param rate number >= 0, at most what is left of the station
function TandemView:give_map(job, rate) end

---Adds to the rate at which a job is shuffled.
---@param job pinion.JobHandle
---@param rate number >= 0, at most what is left of the station; of a job without backlog at most what its maps generate
function TandemView:give_shuffle(job, rate) end

---Maps the first job of an order.
---@param order string of "mapping"
---@param capacity? number at most so much; default all that is left
---@return number left of the capacity
function TandemView:fill_map(order, capacity) end

---Walks an order: a job with backlog takes all that is left, one without at most what its maps
---generate.
---@param order string of "backlog"
---@param capacity? number at most so much; default all that is left
---@return number left of the capacity
function TandemView:fill_shuffle(order, capacity) end

---@return number rate that is left of the map station
function TandemView:map_idle() end

---@return number rate that is left of the shuffle station
function TandemView:shuffle_idle() end

---In init: how a station serves from now on; what is left out stays as the definition says.
---@param station "map"|"shuffle"
---@param service { serve: string?, order: string?, limit: integer? }
function TandemView:serve(station, service) end

-- ---- … of the makespan model --------------------------------------------------------------------

---How long a stage is taken to last on some slots: the time it is given with (without one as
---"waves_req"), its tasks in listed order on the slots that the job requests, or on all of them,
---its work divided by the slots requested, or by all of them.
---@alias pinion.StageTime "given"|"waves_req"|"waves"|"capped"|"fluid"

---@alias pinion.Stage "map"|"reduce"

---What a policy's file of the makespan model returns: order or pools, one of the two. Its function
---is called once, before the first task starts; there is no memory to declare.
---@class pinion.MakespanPolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "makespan"
---@field summary? string one line; default: the file's first comment
---@field params? table<string, pinion.TandemParameterDefinition> at most 8
---@field order? fun(s: pinion.MakespanView): integer[] the ids of all jobs in their order
---@field pools? fun(s: pinion.MakespanView): pinion.MakespanPool[] splits the cluster; all jobs, each once; at most as many pools as jobs and one more
---@field stage_time? pinion.StageTime stage level: how long stages last where the scenario says nothing; default "waves_req"
---@field share? "conserving"|"exclusive" task level; default "conserving"
---@field cap? "none"|"requested" task level; default "none"
---@field task_order? "listed"|"lpt" task level; default "listed"
---@field level? "stage"|"task" the only level that it is for; default both

---A part of the cluster with jobs of its own, in their order.
---@class pinion.MakespanPool
---@field nodes integer >= 1; of s:nodes() in all
---@field jobs integer[] ids; none is fine

---Equal tasks, one after the other in the list of a stage.
---@class pinion.Stretch
---@field count integer
---@field duration pinion.Exact

---How an order came out under the rules of the scenario. a < b, a <= b and a == b compare
---makespans, without rounding, whatever slots they are of; tostring gives the makespan.
---@class pinion.Score
local Score = {}

---@return pinion.Exact time
function Score:makespan() end

---@return pinion.Exact time the sum of all completions
function Score:total_completion() end

---@param other pinion.Score of the same numbers of slots
---@return boolean better smaller in makespan, then in total completion
function Score:better(other) end

---The batch as a policy sees it. Jobs are named by their ids, 1 to s:jobs(). Times are exact
---numbers, in units of time; exact(value), as pinion.exact, is there too.
---@class pinion.MakespanView
---@field params table<string, any> the parameters' values, read-only: numbers, booleans, words
local MakespanView = {}

---@return integer jobs
function MakespanView:jobs() end

---@param stage pinion.Stage
---@return integer slots of the cluster
function MakespanView:slots(stage) end

---@return integer nodes of which pools are made; a pool of one has s:slots(stage) / s:nodes() slots
function MakespanView:nodes() end

---@return "stage"|"task" level
function MakespanView:level() end

---@param job integer
---@param stage pinion.Stage
---@return integer tasks
function MakespanView:tasks(job, stage) end

---@param job integer
---@param stage pinion.Stage
---@return pinion.Exact time of all tasks together
function MakespanView:work(job, stage) end

---@param job integer
---@param stage pinion.Stage
---@return pinion.Exact time of the longest task; 0 without tasks
function MakespanView:longest(job, stage) end

---@param job integer
---@param stage pinion.Stage
---@return integer slots >= 1
function MakespanView:requested(job, stage) end

---@param job integer
---@param stage pinion.Stage
---@return pinion.Stretch[] stretches all tasks in listed order
function MakespanView:stretches(job, stage) end

---@param job integer
---@param stage pinion.Stage
---@param kind pinion.StageTime
---@param slots? integer at most those of the cluster, which are the default
---@return pinion.Exact time
function MakespanView:estimate(job, stage, kind, slots) end

---@return integer[]|nil ids the order that the scenario gives (params.order)
function MakespanView:order_set() end

---@return pinion.MakespanPool[]|nil pools that the scenario gives (params.pools); the last one holds what these leave over
function MakespanView:pools_set() end

---Jobs in Johnson's order: by an estimate, or by any values `map` and `reduce`, >= 0, in tables by
---job id or as functions of one. Ties as in Algorithm 2.1 of the paper ("alg21") or as in MK_JR
---("mkjr").
---@param options { estimate: pinion.StageTime?, tie: "alg21"|"mkjr"|nil, jobs: integer[]?, map_slots: integer?, reduce_slots: integer?, map: table<integer, pinion.Exact|integer>|(fun(job: integer): pinion.Exact|integer)|nil, reduce: table<integer, pinion.Exact|integer>|(fun(job: integer): pinion.Exact|integer)|nil } jobs: default all; slots: default those of the cluster
---@return integer[] ids
function MakespanView:johnson(options) end

---Runs some jobs in an order, by themselves. With `best`: nil unless its makespan is smaller, which
---is mostly found early; `total`: or equal, with a smaller total completion.
---@param order integer[] ids
---@param options? { best: pinion.Score?, total: boolean?, map_slots: integer?, reduce_slots: integer? } slots: default those of the cluster
---@return pinion.Score|nil
function MakespanView:evaluate(order, options) end

---An integer from the simulation's own random stream (the scenario's seed), the same in every run.
---@param low integer
---@param high integer
---@return integer number low..high
function MakespanView:random(low, high) end

---@return number number in the open interval (0, 1), from the same stream
function MakespanView:uniform() end

-- ---- … of the cluster model ---------------------------------------------------------------------

---@alias pinion.TaskKind "map"|"reduce"

---What a policy makes use of: estimates of remaining times, by ticks ("estimates"); shares by
---weight, which go before the order ("shares"), and no slot beyond them ("strict"); jobs without a
---local map wait for locality_delay_ms ("delays"); reduces go to nodes with data of their job while
---such a node is free ("colocates"); `elapse` is called between events ("elapses"; a list need not
---say so); what it does on ticks depends on the present alone, and it kills only for tasks that
---wait, so that while none does the last of many ticks in a row is enough ("memoryless").
---
---For jobs with deadlines: those that have started come before all others, in the order in which
---they started ("in_order", with a key that changes on "arrival", of which the one for maps counts;
---not with "shares", "delays", "colocates" or pick); reduces start when all maps are done, whatever
---reduce_start says ("maps_first"); slots are kept for the reduces of jobs ahead whose maps are not
---done ("reserves", with these two), one less as in the paper ("reserves_less", beside it); every
---job must have a deadline ("deadlines"); finishes are foreseen from what runs now ("forecasts",
---with "in_order" and admit). With `records`: a job's predecessor may be one that is over ("keep"),
---and feedback goes through jobs that are over ("satu").
---@alias pinion.ClusterUse "estimates"|"shares"|"strict"|"delays"|"colocates"|"elapses"|"memoryless"|"in_order"|"maps_first"|"reserves"|"reserves_less"|"deadlines"|"forecasts"|"keep"|"satu"

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
---@field params? table<string, pinion.TandemParameterDefinition> at most 8
---@field state? (string|pinion.StateArray)[] names of values that s.state holds, and arrays by name; numbers, 0 at first
---@field per_job? string[] names of values that s.per_job holds for each job; 0 when the job comes
---@field uses? (pinion.ClusterUse|false)[]|fun(params: table<string, any>): (pinion.ClusterUse|false)[] false stands for nothing
---@field records? boolean true: finishes are foreseen from the times at which slots become free, recorded with each job; with "in_order" and admit
---@field admit? fun(s: pinion.ClusterView, job: pinion.JobHandle): boolean whether the job is taken; asked once when it comes, and by a host that only wants to know; without it all are
---@field key? pinion.ClusterKey an order of the jobs; with pick: the one that s:first and s:by_key walk; may be left out with pick and with "shares" (then: by submission)
---@field pick? fun(s: pinion.ClusterView, node: integer, kind: pinion.TaskKind): pinion.JobHandle? in place of giving slots in the order: the job that gets a slot of this kind on the node; nil: none
---@field plan? fun(s: pinion.ClusterView, reason: "arrival"|"tick"|"finish") after a job has come, at every tick, and when a job has ended; with "shares" it weighs the jobs
---@field preempt? fun(s: pinion.ClusterView, kind: pinion.TaskKind) after the plans of arrivals and ticks, first for maps, then for reduces: kills
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
---@return integer group
function ClusterView:group(job) end

---@param job pinion.JobHandle
---@return integer ms after its submission, as agreed; 0: none
function ClusterView:deadline(job) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks in all
function ClusterView:tasks(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that run, one slot each
function ClusterView:running(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks
function ClusterView:done(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that wait or run
function ClusterView:unfinished(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer tasks that may start now: reduces only when enough maps are done
function ClusterView:pending(job, kind) end

---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return integer slots that it could use: running and pending tasks
function ClusterView:need(job, kind) end

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

---The running tasks of a job in order of launch, for a loop: task, node, start in ms, attempt,
---progress in millionths.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@return fun(): integer?, integer?, integer?, integer?, integer?
function ClusterView:tasks_running(job, kind) end

---In preempt: kills a running task.
---@param job pinion.JobHandle
---@param kind pinion.TaskKind
---@param task integer from 1
---@return boolean killed false: max_kills_per_task protects it
function ClusterView:kill_task(job, kind, task) end

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

return pinion
