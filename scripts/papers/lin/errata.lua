-- Misprints and loose ends of Lin, Zhang, Wierman, Tan (2013), each with what a run or a
-- computation here shows of it.

local hardness = require "lin.hardness"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"
local response = require "lin.response"
local runs = require "lin.runs"
local slowdown = require "lin.slowdown"

local M = {}

local TITLE = "Errata and unclear points"

-- Finishes of Figure 4's jobs with a third job of this size.
local function figure4_finishes(third)
    local jobs = {}
    for i, size in ipairs { reference.figure4.first, reference.figure4.second, third } do
        jobs[i] = { arrival = 0, map = size.map, shuffle = size.shuffle }
    end
    local result,
        parts = runs.run("fcfs_ps", { workload = jobs, bounds = "none", keep_jobs = true }), {}
    for id = 1, #jobs do parts[id] = string.format("%.4g", result.jobs[id].finish) end
    return table.concat(parts, ", ")
end

local function third_job()
    local corrected, printed = reference.figure4[1].third, reference.figure4[2].third
    return string.format("finishes with (%d,%d): %s; with (%d,%d): %s", corrected.map,
        corrected.shuffle,
        figure4_finishes(corrected),
        printed.map, printed.shuffle, figure4_finishes(printed)),
        figure4_finishes(corrected) ~= figure4_finishes(printed)
end

-- What T' misses in case 2, and the number of jobs.
local function theorem2_constants()
    local parts, missing = {}, true
    for _, k in ipairs { reference.theorem2.k[1], reference.theorem2.k[#reference.theorem2.k] } do
        local instance = pinion.workload.theorem2 { k = k, case = 2 }
        local result = runs.run_schedule(instance)
        -- The arrivals of case 2 alone: k^3 + 1 jobs that take 3k/2 each, where the proof counts
        -- k^3.
        local arrivals = 0.0
        for id = k * k + k + 1, #result.jobs do
            arrivals = arrivals + result.jobs[id].response_time
        end
        local printed = 3 * k ^ 4 / 2
        missing = missing and math.abs(arrivals - printed - 3 * k / 2) < 1e-6 * arrivals
        parts[#parts + 1] = string.format("k = %d: %d jobs; the arrivals take %g, printed %g", k,
            #result.jobs, arrivals, printed)
    end
    return table.concat(parts, "; "), missing
end

-- Standard deviation of the product of two independent variables with mean 1.
local function product_sd(first, second)
    return math.sqrt((1 + first ^ 2) * (1 + second ^ 2) - 1)
end

local function ratio_sd()
    local sizes = reference.sizes
    local map, given, printed, shuffle = sizes.map_sd, sizes.ratio_sd, sizes.ratio_sd_51,
        sizes.shuffle_sd
    local with_given, with_printed = product_sd(map, given), product_sd(map, printed)
    return string.format(
        "the shuffle size's sd is %.2f with %.2f and %.2f with %.2f; Section 5.1 has %.2f",
        with_given, given,
        with_printed,
        printed, shuffle), math.abs(with_given - shuffle) < math.abs(with_printed - shuffle)
end

-- The normal distribution function, by Simpson's rule from 0.
local function normal(z)
    local steps, sum = 200, 0.0
    for i = 0, steps do
        local weight = (i == 0 or i == steps) and 1 or i % 2 == 1 and 4 or 2
        sum = sum + weight * math.exp(-(z * i / steps) ^ 2 / 2)
    end
    return 0.5 + sum * z / steps / 3 / math.sqrt(2 * math.pi)
end

-- Jobs that meet nobody finish with their maps when these are the longer part.
local ALONE, ALONE_JOBS = 1e-6, 20000

local function map_heavy(context)
    local result = runs.run("fcfs", {
        workload = pinion.workload.lin { load = ALONE, jobs = ALONE_JOBS }, seed = context.seed,
        bounds = "none",
        keep_jobs = true,
    })
    local heavy = 0
    for id = 1, ALONE_JOBS do
        local job = result.jobs[id]
        if job.finish == job.map_finish then heavy = heavy + 1 end
    end
    local share = heavy / ALONE_JOBS
    -- A log-normal ratio with mean 1 has mu = -sigma^2 / 2.
    local expected = normal(math.sqrt(math.log(1 + reference.sizes.ratio_sd ^ 2)) / 2)
    return string.format(
        "%.1f %% of %d synthetic jobs are map-heavy; their distribution says %.1f %%", 100 * share,
        ALONE_JOBS,
        100 * expected),
        math.abs(share - expected) < 4 * math.sqrt(expected * (1 - expected) / ALONE_JOBS)
            and share < reference.sizes.map_heavy
end

local function no_shuffle()
    local size = 3
    local result = runs.run("maxsrpt", { workload = { { arrival = 0, map = size, shuffle = 0 } },
        bounds = "none" })
    return string.format("a job (%d,0) alone takes %g here", size, result.total_response_time),
        result.total_response_time == size
end

local function literal_readings(context)
    local long, parts, out = response.readings_cells(context)[2], {}, true
    for i, reading in ipairs { { "maxsrpt_strict", "maxsrpt" }, { "split_none", "splitsrpt" } } do
        local factor, least = response.factor(long, reading[1], reading[2])
        parts[i] = string.format("%s takes %.1f times as long, at least %.1f",
            runs.name(reading[1]), factor, least)
        out = out and least > response.RULED_OUT
    end
    return string.format("at %.2f %s", reference.loads[1], table.concat(parts, "; ")), out
end

local function theorem1_constants()
    local held, least = 0, math.huge
    for _, matching in ipairs(hardness.MATCHINGS) do
        local f, g = 0, 0
        for i, value in ipairs(matching.f) do f, g = f + value, g + matching.g[i] end
        local a = pinion.workload.nmts(matching):facts().A
        local y = 2 * f + g
        if a > 2 * y * g / f and a >= 2 * y * g then held = held + 1 end
        least = math.min(least, a / (2 * y * g))
    end
    return string.format(
        "both hold for the proof's A in %d of %d instances (A is at least %.3g times 2 y' sum g)",
        held,
        #hardness.MATCHINGS, least),
        held == #hardness.MATCHINGS
end

local function most_jobs(context)
    local parts, most = {}, true
    for i, fact in ipairs(slowdown.half_of_klps(runs.main_cells(context))) do
        parts[i] = string.format("%s at %.2f up to a size of %d", runs.name(fact.policy), fact.load,
            fact.size)
        most = most and slowdown.is_most(fact.less, fact.more) == true
    end
    return table.concat(parts, ", "), most
end

---@type pinion.Erratum[]
local ERRATA = {
    { label = "E1: size of J3'", where = "Section 2.2",
        printed = "J3' has size (10,3), being \"the same configuration\" as J1'",
      meant = "(7,11)", show = third_job },
    { label = "E2: name of a ratio", where = "Theorem 2, end of case 2",
        printed = "S/S' = Omega(k)", meant = "T/T'" },
    { label = "E3: constants of Theorem 2", where = "Theorem 2",
        printed = "k = floor(n^(1/3)); T' < ... + 3k^4/2",
      meant = "n is k^3 + k^2 + k + 1; T' misses the last arrival's 3k/2; constants only",
      show = theorem2_constants },
    { label = "E4: sd of the ratio", where = "Section 5.1",
        printed = "the ratio of the sizes has sd 3.65 (Fig. 6c)",
      meant = "3.28, as in Section 5.3", show = ratio_sd },
    { label = "E5: share of map-heavy jobs", where = "Section 5.1",
        printed = "more than 80 % of the jobs are map-heavy",
      meant = "those of the trace; fewer of the synthetic workload", show = map_heavy },
    { label = "E6: indicator of a job", where = "Eq. 1", printed = "a job counts while y(t) > 0",
      meant = "while x(t) > 0 or y(t) > 0: else a job without shuffle work takes no time",
      show = no_shuffle },
    { label = "E7: Algorithms 1 and 2 as printed", where = "Algorithms 1 and 2",
      printed = "each station processes the job with the smallest L; classes have fixed capacities",
      meant = "spare capacity is used, as the text says of the experiments",
      show = literal_readings },
    { label = "E8: A in Theorem 1", where = "Appendix A",
        printed = "A > 2y' sum g / sum f once, A >= 2y' sum g elsewhere",
      meant = "both follow from the A of the proof: harmless", show = theorem1_constants,
      stands = true },
    { label = "E9: most jobs", where = "Section 5.3",
        printed = "most jobs take less than half of k-LPS",
        meant = "true, up to some size",
      show = most_jobs, stands = true },
}

local function run_errata(context)
    local section = papers.section("errata", TITLE, "throughout", {
        "What the paper prints and what must be meant. A verdict is on what is printed.",
    })
    papers.errata(section, ERRATA, context)
    return section
end

M.errata = { name = "errata", title = TITLE, run = run_errata }

return M
