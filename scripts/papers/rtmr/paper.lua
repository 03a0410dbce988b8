-- RTMR: Real-Time Scheduling in MapReduce Clusters. Its evaluation and its guarantee, then what
-- goes beyond it.

local cases = require "rtmr.cases"
local curves = require "rtmr.curves"
local dispatcher = require "rtmr.dispatcher"
local errata = require "rtmr.errata"
local fits = require "rtmr.fits"
local guarantee = require "rtmr.guarantee"
local identified = require "rtmr.identified"
local learnt = require "rtmr.learnt"
local nodes = require "rtmr.nodes"
local proofs = require "rtmr.proofs"
local tables = require "rtmr.tables"

---@type pinion.Paper
return {
    name = "rtmr",
    title = "Real-Time Scheduling in MapReduce Clusters",
    authors = "C. He, Y. Lu, D. Swanson",
    venue = "University of Nebraska-Lincoln, TR-UNL-CSE-2012-0004",
    reproduces = "Tables V and VI, the guarantee of Section IV and the proofs of the Appendix, "
        .. "Algorithms I to VI, the learnt estimates of Section IV.A",
    seeds = 40, seed_least = 1, seed_most = 1000000000,
    sets = {
        generator = "rtmr", rules = { factor_lo = { 1, 1 << 30 }, factor_hi = { 1, 1 << 30 } },
        fixed = { workload = true, seed = true, jobs = true, load = true },
    },
    sections = {
        tables.tables, fits.fits, dispatcher.dispatcher, guarantee.guarantee, proofs.proofs,
        cases.cases, learnt.learnt, nodes.nodes, curves.load, curves.estimates,
        identified.identified, errata.errata,
    },
    left_out = {
        { what = "Tables II to IV",
          why = "they describe the workload and are the settings of the generator" },
        { what = "the testbed (Hadoop 0.20 on physical nodes)",
          why = "its task durations and estimates are not published; they are fitted to "
              .. "the tables, and the section identified samples others" },
    },
}
