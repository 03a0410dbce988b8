-- Tables that an experiment script makes of its numbers: as aligned text, Markdown, LaTeX, CSV and
-- JSON.

local check = require "pinion.base.check"
local csv = require "pinion.base.csv"
local document = require "pinion.output.document"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local json = require "pinion.base.json"

local M = {}

local function check_function(value)
    if type(value) == "function" then return value end
    return nil, "must be a function, got " .. check.show(value)
end

local COLUMN_FIELDS = {
    key = check.text, title = check.text, right = check.boolean, words = check.boolean,
    show = check_function,
}

---@class pinion.Table
---@field columns pinion.Column[]
---@field rows table[]
local Table = {}
Table.__index = Table

local function check_column(i, column)
    local where = string.format("table: columns[%d]", i)
    if type(column) ~= "table" then
        fault.usage("%s: expected a table, got %s", where, check.show(column))
    end
    local key, unknown = check.unknown_key(column, COLUMN_FIELDS)
    if key ~= nil then fault.usage("%s: %s: %s", where, key, unknown) end
    if column.key == nil then fault.usage("%s: key: is required", where) end
    for _, name in ipairs(check.sorted_keys(column)) do
        local value, why = COLUMN_FIELDS[name](column[name])
        if value == nil then fault.usage("%s: %s: %s", where, name, why) end
    end
end

local function check_array(name, list)
    if not check.is_array(list, true) then
        fault.usage("table: %s: must be an array, got %s", name, check.show(list))
    end
end

---@param columns pinion.Column[]
---@param rows table[]
---@return pinion.Table
function M.new(columns, rows)
    check_array("columns", columns)
    check_array("rows", rows)
    for i, column in ipairs(columns) do check_column(i, column) end
    return setmetatable({ columns = columns, rows = rows }, Table)
end

local function shown(column, row)
    local value = row[column.key]
    if column.show then return column.show(value, row) end
    return value == nil and "-" or tostring(value)
end

-- Returns the columns that have a title, as a document of one table; empty when none has.
local function written(self, style)
    local titled, heads, lines = {}, {}, {}
    for _, column in ipairs(self.columns) do
        if column.title then
            titled[#titled + 1] = column
            heads[#heads + 1] = { column.title, right = column.right }
        end
    end
    if #titled == 0 then return "" end
    for r, row in ipairs(self.rows) do
        lines[r] = {}
        for c, column in ipairs(titled) do lines[r][c] = shown(column, row) end
    end
    local doc = document.new()
    doc:table(heads, lines)
    return doc:text(style)
end

---Returns aligned lines, each ended by a newline.
---@return string
function Table:text()
    return written(self, "table")
end

---@return string
function Table:markdown()
    return written(self, "markdown")
end

---@return string
function Table:latex()
    return written(self, "latex")
end

local function keys_of(self)
    local keys = {}
    for _, column in ipairs(self.columns) do
        if not column.words then keys[#keys + 1] = column.key end
    end
    return keys
end

local function csv_cell(value)
    if value == nil then return "" end
    if type(value) == "number" then return json.number(value) end
    if type(value) == "boolean" then return tostring(value) end
    return csv.quote(value)
end

---@param path string
function Table:csv(path)
    local name, why = check.text(path)
    if not name then fault.usage("csv: file name %s", why) end
    local keys = keys_of(self)
    files.write(path, function(write)
        write(table.concat(keys, ",") .. "\n")
        for _, row in ipairs(self.rows) do
            local cells = {}
            for i, key in ipairs(keys) do cells[i] = csv_cell(row[key]) end
            write(table.concat(cells, ",") .. "\n")
        end
    end)
end

---@return string one line
function Table:json()
    local keys, list = keys_of(self), {}
    for r, row in ipairs(self.rows) do
        local record = {}
        for i, key in ipairs(keys) do record[i] = { key, json.tree(row[key]) } end
        list[r] = json.object(record)
    end
    return json.encode(json.list(list))
end

for _, name in ipairs { "text", "markdown", "latex" } do Table[name] = fault.plain(Table[name]) end
Table.csv, Table.json = fault.public(Table.csv), fault.public(Table.json)
Table.__tostring = Table.text

return M
