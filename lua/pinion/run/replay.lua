-- Replays an input log, what a real host told its core, event by event, into a fresh core: it
-- decides as the host's did, or the first line where it does not is named.

local canonical = require "pinion.base.canonical"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local json = require "pinion.base.json"
local models = require "pinion.models"
local policies = require "pinion.policy"

local M = {}

local BEGINNING = '{"pinion_inputs":'

---@class pinion.Replayed
---@field model string
---@field policy string
---@field events integer
---@field decisions integer
---@field digest string
---@field ended boolean the log has its last line
---@field cut boolean its last line, or the last event's answers, are not whole, and left out
---@field gave_up string|nil the status of the last event, where that is an error

---@param path string
---@return boolean
function M.is_inputs(path)
    return files.beginning(path, #BEGINNING) == BEGINNING
end

local function fail(path, line, format, ...)
    fault.located("run", string.format("%s:%d: %s", path, line, string.format(format, ...)))
end

-- ---- lines --------------------------------------------------------------------------------------

local function decode(path, number, line)
    local entry, problem = core.json_decode(line, path)
    if not check.is_object(entry) then
        fail(path, number, "%s", problem and tostring(problem):gsub("^.-:%d+: ", "")
            or "expected an object")
    end
    return entry
end

-- Returns the lines one by one: number, entry, and the text up to the check. A last line without
-- its end, as a crash leaves it, is none; then reader.cut is true. A line without a check was
-- written by hand, and is taken as it is.
local function lines_of(reader)
    local path, number, so_far = reader.path, 0, 0
    return function()
        local line = reader.file:read "L"
        reader.cut = line ~= nil and line:sub(-1) ~= "\n"
        if not line or reader.cut then return nil end
        number = number + 1
        local text, given = line:match '^(.*),"check":"(%x%x%x%x%x%x%x%x)"}\n$'
        text = text or line:match "^(.*)}\n$" or line
        so_far = core.input_check(so_far, text)
        local own = string.format("%08x", so_far & 0xFFFFFFFF)
        if given and given ~= own then
            fail(path, number, "the log was changed in this line or before: its check is %s "
                .. "(expected %s; lines without a check are not tested)", given, own)
        end
        return number, decode(path, number, line), text
    end
end

local MOST <const> = 1 << 30                          -- more than any table of a core holds

-- Returns what the jobs of the log can need, whatever tables its head asks for: a line is at most
-- one job, and each stage, parent and replica takes bytes of it; tasks are only counted there.
local function needs_of(file)
    local lines, bytes, tasks = 0, 0, 1
    for line in function() return file:read "L" end do
        lines, bytes = lines + 1, bytes + #line
        for _, name in ipairs { "maps", "reduces", "tasks" } do
            for count in line:gmatch('"' .. name .. '"%s*:%s*"?(%w+)') do
                tasks = tasks + math.min(math.tointeger(tonumber(count)) or MOST, MOST)
            end
        end
    end
    file:seek "set"
    return { lines = math.max(1, math.min(lines, MOST)), bytes = math.max(1, math.min(bytes, MOST)),
        tasks = math.min(tasks, MOST) }
end

-- ---- the head -----------------------------------------------------------------------------------

local HEAD = { pinion_inputs = true, model = true, policy = true, params = true, lua = true,
    attribute_names = true, attribute_texts = true, group_names = true, resource_names = true,
    hooks = true, config = true, check = true }

local function model_of(path, head)
    if head.pinion_inputs ~= 1 then
        fail(path, 1, "not an input log of this version (expected \"pinion_inputs\":1)")
    end
    local unknown = check.unknown_key(head, HEAD)
    if unknown ~= nil then fail(path, 1, "unknown field %s", check.show(unknown)) end
    local model = type(head.model) == "string" and models.find(head.model)
    if not model or not model.core.replay then
        fail(path, 1, "model %s has no core that hosts drive", check.show(head.model))
    end
    if type(head.policy) ~= "string" then fail(path, 1, "policy: expected a text") end
    return model
end

local function check_text(path, head, policy)
    local own = string.format("%016x", core.input_check(0, policy.text or ""))
    if not policy.text or policy.name ~= head.policy or own ~= head.lua then
        fault.usage("%s: is not the policy %s of %s: the hash of its text is %s (expected "
            .. "%s)", policy.label, head.policy, path, policy.text and own or "none",
            check.show(head.lua))
    end
end

-- Returns the policy. Under another one the same inputs mean nothing: they name attempts that it
-- never launches.
local function policy_of(path, head, model, given)
    if head.lua ~= nil then
        if not given then
            fault.usage("%s: was recorded under %s, a policy in Lua (give its file: --policy "
                .. "FILE.lua)", path, head.policy)
        end
        local policy = policies.require(given, model.name)
        check_text(path, head, policy)
        return policy
    end
    if given and given ~= head.policy then
        fault.usage("--policy %s: %s was recorded under %s, and its inputs depend on the "
            .. "decisions of that policy (to compare policies: `pinion compare LOG` for a "
            .. "dispatch core, else with the scenario that a host writes)", given, path,
            head.policy)
    end
    local policy = policies.lookup(head.policy, model.name)
    if not policy or policy.text then
        fail(path, 1, "there is no policy %s (a host replays its own policies in C with "
            .. "pn_scheduler_apply and pn_dispatch_apply)", check.show(head.policy))
    end
    return policy
end

-- Returns the tables. Those among the parameters of a policy in Lua are not in the log, only
-- numbers that stand for them.
local function tables_of(policy, given)
    local values = {}
    for name, written in next, given or {} do
        local parameter = nil
        for _, known in ipairs(policy.params) do
            if known.name == name and known.table then parameter = known end
        end
        if not parameter then
            fault.usage("--param %s: is in the input log (expected parameters that are tables)",
                name)
        end
        local value, why = parameter.read(written)
        if value == nil then fault.usage("--param %s: %s", name, why) end
        values[name] = value
    end
    return values
end

local function resource_names(path, head)
    local names, config = head.resource_names, head.config
    if type(names) == "table" and #names > 0 then
        for i, name in ipairs(names) do
            if type(name) ~= "string" then
                fail(path, 1, "resource_names[%d]: expected a text", i)
            end
        end
        return json.encode(json.list(names))
    end
    names = {}
    for i = 1, type(config) == "table" and math.tointeger(config.resources) or 0 do
        if i > 4 then break end
        names[i] = "resource " .. i
    end
    return json.encode(json.list(names))
end

local function open(reader, head, options)
    local model = model_of(reader.path, head)
    local policy = policy_of(reader.path, head, model, options.policy)
    local tables = tables_of(policy, options.params)
    local scripted = policy.text and policies.instantiate(policy, options, tables) or nil
    local made, why = model.core.replay { head = head, policy = policy.name, lua_policy = scripted,
        log = options.log, resource_names = resource_names(reader.path, head),
        lines = reader.needs.lines, bytes = reader.needs.bytes, tasks = reader.needs.tasks,
        memory = options.core_memory or core.limits.core }
    if not made then fail(reader.path, 1, "%s", why) end
    return made, model
end

-- ---- events -------------------------------------------------------------------------------------

-- Tells the core an event, with the answers behind it; its status.
local function tell(reader, event)
    local status, why = reader.core:tell(event.entry, event.text)
    if not status then fail(reader.path, event.number, "%s", why) end
    return status
end

-- Takes an event, which waits for the line behind its answers.
local function take(reader, number, entry, text)
    if entry.digest == nil then
        local why = reader.core:answer(entry)
        if why then fail(reader.path, number, "%s", why) end
        return
    end
    if reader.event then reader.status = tell(reader, reader.event) end
    reader.event = { number = number, entry = entry, text = text }
    if entry.event == "end" then
        tell(reader, reader.event)
        reader.event, reader.ended = nil, true
    end
end

-- Tells the last event, which in a log that was cut off may lack answers; then it is left out.
local function tell_last(reader)
    local event = reader.event
    if not event then return end
    local status, why, kind = reader.core:tell(event.entry, event.text)
    if not status and kind ~= "lost" then fail(reader.path, event.number, "%s", why) end
    reader.status, reader.cut = status or reader.status, reader.cut or not status
end

local function replay(reader, next_line)
    for number, entry, text in next_line do
        if number % 4096 == 0 and core.interrupted() then fault.interrupted() end
        if reader.ended then fail(reader.path, number, "expected nothing behind the end") end
        take(reader, number, entry, text)
    end
    tell_last(reader)
end

local function is_error(status)
    return status and status:find "^PN_ERR" and status or nil
end

---Replays an input log. Raises a fault at the first line that does not fit.
---@param path string
---@param options { policy: string?, params: table<string, string>?, log: string?, budget: integer?, memory: integer?, core_memory: integer? } log: where the decisions go; core_memory: bytes that the core takes at most
---@return pinion.Replayed
function M.run(path, options)
    local file <close> = files.open(path)
    local reader = { path = path, file = file, needs = needs_of(file), cut = false, ended = false }
    local next_line = lines_of(reader)
    local _, head = next_line()
    if not head then fail(path, 1, "expected the first line of an input log") end
    local model
    reader.core, model = open(reader, head, options)
    local made <close> = reader.core
    replay(reader, next_line)
    local problem = made:finish()
    if problem then fault.located("run", string.format("%s: %s", options.log, problem)) end
    return { model = model.name, policy = head.policy, events = made:events(),
        decisions = made:decisions(), digest = made:digest(), ended = reader.ended,
        cut = reader.cut, gave_up = is_error(reader.status) }
end

-- ---- the decisions ------------------------------------------------------------------------------

local function same(a, b, path, number)
    if a == b then return true end
    local first, second = decode(path, number, a), decode(path, number, b)
    return canonical.text(first) == canonical.text(second)
end

local function check_header(path, written, replayed)
    local header = decode(path, 1, written or "")
    if header.pinion_log ~= 1 or header.model ~= replayed.model
        or header.policy ~= replayed.policy then
        fail(path, 1, "not a decision log of policy %s of the %s model", replayed.policy,
            replayed.model)
    end
end

---Compares the decisions that a host has written with those of the replay; of logs that were cut
---off, as far as both go. Raises a fault at the first that differs.
---@param path string of the host's decision log
---@param own string path of the replay's
---@param replayed pinion.Replayed
---@return integer decisions that are the same
function M.compare(path, own, replayed)
    local theirs <close> = files.open(path)
    local ours <close> = files.open(own)
    check_header(path, theirs:read "l", replayed)
    ours:read "l"
    local number = 1
    for line in theirs:lines() do
        local expected = ours:read "l"
        number = number + 1
        if not replayed.ended and (not expected or expected:find '^{"end":') then break end
        if not expected then fail(path, number, "expected nothing behind the end") end
        if not same(line, expected, path, number) then
            fail(path, number, "not what the core decided (expected %s)", expected)
        end
    end
    if replayed.ended and ours:read "l" then
        fail(path, number + 1, "the log ends before the inputs do")
    end
    return number - 1
end

return M
