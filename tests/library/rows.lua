-- Rows of jobs: a row has the same values by name, by place and as csv, in every model, whether its
-- job has finished or not; and statistics of samples, of which there may be none.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local pinion = require "pinion"

local THIRDS <const> = [[
return { name = "thirds", model = "makespan", ticks = 3, generate = function(g)
    for i = 1, 5 do g:job { maps = { i / 3, 2 }, reduces = { i / 3 } } end
end }
]]
local RUNS <const> = {
    slotted = { workload = "zheng,slots=50", machines = 3, policy = "fifo", until_slot = 20 },
    tandem = { workload = "lin,jobs=30,load=0.9", policy = "fcfs", until_time = 9 },
    makespan = { workload = pinion.workload.script(THIRDS), map_slots = 2, reduce_slots = 1,
        policy = "fifo", until_time = 4 },
    cluster = { workload = "hsrtf", model = "cluster", policy = "fifo", until_time = 600000 },
    dag = { workload = "dag", model = "dag", policy = "fifo", until_time = 20000 },
}

-- ---- rows ---------------------------------------------------------------------------------------

local function text_of(value)
    if value == nil then return "" end
    return math.type(value) == "float" and core.float_text(value) or tostring(value)
end

for model, options in next, RUNS do
    options.quiet = true
    local rows = pinion.run(options).rows
    local names, unfinished, finishes = rows:columns(), 0, {}
    for i = 1, #rows do
        local row, texts = rows[i], {}
        local values = table.pack(rows:unpack(i))
        local name = string.format("row %d of %s", i, model)
        for k, column in ipairs(names) do
            texts[k] = text_of(row[column])
            check.equal(name .. ": " .. column, values[k], row[column])
        end
        check.equal(name .. " as csv", rows:csv(i), table.concat(texts, ","))
        unfinished = unfinished + (row.finish == nil and 1 or 0)
        finishes[#finishes + 1] = row.finish
    end
    check.is_true("unfinished jobs of " .. model, unfinished > 0 and unfinished < #rows)
    for _, at in ipairs { 0, -1, #rows + 1 } do
        check.equal("row " .. at .. " of " .. model, rows[at], nil)
        check.raises("csv of row " .. at, "no job of this number", rows.csv, rows, at)
    end
    -- The nearest rank; a share that rounding alone lifts over one stays there.
    table.sort(finishes)
    local n = #finishes
    for _, q in ipairs { 0, 1e-9, 0.25, 0.5, 0.999, 1 } do
        check.equal(string.format("quantile %s of %s", q, model), rows:quantile(q, "finish"),
            finishes[math.max(1, math.ceil(q * n - 1e-9))])
    end
    for step = 0, n > 1 and 200 or 0 do
        local rank = rows:quantile((1 + step * 1e-16) / n, "finish") == finishes[1] and 1 or 2
        check.is_true(string.format("rank %d of %s at %d", rank, model, step),
            rank == 1 and step <= 102 or rank == 2 and step >= 98)
    end
end

-- Each column has quantiles of its own, in whatever order they are asked for; one that no row has a
-- value in has none.
for model, options in next, RUNS do
    local rows = pinion.run(options).rows
    local names, medians = rows:columns(), {}
    for _, name in ipairs(names) do medians[name] = rows:quantile(0.5, name) end
    for i = #names, 1, -1 do
        check.equal(string.format("%s of %s again", names[i], model), rows:quantile(0.5, names[i]),
            medians[names[i]])
    end
end
check.equal("a quantile of nothing", pinion.run(RUNS.cluster).rows:quantile(0.5, "estimate"), nil)

-- ---- statistics ---------------------------------------------------------------------------------

-- Without rows: of no job at all, and of some.
local function stats_of(until_slot)
    return pinion.run { workload = "zheng,slots=50", machines = 3, policy = "fifo", quiet = true,
        until_slot = until_slot, keep_jobs = false }.stats.flow_time
end
local none = stats_of(1)
for name, want in next, { count = 0, mean = 0.0, variance = 0.0, min = 0, max = 0 } do
    check.equal(name .. " of nothing", none[name](none), want)
end
check.equal("a quantile of nothing", none:quantile(0.5), 0)
check.equal("counts of nothing", next(none:counts()), nil)
local some, sum = stats_of(1000), 0
for _, count in next, some:counts() do sum = sum + count end
check.equal("the counts add up", sum, some:count())
for _, q in ipairs { -0.5, 1.5, 0 / 0 } do
    check.raises("a share of " .. q, "must be in 0..1", some.quantile, some, q)
end

check.done()
