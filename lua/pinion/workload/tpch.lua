-- Reader of profiles of TPC-H queries on Spark: a JSON file of jobs, whose stages list the times of
-- their measured tasks.

local check = require "pinion.base.check"
local core = require "pinion.core"
local dag_jobs = require "pinion.workload.dag_jobs"
local fault = require "pinion.base.fault"

local M = {}

local FORMAT = "pinion-dag-jobs/1"
local TIME_MOST = 1 << 40

-- Streams of what is drawn: which queries, and demands, so that these do not shift those.
local PICKS, CPU, MEMORY = 0, 1, 2

-- ---- the file -----------------------------------------------------------------------------------

local function integers(value, path, where, high)
    if not check.is_array(value, false) then
        fault.at(where, path, "must be an array of integers, got " .. check.show(value))
    end
    for i, number in ipairs(value) do
        local _, why = check.integer(number, 0, high)
        if why then fault.at(where, string.format("%s[%d]", path, i), why) end
    end
    return value
end

local function read_stage(stage, path, where, count)
    if not check.is_object(stage, false) then
        fault.at(where, path, "must be an object, got " .. check.show(stage))
    end
    local durations = integers(stage.durations, path .. ".durations", where, TIME_MOST)
    if #durations == 0 then fault.at(where, path .. ".durations", "must not be empty") end
    return { durations = durations,
        parents = integers(stage.parents, path .. ".parents", where, count - 1) }
end

---@class pinion.Profile a query at one size
---@field name string
---@field size string such as "2g"
---@field query integer
---@field stages table[] durations and parents

local function read_profile(job, path, where)
    if not check.is_object(job, false) then
        fault.at(where, path, "must be an object, got " .. check.show(job))
    end
    local size, query = nil, nil
    if type(job.name) == "string" then size, query = job.name:match "^tpch%-(%w+)%-q(%d%d?)$" end
    if not size then
        fault.at(where, path .. ".name", "must be a name such as tpch-2g-q1, got "
            .. check.show(job.name))
    end
    if not check.is_array(job.stages, false) or #job.stages == 0 then
        fault.at(where, path .. ".stages", "must be an array of stages, got "
            .. check.show(job.stages))
    end
    local stages = {}
    for i, stage in ipairs(job.stages) do
        stages[i] = read_stage(stage, string.format("%s.stages[%d]", path, i), where, #job.stages)
    end
    return { name = job.name, size = size, query = math.tointeger(tonumber(query)),
        stages = stages }
end

---Returns the profiles of a file, in its order.
---@param path string
---@return pinion.Profile[]
function M.profiles(path)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local root = dag_jobs.read_json(path, "profiles")
    if not check.is_object(root, false) or root.format ~= FORMAT then
        fault.at(path, "format", string.format("must be '%s', got %s", FORMAT,
            check.show(type(root) == "table" and root.format or root)))
    end
    if not check.is_array(root.jobs, false) or #root.jobs == 0 then
        fault.at(path, "jobs", "must be an array of queries, got " .. check.show(root.jobs))
    end
    local profiles = {}
    for i, job in ipairs(root.jobs) do
        profiles[i] = read_profile(job, string.format("jobs[%d]", i), path)
    end
    return profiles
end

-- ---- options ------------------------------------------------------------------------------------

local function read_words(value, what, word_of)
    local words = {}
    for piece in (tostring(value) .. "+"):gmatch "([^+]*)%+" do
        local word = word_of(piece)
        if not word then
            return nil, string.format("must be %s, joined by +, got %s", what, check.show(value))
        end
        words[#words + 1] = word
    end
    return words
end

---Reads sizes such as 2+5+10, with or without the g of their names.
---@return string[]|nil sizes, string|nil reason
function M.read_sizes(value)
    return read_words(value, "sizes such as 2+10", function(piece)
        local digits = piece:match "^(%d+)g?$"
        return digits and digits .. "g"
    end)
end

---Reads numbers of queries such as 1+3.
---@return integer[]|nil queries, string|nil reason
function M.read_queries(value)
    return read_words(value, "numbers of queries such as 1+3", function(piece)
        return piece:find "^%d%d?$" and math.tointeger(tonumber(piece))
    end)
end

-- Returns which of the words are asked for; nil: all of them. Every one must be in the file.
local function asked(words, profiles, field, path)
    if not words then return nil end
    local known, wanted = {}, {}
    for _, profile in ipairs(profiles) do known[profile[field]] = true end
    for _, word in ipairs(words) do
        if not known[word] then
            fault.at(path, nil, string.format("has no query of %s %s (known: %s)", field, word,
                table.concat(check.sorted_keys(known), ", ")))
        end
        wanted[word] = true
    end
    return wanted
end

local function chosen(options, profiles)
    local sizes = asked(options.sizes, profiles, "size", options.file)
    local queries = asked(options.queries, profiles, "query", options.file)
    local list = {}
    for _, profile in ipairs(profiles) do
        if (not sizes or sizes[profile.size]) and (not queries or queries[profile.query]) then
            list[#list + 1] = profile
        end
    end
    if #list == 0 then
        fault.at(options.file, nil, "has none of the queries that sizes and queries name together")
    end
    return list
end

-- ---- jobs ---------------------------------------------------------------------------------------

---Returns what the demands are of: executors, unless the options say something of cpu or memory.
---@return string[]
function M.resources(options)
    if options.memory then return { "cpu", "memory" } end
    return { options.cpu and "cpu" or "executor" }
end

local function draw(stream, distribution)
    return distribution and stream:draw(distribution.text) or 1
end

-- Returns stages with demands of their own; what is not drawn they share with the profile.
local function stages_of(profile, options, streams)
    local stages = {}
    for i, stage in ipairs(profile.stages) do
        local demand = { draw(streams.cpu, options.cpu) }
        if options.memory then demand[2] = draw(streams.memory, options.memory) end
        stages[i] = { durations = stage.durations, parents = stage.parents, demand = demand }
    end
    return stages
end

-- Returns what a query's group is called; nil: there are no groups.
local function group_of(profile, options)
    if options.group == "size" then return profile.size end
    return options.group == "query" and "q" .. profile.query or nil
end

---Returns the groups of the chosen profiles as they come up in the file, whichever a run draws.
---@param profiles pinion.Profile[]
---@param options pinion.TpchRead
---@return string[]
function M.groups(profiles, options)
    local groups, seen = {}, {}
    for _, profile in ipairs(chosen(options, profiles)) do
        local group = group_of(profile, options)
        if group and not seen[group] then groups[#groups + 1], seen[group] = group, true end
    end
    return groups
end

-- Returns numbers of the jobs' groups, by name.
local function number_groups(trace, picked, groups, options)
    local numbers = {}
    for i, group in ipairs(groups) do numbers[group] = i - 1 end
    for id, job in ipairs(trace.list.jobs) do job.group = numbers[group_of(picked[id], options)] end
    return trace
end

---@class pinion.TpchRead options, as they were checked
---@field file string
---@field sizes string[]|nil
---@field queries integer[]|nil
---@field jobs integer|nil
---@field group "none"|"size"|"query"
---@field cpu table|nil a distribution
---@field memory table|nil

---Makes the jobs of a run.
---@param profiles pinion.Profile[]
---@param options pinion.TpchRead
---@param seed integer
---@param replica integer
---@return pinion.DagTrace
function M.made(profiles, options, seed, replica)
    local list, rows, picked = chosen(options, profiles), {}, {}
    local picks = core.random(seed, replica, PICKS)
    local streams = { cpu = core.random(seed, replica, CPU),
        memory = core.random(seed, replica, MEMORY) }
    for i = 1, options.jobs or #list do
        local profile = list[options.jobs and picks:random(1, #list) or i]
        picked[i] = profile
        rows[i] = { arrival = 0, name = profile.name,
            stages = stages_of(profile, options, streams) }
    end
    local trace = dag_jobs.made(rows, { rows = #profiles, unit = "profile", chosen = #list },
        M.resources(options), function() return options.file end)
    local groups = M.groups(profiles, options)
    return #groups > 0 and number_groups(trace, picked, groups, options) or trace
end

return M
