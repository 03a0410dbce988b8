-- The elements that figures in SVG are made of.

local M = {}

---A number with at most two decimals.
---@param value number
---@return string
local function put(value)
    local written = string.format("%.2f", value):gsub("%.?0+$", "")
    return written == "-0" and "0" or written
end

M.put = put

---The distance of ticks: 1, 2 or 5 times a power of ten, with at most so many of them.
---@param span number
---@param most number
---@return number
function M.step_of(span, most)
    local least = span / most
    local power = 10.0 ^ math.floor(math.log(least, 10))
    for _, factor in ipairs { 1, 2, 5 } do
        if factor * power >= least * (1 - 1e-12) then return factor * power end
    end
    return 10 * power
end

local ESCAPES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

---Text of others may hold anything.
---@param value string
---@return string
function M.escape(value)
    return (value:gsub('[&<>"]', ESCAPES):gsub("%c", "?"))
end

---@param anchor string|nil default: the text begins there
function M.written(x, y, class, anchor, value)
    return string.format('<text x="%s" y="%s" class="%s"%s>%s</text>\n', put(x), put(y), class,
        anchor and string.format(' text-anchor="%s"', anchor) or "", M.escape(value))
end

---Text in the middle of a place, turned by so many degrees.
function M.upright(x, y, turn, class, value)
    return string.format('<text transform="translate(%s %s) rotate(%d)" class="%s" '
        .. 'text-anchor="middle">%s</text>\n', put(x), put(y), turn, class, M.escape(value))
end

function M.line(x1, y1, x2, y2, class)
    return string.format('<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>\n', put(x1), put(y1),
        put(x2), put(y2), class)
end

---@param attributes string with a blank in front
function M.box(x, y, width, height, attributes)
    return string.format('<rect x="%s" y="%s" width="%s" height="%s"%s/>\n', put(x), put(y),
        put(width), put(height), attributes)
end

return M
