-- Lin, Zhang, Wierman, Tan: Joint Optimization of Overlapping Phases in MapReduce (2013). Its sections, in its order.

local beyond = require "pinion.papers.lin_beyond"
local errata = require "pinion.papers.lin_errata"
local example = require "pinion.papers.lin_example"
local hardness = require "pinion.papers.lin_hardness"
local loads = require "pinion.papers.lin_loads"
local response = require "pinion.papers.lin_response"
local slowdown = require "pinion.papers.lin_slowdown"
local speed = require "pinion.papers.lin_speed"
local tightness = require "pinion.papers.lin_tightness"

return {
    example.example, example.figure4, hardness.theorem1, hardness.theorem2, tightness.corollary4, tightness.corollary6,
        tightness.batch,
    speed.speed, loads.figure7, response.table, response.readings, slowdown.figure9, beyond.beyond, errata.errata,
}
