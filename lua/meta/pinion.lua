---@meta pinion
-- The public library, for editors and for the API pages. Nothing here is executed.

---@class pinion
---@field version string "0.1.0"
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
---@field kind "zheng"|"facebook"|"swim"|"jobs"
---@field random boolean whether seed and replica matter
---@field text string what titles call it

---A workload, a SPEC string such as "zheng:0,seed=7", or a table of jobs.
---@alias pinion.WorkloadLike pinion.Workload|string|pinion.Job[]

---@class pinion.RunOptions
---@field model? "slotted" default slotted
---@field machines integer 1..2^24
---@field reduce? "nonpreemptive"|"preemptive" default nonpreemptive
---@field policy string a name of pinion.policies()
---@field params? table<string, integer> parameters of policies; those of other policies are ignored
---@field workload pinion.WorkloadLike
---@field bounds? "none"|"fast"|"tight" default fast
---@field seed? integer over the workload's own
---@field replica? integer which replica of a generator, from 0
---@field keep_jobs? boolean a row per job; default: up to a million jobs
---@field until_slot? integer stop after this slot
---@field log? string file for the decision log
---@field quiet? boolean no progress on standard error

---Flow-time statistics of the finished jobs. Quantiles are exact while rows are kept, else (and per group) within 1 %.
---@class pinion.FlowTime
---@field mean number|nil
---@field sd number|nil
---@field min integer|nil
---@field max integer|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil

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
local Result = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "flow_time"|"arrival"|"map_finish"|"finish" only flow_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function Result:quantile(field, q) end

---@class pinion.CompareOptions
---@field model? "slotted"
---@field machines integer
---@field reduce? "nonpreemptive"|"preemptive"
---@field policies? string[] default fifo, fair, lrpt, asrpt, psrpt
---@field params? table<string, integer>
---@field workload pinion.WorkloadLike
---@field replicas? integer default 1; more need a generator
---@field bounds? "none"|"fast"|"tight"
---@field seed? integer
---@field replica? integer the replica to run when there is only one
---@field until_slot? integer
---@field quiet? boolean

---With replicas, numbers are means over these and `…_half` is the half width of the 95 % interval; quantiles are of all jobs pooled.
---@class pinion.ComparisonRow
---@field policy string
---@field relaxed boolean
---@field finished integer jobs over all replicas
---@field mean_flow_time number|nil
---@field mean_flow_time_half number|nil
---@field efficiency_ratio number|nil
---@field efficiency_ratio_half number|nil
---@field efficiency_ratio_tight number|nil
---@field efficiency_ratio_tight_half number|nil
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field max number|nil
---@field result pinion.Result|nil of the only replica, without rows

---@class pinion.Comparison
---@field rows pinion.ComparisonRow[] in the order of the policies
---@field replicas integer
---@field seed integer
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica
local Comparison = {}

---Writes one row per policy.
---@param path string
function Comparison:csv(path) end

---@class pinion.PlotOptions
---@field kind? "cdf"|"bars" default cdf
---@field of? "flow_time"|"efficiency_ratio"|"efficiency_ratio_tight"|"mean_flow_time" cdf: flow_time; bars: the ratio when there are bounds
---@field title? string

---Draws a figure with gnuplot; its data (.dat) and script (.gp) stay beside it.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function Comparison:plot(path, options) end

---Runs one policy on a workload. Mistakes raise errors that point at the caller's line.
---@param options pinion.RunOptions
---@return pinion.Result
function pinion.run(options) end

---Runs several policies on the same workload, over replicas if asked to.
---@param options pinion.CompareOptions
---@return pinion.Comparison tostring gives aligned text
function pinion.compare(options) end

---@class pinion.PolicyParameter
---@field name string
---@field value integer default
---@field low integer
---@field high integer
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field summary string
---@field source string
---@field preemptive boolean defined with preemptive reduces
---@field nonpreemptive boolean defined with non-preemptive reduces
---@field work_conserving boolean
---@field relaxed boolean a lower bound rather than a schedule
---@field params pinion.PolicyParameter[]

---Every policy, or those of a model.
---@param model? string
---@return pinion.Policy[]
function pinion.policies(model) end

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

---@class pinion.FacebookOptions
---@field jobs? integer default 1000
---@field gap? number mean slots between arrivals; default 4
---@field bins? 6|9 job sizes: 6 up to 200 maps, 9 (default) up to 4800
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
---@param jobs pinion.Job[]
---@return pinion.Workload
function pinion.workload.jobs(jobs) end

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

return pinion
