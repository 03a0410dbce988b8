-- Policies of the makespan model written in Lua, from outside: exact numbers; twins by every name,
-- with all parameters; the same digest from every process; logs that verify; parameters of the
-- model; mistakes; new policies.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local joined, succeed, fails, digest_in = program.joined, program.succeed, program.fails,
    program.digest

-- ---- exact numbers ------------------------------------------------------------------------------

local exact = pinion.exact
for value, text in next, {
    [0.1] = "1/10", ["107/3"] = "107/3", ["-6/4"] = "-3/2", ["1e-3"] = "1/1000", [35] = "35",
    ["0.500"] = "1/2", ["+7"] = "7",
    [1e18] = "1000000000000000000", [-2.5] = "-5/2", [math.mininteger] = "-9223372036854775808",
} do
    check.equal("exact " .. tostring(value), tostring(exact(value)), text)
end
local third = exact "1/3"
for name, got in next, {
    ["1/2"] = third + exact "1/6", ["-2/3"] = third - 1, ["5/3"] = 2 - third, ["1"] = third * 3,
    ["1/9"] = third * third, ["6"] = 2 / third,
    ["-1/3"] = -third, ["1/3"] = exact(third), ["0"] = third - third, ["x1/32"] = "x" .. third .. 2,
} do
    check.equal("computes " .. name, tostring(got), name)
end
check.is_true("comparisons", third < 1 and 0 < third and third <= exact "2/6"
    and third == exact "2/6" and third ~= exact(1) and not (1 <= third))
check.equal("nearest float", exact("107/3"):number(), 107 / 3)
local half = exact "7/2"
check.equal("rounded down and up",
    table.concat({ half:floor(), half:ceil(), (-half):floor(), (-half):ceil() }, " "), "3 4 -4 -3")
check.equal("numerator and denominator", exact "-6/4":num() * 10 + exact "-6/4":den(), -28)
check.equal("nothing to write to", getmetatable(third), false)
for value, reason in next, {
    [0.1 + 0.2] =
        "exact: expected a decimal of at most 15 digits, or a text such as \"1/3\", got 0.3",
    x = "expected an integer, a decimal or \"p/q\", got 'x'",
    ["1/0"] = "expected an integer, a decimal or \"p/q\", got '1/0'",
    [1e300] = "expected less than 2^63, got 1e+300",
    ["1e-30"] = "expected a fraction whose denominator is below 2^63, got '1e-30'",
    [math.huge] = "got inf", [true] = "got boolean",
} do
    check.raises("not exact: " .. tostring(value), reason, exact, value)
end
check.raises("no number", "got NaN", exact, 0 / 0)
check.raises("too large", "9223372036854775807 + 1 does not fit an exact number",
    function() return exact(math.maxinteger) + 1 end)
check.raises("floats are rounded", "got a float", function() return third * 0.5 end)
check.raises("no order beside others", "got string", function() return third < "1" end)
check.raises("division by 0", "an exact number is divided by 0", function() return third / 0 end)

-- ---- twins and their names ----------------------------------------------------------------------

local WORK = { "--model", "makespan", "--workload", "rand_few,jobs=6", "--set", "map_slots=12",
    "--set", "reduce_slots=8", "--quiet" }

-- Every built-in policy, and what it is run with.
local JOHNSON = { "estimate=waves", "tie=alg21", "tie=mkjr" }
local PARAMS = {
    johnson = JOHNSON, mk_jr = JOHNSON, uaas = JOHNSON,
    fixed_pools = joined(JOHNSON, { "nodes=2" }),
    balanced_pools = joined(JOHNSON, { "bp_partition=exhaustive", "bp_size=binary", "bp_sort=work",
        "bp_sort=index", "bp_allow_single=false" }),
    local_search = { "start=portfolio", "start=neh", "start=best", "max_evals=20",
        "estimate=capped" },
    neh = { "resplit=2", "cap=requested", "share=exclusive", "task_order=lpt", "stage_time=fluid" },
}
local GIVEN = { given_order = { "--param", "order=3;1;2;6;5;4" },
    fixed_pools = { "--param", "pools=1:3,1" } }

local twins = program.lines_of "ls policies/makespan/*.lua"
local natives = {}
for _, policy in ipairs(pinion.policies "makespan") do
    if policy.name ~= "exact" and not policy.text then natives[#natives + 1] = policy end
end
check.equal("a file for each but the exact search", #twins, #pinion.policies "makespan" - 1)

local function described_as(reference)
    local output = succeed("policies " .. reference,
        { "policies", reference, "--model", "makespan", "--format", "json" })
    return core.json_decode(output, "policies").policies[1]
end

-- Whatever a parameter's description says, in one text.
local function shown(parameter)
    local choices = {}
    for i, choice in ipairs(parameter.choices or {}) do choices[i] = tostring(choice) end
    return string.format("%s %s %s..%s %s %s %s", parameter.name, parameter.default, parameter.low,
        parameter.high, parameter.float,
        table.concat(choices, "|"), parameter.doc)
end

local function shown_by_name(policy)
    local lines = {}
    for i, parameter in ipairs(policy.params) do lines[i] = shown(parameter) end
    table.sort(lines)
    return table.concat(lines, "\n")
end

for _, native in ipairs(natives) do
    local name, path = native.name, "policies/makespan/" .. native.name .. ".lua"
    local text = check.read_file(path)
    check.equal("twin of " .. name, native.twin, path)
    check.equal("source of " .. name,
        succeed("--source of " .. name, { "policies", "makespan/" .. name, "--source" }), text)
    check.matches(path .. " begins with its idea, order and cost", text,
        "^%-%- [^\n]+%.\n%-%- [^\n]+\n.-%-%- O%([^\n]+")
    local file, built_in = described_as(path), described_as(name)
    check.equal("the same name as " .. name, file.name, name)
    check.equal("level of " .. path, file.level, built_in.level)
    -- the model's tell its rules
    check.equal("parameters of " .. name, shown_by_name(file), shown_by_name(built_in))

    local copy = program.file(name .. ".lua", text)
    for i, given in ipairs(joined({ "" }, PARAMS[name] or {})) do
        for _, level in ipairs { "level=stage", "level=task" } do
            local options = joined(WORK, { "--set", level }, GIVEN[name] or {},
                given ~= "" and { "--param", given } or {})
            local digest = digest_in(name, joined({ "simulate", "--policy", name }, options))
            check.equal(path .. " " .. given .. " " .. level,
                digest_in(path, joined({ "simulate", "--policy", path }, options)), digest)
            if i == 1 and level == "level=task" then
                for _, reference in ipairs { "makespan/" .. name, "makespan/" .. name .. ".lua",
                        copy } do
                    check.equal(reference,
                        digest_in(reference,
                        joined({ "simulate", "--policy", reference }, options)), digest)
                end
                local free = joined({ "simulate", "--policy", path, "--budget", "0", "--memory",
                    "1MiB" }, options)
                check.equal(name .. " without a budget", digest_in(path, free), digest)
            end
        end
    end
end

-- Hash seeds and addresses differ from process to process; digests do not.
local paths = { "tests/makespan/pairs/probe.lua",
    "tests/makespan/pairs/throws.lua", "tests/makespan/pairs/scatter.lua" }
for _, path in ipairs(twins) do
    if not path:find "given_order" and not path:find "fixed_pools" then paths[#paths + 1] = path end
end
local compared = joined({ "compare", "--policies", table.concat(paths, ","), "--set", "level=task",
    "--format", "csv" }, WORK)
local first = succeed("all", compared)
check.equal("a row for each", select(2, first:gsub("\n", "")), #paths + 1)
for process = 2, 6 do
    check.is_true(string.format("process %d", process), succeed("all again", compared) == first)
end

-- ---- logs ---------------------------------------------------------------------------------------

local scenario = program.file("s.json", [[{ "model": "makespan", "map_slots": 4, "reduce_slots": 2, "level": "task", "jobs": [
  { "maps": [3, 3, 2], "reduces": [4], "map_slots": 2 }, { "maps": [2], "reduces": [1, "1/2"] }, { "map_time": 2.5 } ] }]])
local log = program.file "p.log"
for _, path in ipairs(paths) do
    local digest = digest_in(path,
        { "simulate", scenario, "--policy", path, "--log", log, "--quiet" })
    check.contains("log of " .. path, succeed("verify " .. path, { "verify", scenario, log }),
        digest)
    local forged = program.file("forged.log",
        (check.read_file(log):gsub('"job":1,', '"job":2,', 1)))
    local _, rejection, code = program.run { "verify", scenario, forged }
    check.is_true("a forged log of " .. path .. " is rejected", code == 1 or code == 2)
    check.contains("and named", rejection, forged)
end

-- ---- parameters ---------------------------------------------------------------------------------

local run = { "simulate", scenario, "--policy", "policies/makespan/fixed_pools.lua" }
for given, message in next, {
    ["tie=x"] = "tie: must be alg21 or mkjr, got 'x'",
    ["share=fair"] = "share: must be conserving or exclusive, got 'fair'",
    ["resplit=-1"] = "resplit: must be an integer in 0..65536, got -1",
    ["bp_size=scan"] = "bp_size: policy '" .. run[4]
        .. "' has no such parameter (it has: estimate, tie, stage_time, share, cap, "
        .. "task_order, resplit, nodes, order, pools, search_ratio, total_slots)",
    ["order=1;1"] = "order[2]: job 1 is listed twice",
    ["pools=1"] =
        "pools: must be an array of pools { nodes, jobs }, or text such as 2:1,3;1:2 "
        .. "(nodes:ids;nodes:ids), got 1",
    ["pools=1:1;1:2,1"] = "pools[2].jobs: job 1 is in another pool too",
    ["pools=0:1"] = "pools[1].nodes: must be an integer in 1..16777216, got 0",
} do
    fails(given, joined(run, { "--param", given }), 2, "pinion: --param " .. message)
end
local described = succeed("policies mk_jr", { "policies", "mk_jr" })
check.matches("its own rule", described, "\ncap +requested +none, requested +task level")
check.matches("a default of the model", described,
    "\nnodes +gcd of slots +1%.%.16777216 +number of nodes that pools share")
check.equal("nothing about machines", described:find "work%-conserving", nil)
described = succeed("policies exact", { "policies", "exact" })
for _, name in ipairs { "stage_time", "share", "cap", "task_order" } do
    check.equal("exact has no " .. name, described:find("\n" .. name .. " "), nil)
end
check.is_true("exact has a limit", described:find "\nmax_nodes " ~= nil)
local both = succeed("policies johnson", { "policies", "johnson" })
check.is_true("models share names", both:find("^tandem/johnson ")
    and both:find "\n\nmakespan/johnson ")
fails("--source of two", { "policies", "johnson", "--source" }, 2,
    "pinion: --source: policies of the models tandem and makespan are called johnson (choose "
        .. "one with --model)")
fails("--source of exact", { "policies", "exact", "--source" }, 2,
    "pinion: --source: policy 'exact' has no text in Lua (it exists in C only)")
check.matches("one level", succeed("policies exact", { "policies", "exact" }),
    "\nlevel +task only\n")

-- ---- mistakes, prints, models that do not mix ---------------------------------------------------

local function with(body)
    return program.file("body.lua",
        "return { name = 'x', model = 'makespan',\norder = function(s) " .. body .. " end }")
end
for body, message in next, {
    ["return { 1, 2 }"] = "order: job 3 is missing",
    ["return { 1, 2, 2 }"] = "order: job 2 is named twice",
    ["return s:johnson { estimate = 'fluids' }"] =
        "johnson: estimate must be given, waves_req, waves, capped or fluid, got fluids",
    ["while true do end"] = "used up its budget of 2000 instructions in one call",
    ["return s:order_set() or error 'needs an order'"] = "needs an order",
} do
    local path = with(body)
    fails(body, { "simulate", scenario, "--policy", path, "--budget", "2000" }, 1,
        path .. ":2: " .. message)
end
local printing = with "print(s:work(2, 'reduce')) return { 3, 2, 1 }"
local output, messages, status = program.run { "simulate", scenario, "--policy", printing,
    "--format", "json" }
check.equal("exit code beside prints", status, 0)
check.equal("prints are no result", output:find("3/2", 1, true), nil)
check.matches("printed lines", messages, "^[^\n]*body%.lua:2: 3/2\n$")
local taken = program.file("taken.lua",
    "return { name = 'x', model = 'makespan', params = { nodes = { default = 3, doc = '' } },\n"
    .. "order = function(s) return { 1, 2, 3 } end }")
fails("a parameter of the model", joined({ "simulate", "--policy", taken }, WORK), 2,
    taken .. ": params.nodes: is a parameter of the model (expected another name)")
fails("a policy of another model", joined({ "simulate", "--policy", "asrpt" }, WORK), 2,
    "pinion: policy 'asrpt' is of the slotted model (expected a policy of makespan)")
fails("a file of this model elsewhere", { "simulate", "--workload", "zheng:0,slots=5", "--policy",
    "makespan/neh.lua" }, 2,
    "pinion: policy 'makespan/neh.lua' is of the makespan model (expected a policy of slotted)")

-- ---- new policies -------------------------------------------------------------------------------

local fresh = program.file "fresh.lua"
check.contains("new-policy",
    succeed("new-policy", { "new-policy", "my-first_1", "--model", "makespan", "--output", fresh }),
    fresh .. " is written")
check.matches("it is called so", succeed("policies fresh", { "policies", fresh }),
    "^makespan/my%-first_1 ")
local task = joined(WORK, { "--set", "level=task" })
digest_in("it runs", joined({ "simulate", "--policy", fresh, "--param", "weight=8" }, task))
for _, native in ipairs(natives) do
    local path = program.file("from_" .. native.name .. ".lua")
    succeed("new-policy --from " .. native.name,
        { "new-policy", "mine", "--model", "makespan", "--from", native.name, "--output", path })
    check.matches("renamed " .. native.name, succeed("policies " .. path, { "policies", path }),
        "^makespan/mine ")
end

check.done()
