---@meta

-- ---- results -----------------------------------------------------------------------------------
-- What results, comparisons and sweeps of all models have in common.

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
---@field count integer batches, at most 63; at least 20 with an interval
---@field mean number
---@field half number|nil half width of the 95 % interval of the run's mean; nil where there is none, see no_interval
---@field means number[]

---Jobs in the system as arrivals see it (slotted: at the start of an arrival's slot), as means of
---equally many consecutive arrivals; at most 63 of them. The tandem model looks at every arrival at
---first, later at one of 64 and takes it for those around it.
---@class pinion.NumberInSystem
---@field [integer] number
---@field jobs integer arrivals behind each mean

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
---@field replica integer which replica of a generator, from 0
---@field submitted integer jobs that have arrived
---@field attributes string[]|nil names of what jobs carry besides, sorted
---@field finished integer jobs
---@field complete boolean whether every job has finished
---@field stopped string|nil what ended a run with jobs left, such as "before 900000 ms (until_time)"
---@field relaxed boolean a lower bound rather than a schedule
---@field error string|nil distribution of the error in sizes
---@field measured integer finished jobs behind the warm-up
---@field warmup_found "whole"|"half"|nil with warmup "auto": MSER found `warmup`; "half": it may be longer than that half of the run
---@field warmup_suggested integer|nil jobs that MSER would leave out, where they move the mean by more than half of the half width that it has without them; nil with a warm-up
---@field batches pinion.Batches|nil nil before the first job has finished
---@field no_interval string|nil why the mean has no interval
---@field number_in_system pinion.NumberInSystem|nil nil in the makespan model
---@field quantile_limits table<string, number[]>|nil low and high of the 95 % interval of p50, p90, p99 and p999, those that the number of jobs allows; nil where jobs depend on each other
---@field no_quantile_limits string|nil why there are none
---@field quarters number[]|nil number_in_system in four means; nil below 100 arrivals
---@field growing boolean whether the number in the system was still growing when arrivals ended: means then depend on the length of the run
---@field continue_from string|nil the checkpoint that holds the state in which the run ended
---@field recorded pinion.Timeline|nil what result:timeline() shows; nil: none was asked for
local SharedResult = {}

---Writes one number a row: policy, replica, group, metric, value, and the limits of the 95 %
---interval of what is estimated.
---@param path string
function SharedResult:long(path) end

---Writes an SQLite database: its runs, their numbers, and the jobs where
---the result has their rows. An error where the build has no SQLite.
---@param path string
function SharedResult:db(path) end

---Writes the tables as Markdown.
---@param path string
function SharedResult:markdown(path) end

---Writes the tables for LaTeX: tabular with \hline, which needs no package.
---@param path string
function SharedResult:latex(path) end

---Draws a figure with gnuplot: kind "cdf", "convergence" of the mean over the jobs, from batches,
---or in the tandem model "slowdown", by size.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedResult:plot(path, options) end

---Writes a page with charts: one file that needs no other and no network.
---@param path string
---@return boolean written false, with a message on standard error, when the build has no dygraphs
function SharedResult:page(path) end

---Says why a job took its time: makes the run once more, with its decision log, and again to ask
---the policy's order when its waits begin. Results of pinion.run only. O(decisions + waits * jobs
---log jobs).
---@param job integer its number
---@return pinion.Explanation made tostring gives what `pinion explain` prints
function SharedResult:explain(job) end

---Shows what happened over time, in buckets of equal length: what the run recorded, where it was
---asked to (timeline = N) and no number of buckets is given; else it makes the run once more, which
---results of pinion.run only can. O(decisions + buckets).
---@param buckets? integer default: as recorded, else 200
---@return pinion.Timeline made tostring gives a table
function SharedResult:timeline(buckets) end

---Draws what ran where and when: makes the run once more. Results of pinion.run only. Groups of the
---workload have colours. O(decisions).
---@param path string ends in .svg, a chart, or in .json, trace events (not slotted, tandem)
---@param options? pinion.ChartOptions
function SharedResult:gantt(path, options) end

---Says where the schedules of two runs on the same jobs part, and which jobs gain or lose by it:
---makes both runs once more. Results of pinion.run only. O(decisions).
---@param other pinion.Result the second
---@return pinion.Difference made tostring gives what `pinion diff` prints
function SharedResult:diff(other) end

---Says who ran and who waited at an instant, in the same way.
---@param time number as the model has times: a slot; cluster, dag: ms
---@return pinion.Instant made tostring gives what `pinion explain --time` prints
function SharedResult:instant(time) end

---The life of a job. Its phases lie end to end from its arrival to its finish; times are as the
---model has them, where the slotted model ends a stretch before a slot in which nothing of it
---happens.
---@class pinion.Explanation
---@field job integer
---@field model string
---@field policy string
---@field state "finished"|"unfinished"|"failed"|"rejected"
---@field arrival number
---@field finish number|string|nil as rows have it; "p/q" where the makespan model has no integer; nil: it has not finished
---@field time number from its arrival to its finish, or to the end of the run
---@field phases pinion.ExplainedPhase[]
---@field unordered string|nil why nothing is said of the policy's order

---@class pinion.ExplainedPhase
---@field phase string such as "mapping" or "waiting for a map slot"
---@field waits_for string|nil of a wait: "map", "reduce", "shuffle" or "task"
---@field from number|string
---@field to number|string
---@field start number `from` as a float
---@field finish number `to` as a float
---@field time number
---@field held { job: integer, share: number }[]|nil of a wait: up to five jobs that held most of what it waited for, with their shares of what there was, or where that is not known of what was held
---@field others integer|nil how many more jobs held some of it
---@field nobody number|nil the share that nobody held; nil where what there was is not known
---@field down number|nil the share of nodes that were down; nil where there are no nodes
---@field first_chance { time: number|string, job: integer }|nil the first time in the wait at which another job got what would have done for this one, and which: then it would have run, had it been the first
---@field orders pinion.OrderAt[]|nil of a wait: where the policy has the job when it begins, and at the first chance; nil where the policy has no order

---Where a policy has a job as it decides at a time; where it does not decide then, when all that
---happens at that time has happened.
---@class pinion.OrderAt
---@field time number|string
---@field key_name string|nil what it goes by, with its unit; nil: it does not rank the job then
---@field key number|nil of the job, as the policy computed it last; nil: its place says all
---@field second number|nil the second number of its key, which decides between jobs with the same first one
---@field note string|nil what there is to say besides, such as "at its share"
---@field ahead { job: integer, key: number|nil, second: number|nil, note: string|nil }[] the first five of the jobs ahead of it
---@field more integer how many more there are

---From the first arrival, in buckets of equal length: to the last finish, or where it was recorded
---to the end of the bucket that this lies in.
---@class pinion.Timeline
---@field model string
---@field from number
---@field to number
---@field count integer buckets
---@field width number of each; recorded, a power of two of the kernel's unit of time
---@field recorded boolean|nil true: during the run
---@field unit number of time on the axis of figures
---@field axis string what stands there
---@field names string[] of the series: jobs, queue (that hold nothing), what is in use of each kind and resource; of logs also waiting (for their first start) and queue and kinds of each group; recorded in the slotted model also backlog
---@field titles string[]|nil what each of these says, of logs
---@field runs { policy: string, series: table<string, number[]>, capacity: table<string, number> }[] means of each bucket, and what there is of a kind, where that is known

---Two schedules of the same jobs.
---@class pinion.Difference
---@field model string
---@field policies string[]
---@field parting { alike: integer, time: number, lines: string[], instant: pinion.Instant }|nil the first decision that differs: lines of the logs before it, its time, what each log has there, and who ran then in the first; nil: all are the same
---@field jobs { job: integer, arrival: number, times: number[], delta: number }[] that finished in both, by number; their times in the system, and what the second takes longer
---@field only integer[] jobs that did not finish in both
---@field sooner integer jobs that the second finishes sooner
---@field later integer
---@field same integer
---@field mean number|nil of the deltas; nil: no job finished in both
---@field quantiles table<string, number> of the deltas: p5, p25, p50, p75 and p95
---@field groups { group: string, jobs: integer, sooner: integer, later: integer, mean: number }[]|nil those of `pinion diff` with a workload

---Who ran and who waited.
---@class pinion.Instant
---@field time number
---@field ordered boolean|nil whether those that wait are in the policy's order
---@field unordered string|nil why they are not
---@field model string
---@field policy string
---@field running { job: integer, arrival: number, holds: table<string, number>, key_name: string|nil, key: number|nil, second: number|nil, note: string|nil, waits_for: string|nil }[] in order of arrival; what each holds: machines, slots, rates or tasks by kind; where the policy has it in an order, the key, as in pinion.OrderAt
---@field waiting { job: integer, arrival: number, key_name: string|nil, key: number|nil, second: number|nil, note: string|nil, waits_for: string|nil }[] in the policy's order when all that happens at the time has happened, by the first kind that they wait for; where there is none in order of arrival

---Of replicas, mean is the mean of theirs, and quantiles are of all their jobs pooled.
---@class pinion.PooledFlowTime: pinion.FlowTime
---@field mean_half number|nil half width of the 95 % interval over replicas
---@field p50_half number|nil half width of the 95 % interval, by the replicas' own values around it; of these too
---@field p90_half number|nil
---@field p99_half number|nil
---@field p999_half number|nil

---The same of the tandem model, where pooled quantiles are within 1 %.
---@class pinion.PooledStatistics: pinion.Statistics
---@field mean_half number|nil half width of the 95 % interval over replicas
---@field p50_half number|nil half width of the 95 % interval, by the replicas' own values around it; of these too
---@field p90_half number|nil
---@field p99_half number|nil
---@field p999_half number|nil

---Quantiles over the jobs of all replicas, with half the widths of their 95 % intervals.
---@class pinion.PooledQuantiles
---@field p50 number|nil
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil
---@field max number|nil
---@field p50_half number|nil half width of the 95 % interval, by the replicas' own values around it; of these too
---@field p90_half number|nil
---@field p99_half number|nil
---@field p999_half number|nil

---With replicas, numbers are means over these, `…_sd` is the standard deviation between them and
---`…_half` the half width of the mean's 95 % interval; quantiles are of all jobs pooled.
---@class pinion.SharedComparisonRow
---@field differs boolean true: the decisions of some replicas differ; false: all are alike
---@field alike? boolean true: in every row the first measure is the same in all replicas, so there are no intervals of it
---@field policy string
---@field relaxed boolean
---@field finished integer jobs over all replicas
---@field measured integer finished jobs behind the warm-up, over all replicas
---@field warmup_jobs integer[]|nil with warmup "auto": the jobs that were left out, by replica
---@field difference number|nil mean flow or response time minus the baseline's, by replica (common random numbers); nil for the baseline
---@field difference_half number|nil half width of its 95 % interval
---@field relative number|nil mean flow or response time over the baseline's
---@field relative_half number|nil half width of its 95 % interval
---@field wins integer|nil replicas with a smaller mean than the baseline's
---@field difference_p number|nil how likely chance gives a mean of the differences as far from 0: Student's t test; nil with one replica
---@field wins_p number|nil how likely chance gives signs of the differences as uneven: the sign test
---@field significant "mean"|"wins"|nil the test that is significant at 5 % with Holm's correction for all policies but the baseline and relaxed ones; nil: neither
---@field p50 number|nil of flow or response times
---@field p90 number|nil
---@field p99 number|nil
---@field p999 number|nil
---@field max number|nil
---@field p50_half number|nil half width of the 95 % interval, by the replicas' own values around it; of all replicas
---@field p90_half number|nil
---@field p99_half number|nil
---@field p999_half number|nil
---@field quarters number[]|nil number in the system, averaged over replicas
---@field growing boolean
---@field recorded pinion.Timeline|nil of the only replica; nil: none was asked for
---@field samples table<string, number[]> the means and ratios of every replica, by name
---@field differences number[] by replica
---@field counts table<number, number>|nil how often each flow or response time occurred (within 1 % where these are many real numbers); nil in sweeps
---@field digest string of the only replica, or the digests of all mixed in their order

---@class pinion.SharedComparison
---@field model string
---@field workload string what titles call it
---@field error string|nil distribution of the error in sizes
---@field bounds "none"|"fast"|"tight" that were asked for
---@field replicas integer
---@field replica integer the first of them
---@field drawn boolean whether replicas differ, so that there can be several
---@field baseline string
---@field growing boolean whether the number in the system was still growing under some policy
---@field idle number|nil the share of their time that machines, stations or slots worked, where it is below 0.1, there are 30 jobs or more, and the policies' means are within 1 % of each other; else nil
---@field seed integer
---@field submitted number jobs of a replica, on average
local SharedComparison = {}

---The timelines that the runs recorded (timeline = N), as one, in the widest buckets of any. An
---error where they have none in common: policies of the makespan model that count in ticks of
---different fineness, or one that rejects the first jobs.
---@return pinion.Timeline made tostring gives a table
function SharedComparison:timeline() end

---Writes one row per policy, and one per group of jobs.
---@param path string
function SharedComparison:csv(path) end

---Writes one number a row: policy, replica, group, metric, value, and the limits of the 95 %
---interval of what is estimated.
---@param path string
function SharedComparison:long(path) end

---Writes an SQLite database: runs, their numbers, and what all replicas
---estimate. An error where the build has no SQLite.
---@param path string
function SharedComparison:db(path) end

---Writes everything as JSON.
---@param path string
function SharedComparison:json(path) end

---Writes the tables as Markdown.
---@param path string
function SharedComparison:markdown(path) end

---Writes the tables for LaTeX: tabular with \hline, which needs no package.
---@param path string
function SharedComparison:latex(path) end

---Draws a figure with gnuplot; its data (.dat) and script (.gp) stay beside it.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.PlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedComparison:plot(path, options) end

---Writes a page with charts: one file that needs no other and no network.
---@param path string
---@return boolean written false, with a message on standard error, when the build has no dygraphs
function SharedComparison:page(path) end

---The result of tuning.
---@class pinion.Tune
---@field model string
---@field policy string label of the policy
---@field goal string
---@field maximize boolean
---@field limits string[]
---@field over { name: string, values: any[]|nil, low: number|nil, high: number|nil, log: boolean|nil, integer: boolean|nil }[]
---@field runs integer that were allowed
---@field used integer
---@field races integer
---@field seeds integer on which the best ones were compared
---@field seed integer
---@field drawn boolean whether replicas differ
---@field relative boolean whether the goal is relative to the defaults, as that of several workloads is
---@field best table<string, any> values
---@field best_policy string the best policy, as the command line names it
---@field is_default boolean whether the defaults are the best
---@field feasible boolean whether the best one keeps to the limits, as far as the search knows
---@field configurations pinion.TuneConfiguration[] the best ones in their order, then those that dropped out, the last ones first
---@field comparisons (pinion.Comparison|pinion.TandemComparison|pinion.MakespanComparison|pinion.ClusterComparison|pinion.DagComparison)[] by workload, on fresh seeds: default, tuned, and the reference
---@field measures pinion.TuneMeasure[][] by workload: the goal and the limited measures of each policy there
---@field pinion string version
local Tune = {}

---A configuration that ran.
---@class pinion.TuneConfiguration
---@field values table<string, any>
---@field mean number|nil of the goal over its seeds; nil: some run came to nothing
---@field mean_half number|nil
---@field difference number|nil difference to the best one, over the seeds that it had
---@field difference_half number|nil
---@field seeds integer
---@field race integer in which it came
---@field dropped integer|nil the race in which it dropped out; nil: it is among the best
---@field feasible boolean whether it keeps to the limits
---@field default boolean

---@class pinion.TuneMeasure
---@field measure string
---@field policy string
---@field mean number|nil
---@field mean_half number|nil
---@field difference number|nil paired, to the defaults
---@field difference_half number|nil

---Writes one row per configuration.
---@param path string
function Tune:csv(path) end

---Writes everything as JSON.
---@param path string
function Tune:json(path) end

---Writes the tables as Markdown.
---@param path string
function Tune:markdown(path) end

---Writes the tables for LaTeX: tabular with \hline, which needs no package.
---@param path string
function Tune:latex(path) end

---Writes a page with the response along each parameter.
---@param path string
---@return boolean written false, with a message on standard error, when the build has no dygraphs
function Tune:page(path) end

---@class pinion.SharedSweep
---@field model string
---@field pinion string version
---@field seed integer|nil nil when it varies
---@field bounds "none"|"fast"|"tight" that were asked for
---@field over { name: string, values: any[] }[]
---@field replicas integer of every cell; with until_half the most, and rows have their own
---@field own_replicas boolean whether each cell has its own number of replicas
---@field replica integer the first of them
---@field cells integer of the grid
---@field cells_complete integer the same: an interrupted sweep gives no result
---@field drawn boolean whether replicas differ, so that there can be several
---@field baseline string
---@field growing boolean
local SharedSweep = {}

---Writes one row per cell and policy, and one per group of jobs.
---@param path string
function SharedSweep:csv(path) end

---Writes one number a row: the values of the cell, policy, replica, group, metric, value, and the
---limits of the 95 % interval of what is estimated.
---@param path string
function SharedSweep:long(path) end

---Writes an SQLite database: cells, runs, their numbers, and what all
---replicas estimate. An error where the build has no SQLite.
---@param path string
function SharedSweep:db(path) end

---Writes everything as JSON.
---@param path string
function SharedSweep:json(path) end

---Writes the tables as Markdown.
---@param path string
function SharedSweep:markdown(path) end

---Writes the tables for LaTeX: tabular with \hline, which needs no package.
---@param path string
function SharedSweep:latex(path) end

---Draws a line per policy, with intervals over replicas.
---@param path string ends in .svg, .png or .pdf
---@param options? pinion.SweepPlotOptions
---@return boolean drawn false, with a message on standard error, when gnuplot is not installed
function SharedSweep:plot(path, options) end

---Writes a page with charts: one file that needs no other and no network.
---@param path string
---@return boolean written false, with a message on standard error, when the build has no dygraphs
function SharedSweep:page(path) end
