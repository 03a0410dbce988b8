-- The grammar and the help texts of the command line, for argparse. It only parses; the commands
-- check the values.

local argparse = require "argparse"
local generators = require "pinion.workload.generators"
local help = require "pinion.cli.help"
local models = require "pinion.models"
local options_store = require "pinion.cli.options_store"
local suggest = require "pinion.base.suggest"
local values = require "pinion.cli.values"

local M = {}

local SCENARIO <const> = "Scenario file, input log of the dag model, or - for standard input."

local OVERVIEW = [[
Simulates schedulers of data-parallel clusters: how would this policy have served this workload?

Try:
  pinion compare --workload zheng:0
  pinion simulate --workload facebook,jobs=200 --policy asrpt --format json
  pinion policies]]

local WORKLOADS = [[
SPEC is one of
  zheng[:SETTING][,maps=exp(5),reduces=exp(40),rate=2,slots=500,tasks=10,seed=1]
      random jobs as in Zheng, Shroff, Sinha (2013). SETTING is a row of their figures:
      0  exp(5), exp(40)                  1  exp(30), exp(15)
      2  uniform(1,9), uniform(10,70)     3  uniform(10,50), uniform(10,20)
  bursts[,chance=0.01,burst=20,maps=1,reduces=1,giant=0.05,giant_maps=2000,giant_reduces=1,
         tasks=10,slots=10000,seed=1]
      with probability `chance` a slot brings `burst` jobs, each a giant with probability `giant`
  facebook[,jobs=1000,gap=4,bins=9,reduce_length=exp(5),seed=1]
      job sizes of a Facebook cluster in nine bins (bins=6: without the largest);
      gap is the mean time between jobs in slots
  swim:FILE[,scale=1/100,slot=10,unit=128MiB,reduce_bytes=1GiB,group=size]
      a SWIM trace; all bytes times scale; slot in seconds; unit = bytes of a unit of work
  swf:FILE[+FILE...][,slot=60,estimates=false,status=ran,group=none,attributes=FIELDS,first=1,
      jobs=N]
      parallel jobs in the Standard Workload Format; maps = processors * run time, in slots;
      estimates=true: policies see the time that users asked for
  csv:FILE
      a header of arrival, maps, reduces, name, group, estimate_maps, estimate_reduces in any
      order; reduces are a list split by blanks or semicolons
In the tandem model:
  lin[,load=0.75,jobs=100000,map=lognormal(1,3.65),ratio=lognormal(1,3.28)|shuffle=DIST,
      balance=false,batch=false,seed=1]
      Poisson arrivals as in Lin, Zhang, Wierman, Tan (2013), 5.3; shuffle = map * ratio, or
      independent of it; balance=true: the cube root of every ratio; batch=true: all arrive at 0
  theorem2[:K][,case=auto,against=POLICY]    corollary4[:A][,n=20,eps=0.01]
  corollary6[:B][,n=20]                      nmts,f=1;2,g=10;20,h=12;21
      the instances in their proofs; case is 1, 2, or auto: as is hard for the policy
  swim:FILE[,load=0.75,shuffle_load=LOAD,span=86400,zero=keep|drop,balance=false,
       group=size]
      bytes read and shuffled; all of them take the stations load * span seconds
  csv:FILE
      a header of arrival, map, shuffle, name, group, estimate_map, estimate_shuffle
In the makespan model, where all jobs are present from the start:
  rand_many, rand_few, one_wave, t1_like, straggler, fb_mild, fb_lognorm, each with
  [,jobs=N,maps=DIST,reduces=DIST,map_length=DIST,reduce_length=DIST,spread=DIST,
   stragglers=0,times=5,most=3000,seed=1]
      random jobs: numbers of tasks, and a length for each stage; a task lasts the length times
      its spread. `pinion workload rand_many` describes a family. Each suggests numbers of slots
  facebook[,jobs=1000,bins=9,map_length=1,reduce_length=exp(5),seed=1]
      the same jobs as above; map_length and reduce_length are drawn for each job
  swim:FILE[,first=1,jobs=N,scale=1/100,unit=128MiB,reduce_bytes=1GiB,tasks=100,map_start=3,
       map_rate=4.7MB,reduce_start=11,reduce_rate=2.9MB]
      N rows, starting at row `first`; a map task takes map_start seconds and reads map_rate bytes
      per second; a reduce task takes reduce_start seconds and reads reduce_rate shuffled bytes per
      second; a job has at most `tasks` reduce tasks
  csv:FILE
      a header of name, group, maps, reduces, map_time, reduce_time, map_slots, reduce_slots;
      maps and reduces are lists such as 3x5;7 (three tasks of 5 and one of 7); with an empty cell
      the tasks follow from map_time or reduce_time; a single ; means no tasks
In the cluster model, with all times in milliseconds:
  hsrtf[,large=3,medium=8,small_sort=10,small_wc=10,gap_ms=10000,sort_map_ms=76000,...]
      the jobs of the paper on hSRTF; suggests the paper's cluster and its rules.
      `pinion workload --model cluster --format json` lists all options
  rtmr[:I|II][,jobs=N,gap_ms=14000|load=LOAD,map_ms=15500,reduce_ms=4600,reduce_block_ms=7100,
       est_map_permille=1750,est_reduce_permille=10950,pessimism=1,drop_reduces_above=N,seed=1]
      jobs with deadlines and estimates of He, Lu, Swanson (2012), tables III and IV; pessimism
      multiplies both estimates; load sets the submission times from the slots of the nodes.
      Suggests the paper's cluster
  facebook[,jobs=1000,bins=9,gap_ms=14000,map_ms=15500,remote_ms=0,reduce_ms=4600,
           reduce_block_ms=7100,shuffle_block_ms=0,seed=1]
      the same jobs as above; map_ms and reduce_ms are drawn for each job; a reduce takes
      reduce_block_ms longer for each block (map) of its share of the input
  rumen:FILE[,topology=FILE,outcome=success|all,blocks=listed|drawn,remote_ms=0,
       group=user|queue|priority|size]
      Hadoop's job history as JSON; the nodes are those of the topology, or the hosts in the trace
  google:FILE[+FILE...][,group=class|user|priority|size]
      task events of Google's cluster trace; jobs that begin and end within the files, maps only
  swim:FILE[,first=1,jobs=N,scale=1/100,unit=128MiB,reduce_bytes=1GiB,tasks=100,remote_ms=0,
       map_start_ms=3300,map_rate=4.7MB,reduce_start_ms=10600,shuffle_rate=2.9MB,
       write_rate=20MB,group=size]
      each map reads `unit` bytes, the last one the rest; reduces share the bytes shuffled and
      written
  swf:FILE[+FILE...][,status=ran,group=none,attributes=FIELDS,first=1,jobs=N]
      parallel jobs in the Standard Workload Format: one map per processor, no reduces. status is
      ran, or completed, failed, cancelled, unknown joined by +; group is user, group,
      application, queue, partition, status or size; FIELDS is a list such as user+queue
  csv:FILE
      a header of submit, maps, reduces, map_ms, remote_ms, reduce_ms, shuffle_ms, deadline,
      est_map_ms, est_reduce_ms, input, intermediate, name, group
  All but csv also take deadline_factor=DIST, such as uniform(1.5,4): each deadline is this factor
  times the job's estimated duration alone on the idle cluster; or deadline_ms=DIST
In the dag model, with all times in milliseconds:
  dag[:SHAPE][,jobs=100,gap_ms=4000,depth=uniform(2,5),width=uniform(1,4),edges=0.2,
      stages=uniform(3,15),tasks=uniform(1,20),duration=lognormal(4000,4000),spread=1,
      demand=cpu:DIST;memory:DIST,seed=1]
      random graphs of stages. SHAPE is layered, fork-join, chains, series-parallel (with stages
      instead of depth and width), or mixed; each task of a stage lasts its duration times spread.
      Suggests resources and nodes
  wfcommons:FILE[+FILE...]
      scientific workflows in WfFormat 1.5, one job per file, all at time 0; cpu in millicores,
      memory in MiB
  tpch:FILE[,sizes=2+10,queries=1+3,jobs=N,group=size|query,cpu=DIST,memory=DIST,seed=1]
      profiles of TPC-H queries, each once, or N drawn; a task needs one executor, or cpu and memory
  alibaba:FILE[+FILE...][,first=1,jobs=N]
      batch_task.csv of Alibaba's trace of 2018; cpu in millicores, memory in ppm of a machine
Further columns of csv files are attributes of jobs: numbers such as weight or priority, or texts
such as user; csv and workloads in Lua take group=NAME, a text attribute whose texts are the groups.
With group=size traces, csv files and lists have groups by powers of ten of the jobs' size: units of
work in the slotted and the tandem model, else tasks.
All workloads with arrivals, including csv, also take
  arrivals=PROCESS  other arrival times: poisson(rate), regular(gap), renewal(DIST),
      mmpp(rate1,mean1,...), diurnal(rate,amplitude,period), rates(t1:r1;t2:r2;...[,period]),
      rates(FILE[,period]), batches(rate,DIST), in the model's unit of time
  resample=blocks(1h)   blocks of time of this length, drawn with replacement; blocks: of the
      usual length; blocks(1h,N): until there are N jobs
  resample=jobs     jobs drawn one by one with replacement, with new arrivals, or with
      arrivals=keep; jobs(N): N of them
  resample=N        N jobs: blocks of traces, csv files and lists, jobs of generators
  replicas=windows(N)   traces, csv files and lists: each replica is one of N equal parts of the time
  load=X[,load_by=sizes]   gaps between arrivals, or sizes, scaled to this load; lin, rtmr, and
      swim in the tandem model have their own load option
Distributions: exp(mean), uniform(low,high), lognormal(mean,sd), normal(mean,sd),
  pareto(shape,scale), weibull(shape,scale), gamma(shape,scale), erlang(k,mean),
  hyperexp(p1,mean1,...), poisson(mean), zipf(s,n), constant(x) or a number, empirical(v1,v2,...),
  empirical(FILE), mixture(p1,DIST,...), truncated(DIST,low,high); sizes are rounded up to 1, 2, …;
  in the tandem model they are real numbers]]

---What a SPEC may be, as it stands in the help of several commands.
M.workloads = WORKLOADS

-- Adds help; every command gets both; argparse's own would print and exit past the check of
-- standard output.
local function add_help(parser)
    parser:flag "-h"
        :description "Show the most used options, on one screen."
        :action(function() error({ help = help.screen(parser) }, 0) end)
    parser:flag "--help"
        :description "Show the whole help, like `pinion help COMMAND`."
        :action(function() error({ help = parser:get_help() }, 0) end)
    return parser
end

-- Makes an option that takes one of a few words, which completion knows too.
local function choices(option, name)
    option._convert = function(value) return values.choice(name, value) end
end

local function command(parser, name, usage, summary, example)
    local made = parser:command(name)
        :summary(summary)
        :description(summary)
        :usage("Usage: pinion " .. usage)
        :epilog(example)
        :add_help(false)
        :help_max_width(100)
    return add_help(made)
end

-- Why a command takes a log together with a scenario.
local BESIDE = [[
Logs of the slotted and tandem models do not contain arrival times: give the scenario or the
workload together with the log.]]

local function add_scenario(made)
    made:option("--model",
        "Model of the workload: " .. models.listed() .. "; default: the model of its jobs, "
        .. "else slotted.")
        :argname "MODEL"
    made:option("--workload",
        "A workload instead of a scenario file: `pinion help workloads`. Default sizes, if neither "
        .. "--set nor the workload gives one: slotted 100 machines; makespan 30 slots of each "
        .. "kind; cluster 57x8x2 (nodes x map slots x reduce slots); dag 10x16000 (nodes x "
        .. "capacity).")
        :argname "SPEC"
    made:option("--set",
        "Set a field of the scenario: machines=100, reduce=preemptive; tandem: speed=2, "
        .. "overlap=false; makespan: map_slots=30, reduce_slots=30, level=task; cluster: "
        .. "nodes=57x8x2+4x2x1x500 (nodes x map slots x reduce slots x speed in permille), "
        .. "failures=50000:1:90000 (time:node:recovery); dag: resources=cpu+memory, "
        .. "nodes=10x16000/65536 (nodes x capacities), queues=prod:3:700:1000+dev "
        .. "(name:weight:guaranteed:maximum), failures (repeatable).")
        :argname "FIELD=VALUE":count "*"
    made:option("--seed", "Seed of the random streams; overrides the workload's seed.")
        :argname "N"
end

-- Adds the output; `extensions` are those beside .txt, .md, .tex and .json.
local function add_output(made, default, extensions)
    choices(made:option("--format", "Format of the result: table, markdown, latex, json"
        .. (extensions and " or csv" or "") .. "; default: " .. default .. ".")
        :argname "FORMAT", "format")
    made:option("-o --output",
        "Write the result to this file instead of standard output. The extension selects the "
        .. "format: .txt, .md, .tex, .json" .. (extensions or "") .. ".")
        :argname "FILE"
end

local CSV <const> = ", .csv"
local RESULTS <const> = CSV
    .. ", .html for a page with charts, .db, .sqlite or .sqlite3 for an SQLite database"

local function add_error(made)
    made:option("--error",
        "Policies see each job's sizes multiplied by a random factor from this distribution, such "
        .. "as lognormal(1,0.5). Jobs that have estimates keep them."):argname "DIST"
end

local function add_bounds(made)
    choices(made:option("--bounds",
        "Lower bounds: none, fast (from SRPT), or tight (tighter, but slow to compute in the "
        .. "slotted model; in the makespan model the bound that policy exact proves); default "
        .. "fast. In the cluster and dag models fast and tight are the same.")
        :argname "BOUNDS", "bounds")
end

local function add_warmup(made)
    made:option("--warmup",
        "Exclude the first jobs from the statistics: a number of jobs, such as 1000, or the jobs "
        .. "of a first period: 500slots; tandem: 500time; cluster and dag: 500ms. auto: as many "
        .. "as MSER finds in each run, which then runs twice.")
        :argname "WARMUP"
end

local function add_metrics(made)
    made:option("--metrics",
        "Additional metrics, separated by commas: slowdown, fairness (Jain's index of the "
        .. "slowdowns), deadlines_met; docs/results.md defines them; or FILE.lua, which returns a "
        .. "table of functions of a job, as scripts pass.")
        :argname "NAMES"
end

local function add_slowdown(made)
    made:option("--slowdown-by-size",
        "Tandem: print the mean slowdown by job size, in N buckets of this width: 400x0.25.")
        :argname "BUCKETSxWIDTH"
end

local function add_recording(made)
    made:option("--timeline",
        "Record time series of one replica in at most N buckets of equal width, for json and csv. "
        .. "docs/results.md lists the series.")
        :argname "N":target "buckets_recorded" -- a command is called so too
end

-- Adds what limits a policy written in Lua.
local function add_limits(made)
    made:option("--budget",
        "Largest number of Lua instructions in one call of a policy; 0: no limit, which is faster. "
        .. "Default 10000000.")
        :argname "N"
    made:option("--memory",
        "Largest memory of a policy written in Lua, in bytes; default 64MiB."):argname "SIZE"
    made:flag("--no-compile", "Run all functions of a policy written in Lua in Lua. The decisions "
        .. "are the same; `pinion policies FILE` says which functions are compiled otherwise.")
end

local function add_long(made)
    made:flag("--long", "With csv: one number per row, with the columns policy, replica, group, "
        .. "metric, value, low, high, preceded by the settings that a sweep varies.")
end

local function add_run(made)
    made:option("--param",
        "A parameter of the policy; makespan, cluster and dag: also of the model, such as "
        .. "heartbeat_ms=3000, replication=2 or factor_lo=500; `pinion policies fifo --model "
        .. "cluster` lists them (repeatable)."):argname "NAME=VALUE":count "*"
    add_output(made, "table on a terminal, by the extension of --output, else json", RESULTS)
    add_bounds(made)
    made:flag("--jobs-detail", "Write one row per job; with replicas only in csv and databases.")
    add_long(made)
    made:option("--until",
        "Stop after this slot; in the other models: stop before this time."):argname "T"
    add_error(made)
    add_limits(made)
    add_warmup(made)
    add_slowdown(made)
    add_metrics(made)
    add_recording(made)
    made:flag("-q --quiet", "No progress and no notices on standard error.")
end

local function add_param_and_replica(made)
    made:option("--param", "A parameter of a policy (repeatable).")
        :argname "NAME=VALUE":count "*"
    made:option("--replica", "Replica of the workload, from 0."):argname "K"
end

-- Adds the run that a command makes when it gets no log.
local function add_policy_run(made)
    made:option("--policy", "Policy of the run without LOG: a name or FILE.lua."):argname "NAME"
    add_param_and_replica(made)
end

local function add_replication(made)
    made:option("--policies",
        "Names or FILE.lua, separated by commas; NAME:PARAMETER=VALUE:as=LABEL is a variant; "
        .. "default fifo,fair,lrpt,asrpt,psrpt in the slotted "
        .. "model; tandem: fcfs,ps,klps,maxsrpt,splitsrpt,bsrpt; makespan: "
        .. "fifo,mk_jr,uaas,balanced_pools,portfolio,neh,local_search; cluster: "
        .. "fifo,fair,hsrtf-pu,hsrtf-pr,hsrtf-prp; dag: fifo,fair,drf,srpt,tetris; workload rtmr: "
        .. "rtmr,rtmr-live,dc,fifo.")
        :argname "NAMES"
    made:option("--replicas",
        "Number of runs of each policy. Every replica draws a new workload, the same for all "
        .. "policies; in cluster and dag it also draws new factors and inputs."):argname "N"
    made:option("--baseline",
        "The policy that the others are compared with; default: the first. Of a sweep also values "
        .. "that rows are compared with: machines=90, or fifo,machines=90."):argname "NAME"
    made:option("-j --processes",
        "Number of processes that share the replicas; default: one per core. It does not change "
        .. "the results.")
        :argname "N"
    options_store.add(made, true)
end

-- Adds what the runs of sweep and tune have in common.
local function add_many_runs(made, param)
    add_scenario(made)
    made:option("--param", param .. " (repeatable)."):argname "NAME=VALUE":count "*"
    add_output(made, "table on a terminal, by the extension of --output, else json", RESULTS)
    add_bounds(made)
    made:option("--until",
        "Stop every run after this slot; in the other models: stop before this time.")
        :argname "T"
    add_error(made)
    add_limits(made)
    add_warmup(made)
    add_slowdown(made)
    add_metrics(made)
    made:flag("-q --quiet", "No progress and no notices on standard error.")
end

local function add_simulate(parser)
    local made = command(parser, "simulate",
        "simulate SCENARIO.json [options]\n       pinion simulate --workload SPEC "
        .. "--policy NAME [options]",
        "Run one scenario under one policy.", [[
Example:
  echo '{"model":"slotted","machines":4,"jobs":[{"arrival":1,"maps":5,"reduces":[4,4,2]}]}' |
    pinion simulate - --policy asrpt --format table
  pinion simulate --workload lin,jobs=20000 --policy maxsrpt --bounds tight --no-jobs
  pinion simulate --workload t1_like --set level=task --policy neh --log neh.log --format table
  pinion simulate --workload hsrtf --policy hsrtf-pr --log pr.log --format table
  pinion simulate --workload rtmr --policy rtmr --format table --jobs-detail]])
    made:argument("scenario", SCENARIO):args "?"
    made:option("--policy",
        "The policy, a name or FILE.lua; overrides the scenario's policy."):argname "NAME"
    add_scenario(made)
    add_run(made)
    made:flag("--no-jobs", "JSON without a row per job (the default above a million jobs).")
    made:option("--log",
        "Write every decision to this file, one JSON object per line; `pinion verify` checks it.")
        :argname "FILE"
    made:option("--checkpoint",
        "Save the state of the run in this file; `pinion resume FILE` continues from it.")
        :argname "FILE"
    made:option("--every",
        "Slots, or time (cluster, dag: ms), between checkpoints: the most simulated time that a "
        .. "killed run loses."):argname "T"
end

local function add_resume(parser)
    local made = command(parser, "resume", "resume FILE [options]",
        "Resume a run from its checkpoint.", [[
The result is that of a run which was never stopped. The run keeps its options, except for those
given here, and writes further checkpoints to FILE. If it writes its result or a log to a file,
give --output or --log again: nothing is written to a file that only the checkpoint names. The
files that the run reads must not have changed. The checkpoint of a complete run gives its result
again; the checkpoint of a run that ended by --until continues with a later --until.

Example:
  pinion simulate --workload zheng:0 --policy fair --checkpoint fair.state --every 100 --until 300
  pinion resume fair.state --until 1000000 --format table]])
    made:argument("file", "The checkpoint."):argname "FILE"
    made:option("--until", "Stop after this slot, or before this time, instead."):argname "T"
    add_output(made, "the format of the run", RESULTS)
    made:option("--log",
        "The file of the run's decision log, which is continued."):argname "FILE"
    made:option("--checkpoint",
        "Write further checkpoints to this file; FILE does not change."):argname "FILE2"
    made:option("--every", "Slots, or time, between checkpoints; overrides the run's.")
        :argname "T"
    made:flag("-q --quiet", "No progress and no notices on standard error.")
end

local function add_compare(parser)
    local made = command(parser, "compare",
        "compare SCENARIO.json [options]\n       pinion compare --workload SPEC [options]",
        "Run several policies on the same workload: one row per policy.", [[
Example:
  pinion compare --workload zheng:0 --set reduce=preemptive --policies fifo,asrpt --bounds tight
  pinion compare --workload zheng:0 --policies fifo,asrpt,psrpt --replicas 20 --baseline asrpt
  pinion compare --workload zheng:0 --replicas 4 --error 'lognormal(1,1)' --warmup 100slots
  pinion compare --workload zheng:0 --replicas 20 --plot bars.svg --kind bars
  pinion compare --workload lin,jobs=20000 --policies klps,maxsrpt,splitsrpt --replicas 5 \
    --slowdown-by-size 400x0.25 --plot slowdown.svg --kind slowdown
  pinion compare --workload t1_like --set level=task --policies fifo,uaas,neh --replicas 5
  pinion compare --workload t1_like --policies fifo,uaas --param search_ratio=true \
    --param total_slots=40 --plot ratio.svg --kind ratio
  pinion compare --workload hsrtf --replicas 5 --plot small.svg --of waiting_time --group small
  pinion compare --workload rtmr --policies fifo,rtmr,rtmr-live,dc --replicas 5]])
    made:argument("scenario", SCENARIO):args "?"
    add_replication(made)
    add_scenario(made)
    add_run(made)
    made:option("--plot", "Write a figure to this file: .svg, .png or .pdf."):argname "FILE"
    made:option("--kind",
        "Kind of the figure: cdf (default), bars (means with intervals; default in makespan), "
        .. "convergence; tandem: slowdown, by job size; makespan: ratio, by the share of map "
        .. "slots.")
        :argname "KIND"
    made:option("--of",
        "The measure that bars or convergence show, such as mean_flow_time, mean_response_time, "
        .. "mean_slowdown, makespan, mean_makespan, gap or p99. For cdf in the cluster model: "
        .. "makespan, waiting_time or execution_time.")
        :argname "MEASURE"
    made:option("--group", "With --kind cdf: only jobs of this group."):argname "NAME"
end

local function add_sweep(parser)
    local made = command(parser, "sweep",
        "sweep SCENARIO.json --over NAME=VALUES [options]\n       pinion sweep --workload SPEC "
        .. "--over NAME=VALUES [options]",
        "Compare policies over a grid of settings: one row per cell and policy.", [[
NAME is one of machines, reduce, seed, error, warmup, until_slot (tandem: speed, overlap,
seed, error, warmup, until_time; makespan: map_slots, reduce_slots, or both as slots=30x20, level,
seed, until_time; cluster: nodes, failures, seed, warmup, until_time; dag: also resources and
queues), a parameter of a policy (params.NAME) or an option of the workload (workload.NAME).
Several --over make all combinations, which are the cells. Every cell uses the same seeds.

Example:
  pinion sweep --workload zheng:0 --over machines=90,120 --policies fifo,asrpt
  pinion sweep --workload zheng:0 --over workload.rate=1,1.5,2 --policies fifo,asrpt --replicas 10
  pinion sweep --workload zheng:0 --over machines=90,120 --over 'error=constant(1),lognormal(1,1)' \
    --policies fifo,asrpt --replicas 4 --format csv --plot sweep.svg --x machines
  pinion sweep --workload t1_like --over slots=20x20,40x40,80x80 --policies mk_jr,uaas
  pinion sweep --workload hsrtf --over nodes=40x8x2,57x8x2,80x8x2 --policies fifo,fair,hsrtf-pr]])
    made:argument("scenario", SCENARIO):args "?"
    made:option("--over",
        "A setting and its values, separated by commas outside parentheses; 5..9, 10..100:10 (a "
        .. "step) and 1..1000:log5 (5 values in equal ratios) are ranges (repeatable).")
        :argname "NAME=VALUES":count "*"
    add_replication(made)
    add_many_runs(made, "A parameter of the policies")
    made:flag("--jobs-detail", "With csv and databases: one row per job of every run.")
    add_long(made)
    add_recording(made)
    made:option("--plot", "Write a figure to this file: .svg, .png or .pdf. Other settings that "
        .. "vary are panels."):argname "FILE"
    made:option("--kind", "Kind of the figure: lines over --x (default), or heat: a cell for each "
        .. "value of --x and of the next setting."):argname "KIND"
    made:option("--x", "The setting on the x axis; default: the first --over."):argname "NAME"
    made:option("--of",
        "The measure that is drawn; default: mean_flow_time, mean_response_time, makespan or "
        .. "mean_makespan."):argname "MEASURE"
end

local function add_tune(parser)
    local made = command(parser, "tune",
        "tune SCENARIO.json --policy NAME --over NAME=VALUES [options]\n       pinion tune "
        .. "--workload SPEC --policy NAME --over NAME=VALUES [options]",
        "Find good values of a policy's parameters.", [[
Races configurations on the same seeds: those that are worse by a paired test drop out, and the next
race draws new ones around the best. At the end the best one, the defaults and --reference run on
fresh seeds, and the table shows their paired differences.

VALUES are an interval (1..200, 0.01..10.0, or 1..1000:log on a logarithmic scale), or a list of
numbers, words or switches (1,2,5,10 or a,b or true,false; 10..100:10 is a list with a step).
A script may give conditions between parameters, too: see `pinion.tune`.

Example:
  pinion tune --workload lin,jobs=2000 --policy klps --over k=1..64:log --runs 500
  pinion tune --workload zheng:0 --policy mine.lua --over patience=0.0..20.0 --goal p99_flow_time \
    --subject-to 'mean_flow_time<=8' --reference asrpt --output tuned.html]])
    made:argument("scenario", SCENARIO):args "?"
    made:option("--policy", "The policy, a name or FILE.lua."):argname "NAME"
    made:option("--over", "A parameter and what it may be (repeatable).")
        :argname "NAME=VALUES":count "*"
    made:option("--goal",
        "The measure to make small: one of results, such as mean_flow_time or p99_flow_time; "
        .. "default: the mean that comparisons go by."):argname "MEASURE"
    made:flag("--maximize", "Make the measure large instead.")
    made:option("--subject-to",
        "A limit of another measure, such as 'mean_slowdown<=5' (repeatable).")
        :argname "LIMIT":count "*"
    made:option("--runs", "Runs that the search may take; default 1000."):argname "N"
    made:option("--replicas",
        "Fresh replicas on which the best values are compared at the end; default 20.")
        :argname "N"
    made:option("--reference", "A policy that is compared at the end, too."):argname "NAME"
    made:option("--also", "Another workload that the values must suit, too (repeatable).")
        :argname "SPEC":count "*"
    made:option("--weights",
        "Weights of the workloads, separated by commas; default: equal. Goals of several workloads "
        .. "are relative to the defaults."):argname "NUMBERS"
    made:option("-j --processes",
        "Number of processes that share the runs; default: one per core. It does not change the "
        .. "results."):argname "N"
    options_store.add(made, false)
    add_many_runs(made, "A parameter of the policies that does not vary")
end

local function add_workload(parser)
    local made = command(parser, "workload",
        "workload SPEC [options]\n       pinion workload SCENARIO.json [options]\n       pinion "
            .. "workload [--model MODEL]",
        "Describe a workload, or write its jobs as a scenario file or csv; without SPEC, list the "
            .. "workloads.", [[
Example, a generated workload as a scenario that `simulate` reads:
  pinion workload zheng:2,slots=50 --machines 60 --jobs --format json --output scenario.json
  pinion workload dag:series-parallel --plot job.svg --job 3]])
    made:argument("spec", "The workload, or a scenario file."):argname "SPEC":args "?"
    made:option("--model",
        "Model of the jobs, if the workload supports several: " .. models.listed() .. ".")
        :argname "MODEL"
    made:option("--machines", "Machines for which the load is stated; default 100."):argname "N"
    made:option("--replica", "Replica of a generator, from 0."):argname "K"
    made:option("--seed", "Seed of a generator; overrides its own."):argname "N"
    made:flag("--jobs",
        "Write the jobs instead of the description: json as a scenario file, csv as a file for "
        .. "csv:FILE.")
    made:option("--plot",
        "Draw the stages of a job and its critical path: FILE.svg (dag model)."):argname "FILE"
    made:option("--job", "The job that --plot draws; default 1."):argname "N"
    add_output(made, "table (csv always writes the jobs)", CSV)
end

local function add_new_policy(parser)
    local made = command(parser, "new-policy", "new-policy NAME [--from POLICY] [options]",
        "Write NAME.lua, a commented template for your own policy.", [[
Example:
  pinion new-policy mine
  pinion compare --workload zheng:0 --policies fifo,asrpt,mine.lua --replicas 20]])
    made:argument("name", "Name of the policy.")
    made:option("--from",
        "Start from a built-in policy, such as asrpt, instead of the template.")
        :argname "POLICY"
    made:option("--model",
        "Model of the policy: " .. models.listed() .. "; default slotted."):argname "MODEL"
    made:option("-o --output", "Write this file instead of NAME.lua."):argname "FILE"
end

local function add_export(parser)
    local made = command(parser, "export", "export POLICY.lua [--output FILE.c]",
        "Write a policy in C that makes the decisions of one in Lua, for hosts without Lua.", [[
Example:
  pinion export mine.lua --output mine.c
  cc -std=c11 -c mine.c]])
    made:argument("policy", "File of the policy, of any model but makespan.")
    made:option("-o --output", "Write this file instead of standard output."):argname "FILE"
end

local function add_new_workload(parser)
    local made = command(parser, "new-workload", "new-workload NAME [options]",
        "Write NAME.lua, a commented template for your own workload.", [[
Example:
  pinion new-workload daily
  pinion compare --workload daily.lua,jobs=1000 --set machines=50 --policies fifo,asrpt]])
    made:argument("name", "Name of the workload.")
    made:option("--model",
        "Model of its jobs: " .. models.listed() .. "; default slotted."):argname "MODEL"
    made:option("-o --output", "Write this file instead of NAME.lua."):argname "FILE"
end

local function add_table_format(made, description)
    choices(made:option("--format", description):argname "FORMAT", "table_format")
end

local function add_policies(parser)
    local made = command(parser, "policies", "policies [NAME|FILE.lua] [options]",
        "List the policies, or describe one with its parameters.", [[
Example:
  pinion policies idx
  pinion policies asrpt --source]])
    made:argument("name", "A policy to describe, by name or as FILE.lua."):args "?"
    made:flag("--source", "Print the policy's Lua source.")
    made:option("--model", "Only policies of this model."):argname "MODEL"
    add_table_format(made, "table (default), markdown, latex or json.")
    made:option("-o --output", "Write to this file instead of standard output."):argname "FILE"
end

local function add_verify(parser)
    local made = command(parser, "verify",
        "verify SCENARIO.json LOG\n       pinion verify --workload SPEC LOG\n"
            .. "       pinion verify INPUTS [LOG] [--policy FILE.lua]",
        "Replay a decision log through the checker, which shares no code with the simulator.", [[
Exit code 0 if the log obeys every rule, 1 if it is rejected.
INPUTS is an input log: the calls that a host made to a core (pn_input.h). They
are repeated on a new core, whose decisions must have the same digest. LOG is
the host's decision log; it must contain the same decisions.
For jobs with deadlines the checker tests that a built-in policy uses the job's
own deadline, that it accepts a job only with an estimate before the deadline,
and that a job which breaks its promise is reported as late. It does not test
the estimates themselves or whether a rejection was necessary, and a policy in
Lua may agree on any deadline.

Example:
  pinion simulate --workload zheng:0 --policy asrpt --log asrpt.log --quiet >/dev/null
  pinion verify --workload zheng:0 asrpt.log]])
    made:argument("files",
        "Scenario file (unless --workload is given) or input log, then the log.")
        :argname { "SCENARIO.json", "LOG" }:args "1-2"
    made:option("--policy", "With an input log: the Lua file of its policy."):argname "FILE"
    made:option("--param",
        "With an input log: a parameter of its policy that is a table (repeatable).")
        :argname "NAME=VALUE":count "*"
    made:option("--memory",
        "Of an input log: bytes that its core may take; default 256MiB."):argname "SIZE"
    add_scenario(made)
    add_error(made)
end

local function add_explain(parser)
    local made = command(parser, "explain",
        "explain LOG --job N|--time T\n"
            .. "       pinion explain SCENARIO.json [LOG] --job N|--time T [options]\n"
            .. "       pinion explain --workload SPEC [LOG] --job N|--time T [options]",
        "Show why a job took so long (--job), or which jobs ran and waited at a time (--time).", [[
With --job N the command lists the consecutive phases of the job, from its arrival to its finish.
For each phase of waiting it lists the jobs that held the slots, and the first chance: the first
time at which this job could have used a free slot, but another job got it. With --time T it
lists the jobs that ran and waited at that time. The input is a decision log. Without LOG, pinion
first runs the policy. Then it can also list the jobs that were ahead of this job in the policy's
order when a wait began, with their keys.
]] .. BESIDE .. [[


Example:
  pinion explain --workload zheng:0 --policy fifo --job 17
  pinion simulate --model cluster --workload hsrtf --policy fifo --log fifo.log --quiet >/dev/null
  pinion explain fifo.log --job 5
  pinion explain fifo.log --time 60000]])
    made:argument("files", "A scenario file, a log, or both in this order."):argname "FILE"
        :args "0-2"
    made:option("--job", "Explain this job: its number in the workload, from 1."):argname "N"
    made:option("--time",
        "List the jobs that ran and waited at this time, in the unit of the log (cluster, dag: "
        .. "ms)."):argname "T"
    add_policy_run(made)
    add_scenario(made)
    add_output(made, "table")
end

local function add_diff(parser)
    local made = command(parser, "diff",
        "diff A.log B.log\n       pinion diff SCENARIO.json [A.log B.log] [options]\n       "
            .. "pinion diff --workload SPEC [A.log B.log] [options]",
        "Show where two schedules of the same jobs first differ, and which jobs gain or lose.", [[
It shows the first decision that differs and the jobs that ran and waited then; how many jobs finish
earlier and later in the second schedule, and by how much; and the jobs that gain or lose most. With
a workload it also shows its groups. Without logs, pinion runs the two --policies itself.
]] .. BESIDE .. [[

--output FILE.svg draws both schedules one above the other on a common time axis, and below them how
much later each job finishes in the second schedule, by job size.

Example:
  pinion diff --workload zheng:0 --policies fifo,asrpt
  pinion diff --workload zheng:0,slots=60 --policies fifo,asrpt --output fifo_asrpt.svg
  pinion simulate --model cluster --workload hsrtf --policy fifo --log a.log --quiet >/dev/null
  pinion simulate --model cluster --workload hsrtf --policy fair --log b.log --quiet >/dev/null
  pinion diff a.log b.log]])
    made:argument("files", "A scenario file, two logs, or all of them."):argname "FILE":args "0-3"
    made:option("--policies", "The two policies to run."):argname "A,B"
    add_param_and_replica(made)
    add_scenario(made)
    add_output(made, "table; --output .svg draws a figure")
end

local function add_timeline(parser)
    local made = command(parser, "timeline",
        "timeline LOG... [options]\n       pinion timeline SCENARIO.json [LOG...] [options]\n"
            .. "       pinion timeline --workload SPEC [LOG...] [options]",
        "Show jobs in the system, waiting jobs and usage over time.", [[
The time from the first arrival to the last finish is divided into buckets of equal length. Each
bucket shows means over its time: jobs in the system, jobs that wait for their first start, jobs
that hold no slot (the queue), and the usage of each kind of slot and each resource. With a
workload it also shows these numbers for each group. --steps shows every change instead of means.
Several logs, or several --policies, are shown side by side.
]] .. BESIDE .. [[


Example:
  pinion timeline --workload zheng:0 --policies fifo,asrpt --output zheng.svg
  pinion timeline --model cluster --workload hsrtf --policies fair --buckets 10]])
    made:argument("files", "A scenario file, logs, or both in this order."):argname "FILE":args "*"
    made:option("--policies", "The policies to run, separated by commas."):argname "A,B"
    made:option("--buckets", "Number of buckets; default 200, in a table 20."):argname "N"
    made:flag("--steps", "One row for each change instead of buckets.")
    add_param_and_replica(made)
    add_scenario(made)
    add_output(made, "table, with --output csv; .svg, .png and .pdf are figures", CSV)
end

local function add_gantt(parser)
    local made = command(parser, "gantt",
        "gantt LOG --output FILE [options]\n       pinion gantt SCENARIO.json [LOG] --output FILE "
            .. "[options]\n       pinion gantt --workload SPEC [LOG] --output FILE [options]",
        "Draw a decision log or a run as a Gantt chart.", [[
FILE.svg is a chart: slots are rows, jobs are colours, time runs to the right. FILE.html is a page
with panning and zooming. FILE.json contains trace events for https://ui.perfetto.dev or
chrome://tracing, which show a unit of time as a second, and milliseconds of the cluster and dag
models unchanged. Attempts that were killed, failed or lost are marked; reduces are pale while they
wait for the maps of their job. In the dag model a node has one row for each task that ran at the
same time; the usage of each resource is drawn below the nodes. If bars would be too small to
distinguish, the chart shows the number of slots of each job over time, in total or per node, and
marks above it show failed attempts. The slotted model (with preemption) and the tandem model are
always drawn in this form.
With a workload of several groups, groups have colours; otherwise the eight largest jobs have.
Without LOG, pinion runs the policy itself.
]] .. BESIDE .. [[

A log that is incomplete or invalid is not drawn: FILE does not change, and the exit code is 1.

Example:
  echo '{"model":"makespan","map_slots":3,"reduce_slots":2,"level":"task",
         "jobs":[{"maps":[3,5,4],"reduces":[7]},{"maps":[2,2],"reduces":[1,6]}]}' |
    pinion simulate - --policy uaas --log batch.log --format table
  pinion gantt batch.log --output batch.svg
  pinion gantt --workload zheng:0 --policy asrpt --from 100 --to 150 --output zheng.svg]])
    made:argument("files", "A scenario file, a log, or both in this order."):argname "FILE"
        :args "0-2"
    made:option("-o --output", "The chart: .svg, .html or .json."):argname "FILE"
    made:option("--title",
        "Title of the chart; default: the policy and its makespan or mean time."):argname "TEXT"
    made:option("--from", "Begin at this time, in the unit of the log (cluster, dag: ms).")
        :argname "T"
    made:option("--to", "End at this time."):argname "T"
    made:option("--job", "Draw only the jobs with these numbers: 3,7 (repeatable).")
        :argname "N":count "*"
    made:option("--group", "Draw only jobs of this group; needs a workload (repeatable).")
        :argname "NAME":count "*"
    made:option("--node", "Draw only the nodes with these numbers (repeatable).")
        :argname "N":count "*"
    add_policy_run(made)
    add_scenario(made)
end

local function add_report(parser)
    local made = command(parser, "report",
        "report FILE... --output PAGE.html [options]\n       "
            .. "pinion report SCENARIO.json LOG... --output PAGE.html [options]",
        "Show stored results and decision logs on one page with charts.", [[
FILE is a result of simulate, compare or sweep as .json, or a decision log. The page is a single
file that needs no network. It contains sortable tables, distributions (of results with jobs),
lines over a sweep, and for each log a timeline, the schedule, and the phases of each job.
Results of single runs are shown side by side.
]] .. BESIDE .. [[

`pinion compare --output PAGE.html`, like simulate and sweep, makes a page of its own results.

Example:
  pinion compare --workload facebook,jobs=200 --policies fifo,asrpt --jobs-detail --output a.json
  pinion simulate --model cluster --workload hsrtf --policy fair --log fair.log --output b.json
  pinion report a.json b.json fair.log --output page.html]])
    made:argument("files", "Results, logs, and the scenario of the logs."):argname "FILE":args "+"
    made:option("--title", "Title of the page; default: the policies."):argname "TEXT"
    made:option("-o --output", "The page: .html."):argname "FILE"
    add_param_and_replica(made)
    add_scenario(made)
end

local function add_store(parser)
    local made = command(parser, "store", "store DIR [options]",
        "List the contents of a store of finished runs, or tidy it.", [[
A store is the folder named by --store of compare, sweep, paper and scripts. A unit of a store is
one run. The list shows the experiments that the units belong to, the processor time of their
units, and the numbers of torn, wrong and duplicate lines, which are ignored. If two machines
have different results for the same unit, both machines are listed, and the exit code is 1.

Example:
  pinion compare --workload zheng:0 --policies fifo,asrpt --replicas 20 --store runs
  pinion store runs
  pinion store runs --output units.jsonl]])
    made:argument("folder", "The folder of the store."):argname "DIR"
    add_output(made, "table on a terminal, else json; --output UNITS.jsonl writes one line of JSON "
        .. "per unit")
    made:flag("--prune",
        "Keep each unit once, in one file per machine; remove torn, wrong and duplicate lines. "
        .. "No other process may use the store meanwhile.")
    made:flag("--current", "With --prune: also remove the units of other builds of pinion.")
    made:option("--host",
        "With --prune: also remove the units that this machine wrote."):argname "NAME"
end

local function add_paper(parser)
    local made = command(parser, "paper", "paper [NAME] [options]",
        "List the papers that can be reproduced, or reproduce one.", [[
Runs the paper's experiments and prints them section by section: the paper's claim, the result of an
independent simulator (the reference), the result of this build, and a verdict. Tables (CSV) and
figures (SVG, with data and gnuplot script) are written to the output directory.
The exit code is 0 even if a claim of the paper fails, and 1 if a number differs from the reference.

With --shard the exit code is 1 while a section needs runs that other parts have not stored yet.
Some sections have several stages, so repeat each part until it ends with 0, or run the command
without --shard to do the remaining runs.

Example:
  pinion paper zheng --only example,fig5 --seeds 4
  pinion paper lin --only example,table --jobs 20000 --seeds 4
  pinion paper tian --only table1,theorem1 --jobs 100
  pinion paper rtmr --only tables --seeds 2 --set est_reduce_permille=2000]])
    made:argument("name", "The paper; without it, list the papers and their sections."):args "?"
    made:option("--seeds --replicas",
        "Replicas of each setting; the list shows the default. Long experiments may use fewer.")
        :argname "N"
    made:option("--seed", "Seed of the random streams; default 1."):argname "N"
    made:option("--jobs",
        "lin: jobs per replica, up to 1e9 (heavy tails converge slowly); tian: small instances "
        .. "for Theorem 1."):argname "N"
    made:option("--trace",
        "lin: the SWIM trace for the paper's experiments on a trace."):argname "FILE"
    made:option("--set",
        "rtmr: an option of the workload instead of the fitted one (`pinion workload rtmr` lists "
        .. "them), or factor_lo, factor_hi (repeatable)."):argname "NAME=VALUE":count "*"
    made:option("--only", "Run only these sections, separated by commas."):argname "NAMES"
    made:option("--stability",
        "Print only the verdicts that differ with N seeds; without a paper, of all papers.")
        :argname "N"
    made:option("-o --output",
        "Directory for tables and figures; default pinion-paper-NAME."):argname "DIR"
    choices(made:option("--format", "table (default) or json, with all numbers.")
        :argname "FORMAT", "paper_format")
    made:option("-j --processes",
        "Number of processes that share the replicas; default: one per core. It does not change "
        .. "the results."):argname "N"
    options_store.add(made, false)
    made:flag("-q --quiet", "No progress and no times on standard error.")
end

local function add_run_script(parser)
    local made = command(parser, "run", "run SCRIPT.lua [ARG...]",
        "Run an experiment script; its arguments are arg[1], arg[2], … as in plain Lua.", [[
Example:
  pinion run experiment.lua 20
with experiment.lua:
  local pinion = require "pinion"
  local work = pinion.workload.zheng { setting = 0, seed = tonumber(arg[1]) }
  print(pinion.compare { machines = 100, workload = work, policies = { "fifo", "asrpt" } })]])
    made:argument("script", "Lua file, or - for standard input."):argname "SCRIPT.lua"
    made:argument("arguments", "Arguments of the script."):argname "ARG":args "*"
end

local function add_help_command(parser)
    local made = command(parser, "help", "help [COMMAND|TOPIC]",
        "Explain a command, or a topic: workloads, specs, policies, formats, models.", [[
`pinion help COMMAND` is the same as `pinion COMMAND --help`. The name of a workload is also a
topic: it lists the options of the workload.

Example:
  pinion help workloads
  pinion help facebook
  pinion help compare]])
    made:argument("topic", "A command, a topic or the name of a workload."):args "?"
end

local function add_completion(parser)
    local made = command(parser, "completion", "completion bash|zsh|fish",
        "Print a script that makes a shell complete commands, options and their values.", [[
`make install` installs it. To do this yourself: `source <(pinion completion bash)`, a file _pinion
in a folder of $fpath for zsh, or ~/.config/fish/completions/pinion.fish.

Example:
  pinion completion bash >pinion.bash]])
    choices(made:argument("shell", "bash, zsh or fish."), "shell")
end

-- Lists what a command knows, for messages.
local function options_of(parser)
    local names = {}
    for _, option in ipairs(parser._options) do
        for _, alias in ipairs(option._aliases) do
            if #alias > 2 then names[#names + 1] = alias end
        end
    end
    return names
end

-- Finds an option that begins like the wrong one, where none is near: --policies for --policy.
local function like(name, known)
    local best, most = nil, 5
    for _, candidate in ipairs(known) do
        local same = 0
        while same < #name and candidate:byte(same + 1) == name:byte(same + 1) do
            same = same + 1 end
        if same > most then best, most = candidate, same end
    end
    return best
end

---@param commands table[] of argparse
---@return string[]
function M.names(commands)
    local names = {}
    for i, each in ipairs(commands) do names[i] = each._name end
    return names
end

---Joins an option and the number below 0 behind it, which argparse would take for an option.
---@param arguments string[]
---@return string[]
function M.joined(arguments)
    local made = {}
    for _, word in ipairs(arguments) do
        local last = made[#made]
        if word:find "^%-%d" and last and last:find "^%-%-%l[%l-]*$" then
            made[#made] = last .. "=" .. word
        else
            made[#made + 1] = word
        end
    end
    return made
end

-- Says that an unknown option is one of the workload of the command line; nil: it is none.
local function option_of_workload(option, arguments)
    local name, spec, value = option:sub(3):gsub("-", "_"), nil, "VALUE"
    for i, word in ipairs(arguments) do
        spec = word:match "^%-%-workload=(.*)$" or word == "--workload" and arguments[i + 1] or spec
        if word == option then value = arguments[i + 1] or value end
    end
    local generator = spec and generators.find(spec:match "^[%w_]*")
    for _, field in ipairs(generator and generator.fields or {}) do
        if field.name == name then
            return string.format("(an option of the workload: --workload %s,%s=%s)", spec, name,
                value)
        end
    end
end

-- Adds a suggestion; those of argparse know one letter only.
local function with_suggestion(parser, message, arguments)
    local name = message:match "^unknown command '([^']*)'"
    if name then
        local known = M.names(parser._commands)
        return string.format("unknown command '%s' %s", name, suggest.hint(name, known))
    end
    local option = message:match "^unknown option '([^']*)'"
    if not option then return message end
    local known = options_of(parser)
    local own = option_of_workload(option, arguments)
    if own then return string.format("unknown option '%s' %s", option, own) end
    local near = #option > 2 and (suggest.nearest(option, known) or like(option, known))
    if near then return string.format("unknown option '%s' (did you mean '%s'?)", option, near) end
    return string.format("unknown option '%s' (known: %s)", option, table.concat(known, ", "))
end

local function add_version(parser)
    command(parser, "version", "version", "Show the version.", "Example:\n  pinion version")
end

-- The commands in the order of the list that users see, and what it says of each.
local COMMANDS = {
    { "run", add_run_script, "run an experiment script" },
    { "simulate", add_simulate, "one scenario under one policy" },
    { "resume", add_resume, "resume a run from its checkpoint" },
    { "compare", add_compare, "several policies on the same workload" },
    { "sweep", add_sweep, "compare policies over a grid of settings" },
    { "tune", add_tune, "find good values of a policy's parameters" },
    { "workload", add_workload, "list workloads, describe one, or write its jobs" },
    { "policies", add_policies, "list policies, or describe one" },
    { "new-policy", add_new_policy, "write a template for your own policy" },
    { "export", add_export, "write your own policy in C" },
    { "new-workload", add_new_workload, "write a template for your own workload" },
    { "verify", add_verify, "replay a decision log through the checker" },
    { "explain", add_explain, "why a job took so long, or which jobs ran at a time" },
    { "diff", add_diff, "where two schedules of the same jobs first differ" },
    { "timeline", add_timeline, "jobs and usage over time" },
    { "gantt", add_gantt, "draw a decision log" },
    { "report", add_report, "show results and logs as a page with charts" },
    { "store", add_store, "list or tidy a store of runs" },
    { "paper", add_paper, "reproduce the experiments of a paper" },
    { "help", add_help_command, "explain a command or a topic" },
    { "completion", add_completion, "print the completion for bash, zsh or fish" },
    { "version", add_version, "show the version" },
}

-- Adds the command that the command line begins with: the others would be half of the start. Where
-- it begins with none, all are added.
local function add_commands(parser, arguments)
    local first = arguments[1]
    local known = false
    for _, each in ipairs(COMMANDS) do known = known or each[1] == first end
    for _, each in ipairs(COMMANDS) do
        if not known or each[1] == first then
            each[2](parser)
            parser._commands[#parser._commands]._brief = each[3]
        end
    end
end

---Returns the parser of a command line, or of the whole program. Errors and help raise tables:
---{ usage =, message = } and { help = }.
---@param arguments string[]|nil of the command line
function M.parser(arguments)
    arguments = arguments or {}
    local parser = argparse("pinion")
        :usage "Usage: pinion COMMAND [options]"
        :description(OVERVIEW)
        :epilog("`pinion help COMMAND` explains a command. Exit codes: 0 done, 1 the run failed, "
            .. "2 wrong usage or input, 130 interrupted (143 by SIGTERM, 129 by SIGHUP).")
        :add_help(false)
        :command_target "command"
    add_help(parser)
    parser:flag "-V --version"
        :description "Show the version."
        :action(function() error({ version = true }, 0) end)
    add_commands(parser, arguments)
    parser.error = function(current, message)
        -- Nothing was asked for: the list of commands is what helps.
        local usage = message == "a command is required" and help.screen(current) .. "\n"
            or current:get_usage()
        error({ usage = usage, message = with_suggestion(current, message, arguments) }, 0)
    end
    return parser
end

return M
