-- Jobs of the cluster model: numbers of tasks, their times in milliseconds, and lists with one
-- value for each task. What depends on the cluster - nodes that inputs lie on, slots for reduces -
-- is checked against it when a run begins.

local check = require "pinion.base.check"
local cluster_nodes = require "pinion.models.cluster.nodes"
local core = require "pinion.core"
local fields = require "pinion.models.fields"
local job_rows = require "pinion.models.job_rows"
local fault = require "pinion.base.fault"

-- As in the kernel.
local NODES_MOST, REPLICAS_MOST = 1 << 22, 1 << 16
local BLOCKS = { name = "blocks", of = "maps" }

local M = job_rows.add("cluster", { example = "submit,maps,reduces,map_ms,reduce_ms" })

M.make = core.workload_cluster_table

function M.settle(list, place)
    list.place = place
end

function M.binding(settings)
    return { nodes = settings.nodes }
end

-- Reads the nodes on which the input of map k lies.
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
    job_rows.check_list(given, BLOCKS, maps, index, place)
    local blocks = {}
    for k = 1, maps do blocks[k] = read_block(given[k], k, index, place) end
    return blocks
end

---Reads the nodes of the maps' inputs.
---@param record table what the rows say of the job
---@param job table
---@param index integer
---@param place pinion.Place
function M.own(record, job, index, place)
    if not record.map_ms and not record.map_times then
        place.fail(index, "map_ms", "is required (the time of a map task in ms), or map_times")
    end
    if job.blocks ~= nil then record.blocks = read_blocks(job.blocks, record.maps, index, place) end
end

-- ---- jobs against a cluster ---------------------------------------------------------------------

local function check_job(job, index, count, reduce_slots, place)
    if (job.reduces or 0) > 0 and reduce_slots == 0 then
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

-- Raises at the first job of the list, in its order, that these nodes do not suit.
local function check_list(list, sums)
    local order = {}
    for id, index in ipairs(list.order or {}) do order[index] = id end
    for index = 1, #list.jobs do
        check_job(list.jobs[order[index] or index], index, sums.nodes, sums.reduce_slots,
            list.place)
    end
end

-- Checks whether the nodes have what the jobs need: a list says which does not fit, of others it is
-- enough to know that one does not.
function M.fits(work, source, binding)
    if not binding.nodes then return end
    local wanted, reduces = source:needs()
    local sums = cluster_nodes.sums(binding.nodes)
    if wanted <= sums.nodes and (sums.reduce_slots > 0 or not reduces) then return end
    if work.list then check_list(work.list, sums) end
    if wanted > sums.nodes then
        fault.usage("workload %s: the inputs of its maps lie on %d nodes, the cluster has %d "
            .. "(blocks=drawn places them anew)",
            check.show(work.text), wanted, sums.nodes)
    end
    fault.usage("workload %s: its jobs have reduces, the cluster has no reduce slot",
        check.show(work.text))
end

-- ---- jobs against a policy ----------------------------------------------------------------------

-- Raises a fault at the first job without a deadline.
local function require_deadlines(settings, policy, opened)
    if opened.without_deadline == nil then
        opened.without_deadline = core.cluster_without_deadline { workload = opened.core } or false
    end
    local id, list, name = opened.without_deadline, settings.workload.list, policy.label
        or policy.name
    if not id then return end
    if list then
        list.place.fail(list.order and list.order[id] or id, "deadline",
            string.format("policy %s needs one (ms after submit)", name))
    end
    fault.usage("workload %s: job %d has no deadline, and policy %s needs one (such as "
        .. "deadline_factor=uniform(1.5,4) or deadline_ms=600000)",
        check.show(settings.workload.text), id, name)
end

-- Checks what the jobs must have for a policy, before it runs.
function M.check(settings, policy, opened)
    if policy.deadlines then require_deadlines(settings, policy, opened) end
end

-- Raises a fault for what the core says of a job, where its place is known. A policy may say only
-- when it begins what it needs.
function M.explain(settings, policy, opened, message)
    if message:find "^job %d+ has no deadline" then require_deadlines(settings, policy, opened) end
end

-- Returns whether a run draws anything, so that replicas of fixed jobs differ.
function M.draws(settings)
    local params = settings.params or {}
    local function number(name, missing) return math.tointeger(params[name]) or missing end
    if number("factor_lo", 1000) < number("factor_hi", 1000)
            or number("attempt_fail_permille", 0) > 0 then
        return true
    end
    if number("replication", 3) >= cluster_nodes.sums(settings.nodes).nodes then return false end
    local list = settings.workload.list
    for _, job in ipairs(list and list.jobs or {}) do
        if job.blocks == nil then return true end
    end
    return list == nil
end

-- ---- load ---------------------------------------------------------------------------------------

-- Returns the ms that the kind of slots with more work is busy, and those of the submissions.
function M.offered(totals, binding)
    if not binding.nodes then return nil, "the nodes of a cluster" end
    local sums = cluster_nodes.sums(binding.nodes)
    local busy = totals.map_work.sum / sums.map_slots
    local reduce_work = totals.reduce_work.sum + totals.shuffle_work
    if sums.reduce_slots > 0 then busy = math.max(busy, reduce_work / sums.reduce_slots) end
    return { busy = busy, first = totals.first_submit, last = totals.last_submit, more = 0 }
end

-- ---- description --------------------------------------------------------------------------------

-- Describes the share of the slots that the work takes in the time of the submissions, where the
-- cluster is known.
function M.describe(totals, opened, base)
    local span = totals.jobs > 0 and totals.last_submit - totals.first_submit or 0
    local sums = base.nodes and cluster_nodes.sums(base.nodes) or {}
    local function load(work, slots)
        return slots and slots > 0 and span > 0 and work / (slots * span) or nil
    end
    local function whole(count) return math.tointeger(count) or count end
    local lines = {
        { "jobs", totals.jobs, "jobs" }, { "map_only", totals.map_only, "map-only jobs" },
        { "all_map_tasks", whole(totals.map_tasks.sum), "map tasks of all jobs" },
        { "all_reduce_tasks", whole(totals.reduce_tasks.sum), "reduce tasks of all jobs" },
        { "first_submit", totals.first_submit, "first submission, ms" },
        { "last_submit", totals.last_submit, "last submission, ms" },
        { "span", span, "span in ms" }, { "deadlines", totals.deadlines, "jobs with a deadline" },
        { "placed", totals.placed, "jobs that list their inputs' nodes" },
        { "shuffle_work", totals.shuffle_work, "shuffle time, ms" },
        { "nodes", sums.nodes, cluster_nodes.is_default(base.nodes) and "nodes by default"
            or "nodes" },
        { "map_slots", sums.map_slots, "map slots" },
        { "reduce_slots", sums.reduce_slots, "reduce slots" },
        { "map_load", load(totals.map_work.sum, sums.map_slots), "load of the map slots", 3 },
        { "reduce_load", load(totals.reduce_work.sum + totals.shuffle_work, sums.reduce_slots),
            "load of the reduce slots", 3 },
        { "groups", fields.named(opened.groups), "groups" },
        { "map_tasks", totals.map_tasks, "map tasks" },
        { "map_work", totals.map_work, "map work, ms" },
        { "longest_map", totals.longest_map, "longest map, ms" },
        { "reduce_tasks", totals.reduce_tasks, "reduce tasks" },
        { "reduce_work", totals.reduce_work, "reduce work, ms" },
        { "longest_reduce", totals.longest_reduce, "longest reduce, ms" },
    }
    if totals.deadlines > 0 then
        lines[#lines + 1] = { "deadline", totals.deadline, "deadline, ms" }
    end
    return lines
end

return M
