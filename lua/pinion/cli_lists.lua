-- The commands that describe: workload, policies, version.

local check = require "pinion.check"
local core = require "pinion.core"
local csv = require "pinion.csv"
local fault = require "pinion.fault"
local files = require "pinion.files"
local json = require "pinion.json"
local models = require "pinion.models"
local new_policy = require "pinion.new_policy"
local policies = require "pinion.policies"
local setup = require "pinion.cli_setup"
local text = require "pinion.text"

local M = {}

-- ---- workload ------------------------------------------------------------------------------------------

-- A conversion holds all jobs in memory.
local JOBS_MAX = 1000000

local TRACE_LINES = {
    { "rows", "rows" }, { "map_only", "map-only rows" }, { "all_zero", "rows without any bytes" },
    { "no_input", "rows that shuffle but read nothing" }, { "expanding", "rows that shuffle more than they read" },
    { "no_output", "rows that shuffle but write nothing" },
    { "map_input_bytes", "bytes read" }, { "shuffle_bytes", "bytes shuffled" }, { "output_bytes", "bytes written" },
}

-- Why a workload could not be gone through.
local function stopped(why)
    if core.interrupted() then fault.interrupted() end
    fault.run("%s", why)
end

local function describe(opened, machines)
    local totals, why = opened.core:totals()
    if not totals then stopped(why) end
    local span = totals.jobs > 0 and totals.last_arrival - totals.first_arrival + 1 or 0
    local work = totals.maps + totals.reduces
    return {
        { "jobs", totals.jobs }, { "map_only", totals.map_only }, { "map_units", totals.maps }, { "reduce_units", totals.reduces },
        { "reduce_tasks", totals.reduce_tasks }, { "first_arrival", totals.first_arrival }, { "last_arrival", totals.last_arrival },
        { "span", span }, { "machines", machines }, { "load", span > 0 and work / (machines * span) or nil },
        { "groups", #opened.groups },
    }
end

local LABELS = { map_only = "map-only jobs", map_units = "map units", reduce_units = "reduce units", reduce_tasks = "reduce tasks",
                 first_arrival = "first arrival", last_arrival = "last arrival", span = "span in slots" }

local function description_text(description, opened, title)
    local entries = {}
    for i, pair in ipairs(description) do
        local amount = pair[1] == "load" and text.number(pair[2], 3) or text.amount(pair[2])
        entries[i] = { LABELS[pair[1]] or pair[1], amount }
    end
    for _, line in ipairs(opened.summary and TRACE_LINES or {}) do
        entries[#entries + 1] = { "trace: " .. line[2], text.amount(opened.summary[line[1]]) }
    end
    return title .. "\n" .. text.list(entries)
end

local function description_json(description, opened, settings)
    local fields = { { "workload", settings.workload.text } }
    table.move(description, 1, #description, 2, fields)
    if opened.seed then fields[#fields + 1] = { "seed", opened.seed } end
    if opened.summary then
        local trace = {}
        for i, line in ipairs(TRACE_LINES) do trace[i] = { line[1], opened.summary[line[1]] } end
        fields[#fields + 1] = { "trace", json.object(trace) }
    end
    return fields
end

-- The jobs as a scenario file has them: names and groups by name.
local function listed_jobs(opened)
    local list, why = opened.core:jobs(JOBS_MAX)
    if not list then stopped(why) end
    for id, job in ipairs(list) do
        job.name = opened.names[id]
        job.group = job.group and opened.groups[job.group + 1] or nil
    end
    return list
end

local function job_fields(job)
    local fields = { { "arrival", job.arrival }, { "maps", job.maps }, { "reduces", json.list(job.reduces) } }
    for _, name in ipairs { "name", "group", "estimate_maps", "estimate_reduces" } do
        if job[name] ~= nil then fields[#fields + 1] = { name, job[name] } end
    end
    return json.encode(json.object(fields))
end

local function write_scenario(list, settings, write)
    json.write({
        { "model", settings.model }, { "machines", settings.machines }, { "reduce", settings.reduce },
        { "jobs", json.rows(#list, function(i) return job_fields(list[i]) end) },
    }, write)
    write("\n")
end

---@return integer exit code
function M.workload(args)
    local spec = args.spec
    args.workload = nil -- set by the command's own name
    if spec == "-" or spec:find("%.json$") and not spec:find("^%a+:") then
        args.scenario = spec
    else
        args.workload = spec
    end
    local machines = setup.integer(args, "machines", 1, 1 << 24)
    args.set = machines and { "machines=" .. machines } or nil
    local settings, model = setup.settings(args)
    local opened = model.open(settings)
    files.check_writable(args.output)
    local format = setup.format(args, not (args.jobs or args.output) and "table" or nil)
    if args.jobs and format == "table" then format = "json" end
    setup.emit(args, function(write)
        if args.jobs or format == "csv" then
            local list = listed_jobs(opened)
            if format == "csv" then csv.write_jobs(list, write) else write_scenario(list, settings, write) end
            return
        end
        local description = describe(opened, settings.machines)
        if format == "json" then
            json.write(description_json(description, opened, settings), write)
            write("\n")
        else
            write(description_text(description, opened, settings.workload.text))
        end
    end)
    return 0
end

-- ---- policies ------------------------------------------------------------------------------------------

local function modes(policy)
    if policy.preemptive and policy.nonpreemptive then return "both" end
    return policy.preemptive and "preemptive" or "nonpreemptive"
end

local function policies_text(list)
    local rows = {}
    for i, policy in ipairs(list) do rows[i] = { policy.model, policy.name, modes(policy), policy.summary } end
    return text.table({ { "model" }, { "name" }, { "reduce" }, { "what it does" } }, rows) .. [[

`pinion policies NAME` describes one, `--source` prints it in Lua. Each but srpt is also a file that runs in the sandbox and
decides the same: --policy slotted/NAME.lua. A policy of your own is run by its file's name; `pinion new-policy` begins one.
]]
end

local function limit_text(parameter, limit)
    if math.abs(limit) == math.huge or not parameter.float and math.abs(limit) == check.INTEGER_MAX then return "" end
    return check.show(math.tointeger(limit) or limit)
end

local function range_text(parameter)
    local range = limit_text(parameter, parameter.low) .. ".." .. limit_text(parameter, parameter.high)
    return parameter.float and range .. " (any number)" or range
end

local function policy_text(policy)
    local lines = text.list {
        { policy.model .. "/" .. policy.name, policy.summary }, { "source", policy.source }, { "reduce", modes(policy) },
        { "runs", policy.text and "in Lua, in a sandbox" or "in the kernel" },
        { "work-conserving", policy.work_conserving and "yes" or "no" },
        { "relaxed", policy.relaxed and "yes: a lower bound, infeasible by design" or "no" },
    }
    if policy.twin then lines = lines .. text.list { { "in Lua", policy.twin .. " (--source prints it)" } } end
    if #policy.params == 0 then return lines .. "no parameters\n" end
    local rows = {}
    for i, p in ipairs(policy.params) do
        rows[i] = { p.name, check.show(p.value), range_text(p), p.doc }
    end
    return lines .. "\n" .. text.table({ { "parameter" }, { "default", right = true }, { "range" }, { "meaning" } }, rows)
end

local function policy_object(policy)
    local params = {}
    for i, p in ipairs(policy.params) do
        local low, high = p.low, p.high
        if math.abs(low) == math.huge then low = core.null end
        if math.abs(high) == math.huge then high = core.null end
        params[i] = json.object {
            { "name", p.name }, { "default", p.value }, { "low", low }, { "high", high }, { "float", p.float }, { "doc", p.doc },
        }
    end
    return json.object {
        { "model", policy.model }, { "name", policy.name }, { "summary", policy.summary }, { "source", policy.source },
        { "preemptive", policy.preemptive }, { "nonpreemptive", policy.nonpreemptive },
        { "work_conserving", policy.work_conserving }, { "relaxed", policy.relaxed },
        { "lua", policy.text ~= nil }, { "twin", policy.twin or core.null }, { "params", json.list(params) },
    }
end

-- The Lua text of a policy: its own, or its twin's.
local function print_source(args, policy)
    if not args.name then fault.usage("--source: of which policy? (pinion policies NAME --source)") end
    local source = policy.text
    for _, file in ipairs(core.policy_files()) do
        if file.path == policy.twin then source = file.text end
    end
    if not source then fault.usage("--source: policy '%s' has no text in Lua (it is a relaxation, not a schedule)", policy.name) end
    setup.emit(args, function(write) write(source) end)
    return 0
end

---@return integer exit code
function M.new_policy(args)
    local model, why = models.find(args.model or models.default.name)
    if not model then fault.usage("%s", why) end
    local path = new_policy.write(args.name, model.name, args.from, args.output)
    io.stdout:write(string.format("%s is written; try: pinion compare --workload zheng:0 --policies fifo,asrpt,%s --replicas 20\n",
        path, path))
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
        if not policy then (kind == "file" and fault.located or fault.usage)(kind == "file" and "usage" or "%s", why) end
        list = { policy }
    end
    if args.source then return print_source(args, list[1]) end
    setup.emit(args, function(write)
        if args.format == "json" then
            json.write({ { "policies", json.rows(#list, function(i) return json.encode(policy_object(list[i])) end) } }, write)
            write("\n")
        elseif args.name then
            write(policy_text(list[1]))
        else
            write(policies_text(list))
        end
    end)
    return 0
end

---@return integer exit code
function M.version()
    io.stdout:write("pinion " .. core.version .. "\n")
    return 0
end

return M
