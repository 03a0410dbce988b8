-- What a chart shows of the bars of a log. Equal bars on neighbouring rows are one rectangle. Where
-- even so more rectangles remain than can be told apart, rows and time are cut into cells instead,
-- each with the job that fills most of it: a figure does not grow with its log.

local log = require "pinion.output.log"

local M = {}

-- So many rectangles are drawn one by one; and so many that are thinner than THIN.
local RECTANGLES_MOST, THIN_MOST = 20000, 2000
local THIN = 1.0
-- Edge of a cell.
local CELL = 3

---@class pinion.GanttRectangle: pinion.LogBar
---@field tasks integer

---@class pinion.GanttCells
---@field job integer
---@field level integer 1..LEVELS, how full
---@field x integer cell
---@field y integer cell
---@field width integer cells

---Shades of a cell by how full it is.
M.LEVELS = 4

---How much of a bar's colour it has while it waits.
M.WAITING = 0.35

local function before(a, b)
    if a.panel ~= b.panel then return a.panel < b.panel end
    return a.first < b.first
end

local function are_alike(a, b)
    return a.job == b.job and a.from == b.from and a.to == b.to and a.fate == b.fate
        and a.works == b.works
end

-- Bars that start, or end, at one time, as rectangles.
local function merge(bars, add)
    table.sort(bars, before)
    local made
    for _, bar in ipairs(bars) do
        if made and made.panel == bar.panel and made.last + 1 == bar.first
                and are_alike(made, bar) then
            made.last, made.tasks = bar.last, made.tasks + 1
        else
            if made then add(made) end
            made, bar.tasks = bar, 1
        end
    end
    if made then add(made) end
end

---@class pinion.GanttFound
---@field outcome pinion.LogEnd
---@field last number the end of the last bar
---@field jobs integer[]
---@field fates table<string, boolean> that bars have; true also under "waits" where one begins to work after its start
---@field rectangles pinion.GanttRectangle[]|nil nil: more than can be drawn

local function copy(bar)
    return { panel = bar.panel, first = bar.first, last = bar.last, job = bar.job, task = bar.task,
        stage = bar.stage, from = bar.from, to = bar.to,
             start = bar.start, finish = bar.finish, fate = bar.fate, works = bar.works }
end

---The rectangles of a log, and what is known of all of its bars.
---@param path string
---@param chart pinion.LogChart
---@param row_height number[] by panel
---@return pinion.GanttFound
function M.collect(path, chart, row_height)
    local rectangles, thin, many = {}, 0, false
    local together, moment = {}, nil
    local seen, jobs, fates, last = {}, {}, {}, 0.0
    local function add(rectangle)
        if (rectangle.last - rectangle.first + 1) * row_height[rectangle.panel] < THIN then
            thin = thin + 1
        end
        many = many or #rectangles == RECTANGLES_MOST or thin > THIN_MOST
        if many then rectangles = {} else rectangles[#rectangles + 1] = rectangle end
    end
    local outcome = log.each(path, chart, { bar = function(bar)
        if not seen[bar.job] then
            seen[bar.job] = true
            jobs[#jobs + 1] = bar.job
        end
        if bar.finish > last then last = bar.finish end
        if bar.fate then fates[bar.fate] = true end
        if bar.works then fates.waits = true end
        if many then return end
        local at = chart.by_end and bar.to or bar.from
        if at ~= moment then
            merge(together, add)
            together, moment = {}, at
        end
        together[#together + 1] = copy(bar)
    end })
    merge(together, add)
    table.sort(jobs)
    return { outcome = outcome, last = math.max(last, log.number(outcome.finish)), jobs = jobs,
             fates = many and { waits = fates.waits } or fates,
             rectangles = not many and rectangles or nil }
end

-- ---- cells --------------------------------------------------------------------------------------

-- Adds the area of a bar between two times to each cell that it touches: area[row of
-- cells][column][job].
local function fill(area, bar, start, finish, weight, columns_to_unit, columns, rows_to_row, rows)
    local left, right = start * columns_to_unit, finish * columns_to_unit
    local top, bottom = (bar.first - 1) * rows_to_row, bar.last * rows_to_row
    local x_first, x_last = left // 1 | 0, math.min(math.ceil(right), columns) - 1
    local job = bar.job
    for y = top // 1 | 0, math.min(math.ceil(bottom), rows) - 1 do
        local line = area[y]
        if not line then
            line = {}
            area[y] = line
        end
        local high = weight * ((bottom < y + 1 and bottom or y + 1) - (top > y and top or y))
        for x = x_first, x_last do
            local cell = line[x]
            if not cell then
                cell = {}
                line[x] = cell
            end
            cell[job] = (cell[job] or 0) + high
                * ((right < x + 1 and right or x + 1) - (left > x and left or x))
        end
    end
end

-- The job with the largest area, ties to the smaller id, and how full the cell is.
local function winner(cell)
    local job, most, all = nil, 0, 0
    for id, part in next, cell do
        all = all + part
        if part > most or part == most and id < job then job, most = id, part end
    end
    return job, math.min(M.LEVELS, math.max(1, math.ceil(all * M.LEVELS - 1e-6)))
end

-- Neighbouring cells in a line that look the same are one.
local function runs_of(line, y, columns, visit)
    local run
    for x = 0, columns - 1 do
        local job, level
        if line[x] then job, level = winner(line[x]) end
        if run and run.job == job and run.level == level then
            run.width = run.width + 1
        else
            if run then visit(run) end
            run = job and { job = job, level = level, x = x, y = y, width = 1 } or nil
        end
    end
    if run then visit(run) end
end

---@class pinion.GanttGrid
---@field columns integer
---@field rows integer
---@field each fun(visit: fun(run: pinion.GanttCells))

---The log once more, as a grid for each panel.
---@param path string
---@param chart pinion.LogChart
---@param last number the end of the time axis
---@param width number of the drawing
---@param heights number[] of the panels
---@return pinion.GanttGrid[]
function M.cells(path, chart, last, width, heights)
    local grids, areas = {}, {}
    for i, panel in ipairs(chart.panels) do
        areas[i] = {}
        local columns, rows = math.max(1, width // CELL),
            math.max(1, math.min(panel.rows, heights[i] // CELL))
        columns, rows = math.tointeger(columns), math.tointeger(rows)
        grids[i] = {
            columns = columns, rows = rows,
            each = function(visit)
                for y = 0, rows - 1 do
                    if areas[i][y] then runs_of(areas[i][y], y, columns, visit) end
                end
            end,
        }
    end
    log.each(path, chart, { bar = function(bar)
        local grid, works = grids[bar.panel], bar.works
        local function part(from, to, weight)
            fill(areas[bar.panel], bar, from, to, weight, grid.columns / last, grid.columns,
                grid.rows / chart.panels[bar.panel].rows, grid.rows)
        end
        if works then part(bar.start, works, M.WAITING) end
        if not works or works < bar.finish then part(works or bar.start, bar.finish, 1.0) end
    end })
    return grids
end

return M
