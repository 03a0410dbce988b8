-- The tests of differences: against values of tables, and how often they err.
-- The seed is printed; PINION_TEST_SEED repeats a run.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local pinion = require "pinion"
local significance = require "pinion.base.significance"
local statistics = require "pinion.base.statistics"

local seed = tonumber(os.getenv "PINION_TEST_SEED" or os.time())
print(string.format("seed %d (PINION_TEST_SEED=%d repeats it)", seed, seed))
math.randomseed(seed)

local function close(name, got, want, error)
    check.is_true(string.format("%s: %.15g, not %.15g", name, got, want),
        math.abs(got - want) <= error * want)
end

-- ---- Student's t test ---------------------------------------------------------------------------

-- The inverse of its quantiles, which have another algorithm.
for _, freedom in ipairs { 1, 2, 3, 4, 5, 9, 10, 29, 100, 999, 1000 } do
    close("quantile of " .. freedom, significance.student_p(statistics.student(freedom), freedom),
        0.05, 1e-11)
    close("three deviations of " .. freedom,
        significance.student_p(-statistics.student(freedom, statistics.THREE), freedom),
        1 - statistics.THREE.inside, 1e-8)
end
-- 1 degree: 1 - 2 atan(t) / pi; 2 degrees: 1 - t / sqrt(2 + t^2).
for _, t in ipairs { 1e-3, 0.5, 1, 2, 30, 1e4 } do
    close("1 degree, " .. t, significance.student_p(t, 1), 2 * math.atan(1 / t) / math.pi, 1e-11)
    close("2 degrees, " .. t, significance.student_p(t, 2),
        2 / ((2 + t * t) * (1 + t / math.sqrt(2 + t * t))), 1e-11)
end
check.equal("no difference", significance.student_p(0, 5), 1.0)
check.equal("an infinite one", significance.student_p(1e200, 5), 0.0)

-- ---- the sign test ------------------------------------------------------------------------------

close("10 of 10", significance.sign_p(10, 0), 2 / 1024, 1e-12)
close("1 of 10", significance.sign_p(1, 9), 22 / 1024, 1e-12)
check.equal("5 of 10", significance.sign_p(5, 5), 1.0)
check.equal("of none", significance.sign_p(0, 0), 1.0)
close("950 of 2000", significance.sign_p(950, 1050), 0.0267, 0.01)

-- ---- Holm's correction --------------------------------------------------------------------------

local function holm(...)
    local marks = {}
    for i, one in ipairs(significance.holm { ... }) do marks[i] = one and "1" or "0" end
    return table.concat(marks)
end
check.equal("four tests", holm(0.01, 0.04, 0.03, 0.005), "1001")
check.equal("one test", holm(0.05), "1")
check.equal("two tests", holm(0.04, 0.026), "00")
check.equal("the second is easier", holm(0.04, 0.025), "11")
check.equal("none", holm(), "")

-- Of five policies that do not differ, some look different in at most 5 % of the comparisons.
local wrong, TRIALS = 0, 1000
for _ = 1, TRIALS do
    local rows = {}
    for i = 1, 5 do
        local differences = {}
        for replica = 1, 8 do
            differences[replica] = math.sqrt(-2 * math.log(1 - math.random()))
                * math.cos(2 * math.pi * math.random())
        end
        rows[i] = {}
        rows[i].difference_p, rows[i].wins_p = significance.chances(differences)
    end
    significance.mark(rows)
    for _, row in ipairs(rows) do
        if row.significant == "mean" then
            wrong = wrong + 1
            break
        end
    end
end
check.is_true(string.format("%d of %d comparisons are wrong", wrong, TRIALS),
    wrong <= 0.05 * TRIALS + 4 * math.sqrt(0.05 * 0.95 * TRIALS))

-- ---- a comparison -------------------------------------------------------------------------------

-- Sizes with heavy tails: every replica agrees, but their differences vary too much for t.
local made = pinion.compare { workload = "lin,load=.9,jobs=3000", replicas = 10, quiet = true,
    policies = { "fcfs", "maxsrpt", "ps", "klps" } }
local row = made.rows[2]
check.equal("it wins", row.wins, 10)
close("by signs", row.wins_p, 2 / 1024, 1e-12)
check.equal("significant by wins", row.significant, "wins")
check.equal("the baseline is not tested", made.rows[1].difference_p, nil)
check.contains("said below the table", tostring(made),
    "(Holm): maxsrpt smaller by wins (10 of 10), ps")
check.equal("nothing is random", pinion.compare { workload = "lin,jobs=5,map=1,ratio=1",
    policies = { "fcfs", "ps" }, quiet = true }.rows[2].difference_p, nil)

check.done()
