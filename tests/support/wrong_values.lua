-- Logs in which one value is another one: each value of each kind of line, also those inside lists
-- and objects, becomes one of a wrong type, size or length, or gets an unknown neighbour.

local M = {}

local VALUES <const> = { "null", "true", "-1", "0", "1", "4294967295", "4294967296",
    "9007199254740993", "-2147483649", "1.5", "1e300", '""', '"x"', '"0x10"', '"0xZ"', '"-0x1p+3"',
    "[]", "{}", "[1]", "[0,0]", "[[1]]", '[{"x":1}]' }

-- Returns where each value of a line begins and ends.
local function values_of(line)
    local places = {}
    local function add(from)
        local last = select(2, line:find('^%b""', from)) or select(2, line:find("^%b[]", from))
            or select(2, line:find("^%b{}", from)) or select(2, line:find("^[^,%]}]+", from))
        if last then places[#places + 1] = { from, last } end
    end
    for from in line:gmatch '":()' do add(from) end
    for from in line:gmatch "[%[,]()[%d%[{]" do add(from) end
    return places
end

---Calls `try` with each text in which one value of the first line of a kind is another one.
---@param lines string[]
---@param try fun(text: string, changed: string)
function M.each(lines, try)
    local seen = {}
    local function with(number, changed)
        if changed == lines[number] then return end
        local others = table.move(lines, 1, #lines, 1, {})
        others[number] = changed
        try(table.concat(others, "\n") .. "\n", changed)
    end
    for number, line in ipairs(lines) do
        local kind = line:gsub("%d+", "")
        for _, place in ipairs(seen[kind] and {} or values_of(line)) do
            local before, after = line:sub(1, place[1] - 1), line:sub(place[2] + 1)
            for _, value in ipairs(VALUES) do with(number, before .. value .. after) end
            local old = line:sub(place[1], place[2])
            with(number, before .. old .. ',"unknown":1' .. after)
        end
        seen[kind] = true
    end
end

return M
