-- Comparisons as aligned text, JSON and csv: one row per policy. Sweeps have the same rows, see
-- output/sweep.lua.

local document = require "pinion.output.document"
local json = require "pinion.base.json"
local lazy = require "pinion.base.lazy"
local notices = require "pinion.run.notices"
local parts = require "pinion.output.parts"
local result_columns = require "pinion.models.columns"
local result_output = require "pinion.output.result"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"
local timelines = lazy.module "pinion.output.timeline.print"

local M = {}

-- ---- the columns of the table -------------------------------------------------------------------

---@class pinion.TableColumn
---@field [1] string title
---@field [2] fun(row: table): string the text of a row's cell
---@field left boolean|nil true: text to the left
---@field swept boolean|nil whether tables of sweeps have it: the values of the cell take the room of the others
---@field meaning string|nil of the title, where that does not say it itself

-- Returns true if every row has the value with which tables leave the column out.
local function is_hidden(comparison, column)
    local usual = result_columns.shows(column, "unless 0") and 0
        or result_columns.shows(column, "unless 1") and 1
    for _, row in ipairs(usual and comparison.rows or {}) do
        if row[column.name] ~= nil and row[column.name] ~= usual then return false end
    end
    return usual ~= false
end

-- Returns whether some row could differ from the baseline's.
local function is_compared(comparison)
    for _, row in ipairs(comparison.rows) do
        if row.difference then return true end
        if row.policy ~= comparison.baseline and not comparison.admits then return true end
    end
    return false
end

-- Returns what stands to the left where policies reject jobs.
local function is_first(comparison, column)
    return comparison.admits and result_columns.shows(column, "first with admission")
end

-- Returns whether the table has the column, behind the first.
local function is_shown(comparison, column)
    if not column.title or is_first(comparison, column) then return false end
    local ratio = result_columns.kind(column).ratio
    if ratio == "fast" then return comparison.bounds ~= "none" end
    if ratio == "tight" then return comparison.bounds == "tight" end
    return not is_hidden(comparison, column) and parts.is_present(column, comparison.rows)
end

local function legend_of(comparison, column)
    local legend = result_columns.legend(column)
    local needs_admission = result_columns.shows(column, "first with admission")
    if not legend or needs_admission and not comparison.admits then return nil end
    local is_ratio = result_columns.kind(column).ratio == "fast"
    return legend .. (is_ratio and comparison.warmup and ", of all jobs" or "")
end

local function add_baseline(comparison, words, add)
    local baseline = text.shorten(comparison.baseline, 20)
    add("vs " .. baseline,
        function(row) return words.difference(row.difference, row.difference_half) end, true,
        string.format("vs %s: mean minus the mean of %s", baseline, baseline))
    add("/ " .. baseline, function(row)
        return text.ratio_with_half(row.relative, row.relative_half)
    end, true, string.format("/ %s: mean divided by the mean of %s", baseline, baseline))
    if comparison.replicas > 1 then
        add("wins", function(row) return text.amount(row.wins) end, true,
            "wins: replicas with a smaller mean than " .. baseline)
    end
end

---Returns what a table has of every row.
---@param comparison pinion.Comparison|pinion.Sweep
---@return pinion.TableColumn[]
function M.columns(comparison)
    local model = parts.model_of(comparison)
    local columns, words, kind = { { "policy", parts.label, left = true, swept = true } },
        model.words, parts.kind_of(model)
    local measures = parts.measures(model)
    local first = measures[1]
    local function add(title, cell, swept, meaning)
        columns[#columns + 1] = { title, cell, swept = swept, meaning = meaning }
    end
    local function add_measure(column)
        local write, name = column.write or words.mean, column.name
        local kind, title = result_columns.kind(column), result_columns.title(column)
        add(title, function(row) return write(row[name], row[name .. "_half"]) end,
            kind.ratio ~= nil or kind.metric or is_first(comparison, column),
            legend_of(comparison, column))
    end
    for _, column in ipairs(measures) do
        if is_first(comparison, column) then add_measure(column) end
    end
    add(result_columns.title(first) or model.results.samples[1].title, function(row)
        return words.mean(row[first.name], row[first.name .. "_half"])
            .. (row.complete == false and row[first.name] and " so far" or "")
    end, true)
    if is_compared(comparison) then add_baseline(comparison, words, add) end
    kind.add_spread(comparison, model, add, function()
        if comparison.replicas == 1 then return end
        add("sd", function(row) return words.mean(row[first.name .. "_sd"]) end, false,
            "sd: standard deviation between replicas")
    end)
    for i, column in ipairs(measures) do
        if i > 1 and is_shown(comparison, column) then add_measure(column) end
    end
    kind.add_last(comparison, add)
    return columns
end

---@param columns pinion.TableColumn[]
---@param rows table[]
---@return any[][] titles, string[][] cells
function M.cells(columns, rows)
    local titles, cells = {}, {}
    for c, column in ipairs(columns) do titles[c] = { column[1], right = not column.left } end
    for i, row in ipairs(rows) do
        cells[i] = {}
        for c, column in ipairs(columns) do cells[i][c] = column[2](row) end
    end
    return titles, cells
end

local function add_table(doc, columns, rows)
    local titles, cells = M.cells(columns, rows)
    doc:table(titles, cells, parts.width())
end

-- ---- lines below the table ----------------------------------------------------------------------

---@param comparison pinion.Comparison|pinion.Sweep
---@return string the last line: how many jobs, replicas, which seed
function M.closing_line(comparison)
    local said = {}
    local amount = parts.model_of(comparison).words.amount
    if comparison.lower_bound then
        said[#said + 1] = "lower bound " .. amount(comparison.lower_bound)
    end
    if comparison.lower_bound_tight then
        said[#said + 1] = "tight bound " .. amount(comparison.lower_bound_tight)
    end
    if comparison.replicas > 1 then
        local made = comparison.completed == comparison.replicas and "" or string.format(
            comparison.own_replicas and "%d to " or "%d of ", comparison.completed)
        said[#said + 1] = string.format("%s%d replicas (mean ± half width of the 95 %% interval)",
            made, comparison.replicas)
    elseif comparison.submitted and comparison.interrupted and comparison.expected then
        said[#said + 1] = string.format("%s of %s", text.amount(comparison.submitted),
            text.count(comparison.expected, "job"))
    elseif comparison.submitted then
        said[#said + 1] = text.count(comparison.submitted, "job")
    end
    if comparison.seed then said[#said + 1] = string.format("seed %d", comparison.seed) end
    return table.concat(said, ", ") .. "\n"
end

---Returns what few replicas say of intervals.
---@param comparison pinion.Comparison|pinion.Sweep
---@return string a line, or nothing
function M.few_replicas_text(comparison)
    if not comparison.drawn then return "" end
    if comparison.replicas == 1 then
        return "one replica, so no intervals: try --replicas 20\n"
    end
    if comparison.completed == 2 then
        return "two replicas give wide intervals: try --replicas 20\n"
    end
    return ""
end

-- Joins pieces to lines as long as a screen is wide.
local function joined(pieces, separator)
    local lines = { pieces[1] }
    for i = 2, #pieces do
        local longer = lines[#lines] .. separator .. pieces[i]
        local fits = (utf8.len(longer) or #longer) <= parts.width()
        lines[fits and #lines or #lines + 1] = fits and longer or pieces[i]
    end
    return #lines > 0 and table.concat(lines, "\n") .. "\n" or ""
end

---Returns what the titles of the columns mean, as far as they do not say it themselves.
---@param comparison pinion.Comparison|pinion.Sweep
---@param columns pinion.TableColumn[]
---@return string lines
function M.legend(comparison, columns)
    local model = parts.model_of(comparison)
    local pieces = { model.words.legend .. parts.kind_of(model).legend(comparison) }
    for _, column in ipairs(columns) do pieces[#pieces + 1] = column.meaning end
    return joined(pieces, "; ")
end

-- Returns what the tests say of a row's difference; nil: it is not significant.
local function verdict(row)
    if not row.significant then return nil end
    local words = row.difference < 0 and "smaller" or "larger"
    if row.significant == "mean" then return words end
    return string.format("%s by wins (%d of %d)", words, row.wins, #row.differences)
end

---Returns which differences to the baseline are significant, corrected for their number.
---@param comparison pinion.Comparison
---@return string lines, or nothing
function M.significance_text(comparison)
    local significant, others = {}, {}
    for _, row in ipairs(comparison.rows) do
        local words = verdict(row)
        if words then
            significant[#significant + 1] = parts.label(row) .. " " .. words
        elseif row.difference_p and not row.relaxed then
            others[#others + 1] = (#others == 0 and "not significant: " or "") .. parts.label(row)
        end
    end
    if #significant + #others == 0 then return "" end
    local first = "significant at 95 % (Holm): "
    if #significant == 0 then return first .. "none\n" end
    significant[1] = first .. significant[1]
    table.move(others, 1, #others, #significant + 1, significant)
    return joined(significant, ", ")
end

---Returns which means do not compare, as they are of other jobs.
---@param comparison pinion.Comparison|pinion.Sweep
---@return string a line, or nothing
function M.admission_text(comparison)
    for _, row in ipairs(comparison.admits and comparison.rows or {}) do
        if row.other_jobs then
            return "times are those of accepted jobs; rows with different accepted jobs are not "
                .. "compared\n"
        end
    end
    return ""
end

-- ---- text ---------------------------------------------------------------------------------------

-- Returns means of all samples and the model's own columns; or mean and quantiles of the first
-- sample.
local function groups_columns(model)
    local samples, own = model.results.samples, parts.group_columns(model)
    local columns = { { "policy, group", function(entry) return entry.name end, left = true } }
    local function add(title, cell) columns[#columns + 1] = { title, cell } end
    add("jobs", function(entry) return text.amount(entry.group.finished) end)
    local function add_mean(sample)
        local mean = parts.group_mean(model, sample)
        add(sample.title, function(entry) return mean(entry.group) end)
    end
    for i = 1, #own > 0 and #samples or 1 do add_mean(samples[i]) end
    for _, column in ipairs(own) do
        add(column[1], function(entry) return column[2](entry.group) end)
    end
    for _, name in ipairs(#own == 0 and statistics.QUANTILE_NAMES or {}) do
        add(name, function(entry)
            return parts.quantile(model.words, entry.group[samples[1].name], name)
        end)
    end
    for _, sample in ipairs(#own == 0 and parts.metric_samples(model) or {}) do add_mean(sample) end
    return columns
end

-- Adds what rows say of groups, if there are any.
local function add_groups(doc, comparison)
    local model, entries = parts.model_of(comparison), {}
    for _, row in ipairs(comparison.rows) do
        for _, group in ipairs(parts.groups_of(row)) do
            local name = parts.group_name(group)
            entries[#entries + 1] = { name = parts.label(row) .. ", " .. parts.shorten(name),
                group = group }
        end
    end
    if #entries == 0 then return end
    add_table(doc, groups_columns(model), entries)
    doc:lines(parts.groups_legend(model))
    doc:gap()
end

---@param comparison pinion.Comparison
---@param with_groups boolean|nil
---@return pinion.Document
function M.document(comparison, with_groups)
    local columns, doc = M.columns(comparison), document.new()
    doc:lines(parts.mode_text(comparison))
    doc:gap()
    add_table(doc, columns, comparison.rows)
    doc:gap()
    local function add(line) doc:lines(line) end
    for _, row in ipairs(comparison.rows) do
        if comparison.warmup and row.finished > 0 and row.measured == 0 then
            add(string.format("warning: %s: no job is left after the warm-up\n",
                parts.label(row)))
        end
        if row.growing then
            add(string.format("warning: %s: %s\n", parts.label(row),
                notices.growing(row.quarters)))
        end
    end
    add(M.admission_text(comparison))
    if with_groups then add_groups(doc, comparison) end
    add(parts.rules_line(comparison.rules))
    add(M.closing_line(comparison))
    add(M.few_replicas_text(comparison))
    add(M.significance_text(comparison))
    add(M.legend(comparison, columns))
    return doc
end

-- ---- csv ----------------------------------------------------------------------------------------

---@param model pinion.Model
---@return string[] columns of rows over replicas
function M.replica_columns(model)
    local columns = { "policy", "replicas", "finished" }
    local function add(names) table.move(names, 1, #names, #columns + 1, columns) end
    local spread, last = parts.kind_of(model).replica_columns(model)
    for i, measure in ipairs(parts.measures(model)) do
        add { measure.name, measure.name .. "_sd", measure.name .. "_half" }
        if i == 1 then add(spread) end
    end
    add { "baseline", "difference", "difference_half", "relative", "relative_half", "wins" }
    add(last)
    return columns
end

---@param comparison pinion.Comparison
---@return pinion.Result[]
function M.results(comparison)
    local results = {}
    for i, row in ipairs(comparison.rows) do results[i] = row.result end
    return results
end

-- Returns a row with what it shares with the others.
local function whole_row(comparison, row)
    return setmetatable({ replicas = comparison.completed, baseline = comparison.baseline },
        { __index = row })
end

---Writes a row of replicas as a line of csv, and one for each of its groups.
---@param model pinion.Model
---@param columns string[]
---@param row table
---@param cell table<string, any>|false what the groups have of the row besides; false: no groups
---@param write fun(text: string)
function M.csv_lines(model, columns, row, cell, write)
    parts.csv_line(columns, setmetatable({}, { __index = function(_, name)
        local value = row[name]
        if value == nil then value = parts.timeline_value(row.recorded, name) end
        return value
    end }), write)
    for _, group in ipairs(cell and parts.groups_of(row) or {}) do
        local values = parts.group_values(model, row, group)
        values.replicas = row.replicas
        for name, value in next, cell do values[name] = value end
        parts.csv_line(columns, values, write)
    end
end

---Writes one row per policy, and one per group of its jobs, with a header.
---@param comparison pinion.Comparison
---@param write fun(text: string)
function M.csv(comparison, write)
    if comparison.replicas == 1 then
        result_output.csv(M.results(comparison), write, true)
        return
    end
    local model = parts.model_of(comparison)
    local columns = parts.present(model, M.replica_columns(model), comparison.rows)
    local groups
    columns, groups = parts.with_group(model, columns, comparison.rows)
    write(table.concat(columns, ",") .. "\n")
    for _, row in ipairs(comparison.rows) do
        M.csv_lines(model, columns, whole_row(comparison, row), groups and {}, write)
    end
end

-- ---- JSON ---------------------------------------------------------------------------------------

local function quantiles_object(of)
    local fields = {}
    parts.add_quantiles(of, fields)
    return json.object(fields)
end

local function group_object(model, group)
    local fields = { { "group", group.group }, { "finished", group.finished } }
    for _, sample in ipairs(model.results.samples) do
        local of = group[sample.name]
        local values = { { "mean", of.mean }, { "mean_half", of.mean_half } }
        parts.add_quantiles(of, values)
        fields[#fields + 1] = { sample.name, json.object(values) }
    end
    parts.add_sums(model, group, fields)
    return json.object(fields)
end

-- Returns the values of the measures by replica.
local function samples_object(model, row)
    local samples = {}
    for _, measure in ipairs(parts.measures(model)) do
        if result_columns.kind(measure).ratio ~= "tight" and parts.is_present(measure, { row }) then
            samples[#samples + 1] = { measure.name, parts.copy_list(row.samples[measure.name]) }
        end
    end
    return json.object(samples)
end

local function add_measures(model, comparison, row, add)
    for _, measure in ipairs(parts.measures(model)) do
        local shown = result_columns.kind(measure).ratio ~= "tight" or comparison.bounds == "tight"
        if shown and parts.is_present(measure, { row }) then
            for _, suffix in ipairs { "", "_sd", "_half" } do
                add(measure.name .. suffix, row[measure.name .. suffix])
            end
            if row[measure.name .. "_exact"] then
                add(measure.name .. "_exact", row[measure.name .. "_exact"])
            end
        end
    end
end

---Returns the fields of a row over replicas.
---@param comparison pinion.Comparison|pinion.Sweep
---@param row pinion.ComparisonRow
---@param with_samples boolean
---@param is_axis (fun(name: string): boolean)|nil whether the row of a sweep has it beside it already
---@return any[][]
function M.row_fields(comparison, row, with_samples, is_axis)
    local model, fields = parts.model_of(comparison), { { "policy", row.policy } }
    local kind = parts.kind_of(model)
    local function add(name, value) fields[#fields + 1] = { name, value } end
    if row.relaxed then add("relaxed", true) end
    add("finished", row.finished)
    if row.warmup_jobs then add("warmup_jobs", parts.copy_list(row.warmup_jobs)) end
    kind.add_row(row, add, model, is_axis or function() return false end)
    add_measures(model, comparison, row, add)
    kind.add_bounds(row, add)
    for i, sample in ipairs(model.results.samples) do
        add(sample.name, quantiles_object(i == 1 and row or row[sample.name]))
    end
    for _, name in ipairs { "difference", "difference_half", "relative", "relative_half",
        "wins", "difference_p", "wins_p", "significant" } do
        add(name, row[name])
    end
    if row.groups then
        add("groups", parts.group_rows(parts.groups_of(row),
            function(group) return group_object(model, group) end))
    end
    if row.slowdown_by_size then
        add("slowdown_by_size", parts.slowdown_rows(row.slowdown_by_size))
    end
    if row.recorded then add("timeline", timelines.object(row.recorded)) end
    if kind.grows then add("growing", row.growing) end
    if row.quarters then add("quarters", parts.copy_list(row.quarters)) end
    if with_samples then add("samples", samples_object(model, row)) end
    add("digest", row.digest)
    return fields
end

---Returns rows as a value for json.write.
---@param rows table[]
---@param fields_of fun(row: table): any[][]
function M.rows_writer(rows, fields_of)
    return function(out, indent)
        out("[")
        for i, row in ipairs(rows) do
            out((i == 1 and "\n    " or ",\n    ") .. indent)
            json.write(fields_of(row), out, indent .. "    ")
        end
        out("\n" .. indent .. "  ]")
    end
end

-- Returns the results of the only replica, each with its place beside the baseline's.
local function single_fields(row, with_jobs)
    local fields = result_output.fields(row.result, with_jobs)
    fields[#fields + 1] = { "difference", row.difference }
    fields[#fields + 1] = { "relative", row.relative }
    return fields
end

---Returns the fields of a comparison, for JSON.
---@param comparison pinion.Comparison
---@param with_jobs boolean rows of the only replica's jobs
---@return any[][]
function M.fields(comparison, with_jobs)
    local model, fields = parts.model_of(comparison), { { "model", comparison.model } }
    local function add(name, value) fields[#fields + 1] = { name, value } end
    for _, name in ipairs(model.settings.heads) do
        if comparison[name] ~= nil then add(name, comparison[name]) end
    end
    if comparison.replicas > 1 then
        add("workload", comparison.workload)
        add("replicas", comparison.replicas)
        if comparison.completed < comparison.replicas then
            add("completed", comparison.completed)
        end
        if comparison.error then add("error", comparison.error) end
        if comparison.warmup then add("warmup", parts.warmup_object(comparison.warmup)) end
    end
    add("baseline", comparison.baseline)
    add("rows", M.rows_writer(comparison.rows, function(row)
        return row.result and single_fields(row, with_jobs)
            or M.row_fields(comparison, row, true)
    end))
    if comparison.replicas == 1 and parts.ratio_of(model, "fast") then
        add("lower_bound", comparison.lower_bound)
    end
    if comparison.interrupted then add("interrupted", true) end
    if parts.kind_of(model).grows then add("growing", comparison.growing) end
    add("pinion", parts.VERSION)
    add("seed", comparison.seed)
    add("submitted", comparison.submitted)
    return fields
end

---@param comparison pinion.Comparison
---@param write fun(text: string)
---@param with_jobs boolean rows of the only replica's jobs
function M.json(comparison, write, with_jobs)
    json.write(M.fields(comparison, with_jobs), write)
    write("\n")
end

return M
