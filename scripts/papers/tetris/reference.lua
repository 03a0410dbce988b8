-- What the paper on Tetris says of its motivating example, as far as it is numbers.

local MAP, REDUCE = 1000, 1000 -- ms: both phases of every job take a unit of time

local function job(name, tasks, demand)
    return { arrival = 0, name = name, stages = {
        { tasks = tasks, duration = MAP, demand = demand },
        { tasks = 3, duration = REDUCE, demand = { 0, 0, 1 }, parents = { 0 } },
    } }
end

return {
    unit = MAP,
    resources = { "cpu", "memory", "net" },
    nodes = { { count = 1, capacity = { 18, 36, 3 } } },
    jobs = { job("A", 18, { 1, 2, 0 }), job("B", 6, { 3, 1, 0 }), job("C", 6, { 3, 1, 0 }) },
    -- Units of time in which A, B and C finish.
    drf = { 6, 6, 6 }, packing = { 4, 2, 3 },
    -- Changes of the mean completion time and of the makespan, %.
    mean = -50, makespan = -33,
}
