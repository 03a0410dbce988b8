-- Papers with a store: the output and the files are those without one, whatever is stored already
-- and whoever stored it, and a section finds the same runs whether it is made alone or with others.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"
program.run = program.start -- commands share the store, and no process

local STORE, OUTPUT = check.directory() .. "/store", check.directory() .. "/output"

local function shell(format, ...)
    assert(os.execute(string.format(format, ...)))
end

local function empty()
    shell("rm -rf '%s'", STORE)
end

local function paper(name, ...)
    return program.run { "paper", name, "--seeds", "2", "--quiet", ... }
end

local function units()
    return assert(core.store_open(STORE)):counts().units
end

-- Output, messages and exit code of a paper, and all files that it writes.
local function made(name, ...)
    shell("rm -rf '%s'", OUTPUT)
    local text, messages, code = paper(name, "--output", OUTPUT, ...)
    local listing = assert(io.popen(string.format("cd '%s' 2>/dev/null && "
        .. "find . -type f -exec sha256sum {} + | sort", OUTPUT)))
    local files = listing:read "a"
    listing:close()
    return string.format("%s\n%s\n%d\n%s", text, messages, code, files)
end

local function stored(name, ...)
    return made(name, "--store", STORE, ...)
end

-- ---- parts, and what they come to ---------------------------------------------------------------

-- With the most stages that each of these has.
for _, case in ipairs { { "drf", 1 }, not check.IS_SHORT and { "hsrtf", 2 } or nil } do
    local name, stages = table.unpack(case)
    empty()
    local plain = made(name)
    check.contains(name .. ": has files", plain, ".csv")
    for stage = 1, stages + 1 do
        for part = 1, 3 do
            shell("rm -rf '%s'", OUTPUT)
            local text, messages, code = paper(name, "--output", OUTPUT, "--store", STORE,
                "--shard", part .. "/3")
            local label = string.format("%s, stage %d, part %d: ", name, stage, part)
            check.equal(label .. "prints nothing", text, "")
            check.is_true(label .. "writes nothing", not core.file_exists(OUTPUT))
            if stage == 1 and part == 1 then
                check.equal(label .. "waits", code, 1)
                check.contains(label .. "says for what", messages, "pinion: part 1/3: ")
                check.contains(label .. "says for what", messages,
                    ": other parts are to be done first (then run this part again)\n")
                check.contains("an incomplete store", made(name, "--store", STORE,
                    "--only-stored"), " are missing")
            elseif stage > stages then
                check.equal(label .. "is complete", messages .. code, "0")
            end
        end
    end
    local before = units()
    check.equal(name .. ": gathered", stored(name, "--only-stored"), plain)
    check.equal(name .. ": gathered once more", stored(name, "--processes", "1"), plain)
    check.equal(name .. ": nothing was run again", units(), before)
end

-- ---- a section alone, and with others -----------------------------------------------------------

local listed = core.json_decode((program.run { "paper", "--format", "json" }), "list").papers
local names = {}
for _, entry in ipairs(listed) do
    for i, section in ipairs(entry.name == "hsrtf" and entry.sections or {}) do
        if not check.IS_SHORT or i % 4 == 1 then names[#names + 1] = section.name end
    end
end
check.is_true("sections of hsrtf", #names > 1)
local whole, alone = made "hsrtf", {}
check.equal("the whole paper with a store", stored "hsrtf", whole)
for _, section in ipairs(names) do
    alone[section] = made("hsrtf", "--only", section)
    check.equal("from the whole paper's store: " .. section,
        stored("hsrtf", "--only", section, "--only-stored"), alone[section])
end
empty()
for i = #names, 1, -1 do
    check.equal("into the store: " .. names[i], stored("hsrtf", "--only", names[i]),
        alone[names[i]])
end
check.equal("the whole paper from its sections' store", stored("hsrtf",
    not check.IS_SHORT and "--only-stored" or nil), whole)

-- ---- other runs ---------------------------------------------------------------------------------

local function new_units(...)
    local before = units()
    local text = stored(...)
    return units() - before, text
end

empty()
check.equal("stored", stored "tetris", made "tetris")
local all = units()
check.is_true("there are units", all > 0)
check.equal("the same once more", new_units "tetris", 0)
check.equal("another seed", new_units("tetris", "--seed", "2"), all)
check.equal("more seeds", new_units("tetris", "--seeds", "3"), all // 2 * 3)

-- ---- killed and damaged -------------------------------------------------------------------------

empty()
-- Three kills, each when so many more units are stored, whatever the clock says.
for kill = 1, 3 do
    shell([[
'%s' paper hsrtf --seeds 2 --quiet --store '%s' --output '%s' >/dev/null 2>&1 & run=$!
while kill -0 $run && [ "$(cat '%s'/*.units | wc -l)" -lt %d ]; do sleep 0.01; done 2>/dev/null
kill -KILL $run 2>/dev/null
true]], program.path, STORE, OUTPUT, STORE, 5 * kill)
end
shell("for file in '%s'/*.units; do truncate -s -7 \"$file\"; done", STORE)
check.is_true("not all is there", stored("hsrtf", "--only-stored") ~= whole)
check.equal("after kills and damage", stored "hsrtf", whole)
check.equal("and from the store", stored("hsrtf", "--only-stored"), whole)

-- ---- other scripts ------------------------------------------------------------------------------

local SCRIPTS = check.directory() .. "/scripts"
shell("cp -R scripts/papers '%s'", SCRIPTS)
local function edited(file)
    if file then shell("echo '-- changed' >>'%s/%s'", SCRIPTS, file) end
    return os.execute(string.format("PINION_PAPERS='%s' '%s' paper tetris --seeds 2 --quiet "
        .. "--only-stored --store '%s' --output '%s' >/dev/null 2>&1", SCRIPTS, program.path, STORE,
        OUTPUT)) == true
end
check.equal("stored", stored "tetris", made "tetris")
check.is_true("the same scripts elsewhere", edited())
check.is_true("another paper's script", edited "zheng/runs.lua")
check.is_true("a module that the tasks use", not edited "shared/dags.lua")

local output = assert(io.popen(string.format("'%s' run scripts/papers/tetris/main.lua --seeds 2 "
    .. "--quiet --only-stored --store='%s' --output '%s'", program.path, STORE, OUTPUT)))
check.equal("the paper's own script", (output:read "a"), (paper("tetris", "--output", OUTPUT)))
output:close()

-- ---- files that tasks depend on -----------------------------------------------------------------

local FILE = check.directory() .. "/file"
local function each_new(path, text)
    if text then check.write_file(path, text) end
    local before = text and core.file_exists(STORE) and units() or 0
    pinion.experiment.each(3, function(task) return task end, { quiet = true, store = STORE,
        store_key = "files", store_files = { path }, label = "files" })
    return units() - before
end
check.equal("a file", each_new(FILE, "1"), 3)
check.equal("the same in another place", each_new(FILE .. "2", "1"), 0)
check.equal("another text", each_new(FILE, "2"), 3)
check.raises("no such file", "nowhere", each_new, "nowhere")
check.raises("no list of files", "each: store_files: must be an array of names of files, got 1",
    pinion.experiment.each, 1, print, { store = STORE, store_key = 1, store_files = 1 })

-- ---- what is refused ----------------------------------------------------------------------------

for message, arguments in pairs {
    ["pinion: --shard: must be PART/PARTS such as 7/100, got '4/3'\n"] =
        { "tetris", "--store", STORE, "--shard", "4/3" },
    ["pinion: --retry: needs store\n"] = { "tetris", "--retry" },
    ["pinion: --only-stored: runs nothing, which contradicts shard and retry\n"] =
        { "tetris", "--store", STORE, "--shard", "1/2", "--only-stored" },
} do
    local text, messages, code = program.run { "paper", table.unpack(arguments) }
    check.equal("refused", text .. messages .. code, message .. "2")
end
local _, messages, code = program.run { "paper", "--store", STORE }
check.equal("no paper", messages .. code,
    "pinion: --store: name a paper first (`pinion paper` lists them)\n2")

check.done()
