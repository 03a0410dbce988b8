-- Preemption that keeps what was done, which the conclusion of the paper on hSRTF names as a next
-- step: attempts are suspended and resume on their nodes, in place of being killed.

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local POLICIES = { "hsrtf-pup", "hsrtf-prp" }
local CALM = { ["hsrtf-pup"] = "hsrtf-pu", ["hsrtf-prp"] = "hsrtf-pr" }

-- Points of a percentage that make no difference.
local SAME = 2

-- The same policies with kills, those without any preemption, and with suspensions, all on the
-- fresh seeds of the other sections.
local function cells_of(context)
    local main = runs.main(context).fresh[runs.NODES]
    local suspending = runs.cells(context, "suspensions", { { policies = POLICIES,
        seeds = main.seeds, params = { preemption = "suspend" } } })[1]
    return main, suspending
end

local function points_of(context)
    local main, suspending = cells_of(context)
    local points = {}
    for _, policy in ipairs(POLICIES) do
        local function add(curve, x, at, values)
            points[#points + 1] = { policy = policy, curve = runs.NAMES[policy] .. " " .. curve,
                x = x, at = at, values = values, less = true, digest = suspending.digest[policy] }
        end
        for g, group in ipairs(reference.GROUPS) do
            local ours = runs.means(suspending, policy, "makespan", group)
            add("against kills", g, group,
                runs.percentages(ours, runs.means(main, policy, "makespan", group)))
            add("against no preemption", g, group,
                runs.percentages(ours, runs.means(main, CALM[policy], "makespan", group)))
        end
        add("against kills", #reference.GROUPS + 1, "slot time",
            runs.percentages(runs.held(suspending, policy), runs.held(main, policy)))
    end
    return points
end

local function sample_of(points, policy, at)
    for _, point in ipairs(points) do
        if point.policy == policy and point.at == at and point.curve:find "kills" then
            return experiment.summary(point.values)
        end
    end
end

M.suspension = page.page {
    name = "suspension", title = "Preemption that keeps what was done: suspend and resume",
    label = "suspending tasks spares large jobs what kills cost them",
    claim = "If tasks are suspended and resume on their nodes in place of being killed, small jobs "
        .. "gain as much, large jobs are faster, and slots are held for less time.",
    method = {
        string.format("PuP and PrP that suspend (CL34 to CL36) on the same jobs, against the same "
            .. "policies that kill without a limit, and against Pu and Pr, %s. Changes of mean "
            .. "makespans and of the time that slots were held, in percent, seed by seed.",
            runs.ON),
        "The paper plans to explore techniques that \"could save the state of preempted tasks "
            .. "instead of simply killing them\". Here this costs nothing: no time to save a "
            .. "state, and no memory. What it gains is an upper bound of what such a technique "
            .. "gains; the section price has its price.",
    },
    quantity = "change, %", axis = "jobs", limit = 0, less = true, decimals = 1, categories = true,
    points = points_of,
    judge = function(votes, points)
        for _, policy in ipairs(POLICIES) do
            papers.vote(votes, papers.is_at_most(sample_of(points, policy, "small"), SAME))
            papers.vote(votes, papers.is_less(sample_of(points, policy, "large")))
            papers.vote(votes, papers.is_less(sample_of(points, policy, "slot time")))
        end
        return string.format("of three statements on two policies %d hold beyond doubt, and %d do "
            .. "not; as much: at most %d points less", votes.held, votes.failed, SAME)
    end,
}

return M
