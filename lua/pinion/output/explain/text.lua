-- Explanations as people read them, and as JSON.

local document = require "pinion.output.document"
local json = require "pinion.base.json"
local lines = require "pinion.models.log_line"
local models = require "pinion.models"
local text = require "pinion.base.text"

local M = {}

-- ---- a job --------------------------------------------------------------------------------------

local function percent(share)
    return string.format("%.1f", 100 * share):gsub("%.0$", "") .. " %"
end

-- How a model says moments: its times are slots, of which a stretch has a last one, or they have a
-- unit, or none.
function M.clock_of(model)
    local words, slots = model.words, model.log.phases.slots
    local unit = model.settings.unit == "ms" and " ms" or ""
    local function moment(value)
        return type(value) == "string" and lines.time_text(value) or words.moment(value)
    end
    return {
        moment = moment,
        at = function(value) return (slots and "in slot " or "at ") .. moment(value) .. unit end,
        ending = function(value) return moment(slots and value - 1 or value) end,
        length = function(value)
            return slots and text.count(value, "slot") or words.amount(value)
        end,
        column = function(name) return name .. (slots and " slot" or unit:gsub("^ ", ", ")) end,
    }
end

local function holders(phase)
    local parts = {}
    for i, holder in ipairs(phase.held) do
        parts[i] = string.format("job %d %s", holder.job, percent(holder.share))
    end
    if phase.others > 0 then parts[#parts + 1] = phase.others .. " more" end
    for _, share in ipairs { { "free", phase.nobody }, { "down", phase.down } } do
        if share[2] and share[2] > 0.0005 then
            parts[#parts + 1] = share[1] .. " " .. percent(share[2])
        end
    end
    return table.concat(parts, ", ")
end

local function chance(phase, clock)
    local first = phase.first_chance
    return first and string.format("%s (job %d)", clock.moment(first.time), first.job) or "-"
end

---@param made pinion.Explanation
---@return pinion.Document
function M.document(made)
    local clock, doc, rows = M.clock_of(models.find(made.model)), document.new(), {}
    doc:lines(string.format("job %d, policy %s: %s after %s, arrival %s", made.job, made.policy,
        made.state, clock.length(made.time), clock.at(made.arrival)))
    doc:gap()
    if #made.phases == 0 then
        doc:lines(made.state == "rejected" and "it was rejected when it came"
            or "the log ends when it comes")
        return doc
    end
    for i, phase in ipairs(made.phases) do
        rows[i] = { phase.phase, clock.moment(phase.from), clock.ending(phase.to),
            clock.length(phase.time), percent(phase.time / made.time),
            phase.held and holders(phase) or "", phase.held and chance(phase, clock) or "" }
    end
    doc:table({ { "phase" }, { clock.column "from", right = true },
        { clock.column "to", right = true },
        { "time", right = true }, { "share", right = true }, { "held by" },
        { "first chance" } }, rows)
    doc:gap()
    doc:lines("held by: shares of what there was, or where that is not known of what was held; "
        .. "down: of nodes that were")
    doc:lines("first chance: when another job got what this one would have got, had it been the "
        .. "first")
    return doc
end

local function text_of(document_of)
    return function(made) return (document_of(made):text "table":gsub("\n$", "")) end
end

M.text = text_of(M.document)

local function time(value)
    return math.type(value) and value or value ~= nil and tostring(value) or nil
end

M.json_time = time

local function phase_object(phase)
    local held = nil
    if phase.held then
        held = {}
        for i, holder in ipairs(phase.held) do
            held[i] = json.object { { "job", holder.job }, { "share", holder.share } }
        end
    end
    local first = phase.first_chance
    return json.object { { "phase", phase.phase }, { "waits_for", phase.waits_for },
        { "from", time(phase.from) }, { "to", time(phase.to) }, { "time", phase.time },
        { "held", held and json.list(held) }, { "others", phase.others },
        { "nobody", phase.nobody }, { "down", phase.down },
        { "first_chance", first and json.object { { "time", time(first.time) },
            { "job", first.job } } } }
end

---@param made pinion.Explanation
---@param write fun(text: string)
function M.json(made, write)
    json.write({ { "job", made.job }, { "model", made.model }, { "policy", made.policy },
        { "state", made.state }, { "arrival", time(made.arrival) }, { "finish", time(made.finish) },
        { "time", made.time },
        { "phases", json.rows(#made.phases, function(i)
            return json.encode(phase_object(made.phases[i]))
        end) } }, write)
    write("\n")
end

-- ---- an instant ---------------------------------------------------------------------------------

local function holds_of(model, job)
    local parts = {}
    for _, kind in ipairs(model.log.phases.kinds) do
        local amount = job.holds and job.holds[kind]
        if amount then parts[#parts + 1] = text.amount(amount) .. " " .. kind end
    end
    return #parts > 0 and table.concat(parts, ", ") or "nothing: it waits"
end

---@param made pinion.Instant
---@return pinion.Document
function M.instant_document(made)
    local model, doc, rows = models.find(made.model), document.new(), {}
    local clock = M.clock_of(model)
    doc:lines(string.format("%s, policy %s: %s at work, %d waiting", clock.at(made.time),
        made.policy, text.count(#made.running, "job"), #made.waiting))
    doc:gap()
    if #made.running + #made.waiting == 0 then
        doc:lines "no job is in the system then"
        return doc
    end
    for _, list in ipairs { made.running, made.waiting } do
        for _, job in ipairs(list) do
            rows[#rows + 1] = { tostring(job.job), clock.moment(job.arrival),
                holds_of(model, job) }
        end
    end
    doc:table({ { "job", right = true }, { clock.column "arrival", right = true }, { "has" } },
        rows)
    return doc
end

M.instant_text = text_of(M.instant_document)

local function instant_list(list)
    return json.rows(#list, function(i)
        local job, holds = list[i], nil
        if job.holds then holds = json.tree(job.holds) end
        return json.encode(json.object { { "job", job.job }, { "arrival", time(job.arrival) },
            { "holds", holds } })
    end)
end

---@param made pinion.Instant
---@param write fun(text: string)
function M.instant_json(made, write)
    json.write({ { "time", made.time }, { "model", made.model }, { "policy", made.policy },
        { "running", instant_list(made.running) }, { "waiting", instant_list(made.waiting) } },
        write)
    write("\n")
end

return M
