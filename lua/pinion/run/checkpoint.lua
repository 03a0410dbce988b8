-- Checkpoints: which run a file belongs to, and how a run resumes from it. The bytes are the C
-- side's affair; here it is the first line that counts.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local json = require "pinion.base.json"
local models = require "pinion.models"
local policies = require "pinion.policy"
local say = require "pinion.base.say"

local M = {}

---@class pinion.Checkpoint a file that was read and is as it was written
---@field path string
---@field core any the C side of it; one run can take it
---@field header table its first line

---@class pinion.Input a file that a run reads
---@field file string
---@field bytes integer
---@field hash string

-- ---- reading ------------------------------------------------------------------------------------

local function is_clock(results, value)
    return math.type(value) == "integer" or not results.integer and math.type(value) == "float"
end

local function check_header(header, path)
    if header.pinion ~= core.version then
        fault.at(path, nil,
            string.format("was written by version %s (expected %s)", check.show(header.pinion),
            core.version))
    end
    if header.abi ~= core.checkpoint_abi() then
        fault.at(path, nil,
            string.format(
            "was written on another kind of machine, or by another build: %s (expected '%s')",
            check.show(header.abi), core.checkpoint_abi()))
    end
    local function all(list, holds)
        for _, value in ipairs(list) do
            if not holds(value) then return false end
        end
        return true
    end
    local function is_text(value) return type(value) == "string" end
    local function has_texts(object)
        for _, value in next, object do
            if not is_text(value) then return false end
        end
        return true
    end
    local function is_input(input)
        return type(input) == "table" and is_text(input.file)
            and math.type(input.bytes) == "integer" and is_text(input.hash)
    end
    local model = is_text(header.model) and models.find(header.model)
    local whole = model and check.is_object(header.run) and has_texts(header.run)
        and is_clock(model.results, header[model.results.clock])
        and check.is_array(header.inputs) and all(header.inputs, is_input)
            and is_text(header.policy)
        and (header.policy_text == nil and header.policy_chunk == nil
            or is_text(header.policy_text) and is_text(header.policy_chunk))
        and (header.arguments == core.null or check.is_array(header.arguments)
            and all(header.arguments, is_text))
    if not whole then fault.at(path .. ":1", nil,
        "lacks what a checkpoint says about its run (expected the line as it was written)") end
end

---Reads a whole checkpoint; raises a fault when it is not one, or not one of this program.
---@param path string
---@return pinion.Checkpoint
function M.read(path)
    local handle, line = core.checkpoint_read(path)
    if not handle then fault.at(path, nil, line) end
    local header, why = core.json_decode(line, path)
    if not header then fault.located("usage", why) end
    check_header(header, path)
    return { path = path, core = handle, header = header }
end

-- ---- files that a run reads ---------------------------------------------------------------------

---@param paths string[]
---@return pinion.Input[]
function M.inputs(paths)
    local inputs = {}
    for i, path in ipairs(paths) do
        local bytes, hash = core.file_fingerprint(path)
        if not bytes then fault.at(path, nil, hash) end
        inputs[i] = { file = path, bytes = bytes, hash = hash }
    end
    return inputs
end

---Raises unless the files are what they were.
---@param from pinion.Checkpoint
function M.check_inputs(from)
    local header = from.header
    for _, input in ipairs(header.inputs) do
        local bytes, hash = core.file_fingerprint(input.file)
        if not bytes then
            fault.at(input.file, nil, string.format("%s (the run of %s reads it, and began in %s)",
                hash, from.path,
                check.show(header.directory)))
        end
        if bytes ~= input.bytes or hash ~= input.hash then
            local was = "has changed since %s was written: %d bytes, hash %s (expected %d "
                .. "bytes, hash %s)"
            fault.at(input.file, nil, string.format(was,
                from.path, bytes, hash, input.bytes, input.hash))
        end
    end
end

-- ---- which run it is ----------------------------------------------------------------------------

-- Settings that may differ between a run and its continuation, or that stand in the identity in
-- another form.
local NOT_IDENTITY = {
    until_slot = true, until_time = true, log = true, quiet = true, checkpoint = true, every = true,
    resume = true, arguments = true, inputs = true,
    policy = true, policy_where = true, chosen = true, params = true, params_where = true,
    workload = true, seed = true,
    keep_jobs = true, processes = true, compile = true,
    metrics = true, extended = true, -- of the rows, when the run is over
}

-- Writes a value as text, with tables in the order of their keys.
local function canonical(value)
    if math.type(value) == "float" then return string.format("%.17g", value) end
    if type(value) ~= "table" then
        assert(type(value) ~= "function" and type(value) ~= "userdata",
            "a setting that cannot be written as text")
        return tostring(value)
    end
    local parts = {}
    for _, key in ipairs(check.sorted_keys(value)) do
        parts[#parts + 1] = tostring(key) .. "=" .. canonical(value[key])
    end
    return "{" .. table.concat(parts, ",") .. "}"
end

-- Returns the identity of a workload. A generator is what it is asked for, its seed apart; other
-- jobs are what they are, wherever they come from.
local function identity_of_workload(workload, opened)
    if workload:is_generated() then
        local options = {}
        for name, value in next, workload.options do options[name] = value end
        options.seed = nil
        local source, why = workload:identity()
        if not source then fault.at(nil, "checkpoint", why) end
        return source .. canonical(options)
    end
    local hash, why = core.jobs_hash { workload = opened.core }
    if not hash then
        if core.interrupted() then fault.interrupted() end
        fault.run("%s", why)
    end
    return string.format("%s jobs with hash %s", opened.core:count(), hash)
end

---Returns everything that decides about the result, as texts by name.
---@param settings pinion.Settings
---@param opened pinion.Opened
---@param chosen { policy: pinion.Policy, params: table|nil, keep_jobs: boolean }
---@return table<string, string>
local function identity(settings, opened, chosen)
    local texts = {}
    for _, name in ipairs(check.sorted_keys(settings)) do
        if not NOT_IDENTITY[name] then texts[name] = canonical(settings[name]) end
    end
    texts.policy = chosen.policy.base or chosen.policy.label
    for _, parameter in ipairs(chosen.policy.params) do
        local value = chosen.params and chosen.params[parameter.name]
        texts["params." .. parameter.name] = canonical(value == nil and parameter.value or value)
    end
    texts.workload = identity_of_workload(settings.workload, opened)
    local draws = models.find(settings.model).jobs.draws -- the model itself, whatever the jobs are
    texts.seed = (opened.seed or draws) and canonical(draws and settings.seed or opened.seed or 1)
    texts.keep_jobs = canonical(chosen.keep_jobs)
    texts.log = canonical(settings.log ~= nil)
    return texts
end

-- Returns the first field in which two runs differ, in words; nil when none does.
local function difference(there, here)
    local names = {}
    for name in next, there do names[name] = true end
    for name in next, here do names[name] = true end
    for _, name in ipairs(check.sorted_keys(names)) do
        if there[name] ~= here[name] then
            return string.format("%s is %s there and %s here", name, there[name] or "not given",
                here[name] or "not given")
        end
    end
end

local function check_same(from, texts)
    local what = difference(from.header.run, texts)
    if what then fault.at(from.path, nil, "belongs to another run: " .. what
        .. " (expected the checkpoint of this run, or no file)") end
end

-- ---- a run with checkpoints ---------------------------------------------------------------------

---Opens the checkpoint from which these settings continue; nil when the run begins with its first
---job.
---@param settings pinion.Settings
---@return pinion.Checkpoint|nil
function M.open(settings)
    local resume = settings.resume
    if type(resume) == "table" then return resume end
    return resume and core.file_exists(settings.checkpoint) and M.read(settings.checkpoint) or nil
end

-- Warns. A policy written in Lua stays what it was, or the second half of a run would be that of
-- another policy.
local function warn_changed(from, reference, quiet)
    local header = from.header
    local now = policies.lookup(reference, header.model)
    if quiet or now and now.text == header.policy_text then return end
    say("%s has changed since %s was written: the run continues with the old text",
        header.policy, from.path)
end

---Lets the policy's file stand for its text in the checkpoint.
---@param from pinion.Checkpoint
---@param quiet boolean
function M.pin_policy(from, quiet)
    local header = from.header
    if not header.policy_text then return end
    warn_changed(from, header.policy, quiet)
    policies.pin(header.policy, header.policy_text, header.policy_chunk)
end

---Returns the policy in the checkpoint, when it is written in Lua and is the one that the settings
---name; else nil.
---@param from pinion.Checkpoint|nil
---@param settings pinion.Settings
---@return pinion.Policy|nil
function M.policy(from, settings)
    local reference, header = settings.policy, from and from.header
    if not header or not header.policy_text then return nil end
    local base = policies.base(reference)
    if (type(base) == "table" and base.policy.label or base) ~= header.policy then return nil end
    warn_changed(from, base, settings.quiet)
    local policy, why = policies.from_text(header.policy_text, header.policy_chunk)
    if policy then
        policy, why = policies.as_variant(
            setmetatable({ label = header.policy }, { __index = policy }), reference)
    end
    if not policy then fault.at(from.path, nil, why) end
    return policy
end

-- Quotes. JSON is UTF-8: a name or a text that is not would come back as another one.
local function quote(text)
    local quoted = core.json_quote(text)
    if core.json_decode(quoted, "") ~= text then
        fault.usage("checkpoint: %s cannot be recorded (expected UTF-8 text)", check.show(text))
    end
    return quoted
end

local function quote_list(list)
    local parts = {}
    for i, text in ipairs(list) do parts[i] = quote(text) end
    return "[" .. table.concat(parts, ",") .. "]"
end

local function about(settings, texts, policy)
    local run, inputs = {}, {}
    for i, name in ipairs(check.sorted_keys(texts)) do
        run[i] = quote(name) .. ":" .. quote(texts[name])
    end
    for i, input in ipairs(settings.inputs or {}) do
        inputs[i] = string.format('{"file":%s,"bytes":%d,"hash":%s}', quote(input.file),
            input.bytes, quote(input.hash))
    end
    local fields = {
        '"model":' .. quote(settings.model), '"policy":' .. quote(texts.policy),
        '"every":' .. json.encode(settings.every),
        '"arguments":' .. (settings.arguments and quote_list(settings.arguments) or "null"),
        '"directory":' .. core.json_quote(core.directory() or ""),
        '"inputs":[' .. table.concat(inputs, ",") .. "]",
        '"run":{' .. table.concat(run, ",") .. "}",
        '"abi":' .. quote(core.checkpoint_abi()),
    }
    if policy.text then
        fields[#fields + 1] = '"policy_chunk":' .. quote(policy.chunk)
        fields[#fields + 1] = '"policy_text":' .. quote(policy.text)
    end
    return table.concat(fields, ",")
end

local function check_place(settings, from)
    local path = settings.checkpoint
    if not path then return end
    if path == settings.log then
        fault.at(path, nil, "is the decision log (expected a file of its own for the checkpoint)")
    end
    if from and from.path == path then return end
    local free, why = core.checkpoint_may_replace(path)
    if not free then fault.at(path, nil, why) end
end

local function check_end(settings, from)
    local model = models.find(settings.model)
    local clock = model.results.clock
    local last, now = settings[model.settings.until_option], from.header[clock]
    if last and now and last < now then
        fault.at(from.path, nil,
            string.format("has already reached %s %s (expected an end there or later, got %s)",
            clock, check.show(now), check.show(last)))
    end
end

---Returns what the core is to know of checkpoints.
---@param settings pinion.Settings
---@param opened pinion.Opened
---@param chosen { policy: pinion.Policy, params: table|nil, keep_jobs: boolean }
---@param from pinion.Checkpoint|nil from M.open
---@return { checkpoint: string?, every: integer?, about: string?, resume: any }
function M.plan(settings, opened, chosen, from)
    local texts = identity(settings, opened, chosen)
    check_place(settings, from)
    if from then
        check_same(from, texts)
        check_end(settings, from)
    end
    return { checkpoint = settings.checkpoint, every = settings.every,
        about = about(settings, texts, chosen.policy),
        resume = from and from.core }
end

return M
