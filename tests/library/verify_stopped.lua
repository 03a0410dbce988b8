-- The log of a run that --until stopped is verified as far as it goes; one that was cut short
-- without saying so is refused.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local program = require "program"

local log = program.file "stopped.log"

-- Workloads whose number of jobs is not known before they end.
local function unknown(model, job)
    return program.file(model .. ".lua", string.format([[
return { name = "unknown", model = "%s", generate = function(g)
  for i = 1, 30 do g:job %s end
end }]], model, job))
end

local RUNS = {
    { unknown("cluster", "{ submit = i * 1000, maps = 3, map_ms = 4000 }"),
        { "--set", "nodes=2x2x1" }, { "fifo", "fair" }, { 500, 8000, 31000 } },
    { unknown("dag",
        "{ arrival = i * 1000, stages = { { tasks = 3, duration = 4000, demand = { 1 } } } }"),
        { "--set", "nodes=2x2" }, { "fifo", "srpt" }, { 500, 8000, 31000 } },
    { "zheng:0,slots=40", { "--set", "machines=20" }, { "fifo", "fair", "asrpt", "srpt" },
        { 1, 7, 20, 39, 41 } },
    { "zheng:0,slots=40", { "--set", "machines=20", "--set", "reduce=preemptive" },
        { "fifo", "psrpt", "srpt" }, { 3, 20, 41 } },
    { "lin,jobs=60,load=.9", {}, { "fcfs", "ps", "maxsrpt", "klps" }, { 0.5, 10, 33.25 } },
    { "lin,jobs=60,load=.9", { "--set", "overlap=false" }, { "fcfs", "ps" }, { 10, 33.25 } },
    { "lin,jobs=20,batch=true", {}, { "maxsrpt", "ps" }, { 0.25, 8 } },
}

local function verify(workload, options, path)
    local output, messages,
        code = program.run(program.joined({ "verify", "--workload", workload }, options, { path }))
    return code, code == 0 and output or messages
end

local stopped, whole = 0, 0
for _, run in ipairs(RUNS) do
    local workload, options, policies, untils = table.unpack(run)
    for _, policy in ipairs(policies) do
        for _, till in ipairs(untils) do
            local name = string.format("%s %s until %s", workload, policy, till)
            program.succeed(name,
                program.joined({ "simulate", "--workload", workload, "--policy", policy, "--until",
                tostring(till),
                "--log", log, "--quiet", "--output", "/dev/null" }, options))
            local code, words = verify(workload, options, log)
            check.equal("exit code of verify, " .. name, code, 0)
            check.contains("words of verify, " .. name, words, ": ok: " .. policy)
            local text = check.read_file(log)
            if text:find '"until":' then stopped = stopped + 1 else whole = whole + 1 end
        end
    end
end
check.is_true("most of them were stopped", stopped > 20)

-- ---- mutants ------------------------------------------------------------------------------------

local function mutants(workload, options, policy, till)
    program.succeed("a log to change",
        program.joined({ "simulate", "--workload", workload, "--policy", policy, "--until",
        tostring(till), "--log", log, "--quiet", "--output", "/dev/null" }, options))
    local lines = program.lines_of("cat '" .. log .. "'")
    local function refused(name, reason, change)
        local list = table.move(lines, 1, #lines, 1, {})
        change(list)
        local path = program.file("mutant.log", table.concat(list, "\n") .. "\n")
        local code, words = verify(workload, options, path)
        check.equal(name .. ", exit code, " .. workload, code, 1)
        check.contains(name .. ", " .. workload, words, reason)
    end
    local last = #lines
    refused("cut short without saying so", "the job does not finish", function(list)
        list[last] = list[last]:gsub(',"until":[^,]+', "")
    end)
    refused("a decision is missing", "", function(list) table.remove(list, last - 1) end)
    refused("stopped earlier than it was", "the run continues after it was stopped", function(list)
        list[last] = list[last]:gsub('"until":[^,]+',
            '"until":' .. (math.type(till) == "integer" and 1 or 0.001))
    end)
    refused("another digest", "the digest does not match the entries", function(list)
        list[last] = list[last]:gsub('"digest":"%x',
            '"digest":"' .. (list[last]:find '"digest":"0' and "1" or "0"))
    end)
    refused("another end", "the end is not the last finish",
        function(list) list[last] = list[last]:gsub('"end":', '"end":1') end)
    refused("no slot or time", 'field "until"',
        function(list) list[last] = list[last]:gsub('"until":[^,]+', '"until":"x"') end)
    refused("stopped later than it was", policy == "fifo" and "a machine idles"
            or "more is mapped than the job has", function(list)
        list[last] = list[last]:gsub('"until":[^,]+', '"until":100000')
    end)
    refused("a finish is missing", policy == "fifo" and "the job does not finish" or "",
            function(list)
        for at = last - 1, 2, -1 do
            if list[at]:find '"finish":true' then
                table.remove(list, at)
                return
            end
        end
    end)
end
mutants("zheng:0,slots=40", { "--set", "machines=20" }, "fifo", 20)
mutants("lin,jobs=60,load=.9", {}, "fcfs", 33.25)

check.done()
