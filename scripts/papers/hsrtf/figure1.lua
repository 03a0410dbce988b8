-- Figure 1 of the paper on hSRTF: how long jobs and tasks of real clusters take. The logs behind
-- it, of three research clusters in January 2011, are not public; the figure is made of any Rumen
-- trace that is given, and its two sentences are judged on that trace.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Figure 1: how long jobs and tasks take"

-- Classes of input sizes, which the paper identifies with the number of map tasks.
local CLASSES = { { 1, 1 }, { 2, 10 }, { 11, 100 }, { 101, math.huge } }

-- A rank correlation from here on is "strong", and times are "highly heterogeneous" where the .9
-- quantile is at least so many times the .1 quantile.
local STRONG, HETEROGENEOUS = 0.7, 10

-- ---- the trace ----------------------------------------------------------------------------------

local function sum_of(times)
    local sum = 0
    for _, time in ipairs(times or {}) do sum = sum + time end
    return sum
end

-- A job's execution time, alone on the nodes of its trace, so that no other job is in it.
local function execution_time(job, nodes)
    job.submit = 0
    local result = runs.run("fifo", {}, nodes, { job })
    return result.jobs[1].execution_time / 1000
end

---@class pinion.TracedJob
---@field maps integer
---@field execution number s
---@field map number|nil s, mean of its maps
---@field reduce number|nil s, mean of its reduces

local function read_jobs(context)
    local trace = pinion.trace.rumen(context.trace)
    local nodes, jobs = trace:default_settings "cluster".nodes, trace:jobs()
    return papers.each(context, "fig1", #jobs, function(task)
        local job = jobs[task]
        return {
            maps = job.maps, execution = execution_time(job, nodes),
            map = sum_of(job.map_times) / 1000 / job.maps,
            reduce = job.reduces > 0
                and (sum_of(job.reduce_times) + sum_of(job.shuffle_times)) / 1000 / job.reduces
                or nil,
        }
    end, "job")
end

-- ---- what is said of them -----------------------------------------------------------------------

-- Ranks from 1; equal values share the mean of their places.
local function ranks_of(values)
    local order, ranks = {}, {}
    for i in ipairs(values) do order[i] = i end
    table.sort(order, function(a, b) return values[a] < values[b] end)
    local first = 1
    while first <= #order do
        local last = first
        while last < #order and values[order[last + 1]] == values[order[first]] do
            last = last + 1
        end
        for place = first, last do ranks[order[place]] = (first + last) / 2 end
        first = last + 1
    end
    return ranks
end

---Spearman's rank correlation, with its 95 % interval by Fisher's transformation and the error of
---Bonett and Wright; nil where one of both is constant or there are fewer than four values.
---@param a number[]
---@param b number[]
---@return number|nil rho, number|nil low, number|nil high
function M.rank_correlation(a, b)
    local ra, rb, middle = ranks_of(a), ranks_of(b), (#a + 1) / 2
    local ab, aa, bb = 0.0, 0.0, 0.0
    for i in ipairs(a) do
        local x, y = ra[i] - middle, rb[i] - middle
        ab, aa, bb = ab + x * y, aa + x * x, bb + y * y
    end
    if aa == 0 or bb == 0 or #a < 4 then return nil end
    local rho = ab / math.sqrt(aa * bb)
    if rho * rho > 1 - 1e-12 then return rho, rho, rho end
    local z = 0.5 * math.log((1 + rho) / (1 - rho))
    local half = 1.96 * math.sqrt((1 + rho * rho / 2) / (#a - 3))
    local function back(value) return 1 - 2 / (math.exp(2 * value) + 1) end
    return rho, back(z - half), back(z + half)
end

---Whether times do not depend strongly on sizes: true, false, or nil where the jobs are too few to
---tell.
---@param low number|nil of the correlation's interval
---@param high number|nil
---@param jobs integer
---@return boolean|nil
function M.is_weak(low, high, jobs)
    if not low or jobs < papers.GROUP_LEAST then return nil end
    if high < STRONG then return true end
    if low >= STRONG then return false end
    return nil
end

local function counts_of(values)
    local counts = {}
    for _, value in ipairs(values) do counts[value] = (counts[value] or 0) + 1 end
    return counts
end

local function column_of(jobs, key)
    local values = {}
    for _, job in ipairs(jobs) do values[#values + 1] = job[key] end
    return values
end

local LEVELS = { 0, .1, .5, .9, 1 }

-- A row of quantiles.
local function row_of(name, jobs, key)
    local values = column_of(jobs, key)
    local row, counts = { what = name, jobs = #values }, counts_of(values)
    for i, level in ipairs(LEVELS) do
        row["q" .. i] = #values > 0 and experiment.quantile(counts, level) or nil
    end
    return row
end

local function class_name(class)
    if class[1] == class[2] then return string.format("execution time, %d map", class[1]) end
    if class[2] == math.huge then
        return string.format("execution time, > %d maps", class[1] - 1)
    end
    return string.format("execution time, %d to %d maps", class[1], class[2])
end

local function rows_of(jobs)
    local rows = {}
    for _, class in ipairs(CLASSES) do
        local members = {}
        for _, job in ipairs(jobs) do
            if job.maps >= class[1] and job.maps <= class[2] then members[#members + 1] = job end
        end
        rows[#rows + 1] = row_of(class_name(class), members, "execution")
    end
    rows[#rows + 1] = row_of("a job's mean map", jobs, "map")
    rows[#rows + 1] = row_of("a job's mean reduce", jobs, "reduce")
    return rows
end

local COLUMNS = {
    { key = "what", title = "s" }, { key = "jobs", title = "jobs", right = true },
    { key = "q1", title = "least", right = true }, { key = "q2", title = ".1", right = true },
    { key = "q3", title = ".5", right = true }, { key = "q4", title = ".9", right = true },
    { key = "q5", title = "largest", right = true },
}
for _, column in ipairs(COLUMNS) do
    if column.key:find "^q" then
        column.show = function(value) return text.number(value, 1) end
    end
end

-- ---- claims -------------------------------------------------------------------------------------

local CLAIMS = {
    { label = "execution times hardly depend on input", where = "Section 1, Fig. 1(a)",
      claim = "\"[T]he execution times of MapReduce applications are not strongly depending on "
          .. "their input data sizes.\"" },
    { label = "task times are heterogeneous", where = "Section 1, Fig. 1(b)",
      claim = "\"The runtimes of map and reduce tasks are highly heterogeneous [...]: it varies "
          .. "between applications.\"" },
}

local NOT_PUBLIC = "the logs of the paper's three research clusters are not public; "
    .. "`--trace FILE` makes the figure of a Rumen trace"

local function add_claim(section, which, ours, verdict, because)
    local claim = CLAIMS[which]
    section:claim {
        label = claim.label, where = claim.where, claim = claim.claim,
        paper = "a figure without numbers", ours = ours, verdict = verdict, because = because,
    }
end

local function judge(vote)
    if vote == nil then return papers.UNDECIDED end
    return vote and papers.HOLDS or papers.FAILS
end

local function judge_input(section, jobs)
    local rho, low, high = M.rank_correlation(column_of(jobs, "maps"),
        column_of(jobs, "execution"))
    add_claim(section, 1, rho and string.format(
        "rank correlation of maps and execution time alone: %.2f (95 %% interval %.2f to %.2f), %s",
        rho, low, high, text.count(#jobs, "job")) or "the jobs do not differ in size",
        judge(M.is_weak(low, high, #jobs)), string.format("\"strongly\" is read as a rank "
            .. "correlation of %.1f and more; fewer than %d jobs have no vote", STRONG,
            papers.GROUP_LEAST))
end

local function judge_tasks(section, jobs, rows)
    local votes, parts = papers.votes(), {}
    for i, row in ipairs { rows[#rows - 1], rows[#rows] } do
        local ratio = row.q2 and row.q2 > 0 and row.q4 / row.q2
        local enough = row.jobs >= papers.GROUP_LEAST and ratio
        papers.vote(votes, enough and ratio >= HETEROGENEOUS or not enough and nil)
        parts[i] = string.format("%s: .9 quantile %s times the .1 quantile, %s", row.what,
            ratio and string.format("%.1f", ratio) or "-", text.count(row.jobs, "job"))
    end
    add_claim(section, 2, table.concat(parts, "; "), papers.verdict(votes), string.format(
        "\"highly\" is read as %d times and more; fewer than %d jobs have no vote", HETEROGENEOUS,
        papers.GROUP_LEAST))
end

-- ---- the figure ---------------------------------------------------------------------------------

local function draw(context, section, jobs)
    if not context.directory then return end
    local scatter = { "# maps, execution time alone in s" }
    for _, job in ipairs(jobs) do scatter[#scatter + 1] = figure.row(job.maps, job.execution) end
    local blocks = { scatter }
    for _, key in ipairs { "map", "reduce" } do
        local lines = { "# mean time of a job's " .. key .. "s in s, fraction of jobs" }
        for _, point in ipairs(experiment.distribution(counts_of(column_of(jobs, key)))) do
            lines[#lines + 1] = figure.row(point[1], point[2])
        end
        if #lines == 1 then lines[2] = figure.row(nil, nil) end
        blocks[#blocks + 1] = lines
    end
    local script = [[
set multiplot layout 1,2
set logscale x
set logscale y
set xlabel 'map tasks of a job'
set ylabel 'execution time alone (s)'
set key off
plot data index 0 using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb '#0072B2'
unset logscale y
set xlabel 'mean time of a task of a job (s)'
set ylabel 'fraction of jobs'
set yrange [0:1]
set key bottom right
plot data index 1 using 1:2 with steps linewidth 2 linecolor rgb '#0072B2' title 'maps', \
     data index 2 using 1:2 with steps linewidth 2 dashtype 2 linecolor rgb '#D55E00' title 'reduces'
unset multiplot
]]
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig1", 900, 400,
        script, blocks)
end

local function run_figure1(context)
    local section = papers.section("fig1", TITLE, "Section 1, Figure 1", {
        "Sizes of inputs are numbers of map tasks, as the paper has them. A job's execution time "
            .. "is that of its traced tasks alone on the nodes of the trace.",
        context.trace and "The trace is " .. context.trace .. ", not one of the paper's: the logs "
            .. "of its three research clusters are not public."
            or "No trace is given.",
    })
    if not context.trace then
        for which in ipairs(CLAIMS) do
            add_claim(section, which, "-", papers.CANNOT, NOT_PUBLIC)
        end
        return section
    end
    local jobs = read_jobs(context)
    local rows = rows_of(jobs)
    section:table("fig1", "Times of jobs and tasks, quantiles over the jobs:", COLUMNS, rows)
    judge_input(section, jobs)
    judge_tasks(section, jobs, rows)
    draw(context, section, jobs)
    return section
end

M.figure1 = { name = "fig1", title = TITLE, run = run_figure1 }

return M
