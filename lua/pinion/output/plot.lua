-- Figures of comparisons, sweeps and results, drawn by gnuplot. Data and script are left beside the
-- figure, so that it can be drawn again by hand.

local cells = require "pinion.output.cells"
local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local figures = require "pinion.output.plot_figures"
local gnuplot = require "pinion.output.gnuplot"
local models = require "pinion.models"
local panels = require "pinion.output.plot_panels"
local parts = require "pinion.output.parts"
local result_columns = require "pinion.models.columns"
local statistics = require "pinion.base.statistics"
local suggest = require "pinion.base.suggest"
local units = require "pinion.output.units"

local M = {}

M.curve = figures.curve

local function sample_label(model, name)
    for _, sample in ipairs(model.results.samples) do
        if sample.name == name then return sample.label end
    end
end

local function names_of(list)
    local names = {}
    for i, entry in ipairs(list) do names[i] = entry.name end
    return names
end

-- Draws the parts that the functions of plot_figures return.
local function draw(path, title, parts_of)
    return gnuplot.draw { path = path, title = title, script = parts_of.script,
        data = parts_of.data, width = parts_of.width, height = parts_of.height }
end

-- Returns values of curves in a unit that can be read, and the label that says it.
local function in_unit(curves, label, column)
    local most = 0
    for _, curve in ipairs(curves) do
        for _, point in ipairs(curve.points) do most = math.max(most, point[column] or 0) end
    end
    local shown, size = units.axis(label, most)
    for _, curve in ipairs(size ~= 1 and curves or {}) do
        for _, point in ipairs(curve.points) do
            point[column] = point[column] / size
            if column == 2 and point[3] then point[3] = point[3] / size end
        end
    end
    return shown
end

-- ---- options ------------------------------------------------------------------------------------

local OPTIONS = { kind = true, of = true, title = true }

local function choose(name, value, known)
    local chosen, why = check.choice(value, known)
    if not chosen then fault.usage("plot: %s %s", name, why) end
    return chosen
end

local function optional(options, name, read)
    if options[name] == nil then return nil end
    local value, why = read(options[name])
    if value == nil then fault.usage("plot: %s %s", name, why) end
    return value
end

local function check_options(options, known)
    if type(options) ~= "table" then
        fault.usage("plot: expected a table of options, got %s", check.show(options))
    end
    local key, why = check.unknown_key(options, known, "option")
    if key ~= nil then fault.usage("plot: %s: %s", key, why) end
end

local function with(more)
    for name in next, OPTIONS do more[name] = true end
    return more
end

-- ---- a comparison -------------------------------------------------------------------------------

-- Returns the place of a group among these; false stands for jobs without one.
local function group_index(groups, name)
    local names = {}
    for i, group in ipairs(groups) do
        if group and tostring(group) == name then return i end
        if group then names[#names + 1] = tostring(group) end
    end
    if #names == 0 then fault.usage("plot: group: the jobs have no groups") end
    fault.usage("plot: group: unknown group %s %s", check.show(name), suggest.hint(name, names))
end

local function groups_of(row)
    local groups = {}
    for i, group in ipairs(row.groups or {}) do
        groups[i] = group.group == nil and false or group.group
    end
    return groups
end

local function distributions(comparison, of, options)
    local model, curves, any = models.of(comparison), {}, false
    for i, row in ipairs(comparison.rows) do
        local pooled = row.pooled
        if options.group then
            pooled = (row.group_counts or {})[group_index(groups_of(row), options.group)]
        end
        curves[i] = { title = parts.full_label(row),
            points = figures.curve(pooled and pooled[of] or {}) }
        any = any or curves[i].points[1] ~= nil
    end
    if not any then fault.usage("plot: no job has finished, so there is nothing to draw") end
    local shown = in_unit(curves, sample_label(model, of), 1)
    return figures.distributions(curves, shown, options.log_x)
end

local function bars(comparison, of)
    local list, most = {}, nil
    for i, row in ipairs(comparison.rows) do
        list[i] = { title = parts.full_label(row), value = row[of], half = row[of .. "_half"] }
        most = row[of] and math.max(most or 0, row[of]) or most
    end
    if not most then fault.usage("plot: no policy has %s here, there is nothing to draw", of) end
    local shown, size = units.axis(parts.labels(models.of(comparison))[of], most)
    for _, bar in ipairs(size ~= 1 and list or {}) do
        bar.value, bar.half = bar.value and bar.value / size, bar.half and bar.half / size
    end
    return figures.bars(list, shown)
end

-- Draws slowdown over the size of jobs; buckets without jobs, and that of all larger ones, have no
-- place on the axis.
local function slowdowns(comparison, options)
    local curves = {}
    for i, row in ipairs(comparison.rows) do
        local points = {}
        for _, bucket in ipairs(row.slowdown_by_size or {}) do
            if bucket.to and bucket.mean then
                points[#points + 1] = { (bucket.from + bucket.to) / 2, bucket.mean }
            end
        end
        if points[1] then
            curves[#curves + 1] = { title = parts.full_label(row), look = i, points = points }
        end
    end
    if #curves == 0 then
        fault.usage("plot: there are no slowdowns by size (run with slowdown_by_size = { buckets "
            .. "= 400, width = 0.25 })")
    end
    return panels.trends(curves, { x = "size of the job: max(map, shuffle)", y = "mean slowdown",
        log_x = options.log_x })
end

-- An interval of fewer values is so wide that it hides all else.
local INTERVAL_LEAST = 5

local function running_points(means, step)
    local points = {}
    for k, point in ipairs(statistics.running(means)) do
        points[k] = { k * step, point[1], k >= INTERVAL_LEAST and point[2] or nil }
    end
    return points
end

local function running_label(model, of)
    for _, measure in ipairs(parts.measures(model)) do
        if measure.name == of then return result_columns.running_label(measure) end
    end
end

-- Draws over replicas, or over the jobs of one run in batches.
local function convergence(comparison, of)
    local curves = {}
    for i, row in ipairs(comparison.rows) do
        local batches = row.result and row.result.batches
        local points = {}
        if comparison.replicas > 1 then
            points = running_points(row.samples[of], 1)
        elseif batches then
            points = running_points(batches.means, batches.size)
        end
        if #points > 1 then
            curves[#curves + 1] = { title = parts.full_label(row), look = i, points = points }
        end
    end
    if #curves == 0 then
        fault.usage("plot: convergence needs several replicas, or a run of many jobs")
    end
    local x = comparison.replicas > 1 and "replicas" or "jobs finished"
    local shown = in_unit(curves, running_label(models.of(comparison), of), 2)
    return panels.convergence(curves, { x = x, y = shown })
end

local NO_RATIOS = "plot: no ratios were searched (run with params.search_ratio = true)"

-- Checks what a figure needs of the runs, where that is known before them: a batch has no series in
-- time, and rows over replicas have no ratios.
local function check_runs(comparison, model, kind, of)
    if not parts.kind_of(model).grows and kind == "convergence" and comparison.replicas == 1 then
        fault.usage("plot: convergence needs several replicas of a batch")
    end
    if kind == "ratio" and comparison.replicas > 1 then
        fault.usage("plot: ratio needs one replica, got %d (each replica has other ratios)",
            comparison.replicas)
    end
    if kind == "ratio" and comparison.searched == false then fault.usage(NO_RATIOS) end
    local needed
    for _, measure in ipairs(parts.measures(model)) do
        local ratio = measure.name == of and result_columns.kind(measure).ratio
        if ratio == "fast" and comparison.bounds == "none" then
            needed = "fast"
        elseif ratio == "tight" and comparison.bounds ~= "tight" then
            needed = "tight"
        end
    end
    if needed then
        fault.usage("plot: no policy has %s here, so there is nothing to draw (bounds: %s)", of,
            needed)
    end
end

-- Draws the makespan over the share of map slots, from the searches for the best ratio.
local function ratios(comparison)
    local curves = {}
    for i, row in ipairs(comparison.rows) do
        local points = {}
        for k, ratio in ipairs(row.ratios or row.result and row.result.ratios or {}) do
            points[k] = { ratio.map_slots, ratio.makespan }
        end
        if points[1] then
            curves[#curves + 1] = { title = parts.full_label(row), look = i, points = points }
        end
    end
    if #curves == 0 then fault.usage(NO_RATIOS) end
    local label_y = parts.labels(models.of(comparison)).makespan
    return panels.lines({ { curves = curves } },
        { x = "map slots (the others are reduce slots)", y = label_y, log_y = true })
end

local function measure_of(comparison, kind, of)
    local model = models.of(comparison)
    local mean = parts.measures(model)[1].name
    if kind == "ratio" then return choose("of", of or "makespan", { "makespan" }) end
    if kind == "cdf" then
        return choose("of", of or model.results.samples[1].name, names_of(model.results.samples))
    end
    if kind == "slowdown" then return choose("of", of or "slowdown", { "slowdown" }) end
    if kind == "bars" then
        local ratio = parts.kind_of(model).grows and comparison.bounds ~= "none"
            and parts.ratio_of(model, "fast")
        return choose("of", of or (ratio and ratio.name or mean),
            check.sorted_keys(parts.labels(model)))
    end
    if comparison.replicas == 1 then return choose("of", of or mean, { mean }) end
    return choose("of", of or mean, names_of(parts.measures(model)))
end

---Fails when a figure cannot be asked for like this, before a long comparison: of which this is
---known beforehand.
---@param comparison { model: string, bounds: string, replicas: integer, searched: boolean|nil, groups: any[]|nil }
---@return string kind, string of
function M.check(comparison, path, options)
    gnuplot.split_path(path)
    check_options(options, with { log_x = true, group = true })
    local model = models.of(comparison)
    local kinds = model.results.figures
    local kind = choose("kind", options.kind or kinds[1], kinds)
    local of = measure_of(comparison, kind, options.of)
    if options.group ~= nil and kind ~= "cdf" then
        fault.usage("plot: group has no effect with kind %s (expected cdf)", kind)
    end
    local group = optional(options, "group", check.text)
    if group and comparison.groups then group_index(comparison.groups, group) end
    check_runs(comparison, model, kind, of)
    return kind, of
end

---@param comparison pinion.Comparison
---@param path string
---@param options pinion.PlotOptions
---@return boolean drawn
function M.draw(comparison, path, options)
    local kind, of = M.check(comparison, path, options)
    local title, log_x = optional(options, "title", check.text),
        optional(options, "log_x", check.boolean)
    if kind == "cdf" then
        return draw(path, title,
            distributions(comparison, of, { log_x = log_x, group = options.group }))
    end
    if kind == "slowdown" then
        return draw(path, title, slowdowns(comparison, { log_x = log_x }))
    end
    if kind == "bars" then return draw(path, title, bars(comparison, of)) end
    if kind == "ratio" then return draw(path, title, ratios(comparison)) end
    return draw(path, title, convergence(comparison, of))
end

-- ---- one result ---------------------------------------------------------------------------------

---Draws a result as a comparison of one policy.
---@param result pinion.Result
---@param path string
---@param options pinion.PlotOptions
---@return boolean drawn
function M.draw_result(result, path, options)
    check_options(options, with { log_x = true, group = true })
    local model = models.of(result)
    local row = { policy = result.policy, relaxed = result.relaxed, result = result, pooled = {},
        slowdown_by_size = result.slowdown_by_size }
    for _, sample in ipairs(model.results.samples) do
        row.pooled[sample.name] = result:counts_of(sample.name)
    end
    row.groups, row.group_counts = result.groups, {}
    for i in ipairs(options.group and result.groups or {}) do
        row.group_counts[i] = {}
        for _, sample in ipairs(model.results.samples) do
            row.group_counts[i][sample.name] = result:counts_of(sample.name, i)
        end
    end
    for _, measure in ipairs(parts.measures(model)) do row[measure.name] = result[measure.name] end
    for _, name in ipairs(statistics.QUANTILE_NAMES) do
        row[name] = result[model.results.samples[1].name][name]
    end
    return M.draw({ model = result.model, rows = { row }, replicas = 1, bounds = result.bounds },
        path, options)
end

-- ---- a sweep ------------------------------------------------------------------------------------

local function find_axis(over, name)
    local names = {}
    for i, axis in ipairs(over) do
        if axis.name == name then return i, axis end
        names[i] = axis.name
    end
    fault.usage("plot: x: %s does not vary %s", check.show(name),
        suggest.hint(tostring(name), names))
end

-- Reads which rows are drawn: of every other axis one value, given by `where` or the only one there
-- is.
local function read_where(over, x, where)
    if type(where) ~= "table" then
        fault.usage("plot: where must be a table of values by name, got %s", check.show(where))
    end
    local chosen, names = {}, {}
    for i, axis in ipairs(over) do names[axis.name] = i end
    for _, name in ipairs(check.sorted_keys(where)) do
        if not names[name] then
            fault.usage("plot: where: %s does not vary %s", check.show(name),
                suggest.hint(tostring(name), check.sorted_keys(names)))
        end
        if names[name] == x then fault.usage("plot: where: %s is the axis of the figure", name) end
    end
    for i, axis in ipairs(over) do
        if i ~= x then
            local value = where[axis.name]
            for k, known in ipairs(axis.values) do
                if value == known or value == nil and #axis.values == 1 then chosen[i] = k end
            end
            if value ~= nil and not chosen[i] then
                fault.usage("plot: where: %s has no value %s", axis.name, check.show(value))
            end
        end
    end
    return chosen
end

local PANELS_MOST = 12

-- Returns the settings that are neither axes of the figure nor chosen, and the values of these.
local function others_of(over, read)
    local others, fixed = {}, {}
    for i, axis in ipairs(over) do
        if read.where[i] then
            fixed[axis.name] = axis.values[read.where[i]]
        elseif i ~= read.x and i ~= read.y then
            others[#others + 1] = axis
        end
    end
    return others, fixed
end

-- Returns the second axis of a map: what varies next.
local function second_axis(over, read)
    for i, axis in ipairs(over) do
        if i ~= read.x and not read.where[i] and #axis.values > 1 then return i end
    end
    fault.usage("plot: kind heat needs two settings that vary, got one")
end

-- Checks that a figure has no more panels than can be seen.
local function check_panels(over, read, policies)
    local count = read.kind == "heat" and policies or 1
    for _, axis in ipairs((others_of(over, read))) do count = count * #axis.values end
    if count > PANELS_MOST then
        fault.usage("plot: %d panels are too many for a figure (at most %d): let less vary, or "
            .. "choose values with where in a script", count, PANELS_MOST)
    end
end

local function read_sweep_options(model, over, policies, path, options)
    gnuplot.split_path(path)
    check_options(options, with { x = true, where = true, log_x = true, log_y = true })
    local kind = choose("kind", options.kind or "lines", { "lines", "heat" })
    local x, axis = find_axis(over, options.x or over[1].name)
    local numeric = parts.are_numbers(axis.values)
    local log_x, log_y = optional(options, "log_x", check.boolean),
        optional(options, "log_y", check.boolean)
    if kind == "heat" and (log_x or log_y) then
        fault.usage("plot: log_x and log_y have no effect with kind heat (expected lines)")
    end
    if log_x and not numeric then
        fault.usage("plot: log_x: the values of %s are no numbers", axis.name)
    end
    for _, value in ipairs(log_x and axis.values or {}) do
        if value <= 0 then
            fault.usage("plot: log_x: %s has values that are not positive", axis.name)
        end
    end
    local read = {
        kind = kind, x = x, axis = axis, numeric = numeric, log_x = log_x, log_y = log_y,
        where = read_where(over, x, options.where or {}),
        of = choose("of", options.of or parts.measures(model)[1].name,
            check.sorted_keys(parts.labels(model))),
        title = optional(options, "title", check.text),
    }
    read.y = kind == "heat" and second_axis(over, read) or nil
    check_panels(over, read, policies)
    return read
end

---Raises what M.draw_sweep would raise about its options: before a long run.
---@param model pinion.Model
---@param over pinion.Axis[]
---@param policies integer
---@param path string
---@param options table
function M.check_sweep(model, over, policies, path, options)
    read_sweep_options(model, over, policies, path, options)
end

-- Returns the curves of a panel: one for each policy with something to show.
local function curves_of(index, read, at)
    local curves = {}
    for i, policy in ipairs(index.policies) do
        local points = {}
        for k, value in ipairs(read.axis.values) do
            local row = index:find(policy, cells.with(at, read.axis, value))
            if row and row[read.of] then
                points[#points + 1] = { read.numeric and value or k, row[read.of],
                    row[read.of .. "_half"] }
            end
        end
        table.sort(points, function(a, b) return a[1] < b[1] end)
        if points[1] then curves[#curves + 1] = { title = policy, look = i, points = points } end
    end
    return curves
end

local function sweep_lines(_, read, index, facets)
    local made, all = {}, {}
    for _, cell in ipairs(facets) do
        local curves = curves_of(index, read, cell.at)
        if curves[1] then made[#made + 1] = { title = cell.name, curves = curves } end
        table.move(curves, 1, #curves, #all + 1, all)
    end
    if #made == 0 then return nil end
    local shown = in_unit(all, parts.labels(index.model)[read.of], 2)
    return panels.lines(made, {
        x = cells.label(index.model, read.axis.name), y = shown,
        names = not read.numeric and parts.written(read.axis.values) or nil,
        log_x = read.log_x, log_y = read.log_y,
    }, read.title)
end

-- Returns the cells of a policy's map.
local function map_of(index, read, policy, at, down)
    local made = {}
    for x, across in ipairs(read.axis.values) do
        for y, value in ipairs(down.values) do
            local row = index:find(policy,
                cells.with(cells.with(at, read.axis, across), down, value))
            local number = row and row[read.of]
            if number then made[#made + 1] = { x = x, y = y, value = number } end
        end
    end
    return made
end

-- Draws a map for each policy, and for each cell of what is neither axis nor chosen.
local function sweep_heat(sweep, read, index, facets)
    local made, most, down = {}, 0, sweep.over[read.y]
    for _, cell in ipairs(facets) do
        for _, policy in ipairs(index.policies) do
            local list = map_of(index, read, policy, cell.at, down)
            for _, one in ipairs(list) do most = math.max(most, one.value) end
            if list[1] then
                made[#made + 1] = { cells = list,
                    title = policy .. (cell.name and ", " .. cell.name or "") }
            end
        end
    end
    if #made == 0 then return nil end
    local shown, size = units.axis(parts.labels(index.model)[read.of], most)
    for _, panel in ipairs(made) do
        for _, one in ipairs(panel.cells) do one.value = one.value / size end
    end
    return panels.heat(made, { x = cells.label(index.model, read.axis.name),
        y = cells.label(index.model, down.name), x_names = parts.written(read.axis.values),
        y_names = parts.written(down.values), value = shown }, read.title)
end

---@param sweep pinion.Sweep
---@param path string
---@param options pinion.SweepPlotOptions
---@return boolean drawn
function M.draw_sweep(sweep, path, options)
    local index = cells.index(sweep)
    local read = read_sweep_options(index.model, sweep.over, #index.policies, path, options)
    local facets = cells.combinations(index.model, others_of(sweep.over, read))
    local made = (read.kind == "heat" and sweep_heat or sweep_lines)(sweep, read, index, facets)
    if not made then
        fault.usage("plot: no policy has %s here, there is nothing to draw", read.of)
    end
    return draw(path, made.title, made)
end

return M
