-- Lin, Zhang, Wierman, Tan: Joint Optimization of Overlapping Phases in MapReduce (2013). Its
-- sections, in its order.

local attributes = require "lin.attributes"
local beyond = require "lin.beyond"
local errata = require "lin.errata"
local example = require "lin.example"
local hardness = require "lin.hardness"
local loads = require "lin.loads"
local response = require "lin.response"
local sizes = require "lin.sizes"
local slowdown = require "lin.slowdown"
local speed = require "lin.speed"
local tasks = require "lin.tasks"
local tightness = require "lin.tightness"

---@type pinion.Paper
return {
    name = "lin",
    title = "Joint Optimization of Overlapping Phases in MapReduce",
    authors = "M. Lin, L. Zhang, A. Wierman, J. Tan", venue = "IFIP Performance 2013",
    reproduces = "the examples of Section 2, Theorems 1, 2, 3 and 5, Corollaries 4 and 6, the "
        .. "table of Section 5.3, Figures 2 to 9",
    seeds = 10, jobs = 500000,
    trace = "Figures 5, 6 and 7 of a SWIM trace",
    sections = {
        example.example, example.figure4, hardness.theorem1, hardness.theorem2,
        tightness.corollary4, tightness.corollary6, tightness.batch, speed.speed, sizes.figure5,
        sizes.figure6, loads.figure7, response.table, response.readings, sizes.figure8,
        slowdown.figure9, beyond.beyond, attributes.weighted, attributes.deadlines,
        tasks.tasks, errata.errata,
    },
    left_out = {
        { what = "Figure 1", why = "a picture of the model, without numbers" },
        { what = "the share of reduce-heavy jobs, 7 %",
          why = "another work's number; the model has no reduce phase" },
        { what = "strong NP-hardness in Theorem 1",
          why = "no run shows it; theorem1 runs the reduction on matchings with and without a "
              .. "solution" },
        { what = "randomized algorithms in Theorem 2",
          why = "all policies here are deterministic; the proof is the same two cases" },
        { what = "SRPT on several servers in Section 3.2, O(min{log P, log n/m})",
          why = "another work's result on another model" },
        { what = "the estimation of sizes and the sharing of slots in Section 4.3",
          why = "they are advice without numbers; the sections use true sizes and divide "
              .. "capacity" },
        { what = "E[S(z)] = 1/(1 - load) of processor sharing in Section 5.3",
          why = "a textbook result for a single queue, which the paper uses to say what is fair" },
        { what = "the jumps in the distribution of Figure 6(a)",
          why = "the paper reads them off its own trace and gives no numbers" },
        { what = "5 * 10^7 jobs in each run of Section 5.3",
          why = "10 replicas of 500000 have intervals; --jobs takes as many as the paper" },
        { what = "\"the confidence intervals for each bucket are tight\"",
          why = "a tight interval is no number; fig9 shows ours for every bucket" },
        { what = "the experiment on a Hadoop cluster behind Figure 4",
          why = "its progress is drawn without task times or a log; the section fig4 holds what "
              .. "its text says against the model" },
        { what = "the 29 days of the Google trace in Figures 5 to 7",
          why = "it holds no shuffle sizes, and how 80000 jobs were chosen is not said in full" },
        { what = "Pareto and uniform sizes of Section 5.3",
          why = "the paper names them and shows neither settings nor results" },
        { what = "the proofs of the appendix, line by line",
          why = "their instances are run at growing sizes in theorem2, corollary4, corollary6 "
              .. "and speed" },
    },
}
