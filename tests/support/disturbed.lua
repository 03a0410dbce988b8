-- Small commands that read and write every kind of file, and what must hold when one of them runs
-- while the system refuses something:
--
--   the result is complete and equal, or the exit code is 1 or 2 and a message tells why;
--   a file is as it was or as it should become, never a part of that, and none is left over;
--   what a store had is still there, and the same command completes it without running any of it
--   again; a checkpoint continues as it should, or is refused.

local check = require "check"
local core = require "pinion.core"
local program = require "program"

local M = {}

local BASE <const> = program.directory
local TEMPLATE <const> = BASE .. "/template"

-- ---- commands -----------------------------------------------------------------------------------

-- Writes what the commands read, and files that they replace.
local PREPARE <const> = [[
set -e
mkdir '%s'
cp tests/cli/slotted.json tests/cli/dag.json tests/cli/0.8.0/dispatch.inputs tests/data/*.json \
    tests/data/google_*.csv '%s'
cd '%s'
p='%s'
gzip -n rumen.json google_0.csv
$p new-policy mine --output mine.lua >/dev/null
$p new-workload daily --output daily.lua >/dev/null
$p simulate slotted.json --policy fifo --log fifo.log --output fifo.json --jobs-detail
gzip -nk fifo.log
$p simulate slotted.json --policy srpt --log srpt.log >srpt.json
$p simulate slotted.json --checkpoint cut.state --log cut.log --every 2 --until 4 >cut.json
$p workload slotted.json --jobs --format csv --output jobs.csv
$p compare slotted.json --policies fifo --store runs >runs.json
$p compare slotted.json --policies srpt --store runs >runs.json
touch -d '1 hour ago' runs/*
for old in json html db log svg csv c; do echo old >old.$old; done
cp cut.state old.state
]]

---@class disturbed.Command the words, and:
---@field store string|nil a folder whose units it completes
---@field grows string|nil a log that is in its place before it is complete, as that of a checkpoint
---@field state string|nil the checkpoint of this log
---@field once string|nil a file that it does not replace

---@type disturbed.Command[]
M.commands = {
    { "simulate", "slotted.json", "--policy", "fifo", "--log", "old.log", "--output", "old.json" },
    { "simulate", "slotted.json", "--checkpoint", "old.state", "--every", "3", "--log", "new.log",
        grows = "new.log", state = "old.state" },
    { "resume", "cut.state", "--log", "cut.log", "--until", "100", "--format", "csv",
        grows = "cut.log", state = "cut.state" },
    { "compare", "dag.json", "--policies", "fifo,srpt", "--output", "old.html" },
    { "compare", "slotted.json", "--policies", "fifo,mine.lua", "--output", "old.db", "--quiet" },
    { "sweep", "slotted.json", "--over", "machines=2,4", "--policies", "fifo,srpt", "--store",
        "new", "--processes", "1", "--output", "old.csv", "--quiet", store = "new" },
    { "compare", "slotted.json", "--policies", "fifo,srpt,las", "--store", "runs", "--processes",
        "2", "--format", "csv", "--quiet", store = "runs" },
    { "store", "runs", "--prune", store = "runs" },
    { "report", "slotted.json", "fifo.log", "--output", "old.html" },
    { "workload", "rumen:rumen.json.gz,topology=rumen_topology.json", "--jobs", "--format", "json",
        "--output", "old.json" },
    { "workload", "google:google_0.csv.gz+google_1.csv", "--jobs", "--format", "json" },
    { "workload", "daily.lua,jobs=3", "--jobs", "--format", "csv" },
    { "compare", "--workload", "csv:jobs.csv", "--model", "slotted", "--policies", "fifo" },
    { "verify", "slotted.json", "fifo.log.gz" },
    { "verify", "dispatch.inputs" },
    { "gantt", "dispatch.inputs", "--output", "old.svg" },
    { "explain", "slotted.json", "fifo.log", "--job", "1" },
    { "diff", "slotted.json", "fifo.log", "srpt.log" },
    { "timeline", "slotted.json", "fifo.log", "--buckets", "3", "--output", "new.csv" },
    { "export", "mine.lua", "--output", "old.c" },
    { "new-policy", "like", "--from", "las", "--output", "like.lua", once = "like.lua" },
}

-- ---- folders ------------------------------------------------------------------------------------

---@class disturbed.Outcome
---@field code integer
---@field output string
---@field messages string
---@field files table<string, string> contents by name, without those of the store
---@field whole table<string, boolean> checkpoints that can be read
---@field units integer|nil
---@field duplicates integer|nil

local function quoted(words)
    local made = {}
    for i, word in ipairs(words) do made[i] = "'" .. word .. "'" end
    return table.concat(made, " ")
end

-- Returns the name of a folder that commands run in. All have one length, as checkpoints hold the
-- name in a line that is filled up.
local function folder_of(number)
    return string.format("%s/%03d", BASE, number)
end

-- Returns what is in a file. A checkpoint that is whole counts without the folder's name and its
-- checksum.
local function contents(folder, name)
    local path = folder .. "/" .. name
    local bytes = check.read_file(path)
    if not name:find "%.state$" or not core.checkpoint_read(path) then return bytes, false end
    return bytes:sub(1, -9):gsub(BASE .. "/%w+", "FOLDER", 1), true
end

local function files_in(folder, store)
    local files, whole = {}, {}
    for _, name in ipairs(program.lines_of("cd '" .. folder .. "' && find . -type f")) do
        name = name:sub(3)
        if not (store and name:find("^" .. store .. "/.*%.units$")) then
            files[name], whole[name] = contents(folder, name)
        end
    end
    return files, whole
end

-- Runs a command in a folder that is there.
local function run_in(folder, command, before)
    local line = string.format("cd '%s' && ulimit -t 60 && timeout -s KILL 120 %s '%s' %s"
        .. " >'%s.out' 2>'%s.err' </dev/null", folder, before or "", program.path, quoted(command),
        folder, folder)
    local _, _, code = os.execute("{ " .. line .. "; } 2>/dev/null")
    local outcome = { code = code, output = check.read_file(folder .. ".out"),
        messages = check.read_file(folder .. ".err") }
    outcome.files, outcome.whole = files_in(folder, command.store)
    if command.store then
        local index = core.store_open(folder .. "/" .. command.store)
        local counts = index and index:counts() or { units = 0, duplicates = 0 }
        outcome.units, outcome.duplicates = counts.units, counts.duplicates
    end
    return outcome
end

---Runs a command in a folder of its own, which begins as all do.
---@param command disturbed.Command
---@param number integer of the folder
---@param before string|nil a program that runs it, with options
---@return disturbed.Outcome
function M.run(command, number, before)
    local folder = folder_of(number)
    os.execute(string.format("rm -rf '%s' && cp -a '%s' '%s'", folder, TEMPLATE, folder))
    return run_in(folder, command, before)
end

---Makes the folder that all commands begin with, and runs them undisturbed.
function M.prepare()
    local script = PREPARE:format(TEMPLATE, TEMPLATE, TEMPLATE, program.path)
    check.is_true("what commands read is there", os.execute(script))
    M.before = files_in(TEMPLATE, "runs")
    M.wanted = {}
    for i, command in ipairs(M.commands) do
        M.wanted[i] = M.run(command, 0)
        check.equal("exit code of " .. table.concat(command, " ") .. ": "
            .. M.wanted[i].messages, M.wanted[i].code, 0)
    end
end

-- ---- what must hold -----------------------------------------------------------------------------

-- Returns what is wrong with a file; nil: nothing.
local function file_fault(name, command, got, wanted)
    local before, after = M.before[name], wanted.files[name]
    local now = got.files[name]
    if now == after or (got.code ~= 0 and now == before) then return nil end
    if name == command.state and now and got.code ~= 0 and got.whole[name] then return nil end
    if name == command.grows and now and got.code ~= 0 and after:sub(1, #now) == now then
        return nil
    end
    return name .. (not now and " is missing" or not (before or after) and " is left over"
        or now == before and " is the old one" or " is neither the old one nor the new one")
end

-- Returns whether a message tells why, and is one that users may see.
local function is_message(text)
    return #text > 0 and not text:find "internal" and not text:find "attempt to [cip]%l+ a"
        and not text:find "traceback" and not text:find "Sanitizer"
end

---Returns what is wrong; nil: nothing.
---@param i integer the command
---@param got disturbed.Outcome
---@param allows { silence: boolean|nil, left_over: boolean|nil }
---@return string|nil
function M.fault(i, got, allows)
    local command, wanted = M.commands[i], M.wanted[i]
    if got.code > 2 or got.code < 0 then return "exit code " .. got.code end
    if got.code == 0 and got.output ~= wanted.output then return "another output" end
    if got.code ~= 0 and wanted.output:sub(1, #got.output) ~= got.output then
        return "output that is no beginning of the right one"
    end
    if got.code ~= 0 and not allows.silence and not is_message(got.messages) then
        return "no message"
    end
    for _, files in ipairs { got.files, wanted.files } do
        for name in next, files do
            local fault = file_fault(name, command, got, wanted)
            if fault and not (allows.left_over and name:find "%.tmp$") then return fault end
        end
    end
    if command.store and got.code == 0 and got.units ~= wanted.units then
        return got.units .. " units"
    end
end

---Runs the command once more, undisturbed, in the folder that a disturbed one has left, and returns
---what is wrong; nil: nothing. What has succeeded, without a store, leaves nothing to find.
---@param i integer
---@param number integer of the folder
---@param left disturbed.Outcome
---@return string|nil
function M.fault_again(i, number, left)
    local command, wanted = M.commands[i], M.wanted[i]
    if left.code == 0 and not command.store then return nil end
    if command.once and left.files[command.once] then return nil end
    local folder = folder_of(number)
    if command.state and left.files[command.state] ~= M.before[command.state]
            then
        local resumed = run_in(folder, { "resume", command.state, "--log", command.grows,
            "--until", "100" })
        local log = resumed.files[command.grows]
        if resumed.code ~= 0 then return "resumed: exit code " .. resumed.code .. ": "
            .. resumed.messages end
        if log ~= wanted.files[command.grows] then return "resumed: another log" end
    end
    if command.store then -- only files that no process has written to for a while are pruned
        os.execute(string.format("cd '%s' && touch -cd '1 hour ago' '%s'/* 2>/dev/null", folder,
            command.store))
    end
    local again = run_in(folder, command)
    if again.code ~= 0 then return "exit code " .. again.code .. ": " .. again.messages end
    if again.output ~= wanted.output then return "another output" end
    for name, text in next, wanted.files do
        if again.files[name] ~= text then return name .. " differs" end
    end
    if command.store and again.units ~= wanted.units then return again.units .. " units" end
    if command.store and again.duplicates > left.duplicates then return "finished units ran" end
end

---Runs tasks in as many processes as there are cores, and counts what each returns as a check.
---@param tasks any[]
---@param run fun(task: any, folder: integer): string|nil, string what is wrong, and of what
function M.sweep(tasks, run)
    local pool <close> = assert(core.workers(core.cores(), function(index, send, take)
        for number in take do
            local wrong, name = run(tasks[number], index)
            send(((wrong or "") .. "\t" .. name):gsub("\n", " "))
        end
        return 0
    end, #tasks))
    local ended = 0
    while true do
        local index, line, why = pool:next(1000)
        if index == false then break end
        if index and line then
            local wrong, name = line:match "^(.-)\t(.*)$"
            check.equal(name, wrong, "")
            ended = ended + 1
        elseif index then
            check.equal("end of a process", why, nil)
        end
    end
    check.equal("tasks that ended", ended, #tasks)
end

return M
