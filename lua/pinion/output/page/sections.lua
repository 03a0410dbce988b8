-- What the page of a result, a comparison, a sweep or of decision logs shows.

local again = require "pinion.output.again"
local answer = require "pinion.output.page.answer"
local charts = require "pinion.output.page.charts"
local comparisons = require "pinion.output.comparison"
local fault = require "pinion.base.fault"
local log = require "pinion.output.log"
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local results = require "pinion.output.result"
local run = require "pinion.output.page.run"
local single = require "pinion.run.single"
local stored = require "pinion.output.page.stored"
local swept = require "pinion.output.page.swept"
local sweeps = require "pinion.output.sweep"
local text = require "pinion.base.text"
local timeline = require "pinion.output.timeline"
local tunes = require "pinion.output.tune"
local units = require "pinion.output.units"

local M = {}

---Of all Gantt charts of a page together.
M.BARS_MOST = run.BARS_MOST

-- ---- documents as tables ------------------------------------------------------------------------

local function table_section(heading, columns, rows)
    local keys, heads = {}, {}
    for i, column in ipairs(columns) do
        heads[i] = { title = column[1], left = not column.right }
    end
    for i, row in ipairs(rows) do
        keys[i] = {}
        for c, cell in ipairs(row) do keys[i][c] = text.number_of(cell) or false end
    end
    return { kind = "table", heading = heading, columns = heads, rows = rows, keys = keys,
        notes = {} }
end

local GROUPS = "Results by group"

local function heading_of(block, before)
    if block.heading then return block.heading end
    if #before == 0 then return "Results" end
    local first = block.columns and block.columns[1][1] or ""
    return first:find "group" and GROUPS or "More results"
end

-- Returns the lines before the first table of a document, and a section for each table with those
-- behind.
---@param doc pinion.Document
---@return string[] lines, table[] sections
local function sections_of(doc)
    local before, made = {}, {}
    for _, block in ipairs(doc) do
        local last = made[#made]
        if block.columns then
            made[#made + 1] = table_section(heading_of(block, made), block.columns, block.rows)
        elseif block.entries then
            made[#made + 1] = table_section(heading_of(block, made),
                { { "what" }, { "value" } }, block.entries)
        elseif block.line ~= "" then
            table.insert(last and last.notes or before, block.line)
        end
    end
    return before, made
end

-- ---- runs made once more ------------------------------------------------------------------------

-- Makes a section of text in place of Gantt charts.
local function text_section(why)
    return { kind = "text", id = "schedule", heading = "Schedule", text = why }
end

-- Returns the Gantt charts that have room, and a note about those that have none.
local function gantt_section(paths, options)
    local runs, notes = {}, { "Drag to move. Click the chart, then use the wheel to zoom (with "
        .. "Shift: rows). Double-click to show all." }
    local left = M.BARS_MOST
    for i, path in ipairs(paths) do
        local name = options.names and options.names[i]
        local own = setmetatable({ name = name }, { __index = options })
        local made, bars = run.read(path, own, left)
        if made then
            runs[#runs + 1] = made
            left = left - bars
        else
            notes[#notes + 1] = string.format("%s: not drawn, as %s.",
                own.name or log.chart(path, options.jobs, true).policy, bars)
        end
    end
    if #runs == 0 then
        return text_section(table.concat(notes, "\n", 2))
    end
    return { kind = "gantts", id = "schedule", heading = "Schedule", runs = runs, notes = notes }
end

local LIVES = 10 -- of jobs, that a run is long when nothing says how long they are

-- Returns what happened over time and the schedules of logs; `options.most` gives the unit.
local function log_sections(paths, options)
    local made = {}
    -- Where no job has finished, there is no time to show.
    local over_time = timeline.read(paths,
        setmetatable({ whole = true, may_be_empty = true }, { __index = options }))
    local most = options.most or over_time and (over_time.to - over_time.from) / LIVES or 1
    options = setmetatable({ clock = units.clock(log.model(paths[1]), most) },
        { __index = options })
    if over_time then
        made[1] = charts.timeline(over_time, options.clock, options.names)
    end
    made[#made + 1] = gantt_section(paths, options)
    return made
end

---Returns the name of each job by its number; nil where jobs have none.
---@param opened pinion.Opened
---@return (fun(id: integer): string|nil)|nil
function M.names_of(opened)
    local names = opened.names
    if not names or not next(names) then return nil end
    return function(id) return names[id] end
end

---@class pinion.PageRun
---@field label string
---@field result pinion.Result
---@field settings pinion.Settings

-- Jobs beyond this are not run once more for a page.
local JOBS_MOST = 200000

local function add(sections, section)
    if section then sections[#sections + 1] = section end
end

local function run_sections(model, runs, most, sections)
    if #runs == 0 then return end
    for _, one in ipairs(runs) do
        if one.result.submitted > JOBS_MOST then
            return add(sections, text_section(string.format(
                "%s: not drawn, as it has more than %d jobs.", one.label, JOBS_MOST)))
        end
    end
    local opened = single.open(runs[1].settings)
    local names, list = {}, {}
    for i, one in ipairs(runs) do names[i], list[i] = one.label, one.settings end
    again.with_logs(list, opened, function(paths, jobs, again_made)
        local settings = list[1]
        for i, one in ipairs(runs) do one.result = again_made[i] end
        add(sections, charts.slowdowns(runs, opened, model, most))
        for _, section in ipairs(log_sections(paths, { jobs = jobs, machines = settings.machines,
            most = most, group_of = again.groups(opened), name_of = M.names_of(opened),
            names = names })) do
            add(sections, section)
        end
    end, true)
end

-- ---- pages --------------------------------------------------------------------------------------

local function title_of(model, what, workload)
    return string.format("%s on %s (%s)", what, workload or "a workload", model.name)
end

-- Returns the longest mean of rows, which gives the unit of the page.
local function longest(model, rows)
    local name, most = parts.measures(model)[1].name, 0
    for _, row in ipairs(rows) do most = math.max(most, row[name] or 0) end
    return most
end

-- Puts a page together: the bars that answer its question, the first table, charts, other tables.
local function page_of(model, what, workload, asked, document, answers, rest)
    local lines, tables = sections_of(document)
    if asked and lines[1] then lines[1] = model.name .. " model, " .. lines[1] end
    local sections = {}
    for _, section in ipairs(answers) do add(sections, section) end
    add(sections, tables[1])
    for _, section in ipairs(rest) do add(sections, section) end
    for i = 2, #tables do add(sections, tables[i]) end
    -- What is said of both tables of a comparison stands below the first.
    if #tables == 2 and tables[2].heading == GROUPS then
        tables[1].notes, tables[#tables].notes = tables[#tables].notes, tables[1].notes
    end
    return { title = title_of(model, what, workload), question = asked and asked.question,
        answer = asked and asked.answer, lines = lines, sections = sections }
end

---@param comparison pinion.Comparison
---@return pinion.Page
function M.comparison(comparison)
    local model, runs = models.of(comparison), {}
    local most = longest(model, comparison.rows)
    for _, row in ipairs(comparison.rows) do
        local settings = row.result and single.settings_of(row.result)
        if settings then
            runs[#runs + 1] = { label = parts.label(row), result = row.result, settings = settings }
        end
    end
    local what = #comparison.rows == 1 and parts.label(comparison.rows[1])
        or #comparison.rows .. " policies"
    return text.with_unit_of(most, function()
        local rest = {}
        add(rest, answer.groups(model, comparison.rows, most))
        add(rest, charts.distributions(model, comparison.rows, most))
        run_sections(model, runs, most, rest)
        return page_of(model, what, comparison.workload,
            answer.of_comparison(comparison), comparisons.document(comparison, true),
            { answer.bars(model, comparison.rows, most) }, rest)
    end)
end

---@param sweep pinion.Sweep
---@return pinion.Page
function M.sweep(sweep)
    local over, most = {}, longest(models.of(sweep), sweep.rows)
    for i, axis in ipairs(sweep.over) do over[i] = axis.name end
    return text.with_unit_of(most, function()
        local answers = {}
        add(answers, swept.lines(sweep, most))
        add(answers, swept.maps(sweep, most))
        return page_of(models.of(sweep), "Sweep over " .. table.concat(over, ", "),
            sweep.workload, answer.of_sweep(sweep), sweeps.document(sweep), answers, {})
    end)
end

---@param made pinion.Tune
---@return pinion.Page
function M.tune(made)
    local most = longest(models.of(made), made.comparisons[1].rows)
    return text.with_unit_of(most, function()
        return page_of(models.of(made), "Tuning " .. made.policy, made.comparisons[1].workload,
            nil, tunes.document(made), {}, { charts.responses(made, most) })
    end)
end

-- Returns a result as the only row of a comparison.
local function row_of(model, result)
    local row = { policy = result.policy, relaxed = result.relaxed, pooled = {} }
    for _, sample in ipairs(model.results.samples) do
        row.pooled[sample.name] = result:counts_of(sample.name)
    end
    return row
end

---@param result pinion.Result
---@return pinion.Page
function M.result(result)
    local model = models.of(result)
    local most = longest(model, { result })
    local settings = single.settings_of(result)
    return text.with_unit_of(most, function()
        local rest = {}
        add(rest, charts.distributions(model, { row_of(model, result) }, most))
        run_sections(model, settings and { { label = result.policy, result = result,
            settings = settings } } or {}, most, rest)
        return page_of(model, result.policy, result.workload, nil,
            results.document(result), {}, rest)
    end)
end

-- Adds a page; each of its own files has a line of its own.
local function add_page(into, made, of)
    for _, line in ipairs(made.lines) do table.insert(into.lines, of .. line) end
    for _, section in ipairs(made.sections) do
        section.id = nil
        section.heading = section.heading .. (of ~= "" and ", " .. of:gsub(": $", "") or "")
        table.insert(into.sections, section)
    end
end

-- Guards: what looks like a result and has something else where a number or a list belongs is no
-- defect of the program.
local function guarded(path, read)
    local ok, problem = pcall(read)
    if ok then return end
    if type(problem) ~= "string" or fault.is_memory(problem) then error(problem, 0) end
    fault.at(path, nil, "a field is not of the type that simulate, compare and sweep write there")
end

---Joins stored results: those of single runs of one model as one comparison.
---@param files { path: string, object: table }[]
---@return pinion.Page
function M.stored(files)
    local singles, whole, order = {}, {}, {}
    for _, file in ipairs(files) do
        guarded(file.path, function()
            local read, model = stored.read(file.path, file.object)
            if read.kind ~= "result" then
                whole[#whole + 1] = { path = file.path,
                    page = (read.kind == "sweep" and M.sweep or M.comparison)(read.value) }
                return
            end
            if not singles[model] then
                singles[model] = { paths = {} }
                order[#order + 1] = model
            end
            table.insert(singles[model], { path = file.path, stored = read })
            table.insert(singles[model].paths, file.path)
        end)
    end
    for _, model in ipairs(order) do
        local list = singles[model]
        guarded(table.concat(list.paths, ", "), function()
            table.insert(whole,
                { path = model.name, page = M.comparison(stored.join(model, list)) })
        end)
    end
    if #whole == 1 then return whole[1].page end
    local made = { title = #files .. " results", lines = {}, sections = {} }
    for _, one in ipairs(whole) do
        add_page(made, one.page, one.path .. ": ")
    end
    return made
end

---@param first pinion.Page|nil
---@param second pinion.Page
---@return pinion.Page of both
function M.join(first, second)
    if not first then return second end
    add_page(first, second, "")
    return first
end

---@param paths string[] decision logs of one model
---@param options { jobs: table[]|nil, machines: integer|nil, group_of: function|nil, name_of: function|nil }
---@return pinion.Page
function M.logs(paths, options)
    local policies = {}
    for i, path in ipairs(paths) do policies[i] = log.chart(path, options.jobs, true).policy end
    return { title = table.concat(policies, ", "),
        lines = { "From decision logs: " .. table.concat(paths, ", ") },
        sections = log_sections(paths, options) }
end

return M
