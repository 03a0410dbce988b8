-- The main result: is it true that accepted jobs make their deadlines? Random scenarios with
-- deadlines that leave no time to spare, under the paper's dispatcher and under the corrected one,
-- with and without heartbeats.

local adversary = require "rtmr.adversary"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Is a success ratio of 100 % true? "
    .. "Random scenarios with deadlines as tight as the estimates"

local BEAT = 3000

---@class pinion.RtmrTrial
---@field key string
---@field name string
---@field policy string
---@field params table
---@field one boolean|nil one reduce slot per node
---@field few boolean|nil a beat may give few maps
---@field known string|nil the reference's
---@field holds boolean|nil none may miss

---@type pinion.RtmrTrial[]
M.TRIALS = {
    { key = "paper", name = "gt, keep (the paper)", policy = "rtmr",
        params = { reserve = "gt", pred = "keep" },
        known = "paper" },
    { key = "paper_drop", name = "gt, drop", policy = "rtmr", params = { reserve = "gt" } },
    { key = "keep", name = "ge, keep", policy = "rtmr", params = { pred = "keep" }, holds = true },
    { key = "ge", name = "ge, drop (ours)", policy = "rtmr", params = {}, known = "ge",
        holds = true },
    { key = "live", name = "rtmr-live", policy = "rtmr-live", params = {}, holds = true },
    { key = "beats", name = "ge, beats", policy = "rtmr", params = { heartbeat_ms = BEAT },
        known = "beats" },
    { key = "beats_one", name = "ge, beats, +P, 1 reduce slot", policy = "rtmr", one = true,
      params = { heartbeat_ms = BEAT, est_extra_ms = BEAT }, known = "beats_one", holds = true },
    { key = "beats_two", name = "ge, beats, +P, 1-2 reduce slots", policy = "rtmr",
      params = { heartbeat_ms = BEAT, est_extra_ms = BEAT }, known = "beats_two" },
    { key = "twice", name = "ge, beats, +2P", policy = "rtmr",
        params = { heartbeat_ms = BEAT, est_extra_ms = 2 * BEAT },
      known = "twice", holds = true },
    { key = "paper_beats", name = "gt, beats, +P, 1 reduce slot", policy = "rtmr", one = true,
      params = { heartbeat_ms = BEAT, est_extra_ms = BEAT, reserve = "gt" },
      known = "paper_beats" },
    { key = "auto", name = "ge, beats, auto", policy = "rtmr", few = true,
        params = { heartbeat_ms = BEAT,
        est_extra_ms = "auto" },
      holds = true },
    { key = "live_auto", name = "rtmr-live, beats, auto", policy = "rtmr-live", few = true,
      params = { heartbeat_ms = BEAT, est_extra_ms = "auto" }, holds = true },
}

-- ---- scenarios ----------------------------------------------------------------------------------

-- Of all jobs so many in 100 get a deadline that is just their estimate; the others any.
local EXACT = 85

-- Jobs come within so many seconds: all while the first ones run, or after some have ended.
local SPANS = { 60, 60, 200, 600 }

local function random_job(draw, span)
    local maps, reduces = draw(1, 5), draw(0, 3)
    return {
        submit = 1000 * draw(0, span) + draw(0, 1) * draw(0, 999), maps = maps, reduces = reduces,
        map_ms = 1000 * draw(5, 100),
        reduce_ms = 1000 * draw(5, 100), deadline = 1000 * draw(20, 1000),
        input = draw(1, 100) <= EXACT and 2 or 1,
    }
end

---Few nodes and jobs, tasks of 5 to 100 s that may end early.
---@param seed integer
---@param number integer
---@return { nodes: table[], jobs: table[], params: table, few: integer } params: what readings differ in
function M.scenario(seed, number)
    local draw = papers.draws(seed, number)
    local made = { nodes = {}, jobs = {}, few = draw(0, 2) }
    for i = 1, draw(1, 2) do
        made.nodes[i] = { count = draw(1, 2), map_slots = draw(1, 3), reduce_slots = draw(1, 2) }
    end
    local span = SPANS[draw(1, #SPANS)]
    for id = 1, draw(4, 10) do made.jobs[id] = random_job(draw, span) end
    made.params = {
        factor_lo = ({ 100, 300, 500, 1000 })[draw(1, 4)], factor_hi = 1000,
        theta_ms = 1000 * draw(0, 30),
        order = draw(1, 4) == 1 and "FIFO" or "EDF", feedback = draw(1, 3) > 1,
        fc_estimate = draw(1, 4) == 1 and "recompute" or "recorded", fc_completed = draw(1, 4) == 1
            and "satu" or "skip",
    }
    return made
end

local function nodes_of(scenario, trial)
    if not trial.one then return scenario.nodes end
    local nodes = {}
    for i, group in ipairs(scenario.nodes) do
        nodes[i] = { count = group.count, map_slots = group.map_slots, reduce_slots = 1 }
    end
    return nodes
end

local function params_of(scenario, trial)
    local params = {}
    for _, from in ipairs { scenario.params, trial.params } do
        for name, value in next, from do params[name] = value end
    end
    -- No limit, one map or two.
    if trial.few and scenario.few > 0 then params.maps_per_heartbeat = scenario.few end
    return params
end

-- The same jobs with the deadlines that the adversary agreed on. With those that it rejected it
-- agreed on none: they get one that nobody can make.
local function with_deadlines(jobs, rows)
    local made = {}
    for id, job in ipairs(jobs) do
        made[id] = { submit = job.submit, maps = job.maps, reduces = job.reduces,
            map_ms = job.map_ms, reduce_ms = job.reduce_ms,
                     deadline = rows[id].state == "rejected" and 1 or rows[id].deadline }
    end
    return made
end

---The jobs in the order in which they are numbered.
---@param jobs table[]
---@return table[]
function M.sorted(jobs)
    local order = {}
    for id = 1, #jobs do order[id] = id end
    table.sort(order, function(a, b)
        if jobs[a].submit ~= jobs[b].submit then return jobs[a].submit < jobs[b].submit end
        return a < b
    end)
    local made = {}
    for place, id in ipairs(order) do made[place] = jobs[id] end
    return made
end

local tight = {} -- the adversaries, by policy

---One scenario under a trial's rules.
---@param scenario table
---@param number integer
---@param trial pinion.RtmrTrial
---@return pinion.Result result of the kernel's policy, pinion.Result of the adversary, table[] jobs with their deadlines
function M.try(scenario, number, trial)
    tight[trial.policy] = tight[trial.policy] or pinion.policy(adversary[trial.policy])
    local nodes, params, jobs = nodes_of(scenario, trial), params_of(scenario, trial),
        M.sorted(scenario.jobs)
    local drawn = runs.run(tight[trial.policy], params, nodes, jobs, number)
    local agreed = with_deadlines(jobs, drawn.jobs)
    return runs.run(trial.policy, params, nodes, agreed, number, { keep_jobs = false }), drawn,
        agreed
end

-- ---- the sweep ----------------------------------------------------------------------------------

-- Scenarios for each seed, and in a part that one process takes.
local SHARE, PART = 25, 25

local function part_facts(context, part, count)
    local made = {}
    for t, trial in ipairs(M.TRIALS) do
        made[t] = { accepted = 0, missed = 0, hit = 0, differ = 0, exact = 0,
            digest = papers.DIGEST_START }
        for number = (part - 1) * PART + 1, math.min(part * PART, count) do
            local result, drawn = M.try(M.scenario(context.seed, number), number, trial)
            local facts, missed = made[t], result.accepted - result.successful
            facts.accepted, facts.missed = facts.accepted + result.accepted, facts.missed + missed
            if missed > 0 then
                facts.hit, facts.first = facts.hit + 1, facts.first or number
            end
            if result.digest ~= drawn.digest then facts.differ = facts.differ + 1 end
            facts.digest = papers.fold(facts.digest, result.digest)
        end
    end
    return made
end

local function rows_of(context, section)
    local count = SHARE * context.seeds
    local parts = papers.each(context, "random scenarios", (count + PART - 1) // PART,
            function(part)
        return part_facts(context, part, count)
    end)
    local rows, by_key = {}, {}
    for t, trial in ipairs(M.TRIALS) do
        local row = { key = trial.key, name = trial.name, scenarios = count, accepted = 0,
            missed = 0, hit = 0, differ = 0,
                      digest = papers.DIGEST_START, known = reference.guarantee[trial.known] }
        for _, part in ipairs(parts) do
            local facts = part[t]
            for _, field in ipairs { "accepted", "missed", "hit", "differ" } do
                row[field] = row[field] + facts[field]
            end
            row.first = row.first or facts.first
            row.digest = papers.fold(row.digest, string.format("%016x", facts.digest))
        end
        row.digest = papers.digest_text(row.digest)
        for field, value in next, row.known or {} do row["reference_" .. field] = value end
        -- Scenarios are others than the reference's: where it proves that none misses, none may.
        if trial.holds then
            row.agrees = section:compare("missed, " .. trial.name, row.missed, 0, 0)
        end
        local same = section:compare("runs that differ from the Lua twin's, " .. trial.name,
            row.differ, 0, 0)
        row.agrees = same and row.agrees ~= false
        rows[t], by_key[trial.key] = row, row
    end
    return rows, by_key
end

local function known_column(key, title)
    return { key = key, title = title, right = true,
        show = function(value) return value and tostring(value) or "" end }
end

local COLUMNS = {
    { key = "key" }, { key = "name", title = "rules" },
    { key = "scenarios", title = "scenarios", right = true },
    { key = "accepted", title = "accepted", right = true },
    { key = "missed", title = "missed", right = true },
    { key = "hit", title = "scenarios with a miss", right = true },
    known_column("reference_accepted", "reference: accepted"),
    known_column("reference_missed", "missed"),
    known_column("reference_hit", "scenarios with a miss"),
    known_column("reference_scenarios", "of"),
    { key = "first" }, { key = "differ" }, papers.AGREES_COLUMN, runs.DIGEST_COLUMN,
}

-- ---- claims -------------------------------------------------------------------------------------

local function missed_text(row)
    return string.format("%d of %s, in %d of %s", row.missed,
        text.count(row.accepted, "accepted job"), row.hit,
        text.count(row.scenarios, "scenario"))
end

local function known_text(name)
    local known = reference.guarantee[name]
    return string.format("%d of %d missed, in %d of %d scenarios", known.missed, known.accepted,
        known.hit, known.scenarios)
end

local function judge_paper(section, by_key)
    local row = by_key.paper
    section:claim {
        label = "accepted jobs make their deadlines: Algorithm IV",
        where = "Sections IV.C, V, Appendix",
        claim = "\"We have proved that all jobs accepted by the admission controller can be "
            .. "successfully dispatched and "
            .. "completed by their deadlines in normal scenarios when there is neither a node "
                .. "failure nor a task re-execution.\"",
        paper = "proved, and 100 % measured",
        reference = known_text "paper",
        ours = "missed: " .. missed_text(row), verdict = row.missed > 0 and papers.FAILS
            or papers.UNDECIDED,
        because = row.missed > 0
            and string.format(
            "line 10 must say >=: with > a slot that is reserved is given away (the "
            .. "first such scenario is number %d)", row.first)
                or "no miss in these scenarios; counterexample 1 has one",
    }
end

local function judge_corrected(section, by_key)
    local misses = by_key.ge.missed + by_key.keep.missed + by_key.live.missed
    section:claim {
        label = "ours: with >= none misses", where = "Section IV.C",
        claim = "With \"reservedSlot >= Ra\" in line 10 of Algorithm IV accepted jobs make "
            .. "their deadlines, whatever the "
            .. "predecessor, the order and the feedback.", paper = "-", reference = known_text "ge"
                .. ", and a proof",
        ours = string.format("missed: keep %s; drop %s; rtmr-live %s", missed_text(by_key.keep),
            missed_text(by_key.ge),
            missed_text(by_key.live)),
        verdict = papers.universal(misses), because = "by whether one misses",
    }
end

local function judge_beats(section, by_key)
    section:claim {
        label = "heartbeats are in no estimate", where = "Sections II, IV",
        claim = "The guarantee is stated for a cluster whose nodes ask for tasks by heartbeats.",
            paper = "no word of their delay",
        reference = known_text "beats",
        ours = string.format("missed with beats every %d s: %s", BEAT // 1000,
            missed_text(by_key.beats)),
        verdict = by_key.beats.missed > 0 and papers.FAILS or papers.UNDECIDED,
        because = by_key.beats.missed > 0
            and "a task waits for the next beat though its slot is free" or "no miss here; "
            .. "counterexample 3 has one",
    }
end

local function judge_allowance(section, by_key)
    local misses = by_key.auto.missed + by_key.live_auto.missed
    section:claim {
        label = "ours: the allowance keeps it with beats", where = "not in the paper",
        claim = "With est_extra_ms=auto - a beat for each reduce slot of a node, and for each "
            .. "beat that its maps take - "
            .. "accepted jobs make their deadlines, however few maps a beat gives.", paper = "-",
        reference = string.format("+P, one slot: %s; +P, up to two: %s; +2P: %s",
            known_text "beats_one", known_text "beats_two",
            known_text "twice"),
        ours = string.format(
            "missed: +P, one slot: %s; +P, up to two: %s; +2P: %s; auto: %s; rtmr-live, auto: %s",
            missed_text(by_key.beats_one), missed_text(by_key.beats_two), missed_text(by_key.twice),
            missed_text(by_key.auto),
            missed_text(by_key.live_auto)),
        verdict = papers.universal(misses),
        because = "by whether one misses with auto",
    }
end

local function run_guarantee(context)
    local section = papers.section("guarantee", TITLE, "Section IV and Appendix", {
        string.format(
            "%d random scenarios: 1 to 4 nodes, 4 to 10 jobs of up to 5 maps and 3 reduces of 5 "
            .. "to 100 s that come "
            .. "within 1 to 10 minutes, factors of at most 1, no failures. Of the jobs %d %% "
                .. "have the deadline that admission "
            .. "would just promise them, so that any mistake of an estimate is a miss; a "
                .. "variant's deadlines are made with its "
            .. "own rules. EDF and FIFO order, feedback and its readings are mixed.",
            SHARE * context.seeds, EXACT),
        string.format(
            "gt: line 10 as printed, ge: corrected; keep, drop: predecessors; beats: every %d "
            .. "s; +P: so much is "
            .. "added to every estimate; auto: our allowance, with 1, 2 or any number of maps a "
                .. "beat. The reference's "
            .. "scenarios are of its own kind.", BEAT // 1000),
        "Every run is made twice, by the kernel and by a policy in Lua on the same view: they "
            .. "must agree.",
    })
    local rows, by_key = rows_of(context, section)
    section:table("guarantee", nil, COLUMNS, rows)
    judge_paper(section, by_key)
    judge_corrected(section, by_key)
    judge_beats(section, by_key)
    judge_allowance(section, by_key)
    return section
end

M.guarantee = { name = "guarantee", title = TITLE, run = run_guarantee }

return M
