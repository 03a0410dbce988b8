-- The runs behind the sections on RTMR: workloads I and II under several policies and settings over
-- many seeds. The seed draws the jobs and how long their tasks take, so policies always meet the
-- same workload. Jobs are made as lists, as some settings leave jobs out or estimate them
-- otherwise.

local experiment = require "pinion".experiment
local first_jobs = require "rtmr.jobs"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "rtmr.reference"
local text = require "shared.text"

local M = {}

-- ---- variants -----------------------------------------------------------------------------------

---@class pinion.RtmrVariant
---@field name string as tables have it
---@field policy string
---@field params table|nil
---@field small boolean|nil without jobs of more reduces than there are slots, as the paper has it for DC

local BEATS = reference.fitted.heartbeat_ms

---@type table<string, pinion.RtmrVariant>
M.VARIANTS = {
    rtmr = { name = "RTMR", policy = "rtmr" },
    strict = { name = "RTMR, strict", policy = "rtmr", params = { reserve = "strict" } },
    open = { name = "RTMR, no feedback", policy = "rtmr", params = { feedback = false } },
    keep = { name = "RTMR, keep", policy = "rtmr", params = { pred = "keep" } },
    open_keep = { name = "RTMR, keep, no feedback", policy = "rtmr",
        params = { pred = "keep", feedback = false } },
    beats = { name = "RTMR, beats", policy = "rtmr", params = { heartbeat_ms = BEATS } },
    beats_auto = { name = "RTMR, beats, allowance", policy = "rtmr",
        params = { heartbeat_ms = BEATS, est_extra_ms = "auto" } },
    live = { name = "rtmr-live", policy = "rtmr-live" },
    live_auto = { name = "rtmr-live, beats, allowance", policy = "rtmr-live",
                  params = { heartbeat_ms = BEATS, est_extra_ms = "auto" } },
    dc = { name = "DC, asap", policy = "dc", params = { dc_reduce_start = "asap" } },
    srmax = { name = "DC, srmax", policy = "dc", params = { dc_reduce_start = "srmax" } },
    dc_small = { name = "DC, asap, R <= 30", policy = "dc", params = { dc_reduce_start = "asap" },
        small = true },
    srmax_small = { name = "DC, srmax, R <= 30", policy = "dc",
        params = { dc_reduce_start = "srmax" }, small = true },
    fifo = { name = "FIFO", policy = "fifo" },
    fifo_late = { name = "FIFO, no slow-start", policy = "fifo",
        params = { reduce_start = "after_maps" } },
}

---Those of the figures.
M.DRAWN = { "rtmr", "open", "live", "dc", "srmax" }

---@param variant string
function M.name(variant)
    return M.VARIANTS[variant].name
end

-- ---- jobs ---------------------------------------------------------------------------------------

---What `--set` gave; empty when the settings are the fitted ones.
---@param context pinion.PaperContext
---@return table<string, any>
function M.given(context)
    return context.set or {}
end

---Whether numbers may be held to the reference's.
function M.is_fitted(context)
    return next(M.given(context)) == nil
end

-- Of nodes and factors. `--set` may change factors beside what the generator has.
local FACTORS = { factor_lo = true, factor_hi = true }

---@param context pinion.PaperContext
---@return table params of every run of our jobs
function M.factors(context)
    local given = M.given(context)
    return {
        factor_lo = given.factor_lo or reference.fitted.factor_lo, factor_hi = given.factor_hi
            or reference.fitted.factor_hi,
        theta_ms = given.map_ms or reference.fitted.theta_ms,
    }
end

---Mean time between submissions.
function M.gap_ms(context)
    return M.given(context).gap_ms or reference.gap_ms
end

---A workload of our generator.
---@param context pinion.PaperContext
---@param name string "I" or "II"
---@param more table<string, any>|nil options in place of those of `--set`
---@return pinion.Workload
function M.workload(context, name, more)
    local options = { workload = name }
    for _, from in ipairs { M.given(context), more or {} } do
        for option, value in next, from do
            if not FACTORS[option] then options[option] = value end
        end
    end
    return pinion.workload.rtmr(options)
end

---The jobs of a workload as a list.
---@param context pinion.PaperContext
---@param name string
---@param seed integer
---@param more table<string, any>|nil
---@return table[]
function M.jobs(context, name, seed, more)
    return M.workload(context, name, more):jobs { seed = seed }
end

-- As the reference rounds: up, and two more, so that it is an upper bound whatever becomes of
-- fractions.
local function estimated(permille, reduces, microseconds)
    return (microseconds * permille + 1000 * reduces - 1) // (1000 * reduces) + 2
end

---The jobs of the reference's seed 1, with the durations that it was given.
---@param name string "I" or "II"
---@param times table<string, integer>|nil default: the fitted ones
---@return table[]
function M.first_jobs(name, times)
    times = times or reference.fitted
    local jobs = {}
    for submit, maps, reduces, deadline in first_jobs[name]:gmatch "(%d+):(%d+):(%d+):(%d+)" do
        maps, reduces = math.tointeger(maps), math.tointeger(reduces)
        local share = times.reduce_ms * reduces + times.reduce_block_ms * maps
        jobs[#jobs + 1] = {
            submit = math.tointeger(submit), maps = maps, reduces = reduces,
            deadline = 1000 * math.tointeger(deadline),
            map_ms = times.map_ms,
            -- The reference computes this in doubles of seconds, and cuts.
            reduce_ms = math.floor(
                (times.reduce_ms / 1000 + times.reduce_block_ms / 1000 * maps / reduces) * 1000),
            est_map_ms = estimated(times.est_map_permille, 1, times.map_ms),
            est_reduce_ms = estimated(times.est_reduce_permille, reduces, share),
        }
    end
    return jobs
end

-- An estimate of at least a millisecond.
local function scaled(ms, factor)
    return math.max(1, math.ceil(ms * factor))
end

---The same jobs estimated by their true times, before the factor, times a number.
---@param jobs table[]
---@param factor number
---@param of_reduces number|nil of those; default: the same
function M.estimate(jobs, factor, of_reduces)
    for _, job in ipairs(jobs) do
        job.est_map_ms = scaled(job.map_ms + (job.remote_ms or 0), factor)
        job.est_reduce_ms = scaled(job.reduce_ms + (job.shuffle_ms or 0), of_reduces or factor)
    end
    return jobs
end

---Those that Deadline Constraint was tested with.
local function small_jobs(jobs)
    local few = {}
    for _, job in ipairs(jobs) do
        if job.reduces <= reference.reduce_slots then few[#few + 1] = job end
    end
    return few
end

-- ---- runs ---------------------------------------------------------------------------------------

---One run of a policy.
---@param policy string|pinion.PolicyText
---@param params table
---@param nodes table[]
---@param jobs table[]
---@param seed integer|nil
---@param more table|nil further options
---@return pinion.Result
function M.run(policy, params, nodes, jobs, seed, more)
    local options = { model = "cluster", policy = policy, params = params, nodes = nodes,
        workload = jobs, seed = seed or 1,
                      bounds = "none", keep_jobs = true }
    for name, value in next, more or {} do options[name] = value end
    return papers.run(options)
end

---@class pinion.RtmrRun
---@field accept number percent of the jobs
---@field success number percent of the accepted ones; nil if there is none
---@field use number percent of the slots' time; 0 if no job is accepted
---@field span number seconds from the first submission to the last finish
---@field reducing number mean number of jobs that run reduces, from their first one to their finish
---@field accepted integer
---@field missed integer accepted jobs that did not make their deadlines
---@field late integer jobs that were told so
---@field fired integer
---@field digest string

local function percent(ratio)
    return ratio and 100.0 * ratio
end

-- Returns the time for which jobs ran reduces, in sum.
local function reducing_ms(result)
    local sum = 0
    for _, row in ipairs(result.jobs) do
        sum = sum + (row.finish and row.first_reduce_start
            and row.finish - row.first_reduce_start or 0)
    end
    return sum
end

---@param result pinion.Result
---@return pinion.RtmrRun
function M.measure(result)
    return {
        span = result.span / 1000, reducing = reducing_ms(result) / math.max(1, result.span),
        accept = percent(result.accept_ratio), success = percent(result.success_ratio),
        use = percent(result.utilisation) or 0.0,
        accepted = result.accepted, missed = result.accepted - result.successful,
        late = result.late or 0,
        fired = result.feedback_fired or 0, digest = result.digest,
    }
end

---One of the variants on a list of jobs of workloads I and II.
---@param variant string
---@param jobs table[]
---@param seed integer
---@param params table|nil beside the variant's, and before them
---@return pinion.Result
function M.run_variant(variant, jobs, seed, params)
    local about = M.VARIANTS[variant]
    local all = { factor_lo = reference.fitted.factor_lo, factor_hi = reference.fitted.factor_hi,
                  theta_ms = reference.fitted.theta_ms }
    for _, from in ipairs { params or {}, about.params or {} } do
        for name, value in next, from do all[name] = value end
    end
    return M.run(about.policy, all, reference.nodes, about.small and small_jobs(jobs) or jobs, seed)
end

-- ---- cells --------------------------------------------------------------------------------------

---@class pinion.RtmrSetting
---@field workload string
---@field variants string[]
---@field seeds integer[]
---@field first boolean|nil the jobs of the reference's seed 1, whatever the seed
---@field times table|nil of these; default: the fitted durations
---@field options table|nil of the generator
---@field estimates number|nil factor on the true times; nil: as the generator has it
---@field reduces number|nil … of reduces
---@field mixed integer|nil maps of every other job take so many times as long, and are estimated so
---@field params table|nil

---@class pinion.RtmrCell
---@field seeds integer[]
---@field runs table<string, pinion.RtmrRun[]> by variant and place of the seed
---@field digest table<string, string>

local function jobs_of(context, setting, seed)
    local jobs = setting.first and M.first_jobs(setting.workload, setting.times)
        or M.jobs(context, setting.workload, seed, setting.options)
    for id = 1, setting.mixed and #jobs or 0, 2 do
        jobs[id].map_ms = jobs[id].map_ms * setting.mixed
        jobs[id].est_map_ms = jobs[id].est_map_ms * setting.mixed
    end
    return setting.estimates and M.estimate(jobs, setting.estimates, setting.reduces) or jobs
end

local function run_setting(context, setting, seed)
    -- The reference's jobs are what they are.
    local params, made = setting.first and {} or M.factors(context), {}
    for name, value in next, setting.params or {} do params[name] = value end
    local jobs = jobs_of(context, setting, seed)
    for _, variant in ipairs(setting.variants) do
        made[variant] = M.measure(M.run_variant(variant, jobs, seed, params))
    end
    return made
end

---@param context pinion.PaperContext
---@param label string for the progress line
---@param settings pinion.RtmrSetting[]
---@return pinion.RtmrCell[]
function M.cells(context, label, settings)
    local tasks, cells = {}, {}
    for s, setting in ipairs(settings) do
        cells[s] = { seeds = setting.seeds, runs = {}, digest = {} }
        for i, seed in ipairs(setting.seeds) do
            tasks[#tasks + 1] = { setting = s, place = i, seed = seed }
        end
    end
    local values = papers.each(context, label, #tasks, function(task)
        return run_setting(context, settings[tasks[task].setting], tasks[task].seed)
    end, "part", settings)
    for t, task in ipairs(tasks) do
        for variant, run in next, values[t] do
            local runs = cells[task.setting].runs
            runs[variant] = runs[variant] or {}
            runs[variant][task.place] = run
        end
    end
    for _, cell in ipairs(cells) do
        for variant, runs in next, cell.runs do
            local folded = papers.DIGEST_START
            for _, run in ipairs(runs) do folded = papers.fold(folded, run.digest) end
            cell.digest[variant] = papers.digest_text(folded)
        end
    end
    return cells
end

---The seeds of a sample.
---@param context pinion.PaperContext
---@return integer[]
function M.seeds(context)
    local seeds = {}
    for i = 1, context.seeds do seeds[i] = 1000 * (context.seed - 1) + i end
    return seeds
end

M.METRICS = { "accept", "success", "use" }
M.METRIC_WORDS = { accept = "accepted jobs", success = "successful of these", use = "utilisation",
    reducing = "jobs that reduce", span = "seconds" }

---A number of each run, by place of the seed; runs that have none are left out.
---@param cell pinion.RtmrCell
---@return number[]
function M.values(cell, variant, metric)
    local values = {}
    for _, run in ipairs(cell.runs[variant]) do values[#values + 1] = run[metric] end
    return values
end

---What is said of them; nil when no run has the number.
function M.sample(cell, variant, metric)
    local values = M.values(cell, variant, metric)
    return #values > 0 and experiment.summary(values) or nil
end

---One variant's number minus another's, seed by seed.
function M.difference(cell, metric, variant, against)
    local ours, theirs = M.values(cell, variant, metric), M.values(cell, against, metric)
    for i = 1, #ours do ours[i] = ours[i] - theirs[i] end
    return experiment.summary(ours)
end

---A count over all runs.
function M.total(cell, variant, field)
    local sum = 0
    for _, run in ipairs(cell.runs[variant]) do sum = sum + run[field] end
    return sum
end

-- ---- words and columns --------------------------------------------------------------------------

---"56.8 ±2.1"
function M.interval(sample, decimals)
    return sample and text.with_half(sample.mean, sample.half, decimals or 1) or "-"
end

---A difference with its sign.
function M.signed(value, decimals)
    local written = string.format("%+." .. (decimals or 1) .. "f", value)
    return (written:gsub("^[+-](0%.?0*)$", "%1"))
end

---@param decimals integer|nil default 1
function M.signed_interval(sample, decimals)
    return M.signed(sample.mean, decimals)
        .. string.format(" ±%." .. (decimals or 1) .. "f", sample.half)
end

---A column of numbers.
function M.column(key, title, decimals)
    return { key = key, title = title, right = true,
        show = function(value) return text.number(value, decimals or 1) end }
end

---Columns of a mean and of its half width, shown as one.
---@param decimals integer|nil default 1
function M.interval_columns(key, title, decimals)
    return { key = key, title = title, right = true, show = function(value, row)
        return text.with_half(value, row[key .. "_half"], decimals or 1)
    end }, { key = key .. "_half" }
end

M.DIGEST_COLUMN = { key = "digest", title = "digest", show = function(value) return value or ""
    end }

---The reference cuts ratios to thousandths: so far its means of several runs may lie below ours.
M.ROUNDING = 0.1

---Holds a ratio of a single run to the reference's, which is cut.
---@param section pinion.PaperSection
---@param label string
---@param ours number percent
---@param theirs number
---@param loose number|nil how far apart they may be; default: not at all
---@return boolean agrees
function M.compare_cut(section, label, ours, theirs, loose)
    return section:compare(label, math.floor(10 * ours + 1e-9) / 10, theirs, loose or 1e-9)
end

---Fewer seeds than these do not tell similar from different.
M.ENOUGH = 5
M.TOO_FEW = string.format("fewer than %d seeds do not tell how far single runs stray", M.ENOUGH)

---What stands above every section that rests on the fitted durations.
---@param context pinion.PaperContext
---@param short boolean|nil without what they are
function M.fitted_text(context, short)
    local fitted = reference.fitted
    if not M.is_fitted(context) then
        local given = {}
        for name, value in next, M.given(context) do
            given[#given + 1] = string.format("%s=%s", name, value)
        end
        table.sort(given)
        return string.format(
            "Settings given with --set: %s. Numbers of our generator's jobs are "
            .. "not held to the reference.",
            table.concat(given, ", "))
    end
    if short then
        return "Durations and estimates are the FITTED ones of the section \"tables\"; the section "
            .. "identified shows the verdicts with others."
    end
    return string.format(
        "The settings are FITTED: the paper gives no duration of a task and no estimate. The "
        .. "reference tried more than %d settings on its seed 1 until accepted jobs and "
        .. "utilisation of RTMR with and without feedback and FIFO's utilisation came near the "
        .. "paper's: maps %g s, reduces %g s and %g s a block, each times a factor in %g..%g; "
        .. "estimates %g and %g times the time before the factor. Agreement in these numbers was "
        .. "made, not found; the section identified shows the verdicts with other settings.",
        reference.tried,
        fitted.map_ms / 1000, fitted.reduce_ms / 1000, fitted.reduce_block_ms / 1000,
        fitted.factor_lo / 1000,
        fitted.factor_hi / 1000, fitted.est_map_permille / 1000, fitted.est_reduce_permille / 1000)
end

return M
