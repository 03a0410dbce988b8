-- What the whole program costs: readers of traces in MB/s, a sweep of many small cells, and a
-- cluster of ever more nodes, whose cost for a task should stay. "small" does little of each.

local cli = require "pinion.cli"
local pinion = require "pinion"

local SMALL = arg[1] == "small"
local base = os.tmpname()
local function clock(work, ...)
    local start = os.clock()
    work(...)
    return os.clock() - start
end

local function command(words)
    local status = cli.main(words)
    assert(not status or status == 0, table.concat(words, " "))
end

-- ---- readers ------------------------------------------------------------------------------------

local function write(name, lines)
    local file <close> = assert(io.open(name, "w"))
    return name, file:write(table.concat(lines)):seek()
end

local function swim(count)
    local lines = {}
    for i = 1, count do
        lines[i] = string.format("job%d\t%d\t%d\t%d\t%d\t%d\n", i, 3 * i, i > 1 and 3 or 0,
            i * 977 % 1000003 * 1024, i * 331 % 100003 * 1024, i * 13 % 10007 * 1024)
    end
    return lines
end

local function swf(count)
    local lines = { "; MaxProcs: 128\n" }
    for i = 1, count do
        lines[i + 1] = string.format("%d %d 0 %d %d -1 -1 %d %d -1 1 %d 1 1 1 1 -1 -1\n", i, 20 * i,
            1 + i * 977 % 5000, 1 + i % 64, 1 + i % 64, 6000, i % 50)
    end
    return lines
end

-- The jobs of the tests' history, again and again.
local function rumen(count)
    local file <close> = assert(io.open "tests/data/rumen.json")
    local text, lines = file:read "a", {}
    for i = 1, count do lines[i] = text end
    return lines
end

print "readers                      MB       s    MB/s"
for _, row in ipairs { { "swim", swim, 400000, ".tsv", "slotted" },
    { "swf", swf, 200000, ".swf", "cluster" }, { "rumen", rumen, 300, ".json", "cluster" } } do
    local kind, lines, count, ending, model = table.unpack(row)
    local name, size = write(base .. ending, lines(SMALL and count // 100 or count))
    local seconds = clock(command, { "workload", kind .. ":" .. name, "--model", model, "--format",
        "json", "--output", base .. ".out.json" })
    print(string.format("  %-20s %8.1f %7.2f %7.1f", kind, size / 1e6, seconds,
        size / 1e6 / seconds))
    os.remove(name)
end
os.remove(base .. ".out.json")

-- ---- small cells --------------------------------------------------------------------------------

local rates = {}
for i = 1, SMALL and 5 or 250 do rates[i] = string.format("%g", 0.5 + i / 500) end
local cells = 4 * #rates
local seconds = clock(command, { "sweep", "--workload", "zheng:0,slots=20", "--policies", "fifo",
    "--over", "machines=5,10,20,40", "--over", "workload.rate=" .. table.concat(rates, ","),
    "--bounds", "none", "--quiet", "--processes", "1", "--output", base .. ".out.json" })
print(string.format("\na sweep of %d small cells: %.2f s, %.2f ms a cell", cells, seconds,
    1000 * seconds / cells))
os.remove(base .. ".out.json")

-- ---- many nodes ---------------------------------------------------------------------------------

print "\nnodes of a cluster      tasks       s  us a task"
for _, nodes in ipairs(SMALL and { 100 } or { 1000, 10000, 100000 }) do
    local jobs, tasks = {}, 0
    for i = 1, 100 do
        jobs[i] = { submit = 1000 * i, maps = nodes // 10, map_ms = 30000 + 300 * (i % 7),
            reduces = 2, reduce_ms = 5000 }
        tasks = tasks + nodes // 10 + 2
    end
    local spent = clock(pinion.run, { model = "cluster", nodes = nodes .. "x2x1", policy = "fifo",
        workload = jobs, quiet = true })
    print(string.format("  %-15d %11d %7.2f %10.2f", nodes, tasks, spent, 1e6 * spent / tasks))
end
os.remove(base)
