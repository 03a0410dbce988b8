-- Charts of what ran where and when, drawn from a decision log: SVG for people, trace events for
-- Perfetto.

local check = require "pinion.base.check"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local reader = require "pinion.output.log"
local svg = require "pinion.output.gantt.svg"
local trace = require "pinion.output.gantt.trace"

local M = {}

local WRITERS = { svg = svg.write, json = trace.write }
local OPTIONS = { title = true }

local function writer_of(output)
    local name, why = check.text(output)
    if not name then fault.usage("gantt: file name %s", why) end
    local writer = WRITERS[name:match "^.+%.(%a+)$" or ""]
    if not writer then
        fault.usage("gantt: file name must end in .svg or .json, got %s", check.show(output))
    end
    return writer
end

local function check_options(options)
    if type(options) ~= "table" then
        fault.usage("gantt: expected a table of options, got %s", check.show(options))
    end
    local key, why = check.unknown_key(options, OPTIONS, "option")
    if key ~= nil then fault.usage("gantt: %s: %s", key, why) end
    if options.title == nil then return end
    local title, reason = check.text(options.title)
    if not title then fault.usage("gantt: title: %s", reason) end
end

---@param log string the file of a decision log
---@param output string ending in .svg or .json
---@param options { title: string|nil }|nil
function M.draw(log, output, options)
    options = options or {}
    local name, why = check.text(log)
    if not name then fault.usage("gantt: the log's file name %s", why) end
    local write = writer_of(output)
    check_options(options)
    files.keep_apart({ log }, { { path = output, name = "gantt", what = "the figure" } })
    files.check_writable(output)
    local chart = reader.chart(log)
    files.write(output, function(sink) write(log, chart, options, sink) end)
end

return M
