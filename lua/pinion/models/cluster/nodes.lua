-- The nodes of a cluster and their failures, from lists in scenarios and short forms of the command
-- line.

local check = require "pinion.base.check"
local core = require "pinion.core"
local quantity = require "pinion.base.quantity"

local M = {}

local NODES_MOST, SLOTS_MOST = 1 << 22, 1 << 26

---@class pinion.NodeGroup so many nodes alike
---@field count integer
---@field map_slots integer
---@field reduce_slots integer
---@field speed integer permille of the nominal speed

---@class pinion.Failure
---@field time integer ms
---@field node integer from 0
---@field recover integer|nil ms; nil: it stays down

-- Pieces of "A+B+…", each by `read`; nil when one of them is none.
local function split_text(value, read)
    local list = {}
    for piece in (value .. "+"):gmatch("([^+]*)%+") do
        local entry = read(piece)
        if not entry then return nil end
        list[#list + 1] = entry
    end
    return list
end

-- The fields of an entry by { name, low, high, default, required }. A reason begins with the rest
-- of its path.
local function read_entry(value, fields, what)
    if not check.is_object(value, true) then
        return nil, ": must be an object with " .. what .. ", got " .. check.show(value)
    end
    local known, entry = {}, {}
    for _, field in ipairs(fields) do known[field[1]] = true end
    local key, unknown = check.unknown_key(value, known)
    if key ~= nil then return nil, string.format(".%s: %s", key, unknown) end
    for _, field in ipairs(fields) do
        local name, low, high, default, required = table.unpack(field)
        local given = value[name]
        if given == core.null and not required then given = nil end
        if given == nil and required then
            return nil, string.format(".%s: is required (%s)", name, required)
        end
        local number, why = default, nil
        if given ~= nil then number, why = quantity.integer(given, low, high) end
        if why then return nil, string.format(".%s: %s", name, why) end
        entry[name] = number
    end
    return entry
end

-- All entries of a list, or the reason with its place.
local function read_list(list, fields, what)
    local entries = {}
    for i, value in ipairs(list) do
        local entry, why = read_entry(value, fields, what)
        if not entry then return nil, string.format("[%d]%s", i, why) end
        entries[i] = entry
    end
    return entries
end

-- ---- nodes --------------------------------------------------------------------------------------

local NODE_FIELDS = { { "count", 1, NODES_MOST, 1 },
    { "map_slots", 0, 65536, nil, "an integer >= 0" },
                      { "reduce_slots", 0, 65536, nil, "an integer >= 0" },
                      { "speed", 1, 1 << 20, 1000 } }

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

---Nodes: an array of groups, or text such as "57x8x2".
---@param value any
---@param json boolean|nil whether it is from a file, where {} is no array
---@return pinion.NodeGroup[]|nil nodes, string|nil reason
function M.read(value, json)
    local list = value
    if type(value) == "string" then list = split_text(value, nodes_of_text) end
    if not check.is_array(list, not (json and list == value)) then
        return nil, NODES_FORM .. check.show(value)
    end
    if #list == 0 then return nil, "must not be empty" end
    local nodes, why = read_list(list, NODE_FIELDS, "map_slots and reduce_slots")
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

---Nodes as text has them, for titles and tables.
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

---The cluster where nobody says which: that of the hSRTF paper's experiments.
M.DEFAULT = { { count = 57, map_slots = 8, reduce_slots = 2, speed = 1000 } }

---@param nodes pinion.NodeGroup[]|nil
---@return boolean whether nobody said which
function M.is_default(nodes)
    return nodes == M.DEFAULT -- the very list
end

---What they have together.
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

---The speed of the fastest of them.
---@param nodes pinion.NodeGroup[]
---@return integer permille
function M.fastest(nodes)
    local fastest = 0
    for _, group in ipairs(nodes) do fastest = math.max(fastest, group.speed) end
    return fastest
end

---The speed of the slowest of them.
---@param nodes pinion.NodeGroup[]
---@return integer
function M.slowest(nodes)
    local slowest = math.maxinteger
    for _, group in ipairs(nodes) do slowest = math.min(slowest, group.speed) end
    return slowest
end

-- ---- failures -----------------------------------------------------------------------------------

local FAILURE_FIELDS = { { "time", 0, check.INTEGER_MAX, nil, "ms, an integer >= 0" },
                         { "node", 0, NODES_MOST - 1, nil, "the number of a node, from 0" },
                         { "recover", 1, check.INTEGER_MAX } }

local FAILURES_FORM =
    "must be an array of { time, node, recover }, or text such as 50000:1:90000+70000:4 "
    .. "(time:node:recovery), got "

local function failure_of_text(piece)
    local time, node, recover = piece:match("^%s*(%d+):(%d+):?(%d*)%s*$")
    if not time then return nil end
    return { time = time, node = node, recover = recover ~= "" and recover or nil }
end

---Failures of nodes: an array, or text such as "50000:1:90000".
---@param value any
---@param json boolean|nil as for M.read
---@return pinion.Failure[]|nil failures, string|nil reason
function M.read_failures(value, json)
    local list = value
    if type(value) == "string" then list = split_text(value, failure_of_text) end
    if not check.is_array(list, not (json and list == value)) then
        return nil, FAILURES_FORM .. check.show(value)
    end
    local failures, why = read_list(list, FAILURE_FIELDS, "time and node")
    if not failures then return nil, why end
    for i, failure in ipairs(failures) do
        if failure.recover and failure.recover <= failure.time then
            return nil, string.format("[%d].recover: must be > time (%d), got %d", i, failure.time,
                failure.recover)
        end
    end
    return failures
end

---Failures as text has them.
---@param value any
---@return string|nil text, string|nil reason
function M.failures_text(value)
    local failures, why = M.read_failures(value)
    if not failures then return nil, why end
    local pieces = {}
    for i, failure in ipairs(failures) do
        pieces[i] = string.format("%d:%d%s", failure.time, failure.node, failure.recover and ":"
            .. failure.recover or "")
    end
    return #pieces > 0 and table.concat(pieces, "+") or "none"
end

---What is wrong with failures on these nodes; nil when nothing is.
---@param failures pinion.Failure[]
---@param nodes pinion.NodeGroup[]
---@return string|nil reason
function M.check_failures(failures, nodes)
    local count = M.sums(nodes).nodes
    for i, failure in ipairs(failures) do
        if failure.node >= count then
            return string.format(
                "[%d].node: there is no node %d (expected 0..%d, as the cluster has)", i,
                failure.node, count - 1)
        end
    end
end

return M
