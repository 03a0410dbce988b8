-- The command that makes a paper's experiments: `pinion paper` calls it, and so does the main.lua
-- of each paper.

local mistakes = require "shared.mistakes"
local options = require "shared.options"
local papers = require "shared.papers"
local report_of = require "shared.report"
local stability = require "shared.stability"
local text = require "shared.text"

local M = {}

---@class pinion.PaperArguments words of the command line, by the names of their options
---@field seeds string|nil
---@field seed string|nil
---@field jobs string|nil
---@field trace string|nil
---@field set string[]|nil
---@field only string|nil
---@field output string|nil
---@field format "table"|"json"|nil
---@field processes string|nil
---@field store string|nil
---@field shard string|nil
---@field only_stored boolean|nil
---@field retry boolean|nil
---@field stability string|nil
---@field quiet boolean|nil

-- Deviations take two.
local SEEDS_LEAST, SEEDS_MOST = 2, 10000
-- Fewer jobs are no queue worth a mean; more would not fit a life.
local JOBS_LEAST, JOBS_MOST = 1000, 1000000000
local PROCESSES_MOST = 256

-- Fails for options that mean nothing without a paper.
local function refuse_without_paper(given, meant)
    for _, option in ipairs(meant) do
        local value = given[option]
        if value and (type(value) ~= "table" or #value > 0) then
            mistakes.usage("--%s: name a paper first (`pinion paper` lists them)",
                option:gsub("_", "-"))
        end
    end
end

---Lists the papers and their sections.
---@param given pinion.PaperArguments
---@return integer exit code
function M.list(given)
    refuse_without_paper(given, { "seeds", "seed", "jobs", "trace", "set", "only", "output",
        "processes", "store", "shard", "only_stored", "retry" })
    if given.format == "json" then
        io.stdout:write(report_of.list_json(papers.all()))
        return 0
    end
    for _, paper in ipairs(papers.all()) do
        local sections = {}
        for i, section in ipairs(paper.sections) do
            sections[i] = { section.name, section.title }
        end
        io.stdout:write(text.list {
            { paper.name, paper.title },
            { "", paper.authors .. ", " .. paper.venue },
            { "", "reproduced: " .. paper.reproduces },
            { "", string.format("by default: %d replicas%s", paper.seeds,
                report_of.jobs_text(paper, paper.jobs)) },
        }, "\nSections, for --only:\n", (text.list(sections):gsub("([^\n]+)", "  %1")))
    end
    return 0
end

local function make_directory(path)
    if path == "" then mistakes.usage("--output: must name a directory") end
    local quoted = "'" .. path:gsub("'", "'\\''") .. "'"
    -- A path that starts with a minus is no option.
    if not os.execute("mkdir -p -- " .. quoted .. " 2>/dev/null && test -w " .. quoted) then
        mistakes.fail("--output: %s: not a directory that can be written", path)
    end
end

-- Fails for options that would mean nothing.
local function check_meaning(paper, given)
    if given.jobs and not paper.jobs then
        mistakes.usage("--jobs: the settings of paper %s fix the number of jobs", paper.name)
    end
    if given.trace and not paper.trace then
        mistakes.usage("--trace: paper %s takes no trace", paper.name)
    end
    if not given.trace then return end
    local file, why = io.open(given.trace, "rb")
    if not file then mistakes.file(why) end
    file:close()
end

-- Runs a part of the tasks: all that comes of it is in the store.
local function run_part(paper, settings)
    settings.directory = nil
    local report = papers.reproduce(paper, settings)
    if report.interrupted then error(report.interrupted, 0) end
    if #report.waiting == 0 then return 0 end
    mistakes.fail("part %s: %s: other parts are to be done first (then run this part again)",
        settings.storing.shard, table.concat(report.waiting, ", "))
end

local function settings_of(paper, given)
    check_meaning(paper, given)
    local jobs_least = paper.jobs_least or JOBS_LEAST
    local settings = {
        seeds = options.integer(given, "seeds", SEEDS_LEAST, SEEDS_MOST) or paper.seeds,
        seed = options.integer(given, "seed", paper.seed_least or 0, paper.seed_most) or 1,
        jobs = options.integer(given, "jobs", jobs_least, JOBS_MOST) or paper.jobs,
        trace = given.trace,
        set = options.set(paper, given),
        only = options.names(given.only),
        processes = options.integer(given, "processes", 1, PROCESSES_MOST),
        storing = options.storing(given),
        directory = given.output or "pinion-paper-" .. paper.name, quiet = given.quiet or false,
    }
    papers.check(paper, settings)
    return settings
end

-- Counts the verdicts that change with the number of seeds, of one paper or of all.
local function run_stability(paper, given)
    local few = options.integer(given, "stability", SEEDS_LEAST, SEEDS_MOST)
    if given.shard then
        mistakes.usage("--stability: not with --shard (run the parts with --seeds %d and without, "
            .. "and then --stability with --store)", few)
    end
    if not paper then refuse_without_paper(given, { "jobs", "trace", "set", "only" }) end
    local list = {}
    for i, one in ipairs(paper and { paper } or papers.all()) do
        list[i] = { paper = one, settings = settings_of(one, given) }
        list[i].settings.directory = nil
    end
    if given.output then make_directory(given.output) end
    local rows = stability.measure(list, few)
    local all = stability.table(rows)
    if given.output then all:csv(given.output .. "/stability.csv") end
    io.stdout:write(given.format == "json" and all:json() .. "\n" or stability.text(rows, few))
    return 0
end

local function reproduce(paper, given)
    local settings = settings_of(paper, given)
    local as_text = given.format ~= "json"
    if given.shard then return run_part(paper, settings) end
    make_directory(settings.directory)
    if as_text then io.stdout:write(report_of.head_text(paper, settings)) end
    settings.on_section = function(section)
        report_of.section_csv(section, settings.directory)
        if as_text then
            io.stdout:write(report_of.section_text(section))
            io.stdout:flush()
        end
    end
    local report = papers.reproduce(paper, settings)
    report_of.report_csv(report, settings.directory)
    if as_text then
        if not settings.only then io.stdout:write(report_of.left_out_text(paper)) end
        io.stdout:write(report_of.summary_text(report))
        io.stdout:write("Tables and figures are in ", settings.directory, "\n")
    else
        io.stdout:write(report_of.json(report))
    end
    if report.interrupted then error(report.interrupted, 0) end
    return report_of.differing(report) == 0 and 0 or 1
end

-- Mistakes become a message and an exit code; all other errors are the caller's to report.
local function answer(f, ...)
    local ok, outcome = pcall(f, ...)
    if ok then return outcome end
    if not mistakes.is(outcome) then error(outcome, 0) end
    io.stderr:write(outcome.message, "\n")
    return outcome.code
end

---Runs the command `pinion paper`: lists the papers, reproduces one, or compares verdicts.
---@param name string|nil
---@param given pinion.PaperArguments
---@return integer exit code
function M.paper(name, given)
    return answer(function()
        if given.stability then return run_stability(name and papers.find(name), given) end
        if not name then return M.list(given) end
        return reproduce(papers.find(name), given)
    end)
end

---What the main.lua of a paper does.
---@param name string
---@param words string[] of the command line
---@return integer exit code
function M.main(name, words)
    return M.paper(name, options.parse(words))
end

return M
