-- The kill livelock: two jobs that take the one reduce slot from each other for ever. Then how
-- often that happens to random jobs, and what a guard does about it.

local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Beyond the paper: jobs that kill each other for ever"

local known = reference.livelock

-- So many kills of a task at most; 0: any number, as in the paper.
local GUARDS = { 0, 1, 3 }

-- ---- the counterexample -------------------------------------------------------------------------

---@param policy string
---@param guard integer
---@param more table|nil
---@return pinion.Result
local function counterexample(policy, guard, more)
    return runs.run(policy, { max_kills_per_task = guard, max_time_ms = known.max_time_ms },
        known.nodes, known.jobs, nil, more)
end

---What the paper's PuP and the guarded one make of the two jobs.
---@return pinion.Result literal, pinion.Result guarded
function M.pair()
    return counterexample("hsrtf-pup", 0), counterexample("hsrtf-pup", 3)
end

local function row_of(policy, guard)
    local result = counterexample(policy, guard)
    local row = {
        policy = policy, guard = guard, kills = result.kills, finished = result.finished,
        unfinished = result.unfinished,
        slots = result.slot_ms / 1000, digest = result.digest,
    }
    for id = 1, #known.jobs do
        row["finish_" .. id] = result.jobs[id].finish and result.jobs[id].finish / 1000
    end
    return row
end

local function seconds(value)
    return value and text.number(value, 0) or "never"
end

local COLUMNS = {
    runs.POLICY_COLUMN, { key = "guard", title = "kills of a task at most", right = true,
        show = function(value, row) return row.policy == "hsrtf-pu" and "-"
            or value == 0 and "any number" or tostring(value) end },
    { key = "kills", title = "kills", right = true },
    { key = "finished", title = "jobs done", right = true },
    { key = "finish_1", title = "first done (s)", right = true, show = seconds },
    { key = "finish_2", title = "second done (s)", right = true, show = seconds },
    runs.column("slots", "slot time used (s)", 0), { key = "unfinished" },
    { key = "digest", title = "digest" },
}

-- ---- random jobs --------------------------------------------------------------------------------

-- Reduces that outlast the 10 s between estimates, on few slots. The work is done in minutes,
-- whoever is first.
local RANDOM_LIMIT_MS = 4 * 3600 * 1000

---@param seed integer
---@param number integer
---@return { nodes: table[], jobs: table[] }
function M.scenario(seed, number)
    local draw = papers.draws(seed, number)
    local made = { nodes = { { count = draw(1, 3), map_slots = draw(1, 2), reduce_slots = 1 } },
        jobs = {} }
    for id = 1, draw(2, 5) do
        made.jobs[id] = { submit = 1000 * draw(0, 30), maps = draw(1, 6), reduces = draw(1, 3),
            map_ms = 1000 * draw(5, 30),
                          reduce_ms = 1000 * draw(5, 60), shuffle_ms = 1000 * draw(0, 10) }
    end
    return made
end

-- How many of many scenarios never end, by policy and guard, and kills over all of them.
local function sweep(context, count)
    local variants = {}
    for _, policy in ipairs { "hsrtf-pup", "hsrtf-prp", runs.SPARING } do
        for _, guard in ipairs(GUARDS) do
            variants[#variants + 1] = { policy = policy, guard = guard }
        end
    end
    local values = papers.each(context, "random scenarios", count, function(number)
        local scenario, made = M.scenario(context.seed, number), {}
        for i, variant in ipairs(variants) do
            local params = { max_kills_per_task = variant.guard, max_time_ms = RANDOM_LIMIT_MS }
            local result = runs.run(variant.policy, params, scenario.nodes, scenario.jobs, nil,
                { keep_jobs = false })
            made[i] = { unfinished = result.unfinished, kills = result.kills,
                digest = result.digest }
        end
        return made
    end)
    for i, variant in ipairs(variants) do
        variant.scenarios, variant.stuck, variant.kills, variant.digest = count, 0, 0,
            papers.DIGEST_START
        for number, made in ipairs(values) do
            local value = made[i]
            if value.unfinished > 0 then
                variant.stuck = variant.stuck + 1
                variant.first = variant.first or number
            end
            variant.kills = variant.kills + value.kills
            variant.digest = papers.fold(variant.digest, value.digest)
        end
        variant.digest = papers.digest_text(variant.digest)
    end
    return variants
end

local SWEEP_COLUMNS = {
    COLUMNS[1], COLUMNS[2], { key = "scenarios", title = "scenarios", right = true },
    { key = "stuck", title = "never end",
        right = true },
    { key = "first" }, { key = "kills", title = "kills in all", right = true },
    { key = "digest", title = "digest" },
}

-- Scenarios for each seed.
local SHARE = 3

-- ---- claims -------------------------------------------------------------------------------------

local function judge_pair(section, literal, guarded)
    section:claim {
        label = "ours: PuP can kill for ever", where = "Section 3.3",
        claim = "\"hSRTF uses kill action to free up slots for tasks belonging to jobs with the "
            .. "shortest remaining times.\"",
        paper = "no limit, and no word that it ends",
        reference = string.format("%d kills in %d s, no job done", known.kills,
            known.max_time_ms // 1000),
        ours = string.format("%s in %d s, %s of %d done; at most %d of a task: %s, %d of %d done",
            text.count(literal.kills,
            "kill"),
            known.max_time_ms // 1000, text.count(literal.finished, "job"), #known.jobs,
            guarded.guard,
            text.count(guarded.kills, "kill"), guarded.finished, #known.jobs),
        verdict = literal.finished == 0 and guarded.finished == #known.jobs and papers.HOLDS
            or papers.FAILS,
        because = "a counterexample: at every tick the job without a running reduce is "
            .. "estimated by eq. (2), as long as its map "
            .. "took, the other by what its reduce really takes, so they take the slot from "
                .. "each other",
    }
end

-- Scenarios that never end, of all variants that a condition chooses, and of each in words.
local function stuck_of(variants, chosen)
    local sum, parts = 0, {}
    for _, variant in ipairs(variants) do
        if chosen(variant) then
            sum, parts[#parts + 1] = sum + variant.stuck,
                string.format("%s %d", runs.NAMES[variant.policy], variant.stuck)
        end
    end
    return sum, table.concat(parts, ", ")
end

local function judge_guards(section, variants)
    local free, free_words = stuck_of(variants, function(variant) return variant.guard == 0 end)
    local held = stuck_of(variants, function(variant) return variant.guard > 0 end)
    section:claim {
        label = "ours: a limit to kills ends it", where = "not in the paper",
        claim = "With at most so many kills of a task every job ends; without, some scenarios "
            .. "never do.", paper = "-",
        reference = string.format("%d of %d random scenarios of its own never end without a guard",
            known.stuck, known.scenarios),
        ours = string.format(
            "of %s never end: %s with any number of kills; %d with at most 1 or 3 of a task",
            text.count(variants[1].scenarios, "scenario"), free_words, held),
        verdict = papers.universal(held, free == 0 and 1 or 0),
        because = held > 0 and "some never end even so" or free > 0
            and "some never end without a limit, and all do with one"
            or "no scenario of these is stuck at all",
    }
end

-- The other remedy that suggests itself.
local function judge_sparing(section, row, variants)
    local stuck = stuck_of(variants,
        function(variant) return variant.guard == 0 and variant.policy == runs.SPARING end)
    section:claim {
        label = "ours: killing only where it pays ends it", where = "not in the paper",
        claim = "It is enough to kill only where the jobs' remaining times are further apart "
            .. "than the task has run.", paper = "-",
        reference = "named as one remedy of several, not measured",
        ours = string.format("of the two jobs %d of %d are done, but %d of %s never end",
            row.finished, #known.jobs, stuck,
            text.count(variants[1].scenarios, "scenario")),
        verdict = papers.universal(stuck + (row.finished == #known.jobs and 0 or 1)),
        because = stuck == 0 and "all of these end"
            or "estimates that change with every start still let jobs take turns in "
            .. "killing",
    }
end

-- The first minute and a half, in which every kill is to be seen.
local SHOWN_MS = 90000

local function draw(context, section)
    if not context.directory then return end
    local base = context.directory .. "/livelock"
    runs.run("hsrtf-pup", { max_kills_per_task = 0, max_time_ms = SHOWN_MS }, known.nodes,
        known.jobs, nil,
        { log = base .. ".log" })
    pinion.gantt(base .. ".log", base .. ".svg",
        { title = "Two jobs, one reduce slot, PuP without a guard" })
    section.figures[#section.figures + 1] = base .. ".svg"
end

local function run_livelock(context)
    local section = papers.section("livelock", TITLE, "Section 3.3, and beyond", {
        string.format(
            "One node of 2 map slots and 1 reduce slot, two jobs at time 0: a map of 10 and 12 "
            .. "s, then a reduce of 15 "
            .. "s. The run is stopped after %d s.", known.max_time_ms // 1000),
        string.format(
            "Random scenarios that invite it: 1 to 3 nodes with a reduce slot each, 2 to 5 jobs "
            .. "of up to 6 maps and 3 "
            .. "reduces of 5 to 60 s; what is not done after %d hours counts as never ending.",
            RANDOM_LIMIT_MS // 3600000),
    })
    local rows = { row_of("hsrtf-pu", 0) }
    for _, guard in ipairs(GUARDS) do rows[#rows + 1] = row_of("hsrtf-pup", guard) end
    for _, guard in ipairs(GUARDS) do rows[#rows + 1] = row_of("hsrtf-prp", guard) end
    for _, guard in ipairs(GUARDS) do rows[#rows + 1] = row_of(runs.SPARING, guard) end
    local literal = rows[2]
    section:compare("kills of PuP", literal.kills, known.kills, 0)
    section:compare("jobs left by PuP", literal.unfinished, known.unfinished, 0)
    section:compare("slot time of PuP, ms", literal.slots * 1000, known.slot_ms, 0)
    section:table("livelock", nil, COLUMNS, rows)
    local variants = sweep(context, SHARE * context.seeds)
    section:table("livelock_random", "Random scenarios:", SWEEP_COLUMNS, variants)
    judge_pair(section, literal, rows[4])
    judge_guards(section, variants)
    judge_sparing(section, rows[8], variants)
    draw(context, section)
    return section
end

M.livelock = { name = "livelock", title = TITLE, run = run_livelock }

return M
