-- The replicas of all cells of a sweep, or of a comparison, which is a sweep of one cell. A cell's
-- plan is made when it is needed and let go of when all of its replicas are added, so that only
-- what cells show takes memory, however many there are.

local core = require "pinion.core"
local parallel = require "pinion.base.parallel"
local stored = require "pinion.run.stored"

local M = {}

---@class pinion.Grid
---@field cells integer
---@field plan fun(cell: integer): pinion.Plan
---@field settled fun(cell: integer, plan: pinion.Plan) called once for each cell that has replicas
---@field options pinion.PlanOptions
---@field label string what progress lines call it
---@field quiet boolean
---@field own_progress boolean|nil true: whoever made the grid shows how far it is
---@field policies integer that are compared
---@field runs_of fun(cell: integer): integer runs of a replica of the cell; nil: one of each policy
---@field replica integer the first one

-- ---- rounds -------------------------------------------------------------------------------------

---@class pinion.Round the same replicas of some cells; a task is one of them
---@field grid pinion.Grid
---@field chosen integer[]|nil cells; nil: all
---@field first integer replica
---@field count integer replicas of each cell
---@field tasks integer
---@field ran integer runs of this process, for a store
---@field plan_of fun(cell: integer): pinion.Plan
local Round = {}
Round.__index = Round

local function new_round(grid, plan_of, chosen, first, count)
    return setmetatable({
        grid = grid, plan_of = plan_of, chosen = chosen, first = first, count = count,
        tasks = (chosen and #chosen or grid.cells) * count, ran = 0,
    }, Round)
end

---@param task integer 1..tasks: cell by cell
---@return integer cell, integer replica
function Round:place(task)
    local at = (task - 1) // self.count + 1
    local replica = self.first + (task - 1) % self.count
    return self.chosen and self.chosen[at] or at, replica
end

---Returns what messages call a task.
---@return string
function Round:name(task)
    local cell, replica = self:place(task)
    return string.format("replica %d", replica)
        .. (self.grid.cells > 1 and string.format(" of cell %d", cell) or "")
end

---@return integer runs of all tasks
function Round:runs()
    local grid, runs = self.grid, 0
    if not grid.runs_of then return self.tasks * grid.policies end
    for at = 1, self.tasks // self.count do
        runs = runs + self.count * grid.runs_of(self.chosen and self.chosen[at] or at)
    end
    return runs
end

---Returns a progress line that counts runs: what is called after each.
function Round:progress()
    local grid, done = self.grid, 0
    local progress = core.progress(grid.label, grid.quiet or grid.own_progress)
    local runs = self:runs()
    return progress, function(part)
        done = done + (part and 1 or 0)
        progress:show(done, runs, "runs")
    end
end

-- ---- all of it ----------------------------------------------------------------------------------

-- Returns the plans that are being added to, and the one that was asked for last.
local function new_plans(grid)
    local open, last, last_cell = {}, nil, nil
    local plans = { open = open }
    function plans.get(cell)
        if open[cell] then return open[cell] end
        if last_cell ~= cell then last, last_cell = grid.plan(cell), cell end
        return last
    end
    function plans.add(cell, made)
        open[cell] = plans.get(cell)
        open[cell]:add(made)
    end
    function plans.settle(cell)
        grid.settled(cell, open[cell])
        open[cell], last, last_cell = nil, nil, nil
    end
    return plans
end

local function run_here(round, deliver)
    local progress <close>, tick = round:progress()
    return parallel.run(round.tasks, round.grid.options.processes or core.cores(), {
        run = function(task, ticked)
            local cell, replica = round:place(task)
            return round.plan_of(cell):run(replica, ticked)
        end,
        deliver = deliver, tick = tick,
        name = function(task) return round:name(task) end,
    })
end

-- Returns the cells whose intervals are not narrow enough yet.
local function wide_cells(plans, grid, half)
    local wide = {}
    for cell = 1, grid.cells do
        local plan = plans.open[cell]
        if plan and not plan:is_narrow(half.metric, half.ratio) then wide[#wide + 1] = cell end
    end
    return wide
end

-- Returns the next replicas: half as many as there are, at least those of the first round.
local function next_count(first, done, most)
    return math.min(math.max(first, (done + 1) // 2), most - done)
end

---Runs every replica of every cell, or takes it from the store, and adds it up. With `until_half`
---cells get more replicas, round by round, until each interval is that narrow.
---@param grid pinion.Grid
---@return boolean complete false when it was interrupted
function M.run(grid)
    local options = grid.options
    local plans, half, count = new_plans(grid), options.until_half, options.replicas
    local round = new_round(grid, plans.get, nil, grid.replica, count)
    while round do
        local function deliver(task, made)
            local cell = round:place(task)
            plans.add(cell, made)
            if not half and plans.open[cell].completed == count then plans.settle(cell) end
        end
        local complete = options.store and stored.run(round, deliver, options)
            or not options.store and run_here(round, deliver)
        local done = round.first + round.count
        local wide = half and complete and done < half.most and wide_cells(plans, grid, half) or {}
        local again = {}
        for _, cell in ipairs(wide) do again[cell] = true end
        for cell = 1, half and grid.cells or not complete and grid.cells or 0 do
            if plans.open[cell] and not again[cell] then plans.settle(cell) end
        end
        if not complete then return false end
        round = #wide > 0
            and new_round(grid, plans.get, wide, done, next_count(count, done, half.most)) or nil
    end
    return true
end

---Returns the replicas that are run in any case.
---@param grid pinion.Grid
---@return pinion.Round
function M.first_round(grid)
    return new_round(grid, new_plans(grid).get, nil, grid.replica, grid.options.replicas)
end

---Takes the replicas that are run in any case from the store, and runs what is missing.
---@param grid pinion.Grid
---@param deliver fun(task: integer, made: pinion.ReplicaMade)
---@return boolean complete false when it was interrupted
function M.gather(grid, deliver)
    return stored.run(M.first_round(grid), deliver, grid.options)
end

---Surveys what there is to do with a store.
---@param grid pinion.Grid
---@return pinion.Survey
function M.survey(grid)
    return stored.survey(M.first_round(grid), grid.options)
end

---Runs what is missing of a part, for others to gather.
---@param grid pinion.Grid
---@return boolean complete false when it was interrupted
function M.run_part(grid)
    return stored.run_part(M.first_round(grid), grid.options)
end

return M
