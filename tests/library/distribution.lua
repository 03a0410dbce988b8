-- Distributions, quantities and nearest names as people write them.

package.path = "tests/support/?.lua;" .. package.path
local check = require "check"
local core = require "pinion.core"
local distribution = require "pinion.base.distribution"
local quantity = require "pinion.base.quantity"
local suggest = require "pinion.base.suggest"

local GOOD = {
    ["exp(5)"] = "exp(5)",
    ["exponential(2.5)"] = "exp(2.5)",
    [" uniform( 1 , 9 ) "] = "uniform(1,9)",
    ["lognormal(10,4)"] = "lognormal(10,4)",
    ["normal(10,0)"] = "normal(10,0)",
    ["pareto(1.5,2)"] = "pareto(1.5,2)",
    ["poisson(3)"] = "poisson(3)",
    ["constant(7)"] = "constant(7)",
    ["7"] = "constant(7)",
    ["weibull(.5,2)"] = "weibull(0.5,2)",
    ["gamma(2,1e3)"] = "gamma(2,1000)",
    ["erlang(3,9)"] = "erlang(3,9)",
    ["hyperexp(0.9,1,0.1,20)"] = "hyperexp(0.9,1,0.1,20)",
    ["hyperexponential(1,2)"] = "hyperexp(1,2)",
    ["zipf(1.1,100)"] = "zipf(1.1,100)",
    ["empirical( 3,1, 4 )"] = "empirical(3,1,4)",
    ["mixture(.5,3,.5,truncate(exp(2),1,9))"] =
        "mixture(0.5,constant(3),0.5,truncated(exp(2),1,9))",
}
for text, want in pairs(GOOD) do
    local read, why = distribution.read(text)
    check.equal("distribution " .. text, read and distribution.text(read) or why, want)
end
check.equal("a number is a constant", distribution.text(distribution.read(7)), "constant(7)")
check.equal("a distribution is one already",
    distribution.text(distribution.read(distribution.read "uniform(1,9)")), "uniform(1,9)")

local BAD = {
    ["exp"] = "must be a distribution such as exp(5)",
    ["exp()"] = "mean must be a number > 0",
    ["exp(0)"] = "exp: mean must be a number > 0",
    ["exp(-1)"] = "exp: mean must be a number > 0",
    ["exp(1,2)"] = "takes 1 argument: exp(mean)",
    ["uniform(3)"] = "takes 2 arguments: uniform(low,high)",
    ["uniform(9,1)"] = "low must not be above high",
    ["uniform(1.5,2)"] = "low must be an integer >= 1",
    ["uniform(0,2)"] = "low must be an integer >= 1",
    ["0"] = "constant: value must be a number > 0",
    ["exp(nan)"] = "mean must be a number > 0",
    ["exp(0x10)"] = "mean must be a number > 0",
    ["expo(5)"] = "unknown distribution 'expo' (did you mean 'exp'?)",
    [""] = "must be a distribution",
    ["mixture(.5,exp(2),.5,expo(2))"] =
        "mixture: distribution 2: unknown distribution 'expo' (did you mean 'exp'?)",
    ["hyperexp(.5,1,.4,2)"] = "hyperexp: the probabilities must add up to 1, got 0.9",
    ["truncated(exp(1),2)"] = "must have the form truncated(distribution,low,high)",
}
for text, want in pairs(BAD) do
    check.contains("distribution " .. text, select(2, distribution.read(text)), want)
end

-- Tables as scripts may have them, and what is no distribution at all.
check.equal("a table", distribution.text(distribution.read { kind = "uniform", a = 1, b = 9 }),
    "uniform(1,9)")
check.equal("a table of one number",
    distribution.text(distribution.read { kind = "exp", a = 5, b = 0 }), "exp(5)")
check.contains("a table that lacks a number",
    select(2, distribution.read { kind = "uniform", a = 1 }), "high must be an integer >= 1")
for _, bad in ipairs { true, {}, { kind = 3 }, print } do
    check.contains("no distribution", select(2, distribution.read(bad)), "must be a distribution")
end

-- Values from a file.
local path = os.tmpname()
local function write(text)
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
end
write("# measured\n3\n\n 1.5 # the shortest\n1e2\n")
local measured = assert(distribution.read_factor("empirical(" .. path .. ")"))
check.equal("values of a file", measured.text, "empirical(3,1.5,100)")
check.equal("… by its name", distribution.text(measured), "empirical(" .. path .. ")")
check.equal("… in another one",
    assert(distribution.read("mixture(.5,empirical(" .. path .. "),.5,2)")).text,
    "mixture(0.5,empirical(3,1.5,100),0.5,constant(2))")
check.equal("its files", distribution.files("mixture(.5,empirical(a.txt),.5,empirical(1))")[1],
    "a.txt")
check.equal("no files", #distribution.files "mixture(.5,exp(2),.5,empirical(1,2))", 0)
check.equal("read again", assert(distribution.read(measured)).text, measured.text)
write("3\nthree\n")
check.equal("a line that is wrong", select(2, distribution.read("empirical(" .. path .. ")")),
    "empirical: " .. path .. ":2: must be a number >= 0, got 'three'")
write("# nothing\n")
check.contains("a file without values",
    select(2, distribution.read("empirical(" .. path .. ")")), path .. ": holds no values")
os.remove(path)
check.contains("no file", select(2, distribution.read("empirical(" .. path .. ")")),
    path .. ": No such file")

-- The mean of a power.
for _, case in ipairs {
    { "exp(5)", 1, 5.0 }, { "constant(3)", 2, 9.0 }, { "pareto(1,2)", 1, math.huge },
    { "truncated(uniform(1,9),20,30)", 1, nil },
} do
    local moment = core.distribution_moment(case[1], case[2])
    check.is_true(case[1] .. ": " .. tostring(moment), moment == case[3]
        or case[3] and math.abs(moment - case[3]) < 1e-12)
end
check.raises("no distribution", "must be a distribution", core.distribution_moment, "expo(1)", 1)

local function ratio(value)
    local pair, why = quantity.ratio(value)
    return pair and pair[1] .. "/" .. pair[2] or why
end
check.equal("ratio 1/100", ratio "1/100", "1/100")
check.equal("ratio in lowest terms", ratio "50/100", "1/2")
check.equal("ratio 0.01", ratio "0.01", "1/100")
check.equal("ratio .5", ratio ".5", "1/2")
check.equal("ratio 3", ratio "3", "3/1")
check.equal("ratio of a double", ratio(1 / 100), "1/100")
check.equal("ratio of a third", ratio(1 / 3), "1/3")
check.equal("ratio of an integer", ratio(2), "2/1")
for _, bad in ipairs { "0", "1/0", "-1", "x", "", "1/2/3", ".", 0, -1, 0 / 0, 1 / 0, true } do
    check.contains("ratio " .. tostring(bad), ratio(bad), "must be a ratio > 0")
end

check.equal("128MiB", quantity.bytes "128MiB", 134217728)
check.equal("1GiB", quantity.bytes "1GiB", 1073741824)
check.equal("64MB", quantity.bytes "64MB", 64000000)
check.equal("1.5KiB", quantity.bytes "1.5KiB", 1536)
check.equal("plain bytes", quantity.bytes "1000", 1000)
check.equal("bytes as a number", quantity.bytes(1000), 1000)
for _, bad in ipairs { "0", "-1", "1XiB", "x", "0.3B", {} } do
    check.contains("bytes " .. tostring(bad), select(2, quantity.bytes(bad)),
        "must be a number of bytes")
end

check.equal("integer text", quantity.integer("5.0", 0, 10), 5)
check.contains("hex is no number", select(2, quantity.integer("0x10", 0, 100)), "got '0x10'")
check.contains("fraction", select(2, quantity.integer("1.5", 0, 100)),
    "must be an integer in 0..100, got 1.5")

check.equal("swapped letters", suggest.nearest("asprt", { "fifo", "asrpt", "psrpt" }), "asrpt")
check.equal("nothing near", suggest.nearest("quicksort", { "fifo", "asrpt" }), nil)
check.equal("ties by name", suggest.nearest("ab", { "ac", "aa" }), "aa")

check.done()
