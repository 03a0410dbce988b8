-- Tables of the pages that are made from rows of the program. A table stands below its mark,
-- <!-- table NAME -->, up to the first line that does not begin with "|".
--   pinion run scripts/check/tables.lua             compare
--   pinion run scripts/check/tables.lua --update    renew the tables

local models = require "pinion.models"

local function code(text) return "`" .. tostring(text) .. "`" end

-- 2^40 instead of 1099511627776, 2^32 - 1 instead of 4294967295.
local function number(value)
    for bits = 17, 53 do
        if value == 1 << bits then return "2^" .. bits end
        if value == (1 << bits) - 1 then return "2^" .. bits .. " - 1" end
    end
    return tostring(value)
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

-- page, name of the table: its lines
local TABLES = {
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
