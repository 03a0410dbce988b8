-- Figure 9 of Lin, Zhang, Wierman, Tan (2013): mean slowdown by the size of jobs, max(map,
-- shuffle), and what the paper reads off it about fairness. The runs are those of Section 5.3.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Figure 9: mean slowdown by size of job"

local SHOWN = { "klps", "maxsrpt", "splitsrpt", "bsrpt" }
local BUCKETS, WIDTH = reference.slowdown.buckets, reference.slowdown.width

-- Sizes that are looked at together: a bucket of .25 holds few large jobs.
local GROUPS = { 0, .25, 1, 3, 6, 10, 19, 30, 40, 50, 75, 100 }

---@class pinion.SizeSample slowdowns of the jobs of some sizes
---@field count integer jobs of all replicas
---@field mean number|nil nil without jobs
---@field half number|nil half width of its 95 % interval, from the spread of the replicas

-- The mean of jobs pooled over replicas, of sums and counts by replica. What one job did says
-- little of the next, which may stand in the same queue: the interval is that of the replicas,
-- whose deviations from the pooled mean are taken as those of a ratio of sums.
local function pooled(sums, counts)
    local sum, count, replicas = 0.0, 0, #sums
    for r = 1, replicas do sum, count = sum + sums[r], count + counts[r] end
    if count == 0 then return { count = 0 } end
    local mean, values = sum / count, {}
    for r = 1, replicas do
        values[r] = mean + replicas * (sums[r] - mean * counts[r]) / count
    end
    return { count = count, mean = mean, half = experiment.summary(values).half, values = values }
end

-- Sums of slowdowns and counts of the jobs of the buckets first..last, by replica.
local function sums_of(cell, label, first, last)
    local sums, counts = {}, {}
    for r = 1, cell.seeds do
        local of_replica = cell.buckets[label][r]
        sums[r], counts[r] = 0.0, 0
        for b = first, last do
            sums[r], counts[r] = sums[r] + of_replica.sums[b], counts[r] + of_replica.counts[b]
        end
    end
    return sums, counts
end

local function sample(cell, label, first, last)
    return pooled(sums_of(cell, label, first, last))
end

-- The same of so many times one policy's slowdowns less another's, job by job the same.
local function difference(cell, times, label, other, first, last)
    local sums, counts = sums_of(cell, label, first, last)
    local theirs = sums_of(cell, other, first, last)
    for r = 1, #sums do sums[r] = times * sums[r] - theirs[r] end
    return pooled(sums, counts)
end

---Whether a mean difference is less than 0: nil when its interval covers 0, and of a group with
---fewer jobs than have a vote.
---@param of pinion.SizeSample
---@return boolean|nil
function M.is_less(of)
    if of.count < papers.GROUP_LEAST then return nil end
    return papers.is_less(of)
end

-- Index of the bucket that begins at a size.
local function bucket_at(size)
    return math.floor(size / WIDTH + 0.5) + 1
end

-- First and last bucket of the sizes between two.
local function buckets_of(from, to)
    return bucket_at(from), bucket_at(to) - 1
end

-- Mean slowdown by replica of the jobs between two sizes; replicas without such jobs are left out.
local function by_replica(cell, label, from, to)
    local sums, counts = sums_of(cell, label, buckets_of(from, to))
    local values = {}
    for replica = 1, cell.seeds do
        if counts[replica] > 0 then values[#values + 1] = sums[replica] / counts[replica] end
    end
    return values
end

-- ---- tables -------------------------------------------------------------------------------------

local function group_rows(context, cells)
    local rows = {}
    for position, cell in ipairs(cells) do
        for g = 1, #GROUPS - 1 do
            local from, to = GROUPS[g], GROUPS[g + 1]
            local row = { load = reference.loads[position], from = from, to = to,
                seeds = cell.seeds, seed = context.seed }
            for _, label in ipairs(SHOWN) do
                local of_group = sample(cell, label, buckets_of(from, to))
                row.jobs = of_group.count
                row[label], row[label .. "_half"] = of_group.mean, of_group.half
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

local function bucket_rows(cell)
    local rows = {}
    for b = 1, BUCKETS do
        local row = { from = (b - 1) * WIDTH, to = b * WIDTH }
        for _, label in ipairs(SHOWN) do
            local of_bucket = sample(cell, label, b, b)
            row.jobs, row[label], row[label .. "_half"] = of_bucket.count, of_bucket.mean,
                of_bucket.half
        end
        rows[b] = row
    end
    return rows
end

local function interval(label)
    return { key = label, title = runs.name(label), right = true, words = true,
            show = function(value, row)
        return value and runs.interval_text({ mean = value, half = row[label .. "_half"] }, 2)
            or "-"
    end }
end

local function group_columns()
    local columns = {
        { key = "load", title = "load", right = true,
            show = function(value) return text.number(value, 2) end },
        { key = "from", title = "from", right = true, show = text.amount },
        { key = "to", title = "to", right = true,
            show = text.amount },
        { key = "jobs", title = "jobs", right = true, show = text.amount },
    }
    for _, label in ipairs(SHOWN) do
        columns[#columns + 1] = interval(label)
        columns[#columns + 1] = { key = label }
        columns[#columns + 1] = { key = label .. "_half" }
    end
    columns[#columns + 1] = { key = "seeds" }
    columns[#columns + 1] = { key = "seed" }
    return columns
end

local function bucket_columns()
    local columns = { { key = "from" }, { key = "to" }, { key = "jobs" } }
    for _, label in ipairs(SHOWN) do
        columns[#columns + 1] = { key = label }
        columns[#columns + 1] = { key = label .. "_half" }
    end
    return columns
end

-- ---- the reference ------------------------------------------------------------------------------

-- Smallest bucket and sizes from 75 to 100, as far as they were noted.
local ENDS = { { 0, WIDTH, "smallest bucket" }, { 75, 100, "sizes 75 to 100" } }

-- The last decimals that were noted, halved.
local function rounding(value)
    return value >= 10 and 0.05 or 0.005
end

local function compare_ends(section, cells)
    for position, cell in ipairs(cells) do
        for _, label in ipairs(SHOWN) do
            for e, range in ipairs(ENDS) do
                local theirs, values = reference.slowdown.ends[label][position][e],
                    by_replica(cell, label, range[1], range[2])
                -- Single jobs decide in short runs.
                if theirs and #values == cell.seeds then
                    section:compare(string.format("load %.2f, slowdown of %s, %s",
                        reference.loads[position], runs.name(label),
                        range[3]),
                        experiment.summary(values).mean, theirs,
                        runs.tolerance(values, cell.jobs, reference.slowdown.jobs,
                            rounding(theirs)))
                end
            end
        end
    end
end

-- ---- claims -------------------------------------------------------------------------------------

-- Each group of sizes votes on one policy being below another, or below so many of its times.
local function vote_by_group(votes, cell, times, label, other)
    for g = 1, #GROUPS - 1 do
        local of_group = difference(cell, times, label, other, buckets_of(GROUPS[g], GROUPS[g + 1]))
        papers.vote(votes, M.is_less(of_group))
    end
end

local function judge_sizes(section, cells)
    local parts, all = {}, papers.votes()
    for position, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local votes = papers.votes()
            vote_by_group(votes, cell, 1, label, "klps")
            for key, count in pairs(votes) do all[key] = all[key] + count end
            parts[#parts + 1] = string.format("%.2f %s: below in %d, above in %d, not to be told "
                .. "in %d", reference.loads[position], runs.name(label), votes.held, votes.failed,
                votes.undecided)
        end
    end
    section:claim {
        label = "all sizes better than under k-LPS", where = "Section 5.3, Fig. 9",
        claim = "\"[A]ll job sizes have better expected performance under MaxSRPT and SplitSRPT "
            .. "than they do under k-LPS.\"",
        paper = "curves of 400 buckets",
        reference = string.format("so in all %d buckets, both policies, both loads, %s jobs",
            BUCKETS,
            text.amount(reference.slowdown.jobs)),
        ours = string.format("of %d groups of sizes, %s", #GROUPS - 1, table.concat(parts, "; ")),
        verdict = papers.verdict(all),
        because = string.format("by 95 %% intervals of the differences over the replicas; a group "
            .. "of fewer than %d jobs has no vote; more --jobs decide more groups",
            papers.GROUP_LEAST),
    }
end

-- Flat: largest over smallest group mean at most this.
local FLAT = 1.15

---Whether the means of groups are within so many times of each other: nil when their intervals
---leave it open, and when fewer than two groups have a vote.
---@param groups pinion.SizeSample[]
---@param most number
---@return boolean|nil
function M.is_flat(groups, most)
    local low, high, voting = nil, nil, 0
    for _, of_group in ipairs(groups) do
        if of_group.count >= papers.GROUP_LEAST then
            voting = voting + 1
            if not low or of_group.mean < low.mean then low = of_group end
            if not high or of_group.mean > high.mean then high = of_group end
        end
    end
    if voting < 2 then return nil end
    if high.mean + high.half <= most * (low.mean - low.half) then return true end
    if high.mean - high.half > most * (low.mean + low.half) then return false end
    return nil
end

local function judge_flat(section, cells)
    local parts, votes, theirs = {}, papers.votes(), {}
    for position, cell in ipairs(cells) do
        local groups, means = {}, {}
        for i, from in ipairs { 0, 25, 50, 75 } do
            groups[i] = sample(cell, "klps", buckets_of(from, from + 25))
            means[i] = text.with_half(groups[i].mean, groups[i].half, 2)
        end
        papers.vote(votes, M.is_flat(groups, FLAT))
        parts[position] = string.format("%.2f: %s", reference.loads[position],
            table.concat(means, ", "))
        local known = reference.slowdown.ends.klps[position]
        theirs[position] = string.format("%.2f: %g to %g", reference.loads[position], known[1],
            known[2])
    end
    section:claim {
        label = "k-LPS is nearly fair", where = "Section 5.3",
        claim = "\"[T]he slowdown of k-LPS is nearly independent of job size\", \"slightly "
            .. "decreasing\".", paper = "curves",
        reference = "flat, slightly falling: " .. table.concat(theirs, "; "),
        ours = "sizes up to 25, 50, 75, 100: " .. table.concat(parts, "; "),
        verdict = papers.verdict(votes),
        because = string.format("largest mean at most %g times the smallest, beyond doubt at %d of "
            .. "%d loads", FLAT, votes.held, #cells),
    }
end

-- Ranges whose slowdowns must rise: up to the paper's 90th and 99th percentile, and beyond.
local RANGES = { 0, 3, 19, 100 }

---Whether one group's mean is below another's: nil when the interval of the difference covers 0,
---and when either has fewer jobs than have a vote.
---@param first pinion.SizeSample
---@param second pinion.SizeSample
---@return boolean|nil
function M.is_rising(first, second)
    local count = math.min(first.count, second.count)
    if count < papers.GROUP_LEAST then return nil end
    local apart = {}
    for r, value in ipairs(first.values) do apart[r] = value - second.values[r] end
    return papers.is_less(experiment.summary(apart))
end

local function judge_rising(section, cells)
    local parts, votes = {}, papers.votes()
    for position, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local groups, means = {}, {}
            for i = 1, #RANGES - 1 do
                groups[i] = sample(cell, label, buckets_of(RANGES[i], RANGES[i + 1]))
                means[i] = text.with_half(groups[i].mean, groups[i].half, 2)
                if i > 1 then papers.vote(votes, M.is_rising(groups[i - 1], groups[i])) end
            end
            parts[#parts + 1] = string.format("%.2f %s: %s", reference.loads[position],
                runs.name(label), table.concat(means, ", "))
        end
    end
    section:claim {
        label = "MaxSRPT and SplitSRPT favour small jobs", where = "Section 5.3, Fig. 9",
        claim = "\"[T]he slowdown of MaxSRPT and SplitSRPT are increasing in the job size.\"",
        paper = "curves",
        ours = string.format("sizes up to %g, %g, %g: %s", RANGES[2], RANGES[3], RANGES[4],
            table.concat(parts, "; ")),
        verdict = papers.verdict(votes),
        because = string.format("from range to range, by intervals of the differences over the "
            .. "replicas: rising in %d of %d steps, falling in %d", votes.held,
            votes.held + votes.failed + votes.undecided, votes.failed),
    }
end

-- Where the slowdown of one policy begins to lie below that of another: the size at which the
-- summed differences are largest.
local function crossing(cell, above, below)
    local sum, largest, at = 0.0, 0.0, 0.0
    for b = 1, BUCKETS do
        local of_bucket = difference(cell, 1, above, below, b, b)
        if of_bucket.count > 0 then
            sum = sum + of_bucket.count * of_bucket.mean
            if sum >= largest then largest, at = sum, b * WIDTH end
        end
    end
    return at
end

-- "2.41 against 2.12"
local function pair_text(cell, from, to)
    local split, max = sample(cell, "splitsrpt", buckets_of(from, to)),
        sample(cell, "maxsrpt", buckets_of(from, to))
    return string.format("%s against %s", text.number(split.mean, 2), text.number(max.mean, 2))
end

-- What small and large jobs are.
local SMALL, LARGE, LARGEST = 3, 40, BUCKETS * WIDTH

local function judge_crossing(section, cells)
    local parts, theirs, votes = {}, {}, papers.votes()
    for position, cell in ipairs(cells) do
        papers.vote(votes, M.is_less(difference(cell, 1, "maxsrpt", "splitsrpt",
            buckets_of(0, SMALL))))
        papers.vote(votes, M.is_less(difference(cell, 1, "splitsrpt", "maxsrpt",
            buckets_of(LARGE, LARGEST))))
        parts[position] = string.format(
            "%.2f: crossing at %.4g; sizes up to %d: %s, from %d to %d: %s",
            reference.loads[position], crossing(cell, "splitsrpt", "maxsrpt"), SMALL,
            pair_text(cell, 0, SMALL), LARGE, LARGEST // 1, pair_text(cell, LARGE, LARGEST))
        theirs[position] = string.format("about %g at %.2f", reference.slowdown.crossing[position],
            reference.loads[position])
    end
    section:claim {
        label = "SplitSRPT more fair than MaxSRPT", where = "Section 5.3, Fig. 9",
        claim = "\"[T]he slowdowns for small jobs under SplitSRPT are bigger than that under "
            .. "MaxSRPT, but the slowdowns for big "
            .. "jobs under SplitSRPT are smaller than that under MaxSRPT.\"",
        paper = "curves that cross", reference = "the crossing is " .. table.concat(theirs, ", "),
        ours = table.concat(parts, "; "),
        verdict = papers.verdict(votes),
        because = string.format(
            "SplitSRPT above MaxSRPT for sizes up to %d, and below it from %d on: beyond doubt in "
            .. "%d of %d cases, %d cannot be told", SMALL, LARGE, votes.held, 2 * #cells,
            votes.undecided),
    }
end

-- The size up to which a policy's slowdown stays below half of k-LPS's, in steps of one unit.
local function half_up_to(cell, label)
    for size = 1, BUCKETS * WIDTH // 1 do
        local gap = difference(cell, 2, label, "klps", buckets_of(size - 1, size))
        if gap.count == 0 or gap.mean >= 0 then return size - 1 end
    end
    return BUCKETS * WIDTH // 1
end

local function share_up_to(cell, size)
    local jobs = cell.jobs * cell.seeds
    return sample(cell, "klps", 1, bucket_at(size) - 1).count / jobs
end

-- Which share of the jobs is in groups that take less than half of k-LPS's slowdown beyond doubt,
-- and which in groups that beyond doubt do not.
local function shares_of_half(cell, label)
    local less, more, jobs = 0, 0, cell.jobs * cell.seeds
    for g = 1, #GROUPS - 1 do
        local of_group = difference(cell, 2, label, "klps", buckets_of(GROUPS[g], GROUPS[g + 1]))
        local is_less = M.is_less(of_group)
        if is_less then less = less + of_group.count / jobs end
        if is_less == false then more = more + of_group.count / jobs end
    end
    return less, more
end

---How far MaxSRPT and SplitSRPT take less than half the slowdown of k-LPS, by number of the load.
---@param cells pinion.LinCell[]
---@return table[]
function M.half_of_klps(cells)
    local facts = {}
    for position, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local size = half_up_to(cell, label)
            local less, more = shares_of_half(cell, label)
            facts[#facts + 1] = { load = reference.loads[position], policy = label, size = size,
                share = share_up_to(cell, size), less = less, more = more }
        end
    end
    return facts
end

---Whether most jobs do: nil where the groups that are beyond doubt leave it open.
---@param less number share of the jobs in groups that do, beyond doubt
---@param more number share in groups that do not, beyond doubt
---@return boolean|nil
function M.is_most(less, more)
    if less > 0.5 then return true end
    if more >= 0.5 then return false end
    return nil
end

local function judge_half(section, cells)
    local parts, votes = {}, papers.votes()
    for i, fact in ipairs(M.half_of_klps(cells)) do
        papers.vote(votes, M.is_most(fact.less, fact.more))
        parts[i] = string.format("%.2f %s: up to a size of %d, %.1f %% of the jobs, of which %.1f "
            .. "beyond doubt", fact.load, runs.name(fact.policy), fact.size, 100 * fact.share,
            100 * fact.less)
    end
    section:claim {
        label = "most jobs take less than half of k-LPS", where = "Section 5.3, Fig. 9",
        claim = "\"[M]ost jobs have expected response time under our algorithms less than half of "
            .. "that under k-LPS.\"",
        paper = "curves",
        reference = string.format("up to a size of %g for MaxSRPT at %.2f",
            reference.slowdown.half_of_klps, reference.loads[1]),
        ours = table.concat(parts, "; "), verdict = papers.verdict(votes),
        because = string.format("so beyond doubt for more than half of the jobs in %d of %d cases",
            votes.held, 2 * #cells),
    }
end

-- The share of the jobs up to a size, by replica; sizes do not depend on the load.
local function shares_by_replica(cell, size)
    local _, counts = sums_of(cell, "klps", buckets_of(0, size))
    for r = 1, #counts do counts[r] = counts[r] / cell.jobs end
    return experiment.summary(counts)
end

-- How far a share may be from a whole per cent of the paper's.
local NEAR = 0.01

local function judge_shares(section, cells)
    local parts, theirs, votes = {}, {}, papers.votes()
    for i, known in ipairs(reference.slowdown.shares) do
        local share = shares_by_replica(cells[1], known[1])
        section:compare(string.format("share of the jobs up to a size of %g", known[1]), share.mean,
            known.reference, 0.0005 + 3
            * math.sqrt(known.reference * (1 - known.reference) / (cells[1].jobs * cells[1].seeds)))
        papers.vote(votes, experiment.within(share, NEAR, known.paper))
        parts[i] = string.format("%.2f ± %.2f %% up to %g", 100 * share.mean, 100 * share.half,
            known[1])
        theirs[i] = string.format("%.2f %% up to %g", 100 * known.reference, known[1])
    end
    section:claim {
        label = "90 % of the jobs up to 3, 99 % up to 19", where = "Section 5.3",
        claim = "\"90% of jobs have\" a size \"smaller than 3 and 99% of jobs have\" a size "
            .. "\"smaller than 19.\"",
        paper = "90 %, 99 %",
        reference = table.concat(theirs, ", "), ours = table.concat(parts, ", "),
        verdict = papers.verdict(votes),
        because = string.format("the intervals lie within ±%g %% of all jobs around the paper's "
            .. "numbers", 100 * NEAR),
    }
end

-- ---- the figure ---------------------------------------------------------------------------------

-- Edges of the sizes that are drawn together: about as many jobs on either side of each.
local EDGES = { 0, .25, .5, .75, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 13, 16, 19, 25, 30, 40, 50, 60, 75,
    100 }

-- The smallest size that 99 % of the jobs do not exceed.
local function percentile(cell)
    for size = 1, LARGEST // 1 do
        if share_up_to(cell, size) >= .99 then return size end
    end
    return LARGEST
end

local function draw(context, section, cells)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for position, cell in ipairs(cells) do
        local plots, bands = {}, {}
        for _, label in ipairs(SHOWN) do
            local lines =
                { string.format("# size, mean slowdown, half width of the 95 %% interval, jobs: "
                    .. "load %.2f, %s", reference.loads[position], runs.name(label)) }
            for e = 1, #EDGES - 1 do
                local of_group = sample(cell, label, buckets_of(EDGES[e], EDGES[e + 1]))
                -- Fewer jobs say nothing.
                local shown = of_group.count >= papers.GROUP_LEAST and of_group or {}
                lines[#lines + 1] = figure.row((EDGES[e] + EDGES[e + 1]) / 2, shown.mean,
                    shown.half, of_group.count)
            end
            blocks[#blocks + 1] = lines
            local colour = figure.STYLES[label].colour
            bands[#bands + 1] = string.format(
                "data index %d using 1:($2-$3):($2+$3) with filledcurves fillcolor rgb '%s' "
                .. "fillstyle transparent solid 0.2 noborder notitle", #blocks - 1, colour)
            plots[#plots + 1] = string.format(
                "data index %d using 1:2 with linespoints linewidth 1.2 pointtype 7 pointsize 0.3 "
                .. "linecolor rgb '%s' title '%s'", #blocks - 1, colour, runs.name(label))
        end
        table.move(plots, 1, #plots, #bands + 1, bands)
        local percent = percentile(cell)
        panels[position] = string.format("set title 'load %.2f'\nset arrow 1 from %g, graph 0 to "
            .. "%g, graph 1 nohead dashtype 2 linecolor rgb '#808080'\nset label 1 '99 %% of jobs' "
            .. "at %g, graph 0.96 offset 0.5,0 textcolor rgb '#606060'\nplot %s\n",
            reference.loads[position], percent, percent, percent,
            table.concat(bands, ", \\\n     "))
    end
    local script = string.format([[
set multiplot layout 1,%d title %s
set xlabel 'size of job, max(map, shuffle)'
set ylabel 'mean slowdown'
set xrange [0:%g]
set yrange [0:*]
set key below horizontal center
%sunset multiplot
]], #cells, figure.quote(TITLE), BUCKETS * WIDTH, table.concat(panels))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig9", 960, 480,
        script, blocks)
end

local function run_figure9(context)
    local section = papers.section("fig9", TITLE, "Section 5.3", {
        string.format(
            "The runs of Section 5.3, %d replicas of %s. Slowdown is response time over "
            .. "max(map, shuffle), in %d "
            .. "buckets of %g; the table pools them, with intervals over the replicas. CSV "
                .. "files hold every bucket.",
            context.seeds,
            text.count(context.jobs, "job"), BUCKETS, WIDTH),
    })
    local cells = runs.main_cells(context)
    compare_ends(section, cells)
    section:table("fig9", nil, group_columns(), group_rows(context, cells))
    for position, cell in ipairs(cells) do
        section:table(string.format("fig9_%d", 100 * reference.loads[position] // 1), nil,
            bucket_columns(), bucket_rows(cell))
    end
    judge_sizes(section, cells)
    judge_flat(section, cells)
    judge_rising(section, cells)
    judge_crossing(section, cells)
    judge_half(section, cells)
    judge_shares(section, cells)
    local votes = papers.votes()
    for _, cell in ipairs(cells) do vote_by_group(votes, cell, 1, "bsrpt", "maxsrpt") end
    section:note(
        "bsrpt, which is not in the paper, is beyond doubt below MaxSRPT in %d and above it in %d "
        .. "of %d groups of sizes (reference: below in all).", votes.held, votes.failed,
        #cells * (#GROUPS - 1))
    draw(context, section, cells)
    return section
end

M.figure9 = { name = "fig9", title = TITLE, run = run_figure9 }

return M
