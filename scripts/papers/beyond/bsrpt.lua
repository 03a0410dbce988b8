-- bsrpt against MaxSRPT: the overlapping tandem queue.

local page = require "shared.page"
local papers = require "shared.papers"
local runs = require "lin.runs"

local LOADS = { .2, .4, .6, .75, .9 }
local KINDS = { "pair", "balanced", "independent" }

return page.page {
    name = "bsrpt", title = "bsrpt against MaxSRPT: mean response time",
    label = "bsrpt takes less than MaxSRPT",
    claim = "bsrpt, which lets both sides of a job count in the order of maps while the shuffle "
        .. "station has a backlog, takes less mean response time than MaxSRPT.",
    method = {
        "The workload of section 5.3 of Lin, Zhang, Wierman and Tan, the same with balanced sizes, "
            .. "and independent sizes; ratios of means on the same jobs, replica by replica.",
    },
    quantity = "response time of bsrpt over MaxSRPT", axis = "load", limit = 1, less = true,
    decimals = 4,
    points = function(context)
        local points, given = {}, {}
        for _, kind in ipairs(KINDS) do
            for _, load in ipairs(LOADS) do
                given[#given + 1] = { label = string.format("%s at %.2f", kind, load),
                    policies = { "bsrpt", "maxsrpt" }, bounds = "none",
                    workload = runs.workload(kind, load, context.jobs) }
            end
        end
        for i, cell in ipairs(runs.cells(context, "bsrpt", given)) do
            local kind, load = KINDS[(i - 1) // #LOADS + 1], LOADS[(i - 1) % #LOADS + 1]
            local folded = papers.fold(papers.DIGEST_START, cell.digest.bsrpt)
            points[i] = {
                curve = runs.WORKLOADS[kind].short, x = load, at = string.format("%g", load),
                values = runs.ratios(cell, "bsrpt", "maxsrpt"),
                digest = papers.digest_text(papers.fold(folded, cell.digest.maxsrpt)),
            }
        end
        return points
    end,
}
