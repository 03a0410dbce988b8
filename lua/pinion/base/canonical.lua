-- Plain values as a text that is the same for the same values, whatever made them, in whatever
-- order: what is hashed.

local check = require "pinion.base.check"
local core = require "pinion.core"

local M = {}

local add

local function nothing() return false end

local function add_table(parts, value, path, given)
    parts[#parts + 1] = "{"
    for _, key in ipairs(check.sorted_keys(value)) do
        if not given.is_aside(value, key) then
            add(parts, key, path, given)
            add(parts, value[key], path .. "." .. tostring(key), given)
        end
    end
    parts[#parts + 1] = "}"
end

local ADD = {
    ["nil"] = function(parts) parts[#parts + 1] = "n" end,
    boolean = function(parts, value) parts[#parts + 1] = value and "t" or "f" end,
    number = function(parts, value)
        local whole = math.tointeger(value) -- 2.0 is 2
        parts[#parts + 1] = whole and string.format("%d;", whole) or string.format("%a;", value)
    end,
    -- The length first, so that no text can look like another's end.
    string = function(parts, value, _, given)
        value = given.replaced[value] or value
        parts[#parts + 1] = string.format("%d:", #value)
        parts[#parts + 1] = value
    end,
    table = add_table,
}

function add(parts, value, path, given)
    if value == core.null then value = nil end
    local form = ADD[type(value)]
    if not form then error({ path = path }, 0) end
    form(parts, value, path, given)
end

---@param value any numbers, strings, booleans and tables of them
---@param replaced table<string, string>|nil texts that stand for others, such as digests for names of files
---@param is_aside (fun(owner: table, key: any): boolean)|nil what is left out of tables
---@return string|nil text, string|nil path of what is no plain value
function M.text(value, replaced, is_aside)
    local parts = {}
    local ok, problem = pcall(add, parts, value, "", { replaced = replaced or {},
        is_aside = is_aside or nothing })
    if ok then return table.concat(parts) end
    if type(problem) ~= "table" then error(problem, 0) end
    return nil, (problem.path:gsub("^%.", ""))
end

return M
