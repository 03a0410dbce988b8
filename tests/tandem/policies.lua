-- Policies of the tandem model written in Lua, from outside: twins by every name, with all
-- parameters; logs that verify; the same digest from every process; mistakes; new policies.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local joined, succeed, fails, digest_in = program.joined, program.succeed, program.fails,
    program.digest

local WORK = { "--model", "tandem", "--workload", "lin,jobs=300,load=0.8", "--quiet" }

-- Every built-in policy, and what it is run with.
local PARAMS = {
    klps = { "k=1", "k=7" }, klps_rigid = { "k=1", "k=3" }, maxsrpt = { "work_conserving=false" },
    splitsrpt = { "lend=none", "lend=empty" },
    priority = { "order_map=9;2;1", "order_shuffle=3;1;250" }, bsrpt = { "theta=0", "theta=2.5" },
}

local twins = program.lines_of "ls policies/tandem/*.lua"
local natives, all = {}, pinion.policies "tandem"
for _, policy in ipairs(all) do
    if not policy.text then natives[#natives + 1] = policy end
end
check.equal("a file for each", #twins, #all)

-- ---- twins and their names ----------------------------------------------------------------------

local function described_as(reference)
    local output = succeed("policies " .. reference,
        { "policies", reference, "--model", "tandem", "--format", "json" })
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

for _, native in ipairs(natives) do
    local name, path = native.name, "policies/tandem/" .. native.name .. ".lua"
    local text = check.read_file(path)
    check.equal("twin of " .. name, native.twin, path)
    check.equal("source of " .. name,
        succeed("--source of " .. name, { "policies", "tandem/" .. name, "--source" }), text)
    check.matches(path .. " begins with its idea, order and cost", text,
        "^%-%- [^\n]+%.\n%-%- [^\n]+\n.-%-%- O%([^\n]+")
    local file, built_in = described_as(path), described_as(name)
    check.equal("the same name as " .. name, file.name, name)
    for _, field in ipairs { "model", "work_conserving", "work_conserving_by_default", "relaxed",
            "ranks" } do
        check.equal(field .. " of " .. path, file[field], built_in[field])
    end
    check.equal("parameters of " .. name, #file.params, #built_in.params)
    for i, parameter in ipairs(file.params) do
        check.equal("a parameter of " .. name, shown(parameter), shown(built_in.params[i]))
    end

    local copy = program.file(name .. ".lua", text)
    for i, given in ipairs(joined({ "" }, PARAMS[name] or {})) do
        for _, set in ipairs { "overlap=true", "overlap=false" } do
            local options = joined(WORK, { "--set", set }, given ~= "" and { "--param", given }
                or {})
            local digest = digest_in(name, joined({ "simulate", "--policy", name }, options))
            check.equal(path .. " " .. given .. " " .. set,
                digest_in(path, joined({ "simulate", "--policy", path }, options)), digest)
            if i == 1 and set == "overlap=true" then
                for _, reference in ipairs { "tandem/" .. name, "tandem/" .. name .. ".lua",
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
local paths = joined(twins, program.lines_of "ls tests/tandem/pairs/*.lua")
local compared = joined({ "compare", "--policies", table.concat(paths, ","), "--format", "csv" },
    WORK)
local first = succeed("all", compared)
check.equal("a row for each", select(2, first:gsub("\n", "")), #paths + 1)
for process = 2, 6 do
    check.is_true(string.format("process %d", process), succeed("all again", compared) == first)
end

-- ---- logs ---------------------------------------------------------------------------------------

local scenario = program.file("s.json", [[{ "model": "tandem", "jobs": [ { "arrival": 0, "map": 2, "shuffle": 1 },
  { "arrival": 0, "map": 0, "shuffle": 3 }, { "arrival": 4.25, "map": 1, "shuffle": 0, "name": "third" } ] }]])
local fixed = program.file("fixed.json",
    succeed("jobs", { "workload", "lin,jobs=60", "--model", "tandem", "--jobs", "--format",
    "json" }))
local log = program.file "p.log"
for _, path in ipairs(twins) do
    local digest = digest_in(path, { "simulate", fixed, "--policy", path, "--log", log, "--quiet" })
    check.contains("log of " .. path, succeed("verify " .. path, { "verify", fixed, log }), digest)
    local forged = program.file("forged.log",
        (check.read_file(log):gsub('"map_rate":1', '"map_rate":0.5', 1)))
    local _, rejection, code = program.run { "verify", fixed, forged }
    check.is_true("a forged log of " .. path .. " is rejected", code == 1 or code == 2)
    check.contains("and named", rejection, forged)
end

-- What a policy promises is held against its log.
local lazy = [[-- Serves at half speed.
return { name = "lazy", model = "tandem", work_conserving = PROMISE, orders = { line = { of = "mapping" }, stored = { of = "backlog" } },
  rates = function(s) s:fill_map("line", 0.5) s:fill_shuffle("stored", 0.5) end }]]
local honest = program.file("honest.lua", (lazy:gsub("PROMISE", "false")))
local liar = program.file("liar.lua", (lazy:gsub("PROMISE", "true")))
succeed("an idle policy", { "simulate", scenario, "--policy", honest, "--log", log })
succeed("verify an idle policy", { "verify", scenario, log })
succeed("a broken promise", { "simulate", scenario, "--policy", liar, "--log", log })
local _, complaint, code = program.run { "verify", scenario, log }
check.equal("a broken promise is found", code, 1)
check.contains("a broken promise is named", complaint, "idle")

-- ---- parameters ---------------------------------------------------------------------------------

local mine = program.file("mine.lua", [[
-- My own idea.
return {
  name = "my-idea", model = "tandem",
  params = {
    bias = { default = 1.0, min = 0, max = 10, doc = "weight of maps" }, flip = { default = false, doc = "the other way" },
    mode = { default = "sum", choices = { "sum", "max" }, doc = "of both sides" }, n = { default = 3, min = 1, doc = "a number" },
  },
  map = { changes = "served", key = function(s, job, x, y)
    local p = s.params
    local work = p.mode == "sum" and p.bias * x + y or math.max(p.bias * x, y)
    return p.flip and -work or work
  end },
  shuffle = { key = "id" },
}]])
local work = joined({ "simulate", "--policy", mine }, WORK)
local plain = digest_in("defaults", work)
local defaults = { "--param", "bias=1", "--param", "flip=false", "--param", "mode=sum", "--param",
    "n=3" }
check.equal("defaults given", digest_in("defaults", joined(work, defaults)), plain)
for _, given in ipairs { "bias=0.25", "flip=true", "mode=max" } do
    check.is_true(given .. " matters",
        digest_in(given, joined(work, { "--param", given })) ~= plain)
end
check.equal("as the library runs it",
        digest_in("flip", joined(work, { "--param", "flip=true", "--param", "mode=max" })),
        pinion.run {
    model = "tandem", workload = "lin,jobs=300,load=0.8", policy = mine,
    params = { flip = true, mode = "max" } }.digest)
for _, mistake in ipairs {
    { "bias=-1", "--param bias: must be a number >= 0 and <= 10, got -1" },
    { "bias=x", "--param bias: must be a number, got 'x'" },
    { "flip=1", "--param flip: must be true or false, got 1" },
    { "flip=yes", "--param flip: must be true or false, got 'yes'" },
    { "mode=smu", "--param mode: must be sum or max, got 'smu' (did you mean 'sum'?)" },
    { "n=1.5", "--param n: must be an integer, got 1.5 (default = 3.0 in the policy allows real "
        .. "numbers)" },
    { "n=0", "--param n: must be an integer >= 1, got 0" },
    { "lend=full", "--param lend: policy '" .. mine
        .. "' has no such parameter (it has: bias, flip, mode, n)" },
} do
    fails(mistake[1], joined(work, { "--param", mistake[1] }), 2, "pinion: " .. mistake[2])
end
local described = succeed("policies FILE", { "policies", mine })
check.matches("a choice's values", described, "\nmode +sum +sum, max +of both sides\n")
check.matches("a boolean's values", described, "\nflip +false +false, true +the other way\n")
check.equal("no modes", described:find "reduce", nil)

-- Ranks are given by parameters of the model; a policy without them may call its own so.
local function named_so(more)
    return "return { name = 'x', model = 'tandem', params = { order_map = { default = 3, doc = "
        .. "'' } }," .. more
        .. " map = { key = 'id' }, shuffle = { key = 'id' } }"
end
local taken = program.file("taken.lua", named_so " ranks = true,")
fails("a parameter of the model", joined({ "simulate", "--policy", taken }, WORK), 2,
    taken .. ": params.order_map: is a parameter of the model (expected another name)")
succeed("no parameter of the model",
    joined({ "simulate", "--policy", program.file("own.lua", named_so ""), "--param",
    "order_map=4" }, WORK))

-- ---- models that do not mix ---------------------------------------------------------------------

fails("a slotted policy", joined({ "simulate", "--policy", "fifo" }, WORK), 2,
    "pinion: policy 'fifo' is of the slotted model (expected a policy of tandem)")
fails("a slotted file", joined({ "simulate", "--policy", "policies/slotted/fifo.lua" }, WORK), 2,
    "pinion: policy 'policies/slotted/fifo.lua' is of the slotted model (expected a policy of "
        .. "tandem)")
fails("a tandem file", { "simulate", "--workload", "zheng:0,slots=5", "--policy",
    "tandem/fcfs.lua" }, 2,
    "pinion: policy 'tandem/fcfs.lua' is of the tandem model (expected a policy of slotted)")
check.raises("a text of the other model",
        "policy 'x' is of the tandem model (expected a policy of slotted)", pinion.run, {
    machines = 4, workload = { { arrival = 1, maps = 1 } },
    policy = pinion.policy "return { name = 'x', model = 'tandem', map = {}, shuffle = {} }" })

-- ---- mistakes, prints, limits -------------------------------------------------------------------

local function with(body)
    return program.file("body.lua",
        "return { name = 'x', model = 'tandem', orders = { line = { of = 'mapping' }, stored = { "
        .. "of = 'backlog' } },\n"
        .. "rates = function(s) " .. body .. "\n s:fill_map 'line' s:fill_shuffle 'stored' end }")
end
for body, message in next, {
    ["s:give_map(1, 2)"] = "job 1 at time 0: asked for a map rate of 2, 1 is left",
    ["if s:time() > 4 then error 'late' end"] = "time 4.25: late",
    ["while true do end"] = "time 0: used up its budget of 2000 instructions in one call",
} do
    local path = with(body)
    fails(body, { "simulate", scenario, "--policy", path, "--budget", "2000" }, 1,
        path .. ":2: " .. message)
end
local output, messages,
    status = program.run { "simulate", scenario, "--policy", with "print(s:in_system())",
    "--format", "json" }
check.equal("exit code beside prints", status, 0)
check.equal("prints are no result", output:find(":2: time", 1, true), nil)
check.matches("printed lines", messages,
    "^[^\n]*body%.lua:2: time 0: 2\n[^\n]*body%.lua:2: time %d")

-- ---- new policies -------------------------------------------------------------------------------

local fresh = program.file "fresh.lua"
check.contains("new-policy",
    succeed("new-policy", { "new-policy", "my-first_1", "--model", "tandem", "--output", fresh }),
    fresh .. " is written")
check.matches("it is called so", succeed("policies fresh", { "policies", fresh }),
    "^tandem/my%-first_1 ")
digest_in("it runs", joined({ "simulate", "--policy", fresh }, WORK))
check.is_true("its parameter matters",
    digest_in("fresh", joined({ "simulate", "--policy", fresh, "--param", "bias=50" }, WORK))
    ~= digest_in("fresh", joined({ "simulate", "--policy", fresh }, WORK)))
for _, native in ipairs(natives) do
    local path = program.file("from_" .. native.name .. ".lua")
    succeed("new-policy --from " .. native.name,
        { "new-policy", "mine", "--model", "tandem", "--from", native.name, "--output", path })
    check.matches("renamed " .. native.name, succeed("policies " .. path, { "policies", path }),
        "^tandem/mine ")
    check.equal("a copy of " .. native.name,
        digest_in(path, joined({ "simulate", "--policy", path }, WORK)),
        digest_in(native.name, joined({ "simulate", "--policy", native.name }, WORK)))
end

check.done()
