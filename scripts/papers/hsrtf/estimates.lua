-- How far the estimates of remaining times (equations (1) and (2)) are from the truth, over the
-- lives of jobs.

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local POLICIES = { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }
-- Policies with shares, each with the one that gives the first job all.
local SHARING = { ["hsrtf-pr"] = "hsrtf-pu", ["hsrtf-prp"] = "hsrtf-pup" }

-- Estimates are looked at so often, in runs of at most so many seeds.
local STEP_MS <const>, SEEDS_MOST <const> = 20000, 10

local STAGES = { "none", "up to 1/4", "up to 1/2", "up to 3/4", "more" }

-- ---- the truth ----------------------------------------------------------------------------------

-- Returns of each job and kind the times at which tasks ended, in order, and how long they took in
-- all.
local function tasks_of(log)
    local jobs, launched = {}, {}
    for id in ipairs(runs.ROWS) do
        jobs[id] = { map = { ends = {}, sum = 0 }, reduce = { ends = {}, sum = 0 } }
    end
    for _, entry in ipairs(experiment.decisions(log)) do
        local attempt = string.format("%s %s %s", entry.job, entry.kind, entry.task)
        if entry.event == "launch" then
            launched[attempt] = entry.time
        elseif entry.event == "end" then
            local kind = jobs[entry.job][entry.kind]
            kind.ends[#kind.ends + 1] = entry.time
            kind.sum = kind.sum + entry.time - launched[attempt]
        end
    end
    return jobs
end

local function done_at(kind, time)
    local count = 0
    while kind.ends[count + 1] and kind.ends[count + 1] <= time do count = count + 1 end
    return count
end

-- Returns equation (1) with the mean times that the job's tasks take in this run, and which stage
-- the job is in.
local function truth_at(job, row, time)
    local ms, done = 0.0, 0
    for kind, slots in next, { map = reference.map_slots, reduce = reference.reduce_slots } do
        local all = kind == "map" and row.maps or row.reduces
        local ended = done_at(job[kind], time)
        local waves = math.ceil((all - ended) / (slots * runs.NODES))
        ms, done = ms + waves * job[kind].sum / math.max(1, #job[kind].ends), done + ended
    end
    return ms, done == 0 and 1 or 2 + math.min(3, 4 * done // (row.maps + row.reduces))
end

-- ---- runs ---------------------------------------------------------------------------------------

-- Adds what the policy estimates of the jobs with waiting tasks.
local function add_instant(made, instant, jobs)
    for _, list in ipairs { instant.running, instant.waiting } do
        for _, at in ipairs(list) do
            local truth, stage = truth_at(jobs[at.job], runs.ROWS[at.job], instant.time)
            if at.key and truth > 0 then
                made.sum[stage] = made.sum[stage] + math.abs(math.log(math.max(1, at.key) / truth))
                made.count[stage] = made.count[stage] + 1
            end
        end
    end
end

local function measure(policy, seed)
    local log = os.tmpname()
    local result = runs.run_setting({}, policy, seed, { log = log })
    local jobs = tasks_of(log)
    os.remove(log)
    local made = { policy = policy, sum = {}, count = {}, digest = result.digest }
    for stage in ipairs(STAGES) do made.sum[stage], made.count[stage] = 0.0, 0 end
    for time = 0, result.span, STEP_MS do add_instant(made, result:instant(time), jobs) end
    return made
end

local function measured(context)
    if not context.cache.estimates then
        local seeds = runs.fresh_seeds(context, SEEDS_MOST)
        context.cache.estimates = papers.each(context, "estimates", #seeds * #POLICIES,
            function(task)
                local seed, policy = (task - 1) // #POLICIES, (task - 1) % #POLICIES
                return measure(POLICIES[policy + 1], seeds[seed + 1])
            end, "part", STEP_MS)
    end
    return context.cache.estimates
end

-- ---- points and claims --------------------------------------------------------------------------

-- Returns, by seed, the mean error of a policy in these stages; of seeds without such a job none.
local function errors_of(context, policy, first, last)
    local made = {}
    for _, one in ipairs(measured(context)) do
        local sum, count = 0.0, 0
        for stage = first, last do sum, count = sum + one.sum[stage], count + one.count[stage] end
        if one.policy == policy and count > 0 then
            made[#made + 1] = sum / count
        end
    end
    return made
end

local function factors(errors)
    local made = {}
    for i, error in ipairs(errors) do made[i] = math.exp(error) end
    return made
end

local function points_of(context)
    local points = {}
    for _, policy in ipairs(POLICIES) do
        local digest = papers.DIGEST_START
        for _, one in ipairs(measured(context)) do
            if one.policy == policy then
                digest = papers.fold(digest, one.digest)
            end
        end
        for stage, name in ipairs(STAGES) do
            local values = factors(errors_of(context, policy, stage, stage))
            if #values > 0 then
                points[#points + 1] = { policy = policy, curve = runs.NAMES[policy], x = stage,
                    at = name, values = values, digest = papers.digest_text(digest) }
            end
        end
    end
    return points
end

local function differences(ours, theirs)
    local made = {}
    for i = 1, math.min(#ours, #theirs) do made[i] = ours[i] - theirs[i] end
    return experiment.summary(made)
end

-- Votes on the later estimates of each policy beside its first ones.
local function judge_life(votes, context)
    local told = {}
    for i, policy in ipairs(POLICIES) do
        local first, last = errors_of(context, policy, 1, 1),
            errors_of(context, policy, #STAGES, #STAGES)
        papers.vote(votes, papers.is_less(differences(last, first)))
        told[i] = string.format("%s: %.2f, then %.2f", runs.NAMES[policy],
            experiment.summary(factors(first)).mean, experiment.summary(factors(last)).mean)
    end
    return "factors before a task is done, and when more than three quarters are: "
        .. table.concat(told, "; ")
end

local function claim_sharing(section, context)
    local votes, told = papers.votes(), {}
    for policy, other in next, SHARING do
        local ours, theirs = errors_of(context, policy, 1, #STAGES),
            errors_of(context, other, 1, #STAGES)
        papers.vote(votes, papers.is_less(differences(ours, theirs)))
        told[#told + 1] = string.format("%s: %.2f, %s: %.2f", runs.NAMES[policy],
            experiment.summary(factors(ours)).mean, runs.NAMES[other],
            experiment.summary(factors(theirs)).mean)
    end
    table.sort(told)
    section:claim {
        label = "sharing improves the estimates", where = "Section 3.5",
        claim = "Shares for every job serve \"to improve the time estimation (by allowing a few "
            .. "tasks of each job to run)\".",
        paper = "-", ours = "mean factor between estimate and truth: " .. table.concat(told, "; "),
        verdict = papers.verdict(votes),
        because = string.format("by seed and on the same jobs, the mean error of all jobs with "
            .. "waiting tasks is smaller beyond doubt in %d of 2 pairs, and larger in %d",
            votes.held, votes.failed),
    }
end

local TITLE = "How realistic the estimates are"

M.estimates = { name = "estimates", title = TITLE, run = function(context)
    return page.page {
        name = "estimates", title = TITLE,
        label = "estimates get better as tasks end", where = "Section 3.2",
        claim = "The estimate of a job's remaining time is nearer to the truth when more than "
            .. "three quarters of its tasks are done than before one is: \"our estimation gets "
            .. "more realistic with time as more information about the job can be obtained\".",
        method = {
            string.format("Every %d s, of all jobs with waiting tasks: the stored estimate, and "
                .. "equation (1) with the mean times that the job's tasks take in this run. The "
                .. "error is the factor between both, in either direction (mean of logarithms), "
                .. "%s, at most %d seeds, kills without a limit.", STEP_MS // 1000, runs.ON,
                SEEDS_MOST),
        },
        quantity = "factor", axis = "tasks done", decimals = 2,
        points = points_of,
        judge = function(votes) return judge_life(votes, context) end,
        note = function(section) claim_sharing(section, context) end,
    }.run(context)
end }

return M
