-- Results as data bases: what is read back is what csv has, in all models; types, names that a user
-- chooses, bytes, and what happens when a file cannot be written.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"
local pinion = require "pinion"
local setup = require "pinion.cli.setup"

local succeed, joined, directory = program.succeed, program.joined, program.directory

-- ---- a build without SQLite ---------------------------------------------------------------------

local make = core.database
core.database = nil
local result = pinion.run { machines = 4, workload = "zheng,slots=20", policy = "fifo",
    quiet = true }
check.raises("without SQLite, in scripts", "db: this program was built without SQLite "
    .. "(libsqlite3-dev)", result.db, result, program.file "none.db")
check.raises("without SQLite, for commands", "--output results.db: this program was built without "
    .. "SQLite (libsqlite3-dev)", setup.check_rows, { output = "results.db" }, "db")
check.is_true("no file is left", not io.open(program.file "none.db"))
core.database = make
if not make then
    print "this build has no SQLite; to have it: apt-get install libsqlite3-dev, make clean all"
    os.execute("rm -rf '" .. directory .. "'")
    os.exit(77)
end

for _, case in ipairs {
    { "none.db", "select 1", "No such file or directory" },
    { "some.db", "select", 'incomplete input' },
    { "some.db", "select abs(-9223372036854775808)", "integer overflow" },
} do
    check.write_file(program.file "some.db", "")
    local rows, why = core.database_rows(directory .. "/" .. case[1], case[2])
    check.equal("no rows: " .. case[2], rows, nil)
    check.equal("why: " .. case[2], why, case[3])
end
check.equal("bytes and nothing", core.json_encode(core.database_rows(program.file "some.db",
    "select x'', x'4142', zeroblob(0), null, ''")), '[["","AB","",false,""]]')

-- ---- reading ------------------------------------------------------------------------------------

local function rows_of(path, question, ...)
    local rows, why = core.database_rows(path, question:format(...))
    check.equal("an answer to " .. question, why, nil)
    return rows or {}
end

local function one(path, question, ...)
    return (rows_of(path, question, ...)[1] or {})[1]
end

-- The records of a csv text, whose cells may be quoted.
local function records(text)
    local list, header, cells = {}, nil, {}
    local at = 1
    while at <= #text do
        local quoted, after = text:match('^"(.-)"()[,\n]', at)
        while quoted and select(2, quoted:gsub('"', "")) % 2 == 1 do
            local more
            more, after = text:match('^(.-)"()[,\n]', after)
            quoted = quoted .. '"' .. more
        end
        local plain, past = text:match("^([^,\n]*)()", at)
        cells[#cells + 1] = quoted and quoted:gsub('""', '"') or plain
        at = quoted and after or past
        if text:sub(at, at) == "\n" then
            if header then
                local record = {}
                for i, name in ipairs(header) do record[name] = cells[i] end
                list[#list + 1] = record
            else
                header = cells
            end
            cells = {}
        end
        at = at + 1
    end
    return list, header
end

local function same(name, got, want)
    local number = type(got) == "number" and tonumber(want)
    if want == "true" or want == "false" then number = want == "true" and 1 or 0 end
    if got == false then got = "" end
    check.is_true(string.format("%s: %s is %s", name, got, want),
        number and got == number or not number and tostring(got) == want)
end

-- Rows of a question and records, column by column.
local function same_rows(name, got, records_of, columns)
    check.equal(name .. ": rows", #got, #records_of)
    for i, record in ipairs(records_of) do
        for k, column in ipairs(columns) do
            same(string.format("%s, row %d: %s", name, i, column), got[i] and got[i][k],
                record[column])
        end
    end
end

local function quoted(columns)
    local list = {}
    for i, column in ipairs(columns) do list[i] = '"' .. column .. '"' end
    return table.concat(list, ", ")
end

local function check_sound(name, path)
    check.equal(name .. ": is sound", one(path, "PRAGMA integrity_check"), "ok")
    check.equal(name .. ": names its program", one(path, "PRAGMA application_id"), 0x506E4442)
    check.equal(name .. ": and its version", one(path, "PRAGMA user_version"), 1)
    check.equal(name .. ": keys lead to rows", #rows_of(path, "PRAGMA foreign_key_check"), 0)
    for _, entry in ipairs(rows_of(path, "SELECT m.name, c.name, c.type FROM sqlite_schema AS m "
        .. "JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'")) do
        local other = one(path, 'SELECT count(*) FROM "%s" WHERE typeof("%s") NOT IN '
            .. "('%s', 'null')", entry[1], entry[2], entry[3]:lower())
        check.equal(string.format("%s: values of %s.%s are %s", name, entry[1], entry[2], entry[3]),
            other, 0)
    end
end

local NUMBERS = { "policy", "replica", "group", "metric", "value", "low", "high" }
local OVER_ALL = { "policy", "group", "metric", "value", "low", "high" }

-- The data base has the numbers of the long form.
local function same_numbers(name, path, text, axes)
    local of_runs, of_all = {}, {}
    local list, header = records(text)
    check.equal(name .. ": columns", quoted(header), quoted(joined(axes, NUMBERS)))
    for _, record in ipairs(list) do
        local into = record.replica ~= "" and of_runs or of_all
        into[#into + 1] = record
    end
    check_sound(name, path)
    local columns = joined(axes, NUMBERS)
    same_rows(name, rows_of(path, "SELECT %s FROM results", quoted(columns)), of_runs, columns)
    columns = joined(axes, OVER_ALL)
    same_rows(name, rows_of(path, "SELECT %s FROM estimates", quoted(columns)), of_all, columns)
end

-- ---- all models ---------------------------------------------------------------------------------

local MODELS = {
    slotted = { { "--workload", "facebook,jobs=60" }, "fifo,asrpt", "machines=40,80" },
    tandem = { { "--model", "tandem", "--workload", "lin,jobs=60" }, "fcfs,ps", "speed=1,2.5" },
    makespan = { { "--workload", "rand_few", "--set", "level=task" }, "neh,uaas",
        "map_slots=3,5" },
    cluster = { { "--workload", "hsrtf" }, "fifo,fair", "params.heartbeat_ms=1000,3000" },
    dag = { { "--model", "dag", "--workload", "dag:mixed,jobs=30,load=.7" }, "fifo,srpt",
        "params.est_hi=1000,1500" },
}

-- Csv has the jobs of all cells replica by replica.
local function in_order_of_runs(jobs, axes, runs)
    local places = {}
    local function key_of(record, name_of)
        local parts = {}
        for i, name in ipairs(joined(axes, { "policy", "replica" })) do
            local value = record[name_of and name or i] or 0
            parts[i] = tostring(tonumber(value) and tonumber(value) + 0.0 or value)
        end
        return table.concat(parts, "|")
    end
    for i, run in ipairs(runs) do places[key_of(run)] = i end
    for _, job in ipairs(jobs) do job.run = places[key_of(job, true)] end
    table.sort(jobs, function(a, b)
        if a.run ~= b.run then return a.run < b.run end
        return tonumber(a.id) < tonumber(b.id)
    end)
end

-- A command writes the same numbers, and the jobs, to both kinds of file.
local function compare_files(name, command, axes)
    local path = program.file(name .. ".db")
    succeed(name, joined(command, { "--output", path, "--jobs-detail" }))
    local long = succeed(name, joined(command, { "--format", "csv", "--long" }))
    local csv = succeed(name, joined(command, { "--format", "csv", "--jobs-detail" }))
    same_numbers(name, path, long, axes)
    local jobs, columns = records(csv)
    in_order_of_runs(jobs, axes, rows_of(path, "SELECT %s FROM results GROUP BY run ORDER BY run",
        quoted(joined(axes, { "policy", "replica" }))))
    same_rows(name .. ": jobs", rows_of(path, "SELECT %s FROM jobs ORDER BY run, id",
        quoted(columns)), jobs, columns)
    check.is_true(name .. ": there are jobs", #jobs > 0)
    local without = program.file(name .. ".sqlite")
    succeed(name, joined(command, { "--output", without }))
    check.equal(name .. ": no jobs unless they are asked for",
        one(without, "SELECT count(*) FROM sqlite_schema WHERE name IN ('job', 'jobs')"), 0)
    local again = program.file(name .. ".sqlite3")
    succeed(name, joined(command, { "--output", again, "--jobs-detail" }))
    check.is_true(name .. ": the same bytes", check.read_file(again) == check.read_file(path))
    return path
end

for _, model in ipairs(require("pinion.models").names()) do
    local options, policies, over = table.unpack(MODELS[model])
    local first = policies:match "^[^,]+"
    local base = joined({ "-q" }, options)
    local path = compare_files(model .. " run", joined({ "simulate", "--policy", first }, base), {})
    check.matches(model .. ": a run has its digest", one(path, "SELECT digest FROM run"), "^%x+$")
    check.equal(model .. ": and its model", one(path, "SELECT model FROM run"), model)
    compare_files(model .. " comparison", joined({ "compare", "--policies", policies }, base), {})
    compare_files(model .. " replicas", joined({ "compare", "--policies", policies, "--replicas",
        "3", "-j2" }, base), {})
    path = compare_files(model .. " sweep", joined({ "sweep", "--policies", policies, "--replicas",
        "2", "--over", over }, base), { (over:match "^[^=]+") })
    check.equal(model .. ": runs", one(path, "SELECT count(*) FROM run"), 8)
    check.equal(model .. ": cells", one(path, "SELECT count(*) FROM cell"), 2)
end

-- The query that a sweep is made for.
local swept = rows_of(program.file "slotted sweep.db", "SELECT machines, policy, avg(value) "
    .. "FROM results WHERE metric = 'mean_flow_time' AND \"group\" IS NULL GROUP BY 1, 2")
local sweep = pinion.sweep { workload = "facebook,jobs=60", machines = 1, quiet = true,
    policies = { "asrpt", "fifo" }, replicas = 2, over = { machines = { 40, 80 } } }
check.equal("cells and policies", #swept, #sweep.rows)
for i, row in ipairs(sweep.rows) do
    same("machines", swept[i][1], tostring(row.machines))
    same("policy", swept[i][2], row.policy)
    check.is_true("mean", math.abs(swept[i][3] - row.mean_flow_time) < 1e-9 * row.mean_flow_time)
end

-- ---- settings -----------------------------------------------------------------------------------

-- In order of their columns.
local function cells(path)
    local names = {}
    for i, entry in ipairs(rows_of(path, "SELECT name, type FROM pragma_table_info('cell')")) do
        names[i] = entry[1] .. " " .. entry[2]
    end
    return table.concat(names, ", "), rows_of(path, "SELECT * FROM cell")
end

local path = program.file "settings.db"
succeed("settings", { "sweep", "-q", "--workload", "zheng,slots=20", "--policies", "fifo", "-o",
    path, "--over", "machines=10,20", "--over", "workload.rate=1,.5", "--over",
    "error=constant(2),3", "--over", "seed=3,4", "--warmup", "2slots" })
local names, made = cells(path)
check.equal("columns of cells", names, "cell INTEGER, machines INTEGER, workload.rate REAL, "
    .. "error TEXT, seed INTEGER, reduce TEXT, warmup TEXT")
check.equal("a cell", table.concat(made[16], "|"), "16|20|0.5|3|4|nonpreemptive|2slots")
check.equal("a seed that varies is that of the run", one(path,
     "SELECT seed FROM run WHERE cell = 16"), 4)
check.equal("views show it once", one(path, "SELECT count(*) FROM pragma_table_info('results') "
    .. "WHERE name = 'seed'"), 1)
local long = {}
for i, row in ipairs(rows_of(path, "SELECT name, value FROM setting WHERE cell = 16")) do
    long[i] = row[1] .. "=" .. tostring(row[2])
end
check.equal("settings in long form", table.concat(long, " "), "machines=20 workload.rate=0.5 "
    .. "error=3 seed=4 reduce=nonpreemptive warmup=2slots")
local jobs = { { arrival = 1, maps = 3, reduces = { 2 } } }
result = pinion.run { machines = 4, workload = jobs, policy = "fifo", quiet = true,
    warmup = { jobs = 0 } }
result:db(path)
names, made = cells(path)
check.equal("columns of the only cell", names,
    "cell INTEGER, machines INTEGER, reduce TEXT, warmup TEXT")
check.equal("the only cell", table.concat(made[1], "|"), "1|4|nonpreemptive|0")
succeed("parameters", { "compare", "-q", "--workload", "hsrtf", "--policies", "fifo", "--param",
    "heartbeat_ms=1000", "-o", path })
check.equal("a parameter", one(path, 'SELECT "params.heartbeat_ms" FROM cell'), 1000)
check.is_true("nodes", one(path, "SELECT nodes FROM cell") > 1)
succeed("lists", { "simulate", "-q", "--model", "dag", "--workload", "dag,jobs=3", "--policy",
    "fifo", "-o", path, "--set", "resources=cpu+memory", "--set", "nodes=3x16000/65536" })
check.equal("a list", one(path, "SELECT resources FROM cell"), "cpu memory")

-- ---- scripts ------------------------------------------------------------------------------------

-- What a script and what the program writes are the same, but for the jobs of the result.
local comparison = pinion.compare { machines = 40, workload = "facebook,jobs=60", quiet = true,
    policies = { "fifo", "asrpt" }, replicas = 3 }
comparison:db(path)
succeed("of the program", { "compare", "-q", "--set", "machines=40", "--workload",
    "facebook,jobs=60", "--policies", "fifo,asrpt", "--replicas", "3", "-o",
    program.file "other.db" })
check.is_true("a comparison", check.read_file(path) == check.read_file(program.file "other.db"))
sweep:db(path)
check.equal("a sweep", one(path, "SELECT count(*) FROM run"), 8)
result = pinion.run { machines = 40, workload = "facebook,jobs=60", quiet = true, policy = "fifo" }
result:db(path)
check.equal("a result has its jobs", one(path, "SELECT count(*) FROM job"), 60)
result = pinion.run { machines = 40, workload = "facebook,jobs=60", quiet = true, policy = "fifo",
    keep_jobs = false }
result:db(path)
check.equal("and none without rows",
    one(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'job'"), 0)
check.raises("no path", "db: file name must be a string", result.db, result, 7)

-- ---- names that a user chooses ------------------------------------------------------------------

local NAMES = { "it's \"quoted\"; DROP TABLE run; --", "naïve ü 漢字 \u{1F600}", "%s ? ?1 :a @b $c",
    "two\nlines\tand a tab", "" }
for i, name in ipairs(NAMES) do
    jobs[i] = { arrival = i, maps = 2, reduces = { 1 }, name = name, group = name, run = i,
        cell = -i / 2 }
end
local hostile = program.file("it's \"a\" file.db")
result = pinion.run { machines = 4, workload = jobs, policy = "fifo", quiet = true,
    attributes = { run = 0, cell = 1 } }
result:db(hostile)
check_sound("names", hostile)
for i, row in ipairs(rows_of(hostile,
    'SELECT name, "group", run_, cell FROM job ORDER BY id')) do
    check.equal("name " .. i, row[1] or "", NAMES[i])
    check.equal("group " .. i, row[2] or "", NAMES[i])
    check.equal("an attribute that is called as a column is " .. i, row[3], i + 0.0)
    check.equal("and another one " .. i, row[4], -i / 2)
end
for i, name in ipairs(NAMES) do
    check.equal("numbers of group " .. i, one(hostile, "SELECT value FROM value WHERE \"group\" = "
        .. "'%s' AND metric = 'finished'", (name:gsub("'", "''"))), 1.0)
end
check.equal("a question that is none", select(2, core.database_rows(hostile, "SELEC")),
    'near "SELEC": syntax error')

-- ---- files --------------------------------------------------------------------------------------

local RUN = { "simulate", "-q", "--workload", "zheng,slots=200", "--policy", "fifo",
    "--jobs-detail", "--output" }
local target = program.file("target.db", "no data base at all\n")
succeed("over another file", joined(RUN, { target }))
check_sound("over another file", target)
check.write_file(target, "old\n")
-- A limit of some blocks stands for a full disk, but not for the counts of coverage.
local words = {}
for i, word in ipairs(joined(RUN, { target })) do words[i] = "'" .. word .. "'" end
local limited = string.format(
    "trap '' XFSZ; ulimit -f 8; LLVM_PROFILE_FILE=/dev/null %s %s 2>%s.err", program.path,
    table.concat(words, " "), target)
local _, _, code = os.execute('bash -c "' .. limited .. '"')
check.equal("exit code of a full disk", code, 1)
check.equal("message of a full disk", check.read_file(target .. ".err"),
    target .. ": disk I/O error\n")
check.equal("an old file outlives it", check.read_file(target), "old\n")
check.equal("nothing is left beside it",
    #program.lines_of("ls '" .. directory .. "' | grep tmp"), 0)
os.execute("ln -sf /dev/full '" .. directory .. "/full.db'")
program.fails("a device", joined(RUN, { directory .. "/full.db" }), 1,
    directory .. "/full.db: No space left on device")
program.fails("no folder", joined(RUN, { directory .. "/none/x.db" }), 1,
    directory .. "/none/x.db: No such file or directory")
program.fails("long", { "compare", "--workload", "zheng,slots=20", "--long", "--output", target },
    2, "pinion: --long: has no effect in db (expected --format csv)")
program.fails("another format", { "compare", "--workload", "zheng,slots=20", "--format", "csv",
    "--output", target }, 2, "pinion: --output: " .. target
    .. " is named as db, but --format is csv (expected .csv)")
program.fails("no result", { "workload", "zheng,slots=20", "--output", target }, 2,
    "pinion: --output: " .. target .. " would be of an unknown format (known: .csv, .json, .md, "
    .. ".tex, .txt; --format says what another name is)")
program.fails("a page", { "report", target, "--output", "x.db" }, 2,
    "pinion: --output: x.db: a page is named .html")
check.equal("the old file is still there", check.read_file(target), "old\n")

-- A run that goes on from its checkpoint writes what the whole run would have.
local begun, whole = program.file "begun.db", program.file "whole.db"
local checkpoint = program.file "run.ckpt"
program.run { "simulate", "-q", "--workload", "zheng,slots=200", "--policy", "fifo", "--output",
    begun, "--checkpoint", checkpoint, "--every", "50", "--until", "100", "--jobs-detail" }
succeed("resumed", { "resume", "-q", checkpoint, "--until", "1000000", "--output", begun })
succeed("whole", { "simulate", "-q", "--workload", "zheng,slots=200", "--policy", "fifo",
    "--output", whole, "--until", "1000000", "--jobs-detail" })
check.is_true("resumed and whole runs", check.read_file(begun) == check.read_file(whole))

check.done()
