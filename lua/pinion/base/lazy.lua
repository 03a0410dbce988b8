-- Modules that not every command needs. They are named at the top of a file like all others, and
-- read when one of their fields is first asked for: a comparison in one model reads neither the
-- other models nor the charts.

local M = {}

---Returns a stand-in for the module of this name.
---@param name string
---@return table
function M.module(name)
    return setmetatable({}, {
        __index = function(stand_in, key)
            local value = require(name)[key]
            stand_in[key] = value
            return value
        end,
    })
end

---Returns a table whose values are the modules of these names.
---@param names table<string, string>
---@return table<string, table>
function M.modules(names)
    return setmetatable({}, {
        __index = function(loaded, key)
            if names[key] == nil then return nil end
            loaded[key] = require(names[key])
            return loaded[key]
        end,
    })
end

return M
