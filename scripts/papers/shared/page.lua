-- A page: one quantity, measured by seed at several points, with its intervals, a figure, and a
-- verdict on the claim that it lies on one side of a limit at all of them.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local text = require "shared.text"

local M = {}

---@class pinion.PagePoint
---@field curve string what it is of
---@field x number where it stands in the figure
---@field at string how tables name the place
---@field values number[] by seed, each a ratio or a difference of two runs on the same jobs
---@field less boolean|nil in place of the page's
---@field digest string|nil of all decisions

---@class pinion.Page
---@field name string of the section, the table and the figure
---@field title string
---@field claim string
---@field label string a few words, for the summary
---@field where string|nil place in the paper; nil: it is ours
---@field method string[] sentences
---@field quantity string what is measured, as a column and an axis name it
---@field axis string what x is
---@field limit number|nil the quantity of no difference; nil: the points have no vote of their own
---@field less boolean|nil the claim is that it is below the limit; else above
---@field decimals integer
---@field categories boolean|nil x are names and not numbers
---@field points fun(context: pinion.PaperContext): pinion.PagePoint[]
---@field judge (fun(votes: table, points: pinion.PagePoint[]): string)|nil in place of a vote of each point: votes, and says how
---@field note (fun(section: pinion.PaperSection, points: pinion.PagePoint[]))|nil

---Gives a point the value and the digest of each seed.
---@param point pinion.PagePoint
---@param seeds integer
---@param of fun(seed: integer): number, string
---@return pinion.PagePoint point
function M.fill(point, seeds, of)
    local folded = papers.DIGEST_START
    point.values = {}
    for seed = 1, seeds do
        local value, digest = of(seed)
        point.values[seed], folded = value, papers.fold(folded, digest)
    end
    point.digest = papers.digest_text(folded)
    return point
end

-- Whether a point is on the claim's side, beyond doubt.
local function vote_of(page, point, sample)
    if not page.limit then return nil end
    local less = point.less
    if less == nil then less = page.less end
    local distance = { mean = sample.mean - page.limit, half = sample.half, count = sample.count }
    if not less then distance.mean = -distance.mean end
    return papers.is_less(distance)
end

local function columns(page)
    return {
        { key = "curve", title = "" }, { key = "at", title = page.axis, right = true },
        { key = "mean", title = page.quantity, right = true, show = function(value, row)
            return string.format("%s ± %s", text.number(value, page.decimals),
                text.number(row.half, page.decimals))
        end },
        { key = "half" }, { key = "vote", title = page.limit and "so", show = function(value)
            return value == nil and "undecided" or value and "yes" or "no"
        end },
        { key = "seeds" }, { key = "seed" },
        { key = "digest", title = "digest", show = function(value) return value or "" end },
    }
end

local function rows_of(page, points, seed)
    local rows = {}
    for i, point in ipairs(points) do
        local sample = experiment.summary(point.values)
        rows[i] = {
            curve = point.curve, at = point.at, x = point.x, mean = sample.mean,
            half = sample.half, vote = vote_of(page, point, sample), seeds = sample.count,
            seed = seed, digest = point.digest,
        }
    end
    return rows
end

-- ---- the figure ---------------------------------------------------------------------------------

local COLOURS = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000", "#56B4E9",
    "#808080" }

local function curves_of(rows)
    local order, by_curve = {}, {}
    for _, row in ipairs(rows) do
        if not by_curve[row.curve] then
            by_curve[row.curve] = {}
            order[#order + 1] = row.curve
        end
        table.insert(by_curve[row.curve], row)
    end
    return order, by_curve
end

local function ticks_of(rows)
    local seen, ticks = {}, {}
    for _, row in ipairs(rows) do
        if not seen[row.x] then
            seen[row.x] = true
            ticks[#ticks + 1] = string.format("%s %g", figure.quote(row.at), row.x)
        end
    end
    return table.concat(ticks, ", ")
end

local function draw(context, section, page, rows)
    if not context.directory then return end
    local order, by_curve = curves_of(rows)
    local blocks, plots = {}, {}
    for c, name in ipairs(order) do
        local lines = { "# x, mean, half width of the 95 % interval: " .. name }
        for _, row in ipairs(by_curve[name]) do
            -- Points of several curves at one place stand beside each other.
            local beside = page.categories and (c - (#order + 1) / 2) * 0.1 or 0
            lines[#lines + 1] = figure.row(row.x + beside, row.mean, row.half)
        end
        blocks[c] = lines
        plots[c] = string.format("data index %d using 1:2:3 with %s linewidth 1.5 pointtype %d "
            .. "pointsize 0.7 linecolor rgb '%s' title %s", c - 1,
            page.categories and "yerrorbars" or "yerrorlines", 4 + c, COLOURS[c],
            figure.quote(name))
    end
    if page.limit then
        plots[#plots + 1] = page.limit .. " with lines dashtype 3 linecolor rgb '#404040' notitle"
    end
    local script = string.format([[
set title %s
set xlabel %s
set ylabel %s
set xtics (%s)
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
set key outside right top reverse Left
plot %s
]], figure.quote(page.title), figure.quote(page.axis), figure.quote(page.quantity), ticks_of(rows),
        table.concat(plots, ", \\\n     "))
    section.figures[#section.figures + 1] = figure.draw(
        string.format("%s/%s", context.directory, page.name), 840, 420, script, blocks)
end

-- ---- the section --------------------------------------------------------------------------------

local function span_of(rows, decimals)
    local least, most = rows[1], rows[1]
    for _, row in ipairs(rows) do
        if row.mean < least.mean then least = row end
        if row.mean > most.mean then most = row end
    end
    local function say(row)
        return string.format("%s ± %s (%s, %s)", text.number(row.mean, decimals),
            text.number(row.half, decimals), row.curve, row.at)
    end
    return string.format("from %s to %s", say(least), say(most))
end

---@param page pinion.Page
---@return pinion.PaperExperiment
function M.page(page)
    return { name = page.name, title = page.title, run = function(context)
        local where = page.where or "not in the papers"
        local section = papers.section(page.name, page.title, where, page.method)
        local points = page.points(context)
        local rows, votes = rows_of(page, points, context.seed), papers.votes()
        section:table(page.name, nil, columns(page), rows)
        local because
        if page.judge then
            because = page.judge(votes, points)
        else
            for _, row in ipairs(rows) do papers.vote(votes, row.vote) end
            because = string.format("beyond doubt %s %g at %d of %d points, the other way at %d",
                page.less and "below" or "above", page.limit, votes.held, #rows, votes.failed)
        end
        section:claim {
            label = (page.where and "" or "ours: ") .. page.label, where = where,
            claim = page.claim,
            paper = "-", ours = page.quantity .. " " .. span_of(rows, page.decimals),
            verdict = papers.verdict(votes), because = because,
        }
        if page.note then page.note(section, points) end
        draw(context, section, page, rows)
        return section
    end }
end

return M
