-- Table 2 of the paper on DRF: which properties policies have, tried on random instances. A
-- property that fails once does not hold; one that never fails is not proved by that, and the
-- table says on how many instances.

local papers = require "shared.papers"
local reference = require "drf.reference"
local runs = require "drf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Table 2: properties of allocations, on random instances"
local POLICIES = { "drf", "asset", "fair", "fifo" }
local PART = 20 -- instances that one task of a worker tries

-- Tasks are whole and the last ones may not fit: an allocation may be off by this share of the
-- tasks, and by one task.
local SLACK = 0.1

local function far_below(tasks, others)
    return tasks < (1 - SLACK) * others - 1
end

-- ---- instances ----------------------------------------------------------------------------------

---@class pinion.DrfInstance
---@field capacity integer[]
---@field demands integer[][] by user

local function instance_of(seed, number)
    local draw = papers.draws(seed, number)
    local users, resources = draw(2, 5), draw(2, 3)
    local it = { capacity = {}, demands = {} }
    for r = 1, resources do it.capacity[r] = draw(400, 2000) end
    for i = 1, users do
        it.demands[i] = {}
        for r = 1, resources do it.demands[i][r] = draw(1, 9) end
    end
    return it
end

local function copy(list)
    return table.move(list, 1, #list, 1, {})
end

-- The instance without a user, with another demand of a user, or with other amounts.
local function without(it, user)
    local demands = copy(it.demands)
    table.remove(demands, user)
    return { capacity = it.capacity, demands = demands }
end

local function claiming(it, user, demand)
    local demands = copy(it.demands)
    demands[user] = demand
    return { capacity = it.capacity, demands = demands }
end

local function held(it, tasks, user)
    local amounts = {}
    for r = 1, #it.capacity do amounts[r] = tasks[user] * it.demands[user][r] end
    return amounts
end

-- ---- what may fail ------------------------------------------------------------------------------

-- Each says whether the policy's allocation of the instance violates the property.
local VIOLATED = {}

function VIOLATED.sharing_incentive(_, it, tasks)
    local part = {}
    for r, amount in ipairs(it.capacity) do part[r] = amount / #it.demands end
    for i, demand in ipairs(it.demands) do
        if far_below(tasks[i], runs.fit(part, demand)) then return true end
    end
    return false
end

function VIOLATED.envy_freeness(_, it, tasks)
    for i, demand in ipairs(it.demands) do
        for other = 1, #it.demands do
            if far_below(tasks[i], runs.fit(held(it, tasks, other), demand)) then return true end
        end
    end
    return false
end

-- A user that asks for half as much again of one resource, or of all but that one.
function VIOLATED.strategy_proofness(policy, it, tasks)
    local user = 1
    for lie = 1, 2 * #it.capacity do
        local demand = {}
        for r, amount in ipairs(it.demands[user]) do
            local more = (r == (lie + 1) // 2) == (lie % 2 == 1)
            demand[r] = more and amount + (amount + 1) // 2 or amount
        end
        local lied = claiming(it, user, demand)
        local got = runs.allocate(policy, lied.capacity, lied.demands)
        local useful = runs.fit(held(lied, got, user), it.demands[user])
        if far_below(tasks[user], useful) then return true end
    end
    return false
end

function VIOLATED.pareto_efficiency(_, it, tasks)
    local free = copy(it.capacity)
    for i, demand in ipairs(it.demands) do
        for r = 1, #free do free[r] = free[r] - tasks[i] * demand[r] end
    end
    for _, demand in ipairs(it.demands) do
        if runs.fit(free, demand) >= 1 then return true end
    end
    return false
end

-- With one resource all users hold the same amount of it.
function VIOLATED.single_resource_fairness(policy, it)
    local capacity, demands = { it.capacity[1] }, {}
    for i, demand in ipairs(it.demands) do demands[i] = { demand[1] } end
    local tasks = runs.allocate(policy, capacity, demands)
    for i, demand in ipairs(demands) do
        if far_below(tasks[i], capacity[1] / #demands / demand[1]) then return true end
    end
    return false
end

-- Where all need one resource most, they share that one equally.
function VIOLATED.bottleneck_fairness(policy, it)
    local capacity, demands = {}, {}
    for r = 1, #it.capacity do capacity[r] = it.capacity[1] end
    for i, demand in ipairs(it.demands) do
        demands[i] = copy(demand)
        table.sort(demands[i], function(a, b) return a > b end)
    end
    local tasks = runs.allocate(policy, capacity, demands)
    for i, demand in ipairs(demands) do
        if far_below(tasks[i], capacity[1] / #demands / demand[1]) then return true end
    end
    return false
end

-- Nobody loses when a user leaves.
function VIOLATED.population_monotonicity(policy, it, tasks)
    local left = without(it, #it.demands)
    if #left.demands == 0 then return false end
    local now = runs.allocate(policy, left.capacity, left.demands)
    for i = 1, #left.demands do
        if far_below(now[i], tasks[i]) then return true end
    end
    return false
end

-- Nobody loses when there is more of a resource.
function VIOLATED.resource_monotonicity(policy, it, tasks)
    for r = 1, #it.capacity do
        local capacity = copy(it.capacity)
        capacity[r] = 2 * capacity[r]
        local now = runs.allocate(policy, capacity, it.demands)
        for i = 1, #it.demands do
            if far_below(now[i], tasks[i]) then return true end
        end
    end
    return false
end

-- ---- all of them --------------------------------------------------------------------------------

local function try_part(seed, part)
    local count = {}
    for _, policy in ipairs(POLICIES) do
        for _, property in ipairs(reference.properties) do count[policy .. property[1]] = 0 end
    end
    for number = (part - 1) * PART + 1, part * PART do
        local it = instance_of(seed, number)
        for _, policy in ipairs(POLICIES) do
            local tasks = runs.allocate(policy, it.capacity, it.demands)
            for _, property in ipairs(reference.properties) do
                local key = policy .. property[1]
                if VIOLATED[property[1]](policy, it, tasks) then count[key] = count[key] + 1 end
            end
        end
    end
    return count
end

local function rows_of(context, parts)
    local made = papers.each(context, "properties", parts, function(part)
        return try_part(context.seed, part)
    end)
    local rows = {}
    for i, property in ipairs(reference.properties) do
        rows[i] = { property = property[1]:gsub("_", " ") }
        for _, policy in ipairs(POLICIES) do
            local sum = 0
            for _, part in ipairs(made) do sum = sum + part[policy .. property[1]] end
            rows[i][policy] = sum
        end
    end
    return rows
end

local function judge(section, rows, instances, policy, name)
    local agree, list = 0, {}
    for i, property in ipairs(reference.properties) do
        local has = rows[i][policy] == 0
        if has == property[policy] then
            agree = agree + 1
        else
            list[#list + 1] = string.format("%s fails in %d", rows[i].property, rows[i][policy])
        end
    end
    section:claim {
        label = "properties of " .. name, where = "Table 2",
        claim = string.format("%s has the properties that the table names, and no other.", name),
        paper = string.format("%d of %d", M.count(policy), #reference.properties),
        ours = #list == 0 and string.format("as the table says, on %d instances", instances)
            or table.concat(list, "; ") .. string.format(" of %d instances", instances),
        -- Which ones it has is about all clusters; one cluster shows that it lacks one.
        verdict = agree == #reference.properties and papers.NOT_CONTRADICTED
            or agree > 0 and papers.PARTLY or papers.FAILS,
        because = string.format("beyond a task and %.0f %% of the tasks, as tasks are whole",
            100 * SLACK),
    }
end

---How many of the properties the paper grants a policy.
function M.count(policy)
    local count = 0
    for _, property in ipairs(reference.properties) do
        count = count + (property[policy] and 1 or 0)
    end
    return count
end

local function run_properties(context)
    local parts = math.max(1, context.seeds // 2)
    local section = papers.section("properties", TITLE, "Section 3, Table 2", {
        string.format("Violations on %d random instances of 2 to 5 users and 2 or 3 resources, of "
            .. "each user some 50 to 2000 tasks. \"asset\" is asset fairness; \"fair\" counts "
            .. "tasks alone, and \"fifo\" serves the first user first: both are ours beside the "
            .. "paper's.", parts * PART),
        "CEEI, the paper's third policy, solves a program over all users; no order of jobs does, "
            .. "and it is left out.",
    })
    local rows = rows_of(context, parts)
    local function column(key)
        return { key = key, title = key, right = true,
            show = function(value) return text.number(value, 0) end }
    end
    section:table("properties", nil, { { key = "property", title = "violations of" },
        column "drf", column "asset", column "fair", column "fifo" }, rows)
    judge(section, rows, parts * PART, "drf", "DRF")
    judge(section, rows, parts * PART, "asset", "Asset fairness")
    return section
end

M.properties = { name = "properties", title = TITLE, run = run_properties }

return M
