-- `pinion paper zheng` with few seeds: every section is there, its exact parts are exact, numbers
-- agree with the reference, verdicts that any seed must give are given, the files are written, and
-- nothing depends on the number of processes. PINION_TEST_SEEDS changes the number of seeds
-- (default 8).

package.path = "tests/support/?.lua;scripts/papers/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local papers = require "shared.papers"
local pinion = require "pinion"

local SEEDS = tonumber(os.getenv "PINION_TEST_SEEDS") or 8
local directory = program.directory .. "/paper"

local function paper(...)
    return program.run { "paper", ... }
end

-- ---- the list, and what is refused --------------------------------------------------------------

local listed, quiet, code = paper()
check.equal("exit code of the list", code, 0)
check.equal("silence of the list", quiet, "")
check.contains("the list names the paper", listed,
    "zheng  A New Analytical Technique for Designing Provably Efficient "
    .. "MapReduce Schedulers")
check.contains("the list names its sections", listed, "fig9        Figure 9: ")
local list_json = core.json_decode((paper("--format", "json")), "list")
check.equal("papers", #list_json.papers, #papers.all())
check.equal("sections of the paper", #list_json.papers[1].sections, 20)

for _, mistake in ipairs {
    { { "zhang" }, "pinion: unknown paper 'zhang' (did you mean 'zheng'?)\n" },
    { { "zheng", "--only", "fig4" },
        "pinion: --only: unknown section 'fig4' of paper zheng (did you mean 'fig5'?)\n" },
    { { "zheng", "--only", "fig5,,fig6" }, "pinion: --only: an empty name in 'fig5,,fig6'\n" },
    { { "zheng", "--seeds", "1" }, "pinion: --seeds: must be an integer in 2..10000, got 1\n" },
    { { "zheng", "--seeds", "many" },
        "pinion: --seeds: must be an integer in 2..10000, got 'many'\n" },
    { { "zheng", "--seed=-1" }, "pinion: --seed: must be an integer >= 0, got -1\n" },
    { { "zheng", "--processes", "0" },
        "pinion: --processes: must be an integer in 1..256, got 0\n" },
    { { "zheng", "--output", "" }, "pinion: --output: must name a directory\n" },
    { { "--only", "fig5" }, "pinion: --only: name a paper first (`pinion paper` lists them)\n" },
} do
    local name = table.concat(mistake[1], " ")
    local output, messages, exit_code = paper(table.unpack(mistake[1]))
    check.equal("exit code of paper " .. name, exit_code, 2)
    check.equal("message of paper " .. name, messages, mistake[2])
    check.equal("no result of paper " .. name, output, "")
end
local _, why, unwritable = paper("zheng", "--only", "example", "--output", "/dev/null/x")
check.equal("a directory that cannot be made", unwritable, 1)
check.contains("a directory that cannot be made", why,
    "/dev/null/x: not a directory that can be written")

-- ---- everything, with few seeds -----------------------------------------------------------------

local text, silence, exit_code = paper("zheng", "--seeds", tostring(SEEDS), "--output", directory,
    "--format", "json",
    "--quiet", "--processes", "1")
check.equal("quiet", silence, "")
local report = assert(core.json_decode(text, "report"))
check.equal("exit code tells of numbers that differ", exit_code, report.differing == 0 and 0 or 1)
check.equal("seeds", report.seeds, SEEDS)

local sections, claims = {}, {}
for i, section in ipairs(report.sections) do
    check.equal("section " .. i, section.name, list_json.papers[1].sections[i].name)
    sections[section.name] = section
    check.is_true(section.name .. " has a table", #section.tables > 0 and #section.tables[1].rows
        > 0)
    check.is_true(section.name .. " has claims", #section.claims > 0)
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
check.equal("number of sections", #report.sections, 20)
check.is_true("what is left out", #report.left_out > 0)
check.contains("claims.csv", check.read_file(directory .. "/claims.csv"),
    "\nfig5,ASRPT much smaller than all others,")
check.contains("data of figure 9", check.read_file(directory .. "/fig9.dat"),
    "# T, mean, half width of the 95 % interval, "
    .. "reference: preemptive FIFO\n25\t")

for label, verdict in pairs {
    ["example: no constant competitive ratio"] = "not contradicted",
    ["lookahead: no constant ratio with look-ahead"] = "not contradicted",
    ["lookahead: ours: Q must grow with the look-ahead"] = "holds",
    ["lookahead: a constant efficiency ratio exists"] = "holds",
    ["ratios: flow times give a much looser ratio"] = "holds",
    ["ratios: the proportions would remain the same"] = "holds in part",
    ["theorem2: any work-conserving scheduler: constant ratio"] = "not contradicted",
    ["lemma1: SRPT is a lower bound"] = "not contradicted",
    ["corollary2: ASRPT is never worse than DSRPT"] = "not contradicted",
    ["theorem4: DSRPT has efficiency ratio 2"] = "fails",
    ["theorem4: DSRPT within 3 times the SRPT bound"] = "fails",
    ["fig5: LRPT is the worst"] = "holds", ["fig6: LRPT is the worst"] = "holds",
    ["fig7: LRPT is the worst"] = "holds", ["fig8: LRPT is the worst"] = "holds",
    ["fig5: ASRPT within 3 times the SRPT bound"] = "not contradicted",
    ["fig8: ASRPT within 3 times the SRPT bound"] = "not contradicted",
    -- Without preemption it depends on what "up to 10" tasks means.
    ["fig5: ASRPT much smaller than all others"] = "holds in part",
    ["fig6: ASRPT much smaller than all others"] = "holds in part",
    ["fig7: ASRPT much smaller than all others"] = "holds in part",
    ["fig8: ASRPT much smaller than all others"] = "holds in part",
    ["readings: ASRPT much smaller, under every reading"] = "holds in part",
    ["readings: ASRPT is the best, under every reading"] = "holds in part",
    ["theorem1: NP-complete in the strong sense"] = "not contradicted",
    ["errata: Z1: flow time in Case I"] = "fails",
    -- So few seeds give intervals of many per cent, and no evidence that nothing changes.
    ["fig9: efficiency ratios converge"] = "undecided",
    ["fig9: LRPT has a constant ratio, from Fig. 9"] = "undecided",
    ["errata: Z2: the end of the large job in S2"] = "fails",
    ["fig10: LRPT has a long tail"] = "holds", ["fig13: LRPT has a long tail"] = "holds",
    ["fig13: ASRPT's fairness is similar to FIFO's and Fair's"] = "holds in part",
} do
    check.equal("verdict on " .. label, claims[label], verdict)
end

-- ---- what is exact ------------------------------------------------------------------------------

local function row_of(name, index, key, value)
    for _, row in ipairs(sections[name].tables[index].rows) do
        if row[key] == value then return row end
    end
    return {}
end

local fifo, lrpt = row_of("example", 1, "policy", "fifo"), row_of("example", 1, "policy", "lrpt")
check.equal("Quick Example, c0 = 2", fifo.c2_total .. "/" .. fifo.c2_best, "200/57")
check.equal("Quick Example, c0 = 3", fifo.c3_total .. "/" .. fifo.c3_best, "578/99")
check.equal("Quick Example, c0 = 5", fifo.c5_total .. "/" .. fifo.c5_best, "2738/219")
check.equal("Quick Example, case", fifo.h .. fifo.l .. fifo.case, "01II")
check.equal("Quick Example, LRPT", lrpt.c2_total, 236)
-- Without look-ahead the scheduler that does not wait is FIFO; one that sees the run of the reduce
-- serves the small jobs first, and no slot is lost.
local lookahead = require "zheng.lookahead"
local total, best, case = lookahead.duel(2, 9, 0, 0)
check.equal("no look-ahead", total .. "/" .. best .. case, "200/57II")
total, best = lookahead.duel(2, 9, 18, 0)
check.equal("look-ahead of 2Q slots", total, 20 + 9 * 2)
check.is_true("is enough", total <= best)
-- The first job ends in slot 20; the small ones, from slot 3 + k on, wait until then.
total = lookahead.duel(2, 9, 4, 0)
check.equal("look-ahead of 4 slots", total, 20 + 9 * (20 - 4))
local ratios_page = require "zheng.ratios"
check.equal("looser", ratios_page.looseness(20, 180), 10.0)
local ratio_rows = sections.ratios.tables[1].rows
for _, row in ipairs(ratio_rows) do
    local named = string.format("ratios %d %s %d", row.setting, row.mode, row.slots)
    check.is_true(named, row.fifo_completion > 1 and row.mean > 10
        and (row.fifo_flow - 1) / (row.fifo_completion - 1) > 0.5 * row.mean)
end
for _, row in ipairs(sections.ratios.tables[2].rows) do
    check.is_true("proportions differ by denominator", row.lower ~= row.tight)
end
local feasible = 0
for _, policy in ipairs(pinion.policies "slotted") do
    feasible = feasible + (policy.nonpreemptive and not policy.relaxed and 1
    or 0) end
check.equal("Quick Example, policies", #sections.example.tables[1].rows, feasible)
local two, twenty = row_of("theorem4", 3, "machines", 2), row_of("theorem4", 3, "machines", 20)
check.equal("fixed jobs, N = 2", string.format("%d %d %d %d", two.asrpt, two.fifo, two.dspt,
    two.asrpt_cu), "203 104 104 104")
check.equal("fixed jobs, N = 20",
    string.format("%d %d %d", twenty.asrpt, twenty.psrpt, twenty.tight), "1112 122 122")
-- The delay of the one setting that exceeds 2 falls with the rounding of its sizes.
local delays, because = {}, nil
for _, row in ipairs(sections.theorem4.tables[1].rows) do
    if row.setting == 1 then delays[row.rounding] = row.delay end
end
check.is_true("delays by rounding", delays.up > delays.nearest and delays.nearest > delays.down)
for _, claim in ipairs(sections.theorem4.claims) do
    if claim.label == "DSRPT delays a job by at most 2 slots" then because = claim.because end
end
for _, rounding in ipairs { "up", "down" } do
    check.contains("what the verdict rests on", because,
        string.format("rounded %s %.3f ±", rounding, delays[rounding]))
end
local bound = sections.theorem2.tables[1].rows[1]
check.equal("Theorem 2", string.format("%.2e %.2e %.2e %.2e", bound.b1, bound.b2, bound.theorem2,
    bound.theorem3), "2.13e+04 "
    .. "1.77e+07 2.35e+08 2.35e+08")
for _, row in ipairs(sections.lemma1.tables[1].rows) do
    check.equal("SRPT <= LB2 <= every policy", row.srpt_above_lb2 + row.lb2_above_policy, 0)
end
for _, comparison in ipairs(sections.example.comparisons) do
    check.is_true("exact: " .. comparison.label, comparison.agrees
        and comparison.ours == math.tointeger(comparison.ours)
        or comparison.tolerance > 0)
end

-- The reading decides: fewer tasks make ASRPT's ratio several times as large, in every figure, and
-- with one task its lead over the best of the others is below 10 %.
local ratios, leads = {}, {}
for _, row in ipairs(sections.readings.tables[1].rows) do
    if row.reduce == "nonpreemptive" then
        ratios[row.reading .. row.figure], leads[row.reading .. row.figure] = row.mean, row.lead
    end
end
for shown = 5, 8 do
    local ten = ratios["10 tasks, rounded up, T = 500" .. shown]
    check.is_true("ratio with U{1..10} tasks, figure " .. shown,
        ratios["U{1..10} tasks" .. shown] > 1.3 * ten)
    check.is_true("ratio with 1 task, figure " .. shown, ratios["1 task" .. shown] > 2.5 * ten)
    if shown ~= 6 then
        check.is_true("lead with 1 task, figure " .. shown, leads["1 task" .. shown] < 1.05)
    end
end

-- Second attempts gain most where times are most random, and hold slots for longer.
local copies = sections.copies.tables[1].rows
for i = 1, #copies, 3 do
    check.is_true("copies: " .. copies[i].curve, copies[i + 2].mean < -1
        and copies[i + 2].mean < copies[i].mean - 1)
end
check.equal("notes on what they cost", #sections.copies.notes, #copies // 3)

-- A schedule decides 3-Partition, in both directions.
local with_triples = 0
for _, row in ipairs(sections.theorem1.tables[1].rows) do
    with_triples = with_triples + (row.partition and 1 or 0)
    if row.partition then
        check.equal("triples " .. row.numbers, row.preemptive, row.threshold)
        check.equal("triples " .. row.numbers .. ", tasks kept", row.nonpreemptive, row.threshold)
    else
        check.is_true("no triples " .. row.numbers, row.least > row.threshold)
    end
    if math.type(row.optimum) then
        check.equal("optimum of " .. row.numbers, row.optimum == row.threshold, row.partition)
    end
end
check.equal("instances with triples", with_triples, 10)

-- A row's digest is that of its runs, folded in the order of the seeds.
local folded = papers.DIGEST_START
for replica = 0, SEEDS - 1 do
    folded = papers.fold(folded, pinion.run {
        machines = 100, reduce = "preemptive", policy = "fifo", workload = "zheng:0",
        replica = replica, quiet = true,
    }.digest)
end
check.equal("digest of figure 5's first row", sections.fig5.tables[1].rows[1].digest,
    papers.digest_text(folded))

-- ---- text, and any number of processes ----------------------------------------------------------

local one = paper("zheng", "--seeds", "3", "--only", "fig5,theorem4,fig10", "--output", directory,
    "--quiet", "--processes", "1")
local three = paper("zheng", "--seeds", "3", "--only", "fig10,fig5,theorem4", "--output", directory,
    "--quiet", "--processes",
    "3")
check.equal("the same with three processes, and whatever the order of --only", three, one)
for _, part in ipairs {
    "\nTheorem 4 and Corollaries 1 and 2",
    "\nFigure 5: efficiency ratios, maps Exp(5), reduces Exp(40)\n====", "  preemptive   "
        .. "  FIFO  ",
    "\n  claim      \"[T]he total flow-time of ASRPT is much smaller", "\n  paper      ",
    "\n  reference  ", "\n  ours       ",
        "\n  verdict    HOLDS",
    "\nSummary\n=======\n", " numbers compared with the reference: ", "Tables and figures are in "
        .. directory,
} do
    check.contains("text", one, part)
end
for line in one:gmatch "[^\n]+" do
    if utf8.len(line) > 132 then check.equal("a line is too wide", line, "") end
end

-- Enough seeds for the means of Figures 5 to 8 to mean something: none may differ from the
-- reference's.
local judged, problem, status = paper("zheng", "--seeds", tostring(5 * SEEDS), "--only",
    "fig5,fig6,fig7,fig8", "--output",
    directory, "--quiet")
check.equal("figures 5 to 8 agree with the reference: " .. problem, status, 0)
check.contains("figures 5 to 8 agree with the reference", judged:match "\n([^\n]*compared[^\n]*)",
    "52 numbers compared with "
    .. "the reference: all agree.")

-- A number that differs is flagged. No seeds are drawn for this: the section decides.
local section = papers.section("s", "t", "w", {})
check.is_true("within the tolerance", section:compare("a", 1.25, 1, 0.25))
check.is_true("beyond the tolerance", not section:compare("b", 1.2501, 1, 0.25))
check.equal("one differs", section:differing(), 1)
check.is_true("three standard errors",
    math.abs(pinion.experiment.tolerance(2, 200, 200) - 0.6) < 1e-12)
check.is_true("wider when the deviation is estimated from 8 values",
    math.abs(pinion.experiment.tolerance(1, 8, 1e18,
    true) * math.sqrt(8) - 4.51) < 0.05)
check.equal("above", pinion.experiment.above({ mean = 3, half = 0.5 }, 2), true)
check.equal("not above", pinion.experiment.above({ mean = 1, half = 0.5 }, 2), false)
check.equal("cannot be told", pinion.experiment.above({ mean = 2, half = 0.5 }, 2), nil)

check.done()
