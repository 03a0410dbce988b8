-- Figures 10 to 13 of Zheng, Shroff, Sinha (2013): distributions of flow times, and how fair they
-- are.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local reference = require "zheng.reference"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local POLICIES = { "fifo", "fair", "lrpt", "asrpt", "psrpt" }
local LEVEL_NAMES = { "p50", "p90", "p99", "p999", "max" }
-- The paper plots flow times up to this.
local SHOWN = 100
-- Seeds are put into this many groups; the spread of the groups' quantiles tells the error of the
-- whole.
local GROUPS = 10
-- Extreme quantiles hang on a few congested seeds, and a sample without one does not know its own
-- error: they may differ by these factors in any case, about three standard deviations of the
-- logarithm from one set of 100 seeds to another.
local FACTORS = { [.99] = 1.6, [.999] = 3 }
-- Fewer seeds say too little: a single congested one moves the quantiles of all.
local JUDGED = 2 * GROUPS
-- "Similar": at most this many times the larger of FIFO's and Fair's.
local SIMILAR = 1.25

local function pooled(counts, from, to)
    local pool = {}
    for seed = from, to do
        for value, count in next, counts[seed] do pool[value] = (pool[value] or 0) + count end
    end
    return pool
end

local function share_within(counts, limit)
    local below, total = 0, 0
    for value, count in next, counts do
        total = total + count
        if value <= limit then below = below + count end
    end
    return below / total
end

-- Quantile of all seeds, and the standard error of it from groups of seeds.
local function quantile(counts, level)
    local seeds = #counts
    local groups, values = math.min(GROUPS, seeds), {}
    for g = 1, groups do
        values[g] = experiment.quantile(pooled(counts, (g - 1) * seeds // groups + 1,
            g * seeds // groups), level)
    end
    return experiment.quantile(pooled(counts, 1, seeds), level),
        experiment.summary(values).sd / math.sqrt(groups), groups
end

-- A row per policy: ours, the reference's, and whether every level but the maximum agrees. One job
-- decides about a maximum.
local function distribution_row(section, context, cell, setting, mode, policy)
    local counts, theirs = cell.counts[policy], reference.quantiles[setting][mode][policy]
    local judged = #counts >= JUDGED
    local row = { reduce = mode, policy = policy, seeds = #counts, seed = context.seed,
        agrees = judged or nil, within_100 = 0,
        jobs = 0 }
    for i, level in ipairs(reference.levels) do
        local value, error_, groups = quantile(counts, level)
        row[LEVEL_NAMES[i]], row["reference_" .. LEVEL_NAMES[i]] = math.tointeger(value), theirs[i]
        if judged and level < 1 then
            -- Flow times are integers: a quantile on the edge of two falls to either side.
            local tolerance = 1 + experiment.tolerance(error_ * math.sqrt(groups), groups,
                groups * reference.quantiles.seeds / #counts, true)
            local factor = FACTORS[level] or 1
            tolerance = math.max(tolerance, value > theirs[i] and (factor - 1) * theirs[i]
                or (1 - 1 / factor) * theirs[i])
            local agrees =
                section:compare(string.format("%s reduces, %s, %s", mode, runs.NAMES[policy],
                LEVEL_NAMES[i]),
                value, theirs[i], tolerance)
            row.agrees = row.agrees and agrees
        end
    end
    local all = pooled(counts, 1, #counts)
    row.within_100 = share_within(all, SHOWN)
    for _, count in next, all do row.jobs = row.jobs + count end
    row.digest = cell.digest[policy]
    return row, all
end

local COLUMNS = { { key = "reduce", title = "reduces" }, { key = "policy", title = "policy",
    show = function(value) return runs.NAMES[value] end } }
for i, name in ipairs(LEVEL_NAMES) do
    COLUMNS[#COLUMNS + 1] = { key = name, title = ({ ".5", ".9", ".99", ".999", "max" })[i],
        right = true, show = text.amount }
end
COLUMNS[#COLUMNS + 1] = { key = "reference", title = "reference", words = true,
        show = function(_, row)
    local parts = {}
    for i, name in ipairs(LEVEL_NAMES) do parts[i] = text.amount(row["reference_" .. name]) end
    return table.concat(parts, "/")
end }
for _, name in ipairs(LEVEL_NAMES) do COLUMNS[#COLUMNS + 1] = { key = "reference_" .. name } end
for _, column in ipairs {
    { key = "agrees", title = "", show = function(value)
        return value == nil and "not judged" or value and "agrees" or "DIFFERS"
    end },
    { key = "within_100", title = "P(F <= 100)", right = true,
        show = function(value) return text.number(value, 4) end },
    { key = "jobs" }, { key = "seeds" }, { key = "seed" }, { key = "digest", title = "digest" },
} do COLUMNS[#COLUMNS + 1] = column end

-- Quantile of ASRPT over the larger of FIFO's and FAIR's, by group of seeds.
local function quantile_ratio(cell, level)
    local ratios, seeds = {}, #cell.counts.asrpt
    local groups = math.min(GROUPS, seeds)
    for g = 1, groups do
        local from, to = (g - 1) * seeds // groups + 1, g * seeds // groups
        local function of(policy)
            return experiment.quantile(pooled(cell.counts[policy], from, to), level)
        end
        ratios[g] = of "asrpt" / math.max(of "fifo", of "fair")
    end
    return experiment.summary(ratios)
end

-- Votes on the levels but the maximum, and the ratios in words.
local function compare_quantiles(votes, cell)
    local parts = {}
    for i, level in ipairs(reference.levels) do
        if level < 1 then
            local ratio = quantile_ratio(cell, level)
            papers.vote(votes, papers.is_at_most(ratio, SIMILAR))
            parts[#parts + 1] = string.format("%s %.2f ± %.2f", LEVEL_NAMES[i], ratio.mean,
                ratio.half)
        end
    end
    return table.concat(parts, ", ")
end

local function judge_fairness(section, setting, pools, cells)
    local parts, theirs, votes = {}, {}, papers.votes()
    for i, mode in ipairs(runs.MODES) do
        local p, q = pools[mode], reference.quantiles[setting][mode]
        parts[i] = string.format("%s: quantiles over the larger of FIFO's and FAIR's: %s; largest "
            .. "flow time of all %.1f times FIFO's and %.1f times FAIR's", mode,
            compare_quantiles(votes, cells[mode]),
            experiment.quantile(p.asrpt, 1) / experiment.quantile(p.fifo, 1),
            experiment.quantile(p.asrpt, 1) / experiment.quantile(p.fair, 1))
        theirs[i] = string.format(
            "%s: .999 quantile %d against %d and %d, largest %.1f times FIFO's", mode, q.asrpt[4],
            q.fifo[4], q.fair[4],
            q.asrpt[5] / q.fifo[5])
    end
    section:claim {
        label = "ASRPT's fairness is similar to FIFO's and Fair's", where = "Section VII-C",
        claim = "\"[T]he ASRPT scheduler has a very light tail in the CDF of flow-time, compared "
            .. "to the FIFO and Fair schedulers. In other words, the fairness of the ASRPT "
            .. "scheduler is similar to the FIFO and Fair schedulers.\"",
        paper = string.format("curves up to a flow time of %d, without numbers", SHOWN),
        reference = table.concat(theirs, "; "),
        ours = table.concat(parts, "; "),
        verdict = papers.verdict(votes),
        because = string.format("similar is read as: at most %.2f times; so beyond doubt at %d of "
            .. "%d quantiles, and not so at %d, by intervals over groups of seeds", SIMILAR,
            votes.held, votes.held + votes.failed + votes.undecided, votes.failed),
    }
end

local function judge_lrpt(section, pools)
    local parts, theirs, held = {}, reference.within_100.lrpt, 0
    for i, mode in ipairs(runs.MODES) do
        local p = pools[mode]
        local others = 1
        for _, policy in ipairs { "fifo", "fair", "asrpt" } do
            others = math.min(others, share_within(p[policy], SHOWN))
        end
        local lrpt = share_within(p.lrpt, SHOWN)
        if lrpt < others
            and experiment.quantile(p.lrpt, .99) > math.max(experiment.quantile(p.fifo, .99),
            experiment.quantile(p.fair, .99),
                experiment.quantile(p.asrpt, .99)) then
            held = held + 1
        end
        parts[i] = string.format("%s: %.4f of the jobs within %d slots, the others at least %.4f",
            mode, lrpt, SHOWN, others)
    end
    section:claim {
        label = "LRPT has a long tail", where = "Section VII-C",
        claim = "\"[T]he LRPT scheduler has a long tail in the CDF of flow time. In the other "
            .. "words, the fairness of the LRPT scheduler is not as good as the other "
            .. "schedulers.\"",
        paper = "curves without numbers",
        reference = string.format(
            "P(F <= 100) of LRPT %.3f to %.3f, of ASRPT at least %.4f over the four figures",
            theirs[1],
            theirs[2], reference.within_100.asrpt[1]),
        ours = table.concat(parts, "; "), verdict = experiment.verdict(held, #runs.MODES),
        because = string.format("fewest jobs within %d slots, and the largest .99 quantile", SHOWN),
    }
end

-- Distribution of the flow time as the paper plots it, and the share of slower jobs beyond what it
-- shows.
local function curves(context, section, name, title, pools)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for _, mode in ipairs(runs.MODES) do
        local cdf, tail = {}, {}
        for _, policy in ipairs(POLICIES) do
            local values, total = runs.sorted_values(pools[mode][policy])
            local lines, below =
                { "# flow time, share of the jobs up to it, share of the jobs from it on: " .. mode
                .. " "
                .. runs.NAMES[policy], "0\t0.0\t1.0" }, 0
            for _, value in ipairs(values) do
                local before = below
                below = below + pools[mode][policy][value]
                lines[#lines + 1] = figure.row(value, below / total, 1 - before / total)
            end
            blocks[#blocks + 1] = lines
            cdf[#cdf + 1] = string.format("data index %d using 1:2 with steps %s title '%s'",
                #blocks - 1, figure.line(policy),
                runs.NAMES[policy])
            tail[#tail + 1] = string.format("data index %d using 1:3 with fsteps %s title '%s'",
                #blocks - 1,
                figure.line(policy), runs.NAMES[policy])
        end
        local shown = mode:gsub("nonpre", "non-pre")
        panels[#panels + 1] = string.format([[
unset logscale
set title '%s, as in the paper'
set xrange [0:%d]
set yrange [0:1]
set ytics autofreq
set xlabel 'flow time (slots)'
set ylabel 'share of jobs at most this slow'
%s
plot %s
set logscale xy
set title '%s, the tail'
set xrange [1:1000]
set yrange [5e-6:1]
set ytics ('1' 1, '0.1' 1e-1, '0.01' 1e-2, '0.001' 1e-3, '10⁻⁴' 1e-4, '10⁻⁵' 1e-5)
set ylabel 'share of jobs at least this slow'
set key off
plot %s
]], shown, SHOWN, mode == "preemptive" and "set key right bottom reverse Left" or "set key off",
            table.concat(cdf, ", \\\n     "), shown, table.concat(tail, ", \\\n     "))
    end
    local script = string.format("set multiplot layout 2,2 title %s\n%sunset multiplot\n",
        figure.quote(title),
        table.concat(panels))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/" .. name, 960, 760,
        script, blocks)
end

---Figures 10 to 13.
---@param setting integer
function M.distribution(setting)
    local kind = runs.SETTINGS[setting]
    local name = "fig" .. 10 + setting
    local title = string.format("Figure %d: distribution of flow times, maps %s, reduces %s",
        10 + setting, kind.maps,
        kind.reduces)
    return { name = name, title = title, run = function(context)
        local seeds = runs.scaled(context, reference.quantiles.seeds)
        local section = papers.section(name, title, "Section VII-C", {
            string.format(
                "The runs of Figure %d, flow times of all jobs of %d seeds pooled; quantiles in "
                .. "slots.", 5 + setting,
                seeds),
            string.format(
                "Reference: %d seeds. A quantile is flagged when it is more than one slot and 3 "
                .. "standard errors "
                .. "apart, the error from %d groups of seeds; the .99 and .999 quantiles, which "
                    .. "a few congested seeds decide, "
                .. "may differ by factors of %g and %g in any case. The maximum, which a single "
                    .. "job decides, is not judged, nor "
                .. "is anything from fewer than %d seeds. The digest is that of all seeds of "
                    .. "Figure %d.",
                reference.quantiles.seeds, GROUPS, FACTORS[.99], FACTORS[.999], JUDGED,
                5 + setting),
        })
        local rows, pools, cells = {}, {}, {}
        papers.over(runs.MODES, function(mode)
            local cell = runs.figure_cell(context, setting, mode)
            pools[mode], cells[mode] = {}, cell
            for _, policy in ipairs(POLICIES) do
                rows[#rows + 1], pools[mode][policy] = distribution_row(section, context, cell,
                    setting, mode, policy)
            end
        end)
        section:table(name, nil, COLUMNS, rows)
        judge_fairness(section, setting, pools, cells)
        judge_lrpt(section, pools)
        curves(context, section, name, title, pools)
        return section
    end }
end

return M
