-- The command `gantt`: a decision log as a chart.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local gantt = require "pinion.output.gantt"

local M = {}

---@return integer exit code
function M.gantt(args)
    if not args.output then
        fault.usage("--output FILE is missing (.svg: a chart; .json: trace events for Perfetto)")
    end
    local guard <close> = core.interrupt_guard(fault.interrupted)
    gantt.draw(args.log, args.output, { title = args.title })
    return 0
end

return M
