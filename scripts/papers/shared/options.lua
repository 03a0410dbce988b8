-- Options of the papers' experiments: from words to checked values.

local experiment = require "pinion".experiment
local mistakes = require "shared.mistakes"
local pinion = require "pinion"

local M = {}

-- Options with a value, by their names on the command line; `set` may be given several times.
local NAMES = {
    ["--seeds"] = "seeds", ["--replicas"] = "seeds", ["--seed"] = "seed", ["--jobs"] = "jobs",
    ["--trace"] = "trace", ["--set"] = "set", ["--only"] = "only", ["--output"] = "output",
    ["--format"] = "format", ["--processes"] = "processes", ["--store"] = "store",
    ["--shard"] = "shard", ["--stability"] = "stability",
}
local FLAGS = { ["--quiet"] = "quiet", ["--only-stored"] = "only_stored", ["--retry"] = "retry" }
local NAMES_LISTED = {
    "--seeds", "--replicas", "--seed", "--jobs", "--trace", "--set", "--only", "--output",
    "--format", "--processes", "--store", "--shard", "--only-stored", "--retry", "--quiet",
    "--stability",
}

---The words of a command line.
---@param words string[]
---@return pinion.PaperArguments
function M.parse(words)
    local given, i = { set = {} }, 1
    while words[i] do
        local option, value = words[i]:match "^(%-%-%w+)=(.*)$"
        option = option or words[i]
        local name = NAMES[option]
        if FLAGS[option] and not value then
            given[FLAGS[option]] = true
        elseif not name then
            mistakes.usage("unknown option %s %s", mistakes.show(words[i]),
                mistakes.hint(option, NAMES_LISTED))
        else
            if not value then
                i = i + 1
                value = words[i] or mistakes.usage("%s: a value is missing", option)
            end
            if name == "set" then given.set[#given.set + 1] = value else given[name] = value end
        end
        i = i + 1
    end
    if given.format and given.format ~= "table" and given.format ~= "json" then
        mistakes.usage("--format: must be table or json, got %s", mistakes.show(given.format))
    end
    return given
end

-- ---- numbers ------------------------------------------------------------------------------------

-- Largest integer that a double holds exactly.
local INTEGER_MOST = 1 << 53

-- Decimal notation only; nil for other words.
local function decimal(word)
    local plain = word:find "^%d+$" or word:find "^[+-]?%d*%.?%d*[eE]?[+-]?%d*$" and word:find "%d"
    return plain and tonumber(word) or nil
end

local function check_integer(word, low, high)
    local value = decimal(word)
    local whole = value and math.tointeger(value)
    if whole and whole >= low and whole <= high then return whole end
    local range = string.format(high < INTEGER_MOST and "in %d..%d" or ">= %d", low, high)
    if whole and whole > INTEGER_MOST and high == INTEGER_MOST then
        range = string.format("<= %d (2^53)", high)
    end
    local got = value == nil and mistakes.show(word) or pinion.experiment.json(whole or value)
    return nil, string.format("must be an integer %s, got %s", range, got)
end

---An integer option; nil when it is not given.
---@param given pinion.PaperArguments
---@return integer|nil
function M.integer(given, name, low, high)
    if given[name] == nil then return nil end
    local value, why = check_integer(given[name], low, high or INTEGER_MOST)
    return value or mistakes.usage("--%s: %s", name, why)
end

---Names separated by commas; nil when there are none.
---@param names string|nil
---@return string[]|nil
function M.names(names)
    if not names then return nil end
    local parts = {}
    for name in (names .. ","):gmatch "%s*([^,]-)%s*," do
        if name == "" then mistakes.usage("--only: an empty name in %s", mistakes.show(names)) end
        parts[#parts + 1] = name
    end
    return parts
end

-- ---- the store ----------------------------------------------------------------------------------

---What becomes of the runs, checked; nil when they are not kept.
---@param given pinion.PaperArguments
---@return pinion.PaperStoring|nil
function M.storing(given)
    local storing = { store = given.store, shard = given.shard, only_stored = given.only_stored,
        retry = given.retry }
    if not next(storing) then return nil end
    -- What the library says of them, and whether there is a store.
    local options = { store_key = given.store and "" or nil }
    for name, value in next, storing do options[name] = value end
    local ok, problem = pcall(experiment.each, 0, print, options)
    if ok then return storing end
    local name, why = problem:match "%f[%w]each: ([%w_]+): (.*)$"
    if not name then error(problem, 0) end
    mistakes.usage("--%s: %s", name:gsub("_", "-"), why)
end

-- ---- the workload's options ---------------------------------------------------------------------

local function set_mistake(name, why)
    mistakes.usage("--set %s: %s", name, why)
end

local function read_pairs(list)
    local read, names = {}, {}
    for _, pair in ipairs(list or {}) do
        local name, value = pair:match "^%s*([%w_]+)%s*=%s*(.-)%s*$"
        if not name then
            mistakes.usage("--set: expected NAME=VALUE, got %s", mistakes.show(pair))
        end
        if read[name] then mistakes.usage("--set: %s is given twice", name) end
        read[name] = value
        names[#names + 1] = name
    end
    table.sort(names)
    return read, names
end

local WORDS = { ["true"] = true, ["false"] = false }

local function literal(word)
    if WORDS[word] ~= nil then return WORDS[word] end
    return decimal(word) or word
end

-- What the library says of a generator's options, behind the place and the generator's name.
local function check_generator(kind, options)
    local ok, problem = pcall(pinion.workload[kind], options)
    if ok then return end
    local name, why = problem:match("%f[%w]" .. kind .. ": ([%w_]+): (.*)$")
    if not name then error(problem, 0) end
    set_mistake(name, why)
end

---What `--set` gives, checked; nil when it gives nothing.
---@param paper pinion.Paper
---@param given pinion.PaperArguments
---@return table<string, any>|nil
function M.set(paper, given)
    local read, names = read_pairs(given.set)
    if #names == 0 then return nil end
    local sets, made, options = paper.sets, {}, {}
    if not sets then mistakes.usage("--set: the settings of paper %s are its own", paper.name) end
    for _, name in ipairs(names) do
        if sets.fixed[name] then set_mistake(name, "is the sections' own") end
        local range = sets.rules[name]
        if range then
            local value, why = check_integer(read[name], range[1], range[2])
            made[name] = value or set_mistake(name, why)
        else
            made[name] = literal(read[name])
            options[name] = made[name]
        end
    end
    check_generator(sets.generator, options)
    return made
end

return M
