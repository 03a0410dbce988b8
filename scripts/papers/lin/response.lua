-- Section 5.3 of Lin, Zhang, Wierman, Tan (2013): mean response times at two loads beside the
-- numbers that the paper prints, and the readings of its text that these numbers rule out.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Section 5.3: mean response times under the synthetic workload"

local SHOWN = { "klps", "maxsrpt", "splitsrpt", "srptmap", "srptsum", "bsrpt", "xmax", "lower",
    "tight" }
---Policies of the paper.
local PAPERS_OWN = { "klps", "maxsrpt", "splitsrpt" }

local function response_row(section, context, cell, early, position, label)
    local known, values = reference.response[label], cell.mean[label]
    local sample = experiment.summary(values)
    local tolerance = runs.tolerance(values, cell.jobs, reference.JOBS)
    local theirs, printed = known.reference[position], known.paper and known.paper[position]
    return {
        load = reference.loads[position], policy = label, mean = sample.mean, half = sample.half,
        sd = sample.sd,
        paper = printed, beside = printed
            and runs.BESIDE[runs.beside(values, early.mean[label], cell.jobs, printed)] or nil,
        reference = theirs, reference_half = known.half and known.half[position],
        tolerance = tolerance,
        agrees = section:compare(string.format("load %.2f, %s", reference.loads[position],
            runs.name(label)), sample.mean, theirs,
            tolerance),
        jobs = cell.jobs, seeds = cell.seeds, seed = context.seed, digest = cell.digest[label],
    }
end

local function ratio_row(section, context, cell, early, position, known)
    local values = runs.ratios(cell, known[1], known[2])
    local sample, printed = experiment.summary(values), known.paper and known.paper[position]
    local tolerance = runs.tolerance(values, cell.jobs, reference.JOBS, known.half[position])
    local name = runs.name(known[1]) .. " / " .. runs.name(known[2])
    return {
        load = reference.loads[position], ratio = name, mean = sample.mean, half = sample.half,
        sd = sample.sd, paper = printed,
        beside = printed and runs.BESIDE[runs.beside(values,
            runs.ratios(early, known[1], known[2]), cell.jobs, printed)] or nil,
        reference = known.reference[position],
        reference_half = known.half[position], tolerance = tolerance,
        agrees = section:compare(string.format("load %.2f, %s", reference.loads[position], name),
            sample.mean,
            known.reference[position],
            tolerance),
        jobs = cell.jobs, seeds = cell.seeds, seed = context.seed,
    }
end

local LOAD_COLUMN = { key = "load", title = "load", right = true,
    show = function(value) return text.number(value, 2) end }

local function shared_columns(first)
    return {
        LOAD_COLUMN, first,
        { key = "paper", title = "paper", right = true, show = function(value, row)
            return text.number(value, row.ratio and 3 or 2)
        end },
        runs.column("mean", "ours"), runs.column("half", "± 95 %"),
        { key = "beside", title = "paper's number", show = function(value) return value or "" end },
        runs.column("reference", "reference"), runs.column("reference_half", "± 95 %"),
        papers.AGREES_COLUMN,
        { key = "sd" }, { key = "tolerance" }, { key = "jobs" }, { key = "seeds" },
        { key = "seed" },
        { key = "digest", title = not first.words and first.key == "policy" and "digest" or nil,
            show = function(value) return value or "" end },
    }
end

-- One claim per printed number: a line with its verdict.
local function judge_number(section, cell, early, position, label)
    local known, values = reference.response[label], cell.mean[label]
    local sample, load = experiment.summary(values), reference.loads[position]
    local printed = known.paper[position]
    local verdict = runs.beside(values, early.mean[label], cell.jobs, printed)
    section:claim {
        label = string.format("E[T] of %s at %.2f", runs.name(label), load), where = "Section 5.3",
        claim = string.format("Under load %.2f the average response time of %s is %.2f.", load,
            runs.name(label), printed),
        paper = string.format("%.2f, one run of %s jobs, without an interval", printed,
            text.amount(reference.PAPER_JOBS)),
        reference = known.half
            and string.format("%s ± %s", text.number(known.reference[position], 3),
            text.number(known.half[position], 3))
            or nil,
        ours = string.format("%s (%d replicas of %s)", runs.interval_text(sample), cell.seeds,
            text.count(cell.jobs, "job")),
        verdict = verdict,
        because = verdict == papers.FAILS
            and string.format("apart by %+.1f %%, more than the intervals of both runs and "
                .. "what still moves allow",
                100 * (printed / sample.mean - 1))
            or verdict == papers.HOLDS
                and string.format("apart by %+.1f %%, within the intervals of both runs, and ours "
                .. "within ±%g %%", 100 * (printed / sample.mean - 1), 100 * runs.MARGIN)
            or string.format("our interval is not within ±%g %% of the number, or the mean still "
                .. "moves with the number of jobs; more --jobs decide it", 100 * runs.MARGIN),
    }
end

local function judge_better(section, cells)
    local parts, theirs, votes = {}, {}, papers.votes()
    for i, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            theirs[#theirs + 1] = string.format("%.2f: %.2f times %s", reference.loads[i],
                reference.response.klps.paper[i]
                / reference.response[label].paper[i], runs.name(label))
            local sample = experiment.summary(runs.ratios(cell, "klps", label))
            papers.vote(votes, experiment.above(sample, 1))
            parts[#parts + 1] = string.format("%.2f: %s times %s", reference.loads[i],
                runs.interval_text(sample, 2),
                runs.name(label))
        end
    end
    section:claim {
        label = "both much better than k-LPS", where = "Section 5.3",
        claim = "\"[T]he performance of MaxSRPT and SplitSRPT are much better than that of k-LPS "
            .. "under the synthetic traces.\"",
        paper = "k-LPS takes, at " .. table.concat(theirs, ", "), ours = table.concat(parts, ", "),
        verdict = papers.verdict(votes),
        because = string.format("%d of %d ratios lie above 1, interval and all, %d below",
            votes.held, votes.held + votes.failed + votes.undecided, votes.failed),
    }
end

-- Rates that differ by less than this are the same rate.
local SAME = 0.001

---Whether one average rate is higher than another: no when it is higher by next to nothing at most,
---nil when the interval leaves it open.
---@param sample pinion.Sample of the first over the second, less 1
---@return boolean|nil
function M.is_faster(sample)
    return experiment.above(sample, SAME)
end

local function judge_service(section, cells)
    local parts, votes = {}, papers.votes()
    for i, cell in ipairs(cells) do
        for _, label in ipairs { "maxsrpt", "splitsrpt" } do
            local more = {}
            for replica, rate in ipairs(cell.rate[label]) do
                more[replica] = rate / cell.rate.klps[replica] - 1
            end
            local sample = experiment.summary(more)
            papers.vote(votes, M.is_faster(sample))
            parts[#parts + 1] = string.format("%.2f %s: %.5f ± %.5f %% more", reference.loads[i],
                runs.name(label), 100 * sample.mean, 100 * sample.half)
        end
    end
    section:claim {
        label = "k-LPS has a lower service rate", where = "Section 5.3",
        claim = "\"k-LPS does not keep the shuffle queue busy as often as MaxSRPT and SplitSRPT "
            .. "do, and thus MaxSRPT and SplitSRPT have a higher average service rate than k-LPS "
            .. "does.\"",
        paper = "stated",
        ours = "work that the shuffle station does in a unit of time, than under k-LPS: "
            .. table.concat(parts, ", "),
        verdict = papers.verdict(votes),
        because = string.format("over all of a run; less than %g %% is the same rate; where a "
            .. "queue is stable every policy does the work that arrives, and they differ in whose "
            .. "work is done first", 100 * SAME),
    }
end

local function run_table(context)
    local section = papers.section("table", TITLE, "Section 5.3", {
        string.format(
            "Poisson arrivals, map sizes log-normal (mean 1, sd %g), shuffle sizes = map sizes "
            .. "times a log-normal "
            .. "ratio (mean 1, sd %g). %d replicas of %s on common random numbers; the paper "
                .. "and the reference ran %s. Sizes "
            .. "have heavy tails: intervals shrink slowly with --jobs.", reference.sizes.map_sd,
            reference.sizes.ratio_sd,
            context.seeds,
            text.count(context.jobs, "job"), text.count(reference.PAPER_JOBS, "job")),
        "The column on the paper's number: whether it lies within the 95 % interval of the "
            .. "difference of our mean and one run of its length. A "
            .. "number is flagged when it is more than 3 standard errors from the reference.",
    })
    local cells, rows, ratios = runs.main_cells(context), {}, {}
    local early = runs.early_cells(context)
    for position, cell in ipairs(cells) do
        for _, label in ipairs(SHOWN) do
            rows[#rows + 1] = response_row(section, context, cell, early[position], position,
                label)
        end
        for _, known in ipairs(reference.ratios) do
            ratios[#ratios + 1] = ratio_row(section, context, cell, early[position], position,
                known)
        end
    end
    section:table("table", "Mean response time:", shared_columns(runs.POLICY_COLUMN), rows)
    section:table("table_ratios", "Ratios of means on the same jobs:",
        shared_columns { key = "ratio", title = "ratio" }, ratios)
    for position, cell in ipairs(cells) do
        for _, label in ipairs(PAPERS_OWN) do
            judge_number(section, cell, early[position], position, label)
        end
    end
    judge_better(section, cells)
    judge_service(section, cells)
    return section
end

M.table = { name = "table", title = TITLE, run = run_table }

-- ---- other readings -----------------------------------------------------------------------------

local READINGS_TITLE = "Other readings of the algorithms, which Section 5.3 rules out"

---@type { policy: string, of: string, reading: string }[]
local READINGS = {
    { policy = "maxsrpt_strict", of = "maxsrpt",
        reading = "Algorithm 1 as printed: only the first job is shuffled" },
    { policy = "split_none", of = "splitsrpt",
        reading = "Algorithm 2 as printed: unused capacity is lost" },
    { policy = "split_empty", of = "splitsrpt",
        reading = "... but a class without jobs lends its share" },
    { policy = "klps_rigid", of = "klps",
        reading = "equal shares of the shuffle station, what a job leaves is lost" },
}

-- Jobs of the short and the long run; a queue that cannot keep up takes longer and longer.
local SHORT, LONG = 0.05, 0.2
---A reading that takes this many times what the one that is taken does cannot have given the same
---numbers.
M.RULED_OUT = 1.1
-- A mean that grows by this factor over four times as many jobs has no limit in sight: one of a
-- stable queue gains little.
local GROWS = 1.5

-- What cannot keep up holds more and more jobs: no more than the reference ran.
local function readings_jobs(context, share)
    return math.min(runs.scaled(context, share), reference.readings.jobs)
end

---The runs behind the other readings: per load a short one and a long one.
---@param context pinion.PaperContext
---@return pinion.LinCell[]
function M.readings_cells(context)
    if context.cache.readings then return context.cache.readings end
    local given, policies = {}, { "maxsrpt" }
    for _, reading in ipairs(READINGS) do policies[#policies + 1] = reading.policy end
    for _, kind in ipairs { "klps", "splitsrpt" } do policies[#policies + 1] = kind end
    for _, load in ipairs(reference.loads) do
        for _, share in ipairs { SHORT, LONG } do
            given[#given + 1] = { label = string.format("readings at %.2f", load),
                workload = runs.workload("pair", load,
                readings_jobs(context, share)), policies = policies, bounds = "none" }
        end
    end
    context.cache.readings = runs.cells(context, "readings", given)
    return context.cache.readings
end

---By what factor a reading takes longer than the one that is taken, on the same jobs: geometric
---mean over the replicas, and its least and largest value within 95 %.
---@param cell pinion.LinCell
---@return number factor, number least, number most
function M.factor(cell, policy, of)
    local logs = {}
    for replica, ratio in ipairs(runs.ratios(cell, policy, of)) do
        logs[replica] = math.log(ratio)
    end
    local sample = experiment.summary(logs)
    return math.exp(sample.mean), math.exp(sample.mean - sample.half),
        math.exp(sample.mean + sample.half)
end

---Whether a reading can have given the printed numbers: nil when its interval covers the limit.
---@param least number
---@param most number
---@return boolean|nil
function M.is_possible(least, most)
    if least > M.RULED_OUT then return false end
    if most <= M.RULED_OUT then return true end
    return nil
end

local function reading_row(context, reading, position, short, long)
    local load = reference.loads[position]
    local sample = experiment.summary(long.mean[reading.policy])
    local growth = {}
    for replica = 1, long.seeds do
        growth[replica] = long.mean[reading.policy][replica] / short.mean[reading.policy][replica]
    end
    local printed = reference.response[reading.of].paper[position]
    local grows = experiment.summary(growth)
    local factor, least, most = M.factor(long, reading.policy, reading.of)
    return {
        load = load, policy = reading.policy, reading = reading.reading, mean = sample.mean,
        half = sample.half,
        growth = grows.mean,
        growth_half = grows.half, growing = experiment.above(grows, GROWS) or false,
        paper = printed,
        reference = reference.readings[reading.policy]
            and reference.readings[reading.policy][position],
        chosen = experiment.summary(long.mean[reading.of]).mean, factor = factor, least = least,
        possible = M.is_possible(least, most),
        jobs = long.jobs, seeds = long.seeds, seed = context.seed,
        digest = long.digest[reading.policy],
    }
end

local function run_readings(context)
    local section = papers.section("readings", READINGS_TITLE, "Algorithms 1 and 2, Section 5.1", {
        string.format(
            "Mean response time of %s (%d replicas), and how it grew from %s; the paper's "
            .. "numbers are of %s. Beside it "
            .. "the reading that is taken elsewhere: leftovers go to the next job, classes lend "
                .. "all they do not use, shares are "
            .. "filled like water. \"Factor\": how many times that it takes on the same jobs, "
                .. "and at least with 95 %% "
            .. "confidence.",
            text.count(readings_jobs(context, LONG), "job"), context.seeds,
            text.amount(readings_jobs(context, SHORT)),
            text.amount(reference.PAPER_JOBS)),
        string.format("Reference: one run of %s.", text.count(reference.readings.jobs, "job")),
    })
    local cells, rows, votes = M.readings_cells(context), {}, papers.votes()
    for position in ipairs(reference.loads) do
        for _, reading in ipairs(READINGS) do
            local row = reading_row(context, reading, position, cells[2 * position - 1],
                cells[2 * position])
            rows[#rows + 1] = row
            papers.vote(votes, row.possible)
        end
    end
    section:table("readings", nil, {
        LOAD_COLUMN, runs.POLICY_COLUMN, { key = "reading", title = "reading" },
        runs.column("mean", "ours", 2),
            runs.column("half", "± 95 %", 2),
        runs.column("growth", "grew by", 2), runs.column("chosen", "taken", 2),
        runs.column("factor", "factor", 2),
        runs.column("least", "at least", 2), runs.column("paper", "paper", 2),
        { key = "reference", title = "reference", right = true, show = text.amount },
        { key = "growth_half" },
            { key = "growing" },
        { key = "possible" }, { key = "jobs" }, { key = "seeds" }, { key = "seed" },
        { key = "digest" },
    }, rows)
    local parts, growing, printed, theirs = {}, {}, {}, {}
    for i, label in ipairs(PAPERS_OWN) do
        printed[i] = string.format("%s %.2f and %.2f", runs.name(label),
            table.unpack(reference.response[label].paper))
    end
    for _, row in ipairs(rows) do
        if row.reference then
            theirs[#theirs + 1] = string.format("%s at %.2f: %g", runs.name(row.policy), row.load,
            row.reference) end
        parts[#parts + 1] = string.format("%s at %.2f: %.1f", runs.name(row.policy), row.load,
            row.mean)
        if row.growing then
            growing[#growing + 1] = string.format("%s at %.2f", runs.name(row.policy), row.load)
        end
    end
    section:claim {
        label = "the algorithms as printed gave the numbers",
        where = "Algorithms 1 and 2, Section 5.1",
        claim = "Experiments ran MaxSRPT, SplitSRPT and k-LPS as they are described.",
        paper = table.concat(printed, ", ") .. "; for MaxSRPT it adds that spare capacity is used",
        reference = table.concat(theirs, ", "),
        ours = table.concat(parts, ", "), verdict = papers.verdict(votes),
        because = string.format(
            "%d of %d take at least %g times as long as the reading that gives the printed "
            .. "numbers, %d cannot be told%s%s", votes.failed, #rows, M.RULED_OUT,
            votes.undecided,
            #growing > 0
            and "; without a limit in sight: " .. table.concat(growing, ", ")
            or "", votes.failed == #rows and ": the experiments used work-conserving MaxSRPT, "
            .. "lending SplitSRPT and water-filling shares" or ""),
    }
    return section
end

M.readings = { name = "readings", title = READINGS_TITLE, run = run_readings }

return M
