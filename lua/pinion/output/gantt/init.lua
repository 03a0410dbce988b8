-- Charts of what ran where and when, drawn from a decision log: SVG for people, trace events for
-- Perfetto.

local check = require "pinion.base.check"
local choice = require "pinion.output.gantt.select"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local reader = require "pinion.output.log"
local svg = require "pinion.output.gantt.svg"
local trace = require "pinion.output.gantt.trace"

local M = {}

local function write_svg(path, chart, options, sink)
    svg.write({ svg.read(path, chart, options) }, options, sink)
end

-- Writes a trace; a viewer of traces chooses by itself.
local function write_trace(path, chart, options, sink)
    for _, name in ipairs(choice.CHOICES) do
        if options[name] ~= nil then
            fault.usage("gantt: %s: has no effect in a trace (expected .svg)", name)
        end
    end
    trace.write(path, chart, options, sink)
end

local WRITERS = { svg = write_svg, json = write_trace }

---Checks what can be checked without a log.
---@param output any
---@param options any
function M.check(output, options)
    local name, why = check.text(output)
    if not name then fault.usage("gantt: file name %s", why) end
    if not WRITERS[name:match "^.+%.(%a+)$" or ""] then
        fault.usage("gantt: file name must end in .svg or .json, got %s", check.show(output))
    end
    choice.check(options)
end

---Draws a log.
---@param log string
---@param output string ending in .svg or .json
---@param options pinion.GanttOptions checked
function M.write(log, output, options)
    local chart = reader.chart(log, options.jobs)
    files.write(output, function(sink)
        WRITERS[output:match "%.(%a+)$"](log, chart, options, sink)
    end)
end

---@param log string the file of a decision log
---@param output string ending in .svg or .json
---@param options pinion.GanttOptions|nil
function M.draw(log, output, options)
    options = options or {}
    local name, why = check.text(log)
    if not name then fault.usage("gantt: the log's file name %s", why) end
    M.check(output, options)
    files.keep_apart({ log }, { { path = output, name = "gantt", what = "the figure" } })
    files.check_writable(output)
    M.write(log, output, options)
end

return M
