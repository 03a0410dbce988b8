-- The proofs of the Appendix, each held to what happens: the vectors T^m and T^r of estimated
-- times at which slots are free, as Algorithms II and III make them, U^m and U^r, as Algorithm VI
-- corrects them, and V^m and V^r, when the slots really were free behind a job and its
-- predecessors. They are made here a second time, from the log of a run alone, in FIFO order, in
-- which a new job is the last one; that the estimates are the kernel's says that the vectors are
-- the algorithms'.

local experiment = require "pinion".experiment
local cases = require "rtmr.cases"
local guarantee = require "rtmr.guarantee"
local papers = require "shared.papers"
local runs = require "rtmr.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Proofs 1 to 4: is every slot free when its vector says?"

-- ---- vectors ------------------------------------------------------------------------------------

local function copy(vector)
    return table.move(vector, 1, #vector, 1, {})
end

-- The smallest entry becomes a value, and the vector is sorted again.
local function replace_smallest(vector, value)
    vector[1] = value
    table.sort(vector)
end

-- Definition 1: whether each entry of a sorted vector is at least that of another, where times that
-- are over are all alike: whoever uses an entry takes the later of it and the present.
local function at_least(a, b, now)
    for i = 1, #a do
        if math.max(a[i], now) < b[i] then return false end
    end
    return true
end

local KINDS = { "map", "reduce" }

-- Algorithms II and III: the vectors behind a job, from those of its predecessor; its estimate.
local function add_job(before, job, now)
    local made, finish = { map = copy(before.map), reduce = copy(before.reduce) }, 0
    for _ = 1, job.maps do
        finish = math.max(made.map[1], now) + job.est_map_ms
        replace_smallest(made.map, finish)
    end
    local mapped = finish
    for _ = 1, job.reduces do
        finish = math.max(made.reduce[1], mapped) + job.est_reduce_ms
        replace_smallest(made.reduce, finish)
    end
    made.estimate = finish
    return made
end

-- Algorithm VI: the vectors behind a job that has finished, from those of its predecessor and the
-- times at which its tasks ended.
local function correct(before, ends)
    local made = {}
    for _, kind in ipairs(KINDS) do
        made[kind] = copy(before[kind])
        local times = copy(ends[kind])
        table.sort(times)
        for _, time in ipairs(times) do replace_smallest(made[kind], time) end
    end
    return made
end

-- ---- what happened ------------------------------------------------------------------------------

---@class pinion.RtmrHistory
---@field events table[] accepted jobs and finishes, in their order
---@field order integer[] accepted jobs
---@field ends table<integer, { map: integer[], reduce: integer[] }> by job
---@field busy { map: table[], reduce: table[] } slots, each with the last end by job

-- A slot of a node for an attempt: slots of a node are alike, the first that is free is taken.
local function take_slot(slots, node)
    for _, slot in ipairs(slots) do
        if slot.node == node and not slot.task then return slot end
    end
end

local function new_slots(nodes, field)
    local slots, number = {}, 0
    for _, group in ipairs(nodes) do
        for _ = 1, group.count or 1 do
            for _ = 1, group[field] do slots[#slots + 1] = { node = number, last = {} } end
            number = number + 1
        end
    end
    return slots
end

local function history_of(log, nodes)
    local made = { events = {}, order = {}, ends = {} }
    made.busy = { map = new_slots(nodes, "map_slots"), reduce = new_slots(nodes, "reduce_slots") }
    local running = {}
    for _, entry in ipairs(experiment.decisions(log)) do
        local name = entry.kind and string.format("%d %s %d", entry.job, entry.kind, entry.task)
        if entry.event == "accept" then
            made.order[#made.order + 1] = entry.job
            made.ends[entry.job] = { map = {}, reduce = {} }
            made.events[#made.events + 1] = entry
        elseif entry.event == "launch" then
            running[name] = take_slot(made.busy[entry.kind], entry.node)
            running[name].task = name
        elseif entry.event == "end" then
            local ends = made.ends[entry.job][entry.kind]
            ends[#ends + 1] = entry.time
            running[name].task, running[name].last[entry.job] = nil, entry.time
        elseif entry.finish then
            made.events[#made.events + 1] = entry
        end
    end
    return made
end

-- V: when the slots of a kind were free behind the jobs up to a place of the order.
local function free_times(history, kind, place)
    local times = {}
    for i, slot in ipairs(history.busy[kind]) do
        times[i] = 0
        for k = 1, place do
            times[i] = math.max(times[i], slot.last[history.order[k]] or 0)
        end
    end
    table.sort(times)
    return times
end

-- ---- one run ------------------------------------------------------------------------------------

-- Counts, by what they are of: how often a vector was compared, and how often it was too early.
local function new_facts()
    return {
        estimates = 0, wrong = 0, jobs = 0, updates = 0,
        t_map = 0, t_reduce = 0, u_map = 0, u_reduce = 0,
    }
end

local function zeros(history)
    local made = {}
    for _, kind in ipairs(KINDS) do
        made[kind] = {}
        for i = 1, #history.busy[kind] do made[kind][i] = 0 end
    end
    return made
end

local function note(facts, prefix, history, vectors, place, now)
    for _, kind in ipairs(KINDS) do
        if not at_least(vectors[kind], free_times(history, kind, place), now) then
            facts[prefix .. kind] = facts[prefix .. kind] + 1
        end
    end
end

-- Algorithm V: feedback of a job that has finished, and new estimates for those behind it.
local function feed_back(facts, history, jobs, records, place, now)
    local before = records[place - 1] or zeros(history)
    local corrected = correct(before, history.ends[history.order[place]])
    corrected.estimate, corrected.is_over = records[place].estimate, true
    records[place] = corrected
    facts.updates = facts.updates + 1
    note(facts, "u_", history, corrected, place, now)
    local chain = corrected
    for k = place + 1, #records do
        if not records[k].is_over then
            chain = add_job(chain, jobs[history.order[k]], now)
            records[k] = chain
        end
    end
end

-- Goes through a run again, with every vector of it.
local function replay(facts, log, nodes, jobs, feedback)
    local history = history_of(log, nodes)
    local records, places = {}, {}
    for _, entry in ipairs(history.events) do
        if entry.event == "accept" then
            local place = #records + 1
            places[entry.job] = place
            records[place] = add_job(records[place - 1] or zeros(history), jobs[entry.job],
                entry.time)
            facts.estimates = facts.estimates + 1
            if records[place].estimate ~= entry.estimate then facts.wrong = facts.wrong + 1 end
            if not feedback then
                facts.jobs = facts.jobs + 1
                note(facts, "t_", history, records[place], place, entry.time)
            end
        else
            local place = places[entry.job]
            records[place].is_over = true
            if feedback and records[place].estimate ~= entry.time then
                feed_back(facts, history, jobs, records, place, entry.time)
            end
        end
    end
end

-- Estimates by CL20: the longest that a task takes.
local function with_estimates(jobs)
    local made = {}
    for id, job in ipairs(jobs) do
        made[id] = { maps = job.maps, reduces = job.reduces, est_map_ms = job.map_ms,
            est_reduce_ms = job.reduce_ms }
    end
    return made
end

-- Jobs without reduces have no estimate in the paper: theirs is that of the maps.
local function try(facts, nodes, jobs, params, number)
    local log = os.tmpname()
    local result = runs.run("rtmr", params, nodes, jobs, number, { log = log })
    local ok, problem = pcall(replay, facts, log, nodes, with_estimates(jobs), params.feedback)
    os.remove(log)
    if not ok then error(problem, 0) end
    return result
end

-- ---- the trials ---------------------------------------------------------------------------------

local RULES = {
    { key = "paper", name = "line 10 as printed (gt)", reserve = "gt" },
    { key = "ge", name = "line 10 corrected (ge)", reserve = "ge" },
}

local function params_of(rules, feedback, more)
    local params = { order = "FIFO", pred = "keep", theta_ms = 0, reserve = rules.reserve,
        feedback = feedback }
    for name, value in pairs(more or {}) do params[name] = value end
    return params
end

-- Scenarios for each seed, and in a part that one process takes.
local SHARE, PART = 25, 25

local function part_facts(context, part, count)
    local made = {}
    for r, rules in ipairs(RULES) do
        local facts = new_facts()
        for number = (part - 1) * PART + 1, math.min(part * PART, count) do
            local scenario = guarantee.scenario(context.seed, number)
            local factors = { factor_lo = scenario.params.factor_lo, factor_hi = 1000 }
            for _, feedback in ipairs { false, true } do
                try(facts, scenario.nodes, guarantee.sorted(scenario.jobs),
                    params_of(rules, feedback, factors), number)
            end
        end
        made[r] = facts
    end
    return made
end

local function case_facts(rules)
    local facts, known = new_facts(), cases.CASES[2]
    for _, feedback in ipairs { false, true } do
        try(facts, known.nodes, known.jobs, params_of(rules, feedback), 1)
    end
    return facts
end

local function rows_of(context, section)
    local count, rows = SHARE * context.seeds, {}
    local parts = papers.each(context, "proofs", (count + PART - 1) // PART, function(part)
        return part_facts(context, part, count)
    end)
    for r, rules in ipairs(RULES) do
        local row = new_facts()
        for _, facts in ipairs(parts) do
            for name, value in pairs(facts[r]) do row[name] = row[name] + value end
        end
        row.what, row.rules = text.count(count, "random scenario"), rules.name
        local case = case_facts(rules)
        case.what, case.rules = "counterexample 2", rules.name
        rows[#rows + 1], rows[#rows + 2] = row, case
    end
    for _, row in ipairs(rows) do
        section:compare("estimates that are not the kernel's, " .. row.what .. ", " .. row.rules,
            row.wrong, 0, 0)
    end
    return rows
end

local function count_column(key, title)
    return { key = key, title = title, right = true }
end

local COLUMNS = {
    { key = "what", title = "" }, { key = "rules", title = "rules" },
    count_column("jobs", "jobs"), count_column("t_map", "T^m < V^m"),
    count_column("t_reduce", "T^r < V^r"), count_column("updates", "updates"),
    count_column("u_map", "U^m < V^m"), count_column("u_reduce", "U^r < V^r"),
    { key = "estimates" }, { key = "wrong" },
}

-- ---- claims -------------------------------------------------------------------------------------

local CLAIMS = {
    { label = "Proof-1: T^m >= V^m", key = "t_map", of = "jobs",
      claim = "\"Admission control algorithm ensures\" that no map slot is free later than T^m "
          .. "says.",
      found = "maps start in the order of the vectors, so a map that ends early frees its slot "
          .. "early" },
    { label = "Proof-2: T^r >= V^r", key = "t_reduce", of = "jobs",
      claim = "\"Admission control algorithm ensures\" that no reduce slot is free later than "
          .. "T^r says.",
      found = "reduces overtake; the reservation of Algorithm IV must be corrected, and the "
          .. "proof takes no account of it" },
    { label = "Proof-3: U^m >= V^m", key = "u_map", of = "updates",
      claim = "\"Algorithm 6 ensures\" that no map slot is free later than U^m says.",
      found = "maps start in the order of the vectors" },
    { label = "Proof-4: U^r >= V^r", key = "u_reduce", of = "updates",
      claim = "\"Similar to the procedure of Proof-3, we can prove Algorithm 6 ensures\" that no "
          .. "reduce slot is free later than U^r says.",
      found = "a job whose reduce has overtaken one ahead of it ends first, and Algorithm VI takes "
          .. "its slot for free, though the job ahead still needs all slots" },
}

-- Of what is printed.
local function judge(section, rows, claim)
    local parts, failed = {}, { paper = 0, ge = 0 }
    for i, row in ipairs(rows) do
        parts[i] = string.format("%d of %s (%s, %s)", row[claim.key],
            text.count(row[claim.of], claim.of:sub(1, -2)), row.what, row.rules)
        local key = RULES[(i + 1) // 2].key
        failed[key] = failed[key] + row[claim.key]
    end
    section:claim {
        label = claim.label, where = "Appendix", claim = claim.claim,
        paper = "a proof by induction", ours = "too early: " .. table.concat(parts, "; "),
        verdict = papers.universal(failed.paper),
        because = failed.paper == 0 and claim.found or string.format(
            "counterexamples as printed, %s with line 10 of Algorithm IV corrected: %s",
            failed.ge == 0 and "none" or "others", claim.found),
    }
end

local function run_proofs(context)
    local section = papers.section("proofs", TITLE, "Appendix, Proofs 1 to 4", {
        "Jobs in FIFO order, deadlines of 20 to 1000 s, tasks that end early by random factors. "
            .. "T: without feedback, of every accepted job, when it is accepted. U: with feedback, "
            .. "theta = 0, at every update. A vector is too early if any of its sorted entries is "
            .. "earlier than that of V, where times before the present are all alike.",
        "All vectors are made a second time from the log; every estimate must be the kernel's.",
    })
    local rows = rows_of(context, section)
    section:table("proofs", nil, COLUMNS, rows)
    for _, claim in ipairs(CLAIMS) do judge(section, rows, claim) end
    return section
end

M.proofs = { name = "proofs", title = TITLE, run = run_proofs }

return M
