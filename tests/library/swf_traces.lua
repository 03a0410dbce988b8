-- A real trace in the Standard Workload Format, which is no part of the project: its totals against
-- those that awk finds, and a run of it checked by the checker. PINION_TRACES=FOLDER build/pinion
-- run tests/library/swf_traces.lua, with FOLDER/swf-pwa holding the trace.

package.path = "tests/support/?.lua;" .. package.path
local folder = require("traces").folder "swf-pwa/ holds the trace"
local check = require "check"
local pinion = require "pinion"
local program = require "program"

local NASA = folder .. "/swf-pwa/NASA-iPSC-1993-3.1-cln.swf.gz"

-- Jobs that ran, their processors, processor seconds, the last submission, users, and units of
-- 600 s.
local AWK = [[
gzip -dc '%s' | awk '!/^;/ { rows++; p = $5 > 0 ? $5 : $8; if ($4 > 0 && p > 0) {
    jobs++; maps += p; seconds += p * $4; last = $2; users[$12] = 1
    units += int((p * $4 + 599) / 600) } }
END { for (u in users) n++; printf "%%d\n%%d\n%%d\n%%d\n%%d\n%%d\n%%d\n",
    rows, jobs, maps, seconds, last, n, units }']]
local want = program.lines_of(AWK:format(NASA))
for i, text in ipairs(want) do want[i] = math.tointeger(tonumber(text)) end
local rows, jobs, maps, seconds, last, users, units = table.unpack(want)
check.equal("rows as the archive says", rows, 18239)

local trace = pinion.trace.swf(NASA, { group = "user" })
local made = trace:open { model = "cluster" }
local totals = made.core:totals()
check.equal("rows", made.summary.rows, rows)
check.equal("jobs", made.core:count(), jobs)
check.equal("map tasks", totals.map_tasks.sum, maps + 0.0)
check.equal("map work in ms", totals.map_work.sum, seconds * 1000.0)
check.equal("processor seconds", made.summary.processor_s, seconds + 0.0)
check.equal("last submission", totals.last_submit, last * 1000)
check.equal("users", #made.groups, users)
check.equal("nodes", trace:default_settings("cluster").nodes[1].count, 128)

local slotted = pinion.trace.swf(NASA, { slot = 600 }):open { model = "slotted" }.core
check.equal("slotted: jobs", slotted:count(), jobs)
check.equal("slotted: units", slotted:totals().maps, units)
check.equal("slotted: last arrival", slotted:totals().last_arrival, 1 + last // 600)

for _, model in ipairs { "cluster", "slotted" } do
    local base = program.directory .. "/" .. model
    local spec = "swf:" .. NASA .. ",group=user,first=1000,jobs=500"
    program.succeed("scenario of " .. model, { "workload", spec, "--model", model, "--jobs",
        "--format", "json", "--output", base .. ".json" })
    program.succeed("run of " .. model, { "simulate", base .. ".json", "--policy", "fair", "--log",
        base .. ".log", "--quiet" })
    check.contains("checked", program.succeed("check of " .. model, { "verify", base .. ".json",
        base .. ".log" }), "ok: fair")
end

check.done()
