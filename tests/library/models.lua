-- The tables of every model hold what lua/pinion/models/init.lua and columns.lua say they hold, and
-- the binding knows the same models as the library.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local keys = require "pinion.models.keys"
local models = require "pinion.models"
local result_columns = require "pinion.models.columns"
local values = require "pinion.base.check"

-- The fields of the classes in the annotations: true where they may be missing.
local function read_classes(path, classes)
    local class
    for line in check.read_file(path):gmatch "[^\n]+" do
        local name = line:match "^%-%-%-@class pinion%.(%w+)"
        if name then
            class = {}
            classes[name] = class
        end
        local field, rest = line:match "^%-%-%-@field ([%w_]+) (.*)"
        if field and class then class[field] = rest:find("|nil ", 1, true) ~= nil end
        if not line:find "^%-%-%-" then class = nil end
    end
    return classes
end

local CLASSES = read_classes("lua/pinion/models/columns.lua",
    read_classes("lua/pinion/models/init.lua", {}))

local function is_of(what, class, object)
    for field, optional in next, CLASSES[class] do
        check.is_true(what .. "." .. field .. " is there", optional or object[field] ~= nil)
    end
    for field in next, object do
        local described = CLASSES[class][field] ~= nil
        check.is_true(what .. "." .. tostring(field) .. " is described", described)
    end
end

local PARTS = { settings = "ModelSettings", jobs = "ModelJobs", core = "ModelCore",
    results = "ModelResults", words = "ModelWords" }
for _, name in ipairs(models.names()) do
    local model = models.find(name)
    check.equal("name", model.name, name)
    is_of(name, "Model", model)
    for part, class in next, PARTS do is_of(name .. "." .. part, class, model[part]) end
    -- A stand-in until its first field is asked for.
    if model.log then
        is_of(name .. ".log", "ModelLog", require("pinion.models." .. name .. ".log"))
        is_of(name .. ".log.phases", "LogPhases", model.log.phases)
    end
    for i, sample in ipairs(model.results.samples) do
        is_of(string.format("%s.results.samples[%d]", name, i), "Sample", sample)
    end
    for i, column in ipairs(model.results.columns) do
        local what = string.format("%s.results.columns[%d]", name, i)
        is_of(what, "ResultColumn", column)
        check.is_true(what .. ": a measure has a label", column.label or not column.measure)
        check.is_true(what .. ".show", pcall(result_columns.shows, column, ""))
        check.is_true(what .. ".of", pcall(result_columns.kind, column))
    end
end

-- Every policy of the kernel has a name for each of its keys, or a reason why it has no order; what
-- parts of keys depend on is its first parameter, a choice.
for _, policy in ipairs(core.policies()) do
    local name = policy.model .. ", " .. policy.name
    check.is_true("keys of " .. name, keys.text(policy, models.find(policy.model).log.key))
    for _, part in ipairs(policy.keys or {}) do
        check.is_true("choice of " .. name,
            part.choice == 0 or policy.params[1].choices[part.choice] ~= nil)
    end
    local orders = keys.orders(policy, models.find(policy.model).log.key)
    for _, order in ipairs(type(orders) == "table" and orders or {}) do
        check.is_true("words for a key of " .. name, order.key ~= "")
    end
end

local in_core, in_library = {}, {}
for _, policy in ipairs(core.policies()) do in_core[policy.model] = true end
for _, name in ipairs(models.names()) do in_library[name] = true end
check.equal("models of the binding", table.concat(values.sorted_keys(in_core), " "),
    table.concat(values.sorted_keys(in_library), " "))

check.done()
