-- The resources, the nodes and the queues of the dag model, from lists in scenarios and short forms
-- of the command line.

local check = require "pinion.base.check"
local entries = require "pinion.models.entries"
local quantity = require "pinion.base.quantity"

local M = {}

-- As in the kernel.
local RESOURCES_MOST, NODES_MOST, QUEUES_MOST = 4, 1 << 20, 1 << 12
local ENTRY_MOST, ALL_MOST, SPEED_MOST, WEIGHT_MOST = 1 << 40, 1 << 50, 1000000, 1000000

---@class pinion.DagNodeGroup so many nodes alike
---@field count integer
---@field capacity integer[] of each resource
---@field speed integer permille of the nominal speed

---@class pinion.DagQueue
---@field name string
---@field weight integer
---@field guaranteed integer permille of the cluster
---@field maximum integer permille of the cluster

-- Returns a list as it is, or the pieces of a text.
local function list_of(value, json, read)
    if type(value) == "string" then return entries.of_text(value, read), true end
    return check.is_array(value, not json) and value or nil, not json
end

-- Splits words between a sign; nil when one of them is empty.
local function split(text, sign)
    local words = {}
    for word in (text .. sign):gmatch("%s*([^" .. sign .. "]-)%s*" .. sign) do
        if word == "" then return nil end
        words[#words + 1] = word
    end
    return words
end

-- ---- resources ----------------------------------------------------------------------------------

local RESOURCES_FORM =
    "must be an array of 1 to 4 names, or text such as cpu+memory, got "

---Names of resources: an array, or text such as "cpu+memory".
---@param value any
---@param json boolean|nil whether it is from a file, where {} is no array
---@return string[]|nil resources, string|nil reason
function M.read_resources(value, json)
    local list, seen = list_of(value, json, function(piece) return piece end), {}
    if not list or #list < 1 or #list > RESOURCES_MOST then
        return nil, RESOURCES_FORM .. (list and #list .. " of them" or check.show(value))
    end
    local resources = {}
    for i, name in ipairs(list) do
        if type(name) ~= "string" or name == "" or not utf8.len(name) then
            return nil, string.format("[%d]: must be a name, got %s", i, check.show(name))
        end
        if seen[name] then
            return nil, string.format("[%d]: names %s again", i, check.show(name))
        end
        resources[i], seen[name] = name, true
    end
    return resources
end

---Writes resources as text has them.
---@param value any
---@return string|nil text, string|nil reason
function M.resources_text(value)
    local resources, why = M.read_resources(value)
    return resources and table.concat(resources, "+"), why
end

-- ---- vectors ------------------------------------------------------------------------------------

---Reads a vector: 1 to 4 integers. A reason may begin with the place of an element.
---@param value any
---@param json boolean|nil as for M.read_resources
---@return integer[]|nil vector, string|nil reason
function M.read_vector(value, json)
    if not check.is_array(value, not json) then
        return nil, "must be an array of integers, one for each resource, got " .. check.show(value)
    end
    if #value < 1 or #value > RESOURCES_MOST then
        return nil, string.format("must be an array of 1 to 4 integers, got %d", #value)
    end
    local vector = {}
    for r, given in ipairs(value) do
        local number, why = check.integer(given, 0, ENTRY_MOST)
        if not number then return nil, string.format("[%d]: %s", r, why) end
        vector[r] = number
    end
    return vector
end

---Checks the length of a vector; returns what is wrong with it.
---@param vector integer[]
---@param resources string[]
---@return string|nil reason
function M.check_length(vector, resources)
    if #vector == #resources then return nil end
    return string.format("has %d value%s (expected one for each of %s)", #vector,
        #vector == 1 and "" or "s", table.concat(resources, ", "))
end

-- ---- nodes --------------------------------------------------------------------------------------

local NODE_FIELDS = {
    { name = "count", low = 1, high = NODES_MOST, default = 1 },
    { name = "capacity", read = M.read_vector, required = "an integer for each resource" },
    { name = "speed", low = 1, high = SPEED_MOST, default = 1000 },
}

local NODES_FORM =
    "must be an array of { count, capacity, speed }, or text such as "
    .. "10x16000/65536+2x32000/131072x500 (nodes x capacities x speed), got "

local function node_of_text(piece)
    local parts = split(piece, "x") or {}
    local capacity = split(parts[2] or "", "/")
    if #parts < 2 or #parts > 3 or not capacity then return nil end
    for r, number in ipairs(capacity) do capacity[r] = quantity.plain(number) end
    return { count = parts[1], capacity = capacity, speed = parts[3] }
end

---Reads nodes: an array of groups, or text such as "10x16000/65536".
---@param value any
---@param json boolean|nil as for M.read_resources
---@return pinion.DagNodeGroup[]|nil nodes, string|nil reason
function M.read(value, json)
    local list, lua = list_of(value, json, node_of_text)
    if not list then return nil, NODES_FORM .. check.show(value) end
    if #list == 0 then return nil, "must not be empty" end
    local nodes, why = entries.read(list, NODE_FIELDS, "capacity", not lua)
    if not nodes then return nil, why end
    local count = M.count(nodes)
    if count > NODES_MOST then
        return nil, string.format("must be at most %d nodes, got %d", NODES_MOST, count)
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
        pieces[i] = string.format("%dx%s%s", group.count, table.concat(group.capacity, "/"),
            group.speed ~= 1000 and "x" .. group.speed or "")
    end
    return table.concat(pieces, "+")
end

---The default cluster.
M.DEFAULT = { { count = 10, capacity = { 16000 }, speed = 1000 } }

---@param nodes pinion.DagNodeGroup[]|nil
---@return boolean whether these are the default nodes
function M.is_default(nodes)
    return nodes == M.DEFAULT -- the very list
end

---@param nodes pinion.DagNodeGroup[]
---@return integer
function M.count(nodes)
    local count = 0
    for _, group in ipairs(nodes) do count = count + group.count end
    return count
end

---Returns what they have together.
---@param nodes pinion.DagNodeGroup[]
---@return integer[] of each resource
function M.capacity(nodes)
    local all = {}
    for _, group in ipairs(nodes) do
        for r, capacity in ipairs(group.capacity) do
            all[r] = (all[r] or 0) + group.count * capacity
        end
    end
    return all
end

---Checks nodes; returns what is wrong with them that have these resources; it may begin with a
---place.
---@param nodes pinion.DagNodeGroup[]
---@param resources string[]
---@return string|nil reason
function M.check(nodes, resources)
    for i, group in ipairs(nodes) do
        local why = M.check_length(group.capacity, resources)
        if why then return string.format("[%d].capacity: %s", i, why) end
    end
    for r, capacity in ipairs(M.capacity(nodes)) do
        if capacity == 0 then return "no node has " .. check.show(resources[r]) end
        if capacity > ALL_MOST then
            return string.format("must have at most 2^50 of %s together, got %d",
                check.show(resources[r]), capacity)
        end
    end
end

---Returns whether some node has room for a demand.
---@param nodes pinion.DagNodeGroup[]
---@param demand integer[]
---@return boolean
function M.has_room(nodes, demand)
    for _, group in ipairs(nodes) do
        local fits = true
        for r, wanted in ipairs(demand) do fits = fits and wanted <= group.capacity[r] end
        if fits then return true end
    end
    return false
end

-- ---- queues -------------------------------------------------------------------------------------

local function read_name(value)
    if type(value) == "string" and value ~= "" and utf8.len(value) and not value:find "\0" then
        return value
    end
    return nil, "must be a name, got " .. check.show(value)
end

local QUEUE_FIELDS = {
    { name = "name", read = read_name, required = "a text" },
    { name = "weight", low = 1, high = WEIGHT_MOST, default = 1 },
    { name = "guaranteed", low = 0, high = 1000, default = 0 },
    { name = "maximum", low = 1, high = 1000, default = 1000 },
}

local QUEUES_FORM =
    "must be an array of { name, weight, guaranteed, maximum }, or text such as "
    .. "prod:3:700:1000+dev:1:300 (name:weight:guaranteed:maximum), got "

local function queue_of_text(piece)
    local parts = split(piece, ":")
    if not parts or #parts > 4 then return nil end
    return { name = parts[1], weight = parts[2], guaranteed = parts[3], maximum = parts[4] }
end

-- Returns what is wrong with queues that are right one by one; it may begin with a place.
local function queues_fault(queues)
    local seen, sum = {}, 0
    for i, queue in ipairs(queues) do
        if seen[queue.name] then
            return string.format("[%d].name: names %s again", i, check.show(queue.name))
        end
        if queue.maximum < queue.guaranteed then
            return string.format("[%d].maximum: must be >= guaranteed (%d), got %d", i,
                queue.guaranteed, queue.maximum)
        end
        seen[queue.name], sum = true, sum + queue.guaranteed
    end
    if sum > 1000 then
        return string.format("must guarantee at most 1000 permille together, got %d", sum)
    end
end

---Reads queues: an array, or text such as "prod:3:700:1000+dev".
---@param value any
---@param json boolean|nil as for M.read_resources
---@return pinion.DagQueue[]|nil queues, string|nil reason
function M.read_queues(value, json)
    local list, lua = list_of(value, json, queue_of_text)
    if not list then return nil, QUEUES_FORM .. check.show(value) end
    if #list < 1 or #list > QUEUES_MOST then
        return nil, string.format("must be 1 to %d queues, got %d", QUEUES_MOST, #list)
    end
    local queues, why = entries.read(list, QUEUE_FIELDS, "name", not lua)
    why = why or queues_fault(queues)
    if why then return nil, why end
    return queues
end

---Writes queues as text has them.
---@param value any
---@return string|nil text, string|nil reason
function M.queues_text(value)
    local queues, why = M.read_queues(value)
    if not queues then return nil, why end
    local pieces = {}
    for i, queue in ipairs(queues) do
        pieces[i] = string.format("%s:%d:%d:%d", queue.name, queue.weight, queue.guaranteed,
            queue.maximum)
    end
    return table.concat(pieces, "+")
end

---Returns the queues where nobody says which: those of the jobs, with equal shares.
---@param names string[]
---@return pinion.DagQueue[]
function M.equal_queues(names)
    local queues = {}
    for i, name in ipairs(names) do
        queues[i] = { name = name, weight = 1, guaranteed = 1000 // #names, maximum = 1000 }
    end
    return queues
end

return M
