-- Parameters of policies that are tables, such as the queues of a cluster. A policy declares their
-- shape and checks them itself; here they are carried into its sandbox, as text.

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

local DEPTH_MOST = 8 -- deeper ones are refused by every shape

local literal

-- Returns its entries in the order of their names, and the elements of its list.
local function table_literal(value, depth)
    if depth > DEPTH_MOST then return nil, "tables nest too deeply" end
    local parts, length = {}, #value
    for i = 1, length do
        local part, why = literal(value[i], depth + 1)
        if not part then return nil, why end
        parts[i] = part
    end
    for _, key in ipairs(check.sorted_keys(value)) do
        local listed = math.type(key) == "integer" and key >= 1 and key <= length
        if not listed and type(key) ~= "string" then
            return nil, "must have names for keys, got a " .. type(key)
        end
        if not listed then
            local part, why = literal(value[key], depth + 1)
            if not part then return nil, why end
            parts[#parts + 1] = string.format("[%q]=%s", key, part)
        end
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

-- Writes a value as Lua does.
function literal(value, depth)
    if type(value) == "table" then return table_literal(value, depth) end
    if math.type(value) == "float" and (value ~= value or math.abs(value) == math.huge) then
        return nil, "must be finite numbers, got " .. check.show(value)
    end
    if type(value) == "number" or type(value) == "string" or type(value) == "boolean" then
        return string.format("%q", value)
    end
    return nil, "must be numbers, texts, booleans and tables of them, got " .. check.show(value)
end

---Returns a value as users give it: a table, or JSON on the command line.
---@param value any
---@return table|nil value, string|nil reason
function M.plain(value)
    if type(value) == "string" then
        local decoded, why = core.json_decode(value, "JSON")
        if decoded == nil then return nil, "must be a table as JSON: " .. why end
        value = decoded
    end
    if type(value) == "table" and value ~= core.null then return value end
    return nil, "must be a table, such as { prod = { share = 0.6 } } or as JSON, got "
        .. check.show(value)
end

---Sets one in a loaded policy.
---@param handle any the loaded policy
---@param name string
---@param value table
---@return integer|nil number that stands for it in a run, string|nil reason without the name
function M.set(handle, name, value)
    local text, why = literal(value, 0)
    if not text then return nil, why end
    local number, wrong = handle:set_table(name, text)
    if number then return number end
    local _, behind = wrong:find("params." .. name, 1, true)
    return nil, behind and wrong:sub(behind + 1) or wrong
end

return M
