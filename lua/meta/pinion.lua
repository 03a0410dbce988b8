---@meta pinion
-- The public library, for editors and for the API pages: this file has its functions, and each of
-- the others one part. Nothing here is executed.

---@class pinion
---@field version string
---@field workload pinion.workload
---@field trace pinion.trace
---@field experiment pinion.experiment
local pinion = {}

---A number that is read exactly: an integer, a float (0.1 is 1/10; at most 15 significant digits),
---text such as "107/3" or "0.1", or a value of pinion.exact.
---@alias pinion.ExactLike integer|number|string|pinion.Exact

---Runs one policy on a workload. Mistakes raise errors that point at the caller's line.
---@param options pinion.RunOptions|pinion.TandemRunOptions|pinion.MakespanRunOptions|pinion.ClusterRunOptions|pinion.DagRunOptions
---@return pinion.Result|pinion.TandemResult|pinion.MakespanResult|pinion.ClusterResult|pinion.DagResult result tostring gives aligned text
function pinion.run(options) end

---Runs several policies on the same workload, over replicas if asked to.
---@param options pinion.CompareOptions|pinion.TandemCompareOptions|pinion.MakespanCompareOptions|pinion.ClusterCompareOptions|pinion.DagCompareOptions
---@return pinion.Comparison|pinion.TandemComparison|pinion.MakespanComparison|pinion.ClusterComparison|pinion.DagComparison comparison tostring gives aligned text
function pinion.compare(options) end

---Compares policies over a grid of settings: every combination of what varies is a comparison on
---the same random numbers.
---@param options pinion.SweepOptions|pinion.TandemSweepOptions|pinion.MakespanSweepOptions|pinion.ClusterSweepOptions|pinion.DagSweepOptions
---@return pinion.Sweep|pinion.TandemSweep|pinion.MakespanSweep|pinion.ClusterSweep|pinion.DagSweep sweep tostring gives aligned text
function pinion.sweep(options) end

---Finds good values of a policy's parameters: races configurations on the same random numbers, and
---compares the best one with the defaults on fresh ones.
---@param options pinion.TuneOptions beside these, the model's options of a run
---@return pinion.Tune|nil tune tostring gives aligned text; nil: with a shard, which is a part of a step
function pinion.tune(options) end

---Every policy, or those of a model.
---@param model? string
---@return pinion.Policy[]
function pinion.policies(model) end

---A policy from its source text, to be given as `policy` or in `policies`. It runs in a Lua state
---of its own, so functions and variables of the calling script are not there.
---@param text string what a policy's file would hold
---@return pinion.PolicyText
function pinion.policy(text) end

---A stream of random numbers. The same three numbers always give the same stream; others give
---independent ones. Workloads draw from purpose 0 of their seed and replica, and from the few after
---it.
---@param seed integer
---@param replica? integer 0..2^32-1; default 0
---@param purpose? integer 0..2^32-1; default 0
---@return pinion.RandomStream
function pinion.random(seed, replica, purpose) end

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

---What of a log is drawn; charts only, traces have all of it.
---@class pinion.ChartOptions
---@field title? string default: the policy and the makespan, or the mean of the jobs'
---@field from? number begin at this time, as the log has times; default: its beginning
---@field to? number end at this time; default: its end
---@field job? integer|integer[] draw these jobs only
---@field group? string|string[] draw jobs of these groups only; of a result, as a log does not name groups
---@field node? integer|integer[] draw these nodes only

---Draws a decision log of the makespan, cluster or dag model: what ran where and when. Where bars
---are too small to be told apart, the chart shows over time how many slots each job has. The eight
---largest jobs have a colour, the others share a neutral one. Logs of the slotted and tandem models
---do not say when jobs arrive: `gantt` of a result draws these. A log that is broken off, or names
---what cannot be, raises an error FILE:LINE: …; what `output` held before stays as it was.
---@param log string the file that `log` of a run named
---@param output string ending in .svg, a chart, or in .json, trace events for Perfetto where a unit of time is shown as a second (cluster, dag: a millisecond as itself)
---@param options? pinion.ChartOptions
function pinion.gantt(log, output, options) end

---Draws the stages of a job of the dag model, with its critical path: the longest one by the
---longest task of each stage. At most 2000 stages are drawn.
---@param work pinion.Workload
---@param output string ending in .svg
---@param options? { job: integer?, seed: integer?, replica: integer?, title: string? } job: from 1, default 1; default title: what the job is called
function pinion.graph(work, output, options) end

return pinion
