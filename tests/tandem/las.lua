-- Least attained service in the tandem model: equal jobs share, sizes and estimates do not matter,
-- and one station alone is an M/G/1 queue in foreground-background order, which has a formula.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"

local LAS = "policies/tandem/las.lua"

local function run(jobs, policy, more)
    local options = { model = "tandem", policy = policy or LAS, workload = jobs, quiet = true }
    for name, value in pairs(more or {}) do options[name] = value end
    return pinion.run(options)
end

local function near(name, got, want)
    check.is_true(string.format("%s: %.9g, not %.9g", name, got, want),
        math.abs(got - want) < 1e-6 * want)
end

-- ---- by hand ------------------------------------------------------------------------------------

local pair = run { { arrival = 0, map = 2 }, { arrival = 0, map = 2 } }
near("equal jobs end together", pair.jobs[1].finish, 4)
near("both of them", pair.jobs[2].finish, 4)
-- The second job has the station until it has got 1 as the first; then they share.
local late = run { { arrival = 0, map = 3 }, { arrival = 1, map = 2 } }
near("the one that came later ends", late.jobs[2].finish, 4)
near("and then the first", late.jobs[1].finish, 5)
local drain = run { { arrival = 0, shuffle = 2 }, { arrival = 0, shuffle = 4 } }
near("shuffles share", drain.jobs[1].finish, 4)
near("the shuffle station never idles", drain.jobs[2].finish, 6)

-- ---- sizes are not looked at --------------------------------------------------------------------

local stream = pinion.random(7)
local jobs, judged, time = {}, {}, 0
for i = 1, 300 do
    time = time + 1.4 * -math.log(stream:uniform())
    local map, shuffle = -math.log(stream:uniform()), -math.log(stream:uniform())
    jobs[i] = { arrival = time, map = map, shuffle = shuffle }
    judged[i] = { arrival = time, map = map, shuffle = shuffle,
        estimate_map = 3 * stream:uniform(), estimate_shuffle = 3 * stream:uniform() }
end
check.equal("estimates change nothing", run(judged).digest, run(jobs).digest)
check.is_true("they change srptmap", run(judged, "srptmap").digest ~= run(jobs, "srptmap").digest)

-- What a job will still need does not matter before it ends: the last one never does before 10.
local function first_finish(size)
    return run({ { arrival = 0, map = 1.5 }, { arrival = 0.25, map = 1, shuffle = 1 },
        { arrival = 0.5, map = size, shuffle = size } }).jobs[1].finish
end
near("a job's future size", first_finish(40), first_finish(10))

-- ---- M/G/1 in foreground-background order -------------------------------------------------------

-- A job of size x responds in r(x) = lambda m2(x) / (2 (1 - rho(x))^2) + x / (1 - rho(x)), where
-- m2(x) and rho(x) / lambda are moments of min(size, x). Means of r over the sizes, load 0.5.
local LOAD <const>, REPLICAS <const>, COUNT <const> = 0.5, 16, 5000

local function foreground_background(law)
    local mean, first, second, step = 0, 0, 0, 1e-3
    for i = 0, 60000 do
        local x = (i + 0.5) * step
        local above = law.above(x)
        first, second = first + above * step, second + 2 * x * above * step
        local idle = 1 - LOAD * first
        local response = LOAD * second / (2 * idle * idle) + x / idle
        mean = mean + (law.above(i * step) - law.above((i + 1) * step)) * response
    end
    return mean
end

local LAWS = {
    { name = "hyperexponential", tails = "heavy",
        above = function(x) return 0.9 * math.exp(-1.8 * x) + 0.1 * math.exp(-0.2 * x) end,
        draw = function(s)
            local rate = s:uniform() < 0.9 and 1.8 or 0.2
            return -math.log(s:uniform()) / rate
        end },
    { name = "exponential", above = function(x) return math.exp(-x) end,
        draw = function(s) return -math.log(s:uniform()) end },
    { name = "deterministic", tails = "none", above = function(x) return x < 1 and 1 or 0 end,
        draw = function() return 1 end },
}

local function queue(law, seed)
    local list, now, random = {}, 0, pinion.random(seed, 0)
    for i = 1, COUNT do
        now = now - math.log(random:uniform()) / LOAD
        list[i] = { arrival = now, map = law.draw(random) }
    end
    return list
end

for _, law in ipairs(LAWS) do
    local sum, squares, fcfs = 0, 0, 0
    for seed = 1, REPLICAS do
        local list = queue(law, seed)
        local mean = run(list, LAS, { warmup = 200 }).mean_response_time
        sum, squares = sum + mean, squares + mean * mean
        fcfs = fcfs + run(list, "fcfs", { warmup = 200 }).mean_response_time
    end
    local mean = sum / REPLICAS
    local variance = (squares - sum * mean) / (REPLICAS - 1)
    local want, sd = foreground_background(law), math.sqrt(variance / REPLICAS)
    print(string.format("%s: seeds 1..%d, mean %.4f +- %.4f, formula %.4f, fcfs %.4f", law.name,
        REPLICAS, mean, sd, want, fcfs / REPLICAS))
    check.is_true(law.name .. " agrees", math.abs(mean - want) < 4.5 * sd)
    check.is_true(law.name .. " says something", sd < 0.03 * want)
    if law.tails == "heavy" then check.is_true("beats fcfs", mean < 0.9 * fcfs / REPLICAS) end
    if law.tails == "none" then check.is_true("loses to fcfs", mean > 1.5 * fcfs / REPLICAS) end
end

check.done()
