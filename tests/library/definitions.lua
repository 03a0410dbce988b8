-- Definitions of workloads in which one value is a wrong one, and jobs that they make so: such a
-- workload is made, or it is refused with one line.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local program = require "program"
local wrong_values = require "wrong_values"

local PARAMS <const> = {
    whole = { default = 3, min = 1, max = 9, doc = "how many" },
    real = { default = 0.5, min = 0.0, max = 1.0 },
    truth = { default = true },
    word = { default = "one", choices = { "one", "two" } },
    free = { default = "any text" },
}

-- Of each model all that a definition may have, and a job.
local MODELS <const> = {
    slotted = { { estimates = true },
        { arrival = 1, maps = 2, reduces = { 1, 2 }, estimate_maps = 3 } },
    tandem = { { estimates = true },
        { arrival = 0.5, map = 1.5, shuffle = 2, estimate_map = 1 } },
    makespan = { { ticks = 4 },
        { maps = { 0.25, 2 }, reduces = { count = 2, duration = 1 }, map_slots = 2,
            reduce_time = 2.5 } },
    cluster = { {}, { submit = 5, maps = 2, reduces = 1, map_times = { 10, 20 }, reduce_ms = 7,
        shuffle_ms = 1, deadline = 900, priority = 1 } },
    dag = { { queues = { "prod", "dev" } }, { arrival = 5, queue = "dev", deadline = 900, stages = {
        { tasks = 2, duration = 5, demand = { 1, 2 } },
        { durations = { 3, 4 }, demand = { 1, 2 }, parents = { 0 }, start_ms = 1 } } } },
}

local taken, refused = 0, 0

local function refuse(name, problem)
    refused = refused + 1
    check.is_true(name .. ": " .. tostring(problem), wrong_values.is_message(problem))
end

-- Makes the jobs of a definition, and returns how many; nil: it is refused, with a message.
local function make(name, definition, settings)
    local request = check.with({ definition = definition, chunk = "chunk", seed = 7 }, settings)
    local good, described, why = pcall(core.script_describe, request)
    if not good or not described then return refuse(name, good and why or described) end
    local made, workload
    made, workload, why = pcall(core.workload_script, request)
    if not made or not workload then return refuse(name, made and why or workload) end
    taken = taken + 1
    local hash, problem = core.jobs_hash { workload = workload }
    if not hash then return refuse(name, problem) end
    return workload
end

for model, row in next, MODELS do
    local job = check.with(row[2], { group = "red", share = 2, colour = "blue" })
    local definition = check.with({ name = "all", model = model, summary = "one line",
        params = PARAMS, groups = { "red", "green" },
        attributes = { share = 1, colour = { "none", "blue" } } }, row[1])
    local function with_job(made)
        return check.with(definition, { generate = function(g)
            g:job(job)
            g:job(made)
        end })
    end
    local whole = with_job(job)
    check.is_true(model .. " as it should be", make(model, whole))
    wrong_values.each_in_place(whole, function(wrong) make(model, wrong) end)
    wrong_values.each_in_place(job, function(wrong) make(model, with_job(wrong)) end)
    for _, name in ipairs { "unknown", 1 } do
        for _, at in ipairs { "params", "groups", "attributes", "queues" } do
            local changed = check.with(whole, { [at] = check.with(whole[at] or {},
                { [name] = {} }) })
            check.equal(string.format("%s with %s in its %s", model, name, at),
                make(model, changed), nil)
        end
        check.equal(string.format("%s with %s", model, name),
            make(model, check.with(whole, { [name] = {} })), nil)
        check.equal(string.format("a job of %s with %s", model, name),
            make(model, with_job(check.with(job, { [name] = {} }))), nil)
    end
    wrong_values.each_in_place({ params = { whole = 2, real = 1.0, truth = false, word = "two",
        free = "x" }, groups = { "red" }, group_by = "colour", replica = 3 },
        function(wrong) if type(wrong) == "table" then make(model, whole, wrong) end end)
end

-- ---- lists with named entries -------------------------------------------------------------------

for part, message in next, {
    ['groups = { "a", b = 1 }'] = "groups: must be a list of 1 to 4096 names",
    ['attributes = { k = { "a", b = 1 } }'] = "attributes.k: must be",
    ['params = { p = { default = "a", choices = { "a", "b", c = 1 } } }'] =
        "params.p.choices: must be a list of 2 to 8 words",
} do
    local path = program.file("named.lua", 'return { name = "named", model = "slotted", ' .. part
        .. ", generate = function(g) g:job { arrival = 1, maps = 1 } end }")
    local output, messages, code = program.run { "workload", path }
    check.equal("exit code with " .. part .. output, code, 2)
    check.contains("message for " .. part, messages, message)
end

for kind, more in next, { boolean = { 1, 2, [true] = 1, [print] = 1 }, ["function"] = { 1,
    [print] = 1, ["zero\0"] = 1 }, number = { 1, ["zero\0"] = 1 } } do
    more.name = "odd"
    local request = { definition = more, chunk = "chunk" }
    check.equal("odd fields", select(2, core.script_describe(request)), "chunk: has an entry "
        .. "under a " .. kind .. " (expected named fields only)")
end
local field = { name = "zero", model = "slotted", ["groups\0"] = {}, generate = function() end }
check.equal("a field with a zero byte", select(2, core.script_describe { definition = field,
    chunk = "chunk" }), "chunk: has an entry under a text with a zero byte (expected named fields "
    .. "only)")

print(string.format("%d definitions taken, %d refused", taken, refused))
check.is_true("some are refused, and some are not", taken > 100 and refused > 1000)

check.done()
