-- Wrong values in the place of right ones: of a wrong type, size or length.

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

---Calls `try` with each text in which one value of the first line of a kind is another one, also of
---those inside lists and objects, or has an unknown neighbour.
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

local NOTHING <const> = {}
local WRONG <const> = { NOTHING, true, false, -1, 0, 1.5, 1 << 62, 0 / 0, math.huge, "",
    "/dev/null/x", "\0", {}, { 1 }, function() end, io.stdout }
-- So many values of a list are replaced, and in tables so deep.
local ITEMS <const>, DEPTH <const> = 3, 3

local function is_replaced(key) return math.type(key) ~= "integer" or key <= ITEMS end

---Returns which fields and types a value has, as far as they are replaced.
---@param value any
---@param depth integer|nil
---@return string
function M.shape_of(value, depth)
    depth = depth or DEPTH
    if type(value) ~= "table" or depth == 0 then return type(value) end
    local parts = {}
    for key, inner in next, value do
        if is_replaced(key) then
            parts[#parts + 1] = tostring(key) .. "=" .. M.shape_of(inner, depth - 1)
        end
    end
    table.sort(parts)
    return "{" .. table.concat(parts, ",") .. "}"
end

---Calls `try` with wrong values, and with each copy of a table in which one value is wrong.
---@param value any
---@param try fun(wrong: any)
---@param depth integer|nil
function M.each_in_place(value, try, depth)
    depth = depth or DEPTH
    for _, wrong in ipairs(WRONG) do
        if wrong == NOTHING then try(nil) else try(wrong) end
    end
    if type(value) ~= "table" or depth == 0 then return end
    for key, inner in next, value do
        if is_replaced(key) then
            M.each_in_place(inner, function(wrong)
                local copy = setmetatable({}, getmetatable(value))
                for k, v in next, value do copy[k] = v end
                copy[key] = wrong
                try(copy)
            end, depth - 1)
        end
    end
end

---Returns whether a text is a message that users may see.
---@param text any
---@return boolean
function M.is_message(text)
    return type(text) == "string" and #text > 0 and not text:find "\n"
        and not text:find "attempt to" and not text:find "internal"
end

return M
