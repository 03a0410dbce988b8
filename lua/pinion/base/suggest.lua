-- The nearest known name to a mistyped one. Distance: insertions, deletions, replacements and swaps
-- of neighbours; ties go to the name that sorts first. Where none is near, one that begins so.

local M = {}

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

-- Shorter beginnings say too little.
local BEGUN_LEAST = 4

---Returns the first name that begins with this one: mean_flow_time for mean_flow.
---@param name string
---@param sorted string[]
---@return string|nil
function M.begun(name, sorted)
    for _, candidate in ipairs(#name >= BEGUN_LEAST and sorted or {}) do
        if candidate:sub(1, #name) == name then return candidate end
    end
end

---@param name string
---@param known string[]
---@return string|nil nearest known name, if one is near
function M.nearest(name, known)
    -- longer names are no misspellings, and the distance is quadratic
    if #name > 64 then return nil end
    local sorted = table.move(known, 1, #known, 1, {})
    table.sort(sorted)
    local best, best_distance = nil, math.max(1, #name // 3) + 1
    for _, candidate in ipairs(sorted) do
        local d = distance(name:lower(), candidate:lower())
        if d < best_distance then best, best_distance = candidate, d end
    end
    return best or M.begun(name, sorted)
end

local function plain(name)
    return (name:lower():gsub("_", ""))
end

---Returns the known name that this one is but for underscores, capitals and a letter, or two of a
---long name; stricter than M.nearest, for names that may be right.
---@param name string
---@param known string[]
---@return string|nil
function M.misspelt(name, known)
    local most = #name >= 10 and 2 or #name >= 5 and 1 or 0
    local best, best_distance, wanted = nil, most + 1, plain(name)
    if #name > 64 then return nil end
    for _, candidate in ipairs(known) do
        local other = plain(candidate)
        local d = math.abs(#other - #wanted) <= most and distance(wanted, other) or most + 1
        if d < best_distance or d == best_distance and best and candidate < best then
            best, best_distance = candidate, d
        end
    end
    return best
end

---Returns the known name that a part of this one is, but for a plural: maps for map_tasks.
---@param name string with parts between underscores
---@param known string[]
---@return string|nil
function M.by_part(name, known)
    for part in name:lower():gmatch "[^_]+" do
        for _, candidate in ipairs(known) do
            if part == candidate or part .. "s" == candidate then return candidate end
        end
    end
end

---Returns text to put behind "unknown …": the nearest name, or else all of them.
---@param name string
---@param known string[]
---@return string
function M.hint(name, known)
    local near = M.nearest(name, known)
    if near then return string.format("(did you mean '%s'?)", near) end
    return string.format("(known: %s)", table.concat(known, ", "))
end

return M
