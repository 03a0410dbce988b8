-- Figure 7 of Lin, Zhang, Wierman, Tan (2013): mean response time over the lower bound of Section
-- 5.1 at growing loads. What the paper says of it is about a trace of a Google cluster, which holds
-- no shuffle sizes and whose exact filter is not given: it is judged on a SWIM trace, when one is
-- named, and on nothing else. The synthetic workload of Section 5.3 is shown beside it.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Figure 7: mean response time over the lower bound"

local POLICIES = { "maxsrpt", "splitsrpt", "klps", "bsrpt" }
local PAPERS_OWN = { "maxsrpt", "splitsrpt", "klps" }

-- Jobs of a point, as a share of those of Section 5.3: there are many points.
local SHARE = 0.2

---@class pinion.LoadCurve
---@field key string
---@field title string
---@field short string
---@field trace boolean|nil its replicas are windows of the trace
---@field loads number[]
---@field cells pinion.LinCell[] by load

---@return pinion.LoadCurve[]
local function synthetic_curves(context)
    local curves, given = {}, {}
    for _, kind in ipairs { "pair", "balanced", "independent" } do
        local loads = kind == "independent" and reference.independent.loads
            or reference.relative.loads
        local about = runs.WORKLOADS[kind]
        curves[#curves + 1] = { key = kind, title = about.title, short = about.short, loads = loads,
            cells = {} }
        for _, load in ipairs(loads) do
            given[#given + 1] = {
                label = string.format("%s at %.2f", kind, load), policies = POLICIES,
                workload = runs.workload(kind, load, runs.scaled(context, SHARE)),
            }
        end
    end
    local cells, at = runs.cells(context, "Figure 7", given), 1
    for _, curve in ipairs(curves) do
        for i in ipairs(curve.loads) do curve.cells[i], at = cells[at], at + 1 end
    end
    return curves
end

-- One run says nothing of what another stretch of time would give: windows of the trace, one after
-- the other and each with as many jobs, are its replicas.
local WINDOWS = 8

local function windows_of(jobs)
    local windows, each = {}, #jobs // WINDOWS
    for w = 1, WINDOWS do
        local window, first = {}, jobs[(w - 1) * each + 1]
        for i = 1, each do
            local job = jobs[(w - 1) * each + i]
            window[i] = { arrival = job.arrival - first.arrival, map = job.map,
                shuffle = job.shuffle }
        end
        windows[w] = window
    end
    return windows
end

local function trace_curves(context)
    local curves = {}
    for _, balance in ipairs { false, true } do
        local curve = { key = "trace", title = "the trace", short = "trace",
            loads = reference.relative.loads, trace = true }
        if balance then
            curve.key, curve.title, curve.short = "trace_balanced",
                "the trace with the cube root of every ratio",
                "trace, balanced"
        end
        local given = {}
        for i, load in ipairs(curve.loads) do
            local spec = string.format("swim:%s,load=%g,balance=%s", context.trace, load, balance)
            given[i] = { label = string.format("trace at %.2f", load), policies = POLICIES,
                workloads = windows_of(pinion.workload.spec(spec):jobs()) }
        end
        local windows = setmetatable({ seeds = WINDOWS }, { __index = context })
        curve.cells = runs.cells(windows, curve.title, given)
        curves[#curves + 1] = curve
    end
    return curves
end

local function add_rows(section, context, rows, curve)
    local known = reference.relative[curve.key]
    local known_tight = reference.relative[curve.key .. "_tight"]
    for i, cell in ipairs(curve.cells) do
        for _, label in ipairs(POLICIES) do
            local values, tight = runs.ratios(cell, label, "lower"),
                experiment.summary(runs.ratios(cell, label, "tight"))
            local sample = experiment.summary(values)
            local row = {
                workload = curve.short, load = curve.loads[i], policy = label, mean = sample.mean,
                tight = tight.mean,
                response = experiment.summary(cell.mean[label]).mean, jobs = cell.jobs,
                seeds = cell.seeds,
                digest = cell.digest[label],
                reference = known and known[label] and known[label][i],
                reference_tight = known_tight and known_tight[label] and known_tight[label][i],
            }
            row.half, row.tight_half = sample.half, tight.half
            row.seed = not curve.trace and context.seed or nil
            local function compare(what, ours, theirs)
                if not theirs then return end
                local name = string.format("%s, load %.2f, %s over the %s bound", curve.title,
                    row.load, runs.name(label), what)
                local tolerance = runs.tolerance(ours, cell.jobs, reference.relative.jobs, 0.0005)
                local agrees = section:compare(name, experiment.summary(ours).mean, theirs,
                    tolerance)
                row.agrees = row.agrees ~= false and agrees
            end
            compare("paper's", values, row.reference)
            compare("tight", runs.ratios(cell, label, "tight"), row.reference_tight)
            rows[#rows + 1] = row
        end
    end
end

-- Mean response times of independent sizes, where the reference noted them.
local function compare_independent(section, curve)
    for i, cell in ipairs(curve.cells) do
        for _, label in ipairs { "splitsrpt", "maxsrpt" } do
            local theirs = reference.independent[label][i]
            if theirs then
                local tolerance = runs.tolerance(cell.mean[label], cell.jobs,
                    reference.relative.jobs)
                section:compare(string.format("%s, load %.2f, %s", curve.title, curve.loads[i],
                    runs.name(label)),
                    experiment.summary(cell.mean[label]).mean, theirs, tolerance)
            end
        end
    end
end

-- A line per load, with all policies.
local function short_rows(rows)
    local short, by_point = {}, {}
    for _, row in ipairs(rows) do
        local point = row.workload .. row.load
        if not by_point[point] then
            by_point[point] = { workload = row.workload, load = row.load, agrees = nil }
            short[#short + 1] = by_point[point]
        end
        local line = by_point[point]
        line[row.policy] = row
        if row.agrees ~= nil then line.agrees = line.agrees ~= false and row.agrees end
        line.bound = row.mean / row.tight
    end
    return short
end

local function short_columns()
    local columns = { { key = "workload", title = "workload" },
        { key = "load", title = "load", right = true,
        show = function(value) return text.number(value, 2) end } }
    for _, label in ipairs(POLICIES) do
        columns[#columns + 1] = { key = label, title = runs.name(label), right = true, words = true,
                show = function(row)
            return runs.interval_text(row)
        end }
        columns[#columns + 1] = { key = label, title = "ref.", right = true, words = true,
                show = function(row)
            return row.reference and text.number(row.reference, 3) or ""
        end }
    end
    columns[#columns + 1] = papers.AGREES_COLUMN
    columns[#columns + 1] = { key = "tight", title = "MaxSRPT over our bound", right = true,
        words = true,
        show = function(_, line)
        return text.number(line.maxsrpt.tight, 3)
    end }
    columns[#columns + 1] = { key = "tight", title = "ref.", right = true, words = true,
            show = function(_, line)
        return line.maxsrpt.reference_tight and text.number(line.maxsrpt.reference_tight, 3) or ""
    end }
    columns[#columns + 1] = runs.column("bound", "our bound", 3)
    return columns
end

-- Every number, for files.
local COLUMNS = {}
for i, key in ipairs {
    "workload", "load", "policy", "mean", "half", "reference", "tight", "tight_half",
    "reference_tight", "agrees", "response",
        "jobs",
    "seeds", "seed", "digest",
} do COLUMNS[i] = { key = key } end

-- ---- claims -------------------------------------------------------------------------------------

-- Near: at most this much above the bound.
local NEAR = 1.5

-- What the reference noted at the last load: "at 0.75: MaxSRPT 1.41, ..."
local function reference_at_last(key, labels)
    local known, parts = reference.relative[key], {}
    if not known then return nil end
    local last = #reference.relative.loads
    for i, label in ipairs(labels) do
        parts[i] = string.format("%s %.2f", runs.name(label), known[label][last])
    end
    return string.format("at %.2f: %s", reference.relative.loads[last], table.concat(parts, ", "))
end

---Whether a mean of ratios lies above a limit: nil when its interval covers it, and of windows or
---replicas with fewer jobs than have a vote.
---@param jobs integer of a replica
---@param sample pinion.Sample
---@param limit number
---@return boolean|nil
function M.is_above(jobs, sample, limit)
    if jobs < papers.GROUP_LEAST then return nil end
    return experiment.above(sample, limit)
end

---Whether it is near: not above what is read as near.
---@param jobs integer of a replica
---@param sample pinion.Sample
---@return boolean|nil
function M.is_near(jobs, sample)
    if jobs < papers.GROUP_LEAST then return nil end
    return papers.is_at_most(sample, NEAR)
end

-- By how much the mean of one policy lies below that of another at each load of a curve: votes, and
-- words.
local function compare_policies(curve, better, worse)
    local votes, parts = papers.votes(), {}
    for i, cell in ipairs(curve.cells) do
        local sample = experiment.summary(runs.ratios(cell, worse, better))
        papers.vote(votes, M.is_above(cell.jobs, sample, 1))
        parts[#parts + 1] = string.format("%.2f: %s", curve.loads[i], runs.interval_text(sample))
    end
    return votes, table.concat(parts, ", ")
end

-- Claims of the paper are about its trace; of other jobs they are ours.
local function add_claim(section, curve, claim)
    claim.label = claim.label .. ": " .. curve.short
    if not curve.trace then
        claim.label = "ours: " .. claim.label
        claim.where = "not in the paper"
    end
    section:claim(claim)
end

local BETTER = {
    label = "both better than k-LPS", where = "Section 5.2, Fig. 7",
    claim = "\"[B]oth our algorithms perform much better than the k-LPS policy.\"",
}

local function judge_klps(section, curve)
    local votes = papers.votes()
    for _, label in ipairs { "maxsrpt", "splitsrpt" } do
        for key, count in pairs(compare_policies(curve, label, "klps")) do
            votes[key] = votes[key] + count
        end
    end
    local last = curve.cells[#curve.cells]
    local parts = {}
    for i, label in ipairs(PAPERS_OWN) do
        parts[i] = string.format("%s %.2f", runs.name(label),
            experiment.summary(runs.ratios(last, label, "lower")).mean)
    end
    add_claim(section, curve, {
        label = BETTER.label, where = BETTER.where, claim = BETTER.claim, paper = "curves",
        reference = reference_at_last(curve.key, PAPERS_OWN),
        ours = string.format("%s: relative E[T] at %.2f: %s", curve.title,
            curve.loads[#curve.loads], table.concat(parts, ", ")),
        verdict = papers.verdict(votes),
        because = string.format("below k-LPS beyond doubt in %d of %d cases, above in %d",
            votes.held, 2 * #curve.cells, votes.failed),
    })
end

local NEAR_BOUND = {
    label = "near the lower bound", where = "Section 5.2, Fig. 7",
    claim = "\"[B]oth of them are not far from the lower bound. [...] [B]oth our algorithm are "
        .. "near-optimal for a wide range of loads.\"",
}

local function judge_near(section, curve)
    local votes, largest, tight = papers.votes(), 0, 0
    for _, cell in ipairs(curve.cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local ratio = experiment.summary(runs.ratios(cell, label, "lower"))
            papers.vote(votes, M.is_near(cell.jobs, ratio))
            largest = math.max(largest, ratio.mean)
            tight = math.max(tight, experiment.summary(runs.ratios(cell, label, "tight")).mean)
        end
    end
    add_claim(section, curve, {
        label = NEAR_BOUND.label, where = NEAR_BOUND.where, claim = NEAR_BOUND.claim,
        paper = "curves",
        reference = reference_at_last(curve.key, { "maxsrpt", "splitsrpt" }),
        ours = string.format("%s: at most %.2f times the paper's bound, at most %.2f times ours",
            curve.title, largest, tight),
        verdict = papers.verdict(votes),
        because = string.format("\"not far\" is read as %g; beyond doubt so in %d of %d cases, and "
            .. "not in %d", NEAR, votes.held, 2 * #curve.cells, votes.failed),
    })
end

local function reference_independent()
    local known, parts = reference.independent, {}
    for i, load in ipairs(known.loads) do
        if known.splitsrpt[i] then
            parts[#parts + 1] = string.format("E[T] at %.2f: SplitSRPT %.2f, MaxSRPT %.2f", load,
                known.splitsrpt[i],
                known.maxsrpt[i])
        end
    end
    return table.concat(parts, "; ")
end

local SIMILAR_ALGORITHMS = {
    label = "the two similar below high load", where = "Section 5.2, Fig. 7(a)",
    claim = "\"[O]ur two algorithms have very similar performance for a wide range of loads\".",
}
-- Ratios of similar algorithms lie within this margin around 1.
local SIMILAR = 0.05

---Returns whether a mean of ratios is similar to 1: nil when its interval crosses the margin, and
---for windows or replicas with fewer jobs than have a vote.
---@param jobs integer of a replica
---@param sample pinion.Sample
---@return boolean|nil
function M.is_similar(jobs, sample)
    if jobs < papers.GROUP_LEAST then return nil end
    return experiment.within(sample, SIMILAR, 1)
end

local function judge_similar(section, curve)
    local votes, parts = papers.votes(), {}
    for i = 1, #curve.cells - 1 do
        local cell = curve.cells[i]
        local ratio = experiment.summary(runs.ratios(cell, "splitsrpt", "maxsrpt"))
        papers.vote(votes, M.is_similar(cell.jobs, ratio))
        parts[i] = string.format("%.2f: %s", curve.loads[i], runs.interval_text(ratio))
    end
    local about = SIMILAR_ALGORITHMS
    add_claim(section, curve, {
        label = about.label, where = about.where, claim = about.claim, paper = "curves",
        ours = string.format("%s: SplitSRPT over MaxSRPT by load: %s", curve.title,
            table.concat(parts, ", ")),
        verdict = papers.verdict(votes),
        because = string.format("similar is read as within ±%g %%; so at %d of %d loads below the "
            .. "highest, outside at %d", 100 * SIMILAR, votes.held, #parts, votes.failed),
    })
end

local SPLIT_BETTER = {
    label = "SplitSRPT better at high load", where = "Section 5.2, Fig. 7(a)",
    claim = "\"SplitSRPT outperforms MaxSRPT when the load is high.\"",
}
local MAX_BETTER = {
    label = "MaxSRPT better", where = "Section 5.2, Fig. 7(b)",
    claim = "With the cube roots of the ratios \"MaxSRPT now has better performance than SplitSRPT "
        .. "given the more balanced job sizes\".",
}

-- Figure 7(a): SplitSRPT below MaxSRPT at the highest load; 7(b), balanced: above it everywhere.
local function judge_order(section, curve, split_better)
    local votes, parts = compare_policies(curve, "maxsrpt", "splitsrpt")
    local last = experiment.summary(runs.ratios(curve.cells[#curve.cells], "maxsrpt", "splitsrpt"))
    local of_last = papers.votes()
    papers.vote(of_last, M.is_above(curve.cells[#curve.cells].jobs, last, 1))
    local about = split_better and SPLIT_BETTER or MAX_BETTER
    add_claim(section, curve, {
        label = about.label, where = about.where, claim = about.claim, paper = "curves",
        reference = reference_at_last(curve.key, { "splitsrpt", "maxsrpt" })
            or curve.key == "independent"
            and reference_independent() or nil,
        ours = string.format("%s: SplitSRPT over MaxSRPT by load: %s", curve.title, parts),
        verdict = papers.verdict(split_better and of_last or votes),
        because = split_better and "judged at the highest load"
            or string.format("above MaxSRPT beyond doubt at %d of %d loads, below at %d",
            votes.held, #curve.cells, votes.failed),
    })
end

-- What the paper says of its trace, where there is none.
local function claims_without_trace(section)
    for _, about in ipairs { BETTER, NEAR_BOUND, SIMILAR_ALGORITHMS, SPLIT_BETTER, MAX_BETTER } do
        section:claim {
            label = about.label, where = about.where, claim = about.claim, paper = "curves",
            ours = "no trace was given", verdict = papers.CANNOT,
            because = "the paper's trace of a Google cluster is public but holds no shuffle sizes, "
                .. "and how its jobs were chosen is not said; --trace FILE judges this on a SWIM "
                .. "trace",
        }
    end
end

-- ---- the figure ---------------------------------------------------------------------------------

local function draw(context, section, curves)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for _, curve in ipairs(curves) do
        local plots = {}
        for _, label in ipairs(POLICIES) do
            local lines =
                { string.format(
                "# load, relative E[T], half width of the 95 %% interval, reference: %s, %s",
                curve.title, runs.name(label)) }
            local known = (reference.relative[curve.key] or {})[label] or {}
            for i, cell in ipairs(curve.cells) do
                local sample = experiment.summary(runs.ratios(cell, label, "lower"))
                lines[#lines + 1] = figure.row(curve.loads[i], sample.mean, sample.half, known[i])
            end
            blocks[#blocks + 1] = lines
            plots[#plots + 1] =
                string.format(
                "data index %d using 1:2:3 with yerrorlines %s pointtype %d pointsize 0.7 title "
                .. "'%s'", #blocks - 1,
                figure.line(label), figure.STYLES[label].point, runs.name(label))
        end
        local tight = { "# load, our bound over the paper's: " .. curve.title }
        for i, cell in ipairs(curve.cells) do
            tight[#tight + 1] = figure.row(curve.loads[i],
                experiment.summary(runs.ratios(cell, "tight", "lower")).mean)
        end
        blocks[#blocks + 1] = tight
        plots[#plots + 1] =
            string.format(
            "data index %d using 1:2 with lines linewidth 1.5 dashtype 3 linecolor rgb '%s' title "
            .. "'bound, ours'",
            #blocks - 1, figure.COLOURS.grey)
        panels[#panels + 1] = string.format("set title %s\nplot %s\n", figure.quote(curve.title),
            table.concat(plots, ", \\\n     "))
    end
    local rows = (#panels + 1) // 2
    local script = string.format([[
set multiplot layout %d,2
set xlabel 'load'
set ylabel "relative E[T]"
set yrange [1:*]
set xrange [0:1]
set key below horizontal center reverse Left
%sunset multiplot
]], rows, table.concat(panels))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig7", 960,
        440 * rows, script, blocks)
end

local function run_figure7(context)
    local section = papers.section("fig7", TITLE, "Section 5.2", {
        string.format(
            "Total response time over the paper's bound and over ours. %d replicas of %s a "
            .. "point, all policies and "
            .. "bounds on the same jobs; loads as in the reference, which ran %s.", context.seeds,
            text.count(runs.scaled(context, SHARE), "job"),
            text.count(reference.relative.jobs, "job")),
        "\"Balanced\" is the transform of Figure 7(b): every ratio of shuffle to map size "
            .. "becomes its cube root, the mean "
            .. "shuffle size stays 1. \"Independent\" draws both sizes on their own, sd "
                .. reference.independent.sd .. " each.",
    })
    local curves, rows = synthetic_curves(context), {}
    if context.trace then
        for _, curve in ipairs(trace_curves(context)) do curves[#curves + 1] = curve end
    end
    for _, curve in ipairs(curves) do
        add_rows(section, context, rows, curve)
        if curve.key == "independent" then compare_independent(section, curve) end
    end
    section:table("fig7", nil, COLUMNS, rows)
    section:table("fig7_short",
        "Over the paper's bound; the last column is our bound over the paper's:",
        short_columns(), short_rows(rows))
    for _, curve in ipairs(curves) do
        local balanced = curve.key == "balanced" or curve.key == "trace_balanced"
        judge_klps(section, curve)
        if not balanced and curve.key ~= "independent" then judge_near(section, curve) end
        if not balanced then judge_similar(section, curve) end
        judge_order(section, curve, not balanced)
    end
    if not context.trace then
        claims_without_trace(section)
    else
        section:note(
            "The trace is cut into %d windows of equal numbers of jobs, and the intervals are "
            .. "those of the windows. Its sizes are bytes read and bytes shuffled, scaled so that "
            .. "both stations have the load over all of it.", WINDOWS)
    end
    draw(context, section, curves)
    return section
end

M.figure7 = { name = "fig7", title = TITLE, run = run_figure7 }

return M
