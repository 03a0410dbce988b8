---@meta

-- ---- the makespan model ------------------------------------------------------------------------
-- Batches of jobs in two stages, planned once.
-- Options, jobs and results, and what a policy's file holds.

---Equal tasks of a stage in the makespan model.
---@class pinion.EqualTasks
---@field count integer >= 1
---@field duration pinion.ExactLike

---Numbers of slots may be missing where the workload suggests them: see Workload:default_settings.
---@class pinion.MakespanRunOptions: pinion.SharedRunOptions
---@field map_slots integer 1..2^24
---@field reduce_slots integer 1..2^24
---@field level? "stage"|"task" stages as wholes, or tasks on slots; default stage
---@field until_time? pinion.ExactLike stop before this time
---@field warmup? nil a batch has none
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none
---@field every? nil a batch has no checkpoints

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
---@field [string] any the attributes of the job, numbers and texts by name

---@class pinion.MakespanGroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field completion_time pinion.Statistics

---Of a value that is no integer, NAME_exact is the text "p/q" and NAME the nearest double.
---@class pinion.MakespanResult: pinion.MakespanColumns
---@field map_slots integer of params.search_ratio the best
---@field reduce_slots integer
---@field level "stage"|"task"
---@field params table<string, any>|nil parameters of the policy, and of the model, that are not its defaults
---@field jobs pinion.MakespanJobRow[]|nil read-only; nil when rows were not kept
---@field completion_time pinion.Statistics
---@field groups pinion.MakespanGroupResult[]|nil in order of first appearance
local MakespanResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "completion_time"|"map_start"|"map_finish"|"reduce_start"|"finish" only completion_time when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function MakespanResult:quantile(field, q) end

---@class pinion.MakespanCompareOptions: pinion.SharedCompareOptions
---@field map_slots integer
---@field reduce_slots integer
---@field level? "stage"|"task"
---@field warmup? nil
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none; of one replica
---@field until_time? pinion.ExactLike

---@class pinion.MakespanComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field completion_time pinion.PooledStatistics

---@class pinion.MakespanComparisonRow: pinion.MakespanMeasures
---@field lower_bound number|nil of the only replica
---@field lower_bound_tight number|nil
---@field complete boolean whether every run finished all jobs
---@field optimal integer|nil replicas in which the schedule is proven to be the best; nil: there is no proof in any
---@field proofs table<string, integer> replicas by what a result has in `proof`
---@field map_slots integer|nil these four where they are the same in all replicas
---@field reduce_slots integer|nil
---@field level "stage"|"task"|nil
---@field stage_time pinion.StageTime|nil
---@field order integer[]|nil
---@field pools { nodes: integer, map_slots: integer, reduce_slots: integer, jobs: integer[] }[]|nil
---@field ratios { map_slots: integer, reduce_slots: integer, makespan: number, makespan_exact: string? }[]|nil
---@field chosen { map_slots: integer, reduce_slots: integer }|nil of params.search_ratio
---@field groups pinion.MakespanComparisonGroup[]|nil
---@field result pinion.MakespanResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.MakespanComparison: pinion.SharedComparison
---@field map_slots integer
---@field reduce_slots integer
---@field level "stage"|"task"
---@field rows pinion.MakespanComparisonRow[] in the order of the policies
---@field lower_bound number|nil of the only replica, where all policies have the same
---@field lower_bound_tight number|nil

---The same of the makespan model; map_slots and reduce_slots may be missing where they vary.
---@class pinion.MakespanSweepOptions: pinion.MakespanCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are slots ("30x20": map x reduce slots), map_slots, reduce_slots, level, seed, until_time, workload, "params.NAME" and "workload.NAME"

---With the values of its cell by name: row.slots, row["params.cap"].
---@class pinion.MakespanSweepRow: pinion.MakespanComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.MakespanSweep: pinion.SharedSweep
---@field rows pinion.MakespanSweepRow[] one per cell and policy; the last name varies fastest

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
---@field params? table<string, pinion.TandemParameterDefinition> at most 32
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

---A number or a text that jobs carry, by its name. A name that they do not carry is an error,
---unless the third argument says what to take then.
---@param job integer
---@param name string
---@param default? number|string
---@return number|string value
function MakespanView:attribute(job, name, default) end

---The same, but for a text its number: 0 for the default, 1 for the next text.
---@param job integer
---@param name string
---@param default? number
---@return number value
function MakespanView:attribute_number(job, name, default) end

---@return string[] names of the jobs' attributes, sorted and read-only
function MakespanView:attributes() end

---Groups have their numbers in the order of their names, wherever the jobs come from: names that
---are whole numbers by value, then the others by bytes. Where a C host gives no names it is the
---host's number.
---@param job integer
---@return integer group from 1; 0: none
function MakespanView:group(job) end

---@param job integer
---@return string|nil name of its group; nil: it has none, or groups have no names
function MakespanView:group_name(job) end

---@return string[] names of all groups by number, read-only
function MakespanView:groups() end

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
