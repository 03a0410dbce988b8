-- Comma separated values: reading job files with a header, and quoting fields for writing. Quoted
-- fields may hold commas, doubled quotes and line ends; a record is known by the line it begins on.

local core = require "pinion.core"
local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"

local M = {}

---@param value any
---@return string field, quoted where it has to be
function M.quote(value)
    local text = tostring(value)
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

-- A quoted field, which may go on in the lines below; the position is behind it then.
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
local function records(lines, name)
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

local function check_column(column, model, where)
    for _, list in ipairs(model.lists or {}) do
        if column == list then
            fault.at(where, nil,
                string.format(
                "column '%s' would be a list of values (expected a scenario file, "
                .. "csv files have none)",
                column))
        end
    end
end

-- Checks the names of the columns, cuts blanks off them, and returns the model that they speak of,
-- unless it is asked for.
local function read_header(fields, where, asked)
    for i, field in ipairs(fields) do fields[i] = field:match("^%s*(.-)%s*$") end
    local name, seen = asked or jobs.model_of_fields(fields), {}
    local model = jobs.models[name]
    for _, column in ipairs(fields) do
        check_column(column, model, where)
        if not model.known[column] then
            fault.at(where, nil,
                string.format("unknown column '%s' %s", column,
                suggest.hint(column, model.columns)))
        end
        if seen[column] then
            fault.at(where, nil, string.format("column '%s' appears twice", column))
        end
        seen[column] = true
    end
    if model.arrival and not seen[model.arrival] then
        fault.at(where, nil, string.format("no column '%s' (expected a header such as %s)",
            model.arrival, model.example))
    end
    return name
end

local function read_list(cell, read)
    local items, count = {}, 0
    for piece in cell:gmatch("[^%s;]+") do
        count = count + 1
        items[count] = read(piece)
    end
    return setmetatable(items, core.array)
end

-- "3x5": so many tasks of such a duration, which is read as exactly as it is written.
local function read_tasks(piece)
    local count, duration = piece:match("^(%d+)x(.+)$")
    if not count then return piece end
    return { count = quantity.plain(count), duration = duration }
end

local function as_written(cell)
    return cell
end

-- How cells are read: as numbers where nothing else is said.
local READERS = {
    slotted = { name = as_written, group = as_written,
        reduces = function(cell) return read_list(cell, quantity.plain) end },
    tandem = { name = as_written, group = as_written },
    makespan = {
        name = as_written, group = as_written, map_time = as_written, reduce_time = as_written,
        maps = function(cell) return read_list(cell, read_tasks)
            end, reduces = function(cell) return read_list(cell, read_tasks) end,
    },
    cluster = { name = as_written, group = as_written },
}

-- Cells become the values that a scenario file would hold, so that one check serves both.
local function read_row(header, fields, readers)
    local job = {}
    for i, column in ipairs(header) do
        local cell = fields[i]:match("^%s*(.-)%s*$")
        if cell ~= "" then job[column] = (readers[column] or quantity.plain)(cell) end
    end
    return job
end

---Reads a file of jobs with a header.
---@param name string
---@param asked string|nil the model that they are to be of; nil: as the header says
---@return pinion.JobList
function M.read_jobs(name, asked)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local input <close>, why = core.gz_lines(name)
    if not input then fault.located("usage", why) end
    local rows, lines, header, model = {}, {}, nil, nil
    for fields, line in records(input, name) do
        local where = name .. ":" .. line
        if not header then
            header, model = fields, read_header(fields, where, asked)
        elseif #fields ~= #header then
            fault.at(where, nil,
                string.format("has %d field%s (expected %d)", #fields, #fields == 1 and "" or "s",
                #header))
        else
            local index = #rows + 1
            if index > core.limits.jobs then
                fault.at(where, nil, string.format("the file goes on (expected at most %d jobs)",
                    core.limits.jobs))
            end
            rows[index], lines[index] = read_row(header, fields, READERS[model]), line
        end
    end
    if not header then
        fault.at(name .. ":1", nil, "empty file (expected a header such as "
            .. jobs.models[asked or "slotted"].example .. ")")
    end
    if #rows == 0 then fault.at(name, nil, "no jobs behind the header") end
    return jobs.read(setmetatable(rows, core.array), {
        lua = false,
        fail = function(index, field, reason)
            fault.at(index and name .. ":" .. lines[index] or name, field, reason)
        end,
    }, model)
end

-- Tasks of the makespan model: 3x5;7. An empty list is not the same as none: it is a semicolon.
local function tasks_text(tasks)
    if #tasks == 0 and not tasks.count then return ";" end
    if tasks.count then return string.format("%dx%s", tasks.count, tasks.duration) end
    local pieces, from = {}, 1
    for i = 1, #tasks do
        if tasks[i + 1] ~= tasks[i] then
            pieces[#pieces + 1] = i > from and string.format("%dx%s", i - from + 1, tasks[i])
                or tostring(tasks[i])
            from = i + 1
        end
    end
    return table.concat(pieces, ";")
end

-- What a csv file cannot say is not left out in silence.
local function check_lists(list, of)
    for id, job in ipairs(list) do
        for _, field in ipairs(of.lists or {}) do
            if job[field] then
                fault.usage("job %d has a list, %s, and csv files have none (expected --format "
                    .. "json)", id, field)
            end
        end
    end
end

local function cell_text(value, model)
    if value == nil then return "" end
    if type(value) == "table" then
        return model == "makespan" and tasks_text(value) or table.concat(value, " ")
    end
    if math.type(value) == "float" then return string.format("%.17g", value) end
    return M.quote(value)
end

---Writes the jobs of a workload so that read_jobs gives them back.
---@param list table[] what a scenario file would hold of each job
---@param write fun(text: string)
---@param model string|nil default slotted
function M.write_jobs(list, write, model)
    local columns, of = {}, jobs.models[model or "slotted"]
    check_lists(list, of)
    for _, column in ipairs(of.columns) do
        local used = of.always[column]
        for _, job in ipairs(list) do
            if used then break end
            used = job[column] ~= nil
        end
        if used then columns[#columns + 1] = column end
    end
    write(table.concat(columns, ",") .. "\n")
    for _, job in ipairs(list) do
        local cells = {}
        for i, column in ipairs(columns) do cells[i] = cell_text(job[column], model) end
        write(table.concat(cells, ",") .. "\n")
    end
end

return M
