-- Deadlines in a chart: above its panels a mark at each, where a job was found to be late, and
-- where one was rejected; from a deadline that was missed a line to the job's finish. In traces a
-- row for each of these jobs.

local json = require "pinion.base.json"
local palette = require "pinion.output.palette"

local M = {}

-- Marks that can be told apart; and jobs whose deadlines are lines through the panels, too.
local MARKS_MOST, LINES_MOST = 400, 6
-- The time axis reaches to deadlines that come so soon behind the end, as a share of it.
local BEHIND_MOST = 1.25
-- Height of a mark, and how far names are apart.
local HIGH, NAME_ROOM = 8, 24

-- ---- figures ------------------------------------------------------------------------------------

---Returns where the time axis is to end, given where the bars do.
---@param promises pinion.LogPromise[]|nil
---@param last number
---@return number
function M.reach(promises, last)
    local reach = last
    for _, promise in ipairs(promises or {}) do
        local deadline = promise.state ~= "rejected" and promise.deadline or 0
        if deadline > reach and deadline <= last * BEHIND_MOST then reach = deadline + 0.0 end
    end
    return reach
end

local WORDS = { met = "met", missed = "missed", failed = "its job failed",
    cancelled = "its job was cancelled" }

-- Returns what became of a job's deadline, in words.
local function tip(promise)
    local parts = { "J" .. promise.job }
    local function add(format, ...) parts[#parts + 1] = string.format(format, ...) end
    if promise.state == "rejected" then add("rejected at %d ms", promise.submit) end
    if promise.deadline then add("deadline %d ms", promise.deadline) end
    if WORDS[promise.state] then parts[#parts] = parts[#parts] .. ": " .. WORDS[promise.state] end
    if promise.estimate then add("estimated finish %d ms", promise.estimate) end
    if #promise.late > 0 then add("late at %s ms", table.concat(promise.late, ", ")) end
    return table.concat(parts, ", ")
end

-- A triangle that points at a time, a diamond, and a cross: paths that end at (0, 0).
local SHAPES = { deadline = "M-4 -8h8l-4 8z", late = "M0 0l4 -4l-4 -4l-4 4z",
    rejected = "M-3 -7l6 6m0 -6l-6 6" }
local LOOKS = {
    deadline = ' fill="%s" stroke="#404040" stroke-width="0.8"',
    late = ' fill="#fff" stroke="%s" stroke-width="1.8"',
    rejected = ' fill="none" stroke="%s" stroke-width="1.8"',
}
local GREY = "#606060"

local function mark(shape, x, y, colour, says)
    return string.format('<path transform="translate(%.1f %.1f)" d="%s"%s>%s</path>\n', x, y,
        SHAPES[shape],
        LOOKS[shape]:format(colour), says and "<title>" .. says .. "</title>" or "")
end

local function is_within(time, strip) return time >= strip.from and time <= strip.span end

---@class pinion.GanttStrip where marks go
---@field x fun(time: number): number
---@field from number the beginning of the time axis
---@field span number and its end
---@field top number of the first panel
---@field bottom number of the last one
---@field taken number|nil where there stands a number already,
---@field room number|nil to keep free on both sides of it

-- Names above marks, from left to right, as far as there is room beside those before.
local function names(promises, strip, write)
    local order = {}
    for _, promise in ipairs(promises) do
        if promise.state ~= "rejected" and is_within(promise.deadline, strip) then
            order[#order + 1] = promise
        end
    end
    table.sort(order, function(a, b)
        if a.deadline ~= b.deadline then return a.deadline < b.deadline end
        return a.job < b.job
    end)
    local last = -math.huge
    for _, promise in ipairs(order) do
        local x = strip.x(promise.deadline)
        if x - last >= NAME_ROOM
                and not (strip.taken and math.abs(x - strip.taken) < NAME_ROOM / 2
                + strip.room) then
            write(string.format(
                '<text x="%.1f" y="%.1f" class="small" text-anchor="middle">J%d</text>\n', x,
                strip.top - HIGH - 3,
                promise.job))
            last = x
        end
    end
end

local function dash(x1, y1, x2, y2, colour, pattern)
    return string.format(
        '<path d="M%.1f %.1fL%.1f %.1f" fill="none" stroke="%s" stroke-width="1.5"%s/>\n', x1, y1,
        x2, y2, colour,
        pattern)
end

-- Draws how far behind a deadline its job finished.
local function overrun(promise, strip, colour)
    local y = strip.top - HIGH / 2
    return dash(strip.x(promise.deadline), y, strip.x(math.min(promise.finish, strip.span)), y,
        colour, "")
end

---Returns what follows the name of a job in the legend.
---@param promises pinion.LogPromise[]|nil
---@return table<integer, string> by job
function M.remarks(promises)
    local remarks = {}
    for _, promise in ipairs(promises or {}) do
        if promise.state == "missed" then
            remarks[promise.job] = " missed"
        elseif #promise.late > 0 then
            remarks[promise.job] = " late"
        end
    end
    return remarks
end

---@param promises pinion.LogPromise[]|nil
---@param strip pinion.GanttStrip
---@param colour_of fun(job: integer): string
---@param write fun(text: string)
function M.draw(promises, strip, colour_of, write)
    if #promises == 0 or #promises > MARKS_MOST then return end
    local lines = #promises <= LINES_MOST
    for _, promise in ipairs(promises) do
        local rejected = promise.state == "rejected"
        local colour, says = rejected and GREY or colour_of(promise.job), tip(promise)
        if rejected then
            if promise.submit >= strip.from then
                write(mark("rejected", strip.x(math.min(promise.submit, strip.span)),
                    strip.top - 1, colour, says))
            end
        elseif is_within(promise.deadline, strip) then
            local x = strip.x(promise.deadline)
            if promise.state == "missed" then write(overrun(promise, strip, colour)) end
            if lines then
                write(dash(x, strip.top, x, strip.bottom, "#fff", ' stroke-opacity="0.7"'))
                write(dash(x, strip.top, x, strip.bottom, colour, ' stroke-dasharray="2 3"'))
            end
            write(mark("deadline", x, strip.top - 1, colour, says))
        end
        for _, time in ipairs(promise.late) do
            if is_within(time, strip) then
                write(mark("late", strip.x(time), strip.top - 1, colour, says))
            end
        end
    end
    names(promises, strip, write)
end

local function kinds_of(promises, from, span)
    local kinds, strip = {}, { from = from, span = span }
    for _, promise in ipairs(promises and #promises <= MARKS_MOST and promises or {}) do
        local rejected = promise.state == "rejected"
        kinds.rejected = kinds.rejected or rejected
        kinds.deadline = kinds.deadline or not rejected and is_within(promise.deadline, strip)
        kinds.late = kinds.late or #promise.late > 0
    end
    return kinds
end

---Draws what the marks mean, from x to the right.
---@param promises pinion.LogPromise[]
---@param from number the beginning of the time axis
---@param span number and its end
---@param x number
---@param y number
---@param write fun(text: string)
---@return number x where there is room again
function M.legend(promises, from, span, x, y, write)
    local kinds = kinds_of(promises, from, span)
    for _, kind in ipairs { "deadline", "late", "rejected" } do
        if kinds[kind] then
            write(mark(kind, x + 10, y, kind == "rejected" and GREY or palette.LIGHT[1]))
            write(string.format('<text x="%.1f" y="%.1f" class="small">%s</text>\n', x + 19, y,
                kind))
            x = x + 34 + 6.4 * #kind
        end
    end
    return x
end

-- ---- traces -------------------------------------------------------------------------------------

-- Viewers read microseconds as doubles.
local TRACE_MOST = 1 << 53

local function times_of(promise)
    return json.object { { "job", promise.job }, { "submit", promise.submit },
        { "deadline", promise.deadline },
                         { "estimate", promise.estimate }, { "finish", promise.finish },
                         { "state", promise.state or "unfinished" } }
end

---Writes events of a trace: for each job its time in the system, and instants at its deadline and
---where it was late or rejected.
---@param promises pinion.LogPromise[]|nil
---@param pid integer
---@param last number the end of those that have none
---@param second number microseconds of a unit of time
---@param name_row fun(tid: integer, name: string)
---@param add fun(event: table)
function M.trace(promises, pid, last, second, name_row, add)
    for _, promise in ipairs(promises or {}) do
        local function instant(name, time)
            if time > TRACE_MOST // second then return end
            add(json.object { { "name", name }, { "cat", "deadline" }, { "ph", "i" }, { "s", "t" },
                { "pid", pid },
                              { "tid", promise.job }, { "ts", time * second },
                              { "args", times_of(promise) } })
        end
        name_row(promise.job, "J" .. promise.job)
        if promise.state == "rejected" then
            instant("rejected", promise.submit)
        else
            local finish = math.tointeger(promise.finish or math.max(last, promise.submit))
            add(json.object { { "name", "J" .. promise.job }, { "cat", "job" }, { "ph", "X" },
                { "pid", pid }, { "tid", promise.job },
                              { "ts", promise.submit * second },
                              { "dur", (finish - promise.submit) * second },
                              { "args", times_of(promise) } })
            instant("deadline", promise.deadline)
        end
        for _, time in ipairs(promise.late) do instant("late", time) end
    end
end

return M
