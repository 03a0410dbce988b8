-- Policies by name, by file and by text, and the check of their parameters. Built-in policies run
-- in the kernel. A policy written in Lua is a file, an entry of the library (the files of
-- policies/, which are part of the program), or the object that pinion.policy makes of a text.

local bundle = require "pinion.base.bundle"
local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local lazy = require "pinion.base.lazy"
local mistaken = lazy.module "pinion.base.mistaken"
local models = require "pinion.models"
local orders = require "pinion.base.orders"
local params_of = require "pinion.policy.params"
local suggest = require "pinion.base.suggest"
local tables = require "pinion.policy.tables"
local variants = require "pinion.policy.variant"

local M = {}

---@class pinion.PolicyParameter
---@field name string
---@field value number|boolean|string|nil default
---@field low number|nil of a number
---@field high number|nil of a number
---@field float boolean|nil of a number: true: any, false: integers only
---@field choices (boolean|string)[]|nil of a choice: its values
---@field automatic string|nil a word that is a value too
---@field null boolean|nil true: null in files is the default
---@field list boolean|nil true: a list of job ids
---@field scripted boolean|nil true: a policy written in Lua declares it
---@field read (fun(value: any): any, string?)|nil of anything else: its check
---@field table boolean|nil true: a table, which the policy checks
---@field path boolean|nil true: what it says of an element begins with the rest of the path, such as "[2].jobs: …"
---@field shared boolean|nil true: it makes the jobs, in which variants do not differ
---@field doc string

---@class pinion.Policy
---@field model string
---@field name string
---@field label string what results and rows call it: the name, the file as it was given, or the variant's label
---@field given table<string, any>|nil of a variant: checked values of its parameters
---@field base string|nil of a variant: the label of the policy itself
---@field summary string one line
---@field source string where it comes from: a paper's section, a rule, a file
---@field preemptive boolean|nil slotted: defined with preemptive reduces
---@field nonpreemptive boolean|nil slotted: defined with non-preemptive reduces
---@field work_conserving boolean|nil slotted and tandem
---@field work_conserving_by_default boolean|nil tandem: work-conserving with its default parameters
---@field keys pinion.KeyPart[]|nil what its keys are made of, where it says it: see models/keys.lua
---@field key_name string|nil of a policy written in Lua: what its keys are, with their unit
---@field orders string[] what jobs in each of its orders wait for; "": anything
---@field relaxed boolean a lower bound, not a feasible schedule
---@field ranks boolean|nil tandem: serves in orders that the run gives
---@field stage_time string|nil makespan: its own rules where the scenario says nothing, this one and the next three
---@field share string|nil
---@field cap string|nil
---@field task_order string|nil
---@field level string|nil makespan: the only level that it is for
---@field preempts boolean|nil cluster: may kill tasks
---@field admits boolean|nil cluster: takes some jobs and not others
---@field deadlines boolean|nil cluster: every job needs one
---@field params pinion.PolicyParameter[]
---@field twin string|nil the library's file that says the same in Lua
---@field text string|nil of a policy written in Lua, with the files that it requires
---@field chunk string|nil what messages call that text

---A text that pinion.policy made a policy of.
---@class pinion.PolicyText
---@field policy pinion.Policy
local PolicyText = {}
PolicyText.__index = PolicyText
PolicyText.__name = "pinion.Policy"
PolicyText.__tostring = function(self) return "policy " .. self.policy.name end

-- ---- policies written in Lua --------------------------------------------------------------------

-- Lists of job ids, which no policy's table holds: they become ranks of the jobs.
local RANK_PARAMS = {}
for _, name in ipairs(check.sorted_keys(orders.PARAMS)) do
    RANK_PARAMS[#RANK_PARAMS + 1] = {
        name = name, list = true, shared = true, read = orders.read, form = "job ids",
        absent = "by arrival", doc = "job ids in order; jobs that are not listed come last, by id",
    }
end

-- Returns what is wrong with the name of a parameter: one value would set two things, and logs
-- would hold it twice.
local function clash(policy)
    local taken = {}
    for _, name in ipairs(models.param_names(policy.model)) do taken[name] = true end
    for _, parameter in ipairs(policy.ranks and RANK_PARAMS or {}) do
        taken[parameter.name] = true
    end
    for _, parameter in ipairs(policy.params) do
        if taken[parameter.name] then
            return string.format("params.%s: is a parameter of the model (expected another name)",
                parameter.name)
        end
    end
end

-- Adds the parameters that are the model's.
local function add_rules(policy, scripted)
    local rules = models.find(policy.model).settings.rules
    if not rules then return end
    local without = not scripted and rules.without and rules.without[policy.name] or {}
    for _, parameter in ipairs(rules.params) do
        local own = { shared = parameter.name == "seed" or nil }
        for key, value in next, parameter do own[key] = value end
        if rules.own and rules.own[parameter.name] then own.value = policy[parameter.name] end
        if not without[parameter.name] then policy.params[#policy.params + 1] = own end
    end
end

-- Returns the policy with all of its parameters.
local function completed(policy, scripted)
    if policy.ranks then
        table.move(RANK_PARAMS, 1, #RANK_PARAMS, #policy.params + 1, policy.params)
    end
    add_rules(policy, scripted)
    return policy
end

-- Loads into a sandbox. A file whose text runs for ever is ended by Ctrl-C, too.
local function load_into_sandbox(options)
    local handle, why = core.policy_load(options)
    if not handle and core.interrupted() then fault.interrupted() end
    return handle, why
end

-- Reads a table, which is checked by the policy itself, loaded for it.
local function table_reader(parameter, text, chunk)
    return function(value)
        local plain, why = tables.plain(value)
        if not plain then return nil, why end
        local handle = load_into_sandbox { text = text, chunk = chunk }
        if not handle then fault.run("%s: cannot be loaded again", chunk) end
        local number, wrong = tables.set(handle, parameter.name, plain)
        handle:close()
        if not number then return nil, wrong end
        return plain
    end
end

local function read_tables(policy, text, chunk)
    for _, parameter in ipairs(policy.params) do
        if parameter.table then
            parameter.value, parameter.low, parameter.high = nil, nil, nil
            parameter.float, parameter.path = nil, true
            parameter.form, parameter.absent = "a table, or JSON", "the policy's own"
            parameter.read = table_reader(parameter, text, chunk)
        else
            parameter.table = nil
        end
    end
end

-- descriptions by chunk and text, so that a file is not read into a sandbox again for every replica
local loaded = {}

---Reads a policy's text; nil and the reason when it is none.
---@param text string
---@param chunk string what messages call it
---@return pinion.Policy|nil policy, string|nil reason
function M.from_text(text, chunk)
    local key = chunk .. "\0" .. text
    if loaded[key] then return loaded[key] end
    local handle, why = load_into_sandbox { text = text, chunk = chunk }
    if not handle and why:find "unexpected symbol near '{'" then
        why = why .. " (a policy begins with return {)"
    end
    if not handle then return nil, why end
    local described = handle:describe()
    described.functions = handle:functions()
    handle:close()
    read_tables(described, text, chunk)
    for _, parameter in ipairs(described.params) do parameter.scripted = true end
    local taken = clash(described)
    if taken then return nil, chunk .. ": " .. taken end
    local policy = completed(described, true)
    policy.label, policy.text, policy.chunk = policy.name, text, chunk
    loaded[key] = policy
    return policy
end

---Loads a policy for one run, in a Lua state of its own.
---@param policy pinion.Policy written in Lua
---@param limits { budget: integer?, memory: integer?, compile: boolean? }
---@param params table<string, any>|nil checked values of its parameters
---@return userdata handle, table<string, any>|nil params with numbers in place of tables
function M.instantiate(policy, limits, params)
    local handle, why = load_into_sandbox {
        text = policy.text, chunk = policy.chunk, budget = limits.budget, memory = limits.memory,
        compile = limits.compile,
    }
    if not handle then fault.located("run", why) end
    local numbers = params and setmetatable({}, { __index = params })
    for _, parameter in ipairs(params and policy.params or {}) do
        local value, wrong = params[parameter.name], nil
        if parameter.table and value then
            numbers[parameter.name], wrong = tables.set(handle, parameter.name, value)
            if wrong then fault.at(nil, "params." .. parameter.name, wrong) end
        end
    end
    return handle, numbers
end

---@param text string
---@return pinion.PolicyText
function M.object(text)
    local policy, why = M.from_text(text, "policy")
    local file = not policy and text:match "^%s*(%S+%.lua)%s*$"
    if file then
        fault.usage("pinion.policy: '%s' is the name of a file (expected the text of a policy; "
            .. "where a policy is asked for, the name of "
            .. "a file stands by itself: policy = \"%s\")", file, file)
    end
    if not policy then fault.located("usage", why) end
    return setmetatable({ policy = policy }, PolicyText)
end

---Returns a policy's name as files have it: hsrtf-pu is in hsrtf_pu.lua.
---@param name string
---@return string
function M.file_name(name)
    return (name:gsub("-", "_"))
end

local library -- files of policies/ by path, and a list of them

local function library_files()
    if library then return library end
    library = { list = core.policy_files(), by_path = {} }
    for _, file in ipairs(library.list) do
        library.by_path[file.path] = file
        library.by_path[file.model .. "/" .. file.name .. ".lua"] = file
    end
    return library
end

local function from_library(file)
    local policy, why = M.from_text(file.text, file.path)
    if not policy then error(why) end -- a defect: every file of the library loads
    for _, parameter in ipairs(policy.params) do parameter.scripted = nil end
    return policy
end

local pinned = {} -- by path

---Pins the text: from now on the file of this path is taken to hold this text, whatever it holds.
---@param path string
---@param text string
---@param chunk string what messages call it
function M.pin(path, text, chunk)
    pinned[path] = { text = text, chunk = chunk }
end

-- Reads a file. One on disk goes before the library's of the same path.
local function from_file(path)
    if pinned[path] then return pinned[path].text, pinned[path].chunk end
    local text, why = bundle.read(path)
    if text then return text, path end
    local known = library_files().by_path[path]
    if known then return known.text, known.path end
    return nil, string.format("%s: %s (expected a policy's file)", path, why)
end

local function lookup_file(path)
    local text, chunk = from_file(path)
    if not text then return nil, chunk end
    local policy, why = M.from_text(text, chunk)
    if not policy and mistaken.is_workload(text, chunk) then
        why = string.format("%s: is a workload (expected a policy; did you mean --workload %s?)",
            chunk, path)
    end
    if not policy then return nil, why, "file" end
    return setmetatable({ label = path }, { __index = policy })
end

-- ---- all of them --------------------------------------------------------------------------------

-- What has a name: the kernel's policies in its order, then what only the library has. A policy is
-- read when it is asked for.
---@class pinion.PolicyEntry
---@field model string
---@field key string its name as files have it
---@field name string|nil of the kernel's
---@field read fun(): pinion.Policy

---@return pinion.PolicyEntry
local function kernel_entry(policy)
    local key = M.file_name(policy.name)
    return {
        model = policy.model, name = policy.name, key = key,
        read = function()
            local file = library_files().by_path[policy.model .. "/" .. key .. ".lua"]
            policy.label, policy.twin = policy.name, file and file.path
            return completed(policy, false)
        end,
    }
end

---@return pinion.PolicyEntry
local function library_entry(file)
    return { model = file.model, key = file.name, read = function() return from_library(file) end }
end

local entries

local function all_entries()
    if entries then return entries end
    local taken = {}
    entries = {}
    for i, policy in ipairs(core.policies()) do
        entries[i] = kernel_entry(policy)
        taken[policy.model .. "/" .. entries[i].key] = true
    end
    for _, file in ipairs(library_files().list) do
        if not taken[file.model .. "/" .. file.name] then
            entries[#entries + 1] = library_entry(file)
        end
    end
    return entries
end

local function policy_of(entry)
    entry.policy = entry.policy or entry.read()
    return entry.policy
end

-- Returns a list of its own, as callers may write to theirs; the policies never change.
---@param model string|nil
---@return pinion.Policy[]
local function all_of(model)
    local found = {}
    for _, entry in ipairs(all_entries()) do
        if not model or entry.model == model then found[#found + 1] = policy_of(entry) end
    end
    return found
end

local function copy(value)
    if type(value) ~= "table" then return value end
    local made = {}
    for key, element in next, value do made[key] = copy(element) end
    return made
end

---Lists descriptions of all policies that have a name, or of those of a model: the kernel's in its
---order, then those that only the library has. They are the caller's own.
---@param model string|nil
---@return pinion.Policy[]
function M.list(model)
    return copy(all_of(model))
end

---@param model string|nil
---@return string[]
function M.names(model)
    local names = {}
    for i, policy in ipairs(all_of(model)) do names[i] = policy.name end
    return names
end

-- Returns whether a text is a policy's own, where its name belongs.
local function is_text(value)
    return type(value) == "string" and value:find "%f[%w]return%f[%W]" ~= nil
        and (value:find "\n" ~= nil or value:find "^%s*return" ~= nil)
end

---Returns why a value names no policy if it is the text of one; nil otherwise.
---@return string|nil reason
function M.text_reason(value)
    return is_text(value) and "is the text of a policy (expected pinion.policy [[ text ]])" or nil
end

---@return boolean whether a value can name a policy at all
function M.is_reference(value)
    local base = variants.base(value)
    return type(base) == "string" and not is_text(base) or getmetatable(base) == PolicyText
end

---Returns the policy that a reference is a variant of; of any other reference, itself.
M.base = variants.base

---Reads a policy's name, file or text; what it stands for is looked up later.
---@return any reference, string|nil reason
function M.read(value)
    if M.is_reference(value) then return value end
    return nil, (select(2, M.lookup(value)))
end

-- Returns a policy that was found, unless it is of another model than the one asked for.
local function of_model(policy, model)
    if not model or policy.model == model then return policy end
    return nil, string.format("policy '%s' is of the %s model (expected a policy of %s)",
        policy.label, policy.model, model)
end

-- Returns whether the entry's policy is called so: - and _ are one letter. Only what may be is
-- read.
local function is_called(entry, name)
    local key = M.file_name(name)
    return entry.key == key and M.file_name(entry.name or policy_of(entry).name) == key
end

-- Returns the policy called so of the model, and the first of another model.
local function lookup_name(reference, model)
    local asked, name = reference:match("^([^/]*)/(.*)$")
    local elsewhere
    for _, entry in ipairs(all_entries()) do
        if is_called(entry, reference) or entry.model == asked and is_called(entry, name) then
            if not model or entry.model == model then return policy_of(entry) end
            elsewhere = elsewhere or policy_of(entry)
        end
    end
    return nil, elsewhere
end

-- Returns the nearest name, or all of them, by model where none is asked for.
local function hint_of_name(name, model)
    if model or suggest.nearest(name, M.names()) then
        return suggest.hint(name, M.names(model))
    end
    local lists = {}
    for i, each in ipairs(models.names()) do
        lists[i] = each .. ": " .. table.concat(M.names(each), ", ")
    end
    return string.format("(known: %s)", table.concat(lists, "; "))
end

-- Says what names a policy.
local function wrong_table(value)
    if type(value.policy) == "string" then
        return string.format('must be { "%s", parameter = value }, got a table with a field policy',
            value.policy)
    end
    return "must be a name, a FILE.lua, { NAME, parameter = value } or pinion.policy [[ text ]], "
        .. "got " .. check.show(value)
        .. " (a policy has its own Lua state and cannot use functions of this script)"
end

-- Looks up what is no variant.
local function lookup_base(reference, model)
    if getmetatable(reference) == PolicyText then return of_model(reference.policy, model) end
    if type(reference) == "table" then return nil, wrong_table(reference) end
    local name, why = check.text(reference)
    if not name then return nil, why end
    if is_text(reference) then return nil, M.text_reason(reference) end
    if reference:find("%.lua$") then
        local policy, reason, kind = lookup_file(reference)
        if not policy then return nil, reason, kind end
        return of_model(policy, model)
    end
    local named, elsewhere = lookup_name(reference, model)
    if named then return named end
    if elsewhere then return of_model(elsewhere, model) end
    if reference:find("/") and files.read(reference) then
        return nil, string.format("unknown policy '%s' (a policy's file is called NAME.lua)",
            reference)
    end
    return nil, string.format("unknown policy '%s' %s", reference,
        hint_of_name(reference, model))
end

-- Returns the parameters that a variant may set, by name, and the names.
local function free_parameters(policy)
    local known, names = {}, {}
    for _, parameter in ipairs(policy.params) do
        if not parameter.shared then
            known[parameter.name], names[#names + 1] = parameter, parameter.name
        end
    end
    return known, names
end

-- Returns why a variant cannot set a parameter.
local function wrong_name(policy, name, names)
    for _, parameter in ipairs(policy.params) do
        if parameter.name == name then
            return string.format("policy '%s': %s: makes the jobs, which are the same for all "
                .. "policies (expected it among the parameters of the run)", policy.label, name)
        end
    end
    return string.format("policy '%s' has no parameter '%s' %s", policy.label, name,
        #names == 0 and "(it has none)" or suggest.hint(name, names))
end

-- Returns the variant of the policy.
local function vary(policy, variant)
    local known, names = free_parameters(policy)
    local made = { label = variants.label(variant, policy.label), base = policy.label, given = {} }
    for _, name in ipairs(variant.names) do
        if not known[name] then return nil, wrong_name(policy, name, names) end
        local value, why = params_of.value(known[name], variant.given[name])
        if value == nil then
            return nil, string.format("policy '%s': %s: %s", policy.label, name, why)
        end
        made.given[name] = value
    end
    return setmetatable(made, { __index = policy })
end

---Looks up the policy called `name` or `model/name`, or of the file of that path (FILE.lua), or of
---the object that pinion.policy made, or a variant of one of them; nil and the reason otherwise.
---`kind` "file" tells that the reason names the file already.
---@param reference string|pinion.PolicyText|table
---@param model string|nil
---@return pinion.Policy|nil policy, string|nil reason, "file"|nil kind
function M.lookup(reference, model)
    local variant, wrong = variants.read(reference)
    if wrong then
        local of = type(reference) == "string" and string.format("policy '%s': ", reference) or ""
        return nil, of .. wrong
    end
    if not variant then return lookup_base(reference, model) end
    local policy, why, kind = lookup_base(variant.of, model)
    if not policy then return nil, why, kind end
    return vary(policy, variant)
end

---Returns a policy that was read elsewhere as the variant that a reference names.
---@param policy pinion.Policy
---@param reference any
---@return pinion.Policy|nil policy, string|nil reason
function M.as_variant(policy, reference)
    local variant = variants.read(reference)
    if variant then return vary(policy, variant) end
    return policy
end

---Returns whether a policy is defined in a mode of the slotted model: true, or nil and the reason.
---Other models have no modes.
---@param reduce string|nil
function M.defined(policy, reduce)
    if not reduce or policy[reduce] then return true end
    local other = reduce == "preemptive" and "nonpreemptive" or "preemptive"
    return nil, string.format("policy '%s' is not defined for reduce=%s (only for %s: "
        .. "--set reduce=%s)", policy.label, reduce, other, other)
end

---Raises unless a policy exists and is defined in the mode.
---@param where string|nil the file that names it
---@return pinion.Policy
function M.require(reference, model, reduce, where)
    local policy, why, kind = M.lookup(reference, model)
    if not policy and kind == "file" then fault.located("usage", why) end
    local defined = policy
    if policy then defined, why = M.defined(policy, reduce) end
    if not defined then fault.at(where, where and "policy", why) end
    return policy
end

-- ---- names of parameters ------------------------------------------------------------------------

-- Returns the nearest of all parameters, or else those of the policies that are going to run.
local function hint_of_param(name, names, chosen, model)
    if #chosen == 0 or suggest.nearest(name, names) then return suggest.hint(name, names) end
    local list = {}
    for _, reference in ipairs(chosen) do
        list[#list + 1] = M.is_reference(reference) and M.lookup(reference, model) or nil
    end
    local own = params_of.collect(list)
    return #own == 0 and "(the policies have none)" or suggest.hint(name, own)
end

---Checks that every name in `params` belongs to some policy of the model, or to one of `chosen`,
---and that its value is of its kind and in some policy's range. The range of the policy that runs
---is checked by params.lua.
---@param params table<string, any>
---@param model string
---@param chosen any[] references of policies that are going to run, besides the model's
---@param fail fun(name: string, reason: string)
function M.check_names(params, model, chosen, fail)
    if next(params) == nil then return end
    local list = all_of(model)
    for _, reference in ipairs(chosen) do
        local policy = M.is_reference(reference) and M.lookup(reference, model)
        if policy then list[#list + 1] = policy end
    end
    params_of.check_known(params, list, function(name, known)
        return hint_of_param(name, known, chosen, model)
    end, fail)
end

return M
