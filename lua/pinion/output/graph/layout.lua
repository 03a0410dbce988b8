-- Where the stages of a job stand in a picture of it. Levels are by the longest way from a stage
-- without parents; an edge over several levels passes a point in each of them, so that no edge runs
-- behind a stage. Edges of one parent pass the same points. In a level stages stand in the order,
-- and near the middle, of what they are joined to.

local M = {}

---@class pinion.GraphItem a stage, or a point that an edge passes
---@field stage integer|nil from 1; nil: a point
---@field level integer from 1
---@field size number across its level
---@field at number its middle, across its level
---@field above pinion.GraphItem[] in the level above that it is joined to
---@field below pinion.GraphItem[]
---@field index integer as it came, to break ties

-- ---- levels -------------------------------------------------------------------------------------

---Returns children by stage, from lists of parents; all count from 1.
---@param parents integer[][]
---@return integer[][]
function M.children(parents)
    local children = {}
    for s = 1, #parents do children[s] = {} end
    for s, list in ipairs(parents) do
        for _, parent in ipairs(list) do table.insert(children[parent], s) end
    end
    return children
end

---Orders stages such that parents come before their children.
---@param parents integer[][]
---@param children integer[][]
---@return integer[]
function M.order(parents, children)
    local waiting, order = {}, {}
    for s, list in ipairs(parents) do
        waiting[s] = #list
        if #list == 0 then order[#order + 1] = s end
    end
    local at = 1
    while order[at] do
        for _, child in ipairs(children[order[at]]) do
            waiting[child] = waiting[child] - 1
            if waiting[child] == 0 then order[#order + 1] = child end
        end
        at = at + 1
    end
    return order
end

local function levels_of(parents, order)
    local level = {}
    for _, s in ipairs(order) do
        level[s] = 1
        for _, parent in ipairs(parents[s]) do level[s] = math.max(level[s], level[parent] + 1) end
    end
    return level
end

-- ---- items --------------------------------------------------------------------------------------

local POINT = 6 -- of an edge, across its level

local function add(levels, item)
    local list = levels[item.level] or {}
    levels[item.level] = list
    item.above, item.below, item.index = {}, {}, #list + 1
    list[#list + 1] = item
    return item
end

local function join(above, below)
    above.below[#above.below + 1], below.above[#below.above + 1] = below, above
end

---@class pinion.GraphEdge
---@field from integer stages
---@field to integer
---@field way pinion.GraphItem[] from one to the other

-- Returns, from a stage on, the points that its edges pass as far as this level; `ways` has those
-- of each stage that are there already.
local function way_to(levels, ways, stage, level)
    local way = ways[stage]
    while way[#way].level < level do
        local point = add(levels, { level = way[#way].level + 1, size = POINT })
        join(way[#way], point)
        way[#way + 1] = point
    end
    return table.move(way, 1, level - way[1].level + 1, 1, {})
end

-- Makes levels of items, joined between neighbours only, and the edges' ways through them.
local function items_of(parents, order, sizes)
    local level, levels, ways, edges = levels_of(parents, order), {}, {}, {}
    for s in ipairs(parents) do
        ways[s] = { add(levels, { stage = s, level = level[s], size = sizes[s] }) }
    end
    for s, list in ipairs(parents) do
        for _, parent in ipairs(list) do
            local way = way_to(levels, ways, parent, level[s] - 1)
            join(way[#way], ways[s][1])
            way[#way + 1] = ways[s][1]
            edges[#edges + 1] = { from = parent, to = s, way = way }
        end
    end
    return levels, edges
end

-- ---- places -------------------------------------------------------------------------------------

local SWEEPS = 16

local function distance(a, b, gap)
    return (a.size + b.size) / 2 + gap
end

-- Returns the middle of what an item is joined to on one side; where it is now, when that is
-- nothing.
local function wish(item, side)
    local sum, joined = 0, item[side]
    if #joined == 0 then return item.at end
    for _, other in ipairs(joined) do sum = sum + other.at end
    return sum / #joined
end

-- Places items as near to their wishes as their sizes allow: pushed aside to the one side, to the
-- other, and the mean of both, which keeps their distances too.
local function place(list, wishes, gap)
    local low, high = {}, {}
    for i = 1, #list do
        low[i] = i == 1 and wishes[list[i]]
            or math.max(wishes[list[i]], low[i - 1] + distance(list[i - 1], list[i], gap))
    end
    for i = #list, 1, -1 do
        high[i] = i == #list and wishes[list[i]]
            or math.min(wishes[list[i]], high[i + 1] - distance(list[i], list[i + 1], gap))
    end
    for i, item in ipairs(list) do item.at = (low[i] + high[i]) / 2 end
end

local function sweep(list, side, gap)
    local wishes = {}
    for _, item in ipairs(list) do wishes[item] = wish(item, side) end
    table.sort(list, function(a, b)
        if wishes[a] ~= wishes[b] then return wishes[a] < wishes[b] end
        return a.index < b.index
    end)
    for i, item in ipairs(list) do item.index = i end
    place(list, wishes, gap)
end

-- Places items as they came, side by side around 0.
local function place_first(list, gap)
    local at = 0
    for i, item in ipairs(list) do
        at = i == 1 and 0 or at + distance(list[i - 1], item, gap)
        item.at = at
    end
    for _, item in ipairs(list) do item.at = item.at - at / 2 end
end

-- Moves all of it so that it begins at 0, and that no strip wider than the gap is empty in all
-- levels, as between parts that nothing joins; its extent.
local function settle(levels, gap)
    local items, reached, moved = {}, nil, 0
    for _, list in ipairs(levels) do table.move(list, 1, #list, #items + 1, items) end
    table.sort(items, function(a, b) return a.at - a.size / 2 < b.at - b.size / 2 end)
    for _, item in ipairs(items) do
        local from = item.at - item.size / 2
        moved = moved + (reached and math.max(0, from - reached - gap) or from)
        reached = math.max(reached or from, from + item.size)
        item.at = item.at - moved
    end
    return reached - moved
end

---@class pinion.GraphLayout
---@field levels pinion.GraphItem[][]
---@field edges pinion.GraphEdge[]
---@field across number extent of the widest level, and of all

---@param parents integer[][] by stage; all count from 1
---@param sizes number[] of stages, across their levels
---@param gap number between them
---@return pinion.GraphLayout
function M.lay_out(parents, sizes, gap)
    local order = M.order(parents, M.children(parents))
    local levels, edges = items_of(parents, order, sizes)
    for _, list in ipairs(levels) do place_first(list, gap) end
    for round = 1, SWEEPS do
        local down = round % 2 == 1
        for i = 1, #levels do
            sweep(levels[down and i or #levels + 1 - i], down and "above" or "below", gap)
        end
    end
    return { levels = levels, edges = edges, across = settle(levels, gap) }
end

return M
