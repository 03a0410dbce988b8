-- Aligned text for people: numbers to the right, words to the left, rounded to what can be read.

local M = {}

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

---Like M.number, but without a fraction when there is none.
function M.amount(value)
    return M.number(value and math.tointeger(value) or value)
end

local function width(text)
    return utf8.len(text) or #text
end

local function pad(text, size, right)
    local blanks = string.rep(" ", size - width(text))
    return right and blanks .. text or text .. blanks
end

---@param columns { [1]: string, right: boolean? }[] title and alignment
---@param rows string[][]
---@return string lines, each ended by a newline
function M.table(columns, rows)
    local sizes = {}
    for c, column in ipairs(columns) do
        sizes[c] = width(column[1])
        for _, row in ipairs(rows) do sizes[c] = math.max(sizes[c], width(row[c])) end
    end
    local lines = {}
    local function line(cells)
        local padded = {}
        for c, column in ipairs(columns) do padded[c] = pad(cells[c], sizes[c], column.right) end
        lines[#lines + 1] = table.concat(padded, "  "):gsub("%s+$", "") .. "\n"
    end
    local titles = {}
    for c, column in ipairs(columns) do titles[c] = column[1] end
    line(titles)
    for _, row in ipairs(rows) do line(row) end
    return table.concat(lines)
end

---Like M.table, but columns that do not fit into the width go on in further tables below, each with the first column again.
---@param columns { [1]: string, right: boolean? }[]
---@param rows string[][]
---@param width_most integer
---@return string
function M.tables(columns, rows, width_most)
    local function size(c)
        local most = width(columns[c][1])
        for _, row in ipairs(rows) do most = math.max(most, width(row[c])) end
        return most
    end
    local first, blocks, at = size(1), {}, 2
    while at <= #columns do
        local taken, used = { 1 }, first
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

---A text that is shortened in front when it is too long: the end of a path says most.
---@param long string
---@param most integer letters
---@return string
function M.shorten(long, most)
    local letters = width(long)
    if letters <= most then return long end
    local from = utf8.len(long) and utf8.offset(long, letters - most + 2) or #long - most + 2
    return "…" .. long:sub(from)
end

---Two columns: what, and how much. Numbers are aligned at the right unless the second is a sentence.
---@param entries string[][] { label, value }
---@return string
function M.list(entries)
    local left, lines = 0, {}
    for _, entry in ipairs(entries) do left = math.max(left, width(entry[1])) end
    for i, entry in ipairs(entries) do lines[i] = pad(entry[1], left) .. "  " .. entry[2] .. "\n" end
    return table.concat(lines)
end

---@param count integer
---@param noun string
---@return string "1 job", "2 jobs"
function M.count(count, noun)
    return string.format("%s %s%s", M.amount(count), noun, count == 1 and "" or "s")
end

return M
