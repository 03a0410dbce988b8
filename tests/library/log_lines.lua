-- Lines of decision logs as C takes them apart, against Lua patterns that say the same: random
-- lines, damaged ones, lines longer than any buffer, bytes of all kinds, across the borders of
-- blocks.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local models = require "pinion.models"

local SEED <const> = 20261125
math.randomseed(SEED)
-- Files of random lines for each model, with and without a newline at the end by turns. Programs
-- with sanitizers are slow.
local ROUNDS <const> = os.getenv "PINION_TEST_SEEDS" and 2 or 6
local random = math.random

-- ---- the same in Lua ----------------------------------------------------------------------------

local function integer(digits) return math.tointeger(tonumber(digits)) end

local function canonical(digits)
    return (digits == "0" or digits:find "^[1-9]") and integer(digits) or nil
end

local function time(written)
    local quotient = written:match '^"(%d+/%d+)"$'
    return quotient or written:find "^%d+$" and canonical(written) or nil
end

-- A text that stands for [[1,2],[3]].
local function arrays(written)
    if not written:find "^%[%[.*%]%]$" then return nil end
    local parts = {}
    for inner in (written:sub(2, -2) .. ","):gmatch "(.-%]),", 1 do
        local numbers = {}
        if not inner:find "^%[[%d,]+%]$" then return nil end
        for digits in (inner:sub(2, -2) .. ","):gmatch "(.-)," do
            local number = canonical(digits)
            if not number then return nil end
            numbers[#numbers + 1] = number
        end
        parts[#parts + 1] = table.concat(numbers, " ")
    end
    return table.concat(parts, "|")
end

-- By field: its pattern, and its value.
local FIELDS = {
    d = { "(%d+)", integer }, i = { "(%d+)", canonical },
    p = { "([1-9]%d*)", integer }, t = { '([%d/"]+)', time },
    l = { "(%l+)", function(word) return word end },
    n = { "([%d.e+-]+)", function(word) return tonumber(word) or "nil" end },
    v = { "(%[[%[%]%d,]*%])", arrays },
}

local function reader_of(form)
    local kinds = {}
    local pattern = form:gsub("[%[%]]", "%%%0"):gsub("%%([dipltnv])", function(kind)
        kinds[#kinds + 1] = kind
        return FIELDS[kind][1]
    end)
    return function(line)
        local found = { line:match("^" .. pattern .. "$") }
        if #found == 0 then return nil end
        for i, kind in ipairs(kinds) do
            found[i] = FIELDS[kind][2](found[i])
            if found[i] == nil then return nil end
        end
        return found
    end
end

-- What a line comes to: its form and fields in one text, or its own text.
local function expected_of(readers, line)
    for i, read in ipairs(readers) do
        local found = read(line)
        if found then
            for k, value in ipairs(found) do
                found[k] = string.format("%s %s", math.type(value) or "text", value)
            end
            return i .. ": " .. table.concat(found, "; ")
        end
    end
    return "text: " .. line
end

local function got_of(form, ...)
    if not form then return "text: " .. (...) end
    local found = { ... }
    for k = 1, select("#", ...) do
        local value = found[k]
        if type(value) == "table" then
            local parts = {}
            for i, numbers in ipairs(value) do parts[i] = table.concat(numbers, " ") end
            value = table.concat(parts, "|")
        end
        if value == nil then value = "nil" end
        found[k] = string.format("%s %s", math.type(value) or "text", value)
    end
    return form .. ": " .. table.concat(found, "; ")
end

-- ---- lines --------------------------------------------------------------------------------------

local EDGES = { "0", "00", "007", "9007199254740992", "9223372036854775807", "9223372036854775808",
    "18446744073709551616", "99999999999999999999999", "000000000000000000000000000012" }

local function number()
    if random(20) == 1 then return EDGES[random(#EDGES)] end
    return tostring(random(0, 10 ^ random(0, 15) // 1 | 0))
end

local DECIMALS = { "1.5", "0.1", "1e5", "1e+300", "1e400", "-2", "2.", ".5", ".", "1e", "--1", "-",
    "12", "1.7976931348623157e+308" }

local WRITE = {
    d = number, i = number, p = number,
    t = function()
        if random(3) > 1 then return number() end
        return string.format('"%s/%s"', number(), number())
    end,
    l = function()
        local words = { "launch", "end", "map", "reduce", "kill", "x", string.rep("long", 20) }
        return words[random(#words)]
    end,
    n = function() return DECIMALS[random(#DECIMALS)] end,
    v = function()
        local stages = {}
        for i = 1, random(3) do
            local vector = {}
            for r = 1, random(3) do vector[r] = number() end
            stages[i] = "[" .. table.concat(vector, ",") .. "]"
        end
        return "[" .. table.concat(stages, ",") .. "]"
    end,
}

local function damaged(line)
    local at, byte = random(0, #line), string.char(random(0, 255))
    if byte == "\n" then byte = "," end
    local ways = {
        function() return line:sub(1, at) .. byte .. line:sub(at + 1) end,
        function() return line:sub(1, at) .. line:sub(at + 2) end,
        function() return line:sub(1, at) end,
        function() return line:sub(1, at) .. byte .. line:sub(at + 2) end,
        function() return line:sub(1, at) .. line:sub(random(#line + 1)) end,
        function() return line .. line end,
        function() return line .. "\r" end,
        function() return string.rep(line, random(3000)) end,
    }
    return ways[random(random(40) == 1 and #ways or #ways - 1)]()
end

local function written(forms)
    local line = forms[random(#forms)]:gsub("%%([dipltnv])", function(kind)
        return WRITE[kind]()
    end)
    local dice = random(20)
    if dice == 1 then return "" end
    return dice < 7 and damaged(line) or line
end

-- ---- all of it ----------------------------------------------------------------------------------

local path = os.tmpname()

local function write(lines, is_ended)
    local file <close> = assert(io.open(path, "wb"))
    file:write(table.concat(lines, "\n"), is_ended and "\n" or "")
end

-- Which lines are asked for.
local function is_chosen(line, with, without)
    local found = not with
    for _, mark in ipairs(with or {}) do found = found or line:find(mark, 1, true) end
    for _, mark in ipairs(without or {}) do
        if line:find(mark, 1, true) then return false end
    end
    return found
end

local function compare(forms, lines, with, without)
    local readers, at, count = {}, 0, 0
    for i, form in ipairs(forms) do readers[i] = reader_of(form) end
    local all <close> = assert(core.log_lines(path, forms))
    all:choose(with, without)
    local same, in_forms = true, 0
    for line, form, a, b, c, d, e, f, g in all do
        repeat at = at + 1 until at > #lines or is_chosen(lines[at], with, without)
        local fields = table.pack(a, b, c, d, e, f, g)
        local kinds = form and select(2, forms[form]:gsub("%%%l", "")) or 1
        local got = got_of(form, table.unpack(fields, 1, kinds))
        local expected = lines[at] and expected_of(readers, lines[at])
        count, in_forms = count + 1, in_forms + (form and 1 or 0)
        if line ~= at or got ~= expected or all:text() ~= lines[at] then
            check.equal(string.format("line %d, given as %d", at, line), got, expected)
            same = false
            break
        end
    end
    repeat at = at + 1 until at > #lines or is_chosen(lines[at], with, without)
    check.is_true("all lines that are asked for", same and at > #lines)
    check.equal("lines counted", all:count(), #lines)
    check.equal("no problem", all:problem(), nil)
    return in_forms, count
end

for _, name in ipairs(models.names()) do
    local of_model = models.find(name).log
    for round = 1, ROUNDS do
        local lines = {}
        for i = 1, 3000 do lines[i] = written(of_model.forms) end
        local is_ended = round % 2 == 0
        -- An empty line at the end without its newline is none.
        if lines[#lines] == "" then lines[#lines] = "x" end
        write(lines, is_ended)
        local in_forms, count = compare(of_model.forms, lines)
        check.is_true(name .. ": lines of both kinds", in_forms > count // 4 and in_forms < count)
        compare(of_model.forms, lines, nil, of_model.work)
        compare(of_model.forms, lines, { '"job":7,', '"job":1' })
        compare(of_model.forms, lines, { '"job":1' }, { "launch", "\"end\"", "00" })
    end
end

-- ---- the ends of a file -------------------------------------------------------------------------

local FORMS = models.find "dag".log.forms
write({}, false)
compare(FORMS, {})
write({ "" }, true)
compare(FORMS, { "" })
local long = "[" .. string.rep("x", 20 << 20) .. "]"
write({ long, long }, false)
compare(FORMS, { long, long })

local closed = assert(core.log_lines(path, FORMS))
closed:choose()
do local use <close> = closed end
check.raises("a closed file gives no lines", "closed", closed)
check.raises("and no text", "no line", closed.text, closed)
os.remove(path)

-- ---- what is refused ----------------------------------------------------------------------------

check.equal("no such file", core.log_lines(path, FORMS), nil)
local folder = assert(core.log_lines("tests", FORMS))
check.equal("a folder has no lines", folder(), nil)
check.contains("and why", folder:problem(), "directory")

local FEW, MARK = { "a" }, string.rep("x", 48)
for what, forms in next, {
    ["an unknown field"] = { "%x" }, ["half a field"] = { "ab%" },
    ["too many fields"] = { string.rep("%d,", 9) }, ["too long a form"] = { string.rep("x", 160) },
    ["too many forms"] = { "a", "b", "c", "d", "e" }, ["no text"] = { FEW },
} do
    check.raises(what, "texts", core.log_lines, "tests", forms)
end
check.raises("too long a mark", "texts", folder.choose, folder, { MARK })
check.raises("too many marks", "texts", folder.choose, folder, FEW, { "a", "b", "c", "d", "e" })

check.done()
