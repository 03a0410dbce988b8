-- Figures 5, 6 and 8 of Lin, Zhang, Wierman, Tan (2013): when jobs of the trace come, how large
-- they are, and the synthetic sizes that take their place. Figures 5 and 6 are of a trace of a
-- Google cluster, which holds no shuffle sizes and whose jobs were chosen in a way that is not
-- said in full: they are made of any SWIM trace that is given.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local NO_TRACE = "the paper's trace of a Google cluster is public but holds no shuffle sizes, and "
    .. "how its jobs were chosen is not said in full; --trace FILE makes the figure of a SWIM trace"

local HOUR, DAY = 3600, 24

-- Jobs by arrival, with sizes that have a mean of 1 each.
local function jobs_of(context)
    if not context.cache.traced then
        context.cache.traced = pinion.workload.spec(
            string.format("swim:%s,load=0.5,balance=false", context.trace)):jobs()
    end
    return context.cache.traced
end

local function without_trace(section, claims)
    for _, about in ipairs(claims) do
        section:claim {
            label = about.label, where = about.where, claim = about.claim, paper = about.paper,
            ours = "no trace was given", verdict = papers.CANNOT, because = NO_TRACE,
        }
    end
    return section
end

local function add(section, about, ours, vote, because)
    section:claim {
        label = about.label, where = about.where, claim = about.claim, paper = about.paper,
        ours = ours, because = because,
        verdict = vote == nil and papers.UNDECIDED or vote and papers.HOLDS or papers.FAILS,
    }
end

-- ---- Figure 5 -----------------------------------------------------------------------------------

local TITLE_5 = "Figure 5: submissions by the hour"

local DIURNAL = { {
    label = "a diurnal and a weekly pattern", where = "Section 5.1, Fig. 5", paper = "a curve",
    claim = "\"[T]here are strong diurnal traffic pattern and strong weekly traffic pattern for "
        .. "the cluster.\"",
} }

---Jobs by hour.
---@param arrivals number[] seconds
---@return integer[]
function M.by_hour(arrivals)
    local counts = {}
    for _, time in ipairs(arrivals) do
        local hour = math.tointeger(time // HOUR) + 1
        for h = #counts + 1, hour do counts[h] = 0 end
        counts[hour] = counts[hour] + 1
    end
    return counts
end

---How far the counts of hours that lie so far apart go together: their correlation; nil with fewer
---than twice as many hours as that.
---@param counts integer[]
---@param lag integer hours
---@return number|nil
function M.correlation_at(counts, lag)
    local pairs_of = #counts - lag
    if pairs_of < lag then return nil end
    local a, b = 0.0, 0.0
    for h = 1, pairs_of do a, b = a + counts[h], b + counts[h + lag] end
    a, b = a / pairs_of, b / pairs_of
    local ab, aa, bb = 0.0, 0.0, 0.0
    for h = 1, pairs_of do
        local x, y = counts[h] - a, counts[h + lag] - b
        ab, aa, bb = ab + x * y, aa + x * x, bb + y * y
    end
    return aa > 0 and bb > 0 and ab / math.sqrt(aa * bb) or nil
end

-- A correlation from here on is a strong pattern.
local STRONG = 0.5

---Whether so many jobs in the busiest hour are more than so many times the capacity.
---@param mean number jobs in a mean hour
---@param peak number jobs in the busiest
---@return boolean exceeds, number times
function M.exceeds_capacity(mean, peak)
    local times = reference.arrivals.load * peak / mean
    return times > reference.arrivals.times, times
end

-- The paper's own numbers, by the mean that it prints and by the one that its counts give.
local function judge_busy(section, measured)
    local known, votes = reference.arrivals, papers.votes()
    local counted = known.jobs / (24 * known.days)
    local printed_exceeds, printed = M.exceeds_capacity(known.mean, known.peak)
    local counted_exceeds, by_count = M.exceeds_capacity(counted, known.peak)
    papers.vote(votes, printed_exceeds)
    papers.vote(votes, counted_exceeds)
    section:claim {
        label = "75 % on average is twice the capacity in busy hours", where = "Section 5.1",
        claim = "\"[T]he average system load of 75% implies that the jobs submitted to the "
            .. "cluster during busy hours exceed twice of the cluster capacity.\"",
        paper = string.format("%d jobs in %d days, %d in a mean hour, %d in the busiest",
            known.jobs, known.days, known.mean, known.peak),
        ours = string.format("%.2f times with %d jobs in a mean hour, %.2f times with %.1f, as "
            .. "%d jobs in %d days are%s", printed, known.mean, by_count, counted, known.jobs,
            known.days, measured and string.format("; %.2f times in the trace that is given",
                select(2, M.exceeds_capacity(measured.mean, measured.peak))) or ""),
        verdict = papers.verdict(votes),
        because = "by the paper's own numbers, jobs counted and not weighed; it says \"about\" "
            .. "of each of them",
    }
end

local function run_figure5(context)
    local section = papers.section("fig5", TITLE_5, "Section 5.1", {
        "Jobs submitted in each hour over those of the busiest.",
    })
    if not context.trace then
        judge_busy(section)
        return without_trace(section, DIURNAL)
    end
    local arrivals = {}
    for i, job in ipairs(jobs_of(context)) do arrivals[i] = job.arrival end
    local counts = M.by_hour(arrivals)
    local most, rows, lines = math.max(table.unpack(counts)), {}, { "# hour, share of the peak" }
    for hour, count in ipairs(counts) do
        rows[hour] = { hour = hour, jobs = count, share = count / most }
        lines[hour + 1] = figure.row(hour, count / most)
    end
    section:table("fig5", nil, { { key = "hour" }, { key = "jobs" }, { key = "share" } }, rows)
    judge_busy(section, { mean = #arrivals / #counts, peak = most })
    local day, week = M.correlation_at(counts, DAY), M.correlation_at(counts, 7 * DAY)
    local both = nil
    if day and week then both = day >= STRONG and week >= STRONG end
    add(section, DIURNAL[1], string.format(
        "%d hours, %.0f jobs in a mean hour, %d in the busiest; correlation of hours a day apart "
        .. "%s, a week apart %s", #counts, #arrivals / #counts, most, text.number(day, 2),
        text.number(week, 2)), both, string.format(
        "\"strong\" is read as a correlation of %.1f and more; it takes two weeks to tell", STRONG))
    if context.directory then
        section.figures[1] = figure.draw(context.directory .. "/fig5", 720, 380, [[
set xlabel 'hour'
set ylabel 'jobs over those of the busiest hour'
set yrange [0:1.05]
set key off
plot data index 0 using 1:2 with steps linewidth 1.5 linecolor rgb '#0072B2'
]], { lines })
    end
    return section
end

M.figure5 = { name = "fig5", title = TITLE_5, run = run_figure5 }

-- ---- Figure 6 -----------------------------------------------------------------------------------

local TITLE_6 = "Figure 6: sizes of jobs"

local SIZES = {
    { label = "map sizes spread wide", where = "Section 5.1, Fig. 6(a)",
      paper = "standard deviation 3.65, largest over smallest more than 10^3",
      claim = "\"[T]he map sizes spread in a wide range (standard deviation equal to 3.65), with "
          .. "maximum size more than\" 10^3 \"times of the minimum size.\"" },
    { label = "shuffle sizes spread wider", where = "Section 5.1, Fig. 6(b)",
      paper = "standard deviation 12.95, largest over smallest more than 10^5",
      claim = "\"[T]he shuffle sizes spread in a even wider range (standard deviation equal to "
          .. "12.95), with maximum size more than\" 10^5 \"times of the minimum size.\"" },
    { label = "more than 80 % are map-heavy", where = "Section 5.1, Fig. 6(c)",
      paper = "more than 80 %",
      claim = "\"[M]ore than 80% of jobs are map-heavy (i.e., with map size bigger than shuffle "
          .. "size).\"" },
}

-- Mean, spread and extremes of the sizes that are not 0, over their mean.
local function facts_of(what, values)
    local positive, sum, least, most = {}, 0.0, math.huge, 0
    for _, value in ipairs(values) do
        if value > 0 then
            positive[#positive + 1] = value
            sum, least, most = sum + value, math.min(least, value), math.max(most, value)
        end
    end
    local mean = sum / math.max(#positive, 1)
    for i, value in ipairs(positive) do positive[i] = value / mean end
    local sample = #positive > 0 and experiment.summary(positive) or { sd = 0 }
    return { what = what, jobs = #positive, none = #values - #positive, sd = sample.sd,
        spread = #positive > 0 and most / least or nil, values = positive }
end

-- One after another, windows of a trace are its replicas.
local WINDOWS = 8

-- What is measured of each window; nil where windows hold too few jobs to say anything.
local function by_window(jobs, measure)
    local values, each = {}, #jobs // WINDOWS
    if each < papers.GROUP_LEAST then return nil end
    for w = 1, WINDOWS do
        values[w] = measure(table.move(jobs, (w - 1) * each + 1, w * each, 1, {}))
    end
    return experiment.summary(values), values
end

local function sizes_of(jobs, field)
    local values = {}
    for i, job in ipairs(jobs) do values[i] = job[field] end
    return facts_of(field, values)
end

-- Whether the largest size is so many times the smallest, in every window or in none.
local function is_spread(jobs, field, times)
    local share = by_window(jobs, function(window)
        return (sizes_of(window, field).spread or 0) > times and 1 or 0
    end)
    if not share or share.min ~= share.max then return nil end
    return share.min == 1
end

-- Whether shuffle sizes deviate more from their mean than map sizes do.
local function is_wider(jobs)
    local wider = by_window(jobs, function(window)
        return sizes_of(window, "shuffle").sd - sizes_of(window, "map").sd
    end)
    if not wider then return nil end
    return experiment.above(wider, 0)
end

local function heavy_by_window(jobs)
    return by_window(jobs, function(window)
        local heavy = 0
        for _, job in ipairs(window) do
            if job.map > job.shuffle then heavy = heavy + 1 end
        end
        return heavy / #window
    end)
end

local function cdf_block(values, name)
    local counts, lines = {}, { "# size over the mean, fraction of jobs: " .. name }
    for _, value in ipairs(values) do counts[value] = (counts[value] or 0) + 1 end
    for _, point in ipairs(experiment.distribution(counts)) do
        lines[#lines + 1] = figure.row(point[1], point[2])
    end
    if #lines == 1 then lines[2] = figure.row(nil, nil) end
    return lines
end

local CDF = [[
set logscale x
set format x '1e%%T'
set xlabel 'size over the mean'
set ylabel 'fraction of jobs'
set yrange [0:1]
set key bottom right
plot %s
]]

local LOOKS = {
    "linecolor rgb '#0072B2' dashtype 1", "linecolor rgb '#D55E00' dashtype 2",
    "linecolor rgb '#009E73' dashtype 3",
}

local function draw_cdfs(context, section, name, facts)
    if not context.directory then return end
    local blocks, plots = {}, {}
    for i, fact in ipairs(facts) do
        blocks[i] = cdf_block(fact.values, fact.what)
        plots[i] = string.format("data index %d using 1:2 with steps linewidth 2 %s title %s",
            i - 1, LOOKS[i], figure.quote(fact.what))
    end
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/" .. name, 720, 420,
        CDF:format(table.concat(plots, ", \\\n     ")), blocks)
end

local SIZE_COLUMNS = {
    { key = "what", title = "" }, { key = "jobs", title = "jobs", right = true },
    { key = "none", title = "of size 0", right = true },
    { key = "sd", title = "sd over the mean", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "spread", title = "largest over smallest", right = true,
        show = function(value) return value and string.format("%.2g", value) or "-" end },
}

local function judge_sizes(section, facts, jobs)
    local function ours(fact)
        return string.format("standard deviation %.2f, largest over smallest %.2g, %s", fact.sd,
            fact.spread or 0, text.count(fact.jobs, "job"))
    end
    local because = string.format("in every one of %d windows of the trace; the deviation is that "
        .. "of another trace than the paper's; windows of fewer than %d jobs have no vote", WINDOWS,
        papers.GROUP_LEAST)
    add(section, SIZES[1], ours(facts[1]), is_spread(jobs, "map", 1e3), because)
    local votes, wider = papers.votes(), is_wider(jobs)
    papers.vote(votes, is_spread(jobs, "shuffle", 1e5))
    papers.vote(votes, wider)
    section:claim {
        label = SIZES[2].label, where = SIZES[2].where, claim = SIZES[2].claim,
        paper = SIZES[2].paper, ours = ours(facts[2]), verdict = papers.verdict(votes),
        because = string.format("%s; a larger deviation than that of the maps: %s", because,
            wider == nil and "cannot be told" or wider and "yes" or "no"),
    }
    local heavy = heavy_by_window(jobs)
    add(section, SIZES[3], heavy and string.format("%.1f ± %.1f %% by window", 100 * heavy.mean,
        100 * heavy.half) or "too few jobs", heavy and experiment.above(heavy, .8),
        "by the interval over windows of the trace")
end

local function run_figure6(context)
    local section = papers.section("fig6", TITLE_6, "Section 5.1", {
        "Sizes over their mean, of the jobs that have any: maps are bytes read, shuffles bytes "
            .. "shuffled.",
    })
    if not context.trace then return without_trace(section, SIZES) end
    local jobs, maps, shuffles, ratios = jobs_of(context), {}, {}, {}
    for i, job in ipairs(jobs) do
        maps[i], shuffles[i] = job.map, job.shuffle
        ratios[#ratios + 1] = job.map > 0 and job.shuffle / job.map or nil
    end
    local facts = { facts_of("map", maps), facts_of("shuffle", shuffles),
        facts_of("shuffle over map", ratios) }
    section:table("fig6", nil, SIZE_COLUMNS, facts)
    judge_sizes(section, facts, jobs)
    draw_cdfs(context, section, "fig6", facts)
    return section
end

M.figure6 = { name = "fig6", title = TITLE_6, run = run_figure6 }

-- ---- Figure 8 -----------------------------------------------------------------------------------

local TITLE_8 = "Figure 8: sizes of the synthetic jobs"

-- Half a unit of the last digit of the printed deviation.
local ROUNDING = 0.005

local function run_figure8(context)
    local sizes = reference.sizes
    local jobs = runs.workload("pair", 0.5, runs.scaled(context, 0.1)):jobs { seed = context.seed }
    local maps, shuffles = {}, {}
    for i, job in ipairs(jobs) do maps[i], shuffles[i] = job.map, job.shuffle end
    local facts = { facts_of("map", maps), facts_of("shuffle", shuffles) }
    local section = papers.section("fig8", TITLE_8, "Section 5.3", {
        string.format("%s of the workload of Section 5.3, over their means. Tails are heavy: the "
            .. "deviation of a sample lies far below that of the distribution.",
            text.count(#jobs, "job")),
    })
    section:table("fig8", nil, SIZE_COLUMNS, facts)
    local product = math.sqrt((1 + sizes.map_sd ^ 2) * (1 + sizes.ratio_sd ^ 2) - 1)
    local apart = math.abs(product - sizes.shuffle_sd)
    section:claim {
        label = "deviation of the product", where = "Section 5.3",
        claim = "The shuffle size \"is a log-normal distribution since it is the product of two "
            .. "log-normal random variables, with mean equal to 1 and standard deviation equal to "
            .. "12.95.\"",
        paper = string.format("%.2f", sizes.shuffle_sd),
        ours = string.format("sqrt((1 + %.2f^2) (1 + %.2f^2) - 1) = %.3f", sizes.map_sd,
            sizes.ratio_sd, product),
        verdict = apart <= ROUNDING and papers.HOLDS or apart <= 0.002 * product and papers.PARTLY
            or papers.FAILS,
        because = apart <= ROUNDING and "to the last digit"
            or string.format("%.2f by the printed deviations of the factors, which are rounded",
                product),
    }
    draw_cdfs(context, section, "fig8", facts)
    return section
end

M.figure8 = { name = "fig8", title = TITLE_8, run = run_figure8 }

return M
