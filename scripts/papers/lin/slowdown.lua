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
---@field count integer
---@field mean number|nil
---@field error number|nil standard error, as if slowdowns were independent
---@field values number[] mean by replica

-- Jobs of the buckets first..last, over all replicas or of one.
local function sample(cell, label, first, last, replica)
    local count, sum, squares = 0, 0.0, 0.0
    for r = replica or 1, replica or cell.seeds do
        local of_replica = cell.buckets[label][r]
        for b = first, last do
            count = count + of_replica.counts[b]
            sum = sum + of_replica.sums[b]
            squares = squares + of_replica.squares[b]
        end
    end
    if count == 0 then return { count = 0 } end
    local mean = sum / count
    return { count = count, mean = mean,
        error = math.sqrt(math.max(squares / count - mean ^ 2, 0.0) / count) }
end

-- Index of the bucket that begins at a size.
local function bucket_at(size)
    return math.floor(size / WIDTH + 0.5) + 1
end

-- Mean slowdown by replica of the jobs between two sizes; replicas without such jobs are left out.
local function by_replica(cell, label, from, to)
    local values = {}
    for replica = 1, cell.seeds do
        local of_replica = sample(cell, label, bucket_at(from), bucket_at(to) - 1, replica)
        values[#values + 1] = of_replica.mean
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
                seeds = cell.seeds, seed = context.seed,
                          jobs = sample(cell, "klps", bucket_at(from), bucket_at(to) - 1).count }
            for _, label in ipairs(SHOWN) do
                local values = by_replica(cell, label, from, to)
                if #values > 1 then
                    local of_values = experiment.summary(values)
                    row[label], row[label .. "_half"] = of_values.mean, of_values.half
                end
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
            row.jobs, row[label], row[label .. "_error"] = of_bucket.count, of_bucket.mean,
                of_bucket.error
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
        columns[#columns + 1] = { key = label .. "_error" }
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

-- Standard errors that make one of 400 buckets count.
local BEYOND = 4

-- Of fewer jobs nobody knows the standard error: a single one has none.
local FEW = 30

-- Buckets in which a policy is below k-LPS, above it beyond doubt, and such that hold too few jobs
-- to tell.
local function against_klps(cell, label)
    local below, above, few = 0, 0, 0
    for b = 1, BUCKETS do
        local ours, theirs = sample(cell, label, b, b), sample(cell, "klps", b, b)
        if math.min(ours.count, theirs.count) < FEW then
            few = few + 1
        elseif ours.mean < theirs.mean then
            below = below + 1
        elseif ours.mean - theirs.mean > BEYOND * math.sqrt(ours.error ^ 2 + theirs.error ^ 2) then
            above = above + 1
        end
    end
    return below, above, few
end

local function judge_buckets(section, cells)
    local parts, all_below, any_above = {}, true, false
    for position, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local below, above, few = against_klps(cell, label)
            all_below, any_above = all_below and below == BUCKETS, any_above or above > 0
            parts[#parts + 1] = string.format("%.2f %s: below in %d, above beyond doubt in %d%s",
                reference.loads[position],
                runs.name(label), below,
                above, few > 0 and string.format(", fewer than %d jobs in %d", FEW, few) or "")
        end
    end
    section:claim {
        label = "all sizes better than under k-LPS", where = "Section 5.3, Fig. 9",
        claim = "\"All job sizes have better expected performance under MaxSRPT and SplitSRPT "
            .. "than they do under k-LPS.\"",
        paper = "curves of 400 buckets",
        reference = string.format("so in all %d buckets, both policies, both loads, %s jobs",
            BUCKETS,
            text.amount(reference.slowdown.jobs)),
        ours = string.format("of %d buckets, %s", BUCKETS, table.concat(parts, "; ")),
        verdict = any_above and papers.FAILS or all_below and papers.HOLDS or papers.UNDECIDED,
        because = all_below and "every bucket" or any_above
            and string.format("a bucket lies more than %d standard errors above",
            BEYOND)
            or "no bucket contradicts it, but the large ones hold too few jobs here; more "
                .. "--jobs decide",
    }
end

-- Flat: largest over smallest group mean at most this.
local FLAT = 1.15

local function judge_flat(section, cells)
    local parts, held, theirs = {}, 0, {}
    for position, cell in ipairs(cells) do
        local means = {}
        for i, from in ipairs { 0, 25, 50, 75 } do means[i] = sample(cell, "klps", bucket_at(from),
            bucket_at(from + 25) - 1).mean end
        local low, high = math.huge, 0
        for i = 1, 4 do
            if means[i] then low, high = math.min(low, means[i]), math.max(high, means[i]) end
            means[i] = text.number(means[i], 2)
        end
        if high <= FLAT * low then held = held + 1 end
        parts[position] = string.format("%.2f: %s", reference.loads[position],
            table.concat(means, ", "))
        local known = reference.slowdown.ends.klps[position]
        theirs[position] = string.format("%.2f: %g to %g", reference.loads[position], known[1],
            known[2])
    end
    section:claim {
        label = "k-LPS is nearly fair", where = "Section 5.3",
        claim = "\"The slowdown of k-LPS is nearly independent of job size\", \"slightly "
            .. "decreasing\".", paper = "curves",
        reference = "flat, slightly falling: " .. table.concat(theirs, "; "),
        ours = "sizes up to 25, 50, 75, 100: " .. table.concat(parts, "; "),
        verdict = experiment.verdict(held, #cells),
        because = string.format("largest mean at most %g times the smallest, at %d of %d loads",
            FLAT, held, #cells),
    }
end

-- Where the slowdown of one policy begins to lie below that of another: the size at which the
-- summed differences are largest.
local function crossing(cell, above, below)
    local sum, largest, at = 0.0, 0.0, 0.0
    for b = 1, BUCKETS do
        local first, second = sample(cell, above, b, b), sample(cell, below, b, b)
        if first.count > 0 then
            sum = sum + first.count * (first.mean - second.mean)
            if sum >= largest then largest, at = sum, b * WIDTH end
        end
    end
    return at
end

local function judge_crossing(section, cells)
    local parts, theirs, held, open = {}, {}, 0, 0
    for position, cell in ipairs(cells) do
        local at = crossing(cell, "splitsrpt", "maxsrpt")
        local small, large = sample(cell, "splitsrpt", 1, bucket_at(3) - 1),
            sample(cell, "splitsrpt", bucket_at(40), BUCKETS)
        local small_max, large_max = sample(cell, "maxsrpt", 1, bucket_at(3) - 1),
            sample(cell, "maxsrpt", bucket_at(40), BUCKETS)
        if small.mean > small_max.mean and large.count > 0 and large.mean < large_max.mean then
            held = held + 1
        end
        if large.count == 0 then open = open + 1 end
        parts[position] =
            string.format(
            "%.2f: crossing at %.4g; sizes up to 3: %.2f against %.2f, from 40 to "
            .. "100: %s against %s",
            reference.loads[position], at, small.mean, small_max.mean, text.number(large.mean, 2),
            text.number(large_max.mean, 2))
        theirs[position] = string.format("about %g at %.2f", reference.slowdown.crossing[position],
            reference.loads[position])
    end
    section:claim {
        label = "SplitSRPT more fair than MaxSRPT", where = "Section 5.3, Fig. 9",
        claim = "\"The slowdowns for small jobs under SplitSRPT are bigger than that under "
            .. "MaxSRPT, but the slowdowns for big "
            .. "jobs under SplitSRPT are smaller.\"",
        paper = "curves that cross", reference = "the crossing is " .. table.concat(theirs, ", "),
        ours = table.concat(parts, "; "),
        verdict = open > 0 and papers.UNDECIDED or experiment.verdict(held, #cells),
        because = string.format(
            "SplitSRPT above MaxSRPT for sizes up to 3 and below it from 40 on, at %d of %d loads",
            held,
            #cells),
    }
end

-- The size up to which a policy's slowdown stays below half of k-LPS's, in steps of one unit.
local function half_up_to(cell, label)
    for size = 1, BUCKETS * WIDTH // 1 do
        local ours, theirs = sample(cell, label, bucket_at(size - 1), bucket_at(size) - 1),
            sample(cell, "klps", bucket_at(size - 1),
            bucket_at(size) - 1)
        if ours.count == 0 or ours.mean >= theirs.mean / 2 then return size - 1 end
    end
    return BUCKETS * WIDTH // 1
end

local function share_up_to(cell, size)
    local jobs = cell.jobs * cell.seeds
    return sample(cell, "klps", 1, bucket_at(size) - 1).count / jobs
end

---How far MaxSRPT and SplitSRPT take less than half the slowdown of k-LPS, by number of the load.
---@param cells pinion.LinCell[]
---@return table[]
function M.half_of_klps(cells)
    local facts = {}
    for position, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local size = half_up_to(cell, label)
            facts[#facts + 1] = { load = reference.loads[position], policy = label, size = size,
                share = share_up_to(cell, size) }
        end
    end
    return facts
end

local function judge_half(section, cells)
    local parts, held, facts = {}, 0, M.half_of_klps(cells)
    for i, fact in ipairs(facts) do
        if fact.share > 0.5 then held = held + 1 end
        parts[i] = string.format("%.2f %s: up to a size of %d, %.1f %% of the jobs", fact.load,
            runs.name(fact.policy),
            fact.size, 100 * fact.share)
    end
    section:claim {
        label = "most jobs take less than half of k-LPS", where = "Section 5.3, Fig. 9",
        claim = "\"Most jobs have expected response time under our algorithms less than half of "
            .. "that under k-LPS.\"",
        paper = "curves",
        reference = string.format("up to a size of %g for MaxSRPT at %.2f",
            reference.slowdown.half_of_klps, reference.loads[1]),
        ours = table.concat(parts, "; "), verdict = experiment.verdict(held, #facts),
        because = string.format("so for more than half of the jobs in %d of %d cases", held,
            #facts),
    }
end

local function judge_shares(section, cells)
    local parts, theirs, held = {}, {}, 0
    for i, known in ipairs(reference.slowdown.shares) do
        local values = {}
        for position, cell in ipairs(cells) do values[position] = share_up_to(cell, known[1]) end
        local share = experiment.summary(values).mean
        section:compare(string.format("share of the jobs up to a size of %g", known[1]), share,
            known.reference, 0.0005 + 3
            * math.sqrt(known.reference * (1 - known.reference) / (cells[1].jobs * cells[1].seeds)))
        if math.abs(share - known.paper) < 0.01 then held = held + 1 end
        parts[i] = string.format("%.2f %% up to %g", 100 * share, known[1])
        theirs[i] = string.format("%.2f %% up to %g", 100 * known.reference, known[1])
    end
    section:claim {
        label = "90 % of the jobs up to 3, 99 % up to 19", where = "Section 5.3",
        claim = "\"90 % of jobs have L smaller than 3 and 99 % of jobs have L smaller than 19.\"",
        paper = "90 %, 99 %",
        reference = table.concat(theirs, ", "), ours = table.concat(parts, ", "),
        verdict = experiment.verdict(held, #reference.slowdown.shares),
        because = "within one per cent of all jobs",
    }
end

-- ---- the figure ---------------------------------------------------------------------------------

local function draw(context, section, cells)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for position, cell in ipairs(cells) do
        local plots = {}
        for _, label in ipairs(SHOWN) do
            local lines =
                { string.format("# size, mean slowdown, standard error, jobs: load %.2f, %s",
                reference.loads[position], runs.name(label)) }
            for b = 1, BUCKETS do
                local of_bucket = sample(cell, label, b, b)
                lines[#lines + 1] = figure.row((b - 0.5) * WIDTH, of_bucket.mean, of_bucket.error,
                    of_bucket.count)
            end
            blocks[#blocks + 1] = lines
            plots[#plots + 1] =
                string.format(
                "data index %d using 1:2 with lines linewidth 1.2 linecolor rgb '%s' title '%s'",
                #blocks - 1,
                figure.STYLES[label].colour, runs.name(label))
        end
        panels[position] = string.format("set title 'load %.2f'\nplot %s\n",
            reference.loads[position],
            table.concat(plots, ", \\\n     "))
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
    judge_buckets(section, cells)
    judge_flat(section, cells)
    judge_crossing(section, cells)
    judge_half(section, cells)
    judge_shares(section, cells)
    local lower = 0
    for _, cell in ipairs(cells) do
        for g = 1, #GROUPS - 1 do
            local ours = sample(cell, "bsrpt", bucket_at(GROUPS[g]), bucket_at(GROUPS[g + 1]) - 1)
            local theirs = sample(cell, "maxsrpt", bucket_at(GROUPS[g]),
                bucket_at(GROUPS[g + 1]) - 1)
            if ours.count > 0 and ours.mean < theirs.mean then lower = lower + 1 end
        end
    end
    section:note(
        "bsrpt, which is not in the paper, is below MaxSRPT in %d of %d groups of sizes "
        .. "(reference: in all).", lower,
        #cells * (#GROUPS - 1))
    draw(context, section, cells)
    return section
end

M.figure9 = { name = "fig9", title = TITLE, run = run_figure9 }

return M
