-- Results and comparisons as aligned text, JSON and csv.

local csv = require "pinion.csv"
local core = require "pinion.core"
local json = require "pinion.json"
local text = require "pinion.text"

local M = {}

local function mode_text(it)
    return string.format("%s, %s reduces, %s", text.count(it.machines, "machine"), it.reduce, it.workload)
end

-- ---- one result ----------------------------------------------------------------------------------------

local function flow_time_object(flow_time)
    local fields = {}
    for i, name in ipairs { "mean", "sd", "min", "max", "p50", "p90", "p99" } do fields[i] = { name, flow_time[name] } end
    return json.object(fields)
end

local function group_object(group)
    return json.object {
        { "group", group.group }, { "finished", group.finished }, { "flow_time", flow_time_object(group.flow_time) },
    }
end

-- The usual row has no name and no group and has finished: one format call.
local function row_writer(result)
    local rows, jobs = result.rows, result.jobs
    local plain = '{"id": %d, "arrival": %d, "map_finish": %d, "finish": %d, "flow_time": %d}'
    local simple = not result.named and not result.groups
    return function(id)
        local arrival, map_finish, finish, flow_time = rows:unpack(id)
        if simple and map_finish and finish then
            return string.format(plain, id, arrival, map_finish, finish, flow_time)
        end
        local job = jobs[id]
        local fields = {
            { "id", id }, { "arrival", arrival }, { "map_finish", map_finish }, { "finish", finish }, { "flow_time", flow_time },
        }
        if job.name then fields[#fields + 1] = { "name", job.name } end
        if job.group then fields[#fields + 1] = { "group", job.group } end
        return json.encode(json.object(fields))
    end
end

---Fields of a result: those every result has, in the order of the scenario files' page, then the extras.
---@param result pinion.Result
---@param with_jobs boolean
---@return any[][]
function M.result_fields(result, with_jobs)
    local fields = {}
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("model", result.model)
    add("policy", result.policy)
    add("machines", result.machines)
    add("reduce", result.reduce)
    if with_jobs and result.rows then add("jobs", json.rows(#result.rows, row_writer(result))) end
    add("total_flow_time", result.total_flow_time)
    add("mean_flow_time", result.mean_flow_time)
    add("lower_bound", result.lower_bound)
    add("efficiency_ratio", result.efficiency_ratio)
    if result.bounds == "tight" then
        add("lower_bound_tight", result.lower_bound_tight)
        add("efficiency_ratio_tight", result.efficiency_ratio_tight)
    end
    add("slots", result.slots)
    add("digest", result.digest)
    add("pinion", result.pinion)
    add("seed", result.seed)
    add("submitted", result.submitted)
    add("finished", result.finished)
    add("complete", result.complete)
    if result.interrupted then add("interrupted", true) end
    if result.relaxed then add("relaxed", true) end
    add("flow_time", flow_time_object(result.flow_time))
    if result.groups then
        add("groups", json.rows(#result.groups, function(i) return json.encode(group_object(result.groups[i])) end))
    end
    add("decisions", result.decisions)
    add("slots_run", result.slots_run)
    add("units_run", result.units_run)
    add("peak_jobs", result.peak_jobs)
    return fields
end

---@param result pinion.Result
---@param write fun(text: string)
---@param with_jobs boolean
function M.result_json(result, write, with_jobs)
    json.write(M.result_fields(result, with_jobs), write)
    write("\n")
end

local function groups_text(groups)
    local rows = {}
    for i, group in ipairs(groups) do
        local f = group.flow_time
        rows[i] = { group.group == nil and "(none)" or tostring(group.group), text.amount(group.finished),
                    text.number(f.mean), text.amount(f.p50), text.amount(f.p90), text.amount(f.p99), text.amount(f.max) }
    end
    return text.table({
        { "group" }, { "jobs", right = true }, { "mean flow", right = true }, { "p50", right = true }, { "p90", right = true },
        { "p99", right = true }, { "max", right = true },
    }, rows)
end

---Rows of the jobs as aligned text.
---@param result pinion.Result
---@return string
function M.jobs_text(result)
    local rows = {}
    for id = 1, #result.jobs do
        local job = result.jobs[id]
        rows[id] = { text.amount(id), text.amount(job.arrival), text.amount(job.map_finish), text.amount(job.finish),
                     text.amount(job.flow_time), job.name or "", job.group and tostring(job.group) or "" }
    end
    return text.table({
        { "job", right = true }, { "arrival", right = true }, { "map_finish", right = true }, { "finish", right = true },
        { "flow_time", right = true }, { result.named and "name" or "" }, { result.groups and "group" or "" },
    }, rows)
end

---@param result pinion.Result
---@return string
function M.result_text(result)
    local f, entries = result.flow_time, {}
    local function add(label, ...) entries[#entries + 1] = { label, string.format(...) } end
    add("jobs finished", "%d of %d", result.finished, result.expected)
    add("mean flow time", "%s slots (sd %s)", text.number(result.mean_flow_time), text.number(f.sd))
    add("flow time", "p50 %s, p90 %s, p99 %s, max %s", text.amount(f.p50), text.amount(f.p90), text.amount(f.p99), text.amount(f.max))
    if result.efficiency_ratio then
        add("efficiency ratio", "%s (total %d over the lower bound %d)", text.number(result.efficiency_ratio, 3),
            result.total_flow_time, result.lower_bound)
    end
    if result.efficiency_ratio_tight then
        add("over the tight bound", "%s (%d)", text.number(result.efficiency_ratio_tight, 3), result.lower_bound_tight)
    end
    add("slots", "%d", result.slots)
    add("digest", "%s", result.digest)
    add("seed", "%d", result.seed)
    local lines = string.format("%s on %s\n%s", result.policy, mode_text(result), text.list(entries))
    if result.relaxed then lines = lines .. "a relaxation: this is a lower bound, not a schedule that can be run\n" end
    if result.groups then lines = lines .. "\n" .. groups_text(result.groups) end
    return lines
end

local RESULT_COLUMNS = { "policy", "submitted", "finished", "mean_flow_time", "p50", "p90", "p99", "max", "total_flow_time",
                         "lower_bound", "efficiency_ratio", "lower_bound_tight", "efficiency_ratio_tight", "slots", "digest" }

local function csv_value(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    return csv.quote(value)
end

local function csv_line(columns, values, write)
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = csv_value(values[column]) end
    write(table.concat(cells, ",") .. "\n")
end

local function result_line(result, write)
    csv_line(RESULT_COLUMNS, setmetatable({}, { __index = function(_, name)
        local value = result[name]
        if value == nil then value = result.flow_time[name] end
        return value
    end }), write)
end

---One row per result, with a header.
---@param results pinion.Result[]
function M.results_csv(results, write)
    write(table.concat(RESULT_COLUMNS, ",") .. "\n")
    for _, result in ipairs(results) do result_line(result, write) end
end

---One row per job of each result, with a header.
---@param results pinion.Result[]
function M.jobs_csv(results, write)
    local columns = { "policy", "id", "arrival", "map_finish", "finish", "flow_time" }
    if results[1].named then columns[#columns + 1] = "name" end
    if results[1].groups then columns[#columns + 1] = "group" end
    write(table.concat(columns, ",") .. "\n")
    for _, result in ipairs(results) do
        for id = 1, #result.jobs do
            local job = result.jobs[id]
            job.policy = result.policy
            csv_line(columns, job, write)
        end
    end
end

-- ---- a comparison --------------------------------------------------------------------------------------

local function with_half(value, half, decimals)
    if value == nil then return "-" end
    return text.number(value, decimals) .. (half and " ±" .. text.number(half, decimals) or "")
end

local function closing_line(comparison)
    local parts = {}
    if comparison.lower_bound then parts[#parts + 1] = string.format("lower bound %d", comparison.lower_bound) end
    if comparison.lower_bound_tight then parts[#parts + 1] = string.format("tight bound %d", comparison.lower_bound_tight) end
    if comparison.replicas > 1 then
        parts[#parts + 1] = string.format("%d replicas (mean ± half width of the 95 %% interval)", comparison.replicas)
    else
        parts[#parts + 1] = text.count(comparison.submitted, "job")
    end
    parts[#parts + 1] = string.format("seed %d", comparison.seed)
    return table.concat(parts, ", ") .. "\n"
end

---@param comparison pinion.Comparison
---@return string
function M.comparison_text(comparison)
    local columns = { { "policy" } }
    for _, title in ipairs { "mean flow", "p50", "p90", "p99", "max" } do columns[#columns + 1] = { title, right = true } end
    if comparison.bounds ~= "none" then columns[#columns + 1] = { "ratio", right = true } end
    if comparison.bounds == "tight" then columns[#columns + 1] = { "tight ratio", right = true } end
    local rows = {}
    for i, row in ipairs(comparison.rows) do
        rows[i] = {
            row.policy .. (row.relaxed and " (relaxed)" or ""), with_half(row.mean_flow_time, row.mean_flow_time_half, 2),
            text.amount(row.p50), text.amount(row.p90), text.amount(row.p99), text.amount(row.max),
            with_half(row.efficiency_ratio, row.efficiency_ratio_half, 3),
            with_half(row.efficiency_ratio_tight, row.efficiency_ratio_tight_half, 3),
        }
    end
    return mode_text(comparison) .. "\n\n" .. text.table(columns, rows) .. "\n" .. closing_line(comparison)
end

local REPLICA_COLUMNS = { "policy", "replicas", "finished", "mean_flow_time", "mean_flow_time_half", "p50", "p90", "p99", "max",
                          "efficiency_ratio", "efficiency_ratio_half", "efficiency_ratio_tight", "efficiency_ratio_tight_half" }

---@param comparison pinion.Comparison
---@return pinion.Result[]
function M.results_of(comparison)
    local results = {}
    for i, row in ipairs(comparison.rows) do results[i] = row.result end
    return results
end

---One row per policy, with a header.
---@param comparison pinion.Comparison
---@param write fun(text: string)
function M.comparison_csv(comparison, write)
    if comparison.replicas == 1 then
        M.results_csv(M.results_of(comparison), write)
        return
    end
    write(table.concat(REPLICA_COLUMNS, ",") .. "\n")
    for _, row in ipairs(comparison.rows) do
        csv_line(REPLICA_COLUMNS, setmetatable({ replicas = comparison.replicas }, { __index = row }), write)
    end
end

---@param comparison pinion.Comparison of one replica
---@param write fun(text: string)
---@param with_jobs boolean
function M.comparison_json(comparison, write, with_jobs)
    local results = M.results_of(comparison)
    local function write_results(out, indent)
        out("[")
        for i, result in ipairs(results) do
            out((i == 1 and "\n    " or ",\n    ") .. indent)
            json.write(M.result_fields(result, with_jobs), out, indent .. "    ")
        end
        out("\n" .. indent .. "  ]")
    end
    json.write({
        { "model", comparison.model }, { "machines", comparison.machines }, { "reduce", comparison.reduce },
        { "results", write_results }, { "lower_bound", comparison.lower_bound }, { "pinion", core.version },
        { "seed", comparison.seed }, { "submitted", comparison.submitted },
    }, write)
    write("\n")
end

return M
