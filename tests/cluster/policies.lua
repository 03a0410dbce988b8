-- Policies of the cluster model written in Lua, from outside: twins by every name, with all
-- parameters; logs that verify; the same digest from every process; a policy that is not built in;
-- mistakes; new policies.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"

local joined, succeed, fails, digest_in = program.joined, program.succeed, program.fails,
    program.digest

-- Jobs that crowd six nodes, inputs on few of them, tasks that differ; a node that goes down.
local function scenario_text()
    local jobs = {}
    for i = 0, 24 do
        jobs[#jobs + 1] = string.format(
            '{ "submit": %d, "maps": %d, "reduces": %d, "map_ms": %d, "remote_ms": 900, '
                .. '"reduce_ms": %d, "shuffle_ms": 1500, "deadline": %d, "group": "%s" }',
            i * 1700, 1 + i * 7 % 19, i * 5 % 4, 1500 + i * 613 % 4000, 2000 + i * 977 % 9000,
            30000 + i * 7919 % 40000, i % 3 == 0 and "large" or "small")
    end
    return [[{ "model": "cluster", "policy": "fifo", "nodes": [ { "count": 4, "map_slots": 2, "reduce_slots": 1 },
  { "count": 2, "map_slots": 3, "reduce_slots": 1, "speed": 700 } ],
  "params": { "heartbeat_ms": 600, "replication": 1, "factor_lo": 600, "factor_hi": 1500, "tick_ms": 5000, "locality_delay_ms": 1200 },
  "failures": [ { "time": 20000, "node": 2, "recover": 30000 } ],
  "jobs": [ ]] .. table.concat(jobs, ",\n") .. " ] }"
end
local scenario = program.file("s.json", scenario_text())
local simulated = { "simulate", scenario, "--quiet" }

local PARAMS = {
    fair = { "fair_mode=deficit", "locality_delay_ms=0" }, ["hsrtf-pu"] = { "colocate=false" },
    ["hsrtf-pup"] = { "colocate=false", "max_kills_per_task=1", "preemption=suspend" },
    ["hsrtf-pr"] = { "colocate=false", "starvation=false", "work_conserving=false" },
    ["hsrtf-prp"] = { "colocate=false", "starvation=false", "work_conserving=false",
        "max_kills_per_task=0", "preemption=suspend" },
    rtmr = { "order=FIFO", "feedback=false", "theta_ms=100", "reserve=gt", "fc_estimate=recompute",
        "fc_completed=satu", "pred=keep", "estimates=learnt",
             "est_extra_ms=auto" },
    ["rtmr-live"] = { "order=FIFO", "estimates=learnt", "est_extra_ms=auto" },
    dc = { "dc_reduce_start=srmax", "estimates=learnt" },
}

local files = program.lines_of "ls policies/cluster/*.lua"
local natives, all = {}, pinion.policies "cluster"
for _, policy in ipairs(all) do
    if not policy.text then natives[#natives + 1] = policy end
end
check.equal("a file for each", #files, #all)

local function path_of(name)
    return "policies/cluster/" .. name:gsub("-", "_") .. ".lua"
end

-- ---- twins and their names ----------------------------------------------------------------------

local function described_as(reference)
    local output = succeed("policies " .. reference,
        { "policies", reference, "--model", "cluster", "--format", "json" })
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
    local name, path = native.name, path_of(native.name)
    local text = check.read_file(path)
    check.equal("twin of " .. name, native.twin, path)
    check.equal("source of " .. name,
        succeed("--source of " .. name, { "policies", "cluster/" .. name, "--source" }), text)
    check.matches(path .. " begins with its idea, order and cost", text,
        "^%-%- [^\n]+%.\n%-%- [^\n]+\n.-%-%- O%([^\n]+")
    local file, built_in = described_as(path), described_as(name)
    check.equal("the same name as " .. name, file.name, name)
    check.equal("whether it kills: " .. name, file.preempts, built_in.preempts)
    check.equal("parameters of " .. name, #file.params, #built_in.params)
    local by_name = {}
    for _, parameter in ipairs(built_in.params) do by_name[parameter.name] = parameter end
    for _, parameter in ipairs(file.params) do
        check.equal("a parameter of " .. name, shown(parameter),
            shown(by_name[parameter.name] or { name = "none like " .. parameter.name }))
    end

    local copy = program.file("copy_of_" .. name .. ".lua", text)
    for i, given in ipairs(joined({ "" }, PARAMS[name] or {})) do
        local options = given ~= "" and { "--param", given } or {}
        local digest = digest_in(name, joined(simulated, { "--policy", name }, options))
        check.equal(path .. " " .. given,
            digest_in(path, joined(simulated, { "--policy", path }, options)), digest)
        if i == 1 then
            for _, reference in ipairs { "cluster/" .. name, "cluster/" .. path:match "[^/]*$",
                    copy } do
                check.equal(reference,
                    digest_in(reference, joined(simulated, { "--policy", reference })), digest)
            end
            local free = joined(simulated,
                { "--policy", path, "--budget", "0", "--memory", "1MiB" })
            check.equal(name .. " without a budget", digest_in(path, free), digest)
        end
    end
end

-- Hash seeds and addresses differ from process to process; digests do not.
local paths = joined(files, program.lines_of "ls tests/cluster/pairs/*.lua")
local compared = { "compare", scenario, "--policies", table.concat(paths, ","), "--format", "csv",
    "--quiet" }
local first = succeed("all", compared)
for process = 2, 5 do
    check.is_true(string.format("process %d", process), succeed("all again", compared) == first)
end

-- ---- logs ---------------------------------------------------------------------------------------

local log = program.file "p.log"
for _, path in ipairs(paths) do
    local digest = digest_in(path, joined(simulated, { "--policy", path, "--log", log }))
    check.contains("log of " .. path, succeed("verify " .. path, { "verify", scenario, log }),
        digest)
    local forged = program.file("forged.log",
        (check.read_file(log):gsub('"event":"launch","job":1,', '"event":"launch","job":2,', 1)))
    local _, rejection, code = program.run { "verify", scenario, forged }
    check.is_true("a forged log of " .. path .. " is rejected", code == 1 or code == 2)
    check.contains("and named", rejection, forged)
end

-- ---- one that is not built in -------------------------------------------------------------------

local function starving(exponent)
    return digest_in("exponent " .. exponent,
        joined(simulated, { "--policy", "hsrtf-starvation", "--param", "exponent=" .. exponent }))
end
check.equal("exponent 1", starving(1),
    digest_in("hsrtf-pr", joined(simulated, { "--policy", "hsrtf-pr" })))
check.equal("exponent 0", starving(0),
    digest_in("hsrtf-pr",
    joined(simulated, { "--policy", "hsrtf-pr", "--param", "starvation=false" })))
check.is_true("exponent 3 is something else", starving(3) ~= starving(1))
fails("exponent 5", joined(simulated, { "--policy", "hsrtf-starvation", "--param", "exponent=5" }),
    2,
    "pinion: --param exponent: must be an integer in 0..4, got 5")

-- ---- parameters ---------------------------------------------------------------------------------

local mine = program.file("mine.lua", [[
-- My own idea.
return {
  name = "my-idea", model = "cluster",
  params = {
    bias = { default = 1.0, min = 0, max = 10, doc = "weight of waiting" }, flip = { default = false, doc = "the other way" },
    mode = { default = "left", choices = { "done", "left" }, doc = "what counts" }, n = { default = 3, min = 1, doc = "a number" },
  },
  uses = function(params) return { params.flip and "colocates" } end,
  key = { changes = "served", of = function(s, job, kind)
    local p = s.params
    local work = p.mode == "done" and -s:done(job, kind) or s:unfinished(job, kind)
    return (p.flip and -1 or 1) * (work + p.bias * (s:submit(job) / 1000))
  end },
}]])
local work = joined(simulated, { "--policy", mine })
local plain = digest_in("defaults", work)
check.equal("defaults given",
    digest_in("defaults",
    joined(work, { "--param", "bias=1", "--param", "flip=false", "--param", "mode=left" })), plain)
for _, given in ipairs { "bias=0", "flip=true", "mode=done" } do
    check.is_true(given .. " matters",
        digest_in(given, joined(work, { "--param", given })) ~= plain)
end
for _, mistake in ipairs {
    { "bias=-1", "--param bias: must be a number >= 0 and <= 10, got -1" },
    { "flip=1", "--param flip: must be true or false, got 1" },
    { "mode=don", "--param mode: must be done or left, got 'don' (did you mean 'done'?)" },
} do
    fails(mistake[1], joined(work, { "--param", mistake[1] }), 2, "pinion: " .. mistake[2])
end

-- One value would set two things, and logs would hold it twice.
for _, name in ipairs { "heartbeat_ms", "seed", "reduce_start" } do
    local taken = program.file("taken.lua", "return { name = 'x', model = 'cluster', params = { "
        .. name .. " = { default = 3, doc = '' } },\n"
        .. "key = { changes = 'arrival', of = function(s, job) return 1 end } }")
    local message = taken .. ": params." .. name
        .. ": is a parameter of the model (expected another name)"
    fails("a parameter of the model",
        joined(simulated, { "--policy", taken, "--param", name .. "=7" }), 2, message)
    fails("also where it is looked up", { "policies", taken }, 2, message)
end
check.raises("and in a text",
        "policy: params.tick_ms: is a parameter of the model (expected another name)", function()
    pinion.policy("return { name = 'x', model = 'cluster', "
        .. "params = { tick_ms = { default = 3, doc = '' } }, pick = function(s) end }")
end)

-- ---- what decides -------------------------------------------------------------------------------

-- Beside pick, the key is the order that s:first walks.
local LATEST =
    "return { name = 'x', model = 'cluster', key = { changes = 'arrival', of = function(s, job) "
    .. "return -s:submit(job) end }%s }"
local latest = digest_in("the latest first",
    joined(simulated, { "--policy", program.file("latest.lua", LATEST:format "") }))
local picked = program.file("picked.lua",
    LATEST:format ", pick = function(s, node, kind) return s:first(kind) end")
check.equal("an order that pick walks",
    digest_in("picked", joined(simulated, { "--policy", picked })), latest)
check.is_true("which is not that of arrivals",
    latest ~= digest_in("fifo", joined(simulated, { "--policy", "fifo" })))
local idle = program.file("idle.lua",
    "return { name = 'x', model = 'cluster', uses = { 'estimates' } }")
fails("a policy that decides nothing", joined(simulated, { "--policy", idle }), 2,
    idle .. ': must have key (an order of the jobs), pick (code that gives out slots) or '
        .. '"shares" in uses')

-- ---- models that do not mix ---------------------------------------------------------------------

fails("a slotted policy", joined(simulated, { "--policy", "asrpt" }), 2,
    "pinion: policy 'asrpt' is of the slotted model (expected a policy of cluster)")
fails("a cluster file", { "simulate", "--workload", "zheng:0,slots=5", "--policy",
    "cluster/hsrtf_pu.lua" }, 2,
    "pinion: policy 'cluster/hsrtf_pu.lua' is of the cluster model (expected a policy of slotted)")

-- ---- mistakes, prints, limits -------------------------------------------------------------------

local function with(body)
    return program.file("body.lua", "return { name = 'x', model = 'cluster', uses = { 'shares' },\n"
        .. "plan = function(s, reason) " .. body .. " end }")
end
for body, message in next, {
    ["s:kill(1, 'map', 1)"] = "time 0: tasks are killed only in preempt",
    ["if reason == 'tick' and s:now() > 0 then error 'late' end"] = "time 5000: late",
    ["while true do end"] = "time 0: used up its budget of 2000 instructions in one call",
} do
    local path = with(body)
    fails(body, { "simulate", scenario, "--policy", path, "--budget", "2000" }, 1,
        path .. ":2: " .. message)
end
local output, messages,
    status = program.run { "simulate", scenario, "--policy", with "print(reason)", "--format",
    "json" }
check.equal("exit code beside prints", status, 0)
check.equal("prints are no result", output:find(":2: time", 1, true), nil)
check.matches("printed lines", messages,
    "^[^\n]*body%.lua:2: time 0: arrival\n[^\n]*body%.lua:2: time 0: tick\n")

-- ---- new policies -------------------------------------------------------------------------------

local fresh = program.file "fresh.lua"
check.contains("new-policy",
    succeed("new-policy", { "new-policy", "my-first_1", "--model", "cluster", "--output", fresh }),
    fresh .. " is written")
check.matches("it is called so", succeed("policies fresh", { "policies", fresh }),
    "^cluster/my%-first_1 ")
digest_in("it runs", joined(simulated, { "--policy", fresh }))
check.is_true("its parameter matters",
    digest_in("fresh", joined(simulated, { "--policy", fresh, "--param", "bias=20000" }))
    ~= digest_in("fresh", joined(simulated, { "--policy", fresh })))

-- What the template says in comments runs, too.
local template = check.read_file(fresh)
for _, name in ipairs { "plan", "preempt", "pick", "copy", "admit", "arrive", "leave" } do
    local from = template:find("  --   " .. name .. " = function", 1, true)
    local piece = template:sub(from):match "^(.-\n  %-%-   end,)\n"
        or template:sub(from):match "^[^\n]*"
    if name == "admit" or name == "arrive" or name == "leave" then
        piece = template:sub(from):match "^[^\n]*"
    end
    local used = name == "plan" and 'uses = { "estimates", "shares" }' or 'uses = { "estimates" }'
    local text = template:gsub("uses = { [^\n]-}", (used:gsub("%%", "%%%%")), 1):gsub("\n}\n*$", "")
    text = text .. '\n  state = { "ended" }, per_job = { "credit" },\n'
        .. piece:gsub("\n  %-%-", "\n  "):gsub("^  %-%-", "  ") .. "\n}\n"
    digest_in("the template's " .. name,
        joined(simulated, { "--policy", program.file("piece.lua", text) }))
end

for _, policy in ipairs(all) do
    local path = program.file("from.lua")
    os.remove(path)
    succeed("new-policy --from " .. policy.name,
        { "new-policy", "mine", "--model", "cluster", "--from", policy.name, "--output", path })
    check.matches("renamed " .. policy.name, succeed("policies " .. path, { "policies", path }),
        "^cluster/mine ")
    check.equal("a copy of " .. policy.name,
        digest_in(path, joined(simulated, { "--policy", path })),
        digest_in(policy.name, joined(simulated, { "--policy", policy.name })))
end

-- ---- what runs where ----------------------------------------------------------------------------

-- At every event a policy finds the same attempts by node as by job, and as many as slots are
-- taken; node 2 is down from 20 s to 30 s.
local where = program.file("where.lua", [[
-- Compares what it is told of nodes with what it is told of jobs.
return {
  name = "where", model = "cluster", state = { "was_down", "was_busy" },
  key = { changes = "arrival", of = function(s, job) return s:submit(job) end },
  elapse = function(s)
    local at = {}
    for job in s:jobs() do
      for _, kind in ipairs { "map", "reduce" } do
        for task, node, start, attempt, progress in s:tasks_running(job, kind) do
          at[table.concat({ s:id(job), kind, task }, " ")] =
            table.concat({ node, start, attempt, progress }, " ")
        end
      end
    end
    local total = { map = 0, reduce = 0 }
    for node = 0, s:nodes() - 1 do
      local taken = { map = 0, reduce = 0 }
      for job, kind, task, start, attempt, progress in s:attempts_on(node) do
        local name = table.concat({ s:id(job), kind, task }, " ")
        if at[name] ~= table.concat({ node, start, attempt, progress }, " ") then
          error(name .. " on node " .. node)
        end
        at[name] = nil
        taken[kind] = taken[kind] + 1
        s.state.was_busy = 1
      end
      for kind, count in pairs(taken) do
        local slots = s:node_slots(node, kind)
        if slots ~= (kind == "reduce" and 1 or node < 4 and 2 or 3) then error "slots" end
        if s:node_free(node, kind) ~= (s:node_up(node) and slots - count or 0) then error "free" end
        if s:node_up(node) then total[kind] = total[kind] + slots end
      end
      if s:node_speed(node) ~= (node < 4 and 1000 or 700) then error "speed" end
      local now = s:now()
      local down = node == 2 and now > 20000 and now < 30000
      if s:node_up(node) == down and now ~= 20000 and now ~= 30000 then error("node " .. node) end
      if down then s.state.was_down = 1 end
    end
    for kind, slots in pairs(total) do
      if slots ~= s:capacity_up(kind) then error "capacity" end
    end
    for name in pairs(at) do error(name .. " is on no node") end
  end,
  leave = function(s, job)
    if s:in_system() == 0 and s.state.was_down + s.state.was_busy < 2 then error "nothing seen" end
  end,
}
]])
succeed("attempts by node", { "simulate", scenario, "--policy", where, "--quiet" })

check.done()
