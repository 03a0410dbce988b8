-- The store of finished units as Lua has it: SHA-256, writers, and the index of a folder.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"

local folder = check.directory()

local function path(name) return folder .. "/" .. name end

local function key(number) return string.format("%032x", number) end

local function unit(number, more)
    return string.format('{"digest":"%016x"%s}', number, more or "")
end

local ABOUT <const> = '{"store":1,"host":"here"}'

local function lines_of(command)
    local pipe = assert(io.popen(command))
    local text = pipe:read "a"
    pipe:close()
    return text
end

-- ---- SHA-256, beside coreutils ------------------------------------------------------------------

math.randomseed(20261126)
do
    local sizes = { 0, 1, 1000000, 65535, 65536, 65537 }
    for size = 50, 70 do sizes[#sizes + 1] = size end
    for size = 114, 130 do sizes[#sizes + 1] = size end
    for _, size in ipairs(sizes) do
        local bytes = {}
        for i = 1, size do bytes[i] = string.char(math.random(0, 255)) end
        local text = table.concat(bytes)
        check.write_file(path "hashed", text)
        local expected = lines_of("sha256sum <" .. path "hashed"):match "^%x+"
        check.equal("sha256 of " .. size, core.sha256(text), expected)
        check.equal("sha256 of a file of " .. size, core.sha256_file(path "hashed"), expected)
    end
end

local function refused(name, expected, value, reason, ...)
    check.equal(name, value, nil)
    check.contains(name, reason, expected)
    check.equal(name .. ": no more", select("#", ...), 0)
end

refused("no file", "No such file", core.sha256_file(path "none"))
refused("a folder", "is not a file", core.sha256_file(folder))
refused("a device", "is not a file", core.sha256_file "/dev/null")
os.execute("mkfifo " .. path "pipe")
refused("a pipe", "is not a file", core.sha256_file(path "pipe"))
check.raises("a null byte in a path", "null byte", core.sha256_file, "a\0b")

-- ---- writing and reading ------------------------------------------------------------------------

local writer = assert(core.store_writer(path "a.units"))
check.equal("about", writer:append(key(0), ABOUT), true)
for i = 1, 100 do check.equal("append", writer:append(key(i), unit(i, ',"n":' .. i)), true) end
check.equal("failed", writer:append(key(200), '{"failed":"out of time"}'), true)
check.equal("sync", writer:sync(), true)

local index = assert(core.store_open(folder))
local function get(number) return index:get(key(number)) end
for i = 1, 100 do
    local value, file = get(i)
    check.equal("value", value, unit(i, ',"n":' .. i))
    check.equal("file", file, "a.units")
end
check.equal("no value", get(300), nil)
check.equal("finished", index:state(key(100)), "finished")
check.equal("failed", index:state(key(200)), "failed")
check.equal("unknown", index:state(key(300)), nil)
check.equal("those about others are no units", index:state(key(0)), nil)
check.equal("about", index:about "a.units", ABOUT)
check.equal("about of no file", index:about "b.units", nil)

local function check_counts(name, expected)
    local counts, names = index:counts(), {}
    for count in pairs(counts) do
        names[#names + 1] = count
        check.equal(name .. ": " .. count, counts[count], expected[count] or 0)
    end
    check.equal(name .. ": how many counts", #names, 9)
end

local function size_of(name)
    local file = assert(io.open(path(name)))
    local size = file:seek "end"
    file:close()
    return size
end

check_counts("at first", { files = 1, bytes = size_of "a.units", lines = 102, units = 100,
    failed = 1 })

writer:append(key(200), unit(200))
check.equal("not yet", index:state(key(200)), "failed")
check.equal("refresh of one", index:refresh "a.units", true)
check.equal("now", index:state(key(200)), "finished")
check.equal("close", writer:close(), true)
check.equal("close again", writer:close(), true)
check.raises("closed", "the writer is closed", writer.append, writer, key(1), unit(1))
refused("a file that is there", "File exists", core.store_writer(path "a.units"))
refused("no folder", "No such file", core.store_writer(path "none/a.units"))

do
    local other <close> = assert(core.store_writer(path "b.units"))
    other:append(key(1), unit(1, ',"other":true'))
    other:append(key(2), unit(99))
    other:append(key(3), unit(98))
    other:append(key(201), unit(201))
end
check.raises("no such name", "NAME.units", index.refresh, index, "../b.units")
check.equal("refresh of all", index:refresh(), true)
check_counts("two files", { files = 2, bytes = size_of "a.units" + size_of "b.units", lines = 107,
    units = 102, duplicates = 1, disagreements = 2 })
check.equal("the first is kept", get(2), unit(2, ',"n":2'))

local disagreements = index:disagreements(1)
check.equal("at most so many", #disagreements, 1)
check.equal("all", #index:disagreements(10), 2)
check.equal("key", disagreements[1].key, key(2))
check.equal("file", disagreements[1].file, "a.units")
check.equal("other", disagreements[1].other, "b.units")
check.equal("digest", disagreements[1].digest, "0000000000000002")
check.equal("other digest", disagreements[1].other_digest, "0000000000000063")

local file = assert(io.open(path "b.units", "a"))
file:write "wrong\ntorn"
file:close()
check.equal("refresh", index:refresh "b.units", true)
local files = index:files()
check.equal("files", #files, 2)
check.equal("first", files[1].name, "a.units")
check.equal("second", files[2].name, "b.units")
check.equal("bytes", files[2].bytes, size_of "b.units")
check.equal("lines", files[2].lines, 5)
check.equal("wrong", files[2].wrong, 1)
check.equal("torn", files[2].torn, 1)
check.is_true("modified", math.abs(files[2].modified - os.time()) < 3600)

-- ---- all units ----------------------------------------------------------------------------------

do
    local seen = {}
    check.equal("each", index:each(function(found, value, name, about)
        seen[#seen + 1] = found
        check.equal("value of each", value, (index:get(found)))
        check.equal("about of each", about, name == "a.units" and ABOUT or nil)
    end), true)
    check.equal("how many", #seen, 102)
    check.equal("the first", seen[1], key(1))
    check.equal("the last", seen[102], key(201))
end

do
    local calls = 0
    check.equal("stopped", index:each(function()
        calls = calls + 1
        refused("refresh meanwhile", "is being listed", index:refresh())
        index:each(function() return false end)
        return calls < 3
    end), true)
    check.equal("calls", calls, 3)
    check.raises("an error", "my own", index.each, index, function() error "my own" end)
    check.equal("refresh after", index:refresh(), true)
    check.raises("no function", "function expected", index.each, index, 1)
end

-- ---- misuse and refusals ------------------------------------------------------------------------

do
    local another <close> = assert(core.store_writer(path "c.units"))
    check.raises("a short key", "32 lower-case hex", another.append, another, "12", unit(1))
    check.raises("capitals", "32 lower-case hex", another.append, another, ("A"):rep(32), unit(1))
    check.raises("two lines", "must be one line", another.append, another, key(1), "{\n}")
    check.raises("a tab", "control", another.append, another, key(1), '{"failed":"\t"}')
    check.raises("no unit", "value of a store", another.append, another, key(1), "{}")
    check.raises("another version", "value of a store", another.append, another, key(0),
        '{"store":2,"host":"x"}')
    check.raises("nothing about", "value of a store", another.append, another, key(0), unit(1))
    check.raises("too long", "64 MiB", another.append, another, key(1),
        '{"failed":"' .. ("x"):rep(1 << 26) .. '"}')
    check.equal("nothing is written", size_of "c.units", 0)
end
check.raises("a key of the index", "32 lower-case hex", index.get, index, "x")
check.raises("a state of the index", "32 lower-case hex", index.state, index, "x")
refused("nothing there", "none: cannot open: No such file", core.store_open(path "none"))
refused("no folder", "a.units: cannot open: Not a directory", core.store_open(path "a.units"))

check.write_file(path "d.units", "cd18ad1e " .. key(0) .. ' {"store":2,"host":"x"}\n')
refused("another version", path "d.units" .. ": is a store of version 2 (expected 1)",
    core.store_open(folder))
refused("another version later", "is a store of version 2", index:refresh())
check.equal("what was read stays", get(1), unit(1, ',"n":1'))

-- ---- names, and files that another program changes ----------------------------------------------

do
    local place = path "changed"
    os.execute("mkdir '" .. place .. "'")
    local function line_of(name, key_text, value)
        local made = assert(core.store_writer(path(name)))
        made:append(key_text, value)
        made:close()
        local bytes = check.read_file(path(name))
        os.remove(path(name))
        return bytes
    end
    local high = ("f"):rep(16) .. ("0"):rep(15) .. "1"
    local first, other = line_of("one", key(1), unit(1)), line_of("two", high, unit(1))
    local about, more = line_of("three", key(0), ABOUT), line_of("four", key(2), unit(2))
    local file = place .. "/a.units"
    check.write_file(file, about .. first .. more)
    local opened = assert(core.store_open(place))
    for _, name in ipairs { "../b.units", "a/b.units", ("b"):rep(250) .. ".units", ".b.units",
        ".units", "b.unit" } do
        check.raises("no such name: " .. name, "NAME.units", opened.refresh, opened, name)
    end
    check.equal("a name that nothing has", opened:refresh "b.units", true)

    -- Another line of the same size in the place of one that was read is not taken for it.
    check.equal("as it was", opened:get(key(1)), unit(1))
    check.write_file(file, about .. other .. more)
    check.equal("another key", opened:get(key(1)), nil)
    check.equal("another key again", opened:get(key(1)), nil)
    check.equal("the line behind it", opened:get(key(2)), unit(2))
    check.write_file(file, ("x"):rep(#about - 1) .. "\n" .. first .. more)
    check.equal("no line about others", opened:about "a.units", nil)
    local listed = {}
    local function list()
        listed = {}
        return opened:each(function(found) listed[#listed + 1] = found end)
    end
    check.write_file(file, about .. other .. more)
    check.equal("a list", list(), true)
    check.equal("without the other key", table.concat(listed, " "), key(2))
    -- A file that has become shorter.
    check.write_file(file, about)
    check.equal("the list of a shorter file", list(), true)
    check.equal("no unit", #listed, 0)
    check.equal("refresh by its name", opened:refresh "a.units", true)
    check.equal("what it held is gone", opened:state(key(2)), nil)
    check.equal("what it holds", opened:about "a.units", ABOUT)

    -- What has a file's name and is none is passed over; what cannot be opened is left out.
    os.execute("cd '" .. place .. "' && python3 -c '"
        .. 'import socket; socket.socket(socket.AF_UNIX).bind("socket.units")' .. "' 2>/dev/null")
    os.execute("ln -s loop.units '" .. place .. "/loop.units'")
    check.equal("refresh of all", opened:refresh(), true)
    check.equal("files", #opened:files(), 1)
    check.contains("left out", opened:left_out(), "loop.units")
    os.execute("rm '" .. place .. "'/*")
    os.execute("rmdir '" .. place .. "'")
    check.write_file(place, "")
    check.equal("a folder that has become a file", opened:refresh "a.units", true)
    os.remove(place)
end

-- A writer belongs to its process.
do
    local mine = assert(core.store_writer(path "mine.units"))
    local pool <close> = assert(core.workers(1, function(_, send)
        for _, name in ipairs { "append", "sync", "close" } do
            send(select(2, pcall(mine[name], mine, key(1), unit(1))):match "%((.*)%)")
        end
    end))
    for _ = 1, 3 do
        check.equal("of another process", select(2, pool:next(1000)),
            "the writer belongs to another process")
    end
    check.equal("it ends by itself", select(3, pool:next(1000)), nil)
    check.equal("its own", mine:append(key(1), unit(1)), true)
    check.equal("close of its own", mine:close(), true)
end

do
    local left
    do
        local opened <close> = index
        left = opened
    end
    check.raises("a closed index", "the store is closed", left.get, left, key(1))
end

check.done()
