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
    "speed", "fig7", "table",
    "readings",
                "fig9", "beyond", "errata" }
for i, name in ipairs(NAMES) do check.equal("section " .. i, described.sections[i].name, name) end
check.equal("sections of the paper", #described.sections, #NAMES)

for _, mistake in ipairs {
    { { "lin", "--only", "fig8" },
        "pinion: --only: unknown section 'fig8' of paper lin (did you mean 'fig4'?)\n" },
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

local sections, claims = {}, {}
for i, section in ipairs(report.sections) do
    check.equal("section " .. i, section.name, NAMES[i])
    sections[section.name] = section
    check.is_true(section.name .. " has a table", #section.tables > 0 and #section.tables[1].rows
        > 0)
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
    ["theorem1: the reduction decides the matching"] = "holds",
    ["theorem2: the ratio grows as the cube root of n"] = "holds",
    ["corollary4: MaxSRPT's approximation ratio is tight"] = "holds",
    ["corollary6: SplitSRPT's approximation ratio is tight"] = "holds",
    ["batch: the chain of the proofs"] = "holds",
    ["batch: y >= x first minimises the makespan"] = "holds",
    ["speed: MaxSRPT needs no more speed than claimed"] = "holds",
    ["speed: SplitSRPT needs no more speed than claimed"] = "holds",
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
check.equal("a paper's number within the interval", runs.beside(values, 1000000, 3.32),
    papers.HOLDS)
check.equal("one beyond it", runs.beside(values, 1000000, 3.40), papers.FAILS)
check.equal("an interval too wide", runs.beside({ 2.9, 3.8, 3.1, 3.7 }, 1000000, 3.40),
    papers.UNDECIDED)

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

-- So few jobs fill no bucket: one above k-LPS that holds a single job says nothing.
check.equal("fig9: all sizes better than under k-LPS",
    claims["fig9: all sizes better than under k-LPS"], "undecided")

check.done()
