-- Results, comparisons and sweeps as aligned text, JSON and csv.

local csv = require "pinion.csv"
local core = require "pinion.core"
local growth = require "pinion.growth"
local json = require "pinion.json"
local text = require "pinion.text"

local M = {}

-- Columns of a screen.
local WIDTH = 120

-- A policy may be a file far away.
local LABEL_MOST = 36

local function warmup_text(warmup)
    return warmup.jobs and text.count(warmup.jobs, "job") or text.count(warmup.slots, "slot")
end

local function mode_text(it)
    local parts = {}
    if it.machines then parts[1] = text.count(it.machines, "machine") end
    if it.reduce then parts[#parts + 1] = it.reduce .. " reduces" end
    parts[#parts + 1] = it.workload
    if it.error then parts[#parts + 1] = "error " .. it.error end
    if it.warmup then parts[#parts + 1] = "warm-up " .. warmup_text(it.warmup) end
    return table.concat(parts, ", ")
end

local function warmup_object(warmup)
    return warmup and json.object { { warmup.jobs and "jobs" or "slots", warmup.jobs or warmup.slots } }
end

local function label(row)
    return text.shorten(row.policy, LABEL_MOST) .. (row.relaxed and " (relaxed)" or "")
end

-- ---- one result ----------------------------------------------------------------------------------------

local function flow_time_object(flow_time)
    local fields = {}
    for i, name in ipairs { "mean", "sd", "min", "max", "p50", "p90", "p99", "p999" } do fields[i] = { name, flow_time[name] } end
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
    add("measured", result.measured)
    if result.warmup then add("warmup", warmup_object(result.warmup)) end
    if result.error then add("error", result.error) end
    if result.batches then
        local b = result.batches
        add("batches", json.object { { "size", b.size }, { "count", b.count }, { "mean", b.mean }, { "half", b.half } })
    end
    add("number_in_system", json.list(table.move(result.number_in_system, 1, #result.number_in_system, 1, {})))
    add("growing", result.growing)
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
                    text.number(f.mean), text.amount(f.p50), text.amount(f.p90), text.amount(f.p99), text.amount(f.p999),
                    text.amount(f.max) }
    end
    return text.table({
        { "group" }, { "jobs", right = true }, { "mean flow", right = true }, { "p50", right = true }, { "p90", right = true },
        { "p99", right = true }, { "p999", right = true }, { "max", right = true },
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
    if result.warmup then
        add("jobs measured", "%d (flow times are theirs; totals and ratios are of all jobs)", result.measured)
    end
    add("mean flow time", "%s slots (sd %s)", text.number(result.mean_flow_time), text.number(f.sd))
    add("flow time", "p50 %s, p90 %s, p99 %s, p999 %s, max %s", text.amount(f.p50), text.amount(f.p90), text.amount(f.p99),
        text.amount(f.p999), text.amount(f.max))
    if result.batches and result.batches.half then
        add("95 % interval", "%s ± %s for the mean, from %d whole batches of %s", text.number(result.mean_flow_time),
            text.number(result.batches.half), result.batches.count, text.count(result.batches.size, "job"))
    end
    if result.efficiency_ratio then
        add("efficiency ratio", "%s (total %d over the lower bound %d)", text.number(result.efficiency_ratio, 3),
            result.total_flow_time, result.lower_bound)
    end
    if result.efficiency_ratio_tight then
        add("over the tight bound", "%s (%d)", text.number(result.efficiency_ratio_tight, 3), result.lower_bound_tight)
    end
    add("last finish", "slot %d", result.slots)
    add("digest", "%s", result.digest)
    add("seed", "%d", result.seed)
    local lines = string.format("%s on %s\n%s", result.policy, mode_text(result), text.list(entries))
    if result.relaxed then lines = lines .. "a relaxation: this is a lower bound, not a schedule that can be run\n" end
    if result.growing then lines = lines .. "warning: " .. growth.describe(result.quarters) .. "\n" end
    if result.groups then lines = lines .. "\n" .. groups_text(result.groups) end
    return lines
end

local RESULT_COLUMNS = { "policy", "submitted", "finished", "mean_flow_time", "p50", "p90", "p99", "p999", "max",
                         "total_flow_time", "lower_bound", "efficiency_ratio", "lower_bound_tight", "efficiency_ratio_tight", "slots",
                         "digest", "measured", "growing" }

local function csv_value(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    if type(value) == "boolean" then return tostring(value) end
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

-- Large numbers need no fraction.
local function amount(value, decimals)
    if value and math.abs(value) >= 10000 then decimals = 0 end
    return text.number(value, decimals)
end

local function with_half(value, half, decimals)
    if value == nil then return "-" end
    return amount(value, decimals) .. (half and " ±" .. amount(half, decimals) or "")
end

local function signed(value, half)
    if value == nil then return "-" end
    local written = with_half(value, half, 2):gsub("^%-(0%.?0*)%f[^%d.]", "%1")
    return (value > 0 and "+" or "") .. written
end

local function closing_line(comparison)
    local parts = {}
    if comparison.lower_bound then parts[#parts + 1] = string.format("lower bound %d", comparison.lower_bound) end
    if comparison.lower_bound_tight then parts[#parts + 1] = string.format("tight bound %d", comparison.lower_bound_tight) end
    if comparison.replicas > 1 then
        local made = comparison.completed == comparison.replicas and "" or string.format("%d of ", comparison.completed)
        parts[#parts + 1] = string.format("%s%d replicas (mean ± half width of the 95 %% interval)", made, comparison.replicas)
    elseif comparison.submitted then
        parts[#parts + 1] = text.count(comparison.submitted, "job")
    end
    parts[#parts + 1] = string.format("seed %d", comparison.seed)
    return table.concat(parts, ", ") .. "\n"
end

-- What the titles of the columns mean, as far as they do not say it themselves.
local function legend(comparison, columns)
    local shown, parts = {}, { "flow times in slots" }
    for _, column in ipairs(columns) do shown[column[1]] = true end
    local function add(title, meaning) if shown[title] then parts[#parts + 1] = meaning end end
    if comparison.replicas > 1 then parts[1] = parts[1] .. ", percentiles over the jobs of all replicas" end
    add("sd", "sd: between replicas")
    add("ratio", "ratio: total flow time over the lower bound" .. (comparison.warmup and ", of all jobs" or ""))
    add("wins", "wins: replicas below " .. text.shorten(comparison.baseline, 20))
    local lines = { parts[1] }
    for i = 2, #parts do
        local longer = lines[#lines] .. "; " .. parts[i]
        if utf8.len(longer) <= WIDTH then lines[#lines] = longer else lines[#lines + 1] = parts[i] end
    end
    return table.concat(lines, "\n") .. "\n"
end

-- What a table has of every row: title, and the text of a row's cell.
local function comparison_columns(comparison)
    local columns = { { "policy", label, left = true } }
    local function add(title, cell) columns[#columns + 1] = { title, cell } end
    add("mean flow", function(row) return with_half(row.mean_flow_time, row.mean_flow_time_half, 2) end)
    if comparison.replicas > 1 then add("sd", function(row) return amount(row.mean_flow_time_sd, 2) end) end
    for _, name in ipairs { "p50", "p90", "p99", "p999", "max" } do
        add(name, function(row) return text.amount(row[name]) end)
    end
    if comparison.bounds ~= "none" then
        add("ratio", function(row) return with_half(row.efficiency_ratio, row.efficiency_ratio_half, 3) end)
    end
    if comparison.bounds == "tight" then
        add("tight ratio", function(row) return with_half(row.efficiency_ratio_tight, row.efficiency_ratio_tight_half, 3) end)
    end
    if #comparison.rows > 1 then
        local baseline = text.shorten(comparison.baseline, 20)
        add("vs " .. baseline, function(row) return signed(row.difference, row.difference_half) end)
        add("/ " .. baseline, function(row) return text.number(row.relative, 3) end)
        if comparison.replicas > 1 then add("wins", function(row) return text.amount(row.wins) end) end
    end
    return columns
end

local function columns_text(columns, rows)
    local titles, cells = {}, {}
    for c, column in ipairs(columns) do titles[c] = { column[1], right = not column.left } end
    for i, row in ipairs(rows) do
        cells[i] = {}
        for c, column in ipairs(columns) do cells[i][c] = column[2](row) end
    end
    return text.tables(titles, cells, WIDTH)
end

local function groups_columns()
    local columns = { { "policy, group", function(entry) return entry.name end, left = true } }
    local function add(title, cell) columns[#columns + 1] = { title, cell } end
    add("jobs", function(entry) return text.amount(entry.finished) end)
    add("mean flow", function(entry) return with_half(entry.flow_time.mean, entry.flow_time.mean_half, 2) end)
    for _, name in ipairs { "p50", "p90", "p99", "p999", "max" } do
        add(name, function(entry) return text.amount(entry.flow_time[name]) end)
    end
    return columns
end

local function comparison_groups_text(comparison)
    local entries = {}
    for _, row in ipairs(comparison.rows) do
        for _, group in ipairs(row.groups or {}) do
            local name = group.group == nil and "(none)" or tostring(group.group)
            entries[#entries + 1] = {
                name = label(row) .. ", " .. text.shorten(name, LABEL_MOST), finished = group.finished, flow_time = group.flow_time,
            }
        end
    end
    return #entries > 0 and columns_text(groups_columns(), entries) or nil
end

---@param comparison pinion.Comparison
---@param with_groups boolean|nil
---@return string
function M.comparison_text(comparison, with_groups)
    local columns = comparison_columns(comparison)
    local lines = { mode_text(comparison), "\n\n", columns_text(columns, comparison.rows), "\n" }
    for _, row in ipairs(comparison.rows) do
        if comparison.warmup and row.finished > 0 and row.measured == 0 then
            lines[#lines + 1] = string.format("warning: %s: no job is left behind the warm-up\n", label(row))
        end
        if row.growing then lines[#lines + 1] = string.format("warning: %s: %s\n", label(row), growth.describe(row.quarters)) end
    end
    local groups = with_groups and comparison_groups_text(comparison)
    if groups then lines[#lines + 1] = groups .. "\n" end
    lines[#lines + 1] = closing_line(comparison)
    lines[#lines + 1] = legend(comparison, columns)
    return table.concat(lines)
end

local REPLICA_COLUMNS = { "policy", "replicas", "finished", "mean_flow_time", "mean_flow_time_sd", "mean_flow_time_half",
                          "p50", "p90", "p99", "p999", "max", "efficiency_ratio", "efficiency_ratio_sd", "efficiency_ratio_half",
                          "efficiency_ratio_tight", "efficiency_ratio_tight_sd", "efficiency_ratio_tight_half", "baseline",
                          "difference", "difference_half", "relative", "wins", "measured", "growing", "digest" }

---@param comparison pinion.Comparison
---@return pinion.Result[]
function M.results_of(comparison)
    local results = {}
    for i, row in ipairs(comparison.rows) do results[i] = row.result end
    return results
end

-- A row with what it shares with the others.
local function whole_row(comparison, row)
    return setmetatable({ replicas = comparison.completed, baseline = comparison.baseline }, { __index = row })
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
    for _, row in ipairs(comparison.rows) do csv_line(REPLICA_COLUMNS, whole_row(comparison, row), write) end
end

local function copy_list(values)
    return json.list(table.move(values, 1, #values, 1, {}))
end

local function flow_time_of_row(row)
    local fields = {}
    for i, name in ipairs { "p50", "p90", "p99", "p999", "max" } do fields[i] = { name, row[name] } end
    return json.object(fields)
end

local function group_of_row(group)
    local fields = { { "mean", group.flow_time.mean }, { "mean_half", group.flow_time.mean_half } }
    for _, name in ipairs { "p50", "p90", "p99", "p999", "max" } do fields[#fields + 1] = { name, group.flow_time[name] } end
    return json.object { { "group", group.group }, { "finished", group.finished }, { "flow_time", json.object(fields) } }
end

-- Fields of a row over replicas.
local function row_fields(comparison, row, with_samples)
    local fields = { { "policy", row.policy } }
    local function add(name, value) fields[#fields + 1] = { name, value } end
    if row.relaxed then add("relaxed", true) end
    add("finished", row.finished)
    add("measured", row.measured)
    for _, measure in ipairs { "mean_flow_time", "efficiency_ratio", "efficiency_ratio_tight" } do
        if measure ~= "efficiency_ratio_tight" or comparison.bounds == "tight" then
            for _, suffix in ipairs { "", "_sd", "_half" } do add(measure .. suffix, row[measure .. suffix]) end
        end
    end
    add("flow_time", flow_time_of_row(row))
    for _, name in ipairs { "difference", "difference_half", "relative", "wins" } do add(name, row[name]) end
    if row.groups then
        add("groups", json.rows(#row.groups, function(i) return json.encode(group_of_row(row.groups[i])) end))
    end
    add("growing", row.growing)
    if row.quarters then add("quarters", copy_list(row.quarters)) end
    if with_samples then
        local samples = {}
        for i, measure in ipairs { "mean_flow_time", "efficiency_ratio" } do
            samples[i] = { measure, copy_list(row.samples[measure]) }
        end
        add("samples", json.object(samples))
    end
    add("digest", row.digest)
    return fields
end

-- The results of the only replica, each with its place beside the baseline's.
local function single_fields(row, with_jobs)
    local fields = M.result_fields(row.result, with_jobs)
    fields[#fields + 1] = { "difference", row.difference }
    fields[#fields + 1] = { "relative", row.relative }
    return fields
end

---@param comparison pinion.Comparison
---@param write fun(text: string)
---@param with_jobs boolean rows of the only replica's jobs
function M.comparison_json(comparison, write, with_jobs)
    local function write_results(out, indent)
        out("[")
        for i, row in ipairs(comparison.rows) do
            out((i == 1 and "\n    " or ",\n    ") .. indent)
            json.write(row.result and single_fields(row, with_jobs) or row_fields(comparison, row, true), out, indent .. "    ")
        end
        out("\n" .. indent .. "  ]")
    end
    local fields = { { "model", comparison.model }, { "machines", comparison.machines }, { "reduce", comparison.reduce } }
    local function add(name, value) fields[#fields + 1] = { name, value } end
    if comparison.replicas > 1 then
        add("workload", comparison.workload)
        add("replicas", comparison.replicas)
        if comparison.completed < comparison.replicas then add("completed", comparison.completed) end
        if comparison.error then add("error", comparison.error) end
        if comparison.warmup then add("warmup", warmup_object(comparison.warmup)) end
    end
    add("baseline", comparison.baseline)
    add("results", write_results)
    if comparison.replicas == 1 then add("lower_bound", comparison.lower_bound) end
    if comparison.interrupted then add("interrupted", true) end
    add("growing", comparison.growing)
    add("pinion", core.version)
    add("seed", comparison.seed)
    add("submitted", comparison.submitted)
    json.write(fields, write)
    write("\n")
end

-- ---- a sweep -------------------------------------------------------------------------------------------

local function value_text(value)
    return (tostring(value):gsub("%.0$", ""))
end

-- Fewer columns than a comparison has: the values of the cell take the room.
local SWEPT = { ["mean flow"] = true, p99 = true, ratio = true, ["tight ratio"] = true, wins = true }

local function sweep_columns(sweep)
    local columns = {}
    for i, axis in ipairs(sweep.over) do
        columns[i] = { axis.name, function(row) return value_text(row[axis.name]) end, left = type(axis.values[1]) ~= "number" }
    end
    for c, column in ipairs(comparison_columns(sweep)) do
        if c == 1 or SWEPT[column[1]] or column[1]:find("^vs ") or column[1]:find("^/ ") then columns[#columns + 1] = column end
    end
    if sweep.growing then columns[#columns + 1] = { "", function(row) return row.growing and "growing" or "" end, left = true } end
    return columns
end

---@param sweep pinion.Sweep
---@return string
function M.sweep_text(sweep)
    local columns = sweep_columns(sweep)
    local titles, cells = {}, {}
    for c, column in ipairs(columns) do titles[c] = { column[1], right = not column.left } end
    for i, row in ipairs(sweep.rows) do
        cells[i] = {}
        for c, column in ipairs(columns) do cells[i][c] = column[2](row) end
    end
    local lines = { mode_text(sweep.title), "\n\n", text.table(titles, cells), "\n" }
    if sweep.growing then
        lines[#lines + 1] = "growing: " .. growth.MEANING .. "\n"
    end
    lines[#lines + 1] = closing_line(sweep)
    lines[#lines + 1] = legend(sweep, columns)
    return table.concat(lines)
end

local function sweep_fields(sweep)
    local names = {}
    for i, axis in ipairs(sweep.over) do names[i] = axis.name end
    return names
end

---One row per cell and policy, with a header.
---@param sweep pinion.Sweep
---@param write fun(text: string)
function M.sweep_csv(sweep, write)
    local columns = sweep_fields(sweep)
    table.move(REPLICA_COLUMNS, 1, #REPLICA_COLUMNS, #columns + 1, columns)
    local header = {}
    for i, column in ipairs(columns) do header[i] = csv.quote(column) end
    write(table.concat(header, ",") .. "\n")
    for _, row in ipairs(sweep.rows) do csv_line(columns, row, write) end
end

---@param sweep pinion.Sweep
---@param write fun(text: string)
function M.sweep_json(sweep, write)
    local over = {}
    for i, axis in ipairs(sweep.over) do
        over[i] = json.object { { "name", axis.name }, { "values", copy_list(axis.values) } }
    end
    local function write_rows(out, indent)
        out("[")
        for i, row in ipairs(sweep.rows) do
            out((i == 1 and "\n    " or ",\n    ") .. indent)
            local fields = {}
            for k, axis in ipairs(sweep.over) do fields[k] = { axis.name, row[axis.name] } end
            for _, field in ipairs(row_fields(sweep, row, sweep.replicas > 1)) do fields[#fields + 1] = field end
            json.write(fields, out, indent .. "    ")
        end
        out("\n" .. indent .. "  ]")
    end
    local fields = {}
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("model", sweep.model)
    add("workload", sweep.workload)
    add("over", json.list(over))
    add("replicas", sweep.replicas)
    if sweep.completed < sweep.replicas then add("completed", sweep.completed) end
    add("baseline", sweep.baseline)
    add("rows", write_rows)
    if sweep.interrupted then add("interrupted", true) end
    add("growing", sweep.growing)
    add("pinion", core.version)
    add("seed", sweep.seed)
    json.write(fields, write)
    write("\n")
end

return M
