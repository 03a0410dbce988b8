-- Figure 3: how many maps run beside their input, by group and scheduler.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Figure 3: data locality"

-- ---- the table ----------------------------------------------------------------------------------

local function local_share(cell, policy, group)
    return experiment.summary(runs.shares(cell, policy, "near", "maps", group))
end

-- In how many runs all of a group's maps were local.
local function perfect(cell, policy, group)
    local count = 0
    for _, share in ipairs(runs.shares(cell, policy, "near", "maps", group)) do
        if share == 100 then count = count + 1 end
    end
    return count
end

-- What a policy makes of the maps of a cell.
local function row_of(cell, policy)
    local row = { policy = policy, digest = cell.digest[policy],
        perfect = perfect(cell, policy, "small"), runs = #cell.seeds }
    for _, group in ipairs(reference.GROUPS) do
        local sample = local_share(cell, policy, group)
        row[group], row[group .. "_sd"], row[group .. "_half"] = sample.mean, sample.sd,
            sample.half
    end
    return row
end

local function rows_of(section, main)
    local rows = {}
    for _, policy in ipairs(runs.POLICIES) do
        local row, known = row_of(main.fresh[runs.NODES], policy), reference.locality[policy]
        row.fitted = local_share(main.fitted[runs.NODES], policy, "small").mean
        if known then
            row.paper, row.reference = known.paper, known[1]
            row.agrees = section:compare("locality of small jobs, " .. runs.NAMES[policy],
                row.fitted, known[1], runs.ROUNDING)
        end
        rows[#rows + 1] = row
    end
    return rows
end

local function share_column(group)
    return { key = group, title = group, right = true, show = function(value, row)
        return string.format("%.1f ± %.1f", value, row[group .. "_sd"])
    end }
end

local function columns()
    local made = {
        runs.POLICY_COLUMN,
        { key = "paper", title = "small, paper", right = true, show = function(value) return value
            or "-" end },
        runs.column("reference", "reference"), runs.column("fitted", "seeds of the fit"),
        papers.AGREES_COLUMN,
    }
    for _, group in ipairs(reference.GROUPS) do
        table.move({ share_column(group), { key = group .. "_sd" }, { key = group .. "_half" } }, 1,
            3, #made + 1, made)
    end
    table.move({ { key = "perfect" }, { key = "runs" }, { key = "digest", title = "digest" } }, 1,
        3, #made + 1, made)
    return made
end

-- ---- claims -------------------------------------------------------------------------------------

local function judge_fair(rows)
    local verdict, because = runs.verdict(rows.fair.perfect > 0.5 * rows.fair.runs and 1 or 0, 1,
        rows.fair.runs, string.format(
            "judged by most runs; with a locality delay of %g s, which the paper does not give",
            reference.fitted.params.locality_delay_ms / 1000))
    return {
        label = "Fair: all small jobs' maps are local", where = "Section 5.1, Fig. 3(a)",
        claim = "Fair achieves 100 % data locality for small jobs.", paper = "100 %",
        reference = "100 %",
        ours = string.format("%.1f %%; in %d of %d runs all of them", rows.fair.small,
            rows.fair.perfect, rows.fair.runs),
        verdict = verdict, because = because,
    }
end

-- What chance alone gives: so many replicas on so many nodes.
local function chance()
    return 100.0 * reference.replication / reference.fitted.nodes
end

local function judge_modes(rows)
    local parts, at_chance, votes = {}, 0, papers.votes()
    local low, high = table.unpack(reference.locality_modes)
    -- Printed without decimals.
    local margin, centre = (high - low + 1) / 2, (high + low) / 2
    local modes = { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" }
    for i, policy in ipairs(modes) do
        local row = rows[policy]
        parts[i] = string.format("%s %.1f ± %.1f", runs.NAMES[policy], row.small, row.small_half)
        papers.vote(votes, experiment.within({ mean = row.small, half = row.small_half,
            count = row.runs }, margin, centre))
        if math.abs(row.small - chance()) <= row.small_half then at_chance = at_chance + 1 end
    end
    local verdict = papers.verdict(votes)
    return {
        label = "hSRTF: small jobs' maps are seldom local", where = "Sections 5.1, 5.4, Fig. 3(a)",
        claim = "hSRTF's locality of small jobs \"varies between 5 % to 15 % according to the "
            .. "applied hSRTF mode\", 5 % under "
            .. "Pr.",
        paper = string.format("%d to %d %%", low, high),
        reference = string.format("%g %% under Pr; %d replicas on %s: pure chance",
            reference.locality["hsrtf-pr"][1],
            reference.replication, runs.ON),
        ours = table.concat(parts, ", ")
            .. string.format(" %% (mean and 95 %% interval); chance gives %.1f %%", chance()),
        verdict = verdict == papers.FAILS and papers.NOT_REPRODUCED or verdict,
        because = string.format("beyond doubt %d of %d modes are in that range and %d outside; %d "
            .. "are what chance gives", votes.held, #modes, votes.failed, at_chance),
    }
end

-- Points of a percentage by which similar localities may differ.
local SIMILAR = 5

-- By seed, how many points more of a group's maps are local under Pu than under Fifo.
local function pu_over_fifo(cell, group)
    local apart = runs.shares(cell, "hsrtf-pu", "near", "maps", group)
    for i, share in ipairs(runs.shares(cell, "fifo", "near", "maps", group)) do
        apart[i] = apart[i] - share
    end
    return experiment.summary(apart)
end

local function judge_fifo(cell)
    local parts, votes = {}, papers.votes()
    for i, group in ipairs(reference.GROUPS) do
        local apart = pu_over_fifo(cell, group)
        papers.vote(votes, experiment.within(apart, SIMILAR))
        parts[i] = string.format("%s %s ± %.1f points", group, runs.signed(apart.mean), apart.half)
    end
    return {
        label = "hSRTF is as local as Fifo", where = "Sections 3.1, 5.1",
        claim = "hSRTF \"can preserve similar data locality to the Fifo scheduler\".",
        paper = "bars without numbers",
        ours = "Pu less Fifo: " .. table.concat(parts, "; "), verdict = papers.verdict(votes),
        because = string.format("\"similar\" is read as within ±%g points; so in %d of %d groups, "
            .. "outside in %d", SIMILAR, votes.held, #reference.GROUPS, votes.failed),
    }
end

local function judge_size(rows)
    local votes, parts = papers.votes(), {}
    for _, policy in ipairs { "hsrtf-pu", "hsrtf-pup", "hsrtf-pr", "hsrtf-prp" } do
        local row = rows[policy]
        for _, group in ipairs { "medium", "large" } do
            papers.vote(votes, experiment.above({ mean = row[group] - row.small,
                half = row[group .. "_half"] + row.small_half, count = row.runs }, 0))
        end
        parts[#parts + 1] = string.format("%s %.0f, %.0f, %.0f", runs.NAMES[policy], row.small,
            row.medium, row.large)
    end
    return {
        label = "larger jobs are more local", where = "Section 5.4, Fig. 3(b), (c)",
        claim = "\"hSRTF achieves better data locality for both medium and large jobs.\"",
        paper = "bars without numbers",
        ours = "small, medium, large: " .. table.concat(parts, "; ") .. " %",
        verdict = papers.verdict(votes),
        because = string.format("%d of %d beyond doubt: a job with more maps to choose from has "
            .. "one beside a free slot more often", votes.held, votes.held + votes.failed
            + votes.undecided),
    }
end

-- ---- Fair's locality delay ----------------------------------------------------------------------

-- ms that a job waits for a slot beside its input.
local DELAYS = { 0, 1000, 5000, 15000, 60000, 600000 }

-- A waiting time that would explain the gain, s.
local LONG = 20

local function longest_wait(cell)
    local longest = 0.0
    for _, run in ipairs(cell.runs.fair) do
        for id, row in ipairs(runs.ROWS) do
            if row.group == "small" then longest = math.max(longest, run.waiting[id]) end
        end
    end
    return longest
end

---Settings of Fair under each delay.
---@param setting pinion.HsrtfSetting
---@return pinion.HsrtfSetting[]
function M.delayed(setting)
    local settings = {}
    for i, delay in ipairs(DELAYS) do
        local params = { locality_delay_ms = delay }
        for name, value in next, setting.params or {} do params[name] = params[name] or value end
        settings[i] = { policies = { "fair" }, seeds = setting.seeds, params = params,
            durations = setting.durations }
    end
    return settings
end

---The page's cells of Fair under each delay.
---@param context pinion.PaperContext
---@return pinion.HsrtfCell[]
function M.delays(context)
    local cache = context.cache
    cache.delays = cache.delays or runs.cells(context, "locality delays",
        M.delayed { seeds = runs.fresh_seeds(context) })
    return cache.delays
end

local function delay_rows(main_cell, cells)
    local rows = {}
    for i, cell in ipairs(cells) do
        local waiting, whole = experiment.summary(runs.means(cell, "fair", "waiting", "small")), {}
        -- Against Pr, which knows no delay.
        for k, makespan in ipairs(runs.means(main_cell, "hsrtf-pr", "makespan", "small")) do
            whole[k] = 100 * (makespan / runs.mean(cell.runs.fair[k], "makespan", "small") - 1)
        end
        rows[i] = { delay = DELAYS[i] / 1000, near = local_share(cell, "fair", "small").mean,
            waiting = waiting.mean,
                    waiting_sd = waiting.sd, waiting_half = waiting.half,
                    longest = longest_wait(cell),
                    change = experiment.summary(whole).mean,
                    digest = cell.digest.fair }
    end
    return rows
end

local DELAY_COLUMNS = {
    { key = "delay", title = "delay (s)", right = true,
        show = function(value) return string.format("%g", value) end },
    runs.column("near", "small, local %"), runs.column("waiting", "small, waiting (s)"),
    { key = "waiting_sd" }, { key = "waiting_half" },
    runs.column("longest", "longest (s)"), runs.change_column("change", "small, Pr against Fair %"),
    runs.DIGEST_COLUMN,
}

local function judge_delays(rows)
    local most, parts, is_long = 0.0, {}, false
    for i, row in ipairs(rows) do
        parts[i] = string.format("%g s: %.1f", row.delay, row.waiting)
        most = math.max(most, row.waiting)
        local long = experiment.above({ mean = row.waiting, half = row.waiting_half }, LONG)
        is_long = is_long or long == nil and "undecided" or long
    end
    return {
        label = "Fair's locality makes small jobs wait", where = "Sections 1, 5.1, Fig. 2(d)",
        claim = "Enforcing data locality leads to long waiting times for small jobs; Pr's gain "
            .. "over Fair is \"obviously due to "
            .. "the huge reduction in waiting times\".",
        paper = "a curve without numbers",
        reference = string.format("%g s under Fair: not reproduced", reference.parts.fair[1]),
        ours = "mean waiting time of a small job under Fair by delay: "
            .. table.concat(parts, ", ") .. " s",
        verdict = is_long == "undecided" and papers.UNDECIDED or is_long and papers.HOLDS
            or papers.FAILS,
        because = string.format(
            "on average %.1f s at most, whatever the delay: one of the %d nodes with its input "
            .. "offers a slot "
            .. "within a heartbeat of %g s, and some map slot of theirs is mostly free", most,
            reference.replication,
            reference.fitted.params.heartbeat_ms / 1000),
    }
end

-- ---- the list -----------------------------------------------------------------------------------

---Judges the statements on locality on the runs of a cell.
---@param cell pinion.HsrtfCell with all policies
---@param delays pinion.HsrtfCell[] of the same under each locality delay
---@return pinion.PaperClaim[]
function M.claims(cell, delays)
    local rows = {}
    for _, policy in ipairs(runs.POLICIES) do rows[policy] = row_of(cell, policy) end
    return { judge_fair(rows), judge_modes(rows), judge_fifo(cell), judge_size(rows),
        judge_delays(delay_rows(cell, delays)) }
end

-- ---- the figure ---------------------------------------------------------------------------------

local SHADES = { small = "#B5D9EE", medium = "#0072B2", large = "#00324F" }

local function draw(context, section, rows)
    if not context.directory then return end
    local blocks, plots, ticks = {}, {}, {}
    for g, group in ipairs(reference.GROUPS) do
        local block = { "# position, percent local, half width of the 95 % interval, policy: "
            .. group .. " jobs" }
        for p, row in ipairs(rows) do
            block[#block + 1] = figure.row(p + (g - 2) * 0.27, row[group], row[group .. "_half"],
                row.policy)
            ticks[p] = string.format("'%s' %d", runs.NAMES[row.policy], p)
        end
        blocks[g] = block
        plots[g] = string.format(
            "data index %d using 1:2 with boxes linecolor rgb '%s' title '%s jobs'", g - 1,
            SHADES[group],
            group)
    end
    for g = 1, #blocks do
        plots[#plots + 1] =
            string.format(
            "data index %d using 1:($2 - $3):(0):(2 * $3) with vectors heads size screen 0.004,90 "
            .. "linecolor rgb '#000000' notitle", g - 1)
    end
    local script = string.format([[
set title %s
set ylabel 'maps beside their input (%%)'
set yrange [0:100]
set xrange [0.4:%d.6]
set xtics (%s)
set grid noxtics
set boxwidth 0.25
set key outside bottom center horizontal
set style fill solid 1 border rgb '#404040'
plot %s
]], figure.quote(TITLE .. ", " .. runs.ON .. ", " .. text.count(context.seeds, "seed")), #rows, table.concat(ticks, ", "),
        table.concat(plots, ", \\\n     "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig3", 720, 440,
        script, blocks)
end

local function run_locality(context)
    local main = runs.main(context)
    local section = papers.section("fig3", TITLE, "Section 5, Figure 3", {
        string.format(
            "Percentage of maps that ran on a node with their input, %s, %d replicas of every "
            .. "block: on the seeds of "
            .. "the fit, and on fresh ones (%s) with the standard deviation of a single run.",
            runs.ON, reference.replication,
            runs.seeds_text(main.fresh[runs.NODES].seeds)),
    })
    local rows = rows_of(section, main)
    section:table("fig3", nil, columns(), rows)
    local fresh, delays = main.fresh[runs.NODES], M.delays(context)
    section:table("fig3_delays", "Fair with other locality delays, fresh seeds:", DELAY_COLUMNS,
        delay_rows(fresh, delays))
    section:claim_all(M.claims(fresh, delays))
    draw(context, section, rows)
    return section
end

M.locality = { name = "fig3", title = TITLE, run = run_locality }

return M
