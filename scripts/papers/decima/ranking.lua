-- The ranking of the baselines, which more than one section judges.

local papers = require "shared.papers"
local reference = require "decima.reference"

local M = {}

local function claim_of(label)
    return { label = "the ranking of the baselines" .. label, where = "Section 7.2",
        claim = reference.ranking_claim, paper = "-", ours = "-" }
end

---Claims the ranking: each baseline against the one before.
---@param section pinion.PaperSection
---@param label string behind "the ranking of the baselines"
---@param workloads { prefix: string, apart: fun(better: string, worse: string): pinion.Sample }[] the change of the mean in percent, by seed
function M.judge(section, label, workloads)
    local votes, parts, claim = papers.votes(), {}, claim_of(label)
    for _, workload in ipairs(workloads) do
        for i = 2, #reference.ranking do
            local better, worse = reference.ranking[i], reference.ranking[i - 1]
            local apart = workload.apart(better, worse)
            papers.vote(votes, papers.is_less(apart))
            parts[#parts + 1] = string.format("%s%s against %s %+.1f ± %.1f %%", workload.prefix,
                better, worse, apart.mean, apart.half)
        end
    end
    claim.paper, claim.ours = table.concat(reference.ranking, " > "), table.concat(parts, "; ")
    claim.verdict = papers.verdict(votes)
    claim.because = string.format("%d of %d steps hold beyond doubt, %d go the other way",
        votes.held, #parts, votes.failed)
    section:claim(claim)
end

---Claims something for which there are no profiles of queries.
---@param section pinion.PaperSection
---@param claim table without a verdict
function M.cannot(section, claim)
    claim.paper, claim.ours, claim.verdict = "-", "-", papers.CANNOT
    claim.because = "the profiles of TPC-H queries are no part of this; --trace FILE names them"
    section:claim(claim)
end

---@param section pinion.PaperSection
---@param label string
function M.cannot_rank(section, label)
    M.cannot(section, claim_of(label))
end

return M
