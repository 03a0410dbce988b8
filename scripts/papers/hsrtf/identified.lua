-- Beyond the paper: which settings agree with the three percentages of small jobs to which the
-- durations were fitted, and which statements of Section 5 hold on all of them.

local experiment = require "pinion".experiment
local discussion = require "hsrtf.discussion"
local identified = require "shared.identified"
local locality = require "hsrtf.locality"
local papers = require "shared.papers"
local parts = require "hsrtf.parts"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"
local walks = require "shared.walks"

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

-- Steps of a walk with few seeds, and with those that also judge.
local STAGES = { { seeds = 3, steps = 60 }, { seeds = 12, steps = 20 } }

-- Walks for each seed of the page.
local WALKS = 2

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

-- ---- claims -------------------------------------------------------------------------------------

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
    return { changes = M.changes(cell), verdicts = verdicts }
end

local function walks_of(context)
    return {
        label = "walks", count = WALKS * context.seeds, ranges = M.RANGES, fitted = M.fitted(),
        stages = STAGES, seeds = runs.fresh_seeds, measure = measure, distance = distance,
        agree = M.agree, judge = judge_values,
    }
end

-- All settings that agree, and those from walks that start at the fit.
local function sets_of(accepted)
    return {
        { settings = accepted, columns = { "holds", "fails", "other" }, votes = true },
        { prefix = "near_", title = "from the fit: ", settings = walks.from_fit(accepted),
          columns = { "holds", "fails" } },
    }
end

-- ---- tables -------------------------------------------------------------------------------------

local function change_rows(accepted, fit)
    local rows = {}
    for c, change in ipairs(CHANGES) do
        local row = identified.spread_of(accepted,
            function(made) return made.judged.changes[c].mean end)
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

local function setup_of(about, accepted, seeds)
    local aims = {}
    for c = 1, TARGETS do aims[c] = runs.signed(CHANGES[c].paper) end
    return {
        string.format("%s towards changes of %s %%: %s", text.count(about.count, "walk"),
            table.concat(aims, ", "), walks.text(about, seeds)),
        string.format("A setting is accepted if the mean of each change over seeds %s differs from "
            .. "the printed one by at most %g (rounding) and its standard error. %d are accepted, "
            .. "%d of them from walks that start at the fit.", runs.seeds_text(seeds), ROUNDING,
            #accepted, #walks.from_fit(accepted)),
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
    local spread, fitted = identified.spread(ratios), reference.fitted
    section:note("A reduce takes for each block %s to %s times as long as a sort map (median %s; "
        .. "at the fit %.2f).", text.number(spread.least), text.number(spread.most),
        text.number(spread.median), fitted.reduce_block_ms / fitted.sort_map_ms)
end

local function run_identified(context)
    local about, seeds = walks_of(context), runs.fresh_seeds(context, STAGES[#STAGES].seeds)
    local accepted = walks.sample(context, about)
    local sets = sets_of(accepted)
    local section = papers.section("identified", TITLE, "Not in the paper",
        setup_of(about, accepted, seeds))
    local fit = measure(about.fitted, seeds)
    local claims = identified.claim_rows(claims_of(runs.main(context).fresh[runs.NODES],
        locality.delays(context)), sets)
    local settings = identified.setting_rows(about, accepted)
    section:table("identified", nil, identified.claim_columns(sets), claims)
    section:table("identified_settings", "Accepted values:", identified.SETTING_COLUMNS, settings)
    section:table("identified_changes", "Changes of mean makespans in percent:", CHANGE_COLUMNS,
        change_rows(accepted, fit))
    local rows = identified.sample_rows(about, accepted)
    section:table("identified_sample", nil, identified.sample_columns(about), rows)
    identified.judge_claims(section, claims, sets, "the three percentages")
    identified.judge_settings(section, settings, sets, {
        label = "ours: the percentages identify the durations",
        claim = "Settings that agree with the three percentages agree with one another.",
    })
    note_fit(section, fit, seeds)
    note_ratio(section, rows)
    identified.draw(context, section, about, { { title = "accepted", settings = accepted } },
        "Settings that agree with the three percentages")
    return section
end

M.identified = { name = "identified", title = TITLE, run = run_identified }

return M
