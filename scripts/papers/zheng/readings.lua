-- What Figures 5 to 8 of Zheng, Shroff, Sinha (2013) leave to the reader: into how many tasks a
-- job's reduces are cut, how exponential sizes become whole units, how long jobs arrive, and
-- whether the number of tasks caps the maps, too. The same figures are made under every reading.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "zheng.reference"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

---"Much smaller": the runner-up takes at least this many times the flow time.
M.MUCH = 1.10

-- ---- the readings -------------------------------------------------------------------------------

local function generated(options)
    return function(setting, slots)
        local merged = { setting = setting, rate = runs.RATE, slots = slots or runs.SLOTS }
        for name, value in pairs(options) do merged[name] = value end
        return pinion.workload.zheng(merged)
    end
end

-- The generator's jobs, draw by draw, with sizes that `size` draws and maps of at most so many.
local function scripted(size, maps_most)
    return function(setting, slots)
        local maps, reduces = table.unpack(runs.SETTINGS[setting].draws)
        return { model = "slotted", generate = function(g)
            for slot = 1, slots or runs.SLOTS do
                for _ = 1, g:poisson(runs.RATE) do
                    local m, r = size(g, maps), size(g, reduces)
                    g:job { arrival = slot, maps = math.min(m, maps_most), reduces = r, tasks = 10 }
                end
            end
        end }
    end
end

local function up(g, sizes) return g:draw(sizes) end
local function nearest(g, sizes) return math.max(1, math.floor(g:real(sizes) + 0.5)) end
local function down(g, sizes) return math.max(1, math.floor(g:real(sizes))) end

local NONPREEMPTIVE, EXPONENTIAL = { "nonpreemptive" }, { 0, 1 }

---The first is that of all other sections. Tasks mean nothing where reduces are divisible.
---@class pinion.ZhengReading
---@field key string
---@field title string
---@field tasks string|nil how many tasks it has, of those that differ in this
---@field workload fun(setting: integer, slots: integer|nil): any
---@field modes string[]
---@field settings integer[]

---@type pinion.ZhengReading[]
M.READINGS = {
    { key = "ten", title = "10 tasks, rounded up, T = 500", workload = generated {},
        modes = runs.MODES, settings = { 0, 1, 2, 3 }, tasks = "10 tasks" },
    { key = "uniform", title = "U{1..10} tasks", tasks = "U{1..10} tasks",
        workload = generated { tasks = "uniform(1,10)" },
        modes = NONPREEMPTIVE, settings = { 0, 1, 2, 3 } },
    { key = "one", title = "1 task", tasks = "1 task", workload = generated { tasks = 1 },
        modes = NONPREEMPTIVE, settings = { 0, 1, 2, 3 } },
    { key = "nearest", title = "rounded to the nearest", workload = scripted(nearest, math.huge),
        modes = runs.MODES, settings = EXPONENTIAL },
    { key = "down", title = "rounded down", workload = scripted(down, math.huge),
        modes = runs.MODES, settings = EXPONENTIAL },
    { key = "long", title = "T = 800", workload = generated { slots = 800 },
        modes = runs.MODES, settings = { 0, 1, 2, 3 } },
    { key = "capped", title = "at most 10 maps, too", workload = scripted(up, 10),
        modes = runs.MODES, settings = { 0, 1, 3 } },
}

---@return pinion.ZhengReading
function M.find(key)
    for _, reading in ipairs(M.READINGS) do
        if reading.key == key then return reading end
    end
end

---The runs of a figure under a reading; those of the first are the figure's own.
---@param context pinion.PaperContext
---@param reading pinion.ZhengReading
---@return pinion.PaperCell
function M.cell(context, reading, setting, mode)
    if reading.key == "ten" then return runs.figure_cell(context, setting, mode) end
    local key = string.format("readings %s %d %s", reading.key, setting, mode)
    if not context.cache[key] then
        context.cache[key] = runs.cell(context, {
            label = key, workload = reading.workload(setting), machines = runs.MACHINES,
            reduce = mode, policies = runs.PAPERS_OWN, seeds = context.seeds,
        })
    end
    return context.cache[key]
end

---What a reading makes of "much smaller": nil when these seeds cannot tell.
---@param cell pinion.PaperCell
---@return boolean|nil much, pinion.Sample lead of ASRPT over the best of the others
function M.is_much(cell)
    local sample = experiment.summary(runs.leads(cell))
    return experiment.above(sample, M.MUCH), sample
end

---"21 % ± 1", of a lead.
---@param sample pinion.Sample
---@return string
function M.lead_text(sample)
    return string.format("%+.1f ± %.1f %%", 100 * (sample.mean - 1), 100 * sample.half)
end

-- ---- the table ----------------------------------------------------------------------------------

local function known_of(reading, setting, mode)
    if reading.key == "ten" then return { reference.efficiency[setting][mode].asrpt[1] } end
    local tasks = reference.tasks[reading.key]
    if tasks then return tasks[setting] end
    return mode == "preemptive" and setting == 0 and reference.rounding[reading.key] or {}
end

local function row_of(section, context, reading, setting, mode)
    local cell = M.cell(context, reading, setting, mode)
    local ratio = experiment.summary(runs.ratios(cell, "asrpt", "lower"))
    local much, lead = M.is_much(cell)
    local row = {
        reading = reading.title, figure = 5 + setting, reduce = mode, mean = ratio.mean,
        half = ratio.half, reference = known_of(reading, setting, mode)[1], lead = lead.mean,
        lead_half = lead.half, much = much, sample = lead, seeds = cell.seeds,
        seed = context.seed, digest = cell.digest.asrpt,
    }
    row.last = experiment.summary(runs.ratios(cell, "lrpt", "asrpt")).mean
    if row.reference and reading.key ~= "ten" then
        -- The reference does not say over how many seeds; 20 are taken.
        row.agrees = section:compare(
            string.format("%s, figure %d, %s", reading.title, row.figure, mode), ratio.mean,
            row.reference, experiment.tolerance(ratio.sd, cell.seeds, 20, true)
            + (row.reference < 2 and 0.0005 or 0.05))
    end
    return row
end

local COLUMNS = {
    { key = "reading", title = "reading" },
    { key = "figure", title = "figure", right = true },
    { key = "reduce", title = "reduces" },
    { key = "mean", title = "ASRPT/SRPT", right = true,
        show = function(value, row) return text.with_half(value, row.half, 3) end },
    { key = "half" },
    { key = "reference", title = "reference", right = true,
        show = function(value) return value and string.format("%.4g", value) or "-" end },
    papers.AGREES_COLUMN,
    { key = "lead", title = "the best other takes", right = true,
        show = function(_, row) return M.lead_text(row.sample) end },
    { key = "lead_half" },
    { key = "much", title = "10 % or more", show = function(value)
        return value == nil and "undecided" or value and "yes" or "no"
    end },
    { key = "last", title = "LRPT/ASRPT", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "seeds" }, { key = "seed" }, { key = "digest", title = "digest of ASRPT" },
}

-- ---- claims -------------------------------------------------------------------------------------

-- The readings under which every figure, and no figure, has "much", of one mode.
local function by_reading(rows, mode)
    local parts = {}
    for _, reading in ipairs(M.READINGS) do
        local leads = {}
        for _, row in ipairs(rows) do
            if row.reading == reading.title and row.reduce == mode then
                leads[#leads + 1] = string.format("%d", math.floor(100 * row.lead - 99.5))
            end
        end
        if #leads > 0 then
            parts[#parts + 1] = reading.title .. " " .. table.concat(leads, "/") .. " %"
        end
    end
    return mode .. ": " .. table.concat(parts, "; ")
end

-- "10 tasks 21/30/7/7 %": the reference's leads of ASRPT over FIFO without preemption.
local function reference_text()
    local ten, parts = {}, {}
    for setting = 0, 3 do
        local known = reference.efficiency[setting].nonpreemptive
        ten[setting] = { known.asrpt[1], known.fifo[1] / known.asrpt[1] }
    end
    for i, entry in ipairs {
        { "10 tasks", ten }, { "U{1..10} tasks", reference.tasks.uniform },
        { "1 task", reference.tasks.one },
    } do
        local leads = {}
        for setting = 0, 3 do
            leads[setting + 1] = string.format("%.0f", 100 * (entry[2][setting][2] - 1))
        end
        parts[i] = entry[1] .. " " .. table.concat(leads, "/") .. " %"
    end
    return "what FIFO takes beyond ASRPT without preemption, by figure: "
        .. table.concat(parts, ", ")
end

local function judge_much(section, rows)
    local votes = papers.votes()
    for _, row in ipairs(rows) do papers.vote(votes, row.much) end
    section:claim {
        label = "ASRPT much smaller, under every reading", where = "Section VII-B",
        claim = "\"[T]he total flow-time of ASRPT is much smaller than all the other "
            .. "schedulers\", with \"the number of tasks in each job [...] up to 10\".",
        paper = "bars without numbers; the reading is not given",
        reference = reference_text(),
        ours = "what the best other takes beyond ASRPT, by figure, " .. by_reading(rows,
            "preemptive") .. ". " .. by_reading(rows, "nonpreemptive"),
        verdict = papers.verdict(votes),
        because = string.format(
            "of %d figures and readings %d have 10 %% or more beyond doubt, %d have less, %d "
            .. "cannot be told; without preemption the number of tasks decides", #rows, votes.held,
            votes.failed, votes.undecided),
    }
end

local function judge_first(section, rows)
    local votes = papers.votes()
    local behind = {}
    for _, row in ipairs(rows) do
        papers.vote(votes, experiment.above(row.sample, 1))
        if experiment.above(row.sample, 1) ~= true then
            behind[#behind + 1] = string.format("%s, figure %d, %s", row.reading, row.figure,
                row.reduce)
        end
    end
    section:claim {
        label = "ASRPT is the best, under every reading", where = "Section VII",
        claim = "\"[V]ia simulations\", \"ASRPT performs better than other schedulers in both "
            .. "preemptive and non-preemptive scenarios\".",
        paper = "bars without numbers",
        ours = string.format("beyond doubt in %d of %d figures and readings%s", votes.held, #rows,
            #behind > 0 and "; not in " .. table.concat(behind, "; ") or ""),
        verdict = papers.verdict(votes),
        because = "intervals of the best other scheduler's flow time over ASRPT's, by seed",
    }
end

local TITLE = "Readings: what the figures leave open, and what depends on it"

local function run_readings(context)
    local section = papers.section("readings", TITLE, "Section VII-A", {
        "The paper cuts a job into \"up to 10\" tasks, and gives neither their lengths nor how an "
            .. "exponential size becomes a number of units. Each figure is made under every "
            .. "reading, with the same arrivals and sizes wherever the reading lets them be the "
            .. "same.",
        "All other sections take the first one: min(10, R) near-equal reduce tasks, sizes rounded "
            .. "up, T = 500. A cap of 10 on the maps, too, halves the load of figures 6 and 8.",
    })
    local rows = {}
    papers.over(M.READINGS, function(reading)
        papers.over(reading.modes, function(mode)
            papers.over(reading.settings, function(setting)
                rows[#rows + 1] = row_of(section, context, reading, setting, mode)
            end)
        end)
    end)
    section:table("readings", nil, COLUMNS, rows)
    judge_much(section, rows)
    judge_first(section, rows)
    return section
end

M.readings = { name = "readings", title = TITLE, run = run_readings }

return M
