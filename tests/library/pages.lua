-- Pages: what they hold is what the results hold, in all models; the same run gives the same bytes;
-- names are texts, whatever they look like; what cannot be shown. Browsers: tests/browser.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"
local program = require "program"
local text = require "pinion.base.text"

local directory = check.directory()
local html = directory .. "/page.html"

if core.asset "dygraphs.js" == "" then
    print "SKIPPED: this build has no dygraphs (Debian: libjs-dygraphs)"
    os.exit(77)
end

-- ---- reading a page -----------------------------------------------------------------------------

local VALUES = {}
for i = 1, 64 do
    VALUES[("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"):byte(i)] = i - 1
end

local function bytes_of(text)
    local made = {}
    for four in text:gmatch "...." do
        local bits = 0
        for i = 1, 4 do bits = bits << 6 | (VALUES[four:byte(i)] or 0) end
        local three = string.char(bits >> 16, bits >> 8 & 255, bits & 255)
        made[#made + 1] = three:sub(1, 3 - select(2, four:gsub("=", "")))
    end
    return table.concat(made)
end

-- A column as the scripts of the page read it.
local function list_of(column)
    local bytes, list, at, before = bytes_of(column.data), {}, 1, 0
    for i = 1, column.count do
        if column.type == "doubles" then
            list[i], at = string.unpack("<d", bytes, at)
        else
            local value, shift, byte = 0, 0, nil
            repeat
                byte, at = bytes:byte(at), at + 1
                value, shift = value | (byte & 127) << shift, shift + 7
            until byte < 128
            before = before + (value % 2 == 0 and value // 2 or -((value + 1) // 2))
            list[i] = before
        end
    end
    check.equal("a column ends with its last value", at, #bytes + 1)
    return list
end

local function data_of(path)
    local text = check.read_file(path)
    local data = text:match '<script type="application/json" id="data">(.-)</script>'
    return assert(core.json_decode(data, path)), text
end

local function section_of(data, kind, heading)
    for _, section in ipairs(data.sections) do
        if section.kind == kind and (not heading or section.heading == heading) then
            return section
        end
    end
end

-- ---- all models ---------------------------------------------------------------------------------

local RUNS = {
    { model = "slotted", machines = 6, policies = { "fifo", "psrpt", "fair" },
        workload = { "zheng:0,slots=40" } },
    { model = "tandem", policies = { "maxsrpt", "fcfs" }, workload = { "lin,jobs=60" } },
    { model = "makespan", map_slots = 30, reduce_slots = 20, level = "task",
        policies = { "uaas", "fifo" }, workload = { "rand_few" } },
    { model = "cluster", policies = { "fifo", "fair" }, workload = { "hsrtf" } },
    { model = "dag", resources = { "cpu", "memory" },
        nodes = { { count = 3, capacity = { 4000, 8192 } } }, policies = { "fifo", "drf" },
        workload = { "dag,jobs=20" } },
}

local function settings_of(run)
    local made = { quiet = true }
    for name, value in next, run do made[name] = value end
    made.workload = pinion.workload.spec(run.workload[1])
    return made
end

-- The jobs and phases that a page has of a run are those that the log explains.
local function check_run(name, drawn, result)
    local ids, counts = list_of(drawn.jobs.id), list_of(drawn.phases.count)
    local arrivals, finishes = list_of(drawn.jobs.arrival), list_of(drawn.jobs.finish)
    local words, starts = list_of(drawn.phases.word), list_of(drawn.phases.start)
    local lengths, at = list_of(drawn.phases.length), 0
    check.equal(name .. ": jobs", #ids, result.submitted)
    for i, id in ipairs(ids) do
        if i % 7 == 1 then
            local made, got, want = result:explain(id), {}, {}
            for k = 1, counts[i] do
                got[k] = string.format("%s %.9g %.9g", drawn.words[words[at + k] + 1].name,
                    starts[at + k], lengths[at + k])
            end
            for k, phase in ipairs(made.phases) do
                want[k] = string.format("%s %.9g %.9g", phase.phase, phase.start,
                    phase.finish - phase.start)
            end
            check.equal(string.format("%s: phases of job %d", name, id),
                table.concat(got, "; "), table.concat(want, "; "))
        end
        local sum = 0
        for k = 1, counts[i] do sum = sum + lengths[at + k] end
        check.is_true(name .. ": phases lie end to end",
            math.abs(sum - (finishes[i] - arrivals[i])) < 1e-6 * math.max(1, finishes[i]))
        at = at + counts[i]
    end
end

local function check_model(run)
    local name = run.model
    local comparison = pinion.compare(settings_of(run))
    check.is_true(name .. ": is written", comparison:page(html))
    local data, text = data_of(html)
    comparison:page(html)
    check.is_true(name .. ": the same run gives the same bytes", check.read_file(html) == text)
    check.matches(name .. ": its scripts and styles alone may run", text,
        "content=\"default%-src 'none'; script%-src 'sha256%-[^' ]+' 'sha256%-[^' ]+'; "
        .. "style%-src 'sha256%-[^' ]+'; base%-uri 'none'; form%-action 'none'\">\n")
    local rows = section_of(data, "table").rows
    for i, row in ipairs(rows) do
        check.equal(name .. ": a row for each policy", row[1], run.policies[i])
    end
    local schedule = section_of(data, "gantts")
    check.equal(name .. ": a schedule for each policy", #schedule.runs, #run.policies)
    for i, policy in ipairs(run.policies) do
        local one = settings_of(run)
        one.policies, one.policy = nil, policy
        check_run(name .. ", " .. policy, schedule.runs[i], pinion.run(one))
    end
    local curves = section_of(data, "charts", "Distributions").charts[1].chart.series
    for i, series in ipairs(curves) do
        local y = list_of(series.y)
        check.equal(name .. ": a distribution begins at 0 and ends at 1", y[1] .. " " .. y[#y],
            "0.0 1.0")
        check.equal(name .. ": of the policy", series.name, run.policies[i])
    end
    local points = section_of(data, "charts", "Size and slowdown").charts[1].chart.series
    check.equal(name .. ": a point for each job", points[1].x.count,
        comparison.rows[1].finished)
    local over_time = section_of(data, "charts", "Over time")
    check.is_true(name .. ": over time", over_time ~= nil)
    if name == "slotted" then
        local jobs = over_time.charts[1].chart.series[1]
        local times, width = list_of(jobs.x), nil
        width = times[2] - times[1]
        check.equal("stretches of whole slots", math.tointeger(width), width)
        for _, mean in ipairs(list_of(jobs.y)) do
            local sum = mean * width
            check.is_true("whole jobs in them", math.abs(sum - math.floor(sum + 0.5)) < 1e-9)
        end
    end
end

for _, run in ipairs(RUNS) do check_model(run) end

-- ---- a sweep ------------------------------------------------------------------------------------

local sweep = pinion.sweep { model = "slotted", workload = pinion.workload.spec "zheng:1,slots=30",
    policies = { "fifo", "srpt" }, over = { machines = { 10, 20 } }, replicas = 3, quiet = true }
sweep:page(html)
local swept = section_of(data_of(html), "charts", "Over the sweep").charts[1].chart.panels[1]
local x, y = list_of(swept.series[2].x), list_of(swept.series[2].y)
local low = list_of(swept.series[2].low)
local measure = sweep.rows[2].mean_flow_time
check.equal("over what varies", table.concat(x, " "), "10 20")
check.equal("the mean", y[1], measure)
check.equal("its interval", low[1], measure - sweep.rows[2].mean_flow_time_half)

check.equal("one setting makes no map", section_of(data_of(html), "maps"), nil)
check.equal("its question", data_of(html).question,
    "Which policy has the smallest mean flow time, over machines?")
check.equal("its answer: srpt ignores dependencies, and is no rival", data_of(html).answer,
    "fifo in 2 of 2 cells.")

-- A second setting makes panels with one axis, a third is chosen; a policy without the setting is
-- drawn everywhere, in one colour.
sweep = pinion.sweep { model = "slotted", workload = pinion.workload.spec "zheng:1,slots=30",
    policies = { "fifo", "policies/slotted/fair_starvation.lua" }, replicas = 3, quiet = true,
    over = { machines = { 10, 20 }, ["params.starvation"] = { 1, 2, 3 }, seed = { 4, 5 } } }
sweep:page(html)
local data = data_of(html)
local keys, panels = {}, nil
for _, entry in ipairs(section_of(data, "charts").charts) do
    if entry.key[1] == "mean flow time (slots)" then
        keys[#keys + 1] = table.concat(entry.key, ", ", 2)
        panels = panels or entry.chart.panels
    end
end
check.equal("over each setting, for each value of the third", table.concat(keys, "; "),
    "machines, seed 4; machines, seed 5; starvation, seed 4; starvation, seed 5; "
    .. "seed, starvation 1; seed, starvation 2; seed, starvation 3")
check.equal("a panel for each value of the second", panels[3].title, "starvation 3")
for _, panel in ipairs(panels) do
    check.equal("with all policies", #panel.series .. panel.series[1].name .. panel.series[2].look,
        "2fifo1")
    for k, value in ipairs(list_of(panel.series[1].y)) do
        check.equal("that without the setting is the same in each", value,
            list_of(panels[1].series[1].y)[k])
    end
end
local maps = section_of(data, "maps").charts
check.equal("a map of the first two settings", #maps[1].rows .. " x " .. #maps[1].columns, "3 x 2")
for _, row in ipairs(sweep.rows) do
    if row.policy ~= "fifo" and row.seed == 4 then
        for _, map in ipairs(maps) do
            if table.concat(map.key, ", ") == "mean flow time (slots), " .. row.policy
                .. ", seed 4" then
                check.equal("has the number of the row", map.texts[row.cell[2]][row.cell[1]],
                    text.real(row.mean_flow_time, 3))
            end
        end
    end
end

-- ---- what it says first -------------------------------------------------------------------------

local function page_of(settings)
    local comparison = pinion.compare(settings)
    comparison:page(html)
    return data_of(html), comparison
end
local made
data, made = page_of { machines = 40, workload = "facebook,jobs=60", quiet = true,
    policies = { "fifo", "lrpt", "psrpt" }, replicas = 4 }
local best = made.rows.psrpt
check.equal("its question", data.question, "Which policy has the smallest mean flow time?")
check.equal("the winner, and its paired difference", data.answer, string.format(
    "psrpt: %.2f ±%.2f slots, %.2f ±%.2f slots less than fifo (%.2f slots), a paired difference "
    .. "with its 95 %% interval%s.", best.mean_flow_time, best.mean_flow_time_half,
    -best.difference, best.difference_half, made.rows.fifo.mean_flow_time,
    best.significant and "" or "; the difference is not significant"))
local bars = section_of(data, "bars").charts[1]
for i, name in ipairs { "psrpt", "fifo", "lrpt" } do
    check.equal("bars from the best one on", bars.bars[i].name, name)
    check.equal("with the mean", bars.bars[i].value, made.rows[name].mean_flow_time)
end
check.equal("the same colour as in the curves", bars.bars[1].look,
    section_of(data, "charts").charts[1].chart.series[3].look)
local order = {}
for i, section in ipairs(data.sections) do order[i] = section.heading end
check.equal("the chart that answers, its table, other charts, other tables",
    table.concat(order, "; "), "Policies; Results; By group; Distributions; Results by group")
local map = section_of(data, "maps").charts[1]
check.equal("groups by policies", map.columns[3], "psrpt")
check.equal("with their means", map.texts[1][3], text.real(best.groups[1].flow_time.mean, 3))
data = page_of { model = "cluster", workload = "hsrtf", quiet = true,
    policies = { "fifo", "fair" } }
local units = {}
for _, row in ipairs(section_of(data, "table").rows) do
    for _, cell in ipairs(row) do
        local unit = cell:match "^[%d.]+ (%a+)$"
        if unit then units[unit] = true end
    end
end
check.equal("one unit of time in tables", next(units, next(units)) or next(units), "min")
check.equal("and in charts", section_of(data, "charts").charts[1].chart.x.label,
    "response time (min)")
check.equal("what its values are divided by", section_of(data, "charts").charts[1].chart.x.scale,
    60000.0)
check.equal("and in schedules", section_of(data, "gantts").runs[1].axis, "time (min)")
check.equal("series say what they are", section_of(data, "charts", "Over time").charts[3].key[1],
    "jobs that hold nothing")
data = page_of { machines = 40, workload = "facebook,jobs=60", quiet = true,
    policies = { "fifo" } }
check.equal("one policy is no question", data.question, nil)

-- ---- stored results -----------------------------------------------------------------------------

local WORKLOAD = { "--workload", "zheng:0,slots=40", "--set", "machines=6" }

local function make(command, ...)
    local arguments = { command, "--quiet", ... }
    table.move(WORKLOAD, 1, #WORKLOAD, #arguments + 1, arguments)
    program.succeed(command, arguments)
end

local stored, log = directory .. "/stored.json", directory .. "/fifo.log"
make("compare", "--policies", "fifo,srpt", "--jobs-detail", "--output", stored)
make("compare", "--policies", "fifo,srpt", "--output", html)
local direct = data_of(html)
program.succeed("report", { "report", stored, "--output", html })
local again = data_of(html)
for c, cell in ipairs(section_of(direct, "table").rows[2]) do
    check.equal("a stored row", section_of(again, "table").rows[2][c], cell)
end
check.equal("stored jobs have the same distribution",
    section_of(again, "charts").charts[1].chart.series[2].y.data,
    section_of(direct, "charts").charts[1].chart.series[2].y.data)
make("simulate", "--policy", "fifo", "--log", log, "--output", directory .. "/fifo.json")
make("simulate", "--policy", "srpt", "--output", directory .. "/srpt.json")
program.succeed("report of two results", { "report", directory .. "/fifo.json",
    directory .. "/srpt.json", "--output", html, "--title", "two" })
again = data_of(html)
check.equal("two results side by side", #section_of(again, "table").rows, 2)
check.equal("its title", again.title, "two")
program.succeed("report of a log", { "report", log, WORKLOAD[1], WORKLOAD[2], WORKLOAD[3],
    WORKLOAD[4], "--output", html })
check.equal("the schedule of a log",
    section_of(data_of(html), "gantts").runs[1].jobs.finish.data,
    section_of(direct, "gantts").runs[1].jobs.finish.data)

-- ---- names --------------------------------------------------------------------------------------

local HOSTILE = [[</script><img src=x onerror="alert(1)"> & 'q' <!-- ]] .. "\u{2028}"
local jobs = program.file("hostile.json", string.format([[{ "model": "slotted", "machines": 2,
    "jobs": [{ "arrival": 1, "maps": 2, "reduces": [1], "name": %s, "group": %s },
        { "arrival": 1, "maps": 1, "reduces": [] }] }]], core.json_quote(HOSTILE),
    core.json_quote(HOSTILE)))
program.succeed("hostile names", { "simulate", jobs, "--policy", "fifo", "--output", html })
local data, text = data_of(html)
check.equal("a name is a text", section_of(data, "gantts").runs[1].names[1], HOSTILE)
check.is_true("and no markup", not text:find("<img", 1, true))
program.succeed("a hostile title", { "report", stored, "--output", html, "--title", HOSTILE })
data, text = data_of(html)
check.equal("a title is a text", data.title, HOSTILE)
check.is_true("and no markup", not text:find("<img", 1, true))
check.contains("the policy of the page forbids all else", text, "default-src 'none'")
local _, scripts = text:gsub("<script", "")
check.equal("its data and two scripts", scripts, 3)

-- ---- what cannot be shown -----------------------------------------------------------------------

program.succeed("no job came", { "simulate", "--model", "tandem", "--workload", "lin,jobs=9",
    "--policy", "fcfs", "--until", "0.0001", "--quiet", "--output", html })
check.equal("a run in which no job came", section_of(data_of(html), "text").text,
    "fcfs: not drawn, as no job came.")
program.succeed("many jobs", { "simulate", "--workload", "zheng:0,slots=105000", "--policy", "fifo",
    "--quiet", "--output", html })
check.equal("a run of many jobs", section_of(data_of(html), "text").text,
    "fifo: not drawn, as it has more than 200000 jobs.")
program.succeed("late", { "simulate", program.file("late.json", '{ "model": "slotted", '
    .. '"machines": 1, "jobs": [{ "arrival": 9000000000000000, "maps": 1, "reduces": [] }] }'),
    "--policy", "fifo", "--until", "9000000000000000", "--quiet", "--output", html })
local late = section_of(data_of(html), "gantts").runs[1]
check.is_true("a chart has a width", late.to > late.from)
program.fails("no output", { "report", stored }, 2, "pinion: --output FILE.html is missing")
program.fails("no page", { "report", stored, "--output", "x.json" }, 2,
    "pinion: --output: x.json: a page is named .html")
program.fails("a scenario alone", { "report", jobs, "--output", html }, 2, "pinion: " .. jobs
    .. ": not a result (expected what simulate, compare or sweep wrote as .json; a scenario is "
    .. "used with logs of its runs)")
local torn = program.file("torn.json", '{ "model": "slotted", "digest": "1", "policy": "fifo" }')
program.fails("a torn result", { "report", torn, "--output", html }, 2, torn
    .. ": a result without its flow_time (expected what simulate, compare or sweep wrote as .json, "
    .. "or a decision log)")
for what, field in next, { ["a number"] = '"seed": {}', ["a row"] = '"jobs": [7]',
        ["a group"] = '"groups": [1]' } do
    torn = program.file("torn.json", '{ "model": "slotted", "digest": "1", "policy": "fifo", '
        .. '"flow_time": {}, "completion_time": {}, ' .. field .. " }")
    program.fails(what .. " that is none", { "report", torn, "--output", html }, 2, torn
        .. ": a field is not of the type that simulate, compare and sweep write there")
end
local asset = core.asset
core.asset = function() return "" end
check.equal("without dygraphs there are no pages", sweep:page(html), false)
core.asset = asset

check.done()
