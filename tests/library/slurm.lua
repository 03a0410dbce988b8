-- The example that schedules a Slurm, against one that is a file (tests/support/fake_slurm.lua),
-- where time passes by readings of the queue: whoever decides and whatever fails, no element is
-- started twice and none is lost, what was told to the core replays to the same decisions, and
-- without failures the simulator decides the same. Nothing here depends on how fast the machine is.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local host = (program.path:match "^(.*/)" or "./") .. "slurm"
local fake = io.popen "pwd":read "l" .. "/tests/support/fake_slurm.lua"

-- ---- a Slurm ------------------------------------------------------------------------------------

local Slurm = {}
Slurm.__index = Slurm

local NODES <const> = "n1 idle 4 4000\nn2 idle 4 4000\nn3 idle 2 2000\n"

-- Commands wait for each other, as those of a controller do, also when a host was killed while one
-- of its own still ran.
local function new(name, jobs, files)
    local self = setmetatable({ folder = program.file(name) }, Slurm)
    os.execute(string.format("rm -rf '%s' && mkdir -p '%s/bin'", self.folder, self.folder))
    for _, command in ipairs { "squeue", "sinfo", "scontrol" } do
        check.write_file(self:path("bin/" .. command), string.format(
            "#!/bin/sh\nexec flock '%s' lua5.4 '%s' %s '%s' $PPID \"$@\"\n", self:path "lock", fake,
            command, self.folder))
    end
    os.execute(string.format("chmod +x '%s'/bin/*", self.folder))
    self:put("nodes", NODES)
    self:put("queue", jobs)
    for file, text in pairs(files or {}) do self:put(file, text) end
    return self
end

function Slurm:path(name) return self.folder .. "/" .. name end

function Slurm:put(name, text) check.write_file(self:path(name), text) end

function Slurm:lines(name)
    local lines = {}
    for line in (check.exists(self:path(name)) and check.read_file(self:path(name)) or "")
        :gmatch "[^\n]+" do
        lines[#lines + 1] = line
    end
    return lines
end

function Slurm:run(options)
    local _, _, code = os.execute(string.format(
        "PATH='%s':$PATH timeout -k 1 60 '%s' --partition batch --poll 1 --inputs '%s' "
            .. "--state '%s' %s >>'%s' 2>>'%s' </dev/null", self:path "bin", host,
        self:path "inputs", self:path "state", options or "", self:path "out", self:path "err"))
    return code
end

-- Runs hosts, one after the other, until one ends by itself: how many were killed.
function Slurm:run_to_the_end(options)
    for killed = 0, 100 do
        local code = self:run(options)
        if code ~= 137 then
            check.equal("exit code: " .. check.read_file(self:path "err"), code, 0)
            return killed
        end
    end
    check.is_true("a host comes to the end", false)
end

local function counted(lines)
    local counts = {}
    for _, line in ipairs(lines) do
        local id = line:match "%S+"
        counts[id] = (counts[id] or 0) + 1
    end
    return counts
end

-- Each element ran to its end once, but for these.
function Slurm:check_ends(what, others)
    local ends = counted(self:lines "ends")
    for _, line in ipairs(self:lines "queue") do
        local job, element = line:match "(%d+) (%S+)"
        local id = element == "-" and job or job .. "_" .. element
        check.equal(what .. ": ends of " .. id, ends[id] or 0, (others or {})[id] or 1)
    end
end

function Slurm:verify(what, more)
    return program.succeed("replay of " .. what,
        program.joined({ "verify", self:path "inputs" }, more or {}))
end

local function array(job, elements, uid, cpus, left, odd)
    local lines = {}
    for element = 0, elements - 1 do
        lines[#lines + 1] = string.format("%d %s PD 0 %d 500 %d 10:00 %d - - %s", job,
            elements == 1 and "-" or element, cpus, uid, left, odd or "-")
    end
    return table.concat(lines, "\n") .. "\n"
end

-- Twenty jobs of three users.
local ELEMENTS <const> = 40
local function day()
    local jobs = {}
    for job = 1, 20 do
        jobs[job] = array(job * 3, job % 3 + 1 - job // 20, 2001 + job % 3, job % 2 + 1,
            job % 3 + 1)
    end
    return table.concat(jobs)
end

-- ---- policies -----------------------------------------------------------------------------------

local OWN <const> = program.file("largest.lua", [[
return { name = "largest", model = "dag", key = { changes = "served",
         of = function(s, job) return -s:left(job) end } }
]])

for name, policy in pairs { fifo = "fifo", lua = OWN } do
    local slurm = new(name, day())
    slurm:run_to_the_end("--policy '" .. policy .. "'")
    slurm:check_ends(name)
    check.equal(name .. ": starts", #slurm:lines "starts", ELEMENTS)
    local more = policy == OWN and { "--policy", OWN }
    local said = slurm:verify(name, more)
    local digest = check.read_file(slurm:path "out"):match "digest (%x+)\n$"
    check.contains("the digest that the host prints", said, "digest " .. digest)
    check.contains("explanation", program.succeed("explain", program.joined({ "explain",
        slurm:path "inputs", "--job", "3" }, more or {})), "job 3, policy ")
    check.equal("the simulator's digest of " .. name, program.digest(name, { "simulate",
        slurm:path "inputs", "--policy", policy, "--quiet" }), digest)
end

local _, said, status = program.run { "compare", program.file "lua" .. "/inputs", "--policies",
    "fifo" }
check.equal("a policy in Lua that is not named", status, 2)
check.contains("a policy in Lua that is not named", said, "was recorded under largest, a policy in "
    .. "Lua (give its file too: --policies fifo,FILE.lua)")
for text, message in pairs {
    ['{"pinion_inputs":1,"model":"cluster"}\n'] = "is an input log of the cluster model, which",
    ['{"pinion_inputs":1,"model":"dag"}\n'] = "1: policy: expected a text",
    ['{"pinion_inputs":1,"model":"none"}\n'] = "1: model 'none' has no core that hosts drive",
    ['{"pinion_inputs":1,\n'] = "1: ",
} do
    local path = program.file("head.inputs", text)
    local _, why, exit = program.run { "compare", path, "--policies", "fifo" }
    check.is_true("exit code: " .. message, exit == 1 or exit == 2)
    check.contains("message", why, message)
    check.is_true("no internal error", not why:find "internal")
end

-- ---- hosts that are killed ----------------------------------------------------------------------

local killed = new("killed", day(), {
    events = "1 kill\n2 kill\n3 kill\n5 kill\n11 kill\n",
    faults = "batch 0\nbatch 1\nbatch 2\nbatch 3\nbatch 5\n",
})
check.equal("hosts killed", killed:run_to_the_end "--policy drf", 10)
killed:check_ends "killed hosts"
check.equal("killed hosts: starts", #killed:lines "starts", ELEMENTS)
killed:verify "killed hosts"

-- Without its state a host begins anew, with what the queue shows.
local anew = new("anew", day(), { events = "4 kill\n9 kill\n", faults = "batch 3\n" })
for _ = 1, 3 do
    check.equal("a killed host", anew:run "--policy drf", 137)
    os.remove(anew:path "state")
    os.remove(anew:path "inputs")
end
anew:run_to_the_end "--policy drf"
anew:check_ends "hosts without a state"
check.equal("hosts without a state: starts", #anew:lines "starts", ELEMENTS)
anew:verify "hosts without a state"

-- ---- what else goes wrong -----------------------------------------------------------------------

local faulty = new("faulty", day(), {
    faults = "fail\nfail\nbatch 3\nhalf\ncut\nhang\nstrange\nempty\nbatch 3\nempty\nhalf\n",
})
faulty:run_to_the_end "--policy fifo --timeout 500"
faulty:check_ends "faults"
check.equal("faults: starts", #faulty:lines "starts", ELEMENTS)
faulty:verify "faults"
for _, message in ipairs { "squeue: Unable to contact slurm controller", "squeue: failed",
    "squeue: the output ends within a line", "squeue: does not answer: killed",
    "squeue:1: not a row of the queue (expected" } do
    check.contains("message", check.read_file(faulty:path "err"), message)
end

-- A node that goes down has its elements started again, elsewhere; what is cancelled or failed does
-- not hold up the others.
local lost = new("lost", array(1, 12, 2001, 1, 6) .. array(2, 4, 2002, 2, 3), {
    events = "4 down n1\n5 cancel 1_11\n5 fail 1_9\n7 kill\n12 up n1\n",
})
lost:run_to_the_end "--policy fifo"
lost:check_ends("a lost node", { ["1_11"] = 0, ["1_9"] = 0 })
lost:verify "a lost node"
check.contains("said so", check.read_file(lost:path "out"), "node n1 is down")

-- The recorded day as a scenario: the node fails in it, too, and what no scenario has is counted.
local simulated = program.file "simulated.log"
local _, notice, code = program.run { "simulate", lost:path "inputs", "--quiet", "--log",
    simulated }
check.equal("simulation of a lost node", code, 0)
check.matches("what is not simulated", notice, "^pinion: [^\n]*/inputs: not simulated: [^\n]*\n$")
check.contains("its failure", check.read_file(simulated), '"event":"node_down"')

-- An element that was released to a node which takes nothing any more is taken back.
local drained = new("drained", array(1, 12, 2001, 1, 2), { events = "2 drain n1\n" })
drained:run_to_the_end "--policy fifo"
drained:check_ends "a drained node"
check.contains("taken back", check.read_file(drained:path "out"),
    "1_0: is taken back: its node takes no tasks now")
for _, line in ipairs(drained:lines "starts") do check.matches("elsewhere", line, "n[23]$") end

-- Elements that Slurm does not start are left to it, and do not hold up others.
local blocked = new("blocked", array(1, 10, 2001, 1, 2, "blocked=yes") .. array(2, 4, 2002, 1, 2),
    { events = "25 cancel 1\n" })
blocked:run_to_the_end "--policy fifo --patience 1"
check.contains("the reason", check.read_file(blocked:path "out"),
    "1_0: is left to Slurm, which does not start it: Resources")
for element = 0, 3 do
    check.equal("of the other job", counted(blocked:lines "ends")["2_" .. element], 1)
end

-- What a policy kills is requeued, held, and started again.
local KILLING <const> = program.file("killing.lua", [[
return { name = "killing", model = "dag", uses = { "preempts" },
         key = { changes = "arrival", of = function(s, job) return job end },
         preempt = function(s)
             for job, stage, task, start, attempt in s:attempts_on(0) do
                 if attempt == 0 and task == 1 then s:kill(0, job, stage, task) return end
             end
         end }
]])
local killing = new("killing", array(1, 3, 2001, 1, 4))
killing:run_to_the_end("--policy " .. KILLING)
killing:check_ends "a policy that kills"
check.equal("starts, with one again", #killing:lines "starts", 4)
check.equal("requests", counted(killing:lines "requests").requeuehold, 1)
killing:verify("a policy that kills", { "--policy", KILLING })

-- ---- what is left to Slurm ----------------------------------------------------------------------

local LEFT <const> = {
    ["nodes=2"] = "more than one node", ["begin=2030-01-01T00:00:00"] = "a time to begin",
    ["required=n1"] = "nodes by name", ["sharing=NO"] = "whole or shared nodes",
    ["features=big"] = "features of nodes", ["dependency=afterok:7"] = "a dependency",
    ["licenses=mat:1"] = "licenses", ["partition=other,batch"] = "several partitions",
    ["limit=%2"] = "a limit on its running elements", ["excluded=n1"] = "nodes that it excludes",
}
local jobs, expected = { array(1, 3, 2001, 1, 2), array(2, 1, 2001, 5, 2) }, {}
expected[2] = "demand: at most what some node has"
for odd, why in pairs(LEFT) do
    expected[#jobs + 1] = why
    jobs[#jobs + 1] = array(#jobs + 1, 2, 2001, 1, 2, odd)
end
local left = new("left", table.concat(jobs), { events = "9 cancel 2\n" })
left:run_to_the_end "--policy fifo"
local requests, output = counted(left:lines "requests"), check.read_file(left:path "out")
for job, why in pairs(expected) do
    check.contains("left", output, string.format("job %d of 2001 is left to Slurm: %s\n", job, why))
end
check.equal("each released once", requests.release, #jobs - 1 + 3)
check.equal("nodes for the others", requests.update, 3)
left:verify "what is left"

-- An element that differs from the others of its job is left to Slurm alone.
local mixed = new("mixed", array(1, 3, 2001, 1, 2) .. "1 3 PD 0 2 500 2001 10:00 2 - - -\n"
    .. "1 4 PD 0 1 500 2001 10:00 2 - - required=n1\n")
mixed:run_to_the_end "--policy fifo"
mixed:check_ends "an element that differs"
check.contains("said so", check.read_file(mixed:path "out"),
    "1_3: is left to Slurm: another demand than its job")
check.contains("the others are not", check.read_file(mixed:path "out"),
    "job 1 of 2001 is job 1: 4 tasks")

-- A job of another partition holds what it holds, and nothing is asked for it.
local shared = new("shared", array(1, 6, 2001, 2, 2) .. "9 - R 500 4 4000 2002 10:00 9 n1 - "
    .. "partition=other\n7 - PD 0 1 100 2002 10:00 1 - - partition=other\n",
    { events = "20 cancel 7\n" })
shared:run_to_the_end "--policy fifo"
shared:check_ends("beside others", { ["7"] = 0 })
check.contains("what they hold", check.read_file(shared:path "out"), "node n1 has 0 CPUs and 0 MB")

-- ---- states and logs ----------------------------------------------------------------------------

local function refused(what, slurm, options, message)
    check.write_file(slurm:path "err", "")
    check.equal(what .. ": exit code", slurm:run(options), 1)
    check.contains(what, check.read_file(slurm:path "err"), message)
end

refused("another policy", killed, "--policy fifo", "belongs to another partition, policy or "
    .. "parameter (move it and the input log away to begin anew)")
refused("another log", killed, "--policy drf --inputs " .. program.file("short", ""),
    "not the log of the state: it is shorter than")
local state = check.read_file(killed:path "state")
killed:put("state", state:sub(1, 70000) .. "x" .. state:sub(70002))
refused("a damaged state", killed, "--policy drf", "is damaged")
killed:put("state", state:sub(1, 1000))
refused("a short state", killed, "--policy drf", "is too short")
os.remove(killed:path "state")
refused("a log without its state", killed, "--policy drf",
    "the file is not empty, and there is no state of it to continue")
check.equal("the log is whole", #killed:lines "inputs" > ELEMENTS, true)

-- Of two hosts with one state, the second one gives up.
local both = new("both", array(1, 1, 2001, 1, 100000))
os.execute(string.format([[
PATH='%s':$PATH
'%s' --partition batch --poll 1 --state '%s' >'%s' &
until [ -s '%s' ]; do :; done
'%s' --partition batch --poll 1 --state '%s' 2>'%s'
kill $!
wait $!]], both:path "bin", host, both:path "state", both:path "out", both:path "out", host,
    both:path "state", both:path "err"))
check.contains("two hosts", check.read_file(both:path "err"),
    "(expected a state that no other host uses)")

-- ---- mistakes -----------------------------------------------------------------------------------

for _, wrong in ipairs {
    { "", "--partition is required (--help says more)" },
    { "--partition", "--partition: unknown, or its value is missing (--help lists all)" },
    { "--partition x --poll 0", "--poll: expected an integer in 1..3600000, got 0" },
    { "--partition x --nice 1", "unknown option: --nice (--help lists them)" },
    { "--partition x --inputs y --state y", "--inputs: y is read (expected another file)" },
    { "--partition x --policy none", "unknown policy: none (expected a built-in one, or a file "
        .. "that ends in .lua)" },
    { "--partition x --param y=1", "--param: policy drf has no such parameter: y=1" },
} do
    local said = program.file "mistake"
    local _, _, code = os.execute(string.format("'%s' %s >'%s' 2>&1", host, wrong[1], said))
    check.equal("exit code of " .. wrong[1], code, 2)
    check.equal("message of " .. wrong[1], check.read_file(said), "slurm: " .. wrong[2] .. "\n")
end

check.done()
