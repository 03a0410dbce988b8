-- `pinion paper rtmr` with two seeds: every section is there, the reference's own jobs give its
-- numbers to the digit, verdicts are those that any seed must give, a falsified number is flagged,
-- --set changes the workload, and nothing depends on the number of processes.

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local page = require "paper_page"
local core = require "pinion.core"
local cases = require "rtmr.cases"
local guarantee = require "rtmr.guarantee"
local identified = require "rtmr.identified"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"

local directory, paper = page.directory, page.run

-- ---- the list, and what is refused --------------------------------------------------------------

local NAMES = { "tables", "fits", "dispatcher", "guarantee", "proofs", "cases", "learnt", "nodes",
    "load", "estimates", "identified", "errata" }
page.check_listed("rtmr", "Real-Time Scheduling in MapReduce Clusters", NAMES)
page.check_refused {
    { { "rtmr", "--only", "table" },
        "pinion: --only: unknown section 'table' of paper rtmr (did you mean 'tables'?)\n" },
    { { "rtmr", "--jobs", "9000" },
        "pinion: --jobs: the settings of paper rtmr fix the number of jobs\n" },
    { { "rtmr", "--set", "map_ms" }, "pinion: --set: expected NAME=VALUE, got 'map_ms'\n" },
    { { "rtmr", "--set", "workload=II" }, "pinion: --set workload: is the sections' own\n" },
    { { "rtmr", "--set", "jobs=20" }, "pinion: --set jobs: is the sections' own\n" },
    { { "hsrtf", "--set", "map_ms=1" },
        "pinion: --set: the settings of paper hsrtf are its own\n" },
    { { "--set", "map_ms=1" }, "pinion: --set: name a paper first (`pinion paper` lists them)\n" },
}
for _, set in ipairs { "map_ms=-1", "factor_lo=0", "no_such=1" } do
    local _, messages, exit_code = paper("rtmr", "--set", set)
    check.equal("exit code of --set " .. set, exit_code, 2)
    check.contains("message of --set " .. set, messages, "pinion: --set " .. set:match "^[%w_]+"
        .. ": ")
end

-- ---- everything, with few seeds -----------------------------------------------------------------

local SEEDS = 2
local text, silence, exit_code = paper("rtmr", "--seeds", tostring(SEEDS), "--output", directory,
    "--format", "json", "--quiet")
check.equal("quiet", silence, "")
local report = assert(core.json_decode(text, "report"))
check.equal("all numbers agree", exit_code, 0)

local sections, claims = page.check_page(report, NAMES)
for name, least in next, { tables = 12, fits = 25, guarantee = 18, cases = 30 } do
    check.is_true(name .. " is held to the reference", #sections[name].comparisons >= least)
end
for name, figures in next, { load = 1, estimates = 1, identified = 1 } do
    check.equal("figures of " .. name, #sections[name].figures, figures)
end

for label, verdict in next, {
    -- Two seeds do not tell how far runs stray.
    ["tables: the numbers of Table V"] = "undecided", ["tables: feedback helps"] = "undecided",
    ["proofs: Proof-1: T^m >= V^m"] = "not contradicted", ["proofs: Proof-2: T^r >= V^r"] = "fails",
    ["proofs: Proof-3: U^m >= V^m"] = "not contradicted", ["proofs: Proof-4: U^r >= V^r"] = "fails",
    ["nodes: the longest time keeps the promise"] = "not contradicted",
    ["nodes: feedback deals with node failures"] = "undecided",
    ["load: feedback accepts more at any load"] = "undecided",
    ["tables: RTMR: all accepted jobs are successful"] = "not contradicted",
    ["tables: ours: heartbeats cost little here"] = "not contradicted",
    ["guarantee: ours: with >= none misses"] = "not contradicted",
    ["guarantee: ours: the allowance keeps it with beats"] = "not contradicted",
    ["guarantee: heartbeats are in no estimate"] = "fails",
    ["load: the guarantee at any load"] = "not contradicted",
    ["estimates: the guarantee is as good as the estimates"] = "holds",
} do
    check.equal("verdict on " .. label, claims[label], verdict)
end
for label, verdict in next, claims do
    if label:find("^cases: ") then check.equal(label, verdict, "holds") end
    if label:find("^errata: E") then check.equal(label, verdict, "fails") end
end

-- Strict reservations change decisions where maps of jobs differ.
local by_row = {}
for _, row in ipairs(sections.dispatcher.tables[1].rows) do
    by_row[row.workload .. " " .. row.variant] = row.digest
end
check.is_true("strict reservations", by_row["I, mixed rtmr"] and by_row["I, mixed strict"]
    and by_row["I, mixed rtmr"] ~= by_row["I, mixed strict"])

-- ---- the workload -------------------------------------------------------------------------------

-- The settings that are printed are those of the generator, and its cluster is the fitted one.
local spec = pinion.workload.rtmr()
local suggested = spec:default_settings "cluster"
local context = { seed = 1, seeds = SEEDS, processes = 1, quiet = true, cache = {} }
check.equal("the generator's jobs", runs.run_variant("rtmr", runs.jobs(context, "I", 3), 3).digest,
    runs.run("rtmr", suggested.params, suggested.nodes, spec, 3).digest)
for _, name in ipairs(reference.WORKLOADS) do
    check.equal("jobs of workload " .. name, #runs.first_jobs(name), reference.jobs[name])
    check.equal("jobs of workload " .. name .. ", ours", #runs.jobs(context, name, 1),
        reference.jobs[name])
end
local given =
    core.json_decode(
    (paper("rtmr", "--only", "load", "--seeds", "2", "--output", directory, "--quiet", "--format",
    "json", "--set", "est_reduce_permille=2000", "--set", "factor_lo=900")), "report")
check.equal("what was set", given.set.est_reduce_permille .. " " .. given.set.factor_lo, "2000 900")
check.is_true("it changes the runs", given.sections[1].tables[2].rows[1].digest
    ~= sections.load.tables[2].rows[1].digest)
local changed =
    core.json_decode(
    (paper("rtmr", "--only", "tables", "--seeds", "2", "--output", directory, "--quiet", "--format",
    "json", "--set", "gap_ms=20000", "--set", "map_ms=9000")), "report")
check.equal("the reference's jobs stay what they are", changed.differing, 0)
check.is_true("and are compared", changed.compared >= 12)
check.contains("it is said", table.concat(given.sections[1].setup, " "),
    "est_reduce_permille=2000, factor_lo=900")

-- ---- other settings -----------------------------------------------------------------------------

local by_name = {}
for _, entry in ipairs(sections.identified.tables) do by_name[entry.name] = entry.rows end
-- Claims are judged at the fit as the page judges them, and shares add up to 1.
local claimed = 0
for _, row in ipairs(by_name.identified) do
    local key = row.section .. ": " .. row.label
    check.equal("at the fit: " .. key, row.verdict, claims[key])
    check.equal("on the seeds of the walks: " .. key, row.few, claims[key])
    if row.section ~= "errata" then claimed = claimed + 1 end
    for _, prefix in ipairs { "V_", "VI_" } do
        check.is_true("shares of " .. key,
            math.abs(row[prefix .. "holds"] + row[prefix .. "fails"] + row[prefix .. "other"] - 1)
            < 1e-9)
    end
end
local resting = 0
for _, name in ipairs { "tables", "fits", "dispatcher", "learnt", "load", "estimates" } do
    resting = resting + #sections[name].claims
end
check.equal("claims of the sections that rest on the fit", claimed, resting)
check.equal("and errata", #by_name.identified - claimed, 3)
-- What is accepted agrees, in its range.
for place, name in ipairs { "V", "VI" } do
    local accepted = by_name["identified_sample_" .. name]
    check.is_true("some walks arrive at " .. name, #accepted > 0)
    for _, row in ipairs(accepted) do
        local values = {}
        for i, range in ipairs(identified.RANGES) do
            values[i] = row[range.name]
            check.is_true(range.name .. " in its range",
                range.least <= values[i] and values[i] <= range.most)
        end
        check.is_true("walk " .. row.walk .. " agrees", identified.agree(identified.measure(
            identified.AIMS[place], identified.context(context, values, SEEDS))))
    end
end
-- The fit is the page's own setting, and tasks of a millisecond are far from the tables.
local fitted = identified.fitted(context)
check.equal("the fit gives the page's runs", runs.run_variant("rtmr",
    runs.jobs(identified.context(context, fitted, SEEDS), "I", 3), 3).digest,
    runs.run_variant("rtmr", runs.jobs(context, "I", 3), 3).digest)
check.is_true("idle nodes do not agree", not identified.agree(identified.measure(
    identified.AIMS[1], identified.context(context, { 1, 1, 1, 1000, 1000, 500 }, 8))))
check.is_true("inside the spread", identified.agree { missed = 0, beyond = { 0.0, 0.0 } })
check.is_true("beyond it", not identified.agree { missed = 0, beyond = { 0.0, 0.1 } })
check.is_true("with a miss", not identified.agree { missed = 1, beyond = { 0.0, 0.0 } })

-- ---- counterexamples and random scenarios -------------------------------------------------------

check.equal("cex1, as printed", cases.result("cex1", "paper").jobs[1].finish, 220000)
check.equal("cex1, corrected", cases.result("cex1", "ge").jobs[1].finish, 110000)
check.equal("cex6, rtmr-live turns jobs away", cases.result("cex6", "rtmr-live").rejected, 2)
-- Deadlines leave nothing to spare: most of the jobs have the very estimate that they are promised.
local exact, all = 0, 0
for number = 1, 20 do
    local result, drawn, jobs = guarantee.try(guarantee.scenario(1, number), number,
        guarantee.TRIALS[4])
    check.equal("the kernel and the twin, scenario " .. number, result.digest, drawn.digest)
    for id, job in ipairs(jobs) do
        local row = drawn.jobs[id]
        if row.state ~= "rejected" then
            all = all + 1
            if row.promise == job.submit + job.deadline then exact = exact + 1 end
        end
    end
end
check.is_true("tight deadlines", exact > 0.6 * all)

-- ---- a reference that is wrong, a paper's number that is wrong ----------------------------------

-- With enough seeds means are held to the reference too.
local function reproduce(only, seeds)
    return papers.reproduce(assert(papers.find "rtmr"),
        { seeds = seeds or SEEDS, seed = 1, only = { only }, processes = 1,
        quiet = true }).sections[1]
end

local tables = reproduce("tables", runs.ENOUGH)
check.equal("means agree", tables:differing(), 0)
check.is_true("means are compared", #tables.comparisons > 60)
-- Numbers that stay apart from the paper's are not reproduced, whatever part of them agrees.
for _, claim in ipairs(tables.claims) do
    if claim.label:find "^the numbers of Table" then
        check.equal(claim.label, claim.verdict, papers.NOT_REPRODUCED)
        check.contains(claim.label, claim.ours, "2 of these the 100 % that the rules give")
    end
end
check.equal("the counterexamples agree", reproduce "cases":differing(), 0)
local case = cases.CASES[1]
case.finish.paper[1] = 220001
check.equal("a falsified finish is flagged", reproduce "cases":differing(), 1)
case.finish.paper[1] = 220000
local known = reference.near[1].first.I
known[1] = 52.4
check.equal("a falsified percentage is flagged", reproduce "fits":differing(), 1)
known[1] = 52.2

-- ---- text, and any number of processes ----------------------------------------------------------

local function some(only, processes)
    return (paper("rtmr", "--seeds", "2", "--only", only, "--output", directory, "--quiet",
        "--processes", processes))
end
local one = some("guarantee,cases", "1")
check.equal("the same with three processes, and whatever the order of --only",
    some("cases,guarantee", "3"), one)
for _, part in ipairs {
    "\nCounterexamples: ", "H: 220, by 110, promised 110 MISSED", "\n  claim      ",
    "\n  ours       ", "\nSummary\n=======\n",
    " numbers compared with the reference: all agree.",
} do
    check.contains("text", one, part)
end

check.done()
