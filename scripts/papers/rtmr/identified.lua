-- Beyond the paper: which durations and estimates agree with Tables V and VI, and which verdicts of
-- the sections that rest on the fitted ones are the same on all of them.

local curves = require "rtmr.curves"
local dispatcher = require "rtmr.dispatcher"
local errata = require "rtmr.errata"
local experiment = require "pinion".experiment
local fits = require "rtmr.fits"
local identified = require "shared.identified"
local learnt = require "rtmr.learnt"
local papers = require "shared.papers"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"
local tables = require "rtmr.tables"
local text = require "shared.text"
local walks = require "shared.walks"

local M = {}

local TITLE = "Beyond the paper: other durations and estimates that give the tables"

-- ---- settings -----------------------------------------------------------------------------------

---What is drawn, uniformly from integers. The largest factor stays 1: it only scales durations.
M.RANGES = {
    { name = "map_ms", least = 100, most = 60000 },
    { name = "reduce_ms", least = 0, most = 60000 },
    { name = "reduce_block_ms", least = 0, most = 60000 },
    { name = "est_map_permille", least = 500, most = 20000 },
    { name = "est_reduce_permille", least = 500, most = 20000 },
    { name = "factor_lo", least = 100, most = 1000 },
}

-- DC misses many deadlines where estimates of reduces are hardly longer than the time, or shorter.
local SHORT_MOST = 1200

local function ranges_of(aim)
    local ranges = {}
    for i, range in ipairs(M.RANGES) do
        ranges[i] = aim.dc and range.name == "est_reduce_permille"
            and { name = range.name, least = range.least, most = SHORT_MOST } or range
    end
    return ranges
end

---Returns the values of the fit, or of `--set`, in the order of the ranges.
---@param context pinion.PaperContext
---@return integer[]
function M.fitted(context)
    local values, given = {}, runs.given(context)
    for i, range in ipairs(M.RANGES) do
        values[i] = given[range.name] or reference.fitted[range.name]
    end
    return values
end

---Returns the context of a page with these values instead of the fitted ones.
---@param context pinion.PaperContext
---@param values integer[] in the order of the ranges
---@param seeds integer
---@return pinion.PaperContext
function M.context(context, values, seeds)
    local set = {}
    for name, value in next, runs.given(context) do set[name] = value end
    for i, range in ipairs(M.RANGES) do set[range.name] = values[i] end
    return { seeds = seeds, seed = context.seed, set = set, processes = 1, quiet = true,
        cache = {} }
end

-- ---- agreement ----------------------------------------------------------------------------------

local TABLES = { I = "Table V", II = "Table VI" }

-- What the tables print of RTMR and FIFO, and what feedback adds. The fit was made to the first
-- five of each table.
local NUMBERS = {
    { variant = "rtmr", metric = "accept" }, { variant = "open", metric = "accept" },
    { variant = "rtmr", metric = "use" }, { variant = "open", metric = "use" },
    { variant = "fifo", metric = "use" },
    { variant = "rtmr", metric = "accept", less = "open" },
    { variant = "rtmr", metric = "use", less = "open" },
}

local AIMED = { "rtmr", "open", "fifo" }

-- Deadline Constraint under three readings of what it was tested with: in workload II without jobs
-- of more reduces than slots. The walks aim at the second, with reduces at s_r^max.
local READINGS = {
    { variants = { I = "dc", II = "dc_small" }, name = "DC, asap" },
    { variants = { I = "srmax", II = "srmax_small" }, name = "DC, srmax" },
    { variants = { I = "srmax", II = "srmax_small" }, name = "DC, srmax, beats",
      params = { heartbeat_ms = reference.fitted.heartbeat_ms } },
}
local AIMED_DC = READINGS[2].variants

---@class pinion.RtmrAim
---@field name string
---@field title string
---@field workloads string[]
---@field dc boolean|nil with those of DC
---@field quarters integer walks for every four seeds of the page
---@field judges boolean|nil its settings are judged

---@type pinion.RtmrAim[]
M.AIMS = {
    { name = "V", title = TABLES.I, workloads = { "I" }, quarters = 8, judges = true },
    { name = "VI", title = TABLES.II, workloads = { "II" }, quarters = 8, judges = true },
    { name = "V_dc", title = "Table V with DC", workloads = { "I" }, dc = true, quarters = 1 },
    { name = "VI_dc", title = "Table VI with DC", workloads = { "II" }, dc = true, quarters = 1 },
    { name = "both", title = "both tables", workloads = { "I", "II" }, quarters = 1 },
}

local PLACES = { accept = 1, success = 2, use = 3 }

local function printed(workload, variant, metric)
    for _, row in ipairs(reference.tables) do
        if row.variant == variant then return row.paper[workload][PLACES[metric]] end
    end
end

local function number_of(run, metric)
    return run[metric] or 0.0
end

local function numbers_of(aim, workload)
    local list = table.move(NUMBERS, 1, #NUMBERS, 1, {})
    for _, metric in ipairs(aim.dc and runs.METRICS or {}) do
        list[#list + 1] = { variant = AIMED_DC[workload], metric = metric }
    end
    return list
end

local function variants_of(aim, workload)
    local list = table.move(AIMED, 1, #AIMED, 1, {})
    if aim.dc then list[#list + 1] = AIMED_DC[workload] end
    return list
end

-- The numbers of an aim, with what the paper prints.
local function aimed(aim)
    local list = {}
    for _, workload in ipairs(aim.workloads) do
        for _, number in ipairs(numbers_of(aim, workload)) do
            local paper = printed(workload, number.variant, number.metric)
                - (number.less and printed(workload, number.less, number.metric) or 0)
            list[#list + 1] = setmetatable({ workload = workload, paper = paper },
                { __index = number })
        end
    end
    return list
end

-- By seed.
local function values_of(cell, number)
    local list = {}
    for i, run in ipairs(cell.runs[number.variant]) do
        list[i] = number_of(run, number.metric)
            - (number.less and number_of(cell.runs[number.less][i], number.metric) or 0)
    end
    return list
end

-- Half a unit of the last digit that is printed.
local ROUNDING = 0.05

---@class pinion.RtmrMeasured
---@field means number[]
---@field gaps number[] of the printed numbers from the means
---@field beyond number[] … from where 95 % of single runs lie; 0: inside
---@field missed integer jobs that RTMR accepts and that miss, with and without feedback
---@field run number largest gap of the run that is nearest to the printed numbers

---Measures a setting.
---@param aim pinion.RtmrAim
---@param context pinion.PaperContext of the setting
---@return pinion.RtmrMeasured
function M.measure(aim, context)
    local settings, cells = {}, {}
    for i, workload in ipairs(aim.workloads) do
        settings[i] = { workload = workload, seeds = runs.seeds(context),
            variants = variants_of(aim, workload) }
    end
    local made = { means = {}, gaps = {}, beyond = {}, missed = 0, run = math.huge }
    for i, cell in ipairs(runs.cells(context, "setting", settings)) do
        cells[aim.workloads[i]] = cell
        made.missed = made.missed + runs.total(cell, "rtmr", "missed")
            + runs.total(cell, "open", "missed")
    end
    local farthest = {}
    for n, number in ipairs(aimed(aim)) do
        local values = values_of(cells[number.workload], number)
        local sample = experiment.summary(values)
        local half = experiment.range(sample.count, sample.sd) or math.huge
        made.means[n], made.gaps[n] = sample.mean, number.paper - sample.mean
        made.beyond[n] = math.max(0.0, math.abs(made.gaps[n]) - half - ROUNDING)
        for i, value in ipairs(values) do
            farthest[i] = math.max(farthest[i] or 0.0, math.abs(value - number.paper))
        end
    end
    for _, gap in ipairs(farthest) do made.run = math.min(made.run, gap) end
    return made
end

local function largest(list)
    return math.max(table.unpack(list))
end

---Returns whether the printed numbers are where 95 % of single runs lie, and RTMR keeps its
---promises.
---@param measured pinion.RtmrMeasured
---@return boolean
function M.agree(measured)
    return measured.missed == 0 and largest(measured.beyond) == 0.0
end

-- Of settings that are equally far beyond the spread of single runs, the one with the nearer means
-- is nearer.
local NEARER = 0.001

local function distance(measured)
    local sum = measured.missed + 0.0
    for n, beyond in ipairs(measured.beyond) do
        sum = sum + beyond ^ 2 + NEARER * measured.gaps[n] ^ 2
    end
    return sum
end

-- ---- claims -------------------------------------------------------------------------------------

-- The sections that rest on the fitted settings; of the errata only some do.
local SECTIONS = { tables.tables, fits.fits, dispatcher.dispatcher, learnt.learnt, curves.load,
    curves.estimates, errata.errata }
local ERRATA = { E7 = true, E10 = true, E11 = true }

-- Every claim of these sections, as the page judges it.
local function claims_of(context)
    local made = {}
    for _, description in ipairs(SECTIONS) do
        for _, claim in ipairs(papers.section_of(context, description).claims) do
            if description ~= errata.errata or ERRATA[claim.label:match "^E%d+"] then
                made[#made + 1] = { section = description.name, label = claim.label,
                    verdict = claim.verdict }
            end
        end
    end
    return made
end

-- Means of all numbers of a workload's table: those of NUMBERS, then those of DC by reading.
local function means_of(context, workload)
    local means = M.measure({ workloads = { workload } }, context).means
    for _, reading in ipairs(READINGS) do
        local variant = reading.variants[workload]
        local cell = runs.cells(context, reading.name, { { workload = workload,
            variants = { variant }, seeds = runs.seeds(context), params = reading.params } })[1]
        for _, metric in ipairs(runs.METRICS) do
            local sample = runs.sample(cell, variant, metric)
            means[#means + 1] = sample and sample.mean or 0.0
        end
    end
    return means
end

local function judge_values(aim, context)
    local verdicts = {}
    for i, claim in ipairs(claims_of(context)) do verdicts[i] = claim.verdict end
    return { verdicts = verdicts, means = means_of(context, aim.workloads[1]) }
end

-- ---- walks --------------------------------------------------------------------------------------

-- Steps of a walk with few seeds, and with those that also judge; then further ones in the set.
local FEW, MANY, WITHIN = 3, 8, 10
local STARTS, SHARES = 20, { 0.2, 0.06, 0.02, 0.006 }
local STAGES = { { seeds = FEW, steps = 40, passes = true }, { seeds = MANY, steps = 100 } }
local DC_STAGES = { { seeds = FEW, steps = 120, passes = true }, { seeds = MANY, steps = 100 } }

local function first_seeds(context, most)
    local seeds = runs.seeds(context)
    return table.move(seeds, 1, math.min(#seeds, most), 1, {})
end

---Returns the walks towards an aim.
---@param context pinion.PaperContext
---@param aim pinion.RtmrAim
---@return pinion.Walks
function M.walks(context, aim)
    local function context_of(values, seeds) return M.context(context, values, #seeds) end
    return {
        label = aim.title, count = math.max(1, aim.quarters * context.seeds // 4),
        ranges = ranges_of(aim), fitted = M.fitted(context),
        starts = STARTS, shares = SHARES, stages = aim.dc and DC_STAGES or STAGES,
        within = aim.judges and WITHIN, seeds = first_seeds,
        measure = function(values, seeds) return M.measure(aim, context_of(values, seeds)) end,
        distance = distance, agree = M.agree,
        judge = aim.judges and function(values, seeds)
            return judge_values(aim, context_of(values, seeds))
        end,
    }
end

---@class pinion.RtmrIdentified
---@field aim pinion.RtmrAim
---@field about pinion.Walks
---@field settings pinion.WalkEnd[] that agree
---@field all pinion.WalkEnd[]

-- The claims at the fit, as the page judges them and on the seeds of the walks.
local function fit_claims(context, seeds)
    -- The figures of these sections are theirs.
    local claims = claims_of(setmetatable({ directory = false }, { __index = context }))
    local few = papers.each(context, "fit", 1, function()
        return claims_of(M.context(context, M.fitted(context), #seeds))
    end)[1]
    for i, claim in ipairs(claims) do claim.few = few[i].verdict end
    return claims
end

-- Walks towards each aim; and the claims at the fit.
local function sample(context, seeds)
    local samples, claims = {}, nil
    local calls = { function() claims = fit_claims(context, seeds) end }
    for i, aim in ipairs(M.AIMS) do
        calls[i + 1] = function()
            local about = M.walks(context, aim)
            local settings, all = walks.sample(context, about)
            samples[i] = { aim = aim, about = about, settings = settings, all = all }
        end
    end
    papers.over(calls, function(call) call() end)
    return samples, claims
end

-- ---- tables -------------------------------------------------------------------------------------

-- The walk that ends nearest to the printed numbers, and the nearest of all single runs.
local function closest_of(made)
    local closest, run
    for _, walk in ipairs(made.all) do
        local measured = walk.measured
        if not closest or distance(measured) < distance(closest) then closest = measured end
        if measured.missed == 0 and measured.run < (run or math.huge) then run = measured.run end
    end
    return closest, run
end

local function name_of(number)
    return string.format("%s%s, %s", runs.name(number.variant),
        number.less and " minus " .. runs.name(number.less) or "",
        runs.METRIC_WORDS[number.metric])
end

-- The number that is farthest beyond the spread, with its table; nil: none is.
local function farthest_of(aim, measured)
    local beyond = largest(measured.beyond)
    for n, number in ipairs(aimed(aim)) do
        if beyond > 0 and measured.beyond[n] == beyond then
            return TABLES[number.workload] .. ": " .. name_of(number)
        end
    end
end

local function reach_rows(samples)
    local rows = {}
    for i, made in ipairs(samples) do
        local closest, run = closest_of(made)
        rows[i] = { aim = made.aim.title, numbers = #aimed(made.aim), walks = #made.all,
            arrived = #made.settings, near = #walks.from_fit(made.settings),
            beyond = largest(closest.beyond), missed = closest.missed,
            farthest = farthest_of(made.aim, closest), run = run }
    end
    return rows
end

local REACH_COLUMNS = {
    { key = "aim", title = "towards" }, { key = "numbers", title = "numbers", right = true },
    { key = "walks", title = "walks", right = true },
    { key = "arrived", title = "arrive", right = true },
    { key = "near", title = "from the fit", right = true },
    runs.column("beyond", "closest: points beyond", 2),
    { key = "farthest", title = "which number", show = function(value) return value or "" end },
    { key = "missed" }, runs.column("run", "nearest run: points"),
}

-- Slot time of all tasks of a workload, in hours: the jobs of the reference's seed 1.
local function work_of(workload, values)
    local times, sum = {}, 0
    for i, range in ipairs(M.RANGES) do times[range.name] = values[i] end
    for _, job in ipairs(runs.first_jobs(workload, times)) do
        sum = sum + job.maps * job.map_ms + job.reduces * job.reduce_ms
    end
    return sum * (times.factor_lo + 1000) / 2000 / 3600000
end

local function place_of(name)
    for i, range in ipairs(M.RANGES) do
        if range.name == name then return i end
    end
end

-- What follows from the values.
local DERIVED = {
    { name = "map_ms * est_map_permille, s", of = function(values)
        return values[place_of "map_ms"] * values[place_of "est_map_permille"] / 1e6
    end },
    { name = "slot time of I, h", of = function(values) return work_of("I", values) end },
    { name = "slot time of II, h", of = function(values) return work_of("II", values) end },
}

local function setting_rows(sets)
    local rows = {}
    for _, set in ipairs(sets) do
        local made = identified.setting_rows(set.about, set.settings)
        for _, derived in ipairs(DERIVED) do
            local row = identified.spread_of(set.settings,
                function(walk) return derived.of(walk.values) end)
            row.name, row.fitted = derived.name, derived.of(set.about.fitted)
            made[#made + 1] = row
        end
        for _, row in ipairs(made) do
            row.set = set.aim.title
            rows[#rows + 1] = row
        end
    end
    return rows
end

local SET_COLUMN = { key = "set", title = "agrees with" }

local function with_set(columns)
    return table.move(columns, 1, #columns, 2, { SET_COLUMN })
end

-- Names and printed values of the numbers of means_of.
local function printed_numbers(workload)
    local list = {}
    for i, number in ipairs(aimed { workloads = { workload } }) do
        list[i] = { name = name_of(number), paper = number.paper }
    end
    for _, reading in ipairs(READINGS) do
        for m, metric in ipairs(runs.METRICS) do
            for _, row in ipairs(reference.tables) do
                if row.variant == reading.variants[workload] then
                    list[#list + 1] = { name = reading.name .. ", " .. runs.METRIC_WORDS[metric],
                        paper = row.paper[workload][m] }
                end
            end
        end
    end
    return list
end

local function number_rows(context, sets, seeds)
    local rows = {}
    for _, set in ipairs(sets) do
        local workload = set.aim.workloads[1]
        local fit = means_of(M.context(context, M.fitted(context), #seeds), workload)
        for n, number in ipairs(printed_numbers(workload)) do
            local row = identified.spread_of(set.settings,
                function(made) return made.judged.means[n] end)
            row.set, row.name, row.paper, row.fitted = set.aim.title, number.name, number.paper,
                fit[n]
            rows[#rows + 1] = row
        end
    end
    return rows
end

local NUMBER_COLUMNS = {
    SET_COLUMN, { key = "name", title = "" }, runs.column("paper", "paper"),
    runs.column("fitted", "fit"), runs.column("least", "accepted from"),
    runs.column("median", "median"), runs.column("most", "to"),
}

-- ---- claims on the tables -----------------------------------------------------------------------

local REACH_CLAIMS = {
    V = "Some durations and estimates give what Table V prints of RTMR and FIFO.",
    VI = "Some durations and estimates give what Table VI prints of RTMR and FIFO.",
    both = "The two workloads ran on one cluster, with tasks of one kind: one setting gives both "
        .. "tables.",
}

local function judge_reach(section, samples, rows, seeds)
    for i, made in ipairs(samples) do
        local row, claim = rows[i], REACH_CLAIMS[made.aim.name]
        if claim then
            section:claim {
                label = "ours: a setting gives " .. made.aim.title, where = "Tables V and VI",
                claim = claim, paper = "one run of each scheduler",
                ours = string.format("%d of %s arrive%s", row.arrived,
                    text.count(row.walks, "walk"), row.arrived > 0 and "" or string.format(
                    "; the closest is %.1f points beyond where 95 %% of its single runs lie (%s)",
                    row.beyond, row.farthest or "missed deadlines")),
                verdict = #seeds < runs.ENOUGH and papers.UNDECIDED
                    or row.arrived > 0 and papers.FITTED or papers.NOT_REPRODUCED,
                because = #seeds < runs.ENOUGH and runs.TOO_FEW
                    or row.arrived > 0 and "the settings were chosen to give these numbers"
                    or "by walks, which do not prove that there is none",
            }
        end
    end
end

-- ---- the section --------------------------------------------------------------------------------

local function setup_of(samples, seeds)
    return {
        "Of RTMR with and without feedback and of FIFO each table has five numbers that are not "
            .. "100 %, and two differences that feedback makes; DC has three more, with reduces "
            .. "at s_r^max. The walks with DC aim at these, too.",
        string.format("A table is one run on jobs that are not published. So a setting agrees if "
            .. "each number is where 95 %% of single runs lie on %s, up to rounding (%g), and RTMR "
            .. "misses no deadline.", text.count(#seeds, "seed"), ROUNDING),
        "Walks: " .. walks.text(samples[1].about, seeds) .. string.format(" Those with DC "
            .. "take %d on few seeds, with estimates of reduces of at most %g times the time. A "
            .. "walk that arrives at %s or %s takes %d further steps and stays among the settings "
            .. "that agree.", DC_STAGES[1].steps, SHORT_MOST / 1000, TABLES.I, TABLES.II, WITHIN),
        "The rules of the sections that rest on the fitted settings judge each accepted setting "
            .. "on these seeds, and the fit on all seeds. Shares are of accepted settings; holds "
            .. "includes not contradicted and fitted, fails includes not reproduced, and other is "
            .. "in part or undecided; same: the verdict of the fit on these seeds.",
    }
end

-- The sets that are judged: those of each table, and of them the ones from walks that start at the
-- fit.
local function sets_of(samples)
    local sets = {}
    for _, made in ipairs(samples) do
        if made.aim.judges then
            sets[#sets + 1] = { prefix = made.aim.name .. "_", title = made.aim.title .. ": ",
                settings = made.settings, columns = { "holds", "fails", "other", "same" },
                votes = true, aim = made.aim, about = made.about }
        end
    end
    return sets
end

local function note_fit(section, context, seeds)
    local parts = {}
    for i, aim in ipairs(M.AIMS) do
        local measured = M.measure(aim, M.context(context, M.fitted(context), #seeds))
        parts[i] = string.format("%s %.1f", aim.title, largest(measured.beyond))
    end
    section:note("By this rule the fit itself is so many points beyond the spread of its single "
        .. "runs: %s.", table.concat(parts, "; "))
end

local function draw_figure(context, section, sets)
    local drawn = {}
    for i, set in ipairs(sets) do
        drawn[i] = { title = set.aim.title, settings = set.settings }
    end
    identified.draw(context, section, sets[1].about, drawn,
        "Settings that agree with Table V or with Table VI")
end

local function run_identified(context)
    local seeds = first_seeds(context, MANY)
    local samples, at_fit = sample(context, seeds)
    local sets = sets_of(samples)
    local section = papers.section("identified", TITLE, "Not in the paper",
        setup_of(samples, seeds))
    local reach, claims = reach_rows(samples), identified.claim_rows(at_fit, sets)
    local settings = setting_rows(sets)
    section:table("identified_reach", "Walks:", REACH_COLUMNS, reach)
    section:table("identified", "Verdicts:", identified.claim_columns(sets,
        { key = "few", title = "on " .. text.count(#seeds, "seed") }), claims)
    section:table("identified_settings", "Accepted values:",
        with_set(identified.SETTING_COLUMNS), settings)
    section:table("identified_numbers", "Means of the accepted settings:", NUMBER_COLUMNS,
        number_rows(context, sets, seeds))
    for _, set in ipairs(sets) do
        section:table("identified_sample_" .. set.aim.name, nil,
            identified.sample_columns(set.about),
            identified.sample_rows(set.about, set.settings))
    end
    judge_reach(section, samples, reach, seeds)
    identified.judge_claims(section, claims, sets, "one of the tables")
    identified.judge_settings(section, settings, sets, {
        label = "ours: the tables identify the settings",
        claim = "Settings that agree with a table agree with one another.",
    })
    note_fit(section, context, seeds)
    draw_figure(context, section, sets)
    return section
end

M.identified = { name = "identified", title = TITLE, run = run_identified }

return M
