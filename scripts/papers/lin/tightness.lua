-- Corollaries 4 and 6 of Lin, Zhang, Wierman, Tan (2013): the approximation ratios in a batch, on
-- the paper's instances that show them tight and on small random batches against the best of all
-- orders.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local orders = require "lin.orders"
local papers = require "shared.papers"
local pinion = require "pinion"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

-- ---- the tight instances ------------------------------------------------------------------------

---@class pinion.TightInstance
---@field name string
---@field title string
---@field where string
---@field parameter string what the ratio depends on
---@field values number[] of the parameter
---@field n integer[]
---@field policies string[]
---@field known table<integer, number[]> ratios of the reference by n
---@field limit fun(value: number): number
---@field workload fun(value: number, n: integer): pinion.Workload
---@field formula fun(value: number, n: integer): number, number T and T' as the paper has them for large n
---@field claim string
---@field setup string

---@type table<string, pinion.TightInstance>
local INSTANCES = {
    corollary4 = {
        name = "corollary4",
        title = "Corollary 4: MaxSRPT in a batch, and the instance that is tight",
        where = "Corollary 4, Section 4.1",
        parameter = "alpha", values = reference.corollary4.alpha, n = reference.corollary4.n,
        policies = { "maxsrpt", "maxsrpt_strict", "bsrpt", "xmax" },
        known = reference.corollary4.ratios,
        known_policies = { "maxsrpt", "maxsrpt_strict" },
        limit = function(alpha) return 2 * alpha / (1 + alpha) end,
        workload = function(alpha, n) return pinion.workload.corollary4 { a = alpha, n = n,
            eps = reference.corollary4.epsilon } end,
        formula = function(alpha, n)
            return n * n * alpha / 2 - 3 * n * n * reference.corollary4.epsilon / 8,
                n * n * (1 + alpha) / 4
        end,
        claim = "In a batch MaxSRPT takes at most 2 alpha / (alpha + 1) times the optimum, at "
            .. "most 2, and that is tight for any "
            .. "alpha > 1.",
        setup = string.format(
            "n/2 jobs (alpha - eps, 1) and n/2 jobs (1, alpha), eps = %g, all at 0. T' is the "
            .. "paper's "
            .. "schedule, which serves one of each kind in turn, as run.",
            reference.corollary4.epsilon),
    },
    corollary6 = {
        name = "corollary6",
        title = "Corollary 6: SplitSRPT in a batch, and the instance that is tight",
        where = "Corollary 6, Section 4.2",
        parameter = "beta", values = reference.corollary6.beta, n = reference.corollary6.n,
        policies = { "splitsrpt", "split_empty", "split_none", "maxsrpt", "bsrpt", "xmax" },
        known = reference.corollary6.ratios,
        known_policies = { "splitsrpt", "split_empty", "split_none" },
        limit = function(beta) return 1 + 1 / beta end,
        workload = function(beta, n) return pinion.workload.corollary6 { b = beta, n = n } end,
        formula = function(beta, n) return n * n * (1 + beta) / 2, n * n * beta / 2 end,
        claim = "In a batch SplitSRPT takes at most 1 + 1/beta times the optimum, at most 2, "
            .. "and that is tight for any beta > 1.",
        setup = "n - 1 jobs (beta, 1) and a job (n - 1, (n - 1) beta), all at 0. T' is the "
            .. "paper's schedule, which serves the "
            .. "small jobs first, as run.",
    },
}

local function tight_row(instance, value, n)
    local workload = instance.workload(value, n)
    local theirs, facts = runs.run_schedule(workload), workload:facts()
    local row = { value = value, n = n, limit = instance.limit(value),
        theirs = theirs.total_response_time,
        digest = theirs.digest,
                  theirs_closed = facts.schedule_total, closed = facts.policy_total }
    for _, label in ipairs(instance.policies) do
        local result = runs.run(label, { workload = workload, bounds = "none" })
        row[label] = result.total_response_time / theirs.total_response_time
        row[label .. "_total"], row[label .. "_digest"] = result.total_response_time, result.digest
    end
    local t, t_prime = instance.formula(value, n)
    row.formula, row.theirs_formula = t, t_prime
    row.of_formula = row[instance.policies[1] .. "_total"] / t
    row.theirs_of_formula = theirs.total_response_time / t_prime
    return row
end

-- Decimals that the reference noted.
local function noted(n)
    return n >= 1000 and 4 or 3
end

local function compare_tight(section, instance, row, position)
    local known = instance.known[row.n]
    if not known then return end
    row.reference, row.agrees = known[position], true
    for _, label in ipairs(instance.known_policies) do
        local agrees = section:compare(string.format("%s = %g, n = %d, %s", instance.parameter,
            row.value, row.n,
            runs.name(label)),
            row[label], known[position], 0.5 * 10 ^ -noted(row.n))
        row.agrees = row.agrees and agrees
    end
end

local function tight_columns(instance)
    local columns =
        { { key = "value", title = instance.parameter, right = true, show = text.amount },
                      { key = "n", title = "n", right = true, show = text.amount } }
    for _, label in ipairs(instance.policies) do
        columns[#columns + 1] = runs.column(label, runs.name(label), 4)
    end
    columns[#columns + 1] = { key = "reference", title = "reference", right = true,
                              show = function(value, row) return text.number(value, noted(row.n))
                                  end }
    columns[#columns + 1] = papers.AGREES_COLUMN
    for _, column in ipairs {
        runs.column("limit", "limit", 4), runs.column("of_formula", "T/formula", 4),
            runs.column("theirs_of_formula", "T'/formula", 4),
        { key = "theirs" }, { key = "theirs_closed" }, { key = "closed" }, { key = "formula" },
        { key = "theirs_formula" },
        { key = "digest" },
    } do columns[#columns + 1] = column end
    for _, label in ipairs(instance.policies) do
        columns[#columns + 1] = { key = label .. "_total" }
        columns[#columns + 1] = { key = label .. "_digest" }
    end
    return columns
end

-- How close the ratio must come to its limit at the largest n: as close as the instance's n and eps
-- allow.
local CLOSE = 0.005

local function judge_tight(section, instance, rows)
    local first, most = instance.policies[1], instance.n[#instance.n]
    local near, above, parts, count = 0, 0, {}, 0
    for _, row in ipairs(rows) do
        if row[first] > row.limit then above = above + 1 end
        if row.n == most then
            count = count + 1
            if math.abs(row[first] / row.limit - 1) <= CLOSE then near = near + 1 end
            parts[#parts + 1] = string.format("%s = %g: %.4f of %.4f", instance.parameter,
                row.value, row[first], row.limit)
        end
    end
    local theirs = {}
    for i, value in ipairs(instance.values) do
        theirs[i] = string.format("%s = %g: %.4f", instance.parameter, value,
            instance.known[most][i])
    end
    section:claim {
        label = runs.name(first) .. "'s approximation ratio is tight", where = instance.where,
        claim = instance.claim,
        paper = "proved",
        reference = string.format("n = %d: %s", most, table.concat(theirs, ", ")),
        ours = string.format("T/T' at n = %d: %s", most, table.concat(parts, ", ")),
        verdict = above > 0 and papers.FAILS or experiment.verdict(near, count),
        because = string.format(
            "within %g %% of the limit in %d of %d at that n; above it in %d of %d rows",
            100 * CLOSE, near,
            count, above,
            #rows),
    }
end

local function tight_figure(context, section, instance, rows)
    if not context.directory then return end
    local blocks, plots = {}, {}
    local colours = { figure.COLOURS.blue, figure.COLOURS.green, figure.COLOURS.orange }
    for i, value in ipairs(instance.values) do
        local lines =
            { string.format("# n, T/T' of %s, limit: %s = %g", runs.name(instance.policies[1]),
            instance.parameter,
            value) }
        for _, row in ipairs(rows) do
            if row.value == value then
                lines[#lines + 1] = figure.row(row.n, row[instance.policies[1]], row.limit)
            end
        end
        blocks[i] = lines
        plots[#plots + 1] =
            string.format(
            "data index %d using 1:2 with linespoints linewidth 2 pointtype %d linecolor rgb '%s' "
            .. "title '%s = %g'",
            i - 1, 4 + 2 * i, colours[i], instance.parameter, value)
        plots[#plots + 1] =
            string.format(
            "data index %d using 1:3 with lines linewidth 1.5 dashtype 3 linecolor rgb '%s' "
            .. "notitle", i - 1,
            colours[i])
    end
    local script =
        string.format(
        "set title %s\nset logscale x\nset xlabel 'n'\nset ylabel 'T / T'' (limit: dotted)'\nset "
        .. "yrange [1:2.1]\nset key below horizontal center reverse Left\nplot %s\n",
        figure.quote(instance.title),
        table.concat(plots, ", \\\n     "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/" .. instance.name,
        720, 440, script, blocks)
end

local function tight_section(instance)
    return { name = instance.name, title = instance.title, run = function(context)
        local section = papers.section(instance.name, instance.title, instance.where,
            { instance.setup })
        local values, ns = #instance.values, #instance.n
        local rows = papers.each(context, instance.name, values * ns, function(task)
            return tight_row(instance, instance.values[(task - 1) // ns + 1],
                instance.n[(task - 1) % ns + 1])
        end, "part", { instance.values, instance.n, instance.policies })
        for task, row in ipairs(rows) do
            compare_tight(section, instance, row, (task - 1) // ns + 1)
        end
        if instance.name == "corollary4" then
            local known = reference.corollary4.bsrpt
            for _, row in ipairs(rows) do
                if row.value == known.alpha and row.n == instance.n[#instance.n] then
                    section:compare(string.format("alpha = %g, n = %d, bsrpt", row.value, row.n),
                        row.bsrpt, known.ratio, 0.0005)
                end
            end
        end
        section:table(instance.name,
            "T / T' by policy, and what is left of the paper's formulas for large n:",
            tight_columns(instance), rows)
        judge_tight(section, instance, rows)
        tight_figure(context, section, instance, rows)
        return section
    end }
end

M.corollary4 = tight_section(INSTANCES.corollary4)
M.corollary6 = tight_section(INSTANCES.corollary6)
M.INSTANCES = INSTANCES

-- ---- random batches -----------------------------------------------------------------------------

local TITLE = "Random batches: the approximation ratios against the best of all orders"

-- Small whole sizes, so that ties and exact ratios occur.
local SIZE_MOST = 12

local function random_batch(jobs_most)
    local jobs = {}
    for i = 1, math.random(2, jobs_most) do
        jobs[i] = { arrival = 0, map = math.random(SIZE_MOST), shuffle = math.random(SIZE_MOST) }
    end
    return jobs
end

-- The largest and the smallest imbalance of a job.
local function imbalance(jobs)
    local alpha, beta = 1, math.huge
    for _, job in ipairs(jobs) do
        local of_job = math.max(job.map / job.shuffle, job.shuffle / job.map)
        alpha, beta = math.max(alpha, of_job), math.min(beta, of_job)
    end
    return alpha, beta
end

-- The single-station totals of the proofs: SRPT on max(x, y) and on (x + y) / 2, and on each kind
-- of job by its larger size.
local function proof_totals(jobs)
    local longest, mean, map_heavy, shuffle_heavy = {}, {}, {}, {}
    for i, job in ipairs(jobs) do
        longest[i], mean[i] = math.max(job.map, job.shuffle), (job.map + job.shuffle) / 2
        local into = job.map >= job.shuffle and map_heavy or shuffle_heavy
        into[#into + 1] = longest[i]
    end
    return orders.shortest_first(longest), orders.shortest_first(mean),
        orders.shortest_first(map_heavy) + orders.shortest_first(shuffle_heavy)
end

local BATCH_POLICIES = { "maxsrpt", "maxsrpt_strict", "splitsrpt", "split_empty", "split_none",
    "bsrpt", "xmax", "srptmap",
    "srptsum" }

-- Totals of doubles and of whole numbers.
local SLACK = 1 + 1e-12

---What one batch says: ratios to the best common order, and which bounds of the proofs are kept.
local function batch_facts(jobs)
    local best = orders.best(jobs, #jobs)
    local shortest = orders.best(jobs, #jobs, true)
    local alpha, beta = imbalance(jobs)
    local by_longest, by_mean, by_kind = proof_totals(jobs)
    local facts, totals = { ratio = {}, broken = 0, makespan = 0, strict_better = 0 }, {}
    for i, label in ipairs(BATCH_POLICIES) do
        totals[label] = runs.run(label, { workload = jobs, bounds = "none" }).total_response_time
        facts.ratio[i] = totals[label] / best
    end
    local function keep(total, limit)
        if total > limit * SLACK then facts.broken = facts.broken + 1 end
    end
    for _, label in ipairs { "maxsrpt", "maxsrpt_strict" } do keep(totals[label], by_longest) end
    keep(by_longest, 2 * alpha / (1 + alpha) * by_mean)
    for _, label in ipairs { "splitsrpt", "split_empty", "split_none" } do
        keep(totals[label], (1 + 1 / beta) * by_kind)
    end
    if totals.maxsrpt > totals.maxsrpt_strict * SLACK then facts.strict_better = 1 end
    local johnson = runs.run("johnson", { workload = jobs, bounds = "none" })
    if math.abs(johnson.makespan - shortest) > (SLACK - 1) * shortest then facts.makespan = 1 end
    return facts
end

-- Random batches are shared out in groups, each from its own random numbers.
local GROUPS = 20

-- How much of it is done: more with more replicas, up to as much as the reference did.
local function amounts(context)
    local replicas = context.seeds
    return {
        batches = math.min(reference.batch.instances, 80 * replicas),
        steps = math.min(600, 100 * replicas),
        pairs = math.min(reference.batch.two_orders.instances, 2 * replicas),
    }
end

-- Of `count` things, how many are the share of a group.
local function share(count, group)
    return count * group // GROUPS - count * (group - 1) // GROUPS
end

-- A batch that makes a policy look worse and worse, by changing one size at a time.
local CLIMB_JOBS = 5

local function climb(label, steps)
    local function ratio(jobs)
        return runs.run(label, { workload = jobs, bounds = "none" }).total_response_time
            / orders.best(jobs, #jobs)
    end
    local jobs = {}
    for i = 1, CLIMB_JOBS do
        jobs[i] = { arrival = 0, map = math.random(SIZE_MOST), shuffle = math.random(SIZE_MOST) }
    end
    local worst = ratio(jobs)
    for _ = 1, steps do
        local job, field = jobs[math.random(#jobs)], math.random(2) == 1 and "map" or "shuffle"
        local before = job[field]
        job[field] = before * math.exp(math.random() * 2 - 1)
        local now = ratio(jobs)
        if now >= worst then worst = now else job[field] = before end
    end
    return worst
end

local CLIMBED = { "maxsrpt", "splitsrpt", "split_none", "bsrpt" }

local TWO_ORDERS_JOBS = 4

-- Returns in how many batches two orders, one for each station, are better than any common order,
-- and by how much at most; and for each batch the total of MaxSRPT divided by the smallest total.
local function two_orders(instances)
    local better, most, ratios = 0, 0, {}
    for k = 1, instances do
        local jobs = {}
        for i = 1, TWO_ORDERS_JOBS do jobs[i] = { arrival = 0, map = math.random(SIZE_MOST),
            shuffle = math.random(SIZE_MOST) } end
        local common, lists = orders.best(jobs, #jobs), {}
        orders.every(#jobs, function(order) lists[#lists + 1] = table.move(order, 1, #order, 1, {})
            end)
        local least = common
        for _, map in ipairs(lists) do
            for _, shuffle in ipairs(lists) do
                least = math.min(least, runs.run_orders(jobs, map, shuffle).total_response_time)
            end
        end
        if least < common / SLACK then
            better, most = better + 1, math.max(most, common / least - 1)
        end
        ratios[k] = runs.run("maxsrpt", { workload = jobs, bounds = "none" }).total_response_time
            / least
    end
    return better, most, ratios
end

local function group_facts(context, group)
    math.randomseed(context.seed, group)
    local much = amounts(context)
    local made = { ratios = {}, broken = 0, makespan = 0, strict_better = 0,
        count = share(much.batches, group) }
    for i = 1, #BATCH_POLICIES do made.ratios[i] = {} end
    for k = 1, made.count do
        local facts = batch_facts(random_batch(reference.batch.most))
        for i in ipairs(BATCH_POLICIES) do made.ratios[i][k] = facts.ratio[i] end
        for _, name in ipairs { "broken", "makespan", "strict_better" } do
            made[name] = made[name] + facts[name]
        end
    end
    if group <= #CLIMBED then made.climbed = climb(CLIMBED[group], much.steps) end
    made.orders_better, made.orders_most, made.orders_ratios = two_orders(share(much.pairs, group))
    return made
end

local function run_batch(context)
    local much = amounts(context)
    local section = papers.section("batch", TITLE, "Corollaries 4 and 6, Section 3.1", {
        string.format(
            "%d random batches of 2 to %d jobs with whole sizes up to %d. The best of all "
            .. "orders that both stations "
            .. "share is found exactly; the reference's instances are others, so only the order "
                .. "of magnitude of worst ratios can "
            .. "agree.",
            much.batches, reference.batch.most, SIZE_MOST),
        string.format(
            "The column climbed has the worst ratio that %d random changes of a batch of %d jobs "
            .. "lead to.",
            much.steps,
            CLIMB_JOBS),
    })
    local groups = papers.each(context, "batches", GROUPS,
        function(task) return group_facts(context, task) end)
    local rows, total = {}, { broken = 0, makespan = 0, strict_better = 0, count = 0,
        orders_better = 0, orders_most = 0, orders_ratios = {} }
    for _, group in ipairs(groups) do
        table.move(group.orders_ratios, 1, #group.orders_ratios, #total.orders_ratios + 1,
            total.orders_ratios)
        for _, name in ipairs { "broken", "makespan", "strict_better", "count", "orders_better" } do
            total[name] = total[name] + group[name]
        end
        total.orders_most = math.max(total.orders_most, group.orders_most)
    end
    local worst_of_all = 0
    for i, label in ipairs(BATCH_POLICIES) do
        local all = {}
        for _, group in ipairs(groups) do
            table.move(group.ratios[i], 1, #group.ratios[i], #all + 1, all)
        end
        local sample = experiment.summary(all)
        local known = reference.batch.worst[label]
        rows[i] = { policy = label, mean = sample.mean, half = sample.half, worst = sample.max,
            instances = #all,
            seed = context.seed,
                    reference_worst = known and known[1], reference_climbed = known and known[2],
                    reference_mean = reference.batch.mean[label] }
        for c, name in ipairs(CLIMBED) do
            if name == label then rows[i].climbed = groups[c].climbed end
        end
        if label ~= "srptmap" and label ~= "srptsum" then
            worst_of_all = math.max(worst_of_all, rows[i].worst, rows[i].climbed or 0)
        end
    end
    section:table("batch", "Total response time over that of the best common order:", {
        runs.POLICY_COLUMN, runs.column("mean", "mean"), runs.column("half", "± 95 %"),
            runs.column("reference_mean", "reference"),
        runs.column("worst", "worst"), runs.column("reference_worst", "reference", 2),
        runs.column("climbed", "climbed"),
        runs.column("reference_climbed", "reference"), { key = "instances" }, { key = "seed" },
    }, rows)
    section:claim {
        label = "the chain of the proofs", where = "Theorems 3 and 5, Corollaries 4 and 6",
        claim = "MaxSRPT takes at most SRPT's total on max(x, y), which is at most 2 alpha / (1 "
            .. "+ alpha) times SRPT's on (x + "
            .. "y)/2; SplitSRPT at most 1 + 1/beta times SRPT's on the map-heavy jobs plus "
                .. "SRPT's on the others.",
        paper = "proved", reference = string.format("0 violations in %d batches, exact arithmetic",
            reference.batch.instances),
        ours = string.format(
            "%d violations in %d batches; the worst ratio to the best order, of the paper's "
            .. "policies and ours, "
            .. "is %.2f",
            total.broken, total.count, worst_of_all),
        verdict = papers.universal(total.broken),
        because = "batch by batch, all readings of both policies",
    }
    section:claim {
        label = "y >= x first minimises the makespan", where = "Section 3.1",
        claim = "\"[T]he makespan can be minimized by scheduling jobs with\" y >= x \"before jobs "
            .. "with\" y < x \"at both stations\".",
        paper = "stated", reference = "as enumeration in all",
        ours = string.format("%d of %d batches differ from the smallest makespan of all orders",
            total.makespan, total.count),
        verdict = papers.universal(total.makespan), because = "batch by batch",
    }
    local known, gap = reference.batch.two_orders, experiment.summary(total.orders_ratios)
    section:note("On average MaxSRPT takes %.3f ± %.3f times the total of the best pair of orders, "
        .. "at most %.2f times, in %d batches of %d jobs.", gap.mean, gap.half, gap.max, gap.count,
        TWO_ORDERS_JOBS)
    section:note(
        "Serving leftovers (work conserving) is worse than strict MaxSRPT in %d of %d batches. Of "
        .. "%d batches of %d jobs, two different orders for the two stations beat the best common "
        .. "order in %d, by up to %.1f %% (reference: %d of %d, %.1f %%): permutation schedules "
        .. "are not optimal.", total.strict_better, total.count,
        much.pairs, TWO_ORDERS_JOBS,
        total.orders_better, 100 * total.orders_most, known.better, known.instances,
        100 * known.most)
    return section
end

M.batch = { name = "batch", title = TITLE, run = run_batch }

return M
