-- Tables of the pages that are made from rows of the program. A table stands below its mark,
-- <!-- table NAME -->, up to the first line that does not begin with "|".
--   pinion run scripts/check/tables.lua             compare
--   pinion run scripts/check/tables.lua --update    renew the tables

local keys = require "pinion.models.keys"
local models = require "pinion.models"
local pinion = require "pinion"

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

-- `wm` 1 (-2^20 to 2^20), `lend` full (none, empty, full), `order_map` by arrival (job ids)
local function parameters(policy)
    local parts = {}
    for i, parameter in ipairs(policy.params) do
        local range = parameter.form or parameter.choices and values(parameter):gsub("`", "")
            or parameter.high >= 1e300 and ">= " .. limit(parameter.low)
            or limit(parameter.low) .. " to " .. limit(parameter.high)
        parts[i] = string.format("%s %s (%s)", code(parameter.name),
            parameter.absent or tostring(parameter.value), range)
    end
    return #parts > 0 and table.concat(parts, ", ") or "none"
end

local function modes(policy)
    if policy.relaxed then return "both; a lower bound, not a schedule" end
    if policy.preemptive and policy.nonpreemptive then return "both" end
    return policy.preemptive and "preemptive" or "non-preemptive"
end

-- The policies of a model; a key says what goes first, the smallest number.
local function policies(model)
    local slotted = model == "slotted"
    local lines = { "| policy | key, smallest first | source |" .. (slotted and " modes |" or "")
        .. " parameters |", "| --- | --- | --- |" .. (slotted and " --- |" or "") .. " --- |" }
    for _, policy in ipairs(pinion.policies(model)) do
        local cells = { code(policy.name),
            keys.text(policy, models.find(model).log.key) or "its own", policy.source }
        if policy.text then cells[3] = code(policy.source) end
        if slotted then cells[4] = modes(policy) end
        cells[#cells + 1] = parameters(policy)
        lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
    end
    return lines
end

-- page, name of the table: its lines
local TABLES = {
    ["docs/models/slotted.md"] = { policies = function() return policies "slotted" end },
    ["docs/models/tandem.md"] = { policies = function() return policies "tandem" end },
    ["docs/models/makespan.md"] = { rules = function() return rules "makespan" end },
    ["docs/models/cluster.md"] = { rules = function() return rules "cluster" end },
    ["docs/models/dag.md"] = { rules = function() return rules "dag" end },
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
for page, tables in pairs(TABLES) do
    local text, count = made(page, tables)
    assert(count > 0, page .. ": has no mark of a table")
    if text ~= read(page) and arg[1] == "--update" then
        local file = assert(io.open(page, "w"))
        file:write(text)
        file:close()
        print(page .. ": renewed")
    elseif text ~= read(page) then
        print(page .. ": a table differs from its rows (pinion run scripts/check/tables.lua "
            .. "--update)")
        wrong = wrong + 1
    end
end
os.exit(wrong == 0)
