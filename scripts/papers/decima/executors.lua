-- Executors that stay with their query: what the FIFO of the paper's simulator is, and what of the
-- gain over it is a gain over that.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local pinion = require "pinion"
local ranking = require "decima.ranking"
local text = require "shared.text"

local M = {}

-- fifo first: changes are against it. partition, the fair scheduler of the paper's simulator,
-- shares executors that stay.
local POLICIES = { "fifo", "sjf-cp", "fair", "partition", "wfair" }
local NODES = { { count = 50, capacity = { 1 } } }
-- The delays of the paper's simulator.
local MOVE, FRESH = 2000, 1000
local MODES = {
    { name = "free", title = "each task on any executor", short = "any" },
    { name = "sticky", title = "sticky", short = "sticky", executors = "sticky" },
    { name = "free_delays", title = "each task on any executor, with delays",
        short = "any, delays", executors = "free", move = MOVE, fresh = FRESH },
    { name = "sticky_delays", title = "sticky, with delays", short = "sticky, delays",
        executors = "sticky", move = MOVE, fresh = FRESH },
}
local WORKLOADS = {
    { name = "batch", runs = 8, jobs = 20, text = "20 queries at time 0" },
    { name = "stream", runs = 1, jobs = 200, arrivals = "poisson(0.00004)",
        text = "200 queries, Poisson arrivals 25 s apart" },
}

local function run(context, workload, mode, policy, seed)
    return papers.run { model = "dag", policy = policy, nodes = NODES, resources = { "executor" },
        seed = seed, bounds = "none", params = { order = "ready", executors = mode.executors,
            move_ms = mode.move, fresh_ms = mode.fresh },
        workload = pinion.trace.tpch(context.trace, { jobs = workload.jobs,
            arrivals = workload.arrivals, seed = seed }) }
end

-- The mean completion time, s, of each policy in each mode: of a seed's runs, which are the same
-- queries for all of them.
local function measure(context, workload, seed)
    local made = {}
    for _, mode in ipairs(MODES) do
        local folded = papers.DIGEST_START
        made[mode.name] = {}
        for _, policy in ipairs(POLICIES) do
            if policy ~= "partition" or mode.executors == "sticky" then
                local sum = 0.0
                for i = 1, workload.runs do
                    local result = run(context, workload, mode, policy,
                        1000 * context.seed + 10 * seed + i)
                    sum = sum + result.mean_jct / 1000
                    folded = papers.fold(folded, result.digest)
                end
                made[mode.name][policy] = sum / workload.runs
            end
        end
        made[mode.name].digest = papers.digest_text(folded)
    end
    return made
end

local function values_of(context, workload)
    return papers.each(context, "executors of a " .. workload.name, context.seeds, function(seed)
        return measure(context, workload, seed)
    end, "part", workload)
end

-- ---- the tables ---------------------------------------------------------------------------------

-- The change of the mean from one mode and policy to another, in percent, by seed.
local function change(values, mode, policy, from_mode, from_policy)
    local made = {}
    for seed, value in ipairs(values) do
        made[seed] = 100 * (value[mode][policy] / value[from_mode][from_policy] - 1)
    end
    return experiment.summary(made)
end

local function mean(values, mode, policy)
    local made = {}
    for seed, value in ipairs(values) do made[seed] = value[mode][policy] end
    return experiment.summary(made)
end

local function spread(sample, decimals)
    return string.format("%s ± %s", text.number(sample.mean, decimals),
        text.number(sample.half, decimals))
end

local function columns()
    local made = { { key = "workload", title = "queries" }, { key = "mode", title = "executors" } }
    for _, policy in ipairs(POLICIES) do
        made[#made + 1] = { key = policy, title = policy == "fifo" and "fifo, s"
            or policy .. ", %", right = true, show = function(sample)
                return sample and spread(sample, 1) or "-"
            end }
    end
    made[#made + 1] = { key = "digest", title = "digest" }
    return made
end

local function rows_of(all)
    local rows = {}
    for _, workload in ipairs(WORKLOADS) do
        local values = all[workload.name]
        for _, mode in ipairs(MODES) do
            local folded = papers.DIGEST_START
            for _, value in ipairs(values) do
                folded = papers.fold(folded, value[mode.name].digest)
            end
            local row = { workload = workload.name, mode = mode.title,
                fifo = mean(values, mode.name, "fifo"), digest = papers.digest_text(folded) }
            for i = 2, #POLICIES do
                row[POLICIES[i]] = values[1][mode.name][POLICIES[i]]
                    and change(values, mode.name, POLICIES[i], mode.name, "fifo")
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- ---- the figure ---------------------------------------------------------------------------------

local COLOURS = { figure.COLOURS.blue, figure.COLOURS.orange, figure.COLOURS.green,
    figure.COLOURS.pink, figure.COLOURS.black }

-- One panel a workload, with the mean completion time of every policy in each mode.
local function panel(all, workload, blocks, last)
    local plots = {}
    for p, policy in ipairs(POLICIES) do
        local lines = { "# executors, mean completion time, half width: " .. policy }
        for m, mode in ipairs(MODES) do
            if all[workload.name][1][mode.name][policy] then
                local sample = mean(all[workload.name], mode.name, policy)
                lines[#lines + 1] = figure.row(m + (p - 3) * 0.1, sample.mean, sample.half)
            end
        end
        blocks[#blocks + 1] = lines
        plots[p] = string.format("data index %d using 1:2:3 with yerrorbars linewidth 1.5 "
            .. "pointtype %d pointsize 0.7 linecolor rgb '%s' %s", #blocks - 1, 4 + p, COLOURS[p],
            last and "title " .. figure.quote(policy) or "notitle")
    end
    return string.format("set title %s\nplot %s\n", figure.quote(workload.text),
        table.concat(plots, ", \\\n     "))
end

local function draw(context, section, all)
    if not context.directory then return end
    local blocks, panels, ticks = {}, {}, {}
    for m, mode in ipairs(MODES) do
        ticks[m] = string.format("%s %d", figure.quote(mode.short), m)
    end
    for w, workload in ipairs(WORKLOADS) do
        panels[w] = panel(all, workload, blocks, w == #WORKLOADS)
    end
    local script = string.format([[
set ylabel 'mean completion time, s'
set logscale y
set xtics (%s)
set xrange [0.5:%d.5]
set key top left reverse Left
set multiplot layout 1,%d
%sunset multiplot
]], table.concat(ticks, ", "), #MODES, #WORKLOADS, table.concat(panels))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/executors", 1120,
        420, script, blocks)
end

-- ---- verdicts -----------------------------------------------------------------------------------

-- Claims that FIFO has a smaller mean completion time in one mode than in another.
local function judge_fifo(section, all, mode, other, label, claim)
    local votes, parts = papers.votes(), {}
    for _, workload in ipairs(WORKLOADS) do
        local apart = change(all[workload.name], mode, "fifo", other, "fifo")
        papers.vote(votes, papers.is_less(apart))
        parts[#parts + 1] = string.format("%s: %s %%", workload.name, spread(apart, 1))
    end
    section:claim {
        label = "ours: " .. label, where = "not in the paper", claim = claim, paper = "-",
        ours = table.concat(parts, "; "), verdict = papers.verdict(votes),
        because = "seed by seed, on the same queries",
    }
end

local function judge_modes(section, all)
    judge_fifo(section, all, "free", "sticky", "their FIFO is slow as its executors wait",
        "FIFO with executors that any task may use at once has a smaller mean completion time than "
            .. "the FIFO of the paper's simulator, whose executors stay with a query for stages "
            .. "whose parents still run, even where moves are free.")
    judge_fifo(section, all, "sticky_delays", "free_delays", "with delays executors should stay",
        string.format("Where an executor needs %g s to move and %g s more for its first task of a "
            .. "query, FIFO with executors that stay has a smaller mean completion time than with "
            .. "executors that move to whichever task is next.", MOVE / 1000, FRESH / 1000))
end

-- What is gained over the paper's FIFO, beside what FIFO itself gains where executors are free.
local function judge_gain(section, all)
    local most, better, fair, rest = papers.votes(), papers.votes(), {}, {}
    for _, workload in ipairs(WORKLOADS) do
        local values, beyond = all[workload.name], {}
        for seed, value in ipairs(values) do
            local fifo = value.sticky.fifo
            beyond[seed] = (2 * value.free.fifo - fifo - value.sticky.partition) / fifo
        end
        papers.vote(most, papers.is_less(experiment.summary(beyond)))
        fair[#fair + 1] = string.format("%s: %s %%, free executors %s %%", workload.name,
            spread(change(values, "sticky", "partition", "sticky", "fifo"), 1),
            spread(change(values, "free", "fifo", "sticky", "fifo"), 1))
        for _, policy in ipairs { "sjf-cp", "wfair" } do
            local apart = change(values, "sticky", policy, "free", "fifo")
            papers.vote(better, papers.is_less(apart))
            rest[#rest + 1] = string.format("%s, %s: %s %%", workload.name, policy,
                spread(apart, 1))
        end
    end
    section:claim {
        label = "ours: what fair sharing gains is mostly stickiness", where = "not in the paper",
        claim = "FIFO gains more than half as much where any task may use any executor as the fair "
            .. "scheduler of the paper's simulator gains over its FIFO.",
        paper = "-", ours = table.concat(fair, "; "), verdict = papers.verdict(most),
        because = "twice the gain of free executors against the other, seed by seed",
    }
    section:claim {
        label = "ours: short and weighted jobs gain more", where = "not in the paper",
        claim = "With executors that stay sjf-cp and weighted fair sharing have smaller mean "
            .. "completion times than FIFO with executors that any task may use.",
        paper = "-", ours = table.concat(rest, "; "), verdict = papers.verdict(better),
        because = "seed by seed, on the same queries, moves are free",
    }
end

local RANKING = ", executors that stay"

local function judge_ranking(section, all)
    local workloads = {}
    for i, workload in ipairs(WORKLOADS) do
        workloads[i] = { prefix = workload.name .. ", ", apart = function(better, worse)
            return change(all[workload.name], "sticky_delays", better, "sticky_delays", worse)
        end }
    end
    ranking.judge(section, RANKING, workloads)
end

local TEXT = {
    "50 executors, one task each at a time (DG35, DG36). In the paper's simulator, decima-sim, an "
        .. "executor stays with its query until nothing there can use it, which includes stages "
        .. "whose parents still run; and its FIFO gives the first query executors until it can use "
        .. "no more. So FIFO there is sticky: with free moves completion times are decima-sim's "
        .. "within its ties (tests/dag/decima_sim.lua).",
    string.format("Batches are %s, %d of them a seed, streams %s, drawn from all sizes; stages are "
        .. "served in the order in which they become ready. Delays are decima-sim's: %g s to move, "
        .. "and %g s for the first task of a query. A task takes as long however many run beside "
        .. "it.", WORKLOADS[1].text, WORKLOADS[1].runs, WORKLOADS[2].text, MOVE / 1000,
        FRESH / 1000),
    "Changes are against fifo with the same executors, in the mean over seeds of the same queries. "
        .. "partition is decima-sim's fair scheduler.",
}

M.section = { name = "executors", title = "Executors that stay with their query",
    run = function(context)
        local section = papers.section("executors", M.section.title,
            "Section 7.2 and its simulator", TEXT)
        if not context.trace then
            ranking.cannot_rank(section, RANKING)
            return section
        end
        local all = {}
        for _, workload in ipairs(WORKLOADS) do
            all[workload.name] = values_of(context, workload)
        end
        section:table("executors", nil, columns(), rows_of(all))
        judge_ranking(section, all)
        judge_modes(section, all)
        judge_gain(section, all)
        draw(context, section, all)
        return section
    end }

return M
