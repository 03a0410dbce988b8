-- Input logs of the dispatch core as scenarios: what was measured, and what no scenario has.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

-- Nodes that come at times 0 and 5, a job that ends and one that runs when the log ends.
local LOG <const> = table.concat({
    '{"pinion_inputs":1,"model":"dag","policy":"fifo","params":{},"config":{"resources":1,'
        .. '"nodes_down":1,"jobs_max":4,"stages_max":0,"edges_max":0,"attempts_max":0,'
        .. '"classes_max":0,"replica":0,"seed":0,"placement":0,"order":0,"backfill":1,'
        .. '"max_kills":3,'
        .. '"attributes":0,"nodes_absent":0,"running_most":0,"executors":0,"nodes":[{"count":2,'
        .. '"capacity":[2,0,0,0]}]}}',
    '{"time":0,"event":"node_up","node":0,"digest":"0000000000000000"}',
    '{"time":0,"event":"submit","job":{"group":3,"stages":[{"demand":[1,0,0,0],"estimate":10,'
        .. '"tasks":1}]},"digest":"121a8bdda074c10a"}',
    '{"time":0,"event":"run","digest":"5f400d2d810141f0"}',
    '{"time":5,"event":"node_up","node":1,"digest":"740e01f32250c4e8"}',
    '{"time":7,"event":"finished","token":128,"digest":"7168bc4cd50cea5c"}',
    '{"time":8,"event":"submit","job":{"stages":[{"demand":[1,0,0,0],"estimate":10,'
        .. '"tasks":1}]},"digest":"7e550dce61161605"}',
    '{"time":8,"event":"run","digest":"aaa8c48d01e9d001"}',
}, "\n")

local DECISIONS <const> = table.concat({
    '{"time":0,"event":"node_down","node":1}',
    '{"time":0,"event":"arrive","job":1,"demands":[[1]]}',
    '{"time":0,"event":"launch","job":1,"stage":0,"task":1,"node":0,"attempt":0}',
    '{"time":5,"event":"node_up","node":1}',
    '{"time":7,"event":"end","job":1,"stage":0,"task":1,"node":0,"attempt":0}',
    '{"time":7,"job":1,"finish":true}',
    '{"time":8,"event":"arrive","job":2,"demands":[[1]]}',
    '{"time":8,"event":"launch","job":2,"stage":0,"task":1,"node":0,"attempt":0}',
    '{"time":9,"event":"end","job":2,"stage":0,"task":1,"node":0,"attempt":0}',
    '{"time":9,"job":2,"finish":true}',
}, "\n")

local inputs, decisions = program.file("down.inputs", LOG .. "\n"), program.file "down.log"
program.succeed("replay", { "verify", inputs })
program.succeed("simulation", { "simulate", inputs, "--quiet", "--log", decisions })
check.equal("decisions", check.read_file(decisions):match "^[^\n]*\n(.*)\n[^\n]*\n$", DECISIONS)

local written = program.succeed("scenario", { "workload", inputs, "--jobs", "--format", "json" })
check.contains("the group is the host's number", written, '"group": "3"')

-- What comes before the measured end of a job is left out, and counted.
local cut = program.file("cut.inputs", LOG:match "^.-\n.-\n.-\n")
local _, notice, code = program.run { "simulate", cut, "--policy", "fifo", "--quiet" }
check.equal("a log without a task that ran: " .. notice, code, 2)
check.contains("counted", notice, "not simulated: 1 unstarted job")

check.done()
