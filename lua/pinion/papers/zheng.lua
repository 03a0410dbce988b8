-- Zheng, Shroff, Sinha: A New Analytical Technique for Designing Provably Efficient MapReduce Schedulers (2013). Its sections,
-- in its order.

local asrpt = require "pinion.papers.zheng_asrpt"
local bounds = require "pinion.papers.zheng_bounds"
local example = require "pinion.papers.zheng_example"
local figures = require "pinion.papers.zheng_figures"
local quantiles = require "pinion.papers.zheng_quantiles"

return {
    example.example, bounds.theorem2, asrpt.lemma1, asrpt.theorem4, asrpt.corollary2,
    figures.efficiency(0), figures.efficiency(1), figures.efficiency(2), figures.efficiency(3), figures.convergence,
    quantiles.distribution(0), quantiles.distribution(1), quantiles.distribution(2), quantiles.distribution(3),
}
