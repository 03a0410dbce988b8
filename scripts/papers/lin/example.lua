-- Section 2 of Lin, Zhang, Wierman, Tan (2013): three jobs in the overlapping tandem queue and in
-- the traditional one (Figures 2 and 3), and the three jobs of the cluster experiment (Figure 4).
-- Everything is read off the decision logs of the runs.

local experiment = require "pinion".experiment
local figure = require "shared.figure"
local papers = require "shared.papers"
local progress = require "lin.progress"
local reference = require "lin.reference"
local runs = require "lin.runs"
local text = require "shared.text"

local M = {}

local MODELS = { { name = "overlap", title = "overlapping", overlap = true },
                 { name = "traditional", title = "traditional", overlap = false } }

-- Moments and amounts of work of these few jobs are exact but for rounding.
local EXACT = 1e-9

---A run with its decision log replayed.
---@return pinion.Result result, pinion.Progress made
local function logged(context, label, jobs, overlap, name)
    local path = context.directory and string.format("%s/%s.log", context.directory, name)
        or os.tmpname()
    local result = runs.run(label,
        { workload = jobs, overlap = overlap, log = path, bounds = "tight" })
    local made = progress.replay(progress.read(path), jobs, overlap)
    if not context.directory then os.remove(path) end
    return result, made
end

local function moment(value)
    return (string.format("%.6f", value):gsub("0+$", ""):gsub("%.$", ""))
end

local function moments(list)
    local parts = {}
    for i, value in ipairs(list) do parts[i] = moment(value) end
    return table.concat(parts, ", ")
end

local function same(ours, theirs)
    if #ours ~= #theirs then return false end
    for i, value in ipairs(ours) do
        if math.abs(value - theirs[i]) > EXACT then return false end
    end
    return true
end

local function verdict(holds)
    return holds and papers.HOLDS or papers.FAILS
end

-- ---- figures ------------------------------------------------------------------------------------

-- As in the paper.
local JOB_COLOURS = { figure.COLOURS.blue, figure.COLOURS.green, figure.COLOURS.orange }

-- One block a model: time; work left at the map station, available and left at the shuffle station;
-- then by job mapped, ready, shuffled.
local function curve_block(model, made, jobs)
    local lines =
        { "# time, map work left, available shuffle work, shuffle work left, by job: mapped, "
        .. "ready, shuffled: "
        .. model.title }
    for _, point in ipairs(made.points) do
        local cells = { point.time, progress.total(point, "map"), progress.total(point, "backlog"),
            progress.total(point, "shuffle") }
        for i, job in ipairs(jobs) do
            local shuffled = job.shuffle - point.shuffle[i]
            cells[#cells + 1], cells[#cells + 2], cells[#cells + 3] = job.map - point.map[i],
                shuffled + point.backlog[i],
                shuffled
        end
        lines[#lines + 1] = figure.row(table.unpack(cells))
    end
    return lines
end

local function by_job(index, offset, dash, title)
    local plots = {}
    for i, colour in ipairs(JOB_COLOURS) do
        plots[i] = string.format(
            "data index %d using 1:%d with lines linewidth %g dashtype %d linecolor rgb '%s' %s",
            index,
            4 + 3 * (i - 1) + offset, dash == 1 and 2.5 or 1.5, dash, colour,
            title and string.format("title 'J%d'", i) or "notitle")
    end
    return table.concat(plots, ", \\\n     ")
end

local function panel(title, y, plots)
    return string.format("set title %s\nset ylabel '%s'\nplot %s\n", figure.quote(title), y, plots)
end

local function total_of(index, column, look)
    return string.format("data index %d using 1:%d with lines %s", index, column, look)
end

local THICK, THIN = "linewidth 3 linecolor rgb '#000000'",
    "linewidth 1.5 dashtype 3 linecolor rgb '#808080'"

-- The four panels of the paper's Figures 2 and 3.
local function four_panels(index)
    return {
        panel("map station", "work left", total_of(index, 2, THICK .. " notitle")),
        panel("map station, by job", "work mapped", by_job(index, 1, 1, true)),
        panel("shuffle station", "work", total_of(index, 3, THICK .. " title 'available'")
            .. ", \\\n     "
            .. total_of(index, 4, THIN .. " title 'left'")),
        panel("shuffle station, by job", "work shuffled (ready: dashed)", by_job(index, 3, 1, true)
            .. ", \\\n     "
            .. by_job(index, 2, 2)),
    }
end

local function draw(context, section, name, title, blocks, panels)
    if not context.directory then return end
    local script = string.format([[
set multiplot layout 2,2 title %s
set xlabel 'time'
set xrange [0:*]
set yrange [0:*]
set key below horizontal center reverse Left
%sunset multiplot
]], figure.quote(title), table.concat(panels))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/" .. name, 960, 720,
        script, blocks)
end

-- ---- Section 2.1 --------------------------------------------------------------------------------

local TITLE = "The example of Section 2.1, Figures 2 and 3: three jobs in both models"

local POINT_COLUMNS = {
    { key = "model", title = "model" },
    { key = "time", title = "time", right = true, show = moment },
    { key = "map", title = "map work left", right = true, show = moment },
    { key = "backlog", title = "available", right = true, show = moment },
    { key = "shuffle", title = "shuffle work left", right = true, show = moment },
    { key = "kink", title = "", show = function(value) return value and "kink" or "" end },
    { key = "finished", title = "finishes", show = function(value) return value or "" end },
}

-- A row per instant, as the curves are after it.
local function point_rows(model, made)
    local kinks, rows = {}, {}
    for _, field in ipairs { "map", "shuffle", "backlog" } do
        for _, time in ipairs(progress.kinks(made, field)) do kinks[time] = true end
    end
    for i, point in ipairs(made.points) do
        local last = made.points[i + 1]
        if not last or last.time > point.time then
            local finished = {}
            for job, time in ipairs(made.finishes) do
                if time == point.time then finished[#finished + 1] = "J" .. job end
            end
            rows[#rows + 1] = {
                model = model.title, time = point.time, map = progress.total(point, "map"),
                kink = kinks[point.time] or false,
                backlog = progress.total(point, "backlog"),
                shuffle = progress.total(point, "shuffle"),
                finished = #finished > 0 and table.concat(finished, " ") or nil,
            }
        end
    end
    return rows
end

local function all_kinks(made)
    return progress.merge { progress.kinks(made, "map"), progress.kinks(made, "shuffle"),
        progress.kinks(made, "backlog") }
end

local function judge_progress(section, made)
    local known = reference.example.overlap
    local kinks = all_kinks(made)
    section:claim {
        label = "breakpoints of Figure 2", where = "Section 2.1, Fig. 2",
        claim = "Available shuffle work accumulates until J1 is mapped at t = 1, is used up at "
            .. "t = 2.5, J2 is done at t = 4, J3 "
            .. "at t = 6.",
        paper = "t = " .. moments(known.paper_kinks),
        ours = "the curves of the stations' work bend at t = " .. moments(kinks),
        verdict = verdict(same(kinks, known.paper_kinks)),
        because = "read off the decision log, within rounding",
    }
    local point = known.paper_point
    local at = progress.at(made, point.time)
    local job = reference.example.jobs[point.job]
    local mapped, shuffled = job.map - at.map[point.job], job.shuffle - at.shuffle[point.job]
    local rate = known.paper_rate
    local from, to = progress.at(made, rate.from), progress.at(made, rate.to)
    local drained = (progress.total(from, "shuffle") - progress.total(to, "shuffle")) / (
        rate.to - rate.from)
    section:claim {
        label = "progress of J2, and its rate", where = "Section 2.1",
        claim = string.format(
            "At t = %s, J%d has %s of its map and %s of its shuffle work done; from then to t = "
            .. "%s, shuffle "
            .. "work is done at rate 1/3, as fast as it is generated.", moment(point.time),
            point.job, moment(point.mapped),
            moment(point.shuffled), moment(rate.to)),
        paper = string.format("%s and %s; 1/3", moment(point.mapped), moment(point.shuffled)),
        ours = string.format("%s and %s; %s", moment(mapped), moment(shuffled), moment(drained)),
        verdict = verdict(same({ mapped, shuffled, drained },
            { point.mapped, point.shuffled, rate.rate })),
        because = "read off the decision log, within rounding",
    }
end

local function run_example(context)
    local known = reference.example
    local section = papers.section("example", TITLE, "Section 2.1", {
        "J1, J2 and J3 with map and shuffle sizes (1,2), (3,1) and (2,2) arrive at 0; both "
            .. "stations serve them in this order. In "
            .. "the overlapping tandem queue shuffle work can be done as soon as it is "
                .. "generated, in the traditional one when "
            .. "the job is mapped. Decision logs are beside the figures.",
    })
    local rows, results, blocks = {}, {}, {}
    for i, model in ipairs(MODELS) do
        local result, made = logged(context, "fcfs", known.jobs, model.overlap,
            "example-" .. model.name)
        local expected = known[model.name]
        results[i] = { result = result, made = made }
        for job, finish in ipairs(expected.finishes) do
            section:compare(string.format("%s, finish of J%d", model.title, job),
                made.finishes[job], finish, 0)
        end
        section:compare(model.title .. ", total response time", result.total_response_time,
            expected.total, 0)
        for _, row in ipairs(point_rows(model, made)) do rows[#rows + 1] = row end
        blocks[i] = curve_block(model, made, known.jobs)
    end
    section:table("example", "Work at the stations at each instant:", POINT_COLUMNS, rows)
    local others = {}
    for i, other in ipairs(known.others) do
        local result = runs.run(other[1], { workload = known.jobs, bounds = "none" })
        others[i] = {
            policy = other[1], total = result.total_response_time, reference = other[2],
            digest = result.digest,
            agrees = section:compare(runs.name(other[1]) .. ", total response time",
                result.total_response_time, other[2], 0),
        }
    end
    local first = results[1].result
    for _, bound in ipairs { { "lower", first.lower_bound, known.lower_bound },
                             { "tight", first.lower_bound_tight, known.lower_bound_tight } } do
        others[#others + 1] = { policy = bound[1], total = bound[2], reference = bound[3],
                                agrees = section:compare(runs.name(bound[1]), bound[2], bound[3],
                                    0) }
    end
    section:table("example_policies", "Total response time under other policies, with overlap:", {
        runs.POLICY_COLUMN, { key = "total", title = "ours", right = true, show = moment },
        { key = "reference", title = "reference", right = true, show = moment },
        papers.AGREES_COLUMN,
            { key = "digest", title = "digest" },
    }, others)
    judge_progress(section, results[1].made)
    local later = 0
    for job, finish in ipairs(results[1].made.finishes) do
        later = later + (results[2].made.finishes[job] > finish and 1 or 0)
    end
    section:claim {
        label = "the traditional model differs starkly", where = "Section 2.1, Figs. 2 and 3",
        claim = "The contrast between the traditional tandem queue and the overlapping one is "
            .. "stark.", paper = "curves",
        reference = string.format("finishes at %s against %s", moments(known.traditional.finishes),
            moments(known.overlap.finishes)),
        ours = string.format("finishes at %s against %s, total response time %s against %s",
            moments(results[2].made.finishes),
            moments(results[1].made.finishes), moment(results[2].result.total_response_time),
            moment(first.total_response_time)),
        verdict = experiment.verdict(later, #known.jobs),
        because = string.format("%d of %d jobs finish later without overlap", later,
            #known.jobs),
    }
    draw(context, section, "fig2", "Figure 2: overlapping tandem queue", { blocks[1] },
        four_panels(0))
    draw(context, section, "fig3", "Figure 3: traditional tandem queue", { blocks[2] },
        four_panels(0))
    return section
end

M.example = { name = "example", title = TITLE, run = run_example }

-- ---- Section 2.2 --------------------------------------------------------------------------------

local TITLE_4 = "Figure 4: the three jobs of the cluster experiment"

local CASE_COLUMNS = {
    { key = "third", title = "J3" }, { key = "model", title = "model" },
    { key = "map_kinks", title = "jobs mapped at" },
    { key = "backlog_gone", title = "nothing left to shuffle at" },
    { key = "finishes", title = "finishes" },
    { key = "total", title = "total", right = true, show = moment },
    { key = "reference", title = "reference finishes" }, papers.AGREES_COLUMN,
    { key = "digest", title = "digest" },
}

-- The first moment after some backlog at which there is none.
local function backlog_gone(made)
    local some = false
    for _, point in ipairs(made.points) do
        local backlog = progress.total(point, "backlog")
        if some and backlog == 0 then return point.time end
        some = some or backlog > 0
    end
    return nil
end

local function run_case(context, section, case, model)
    local jobs = {}
    for i, size in ipairs { reference.figure4.first, reference.figure4.second, case.third } do
        jobs[i] = { arrival = 0, map = size.map, shuffle = size.shuffle }
    end
    local name = string.format("fig4-%s-%s", case.what:gsub(" ", "-"), model.name)
    local result, made = logged(context, "fcfs_ps", jobs, model.overlap, name)
    local gone, expected = backlog_gone(made), case.finishes
    if not model.overlap then expected = case.traditional end
    local agrees = nil
    local label = string.format("J3 %s, %s", case.what, model.title)
    if expected then
        agrees = true
        for job, finish in ipairs(expected) do
            agrees = section:compare(string.format("%s, finish of J%d", label, job),
                made.finishes[job], finish, 0) and agrees
        end
    end
    if model.overlap then
        agrees = section:compare(label .. ", backlog gone", gone, case.backlog_gone, 0) and agrees
    end
    for job, time in ipairs(model.overlap and case.map_kinks or {}) do
        agrees = section:compare(string.format("%s, J%d mapped", label, job),
            made.map_finishes[job], time, 0) and agrees
    end
    return {
        third = string.format("%s (%d,%d)", case.what, case.third.map, case.third.shuffle),
        model = model.title,
        map_kinks = moments(made.map_finishes), backlog_gone = gone and moment(gone) or "-",
        finishes = moments(made.finishes),
        total = result.total_response_time, reference = expected and moments(expected) or "-",
        agrees = agrees,
        digest = result.digest,
    }, made, curve_block(model, made, jobs)
end

-- How often the available shuffle work rises from nothing.
local function backlogs(made)
    local count, before = 0, 0
    for _, point in ipairs(made.points) do
        local backlog = progress.total(point, "backlog")
        if before == 0 and backlog > 0 then count = count + 1 end
        before = backlog
    end
    return count
end

local function run_figure4(context)
    local section = papers.section("fig4", TITLE_4, "Section 2.2", {
        "J1 (7,11), J2 (10,3) and J3 arrive at 0; maps are served first come, first served, "
            .. "shuffles share their station. The "
            .. "text calls J3 \"the same configuration and similar input\" as J1, a sort, and "
                .. "prints its size as that of J2, a "
            .. "grep: so it is run both ways.",
    })
    local rows, kept = {}, {}
    for _, case in ipairs(reference.figure4) do
        local blocks = {}
        kept[case.what] = {}
        for i, model in ipairs(MODELS) do
            rows[#rows + 1], kept[case.what][i], blocks[i] = run_case(context, section, case, model)
        end
        draw(context, section, "fig4-" .. case.what:gsub(" ", "-"),
            string.format("Figure 4: J3 %s (%d,%d)", case.what,
            case.third.map,
            case.third.shuffle), blocks, {
            panel("overlapping: map station", "work mapped", by_job(0, 1, 1, true)),
            panel("traditional: map station", "work mapped", by_job(1, 1, 1, true)),
            panel("overlapping: shuffle station", "work shuffled", by_job(0, 3, 1, true)),
            panel("traditional: shuffle station", "work shuffled", by_job(1, 3, 1, true)),
        })
    end
    section:table("fig4", nil, CASE_COLUMNS, rows)
    local made = kept[reference.figure4[1].what]
    local kinks = progress.kinks(made[1], "shuffle")
    section:claim {
        label = "a kink in the shuffle rate", where = "Section 2.2, Fig. 4(e)",
        claim = "The model shows, as the cluster does, \"the kink in the service rate of the "
            .. "shuffle queue\"; the traditional "
            .. "tandem queue is \"quite different\".",
        paper = "curves",
        reference = string.format("backlog used up at %s, kinks of the map station at %s",
            moment(reference.figure4[1].backlog_gone), moments(reference.figure4[1].map_kinks)),
        ours = string.format(
            "the total shuffle work left bends at %s with overlap; finishes at %s, without "
            .. "overlap at %s",
            moments(kinks), moments(made[1].finishes), moments(made[2].finishes)),
        verdict = verdict(#kinks > 1 and not same(made[1].finishes, made[2].finishes)),
        because = "the rate of the shuffle station changes before its end, and the traditional "
            .. "model finishes jobs at other "
            .. "times",
    }
    local printed, first = reference.figure4[2].third, reference.figure4.first
    section:claim {
        label = "the third job is (10,3)", where = "Section 2.2, last sentence",
        claim = "J3' has \"the same configuration and similar input as J1', thus we use job "
            .. "size (10,3) for J3'\".",
        paper = "(10,3); J1' is (7,11)",
        reference = "must be (7,11): a misprint",
        ours = string.format("available shuffle work builds up %s with (7,11), %s with (10,3)",
            text.count(backlogs(made[1]), "time"),
            text.count(backlogs(kept[reference.figure4[2].what][1]), "time")),
        verdict = verdict(printed.map == first.map and printed.shuffle == first.shuffle),
        because = "the size of a job of J1's configuration is J1's; (10,3) is J2's",
    }
    return section
end

M.figure4 = { name = "fig4", title = TITLE_4, run = run_figure4 }

return M
