-- Pictures of jobs: every stage and every edge is drawn, boxes of a level do not overlap, the
-- critical path is the longest one, names of others do no harm, and what cannot be drawn is said.

package.path = "tests/support/?.lua;" .. package.path
local pinion = require "pinion"
local check = require "check"
local program = require "program"
local words = require "pinion.base.text"

local directory = program.directory
local file = directory .. "/job.svg"

local function drawn(work, options)
    pinion.graph(work, file, options)
    return check.read_file(file)
end

local function count(text, pattern)
    return select(2, text:gsub(pattern, ""))
end

-- Boxes of stages: their places, sizes, whether they are critical, and their tips.
local function boxes_of(text)
    local boxes = {}
    for tip, x, y, width, height, class in text:gmatch(
            '<title>(.-)</title>\n<rect x="(.-)" y="(.-)" width="(.-)" height="(.-)" rx="4" '
            .. 'class="(.-)"') do
        boxes[#boxes + 1] = { tip = tip, x = tonumber(x), y = tonumber(y),
            width = tonumber(width), height = tonumber(height),
            critical = class:find "critical" ~= nil }
    end
    return boxes
end

local function overlaps(a, b)
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height
        and b.y < a.y + a.height
end

-- How many of the boxes lie over another, or outside of the picture.
local function misplaced(text, boxes)
    local wide, high = text:match 'width="([%d.]+)" height="([%d.]+)" viewBox'
    local found = 0
    for i, box in ipairs(boxes) do
        for k = i + 1, #boxes do found = found + (overlaps(box, boxes[k]) and 1 or 0) end
        if box.x < 0 or box.y < 0 or box.x + box.width > tonumber(wide)
                or box.y + box.height > tonumber(high) then
            found = found + 1
        end
    end
    return found
end

-- ---- one job, by hand ---------------------------------------------------------------------------

local JOBS = { { arrival = 0, name = "a <b> & c", stages = {
    { tasks = 1, duration = 100, demand = { 1 }, name = "read" },
    { tasks = 50, duration = 10, demand = { 1 }, parents = { 0 } },
    { durations = { 5, 20 }, demand = { 2 }, parents = { 0 }, name = '"quoted" <name>' },
    { tasks = 8, duration = 1, demand = { 1 }, parents = { 1, 2 } },
} }, { arrival = 5, stages = { { tasks = 1, duration = 0, demand = { 1 } } } } }
local text = drawn(pinion.workload.jobs(JOBS))
local boxes = boxes_of(text)
check.equal("a box for each stage", #boxes, 4)
check.equal("a line for each edge", count(text, 'edge" d="'), 4)
check.equal("those of the critical path", count(text, '"critical edge"'), 2)
check.contains("a title", text, ">a &lt;b&gt; &amp; c, job 1</text>")
check.contains("what it is", text,
    "4 stages, 4 edges, 61 tasks, work 633 ms, critical path 121 ms through 3 stages")
local QUOTED = "&quot;quoted&quot; &lt;name&gt;"
check.contains("names", text, QUOTED .. ": 2 tasks, at most 20 ms; each holds 2")
local by_tip, critical = {}, {}
for _, box in ipairs(boxes) do
    by_tip[box.tip:match "^[^:]*"] = box
    if box.critical then critical[#critical + 1] = box.tip:match "^[^:]*" end
end
table.sort(critical)
check.equal("the longest path", table.concat(critical, " "), QUOTED .. " S3 read")
check.is_true("wider with more tasks", by_tip["S1"].width > by_tip["S3"].width)
check.is_true("wider than with one", by_tip["S3"].width > by_tip["read"].width)
check.is_true("children below", by_tip["S3"].y > by_tip["S1"].y)
check.is_true("and theirs", by_tip["S1"].y > by_tip["read"].y)
check.equal("beside each other", by_tip["S1"].y, by_tip[QUOTED].y)
check.contains("another job", drawn(pinion.workload.jobs(JOBS), { job = 2 }), ">job 2</text>")
check.contains("a title of one's own", drawn(pinion.workload.jobs(JOBS), { title = "mine" }),
    ">mine</text>")

-- ---- random jobs --------------------------------------------------------------------------------
-- The critical path against the longest one over all stages, as the description has it.

local seed = math.tointeger(tonumber(os.getenv "PINION_TEST_SEED" or os.time()))
print(string.format("seed %d (PINION_TEST_SEED=%d repeats the jobs)", seed, seed))
for _, size in ipairs { 2, 10, 60, 200 } do
    for _, shape in ipairs { "layered", "fork-join", "chains", "series-parallel" } do
        local work = pinion.workload.dag { shape = shape, jobs = 1, seed = seed,
            depth = math.ceil(size ^ 0.5), width = "uniform(1," .. math.ceil(size ^ 0.5) .. ")",
            stages = size }
        local name = shape .. " of " .. size
        local totals = work:open({}).core:totals()
        local svg = drawn(work)
        local stages = boxes_of(svg)
        check.equal(name .. ": boxes", #stages + 0.0, totals.stages.sum)
        check.equal(name .. ": edges", count(svg, 'edge" d="'), totals.parents)
        check.equal(name .. ": boxes in their places", misplaced(svg, stages), 0)
        local on_path = 0
        for _, box in ipairs(stages) do on_path = on_path + (box.critical and 1 or 0) end
        check.equal(name .. ": edges of the critical path", count(svg, '"critical edge"'),
            on_path - 1)
        check.contains(name .. ": the critical path", svg, "critical path "
            .. words.duration(math.tointeger(totals.critical_path.sum)))
    end
end

-- The widest strip without a box from one side of a picture to the other.
local function widest_strip(found, from, size)
    local reached, widest = nil, 0
    table.sort(found, function(a, b) return a[from] < b[from] end)
    for _, box in ipairs(found) do
        widest = math.max(widest, box[from] - (reached or box[from]))
        reached = math.max(reached or 0, box[from] + box[size])
    end
    return widest
end

-- Parts that nothing joins stand beside each other: a stage alone, ahead of a job's others.
local function with_one_alone(job)
    for _, stage in ipairs(job.stages) do
        for k, parent in ipairs(stage.parents or {}) do stage.parents[k] = parent + 1 end
    end
    table.insert(job.stages, 1, { tasks = 1, duration = 1, demand = { 1, 1 } })
    return job
end

for _, of in ipairs { 1, 4, 11, seed } do
    local job = with_one_alone(pinion.workload.dag { shape = "series-parallel", jobs = 1,
        seed = of, stages = 80 }:jobs()[1])
    boxes = boxes_of(drawn(pinion.workload.jobs { job }))
    check.equal("all stages of job " .. of, #boxes, 81)
    check.is_true("no wide strip of job " .. of .. " is empty",
        widest_strip(boxes, "x", "width") <= 140 and widest_strip(boxes, "y", "height") <= 140)
end

-- ---- the command line ---------------------------------------------------------------------------

program.succeed("a picture", { "workload", "dag:chains,jobs=5", "--plot", file, "--job", "5",
    "--output", directory .. "/description.txt" })
check.contains("it is drawn", check.read_file(file), ">job 5</text>")
check.contains("and described", check.read_file(directory .. "/description.txt"),
    "stages of all jobs")

local function refused(name, arguments, wanted)
    local _, message, code = program.run(arguments)
    check.contains(name, message, wanted)
    check.equal("exit code of " .. name, code, 2)
end

refused("a job that is not there", { "workload", "dag,jobs=5", "--plot", file, "--job", "6" },
    "graph: job: must be at most 5, as there are no more jobs, got 6")
refused("another model", { "workload", "zheng:0", "--plot", file },
    "--plot: draws the stages of a job, and jobs of the slotted model have none")
refused("another format", { "workload", "dag", "--plot", directory .. "/job.png" },
    "--plot: file name must end in .svg")
refused("no file", { "workload", "dag", "--job", "1" }, "--job: needs --plot")
refused("no workload", { "workload", "--plot", file }, "--plot: name a workload first")

local function bad(name, wanted, ...)
    check.raises(name, wanted, pinion.graph, ...)
end

local work = pinion.workload.jobs(JOBS)
bad("no description", "graph: expected a workload, got 'dag'", "dag", file)
bad("no name", "graph: file name must be a string, got nothing", work)
bad("a name of another kind", "graph: file name must end in .svg, got 'job.png'", work, "job.png")
bad("an unknown option", "graph: jobs: unknown option (did you mean 'job'?)", work, file,
    { jobs = 1 })
bad("job 0", "graph: job: must be an integer >= 1, got 0", work, file, { job = 0 })
bad("jobs without stages", "graph: jobs of the tandem model have no stages to draw",
    pinion.workload.lin { jobs = 3 }, file)
bad("too many stages", "graph: job 1 has 2001 stages (expected at most 2000 to be drawn)",
    pinion.workload.dag { shape = "chains", depth = 2001, width = 1, jobs = 1 }, file)
bad("a circle", "graph: stages of job 1 wait for each other in a circle",
    pinion.workload.jobs { { arrival = 0, stages = {
        { tasks = 1, duration = 1, demand = { 1 }, parents = { 1 } },
        { tasks = 1, duration = 1, demand = { 1 }, parents = { 0 } } } } }, file)

check.done()
