-- The options of commands around stores: what they come to, and what is said of a store's part in
-- an experiment before anything runs.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local json = require "pinion.base.json"
local setup = require "pinion.cli.setup"
local storing = require "pinion.run.storing"
local text = require "pinion.base.text"

local M = {}

-- Options that do not tell one experiment from another, and whether a value follows.
local ASIDE = {
    ["--store"] = true, ["--shard"] = true, ["--only-stored"] = false, ["--retry"] = false,
    ["--dry-run"] = false, ["--cores"] = true, ["-j"] = true, ["--processes"] = true,
    ["-q"] = false, ["--quiet"] = false, ["-o"] = true, ["--output"] = true, ["--plot"] = true,
}

---Returns the command line as the store shows it: what it is about.
---@param arguments string[]
---@return string
function M.experiment(arguments)
    local words, skip = {}, false
    for _, word in ipairs(arguments) do
        local name = word:match "^(%-%-[%w-]+)=" or word
        if skip then
            skip = false
        elseif ASIDE[name] ~= nil then
            skip = ASIDE[name] and name == word
        else
            words[#words + 1] = word:find "[^%w_,.:=/+%%-]" and "'" .. word .. "'" or word
        end
    end
    return table.concat(words, " ")
end

---Reads the options into those of a plan.
---@param args table
---@param arguments string[]
---@param options pinion.PlanOptions
---@param settings pinion.Settings
function M.read(args, arguments, options, settings)
    if args.store and args.jobs_detail then
        fault.usage("--jobs-detail: a store has no rows of jobs (run without --store)")
    end
    if args.cores and not args.dry_run then
        fault.usage("--cores: needs --dry-run (for a run: --processes)")
    end
    storing.fill({
        store = args.store, only_stored = args.only_stored or args.dry_run, retry = args.retry,
        shard = setup.checked_option(args, "shard", storing.read_shard),
        until_half = args.until_half, replicas = args.replicas and options.replicas,
        replicas_most = setup.integer(args, "replicas_most", 2, 1000000),
        survey = args.dry_run,
    }, options, settings, M.experiment(arguments), setup.fail)
end

-- ---- what there is to do ------------------------------------------------------------------------

-- Writes 3, 7, 12-19
local function ranges(numbers)
    local parts, at = {}, 1
    while at <= #numbers do
        local last = at
        while numbers[last + 1] == numbers[last] + 1 do last = last + 1 end
        parts[#parts + 1] = last > at and numbers[at] .. "-" .. numbers[last] or numbers[at]
        at = last + 1
    end
    return table.concat(parts, ",")
end

local function duration(seconds)
    return text.duration(math.ceil(seconds * 1000))
end

local function print_text(found, cores)
    local function line(name, format, ...)
        io.stdout:write(text.line("%-9s " .. format, name, ...))
    end
    line("units", "%s (%s, %s, %s%s)", text.amount(found.units),
        text.count(found.cells, "cell"), text.count(found.replicas, "replica"),
        found.policies == 1 and "1 policy" or found.policies .. " policies",
        found.bounds and ", and bounds" or "")
    line("stored", "%s", text.amount(found.stored))
    line("failed", "%s", text.amount(found.failed))
    line("missing", "%s", text.amount(found.missing))
    if found.measured == 0 then
        line("time", "unknown: none of these units is stored")
    elseif found.missing > 0 then
        line("time", "%s on one core: %.3g s per unit, the mean of %s", duration(found.seconds),
            found.seconds / found.missing, text.count(found.measured, "stored unit"))
        line("", "%s on %s, and %s to gather the results", duration(found.on_cores),
            text.count(cores, "core"), duration(found.gather))
    end
    if not found.part then return end
    line("part", "%d of %d: %s missing, %d failed", found.part, found.parts,
        text.amount(found.part_missing), found.part_failed)
    line("parts", "%d complete; incomplete: %s", found.parts - #found.incomplete,
        #found.incomplete > 0 and ranges(found.incomplete) or "none")
end

---Prints what there is to do.
---@param found pinion.Survey
---@param args table
---@return integer exit code
function M.print(found, args)
    local cores = setup.integer(args, "cores", 1, 10000000) or core.cores()
    found.cores = cores
    found.on_cores = found.seconds and math.max(found.seconds / cores, found.longest)
    local format = args.format or (core.is_terminal(1) and "table" or "json")
    if format == "json" then
        io.stdout:write(json.encode(json.tree(found)), "\n")
    elseif format == "table" then
        print_text(found, cores)
    else
        fault.usage("--format: --dry-run prints table or json, not %s", args.format)
    end
    return 0
end

return M
