-- Judges the coverage that llvm-cov has exported, as JSON.
--   pinion run scripts/check/coverage.lua FILE            a table of folders, then the open
--                                                         conditions of the kernel
--   pinion run scripts/check/coverage.lua FILE FOLDER     the table of that folder's files, then
--                                                         all its open conditions
-- A condition is covered when it was true and false, and, where it is part of a decision of several
-- conditions, when it alone has decided it (MC/DC). Open conditions of PN_ASSERT are not counted:
-- they are false in no correct program. Those of PN_ALWAYS and PN_NEVER are constants here.

local core = require "pinion.core"

-- What must be covered, in percent: a little less than what is, as random tests draw fresh seeds.
local REQUIRED <const> = {
    { folder = "kernel", branches = 99.9, mcdc = 99.9 },
    { folder = "lua", branches = 97, mcdc = 93 },
}

local path, asked = ...
local root = os.getenv "PWD" .. "/"

-- ---- a file's source ----------------------------------------------------------------------------

-- The places of a file, "line:column", at which an argument of PN_ASSERT begins and ends.
local function assertions(lines)
    local spans = {}
    for at, line in ipairs(lines) do
        local from = line:match "%f[%w_]PN_ASSERT()%("
        if line:find "^#define" then spans[#spans + 1] = { first = at, last = at } end
        if from and not line:find "^#" then
            local last, rest = at, line:sub(from)
            while not rest:find "^%b()" and lines[last + 1] do
                last = last + 1
                rest = rest .. "\n" .. lines[last]
            end
            spans[#spans + 1] = { first = at, last = last }
        end
    end
    return spans
end

local function read_lines(name)
    local lines = {}
    for line in io.lines(name) do lines[#lines + 1] = line end
    return lines
end

-- Whether a place is in an argument of PN_ASSERT, or in the definition of a macro, which is counted
-- where it is used.
local function asserted(spans, line)
    for _, span in ipairs(spans) do
        if span.first <= line and line <= span.last then return true end
    end
    return false
end

-- ---- conditions ---------------------------------------------------------------------------------

-- Functions of headers stand in several objects: what one of them has covered is covered.
local function place_of(record)
    return string.format("%d:%d:%d:%d", record[1], record[2], record[3], record[4])
end

-- The conditions of a file by place: { line, column, yes, no, decides }; and the decisions.
local function conditions_of(file, spans)
    local by_place, list = {}, {}
    for _, record in ipairs(file.branches) do
        local place = place_of(record)
        local condition = by_place[place]
        if not condition and not asserted(spans, record[1]) then
            condition = { line = record[1], column = record[2], last = record[3], to = record[4],
                yes = false, no = false }
            by_place[place], list[#list + 1] = condition, condition
        end
        if condition then
            condition.yes = condition.yes or record[5] > 0
            condition.no = condition.no or record[6] > 0
        end
    end
    table.sort(list, function(a, b)
        if a.line ~= b.line then return a.line < b.line end
        return a.column < b.column
    end)
    return list
end

local function within(condition, record)
    local after = condition.line > record[1]
        or condition.line == record[1] and condition.column >= record[2]
    local before = condition.last < record[3]
        or condition.last == record[3] and condition.to <= record[4]
    return after and before
end

-- The number of PN_ALWAYS and PN_NEVER in a decision.
local function constants(lines, record)
    local count = 0
    for at = record[1], record[3] do
        local text = lines[at]:sub(1, at == record[3] and record[4] - 1 or #lines[at])
        if at == record[1] then text = text:sub(record[2]) end
        for _, macro in ipairs { "PN_ALWAYS", "PN_NEVER" } do
            count = count + select(2, text:gsub("%f[%w_]" .. macro .. "%f[^%w_]", ""))
        end
    end
    return count
end

-- Notes in each condition whether it was shown to decide alone (where several objects have the
-- function, as it is in a header: in one of these, or had both values), and appends the decisions
-- whose conditions partly stand in macros to `open`. Returns the number of conditions of decisions,
-- and how many of them were shown to decide alone.
local function add_decisions(file, list, spans, lines, open)
    local counted, covered = 0, 0
    local by_place = {}
    for _, record in ipairs(file.mcdc_records) do
        local place = place_of(record)
        local decision = by_place[place] or { record = record, shown = {}, objects = 0 }
        decision.objects = decision.objects + 1
        if not asserted(spans, record[1]) then by_place[place] = decision end
        for at, shown in ipairs(record[#record]) do
            decision.shown[at] = decision.shown[at] or shown
        end
    end
    for _, decision in pairs(by_place) do
        local its = {}
        for _, condition in ipairs(list) do
            if within(condition, decision.record) then its[#its + 1] = condition end
        end
        local count, shown_count = #decision.shown - constants(lines, decision.record), 0
        for at, shown in ipairs(decision.shown) do
            if #its == #decision.shown then
                -- An object may have one value of a condition alone.
                shown = shown or decision.objects > 1 and its[at].yes and its[at].no
                its[at].decides = shown
            end
            shown_count = shown_count + (shown and 1 or 0)
        end
        if shown_count < count and #its ~= #decision.shown then
            open[#open + 1] = { decision.record[1], "not every condition decides alone" }
        end
        counted, covered = counted + count, covered + shown_count
    end
    return counted, covered
end

-- Why a condition is open; nil when it is covered.
local function lacks(condition)
    if not condition.yes and not condition.no then return "never evaluated" end
    if not condition.yes then return "never true" end
    if not condition.no then return "never false" end
    if condition.decides == false then return "never decides alone" end
end

local function text_of(condition, lines)
    local text = lines[condition.line]
    local to = condition.last == condition.line and condition.to - 1 or #text
    return text:sub(condition.column, to)
end

local function measure(file, name)
    local lines = read_lines(name)
    local spans = assertions(lines)
    local list, open = conditions_of(file, spans), {}
    local result = { lines = file.summary.lines.count, lines_covered = file.summary.lines.covered,
        branches = 2 * #list, branches_covered = 0, open = {} }
    result.mcdc, result.mcdc_covered = add_decisions(file, list, spans, lines, open)
    for _, condition in ipairs(list) do
        result.branches_covered = result.branches_covered + (condition.yes and 1 or 0)
            + (condition.no and 1 or 0)
        local lack = lacks(condition)
        if lack then
            open[#open + 1] = { condition.line, lack .. ": " .. text_of(condition, lines) }
        end
    end
    table.sort(open, function(a, b) return a[1] < b[1] end)
    for at, place in ipairs(open) do
        result.open[at] = string.format("%s:%d: %s", name, place[1], place[2])
    end
    return result
end

-- ---- sums ---------------------------------------------------------------------------------------

local COUNTED <const> = { "lines", "lines_covered", "branches", "branches_covered", "mcdc",
    "mcdc_covered" }

local sums, names = {}, {}
local function add(name, result)
    if not sums[name] then
        sums[name] = { open = {} }
        for _, field in ipairs(COUNTED) do sums[name][field] = 0 end
        names[#names + 1] = name
    end
    local sum = sums[name]
    for _, field in ipairs(COUNTED) do sum[field] = sum[field] + result[field] end
    table.move(result.open, 1, #result.open, #sum.open + 1, sum.open)
end

local function percent(sum, kind)
    local covered, count = sum[kind .. "_covered"], sum[kind]
    return count == 0 and "-" or string.format("%.1f", math.floor(1000 * covered / count) / 10)
end

local function print_row(name)
    local sum = sums[name]
    print(string.format("%-32s %8s %6d %8s %6d %8s %6d", name, percent(sum, "lines"), sum.lines,
        percent(sum, "branches"), sum.branches, percent(sum, "mcdc"), sum.mcdc))
end

-- Whether the part of the tree has what is required of it; says what it lacks.
local function suffices(required)
    local sum, good = sums[required.folder], true
    for _, kind in ipairs { "branches", "mcdc" } do
        if 100 * sum[kind .. "_covered"] < required[kind] * sum[kind] then
            good = false
            print(string.format("coverage: %s of %s: %s %% are covered, %s %% are required", kind,
                required.folder, percent(sum, kind), required[kind]))
        end
    end
    return good
end

-- The rows that a file belongs to: its top folder, and its own or its folder's.
local function rows_of(name)
    local top = name:match "^(%a+)/"
    if top ~= "kernel" and top ~= "lua" then return {} end
    if asked then return { top, name:sub(1, #asked) == asked and name or nil } end
    return { top, name:match "^(%a+/[%w_]+)/" }
end

local handle <close> = assert(io.open(path))
local exported = core.json_decode(handle:read "a", path)
for _, file in ipairs(exported.data[1].files) do
    local name = file.filename
    if name:sub(1, #root) == root then name = name:sub(#root + 1) end
    local rows = rows_of(name)
    local result = rows[1] and measure(file, name)
    for _, of in ipairs(rows) do add(of, result) end
end

table.sort(names)
print(string.format("%-32s %8s %6s %8s %6s %8s %6s", "", "lines %", "of", "branch %", "of",
    "MC/DC %", "of"))
for _, name in ipairs(names) do
    if not asked or name:sub(1, #asked) == asked then print_row(name) end
end
for _, name in ipairs(names) do
    local is_shown = name == "kernel"
    if asked then is_shown = name:find "%.%a$" end
    for _, text in ipairs(is_shown and sums[name].open or {}) do print(text) end
end
local good = true
for _, required in ipairs(REQUIRED) do good = suffices(required) and good end
if not good then os.exit(1) end
