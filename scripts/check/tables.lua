-- Tables of the pages, and annotations, that are made from rows of the program. A table is below
-- its mark, <!-- table NAME -->, up to the first line that does not begin with "|".
--   pinion run scripts/check/tables.lua             compare
--   pinion run scripts/check/tables.lua --update    renew them

local keys = require "pinion.models.keys"
local kinds = { stream = require "pinion.output.stream", batch = require "pinion.output.batch" }
local models = require "pinion.models"
local parts = require "pinion.output.parts"
local pinion = require "pinion"
local result_columns = require "pinion.models.columns"

local function code(text) return "`" .. tostring(text) .. "`" end

-- 2^40 instead of 1099511627776, 2^32 - 1 instead of 4294967295.
local function number(value)
    for bits = 17, 53 do
        if value == 1 << bits then return "2^" .. bits end
        if value == (1 << bits) - 1 then return "2^" .. bits .. " - 1" end
    end
    return tostring(value)
end

local function limit(value)
    if value < 0 then return "-" .. number(math.tointeger(-value) or -value) end
    return number(math.tointeger(value) or value)
end

local function values(rule)
    if rule.form then return rule.form end
    if rule.choices then
        local words = {}
        for i, word in ipairs(rule.choices) do words[i] = code(word) end
        return table.concat(words, ", ")
    end
    local range = number(rule.low) .. " to " .. number(rule.high)
    return rule.automatic and code(rule.automatic) .. ", " .. range or range
end

local function default(rule)
    if rule.absent then return rule.absent end
    if rule.value == nil then return "the policy's" end
    return math.type(rule.value) and number(rule.value) or code(rule.value)
end

-- The rules of a model.
local function rules(model)
    local lines = { "| parameter | default | values | meaning |", "| --- | --- | --- | --- |" }
    for _, rule in ipairs(models.params(model)) do
        lines[#lines + 1] = string.format("| %s | %s | %s | %s (%s) |", code(rule.name),
            default(rule), values(rule), rule.doc, rule.source)
    end
    return lines
end

-- `wm` 1 (-2^20 to 2^20), `lend` full (none, empty, full), `order_map` by arrival (job ids); the
-- rules of the model are not the policy's own
local function parameters(policy)
    local shown, rule = {}, {}
    for _, parameter in ipairs(models.params(policy.model)) do rule[parameter.name] = true end
    for _, parameter in ipairs(policy.params) do
        local range = parameter.form or parameter.choices and values(parameter):gsub("`", "")
            or parameter.high >= 1e300 and ">= " .. limit(parameter.low)
            or limit(parameter.low) .. " to " .. limit(parameter.high)
        if not rule[parameter.name] then
            shown[#shown + 1] = string.format("%s %s (%s)", code(parameter.name),
                parameter.absent or tostring(parameter.value), range)
        end
    end
    return #shown > 0 and table.concat(shown, ", ") or "none"
end

local function modes(policy)
    if policy.relaxed then return "both; a lower bound, not a schedule" end
    if policy.preemptive and policy.nonpreemptive then return "both" end
    return policy.preemptive and "preemptive" or "non-preemptive"
end

local KEYED = { slotted = true, tandem = true }

-- The policies of a model: what its keys are, of which the smallest goes first, or where orders are
-- of several kinds what it does.
local function policies(model)
    local slotted, keyed = model == "slotted", KEYED[model]
    local lines = { "| policy | " .. (keyed and "key, smallest first" or "what it does")
        .. " | source |" .. (slotted and " modes |" or "") .. " parameters |",
        "| --- | --- | --- |" .. (slotted and " --- |" or "") .. " --- |" }
    for _, policy in ipairs(pinion.policies(model)) do
        local cells = { code(policy.name), keyed and (keys.text(policy,
            models.find(model).log.key) or "its own") or policy.summary, policy.source }
        if policy.text then cells[3] = code(policy.source) end
        if slotted then cells[4] = modes(policy) end
        cells[#cells + 1] = parameters(policy)
        lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
    end
    return lines
end

-- ---- columns of results -------------------------------------------------------------------------

-- The titles of a column in tables, and the labels of its line in the text of a run.
local function titles(model, column)
    local list, seen = {}, {}
    local function add(title)
        if title and not seen[title] then list[#list + 1], seen[title] = code(title), true end
    end
    for _, sample in ipairs(model.results.samples) do
        if sample.mean == column.name then
            add("mean " .. sample.words)
            add(sample.title)
        end
    end
    local kind = result_columns.kind(column)
    if kind.ratio == "fast" then add(model.words.ratio) end
    if kind.ratio == "tight" and model.words.ratio then add "over the tight bound" end
    add(result_columns.title(column))
    add(column.line and column.line[1])
    return table.concat(list, ", ")
end

-- The seed is a setting, which all models have.
local function columns_of(model)
    local list = {}
    for _, column in ipairs(model.results.columns) do
        if column.name ~= "seed" then list[#list + 1] = column end
    end
    return list
end

local function columns(name)
    local model = models.find(name)
    local lines = { "| name | in tables | unit | meaning | absent |",
        "| --- | --- | --- | --- | --- |" }
    for _, column in ipairs(columns_of(model)) do
        local unit, meaning, absent = table.unpack(column.doc)
        local line = string.format("| %s | %s | %s | %s | %s |", code(column.name),
            titles(model, column), unit, meaning, absent or "never")
        lines[#lines + 1] = line:gsub("|  |", "| |"):gsub("|  |", "| |")
    end
    return lines
end

-- A line for each model: names of columns.
local function lists(title, names_of)
    local lines = { "| model | " .. title .. " |", "| --- | --- |" }
    for _, name in ipairs(models.names()) do
        local names = names_of(models.find(name))
        for i, column in ipairs(names) do names[i] = code(column) end
        lines[#lines + 1] = string.format("| %s | %s |", name, table.concat(names, ", "))
    end
    return lines
end

local function csv()
    return lists("columns in their order", function(model)
        return kinds[model.results.kind].result_columns(model)
    end)
end

local function measures()
    return lists("measures in their order", function(model)
        local names = {}
        for i, measure in ipairs(parts.measures(model)) do names[i] = measure.name end
        return names
    end)
end

-- A field of a class; text of pages without links and marks.
local function field(name, type, column)
    local doc = ""
    if column then
        local unit, meaning, absent = table.unpack(column.doc)
        meaning = meaning:gsub("%[(.-)%]%(.-%)", "%1")
        doc = " " .. (unit ~= "" and unit .. ": " or "") .. meaning
            .. (absent and type:find "|nil$" and "; nil " .. absent or "")
    end
    return string.format("---@field %s %s%s", name, type, doc)
end

-- The type of a mean over replicas.
local function mean_type(column)
    return column.type:find "|nil$" and "number|nil" or "number"
end

local function annotate_run(model, class, add)
    add("---Columns of a run of the " .. model.name .. " model.")
    add("---@class pinion." .. class .. "Columns: pinion.SharedResult")
    for _, column in ipairs(columns_of(model)) do
        add(field(column.name, column.type, column))
        if result_columns.shows(column, "exact") then
            add(field(column.name .. "_exact", "string|nil"))
        end
    end
    add ""
end

local function annotate_row(model, class, add)
    add "---Measures: means over the replicas."
    add("---@class pinion." .. class .. "Measures: pinion.SharedComparisonRow")
    for _, column in ipairs(columns_of(model)) do
        if column.measure then
            add(field(column.name, mean_type(column), column))
            add(field(column.name .. "_sd", "number|nil"))
            add(field(column.name .. "_half", "number|nil"))
        end
        if result_columns.shows(column, "exact") then
            add(field(column.name .. "_exact", "string|nil"))
        end
    end
    add ""
end

local function annotate_groups(model, class, add)
    add "---Columns of a group: sums over its jobs."
    add("---@class pinion." .. class .. "GroupColumns")
    for _, column in ipairs(columns_of(model)) do
        if column.group then add(field(column.name, column.type, column)) end
    end
    add ""
end

local function has_groups(model)
    for _, column in ipairs(model.results.columns) do
        if column.group then return true end
    end
    return false
end

local function annotations()
    local lines = { "---@meta", "", "-- ---- columns of results " .. ("-"):rep(73),
        "-- Made by scripts/check/tables.lua from the rows in lua/pinion/models/MODEL/columns.lua.",
        "" }
    local function add(line) lines[#lines + 1] = line end
    for _, name in ipairs(models.names()) do
        local model, class = models.find(name), name:gsub("^%l", string.upper)
        annotate_run(model, class, add)
        annotate_row(model, class, add)
        if has_groups(model) then annotate_groups(model, class, add) end
    end
    lines[#lines] = nil
    return table.concat(lines, "\n") .. "\n"
end

-- ---- fields of jobs -----------------------------------------------------------------------------

-- Of the models whose jobs csv files have.
local function job_columns()
    local lines = { "| model | columns |", "| --- | --- |" }
    for _, name in ipairs(models.names()) do
        local of, columns = models.find(name).jobs, {}
        for i, column in ipairs(of.columns) do columns[i] = code(column) end
        if not of.nested then
            lines[#lines + 1] = string.format("| %s | %s |", name, table.concat(columns, ", "))
        end
    end
    return lines
end

local JOB_TYPES = { integer = "integer", amount = "number|string", list = "integer[]",
    name = "string", group = "string|integer" }

-- "…; missing: …; LOW..HIGH", as far as there is something to say.
local function job_doc(row)
    local doc = row.doc
    if row.absent then doc = doc .. "; missing: " .. row.absent end
    if row.kind == "integer" and row.high < 1 << 40 and not doc:find(">=", 1, true) then
        doc = string.format("%s; %s..%s", doc, limit(row.low), limit(row.high))
    end
    if row.yields then doc = doc .. "; where `attributes` names it, the attribute" end
    return doc
end

-- What the rows of a model do not say.
local JOB_NOTES = {
    slotted = {
        "What a scheduler sees instead of the true sizes is given by the estimates, where they "
            .. "differ.",
    },
    tandem = { "Times and sizes are 0 or 2^-256..2^256, or text such as \"107/3\"." },
    makespan = {
        "All jobs are there at the start. A stage has its tasks, or a time instead: then it is as",
        "many tasks of that duration as it requests slots. An empty list is not the same as none:",
        "{ maps = {}, map_time = 3 } has no map tasks, while { map_time = 3 } has those that the",
        "time stands for.",
    },
    cluster = {
        "All times are integers in milliseconds on a node of nominal speed. Lists have one value",
        "for each task, and stand in place of the time or the factor that all tasks would have.",
    },
    dag = {},
}

local function job_annotations()
    local lines = { "---@meta", "", "-- ---- fields of jobs " .. ("-"):rep(77),
        "-- Made by scripts/check/tables.lua from the rows in fields.c among models' sources." }
    local function add(line) lines[#lines + 1] = line end
    for _, name in ipairs(models.names()) do
        local class = name == models.default and "" or name:gsub("^%l", string.upper)
        add ""
        add("---A job of the " .. name .. " model.")
        for _, note in ipairs(JOB_NOTES[name]) do add("---" .. note) end
        add("---@class pinion." .. class .. "Job")
        for _, row in ipairs(models.find(name).jobs.rows) do
            local line = string.format("---@field %s%s %s %s", row.name, row.required and "" or "?",
                row.type or JOB_TYPES[row.kind], job_doc(row))
            add((line:gsub(" $", "")))
        end
    end
    return table.concat(lines, "\n") .. "\n"
end

-- ---- pages and files ----------------------------------------------------------------------------

-- file: its text
local FILES = {
    ["lua/meta/columns.lua"] = annotations, ["lua/meta/jobs.lua"] = job_annotations,
}

-- page, name of the table: its lines
local TABLES = {
    ["docs/results.md"] = {
        csv = csv, measures = measures,
        slotted = function() return columns "slotted" end,
        tandem = function() return columns "tandem" end,
        makespan = function() return columns "makespan" end,
        cluster = function() return columns "cluster" end,
        dag = function() return columns "dag" end,
    },
    ["docs/workloads.md"] = { jobs = job_columns },
    ["docs/models/slotted.md"] = { policies = function() return policies "slotted" end },
    ["docs/models/tandem.md"] = { policies = function() return policies "tandem" end },
    ["docs/models/makespan.md"] = {
        rules = function() return rules "makespan" end,
        policies = function() return policies "makespan" end,
    },
    ["docs/models/cluster.md"] = {
        rules = function() return rules "cluster" end,
        policies = function() return policies "cluster" end,
    },
    ["docs/models/dag.md"] = {
        rules = function() return rules "dag" end,
        policies = function() return policies "dag" end,
    },
}

local function read(path)
    local file = assert(io.open(path))
    local text = file:read "a"
    file:close()
    return text
end

-- The page with its tables made anew, and how many there are.
local function made(page, tables)
    local lines, count, inside = {}, 0, false
    for line in read(page):gmatch "([^\n]*)\n" do
        local is_table = line == "" or line:sub(1, 1) == "|"
        if inside and not is_table then lines[#lines + 1] = "" end
        inside = inside and is_table
        if not inside then lines[#lines + 1] = line end
        local name = line:match "^<!%-%- table (%w+) %-%->$"
        if name then
            lines[#lines + 1] = ""
            table.move(tables[name](), 1, 1000, #lines + 1, lines)
            count, inside = count + 1, true
        end
    end
    return table.concat(lines, "\n") .. "\n", count
end

local wrong = 0

local function settle(path, text)
    local file = io.open(path)
    local old = file and file:read "a"
    if file then file:close() end
    if text == old then return end
    if arg[1] == "--update" then
        file = assert(io.open(path, "w"))
        file:write(text)
        file:close()
        print(path .. ": renewed")
    else
        print(path .. ": differs from the rows (pinion run scripts/check/tables.lua --update)")
        wrong = wrong + 1
    end
end

for page, tables in pairs(TABLES) do
    local text, count = made(page, tables)
    assert(count > 0, page .. ": has no mark of a table")
    settle(page, text)
end
for path, text_of in pairs(FILES) do settle(path, text_of()) end
os.exit(wrong == 0)
