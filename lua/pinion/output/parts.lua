-- What results, comparisons and sweeps share as text, JSON and csv.

local core = require "pinion.core"
local csv = require "pinion.base.csv"
local json = require "pinion.base.json"
local lazy = require "pinion.base.lazy"
local models = require "pinion.models"
local result_columns = require "pinion.models.columns"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"

local M = {}

-- Columns of a table where nothing says how many there are, and the fewest on a terminal.
local WIDTH, WIDTH_LEAST = 120, 60

---Returns the columns that a table may have: those of the terminal that it is printed on.
---@return integer
function M.width()
    local columns = core.terminal_columns(1)
    return columns and math.max(WIDTH_LEAST, columns) or WIDTH
end

-- A policy may be a file far away.
local LABEL_MOST = 36

-- By the kind of the model's results.
local KINDS = lazy.modules { stream = "pinion.output.stream", batch = "pinion.output.batch" }

---@param it table a result, a comparison or a sweep
---@return pinion.Model
function M.model_of(it)
    return models.of(it)
end

---Returns what differs between results of jobs that come one by one and those of a batch.
---@param model pinion.Model
---@return table output/stream.lua or output/batch.lua
function M.kind_of(model)
    return KINDS[model.results.kind]
end

---Returns the columns that replicas have means of; the first is what comparisons go by.
---@param model pinion.Model
---@return pinion.ResultColumn[]
function M.measures(model)
    local found = {}
    for _, column in ipairs(model.results.columns) do
        if column.measure then found[#found + 1] = column end
    end
    return found
end

---Returns what a row has a number of, by its name: what the axis of a figure says.
---@param model pinion.Model
---@return table<string, string>
function M.labels(model)
    local labels = {}
    for name, label in next, model.words.labels do labels[name] = label end
    for _, column in ipairs(model.results.columns) do labels[column.name] = column.label end
    return labels
end

---Returns whether there is a column: some only where a result or row has it.
---@param column pinion.ResultColumn
---@param rows table[]
---@return boolean
function M.is_present(column, rows)
    if not result_columns.shows(column, "if present") then return true end
    for _, row in ipairs(rows) do
        if row[column.name] ~= nil then return true end
    end
    return false
end

---Returns whether csv files of results have the column.
---@param column pinion.ResultColumn
---@return boolean
function M.is_in_csv(column)
    return not (result_columns.shows(column, "not in csv")
        or result_columns.shows(column, "at the end"))
end

---Returns the names of columns without those that no row has, and without what stands beside these.
---@param model pinion.Model
---@param names string[]
---@param rows table[]
---@return string[]
function M.present(model, names, rows)
    local absent, left = {}, {}
    for _, column in ipairs(model.results.columns) do
        if not M.is_present(column, rows) then
            for _, suffix in ipairs { "", "_sd", "_half" } do
                absent[column.name .. suffix] = true
            end
        end
    end
    for _, name in ipairs(names) do
        if not absent[name] then left[#left + 1] = name end
    end
    return left
end

---Returns the ratio to the lower bound; nil in models without bounds.
---@param model pinion.Model
---@return pinion.ResultColumn|nil
function M.ratio_of(model, bound)
    for _, column in ipairs(model.results.columns) do
        if result_columns.kind(column).ratio == bound then return column end
    end
end

---@param values any[] of an axis
---@return boolean
function M.are_numbers(values)
    for _, value in ipairs(values) do
        if type(value) ~= "number" then return false end
    end
    return true
end

---@param values any[] of an axis
---@return string[]
function M.written(values)
    local names = {}
    for i, value in ipairs(values) do names[i] = tostring(value) end
    return names
end

-- ---- text ---------------------------------------------------------------------------------------

local function warmup_text(warmup)
    local unit, amount = next(warmup)
    if unit == "auto" then return "auto" end
    if unit == "time" then return "time " .. text.real(amount) end
    if unit == "ms" then return amount .. " ms" end
    return text.count(amount, (unit:gsub("s$", "")))
end

---Returns the settings, the workload, and what is done to it.
---@param it table
---@return string
function M.mode_text(it)
    local parts = M.model_of(it).words.title(it)
    parts[#parts + 1] = it.workload
    if it.error then parts[#parts + 1] = "error " .. it.error end
    if it.warmup then parts[#parts + 1] = "warm-up " .. warmup_text(it.warmup) end
    return table.concat(parts, ", ")
end

---@param name string
---@return string
function M.shorten(name)
    return text.shorten(name, LABEL_MOST)
end

---@param row pinion.ComparisonRow
---@return string its policy, whole
function M.full_label(row)
    return row.policy .. (row.relaxed and " (relaxed)" or "")
end

---@param row pinion.ComparisonRow
---@return string its policy, as short as tables have it
function M.label(row)
    return M.shorten(row.policy) .. (row.relaxed and " (relaxed)" or "")
end

local function rule_value(value)
    return type(value) == "table" and json.encode(json.tree(value)) or tostring(value)
end

---Writes "heartbeat_ms 3000, factor_lo 500": parameters that are not their defaults; nil when all
---are.
---@param rules { [1]: string, [2]: any }[]|nil
---@return string|nil
function M.rules_text(rules)
    local parts = {}
    for i, rule in ipairs(rules or {}) do parts[i] = rule[1] .. " " .. rule_value(rule[2]) end
    return parts[1] and table.concat(parts, ", ")
end

---@return string a line, or nothing
function M.rules_line(rules)
    local written = M.rules_text(rules)
    return written and "rules: " .. written .. "\n" or ""
end

-- Returns the samples of the model itself, or those of metrics beside it.
local function samples_of(model, are_metrics)
    local list = {}
    for _, sample in ipairs(model.results.samples) do
        if (sample.metric or false) == are_metrics then list[#list + 1] = sample end
    end
    return list
end

---@param model pinion.Model
---@return pinion.Sample[] without those of metrics
function M.own_samples(model)
    return samples_of(model, false)
end

---@param model pinion.Model
---@return pinion.Sample[] of metrics that were asked for
function M.metric_samples(model)
    return samples_of(model, true)
end

local function quantile_list(of)
    local list = {}
    for i, name in ipairs(statistics.QUANTILE_NAMES) do
        list[i] = name .. " " .. text.real(of[name])
    end
    return table.concat(list, ", ")
end

---Returns a quantile with the half width of its interval, if it has one.
---@param words pinion.ModelWords
---@param of table the quantiles
---@param name string
---@return string
function M.quantile(words, of, name)
    local value, half = of[name], of[name .. "_half"]
    if words.quantile then return words.quantile(value, half) end
    return text.half(words.amount, value, half)
end

---Returns what the cell of a group's mean is.
---@param model pinion.Model
---@param sample pinion.Sample
---@return fun(group: table): string
function M.group_mean(model, sample)
    local write = sample.write or sample.metric and text.real_with_half or model.words.mean
    return function(group)
        local of = group[sample.name] or {}
        return write(of.mean, of.mean_half)
    end
end

-- Returns whether it is a share, which has no quantiles worth a line.
local function is_share(of)
    return of.min >= 0 and of.max <= 1 and math.tointeger(of.min) and math.tointeger(of.max)
end

---Describes metrics in the text of a result, through `add(label, format, …)`.
---@param model pinion.Model
---@param result pinion.Result
---@param add fun(label: string, format: string, ...)
function M.describe_metrics(model, result, add)
    for _, sample in ipairs(M.metric_samples(model)) do
        local of = result[sample.name]
        if of and of.mean and is_share(of) then
            add(sample.words, "%s %% of the jobs", text.real(100 * of.mean, 4))
        elseif of and of.mean then
            add("mean " .. sample.words, "%s (sd %s)", text.real(of.mean), text.real(of.sd))
            add(sample.words, "%s", quantile_list(of))
        end
    end
    for _, column in ipairs(model.results.columns) do
        if column.name == "fairness" then
            add("fairness", "%s (Jain's index of the slowdowns)", text.number(result.fairness, 3))
        end
    end
end

---Returns columns of a group that only some models have, by sums over its jobs.
---@param model pinion.Model
---@param alone boolean|nil true: of one run, which leaves room for more
---@return { [1]: string, [2]: fun(group: table): string }[] title, and the text of a group's cell
function M.group_columns(model, alone)
    local made = {}
    for _, column in ipairs(model.results.columns) do
        if result_columns.shows(column, "in groups")
            or alone and result_columns.shows(column, "in groups of one run") then
            made[#made + 1] = { result_columns.title(column),
                function(group) return column.write(group[column.name]) end }
        end
    end
    return made
end

---@return string what stands below a table of groups
function M.groups_legend(model)
    return model.words.groups_legend and model.words.groups_legend .. "\n" or ""
end

-- ---- JSON ---------------------------------------------------------------------------------------

---@param warmup table|nil
function M.warmup_object(warmup)
    return warmup and json.object { { next(warmup) } }
end

---Returns a copy, as json.list marks what it is given.
function M.copy_list(values)
    return json.list(table.move(values, 1, #values, 1, {}))
end

---Returns mean slowdowns by size of job.
function M.slowdown_rows(buckets)
    return json.rows(#buckets, function(i)
        local bucket = buckets[i]
        return json.encode(json.object {
            { "from", bucket.from }, { "to", bucket.to }, { "count", bucket.count },
            { "mean", bucket.mean }, { "sd", bucket.sd },
        })
    end)
end

---Adds quantiles, each with the half width of its interval where it has one, at the end of
---`fields`.
function M.add_quantiles(of, fields)
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        fields[#fields + 1] = { name, of[name] }
        local half = of[name .. "_half"]
        if half then fields[#fields + 1] = { name .. "_half", half } end
    end
end

---Groups, one in a line.
---@param groups table[]
---@param object fun(group: table): any
function M.group_rows(groups, object)
    return json.rows(#groups, function(i) return json.encode(object(groups[i])) end)
end

---Adds the fields of a group by sums over its jobs, at the end of `fields`.
function M.add_sums(model, group, fields)
    for _, column in ipairs(model.results.columns) do
        if column.group then fields[#fields + 1] = { column.name, group[column.name] } end
    end
end

---@return string of this program
M.VERSION = core.version

-- ---- csv ----------------------------------------------------------------------------------------

---Adds the timeline that a run recorded, as columns: one for each series, with its values in one
---cell.
---@param columns string[] to which they are added
---@param rows { recorded: pinion.Timeline|nil }[]
---@return string[] columns
function M.with_timelines(columns, rows)
    for _, row in ipairs(rows) do
        if row.recorded then
            table.move({ "timeline_from", "timeline_width" }, 1, 2, #columns + 1, columns)
            for _, name in ipairs(row.recorded.names) do
                columns[#columns + 1] = "timeline_" .. name
            end
            break
        end
    end
    return columns
end

---Returns what a row has in such a column; nil in others.
---@param recorded pinion.Timeline|nil
---@param column string
---@return number|number[]|nil
function M.timeline_value(recorded, column)
    local name = recorded and column:match "^timeline_(.+)$"
    if not name then return nil end
    return recorded.runs[1].series[name] or recorded[name]
end

---Returns a list as one cell: job ids, or the values of a timeline.
---@param list any[]
---@return string
function M.list_text(list)
    local written = {}
    for i, value in ipairs(list) do
        written[i] = type(value) == "number" and json.number(value) or tostring(value)
    end
    return table.concat(written, " ")
end

local function csv_value(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    if type(value) == "boolean" then return tostring(value) end
    if type(value) == "table" then return M.list_text(value) end
    return csv.quote(value)
end

-- Of the jobs without a group, where others have one: the empty cell is all jobs.
M.NO_GROUP = "(none)"

---@param group { group: any }
---@return string
function M.group_name(group)
    return group.group == nil and M.NO_GROUP or tostring(group.group)
end

---@return boolean false: that of the jobs without a group, where there are no such jobs
function M.is_shown(group)
    return group.group ~= nil or group.finished > 0
end

---Returns its groups, but for one that is not shown.
---@param row { groups: table[]|nil }
---@return table[]
function M.groups_of(row)
    local shown = {}
    for _, group in ipairs(row.groups or {}) do
        if M.is_shown(group) then shown[#shown + 1] = group end
    end
    return shown
end

-- Returns whether rows have groups, of which the columns say something.
local function shows_groups(model, columns, rows)
    local mean, has = model.results.samples[1].mean, false
    for _, name in ipairs(columns) do has = has or name == mean end
    for _, row in ipairs(has and rows or {}) do
        if row.groups then return true end
    end
    return false
end

---Returns columns with that of the group behind the policy, where there are groups to show.
---@param model pinion.Model
---@param columns string[]
---@param rows { groups: table[]|nil }[]
---@return string[] columns, boolean has_groups
function M.with_group(model, columns, rows)
    if not shows_groups(model, columns, rows) then return columns, false end
    local made = {}
    for _, name in ipairs(columns) do
        made[#made + 1] = name
        if name == "policy" then made[#made + 1] = "group" end
    end
    return made, true
end

---Returns what a line of csv has of a group: the values that groups have, under the names of the
---whole.
---@param model pinion.Model
---@param row table whose group it is
---@param group table
---@return table<string, any>
function M.group_values(model, row, group)
    local values = { policy = row.policy, finished = group.finished }
    values.group = M.group_name(group)
    for i, sample in ipairs(model.results.samples) do
        local of = group[sample.name] or {}
        values[sample.mean], values[sample.mean .. "_half"] = of.mean, of.mean_half
        for name, value in next, i == 1 and of or {} do
            if name:find "^p%d" or name == "max" then values[name] = value end
        end
    end
    for _, column in ipairs(model.results.columns) do
        if column.group then values[column.name] = group[column.name] end
    end
    return values
end

---@param columns string[]
---@param values table<string, any>
---@param write fun(text: string)
function M.csv_line(columns, values, write)
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = csv_value(values[column]) end
    write(table.concat(cells, ",") .. "\n")
end

return M
