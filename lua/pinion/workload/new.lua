-- A starting file for a new workload: a commented template.

local files = require "pinion.base.files"
local lazy = require "pinion.base.lazy"
local models = require "pinion.models"

local M = {}

-- Of each model: { trial, text }.
local TEMPLATES = {}
for _, name in ipairs(models.names()) do
    TEMPLATES[name] = "pinion.models." .. name .. ".workload_template"
end
TEMPLATES = lazy.modules(TEMPLATES)

---Returns a command that runs policies on the workload of this file.
---@param model string
---@param path string
---@return string
function M.trial(model, path)
    return string.format(TEMPLATES[model].trial, path)
end

---Writes NAME.lua, never over a file that is there.
---@param name string
---@param model string
---@param path string|nil default NAME.lua
---@return string path
function M.write(name, model, path)
    return files.begin(name, path, function(file)
        return (TEMPLATES[model].text:gsub("NAME", name):gsub("FILE", file))
    end)
end

return M
