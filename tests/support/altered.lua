-- What the checkers' tests of all models do: logs that must pass, and logs that are altered.

local check = require "check"
local program = require "program"
local pinion = require "pinion"
local single = require "pinion.run.single"

local M = {}

---Runs with a log, which `pinion verify` must find right.
---@param name string of the check
---@param options table of pinion.run
---@param arguments string[] of verify, before the log
---@param words fun(result): string pattern of what verify prints between the policy and the digest
---@return table result
function M.passes(name, options, arguments, words)
    local log = program.file "run.log"
    local result = pinion.run(check.with({ quiet = true, log = log }, options))
    local output, messages, code = program.run(program.joined({ "verify" }, arguments, { log }))
    check.equal("exit code of " .. name .. " " .. messages, code, 0)
    check.matches(name, output, ": ok: .*: " .. words(result) .. ", digest " .. result.digest
        .. "\n$")
    return result, output
end

---Returns what tries altered copies of a log, and what gives the checker's verdict.
---@param lines string[] of the log
---@param settings table of the run
---@return fun(line: integer|nil, message: string, change: fun(copy: string[])) rejects
---@return fun(lines: string[], settings: table|nil): string|nil verdict nil: it is content
function M.log(lines, settings)
    local path = program.file "altered.log"
    local function verdict(changed, other)
        check.write_file(path, table.concat(changed, "\n") .. "\n")
        local ok, problem = pcall(single.verify, other or settings, path)
        return not ok and tostring(problem) or nil
    end
    return function(line, message, change)
        local copy = table.move(lines, 1, #lines, 1, {})
        change(copy)
        local got = verdict(copy)
        check.contains("place of " .. message, got, path .. ":" .. (line and line .. ": " or ""))
        check.contains("message", got, message)
    end, verdict
end

---Returns a change: this line becomes another.
function M.line_is(number, new)
    return function(copy) copy[number] = new end
end

return M
