---@meta

-- ---- workloads ---------------------------------------------------------------------------------
-- Where jobs come from: generators, traces, files and lists.

---A description of a workload: a generator, a trace, a list. Open to any number of runs.
---@class pinion.Workload
---@field kind "zheng"|"bursts"|"facebook"|"lin"|"theorem2"|"corollary4"|"corollary6"|"nmts"|"rand_many"|"rand_few"|"one_wave"|"t1_like"|"straggler"|"fb_mild"|"fb_lognorm"|"hsrtf"|"rtmr"|"swim"|"rumen"|"google"|"swf"|"dag"|"wfcommons"|"tpch"|"alibaba"|"script"|"jobs"
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
---it: numbers of slots in the makespan model; nodes and params in the cluster model; resources and
---nodes in the dag model. A trace is read for it. Empty for others. Runs, comparisons and sweeps
---take of it what is not given, parameters one by one (a sweep over workloads that of its first
---one).
---@param model? string default: the only one of which it makes jobs
---@return { map_slots: integer?, reduce_slots: integer?, resources: string[]?, nodes: table[]?, params: table<string, any>? }
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

---A workload, a SPEC string such as "zheng:0,seed=7", "lin,load=0.9" or "mine.lua,load=0.9", a
---table of jobs of one model, or a function that makes the jobs, by itself or in a definition.
---@alias pinion.WorkloadLike pinion.Workload|string|pinion.Job[]|pinion.TandemJob[]|pinion.MakespanJob[]|pinion.ClusterJob[]|pinion.DagJob[]|fun(g: pinion.JobGenerator)|pinion.WorkloadDefinition

---Text such as "exp(5)", "uniform(1,9)", "lognormal(10,4)", "normal(10,4)", "pareto(1.5,2)",
---"poisson(3)", "weibull(0.5,2)", "gamma(2,3)", "erlang(3,9)", "hyperexp(0.9,1,0.1,20)",
---"zipf(1.1,100)", "empirical(1,2,30)", "empirical(FILE)",
---"mixture(0.9,exp(2),0.1,uniform(5,9))", "truncated(pareto(1.1,1),1,1000)", or a constant.
---@alias pinion.Distribution string|number

-- ---- workloads written in Lua ------------------------------------------------------------------
-- A workload's file returns a pinion.WorkloadDefinition. Its function runs in a sandbox as a
-- policy's do.

---What a workload's file returns.
---@class pinion.WorkloadDefinition
---@field name string 1 to 31 letters, digits, _, - and dots; may be missing where the definition stands in a script
---@field model "slotted"|"tandem"|"makespan"|"cluster"|"dag" whose jobs it makes; may be missing where the definition stands in a script and the run says it
---@field generate fun(g: pinion.JobGenerator) makes the jobs, each by g:job, in the order of their arrival
---@field summary? string one line; default: the file's first comment
---@field params? table<string, pinion.WorkloadParameterDefinition> at most 32: the options of a SPEC, and what sweeps vary
---@field groups? string[] the names of all groups; default: those that the jobs of replica 0 have, if its first job has one
---@field attributes? table<string, number|string[]> names of up to 8 numbers that every job carries, and what jobs have that do not give them; or lists of all texts, of which the first is that of jobs without one
---@field estimates? boolean jobs may carry estimates; default: whether the first job does (slotted and tandem)
---@field queues? string[] dag: the names of all queues that jobs name; default: no job names one
---@field ticks? integer makespan: durations are whole numbers of 1/ticks of a unit of time; default 1

---A parameter of a workload.
---@class pinion.WorkloadParameterDefinition
---@field default number|boolean|string an integer (1) allows integers only, a float (1.0) any number; a string without choices allows any text
---@field doc? string one line that says what it does
---@field integer? boolean of a number: true: integers only; default: as its default is written
---@field min? number
---@field max? number
---@field choices? string[] words of which the default is one

---What draws random numbers, from a stream of its own: the same wherever it runs.
---@class pinion.RandomStream
local RandomStream = {}

---@param low integer
---@param high integer
---@return integer number low..high
function RandomStream:random(low, high) end

---@return number number in the open interval (0, 1)
function RandomStream:uniform() end

---@param p number 0..1
---@return boolean true with this probability
function RandomStream:chance(p) end

---@param mean number >= 0
---@return number
function RandomStream:exponential(mean) end

---@param mean number 0..10^6
---@return integer
function RandomStream:poisson(mean) end

---@param mean number
---@param sd number >= 0
---@return number
function RandomStream:normal(mean, sd) end

---@param mean number of the variate itself, > 0
---@param sd number of the variate itself, >= 0
---@return number
function RandomStream:lognormal(mean, sd) end

---@param shape number > 0
---@param scale number > 0
---@return number
function RandomStream:pareto(shape, scale) end

---A size: what is drawn is rounded up, and at least 1.
---@param distribution pinion.Distribution
---@return integer
function RandomStream:draw(distribution) end

---A real number >= 0: what is negative counts as 0.
---@param distribution pinion.Distribution
---@return number
function RandomStream:real(distribution) end

---The mean of a distribution, before anything is rounded; infinite where it is.
---@param distribution pinion.Distribution
---@return number
function RandomStream:mean(distribution) end

---A process of arrivals, such as "mmpp(0.5,200,8,20)", which begins at time 0.
---@param process pinion.Arrivals
---@return pinion.ArrivalProcess
function RandomStream:arrivals(process) end

---A process of arrivals that is under way; it draws from the stream that it was made by.
---@class pinion.ArrivalProcess
local ArrivalProcess = {}

---@return number time of the next arrival, which never decreases
function ArrivalProcess:next() end

---The generator, with which a workload's function makes its jobs. Its own draws are from the stream
---of the workload's seed and replica.
---@class pinion.JobGenerator: pinion.RandomStream
---@field params table<string, any> values of the parameters, read-only
---@field seed integer
---@field replica integer
local JobGenerator = {}

---The next job. Jobs come in the order of their arrival; a time of arrival that is no integer is
---rounded up where the model's are. In the slotted model `reduces` may be a number of units, which
---is cut into `tasks` near-equal tasks; in the tandem model `gap`, since the job ahead, may stand
---for `arrival`, in every job.
---@param job pinion.Job|pinion.TandemJob|pinion.MakespanJob|pinion.ClusterJob without a name; its group is a text
function JobGenerator:job(job) end

---A stream of its own, for what must not shift the other draws: two workloads that differ in one
---thing only see the same random numbers for the others.
---@param purpose integer 0..31; 0 begins as the generator's own
---@return pinion.RandomStream
function JobGenerator:stream(purpose) end

---Text such as "poisson(2)", "regular(5)", "renewal(uniform(1,9))", "mmpp(1,50,9,5)",
---"diurnal(2,0.8,24)", "rates(0:1;8:5;20:2,24)", "rates(FILE)", "batches(0.2,zipf(1,9))".
---@alias pinion.Arrivals string

---What all workloads take whose jobs arrive.
---@class pinion.ArrivalOptions
---@field arrivals? pinion.Arrivals|"keep" a process that replaces the times of arrival, in the model's unit of time; "keep": with resample="jobs"
---@field resample? integer|string jobs drawn with replacement: so many, or "blocks(1h)", "blocks(1h,500)", "jobs", "jobs(500)"; jobs come with the arrivals of `arrivals`, of the workload ("keep"), or Poisson ones as frequent as those of the workload
---@field group? "size" classes of sizes are the groups of the jobs

---@class pinion.ChangeOptions: pinion.ArrivalOptions
---@field load? number the load that the jobs are scaled to, of the machines, or of the busier stations or slots
---@field load_by? "arrivals"|"sizes" what load scales: the distances between arrivals, or the sizes; arrivals unless given

---What jobs carry besides, by name: the default, a number or a text, or texts that begin with it.
---@alias pinion.AttributeDefaults table<string, number|string|string[]>

---What traces and lists of jobs take besides.
---@class pinion.TraceOptions: pinion.ChangeOptions
---@field replicas? string "windows(24)": each replica is one of so many parts of equal duration

---@class pinion.ListOptions: pinion.TraceOptions
---@field group? string a text attribute whose texts are the groups of the jobs, or "size"
---@field attributes? pinion.AttributeDefaults what jobs carry besides, by name, with what jobs have that say nothing

---@class pinion.workload
local workload = {}

---@class pinion.ZhengOptions: pinion.ChangeOptions
---@field setting? integer 0..3: maps and reduces of the paper's figures 5-8; default 0
---@field maps? pinion.Distribution map units of a job
---@field reduces? pinion.Distribution reduce units of a job
---@field rate? number mean arrivals in a slot; default 2
---@field slots? integer slots with arrivals; default 500
---@field tasks? integer|pinion.Distribution reduce tasks of a job, at most; default 10
---@field seed? integer default 1

---Poisson arrivals with random sizes, as in Zheng, Shroff, Sinha (2013).
---@param options? pinion.ZhengOptions
---@return pinion.Workload
function workload.zheng(options) end

---@class pinion.BurstsOptions: pinion.ChangeOptions
---@field chance? number probability that a slot brings a burst; default 0.01
---@field burst? integer jobs of a burst; default 20
---@field maps? pinion.Distribution map units of a small job; default 1
---@field reduces? pinion.Distribution reduce units of a small job; default 1
---@field giant? number probability that a job is a giant; default 0.05
---@field giant_maps? pinion.Distribution default 2000
---@field giant_reduces? pinion.Distribution default 1
---@field tasks? integer|pinion.Distribution reduce tasks of a job, at most; default 10
---@field slots? integer slots with arrivals; default 10000
---@field seed? integer default 1

---Bursts of small jobs with a few giants among them; "small" and "giant" are the workload's groups.
---With the defaults and 40 machines it is an example inside the model of Zheng, Shroff, Sinha
---(2013) in which ASRPT takes more than twice the flow time of another policy.
---@param options? pinion.BurstsOptions
---@return pinion.Workload
function workload.bursts(options) end

---@class pinion.FacebookOptions: pinion.ChangeOptions
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
function workload.facebook(options) end

---@class pinion.HsrtfOptions: pinion.ChangeOptions
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
function workload.hsrtf(options) end

---@class pinion.RtmrOptions: pinion.ArrivalOptions
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
function workload.rtmr(options) end

---@class pinion.LinOptions: pinion.ArrivalOptions
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
function workload.lin(options) end

---@class pinion.Theorem2Options: pinion.ChangeOptions
---@field k? integer k^3 + k^2 + k + 1 jobs; default 5
---@field case? integer|string 1: small jobs keep coming; 2: large ones; "auto": as is hard for the policy; default auto
---@field against? string the policy that the adversary watches with "auto"; default: the one that runs

---Tandem model: the adversary of theorem 2 of the same paper. The groups are "type 1" and "type 2".
---@param options? pinion.Theorem2Options
---@return pinion.Workload
function workload.theorem2(options) end

---@class pinion.Corollary4Options: pinion.ChangeOptions
---@field a? number imbalance of the jobs, > 1; default 5
---@field n? integer jobs, an even number; default 20
---@field eps? number less than a - 1; default 0.01

---Tandem model: n/2 jobs (a - eps, 1) and n/2 jobs (1, a) at once, on which maxsrpt is nearly
---2a/(1+a) from the optimum. The groups are "map-heavy" and "shuffle-heavy".
---@param options? pinion.Corollary4Options
---@return pinion.Workload
function workload.corollary4(options) end

---@class pinion.Corollary6Options: pinion.ChangeOptions
---@field b? number imbalance of the jobs, > 1; default 2
---@field n? integer jobs; default 20

---Tandem model: n - 1 jobs (b, 1) and a job (n - 1, (n - 1) b) at once, on which splitsrpt is
---nearly 1 + 1/b from the optimum. The groups are "small" and "large".
---@param options? pinion.Corollary6Options
---@return pinion.Workload
function workload.corollary6(options) end

---@class pinion.NmtsOptions: pinion.ChangeOptions
---@field f integer[]|string positive integers, or text such as "1;2"
---@field g integer[]|string as many
---@field h integer[]|string as many; sum h = sum f + sum g

---Tandem model: the reduction of theorem 1. Some schedule has at most the total response time
---`threshold` of the facts if and only if permutations of f and g add up to h. The groups are "F",
---"G", "H" and "E".
---@param options pinion.NmtsOptions
---@return pinion.Workload
function workload.nmts(options) end

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
function workload.rand_many(options) end

---Makespan model: 20 jobs of few long tasks each.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.rand_few(options) end

---Makespan model: 20 jobs whose stages are one wave of equal tasks.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.one_wave(options) end

---Makespan model: 8 jobs like those of table 1 of Tian, Luo, Tian, Chen: stages of equal tasks, one
---wave on 60 x 60 slots.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.t1_like(options) end

---Makespan model: 20 jobs with a few tasks that last five times as long.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.straggler(options) end

---Makespan model: 50 jobs with heavy-tailed numbers of nearly equal tasks, for 100 x 50 slots.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.fb_mild(options) end

---Makespan model: the same with heavy-tailed lengths of tasks.
---@param options? pinion.BatchOptions
---@return pinion.Workload
function workload.fb_lognorm(options) end

---@class pinion.DagOptions: pinion.ChangeOptions
---@field shape? "layered"|"fork-join"|"chains"|"series-parallel"|"mixed" how stages depend on each other; mixed: drawn for each job, whose group it is; default layered
---@field jobs? integer default 100
---@field gap_ms? number mean ms between arrivals; 0: all at once; default 4000
---@field depth? pinion.Distribution layers of a job, rounds of forks, or stages of a chain; default uniform(2,5)
---@field width? pinion.Distribution stages of a layer or of a fork, or chains; default uniform(1,4)
---@field edges? number layered: probability of each parent beyond the first; default 0.2
---@field stages? pinion.Distribution series-parallel: stages of a job; default uniform(3,15)
---@field tasks? pinion.Distribution tasks of a stage; default uniform(1,20)
---@field duration? pinion.Distribution ms of each task of a stage; default lognormal(4000,4000)
---@field spread? pinion.Distribution factor of each task on it; default 1
---@field demand? string resources, and what each task of a stage holds of them, rounded to the nearest; default cpu:uniform(500,2000);memory:uniform(512,4096)
---@field seed? integer default 1

---Dag model: random jobs whose stages depend on each other. It suggests resources, and ten nodes
---with room for eight tasks each.
---@param options? pinion.DagOptions
---@return pinion.Workload
function workload.dag(options) end

---What the program takes as --workload.
---@param spec string
---@return pinion.Workload
function workload.spec(spec) end

---A list of jobs, checked once for many runs. They are of the tandem model when they have a map or
---shuffle size, of the cluster model when they have a submission.
---@param list pinion.Job[]|pinion.TandemJob[]|pinion.MakespanJob[]|pinion.ClusterJob[]
---@param options? pinion.ListOptions
---@return pinion.Workload
function workload.jobs(list, options) end

---A workload written in Lua, by its file's name or its text: a text has a line break or begins with
---`return`.
---@param source string
---@param options? table<string, any> values of its parameters, seed, and what all workloads take
---@return pinion.Workload
function workload.script(source, options) end

---@class pinion.trace
local trace = {}

---Options of one model are refused in the other.
---@class pinion.SwimOptions: pinion.ArrivalOptions
---@field replicas? string as of pinion.TraceOptions
---@field scale? number|string slotted, makespan and cluster: factor on all bytes, taken as an exact ratio; default 1/100
---@field slot? integer slotted: seconds in a slot; default 10
---@field unit? integer|string slotted: bytes of one unit of work; makespan and cluster: of one map task; default 128MiB
---@field reduce_bytes? integer|string slotted, makespan and cluster: bytes of one reduce task; default 1GiB
---@field load? number tandem: of the map station, whose work is load * span seconds, 0.75 unless given; slotted and cluster: the load that the jobs are scaled to
---@field load_by? "arrivals"|"sizes" slotted and cluster: what load scales; arrivals unless given
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
function trace.swim(file, options) end

---@class pinion.RumenOptions: pinion.TraceOptions
---@field topology? string the trace's topology file: the nodes; missing: the hosts that the trace names
---@field outcome? "success"|"all" success: jobs that succeeded; all: of the others the tasks that did; default success
---@field group? "none"|"user"|"queue"|"priority"|"size" what groups the jobs; default none
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
function trace.rumen(file, options) end

---@class pinion.GoogleOptions: pinion.TraceOptions
---@field group? "none"|"class"|"user"|"priority"|"size" what groups the jobs; default class
---@field deadline_factor? pinion.Distribution deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution deadline of each job, ms after its submission

---Cluster model: task events of Google's cluster trace of 2011, plain or gzip, as jobs of maps
---only. Of the jobs those are taken that are submitted and finish inside the parts, which leaves
---out long ones more often.
---@param file string|string[] the parts in order; in one text joined by +
---@param options? pinion.GoogleOptions
---@return pinion.Workload
function trace.google(file, options) end

---@class pinion.SwfOptions: pinion.TraceOptions
---@field slot? integer slotted: seconds in a slot; default 60
---@field estimates? boolean|string slotted: whether policies see the time that users asked for; default false
---@field status? string jobs that are taken: ran, or words of completed, failed, cancelled and unknown, joined by +; default ran
---@field group? "none"|"user"|"group"|"application"|"queue"|"partition"|"status"|"size" what groups the jobs; default none
---@field attributes? string fields that jobs carry as attributes, joined by +, such as user+queue
---@field first? integer row of the first job; default 1
---@field jobs? integer so many rows from there on; all of them when missing
---@field deadline_factor? pinion.Distribution cluster: deadline of each job, as a factor on its estimated finish alone on the idle cluster
---@field deadline_ms? pinion.Distribution cluster: deadline of each job, ms after its submission

---Slotted and cluster model: a trace of parallel jobs in the Standard Workload Format, plain or
---gzip. A job has a map on each of its processors, which lasts as long as the job ran, and no
---reduces. It suggests the nodes or machines that its header names, and its facts are the header's.
---@param file string|string[] the parts in order; in one text joined by +
---@param options? pinion.SwfOptions
---@return pinion.Workload
function trace.swf(file, options) end

---Dag model: scientific workflows in WfFormat 1.5 of WfCommons, plain or gzip. A file is a job that
---is called as the file is, each of its tasks a stage of one task; all are there at 0. Demands are
---of cpu, in thousandths of a core, and memory, in MiB. It suggests resources and nodes.
---@param file string|string[] the workflows; in one text joined by +
---@param options? pinion.TraceOptions
---@return pinion.Workload
function trace.wfcommons(file, options) end

---@class pinion.TpchOptions: pinion.ChangeOptions
---@field sizes? string|integer sizes of the data in GB, joined by +, such as 2+10; all of them when missing
---@field queries? string|integer numbers of queries, joined by +, such as 1+3; all of them when missing
---@field jobs? integer so many of them, drawn with replacement; missing: each once, in the order of the file
---@field group? "none"|"size"|"query" what groups the jobs; default none
---@field cpu? pinion.Distribution cpus of each task of a stage; missing: 1 beside memory, else an executor
---@field memory? pinion.Distribution memory of each task of a stage; missing: none is demanded
---@field seed? integer default 1

---Dag model: profiles of TPC-H queries on Spark, as JSON; a query at one size of the data is a job,
---and all are there at 0. It suggests resources and nodes.
---@param file string
---@param options? pinion.TpchOptions
---@return pinion.Workload
function trace.tpch(file, options) end

---@class pinion.AlibabaOptions: pinion.TraceOptions
---@field first? integer the first job that is taken, as they come up in the file; default 1
---@field jobs? integer so many jobs from there on; all of them when missing

---Dag model: batch_task.csv of Alibaba's cluster trace of 2018, plain or gzip; a row is a stage.
---Jobs with rows that did not terminate, or without times, are dropped and counted. Demands are of
---cpu, in thousandths of a core, and memory, in millionths of a machine. It suggests resources and
---nodes.
---@param file string|string[] the parts in order; in one text joined by +
---@param options? pinion.AlibabaOptions
---@return pinion.Workload
function trace.alibaba(file, options) end

---@class pinion.FileOptions: pinion.TraceOptions
---@field group? string a text attribute whose texts are the groups of the jobs, or "size"

---A csv file with a header of arrival, maps, reduces, name, group, estimate_maps, estimate_reduces;
---of the tandem model: arrival, map, shuffle, name, group, estimate_map, estimate_shuffle; of the
---makespan model: name, group, maps, reduces, map_time, reduce_time, map_slots, reduce_slots, where
---tasks are a list such as 3x5;7 (three of 5 and one of 7), and a lone semicolon the empty list; of
---the cluster model: submit, maps, reduces, map_ms, remote_ms, reduce_ms, shuffle_ms, deadline,
---est_map_ms, est_reduce_ms, input, intermediate, name, group.
---@param path string
---@param options? pinion.FileOptions
---@return pinion.Workload
function trace.csv(path, options) end

---The jobs of a scenario file.
---@param path string
---@param options? pinion.FileOptions
---@return pinion.Workload
function trace.scenario(path, options) end
