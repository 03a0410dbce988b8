-- Results as an SQLite database in long form: cells of settings, runs, their numbers, what
-- replicas estimate, and jobs; with views that join them. docs/results.md describes the tables. The
-- same result gives the same bytes.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local json = require "pinion.base.json"
local long = require "pinion.output.long"
local parts = require "pinion.output.parts"
local text = require "pinion.base.text"

local M = {}

-- What `file` and others know it by ("PnDB"), and the version of the tables.
local APPLICATION, TABLES = 0x506E4442, 1

local MISSING = "this program was built without SQLite (libsqlite3-dev)"

---Fails when this build writes no databases.
---@param what string what asks for one
function M.check(what)
    if not core.database then fault.run("%s: %s", what, MISSING) end
end

-- ---- tables -------------------------------------------------------------------------------------

local RUN = { { "run", "INTEGER PRIMARY KEY" }, { "cell", "INTEGER NOT NULL REFERENCES cell" },
    { "model", "TEXT NOT NULL" }, { "workload", "TEXT" }, { "policy", "TEXT NOT NULL" },
    { "relaxed", "INTEGER NOT NULL" }, { "replica", "INTEGER NOT NULL" }, { "seed", "INTEGER" },
    { "digest", "TEXT" }, { "pinion", "TEXT NOT NULL" } }
local NUMBER = { { "group", "TEXT" }, { "metric", "TEXT NOT NULL" }, { "value", "REAL NOT NULL" },
    { "low", "REAL" }, { "high", "REAL" } }
local OF_RUN = { { "run", "INTEGER NOT NULL REFERENCES run" } }
local OF_POLICY = { { "cell", "INTEGER NOT NULL REFERENCES cell" }, { "policy", "TEXT NOT NULL" } }

local function joined(...)
    local list = {}
    for _, columns in ipairs { ... } do table.move(columns, 1, #columns, #list + 1, list) end
    return list
end

local function quote(name)
    return '"' .. name:gsub('"', '""') .. '"'
end

-- Makes names distinct: columns of which no two have one name; SQLite does not tell capital from
-- small letters.
local function distinct(columns)
    local made, seen = {}, {}
    for i, column in ipairs(columns) do
        local name = column[1]
        while seen[name:lower()] do name = name .. "_" end
        seen[name:lower()] = true
        made[i] = { name, column[2] }
    end
    return made
end

-- Opens a database whose errors are faults of the file that it becomes.
local function open(path, beside)
    local function checked(done, why)
        if not done then fault.located("run", path .. ": " .. why) end
        return done
    end
    local handle = checked(core.database(beside))
    local self = setmetatable({}, { __close = function() handle:close() end })
    function self.execute(...) checked(handle:execute(string.format(...))) end
    -- Makes a table; what adds a row to it.
    function self.create(name, columns, rest)
        local defined, places = {}, {}
        for i, column in ipairs(columns) do
            defined[i], places[i] = quote(column[1]) .. " " .. column[2], "?"
        end
        self.execute("CREATE TABLE %s (\n  %s%s", quote(name), table.concat(defined, ",\n  "),
            rest or "\n)")
        local statement = checked(handle:prepare(string.format("INSERT INTO %s VALUES (%s)",
            quote(name), table.concat(places, ", "))))
        return function(...) checked(handle:insert(statement, ...)) end
    end
    -- Adds a view of these tables' columns; of equal names the first one is shown.
    function self.view(name, from, tables)
        local list, seen = {}, {}
        for _, entry in ipairs(tables) do
            for _, column in ipairs(entry[2]) do
                local key = column[1]:lower()
                if not seen[key] then list[#list + 1] = entry[1] .. "." .. quote(column[1]) end
                seen[key] = true
            end
        end
        self.execute("CREATE VIEW %s AS SELECT\n  %s\nFROM %s", quote(name),
            table.concat(list, ",\n  "), from)
    end
    return self
end

-- ---- cells --------------------------------------------------------------------------------------

-- Returns a value as a cell of the table has it.
local function plain(value)
    if type(value) == "string" then return text.valid(value) end
    if type(value) ~= "table" then return value end
    return #value > 0 and parts.list_text(value) or json.encode(json.tree(value))
end

-- Returns what does not vary, as pairs of name and value.
local function fixed_settings(it)
    local model, from, list = parts.model_of(it), it.title or it, {}
    local function add(name, value)
        if value ~= nil then list[#list + 1] = { name, plain(value) } end
    end
    for _, name in ipairs(model.settings.heads) do add(name, from[name]) end
    add("error", from.error)
    for unit, amount in next, from.warmup or {} do
        add("warmup", unit == "auto" and "auto"
            or string.format(unit == "jobs" and "%d" or "%s%s", amount, unit))
    end
    for _, rule in ipairs(it.rules or {}) do add("params." .. rule[1], rule[2]) end
    for _, name in ipairs(not it.rules and it.params and check.sorted_keys(it.params) or {}) do
        add("params." .. name, it.params[name])
    end
    return list
end

-- Returns the narrowest type that holds all values.
local function type_of(values)
    local types = {}
    for _, value in ipairs(values) do types[math.type(value) or type(value)] = true end
    if types.string then return "TEXT" end
    return types.float and "REAL" or "INTEGER"
end

-- Returns the first row of each cell, in their order, and the number of the cell of each row.
local function cells_of(it)
    local rows, numbers, by_place = {}, {}, {}
    for _, row in ipairs(it.over and it.rows or {}) do
        local words = {}
        for i, at in ipairs(row.cell) do words[i] = tostring(at) end
        local place = table.concat(words, " ")
        if not by_place[place] then rows[#rows + 1], by_place[place] = row, #rows + 1 end
        numbers[row] = by_place[place]
    end
    return rows, numbers
end

-- Makes the table of cells: one column a setting. The number of the cell of a row.
local function add_cells(db, it)
    local rows, numbers = cells_of(it)
    local columns, fixed = { { "cell", "INTEGER PRIMARY KEY" } }, fixed_settings(it)
    for _, axis in ipairs(it.over or {}) do
        local values = {}
        for i, row in ipairs(rows) do values[i] = row[axis.name] end
        columns[#columns + 1] = { axis.name, type_of(values) }
    end
    for _, pair in ipairs(fixed) do columns[#columns + 1] = { pair[1], type_of { pair[2] } } end
    columns = distinct(columns)
    local insert = db.create("cell", columns)
    for cell, row in ipairs(it.over and rows or { {} }) do
        local values = { cell }
        for _, axis in ipairs(it.over or {}) do values[#values + 1] = plain(row[axis.name]) end
        for _, pair in ipairs(fixed) do values[#values + 1] = pair[2] end
        insert(table.unpack(values, 1, #columns))
    end
    return columns, function(row) return it.over and numbers[row] or 1 end
end

-- ---- runs and numbers ---------------------------------------------------------------------------

-- Returns the key of a run by its policy and replica, and the values of its cell: a text that does
-- not depend on the process that makes it.
local function key_of(axes, cell, policy, replica)
    local values = { policy, replica }
    for i, axis in ipairs(axes) do
        values[i + 2] = cell[axis.name] == nil and core.null or cell[axis.name]
    end
    return json.encode(json.list(values))
end

-- Returns what a sweep varies, where it varies it; else what holds for all.
local function of_cell(it, row, name)
    for _, axis in ipairs(it.over or {}) do
        if axis.name == name or axis.name == "params." .. name then return row[axis.name] end
    end
    return it[name]
end

-- Makes the table of runs; the number of a run by its key.
local function add_runs(db, it, cell_of)
    local insert, numbers, last = db.create("run", RUN), {}, 0
    local results = long.single_results(it)
    for _, row in ipairs(results or it.rows) do
        for i = 1, results and 1 or row.replicas or it.completed do
            local replica = it.replica + i - 1
            last = last + 1
            insert(last, cell_of(row), it.model, plain(of_cell(it, row, "workload")),
                plain(row.policy), row.relaxed or false, replica, of_cell(it, row, "seed"),
                results and row.digest or nil, core.version)
            numbers[key_of(it.over or {}, row, row.policy, replica)] = last
        end
    end
    return numbers
end

-- Makes the tables of numbers: of single runs, and over all replicas.
local function add_numbers(db, it, cell_of, runs)
    local insert_value = db.create("value", joined(OF_RUN, NUMBER))
    local insert_estimate = db.create("estimate", joined(OF_POLICY, NUMBER))
    long.numbers(it, function(row)
        local cell, first = cell_of(row), nil
        return function(replica, group, metric, value, low, high)
            if value == nil then return end
            if not replica then
                insert_estimate(cell, plain(row.policy), group, metric, value, low, high)
                return
            end
            first = first or runs[key_of(it.over or {}, row, row.policy, it.replica)]
            insert_value(first + replica - it.replica, group, metric, value, low, high)
        end
    end)
end

-- ---- jobs ---------------------------------------------------------------------------------------

-- Returns the columns of the rows behind id, name and group, with their types.
local function job_columns(model, result, attributes)
    local columns, exact = {}, model.results.exact
    local names, kinds = result.rows:columns()
    for i, name in ipairs(names) do
        columns[#columns + 1] = { name, exact and "REAL" or kinds[i]:upper() }
        if exact then columns[#columns + 1] = { name .. "_exact", "TEXT" } end
    end
    for _, name in ipairs(attributes) do
        columns[#columns + 1] = { name, (result.labels or {})[name] and "TEXT" or "REAL" }
    end
    return columns
end

local function add_job_table(db, columns)
    local all = distinct(joined(OF_RUN, { { "id", "INTEGER NOT NULL" }, { "name", "TEXT" },
        { "group", "TEXT" } }, columns))
    return all, db.create("job", all, ",\n  PRIMARY KEY (run, id)\n) WITHOUT ROWID")
end

-- Returns what gives a job's name, group and the values of these columns. Rows of which no more
-- than the group has to be looked up are not made tables first: there may be a million.
local function job_reader(result, columns)
    local jobs, rows, groups = result.jobs, result.rows, result.groups or {}
    local is_plain = not result.named and not result.attributes
        and not parts.model_of(result).results.exact
    local function with_name(group, ...) return nil, (groups[group] or {}).group, ... end
    if is_plain then return function(id) return with_name(rows:grouped(id)) end end
    local values = {}
    return function(id)
        local job = jobs[id]
        for i, column in ipairs(columns) do values[i] = job[column[1]] end
        return job.name, job.group, table.unpack(values, 1, #columns)
    end
end

-- Adds the jobs of single results; the columns of their table, nil: there are none.
local function add_jobs(db, it, runs)
    local model, columns, all, insert = parts.model_of(it), nil, nil, nil
    for _, result in ipairs(long.single_results(it) or {}) do
        if result.rows then
            columns = columns or job_columns(model, result, result.attributes or {})
            if not all then all, insert = add_job_table(db, columns) end
            local run = runs[key_of({}, {}, result.policy, it.replica)]
            local read = job_reader(result, columns)
            for id = 1, #result.jobs do insert(run, id, read(id)) end
        end
    end
    return all
end

-- Jobs that are a line of a file that waits.
local JOBS_A_LINE = 500

-- Returns a value that reads back the same; of numbers json.encode would look for the shortest such
-- text.
local function value_text(value)
    return math.type(value) and string.format(math.type(value) == "float" and "%.17g" or "%d",
        value) or json.encode(value)
end

-- Writes the values of jobs first..last, so many of each.
local function values_line(read, first, last, width)
    local texts = {}
    for id = first, last do
        local values = { read(id) }
        for i = 1, width do texts[#texts + 1] = value_text(values[i]) end
    end
    return "[" .. table.concat(texts, ",") .. "]\n"
end

---Writes the jobs of one of many runs as lines of JSON: the run and its columns, then the values.
---They come from worker processes, and wait in a file until the database is written.
---@param result pinion.Result
---@param replica integer
---@param cell table<string, any>
---@param axes pinion.Axis[]
---@param attributes string[] that all runs have
---@return string
function M.job_lines(result, replica, cell, axes, attributes)
    local columns = job_columns(parts.model_of(result), result, attributes)
    local head = { run = key_of(axes, cell, result.policy, replica), columns = columns }
    local lines, read = { json.encode(json.tree(head)) .. "\n" }, job_reader(result, columns)
    for first = 1, #result.jobs, JOBS_A_LINE do
        local last = math.min(first + JOBS_A_LINE - 1, #result.jobs)
        lines[#lines + 1] = values_line(read, first, last, #columns + 2)
    end
    return table.concat(lines)
end

-- Adds the jobs of many runs, as M.job_lines wrote them.
local function add_waiting(db, waiting, runs)
    local all, insert, run, width, id
    waiting:seek "set"
    for line in waiting:lines() do
        local value = assert(core.json_decode(line, "jobs"))
        if value.run then
            run, width, id = runs[value.run], #value.columns + 2, 0
            if not all then all, insert = add_job_table(db, value.columns) end
        else
            for at = 1, #value, width do
                id = id + 1
                insert(run, id, table.unpack(value, at, at + width - 1))
            end
        end
    end
    waiting:close()
    return all
end

-- ---- all of it ----------------------------------------------------------------------------------

-- Adds the cells in long form, a setting a row.
local function add_settings(db, cells)
    local parts_of = {}
    for i = 2, #cells do
        local name = cells[i][1]
        parts_of[i - 1] = string.format("SELECT cell, '%s' AS name, %s AS value FROM cell",
            name:gsub("'", "''"), quote(name))
    end
    if #parts_of == 0 then return end
    db.execute("CREATE VIEW setting AS\n%s", table.concat(parts_of, "\nUNION ALL "))
end

local function add_views(db, cells, jobs)
    add_settings(db, cells)
    db.view("results", "value JOIN run ON run.run = value.run JOIN cell ON cell.cell = run.cell",
        { { "run", RUN }, { "value", NUMBER }, { "cell", cells } })
    db.view("estimates", "estimate JOIN cell ON cell.cell = estimate.cell",
        { { "estimate", joined(OF_POLICY, NUMBER) }, { "cell", cells } })
    if not jobs then return end
    db.view("jobs", "job JOIN run ON run.run = job.run JOIN cell ON cell.cell = run.cell",
        { { "job", jobs }, { "run", RUN }, { "cell", cells } })
end

-- Nothing else sees the file before it is complete: it needs no journal, and nothing waits for the
-- disk.
local BEGIN = [[
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
BEGIN;
PRAGMA application_id = %d;
PRAGMA user_version = %d]]

---Writes a result, a comparison or a sweep.
---@param path string
---@param it pinion.Result|pinion.Comparison|pinion.Sweep
---@param jobs boolean|file* true: those of single results that have rows; or the lines of many runs
function M.write(path, it, jobs)
    files.made(path, function(beside)
        local db <close> = open(path, beside)
        db.execute(BEGIN, APPLICATION, TABLES)
        local cells, cell_of = add_cells(db, it)
        local runs = add_runs(db, it, cell_of)
        add_numbers(db, it, cell_of, runs)
        local job_table
        if jobs == true then
            job_table = add_jobs(db, it, runs)
        elseif jobs then
            job_table = add_waiting(db, jobs, runs)
        end
        add_views(db, cells, job_table)
        db.execute "COMMIT"
    end)
end

return M
