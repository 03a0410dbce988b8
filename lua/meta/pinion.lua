---@meta pinion
-- The public library, for editors and for the API pages. Nothing here is executed.

---@class pinion
---@field version string
---@field workload pinion.workload
---@field trace pinion.trace
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

---A description of a workload: a generator, a trace, a list. Open to any number of runs.
---@class pinion.Workload
---@field kind "zheng"|"bursts"|"facebook"|"swim"|"jobs"
---@field random boolean whether seed and replica matter
---@field text string what titles call it

---A workload, a SPEC string such as "zheng:0,seed=7", or a table of jobs.
---@alias pinion.WorkloadLike pinion.Workload|string|pinion.Job[]

---What the statistics leave out at the start: a number of jobs, { jobs = n }, { slots = n } (jobs arriving in the first n slots), or
---text such as "500slots". Flow times, their mean and their groups are then of the jobs behind it; total_flow_time, bounds, ratios
---and the digest stay those of all jobs.
---@alias pinion.Warmup integer|string|{ jobs: integer?, slots: integer? }

---@class pinion.RunOptions
---@field model? "slotted" default slotted
---@field machines integer 1..2^24
---@field reduce? "nonpreemptive"|"preemptive" default nonpreemptive
---@field policy pinion.PolicyReference
---@field budget? integer|false Lua instructions that one call of a policy may take; 0 or false: no limit; default 10000000
---@field memory? integer|string bytes that a policy written in Lua may hold; default "64MiB"
---@field params? table<string, number> parameters of policies; those of other policies are ignored
---@field workload pinion.WorkloadLike
---@field bounds? "none"|"fast"|"tight" default fast
---@field seed? integer over the workload's own
---@field replica? integer which replica of a generator, from 0
---@field keep_jobs? boolean a row per job; default: up to a million jobs
---@field until_slot? integer stop after this slot
---@field log? string file for the decision log
---@field quiet? boolean no progress on standard error
---@field error? pinion.Distribution policies see every job's sizes times a random factor of this distribution, one for each job and the same for all policies; jobs with an estimate of their own keep their estimates
---@field warmup? pinion.Warmup jobs that the statistics leave out
---@field checkpoint? string file that keeps the state of the run; one of a complete run gives the result again
---@field every? integer slots from one checkpoint to the next; required with checkpoint
---@field resume? boolean go on from the checkpoint when the file is there; it must be one of this very run

---Flow-time statistics of the finished jobs. Quantiles are exact while rows are kept, else (and per group) within 1 %.
---@class pinion.FlowTime
---@field mean number|nil
---@field sd number|nil
---@field min integer|nil
---@field max integer|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil

---Means of batches of consecutive flow times, in order of finish: what they say of the mean of one long run, whose flow times depend
---on their neighbours.
---@class pinion.Batches
---@field size integer jobs in a batch
---@field count integer batches, at most 63
---@field mean number
---@field half number|nil half width of the 95 % interval; nil below 10 batches
---@field means number[]

---Jobs in the system at the start of an arrival's slot, as means of equally many consecutive arrivals; at most 63 of them.
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

---@class pinion.GroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.FlowTime

---@class pinion.Result
---@field model string
---@field policy string
---@field machines integer
---@field reduce string
---@field workload string what titles call it
---@field bounds "none"|"fast"|"tight" that were asked for
---@field jobs pinion.JobRow[]|nil read-only; nil when rows were not kept
---@field total_flow_time integer of the finished jobs
---@field mean_flow_time number|nil
---@field lower_bound integer|nil total flow time of SRPT; nil without bounds or when not every job has finished
---@field efficiency_ratio number|nil total_flow_time / lower_bound
---@field lower_bound_tight integer|nil
---@field efficiency_ratio_tight number|nil
---@field slots integer the last finish
---@field digest string 16 hex digits; equal schedules have equal digests
---@field pinion string version
---@field seed integer
---@field submitted integer jobs
---@field finished integer jobs
---@field complete boolean whether every job has finished
---@field relaxed boolean a lower bound rather than a schedule
---@field flow_time pinion.FlowTime
---@field groups pinion.GroupResult[]|nil in order of first appearance
---@field decisions integer
---@field slots_run integer slots executed, idle ones that were jumped over not counted
---@field units_run integer units of work
---@field peak_jobs integer the most jobs in the system at once
---@field error string|nil distribution of the error in sizes
---@field warmup { jobs: integer?, slots: integer? }|nil
---@field measured integer finished jobs behind the warm-up
---@field batches pinion.Batches|nil nil before the first job has finished
---@field number_in_system pinion.NumberInSystem
---@field quarters number[]|nil number_in_system in four means; nil below 100 arrivals
---@field growing boolean whether the number in the system was still growing when arrivals ended: means then depend on the length of the run
---@field continue_from string|nil the checkpoint that holds the state in which the run ended
local Result = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "flow_time"|"arrival"|"map_finish"|"finish" only flow_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function Result:quantile(field, q) end

---Draws a figure with gnuplot: kind "cdf", or "convergence" of the mean over the jobs, from batches.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function Result:plot(path, options) end

---@class pinion.CompareOptions
---@field model? "slotted"
---@field machines integer
---@field reduce? "nonpreemptive"|"preemptive"
---@field policies? pinion.PolicyReference[] default fifo, fair, lrpt, asrpt, psrpt
---@field budget? integer|false as for pinion.run
---@field memory? integer|string as for pinion.run
---@field params? table<string, number>
---@field workload pinion.WorkloadLike
---@field replicas? integer default 1; more need a generator, or errors in sizes
---@field baseline? pinion.PolicyReference the policy that the others are compared to; default the first
---@field processes? integer processes that share the replicas, 1..256; default one per core. Results do not depend on it
---@field error? pinion.Distribution as for pinion.run; the same factors for every policy of a replica
---@field warmup? pinion.Warmup
---@field bounds? "none"|"fast"|"tight"
---@field seed? integer
---@field replica? integer the replica to run when there is only one
---@field until_slot? integer
---@field quiet? boolean

---Of replicas, mean is the mean of theirs, and quantiles are of all their jobs pooled.
---@class pinion.PooledFlowTime: pinion.FlowTime
---@field mean_half number|nil half width of the 95 % interval over replicas

---@class pinion.ComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.PooledFlowTime

---With replicas, numbers are means over these, `…_sd` is the standard deviation between them and `…_half` the half width of the mean's
---95 % interval; quantiles are of all jobs pooled.
---@class pinion.ComparisonRow
---@field policy string
---@field relaxed boolean
---@field finished integer jobs over all replicas
---@field measured integer finished jobs behind the warm-up, over all replicas
---@field mean_flow_time number|nil
---@field mean_flow_time_sd number|nil
---@field mean_flow_time_half number|nil
---@field efficiency_ratio number|nil
---@field efficiency_ratio_sd number|nil
---@field efficiency_ratio_half number|nil
---@field efficiency_ratio_tight number|nil
---@field efficiency_ratio_tight_sd number|nil
---@field efficiency_ratio_tight_half number|nil
---@field difference number|nil mean flow time minus the baseline's, by replica (common random numbers); nil for the baseline
---@field difference_half number|nil half width of its 95 % interval
---@field relative number|nil mean flow time over the baseline's
---@field wins integer|nil replicas with a smaller mean flow time than the baseline's
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil
---@field max number|nil
---@field groups pinion.ComparisonGroup[]|nil
---@field quarters number[]|nil number in the system, averaged over replicas
---@field growing boolean
---@field samples table<string, number[]> mean_flow_time, efficiency_ratio and efficiency_ratio_tight of every replica
---@field differences number[] by replica
---@field counts table<number, number>|nil how often each flow time occurred; nil in sweeps
---@field digest string of the only replica, or the digests of all mixed in their order
---@field result pinion.Result|nil of the only replica, without rows; nil in sweeps

---@class pinion.Comparison
---@field model string
---@field machines integer
---@field reduce string
---@field workload string what titles call it
---@field error string|nil distribution of the error in sizes
---@field warmup { jobs: integer?, slots: integer? }|nil
---@field bounds "none"|"fast"|"tight" that were asked for
---@field rows pinion.ComparisonRow[] in the order of the policies
---@field replicas integer
---@field baseline string
---@field growing boolean whether the number in the system was still growing under some policy
---@field seed integer
---@field submitted number jobs of a replica, on average
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica
local Comparison = {}

---Writes one row per policy.
---@param path string
function Comparison:csv(path) end

---Writes everything as JSON.
---@param path string
function Comparison:json(path) end

---@class pinion.PlotOptions
---@field kind? "cdf"|"bars"|"convergence" default cdf; convergence shows the running mean with its interval over replicas, or over the jobs of one run
---@field of? string cdf: flow_time; bars: a field of the rows, by default the ratio when there are bounds; convergence: mean_flow_time (default) or a ratio
---@field log_x? boolean of a cdf; default: when flow times span more than two decades
---@field title? string

---Draws a figure with gnuplot; its data (.dat) and script (.gp) stay beside it.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function Comparison:plot(path, options) end

---What pinion.compare takes, and `over`; machines or workload may be missing where they vary.
---@class pinion.SweepOptions: pinion.CompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] arrays of values by name, taken in sorted order, or an array of { name, values }; names are machines, reduce, seed, error, warmup, until_slot, workload, "params.NAME" and "workload.NAME" (an option of the generator)

---With the values of its cell by name: row.machines, row["workload.rate"].
---@class pinion.SweepRow: pinion.ComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.Sweep
---@field model string
---@field pinion string version
---@field seed integer
---@field bounds "none"|"fast"|"tight" that were asked for
---@field over { name: string, values: any[] }[]
---@field rows pinion.SweepRow[] one per cell and policy; the last name varies fastest
---@field replicas integer
---@field baseline string
---@field growing boolean
local Sweep = {}

---Writes one row per cell and policy.
---@param path string
function Sweep:csv(path) end

---Writes everything as JSON.
---@param path string
function Sweep:json(path) end

---@class pinion.SweepPlotOptions
---@field kind? "lines"
---@field x? string what the axis shows; default: what varies first
---@field of? string a field of the rows; default mean_flow_time
---@field where? table<string, any> a value for each other thing that varies; without it every value makes curves of its own
---@field log_x? boolean
---@field log_y? boolean
---@field title? string

---Draws a line per policy, with intervals over replicas.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.SweepPlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function Sweep:plot(path, options) end

---Runs one policy on a workload. Mistakes raise errors that point at the caller's line.
---@param options pinion.RunOptions
---@return pinion.Result result tostring gives aligned text
function pinion.run(options) end

---Runs several policies on the same workload, over replicas if asked to.
---@param options pinion.CompareOptions
---@return pinion.Comparison comparison tostring gives aligned text
function pinion.compare(options) end

---Compares policies over a grid of settings: every combination of what varies is a comparison on the same random numbers.
---@param options pinion.SweepOptions
---@return pinion.Sweep sweep tostring gives aligned text
function pinion.sweep(options) end

---@class pinion.PolicyParameter
---@field name string
---@field value number default
---@field low number
---@field high number
---@field float boolean true: any number, false: integers only
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field label string what results and rows call it: the name, or the file as it was given
---@field summary string
---@field source string
---@field preemptive boolean defined with preemptive reduces
---@field nonpreemptive boolean defined with non-preemptive reduces
---@field work_conserving boolean
---@field relaxed boolean a lower bound rather than a schedule
---@field params pinion.PolicyParameter[]
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

---A policy from its source text, to be given as `policy` or in `policies`. It runs in a Lua state of its own, so functions and
---variables of the calling script are not there.
---@param text string what a policy's file would hold
---@return pinion.PolicyText
function pinion.policy(text) end

---Text such as "exp(5)", "uniform(1,9)", "lognormal(10,4)", "normal(10,4)", "pareto(1.5,2)", "poisson(3)", or a constant.
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

---Bursts of small jobs with a few giants among them; "small" and "giant" are the workload's groups. With the defaults and 40 machines it is
---an example inside the model of Zheng, Shroff, Sinha (2013) in which ASRPT takes more than twice the flow time of another policy.
---@param options? pinion.BurstsOptions
---@return pinion.Workload
function pinion.workload.bursts(options) end

---@class pinion.FacebookOptions
---@field jobs? integer default 1000
---@field gap? number mean slots between arrivals; default 4
---@field bins? 6|9 job sizes: 6 up to 200 maps, 9 up to 4800; default 9
---@field reduce_length? pinion.Distribution units of a job's reduce tasks; default exp(5)
---@field seed? integer default 1

---Job sizes of a Facebook cluster in 2009, in bins that are the workload's groups.
---@param options? pinion.FacebookOptions
---@return pinion.Workload
function pinion.workload.facebook(options) end

---What the program takes as --workload.
---@param spec string
---@return pinion.Workload
function pinion.workload.spec(spec) end

---A list of jobs, checked once for many runs.
---@param list pinion.Job[]
---@return pinion.Workload
function pinion.workload.jobs(list) end

---@class pinion.trace
pinion.trace = {}

---@class pinion.SwimOptions
---@field scale? number|string factor on all bytes, taken as an exact ratio; default 1/100
---@field slot? integer seconds in a slot; default 10
---@field unit? integer|string bytes of one unit of work; default 128MiB
---@field reduce_bytes? integer|string bytes of one reduce task; default 1GiB

---A SWIM trace, plain or gzip. The file is read when a run opens it.
---@param path string
---@param options? pinion.SwimOptions
---@return pinion.Workload
function pinion.trace.swim(path, options) end

---A csv file with a header of arrival, maps, reduces, name, group, estimate_maps, estimate_reduces.
---@param path string
---@return pinion.Workload
function pinion.trace.csv(path) end

---The jobs of a scenario file.
---@param path string
---@return pinion.Workload
function pinion.trace.scenario(path) end

-- ---- what a policy's file holds ---------------------------------------------------------------------------
-- A policy's file returns one pinion.PolicyDefinition. Its functions run in a sandbox and get the view `s`.

---Names a job while it is in the system; s:id(job) is its number. Arrives as an integer that is used again once the job has gone.
---@alias pinion.JobHandle integer

---When the value of a key or a weight may change: never after the job has arrived, after slots in which the job ran, also after
---every tick, or from slot to slot (then it is computed for every job in every slot).
---@alias pinion.Changes "arrival"|"served"|"tick"|"time"

---Which jobs stand in an order: all that offer work, those in their maps, those past their maps with reduces to offer, those
---whose maps the virtual SRPT run has served (see `virtual`, `load`), or also those that only have tasks running.
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

---The cluster as a policy sees it, in amounts as they were at the start of the slot. Sizes are estimates where jobs carry them.
---Orders can be used in slot and tick, machines given in slot only; keys and weights can neither write memory nor draw random
---numbers.
---@class pinion.View
---@field params table<string, number> the parameters' values, read-only
---@field state table<string, any> the declared values and arrays (arrays are indexed from 1)
---@field per_job table<string, table<pinion.JobHandle, number>> the declared values per job
local View = {}

---@return integer slot the slot at hand, from 1
function View:slot() end

---@return integer machines of the cluster
function View:machines() end

---@return integer machines not yet given away in this slot; 0 outside of the function slot
function View:idle() end

---@return integer jobs in the system
function View:jobs() end

---@return integer most the handles are 1..most; grows when a run has to start again with more room
function View:jobs_max() end

---@return boolean preemptive whether reduces are
function View:preemptive() end

---@param job integer any number
---@return boolean active whether a job of this handle is in the system
function View:active(job) end

---@param job pinion.JobHandle
---@return integer id 1, 2, … by arrival
function View:id(job) end

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

---An integer from the simulation's own random stream (the workload's seed and replica), the same in every run.
---@param low integer
---@param high integer
---@return integer number low..high
function View:random(low, high) end

---@return number number in the open interval (0, 1), from the same stream
function View:uniform() end

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

---Gives machines to a job's maps. An infeasible decision raises an error that names the job and the slot.
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

---Goes through an order in the kernel and gives each job as much as it can use, until no machine is idle.
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

return pinion
