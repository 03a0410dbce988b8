-- Theorem 1 of Tian, Luo, Tian, Chen on instances so small that the best schedule can be found:
-- UAAS's order, the best of all orders and the best schedule of whole tasks, and the fluid bound.
-- The section on our bound looks at the same instances.

local papers = require "shared.papers"
local reference = require "tian.reference"
local runs = require "tian.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Theorem 1: UAAS is optimal"

-- Instances that one task of a process makes.
local PORTION = 100
local TASKS_MOST, DURATION_MOST = 3, 6

-- ---- instances ----------------------------------------------------------------------------------

---@param seed integer
---@param number integer
---@return { maps: integer, reduces: integer, jobs: table[] }
function M.instance(seed, number)
    local draw = papers.draws(seed, number)
    local known = reference.tiny
    local made = { maps = draw(known.slots[1], known.slots[2]),
        reduces = draw(known.slots[1], known.slots[2]), jobs = {} }
    local function tasks()
        local list = {}
        for i = 1, draw(1, TASKS_MOST) do list[i] = draw(1, DURATION_MOST) end
        return list
    end
    for id = 1, draw(known.jobs[1], known.jobs[2]) do
        made.jobs[id] = { maps = tasks(), reduces = tasks() }
    end
    return made
end

-- ---- one instance -------------------------------------------------------------------------------

-- The longest map and the longest reduce task.
local function longest(jobs, field)
    local most = 0
    for _, job in ipairs(jobs) do
        for _, duration in ipairs(job[field]) do most = math.max(most, duration) end
    end
    return most
end

-- What our bound allows beyond the fluid makespan of the order.
local function allowance(instance)
    local one = runs.exact(1)
    return (one - one / instance.maps) * longest(instance.jobs,
        "maps") + (one - one / instance.reduces) * 2
        * longest(instance.jobs, "reduces")
end

local function reversed(order)
    local made = {}
    for i, id in ipairs(order) do made[#order + 1 - i] = id end
    return made
end

-- Makespans of an instance: UAAS's order and its reverse, in whole tasks and in fluid stages; the
-- best order; the best schedule.
local function solve(instance)
    local results = {}
    local function run(name, policy, level, params)
        local result = runs.run { policy = policy, maps = instance.maps, reduces = instance.reduces,
            jobs = instance.jobs,
            level = level,
                                  params = params, bounds = "none" }
        results[name] = runs.makespan(result)
        return result
    end
    local uaas = run("uaas", "uaas", "task")
    run("fluid", "uaas", "stage")
    local back = reversed(uaas.order)
    run("reversed", "given_order", "task", { order = back })
    run("reversed_fluid", "given_order", "stage", { order = back, stage_time = "fluid" })
    run("order", "optimal", "task")
    local best = run("best", "exact", "task")
    return results, best.optimal == true, uaas.digest
end

-- ---- many instances -----------------------------------------------------------------------------

local COUNTS = { "instances", "unproven", "uaas_optimal", "order_optimal", "below_fluid",
    "uaas_beyond", "reversed_beyond" }
local WORST = { "uaas", "order", "reversed", "uaas_share", "reversed_share" }

-- Adds what one instance shows.
local function note(found, number, seed)
    local instance = M.instance(seed, number)
    local made, proven, digest = solve(instance)
    local allowed = allowance(instance)
    local function count(name, condition)
        if condition then found[name] = found[name] + 1 end
    end
    local function worst(name, value)
        if not found[name] or runs.exact(found[name]) < value then
            found[name], found[name .. "_at"] = tostring(value), number
        end
    end
    count("instances", true)
    count("unproven", not proven)
    count("uaas_optimal", made.uaas == made.best)
    count("order_optimal", made.order == made.best)
    count("below_fluid", made.best < made.fluid)
    worst("uaas", made.uaas / made.best)
    worst("order", made.order / made.best)
    worst("reversed", made.reversed / made.best)
    for _, name in ipairs { "uaas", "reversed" } do
        local over = made[name] - made[name == "uaas" and "fluid" or "reversed_fluid"]
        count(name .. "_beyond", allowed < over)
        if runs.exact(0) < allowed then worst(name .. "_share", over / allowed) end
    end
    found.digest = papers.fold(found.digest, digest)
end

local function run_portion(seed, first, last)
    local found = { digest = papers.DIGEST_START }
    for _, name in ipairs(COUNTS) do found[name] = 0 end
    for number = first, last do note(found, number, seed) end
    return found
end

---@param context pinion.PaperContext
---@return table found counts, worst ratios as texts and at which instance, the digest
function M.sweep(context)
    if context.cache.tiny then return context.cache.tiny end
    local portions = (context.jobs + PORTION - 1) // PORTION
    local parts = papers.each(context, "Theorem 1", portions, function(task)
        return run_portion(context.seed, (task - 1) * PORTION + 1,
            math.min(task * PORTION, context.jobs))
    end)
    local all, combined = parts[1], papers.DIGEST_START
    for i, part in ipairs(parts) do
        combined = papers.fold(combined, papers.digest_text(part.digest))
        for _, name in ipairs(i > 1 and COUNTS or {}) do all[name] = all[name] + part[name] end
        for _, name in ipairs(i > 1 and WORST or {}) do
            if part[name] and (not all[name] or runs.exact(all[name]) < runs.exact(part[name])) then
                all[name], all[name .. "_at"] = part[name], part[name .. "_at"]
            end
        end
    end
    all.digest = papers.digest_text(combined)
    context.cache.tiny = all
    return all
end

-- ---- the section --------------------------------------------------------------------------------

local function percent(count, all)
    return string.format("%.1f %%", 100 * count / all)
end

-- "[2 x 1 slots: J1 maps 3,1 reduces 2; …]"
local function instance_text(seed, number)
    local instance = M.instance(seed, number)
    local parts = {}
    for id, job in ipairs(instance.jobs) do
        parts[id] = string.format("J%d %s|%s", id, table.concat(job.maps, ","),
            table.concat(job.reduces, ","))
    end
    return string.format("%d x %d slots, %s", instance.maps, instance.reduces,
        table.concat(parts, "; "))
end

local COLUMNS = {
    { key = "what", title = "against the best schedule of whole tasks" },
    { key = "optimal", title = "optimal", right = true,
        show = function(value) return value and string.format("%.1f %%", value)
        or "-" end },
    { key = "reference", title = "reference", right = true,
      show = function(value) return value and string.format("%.1f %%", value) or "-" end },
    { key = "worst", title = "worst ratio", right = true,
        show = function(value) return runs.show(runs.exact(value)) end },
    { key = "worst_reference", title = "reference", right = true,
      show = function(value) return value and runs.show(runs.exact(value)) or "-" end },
    { key = "at", title = "of", words = true }, { key = "instance" }, { key = "digest" },
}

local function rows_of(context, found)
    local known = reference.tiny
    local function row(what, name, optimal, reference_optimal, reference_worst)
        return { what = what, optimal = optimal and 100 * optimal / found.instances,
            reference = reference_optimal,
            worst = found[name],
                 worst_reference = reference_worst,
                 at = instance_text(context.seed, found[name .. "_at"]),
                 instance = found[name .. "_at"], digest = name == "uaas" and found.digest or nil }
    end
    return {
        row("UAAS's order", "uaas", found.uaas_optimal, known.uaas_optimal, known.uaas_worst),
        row("the best order", "order", found.order_optimal, known.order_optimal, known.order_worst),
        row("UAAS's order reversed", "reversed"),
    }
end

local function run_theorem1(context)
    local known, found = reference.tiny, M.sweep(context)
    local section = papers.section("theorem1", TITLE, "Theorem 1, Observation 4", {
        string.format(
            "%s: %d to %d map and reduce slots, %d to %d jobs of 1 to %d map and reduce tasks "
            .. "of 1 to %d. The best "
            .. "schedule is found by search (policy exact), the best order by trying all. The "
                .. "reference drew other instances of "
            .. "this size, so its shares are not ours.",
            text.count(found.instances, "tiny instance"), known.slots[1],
            known.slots[2], known.jobs[1], known.jobs[2], TASKS_MOST, DURATION_MOST),
    })
    section:table("theorem1", nil, COLUMNS, rows_of(context, found))
    -- Were a bound broken, it would be the engine's or the search's fault.
    section:compare("instances whose best schedule ends before the fluid bound", found.below_fluid,
        0, 0)
    section:compare("instances without a proof", found.unproven, 0, 0)
    section:claim {
        label = "UAAS is optimal", where = "Theorem 1",
        claim = "The result obtained by the UAAS algorithm following Johnson's rule is optimal "
            .. "regarding the makespan.",
        paper = "proved, for jobs that use all slots in each stage",
        reference = string.format(
            "optimal in %.1f %%, worst ratio %s; the best order in %.1f %%, worst %s",
            known.uaas_optimal,
            known.uaas_worst, known.order_optimal, known.order_worst),
        ours = string.format(
            "with whole tasks optimal in %s, worst ratio %s; the best of all orders "
            .. "in %s, worst %s",
            percent(found.uaas_optimal, found.instances), runs.show(runs.exact(found.uaas)),
            percent(found.order_optimal,
                found.instances),
            runs.show(runs.exact(found.order))),
        verdict = papers.universal(found.instances - found.uaas_optimal),
        because = "true of fluid stages only; of whole tasks no order of the jobs need be optimal",
    }
    section:claim {
        label = "the fluid makespan is the optimum", where = "Theorem 1, Observation 4",
        claim = "Applying Theorem 1 always has the optimal total makespan for a set of jobs.",
        paper = "stated",
        reference = "a lower bound of every schedule, also of jobs that share slots",
        ours = string.format("no schedule of whole tasks ends before it, in %d of %d instances",
            found.instances - found.below_fluid, found.instances),
        verdict = found.below_fluid == 0 and papers.PARTLY or papers.FAILS,
        because = "it bounds the optimum from below, but whole tasks need not reach it",
    }
    return section
end

M.theorem1 = { name = "theorem1", title = TITLE, run = run_theorem1 }

return M
