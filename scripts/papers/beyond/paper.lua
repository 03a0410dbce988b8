-- Results beyond the five papers, one page each.

local bsrpt = require "beyond.bsrpt"
local orders = require "beyond.orders"
local psrpt = require "beyond.psrpt"
local reduce_slots = require "beyond.reduce_slots"
local rtmr_live = require "beyond.rtmr_live"

---@type pinion.Paper
return {
    name = "beyond",
    title = "Beyond the five papers", authors = "Pinion", venue = "results of our own",
    reproduces = "nothing of a paper: each page is a claim of ours with its method, its intervals "
        .. "and a figure",
    seeds = 20, jobs = 200000, seed_least = 1, seed_most = 1000000,
    sections = { psrpt, bsrpt, orders, rtmr_live, reduce_slots },
    left_out = {
        { what = "proofs",
          why = "what is measured here holds for these workloads; where there is a proof, a page "
              .. "of a paper has it" },
    },
}
