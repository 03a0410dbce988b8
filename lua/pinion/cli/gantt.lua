-- The command `gantt`: a decision log, or a run, as a chart or a page.

local again = require "pinion.output.again"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local gantt = require "pinion.output.gantt"
local lazy = require "pinion.base.lazy"
local log = require "pinion.output.log"
local logs = require "pinion.cli.logs"
local page = lazy.module "pinion.output.page"
local pages = lazy.module "pinion.output.page.sections"
local setup = require "pinion.cli.setup"

local M = {}

-- Reads numbers of a repeatable option that are separated by commas; nil: none are given.
local function numbers(args, name)
    local list = {}
    for _, written in ipairs(args[name] or {}) do
        for item in written:gmatch "[^,]+" do
            local number = math.tointeger(tonumber(item))
            list[#list + 1] = number or fault.usage("--%s: must be an integer, got %s", name, item)
        end
    end
    return #list > 0 and list or nil
end

local function options_of(args)
    local groups = args.group or {}
    return { title = args.title, from = setup.checked_option(args, "from", logs.read_time),
        to = setup.checked_option(args, "to", logs.read_time), job = numbers(args, "job"),
        node = numbers(args, "node"), group = #groups > 0 and groups or nil }
end

-- Reads a log. A file alone that does not look like a scenario is one, or refused as one.
local function log_alone(args)
    local name = #(args.files or {}) == 1 and args.files[1]
    if not name or name == "-" or args.workload or args.policy then return nil end
    local begins = files.beginning(name, 80)
    if not begins or begins:find "^%s*{" then return nil end
    return { name }
end

local function paths_of(args)
    local alone = log_alone(args)
    if alone then return alone, logs.temporary() end
    return logs.split(args)
end

-- Writes as a figure, or as a page, whose reader chooses what to see.
local function write(args, path, options)
    if not args.output:find "%.html$" then return gantt.write(path, args.output, options) end
    local made = pages.logs({ path }, options)
    made.title = args.title or made.title
    files.write(args.output, function(sink) page.write(made, sink) end)
end

local function check_output(args, options)
    if not args.output:find "%.html$" then return gantt.check(args.output, options) end
    for _, name in ipairs { "from", "to", "job", "group", "node" } do
        if options[name] ~= nil then
            fault.usage("--%s: has no effect in a page (expected .svg)", name)
        end
    end
    page.check()
end

-- Returns what is beside a log, of figures and of pages.
local function beside(settings, opened, jobs, options)
    local made = again.beside(settings, opened, jobs, options)
    made.machines, made.name_of = settings.machines, pages.names_of(opened)
    return made
end

-- Draws a log by itself, or beside the workload that it is of.
local function draw_log(args, path, options)
    if args.scenario or args.workload or log.is_log(path) and logs.is_beside(args, path) then
        local settings = setup.settings(args)
        local opened = setup.open(settings)
        options = beside(settings, opened, again.jobs_beside({ path }, settings, opened), options)
    end
    write(args, path, options)
end

-- Draws a run that is made for it.
local function draw_run(args, options)
    local settings, opened = logs.run(args, "gantt")
    again.with_log(settings, opened, function(path, jobs)
        write(args, path, beside(settings, opened, jobs, options))
    end)
end

---@return integer exit code
function M.gantt(args)
    if not args.output then
        fault.usage("--output FILE is missing (.svg: a chart; .html: a page; .json: trace events "
            .. "for Perfetto)")
    end
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local options = options_of(args)
    check_output(args, options)
    files.keep_apart(args.files or {},
        { { path = args.output, name = "gantt", what = "the figure" } })
    local paths, kept <close> = paths_of(args)
    if #paths > 1 then fault.usage("%s: expected one log", paths[2]) end
    files.check_writable(args.output)
    if paths[1] then draw_log(args, paths[1], options) else draw_run(args, options) end
    return 0
end

return M
