-- Policies written in Lua, from outside: files, library, texts; what they may not do; logs that
-- verify; the same digest from every process.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local lookup = require "pinion.policy"
local pinion = require "pinion"

local SCENARIO = [[{ "model": "slotted", "machines": 4, "reduce": "preemptive",
  "jobs": [ { "arrival": 1, "maps": 5, "reduces": [4, 4, 2] }, { "arrival": 1, "maps": 2, "name": "second" },
            { "arrival": 3, "maps": 0, "reduces": [3] } ] }]]
local scenario = program.file("s.json", SCENARIO)
local WORK = { "--workload", "zheng:0,slots=60,rate=0.5", "--set", "machines=20" }
local MODES = { "preemptive", "nonpreemptive" }

local joined, lines_of = program.joined, program.lines_of
local succeed, fails, digest_in = program.succeed, program.fails, program.digest

-- ---- abuse --------------------------------------------------------------------------------------

-- One line that names the file and says what is expected, and nothing else.
local function check_fault(name, path, expected, output, messages, code)
    check.is_true("exit code of " .. name, code == 1 or code == 2)
    check.equal("no result of " .. name, output, "")
    check.equal("one line of " .. name, select(2, messages:gsub("\n", "")), 1)
    check.equal("no control characters of " .. name, messages:sub(1, -2):find "%c", nil)
    check.equal("no traceback of " .. name, messages:find("traceback", 1, true), nil)
    check.equal("the file of " .. name, messages:sub(1, #path + 1), path .. ":")
    check.contains("message of " .. name, messages:sub(#path + 1), expected)
    if code == 1 then
        check.matches("slot of " .. name, messages, ":[%d: ]+job %d+ at slot %d+: ")
    end
end

local bad = lines_of "ls tests/policies/bad/*.lua"
check.is_true("policies that abuse their view", #bad > 100)
for i, path in ipairs(bad) do
    local expected = check.read_file(path):match "^%-%- expect: ([^\n]+)\n"
    check.is_true("what to expect of " .. path, expected)
    local run = { "simulate", scenario, "--policy", path, "--until", "1000" }
    local output, messages, code = program.run(run)
    if code == 1 and not messages:find(" at slot ", 1, true) then
        check.matches("slot of " .. path, messages, ": slot %d+: ")
        messages = messages:gsub(": slot", ": job 0 at slot", 1) -- all of the slot, no job of it
    end
    check_fault(path, path, (expected:gsub("^slot (%d)", "job 0 at slot %1")), output, messages,
        code)
    if i % 5 == 0 then -- beside others of the same command
        local _, alone = program.run(run)
        local list = "fifo," .. path .. ",policies/slotted/asrpt.lua,fair"
        output, messages, code = program.run { "compare", scenario, "--policies", list }
        check.is_true("exit code of a comparison with " .. path, code == 1 or code == 2)
        check.equal("no result of a comparison with " .. path, output, "")
        if path:find "/give_to_the_" == nil and not alone:find "balloon" then
            check.equal("message of a comparison with " .. path, messages, alone)
        end
    end
end
check.equal("the program works after all that",
    digest_in("fifo", { "simulate", scenario, "--policy", "fifo" }),
    digest_in("fifo.lua", { "simulate", scenario, "--policy", "policies/slotted/fifo.lua" }))

-- ---- twins and their names ----------------------------------------------------------------------

local function described_as(reference)
    local output = succeed("policies " .. reference,
        { "policies", reference, "--model", "slotted", "--format", "json" })
    return core.json_decode(output, "policies").policies[1]
end

local twins = lines_of "ls policies/slotted/*.lua"
check.is_true("twins", #twins >= 12)
local defined = {} -- names by mode
for _, mode in ipairs(MODES) do defined[mode] = {} end
for _, path in ipairs(twins) do
    local name = path:match "([%w_]+)%.lua$"
    local policy = described_as(name)
    check.equal("name of " .. path, policy.name, name)
    if not policy.lua then check.equal("twin of " .. name, policy.twin, path) end
    check.equal("source of " .. name,
        succeed("--source of " .. name, { "policies", "slotted/" .. name, "--source" }),
        check.read_file(path))
    local file = described_as(path)
    check.is_true(path .. " runs in Lua", file.lua)
    check.equal("the same name", file.name, name)
    check.equal("as many parameters as " .. name, #file.params, #policy.params)
    for _, field in ipairs { "model", "preemptive", "nonpreemptive", "work_conserving",
            "relaxed" } do
        check.equal(field .. " of " .. name, file[field], policy[field])
    end
    local described = {}
    for _, parameter in ipairs(policy.params) do described[parameter.name] = parameter end
    for _, parameter in ipairs(file.params) do
        for _, field in ipairs { "default", "low", "high", "doc" } do
            local native = described[parameter.name] or {}
            check.equal(parameter.name .. "." .. field .. " of " .. name, parameter[field],
                native[field])
        end
    end
    for _, mode in ipairs(MODES) do
        if policy[mode] then table.insert(defined[mode], name) end
    end
end

-- Whatever it is called by; with and without a budget.
for _, mode in ipairs(MODES) do
    local options = joined(WORK, { "--set", "reduce=" .. mode })
    for _, name in ipairs(defined[mode]) do
        local path = "policies/slotted/" .. name .. ".lua"
        local copy = program.file(name .. ".lua", check.read_file(path))
        local native = digest_in(name, joined({ "simulate", "--policy", name }, options))
        for _, reference in ipairs { path, "slotted/" .. name, "slotted/" .. name .. ".lua",
                copy } do
            check.equal(reference .. ", " .. mode,
                digest_in(reference, joined({ "simulate", "--policy", reference }, options)),
                native)
        end
        for _, limit in ipairs { { "--budget", "0" }, { "--memory", "1MiB" } } do
            local arguments = joined({ "simulate", "--policy", path }, limit, options)
            check.equal(name .. " " .. table.concat(limit, " "), digest_in(name, arguments), native)
        end
    end
end

-- In names - and _ are one letter.
for asked, name in next, { ["asrpt-cu"] = "asrpt_cu", hsrtf_prp = "hsrtf-prp",
        ["cluster/rtmr_live"] = "rtmr-live", ["makespan/mk-jr"] = "mk_jr" } do
    check.equal(asked .. " is " .. name, lookup.require(asked).name, name)
end

-- A run that has to start again with more room decides the same: what was remembered the first time
-- is gone.
for _, name in ipairs { "dsrpt", "psrpt", "asrpt_cu" } do
    local crowd = { "--workload", "zheng,rate=200,slots=10", "--set", "machines=200", "--set",
        "reduce=preemptive" }
    local _, messages =
        program.run(joined({ "simulate", "--policy", "policies/slotted/" .. name .. ".lua" },
        crowd))
    check.contains("starting again with " .. name, messages, "starting again with room for 2048")
    crowd[#crowd + 1] = "--quiet"
    check.equal("started again with " .. name,
        digest_in(name, joined({ "simulate", "--policy", "policies/slotted/" .. name .. ".lua" },
            crowd)),
        digest_in(name, joined({ "simulate", "--policy", name }, crowd)))
end

-- Hash seeds and addresses differ from process to process; digests do not.
for _, mode in ipairs(MODES) do
    local paths = {}
    for _, name in ipairs(defined[mode]) do
        paths[#paths + 1] = "policies/slotted/" .. name .. ".lua"
    end
    for _, path in ipairs(lines_of "ls tests/slotted/pairs/*.lua") do
        paths[#paths + 1] = path
    end
    local arguments = joined({ "compare", "--policies", table.concat(paths, ","), "--format",
        "csv" }, WORK, { "--set", "reduce=" .. mode })
    local first = succeed("all, " .. mode, arguments)
    local rows = select(2, first:gsub("\n", ""))
    check.equal("a row for each, " .. mode, rows, #paths + 1)
    for process = 2, 8 do
        check.is_true(string.format("process %d, %s", process, mode),
            succeed("all again", arguments) == first)
    end
end

-- ---- logs ---------------------------------------------------------------------------------------

local function tampered(text, pattern, replacement)
    local changed, count = text:gsub(pattern, replacement, 1)
    check.equal("found " .. pattern, count, 1)
    return program.file("tampered.log", changed)
end

local log = program.file "p.log"
local fixed = program.file("fixed.json",
    succeed("jobs", { "workload", "zheng:0,slots=20,rate=0.5", "--jobs", "--machines", "20" }))
for _, mode in ipairs(MODES) do
    local set = { "--set", "reduce=" .. mode }
    for _, name in ipairs(defined[mode]) do
        local path = "policies/slotted/" .. name .. ".lua"
        local digest = digest_in(path, joined({ "simulate", fixed, "--policy", path, "--log", log },
            set))
        check.contains("log of " .. path,
            succeed("verify " .. path, joined({ "verify", fixed, log }, set)), "digest " .. digest)
        local text = check.read_file(log)
        for _, forged in ipairs { { '"map":(%d+)', function(n) return '"map":' .. n + 1 end },
            { '"digest":"%x', '"digest":"g' },
                                  { '{"slot":%d+,"job":%d+,"finish":true}\n', "" } } do
            local other = tampered(text, forged[1], forged[2])
            local _, rejection, code = program.run(joined({ "verify", fixed, other }, set))
            check.is_true("a tampered log of " .. path .. " is rejected", code == 1 or code == 2)
            check.matches("where it was tampered with", rejection, "^" .. other:gsub("%W", "%%%0")
                .. ":%d+: ")
        end
    end
end

-- What a policy promises is held against its log.
local lazy = [[-- Rests in every other slot
return { name = "lazy", model = "slotted", work_conserving = PROMISE, slot = function(s)
  if s:slot() % 2 == 1 then s:fill("all", "remaining") end
end }]]
local honest = program.file("honest.lua", (lazy:gsub("PROMISE", "false")))
local liar = program.file("liar.lua", (lazy:gsub("PROMISE", "true")))
succeed("an idle policy", { "simulate", scenario, "--policy", honest, "--log", log })
succeed("verify an idle policy", { "verify", scenario, log })
local _, complaint, code = program.run { "simulate", scenario, "--policy", liar, "--log", log }
if code == 0 then _, complaint, code = program.run { "verify", scenario, log } end
check.equal("a broken promise is found", code, 1)
check.contains("a broken promise is named", complaint, "idle")

-- ---- scenario files, labels, parameters ---------------------------------------------------------

local mine = program.file("mine.lua", [[
-- My own idea.
return {
  name = "my-idea", model = "slotted",
  params = {
    bias = { default = 1.0, min = 0, max = 10, doc = "weight of maps" },
    flip = { default = 0, min = 0, max = 1, doc = "1: the other way" },
  },
  key = { changes = "served", of = function(s, job)
    local p = s.params
    local work = p.bias * s:maps_left(job) + s:reduces_left(job)
    return p.flip == 1 and -work or work
  end },
}
]])
local naming = string.format('"policy": "%s", "params": { "bias": 2.5 }, "reduce"', mine)
local named = program.file("named.json", (SCENARIO:gsub('"reduce"', naming)))
local result = core.json_decode(succeed("a scenario that names a file", { "simulate", named }),
    "result")
check.equal("labelled as it was named", result.policy, mine)
check.equal("its parameters", result.digest,
    digest_in("--param", { "simulate", scenario, "--policy", mine, "--param", "bias=2.5" }))
local missing = program.file("missing.json",
    (SCENARIO:gsub('"reduce"', '"policy": "nowhere.lua", "reduce"')))
for _, case in ipairs { { missing .. ": policy", "simulate", missing },
    { "pinion", "simulate", scenario, "--policy", "nowhere.lua" },
                        { "pinion", "policies", "nowhere.lua" },
                        { "pinion", "compare", scenario, "--policies", "fifo,nowhere.lua" } } do
    local output, messages, status = program.run { table.unpack(case, 2) }
    check.equal("exit code without the file", status, 2)
    check.equal("no result without the file", output, "")
    check.matches("the file that is not there, and who named it", messages,
        "^" .. case[1]:gsub("%W", "%%%0") .. ": nowhere%.lua: No such file or directory[^\n]*\n$")
end

local list = "fifo," .. mine .. ",slotted/dspt,policies/slotted/dspt.lua"
local compared = core.json_decode(succeed("labels", { "compare", scenario, "--policies", list }),
    "comparison")
local labels = {}
for i, row in ipairs(compared.rows) do labels[i] = row.policy end
check.equal("labels of a comparison", table.concat(labels, " "),
    "fifo " .. mine .. " dspt policies/slotted/dspt.lua")
check.equal("twins in one comparison", compared.rows[3].digest, compared.rows[4].digest)
fails("the same file twice", { "compare", scenario, "--policies", mine .. "," .. mine }, 2,
    string.format("pinion: policy '%s' is named twice", mine))

local work = joined({ "simulate", "--policy", mine }, WORK)
local plain = digest_in("defaults", work)
check.equal("defaults given",
    digest_in("defaults", joined(work, { "--param", "bias=1", "--param", "flip=0" })), plain)
check.equal("bias 1 is DSPT", plain,
    digest_in("dspt", joined({ "simulate", "--policy", "dspt" }, WORK)))
check.equal("flipped is LRPT", digest_in("flip", joined(work, { "--param", "flip=1" })),
    digest_in("lrpt", joined({ "simulate", "--policy", "lrpt" }, WORK)))
check.is_true("a float matters",
    digest_in("bias", joined(work, { "--param", "bias=0.125" })) ~= plain)
check.equal("as the library runs it", digest_in("bias", joined(work, { "--param", "bias=2.5" })),
        pinion.run {
    machines = 20, workload = "zheng:0,slots=60,rate=0.5", policy = mine,
    params = { bias = 2.5 } }.digest)
for _, mistake in ipairs {
    { "bias=-1", "--param bias: must be a number >= 0 and <= 10, got -1" },
    { "bias=11", "--param bias: must be a number >= 0 and <= 10, got 11" },
    { "bias=nan", "--param bias: must be a number, got 'nan'" },
    { "bias=inf", "--param bias: must be a number, got 'inf'" },
    { "bias=", "--param bias: must be a number, got ''" },
    { "flip=0.5", "--param flip: must be an integer, got 0.5 (default = 0.0 in the policy allows "
        .. "real numbers)" },
    { "flip=2", "--param flip: must be an integer in 0..1, got 2" },
    { "bais=1", "--param bais: unknown parameter (did you mean 'bias'?)" },
} do
    fails(mistake[1], joined(work, { "--param", mistake[1] }), 2, "pinion: " .. mistake[2])
end

-- ---- describing ---------------------------------------------------------------------------------

local described = succeed("policies FILE", { "policies", mine })
check.matches("name and idea", described, "^slotted/my%-idea +My own idea\n")
check.contains("where it runs", described, "in Lua, in a sandbox")
check.matches("a float's range", described,
    "\nbias +1%.0 +0%.%.10 %(real%) +weight of maps\n")
check.matches("an integer's range", described, "\nflip +0 +0%.%.1 +1: the other way\n")
check.equal("--source of a file", succeed("--source", { "policies", mine, "--source" }),
    check.read_file(mine))
fails("policies of a bad file", { "policies", "tests/policies/bad/file_number.lua" }, 2,
    "tests/policies/bad/file_number.lua: returned number (expected a table)")
fails("--source of a relaxation", { "policies", "srpt", "--source" }, 2,
    "pinion: --source: policy 'srpt' has no text in Lua (it is a relaxation, not a schedule)")

-- ---- new policies -------------------------------------------------------------------------------

local fresh = program.file "fresh.lua"
check.contains("new-policy",
    succeed("new-policy", { "new-policy", "my-first_1", "--output", fresh }),
    fresh .. " is written")
check.equal("with its default it is DSPT",
    digest_in("fresh", joined({ "simulate", "--policy", fresh }, WORK)), plain)
check.matches("it is called so", succeed("policies fresh", { "policies", fresh }),
    "^slotted/my%-first_1 ")
fails("a file that is there", { "new-policy", "other", "--output", fresh }, 2,
    string.format("pinion: %s: already exists (give another name, or --output FILE)", fresh))
fails("a name that is a path", { "new-policy", "../x" }, 2,
    "pinion: NAME: must be 1 to 31 letters, digits, _ or -, got '../x'")
fails("a name too long", { "new-policy", ("x"):rep(32) }, 2,
    "pinion: NAME: must be 1 to 31 letters, digits, _ or -, got '" .. ("x"):rep(32) .. "'")
check.matches("--from of nothing",
    select(2, program.run { "new-policy", "x", "--from", "nosuch", "--output",
    program.file "none.lua" }),
    "^pinion: %-%-from: there is no policy 'nosuch' %(known: ")
check.equal("nothing is written", io.open(program.file "none.lua"), nil)
for _, mode in ipairs(MODES) do
    for _, name in ipairs(defined[mode]) do
        local path = program.file("from_" .. name .. ".lua")
        os.remove(path)
        succeed("new-policy --from " .. name,
            { "new-policy", "mine", "--from", name, "--output", path })
        check.matches("renamed " .. name, succeed("policies " .. path, { "policies", path }),
            "^slotted/mine ")
        local options = joined(WORK, { "--set", "reduce=" .. mode })
        check.equal("a copy of " .. name,
            digest_in(path, joined({ "simulate", "--policy", path }, options)),
            digest_in(name, joined({ "simulate", "--policy", name }, options)))
    end
end

-- ---- texts, and what cannot cross ---------------------------------------------------------------

local JOBS = { { arrival = 1, maps = 5, reduces = { 4, 4, 2 } }, { arrival = 1, maps = 2 } }
local text = pinion.policy [[
-- By the number of the job.
return { name = "by-id", model = "slotted", key = { changes = "arrival", of = function(s, job) return s:id(job) end } }]]
check.equal("a text", tostring(text), "policy by-id")
local function run(policy, options)
    options = options or {}
    options.machines, options.workload, options.policy = 4, JOBS, policy
    return pinion.run(options)
end
check.equal("a text runs", run(text).digest, run("fifo").digest)
check.equal("under its name", run(text).policy, "by-id")
local beside = pinion.compare { machines = 4, workload = JOBS, policies = { "fifo", text } }
check.equal("a text in a comparison", beside.rows[2].mean_flow_time, run("fifo").mean_flow_time)
local outside = 3
for name, policy in pairs {
    ["a function"] = function() return outside end,
    ["an object"] = { name = "x", model = "slotted",
        key = { changes = "served", of = function() return outside end } },
} do
    check.raises(name .. " cannot cross", "policy: must be a ", run, policy)
    check.raises(name .. " is named", ", got " .. name, run, policy)
end
check.raises("and it is said why",
    "a policy has its own Lua state and cannot use functions of this script", run, { key = print })
check.raises("variables of the script are not there",
    "policy:2: job 1 at slot 1: 'outside' is not available in a policy", run,
    pinion.policy("return { name = 'x', model = 'slotted', key = { changes = 'served',\n"
        .. "of = function(s, job) return outside end } }"))
check.raises("a text that is none", "policy: returned nothing (expected a table)", pinion.policy,
    "local x = 1")
check.raises("a text with a mistake", "policy:1: ", pinion.policy, "return {")
check.raises("no text", "policy: must be a string", pinion.policy, 5)
check.raises("bytecode", "compiled Lua is not taken", pinion.policy,
    string.dump(function() return {} end))
check.raises("a run that fails", "policy:1: job 1 at slot 1: asked for 5 machines, 4 are idle", run,
    pinion.policy "return { name = 'x', model = 'slotted', slot = function(s) s:give(1, 5) end }")
check.equal("the next run is fine", run(text).digest, run("fifo").digest)
check.raises("a budget", "used up its budget of 5000 instructions in one call", run,
    pinion.policy("return { name = 'x', model = 'slotted', "
        .. "slot = function(s) while true do end end }"), { budget = 5000 })

-- ---- printing -----------------------------------------------------------------------------------

local chatty = program.file("chatty.lua", [[
return { name = "chatty", model = "slotted", slot = function(s)
  print("idle", s:idle(), s, {}, nil, 0.5)
  s:fill("all", "remaining")
end }]])
for _, format in ipairs { "json", "csv", "table" } do
    local output, messages, status = program.run { "simulate", scenario, "--policy", chatty,
        "--format", format }
    check.equal("exit code beside prints, " .. format, status, 0)
    check.equal("prints are no result, " .. format, output:find("idle\t", 1, true), nil)
    local count = 0
    for line in messages:gmatch "[^\n]+" do
        count = count + 1
        check.matches("a printed line", line, "^" .. chatty:gsub("%W", "%%%0")
            .. ":2: slot %d+: idle\t%d+\tpinion%.View\ttable\tnil\t0%.5$")
    end
    check.is_true("printed lines", count > 3)
end

-- ---- limits -------------------------------------------------------------------------------------

local endless = program.file("endless.lua",
    'return { name = "x", model = "slotted", slot = function(s)\n  while true do end end }')
fails("--budget", { "simulate", scenario, "--policy", endless, "--budget", "1000" }, 1,
    endless .. ":2: slot 1: used up its budget of 1000 instructions in one call")
local growing = program.file("growing.lua",
    'return { name = "x", model = "slotted", slot = function(s)\n  local t = {} while true do t '
        .. '= { t } end end }')
fails("--memory", { "simulate", scenario, "--policy", growing, "--memory", "2MiB" }, 1,
    growing .. ": slot 1: needs more than 2 MiB of memory")
local idle = program.file("idle.lua",
    'return { name = "x", model = "slotted", slot = function(s) end }')
fails("a policy that never gives", { "simulate", scenario, "--policy", idle }, 1,
    "pinion: policy " .. idle
        .. ": gave no machine in the 1000000 slots after slot 0, although machines were idle "
        .. "and jobs offered work")
succeed("a policy that never gives, for a while",
    { "simulate", scenario, "--policy", idle, "--until", "5000", "--quiet" })
fails("--budget is a number", { "simulate", scenario, "--policy", endless, "--budget=-1" }, 2,
    "pinion: --budget: must be an integer >= 0, got -1")

check.done()
