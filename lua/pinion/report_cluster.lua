-- What results of the cluster model say beside what other streams of jobs say: shares of tasks and slots, what became of attempts, and
-- where the makespan went.

local text = require "pinion.text"

local M = {}

-- Fields of JSON, in their order.
local TOTALS = { "mean_waiting_time", "mean_execution_time", "accept_ratio", "success_ratio", "utilisation", "locality", "colocation",
                 "in_wait", "in_maps", "in_blocked", "in_reduces", "accepted", "rejected", "successful", "failed", "unfinished", "slot_ms",
                 "span", "kills", "failures", "lost", "reruns", "launches" }

---@param result pinion.Result
---@param add fun(name: string, value: any)
function M.add_totals(result, add)
    add("total_makespan", result.total_makespan)
    add("mean_makespan", result.mean_makespan)
    for _, name in ipairs(TOTALS) do add(name, result[name]) end
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
    local others = listed(result, { { "rejected", "rejected" }, { "failed", "failed" }, { "unfinished", "unfinished" } })
    if others ~= "" then add("other jobs", "%s", others) end
    if result.accept_ratio and result.accept_ratio < 1 then add("accepted", "%s of the jobs", percent(result.accept_ratio)) end
    if result.success_ratio and result.success_ratio < 1 then
        add("successful", "%s of the accepted jobs: finished, and in time where they have a deadline", percent(result.success_ratio))
    end
    if result.in_wait then
        add("mean makespan is", "waiting %s + maps %s + blocked %s + reduces %s ms", text.rounded(result.in_wait, 1),
            text.rounded(result.in_maps, 1), text.rounded(result.in_blocked, 1), text.rounded(result.in_reduces, 1))
    end
    add("utilisation", "%s of the slots", percent(result.utilisation))
    add("locality", "%s of the maps, %s of the reduces beside outputs of their job's maps", percent(result.locality),
        percent(result.colocation))
    local attempts = listed(result, { { "kills", "killed" }, { "failures", "failed" }, { "lost", "lost with their node" },
                                      { "reruns", "maps run again" } })
    add("attempts", "%d%s", result.launches, attempts ~= "" and ": " .. attempts or "")
end

---Columns of a table of groups: title, and the text of a group's cell.
---@param model pinion.Model
---@param alone boolean|nil true: of one run, which leaves room for the group's part of the slots
---@return { [1]: string, [2]: fun(group: table): string }[]
function M.group_columns(model, alone)
    local columns = {}
    for i, sample in ipairs(model.samples) do
        columns[i] = { sample.title, function(group) return model.mean(group[sample.name].mean, group[sample.name].mean_half) end }
    end
    for _, entry in ipairs { { "local %", "locality" }, { "colocated %", "colocation" }, alone and { "use %", "utilisation" } or nil } do
        columns[#columns + 1] = { entry[1], function(group) return text.number(group[entry[2]] and 100 * group[entry[2]], 1) end }
    end
    for _, entry in ipairs { { "in wait", "in_wait" }, { "in maps", "in_maps" }, { "blocked", "in_blocked" },
                           { "in reduces", "in_reduces" } } do
        columns[#columns + 1] = { entry[1], function(group) return text.rounded(group[entry[2]], 1) end }
    end
    return columns
end

M.GROUP_LEGEND = "in wait + in maps + blocked + in reduces: where the mean makespan went; blocked: maps done, no slot for the first reduce"

return M
