-- Notices: what a run, a comparison or a sweep has to say beside its numbers. They are made here,
-- in one order and one voice, and printed by one function.

local say = require "pinion.base.say"
local tails = require "pinion.workload.tails"
local text = require "pinion.base.text"

local M = {}

---What a made thing is looked at for.
---@class pinion.NoticeOptions
---@field quiet boolean|nil say nothing but that a policy has failed
---@field table_says boolean|nil the table that was printed says itself that a system is growing
---@field axes pinion.Axis[]|nil of a sweep

-- Returns whether there are runs; a comparison or a sweep has rows of them; a result, whose rows
-- are of jobs, is its own only row.
local function has_runs(made)
    return made.completed ~= nil
end

local function rows_of(made)
    return has_runs(made) and made.rows or { made }
end

-- ---- a system that does not keep up with its arrivals -------------------------------------------

local GREW <const> = "the number of jobs was still growing when arrivals ended"
local CONSEQUENCE <const> = ", so means depend on the run's length"
M.GROWING = GREW .. CONSEQUENCE

---Returns what growth means, for people.
---@param quarters number[]
---@return string
function M.growing(quarters)
    local numbers = {}
    for q, number in ipairs(quarters) do
        numbers[q] = text.number(number, number < 10 and 1 or 0)
    end
    return string.format("%s (on average %s in the quarters of the arrivals)%s", GREW,
        table.concat(numbers, ", "), CONSEQUENCE)
end

-- More cells of a sweep than this are counted, not named.
local CELLS_NAMED = 3

-- Returns what a row is called: its policy, and in a sweep the values that matter to it.
local function name_of(made, row)
    local words = { row.policy }
    for _, axis in ipairs(made.over or {}) do
        if row[axis.name] ~= nil then
            words[#words + 1] = axis.name .. "=" .. tostring(row[axis.name])
        end
    end
    return table.concat(words, " ")
end

local function growing_cells(sweep, add)
    local growing, named = 0, {}
    for _, row in ipairs(sweep.rows) do
        if row.growing then
            growing = growing + 1
            if growing <= CELLS_NAMED then named[growing] = name_of(sweep, row) end
        end
    end
    if growing == 0 then return end
    add("%d of %s (%s%s): %s", growing, text.count(#sweep.rows, "row"), table.concat(named, "; "),
        growing > CELLS_NAMED and "; …" or "", M.GROWING)
end

local function add_growth(made, add)
    if made.over then return growing_cells(made, add) end
    for _, row in ipairs(rows_of(made)) do
        if row.growing then add("%s: %s", row.policy, M.growing(row.quarters)) end
    end
end

-- ---- batches without a proof of what their best makespan is -------------------------------------

local LACKING = {
    { "level", "no tight bound at level stage (policy exact proves one at level task)" },
    { "resplit", "no tight bound with resplit" },
    { "large", "no proof: too large for the search of policy exact (at most 32 jobs; "
        .. "256 tasks and 128 slots of a stage)" },
    { "gave_up", "the search of policy exact gave up (parameter max_nodes): its bound is "
        .. "proven, but may not be the best" },
}

-- Counts how many runs lack a proof for each reason, and of how many runs that can be said.
local function count_lacking(made)
    if not has_runs(made) then return made.proof and { [made.proof] = 1 } or {}, 1 end
    local lacking, runs = {}, 0
    for _, row in ipairs(made.rows) do
        if next(row.proofs or {}) ~= nil then runs = runs + (row.replicas or made.completed) end
        for name, count in next, row.proofs or {} do
            lacking[name] = (lacking[name] or 0) + count
        end
    end
    return lacking, runs
end

-- Adds each reason once, with the number of runs where it is not that of all.
local function add_proofs(made, add)
    local lacking, runs = count_lacking(made)
    for _, entry in ipairs(LACKING) do
        local of = lacking[entry[1]]
        if of then
            add("%s%s", entry[2], of < runs and string.format(", in %d of %d runs", of, runs) or "")
        end
    end
end

-- ---- promises that leave something out ----------------------------------------------------------
-- Where a node is offered slots at its heartbeats only, tasks wait for them, and a policy that
-- admits jobs by estimates knows of that by est_extra_ms alone.

-- Returns the longest time between two heartbeats of the runs; 0: there is none.
local function longest_beat(params, axes)
    local longest = math.tointeger(params.heartbeat_ms) or 0
    for _, axis in ipairs(axes) do
        if axis.name == "params.heartbeat_ms" then
            for _, value in ipairs(axis.values) do
                longest = math.max(longest, math.tointeger(value) or 0)
            end
        end
    end
    return longest
end

local function varies(axes, name)
    for _, axis in ipairs(axes) do
        if axis.name == name then return true end
    end
    return false
end

-- Adds promises; one who has given est_extra_ms knows.
local function add_promises(settings, made, axes, add)
    local params, promises = settings.params or {}, false
    for _, row in ipairs(rows_of(made)) do promises = promises or row.promises end
    if not promises or params.est_extra_ms ~= nil or varies(axes, "params.est_extra_ms") then
        return
    end
    local beat = longest_beat(params, axes)
    if beat > 0 then
        add("heartbeat_ms is %d and est_extra_ms 0: promises leave out what tasks wait for "
            .. "heartbeats (expected est_extra_ms=auto)",
            beat)
    end
end

-- ---- policies that have nothing to decide -------------------------------------------------------

local function add_idle(made, add)
    if made.idle and not made.interrupted then
        add("the load is only %.2g, so policies hardly differ (try load=0.7 in the "
            .. "workload)", made.idle)
    end
end

-- ---- replicas that do not differ ----------------------------------------------------------------

local function add_alike(made, settings, add)
    if not has_runs(made) or made.completed < 2 then return end
    local differ, vary = false, false
    for _, row in ipairs(made.rows) do
        differ, vary = differ or row.differs, vary or not row.alike
    end
    local hint = settings.workload:is_recorded(settings.model)
        and "; resample=blocks in the workload draws other jobs" or ""
    if not differ then
        add("all %d replicas are the same, because nothing in this run is random: intervals have "
            .. "no meaning (--replicas 1 gives the same numbers%s)", made.completed, hint)
    elseif not vary then
        add("the means of all %d replicas are the same, because nothing that this run draws has "
            .. "an effect on them: they have no intervals (--replicas 1 gives the same means%s)",
            made.completed, hint)
    end
end

-- ---- policies that decide alike -----------------------------------------------------------------

-- Returns what rows with the same decisions have in common: of a sweep also what is varied beside
-- parameters, as other clusters or jobs say nothing of a policy.
local function decisions_of(made, row)
    local words = { row.digest }
    for _, axis in ipairs(made.over or {}) do
        if not axis.name:find "^params%." then words[#words + 1] = tostring(row[axis.name]) end
    end
    return table.concat(words, " ")
end

-- Adds the rows with the same digest: every decision of every run is the same. More groups than a
-- few, or more rows of a group, are counted.
local function add_same(made, add)
    if not has_runs(made) or made.completed == 0 then return end
    local groups, by_decisions = {}, {}
    for _, row in ipairs(made.rows) do
        local key = decisions_of(made, row)
        local group = by_decisions[key] or {}
        by_decisions[key] = group
        group[#group + 1] = name_of(made, row)
        if #group == 2 then groups[#groups + 1] = group end
    end
    for i = 1, math.min(#groups, CELLS_NAMED) do
        local group = groups[i]
        local named = math.min(#group - 1, 2 * CELLS_NAMED)
        local rest = #group - named
        add("%s and %s made the same decisions", table.concat(group, ", ", 1, named),
            rest > 1 and rest .. " more" or group[#group])
    end
    if #groups > CELLS_NAMED then
        add("the rows of %s made the same decisions, too",
            text.count(#groups - CELLS_NAMED, "more group"))
    end
end

-- ---- windows without jobs -----------------------------------------------------------------------

local function add_windows(settings, add)
    local sample = (settings.workload.options or {}).replicas
    if not (sample and settings.windows) or settings.windows == sample.windows then return end
    add("%d of %d windows of the workload have no jobs: there are %s",
        sample.windows - settings.windows, sample.windows, text.count(settings.windows, "replica"))
end

-- ---- a warm-up that should be left out ----------------------------------------------------------

local function add_warmup(made, add)
    if made.warmup_suggested then
        add("the first %d jobs move the mean by more than a quarter of its interval (--warmup auto "
            .. "leaves them out)", made.warmup_suggested)
    end
end

-- ---- sizes without a variance -------------------------------------------------------------------

local function add_tails(settings, made, add)
    local option = has_runs(made) and made.completed > 1 and settings.workload
        and tails.without_variance(settings.workload)
    if option then
        add("%s has no variance: intervals over replicas are too narrow, however many there are",
            option)
    end
end

-- ---- runs that end with jobs left, although nothing ends them -----------------------------------
-- A policy that gives nothing has failed; where slots are down for good, the run is as it must be.

---Adds what a run of a comparison says to its row: the runs that stalled, and the worst reason.
---@param row table
---@param word string|nil of one run
function M.add_stall(row, word)
    if not word then return end
    row.stalls = (row.stalls or 0) + 1
    if row.stalled ~= "policy" then row.stalled = word end
end

-- Returns what holds the jobs back; `word` is what the core calls it.
local function holds_back(word, jobs)
    if word == "policy" then
        return string.format("stopped giving slots although slots were free: %s unfinished", jobs)
    end
    return string.format("no %s is up: %s unfinished", word, jobs)
end

local function stalled_alone(result)
    return string.format("after time %d, %s", result.time,
        holds_back(result.stalled, text.count(result.unfinished, "job")))
end

local function stalled_in_runs(row)
    return holds_back(row.stalled, "jobs are") .. (row.stalls > 1 and ", in several runs" or "")
end

-- Adds stalls. A sweep has many rows of a policy: one line says enough. True when a policy has
-- failed.
local function add_stalls(made, quiet, add)
    local failed, seen = false, {}
    for _, row in ipairs(rows_of(made)) do
        local own = row.stalled == "policy"
        failed = failed or own
        if row.stalled and (own or not quiet) and not seen[row.policy] then
            seen[row.policy] = true
            add("policy %s: %s", row.policy, has_runs(made) and stalled_in_runs(row)
                or stalled_alone(row))
        end
    end
    return failed
end

-- ---- all of them --------------------------------------------------------------------------------

---Says on standard error what is to be said of a result, a comparison or a sweep.
---@param made pinion.Result|pinion.Comparison|pinion.Sweep
---@param settings pinion.Settings
---@param options pinion.NoticeOptions
---@return boolean failed a policy has failed
function M.print(made, settings, options)
    if not options.quiet then
        if not options.table_says then add_growth(made, say) end
        add_idle(made, say)
        add_alike(made, settings, say)
        add_same(made, say)
        add_windows(settings, say)
        add_warmup(made, say)
        add_tails(settings, made, say)
        add_proofs(made, say)
        add_promises(settings, made, options.axes or {}, say)
    end
    return add_stalls(made, options.quiet, say)
end

return M
