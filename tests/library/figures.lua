-- Figures: labels keep out of each other's way, bars are sorted and broken, every further setting
-- of a sweep is a panel, heat maps have the rows' numbers, times have a unit that can be read.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local frame = require "pinion.output.plot_frame"
local figures = require "pinion.output.plot_figures"
local pinion = require "pinion"
local program = require "program"
local units = require "pinion.output.units"

-- ---- places of labels ---------------------------------------------------------------------------

local seed = os.time()
math.randomseed(seed)
print("figures: seed " .. seed)
for _ = 1, 300 do
    local count, wishes, sizes, sum = math.random(12), {}, {}, 0
    for i = 1, count do
        wishes[i], sizes[i] = math.random(-20, 420), math.random(5, 30)
        sum = sum + sizes[i]
    end
    local order, places = {}, frame.spread(wishes, sizes, 0, 400)
    for i = 1, count do order[i] = i end
    table.sort(order, function(a, b) return places[a] < places[b] end)
    local edge, is_free = 0, true
    for k, i in ipairs(order) do
        check.is_true("labels do not overlap", places[i] - sizes[i] / 2 >= edge - 1e-9)
        check.is_true("they keep their order", k == 1 or wishes[order[k - 1]] <= wishes[i])
        edge = places[i] + sizes[i] / 2
        is_free = is_free and places[i] == wishes[i]
    end
    check.is_true("and lie inside", sum > 400 or edge <= 400 + 1e-9)
    local alone = true
    for k, i in ipairs(order) do
        local before = order[k - 1]
        alone = alone and wishes[i] - sizes[i] / 2 >= 0 and wishes[i] + sizes[i] / 2 <= 400
            and (not before or wishes[i] - wishes[before] >= (sizes[i] + sizes[before]) / 2)
    end
    check.equal("a label moves only where it must", is_free, alone)
end

-- ---- units --------------------------------------------------------------------------------------

for _, case in ipairs {
    { "response time (ms)", 900, "response time (ms)", 1 },
    { "response time (ms)", 90e3, "response time (s)", 1000 },
    { "response time (ms)", 400e3, "response time (min)", 60e3 },
    { "slowdown (permille)", 5000, "slowdown", 1000 },
    { "flow time (slots)", 1e9, "flow time (slots)", 1 }, { "makespan", 5, "makespan", 1 },
} do
    local label, size = units.axis(case[1], case[2])
    check.equal("unit of " .. case[1], label, case[3])
    check.equal("what it divides by", size, case[4])
end

-- ---- bars ---------------------------------------------------------------------------------------

local function rows_of(data)
    local rows = {}
    for line in data:gmatch "[^\n]+" do
        local cells = {}
        for cell in (line .. "\t"):gmatch "(.-)\t" do cells[#cells + 1] = cell end
        rows[#rows + 1] = cells
    end
    return rows
end

local made = figures.bars({ { title = "a", value = 3.0, half = 0.25 },
    { title = "b", value = 50.0 }, { title = "c" }, { title = "d", value = 2.0 } }, "x")
local rows = rows_of(made.data)
check.equal("a bar without a value is left out", #rows, 3)
local said = {}
for i, row in ipairs(rows) do said[i] = row[7] .. " " .. row[2] .. " " .. row[5] end
check.equal("the shortest first, its number at its end; one that would crush the others is broken",
    table.concat(said, ", "), "d 2.0 2, a 3.0 3 ±0.25, b 4.0625 50")
check.contains("the break is drawn", made.script, "set label '//' at 3.859375,3")
check.equal("a colour goes with the policy, not with the place", tonumber(rows[3][4]),
    tonumber("D55E00", 16))
made = figures.bars({ { title = "a", value = 3.0 }, { title = "b", value = 5.0 } }, "x")
check.equal("others are whole", made.script:find "//", nil)

-- ---- sweeps -------------------------------------------------------------------------------------

local STARVATION = "policies/slotted/fair_starvation.lua"
local swept = pinion.sweep { machines = 40, workload = "zheng:0,slots=40",
    policies = { "fifo", STARVATION }, replicas = 3, quiet = true,
    over = { machines = { 40, 50, 60 }, ["params.starvation"] = { 0.5, 2 },
        reduce = { "preemptive", "nonpreemptive" } } }
local function drawn(options)
    local path = program.file "figure.svg"
    swept:plot(path, options)
    return check.read_file(program.file "figure.gp"), check.read_file(program.file "figure.dat")
end

local script, data = drawn { of = "p99" }
local panels = {}
for title in script:gmatch "\nset title '([^\n]+)'" do panels[#panels + 1] = title end
check.equal("a panel for each cell of the other settings", table.concat(panels, "; "),
    "starvation 0.5, reduces preemptive; starvation 0.5, reduces nonpreemptive; "
    .. "starvation 2, reduces preemptive; starvation 2, reduces nonpreemptive")
local _, curves = data:gsub("# ", "")
check.equal("both policies in each, also the one without the setting", curves, 8)
local ranges = {}
for range in script:gmatch "set yrange %[([^\n]+)%]" do ranges[range] = true end
check.equal("with one axis", next(ranges, next(ranges)), nil)
script = drawn { where = { reduce = "preemptive", ["params.starvation"] = 2 } }
check.equal("what was chosen needs no panels", script:find "multiplot", nil)
local top = 0
for _, row in ipairs(swept.rows) do
    top = math.max(top, row.mean_flow_time + row.mean_flow_time_half)
end
script = drawn {}
check.is_true("intervals are inside the frame",
    tonumber(script:match "set yrange %[[^:]+:([^%]]+)%]") > top)

script, data = drawn { kind = "heat", where = { reduce = "preemptive" }, title = "Times" }
check.contains("a heat map says what its numbers are", script, "'Times: mean flow time (slots)'")
local cells = rows_of(data)
check.equal("a cell for each policy and pair of values", #cells, 12)
for _, row in ipairs(swept.rows) do
    if row.reduce == "preemptive" and row.policy == "fifo" then
        local found = 0
        for k = 1, 6 do
            found = found + (tonumber(cells[k][1]) == row.cell[1]
                and math.abs(tonumber(cells[k][4]) / row.mean_flow_time - 1) < 0.006 and 1 or 0)
        end
        check.equal("a policy without the setting is the same everywhere", found, 2)
    end
end

local many = {}
for i = 1, 13 do many[i] = STARVATION .. ":as=v" .. i end
program.fails("too many maps, before any run", { "sweep", "--workload", "zheng:0,slots=9", "--over",
    "machines=30,40", "--over", "params.starvation=1,2", "--policies", table.concat(many, ","),
    "--plot", program.file "many.svg", "--kind", "heat" }, 2,
    "pinion: plot: 13 panels are too many for a figure (at most 12): let less vary, or choose "
    .. "values with where in a script")
check.raises("one setting is no map", "plot: kind heat needs two settings that vary, got one",
    drawn, { kind = "heat", where = { reduce = "preemptive", ["params.starvation"] = 2 } })
check.raises("what lines have", "plot: log_x and log_y have no effect with kind heat", drawn,
    { kind = "heat", log_x = true })
program.fails("too many panels", { "sweep", "--workload", "zheng:0,slots=9", "--over",
    "machines=30,40", "--over", "params.starvation=2..15", "--policies", STARVATION, "--plot",
    program.file "many.svg" }, 2,
    "pinion: plot: 14 panels are too many for a figure (at most 12): let less vary, or choose "
    .. "values with where in a script")

check.done()
