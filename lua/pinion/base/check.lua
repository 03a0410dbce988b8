-- Checks of single values that came from JSON, Lua tables or text. Each returns the value in its
-- proper type, or nil and the reason. Reasons read on behind a field's name: "must be an integer >=
-- 0, got -1".

local core = require "pinion.core"
local suggest = require "pinion.base.suggest"
local text = require "pinion.base.text"

local math_type = math.type -- asked once per number of a scenario

local M = {}

---Largest integer of the kernel: what a double holds exactly.
M.INTEGER_MAX = 1 << 53

---A float with the fewest digits that read back as the same number, always with a point or an
---exponent.
---@param x number finite
---@return string
M.float_text = core.float_text

local function shorten(value)
    if #value <= 40 then return value end
    return value:sub(1, 37):gsub("[\x80-\xff]+$", "") .. "..."
end

---Returns what a message says it got.
---@return string
function M.show(value)
    local kind = type(value)
    if value == nil then return "nothing" end
    if value == core.null then return "null" end
    if kind == "string" then return "'" .. text.visible(shorten(value)) .. "'" end
    if math.type(value) == "integer" then return string.format("%d", value) end
    if kind == "number" then
        if value ~= value then return "NaN" end
        if value == math.huge then return "Infinity" end
        if value == -math.huge then return "-Infinity" end
        return M.float_text(value)
    end
    if kind == "boolean" then return tostring(value) end
    if kind ~= "table" then return "a " .. kind end
    if getmetatable(value) == core.array then return "an array" end
    if #value == 0 then return "an object" end
    return M.is_array(value, true) and "an array" or "an array with gaps or named fields"
end

---Returns a field's name as a message shows it: in quotes where it would be hard to see.
---@return string
function M.key_text(key)
    if type(key) == "string" and not key:find("^[%w_.-]+$") then return M.show(key) end
    return tostring(key)
end

local function range_text(low, high)
    if low <= -M.INTEGER_MAX and high >= M.INTEGER_MAX then return "an integer" end
    if high >= M.INTEGER_MAX then return string.format("an integer >= %d", low) end
    return string.format("an integer in %d..%d", low, high)
end

---Checks integers, and floats that are integers up to 2^53.
---@return integer|nil value, string|nil reason
function M.integer(value, low, high)
    if math_type(value) == "integer" and value >= low and value <= high then return value end
    local number = value
    if math_type(value) == "float" and value >= -M.INTEGER_MAX and value <= M.INTEGER_MAX then
        number = math.tointeger(value) or value
    end
    if math_type(number) == "integer" and number >= low and number <= high then return number end
    if type(number) == "number" and number > high and high == M.INTEGER_MAX then
        return nil, string.format("must be an integer <= %d (2^53), got %s", high, M.show(value))
    end
    return nil, string.format("must be %s, got %s", range_text(low, high), M.show(value))
end

---Checks a finite number in the range; `open` excludes the lower end.
---@return number|nil value, string|nil reason
function M.number(value, low, high, open)
    if type(value) == "number" and value <= high
            and (value > low or (not open and value == low)) then
        return value
    end
    local function show(limit) return M.show(math.tointeger(limit) or limit) end
    local limits = {}
    if low > -math.huge then limits[1] = (open and "> " or ">= ") .. show(low) end
    if high < math.huge then limits[#limits + 1] = "<= " .. show(high) end
    local limit = "a number" .. (#limits > 0 and " " or "") .. table.concat(limits, " and ")
    return nil, string.format("must be %s, got %s", limit, M.show(value))
end

---@return string|nil value, string|nil reason
function M.text(value)
    if type(value) == "string" then return value end
    return nil, "must be a string, got " .. M.show(value)
end

---@return boolean|nil value, string|nil reason
function M.boolean(value)
    if type(value) == "boolean" then return value end
    return nil, "must be true or false, got " .. M.show(value)
end

---Checks one of a few words.
---@return string|nil value, string|nil reason
function M.choice(value, words)
    for _, word in ipairs(words) do
        if value == word then return value end
    end
    local reason = string.format("must be %s, got %s", table.concat(words, " or "), M.show(value))
    local near = type(value) == "string" and suggest.nearest(value, words)
    if near then reason = string.format("%s (did you mean '%s'?)", reason, near) end
    return nil, reason
end

---Returns keys of a table in a fixed order: integers first, then strings, then whatever else by its
---type's name.
---@return any[]
function M.sorted_keys(t)
    local keys = {}
    for key in next, t do keys[#keys + 1] = key end
    table.sort(keys, function(a, b)
        local ta, tb = type(a), type(b)
        if ta ~= tb then return ta < tb end
        if ta == "number" or ta == "string" then return a < b end
        return false
    end)
    return keys
end

---Returns the first key of `t`, in sorted order, that `known` does not list.
---@param t table
---@param known table<string, any>
---@param noun string|nil what it is called; default "field"
---@return string|nil key, string|nil reason
function M.unknown_key(t, known, noun)
    for key in next, t do
        if known[key] == nil then
            for _, candidate in ipairs(M.sorted_keys(t)) do
                if known[candidate] == nil then
                    local hint = suggest.hint(tostring(candidate), M.sorted_keys(known))
                    return M.key_text(candidate),
                        string.format("unknown %s %s", noun or "field", hint)
                end
            end
        end
    end
    return nil
end

---Returns whether `t` is an array: marked as one by the JSON reader, or (`lua` true) a Lua sequence
---without other keys.
---@return boolean
function M.is_array(t, lua)
    if type(t) ~= "table" then return false end
    if not lua or getmetatable(t) == core.array then return getmetatable(t) == core.array end
    local count = 0
    for _ in next, t do count = count + 1 end
    return count == #t
end

---Returns whether `t` is an object, by the same rules.
---@return boolean
function M.is_object(t, lua)
    if type(t) ~= "table" or getmetatable(t) == core.array then return false end
    return not lua or #t == 0
end

return M
