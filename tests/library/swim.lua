-- The reader of SWIM traces: the mapping to units, odd rows, malformed files.

package.path = "tests/support/?.lua;" .. package.path
local core = require "pinion.core"
local check = require "check"

local function read(bytes, change)
    local options = { path = check.temporary_file(bytes), machines = 100, scale_num = 1,
        scale_den = 1 }
    for key, value in pairs(change or {}) do options[key] = value end
    local workload, summary = core.workload_swim(options)
    return workload, summary, options.path
end

local MIB, GIB = 1 << 20, 1 << 30
local function row(submit, input, shuffle, output, tail)
    return string.format("job\t%d\t0\t%d\t%d\t%d%s\n", submit, input, shuffle, output, tail or "")
end

local w, summary = assert(read(table.concat {
    -- 1: nothing at all is still one map
    row(0, 0, 0, 0),
    row(9, 128 * MIB, 0, 5 * GIB),                              -- 2: map-only, exactly one unit
    -- 3: one byte over is a second unit; fields after the sixth
    row(10, 128 * MIB + 1, 1, 0, "\tinputPath1\t\t"),
    -- 4: 0.5 GiB in all: halves round up to one task
    row(10, 0, 3 * 128 * MIB, GIB // 8),
    row(25, GIB, 5 * GIB, 4 * GIB),                             -- 5: 9 tasks, 40 units
    -- 6: as many units as tasks, 20 at most
    row(25, GIB, 1, 100 * GIB),
}))
local expected = { "1 1 ", "1 1 ", "2 2 1", "2 1 3", "3 8 5 5 5 5 4 4 4 4 4",
    "3 8" .. (" 1"):rep(20) }
for i, wanted in ipairs(expected) do
    local job = w:job(i)
    check.equal("job " .. i, job.arrival .. " " .. job.maps .. " "
        .. table.concat(job.reduces, " "), wanted)
end
for field, wanted in pairs { rows = 6, jobs = 6, map_only = 2, all_zero = 1, no_input = 1,
    expanding = 2, no_output = 1,
                             map_input_bytes = 256 * MIB + 1 + 2 * GIB,
                             shuffle_bytes = 384 * MIB + 2 + 5 * GIB } do
    check.equal(field, summary[field], wanted)
end

check.equal("slots of a minute", read(row(59, 0, 0, 0), { slot_seconds = 60 }):job(1).arrival, 1)
check.equal("the second minute", read(row(60, 0, 0, 0), { slot_seconds = 60 }):job(1).arrival, 2)
check.equal("an exact ratio",
    read(row(0, 300, 0, 0), { scale_num = 2, scale_den = 3, unit = 1 }):job(1).maps, 200)
check.equal("rounded up",
    read(row(0, 301, 0, 0), { scale_num = 2, scale_den = 3, unit = 1 }):job(1).maps, 201)
check.equal("a fifth of few machines is still one",
    #read(row(0, 1, 100 * GIB, 0), { machines = 4 }):job(1).reduces, 1)
check.equal("a last line without its newline", read("job\t1\t0\t1\t0\t0"):count(), 1)

local function bad(bytes, wanted, change)
    local workload, message, path = read(bytes, change)
    check.equal("result for " .. wanted, workload, nil)
    check.contains("message", message, path .. wanted)
end
local fine = row(5, 1, 1, 1)
bad("", ": holds no jobs (expected one job per line)")
bad(fine .. "job\t5\t0\t1\t1\n", ":2: 5 fields (expected at least 6, separated by TABs)")
bad("job 5 0 1 1 1\n", ":1: 1 field (expected")
bad(fine .. "\n" .. fine, ":2: the line is blank")
bad("\t5\t0\t1\t1\t1\n", ":1: field 1, the job's name: nothing")
bad("job\t5\t0\t-1\t1\t1\n",
    ':1: field 4, map input bytes: "-1" (expected a decimal integer in 0..9007199254740991)')
bad("job\t5\t0\t1.5\t1\t1\n", ':1: field 4, map input bytes: "1.5"')
bad("job\t5\t0\t\t1\t1\n", ':1: field 4, map input bytes: ""')
bad("job\t5\t0\t1\t9007199254740992\t1\n", ':1: field 5, shuffle bytes: "9007199254740992"')
bad("job\t5\t0\t1\t1\t" .. ("9"):rep(100) .. "\n", ':1: field 6, output bytes: "' .. ("9"):rep(40)
    .. '..."')
bad("name\tsubmit\t0\t1\t1\t1\n", ':1: field 2, submit time in seconds: "submit"')
bad("job\t5\t0\t1\t1\t1\r\n", ":1: the line ends with a carriage return")
bad("job\t5\t0\t1\t1\t1\0\n", ":1: the line holds a null byte")
bad(row(5, 1, 1, 1) .. row(4, 1, 1, 1),
    ":2: submit time 4 s lies before that of the line above (expected at least 5)")
bad(("x"):rep((1 << 24) + 1), ":1: the line is too long (expected at most 16 MiB)")
bad(("x"):rep(1 << 24), ":1: 1 field")
bad(row(5, (1 << 53) - 1, 0, 0), ":1: the job has more than 2^53 units",
    { scale_num = 3, unit = 1 })
bad(row(5, (1 << 53) - 1, (1 << 53) - 1, 0), ":1: the job has more than 2^53 units", { unit = 1 })
bad(fine, ": scale 1/9007199254740992 is too fine for units this large", { scale_den = 1 << 53 })

check.equal("open", select(2, core.workload_swim { path = "/nonexistent", machines = 1 }),
    "/nonexistent: cannot open: No such file or directory")
check.equal("directory", select(2, core.workload_swim { path = "/", machines = 1 }),
    "/: cannot read: Is a directory")

check.done()
