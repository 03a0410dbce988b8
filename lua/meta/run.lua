---@meta

-- ---- options of runs ---------------------------------------------------------------------------
-- What runs, comparisons and sweeps of all models have in common.

---What the statistics leave out at the start: a number of jobs, { jobs = n }, { slots = n } (jobs
---arriving in the first n slots), or text such as "500slots"; "auto": the jobs that MSER finds in
---each run, which then runs twice. Flow times, their mean and their groups are then of the jobs
---behind it; total_flow_time, bounds, ratios and the digest stay those of all jobs.
---@alias pinion.Warmup integer|string|{ jobs: integer?, slots: integer? }

---So many buckets of equal width for the sizes of jobs, max(map, shuffle), and one for all larger
---jobs; or text such as "400x0.25".
---@alias pinion.SizeBuckets string|{ buckets: integer, width: number }

---Metrics beside those of the model: names of built-in ones in the array part, and functions of
---a job by name. They get a finished job, with the fields of its row and of the workload, and
---return a number, a boolean (1 or 0, so that the mean is a share), or nil to leave the job out. Of
---metric late, results have late (statistics), mean_late, and with replicas mean_late_half.
---@alias pinion.Metrics table<integer|string, "slowdown"|"fairness"|"deadlines_met"|fun(job: table): number|boolean|nil>

---What runs, comparisons and sweeps of every model take.
---@class pinion.SharedOptions
---@field model? "slotted"|"tandem"|"makespan"|"cluster"|"dag" default: that of the workload's jobs, slotted where it can make several
---@field budget? integer|false Lua instructions that one call of a policy may take; 0 or false: no limit; default 10000000
---@field memory? integer|string bytes that a policy written in Lua may hold; default "64MiB"
---@field compile? boolean false: all functions of a policy written in Lua run in Lua; the decisions are the same; default true
---@field params? table<string, any> parameters of policies, and of the makespan, cluster and dag models: numbers, in all but the slotted model also words, booleans and lists of job ids; those of other policies are ignored
---@field workload pinion.WorkloadLike
---@field attributes? pinion.AttributeDefaults beside a table of jobs: what they carry besides, by name, with what jobs have that say nothing
---@field bounds? "none"|"fast"|"tight" default fast
---@field metrics? pinion.Metrics beside those of the model
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
---@field resume? boolean resume from the checkpoint when the file is there; it must be one of this very run

---@class pinion.SharedCompareOptions: pinion.SharedOptions
---@field policies? pinion.PolicyReference[] default fifo, fair, lrpt, asrpt, psrpt; of the tandem model fcfs, ps, klps, maxsrpt, splitsrpt, bsrpt; of the makespan model fifo, mk_jr, uaas, balanced_pools, portfolio, neh, local_search; of the cluster model fifo, fair, hsrtf-pu, hsrtf-pr, hsrtf-prp; of the dag model fifo, fair, drf, srpt, tetris; of workload rtmr there rtmr, rtmr-live, dc, fifo
---@field replicas? integer default 1; more need a generator, or errors in sizes, or in the cluster and dag models anything that they draw: replica 0 has the seed, the others seeds that follow from it
---@field baseline? pinion.PolicyReference|table<string, any> the policy that the others are compared to; default the first. Of a sweep also values of what varies that rows are compared with: { machines = 90 }, or { policy = "fifo", machines = 90 }
---@field processes? integer processes that share the replicas, 1..256; default one per core. Results do not depend on it
---@field store? string a folder: every finished run is kept there, and those that are there are not run again; any number of processes on any machines may use it at once
---@field shard? string with store: "7/100" runs what is missing of part 7 of 100 only, and gives nil: without shard the result comes
---@field only_stored? boolean with store: nothing is run; what is missing is an error
---@field retry? boolean with store: what is stored as failed is run again
---@field store_key? string with store: needed where functions of the script make the workload or a metric; a text that changes whenever they do
---@field until_half? string|number more replicas until the half width of every 95 % interval is at most this share of the mean: 0.01, "1%" or "mean_slowdown=1%"; replicas is then the first round, default 10, and each round adds half of what there is
---@field replicas_most? integer with until_half: no more than so many; default 1000

---What pinion.tune takes beside the options of a run of the model, such as machines and workload.
---@class pinion.TuneOptions
---@field policy pinion.PolicyReference
---@field over table<string, any>|{ [1]: string, [2]: any }[] parameters and what they may be: "1..200", "0.01..10.0:log", or an array of values and ranges ({ 1, 2, "10..30:10" }, { "a", "b" }), which may hold when = function(values) … end, a condition on the parameters before it; by name in sorted order, or an array of { name, values }
---@field goal? string a measure of results in long form, such as "mean_flow_time" or "flow_time_p99"; default: the mean that comparisons go by
---@field maximize? boolean the goal is to be large
---@field subject_to? string[] limits, such as { "mean_slowdown<=5" }
---@field runs? integer that the search may take; default 1000
---@field replicas? integer fresh ones, for the comparison at the end; default 20
---@field reference? pinion.PolicyReference a policy that is compared there, too
---@field also? pinion.Workload[] further workloads; goals are then relative to the defaults
---@field weights? number[] of the workloads; default: equal
---@field processes? integer 1..256; default one per core. Results do not depend on it
---@field store? string as of comparisons; a search that was interrupted continues
---@field shard? string with store: "1/3" does this part of the step that is next, and gives nil
---@field only_stored? boolean with store: nothing is run; what is missing is an error
---@field retry? boolean with store: what is stored as failed is run again
---@field store_key? string as of comparisons

---@class pinion.PlotOptions
---@field kind? "cdf"|"bars"|"convergence"|"slowdown" default cdf; convergence shows the running mean with its interval over replicas, or over the jobs of one run; slowdown, in the tandem model, the mean slowdown by size of job
---@field of? string cdf: flow_time, in the tandem model response_time (default) or slowdown, in the cluster model makespan (default), waiting_time or execution_time, in the dag model jct (default), waiting or slowdown_permille; bars: a field of the rows, by default the ratio when there are bounds; convergence: a mean or a ratio, by default the first mean
---@field group? string of a cdf: the jobs of this group only
---@field log_x? boolean of a cdf; default: when times span more than two decades; of slowdown: default false
---@field title? string

---@class pinion.SweepPlotOptions
---@field kind? "lines"|"heat" lines (default) over x, or heat: a map of two settings, x and the next one that varies, for each policy
---@field x? string what the axis shows; default: what varies first
---@field of? string a field of the rows; default: the first mean
---@field where? table<string, any> a value for other things that vary; those without one make panels side by side, 12 at most
---@field log_x? boolean
---@field log_y? boolean
---@field title? string
