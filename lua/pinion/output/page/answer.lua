-- What a page says first: its question, the answer in a sentence, and the bars and the map that
-- show it.

local figures = require "pinion.output.plot_figures"
local frame = require "pinion.output.plot_frame"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local statistics = require "pinion.base.statistics"
local text = require "pinion.base.text"
local units = require "pinion.output.units"

local M = {}

-- Returns the measure that comparisons go by, as words: "mean flow time".
local function quantity_of(model)
    return (parts.measures(model)[1].label:gsub(" %b()$", ""))
end

-- Returns whether the policy could run on a real cluster, with the same jobs as the others.
local function is_rival(row, name)
    return row[name] ~= nil and not row.relaxed and row.complete ~= false and not row.other_jobs
end

-- Returns the row with the smallest measure among rivals, the first of several.
local function best_of(rows, name)
    local best
    for _, row in ipairs(rows) do
        if is_rival(row, name) and (not best or row[name] < best[name]) then best = row end
    end
    return best
end

-- ---- sentences ----------------------------------------------------------------------------------

-- Writes "34.18 ±2.1 slots less than fifo (46.46 slots)".
local function against(model, row, other, name)
    local words, unit = model.words, model.words.time_unit
    if row.difference == 0 then return "the same as " .. parts.label(other) end
    local half = row.difference_half
    local size, is_less = math.abs(row.difference), row.difference < 0
    local written = words.difference(size, half):gsub("^%+", "")
    return string.format("%s%s %s than %s (%s%s)%s", written, unit, is_less and "less" or "more",
        parts.label(other), words.mean(other[name]), unit,
        half and ", a paired difference with its 95 % interval" or "")
end

-- Returns the row with which the best one is compared, whose difference is that of the two.
local function rival_of(comparison, best, name)
    local others = {}
    for _, row in ipairs(comparison.rows) do
        if row ~= best then others[#others + 1] = row end
    end
    if best.policy == comparison.baseline then
        local second = best_of(others, name)
        return second, second and second.difference and { difference = -second.difference,
            difference_half = second.difference_half, significant = second.significant }
    end
    for _, row in ipairs(others) do
        if row.policy == comparison.baseline and row[name] then return row, best end
    end
end

---Returns what a comparison asks and what it answers; nil where policies are not compared.
---@param comparison pinion.Comparison
---@return { question: string, answer: string }|nil
function M.of_comparison(comparison)
    local model = models.of(comparison)
    local name = parts.measures(model)[1].name
    local best = #comparison.rows > 1 and not comparison.admits
        and best_of(comparison.rows, name)
    if not best then return nil end
    local words, quantity = model.words, quantity_of(model)
    local answer = string.format("%s: %s%s", parts.label(best),
        words.mean(best[name], best[name .. "_half"]), words.time_unit)
    local rival, difference = rival_of(comparison, best, name)
    if difference and difference.difference then
        answer = answer .. ", " .. against(model, difference, rival, name)
        if difference.difference_half and not difference.significant then
            answer = answer .. "; the difference is not significant"
        end
    end
    return { question = string.format("Which policy has the smallest %s?", quantity),
        answer = answer .. "." }
end

---Returns the same of a sweep: how many cells each policy wins.
---@param sweep pinion.Sweep
---@return { question: string, answer: string }|nil
function M.of_sweep(sweep)
    local model = models.of(sweep)
    local name, axes, cells, order = parts.measures(model)[1].name, {}, {}, {}
    for i, axis in ipairs(sweep.over) do axes[i] = axis.name end
    local function see(row, key)
        if not cells[key] then order[#order + 1], cells[key] = key, {} end
        table.insert(cells[key], row)
    end
    local everywhere = {}
    for _, row in ipairs(sweep.rows) do
        local key = {}
        for i, axis in ipairs(sweep.over) do
            key[i] = row[axis.name] ~= nil and tostring(row[axis.name]) or nil
        end
        if #key == #sweep.over then
            see(row, table.concat(key, "\0"))
        else
            everywhere[#everywhere + 1] = row
        end
    end
    local wins, won = {}, {}
    for _, key in ipairs(order) do
        local rows = table.move(everywhere, 1, #everywhere, #cells[key] + 1, cells[key])
        local best = #rows > 1 and best_of(rows, name)
        if not best then return nil end
        local label = parts.label(best)
        if not wins[label] then won[#won + 1] = label end
        wins[label] = (wins[label] or 0) + 1
    end
    if #won == 0 then return nil end
    table.sort(won, function(a, b)
        if wins[a] ~= wins[b] then return wins[a] > wins[b] end
        return a < b
    end)
    for i, label in ipairs(won) do
        won[i] = string.format("%s in %d%s", label, wins[label],
            i == 1 and " of " .. text.count(#order, "cell") or "")
    end
    local last = table.remove(axes)
    local over = #axes > 0 and table.concat(axes, ", ") .. " and " .. last or last
    return { question = string.format("Which policy has the smallest %s, over %s?",
        quantity_of(model), over), answer = table.concat(won, ", ") .. "." }
end

-- ---- bars ---------------------------------------------------------------------------------------

---Returns the names of what rows can be compared by: measures and quantiles of the first sample.
---@param model pinion.Model
---@param rows table[]
---@return { name: string, label: string }[]
function M.measures(model, rows)
    local labels, made = parts.labels(model), {}
    local function add(name)
        local known
        for _, row in ipairs(rows) do known = known or row[name] ~= nil end
        if known and labels[name] then made[#made + 1] = { name = name, label = labels[name] } end
    end
    for i, measure in ipairs(parts.measures(model)) do
        add(measure.name)
        if i == 1 then
            for _, name in ipairs(statistics.QUANTILE_NAMES) do add(name) end
        end
    end
    return made
end

---Writes a value with the half width of its interval, for people.
---@return string
function M.number(value, half)
    return text.real(value, 4) .. (half and " ±" .. text.real(half, 2) or "")
end

local function bars_of(rows, measure, most)
    local label, size = units.axis(measure.label, most)
    local list = {}
    for i, row in ipairs(rows) do
        local value, half = row[measure.name], row[measure.name .. "_half"]
        list[i] = { title = parts.label(row), value = value and value / size,
            half = half and half / size, look = i }
    end
    list = figures.sorted_bars(list)
    local limit, bars = figures.break_of(list), {}
    for i, bar in ipairs(list) do
        bars[i] = { name = bar.title, value = bar.value, half = bar.half, look = bar.look - 1,
            text = M.number(bar.value, bar.half) }
    end
    return { key = { label }, label = label, bars = bars, limit = limit }
end

---Returns bars of each measure, which the reader chooses from.
---@param model pinion.Model
---@param rows table[]
---@param most number ms, which give the unit
---@return table|nil section
function M.bars(model, rows, most)
    if #rows < 2 then return nil end
    local charts, intervals = {}, false
    for _, measure in ipairs(M.measures(model, rows)) do
        charts[#charts + 1] = bars_of(rows, measure, most)
    end
    for _, row in ipairs(rows) do
        intervals = intervals or row[parts.measures(model)[1].name .. "_half"] ~= nil
    end
    if #charts == 0 then return nil end
    return { kind = "bars", id = "policies", heading = "Policies", selects = { "show" },
        charts = charts,
        notes = { intervals and "Lines: 95 % intervals of the means over replicas." or nil } }
end

-- ---- maps ----------------------------------------------------------------------------

---Returns a map: a number and a shade for each pair; nil where there is no number.
---@param rows any[] what its rows are of
---@param columns any[]
---@param size number what the numbers are divided by
---@param value_of fun(i: integer, k: integer): number|nil of row i and column k
---@return table|nil map
function M.map(rows, columns, size, value_of)
    local values, low, high = {}, math.huge, -math.huge
    for i in ipairs(rows) do
        values[i] = {}
        for k in ipairs(columns) do
            local value = value_of(i, k)
            values[i][k] = value and value / size or false
            if value then low, high = math.min(low, value / size), math.max(high, value / size) end
        end
    end
    if high < low then return nil end
    local shade, shades, texts = frame.shader(low, high), {}, {}
    for i, list in ipairs(values) do
        shades[i], texts[i] = {}, {}
        for k, value in ipairs(list) do
            shades[i][k] = value and shade(value) or 0.0
            texts[i][k] = value and text.real(value, 3) or "–"
        end
    end
    return { rows = parts.written(rows), columns = parts.written(columns), shades = shades,
        texts = texts }
end

-- Returns the names of all groups that rows have, in the order of the first that has them.
local function group_names(rows)
    local names, seen = {}, {}
    for _, row in ipairs(rows) do
        for _, group in ipairs(parts.groups_of(row)) do
            local name = parts.group_name(group)
            if not seen[name] then
                seen[name] = true
                names[#names + 1] = name
            end
        end
    end
    return names
end

-- Returns what a row has of a group; nil: it has no such group.
local function of_group(row, name, sample, of)
    for _, group in ipairs(parts.groups_of(row)) do
        if parts.group_name(group) == name then return (group[sample.name] or {})[of] end
    end
end

---Returns a map of the first sample by group and policy; nil where jobs have no groups.
---@param model pinion.Model
---@param rows table[]
---@param most number ms, which give the unit
---@return table|nil section
function M.groups(model, rows, most)
    local names, charts, policies = group_names(rows), {}, {}
    if #names < 2 then return nil end
    for i, row in ipairs(rows) do policies[i] = parts.label(row) end
    local sample, labels = model.results.samples[1], parts.labels(model)
    local label, size = units.axis(sample.label, most)
    for _, of in ipairs { "mean", "p50", "p90", "p99", "max" } do
        local map = M.map(names, policies, size, function(i, k)
            return of_group(rows[k], names[i], sample, of)
        end)
        if map then
            map.key = { of == "mean" and "mean " .. label
                or (units.axis(labels[of] or of, most)) }
            map.corner = "group"
            charts[#charts + 1] = map
        end
    end
    return #charts > 0 and { kind = "maps", id = "groups", heading = "By group",
        selects = { "show" }, charts = charts, notes = {} } or nil
end

return M
