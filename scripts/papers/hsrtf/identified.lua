-- Beyond the paper: which settings agree with the three percentages of small jobs to which the
-- durations were fitted, and which statements of Section 5 hold on all of them. Walks start at
-- random settings and take random steps towards the percentages; those that arrive are the sample.

local experiment = require "pinion".experiment
local discussion = require "hsrtf.discussion"
local figure = require "shared.figure"
local locality = require "hsrtf.locality"
local papers = require "shared.papers"
local parts = require "hsrtf.parts"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Beyond the paper: other durations that give the same percentages"

-- ---- settings -----------------------------------------------------------------------------------

---What is drawn, uniformly from integers. The largest factor stays 1: it only scales durations.
M.RANGES = {
    { name = "sort_map_ms", least = 5000, most = 250000 },
    { name = "wc_map_ms", least = 5000, most = 250000 },
    { name = "remote_ms", least = 0, most = 30000 },
    { name = "reduce_start_ms", least = 0, most = 30000 },
    { name = "reduce_block_ms", least = 2000, most = 120000 },
    { name = "shuffle_block_ms", least = 0, most = 40000 },
    { name = "wc_output_permille", least = 10, most = 1000 },
    { name = "factor_lo", least = 200, most = 1000, is_param = true },
    { name = "heartbeat_ms", least = 0, most = 6000, is_param = true },
    { name = "locality_delay_ms", least = 0, most = 15000, is_param = true },
}

-- The changes of the abstract and of Section 5; the walks aim at the first three.
local CHANGES, TARGETS = table.move(reference.changes, 1, 5, 1, {}), 3

-- A step changes this many values, each by at most one of these shares of its range.
local CHANGED, SHARES = 3, { 0.3, 0.1, 0.03 }

-- Seeds of the first steps, and of the last ones, which also judge; steps of either kind.
local FEW, MANY = 3, 12
local FEW_STEPS, MANY_STEPS = 60, 20

-- Walks for each seed of the page. Every third starts at the fit, the others at the best of so many
-- random settings.
local WALKS, FROM_FIT, STARTS = 2, 3, 10

local function draw_values(draw)
    local values = {}
    for i, range in ipairs(M.RANGES) do values[i] = draw(range.least, range.most) end
    return values
end

local function step_from(values, draw)
    local made = table.move(values, 1, #values, 1, {})
    local share = SHARES[draw(1, #SHARES)]
    for _ = 1, CHANGED do
        local i = draw(1, #M.RANGES)
        local range = M.RANGES[i]
        local width = math.floor(share * (range.most - range.least))
        made[i] = math.max(range.least, math.min(range.most, values[i] + draw(-width, width)))
    end
    return made
end

---Returns the values of the fit, in the order of the ranges.
---@return integer[]
function M.fitted()
    local values = {}
    for i, range in ipairs(M.RANGES) do
        values[i] = (range.is_param and reference.fitted.params or reference.fitted)[range.name]
    end
    return values
end

---Returns the setting of these values, which are in the order of the ranges.
---@param values integer[]
---@param seeds integer[]
---@param policies string[]|nil default: all
---@return pinion.HsrtfSetting
function M.setting(values, seeds, policies)
    local setting = { policies = policies, seeds = seeds, durations = {}, params = {} }
    for i, range in ipairs(M.RANGES) do
        setting[range.is_param and "params" or "durations"][range.name] = values[i]
    end
    return setting
end

-- ---- agreement ----------------------------------------------------------------------------------

---Returns the changes of a cell.
---@param cell pinion.HsrtfCell
---@return { mean: number, error: number }[] the error is the standard error of the mean
function M.changes(cell)
    local made = {}
    for c, change in ipairs(CHANGES) do
        local sample = experiment.summary(runs.changes(cell, change).seeds)
        made[c] = { mean = sample.mean, error = sample.sd / math.sqrt(sample.count) }
    end
    return made
end

-- Half a unit of a printed percentage.
local ROUNDING = 0.5

---Returns whether the three means are as printed, up to rounding and their standard errors.
---@param changes { mean: number, error: number }[]
---@return boolean
function M.agree(changes)
    for c = 1, TARGETS do
        local apart = math.abs(changes[c].mean - CHANGES[c].paper)
        if apart > ROUNDING + changes[c].error then return false end
    end
    return true
end

local function distance(changes)
    local sum = 0.0
    for c = 1, TARGETS do sum = sum + (changes[c].mean - CHANGES[c].paper) ^ 2 end
    return sum
end

local function measure(values, seeds)
    return M.changes(runs.cell(M.setting(values, seeds, runs.CALM)))
end

-- ---- a walk -------------------------------------------------------------------------------------

local function start_of(draw, seeds)
    local best, least
    for _ = 1, STARTS do
        local values = draw_values(draw)
        local apart = distance(measure(values, seeds))
        if not best or apart < least then best, least = values, apart end
    end
    return best
end

-- Takes steps that do not lead away. Returns the values once they agree, else nil.
local function approach(values, draw, seeds, steps)
    local changes = measure(values, seeds)
    while not M.agree(changes) do
        if steps == 0 then return nil end
        local stepped = step_from(values, draw)
        local found = measure(stepped, seeds)
        if distance(found) <= distance(changes) then values, changes = stepped, found end
        steps = steps - 1
    end
    return values
end

-- Every statement of Section 5, section by section, as the page judges it.
local function claims_of(cell, delays)
    local made = {}
    for _, group in ipairs {
        { "fig2", discussion.claims(cell) }, { "fig3", locality.claims(cell, delays) },
        { "parts", parts.claims(cell) },
    } do
        for _, claim in ipairs(group[2]) do
            made[#made + 1] = { section = group[1], label = claim.label, verdict = claim.verdict }
        end
    end
    return made
end

local function judge_values(values, seeds)
    local setting, delays, verdicts = M.setting(values, seeds), {}, {}
    for i, delayed in ipairs(locality.delayed(setting)) do delays[i] = runs.cell(delayed) end
    local cell = runs.cell(setting)
    for i, claim in ipairs(claims_of(cell, delays)) do verdicts[i] = claim.verdict end
    return { values = values, changes = M.changes(cell), verdicts = verdicts }
end

-- A setting that agrees, with its verdicts; false when the walk does not arrive at one.
local function walk(context, number)
    local draw = papers.draws(context.seed, number)
    local few, many = runs.fresh_seeds(context, FEW), runs.fresh_seeds(context, MANY)
    local values = number % FROM_FIT == 0 and M.fitted() or start_of(draw, few)
    local near = approach(values, draw, few, FEW_STEPS)
    local found = near and approach(near, draw, many, MANY_STEPS)
    return found and judge_values(found, many) or false
end

---@class pinion.HsrtfAccepted
---@field walk integer
---@field values integer[] in the order of the ranges
---@field changes { mean: number, error: number }[]
---@field verdicts string[] in the order of the claims

-- Returns the settings at which the walks arrive, and the number of walks.
local function sample(context)
    local accepted, count = {}, WALKS * context.seeds
    local walks = papers.each(context, "walks", count,
        function(number) return walk(context, number) end, "walk")
    for number, made in ipairs(walks) do
        if made then
            made.walk = number
            accepted[#accepted + 1] = made
        end
    end
    return accepted, count
end

-- Those from walks that start at the fit.
local function from_fit(accepted)
    local near = {}
    for _, made in ipairs(accepted) do
        if made.walk % FROM_FIT == 0 then near[#near + 1] = made end
    end
    return near
end

-- ---- claims -------------------------------------------------------------------------------------

-- How a verdict counts: the paper's own cluster may explain what is not reproduced here, but no
-- setting of these gives it.
local KINDS = { [papers.HOLDS] = "holds", [papers.FAILS] = "fails",
    [papers.NOT_REPRODUCED] = "fails" }
local OPPOSITE = { holds = "fails", fails = "holds" }

-- Shares of settings on which a statement holds, fails, and neither.
local function shares_of(settings, statement)
    local shares = { holds = 0.0, fails = 0.0, other = 0.0 }
    for _, made in ipairs(settings) do
        local kind = KINDS[made.verdicts[statement]] or "other"
        shares[kind] = shares[kind] + 1 / #settings
    end
    return shares
end

-- A row for each statement: its verdict at the fit, and shares of the accepted settings.
local function claim_rows(context, accepted)
    local rows = claims_of(runs.main(context).fresh[runs.NODES], locality.delays(context))
    for i, row in ipairs(rows) do
        local near = shares_of(from_fit(accepted), i)
        for kind, share in next, shares_of(accepted, i) do
            row[kind], row["near_" .. kind] = share, near[kind]
        end
    end
    return rows
end

local function percent_column(key, title)
    return { key = key, title = title, right = true,
        show = function(value) return string.format("%.0f %%", 100 * value) end }
end

local CLAIM_COLUMNS = {
    { key = "section", title = "section" }, { key = "label", title = "the paper's claim" },
    { key = "verdict", title = "at the fit" }, percent_column("holds", "holds"),
    percent_column("fails", "fails"), percent_column("other", "other"),
    percent_column("near_holds", "from the fit: holds"), percent_column("near_fails", "fails"),
}

-- The opposite verdict on more of the settings than this is not left to chance, as intervals cover
-- 95 %.
local CHANCE = 0.05

local function votes_of(rows)
    local votes, open = papers.votes(), {}
    for _, row in ipairs(rows) do
        local opposite = OPPOSITE[KINDS[row.verdict]]
        if opposite then
            papers.vote(votes, row[opposite] == 0 or row[opposite] <= CHANCE and nil)
            if row[opposite] > CHANCE then open[#open + 1] = row.label end
        end
    end
    return votes, open
end

-- Fewer settings do not tell what they have in common.
local function verdict_of(votes, accepted)
    return #accepted < papers.GROUP_LEAST and papers.UNDECIDED or papers.verdict(votes)
end

local function judge_claims(section, rows, accepted)
    local votes, open = votes_of(rows)
    section:claim {
        label = "ours: the verdicts do not depend on the fit", where = "not in the paper",
        claim = "A statement that holds or fails at the fit has the same verdict with all settings "
            .. "that agree with the three percentages.",
        paper = "-",
        ours = string.format("never the opposite verdict: %d of %d statements; the opposite on "
            .. "more than %.0f %% of the settings: %s", votes.held,
            votes.held + votes.failed + votes.undecided, 100 * CHANCE,
            #open > 0 and table.concat(open, "; ") or "none"),
        verdict = verdict_of(votes, accepted),
        because = string.format("by %s that agree; a verdict of not reproduced counts as failed, "
            .. "and statements that hold in part or are undecided at the fit have no vote",
            text.count(#accepted, "setting")),
    }
end

-- ---- what is identified -------------------------------------------------------------------------

-- Least, median and most of a list.
local function spread_of(list)
    table.sort(list)
    return { least = list[1], median = list[(#list + 1) // 2], most = list[#list] }
end

local function setting_rows(accepted)
    local rows, fitted = {}, M.fitted()
    for i, range in ipairs(M.RANGES) do
        local list = {}
        for a, made in ipairs(accepted) do list[a] = made.values[i] end
        local row = spread_of(list)
        row.name, row.fitted, row.from, row.to = range.name, fitted[i], range.least, range.most
        row.share = #accepted > 0 and (row.most - row.least) / (range.most - range.least) or 0.0
        rows[i] = row
    end
    return rows
end

local SETTING_COLUMNS = {
    { key = "name", title = "setting" }, runs.column("fitted", "fit"),
    runs.column("from", "drawn from"), runs.column("to", "to"),
    runs.column("least", "accepted from"), runs.column("median", "median"),
    runs.column("most", "to"),
    percent_column("share", "of the range"),
}

local function change_rows(accepted, fit)
    local rows = {}
    for c, change in ipairs(CHANGES) do
        local list = {}
        for a, made in ipairs(accepted) do list[a] = made.changes[c].mean end
        local row = spread_of(list)
        row.group, row.pair, row.paper = change.group, runs.pair(change), change.paper
        row.fitted, row.error = fit[c].mean, fit[c].error
        rows[c] = row
    end
    return rows
end

local CHANGE_COLUMNS = {
    { key = "group", title = "jobs" }, { key = "pair", title = "" },
    runs.change_column("paper", "paper"), runs.change_column("fitted", "fit"), { key = "error" },
    runs.change_column("least", "accepted from"), runs.change_column("median", "median"),
    runs.change_column("most", "to"),
}

-- The accepted settings, for CSV and JSON only.
local SAMPLE_COLUMNS = { { key = "walk" } }
for _, range in ipairs(M.RANGES) do SAMPLE_COLUMNS[#SAMPLE_COLUMNS + 1] = { key = range.name } end

local function sample_rows(accepted)
    local rows = {}
    for a, made in ipairs(accepted) do
        rows[a] = { walk = made.walk }
        for i, range in ipairs(M.RANGES) do rows[a][range.name] = made.values[i] end
    end
    return rows
end

-- A setting is identified if its accepted values span at most this share of its range.
local IDENTIFIED = 0.5

local function judge_settings(section, rows, accepted)
    local votes, free = papers.votes(), {}
    for _, row in ipairs(rows) do
        papers.vote(votes, row.share <= IDENTIFIED)
        if row.share > IDENTIFIED then free[#free + 1] = row.name end
    end
    section:claim {
        label = "ours: the percentages identify the durations", where = "not in the paper",
        claim = "Settings that agree with the three percentages agree with one another.",
        paper = "-",
        ours = "not identified: " .. (#free > 0 and table.concat(free, ", ") or "none"),
        verdict = verdict_of(votes, accepted),
        because = string.format("a setting is identified if %s span at most %.0f %% of the range "
            .. "that is drawn", text.count(#accepted, "accepted value"), 100 * IDENTIFIED),
    }
end

-- ---- the figure ---------------------------------------------------------------------------------

-- Draws each accepted value and the fitted one at their places in the range.
local function draw_figure(context, section, accepted)
    if not context.directory or #accepted == 0 then return end
    local dots, crosses = { "# share of the range, setting" }, { "# the same at the fit" }
    local ticks, fitted = {}, M.fitted()
    for i, range in ipairs(M.RANGES) do
        local function row_at(value)
            return figure.row((value - range.least) / (range.most - range.least), i)
        end
        for _, made in ipairs(accepted) do dots[#dots + 1] = row_at(made.values[i]) end
        crosses[#crosses + 1] = row_at(fitted[i])
        ticks[i] = string.format("%s %d", figure.quote(range.name), i)
    end
    local script = string.format([[
set title %s
set xlabel 'place in the range that is drawn'
set xrange [-0.02:1.02]
set yrange [%d.5:0.5]
set ytics (%s) noenhanced
set key outside bottom center horizontal
set style line 1 linecolor rgb '#0072B2' pointtype 6
set style line 2 linecolor rgb '#D55E00' pointtype 2 pointsize 1.5 linewidth 2
plot data index 0 using 1:2 with points linestyle 1 title 'accepted', \
     data index 1 using 1:2 with points linestyle 2 title 'fit'
]], figure.quote("Settings that agree with the three percentages"), #M.RANGES,
        table.concat(ticks, ", "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/identified", 720,
        440, script, { dots, crosses })
end

-- ---- the section --------------------------------------------------------------------------------

local function note_fit(section, fit, seeds)
    local list = {}
    for c = 1, TARGETS do
        list[c] = string.format("%s ± %.1f", runs.signed(fit[c].mean), fit[c].error)
    end
    section:note("On seeds %s the fit itself gives %s %% (mean and standard error): it %s by this "
        .. "rule. The fit itself used %d seeds.", runs.seeds_text(seeds), table.concat(list, ", "),
        M.agree(fit) and "agrees" or "does not agree", #reference.fitted.seeds)
end

local function setup_of(accepted, walks, seeds)
    local aims = {}
    for c = 1, TARGETS do aims[c] = runs.signed(CHANGES[c].paper) end
    return {
        string.format("%s towards changes of %s %%: every third starts at the fit, the others at "
            .. "the best of %d random settings. Each takes up to %d random steps on %s and %d on "
            .. "%s; a step that leads away is undone.", text.count(walks, "walk"),
            table.concat(aims, ", "), STARTS, FEW_STEPS,
            text.count(math.min(FEW, #seeds), "seed"), MANY_STEPS, text.count(#seeds, "seed")),
        string.format("A setting is accepted if the mean of each change over seeds %s differs from "
            .. "the printed one by at most %g (rounding) and its standard error. %d are accepted, "
            .. "%d of them from walks that start at the fit.", runs.seeds_text(seeds), ROUNDING,
            #accepted, #from_fit(accepted)),
        "The rules of the sections fig2, fig3 and parts judge each accepted setting on these "
            .. "seeds. Shares are of accepted settings; fails includes not reproduced, and other "
            .. "is in part or undecided. The last two are shares of those from walks that start "
            .. "at the fit.",
    }
end

-- What the percentages bound better than either of the two.
local function note_ratio(section, rows)
    local ratios = {}
    for i, row in ipairs(rows) do ratios[i] = row.reduce_block_ms / row.sort_map_ms end
    local spread, fitted = spread_of(ratios), reference.fitted
    section:note("A reduce takes for each block %s to %s times as long as a sort map (median %s; "
        .. "at the fit %.2f).", text.number(spread.least), text.number(spread.most),
        text.number(spread.median), fitted.reduce_block_ms / fitted.sort_map_ms)
end

local function run_identified(context)
    local seeds = runs.fresh_seeds(context, MANY)
    local accepted, walks = sample(context)
    local section = papers.section("identified", TITLE, "Not in the paper",
        setup_of(accepted, walks, seeds))
    local fit = measure(M.fitted(), seeds)
    local claims, settings = claim_rows(context, accepted), setting_rows(accepted)
    section:table("identified", nil, CLAIM_COLUMNS, claims)
    section:table("identified_settings", "Accepted values:", SETTING_COLUMNS, settings)
    section:table("identified_changes", "Changes of mean makespans in percent:", CHANGE_COLUMNS,
        change_rows(accepted, fit))
    local rows = sample_rows(accepted)
    section:table("identified_sample", nil, SAMPLE_COLUMNS, rows)
    judge_claims(section, claims, accepted)
    judge_settings(section, settings, accepted)
    note_fit(section, fit, seeds)
    note_ratio(section, rows)
    draw_figure(context, section, accepted)
    return section
end

M.identified = { name = "identified", title = TITLE, run = run_identified }

return M
