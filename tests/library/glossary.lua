-- docs/results.md names every column and every field that the program prints; docs/workloads.md
-- names every workload and its options. The names are taken from outputs of small runs with many
-- options, not from a list.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

local MODELS = require("pinion.models").names()

-- ---- the page ---------------------------------------------------------------------------------

---The backquoted words in the first two cells of each table row, by section.
---@return table names the words of the first cell: fields
---@return table titles the words of both: titles in tables
local function read_glossary(path)
    local names, titles, section = {}, {}, nil
    for line in check.read_file(path):gmatch "[^\n]+" do
        local heading = line:match "^## (.*)"
        if heading then
            section = heading:lower()
            names[section], titles[section] = {}, {}
        elseif line:match "^| `" then
            local first, second = line:match "^| (.-) | (.-) |"
            section = section or "endings"
            names[section], titles[section] = names[section] or {}, titles[section] or {}
            for word in first:gmatch "`([^`]+)`" do names[section][word] = true end
            for word in (first .. second):gmatch "`([^`]+)`" do titles[section][word] = true end
        end
    end
    return names, titles
end

local names, titles = read_glossary "docs/results.md"
for _, model in ipairs(MODELS) do
    check.is_true("a section for " .. model, names[model] ~= nil)
    check.contains("the rules of " .. model, check.read_file("docs/models/" .. model .. ".md"),
        "# ")
end

local function is_named(kind, model, word)
    return kind["all models"][word] or kind[model][word]
end

-- ---- what the program prints -----------------------------------------------------------------

---Adds the names in a JSON text to `found`, with the command that printed it. What is in params,
---samples and proofs has names from elsewhere.
local function names_in_json(text, found, where)
    for _, field in ipairs { "params", "samples", "proofs" } do
        text = text:gsub('"' .. field .. '": %b{}', '"' .. field .. '": 0')
    end
    for word in text:gmatch '"([^"]+)":' do found[word] = where end
end

local function names_in_csv(text, found, where)
    for word in text:match("^[^\n]*"):gmatch "[^,]+" do found[word] = where end
end

local function without_ending(word)
    for _, ending in ipairs { "_sd", "_half", "_exact" } do
        if word:sub(-#ending) == ending then return word:sub(1, -#ending - 1) end
    end
    return word
end

---Cells of a line of an aligned table: two blanks or more stand between them.
local function cells(line)
    local list = {}
    for cell in (line .. "  "):gmatch "(%S.-)%s%s+" do list[#list + 1] = cell end
    return list
end

---Titles of columns, and labels at the beginning of the lines above the first table.
local function titles_in_text(text, found, where, is_run)
    local before, in_labels, first = "", is_run, true
    for line in (text .. "\n"):gmatch "(.-)\n" do
        if line == "" then in_labels = false
        elseif in_labels and not first then
            found[cells(line)[1]] = where
        elseif before == "" and not first and #cells(line) > 2 then
            for _, cell in ipairs(cells(line)) do found[cell] = where end
        end
        before, first = line, false
    end
end

local function print_all(command, arguments, found, shown)
    local where = command .. " " .. table.concat(arguments, " ")
    local function output(...)
        local all = { command, "--quiet" }
        table.move(arguments, 1, #arguments, 3, all)
        for _, word in ipairs { ... } do all[#all + 1] = word end
        return (program.succeed(where, all))
    end
    local is_run = command == "simulate"
    names_in_json(output("--format", "json"), found, where)
    names_in_csv(output("--format", "csv"), found, where)
    titles_in_text(output("--format", "table"), shown, where, is_run)
    if is_run then
        names_in_csv(output("--format", "csv", "--jobs-detail"), found, where)
        titles_in_text(output("--format", "table", "--jobs-detail"), shown, where, true)
    end
end

local function words(text)
    local list = {}
    for word in text:gmatch "%S+" do list[#list + 1] = word end
    return list
end

local outage = program.file("outage.json", [[
{ "model": "cluster", "policy": "fair",
  "params": { "attempt_fail_permille": 200, "attempts_max": 2 },
  "nodes": [ { "count": 3, "map_slots": 2, "reduce_slots": 1 } ],
  "jobs": [
    { "submit": 0, "maps": 24, "reduces": 6, "map_ms": 20000, "reduce_ms": 30000,
      "shuffle_ms": 6000, "name": "a" },
    { "submit": 12000, "maps": 4, "reduces": 1, "map_ms": 6000, "reduce_ms": 3000,
      "deadline": 90000, "group": "b" } ],
  "failures": [ { "time": 30000, "node": 1, "recover": 60000 } ] }]])
local queue = program.file("queue.json", [[
{ "model": "tandem", "policy": "klps",
  "jobs": [ { "arrival": 0, "map": 4, "shuffle": 1, "name": "a" },
            { "arrival": 1, "map": 1, "shuffle": 2, "group": "b" } ] }]])
local batch = program.file("batch.json", [[
{ "model": "makespan", "policy": "uaas", "map_slots": 3, "reduce_slots": 2, "level": "task",
  "jobs": [ { "maps": [3, 5, 4], "reduces": [7], "group": "b" },
            { "maps": [2, 2], "reduces": [1, 6], "name": "a" } ] }]])

local stages = program.file("stages.json", [[
{ "model": "dag", "policy": "capacity", "name": "some", "resources": ["cpu", "memory"],
  "nodes": "2x4/8", "queues": "prod:2:700+dev:1:300:600", "params": { "preempt": true },
  "jobs": [
    { "arrival": 0, "queue": "prod", "name": "a", "deadline": 90000, "stages": [
      { "tasks": 24, "duration": 4000, "demand": [1, 2] },
      { "durations": [900, 1200], "demand": [2, 1], "parents": [0] } ] },
    { "arrival": 1200, "queue": "dev", "group": "b", "stages": [
      { "tasks": 4, "duration": 6000, "demand": [1, 1] } ] } ],
  "failures": [ { "time": 3000, "node": 1, "recover": 60000 } ] }]])

local RUNS = {
    slotted = {
        { "simulate", "--workload facebook,jobs=200 --policy asrpt --bounds tight " ..
            "--warmup 5 --error lognormal(1,1)" },
        { "simulate", "--workload facebook,jobs=200 --policy fifo --until 50" },
        { "compare", "--workload facebook,jobs=200 --policies fifo,asrpt,srpt " ..
            "--bounds tight --warmup 5" },
        { "compare", "--workload facebook,jobs=200 --policies fifo,asrpt --bounds tight " ..
            "--replicas 2 --error lognormal(1,1)" },
        { "sweep", "--workload facebook,jobs=40 --policies fifo,asrpt --bounds tight " ..
            "--replicas 2 --over machines=50,100" },
    },
    tandem = {
        { "simulate", queue .. " --slowdown-by-size 2x1 --bounds tight" },
        { "simulate", "--workload lin,jobs=400 --policy klps --bounds tight " ..
            "--slowdown-by-size 4x1 --warmup 5 --error lognormal(1,1)" },
        { "compare", queue .. " --policies fcfs,klps --bounds tight" },
        { "compare", "--workload lin,jobs=400 --policies fcfs,klps --bounds tight " ..
            "--slowdown-by-size 4x1 --warmup 5 --replicas 2" },
        { "sweep", "--workload lin,jobs=100 --policies fcfs,klps --bounds tight " ..
            "--replicas 2 --over speed=1,2" },
    },
    makespan = {
        { "simulate", batch .. " --bounds tight --policy exact" },
        { "simulate", "--workload t1_like --set level=task --policy balanced_pools --bounds " ..
            "tight" },
        { "simulate", "--workload t1_like --policy uaas --param search_ratio=true --bounds tight" },
        { "compare", batch .. " --bounds tight --policies uaas,exact" },
        { "compare", "--workload t1_like --policies fifo,uaas --param search_ratio=true " ..
            "--bounds tight" },
        { "compare", "--workload t1_like --set level=task --policies fifo,balanced_pools " ..
            "--bounds tight --replicas 2" },
        { "sweep", "--workload t1_like --policies fifo,uaas --over slots=20x20,40x40" },
    },
    dag = {
        { "simulate", stages },
        { "simulate", stages .. " --policy tetris --until 9000 --bounds none" },
        { "simulate", "--workload dag:layered,jobs=50 --policy srpt --warmup 5" },
        { "compare", stages .. " --policies fifo,capacity" },
        { "compare", stages .. " --policies fifo,drf --replicas 2 --param factor_hi=2000" },
        { "sweep", stages .. " --policies fifo,drf --over nodes=2x4/8,3x4/8" },
    },
    cluster = {
        { "simulate", outage .. " --policy hsrtf-prp" },
        { "simulate", outage .. " --policy fair --until 40000" },
        { "simulate", "--workload rtmr --policy rtmr --warmup 5" },
        { "simulate", "--workload rtmr --policy rtmr-live" },
        { "compare", outage .. " --policies fifo,hsrtf-prp" },
        { "compare", "--workload rtmr --policies rtmr,fifo --replicas 2" },
        { "sweep", "--workload hsrtf --policies fifo,fair --replicas 2 --over " ..
            "nodes=40x8x2,57x8x2" },
    },
}

-- What a sweep varies is a column; columns of pools and of titles count from 1.
local function generic(word)
    if word:match "^vs " then return "vs NAME" end
    if word:match "^/ " then return "/ NAME" end
    if word:match "^pool %d+$" then return "pool 1" end
    return word
end

for _, model in ipairs(MODELS) do
    local found, shown, page = {}, {}, "docs/results.md, " .. model
    for _, run in ipairs(RUNS[model]) do
        local arguments = words(run[2])
        if arguments[1] == "--workload" then
            table.move({ "--model", model }, 1, 2, #arguments + 1, arguments)
        end
        print_all(run[1], arguments, found, shown)
    end
    local count = 0
    for word, where in pairs(found) do
        count = count + 1
        local named = is_named(names, model, word) or is_named(names, model, without_ending(word))
        check.is_true(string.format("%s: the field %s of: %s", page, word, where), named == true)
    end
    check.is_true(model .. " prints fields", count > 40)
    for word, where in pairs(shown) do
        check.is_true(string.format("%s: the title '%s' of: %s", page, word, where),
            is_named(titles, model, generic(word)) == true)
    end
end

-- ---- workloads --------------------------------------------------------------------------------

local page = check.read_file "docs/workloads.md"
local list = program.succeed("the list of workloads", { "workload", "--format", "json" })
local listed = core.json_decode(list, "list").workloads
check.is_true("workloads", #listed > 15)
for _, workload in ipairs(listed) do
    check.contains("docs/workloads.md: a workload", page, workload.name)
    for _, option in ipairs(workload.options) do
        check.is_true(string.format("docs/workloads.md: %s of %s", option.name, workload.name),
            option.name == "file" or page:find("`" .. option.name .. "[`=]") ~= nil)
    end
end

check.done()
