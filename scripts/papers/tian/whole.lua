-- Theorem 2 of Tian, Luo, Tian, Chen and its "not optimal in many cases", against the best schedule
-- of whole tasks on tiny instances: MK_JR, BalancedPools, and what a split into pools costs.

local papers = require "shared.papers"
local runs = require "tian.runs"
local text = require "shared.text"
local tiny = require "tian.tiny"

local M = {}

local TITLE = "Theorem 2 and BalancedPools against the best schedule of whole tasks"
local MOST, PORTION = 2000, 100

---Returns a tiny instance on one to three nodes of one map and one reduce slot each.
---@param seed integer
---@param number integer
---@return { maps: integer, reduces: integer, jobs: table[] }
function M.instance(seed, number)
    local made = tiny.instance(seed, number)
    made.reduces = made.maps
    return made
end

-- Johnson's order of the same estimates as BalancedPools', on all slots.
local UNSPLIT = { estimate = "waves_req", tie = "alg21", cap = "none" }

local CASES = {
    { key = "mk_jr", title = "MK_JR", policy = "mk_jr", params = { estimate = "waves_req" } },
    { key = "exclusive", title = "MK_JR, exclusive stages", policy = "mk_jr",
        params = { estimate = "waves_req", share = "exclusive" } },
    { key = "pools", title = "BalancedPools", policy = "balanced_pools", nodes = 2 },
    { key = "split", title = "the best split", policy = "balanced_pools", nodes = 2,
        params = { bp_allow_single = false } },
    { key = "unsplit", title = "all slots, same estimates", policy = "mk_jr", nodes = 2,
        params = UNSPLIT },
}

-- ---- instances ----------------------------------------------------------------------------------

-- Adds one run of a case.
local function count(of, number, makespan, best, digest)
    local ratio = makespan / best
    of.instances = of.instances + 1
    of.optimal = of.optimal + (makespan == best and 1 or 0)
    of.beyond = of.beyond + (runs.exact(3) < ratio and 1 or 0)
    of.sum = of.sum + ratio:number()
    if not of.worst or runs.exact(of.worst) < ratio then
        of.worst, of.at = tostring(ratio), number
    end
    of.digest = papers.fold(of.digest, digest)
end

local function note(found, instance, number)
    local function run(policy, params)
        local result = runs.run { policy = policy, maps = instance.maps, jobs = instance.jobs,
            level = "task", params = params, bounds = "none" }
        return runs.makespan(result), result
    end
    local best, made = run("exact"), {}
    for _, case in ipairs(CASES) do
        if instance.maps >= (case.nodes or 1) then
            local makespan, result = run(case.policy, case.params)
            count(found[case.key], number, makespan, best, result.digest)
            made[case.key] = makespan
        end
    end
    if made.split then
        found.dearer = found.dearer + (made.unsplit < made.split and 1 or 0)
        found.cheaper = found.cheaper + (made.split < made.unsplit and 1 or 0)
        found.cost = found.cost + (made.split / made.unsplit):number()
    end
end

local function try_portion(seed, first, last)
    local found = { dearer = 0, cheaper = 0, cost = 0.0 }
    for _, case in ipairs(CASES) do
        found[case.key] = { instances = 0, optimal = 0, beyond = 0, sum = 0.0,
            digest = papers.DIGEST_START }
    end
    for number = first, last do note(found, M.instance(seed, number), number) end
    return found
end

local function add(all, part)
    for _, name in ipairs { "instances", "optimal", "beyond", "sum" } do
        all[name] = all[name] + part[name]
    end
    if not all.worst or part.worst and runs.exact(all.worst) < runs.exact(part.worst) then
        all.worst, all.at = part.worst, part.at
    end
    all.digest = papers.fold(all.digest, papers.digest_text(part.digest))
end

local function sweep(context)
    local count = math.min(context.jobs, MOST)
    local parts = papers.each(context, "whole tasks", (count + PORTION - 1) // PORTION,
            function(part)
        return try_portion(context.seed, (part - 1) * PORTION + 1,
            math.min(part * PORTION, count))
    end)
    local all = try_portion(context.seed, 1, 0)
    for _, part in ipairs(parts) do
        for _, name in ipairs { "dearer", "cheaper", "cost" } do
            all[name] = all[name] + part[name]
        end
        for _, case in ipairs(CASES) do add(all[case.key], part[case.key]) end
    end
    return all, count
end

-- ---- the section --------------------------------------------------------------------------------

local COLUMNS = {
    { key = "what", title = "against the best schedule" },
    { key = "instances", title = "instances", right = true },
    { key = "optimal", title = "optimal", right = true },
    { key = "share", title = "%", right = true,
        show = function(value) return text.number(value, 1) end },
    { key = "mean", title = "mean ratio", right = true,
        show = function(value) return text.number(value, 3) end },
    { key = "worst", title = "worst", right = true,
        show = function(value) return runs.show(runs.exact(value)) end },
    { key = "beyond", title = "above 3", right = true }, { key = "instance" },
    { key = "digest", title = "digest" },
}

local function rows_of(found)
    local rows = {}
    for _, case in ipairs(CASES) do
        local of = found[case.key]
        if of.instances > 0 then
            rows[#rows + 1] = { what = case.title, instances = of.instances,
                optimal = of.optimal, share = 100 * of.optimal / of.instances,
                mean = of.sum / of.instances, worst = of.worst, beyond = of.beyond,
                instance = of.at, digest = papers.digest_text(of.digest) }
        end
    end
    return rows
end

local function judge_theorem(section, found)
    local shared, exclusive = found.mk_jr, found.exclusive
    section:claim {
        label = "MK_JR within 3 times the best schedule", where = "Theorem 2",
        claim = "MK_JR is a 3-approximation algorithm for the makespan, against the best schedule "
            .. "of whole tasks.",
        paper = "at most 3",
        ours = string.format("optimal in %d of %d instances, at most %s times the best; with "
            .. "exclusive stages optimal in %d, at most %s times", shared.optimal,
            shared.instances, runs.show(runs.exact(shared.worst)), exclusive.optimal,
            runs.show(runs.exact(exclusive.worst))),
        verdict = papers.universal(shared.beyond + exclusive.beyond),
        because = "exact, on at most 3 slots of each kind; with exclusive stages and more slots "
            .. "the section theorem2 has instances beyond 3",
    }
end

-- Cases are many where they are at least this share.
local MANY = 0.1

local function judge_pools(section, found)
    local pools, split = found.pools, found.split
    local missed = pools.instances - pools.optimal
    section:claim {
        label = "BalancedPools: not optimal in many cases", where = "Section 1",
        claim = "\"BalancedPools is a heuristic approach but not optimal in many cases.\"",
        paper = "stated",
        ours = string.format("not optimal in %d of %d instances, at most %s times the best",
            missed, pools.instances, runs.show(runs.exact(pools.worst))),
        verdict = runs.verdict(missed >= MANY * pools.instances),
        because = string.format("exact; %g %% of the instances count as many", 100 * MANY),
    }
    section:claim {
        label = "ours: a split costs more than it gains", where = "not in the paper",
        claim = "The best split into two pools ends later than Johnson's order on all slots more "
            .. "often than sooner.",
        paper = "-",
        ours = string.format("later in %d of %d instances, sooner in %d; %.3f times the makespan "
            .. "on average; optimal in %d against %d", found.dearer, split.instances,
            found.cheaper, found.cost / split.instances, split.optimal, found.unsplit.optimal),
        verdict = runs.verdict(found.dearer > found.cheaper), because = "exact",
    }
end

local function run_whole(context)
    local found, count = sweep(context)
    local section = papers.section("whole", TITLE, "Theorem 2, Section 1", {
        string.format("%s: as for Theorem 1, with as many reduce slots as map slots, 1 to 3. "
            .. "The best schedule is found by search (policy exact). Pools need two nodes, each "
            .. "of one map and one reduce slot. Stages request a slot for each task.",
            text.count(count, "tiny instance")),
    })
    section:table("whole", nil, COLUMNS, rows_of(found))
    judge_theorem(section, found)
    judge_pools(section, found)
    return section
end

M.whole = { name = "whole", title = TITLE, run = run_whole }

return M
