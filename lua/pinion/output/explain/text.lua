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

-- Returns how a model says moments: its times are slots, of which a stretch has a last one, or they
-- have a unit, or none.
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
        parts[i] = string.format("%sjob %d %s", holder.idle and "idle executors of " or "",
            holder.job, percent(holder.share))
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

-- ---- the policy's order -------------------------------------------------------------------------

local function number_text(key)
    if math.type(key) ~= "float" then return tostring(key) end
    local whole = key % 1 == 0 and math.abs(key) < 1e15
    return string.format(whole and "%.0f" or "%.6g", key)
end

local function key_text(at)
    local parts = {}
    if at.key then parts[1] = number_text(at.key) end
    if at.second then parts[2] = "then " .. number_text(at.second) end
    parts[#parts + 1] = at.note
    return #parts > 0 and table.concat(parts, ", ") or nil
end

local function others(at)
    local parts = {}
    for i, other in ipairs(at.ahead) do
        local key = key_text(other)
        parts[i] = "job " .. other.job .. (key and " (" .. key .. ")" or "")
    end
    if at.more > 0 then parts[#parts + 1] = text.count(at.more, "other") end
    if #parts == 0 then return "no job" end
    local last = table.remove(parts)
    return #parts > 0 and table.concat(parts, ", ") .. " and " .. last or last
end

local function order_line(at, clock)
    if not at.key_name then
        return "the policy does not rank this job " .. clock.at(at.time)
    end
    local own = key_text(at)
    return string.format("ahead of this job %s: %s%s", clock.at(at.time), others(at),
        own and "; its own key: " .. own or "")
end

-- Adds what the keys are, once each; a job may have none.
local function add_legend(doc, list)
    local names, seen = {}, {}
    for _, at in ipairs(list) do
        local name = at.key_name
        if name and not seen[name] then names[#names + 1] = name end
        seen[name or ""] = true
    end
    if #names > 0 then doc:lines("key: " .. table.concat(names, "; or ")) end
end

local function add_orders(doc, made, clock)
    local all = {}
    for _, phase in ipairs(made.phases) do
        table.move(phase.orders or {}, 1, #(phase.orders or {}), #all + 1, all)
    end
    if made.unordered then doc:lines("the policy's order: " .. made.unordered) end
    if #all > 0 then doc:gap() end
    for _, at in ipairs(all) do doc:lines(order_line(at, clock)) end
    add_legend(doc, all)
end

---@param made pinion.Explanation
---@return pinion.Document
function M.document(made)
    local clock, doc, rows = M.clock_of(models.find(made.model)), document.new(), {}
    doc:lines(string.format("job %d, policy %s: %s after %s, arrival %s", made.job, made.policy,
        made.state, clock.length(made.time), clock.at(made.arrival)))
    doc:gap()
    if #made.phases == 0 then
        doc:lines(made.state == "rejected" and "the job was rejected when it arrived"
            or "the log ends when the job arrives")
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
    doc:lines("held by: each job's share of the capacity (of the used capacity, if the total is "
        .. "unknown); free: idle capacity; down: capacity of failed nodes")
    doc:lines("first chance: the first time at which this job could have used a free slot, but "
        .. "another job got it")
    add_orders(doc, made, clock)
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

local function order_object(at)
    local ahead = {}
    for i, other in ipairs(at.ahead) do
        ahead[i] = json.object { { "job", other.job }, { "key", other.key },
            { "second", other.second }, { "note", other.note } }
    end
    return json.object { { "time", time(at.time) }, { "key_name", at.key_name }, { "key", at.key },
        { "second", at.second }, { "note", at.note }, { "ahead", json.list(ahead) },
        { "more", at.more } }
end

local function phase_object(phase)
    local held = nil
    if phase.held then
        held = {}
        for i, holder in ipairs(phase.held) do
            held[i] = json.object { { "job", holder.job }, { "share", holder.share },
                holder.idle and { "idle", true } }
        end
    end
    local first, orders = phase.first_chance, nil
    if phase.orders then
        orders = {}
        for i, at in ipairs(phase.orders) do orders[i] = order_object(at) end
    end
    return json.object { { "phase", phase.phase }, { "waits_for", phase.waits_for },
        { "from", time(phase.from) }, { "to", time(phase.to) }, { "time", phase.time },
        { "held", held and json.list(held) }, { "others", phase.others },
        { "nobody", phase.nobody }, { "down", phase.down },
        { "first_chance", first and json.object { { "time", time(first.time) },
            { "job", first.job } } }, { "orders", orders and json.list(orders) } }
end

---@param made pinion.Explanation
---@param write fun(text: string)
function M.json(made, write)
    json.write({ { "job", made.job }, { "model", made.model }, { "policy", made.policy },
        { "state", made.state }, { "arrival", time(made.arrival) }, { "finish", time(made.finish) },
        { "time", made.time },
        { "phases", json.rows(#made.phases, function(i)
            return json.encode(phase_object(made.phases[i]))
        end) }, { "unordered", made.unordered } }, write)
    write("\n")
end

-- ---- an instant ---------------------------------------------------------------------------------

local function holds_of(model, job)
    local parts = {}
    for _, kind in ipairs(model.log.phases.kinds) do
        local amount = job.holds and job.holds[kind]
        if amount then parts[#parts + 1] = text.amount(amount) .. " " .. kind end
    end
    return #parts > 0 and table.concat(parts, ", ") or "nothing (waits)"
end

---@param made pinion.Instant
---@return pinion.Document
function M.instant_document(made)
    local model, doc, rows = models.find(made.model), document.new(), {}
    local clock = M.clock_of(model)
    doc:lines(string.format("%s, policy %s: %s running, %d waiting", clock.at(made.time),
        made.policy, text.count(#made.running, "job"), #made.waiting))
    doc:gap()
    if #made.running + #made.waiting == 0 then
        doc:lines "no job is in the system at this time"
        return doc
    end
    for _, list in ipairs { made.running, made.waiting } do
        for _, job in ipairs(list) do
            rows[#rows + 1] = { tostring(job.job), clock.moment(job.arrival),
                holds_of(model, job), key_text(job) or "" }
        end
    end
    doc:table({ { "job", right = true }, { clock.column "arrival", right = true }, { "holds" },
        made.ordered and { "key" } or nil }, rows)
    if made.unordered or made.ordered then doc:gap() end
    if made.unordered then doc:lines("the policy's order: " .. made.unordered) end
    if made.ordered then
        doc:lines "the waiting jobs are listed in the policy's order"
        add_legend(doc, table.move(made.waiting, 1, #made.waiting, #made.running + 1,
            table.move(made.running, 1, #made.running, 1, {})))
    end
    return doc
end

M.instant_text = text_of(M.instant_document)

local function instant_list(list)
    return json.rows(#list, function(i)
        local job, holds = list[i], nil
        if job.holds then holds = json.tree(job.holds) end
        return json.encode(json.object { { "job", job.job }, { "arrival", time(job.arrival) },
            { "holds", holds }, { "key_name", job.key_name }, { "key", job.key },
            { "second", job.second }, { "note", job.note },
            { "waits_for", job.waits_for } })
    end)
end

---@param made pinion.Instant
---@param write fun(text: string)
function M.instant_json(made, write)
    json.write({ { "time", made.time }, { "model", made.model }, { "policy", made.policy },
        { "running", instant_list(made.running) }, { "waiting", instant_list(made.waiting) },
        { "unordered", made.unordered } }, write)
    write("\n")
end

return M
