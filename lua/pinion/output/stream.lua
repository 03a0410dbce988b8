-- What results of jobs that come one by one say: means, quantiles, and how the run came about.

local json = require "pinion.base.json"
local parts = require "pinion.output.parts"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"

local M = {}

---Files say whether the number of jobs in the system was still growing.
M.grows = true

-- ---- one result ---------------------------------------------------------------------------------

-- Writes "p50 3..4, p90 6..8, …", those that there are.
local function limits_text(words, limits)
    local parts_of = {}
    for _, entry in ipairs(statistics.QUANTILES) do
        local pair = limits[entry[1]]
        if pair then
            parts_of[#parts_of + 1] = string.format("%s %s..%s", entry[1], words.amount(pair[1]),
                words.amount(pair[2]))
        end
    end
    return table.concat(parts_of, ", ")
end

-- Describes what is known of the first sample's quantiles.
local function describe_limits(words, result, add)
    local limits = result.quantile_limits and limits_text(words, result.quantile_limits)
    if limits and limits ~= "" then
        add("95 % intervals", "%s", limits)
    elseif not limits and result.measured > 0 then
        add("95 % intervals", "none for quantiles: %s", result.no_quantile_limits)
    end
end

-- Writes "p50 3, p90 7, …"
local function quantiles_text(write, of)
    local quantiles = {}
    for i, name in ipairs(statistics.QUANTILE_NAMES) do
        quantiles[i] = name .. " " .. write(of[name])
    end
    return table.concat(quantiles, ", ")
end

local function describe_samples(model, result, add)
    local words = model.words
    for i, sample in ipairs(parts.own_samples(model)) do
        local number, of = sample.write or words.number, result[sample.name]
        add("mean " .. sample.words, "%s%s (sd %s)", number(result[sample.mean]),
            i == 1 and words.time_unit or "", number(of.sd))
        add(sample.words, "%s", quantiles_text(sample.write or words.amount, of))
        if i == 1 and result.batches and result.batches.half then
            add("95 % interval", "%s ± %s for the mean, from %d whole batches of %s",
                words.number(result[sample.mean]),
                words.number(result.batches.half), result.batches.count,
                text.count(result.batches.size, "job"))
        elseif i == 1 and result.no_interval then
            add("95 % interval", "none for the mean: %s", result.no_interval)
        end
        if i == 1 then describe_limits(words, result, add) end
    end
end

local function describe_ratios(model, result, add)
    local words, total = model.words, model.results.samples[1].total
    local fast, tight = parts.ratio_of(model, "fast"), parts.ratio_of(model, "tight")
    if fast and result[fast.name] then
        add(words.ratio, "%s (total %s / lower bound %s)", text.number(result[fast.name], 3),
            words.amount(result[total]), words.amount(result.lower_bound))
    end
    if tight and result[tight.name] then
        add("over the tight bound", "%s (%s)", text.number(result[tight.name], 3),
            words.amount(result.lower_bound_tight))
    end
end

---Describes a result in text, through `add(label, format, …)`.
---@param model pinion.Model
---@param result pinion.Result
---@param add fun(label: string, format: string, ...)
function M.describe(model, result, add)
    if result.warmup then
        add("jobs measured", "%d (%ss are theirs; totals and ratios are of all jobs)",
            result.measured, model.results.samples[1].words)
    end
    if result.warmup_found then
        add("warm-up found", "%s, by MSER", text.count(result.warmup.jobs, "job"))
    end
    describe_samples(model, result, add)
    for _, column in ipairs(model.results.columns) do
        local line, value = column.line, result[column.name]
        if line and value ~= nil then add(line[1], "%s", line[2](value)) end
    end
    if model.words.describe then model.words.describe(result, add) end
    describe_ratios(model, result, add)
    add(model.words.last(result))
end

local function limits_object(limits)
    local fields = {}
    for _, entry in ipairs(statistics.QUANTILES) do
        local pair = limits[entry[1]]
        if pair then fields[#fields + 1] = { entry[1], parts.copy_list(pair) } end
    end
    return json.object(fields)
end

---Adds how the run came about, and whether its means can be trusted: fields of JSON.
---@param result pinion.Result
---@param add fun(name: string, value: any)
function M.add_run(result, add)
    add("measured", result.measured)
    if result.warmup then add("warmup", parts.warmup_object(result.warmup)) end
    if result.warmup_found then add("warmup_found", result.warmup_found) end
    if result.warmup_suggested then add("warmup_suggested", result.warmup_suggested) end
    if result.error then add("error", result.error) end
    if result.batches then
        local b = result.batches
        add("batches", json.object { { "size", b.size }, { "count", b.count }, { "mean", b.mean },
            { "half", b.half } })
    end
    add("no_interval", result.no_interval)
    if result.quantile_limits then
        add("quantile_limits", limits_object(result.quantile_limits))
    else
        add("no_quantile_limits", result.no_quantile_limits)
    end
    add("number_in_system", parts.copy_list(result.number_in_system))
    add("growing", result.growing)
end

---Returns the columns of csv files of results. Quantiles of the first sample stand behind its mean.
---@param model pinion.Model
---@return string[]
function M.result_columns(model)
    local mean = model.results.samples[1].mean
    local columns = { "policy", "submitted", "finished", mean }
    table.move(statistics.QUANTILE_NAMES, 1, #statistics.QUANTILE_NAMES, #columns + 1, columns)
    for _, column in ipairs(model.results.columns) do
        if column.name ~= mean and parts.is_in_csv(column) then
            columns[#columns + 1] = column.name
        end
    end
    return table.move({ "digest", "measured", "growing" }, 1, 3, #columns + 1, columns)
end

-- ---- comparisons and sweeps ---------------------------------------------------------------------

---Returns what is below the table, beside the model's own legend.
---@param comparison pinion.Comparison|pinion.Sweep
---@return string
function M.legend(comparison)
    return comparison.replicas > 1 and ", percentiles over the jobs of all replicas" or ""
end

---Adds columns of tables behind the first measure, through `add(title, cell, swept)`.
---@param comparison pinion.Comparison|pinion.Sweep
---@param model pinion.Model
---@param add fun(title: string, cell: (fun(row: table): string), swept: boolean|nil, meaning: string|nil)
---@param add_sd fun() adds the column of standard deviations, where there is one
function M.add_spread(_, model, add, add_sd)
    add_sd()
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        add(name, function(row) return parts.quantile(model.words, row, name) end, name == "p99",
            name == "p999" and "p999: 99.9th percentile" or nil)
    end
end

---Adds columns of tables behind all measures.
function M.add_last()
end

---Adds more columns of a sweep.
function M.add_swept()
end

---Returns what is below the table of a sweep.
---@return string lines
function M.sweep_notes()
    return ""
end

---Returns the columns of csv files of rows over replicas: behind the first measure, and at the end.
---@return string[] spread, string[] last
function M.replica_columns()
    local spread = table.move(statistics.QUANTILE_NAMES, 1, #statistics.QUANTILE_NAMES, 1, {})
    for _, entry in ipairs(statistics.QUANTILES) do spread[#spread + 1] = entry[1] .. "_half" end
    return spread, { "measured", "growing", "digest" }
end

---Adds fields of a row in JSON, in front of the measures.
---@param row pinion.ComparisonRow
---@param add fun(name: string, value: any)
function M.add_row(row, add)
    add("measured", row.measured)
end

---Adds fields of a row in JSON behind the measures.
function M.add_bounds()
end

return M
