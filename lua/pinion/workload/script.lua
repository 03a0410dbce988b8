-- Workloads written in Lua: a file or a text whose table makes the jobs in a sandbox, or a function
-- of the script that runs. Each becomes a generator like the built-in ones, with its parameters for
-- options.

local attributes = require "pinion.workload.attributes"
local bundle = require "pinion.base.bundle"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local generators = require "pinion.workload.generators"
local lazy = require "pinion.base.lazy"
local mistaken = lazy.module "pinion.base.mistaken"
local models = require "pinion.models"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local M = {}

-- ---- options ------------------------------------------------------------------------------------

local TEXT_MOST = 127 -- bytes, as in the core

local function text_reader(value)
    if type(value) == "number" then value = tostring(value) end
    local text, why = check.text(value)
    if text and (#text > TEXT_MOST or text:find "\0") then
        return nil, string.format("must be a text of at most %d bytes, got %s", TEXT_MOST,
            #text > TEXT_MOST and "one of " .. #text or "a zero byte in it")
    end
    return text, why
end

-- By the kind of a parameter: its reader.
local READERS = {
    integer = function(param) return readers.integer(param.low // 1 | 0, param.high // 1 | 0) end,
    number = function(param)
        return function(value) return quantity.number(value, param.low, param.high) end
    end,
    boolean = function() return readers.boolean end,
    choice = function(param) return readers.choice(table.unpack(param.choices)) end,
    text = function() return text_reader end,
}

local function fields_of(params)
    local fields, seeded = {}, false
    for i, param in ipairs(params) do
        fields[i] = { name = param.name, read = READERS[param.kind](param),
            default = param.default, doc = param.doc }
        seeded = seeded or param.name == "seed"
    end
    return fields, seeded
end

-- ---- one generator ------------------------------------------------------------------------------

-- Returns what is a parameter of the script, and no option of the program's own.
local function values_of(params, options)
    local values = {}
    for _, param in ipairs(params) do values[param.name] = options[param.name] end
    return values
end

local function ask(request, said, options, seed, replica)
    return core.workload_script {
        text = request.text, definition = request.definition, chunk = request.chunk,
        params = values_of(said.params, options), groups = request.groups,
        group_by = request.group_by,
        seed = math.tointeger(seed) or 1, replica = replica,
    }
end

local function refuse(why)
    if core.interrupted() then fault.interrupted() end
    fault.located("run", why)
end

-- Returns the names of the groups of all jobs, which every replica has: those of its first one,
-- unless they are declared.
local function groups_by(request, said)
    local known = setmetatable({}, { __mode = "k" })
    return function(options)
        if not known[options] then
            local made, carried = ask(request, said, options, options.seed, 0)
            if not made then refuse(carried) end
            known[options] = carried.groups
        end
        return known[options]
    end
end

local function numbered(names)
    if #names == 0 then return {} end
    return table.move(names, 1, #names, 2, { false })
end

-- Returns the groups that a text attribute gives.
local function groups_of(said, name)
    local found, why = attributes.groups_by(said.labels or {}, name, said.model)
    if not found then fault.usage("workload %s: group: %s", said.name, why) end
    return found
end

---@param request { text: string?, definition: table?, chunk: string } as the core takes it
---@param said table what the definition says of itself
---@return pinion.Generator
local function generator(request, said)
    local groups = groups_by(request, said)
    local fields, seeded = fields_of(said.params)
    -- Where the model itself draws, the seed is the run's.
    if not seeded and not models.find(said.model).jobs.draws then
        fields[#fields + 1] = readers.SEED
    end
    return {
        name = said.name, doc = said.summary, random = true,
        attributes = said.attributes, labels = said.labels, models = { [said.model] = true },
        fields = fields, request = request,
        groups = function(options)
            return options.group and groups_of(said, options.group) or numbered(groups(options))
        end,
        open = function(options, binding)
            local asked = setmetatable({}, { __index = request })
            local is_size = attributes.is_size(options.group, said.labels, said.model)
            if options.group and not is_size then
                asked.group_by = groups_of(said, options.group) and options.group
            elseif not said.groups_declared and not is_size then
                asked.groups = groups(options)
            end
            local made, carried = ask(asked, said, options, binding.seed or options.seed,
                binding.replica)
            if not made then refuse(carried) end
            return made, nil, carried
        end,
        expected_jobs = function(options) return math.tointeger(options.jobs) or 0 end,
    }
end

-- ---- descriptions -------------------------------------------------------------------------------

-- What was read before, so that a sweep reads a file once.
local known = {}

-- Says so where the file, or the text, is a policy.
local function check_policy(request)
    local chunk = request.chunk
    if not request.text or not mistaken.is_policy(request.text, chunk) then return end
    local meant = chunk:find "%.lua$" and string.format("; did you mean --policy %s?", chunk) or ""
    fault.at(chunk, nil, string.format("is a policy (expected a workload, which has `generate`%s)",
        meant))
end

local function describe(request)
    local said, why = core.script_describe(request)
    if not said then
        if core.interrupted() then fault.interrupted() end
        check_policy(request)
        fault.located("usage", why)
    end
    for _, name in ipairs(said.attributes) do
        local reason = attributes.fault_of_name(name, said.model)
        if reason then fault.at(request.chunk, "attributes." .. name, reason) end
    end
    local made, named = generator(request, said), {}
    for _, param in ipairs(said.params) do
        named[param.name] = true
        if param.name == "seed" and param.kind ~= "integer" then
            fault.at(request.chunk, "params.seed", "must be an integer (it is the seed of the run)")
        end
    end
    generators.complete("script", made)
    for _, field in ipairs(made.also and made.also.fields or {}) do
        if named[field.name] then
            fault.at(request.chunk, "params." .. field.name, string.format(
                "is an option of all workloads of the %s model (expected another name)",
                said.model))
        end
    end
    return made
end

---Loads the generator in a text.
---@param text string
---@param chunk string what messages call it
---@return pinion.Generator
function M.of_text(text, chunk)
    local key = chunk .. "\0" .. text
    known[key] = known[key] or describe { text = text, chunk = chunk }
    return known[key]
end

---Loads the generator in a file.
---@param path string
---@return pinion.Generator
function M.of_file(path)
    local text, why = bundle.read(path)
    if not text then fault.at(path, nil, why .. " (expected the file of a workload)") end
    return M.of_text(text, path)
end

---Makes the generator that is a function of the script that runs.
---@param value function|table a function of g, or a definition as a file returns it
---@param model string|nil whose jobs it makes, where it does not say so itself
---@return pinion.Generator
function M.of_function(value, model)
    local definition = {}
    for name, field in next, type(value) == "table" and value or { generate = value } do
        definition[name] = field
    end
    definition.model = definition.model or model or models.default
    return describe { definition = definition, chunk = "workload" }
end

---@param text string
---@return boolean whether it is a definition and no name of a file
function M.is_text(text)
    return text:find "\n" ~= nil or text:find "^%s*return%f[%W]" ~= nil
end

return M
