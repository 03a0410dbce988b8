-- Numbers and lists for readers, rounded to what can be read.

local M = {}

---@param value number|nil
---@param decimals integer|nil for numbers with a fraction; default 2
---@return string
function M.number(value, decimals)
    if value == nil or value ~= value then return "-" end
    if math.type(value) == "integer" then return string.format("%d", value) end
    if math.abs(value) >= 1e15 then return string.format("%.3g", value) end
    return string.format("%." .. (decimals or 2) .. "f", value)
end

---Like M.number, but without a fraction when there is none.
function M.amount(value)
    return M.number(value and math.tointeger(value) or value)
end

-- Large numbers need no fraction.
local function rounded(value, decimals)
    return M.number(value, math.abs(value) >= 10000 and 0 or decimals)
end

---A mean and the half width of its interval, if it has one.
---@param value number|nil
---@param half number|nil
---@param decimals integer
---@return string
function M.with_half(value, half, decimals)
    if value == nil then return "-" end
    return rounded(value, decimals) .. (half and " ±" .. rounded(half, decimals) or "")
end

---@param count integer
---@param noun string
---@return string "1 job", "2 jobs"
function M.count(count, noun)
    return string.format("%s %s%s", M.amount(count), noun, count == 1 and "" or "s")
end

---Two columns, each line ended by a newline.
---@param entries string[][] { label, words }
---@return string
function M.list(entries)
    local widest, lines = 0, {}
    for _, entry in ipairs(entries) do widest = math.max(widest, utf8.len(entry[1])) end
    for i, entry in ipairs(entries) do
        local blanks = string.rep(" ", widest - utf8.len(entry[1]))
        lines[i] = entry[1] .. blanks .. "  " .. entry[2] .. "\n"
    end
    return table.concat(lines)
end

return M
