-- The commands that describe: workload, policies, version.

local lazy = require "pinion.base.lazy"
local attributes = require "pinion.workload.attributes"
local bundle = require "pinion.base.bundle"
local check = require "pinion.base.check"
local core = require "pinion.core"
local csv = require "pinion.workload.csv"
local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local generators = require "pinion.workload.generators"
local graph = lazy.module "pinion.output.graph"
local inputs = require "pinion.run.inputs"
local json = require "pinion.base.json"
local keys = require "pinion.models.keys"
local models = require "pinion.models"
local new_policy = require "pinion.policy.new"
local new_workload = require "pinion.workload.new"
local export = lazy.module "pinion.export"
local policies = require "pinion.policy"
local replay = lazy.module "pinion.run.replay"
local rows = require "pinion.models.rows"
local scenario = require "pinion.run.scenario"
local setup = require "pinion.cli.setup"
local text = require "pinion.base.text"
local trace_counts = require "pinion.workload.trace_counts"
local workload = require "pinion.workload"

local M = {}

-- ---- workload -----------------------------------------------------------------------------------

-- A conversion holds all jobs in memory.
local JOBS_MAX = 1000000

-- Fails with why a workload could not be gone through.
local function stopped(why)
    if core.interrupted() then fault.interrupted() end
    fault.run("%s", why)
end

local STATISTICS = { "mean", "sd", "min", "p50", "p90", "p99", "max" }

-- Writes four digits that count, however small.
local function short(value)
    return string.format("%.4g", value)
end

-- Writes a statistic. Percentiles are known within 1 %: small ones of integers are therefore exact
-- when they are rounded.
local function statistic_text(statistics, name)
    local value = statistics[name]
    local whole = math.tointeger(statistics.min) and math.tointeger(statistics.max)
        and math.tointeger(statistics.sum)
    if whole and name:find "^p%d" and value < 50 then value = math.floor(value + 0.5) end
    return short(value)
end

local function add_statistics(doc, description)
    local columns, rows = { { "of all jobs" } }, {}
    for i, name in ipairs(STATISTICS) do columns[i + 1] = { name, right = true } end
    for _, line in ipairs(description) do
        if type(line[2]) == "table" then
            local cells = { line[3] }
            for i, name in ipairs(STATISTICS) do
                cells[i + 1] = line[2].count > 0 and statistic_text(line[2], name) or "-"
            end
            rows[#rows + 1] = cells
        end
    end
    if #rows == 0 then return end
    doc:gap()
    doc:table(columns, rows)
end

-- How the option load scaled the jobs.
local SCALED = {
    arrivals = "factor on the gaps between arrivals",
    sizes = "factor on the sizes",
}

local function scaled_text(scaled)
    local entries = { { SCALED[scaled.by], string.format("%.6g", scaled.factor) } }
    if scaled.before then entries[2] = { "load without it", text.number(scaled.before, 3) } end
    return entries
end

local function description_document(description, opened, base)
    local entries = {}
    for _, line in ipairs(description) do
        if type(line[2]) ~= "table" then
            entries[#entries + 1] = { line[3], line[4] and text.number(line[2], line[4])
                or text.amount(line[2]) }
        end
    end
    for _, entry in ipairs(opened.scaled and scaled_text(opened.scaled) or {}) do
        entries[#entries + 1] = entry
    end
    for _, fact in ipairs(base.workload:fact_list()) do
        entries[#entries + 1] = { fact[3], type(fact[2]) == "string" and fact[2]
            or text.amount(fact[2]) }
    end
    for _, count in ipairs(opened.summary and trace_counts.list(opened.summary) or {}) do
        entries[#entries + 1] = { "trace: " .. count.words, text.amount(count.amount) }
    end
    local doc = document.new()
    doc:lines(base.workload.text)
    doc:list(entries)
    add_statistics(doc, description)
    return doc
end

local function statistics_object(statistics)
    local fields = { { "count", statistics.count }, { "sum", statistics.sum } }
    for _, name in ipairs(STATISTICS) do fields[#fields + 1] = { name, statistics[name] } end
    return json.object(fields)
end

local function description_json(description, opened, base)
    local fields = { { "workload", base.workload.text } }
    for _, line in ipairs(description) do
        fields[#fields + 1] = { line[1], type(line[2]) == "table" and statistics_object(line[2])
            or line[2] }
    end
    if opened.scaled then
        fields[#fields + 1] = { "scaled", json.object {
            { "by", opened.scaled.by }, { "factor", opened.scaled.factor },
            { "before", opened.scaled.before },
        } }
    end
    local facts = {}
    for i, fact in ipairs(base.workload:fact_list()) do facts[i] = { fact[1], fact[2] } end
    if #facts > 0 then fields[#fields + 1] = { "facts", json.object(facts) } end
    if opened.seed then fields[#fields + 1] = { "seed", opened.seed } end
    if opened.summary then
        local trace = {}
        for i, count in ipairs(trace_counts.list(opened.summary)) do
            trace[i] = { count.name, count.amount }
        end
        fields[#fields + 1] = { "trace", json.object(trace) }
    end
    return fields
end

local function listed_jobs(opened)
    local list, why = workload.listed(opened, JOBS_MAX)
    if not list then stopped(why) end
    return list
end

local function job_fields(job, model, carried)
    local fields, written = {}, {}
    for _, names in ipairs { model.columns, model.more or {}, model.lists or {}, carried } do
        for _, name in ipairs(names) do
            if job[name] ~= nil and not written[name] then
                fields[#fields + 1], written[name] = { name, json.tree(job[name]) }, true
            end
        end
    end
    return json.encode(json.object(fields))
end

-- Writes what jobs carry, declared as files and tables of jobs declare it.
local function attributes_object(work, opened)
    local fields, carried = {}, work.list and work.list.attributes
    for i, name in ipairs(opened.attributes) do
        local labels = (opened.labels or {})[name]
        local default = carried and carried.defaults[name] or attributes.default_of(name)
        fields[i] = { name, labels and json.tree(labels) or default }
    end
    return json.object(fields)
end

-- Writes a scenario. Settings by default that do not suit the jobs are left out: who runs the file
-- has to say them.
local function write_scenario(list, base, write, opened)
    local carried = opened.attributes or {}
    local fields, unsuited = { { "model", base.model.name } }, base.model.jobs.unsuited
    unsuited = unsuited and list[1] and unsuited(list[1], base) or {}
    for _, name in ipairs(base.model.settings.scalars) do
        local value = base[name]
        if value == nil then value = base.model.settings.defaults[name] end
        if name ~= "policy" and name ~= "seed" and value ~= nil and not unsuited[name] then
            fields[#fields + 1] = { name, json.tree(value) }
        end
    end
    if base.model.settings.shows_rules and base.params then
        fields[#fields + 1] = { "params", json.tree(base.params) }
    end
    if #carried > 0 then
        fields[#fields + 1] = { "attributes", attributes_object(base.workload, opened) }
    end
    fields[#fields + 1] =
        { "jobs", json.rows(#list,
        function(i) return job_fields(list[i], base.model.jobs, carried) end) }
    json.write(fields, write)
    write("\n")
end

local function find_model(name)
    local model, why = models.find(name)
    if not model then fault.usage("%s", why) end
    return model
end

-- Reads a scenario file, or a workload in the model that is asked for, or in its only one.
local function read_base(args)
    local spec = args.spec
    if spec == "-" or spec:find("%.json$") and not spec:find("^%a+:")
        or replay.is_inputs(spec) then
        local base = scenario.read(spec)
        if args.model and find_model(args.model) ~= base.model then
            fault.at(base.where, "model",
                string.format("is '%s', but --model is '%s'", base.model.name, args.model))
        end
        return base
    end
    local description = workload.spec(spec, args.model and find_model(args.model).name)
    local model = find_model(args.model or description:only_model() or models.default)
    return setup.beside(model, description)
end

-- Lists models whose jobs a csv file can hold.
local function models_of_csv()
    local names = {}
    for _, name in ipairs(models.names()) do
        if not models.find(name).jobs.nested then names[#names + 1] = name end
    end
    return names
end

-- Lists the kinds of workload, as `pinion workload` without one does.
---@param model string|nil
---@return { name: string, models: string[], doc: string, fields: table[], subject: string|nil }[]
function M.kinds(model)
    local kinds = {}
    for _, name in ipairs(generators.names(model)) do
        local generator = generators.find(name)
        kinds[#kinds + 1] = {
            name = name, models = check.sorted_keys(generator.models), doc = generator.doc,
            fields = generator.fields, subject = generator.subject,
        }
    end
    if not model or not models.find(model).jobs.nested then
        kinds[#kinds + 1] = { name = "csv", models = models_of_csv(),
            doc = "a csv file of jobs with a header: csv:FILE", fields = {}, subject = "file" }
    end
    table.sort(kinds, function(a, b) return a.name < b.name end)
    return kinds
end

local function kind_object(kind)
    local options = {}
    for i, field in ipairs(kind.fields) do
        options[i] = json.object {
            { "name", field.name }, { "default", field.default },
            { "required", field.required or false },
            { "models", field.models and json.list(check.sorted_keys(field.models)) },
            { "doc", field.doc },
        }
    end
    return json.object {
        { "name", kind.name }, { "models", json.list(kind.models) }, { "doc", kind.doc },
        { "options", json.list(options) },
    }
end

local function list_workloads(args)
    if args.model then find_model(args.model) end
    for _, option in ipairs { "machines", "replica", "seed", "jobs", "plot", "job" } do
        if args[option] then
            fault.usage("--%s: name a workload first (`pinion workload` lists them)", option)
        end
    end
    local kinds, format = M.kinds(args.model), setup.format(args, "table")
    if format == "csv" then
        fault.usage("--format: csv means the jobs of a workload; name one first")
    end
    setup.emit(args, function(write)
        if format == "json" then
            json.write({ { "workloads",
                json.rows(#kinds, function(i) return json.encode(kind_object(kinds[i])) end) } },
                write)
            write("\n")
            return
        end
        local rows = {}
        for i, kind in ipairs(kinds) do
            rows[i] = { kind.name, table.concat(kind.models, ", "), kind.doc }
        end
        local doc = document.new()
        doc:table({ { "name" }, { "model" }, { "what it is" } }, rows)
        doc:gap()
        doc:lines("`pinion workload NAME` describes a workload, `pinion help NAME` lists its "
            .. "options.")
        write(doc:text(format))
    end)
    return 0
end

-- Returns which job --plot draws; nil without it.
local function job_to_plot(args, model)
    local job = setup.integer(args, "job", 1)
    if not args.plot then
        if job then fault.usage "--job: needs --plot FILE.svg, which draws it" end
        return nil
    end
    if not graph.draws(model) then
        fault.usage("--plot: draws the stages of a job, and jobs of the %s model have none",
            model.name)
    end
    if not args.plot:find "%.svg$" then
        fault.usage("--plot: file name must end in .svg, got %s", check.show(args.plot))
    end
    return job or 1
end

---@return integer exit code
function M.workload(args)
    if not args.spec then return list_workloads(args) end
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local machines = setup.integer(args, "machines", 1, rows.setting("slotted", "machines").high)
    local base = read_base(args)
    if machines and not base.model.settings.fields.machines then
        fault.usage("--machines: is not an option of the %s model", base.model.name)
    end
    local job = job_to_plot(args, base.model)
    base.machines = machines or base.machines
    if base.model.settings.fields.machines and not base.machines then
        fault.at(base.where, "machines", "is required (an integer >= 1)")
    end
    local opened = base.workload:open {
        model = base.model.name, machines = base.machines, nodes = base.nodes,
        seed = setup.integer(args, "seed", 0) or base.seed,
        replica = setup.integer(args, "replica", 0, 0xFFFFFFFF) or 0,
    }
    setup.check_outputs(args, inputs.of_workload(base.workload))
    local format = setup.format(args, not (args.jobs or args.output) and "table" or nil)
    if args.jobs and format ~= "csv" then format = "json" end
    setup.emit(args, function(write)
        if args.jobs or format == "csv" then
            local list = listed_jobs(opened)
            if format == "csv" then
                csv.write_jobs(list, write, base.model.name, opened.attributes)
            else
                write_scenario(list, base, write, opened)
            end
            return
        end
        local totals, why = opened.core:totals(base.map_slots, base.reduce_slots)
        if not totals then stopped(why) end
        local description = base.model.jobs.describe(totals, opened, base)
        if format == "json" then
            json.write(description_json(description, opened, base), write)
            write("\n")
        else
            write(description_document(description, opened, base):text(format))
        end
    end)
    if job then graph.write(opened, args.plot, { job = job }) end
    return 0
end

-- ---- policies -----------------------------------------------------------------------------------

-- Returns whether it has modes; only policies of the slotted model are defined for modes of the
-- reduces.
local function has_modes(policy)
    return policy.preemptive ~= nil or policy.nonpreemptive ~= nil
end

local function modes(policy)
    if not has_modes(policy) then return "-" end
    if policy.preemptive and policy.nonpreemptive then return "both" end
    return policy.preemptive and "preemptive" or "nonpreemptive"
end

-- Returns, of the policies listed, those of the kernel alone.
local function without_files(list)
    local names = {}
    for _, policy in ipairs(list) do
        if not policy.twin and not policy.text then names[#names + 1] = policy.name end
    end
    return names[1] and "Each but " .. table.concat(names, " and ") or "Each"
end

local function list_document(list)
    local rows = {}
    for i, policy in ipairs(list) do
        rows[i] = { policy.model, policy.name, modes(policy), policy.summary }
    end
    local doc = document.new()
    doc:table({ { "model" }, { "name" }, { "reduce" }, { "what it does" } }, rows)
    doc:gap()
    doc:lines("`pinion policies NAME` describes a policy, `--source` prints its Lua source. "
        .. without_files(list) .. [[ is also a
Lua file that makes the same decisions in the sandbox: --policy MODEL/NAME.lua. To run your own
policy, give its file name; `pinion new-policy` writes a template.
]])
    return doc
end

local function limit_text(parameter, limit)
    if math.abs(limit) == math.huge or not parameter.float
            and math.abs(limit) == check.INTEGER_MAX then
        return ""
    end
    return check.show(math.tointeger(limit) or limit)
end

local function range_text(parameter)
    if parameter.form then return parameter.form end
    if parameter.choices then
        local words = {}
        for i, word in ipairs(parameter.choices) do words[i] = tostring(word) end
        return table.concat(words, ", ")
    end
    local range = limit_text(parameter, parameter.low) .. ".."
        .. limit_text(parameter, parameter.high)
    if parameter.automatic then return parameter.automatic .. ", " .. range end
    return parameter.float and range .. " (real)" or range
end

local function default_text(parameter)
    if parameter.absent then return parameter.absent end
    return type(parameter.value) == "string" and parameter.value or check.show(parameter.value)
end

local function conserving_text(policy)
    if policy.work_conserving then return "yes" end
    return policy.work_conserving_by_default and "with the default parameters" or "no"
end

local function key_of(policy)
    return keys.text(policy, models.find(policy.model).log.key)
end

-- Returns "lines 3, 17, shared.lua:5" for lines by file.
local function places_text(lines)
    local texts = {}
    for i, file in ipairs(check.sorted_keys(lines)) do
        local list = check.sorted_keys(lines[file])
        local before = file ~= "" and file .. ".lua:" or #list == 1 and "line " or "lines "
        texts[i] = before .. table.concat(list, file == "" and ", " or ", " .. before)
    end
    return table.concat(texts, ", ")
end

-- Returns which functions of a policy in Lua are compiled: by the lines on which they begin.
local function compiled_text(policy)
    local lines, texts = {}, {}
    for _, f in ipairs(policy.functions) do
        local unfit, file = f.unfit or "", f.file or ""
        lines[unfit] = lines[unfit] or {}
        lines[unfit][file] = lines[unfit][file] or {}
        lines[unfit][file][f.line] = true -- once, though it may serve several orders
    end
    for i, unfit in ipairs(check.sorted_keys(lines)) do
        local place = places_text(lines[unfit])
        texts[i] = unfit == "" and place or "not " .. place .. ": " .. unfit
    end
    return texts[1] and table.concat(texts, "; ") or "no functions"
end

local function add_policy(doc, policy)
    local key = key_of(policy)
    local entries = {
        { policy.model .. "/" .. policy.name, policy.summary }, { "source", policy.source },
        key and { "key", key } or false,
        has_modes(policy) and { "reduce", modes(policy) } or false,
        { "runs", policy.text and "in Lua, in a sandbox" or "in the kernel" },
        policy.functions and { "compiled", compiled_text(policy) } or false,
        policy.work_conserving ~= nil and { "work-conserving", conserving_text(policy) } or false,
        policy.level and { "level", policy.level .. " only" } or false,
        policy.admits
            and { "admission", "jobs may be rejected"
            .. (policy.deadlines and "; every job needs a deadline" or "") } or false,
        has_modes(policy)
            and { "relaxed", policy.relaxed and "yes: a lower bound, not a schedule" or "no" }
            or false,
        policy.twin and { "in Lua", policy.twin .. " (--source prints it)" } or false,
    }
    local shown = {}
    for _, entry in ipairs(entries) do shown[#shown + 1] = entry or nil end
    doc:list(shown)

    if #policy.params == 0 then
        doc:lines "no parameters"
        return
    end
    local rows = {}
    for i, p in ipairs(policy.params) do
        rows[i] = { p.name, default_text(p), range_text(p), p.doc }
    end
    doc:gap()
    doc:table({ { "parameter" }, { "default", right = true }, { "range" }, { "meaning" } }, rows)
end

local function limit_value(limit)
    if limit and math.abs(limit) == math.huge then return core.null end
    return limit
end

local function parameter_object(p)
    local fields = { { "name", p.name } }
    local function add(name, value)
        fields[#fields + 1] = value ~= nil and { name, value } or nil
    end
    add("default", p.value)
    add("low", limit_value(p.low))
    add("high", limit_value(p.high))
    add("float", p.float)
    add("choices", p.choices and json.list(p.choices))
    add("list", p.list)
    add("doc", p.doc)
    return json.object(fields)
end

local function policy_object(policy)
    local params = {}
    for i, p in ipairs(policy.params) do params[i] = parameter_object(p) end
    local fields = {
        { "model", policy.model }, { "name", policy.name }, { "summary", policy.summary },
        { "source", policy.source },
        { "key", key_of(policy) },
    }
    for _, name in ipairs { "preemptive", "nonpreemptive", "work_conserving",
        "work_conserving_by_default", "relaxed", "ranks",
                            "level", "preempts", "admits", "deadlines" } do
        if policy[name] ~= nil then fields[#fields + 1] = { name, policy[name] } end
    end
    table.move({ { "lua", policy.text ~= nil }, { "twin", policy.twin or core.null },
        { "params", json.list(params) } }, 1, 3,
        #fields + 1, fields)
    return json.object(fields)
end

-- Returns all policies that a name alone may mean, when it was enough to find this one: models
-- share names.
local function same_name(list, policy, name)
    local found = {}
    for _, other in ipairs(list) do
        if other.name == name then found[#found + 1] = other end
    end
    return #found > 0 and found or { policy }
end

-- Prints the Lua text of a policy: its own, or its twin's.
local function print_source(args, policy)
    if not args.name then
        fault.usage("--source: name a policy (pinion policies NAME --source)")
    end
    local source = policy.text and bundle.own(policy.text)
    for _, file in ipairs(core.policy_files()) do
        if file.path == policy.twin then source = file.text end
    end
    if not source then
        local why = policy.relaxed and "it is a relaxation, not a schedule"
            or "it exists in C only"
        fault.usage("--source: policy '%s' has no text in Lua (%s)", policy.name, why)
    end
    setup.emit(args, function(write) write(source) end)
    return 0
end

---@return integer exit code
function M.new_policy(args)
    local model, why = models.find(args.model or models.default)
    if not model then fault.usage("%s", why) end
    local path = new_policy.write(args.name, model.name, args.from, args.output)
    io.stdout:write(text.line("%s is written; try: %s", path,
        new_policy.trial(model.name, path, args.from)))
    return 0
end

---@return integer exit code
function M.export(args)
    local policy, why = policies.lookup(args.policy)
    if not policy then fault.usage("%s", why) end
    if not policy.text then
        fault.usage("export: '%s' is built in, in C (expected a policy's file, such as %s)",
            args.policy, policy.twin or "mine.lua")
    end
    setup.check_outputs(args, inputs.of_policies { args.policy })
    local made = export.policy(policy)
    setup.emit(args, function(write) write(made) end)
    return 0
end

---@return integer exit code
function M.new_workload(args)
    local model, why = models.find(args.model or models.default)
    if not model then fault.usage("%s", why) end
    local path = new_workload.write(args.name, model.name, args.output)
    io.stdout:write(text.line("%s is written; try: %s", path,
        new_workload.trial(model.name, path)))
    return 0
end

---@return integer exit code
function M.policies(args)
    if args.model then
        local model, why = models.find(args.model)
        if not model then fault.usage("%s", why) end
    end
    local list = policies.list(args.model)
    if args.name then
        local policy, why, kind = policies.lookup(args.name, args.model)
        if not policy then
            (kind == "file" and fault.located or fault.usage)(kind == "file" and "usage" or "%s",
                why)
        end
        list = same_name(list, policy, args.name)
    end
    if args.source and #list > 1 and list[1].model ~= models.default then
        fault.usage("--source: policies of the models %s and %s are called %s (choose one with "
            .. "--model)", list[1].model, list[2].model, args.name)
    end
    setup.check_outputs(args, inputs.of_policies { args.name })
    if args.source then return print_source(args, list[1]) end
    local format = setup.format(args, "table")
    if format == "csv" then
        fault.usage("--output: %s would be csv, but policies are not written as csv (expected "
            .. ".txt, .md, .tex or .json)", args.output)
    end
    setup.emit(args, function(write)
        if format == "json" then
            json.write({ { "policies",
                json.rows(#list, function(i) return json.encode(policy_object(list[i])) end) } },
                write)
            write("\n")
            return
        end
        local doc = args.name and document.new() or list_document(list)
        for i, policy in ipairs(args.name and list or {}) do
            if i > 1 then doc:gap() end
            add_policy(doc, policy)
        end
        write(doc:text(format))
    end)
    return 0
end

---@return integer exit code
function M.version()
    io.stdout:write("pinion " .. core.version .. "\n")
    return 0
end

return M
