-- Data-aware preemption, which the conclusion of the paper on hSRTF names as a next step: PuP that
-- kills first on the nodes where the job that is to get the slots has its data.

local experiment = require "pinion".experiment
local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"

local M = {}

local NEAR, PLAIN = "hsrtf-near", "hsrtf-pup"
local KINDS = { near = "maps", colocated = "reduces" }
local CURVES = { near = "local maps, points", colocated = "reduces on their map's node, points" }

-- Both on the fresh seeds of the other sections.
local function cell_of(context)
    local seeds = runs.main(context).fresh[runs.NODES].seeds
    return runs.cells(context, "data-aware", { { policies = { NEAR, PLAIN }, seeds = seeds } })[1]
end

local function differences(ours, theirs)
    for i = 1, #ours do ours[i] = ours[i] - theirs[i] end
    return ours
end

local function points_of(context)
    local cell, points = cell_of(context), {}
    local digest = papers.digest_text(papers.fold(papers.fold(papers.DIGEST_START,
        cell.digest[NEAR]), cell.digest[PLAIN]))
    local function add(curve, g, group, values, less)
        points[#points + 1] = { curve = curve, x = g, at = group, values = values, less = less,
            digest = digest }
    end
    for g, group in ipairs(reference.GROUPS) do
        add("makespan, %", g, group,
            runs.changes(cell, { group = group, policy = NEAR, against = PLAIN }).seeds,
            true)
    end
    for _, field in ipairs { "near", "colocated" } do
        for g, group in ipairs(reference.GROUPS) do
            add(CURVES[field], g, group, differences(
                runs.shares(cell, NEAR, field, KINDS[field], group),
                runs.shares(cell, PLAIN, field, KINDS[field], group)), false)
        end
    end
    return points
end

local function sample_of(points, curve, group)
    for _, point in ipairs(points) do
        if point.curve == curve and point.at == group then
            return experiment.summary(point.values)
        end
    end
end

M.near = page.page {
    name = "near", title = "Data-aware preemption: kills where the data are",
    label = "kills where the data are make small jobs faster",
    claim = "If slots are freed first on the nodes that hold the data of the job that is to get "
        .. "them, more maps of small jobs are local, more of their reduces run on their map's "
        .. "node, and their makespans are smaller.",
    method = {
        string.format("PuP that frees slots for maps on nodes with an input, and slots for reduces "
            .. "on nodes with affinity, before others, against PuP on the same jobs, %s. Changes "
            .. "of mean makespans in percent, and of shares of tasks in points, seed by seed.",
            runs.ON),
        "The paper plans a \"smarter preemption policy that considers data locality when "
            .. "preempting tasks\".",
    },
    quantity = "change against PuP", axis = "jobs", limit = 0, less = true, decimals = 2,
    categories = true, points = points_of,
    judge = function(votes, points)
        local makespan = sample_of(points, "makespan, %", "small")
        papers.vote(votes, papers.is_less(makespan))
        for _, field in ipairs { "near", "colocated" } do
            papers.vote(votes, experiment.above(sample_of(points, CURVES[field], "small"), 0))
        end
        return string.format("of the three for small jobs %d hold beyond doubt, and %d do not",
            votes.held, votes.failed)
    end,
}

return M
