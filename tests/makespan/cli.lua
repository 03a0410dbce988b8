-- The program on the makespan model: every command, its formats, its messages.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local SCENARIO = [[{ "model": "makespan", "policy": "uaas", "params": { "tie": "mkjr" }, "map_slots": 30, "reduce_slots": 30, "seed": 5,
  "jobs": [ { "maps": { "count": 30, "duration": 4 }, "reduces": { "count": 30, "duration": 5 }, "name": "first" },
            { "maps": { "count": 30, "duration": 1 }, "reduces": { "count": 30, "duration": 4 } },
            { "maps": { "count": 20, "duration": 30 }, "reduces": { "count": 20, "duration": 4 }, "group": "g" },
            { "maps": { "count": 20, "duration": 6 }, "reduces": { "count": 20, "duration": 30 } },
            { "maps": { "count": 30, "duration": 2 }, "reduces": { "count": 30, "duration": 3 } } ] }]]
local scenario = program.file("s.json", SCENARIO)

local succeed = program.succeed

local function json_of(job)
    return '{"model":"makespan","policy":"uaas","map_slots":2,"reduce_slots":2,"jobs":[' .. job
        .. "]}"
end

local function fields_of(json)
    local order = {}
    for name in json:gmatch '\n  "([%w_]+)":' do order[#order + 1] = name end
    return table.concat(order, " ")
end

-- ---- simulate -----------------------------------------------------------------------------------

local json = succeed("simulate", { "simulate", scenario })
local result = core.json_decode(json, "result")
check.equal("fields in their order", fields_of(json),
    "model policy params map_slots reduce_slots level jobs order makespan makespan_exact "
    .. "total_completion_time total_completion_time_exact mean_completion_time "
        .. "mean_completion_time_exact map_utilisation "
    .. "map_utilisation_exact reduce_utilisation reduce_utilisation_exact utilisation "
        .. "utilisation_exact lower_bound lower_bound_exact gap "
    .. "evaluations stage_time digest pinion seed submitted finished complete completion_time "
        .. "groups no_quantile_limits")
check.equal("an exact value", result.makespan_exact, "107/3")
check.equal("beside the nearest double", result.makespan, 107 / 3)
check.equal("the order", table.concat(result.order, " "), "2 5 1 4 3")
check.equal("seed of the file", result.seed, 5)
check.equal("parameters", result.params.tie, "mkjr")
check.contains("rows", json,
    '{"id": 1, "map_start": 3, "map_finish": 7, "reduce_start": 8, "finish": 13, "name": "first"}')
check.contains("exact rows", json,
    '"finish": 35.666666666666664, "finish_exact": "107/3", "group": "g"}')
check.equal("standard input gives the same", succeed("simulate -", { "simulate", "-" }, SCENARIO),
    json)

local function ask(...)
    return core.json_decode(succeed(table.concat({ ... }, " "),
        { "simulate", scenario, "--quiet", ... }), "result")
end
check.equal("--set level", ask("--set", "level=task").makespan, 47)
check.equal("--policy", ask("--set", "level=task", "--policy", "balanced_pools").makespan, 40)
check.equal("--set slots", ask("--set", "map_slots=60", "--set", "reduce_slots=60").makespan_exact,
    "107/6")
check.equal("--param of the model",
    ask("--set", "level=task", "--param", "resplit=1").makespan_exact, "107/3")
check.equal("--param with a list",
    table.concat(ask("--policy", "given_order", "--param", "order=5;4;3;2;1").order, " "),
    "5 4 3 2 1")
local pools = ask("--policy", "fixed_pools", "--param", "pools=2:3,4;1:1")
check.equal("--param with pools", #pools.pools, 3)
check.equal("slots of a pool", pools.pools[1].map_slots .. " " .. pools.pools[3].nodes, "2 27")
check.equal("pools among the parameters", pools.params.pools[2].jobs[1], 1)
check.equal("a whole number", math.type(ask("--set", "level=task").makespan), "integer")
check.equal("no bound is null", ask("--bounds", "none").lower_bound, core.null)
check.equal("… nor a gap", ask("--bounds", "none").gap, core.null)
check.equal("given times have no bound", ask("--param", "stage_time=given").lower_bound, core.null)
check.equal("no rows", ask("--no-jobs").jobs, nil)
local partial = ask("--until", "7/2")
check.equal("a partial run", partial.complete, false)
check.equal("what has not happened is null", partial.jobs[3].finish, core.null)
check.equal("what has", ask("--until", "11/2").jobs[2].finish, 5)
local tight = ask("--set", "level=task", "--bounds", "tight")
check.equal("the proven bound", tight.lower_bound_tight, 40)
check.equal("the gap to it", tight.gap_tight_exact, "7/40")
check.equal("not optimal", tight.optimal, false)
check.equal("optimal", ask("--set", "level=task", "--bounds", "tight", "--policy", "exact").optimal,
    true)
check.equal("a fluid schedule has no such bound", ask("--bounds", "tight").lower_bound_tight,
    core.null)
local ratio = ask("--param", "search_ratio=true", "--param", "total_slots=6")
check.equal("every ratio", #ratio.ratios, 5)
check.equal("the best", ratio.map_slots .. "x" .. ratio.reduce_slots, "3x3")
check.equal("exact ratios", ratio.ratios[3].makespan_exact, ratio.makespan_exact)

check.matches("csv", succeed("csv", { "simulate", scenario, "--format", "csv" }),
    "^policy,submitted,finished,complete,map_slots,reduce_slots,level,stage_time,makespan,"
        .. "makespan_exact,lower_bound,lower_bound_exact,gap,"
    .. "gap_exact,lower_bound_tight,lower_bound_tight_exact,gap_tight,gap_tight_exact,"
        .. "total_completion_time,total_completion_time_exact,"
    .. "mean_completion_time,mean_completion_time_exact,map_utilisation,map_utilisation_exact,"
        .. "reduce_utilisation,"
    .. "reduce_utilisation_exact,utilisation,utilisation_exact,optimal,evaluations,"
        .. "nodes_searched,seed,digest\n"
    .. "uaas,5,5,true,30,30,stage,fluid,35.666666666666664,107/3,35.666666666666664,107/3,0,,,,,"
        .. ",94.66666666666667,284/3,")
check.contains("csv of jobs",
    succeed("csv of jobs", { "simulate", scenario, "--format", "csv", "--jobs-detail" }),
    "policy,id,map_start,map_start_exact,map_finish,map_finish_exact,reduce_start,"
        .. "reduce_start_exact,finish,finish_exact,name,group\n"
    .. "uaas,1,3,,7,,8,,13,,first,\nuaas,2,0,,1,,1,,5,,,\n")
local text = succeed("table", { "simulate", scenario, "--set", "level=task", "--format", "table",
    "--jobs-detail" })
check.matches("title", text, "^uaas on 30 map and 30 reduce slots, level task, ")
check.matches("the makespan beside the bound", text,
    "\nmakespan +47, 30.56 %% above the lower bound 36\n")
check.matches("order", text, "\norder +2 5 1 4 3\n")
check.matches("rows", text, "\n  1 +3 +7 +8 +13 +first\n")
check.matches("in exact form", succeed("exact", { "simulate", scenario, "--format", "table" }),
    "\nmakespan +35.667 ≈ 107/3, equal to the lower bound\ncompletion times +total [%d.]+ ≈ "
        .. "%d+/3, mean [%d.]+\n")
check.matches("pools",
    succeed("pools", { "simulate", scenario, "--set", "level=task", "--policy", "balanced_pools",
    "--bounds", "tight", "--format",
    "table" }), "\nmakespan +40, optimal: no schedule ends earlier\nbounds +proven 40, fast "
        .. "36\n.*\n"
    .. "pool 1 +20 nodes, 20 map and 20 reduce slots: 4 3\npool 2 +10 nodes, 10 map and 10 "
        .. "reduce slots: 2 5 1\n")
check.matches("a ratio",
    succeed("ratio", { "simulate", scenario, "--param", "search_ratio=true", "--param",
    "total_slots=6", "--format", "table" }),
    "\nslots +3 for maps and 3 for reduces: the best of 5 ratios\n")

-- ---- workloads on the command line --------------------------------------------------------------

local generated = succeed("t1_like", { "simulate", "--workload", "t1_like", "--policy", "neh",
    "--set", "level=task", "--no-jobs" })
check.contains("a workload brings its model", generated, '"model": "makespan"')
check.contains("and its slots", generated, '"map_slots": 60')
local converted = program.file "w.json"
succeed("conversion", { "workload", "t1_like", "--jobs", "--output", converted })
check.equal("the jobs of a conversion",
    core.json_decode(
    succeed("converted", { "simulate", converted, "--policy", "neh", "--set", "level=task",
    "--no-jobs" }), "").digest, core.json_decode(generated, "").digest)
check.contains("slots where nothing is said",
    succeed("csv",
    { "simulate", "--workload", "csv:" .. program.file("w.csv", "maps,reduces\n3;4,5\n"),
    "--policy", "fifo" }), '"map_slots": 30')

-- ---- logs ---------------------------------------------------------------------------------------

local log = program.file "run.log"
succeed("a log", { "simulate", scenario, "--set", "level=task", "--policy", "local_search", "--log",
    log, "--format", "json" })
check.matches("verify", succeed("verify", { "verify", scenario, "--set", "level=task", log }),
    ": ok: local_search: 260 decisions, 5 jobs, makespan 42, digest %x+\n$")

-- ---- compare, sweep, policies, run --------------------------------------------------------------

local compared =
    core.json_decode(
    succeed("compare", { "compare", scenario, "--set", "level=task", "--bounds", "tight" }),
    "comparison")
check.equal("default policies", #compared.rows, 7)
check.equal("the bound of all", compared.lower_bound, 36)
check.equal("each has the proven bound", compared.rows[7].lower_bound_tight, 40)
check.matches("a comparison as a table",
    succeed("compare table", { "compare", scenario, "--set", "level=task", "--policies",
    "uaas,balanced_pools",
    "--format", "table" }),
        "\npolicy +makespan +vs uaas +/ uaas +gap %% +total completion +map use +reduce use "
        .. "+evaluations\nuaas +47.00 +%- +%- +30.56 .*\nbalanced_pools +40.00 +%-7.00 +0.851 "
        .. "+11.11 ")
local replicated = succeed("replicas",
    { "compare", "--workload", "t1_like", "--policies", "fifo,uaas", "--replicas", "3", "--format",
    "csv", "--quiet" })
check.matches("replicas", replicated,
    "^policy,replicas,finished,makespan,makespan_sd,makespan_half,gap,")
local swept = succeed("sweep", { "sweep", scenario, "--over", "slots=30x30,60x60", "--over",
    "level=stage,task", "--policies", "mk_jr,uaas",
    "--format", "csv" })
check.equal("rows of a sweep", select(2, swept:gsub("\n", "\n")), 9)
check.contains("with their orders", swept, ",2 5 1 4 3,")
check.contains("a sweep as a table",
    succeed("sweep", { "sweep", scenario, "--over", "slots=30x30,60x60", "--policies", "uaas",
    "--format", "table" }),
    "\nthe same order in every cell: uaas\n")
check.contains("policies", succeed("policies", { "policies", "--model", "makespan" }),
    "balanced_pools")
check.equal("a script", succeed("run", { "run", program.file("s.lua", [[
local result = require "pinion".run { policy = "uaas", map_slots = 3, reduce_slots = 3, workload = { { maps = { 2 }, reduces = { 3 } } }, quiet = true }
print(result.model, result.makespan_exact)]]) }), "makespan\t5/3\n")

-- ---- what is said beside results ----------------------------------------------------------------

local function notice(name, arguments, message)
    local output, messages, code = program.run(arguments)
    check.equal("exit code of " .. name, code, 0)
    check.equal("notice of " .. name, messages, message)
    return output
end
local LARGE =
    "pinion: no proof: too large for the search of policy exact (at most 32 jobs; 256 "
    .. "tasks and 128 slots of a stage)\n"
local GAVE_UP =
    "pinion: the search of policy exact gave up (parameter max_nodes): its bound is proven, but "
    .. "may not be the best"
local large = { "--workload", "t1_like,jobs=40", "--set", "level=task" }
json = notice("a batch that is too large",
    program.joined({ "simulate", "--policy", "exact", "--no-jobs" }, large), LARGE)
result = core.json_decode(json, "too large")
for _, field in ipairs { "lower_bound_tight", "gap_tight", "optimal" } do
    check.equal(field .. " is null", result[field], core.null)
end
check.equal("nothing was searched", result.nodes_searched, 0)
notice("… once for all policies",
    program.joined({ "compare", "--policies", "fifo,uaas", "--bounds", "tight" }, large), LARGE)
succeed("… and quietly",
    program.joined({ "compare", "--policies", "fifo", "--bounds", "tight", "--quiet" }, large))
notice("a tight bound of stages", { "simulate", scenario, "--bounds", "tight" },
    "pinion: no tight bound at level stage (policy exact proves one at level task)\n")
local hard = { "--workload", "rand_few,jobs=6", "--set", "level=task", "--set", "map_slots=5",
    "--set", "reduce_slots=5", "--param", "max_nodes=1" }
notice("a search that gave up", program.joined({ "simulate", "--policy", "exact" }, hard),
    GAVE_UP .. "\n")
local several = notice("… of replicas",
    program.joined({ "compare", "--policies", "fifo,exact", "--bounds", "tight", "--replicas", "2",
    "--format",
    "csv" }, hard), GAVE_UP .. ", in 2 of 4 runs\n")
check.matches("csv of replicas says what is optimal", several,
    ",complete,optimal,map_slots,reduce_slots,level,stage_time,")

-- Rules of stages that do not compare, and runs that were not finished.
check.matches("different stage times",
    succeed("stages", { "compare", scenario, "--policies", "mk_jr,uaas", "--format", "table" }),
    "  stages\nmk_jr [^\n]*  waves_req\nuaas [^\n]*  fluid\n.*stages: the value of stage_time")
check.equal("none at level task",
    succeed("no stages", { "compare", scenario, "--policies", "mk_jr,uaas", "--set", "level=task",
    "--format",
    "table" }):find "stages", nil)
check.matches("a part of the runs",
    succeed("partial", { "compare", scenario, "--policies", "mk_jr,uaas", "--set", "level=task",
    "--until", "10",
    "--format", "table" }),
        "makespan +vs mk_jr +/ mk_jr +finished .*\nmk_jr +[%d.]+ so far +%- +%- +[0-4] .*\n"
        .. "uaas +[%d.]+ so far +%- +%- +[0-4] ")
check.matches("… of a sweep",
    succeed("partial sweep", { "sweep", scenario, "--over", "until_time=10,1000", "--policies",
    "mk_jr", "--format", "csv" }),
    "\n10,mk_jr,1,%d,.*,false,,30,30,stage,.*\n1000,mk_jr,1,5,.*,true,,30,30,stage,")
local of_ratios = succeed("ratios of a sweep",
    { "sweep", scenario, "--over", "params.total_slots=6,8", "--param", "search_ratio=true",
    "--policies",
    "uaas", "--format", "json" })
check.matches("… have their slots", of_ratios,
    '"map_slots": 3, *\n? *"reduce_slots": 3, *\n? *"level": "stage"')
check.matches("… and bounds", of_ratios, '"lower_bound": %d')
check.equal("seeds that vary are no title",
    succeed("seeds", { "sweep", scenario, "--over", "seed=1,2", "--policies", "uaas", "--format",
    "table" })
    :find "seed %d+\n", nil)
check.matches("what is rounded to nothing",
    succeed("tiny", { "simulate", "-", "--policy", "fifo", "--set", "level=task", "--format",
    "table" },
    json_of '{"maps":[3000000,3000001]},{"maps":[3000000]}'),
        "makespan +6000000, [^\n]*above the lower bound")

-- The log of a run that was stopped, from standard input too.
log = program.file "stopped.log"
succeed("a run that is stopped", { "simulate", scenario, "--set", "level=task", "--until", "10",
    "--log", log })
local _, why, failed = program.run { "verify", scenario, "--set", "level=task", log }
check.equal("a part of a run is none", failed, 1)
check.matches("… and why", why,
    ": %d of 5 jobs finish: the run was ended before the others %(%-%-until%), "
    .. "or lines are missing\n$")
_, why, failed = program.run({ "verify", scenario, "--set", "level=task", "-" },
    check.read_file(log))
check.matches("standard input", why, "^/dev/stdin:%d+: %d of 5 jobs finish")

-- ---- Ctrl-C -------------------------------------------------------------------------------------

local base = program.directory .. "/stopped"
local _, _, code =
    os.execute(string.format(
    "timeout --foreground --preserve-status -s INT 1 '%s' simulate --workload rand_many,jobs=200 "
    .. "--set level=task --policy local_search --param max_evals=1000000 --format "
    .. "json >%s.out 2>%s.err",
    program.path, base, base))
check.equal("exit code of a plan that was stopped", code, 130)
check.equal("what is said of it", check.read_file(base .. ".err"),
    "pinion: interrupted: policy local_search has no plan yet\n")
local stopped = core.json_decode(check.read_file(base .. ".out"), "stopped")
check.equal("a result without a schedule", stopped.order, core.null)
check.equal("marked as such", stopped.interrupted, true)

-- ---- mistakes -----------------------------------------------------------------------------------

local function params_of(params, policy)
    return string.format(
        '{"model":"makespan","policy":"%s","params":{%s},"map_slots":2,"reduce_slots":2,'
        .. '"jobs":[{"maps":[1]},{"maps":[2]}]}',
        policy, params)
end
for _, mistake in ipairs {
    { { "simulate", scenario, "--set", "machines=3" }, 2,
      "pinion: --set machines: unknown field (known: model, map_slots, reduce_slots, level, "
          .. "policy, seed, timeline)\n" },
    { { "simulate", scenario, "--set", "map_slots=0" }, 2,
        "pinion: --set map_slots: must be an integer in 1..16777216, got 0\n" },
    { { "simulate", scenario, "--set", "level=jobs" }, 2,
        "pinion: --set level: must be stage or task, got 'jobs'\n" },
    { { "simulate", scenario, "--until", "x" }, 2,
        "~pinion: --until: must be a number >= 0 or a ratio of integers" },
    { { "simulate", scenario, "--warmup", "5" }, 2, "~pinion: --warmup: a batch has no warm-up" },
    { { "simulate", scenario, "--error", "exp(1)" }, 2,
        "~pinion: --error: policies of the makespan model see the true jobs" },
    { { "simulate", scenario, "--checkpoint", "x", "--every", "1" }, 2,
        "~pinion: --checkpoint: a batch has no checkpoints" },
    { { "simulate", scenario, "--every", "1" }, 2, "~pinion: --every: a batch has no checkpoints" },
    { { "simulate", scenario, "--slowdown-by-size", "4x1" }, 2,
        "pinion: --slowdown-by-size: is not an option of the makespan model\n" },
    { { "simulate", scenario, "--policy", "fair" }, 2,
        "pinion: policy 'fair' is of the slotted model (expected a policy of makespan)\n" },
    { { "simulate", scenario, "--policy", "exact" }, 2,
        "pinion: policy exact is not defined at level stage\n" },
    { { "simulate", scenario, "--policy", "given_order" }, 2,
        "pinion: policy given_order: needs the parameter order (job ids)\n" },
    { { "simulate", scenario, "--param", "order=1;2" }, 2,
        "pinion: params.order: names 2 of 5 jobs (expected each of them)\n" },
    { { "simulate", scenario, "--param", "nodes=7", "--policy", "balanced_pools" }, 2,
      "pinion: params.nodes: must divide the 30 map slots and the 30 reduce slots, got 7\n" },
    { { "simulate", "-" }, 2,
        "<stdin>: params.nodes: must divide the 2 map slots and the 2 reduce slots, got 3\n",
      params_of('"nodes":3', "balanced_pools") },
    { { "simulate", "-" }, 2, "<stdin>: params.order: names 1 of 2 jobs (expected each of them)\n",
        params_of('"order":[1]', "given_order") },
    { { "simulate", "-" }, 2, "<stdin>: params.order: is empty (expected job ids)\n",
        params_of('"order":[]', "given_order") },
    { { "simulate", "-" }, 2, "<stdin>: params.order[2]: job 1 is listed twice\n",
        params_of('"order":[1,1]', "given_order") },
    { { "simulate", "-" }, 2, "<stdin>: params.pools: no node is left for 1 job\n",
        params_of('"pools":[{"nodes":2,"jobs":[1]}]', "fixed_pools") },
    { { "simulate", "-" }, 2, "<stdin>: policy given_order: needs the parameter order (job ids)\n",
        params_of("", "given_order") },
    { { "simulate", scenario, "--param", "order=1,2,3,4,5" }, 2,
        "~expected ; between job ids, such as 3;1;2, got '1,2,3,4,5'" },
    { { "simulate", "--workload", "facebook", "--policy", "uaas" }, 2,
        "pinion: policy 'uaas' is of the makespan model "
        .. "(--model makespan runs the workload there)\n" },
    { { "new-policy", "c2", "--from", "neh" }, 2,
        "pinion: --from: 'neh' is of the makespan model (--model makespan)\n" },
    { { "simulate", scenario, "--set", "level=task", "--policy", "exact", "--param",
        "share=exclusive" }, 2,
      "~pinion: --param share: policy 'exact' has no such parameter (it has: max_nodes, "
          .. "resplit, nodes, " },
    { { "compare", scenario, "--plot", "f.svg", "--kind", "ratio" }, 2,
      "pinion: plot: no ratios were searched (run with params.search_ratio = true)\n" },
    { { "compare", "--workload", "t1_like", "--replicas", "3", "--plot", "f.svg", "--kind",
        "ratio" }, 2,
      "~pinion: plot: ratio needs one replica, got 3" },
    { { "compare", scenario, "--plot", "f.svg", "--kind", "convergence" }, 2,
        "~pinion: plot: convergence needs several replicas" },
    { { "compare", scenario, "--plot", "f.svg", "--of", "nope" }, 2, "~pinion: plot: of must be " },
    { { "compare", scenario, "--plot", "f.svg", "--of", "gap_tight" }, 2,
        "~pinion: plot: no policy has gap_tight here" },
    { { "sweep", scenario, "--over", "slots=30x30,60x60", "--over", "map_slots=3" }, 2,
      "pinion: over.map_slots: what it varies is varied by over.slots too\n" },
    { { "compare", scenario, "--plot", "f.svg", "--kind", "slowdown" }, 2,
        "~pinion: plot: kind must be bars or cdf or convergence or ratio" },
    { { "compare", scenario, "--replicas", "3" }, 2,
        "~pinion: replicas must be 1 for a fixed workload" },
    { { "sweep", scenario, "--over", "slots=30" }, 2,
        "pinion: over.slots: must be map slots x reduce slots such as 30x20, got '30'\n" },
    { { "sweep", scenario, "--over", "warmup=3" }, 2,
        "~pinion: over.warmup: a batch has no warm-up" },
    { { "sweep", scenario, "--over", "machines=3" }, 2,
        "~pinion: over.machines: cannot be varied (known: " },
    { { "simulate", "-" }, 2, "~<stdin>: jobs[1]: has no work", json_of '{"maps":[0]}' },
    { { "simulate", "-" }, 2, "~<stdin>: map_slots: is required (an integer >= 1)",
        '{"model":"makespan","policy":"uaas","reduce_slots":2,"jobs":[{"maps":[1]}]}' },
    { { "simulate", "-" }, 2, "~<stdin>: jobs[1].arrival: unknown field",
        json_of '{"arrival":1,"maps":[1]}' },
    { { "simulate", "-" }, 2, "~<stdin>: jobs[1].maps[2]: must be ", json_of '{"maps":[1,-1]}' },
} do
    local output, messages, got = program.run(mistake[1], mistake[4])
    local name = table.concat(mistake[1], " ")
    check.equal("exit code of " .. name, got, mistake[2])
    check.equal("no result of " .. name, output, "")
    if mistake[3]:sub(1, 1) == "~" then
        check.contains("message of " .. name, messages, mistake[3]:sub(2))
    else
        check.equal("message of " .. name, messages, mistake[3])
    end
end

check.done()
