-- hSRTF: Shortest Remaining Time First in shared Hadoop clusters. Its sections, in its order, then
-- what goes beyond it.

local ablations = require "hsrtf.ablations"
local blocked = require "hsrtf.blocked"
local errata = require "hsrtf.errata"
local estimates = require "hsrtf.estimates"
local figure1 = require "hsrtf.figure1"
local figure2 = require "hsrtf.figure2"
local identified = require "hsrtf.identified"
local livelock = require "hsrtf.livelock"
local locality = require "hsrtf.locality"
local near = require "hsrtf.near"
local parts = require "hsrtf.parts"
local percentages = require "hsrtf.percentages"
local preemption = require "hsrtf.preemption"
local price = require "hsrtf.price"
local suspension = require "hsrtf.suspension"

---@type pinion.Paper
return {
    name = "hsrtf",
    title = "On the Usability of Shortest Remaining Time First Policy in Shared Hadoop Clusters",
    authors = "N. Cheriere, P. Donat-Bouillud, S. Ibrahim, M. Simonin", venue = "ACM SAC 2016",
    reproduces = "the percentages of the abstract and of Section 5, Figures 1 to 3, equations "
        .. "(1) to (5), the kills of Section 3.3",
    seeds = 40, seed_least = 1, seed_most = 1000000000000,
    trace = "Figure 1 of a Rumen trace",
    sections = {
        figure1.figure1, percentages.percentages, figure2.figure2, locality.locality, parts.parts,
        estimates.estimates, blocked.blocked, preemption.preemption, near.near,
        suspension.suspension, price.price, ablations.ablations, identified.identified,
        livelock.livelock, errata.errata,
    },
    left_out = {
        { what = "the testbed (Grid'5000, Hadoop 1.0.4)",
          why = "its task durations are not published; they are fitted to the percentages" },
        { what = "the waiting and execution times in seconds of Figure 2",
          why = "curves without numbers; their order is judged" },
    },
}
