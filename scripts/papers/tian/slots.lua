-- Theorems 3 and 4 of Tian, Luo, Tian, Chen: what the number of slots, and their division into map
-- and reduce slots, does to the order and to the makespan.

local figure = require "shared.figure"
local papers = require "shared.papers"
local reference = require "tian.reference"
local runs = require "tian.runs"
local text = require "shared.text"

local M = {}

-- ---- Theorem 3 ----------------------------------------------------------------------------------

local TITLE_3 = "Theorem 3: UAAS's order does not depend on the number of nodes"

local function order_row(section, what, maps, reduces, jobs, expected, run)
    local result = runs.run { policy = run and run.policy or "uaas", maps = maps, reduces = reduces,
        jobs = jobs,
                              params = run and run.params }
    local row = { what = what, maps = maps, reduces = reduces,
        order = runs.order_text(result.order),
        ours = tostring(runs.makespan(result)),
                  digest = result.digest }
    if expected then
        row.agrees = section:compare(string.format("%s, order on %d x %d slots", what, maps,
            reduces),
            runs.same_order(result.order, expected) and 1 or 0, 1, 0)
    end
    return row
end

local function shown(value)
    return runs.show(runs.exact(value))
end

local ORDER_COLUMNS = {
    { key = "what", title = "" }, { key = "maps", title = "map slots", right = true },
    { key = "reduces", title = "reduce slots", right = true }, { key = "order", title = "order" },
    papers.AGREES_COLUMN,
    { key = "ours", title = "makespan", right = true, show = shown },
    { key = "digest", title = "digest" },
}

local function orders_differ(rows)
    for _, row in ipairs(rows) do
        if row.order ~= rows[1].order then return true end
    end
    return false
end

local function list_orders(rows)
    local parts = {}
    for i, row in ipairs(rows) do
        parts[i] = string.format("%s on %d x %d", row.order, row.maps, row.reduces)
    end
    return table.concat(parts, ", ")
end

local function run_theorem3()
    local known = reference.theorem3
    local section = papers.section("theorem3", TITLE_3, "Theorem 3, formulas (5) and (6)", {
        "J1 has 10 map and 20 reduce tasks of length 1, J2 10 map tasks of length 3 and 10 "
            .. "reduce tasks of length 4.",
    })
    local scaled, divided, waves = {}, {}, {}
    for i, slots in ipairs(known.scaled) do
        scaled[i] = order_row(section, "UAAS, both scaled", slots[1], slots[2], known.jobs)
    end
    for i, entry in ipairs(known.orders) do
        divided[i] = order_row(section, "UAAS, another ratio", entry[1], entry[2], known.jobs,
            entry[3])
    end
    for i, nodes in ipairs { 5, 4 } do
        local slots = nodes * reference.nodes.slots
        waves[i] = order_row(section, "Observation 5's jobs, durations in waves", slots, slots,
            reference.nodes.jobs,
            reference.nodes[nodes].reestimated.order,
            { policy = "mk_jr", params = { estimate = "waves_req", nodes = nodes } })
    end
    local rows = {}
    for _, group in ipairs { scaled, divided, waves } do
        table.move(group, 1, #group, #rows + 1, rows)
    end
    section:table("theorem3", nil, ORDER_COLUMNS, rows)
    section:claim {
        label = "the order is independent of the number of nodes", where = "Theorem 3",
        claim = "With identical nodes the order by UAAS is independent of the number of nodes.",
        paper = "proved",
        reference = "true of fluid stages when both numbers of slots are scaled by one factor",
        ours = list_orders(scaled),
        verdict = papers.universal(orders_differ(scaled) and 1 or 0),
        because = "the same order on all of these",
    }
    section:claim {
        label = "it is stable when slots change", where = "Theorem 3, formulas (5) and (6)",
        claim = "Durations change in proportion to |S^M|/|S^M_x|, but the jobs' relative order "
            .. "does not change.",
        paper = "one factor for map and reduce slots is assumed",
        reference = "false when the ratio of map to reduce slots "
            .. "changes",
        ours = list_orders(divided), verdict = papers.universal(orders_differ(divided) and 1 or 0),
        because = "a counterexample",
    }
    section:claim {
        label = "with whole tasks", where = "Theorem 3",
        claim = "The order is stable when the number of identical nodes "
            .. "changes.",
        paper = "proved for fluid stages", reference = "false of durations in waves",
        ours = list_orders(waves),
        verdict = papers.universal(orders_differ(waves) and 1 or 0),
        because = "a counterexample, the paper's own",
    }
    section:note(
        "That the order \"depends on the total number of slots\" but not on the number of nodes "
        .. "says nothing: slots are nodes times the slots of a node.")
    return section
end

M.theorem3 = { name = "theorem3", title = TITLE_3, run = run_theorem3 }

-- ---- Theorem 4 ----------------------------------------------------------------------------------

local TITLE_4 = "Theorem 4: the best ratio of map to reduce slots"

local function best_division(total)
    return runs.run { policy = "uaas", maps = total // 2, reduces = total - total // 2,
        jobs = reference.table1.jobs,
                      params = { search_ratio = true, total_slots = total } }
end

local function division_row(section, entry)
    local result = best_division(entry.total)
    local makespan = runs.makespan(result)
    return {
        total = entry.total, maps = result.map_slots, reduces = result.reduce_slots,
        rho = result.map_slots / result.reduce_slots,
        ours = tostring(makespan), scaled = (makespan * entry.total):number(),
        digest = result.digest,
        agrees = section:compare(string.format("best number of map slots of %d", entry.total),
            result.map_slots, entry.maps, 0),
    }
end

local DIVISION_COLUMNS = {
    { key = "total", title = "slots", right = true }, { key = "maps", title = "map", right = true },
    { key = "reduces", title = "reduce", right = true }, papers.AGREES_COLUMN,
    { key = "rho", title = "rho", right = true, show = function(value) return text.number(value, 4)
        end },
    { key = "ours", title = "makespan", right = true, show = shown },
    { key = "scaled", title = "slots x makespan", right = true,
        show = function(value) return text.number(value, 2) end },
    { key = "digest", title = "digest" },
}

local function anomaly_rows(section)
    local known, rows = reference.theorem4.anomaly, {}
    for i, entry in ipairs(known.slots) do
        local result = runs.run { policy = "given_order", maps = entry[1], reduces = entry[2],
            jobs = known.jobs, level = "task",
                                  params = { order = known.order } }
        local makespan = runs.makespan(result)
        rows[i] = { maps = entry[1], reduces = entry[2], ours = tostring(makespan),
            digest = result.digest,
                    agrees = section:compare_exact(string.format("order %s on %d x %d slots",
                        runs.order_text(known.order),
                        entry[1], entry[2]), makespan, entry[3]) }
    end
    return rows
end

local ANOMALY_COLUMNS = {
    { key = "maps", title = "map slots", right = true },
    { key = "reduces", title = "reduce slots", right = true },
    { key = "ours", title = "makespan", right = true }, papers.AGREES_COLUMN,
    { key = "digest", title = "digest" },
}

-- Slots times makespan over rho, for each number of slots: one curve, if rho alone matters.
local SHOWN = { { total = 60, title = "60 slots", style = "lines" },
    { total = 12, title = "12 slots", style = "points" },
                { total = 6, title = "6 slots", style = "points" } }

local function curve(total)
    local block = { "# rho, makespan, slots times makespan, map slots: " .. total .. " slots" }
    for maps = 1, total - 1 do
        local result = runs.run { policy = "uaas", maps = maps, reduces = total - maps,
            jobs = reference.table1.jobs,
            bounds = "none" }
        local makespan = runs.makespan(result):number()
        block[#block + 1] = figure.row(maps / (total - maps), makespan, total * makespan, maps)
    end
    return block
end

local LOOKS = { "linewidth 2 linecolor rgb '%s'", "pointtype 6 pointsize 0.9 linecolor rgb '%s'",
    "pointtype 7 pointsize 0.9 linecolor rgb '%s'" }
local COLOURS = { figure.COLOURS.blue, figure.COLOURS.orange, figure.COLOURS.black }

-- With a line at the best ratio.
local function draw(context, section, rho)
    if not context.directory then return end
    local blocks, plots = {}, {}
    for i, shape in ipairs(SHOWN) do
        blocks[i] = curve(shape.total)
        plots[i] = string.format("data index %d using 1:3 with %s %s title '%s'", i - 1,
            shape.style, string.format(LOOKS[i],
            COLOURS[i]), shape.title)
    end
    local script = string.format([[
set title 'Theorem 4: makespan by UAAS over the ratio of slots, Table 1, fluid stages'
set xlabel 'rho = map slots / reduce slots'
set ylabel 'slots x makespan'
set logscale xy
set xrange [0.1:10]
set yrange [1800:12000]
set xtics (0.1, 0.2, 0.5, 1, 2, 5, 10)
set ytics (2000, 3000, 4000, 5000, 7000, 10000)
set key top center
set arrow from %g, graph 0 to %g, graph 0.9 nohead dashtype 3 linecolor rgb '%s'
plot %s
]], rho, rho, figure.COLOURS.grey, table.concat(plots, ", \\\n     "))
    section.figures[#section.figures + 1] = figure.draw(context.directory .. "/theorem4", 720, 450,
        script, blocks)
end

local function run_theorem4(context)
    local known = reference.theorem4
    local section = papers.section("theorem4", TITLE_4, "Theorem 4, formula (7)", {
        "The jobs of Table 1 with fluid stages under every division of so many slots. With "
            .. "fluid stages the makespan is (1 + "
            .. "rho)/S times a function of rho alone. Then three jobs of whole tasks in a fixed "
                .. "order, on more and more slots.",
    })
    local rows, falling = {}, true
    for i, entry in ipairs(known.best) do
        rows[i] = division_row(section, entry)
        if entry.total >= known.scaled_from then
            section:compare(string.format("slots times makespan, %d slots", entry.total),
                tonumber(string.format("%.2f",
                rows[i].scaled)), known.scaled, 0)
        end
        if i > 1 and not (runs.exact(rows[i].ours) < runs.exact(rows[i - 1].ours)) then
            falling = false
        end
    end
    section:table("theorem4", "The best division:", DIVISION_COLUMNS, rows)
    local anomaly = anomaly_rows(section)
    section:table("theorem4_anomaly",
        string.format("Whole tasks in the order %s:", runs.order_text(known.anomaly.order)),
        ANOMALY_COLUMNS, anomaly)
    local parts, first_large, last = {}, nil, rows[#rows]
    for i, row in ipairs(rows) do
        parts[i] = string.format("%d x %d", row.maps, row.reduces)
        if row.total == known.scaled_from then first_large = row end
    end
    local same = first_large.rho == last.rho
    section:claim {
        label = "the best ratio depends on the number of slots", where = "Theorem 4",
        claim = "The optimal configuration of rho depends on the total number of slots, the "
            .. "workload and the order.",
        paper = "read off formula (7)",
        reference = "not on the number of slots, but for rounding to whole ones",
        ours = string.format("%s; rho %.4f with %d slots and %.4f with %d",
            table.concat(parts, ", "), first_large.rho,
            first_large.total, last.rho, last.total),
        verdict = same and papers.PARTLY or papers.UNDECIDED,
        because = same and "on workload and order it does; slots times makespan stays the same"
            or "the ratio moves with the slots here",
    }
    local more = runs.exact(anomaly[2].ours) < runs.exact(anomaly[1].ours)
        or anomaly[1].ours == anomaly[2].ours
    section:claim {
        label = "more slots, smaller makespan", where = "Theorem 4, last paragraph",
        claim = "When workload and order are fixed, it is obvious that more slots lead to a "
            .. "smaller makespan.", paper = "obvious",
        reference = "true of fluid stages; with whole tasks there are anomalies",
        ours = string.format(
            "fluid stages: it %s from %d to %d slots; whole tasks: %s on %d x %d slots, %s on "
            .. "%d x %d",
            falling and "falls" or "does not always fall", rows[1].total, last.total,
            anomaly[1].ours, anomaly[1].maps,
                anomaly[1].reduces, anomaly[2].ours, anomaly[2].maps, anomaly[2].reduces),
        verdict = falling and (more and papers.NOT_CONTRADICTED or papers.PARTLY) or papers.FAILS,
            because = "a counterexample with whole tasks",
    }
    draw(context, section, last.rho)
    return section
end

M.theorem4 = { name = "theorem4", title = TITLE_4, run = run_theorem4 }

return M
