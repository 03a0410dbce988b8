-- What the settings that agree with a paper's numbers have in common: how far each value ranges
-- among them, and on which share of them each claim holds. Sections that sample such settings use
-- the same rules, tables and figure.

local figure = require "shared.figure"
local papers = require "shared.papers"
local text = require "shared.text"

local M = {}

---@class pinion.IdentifiedSet settings that agree
---@field prefix string|nil of the keys of its columns
---@field title string|nil in front of the titles of its columns
---@field settings pinion.WalkEnd[] each with `judged.verdicts`, in the order of the claims
---@field columns string[] kinds that have a column
---@field votes boolean|nil it votes on whether verdicts depend on the fit

-- ---- shares -------------------------------------------------------------------------------------

-- How a verdict counts: the paper's own cluster may explain what is not reproduced here, but no
-- setting of these gives it.
local KINDS = { [papers.HOLDS] = "holds", [papers.NOT_CONTRADICTED] = "holds",
    [papers.FITTED] = "holds", [papers.FAILS] = "fails", [papers.NOT_REPRODUCED] = "fails" }
local OPPOSITE = { holds = "fails", fails = "holds" }

---Returns the shares of settings on which a claim holds, fails, and neither, and on which its
---verdict is a given one.
---@param settings pinion.WalkEnd[]
---@param claim integer
---@param verdict string
---@return table<string, number>
function M.shares(settings, claim, verdict)
    local shares = { holds = 0.0, fails = 0.0, other = 0.0, same = 0.0 }
    for _, made in ipairs(settings) do
        local theirs = made.judged.verdicts[claim]
        local kind = KINDS[theirs] or "other"
        shares[kind] = shares[kind] + 1 / #settings
        if theirs == verdict then shares.same = shares.same + 1 / #settings end
    end
    return shares
end

---Adds the shares of each set to the claims.
---@param claims { section: string, label: string, verdict: string, few: string? }[] at the fit; `few`: on the seeds of the walks
---@param sets pinion.IdentifiedSet[]
---@return table[] rows the same
function M.claim_rows(claims, sets)
    for i, row in ipairs(claims) do
        for _, set in ipairs(sets) do
            for kind, share in next, M.shares(set.settings, i,
                    row.few or row.verdict) do
                row[(set.prefix or "") .. kind] = share
            end
        end
    end
    return claims
end

---A column of shares in percent.
function M.percent_column(key, title)
    return { key = key, title = title, right = true,
        show = function(value) return value and string.format("%.0f %%", 100 * value) or "-" end }
end

---@param sets pinion.IdentifiedSet[]
---@param more pinion.Column|nil behind the verdicts at the fit
---@return pinion.Column[]
function M.claim_columns(sets, more)
    local made = { { key = "section", title = "section" },
        { key = "label", title = "the paper's claim" }, { key = "verdict", title = "at the fit" },
        more }
    for _, set in ipairs(sets) do
        for i, kind in ipairs(set.columns) do
            made[#made + 1] = M.percent_column((set.prefix or "") .. kind,
                (i == 1 and set.title or "") .. kind)
        end
    end
    return made
end

-- The opposite verdict on more of the settings than this is not left to chance, as intervals cover
-- 95 %.
local CHANCE = 0.05

-- The largest share of a voting set on which the verdict is the opposite; nil: it has none.
local function opposite_share(row, sets)
    local opposite, largest = OPPOSITE[KINDS[row.verdict]], 0.0
    if not opposite then return nil end
    for _, set in ipairs(sets) do
        if set.votes then largest = math.max(largest, row[(set.prefix or "") .. opposite]) end
    end
    return largest
end

local function votes_of(rows, sets)
    local votes, open = papers.votes(), {}
    for _, row in ipairs(rows) do
        local share = opposite_share(row, sets)
        if share then
            papers.vote(votes, share == 0 or share <= CHANCE and nil)
            if share > CHANCE then open[#open + 1] = row.label end
        end
    end
    return votes, open
end

-- The number of settings in the sets that vote.
local function settings_of(sets)
    local count = 0
    for _, set in ipairs(sets) do count = count + (set.votes and #set.settings or 0) end
    return count
end

-- Fewer settings do not tell what they have in common.
local function verdict_of(votes, sets)
    return settings_of(sets) < papers.GROUP_LEAST and papers.UNDECIDED or papers.verdict(votes)
end

---Claims that no verdict depends on the fit.
---@param section pinion.PaperSection
---@param rows table[]
---@param sets pinion.IdentifiedSet[]
---@param what string the numbers with which the settings agree
function M.judge_claims(section, rows, sets, what)
    local votes, open = votes_of(rows, sets)
    section:claim {
        label = "ours: the verdicts do not depend on the fit", where = "not in the paper",
        claim = "A statement that holds or fails at the fit has the same verdict with all settings "
            .. "that agree with " .. what .. ".",
        paper = "-",
        ours = string.format("never the opposite verdict: %d of %d statements; the opposite on "
            .. "more than %.0f %% of the settings: %s", votes.held,
            votes.held + votes.failed + votes.undecided, 100 * CHANCE,
            #open > 0 and table.concat(open, "; ") or "none"),
        verdict = verdict_of(votes, sets),
        because = string.format("by %s that agree; a verdict of not reproduced counts as failed, "
            .. "and statements that hold in part or are undecided at the fit have no vote",
            text.count(settings_of(sets), "setting")),
    }
end

-- ---- ranges -------------------------------------------------------------------------------------

---Returns the least, the median and the most of a list.
---@param list number[]
function M.spread(list)
    table.sort(list)
    return { least = list[1], median = list[(#list + 1) // 2], most = list[#list] }
end

---How far a number of each setting spreads.
---@param settings pinion.WalkEnd[]
---@param of fun(made: pinion.WalkEnd): number
function M.spread_of(settings, of)
    local list = {}
    for i, made in ipairs(settings) do list[i] = of(made) end
    return M.spread(list)
end

---A row for each range: where the values of the settings lie.
---@param about pinion.Walks
---@param settings pinion.WalkEnd[]
---@return table[]
function M.setting_rows(about, settings)
    local rows = {}
    for i, range in ipairs(about.ranges) do
        local row = M.spread_of(settings, function(made) return made.values[i] end)
        row.name, row.fitted, row.from, row.to = range.name, about.fitted[i], range.least,
            range.most
        row.share = #settings > 0 and (row.most - row.least) / (range.most - range.least) or 0.0
        rows[i] = row
    end
    return rows
end

local function number_column(key, title)
    return { key = key, title = title, right = true,
        show = function(value) return text.number(value, 1) end }
end

M.SETTING_COLUMNS = {
    { key = "name", title = "setting" }, number_column("fitted", "fit"),
    number_column("from", "drawn from"), number_column("to", "to"),
    number_column("least", "accepted from"), number_column("median", "median"),
    number_column("most", "to"),
    M.percent_column("share", "of the range"),
}

---Columns of the settings themselves, for CSV and JSON only.
---@param about pinion.Walks
---@return pinion.Column[]
function M.sample_columns(about)
    local columns = { { key = "walk" } }
    for _, range in ipairs(about.ranges) do columns[#columns + 1] = { key = range.name } end
    return columns
end

---@param about pinion.Walks
---@param settings pinion.WalkEnd[]
---@return table[]
function M.sample_rows(about, settings)
    local rows = {}
    for a, made in ipairs(settings) do
        rows[a] = { walk = made.walk }
        for i, range in ipairs(about.ranges) do rows[a][range.name] = made.values[i] end
    end
    return rows
end

-- A setting is identified if its accepted values span at most this share of its range.
local IDENTIFIED = 0.5

---Claims that the numbers identify the settings.
---@param section pinion.PaperSection
---@param rows table[] of settings; those without a share have no vote
---@param sets pinion.IdentifiedSet[]
---@param words { label: string, claim: string }
function M.judge_settings(section, rows, sets, words)
    local votes, free = papers.votes(), {}
    for _, row in ipairs(rows) do
        if row.share then papers.vote(votes, row.share <= IDENTIFIED) end
        if row.share and row.share > IDENTIFIED then
            free[#free + 1] = (row.set and row.set .. ": " or "") .. row.name
        end
    end
    section:claim {
        label = words.label, where = "not in the paper", claim = words.claim, paper = "-",
        ours = "not identified: " .. (#free > 0 and table.concat(free, ", ") or "none"),
        verdict = verdict_of(votes, sets),
        because = string.format("a setting is identified if %s span at most %.0f %% of the range "
            .. "that is drawn", text.count(settings_of(sets), "accepted value"), 100 * IDENTIFIED),
    }
end

-- ---- the figure ---------------------------------------------------------------------------------

-- The looks of the sets, in order, and of the fit.
local LOOKS = { { colour = "#0072B2", point = 6 }, { colour = "#009E73", point = 8 } }
local FIT_LOOK = "linecolor rgb '#D55E00' pointtype 2 pointsize 1.5 linewidth 2"

-- Lines of a data file: each value of the settings at its place in the range, `shift` below the
-- range's line.
local function places_of(about, list, shift)
    local lines = { "# share of the range, setting" }
    for i, range in ipairs(about.ranges) do
        for _, values in ipairs(list) do
            lines[#lines + 1] = figure.row((values[i] - range.least) / (range.most - range.least),
                i + shift)
        end
    end
    return lines
end

local function ticks_of(about)
    local ticks = {}
    for i, range in ipairs(about.ranges) do
        ticks[i] = string.format("%s %d", figure.quote(range.name), i)
    end
    return table.concat(ticks, ", ")
end

local SCRIPT = [[
set title %s
set xlabel 'place in the range that is drawn'
set xrange [-0.02:1.02]
set yrange [%d.5:0.5]
set ytics (%s) noenhanced
set key outside bottom center horizontal
%s
]]

---Draws each accepted value and the fitted one at their places in the range.
---@param context pinion.PaperContext
---@param section pinion.PaperSection
---@param about pinion.Walks
---@param sets { title: string, settings: pinion.WalkEnd[] }[]
---@param title string
function M.draw(context, section, about, sets, title)
    local blocks, styles, plots, drawn = {}, {}, {}, 0
    for s, set in ipairs(sets) do
        local list = {}
        for a, made in ipairs(set.settings) do list[a] = made.values end
        drawn = drawn + #list
        blocks[s] = places_of(about, list, (s - (#sets + 1) / 2) * 0.3)
        styles[s] = string.format("set style line %d linecolor rgb '%s' pointtype %d", s,
            LOOKS[s].colour, LOOKS[s].point)
        plots[s] = string.format("data index %d using 1:2 with points linestyle %d title %s",
            s - 1, s, figure.quote(set.title))
    end
    if not context.directory or drawn == 0 then return end
    local fit = #sets + 1
    blocks[fit] = places_of(about, { about.fitted }, 0)
    styles[fit] = string.format("set style line %d %s", fit, FIT_LOOK)
    plots[fit] = string.format("data index %d using 1:2 with points linestyle %d title 'fit'",
        fit - 1, fit)
    local script = SCRIPT:format(figure.quote(title), #about.ranges, ticks_of(about),
        table.concat(styles, "\n") .. "\nplot " .. table.concat(plots, ", \\\n     "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/identified", 720,
        440, script, blocks)
end

return M
