-- Aligned text for people: numbers to the right, words to the left, rounded to what can be read.

local M = {}

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function escape_byte(byte)
    return ESCAPES[byte] or string.format("\\x%02x", byte:byte())
end

-- Controls of C1, and signs that turn the direction of a text around.
local STEERING = { "\xC2[\x80-\x9F]", "\xE2\x80[\x8E\x8F\xA8-\xAE]", "\xE2\x81[\xA6-\xA9]" }

local function escape_sign(sign)
    return string.format("\\u{%x}", utf8.codepoint(sign))
end

---Escapes bytes that are no UTF-8.
---@param value string
---@return string
function M.valid(value)
    if utf8.len(value) then return value end
    local pieces, from = {}, 1
    while true do
        local _, wrong = utf8.len(value, from)
        if not wrong then break end
        pieces[#pieces + 1] = value:sub(from, wrong - 1)
        pieces[#pieces + 1] = escape_byte(value:sub(wrong, wrong))
        from = wrong + 1
    end
    return table.concat(pieces) .. value:sub(from)
end

---Escapes what steers a terminal, breaks a line or is no UTF-8. Whatever a text to people quotes
---passes here.
---@param value string
---@return string
function M.visible(value)
    if not value:find "[%c\x80-\xFF]" then return value end
    local shown = M.valid(value):gsub("%c", escape_byte)
    for _, signs in ipairs(STEERING) do shown = shown:gsub(signs, escape_sign) end
    return shown
end

---Returns a line for people, with what it quotes escaped.
---@param format string
---@return string with its newline
function M.line(format, ...)
    return M.visible(string.format(format, ...)) .. "\n"
end

-- Letters of a cell; longer ones are cut.
local CELL_MOST = 200

---Returns a cell of a table for people: on one line, and cut with a mark where it is too long.
---@param value string
---@return string
function M.cell(value)
    local shown = M.visible(value)
    if #shown <= CELL_MOST or utf8.len(shown) <= CELL_MOST then return shown end
    return shown:sub(1, utf8.offset(shown, CELL_MOST) - 1) .. "…"
end

---@param value number|nil
---@param decimals integer|nil for numbers with a fraction; default 2
---@return string
function M.number(value, decimals)
    if value == nil then return "-" end
    local whole = math.tointeger(value)
    if math.type(value) == "integer" then return string.format("%d", whole) end
    if value ~= value then return "-" end
    if math.abs(value) >= 1e15 then return string.format("%.3g", value) end
    return string.format("%." .. (decimals or 2) .. "f", value)
end

---Writes like M.number, but without a fraction when there is none.
function M.amount(value)
    return M.number(value and math.tointeger(value) or value)
end

---Writes like M.number, but large numbers need no fraction.
function M.rounded(value, decimals)
    if value and math.abs(value) >= 10000 then decimals = 0 end
    return M.number(value, decimals)
end

---Writes a mean and the half width of its interval, if it has one.
---@param value number|nil
---@param half number|nil
---@param decimals integer
---@return string
function M.with_half(value, half, decimals)
    if value == nil then return "-" end
    return M.rounded(value, decimals) .. (half and " ±" .. M.rounded(half, decimals) or "")
end

---Writes a value as `write` has it, and two digits of the half width of its interval, if it has
---one.
---@param write fun(value: number|nil): string
---@param value number|nil
---@param half number|nil
---@return string
function M.half(write, value, half)
    return write(value) .. (value and half and " ±" .. M.real(half, 2) or "")
end

---Writes a ratio likewise.
function M.ratio_with_half(value, half)
    return M.with_half(value, half, 3)
end

---Writes a share in %, such as "12.3 ±0.4".
function M.percent_with_half(value, half)
    return M.with_half(value and 100 * value, half and 100 * half, 1)
end

---Writes a number in permille as a ratio.
---@param decimals integer
---@return fun(value: number|nil, half: number|nil): string
function M.permille_with_half(decimals)
    return function(value, half)
        return M.with_half(value and value / 1000, half and half / 1000, decimals)
    end
end

---Writes like M.ratio_with_half for a count: an integer of one run, a mean over replicas.
function M.amount_with_half(value, half)
    return half and M.with_half(value, half, 1) or M.amount(value)
end

---Writes a difference, with its sign.
function M.signed(value, half)
    if value == nil then return "-" end
    local written = M.with_half(value, half, 2):gsub("^%-(0%.?0*)%f[^%d.]", "%1")
    return (value > 0 and "+" or "") .. written
end

-- Returns the decimals that show so many digits of a number, and at most as many as make sense;
-- nil: it is too large or too small for any.
local function decimals(value, digits)
    local size = math.abs(value)
    if size == 0 then return 0 end
    local exponent = math.floor(math.log(size, 10))
    if exponent >= 15 or exponent < -6 then return nil end
    return math.max(0, digits - 1 - exponent)
end

---Writes a real number of any size to so many digits, without a fraction when there is none.
---@param value number|nil
---@param digits integer|nil default 5
---@param like number|nil as many decimals as this number would get
---@return string
function M.real(value, digits, like)
    if value == nil or value ~= value then return "-" end
    digits = digits or 5
    local places = decimals(like or value, digits)
    if not places then return string.format("%." .. digits .. "g", value) end
    if like == nil and math.tointeger(value) then
        return string.format("%d", math.tointeger(value))
    end
    return string.format("%." .. places .. "f", value)
end

---Writes like M.with_half for numbers of any size: as many decimals as show four digits of the
---value.
function M.real_with_half(value, half)
    if value == nil then return "-" end
    return M.real(value, 4, value) .. (half and " ±" .. M.real(half, 4, value) or "")
end

---Writes like M.signed for numbers of any size.
function M.real_signed(value, half)
    if value == nil then return "-" end
    local like = math.max(math.abs(value), half or 0)
    return (value > 0 and "+" or "") .. M.real(value, 3, like)
        .. (half and " ±" .. M.real(half, 3, like) or "")
end

---Writes a real number to so many digits, without zeros at the end of its fraction: "4.25",
---"0.001".
---@param value number
---@param digits integer|nil default 5
---@return string
function M.plain(value, digits)
    local written = M.real(value, digits)
    return written:find "^[^e]*%.[^e]*$" and written:gsub("%.?0+$", "") or written
end

-- Units of time, each up to so many ms.
local DURATIONS = { { "ms", 1, 1000 }, { "s", 1000, 100e3 }, { "min", 60e3, 6e6 },
    { "h", 3600e3, 360e6 }, { "d", 86400e3, math.huge } }

local fixed -- the unit of all lengths of time, while M.with_unit_of runs

---Returns the unit in which so many ms are read most easily.
---@param ms number
---@return string unit, number size in ms
function M.unit_of(ms)
    if fixed then return fixed.name, fixed.size end
    local size = math.abs(ms)
    for _, unit in ipairs(DURATIONS) do
        if size < unit[3] then return unit[1], unit[2] end
    end
    return "d", 86400e3
end

---Calls a function in which all lengths of time have one unit, that of so many ms.
---@param ms number
---@return any what the function returned
function M.with_unit_of(ms, call)
    local before, name, size = fixed, M.unit_of(ms)
    fixed = { name = name, size = size }
    local made = table.pack(pcall(call))
    fixed = before
    if not made[1] then error(made[2], 0) end
    return table.unpack(made, 2, made.n)
end

-- Returns the decimals that show three digits of a value, and one of a half width that is smaller.
local function duration_decimals(value, half)
    local size = math.abs(value)
    local places = size >= 100 and 0 or size >= 10 and 1 or 2
    if fixed and size > 0 and size < 1 then places = size >= 0.1 and 3 or 4 end
    if half and half > 0 then
        while places < 3 and half < 0.95 * 10.0 ^ -places do places = places + 1 end
    end
    return places
end

---Writes a length of time in a unit that can be read, such as "10.9 h", with the half width of its
---interval, if it has one.
---@param ms number|nil
---@param half number|nil in ms
---@return string
function M.duration(ms, half)
    if ms == nil or ms ~= ms then return "-" end
    local unit, size = M.unit_of(half and math.max(math.abs(ms), half) or ms)
    if size == 1 and not half and math.tointeger(ms) then
        return string.format("%d ms", math.tointeger(ms))
    end
    local value = ms / size
    local places = size == 1 and 1 or duration_decimals(value, half and half / size)
    local format = "%." .. places .. "f"
    return string.format(format, value)
        .. (half and " ±" .. string.format(format, half / size) or "") .. " " .. unit
end

---Returns the number that a cell of a table begins with, lengths of time in ms; nil: it is none.
---@param cell string
---@return number|nil
function M.number_of(cell)
    local digits, rest = cell:match "^%+?(%-?%d[%d.]*)(.*)$"
    local value = tonumber(digits)
    local unit = rest and rest:match "(%a+)$"
    for _, known in ipairs(unit and DURATIONS or {}) do
        if known[1] == unit then return value * known[2] end
    end
    return value
end

---Writes a difference between two lengths of time, with its sign.
---@param ms number|nil
---@param half number|nil
---@return string
function M.signed_duration(ms, half)
    if ms == nil then return "-" end
    local written = M.duration(ms, half):gsub("^%-(0%.?0*)%f[^%d.]", "%1")
    return (ms > 0 and "+" or "") .. written
end

local function width(text)
    return utf8.len(text) or #text
end

local function pad(text, size, right)
    local blanks = string.rep(" ", size - width(text))
    return right and blanks .. text or text .. blanks
end

-- Cuts blanks off the end; "%s+$" would look at every run of blanks anew from each of its signs.
local function trimmed(line)
    local last = #line
    while line:byte(last) == 32 do last = last - 1 end
    return line:sub(1, last)
end

-- Returns the rows of a table with their cells as they are shown.
local function shown_rows(rows)
    local made = {}
    for r, row in ipairs(rows) do
        made[r] = {}
        for c, cell in ipairs(row) do made[r][c] = M.cell(cell) end
    end
    return made
end

local function shown_columns(columns)
    local made = {}
    for c, column in ipairs(columns) do
        made[c] = { M.cell(column[1]), right = column.right }
    end
    return made
end

---@param columns { [1]: string, right: boolean? }[] title and alignment
---@param rows string[][]
---@return string lines, each ended by a newline
function M.table(columns, rows)
    columns, rows = shown_columns(columns), shown_rows(rows)
    local sizes = {}
    for c, column in ipairs(columns) do
        sizes[c] = width(column[1])
        for _, row in ipairs(rows) do sizes[c] = math.max(sizes[c], width(row[c])) end
    end
    local lines = {}
    local function line(cells)
        local padded = {}
        for c, column in ipairs(columns) do padded[c] = pad(cells[c], sizes[c], column.right) end
        lines[#lines + 1] = trimmed(table.concat(padded, "  ")) .. "\n"
    end
    local titles = {}
    for c, column in ipairs(columns) do titles[c] = column[1] end
    line(titles)
    for _, row in ipairs(rows) do line(row) end
    return table.concat(lines)
end

---Writes tables like M.table, but columns that do not fit into the width go on in further tables
---below, each with the first columns again.
---@param columns { [1]: string, right: boolean? }[] `keep`: how many that are; default 1
---@param rows string[][]
---@param width_most integer
---@return string
function M.tables(columns, rows, width_most)
    local keep = columns.keep or 1
    columns, rows = shown_columns(columns), shown_rows(rows)
    local function size(c)
        local most = width(columns[c][1])
        for _, row in ipairs(rows) do most = math.max(most, width(row[c])) end
        return most
    end
    local first, blocks, at = -2, {}, keep + 1
    for c = 1, keep do first = first + 2 + size(c) end
    while at <= #columns do
        local taken, used = {}, first
        for c = 1, keep do taken[c] = c end
        repeat
            taken[#taken + 1] = at
            used = used + 2 + size(at)
            at = at + 1
        until at > #columns or used + 2 + size(at) > width_most
        local titles, lines = {}, {}
        for i, c in ipairs(taken) do titles[i] = columns[c] end
        for r, row in ipairs(rows) do
            lines[r] = {}
            for i, c in ipairs(taken) do lines[r][i] = row[c] end
        end
        blocks[#blocks + 1] = M.table(titles, lines)
    end
    return table.concat(blocks, "\n")
end

---Shortens a text in front when it is too long: the end of a path says most.
---@param long string
---@param most integer letters
---@return string
function M.shorten(long, most)
    local letters = width(long)
    if letters <= most then return long end
    local from = utf8.len(long) and utf8.offset(long, letters - most + 2) or #long - most + 2
    return "…" .. long:sub(from)
end

---Writes two columns: what, and how much. Numbers are aligned at the right unless the second is a
---sentence.
---@param entries string[][] { label, value }
---@return string
function M.list(entries)
    local left, lines, rows = 0, {}, shown_rows(entries)
    for _, entry in ipairs(rows) do left = math.max(left, width(entry[1])) end
    for i, entry in ipairs(rows) do
        lines[i] = pad(entry[1], left) .. "  " .. M.visible(entries[i][2]) .. "\n"
    end
    return table.concat(lines)
end

---@param count integer
---@param noun string
---@return string "1 job", "2 jobs"
function M.count(count, noun)
    return string.format("%s %s%s", M.amount(count), noun, count == 1 and "" or "s")
end

-- Ids beyond which a list shows its beginning.
local IDS_MOST = 12

---Writes a list of job ids.
---@param list integer[]|nil
---@return string
function M.ids(list)
    if not list then return "-" end
    if #list <= IDS_MOST then return table.concat(list, " ") end
    return string.format("%s … (%d jobs)", table.concat(list, " ", 1, IDS_MOST), #list)
end

return M
