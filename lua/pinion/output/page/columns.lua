-- Long lists of numbers as a page holds them: bytes in base64, which lua/page/1_data.js reads.
-- Integers are differences to the one before, 7 bits a byte, with the sign in the lowest bit; other
-- numbers are doubles, the lowest byte first.

local M = {}

local ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local NAN = 0 / 0
local EXACT_MOST = 1 << 53 -- of the page's numbers, which are doubles

local CHARS, PAIRS = {}, {}
for byte = 0, 255 do CHARS[byte] = string.char(byte) end
for twelve = 0, 4095 do
    local high, low = (twelve >> 6) + 1, (twelve & 63) + 1
    PAIRS[twelve] = ALPHABET:sub(high, high) .. ALPHABET:sub(low, low)
end

---@param bytes string
---@return string
function M.base64(bytes)
    local parts, count = {}, 0
    for i = 1, #bytes - 2, 3 do
        local a, b, c = bytes:byte(i, i + 2)
        parts[count + 1], parts[count + 2] = PAIRS[a << 4 | b >> 4], PAIRS[(b & 15) << 8 | c]
        count = count + 2
    end
    local left = #bytes % 3
    if left > 0 then
        local a, b = bytes:byte(-left, -1)
        b = left == 2 and b or 0
        parts[count + 1], parts[count + 2] = PAIRS[a << 4 | b >> 4],
            left == 2 and PAIRS[(b & 15) << 8]:sub(1, 1) .. "=" or "=="
    end
    return table.concat(parts)
end

local function integers_of(values, count)
    local parts, used, before = {}, 0, 0
    for i = 1, count do
        local value = math.tointeger(values[i])
        local rest = value - before
        rest = rest >= 0 and rest << 1 or (-rest << 1) - 1
        while rest > 127 do
            used = used + 1
            parts[used] = CHARS[rest & 127 | 128]
            rest = rest >> 7
        end
        used = used + 1
        parts[used] = CHARS[rest]
        before = value
    end
    return table.concat(parts)
end

local function doubles_of(values, count)
    local parts = {}
    for i = 1, count do parts[i] = string.pack("<d", values[i] or NAN) end
    return table.concat(parts)
end

local function are_integers(values, count)
    for i = 1, count do
        local value = values[i] and math.tointeger(values[i])
        if not value or value > EXACT_MOST or value < -EXACT_MOST then return false end
    end
    return true
end

---@param values (number|false|nil)[] false and nil are missing
---@param count integer|nil nil: as many as there are
---@return { type: string, count: integer, data: string }
function M.pack(values, count)
    count = count or #values
    local whole = are_integers(values, count)
    return { type = whole and "integers" or "doubles", count = count,
        data = M.base64((whole and integers_of or doubles_of)(values, count)) }
end

return M
