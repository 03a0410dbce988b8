-- How often the 95 % interval of a single run covers the true mean: of queues with one station,
-- whose means are known. Pollaczek and Khinchine's formula for first come first served, E[S] / (1 -
-- load) for processor sharing, Schrage and Miller's for SRPT.
-- The short form, which runs in the tests, prints its seed. `build/pinion run
-- tests/tandem/coverage.lua 1000` runs all cells with so many runs each, some 45 minutes on two
-- cores, and prints the table of docs/results.md; cells that are done are kept in build/coverage.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

-- ---- sizes of mean 1 ----------------------------------------------------------------------------

local CHANCE <const>, SHORT <const>, LONG <const> = 0.8872983346207417, 0.5635083268962916,
    4.436491673103708

-- Returns P(S > x) of a Pareto distribution of mean 1.
local function pareto(shape)
    local scale = (shape - 1) / shape
    return function(x) return x < scale and 1.0 or (scale / x) ^ shape end,
        string.format("pareto(%g,%.17g)", shape, scale),
        shape > 2 and shape * scale * scale / (shape - 2) or math.huge
end

local SIZES = {}
local function add(name, above, text, square)
    SIZES[name] = { above = above, text = text, square = square }
    SIZES[#SIZES + 1] = name
end
add("exponential", function(x) return math.exp(-x) end, "exp(1)", 2.0)
add("Erlang, 4 stages", function(x)
    local y = 4 * x
    return math.exp(-y) * (1 + y + y * y / 2 + y * y * y / 6)
end, "erlang(4,1)", 1.25)
add("hyperexponential", function(x)
    return CHANCE * math.exp(-x / SHORT) + (1 - CHANCE) * math.exp(-x / LONG)
end, string.format("hyperexp(%.17g,%.17g,%.17g,%.17g)", CHANCE, SHORT, 1 - CHANCE, LONG), 5.0)
add("Pareto, shape 2.5", pareto(2.5))
add("Pareto, shape 1.5", pareto(1.5))

-- ---- true means ---------------------------------------------------------------------------------

-- Sums Schrage and Miller's formula over cells that grow with x, as tests/tandem/queues.c does.
local function schrage_miller(above, load)
    local cells, x = 20000, 1e-8
    local growth = (1e8 / x) ^ (1 / cells)
    local mean, first, second, residence = 0.0, 0.0, 0.0, 0.0
    for _ = 1, cells do
        local middle, width = x * math.sqrt(growth), x * (growth - 1)
        local mass = above(x) - above(x * growth)
        local idle = 1 - load * (first + mass * middle / 2)
        local reached = second + mass * middle * middle / 2 + middle * middle * above(middle)
        mean = mean + mass * (load * reached / (2 * idle * idle) + residence + width / 2 / idle)
        residence, first = residence + width / idle, first + mass * middle
        second, x = second + mass * middle * middle, x * growth
    end
    return mean
end

local TRUTH = {
    fcfs = function(size, load) return 1 + load * size.square / (2 * (1 - load)) end,
    ps = function(_, load) return 1 / (1 - load) end,
    srptmap = function(size, load) return schrage_miller(size.above, load) end,
}

-- ---- runs ---------------------------------------------------------------------------------------

---@class Cell
---@field size string
---@field load number
---@field policy string
---@field jobs integer

local SOON <const> = 100

-- Runs a cell; returns how many runs had an interval, how many of these covered, and their mean
-- half width as a share of the true mean. A cell without any interval soon ends.
local function measure(cell, runs, seed)
    local size = SIZES[cell.size]
    local truth, given, covered, width = TRUTH[cell.policy](size, cell.load), 0, 0, 0.0
    for run = 1, runs do
        if given == 0 and run > SOON then break end
        local made = pinion.run { workload = pinion.workload.lin { load = cell.load,
            jobs = cell.jobs, map = size.text, shuffle = "0", seed = seed + run },
            policy = cell.policy, bounds = "none", keep_jobs = false, quiet = true }
        local half = made.batches.half
        assert((half == nil) == (made.no_interval ~= nil), "neither an interval nor a reason")
        if half then
            given, width = given + 1, width + half / truth
            if math.abs(made.mean_response_time - truth) <= half then covered = covered + 1 end
        end
    end
    return { given = given, covered = covered, width = given > 0 and width / given or 0.0 }
end

local function measure_all(cells, runs, seed, options)
    options.quiet = true
    return pinion.experiment.each(#cells, function(i) return measure(cells[i], runs, seed) end,
        options)
end

-- ---- the whole experiment -----------------------------------------------------------------------

local LENGTHS = { { 0.5, 20000 }, { 0.7, 20000 }, { 0.8, 20000 }, { 0.8, 50000 }, { 0.9, 20000 },
    { 0.9, 150000 }, { 0.95, 20000 } }
-- Jobs at load 0.95 that leave most runs an interval, by sizes.
local LONGEST = { exponential = 250000, ["Erlang, 4 stages"] = 250000, hyperexponential = 800000,
    ["Pareto, shape 2.5"] = 600000 }

-- Returns rows { size, load, jobs } of the table; one where the sizes leave no interval.
local function rows_of()
    local rows = {}
    for _, size in ipairs(SIZES) do
        for i, length in ipairs(LENGTHS) do
            if i == 1 or SIZES[size].square < math.huge then
                rows[#rows + 1] = { size, length[1], length[2] }
            end
        end
        if LONGEST[size] then rows[#rows + 1] = { size, 0.95, LONGEST[size] } end
    end
    return rows
end

local function whole(runs)
    local cells, rows, policies = {}, rows_of(), { "fcfs", "ps", "srptmap" }
    for _, row in ipairs(rows) do
        for _, policy in ipairs(policies) do
            cells[#cells + 1] = { size = row[1], load = row[2], jobs = row[3], policy = policy }
        end
    end
    local measured = measure_all(cells, runs, 0, { store = "build/coverage", store_key = runs })
    local given, covered = 0, 0
    print "| sizes | load | jobs | FCFS | PS | SRPT |\n| --- | --- | --- | --- | --- | --- |"
    for i, row in ipairs(rows) do
        local line = { row[1], string.format("%g", row[2]), string.format("%d", row[3]) }
        for p in ipairs(policies) do
            local of = measured[3 * (i - 1) + p]
            given, covered = given + of.given, covered + of.covered
            line[3 + p] = of.given == 0 and "none" or string.format("%.1f %% of %d (± %.0f %%)",
                100 * of.covered / of.given, of.given, 100 * of.width)
        end
        print("| " .. table.concat(line, " | ") .. " |")
    end
    print(string.format("\n%d runs have an interval, and %.1f %% of these cover", given,
        100 * covered / given))
end

-- ---- the short form -----------------------------------------------------------------------------

local function short()
    local seed = tonumber(os.getenv "PINION_TEST_SEED" or os.time()) % (1 << 40)
    print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", seed, seed))
    local cells, runs = {}, 120
    for _, cell in ipairs {
        { "exponential", 0.5, "fcfs" }, { "exponential", 0.7, "ps" },
        { "Erlang, 4 stages", 0.7, "srptmap" }, { "hyperexponential", 0.5, "ps" },
        { "Pareto, shape 2.5", 0.5, "srptmap" }, { "Pareto, shape 2.5", 0.5, "fcfs" },
        { "Pareto, shape 1.5", 0.5, "ps" }, { "exponential", 0.95, "fcfs" },
    } do
        cells[#cells + 1] = { size = cell[1], load = cell[2], policy = cell[3], jobs = 10000 }
    end
    local given, covered = 0, 0
    for i, of in ipairs(measure_all(cells, runs, seed, {})) do
        local cell = cells[i]
        local name = string.format("%s, load %g, %s", cell.size, cell.load, cell.policy)
        if i > 5 then
            check.equal(name .. ": no interval", of.given, 0)
        else
            check.is_true(string.format("%s: %d of %d have an interval", name, of.given, runs),
                of.given >= 0.75 * runs)
            given, covered = given + of.given, covered + of.covered
        end
    end
    -- Were it 93 %, this would fail once in 30,000 times.
    local least = 0.93 * given - 4 * math.sqrt(0.93 * 0.07 * given)
    check.is_true(string.format("%d of %d cover, not %.1f", covered, given, least),
        covered >= least)
    check.done()
end

local runs = math.tointeger(tonumber(arg[1] or ""))
if runs then whole(runs) else short() end
