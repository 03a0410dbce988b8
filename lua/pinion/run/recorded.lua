-- Makes a scenario of an input log: the jobs, nodes and rules that a host had, with the durations
-- that its replay shows. So any policy can be run on what happened.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local models = require "pinion.models"
local policies = require "pinion.policy"
local replay = require "pinion.run.replay"
local say = require "pinion.base.say"

local M = {}

-- Returns the objects of a file with one per line.
local function objects_of(path)
    local file <close> = files.open(path)
    local objects = {}
    for line in file:lines() do
        local object = core.json_decode(line, path)
        if not object then break end -- a crash may have cut the last line
        objects[#objects + 1] = object
    end
    return objects
end

-- Returns the name by which the policy of the log is found: a policy in Lua must be one of those
-- that are chosen.
local function policy_of(path, head, model, chosen)
    if head.lua == nil then return head.policy end
    for _, name in ipairs(chosen) do
        local policy = policies.lookup(name, model.name)
        local hash = policy and policy.text and core.input_check(0, policy.text)
        if hash and string.format("%016x", hash) == head.lua then return name end
    end
    fault.usage("%s: was recorded under %s, a policy in Lua (give its file too: --policies "
        .. "fifo,FILE.lua)", path, head.policy)
end

-- Returns the parameters by name; of a choice the log has the number.
local function params_of(head, policy)
    local params = {}
    for _, parameter in ipairs(policy.params) do
        local value = (head.params or {})[parameter.name]
        if value ~= nil and parameter.choices then value = parameter.choices[value + 1] end
        if not parameter.table then params[parameter.name] = value end
    end
    return params
end

-- Returns the head of a log; what is wrong with it, its replay says.
local function head_of(path)
    local file <close> = files.open(path)
    local head = core.json_decode(file:read "l" or "", path)
    return check.is_object(head) and head or {}
end

-- Removes a file when it goes out of scope.
local Temporary = { __close = function(self) os.remove(self.path) end }

---Reads an input log as a scenario.
---@param path string
---@param chosen string[] policies that are going to run
---@return table object what the JSON of a scenario file would hold
function M.read(path, chosen)
    local head = head_of(path)
    local model = type(head.model) == "string" and models.find(head.model)
    if model and not model.recorded then
        fault.usage("%s: is an input log of the %s model, which does not have the durations of all "
            .. "tasks (let the host write a scenario of its run)", path, model.name)
    end
    local own = model and policy_of(path, head, model, chosen)
    local decisions <close> = setmetatable({ path = files.temporary() }, Temporary)
    replay.run(path, { policy = head.lua and own or nil, log = decisions.path })
    local object, left_out = model.recorded(objects_of(path), objects_of(decisions.path))
    if left_out then say("%s: not simulated: %s", path, left_out) end
    object.model, object.policy = model.name, own
    for name, value in next, params_of(head, policies.require(own, model.name)) do
        object.params[name] = value
    end
    return object
end

return M
