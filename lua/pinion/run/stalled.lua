-- Runs of the cluster model that end with jobs left, although nothing ends them: what holds the jobs back, in one voice for runs,
-- comparisons and sweeps. A policy that gives nothing has failed; where slots are down for good, the run is as it must be.

local text = require "pinion.base.text"

local M = {}

local function warn(format, ...)
    io.stderr:write(string.format("pinion: " .. format .. "\n", ...))
end

-- What holds the jobs back; `word` is what the core calls it.
local function describe(word, jobs)
    if word == "policy" then return string.format("gave no slot any more, although slots were free: %s unfinished", jobs) end
    return string.format("no %s is up any more: %s unfinished", word, jobs)
end

---Says why jobs of a result are left: when the policy is to blame even if all is to be quiet, as the run has failed then.
---@param result pinion.Result
---@param quiet boolean
---@return boolean failed
function M.warn_result(result, quiet)
    local failed = result.stalled == "policy"
    if result.stalled and (failed or not quiet) then
        warn("policy %s: after time %d, %s", result.policy, result.time, describe(result.stalled, text.count(result.unfinished, "job")))
    end
    return failed
end

---Adds what a run of a comparison says to its row: the runs that stalled, and the worst reason.
---@param row table
---@param word string|nil of one run
function M.add(row, word)
    if not word then return end
    row.stalls = (row.stalls or 0) + 1
    if row.stalled ~= "policy" then row.stalled = word end
end

---… of any run of a comparison or a sweep.
---@param made pinion.Comparison|pinion.Sweep
---@param quiet boolean
---@return boolean failed
function M.warn_rows(made, quiet)
    local failed, seen = false, {}
    for _, row in ipairs(made.rows) do
        local own = row.stalled == "policy"
        failed = failed or own
        -- A sweep has many rows of a policy: one line says enough.
        if row.stalled and (own or not quiet) and not seen[row.policy] then
            seen[row.policy] = true
            warn("policy %s: %s%s", row.policy, describe(row.stalled, "jobs are"), row.stalls > 1 and ", in several runs" or "")
        end
    end
    return failed
end

return M
