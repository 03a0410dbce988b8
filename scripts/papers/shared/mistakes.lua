-- Mistakes of the user: errors with a message that is complete as it stands, and an exit code.

local M = {}

local Mistake = {}
Mistake.__index = Mistake
Mistake.__tostring = function(self) return self.message end

local function raise(code, message)
    -- A message quotes what it was given; it stays one line all the same.
    error(setmetatable({ message = message:gsub("%c", "?"), code = code }, Mistake), 0)
end

---Wrong usage.
function M.usage(format, ...)
    raise(2, "pinion: " .. string.format(format, ...))
end

---Wrong usage, in the system's words, which begin with a file's name.
function M.file(reason)
    raise(2, reason)
end

---What cannot be done.
function M.fail(format, ...)
    raise(1, "pinion: " .. string.format(format, ...))
end

---@return boolean
function M.is(value)
    return getmetatable(value) == Mistake
end

-- ---- words of messages --------------------------------------------------------------------------

local LONGEST = 40

---What a message says it got.
---@return string
function M.show(value)
    if type(value) ~= "string" then return tostring(value) end
    if #value > LONGEST then
        value = value:sub(1, LONGEST - 3):gsub("[\x80-\xff]+$", "") .. "..."
    end
    return "'" .. value:gsub("%c", "?") .. "'"
end

-- Insertions, deletions, replacements and swaps of neighbours that make one word of the other.
local function distance(a, b)
    local before, last = {}, {}
    for j = 0, #b do last[j] = j end
    for i = 1, #a do
        local row = { [0] = i }
        for j = 1, #b do
            local cost = a:byte(i) == b:byte(j) and 0 or 1
            row[j] = math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
            if i > 1 and j > 1 and a:byte(i) == b:byte(j - 1) and a:byte(i - 1) == b:byte(j) then
                row[j] = math.min(row[j], before[j - 2] + 1)
            end
        end
        before, last = last, row
    end
    return last[#b]
end

---What stands behind "unknown": the nearest name, or all of them.
---@param name string
---@param known string[]
---@return string
function M.hint(name, known)
    local sorted = table.move(known, 1, #known, 1, {})
    table.sort(sorted)
    local best, least = nil, math.max(1, #name // 3) + 1
    for _, candidate in ipairs(#name <= 64 and sorted or {}) do
        local apart = distance(name:lower(), candidate:lower())
        if apart < least then best, least = candidate, apart end
    end
    if best then return string.format("(did you mean '%s'?)", best) end
    return string.format("(known: %s)", table.concat(known, ", "))
end

return M
