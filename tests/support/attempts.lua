-- Books of attempts, kept from a decision log of the cluster model by what the rules say of times:
-- which run, how far they are, and when they are due. Of jobs whose input is equally near on all
-- nodes, without a shuffle, and whose reduces start after their maps.

local check = require "check"
local core = require "pinion.core"

local M = {}

---The events of tasks and nodes, in order.
---@return table[]
function M.read(path)
    local entries = {}
    for line in check.read_file(path):gmatch "[^\n]+" do
        local entry = core.json_decode(line, path)
        if entry.event then entries[#entries + 1] = entry end
    end
    return entries
end

-- ---- what is drawn (CL8) ------------------------------------------------------------------------

local function mix(...)
    local h = 0x9E3779B97F4A7C15
    for _, x in ipairs { ... } do
        h = (h ~ x) * 0xBF58476D1CE4E5B9
        h = (h ~ (h >> 27)) * 0x94D049BB133111EB
        h = h ~ (h >> 31)
    end
    return h
end

-- Of a number of 64 bits without a sign.
local function modulo(number, divisor)
    local rest = number - ((number >> 1) // divisor << 1) * divisor
    return math.ult(rest, divisor) and rest or rest - divisor
end

local Books = {}
Books.__index = Books

local KIND <const> = { map = 0, reduce = 1 }

function Books:draw(purpose, it, most)
    return modulo(mix(self.seed, purpose, it.job - 1, KIND[it.kind], it.task - 1, it.attempt),
        most)
end

---Milliseconds that the attempt works if it ends well.
function Books:work(it)
    local job, rules = self.jobs[it.job], self.rules
    local lo, hi = rules.factor_lo or 1000, rules.factor_hi or 1000
    local factor = lo + self:draw(1, it, hi - lo + 1)
    local ms, speed = it.kind == "map" and job.map_ms or job.reduce_ms, self.nodes[it.node].speed
    return math.max(1, (ms * factor + speed - 1) // speed)
end

function Books:fails(it)
    return self:draw(3, it, 1000) < (self.rules.attempt_fail_permille or 0)
end

---When it ends, well or not.
function Books:due(it)
    local work = self:work(it)
    return it.start + (self:fails(it) and math.max(1, work * self:draw(4, it, 1000) // 1000)
        or work)
end

---In millionths (CL12).
function Books:progress(it)
    local elapsed, work = self.now - it.start, self:work(it)
    return it.kind == "map" and elapsed * 1000000 // work or 333333 + elapsed * 666666 // work
end

-- ---- what runs ----------------------------------------------------------------------------------

---Books of a run; jobs are in order of submission.
---@param nodes string such as "3x2x1+1x2x1x500": nodes x map slots x reduce slots x speed
function M.new(nodes, jobs, rules, seed)
    local books = { jobs = jobs, rules = rules, seed = seed, now = 0, running = {}, nodes = {},
        slots = { map = 0, reduce = 0 } }
    local number = 0
    for count, maps, reduces, speed in nodes:gmatch "(%d+)x(%d+)x(%d+)x?(%d*)" do
        for _ = 1, math.tointeger(tonumber(count)) do
            books.nodes[number] = { up = true, ended = 0, speed = math.tointeger(speed) or 1000,
                map = math.tointeger(maps), reduce = math.tointeger(reduces) }
            for kind, sum in pairs(books.slots) do
                books.slots[kind] = sum + books.nodes[number][kind]
            end
            number = number + 1
        end
    end
    return setmetatable(books, Books)
end

---The attempt that an entry is about.
function Books:find(entry)
    for it in pairs(self.running) do
        if it.job == entry.job and it.kind == entry.kind and it.task == entry.task
            and it.attempt == entry.attempt then
            return it
        end
    end
end

---The other attempt of its task.
function Books:twin(it)
    for other in pairs(self.running) do
        if other ~= it and other.job == it.job and other.kind == it.kind
            and other.task == it.task then
            return other
        end
    end
end

---Whether it launches a second attempt.
function Books:is_copy(entry)
    return entry.event == "launch" and self:twin(entry) ~= nil
end

---Tasks with two attempts.
function Books:copied(kind)
    local count = 0
    for it in pairs(self.running) do
        if it.kind == kind and self:twin(it) then count = count + 1 end
    end
    return count // 2
end

---Nodes that are up and have free slots of a kind.
function Books:free_slots()
    local list, taken = {}, { map = {}, reduce = {} }
    for it in pairs(self.running) do
        taken[it.kind][it.node] = (taken[it.kind][it.node] or 0) + 1
    end
    for node, state in pairs(self.nodes) do
        for kind in pairs(KIND) do
            if state.up and (taken[kind][node] or 0) < state[kind] then
                list[#list + 1] = { node = node, kind = kind }
            end
        end
    end
    return list
end

function Books:take(entry)
    local it = entry.kind and self:find(entry)
    self.now = entry.time
    if entry.event == "launch" then
        entry.start, entry.copy = entry.time, self:is_copy(entry)
        self.running[entry] = true
    elseif it and entry.event ~= "rerun" then
        self.running[it] = nil
        if entry.event == "end" then
            self.nodes[it.node].ended = self.nodes[it.node].ended + 1
        end
    elseif entry.event == "node_down" or entry.event == "node_up" then
        self.nodes[entry.node].up = entry.event == "node_up"
    end
end

-- ---- runs of copies -----------------------------------------------------------------------------

---Follows the log of a run whose policy launches copies: `expected` says which attempt should be
---copied on a node, if any. The first of two attempts to be due ends its task, and what the result
---counts is in the log.
---@param books table
---@param log string
---@param result pinion.ClusterResult
---@param expected fun(books: table, node: integer, kind: string): table|nil
---@return integer copies, integer won
function M.follow(books, log, result, expected)
    local copies, won, wrong = 0, 0, {}
    local function fault(what) wrong[#wrong + 1] = what .. " at " .. books.now end
    for _, entry in ipairs(M.read(log)) do
        for _, slot in ipairs(entry.time > books.now and books:free_slots() or {}) do
            if expected(books, slot.node, slot.kind) then fault "a copy is missing" end
        end
        books.now = entry.time
        if books:is_copy(entry) then
            local want = expected(books, entry.node, entry.kind)
            local is_it = want and want.job == entry.job and want.task == entry.task
            if not is_it then fault "a copy that should not be" end
            copies = copies + 1
        elseif entry.event == "end" then
            local it = books:find(entry)
            local twin = books:twin(it)
            won = won + (it.copy and 1 or 0)
            if books:due(it) ~= entry.time then fault "an end at another time" end
            if twin and books:due(twin) < entry.time then fault "the other one ends first" end
        end
        books:take(entry)
    end
    check.equal("seed " .. books.seed, table.concat(wrong, "; "), "")
    check.equal("nothing runs in the end", next(books.running), nil)
    check.equal("copies, seed " .. books.seed, result.copies, copies)
    check.equal("copies that won, seed " .. books.seed, result.copies_won, won)
    return copies, won
end

return M
