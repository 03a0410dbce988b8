-- A starting file for a new policy: a commented template, or a copy of one of the library under a
-- new name.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local lazy = require "pinion.base.lazy"
local models = require "pinion.models"
local policies = require "pinion.policy"
local suggest = require "pinion.base.suggest"

local M = {}

-- Of each model: { trial, text }.
local TEMPLATES = {}
for _, name in ipairs(models.names()) do
    TEMPLATES[name] = "pinion.models." .. name .. ".policy_template"
end
TEMPLATES = lazy.modules(TEMPLATES)

local function library_text(name, model)
    local names, elsewhere = {}, nil
    for _, file in ipairs(core.policy_files()) do
        if file.model == model then
            if file.name == policies.file_name(name) then return file.text end
            names[#names + 1] = file.name
        elseif file.name == policies.file_name(name) then
            elsewhere = elsewhere or file.model
        end
    end
    if elsewhere then fault.usage("--from: '%s' is of the %s model (--model %s)", name, elsewhere,
        elsewhere) end
    fault.usage("--from: there is no policy '%s' %s", name, suggest.hint(name, names))
end

---Returns the text of a new policy.
---@param name string
---@param model string
---@param from string|nil a policy of the library
---@return string
function M.text(name, model, from)
    if from then
        local text, count = library_text(from, model):gsub('(\n  name = )"[^"]*"',
            '%1"' .. name .. '"', 1)
        assert(count == 1)
        return text
    end
    models.refuse(models.find(model), "policy_files", "new-policy")
    return (TEMPLATES[model].text:gsub("NAME", name):gsub("FILE", name .. ".lua"))
end

---Returns a command that runs the policy of this file beside others, on jobs with deadlines where
---the one that it began as needs them.
---@param model string
---@param path string
---@param from string|nil a policy of the library
---@return string
function M.trial(model, path, from)
    local origin, template = from and policies.lookup(from, model), TEMPLATES[model]
    return string.format(origin and origin.deadlines and template.trial_with_deadlines
        or template.trial, path)
end

---Writes NAME.lua, never over a file that is there.
---@param name string
---@param model string
---@param from string|nil
---@param path string|nil default NAME.lua
---@return string path
function M.write(name, model, from, path)
    return files.begin(name, path, function() return M.text(name, model, from) end)
end

return M
