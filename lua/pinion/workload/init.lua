-- Workloads as descriptions: what a run needs to make the jobs, and nothing made yet. A generator
-- is bound to a seed, a replica and a number of machines when a run opens it; a list of jobs is
-- what it is.

local attributes = require "pinion.workload.attributes"
local lazy = require "pinion.base.lazy"
local changes = require "pinion.workload.changes"
local check = require "pinion.base.check"
local core = require "pinion.core"
local csv = lazy.module "pinion.workload.csv"
local fault = require "pinion.base.fault"
local generators = require "pinion.workload.generators"
local jobs = lazy.module "pinion.workload.jobs"
local mistaken = lazy.module "pinion.base.mistaken"
local models = require "pinion.models"
local rows = require "pinion.models.rows"
local scripts = lazy.module "pinion.workload.script"
local sizes = lazy.module "pinion.workload.sizes"
local suggest = require "pinion.base.suggest"

local M = {}

---Runs checked settings: for an adversary, which watches what a policy does. Set by run/single.lua.
---@type fun(settings: pinion.Settings): pinion.Result
M.run = nil

---@class pinion.Workload a description; open it as often as needed
---@field kind string a generator's name, "script" of one that a user wrote, or "jobs"
---@field generator pinion.Generator|nil
---@field models table<string, boolean> of which it can make jobs
---@field random boolean whether seed and replica matter
---@field text string for titles
---@field options table|nil checked options of a generator
---@field given table|nil the options as the user gave them
---@field list pinion.JobList|nil
---@field sized boolean|nil whether the groups of its jobs are classes of their sizes
---@field blocks table[]|nil as core.workload_blocks takes them
---@field script string|nil the file that it is written in, where that is Lua
local Workload = {}
Workload.__index = Workload
Workload.__name = "pinion.Workload description"
Workload.__tostring = function(self) return "workload " .. self.text end

---@class pinion.Opened a workload ready for one run
---@field model string
---@field core any the kernel's side
---@field names table<integer, string> by job id
---@field records table<integer, table> jobs as they are listed, by job id, where they are
---@field groups any[] names of the groups, which are numbered from 0; false stands for jobs without a group
---@field estimates boolean whether jobs carry estimates
---@field attributes string[]|nil names of what jobs carry besides, sorted
---@field labels table<string, string[]>|nil by name, of attributes that are texts: the text of 0, 1, …
---@field summary table|nil what a trace reader counted
---@field replicas integer|nil how many there are, where the jobs are cut into windows
---@field scaled pinion.Scaled|nil how the option load scaled them
---@field seed integer|nil the seed in use, when there is one
---@field expected number jobs, known or expected
---@field without_deadline integer|false|nil the first job without one, false when there is none; nil: not looked for yet

---@return boolean whether a generator draws its jobs
function Workload:is_generated()
    local generator = self.generator
    return generator ~= nil and generator.random == true
end

---@param model string
---@return boolean whether its jobs are listed or recorded with times, so that blocks of them differ
function Workload:is_recorded(model)
    local recorded = self.list ~= nil
        or self.generator ~= nil and changes.is_recorded(self.generator)
    return recorded and models.find(model).jobs.arrival ~= nil
end

---Returns what a text can say of where its jobs come from, options apart; nil and why for jobs that
---no text describes.
---@return string|nil identity, string|nil reason
function Workload:identity()
    local generator = self.generator
    local request = generator and generator.request
    if not request then return self.kind end
    if request.definition then
        return nil, "the workload is a function of this script, which no checkpoint can hold "
            .. "(expected a file, or a text for pinion.workload.script)"
    end
    return string.format("workload %s of hash %s", generator.name,
        core.text_fingerprint(request.text))
end

---Returns the files that its jobs are read from, but for a scenario file.
---@return string[] paths
function Workload:files()
    local options = self.options or {}
    local file = options.file or self.list and self.list.path
    local paths = type(file) == "table" and table.move(file, 1, #file, 1, {}) or { file }
    paths[#paths + 1] = options.topology
    paths[#paths + 1] = self.script
    for _, path in ipairs(changes.files(self.given or {})) do paths[#paths + 1] = path end
    return paths
end

---Returns the only model of which it can make jobs with the options that it was given, nil when
---there are several.
---@return string|nil
function Workload:only_model()
    local only, count = nil, 0
    for model in next, self.models do
        if not self.given or not generators.misplaced(self.generator, self.given, model) then
            only, count = model, count + 1
        end
    end
    return count == 1 and only or nil
end

-- Lists workloads of a model, for messages.
local function known_of(model)
    local known = generators.names(model)
    if not models.find(model).jobs.nested then known[#known + 1] = "csv" end
    table.sort(known)
    return table.concat(known, ", ")
end

---Raises a fault unless it can make jobs of this model, with the options that it was given.
---@param model string
function Workload:require(model)
    if not self.models[model] then
        fault.usage("workload %s: its jobs are of the %s model (known of the %s model: %s)",
            check.show(self.text),
            table.concat(check.sorted_keys(self.models), " or the "), model, known_of(model))
    end
    if not self.given then return end
    local field, why = generators.misplaced(self.generator, self.given, model)
    if field then fault.usage("workload %s: %s: %s", check.show(self.text), field, why) end
end

---@class pinion.Binding what a run adds to a description
---@field model string|nil default: the only one of which it can make jobs, or slotted
---@field seed integer|nil
---@field replica integer|nil default 0
---@field machines integer|nil of the slotted model
---@field nodes pinion.NodeGroup[]|nil of the cluster model, which must have what the jobs need; some workloads are made for them
---@field policy any of the run, for an adversary that watches it, with the next three
---@field params table<string, any>|nil
---@field speed number|nil
---@field overlap boolean|nil

-- Changes the jobs by the options that all workloads take.
---@param opened pinion.Opened
---@param binding pinion.Binding
---@return pinion.Opened
local function change(self, opened, binding)
    local bound = setmetatable({ model = opened.model, replica = binding.replica or 0 },
        { __index = binding })
    local options = changes.of(self.generator, self.options, opened.model)
    local done, why = changes.apply(opened, options, bound)
    if not done and core.interrupted() then fault.interrupted() end
    if not done then fault.usage("workload %s: %s", check.show(self.text), why) end
    return opened
end

---Returns whether the jobs depend on the cluster that they run on: by a load, or as they are made
---against a policy that runs there.
---@param model string
---@return boolean
function Workload:depends_on_cluster(model)
    local generator = self.generator
    if generator and generator.watches and generator.watches(self.options) then return true end
    if model == "tandem" and generator and (generator.own_load or {})[model] then return false end
    return (self.options or self.given or {}).load ~= nil
end

-- Puts the jobs into groups by their size.
local function group_by_size(opened)
    opened.core, opened.groups = sizes.group(opened.core, opened.model), sizes.names(opened.model)
    attributes.carry(opened)
end

---Makes the jobs.
---@param binding pinion.Binding
---@return pinion.Opened
function Workload:open(binding)
    local model = binding.model or self:only_model() or models.default
    self:require(model)
    local opened = self:make(model, binding)
    opened.attributes, opened.labels = opened.core:attributes()
    local fits = models.find(model).jobs.fits
    if fits then fits(self, opened.core, binding) end
    return opened
end

---Makes the same, whatever the cluster.
---@private
---@param model string
---@param binding pinion.Binding
---@return pinion.Opened
function Workload:make(model, binding)
    if self.list then
        local list = self.list
        local opened = {
            model = model, core = models.find(model).jobs.make(list.jobs, list.ticks),
            names = list.names, records = list.jobs, groups = self.sized and {} or list.groups,
            estimates = list.estimates,
            expected = #list.jobs, seed = self.random and binding.seed or nil,
        }
        attributes.carry(opened, list)
        if self.sized then group_by_size(opened) end
        return self.given and change(self, opened, binding) or opened
    end
    if self.blocks then
        local source = core.workload_blocks(self.blocks)
        return { model = model, core = source, names = {}, records = {}, groups = {},
            estimates = false,
            expected = source:count() }
    end
    local generator = self.generator
    local bound = {
        model = model, seed = binding.seed, replica = binding.replica or 0,
        machines = binding.machines, nodes = binding.nodes,
        policy = binding.policy, params = binding.params, speed = binding.speed,
        overlap = binding.overlap,
    }
    local drawn, summary, carried = generator.open(self.options, bound)
    local opened = {
        model = model,
        core = drawn,
        names = generator.names and generator.names(self.options) or {},
        records = generator.records and generator.records(self.options) or {},
        groups = self.sized and {} or self:group_names(model),
        estimates = carried ~= nil and carried.estimates,
        summary = summary,
        seed = self.random and (binding.seed or self.options.seed) or nil,
        expected = generator.expected_jobs and generator.expected_jobs(self.options)
            or drawn:count() or 0,
    }
    -- A workload in Lua names what its jobs carry itself.
    if not carried then attributes.carry(opened) end
    if self.sized then group_by_size(opened) end
    change(self, opened, bound)
    local also, why = generator.also, nil
    if also then opened.core, why = also.apply(opened.core, self.options, bound) end
    if not opened.core then fault.usage("workload %s: %s", check.show(self.text), why) end
    return opened
end

-- Names stages, which have names where they are listed only.
local function name_stages(job, record)
    for s, stage in ipairs(record and job.stages or {}) do stage.name = record.stages[s].name end
end

---Lists the jobs that were made, as a scenario file has them: names and groups by name.
---@param opened pinion.Opened
---@param most integer
---@return table[]|nil list, string|nil reason
function M.listed(opened, most)
    local list, why = opened.core:jobs(most)
    for id, job in ipairs(list or {}) do
        job.name = opened.names[id]
        job.group = job.group and opened.groups[job.group + 1] or nil
        name_stages(job, opened.records[id])
    end
    return list, why
end

-- More are not listed at once.
local LISTED_MOST = 1000000

local LIST_OPTIONS = {
    model = check.text, seed = function(value) return check.integer(value, 0, check.INTEGER_MAX)
        end,
    replica = function(value) return check.integer(value, 0, 0xFFFFFFFF) end,
    machines = rows.reader("slotted", "machines"),
}

---Its jobs, as a table of jobs has them.
Workload.jobs = fault.public(function(self, options)
    options = options or {}
    if type(options) ~= "table" then
        fault.usage("jobs: expected a table of options, got %s", check.show(options))
    end
    local key, unknown = check.unknown_key(options, LIST_OPTIONS, "option")
    if key ~= nil then fault.usage("jobs: %s: %s", key, unknown) end
    for _, name in ipairs(check.sorted_keys(options)) do
        local value, why = LIST_OPTIONS[name](options[name])
        if value == nil then fault.usage("jobs: %s: %s", name, why) end
    end
    local list, why = M.listed(self:open(options), LISTED_MOST)
    if not list and core.interrupted() then fault.interrupted() end
    if not list then fault.run("workload %s: %s", check.show(self.text), why) end
    return list
end)

---Names of the groups of its jobs, which are numbered from 0; false stands for jobs without a
---group.
---@param model string
---@return any[]
function Workload:group_names(model)
    if self.sized then return sizes.names(model) end
    if self.list then return self.list.groups end
    local generator = self.generator
    return generator and generator.groups and generator.groups(self.options) or {}
end

---Names of the numbers that its jobs carry, sorted.
---@return string[]
function Workload:attribute_names()
    local declared = self.list and self.list.attributes
    return declared and declared.names or self.generator and self.generator.attributes or {}
end

---Lists what is known of it without its jobs: means, or what the paper's proof says of the
---instance.
---@return pinion.Fact[]
function Workload:fact_list()
    local generator = self.generator
    return generator and generator.facts and generator.facts(self.options) or {}
end

---The same by name.
Workload.facts = fault.public(function(self)
    local facts = {}
    for _, fact in ipairs(self:fact_list()) do facts[fact[1]] = fact[2] end
    return facts
end)

---Job ids in the order in which the schedule that the paper compares with serves them; nil when
---there is none.
---@return integer[]|nil
Workload.schedule = fault.public(function(self)
    local generator = self.generator
    return generator and generator.schedule and generator.schedule(self.options) or nil
end)

---Returns what a scenario of its jobs could have for fields of which the user says nothing, where a
---generator suggests them.
---@param model string|nil default: the only one of which it can make jobs, or the first that it suggests something for
---@return table<string, any> map_slots and reduce_slots in the makespan model; nodes and params in the cluster model
function Workload:suggestions(model)
    local generator = self.generator
    if not generator then return {} end
    local beside, asked = generator.beside or {}, model or self:only_model()
    for _, name in ipairs(asked and { asked } or models.names()) do
        if beside[name] then return beside[name](self.options) end
    end
    return {}
end

---The same for scripts.
Workload.default_settings = fault.public(Workload.suggestions)

---Returns the policies that a comparison of its jobs shows when none are named.
---@param model pinion.Model
---@return string[]
function Workload:default_policies(model)
    local generator = self.generator
    local own = generator and generator.policies and generator.policies[model.name]
    return own or model.settings.default_policies
end

---Puts what it suggests where nothing else is given: parameters one by one, a field of the model as
---a whole.
---@param model pinion.Model
---@param given table fields of a scenario, and params
function Workload:fill(model, given)
    for name, value in next, self:suggestions(model.name) do
        if name == "params" then
            local params = {}
            for _, from in ipairs { value, given.params or {} } do
                for key, one in next, from do params[key] = one end
            end
            given.params = params
        elseif given[name] == nil and model.settings.fields[name] then
            given[name] = value
        end
    end
end

---Makes the same workload with one of its generator's options changed.
---@param name string
---@param value any
---@param fail fun(field: string|nil, reason: string)
---@return pinion.Workload
function Workload:with(name, value, fail)
    if self.blocks then fail(name, "the workload is no generator: it has no options") end
    local given = {}
    for key, old in next, self.given or {} do given[key] = old end
    given[name] = value
    if self.list then
        return M.from_list(self.list, self.text, given, fail)
    end
    local made = M.generator(self.generator, given,
        string.format("%s,%s=%s", self.text, name, tostring(value)), fail)
    made.script = self.script
    return made
end

---@return boolean
function M.is(value)
    return getmetatable(value) == Workload
end

---Returns a description of jobs that are listed already.
---@param list pinion.JobList
---@param text string
---@param given table<string, any>|nil options that all workloads take
---@param fail (fun(field: string|nil, reason: string))|nil needed with options
function M.from_list(list, text, given, fail)
    local made = setmetatable({ kind = "jobs", models = { [list.model] = true }, random = false,
        text = text, list = list }, Workload)
    if given and next(given) ~= nil then
        made.given, made.generator = given, generators.LISTED
        made.options = generators.read(made.generator, given, fail)
        made.random = changes.random(made.generator, made.options)
        made.sized = attributes.is_size(made.options.group,
            list.attributes and list.attributes.labels, list.model)
        if made.options.group and not made.sized then
            local grouped, why = attributes.regroup(list, made.options.group)
            if not grouped then fail("group", why) end
            made.list = grouped
        end
    end
    return made
end

---Returns a description of stretches of equal jobs of the tandem model.
---@param blocks table[] as core.workload_blocks takes them
---@param text string
function M.from_blocks(blocks, text)
    return setmetatable({ kind = "jobs", models = { tandem = true }, random = false, text = text,
        blocks = blocks }, Workload)
end

---Returns a description of a generator or trace.
---@param generator string|pinion.Generator
---@param given table
---@param text string how the user wrote it
---@param fail fun(field: string|nil, reason: string)
function M.generator(generator, given, text, fail)
    if type(generator) == "string" then generator = generators.find(generator) end
    local options = generators.read(generator, given, fail)
    return setmetatable({
        kind = generator.kind, generator = generator, models = generator.models, text = text,
        options = options, given = given,
        sized = generator.sized and attributes.is_size(options.group, generator.labels),
        random = generator.random or changes.random(generator, options)
            or generator.also ~= nil and generator.also.random(options),
    }, Workload)
end

---Returns a description of a workload written in Lua.
---@param value string|function|table a file's name, a text, a function of g, or a definition as a file returns it
---@param given table
---@param model string|nil whose jobs a function makes that does not say so
function M.script(value, given, model)
    local function fail(field, reason)
        fault.usage("workload: %s%s", field and field .. ": " or "", reason)
    end
    if type(value) ~= "string" then
        return M.generator(scripts.of_function(value, model), given, "a function", fail)
    end
    if scripts.is_text(value) then
        return M.generator(scripts.of_text(value, "workload"), given, M.text_of("a text", given),
            fail)
    end
    return M.from_script(value, given, M.text_of(value, given), fail)
end

---Returns a description of the workload in a file.
---@param path string
---@param given table
---@param text string how the user wrote it
---@param fail fun(field: string|nil, reason: string)
function M.from_script(path, given, text, fail)
    local made = M.generator(scripts.of_file(path), given, text, fail)
    made.script = path
    return made
end

---Writes options as a SPEC string has them, for titles.
---@param kind string
---@param options table<string, any>
---@return string
function M.text_of(kind, options)
    local parts = { kind }
    for _, name in ipairs(check.sorted_keys(options)) do
        local value = options[name]
        if check.is_array(value, true) then
            local pieces = {}
            for i, piece in ipairs(value) do pieces[i] = tostring(piece) end
            value = table.concat(pieces, ";")
        end
        parts[#parts + 1] = string.format("%s=%s", tostring(name), tostring(value))
    end
    return table.concat(parts, ",")
end

---Reads a Lua table of jobs.
---@param value table[]
---@param name string what messages call it
---@param model string|nil whose jobs they are; nil: as their fields say
---@param declared any|nil attributes with their defaults, as users declare them
---@param given table<string, any>|nil options that all workloads take
function M.from_table(value, name, model, declared, given)
    model = model or jobs.model_of(value)
    local carried = declared ~= nil
        and attributes.read_declared(declared, model, true, function(field, reason)
            fault.at(nil, field and "attributes." .. field or "attributes", reason)
        end) or nil
    local list = jobs.read(value, {
        lua = true,
        fail = function(index, field, reason)
            local path = index and string.format("%s[%d]", name, index) or name
            fault.at(nil, field and path .. "." .. field or path, reason)
        end,
    }, model, carried)
    return M.from_list(list, "table", given, function(field, reason)
        fault.usage("%s: %s%s", name, field and field .. ": " or "", reason)
    end)
end

---Reads a csv file with a header.
---@param path string
---@param model string|nil whose jobs they are; nil: as the header says
---@param given table<string, any>|nil options that all workloads take
---@param text string|nil how the user wrote it
---@param fail (fun(field: string|nil, reason: string))|nil needed with options
function M.from_csv(path, model, given, text, fail)
    local list = csv.read_jobs(path, model)
    list.path = path
    return M.from_list(list, text or "csv:" .. path, given, fail)
end

---Splits pieces of a text between commas; those between parentheses do not count.
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

-- Splits at a path; a file name may hold commas; it ends where a piece looks like option=value.
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
        if not key then
            fail(nil, string.format("expected option=value, got %s", check.show(piece)))
        end
        if options[key] ~= nil then fail(key, "given twice") end
        options[key] = value
    end
    return options
end

-- Returns what may have been meant: a file without its kind, or a kind mistyped.
local function spec_hint(spec, kind)
    local path, options = spec:match "^([^,]*)(.*)$"
    local alone, meant = mistaken.spec_of(spec), mistaken.spec_of(path)
    if alone or meant then
        return string.format("(did you mean '%s'?)", alone or meant .. options)
    end
    if spec:lower():find("%.json$") then
        return "(expected a SPEC; a scenario file is an argument of its own, without --workload)"
    end
    local known = generators.names()
    known[#known + 1] = "csv"
    table.sort(known)
    return suggest.hint(kind, known)
end

-- Reads mine.lua,load=.8
local function script_spec(spec, path, options)
    local function fail(field, reason)
        fault.usage("workload %s: %s%s", check.show(spec), field and field .. ": " or "", reason)
    end
    local pieces = options == "" and {} or M.split(options:sub(2))
    return M.from_script(path, read_options(pieces, fail), spec, fail)
end

---Reads a SPEC string such as "zheng:0,seed=7", "facebook", "swim:FILE,scale=1/50" or "csv:FILE".
---@param spec string
---@param model string|nil the model that is asked for, whose jobs a csv file has to hold
function M.spec(spec, model)
    local script, options = spec:match("^%s*([^,]-%.lua)%s*(.*)$")
    if script and (options == "" or options:find "^,") then
        return script_spec(spec, script, options)
    end
    local kind, rest = spec:match("^%s*([%w_]*)(.*)$")
    local function fail(field, reason)
        fault.usage("workload %s: %s%s", check.show(spec), field and field .. ": " or "", reason)
    end
    if kind == "csv" then
        if not rest:find("^:.") then fail(nil, "a file name is missing (expected csv:FILE)") end
        local path, pieces = split_path(M.split(rest:sub(2)))
        return M.from_csv(path, model, read_options(pieces, fail), spec, fail)
    end
    local generator = generators.find(kind)
    if not generator or not rest:find("^[:,]") and rest ~= "" then
        fault.usage("unknown workload %s %s", check.show(spec), spec_hint(spec, kind))
    end
    local subject = nil
    local pieces = rest == "" and {} or M.split(rest:sub(2))
    if rest:sub(1, 1) == ":" then
        if not generator.subject then
            fail(nil, string.format("nothing goes behind '%s:' (expected %s,option=value)", kind,
                kind))
        end
        subject, pieces = split_path(pieces)
    end
    local options = read_options(pieces, fail)
    if subject then
        if options[generator.subject] ~= nil then fail(generator.subject, "given twice") end
        options[generator.subject] = subject
    end
    return M.generator(kind, options, spec, fail)
end

return M
