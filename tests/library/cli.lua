-- The program from outside: results on standard output, messages on standard error, exit codes.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local KNOWN = table.concat(require("pinion.models").names(), ", ")

local SCENARIO = [[{ "model": "slotted", "machines": 4, "reduce": "preemptive", "policy": "asrpt",
  "jobs": [ { "arrival": 1, "maps": 5, "reduces": [4, 4, 2] }, { "arrival": 1, "maps": 2, "name": "second" } ] }]]
local scenario = program.file("s.json", SCENARIO)

local other_mode = program.file("mode.json",
    '{"model":"slotted","machines":4,"policy":"dsrpt","jobs":[{"arrival":1,"maps":5}]}')
-- More work than can be added up, and more jobs than a conversion holds.
local endless = program.file("endless.json", '{"model":"slotted","machines":1,"jobs":[' ..
    ('{"arrival":1,"maps":9007199254740992},'):rep(600) .. '{"arrival":1,"maps":1}]}')

-- { arguments, exit code, whole standard error (or a part after "~"), standard input }
local MISTAKES = {
    { {}, 2, "~pinion: a command is required" },
    { { "simulate", "--plicy", "fifo" }, 2,
        "~pinion: unknown option '--plicy' (did you mean '--policy'?)\n" },
    { { "compare", "--policy", "fifo" }, 2,
        "~pinion: unknown option '--policy' (did you mean '--policies'?)\n" },
    { { "compare", "--relpicas", "3" }, 2,
        "~pinion: unknown option '--relpicas' (did you mean '--replicas'?)\n" },
    { { "sweep", "--oevr=machines=1" }, 2,
        "~pinion: unknown option '--oevr' (did you mean '--over'?)\n" },
    { { "resume", "x", "--untl", "3" }, 2,
        "~pinion: unknown option '--untl' (did you mean '--until'?)\n" },
    { { "workload", "--jbs" }, 2, "~pinion: unknown option '--jbs' (did you mean '--jobs'?)\n" },
    { { "policies", "--suorce" }, 2,
        "~pinion: unknown option '--suorce' (did you mean '--source'?)\n" },
    { { "new-policy", "x", "--form", "y" }, 2,
        "~pinion: unknown option '--form' (did you mean '--from'?)\n" },
    { { "verify", "--modle", "y" }, 2,
        "~pinion: unknown option '--modle' (did you mean '--model'?)\n" },
    { { "gantt", "x", "--outputt", "y" }, 2,
        "~pinion: unknown option '--outputt' (did you mean '--output'?)\n" },
    { { "paper", "--sede", "3" }, 2,
        "~pinion: unknown option '--sede' (did you mean '--seed'?)\n" },
    { { "version", "--quite" }, 2, "~pinion: unknown option '--quite' (known: --help)\n" },
    { { "--versoin" }, 2, "~pinion: unknown option '--versoin' (did you mean '--version'?)\n" },
    { { "simulate", scenario, "--output", "x.parquet" }, 2,
        "pinion: --output: x.parquet would be of an unknown format "
        .. "(known: .csv, .db, .html, .json, .md, .tex, .txt; --format says what another name "
        .. "is)\n" },
    { { "workload", "zheng:0", "--output", "/tmp/x.json.gz" }, 2,
        "pinion: --output: /tmp/x.json.gz would be of an unknown format "
        .. "(known: .csv, .json, .md, .tex, .txt; --format says what another name is)\n" },
    { { "simulate", scenario, "--format", "csv", "-o", "x.json" }, 2,
        "pinion: --output: x.json is named as json, but --format is csv (expected .csv)\n" },
    { { "compare", scenario, "--format", "latex", "-o", "x.txt" }, 2,
        "pinion: --output: x.txt is named as table, but --format is latex (expected .tex)\n" },
    { { "policies", "-o", "x.csv" }, 2, "~pinion: --output: x.csv would be csv" },
    { { "simlate" }, 2, "~pinion: unknown command 'simlate' (did you mean 'simulate'?)\n" },
    { { "simulate" }, 2,
        "pinion: a scenario file is missing (or --workload SPEC; - reads standard input)\n" },
    { { "simulate", "--formt", "json" }, 2, "~pinion: unknown option '--formt'" },
    { { "simulate", scenario, "--format", "xml" }, 2, 
        "~pinion: --format: must be table or markdown or latex or json or csv, got 'xml'\n" },
    { { "simulate", scenario, "--format", "jsno" }, 2, "~got 'jsno' (did you mean 'json'?)\n" },
    { { "policies", "--format", "makrdown" }, 2, "~(did you mean 'markdown'?)\n" },
    { { "compare", scenario, "--bounds", "tihgt" }, 2, "~(did you mean 'tight'?)\n" },
    { { "compare", scenario, "--plot", "x.svg", "--kind", "bars", "--of", "mean_flow" }, 2,
        "~got 'mean_flow' (did you mean 'mean_flow_time'?)\n" },
    { { "completion", "fsh" }, 2, "~pinion: completion: must be bash or zsh or fish, got 'fsh' "
        .. "(did you mean 'fish'?)\n" },
    { { "help", "polices" }, 2, "~unknown command or topic 'polices' (did you mean 'policies'?)" },
    { { "simulate", scenario, "--bounds", "strict" }, 2,
        "~pinion: --bounds: must be none or fast or tight, got 'strict'\n" },
    { { "simulate", scenario, "extra" }, 2, "~pinion: too many arguments" },
    { { "simulate", "nosuchfile.json" }, 2, "nosuchfile.json: No such file or directory\n" },
    { { "simulate", program.directory }, 2, program.directory .. ": Is a directory\n" },
    { { "simulate", scenario, "--workload", "zheng:0" }, 2,
        "pinion: give either a scenario file or --workload, not both\n" },
    { { "simulate", "--workload", "zheng:0" }, 2,
        "pinion: no policy given (--policy NAME; `pinion policies` lists them)\n" },
    { { "simulate", scenario, "--policy", "asprt" }, 2,
        "pinion: unknown policy 'asprt' (did you mean 'asrpt'?)\n" },
    { { "simulate", scenario, "--policy", "missing.lua" }, 2,
        "pinion: missing.lua: No such file or directory (expected a policy's file)\n" },
    { { "simulate", scenario, "--policy", "dsrpt", "--set", "reduce=nonpreemptive" }, 2,
      "pinion: policy 'dsrpt' is not defined for reduce=nonpreemptive (only for "
            .. "preemptive: --set reduce=preemptive)\n" },
    { { "simulate", other_mode }, 2,
        other_mode .. ": policy: policy 'dsrpt' is not defined for reduce=nonpreemptive (only "
        .. "for preemptive: --set reduce=preemptive)\n" },
    { { "simulate", other_mode, "--policy", "dsrpt" }, 2,
        "pinion: policy 'dsrpt' is not defined for reduce=nonpreemptive (only for "
            .. "preemptive: --set reduce=preemptive)\n" },
    { { "compare", scenario, "--param", "wm=1" }, 2,
        "pinion: --param wm: the chosen policies have no such parameter (they have: none)\n" },
    { { "simulate", scenario, "--param", "wm=1" }, 2,
        "pinion: --param wm: policy 'asrpt' has no such parameter (it has: none)\n" },
    { { "simulate", scenario, "--policy", "idx", "--param", "vm=1" }, 2,
        "pinion: --param vm: unknown parameter (did you mean 'wm'?)\n" },
    { { "simulate", scenario, "--policy", "idx", "--param", "wm=x" }, 2,
        "pinion: --param wm: must be an integer, got 'x'\n" },
    { { "simulate", scenario, "--policy", "idx", "--param", "wm=2000000" }, 2,
      "pinion: --param wm: must be an integer in -1048576..1048576, got 2000000\n" },
    { { "simulate", scenario, "--param", "wm" }, 2,
        "pinion: --param: expected NAME=VALUE, got 'wm'\n" },
    { { "simulate", scenario, "--set", "machines=0" }, 2,
        "pinion: --set machines: must be an integer in 1..16777216, got 0\n" },
    { { "simulate", scenario, "--set", "machnes=5" }, 2,
        "pinion: --set machnes: unknown field (did you mean 'machines'?)\n" },
    { { "simulate", scenario, "--set", "jobs=5" }, 2, "~pinion: --set jobs: unknown field" },
    { { "simulate", scenario, "--set", "machines" }, 2,
        "pinion: --set: expected FIELD=VALUE, got 'machines'\n" },
    { { "simulate", scenario, "--seed=-1" }, 2,
        "pinion: --seed: must be an integer >= 0, got -1\n" },
    { { "simulate", scenario, "--until", "0" }, 2,
        "pinion: --until: must be an integer >= 1, got 0\n" },
    { { "simulate", scenario, "--model", "fluid" }, 2,
        "pinion: model: unknown model 'fluid' (known: " .. KNOWN .. ")\n" },
    { { "simulate", scenario, "--model", "tandem" }, 2,
        scenario .. ": model: is 'slotted', but --model is 'tandem'\n" },
    { { "simulate", "-" }, 2, "<stdin>:1: empty file (expected a JSON object)\n", "" },
    { { "simulate", "-" }, 2, "<stdin>: jobs[1].maps: must be an integer >= 0, got -1\n",
      '{"model":"slotted","machines":1,"jobs":[{"arrival":1,"maps":-1}]}' },
    { { "simulate", "-" }, 2, "<stdin>: machines: is required (an integer >= 1)\n",
        '{"model":"slotted","jobs":[{"arrival":1,"maps":1}]}' },
    { { "simulate", "-" }, 2, "~<stdin>:2: ", '{"model":"slotted",\n"machines":}' },
    { { "simulate", scenario, "--output", program.directory .. "/no/such/file" }, 1,
      program.directory .. "/no/such/file: No such file or directory\n" },
    { { "simulate", scenario, "--output", "/dev/full" }, 1,
        "/dev/full: No space left on device\n" },
    { { "compare", scenario, "--policies", "fifo,,asrpt" }, 2,
        "pinion: --policies: an empty name in 'fifo,,asrpt'\n" },
    { { "compare", scenario, "--policies", "fifo,fifo" }, 2,
        "pinion: policy 'fifo' is named twice\n" },
    { { "compare", scenario, "--policies", "fifo,asprt" }, 2,
        "pinion: unknown policy 'asprt' (did you mean 'asrpt'?)\n" },
    { { "compare", scenario, "--set", "reduce=nonpreemptive", "--policies", "fifo,dsrpt" }, 2,
      "pinion: policy 'dsrpt' is not defined for reduce=nonpreemptive (only for "
            .. "preemptive: --set reduce=preemptive)\n" },
    { { "policies", "asprt" }, 2, "pinion: unknown policy 'asprt' (did you mean 'asrpt'?)\n" },
    { { "workload", "--jobs" }, 2,
        "pinion: --jobs: name a workload first (`pinion workload` lists them)\n" },
    { { "workload", "zhang" }, 2, "pinion: unknown workload 'zhang' (did you mean 'zheng'?)\n" },
    { { "workload", "dir/Jobs.csv" }, 2,
        "pinion: unknown workload 'dir/Jobs.csv' (did you mean 'csv:dir/Jobs.csv'?)\n" },
    { { "workload", "day.tsv.gz" }, 2,
        "pinion: unknown workload 'day.tsv.gz' (did you mean 'swim:day.tsv.gz'?)\n" },
    { { "compare", "--workload", scenario }, 2,
      "pinion: unknown workload '" .. scenario
          .. "' (expected a SPEC; a scenario file is an argument of its own, without "
          .. "--workload)\n" },
    { { "workload", "zheng:7" }, 2,
        "pinion: workload 'zheng:7': setting: must be an integer in 0..3, got 7\n" },
    { { "workload", "zheng,mapz=exp(3)" }, 2,
        "pinion: workload 'zheng,mapz=exp(3)': mapz: unknown option (did you mean 'maps'?)\n" },
    { { "workload", "zheng,maps=exp(0)" }, 2, "~maps: exp: mean must be a number > 0" },
    { { "workload", "bursts,chance=2" }, 2,
        "pinion: workload 'bursts,chance=2': chance: must be a number >= 0 and <= 1, got 2\n" },
    { { "workload", "bursts:3" }, 2,
        "pinion: workload 'bursts:3': nothing goes behind 'bursts:' (expected "
        .. "bursts,option=value)\n" },
    { { "workload", "facebook,bins=7" }, 2,
        "pinion: workload 'facebook,bins=7': bins: must be 6 or 9, got '7'\n" },
    { { "workload", "swim:no such=file" }, 2, "~no such=file: " },
    { { "workload", "swim:x,scale=0" }, 2, "~scale: must be a ratio > 0" },
    { { "compare", scenario, "--kind", "cdf" }, 2,
        "pinion: --kind: needs --plot FILE\n" },
    { { "compare", scenario, "--plot", "f.svg", "--kind", "bar" }, 2,
      "pinion: plot: kind must be cdf or bars or convergence, got 'bar' (did you mean 'bars'?)\n" },
    { { "compare", scenario, "--plot", "f.txt" }, 2,
        "pinion: plot: file name must end in .svg, .png or .pdf, got 'f.txt'\n" },
    { { "workload", "csv:nosuchfile" }, 2, "nosuchfile: cannot open: No such file or directory\n" },
    { { "workload", endless }, 1, "pinion: the workload has too much work to add up\n" },
    { { "workload", "facebook,jobs=1000001", "--jobs" }, 1,
        "pinion: the workload has more than 1000000 jobs\n" },
    { { "workload", "zheng:0", "--machines", "0" }, 2,
        "pinion: --machines: must be an integer in 1..16777216, got 0\n" },
    { { "verify", scenario }, 2, "~pinion: a scenario file is missing" },
    { { "verify" }, 2, "~pinion: missing argument 'files'" },
    { { "verify", scenario, "nosuchlog" }, 2, "~nosuchlog: " },
    { { "run", "nosuchscript.lua" }, 2, "nosuchscript.lua: No such file or directory\n" },
    { { "run" }, 2, "~pinion: missing argument 'script'" },
}
for _, mistake in ipairs(MISTAKES) do
    local name = table.concat(mistake[1], " ")
    local output, messages, code = program.run(mistake[1], mistake[4])
    check.equal("exit code of " .. name, code, mistake[2])
    check.equal("no result of " .. name, output, "")
    if mistake[3]:sub(1, 1) == "~" then
        check.contains("message of " .. name, messages, mistake[3]:sub(2))
    else
        check.equal("message of " .. name, messages, mistake[3])
    end
end

local succeed = program.succeed

check.equal("version", succeed("version", { "version" }), "pinion " .. core.version .. "\n")
check.equal("--version", succeed("--version", { "--version" }), "pinion " .. core.version .. "\n")
check.contains("help", succeed("help", { "--help" }), "Exit codes: 0 done, 1 the run failed")
for _, command in ipairs { "run", "simulate", "resume", "compare", "sweep", "workload", "policies",
        "new-policy", "new-workload", "paper", "verify", "version" } do
    local help = succeed(command .. " --help", { command, "--help" })
    check.contains(command .. " --help has its usage", help, "Usage: pinion " .. command)
    check.contains(command .. " --help has an example", help, "Example")
end

-- The examples do what they say when they are copied from the screen.
for _, command in ipairs { "run", "simulate", "resume", "compare", "sweep", "workload", "policies",
        "new-policy", "new-workload", "paper", "verify", "version" } do
    local help = succeed(command .. " --help", { command, "--help" })
    local example = help:match "\nExample[^\n]*:\n(.*)$"
    local lines, name, text = example:match "^(.-)with (%S+):\n(.*)$"
    if name then program.file(name, text) end
    local script = program.file("example.sh",
        string.format("set -eu\npinion() { '%s%s' \"$@\"; }\ncd %s\n%s",
        program.path:sub(1, 1) == "/" and "" or os.getenv "PWD" .. "/", program.path,
        program.directory, lines or example))
    local _, _, status =
        os.execute(string.format("sh %s >/dev/null 2>%s </dev/null", script,
        program.file "example.err"))
    check.equal("example of " .. command .. ": " .. check.read_file(program.file "example.err"),
        status, 0)
end

local log = program.file "s.log"
local simulated = succeed("simulate", { "simulate", scenario, "--log", log })
local result = core.json_decode(simulated, "result")
local order = {}
for name in simulated:gmatch('\n  "([%w_]+)":') do order[#order + 1] = name end
check.equal("fields in their order", table.concat(order, " ", 1, 12),
    "model policy machines reduce jobs total_flow_time mean_flow_time saturation lower_bound "
        .. "efficiency_ratio slots digest")
check.equal("policy of the file", result.policy, "asrpt")
check.equal("total", result.total_flow_time, 6)
check.contains("doubles keep a point", simulated, '"mean_flow_time": 3.0,')
check.equal("rows", #result.jobs, 2)
check.equal("first finish", result.jobs[1].finish, 5)
check.equal("map_finish", result.jobs[1].map_finish, 2)
check.equal("name", result.jobs[2].name, "second")
check.matches("digest", result.digest, "^%x+$")
check.equal("digest of 16 digits", #result.digest, 16)
check.equal("seed", result.seed, 1)
check.equal("standard input gives the same", succeed("simulate -", { "simulate", "-" }, SCENARIO),
    simulated)
check.equal("again the same", succeed("simulate again", { "simulate", scenario }), simulated)

check.equal("verify in the other order", succeed("verify", { "verify", log, scenario }),
    succeed("verify", { "verify", scenario, log }))
check.matches("verify", succeed("verify", { "verify", scenario, log }),
    "^" .. log:gsub("%W", "%%%0") .. ": ok: .*digest " .. result.digest .. "\n$")
local forged = program.file("forged.log", (check.read_file(log):gsub('"map":%d+', '"map":4', 1)))
local _, rejection, rejected = program.run { "verify", scenario, forged }
check.equal("a forged log is rejected", rejected, 1)
check.matches("a rejection names its line", rejection, "^" .. forged:gsub("%W", "%%%0") .. ":%d+: ")
local other = program.file("other.json", (SCENARIO:gsub('"maps": 2', '"maps": 3')))
check.equal("a log of another scenario is rejected",
    select(3, program.run { "verify", other, log }), 1)

local none = core.json_decode(
    succeed("no bounds", { "simulate", scenario, "--bounds", "none", "--no-jobs" }), "result")
check.equal("no bound is null", none.lower_bound, core.null)
check.equal("no ratio is null", none.efficiency_ratio, core.null)
check.equal("no rows", none.jobs, nil)
local tight = core.json_decode(succeed("tight", { "simulate", scenario, "--bounds", "tight" }),
    "result")
check.is_true("the tight bound lies between", tight.lower_bound <= tight.lower_bound_tight
    and tight.lower_bound_tight <= tight.total_flow_time)
local partial = core.json_decode(succeed("until", { "simulate", scenario, "--until", "1" }),
    "result")
check.equal("a partial run is not complete", partial.complete, false)
check.equal("what has not happened is null", partial.jobs[1].finish, core.null)
check.equal("a partial run has no bound", partial.lower_bound, core.null)

check.matches("csv", succeed("csv", { "simulate", scenario, "--format", "csv" }),
    "^policy,submitted,finished,[%w_,]+\nasrpt,2,2,3%.0,")
check.equal("csv of jobs",
    succeed("csv of jobs", { "simulate", scenario, "--format", "csv", "--jobs-detail" }),
    "policy,id,arrival,map_finish,finish,flow_time,name\n"
    .. "asrpt,1,1,2,5,5,\nasrpt,2,1,1,1,1,second\n")
check.contains("table", succeed("table", { "simulate", scenario, "--format", "table" }),
    "jobs finished     2 of 2\n")
check.contains("table of jobs",
    succeed("table of jobs", { "simulate", scenario, "--format", "table", "--jobs-detail" }),
    "second\n")
local file = program.file "out.csv"
check.equal("--output leaves standard output empty",
    succeed("--output", { "simulate", scenario, "--output", file }), "")
check.matches("--output chooses by name", check.read_file(file), "^policy,")

local compared = succeed("compare", { "compare", scenario, "--policies", "fifo,srpt,slotted/asrpt",
    "--format", "table", "--bounds", "tight" })
check.matches("rows as given", compared, "\nfifo .*\nsrpt %(relaxed%) .*\nasrpt ")
check.matches("closing line", compared,
    "\nlower bound %d+, tight bound %d+, 2 jobs, seed 1\nflow times in slots; "
    .. "vs fifo: mean minus the mean of fifo; / fifo: mean divided by the mean of fifo\n"
    .. "p999: [^\n]+; ratio: total flow time / lower bound\n$")
check.matches("ratio of the relaxation", compared, "srpt %(relaxed%) [^\n]* 1%.000  *1%.000\n")
local comparison = core.json_decode(succeed("compare json", { "compare", scenario }), "comparison")
check.equal("default policies", #comparison.rows, 5)
check.equal("all have the bound", comparison.rows[5].lower_bound, comparison.lower_bound)
for name, begins in next, { ["r.CSV"] = "policy,", ["r.txt"] = "asrpt", ["r.json"] = "{", r = "{",
    [".hidden"] = "{",
                            ["tmp.Xy3kLq9Zab"] = "{", ["v1.2"] = "{" } do
    local path = program.file(name)
    succeed("output " .. name, { "simulate", scenario, "--output", path })
    check.equal("what " .. name .. " begins with", check.read_file(path):sub(1, #begins), begins)
end
succeed("any name beside --format",
    { "simulate", scenario, "--format", "json", "--output", program.file "r.parquet" })

check.matches("compare csv", succeed("compare csv", { "compare", scenario, "--format", "csv" }),
    "^policy,.*\nfifo,.*\nfair,.*\nlrpt,.*\nasrpt,.*\npsrpt,")

-- Workloads: described, written, read again.
check.matches("list of workloads", succeed("workload without one", { "workload" }),
    "\nzheng +slotted +Poisson arrivals")
check.matches("describe", succeed("workload", { "workload", "zheng:2,slots=50" }),
    "^zheng:2,slots=50\njobs +%d+\n")
check.contains("describe a scenario", succeed("workload of a file", { "workload", scenario }),
    "map units      7\n")
check.contains("load on other machines",
    succeed("workload --machines", { "workload", scenario, "--machines", "17" }),
    "load           1.000\n")
local as_json, as_csv = program.file "w.json", program.file "w.csv"
succeed("workload as scenario", { "workload", "facebook,jobs=50", "--jobs", "--output", as_json })
succeed("workload as csv", { "workload", "facebook,jobs=50", "--jobs", "--output", as_csv })
local function digest(...)
    return succeed("digest",
        { "simulate", "--policy", "fair", "--no-jobs", ... }):match '"digest": "(%x+)"'
end
local generated = digest("--workload", "facebook,jobs=50")
check.equal("a scenario of the jobs is the workload", digest(as_json), generated)
check.equal("a csv of the jobs is the workload", digest("--workload", "csv:" .. as_csv), generated)
check.is_true("another seed is another workload",
    digest("--workload", "facebook,jobs=50", "--seed", "2") ~= generated)
check.equal("--seed is the seed of the spec",
    digest("--workload", "facebook,jobs=50", "--seed", "2"),
    digest("--workload", "facebook,jobs=50,seed=2"))
check.equal("distributions in a spec",
    succeed("constant", { "workload", "zheng,maps=constant(3),reduces=uniform(1,1),slots=9",
    "--format", "json" }):match '"reduce_units": (%d+)',
    succeed("constant", { "workload", "zheng,maps=constant(3),reduces=uniform(1,1),slots=9",
        "--format", "json" }):match '"jobs": (%d+)')
local trace = program.file("trace of = jobs.tsv",
    "job0\t0\t0\t1000000000\t500000000\t100\njob1\t30\t30\t5\t0\t0\n")
local swim = core.json_decode(
    succeed("swim", { "workload", "swim:" .. trace .. ",scale=1,slot=10", "--format", "json" }),
    "swim")
check.equal("a trace's jobs", swim.jobs, 2)
check.equal("a trace's map units", swim.map_units, 9)
check.equal("a trace's map-only jobs", swim.map_only, 1)

-- Odd rows are legal; how many there are is said beside the result.
local odd = program.file("odd.tsv",
    "job0\t0\t0\t0\t0\t0\njob1\t30\t30\t5\t9\t0\njob2\t30\t0\t0\t5\t1\n")
for _, arguments in ipairs { { "simulate", "--policy", "fifo" },
        { "compare", "--policies", "fifo" } } do
    table.move({ "--workload", "swim:" .. odd, "--format", "csv" }, 1, 4, #arguments + 1, arguments)
    local _, notice, status = program.run(arguments)
    check.equal("exit code with odd rows", status, 0)
    check.equal("odd rows are counted", notice,
        "pinion: " .. odd .. ": 3 rows: 1 map-only, 1 without any bytes, "
        .. "1 shuffle but read nothing, 2 shuffle more than they read, 1 shuffle but write "
            .. "nothing\n")
    arguments[#arguments + 1] = "--quiet"
    succeed("odd rows, quietly", arguments)
end

check.contains("policies", succeed("policies", { "policies" }), "slotted   asrpt ")
check.contains("one policy", succeed("policies idx", { "policies", "idx" }), "-1048576..1048576")
check.is_true("policies as json",
    #core.json_decode(succeed("policies json", { "policies", "--format", "json" }), "p").policies
    >= 12)

-- Scripts.
local function script(name, text, ...)
    return program.run { "run", program.file(name, text), ... }
end
local output, messages,
    code = script("args.lua", "print(arg[0]:match '[^/]+$', arg[1], arg[2], #arg, ...)", "-h",
    "--x=1")
check.equal("arguments of a script", output, "args.lua\t-h\t--x=1\t2\t-h\t--x=1\n")
check.equal("a script that ends", code, 0)
output, messages, code = script("syntax.lua", "#!/usr/bin/env pinion\nlocal = 1")
check.equal("syntax error", code, 2)
check.matches("place of a syntax error", messages, "syntax%.lua:2: ")
check.equal("a mark of UTF-8 before a script", (script("mark.lua", "\xEF\xBB\xBFprint 'read'")),
    "read\n")
output, messages, code = script("runtime.lua", "print 'before'\nerror 'boom'")
check.equal("runtime error", code, 1)
check.matches("place of a runtime error", messages, "^[^\n]*runtime%.lua:2: boom\n$")
check.equal("output before the error", output, "before\n")
output, messages,
    code = script("library.lua",
    "local pinion = require 'pinion'\npinion.run { machines = 4, polcy = 'fifo' }")
check.matches("an error of the library is the script's", messages,
    "library%.lua:2: polcy: unknown option %(did you mean 'policy'%?%)\n$")
check.equal("error object", select(3, script("object.lua", "error {}")), 1)
check.equal("exit code of a script",
    select(3, program.start { "run", program.file("exit.lua", "os.exit(7)") }), 7)
check.equal("the program as a shell starts it", (program.start { "version" }),
    succeed("version", { "version" }))

-- A full disk is not success.
for _, arguments in ipairs { { "simulate", scenario }, { "version" }, { "simulate", "-h" },
        { "policies" } } do
    local _, complaint, full = program.run(arguments, nil, "/dev/full")
    check.equal("full disk: " .. table.concat(arguments, " "), full, 1)
    check.contains("full disk is named: " .. table.concat(arguments, " "), complaint, "pinion: ")
end

-- A table of jobs that outgrows the memory. A sanitizer's own memory would be over any limit.
if not program.path:find("asan", 1, true) then
    local _, _, short =
        os.execute(string.format(
        "(ulimit -v 60000; '%s' simulate --workload zheng,rate=100000 --policy fifo) >%s 2>%s",
        program.path, program.file "short.out", program.file "short.err"))
    check.equal("exit code of a capacity too small", short, 1)
    check.equal("no result of a capacity too small", check.read_file(program.file "short.out"), "")
    check.matches("growing is said", check.read_file(program.file "short.err"),
        "^pinion: more than 1024 jobs in the system: starting again with room for 2048\n")
    check.matches("a capacity too small", check.read_file(program.file "short.err"),
        "\npinion: not enough memory for %d+ jobs in the system %(%d+ MB%)\n$")
end

-- ---- names that steer a terminal, are long or are no UTF-8 --------------------------------------

local function named(group)
    return program.file("named.json", '{ "model": "slotted", "machines": 4, "policy": "fifo", '
        .. '"jobs": [ { "arrival": 1, "maps": 5, "group": ' .. core.json_quote(group)
        .. ' }, { "arrival": 1, "maps": 2, "group": "b" } ] }')
end

local STEERING = "\27[31mred\7\n\u{9b}1m\u{202e}\u{e9}"
local SHOWN = "\\x1b[31mred\\x07\\n\\u{9b}1m\\u{202e}\u{e9}"
for _, format in ipairs { "table", "markdown", "latex" } do
    local output = program.succeed(format, { "simulate", named(STEERING), "--format", format })
    check.is_true(format .. " steers nothing", not output:find "[\27\7\xC2]")
    if format == "table" then check.contains(format .. " shows the name", output, SHOWN) end
end
check.contains("json has the name itself",
    program.succeed("json", { "simulate", named(STEERING), "--format", "json" }),
    core.json_quote(STEERING))
check.contains("a message shows it", select(2, program.run { "simulate", scenario, "--policy",
    STEERING }), SHOWN)
check.contains("a message of the parser shows it",
    select(2, program.run { "simulate", "--" .. STEERING }), SHOWN)

local steering_log = program.file(STEERING:gsub("\n", "") .. ".log")
program.succeed("a log with such a name", { "simulate", scenario, "--policy", "fifo", "--no-jobs",
    "--format", "json", "--log", steering_log })
for name, command in pairs {
    verify = { "verify", scenario, steering_log },
    ["new-policy"] = { "new-policy", "mine", "--output", program.file "\27[31m.lua" },
    ["new-workload"] = { "new-workload", "mine", "--output", program.file "\27[32m.lua" },
} do
    local output = program.succeed(name, command)
    check.is_true(name .. " steers nothing: " .. output, not output:find "[\27\7\xC2]")
    check.contains(name .. " shows the name", output, "\\x1b[3")
end

-- Blanks are what cells are filled up with: with so many, only linear work comes to an end.
for name, long in pairs { letters = ("a"):rep(1 << 22), blanks = "a" .. (" "):rep(1 << 22) .. "a",
        letters_of_two = ("\u{e9}"):rep(1 << 20) } do
    local output = program.succeed(name, { "simulate", named(long), "--format", "table" })
    check.is_true(name .. " are cut", #output < 4096 and output:find "…" ~= nil)
    check.contains(name .. " are whole in csv",
        program.succeed(name, { "simulate", named(long), "--format", "csv", "--jobs-detail" }),
        long)
end

local no_utf8 = program.file("no\xFF.lua", check.read_file "policies/slotted/fifo.lua")
for _, name in ipairs { "p.html", "p.db" } do
    local path = program.file(name)
    local _, messages = program.run { "compare", scenario, "--policies", no_utf8 .. ",lrpt",
        "--set", "reduce=nonpreemptive", "--output", path }
    check.equal(name .. ": they decide alike", messages,
        "pinion: " .. program.file "no\\xff.lua" .. " and lrpt made the same decisions\n")
    local written = check.read_file(path)
    check.contains(name .. " escapes the byte", written, name == "p.db" and "no\\xff.lua"
        or "no\\\\xff.lua")
    check.is_true(name .. " does not hold it", not written:find("no\xFF", 1, true))
end

-- A result that was not written is none: at the end, or before it.
local script_file = program.file("unwritten.lua", "io.stdout:setvbuf 'no' print 'early'")
for reason, arguments in next, { ["No space left on device"] = { "version" },
    ["an earlier write failed"] = { "run", script_file } } do
    local _, complaint, status = program.start(arguments, nil, "/dev/full")
    check.equal("exit code where " .. reason, status, 1)
    check.equal("message where " .. reason, complaint,
        "pinion: cannot write to standard output: " .. reason .. "\n")
end

check.done()
