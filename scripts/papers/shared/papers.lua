-- The papers, and what their sections share: how a number of ours is held to a reference, how a
-- claim is judged, how the digests of many runs become one.
--
-- Three kinds of numbers meet in a section and are never mixed: what the paper says, what an
-- independent simulator measured (the reference, in reference.lua of each paper), and what this run
-- measured. A paper's claim that fails is a finding; a number of ours that differs from the
-- reference is a fault of ours or of the reference, and the exit code says so.

local experiment = require "pinion".experiment
local mistakes = require "shared.mistakes"
local pinion = require "pinion"

local M = {}

---@class pinion.Paper
---@field name string as on the command line
---@field title string
---@field authors string
---@field venue string
---@field reproduces string one sentence
---@field seeds integer replicas of every setting unless said otherwise
---Jobs of a replica, or what `unit` says, unless said otherwise; nil: the settings fix them.
---@field jobs integer|nil
---@field jobs_least integer|nil fewer mean nothing; default 1000
---@field unit string|nil what `jobs` counts where it is not jobs of a replica
---@field seed_least integer|nil nil: 0
---@field seed_most integer|nil
---@field trace string|nil what its reproduction makes of a trace; nil: nothing
---What may be set of its workload: options of a generator but those that are fixed, and rules of
---the model; nil: nothing.
---@field sets pinion.PaperSets|nil
---@field sections pinion.PaperExperiment[]
---What the paper has and its sections do not run, with the reason.
---@field left_out { what: string, why: string }[]

---@class pinion.PaperSets
---@field generator string
---@field rules table<string, integer[]> of the model, each with its range
---@field fixed table<string, boolean> options of the generator

---@class pinion.PaperExperiment what a paper has of a section before it is run
---@field name string
---@field title string
---@field run fun(context: pinion.PaperContext): pinion.PaperSection

-- In the order in which they are listed.
local NAMES = { "zheng", "lin", "tian", "hsrtf", "rtmr", "drf", "tetris", "hfsp", "decima",
    "beyond" }

---@return pinion.Paper[]
function M.all()
    local all = {}
    for i, name in ipairs(NAMES) do all[i] = require(name .. ".paper") end
    return all
end

---@param name string
---@return pinion.Paper
function M.find(name)
    for _, known in ipairs(NAMES) do
        if name == known then return require(name .. ".paper") end
    end
    mistakes.usage("unknown paper %s %s", mistakes.show(name), mistakes.hint(name, NAMES))
end

-- ---- sections -----------------------------------------------------------------------------------

M.HOLDS, M.PARTLY, M.FAILS, M.UNDECIDED = "holds", "holds in part", "fails", "undecided"
-- No run contradicts a claim about all cases, which runs cannot confirm.
M.NOT_CONTRADICTED = "not contradicted"
-- The numbers agree because free settings were chosen to make them agree.
M.FITTED = "fitted"
-- The paper's numbers come out under no reading at hand; what it leaves unsaid may be the reason.
M.NOT_REPRODUCED = "not reproduced"
-- Nothing that could be run here can answer, and `because` says why.
M.CANNOT = "cannot be had"

local VERDICTS = {}
for _, verdict in ipairs {
    M.HOLDS, M.NOT_CONTRADICTED, M.PARTLY, M.FAILS, M.UNDECIDED, M.FITTED, M.NOT_REPRODUCED,
    M.CANNOT,
} do VERDICTS[verdict] = true end

-- A group of jobs that is smaller has no vote on a claim about groups.
M.GROUP_LEAST = 30

---What a mean of differences by replica says of "less than 0": nil when its interval covers 0, and
---of a single replica, which tells nothing of its spread.
---@param sample pinion.Sample
---@return boolean|nil
function M.is_less(sample)
    local above = experiment.above(sample, 0)
    if above == nil then return nil end
    return not above and sample.mean + sample.half < 0
end

---Returns whether a mean is at most a limit: nil when its interval covers the limit, and for a
---single replica.
---@param sample pinion.Sample
---@param limit number
---@return boolean|nil
function M.is_at_most(sample, limit)
    local above = experiment.above(sample, limit)
    if above == nil then return nil end
    return not above
end

---A count of votes on a claim: how many hold, how many fail, and how many say nothing.
---@return { held: integer, failed: integer, undecided: integer }
function M.votes()
    return { held = 0, failed = 0, undecided = 0 }
end

---@param votes table
---@param vote boolean|nil nil: it says nothing
function M.vote(votes, vote)
    local key = vote == nil and "undecided" or vote and "held" or "failed"
    votes[key] = votes[key] + 1
end

---@param votes table
---@return string verdict
function M.verdict(votes)
    return experiment.verdict(votes.held, votes.held + votes.failed + votes.undecided,
        votes.undecided)
end

---Returns the verdict on a claim about all cases, such as a theorem: one case refutes it, and no
---number of runs confirms it.
---@param contradictions integer cases that contradict it
---@param undecided integer|nil cases that cannot be told; default 0
---@return string verdict
function M.universal(contradictions, undecided)
    if contradictions > 0 then return M.FAILS end
    return (undecided or 0) > 0 and M.UNDECIDED or M.NOT_CONTRADICTED
end

---@class pinion.PaperClaim
---@field label string a few words, for the summary
---@field where string place in the paper
---@field claim string what is claimed, in the paper's words where these are short
---@field paper string what the paper gives for it
---@field reference string|nil what the reference found
---@field ours string what was measured here
---@field verdict string one of the eight of this module
---@field because string the rule by which it was judged

---@class pinion.PaperSection
---@field name string
---@field title string
---@field where string place in the paper
---@field setup string[] sentences
---@field tables { name: string, title: string?, rows: table[], made: pinion.Table }[]
---@field claims pinion.PaperClaim[]
---@field notes string[]
---@field figures string[] paths
---@field comparisons table[] { label =, ours =, reference =, tolerance =, agrees = }
local Section = {}
Section.__index = Section

---@return pinion.PaperSection
function M.section(name, title, where, setup)
    return setmetatable({
        name = name, title = title, where = where, setup = setup, tables = {}, claims = {},
        notes = {}, figures = {}, comparisons = {},
    }, Section)
end

---@param name string of the CSV file
---@param title string
---@param columns pinion.Column[]
---@param rows table[]
function Section:table(name, title, columns, rows)
    self.tables[#self.tables + 1] = {
        name = name, title = title, rows = rows, made = experiment.table(columns, rows),
    }
end

---@param claim pinion.PaperClaim
function Section:claim(claim)
    assert(VERDICTS[claim.verdict], "a claim without a verdict of the list")
    self.claims[#self.claims + 1] = claim
end

---@param claims pinion.PaperClaim[]
function Section:claim_all(claims)
    for _, claim in ipairs(claims) do self:claim(claim) end
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
    local agrees = experiment.agrees(ours, reference, tolerance)
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
    local expected = pinion.exact(reference)
    local agrees = ours == expected
    self.comparisons[#self.comparisons + 1] = {
        label = label, ours = ours:number(), reference = expected:number(), tolerance = 0,
        agrees = agrees,
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

-- ---- many runs ----------------------------------------------------------------------------------

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

-- Raised where a section's tasks lie with other parts of the work.
local WAITING = {}

local FOLDER = debug.getinfo(1, "S").source:match "^@(.*)/shared/papers%.lua$"

-- What the tasks of a paper are computed from: its scripts, which are all that are loaded, and the
-- trace.
local function files_of(context)
    local files = {}
    for name in next, package.loaded do
        files[#files + 1] = package.searchpath(name, FOLDER .. "/?.lua")
    end
    table.sort(files)
    files[#files + 1] = context.trace
    return files
end

-- Whatever else they depend on.
local function key_of(context, label, count, run, key)
    local place = debug.getinfo(run, "S")
    return { context.paper, context.seeds, context.seed, context.jobs or false,
        context.set or false, place.source:sub(#FOLDER + 3), place.linedefined, label, count,
        key or false }
end

-- Calls with one key would be given each other's values.
local function claim_key(context, label, key)
    local text = experiment.json(key)
    if context.keys[text] then error(label .. ": the tasks of two calls have the same key", 0) end
    context.keys[text] = true
end

---The result of each task, computed side by side and in any case the same. With a store the tasks
---may depend on nothing but the context, the label, the count and `key`.
---@generic T
---@param context pinion.PaperContext
---@param label string for the progress line
---@param count integer
---@param run fun(task: integer): T numbers, strings, booleans, sequences and records
---@param unit string|nil what a task is; default "part"
---@param key any plain: what sets the tasks apart from those of other calls at this place
---@return T[]
function M.each(context, label, count, run, unit, key)
    local options = {
        label = label, unit = unit or "part", processes = context.processes, quiet = context.quiet,
    }
    for name, value in next, context.storing or {} do options[name] = value end
    if options.store then
        options.store_key = key_of(context, label, count, run, key)
        options.store_files = files_of(context)
        options.label = context.paper .. ", " .. label -- one store may hold several papers
    end
    local values = experiment.each(count, run, options) or error(WAITING, 0)
    if options.store then claim_key(context, label, options.store_key) end
    return values
end

---Calls `run` with each value, in order, where no call needs what another has made: when tasks lie
---with other parts, the section does its own of all calls before it waits.
---@generic T
---@param values T[]
---@param run fun(value: T)
function M.over(values, run)
    local waits = false
    for _, value in ipairs(values) do
        local ok, problem = pcall(run, value)
        if not ok and problem ~= WAITING then error(problem, 0) end
        waits = waits or not ok
    end
    if waits then error(WAITING, 0) end
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

---One run, without notices.
---@param options table as pinion.run takes them
---@return pinion.Result
function M.run(options)
    options.quiet = true
    return pinion.run(options)
end

-- ---- errata -------------------------------------------------------------------------------------

---@class pinion.Erratum
---@field label string
---@field where string
---@field printed string
---@field meant string
---@field stands boolean|nil what is printed is true after all
---@field open boolean|nil nothing here can decide it
---What is found, and whether it confirms the erratum; nil: there is nothing to run.
---@field show (fun(context: pinion.PaperContext): string, boolean)|nil

local function judge_erratum(entry, confirmed)
    if not confirmed then return M.UNDECIDED, "these runs do not show it" end
    if entry.open then return M.UNDECIDED, "nothing that was run can decide it" end
    if entry.stands then return M.HOLDS, "so it is found here" end
    return M.FAILS, "found otherwise here, as must be meant"
end

---Claims, notes and a table of a paper's errata. A verdict is on what is printed.
---@param section pinion.PaperSection
---@param errata pinion.Erratum[]
---@param context pinion.PaperContext
function M.errata(section, errata, context)
    local rows = {}
    for i, entry in ipairs(errata) do
        local row = {
            label = entry.label, where = entry.where, printed = entry.printed, meant = entry.meant,
        }
        if entry.show then
            row.ours, row.confirmed = entry.show(context)
            local verdict, because = judge_erratum(entry, row.confirmed)
            section:claim {
                label = entry.label, where = entry.where, claim = entry.printed, paper = "printed",
                reference = entry.meant, ours = row.ours, verdict = verdict, because = because,
            }
        else
            section:note("%s (%s): printed: %s; meant: %s. There is nothing to run.", entry.label,
                entry.where, entry.printed, entry.meant)
        end
        rows[i] = row
    end
    section:table("errata", nil, {
        { key = "label" }, { key = "where" }, { key = "printed" }, { key = "meant" },
        { key = "ours" }, { key = "confirmed" },
    }, rows)
end

-- ---- reproducing --------------------------------------------------------------------------------

---@class pinion.PaperStoring as pinion.experiment.each takes them
---@field store string
---@field shard string|nil
---@field only_stored boolean|nil
---@field retry boolean|nil

---@class pinion.PaperOptions
---@field seeds integer
---@field seed integer
---@field jobs integer|nil of a replica
---@field trace string|nil a file
---@field set table<string, any>|nil of the workload, in place of the paper's
---@field only string[]|nil names of sections
---@field directory string|nil for figures; nil: none are drawn
---@field processes integer|nil default: as many as there are cores
---@field storing pinion.PaperStoring|nil
---@field quiet boolean
---@field on_section fun(section: pinion.PaperSection)|nil called as soon as each is done

---@class pinion.PaperContext what a section's run function is given
---@field seeds integer
---@field seed integer
---@field jobs integer of a replica, where the paper's settings do not fix them
---@field trace string|nil a file
---@field set table<string, any>|nil of the workload, in place of the paper's
---@field processes integer|nil default: as many as there are cores
---@field directory string|nil
---@field quiet boolean
---@field cache table<string, any> what sections share
---@field paper string
---@field storing pinion.PaperStoring|nil
---@field keys table<string, boolean> of the tasks in the store that were asked for

-- The library's error when the user pressed Ctrl-C: no message, but a value that says so.
local function is_interrupt(problem)
    return type(problem) ~= "string" and tostring(problem) == "interrupted"
end

local function chosen_sections(paper, only)
    if not only then return paper.sections end
    local wanted, names = {}, {}
    for i, section in ipairs(paper.sections) do
        names[i], wanted[section.name] = section.name, false
    end
    for _, name in ipairs(only) do
        if wanted[name] == nil then
            mistakes.usage("--only: unknown section %s of paper %s %s", mistakes.show(name),
                paper.name, mistakes.hint(name, names))
        end
        wanted[name] = true
    end
    local chosen = {}
    for _, section in ipairs(paper.sections) do
        if wanted[section.name] then chosen[#chosen + 1] = section end
    end
    return chosen
end

---Fails when the options name a section that the paper does not have.
---@param paper pinion.Paper
---@param options pinion.PaperOptions
function M.check(paper, options)
    chosen_sections(paper, options.only)
end

---Returns a section, which is run once for a context: later sections may look at its claims.
---@param context pinion.PaperContext
---@param description pinion.PaperExperiment
---@return pinion.PaperSection
function M.section_of(context, description)
    local made = context.cache.sections or {}
    context.cache.sections = made
    made[description.name] = made[description.name] or description.run(context)
    return made[description.name]
end

---Runs a paper's sections, in its order. Ctrl-C leaves those that are complete.
---@param paper pinion.Paper
---@param options pinion.PaperOptions
---@return table report { paper =, seeds =, seed =, sections =, waiting = names of sections that need what other parts have not stored yet, interrupted = the error, if any }
function M.reproduce(paper, options)
    local chosen = chosen_sections(paper, options.only)
    local context = {
        seeds = options.seeds, seed = options.seed, jobs = options.jobs, trace = options.trace,
        set = options.set, processes = options.processes, directory = options.directory,
        quiet = options.quiet, storing = options.storing, paper = paper.name, cache = {}, keys = {},
    }
    local report = {
        paper = paper, seeds = options.seeds, seed = options.seed, jobs = options.jobs,
        trace = options.trace, set = options.set, sections = {}, waiting = {},
    }
    for _, description in ipairs(chosen) do
        local start = experiment.clock()
        local ok, section = pcall(M.section_of, context, description)
        if not ok and is_interrupt(section) then
            report.interrupted = section
            break
        end
        if not ok and section ~= WAITING then error(section, 0) end
        if ok then
            report.sections[#report.sections + 1] = section
            if options.on_section then options.on_section(section) end
        else
            report.waiting[#report.waiting + 1] = description.name
        end
        if not options.quiet then
            local seconds = experiment.clock() - start
            io.stderr:write(string.format("pinion: %s: %.1f s\n", description.name, seconds))
        end
    end
    return report
end

return M
