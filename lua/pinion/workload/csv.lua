-- Files of comma separated values with a header, one job in a record.

local attributes = require "pinion.workload.attributes"
local core = require "pinion.core"
local csv = require "pinion.base.csv"
local fault = require "pinion.base.fault"
local jobs = require "pinion.workload.jobs"
local models = require "pinion.models"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"

local M = {}

-- Lists of the model, and those without which there is no job of another.
local function lists_of(model)
    local lists = table.move(model.lists, 1, #model.lists, 1, {})
    for _, name in ipairs(models.names()) do
        local other = models.find(name).jobs
        if other.nested then table.move(other.lists, 1, #other.lists, #lists + 1, lists) end
    end
    return lists
end

local function check_column(column, model, where)
    for _, list in ipairs(lists_of(model)) do
        if column == list then
            fault.at(where, nil,
                string.format(
                "column '%s' would be a list of values (expected a scenario file, "
                .. "csv files have none)",
                column))
        end
    end
end

-- Returns whether jobs of some model have the column always: then these are not jobs of this one.
local function is_elsewhere(column)
    for _, name in ipairs(models.names()) do
        if models.find(name).jobs.always[column] then return true end
    end
    return false
end

-- Counts the models that know the column.
local function owners(column)
    local count = 0
    for _, name in ipairs(models.names()) do
        count = count + (jobs.known(name)[column] and 1 or 0)
    end
    return count
end

-- Returns the hint for a column of another model: the column that only this model has, and what it
-- may have been meant to be in the other; nil: no such column.
local function hint_of_other(column, fields)
    for _, name in ipairs(models.names()) do
        local of, known = models.find(name).jobs, jobs.known(name)
        for _, field in ipairs(of.always[column] and fields or {}) do
            local near = not known[field] and owners(field) == 1
                and suggest.nearest(field, of.columns)
            if near then return string.format("(did you mean '%s' for '%s'?)", near, field) end
        end
    end
end

-- Checks an attribute: a column that is no field of jobs is one, unless it is likely to be one
-- mistyped.
local function check_attribute(column, name, fields, where)
    local columns = models.find(name).jobs.columns
    local near = suggest.nearest(column, columns)
    if near or is_elsewhere(column) then
        local hint = not near and hint_of_other(column, fields) or suggest.hint(column, columns)
        fault.at(where, nil, string.format("unknown column '%s' %s", column, hint))
    end
    local why = attributes.fault_of_name(column, name)
    if why then fault.at(where, nil, string.format("column '%s' %s", column, why)) end
end

-- What else may stand between columns, and how a shell writes it.
local SEPARATORS = { { ";", "semicolons", ";" }, { "\t", "tabs", "\\t" } }

local function is_column(text)
    local column = text:match "^%s*(.-)%s*$"
    for _, name in ipairs(models.names()) do
        if jobs.known(name)[column] then return true end
    end
    return false
end

-- Checks the separator: a header of which nothing is known, but would be if it were cut at another
-- sign.
local function check_separator(fields, where)
    for _, field in ipairs(fields) do
        if is_column(field) then return end
    end
    local header = table.concat(fields, ",")
    for _, separator in ipairs(SEPARATORS) do
        for piece in header:gmatch("[^" .. separator[1] .. "]+") do
            if is_column(piece) then
                fault.at(where, nil, string.format("columns are separated by %s (expected commas; "
                    .. "if no cell holds one: tr '%s' , <FILE >NEW)", separator[2], separator[3]))
            end
        end
    end
end

-- Lists the columns of arrival times with the models that read them from csv files.
local function time_columns()
    local shown, of_column, order = {}, {}, {}
    for _, name in ipairs(models.names()) do
        local of = models.find(name).jobs
        if of.arrival and not of.nested then
            if not of_column[of.arrival] then order[#order + 1] = of.arrival end
            of_column[of.arrival] = (of_column[of.arrival] and of_column[of.arrival] .. ", " or "")
                .. name
        end
    end
    for i, column in ipairs(order) do
        shown[i] = string.format("'%s' (%s)", column, of_column[column])
    end
    return table.concat(shown, " or ")
end

-- Quotes names for a message.
local function quoted(names)
    local shown = {}
    for i, name in ipairs(names) do shown[i] = "'" .. name .. "'" end
    return table.concat(shown, ", ")
end

-- Refuses to guess that jobs have no times where a column that no model knows may hold them.
local function check_times(fields, where)
    local unknown = {}
    for _, column in ipairs(fields) do
        if not is_column(column) then unknown[#unknown + 1] = column end
    end
    if #unknown == 0 then return end
    fault.at(where, nil, string.format("no column %s (did you mean one of them for %s? "
        .. "--model %s reads jobs without times)", time_columns(), quoted(unknown),
        jobs.model_of_fields(fields)))
end

-- Checks the names of the columns, cuts blanks off them, and returns the model that they speak of,
-- unless it is asked for, and the attributes among them.
local function read_header(fields, where, asked)
    check_separator(fields, where)
    for i, field in ipairs(fields) do fields[i] = field:match("^%s*(.-)%s*$") end
    local name, seen = asked or jobs.model_of_fields(fields), {}
    local model, known, carried = models.find(name).jobs, jobs.known(name), {}
    for _, column in ipairs(fields) do
        check_column(column, model, where)
        if seen[column] then
            fault.at(where, nil, string.format("column '%s' appears twice", column))
        end
        seen[column] = true
        if not known[column] then
            check_attribute(column, name, not asked and fields or {}, where)
            carried[#carried + 1] = column
        end
    end
    if not asked and not model.arrival then check_times(fields, where) end
    if model.arrival and not seen[model.arrival] then
        fault.at(where, nil, string.format("no column '%s' (%sexpected a header such as %s)",
            model.arrival, #carried > 0 and "did you mean it for " .. quoted(carried) .. "? " or "",
            model.example))
    end
    if #carried > attributes.MOST then
        fault.at(where, nil, string.format("has %d columns of attributes (expected at most %d)",
            #carried, attributes.MOST))
    end
    return name, attributes.of_names(carried)
end

local function read_list(cell, read)
    local items, count = {}, 0
    for piece in cell:gmatch("[^%s;]+") do
        count = count + 1
        items[count] = read(piece)
    end
    return setmetatable(items, core.array)
end

-- Reads "3x5": so many tasks of such a duration, which is read as exactly as it is written.
local function read_tasks(piece)
    local count, duration = piece:match("^(%d+)x(.+)$")
    if not count then return piece end
    return { count = quantity.plain(count), duration = duration }
end

-- How cells are read where they are no numbers: by the word in the model's jobs.cells.
local READERS = {
    text = csv.unguarded,
    integers = function(cell) return read_list(cell, quantity.plain) end,
    tasks = function(cell) return read_list(cell, read_tasks) end,
}

-- Reads the first row. A column of an attribute is text if its first cell that is not empty is no
-- number.
local function read_first(cell, column, readers, carried)
    readers[column] = quantity.plain
    if type(quantity.plain(cell)) == "string" and attributes.make_text(carried, column, { "" }) then
        readers[column] = READERS.text
    end
    return readers[column](cell)
end

-- Returns readers by column; names and groups are texts in every model.
local function readers_of(model, carried)
    local readers = { name = READERS.text, group = READERS.text }
    for _, name in ipairs(carried and carried.names or {}) do readers[name] = read_first end
    for column, word in next, models.find(model).jobs.cells do
        readers[column] = READERS[word]
    end
    return readers
end

-- Reads a row. Cells become the values that a scenario file would hold, so that one check serves
-- both.
local function read_row(header, fields, readers, carried)
    local job = {}
    for i, column in ipairs(header) do
        local cell = fields[i]:match("^%s*(.-)%s*$")
        if cell ~= "" then
            job[column] = (readers[column] or quantity.plain)(cell, column, readers, carried)
        end
    end
    return job
end

-- Names the attributes of a job without maps and reduces, as its work may be among them, and the
-- fields that they may have been meant to be.
local function taken_for_attributes(job, carried, model)
    local names, meant = carried and carried.names or {}, {}
    if not job or #names == 0 or job.maps ~= nil or job.reduces ~= nil then return "" end
    for _, name in ipairs(names) do
        meant[#meant + 1] = suggest.by_part(name, models.find(model).jobs.columns)
    end
    return string.format(" (read as attributes of jobs: %s%s)", quoted(names),
        #meant > 0 and "; did you mean " .. quoted(meant) .. "?" or "")
end

---Reads a file of jobs with a header.
---@param name string
---@param asked string|nil the model that they are to be of; nil: as the header says
---@return pinion.JobList
function M.read_jobs(name, asked)
    local guard <close> = core.interrupt_guard(fault.interrupted)
    local input <close>, why = core.gz_lines(name)
    if not input then fault.located("usage", why) end
    local rows, lines, header, model, readers, carried = {}, {}, nil, nil, nil, nil
    for fields, line in csv.records(input, name) do
        local where = name .. ":" .. line
        if not header then
            header, model, carried = fields, read_header(fields, where, asked)
            readers = readers_of(model, carried)
        elseif #fields ~= #header then
            fault.at(where, nil,
                string.format("has %d field%s (expected %d)", #fields, #fields == 1 and "" or "s",
                #header))
        else
            local index = #rows + 1
            if index > core.limits.jobs then
                fault.at(where, nil, string.format("the file has more jobs (expected at most %d)",
                    core.limits.jobs))
            end
            rows[index], lines[index] = read_row(header, fields, readers, carried), line
        end
    end
    if not header then
        fault.at(name .. ":1", nil, "empty file (expected a header such as "
            .. models.find(asked or models.default).jobs.example .. ")")
    end
    if #rows == 0 then fault.at(name, nil, "no jobs after the header") end
    return jobs.read(setmetatable(rows, core.array), {
        lua = false,
        fail = function(index, field, reason)
            fault.at(index and name .. ":" .. lines[index] or name, field,
                field and reason or reason .. taken_for_attributes(rows[index], carried, model))
        end,
    }, model, carried)
end

-- Writes tasks: 3x5;7. An empty list is not the same as none: it is a semicolon.
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

-- Checks the fields: what a csv file cannot say is not left out in silence.
local function check_fields(list, of, carried)
    local own = {}
    for _, field in ipairs(of.more) do own[field] = true end
    for _, name in ipairs(carried or {}) do own[name] = nil end
    for id, job in ipairs(list) do
        for _, field in ipairs(of.lists) do
            if job[field] then
                fault.usage("job %d has a list, %s, and csv files have none (expected --format "
                    .. "json)", id, field)
            end
        end
        for _, field in ipairs(of.more) do
            if own[field] and job[field] then
                fault.usage("job %d has a %s, and in csv files that is an attribute (expected "
                    .. "--format json)", id, field)
            end
        end
    end
end

local function cell_text(value, word)
    if value == nil then return "" end
    if type(value) == "table" then
        return word == "tasks" and tasks_text(value) or table.concat(value, " ")
    end
    if math.type(value) == "float" then return string.format("%.17g", value) end
    return csv.quote(value)
end

---Writes the jobs of a workload so that read_jobs gives them back.
---@param list table[] what a scenario file would hold of each job
---@param write fun(text: string)
---@param model string
---@param carried string[]|nil names of attributes
function M.write_jobs(list, write, model, carried)
    local columns, of = {}, models.find(model).jobs
    check_fields(list, of, carried)
    for _, column in ipairs(of.columns) do
        local used = of.always[column]
        for _, job in ipairs(list) do
            if used then break end
            used = job[column] ~= nil
        end
        if used then columns[#columns + 1] = column end
    end
    for _, name in ipairs(carried or {}) do columns[#columns + 1] = name end
    write(table.concat(columns, ",") .. "\n")
    for _, job in ipairs(list) do
        local cells = {}
        for i, column in ipairs(columns) do
            cells[i] = cell_text(job[column], of.cells[column])
        end
        write(table.concat(cells, ",") .. "\n")
    end
end

return M
