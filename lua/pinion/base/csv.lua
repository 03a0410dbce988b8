-- Comma separated values: the records of a file, and quoting fields for writing. Quoted fields may
-- hold commas, doubled quotes and line ends; a record is known by the line it begins on.

local core = require "pinion.core"
local fault = require "pinion.base.fault"

local M = {}

-- What spreadsheets take for a formula, with the apostrophes that it has itself in front.
local FORMULA = "^'*[=+%-@]."

---Returns the text of a cell that was written by M.quote.
---@param cell string
---@return string
function M.unguarded(cell)
    return cell:find "^'" and cell:find(FORMULA) and cell:sub(2) or cell
end

---Quotes. Texts that spreadsheets would take for a formula get an apostrophe in front, numbers do
---not.
---@param value any
---@return string field, quoted where it has to be
function M.quote(value)
    local text = tostring(value)
    if text:find(FORMULA) and not tonumber(text) then text = "'" .. text end
    if text:find('[,"\r\n]') or text:find("^%s") or text:find("%s$") then
        return '"' .. text:gsub('"', '""') .. '"'
    end
    return text
end

---@class pinion.CsvReader a file while it is read
---@field name string for messages
---@field lines fun(): string|nil, integer|string|nil the next line and its number; or nil and a message
---@field text string the line at hand
---@field position integer in it
---@field line integer its number
---@field size integer bytes of the record so far
---@field left integer bytes that may still come

local function fail(self, reason)
    fault.at(self.name .. ":" .. self.line, nil, reason)
end

-- Goes to the next line; false at the end of the file.
local function next_line(self)
    local text, line = self.lines()
    if not text and line then fault.located("usage", line) end
    if not text then return false end
    self.text, self.line, self.position = text, line, 1
    self.size, self.left = self.size + #text + 1, self.left - #text - 1
    if self.size > core.limits.line + 1 then
        fail(self, "the record is too long (expected at most 16 MiB)")
    end
    if self.left < 0 then fail(self, "the file is too large (expected at most 1 GiB)") end
    return true
end

-- Reads a quoted field, which may go on in the lines below; the position is behind it then.
local function quoted_field(self)
    local begun, pieces, from = self.line, {}, self.position + 1
    while true do
        local stop = self.text:find('"', from, true)
        pieces[#pieces + 1] = self.text:sub(from, (stop or 0) - 1)
        if not stop then
            if not next_line(self) then
                self.line = begun
                fail(self, "a quoted field does not end (expected \")")
            end
            pieces[#pieces + 1], from = "\n", 1
        elseif self.text:sub(stop + 1, stop + 1) == '"' then
            pieces[#pieces + 1], from = '"', stop + 2
        else
            self.position = stop + 1
            return table.concat(pieces)
        end
    end
end

local function field(self)
    if self.text:sub(self.position, self.position) == '"' then return quoted_field(self) end
    local value
    value, self.position = self.text:match("^([^,\r]*)()", self.position)
    if value:find('"', 1, true) then fail(self, "a quote inside an unquoted field") end
    return value
end

local function record(self)
    local fields, first_line = {}, self.line
    repeat
        fields[#fields + 1] = field(self)
        local comma = self.text:sub(self.position, self.position) == ","
        if comma then self.position = self.position + 1 end
    until not comma
    if not self.text:find("^\r?$", self.position) then
        fail(self, "text behind a quoted field (expected a comma or the line's end)")
    end
    return fields, first_line
end

---Iterates over the records of a file: fields and line. Blank lines are skipped.
---@param lines fun(): string|nil, integer|string|nil
---@param name string the file's name for messages
---@return fun(): string[]|nil, integer|nil
function M.records(lines, name)
    local self = { name = name, lines = lines, size = 0, left = core.limits.file }
    return function()
        self.size = 0
        while next_line(self) do
            if self.line == 1 and self.text:sub(1, 3) == "\xEF\xBB\xBF" then self.position = 4 end
            local fields, first_line = record(self)
            if #fields > 1 or fields[1]:find("%S") then return fields, first_line end
            self.size = 0
        end
        return nil
    end
end

return M
