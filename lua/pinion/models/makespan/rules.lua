-- Parameters of the makespan model itself, which every policy of it takes beside its own: the rules
-- of a run, and what is given to the policies that ask for it.

local check = require "pinion.base.check"
local json = require "pinion.base.json"
local orders = require "pinion.base.orders"
local quantity = require "pinion.base.quantity"
local rows = require "pinion.models.rows"

local SLOTS_MOST = rows.setting("makespan", "map_slots").high

local POOL_FORM =
    "must be an array of pools { nodes, jobs }, or text such as 2:1,3;1:2 "
    .. "(nodes:ids;nodes:ids), got "

-- Splits "2:1,3;1:2" as { { nodes = "2", jobs = { "1", "3" } }, … }; nil when it is not of that
-- form.
local function split_pools(value)
    local pools = {}
    for piece in (value .. ";"):gmatch("([^;]*);") do
        local nodes, list = piece:match("^%s*(%d+)%s*:%s*([%d,%s]*)$")
        if not nodes then return nil end
        local jobs = {}
        for id in list:gmatch("%d+") do jobs[#jobs + 1] = id end
        pools[#pools + 1] = { nodes = nodes, jobs = jobs }
    end
    return pools
end

-- Reads a pool. A reason begins with the rest of its path.
local function read_pool(value, seen)
    if not check.is_object(value, true) then
        return nil, ": must be an object with nodes and jobs, got " .. check.show(value)
    end
    local key, unknown = check.unknown_key(value, { nodes = true, jobs = true })
    if key ~= nil then return nil, string.format(".%s: %s", key, unknown) end
    local nodes, why = quantity.integer(value.nodes, 1, SLOTS_MOST)
    if not nodes then return nil, ".nodes: " .. why end
    local jobs
    if type(value.jobs) == "table" and #value.jobs == 0 and next(value.jobs) == nil then
        jobs = {}
    else
        jobs, why = orders.read(value.jobs)
        if not jobs then return nil, (why:find("^%[") and ".jobs" or ".jobs: ") .. why end
    end
    for _, id in ipairs(jobs) do
        if seen[id] then return nil, string.format(".jobs: job %d is in another pool too", id) end
        seen[id] = true
    end
    return { nodes = nodes, jobs = jobs }
end

---Reads pools: an array of { nodes = 2, jobs = { 1, 3 } }, or text such as "2:1,3;1:2".
---@param value any
---@return { nodes: integer, jobs: integer[] }[]|nil pools, string|nil reason
local function read_pools(value)
    local list = type(value) == "string" and split_pools(value) or value
    if type(list) == "table" and next(list) == nil then
        return nil, "is empty (expected pools { nodes, jobs })"
    end
    if type(list) ~= "table" or not check.is_array(list, true) or #list == 0 then
        return nil, POOL_FORM .. check.show(value)
    end
    local pools, seen = {}, {}
    for i, entry in ipairs(list) do
        local pool, why = read_pool(entry, seen)
        if not pool then return nil, string.format("[%d]%s", i, why) end
        pools[i] = pool
    end
    return pools
end

---Writes a pool as JSON has it.
---@param pool { nodes: integer, jobs: integer[], map_slots: integer|nil, reduce_slots: integer|nil }
local function encode_pool(pool)
    local fields = { { "nodes", pool.nodes } }
    if pool.map_slots then
        fields[2], fields[3] = { "map_slots", pool.map_slots },
            { "reduce_slots", pool.reduce_slots }
    end
    fields[#fields + 1] = { "jobs", json.list(table.move(pool.jobs, 1, #pool.jobs, 1, {})) }
    return json.object(fields)
end

-- Whose default is the policy's own.
local OWN = { stage_time = true, share = true, cap = true, task_order = true }

-- Rules that mean nothing to a policy of the kernel, as it says itself which task starts when.
local WITHOUT = { exact = { stage_time = true, share = true, cap = true, task_order = true } }

-- Those of the kernel, and what a plan is made from.
local PARAMS = rows.rules "makespan"
table.move({
    { name = "order", list = true, path = true, read = orders.read, form = "job ids",
        absent = "none", source = "MK32",
      doc = "order of the jobs for given_order and policies that read it" },
    { name = "pools", path = true, read = read_pools, encode = encode_pool, form = "nodes:ids;...",
        absent = "none", source = "MK25",
      doc = "pools for fixed_pools and policies that read them" },
    { name = "search_ratio", value = false, choices = { false, true }, source = "MK29",
        doc = "try every split of total_slots into map and reduce slots" },
    { name = "total_slots", low = 2, high = 2 * SLOTS_MOST, absent = "as given", source = "MK29",
        doc = "slots that search_ratio splits" },
}, 1, 4, #PARAMS + 1, PARAMS)

return { params = PARAMS, own = OWN, without = WITHOUT, encode_pool = encode_pool }
