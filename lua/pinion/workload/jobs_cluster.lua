-- Reads jobs of the cluster model: numbers of tasks, their times in milliseconds, and lists with
-- one value for each task. What depends on the cluster - nodes that inputs lie on, slots for
-- reduces - is checked against it when a run begins.

local check = require "pinion.base.check"
local cluster_nodes = require "pinion.models.cluster_nodes"
local core = require "pinion.core"

local math_type = math.type -- asked once per task

local M = {}

-- As in the kernel.
local TASKS_MOST, TIME_MOST, FACTOR_MOST = core.limits.job_tasks, 1 << 40, 1 << 30
local NODES_MOST, REPLICAS_MOST = 1 << 22, 1 << 16

---Fields of a job, without name and group. Those that are lists have one value for each map or
---reduce.
M.columns = { "submit", "maps", "reduces", "map_ms", "remote_ms", "reduce_ms", "shuffle_ms",
    "deadline", "est_map_ms", "est_reduce_ms",
              "input", "intermediate" }
M.lists = { "map_times", "reduce_times", "shuffle_times", "map_factor", "reduce_factor", "blocks" }

-- Numbers that may be missing. What 0 might have meant is said by leaving them out.
local NUMBERS = {
    { name = "map_ms", low = 0, high = TIME_MOST },
    { name = "remote_ms", low = 0, high = TIME_MOST },
    { name = "reduce_ms", low = 0, high = TIME_MOST },
    { name = "shuffle_ms", low = 0, high = TIME_MOST },
    { name = "deadline", low = 1, high = check.INTEGER_MAX, missing = "a job without a deadline" },
    { name = "est_map_ms", low = 1, high = TIME_MOST,
        missing = "an estimate derived from the times" },
    { name = "est_reduce_ms", low = 1, high = TIME_MOST,
        missing = "an estimate derived from the times" },
    { name = "input", low = 1, high = check.INTEGER_MAX, missing = "as much as there are maps" },
    { name = "intermediate", low = 1, high = check.INTEGER_MAX, missing = "as much as the input" },
}
local LISTS = {
    { name = "map_times", of = "maps", low = 0, high = TIME_MOST, instead = "map_ms" },
    { name = "reduce_times", of = "reduces", low = 0, high = TIME_MOST, instead = "reduce_ms" },
    { name = "shuffle_times", of = "reduces", low = 0, high = TIME_MOST, instead = "shuffle_ms" },
    { name = "map_factor", of = "maps", low = 1, high = FACTOR_MOST },
    { name = "reduce_factor", of = "reduces", low = 1, high = FACTOR_MOST },
}

local function integer(job, field, low, high, index, place)
    local value, why = check.integer(job[field], low, high)
    if not value then place.fail(index, field, why) end
    return value
end

local function read_number(job, number, index, place)
    local value, why = check.integer(job[number.name], number.low, number.high)
    if not value and job[number.name] == 0 then
        why = string.format("%s (leave it out for %s)", why, number.missing)
    end
    if not value then place.fail(index, number.name, why) end
    return value
end

-- An array with one value for each of so many tasks.
local function check_length(value, count, field, of, index, place)
    if not check.is_array(value, place.lua) then
        place.fail(index, field, "must be an array, got " .. check.show(value))
    end
    if #value ~= count then
        place.fail(index, field,
            string.format("has %d value%s (expected one for each of the %d %s)", #value,
            #value == 1 and "" or "s",
            count, of))
    end
end

local function read_list(job, list, count, index, place)
    local given, values = job[list.name], {}
    check_length(given, count, list.name, list.of, index, place)
    if list.instead and job[list.instead] ~= nil then
        place.fail(index, list.name,
            string.format("means nothing beside %s (expected one of the two)", list.instead))
    end
    for k = 1, count do
        local value, why = given[k], nil
        if math_type(value) ~= "integer" or value < list.low or value > list.high then
            value, why = check.integer(value, list.low, list.high)
            if not value then place.fail(index, string.format("%s[%d]", list.name, k), why) end
        end
        values[k] = value
    end
    return values
end

-- The nodes on which the input of map k lies.
local function read_block(given, k, index, place)
    local path = string.format("blocks[%d]", k)
    if not check.is_array(given, place.lua) then
        place.fail(index, path, "must be an array of node ids, got " .. check.show(given))
    end
    if #given > REPLICAS_MOST then
        place.fail(index, path, string.format("has more than %d nodes", REPLICAS_MOST))
    end
    local nodes, seen = {}, {}
    for i = 1, #given do
        local node, why = check.integer(given[i], 0, NODES_MOST - 1)
        if not node then place.fail(index, string.format("%s[%d]", path, i), why) end
        if seen[node] then
            place.fail(index, string.format("%s[%d]", path, i),
                string.format("names node %d again", node))
        end
        nodes[i], seen[node] = node, true
    end
    return nodes
end

local function read_blocks(given, maps, index, place)
    check_length(given, maps, "blocks", "maps", index, place)
    local blocks = {}
    for k = 1, maps do blocks[k] = read_block(given[k], k, index, place) end
    return blocks
end

---Reads what a job holds beside name and group.
---@param job table
---@param index integer
---@param place pinion.Place
---@return table
function M.read(job, index, place)
    if job.submit == nil then
        place.fail(index, "submit", "is required (the time of the job's submission in ms, >= 0)")
    end
    if job.maps == nil then
        place.fail(index, "maps", "is required (the number of map tasks, >= 1)")
    end
    local record = {
        submit = integer(job, "submit", 0, check.INTEGER_MAX, index, place),
        maps = integer(job, "maps", 1, TASKS_MOST, index, place),
        reduces = job.reduces ~= nil and integer(job, "reduces", 0, TASKS_MOST, index, place) or 0,
    }
    for _, number in ipairs(NUMBERS) do
        if job[number.name] ~= nil then
            record[number.name] = read_number(job, number, index, place)
        end
    end
    for _, list in ipairs(LISTS) do
        if job[list.name] ~= nil then
            record[list.name] = read_list(job, list, record[list.of], index, place)
        end
    end
    if not record.map_ms and not record.map_times then
        place.fail(index, "map_ms", "is required (the time of a map task in ms), or map_times")
    end
    if job.blocks ~= nil then record.blocks = read_blocks(job.blocks, record.maps, index, place) end
    return record
end

-- ---- jobs against a cluster ---------------------------------------------------------------------

local function check_job(job, index, count, reduce_slots, place)
    if job.reduces > 0 and reduce_slots == 0 then
        place.fail(index, "reduces",
            string.format("must be 0 where the cluster has no reduce slot, got %d", job.reduces))
    end
    for k, nodes in ipairs(job.blocks or {}) do
        for i, node in ipairs(nodes) do
            if node >= count then
                place.fail(index, string.format("blocks[%d][%d]", k, i),
                    string.format("there is no node %d (expected 0..%d, as the cluster has)", node,
                        count - 1))
            end
        end
    end
end

---Whether these nodes have what the jobs need: raises at the first job that they do not suit, in
---the order of the list.
---@param list pinion.JobList
---@param nodes pinion.NodeGroup[]
function M.check(list, nodes)
    local sums = cluster_nodes.sums(nodes)
    local order = {}
    for id, index in ipairs(list.order or {}) do order[index] = id end
    for index = 1, #list.jobs do
        check_job(list.jobs[order[index] or index], index, sums.nodes, sums.reduce_slots,
            list.place)
    end
end

return M
