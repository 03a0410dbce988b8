-- The instances in the proofs of Lin, Zhang, Wierman, Tan (2013), as stretches of equal jobs, with
-- what the proofs say of them: total response times of the schedules they compare, in closed form,
-- and the order in which the better one serves the jobs.

local check = require "pinion.base.check"
local core = require "pinion.core"
local fault = require "pinion.base.fault"
local files = require "pinion.base.files"
local quantity = require "pinion.base.quantity"
local workload = require "pinion.workload"

local M = {}

---@alias pinion.Fact { [1]: string, [2]: number|string, [3]: string } name, value, what it is

---Reads the factor by which one size of a job exceeds the other.
function M.read_imbalance(value)
    return quantity.number(value, 1, 1e9, true)
end

function M.read_even(value)
    local n, why = quantity.integer(value, 2, 1000000000)
    if n and n % 2 == 1 then return nil, "must be even, got " .. check.show(n) end
    return n, why
end

local function triangle(n)
    return n * (n + 1) / 2
end

-- Appends numbers first..last to those in `list`.
local function append(list, first, last)
    for id = first, last do list[#list + 1] = id end
    return list
end

-- ---- theorem 2 ----------------------------------------------------------------------------------

-- k^2 jobs (1, 1/2) and k jobs (k, 3k/2) arrive at 0. At k^2 the adversary looks at the map work
-- done of the large ones. When it is at least k^2/5, small jobs are left: case 1, from k^2 on small
-- jobs arrive so fast that they cannot be caught up on. Else shuffle work of the large ones is left
-- at 2k^2: case 2, from then on large jobs arrive.

---@return integer
function M.theorem2_jobs(k)
    return k * k * k + k * k + k + 1
end

---@return table[] blocks for core.workload_blocks
function M.theorem2_blocks(k, case)
    local small = { map = 1, shuffle = 0.5, group = 0 }
    local large = { map = k, shuffle = 3 * k / 2, group = 1 }
    local function block(job, arrival, step, count)
        return { arrival = arrival, step = step, count = count, map = job.map,
            shuffle = job.shuffle, group = job.group }
    end
    local later = case == 1 and block(small, k * k, 1, k * k * k + 1)
        or block(large, 2 * k * k, 3 * k / 2, k * k * k + 1)
    return { block(small, 0, 0, k * k), block(large, 0, 0, k), later }
end

---Returns the order of the schedule whose cost is T' in the proof. Case 1: small jobs whenever
---there are any; case 2: the large ones of the beginning, then the small ones, then whatever
---arrives.
---@return integer[] job ids
function M.theorem2_schedule(k, case)
    local small, all, n = k * k, k * k + k, M.theorem2_jobs(k)
    if case == 1 then return append(append(append({}, 1, small), all + 1, n), small + 1, all) end
    return append(append(append({}, small + 1, all), 1, small), all + 1, n)
end

---@return pinion.Fact[]
function M.theorem2_facts(k, case)
    local schedule, most, least
    if case == 1 then
        -- Small jobs take their map time each, and the large ones follow: their shuffle is the
        -- longer part.
        schedule = triangle(k ^ 2) + (k ^ 3 + 1) + k * (k ^ 3 + k ^ 2 + 1) + 1.5 * k * triangle(k)
        most = (k ^ 2 + k) * k ^ 2 + (k + 1) * k ^ 3 + 1.5 * k ^ 3
        least = (k ^ 2 / 5 + 1) * k ^ 3
    else
        -- The shuffle of the large jobs ends at 3k^2/2, and the small ones' takes 1/2 each from
        -- there; then one job at a time.
        schedule = 1.5 * k * triangle(k) + 1.5 * k ^ 4 + 0.5 * triangle(k ^ 2) + 1.5 * k
            * (k ^ 3 + 1)
        most = (k ^ 2 + k) * 2 * k ^ 2 + 1.5 * k ^ 4
        least = (2 * k / 15 + 1) * 1.5 * k ^ 4
    end
    return {
        { "case", case, "the adversary's case" },
        { "schedule_total", schedule, "total response time of the schedule T' of the proof" },
        { "printed_most", most, "… which the paper bounds by" },
        { "printed_least", least,
            "total response time that the proof gives every policy of this case" },
    }
end

-- Returns map work done of the large jobs by time k^2 under a policy, from the log of a run on the
-- jobs that arrive at 0.
local function map_work_of_large(k, policy, binding)
    local path = files.temporary()
    local beginning = workload.from_blocks({ table.unpack(M.theorem2_blocks(k, 1), 1, 2) },
        "theorem2")
    local ok, problem = pcall(workload.run, {
        model = "tandem", policy = policy, params = binding.params, speed = binding.speed or 1.0,
        overlap = binding.overlap ~= false, replica = 0,
        workload = beginning, until_time = k ^ 2, bounds = "none", log = path, quiet = true,
    })
    local work, rate, since = 0, {}, {}
    local log <close> = ok and files.open(path) or nil
    os.remove(path)
    for line in log and log:lines() or next, {} do
        local entry = core.json_decode(line, path)
        local id = entry.job
        if id and id > k * k and entry.time <= k ^ 2 then
            work = work + (rate[id] or 0) * (entry.time - (since[id] or 0))
            rate[id], since[id] = entry.map_rate or 0, entry.time
        end
    end
    if not ok and (not fault.is(problem) or problem.code == 130) then error(problem, 0) end
    if not ok then fault.usage("theorem2: the adversary's look at the policy: %s", problem.text) end
    for id, of in next, rate do work = work + of * (k ^ 2 - since[id]) end
    return work
end

-- Work that is k^2/5 exactly counts as reached, whatever rounding made of it.
local ROUNDING = 1e-9

---Returns the case in which the instance is hard for the policy.
---@param options { k: integer, case: integer|"auto", against: string|nil }
---@param binding { policy: any, params: table|nil, speed: number|nil, overlap: boolean|nil }
---@return integer 1 or 2
function M.theorem2_case(options, binding)
    if options.case ~= "auto" then return options.case end
    local policy = options.against or binding.policy
    if not policy then
        fault.usage("theorem2: case: auto needs one policy that the adversary can watch "
            .. "(expected 1, 2, or against=POLICY)")
    end
    local reached = map_work_of_large(options.k, policy, binding) >= options.k ^ 2 / 5
        * (1 - ROUNDING)
    return reached and 1 or 2
end

-- ---- corollary 4 --------------------------------------------------------------------------------

---Makes n/2 jobs (a - eps, 1), then n/2 jobs (1, a), all at 0.
function M.corollary4_blocks(o)
    return {
        { count = o.n // 2, map = o.a - o.eps, shuffle = 1, group = 0 },
        { count = o.n // 2, map = 1, shuffle = o.a, group = 1 },
    }
end

---Returns a shuffle-heavy job, a map-heavy one, and so on in turn.
---@return integer[] job ids
function M.corollary4_schedule(o)
    local half, ids = o.n // 2, {}
    for i = 1, half do
        ids[2 * i - 1], ids[2 * i] = half + i, i
    end
    return ids
end

---@return pinion.Fact[]
function M.corollary4_facts(o)
    local a, half = o.a, o.n // 2
    local long = a - o.eps
    local policy = long * triangle(half) + half * half * long + a * triangle(half)
    local schedule = 2 * (a + 1) * triangle(half - 1) + half * (2 * a + 1)
    return {
        { "policy_total", policy, "total response time of maxsrpt" },
        { "schedule_total", schedule, "… of serving shuffle-heavy and map-heavy jobs in turn" },
        { "ratio", policy / schedule, "their ratio" },
        { "limit", 2 * a / (1 + a), "… as n grows and eps falls: 2a/(1+a)" },
    }
end

-- ---- corollary 6 --------------------------------------------------------------------------------

---Makes n - 1 jobs (b, 1), then a job (n - 1, (n - 1) b), all at 0.
function M.corollary6_blocks(o)
    return {
        { count = o.n - 1, map = o.b, shuffle = 1, group = 0 },
        { count = 1, map = o.n - 1, shuffle = (o.n - 1) * o.b, group = 1 },
    }
end

---Returns the small jobs, then the large one.
---@return integer[] job ids
function M.corollary6_schedule(o)
    return append({}, 1, o.n)
end

---@return pinion.Fact[]
function M.corollary6_facts(o)
    local b, small = o.b, o.n - 1
    local policy = (1 + b) * triangle(small) + small * (1 + b)
    local schedule = b * triangle(small) + 2 * small * b
    return {
        { "policy_total", policy, "total response time of splitsrpt" },
        { "schedule_total", schedule, "… of serving the small jobs first" },
        { "ratio", policy / schedule, "their ratio" },
        { "limit", 1 + 1 / b, "… as n grows: 1 + 1/b" },
    }
end

-- ---- theorem 1 ----------------------------------------------------------------------------------

local function sum(list)
    local total = 0
    for _, value in ipairs(list) do total = total + value end
    return total
end

-- Returns the proof's constants, in floats; above 2^53 is an error. A constant added to every
-- g and h changes nothing in the matching, and makes every g > 3 sum f.
local function nmts(o)
    local q, of_f = #o.f, sum(o.f) + 0.0
    local shift = math.max(0.0, 3 * of_f + 1 - math.min(table.unpack(o.g)))
    local of_g = sum(o.g) + q * shift
    local a = 2 * (of_g + 2 * of_f) * of_g
    local m = 9 * q * a
    local threshold = (9 * q * q / 2 + 3 * q / 2) * a + 2 * of_f + of_g + 6 * q * a + 3 * m + 3 * a
    return { shift = shift, map = a, excess = m, threshold = threshold }
end

-- So that sums stay below 2^53; longer lists of other numbers pass it anyway.
local NMTS_MOST, NUMBER_MOST = 1000, 1 << 40

---Checks what else the three lists must be.
---@return string|nil field, string|nil reason
function M.nmts_settle(o)
    for _, name in ipairs { "f", "g", "h" } do
        local list = o[name]
        if #list > NMTS_MOST then
            return name, string.format("must be at most %d numbers, got %d", NMTS_MOST, #list)
        end
        if #list ~= #o.f then
            return name, string.format("must be %d numbers, as many as f, got %d", #o.f, #list)
        end
        for i, value in ipairs(list) do
            if value > NUMBER_MOST then
                return name, string.format("number %d must be at most 2^40, got %d", i, value)
            end
        end
    end
    local wanted = sum(o.f) + sum(o.g)
    if sum(o.h) ~= wanted then
        return "h", string.format("must add up to sum f + sum g = %d, got %d", wanted, sum(o.h))
    end
    local threshold = nmts(o).threshold
    if threshold > check.INTEGER_MAX then
        return "f", string.format(
            "with these numbers the threshold is %.3g (expected at most 2^53, to be exact)",
            threshold)
    end
end

---Makes, for q numbers each, q jobs (A, A + f), q jobs (A, A + g), q jobs (A, A - h), two jobs (A,
---A + M), all at 0.
function M.nmts_blocks(o)
    local made, blocks = nmts(o), {}
    local function add(shuffle, group)
        blocks[#blocks + 1] = { count = 1, map = made.map, shuffle = shuffle, group = group }
    end
    for _, f in ipairs(o.f) do add(made.map + f, 0) end
    for _, g in ipairs(o.g) do add(made.map + g + made.shift, 1) end
    for _, h in ipairs(o.h) do add(made.map - h - made.shift, 2) end
    for _ = 1, 2 do add(made.map + made.excess, 3) end
    return blocks
end

---@return table<integer, string> by job id
function M.nmts_names(o)
    local names = {}
    for _, letter in ipairs { "F", "G", "H" } do
        for i = 1, #o.f do names[#names + 1] = letter .. i end
    end
    names[#names + 1], names[#names + 2] = "E1", "E2"
    return names
end

---@return pinion.Fact[]
function M.nmts_facts(o)
    local made = nmts(o)
    return {
        { "A", made.map, "map size of every job" },
        { "M", made.excess, "what the shuffle sizes of E1 and E2 exceed it by" },
        { "shift", made.shift, "added to every g and h" },
        { "threshold", made.threshold,
            "y: a schedule of at most this total exists if and only if there is a matching" },
    }
end

return M
