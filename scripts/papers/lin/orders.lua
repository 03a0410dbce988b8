-- Batches of jobs that both stations serve in one order, by the closed form of first come, first
-- served (TA10), and the best of all such orders. It shares no code with the engine, which runs
-- what it finds.

local M = {}

---Total response time and makespan of a batch in an order; every job has map work.
---@param jobs table[] { map =, shuffle = }
---@param order integer[]
---@return number total, number makespan
function M.serve(jobs, order)
    local mapped, shuffled, total, last = 0, 0, 0, 0
    for _, id in ipairs(order) do
        local job = jobs[id]
        mapped = mapped + job.map
        local finish = mapped
        if job.shuffle > 0 then
            shuffled = math.max(math.max(mapped - job.map, shuffled) + job.shuffle, mapped)
            finish = shuffled
        end
        total, last = total + finish, math.max(last, finish)
    end
    return total, last
end

-- Adds a way to have served a set of jobs: `shuffled` is when its last shuffle ends, `cost` so far.
-- Of two ways to serve the same set one that is no later and no dearer makes the other useless, as
-- all that follows ends no sooner behind the latter.
local function add_way(ways, way)
    for i = #ways, 1, -1 do
        local other = ways[i]
        if other.shuffled <= way.shuffled and other.cost <= way.cost then return end
        if way.shuffled <= other.shuffled and way.cost <= other.cost then table.remove(ways, i) end
    end
    ways[#ways + 1] = way
end

---The common order with the smallest total response time, or makespan: exact, set of jobs by set of
---jobs.
---@param jobs table[] { map =, shuffle = }, at most a dozen; every job has map work
---@param free integer how many of the jobs may stand anywhere; the others follow as they are
---@param of_makespan boolean|nil
---@return number cost, integer[] order
function M.best(jobs, free, of_makespan)
    local all = (1 << #jobs) - 1
    local ways, mapped = { [0] = { { shuffled = 0, cost = 0 } } }, { [0] = 0 }
    local function serve(set, id)
        local job, next_set = jobs[id], set | 1 << (id - 1)
        local before = mapped[set]
        local m = before + job.map
        mapped[next_set] = m
        ways[next_set] = ways[next_set] or {}
        for _, way in ipairs(ways[set]) do
            local shuffled, finish = way.shuffled, m
            if job.shuffle > 0 then
                shuffled = math.max(math.max(before, shuffled) + job.shuffle, m)
                finish = shuffled
            end
            add_way(ways[next_set], { shuffled = shuffled, id = id, behind = way,
                                      cost = of_makespan and math.max(way.cost, finish)
                                          or way.cost + finish })
        end
    end
    local free_set = (1 << free) - 1
    for set = 0, all - 1 do
        if ways[set] then
            if set & free_set == free_set then
                local id = free + 1
                while set & 1 << (id - 1) ~= 0 do id = id + 1 end
                serve(set, id)
            else
                for id = 1, free do
                    if set & 1 << (id - 1) == 0 then serve(set, id) end
                end
            end
        end
    end
    local best = ways[all][1]
    for _, way in ipairs(ways[all]) do
        if way.cost < best.cost then best = way end
    end
    local order, at = {}, best
    for position = #jobs, 1, -1 do order[position], at = at.id, at.behind end
    return best.cost, order
end

---Calls `visit` with every order of 1..n, the same table each time.
---@param n integer
---@param visit fun(order: integer[])
function M.every(n, visit)
    local order = {}
    for i = 1, n do order[i] = i end
    local function permute(k)
        if k > n then return visit(order) end
        for i = k, n do
            order[k], order[i] = order[i], order[k]
            permute(k + 1)
            order[k], order[i] = order[i], order[k]
        end
    end
    permute(1)
end

---Total response time of a batch on a single station, shortest first.
---@param sizes number[]
---@return number
function M.shortest_first(sizes)
    local sorted, at, total = table.move(sizes, 1, #sizes, 1, {}), 0, 0
    table.sort(sorted)
    for _, size in ipairs(sorted) do
        at = at + size
        total = total + at
    end
    return total
end

return M
