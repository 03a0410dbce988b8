-- hSRTF: Shortest Remaining Time First in shared Hadoop clusters. Its sections, in its order, then what goes beyond it.

local ablations = require "pinion.papers.hsrtf_ablations"
local errata = require "pinion.papers.hsrtf_errata"
local figure2 = require "pinion.papers.hsrtf_figure2"
local livelock = require "pinion.papers.hsrtf_livelock"
local locality = require "pinion.papers.hsrtf_locality"
local parts = require "pinion.papers.hsrtf_parts"
local percentages = require "pinion.papers.hsrtf_percentages"
local preemption = require "pinion.papers.hsrtf_preemption"

return {
    percentages.percentages, figure2.figure2, locality.locality, parts.parts, preemption.preemption, ablations.ablations,
    livelock.livelock, errata.errata,
}
