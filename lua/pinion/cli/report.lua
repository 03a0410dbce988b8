-- The command `report`: stored results and decision logs as one page.

local again = require "pinion.output.again"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local log = require "pinion.output.log"
local logs = require "pinion.cli.logs"
local page = require "pinion.output.page"
local pages = require "pinion.output.page.sections"
local setup = require "pinion.cli.setup"
local stored = require "pinion.output.page.stored"

local M = {}

-- Splits the files into the logs, and the results among the other files. What is neither is the
-- scenario beside the logs.
local function split(args)
    local paths, results = {}, {}
    for _, name in ipairs(args.files) do
        local object
        if log.is_log(name) then
            paths[#paths + 1] = name
        else
            object = stored.load(name)
            if object then results[#results + 1] = { path = name, object = object } end
        end
        if not object and paths[#paths] ~= name then
            if args.scenario then
                fault.usage("%s: not a result (expected what simulate, compare or sweep wrote as "
                    .. ".json)", name)
            end
            args.scenario = name
        end
    end
    if args.scenario and #paths == 0 then
        fault.usage("%s: not a result (expected what simulate, compare or sweep wrote as .json; "
            .. "a scenario is used with logs of its runs)", args.scenario)
    end
    return paths, results
end

local function log_options(args, paths)
    local options = {}
    if not logs.is_beside(args, paths[1]) then return options end
    local settings = setup.settings(args)
    local opened = setup.open(settings)
    options.jobs = again.jobs_beside(paths, settings, opened)
    options.machines, options.group_of = settings.machines, again.groups(opened)
    options.name_of = pages.names_of(opened)
    return options
end

---@return integer exit code
function M.report(args)
    if not args.output then fault.usage("--output FILE.html is missing") end
    if setup.format(args, nil, true) ~= "html" then
        fault.usage("--output: %s: a page is named .html", args.output)
    end
    local title, why = check.text(args.title or "results")
    if not title then fault.usage("--title: %s", why) end
    page.check()
    local guard <close> = core.interrupt_guard(fault.interrupted)
    setup.check_outputs(args, args.files)
    local paths, results = split(args)
    local made = #results > 0 and pages.stored(results)
    if #paths > 0 then
        made = pages.join(made or nil, pages.logs(paths, log_options(args, paths)))
    end
    if args.title then made.title, made.question = args.title, nil end
    files.write(args.output, function(write) page.write(made, write) end)
    return 0
end

return M
