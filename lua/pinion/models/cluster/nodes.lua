-- The nodes of a cluster, from lists in scenarios and short forms of the command line.

local check = require "pinion.base.check"
local entries = require "pinion.models.entries"

local M = {}

local NODES_MOST, SLOTS_MOST = 1 << 22, 1 << 26

---@class pinion.NodeGroup so many nodes alike
---@field count integer
---@field map_slots integer
---@field reduce_slots integer
---@field speed integer permille of the nominal speed

-- ---- nodes --------------------------------------------------------------------------------------

local NODE_FIELDS = {
    { name = "count", low = 1, high = NODES_MOST, default = 1, null = true },
    { name = "map_slots", low = 0, high = 65536, required = "an integer >= 0" },
    { name = "reduce_slots", low = 0, high = 65536, required = "an integer >= 0" },
    { name = "speed", low = 1, high = 1 << 20, default = 1000, null = true },
}

local NODES_FORM =
    "must be an array of { count, map_slots, reduce_slots, speed }, or text such as "
    .. "57x8x2+4x2x1x500 (nodes x map slots x reduce slots x speed), got "

local function nodes_of_text(piece)
    local numbers = {}
    for number in (piece .. "x"):gmatch("%s*(%d*)%s*x") do numbers[#numbers + 1] = number end
    if #numbers < 3 or #numbers > 4 or not piece:find("^[%dx%s]+$") then return nil end
    for _, number in ipairs(numbers) do
        if number == "" then return nil end
    end
    return { count = numbers[1], map_slots = numbers[2], reduce_slots = numbers[3],
        speed = numbers[4] }
end

---Reads nodes: an array of groups, or text such as "57x8x2".
---@param value any
---@param json boolean|nil whether it is from a file, where {} is no array
---@return pinion.NodeGroup[]|nil nodes, string|nil reason
function M.read(value, json)
    local list = value
    if type(value) == "string" then list = entries.of_text(value, nodes_of_text) end
    if not check.is_array(list, not (json and list == value)) then
        return nil, NODES_FORM .. check.show(value)
    end
    if #list == 0 then return nil, "must not be empty" end
    local nodes, why = entries.read(list, NODE_FIELDS, "map_slots and reduce_slots")
    if not nodes then return nil, why end
    local all = M.sums(nodes)
    if all.nodes > NODES_MOST then
        return nil, string.format("must be at most %d nodes, got %d", NODES_MOST, all.nodes)
    end
    if all.map_slots + all.reduce_slots > SLOTS_MOST then
        return nil, string.format("must have at most %d slots, got %d", SLOTS_MOST,
            all.map_slots + all.reduce_slots)
    end
    if all.map_slots == 0 then
        return nil, "have no map slot (expected one at least, as every job has maps)"
    end
    return nodes
end

---Writes nodes as text has them, for titles and tables.
---@param value any
---@return string|nil text, string|nil reason
function M.text(value)
    local nodes, why = M.read(value)
    if not nodes then return nil, why end
    local pieces = {}
    for i, group in ipairs(nodes) do
        local speed = group.speed ~= 1000 and "x" .. group.speed or ""
        pieces[i] = string.format("%dx%dx%d%s", group.count, group.map_slots, group.reduce_slots,
            speed)
    end
    return table.concat(pieces, "+")
end

---The default cluster: that of the hSRTF paper's experiments.
M.DEFAULT = { { count = 57, map_slots = 8, reduce_slots = 2, speed = 1000 } }

---@param nodes pinion.NodeGroup[]|nil
---@return boolean whether these are the default nodes
function M.is_default(nodes)
    return nodes == M.DEFAULT -- the very list
end

---Returns what they have together.
---@param nodes pinion.NodeGroup[]
---@return { nodes: integer, map_slots: integer, reduce_slots: integer }
function M.sums(nodes)
    local sums = { nodes = 0, map_slots = 0, reduce_slots = 0 }
    for _, group in ipairs(nodes) do
        sums.nodes = sums.nodes + group.count
        sums.map_slots = sums.map_slots + group.count * group.map_slots
        sums.reduce_slots = sums.reduce_slots + group.count * group.reduce_slots
    end
    return sums
end

---Returns the speed of the fastest of them.
---@param nodes pinion.NodeGroup[]
---@return integer permille
function M.fastest(nodes)
    local fastest = 0
    for _, group in ipairs(nodes) do fastest = math.max(fastest, group.speed) end
    return fastest
end

---Returns the speed of the slowest of them.
---@param nodes pinion.NodeGroup[]
---@return integer
function M.slowest(nodes)
    local slowest = math.maxinteger
    for _, group in ipairs(nodes) do slowest = math.min(slowest, group.speed) end
    return slowest
end

return M
