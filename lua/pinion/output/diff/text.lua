-- Differences of two schedules as people read them, and as JSON.

local document = require "pinion.output.document"
local explain_text = require "pinion.output.explain.text"
local json = require "pinion.base.json"
local models = require "pinion.models"
local text = require "pinion.base.text"

local M = {}

-- So many jobs are shown at either end of the list.
local JOBS_MOST = 5

-- ---- text ---------------------------------------------------------------------------------------

local function signed(words)
    return function(value)
        if value == 0 then return "0" end
        return (value > 0 and "+" or "-") .. words.amount(math.abs(value))
    end
end

local function add_parting(doc, parting, clock)
    if not parting then return doc:lines "all decisions are the same" end
    doc:lines(string.format("the first %s the same; the schedules first differ %s:",
        text.count(parting.alike, "decision") .. (parting.alike == 1 and " is" or " are"),
        clock.at(parting.time)))
    for i, line in ipairs(parting.lines) do
        doc:lines(string.format("  %s  %s", i == 1 and "first: " or "second:", line))
    end
    doc:lines(string.format("  at this time: %s running, %d waiting",
        text.count(#parting.instant.running, "job"), #parting.instant.waiting))
end

-- Returns the jobs that gain most, and those that lose most.
local function extremes(jobs)
    local sorted = table.move(jobs, 1, #jobs, 1, {})
    table.sort(sorted, function(a, b)
        if a.delta ~= b.delta then return a.delta < b.delta end
        return a.job < b.job
    end)
    local shown = {}
    for i, job in ipairs(sorted) do
        local far = i <= JOBS_MOST and job.delta < 0 or i > #sorted - JOBS_MOST and job.delta > 0
        if far then shown[#shown + 1] = job end
    end
    return shown
end

local function add_jobs(doc, made, clock, difference)
    local rows = {}
    for i, job in ipairs(extremes(made.jobs)) do
        rows[i] = { tostring(job.job), clock.moment(job.arrival), clock.length(job.times[1]),
            clock.length(job.times[2]), difference(job.delta) }
    end
    if #rows == 0 then return end
    doc:gap()
    doc:table({ { "job", right = true }, { clock.column "arrival", right = true },
        { "first", right = true }, { "second", right = true }, { "delta", right = true } }, rows)
end

local function add_groups(doc, groups, difference)
    if not groups then return end
    local rows = {}
    for i, group in ipairs(groups) do
        rows[i] = { group.group, tostring(group.jobs), tostring(group.sooner),
            tostring(group.later), difference(group.mean) }
    end
    doc:gap()
    doc:table({ { "group" }, { "jobs", right = true }, { "earlier", right = true },
        { "later", right = true }, { "mean delta", right = true } }, rows)
end

---@param made pinion.Difference
---@return pinion.Document
function M.document(made)
    local model, doc = models.find(made.model), document.new()
    local clock, difference = explain_text.clock_of(model), signed(model.words)
    doc:lines(string.format("first: %s, second: %s", made.policies[1], made.policies[2]))
    add_parting(doc, made.parting, clock)
    doc:gap()
    doc:lines(string.format("of %s, the second schedule finishes %d earlier, %d later, "
        .. "%d at the same time",
        text.count(#made.jobs, "job"), made.sooner, made.later, made.same))
    if #made.only > 0 then
        doc:lines(text.count(#made.only, "job") .. " did not finish in both schedules")
    end
    if made.mean then
        local q = made.quantiles
        doc:lines(string.format("delta: mean %s, p5 %s, p25 %s, p50 %s, p75 %s, p95 %s",
            difference(made.mean), difference(q.p5), difference(q.p25), difference(q.p50),
            difference(q.p75), difference(q.p95)))
    end
    add_jobs(doc, made, clock, difference)
    add_groups(doc, made.groups, difference)
    return doc
end

-- ---- JSON ---------------------------------------------------------------------------------------

local time = explain_text.json_time

local function parting_object(parting)
    if not parting then return nil end
    local instant = parting.instant
    local function ids(list)
        local found = {}
        for i, job in ipairs(list) do found[i] = job.job end
        return json.list(found)
    end
    return json.object { { "alike", parting.alike }, { "time", parting.time },
        { "lines", json.list(parting.lines) }, { "running", ids(instant.running) },
        { "waiting", ids(instant.waiting) } }
end

---@param made pinion.Difference
---@param write fun(text: string)
function M.json(made, write)
    local groups = made.groups
    json.write({ { "model", made.model }, { "policies", json.list(made.policies) },
        { "parting", parting_object(made.parting) }, { "sooner", made.sooner },
        { "later", made.later }, { "same", made.same }, { "mean", made.mean },
        { "quantiles", json.tree(made.quantiles) }, { "only", json.list(made.only) },
        { "groups", groups and json.rows(#groups, function(i)
            local group = groups[i]
            return json.encode(json.object { { "group", group.group }, { "jobs", group.jobs },
                { "sooner", group.sooner }, { "later", group.later }, { "mean", group.mean } })
        end) },
        { "jobs", json.rows(#made.jobs, function(i)
            local job = made.jobs[i]
            return json.encode(json.object { { "job", job.job }, { "arrival", time(job.arrival) },
                { "first", job.times[1] }, { "second", job.times[2] }, { "delta", job.delta } })
        end) } }, write)
    write("\n")
end

return M
