-- The elements that figures in SVG are made of.

local text = require "pinion.base.text"

local M = {}

---Writes a number with at most two decimals.
---@param value number
---@return string
local function put(value)
    local written = string.format("%.2f", value):gsub("%.?0+$", "")
    return written == "-0" and "0" or written
end

M.put = put

---Returns the distance of ticks: 1, 2 or 5 times a power of ten, with at most so many of them.
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

---Escapes text of others, which may hold anything.
---@param value string
---@return string
function M.escape(value)
    return (text.visible(value):gsub('[&<>"]', ESCAPES))
end

---@param anchor string|nil default: the text begins there
function M.written(x, y, class, anchor, value)
    return string.format('<text x="%s" y="%s" class="%s"%s>%s</text>\n', put(x), put(y), class,
        anchor and string.format(' text-anchor="%s"', anchor) or "", M.escape(value))
end

---Writes text in the middle of a place, turned by so many degrees.
function M.upright(x, y, turn, class, value)
    return string.format('<text transform="translate(%s %s) rotate(%d)" class="%s" '
        .. 'text-anchor="middle">%s</text>\n', put(x), put(y), turn, class, M.escape(value))
end

function M.line(x1, y1, x2, y2, class)
    return string.format('<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>\n', put(x1), put(y1),
        put(x2), put(y2), class)
end

---Writes a name in the middle of an area, with an edge in the colour of that.
function M.label(x, y, size, name, ink, fill)
    return string.format('<text x="%s" y="%s" class="label" style="font-size: %spx; fill: %s; '
        .. 'stroke: %s">%s</text>\n', put(x), put(y + 0.36 * size), put(size), ink, fill,
        M.escape(name))
end

-- ---- widths of text -----------------------------------------------------------------------------

local LETTER = 0.58 -- width of a letter, in sizes of its type

---Returns about how wide a text is, in sizes of its type.
---@param words string
---@return number
function M.extent(words)
    local wide = 0
    for letter in words:gmatch "[^\x80-\xbf]" do
        wide = wide + (letter:find "[%u_mw%%@]" and 0.74 or letter:find "[%s.,:;ijlt()]" and 0.32
            or LETTER)
    end
    return wide
end

---Cuts a text that is too wide, which then ends in an ellipsis.
---@param words string
---@param room number in sizes of its type
---@return string
function M.cut(words, room)
    local length = utf8.len(words)
    if not length or M.extent(words) <= room then return words end
    for kept = length - 1, 1, -1 do
        local shorter = words:sub(1, utf8.offset(words, kept + 1) - 1):gsub("%s+$", "") .. "…"
        if M.extent(shorter) <= room then return shorter end
    end
    return "…"
end

-- Bold type of titles, and lines that they may have.
local TITLE, BOLD, TITLE_LINES = 15, 1.06, 2
M.TITLE_LINE = 18

---Returns a title in lines that fit: words that are too many for the last one are left out.
---@param title string
---@param width number
---@param most integer|nil lines
---@return string[]
function M.title_lines(title, width, most)
    local room, lines = width / (TITLE * BOLD), {}
    for word in text.visible(title):gmatch "%S+" do
        local last = lines[#lines]
        if last and (#lines == (most or TITLE_LINES) or M.extent(last .. " " .. word) <= room) then
            lines[#lines] = last .. " " .. word
        else
            lines[#lines + 1] = word
        end
    end
    for i, line in ipairs(lines) do lines[i] = M.cut(line, room) end
    return #lines > 0 and lines or { "" }
end

---Writes a title, with all of its words in its tool tip where some are left out.
---@param lines string[] as title_lines makes them
---@param title string
function M.title(x, y, lines, title)
    local is_cut = lines[#lines]:sub(-#"…") == "…"
    local whole, parts = is_cut and "<title>" .. M.escape(title) .. "</title>" or "", {}
    for i, line in ipairs(lines) do
        parts[i] = string.format('<text x="%s" y="%s" class="title">%s%s</text>\n', put(x),
            put(y + (i - 1) * M.TITLE_LINE), M.escape(line), whole)
    end
    return table.concat(parts)
end

---@param attributes string with a blank in front
function M.box(x, y, width, height, attributes)
    return string.format('<rect x="%s" y="%s" width="%s" height="%s"%s/>\n', put(x), put(y),
        put(width), put(height), attributes)
end

return M
