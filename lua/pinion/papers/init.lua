-- Papers that this version reproduces, and what their sections share: how a number of ours is held to a reference, how a claim
-- is judged, how the digests of many runs become one.
--
-- Three kinds of numbers meet in a section and are never mixed: what the paper says, what an independent simulator measured (the
-- reference: literals in the paper's module, cited there), and what this run measured. A paper's claim that fails is a
-- finding; a number of ours that differs from the reference is a fault of ours or of the reference, and the program's exit code
-- says so.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local parallel = require "pinion.base.parallel"
local pinion = require "pinion"
local statistics = require "pinion.base.statistics"
local suggest = require "pinion.base.suggest"

local M = {}

---@class pinion.Paper
---@field name string as on the command line
---@field title string
---@field authors string
---@field venue string
---@field reproduces string one sentence
---@field seeds integer replicas of every setting unless said otherwise
---@field jobs integer|nil jobs of a replica, or what `unit` says, unless said otherwise; nil: the paper's settings fix them
---@field jobs_least integer|nil fewer mean nothing; default 1000
---@field unit string|nil what `jobs` counts where it is not jobs of a replica
---@field seed_least integer|nil nil: 0
---@field seed_most integer|nil
---@field trace string|nil what its reproduction makes of a trace; nil: nothing
---What may be set of its workload: options of a generator but those that are fixed, and rules of the model; nil: nothing.
---@field sets { generator: string, rules: string[], fixed: string[] }|nil
---@field module string loaded when the paper is asked for: a list of { name =, title =, run = function(context) -> section }

---@type pinion.Paper[]
M.papers = {
    {
        name = "zheng",
        title = "A New Analytical Technique for Designing Provably Efficient MapReduce Schedulers",
        authors = "Y. Zheng, N. B. Shroff, P. Sinha", venue = "IEEE INFOCOM 2013",
        reproduces = "the Quick Example, Theorems 2 to 4, Lemma 1, Corollaries 1 and 2, Figures 5 to 13",
        seeds = 200,
        module = "pinion.papers.zheng",
    },
    {
        name = "lin",
        title = "Joint Optimization of Overlapping Phases in MapReduce",
        authors = "M. Lin, L. Zhang, A. Wierman, J. Tan", venue = "IFIP Performance 2013",
        reproduces = "the examples of Section 2, Theorems 1, 2, 3 and 5, Corollaries 4 and 6, the table of Section 5.3, Figures "
            .. "2 to "
            .. "4, 7 and 9",
        seeds = 10, jobs = 500000, trace = "relative response times over loads, as the paper's Figure 7 shows them of a trace",
        module = "pinion.papers.lin",
    },
    {
        name = "tian",
        title = "On Dynamic Job Ordering and Slot Configurations for Minimizing the Makespan of Multiple MapReduce Jobs",
        authors = "W. Tian, G. Luo, L. Tian, A. Chen", venue = "a short paper",
        reproduces = "Table 1 and Example 1, Figures 1 and 2, the example of 5 and 4 nodes, Theorems 1 to 4, Observation 5",
        seeds = 40, jobs = 20000, jobs_least = 10, unit = "tiny instance",
        module = "pinion.papers.tian",
    },
    {
        name = "hsrtf",
        title = "On the Usability of Shortest Remaining Time First Policy in Shared Hadoop Clusters",
        authors = "N. Cheriere, P. Donat-Bouillud, S. Ibrahim, M. Simonin", venue = "ACM SAC 2016",
        reproduces = "the percentages of the abstract and of Section 5, Figures 2 and 3, equations (1) to (5), the kills of "
            .. "Section 3.3",
        seeds = 40, seed_least = 1, seed_most = 1000000000000,
        module = "pinion.papers.hsrtf",
    },
    {
        name = "rtmr",
        title = "Real-Time Scheduling in MapReduce Clusters",
        authors = "C. He, Y. Lu, D. Swanson", venue = "University of Nebraska-Lincoln, TR-UNL-CSE-2012-0004",
        reproduces = "Tables V and VI, the guarantee of Section IV and the Appendix, Algorithms I to VI, the learnt estimates of "
            .. "Section IV.A",
        seeds = 40, seed_least = 1, seed_most = 1000000000,
        sets = { generator = "rtmr", rules = { "factor_lo", "factor_hi" }, fixed = { "workload", "seed", "jobs", "load" } },
        module = "pinion.papers.rtmr",
    },
}

---@param name string
---@return pinion.Paper|nil paper, string|nil reason
function M.find(name)
    local names = {}
    for i, paper in ipairs(M.papers) do
        if paper.name == name then return paper end
        names[i] = paper.name
    end
    return nil, string.format("unknown paper %s %s", check.show(name), suggest.hint(name, names))
end

-- ---- sections ------------------------------------------------------------------------------------------

M.HOLDS, M.PARTLY, M.FAILS, M.UNDECIDED = "holds", "holds in part", "fails", "undecided"

---@class pinion.PaperClaim
---@field label string a few words, for the summary
---@field where string place in the paper
---@field claim string what is claimed, in the paper's words where these are short
---@field paper string what the paper gives for it
---@field reference string|nil what the reference found
---@field ours string what was measured here
---@field verdict string M.HOLDS, M.PARTLY, M.FAILS or M.UNDECIDED
---@field because string the rule by which it was judged

---@class pinion.PaperColumn
---@field key string of a row; the name in CSV and JSON
---@field title string|nil in text; nil: not shown there
---@field right boolean|nil
---@field words boolean|nil in text only: other columns hold its numbers
---@field show fun(value: any, row: table): string|nil

---@class pinion.PaperSection
---@field name string
---@field title string
---@field where string place in the paper
---@field setup string[] sentences
---@field tables table[] { name =, title =, columns =, rows = }
---@field claims pinion.PaperClaim[]
---@field notes string[]
---@field figures string[] paths
---@field comparisons table[] { label =, ours =, reference =, tolerance =, agrees = }
local Section = {}
Section.__index = Section

---@return pinion.PaperSection
function M.section(name, title, where, setup)
    return setmetatable({
        name = name, title = title, where = where, setup = setup, tables = {}, claims = {}, notes = {}, figures = {},
        comparisons = {},
    }, Section)
end

---@param name string of the CSV file
---@param title string
---@param columns pinion.PaperColumn[]
---@param rows table[]
function Section:table(name, title, columns, rows)
    self.tables[#self.tables + 1] = { name = name, title = title, columns = columns, rows = rows }
end

---@param claim pinion.PaperClaim
function Section:claim(claim)
    self.claims[#self.claims + 1] = claim
end

function Section:note(format, ...)
    self.notes[#self.notes + 1] = string.format(format, ...)
end

---Holds a number of ours to the reference.
---@param label string what the number is
---@param ours number
---@param reference number
---@param tolerance number the largest difference that counts as agreement
---@return boolean agrees
function Section:compare(label, ours, reference, tolerance)
    -- Differences of printed decimals carry a hair of binary rounding.
    local agrees = math.abs(ours - reference) <= tolerance + 1e-12 * math.abs(reference)
    self.comparisons[#self.comparisons + 1] = {
        label = label, ours = ours, reference = reference, tolerance = tolerance, agrees = agrees,
    }
    return agrees
end

---Holds an exact number of ours to the reference, which must be the same.
---@param label string
---@param ours any exact
---@param reference string|integer such as "107/3"
---@return boolean agrees
function Section:compare_exact(label, ours, reference)
    local expected = core.exact(reference)
    local agrees = ours == expected
    self.comparisons[#self.comparisons + 1] = {
        label = label, ours = ours:number(), reference = expected:number(), tolerance = 0, agrees = agrees,
    }
    return agrees
end

---@return integer how many numbers differ from the reference
function Section:differing()
    local count = 0
    for _, comparison in ipairs(self.comparisons) do
        if not comparison.agrees then count = count + 1 end
    end
    return count
end

-- ---- judging --------------------------------------------------------------------------------------------

-- How far a normal variable strays with the probability of three standard deviations when its deviation is estimated from
-- `freedom` + 1
-- values: Student's quantile by the Cornish-Fisher expansion at z = 3. 4.5 for 8 values, 3.04 for 200.
local function three(freedom)
    return 3 + 30 / (4 * freedom) + 1656 / (96 * freedom ^ 2) + 11592 / (384 * freedom ^ 3)
end

---Three standard errors of the difference of two means over `seeds` and `reference_seeds` independent runs.
---@param sd number of one run
---@param estimated boolean|nil the deviation is that of our own `seeds` runs
---@return number
function M.tolerance(sd, seeds, reference_seeds, estimated)
    return (estimated and three(seeds - 1) or 3) * sd * math.sqrt(1 / seeds + 1 / reference_seeds)
end

---What is said of a sample.
---@param values number[]
---@return { count: integer, mean: number, sd: number, half: number, min: number, max: number } half is that of the 95 % interval
function M.summary(values)
    local mean, half, sd = statistics.interval(values)
    return { count = #values, mean = mean, sd = sd or 0.0, half = half or 0.0,
             min = math.min(table.unpack(values)), max = math.max(table.unpack(values)) }
end

---Whether a mean lies beyond a limit: true or false when the 95 % interval says so, nil while it covers the limit.
---@param summary { mean: number, half: number }
---@param limit number
---@return boolean|nil
function M.above(summary, limit)
    if summary.mean - summary.half > limit then return true end
    if summary.mean + summary.half <= limit then return false end
    return nil
end

---The verdict on a claim of which several parts were judged.
---@param held integer
---@param all integer
function M.verdict(held, all)
    if held == all then return M.HOLDS end
    return held == 0 and M.FAILS or M.PARTLY
end

M.DIGEST_RULE = "FNV-1a over the 64-bit digests of the runs, in the order of the seeds"
M.DIGEST_START = 0xCBF29CE484222325

---Folds the digest of one more run into a combined one.
---@param combined integer
---@param digest string 16 hex digits
---@return integer
function M.fold(combined, digest)
    return (combined ~ tonumber("0x" .. digest)) * 0x100000001B3
end

---@return string 16 hex digits
function M.digest_text(combined)
    return string.format("%016x", combined)
end

---The result of each task, computed side by side and in any case the same.
---@generic T
---@param context pinion.PaperContext
---@param label string for the progress line
---@param count integer
---@param run fun(task: integer): T numbers, strings, booleans, sequences and records
---@return T[]
function M.each(context, label, count, run)
    local values, done = {}, 0
    local progress <close> = core.progress(label, context.quiet)
    local complete = parallel.run(count, context.processes, {
        run = run,
        deliver = function(task, value)
            values[task] = value
            done = done + 1
            progress:show(done, count, "parts")
        end,
        name = function(task) return string.format("%s, part %d", label, task) end,
    })
    if not complete then fault.interrupted() end
    return values
end

---A column that says whether a number agrees with the reference; empty where there is none.
M.AGREES_COLUMN = { key = "agrees", title = "", show = function(value)
    return value == nil and "" or value and "agrees" or "DIFFERS"
end }

---Integers from a seed and the number of an instance, the same in any process: SplitMix64.
---@param seed integer
---@param number integer
---@return fun(least: integer, most: integer): integer
function M.draws(seed, number)
    local state = seed * 0x9E3779B97F4A7C15 ~ number * 0xD1B54A32D192ED03
    return function(least, most)
        state = state + 0x9E3779B97F4A7C15
        local z = state
        z = (z ~ z >> 30) * 0xBF58476D1CE4E5B9
        z = (z ~ z >> 27) * 0x94D049BB133111EB
        z = z ~ z >> 31
        return least + (z >> 11) % (most - least + 1)
    end
end

---One run, without notices; what it says when it fails is the user's to read.
---@param options table as pinion.run takes them
---@return pinion.Result
function M.run(options)
    options.quiet = true
    local ok, result = pcall(pinion.run, options)
    if ok then return result end
    if type(result) ~= "string" then error(result, 0) end
    fault.run("%s", result)
end

-- ---- errata -----------------------------------------------------------------------------------------------

---@class pinion.Erratum
---@field label string
---@field where string
---@field printed string
---@field meant string
---@field stands boolean|nil what is printed is true after all
---@field open boolean|nil nothing here can decide it
---What is found, and whether it confirms the erratum; nil: there is nothing to run.
---@field show (fun(context: pinion.PaperContext): string, boolean)|nil

---Claims, notes and a table of a paper's errata. A verdict is on what is printed.
---@param section pinion.PaperSection
---@param errata pinion.Erratum[]
---@param context pinion.PaperContext
function M.errata(section, errata, context)
    local rows = {}
    for i, entry in ipairs(errata) do
        local row = { label = entry.label, where = entry.where, printed = entry.printed, meant = entry.meant }
        if entry.show then
            row.ours, row.confirmed = entry.show(context)
            section:claim {
                label = entry.label, where = entry.where, claim = entry.printed, paper = "printed", reference = entry.meant,
                ours = row.ours,
                verdict = (entry.open or not row.confirmed) and M.UNDECIDED or entry.stands and M.HOLDS or M.FAILS,
                because = not row.confirmed and "these runs do not show it" or entry.open and "nothing that was run can decide it"
                    or entry.stands and "so it is found here" or "found otherwise here, as must be meant",
            }
        else
            section:note("%s (%s): printed: %s; meant: %s. There is nothing to run.", entry.label, entry.where, entry.printed,
                entry.meant)
        end
        rows[i] = row
    end
    section:table("errata", nil, { { key = "label" }, { key = "where" }, { key = "printed" }, { key = "meant" }, { key = "ours" },
                                   { key = "confirmed" } }, rows)
end

-- ---- reproducing ----------------------------------------------------------------------------------------

---@class pinion.PaperOptions
---@field seeds integer
---@field seed integer
---@field jobs integer|nil of a replica
---@field trace string|nil a file
---@field set table<string, any>|nil of the workload, in place of the paper's
---@field only string[]|nil names of sections
---@field directory string|nil for figures; nil: none are drawn
---@field processes integer
---@field quiet boolean
---@field on_section fun(section: pinion.PaperSection)|nil called as soon as each is done

---@class pinion.PaperContext what a section's run function is given
---@field seeds integer
---@field seed integer
---@field jobs integer of a replica, where the paper's settings do not fix them
---@field trace string|nil a file
---@field set table<string, any>|nil of the workload, in place of the paper's
---@field processes integer
---@field directory string|nil
---@field quiet boolean
---@field cache table<string, any> what sections share

local INTERRUPTED = 130

local function chosen_sections(paper, only)
    local all = require(paper.module)
    if not only then return all end
    local wanted, names = {}, {}
    for i, section in ipairs(all) do names[i] = section.name end
    for _, name in ipairs(only) do
        if not check.choice(name, names) then
            fault.usage("--only: unknown section %s of paper %s %s", check.show(name), paper.name, suggest.hint(name, names))
        end
        wanted[name] = true
    end
    local chosen = {}
    for _, section in ipairs(all) do
        if wanted[section.name] then chosen[#chosen + 1] = section end
    end
    return chosen
end

---Names and titles of a paper's sections, in its order.
---@param paper pinion.Paper
function M.sections(paper)
    return require(paper.module)
end

---Raises a fault when the options name a section that the paper does not have.
---@param paper pinion.Paper
---@param options pinion.PaperOptions
function M.check(paper, options)
    chosen_sections(paper, options.only)
end

---Runs a paper's sections, in its order. Ctrl-C leaves those that are complete.
---@param paper pinion.Paper
---@param options pinion.PaperOptions
---@return table report { paper =, seeds =, seed =, sections =, interrupted = }
function M.reproduce(paper, options)
    local chosen = chosen_sections(paper, options.only)
    local context = {
        seeds = options.seeds, seed = options.seed, jobs = options.jobs, trace = options.trace, set = options.set,
        processes = options.processes, directory = options.directory, quiet = options.quiet, cache = {},
    }
    local report = { paper = paper, seeds = options.seeds, seed = options.seed, jobs = options.jobs, trace = options.trace,
                     set = options.set, sections = {} }
    for i, description in ipairs(chosen) do
        local start = core.clock()
        local ok, section = pcall(description.run, context)
        if not ok and fault.is(section) and section.code == INTERRUPTED then
            report.interrupted = true
            break
        end
        if not ok then error(section, 0) end
        report.sections[i] = section
        if options.on_section then options.on_section(section) end
        if not options.quiet then
            io.stderr:write(string.format("pinion: %s: %.1f s\n", description.name, core.clock() - start))
        end
    end
    return report
end

return M
