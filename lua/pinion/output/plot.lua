-- Figures of comparisons, sweeps and results, drawn by gnuplot. Data and script are left beside the
-- figure, so that it can be drawn again by hand.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local figures = require "pinion.output.plot_figures"
local generators = require "pinion.workload.generators"
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

local function label(row)
    return row.policy .. (row.relaxed and " (relaxed)" or "")
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
        curves[i] = { title = label(row), points = figures.curve(pooled and pooled[of] or {}) }
        any = any or curves[i].points[1] ~= nil
    end
    if not any then fault.usage("plot: no job has finished, so there is nothing to draw") end
    local shown = in_unit(curves, sample_label(model, of), 1)
    return figures.distributions(curves, shown, options.log_x)
end

local function bars(comparison, of)
    local list, most = {}, nil
    for i, row in ipairs(comparison.rows) do
        list[i] = { title = label(row), value = row[of], half = row[of .. "_half"] }
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
            curves[#curves + 1] = { title = label(row), look = i, points = points }
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
            curves[#curves + 1] = { title = label(row), look = i, points = points }
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
            curves[#curves + 1] = { title = label(row), look = i, points = points }
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

local AXIS_LABELS = { error = "error in sizes (factor)", seed = "seed", workload = "workload" }

local LABEL_MOST = 84 -- letters below a figure

-- Returns what the option of a generator of the model is, in its own words as far as their first
-- semicolon, if there is room for them.
local function option_label(model, name)
    for _, kind in ipairs(generators.names(model.name)) do
        local generator = generators.find(kind)
        for _, field in ipairs(generator.fields) do
            if field.name == name and (not field.models or field.models[model.name]) then
                local label = string.format("%s (%s)", name, field.doc:match "^[^;]*")
                return #label <= LABEL_MOST and label or name
            end
        end
    end
    return name
end

local function axis_label(model, name)
    local prefix, option = name:match("^(%a+)%.(.+)$")
    if prefix == "workload" then return option_label(model, option) end
    return model.words.axes[name] or AXIS_LABELS[name] or option or name
end

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

local FACETS_MOST = 12

-- Reads the axis across the cells of a heat map, and checks that it has a second.
local function check_heat(over, x, where)
    local left
    for i, axis in ipairs(over) do
        if i ~= x and not where[i] and #axis.values > 1 then left = left or i end
    end
    if not left then fault.usage("plot: kind heat needs two settings that vary, got one") end
    return left
end

-- Checks that the settings that are neither drawn nor chosen give no more panels than can be seen.
local function check_facets(over, x, y, where, of_each)
    local count = of_each
    for i, axis in ipairs(over) do
        if i ~= x and i ~= y and not where[i] then count = count * #axis.values end
    end
    if count > FACETS_MOST then
        fault.usage("plot: %d panels are too many for a figure (at most %d): choose with where",
            count, FACETS_MOST)
    end
end

local function read_sweep_options(model, over, path, options)
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
    local where = read_where(over, x, options.where or {})
    local y = kind == "heat" and check_heat(over, x, where) or nil
    check_facets(over, x, y, where, 1)
    return {
        kind = kind, x = x, y = y, axis = axis, numeric = numeric, where = where, log_x = log_x,
        log_y = log_y,
        of = choose("of", options.of or parts.measures(model)[1].name,
            check.sorted_keys(parts.labels(model))),
        title = optional(options, "title", check.text),
    }
end

---Raises what M.draw_sweep would raise about its options: before a long run.
---@param model pinion.Model
---@param over pinion.Axis[]
---@param path string
---@param options table
function M.check_sweep(model, over, path, options)
    read_sweep_options(model, over, path, options)
end

-- Returns whether a row is among those that were chosen.
local function is_chosen(sweep, read, row)
    for i in ipairs(sweep.over) do
        local chosen = read.where[i]
        if chosen and row.cell[i] and chosen ~= row.cell[i] then return false end
    end
    return true
end

-- Returns what is said of the settings of a cell that are neither axes of the figure nor chosen.
local function facet_title(sweep, read, cell)
    local model, said = models.of(sweep), {}
    for i, axis in ipairs(sweep.over) do
        if i ~= read.x and i ~= read.y and not read.where[i] then
            said[#said + 1] = string.format("%s %s",
                axis_label(model, axis.name):match("^[^ ]+"), axis.values[cell[i]])
        end
    end
    return table.concat(said, ", ")
end

-- Returns all cells of the settings that are neither axes of the figure nor chosen.
local function facet_cells(sweep, read)
    local cells = { {} }
    for i, axis in ipairs(sweep.over) do
        if i ~= read.x and i ~= read.y and not read.where[i] then
            local longer = {}
            for _, cell in ipairs(cells) do
                for k in ipairs(axis.values) do
                    local made = { table.unpack(cell, 1, i) }
                    made[i] = k
                    longer[#longer + 1] = made
                end
            end
            cells = longer
        end
    end
    return cells
end

-- Returns whether a row belongs to a panel: one without the setting belongs to all.
local function is_in_facet(row, cell, count)
    for i = 1, count do
        if cell[i] and row.cell[i] and cell[i] ~= row.cell[i] then return false end
    end
    return true
end

-- Returns the places of a row on an axis: a policy without the setting is the same everywhere.
local function places_on(row, i, axis)
    local at = row.cell[i]
    return at or 1, at or #axis.values
end

-- Returns the look of each policy, the same in every panel and figure of a sweep, also where the
-- baseline has nothing to show.
local function looks_of(sweep)
    local look_of, count = {}, 0
    for _, row in ipairs(sweep.rows) do
        if not look_of[label(row)] then
            count = count + 1
            look_of[label(row)] = count
        end
    end
    return look_of
end

local function facet_curves(sweep, read, cell, look_of)
    local curves, curve_of = {}, {}
    for _, row in ipairs(sweep.rows) do
        if row[read.of] and is_chosen(sweep, read, row)
            and is_in_facet(row, cell, #sweep.over) then
            local title = label(row)
            local curve = curve_of[title]
            if not curve then
                curve = { title = title, look = look_of[title], points = {} }
                curves[#curves + 1], curve_of[title] = curve, curve
            end
            local from, to = places_on(row, read.x, read.axis)
            for at = from, to do
                curve.points[#curve.points + 1] = { read.numeric and read.axis.values[at] or at,
                    row[read.of], row[read.of .. "_half"] }
            end
        end
    end
    for _, curve in ipairs(curves) do
        table.sort(curve.points, function(a, b) return a[1] < b[1] end)
    end
    return curves
end

local function nothing(read)
    fault.usage("plot: no policy has %s here, there is nothing to draw", read.of)
end

local function sweep_lines(sweep, read)
    local model, made, all, look_of = models.of(sweep), {}, {}, looks_of(sweep)
    for _, cell in ipairs(facet_cells(sweep, read)) do
        local curves, title = facet_curves(sweep, read, cell, look_of),
            facet_title(sweep, read, cell)
        if #curves > 0 then
            made[#made + 1] = { title = title ~= "" and title or nil, curves = curves }
            table.move(curves, 1, #curves, #all + 1, all)
        end
    end
    if #made == 0 then nothing(read) end
    local shown = in_unit(all, parts.labels(model)[read.of], 2)
    return panels.lines(made, {
        x = axis_label(model, read.axis.name), y = shown,
        names = not read.numeric and parts.written(read.axis.values) or nil,
        log_x = read.log_x, log_y = read.log_y,
    }, read.title)
end

local function facet_values(sweep, read, cell, policy)
    local cells = {}
    for _, row in ipairs(sweep.rows) do
        if label(row) == policy and row[read.of] and is_chosen(sweep, read, row)
            and is_in_facet(row, cell, #sweep.over) then
            local x_from, x_to = places_on(row, read.x, read.axis)
            local y_from, y_to = places_on(row, read.y, sweep.over[read.y])
            for x = x_from, x_to do
                for y = y_from, y_to do
                    cells[#cells + 1] = { x = x, y = y, value = row[read.of] }
                end
            end
        end
    end
    return cells
end

-- Draws a heat map for each policy, and for each cell of what is neither axis nor chosen.
local function sweep_heat(sweep, read)
    local model, made, look_of, most = models.of(sweep), {}, looks_of(sweep), 0
    local policies, facets = {}, facet_cells(sweep, read)
    for policy, i in next, look_of do policies[i] = policy end
    check_facets(sweep.over, read.x, read.y, read.where, #policies)
    for _, cell in ipairs(facets) do
        for _, policy in ipairs(policies) do
            local cells, facet = facet_values(sweep, read, cell, policy),
                facet_title(sweep, read, cell)
            for _, one in ipairs(cells) do most = math.max(most, one.value) end
            if #cells > 0 then
                made[#made + 1] = { cells = cells,
                    title = policy .. (facet ~= "" and ", " .. facet or "") }
            end
        end
    end
    if #made == 0 then nothing(read) end
    local shown, size = units.axis(parts.labels(model)[read.of], most)
    for _, panel in ipairs(made) do
        for _, one in ipairs(panel.cells) do one.value = one.value / size end
    end
    local down = sweep.over[read.y]
    return panels.heat(made, { x = axis_label(model, read.axis.name),
        y = axis_label(model, down.name), x_names = parts.written(read.axis.values),
        y_names = parts.written(down.values), value = shown }, read.title)
end

---@param sweep pinion.Sweep
---@param path string
---@param options pinion.SweepPlotOptions
---@return boolean drawn
function M.draw_sweep(sweep, path, options)
    local read = read_sweep_options(models.of(sweep), sweep.over, path, options)
    local made = (read.kind == "heat" and sweep_heat or sweep_lines)(sweep, read)
    return draw(path, made.title, made)
end

return M
