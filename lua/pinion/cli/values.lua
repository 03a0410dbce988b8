-- The words that options and arguments of the command line take: for their check, and for the
-- shells' completion.

local check = require "pinion.base.check"
local generators = require "pinion.workload.generators"
local lazy = require "pinion.base.lazy"
local metrics = lazy.module "pinion.run.metrics"
local models = require "pinion.models"
local policies = lazy.module "pinion.policy"

local M = {}

-- By name: the words that an option takes and nothing else.
local CHOICES = {
    format = { "--format", { "table", "markdown", "latex", "json", "csv" } },
    table_format = { "--format", { "table", "markdown", "latex", "json" } },
    paper_format = { "--format", { "table", "json" } },
    bounds = { "--bounds", { "none", "fast", "tight" } },
    shell = { "completion", { "bash", "zsh", "fish" } },
}

---Formats of a result.
M.FORMATS = CHOICES.format[2]

---The shells that can complete.
M.SHELLS = CHOICES.shell[2]

---@param name string of the choice
---@param value string
---@return string|nil value, string|nil reason
function M.choice(name, value)
    local option, words = table.unpack(CHOICES[name])
    local found, why = check.choice(value, words)
    return found, why and option .. ": " .. why
end

-- Lists every word of all models, once.
local function of_models(list_of)
    local words, seen = {}, {}
    for _, name in ipairs(models.names()) do
        for _, word in ipairs(list_of(models.find(name))) do
            if not seen[word] then words[#words + 1], seen[word] = word, true end
        end
    end
    return words
end

local function policy_names(model)
    local names = {}
    for i, policy in ipairs(policies.list(model.name)) do names[i] = policy.name end
    return names
end

-- Lists what a figure can be of.
local function measure_names(model)
    local names = {}
    for _, column in ipairs(model.results.columns) do
        if column.label then names[#names + 1] = column.name end
    end
    for _, name in ipairs(check.sorted_keys(model.words.labels)) do names[#names + 1] = name end
    return names
end

-- Lists workloads; those that read a file have its name behind a colon.
local function workload_names()
    local names = { "csv:" }
    for _, name in ipairs(generators.names()) do
        local subject = generators.find(name).subject
        names[#names + 1] = subject == "file" and name .. ":" or name
    end
    table.sort(names)
    return names
end

---Lists what completion offers, by the kind of value.
---@return table<string, string[]>
function M.offered()
    return {
        format = CHOICES.format[2], bounds = CHOICES.bounds[2], shell = CHOICES.shell[2],
        model = models.names(), policy = of_models(policy_names), workload = workload_names(),
        kind = of_models(function(model) return model.results.figures end),
        measure = of_models(measure_names),
        metric = metrics.names(),
        setting = of_models(function(model)
            local fields = {}
            for i, name in ipairs(model.settings.scalars) do fields[i] = name .. "=" end
            return fields
        end),
    }
end

return M
