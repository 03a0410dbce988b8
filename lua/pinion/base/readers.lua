-- Readers of single options as people write them, in SPEC strings and in Lua. Each returns the
-- checked value, or nil and the reason.

local check = require "pinion.base.check"
local quantity = require "pinion.base.quantity"

local M = {}

---@return fun(value: any): integer|nil, string|nil
function M.integer(low, high)
    return function(value) return quantity.integer(value, low, high or check.INTEGER_MAX) end
end

---@return fun(value: any): number|nil, string|nil
function M.positive(high)
    return function(value) return quantity.number(value, 0, high, true) end
end

---The field of generators that draw.
M.SEED = { name = "seed", read = M.integer(0), default = 1, doc = "seed of the random stream" }

function M.chance(value)
    return quantity.number(value, 0, 1)
end

function M.boolean(value)
    if value == "true" then value = true elseif value == "false" then value = false end
    return check.boolean(value)
end

---@return fun(value: any): string|nil, string|nil
function M.choice(...)
    local words = { ... }
    return function(value) return check.choice(value, words) end
end

---Reads positive integers: an array, or text such as "3;1;4".
function M.integers(value)
    local list = {}
    if type(value) == "string" then
        for piece in value:gmatch("[^%s;]+") do list[#list + 1] = quantity.plain(piece) end
    elseif check.is_array(value, true) then
        list = value
    end
    if #list == 0 then
        return nil, "must be a list of integers such as 3;1;4, got " .. check.show(value)
    end
    local checked = {}
    for i, piece in ipairs(list) do
        local why
        checked[i], why = check.integer(piece, 1, check.INTEGER_MAX)
        if not checked[i] then return nil, string.format("number %d %s", i, why) end
    end
    return checked
end

function M.path(value)
    if type(value) == "string" and value ~= "" then return value end
    return nil, "must be a file name, got " .. check.show(value)
end

---Reads file names: an array, or text such as "part-0.csv+part-1.csv".
function M.paths(value)
    local list = {}
    if type(value) == "string" then
        for piece in value:gmatch("[^+]+") do list[#list + 1] = piece end
    elseif check.is_array(value, true) then
        list = value
    end
    local checked = {}
    for i, path in ipairs(list) do
        if not M.path(path) then list = {} end
        checked[i] = path
    end
    if #list == 0 then
        return nil, "must be file names such as part-0.csv+part-1.csv, got " .. check.show(value)
    end
    return checked
end

return M
