-- The workload generators by name, and the check of their options. One table of fields serves SPEC
-- strings and Lua alike.

local lazy = require "pinion.base.lazy"
local changes = lazy.module "pinion.workload.changes"
local check = require "pinion.base.check"
local deadlines = lazy.module "pinion.workload.deadlines"

local M = {}

---@class pinion.GeneratorField
---@field name string
---@field read fun(value: any): any, string? the checked value, or nil and the reason
---@field default any as the user would write it
---@field doc string
---@field models table<string, boolean>|nil those in which it means something; nil: all

---@class pinion.Generator
---@field kind string its name; "script" of one that a user wrote
---@field doc string
---@field name string|nil of a workload written in Lua
---@field attributes string[]|nil names of what its jobs carry, of one written in Lua
---@field labels table<string, string[]>|nil by name, of those that are texts
---@field models table<string, boolean> whose jobs it makes
---@field random boolean|nil whether seed and replica matter
---@field subject string|nil the field that may stand behind the colon of a SPEC
---@field fields pinion.GeneratorField[]
---@field settle (fun(options: table): string?, string?)|nil defaults that depend on other options; a field and why it is wrong
---@field open fun(options: table, binding: table): any, table?, table? the jobs; what a trace reader counted; what jobs carry: groups, estimates
---@field request table|nil of a workload written in Lua: its text or its definition, and what messages call it
---@field facts (fun(options: table): pinion.Fact[])|nil what is known of the workload without its jobs
---@field schedule (fun(options: table): integer[])|nil job ids in the order in which the paper serves them
---@field beside table<string, fun(options: table): table>|nil by model: fields of a scenario, and params, that it suggests
---@field policies table<string, string[]>|nil by model: those that a comparison shows when none are named
---@field own_load table<string, boolean>|nil models in which `load` is its own option
---@field unit_ms (fun(options: table, model: string): number)|nil of the model's times, where the model does not say
---@field changes table<string, boolean>|nil the options of changes.lua that it takes beside its own
---@field also table|nil deadlines.lua, where its jobs may have deadlines: fields, settle, random, apply
---@field watches (fun(options: table): string|nil)|nil the policy against which the jobs are made, where the options name it
---@field expected_jobs (fun(options: table): number)|nil
---@field groups (fun(options: table): any[])|nil
---@field sized boolean|nil whether group=size stands for classes of sizes; changes.lua sees to generators without a group of their own
---@field names (fun(options: table): table<integer, string>)|nil of jobs, by id
---@field records (fun(options: table): table<integer, table>)|nil jobs as they are listed, by id, which have names of stages

-- The file of each, in the folder kinds/; only that of a generator that is named is read.
local FILES = {
    zheng = "zheng", bursts = "bursts", facebook = "facebook", swim = "swim",
    rand_many = "families", rand_few = "families", one_wave = "families", t1_like = "families",
    straggler = "families", fb_mild = "families", fb_lognorm = "families",
    lin = "lin", theorem2 = "proofs", corollary4 = "proofs", corollary6 = "proofs",
    nmts = "proofs", hsrtf = "hsrtf", rtmr = "rtmr", rumen = "traces", google = "traces",
    swf = "swf", dag = "dag", wfcommons = "dag_traces", tpch = "dag_traces",
    alibaba = "dag_traces",
}
local KINDS = {}
for name, file in next, FILES do KINDS[name] = "pinion.workload.kinds." .. file end
KINDS = lazy.modules(KINDS)

local found = {}

---Completes what a file of kinds/, or a user, says of a generator.
---@param kind string
---@param generator pinion.Generator
---@return pinion.Generator
function M.complete(kind, generator)
    generator.kind = kind
    changes.complete(generator)
    -- Jobs of the cluster model may have deadlines, from every generator.
    if generator.models.cluster then
        table.move(deadlines.fields, 1, #deadlines.fields, #generator.fields + 1, generator.fields)
        generator.also = deadlines
    end
    return generator
end

---@param name string
---@return pinion.Generator|nil
function M.find(name)
    if FILES[name] and not found[name] then
        found[name] = M.complete(name, KINDS[name][name])
    end
    return found[name]
end

-- Lists of jobs take the options of all workloads.
M.LISTED = { doc = "jobs that are listed", models = {}, fields = {} }
changes.complete(M.LISTED)

---Names of the generators, of a model or of all.
---@param model string|nil
---@return string[] sorted
function M.names(model)
    local names = {}
    for _, name in ipairs(check.sorted_keys(FILES)) do
        if not model or M.find(name).models[model] then names[#names + 1] = name end
    end
    return names
end

---Returns the first option given that has no effect in this model, and why.
---@param generator pinion.Generator
---@param given table<string, any>
---@param model string
---@return string|nil field, string|nil reason
function M.misplaced(generator, given, model)
    local own, misplaced = {}, nil
    for _, field in ipairs(generator.fields) do
        if field.models and field.models[model] then own[#own + 1] = field.name end
        if field.models and not field.models[model] and given[field.name] ~= nil then
            misplaced = misplaced or field
        end
    end
    if not misplaced then return nil end
    local of = check.sorted_keys(misplaced.models)
    local last = table.remove(of)
    local others = #of > 0 and table.concat(of, ", the ") .. " and the " or ""
    local known = #own > 0 and string.format(" (of the %s model: %s)", model,
        table.concat(own, ", ")) or ""
    return misplaced.name, string.format("is an option of the %s%s model%s%s", others, last,
        #of > 0 and "s" or "", known)
end

---Checks the options of a kind and fills in its defaults.
---@param generator pinion.Generator
---@param given table<string, any>
---@param fail fun(field: string|nil, reason: string) raises
---@return table<string, any>
function M.read(generator, given, fail)
    local known = {}
    for _, field in ipairs(generator.fields) do known[field.name] = true end
    local key, reason = check.unknown_key(given, known, "option")
    if key == "seed" and generator.also then
        reason = "belongs to the run (expected --seed N, in scripts seed = N next to workload)"
    end
    if key and next(generator.changes) == nil and changes.is_option(key) then
        reason = "has no effect in a batch, whose jobs do not arrive"
    end
    if key ~= nil then fail(key, reason) end
    local options = {}
    for _, field in ipairs(generator.fields) do
        local value = given[field.name]
        if value == nil then value = field.default end
        if value == nil and field.required then
            fail(field.name, "is required (" .. field.doc .. ")")
        end
        if value ~= nil then
            local checked, why = field.read(value)
            if checked == nil then fail(field.name, why) end
            options[field.name] = checked
        end
    end
    local function settle(by)
        if not by then return end
        local field, why = by(options)
        if field then fail(field, why) end
    end
    settle(next(generator.changes) and changes.settle)
    settle(generator.also and generator.also.settle)
    settle(generator.settle)
    return options
end

return M
