-- Headers of traces in the Standard Workload Format: comments such as "; MaxProcs: 128" in front of
-- the jobs. The jobs themselves are read in C.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"

local M = {}

-- Facts of the header that are shown, in the order of the format's definition. What else it holds,
-- such as notes and lists of queues, is prose.
M.FACTS = { "Version", "Computer", "Installation", "Conversion", "MaxJobs", "MaxRecords",
    "Preemption", "UnixStartTime", "TimeZone", "TimeZoneString", "StartTime", "EndTime", "MaxNodes",
    "MaxProcs", "MaxRuntime", "MaxMemory", "AllowOveruse", "MaxQueues", "MaxPartitions" }

local IS_FACT = {}
for _, name in ipairs(M.FACTS) do IS_FACT[name] = true end

-- Returns an integer or text; nil where a result, which is JSON, could not hold it.
local function value_of(text)
    text = text:match "^%s*(.-)%s*$"
    local value = math.tointeger(tonumber(text:match "^%-?%d+$"))
    if value then return value end
    return utf8.len(text) and not text:find "%c" and text or nil
end

-- Checks that a file is plain: the header is read before the jobs, so a pipe would have lost what
-- was read with it.
local function check_plain(path)
    if core.file_exists(path) and not core.file_identity(path) then
        fault.at(path, nil, "is a pipe or a directory (expected a plain file, which may be "
            .. "compressed)")
    end
end

local function read_header(path)
    check_plain(path)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local lines <close>, why = core.gz_lines(path)
    if not lines then fault.located("usage", why) end
    local header = {}
    while true do
        local line, number = lines()
        if not line and number then fault.located("usage", number) end
        if not line or not line:find "^%s*;" and line:find "%S" then return header end
        local name, text = line:match "^%s*;%s*(%a+):(.*)$"
        if name and IS_FACT[name] and header[name] == nil then header[name] = value_of(text) end
    end
end

---Returns the headers of the parts, by the names of their facts.
---@param paths string[]
---@return table<string, integer|string>[]
function M.headers(paths)
    local headers = {}
    for i, path in ipairs(paths) do headers[i] = read_header(path) end
    return headers
end

local function start_of(header)
    local start = header.UnixStartTime
    return math.type(start) == "integer" and start >= 0 and start < 1 << 40 and start or nil
end

---Returns the parts with what their times of submission are counted from, after the first part's:
---by UnixStartTime. A part without it goes on where the one ahead of it counts from.
---@param paths string[]
---@param headers table<string, integer|string>[]
---@return { path: string, shift_ms: integer }[]
function M.parts(paths, headers)
    local parts, first, shift = {}, start_of(headers[1]), 0
    for i, path in ipairs(paths) do
        local start = start_of(headers[i])
        if start and not first then
            fault.at(path, nil, "has UnixStartTime, and the first part has none (expected it in "
                .. "both, or in neither)")
        end
        shift = start and (start - first) * 1000 or shift
        parts[i] = { path = path, shift_ms = shift }
    end
    return parts
end

---Returns what the headers say, as facts of a workload: each as the first part that has it says.
---@param headers table<string, integer|string>[]
---@return pinion.Fact[]
function M.facts(headers)
    local facts = {}
    for _, name in ipairs(M.FACTS) do
        for _, header in ipairs(headers) do
            if header[name] ~= nil then
                facts[#facts + 1] = { name, header[name], "header: " .. name }
                break
            end
        end
    end
    return facts
end

-- Returns the largest number under this name, where it can be one of machines or slots.
local function size_of(headers, name)
    local size = nil
    for _, header in ipairs(headers) do
        local value = header[name]
        if math.type(value) == "integer" and value >= 1 and value <= 1 << 22 then
            size = math.max(size or 0, value)
        end
    end
    return size
end

---@param headers table<string, integer|string>[]
---@return integer|nil processors of the machine
function M.processors(headers)
    return size_of(headers, "MaxProcs") or size_of(headers, "MaxNodes")
end

---Returns nodes whose map slots are the processors; where these cannot be the same on all, some
---have one more.
---@param headers table<string, integer|string>[]
---@return pinion.NodeGroup[]|nil nodes nil: no header says
function M.nodes(headers)
    local processors = M.processors(headers)
    if not processors then return nil end
    local count = math.min(size_of(headers, "MaxNodes") or processors, processors)
    local each, more = processors // count, processors % count
    local nodes = {}
    for _, group in ipairs { { more, each + 1 }, { count - more, each } } do
        if group[1] > 0 then
            nodes[#nodes + 1] = { count = group[1], map_slots = group[2], reduce_slots = 0,
                speed = 1000 }
        end
    end
    return nodes
end

-- ---- fields that jobs are grouped by, or carry --------------------------------------------------

-- By name: the field's number, and the word of its groups. Attributes have names of their own where
-- a job's own fields have these.
M.GROUPS = {
    none = { field = 0 }, size = { field = 0 }, user = { field = 12, word = "user" },
    group = { field = 13, word = "group" }, application = { field = 14, word = "application" },
    queue = { field = 15, word = "queue" }, partition = { field = 16, word = "partition" },
    status = { field = 11, word = "status" },
}

M.ATTRIBUTES = {
    job_number = 1, wait_s = 3, processors = 5, cpu_s = 6, memory_kb = 7,
    requested_processors = 8, requested_s = 9, requested_memory_kb = 10, status = 11, user = 12,
    user_group = 13, application = 14, queue = 15, partition = 16, preceding_job = 17, think_s = 18,
}

local STATUS_NAMES = { [0] = "failed", [1] = "completed", [5] = "cancelled" }

---Returns a function from a field's value to the name of its group.
---@param group string a key of GROUPS
---@return fun(value: integer): string
function M.group_namer(group)
    local word = M.GROUPS[group].word
    return function(value)
        if group == "status" and STATUS_NAMES[value] then return STATUS_NAMES[value] end
        return string.format("%s %s", word, value < 0 and "unknown" or tostring(value))
    end
end

-- Reads words joined by +, each of them known.
local function read_words(value, known, most)
    if type(value) ~= "string" then return nil, "must be text, got " .. check.show(value) end
    local words, seen = {}, {}
    for word in (value .. "+"):gmatch "([^+]*)%+" do
        local _, why = check.choice(word, known)
        if why then return nil, why end
        if seen[word] then return nil, "names " .. word .. " twice" end
        words[#words + 1], seen[word] = word, true
    end
    if #words > most then
        return nil, string.format("must be at most %d of them, got %d", most, #words)
    end
    table.sort(words)
    return words
end

-- The bit of each status as the core takes them, from -1 on. Jobs that ran have any.
local STATUS_BITS = { unknown = 1 << 0, failed = 1 << 1, completed = 1 << 2, cancelled = 1 << 6,
    ran = 0xFFFFFFFF }
local STATUSES = { "ran", "completed", "failed", "cancelled", "unknown" }

---Reads the option status: ran, or words such as completed+failed.
---@param value any
---@return integer|nil bits, string|nil reason
function M.read_status(value)
    local words, why = read_words(value, STATUSES, #STATUSES)
    local bits = 0
    for _, word in ipairs(words or {}) do bits = bits | STATUS_BITS[word] end
    return words and bits, why
end

---Reads the option attributes: words such as user+queue.
---@param value any
---@return string[]|nil sorted names, string|nil reason
function M.read_attributes(value)
    return read_words(value, check.sorted_keys(M.ATTRIBUTES), core.limits.attributes)
end

return M
