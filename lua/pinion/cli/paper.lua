-- The command `paper`: lists the papers that can be reproduced, or reproduces one, section by section.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local json = require "pinion.base.json"
local papers = require "pinion.papers"
local parallel = require "pinion.base.parallel"
local report_of = require "pinion.papers.report"
local quantity = require "pinion.base.quantity"
local rules = require "pinion.models.rules"
local setup = require "pinion.cli.setup"
local text = require "pinion.base.text"
local workload = require "pinion.workload"

local M = {}

-- Deviations take two.
local SEEDS_LEAST, SEEDS_MOST = 2, 10000
-- Fewer jobs are no queue worth a mean; more would not fit a life.
local JOBS_LEAST, JOBS_MOST = 1000, 1000000000

local function list(args)
    local format = args.format or "table"
    if format == "json" then
        local rows = json.rows(#papers.papers, function(i)
            local paper, names = papers.papers[i], {}
            for k, section in ipairs(papers.sections(paper)) do names[k] = json.object { { "name", section.name },
                { "title", section.title } } end
            return json.encode(json.object {
                { "name", paper.name }, { "title", paper.title }, { "authors", paper.authors }, { "venue", paper.venue },
                { "reproduces", paper.reproduces }, { "sections", json.list(names) },
            })
        end)
        json.write({ { "papers", rows } }, function(part) io.stdout:write(part) end)
        io.stdout:write("\n")
        return 0
    end
    for _, paper in ipairs(papers.papers) do
        local sections = {}
        for i, section in ipairs(papers.sections(paper)) do sections[i] = { section.name, section.title } end
        io.stdout:write(text.list {
            { paper.name, paper.title }, { "", paper.authors .. ", " .. paper.venue }, { "", "reproduced: " .. paper.reproduces },
            { "", string.format("by default: %d replicas%s", paper.seeds,
                paper.jobs and (paper.unit and ", " or " of ") .. text.count(paper.jobs, paper.unit or "job") or "") },
        }, "\nSections, for --only:\n", (text.list(sections):gsub("([^\n]+)", "  %1")))
    end
    return 0
end

local function split(names)
    if not names then return nil end
    local parts = {}
    for name in (names .. ","):gmatch "%s*([^,]-)%s*," do
        if name == "" then fault.usage("--only: an empty name in %s", check.show(names)) end
        parts[#parts + 1] = name
    end
    return parts
end

local function make_directory(path)
    if path == "" then fault.usage("--output: must name a directory") end
    local quoted = "'" .. path:gsub("'", "'\\''") .. "'"
    -- A path that starts with a minus is no option.
    if not os.execute("mkdir -p -- " .. quoted .. " 2>/dev/null && test -w " .. quoted) then
        fault.run("--output: %s: not a directory that can be written", path)
    end
end

-- Fails for options that would mean nothing.
local function check_meaning(paper, args)
    if args.jobs and not paper.jobs then fault.usage("--jobs: the settings of paper %s fix the number of jobs", paper.name) end
    if args.trace and not paper.trace then fault.usage("--trace: paper %s takes no trace", paper.name) end
    if not args.trace then return end
    local file, why = io.open(args.trace, "rb")
    if not file then fault.located("usage", why) end
    file:close()
    files.protect(args.trace)
end

local function set_fault(name, why)
    fault.usage("--set %s: %s", name or "", why)
end

-- A rule of the cluster model that `--set` may change; nil when the name is no such rule.
local function read_rule(sets, name, value)
    if not check.choice(name, sets.rules) then return nil end
    for _, rule in ipairs(rules.params "cluster") do
        if rule.name == name then
            local number, why = check.integer(value, rule.low, rule.high)
            if not number then set_fault(name, why) end
            return number
        end
    end
end

---What `--set` gives, checked; nil when it gives nothing.
local function read_set(paper, args)
    local given, sets, made, options = setup.read_pairs(args.set, "--set", "NAME=VALUE"), paper.sets, {}, {}
    if next(given) == nil then return nil end
    if not sets then fault.usage("--set: the settings of paper %s are its own", paper.name) end
    for _, name in ipairs(check.sorted_keys(given)) do
        if check.choice(name, sets.fixed) then set_fault(name, "is the sections' own") end
        local value = quantity.literal(given[name])
        local rule = read_rule(sets, name, value)
        if not rule then options[name] = value end
        made[name] = rule or value
    end
    workload.generator(sets.generator, options, nil, set_fault)
    return made
end

local function reproduce(paper, args)
    check_meaning(paper, args)
    local options = {
        seeds = setup.integer(args, "seeds", SEEDS_LEAST, SEEDS_MOST) or paper.seeds,
        seed = setup.integer(args, "seed", paper.seed_least or 0, paper.seed_most) or 1,
        jobs = setup.integer(args, "jobs", paper.jobs_least or JOBS_LEAST, JOBS_MOST) or paper.jobs, trace = args.trace,
        set = read_set(paper, args),
        only = split(args.only),
        processes = setup.integer(args, "processes", 1, parallel.PROCESSES_MAX) or core.cores(),
        directory = args.output or "pinion-paper-" .. paper.name, quiet = args.quiet or false,
    }
    local as_text = args.format ~= "json"
    papers.check(paper, options)
    make_directory(options.directory)
    if as_text then io.stdout:write(report_of.head_text(paper, options)) end
    options.on_section = function(section)
        report_of.section_csv(section, options.directory)
        if as_text then
            io.stdout:write(report_of.section_text(section))
            io.stdout:flush()
        end
    end
    local report = papers.reproduce(paper, options)
    report_of.report_csv(report, options.directory)
    if as_text then
        io.stdout:write(report_of.summary_text(report), "Tables and figures are in ", options.directory, "\n")
    else
        report_of.json(report, function(part) io.stdout:write(part) end)
    end
    if report.interrupted then fault.interrupted() end
    return report_of.differing(report) == 0 and 0 or 1
end

---@return integer exit code
function M.paper(args)
    if not args.name then
        for _, option in ipairs { "seeds", "seed", "jobs", "trace", "set", "only", "output", "processes" } do
            local given = args[option]
            if given and (type(given) == "string" or #given > 0) then
                fault.usage("--%s: name a paper first (`pinion paper` lists them)", option)
            end
        end
        return list(args)
    end
    local paper, why = papers.find(args.name)
    if not paper then fault.usage("%s", why) end
    return reproduce(paper, args)
end

return M
