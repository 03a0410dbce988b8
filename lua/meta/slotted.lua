---@meta

-- ---- the slotted model -------------------------------------------------------------------------
-- Machines with unit slots, and jobs with map and reduce work.
-- Options, jobs and results, and what a policy's file holds.

---@class pinion.RunOptions: pinion.SharedRunOptions
---@field machines integer 1..2^24
---@field reduce? "nonpreemptive"|"preemptive" default nonpreemptive
---@field until_slot? integer stop after this slot
---@field warmup? pinion.Warmup jobs that the statistics leave out
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none
---@field every? integer slots from one checkpoint to the next; required with checkpoint

---@class pinion.JobRow
---@field id integer from 1, in order of arrival
---@field arrival integer
---@field map_finish integer|nil slot of the last map unit; arrival - 1 for a job without maps; nil while unfinished
---@field finish integer|nil
---@field flow_time integer|nil finish - arrival + 1
---@field name string|nil
---@field group string|integer|nil
---@field [string] any the attributes of the job, numbers and texts by name

---@class pinion.GroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.FlowTime

---@class pinion.Result: pinion.SlottedColumns
---@field machines integer
---@field reduce string
---@field jobs pinion.JobRow[]|nil read-only; nil when rows were not kept
---@field flow_time pinion.FlowTime
---@field groups pinion.GroupResult[]|nil in order of first appearance
---@field warmup { jobs: integer?, slots: integer?, auto: boolean? }|nil
local Result = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "flow_time"|"arrival"|"map_finish"|"finish" only flow_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function Result:quantile(field, q) end

---@class pinion.CompareOptions: pinion.SharedCompareOptions
---@field machines integer
---@field reduce? "nonpreemptive"|"preemptive"
---@field warmup? pinion.Warmup
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none; of one replica
---@field until_slot? integer

---@class pinion.ComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field flow_time pinion.PooledFlowTime

---@class pinion.ComparisonRow: pinion.SlottedMeasures
---@field groups pinion.ComparisonGroup[]|nil
---@field result pinion.Result|nil of the only replica, without rows; nil in sweeps

---@class pinion.Comparison: pinion.SharedComparison
---@field machines integer
---@field reduce string
---@field warmup { jobs: integer?, slots: integer?, auto: boolean? }|nil
---@field rows pinion.ComparisonRow[] in the order of the policies
---@field lower_bound integer|nil of the only replica
---@field lower_bound_tight integer|nil of the only replica

---What pinion.compare takes, and `over`; machines or workload may be missing where they vary.
---@class pinion.SweepOptions: pinion.CompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] arrays of values by name, taken in sorted order, or an array of { name, values }; texts such as "5..9", "10..100:10" and "1..1000:log5" are ranges; names are machines, reduce, seed, error, warmup, until_slot, workload, "params.NAME" and "workload.NAME" (an option of the generator)

---With the values of its cell by name: row.machines, row["workload.rate"].
---@class pinion.SweepRow: pinion.ComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.Sweep: pinion.SharedSweep
---@field rows pinion.SweepRow[] one per cell and policy; the last name varies fastest

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

---What a policy's file returns. It takes one of three forms: key, share or slot.
---@class pinion.PolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "slotted"
---@field summary? string one line; default: the file's first comment
---@field key_name? string what its keys are, with their unit, for explanations and help: "deadline, ms"; at most 127 characters
---@field modes? ("preemptive"|"nonpreemptive")[] where it is defined; default both
---@field work_conserving? boolean promises that no machine idles while a job offers work (the checker holds it to that); default true for key and share
---@field params? table<string, pinion.ParameterDefinition> at most 32
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
---@return integer units of its maps and reduces that have run before this slot, those of running tasks included; true with estimates, too
function View:attained(job) end

---@param job pinion.JobHandle
---@return integer units of its maps and reduces in total
function View:size(job) end

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
