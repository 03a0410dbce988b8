-- `pinion paper lin` with few jobs: every section is there, what is exact is exact, what converges
-- fast agrees with the reference, verdicts that any seed must give are given, a falsified reference
-- is flagged, and nothing depends on the number of processes.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"

local directory = program.directory .. "/paper"

local function paper(...)
    return program.run { "paper", ... }
end

-- ---- the list, and what is refused --------------------------------------------------------------

local listed, quiet, code = paper()
check.equal("exit code of the list", code, 0)
check.equal("silence of the list", quiet, "")
check.contains("the list names the paper", listed,
    "lin  Joint Optimization of Overlapping Phases in MapReduce")
check.contains("the list tells the defaults", listed, "by default: ")
local list_json = core.json_decode((paper("--format", "json")), "list")
local described
for _, entry in ipairs(list_json.papers) do
    if entry.name == "lin" then described = entry end
end
local NAMES = { "example", "fig4", "theorem1", "theorem2", "corollary4", "corollary6", "batch",
    "speed", "fig5", "fig6", "fig7", "table", "readings", "fig8", "fig9", "beyond", "weighted",
    "deadlines", "tasks", "errata" }
for i, name in ipairs(NAMES) do check.equal("section " .. i, described.sections[i].name, name) end
check.equal("sections of the paper", #described.sections, #NAMES)

for _, mistake in ipairs {
    { { "lin", "--only", "fig3" },
        "pinion: --only: unknown section 'fig3' of paper lin (did you mean 'fig4'?)\n" },
    { { "lin", "--jobs", "999" },
        "pinion: --jobs: must be an integer in 1000..1000000000, got 999\n" },
    { { "lin", "--replicas", "1" }, "pinion: --seeds: must be an integer in 2..10000, got 1\n" },
    { { "lin", "--trace", "/no/such/trace.tsv" },
        "/no/such/trace.tsv: No such file or directory\n" },
    { { "zheng", "--jobs", "5000" },
        "pinion: --jobs: the settings of paper zheng fix the number of jobs\n" },
    { { "zheng", "--trace", "x.tsv" }, "pinion: --trace: paper zheng takes no trace\n" },
    { { "--jobs", "5000" }, "pinion: --jobs: name a paper first (`pinion paper` lists them)\n" },
} do
    local name = table.concat(mistake[1], " ")
    local output, messages, exit_code = paper(table.unpack(mistake[1]))
    check.equal("exit code of paper " .. name, exit_code, 2)
    check.equal("message of paper " .. name, messages, mistake[2])
    check.equal("no result of paper " .. name, output, "")
end

-- ---- everything, with few jobs ------------------------------------------------------------------

local REPLICAS, JOBS = 2, 2000
local text, silence, exit_code = paper("lin", "--replicas", tostring(REPLICAS), "--jobs",
    tostring(JOBS), "--output", directory,
    "--format",
    "json", "--quiet")
check.equal("quiet", silence, "")
local report = assert(core.json_decode(text, "report"))
check.equal("exit code tells of numbers that differ", exit_code, report.differing == 0 and 0 or 1)
check.equal("jobs of a replica", report.jobs, JOBS)
check.equal("replicas", report.seeds, REPLICAS)
check.equal("number of sections", #report.sections, #NAMES)
check.is_true("what is left out", #report.left_out > 0)

local sections, claims = {}, {}
for i, section in ipairs(report.sections) do
    check.equal("section " .. i, section.name, NAMES[i])
    sections[section.name] = section
    -- Figures 5 and 6 are of a trace alone.
    check.is_true(section.name .. " has a table", section.name == "fig5" or section.name == "fig6"
        or #section.tables > 0 and #section.tables[1].rows > 0)
    for _, claim in ipairs(section.claims) do
        claims[section.name .. ": " .. claim.label] = claim.verdict
        for _, field in ipairs { "where", "claim", "paper", "ours", "because" } do
            check.is_true(section.name .. ", " .. claim.label .. ": " .. field,
                type(claim[field]) == "string"
                and claim[field] ~= "")
        end
    end
    for _, made in ipairs(section.tables) do
        local lines = select(2, check.read_file(directory .. "/" .. made.name .. ".csv"):gsub("\n",
            ""))
        check.equal("lines of " .. made.name .. ".csv", lines, #made.rows + 1)
    end
    for _, path in ipairs(section.figures) do
        check.contains(path, check.read_file(path), "</svg>")
    end
end

for label, verdict in pairs {
    ["example: breakpoints of Figure 2"] = "holds",
    ["example: progress of J2, and its rate"] = "holds",
    ["example: the traditional model differs starkly"] = "holds",
    ["fig4: a kink in the shuffle rate"] = "holds",
    ["fig4: the third job is (10,3)"] = "fails",
    ["theorem1: the reduction decides the matching"] = "not contradicted",
    ["theorem2: the ratio grows as the cube root of n"] = "not contradicted",
    ["corollary4: MaxSRPT's approximation ratio is tight"] = "holds",
    ["corollary6: SplitSRPT's approximation ratio is tight"] = "holds",
    ["batch: the chain of the proofs"] = "not contradicted",
    ["batch: y >= x first minimises the makespan"] = "not contradicted",
    ["speed: MaxSRPT needs no more speed than claimed"] = "not contradicted",
    ["speed: SplitSRPT needs no more speed than claimed"] = "not contradicted",
} do
    check.equal("verdict on " .. label, claims[label], verdict)
end

-- What does not depend on chance agrees with the reference to the last digit that it noted.
for _, name in ipairs { "example", "fig4", "theorem2", "corollary4", "corollary6" } do
    check.is_true(name .. " is held to the reference", #sections[name].comparisons > 0)
    for _, comparison in ipairs(sections[name].comparisons) do
        check.is_true(string.format("%s: %s: %.9g, reference %.9g", name, comparison.label,
            comparison.ours,
            comparison.reference),
            comparison.agrees)
    end
end

-- ---- what is exact ------------------------------------------------------------------------------

local function row_of(name, index, key, value)
    for _, row in ipairs(sections[name].tables[index].rows) do
        if row[key] == value then return row end
    end
    return {}
end

local policies = sections.example.tables[2]
check.equal("policies and bounds of the example", #policies.rows, #reference.example.others + 2)
check.equal("MaxSRPT on the example", row_of("example", 2, "policy", "maxsrpt").total, 12.0)
check.equal("our bound on the example", row_of("example", 2, "policy", "tight").total, 11.5)
local answers = {}
for i, row in ipairs(sections.theorem1.tables[1].rows) do
    answers[i] = (row.answer and "yes" or "no")
    .. (row.excess == 0 and "=" or "+") end
check.equal("Theorem 1: matchings, and totals at or above the threshold",
    table.concat(answers, " "), "yes= no+ yes= no+")
check.contains("the log beside the figure", check.read_file(directory .. "/example-overlap.log"),
    '"finish":true')
check.contains("data of Figure 2", check.read_file(directory .. "/fig2.dat"), "\n2.5\t")

-- The kinks are where the log says, not where the paper does: another first job moves them.
local progress = require "lin.progress"
local jobs = { { arrival = 0, map = 1, shuffle = 3 }, { arrival = 0, map = 4, shuffle = 1 } }
local made = progress.replay({
    { time = 0.0, job = 1, map_rate = 1, shuffle_rate = 1 },
    { time = 1.0, job = 1, map_rate = 0, shuffle_rate = 1 },
    { time = 1.0, job = 2, map_rate = 1, shuffle_rate = 0 }, { time = 3.0, job = 1, finish = true },
    { time = 3.0, job = 2, map_rate = 1, shuffle_rate = 1 },
    { time = 3.6666666666666665, job = 2, map_rate = 1,
        shuffle_rate = 0.25 },
    { time = 5.0, job = 2, finish = true },
}, jobs, true)
check.equal("kinks of the shuffle work left", table.concat(progress.kinks(made, "shuffle"), " "),
    "3.6666666666667 5.0")
check.equal("finishes", table.concat(made.finishes, " "), "3.0 5.0")
check.is_true("half of the generated work waits",
    math.abs(progress.at(made, 3).backlog[2] - 0.5) < 1e-12)

-- ---- a reference that is wrong, a paper's number that is wrong ----------------------------------

local function reproduce(only)
    return papers.reproduce(assert(papers.find "lin"),
        { seeds = REPLICAS, seed = 1, jobs = JOBS, only = { only }, processes = 1,
        quiet = true })
end

local function differing(only)
    local count = 0
    for _, section in ipairs(reproduce(only).sections) do count = count + section:differing() end
    return count
end

check.equal("example agrees", differing "example", 0)
local finishes = reference.example.overlap.finishes
finishes[2] = finishes[2] + 1e-6
check.equal("a falsified finish is flagged", differing "example", 1)
finishes[2] = finishes[2] - 1e-6
local kinks = reference.example.overlap.paper_kinks
kinks[2] = 2.4
check.equal("a falsified breakpoint of the paper fails",
    reproduce("example").sections[1].claims[1].verdict, papers.FAILS)
kinks[2] = 2.5
local ratios = reference.corollary6.ratios[20]
ratios[1] = ratios[1] + 0.001
check.equal("a falsified ratio is flagged, of all three readings", differing "corollary6", 3)
ratios[1] = ratios[1] - 0.001

-- Means of long runs are held to the reference within three standard errors, and to the paper
-- within 95 %.
local runs = require "lin.runs"
local values = { 3.30, 3.34, 3.31, 3.35, 3.32, 3.34 }
local tolerance = runs.tolerance(values, 1000000, reference.JOBS)
check.is_true("tolerance", tolerance > 0.02 and tolerance < 0.06)
check.equal("a paper's number within the interval", runs.beside(values, values, 1000000, 3.32),
    papers.HOLDS)
check.equal("one beyond it", runs.beside(values, values, 1000000, 3.40), papers.FAILS)
local wide = { 2.9, 3.8, 3.1, 3.7 }
check.equal("an interval too wide", runs.beside(wide, wide, 1000000, 3.40), papers.UNDECIDED)
-- All replicas rise: a mean that still moves says nothing of a number far off.
local early = {}
for i, value in ipairs(values) do early[i] = value - 0.5 end
check.equal("one beyond it that is still to come", runs.beside(values, early, 1000, 3.90),
    papers.UNDECIDED)
check.equal("one out of its reach", runs.beside(values, early, 1000, 9.90), papers.FAILS)
check.equal("as long as the paper's run, a number decides",
    runs.beside(values, early, reference.PAPER_JOBS, 3.90), papers.FAILS)

-- A mean that converges fast agrees with the reference; with a falsified one the program would exit
-- with 1.
local sums = 0
for replica = 0, 3 do
    sums = sums + runs.run("maxsrpt",
        { workload = runs.workload("balanced", .1, 20000), replica = replica, bounds = "fast",
        keep_jobs = false })
        .relative_response_time
end
check.is_true("balanced sizes at load .1: " .. sums / 4,
    math.abs(sums / 4 - reference.relative.balanced.maxsrpt[1]) < 0.004)

-- A row's digest is that of its runs, folded in the order of the replicas.
local folded = papers.DIGEST_START
for replica = 0, REPLICAS - 1 do
    folded = papers.fold(folded, pinion.run {
        model = "tandem", policy = "klps",
        workload = pinion.workload.lin { load = .75, jobs = JOBS }, replica = replica,
        quiet = true,
    }.digest)
end
check.equal("digest of the table's first row", sections.table.tables[1].rows[1].digest,
    papers.digest_text(folded))

-- ---- text, and any number of processes ----------------------------------------------------------

local one = paper("lin", "--replicas", "2", "--jobs", "1000", "--only", "example,corollary6,table",
    "--output", directory,
    "--quiet",
    "--processes", "1")
local three = paper("lin", "--seeds", "2", "--jobs", "1000", "--only", "table,corollary6,example",
    "--output", directory,
    "--quiet",
    "--processes", "3")
check.equal("the same with three processes, and whatever the order of --only", three, one)
for _, part in ipairs {
    "\nThe example of Section 2.1, Figures 2 and 3", "\nSection 5.3: mean response times",
    "\n  claim      ", "\n  paper      ",
    "\n  ours       ", "\n  verdict    HOLDS", "\nSummary\n=======\n",
    " numbers compared with the reference: ",
    "2 seeds (replicas) of 1000 jobs", "Tables and figures are in " .. directory,
} do
    check.contains("text", one, part)
end

-- ---- tasks --------------------------------------------------------------------------------------

local tasks = require "lin.tasks"
local mixed = {
    { arrival = 0, map = 10, shuffle = 10 }, { arrival = 1, map = 1, shuffle = 1 },
    { arrival = 2, map = 1, shuffle = 3 }, { arrival = 3, map = 3, shuffle = 1 },
}
local split = tasks.measure(mixed, 3000, { batches = 1 })
for policy, mean in pairs(split.tasks) do
    local traditional = runs.run(policy, { workload = mixed, overlap = false, bounds = "none" })
    check.is_true(policy .. " on many tasks without overlap is the traditional queue: " .. mean,
        math.abs(mean / traditional.mean_response_time - 1) < .005)
end
local piped = tasks.measure(mixed, 3000, { batches = 10 })
for policy, mean in pairs(piped.tasks) do
    check.is_true(policy .. " with ten batches is near the overlapping queue: " .. mean,
        math.abs(mean / piped.fluid[policy] - 1) < .1)
end
-- The job of 10 uses one slot of 60 for its map and one of 30 for its shuffle.
check.is_true("one job of one task", math.abs(tasks.measure({ mixed[1] }, 1,
    { batches = 1 }).tasks.fcfs - 900) < .001)
-- Reduces of the first job hold all slots while its maps wait behind those of the others.
local held = tasks.measure(mixed, 3000, { batches = 1, start = 50, is_wave = true })
check.is_true("reduces that wait for maps hold up MaxSRPT: " .. held.tasks.maxsrpt,
    held.tasks.maxsrpt > 2 * piped.tasks.maxsrpt)

-- Two replicas with these means of FCFS, k-LPS, MaxSRPT and SplitSRPT.
local function replicas(fluid, found)
    local function named(means)
        return { fcfs = means[1], klps = means[2], maxsrpt = means[3], splitsrpt = means[4] }
    end
    local made = { fluid = named(fluid), tasks = named(found) }
    return { made, made }
end
for _, case in ipairs {
    { "the same", { 4, 3, 1, 2 }, { 8, 7, 5, 6 }, "6 0 0" },
    { "one pair reversed", { 4, 3, 1, 2 }, { 8, 7, 6, 5 }, "5 1 0" },
    { "one pair equal on tasks", { 4, 3, 1, 2 }, { 8, 7, 5, 5 }, "5 1 0" },
    { "one pair equal in the model", { 4, 3, 1, 1 }, { 8, 7, 6, 5 }, "5 0 0" },
} do
    local votes = tasks.ranking(replicas(case[2], case[3]))
    check.equal("order: " .. case[1], string.format("%d %d %d", votes.held, votes.failed,
        votes.undecided), case[4])
end
check.equal("relative response time above the model's",
    tasks.error_of(replicas({ 4, 2, 1, 1 }, { 4, 4, 3, 3 }), "maxsrpt").mean, .5)
for _, case in ipairs {
    { "near", { count = 8, mean = -.03, half = .01 }, true },
    { "far", { count = 8, mean = -.08, half = .01 }, false },
    { "open", { count = 8, mean = .04, half = .02 }, nil },
    { "one replica", { count = 1, mean = 0, half = 0 }, nil },
} do check.equal("relative response time: " .. case[1], tasks.is_near(case[2]), case[3]) end

local response = require "lin.response"

-- ---- too little data ----------------------------------------------------------------------------

-- The fewest replicas and jobs: whatever is random can be undecided, and none of it fails.
-- A reading that takes many times as long shows in two runs: it may fail, by votes alone.
local function has_votes(rows)
    local failed = 0
    for _, row in ipairs(rows) do
        if row.least > response.RULED_OUT and row.possible == false then failed = failed + 1 end
    end
    return 2 * failed > #rows
end

-- All policies do the same work, and often end with the same job: two runs may show that, too.
local SAME_WORK = "k-LPS has a lower service rate"

local function hold_undecided(name, options)
    options.processes, options.quiet = 1, true
    local undecided = 0
    for _, section in ipairs(papers.reproduce(assert(papers.find "lin"), options).sections) do
        for _, claim in ipairs(section.claims) do
            check.is_true(string.format("%s: %s, %s: %s", name, section.name, claim.label,
                claim.verdict), claim.verdict ~= papers.FAILS
                or section.name == "readings" and has_votes(section.tables[1].rows)
                or claim.label == SAME_WORK)
            undecided = undecided + (claim.verdict == papers.UNDECIDED and 1 or 0)
        end
    end
    return undecided
end
local undecided = hold_undecided("fewest", { seeds = 2, seed = 1, jobs = 1000,
    only = { "fig7", "table", "readings", "fig9", "beyond", "weighted", "deadlines" } })
check.is_true("most of it is undecided: " .. undecided, undecided > 10)
-- Short runs lie low, all of them: neither chance nor many replicas make a number fail.
for seed = 2, 6 do hold_undecided("short", { seeds = 2, seed = seed, jobs = 1000,
    only = { "table" } }) end
hold_undecided("many and short", { seeds = 10, seed = 1, jobs = 1000, only = { "table" } })

-- What is judged by groups of jobs, on made-up samples.
local slowdown = require "lin.slowdown"
for _, case in ipairs {
    { "less", { count = 30, mean = -1, half = .5 }, true },
    { "more", { count = 30, mean = 1, half = .5 }, false },
    { "either", { count = 30, mean = -1, half = 1.5 }, nil },
    { "a group too small", { count = 29, mean = -1, half = .5 }, nil },
} do check.equal(case[1], slowdown.is_less(case[2]), case[3]) end
local loads = require "lin.loads"
for _, case in ipairs {
    { "above", 30, { count = 8, mean = 2, half = .4 }, true, false },
    { "below", 30, { count = 8, mean = .9, half = .05 }, false, true },
    { "between", 30, { count = 8, mean = 1.25, half = .5 }, nil, nil },
    { "too few jobs", 29, { count = 8, mean = 2, half = .4 }, nil, nil },
    { "one window", 30, { count = 1, mean = 2, half = 0 }, nil, nil },
} do
    check.equal("above 1: " .. case[1], loads.is_above(case[2], case[3], 1), case[4])
    check.equal("near: " .. case[1], loads.is_near(case[2], case[3]), case[5])
end
for _, case in ipairs {
    { "similar", 30, { count = 8, mean = .98, half = .02 }, true },
    { "not similar", 30, { count = 8, mean = 1.08, half = .02 }, false },
    { "open", 30, { count = 8, mean = 1, half = .06 }, nil },
    { "too few jobs", 29, { count = 8, mean = 1, half = .02 }, nil },
} do check.equal("similar: " .. case[1], loads.is_similar(case[2], case[3]), case[4]) end
check.equal("an interval wider than the margin around a printed number",
    runs.beside({ 3, 3.6, 3.1, 3.5 }, { 3, 3.6, 3.1, 3.5 }, 1000000, 3.3), papers.UNDECIDED)
for _, case in ipairs {
    { "more", { count = 3, mean = .02, half = .01 }, true },
    { "the same", { count = 3, mean = 0, half = 1e-5 }, false },
    { "open", { count = 3, mean = .002, half = .01 }, nil },
    { "one replica", { count = 1, mean = .02, half = 0 }, nil },
} do check.equal("service rate: " .. case[1], response.is_faster(case[2]), case[3]) end
check.equal("a reading that is ruled out", response.is_possible(1.2, 1.9), false)
check.equal("a reading that gives the same", response.is_possible(.95, 1.05), true)
check.equal("a reading that cannot be told", response.is_possible(.9, 1.9), nil)
check.equal("most jobs", slowdown.is_most(.6, .1), true)
check.equal("not most jobs", slowdown.is_most(.3, .5), false)
check.equal("most jobs cannot be told", slowdown.is_most(.5, .4), nil)
local low, high = { count = 30, values = { 1, 1.1, 1 } }, { count = 30, values = { 2, 2.2, 2 } }
check.equal("rising", slowdown.is_rising(low, high), true)
check.equal("falling", slowdown.is_rising(high, low), false)
check.equal("level", slowdown.is_rising(low, { count = 30, values = { 1, 1, 1.1 } }), nil)
check.equal("few large jobs", slowdown.is_rising(low, { count = 29, values = { 2, 2, 2 } }), nil)
local function flat(...)
    local groups = {}
    for i, group in ipairs { ... } do
        groups[i] = { count = group[3] or 30, mean = group[1], half = group[2] }
    end
    return slowdown.is_flat(groups, 1.15)
end
check.equal("flat", flat({ 4, .1 }, { 4.2, .1 }), true)
check.equal("not flat", flat({ 4, .1 }, { 5, .1 }), false)
check.equal("too wide to tell", flat({ 4, .1 }, { 4.5, .5 }), nil)
check.equal("one group alone", flat({ 4, .1 }, { 9, .1, 29 }), nil)

-- 75 % of 300 jobs over 110 are more than twice the capacity, over 115 less.
local sizes = require "lin.sizes"
check.equal("by the printed mean", sizes.exceeds_capacity(110, 300), true)
check.equal("by the count of jobs", sizes.exceeds_capacity(80000 / 29 / 24, 300), false)
check.equal("busy hours", claims["fig5: 75 % on average is twice the capacity in busy hours"],
    "holds in part")

-- What the paper says of its trace is judged on a trace, window by window, and on nothing else.
check.equal("figure 6 without a trace", claims["fig6: map sizes spread wide"], "cannot be had")
for _, label in ipairs { "both better than k-LPS", "near the lower bound",
    "SplitSRPT better at high load", "MaxSRPT better" } do
    check.equal("without a trace: " .. label, claims["fig7: " .. label], "cannot be had")
end
local trace = check.temporary_file ""
do
    local file = assert(io.open(trace, "w"))
    local draw = papers.draws(1, 1)
    for i = 1, 400 do
        file:write(string.format("job%d\t%d\t%d\t%d\t%d\t%d\n", i, 30 * i, 30,
            draw(1, 1 << 30), draw(1, 1 << 30), draw(1, 1 << 30)))
    end
    file:close()
end
local traced = papers.reproduce(assert(papers.find "lin"), {
    seeds = 2, seed = 1, jobs = 1000, only = { "fig5", "fig6", "fig7" }, processes = 1,
    quiet = true, trace = trace,
}).sections
local of_trace = {}
for _, section in ipairs(traced) do
    for _, claim in ipairs(section.claims) do of_trace[claim.label] = claim.verdict end
end
-- Sizes are uniform: not wide, and as often map-heavy as not; 4 hours say nothing of days.
check.equal("map sizes of made-up jobs", of_trace["map sizes spread wide"], "fails")
check.equal("made-up jobs are not map-heavy", of_trace["more than 80 % are map-heavy"], "fails")
check.equal("4 hours", of_trace["a diurnal and a weekly pattern"], "undecided")
local waves = {}
for hour = 0, 400 do waves[hour + 1] = 10 + (hour % 24 < 12 and 5 or 0) end
check.is_true("hours a day apart", math.abs(sizes.correlation_at(waves, 24) - 1) < 1e-9)
check.is_true("half a day apart", sizes.correlation_at(waves, 12) < -0.9)
check.equal("too short", sizes.correlation_at({ 1, 2, 3 }, 2), nil)
check.equal("by hour", table.concat(sizes.by_hour { 0, 3599, 3600, 10800 }, " "), "2 1 0 1")
check.equal("judged on a trace", of_trace["both better than k-LPS: trace"], "holds")
check.equal("nothing is missing then", of_trace["both better than k-LPS"], nil)
for _, row in ipairs(traced[3].tables[1].rows) do
    if row.workload == "trace" then
        check.is_true("an interval of the windows", row.half > 0 and row.jobs == 50)
    end
end

-- Facebook's jobs of a day, 8 windows: a day says nothing of weeks, and sizes are no surprise.
local real = os.getenv "PINION_TRACES"
if real then
    local of_facebook = {}
    for _, section in ipairs(papers.reproduce(assert(papers.find "lin"), {
        seeds = 2, seed = 1, jobs = 1000, only = { "fig5", "fig6", "fig7" }, processes = 1,
        quiet = true, trace = real .. "/swim-facebook/FB-2010_samples_24_times_1hr_0.tsv",
    }).sections) do
        for _, claim in ipairs(section.claims) do of_facebook[claim.label] = claim.verdict end
    end
    for label, verdict in pairs {
        ["a diurnal and a weekly pattern"] = "undecided", ["map sizes spread wide"] = "holds",
        ["more than 80 % are map-heavy"] = "fails", ["both better than k-LPS: trace"] = "holds",
        ["MaxSRPT better: trace, balanced"] = "holds",
    } do check.equal("Facebook's jobs: " .. label, of_facebook[label], verdict) end
end

check.done()
