-- Section VI of Zheng, Shroff, Sinha (2013): SRPT as a lower bound, Theorem 4 on DSRPT, and its
-- corollaries on ASRPT.

local experiment = require "pinion".experiment
local papers = require "shared.papers"
local pinion = require "pinion"
local readings = require "zheng.readings"
local reference = require "zheng.reference"
local runs = require "zheng.runs"
local text = require "shared.text"

local M = {}

local function number(decimals)
    return function(value) return text.number(value, decimals) end
end

local function agreement(value)
    return value == nil and "" or value and "agrees" or "DIFFERS"
end

-- ---- Lemma 1 ------------------------------------------------------------------------------------

local LEMMA_TITLE = "Lemma 1: SRPT is a lower bound; LB2 is a closer one"

local LEMMA_COLUMNS = {
    { key = "setting", title = "work of a job", show = runs.work_of },
    { key = "reduce", title = "reduces" },
    { key = "instances", title = "instances", right = true, show = text.amount },
    { key = "srpt_above_lb2", title = "SRPT > LB2", right = true, show = text.amount },
    { key = "lb2_above_policy", title = "LB2 > a policy", right = true, show = text.amount },
    { key = "lb2", title = "LB2/SRPT", right = true, show = number(3) },
    { key = "asrpt", title = "ASRPT/SRPT", right = true, show = number(3) },
    { key = "asrpt_over_lb2", title = "ASRPT/LB2", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "psrpt_over_lb2", title = "PSRPT/LB2", right = true, show = number(3) },
    { key = "seed" },
}

local function lemma_row(context, setting, mode)
    local cell = runs.figure_cell(context, setting, mode)
    local row = { setting = setting, reduce = mode, instances = cell.seeds, srpt_above_lb2 = 0,
        lb2_above_policy = 0,
        seed = context.seed }
    for seed = 1, cell.seeds do
        if cell.lower[seed] > cell.tight[seed] then row.srpt_above_lb2 = row.srpt_above_lb2 + 1 end
        local below = true
        for _, policy in ipairs(runs.policies(mode)) do
            below = below and cell.tight[seed] <= cell.total[policy][seed]
        end
        if not below then row.lb2_above_policy = row.lb2_above_policy + 1 end
    end
    local over = experiment.summary(runs.ratios(cell, "asrpt", "tight"))
    row.lb2 = experiment.summary(runs.ratios(cell, "tight", "lower")).mean
    row.asrpt = experiment.summary(runs.ratios(cell, "asrpt", "lower")).mean
    row.asrpt_over_lb2, row.half = over.mean, over.half
    row.psrpt_over_lb2 = experiment.summary(runs.ratios(cell, "psrpt", "tight")).mean
    return row
end

local function run_lemma1(context)
    local section = papers.section("lemma1", LEMMA_TITLE, "Section VI, Lemma 1", {
        "On every instance of Figures 5 to 8, in both modes. LB2 (ours): for every t, no "
            .. "scheduler completes more jobs by t "
            .. "than SRPT does on the jobs that could be complete by t if they were alone.",
    })
    local rows, violations, instances, parts = {}, 0, 0, {}
    for _, mode in ipairs(runs.MODES) do
        local low, high = math.huge, 0
        for setting = 0, 3 do
            local row = lemma_row(context, setting, mode)
            rows[#rows + 1] = row
            violations, instances = violations + row.srpt_above_lb2 + row.lb2_above_policy,
                instances + row.instances
            low, high = math.min(low, row.asrpt_over_lb2), math.max(high, row.asrpt_over_lb2)
        end
        parts[#parts + 1] = string.format("%.2f to %.2f %s", low, high, mode)
    end
    section:table("lemma1", nil, LEMMA_COLUMNS, rows)
    section:claim {
        label = "SRPT is a lower bound", where = "Lemma 1",
        claim = "The total flow time of SRPT, which ignores precedence, is a lower bound on "
            .. "that of any scheduler.",
        paper = "proved",
        reference = "SRPT <= LB2 <= every policy on 550,000 small instances, no violation",
        ours = string.format("SRPT <= LB2 <= every policy: %d violations on %d instances",
            violations, instances),
        verdict = papers.universal(violations),
        because = "instance by instance",
    }
    local known = reference.over_lb2
    section:note(
        "So on average ASRPT takes at most this many times the flow time of an optimal schedule: "
        .. "%s (reference: %.2f to %.2f and %.2f to %.2f). Most of the non-preemptive \"efficiency "
        .. "ratio\" of Figures 5 to 8 is slack of the SRPT bound.",
        table.concat(parts, ", "), known.preemptive[1], known.preemptive[2],
        known.nonpreemptive[1], known.nonpreemptive[2])
    return section
end

M.lemma1 = { name = "lemma1", title = LEMMA_TITLE, run = run_lemma1 }

-- ---- Theorem 4 ----------------------------------------------------------------------------------

local THEOREM_TITLE = "Theorem 4 and Corollaries 1 and 2: DSRPT and ASRPT have efficiency ratio 2"

-- Long runs are few; the spread between them tells how far their mean can be trusted.
local LONG_RUNS = 20

-- How exponential sizes become whole units, and the reading of each; "up" is that of all other
-- sections.
local ROUNDINGS = { "up", "nearest", "down" }
local READINGS = { up = "ten", nearest = "nearest", down = "down" }

local function delay_cell(context, setting, rounding)
    local key = string.format("long %d %s", setting, rounding)
    local slots = reference.delay.slots
    context.cache[key] = context.cache[key] or runs.cell(context, {
        label = string.format("theorem4 setting %d rounded %s T = %d", setting, rounding, slots),
        workload = readings.find(READINGS[rounding]).workload(setting, slots),
        machines = runs.MACHINES,
        reduce = "preemptive", policies = { "dsrpt", "asrpt" },
        seeds = runs.scaled(context, LONG_RUNS),
    })
    return context.cache[key]
end

local function bursts_cell(context, known)
    local key = "bursts " .. known.machines
    context.cache[key] = context.cache[key] or runs.cell(context, {
        label = string.format("theorem4 bursts on %d machines", known.machines),
        workload = pinion.workload.bursts {
            chance = known.chance, burst = known.burst, giant = known.giant,
            giant_maps = known.giant_maps,
            slots = reference.bursts.slots,
        },
        machines = known.machines, reduce = "preemptive",
        policies = { "dsrpt", "asrpt", "psrpt", "dspt", "fair", "fifo" },
        seeds = runs.scaled(context, LONG_RUNS), tight = true,
    })
    return context.cache[key]
end

local DELAY_COLUMNS = {
    { key = "work", title = "work of a job" }, { key = "setting" },
    { key = "rounding", title = "rounded" },
    { key = "delay", title = "extra slots a job", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "sd" },
    { key = "reference", title = "reference", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "agrees", title = "", show = agreement },
    { key = "claimed", title = "claimed", right = true, show = text.amount },
    { key = "within", title = "so" },
    { key = "jobs", title = "jobs", right = true, show = text.amount },
    { key = "seeds", title = "runs", right = true, show = text.amount },
    { key = "tolerance" }, { key = "seed" }, { key = "digest", title = "digest (DSRPT)" },
}

-- Returns a row with the delay of DSRPT beyond SRPT.
local function delay_row(context, work, cell)
    local delays = {}
    for seed = 1, cell.seeds do
        delays[seed] = (cell.total.dsrpt[seed] - cell.lower[seed]) / cell.finished[seed]
    end
    local sample = experiment.summary(delays)
    local above = experiment.above(sample, 2)
    return {
        work = work, rounding = "", delay = sample.mean, half = sample.half, sd = sample.sd,
        claimed = 2, within = above == nil and "undecided" or above and "exceeds it" or "keeps it",
        above = above, jobs = cell.jobs, seeds = cell.seeds, seed = context.seed,
        digest = cell.digest.dsrpt,
    }
end

-- The same of a setting of the paper, beside the reference.
local function setting_row(section, context, setting, rounding)
    local row = delay_row(context, runs.work_of(setting), delay_cell(context, setting, rounding))
    row.setting, row.rounding = setting, runs.SETTINGS[setting].is_exponential and rounding or ""
    row.reference = reference.delay[rounding][setting]
    if row.reference then
        -- The reference is one run of this length, with two decimals.
        row.tolerance = experiment.tolerance(row.sd, row.seeds, 1, true) + 0.005
        row.agrees = section:compare(string.format("extra delay, setting %d, rounded %s", setting,
            rounding), row.delay, row.reference, row.tolerance)
    end
    return row
end

local function delay_text(row)
    return string.format("%s%s %.3f ± %.3f", row.work, row.rounding == "" and ""
        or " rounded " .. row.rounding, row.delay, row.half)
end

-- What the roundings make of each setting in which one of them exceeds the claim.
local function rounding_text(rows)
    local by_work, parts = {}, {}
    for _, row in ipairs(rows) do
        local of = by_work[row.work] or { words = {} }
        by_work[row.work], of.exceeds = of, of.exceeds or row.above
        of.words[#of.words + 1] = string.format("%s (%s)", delay_text(row), row.within)
    end
    for _, row in ipairs(rows) do
        local of = by_work[row.work]
        if of.exceeds then parts[#parts + 1] = table.concat(of.words, ", ") end
        of.exceeds = nil
    end
    if #parts == 0 then return "no setting of the paper exceeds 2" end
    return "of the paper's settings the excess rests on the rounding, which the paper does not "
        .. "name: " .. table.concat(parts, "; ")
end

local function judge_delay(section, rows, bursts)
    local votes, ours, theirs = papers.votes(), {}, {}
    for _, row in ipairs(table.move(bursts, 1, #bursts, #rows + 1, table.move(rows, 1, #rows, 1,
        {}))) do
        papers.vote(votes, row.above)
        ours[#ours + 1] = delay_text(row)
        if row.reference then theirs[#theirs + 1] = string.format("%.2f", row.reference) end
    end
    section:claim {
        label = "DSRPT delays a job by at most 2 slots", where = "Theorem 4, Eqs. 14 and 15",
        claim = "\"For all the Reduce tasks, the expectation of delay compared to the SRPT "
            .. "algorithm is not greater than 2\"; "
            .. "so F(DSRPT) - F(SRPT) is at most 2 slots a job.",
        paper = "at most 2, proved with loads M_s, R_s taken as independent and identically "
            .. "distributed over the slots",
        reference = table.concat(theirs, ", ") .. " in the order of the table",
        ours = table.concat(ours, "; "),
        verdict = papers.universal(votes.held, votes.undecided),
        because = string.format("%s. Bursts need no rounding and are inside the model. The "
            .. "loads are not independent: while SRPT works on the maps of a large job, M_s = N "
            .. "in slot after slot and delayed reduces starve", rounding_text(rows)),
    }
end

local OVER = { lower = "SRPT bound", tight = "LB2" }

local BURST_COLUMNS = {
    { key = "machines", title = "N", right = true, show = text.amount },
    { key = "ratio", title = "total flow time of" },
    { key = "mean", title = "ours", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "sd", title = "sd", right = true, show = number(3) },
    { key = "reference", title = "reference", right = true, show = function(value, row)
        return value and (row.most and "at most " or "") .. string.format("%.4g", value) or "-"
    end },
    { key = "agrees", title = "", show = agreement },
    { key = "claimed", title = "claimed", right = true, show = text.amount },
    { key = "within", title = "so", show = function(value) return value or "" end },
    { key = "jobs", title = "jobs", right = true, show = text.amount },
    { key = "seeds", title = "runs", right = true, show = text.amount },
    { key = "tolerance" }, { key = "seed" }, { key = "digest", title = "digest (the first)" },
}

-- Theorem 4 and Corollary 2 bound a ratio to the optimum by 2, Corollary 1 that to the SRPT bound
-- by 3. A ratio to PSRPT, a feasible schedule, is no more than the ratio to the optimum.
local function claimed(over, under)
    if over ~= "dsrpt" and over ~= "asrpt" then return nil end
    return under == "lower" and 3 or under == "psrpt" and 2 or nil
end

local function burst_row(section, context, known, over, under, theirs, most)
    local cell = bursts_cell(context, known)
    local sample = experiment.summary(runs.ratios(cell, over, under))
    local row = {
        machines = known.machines, ratio = runs.NAMES[over] .. " / "
            .. (runs.NAMES[under] or OVER[under]), over = over,
        under = under, mean = sample.mean,
        half = sample.half, sd = sample.sd, reference = theirs, most = most,
        claimed = claimed(over, under), jobs = cell.jobs,
        seeds = cell.seeds,
        seed = context.seed, digest = cell.digest[over],
    }
    if theirs then
        row.tolerance = experiment.tolerance(sample.sd, cell.seeds, 1, true) + (theirs < 1.1
            and 0.0005 or theirs < 2 and 0.005
            or 0.05)
        row.agrees = section:compare(string.format("bursts, N = %d, %s", known.machines, row.ratio),
            most
            and math.max(sample.mean, theirs) or sample.mean,
            theirs, row.tolerance)
    end
    if row.claimed then
        row.above = experiment.above(sample, row.claimed)
        row.within = row.above == nil and "undecided" or row.above and "exceeds it" or "keeps it"
    end
    return row
end

local CLAIMS = {
    { over = "dsrpt", under = "psrpt", label = "DSRPT has efficiency ratio 2", where = "Theorem 4",
        limit = 2,
      claim = "\"In the preemptive scenario, DSRPT has an efficiency ratio 2.\"" },
    { over = "dsrpt", under = "lower", label = "DSRPT within 3 times the SRPT bound",
        where = "Corollary 1", limit = 3,
      claim = "\"The total flow-time of DSRPT is not greater than 3 times the lower bound [...] "
          .. "with probability 1, when n goes "
          .. "to infinity.\"" },
    { over = "asrpt", under = "psrpt", label = "ASRPT has efficiency ratio 2",
        where = "Corollary 2", limit = 2,
      claim = "\"In the preemptive scenario, the ASRPT scheduler has an efficiency ratio 2.\"" },
    { over = "asrpt", under = "lower", label = "ASRPT within 3 times the SRPT bound, always",
        where = "after Corollary 2",
        limit = 3,
      claim = "\"The total flow-time of ASRPT is not greater than 3 times of the lower bound "
          .. "given by Lemma 1 with probability "
          .. "1, when n goes to infinity.\"" },
}

local function judge_bursts(section, rows)
    for _, claim in ipairs(CLAIMS) do
        local ours, theirs, exceeding, undecided = {}, {}, 0, 0
        for _, row in ipairs(rows) do
            if row.over == claim.over and row.under == claim.under then
                ours[#ours + 1] = string.format("%.2f ± %.2f with N = %d", row.mean, row.half,
                    row.machines)
                if row.reference then
                    theirs[#theirs + 1] = string.format("%.4g with N = %d", row.reference,
                        row.machines)
                end
                if row.above then exceeding = exceeding + 1 end
                if row.above == nil then undecided = undecided + 1 end
            end
        end
        section:claim {
            label = claim.label, where = claim.where, claim = claim.claim,
            paper = "at most " .. claim.limit .. ", from E[D] <= "
                .. "2",
            reference = table.concat(theirs, ", "),
            ours = string.format("%s over %s: %s", runs.NAMES[claim.over], claim.under == "lower"
                and "the SRPT bound"
                or "PSRPT (feasible, so the optimum is no larger)",
                table.concat(ours, ", ")),
            verdict = papers.universal(exceeding, undecided),
            because = exceeding > 0
                and string.format(
                "bounded work, independent and identically distributed over the slots, "
                .. "rho near one half: inside the model, and the 95 %% interval lies above %d "
                    .. "(means of long simulated runs, "
                .. "not a limit proof)", claim.limit)
                    or string.format("no 95 %% interval lies above %d", claim.limit),
        }
    end
end

-- Small jobs first, then one giant, all in slot 1.
local function fixed_jobs(small, giant_maps)
    local jobs = {}
    for i = 1, small do jobs[i] = { arrival = 1, maps = 1, reduces = { 1 } } end
    jobs[small + 1] = { arrival = 1, maps = giant_maps, reduces = { 1 } }
    return jobs
end

local FIXED_POLICIES = { "asrpt", "dsrpt", "asrpt_cu", "fifo", "fair", "dspt", "psrpt" }

local function fixed_rows(section)
    local rows, shapes = {}, table.move(reference.fixed, 1, #reference.fixed, 1, {})
    -- the same once more, ten times as large
    shapes[#shapes + 1] = { machines = 200, small = 100, giant_maps = 20000 }
    for i, known in ipairs(shapes) do
        local row = { machines = known.machines, small = known.small,
            giant_maps = known.giant_maps }
        for _, policy in ipairs(FIXED_POLICIES) do
            local result = pinion.run { machines = known.machines, reduce = "preemptive",
                policy = policy,
                workload = fixed_jobs(known.small, known.giant_maps),
                                        bounds = "tight", quiet = true }
            row[policy], row.lower, row.tight, row["digest_" .. policy] = result.total_flow_time,
                result.lower_bound,
                result.lower_bound_tight, result.digest
        end
        row.ratio = row.asrpt / row.psrpt
        if known.asrpt then
            section:compare(string.format("fixed jobs, N = %d, ASRPT", known.machines), row.asrpt,
                known.asrpt, 0)
            for _, policy in ipairs { "fifo", "dspt", "psrpt" } do
                section:compare(string.format("fixed jobs, N = %d, %s", known.machines,
                    runs.NAMES[policy]), row[policy],
                    known.best, 0)
            end
        end
        row.reference_asrpt, row.reference_best = known.asrpt, known.best
        rows[i] = row
    end
    return rows
end

local function fixed_columns()
    local columns = {
        { key = "machines", title = "N", right = true, show = text.amount },
        { key = "small", title = "small", right = true,
            show = text.amount },
        { key = "giant_maps", title = "giant's maps", right = true, show = text.amount },
    }
    for _, policy in ipairs(FIXED_POLICIES) do
        columns[#columns + 1] = { key = policy, title = runs.NAMES[policy],
        right = true, show = text.amount } end
    for _, column in ipairs {
        { key = "tight", title = "LB2", right = true, show = text.amount },
        { key = "ratio", title = "ASRPT/PSRPT",
            right = true, show = number(2) },
        { key = "reference_asrpt", title = "reference", right = true, show = function(value, row)
            return value and string.format("%d and %d", value, row.reference_best) or "-"
        end },
        { key = "reference_best" }, { key = "lower" },
    } do columns[#columns + 1] = column end
    for _, policy in ipairs(FIXED_POLICIES) do
        columns[#columns + 1] = { key = "digest_" .. policy }
    end
    return columns
end

local function run_theorem4(context)
    local section = papers.section("theorem4", THEOREM_TITLE, "Section VI-B, Eqs. 14 to 16", {
        string.format(
            "Three tests, all with preemptive reduces. (a) The paper's settings, T = %d, %s: "
            .. "DSRPT's flow time beyond SRPT's, with exponential sizes rounded up, to the nearest "
            .. "integer and down. (b) Bursts inside the paper's model, T = %d: each slot brings a "
            .. "burst of small jobs (M = R = 1) with a "
            .. "small probability, else none, and a few of the jobs have many maps (M = giant, "
                .. "R = 1). (c) The same on fixed "
            .. "jobs.",
            reference.delay.slots, text.count(runs.scaled(context, LONG_RUNS), "run"),
            reference.bursts.slots),
        "Reference: single runs of these lengths; flagged beyond 3 standard deviations of one "
            .. "run, ours for lack of another, "
            .. "and half a unit of its last digit.",
    })
    local delays, bursts, delays_of_bursts = {}, {}, {}
    papers.over({ 0, 1, 2, 3 }, function(setting)
        papers.over(runs.SETTINGS[setting].is_exponential and ROUNDINGS or { "up" },
            function(rounding)
                delays[#delays + 1] = setting_row(section, context, setting, rounding)
            end)
    end)
    for i, known in ipairs(reference.bursts) do
        delays_of_bursts[i] = delay_row(context, string.format("bursts (N = %d)", known.machines),
            bursts_cell(context, known))
    end
    section:table("theorem4_delay",
        "(a) flow time of DSRPT beyond that of SRPT, in slots a job; the paper claims at most 2",
        DELAY_COLUMNS, delays)
    judge_delay(section, delays, delays_of_bursts)
    local shapes = {}
    for i, known in ipairs(reference.bursts) do
        for _, ratio in ipairs(known.ratios) do
            bursts[#bursts + 1] = burst_row(section, context, known, ratio[1], ratio[2],
            ratio[3], ratio.most) end
        shapes[i] = string.format(
            "N = %d: bursts of %d jobs with probability %g, giants of %d maps with "
            .. "probability %g, rho = %.2f", known.machines, known.burst,
            known.chance, known.giant_maps, known.giant,
            known.chance * known.burst
                * (known.giant * known.giant_maps + (1 - known.giant) + 1) / known.machines)
    end
    section:table("theorem4_bursts",
        "(b) bursts; the paper claims at most 2 times the optimum, and 3 times the SRPT bound. "
        .. table.concat(shapes, "; "), BURST_COLUMNS, bursts)
    judge_bursts(section, bursts)
    local fixed = fixed_rows(section)
    section:table("theorem4_fixed",
        "(c) fixed jobs, all in slot 1: small ones of 1 map and 1 reduce and a giant with 1 "
        .. "reduce; total flow times, exact", fixed_columns(), fixed)
    local last = fixed[#fixed]
    section:note(
        "What goes wrong: Algorithm 1 ranks all of SRPT's maps above all available reduces, so the "
        .. "small jobs' reduces wait behind the giant's maps. In (c) the ratio grows with the "
        .. "number of small jobs (%.1f for %d), so preemptive ASRPT has no constant competitive "
        .. "ratio either. An index without that group order (DSPT, PSRPT) is not affected; "
        .. "ASRPT_CU, which gives SRPT's cumulative maps and no more, takes %d "
        .. "where ASRPT takes %d.", last.ratio, last.small,
        fixed[1].asrpt_cu, fixed[1].asrpt)
    return section
end

M.theorem4 = { name = "theorem4", title = THEOREM_TITLE, run = run_theorem4 }

-- ---- Corollary 2, its first step ----------------------------------------------------------------

local COROLLARY_TITLE = "Corollary 2, first step: ASRPT is never worse than DSRPT"

local COROLLARY_COLUMNS = {
    { key = "workload", title = "instances of" },
    { key = "instances", title = "instances", right = true, show = text.amount },
    { key = "violations", title = "ASRPT > DSRPT", right = true, show = text.amount },
    { key = "equal", title = "equal", right = true, show = text.amount },
    { key = "mean", title = "ASRPT/DSRPT", right = true, show = number(3) },
    { key = "half", title = "± 95 %", right = true, show = number(3) },
    { key = "max", title = "largest", right = true, show = number(3) },
    { key = "seed" },
    { key = "digest_asrpt", title = "digest of ASRPT" },
    { key = "digest_dsrpt" },
}

local function corollary_row(context, label, cell)
    local row = { workload = label, instances = cell.seeds, violations = 0, equal = 0,
        seed = context.seed,
        digest_asrpt = cell.digest.asrpt,
                  digest_dsrpt = cell.digest.dsrpt }
    for seed = 1, cell.seeds do
        local asrpt, dsrpt = cell.total.asrpt[seed], cell.total.dsrpt[seed]
        if asrpt > dsrpt then row.violations = row.violations + 1 end
        if asrpt == dsrpt then row.equal = row.equal + 1 end
    end
    local sample = experiment.summary(runs.ratios(cell, "asrpt", "dsrpt"))
    row.mean, row.half, row.max = sample.mean, sample.half, sample.max
    return row
end

local function run_corollary2(context)
    local section = papers.section("corollary2", COROLLARY_TITLE, "Section VI-B, Corollary 2", {
        "Both with preemptive reduces, instance by instance: the runs of Figures 5 to 8, and "
            .. "the long runs and bursts of "
            .. "Theorem 4.",
    })
    local rows, violations, instances = {}, 0, 0
    local function add(label, cell)
        local row = corollary_row(context, label, cell)
        rows[#rows + 1] = row
        violations, instances = violations + row.violations, instances + row.instances
    end
    for setting = 0, 3 do
        local label = string.format("Figure %d (%s)", 5 + setting, runs.work_of(setting))
        add(label, runs.figure_cell(context, setting, "preemptive"))
        add(string.format("the same, T = %d", reference.delay.slots),
            delay_cell(context, setting, "up"))
    end
    for _, known in ipairs(reference.bursts) do
        add(string.format("bursts, N = %d, T = %d", known.machines, reference.bursts.slots),
            bursts_cell(context, known))
    end
    section:table("corollary2", nil, COROLLARY_COLUMNS, rows)
    section:claim {
        label = "ASRPT is never worse than DSRPT", where = "proof of Corollary 2",
        claim = "\"The total flow-time of ASRPT will "
            .. "not be greater than DSRPT.\"", paper = "argued",
        reference = "no counterexample among 550,000 small instances, and a proof (preemptive "
            .. "reduces)",
        ours = string.format("%d counterexamples among %d instances", violations, instances),
        verdict = papers.universal(violations),
        because = "total flow time, instance by instance",
    }
    return section
end

M.corollary2 = { name = "corollary2", title = COROLLARY_TITLE, run = run_corollary2 }

return M
