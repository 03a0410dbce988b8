-- The program on the tandem model: every command, its formats, its messages.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local SCENARIO = [[{ "model": "tandem", "policy": "splitsrpt", "params": { "lend": "full" }, "speed": "1/1", "seed": 5,
  "jobs": [ { "arrival": 0, "map": 1, "shuffle": 2, "name": "first" }, { "arrival": "0/3", "map": 3, "shuffle": 1 },
            { "arrival": 0.0, "map": "4/2", "shuffle": 2, "group": "g" } ] }]]
local scenario = program.file("s.json", SCENARIO)

local succeed = program.succeed

-- ---- simulate -----------------------------------------------------------------------------------

local json = succeed("simulate", { "simulate", scenario })
local result = core.json_decode(json, "result")
local order = {}
for name in json:gmatch('\n  "([%w_]+)":') do order[#order + 1] = name end
check.equal("fields in their order", table.concat(order, " ", 1, 15),
    "model policy speed overlap jobs total_response_time "
    .. "mean_response_time mean_slowdown mean_in_system lower_bound relative_response_time "
        .. "makespan digest pinion seed")
check.equal("total", result.total_response_time, 14.0)
check.equal("seed of the file", result.seed, 5)
check.equal("names", result.jobs[1].name, "first")
check.equal("groups", result.groups[2].group, "g")
check.equal("standard input gives the same", succeed("simulate -", { "simulate", "-" }, SCENARIO),
    json)
check.equal("again the same", succeed("simulate again", { "simulate", scenario }), json)

local function total(...)
    return core.json_decode(succeed(table.concat({ ... }, " "), { "simulate", scenario, ... }),
        "result").total_response_time
end
check.equal("--param", total("--param", "lend=none"), 16.0)
check.equal("--policy", total("--policy", "fcfs"), 12.0)
check.equal("--set overlap", total("--policy", "fcfs", "--set", "overlap=false"), 16.0)
check.equal("--set speed", total("--policy", "fcfs", "--set", "speed=1/2"), 24.0)
check.equal("--param with a list", total("--policy", "priority", "--param", "order_map=3;2;1",
    "--param", "order_shuffle=3;2;1"), 14.0)
check.equal("parameters in the result",
    core.json_decode(succeed("params", { "simulate", scenario, "--param", "lend=none" }),
    "r").params.lend, "none")
local tight = core.json_decode(succeed("tight", { "simulate", scenario, "--bounds", "tight" }),
    "result")
check.equal("the tight bound", tight.lower_bound_tight, 11.5)
local none = core.json_decode(
    succeed("none", { "simulate", scenario, "--bounds", "none", "--no-jobs" }), "result")
check.equal("no bound is null", none.lower_bound, core.null)
check.equal("no rows", none.jobs, nil)
local partial = core.json_decode(succeed("until", { "simulate", scenario, "--until", "2.5" }),
    "result")
check.equal("a partial run", partial.complete, false)
check.equal("what has not happened is null", partial.jobs[3].finish, core.null)
local sized =
    core.json_decode(succeed("sizes", { "simulate", scenario, "--slowdown-by-size", "4x1" }),
    "result").slowdown_by_size
check.equal("buckets", #sized, 5)
check.equal("a bucket", sized[3].count, 2)
check.equal("an empty one", sized[1].mean, core.null)
check.equal("digits of a double", succeed("digits", { "simulate", "-", "--policy", "fcfs" },
    '{"model":"tandem","jobs":[{"arrival":0,"map":"1/3"}]}'):match '"finish": ([%d.]+)',
        "0.3333333333333333")

check.matches("csv", succeed("csv", { "simulate", scenario, "--format", "csv" }),
    "^policy,submitted,finished,mean_response_time,p50,p90,p99,p999,max,total_response_time,"
        .. "lower_bound,relative_response_time,"
    .. "lower_bound_tight,relative_response_time_tight,mean_slowdown,mean_in_system,makespan,"
        .. "digest,measured,growing\nsplitsrpt,3,3,")
check.equal("csv of jobs",
    succeed("csv of jobs", { "simulate", scenario, "--policy", "fcfs", "--format", "csv",
    "--jobs-detail" }),
    "policy,id,arrival,map_finish,finish,response_time,slowdown,name,group\nfcfs,1,0.0,1.0,2.0,"
        .. "2.0,1.0,first,\n"
    .. "fcfs,2,0.0,4.0,4.0,4.0,1.3333333333333333,,\nfcfs,3,0.0,6.0,6.0,6.0,3.0,,g\n")
local text = succeed("table", { "simulate", scenario, "--policy", "fcfs", "--format", "table",
    "--jobs-detail" })
check.matches("title", text, "^fcfs on stations of speed 1, overlap, ")
check.contains("mean", text, "mean response time      4 (sd 2)\n")
check.contains("ratio", text, "relative response time  1.200 (total 12 / lower bound 10)\n")
check.matches("time average", text, "\njobs in the system +2 %(time average%)\n")
check.matches("rows", text, "\n  2        0           4       4              4  1.33333333\n")
check.matches("without overlap",
    succeed("apart", { "simulate", scenario, "--set", "overlap=false", "--format", "table" }),
    "^splitsrpt on stations of speed 1, no overlap, ")

-- ---- workloads on the command line --------------------------------------------------------------

local generated = succeed("lin", { "simulate", "--workload", "lin,jobs=200", "--policy", "maxsrpt",
    "--no-jobs" })
check.contains("a workload brings its model", generated, '"model": "tandem"')
check.equal("which may be said",
    succeed("lin", { "simulate", "--model", "tandem", "--workload", "lin,jobs=200", "--policy",
    "tandem/maxsrpt",
    "--no-jobs" }), generated)
local converted = program.file "w.json"
succeed("conversion", { "workload", "lin,jobs=200", "--jobs", "--output", converted })
local from_file =
    core.json_decode(
    succeed("converted", { "simulate", converted, "--policy", "maxsrpt", "--no-jobs" }), "result")
check.is_true("the jobs of a conversion",
    math.abs(from_file.total_response_time / core.json_decode(generated, "").total_response_time
    - 1) < 1e-9)
local csv_file = program.file "w.csv"
succeed("conversion to csv", { "workload", "lin,jobs=200", "--jobs", "--output", csv_file })
check.equal("csv and json hold the same",
    core.json_decode(
    succeed("csv", { "simulate", "--workload", "csv:" .. csv_file, "--policy", "maxsrpt",
    "--no-jobs" }), "").digest, from_file.digest)

-- ---- compare, sweep, policies, run --------------------------------------------------------------

local compared = core.json_decode(succeed("compare", { "compare", scenario, "--bounds", "tight" }),
    "comparison")
check.equal("default policies", #compared.rows, 6)
check.equal("all have the bound", compared.rows[6].lower_bound, 10.0)
check.matches("a comparison as a table",
    succeed("compare table", { "compare", scenario, "--policies", "fcfs,ps", "--format", "table" }),
    "\nfcfs +4%.000 .*\nps +4%.933 ")
local replicated = succeed("replicas",
    { "compare", "--workload", "lin,jobs=300", "--policies", "klps,maxsrpt", "--replicas", "3",
    "--format", "csv",
    "--quiet" })
check.matches("replicas", replicated,
    "^policy,replicas,finished,mean_response_time,mean_response_time_sd,"
    .. "mean_response_time_half,p50,")
check.contains("measures of replicas", replicated,
    ",mean_slowdown,mean_slowdown_sd,mean_slowdown_half,mean_in_system,mean_in_system_sd,"
    .. "mean_in_system_half,baseline,")
local swept = succeed("sweep", { "sweep", "--workload", "lin,jobs=100", "--over", "speed=1,2",
    "--over", "overlap=true,false", "--policies", "fcfs",
    "--format", "csv" })
check.equal("rows of a sweep", select(2, swept:gsub("\n", "\n")), 5)
check.contains("policies", succeed("policies", { "policies", "--model", "tandem" }), "maxsrpt")
check.equal("a script", succeed("run", { "run", program.file("s.lua", [[
local result = require "pinion".run { policy = "fcfs", workload = { { arrival = 0, map = 1, shuffle = 2 } }, quiet = true }
print(result.model, result.total_response_time)]]) }), "tandem\t2.0\n")

-- ---- mistakes -----------------------------------------------------------------------------------

local function json_of(job) return '{"model":"tandem","policy":"fcfs","jobs":[' .. job .. "]}" end
for _, mistake in ipairs {
    { { "simulate", scenario, "--set", "machines=3" }, 2,
        "pinion: --set machines: unknown field (known: model, speed, overlap, policy, seed, "
            .. "timeline)\n" },
    { { "simulate", scenario, "--set", "speed=0" }, 2,
        "pinion: --set speed: must be a number in 2^-64..2^64, got 0\n" },
    { { "simulate", scenario, "--set", "overlap=maybe" }, 2,
        "pinion: --set overlap: must be true or false, got 'maybe'\n" },
    { { "simulate", scenario, "--until", "x" }, 2, "~pinion: --until: must be a number >= 0" },
    { { "simulate", scenario, "--warmup", "5slots" }, 2,
      "pinion: --warmup: must be a number of jobs such as 1000, or of time such as 500time, "
          .. "or auto, got '5slots'\n" },
    { { "simulate", scenario, "--slowdown-by-size", "4" }, 2,
        "~pinion: --slowdown-by-size: must be a number of buckets and their width" },
    { { "simulate", "--workload", "zheng:0", "--policy", "fifo", "--slowdown-by-size", "4x1" }, 2,
      "pinion: --slowdown-by-size: is not an option of the slotted model\n" },
    { { "simulate", scenario, "--param", "lend=half" }, 2,
        "pinion: --param lend: must be none or empty or full, got 'half'\n" },
    { { "simulate", scenario, "--policy", "asrpt" }, 2,
        "pinion: policy 'asrpt' is of the slotted model (expected a policy of tandem)\n" },
    { { "simulate", scenario, "--policy", "maxsrtp" }, 2,
        "pinion: unknown policy 'maxsrtp' (did you mean 'maxsrpt'?)\n" },
    { { "simulate", "--workload", "lin", "--model", "slotted", "--policy", "fifo" }, 2,
        "~pinion: workload 'lin': its jobs are of the tandem model" },
    { { "simulate", scenario, "--checkpoint", "c", "--policy", "fcfs" }, 2,
      "pinion: --every is missing (with --checkpoint: time between two checkpoints)\n" },
    { { "simulate", scenario, "--checkpoint", "c", "--every", "0" }, 2,
        "pinion: --every: must be > 0, got 0\n" },
    { { "compare", scenario, "--plot", "f.svg", "--kind", "slowdowns" }, 2,
      "pinion: plot: kind must be cdf or bars or convergence or slowdown, got 'slowdowns' (did "
          .. "you mean 'slowdown'?)\n" },
    { { "simulate", "-" }, 2, "<stdin>: jobs[1].map: must be a number >= 0, got -1\n",
        json_of '{"arrival":0,"map":-1}' },
    { { "simulate", "-" }, 2,
        "<stdin>: jobs[1].map: must be 0 or a number in 2^-256..2^256, got 1e+300\n",
        json_of '{"arrival":0,"map":1e300}' },
    { { "simulate", "-" }, 2,
        "~<stdin>: jobs[1].map: must be 0 or a number in 2^-256..2^256, got 4.94065645841247e-324",
      json_of '{"arrival":0,"map":5e-324}' },
    { { "simulate", "-" }, 2, "<stdin>: jobs[2].maps: unknown field (did you mean 'map'?)\n",
        json_of '{"arrival":0},{"arrival":0,"maps":1}' },
    { { "simulate", "-" }, 2, "~<stdin>:1: ", json_of '{"arrival":0,"map":NaN}' },
    { { "simulate", "-" }, 2,
        "<stdin>: machines: unknown field (known: arrivals, attributes, group, jobs, load, "
            .. "load_by, model, overlap, params, "
        .. "policy, replicas, resample, seed, speed, timeline)\n",
      '{"model":"tandem","machines":3,"jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "<stdin>: speed: must be a number in 2^-64..2^64, got 'fast'\n",
      '{"model":"tandem","speed":"fast","jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "<stdin>: overlap: must be true or false, got 'false'\n",
      '{"model":"tandem","overlap":"false","jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "<stdin>: speed: must be a number in 2^-64..2^64, got '1.5'\n",
      '{"model":"tandem","speed":"1.5","jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "<stdin>: params.order_map: [2]: job 3 is listed twice\n",
      '{"model":"tandem","policy":"priority","params":{"order_map":[3,3]},'
      .. '"jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "pinion: params.order_map: there is no job 3, the workload has 1\n",
      '{"model":"tandem","policy":"priority","params":{"order_map":[3]},"jobs":[{"arrival":0}]}' },
    { { "simulate", "-" }, 2, "~<stdin>: params.lend: must be none or empty or full",
      '{"model":"tandem","policy":"splitsrpt","params":{"lend":1},"jobs":[{"arrival":0}]}' },
} do
    local name = table.concat(mistake[1], " ") .. (mistake[4] or "")
    local output, messages, code = program.run(mistake[1], mistake[4])
    check.equal("exit code of " .. name, code, mistake[2])
    check.equal("no result of " .. name, output, "")
    if mistake[3]:sub(1, 1) == "~" then
        check.contains("message of " .. name, messages, mistake[3]:sub(2))
    else
        check.equal("message of " .. name, messages, mistake[3])
    end
end

check.done()
