-- Files that released versions wrote, in tests/cli/VERSION: decision logs are verified, input logs
-- are replayed, and checkpoints, which belong to one version and one layout of the state, are
-- refused by a message that names the difference.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"
local core = require "pinion.core"

-- The digest in the last line of a log.
local function digest_of(log)
    return check.read_file(log):match '"digest":"(%x+)"[^\n]*\n$'
end

local function verify(log, arguments)
    local output = program.succeed("verify " .. log, program.joined({ "verify" }, arguments))
    check.contains("digest of " .. log, output, "digest " .. assert(digest_of(log), log))
end

local function replay(inputs)
    local log = inputs:gsub("inputs$", "log")
    verify(log, { inputs, log })
    verify(inputs, { inputs })
end

-- What differs first, as the message says it.
local function difference(version, header)
    if version ~= core.version then
        return string.format("was written by version '%s' (expected %s)", version, core.version)
    end
    return string.format("was written on another kind of machine, or by another build: '%s' "
        .. "(expected '%s')", header:match '"abi":"([^"]*)"', core.checkpoint_abi())
end

local function refuse(packed, version)
    local path = program.file "old.state"
    os.execute(string.format("gzip -dc '%s' >'%s'", packed, path))
    local header = check.read_file(path):match "^[^\n]*"
    check.contains(packed .. " names its version", header, '"pinion":"' .. version .. '"')
    program.fails("resume " .. packed, { "resume", path }, 2,
        path .. ": " .. difference(version, header))
end

local function files(folder, pattern)
    return program.lines_of(string.format("find '%s' -name '%s' | sort", folder, pattern))
end

for _, folder in ipairs(program.lines_of "find tests/cli -type d -name '[0-9]*' | sort") do
    local version = folder:match "[^/]*$"
    local logs, inputs, states = files(folder, "*.log"), files(folder, "*.inputs"),
        files(folder, "*.state.gz")
    check.is_true(version .. " has files of each kind", logs[1] and inputs[1] and states[1])
    for _, log in ipairs(logs) do verify(log, { (log:gsub("log$", "json")), log }) end
    for _, path in ipairs(inputs) do replay(path) end
    for _, path in ipairs(states) do refuse(path, version) end
end
check.done()
