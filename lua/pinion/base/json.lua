-- Writes JSON with fields in the order given: integers as integers, doubles with the fewest digits
-- that read back the same, and never NaN.

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

local Object, List = {}, {}

---Makes an object of { name, value } pairs in this order; a missing value is written as null.
---@param pairs_in_order any[][]
function M.object(pairs_in_order)
    return setmetatable(pairs_in_order, Object)
end

---Makes an array.
---@param values any[]
function M.list(values)
    return setmetatable(values, List)
end

---@param value number
---@return string
function M.number(value)
    if math.type(value) == "integer" then return string.format("%d", value) end
    if value ~= value or value == math.huge or value == -math.huge then return "null" end
    return check.float_text(value)
end

---Makes the same of plain Lua values: sequences become arrays, other tables objects with sorted
---keys.
---@param value any
---@param shown (fun(text: string): string)|nil what texts and keys become; nil: they stay
function M.tree(value, shown)
    if type(value) == "string" and shown then return shown(value) end
    if type(value) ~= "table" then return value end
    local made = {}
    if #value > 0 or next(value) == nil then
        for i, element in ipairs(value) do made[i] = M.tree(element, shown) end
        return M.list(made)
    end
    for i, key in ipairs(check.sorted_keys(value)) do
        local name = tostring(key)
        made[i] = { shown and shown(name) or name, M.tree(value[key], shown) }
    end
    return M.object(made)
end

---Encodes one value on one line.
---@return string
function M.encode(value)
    if value == nil or value == core.null then return "null" end
    if type(value) == "string" then return core.json_quote(value) end
    if type(value) == "number" then return M.number(value) end
    if type(value) == "boolean" then return tostring(value) end
    local parts = {}
    if getmetatable(value) == Object then
        for i, pair in ipairs(value) do
            parts[i] = core.json_quote(pair[1]) .. ": " .. M.encode(pair[2])
        end
        return "{" .. table.concat(parts, ", ") .. "}"
    end
    assert(getmetatable(value) == List, "json.encode: neither object nor list")
    for i = 1, #value do parts[i] = M.encode(value[i]) end
    return "[" .. table.concat(parts, ", ") .. "]"
end

---Writes an object with one field on each line. A value may be a function that writes itself.
---@param fields any[][] { name, value } pairs
---@param write fun(text: string)
---@param indent string|nil before each line but the first
function M.write(fields, write, indent)
    indent = indent or ""
    write("{\n")
    for i, pair in ipairs(fields) do
        write(indent .. "  " .. core.json_quote(pair[1]) .. ": ")
        if type(pair[2]) == "function" then pair[2](write, indent) else write(M.encode(pair[2])) end
        write(i < #fields and ",\n" or "\n")
    end
    write(indent .. "}")
end

---Makes a writer of a long array, one element on each line, in chunks: a million rows must not
---become a million small writes.
---@param count integer
---@param element fun(index: integer): string
---@return fun(write: fun(text: string), indent: string) a value for M.write
function M.rows(count, element)
    return function(write, indent)
        if count == 0 then
            write("[]")
            return
        end
        local chunk, margin = {}, indent .. "    "
        write("[\n")
        for i = 1, count do
            chunk[#chunk + 1] = margin .. element(i)
            if #chunk == 1000 or i == count then
                write(table.concat(chunk, ",\n"))
                write(i < count and ",\n" or "\n")
                chunk = {}
            end
        end
        write(indent .. "  ]")
    end
end

return M
