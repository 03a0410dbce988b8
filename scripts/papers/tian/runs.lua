-- What the sections on Tian, Luo, Tian, Chen share: runs of the makespan model, exact values out of
-- them, and lines of a table that set the paper's number beside ours.

local papers = require "shared.papers"
local pinion = require "pinion"
local text = require "shared.text"

local M = {}

---@class pinion.TianRun
---@field policy string
---@field maps integer slots
---@field reduces integer|nil slots; nil: as many
---@field jobs table[]|pinion.Workload
---@field level "stage"|"task"|nil default stage
---@field params table|nil
---@field bounds string|nil default "fast"
---@field log string|nil
---@field seed integer|nil
---@field replica integer|nil

---@param given pinion.TianRun
---@return pinion.Result
function M.run(given)
    return papers.run {
        model = "makespan", policy = given.policy, params = given.params, map_slots = given.maps,
        reduce_slots = given.reduces or given.maps, level = given.level or "stage",
        workload = given.jobs,
        bounds = given.bounds or "fast", log = given.log, seed = given.seed,
        replica = given.replica,
    }
end

M.exact = pinion.exact

---An exact value of a result, or of a row of its jobs.
---@param holder table
---@param name string
function M.value(holder, name)
    return pinion.exact(holder[name .. "_exact"] or math.tointeger(holder[name]) or holder[name])
end

---@return any exact
function M.makespan(result)
    return M.value(result, "makespan")
end

---The largest of a job's or several jobs' times.
function M.finish(result, ids)
    local last
    for _, id in ipairs(ids) do
        local finish = M.value(result.jobs[id], "finish")
        if not last or last < finish then last = finish end
    end
    return last
end

---"J2-J5-J1"
function M.order_text(ids)
    local names = {}
    for i, id in ipairs(ids) do names[i] = "J" .. id end
    return table.concat(names, "-")
end

---@param a integer[]
---@param b integer[]
function M.same_order(a, b)
    return M.order_text(a) == M.order_text(b)
end

---"47", "107/3 (35.667)"
function M.show(value)
    if value == nil then return "-" end
    local written = tostring(value)
    return written:find("/", 1, true)
        and string.format("%s (%s)", written, text.number(value:number(), 3)) or written
end

---"34/107 = 31.776 %"
function M.percent(value)
    return string.format("%s = %.3f %%", tostring(value), 100 * value:number())
end

---Whether a percentage is what was printed with so many decimals.
---@param value any exact
---@param printed string "31.76"
function M.rounds_to(value, printed)
    local decimals = #(printed:match "%.(%d+)$" or "")
    return string.format("%." .. decimals .. "f", 100 * value:number()) == printed
end

-- ---- fluid stages -------------------------------------------------------------------------------

---Map and reduce duration of a job, given by its stage times, when all slots share its work.
---@param job table as in Table 1
---@param slots integer
---@return any map, any reduce exact
function M.fluid(job, slots)
    return pinion.exact(job.map_time * job.map_slots) / slots,
        pinion.exact(job.reduce_time * job.reduce_slots) / slots
end

-- ---- lines --------------------------------------------------------------------------------------

---@class pinion.TianKnown what is known of a number
---@field paper string|nil the paper's, as an exact value
---@field printed string|nil as it prints it, where that differs
---@field exact string|nil the reference's

---A line: what the paper prints, what the reference and we found, and whether the paper is right.
---@param section pinion.PaperSection
---@param what string
---@param ours any exact
---@param known pinion.TianKnown
---@param result pinion.Result|nil
---@return table row
function M.line(section, what, ours, known, result)
    local row = { what = what, paper = known.printed or known.paper, ours = tostring(ours),
        number = ours:number(),
                  digest = result and result.digest }
    if known.paper then
        row.verdict = ours == pinion.exact(known.paper) and "as printed" or "DIFFERENT"
    end
    if known.exact then row.agrees = section:compare_exact(what, ours, known.exact) end
    return row
end

local function or_dash(value)
    return value or "-"
end

M.LINE_COLUMNS = {
    { key = "what", title = "" }, { key = "paper", title = "paper", right = true, show = or_dash },
    { key = "ours", title = "ours", right = true,
      show = function(value, row) return value:find("/", 1, true) and M.show(pinion.exact(value))
          or tostring(row.ours) end },
    { key = "number" }, { key = "verdict", title = "the paper's", show = or_dash },
    papers.AGREES_COLUMN,
    { key = "digest", title = "digest", show = or_dash },
}

---@param holds boolean
function M.verdict(holds)
    return holds and papers.HOLDS or papers.FAILS
end

---A Gantt chart of a run, which wrote its log for it; nothing without a directory.
---@param context pinion.PaperContext
---@param section pinion.PaperSection
---@param name string
---@param title string
---@param given pinion.TianRun
---@return pinion.Result
function M.drawn(context, section, name, title, given)
    if not context.directory then return M.run(given) end
    local log, path = string.format("%s/%s.log", context.directory, name),
        string.format("%s/%s.svg", context.directory, name)
    given.log = log
    local result = M.run(given)
    pinion.gantt(log, path, { title = title })
    section.figures[#section.figures + 1] = path
    return result
end

return M
