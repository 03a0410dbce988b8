-- Zheng, Shroff, Sinha: A New Analytical Technique for Designing Provably Efficient MapReduce
-- Schedulers (2013). Its sections, in its order.

local asrpt = require "zheng.asrpt"
local bounds = require "zheng.bounds"
local copies = require "zheng.copies"
local errata = require "zheng.errata"
local example = require "zheng.example"
local figures = require "zheng.figures"
local lookahead = require "zheng.lookahead"
local partition = require "zheng.partition"
local quantiles = require "zheng.quantiles"
local ratios = require "zheng.ratios"
local readings = require "zheng.readings"

---@type pinion.Paper
return {
    name = "zheng",
    title = "A New Analytical Technique for Designing Provably Efficient MapReduce Schedulers",
    authors = "Y. Zheng, N. B. Shroff, P. Sinha", venue = "IEEE INFOCOM 2013",
    reproduces = "the Quick Example, Theorems 1 to 4, Lemma 1, Corollaries 1 and 2, "
        .. "Figures 5 to 13",
    seeds = 200,
    sections = {
        example.example, lookahead.lookahead, partition.theorem1, bounds.theorem2, asrpt.lemma1,
        asrpt.theorem4, asrpt.corollary2, figures.efficiency(0), figures.efficiency(1),
        figures.efficiency(2), figures.efficiency(3), ratios.ratios, figures.convergence,
        quantiles.distribution(0), quantiles.distribution(1),
        quantiles.distribution(2), quantiles.distribution(3),
        readings.readings, copies.copies, errata.errata,
    },
    left_out = {
        { what = "Figures 1 and 4",
          why = "schedules that explain the Quick Example and DSRPT; `pinion gantt` draws them "
              .. "from zheng-1-case-1.json, zheng-1-case-2.json and zheng-4.json in "
              .. "examples/figures, and the sections example and theorem4 judge their numbers" },
        { what = "Figures 2 and 3", why = "sketches of intervals for the proofs of Section V" },
        { what = "further simulations of convergence",
          why = "they are in a technical report that is not at hand" },
        { what = "schedulers based on linear programs (references [2], [3])",
          why = "the paper names them and does not run them" },
    },
}
