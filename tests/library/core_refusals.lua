-- What functions of pinion.core say of wrong arguments, where commands cannot give any: runs are
-- asked for by Lua, and what is asked is changed on its way.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"

local change
for _, name in ipairs { "slotted_run", "tandem_run", "slotted_verify", "cluster_replay" } do
    local call = core[name]
    core[name] = function(request)
        change(request)
        return call(request)
    end
end
local pinion = require "pinion"

-- Returns the message of a run whose request is changed.
local function message_of(options, changes)
    change = function(request) for name, value in next, changes do request[name] = value end end
    local good, why = pcall(pinion.run, options)
    check.equal("a changed run ends", good, false)
    return tostring(why)
end

-- ---- parameters ---------------------------------------------------------------------------------

local OWN <const> = pinion.policy [[
-- A policy with a real parameter.
return { name = "own", model = "slotted", key = { changes = "arrival",
    of = function(s, job) return s.params.theta * job end },
  params = { theta = { default = 0.5, min = 0.0, max = 1.0, doc = "d" } } }]]
local ON <const> = { workload = "zheng,slots=20", machines = 3, quiet = true, policy = OWN }
local TANDEM <const> = { workload = "lin,jobs=9", quiet = true }

local RANGE <const> = "params.theta: must be a number in 0.0..1.0, got "
for _, case in ipairs {
    { ON, { theta = "x" }, RANGE .. "x" }, { ON, { theta = true }, RANGE .. "true" },
    { ON, { theta = 1.5 }, RANGE .. "1.5" }, { ON, { theta = -1 }, RANGE .. "-1" },
    { ON, { theta = math.huge }, RANGE .. "inf" }, { ON, { theta = 0 / 0 }, RANGE },
    { "maxsrpt", { work_conserving = 1 },
        "params.work_conserving: is none of the values of this parameter: 1" },
    { "splitsrpt", { lend = true }, "params.lend: is none of the values of this parameter: true" },
    { "splitsrpt", { lend = "some" },
        "params.lend: is none of the values of this parameter: some" },
    { "bsrpt", { theta = "x" }, "params.theta: is none of the values of this parameter: x" },
    { "klps", { k = 1.5 }, "params.k: is none of the values of this parameter: 1.5" },
    { "klps", { k = (1 << 53) + 1 },
        "params.k: is none of the values of this parameter: 9007199254740993" },
} do
    local options = type(case[1]) == "string" and check.with(TANDEM, { policy = case[1] })
        or case[1]
    check.contains(case[3], message_of(options, { params = case[2] }), case[3])
end
check.contains("no table", message_of(ON, { params = 3 }), "params: must be a table")

-- ---- policies -----------------------------------------------------------------------------------

local function loaded(model, key)
    return assert(core.policy_load { chunk = "own", compile = false, text =
        "return { name = 'own', model = '" .. model .. "', key = " .. key .. " }" })
end
check.contains("of another model", message_of(ON, { lua_policy = loaded("cluster",
    "{ changes = 'served', of = function(s, job) return job end }") }),
    "the policy is of another model than slotted")
local closed = loaded("slotted", "'arrival'")
closed:close()
for _, compile in ipairs { true, "no" } do
    assert(core.policy_load { chunk = "own", compile = compile, text =
        "return { name = 'own', model = 'slotted', key = 'arrival' }" }):close()
end
check.contains("closed", message_of(ON, { lua_policy = closed }), "the policy is closed")
check.contains("no policy", message_of(ON, { lua_policy = {} }), "pinion.LuaPolicy expected")

-- ---- checkpoints --------------------------------------------------------------------------------

local NONE_TAKEN <const> = "resume: must be a pinion.Checkpoint that no run has taken"
local path = os.tmpname()
change = function() end
pinion.run(check.with(ON, { policy = "fifo", until_slot = 10, checkpoint = path, every = 5 }))
local state = assert(core.checkpoint_read(path))
local fifo = check.with(ON, { policy = "fifo" })
check.contains("no checkpoint", message_of(fifo, { resume = {} }), NONE_TAKEN)
check.contains("a file", message_of(fifo, { resume = io.stdout }), NONE_TAKEN)
change = function(request) request.resume = state end
check.is_true("the first run takes it", pinion.run(fifo).finished > 0)
check.contains("and no other", message_of(fifo, { resume = state }), NONE_TAKEN)
os.remove(path)

-- ---- hashes of scenarios ------------------------------------------------------------------------

local work = pinion.workload.spec "zheng,slots=20":open { seed = 1 }.core
local function hash(changes)
    return core.slotted_scenario_hash(check.with({ workload = work, machines = 3,
        reduce = "preemptive", policy = "idx" }, changes))
end
local many = {}
for i = 1, 33 do many["p" .. i] = i end
local TOO_MANY <const> = "more parameters than a policy has, or one that is no number"
for _, case in ipairs {
    { { policy = "nosuch" }, "no policy is called nosuch" },
    { { params = { wm = "x" } }, "params.wm: must be an integer in -1048576..1048576, got x" },
    { { params = { wm = 1 << 62 } },
        "params.wm: must be an integer in -1048576..1048576, got 4611686018427387904" },
    { { lua = true, params = { 1 } }, TOO_MANY },
    { { lua = true, params = { a = "1" } }, TOO_MANY },
    { { lua = true, params = many }, TOO_MANY },
} do
    local digest, why = hash(case[1])
    check.equal("no hash", digest, nil)
    check.equal(case[2], why, case[2])
end
many.p33 = nil
check.matches("as many as there may be", hash { lua = true, params = many }, "^%x+$")
-- Integers that are no doubles count as real numbers, whatever their sign.
local seen = {}
for _, value in ipairs { 1, 1.5, true, 1 << 60, -(1 << 60), -1 } do
    local digest = hash { lua = true, params = { a = value } }
    check.equal(tostring(value) .. " has a hash of its own", seen[digest], nil)
    seen[digest] = value ~= true and value or nil
end
local failing = pinion.workload.script("return { name = 'x', model = 'slotted',\n"
    .. "generate = function(g) g:job { arrival = 1, maps = 1 } error 'enough' end }", {})
local digest, why = hash { workload = failing:open { seed = 1 }.core }
check.equal("the hash of a workload that fails", digest, nil)
check.equal("why", why, "workload:2: job 2: enough")

-- ---- logs ---------------------------------------------------------------------------------------

local single = require "pinion.run.single"
local log = os.tmpname()
change = function() end
local logged = pinion.run(check.with(fifo, { log = log }))
local settings = single.settings_of(logged)
check.equal("a log", single.verify(settings, log).digest, logged.digest)
for _, case in ipairs {
    { function() end, log .. ":1: the scenario has no hash" },
    { function() return nil, "no jobs" end, log .. ":1: no jobs" },
    { 3, "hash_of: must be a function" },
} do
    change = function(request) request.hash_of = case[1] end
    check.raises(case[2], case[2], single.verify, settings, log)
end
os.remove(log)
change = function(request) request.policy = "nosuch" end
check.raises("a policy that there is not", "no policy is called nosuch",
    require "pinion.run.replay".run, "tests/cli/0.8.0/scheduler.inputs", {})

-- ---- workloads ----------------------------------------------------------------------------------

check.equal("jobs of a model without nodes", select("#", work:needs()), 2)
check.equal("need none", work:needs(), 0)
check.equal("no reduces of a cluster", select(2, work:needs()), false)

local TEXTS <const> = { name = "texts", model = "slotted", attributes = { size = 1,
    user = { "", "ann" }, queue = { "a", "b" } }, generate = function(g)
        g:job { arrival = 1, maps = 1, user = "" }
        g:job { arrival = 2, maps = 1, user = "ann" }
    end }
local described = assert(core.script_describe { definition = TEXTS, chunk = "chunk" })
check.equal("texts of attributes", core.json_encode(described.labels),
    '{"queue":["a","b"],"user":["","ann"]}')
local function made(group_by)
    return core.workload_script { definition = TEXTS, chunk = "chunk", seed = 1,
        group_by = group_by }
end
for _, name in ipairs { "size", "nosuch" } do
    check.raises("groups by " .. name, "group_by: must be a text attribute", made, name)
end
local by_user = made "user":jobs(9)
check.equal("no group for an empty text", by_user[1].group, 0)
check.equal("a group", by_user[2].group, 1)

check.done()
