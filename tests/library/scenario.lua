-- Scenario files: every mistake is named by its place, and what is right is read exactly.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local csv = require "pinion.workload.csv"
local scenario = require "pinion.run.scenario"

local KNOWN = table.concat(require("pinion.models").names(), ", ")

local function with_jobs(jobs)
    return '{"model":"slotted","machines":4,"jobs":' .. jobs .. "}"
end

local function with_field(field)
    return '{"model":"slotted","machines":4,' .. field .. ',"jobs":[{"arrival":1,"maps":1}]}'
end

-- Text of a scenario called s.json, and the whole message.
local MISTAKES = {
    { "", "s.json:1: empty file (expected a JSON object)" },
    { " \n\n", "s.json:1: empty file (expected a JSON object)" },
    { "[]", "s.json: must be an object, got an array" },
    { "null", "s.json: must be an object, got null" },
    { "{}", "s.json: model: is required (known: " .. KNOWN .. ")" },
    { '{"model":3}', "s.json: model: must be a string, got 3" },
    { '{"model":"sloted"}', "s.json: model: unknown model 'sloted' (did you mean 'slotted'?)" },
    { '{"model":"slotted","machines":4}', "s.json: jobs: is required (an array of jobs)" },
    { with_field '"machnes":3', "s.json: machnes: unknown field (did you mean 'machines'?)" },
    { with_field '"reduce":"preemptve"',
        "s.json: reduce: must be preemptive or nonpreemptive, got 'preemptve' (did you mean "
        .. "'preemptive'?)" },
    { with_field '"policy":"asprt"',
        "s.json: policy: unknown policy 'asprt' (did you mean 'asrpt'?)" },
    { with_field '"policy":7', "s.json: policy: must be a string, got 7" },
    { with_field '"params":{"vm":1}', "s.json: params.vm: unknown parameter (did you mean 'wm'?)" },
    { with_field '"params":{"wm":"x"}', "s.json: params.wm: must be an integer, got 'x'" },
    { with_field '"params":[1]', "s.json: params: must be an object of parameters, got an array" },
    { with_field '"seed":-1', "s.json: seed: must be an integer >= 0, got -1" },
    { '{"model":"slotted","machines":0,"jobs":[]}',
        "s.json: machines: must be an integer in 1..16777216, got 0" },
    { '{"model":"slotted","machines":"4","jobs":[]}',
        "s.json: machines: must be an integer in 1..16777216, got '4'" },
    { with_field '"":1',
        "s.json: '': unknown field (known: arrivals, attributes, group, jobs, load, load_by, "
            .. "machines, model, params, policy, reduce, replicas, resample, seed, timeline)" },
    { with_field '"params":{"v\\nm":1}',
        "s.json: params.'v\\nm': unknown parameter (the policies have none)" },
    { with_field '"params":{"wm":999999999999999999999999999999}',
        "s.json:1: a number is too large (expected integers within 64 bits, "
        .. "reals within a double)" },
    { with_jobs "[]", "s.json: jobs: must not be empty" },
    { with_jobs "{}", "s.json: jobs: must be an array of jobs, got an object" },
    { with_jobs "[3]", "s.json: jobs[1]: must be an object, got 3" },
    { with_jobs '[{"maps":1}]',
        "s.json: jobs[1].arrival: is required (the slot of the job's arrival, >= 1)" },
    { with_jobs '[{"arrival":0,"maps":1}]',
        "s.json: jobs[1].arrival: must be an integer >= 1, got 0" },
    { with_jobs '[{"arrival":1,"maps":1},{"arrival":1,"maps":1},{"arrival":1,"maps":-1}]',
        "s.json: jobs[3].maps: must be an integer >= 0, got -1" },
    { with_jobs '[{"arrival":1,"maps":1.5}]',
        "s.json: jobs[1].maps: must be an integer >= 0, got 1.5" },
    { with_jobs '[{"arrival":1,"maps":true}]',
        "s.json: jobs[1].maps: must be an integer >= 0, got true" },
    { with_jobs '[{"arrival":1,"maps":null}]',
        "s.json: jobs[1].maps: must be an integer >= 0, got null" },
    { with_jobs '[{"arrival":1,"maps":9007199254740993}]',
        "s.json: jobs[1].maps: must be an integer <= 9007199254740992 (2^53), got "
        .. "9007199254740993" },
    { with_jobs '[{"arrival":1,"maps":1e300}]',
        "s.json: jobs[1].maps: must be an integer <= 9007199254740992 (2^53), got 1e+300" },
    { with_jobs '[{"arrival":1,"maps":9007199254740992,"reduces":[1]}]',
        "s.json: jobs[1]: has more than 2^53 units of work" },
    { with_jobs '[{"arrival":1,"ma\\nps":1}]',
        "s.json: jobs[1].'ma\\nps': unknown field (did you mean 'maps'?)" },
    { with_jobs '[{"arrival":1,"mapz":1}]',
        "s.json: jobs[1].mapz: unknown field (did you mean 'maps'?)" },
    { with_jobs '[{"arrival":1,"reduces":4}]',
        "s.json: jobs[1].reduces: must be an array of integers >= 0, got 4" },
    { with_jobs '[{"arrival":1,"reduces":{}}]',
        "s.json: jobs[1].reduces: must be an array of integers >= 0, got an object" },
    { with_jobs '[{"arrival":1,"reduces":[4,"x"]}]',
        "s.json: jobs[1].reduces[2]: must be an integer >= 0, got 'x'" },
    { with_jobs '[{"arrival":1}]', "s.json: jobs[1]: has no work: maps and reduces are all 0" },
    { with_jobs '[{"arrival":1,"reduces":[0,0],"name":"wc"}]',
        "s.json: jobs[1]: has no work ('wc'): maps and reduces are all 0" },
    { with_jobs '[{"arrival":1,"maps":1,"name":1}]',
        "s.json: jobs[1].name: must be a string, got 1" },
    { with_jobs '[{"arrival":1,"maps":1,"group":[]}]',
        "s.json: jobs[1].group: must be a string or an integer >= 0, got an array" },
    { with_jobs '[{"arrival":1,"maps":1,"estimate_maps":-1}]',
        "s.json: jobs[1].estimate_maps: must be an integer >= 0, got -1" },
}
for _, mistake in ipairs(MISTAKES) do
    local ok, problem = pcall(scenario.decode, mistake[1], "s.json")
    check.equal("scenario " .. mistake[1], not ok and tostring(problem) or "accepted", mistake[2])
end

-- Syntax: the place is ours to promise, the words are the reader's.
local SYNTAX = {
    { '{"model":', 1 }, { '{"model":"slotted",\n"machines":0x10}', 2 }, { '{"model":NaN}', 1 },
    { '{"a":Infinity}', 1 },
    { '{\n"a":1,\n"a":2}', 3 }, { '{"a":1} x', 1 }, { '{"a":99999999999999999999}', 1 },
    { '{"a":1e999}', 1 },
    { string.rep("[", 100), 1 }, { string.rep("[", 65) .. string.rep("]", 65), 1 },
    { '{"a":"\xff"}', 1 },
}
for _, case in ipairs(SYNTAX) do
    local ok, problem = pcall(scenario.decode, case[1], "s.json")
    check.is_true("syntax is refused: " .. case[1], not ok)
    check.matches("syntax has its place: " .. case[1], tostring(problem), "^s%.json:" .. case[2]
        .. ": .+%(expected .+%)$")
end

-- What is right.
local read = scenario.decode(
    with_jobs('[{"arrival":5.0,"maps":2.0,"reduces":[1.0,2]},'
        .. '{"arrival":1,"maps":9007199254740992,"name":"big"},'
        .. '{"arrival":5,"reduces":[0,3]}]'), "s.json")
local list = read.workload.list
check.equal("sorted by arrival", list.jobs[1].arrival, 1)
check.equal("names follow their jobs", list.names[1], "big")
check.equal("a stable sort", list.jobs[2].maps, 2)
check.equal("floats that are integers", math.type(list.jobs[2].maps), "integer")
check.equal("maps are 0 by default", list.jobs[3].maps, nil)
check.equal("2^53 is exact", list.jobs[1].maps, 9007199254740992)
check.equal("no groups", #list.groups, 0)
check.equal("no estimates", list.estimates, false)

local grouped = scenario.decode(
    with_jobs('[{"arrival":9,"maps":1,"group":"b"},{"arrival":1,"maps":1,"group":7},'
        .. '{"arrival":1,"maps":1},{"arrival":2,"maps":1,"group":"b","estimate_reduces":0}]'),
    "s.json").workload.list
check.equal("groups in order of first appearance", grouped.groups[1] .. grouped.groups[2]
    .. tostring(grouped.groups[3]), "b7false")
check.equal("group of the last job", grouped.jobs[4].group, 0)
check.equal("estimates", grouped.estimates, true)
check.equal("an estimate of 0", grouped.jobs[3].estimate_reduces, 0)
check.equal("no estimate", grouped.jobs[1].estimate_reduces, nil)

check.equal("a mark of UTF-8 is no fault",
    #scenario.decode("\xEF\xBB\xBF" .. with_jobs '[{"arrival":1,"maps":1}]',
    "s.json").workload.list.jobs, 1)
check.equal("Windows line ends",
    #scenario.decode(with_jobs('[{"arrival":1,"maps":1}]'):gsub(",", ",\r\n"),
    "s.json").workload.list.jobs, 1)

-- The kernel's side gives the jobs back.
local opened = read.workload:open { machines = 4 }
check.equal("jobs", opened.core:count(), 3)
check.equal("totals", opened.core:totals().reduces, 6)
check.equal("null is null", core.json_decode("null", "x"), core.null)

-- csv files.
local CSV_MISTAKES = {
    { "", "j.csv:1: empty file (expected a header such as arrival,maps,reduces)" },
    { "arrival,maps\n", "j.csv: no jobs after the header" },
    { "maps,estimate_maps\n1,1\n",
        "j.csv:1: no column 'arrival' (expected a header such as arrival,maps,reduces)" },
    { "arrival,mapz\n1,1\n", "j.csv:1: unknown column 'mapz' (did you mean 'maps'?)" },
    { "arrival,maps,maps\n1,1,1\n", "j.csv:1: column 'maps' appears twice" },
    { "arrival,maps\n1\n", "j.csv:2: has 1 field (expected 2)" },
    { "arrival,maps\n1,1\n\n1,x\n", "j.csv:4: maps: must be an integer >= 0, got 'x'" },
    { "arrival,maps\n1,0x1\n", "j.csv:2: maps: must be an integer >= 0, got '0x1'" },
    { "arrival,maps\n,1\n", "j.csv:2: arrival: is required (the slot of the job's arrival, >= 1)" },
    { 'arrival,maps\n1,"1\n', 'j.csv:2: a quoted field does not end (expected ")' },
    { 'arrival,maps\n1,"1"2\n',
        "j.csv:2: text behind a quoted field (expected a comma or the line's end)" },
    { "arrival,maps,reduces\n1,0,1 x\n", "j.csv:2: reduces[2]: must be an integer >= 0, got 'x'" },
    { "arrival,maps,name\n1,1,a\xffb\n",
        "j.csv:2: name: must be UTF-8 text without null characters, got 'a\\xffb'" },
    { "arrival,maps,group\n1,1,a\0b\n",
        "j.csv:2: group: must be UTF-8 text without null characters, got 'a\\x00b'" },
    { "arrival,maps,reduces\n1,0,0\n", "j.csv:2: has no work: maps and reduces are all 0" },
}
-- Messages name the file; here it is always called j.csv.
local function read_csv(text)
    local path = check.temporary_file(text)
    local made = table.pack(pcall(csv.read_jobs, path))
    if not made[1] then error((tostring(made[2]):gsub(path, "j.csv", 1)), 0) end
    return made[2]
end
for _, mistake in ipairs(CSV_MISTAKES) do
    local ok, problem = pcall(read_csv, mistake[1])
    check.equal("csv " .. mistake[1], not ok and tostring(problem) or "accepted", mistake[2])
end

local TABLE =
    '\xEF\xBB\xBFreduces,name,arrival,maps,group\r\n4 4;2,"say ""hi"",\nthere",2,5,\r\n\r\n'
    .. ',x,1,3,g\r\n'
local rows = read_csv(TABLE)
check.equal("csv rows", #rows.jobs, 2)
check.equal("csv sorted", rows.names[1], "x")
check.equal("csv quoted field", rows.names[2], 'say "hi",\nthere')
check.equal("csv list of reduces", table.concat(rows.jobs[2].reduces, "+"), "4+4+2")
check.equal("csv groups", tostring(rows.groups[1]) .. rows.groups[2], "falseg")

local pieces = {}
csv.write_jobs({ { arrival = 1, maps = 3, reduces = { 1, 2 }, name = 'a,"b"' } },
    function(text) pieces[#pieces + 1] = text end, "slotted")
check.equal("csv written", table.concat(pieces), 'arrival,maps,reduces,name\n1,3,1 2,"a,""b"""\n')

check.done()
