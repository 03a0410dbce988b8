-- Results, comparisons and sweeps as aligned text, JSON and csv.

local lazy = require "pinion.base.lazy"
local batch = lazy.module "pinion.output.report_batch"
local cluster = lazy.module "pinion.output.report_cluster"
local check = require "pinion.base.check"
local csv = require "pinion.base.csv"
local core = require "pinion.core"
local notices = require "pinion.run.notices"
local json = require "pinion.base.json"
local models = require "pinion.models"
local slowdowns = require "pinion.base.slowdowns"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"

local M = {}

-- What a stream's model says in the place of what the others say.
local OWN = { cluster = cluster }

-- Columns of a screen.
local WIDTH = 120

-- A policy may be a file far away.
local LABEL_MOST = 36

-- What a run measures besides the mean of the first sample and the ratios.
local function extra_measures(model)
    local found = {}
    for i, measure in ipairs(model.measures) do
        if i > 1 and measure.name ~= model.ratio and measure.name ~= model.ratio_tight then
            found[#found + 1] = measure
        end
    end
    return found
end

local function model_of(it)
    return (models.find(it.model))
end

-- The amount of a warm-up and its unit, which is "jobs" or one of the model's.
local function warmup_parts(warmup)
    local unit, amount = next(warmup)
    return unit, amount
end

local function warmup_text(warmup)
    local unit, amount = warmup_parts(warmup)
    if unit == "time" then return "time " .. text.real(amount) end
    if unit == "ms" then return amount .. " ms" end
    return text.count(amount, (unit:gsub("s$", "")))
end

local function mode_text(it)
    local parts = model_of(it).title(it)
    parts[#parts + 1] = it.workload
    if it.error then parts[#parts + 1] = "error " .. it.error end
    if it.warmup then parts[#parts + 1] = "warm-up " .. warmup_text(it.warmup) end
    return table.concat(parts, ", ")
end

local function warmup_object(warmup)
    return warmup and json.object { { warmup_parts(warmup) } }
end

local function label(row)
    return text.shorten(row.policy, LABEL_MOST) .. (row.relaxed and " (relaxed)" or "")
end

-- "heartbeat_ms 3000, factor_lo 500": the model's parameters and the policies', as far as they are
-- not their defaults; nil when they are.
local function rules_text(rules)
    local parts = {}
    for i, rule in ipairs(rules or {}) do parts[i] = rule[1] .. " " .. tostring(rule[2]) end
    return parts[1] and table.concat(parts, ", ")
end

local function rules_line(rules)
    local written = rules_text(rules)
    return written and "rules: " .. written .. "\n" or ""
end

-- ---- one result ---------------------------------------------------------------------------------

local function sample_object(sample)
    local fields = {}
    for i, name in ipairs { "mean", "sd", "min", "max", "p50", "p90", "p99", "p999" } do
        fields[i] = { name, sample[name] }
    end
    return json.object(fields)
end

local function group_object(model, group)
    local fields = { { "group", group.group }, { "finished", group.finished } }
    for _, sample in ipairs(model.samples) do
        fields[#fields + 1] = { sample.name, sample_object(group[sample.name]) }
    end
    for _, sum in ipairs(model.sums or {}) do
        fields[#fields + 1] = { sum.name, group[sum.name] }
    end
    return json.object(fields)
end

-- A value of a parameter: a list of job ids, or pools.
local function param_value(value)
    if type(value) ~= "table" then return value end
    local list = {}
    for i, one in ipairs(value) do
        list[i] = type(one) == "table" and batch.pool_object(one) or one
    end
    return json.list(list)
end

local function params_object(params)
    local fields = {}
    for i, name in ipairs(check.sorted_keys(params)) do
        fields[i] = { name, param_value(params[name]) }
    end
    return json.object(fields)
end

local function slowdown_rows(buckets)
    return json.rows(#buckets, function(i)
        local bucket = buckets[i]
        return json.encode(json.object {
            { "from", bucket.from }, { "to", bucket.to }, { "count", bucket.count },
            { "mean", bucket.mean }, { "sd", bucket.sd },
        })
    end)
end

local function number_or_null(value)
    return value and json.number(value) or "null"
end

-- A row of many columns, with what has happened to a job that is not done.
local function wide_row_writer(result)
    local jobs, columns, keys = result.jobs, model_of(result).columns, {}
    for i, name in ipairs(columns) do keys[i] = string.format(', "%s": ', name) end
    return function(id)
        local job, parts = jobs[id], { '{"id": ', tostring(id) }
        if job.name then parts[#parts + 1] = ', "name": ' .. json.encode(job.name) end
        if job.group then parts[#parts + 1] = ', "group": ' .. json.encode(job.group) end
        for i, name in ipairs(columns) do
            parts[#parts + 1] = keys[i]
            parts[#parts + 1] = json.encode(job[name])
        end
        parts[#parts + 1] = "}"
        return table.concat(parts)
    end
end

-- The usual row has no name and no group and has finished: one format call. A model has at most
-- five columns.
local function row_writer(result)
    local model, rows, jobs = model_of(result), result.rows, result.jobs
    local columns, pieces = model.columns, {}
    for i, name in ipairs(columns) do
        pieces[i] = string.format('"%s": %s', name, model.integer and "%d" or "%s")
    end
    local plain = '{"id": %d, ' .. table.concat(pieces, ", ") .. "}"
    local simple = not result.named and not result.groups and not model.exact
    if #columns > 5 then return wide_row_writer(result) end
    return function(id)
        local a, b, c, d, e = rows:unpack(id)
        if simple and b and model.integer then return string.format(plain, id, a, b, c, d, e) end
        if simple and b then
            return string.format(plain, id, number_or_null(a), number_or_null(b), number_or_null(c),
                number_or_null(d), number_or_null(e))
        end
        local job, fields = jobs[id], { { "id", id } }
        for _, name in ipairs(columns) do
            fields[#fields + 1] = { name, job[name] }
            local exact = model.exact and job[name .. "_exact"]
            if exact then fields[#fields + 1] = { name .. "_exact", exact } end
        end
        if job.name then fields[#fields + 1] = { "name", job.name } end
        if job.group then fields[#fields + 1] = { "group", job.group } end
        return json.encode(json.object(fields))
    end
end

local function add_totals(model, result, add)
    if OWN[model.name] then return OWN[model.name].add_totals(result, add) end
    local first = model.samples[1]
    add(first.total, result[first.total])
    add(first.mean, result[first.mean])
    for _, measure in ipairs(extra_measures(model)) do add(measure.name, result[measure.name]) end
    add("lower_bound", result.lower_bound)
    add(model.ratio, result[model.ratio])
    if result.bounds == "tight" then
        add("lower_bound_tight", result.lower_bound_tight)
        add(model.ratio_tight, result[model.ratio_tight])
    end
    add(model.last, result[model.last])
end

-- How the run came about, and whether its means can be trusted: there is nothing to say of a batch.
local function add_stream(model, result, add)
    add("measured", result.measured)
    if result.warmup then add("warmup", warmup_object(result.warmup)) end
    if result.error then add("error", result.error) end
    if result.batches then
        local b = result.batches
        add("batches", json.object { { "size", b.size }, { "count", b.count }, { "mean", b.mean },
            { "half", b.half } })
    end
    add("number_in_system",
        json.list(table.move(result.number_in_system, 1, #result.number_in_system, 1, {})))
    add("growing", result.growing)
    for _, name in ipairs(model.tail) do add(name, result[name]) end
end

---Fields of a result: those every result has, in the order of the scenario files' page, then the
---extras.
---@param result pinion.Result
---@param with_jobs boolean
---@return any[][]
function M.result_fields(result, with_jobs)
    local model, fields = model_of(result), {}
    local function add(name, value) fields[#fields + 1] = { name, value } end
    add("model", result.model)
    add("policy", result.policy)
    if result.params then add("params", params_object(result.params)) end
    for _, name in ipairs(model.heads) do
        if result[name] ~= nil then add(name, result[name]) end
    end
    if with_jobs and result.rows then add("jobs", json.rows(#result.rows, row_writer(result))) end
    if model.batch then
        batch.add_schedule(result, add)
    else
        add_totals(model, result, add)
    end
    add("digest", result.digest)
    add("pinion", result.pinion)
    add("seed", result.seed)
    add("submitted", result.submitted)
    add("finished", result.finished)
    add("complete", result.complete)
    if result.interrupted then add("interrupted", true) end
    if result.relaxed then add("relaxed", true) end
    for _, sample in ipairs(model.samples) do
        add(sample.name, sample_object(result[sample.name]))
    end
    if result.groups then
        add("groups",
            json.rows(#result.groups,
            function(i) return json.encode(group_object(model, result.groups[i])) end))
    end
    if result.slowdown_by_size then
        add("slowdown_by_size", slowdown_rows(result.slowdown_by_size))
    end
    if not model.batch then add_stream(model, result, add) end
    return fields
end

---@param result pinion.Result
---@param write fun(text: string)
---@param with_jobs boolean
function M.result_json(result, write, with_jobs)
    json.write(M.result_fields(result, with_jobs), write)
    write("\n")
end

-- What the columns of groups mean.
local function groups_legend(model)
    return OWN[model.name] and OWN[model.name].GROUP_LEGEND .. "\n" or ""
end

-- Groups with columns of the model's own.
local function own_groups_text(model, groups)
    local columns, rows = { { "group" }, { "jobs", right = true } }, {}
    local own = OWN[model.name].group_columns(model, true)
    for i, column in ipairs(own) do columns[i + 2] = { column[1], right = true } end
    for i, group in ipairs(groups) do
        rows[i] = { group.group == nil and "(none)" or tostring(group.group),
            text.amount(group.finished) }
        for _, column in ipairs(own) do table.insert(rows[i], column[2](group)) end
    end
    return text.tables(columns, rows, WIDTH) .. groups_legend(model)
end

local function groups_text(model, groups)
    if OWN[model.name] then return own_groups_text(model, groups) end
    local first, rows = model.samples[1], {}
    for i, group in ipairs(groups) do
        local sample = group[first.name]
        rows[i] = { group.group == nil and "(none)" or tostring(group.group),
            text.amount(group.finished), model.number(sample.mean) }
        for _, name in ipairs(statistics.QUANTILE_NAMES) do
            table.insert(rows[i], model.amount(sample[name]))
        end
    end
    local columns = { { "group" }, { "jobs", right = true }, { first.title, right = true } }
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        columns[#columns + 1] = { name, right = true }
    end
    return text.table(columns, rows)
end

-- By size of job, in as many rows as a screen has.
local function slowdowns_text(model, buckets)
    local rows = {}
    for i, bucket in ipairs(slowdowns.coarsen(buckets)) do
        rows[i] = { model.amount(bucket.from), bucket.to and model.amount(bucket.to) or "",
            text.amount(bucket.count),
                    model.number(bucket.mean), model.number(bucket.sd) }
    end
    return text.table({ { "size from", right = true }, { "to", right = true },
        { "jobs", right = true }, { "mean slowdown", right = true },
        { "sd", right = true } }, rows)
end

local function some_has(jobs, name)
    for id = 1, #jobs do
        if jobs[id][name] ~= nil then return true end
    end
    return false
end

-- The columns of the rows in tables: those of the model, without such as have nothing in any row.
local function jobs_columns(model, result)
    local names = {}
    for _, name in ipairs(model.table_columns or model.columns) do
        local optional = model.table_optional and model.table_optional[name]
        if not optional or some_has(result.jobs, name) then names[#names + 1] = name end
    end
    return names
end

---Rows of the jobs as aligned text.
---@param result pinion.Result
---@return string
function M.jobs_text(result)
    local model, rows = model_of(result), {}
    local names = jobs_columns(model, result)
    for id = 1, #result.jobs do
        local job = result.jobs[id]
        local cells = { text.amount(id) }
        for i, name in ipairs(names) do cells[i + 1] = model.moment(job[name]) end
        cells[#cells + 1] = job.name or ""
        cells[#cells + 1] = job.group and tostring(job.group) or ""
        rows[id] = cells
    end
    local columns = { { "job", right = true } }
    for i, name in ipairs(names) do columns[i + 1] = { name, right = true } end
    columns[#columns + 1] = { result.named and "name" or "" }
    columns[#columns + 1] = { result.groups and "group" or "" }
    local meanings = {}
    for _, name in ipairs(names) do
        meanings[#meanings + 1] = model.table_meanings and model.table_meanings[name]
    end
    return text.table(columns, rows) .. (meanings[1] and table.concat(meanings, "; ") .. "\n" or "")
end

-- "p50 3, p90 7, …"
local function quantiles_text(model, sample)
    local parts = {}
    for i, name in ipairs(statistics.QUANTILE_NAMES) do
        parts[i] = name .. " " .. model.amount(sample[name])
    end
    return table.concat(parts, ", ")
end

-- What a stream of jobs came to.
local function describe_stream(model, result, add)
    local first = model.samples[1]
    if result.warmup then
        add("jobs measured", "%d (%ss are theirs; totals and ratios are of all jobs)",
            result.measured, first.words)
    end
    for i, sample in ipairs(model.samples) do
        add("mean " .. sample.words, "%s%s (sd %s)", model.number(result[sample.mean]),
            i == 1 and model.time_unit or "",
            model.number(result[sample.name].sd))
        add(sample.words, "%s", quantiles_text(model, result[sample.name]))
        if i == 1 and result.batches and result.batches.half then
            add("95 % interval", "%s ± %s for the mean, from %d whole batches of %s",
                model.number(result[sample.mean]),
                model.number(result.batches.half), result.batches.count,
                text.count(result.batches.size, "job"))
        end
    end
    if result.mean_in_system then
        add("jobs in the system", "%s (time average)", model.number(result.mean_in_system))
    end
    if OWN[model.name] then OWN[model.name].describe(result, add) end
    if model.ratio and result[model.ratio] then
        add(model.ratio_words, "%s (total %s over the lower bound %s)",
            text.number(result[model.ratio], 3),
            model.amount(result[first.total]), model.amount(result.lower_bound))
    end
    if model.ratio and result[model.ratio_tight] then
        add("over the tight bound", "%s (%s)", text.number(result[model.ratio_tight], 3),
            model.amount(result.lower_bound_tight))
    end
    add(model.last_words(result))
end

---@param result pinion.Result
---@return string
function M.result_text(result)
    local model, entries = model_of(result), {}
    local function add(label, ...) entries[#entries + 1] = { label, string.format(...) } end
    add("jobs finished", "%d of %d", result.finished, result.expected)
    if result.stopped then add("stopped", "%s", result.stopped) end
    if model.batch then
        batch.describe(result, add)
    else
        describe_stream(model, result, add)
    end
    if rules_text(result.rules) then add("rules", "%s", rules_text(result.rules)) end
    add("digest", "%s", result.digest)
    add("seed", "%d", result.seed)
    local lines = string.format("%s on %s\n%s", result.policy, mode_text(result),
        text.list(entries))
    if result.relaxed then
        lines = lines .. "a relaxation: this is a lower bound, not a schedule that can be run\n"
    end
    if result.warmup and result.finished > 0 and result.measured == 0 then
        lines = lines .. "warning: no job is left behind the warm-up\n"
    end
    if result.growing then
        lines = lines .. "warning: " .. notices.growing(result.quarters) .. "\n"
    end
    if result.groups then lines = lines .. "\n" .. groups_text(model, result.groups) end
    if result.slowdown_by_size then
        lines = lines .. "\n" .. slowdowns_text(model, result.slowdown_by_size)
    end
    return lines
end
-- A sample's quantiles are columns of a result.
local function result_columns(model)
    if model.result_columns then return model.result_columns end
    local first = model.samples[1]
    local columns = { "policy", "submitted", "finished", first.mean }
    table.move(statistics.QUANTILE_NAMES, 1, #statistics.QUANTILE_NAMES, #columns + 1, columns)
    for _, name in ipairs { first.total, "lower_bound", model.ratio, "lower_bound_tight",
            model.ratio_tight } do
        columns[#columns + 1] = name
    end
    for _, measure in ipairs(extra_measures(model)) do columns[#columns + 1] = measure.name end
    for _, name in ipairs { model.last, "digest", "measured", "growing" } do
        columns[#columns + 1] = name
    end
    return columns
end

local function csv_value(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    if type(value) == "boolean" then return tostring(value) end
    if type(value) == "table" then return table.concat(value, " ") end -- job ids
    return csv.quote(value)
end

local function csv_line(columns, values, write)
    local cells = {}
    for i, column in ipairs(columns) do cells[i] = csv_value(values[column]) end
    write(table.concat(cells, ",") .. "\n")
end

local function result_line(model, columns, result, write)
    csv_line(columns, setmetatable({}, { __index = function(_, name)
        local value = result[name]
        if value == nil then value = result[model.samples[1].name][name] end
        return value
    end }), write)
end

---One row per result, with a header.
---@param results pinion.Result[] of one model, at least one
function M.results_csv(results, write)
    local model = model_of(results[1])
    local columns = result_columns(model)
    write(table.concat(columns, ",") .. "\n")
    for _, result in ipairs(results) do result_line(model, columns, result, write) end
end

---One row per job of each result, with a header.
---@param results pinion.Result[] of one model, at least one
function M.jobs_csv(results, write)
    local columns, model = { "policy", "id" }, model_of(results[1])
    for _, name in ipairs(model.columns) do
        columns[#columns + 1] = name
        if model.exact then columns[#columns + 1] = name .. "_exact" end
    end
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

-- ---- a comparison -------------------------------------------------------------------------------

local function closing_line(comparison)
    local parts = {}
    local amount = model_of(comparison).amount
    if comparison.lower_bound then
        parts[#parts + 1] = "lower bound " .. amount(comparison.lower_bound)
    end
    if comparison.lower_bound_tight then
        parts[#parts + 1] = "tight bound " .. amount(comparison.lower_bound_tight)
    end
    if comparison.replicas > 1 then
        local made = comparison.completed == comparison.replicas and ""
            or string.format("%d of ", comparison.completed)
        parts[#parts + 1] = string.format("%s%d replicas (mean ± half width of the 95 %% interval)",
            made, comparison.replicas)
    elseif comparison.submitted and comparison.interrupted and comparison.expected then
        parts[#parts + 1] = string.format("%s of %s", text.amount(comparison.submitted),
            text.count(comparison.expected, "job"))
    elseif comparison.submitted then
        parts[#parts + 1] = text.count(comparison.submitted, "job")
    end
    if comparison.seed then parts[#parts + 1] = string.format("seed %d", comparison.seed) end
    return table.concat(parts, ", ") .. "\n"
end

-- What the titles of the columns mean, as far as they do not say it themselves.
local function legend(comparison, columns)
    local model, shown = model_of(comparison), {}
    local parts = { model.legend }
    for _, column in ipairs(columns) do shown[column[1]] = true end
    local function add(title, meaning) if shown[title] then parts[#parts + 1] = meaning end end
    if comparison.replicas > 1 and not model.batch then
        parts[1] = parts[1] .. ", percentiles over the jobs of all replicas"
    end
    add("sd", "sd: between replicas")
    add("finished", "finished: jobs, of runs that were ended before all were done")
    add("stages", "stages: stage_time, how long a stage takes; only alike ones compare")
    for _, measure in ipairs(model.measures) do
        if measure.name == model.ratio then
            add(measure.title, model.ratio_legend .. (comparison.warmup and ", of all jobs" or ""))
        end
    end
    add("wins", "wins: replicas below " .. text.shorten(comparison.baseline, 20))
    if comparison.admits then OWN[model.name].admission_legend(add) end
    local lines = { parts[1] }
    for i = 2, #parts do
        local longer = lines[#lines] .. "; " .. parts[i]
        if utf8.len(longer) <= WIDTH then
            lines[#lines] = longer
        else
            lines[#lines + 1] = parts[i]
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

-- Which means do not compare, as they are of other jobs.
local function admission_text(it)
    return it.admits and OWN[it.model].admission_text(it.rows) or ""
end

-- Of the column that comparisons go by.
local function first_title(model)
    return model.measures[1].title or model.samples[1].title
end

-- Whether a measure is the same in every row, such that nobody misses it.
local function is_beside(comparison, measure)
    for _, row in ipairs(measure.beside and comparison.rows or {}) do
        if row[measure.name] ~= nil and row[measure.name] ~= measure.beside then return false end
    end
    return measure.beside ~= nil
end

-- Whether any row has a difference from the baseline's.
local function is_compared(comparison)
    for _, row in ipairs(comparison.rows) do
        if row.difference then return true end
    end
    return #comparison.rows > 1 and not comparison.admits
end

-- What a table has of every row: title, and the text of a row's cell.
local function comparison_columns(comparison)
    local model = model_of(comparison)
    local columns = { { "policy", label, left = true } }
    local first = model.measures[1].name
    local function add(title, cell) columns[#columns + 1] = { title, cell } end
    local function add_measure(measure, write)
        write = measure.write or write
        add(measure.title,
            function(row) return write(row[measure.name], row[measure.name .. "_half"]) end)
    end
    local function ratio_text(value, half) return text.with_half(value, half, 3) end
    for _, measure in ipairs(comparison.admits and model.measures or {}) do
        if measure.admission then add_measure(measure) end
    end
    add(first_title(model), function(row)
        return model.mean(row[first], row[first .. "_half"])
            .. (row.complete == false and row[first] and " so far" or "")
    end)
    if batch.is_partial(comparison) then
        add("finished", function(row) return text.amount(row.finished) end) end
    if comparison.replicas > 1 then
        add("sd", function(row) return model.mean(row[first .. "_sd"]) end) end
    for _, name in ipairs(model.batch and {} or statistics.QUANTILE_NAMES) do
        add(name, function(row) return model.amount(row[name]) end)
    end
    for _, measure in ipairs(model.measures) do
        if measure.name == model.ratio and comparison.bounds ~= "none" or measure.bounds
                and measure.bounds == comparison.bounds then
            add_measure(measure, ratio_text)
        end
    end
    for _, measure in ipairs(extra_measures(model)) do
        local first_of_all = comparison.admits and measure.admission
        if not measure.hidden and not first_of_all and not is_beside(comparison, measure) then
            add_measure(measure, model.mean)
        end
    end
    if batch.mixes_stages(comparison) then
        add("stages", function(row) return row.stage_time or "-" end) end
    if batch.has_ratios(comparison) then add("slots", batch.slots_text) end
    if is_compared(comparison) then
        local baseline = text.shorten(comparison.baseline, 20)
        add("vs " .. baseline,
            function(row) return model.difference(row.difference, row.difference_half) end)
        add("/ " .. baseline, function(row) return text.number(row.relative, 3) end)
        if comparison.replicas > 1 then
            add("wins", function(row) return text.amount(row.wins) end) end
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

local function groups_columns(model)
    local first = model.samples[1]
    local columns = { { "policy, group", function(entry) return entry.name end, left = true } }
    local function add(title, cell) columns[#columns + 1] = { title, cell } end
    add("jobs", function(entry) return text.amount(entry.finished) end)
    if OWN[model.name] then
        for _, column in ipairs(OWN[model.name].group_columns(model)) do
            add(column[1], function(entry) return column[2](entry.group) end)
        end
        return columns
    end
    add(first.title, function(entry) return model.mean(entry.sample.mean, entry.sample.mean_half)
        end)
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        add(name, function(entry) return model.amount(entry.sample[name]) end)
    end
    return columns
end

local function comparison_groups_text(comparison)
    local model, entries = model_of(comparison), {}
    for _, row in ipairs(comparison.rows) do
        for _, group in ipairs(row.groups or {}) do
            local name = group.group == nil and "(none)" or tostring(group.group)
            entries[#entries + 1] = {
                name = label(row) .. ", " .. text.shorten(name, LABEL_MOST),
                finished = group.finished, group = group,
                sample = group[model.samples[1].name],
            }
        end
    end
    return #entries > 0 and columns_text(groups_columns(model), entries) or nil
end

---@param comparison pinion.Comparison
---@param with_groups boolean|nil
---@return string
function M.comparison_text(comparison, with_groups)
    local columns = comparison_columns(comparison)
    local lines = { mode_text(comparison), "\n\n", columns_text(columns, comparison.rows), "\n" }
    for _, row in ipairs(comparison.rows) do
        if comparison.warmup and row.finished > 0 and row.measured == 0 then
            lines[#lines + 1] = string.format("warning: %s: no job is left behind the warm-up\n",
                label(row))
        end
        if row.growing then
            lines[#lines + 1] = string.format("warning: %s: %s\n", label(row),
                notices.growing(row.quarters))
        end
    end
    lines[#lines + 1] = admission_text(comparison)
    local groups = with_groups and comparison_groups_text(comparison)
    if groups then lines[#lines + 1] = groups .. groups_legend(model_of(comparison)) .. "\n" end
    lines[#lines + 1] = rules_line(comparison.rules)
    lines[#lines + 1] = closing_line(comparison)
    lines[#lines + 1] = legend(comparison, columns)
    return table.concat(lines)
end

local function replica_columns(model)
    local columns = { "policy", "replicas", "finished" }
    local function add(names) table.move(names, 1, #names, #columns + 1, columns) end
    for i, measure in ipairs(model.measures) do
        add { measure.name, measure.name .. "_sd", measure.name .. "_half" }
        if i == 1 and not model.batch then add(statistics.QUANTILE_NAMES) end
    end
    add { "baseline", "difference", "difference_half", "relative", "wins" }
    if model.batch then
        add { "complete", "optimal" }
        add(model.facts)
        for _, name in ipairs(model.exact) do add { name .. "_exact" } end
        add { "lower_bound", "lower_bound_tight", "order", "digest" }
    else
        add { "measured", "growing", "digest" }
    end
    return columns
end

---@param comparison pinion.Comparison
---@return pinion.Result[]
function M.results_of(comparison)
    local results = {}
    for i, row in ipairs(comparison.rows) do results[i] = row.result end
    return results
end

-- A row with what it shares with the others.
local function whole_row(comparison, row)
    return setmetatable({ replicas = comparison.completed, baseline = comparison.baseline },
        { __index = row })
end

---One row per policy, with a header.
---@param comparison pinion.Comparison
---@param write fun(text: string)
function M.comparison_csv(comparison, write)
    if comparison.replicas == 1 then
        M.results_csv(M.results_of(comparison), write)
        return
    end
    local columns = replica_columns(model_of(comparison))
    write(table.concat(columns, ",") .. "\n")
    for _, row in ipairs(comparison.rows) do
        csv_line(columns, whole_row(comparison, row), write)
    end
end

local function copy_list(values)
    return json.list(table.move(values, 1, #values, 1, {}))
end

local function quantiles_object(of)
    local fields = {}
    for i, name in ipairs(statistics.QUANTILE_NAMES) do fields[i] = { name, of[name] } end
    return json.object(fields)
end

local function group_of_row(model, group)
    local fields = { { "group", group.group }, { "finished", group.finished } }
    for _, sample in ipairs(model.samples) do
        local of = group[sample.name]
        local values = { { "mean", of.mean }, { "mean_half", of.mean_half } }
        for _, name in ipairs(statistics.QUANTILE_NAMES) do
            values[#values + 1] = { name, of[name] }
        end
        fields[#fields + 1] = { sample.name, json.object(values) }
    end
    for _, sum in ipairs(model.sums or {}) do
        fields[#fields + 1] = { sum.name, group[sum.name] }
    end
    return json.object(fields)
end

-- Whether the rows of a sweep have this beside them already.
local function is_axis(it, name)
    for _, axis in ipairs(it.over or {}) do
        if axis.name == name then return true end
    end
    return false
end

-- Fields of a row over replicas.
local function row_fields(comparison, row, with_samples)
    local model, fields = model_of(comparison), { { "policy", row.policy } }
    local function add(name, value) fields[#fields + 1] = { name, value } end
    if row.relaxed then add("relaxed", true) end
    add("finished", row.finished)
    if model.batch then
        if not row.complete then add("complete", false) end
        for _, name in ipairs(model.facts) do
            if row[name] ~= nil and not is_axis(comparison, name) then add(name, row[name]) end
        end
    else
        add("measured", row.measured)
    end
    for _, measure in ipairs(model.measures) do
        if not measure.bounds or measure.bounds == comparison.bounds then
            for _, suffix in ipairs { "", "_sd", "_half" } do
                add(measure.name .. suffix, row[measure.name .. suffix])
            end
            if row[measure.name .. "_exact"] then
                add(measure.name .. "_exact", row[measure.name .. "_exact"])
            end
        end
    end
    for _, name in ipairs(model.batch and { "lower_bound", "lower_bound_tight" } or {}) do
        if row[name] then add(name, row[name]) end
        if row[name .. "_exact"] then add(name .. "_exact", row[name .. "_exact"]) end
    end
    if row.optimal then add("optimal", row.optimal) end
    if row.order then add("order", copy_list(row.order)) end
    for i, sample in ipairs(model.samples) do
        add(sample.name, quantiles_object(i == 1 and row or row[sample.name]))
    end
    for _, name in ipairs { "difference", "difference_half", "relative", "wins" } do
        add(name, row[name])
    end
    if row.groups then
        add("groups",
            json.rows(#row.groups,
            function(i) return json.encode(group_of_row(model, row.groups[i])) end))
    end
    if row.slowdown_by_size then add("slowdown_by_size", slowdown_rows(row.slowdown_by_size)) end
    if not model.batch then add("growing", row.growing) end
    if row.quarters then add("quarters", copy_list(row.quarters)) end
    if with_samples then
        local samples = {}
        for _, measure in ipairs(model.measures) do
            if not measure.bounds then
                samples[#samples + 1] = { measure.name, copy_list(row.samples[measure.name]) }
            end
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
            json.write(row.result and single_fields(row, with_jobs)
                or row_fields(comparison, row, true), out, indent .. "    ")
        end
        out("\n" .. indent .. "  ]")
    end
    local fields = { { "model", comparison.model } }
    local function add(name, value) fields[#fields + 1] = { name, value } end
    for _, name in ipairs(model_of(comparison).heads) do
        if comparison[name] ~= nil then add(name, comparison[name]) end
    end
    if comparison.replicas > 1 then
        add("workload", comparison.workload)
        add("replicas", comparison.replicas)
        if comparison.completed < comparison.replicas then
            add("completed", comparison.completed)
        end
        if comparison.error then add("error", comparison.error) end
        if comparison.warmup then add("warmup", warmup_object(comparison.warmup)) end
    end
    add("baseline", comparison.baseline)
    add("results", write_results)
    if comparison.replicas == 1 and model_of(comparison).ratio then
        add("lower_bound", comparison.lower_bound)
    end
    if comparison.interrupted then add("interrupted", true) end
    if not model_of(comparison).batch then add("growing", comparison.growing) end
    add("pinion", core.version)
    add("seed", comparison.seed)
    add("submitted", comparison.submitted)
    json.write(fields, write)
    write("\n")
end

-- ---- a sweep ------------------------------------------------------------------------------------

local function value_text(value)
    return (tostring(value):gsub("%.0$", ""))
end

-- Fewer columns than a comparison has: the values of the cell take the room.
local SWEPT = { p99 = true, ratio = true, ["tight ratio"] = true, ["gap %"] = true,
    ["tight gap %"] = true, slots = true, wins = true,
                stages = true, finished = true }

local function is_swept(sweep, title)
    for _, measure in ipairs(sweep.admits and model_of(sweep).measures or {}) do
        if measure.admission and measure.title == title then return true end
    end
    return SWEPT[title] or title == first_title(model_of(sweep)) or title:find("^vs ")
        or title:find("^/ ")
end

local function sweep_columns(sweep)
    local columns = {}
    for i, axis in ipairs(sweep.over) do
        columns[i] = { axis.name, function(row) return value_text(row[axis.name])
            end, left = type(axis.values[1]) ~= "number" }
    end
    for c, column in ipairs(comparison_columns(sweep)) do
        if c == 1 or is_swept(sweep, column[1]) then columns[#columns + 1] = column end
    end
    if model_of(sweep).batch and sweep.replicas == 1 then
        columns[#columns + 1] = { "order", function(row) return batch.order_text(row.order)
            end, left = true }
    end
    if sweep.growing then
        columns[#columns + 1] = { "", function(row) return row.growing and "growing" or ""
        end, left = true } end
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
        lines[#lines + 1] = "growing: " .. notices.GROWING .. "\n"
    end
    if model_of(sweep).batch then lines[#lines + 1] = batch.stability_text(sweep) end
    lines[#lines + 1] = admission_text(sweep)
    lines[#lines + 1] = rules_line(sweep.rules)
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
    for _, name in ipairs(replica_columns(model_of(sweep))) do
        if not is_axis(sweep, name) then columns[#columns + 1] = name end
    end
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
            for _, field in ipairs(row_fields(sweep, row, sweep.replicas > 1)) do
                fields[#fields + 1] = field
            end
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
    if not model_of(sweep).batch then add("growing", sweep.growing) end
    add("pinion", core.version)
    if sweep.seed then add("seed", sweep.seed) end
    json.write(fields, write)
    write("\n")
end

return M
