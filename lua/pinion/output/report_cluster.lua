-- What results of the cluster model say beside what other streams of jobs say: shares of tasks and
-- slots, what became of attempts, and where the makespan went.

local text = require "pinion.base.text"

local M = {}

-- Fields of JSON, in their order.
local TOTALS = { "mean_waiting_time", "mean_execution_time", "accept_ratio", "success_ratio",
    "utilisation", "locality", "colocation",
                 "in_wait", "in_maps", "in_blocked", "in_reduces", "accepted", "rejected", "late",
                 "feedback_fired", "successful",
                 "failed", "unfinished", "slot_ms", "span", "kills", "failures", "lost", "reruns",
                 "launches" }

-- Those that only some policies have.
local SOME = { late = true, feedback_fired = true }

---@param result pinion.Result
---@param add fun(name: string, value: any)
function M.add_totals(result, add)
    add("total_makespan", result.total_makespan)
    add("mean_makespan", result.mean_makespan)
    for _, name in ipairs(TOTALS) do
        if result[name] ~= nil or not SOME[name] then add(name, result[name]) end
    end
    if result.stalled then add("stalled", result.stalled) end
end

local function percent(value)
    return value and string.format("%s %%", text.number(100 * value, 1)) or "-"
end

-- "3 failed, 2 rejected": what there is of each.
local function listed(result, entries)
    local parts = {}
    for _, entry in ipairs(entries) do
        local count = result[entry[1]]
        if count and count > 0 then parts[#parts + 1] = string.format("%d %s", count, entry[2]) end
    end
    return table.concat(parts, ", ")
end

---What a table says of a result, through `add(label, format, …)`.
---@param result pinion.Result
---@param add fun(label: string, format: string, ...)
function M.describe(result, add)
    local others = listed(result,
        { { "rejected", "rejected" }, { "failed", "failed" }, { "unfinished", "unfinished" } })
    if others ~= "" then add("other jobs", "%s", others) end
    local function says(ratio) return ratio and (ratio < 1 or result.admits) end
    if says(result.accept_ratio) then
        add("accepted", "%s of the jobs", percent(result.accept_ratio))
    end
    if says(result.success_ratio) then
        add("successful",
            "%s of the accepted jobs: finished, and in time where they have a deadline",
            percent(result.success_ratio))
    end
    if (result.late or 0) > 0 then
        add("late", "%s: accepted, and then no longer expected to finish in time",
            text.count(result.late, "job"))
    end
    if (result.feedback_fired or 0) > 0 then
        add("feedback", "%s, when a job finished at another time than estimated",
            text.count(result.feedback_fired, "time"))
    end
    if result.in_wait then
        add("mean makespan is", "waiting %s + maps %s + blocked %s + reduces %s ms",
            text.rounded(result.in_wait, 1),
            text.rounded(result.in_maps, 1), text.rounded(result.in_blocked, 1),
            text.rounded(result.in_reduces, 1))
    end
    add("utilisation", "%s of the slots%s", percent(result.utilisation),
        result.admits and ", by successful jobs" or "")
    add("locality", "%s of the maps, %s of the reduces beside outputs of their job's maps",
        percent(result.locality),
        percent(result.colocation))
    local attempts = listed(result,
        { { "kills", "killed" }, { "failures", "failed" }, { "lost", "lost with their node" },
                                      { "reruns", "maps run again" } })
    add("attempts", "%d%s", result.launches, attempts ~= "" and ": " .. attempts or "")
end

---What stands below a comparison or a sweep in which policies reject jobs.
---@param rows pinion.ComparisonRow[]
---@return string a line, or nothing
function M.admission_text(rows)
    for _, row in ipairs(rows) do
        if row.other_jobs then
            return "times are of accepted jobs: where some were rejected, rows are of different "
                .. "jobs and their times are not compared\n"
        end
    end
    return ""
end

---What the titles of the columns mean there, through `add(title, meaning)`.
---@param add fun(title: string, meaning: string)
function M.admission_legend(add)
    add("accepted %", "accepted %: of all jobs")
    add("success %", "success %: of the accepted jobs, finished in time")
    add("use %", "use %: of the slots; by successful jobs only, where jobs may be rejected")
end

---Columns of a table of groups: title, and the text of a group's cell.
---@param model pinion.Model
---@param alone boolean|nil true: of one run, which leaves room for the group's part of the slots
---@return { [1]: string, [2]: fun(group: table): string }[]
function M.group_columns(model, alone)
    local columns = {}
    for i, sample in ipairs(model.samples) do
        columns[i] = { sample.title,
            function(group) return model.mean(group[sample.name].mean,
            group[sample.name].mean_half) end }
    end
    for _, entry in ipairs { { "local %", "locality" }, { "colocated %", "colocation" },
            alone and { "use %", "utilisation" } or nil } do
        columns[#columns + 1] = { entry[1],
            function(group) return text.number(group[entry[2]] and 100 * group[entry[2]], 1) end }
    end
    for _, entry in ipairs { { "in wait", "in_wait" }, { "in maps", "in_maps" },
        { "blocked", "in_blocked" },
                           { "in reduces", "in_reduces" } } do
        columns[#columns + 1] = { entry[1], function(group) return text.rounded(group[entry[2]], 1)
            end }
    end
    return columns
end

M.GROUP_LEGEND =
    "in wait + in maps + blocked + in reduces: where the mean makespan went; blocked: maps done, "
    .. "no slot for the first reduce"

return M
