-- Section IV.A: the estimates are learnt from jobs that have finished. How acceptance and success
-- develop when they are, against estimates that are given.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local runs = require "rtmr.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Section IV.A: learnt estimates against given ones"

-- What estimates begin with: thousandths of maps' and reduces' times before the factor.
local STARTS = {
    { name = "fitted" }, { name = "just the time", factor = 1.0 },
    { name = "half the time", factor = 0.5 },
}
local POLICIES = { "rtmr", "live" }
local QUARTERS = 4
-- The workload of the paper, one of four times its jobs, and these in the same time.
local LENGTHS = { { name = "88", jobs = 88 }, { name = "352", jobs = 352 },
    { name = "352, 4 times as fast", jobs = 352,
    fast = 4 } }

-- ---- runs ---------------------------------------------------------------------------------------

-- Accepted and successful jobs of each quarter of the workload, in order of submission.
local function quarters_of(result)
    local count, made = #result.jobs, {}
    for q = 1, QUARTERS do made[q] = { jobs = 0, accepted = 0, successful = 0 } end
    for id = 1, count do
        local row, quarter = result.jobs[id], made[(id - 1) * QUARTERS // count + 1]
        quarter.jobs = quarter.jobs + 1
        if row.state ~= "rejected" then
            quarter.accepted = quarter.accepted + 1
            if row.deadline_met then quarter.successful = quarter.successful + 1 end
        end
    end
    return made
end

local function settings_of()
    local settings = {}
    for _, length in ipairs(LENGTHS) do
        for _, policy in ipairs(POLICIES) do
            for _, start in ipairs(STARTS) do
                for _, estimates in ipairs { "given", "learnt" } do
                    settings[#settings + 1] = { length = length, policy = policy, start = start,
                        estimates = estimates }
                end
            end
        end
    end
    return settings
end

local function run_setting(context, setting, seed)
    local length = setting.length
    local jobs = runs.jobs(context, "I", seed,
        { jobs = length.jobs, gap_ms = runs.gap_ms(context) // (length.fast or 1) })
    if setting.start.factor then runs.estimate(jobs, setting.start.factor) end
    local params = runs.factors(context)
    params.estimates = setting.estimates
    local result = runs.run_variant(setting.policy, jobs, seed, params)
    local made = runs.measure(result)
    made.quarters = quarters_of(result)
    return made
end

-- ---- rows ---------------------------------------------------------------------------------------

local function percent(part, whole)
    return whole > 0 and 100.0 * part / whole or nil
end

local function row_of(setting, made)
    local row = {
        length = setting.length.name, policy = runs.name(setting.policy),
        start = setting.start.name,
            estimates = setting.estimates,
        variant = setting.policy, accepted = 0, missed = 0, digest = papers.DIGEST_START,
    }
    for q = 1, QUARTERS do
        local jobs, accepted, successful = 0, 0, 0
        for _, run in ipairs(made) do
            local quarter = run.quarters[q]
            jobs, accepted, successful = jobs + quarter.jobs, accepted + quarter.accepted,
                successful + quarter.successful
        end
        row["accept_" .. q], row["success_" .. q] = percent(accepted, jobs),
            percent(successful, accepted)
    end
    for _, metric in ipairs(runs.METRICS) do
        local values = {}
        for _, run in ipairs(made) do values[#values + 1] = run[metric] end
        local sample = #values > 0 and experiment.summary(values)
        if sample then row[metric], row[metric .. "_half"] = sample.mean, sample.half end
    end
    for _, run in ipairs(made) do
        row.accepted, row.missed = row.accepted + run.accepted, row.missed + run.missed
        row.digest = papers.fold(row.digest, run.digest)
    end
    row.digest = papers.digest_text(row.digest)
    return row
end

local function columns()
    local made = {
        { key = "length", title = "jobs" }, { key = "policy", title = "scheduler" },
        { key = "start", title = "first estimates" },
        { key = "estimates", title = "then" },
    }
    for q = 1, QUARTERS do
        made[#made + 1] = runs.column("accept_" .. q, q == 1 and "accepted %, by quarters" or "")
    end
    for q = 1, QUARTERS do
        made[#made + 1] = runs.column("success_" .. q, q == 1 and "successful %, by quarters" or "")
    end
    for _, metric in ipairs { "accept", "success", "use" } do
        local shown, hidden = runs.interval_columns(metric,
            ({ accept = "accepted %", success = "successful %",
            use = "utilisation %" })[metric])
        table.move({ shown, hidden }, 1, 2, #made + 1, made)
    end
    return table.move({ { key = "accepted" }, { key = "missed", title = "missed", right = true },
        runs.DIGEST_COLUMN }, 1, 3,
        #made + 1, made)
end

-- ---- claims -------------------------------------------------------------------------------------

local function find(rows, length, variant, start, estimates)
    for _, row in ipairs(rows) do
        local found = row.length == length and row.variant == variant and row.start == start
            and row.estimates == estimates
        if found then return row end
    end
end

local function judge_accepts(section, rows)
    local parts, more = {}, 0
    for _, length in ipairs(LENGTHS) do
        for _, policy in ipairs(POLICIES) do
            local given, learnt = find(rows, length.name, policy, "fitted", "given"),
                find(rows, length.name, policy, "fitted",
                "learnt")
            if learnt.accept - learnt.accept_half > given.accept + given.accept_half then
                more = more + 1
            end
            local least = find(rows, length.name, policy, "just the time", "given")
            parts[#parts + 1] =
                string.format("%s, %s jobs: %.1f instead of %.1f %% (with just the time: %.1f %%)",
                learnt.policy,
                length.name, learnt.accept, given.accept, least.accept)
        end
    end
    section:claim {
        label = "ours: learning lets more jobs in", where = "Section IV.A",
        claim = "Estimates learnt from finished jobs are shorter than the fitted ones, and more "
            .. "jobs are accepted.", paper = "-",
        ours = table.concat(parts, "; "), verdict = experiment.verdict(more, #parts),
        because = string.format("beyond doubt in %d of %d", more, #parts),
    }
end

-- Estimates that are too short, under the rate that shows it.
local function judge_mends(section, rows)
    local parts, mended = {}, 0
    for _, policy in ipairs(POLICIES) do
        local given = find(rows, LENGTHS[#LENGTHS].name, policy, STARTS[#STARTS].name, "given")
        local learnt = find(rows, LENGTHS[#LENGTHS].name, policy, STARTS[#STARTS].name, "learnt")
        if given.missed > 0 and learnt.missed < 0.1 * given.missed then mended = mended + 1 end
        parts[#parts + 1] = string.format("%s: %d of %d missed as given, %d of %d as learnt",
            given.policy, given.missed,
            given.accepted, learnt.missed, learnt.accepted)
    end
    section:claim {
        label = "ours: learning mends short estimates", where = "Section IV.A",
        claim = "Where given estimates are half of the time, what is learnt soon takes their "
            .. "place and jobs make their "
            .. "deadlines.",
        paper = "-", ours = string.format("%s jobs: %s", LENGTHS[#LENGTHS].name,
            table.concat(parts, "; ")),
        verdict = experiment.verdict(mended, #POLICIES),
        because = "by whether less than a tenth of the misses is left",
    }
end

local function judge_safe(section, rows)
    local parts, missed = {}, 0
    for _, length in ipairs(LENGTHS) do
        local late, accepted = 0, 0
        for _, row in ipairs(rows) do
            if row.estimates == "learnt" and row.length == length.name then
                late, accepted = late + row.missed, accepted + row.accepted
            end
        end
        missed = missed + late
        parts[#parts + 1] = string.format("%s jobs: %d of %d", length.name, late, accepted)
    end
    section:claim {
        label = "ours: is what is learnt an upper bound?", where = "Section IV.A",
        claim = "c_m^max, c_r^max and rho, the maxima of past jobs, are upper bounds for those "
            .. "to come.", paper = "assumed",
        ours = "missed: " .. table.concat(parts, "; "), verdict = papers.universal(missed),
        because = "a task may last longer than any before it; but a reduce's time per unit of "
            .. "input is largest in the smallest "
            .. "jobs, which leaves large ones time to spare",
    }
end

local function run_learnt(context)
    local section = papers.section("learnt", TITLE, "Section IV.A", {
        "Workload I, one of four times as many jobs, and these within the same 21 minutes. "
            .. "Estimates of a job are given, or "
            .. "learnt: the largest time per unit of input of any finished job, times its own "
                .. "input (estimates=learnt); before "
            .. "a job has finished they are the given ones: the fitted ones (1.75 and 10.95 "
                .. "times the time before the factor), "
            .. "just that time, or half of it.",
        string.format(
            "Quarters of the jobs in order of submission, over %s; means with 95 %% intervals.",
            text.count(context.seeds, "seed")),
        runs.fitted_text(context, true),
    })
    local settings, seeds = settings_of(), runs.seeds(context)
    local values = papers.each(context, "learnt estimates", #settings * #seeds, function(task)
        return run_setting(context, settings[(task - 1) // #seeds + 1],
            seeds[(task - 1) % #seeds + 1])
    end, "part", settings)
    local rows = {}
    for s, setting in ipairs(settings) do
        rows[s] = row_of(setting, table.move(values, (s - 1) * #seeds + 1, s * #seeds, 1, {}))
    end
    section:table("learnt", nil, columns(), rows)
    judge_accepts(section, rows)
    judge_mends(section, rows)
    judge_safe(section, rows)
    return section
end

M.learnt = { name = "learnt", title = TITLE, run = run_learnt }

return M
