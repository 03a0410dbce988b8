-- Tian, Luo, Tian, Chen: On Dynamic Job Ordering and Slot Configurations for Minimizing the Makespan of Multiple MapReduce Jobs.
-- Its sections, in its order, then what goes beyond it.

local bound = require "pinion.papers.tian_bound"
local errata = require "pinion.papers.tian_errata"
local families = require "pinion.papers.tian_families"
local nodes = require "pinion.papers.tian_nodes"
local slots = require "pinion.papers.tian_slots"
local table1 = require "pinion.papers.tian_table1"
local tiny = require "pinion.papers.tian_tiny"
local unbounded = require "pinion.papers.tian_unbounded"

return {
    table1.table1, tiny.theorem1, unbounded.theorem2, slots.theorem3, nodes.nodes, slots.theorem4, bound.bound, families.families,
    errata.errata,
}
