-- The runs behind the sections on hSRTF: the workload of Table 2 under several policies over many
-- seeds. Cells are made once and shared, as Figures 2 and 3 and the percentages look at the same
-- runs. The scenario's seed draws where inputs lie and how long tasks take, so policies always meet
-- the same workload.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "hsrtf.reference"
local sparing = require "hsrtf.sparing"
local text = require "shared.text"

local M = {}

---The paper's schedulers, in the order of its Table 1.
M.POLICIES = { "fifo", "fair", "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }
---Those without preemption.
M.CALM = { "fifo", "fair", "hsrtf-pu", "hsrtf-pr" }
---The paper's names, and one of ours: SPARING is written in Lua.
M.SPARING = "sparing"
M.NAMES = { fifo = "Fifo", fair = "Fair", ["hsrtf-pu"] = "Pu", ["hsrtf-pup"] = "PuP",
    ["hsrtf-pr"] = "Pr", ["hsrtf-prp"] = "PrP",
            [M.SPARING] = "sparing" }

---Of the fit.
M.NODES = reference.fitted.nodes
---What tables and figures say of them.
M.ON = string.format("%d nodes", M.NODES)

-- Nothing on this workload takes a tenth of it; a policy that kills for ever would not stop by
-- itself.
local LIMIT_MS = 24 * 3600 * 1000

-- ---- the workload -------------------------------------------------------------------------------

---What the paper leaves open of the workload.
M.DURATIONS = { "sort_map_ms", "wc_map_ms", "remote_ms", "reduce_start_ms", "reduce_block_ms",
    "shuffle_block_ms", "wc_output_permille" }

---The jobs of Table 2 with the fitted durations.
---@param durations table<string, integer>|nil in place of the fitted ones of these names
---@return pinion.Workload
function M.workload(durations)
    local large, medium, small, counting = table.unpack(reference.table2)
    local options = {
        large = large.jobs, large_maps = large.maps, large_reduces = large.reduces,
        medium = medium.jobs, medium_maps = medium.maps, medium_reduces = medium.reduces,
        small_sort = small.jobs, small_wc = counting.jobs, small_maps = small.maps,
        small_reduces = small.reduces,
        gap_ms = reference.gap_ms,
    }
    for _, name in ipairs(M.DURATIONS) do
        options[name] = durations and durations[name] or reference.fitted[name]
    end
    return pinion.workload.hsrtf(options)
end

---Rows of Table 2 by job id.
---@type table[]
M.ROWS = {}
for _, row in ipairs(reference.table2) do
    for _ = 1, row.jobs do M.ROWS[#M.ROWS + 1] = row end
end

-- ---- one run ------------------------------------------------------------------------------------

---@param policy string
---@param params table
---@param nodes table[] groups of nodes
---@param jobs table[]|pinion.Workload
---@param seed integer|nil
---@param more table|nil further options
---@return pinion.Result
function M.run(policy, params, nodes, jobs, seed, more)
    local options = {
        model = "cluster", policy = policy == M.SPARING and pinion.policy(sparing) or policy,
        params = params, nodes = nodes,
        workload = jobs, seed = seed or 1, bounds = "none", keep_jobs = true,
    }
    for name, value in next, more or {} do options[name] = value end
    return papers.run(options)
end

---@class pinion.HsrtfRun of each job, by id; times in seconds
---@field waiting number[] before its first map starts
---@field map number[] then, until its last map ends
---@field blocked number[] then, until its first reduce has a slot
---@field reduce number[] the rest
---@field execution number[]
---@field makespan number[]
---@field near integer[] maps beside their input
---@field colocated integer[]
---@field killed integer[] its attempts that were killed
---@field kills integer
---@field slot_ms integer time that attempts held slots
---@field unfinished integer jobs that were left at the limit, and count as finished then
---@field digest string

-- The parts of a job's makespan. One that has not finished is cut off at the limit.
local function note_job(made, id, row)
    local finish = row.finish or LIMIT_MS
    local start = row.first_map_start or finish
    local mapped = row.map_finish or finish
    local reducing = math.max(mapped, row.first_reduce_start or mapped)
    if not row.finish then made.unfinished = made.unfinished + 1 end
    made.waiting[id], made.map[id] = (start - row.submit) / 1000, (mapped - start) / 1000
    made.blocked[id], made.reduce[id] = (reducing - mapped) / 1000, (finish - reducing) / 1000
    made.execution[id], made.makespan[id] = (finish - start) / 1000, (finish - row.submit) / 1000
    made.near[id], made.colocated[id] = row.local_maps, row.colocated_reduces
    made.killed[id] = row.kills
end

---@return pinion.HsrtfRun
local function measure(result)
    local made = { waiting = {}, map = {}, blocked = {}, reduce = {}, execution = {}, makespan = {},
        near = {}, colocated = {}, killed = {},
                   kills = result.kills, slot_ms = result.slot_ms, unfinished = 0,
                   digest = result.digest }
    for id = 1, #result.jobs do note_job(made, id, result.jobs[id]) end
    return made
end

-- ---- cells --------------------------------------------------------------------------------------

---@class pinion.HsrtfSetting
---@field policies string[]|nil default: all
---@field seeds integer[]|nil
---@field nodes integer|nil default: as fitted
---@field params table|nil in place of the fitted ones of these names
---@field durations table<string, integer>|nil in place of the fitted ones of these names

---@class pinion.HsrtfCell
---@field seeds integer[]
---@field runs table<string, pinion.HsrtfRun[]> by policy and place of the seed
---@field digest table<string, string> by policy

local function params_of(setting)
    local params = { max_time_ms = LIMIT_MS }
    for _, from in ipairs { reference.fitted.params, setting.params or {} } do
        for name, value in next, from do params[name] = value end
    end
    return params
end

---Runs a policy in a setting.
---@param setting pinion.HsrtfSetting its policies and seeds do not matter
---@param policy string
---@param seed integer
---@param more table|nil further options
---@return pinion.Result
function M.run_setting(setting, policy, seed, more)
    local nodes = { { count = setting.nodes or M.NODES, map_slots = reference.map_slots,
        reduce_slots = reference.reduce_slots } }
    return M.run(policy, params_of(setting), nodes, M.workload(setting.durations), seed, more)
end

local function policies_of(setting)
    return setting.policies or M.POLICIES
end

-- The runs with one seed, by policy.
local function run_seed(setting, seed)
    local made = {}
    for _, policy in ipairs(policies_of(setting)) do
        made[policy] = measure(M.run_setting(setting, policy, seed))
    end
    return made
end

-- `by_seed`: the runs by policy, seed by seed.
local function cell_of(setting, by_seed)
    local cell = { seeds = setting.seeds, runs = {}, digest = {} }
    for _, policy in ipairs(policies_of(setting)) do
        local list, digest = {}, papers.DIGEST_START
        for i, made in ipairs(by_seed) do
            list[i], digest = made[policy], papers.fold(digest, made[policy].digest)
        end
        cell.runs[policy], cell.digest[policy] = list, papers.digest_text(digest)
    end
    return cell
end

---Runs one setting in this process.
---@param setting pinion.HsrtfSetting
---@return pinion.HsrtfCell
function M.cell(setting)
    local by_seed = {}
    for i, seed in ipairs(setting.seeds) do by_seed[i] = run_seed(setting, seed) end
    return cell_of(setting, by_seed)
end

---@param context pinion.PaperContext
---@param label string for the progress line
---@param settings pinion.HsrtfSetting[]
---@return pinion.HsrtfCell[]
function M.cells(context, label, settings)
    local tasks = {}
    for s, setting in ipairs(settings) do
        for _, seed in ipairs(setting.seeds) do
            tasks[#tasks + 1] = { setting = s, seed = seed }
        end
    end
    local values = papers.each(context, label, #tasks, function(task)
        return run_seed(settings[tasks[task].setting], tasks[task].seed)
    end, "part", settings)
    local cells, done = {}, 0
    for s, setting in ipairs(settings) do
        cells[s] = cell_of(setting, table.move(values, done + 1, done + #setting.seeds, 1, {}))
        done = done + #setting.seeds
    end
    return cells
end

---Seeds far from those of the fit: with the default those of the reference's own fresh ones.
---@param context pinion.PaperContext
---@param most integer|nil default: as many as there are replicas
---@return integer[]
function M.fresh_seeds(context, most)
    local seeds = {}
    for i = 1, math.min(context.seeds, most or context.seeds) do
        seeds[i] = 10 * context.seed + i
    end
    return seeds
end

---@param numbers integer[]
function M.seeds_text(numbers)
    return string.format("%d to %d", numbers[1], numbers[#numbers])
end

---The runs that most sections look at, by number of nodes: on the seeds of the fit, and on fresh
---ones.
---@param context pinion.PaperContext
---@return { fitted: table<integer, pinion.HsrtfCell>, fresh: table<integer, pinion.HsrtfCell> }
function M.main(context)
    if not context.cache.main then
        local settings = {}
        for _, seeds in ipairs { reference.fitted.seeds, M.fresh_seeds(context) } do
            for _, nodes in ipairs(reference.nodes) do
                settings[#settings + 1] = { seeds = seeds, nodes = nodes }
            end
        end
        local cells = M.cells(context, "Table 2", settings)
        local main = { fitted = {}, fresh = {} }
        for i, nodes in ipairs(reference.nodes) do
            main.fitted[nodes], main.fresh[nodes] = cells[i], cells[#reference.nodes + i]
        end
        context.cache.main = main
    end
    return context.cache.main
end

-- ---- what is said of a cell ---------------------------------------------------------------------

---Mean over a group's jobs of one run.
---@param run pinion.HsrtfRun
---@param field string
---@param group string
---@return number
function M.mean(run, field, group)
    local sum, count = 0.0, 0
    for id, row in ipairs(M.ROWS) do
        if row.group == group then sum, count = sum + run[field][id], count + 1 end
    end
    return sum / count
end

---The same by place of the seed.
---@return number[]
function M.means(cell, policy, field, group)
    local means = {}
    for i, run in ipairs(cell.runs[policy]) do means[i] = M.mean(run, field, group) end
    return means
end

---Returns the time for which slots were held, by place of the seed.
---@return number[] ms
function M.held(cell, policy)
    local held = {}
    for i, run in ipairs(cell.runs[policy]) do held[i] = run.slot_ms end
    return held
end

---Mean over the seeds.
---@return number
function M.grand(cell, policy, field, group)
    return experiment.summary(M.means(cell, policy, field, group)).mean
end

---Percentage of a group's tasks of a kind that `field` counts.
---@param field string near or colocated
---@param kind string maps or reduces
---@return number[] by place of the seed
function M.shares(cell, policy, field, kind, group)
    local shares = {}
    for i, run in ipairs(cell.runs[policy]) do
        local counted, all = 0, 0
        for id, row in ipairs(M.ROWS) do
            if row.group == group then counted, all = counted + run[field][id], all + row[kind] end
        end
        shares[i] = 100.0 * counted / all
    end
    return shares
end

local function percent(value, against)
    return 100.0 * (value / against - 1)
end

---Returns the changes from theirs to ours in percent, place by place.
---@param ours number[]
---@param theirs number[]
---@return number[]
function M.percentages(ours, theirs)
    local made = {}
    for i = 1, #ours do made[i] = percent(ours[i], theirs[i]) end
    return made
end

---Changes of a group's mean makespan in percent.
---@param change { group: string, policy: string, against: string }
---@return { all: number, seeds: number[], jobs: number } of the means over the seeds, by place of the seed, mean over all jobs
function M.changes(cell, change)
    local field, group = "makespan", change.group
    local ours, theirs = M.means(cell, change.policy, field, group),
        M.means(cell, change.against, field, group)
    local made, sum, count = { seeds = M.percentages(ours, theirs) }, 0.0, 0
    for i = 1, #cell.seeds do
        for id, row in ipairs(M.ROWS) do
            if row.group == group then
                sum = sum + percent(cell.runs[change.policy][i][field][id],
                    cell.runs[change.against][i][field][id])
                count = count + 1
            end
        end
    end
    made.all = percent(experiment.summary(ours).mean, experiment.summary(theirs).mean)
    made.jobs = sum / count
    return made
end

---Kills of a run, mean over the seeds.
function M.kills(cell, policy)
    local kills = {}
    for i, run in ipairs(cell.runs[policy]) do kills[i] = run.kills end
    return experiment.summary(kills).mean
end

---Jobs that were left at the limit, over all seeds.
function M.unfinished(cell, policy)
    local count = 0
    for _, run in ipairs(cell.runs[policy]) do count = count + run.unfinished end
    return count
end

-- ---- words and columns --------------------------------------------------------------------------

---"Pr against Fifo"
function M.pair(change)
    return M.NAMES[change.policy] .. " against " .. M.NAMES[change.against]
end

---A percentage with its sign.
---@param value number|nil
---@param decimals integer|nil default 1, of whole ones 0
---@return string
function M.signed(value, decimals)
    if value == nil then return "-" end
    decimals = decimals or math.type(value) == "integer" and 0 or 1
    local written = string.format("%+." .. decimals .. "f", value)
    return (written:gsub("^%-(0%.?0*)$", "%1"))
end

---"-45.3 ± 3.2", where the second is a standard deviation.
function M.spread(sample)
    return string.format("%s ± %.1f", M.signed(sample.mean), sample.sd)
end

---A column of numbers.
function M.column(key, title, decimals)
    return { key = key, title = title, right = true,
        show = function(value) return text.number(value, decimals or 1) end }
end

---A column of percentages with their signs.
function M.change_column(key, title)
    return { key = key, title = title, right = true, show = function(value) return M.signed(value)
        end }
end

---A column of policies.
M.POLICY_COLUMN = { key = "policy", title = "policy", show = function(value) return M.NAMES[value]
    end }

---Whose a row is: the reference's, ours on its seeds, ours on fresh ones.
M.REFERENCE, M.FITTED, M.FRESH = "reference", "ours, fitted", "ours, fresh"
M.WHOSE_COLUMN = { key = "whose", title = "" }
M.DIGEST_COLUMN = { key = "digest", title = "digest", show = function(value) return value or ""
    end }

---Fewer seeds than these do not tell similar from different.
M.ENOUGH = 5
M.TOO_FEW = string.format("fewer than %d seeds do not tell how far single runs stray", M.ENOUGH)

---The verdict on a claim of which several parts were judged by how far runs stray, and why.
---@param held integer
---@param all integer
---@param seeds integer
---@param because string
---@return string verdict, string because
function M.verdict(held, all, seeds, because)
    if seeds >= M.ENOUGH then return experiment.verdict(held, all), because end
    return papers.UNDECIDED, M.TOO_FEW
end

---What these rows are.
function M.whose_text(main)
    return string.format("\"Reference\" and \"%s\" are on the seeds of the fit, \"%s\" on %s.",
        M.FITTED, M.FRESH,
        M.seeds_text(main.fresh[M.NODES].seeds))
end

---Half a unit of the last digit in which the reference's percentages and seconds are noted; whole
---ones were noted as such.
M.ROUNDING = 0.05

---@param noted number
function M.rounding(noted)
    return math.type(noted) == "integer" and 0.5 or M.ROUNDING
end

return M
