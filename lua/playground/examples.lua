-- Prints the examples of the playground as a script that defines EXAMPLES. Their files are those of
-- the checkout.
--   pinion run lua/playground/examples.lua
local json = require "pinion.base.json"

local function read(path)
    local file = assert(io.open(path, "rb"))
    local text = file:read "a"
    file:close()
    return text
end

local EXAMPLES <const> = {
    { name = "patience", files = { ["patient.lua"] = "examples/policies/patient.lua" },
        workload = "zheng:0", policies = "fifo,dspt,patient.lua", settings = "reduce=preemptive",
        about = "Slotted model: a policy of your own, which weighs waiting against size." },
    { name = "starvation ratio of Fair",
        files = { ["fair_starvation.lua"] = "policies/slotted/fair_starvation.lua" },
        workload = "facebook,jobs=300", policies = "fifo,fair,fair_starvation.lua",
        settings = "machines=60",
        about = "Slotted model: what do long jobs gain, and who pays, when waiting counts?" },
    { name = "two classes of jobs, own workload",
        files = { ["diurnal.lua"] = "examples/workloads/diurnal.lua",
            ["patient.lua"] = "examples/policies/patient.lua" },
        workload = "diurnal.lua,jobs=400", policies = "fifo,fair,patient.lua",
        settings = "machines=40",
        about = "Slotted model: interactive and batch jobs over a day, drawn by a Lua file." },
    { name = "delay scheduling", files = { ["fair.lua"] = "policies/cluster/fair.lua" },
        workload = "hsrtf", policies = "fifo,fair.lua", settings = "", model = "cluster",
        about = "Cluster model: how long should a job wait for a node with its input?" },
    { name = "shares of hSRTF",
        files = { ["hsrtf_starvation.lua"] = "policies/cluster/hsrtf_starvation.lua" },
        workload = "hsrtf", policies = "fifo,fair,hsrtf-pr,hsrtf_starvation.lua", settings = "",
        model = "cluster",
        about = "Cluster model: shortest remaining time first, with shares that starving jobs "
            .. "raise." },
    { name = "tenants under DRF", files = { ["drf.lua"] = "policies/dag/drf.lua",
        ["tenants.lua"] = "examples/workloads/tenants.lua" }, workload = "tenants.lua",
        policies = "fifo,fair,drf.lua", settings = "resources=cpu+memory nodes=1x36/72",
        about = "Dag model: two tenants with unlike demands share processors and memory." },
    { name = "overlapping tandem queue", files = { ["klps.lua"] = "policies/tandem/klps.lua" },
        workload = "lin,jobs=2000", policies = "maxsrpt,splitsrpt,klps.lua", settings = "",
        about = "Tandem model: map and shuffle overlap; k-LPS limits how many jobs share." },
    { name = "makespan of a batch",
        files = { ["insertion.lua"] = "policies/makespan/insertion.lua" },
        workload = "rand_few", policies = "fifo,uaas,mk_jr,insertion.lua", settings = "",
        about = "Makespan model: in which order should a batch of jobs run?" },
    { name = "an experiment script", files = { ["first.lua"] = "examples/lua/first.lua" },
        script = "first.lua", about = "A script in Lua: runs, results and what they say." },
}

-- Returns an example with the texts of its files, in the order of their names.
local function complete(example)
    local made = { replicas = 1, seed = 1 }
    for name, value in next, example do made[name] = value end
    made.files = {}
    for name, path in next, example.files do made.files[name] = read(path) end
    return made
end

local list = {}
for i, example in ipairs(EXAMPLES) do list[i] = json.tree(complete(example)) end
print("window.EXAMPLES = " .. json.encode(json.list(list)) .. ";")
