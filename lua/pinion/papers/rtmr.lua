-- RTMR: Real-Time Scheduling in MapReduce Clusters. Its evaluation and its guarantee, then what goes beyond it.

local cases = require "pinion.papers.rtmr_cases"
local curves = require "pinion.papers.rtmr_curves"
local errata = require "pinion.papers.rtmr_errata"
local fits = require "pinion.papers.rtmr_fits"
local guarantee = require "pinion.papers.rtmr_guarantee"
local learnt = require "pinion.papers.rtmr_learnt"
local tables = require "pinion.papers.rtmr_tables"

return {
    tables.tables, fits.fits, guarantee.guarantee, cases.cases, learnt.learnt, curves.load, curves.estimates, errata.errata,
}
