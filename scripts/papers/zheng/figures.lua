-- Figures 5 to 9 of Zheng, Shroff, Sinha (2013): efficiency ratios of the schedulers in four
-- settings, and how they settle with time.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local pinion = require "pinion"
local readings = require "zheng.readings"
local reference = require "zheng.reference"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local function number(decimals)
    return function(value) return text.number(value, decimals) end
end

local function signed(value)
    return value and string.format("%+.1f", value) or "-"
end

local COLUMNS = {
    { key = "reduce", title = "reduces" },
    { key = "policy", title = "policy",
        show = function(value) return runs.NAMES[value] or "LB2/SRPT" end },
    { key = "mean", title = "ours", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "sd", title = "sd", right = true, show = number(3) },
    { key = "reference", title = "reference", right = true, show = number(3) },
    { key = "reference_sd", title = "its sd", right = true,
        show = function(value) return value and text.number(value, 3)
        or "none" end },
    { key = "off", title = "apart", right = true, show = signed },
    { key = "agrees", title = "", show = function(value) return value and "agrees" or "DIFFERS"
        end },
    { key = "tolerance" },
    { key = "seeds" },
    { key = "seed" },
    { key = "digest", title = "digest", show = function(value) return value or "" end },
}

-- One line of the table: our mean over the seeds beside the reference's.
local function add_row(section, rows, context, cell, setting, mode, policy)
    local sample = experiment.summary(policy == "lb2" and runs.ratios(cell, "tight", "lower")
        or runs.ratios(cell, policy, "lower"))
    local mean, sd = table.unpack(reference.efficiency[setting][mode][policy])
    local tolerance = experiment.tolerance(sd or sample.sd, cell.seeds, reference.SEEDS, not sd)
    local agrees =
        section:compare(string.format("%s reduces, %s", mode, runs.NAMES[policy] or "LB2/SRPT"),
        sample.mean, mean,
        tolerance)
    rows[#rows + 1] = {
        reduce = mode, policy = policy, mean = sample.mean, half = sample.half, sd = sample.sd,
        reference = mean,
        reference_sd = sd,
        off = tolerance > 0 and 3 * (sample.mean - mean) / tolerance or nil, agrees = agrees,
        tolerance = tolerance,
        seeds = cell.seeds,
        seed = context.seed, digest = cell.digest[policy],
    }
end

-- The paper's four by mean ratio, best first.
local function ranking(mean_of)
    local order = table.move(runs.PAPERS_OWN, 1, #runs.PAPERS_OWN, 1, {})
    table.sort(order, function(a, b) return mean_of(a) < mean_of(b) end)
    return order
end

local function names_of(order)
    local names = {}
    for i, policy in ipairs(order) do names[i] = runs.NAMES[policy] end
    return table.concat(names, " < ")
end

-- What a ranking says about the first and the last, for ours and the reference alike.
local function describe_ranking(mode, mean_of)
    local order = ranking(mean_of)
    return string.format("%s: %s, the runner-up takes %.2f times the flow time of the first", mode,
        names_of(order),
        mean_of(order[2]) / mean_of(order[1])), order
end

local function is_best(cell, seed)
    for _, policy in ipairs(runs.PAPERS_OWN) do
        if policy ~= "asrpt" and cell.total[policy][seed] <= cell.total.asrpt[seed] then
            return false
        end
    end
    return true
end

-- What each reading of the number of tasks makes of "much smaller", which it can only where reduces
-- are not divisible.
local function judge_much(section, context, setting, ours, theirs)
    local votes, parts, smaller, all = papers.votes(), {}, 0, 0
    for _, mode in ipairs(runs.MODES) do
        for _, key in ipairs(mode == "preemptive" and { "ten" } or { "ten", "uniform", "one" }) do
            local reading = readings.find(key)
            local much, lead = readings.is_much(readings.cell(context, reading, setting, mode))
            local is_smaller = experiment.above(lead, 1)
            papers.vote(votes, much)
            papers.vote(votes, is_smaller)
            all, smaller = all + 1, smaller + (is_smaller and 1 or 0)
            parts[#parts + 1] = string.format("%s %s", mode == "preemptive" and "preemptive"
                or "non-preemptive, " .. reading.tasks .. ":", readings.lead_text(lead))
        end
    end
    section:claim {
        label = "ASRPT much smaller than all others", where = "Section VII-B",
        claim = "\"[T]he total flow-time of ASRPT is much smaller than all the other schedulers.\"",
        paper = "bars without numbers",
        reference = table.concat(theirs, "; "),
        ours = string.format("%s. What the best other takes beyond ASRPT: %s",
            table.concat(ours, "; "), table.concat(parts, "; ")),
        verdict = papers.verdict(votes),
        because = string.format("of %d modes and readings of \"up to 10\" tasks it is smaller "
            .. "beyond doubt in %d, and much smaller, read as %.0f %%, in %d", all, smaller,
            100 * readings.MUCH - 100, votes.held - smaller),
    }
end

local function judge_order(section, context, setting, cells)
    local ours, theirs, last = {}, {}, 0
    for i, mode in ipairs(runs.MODES) do
        local cell, won = cells[mode], 0
        local means = {}
        for _, policy in ipairs(runs.PAPERS_OWN) do
            means[policy] = experiment.summary(runs.ratios(cell, policy, "lower")).mean
        end
        local order
        ours[i], order = describe_ranking(mode, function(policy) return means[policy] end)
        theirs[i] = describe_ranking(mode,
            function(policy) return reference.efficiency[setting][mode][policy][1] end)
        for seed = 1, cell.seeds do won = won + (is_best(cell, seed) and 1 or 0) end
        ours[i] = string.format("%s; it is the best of the four in %d of %d seeds", ours[i], won,
            cell.seeds)
        if order[#order] == "lrpt" then last = last + 1 end
    end
    judge_much(section, context, setting, ours, theirs)
    section:claim {
        label = "LRPT is the worst", where = "Section VII-A",
        claim = "LRPT shows \"how poorly even some work-conserving schedulers can perform\".",
        paper = "bars without numbers",
        reference = "LRPT last in both modes",
        ours = string.format("LRPT has the largest mean in %d of 2 modes", last),
        verdict = experiment.verdict(last, 2),
        because = "largest mean ratio of the paper's four schedulers",
    }
end

local function judge_three(section, cells)
    local parts, held = {}, 0
    for i, mode in ipairs(runs.MODES) do
        local worst = experiment.summary(runs.ratios(cells[mode], "asrpt", "lower")).max
        parts[i] = string.format("%s %.3f", mode, worst)
        if worst <= 3 then held = held + 1 end
    end
    section:claim {
        label = "ASRPT within 3 times the SRPT bound", where = "Section VI-B, after Corollary 2",
        claim = "ASRPT's total flow time is \"not greater than 3 times of the lower bound\" "
            .. "(preemptive, as n grows); \"we will "
            .. "show this performance in the next section\".",
        paper = "bars without numbers", reference = nil, ours = "largest ratio of any seed: "
            .. table.concat(parts, ", "),
        verdict = papers.universal(
            experiment.summary(runs.ratios(cells.preemptive, "asrpt", "lower")).max > 3 and 1 or 0),
        because = held == 2
            and "largest ratio of any seed; so does the non-preemptive mode, for which nothing "
            .. "is claimed"
            or "largest ratio of any preemptive seed; the non-preemptive mode, for which "
                .. "nothing is claimed, goes beyond 3 in "
                .. "some seeds",
    }
end

local function bars(context, section, name, rows)
    if not context.directory then return end
    local order, blocks = runs.policies "preemptive", {}
    for i, mode in ipairs(runs.MODES) do
        local lines, by_policy =
            { "# position, mean, half width of the 95 % interval, reference, name: " .. mode }, {}
        for _, row in ipairs(rows) do
            if row.reduce == mode then by_policy[row.policy] = row end
        end
        for position, policy in ipairs(order) do
            local row = by_policy[policy] or {}
            lines[#lines + 1] = figure.row(position + (i - 1.5) * 0.36, row.mean, row.half,
                row.reference, runs.NAMES[policy])
        end
        blocks[i] = lines
    end
    local ticks = {}
    for position, policy in ipairs(order) do
        ticks[position] = string.format("'%s' %d", runs.NAMES[policy], position)
    end
    local script = string.format([[
set title %s
set ylabel 'total flow time / SRPT bound'
set yrange [0:*]
set xrange [0.4:%d.6]
set xtics (%s)
set grid noxtics
set boxwidth 0.34
set key top right reverse Left
set style fill solid 1 border rgb '#404040'
plot data index 0 using 1:2 with boxes linecolor rgb '#0072B2' title 'preemptive', \
     data index 1 using 1:2 with boxes linecolor rgb '#B5D9EE' title 'non-preemptive', \
     data index 0 using ($1 - 0.17):4:(0.34):(0) with vectors nohead linewidth 2.5 linecolor rgb '#D55E00' title 'reference', \
     data index 1 using ($1 - 0.17):4:(0.34):(0) with vectors nohead linewidth 2.5 linecolor rgb '#D55E00' notitle, \
     data index 0 using 1:($2 - $3):(0):(2 * $3) with vectors heads size screen 0.004,90 linecolor rgb '#000000' notitle, \
     data index 1 using 1:($2 - $3):(0):(2 * $3) with vectors heads size screen 0.004,90 linecolor rgb '#000000' notitle
]], figure.quote(section.title), #order, table.concat(ticks, ", "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/" .. name, 720, 440,
        script, blocks)
end

---Figures 5 to 8.
---@param setting integer
---@return fun(context: pinion.PaperContext): pinion.PaperSection
function M.efficiency(setting)
    local kind = runs.SETTINGS[setting]
    local name = "fig" .. 5 + setting
    local title = string.format("Figure %d: efficiency ratios, maps %s, reduces %s", 5 + setting,
        kind.maps, kind.reduces)
    return { name = name, title = title, run = function(context)
        local section = papers.section(name, title, "Section VII-B", {
            string.format(
                "N = %d machines, Poisson arrivals with lambda = %d jobs a slot, T = %d slots, "
                .. "sizes rounded up, "
                .. "reduces cut into at most 10 near-equal tasks; total flow time over the SRPT "
                    .. "bound, mean of %d seeds.",
                runs.MACHINES, runs.RATE, runs.SLOTS, context.seeds),
            string.format(
                "Reference: mean of %d seeds. The column apart is the difference in standard "
                .. "errors, sd sqrt(1/%d + 1/%d); "
                .. "beyond 3 the number is flagged. Where the reference notes no sd, ours is used.",
                reference.SEEDS,
                context.seeds, reference.SEEDS),
            kind.is_exponential and "Exponential sizes are unbounded. They are light-tailed, and "
                .. "Remark 1 says that Theorems 2 and 3 hold for such reduces, too, with other "
                .. "constants." or nil,
        })
        local rows, cells = {}, {}
        papers.over(runs.MODES, function(mode)
            local cell = runs.figure_cell(context, setting, mode)
            cells[mode] = cell
            for _, policy in ipairs(runs.policies(mode)) do
                add_row(section, rows, context, cell, setting, mode, policy)
            end
            add_row(section, rows, context, cell, setting, mode, "lb2")
        end)
        section:table(name, nil, COLUMNS, rows)
        judge_order(section, context, setting, cells)
        judge_three(section, cells)
        section:note(
            "PSRPT and LB2 are not in the paper. DSRPT is the construction of Theorem 4; the paper "
            .. "defines it for preemptive reduces only and does not plot it.")
        bars(context, section, name, rows)
        return section
    end }
end

-- ---- Figure 9 -----------------------------------------------------------------------------------

local SETTING = 3
-- A curve has converged when its mean changes by at most this share from the T = 500 of the other
-- figures to the last T.
local MARGIN = 0.01

local CONVERGENCE_COLUMNS = {
    { key = "reduce", title = "reduces" },
    { key = "policy", title = "policy", show = function(value) return runs.NAMES[value] end },
    { key = "slots", title = "T", right = true, show = text.amount },
    { key = "mean", title = "ours", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "sd", title = "sd", right = true, show = number(3) },
    { key = "reference", title = "reference", right = true, show = function(value, row)
        return text.number(value, row.policy == "asrpt" and row.reduce == "preemptive" and 3 or 2)
    end },
    { key = "off", title = "apart", right = true, show = signed },
    { key = "agrees", title = "",
        show = function(value) return value == nil and "" or value and "agrees" or "DIFFERS" end },
    { key = "tolerance" }, { key = "seeds" }, { key = "seed" },
    { key = "digest", title = "digest" },
}

local function rounding_of(policy, mode)
    return policy == "asrpt" and mode == "preemptive" and 0.0005 or 0.005
end

local function convergence_row(section, context, cell, mode, policy, slots, theirs)
    local sample = experiment.summary(runs.ratios(cell, policy, "lower"))
    local row = {
        reduce = mode, policy = policy, slots = slots, mean = sample.mean, half = sample.half,
        sd = sample.sd, reference = theirs,
        seeds = cell.seeds, seed = context.seed, digest = cell.digest[policy],
    }
    if theirs then
        local standard = experiment.tolerance(sample.sd, cell.seeds, reference.convergence.seeds,
            true)
        row.tolerance = standard + rounding_of(policy, mode)
        row.off = standard > 0 and 3 * (sample.mean - theirs) / standard or nil
        row.agrees = section:compare(string.format("%s reduces, %s, T = %d", mode,
            runs.NAMES[policy], slots), sample.mean,
            theirs, row.tolerance)
    end
    return row
end

-- Relative change of the mean ratio between two lengths, by seed on common random numbers.
local function change(cells, policy, from, to)
    local before, after = runs.ratios(cells[from], policy, "lower"),
        runs.ratios(cells[to], policy, "lower")
    local mean, moves = experiment.summary(before).mean, {}
    for seed = 1, #before do moves[seed] = (after[seed] - before[seed]) / mean end
    return experiment.summary(moves)
end

local function percent(sample)
    return string.format("%+.1f ± %.1f %%", 100 * sample.mean, 100 * sample.half)
end

local function reference_change(mode, policy)
    local values = reference.convergence[mode][policy]
    return values and string.format("%+.0f %%", 100 * (values[#values] / values[4] - 1))
end

-- Votes on whether the mean ratio of a policy does not change between two lengths, and the change.
local function vote_constant(votes, cells, policy, from, to)
    local moved = change(cells, policy, from, to)
    papers.vote(votes, experiment.within(moved, MARGIN))
    return percent(moved)
end

local function convergence_text(votes)
    return string.format("converged, or constant, is read as: the 95 %% interval of the change "
        .. "lies within ±%g %%; so in %d of %d, outside in %d", 100 * MARGIN, votes.held,
        votes.held + votes.failed + votes.undecided, votes.failed)
end

local function judge_convergence(section, cells, last)
    local votes, parts, theirs = papers.votes(), {}, {}
    for _, mode in ipairs(runs.MODES) do
        local ours, reported = {}, {}
        for i, policy in ipairs(runs.PAPERS_OWN) do
            ours[i] = runs.NAMES[policy] .. " "
                .. vote_constant(votes, cells[mode], policy, runs.SLOTS, last)
            local known = reference_change(mode, policy)
            if known then reported[#reported + 1] = runs.NAMES[policy] .. " " .. known end
        end
        parts[#parts + 1] = mode .. ": " .. table.concat(ours, ", ")
        theirs[#theirs + 1] = mode .. ": " .. table.concat(reported, ", ")
    end
    section:claim {
        label = "efficiency ratios converge", where = "Section VII-B, Fig. 9",
        claim = "\"We show the convergence of efficiency "
            .. "ratios in Fig. 9.\"",
        paper = "curves without numbers",
        reference = string.format("from T = %d to %d, %s", runs.SLOTS, last,
            table.concat(theirs, "; ")),
        ours = string.format("from T = %d to %d, %s", runs.SLOTS, last, table.concat(parts, "; ")),
        verdict = papers.verdict(votes), because = convergence_text(votes),
    }
end

local function judge_lrpt(section, cells, before_last, last)
    local votes, parts = papers.votes(), {}
    for i, mode in ipairs(runs.MODES) do
        parts[i] = string.format("%s %s from T = %d to %d, of which %s from %d on", mode,
            vote_constant(votes, cells[mode], "lrpt", runs.SLOTS, last), runs.SLOTS, last,
            vote_constant(votes, cells[mode], "lrpt", before_last, last), before_last)
    end
    section:claim {
        label = "LRPT has a constant ratio, from Fig. 9", where = "Section VII-B",
        claim = "\"As a bad work-conserving [scheduler], the LRPT scheduler also has a constant "
            .. "(maybe relative large) "
            .. "efficiency ratio, from Fig. 9.\"",
        paper = "a curve without numbers",
        reference = string.format(
            "preemptive %s, non-preemptive %s from T = %d to %d: LRPT's bar depends on T",
            reference_change("preemptive", "lrpt"), reference_change("nonpreemptive", "lrpt"),
            runs.SLOTS, last),
        ours = table.concat(parts, "; "),
        verdict = papers.verdict(votes), because = convergence_text(votes),
    }
end

local function lines_figure(context, section, rows)
    if not context.directory then return end
    local blocks, panels = {}, {}
    local index = {}
    for _, mode in ipairs(runs.MODES) do
        for _, policy in ipairs(runs.PAPERS_OWN) do
            local lines = { "# T, mean, half width of the 95 % interval, reference: " .. mode
                .. " " .. runs.NAMES[policy] }
            for _, row in ipairs(rows) do
                if row.reduce == mode and row.policy == policy then
                    lines[#lines + 1] = figure.row(row.slots, row.mean,
                    row.half, row.reference) end
            end
            blocks[#blocks + 1] = lines
            index[mode .. policy] = #blocks - 1
        end
    end
    for i, mode in ipairs(runs.MODES) do
        local plots = {}
        for _, policy in ipairs(runs.PAPERS_OWN) do
            local block, style = index[mode .. policy], figure.STYLES[policy]
            plots[#plots + 1] =
                string.format(
                "data index %d using 1:2:3 with yerrorlines %s pointtype %d pointsize 0.6 title "
                .. "'%s'", block,
                figure.line(policy), style.point, runs.NAMES[policy])
        end
        for _, policy in ipairs(runs.PAPERS_OWN) do
            if reference.convergence[mode][policy] then
                plots[#plots + 1] =
                    string.format(
                    "data index %d using 1:4 with points pointtype 1 pointsize 1 linewidth 1.5 "
                    .. "linecolor rgb '#000000' %s",
                    index[mode .. policy], policy == "asrpt" and "title 'reference'" or "notitle")
            end
        end
        panels[i] = string.format("set title '%s reduces'\n%s\nplot %s\n",
            mode:gsub("^non", "non-"), i == 2 and "set key off"
            or "set key at graph 0.02,0.98 left top reverse Left",
            table.concat(plots, ", \\\n     "))
    end
    local script = [[
set multiplot layout 1,2
set logscale x 2
set xlabel 'slots with arrivals, T'
set ylabel 'total flow time / SRPT bound'
set yrange [1:5]
set xrange [20:4000]
set xtics (25, 100, 200, 500, '' 800, 1600, 3200)
]] .. table.concat(panels) .. "unset multiplot\n"
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig9", 960, 440,
        script, blocks)
end

local TITLE_9 = "Figure 9: efficiency ratios over time, maps U[10,50], reduces U[10,20]"

M.convergence = { name = "fig9", title = TITLE_9, run = function(context)
    local seeds, lengths = context.seeds, reference.convergence.slots
    local section = papers.section("fig9", TITLE_9, "Section VII-B", {
        string.format(
            "As Figure 8, with T from %d to %d slots; mean of %d seeds. Reference: %d seeds, no "
            .. "sd noted, so ours is "
            .. "used; beyond 3 standard errors and half a unit of its last digit a number is "
                .. "flagged.", lengths[1],
            lengths[#lengths], seeds, reference.convergence.seeds),
    })
    local rows, cells = {}, {}
    papers.over(runs.MODES, function(mode)
        cells[mode] = {}
        papers.over(lengths, function(slots)
            cells[mode][slots] = runs.cell(context, {
                label = string.format("fig9 %s T = %d", mode, slots),
                workload = pinion.workload.zheng { setting = SETTING,
                    rate = runs.RATE, slots = slots },
                machines = runs.MACHINES, reduce = mode, policies = runs.PAPERS_OWN, seeds = seeds,
            })
        end)
        for _, policy in ipairs(runs.PAPERS_OWN) do
            for i, slots in ipairs(lengths) do
                local theirs = reference.convergence[mode][policy]
                rows[#rows + 1] = convergence_row(section, context, cells[mode][slots], mode,
                    policy, slots, theirs and theirs[i])
            end
        end
    end)
    section:table("fig9", nil, CONVERGENCE_COLUMNS, rows)
    judge_convergence(section, cells, lengths[#lengths])
    judge_lrpt(section, cells, lengths[#lengths - 1], lengths[#lengths])
    lines_figure(context, section, rows)
    return section
end }

return M
