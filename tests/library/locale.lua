-- A host and a script with a decimal comma write and read the same bytes as those without.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local directory = program.directory
local LOCALE = "de_DE.UTF-8"
if not os.execute(string.format("localedef -i de_DE -f UTF-8 %s/%s >/dev/null 2>&1", directory,
    LOCALE)) then
    print "left out: no localedef, or no source of de_DE.UTF-8: no decimal comma to run with"
    check.equal("nothing else to test", 1, 1)
    check.done()
end

-- Everything that numbers are written to and read from, in files of the folder arg[2].
local SCRIPT = program.file("everything.lua", [[
local name, folder = arg[1], arg[2]
assert(os.setlocale(name), name)
assert(tostring(1.5) == (name == "C" and "1.5" or "1,5"))
local pinion = require "pinion"

local function write(file, text)
    local out <close> = assert(io.open(folder .. "/" .. file, "w"))
    out:write(text, "\n")
end
write("jobs.csv", "arrival,map,shuffle\n0.25,1.5,0.125\n1.75,2.5e-1,3.5")
write("scenario.json", '{ "model": "tandem", "policy": "ps", "jobs": [{ "arrival": 0.25, '
    .. '"map": 1.5, "shuffle": 0.125 }, { "arrival": 1.75, "map": 0.25, "shuffle": 3.5 }] }')

local STREAMS = {
    { model = "slotted", machines = 100, every = 20,
        workload = pinion.workload.zheng { slots = 60, rate = 1.25, maps = "exp(7.5)" },
        policies = { "asrpt", "fifo" } },
    { model = "tandem", workload = "lin,jobs=50", every = 10, policies = { "bsrpt", "ps" }, params = { theta = 0.5 } },
    { model = "cluster", workload = "facebook,jobs=12", every = 100000,
        policies = { "fair", "fifo" } },
    { model = "dag", workload = "dag,jobs=10", every = 20000, policies = { "fifo", "drf" } },
    { model = "makespan", workload = "rand_few,jobs=8", policies = { "johnson", "fifo" } },
    { model = "tandem", file = "csv", workload = pinion.trace.csv(folder .. "/jobs.csv"),
        policies = { "ps", "bsrpt" } },
    { model = "tandem", file = "scenario", policies = { "ps", "bsrpt" },
        workload = pinion.trace.scenario(folder .. "/scenario.json") },
}

local FORMATS = { json = "json", csv = "csv", ["long.csv"] = "long", html = "page", db = "db",
    md = "markdown", tex = "latex" }
local function write_all(file, it)
    for ending, method in pairs(FORMATS) do
        if it[method] then it[method](it, folder .. "/" .. file .. "." .. ending) end
    end
    write(file .. ".txt", tostring(it))
end

local function with(options, more)
    local made = { quiet = true, model = options.model, machines = options.machines,
        workload = options.workload, params = options.params }
    for key, value in pairs(more) do made[key] = value end
    return made
end

for _, options in ipairs(STREAMS) do
    local file = options.file or options.model
    local policy, own = options.policies[1], folder .. "/" .. file
    local many = not options.file and 3 or nil
    write_all(file .. ".run", pinion.run(with(options, { policy = policy, log = own .. ".log" })))
    write_all(file .. ".compared", pinion.compare(with(options, { policies = options.policies,
        replicas = many, processes = 2, metrics = { "slowdown" },
        store = many and folder .. "/store" })))
    if options.every then
        pinion.run(with(options, { policy = policy, checkpoint = own .. ".checkpoint",
            every = options.every }))
        local resumed = pinion.run(with(options, { policy = policy, every = options.every,
            checkpoint = own .. ".checkpoint", resume = true }))
        write(file .. ".resumed", tostring(resumed) .. resumed.digest)
    end
end
local first = STREAMS[1]
write_all("swept", pinion.sweep(with(first, { policies = first.policies, replicas = 2,
    processes = 1, over = { machines = { 50, 100 } }, metrics = { "slowdown" } })))

local run = pinion.run(with(first, { policy = "fifo" }))
local other = pinion.run(with(first, { policy = "asrpt" }))
write("said", table.concat({ tostring(run:explain(3)), tostring(run:diff(other)),
    tostring(run:instant(10)), tostring(run:timeline(7)),
    pinion.experiment.json { 1.5, { a = 0.1 } }, tostring(pinion.exact(0.5)),
    tostring(pinion.exact "1/3" + pinion.exact(0.25)),
    table.concat(pinion.experiment.each(3, function(task) return task .. " " .. task / 4 end,
        { processes = 2, quiet = true, store = folder .. "/each", store_key = 0.5 }), " "),
    pinion.experiment.table({ { key = "x", title = "x" } }, { { x = 1.5 } }):text() }, "\n"))

local routine = coroutine.wrap(function()
    return pcall(pinion.experiment.each, 1, function() return coroutine.yield() end,
        { processes = 1, quiet = true })
end)
write("yielded", select(2, routine()))
assert(not pcall(pinion.run, {}) and not pcall(pinion.exact, {}))
assert(tostring(1.5) == (name == "C" and "1.5" or "1,5"), "the host's locale is not as it was")
]])

-- The files that the script made by this command.
local function files_of(how, command, locale)
    local folder = directory .. "/" .. how
    os.execute("mkdir " .. folder)
    local _, _, code = os.execute(string.format("LOCPATH='%s' %s %s %s %s >%s/out 2>&1", directory,
        command, SCRIPT, locale, folder, folder))
    check.equal(how .. ": " .. check.read_file(folder .. "/out"), code, 0)
    local made = {}
    for _, path in ipairs(program.lines_of("cd " .. folder .. " && find . -type f | sort")) do
        -- A store's files have names and times of their own, a checkpoint is not for people.
        if not path:find("/store/", 1, true) and not path:find("/each/", 1, true) then
            made[#made + 1] = path
        end
    end
    return made, folder
end

-- Names of folders are as long as each other, as pages and tables hold them.
local function bytes_of(folder, path)
    return (check.read_file(folder .. "/" .. path):gsub(folder:gsub("%p", "%%%0"), "FOLDER"))
end

local function hold(command, mark)
    local plain, plain_folder = files_of("plain" .. mark, command, "C")
    local comma, comma_folder = files_of("comma" .. mark, command, LOCALE)
    check.is_true("files were made", #plain > 50)
    check.equal("the same files", table.concat(comma, "\n"), table.concat(plain, "\n"))
    for _, path in ipairs(plain) do
        check.is_true("the same bytes: " .. path,
            bytes_of(comma_folder, path) == bytes_of(plain_folder, path))
    end
    return comma_folder
end

-- ---- a script of the program --------------------------------------------------------------------

local folder = hold(program.path .. " run", "1")
local output, messages, code = program.start({ "verify", folder .. "/tandem.log", "--workload",
    "lin,jobs=50" })
check.equal("a log is verified: " .. messages, code, 0)
check.contains("… and said to be so", output, "ok")
output = program.succeed("what is in the store",
    { "store", folder .. "/store", "--format", "json" })
check.contains("nothing of the store is wrong", output, "\"torn\": 0, \"units\": 42, \"wrong\": 0")

-- ---- a stock interpreter ------------------------------------------------------------------------

local module = program.path:gsub("[^/]*$", "") .. "module/?.so"
if os.execute "command -v lua5.4 >/dev/null" and io.open((module:gsub("%?", "pinion/core")))
        and not program.path:find("asan", 1, true) then
    hold(string.format("env LUA_PATH='lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s' lua5.4", module),
        "2")
else
    print "left out: no stock interpreter or no module"
end

check.done()
