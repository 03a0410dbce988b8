-- Generators of the instances in the proofs of Lin, Zhang, Wierman, Tan (2013).

local adversary = require "pinion.workload.adversary"
local check = require "pinion.base.check"
local core = require "pinion.core"
local quantity = require "pinion.base.quantity"
local readers = require "pinion.base.readers"

local function read_case(value)
    local case = quantity.plain(value)
    if case == 1 or case == 2 then return math.tointeger(case) end
    if value == "auto" then return value end
    return nil, "must be 1, 2 or auto, got " .. check.show(value)
end

local theorem2 = {
    doc = "the adversary of Lin, Zhang, Wierman, Tan (2013), theorem 2: no online policy is "
        .. "within a constant factor",
    models = { tandem = true },
    subject = "k",
    fields = {
        { name = "k", read = readers.integer(1, 1000), default = 5,
            doc = "k^3 + k^2 + k + 1 jobs" },
        { name = "case", read = read_case, default = "auto",
          doc = "1: further jobs of type 1; 2: of type 2; auto: as the adversary chooses" },
        { name = "against", read = check.text,
            doc = "the policy that the adversary watches; default: the one that runs" },
    },
    open = function(o, binding)
        return core.workload_blocks(adversary.theorem2_blocks(o.k,
            adversary.theorem2_case(o, binding)))
    end,
    facts = function(o) return adversary.theorem2_facts(o.k, adversary.theorem2_case(o, {}))
        end,
    schedule = function(o) return adversary.theorem2_schedule(o.k,
        adversary.theorem2_case(o, {})) end,
    expected_jobs = function(o) return adversary.theorem2_jobs(o.k) end,
    watches = function(o) return o.case == "auto" and o.against or nil end,
    groups = function() return { "type 1", "type 2" } end,
}

local corollary4 = {
    doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 4: maxsrpt is 2a/(1+a) "
        .. "from the optimum",
    models = { tandem = true },
    subject = "a",
    fields = {
        { name = "a", read = adversary.read_imbalance, default = 5,
            doc = "imbalance of the jobs, > 1" },
        { name = "n", read = adversary.read_even, default = 20, doc = "number of jobs, even" },
        { name = "eps", read = readers.positive(1e9), default = 0.01,
          doc = "reduction of the larger size of every other job, < a - 1" },
    },
    settle = function(o)
        if o.eps < o.a - 1 then return nil end
        return "eps", string.format("must be < a - 1 = %s, got %s", check.show(o.a - 1),
            check.show(o.eps))
    end,
    open = function(o) return core.workload_blocks(adversary.corollary4_blocks(o)) end,
    facts = adversary.corollary4_facts,
    schedule = adversary.corollary4_schedule,
    expected_jobs = function(o) return o.n end,
    groups = function() return { "map-heavy", "shuffle-heavy" } end,
}

local corollary6 = {
    doc = "the batch of Lin, Zhang, Wierman, Tan (2013), corollary 6: splitsrpt is 1+1/b "
        .. "from the optimum",
    models = { tandem = true },
    subject = "b",
    fields = {
        { name = "b", read = adversary.read_imbalance, default = 2,
            doc = "imbalance of the jobs, > 1" },
        { name = "n", read = readers.integer(2, 1000000000), default = 20, doc = "number of jobs" },
    },
    open = function(o) return core.workload_blocks(adversary.corollary6_blocks(o)) end,
    facts = adversary.corollary6_facts,
    schedule = adversary.corollary6_schedule,
    expected_jobs = function(o) return o.n end,
    groups = function() return { "small", "large" } end,
}

local nmts = {
    doc = "the reduction of Lin, Zhang, Wierman, Tan (2013), theorem 1: numerical matching "
        .. "with target sums as a batch",
    models = { tandem = true },
    fields = {
        { name = "f", read = readers.integers, required = true,
            doc = "positive integers such as 1;2;3" },
        { name = "g", read = readers.integers, required = true, doc = "as many" },
        { name = "h", read = readers.integers, required = true,
            doc = "as many, the sums to be matched: sum f + sum g = sum h" },
    },
    settle = adversary.nmts_settle,
    open = function(o) return core.workload_blocks(adversary.nmts_blocks(o)) end,
    facts = adversary.nmts_facts,
    expected_jobs = function(o) return 3 * #o.f + 2 end,
    groups = function() return { "F", "G", "H", "E" } end,
    names = adversary.nmts_names,
}

return { theorem2 = theorem2, corollary4 = corollary4, corollary6 = corollary6, nmts = nmts }
