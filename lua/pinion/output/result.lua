-- One result, and the rows of its jobs, as aligned text, JSON and csv.

local check = require "pinion.base.check"
local csv = require "pinion.base.csv"
local document = require "pinion.output.document"
local json = require "pinion.base.json"
local models = require "pinion.models"
local notices = require "pinion.run.notices"
local parts = require "pinion.output.parts"
local lazy = require "pinion.base.lazy"
local result_columns = require "pinion.models.columns"
local slowdowns = lazy.module "pinion.base.slowdowns"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"
local timelines = lazy.module "pinion.output.timeline.print"

local M = {}

-- ---- JSON ---------------------------------------------------------------------------------------

local function sample_object(sample)
    local fields = {}
    for i, name in ipairs { "mean", "sd", "min", "max", "p50", "p90", "p99", "p999" } do
        fields[i] = { name, sample[name] }
    end
    return json.object(fields)
end

local function group_object(model, group)
    local fields = { { "group", group.group }, { "finished", group.finished } }
    for _, sample in ipairs(model.results.samples) do
        fields[#fields + 1] = { sample.name, sample_object(group[sample.name]) }
    end
    parts.add_sums(model, group, fields)
    return json.object(fields)
end

-- Returns a list of values, such as job ids, or of what the parameter says itself.
local function list_object(parameter, value)
    local list = {}
    for i, one in ipairs(value) do
        list[i] = parameter and parameter.encode and parameter.encode(one) or one
    end
    return json.list(list)
end

local function params_object(model, params)
    local fields, own = {}, {}
    for _, parameter in ipairs(models.params(model.name)) do own[parameter.name] = parameter end
    for i, name in ipairs(check.sorted_keys(params)) do
        local value = params[name]
        if type(value) == "table" then
            value = own[name] and list_object(own[name], value) or json.tree(value)
        end
        fields[i] = { name, value }
    end
    return json.object(fields)
end

local function number_or_null(value)
    return value and json.number(value) or "null"
end

-- Returns what a row lists, with every field of each entry.
local function list_of_row(list, fields)
    local entries = {}
    for i, entry in ipairs(list or {}) do
        local pairs_of = {}
        for k, name in ipairs(fields) do pairs_of[k] = { name, entry[name] } end
        entries[i] = json.object(pairs_of)
    end
    return json.encode(json.list(entries))
end

-- Returns a row of many columns, with what has happened to a job that is not done.
local function wide_row_writer(result)
    local results = parts.model_of(result).results
    local jobs, columns, keys = result.jobs, results.rows, {}
    for i, name in ipairs(columns) do keys[i] = string.format(', "%s": ', name) end
    return function(id)
        local job, parts = jobs[id], { '{"id": ', tostring(id) }
        if job.name then parts[#parts + 1] = ', "name": ' .. json.encode(job.name) end
        if job.group then parts[#parts + 1] = ', "group": ' .. json.encode(job.group) end
        for i, name in ipairs(columns) do
            parts[#parts + 1] = keys[i]
            parts[#parts + 1] = json.encode(job[name])
        end
        for name, fields in next, results.row_lists or {} do
            parts[#parts + 1] = string.format(', "%s": %s', name, list_of_row(job[name], fields))
        end
        for _, name in ipairs(result.attributes or {}) do
            parts[#parts + 1] = string.format(', "%s": %s', name, json.encode(job[name]))
        end
        parts[#parts + 1] = "}"
        return table.concat(parts)
    end
end

-- Writes the usual row, which has no name and no group and has finished: one format call. A model
-- has at most five columns.
local function row_writer(result)
    local results, rows, jobs = parts.model_of(result).results, result.rows, result.jobs
    local columns, pieces = results.rows, {}
    for i, name in ipairs(columns) do
        pieces[i] = string.format('"%s": %s', name, results.integer and "%d" or "%s")
    end
    local plain = '{"id": %d, ' .. table.concat(pieces, ", ") .. "}"
    local simple = not result.named and not result.groups and not results.exact
        and not result.attributes
    if #columns > 5 then return wide_row_writer(result) end
    return function(id)
        local a, b, c, d, e = rows:unpack(id)
        if simple and b and results.integer then return string.format(plain, id, a, b, c, d, e) end
        if simple and b then
            return string.format(plain, id, number_or_null(a), number_or_null(b), number_or_null(c),
                number_or_null(d), number_or_null(e))
        end
        local job, fields = jobs[id], { { "id", id } }
        for _, name in ipairs(columns) do
            fields[#fields + 1] = { name, job[name] }
            local exact = results.exact and job[name .. "_exact"]
            if exact then fields[#fields + 1] = { name .. "_exact", exact } end
        end
        if job.name then fields[#fields + 1] = { "name", job.name } end
        if job.group then fields[#fields + 1] = { "group", job.group } end
        for _, name in ipairs(result.attributes or {}) do
            fields[#fields + 1] = { name, job[name] }
        end
        return json.encode(json.object(fields))
    end
end

-- Returns the place of a column in JSON: numbers, bounds with the ratios to them, what follows
-- these, and facts about the run.
local function place_of(column)
    for _, place in ipairs { "not in JSON", "after the bounds", "at the end" } do
        if result_columns.shows(column, place) then return place end
    end
    local kind = result_columns.kind(column)
    return (kind.bound or kind.ratio) and "bounds" or "numbers"
end

-- Returns whether a tight bound was asked for or found, or why there is none.
local function has_tight_bound(result)
    return result.bounds == "tight" or result.lower_bound_tight ~= nil or result.proof ~= nil
end

local function has_column(column, result, value)
    local kind = result_columns.kind(column)
    if kind.proof or kind.bound == "tight" or kind.ratio == "tight" then
        return has_tight_bound(result)
    end
    return value ~= nil or not (result_columns.shows(column, "if present")
        or result_columns.shows(column, "if present in JSON"))
end

local function json_value(column, result)
    local value = result[column.name]
    if column.encode then return column.encode(value, result) end
    return type(value) == "table" and parts.copy_list(value) or value
end

local function add_columns(model, result, place, add)
    for _, column in ipairs(model.results.columns) do
        local name, value = column.name, json_value(column, result)
        if place_of(column) == place and has_column(column, result, value) then
            add(name, value)
            if result[name .. "_exact"] then add(name .. "_exact", result[name .. "_exact"]) end
        end
    end
end

---Returns the fields of a result: first its settings, its jobs and the model's columns, then what
---all models have.
---@param result pinion.Result
---@param with_jobs boolean
---@return any[][]
function M.fields(result, with_jobs)
    local model, fields = parts.model_of(result), {}
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("model", result.model)
    add("policy", result.policy)
    if result.params then add("params", params_object(model, result.params)) end
    for _, name in ipairs(model.settings.heads) do
        if result[name] ~= nil then add(name, result[name]) end
    end
    if with_jobs and result.rows then add("jobs", json.rows(#result.rows, row_writer(result))) end
    for _, place in ipairs { "numbers", "bounds", "after the bounds" } do
        add_columns(model, result, place, add)
    end
    add("digest", result.digest)
    add("pinion", result.pinion)
    add("seed", result.seed)
    add("submitted", result.submitted)
    add("finished", result.finished)
    add("complete", result.complete)
    if result.interrupted then add("interrupted", true) end
    if result.relaxed then add("relaxed", true) end
    for _, sample in ipairs(model.results.samples) do
        add(sample.name, sample_object(result[sample.name]))
    end
    if result.groups then
        add("groups", parts.group_rows(parts.groups_of(result),
            function(group) return group_object(model, group) end))
    end
    if result.slowdown_by_size then
        add("slowdown_by_size", parts.slowdown_rows(result.slowdown_by_size))
    end
    parts.kind_of(model).add_run(result, add)
    if result.recorded then add("timeline", timelines.object(result.recorded)) end
    add_columns(model, result, "at the end", add)
    return fields
end

---@param result pinion.Result
---@param write fun(text: string)
---@param with_jobs boolean
function M.json(result, write, with_jobs)
    json.write(M.fields(result, with_jobs), write)
    write("\n")
end

-- ---- text ---------------------------------------------------------------------------------------

-- Adds the means of all samples, and the model's own columns.
local function add_own_groups(doc, model, groups, own)
    local columns, rows = { { "group" }, { "jobs", right = true } }, {}
    local cells = {}
    for i, sample in ipairs(model.results.samples) do
        cells[i] = { sample.title, parts.group_mean(model, sample) }
    end
    table.move(own, 1, #own, #cells + 1, cells)
    for i, cell in ipairs(cells) do columns[i + 2] = { cell[1], right = true } end
    for i, group in ipairs(groups) do
        rows[i] = { parts.group_name(group), text.amount(group.finished) }
        for _, cell in ipairs(cells) do table.insert(rows[i], cell[2](group)) end
    end
    doc:table(columns, rows, parts.width())
    doc:lines(parts.groups_legend(model))
end

-- Adds mean and quantiles of the first sample, unless the model has columns of its own.
local function add_groups(doc, model, groups)
    local own, words = parts.group_columns(model, true), model.words
    if #own > 0 then return add_own_groups(doc, model, groups, own) end
    local first, rows = model.results.samples[1], {}
    for i, group in ipairs(groups) do
        local sample = group[first.name]
        rows[i] = { parts.group_name(group), text.amount(group.finished),
            words.number(sample.mean) }
        for _, name in ipairs(statistics.QUANTILE_NAMES) do
            table.insert(rows[i], words.amount(sample[name]))
        end
        for _, metric in ipairs(parts.metric_samples(model)) do
            table.insert(rows[i], parts.group_mean(model, metric)(group))
        end
    end
    local columns = { { "group" }, { "jobs", right = true }, { first.title, right = true } }
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        columns[#columns + 1] = { name, right = true }
    end
    for _, metric in ipairs(parts.metric_samples(model)) do
        columns[#columns + 1] = { metric.title, right = true }
    end
    doc:table(columns, rows)
end

-- Adds slowdowns by size of job, in as many rows as a screen has.
local function add_slowdowns(doc, words, buckets)
    local rows = {}
    for i, bucket in ipairs(slowdowns.coarsen(buckets)) do
        rows[i] = { words.amount(bucket.from), bucket.to and words.amount(bucket.to) or "",
            text.amount(bucket.count), words.number(bucket.mean), words.number(bucket.sd) }
    end
    doc:table({ { "size from", right = true }, { "to", right = true },
        { "jobs", right = true }, { "mean slowdown", right = true },
        { "sd", right = true } }, rows)
end

local function some_has(jobs, name)
    for id = 1, #jobs do
        if jobs[id][name] ~= nil then return true end
    end
    return false
end

-- Returns the columns of the rows in tables: those of the model, without such as have nothing in
-- any row.
local function jobs_columns(results, result)
    local names = {}
    for _, name in ipairs(results.shown_rows or results.rows) do
        local optional = results.optional_rows and results.optional_rows[name]
        if not optional or some_has(result.jobs, name) then names[#names + 1] = name end
    end
    return names
end

---Adds rows of the jobs.
---@param result pinion.Result
---@param doc pinion.Document
function M.add_jobs(result, doc)
    local model, rows = parts.model_of(result), {}
    local names = jobs_columns(model.results, result)
    for id = 1, #result.jobs do
        local job = result.jobs[id]
        local cells = { text.amount(id) }
        for i, name in ipairs(names) do cells[i + 1] = model.words.moment(job[name]) end
        cells[#cells + 1] = job.name or ""
        cells[#cells + 1] = job.group and tostring(job.group) or ""
        for _, name in ipairs(result.attributes or {}) do
            local value = job[name]
            cells[#cells + 1] = type(value) == "string" and value or check.float_text(value)
        end
        rows[id] = cells
    end
    local columns = { { "job", right = true } }
    for i, name in ipairs(names) do columns[i + 1] = { name, right = true } end
    columns[#columns + 1] = { result.named and "name" or "" }
    columns[#columns + 1] = { result.groups and "group" or "" }
    for _, name in ipairs(result.attributes or {}) do
        columns[#columns + 1] = { name, right = not (result.labels or {})[name] }
    end
    local meanings = {}
    for _, name in ipairs(names) do
        meanings[#meanings + 1] = model.results.row_meanings and model.results.row_meanings[name]
    end
    doc:table(columns, rows)
    doc:lines(table.concat(meanings, "; "))
end

---@param result pinion.Result
---@return pinion.Document
function M.document(result)
    local model, entries = parts.model_of(result), {}
    local function add(label, ...) entries[#entries + 1] = { label, string.format(...) } end
    add("jobs finished", "%d of %d", result.finished, result.expected)
    if result.stopped then add("stopped", "%s", result.stopped) end
    parts.kind_of(model).describe(model, result, add)
    parts.describe_metrics(model, result, add)
    local recorded = result.recorded
    if recorded then
        add("timeline", "%d buckets of %s%s, in json and csv", recorded.count,
            model.words.amount(recorded.width), model.words.time_unit)
    end
    local rules = parts.rules_text(result.rules)
    if rules then add("rules", "%s", rules) end
    add("digest", "%s", result.digest)
    add("seed", "%d", result.seed)
    local doc = document.new()
    doc:lines(result.policy .. " on " .. parts.mode_text(result))
    doc:list(entries)
    if result.relaxed then
        doc:lines("a relaxation: this is a lower bound, not a feasible schedule")
    end
    if result.warmup and result.finished > 0 and result.measured == 0 then
        doc:lines("warning: no job is left after the warm-up")
    end
    if result.growing then
        doc:lines("warning: " .. notices.growing(result.quarters))
    end
    if result.groups then
        doc:gap()
        add_groups(doc, model, parts.groups_of(result))
    end
    if result.slowdown_by_size then
        doc:gap()
        add_slowdowns(doc, model.words, result.slowdown_by_size)
    end
    return doc
end

-- ---- csv ----------------------------------------------------------------------------------------

-- Writes a line of a result; a sample's quantiles are columns of it.
local function result_line(model, columns, result, write)
    parts.csv_line(columns, setmetatable({}, { __index = function(_, name)
        local value = result[name]
        if value == nil then value = parts.timeline_value(result.recorded, name) end
        if value == nil and name ~= "group" then
            value = result[model.results.samples[1].name][name]
        end
        return value
    end }), write)
end

---Writes one row per result, and one per group of its jobs where these are asked for, with a
---header.
---@param results pinion.Result[] of one model, at least one
---@param write fun(text: string)
---@param with_groups boolean|nil
function M.csv(results, write, with_groups)
    local model = parts.model_of(results[1])
    local columns = parts.present(model, parts.kind_of(model).result_columns(model), results)
    if with_groups then columns, with_groups = parts.with_group(model, columns, results) end
    columns = parts.with_timelines(columns, results)
    local header = {}
    for i, column in ipairs(columns) do header[i] = csv.quote(column) end
    write(table.concat(header, ",") .. "\n")
    for _, result in ipairs(results) do
        result_line(model, columns, result, write)
        for _, group in ipairs(with_groups and parts.groups_of(result) or {}) do
            parts.csv_line(columns, parts.group_values(model, result, group), write)
        end
    end
end

-- Returns the columns of a job's row in files.
local function row_columns(model, into)
    for _, name in ipairs(model.results.rows) do
        into[#into + 1] = name
        if model.results.exact then into[#into + 1] = name .. "_exact" end
    end
    return into
end

---Returns the columns of jobs of several replicas, and cells: the same whatever the jobs are.
---@param model pinion.Model
---@param axes pinion.Axis[] of a sweep; empty for a comparison
---@param attributes string[] names of what jobs carry
---@return string[]
function M.replicated_columns(model, axes, attributes)
    local columns = {}
    for i, axis in ipairs(axes) do columns[i] = axis.name end
    table.move({ "policy", "replica", "id" }, 1, 3, #columns + 1, columns)
    table.move({ "name", "group" }, 1, 2, #row_columns(model, columns) + 1, columns)
    return table.move(attributes, 1, #attributes, #columns + 1, columns)
end

---Writes the jobs of a run as lines of csv.
---@param result pinion.Result
---@param columns string[]
---@param beside table<string, any> what each row has besides: the cell, policy and replica
---@return string
function M.job_lines(result, columns, beside)
    local lines = {}
    for id = 1, #result.jobs do
        local job = result.jobs[id]
        for name, value in next, beside do job[name] = value end
        parts.csv_line(columns, job, function(line) lines[id] = line end)
    end
    return table.concat(lines)
end

-- Returns whether the columns are all values of the rows, which these can write themselves.
local function are_values(columns, rows)
    local names = rows:columns()
    for i, name in ipairs(names) do
        if columns[i + 2] ~= name then return false end
    end
    return #columns == #names + 2
end

-- Writes the rows of a run, whose policy and id come first.
local function write_jobs(result, columns, write)
    local rows, policy = result.rows, csv.quote(result.policy)
    if are_values(columns, rows) then
        for id = 1, #rows do write(policy .. "," .. id .. "," .. rows:csv(id) .. "\n") end
        return
    end
    for id = 1, #rows do
        local job = result.jobs[id]
        job.policy = result.policy
        parts.csv_line(columns, job, write)
    end
end

---Writes one row per job of each result, with a header.
---@param results pinion.Result[] of one model, at least one
---@param write fun(text: string)
function M.jobs_csv(results, write)
    local columns = row_columns(parts.model_of(results[1]), { "policy", "id" })
    if results[1].named then columns[#columns + 1] = "name" end
    if results[1].groups then columns[#columns + 1] = "group" end
    for _, name in ipairs(results[1].attributes or {}) do columns[#columns + 1] = name end
    write(table.concat(columns, ",") .. "\n")
    for _, result in ipairs(results) do write_jobs(result, columns, write) end
end

return M
