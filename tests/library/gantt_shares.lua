-- Charts of shares: machines of the slotted and stations of the tandem model, and what has too many
-- bars: their areas are what the runs say. Parts of a log, groups, colours, titles, and two
-- schedules on one page.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local figure = require "figure"
local palette = require "pinion.output.palette"
local pinion = require "pinion"
local program = require "program"

local function drawn(name, ...)
    local output = program.file(name:gsub("%W", "-") .. ".svg")
    program.succeed(name, { "gantt", "--output", output, ... })
    local svg = check.read_file(output)
    figure.check_xml(name, svg)
    return svg
end

local function near(name, got, want, tolerance)
    check.is_true(string.format("%s: %s, expected %s", name, got, want),
        got and math.abs(got - want) <= (tolerance or 1e-3) * math.abs(want))
end

local function lines_of(path)
    local list = {}
    for line in io.lines(path) do list[#list + 1] = core.json_decode(line, path) end
    return list
end

-- ---- slotted ------------------------------------------------------------------------------------

local SLOTTED = { "--workload", "zheng:1,slots=40", "--set", "machines=50" }
local log = program.file "slotted.log"
program.succeed("slotted", program.joined({ "simulate", "--policy", "asrpt", "--set",
    "reduce=preemptive", "--log", log, "--quiet", "--no-jobs", "--format", "json" }, SLOTTED))
local svg = drawn("slotted", log, "--set", "reduce=preemptive", table.unpack(SLOTTED))
local work, kinds, slots = {}, { map = 0, reduce = 0 }, 0
for _, entry in ipairs(lines_of(log)) do
    for kind in pairs(kinds) do
        if entry[kind] then
            kinds[kind] = kinds[kind] + entry[kind]
            work[entry.job] = (work[entry.job] or 0) + entry[kind]
        end
    end
    slots = entry["end"] or slots
end
local areas, all = figure.shares(svg)
local panel = figure.panels(svg)[1]
local span = math.ceil(slots * 1.03)
local point = panel.width / span * panel.height / 50
near("machines in use", all / point, kinds.map + kinds.reduce)
local jobs = 0
for id, amount in pairs(work) do
    local own = (areas["J" .. id .. ", map"] or 0) + (areas["J" .. id .. ", reduce"] or 0)
    if own > 0 then
        jobs = jobs + 1
        near("job " .. id, own / point, amount, 0.01)
    end
end
check.equal("as many jobs as colours", jobs, #palette.LIGHT)
local largest = {}
for _, amount in pairs(work) do largest[#largest + 1] = amount end
table.sort(largest, function(a, b) return a > b end)
for id in svg:gmatch ">J(%d+)</text>" do
    check.is_true("J" .. id .. " is one of the largest",
        work[tonumber(id)] >= largest[#palette.LIGHT])
end
check.contains("the others are counted", svg, string.format(">%d other jobs</text>",
    #largest - #palette.LIGHT))

-- Tasks of a fixed length have rows: no two bars of a row overlap, and all of them are there.
local rows_svg = drawn("nonpreemptive", "--policy", "fifo", "--set", "reduce=nonpreemptive",
    table.unpack(SLOTTED))
local rectangles, total = {}, 0
for x, y, wide, high, title in rows_svg:gmatch
    '<rect x="([%d.]+)" y="([%d.]+)" width="([%d.]+)" height="([%d.]+)"[^>]*><title>([^<]+)<' do
    rectangles[#rectangles + 1] = { tonumber(x), tonumber(y), x + wide, y + high, title }
    total = total + wide * high
end
for i, a in ipairs(rectangles) do
    for j = i + 1, #rectangles do
        local b = rectangles[j]
        if math.min(a[3], b[3]) - math.max(a[1], b[1]) > 0.05
                and math.min(a[4], b[4]) - math.max(a[2], b[2]) > 0.05 then
            check.equal("bars do not overlap", a[5], b[5])
        end
    end
end
local result = pinion.run { policy = "fifo", reduce = "nonpreemptive", machines = 50,
    workload = "zheng:1,slots=40", quiet = true }
panel = figure.panels(rows_svg)[1]
near("bars are what the run does", total
    / (panel.width / math.ceil(result.slots * 1.03) * panel.height / 50), result.units_run)
check.contains("tasks of several slots are bars", rows_svg, " reduce task")

-- ---- tandem -------------------------------------------------------------------------------------

-- Figure 2 of Lin et al.: the shuffle of J2 goes on at rate 1/3 from 2.5 to 4.
local lin = drawn("figure 2 of Lin", "examples/figures/lin-2.json", "--policy", "fcfs")
local panels = figure.panels(lin)
local unit = panels[2].width / (6 * 1.03)
local function step_text(name)
    local texts = {}
    for path in lin:gmatch('<path class="share" [^>]*d="([^"]+)"><title>' .. name .. ": ") do
        local parts = {}
        for i, step in ipairs(figure.steps(path)) do
            parts[i] = string.format("%.3f:%.3f", (step[1] - 64) / unit,
                step[2] / panels[2].height)
        end
        texts[#texts + 1] = table.concat(parts, " ")
    end
    return table.concat(texts, " | ")
end
-- Areas lie over those below them: the shuffle of J2 begins with that of J1.
check.equal("J2 at both stations", step_text "J2",
    "0.000:1.000 4.000:0.000 6.000:0.000 | 0.000:1.000 2.500:0.333 4.000:0.000 6.000:0.000")
local _, station = figure.shares(lin)
near("all work at both stations", station / (unit * panels[2].height), 1 + 3 + 2 + 2 + 1 + 2)
local four = drawn("figure 4 of Lin", "examples/figures/lin-4.json", "--policy", "fcfs_ps")
_, station = figure.shares(four)
near("all work of figure 4", station / (766 / (28 * 1.03) * panels[2].height), 24 + 25)

-- Many steps are columns; their areas are exact, too.
result = pinion.run { model = "tandem", policy = "maxsrpt", workload = "lin,jobs=2000",
    quiet = true }
result:gantt(program.file "tandem.svg")
local stations = check.read_file(program.file "tandem.svg")
figure.check_xml("tandem", stations)
check.equal("the command draws the same", drawn("tandem command", "--workload", "lin,jobs=2000",
    "--policy", "maxsrpt"), stations)
local end_of_run = tonumber(stations:match 'class="small" text%-anchor="middle">([%d.]+)</text>')
_, station = figure.shares(stations)
near("work of a long run", station / (766 / (end_of_run * 1.03) * 170),
    result.map_busy + result.shuffle_busy)

-- ---- parts of a log -----------------------------------------------------------------------------

local cluster = program.file("cluster.json", [[{
    "model": "cluster", "policy": "fifo",
    "nodes": [{ "count": 2, "map_slots": 2, "reduce_slots": 1 },
              { "count": 1, "map_slots": 1, "reduce_slots": 0 }],
    "jobs": [{ "submit": 0, "maps": 6, "map_ms": 5000, "reduces": 2, "reduce_ms": 4000,
               "group": "<&\">" },
             { "submit": 100, "maps": 2, "map_ms": 500, "reduces": 1, "reduce_ms": 900,
               "group": "b" },
             { "submit": 200, "maps": 1, "map_ms": 700, "reduces": 0 }] }]])
local cluster_log = program.file "cluster.log"
program.succeed("cluster", { "simulate", cluster, "--log", cluster_log, "--quiet", "--format",
    "json" })
local function bars_of(picture)
    local list, seen = {}, {}
    for title in picture:gmatch "<rect[^>]*><title>([^<]+)<" do
        if not seen[title] then list[#list + 1], seen[title] = title, true end
    end
    return list, seen
end
local whole = bars_of(drawn("whole", cluster_log))
local only = bars_of(drawn("a job", cluster_log, "--job", "2"))
check.is_true("fewer bars", #only > 0 and #only < #whole)
for _, title in ipairs(only) do check.contains("of this job", title, "J2, ") end
check.equal("two jobs", #bars_of(drawn("jobs", cluster_log, "--job", "2,3")),
    #only + #bars_of(drawn("another job", cluster_log, "--job", "3")))
local node = drawn("a node", cluster_log, "--node", "2")
check.equal("a node without reduce slots has one panel", #figure.panels(node), 1)
check.contains("with its rows", node, ">1 map slot, 3 jobs, 3 nodes, drawn: only node 2</text>")
local of_nodes = 0
for id = 0, 2 do
    of_nodes = of_nodes + figure.count(drawn("node " .. id, cluster_log, "--node", tostring(id)),
        "<rect[^>]*><title>")
end
check.is_true("together the nodes have all bars", of_nodes >= #whole)
local stretch = drawn("a stretch", cluster_log, "--from", "5500", "--to", "9000")
check.contains("its words", stretch, "drawn: from 5.5 s to 9 s</text>")
check.contains("ticks within", stretch, ">6.0</text>")
for x, wide in stretch:gmatch '<rect x="([%d.]+)" y="[%d.]+" width="([%d.]+)"[^>]*><title>' do
    check.is_true("bars end at its edges", x - 64 > -1e-6 and x + wide <= 830.31)
end
for _, title in ipairs((bars_of(stretch))) do
    local from, to = title:match "(%d+) to (%d+) ms"
    check.is_true("bars that meet it: " .. title, tonumber(to) >= 5500 and tonumber(from) <= 9000)
end

-- Groups stand beside the workload; their names may be anything.
local grouped = drawn("groups", cluster, cluster_log)
check.contains("a group in the legend", grouped, ">&lt;&amp;&quot;&gt;</text>")
check.contains("jobs without a group", grouped, ">no group</text>")
local of_group = bars_of(drawn("a group", cluster, cluster_log, "--group", '<&">'))
check.is_true("bars of a group", #of_group > 0)
for _, title in ipairs(of_group) do check.contains("of its job", title, "J1, ") end
check.equal("a run draws what its log does", drawn("the run", cluster), grouped)
result = pinion.run { model = "cluster", policy = "fifo", nodes = "2x2x1", quiet = true,
    workload = { { submit = 0, maps = 2, map_ms = 10, group = "x" },
        { submit = 5, maps = 2, map_ms = 10, group = "y" } } }
result:gantt(program.file "result.svg", { group = "y", title = "T" })
for _, title in ipairs((bars_of(check.read_file(program.file "result.svg")))) do
    check.contains("of a group, from a script", title, "J2, ")
end

local SLOTTED_LOG = { log, "--set", "reduce=preemptive", table.unpack(SLOTTED) }
for _, mistake in ipairs {
    { { cluster_log, "--job", "x" }, "--job: must be an integer, got x" },
    { { cluster_log, "--job", "0" }, "gantt: job: must be an integer >= 1, got 0" },
    { { cluster_log, "--node", "3" }, "gantt: node: the log has no node 3" },
    { { cluster_log, "--from", "x" }, "--from: must be a number >= 0, got 'x'" },
    { { cluster_log, "--from", "7", "--to", "7" }, "gantt: to: must be later than 7, got 7" },
    { { cluster_log, "--group", "b" }, "gantt: group: the groups of the jobs are not known "
        .. "(expected a workload whose jobs have groups; a log does not name them)" },
    { { "--workload", "t1_like", "--policy", "fifo", "--group", "b" }, "gantt: group: the groups "
        .. "of the jobs are not known (expected a workload whose jobs have groups; a log does not "
        .. "name them)" },
    { program.joined(SLOTTED_LOG, { "--node", "1" }), "gantt: node: the log has no node 1" },
    { { cluster_log, "--job", "1,999" }, "gantt: job: the log has no work of job 999" },
    { { "--workload", "hsrtf", "--policy", "fifo", "--group", "nosuch" },
        "gantt: group: the log has no work of group nosuch" },
    { { cluster_log, cluster_log }, cluster_log .. ": expected one log" },
    { { cluster_log, "--policy", "fifo" },
        "--policy: cannot be given together with a log" },
} do
    program.fails(mistake[2], program.joined({ "gantt", "--output", program.file "no.svg" },
        mistake[1]), 2, "pinion: " .. mistake[2])
end
program.fails("a trace is of all", { "gantt", "--output", program.file "no.json", cluster_log,
    "--from", "5" }, 2, "pinion: gantt: from: has no effect in a trace (expected .svg)")

-- ---- traces of charts without rows --------------------------------------------------------------

-- What a trace says that jobs did, in units of the second that it shows for a unit of time.
local function traced(name, arguments)
    local output, work, threads = program.file(name .. ".json"), 0.0, {}
    program.succeed(name, program.joined({ "gantt", "--output", output }, arguments))
    for _, event in ipairs(core.json_decode(check.read_file(output), output).traceEvents) do
        if event.ph == "X" then
            work = work + event.args.amount * event.dur / 1e6
            check.equal(name .. ": a thread is a job's", event.tid, event.args.job)
        end
        threads[event.ph] = (threads[event.ph] or 0) + 1
    end
    check.is_true(name .. ": counts jobs and machines", threads.C > 2)
    return work
end

check.equal("the work of a slotted trace",
    traced("slotted", { "--workload", "zheng:0,slots=20", "--policy", "psrpt" }),
    pinion.run({ model = "slotted", machines = 100, policy = "psrpt", quiet = true,
        workload = "zheng:0,slots=20" }).units_run + 0.0)
local fluid = pinion.run { model = "tandem", policy = "klps", quiet = true,
    workload = "lin,jobs=20" }
local over_time = fluid:timeline(1)
local served = over_time.runs[1].series.map[1] + over_time.runs[1].series.shuffle[1]
check.is_true("the work of a tandem trace",
    math.abs(traced("tandem", { "--workload", "lin,jobs=20", "--policy", "klps" })
        - served * (over_time.to - over_time.from)) < 1e-6)

-- ---- very many bars -----------------------------------------------------------------------------

-- 40,000 attempts on 40 nodes, one of 1000 killed; and as many on one.
local function crowd(name, nodes)
    local lines = { string.format('{"pinion_log":1,"model":"cluster","policy":"fifo","params":{},'
        .. '"scenario":"0","nodes":[{"count":%d,"map_slots":1,"reduce_slots":0}]}', nodes) }
    for job = 1, 50 do
        lines[#lines + 1] = string.format('{"time":0,"event":"accept","job":%d}', job)
    end
    local killed = 0
    local function event(time, name_of_it, task, slot)
        lines[#lines + 1] = string.format('{"time":%d,"event":"%s","job":%d,"kind":"map",'
            .. '"task":%d,"node":%d,"attempt":0}', time, name_of_it, task % 50 + 1, task, slot)
    end
    for wave = 1, 40000 // nodes do
        for slot = 0, nodes - 1 do
            local task = wave * nodes + slot
            event(wave * 10, "launch", task, slot)
            if task % 1000 == 0 then killed = killed + 1 end
        end
        for slot = 0, nodes - 1 do
            local task = wave * nodes + slot
            event(wave * 10 + 10, task % 1000 == 0 and "kill" or "end", task, slot)
        end
    end
    lines[#lines + 1] = '{"end":0,"unfinished":50,"digest":"0000000000000000"}'
    return drawn(name, program.file(name .. ".log", table.concat(lines, "\n") .. "\n")), killed
end
for _, nodes in ipairs { 40, 16 } do
    local many, killed = crowd("many on " .. nodes, nodes)
    check.is_true(string.format("%d nodes: %d bytes", nodes, #many), #many < 750e3)
    check.equal("no bar for each of " .. nodes, figure.count(many, "<rect[^>]*><title>"), 0)
    check.contains("the kills are there", many, "<title>killed: " .. killed .. "<")
    check.contains("in a lane", many, ">killed</text>")
    local seen, fills = {}, 0
    for fill in many:gmatch '<path class="share" fill="(#%x+)"' do
        if not seen[fill] then fills, seen[fill] = fills + 1, true end
    end
    check.equal("a colour for the largest, and one for the others", fills, #palette.LIGHT + 1)
end

-- ---- colours ------------------------------------------------------------------------------------

-- As people without one kind of cones see them (Machado, Oliveira and Fernandes 2009), in linear
-- light; differences in L*a*b*.
local SIGHTS = {
    all = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
    protan = { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116,
        1.051998 },
    deutan = { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940,
        0.968881 },
    tritan = { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367,
        0.303900 },
}
local function seen_as(hex, sight)
    local light, made = {}, {}
    for i = 1, 3 do
        local value = tonumber(hex:sub(2 * i, 2 * i + 1), 16) / 255
        light[i] = value <= 0.04045 and value / 12.92 or ((value + 0.055) / 1.055) ^ 2.4
    end
    for i = 0, 2 do
        local sum = sight[3 * i + 1] * light[1] + sight[3 * i + 2] * light[2]
            + sight[3 * i + 3] * light[3]
        made[i + 1] = math.max(0, math.min(1, sum))
    end
    local function root(value)
        return value > 0.008856 and value ^ (1 / 3) or 7.787 * value + 16 / 116
    end
    local x = root((0.4124 * made[1] + 0.3576 * made[2] + 0.1805 * made[3]) / 0.95047)
    local y = root(0.2126 * made[1] + 0.7152 * made[2] + 0.0722 * made[3])
    local z = root((0.0193 * made[1] + 0.1192 * made[2] + 0.9505 * made[3]) / 1.08883)
    return { 116 * y - 16, 500 * (x - y), 200 * (y - z) }
end
for name, colours in pairs { light = program.joined(palette.LIGHT, { palette.OTHERS, "#f6f6f6" }),
    dark = program.joined(palette.DARK, { palette.OTHERS_DARK, "#1e1e1e" }) } do
    for kind, sight in pairs(SIGHTS) do
        for i = 1, #colours do
            for j = i + 1, #colours do
                local a, b = seen_as(colours[i], sight), seen_as(colours[j], sight)
                local far = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)
                check.is_true(string.format("%s, %s: %s and %s are %.1f apart", name, kind,
                    colours[i], colours[j], far), far >= 12)
            end
        end
    end
end

-- ---- titles -------------------------------------------------------------------------------------

local long = ("A title of many words that says <more> than there is room for, "):rep(6)
local titled = drawn("long title", cluster_log, "--title", long)
local first, second = titled:match(
    '<text x="64" y="24" class="title">([^<]+)<title>[^<]*</title></text>\n'
    .. '<text x="64" y="42" class="title">([^<]+)<title>')
check.is_true("a long title has two lines", first and second)
check.matches("and ends in an ellipsis", second or "", "…$")
check.contains("the whole of it is in its tool tip", titled, "<title>"
    .. long:gsub("<", "&lt;"):gsub(">", "&gt;"):gsub("^%s+", ""))
check.is_true("lines fit", #first < 110 and #second < 110)
check.contains("one word that is too long is cut", drawn("long word", cluster_log, "--title",
    ("x"):rep(400)), "x…<title>")

-- ---- two schedules ------------------------------------------------------------------------------

local function difference(name, ...)
    local output = program.file(name .. ".svg")
    program.succeed(name, { "diff", "--output", output, ... })
    local picture = check.read_file(output)
    figure.check_xml(name, picture)
    return picture
end
local FEW = program.file("few.json", [[{ "model": "slotted", "machines": 2, "reduce": "preemptive",
    "jobs": [{ "arrival": 1, "maps": 6, "reduces": [] }, { "arrival": 1, "maps": 2, "reduces": [] },
             { "arrival": 2, "maps": 1, "reduces": [] }] }]])
local both = difference("both", FEW, "--policies", "fifo,asrpt")
check.contains("who is first", both, ">first: fifo, mean flow time ")
check.contains("who is second", both, ">second: asrpt, mean flow time ")
check.contains("what it comes to", both, ">of 3 jobs, the second schedule finishes 2 earlier, "
    .. "1 later, 0 at the same time</text>")
panels = figure.panels(both)
check.equal("two schedules and the deltas", #panels, 3)
check.is_true("one above the other", panels[1].y + panels[1].height < panels[2].y
    and panels[2].y + panels[2].height < panels[3].y)
local points = {}
for x, y, title in both:gmatch '<circle cx="([%d.]+)" cy="([%d.]+)"[^>]*><title>([^<]+)<' do
    points[#points + 1] = { tonumber(x), tonumber(y), title }
end
check.equal("a point for each job", #points, 3)
check.contains("what it is", points[1][3], "J1: +")
check.contains("who gains", points[2][3], "J2: -")
check.is_true("later is higher, and larger further to the right", points[1][2] < points[2][2]
    and points[1][1] > points[2][1] and points[2][1] > points[3][1])
local made = pinion.run { policy = "fifo", machines = 2, reduce = "preemptive", quiet = true,
    workload = { { arrival = 1, maps = 6 }, { arrival = 1, maps = 2 }, { arrival = 2, maps = 1 } } }
    :diff(pinion.run { policy = "asrpt", machines = 2, reduce = "preemptive", quiet = true,
        workload = { { arrival = 1, maps = 6 }, { arrival = 1, maps = 2 },
            { arrival = 2, maps = 1 } } })
for i, job in ipairs(made.jobs) do
    check.contains("the delta of J" .. i, points[i][3], string.format("J%d: %s%d for work of %d", i,
        job.delta > 0 and "+" or "", job.delta, ({ 6, 2, 1 })[i]))
end
local cells, counted = difference("cells", "--workload", "lin,jobs=2000", "--policies",
    "fcfs,maxsrpt"), 0
for number in cells:gmatch 'class="cell"[^>]*><title>(%d+) jobs?<' do counted = counted + number end
check.equal("many jobs are counted in cells", counted, 2000)
check.equal("and are no points", figure.count(cells, "<circle"), 0)
program.fails("a format of a figure", { "diff", FEW, "--policies", "fifo,asrpt", "--output",
    program.file "x.svg", "--format", "json" }, 2, "pinion: --format: has no effect on a figure ("
    .. program.file "x.svg" .. ")")

-- ---- schematic figures of papers ----------------------------------------------------------------

-- What docs/papers.md says of them.
local FIGURES = "examples/figures/"
local function flow_time(file, policy, params)
    local output = program.succeed(file, program.joined({ "simulate", FIGURES .. file, "--policy",
        policy, "--quiet", "--format", "json" }, params or {}))
    return math.tointeger(output:match '"total_flow_time": (%d+)')
end
local HELD = FIGURES .. "held.lua"
check.equal("Figure 1(a): H + L + 2Q + 1", flow_time("zheng-1-case-1.json", HELD,
    { "--param", "h=3", "--param", "l=4" }), 3 + 4 + 2 * 3 + 1)
check.equal("Figure 1(b): 2Q + 2", flow_time("zheng-1-case-1.json", "fifo"), 2 * 3 + 2)
check.equal("Figure 1(c)", flow_time("zheng-1-case-2.json", "fifo"), 8 + 8 * 3)
check.equal("Figure 1(d): one more than Eq. 6 has", flow_time("zheng-1-case-2.json", HELD,
    { "--param", "l=8" }), 2 * 3 + (0 + 1 + 4 * 3 + 1) + 1)
local maps = {}
for _, policy in ipairs { "srpt", "dsrpt", "asrpt" } do
    local path, list = program.file(policy .. ".log"), {}
    program.succeed(policy, { "simulate", FIGURES .. "zheng-4.json", "--policy", policy, "--log",
        path, "--quiet", "--format", "json" })
    for _, entry in ipairs(lines_of(path)) do
        if entry.map then
            list[#list + 1] = string.format("%d:J%d %d", entry.slot, entry.job, entry.map)
        end
    end
    maps[policy] = table.concat(list, ", ")
    drawn("Figure 4, " .. policy, FIGURES .. "zheng-4.json", "--policy", policy)
end
check.equal("DSRPT maps as SRPT does", maps.dsrpt, maps.srpt)
check.is_true("ASRPT does not", maps.asrpt ~= maps.srpt)

check.done()
