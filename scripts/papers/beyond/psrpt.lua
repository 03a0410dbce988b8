-- PSRPT against ASRPT: an index without the group order of Algorithm 1.

local page = require "shared.page"
local papers = require "shared.papers"
local pinion = require "pinion"
local runs = require "zheng.runs"

-- Arrival rates; 2 is the paper's, with a load of .9.
local RATES = { 1, 1.5, 2 }

local function cell_of(context, setting, mode, rate)
    return runs.cell(context, {
        label = string.format("psrpt setting %d %s rate %g", setting, mode, rate),
        workload = pinion.workload.zheng { setting = setting, rate = rate, slots = runs.SLOTS },
        machines = runs.MACHINES, reduce = mode, policies = { "psrpt", "asrpt" },
        seeds = context.seeds,
    })
end

return page.page {
    name = "psrpt", title = "PSRPT against ASRPT: total flow time",
    label = "PSRPT takes less than ASRPT",
    claim = "PSRPT, which serves jobs by their remaining work and makes cheap maps early, without "
        .. "ASRPT's order of groups of tasks, takes less total flow time than ASRPT.",
    method = {
        "The workloads of figures 5 to 8 of Zheng, Shroff and Sinha at three arrival rates, both "
            .. "with and without preemption; ratios of total flow times on the same jobs, seed by "
            .. "seed.",
    },
    quantity = "flow time of PSRPT over ASRPT", axis = "jobs a slot", limit = 1, less = true,
    decimals = 3,
    points = function(context)
        local points = {}
        papers.over(runs.MODES, function(mode)
            papers.over({ 0, 1, 2, 3 }, function(setting)
                papers.over(RATES, function(rate)
                    local cell = cell_of(context, setting, mode, rate)
                    local folded = papers.fold(papers.DIGEST_START, cell.digest.psrpt)
                    points[#points + 1] = {
                        curve = string.format("%s, %s", runs.work_of(setting), mode), x = rate,
                        at = string.format("%g", rate),
                        values = runs.ratios(cell, "psrpt", "asrpt"),
                        digest = papers.digest_text(papers.fold(folded, cell.digest.asrpt)),
                    }
                end)
            end)
        end)
        return points
    end,
}
