-- What a file is that stands where another kind of file belongs: by its name, and of Lua files by
-- what they return. Used only once something is wrong, for a message that says what was meant.

local core = require "pinion.core"

local M = {}

-- Endings of names, lower case, each with what reads such a file; also when it is packed.
local READERS = { csv = "csv", tsv = "swim", swf = "swf" }

---Returns the SPEC of a workload that this file is likely to be; nil: its name does not say.
---@param path string
---@return string|nil
function M.spec_of(path)
    local name = path:lower():gsub("%.gz$", "")
    local reader = READERS[name:match "%.(%w+)$" or ""]
    if reader == "csv" and name:find "task_events" then reader = "google" end
    if reader == "csv" and name:find "batch_task" then reader = "alibaba" end
    if name:find "%.json$" and name ~= path:lower() then reader = "rumen" end
    return reader and reader .. ":" .. path
end

---Returns whether this Lua text is a policy.
---@param text string
---@param chunk string what messages call it
---@return boolean
function M.is_policy(text, chunk)
    local handle = core.policy_load { text = text, chunk = chunk }
    if handle then handle:close() end
    return handle ~= nil
end

---Returns whether this Lua text is a workload.
---@param text string
---@param chunk string what messages call it
---@return boolean
function M.is_workload(text, chunk)
    return core.script_describe { text = text, chunk = chunk } ~= nil
end

---Returns whether this Lua text uses the library, as scripts of experiments do.
---@param text string
---@return boolean
function M.is_script(text)
    return text:find "require[%s(]*[\"']pinion[\"']" ~= nil
end

return M
