-- Figure 2: how makespans, waiting times and execution times of small, medium and large jobs are
-- distributed under each scheduler, and what Section 5 reads off it.

local experiment = require "pinion".experiment
local discussion = require "hsrtf.discussion"
local figure = require "shared.figure"
local papers = require "shared.papers"
local reference = require "hsrtf.reference"
local runs = require "hsrtf.runs"
local text = require "shared.text"

local M = {}

local TITLE = "Figure 2: makespans, waiting and execution times by group"

-- The rows of the figure.
local FIELDS = { { "makespan", "makespan" }, { "waiting", "waiting time" },
    { "execution", "execution time" } }

-- ---- the table ----------------------------------------------------------------------------------

local function rows_of(cell)
    local rows = {}
    for _, group in ipairs(reference.GROUPS) do
        for _, policy in ipairs(runs.POLICIES) do
            local row = { group = group, policy = policy, digest = cell.digest[policy],
                unfinished = runs.unfinished(cell,
                policy) }
            for _, field in ipairs(FIELDS) do
                local sample = experiment.summary(runs.means(cell, policy, field[1], group))
                row[field[1]], row[field[1] .. "_sd"], row[field[1] .. "_half"] = sample.mean,
                    sample.sd, sample.half
            end
            rows[#rows + 1] = row
        end
    end
    return rows
end

local function spread_column(key, title)
    return { key = key, title = title, right = true,
             show = function(value, row) return string.format("%s ± %s", text.number(value, 1),
                 text.number(row[key .. "_sd"],
                 1)) end }
end

local COLUMNS = { { key = "group", title = "jobs" }, runs.POLICY_COLUMN }
for _, field in ipairs(FIELDS) do
    table.move({ spread_column(field[1], field[2]), { key = field[1] .. "_sd" },
        { key = field[1] .. "_half" } }, 1, 3,
        #COLUMNS + 1,
        COLUMNS)
end
table.move({ { key = "unfinished" }, { key = "digest", title = "digest" } }, 1, 2, #COLUMNS + 1,
    COLUMNS)

-- ---- the figure ---------------------------------------------------------------------------------

-- Fractions of the group's jobs of all runs up to each value, as lines of a data file.
local function curve(cell, policy, field, group)
    local counts = {}
    for _, run in ipairs(cell.runs[policy]) do
        for id, row in ipairs(runs.ROWS) do
            if row.group == group then
                counts[run[field][id]] = (counts[run[field][id]] or 0) + 1
            end
        end
    end
    local points = experiment.distribution(counts)
    local block = { string.format("# %s of %s jobs in s, fraction of jobs: %s", field, group,
        policy),
        figure.row(points[1][1], 0.0) }
    for _, point in ipairs(points) do block[#block + 1] = figure.row(point[1], point[2]) end
    return block
end

local function join(plots)
    return table.concat(plots, ", \\\n     ")
end

local function draw(context, section, cell)
    if not context.directory then return end
    local blocks, panels = {}, {}
    for _, field in ipairs(FIELDS) do
        for _, group in ipairs(reference.GROUPS) do
            local plots = {}
            for _, policy in ipairs(runs.POLICIES) do
                blocks[#blocks + 1] = curve(cell, policy, field[1], group)
                plots[#plots + 1] =
                    string.format("data index %d using 1:2 with steps %s title '%s'", #blocks - 1,
                    figure.line(policy),
                    runs.NAMES[policy])
            end
            panels[#panels + 1] = string.format("set title '(%s) %s, %s jobs (s)'\nplot %s\n",
                string.char(97 + #panels),
                field[2], group,
                join(plots))
        end
    end
    local keys = {}
    for i, policy in ipairs(runs.POLICIES) do
        keys[i] = string.format("NaN with lines %s title '%s'", figure.line(policy),
            runs.NAMES[policy])
    end
    -- The last plot shows nothing but the key of all.
    local script = string.format([[
set multiplot layout %d,%d margins screen 0.05, screen 0.985, screen 0.1, screen 0.92 spacing screen 0.045, screen 0.095 title %s
set yrange [0:1]
set xrange [0:*]
unset key
%sset lmargin at screen 0.05
set rmargin at screen 0.95
set tmargin at screen 0.06
set bmargin at screen 0.01
unset border
unset tics
unset grid
unset title
set xrange [0:1]
set key center center horizontal maxrows 1 samplen 5 width 3
plot %s
unset multiplot
]], #FIELDS, #reference.GROUPS, figure.quote(TITLE .. ", fraction of jobs"), table.concat(panels), join(keys))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/fig2", 1140, 960,
        script, blocks)
end

local function run_figure2(context)
    local cell = runs.main(context).fresh[runs.NODES]
    local section = papers.section("fig2", TITLE, "Section 5, Figure 2", {
        string.format(
            "The runs of the percentages, %s, fresh seeds %s: means of a group in seconds, with "
            .. "the standard deviation "
            .. "of a single run. The figure pools all jobs of these runs.", runs.ON,
            runs.seeds_text(cell.seeds)),
        "Claims about who waits or takes longer are judged by paired differences over the "
            .. "seeds, with 95 % intervals.",
    })
    section:table("fig2", nil, COLUMNS, rows_of(cell))
    section:claim_all(discussion.claims(cell))
    draw(context, section, cell)
    return section
end

M.figure2 = { name = "fig2", title = TITLE, run = run_figure2 }

return M
