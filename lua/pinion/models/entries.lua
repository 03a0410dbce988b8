-- Lists of entries that settings are, such as nodes: objects in files and tables, and pieces of
-- text on the command line.

local check = require "pinion.base.check"
local core = require "pinion.core"
local quantity = require "pinion.base.quantity"

local M = {}

---@class pinion.EntryField
---@field name string
---@field low integer|nil of a number
---@field high integer|nil
---@field default any where the entry does not have it
---@field required string|nil what it is; nil: it may be missing
---@field null boolean|nil whether null says what leaving it out says
---@field read (fun(value: any, json: boolean|nil): any, string?)|nil of anything but an integer: its check

---Reads pieces of "A+B+…", each by `read`; nil when one of them is none.
---@param value string
---@param read fun(piece: string): any
---@return any[]|nil
function M.of_text(value, read)
    local list = {}
    for piece in (value .. "+"):gmatch("([^+]*)%+") do
        local entry = read(piece)
        if not entry then return nil end
        list[#list + 1] = entry
    end
    return list
end

-- Reads a field. A reason may begin with the rest of the path to an element.
local function read_field(given, field, json)
    if given == core.null and field.null then given = nil end
    if given == nil and field.required then
        return nil, string.format(".%s: is required (%s)", field.name, field.required)
    end
    if given == nil then return field.default end
    local value, why
    if field.read then
        value, why = field.read(given, json)
    else
        value, why = quantity.integer(given, field.low, field.high)
    end
    if not why then return value end
    local element, rest = why:match "^(%[[^:]*): (.*)$"
    return nil, string.format(".%s%s: %s", field.name, element or "", rest or why)
end

local function read_entry(value, fields, what, json)
    if not check.is_object(value, true) then
        return nil, ": must be an object with " .. what .. ", got " .. check.show(value)
    end
    local known, entry = {}, {}
    for _, field in ipairs(fields) do known[field.name] = true end
    local key, unknown = check.unknown_key(value, known)
    if key ~= nil then return nil, string.format(".%s: %s", key, unknown) end
    for _, field in ipairs(fields) do
        local read, why = read_field(value[field.name], field, json)
        if why then return nil, why end
        entry[field.name] = read
    end
    return entry
end

---Reads all entries of a list, or the reason, which begins with its place.
---@param list any[]
---@param fields pinion.EntryField[]
---@param what string what an entry must have, for messages
---@param json boolean|nil whether it is from a file, where {} is no array
---@return table[]|nil entries, string|nil reason
function M.read(list, fields, what, json)
    local entries = {}
    for i, value in ipairs(list) do
        local entry, why = read_entry(value, fields, what, json)
        if not entry then return nil, string.format("[%d]%s", i, why) end
        entries[i] = entry
    end
    return entries
end

return M
