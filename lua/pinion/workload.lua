-- Workloads as descriptions: what a run needs to make the jobs, and nothing made yet.
-- A generator is bound to a seed, a replica and a number of machines when a run opens it; a list of jobs is what it is.

local check = require "pinion.check"
local core = require "pinion.core"
local csv = require "pinion.csv"
local fault = require "pinion.fault"
local files = require "pinion.files"
local generators = require "pinion.generators"
local jobs = require "pinion.jobs"
local suggest = require "pinion.suggest"

local M = {}

---@class pinion.Workload a description; open it as often as needed
---@field kind "zheng"|"bursts"|"facebook"|"swim"|"jobs"
---@field random boolean whether seed and replica matter
---@field text string for titles
---@field options table|nil checked options of a generator
---@field given table|nil the options as the user gave them
---@field list pinion.JobList|nil
local Workload = {}
Workload.__index = Workload
Workload.__name = "pinion.Workload description"
Workload.__tostring = function(self) return "workload " .. self.text end

---@class pinion.Opened a workload ready for one run
---@field core any the kernel's side
---@field names table<integer, string> by job id
---@field groups any[] names of the groups, which are numbered from 0; false stands for jobs without a group
---@field estimates boolean whether jobs carry estimates
---@field summary table|nil what a trace reader counted
---@field seed integer|nil the seed in use, when there is one
---@field expected number jobs, known or expected

---@param binding { seed: integer?, replica: integer?, machines: integer }
---@return pinion.Opened
function Workload:open(binding)
    if self.list then
        local list = self.list
        return { core = core.workload_table(list.jobs), names = list.names, groups = list.groups, estimates = list.estimates,
                 expected = #list.jobs }
    end
    local generator = generators.kinds[self.kind]
    local source, summary = generator.open(self.options, {
        seed = binding.seed, replica = binding.replica or 0, machines = binding.machines,
    })
    return {
        core = source,
        names = {},
        groups = self:group_names(),
        estimates = false,
        summary = summary,
        seed = self.random and (binding.seed or self.options.seed) or nil,
        expected = generator.expected_jobs and generator.expected_jobs(self.options) or source:count() or 0,
    }
end

---Names of the groups of its jobs, which are numbered from 0; false stands for jobs without a group.
---@return any[]
function Workload:group_names()
    if self.list then return self.list.groups end
    local generator = generators.kinds[self.kind]
    return generator.groups and generator.groups(self.options) or {}
end

---The same workload with one of its generator's options changed.
---@param name string
---@param value any
---@param fail fun(field: string|nil, reason: string)
---@return pinion.Workload
function Workload:with(name, value, fail)
    if not self.given then fail(name, "the workload is no generator: it has no options") end
    local given = {}
    for key, old in next, self.given do given[key] = old end
    given[name] = value
    return M.generator(self.kind, given, string.format("%s,%s=%s", self.text, name, tostring(value)), fail)
end

---@return boolean
function M.is(value)
    return getmetatable(value) == Workload
end

---A description of jobs that are listed already.
---@param list pinion.JobList
---@param text string
function M.from_list(list, text)
    return setmetatable({ kind = "jobs", random = false, text = text, list = list }, Workload)
end

---A description of a generator or trace.
---@param kind string
---@param given table
---@param text string|nil how the user wrote it
---@param fail fun(field: string|nil, reason: string)
function M.generator(kind, given, text, fail)
    local options = generators.read(kind, given, fail)
    return setmetatable({
        kind = kind, random = generators.kinds[kind].random or false, text = text or kind, options = options, given = given,
    }, Workload)
end

---A Lua table of jobs.
---@param value table[]
---@param name string what messages call it
function M.from_table(value, name)
    local list = jobs.read(value, {
        lua = true,
        fail = function(index, field, reason)
            local path = index and string.format("%s[%d]", name, index) or name
            fault.at(nil, field and path .. "." .. field or path, reason)
        end,
    })
    return M.from_list(list, "table")
end

---A csv file with a header.
---@param path string
function M.from_csv(path)
    local text, why = files.read(path)
    if not text then fault.at(path, nil, why) end
    return M.from_list(csv.read_jobs(text, path), "csv:" .. path)
end

---Pieces of a text between commas; those between parentheses do not count.
---@return string[]
function M.split(text)
    local pieces, depth, from = {}, 0, 1
    for position, mark in text:gmatch("()([(),])") do
        if mark == "(" then depth = depth + 1 end
        if mark == ")" then depth = depth - 1 end
        if mark == "," and depth <= 0 then
            pieces[#pieces + 1] = text:sub(from, position - 1)
            from = position + 1
        end
    end
    pieces[#pieces + 1] = text:sub(from)
    return pieces
end

-- A file name may hold commas; it ends where a piece looks like option=value.
local function split_path(pieces)
    local path, at = pieces[1], 2
    while pieces[at] and not pieces[at]:find("^%s*[%a_]+%s*=") do
        path = path .. "," .. pieces[at]
        at = at + 1
    end
    return path, table.move(pieces, at, #pieces, 1, {})
end

local function read_options(pieces, fail)
    local options = {}
    for _, piece in ipairs(pieces) do
        local key, value = piece:match("^%s*([%w_]+)%s*=%s*(.-)%s*$")
        if not key then fail(nil, string.format("expected option=value, got %s", check.show(piece))) end
        if options[key] ~= nil then fail(key, "given twice") end
        options[key] = value
    end
    return options
end

-- What may have been meant: a file without its kind, or a kind mistyped.
local function spec_hint(spec, kind)
    local path = spec:lower()
    if path:find("%.csv$") then return string.format("(did you mean 'csv:%s'?)", spec) end
    if path:find("%.tsv$") or path:find("%.tsv%.gz$") then return string.format("(did you mean 'swim:%s'?)", spec) end
    if path:find("%.json$") then return "(expected a SPEC; a scenario file is an argument of its own)" end
    return suggest.hint(kind, { "bursts", "csv", "facebook", "swim", "zheng" })
end

-- What stands behind the colon: a zheng setting, a swim file.
local SUBJECTS = { zheng = "setting", swim = "file" }

---Reads a SPEC string such as "zheng:0,seed=7", "facebook", "swim:FILE,scale=1/50" or "csv:FILE".
---@param spec string
function M.spec(spec)
    local kind = spec:match("^%s*([%a_]*)") or ""
    local function fail(field, reason)
        fault.usage("workload %s: %s%s", check.show(spec), field and field .. ": " or "", reason)
    end
    local rest = spec:match("^%s*[%a_]*(.*)$")
    if kind == "csv" then
        if not rest:find("^:.") then fail(nil, "a file name is missing (expected csv:FILE)") end
        return M.from_csv(rest:sub(2))
    end
    local generator = generators.kinds[kind]
    if not generator or not rest:find("^[:,]") and rest ~= "" then
        fault.usage("unknown workload %s %s", check.show(spec), spec_hint(spec, kind))
    end
    local subject = nil
    local pieces = rest == "" and {} or M.split(rest:sub(2))
    if rest:sub(1, 1) == ":" then
        if not SUBJECTS[kind] then fail(nil, string.format("nothing goes behind '%s:' (expected %s,option=value)", kind, kind)) end
        subject, pieces = split_path(pieces)
    end
    local options = read_options(pieces, fail)
    if subject then
        if options[SUBJECTS[kind]] ~= nil then fail(SUBJECTS[kind], "given twice") end
        options[SUBJECTS[kind]] = subject
    end
    return M.generator(kind, options, spec, fail)
end

return M
