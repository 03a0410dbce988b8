-- Which colour a job has: that of its group where jobs have groups, otherwise one of its own as
-- long as there are colours. The largest, by work, have one; all others share a neutral one, and
-- the legend says so.

local palette = require "pinion.output.palette"
local text = require "pinion.base.text"

local M = {}

---@class pinion.GanttKey
---@field name string in the legend
---@field fill string
---@field ink string what is written on it
---@field job integer|nil that it stands for

---@class pinion.GanttKeys
---@field list pinion.GanttKey[] the last one is of the others, if there are any
---@field of fun(job: integer): integer place in the list; behind it for a job that none stands for, as it did not work
---@field fill fun(job: integer): string its colour

-- Returns the largest, in the order in which they are shown.
local function largest(sizes, before)
    local names = {}
    for name in next, sizes do names[#names + 1] = name end
    table.sort(names, function(a, b)
        if sizes[a] ~= sizes[b] then return sizes[a] > sizes[b] end
        return before(a, b)
    end)
    local count = #names
    for i = count, #palette.LIGHT + 1, -1 do names[i] = nil end
    table.sort(names, before)
    return names, count - #names
end

local function less(a, b) return a < b end

-- Orders by the numbers in names, too: "2 maps" stands before "10 maps".
local function natural(a, b)
    local function padded(name)
        return (name:gsub("%d+", function(digits) return ("0"):rep(20 - #digits) .. digits end))
    end
    local left, right = padded(a), padded(b)
    if left ~= right then return left < right end
    return a < b
end

-- Returns what each group has worked; nil when these would be one colour for all.
local function sizes_of(work, group_of)
    local sizes, count, rest = {}, 0, 0
    for job, size in next, work do
        local name = group_of(job)
        if name and not sizes[name] then sizes[name], count = 0.0, count + 1 end
        if name then sizes[name] = sizes[name] + size else rest = rest + 1 end
    end
    if count < 2 then return nil end
    return sizes, rest
end

local function new_key(name, fill, job)
    return { name = name, fill = fill, ink = palette.ink(fill), job = job }
end

local function by_place(names, name_of)
    local list, place = {}, {}
    for i, name in ipairs(names) do
        list[i], place[name] = new_key(name_of(name), palette.LIGHT[i],
            math.type(name) == "integer" and name or nil), i
    end
    return list, place
end

-- Returns the keys; all other jobs have the key of the others, where there is one.
local function keys_of(list, place)
    local last = list[#list]
    local rest = last and last.fill == palette.OTHERS and #list or #list + 1
    local function of(job) return place(job) or rest end
    return { list = list, of = of, fill = function(job)
        local key = list[of(job)]
        return key and key.fill or palette.OTHERS
    end }
end

---@param work table<integer, number> by job
---@param group_of (fun(id: integer): string|nil)|nil
---@return pinion.GanttKeys
function M.choose(work, group_of)
    local sizes, rest
    if group_of then sizes, rest = sizes_of(work, group_of) end
    if sizes then
        local names, others = largest(sizes, natural)
        local list, place = by_place(names, tostring)
        if others > 0 or rest > 0 then
            list[#list + 1] = new_key(others > 0 and text.count(others, "other group")
                or "no group", palette.OTHERS)
        end
        return keys_of(list, function(job) return place[group_of(job)] end)
    end
    local names, others = largest(work, less)
    local list, place = by_place(names, function(job) return "J" .. job end)
    if others > 0 then
        list[#list + 1] = new_key(text.count(others, "other job"), palette.OTHERS)
    end
    return keys_of(list, function(job) return place[job] end)
end

return M
