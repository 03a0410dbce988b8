-- The dispatcher that the paper rejects in Section IV.C, beside its own; what an allowance for
-- heartbeats costs; and how long DC takes.

local papers = require "shared.papers"
local reference = require "rtmr.reference"
local runs = require "rtmr.runs"

local M = {}

local TITLE = "Dispatchers: reserved slots, or strict order"

local VARIANTS = { "rtmr", "strict", "beats_auto", "dc_small" }
local METRICS = { "accept", "use", "reducing", "span" }
local DECIMALS = { accept = 1, use = 1, reducing = 3, span = 0 }

-- The workloads of the paper, and the same with maps of every other job that take longer: else
-- hardly any job finishes its maps before one ahead.
local LONGER <const> = 4
local WORKLOADS = { "I", "II", "I, mixed", "II, mixed" }

local function cells_of(context)
    local settings, cells = {}, {}
    for i, name in ipairs(WORKLOADS) do
        settings[i] = { workload = name:match "^I+", variants = VARIANTS,
            mixed = name:find "mixed" and LONGER, seeds = runs.seeds(context) }
    end
    for i, cell in ipairs(runs.cells(context, "dispatchers", settings)) do
        cells[WORKLOADS[i]] = cell
    end
    return cells
end

local function columns()
    local made = { { key = "workload", title = "" }, { key = "variant", title = "",
        show = runs.name } }
    for _, metric in ipairs(METRICS) do
        for _, column in ipairs { runs.interval_columns(metric, runs.METRIC_WORDS[metric],
                DECIMALS[metric]) } do
            made[#made + 1] = column
        end
    end
    made[#made + 1] = runs.DIGEST_COLUMN
    return made
end

local function rows_of(cells)
    local rows = {}
    for _, workload in ipairs(WORKLOADS) do
        for _, variant in ipairs(VARIANTS) do
            local row = { workload = workload, variant = variant,
                digest = cells[workload].digest[variant] }
            for _, metric in ipairs(METRICS) do
                local sample = runs.sample(cells[workload], variant, metric)
                row[metric], row[metric .. "_half"] = sample.mean, sample.half
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

-- Votes on a variant that has less of a metric, or more (sign -1), on these workloads; returns
-- "accepted jobs -1.2 ±0.4 (I), …".
local function vote_less(votes, cells, about, metric, sign)
    local variant, told = about.variant, {}
    for i, workload in ipairs(about.workloads or WORKLOADS) do
        local sample = runs.difference(cells[workload], metric, variant, "rtmr")
        told[i] = string.format("%s (%s)", runs.signed_interval(sample, DECIMALS[metric]),
            workload)
        papers.vote(votes, papers.is_less { mean = sign * sample.mean, half = sample.half,
            count = sample.count })
    end
    return runs.METRIC_WORDS[metric] .. " " .. table.concat(told, ", ")
end

-- Adds a claim on differences from RTMR: metrics that are less, or more.
local function claim(section, cells, about)
    local votes, told = papers.votes(), {}
    for i, metric in ipairs(about.metrics) do
        told[i] = vote_less(votes, cells, about, metric, about.signs[i])
    end
    section:claim {
        label = about.label, where = about.where, claim = about.claim, paper = about.paper,
        ours = runs.name(about.variant) .. " minus RTMR: " .. table.concat(told, "; "),
        verdict = papers.verdict(votes),
        because = string.format("beyond doubt so in %d of %d differences, not so in %d",
            votes.held, votes.held + votes.failed + votes.undecided, votes.failed),
    }
end

local CLAIMS = {
    { label = "strict order costs parallelism", where = "Section IV.C", variant = "strict",
      metrics = { "reducing" }, signs = { 1 }, paper = "stated, without numbers",
      claim = "The strict dispatcher \"puts a strong constraint on job parallelism\"." },
    { label = "strict order costs utilisation", where = "Section IV.C", variant = "strict",
      metrics = { "use" }, signs = { 1 }, paper = "stated, without numbers",
      claim = "It \"causes inefficient utilization of system resources\"." },
    { label = "ours: strict order costs acceptance", where = "not in the paper",
      variant = "strict", metrics = { "accept" }, signs = { 1 }, paper = "-",
      claim = "With an admission test that knows of it, the strict dispatcher accepts fewer "
          .. "jobs." },
    { label = "ours: the allowance for beats costs acceptance", where = "not in the paper",
      variant = "beats_auto", metrics = { "accept" }, signs = { 1 }, paper = "-",
      claim = "An allowance for heartbeats in the estimates, which keeps the guarantee, lets fewer "
          .. "jobs in than slots that are offered at once." },
    { label = "DC takes longer, and uses less", where = "Section V", variant = "dc_small",
      metrics = { "span", "use" }, signs = { -1, 1 }, workloads = reference.WORKLOADS,
      paper = "DC uses 5.7 % (I) and 0.7 % (II), RTMR 15.5 and 64.6 %",
      claim = "DC accepts more jobs, \"which prolong the workload's execution in the cluster\"; it "
          .. "\"leads to much lower cluster utilizations\"." },
}

M.dispatcher = { name = "dispatcher", title = TITLE, run = function(context)
    local section = papers.section("dispatcher", TITLE, "Sections IV.C and V", {
        "Accepted jobs and utilisation in percent, the mean number of jobs that run reduces, and "
            .. "the time from the first submission to the last finish. Strict (CL24): no job "
            .. "starts its reduces before all jobs ahead have finished their maps, and the "
            .. "admission test has it so. Allowance: est_extra_ms=auto with beats every 3 s. DC "
            .. "without jobs of more reduces than there are slots, as the paper tests it. Mixed: "
            .. "maps of every other job take " .. LONGER .. " times as long, and so do their "
            .. "estimates.",
        runs.fitted_text(context),
    })
    local cells = cells_of(context)
    section:table("dispatcher", nil, columns(), rows_of(cells))
    for _, about in ipairs(CLAIMS) do claim(section, cells, about) end
    section:note("Second attempts of tasks are left out: the recorded lists of RTMR (CL22) count "
        .. "every attempt against one slot, so a copy would take a slot that is promised to "
        .. "another job; rules that keep the order of CL21 launch none (CL37).")
    return section
end }

return M
