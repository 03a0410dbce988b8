-- Slips of Zheng, Shroff, Sinha (2013), each with what a run or a computation here shows of it.

local example = require "zheng.example"
local papers = require "shared.papers"
local reference = require "zheng.reference"

local M = {}

local TITLE = "Errata"

-- A scheduler that leaves H slots idle before the map and L - 1 before the reduce: the job of the
-- kernel's run comes H slots later, and its reduce has L - 1 units more, which are idle slots.
local function flow_of_case_1(h, l, small)
    local result = papers.run {
        machines = 1, reduce = "nonpreemptive", policy = "fifo",
        workload = { { arrival = h + 1, maps = 1, reduces = { 2 * small + 1 + l - 1 } } },
    }
    return result.jobs[1].finish
end

-- ---- Case I against Eq. 5 -----------------------------------------------------------------------

local CASES = { { 3, 1 }, { 5, 7 }, { 100, 40 } }

local function case_1()
    local small, parts, confirmed = reference.example[1].jobs, {}, true
    for i, delays in ipairs(CASES) do
        local h, l = table.unpack(delays)
        local flow = flow_of_case_1(h, l, small)
        parts[i] = string.format("H = %d, L = %d, Q = %d: %d slots (L + 2Q + 1 = %d, with H %d)",
            h, l, small, flow, l + 2 * small + 1, h + l + 2 * small + 1)
        confirmed = confirmed and flow == h + l + 2 * small + 1
    end
    return table.concat(parts, "; "), confirmed
end

-- ---- Eq. 6 --------------------------------------------------------------------------------------

local function equation_6()
    local parts, confirmed = {}, true
    for i, known in ipairs(reference.example) do
        local h, l, small = 0, 1, known.jobs
        local jobs, case = example.adversary(h, l, known.c0, small)
        local total, finish = example.clairvoyant(jobs, h, case)
        local printed = h + l + 4 * small + 1
        parts[i] = string.format("c0 = %d, Q = %d: slot %d, printed %d, and still a ratio above c0"
            .. " (%d over %d)", known.c0, small, finish, printed, known.total, total)
        confirmed = confirmed and finish == printed + 1 and known.total > known.c0 * total
    end
    return table.concat(parts, "; "), confirmed
end

---@type pinion.Erratum[]
local ERRATA = {
    {
        label = "Z1: flow time in Case I", where = "Section IV, Case I", show = case_1,
        printed = "\"the flow-time of S is L+2Q+1\"",
        meant = "H + L + 2Q + 1, as Eq. 5 has it: the H slots before the map count",
    },
    {
        label = "Z2: the end of the large job in S2", where = "Eq. 6, denominator",
        show = equation_6, printed = "H + L + 2Q + 2Q + 1 for the large job",
        meant = "H + L + 4Q + 2; the bound of Eq. 6 survives",
    },
    {
        label = "Z3: what the ratios compare", where = "abstract",
        printed = "\"the ratio between the completion time of the online algorithm to the "
            .. "completion time of the optimal non-causal off-line algorithm\"",
        meant = "total flow times, as in Eq. 3",
    },
}

M.errata = { name = "errata", title = TITLE, run = function(context)
    local section = papers.section("errata", TITLE, "throughout", {
        "What the paper prints and what must be meant. A verdict is on what is printed.",
    })
    papers.errata(section, ERRATA, context)
    return section
end }

return M
