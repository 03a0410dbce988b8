-- What readers of traces count, in words: for the notice before a run, and for the description of a
-- workload.

local text = require "pinion.base.text"

local M = {}

-- In the order in which they are shown. `odd`: what a notice says of so many, where there are any;
-- dropped ones among them.
local COUNTS = {
    { name = "rows", words = "rows" },
    { name = "seen", words = "jobs seen", odd = "jobs" },
    { name = "failed", words = "jobs that did not succeed, dropped",
        odd = "that did not succeed are dropped" },
    { name = "unplaced", words = "jobs without a time of submission, dropped",
        odd = "without a time of submission are dropped" },
    { name = "empty", words = "jobs without a map that succeeded, dropped",
        odd = "without a map that succeeded are dropped" },
    { name = "earlier", words = "jobs submitted before the parts, dropped",
        odd = "submitted earlier are dropped" },
    { name = "unfinished", words = "jobs that did not finish in the parts, dropped",
        odd = "that do not finish are dropped" },
    { name = "executions", words = "lines of single executions of a job, dropped",
        odd = "lines of single executions are dropped" },
    { name = "other_status", words = "jobs of another status, dropped",
        odd = "of another status are dropped" },
    { name = "no_run", words = "jobs without a run time, dropped",
        odd = "without a run time are dropped" },
    { name = "no_processors", words = "jobs without processors, dropped",
        odd = "without processors are dropped" },
    { name = "requested", words = "jobs whose processors are those that they asked for",
        odd = "by the processors that they asked for" },
    { name = "unsorted", words = "jobs submitted before the line above, sorted",
        odd = "submitted before the line above, sorted" },
    { name = "not_terminated", words = "jobs that did not terminate, dropped",
        odd = "that did not terminate are dropped" },
    { name = "no_times", words = "jobs without times of all stages, dropped",
        odd = "without times of all stages are dropped" },
    { name = "cyclic", words = "jobs whose stages wait for each other, dropped",
        odd = "whose stages wait for each other are dropped" },
    { name = "too_many_stages", words = "jobs of more than 2^16 stages, dropped",
        odd = "of more than 2^16 stages are dropped" },
    { name = "repeated_numbers", words = "stages whose number another one of the job has",
        odd = "stages with a number that another one has" },
    { name = "missing_parents", words = "parents that the job does not have, left out",
        odd = "parents that the job does not have are left out" },
    { name = "no_number", words = "stages whose name has no number" },
    { name = "no_plan", words = "plans of cpu or memory that are missing" },
    { name = "repeated_parents", words = "parents that are named again, counted once",
        odd = "parents that are named again" },
    { name = "unmatched_children", words = "edges that children do not name as parents do",
        odd = "edges that children do not name as parents do" },
    { name = "runs_only", words = "runs of tasks that the workflow does not have, left out",
        odd = "runs of tasks that the workflow does not have are left out" },
    { name = "chosen", words = "profiles that the jobs are taken from" },
    { name = "processor_s", words = "processor seconds of the jobs" },
    { name = "lost_tasks", words = "tasks without a successful attempt, dropped",
        odd = "tasks without a successful attempt are dropped" },
    { name = "unknown_hosts", words = "replicas on hosts that the topology lacks, dropped",
      odd = "replicas on hosts that the topology lacks are dropped" },
    { name = "waiting_ms", words = "ms that reduces waited for maps, not counted as their work" },
    { name = "hosts", words = "hosts" },
    { name = "tasks", words = "tasks of the jobs" },
    { name = "map_only", words = "map-only rows", odd = "map-only" },
    { name = "all_zero", words = "rows without any bytes", odd = "without any bytes" },
    { name = "no_input", words = "rows that shuffle but read nothing",
        odd = "shuffle but read nothing" },
    { name = "expanding", words = "rows that shuffle more than they read",
        odd = "shuffle more than they read" },
    { name = "no_output", words = "rows that shuffle but write nothing",
        odd = "shuffle but write nothing" },
    { name = "map_input_bytes", words = "bytes read" },
    { name = "shuffle_bytes", words = "bytes shuffled" },
    { name = "output_bytes", words = "bytes written" },
    { name = "map_rate", words = "bytes a second at the map station" },
    { name = "shuffle_rate", words = "bytes a second at the shuffle station" },
}

---Writes one line: the file, how much it holds, what of it is odd and what is left out.
---@param workload pinion.Workload
---@param summary table<string, any>
---@return string
function M.notice(workload, summary)
    local file, parts = workload.options.file, {}
    for _, count in ipairs(COUNTS) do
        local amount = summary[count.name]
        if count.odd and amount and amount > 0 then
            parts[#parts + 1] = string.format("%d %s", amount, count.odd)
        end
    end
    return string.format("%s: %s%s%s", type(file) == "table" and table.concat(file, "+") or file,
        text.count(summary.rows, summary.unit or "row"), #parts > 0 and ": " or "",
        table.concat(parts, ", "))
end

---Lists all that was counted: name, words and amount of each, in order.
---@param summary table<string, any>
---@return { name: string, words: string, amount: number }[]
function M.list(summary)
    local list = {}
    for _, count in ipairs(COUNTS) do
        local amount = summary[count.name]
        local words = count.name == "rows" and summary.unit and summary.unit .. "s" or count.words
        if amount then list[#list + 1] = { name = count.name, words = words, amount = amount } end
    end
    return list
end

return M
