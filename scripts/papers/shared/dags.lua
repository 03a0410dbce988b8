-- Jobs of stages that the papers on several resources share: chains of a map and some reduces, with
-- Poisson arrivals that keep the busiest resource at a load.

local M = {}

M.RESOURCES = { "cpu", "memory" }
M.NODES = { { count = 20, capacity = { 16000, 64000 } } }

-- Means of what is drawn: of each stage after the first there is one with this chance.
local MORE, SMALL, LARGE, LARGE_SHARE = 0.5, { 2, 20 }, { 100, 300 }, 0.1
local DURATION, CPU, MEMORY = { 5000, 20000 }, { 500, 3000 }, { 500, 12000 }

local function mean(range) return (range[1] + range[2]) / 2 end

-- Of one stage after the other, which have half as many tasks each.
local function mean_tasks()
    local first = (1 - LARGE_SHARE) * mean(SMALL) + LARGE_SHARE * mean(LARGE)
    local sum, part = 0.0, 1.0
    for _ = 1, 4 do
        sum, part = sum + part, part * MORE / 2
    end
    return first * sum
end

-- ms between arrivals.
local function gap(load)
    local capacity, work = M.NODES[1].capacity, mean_tasks() * mean(DURATION)
    return work * math.max(mean(CPU) / capacity[1], mean(MEMORY) / capacity[2])
        / M.NODES[1].count / load
end

local function stages_of(g)
    local large = g:chance(LARGE_SHARE)
    local range, stages = large and LARGE or SMALL, {}
    local tasks = g:random(range[1], range[2])
    repeat
        stages[#stages + 1] = { tasks = tasks, duration = g:random(DURATION[1], DURATION[2]),
            demand = { g:random(CPU[1], CPU[2]), g:random(MEMORY[1], MEMORY[2]) },
            parents = #stages > 0 and { #stages - 1 } or nil }
        tasks = math.max(1, tasks // 2)
    until #stages == 4 or not g:chance(MORE)
    return stages
end

---@param jobs integer
---@param load number
---@return table definition of a workload
function M.workload(jobs, load)
    return {
        name = "chains", model = "dag",
        generate = function(g)
            local time = 0.0
            for _ = 1, jobs do
                g:job { arrival = time // 1, stages = stages_of(g) }
                time = time + g:exponential(gap(load))
            end
        end,
    }
end

---What the workload is, for a page.
M.TEXT = string.format("jobs of 1 to 4 stages, one after the other, of %d to %d tasks, one job in "
    .. "ten of %d to %d, each next stage with half as many; tasks take %g to %g s, %g to %g CPUs "
    .. "and %g to %g GB, on %d nodes of %g CPUs and %g GB", SMALL[1], SMALL[2], LARGE[1], LARGE[2],
    DURATION[1] / 1000, DURATION[2] / 1000, CPU[1] / 1000, CPU[2] / 1000, MEMORY[1] / 1000,
    MEMORY[2] / 1000, M.NODES[1].count, M.NODES[1].capacity[1] / 1000,
    M.NODES[1].capacity[2] / 1000)

return M
