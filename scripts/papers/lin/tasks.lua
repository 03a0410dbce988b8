-- The fluid assumption of Section 2.1 of Lin, Zhang, Wierman, Tan (2013), tested on tasks: the
-- policies of the paper on a cluster of the size of its testbed, on jobs of 1 to 1000 tasks, and
-- beside them the tandem model's prediction for the same jobs.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local policies = require "lin.task_policies"
local runs = require "lin.runs"

local M = {}

local TITLE = "Section 2.1: the fluid assumption, tested on tasks"

local TASKS = { 1, 3, 10, 30, 100, 300, 1000 }
local LOADS = { .5, .75, .9 }
local BASE = "klps"
local POLICIES = { "fcfs", "klps", "maxsrpt", "splitsrpt" }
local OF_THE_PAPER = { "maxsrpt", "splitsrpt" }

---Section 2.1 of the paper: the model is reasonable with more tasks than that.
local ENOUGH = 100

---How far a relative response time may be from the prediction.
M.NEAR = 0.05

-- Section 2.2: 15 servers with 4 map slots and 2 reduce slots each. Maps and shuffles have nodes of
-- their own, so that no shuffle is local.
local MAP_SLOTS, SHUFFLE_SLOTS = 60, 30
local NODES = { { map_slots = MAP_SLOTS, reduce_slots = 0 },
    { map_slots = 0, reduce_slots = SHUFFLE_SLOTS } }

-- Milliseconds of a unit of the tandem model's time.
local MS = 1000000

-- Jobs of a replica, as a share of those of Section 5.3.
local SHARE, JOBS_LEAST = 0.0004, 5

---@class pinion.LinOverlap how the shuffle of a job overlaps its maps
---@field name string
---@field batches integer of which each is shuffled when it is mapped
---@field start integer|nil permille of the maps that are done before reduces start; nil: all
---@field is_wave boolean|nil a job has no more shuffle tasks than there are slots for them

---@type pinion.LinOverlap[]
local OVERLAPS = {
    { name = "ten batches", batches = 10 },
    { name = "slow-start 5 %", batches = 1, start = 50, is_wave = true },
    { name = "slow-start 80 %", batches = 1, start = 800, is_wave = true },
    { name = "none", batches = 1 },
}

-- ---- runs ---------------------------------------------------------------------------------------

-- A job of the tandem model as jobs of the cluster model.
local function add_batches(list, number, job, tasks, overlap)
    local batches = math.min(tasks, overlap.batches)
    local shuffles = overlap.is_wave and math.min(tasks, SHUFFLE_SLOTS) or tasks
    local map_task, shuffle_task = job.map * MS / tasks, job.shuffle * MS / shuffles
    for k = 1, batches do
        local maps = k * tasks // batches - (k - 1) * tasks // batches
        list[#list + 1] = {
            submit = math.floor(job.arrival * MS), maps = maps,
            reduces = overlap.is_wave and shuffles or maps,
            map_ms = math.max(1, math.floor(map_task * MAP_SLOTS + .5)),
            shuffle_ms = math.floor(shuffle_task * SHUFFLE_SLOTS + .5),
            number = number, map = job.map * MS, shuffle = job.shuffle * MS,
            map_task = map_task, shuffle_task = shuffle_task,
        }
    end
end

-- Mean response time in units of the tandem model: a job ends with the last of its batches.
local function mean_of(batches, jobs)
    local finish, sum = {}, 0
    for _, batch in ipairs(batches) do
        finish[batch.number] = math.max(finish[batch.number] or 0, batch.finish)
    end
    for number, job in ipairs(jobs) do sum = sum + finish[number] / MS - job.arrival end
    return sum / #jobs
end

---Runs each policy on the same jobs, in the tandem model and on tasks.
---@param jobs table[] of the tandem model
---@param tasks integer of each job
---@param overlap pinion.LinOverlap
---@return { fluid: table<string, number>, tasks: table<string, number>, digest: string } means
function M.measure(jobs, tasks, overlap)
    local batches, made, folded = {}, { fluid = {}, tasks = {} }, papers.DIGEST_START
    for number, job in ipairs(jobs) do add_batches(batches, number, job, tasks, overlap) end
    for _, policy in ipairs(POLICIES) do
        local fluid = runs.run(policy, { workload = jobs, bounds = "none", keep_jobs = false })
        local result = papers.run {
            model = "cluster", policy = policies.POLICIES[policy], nodes = NODES,
            workload = batches, attributes = policies.ATTRIBUTES, bounds = "none",
            params = { reduce_start = overlap.start and "slowstart" or "after_maps",
                slowstart_permille = overlap.start },
        }
        made.fluid[policy], made.tasks[policy] = fluid.mean_response_time,
            mean_of(result.jobs, jobs)
        folded = papers.fold(papers.fold(folded, fluid.digest), result.digest)
    end
    made.digest = papers.digest_text(folded)
    return made
end

---@class pinion.LinTasksCell
---@field overlap string
---@field tasks integer
---@field load number
---@field replicas table[] results of M.measure

---@return pinion.LinTasksCell[]
local function all_cells(context)
    local count, cells = math.max(JOBS_LEAST, math.floor(context.jobs * SHARE)), {}
    for o, overlap in ipairs(OVERLAPS) do
        for _, tasks in ipairs(TASKS) do
            for _, load in ipairs(LOADS) do
                cells[#cells + 1] = { overlap = overlap.name, tasks = tasks, load = load, at = o,
                    replicas = {} }
            end
        end
    end
    local values = papers.each(context, "tasks", #cells * context.seeds, function(task)
        local cell, replica = cells[(task - 1) // context.seeds + 1], (task - 1) % context.seeds
        local jobs = runs.workload("pair", cell.load, count):jobs { seed = context.seed,
            replica = replica }
        return M.measure(jobs, cell.tasks, OVERLAPS[cell.at])
    end, "replica", { count, POLICIES, TASKS, LOADS })
    for task, value in ipairs(values) do
        local cell = cells[(task - 1) // context.seeds + 1]
        cell.replicas[#cell.replicas + 1] = value
    end
    return cells, count
end

-- ---- judging ------------------------------------------------------------------------------------

---Summarises by how much a relative response time is above the tandem model's, as a share of it.
---@param replicas table[] results of M.measure
---@param policy string
---@return pinion.Sample
function M.error_of(replicas, policy)
    local values = {}
    for i, made in ipairs(replicas) do
        values[i] = made.tasks[policy] / made.tasks[BASE]
            / (made.fluid[policy] / made.fluid[BASE]) - 1
    end
    return experiment.summary(values)
end

---Returns whether an error is beyond doubt smaller than M.NEAR, or larger; nil: neither.
---@param sample pinion.Sample
---@return boolean|nil
function M.is_near(sample)
    if sample.count < 2 then return nil end
    local apart = math.abs(sample.mean)
    if apart + sample.half < M.NEAR then return true end
    if apart - sample.half > M.NEAR then return false end
    return nil
end

-- 1 where the first policy has the larger mean, -1 where it has the smaller one, 0 where all means
-- are the same; nil: open.
local function order_of(replicas, model, first, second)
    local values = {}
    for i, made in ipairs(replicas) do values[i] = made[model][first] / made[model][second] - 1 end
    local sample = experiment.summary(values)
    if sample.count < 2 then return nil end
    if math.abs(sample.mean) > sample.half then return sample.mean > 0 and 1 or -1 end
    return sample.min == 0 and sample.max == 0 and 0 or nil
end

---Counts the pairs of policies whose order by mean response time is beyond doubt in the tandem
---model: a vote for each that has it on tasks as well, against it where the order is another one.
---@param replicas table[] results of M.measure
---@return table votes
function M.ranking(replicas)
    local votes = papers.votes()
    for i, first in ipairs(POLICIES) do
        for j = i + 1, #POLICIES do
            local expected = order_of(replicas, "fluid", first, POLICIES[j])
            local found = order_of(replicas, "tasks", first, POLICIES[j])
            if expected == 1 or expected == -1 then
                papers.vote(votes, found and found == expected)
            end
        end
    end
    return votes
end

-- ---- the table ----------------------------------------------------------------------------------

-- Of one overlap and number of tasks, over the loads.
local function row_of(context, cells, jobs)
    local row = { overlap = cells[1].overlap, tasks = cells[1].tasks, jobs = jobs,
        seeds = context.seeds, seed = context.seed }
    for _, cell in ipairs(cells) do
        local at, votes = string.format("%g", cell.load), M.ranking(cell.replicas)
        row["ranking_" .. at] = string.format("%d/%d/%d", votes.held, votes.failed,
            votes.undecided)
        for _, policy in ipairs(POLICIES) do
            local sample, key = M.error_of(cell.replicas, policy), policy .. "_" .. at
            row[key], row[key .. "_half"] = sample.mean, sample.half
        end
        local folded = papers.DIGEST_START
        for _, made in ipairs(cell.replicas) do folded = papers.fold(folded, made.digest) end
        row["digest_" .. at] = papers.digest_text(folded)
    end
    return row
end

local function rows_of(context, cells, jobs)
    local rows = {}
    for first = 1, #cells, #LOADS do
        rows[#rows + 1] = row_of(context, table.move(cells, first, first + #LOADS - 1, 1, {}),
            jobs)
    end
    return rows
end

local function columns()
    local made = { { key = "overlap", title = "overlap" },
        { key = "tasks", title = "tasks", right = true } }
    for _, load in ipairs(LOADS) do
        local at = string.format("%g", load)
        made[#made + 1] = { key = "ranking_" .. at, title = "order, " .. at, right = true }
        made[#made + 1] = { key = "maxsrpt_" .. at, title = "MaxSRPT, " .. at, right = true,
            show = function(value, row)
                return runs.percent_text { mean = value, half = row["maxsrpt_" .. at .. "_half"] }
            end }
    end
    for _, load in ipairs(LOADS) do
        local at = string.format("%g", load)
        for _, policy in ipairs(POLICIES) do
            if policy ~= "maxsrpt" then made[#made + 1] = { key = policy .. "_" .. at } end
            made[#made + 1] = { key = policy .. "_" .. at .. "_half" }
        end
        made[#made + 1] = { key = "digest_" .. at }
    end
    for _, key in ipairs { "jobs", "seeds", "seed" } do made[#made + 1] = { key = key } end
    return made
end

-- ---- claims -------------------------------------------------------------------------------------

-- Votes of a cell on the two questions.
local QUESTIONS = {
    {
        label = "the order of the policies",
        claim = "with more than 100 tasks in a job, the order of the policies by mean response "
            .. "time is the tandem model's",
        because = "a pair of policies counts if the interval of its ratio excludes 1 in the tandem "
            .. "model, and agrees if the interval on tasks is on the same side",
        votes = function(cell, votes)
            local more = M.ranking(cell.replicas)
            for key, count in next, more do votes[key] = votes[key] + count end
        end,
    },
    {
        label = "relative response times",
        claim = "with more than 100 tasks in a job, the mean response times of MaxSRPT and "
            .. "SplitSRPT over that of k-LPS are within 5 % of the tandem model's",
        because = "a case agrees if its whole interval is within 5 %, and differs if it is outside",
        votes = function(cell, votes)
            for _, policy in ipairs(OF_THE_PAPER) do
                papers.vote(votes, M.is_near(M.error_of(cell.replicas, policy)))
            end
        end,
    },
}

local function votes_of(question, cells, overlap, includes)
    local votes = papers.votes()
    for _, cell in ipairs(cells) do
        if cell.overlap == overlap and includes(cell.tasks) then question.votes(cell, votes) end
    end
    return votes
end

-- The fewest tasks from which on all votes hold; nil: there are none.
local function from_tasks(question, cells, overlap)
    local from = nil
    for i = #TASKS, 1, -1 do
        local votes = votes_of(question, cells, overlap,
            function(tasks) return tasks == TASKS[i] end)
        if votes.held == 0 or votes.failed + votes.undecided > 0 then break end
        from = TASKS[i]
    end
    return from
end

local function judge(section, cells, overlap)
    for _, question in ipairs(QUESTIONS) do
        local votes = votes_of(question, cells, overlap,
            function(tasks) return tasks > ENOUGH end)
        local from = from_tasks(question, cells, overlap)
        section:claim {
            label = string.format("%s, overlap: %s", question.label, overlap),
            where = "Section 2.1, > 100 tasks",
            claim = string.format("%s (overlap: %s)", question.claim, overlap),
            paper = "\"The assumption that each job contains a large number of tasks is very "
                .. "important\"; the model is said to be reasonable with more than 100",
            ours = string.format("as in the model in %d of %d cases, not in %d; in all cases %s",
                votes.held, votes.held + votes.failed + votes.undecided, votes.failed,
                from and string.format("from %d tasks on", from)
                or string.format("with no number of tasks up to %d", TASKS[#TASKS])),
            verdict = papers.verdict(votes), because = question.because,
        }
    end
end

-- ---- the figure ---------------------------------------------------------------------------------

local COLOURS = { figure.COLOURS.blue, figure.COLOURS.orange, figure.COLOURS.pink,
    figure.COLOURS.green }

local function panel_of(cells, load, blocks)
    local plots = {}
    for o, overlap in ipairs(OVERLAPS) do
        local lines = { string.format("# tasks, error and half width, %%: %s, load %g",
            overlap.name, load) }
        for _, cell in ipairs(cells) do
            if cell.overlap == overlap.name and cell.load == load then
                local sample = M.error_of(cell.replicas, "maxsrpt")
                lines[#lines + 1] = figure.row(cell.tasks, 100 * sample.mean, 100 * sample.half)
            end
        end
        blocks[#blocks + 1] = lines
        plots[o] = string.format("data index %d using 1:2:3 with yerrorlines linewidth 1.5 "
            .. "pointtype %d pointsize 0.6 linecolor rgb '%s' title %s", #blocks - 1, 3 + 2 * o,
            COLOURS[o], figure.quote(overlap.name))
    end
    return string.format([[
set title 'load %g'
plot %g with lines dashtype 3 linecolor rgb '#404040' title '±5 %%', \
     %g with lines dashtype 3 linecolor rgb '#404040' notitle, \
     %s
unset key
]], load, 100 * M.NEAR, -100 * M.NEAR, table.concat(plots, ", \\\n     "))
end

local function draw(context, section, cells)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for l, load in ipairs(LOADS) do panels[l] = panel_of(cells, load, blocks) end
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/tasks", 960, 680,
        string.format([[
set multiplot layout 2,2
set logscale x
set xrange [.8:1250]
set xlabel 'tasks per job'
set ylabel 'MaxSRPT / k-LPS against the model, %%'
set key at screen .62, screen .38 left top Left reverse spacing 1.6 title 'overlap' left
%sunset multiplot
]], table.concat(panels)), blocks)
end

-- ---- the section --------------------------------------------------------------------------------

M.tasks = { name = "tasks", title = TITLE, run = function(context)
    local section = papers.section("tasks", TITLE, "Section 2.1", {
        "Section 2.1 ignores tasks: a job is an amount of map work and of shuffle work, which can "
            .. "use all of the capacity. It calls this reasonable with more than 100 tasks. The "
            .. "two measures of this are ours.",
        string.format("The jobs of Section 5.3, each divided into equal tasks, run on %d map slots "
            .. "and %d reduce slots, those of the paper's testbed. Reduces are the shuffle. Tasks "
            .. "run to their ends.", MAP_SLOTS, SHUFFLE_SLOTS),
        "The model is the cluster model: it has an order of jobs for each kind of slot, as the "
            .. "paper has for each station, and rules for the start of reduces. The slotted model "
            .. "starts no reduce before the last map; the dag model has one order for all stages.",
        "Overlap: with ten batches each tenth of a job's maps is shuffled, by as many tasks, as "
            .. "soon as it is done. With slow-start a job's reduces start when 5 % or 80 % of its "
            .. "maps are done and hold their slots until its last map is done (CL11); there are "
            .. "at most as many as slots. Without overlap as many reduces as maps start after the "
            .. "last map.",
        "MaxSRPT, SplitSRPT and k-LPS (k = 100, the paper's baseline) are policies in Lua, with "
            .. "the orders of the tandem model by unfinished tasks; FCFS is fifo. The prediction "
            .. "is the overlapping tandem queue on the same jobs.",
        "order: pairs of policies in the same order as in the tandem model / not / undecided. "
            .. "MaxSRPT: by how much its mean response time over that of k-LPS is above the "
            .. "prediction.",
    })
    local cells, jobs = all_cells(context)
    section:table("tasks", nil, columns(), rows_of(context, cells, jobs))
    for _, overlap in ipairs(OVERLAPS) do judge(section, cells, overlap.name) end
    draw(context, section, cells)
    return section
end }

return M
