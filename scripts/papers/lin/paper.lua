-- Lin, Zhang, Wierman, Tan: Joint Optimization of Overlapping Phases in MapReduce (2013). Its
-- sections, in its order.

local beyond = require "lin.beyond"
local errata = require "lin.errata"
local example = require "lin.example"
local hardness = require "lin.hardness"
local loads = require "lin.loads"
local response = require "lin.response"
local slowdown = require "lin.slowdown"
local speed = require "lin.speed"
local tightness = require "lin.tightness"

---@type pinion.Paper
return {
    name = "lin",
    title = "Joint Optimization of Overlapping Phases in MapReduce",
    authors = "M. Lin, L. Zhang, A. Wierman, J. Tan", venue = "IFIP Performance 2013",
    reproduces = "the examples of Section 2, Theorems 1, 2, 3 and 5, Corollaries 4 and 6, the "
        .. "table of Section 5.3, Figures 2 to 4, 7 and 9",
    seeds = 10, jobs = 500000,
    trace = "relative response times over loads, as the paper's Figure 7 shows them of a trace",
    sections = {
        example.example, example.figure4, hardness.theorem1, hardness.theorem2,
        tightness.corollary4, tightness.corollary6, tightness.batch, speed.speed, loads.figure7,
        response.table, response.readings, slowdown.figure9, beyond.beyond, errata.errata,
    },
    left_out = {},
}
