-- rtmr-live against RTMR: promises from what runs now.

local page = require "shared.page"
local papers = require "shared.papers"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"

-- How many times as fast as in the paper jobs come.
local FASTER = { 0.5, 1, 2, 4 }

return page.page {
    name = "rtmr_live", title = "rtmr-live against RTMR: accepted jobs",
    label = "rtmr-live accepts more than RTMR",
    claim = "rtmr-live, which estimates from the attempts that run now in place of recorded "
        .. "vectors, accepts more jobs than RTMR with feedback.",
    method = {
        "Workloads I and II of He, Lu and Swanson, with jobs that come 0.5 to 4 times as fast; "
            .. "differences of the shares of accepted jobs on the same jobs, seed by seed. The "
            .. "durations are the fitted ones of the paper's section tables.",
    },
    quantity = "accepted by rtmr-live less by RTMR, points", axis = "times as fast", limit = 0,
    less = false, decimals = 1,
    points = function(context)
        local points, settings, places = {}, {}, {}
        for _, workload in ipairs(reference.WORKLOADS) do
            for _, faster in ipairs(FASTER) do
                settings[#settings + 1] = { workload = workload, variants = { "live", "rtmr" },
                    seeds = runs.seeds(context),
                    options = { gap_ms = math.floor(reference.gap_ms / faster) } }
                places[#places + 1] = { workload, faster }
            end
        end
        for i, cell in ipairs(runs.cells(context, "rtmr-live", settings)) do
            local values = {}
            for k, run in ipairs(cell.runs.live) do
                values[k] = run.accept - cell.runs.rtmr[k].accept
            end
            points[i] = { curve = "workload " .. places[i][1], x = i > #FASTER and i - #FASTER or i,
                at = string.format("%g", places[i][2]), values = values,
                missed = runs.total(cell, "live", "missed"),
                digest = papers.digest_text(papers.fold(papers.fold(papers.DIGEST_START,
                    cell.digest.live), cell.digest.rtmr)) }
        end
        return points
    end,
    note = function(section, points)
        local missed = 0
        for _, point in ipairs(points) do missed = missed + point.missed end
        section:note("Accepted jobs that miss under rtmr-live, over all of these runs: %d.", missed)
    end,
}
