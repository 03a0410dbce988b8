---@meta

-- ---- the tandem model --------------------------------------------------------------------------
-- A map station and a shuffle station in tandem.
-- Options, jobs and results, and what a policy's file holds.

---The same in the tandem model: a number of jobs, { jobs = n }, { time = t } (jobs arriving before
---that time), or text such as "500time" or "auto".
---@alias pinion.TandemWarmup integer|string|{ jobs: integer?, time: number? }

---@class pinion.TandemRunOptions: pinion.SharedRunOptions
---@field speed? number|string capacity of each station, units of work per unit of time; 2^-64..2^64, default 1
---@field overlap? boolean false: a job's shuffle starts when its map is done; default true
---@field until_time? number|string stop before this time
---@field slowdown_by_size? pinion.SizeBuckets keep mean slowdowns by size of job
---@field warmup? pinion.TandemWarmup jobs that the statistics leave out
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none
---@field every? number|string time from one checkpoint to the next; required with checkpoint

---@class pinion.TandemJobRow
---@field id integer from 1, in order of arrival
---@field arrival number
---@field map_finish number|nil its arrival for a job without map work; nil while unfinished
---@field finish number|nil
---@field response_time number|nil finish - arrival, of times that are not rounded
---@field slowdown number|nil response_time * speed / max(map, shuffle); nil for a job without work, too
---@field name string|nil
---@field group string|integer|nil
---@field [string] any the attributes of the job, numbers and texts by name

---@class pinion.TandemGroupResult
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field response_time pinion.Statistics
---@field slowdown pinion.Statistics

---@class pinion.TandemResult: pinion.TandemColumns
---@field speed number
---@field overlap boolean
---@field params table<string, any>|nil parameters of the policy that are not its defaults
---@field jobs pinion.TandemJobRow[]|nil read-only; nil when rows were not kept
---@field response_time pinion.Statistics
---@field slowdown pinion.Statistics of the jobs that have one
---@field slowdown_by_size pinion.SlowdownBucket[]|nil
---@field groups pinion.TandemGroupResult[]|nil in order of first appearance
---@field warmup { jobs: integer?, time: number?, auto: boolean? }|nil
local TandemResult = {}

---The smallest value that at least the fraction `q` of the finished jobs do not exceed.
---@param field "response_time"|"slowdown"|"arrival"|"map_finish"|"finish" only the first two when rows were not kept
---@param q number 0..1
---@return number|nil value nil when no job has finished
function TandemResult:quantile(field, q) end

---@class pinion.TandemCompareOptions: pinion.SharedCompareOptions
---@field speed? number|string
---@field overlap? boolean
---@field warmup? pinion.TandemWarmup
---@field timeline? integer buckets, 2 to 2^20, of the timeline that is recorded; default: none; of one replica
---@field until_time? number|string
---@field slowdown_by_size? pinion.SizeBuckets

---@class pinion.TandemComparisonGroup
---@field group string|integer|nil nil: the jobs without a group
---@field finished integer
---@field response_time pinion.PooledStatistics
---@field slowdown pinion.PooledStatistics

---@class pinion.TandemComparisonRow: pinion.TandemMeasures
---@field slowdown pinion.PooledQuantiles
---@field slowdown_by_size pinion.SlowdownBucket[]|nil of all jobs pooled
---@field groups pinion.TandemComparisonGroup[]|nil
---@field result pinion.TandemResult|nil of the only replica, without rows; nil in sweeps

---@class pinion.TandemComparison: pinion.SharedComparison
---@field speed number
---@field overlap boolean
---@field warmup { jobs: integer?, time: number?, auto: boolean? }|nil
---@field rows pinion.TandemComparisonRow[] in the order of the policies
---@field lower_bound number|nil of the only replica
---@field lower_bound_tight number|nil of the only replica

---The same of the tandem model.
---@class pinion.TandemSweepOptions: pinion.TandemCompareOptions
---@field over table<string, any[]>|{ [1]: string, [2]: any[] }[] as in the slotted model; names are speed, overlap, seed, error, warmup, until_time, workload, "params.NAME" and "workload.NAME"

---With the values of its cell by name: row.speed, row["workload.load"].
---@class pinion.TandemSweepRow: pinion.TandemComparisonRow
---@field replicas integer
---@field baseline string
---@field [string] any

---@class pinion.TandemSweep: pinion.SharedSweep
---@field rows pinion.TandemSweepRow[] one per cell and policy; the last name varies fastest

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
---@field default number|boolean|string|table an integer (1) allows integers only, a float (1.0) any number; true or false; one of choices; a table goes with `shape`
---@field doc string one line that says what it does
---@field choices? string[] 2 to 8 words
---@field integer? boolean of a number: true: integers only; default: as its default is written
---@field min? number
---@field max? number
---@field shape? pinion.Shape of a table: what it may hold

---What a policy's file of the tandem model returns: how both stations serve, or code that sets the
---rates.
---@class pinion.TandemPolicyDefinition
---@field name string 1 to 31 letters, digits, _, - and dots
---@field model "tandem"
---@field summary? string one line; default: the file's first comment
---@field key_name? string what its keys are, with their unit, for explanations and help: "deadline, ms"; at most 127 characters
---@field work_conserving? boolean|"by default" promises that no station idles while it could work (the checker holds it to that), always or with the default parameters; default: what map and shuffle come to, false with rates
---@field params? table<string, pinion.TandemParameterDefinition> at most 32
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
